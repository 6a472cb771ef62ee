//! Two versions of the rules on one table: the difference of what both come to exactly; or the same runs with both, the
//! same dice for the same rolls, and what differs.

#![allow(clippy::float_arithmetic)] // for intervals only, see `stats`

mod contrast;
mod exact;
mod first;
mod several;
mod test;
mod together;

use super::batch::{Watcher, Work, batch, looks};
use super::estimate::shown_all;
use super::stats::{Discordant, Level, Seen, Sequence, holm};
use super::tally::{Tally, mean};
use crate::base::Code;
use crate::machine::Fault;
use crate::scenario::{Figure, Scenario};
use crate::value::*;
pub use contrast::{Basis, Contrast, Contrasts, Size, exact_contrasts, sampled_contrasts};
pub use exact::{ExactEffect, Exactly, exactly};
pub use first::{Differing, first_differing};
use several::sum;
pub(super) use several::{Cells, Several};
pub use test::Test;
pub use together::{Together, together};

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
    /// Comparisons, 1 or more, that are to be wrong together no more often than one alone would be: each takes its part
    /// of [`ALPHA`] (Bonferroni).
    pub family: u64,
}

impl Question {
    /// How often a difference may be found here where there is none.
    pub fn alpha(&self) -> f64 {
        ALPHA / self.family.max(1) as f64
    }
}

/// What came of a comparison.
#[derive(Clone, Debug)]
pub enum Compared {
    /// Both versions were worked out.
    Exact(Exactly),
    /// From pairs of runs.
    Sampled(Comparison),
}

impl Compared {
    /// What is said of the primary measure.
    pub fn judgement(&self) -> Option<Judgement> {
        match self {
            Compared::Exact(found) => found.effects.first().map(|e| e.judgement),
            Compared::Sampled(found) => found.effects.first().map(|e| e.judgement),
        }
    }
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

/// What came of pairs of runs.
#[derive(Clone, Debug)]
pub struct Comparison {
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

/// Compares two versions from pairs of runs.
pub fn compare(a: &Scenario, b: &Scenario, question: Question, watch: &Watcher<'_>) -> Result<Comparison, Unfit> {
    let measures = measures(a, b)?;
    Ok(paired(a, b, &measures, question, watch))
}

/// The first measure that cannot be compared, if there is one.
pub fn unfit(a: &Scenario, b: &Scenario) -> Option<Unfit> {
    measures(a, b).err()
}

/// The first measure whose values are not numbers of one sort in both versions, if there is one.
pub fn not_numbers(a: &Scenario, b: &Scenario) -> Option<Unfit> {
    let mut both = a.plan.report.iter().zip(&b.plan.report).enumerate();
    let (at, (figure, _)) = both.find(|(_, (figure, other))| !both_numbers(figure, other))?;
    Some(Unfit { at, why: format!("`{}` {NO_NUMBER}", figure.text) })
}

/// The margin within which a measure counts as the same unless somebody says otherwise: a hundredth of the range of its
/// values.
pub fn same_within(range: (f64, f64)) -> f64 {
    // a difference has twice the range of the measure
    ((range.1 - range.0) / 200.0).max(f64::MIN_POSITIVE)
}

/// The margin of the primary measure: what was asked for, or [`same_within`] between the first of these versions and the
/// last; none if nothing bounds the measure.
fn within_of(versions: &[&Scenario], asked: Question) -> Option<f64> {
    asked.within.or_else(|| {
        let [first, last] = [versions.first()?, versions.last()?].map(|v| v.plan.report.first());
        Some(same_within(range(&first?.asked.ty, first?.bounds?, last?.bounds?)))
    })
}

/// The measures of both scenarios, if they can be compared.
pub(super) fn measures<'a>(a: &'a Scenario, b: &Scenario) -> Result<Vec<Measure<'a>>, Unfit> {
    let both = a.plan.report.iter().zip(&b.plan.report).enumerate();
    let measure = |(at, (figure, other)): (usize, (&'a Figure, &Figure))| {
        let unfit = |why: &str| Unfit { at, why: format!("`{}` {why}", figure.text) };
        if figure.asked.given.is_some() {
            return Err(unfit("looks at some runs only; a pair is compared as a whole, so leave `given` out"));
        }
        if !both_numbers(figure, other) {
            return Err(unfit(NO_NUMBER));
        }
        let (Some(x), Some(y)) = (figure.bounds, other.bounds) else {
            return Err(unfit("has no bounds, so nothing can be said of its mean; write `min(max(x, 0), 40)`"));
        };
        Ok(Measure { figure, range: range(&figure.asked.ty, x, y) })
    };
    both.map(measure).collect()
}

/// Between what B less A lies, if A and B lie between these; lengths in inches.
fn range(ty: &Type, a: (Ratio, Ratio), b: (Ratio, Ratio)) -> (f64, f64) {
    let [a0, a1, b0, b1] = [a.0, a.1, b.0, b.1].map(|r| super::estimate::shown(ty, r));
    (b0 - a1, b1 - a0)
}

/// What is said of a measure whose values cannot be subtracted from each other.
const NO_NUMBER: &str = "is not a number or a condition in both versions; write a condition, such as `x == Case`";

/// True if the values of a measure in both versions are numbers of one sort, or conditions.
fn both_numbers(figure: &Figure, other: &Figure) -> bool {
    let number = |f: &Figure| matches!(f.asked.ty, Type::Int(_) | Type::Length | Type::Ratio | Type::Flag);
    number(figure) && number(other) && same_sort(&figure.asked.ty) == same_sort(&other.asked.ty)
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
    let mut test = measures.first().map(|m| Test::new(&m.figure.asked.ty, m.range, within, asked.runs, asked.alpha()));
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
    let stands = holm(&chances, asked.alpha());
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
        let alpha = if at == 0 { asked.alpha() } else { asked.alpha() / others as f64 };
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
    both: Several<'a>,
    offset: u64,
    faults: u64,
    first_fault: Option<(u64, bool, Fault)>,
    counts: Vec<Counts>,
}

impl<'a> Pair<'a> {
    fn new(a: &'a Scenario, b: &'a Scenario, asked: Question) -> Pair<'a> {
        let both = Several::new(&[a, b], asked.seed);
        let counts = vec![Counts::default(); both.measures()];
        Pair { both, offset: if asked.unpaired { OWN_DICE } else { 0 }, faults: 0, first_fault: None, counts }
    }

    /// Plays both, and gives whether it was B that failed.
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

/// B less A in cells: of a number one, of a fraction two.
pub(super) fn difference(x: Option<&[i64]>, y: Option<&[i64]>) -> Option<Cells> {
    sum(&[(-1, x?), (1, y?)])
}

impl Work for Pair<'_> {
    fn run(&mut self, run: u64) -> bool {
        match self.play(run) {
            Ok(()) => {
                let pairs = self.both.values(0).zip(self.both.values(1));
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
