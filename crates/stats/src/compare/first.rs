//! Finds the first runs in which two versions have different results.

use super::super::batch::{Watcher, Work, batch};
use super::Question;
use super::several::Several;
use grognard_scenario::Scenario;

/// Number of runs played before the first check for enough findings.
const FIRST: u64 = 100;

/// The runs that differ, and how many runs were searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    /// The first runs in which a measure differs, or in which only one version ends in an error.
    pub first: Vec<u64>,
    /// Number of such runs among those that were searched.
    pub differ: u64,
    /// Number of runs that were searched, numbered from 0.
    pub looked: u64,
}

/// Finds the first `most` runs in which two versions differ. It plays at most the runs of the question.
pub fn first_differing(a: &Scenario, b: &Scenario, asked: Question, most: usize, watch: &Watcher<'_>) -> Differing {
    let worker = |_| Finds { both: Several::new(&[a, b], asked.seed), found: Vec::new() };
    let mut workers: Vec<Finds<'_>> = (0..asked.threads.max(1)).map(worker).collect();
    let mut found = Differing { first: Vec::new(), differ: 0, looked: 0 };
    // start small, because the first runs often contain enough differences
    let marks = std::iter::successors(Some(FIRST), |mark| Some(mark.saturating_mul(2)));
    for mark in marks.map(|mark| mark.min(asked.runs)) {
        let reached = batch(&mut workers, found.looked..mark, asked.chunk.max(1), watch);
        found.looked = reached;
        found.first = workers.iter().flat_map(|w| w.found.iter().copied()).collect();
        found.first.sort_unstable();
        found.differ = found.first.len() as u64;
        if reached < mark || mark == asked.runs || found.first.len() >= most {
            break;
        }
    }
    found.first.truncate(most);
    found
}

/// A worker that plays both versions and stores the numbers of the runs that differ.
struct Finds<'a> {
    both: Several<'a>,
    found: Vec<u64>,
}

impl Work for Finds<'_> {
    fn steps(&self) -> u64 {
        self.both.steps()
    }

    fn expect(&mut self, runs: u64) {
        self.both.expect(runs);
    }

    fn run(&mut self, run: u64) -> bool {
        let [of_a, of_b] = [0, 1].map(|version| self.both.play(version, run).is_ok());
        let same = of_a == of_b && (!of_a || self.both.values(0).eq(self.both.values(1)));
        if !same {
            self.found.push(run);
        }
        true
    }
}
