//! Work that may take long: a bar on a terminal, and Ctrl-C, which ends it with what was done so far.

use super::out::Stop;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ctrl-C was pressed.
static PRESSED: AtomicBool = AtomicBool::new(false);
/// Somebody listens to it.
static LISTENS: OnceLock<Result<(), String>> = OnceLock::new();

/// Exit code of a program that Ctrl-C ends at once, by custom.
const ENDED: i32 = 130;

/// Long work of so many runs.
pub struct Long {
    bar: ProgressBar,
}

impl Long {
    /// Begins. From now on Ctrl-C asks the work to stop, and a second one ends the program.
    pub fn begin(runs: u64) -> Result<Long, Stop> {
        Long::of(runs, "runs")
    }

    /// The same of so many of something else.
    pub fn of(count: u64, what: &str) -> Result<Long, Stop> {
        let listens = LISTENS.get_or_init(|| {
            let press = || {
                if PRESSED.swap(true, Ordering::Relaxed) {
                    std::process::exit(ENDED);
                }
            };
            ctrlc::set_handler(press).map_err(|why| why.to_string())
        });
        listens.clone().map_err(|why| Stop::failed(format!("Ctrl-C cannot be listened to: {why}")))?;
        let bar = ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::stderr());
        let form = format!("{{wide_bar}} {{human_pos}} of {{human_len}} {what}, {{per_sec}}, {{eta}} left");
        bar.set_style(ProgressStyle::with_template(&form).unwrap_or_else(|_| ProgressStyle::default_bar()));
        Ok(Long { bar })
    }

    /// So many more runs are done; false if the work is to stop.
    pub fn more(&self, runs: u64) -> bool {
        self.bar.inc(runs);
        !PRESSED.load(Ordering::Relaxed)
    }

    /// True if Ctrl-C was pressed.
    pub fn pressed() -> bool {
        PRESSED.load(Ordering::Relaxed)
    }
}

impl Drop for Long {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// As many threads as there are cores, unless somebody says how many.
pub fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}
