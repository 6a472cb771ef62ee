//! The engine of the studio: JSON-RPC 2.0 messages in, messages out, over texts that are in no file. It holds the language
//! server and answers the requests of `docs/studio.md` beside it. It has no file, thread or clock: whoever owns it calls
//! [`Engine::work`] while [`Engine::busy`], and hears messages in between (cooperative scheduling in slices).

mod compare;
mod odds;
mod outlook;
mod play;
mod requests;
mod scenes;
mod table;
mod tests;
mod texts;
#[cfg(target_arch = "wasm32")]
mod wasm;

use crate::lsp::{Host, Next, Server, Service, abilities};
use crate::query::{Analysis, Answer, LensQuestion, Workspace};
use grognard_base::OrdMap;
use grognard_base::order;
use grognard_base::slices::{Coroutine, slice, yield_now};
use grognard_program::{Built, Detail};
use grognard_rules::Library;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use texts::{Below, Texts};

/// What begins the name of a request that no editor has.
const OWN: &str = "grognard/";

/// Steps of a message to the language server that brings no slice of its own.
const MOST_MESSAGES: usize = 1_000;

/// An answer, now or later, with its parts until then.
enum Reply {
    Now(Value),
    Later(Parts, Coroutine<Result<Value, String>>),
}

impl Reply {
    /// What is worked on in slices, and tells parts of its answer.
    fn later<F>(work: impl FnOnce(Parts) -> F) -> Reply
    where
        F: Future<Output = Result<Value, String>> + 'static,
    {
        let parts = Parts::default();
        Reply::Later(parts.clone(), Box::pin(work(parts)))
    }
}

/// Parts of an answer that wait to be sent.
#[derive(Clone, Default)]
struct Parts(Rc<RefCell<Vec<Value>>>);

impl Parts {
    fn tell(&self, part: Value) {
        self.0.borrow_mut().push(part);
    }
}

struct Running {
    id: RequestId,
    revision: Value,
    parts: Parts,
    work: Coroutine<Result<Value, String>>,
}

/// The rules of a path, compiled, as long as nothing they rest on changes.
struct Compiled {
    of: Rc<Analysis>,
    built: Rc<Built>,
}

/// By path, and whether it is known what ran.
type Programs = Rc<RefCell<OrdMap<(String, bool), Compiled>>>;

/// Rules that are compiled in a slice of their own, if nobody did so before.
struct Unbuilt {
    of: Rc<Analysis>,
    key: (String, bool),
    compiled: Programs,
}

impl Unbuilt {
    async fn build(self) -> Rc<Built> {
        let Unbuilt { of, key, compiled } = self;
        let known =
            compiled.borrow().get(&key).filter(|known| Rc::ptr_eq(&known.of, &of)).map(|known| known.built.clone());
        if let Some(built) = known {
            return built;
        }
        yield_now().await;
        let detail = if key.1 { Detail::Covered } else { Detail::Plain };
        let built = Rc::new(Built::in_slices((*of.rules).clone(), detail).await);
        compiled.borrow_mut().insert(key, Compiled { of, built: built.clone() });
        yield_now().await;
        built
    }
}

/// An engine.
pub struct Engine {
    texts: Rc<Texts>,
    service: Service,
    jobs: VecDeque<Running>,
    compiled: Programs,
    /// The run that was played last.
    play: Option<play::Kept>,
}

impl Engine {
    /// An engine with the books that are shipped in the program.
    pub fn new(books: &'static [(&'static str, &'static str)]) -> Engine {
        let texts = Rc::new(Texts::new(books));
        let around = Around { texts: texts.clone(), question: None };
        let service = Service::new(Server::new(Box::new(around), &Value::Null));
        Engine { texts, service, jobs: VecDeque::new(), compiled: Programs::default(), play: None }
    }

    /// Takes a message in, and gives those that come back at once.
    pub fn send(&mut self, message: &str) -> Vec<String> {
        let message = match serde_json::from_str::<Message>(message) {
            Ok(message) => message,
            Err(why) => {
                let error = json!({ "code": -32700, "message": why.to_string() });
                return vec![json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string()];
            }
        };
        match message {
            Message::Request(request) if request.method == "initialize" => {
                let info = json!({ "name": "grognard", "version": env!("CARGO_PKG_VERSION") });
                let answer = json!({ "capabilities": abilities(), "serverInfo": info });
                self.service.server.reply(Response::new_ok(request.id, answer));
            }
            Message::Request(request) if request.method.starts_with(OWN) && request.method != "grognard/settle" => {
                self.own(request);
            }
            Message::Notification(note) if note.method == "$/cancelRequest" => self.cancel(note),
            message => self.language(message),
        }
        self.messages()
    }

    /// Works so many slices of what is asked; gives messages that came of it.
    pub fn work(&mut self, slices: u32) -> Vec<String> {
        for _ in 0..slices {
            if !self.slice() {
                break;
            }
        }
        self.messages()
    }

    /// True while there is work.
    pub fn busy(&self) -> bool {
        !self.jobs.is_empty() || self.service.server.is_working() || self.service.server.is_behind()
    }

    fn slice(&mut self) -> bool {
        let server = &mut self.service.server;
        server.send_answers();
        if server.tell_next() {
            return true;
        }
        let Some(mut running) = self.jobs.pop_front() else { return server.work_ahead() || server.is_working() };
        let done = slice(&mut running.work);
        for part in running.parts.0.take() {
            let params = json!({ "id": running.id, "revision": running.revision, "part": part });
            server.notify("grognard/progress", params);
        }
        match done {
            // the questions take turns
            None => self.jobs.push_back(running),
            Some(answer) => self.answer(running.id, running.revision, answer),
        }
        true
    }

    /// The messages that wait to be sent, as JSON.
    fn messages(&mut self) -> Vec<String> {
        let told = |message: Message| {
            let mut value = serde_json::to_value(message).unwrap_or_default();
            if let Some(object) = value.as_object_mut() {
                object.insert("jsonrpc".into(), json!("2.0"));
            }
            value.to_string()
        };
        self.service.server.take_messages().into_iter().map(told).collect()
    }

    fn cancel(&mut self, note: Notification) {
        let id = note.params.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
        match self.jobs.iter().position(|running| Some(&running.id) == id.as_ref()) {
            Some(at) => {
                if let Some(running) = self.jobs.remove(at) {
                    self.refuse(running.id, ErrorCode::RequestCanceled, "it was taken back");
                }
            }
            None => self.language(Message::Notification(note)),
        }
    }

    fn refuse(&mut self, id: RequestId, code: ErrorCode, why: &str) {
        self.service.server.reply(Response::new_err(id, code as i32, why.to_string()));
    }

    /// A message that editors send too.
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

    /// A document was opened, edited or closed: who asks for its text hears the one on the screen.
    fn follow(&mut self, uri: &str) {
        let Some(path) = uri.strip_prefix("file:///") else { return };
        let text = self.service.server.document(uri).and_then(|(space, path, _)| space.text(path));
        if self.texts.show(path, text) {
            self.outdate();
        }
    }

    /// Texts have changed: what was asked of the ones before is not worked on any more.
    fn outdate(&mut self) {
        for running in std::mem::take(&mut self.jobs) {
            self.refuse(running.id, ErrorCode::ContentModified, "the text was edited since");
        }
    }

    /// A request of the studio.
    fn own(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let revision = params.get("revision").cloned().unwrap_or_default();
        match requests::ask(self, method.strip_prefix(OWN).unwrap_or_default(), params) {
            Some(Ok(Reply::Now(value))) => self.answer(id, revision, Ok(value)),
            Some(Ok(Reply::Later(parts, work))) => self.jobs.push_back(Running { id, revision, parts, work }),
            Some(Err(why)) => self.answer(id, revision, Err(why)),
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

    /// What is known of the rules at a path.
    fn analysis(&mut self, path: &str) -> Rc<Analysis> {
        self.service.server.space(Path::new("/")).analysis(path)
    }

    /// The rules at a path, to be compiled; why not, if they cannot be.
    fn unbuilt(&mut self, path: &str, covered: bool) -> Result<Unbuilt, String> {
        let of = filled_in(self.service.server.space(Path::new("/")), path)?;
        Ok(Unbuilt { of, key: (path.to_string(), covered), compiled: self.compiled.clone() })
    }
}

/// A ruleset in which nothing is open: the one at a path, else one that rests on it.
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
    // an edition comes before a variant
    order::sort_by_key(&mut fit, |one| (one.rules.variant, one.rules.chain.len()));
    fit.into_iter().next().ok_or_else(|| format!("{what} is left open here; ask a ruleset that fills it in"))
}

/// What is around the language server: texts, and one lens at a time that is worked out when it is looked at.
struct Around {
    texts: Rc<Texts>,
    question: Option<Coroutine<Answer>>,
}

impl Host for Around {
    fn texts_below(&mut self, folder: &Path) -> Rc<dyn Library> {
        Rc::new(Below::of(self.texts.clone(), folder))
    }

    fn begin(&mut self, question: LensQuestion, _patient: bool) {
        self.question = Some(Box::pin(question.answer(odds::budget())));
    }

    fn finished(&mut self) -> Option<Answer> {
        let answer = slice(self.question.as_mut()?)?;
        self.question = None;
        Some(answer)
    }

    fn stop(&mut self) {
        self.question = None;
    }

    fn canonical(&self, path: PathBuf) -> PathBuf {
        path
    }
}
