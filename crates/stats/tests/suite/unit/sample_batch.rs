//! Inside `sample/batch`.

use grognard_stats::batch::*;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

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
        let rendered = AtomicU64::new(0);
        let mut workers: Vec<Keeps> = (0..threads).map(|_| Keeps::default()).collect();
        let watch = |n| rendered.fetch_add(n, Ordering::Relaxed) < 200;
        let end = batch(&mut workers, 0..4_000, 10, &watch);
        assert!((200..300).contains(&end), "{end}");
        let all: BTreeSet<u64> = workers.iter().flat_map(|w| w.0.iter().copied()).collect();
        assert_eq!(all, (0..end).collect());
    }
    let mut alone = [Keeps::default()];
    assert_eq!(batch(&mut alone, 0..9_000, 64, &|_| true), 5_001);
    assert_eq!(alone[0].0.len(), 5_001);
}

/// Runs that take long come one by one, so that a stop is heard soon.
#[test]
fn long_runs_are_handed_out_alone() {
    #[derive(Default)]
    struct Long(u64);
    impl Work for Long {
        fn steps(&self) -> u64 {
            self.0 * 10_000_000
        }
        fn run(&mut self, _run: u64) -> bool {
            self.0 += 1;
            true
        }
    }
    let rendered = AtomicU64::new(0);
    let watch = |_| rendered.fetch_add(1, Ordering::Relaxed) < 4;
    assert_eq!(batch(&mut [Long::default()], 0..1_000, 256, &watch), 5);
}

#[test]
fn looks_end_at_the_end() {
    assert_eq!(looks(500).collect::<Vec<u64>>(), [500]);
    assert_eq!(looks(2_500).collect::<Vec<u64>>(), [1_000, 2_000, 2_500]);
    let all: Vec<u64> = looks(100_000_000).collect();
    assert!(all.len() < 120 && all.last() == Some(&100_000_000), "{}", all.len());
}
