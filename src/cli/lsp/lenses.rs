//! Lenses are answered on a second thread, within a second and a number of positions each. A document whose lens breaks
//! that rests: its lenses say so until its text changes.

use super::convert::Lines;
use super::state::Server;
use crate::base::{Budget, Limit};
use crate::query::{Answer, LensQuestion, LensSort};
use lsp_server::{ErrorCode, RequestId, Response};
use lsp_types::{CodeLens, Command, Range};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

/// The command behind a lens.
pub const RUN: &str = "grognard.run";
/// Positions that a lens may explore.
const STATES: usize = 50_000;
/// Milliseconds that a lens may take, and those that somebody waits for who asked.
const QUICK: u64 = 1_000;
const PATIENT: u64 = 20_000;
/// Bytes of the stack on which odds are worked out.
const STACK: usize = 16 << 20;

/// What the editor keeps of a lens until it wants its answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Data {
    /// The document.
    pub uri: String,
    /// `odds` or `example`.
    pub sort: String,
    /// The test, or the title of the example.
    pub name: String,
}

/// An answer that is ready.
pub struct Done {
    /// It.
    pub response: Response,
    /// What is shown to the designer besides.
    pub shown: Option<String>,
}

/// What waits for the second thread.
struct Job {
    id: RequestId,
    data: Data,
    /// Where the lens stands; none for a command.
    range: Option<Range>,
}

/// The second thread, and what it works on.
#[derive(Default)]
pub struct Worker {
    jobs: Vec<(Job, LensQuestion)>,
    now: Option<(Job, Receiver<Answer>)>,
    /// Answers that were given up, which nobody waits for.
    refused: Vec<RequestId>,
    /// Documents that rest.
    resting: BTreeSet<String>,
}

/// The number of the question that is worked on; a thread that works on another one is to end.
static CURRENT: AtomicU64 = AtomicU64::new(0);
/// When it ends at the latest, in milliseconds from the first question.
static UNTIL: AtomicU64 = AtomicU64::new(0);

fn clock() -> u64 {
    static FIRST: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let first = FIRST.get_or_init(Instant::now);
    u64::try_from(Instant::now().duration_since(*first).as_millis()).unwrap_or(u64::MAX)
}

thread_local! {
    /// The number of the question that this thread works on.
    static MINE: Cell<u64> = const { Cell::new(0) };
}

fn watch(_: &str) -> Option<Limit> {
    if MINE.get() != CURRENT.load(Ordering::Relaxed) {
        return Some(Limit::Stopped);
    }
    (clock() > UNTIL.load(Ordering::Relaxed)).then_some(Limit::Deadline)
}

impl Worker {
    /// True while something is worked on or waits.
    pub fn is_working(&self) -> bool {
        self.now.is_some() || !self.jobs.is_empty() || !self.refused.is_empty()
    }

    /// A text was edited: what is worked out of it is out of date.
    pub fn edited(&mut self, uri: &str) {
        self.resting.remove(uri);
        self.drop_where(|job| job.data.uri == uri);
    }

    /// A request was taken back.
    pub fn cancel(&mut self, id: &RequestId) {
        self.drop_where(|job| job.id == *id);
    }

    fn drop_where(&mut self, which: impl Fn(&Job) -> bool) {
        let refused = &mut self.refused;
        self.jobs.retain(|(job, _)| {
            let gone = which(job);
            if gone {
                refused.push(job.id.clone());
            }
            !gone
        });
        if self.now.as_ref().is_some_and(|(job, _)| which(job)) {
            CURRENT.fetch_add(1, Ordering::Relaxed);
            self.refused.extend(self.now.take().map(|(job, _)| job.id));
        }
    }

    /// Begins the next question, if nothing is worked on.
    fn begin(&mut self) {
        if self.now.is_some() || self.jobs.is_empty() {
            return;
        }
        let (job, question) = self.jobs.remove(0);
        let number = CURRENT.fetch_add(1, Ordering::Relaxed) + 1;
        let most = if job.range.is_some() { QUICK } else { PATIENT };
        UNTIL.store(clock().saturating_add(most), Ordering::Relaxed);
        let states = if job.range.is_some() { STATES } else { Budget::default().states };
        let budget = Budget { watch: Some(watch), ..Budget::of(states) };
        let (send, receive): (Sender<Answer>, Receiver<Answer>) = channel();
        let work = move || {
            MINE.set(number);
            drop(send.send(question.answer(budget)));
        };
        // without a thread there is no answer, which is told of as one that failed
        let _ = std::thread::Builder::new().name("odds".into()).stack_size(STACK).spawn(work);
        self.now = Some((job, receive));
    }

    /// Answers that are ready, and the next question begun.
    pub fn finished(&mut self) -> impl Iterator<Item = Done> {
        let mut done: Vec<Done> = Vec::new();
        for id in self.refused.drain(..) {
            let response = Response::new_err(id, ErrorCode::ContentModified as i32, "the text was edited since".into());
            done.push(Done { response, shown: None });
        }
        if let Some((job, answer)) = &self.now {
            use std::sync::mpsc::TryRecvError;
            let answer = match answer.try_recv() {
                Ok(answer) => Some(answer),
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => {
                    let why = "this could not be worked out".to_string();
                    Some(Answer { title: why.clone(), whole: why, limit: false })
                }
            };
            if let Some(answer) = answer {
                if answer.limit && job.range.is_some() {
                    self.resting.insert(job.data.uri.clone());
                }
                done.push(told(job, &answer));
                self.now = None;
            }
        }
        self.begin();
        done.into_iter()
    }
}

fn told(job: &Job, answer: &Answer) -> Done {
    match job.range {
        Some(range) => {
            let lens = lens(range, &job.data, &answer.title);
            Done { response: Response::new_ok(job.id.clone(), lens), shown: None }
        }
        None => {
            let response = Response::new_ok(job.id.clone(), json!(answer.whole));
            Done { response, shown: Some(answer.whole.clone()) }
        }
    }
}

fn lens(range: Range, data: &Data, title: &str) -> CodeLens {
    let arguments = serde_json::to_value(data).ok().map(|data| vec![data]);
    let command = Command { title: title.to_string(), command: RUN.into(), arguments };
    CodeLens { range, command: Some(command), data: serde_json::to_value(data).ok() }
}

impl Server {
    /// The lenses of a document: `run` is there at once, the answers are asked for one at a time.
    pub fn lenses(&self, uri: &str) -> Vec<CodeLens> {
        let Some((space, path, _)) = self.document(uri) else { return Vec::new() };
        let text = space.text(path).unwrap_or_default();
        let lines = Lines::of(&text);
        let mut all = Vec::new();
        for found in space.lenses(path) {
            let sort = if found.sort == LensSort::Odds { "odds" } else { "example" };
            let data = Data { uri: uri.to_string(), sort: sort.into(), name: found.name.clone() };
            let range = lines.range(found.at.0, found.at.1);
            all.push(CodeLens { range, command: None, data: serde_json::to_value(&data).ok() });
            all.push(lens(range, &data, "run"));
        }
        all
    }

    /// Has a lens answered: on the second thread, unless there is nothing to work out.
    pub fn resolve(&mut self, id: RequestId, found: &CodeLens) -> Option<Response> {
        let data = found.data.clone().and_then(|data| serde_json::from_value::<Data>(data).ok());
        let Some(data) = data else {
            return Some(Response::new_err(id, ErrorCode::InvalidParams as i32, "this is no lens of grognard".into()));
        };
        if self.worker.resting.contains(&data.uri) {
            let title = "rests until the text changes: this takes more than a second";
            return Some(Response::new_ok(id, lens(found.range, &data, title)));
        }
        match self.question(&data) {
            Err(answer) => Some(Response::new_ok(id, lens(found.range, &data, &answer.title))),
            Ok(question) => {
                self.worker.jobs.push((Job { id, data, range: Some(found.range) }, question));
                None
            }
        }
    }

    /// Carries the command of a lens out: the whole answer is shown.
    pub fn run(&mut self, id: RequestId, arguments: &[Value]) -> Option<Response> {
        let data = arguments.first().and_then(|data| serde_json::from_value::<Data>(data.clone()).ok());
        let Some(data) = data else {
            let why = format!("`{RUN}` wants a document and the name of a test or an example");
            return Some(Response::new_err(id, ErrorCode::InvalidParams as i32, why));
        };
        match self.question(&data) {
            Err(answer) => {
                self.show(3, &answer.whole);
                Some(Response::new_ok(id, json!(answer.whole)))
            }
            Ok(question) => {
                self.worker.jobs.insert(0, (Job { id, data, range: None }, question));
                None
            }
        }
    }

    fn question(&self, data: &Data) -> Result<LensQuestion, Answer> {
        let sort = if data.sort == "odds" { LensSort::Odds } else { LensSort::Example };
        let none = || {
            let title = "this text is not open".to_string();
            Answer { title: title.clone(), whole: title, limit: false }
        };
        let (space, path, _) = self.document(&data.uri).ok_or_else(none)?;
        space.lens_question(path, sort, &data.name)
    }
}
