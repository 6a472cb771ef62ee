//! Numbered runs on several threads. Which thread does which run leaves no trace, as every run has dice of its own and
//! results are only counted.

use grognard_base::slices::yield_now;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Builder;

/// Runs that are worth being done together, and steps of a slice.
const FEW: u64 = 16;
const SLICE: u64 = 1 << 13;
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
    /// About the steps that its runs took so far; it says when a slice is over, and no more.
    fn steps(&self) -> u64 {
        0
    }
    /// Does one run. False: nothing more can be done; only a worker without others may say so.
    fn run(&mut self, run: u64) -> bool;
    /// The parts of a run that a slice may end between.
    fn parts(&self) -> usize {
        1
    }
    /// Does a part of a run, as [`Work::run`] does all of them in their order.
    fn part(&mut self, run: u64, _part: usize) -> bool {
        self.run(run)
    }
}

/// Told after each chunk how many runs it had, from any thread; false asks everybody to stop.
pub type Watcher<'w> = dyn Fn(u64) -> bool + Sync + 'w;

/// How runs are shared out. The result does not hang on it.
#[derive(Clone, Copy)]
pub enum Way<'w> {
    /// To threads, so many runs at a time, until somebody stops them.
    Threads(u64, &'w Watcher<'w>),
    /// To the first worker on this thread, in slices.
    Slices,
}

/// Does runs in one way or the other, and gives the number of the first that was not done.
pub async fn batch_by<W: Work>(workers: &mut [W], runs: Range<u64>, way: Way<'_>) -> u64 {
    let worker = match (way, workers) {
        (Way::Threads(chunk, watch), workers) => return batch(workers, runs, chunk.max(1), watch),
        (Way::Slices, [worker, ..]) => worker,
        (Way::Slices, []) => return runs.start,
    };
    // the first run tells what one takes
    let (mut next, mut chunk, mut ahead) = (runs.start, 1, 1);
    while next < runs.end {
        let last = next.saturating_add(chunk).min(runs.end);
        let before = worker.steps();
        // what is done ahead comes with the next slices
        worker.expect((last - next).max(ahead));
        for run in worker.together(next..last)..last {
            let mut begun = worker.steps();
            for part in 0..worker.parts() {
                if worker.steps() - begun >= SLICE {
                    begun = worker.steps();
                    yield_now().await;
                }
                if !worker.part(run, part) {
                    return run + 1;
                }
            }
        }
        let each = (worker.steps() - before).div_ceil(last - next);
        chunk = (SLICE / each.max(1)).clamp(1, CHUNK);
        ahead = if each.saturating_mul(FEW) <= 4 * SLICE { FEW } else { 1 };
        next = last;
        yield_now().await;
    }
    next
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
    if let [own, others @ ..] = workers {
        std::thread::scope(|scope| {
            let start = |worker| Builder::new().stack_size(stack).spawn_scoped(scope, || work(worker)).is_ok();
            let _ = others.iter_mut().all(start);
            work(own);
        });
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
