//! A second thread that computes code lenses, each with a time limit.

use grognard_base::{Budget, Limit, Watch};
use grognard_ide::lsp::budget;
use grognard_ide::query::{LensAnswer, LensQuestion};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Instant;

/// Time limit of a lens, and of a lens that the user requested, in milliseconds.
const QUICK_TIME: u64 = 1_000;
const PATIENT_TIME: u64 = 20_000;
/// Stack size for odds, in bytes.
const STACK: usize = 16 << 20;

/// The second thread and its current question.
#[derive(Default)]
pub struct OddsThread {
    now: Option<Receiver<LensAnswer>>,
}

/// The number of the current question. A thread with another question ends.
static CURRENT: AtomicU64 = AtomicU64::new(0);
/// Deadline of the current question, in milliseconds from the first question.
static UNTIL: AtomicU64 = AtomicU64::new(0);

fn clock() -> u64 {
    static FIRST: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let first = FIRST.get_or_init(Instant::now);
    u64::try_from(Instant::now().duration_since(*first).as_millis()).unwrap_or(u64::MAX)
}

thread_local! {
    /// The number of the question of this thread.
    static MINE: Cell<u64> = const { Cell::new(0) };
}

fn watch(_: &str) -> Option<Limit> {
    if MINE.get() != CURRENT.load(Ordering::Relaxed) {
        return Some(Limit::Stopped);
    }
    (clock() > UNTIL.load(Ordering::Relaxed)).then_some(Limit::Deadline)
}

impl OddsThread {
    pub fn begin(&mut self, question: LensQuestion, patient: bool) {
        let number = CURRENT.fetch_add(1, Ordering::Relaxed) + 1;
        let most = if patient { PATIENT_TIME } else { QUICK_TIME };
        UNTIL.store(clock().saturating_add(most), Ordering::Relaxed);
        let budget = Budget { watch: Some(Watch::new(watch)), ..budget(patient) };
        let (send, receive): (Sender<LensAnswer>, Receiver<LensAnswer>) = channel();
        let work = move || {
            MINE.set(number);
            drop(send.send(question.answer(budget)));
        };
        // without a thread there is no answer, which is reported as a failure
        let _ = std::thread::Builder::new().name("odds".into()).stack_size(STACK).spawn(work);
        self.now = Some(receive);
    }

    /// Returns the answer, or `None` if it is not finished.
    pub fn finished(&mut self) -> Option<LensAnswer> {
        let answer = match self.now.as_ref()?.try_recv() {
            Ok(answer) => answer,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => {
                let why = "this could not be computed".to_string();
                LensAnswer { title: why.clone(), whole: why, limit: false }
            }
        };
        self.now = None;
        Some(answer)
    }

    pub fn stop(&mut self) {
        CURRENT.fetch_add(1, Ordering::Relaxed);
        self.now = None;
    }
}
