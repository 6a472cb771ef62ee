//! Measures the effect of each reading of a book on one scenario: compares every alternative with the baseline, which
//! is the scenario with its own readings.
//!
//! A reading that no code of the scenario uses provably has no effect. If both versions have exact answers, the effect
//! is the difference of the two. Otherwise it is estimated from the same runs on the same dice (common random numbers),
//! played once with the baseline and once with each alternative.

#![allow(clippy::float_arithmetic)] // for intervals only, see `stats`

use super::batch::{ALL_FAIL, Watcher, Work, batch};
use super::compare::{ALPHA, Cells, Measure, Several, Unfit, difference, measures, same_within};
use super::estimate::{shown, shown_all};
use super::stats::{Level, Seen, Sequence, more_runs};
use super::tally::{Tally, mean};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic};
use grognard_odds::{Budget, Distribution, Limit};
use grognard_play::odds::{ExactFigure, NotExact, whole};
use grognard_program::settings_reached;
use grognard_scenario::{Prepared, Scenario};
use grognard_vm::Fault;
use num_bigint::BigUint;

/// The methods for measuring effects.
#[derive(Clone, Debug)]
pub struct ReadingSettings {
    /// The budget of each exact answer, or `None` to skip exact answers.
    pub exact: Option<Budget>,
    /// The settings for sampling what has no exact answer, or `None` to skip sampling.
    pub sampled: Option<super::Settings>,
    /// The margin of the first measure, as a share or in its own unit [default: a hundredth of its range].
    pub within: Option<f64>,
}

/// An alternative of a reading that differs from the baseline.
#[derive(Clone, Debug)]
pub struct Turned {
    /// The reading.
    pub setting: SettingId,
    /// The index of the alternative.
    pub alternative: usize,
    /// The index of the baseline's alternative, or `None` if its value is not an alternative.
    pub current: Option<usize>,
    /// The effect of the alternative.
    pub outcome: Outcome,
}

/// The effect of an alternative.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No effect: no code reachable from the scenario reads the setting.
    Unread,
    /// The scenario cannot be set up with the alternative.
    Unset(Vec<Diagnostic>),
    /// Differences of exact answers, one for each measure.
    Exact(Vec<Exact>),
    /// The exact answer exceeds the budget, and sampling was not requested.
    Beyond,
    /// Estimates from pairs of runs.
    Sampled(Pairs),
}

/// The difference of two exact answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The mean or probability with the alternative minus that of the baseline; lengths in thousandths of an inch.
    pub difference: Fraction,
    /// Whether the two distributions are equal.
    pub same: bool,
}

/// The estimates from pairs of runs.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// Number of pairs in which neither run ended in an error.
    pub counted: u64,
    /// Number of pairs in which a run ended in an error.
    pub faults: u64,
    /// The number of the first such pair, and the error.
    pub first_fault: Option<(u64, Fault)>,
    /// The effects, one for each measure.
    pub effects: Vec<ReadingEffect>,
}

/// An estimate of a difference; lengths in inches.
#[derive(Clone, Debug)]
pub struct ReadingEffect {
    /// The mean difference, or `None` without pairs or on overflow.
    pub difference: Option<f64>,
    /// The ends of the confidence interval.
    pub interval: (f64, f64),
    /// Number of pairs in which the values differ.
    pub discordant: u64,
    /// The verdict on the difference.
    pub seen: Seen,
    /// The margin below which a difference does not matter: the requested one, or a hundredth of the range of the
    /// measure.
    pub within: f64,
    /// Estimated number of further pairs that would decide an open verdict, or `None` if it has no such bound.
    pub more: Option<u64>,
}

/// The value of a measure in the baseline.
#[derive(Clone, Debug)]
pub enum Base {
    /// An exact mean or probability; lengths in thousandths of an inch.
    Exact(Fraction),
    /// The mean of the runs and their number; lengths in inches.
    Sampled(Option<f64>, u64),
}

/// A measure with its baseline.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The source text of the measure.
    pub text: String,
    /// The type of the measure. A condition is measured by its probability.
    pub ty: Type,
    /// The value in the baseline.
    pub base: Base,
}

/// The effects of all readings on a scenario.
#[derive(Clone, Debug)]
pub struct Readings {
    pub measures: Vec<Measured>,
    /// The alternatives, in the order of the rules.
    pub turned: Vec<Turned>,
    /// Number of states explored for all exact answers together.
    pub states: usize,
    /// Number of pairs of runs for each sampled alternative.
    pub runs: u64,
    /// Error rate of each interval. All intervals together have the error rate [`ALPHA`].
    pub alpha: f64,
    /// The limit that ended the exact answer to the baseline, if any.
    pub ended_by: Option<Limit>,
    /// Whether the watcher stopped the work.
    pub stopped: bool,
}

impl Readings {
    /// Returns whether there are alternatives and no reachable code reads any of them.
    pub fn unread(&self) -> bool {
        !self.turned.is_empty() && self.turned.iter().all(|turned| matches!(turned.outcome, Outcome::Unread))
    }
}

/// The reason why no effect can be measured.
#[derive(Clone, Debug)]
pub enum Misfit {
    /// The baseline cannot be set up, or ends in an error.
    Table(Vec<Diagnostic>),
    /// A measure cannot be sampled.
    Measure(Unfit),
    /// The baseline has no exact answer, for this reason, and sampling was not requested.
    Beyond(NotExact),
}

/// A callback that receives the interim results.
pub type Teller<'t> = &'t mut dyn FnMut(&Readings);

/// Measures the effect of each alternative of every reading in `wanted` on the measures of the report.
///
/// # Errors
///
/// Returns the reason if the baseline or a measure is unusable.
pub fn readings(
    table: &Prepared,
    wanted: &[SettingId],
    how: ReadingSettings,
    watch: &Watcher<'_>,
) -> Result<Readings, Misfit> {
    let runs = how.sampled.map_or(0, |sampled| sampled.runs);
    readings_until(table, wanted, how, watch, (&[runs], &mut |_| {}))
}

/// Measures effects like [`readings`]. During sampling, it passes the interim results to `tell` after each number of
/// runs in `marks` except the last.
///
/// # Errors
///
/// Returns the reason if the baseline or a measure is unusable.
pub fn readings_until(
    table: &Prepared,
    wanted: &[SettingId],
    how: ReadingSettings,
    watch: &Watcher<'_>,
    (marks, tell): (&[u64], Teller<'_>),
) -> Result<Readings, Misfit> {
    let base = table.clone().settle().map_err(Misfit::Table)?;
    let reached = settings_reached(&base.game.program);
    let mut scenes: Vec<(usize, Scenario)> = Vec::new();
    let mut turned = Vec::new();
    for setting in wanted {
        let info = &table.rules().settings[setting.at()];
        let own = base.game.setting(*setting);
        let current = info.alternatives.iter().position(|(cells, _)| cells.as_slice() == own);
        for (alternative, (cells, _)) in
            info.alternatives.iter().enumerate().filter(|(_, (cells, _))| cells.as_slice() != own)
        {
            let outcome = if !reached.contains(*setting) {
                Outcome::Unread
            } else {
                match table.with(&[(*setting, cells.clone())]) {
                    Err(problems) => Outcome::Unset(problems),
                    Ok(scene) => {
                        scenes.push((turned.len(), scene));
                        Outcome::Beyond
                    }
                }
            };
            turned.push(Turned { setting: *setting, alternative, current, outcome });
        }
    }
    let mut found =
        Readings { measures: Vec::new(), turned, states: 0, runs: 0, alpha: ALPHA, ended_by: None, stopped: false };
    let (mut exact, mut why) = (None, NotExact::from(""));
    if let Some(budget) = how.exact {
        match computed(&base, budget.clone(), &mut found.states) {
            Ok(own) => exact = Some((budget, own)),
            Err(reason) => {
                found.ended_by = reason.ended_by;
                why = reason;
            }
        }
    }
    if let Some((budget, own)) = &exact {
        let mut left = Vec::new();
        for (n, scene) in scenes {
            if !watch(0) {
                found.stopped = true;
                break;
            }
            let Ok(other) = computed(&scene, budget.clone(), &mut found.states) else {
                left.push((n, scene));
                continue;
            };
            let pairs = own.iter().zip(&other);
            found.turned[n].outcome = Outcome::Exact(pairs.filter_map(|(a, b)| against(a, b)).collect());
        }
        scenes = left;
    }
    let measure = |(n, f): (usize, &grognard_scenario::Figure)| {
        let known = exact.as_ref().and_then(|(_, own)| own[n].mean.clone());
        let base = known.map_or(Base::Sampled(None, 0), Base::Exact);
        Measured { text: f.text.clone(), ty: f.asked.ty.clone(), base }
    };
    found.measures = base.plan.report.iter().enumerate().map(measure).collect();
    let Some(settings) = how.sampled.filter(|_| !found.stopped) else {
        return if exact.is_none() { Err(Misfit::Beyond(why)) } else { Ok(found) };
    };
    if !scenes.is_empty() || exact.is_none() {
        for (n, mark) in marks.iter().enumerate() {
            let settings = super::Settings { runs: *mark, ..settings };
            sampled(&base, &scenes, (settings, how.within), watch, &mut found)?;
            if n + 1 < marks.len() {
                tell(&found);
            }
        }
    }
    Ok(found)
}

/// Compares an alternative with the baseline in one measure. Returns `None` if either has no mean.
fn against(own: &ExactFigure, other: &ExactFigure) -> Option<Exact> {
    let (current, turned) = (own.mean.as_ref()?, other.mean.as_ref()?);
    let same = match (&own.found, &other.found) {
        (Some(a), Some(b)) => alike(a, b),
        _ => current == turned,
    };
    Some(Exact { difference: turned - current, same })
}

/// Returns whether two distributions are equal.
fn alike(a: &Distribution, b: &Distribution) -> bool {
    let share = |weight: &BigUint, whole: &BigUint| weight * whole;
    let pairs = || a.outcomes.iter().zip(&b.outcomes);
    a.outcomes.len() == b.outcomes.len()
        && pairs().all(|(x, y)| x.worth == y.worth && share(&x.weight, &b.whole) == share(&y.weight, &a.whole))
}

/// Returns the exact answers to all measures and adds the states explored to `states`. It is an error if a measure has no
/// exact answer or no mean.
fn computed(scenario: &Scenario, budget: Budget, states: &mut usize) -> Result<Vec<ExactFigure>, NotExact> {
    let found = whole(scenario, budget)?;
    *states += found.positions;
    match found.figures.iter().all(|f| f.mean.is_some()) {
        true => Ok(found.figures),
        false => Err("some of the requested values have no mean".into()),
    }
}

/// Plays every run with the baseline and with each alternative, and stores the estimates in `found`.
fn sampled(
    base: &Scenario,
    scenes: &[(usize, Scenario)],
    (how, within): (super::Settings, Option<f64>),
    watch: &Watcher<'_>,
    found: &mut Readings,
) -> Result<(), Misfit> {
    let both: Result<Vec<Vec<Measure<'_>>>, _> = scenes.iter().map(|(_, scene)| measures(base, scene)).collect();
    let ranges = both.map_err(Misfit::Measure)?;
    let mut workers: Vec<Turns<'_>> = (0..how.threads.max(1)).map(|_| Turns::new(base, scenes, how.seed)).collect();
    let early = ALL_FAIL.min(how.runs);
    let mut done = batch(&mut workers, 0..early, how.chunk.max(1), watch);
    let first = Turns::all(base, scenes, how.seed, &workers);
    // rules that end each of the first runs in an error are assumed to do so in later runs
    let fails: Vec<bool> = first.counts.iter().map(|counts| counts.faults == early).collect();
    let base_fails = early > 0 && first.base_faults == early;
    if done == early && !base_fails && (fails.is_empty() || fails.contains(&false)) {
        workers.iter_mut().for_each(|worker| worker.fails.clone_from(&fails));
        done = batch(&mut workers, early..how.runs, how.chunk.max(1), watch);
        found.stopped = done < how.runs;
    } else {
        found.stopped = done < early;
    }
    found.runs = done;
    let all = Turns::all(base, scenes, how.seed, &workers);
    for (measure, tally) in found.measures.iter_mut().zip(&all.own) {
        if let Base::Sampled(value, counted) = &mut measure.base {
            *counted = tally.counted;
            *value = tally.numbers(measure.ty == Type::Ratio).and_then(|n| mean(&n)).map(|m| shown(&measure.ty, m));
        }
    }
    let intervals = scenes.len() * found.measures.len();
    found.alpha = ALPHA / intervals.max(1) as f64;
    let level = Level { alpha: found.alpha, ..Level::USUAL };
    for (((n, _), counts), ranges) in scenes.iter().zip(all.counts).zip(&ranges) {
        let effects = ranges.iter().zip(&counts.differences).enumerate().map(|(n, (m, tally))| {
            let within = within.filter(|_| n == 0).unwrap_or_else(|| same_within(m.own));
            m.effect(tally, how.runs, level, within)
        });
        found.turned[*n].outcome = Outcome::Sampled(Pairs {
            counted: counts.pairs,
            faults: counts.faults,
            effects: effects.collect(),
            first_fault: counts.first_fault,
        });
    }
    Ok(())
}

impl Measure<'_> {
    /// Estimates the effect from the differences of at most `most` pairs.
    fn effect(&self, differences: &Tally, most: u64, level: Level, within: f64) -> ReadingEffect {
        let ty = &self.figure.asked.ty;
        let numbers = differences.numbers(*ty == Type::Ratio);
        let sequence = Sequence::new(self.range.0, self.range.1, most);
        let values = numbers.as_ref().and_then(|n| sequence.take(&shown_all(ty, n)));
        let same: u64 =
            numbers.iter().flatten().filter(|(value, _)| *value == Ratio::ZERO).map(|(_, times)| times).sum();
        let difference = numbers.and_then(|n| mean(&n)).map(|m| shown(ty, m));
        let interval = values.map_or(self.range, |values| sequence.interval(&values, level));
        let seen = match Seen::of(interval) {
            Seen::Open if -within < interval.0 && interval.1 < within => Seen::Same,
            seen => seen,
        };
        let open = difference.filter(|_| seen == Seen::Open);
        let more = open.and_then(|mean| more_runs(differences.counted, mean, interval, Some((interval, within))));
        ReadingEffect { difference, interval, discordant: differences.counted - same, seen, within, more }
    }
}

/// The counts of one alternative.
#[derive(Clone, Debug, Default)]
struct TurnCounts {
    /// Pairs in which neither run ended in an error.
    pairs: u64,
    differences: Vec<Tally>,
    faults: u64,
    first_fault: Option<(u64, Fault)>,
}

impl TurnCounts {
    fn new(base: &Scenario) -> TurnCounts {
        TurnCounts { differences: vec![Tally::default(); base.plan.report.len()], ..TurnCounts::default() }
    }

    fn fail(&mut self, run: u64, fault: &Fault) {
        self.faults += 1;
        if self.first_fault.as_ref().is_none_or(|(first, _)| run < *first) {
            self.first_fault = Some((run, fault.clone()));
        }
    }
}

/// A worker that plays each run with the baseline and with each alternative.
struct Turns<'a> {
    several: Several<'a>,
    own: Vec<Tally>,
    /// Number of runs of the baseline that ended in an error.
    base_faults: u64,
    counts: Vec<TurnCounts>,
    /// Whether each alternative is no longer played because all its runs ended in an error.
    fails: Vec<bool>,
}

impl<'a> Turns<'a> {
    fn new(base: &'a Scenario, scenes: &'a [(usize, Scenario)], seed: u64) -> Turns<'a> {
        let versions: Vec<&Scenario> = [base].into_iter().chain(scenes.iter().map(|(_, scene)| scene)).collect();
        let several = Several::new(&versions, seed);
        let own = vec![Tally::default(); several.measures()];
        let counts = vec![TurnCounts::new(base); scenes.len()];
        Turns { several, own, base_faults: 0, counts, fails: vec![false; scenes.len()] }
    }

    /// Adds up the counts of all workers.
    fn all(base: &'a Scenario, scenes: &[(usize, Scenario)], seed: u64, workers: &[Turns<'_>]) -> Turns<'a> {
        let mut all = Turns::new(base, &[], seed);
        all.counts = vec![TurnCounts::new(base); scenes.len()];
        workers.iter().for_each(|worker| all.join(worker));
        all
    }

    /// Adds the counts of another worker.
    fn join(&mut self, other: &Turns<'_>) {
        self.own.iter_mut().zip(&other.own).for_each(|(all, part)| all.merge(part));
        self.base_faults += other.base_faults;
        for (all, part) in self.counts.iter_mut().zip(&other.counts) {
            all.differences.iter_mut().zip(&part.differences).for_each(|(all, part)| all.merge(part));
            all.pairs += part.pairs;
            let faults = all.faults + part.faults;
            if let Some((run, fault)) = &part.first_fault {
                all.fail(*run, fault);
            }
            all.faults = faults;
        }
    }

    /// Plays a run of the baseline. Returns `false` if it ends in an error.
    fn as_it_stands(&mut self, run: u64) -> bool {
        let played = self.several.play(0, run);
        match &played {
            Err(fault) => {
                self.base_faults += 1;
                let counts = self.counts.iter_mut().zip(&self.fails).filter(|(_, fails)| !**fails);
                counts.for_each(|(counts, _)| counts.fail(run, fault));
            }
            Ok(()) => {
                let own = self.own.iter_mut().zip(self.several.values(0));
                own.for_each(|(tally, cells)| cells.into_iter().for_each(|cells| tally.add(cells)));
            }
        }
        played.is_ok()
    }

    /// Plays a run with alternative `n`.
    fn turned(&mut self, run: u64, n: usize) {
        let played = self.several.play(n + 1, run);
        let counts = &mut self.counts[n];
        let pairs = self.several.values(0).zip(self.several.values(n + 1));
        let differences = played.and_then(|()| {
            let all: Option<Vec<Cells>> = pairs.map(|(a, b)| difference(a, b)).collect();
            all.ok_or_else(|| Fault::new(Code::Overflow, "the difference of the two readings grows too large"))
        });
        match differences {
            Err(fault) => counts.fail(run, &fault),
            Ok(differences) => {
                counts.pairs += 1;
                let pairs = counts.differences.iter_mut().zip(differences);
                pairs.for_each(|(tally, (cells, width))| tally.add(&cells[..width]));
            }
        }
    }
}

impl Work for Turns<'_> {
    fn steps(&self) -> u64 {
        self.several.steps()
    }

    fn expect(&mut self, runs: u64) {
        self.several.expect(runs);
    }

    fn run(&mut self, run: u64) -> bool {
        if self.as_it_stands(run) {
            for n in 0..self.counts.len() {
                if !self.fails[n] {
                    self.turned(run, n);
                }
            }
        }
        true
    }
}
