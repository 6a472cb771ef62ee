//! Two versions of the rules on one table: the same runs with both, the same dice for the same rolls, and what differs.

#![allow(clippy::float_arithmetic)] // for intervals only, see `stats`

mod first;
mod test;

use super::batch::{Watcher, Work, batch, looks};
use super::estimate::shown_all;
use super::simulate::Figures;
use super::stats::{Discordant, Level, Seen, Sequence, holm};
use super::tally::{Tally, mean};
use crate::base::Code;
use crate::machine::{Fault, NoTrace};
use crate::play::Play;
use crate::scenario::{Figure, Scenario};
use crate::value::*;
pub use first::{Differing, first_differing};
pub use test::Test;

/// How often a difference may be found where there is none.
pub const ALPHA: f64 = 0.05;
/// How often "same" may be said where the difference is as great as was asked about.
pub const BETA: f64 = 0.05;
/// Where B has dice of its own, its runs are numbered from here.
pub const OWN_DICE: u64 = 1 << 40;

/// What is asked about two versions. Measures are the figures of the report, the first of them the primary one; both
/// scenarios have the same.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The seed of dice that are not given.
    pub seed: u64,
    /// Pairs of runs at most.
    pub runs: u64,
    /// Threads that share them, 1 or more. The result does not hang on it.
    pub threads: usize,
    /// Runs a thread takes at a time. The result does not hang on it.
    pub chunk: u64,
    /// A difference of the primary measure that matters: a share, or a number in its units, above 0; lengths in
    /// inches. Without one, see [`same_within`].
    pub within: Option<f64>,
    /// Less of a measure is better.
    pub less: bool,
    /// B throws dice of its own. Then more runs are needed for the same verdict.
    pub unpaired: bool,
}

/// What is said of B against A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// B is better.
    Better,
    /// B is worse.
    Worse,
    /// The difference is less than what was asked about.
    Same,
    /// Not to be told after all runs that were allowed.
    Undecided,
}

impl Judgement {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Judgement::Better => "better",
            Judgement::Worse => "worse",
            Judgement::Same => "same",
            Judgement::Undecided => "undecided",
        }
    }

    fn of(seen: Seen, less: bool) -> Judgement {
        match (seen, less) {
            (Seen::Open, _) => Judgement::Undecided,
            (Seen::Same, _) => Judgement::Same,
            (Seen::More, false) | (Seen::Less, true) => Judgement::Better,
            (Seen::Less, false) | (Seen::More, true) => Judgement::Worse,
        }
    }
}

/// How a difference was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// From pairs of runs.
    Sampled,
}

/// The effect on one measure: B less A.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The measure as written.
    pub text: String,
    /// Its type.
    pub ty: Type,
    /// It is the share of runs in which a condition holds.
    pub share: bool,
    /// The mean in A, in B, and of the difference; lengths in inches. None without runs, or if it grew too large.
    pub means: Option<[f64; 3]>,
    /// The ends of an interval of the difference that holds at every look.
    pub interval: (f64, f64),
    /// How often that interval may miss.
    pub alpha: f64,
    /// Pairs that differ.
    pub discordant: u64,
    /// How often each value came in A and in B.
    pub values: [Tally; 2],
    /// What is said of it.
    pub judgement: Judgement,
}

/// What came of a comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// How the difference was found.
    pub found: Found,
    /// The margin of the primary measure.
    pub within: f64,
    /// Pairs that were run: those numbered from 0.
    pub pairs: u64,
    /// Pairs in which a run ended in an error. They count for no measure.
    pub faults: u64,
    /// The first of them, whether it was in B, and its error.
    pub first_fault: Option<(u64, bool, Fault)>,
    /// The effects; the first is the primary one, the others are corrected for how many they are.
    pub effects: Vec<Effect>,
    /// Somebody stopped it.
    pub stopped: bool,
}

/// A measure that cannot be compared, and why.
#[derive(Clone, Debug)]
pub struct Unfit {
    /// Its place in the report.
    pub at: usize,
    /// Why.
    pub why: String,
}

/// A measure, and between what the difference lies.
pub(super) struct Measure<'a> {
    pub(super) figure: &'a Figure,
    pub(super) range: (f64, f64),
}

/// Compares two versions. This is where it is decided how the difference is found: from pairs of runs.
pub fn compare(a: &Scenario, b: &Scenario, question: Question, watch: &Watcher<'_>) -> Result<Comparison, Unfit> {
    let measures = measures(a, b)?;
    Ok(paired(a, b, &measures, question, watch))
}

/// The first measure that cannot be compared, if there is one.
pub fn unfit(a: &Scenario, b: &Scenario) -> Option<Unfit> {
    measures(a, b).err()
}

/// The margin within which a measure counts as the same unless somebody says otherwise: a hundredth of the range of its
/// values.
pub fn same_within(range: (f64, f64)) -> f64 {
    // a difference has twice the range of the measure
    ((range.1 - range.0) / 200.0).max(f64::MIN_POSITIVE)
}

/// The measures of both scenarios, if they can be compared.
pub(super) fn measures<'a>(a: &'a Scenario, b: &Scenario) -> Result<Vec<Measure<'a>>, Unfit> {
    let both = a.plan.report.iter().zip(&b.plan.report).enumerate();
    let measure = |(at, (figure, other)): (usize, (&'a Figure, &Figure))| {
        let unfit = |why: &str| Unfit { at, why: format!("`{}` {why}", figure.text) };
        if figure.asked.given.is_some() {
            return Err(unfit("looks at some runs only; a pair is compared as a whole, so leave `given` out"));
        }
        let numbers = |f: &Figure| matches!(f.asked.ty, Type::Int(_) | Type::Length | Type::Ratio | Type::Flag);
        if !numbers(figure) || !numbers(other) || same_sort(&figure.asked.ty) != same_sort(&other.asked.ty) {
            return Err(unfit(
                "is not a number or a condition in both versions; write a condition, such as `x == Case`",
            ));
        }
        let (Some(x), Some(y)) = (figure.bounds, other.bounds) else {
            return Err(unfit("has no bounds, so nothing can be said of its mean; write `min(max(x, 0), 40)`"));
        };
        let [x0, x1, y0, y1] = [x.0, x.1, y.0, y.1].map(|r| super::estimate::shown(&figure.asked.ty, r));
        Ok(Measure { figure, range: (y0 - x1, y1 - x0) })
    };
    both.map(measure).collect()
}

/// Types whose values may be subtracted from each other.
fn same_sort(ty: &Type) -> u8 {
    match ty {
        Type::Flag => 0,
        Type::Length => 1,
        Type::Ratio => 2,
        _ => 3,
    }
}

/// Pairs of runs on the same dice, until the primary measure is decided or the pairs are used up.
fn paired(a: &Scenario, b: &Scenario, measures: &[Measure<'_>], asked: Question, watch: &Watcher<'_>) -> Comparison {
    let range = measures.first().map_or((0.0, 0.0), |m| m.range);
    let within = asked.within.unwrap_or_else(|| same_within(range));
    let mut test = measures.first().map(|m| Test::new(&m.figure.asked.ty, m.range, within, asked.runs));
    let mut workers: Vec<Pair<'_>> = (0..asked.threads.max(1)).map(|_| Pair::new(a, b, asked)).collect();
    let mut done = 0;
    let mut counts = gathered(&workers, measures.len());
    let mut seen = Seen::Open;
    let mut stopped = false;
    for mark in marks(test.as_ref(), asked.runs) {
        let reached = batch(&mut workers, done..mark, asked.chunk.max(1), watch);
        done = reached;
        counts = gathered(&workers, measures.len());
        stopped = reached < mark;
        if stopped {
            break;
        }
        if let (Some(test), Some(first)) = (&mut test, counts.first()) {
            seen = test.look(&first.difference);
        }
        if seen != Seen::Open {
            break;
        }
    }
    let first_fault = workers.iter().filter_map(|w| w.first_fault.clone()).min_by_key(|(run, in_b, _)| (*run, *in_b));
    Comparison {
        found: Found::Sampled,
        within,
        pairs: done,
        faults: workers.iter().map(|w| w.faults).sum(),
        first_fault,
        effects: effects(measures, &counts, seen, asked),
        stopped,
    }
}

/// When it is looked: first after the pilot of the test.
fn marks(test: Option<&Test>, most: u64) -> Vec<u64> {
    let pilot = test.map_or(0, Test::pilot).min(most);
    let mut marks: Vec<u64> = looks(most).filter(|mark| *mark > pilot).collect();
    if pilot > 0 {
        marks.insert(0, pilot);
    }
    marks
}

/// What is said of each measure.
fn effects(measures: &[Measure<'_>], counts: &[Counts], primary: Seen, asked: Question) -> Vec<Effect> {
    let others = measures.len().saturating_sub(1);
    let sequence = |m: &Measure<'_>| Sequence::new(m.range.0, m.range.1, asked.runs);
    let taken = |m: &Measure<'_>, c: &Counts| {
        c.difference
            .numbers(m.figure.asked.ty == Type::Ratio)
            .and_then(|n| sequence(m).take(&shown_all(&m.figure.asked.ty, &n)))
    };
    let all = || measures.iter().zip(counts);
    let chances: Vec<f64> =
        all().skip(1).map(|(m, c)| taken(m, c).map_or(1.0, |values| sequence(m).chance(&values, 0.0))).collect();
    let stands = holm(&chances, ALPHA);
    let effect = |(at, (m, c)): (usize, (&Measure<'_>, &Counts))| {
        let ty = &m.figure.asked.ty;
        let means = [&c.a, &c.b, &c.difference].map(|tally| {
            let numbers = tally.numbers(*ty == Type::Ratio)?;
            mean(&numbers).map(|value| super::estimate::shown(ty, value))
        });
        let means = match means {
            [Some(a), Some(b), Some(difference)] => Some([a, b, difference]),
            _ => None,
        };
        let alpha = if at == 0 { ALPHA } else { ALPHA / others as f64 };
        let level = Level { alpha, ..Level::USUAL };
        let interval = taken(m, c).map_or(m.range, |values| sequence(m).interval(&values, level));
        let seen = match (at, means) {
            (0, _) => primary,
            (_, Some([_, _, difference])) if stands[at - 1] && difference > 0.0 => Seen::More,
            (_, Some(_)) if stands[at - 1] => Seen::Less,
            _ => Seen::Open,
        };
        Effect {
            text: m.figure.text.clone(),
            ty: ty.clone(),
            share: *ty == Type::Flag,
            means,
            interval,
            alpha,
            discordant: c.discordant(*ty == Type::Ratio),
            values: [c.a.clone(), c.b.clone()],
            judgement: Judgement::of(seen, asked.less),
        }
    };
    all().enumerate().map(effect).collect()
}

/// What was counted of one measure.
#[derive(Clone, Debug, Default)]
struct Counts {
    a: Tally,
    b: Tally,
    difference: Tally,
}

impl Counts {
    fn discordant(&self, fraction: bool) -> u64 {
        let none = if fraction { [0, 1].as_slice() } else { &[0] };
        let same = self.difference.values().into_iter().flatten().find(|(cells, _)| *cells == none);
        self.difference.counted - same.map_or(0, |(_, times)| times)
    }
}

fn gathered(workers: &[Pair<'_>], measures: usize) -> Vec<Counts> {
    let mut all = vec![Counts::default(); measures];
    for worker in workers {
        for (whole, part) in all.iter_mut().zip(&worker.counts) {
            whole.a.merge(&part.a);
            whole.b.merge(&part.b);
            whole.difference.merge(&part.difference);
        }
    }
    all
}

/// A worker: it plays each run with both versions.
struct Pair<'a> {
    a: Play<'a, NoTrace>,
    b: Play<'a, NoTrace>,
    seed: u64,
    offset: u64,
    of_a: Figures,
    of_b: Figures,
    faults: u64,
    first_fault: Option<(u64, bool, Fault)>,
    counts: Vec<Counts>,
}

impl<'a> Pair<'a> {
    fn new(a: &'a Scenario, b: &'a Scenario, asked: Question) -> Pair<'a> {
        let figures = &a.plan.report;
        Pair {
            a: Play::new(a, None, NoTrace),
            b: Play::new(b, None, NoTrace),
            seed: asked.seed,
            offset: if asked.unpaired { OWN_DICE } else { 0 },
            of_a: Figures::default(),
            of_b: Figures::default(),
            faults: 0,
            first_fault: None,
            counts: vec![Counts::default(); figures.len()],
        }
    }

    /// Plays both, and gives whether it was B that failed.
    fn both(&mut self, run: u64) -> Result<(), (bool, Fault)> {
        let count = self.counts.len();
        self.a.start(self.seed, run);
        self.of_a.play(&mut self.a, count).map_err(|fault| (false, fault))?;
        self.b.start(self.seed, run + self.offset);
        self.of_b.play(&mut self.b, count).map_err(|fault| (true, fault))?;
        let mut pairs = self.of_a.all().zip(self.of_b.all());
        if pairs.all(|(x, y)| difference(x, y).is_some()) {
            return Ok(());
        }
        Err((true, Fault::new(Code::Overflow, "the difference of the two versions grows too large")))
    }
}

/// B less A in cells: of a number one, of a fraction two.
pub(super) fn difference(x: Option<&[i64]>, y: Option<&[i64]>) -> Option<([i64; 2], usize)> {
    match (x?, y?) {
        ([a, under_a], [b, under_b]) => {
            let found = Ratio::new(*b, *under_b)?.checked_sub(Ratio::new(*a, *under_a)?)?;
            Some(([found.num(), found.den()], 2))
        }
        ([a], [b]) => Some(([b.checked_sub(*a)?, 0], 1)),
        _ => None,
    }
}

impl Work for Pair<'_> {
    fn run(&mut self, run: u64) -> bool {
        match self.both(run) {
            Ok(()) => {
                let pairs = self.of_a.all().zip(self.of_b.all());
                for (counts, (x, y)) in self.counts.iter_mut().zip(pairs) {
                    let (Some(a), Some(b), Some((cells, width))) = (x, y, difference(x, y)) else { continue };
                    counts.a.add(a);
                    counts.b.add(b);
                    counts.difference.add(&cells[..width]);
                }
            }
            Err((in_b, fault)) => {
                self.faults += 1;
                if self.first_fault.as_ref().is_none_or(|(first, _, _)| run < *first) {
                    self.first_fault = Some((run, in_b, fault));
                }
            }
        }
        true
    }
}

/// Pairs of a condition by which of the two it holds in.
fn discordant(difference: &Tally) -> Discordant {
    Discordant { pairs: difference.counted, only_b: difference.times(1), only_a: difference.times(-1) }
}
