//! The first runs in which two versions come to something else.

use super::super::batch::{Watcher, Work, batch, looks};
use super::super::simulate::Figures;
use super::Question;
use crate::machine::NoTrace;
use crate::play::Play;
use crate::scenario::Scenario;

/// What was looked through, and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    /// The first runs in which a measure differs, or in which one version ends in an error and the other does not.
    pub first: Vec<u64>,
    /// Runs in which one does, out of those that were looked at.
    pub differ: u64,
    /// Runs that were looked at: those numbered from 0.
    pub looked: u64,
}

/// Looks for the first `most` runs in which two versions differ, in no more than the runs of the question.
pub fn first_differing(a: &Scenario, b: &Scenario, asked: Question, most: usize, watch: &Watcher<'_>) -> Differing {
    let mut workers: Vec<Finds<'_>> = (0..asked.threads.max(1)).map(|_| Finds::new(a, b, asked.seed)).collect();
    let mut found = Differing { first: Vec::new(), differ: 0, looked: 0 };
    for mark in looks(asked.runs) {
        let reached = batch(&mut workers, found.looked..mark, asked.chunk.max(1), watch);
        found.looked = reached;
        found.first = workers.iter().flat_map(|w| w.found.iter().copied()).collect();
        found.first.sort_unstable();
        found.differ = found.first.len() as u64;
        if reached < mark || found.first.len() >= most {
            break;
        }
    }
    found.first.truncate(most);
    found
}

/// Plays both, and keeps the numbers of runs in which they differ.
struct Finds<'a> {
    a: Play<'a, NoTrace>,
    b: Play<'a, NoTrace>,
    seed: u64,
    of_a: Figures,
    of_b: Figures,
    count: usize,
    found: Vec<u64>,
}

impl<'a> Finds<'a> {
    fn new(a: &'a Scenario, b: &'a Scenario, seed: u64) -> Finds<'a> {
        Finds {
            a: Play::new(a, None, NoTrace),
            b: Play::new(b, None, NoTrace),
            seed,
            of_a: Figures::default(),
            of_b: Figures::default(),
            count: a.plan.report.len().min(b.plan.report.len()),
            found: Vec::new(),
        }
    }
}

impl Work for Finds<'_> {
    fn run(&mut self, run: u64) -> bool {
        self.a.start(self.seed, run);
        self.b.start(self.seed, run);
        let of_a = self.of_a.play(&mut self.a, self.count).is_ok();
        let of_b = self.of_b.play(&mut self.b, self.count).is_ok();
        let same = of_a == of_b && (!of_a || self.of_a.all().eq(self.of_b.all()));
        if !same {
            self.found.push(run);
        }
        true
    }
}
