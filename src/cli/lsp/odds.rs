//! A second thread on which lenses are answered, within a time each.

use grognard_base::{Budget, Limit};
use grognard_ide::lsp::budget;
use grognard_ide::query::{LensAnswer, LensQuestion};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Instant;

/// Milliseconds that a lens may take, and those that somebody waits for who asked.
const QUICK_TIME: u64 = 1_000;
const PATIENT_TIME: u64 = 20_000;
/// Bytes of the stack on which odds are worked out.
const STACK: usize = 16 << 20;

/// The second thread, and what it works on.
#[derive(Default)]
pub struct OddsThread {
    now: Option<Receiver<LensAnswer>>,
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

impl OddsThread {
    /// Begins a question.
    pub fn begin(&mut self, question: LensQuestion, patient: bool) {
        let number = CURRENT.fetch_add(1, Ordering::Relaxed) + 1;
        let most = if patient { PATIENT_TIME } else { QUICK_TIME };
        UNTIL.store(clock().saturating_add(most), Ordering::Relaxed);
        let budget = Budget { watch: Some(watch), ..budget(patient) };
        let (send, receive): (Sender<LensAnswer>, Receiver<LensAnswer>) = channel();
        let work = move || {
            MINE.set(number);
            drop(send.send(question.answer(budget)));
        };
        // without a thread there is no answer, which is told of as one that failed
        let _ = std::thread::Builder::new().name("odds".into()).stack_size(STACK).spawn(work);
        self.now = Some(receive);
    }

    /// The answer, once it is there.
    pub fn finished(&mut self) -> Option<LensAnswer> {
        let answer = match self.now.as_ref()?.try_recv() {
            Ok(answer) => answer,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => {
                let why = "this could not be worked out".to_string();
                LensAnswer { title: why.clone(), whole: why, limit: false }
            }
        };
        self.now = None;
        Some(answer)
    }

    /// Nobody wants the answer any more.
    pub fn stop(&mut self) {
        CURRENT.fetch_add(1, Ordering::Relaxed);
        self.now = None;
    }
}
