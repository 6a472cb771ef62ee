//! Plays numbered runs on several threads. The result does not depend on the assignment of runs to threads: the dice of
//! a run depend only on its number, and results are only counted.

use grognard_base::Watch;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Builder;

/// Number of steps after which a thread checks whether to stop: a few hundredths of a second.
const HEARD: u64 = 1 << 20;

/// Maximum number of runs that a worker takes at a time. It does not affect results.
pub const CHUNK: u64 = grognard_batch::LANES as u64;
/// Stack size of a worker, in bytes.
const STACK: usize = 2 << 20;

/// A worker: plays runs and counts their results. Each thread has one.
pub trait Work: Send {
    /// Announces that the next `_runs` runs have consecutive numbers.
    fn expect(&mut self, _runs: u64) {}
    /// Plays the runs together if possible, and returns the number of the first run that is still to be played.
    fn together(&mut self, runs: Range<u64>) -> u64 {
        runs.start
    }
    /// Returns the approximate number of steps taken so far. It only determines how often the watcher is called.
    fn steps(&self) -> u64 {
        0
    }
    /// Returns the number of runs that cost as much one by one as any number up to [`CHUNK`] together, or `None` if runs
    /// are not played together.
    fn together_costs(&self) -> Option<u64> {
        None
    }
    /// Plays one run. Returns `false` to stop the batch, which is allowed only if there is no other worker.
    fn run(&mut self, run: u64) -> bool;
}

/// A callback that receives the number of runs of each finished chunk, from any thread. Return `false` to stop all
/// workers.
pub type Watcher<'w> = dyn Fn(u64) -> bool + Sync + 'w;

/// Returns a watcher that stops all workers as soon as the watch of a budget ends the work.
pub fn until(watch: Option<Watch>) -> impl Fn(u64) -> bool + Sync {
    move |_| watch.as_ref().is_none_or(|watch| watch.look("").is_none())
}

/// Plays `runs` and returns the number of the first run that was not played. Chunks are assigned in order and each
/// chunk is finished, so the runs played before a stop are always a prefix of the range. Long runs use smaller chunks.
pub fn batch<W: Work>(workers: &mut [W], runs: Range<u64>, chunk: u64, watch: &Watcher<'_>) -> u64 {
    batch_on(STACK, workers, runs, chunk, watch)
}

/// Plays runs like [`batch`], on threads with stacks of `stack` bytes. If not enough threads can be started, the
/// existing ones play all runs.
pub fn batch_on<W: Work>(stack: usize, workers: &mut [W], runs: Range<u64>, chunk: u64, watch: &Watcher<'_>) -> u64 {
    let next = AtomicU64::new(runs.start);
    let cut = AtomicU64::new(u64::MAX);
    let stop = AtomicBool::new(false);
    let work = |worker: &mut W| {
        // the first run measures the cost of a run
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
            let alone = HEARD / each.max(1);
            // runs together can take longer than a look
            let pays = last - first == 1 && worker.together_costs().is_some_and(|cost| 4 * alone >= cost);
            many = if pays { chunk } else { alone.clamp(1, chunk) };
        }
    };
    match workers {
        [] => {}
        // the browser has no threads
        [own] => work(own),
        [own, others @ ..] => std::thread::scope(|scope| {
            let start = |worker| Builder::new().stack_size(stack).spawn_scoped(scope, || work(worker)).is_ok();
            let _ = others.iter_mut().all(start);
            work(own);
        }),
    }
    next.into_inner().min(runs.end).min(cut.into_inner())
}

/// Number of runs after which sampling stops if all of them ended in an error.
pub const ALL_FAIL: u64 = 100;

/// Returns the numbers of runs at which interim results are analyzed: 1,000, then an eighth more (at least 1,000) each
/// time, up to `most`. They depend neither on results nor on the number of threads.
pub fn looks(most: u64) -> impl Iterator<Item = u64> {
    let more = move |n: &u64| (*n < most).then(|| (n + (n / 8).max(1_000)).min(most));
    std::iter::successors(Some(most.min(1_000)), more)
}

/// Returns the numbers of runs at which counts are examined: [`ALL_FAIL`], if there are more runs, and then every
/// interim analysis, or only the end.
pub fn marks(runs: u64, interim: bool) -> Vec<u64> {
    let early = (runs > ALL_FAIL).then_some(ALL_FAIL);
    let looks: Vec<u64> = if interim { looks(runs).collect() } else { vec![runs] };
    early.into_iter().chain(looks).collect()
}

/// Splits a range of runs at `marks`, which ascend.
pub(super) fn split_at(marks: &[u64], runs: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let inner = marks.iter().copied().filter(move |mark| runs.start < *mark && *mark < runs.end);
    let mut first = runs.start;
    inner.chain(std::iter::once(runs.end)).map(move |last| std::mem::replace(&mut first, last)..last)
}
