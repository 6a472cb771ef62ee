//! Requests and their answers.

use super::convert::{Lines, number};
use super::lenses::RUN;
use super::state::Server;
use crate::query::{CLASSES, Edit, Entry, Place, Sort, Workspace};
use grognard_base::OrdMap;
use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What the server can do.
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
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "codeLensProvider": { "resolveProvider": true },
        "executeCommandProvider": { "commands": [RUN] },
        "semanticTokensProvider": {
            "legend": { "tokenTypes": CLASSES, "tokenModifiers": ["declaration"] },
            "full": true,
        },
    })
}

/// Answers a request; none if the answer comes later.
pub fn answer(server: &mut Server, request: Request) -> Option<Response> {
    let Request { id, method, params } = request;
    let s: &Server = server;
    Some(match method.as_str() {
        "textDocument/hover" => with(id, params, |p: HoverParams| hover(s, &p.text_document_position_params)),
        "textDocument/definition" => {
            with(id, params, |p: GotoDefinitionParams| definition(s, &p.text_document_position_params))
        }
        "textDocument/references" => with(id, params, |p: ReferenceParams| {
            references(s, &p.text_document_position, p.context.include_declaration)
        }),
        "textDocument/documentHighlight" => {
            with(id, params, |p: DocumentHighlightParams| highlights(s, &p.text_document_position_params))
        }
        "textDocument/completion" => with(id, params, |p: CompletionParams| completion(s, &p.text_document_position)),
        "textDocument/documentSymbol" => with(id, params, |p: DocumentSymbolParams| symbols(s, &p.text_document.uri)),
        "textDocument/foldingRange" => with(id, params, |p: FoldingRangeParams| folds(s, &p.text_document.uri)),
        "textDocument/formatting" => with(id, params, |p: DocumentFormattingParams| format(s, &p.text_document.uri)),
        "textDocument/codeAction" => with(id, params, |p: CodeActionParams| actions(s, &p)),
        "textDocument/codeLens" => with(id, params, |p: CodeLensParams| s.lenses(p.text_document.uri.as_str())),
        "textDocument/semanticTokens/full" => {
            with(id, params, |p: SemanticTokensParams| tokens(s, &p.text_document.uri))
        }
        "workspace/symbol" => with(id, params, |p: WorkspaceSymbolParams| find_symbols(s, &p.query)),
        "textDocument/prepareRename" => {
            let params = read::<TextDocumentPositionParams>(&id, params);
            params.map_or_else(|r| r, |p| told(id, can_rename(s, &p)))
        }
        "textDocument/rename" => {
            let params = read::<RenameParams>(&id, params);
            params.map_or_else(|r| r, |p| told(id, rename(s, &p)))
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

#[allow(clippy::result_large_err)] // made once for a request, and sent
fn read<P: DeserializeOwned>(id: &RequestId, params: Value) -> Result<P, Response> {
    serde_json::from_value(params).map_err(|why| refuse(id.clone(), ErrorCode::InvalidParams, why.to_string()))
}

fn with<P: DeserializeOwned, T: Serialize>(id: RequestId, params: Value, tell: impl FnOnce(P) -> T) -> Response {
    match read(&id, params) {
        Ok(params) => Response::new_ok(id, tell(params)),
        Err(refused) => refused,
    }
}

/// An answer, or why there is none.
fn told<T: Serialize>(id: RequestId, found: Result<T, String>) -> Response {
    match found {
        Ok(found) => Response::new_ok(id, found),
        Err(why) => refuse(id, ErrorCode::RequestFailed, why),
    }
}

/// A document and a byte in it.
struct Spot<'s> {
    space: &'s Workspace,
    path: &'s str,
    root: usize,
    byte: usize,
}

fn spot<'s>(server: &'s Server, at: &TextDocumentPositionParams) -> Option<Spot<'s>> {
    let (space, path, root) = server.document(at.text_document.uri.as_str())?;
    let text = space.text(path)?;
    Some(Spot { space, path, root, byte: Lines::of(&text).byte(at.position) })
}

/// Ranges of places, each text looked at once.
struct Ranges<'s> {
    space: &'s Workspace,
    texts: OrdMap<String, String>,
}

impl Ranges<'_> {
    fn of(space: &Workspace) -> Ranges<'_> {
        Ranges { space, texts: OrdMap::new() }
    }

    fn range(&mut self, place: &Place) -> Range {
        let space = self.space;
        let text = self.texts.entry(place.file.clone()).or_insert_with(|| space.text(&place.file).unwrap_or_default());
        Lines::of(text).range(place.start, place.end)
    }
}

fn locations(server: &Server, space: &Workspace, root: usize, places: &[Place]) -> Vec<Location> {
    let mut ranges = Ranges::of(space);
    let location = |place: &Place| Some(Location::new(server.uri(root, &place.file)?, ranges.range(place)));
    places.iter().filter_map(location).collect()
}

fn hover(server: &Server, at: &TextDocumentPositionParams) -> Option<Hover> {
    let spot = spot(server, at)?;
    let found = spot.space.hover(spot.path, spot.byte)?;
    let range = Some(Ranges::of(spot.space).range(&found.at));
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: found.text });
    Some(Hover { contents, range })
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
    Some(places.iter().map(|p| DocumentHighlight { range: ranges.range(p), kind: None }).collect())
}

fn completion(server: &Server, at: &TextDocumentPositionParams) -> Option<Vec<CompletionItem>> {
    let spot = spot(server, at)?;
    let (start, found) = spot.space.complete(spot.path, spot.byte);
    let text = spot.space.text(spot.path)?;
    let range = Lines::of(&text).range(start, spot.byte);
    let item = |(n, candidate): (usize, crate::query::Candidate)| CompletionItem {
        kind: Some(match candidate.sort {
            Sort::Variable => CompletionItemKind::VARIABLE,
            Sort::Field => CompletionItemKind::FIELD,
            Sort::Case => CompletionItemKind::ENUM_MEMBER,
            Sort::Value => CompletionItemKind::CONSTANT,
            Sort::Function => CompletionItemKind::FUNCTION,
            Sort::Type => CompletionItemKind::CLASS,
            Sort::Item => CompletionItemKind::MODULE,
            Sort::Clause => CompletionItemKind::REFERENCE,
            Sort::Keyword => CompletionItemKind::KEYWORD,
        }),
        detail: (!candidate.detail.is_empty()).then_some(candidate.detail),
        sort_text: Some(format!("{n:05}")),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, candidate.label.clone()))),
        label: candidate.label,
        ..CompletionItem::default()
    };
    Some(found.into_iter().enumerate().map(item).collect())
}

fn kind(word: &str) -> SymbolKind {
    match word {
        "section" => SymbolKind::NAMESPACE,
        "kind" | "record" | "trait" | "status" | "condition" | "extend kind" => SymbolKind::CLASS,
        "enum" | "chain" | "die" => SymbolKind::ENUM,
        "case" => SymbolKind::ENUM_MEMBER,
        "stat" | "state" | "link" | "replace" | "modify" => SymbolKind::FIELD,
        "param" | "reading" => SymbolKind::CONSTANT,
        "event" | "rule" => SymbolKind::EVENT,
        "let" | "table" | "proc" | "test" | "law" => SymbolKind::FUNCTION,
        "phase" | "action" | "policy" => SymbolKind::METHOD,
        _ => SymbolKind::OBJECT,
    }
}

#[allow(deprecated)] // a field that has to be given
fn symbol(lines: &Lines<'_>, entry: &Entry) -> DocumentSymbol {
    let detail = match entry.title.as_str() {
        "" => entry.word.to_string(),
        title => format!("{} \"{title}\"", entry.word),
    };
    let children: Vec<DocumentSymbol> = entry.inside.iter().map(|inner| symbol(lines, inner)).collect();
    DocumentSymbol {
        name: entry.name.clone(),
        detail: Some(detail),
        kind: kind(entry.word),
        tags: None,
        deprecated: None,
        range: lines.range(entry.whole.0, entry.whole.1),
        selection_range: lines.range(entry.at.0, entry.at.1),
        children: (!children.is_empty()).then_some(children),
    }
}

fn symbols(server: &Server, uri: &Uri) -> Option<Vec<DocumentSymbol>> {
    let (space, path, _) = server.document(uri.as_str())?;
    let text = space.text(path)?;
    let lines = Lines::of(&text);
    Some(space.outline(path).iter().map(|entry| symbol(&lines, entry)).collect())
}

/// Items whose names or titles hold a text, in every root.
fn find_symbols(server: &Server, query: &str) -> Vec<Value> {
    let wanted = query.to_lowercase();
    let mut found = Vec::new();
    for (root, space) in server.spaces() {
        for path in space.rulesets() {
            let (Some(uri), Some(text)) = (server.uri(root, &path), space.text(&path)) else { continue };
            let lines = Lines::of(&text);
            let mut left: Vec<Entry> = space.outline(&path);
            while let Some(entry) = left.pop() {
                let fits = [&entry.name, &entry.title].iter().any(|t| t.to_lowercase().contains(&wanted));
                if fits && entry.word != "section" {
                    let location = Location::new(uri.clone(), lines.range(entry.at.0, entry.at.1));
                    found.push(json!({ "name": entry.name, "kind": kind(entry.word), "location": location, "containerName": path }));
                }
                left.extend(entry.inside);
            }
        }
    }
    found
}

fn folds(server: &Server, uri: &Uri) -> Option<Vec<FoldingRange>> {
    let (space, path, _) = server.document(uri.as_str())?;
    let text = space.text(path)?;
    let lines = Lines::of(&text);
    let fold = |entry: &Entry| {
        let range = lines.range(entry.whole.0, entry.whole.1);
        let fold = FoldingRange { start_line: range.start.line, end_line: range.end.line, ..FoldingRange::default() };
        (fold.end_line > fold.start_line).then_some(fold)
    };
    let all = space.outline(path);
    Some(all.iter().flat_map(|entry| std::iter::once(entry).chain(&entry.inside)).filter_map(fold).collect())
}

fn format(server: &Server, uri: &Uri) -> Option<Vec<TextEdit>> {
    let (space, path, _) = server.document(uri.as_str())?;
    let (old, new) = (space.text(path)?, space.format(path)?);
    if old == new {
        return Some(Vec::new());
    }
    // what is alike at both ends stays, so that the cursor does
    let same = |(a, b): &(char, char)| a == b;
    let head: usize = old.chars().zip(new.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (left, right) = (&old[head..], &new[head..]);
    let tail: usize = left.chars().rev().zip(right.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let range = Lines::of(&old).range(head, old.len() - tail);
    Some(vec![TextEdit::new(range, new[head..new.len() - tail].to_string())])
}

fn edits(server: &Server, space: &Workspace, root: usize, all: &[Edit]) -> WorkspaceEdit {
    let mut ranges = Ranges::of(space);
    let mut files: OrdMap<&str, Vec<OneOf<TextEdit, AnnotatedTextEdit>>> = OrdMap::new();
    for edit in all {
        let new = TextEdit::new(ranges.range(&edit.place), edit.text.clone());
        files.entry(&edit.place.file).or_default().push(OneOf::Left(new));
    }
    let of = |(file, edits): (&str, _)| {
        let uri = server.uri(root, file)?;
        let version = server.version(uri.as_str());
        let text_document = OptionalVersionedTextDocumentIdentifier { uri, version };
        Some(TextDocumentEdit { text_document, edits })
    };
    let changes = files.into_iter().filter_map(of).collect();
    WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(changes)), ..WorkspaceEdit::default() }
}

fn actions(server: &Server, params: &CodeActionParams) -> Option<Vec<CodeAction>> {
    let (space, path, root) = server.document(params.text_document.uri.as_str())?;
    let text = space.text(path)?;
    let (start, end) = Lines::of(&text).bytes(params.range);
    let action = |fix: crate::query::Fix| CodeAction {
        title: fix.title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![server.diagnostic(space, root, &fix.of)]),
        edit: Some(edits(server, space, root, &fix.edits)),
        is_preferred: Some(true),
        ..CodeAction::default()
    };
    Some(space.fixes(path, start, end).into_iter().map(action).collect())
}

fn can_rename(server: &Server, at: &TextDocumentPositionParams) -> Result<Option<Range>, String> {
    let Some(spot) = spot(server, at) else { return Ok(None) };
    let place = spot.space.can_rename(spot.path, spot.byte)?;
    Ok(Some(Ranges::of(spot.space).range(&place)))
}

fn rename(server: &Server, params: &RenameParams) -> Result<Option<WorkspaceEdit>, String> {
    let Some(spot) = spot(server, &params.text_document_position) else { return Ok(None) };
    let found = spot.space.rename(spot.path, spot.byte, &params.new_name)?;
    Ok(Some(edits(server, spot.space, spot.root, &found)))
}

fn tokens(server: &Server, uri: &Uri) -> Option<SemanticTokens> {
    let (space, path, _) = server.document(uri.as_str())?;
    let text = space.text(path)?;
    let lines = Lines::of(&text);
    let mut data = Vec::new();
    let mut last = Position::new(0, 0);
    for token in space.tokens(path) {
        let (start, end) = (lines.position(token.start), lines.position(token.end));
        if start.line != end.line {
            continue;
        }
        let delta_line = start.line - last.line;
        let delta_start = if delta_line == 0 { start.character - last.character } else { start.character };
        data.push(SemanticToken {
            delta_line,
            delta_start,
            length: end.character - start.character,
            token_type: number(token.class),
            token_modifiers_bitset: u32::from(token.declares),
        });
        last = start;
    }
    Some(SemanticTokens { result_id: None, data })
}
