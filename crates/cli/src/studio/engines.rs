//! The engines of the open pages. Each page has one engine for quick questions and others for long ones, each on its own thread.
//! All of them receive every change of a text. A canceled question is interrupted by a flag that the watch of its engine reads.

use super::super::shipped;
use grognard_base::{Limit, OrdMap, Watch};
use grognard_ide::studio::{Engine, is_long};
use lsp_server::{ErrorCode, Message, RequestId};
use serde_json::json;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SendError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Stack size of an engine, in bytes.
const STACK: usize = 16 << 20;
/// Maximum number of open pages.
const MOST: usize = 16;
/// Engines of a page for long questions: one for the margin and one for a view.
const LONG: usize = 2;
/// Maximum number of messages that are kept for a page without a listener.
const KEPT: usize = 1_000;

/// The engines by the name of their page.
#[derive(Default)]
pub struct Engines(Mutex<OrdMap<String, Arc<Page>>>);

impl Engines {
    /// Returns the engines of a page, or creates them. If there are too many pages, the first one is dropped.
    fn of(&self, name: &str) -> Option<Arc<Page>> {
        let mut all = locked(&self.0);
        if let Some(known) = all.get(name) {
            return Some(known.clone());
        }
        if all.len() >= MOST {
            all.pop_first();
        }
        let page = Arc::new(Page::new()?);
        all.insert(name.to_string(), page.clone());
        Some(page)
    }

    /// Sends a message to the engines of a page, and returns the messages that they return immediately.
    pub fn send(&self, name: &str, message: String) -> Option<Vec<String>> {
        let answer = self.of(name)?.send(message);
        if answer.is_none() {
            // its thread failed: the next message starts another one
            locked(&self.0).remove(name);
        }
        answer
    }

    /// Returns the channel of all messages that the engines of a page send later. It replaces an earlier channel.
    pub fn listen(&self, name: &str) -> Option<Receiver<String>> {
        let (send, receive) = channel();
        let page = self.of(name)?;
        let mut shared = locked(&page.shared);
        shared.listener = Some(send);
        shared.deliver();
        Some(receive)
    }
}

/// A message for the quick engine, and the channel for its immediate answers.
type Quick = (String, Sender<Vec<String>>);

/// A message for an engine of long questions.
enum Job {
    /// A text changed.
    Text(String),
    /// A question, and whether it was canceled.
    Question(String, RequestId, Arc<AtomicBool>),
}

/// The engines of one page.
struct Page {
    quick: Sender<Quick>,
    long: Vec<Sender<Job>>,
    shared: Arc<Mutex<Shared>>,
}

/// The data that the threads of a page share.
#[derive(Default)]
struct Shared {
    listener: Option<Sender<String>>,
    /// Messages that no listener received yet.
    kept: VecDeque<String>,
    /// Long questions that are not answered yet.
    asked: Vec<AskedEngine>,
}

struct AskedEngine {
    id: RequestId,
    /// The engine that answers it.
    engine: usize,
    unwanted: Arc<AtomicBool>,
}

impl Shared {
    fn tell(&mut self, message: String) {
        self.kept.push_back(message);
        self.deliver();
    }

    fn deliver(&mut self) {
        while let Some(open) = &self.listener
            && let Some(message) = self.kept.pop_front()
        {
            if let Err(SendError(unsent)) = open.send(message) {
                self.kept.push_front(unsent);
                self.listener = None;
            }
        }
        // a page that does not listen needs no messages
        self.kept.truncate(KEPT);
    }

    fn refuse(&mut self, id: &RequestId, code: ErrorCode, why: &str) {
        let error = json!({ "code": code as i32, "message": why });
        self.tell(json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string());
    }

    /// Interrupts long questions, and answers them with an error. Returns whether there were any.
    fn interrupt(&mut self, which: impl Fn(&RequestId) -> bool, code: ErrorCode, why: &str) -> bool {
        let (gone, left) = std::mem::take(&mut self.asked).into_iter().partition(|asked| which(&asked.id));
        self.asked = left;
        let gone: Vec<AskedEngine> = gone;
        for asked in &gone {
            asked.unwanted.store(true, Ordering::Relaxed);
            self.refuse(&asked.id, code, why);
        }
        !gone.is_empty()
    }
}

impl Page {
    fn new() -> Option<Page> {
        let shared = Arc::new(Mutex::default());
        let (quick, heard) = channel();
        spawn("engine", &shared, move |shared| serve(&heard, shared))?;
        let long = |_| {
            let (send, jobs) = channel();
            spawn("questions", &shared, move |shared| answer(&jobs, shared))?;
            Some(send)
        };
        let long: Option<Vec<Sender<Job>>> = (0..LONG).map(long).collect();
        Some(Page { quick, long: long?, shared })
    }

    /// Handles a message and returns the immediate answers, or `None` if the quick engine is gone.
    fn send(&self, message: String) -> Option<Vec<String>> {
        match serde_json::from_str::<Message>(&message) {
            Ok(Message::Request(request)) if is_long(&request.method) => {
                self.ask(request.id, message);
                return Some(Vec::new());
            }
            Ok(Message::Notification(note)) if note.method == "$/cancelRequest" => {
                let id = note.params.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
                let which = |own: &RequestId| Some(own) == id.as_ref();
                if locked(&self.shared).interrupt(which, ErrorCode::RequestCanceled, "the request was canceled") {
                    return Some(Vec::new());
                }
            }
            Ok(Message::Request(request)) if request.method == "grognard/put" => self.change(&message, true),
            Ok(Message::Notification(note)) if note.method.starts_with("textDocument/did") => {
                // opening or closing a text does not change it
                self.change(&message, note.method == "textDocument/didChange");
            }
            _ => {}
        }
        let (send, receive) = channel();
        self.quick.send((message, send)).ok()?;
        receive.recv().ok()
    }

    /// Sends a long question to the engine with the fewest questions.
    fn ask(&self, id: RequestId, message: String) {
        let mut shared = locked(&self.shared);
        let waiting = |n: &usize| shared.asked.iter().filter(|asked| asked.engine == *n).count();
        let engine = (0..self.long.len()).min_by_key(waiting).unwrap_or_default();
        let unwanted = Arc::new(AtomicBool::new(false));
        shared.asked.push(AskedEngine { id: id.clone(), engine, unwanted: unwanted.clone() });
        // an engine ends only with its page
        let _ = self.long[engine].send(Job::Question(message, id, unwanted));
    }

    /// Sends a changed text to the engines, and interrupts questions about the old one.
    fn change(&self, message: &str, outdates: bool) {
        if outdates {
            locked(&self.shared).interrupt(|_| true, ErrorCode::ContentModified, "the text was edited since");
        }
        self.long.iter().for_each(|engine| drop(engine.send(Job::Text(message.to_string()))));
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        locked(&self.shared).interrupt(|_| true, ErrorCode::ServerCancelled, "the page is gone");
    }
}

fn spawn(name: &str, shared: &Arc<Mutex<Shared>>, work: impl FnOnce(&Mutex<Shared>) + Send + 'static) -> Option<()> {
    let shared = shared.clone();
    std::thread::Builder::new().name(name.into()).stack_size(STACK).spawn(move || work(&shared)).ok().map(drop)
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the quick engine until its channel is closed.
fn serve(heard: &Receiver<Quick>, shared: &Mutex<Shared>) {
    let mut engine = Engine::new(shipped::all(), None);
    let mut more = false;
    loop {
        let next = match more {
            true => match heard.try_recv() {
                Ok(next) => Some(next),
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => return,
            },
            false => match heard.recv() {
                Ok(next) => Some(next),
                Err(_) => return,
            },
        };
        match next {
            Some((message, answer)) => {
                let mut rendered = Vec::new();
                engine.send(&message, &mut |message| rendered.push(message));
                drop(answer.send(rendered));
                more = true;
            }
            None => more = engine.work(&mut |message| locked(shared).tell(message)),
        }
    }
}

thread_local! {
    /// Whether the question of this thread was canceled.
    static UNWANTED: RefCell<Arc<AtomicBool>> = RefCell::default();
}

fn watch(_: &str) -> Option<Limit> {
    UNWANTED.with_borrow(|unwanted| unwanted.load(Ordering::Relaxed)).then_some(Limit::Stopped)
}

/// Runs an engine for long questions until its channel is closed.
fn answer(jobs: &Receiver<Job>, shared: &Mutex<Shared>) {
    let mut engine = Engine::new(shipped::all(), Some(Watch::new(watch)));
    for job in jobs {
        match job {
            Job::Text(message) => engine.send(&message, &mut |_| ()),
            Job::Question(_, _, unwanted) if unwanted.load(Ordering::Relaxed) => {}
            Job::Question(message, id, unwanted) => {
                UNWANTED.set(unwanted.clone());
                let mut tell = |message: String| {
                    let mut shared = locked(shared);
                    // an interrupted question already has an error as its answer
                    if !unwanted.load(Ordering::Relaxed) {
                        shared.tell(message);
                    }
                };
                // the failure of one answer does not end the engine
                let done = catch_unwind(AssertUnwindSafe(|| engine.send(&message, &mut tell)));
                let mut shared = locked(shared);
                shared.asked.retain(|asked| asked.id != id);
                if done.is_err() && !unwanted.load(Ordering::Relaxed) {
                    shared.refuse(&id, ErrorCode::InternalError, "this answer failed; the other questions continue");
                }
            }
        }
    }
}
