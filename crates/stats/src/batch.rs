//! Numbered runs on several threads. Which thread does which run leaves no trace, as every run has dice of its own and
//! results are only counted.

use grognard_base::Watch;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Builder;

/// Steps after which a thread hears that it is to stop: some hundredths of a second.
const HEARD: u64 = 1 << 20;

/// Runs a worker takes at a time. Results do not hang on it.
pub const CHUNK: u64 = grognard_batch::LANES as u64;
/// Bytes of the stack of a worker.
const STACK: usize = 2 << 20;

/// Does runs and counts what came of them. Each thread has one.
pub trait Work: Send {
    /// Told before so many runs that come one after the other.
    fn expect(&mut self, _runs: u64) {}
    /// Does these runs all together if it can, and gives the number of the first that is still to be done.
    fn together(&mut self, runs: Range<u64>) -> u64 {
        runs.start
    }
    /// About the steps that its runs took so far; it says when to hear the watcher, and no more.
    fn steps(&self) -> u64 {
        0
    }
    /// Does one run. False: nothing more can be done; only a worker without others may say so.
    fn run(&mut self, run: u64) -> bool;
}

/// Told after each chunk how many runs it had, from any thread; false asks everybody to stop.
pub type Watcher<'w> = dyn Fn(u64) -> bool + Sync + 'w;

/// Returns a watcher that asks everybody to stop as soon as the watch of a budget ends the work.
pub fn until(watch: Option<Watch>) -> impl Fn(u64) -> bool + Sync {
    move |_| watch.is_none_or(|watch| watch("").is_none())
}

/// Does runs until the range is done, and gives the number of the first that was not done. Chunks are handed out in
/// order and each is brought to its end, so what was done before a stop is always the first runs, without a gap. Long
/// runs come in smaller chunks.
pub fn batch<W: Work>(workers: &mut [W], runs: Range<u64>, chunk: u64, watch: &Watcher<'_>) -> u64 {
    batch_on(STACK, workers, runs, chunk, watch)
}

/// The same on threads with stacks of so many bytes. Where no more threads can be started, those there are do it all.
pub fn batch_on<W: Work>(stack: usize, workers: &mut [W], runs: Range<u64>, chunk: u64, watch: &Watcher<'_>) -> u64 {
    let next = AtomicU64::new(runs.start);
    let cut = AtomicU64::new(u64::MAX);
    let stop = AtomicBool::new(false);
    let work = |worker: &mut W| {
        // the first run tells what one takes
        let mut many = 1;
        while !stop.load(Ordering::Relaxed) {
            let first = next.fetch_add(many, Ordering::Relaxed);
            let last = first.saturating_add(many).min(runs.end);
            if first >= last {
                return;
            }
            let before = worker.steps();
            worker.expect(last - first);
            let left = worker.together(first..last);
            let ended = (left..last).find(|run| !worker.run(*run));
            if let Some(run) = ended {
                cut.fetch_min(run + 1, Ordering::Relaxed);
            }
            if ended.is_some() || !watch(last - first) {
                stop.store(true, Ordering::Relaxed);
            }
            let each = (worker.steps() - before).div_ceil(last - first);
            many = (HEARD / each.max(1)).clamp(1, chunk);
        }
    };
    match workers {
        [] => {}
        // a page has no threads
        [own] => work(own),
        [own, others @ ..] => std::thread::scope(|scope| {
            let start = |worker| Builder::new().stack_size(stack).spawn_scoped(scope, || work(worker)).is_ok();
            let _ = others.iter_mut().all(start);
            work(own);
        }),
    }
    next.into_inner().min(runs.end).min(cut.into_inner())
}

/// Runs after which sampling ends if all of them ended in an error.
pub const ALL_FAIL: u64 = 100;

/// The numbers of runs at which a result may be looked at: 1,000, then an eighth more each time, up to `most`. They are
/// the same whatever comes out, and on any number of threads.
pub fn looks(most: u64) -> impl Iterator<Item = u64> {
    let more = move |n: &u64| (*n < most).then(|| (n + (n / 8).max(1_000)).min(most));
    std::iter::successors(Some(most.min(1_000)), more)
}
