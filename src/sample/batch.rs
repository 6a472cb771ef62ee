//! Numbered runs on several threads. Which thread does which run leaves no trace, as every run has dice of its own and
//! results are only counted.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Builder;

/// Runs a worker takes at a time. Results do not hang on it.
pub const CHUNK: u64 = 64;
/// Bytes of the stack of a worker.
const STACK: usize = 2 << 20;

/// Does runs and counts what came of them. Each thread has one.
pub trait Work: Send {
    /// Does one run. False: nothing more can be done; only a worker without others may say so.
    fn run(&mut self, run: u64) -> bool;
}

/// Told after each chunk how many runs it had, from any thread; false asks everybody to stop.
pub type Watcher<'w> = dyn Fn(u64) -> bool + Sync + 'w;

/// Does runs until the range is done, and gives the number of the first that was not done. Chunks are handed out in
/// order and each is brought to its end, so what was done before a stop is always the first runs, without a gap.
pub fn batch<W: Work>(workers: &mut [W], runs: Range<u64>, chunk: u64, watch: &Watcher<'_>) -> u64 {
    batch_on(STACK, workers, runs, chunk, watch)
}

/// The same on threads with stacks of so many bytes. Where no more threads can be started, those there are do it all.
fn batch_on<W: Work>(stack: usize, workers: &mut [W], runs: Range<u64>, chunk: u64, watch: &Watcher<'_>) -> u64 {
    let next = AtomicU64::new(runs.start);
    let cut = AtomicU64::new(u64::MAX);
    let stop = AtomicBool::new(false);
    let work = |worker: &mut W| {
        while !stop.load(Ordering::Relaxed) {
            let first = next.fetch_add(chunk, Ordering::Relaxed);
            let last = first.saturating_add(chunk).min(runs.end);
            if first >= last {
                return;
            }
            let ended = (first..last).find(|run| !worker.run(*run));
            if let Some(run) = ended {
                cut.fetch_min(run + 1, Ordering::Relaxed);
            }
            if ended.is_some() || !watch(last - first) {
                stop.store(true, Ordering::Relaxed);
            }
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

/// The numbers of runs at which a result may be looked at: 1,000, then an eighth more each time, up to `most`. They are
/// the same whatever comes out, and on any number of threads.
pub fn looks(most: u64) -> impl Iterator<Item = u64> {
    let more = move |n: &u64| (*n < most).then(|| (n + (n / 8).max(1_000)).min(most));
    std::iter::successors(Some(most.min(1_000)), more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[derive(Default)]
    struct Keeps(BTreeSet<u64>);

    impl Work for Keeps {
        fn run(&mut self, run: u64) -> bool {
            assert!(self.0.insert(run));
            run != 5_000
        }
    }

    #[test]
    fn every_run_is_done_once() {
        for threads in [1, 2, 3, 7] {
            for chunk in [1, 5, 64, 10_000] {
                let mut workers: Vec<Keeps> = (0..threads).map(|_| Keeps::default()).collect();
                assert_eq!(batch(&mut workers, 10..1_003, chunk, &|_| true), 1_003);
                let all: BTreeSet<u64> = workers.iter().flat_map(|w| w.0.iter().copied()).collect();
                assert_eq!(all, (10..1_003).collect());
                assert_eq!(workers.iter().map(|w| w.0.len()).sum::<usize>(), all.len());
            }
        }
    }

    /// No machine has memory for these stacks, so no thread can be started.
    #[test]
    fn threads_that_cannot_be_started_are_done_without() {
        let mut workers: Vec<Keeps> = (0..8).map(|_| Keeps::default()).collect();
        assert_eq!(batch_on(1 << 60, &mut workers, 0..1_000, 64, &|_| true), 1_000);
        assert_eq!(workers[0].0.len(), 1_000);
    }

    #[test]
    fn a_stop_leaves_no_gap() {
        for threads in [1, 4] {
            let told = AtomicU64::new(0);
            let mut workers: Vec<Keeps> = (0..threads).map(|_| Keeps::default()).collect();
            let watch = |n| told.fetch_add(n, Ordering::Relaxed) < 200;
            let end = batch(&mut workers, 0..4_000, 10, &watch);
            assert!((200..300).contains(&end), "{end}");
            let all: BTreeSet<u64> = workers.iter().flat_map(|w| w.0.iter().copied()).collect();
            assert_eq!(all, (0..end).collect());
        }
        let mut alone = [Keeps::default()];
        assert_eq!(batch(&mut alone, 0..9_000, 64, &|_| true), 5_001);
        assert_eq!(alone[0].0.len(), 5_001);
    }

    #[test]
    fn looks_end_at_the_end() {
        assert_eq!(looks(500).collect::<Vec<u64>>(), [500]);
        assert_eq!(looks(2_500).collect::<Vec<u64>>(), [1_000, 2_000, 2_500]);
        let all: Vec<u64> = looks(100_000_000).collect();
        assert!(all.len() < 120 && all.last() == Some(&100_000_000), "{}", all.len());
    }
}
