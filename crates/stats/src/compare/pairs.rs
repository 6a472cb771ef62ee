//! Plays pairs of runs, counts them in integers, and decides when a comparison has enough of them.

use super::super::batch::{ALL_FAIL, Work, marks};
use super::super::stats::Seen;
use super::super::tally::Tally;
use super::several::{Cells, Several, sum};
use super::{
    Comparison, Measure, OWN_DICE, Primary, Question, Test, Unfit, effects, measures, same_within, sides_decided,
};
use grognard_base::Code;
use grognard_play::{named, undecided};
use grognard_scenario::Scenario;
use grognard_vm::Fault;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Number of runs of each version in which undecided answers are counted.
const LOOKED_AT: u64 = 20;

/// The counts of some pairs of runs, in integers. The counts of a whole comparison are the sum of those of its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCounts {
    /// Number of pairs in which a run ended in an error.
    faults: u64,
    /// The number of the first such pair, whether the error was in B, and the error.
    first_fault: Option<(u64, bool, Fault)>,
    measures: Vec<MeasureCounts>,
}

/// The counts of one measure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MeasureCounts {
    pub a: Tally,
    pub b: Tally,
    pub difference: Tally,
    /// The pairs of values: the cells of A, then those of B.
    pub both: Tally,
}

impl PairCounts {
    fn new(measures: usize) -> PairCounts {
        PairCounts { measures: vec![MeasureCounts::default(); measures], ..PairCounts::default() }
    }

    fn add(&mut self, other: PairCounts) {
        for (whole, part) in self.measures.iter_mut().zip(&other.measures) {
            whole.a.merge(&part.a);
            whole.b.merge(&part.b);
            whole.difference.merge(&part.difference);
            whole.both.merge(&part.both);
        }
        self.faults += other.faults;
        let faults = self.first_fault.take().into_iter().chain(other.first_fault);
        self.first_fault = faults.min_by_key(|(run, in_b, _)| (*run, *in_b));
    }
}

impl MeasureCounts {
    /// Returns the number of pairs in which the values differ.
    pub fn discordant(&self, fraction: bool) -> u64 {
        let none = if fraction { [0, 1].as_slice() } else { &[0] };
        let same = self.difference.values().into_iter().flatten().find(|(cells, _)| *cells == none);
        self.difference.counted - same.map_or(0, |(_, times)| times)
    }
}

/// Adds up the counts of a comparison in the order of its pairs, and decides when it ends. It does not matter who played
/// the pairs: threads of this process, or other machines that called [`pair_parts`](super::pair_parts).
pub struct PairGatherer {
    asked: Question,
    /// Number of pairs after which the comparison ends in any case.
    until: u64,
    within: f64,
    /// The range of the primary measure in both versions.
    own: (f64, f64),
    test: Option<Test>,
    /// The numbers of pairs at which the counts are still to be examined.
    marks: VecDeque<u64>,
    runs: u64,
    counts: PairCounts,
    seen: Seen,
    ended: bool,
}

impl PairGatherer {
    /// Creates a comparison without pairs.
    ///
    /// # Errors
    ///
    /// Returns the first measure that cannot be compared.
    pub fn new([a, b]: [&Scenario; 2], asked: Question) -> Result<PairGatherer, Unfit> {
        Ok(PairGatherer::of(&measures(a, b)?, asked, asked.runs))
    }

    pub(super) fn of(measures: &[Measure<'_>], asked: Question, until: u64) -> PairGatherer {
        let first = measures.first();
        let own = first.map_or((0.0, 0.0), |m| m.own);
        let within = asked.within.unwrap_or_else(|| same_within(own));
        PairGatherer {
            asked,
            until,
            within,
            own,
            test: first.map(|m| Test::new(&m.figure.asked.ty, m.range, within, asked.runs, asked.alpha())),
            marks: marks(asked.runs, true).into(),
            runs: 0,
            counts: PairCounts::new(measures.len()),
            seen: Seen::Open,
            ended: false,
        }
    }

    /// Returns the number of pairs so far, which is the number of the next pair.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Returns the number of pairs at which the counts are examined next, or `None` if the comparison has ended.
    pub fn goal(&self) -> Option<u64> {
        self.marks.front().map(|mark| (*mark).min(self.until)).filter(|_| !self.ended)
    }

    /// Adds the counts of the next pairs, up to `reached`, which is at most the goal. At the goal, decides whether the
    /// comparison ends.
    ///
    /// # Errors
    ///
    /// Returns the first measure that cannot be compared.
    pub fn add(&mut self, [a, b]: [&Scenario; 2], counts: PairCounts, reached: u64) -> Result<(), Unfit> {
        self.take(&measures(a, b)?, counts, reached);
        Ok(())
    }

    pub(super) fn take(&mut self, measures: &[Measure<'_>], counts: PairCounts, reached: u64) {
        self.counts.add(counts);
        self.runs = reached;
        let Some(goal) = self.goal().filter(|goal| *goal == reached) else { return };
        let mark = self.marks.pop_front();
        let early = mark == Some(ALL_FAIL) && self.asked.runs > ALL_FAIL;
        let Some((test, first)) = self.test.as_mut().zip(self.counts.measures.first()) else {
            self.ended |= goal == self.until;
            return;
        };
        if first.difference.counted > 0 && !early && mark == Some(goal) {
            self.seen = test.look(&first.difference);
        }
        let asked = self.asked;
        let decided =
            self.seen != Seen::Open && (!asked.every || sides_decided(measures, &self.counts.measures, asked));
        self.ended = first.difference.counted == 0 || decided || goal == self.until || self.marks.is_empty();
    }

    /// Returns the comparison of the pairs so far. If it has not ended, it counts as stopped.
    ///
    /// # Errors
    ///
    /// Returns the first measure that cannot be compared.
    pub fn finish(self, [a, b]: [&Scenario; 2]) -> Result<Comparison, Unfit> {
        let measures = measures(a, b)?;
        Ok(self.result([a, b], &measures))
    }

    pub(super) fn result(self, sides: [&Scenario; 2], measures: &[Measure<'_>]) -> Comparison {
        let stopped = self.goal().is_some();
        let PairGatherer { asked, within, own, test, runs, counts, seen, .. } = self;
        let looked_at = runs.min(LOOKED_AT);
        let primary = test.zip(counts.measures.first());
        let primary = primary.map(|(test, first)| Primary::of(&test, &first.difference, seen, within, asked));
        Comparison {
            within,
            range: asked.within.is_none().then_some(own),
            pairs: runs,
            faults: counts.faults,
            first_fault: counts.first_fault,
            effects: effects(measures, &counts.measures, primary, asked),
            stopped,
            undecided: (
                sides.map(|side| named(&side.game.program, &undecided(side, asked.seed, looked_at))),
                looked_at,
            ),
        }
    }
}

/// Returns the counts of all workers since the last call.
pub(super) fn drained(workers: &mut [Pair<'_>]) -> PairCounts {
    let mut all = PairCounts::new(workers.first().map_or(0, |worker| worker.counts.measures.len()));
    for worker in workers {
        let none = PairCounts::new(worker.counts.measures.len());
        all.add(std::mem::replace(&mut worker.counts, none));
    }
    all
}

/// A worker that plays each run with both versions.
pub(super) struct Pair<'a> {
    both: Several<'a>,
    offset: u64,
    counts: PairCounts,
}

impl<'a> Pair<'a> {
    pub fn new(a: &'a Scenario, b: &'a Scenario, asked: Question) -> Pair<'a> {
        let both = Several::new(&[a, b], asked.seed);
        let counts = PairCounts::new(both.measures());
        Pair { both, offset: if asked.unpaired { OWN_DICE } else { 0 }, counts }
    }

    /// Plays a run with both versions. An error says whether it was in B.
    fn play(&mut self, run: u64) -> Result<(), (bool, Fault)> {
        self.both.play(0, run).map_err(|fault| (false, fault))?;
        self.both.play(1, run + self.offset).map_err(|fault| (true, fault))?;
        let mut pairs = self.both.values(0).zip(self.both.values(1));
        if pairs.all(|(x, y)| difference(x, y).is_some()) {
            return Ok(());
        }
        Err((true, Fault::new(Code::Overflow, "the difference of the two versions grows too large")))
    }
}

/// Computes B minus A in cells: one for a number, two for a fraction. Returns `None` on overflow or if a value is
/// missing.
pub(crate) fn difference(x: Option<&[i64]>, y: Option<&[i64]>) -> Option<Cells> {
    sum(&[(-1, x?), (1, y?)])
}

impl Work for Pair<'_> {
    fn steps(&self) -> u64 {
        self.both.steps()
    }

    fn expect(&mut self, runs: u64) {
        self.both.expect(runs);
    }

    fn run(&mut self, run: u64) -> bool {
        match self.play(run) {
            Ok(()) => {
                let pairs = self.both.values(0).zip(self.both.values(1));
                for (counts, (x, y)) in self.counts.measures.iter_mut().zip(pairs) {
                    let (Some(a), Some(b), Some((cells, width))) = (x, y, difference(x, y)) else { continue };
                    counts.a.add(a);
                    counts.b.add(b);
                    counts.difference.add(&cells[..width]);
                    counts.both.add(&[a, b].concat());
                }
            }
            Err((in_b, fault)) => {
                let counts = &mut self.counts;
                counts.faults += 1;
                if counts.first_fault.as_ref().is_none_or(|(first, _, _)| run < *first) {
                    counts.first_fault = Some((run, in_b, fault));
                }
            }
        }
        true
    }
}
