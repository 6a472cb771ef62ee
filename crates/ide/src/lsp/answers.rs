//! Answers the requests of the language server.

use super::convert::{Lines, number};
use super::hints;
use super::lenses::RUN;
use super::protocol::*;
use super::state::Server;
use crate::query::{CLASSES, Edit, OutlineEntry, Place, Sort, Workspace};
use grognard_base::OrdMap;
use lsp_server::{ErrorCode, Request, RequestId, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Returns the capabilities of the server.
pub fn abilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2 },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "completionProvider": { "triggerCharacters": ["."] },
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "documentFormattingProvider": true,
        "codeActionProvider": { "codeActionKinds": [QUICK_FIX, EXTRACT] },
        "inlayHintProvider": true,
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "documentLinkProvider": {},
        "codeLensProvider": { "resolveProvider": true },
        "executeCommandProvider": { "commands": [RUN] },
        "semanticTokensProvider": {
            "legend": { "tokenTypes": CLASSES, "tokenModifiers": ["declaration"] },
            "full": true,
        },
    })
}

/// Answers a request. Returns `None` if the response follows later.
pub fn answer(server: &mut Server, request: Request) -> Option<Response> {
    let Request { id, method, params } = request;
    let s: &Server = server;
    Some(match method.as_str() {
        "textDocument/hover" => with(id, params, |p| hover(s, &p)),
        "textDocument/definition" => with(id, params, |p| definition(s, &p)),
        "textDocument/references" => {
            with(id, params, |p: ReferenceParams| references(s, &p.at, p.context.include_declaration))
        }
        "textDocument/documentHighlight" => with(id, params, |p| highlights(s, &p)),
        "textDocument/completion" => with(id, params, |p| completion(s, &p)),
        "textDocument/documentSymbol" => with(id, params, |p: TextDocumentParams| symbols(s, &p.text_document.uri)),
        "textDocument/foldingRange" => with(id, params, |p: TextDocumentParams| folds(s, &p.text_document.uri)),
        "textDocument/formatting" => with(id, params, |p: TextDocumentParams| format(s, &p.text_document.uri)),
        "textDocument/codeAction" => with(id, params, |p: CodeActionParams| actions(s, &p)),
        "textDocument/codeLens" => with(id, params, |p: TextDocumentParams| s.lenses(&p.text_document.uri)),
        "textDocument/semanticTokens/full" => with(id, params, |p: TextDocumentParams| tokens(s, &p.text_document.uri)),
        "textDocument/inlayHint" => with(id, params, |p: InlayHintParams| hints::inlays(s, &p)),
        "textDocument/signatureHelp" => with(id, params, |p: TextDocumentPositionParams| hints::signature(s, &p)),
        "textDocument/documentLink" => with(id, params, |p: TextDocumentParams| hints::links(s, &p.text_document.uri)),
        "workspace/symbol" => with(id, params, |p: WorkspaceSymbolParams| find_symbols(s, &p.query)),
        "textDocument/prepareRename" => {
            let params = read::<TextDocumentPositionParams>(&id, params);
            params.map_or_else(|r| r, |p| rendered(id, can_rename(s, &p)))
        }
        "textDocument/rename" => {
            let params = read::<RenameParams>(&id, params);
            params.map_or_else(|r| r, |p| rendered(id, rename(s, &p)))
        }
        "codeLens/resolve" => match read::<CodeLens>(&id, params) {
            Ok(lens) => return server.resolve(id, &lens),
            Err(refused) => refused,
        },
        "workspace/executeCommand" => match read::<ExecuteCommandParams>(&id, params) {
            Ok(params) if params.command == RUN => return server.run(id, &params.arguments),
            Ok(params) => refuse(id, ErrorCode::InvalidParams, format!("there is no command `{}`", params.command)),
            Err(refused) => refused,
        },
        _ => refuse(id, ErrorCode::MethodNotFound, format!("`{method}` is not known")),
    })
}

fn refuse(id: RequestId, code: ErrorCode, why: String) -> Response {
    Response::new_err(id, code as i32, why)
}

#[allow(clippy::result_large_err)] // created once for a request, and sent
fn read<P: DeserializeOwned>(id: &RequestId, params: Value) -> Result<P, Response> {
    serde_json::from_value(params).map_err(|why| refuse(id.clone(), ErrorCode::InvalidParams, why.to_string()))
}

fn with<P: DeserializeOwned, T: Serialize>(id: RequestId, params: Value, tell: impl FnOnce(P) -> T) -> Response {
    match read(&id, params) {
        Ok(params) => Response::new_ok(id, tell(params)),
        Err(refused) => refused,
    }
}

/// Returns the response for a result or its error.
fn rendered<T: Serialize>(id: RequestId, found: Result<T, String>) -> Response {
    match found {
        Ok(found) => Response::new_ok(id, found),
        Err(why) => refuse(id, ErrorCode::RequestFailed, why),
    }
}

/// A document and a byte offset in it.
struct Spot<'s> {
    space: &'s Workspace,
    path: &'s str,
    root: usize,
    byte: usize,
}

fn spot<'s>(server: &'s Server, at: &TextDocumentPositionParams) -> Option<Spot<'s>> {
    let (space, path, root) = server.document(&at.text_document.uri)?;
    let text = space.text(path)?;
    Some(Spot { space, path, root, byte: Lines::of(&text).byte(at.position) })
}

/// Converts spans to ranges, and reads each text once.
struct Ranges<'s> {
    space: &'s Workspace,
    texts: OrdMap<String, String>,
}

impl Ranges<'_> {
    fn of(space: &Workspace) -> Ranges<'_> {
        Ranges { space, texts: OrdMap::new() }
    }

    fn range(&mut self, place: &Place) -> LspRange {
        let space = self.space;
        let text = self.texts.entry(place.file.clone()).or_insert_with(|| space.text(&place.file).unwrap_or_default());
        Lines::of(text).range(place.start, place.end)
    }
}

fn locations(server: &Server, space: &Workspace, root: usize, places: &[Place]) -> Vec<Location> {
    let mut ranges = Ranges::of(space);
    let location = |place: &Place| Some(Location { uri: server.uri(root, &place.file)?, range: ranges.range(place) });
    places.iter().filter_map(location).collect()
}

fn hover(server: &Server, at: &TextDocumentPositionParams) -> Option<HoverResult> {
    let spot = spot(server, at)?;
    let found = spot.space.hover(spot.path, spot.byte)?;
    let range = Ranges::of(spot.space).range(&found.at);
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: found.text };
    Some(HoverResult { contents, range })
}

fn definition(server: &Server, at: &TextDocumentPositionParams) -> Option<Vec<Location>> {
    let spot = spot(server, at)?;
    Some(locations(server, spot.space, spot.root, &spot.space.definition(spot.path, spot.byte)))
}

fn references(server: &Server, at: &TextDocumentPositionParams, declarations: bool) -> Option<Vec<Location>> {
    let spot = spot(server, at)?;
    let places = spot.space.references(spot.path, spot.byte, declarations);
    Some(locations(server, spot.space, spot.root, &places))
}

fn highlights(server: &Server, at: &TextDocumentPositionParams) -> Option<Vec<DocumentHighlight>> {
    let spot = spot(server, at)?;
    let places = spot.space.highlights(spot.path, spot.byte);
    let mut ranges = Ranges::of(spot.space);
    Some(places.iter().map(|p| DocumentHighlight { range: ranges.range(p) }).collect())
}

fn completion(server: &Server, at: &TextDocumentPositionParams) -> Option<Vec<CompletionItem>> {
    let spot = spot(server, at)?;
    let (start, mut found) = spot.space.complete(spot.path, spot.byte);
    if !server.snippets {
        found.iter_mut().for_each(|candidate| candidate.snippet = None);
    }
    let text = spot.space.text(spot.path)?;
    let range = Lines::of(&text).range(start, spot.byte);
    let item = |(n, candidate): (usize, crate::query::Candidate)| CompletionItem {
        kind: match candidate.sort {
            Sort::Variable => CompletionItemKind::Variable,
            Sort::Field => CompletionItemKind::Field,
            Sort::Case => CompletionItemKind::EnumMember,
            Sort::Value => CompletionItemKind::Constant,
            Sort::Function => CompletionItemKind::Function,
            Sort::Type => CompletionItemKind::Class,
            Sort::Item => CompletionItemKind::Module,
            Sort::Clause => CompletionItemKind::Reference,
            Sort::Keyword => CompletionItemKind::Keyword,
        },
        insert_text_format: candidate.snippet.is_some().then_some(2),
        detail: (!candidate.detail.is_empty()).then_some(candidate.detail),
        sort_text: format!("{n:05}"),
        text_edit: TextEdit { range, new_text: candidate.snippet.unwrap_or_else(|| candidate.label.clone()) },
        label: candidate.label,
    };
    Some(found.into_iter().enumerate().map(item).collect())
}

fn kind(word: &str) -> SymbolKind {
    match word {
        "section" => SymbolKind::Namespace,
        "kind" | "record" | "trait" | "status" | "condition" | "extend kind" => SymbolKind::Class,
        "enum" | "chain" | "die" => SymbolKind::Enum,
        "case" => SymbolKind::EnumMember,
        "stat" | "state" | "link" | "replace" | "modify" => SymbolKind::Field,
        "param" | "reading" => SymbolKind::Constant,
        "event" | "rule" => SymbolKind::Event,
        "let" | "table" | "proc" | "test" | "law" => SymbolKind::Function,
        "phase" | "action" | "policy" => SymbolKind::Method,
        _ => SymbolKind::Object,
    }
}

fn symbol(lines: &Lines<'_>, entry: &OutlineEntry) -> DocumentSymbol {
    let detail = match entry.title.as_str() {
        "" => entry.word.to_string(),
        title => format!("{} \"{title}\"", entry.word),
    };
    DocumentSymbol {
        name: entry.name.clone(),
        detail,
        kind: kind(entry.word),
        range: lines.range(entry.whole.0, entry.whole.1),
        selection_range: lines.range(entry.at.0, entry.at.1),
        children: entry.inside.iter().map(|inner| symbol(lines, inner)).collect(),
    }
}

fn symbols(server: &Server, uri: &str) -> Option<Vec<DocumentSymbol>> {
    let (space, path, _) = server.rules_document(uri)?;
    let text = space.text(path)?;
    let lines = Lines::of(&text);
    Some(space.outline(path).iter().map(|entry| symbol(&lines, entry)).collect())
}

/// Returns the items of all roots whose names or titles contain `query`, ignoring case.
fn find_symbols(server: &Server, query: &str) -> Vec<SymbolInformation> {
    let wanted = query.to_lowercase();
    let mut found = Vec::new();
    for (root, space) in server.spaces() {
        for path in space.rulesets() {
            let (Some(uri), Some(text)) = (server.uri(root, &path), space.text(&path)) else { continue };
            let lines = Lines::of(&text);
            let mut left: Vec<OutlineEntry> = space.outline(&path);
            while let Some(entry) = left.pop() {
                let fits = [&entry.name, &entry.title].iter().any(|t| t.to_lowercase().contains(&wanted));
                if fits && entry.word != "section" {
                    let location = Location { uri: uri.clone(), range: lines.range(entry.at.0, entry.at.1) };
                    let container_name = path.clone();
                    found.push(SymbolInformation {
                        name: entry.name,
                        kind: kind(entry.word),
                        location,
                        container_name,
                    });
                }
                left.extend(entry.inside);
            }
        }
    }
    found
}

fn folds(server: &Server, uri: &str) -> Option<Vec<FoldingRange>> {
    let (space, path, _) = server.rules_document(uri)?;
    let text = space.text(path)?;
    let lines = Lines::of(&text);
    let fold = |entry: &OutlineEntry| {
        let range = lines.range(entry.whole.0, entry.whole.1);
        let fold = FoldingRange { start_line: range.start.line, end_line: range.end.line };
        (fold.end_line > fold.start_line).then_some(fold)
    };
    let all = space.outline(path);
    Some(all.iter().flat_map(|entry| std::iter::once(entry).chain(&entry.inside)).filter_map(fold).collect())
}

fn format(server: &Server, uri: &str) -> Option<Vec<TextEdit>> {
    let (space, path, _) = server.document(uri)?;
    let (old, new) = (space.text(path)?, space.format(path)?);
    if old == new {
        return Some(Vec::new());
    }
    // Equal text at both ends is kept, so that the cursor stays in place.
    let same = |(a, b): &(char, char)| a == b;
    let head: usize = old.chars().zip(new.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (left, right) = (&old[head..], &new[head..]);
    let tail: usize = left.chars().rev().zip(right.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let range = Lines::of(&old).range(head, old.len() - tail);
    Some(vec![TextEdit { range, new_text: new[head..new.len() - tail].to_string() }])
}

fn edits(server: &Server, space: &Workspace, root: usize, all: &[Edit]) -> WorkspaceEdit {
    let mut ranges = Ranges::of(space);
    let mut files: OrdMap<&str, Vec<TextEdit>> = OrdMap::new();
    for edit in all {
        let new = TextEdit { range: ranges.range(&edit.place), new_text: edit.text.clone() };
        files.entry(&edit.place.file).or_default().push(new);
    }
    let of = |(file, edits): (&str, _)| {
        let uri = server.uri(root, file)?;
        let version = server.version(&uri);
        let text_document = OptionalVersionedTextDocumentIdentifier { uri, version };
        Some(TextDocumentEdit { text_document, edits })
    };
    WorkspaceEdit { document_changes: files.into_iter().filter_map(of).collect() }
}

fn actions(server: &Server, params: &CodeActionParams) -> Option<Vec<CodeAction>> {
    let (space, path, root) = server.rules_document(&params.text_document.uri)?;
    let text = space.text(path)?;
    let (start, end) = Lines::of(&text).bytes(params.range);
    let action = |fix: crate::query::Fix| CodeAction {
        title: fix.title,
        kind: QUICK_FIX,
        diagnostics: vec![server.diagnostic(space, root, &fix.of)],
        edit: edits(server, space, root, &fix.edits),
        is_preferred: true,
    };
    let extract = |found: crate::query::Refactoring| CodeAction {
        title: found.title,
        kind: EXTRACT,
        diagnostics: Vec::new(),
        edit: edits(server, space, root, &found.edits),
        is_preferred: false,
    };
    let extracted = space.param_of_number(path, start).map(extract);
    Some(space.fixes(path, start, end).into_iter().map(action).chain(extracted).collect())
}

fn can_rename(server: &Server, at: &TextDocumentPositionParams) -> Result<Option<LspRange>, String> {
    let Some(spot) = spot(server, at) else { return Ok(None) };
    let place = spot.space.can_rename(spot.path, spot.byte)?;
    Ok(Some(Ranges::of(spot.space).range(&place)))
}

fn rename(server: &Server, params: &RenameParams) -> Result<Option<WorkspaceEdit>, String> {
    let Some(spot) = spot(server, &params.at) else { return Ok(None) };
    let found = spot.space.rename(spot.path, spot.byte, &params.new_name)?;
    Ok(Some(edits(server, spot.space, spot.root, &found)))
}

fn tokens(server: &Server, uri: &str) -> Option<SemanticTokens> {
    let (space, path, _) = server.rules_document(uri)?;
    let text = space.text(path)?;
    let lines = Lines::of(&text);
    let mut data = Vec::new();
    let mut last = Position { line: 0, character: 0 };
    for token in space.tokens(path) {
        let (start, end) = (lines.position(token.start), lines.position(token.end));
        if start.line != end.line {
            continue;
        }
        let delta_line = start.line - last.line;
        let delta_start = if delta_line == 0 { start.character - last.character } else { start.character };
        let length = end.character - start.character;
        data.extend([delta_line, delta_start, length, number(token.class), u32::from(token.declares)]);
        last = start;
    }
    Some(SemanticTokens { data })
}
