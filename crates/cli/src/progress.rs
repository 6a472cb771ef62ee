//! Long-running work: a progress bar on a terminal, and Ctrl-C, which ends it with the result so far. Exact work also shows its
//! progress, and ends at a deadline.

use super::out::{Stop, quiet};
use grognard_base::Limit;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::RefCell;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Whether Ctrl-C was pressed.
static PRESSED: AtomicBool = AtomicBool::new(false);
/// Whether the program waits for a line of input. No work can stop then.
static WAITS: AtomicBool = AtomicBool::new(false);
/// The result of the installation of the handler.
static LISTENS: OnceLock<Result<(), String>> = OnceLock::new();

/// The conventional exit code of a program that Ctrl-C ends at once.
const ENDED: i32 = 130;

/// Long-running work with a known count.
pub struct Progress {
    bar: ProgressBar,
    what: String,
    /// Without a terminal: the start, and the time of the last message.
    lines: Option<Mutex<(Instant, Instant)>>,
}

impl Progress {
    /// Starts work of `runs` runs. From here on, Ctrl-C stops the work, and a second Ctrl-C ends the program.
    pub fn begin(runs: u64) -> Result<Progress, Stop> {
        Progress::of(runs, "runs")
    }

    /// Starts work of `count` units. Exact work in the meantime shows its progress after the bar.
    pub fn of(count: u64, what: &str) -> Result<Progress, Stop> {
        listen()?;
        let target = if quiet() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(count), target);
        let form = format!("{{wide_bar}} {{human_pos}} of {{human_len}} {what}, {{per_sec}}, {{eta}} left {{msg}}");
        *locked(&SHOWN) = Some(bar.clone());
        bar.set_style(ProgressStyle::with_template(&form).unwrap_or_else(|_| ProgressStyle::default_bar()));
        let now = Instant::now();
        let lines = (!quiet() && !std::io::stderr().is_terminal()).then(|| Mutex::new((now, now)));
        Ok(Progress { bar, what: what.to_string(), lines })
    }

    /// Counts finished runs. Returns `false` if the work must stop.
    pub fn more(&self, runs: u64) -> bool {
        self.bar.inc(runs);
        if let Some(lines) = &self.lines {
            let (began, said) = &mut *locked(lines);
            if said.elapsed() > RARELY {
                *said = Instant::now();
                let (done, all) = (self.bar.position(), self.bar.length().unwrap_or_default());
                anstream::eprintln!("{} s: {done} of {all} {}", began.elapsed().as_secs(), self.what);
            }
        }
        !PRESSED.load(Ordering::Relaxed)
    }

    /// Returns whether Ctrl-C was pressed.
    pub fn pressed() -> bool {
        PRESSED.load(Ordering::Relaxed)
    }

    /// Resets Ctrl-C, so that other work can start.
    pub fn forget() {
        PRESSED.store(false, Ordering::Relaxed);
    }
}

/// Sets whether the program waits for a line of input. Ctrl-C ends the program at once then.
pub fn waits(waits: bool) {
    WAITS.store(waits, Ordering::Relaxed);
}

/// Installs the handler. From here on, Ctrl-C stops the work, and a second Ctrl-C ends the program.
pub fn listen() -> Result<(), Stop> {
    let listens = LISTENS.get_or_init(|| {
        let press = || {
            if PRESSED.swap(true, Ordering::Relaxed) || WAITS.load(Ordering::Relaxed) {
                std::process::exit(ENDED);
            }
        };
        ctrlc::set_handler(press).map_err(|why| why.to_string())
    });
    listens.clone().map_err(|why| Stop::failed(format!("the handler for Ctrl-C cannot be installed: {why}")))
}

/// Running exact work: the start of all of it, the start and the deadline of this question, and the time of the last message.
struct Clock {
    since: Instant,
    began: Instant,
    until: Option<Instant>,
    rendered: Instant,
}

thread_local! {
    /// The exact work of this thread. Several threads can each have a question.
    static CLOCK: RefCell<Option<Clock>> = const { RefCell::new(None) };
}
/// The bar on the terminal.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shorter work has no progress display.
const SHORT: Duration = Duration::from_secs(1);
/// The time between two messages, with a terminal and without.
const OFTEN: Duration = Duration::from_millis(200);
const RARELY: Duration = Duration::from_secs(20);

/// Running exact work. It ends when this value is dropped.
pub struct Work {
    seconds: Option<u64>,
    /// Whether a bar of longer work is on the terminal.
    inside: bool,
}

impl Work {
    /// Starts exact work. It ends after `seconds`, if given, or at Ctrl-C.
    pub fn begin(seconds: Option<u64>) -> Result<Work, Stop> {
        listen()?;
        let work = Work { seconds, inside: locked(&SHOWN).is_some() };
        work.again();
        Ok(work)
    }

    pub fn again(&self) {
        let began = Instant::now();
        let until = self.seconds.and_then(|s| began.checked_add(Duration::from_secs(s)));
        CLOCK.with_borrow_mut(|clock| {
            // the time of the messages continues: several questions are one piece of work
            let (since, rendered) = clock.as_ref().map_or((began, began), |clock| (clock.since, clock.rendered));
            *clock = Some(Clock { since, began, until, rendered });
        });
    }
}

/// Ends the progress display.
impl Drop for Work {
    fn drop(&mut self) {
        CLOCK.set(None);
        let mut shown = locked(&SHOWN);
        match &*shown {
            Some(bar) if self.inside => bar.set_message(""),
            Some(bar) => bar.finish_and_clear(),
            None => {}
        }
        if !self.inside {
            *shown = None;
        }
    }
}

/// Shows the progress of exact work, and returns the limit that ends it.
pub fn watch(doing: &str) -> Option<Limit> {
    if PRESSED.load(Ordering::Relaxed) {
        return Some(Limit::Stopped);
    }
    CLOCK.with_borrow_mut(|clock| look(clock.as_mut()?, doing))
}

/// Does the same as `watch` with the clock of this thread.
fn look(clock: &mut Clock, doing: &str) -> Option<Limit> {
    let now = Instant::now();
    if let Some(until) = clock.until {
        // the result must be combined in the remaining time
        let explore = until - (until - clock.began) / 4;
        if now >= explore {
            return Some(if now >= until { Limit::Deadline } else { Limit::Time });
        }
    }
    let stays = !std::io::stderr().is_terminal();
    let pause = if stays { RARELY } else { OFTEN };
    if !quiet() && now - clock.since > SHORT && now - clock.rendered > pause {
        clock.rendered = now;
        let so_far = format!("{} s: {doing}", (now - clock.since).as_secs());
        if stays {
            anstream::eprintln!("{so_far}");
        } else {
            let mut shown = locked(&SHOWN);
            let bar = shown.get_or_insert_with(|| {
                ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
                    .with_style(ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_bar()))
            });
            bar.set_message(so_far);
            bar.tick();
        }
    }
    None
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        *locked(&SHOWN) = None;
    }
}

/// Returns the given number of threads, the number of the project, or the number of cores.
pub fn threads(asked: Option<usize>) -> usize {
    let said = || super::project::number("threads").and_then(|n| usize::try_from(n).ok());
    asked.or_else(said).unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}
