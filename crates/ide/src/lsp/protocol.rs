//! Types of the Language Server Protocol 3.17, named as in the specification: the parameters that the server reads and the
//! results that it writes.
//!
//! They list only the fields that the server uses. Deserialization ignores all other fields, so kinds and options that a newer
//! client sends cause no errors.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A URI as the client writes it. The server compares URIs as strings; `convert` translates those of files into paths.
pub type DocumentUri = String;

/// A line and a column in UTF-16 code units, both counted from 0.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Position {
    pub line: u32,
    pub character: u32,
}

/// A range of a text; the end is exclusive.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LspRange {
    pub start: Position,
    pub end: Position,
}

/// A range in a document.
#[derive(Clone, PartialEq, Serialize)]
pub struct Location {
    pub uri: DocumentUri,
    pub range: LspRange,
}

/// A replacement of a range by a text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextEdit {
    pub range: LspRange,
    pub new_text: String,
}

// --- parameters ---

/// The document of a request or a notification.
#[derive(Deserialize)]
pub struct TextDocumentIdentifier {
    pub uri: DocumentUri,
}

/// The parameters of messages about a whole document: `didClose`, `documentSymbol`, `foldingRange`, `formatting`, `codeLens`
/// and `semanticTokens/full`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextDocumentParams {
    pub text_document: TextDocumentIdentifier,
}

/// The parameters of requests about a position: `hover`, `definition`, `documentHighlight`, `completion` and `prepareRename`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextDocumentPositionParams {
    pub text_document: TextDocumentIdentifier,
    pub position: Position,
}

/// The parameters of `references`.
#[derive(Deserialize)]
pub struct ReferenceParams {
    #[serde(flatten)]
    pub at: TextDocumentPositionParams,
    pub context: ReferenceContext,
}

/// The options of `references`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReferenceContext {
    pub include_declaration: bool,
}

/// The parameters of `rename`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenameParams {
    #[serde(flatten)]
    pub at: TextDocumentPositionParams,
    pub new_name: String,
}

/// The parameters of `codeAction`. The server computes diagnostics itself and does not read those of the client.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeActionParams {
    pub text_document: TextDocumentIdentifier,
    pub range: LspRange,
}

/// The parameters of `workspace/symbol`.
#[derive(Deserialize)]
pub struct WorkspaceSymbolParams {
    pub query: String,
}

/// The parameters of `workspace/executeCommand`.
#[derive(Deserialize)]
pub struct ExecuteCommandParams {
    pub command: String,
    #[serde(default)]
    pub arguments: Vec<Value>,
}

/// The parameters of `didOpen`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidOpenTextDocumentParams {
    pub text_document: TextDocumentItem,
}

/// A document with its text.
#[derive(Deserialize)]
pub struct TextDocumentItem {
    pub uri: DocumentUri,
    pub version: i32,
    pub text: String,
}

/// The parameters of `didChange`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DidChangeTextDocumentParams {
    pub text_document: VersionedTextDocumentIdentifier,
    pub content_changes: Vec<TextDocumentContentChangeEvent>,
}

/// A version of a document.
#[derive(Deserialize)]
pub struct VersionedTextDocumentIdentifier {
    pub uri: DocumentUri,
    pub version: i32,
}

/// A replacement of a range, or of the whole text if there is no range.
#[derive(Deserialize)]
pub struct TextDocumentContentChangeEvent {
    pub range: Option<LspRange>,
    pub text: String,
}

/// The parameters of `didChangeWatchedFiles`.
#[derive(Deserialize)]
pub struct DidChangeWatchedFilesParams {
    pub changes: Vec<FileEvent>,
}

/// A file that changed. The server does the same after a creation, a change and a deletion, so it does not read the type.
#[derive(Deserialize)]
pub struct FileEvent {
    pub uri: DocumentUri,
}

/// The parameters of `inlayHint`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InlayHintParams {
    pub text_document: TextDocumentIdentifier,
    pub range: LspRange,
}

// --- diagnostics ---

/// The parameters of `publishDiagnostics`.
#[derive(Serialize)]
pub struct PublishDiagnosticsParams {
    pub uri: DocumentUri,
    pub diagnostics: Vec<LspDiagnostic>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i32>,
}

/// An error, a warning or a hint.
#[derive(Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LspDiagnostic {
    pub range: LspRange,
    pub severity: DiagnosticSeverity,
    pub code: String,
    pub source: &'static str,
    pub message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_information: Vec<DiagnosticRelatedInformation>,
}

/// A second place that a diagnostic refers to.
#[derive(Clone, PartialEq, Serialize)]
pub struct DiagnosticRelatedInformation {
    pub location: Location,
    pub message: String,
}

/// Defines an enumeration that the protocol writes as integers, with the variants that the server uses.
macro_rules! integers {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $number:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Serialize)]
        #[serde(into = "u8")]
        pub enum $name {
            $($variant = $number,)+
        }

        impl From<$name> for u8 {
            fn from(kind: $name) -> u8 {
                kind as u8
            }
        }
    };
}

integers! {
    /// The severity of a diagnostic.
    DiagnosticSeverity {
        Error = 1,
        Warning = 2,
        Hint = 4,
    }
}

// --- results ---

/// The result of `hover`.
#[derive(Serialize)]
pub struct HoverResult {
    pub contents: MarkupContent,
    pub range: LspRange,
}

/// A text with its format.
#[derive(Serialize)]
pub struct MarkupContent {
    pub kind: MarkupKind,
    pub value: String,
}

/// The format of a text.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkupKind {
    Markdown,
}

/// A use of the name below the cursor.
#[derive(Serialize)]
pub struct DocumentHighlight {
    pub range: LspRange,
}

/// A candidate of `completion`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletionItem {
    pub label: String,
    pub kind: CompletionItemKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    pub sort_text: String,
    /// 2 for a snippet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub insert_text_format: Option<u8>,
    pub text_edit: TextEdit,
}

integers! {
    /// The icon of a candidate.
    CompletionItemKind {
        Function = 3,
        Field = 5,
        Variable = 6,
        Class = 7,
        Module = 9,
        Keyword = 14,
        Reference = 18,
        EnumMember = 20,
        Constant = 21,
    }
}

/// A node of the outline of a document.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentSymbol {
    pub name: String,
    pub detail: String,
    pub kind: SymbolKind,
    pub range: LspRange,
    pub selection_range: LspRange,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<DocumentSymbol>,
}

/// A result of `workspace/symbol`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SymbolInformation {
    pub name: String,
    pub kind: SymbolKind,
    pub location: Location,
    pub container_name: String,
}

integers! {
    /// The icon of a symbol.
    SymbolKind {
        Namespace = 3,
        Class = 5,
        Method = 6,
        Field = 8,
        Enum = 10,
        Function = 12,
        Constant = 14,
        Object = 19,
        EnumMember = 22,
        Event = 24,
    }
}

/// Lines that an editor can fold.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FoldingRange {
    pub start_line: u32,
    pub end_line: u32,
}

/// The result of `rename` and the effect of a code action.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceEdit {
    pub document_changes: Vec<TextDocumentEdit>,
}

/// Edits of one document.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextDocumentEdit {
    pub text_document: OptionalVersionedTextDocumentIdentifier,
    pub edits: Vec<TextEdit>,
}

/// A document with its version if it is open, otherwise with `null`.
#[derive(Serialize)]
pub struct OptionalVersionedTextDocumentIdentifier {
    pub uri: DocumentUri,
    pub version: Option<i32>,
}

/// A correction that the editor offers.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeAction {
    pub title: String,
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<LspDiagnostic>,
    pub edit: WorkspaceEdit,
    pub is_preferred: bool,
}

/// The `CodeActionKind` of corrections.
pub const QUICK_FIX: &str = "quickfix";

/// The `CodeActionKind` of the action that makes a param of a number.
pub const EXTRACT: &str = "refactor.extract";

/// A text between the characters of a document.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InlayHint {
    pub position: Position,
    pub label: String,
    pub kind: InlayHintKind,
}

integers! {
    /// The meaning of an inlay hint.
    InlayHintKind {
        Type = 1,
    }
}

/// The result of `signatureHelp`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SignatureHelp {
    pub signatures: Vec<SignatureInformation>,
    pub active_signature: u32,
    pub active_parameter: u32,
}

/// A signature with its parameters.
#[derive(Serialize)]
pub struct SignatureInformation {
    pub label: String,
    pub documentation: String,
    pub parameters: Vec<ParameterInformation>,
}

/// A parameter, as a part of the label of its signature.
#[derive(Serialize)]
pub struct ParameterInformation {
    pub label: String,
}

/// A range that leads to another document.
#[derive(Serialize)]
pub struct DocumentLink {
    pub range: LspRange,
    pub target: DocumentUri,
}

/// A command above a line. The client sends the lens back to `codeLens/resolve` when it needs the command.
#[derive(Serialize, Deserialize)]
pub struct CodeLens {
    pub range: LspRange,
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub command: Option<Command>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// A command with its arguments.
#[derive(Serialize)]
pub struct Command {
    pub title: String,
    pub command: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Value>,
}

/// Classes of words, five integers for each.
#[derive(Serialize)]
pub struct SemanticTokens {
    pub data: Vec<u32>,
}
