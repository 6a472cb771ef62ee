//! Compares two versions of the rules on one scenario: subtracts two exact answers, or plays the same runs with both
//! versions on common random numbers.

#![allow(clippy::float_arithmetic)] // for intervals only, see `stats`

mod contrast;
#[doc(hidden)]
pub mod exact;
mod first;
mod pairs;
mod several;
mod spread;
mod test;
mod together;

use super::batch::{Watcher, batch, marks, split_at};
use super::estimate::shown_all;
use super::stats::{Found, Level, Seen, Sequence, more_runs};
use super::tally::{Tally, mean};
pub use contrast::{Basis, Contrast, Contrasts, Size, exact_contrasts, sampled_contrasts};
pub use exact::{ExactEffect, Exactly, exactly};
pub use first::{Differing, first_differing};
use grognard_base::value::*;
use grognard_play::NoDecision;
use grognard_scenario::{Figure, Good, Scenario};
use grognard_vm::Fault;
pub(super) use pairs::difference;
use pairs::{MeasureCounts, Pair, drained};
pub use pairs::{PairCounts, PairGatherer};
pub(super) use several::{Cells, Several};
pub use spread::Spread;
use std::ops::Range;
pub use test::Test;
pub use together::{Together, together};

/// Probability of reporting a difference that does not exist.
pub const ALPHA: f64 = 0.05;
/// Probability of reporting "same" if the difference is as large as the margin.
pub const BETA: f64 = 0.05;
/// Offset of the run numbers of B if B has its own dice.
pub const OWN_DICE: u64 = 1 << 40;

/// A comparison of two versions in the measures of the report, which both scenarios share. The first one is the primary
/// measure.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The seed of dice that the scenario does not fix.
    pub seed: u64,
    /// Maximum number of pairs of runs.
    pub runs: u64,
    /// Number of threads, at least 1. It does not affect the result.
    pub threads: usize,
    /// Number of runs that a thread takes at a time. It does not affect the result.
    pub chunk: u64,
    /// The smallest difference of the primary measure that matters, above 0: a share, or a number in the unit of the
    /// measure (inches for lengths). If it is `None`, [`same_within`] applies.
    pub within: Option<f64>,
    /// Whether B uses its own dice. The comparison then needs more runs for the same verdict.
    pub unpaired: bool,
    /// Number of comparisons, at least 1, that share one error rate. Each gets an equal part of [`ALPHA`] (Bonferroni).
    pub family: u64,
    /// Whether pairs are played until every measure is decided, not only the primary one.
    pub every: bool,
}

impl Question {
    /// Returns the error rate of this comparison: the probability of reporting a difference that does not exist.
    pub fn alpha(&self) -> f64 {
        ALPHA / self.family.max(1) as f64
    }
}

/// The result of a comparison.
#[derive(Clone, Debug)]
pub enum Compared {
    /// Both versions have exact answers.
    Exact(Exactly),
    /// The comparison is estimated from pairs of runs.
    Sampled(Comparison),
}

impl Compared {
    /// Returns whether the primary measure is undecided or, if `every` is set, whether any measure is.
    pub fn is_undecided(&self, every: bool) -> bool {
        let judged: Vec<Judgement> = match self {
            Compared::Exact(found) => found.effects.iter().map(|e| e.judgement).collect(),
            Compared::Sampled(found) => found.effects.iter().map(|e| e.judgement).collect(),
        };
        judged.iter().take(if every { usize::MAX } else { 1 }).any(|judged| *judged == Judgement::Undecided)
    }
}

/// The verdict on B compared with A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// B has more of the measure.
    More,
    /// B has less of the measure.
    Less,
    /// The difference is smaller than the margin.
    Same,
    /// The allowed runs do not decide the question.
    Undecided,
}

impl Judgement {
    /// Returns the verdict as one word.
    pub fn word(self) -> &'static str {
        match self {
            Judgement::More => "more",
            Judgement::Less => "less",
            Judgement::Same => "same",
            Judgement::Undecided => "undecided",
        }
    }

    /// Returns whether B is better, or `None` if no direction is declared good or no difference was found.
    pub fn is_better(self, good: Option<Good>) -> Option<bool> {
        match (self, good?) {
            (Judgement::More, good) => Some(good == Good::More),
            (Judgement::Less, good) => Some(good == Good::Less),
            _ => None,
        }
    }

    fn of(seen: Seen) -> Judgement {
        match seen {
            Seen::Open => Judgement::Undecided,
            Seen::Same => Judgement::Same,
            Seen::More => Judgement::More,
            Seen::Less => Judgement::Less,
        }
    }
}

/// The effect on one measure: B minus A.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The source text of the measure.
    pub text: String,
    /// The type of the measure.
    pub ty: Type,
    /// Whether the measure is the share of runs in which a condition holds.
    pub share: bool,
    /// The means of A, of B and of the difference; lengths in inches. `None` without runs, or on overflow.
    pub means: Option<[f64; 3]>,
    /// The ends of the confidence interval of the difference, valid at every interim analysis. The verdict is derived
    /// from it.
    pub interval: (f64, f64),
    /// Probability that the interval does not contain the true difference.
    pub alpha: f64,
    /// An interval whose level depends only on the number of questions, not on the verdict, and its error rate.
    /// [`together()`] combines scenarios with it.
    pub wide: ((f64, f64), f64),
    /// Number of pairs in which the values differ.
    pub discordant: u64,
    /// The frequencies of the values in A and in B.
    pub values: [Tally; 2],
    /// The verdict on the measure.
    pub judgement: Judgement,
    /// The direction that is declared good, if any.
    pub good: Option<Good>,
    /// Estimated number of further pairs that would decide an undecided measure, or `None` if it has no such bound.
    pub more: Option<u64>,
    /// A threshold at which the distributions differ significantly, whatever the means are, if one was found.
    pub spread: Option<Spread>,
}

/// The result of a comparison from pairs of runs.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The margin of the primary measure.
    pub within: f64,
    /// The range of the primary measure in both versions, if the margin is a hundredth of it.
    pub range: Option<(f64, f64)>,
    /// Number of pairs that were played, numbered from 0.
    pub pairs: u64,
    /// Number of pairs in which a run ended in an error. They do not count for any measure.
    pub faults: u64,
    /// The number of the first such pair, whether the error was in B, and the error.
    pub first_fault: Option<(u64, bool, Fault)>,
    /// The effects, the primary measure first. The other measures and all spreads share one error rate.
    pub effects: Vec<Effect>,
    /// Whether the watcher stopped the comparison.
    pub stopped: bool,
    /// Choices without a decider in the first runs of A and of B, and the number of these runs.
    pub undecided: ([Vec<NoDecision>; 2], u64),
}

/// A measure that cannot be compared, with the reason.
#[derive(Clone, Debug)]
pub struct Unfit {
    /// Its index in the report.
    pub at: usize,
    pub why: String,
}

/// A measure with the ranges of its values and of the difference.
pub(super) struct Measure<'a> {
    pub(super) figure: &'a Figure,
    /// The range of the difference.
    pub(super) range: (f64, f64),
    /// The range of the values in both versions.
    pub(super) own: (f64, f64),
}

/// Compares two versions from pairs of runs.
///
/// # Errors
///
/// Returns the first measure that cannot be compared.
pub fn compare(a: &Scenario, b: &Scenario, question: Question, watch: &Watcher<'_>) -> Result<Comparison, Unfit> {
    compare_until(a, b, question, watch, question.runs)
}

/// Compares like [`compare`], but stops after `until` pairs, at least 1. The result is the interim result of the whole
/// question at that point.
///
/// # Errors
///
/// Returns the first measure that cannot be compared.
pub fn compare_until(
    a: &Scenario,
    b: &Scenario,
    question: Question,
    watch: &Watcher<'_>,
    until: u64,
) -> Result<Comparison, Unfit> {
    let measures = measures(a, b)?;
    Ok(paired([a, b], &measures, (question, until), watch))
}

/// Returns the first measure that cannot be compared from runs, if any.
pub fn unfit(a: &Scenario, b: &Scenario) -> Option<Unfit> {
    measures(a, b).err()
}

/// Returns the first measure whose values are not numbers of the same type in both versions, if any.
pub fn not_numbers(a: &Scenario, b: &Scenario) -> Option<Unfit> {
    let mut both = a.plan.report.iter().zip(&b.plan.report).enumerate();
    let (at, (figure, _)) = both.find(|(_, (figure, other))| !both_numbers(figure, other))?;
    Some(Unfit { at, why: format!("`{}` {NO_NUMBER}", figure.text) })
}

/// Returns the default margin within which a measure counts as the same: a hundredth of the range of its values.
pub fn same_within(range: (f64, f64)) -> f64 {
    ((range.1 - range.0) / 100.0).max(f64::MIN_POSITIVE)
}

/// Returns the range of the primary measure over all versions, or `None` if it is unbounded.
fn range_of(versions: &[&Scenario]) -> Option<(f64, f64)> {
    let mut ranges = versions.iter().map(|v| {
        let figure = v.plan.report.first()?;
        let (low, high) = figure.bounds?;
        Some((super::estimate::shown(&figure.asked.ty, low), super::estimate::shown(&figure.asked.ty, high)))
    });
    let first = ranges.next()??;
    ranges.try_fold(first, |all, one| one.map(|one| (all.0.min(one.0), all.1.max(one.1))))
}

/// Returns the margin of the primary measure: the requested one, or [`same_within`] of its range over all versions.
/// Returns `None` if neither exists.
fn within_of(versions: &[&Scenario], asked: Question) -> Option<f64> {
    asked.within.or_else(|| range_of(versions).map(same_within))
}

/// Returns the measures of both scenarios, or the first one that cannot be compared.
pub(super) fn measures<'a>(a: &'a Scenario, b: &Scenario) -> Result<Vec<Measure<'a>>, Unfit> {
    let both = a.plan.report.iter().zip(&b.plan.report).enumerate();
    let measure = |(at, (figure, other)): (usize, (&'a Figure, &Figure))| {
        let unfit = |why: &str| Unfit { at, why: format!("`{}` {why}", figure.text) };
        if figure.asked.given.is_some() {
            return Err(unfit("counts only some runs, but a pair is compared as a whole; remove `given`"));
        }
        if !both_numbers(figure, other) {
            return Err(unfit(NO_NUMBER));
        }
        let (Some(x), Some(y)) = (figure.bounds, other.bounds) else {
            let bounded = format!("`min(max({}, 0), 40)`", figure.expr);
            return Err(unfit(&format!(
                "has no bounds, so nothing can be said of its mean from runs; write {bounded}"
            )));
        };
        let [a, b] = [x, y].map(|(low, high)| [low, high].map(|r| super::estimate::shown(&figure.asked.ty, r)));
        Ok(Measure { figure, range: (b[0] - a[1], b[1] - a[0]), own: (a[0].min(b[0]), a[1].max(b[1])) })
    };
    both.map(measure).collect()
}

/// The reason for a measure whose values cannot be subtracted.
const NO_NUMBER: &str = "is not a number or a condition in both versions; write a condition, such as `x == Case`";

/// Returns whether the values of a measure are numbers of the same type, or conditions, in both versions.
fn both_numbers(figure: &Figure, other: &Figure) -> bool {
    let number = |f: &Figure| matches!(f.asked.ty, Type::Int(_) | Type::Length | Type::Ratio | Type::Flag);
    number(figure) && number(other) && same_sort(&figure.asked.ty) == same_sort(&other.asked.ty)
}

/// Returns a class of types whose values can be subtracted from each other.
fn same_sort(ty: &Type) -> u8 {
    match ty {
        Type::Flag => 0,
        Type::Length => 1,
        Type::Ratio => 2,
        _ => 3,
    }
}

/// Plays pairs of runs on the same dice until the gatherer has enough of them.
fn paired(
    [a, b]: [&Scenario; 2],
    measures: &[Measure<'_>],
    (asked, until): (Question, u64),
    watch: &Watcher<'_>,
) -> Comparison {
    let mut workers: Vec<Pair<'_>> = (0..asked.threads.max(1)).map(|_| Pair::new(a, b, asked)).collect();
    let mut gatherer = PairGatherer::of(measures, asked, until);
    while let Some(goal) = gatherer.goal() {
        let reached = batch(&mut workers, gatherer.runs()..goal, asked.chunk.max(1), watch);
        gatherer.take(measures, drained(&mut workers), reached);
        if reached < goal {
            break;
        }
    }
    gatherer.result([a, b], measures)
}

/// Plays some of the pairs of a comparison, and returns their counts: one part for each range between two numbers of
/// pairs at which the comparison examines its counts. Returns `None` if `watch` ends the runs.
pub fn pair_parts(
    [a, b]: [&Scenario; 2],
    asked: Question,
    runs: Range<u64>,
    watch: &Watcher<'_>,
) -> Option<Vec<(Range<u64>, PairCounts)>> {
    let mut workers: Vec<Pair<'_>> = (0..asked.threads.max(1)).map(|_| Pair::new(a, b, asked)).collect();
    let marks = marks(asked.runs, true);
    let part = |runs: Range<u64>| {
        let reached = batch(&mut workers, runs.clone(), asked.chunk.max(1), watch);
        (reached == runs.end).then(|| (runs, drained(&mut workers)))
    };
    split_at(&marks, runs).map(part).collect()
}

/// The result of the test of one measure.
struct Primary {
    found: Found,
    wide: ((f64, f64), f64),
    /// Estimated number of further pairs that would decide the measure.
    more: Option<u64>,
}

impl Primary {
    fn of(test: &Test, difference: &Tally, seen: Seen, within: f64, asked: Question) -> Primary {
        let found = test.found(difference, seen);
        let near = test.interval(difference, 2.0 * BETA);
        let mean = test.mean(difference).filter(|_| seen == Seen::Open);
        let more = mean.and_then(|mean| more_runs(difference.counted, mean, found.interval, Some((near, within))));
        let wide = (test.interval(difference, asked.alpha()), asked.alpha());
        Primary { found, wide, more }
    }
}

/// Returns whether the mean of the measure can hide a change of its distribution.
fn has_spread(m: &Measure<'_>) -> bool {
    m.figure.asked.ty != Type::Flag
}

/// Returns the error rate of each measure after the first and of each spread (Bonferroni).
fn side_alpha(measures: &[Measure<'_>], asked: Question) -> f64 {
    let sides = measures.len().saturating_sub(1) + measures.iter().filter(|m| has_spread(m)).count();
    asked.alpha() / sides.max(1) as f64
}

/// Computes the effect on each measure. The measures after the first and all spreads share a separate error rate.
fn effects(
    measures: &[Measure<'_>],
    counts: &[MeasureCounts],
    mut primary: Option<Primary>,
    asked: Question,
) -> Vec<Effect> {
    let alpha = side_alpha(measures, asked);
    let effect = |(m, c): (&Measure<'_>, &MeasureCounts)| {
        let ty = &m.figure.asked.ty;
        let means = [&c.a, &c.b, &c.difference].map(|tally| {
            let numbers = tally.numbers(*ty == Type::Ratio)?;
            mean(&numbers).map(|value| super::estimate::shown(ty, value))
        });
        let means = match means {
            [Some(a), Some(b), Some(difference)] => Some([a, b, difference]),
            _ => None,
        };
        let Primary { found, wide, more } = primary.take().unwrap_or_else(|| side(m, c, means, alpha, asked));
        Effect {
            text: m.figure.text.clone(),
            ty: ty.clone(),
            share: *ty == Type::Flag,
            means,
            interval: found.interval,
            alpha: found.alpha,
            wide,
            discordant: c.discordant(*ty == Type::Ratio),
            values: [c.a.clone(), c.b.clone()],
            judgement: Judgement::of(found.seen),
            good: m.figure.good,
            more,
            spread: if has_spread(m) { spread::shown_of(m, &c.both, alpha, asked.runs) } else { None },
        }
    };
    measures.iter().zip(counts).map(effect).collect()
}

/// Tests a measure after the first.
fn side(m: &Measure<'_>, c: &MeasureCounts, means: Option<[f64; 3]>, alpha: f64, asked: Question) -> Primary {
    let found = side_found(m, c, alpha, asked);
    let mean = means.filter(|_| found.seen == Seen::Open).map(|[_, _, difference]| difference);
    Primary {
        found,
        wide: (found.interval, alpha),
        more: mean.and_then(|mean| more_runs(c.difference.counted, mean, found.interval, None)),
    }
}

/// Computes the interval of a measure after the first, and the verdict.
fn side_found(m: &Measure<'_>, c: &MeasureCounts, alpha: f64, asked: Question) -> Found {
    let ty = &m.figure.asked.ty;
    let sequence = Sequence::new(m.range.0, m.range.1, asked.runs);
    let values = c.difference.numbers(*ty == Type::Ratio).and_then(|n| sequence.take(&shown_all(ty, &n)));
    let interval = values.map_or(m.range, |values| sequence.interval(&values, Level { alpha, ..Level::USUAL }));
    Found { seen: Seen::of(interval), interval, alpha }
}

/// Returns whether all measures after the first are decided. Their intervals are valid at every interim analysis.
fn sides_decided(measures: &[Measure<'_>], counts: &[MeasureCounts], asked: Question) -> bool {
    let alpha = side_alpha(measures, asked);
    let mut sides = measures.iter().zip(counts).skip(1);
    sides.all(|(m, c)| side_found(m, c, alpha, asked).seen != Seen::Open)
}
