//! The state of the server: the roots with their texts, the open documents, and the diagnostics that were published.

use super::convert::{Lines, path_of, uri_of};
use super::lenses::Queue;
use super::protocol::{
    DiagnosticRelatedInformation, DiagnosticSeverity, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidOpenTextDocumentParams, DocumentUri, Location, LspDiagnostic, PublishDiagnosticsParams,
    TextDocumentContentChangeEvent, TextDocumentParams,
};
use crate::query::{LensAnswer, LensQuestion, Looked, Problem, Workspace};
use grognard_base::{OrdMap, OrdSet, Severity};
use grognard_rules::Library;
use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Number of examples that are checked in one step, before waiting messages are handled.
const AT_ONCE: usize = 4;

/// The location of a document: its root, and its path below the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentPath {
    pub root: usize,
    pub path: String,
}

/// A root folder of rules with its texts.
pub struct Root {
    /// The folder, or `None` for texts without a file.
    pub(super) folder: Option<PathBuf>,
    pub space: Workspace,
}

/// The environment of a server. It provides texts that are not open, and computes lenses, one at a time.
pub trait Host {
    /// Returns the path with symbolic links resolved. The default implementation returns it unchanged.
    fn canonical(&self, path: PathBuf) -> PathBuf {
        path
    }
    /// Returns a library of the texts below a folder.
    fn texts_below(&mut self, folder: &Path) -> Rc<dyn Library>;
    /// Returns the text of a file that is not open, or `None` if it cannot be read. It is used to find the rules of a scenario.
    fn text(&self, _path: &Path) -> Option<String> {
        None
    }
    /// Discards cached lists of files, after files were created or deleted.
    fn forget(&mut self) {}
    /// Starts the computation of a lens. `patient` is set if the user waits for the result.
    fn begin(&mut self, question: LensQuestion, patient: bool);
    /// Returns the result of the computation, or `None` if it is not finished.
    fn finished(&mut self) -> Option<LensAnswer>;
    /// Cancels the computation that was started last.
    fn stop(&mut self);
}

/// An open document and its version.
pub(super) struct Open {
    pub address: DocumentPath,
    version: i32,
}

/// Returns whether a document can be a scenario.
fn is_scene(open: &Open) -> bool {
    open.address.path.ends_with(".toml") && !open.address.path.ends_with("clauses.toml")
}

/// A language server for one editor.
pub struct Server {
    /// Messages to send, in order.
    messages: Vec<Message>,
    pub(super) host: Box<dyn Host>,
    pub(super) shelves: Vec<Root>,
    /// Open documents, by the URI that the editor uses.
    pub(super) open: OrdMap<String, Open>,
    /// Documents whose diagnostics must be published.
    pub(super) dirty: OrdSet<String>,
    /// Rulesets to check when no message is waiting.
    ahead: OrdSet<DocumentPath>,
    /// Open scenarios whose rules or bases can have changed, checked after the rulesets.
    scenes: OrdSet<String>,
    /// Rulesets whose examples to check when no message is waiting.
    examples: OrdSet<DocumentPath>,
    /// The last published diagnostics of each document.
    rendered: OrdMap<String, Vec<LspDiagnostic>>,
    pub(super) queue: Queue,
    watches: bool,
    /// Whether the editor accepts snippets as completions.
    pub(super) snippets: bool,
}

impl Server {
    /// Creates a server without documents.
    pub fn new(host: Box<dyn Host>, params: &Value) -> Server {
        let able = |pointer| params.pointer(pointer).and_then(Value::as_bool).unwrap_or(false);
        Server {
            messages: Vec::new(),
            host,
            shelves: Vec::new(),
            open: OrdMap::new(),
            dirty: OrdSet::new(),
            ahead: OrdSet::new(),
            scenes: OrdSet::new(),
            examples: OrdSet::new(),
            rendered: OrdMap::new(),
            queue: Queue::default(),
            watches: able("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            snippets: able("/capabilities/textDocument/completion/completionItem/snippetSupport"),
        }
    }

    /// Asks the editor for notifications about files that change on disk.
    pub fn watch_files(&mut self) {
        if self.watches {
            let watchers = json!([{ "globPattern": "**/*.rules" }, { "globPattern": "**/*.toml" }]);
            let what = json!({ "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": { "watchers": watchers } });
            let params = json!({ "registrations": [what] });
            let request =
                Request::new(RequestId::from("files".to_string()), "client/registerCapability".into(), params);
            self.send(Message::Request(request));
        }
    }

    fn send(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// Takes the messages to send, in order.
    pub fn take_messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.messages)
    }

    /// Sends the response to a request.
    pub fn reply(&mut self, response: Response) {
        self.send(Message::Response(response));
    }

    /// Sends a notification to the editor.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(Message::Notification(Notification { method: method.into(), params }));
    }

    /// Writes a message to the log of the editor.
    pub fn log(&mut self, message: &str) {
        self.notify("window/logMessage", json!({ "type": 3, "message": message }));
    }

    /// Shows a message to the designer. `sort` is 1 for an error and 3 for information.
    pub fn show(&mut self, sort: u8, message: &str) {
        self.notify("window/showMessage", json!({ "type": sort, "message": message }));
    }

    /// Processes a notification of the editor.
    pub fn hear(&mut self, note: &Notification) {
        match note.method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(params) = serde_json::from_value::<DidOpenTextDocumentParams>(note.params.clone()) {
                    let document = params.text_document;
                    self.opened(&document.uri, document.version, &document.text);
                }
            }
            "textDocument/didChange" => {
                if let Ok(params) = serde_json::from_value::<DidChangeTextDocumentParams>(note.params.clone()) {
                    let document = &params.text_document;
                    self.changed(&document.uri, document.version, &params.content_changes);
                }
            }
            "textDocument/didClose" => {
                if let Ok(params) = serde_json::from_value::<TextDocumentParams>(note.params.clone()) {
                    self.closed(&params.text_document.uri);
                }
            }
            "workspace/didChangeWatchedFiles" => {
                if let Ok(params) = serde_json::from_value::<DidChangeWatchedFilesParams>(note.params.clone()) {
                    params.changes.iter().for_each(|change| self.changed_outside(&change.uri));
                }
            }
            _ => {}
        }
    }

    fn opened(&mut self, uri: &str, version: i32, text: &str) {
        let known = self.open.get(uri).map(|open| open.address.clone());
        let address = known.unwrap_or_else(|| self.place_for(uri, text));
        self.shelves[address.root].space.set(&address.path, text);
        self.open.insert(uri.to_string(), Open { address: address.clone(), version });
        self.touched(&address);
        self.place_documents();
    }

    fn changed(&mut self, uri: &str, version: i32, changes: &[TextDocumentContentChangeEvent]) {
        let Some(open) = self.open.get_mut(uri) else { return };
        open.version = version;
        let address = open.address.clone();
        let space = &mut self.shelves[address.root].space;
        let mut text = space.text(&address.path).unwrap_or_default();
        for change in changes {
            match change.range {
                Some(range) => {
                    let (start, end) = Lines::of(&text).bytes(range);
                    text.replace_range(start..end, &change.text);
                }
                None => text.clone_from(&change.text),
            }
        }
        space.set(&address.path, &text);
        self.queue.edited(uri, &mut *self.host);
        self.touched(&address);
        if address.path.ends_with(".toml") {
            self.place_documents();
        }
    }

    fn closed(&mut self, uri: &str) {
        let Some(Open { address, .. }) = self.open.remove(uri) else { return };
        self.shelves[address.root].space.close(&address.path);
        self.touched(&address);
        self.dirty.insert(uri.to_string());
    }

    fn changed_outside(&mut self, uri: &str) {
        let Some(path) = path_of(uri) else { return };
        let path = self.host.canonical(path);
        self.host.forget();
        let mut touched = Vec::new();
        for (root, shelf) in self.shelves.iter_mut().enumerate() {
            let below = |folder: &PathBuf| super::roots::relative(&path, folder);
            let Some(name) = shelf.folder.as_ref().and_then(below) else { continue };
            shelf.space.changed_outside(&name);
            touched.push(DocumentPath { root, path: name });
        }
        touched.iter().for_each(|address| self.touched(address));
        self.place_documents();
    }

    /// Schedules checks of the rulesets that depend on a text.
    pub(super) fn touched(&mut self, address: &DocumentPath) {
        let same = self.open.iter().filter(|(_, open)| open.address == *address).map(|(uri, _)| uri.clone());
        self.dirty.extend(same.collect::<Vec<_>>());
        let space = &self.shelves[address.root].space;
        let others = space.resting_on(&address.path).into_iter().map(|path| DocumentPath { root: address.root, path });
        self.ahead.extend(others);
        let scenes = self.open.iter().filter(|(_, open)| open.address.root == address.root && is_scene(open));
        self.scenes.extend(scenes.map(|(uri, _)| uri.clone()).collect::<Vec<_>>());
    }

    /// Returns the location of a document.
    pub(super) fn place_for(&mut self, uri: &str, text: &str) -> DocumentPath {
        let path = path_of(uri).map(|path| self.host.canonical(path));
        if let Some((root, name)) = path.as_deref().and_then(|path| self.scene_place(path, text)) {
            return DocumentPath { root: self.shelf(Some(root)), path: name };
        }
        if let Some((root, name)) = path.as_deref().and_then(|path| self.rules_place(path)) {
            // Reuses the root if the folder is known.
            let at = self.shelf(Some(root));
            return DocumentPath { root: at, path: name };
        }
        let header = text.lines().find_map(|l| l.strip_prefix("ruleset ").or_else(|| l.strip_prefix("variant ")));
        let name = header.and_then(|h| h.split_whitespace().next()).unwrap_or("untitled/untitled").to_string();
        let root = self.shelf(None);
        let taken = |name: &str| self.open.values().any(|o| o.address.root == root && o.address.path == name);
        let mut path = format!("{name}.rules");
        for n in 2.. {
            if !taken(&path) {
                break;
            }
            path = format!("{name}-{n}.rules");
        }
        DocumentPath { root, path }
    }

    fn shelf(&mut self, folder: Option<PathBuf>) -> usize {
        if let Some(at) = self.shelves.iter().position(|shelf| shelf.folder == folder) {
            return at;
        }
        let library: Rc<dyn Library> = match &folder {
            Some(folder) => self.host.texts_below(folder),
            // Rules without a file have no other rules next to them.
            None => Rc::new(OrdMap::default()),
        };
        self.shelves.push(Root { folder, space: Workspace::new(library) });
        self.shelves.len() - 1
    }

    /// Returns the workspace of a folder. The folder does not need an open document.
    pub fn space(&mut self, folder: &Path) -> &mut Workspace {
        let at = self.shelf(Some(folder.to_path_buf()));
        &mut self.shelves[at].space
    }

    /// Processes a change, creation or deletion of a file outside the editor.
    pub fn changed_elsewhere(&mut self, uri: &str) {
        self.changed_outside(uri);
    }

    /// Returns the workspace, the path and the root of an open document.
    pub fn document(&self, uri: &str) -> Option<(&Workspace, &str, usize)> {
        let address = &self.open.get(uri)?.address;
        Some((&self.shelves[address.root].space, &address.path, address.root))
    }

    /// Does the same as `document` for a rules file, and returns `None` for another file.
    pub fn rules_document(&self, uri: &str) -> Option<(&Workspace, &str, usize)> {
        self.document(uri).filter(|(_, path, _)| !path.ends_with(".toml"))
    }

    /// Returns the version of an open document.
    pub fn version(&self, uri: &str) -> Option<i32> {
        self.open.get(uri).map(|open| open.version)
    }

    /// Returns the URI of a file in a root. For an open file, returns the URI that the editor uses.
    pub fn uri(&self, root: usize, path: &str) -> Option<DocumentUri> {
        let open = self.open.iter().find(|(_, open)| open.address.root == root && open.address.path == path);
        if let Some((uri, _)) = open {
            return Some(uri.clone());
        }
        uri_of(&super::roots::joined(self.shelves.get(root)?.folder.as_deref()?, path))
    }

    /// Returns every root with its workspace.
    pub fn spaces(&self) -> impl Iterator<Item = (usize, &Workspace)> {
        self.shelves.iter().map(|shelf| &shelf.space).enumerate()
    }

    /// Publishes the diagnostics of one edited document. Returns `false` if no document was edited.
    pub fn tell_next(&mut self) -> bool {
        let Some(uri) = self.dirty.pop_first() else { return false };
        self.tell(&uri);
        true
    }

    /// Returns whether background work is left.
    pub fn is_behind(&self) -> bool {
        !self.dirty.is_empty() || !self.ahead.is_empty() || !self.scenes.is_empty() || !self.examples.is_empty()
    }

    /// Does one step of the background work. Returns `false` if no work is left.
    pub fn work_ahead(&mut self) -> bool {
        if self.tell_next() {
            return true;
        }
        if let Some(address) = self.ahead.pop_first() {
            let space = &self.shelves[address.root].space;
            space.analysis(&address.path);
            if self.open.values().any(|open| open.address == address) {
                self.examples.insert(address.clone());
            }
            self.tell_all(&address);
            return true;
        }
        if let Some(uri) = self.scenes.pop_first() {
            self.tell(&uri);
            return true;
        }
        if let Some(address) = self.examples.pop_first() {
            match self.shelves[address.root].space.look_at_examples(&address.path, AT_ONCE) {
                Looked::Some => drop(self.examples.insert(address)),
                Looked::All => self.tell_all(&address),
                Looked::Before => {}
            }
            return true;
        }
        false
    }

    /// Publishes the diagnostics of all open documents in the root of a ruleset.
    fn tell_all(&mut self, address: &DocumentPath) {
        let open = self.open.iter().filter(|(_, open)| open.address.root == address.root && !is_scene(open));
        let uris: Vec<String> = open.map(|(uri, _)| uri.clone()).collect();
        uris.iter().for_each(|uri| self.tell(uri));
    }

    /// Publishes the diagnostics of a document if they changed.
    fn tell(&mut self, uri: &str) {
        let found = match self.document(uri) {
            Some((space, path, root)) => {
                let others: Vec<String> =
                    space.resting_on(path).into_iter().filter(|other| space.is_fresh(other)).collect();
                let problems = space.problems(path, &others);
                problems.iter().map(|problem| self.diagnostic(space, root, problem)).collect()
            }
            None => Vec::new(),
        };
        let version = self.version(uri);
        if self.rendered.get(uri) == Some(&found) {
            return;
        }
        let params = PublishDiagnosticsParams { uri: uri.to_string(), diagnostics: found.clone(), version };
        self.notify("textDocument/publishDiagnostics", serde_json::to_value(params).unwrap_or_default());
        self.rendered.insert(uri.to_string(), found);
    }

    /// Converts a problem to a diagnostic of the protocol.
    pub fn diagnostic(&self, space: &Workspace, root: usize, problem: &Problem) -> LspDiagnostic {
        let text = space.text(&problem.place.file).unwrap_or_default();
        let found = &problem.found;
        let mut message = found.message.clone();
        for more in [&found.label, &found.help] {
            if !more.is_empty() && !message.contains(more.as_str()) {
                message += &format!("\n{more}");
            }
        }
        let others = problem.others.iter().filter_map(|(place, said)| {
            let text = space.text(&place.file)?;
            let range = Lines::of(&text).range(place.start, place.end);
            let message = if said.is_empty() { "here".to_string() } else { said.clone() };
            let location = Location { uri: self.uri(root, &place.file)?, range };
            Some(DiagnosticRelatedInformation { location, message })
        });
        LspDiagnostic {
            range: Lines::of(&text).range(problem.place.start, problem.place.end),
            severity: match found.severity {
                Severity::Error => DiagnosticSeverity::Error,
                Severity::Warning => DiagnosticSeverity::Warning,
                Severity::Info => DiagnosticSeverity::Hint,
            },
            code: found.code.id().to_string(),
            source: "grognard",
            message,
            related_information: others.collect(),
        }
    }

    /// Returns whether lenses are being computed.
    pub fn is_working(&self) -> bool {
        self.queue.is_working()
    }

    /// Sends the results of finished lenses, and starts the next lens.
    pub fn send_answers(&mut self) {
        for done in self.queue.finished(&mut *self.host) {
            if let Some(shown) = done.shown {
                self.show(3, &shown);
            }
            self.reply(done.response);
        }
    }

    /// Cancels a request that is being processed.
    pub fn cancel(&mut self, id: &RequestId) {
        self.queue.cancel(id, &mut *self.host);
    }
}
