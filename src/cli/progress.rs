//! Work that may take long: a bar on a terminal, and Ctrl-C, which ends it with what was done so far. Exact work shows
//! how far it is, and ends at a deadline too.

use super::out::{Stop, quiet};
use grognard_base::Limit;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::RefCell;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Ctrl-C was pressed.
static PRESSED: AtomicBool = AtomicBool::new(false);
/// A person is asked for a line: then nothing is being done that could stop.
static WAITS: AtomicBool = AtomicBool::new(false);
/// Somebody listens to it.
static LISTENS: OnceLock<Result<(), String>> = OnceLock::new();

/// Exit code of a program that Ctrl-C ends at once, by custom.
const ENDED: i32 = 130;

/// Long-running work of so many runs.
pub struct Progress {
    bar: ProgressBar,
    what: String,
    /// Where lines do not change in place: when it began, and when it was last said how far it is.
    lines: Option<Mutex<(Instant, Instant)>>,
}

impl Progress {
    /// Begins. From now on Ctrl-C asks the work to stop, and a second one ends the program.
    pub fn begin(runs: u64) -> Result<Progress, Stop> {
        Progress::of(runs, "runs")
    }

    /// The same of so many of something else. Exact work that is done meanwhile tells how far it is behind the bar.
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

    /// So many more runs are done; false if the work is to stop.
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

    /// True if Ctrl-C was pressed.
    pub fn pressed() -> bool {
        PRESSED.load(Ordering::Relaxed)
    }

    /// The work that was to stop has stopped, and other work may begin.
    pub fn forget() {
        PRESSED.store(false, Ordering::Relaxed);
    }
}

/// A person is asked for a line, or has given it: Ctrl-C ends the program at once meanwhile.
pub fn waits(waits: bool) {
    WAITS.store(waits, Ordering::Relaxed);
}

/// From now on Ctrl-C asks the work to stop, and a second one ends the program.
pub fn listen() -> Result<(), Stop> {
    let listens = LISTENS.get_or_init(|| {
        let press = || {
            if PRESSED.swap(true, Ordering::Relaxed) || WAITS.load(Ordering::Relaxed) {
                std::process::exit(ENDED);
            }
        };
        ctrlc::set_handler(press).map_err(|why| why.to_string())
    });
    listens.clone().map_err(|why| Stop::failed(format!("Ctrl-C cannot be listened to: {why}")))
}

/// Exact work that is being done: when all of it began, when this question did, when that ends at the latest, and when
/// somebody heard of it.
struct Clock {
    since: Instant,
    began: Instant,
    until: Option<Instant>,
    told: Instant,
}

thread_local! {
    /// The exact work of this thread: several may each have a question of their own.
    static CLOCK: RefCell<Option<Clock>> = const { RefCell::new(None) };
}
/// The bar that is on the terminal.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Work shorter than this shows nothing.
const SHORT: Duration = Duration::from_secs(1);
/// How often it is said how far it is: where lines change in place, and where they do not.
const OFTEN: Duration = Duration::from_millis(200);
const RARELY: Duration = Duration::from_secs(20);

/// Exact work, for as long as it lives.
pub struct Work {
    seconds: Option<u64>,
    /// Whether a bar of something longer is on the terminal.
    inside: bool,
}

impl Work {
    /// Begins; it ends after so many seconds, if that is asked, or by Ctrl-C.
    pub fn begin(seconds: Option<u64>) -> Result<Work, Stop> {
        listen()?;
        let work = Work { seconds, inside: locked(&SHOWN).is_some() };
        work.again();
        Ok(work)
    }

    /// The clock begins anew.
    pub fn again(&self) {
        let began = Instant::now();
        let until = self.seconds.and_then(|s| began.checked_add(Duration::from_secs(s)));
        CLOCK.with_borrow_mut(|clock| {
            // what is told goes on: one question after the other is one work
            let (since, told) = clock.as_ref().map_or((began, began), |clock| (clock.since, clock.told));
            *clock = Some(Clock { since, began, until, told });
        });
    }
}

/// Nothing more is said of it.
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

/// Shows how far exact work is, and says what ends it.
pub fn watch(doing: &str) -> Option<Limit> {
    if PRESSED.load(Ordering::Relaxed) {
        return Some(Limit::Stopped);
    }
    CLOCK.with_borrow_mut(|clock| look(clock.as_mut()?, doing))
}

/// The same by the clock of this thread.
fn look(clock: &mut Clock, doing: &str) -> Option<Limit> {
    let now = Instant::now();
    if let Some(until) = clock.until {
        // what was found has to be put together too
        let explore = until - (until - clock.began) / 4;
        if now >= explore {
            return Some(if now >= until { Limit::Deadline } else { Limit::Time });
        }
    }
    let stays = !std::io::stderr().is_terminal();
    let pause = if stays { RARELY } else { OFTEN };
    if !quiet() && now - clock.since > SHORT && now - clock.told > pause {
        clock.told = now;
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

/// As many threads as there are cores, unless somebody says how many.
pub fn threads(asked: Option<usize>) -> usize {
    let said = || super::project::number("threads").and_then(|n| usize::try_from(n).ok());
    asked.or_else(said).unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}
