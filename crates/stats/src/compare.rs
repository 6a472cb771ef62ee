//! Two versions of the rules on one table: the difference of what both come to exactly; or the same runs with both, the
//! same dice for the same rolls, and what differs.

#![allow(clippy::float_arithmetic)] // for intervals only, see `stats`

mod contrast;
#[doc(hidden)]
pub mod exact;
mod first;
mod several;
mod spread;
mod test;
mod together;

use super::batch::{ALL_FAIL, Watcher, Work, batch, looks};
use super::estimate::shown_all;
use super::stats::{Found, Level, Seen, Sequence, more_runs};
use super::tally::{Tally, mean};
pub use contrast::{Basis, Contrast, Contrasts, Size, exact_contrasts, sampled_contrasts};
pub use exact::{ExactEffect, Exactly, exactly};
pub use first::{Differing, first_differing};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_play::{NoDecision, named, undecided};
use grognard_scenario::{Figure, Good, Scenario};
use grognard_vm::Fault;
use several::sum;
pub(super) use several::{Cells, Several};
pub use spread::Spread;
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
    /// B throws dice of its own. Then more runs are needed for the same verdict.
    pub unpaired: bool,
    /// Comparisons, 1 or more, that are to be wrong together no more often than one alone would be: each takes its part
    /// of [`ALPHA`] (Bonferroni).
    pub family: u64,
    /// Pairs are played until every measure is decided, not the primary one alone.
    pub every: bool,
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
    /// True if the primary measure is undecided; of `every`, if one of all measures is.
    pub fn is_undecided(&self, every: bool) -> bool {
        let judged: Vec<Judgement> = match self {
            Compared::Exact(found) => found.effects.iter().map(|e| e.judgement).collect(),
            Compared::Sampled(found) => found.effects.iter().map(|e| e.judgement).collect(),
        };
        judged.iter().take(if every { usize::MAX } else { 1 }).any(|judged| *judged == Judgement::Undecided)
    }
}

/// What is said of B against A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// There is more of it in B.
    More,
    /// There is less of it in B.
    Less,
    /// The difference is less than what was asked about.
    Same,
    /// Not to be told after all runs that were allowed.
    Undecided,
}

impl Judgement {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Judgement::More => "more",
            Judgement::Less => "less",
            Judgement::Same => "same",
            Judgement::Undecided => "undecided",
        }
    }

    /// Whether B is better, where somebody said which direction is good and there is a difference.
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
    /// The ends of an interval of the difference that holds at every look. What is said of the effect is read off it.
    pub interval: (f64, f64),
    /// How often that interval may miss.
    pub alpha: f64,
    /// An interval at the level that nothing but the number of questions sets, whatever the verdict is, and how often it
    /// may miss: what several scenarios are taken together by.
    pub wide: ((f64, f64), f64),
    /// Pairs that differ.
    pub discordant: u64,
    /// How often each value came in A and in B.
    pub values: [Tally; 2],
    /// What is said of it.
    pub judgement: Judgement,
    /// Which direction is good, if somebody said so.
    pub good: Option<Good>,
    /// About how many more pairs would decide it, where it is undecided and there is an end to that.
    pub more: Option<u64>,
    /// Where values come more or less often in B whatever the means are, if that was shown.
    pub spread: Option<Spread>,
}

/// Number of runs of each version in which undecided answers are counted.
const LOOKED_AT: u64 = 20;

/// What came of pairs of runs.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The margin of the primary measure.
    pub within: f64,
    /// Between which values the primary measure lies in both versions, if the margin is a hundredth of that.
    pub range: Option<(f64, f64)>,
    /// Pairs that were run: those numbered from 0.
    pub pairs: u64,
    /// Pairs in which a run ended in an error. They count for no measure.
    pub faults: u64,
    /// The first of them, whether it was in B, and its error.
    pub first_fault: Option<(u64, bool, Fault)>,
    /// The effects; the first is the primary one. The others, and what is said of spreads, share one error rate.
    pub effects: Vec<Effect>,
    /// Somebody stopped it.
    pub stopped: bool,
    /// Choices that have no decider in the first runs of A and of B, and the number of these runs.
    pub undecided: ([Vec<NoDecision>; 2], u64),
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
    /// Of the difference.
    pub(super) range: (f64, f64),
    /// Of the values, in both versions.
    pub(super) own: (f64, f64),
}

/// Compares two versions from pairs of runs.
pub fn compare(a: &Scenario, b: &Scenario, question: Question, watch: &Watcher<'_>) -> Result<Comparison, Unfit> {
    compare_until(a, b, question, watch, question.runs)
}

/// The same up to so many pairs, 1 or more. What is told there is what the whole question comes to by then.
pub fn compare_until(
    a: &Scenario,
    b: &Scenario,
    question: Question,
    watch: &Watcher<'_>,
    until: u64,
) -> Result<Comparison, Unfit> {
    let measures = measures(a, b)?;
    Ok(paired(a, b, &measures, (question, until), watch))
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
    ((range.1 - range.0) / 100.0).max(f64::MIN_POSITIVE)
}

/// The range of the values of the primary measure in all versions; none if nothing bounds it.
fn range_of(versions: &[&Scenario]) -> Option<(f64, f64)> {
    let mut ranges = versions.iter().map(|v| {
        let figure = v.plan.report.first()?;
        let (low, high) = figure.bounds?;
        Some((super::estimate::shown(&figure.asked.ty, low), super::estimate::shown(&figure.asked.ty, high)))
    });
    let first = ranges.next()??;
    ranges.try_fold(first, |all, one| one.map(|one| (all.0.min(one.0), all.1.max(one.1))))
}

/// The margin of the primary measure: what was asked for, or [`same_within`] in all of these versions; none if nothing
/// bounds the measure.
fn within_of(versions: &[&Scenario], asked: Question) -> Option<f64> {
    asked.within.or_else(|| range_of(versions).map(same_within))
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
            let bounded = format!("`min(max({}, 0), 40)`", figure.text);
            return Err(unfit(&format!(
                "has no bounds, so nothing can be said of its mean from runs; write {bounded}"
            )));
        };
        let [a, b] = [x, y].map(|(low, high)| [low, high].map(|r| super::estimate::shown(&figure.asked.ty, r)));
        Ok(Measure { figure, range: (b[0] - a[1], b[1] - a[0]), own: (a[0].min(b[0]), a[1].max(b[1])) })
    };
    both.map(measure).collect()
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

/// Pairs of runs on the same dice, until the primary measure is decided (or every one, if that is asked) or the pairs are
/// used up.
fn paired(
    a: &Scenario,
    b: &Scenario,
    measures: &[Measure<'_>],
    (asked, until): (Question, u64),
    watch: &Watcher<'_>,
) -> Comparison {
    let own = measures.first().map_or((0.0, 0.0), |m| m.own);
    let within = asked.within.unwrap_or_else(|| same_within(own));
    let mut test = measures.first().map(|m| Test::new(&m.figure.asked.ty, m.range, within, asked.runs, asked.alpha()));
    let mut workers: Vec<Pair<'_>> = (0..asked.threads.max(1)).map(|_| Pair::new(a, b, asked)).collect();
    let mut done = 0;
    let mut counts = gathered(&workers, measures.len());
    let mut seen = Seen::Open;
    let mut stopped = false;
    let early = (asked.runs > ALL_FAIL).then_some(ALL_FAIL);
    for mark in early.into_iter().chain(looks(asked.runs)) {
        let goal = mark.min(until);
        done = batch(&mut workers, done..goal, asked.chunk.max(1), watch);
        counts = gathered(&workers, measures.len());
        stopped = done < goal;
        let Some((test, first)) = test.as_mut().zip(counts.first()) else { continue };
        if stopped || first.difference.counted == 0 {
            break;
        }
        if early != Some(mark) && goal == mark {
            seen = test.look(&first.difference);
        }
        let decided = seen != Seen::Open && (!asked.every || sides_decided(measures, &counts, asked));
        if decided || goal == until {
            break;
        }
    }
    let looked_at = done.min(LOOKED_AT);
    let first_fault = workers.iter().filter_map(|w| w.first_fault.clone()).min_by_key(|(run, in_b, _)| (*run, *in_b));
    let found =
        test.zip(counts.first()).map(|(test, first)| Primary::of(&test, &first.difference, seen, within, asked));
    Comparison {
        within,
        range: asked.within.is_none().then_some(own),
        pairs: done,
        faults: workers.iter().map(|w| w.faults).sum(),
        first_fault,
        effects: effects(measures, &counts, found, asked),
        stopped,
        undecided: ([a, b].map(|side| named(&side.game.program, &undecided(side, asked.seed, looked_at))), looked_at),
    }
}

/// What the test of the primary measure came to.
struct Primary {
    found: Found,
    wide: ((f64, f64), f64),
    /// About how many more pairs would decide it.
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

/// True if the mean of this measure may hide a change of its values.
fn has_spread(m: &Measure<'_>) -> bool {
    m.figure.asked.ty != Type::Flag
}

/// How often one of the measures after the first, or of the spreads, may be found to differ where it does not.
fn side_alpha(measures: &[Measure<'_>], asked: Question) -> f64 {
    let sides = measures.len().saturating_sub(1) + measures.iter().filter(|m| has_spread(m)).count();
    asked.alpha() / sides.max(1) as f64
}

/// What is said of each measure. Those after the first, and the spreads of all, share an error rate of their own.
fn effects(
    measures: &[Measure<'_>],
    counts: &[PairCounts],
    mut primary: Option<Primary>,
    asked: Question,
) -> Vec<Effect> {
    let alpha = side_alpha(measures, asked);
    let effect = |(m, c): (&Measure<'_>, &PairCounts)| {
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

/// What is said of a measure after the first.
fn side(m: &Measure<'_>, c: &PairCounts, means: Option<[f64; 3]>, alpha: f64, asked: Question) -> Primary {
    let found = side_found(m, c, alpha, asked);
    let mean = means.filter(|_| found.seen == Seen::Open).map(|[_, _, difference]| difference);
    Primary {
        found,
        wide: (found.interval, alpha),
        more: mean.and_then(|mean| more_runs(c.difference.counted, mean, found.interval, None)),
    }
}

/// The interval of a measure after the first, and what is read off it.
fn side_found(m: &Measure<'_>, c: &PairCounts, alpha: f64, asked: Question) -> Found {
    let ty = &m.figure.asked.ty;
    let sequence = Sequence::new(m.range.0, m.range.1, asked.runs);
    let values = c.difference.numbers(*ty == Type::Ratio).and_then(|n| sequence.take(&shown_all(ty, &n)));
    let interval = values.map_or(m.range, |values| sequence.interval(&values, Level { alpha, ..Level::USUAL }));
    Found { seen: Seen::of(interval), interval, alpha }
}

/// True if all measures after the first are decided. Intervals hold at every look.
fn sides_decided(measures: &[Measure<'_>], counts: &[PairCounts], asked: Question) -> bool {
    let alpha = side_alpha(measures, asked);
    let mut sides = measures.iter().zip(counts).skip(1);
    sides.all(|(m, c)| side_found(m, c, alpha, asked).seen != Seen::Open)
}

/// What was counted of one measure.
#[derive(Clone, Debug, Default)]
struct PairCounts {
    a: Tally,
    b: Tally,
    difference: Tally,
    /// The values of both: the cells of A, then those of B.
    both: Tally,
}

impl PairCounts {
    fn discordant(&self, fraction: bool) -> u64 {
        let none = if fraction { [0, 1].as_slice() } else { &[0] };
        let same = self.difference.values().into_iter().flatten().find(|(cells, _)| *cells == none);
        self.difference.counted - same.map_or(0, |(_, times)| times)
    }
}

fn gathered(workers: &[Pair<'_>], measures: usize) -> Vec<PairCounts> {
    let mut all = vec![PairCounts::default(); measures];
    for worker in workers {
        for (whole, part) in all.iter_mut().zip(&worker.counts) {
            whole.a.merge(&part.a);
            whole.b.merge(&part.b);
            whole.difference.merge(&part.difference);
            whole.both.merge(&part.both);
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
    counts: Vec<PairCounts>,
}

impl<'a> Pair<'a> {
    fn new(a: &'a Scenario, b: &'a Scenario, asked: Question) -> Pair<'a> {
        let both = Several::new(&[a, b], asked.seed);
        let counts = vec![PairCounts::default(); both.measures()];
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
                for (counts, (x, y)) in self.counts.iter_mut().zip(pairs) {
                    let (Some(a), Some(b), Some((cells, width))) = (x, y, difference(x, y)) else { continue };
                    counts.a.add(a);
                    counts.b.add(b);
                    counts.difference.add(&cells[..width]);
                    counts.both.add(&[a, b].concat());
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
