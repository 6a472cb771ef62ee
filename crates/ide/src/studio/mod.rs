//! The engine of the studio: JSON-RPC 2.0 messages in, messages out, over texts in memory. It contains the language server and
//! also answers the requests of `docs/studio-engine.md`. It has no files, threads or clock, and answers one message at a time. A host
//! that must stay responsive during a long computation uses a second engine for requests that are [`is_long`], and terminates or
//! interrupts that engine.

mod compare;
pub mod copies;
mod dice;
mod odds;
mod outlook;
mod play;
mod requests;
mod scenes;
mod story;
mod table;
mod tests;
mod texts;
mod units;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use requests::is_long;

use crate::lsp::{Host, Next, Server, Service, abilities};
use crate::query::{Analysis, LensAnswer, LensQuestion, Workspace};
use grognard_base::{OrdMap, Watch, order};
use grognard_program::{Built, Detail};
use grognard_rules::Library;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use texts::{Below, Texts};

/// The prefix of the requests of the studio.
const OWN: &str = "grognard/";

/// Maximum number of queued messages that are handled after one message to the language server.
const MOST_MESSAGES: usize = 1_000;

/// The sender of a request. It receives partial results, and can interrupt the computation through `watch`.
struct Asker<'a> {
    tell: &'a mut dyn FnMut(Value),
    watch: Option<Watch>,
}

impl Asker<'_> {
    fn tell(&mut self, part: Value) {
        (self.tell)(part);
    }

    /// Returns an error if the request was interrupted. The error is not sent to the page.
    fn still(&self) -> Result<(), String> {
        match self.watch.as_ref().and_then(|watch| watch.look("")) {
            Some(_) => Err("the answer is not wanted any more".into()),
            None => Ok(()),
        }
    }
}

/// The compiled rules of a path. Valid until a text that they depend on changes.
struct Compiled {
    of: Rc<Analysis>,
    built: Rc<Built>,
}

/// An engine with its texts and its language server.
pub struct Engine {
    texts: Rc<Texts>,
    service: Service,
    /// The compiled rules, by path and by whether they record coverage.
    compiled: OrdMap<(String, bool), Compiled>,
    /// The last run that was played.
    play: Option<play::Kept>,
    watch: Option<Watch>,
}

impl Engine {
    /// Creates an engine with the built-in books. `watch` can interrupt a computation.
    pub fn new(books: &'static [(&'static str, &'static str)], watch: Option<Watch>) -> Engine {
        let texts = Rc::new(Texts::new(books));
        let around = Around { texts: texts.clone(), question: None };
        let able = json!({ "capabilities": { "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } } });
        let service = Service::new(Server::new(Box::new(around), &able));
        Engine { texts, service, compiled: OrdMap::new(), play: None, watch }
    }

    /// Handles a message. `tell` receives every resulting message, including partial results.
    pub fn send(&mut self, message: &str, tell: &mut dyn FnMut(String)) {
        match serde_json::from_str::<Message>(message) {
            Err(why) => {
                let error = json!({ "code": -32700, "message": why.to_string() });
                tell(json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string());
            }
            Ok(Message::Request(request)) if request.method == "initialize" => {
                let info = json!({ "name": "grognard", "version": env!("CARGO_PKG_VERSION") });
                let answer = json!({ "capabilities": abilities(), "serverInfo": info });
                self.service.server.reply(Response::new_ok(request.id, answer));
            }
            Ok(Message::Request(request)) if request.method.starts_with(OWN) && request.method != "grognard/settle" => {
                self.own(request, tell);
            }
            Ok(message) => self.language(message),
        }
        self.flush(tell);
    }

    /// Does one step of background work, such as checking edited texts. Returns whether any is left.
    pub fn work(&mut self, tell: &mut dyn FnMut(String)) -> bool {
        let server = &mut self.service.server;
        server.send_answers();
        server.work_ahead();
        let more = server.is_working() || server.is_behind();
        self.flush(tell);
        more
    }

    /// Passes the queued messages to `tell`.
    fn flush(&mut self, tell: &mut dyn FnMut(String)) {
        self.service.server.take_messages().into_iter().for_each(|message| tell(text_of(message)));
    }

    fn refuse(&mut self, id: RequestId, code: ErrorCode, why: &str) {
        self.service.server.reply(Response::new_err(id, code as i32, why.to_string()));
    }

    /// Handles a message of the language server protocol.
    fn language(&mut self, message: Message) {
        let edited = match &message {
            Message::Notification(note) if note.method.starts_with("textDocument/did") => {
                note.params.pointer("/textDocument/uri").and_then(Value::as_str).map(str::to_string)
            }
            _ => None,
        };
        self.service.take(message);
        for _ in 0..MOST_MESSAGES {
            if matches!(self.service.answer_next(), Next::Idle | Next::Exit) {
                break;
            }
        }
        if let Some(uri) = edited {
            self.follow(&uri);
        }
    }

    /// Updates the current text after a document was opened, edited or closed.
    fn follow(&mut self, uri: &str) {
        let Some(path) = uri.strip_prefix("file:///") else { return };
        let text = self.service.server.document(uri).and_then(|(space, path, _)| space.text(path));
        self.texts.show(path, text);
    }

    /// Handles a request of the studio.
    fn own(&mut self, request: Request, tell: &mut dyn FnMut(String)) {
        let Request { id, method, params } = request;
        let revision = params.get("revision").cloned().unwrap_or_default();
        let mut part = |part: Value| {
            let params = json!({ "id": id, "revision": revision, "part": part });
            tell(text_of(Message::Notification(Notification { method: "grognard/progress".into(), params })));
        };
        let mut asker = Asker { tell: &mut part, watch: self.watch.clone() };
        match requests::ask(self, method.strip_prefix(OWN).unwrap_or_default(), params, &mut asker) {
            Some(answer) => self.answer(id, revision, answer),
            None => self.refuse(id, ErrorCode::MethodNotFound, &format!("`{method}` is not known")),
        }
    }

    fn answer(&mut self, id: RequestId, revision: Value, answer: Result<Value, String>) {
        match answer {
            Ok(mut value) => {
                if let (Some(object), false) = (value.as_object_mut(), revision.is_null()) {
                    object.insert("revision".into(), revision);
                }
                self.service.server.reply(Response::new_ok(id, value));
            }
            Err(why) => self.refuse(id, ErrorCode::RequestFailed, &why),
        }
    }

    /// Returns the analysis of the rules at a path.
    fn analysis(&mut self, path: &str) -> Rc<Analysis> {
        self.service.server.space(Path::new("/")).analysis(path)
    }

    /// Returns the rules at a path, or a ruleset that extends them and has no open items.
    ///
    /// # Errors
    ///
    /// Returns a message if the rules have errors or no ruleset fills in their open items.
    fn filled_in(&mut self, path: &str) -> Result<Rc<Analysis>, String> {
        filled_in(self.service.server.space(Path::new("/")), path)
    }

    /// Returns the compiled rules, with or without coverage. The result is cached.
    fn built(&mut self, of: &Rc<Analysis>, path: &str, detail: Detail) -> Rc<Built> {
        let key = (path.to_string(), detail == Detail::Covered);
        if let Some(known) = self.compiled.get(&key).filter(|known| Rc::ptr_eq(&known.of, of)) {
            return known.built.clone();
        }
        let built = Rc::new(Built::new((*of.rules).clone(), detail));
        self.compiled.insert(key, Compiled { of: of.clone(), built: built.clone() });
        built
    }
}

/// Serializes a message as JSON.
fn text_of(message: Message) -> String {
    let mut value = serde_json::to_value(message).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("jsonrpc".into(), json!("2.0"));
    }
    value.to_string()
}

/// Returns the ruleset at a path, or a ruleset that extends it and has no open items.
///
/// # Errors
///
/// Returns a message if the rules have errors or no ruleset fills in their open items.
fn filled_in(space: &Workspace, path: &str) -> Result<Rc<Analysis>, String> {
    let of = space.analysis(path);
    if !of.sound {
        return Err("the rules have errors".into());
    }
    let Some(open) = of.rules.open.first() else { return Ok(of) };
    let what = of.rules.items.get(open.at()).map_or_else(String::new, |item| item.name.clone());
    let above = space.resting_on(path).into_iter().skip(1).map(|other| space.analysis(&other));
    let closed = |one: &Rc<Analysis>| one.sound && one.rules.open.is_empty();
    let mut fit = above.filter(closed).collect::<Vec<_>>();
    // Editions have precedence over variants.
    order::sort_by_key(&mut fit, |one| (one.rules.variant, one.rules.chain.len()));
    fit.into_iter().next().ok_or_else(|| format!("{what} is left open here; use a ruleset that defines it"))
}

/// The environment of the language server: the texts, and one lens, which is computed when its result is requested.
struct Around {
    texts: Rc<Texts>,
    question: Option<LensQuestion>,
}

impl Host for Around {
    fn text(&self, path: &Path) -> Option<String> {
        self.texts.get(path.to_str()?.trim_start_matches('/'))
    }

    fn texts_below(&mut self, folder: &Path) -> Rc<dyn Library> {
        Rc::new(Below::of(self.texts.clone(), folder))
    }

    fn begin(&mut self, question: LensQuestion, _patient: bool) {
        self.question = Some(question);
    }

    fn finished(&mut self) -> Option<LensAnswer> {
        Some(self.question.take()?.answer(odds::budget(None)))
    }

    fn stop(&mut self) {
        self.question = None;
    }

    fn canonical(&self, path: PathBuf) -> PathBuf {
        path
    }
}
