//! Two versions of the rules on one table.

use crate::limits;
use crate::watch::Watching;
use crate::{Effort, Error, Fraction, Progress, Scenario};
use grognard_ask::{Compare, Mode, Unanswered};
use grognard_base as base;
use grognard_stats::compare::Question;
use grognard_stats::{CHUNK, Compared, Judgement};
use serde::Serialize;
use std::ops::ControlFlow;
#[cfg(feature = "report")]
use std::sync::Arc;

/// A question about the difference between two versions, A and B.
#[must_use = "a question does nothing before `compute`"]
#[derive(Clone)]
pub struct CompareRequest<'s> {
    sides: [&'s Scenario; 2],
    of: Vec<String>,
    within: Option<f64>,
    pairs: u64,
    seed: Option<u64>,
    threads: usize,
    mode: Mode,
    effort: Effort,
    every: bool,
    unpaired: bool,
    watching: Watching,
}

impl<'s> CompareRequest<'s> {
    pub(crate) fn new(a: &'s Scenario, b: &'s Scenario) -> CompareRequest<'s> {
        CompareRequest {
            sides: [a, b],
            of: Vec::new(),
            within: None,
            pairs: base::Effort::Usual.pairs(),
            seed: None,
            threads: 1,
            mode: Mode::Auto,
            effort: Effort::default(),
            every: false,
            unpaired: false,
            watching: Watching::default(),
        }
    }

    /// Compares this expression at the end, in place of the reports. Call it again for further measures.
    pub fn of(mut self, expression: &str) -> Self {
        self.of.push(expression.to_string());
        self
    }

    /// Sets the smallest difference of the first measure that matters: a share such as 0.01, or a number. The default is
    /// one percentage point, or a hundredth of the range of a number.
    pub fn within(mut self, margin: f64) -> Self {
        self.within = Some(margin);
        self
    }

    /// Sets the maximum number of pairs of runs, if the odds are too large for an exact answer.
    pub fn pairs(mut self, pairs: u64) -> Self {
        self.pairs = pairs;
        self
    }

    /// Sets the seed of the runs.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Sets the number of threads, at least 1; at most 256 are used. The result does not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the amount of work of the exact answer. The default is [`Effort::Usual`].
    pub fn effort(mut self, effort: Effort) -> Self {
        self.effort = effort;
        self
    }

    /// Answers exactly or not at all. Of `exact` and [`sampled`](CompareRequest::sampled), the last call counts.
    pub fn exact(mut self) -> Self {
        self.mode = Mode::Exact;
        self
    }

    /// Answers from pairs of runs, also where an exact answer is possible. Of this and [`exact`](CompareRequest::exact), the
    /// last call counts.
    pub fn sampled(mut self) -> Self {
        self.mode = Mode::Sampled;
        self
    }

    /// Plays pairs until every measure is decided, not only the first one.
    pub fn every(mut self) -> Self {
        self.every = true;
        self
    }

    /// Rolls separate dice for each version.
    pub fn unpaired(mut self) -> Self {
        self.unpaired = true;
        self
    }

    /// Calls a function now and then during the work, from any thread. It receives the progress, and ends the work with
    /// [`Break`](ControlFlow::Break): the comparison then has the pairs so far.
    pub fn watch(mut self, look: impl Fn(&Progress<'_>) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        self.watching = Watching::new(look);
        self
    }

    /// Compares the versions: exactly if that fits the effort, otherwise from pairs of runs on the same dice, until the
    /// first measure is decided.
    ///
    /// # Errors
    ///
    /// If a measure cannot be compared, a number of the question is out of range, or an exact answer was demanded and is
    /// too large.
    pub fn compute(self) -> Result<Comparison, Error> {
        let watching = self.watching.clone();
        let Versions { scenarios, mut sides, compare } = self.versions(base::Effort::MOST_RUNS)?;
        let mut left_out = Vec::new();
        let mut note = |why: &str| left_out.push(why.to_string());
        let found = compare.answer(&mut sides, &|runs| watching.continues(runs), &mut note, (&[], &mut |_| ()));
        Ok(Comparison::found(&scenarios, compare.question, found.map_err(unanswered)?, left_out))
    }

    /// Checks the question, which has at most `most` pairs.
    pub(crate) fn versions(self, most: u64) -> Result<Versions, Error> {
        let (threads, effort) = (limits::threads(self.threads)?, limits::effort(self.effort)?);
        let pairs = limits::runs(self.pairs, "pairs", most)?;
        self.within.map_or(Ok(()), |margin| limits::width("the margin", margin, false))?;
        let of = |scenario: &Scenario| {
            if self.of.is_empty() { Ok(scenario.clone()) } else { scenario.measuring(self.of.iter().cloned()) }
        };
        let [a, b] = self.sides;
        let (a, b) = (of(a)?, of(b)?);
        let mut sides = [a.plain().scenario.clone(), b.plain().scenario.clone()];
        let [first, second] = &mut sides;
        second.plan.keep_measures(&first.plan);
        first.plan.keep_measures(&second.plan);
        if first.plan.report.is_empty() {
            return Err(Error::input("the two versions have no measure in common", "name a measure with `of`"));
        }
        if sides.iter().any(|side| grognard_ask::asks_person(&side.plan)) {
            return Err(Error::input(grognard_ask::Refused::Person.to_string(), "set a policy by `with_player`"));
        }
        let question = Question {
            seed: self.seed.unwrap_or(sides[0].plan.seed),
            runs: pairs,
            threads,
            chunk: CHUNK,
            within: self.within,
            unpaired: self.unpaired,
            family: 1,
            every: self.every,
        };
        let budget = self.watching.budget(effort.budget());
        let compare = Compare { mode: self.mode, budget, question, named: !self.of.is_empty() };
        Ok(Versions { scenarios: [a, b], sides, compare })
    }
}

/// Two versions whose measures both have, and the question about them.
pub(crate) struct Versions {
    pub scenarios: [Scenario; 2],
    pub sides: [grognard_scenario::Scenario; 2],
    pub compare: Compare,
}

pub(crate) fn unanswered(why: Unanswered) -> Error {
    match why {
        Unanswered::Unfit(why) => Error::input(why, "compare a number or a condition that both versions have"),
        Unanswered::Unbounded(why) => Error::input(why, "write `min(max(x, 0), 40)`, or raise the effort"),
        Unanswered::Beyond(why) => Error::not_exact(&why),
    }
}

/// The verdict of a comparison on one measure of B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Verdict {
    /// B has more.
    More,
    /// B has less.
    Less,
    /// The difference is smaller than the margin.
    Same,
    /// The allowed runs do not decide it.
    Undecided,
}

/// The differences between two versions.
///
/// With `serde`, it has the fields `exact`, `pairs`, `faults`, `effects`, `left_out` and `stopped`. An effect has `text`,
/// `means` (A, B and the difference), `exact` (the same as fractions), `interval`, `verdict` and `better`.
///
/// ```
/// use grognard::{Folder, Scenario, Verdict};
///
/// let a = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
/// let b = a.with("hit_on", 3)?;
/// let found = a.compare(&b).compute()?;
/// assert!(found.is_exact());
/// assert_eq!(found.first().verdict(), Verdict::Less); // fewer raiders survive
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    exact: bool,
    pairs: u64,
    faults: u64,
    effects: Vec<Effect>,
    left_out: Vec<String>,
    stopped: bool,
    #[cfg(feature = "report")]
    #[serde(skip)]
    kept: Option<Arc<Kept>>,
}

/// The parts of a report of a comparison.
#[cfg(feature = "report")]
#[derive(Debug)]
struct Kept {
    names: [String; 2],
    scenario: String,
    question: Question,
    found: grognard_ask::Compared,
}

#[cfg(feature = "report")]
impl Comparison {
    /// Returns the result as the command line reports it, without the edits between the versions.
    pub fn report(&self) -> crate::Report {
        use grognard_report::compared::{Names, all};
        let Some(kept) = &self.kept else { return crate::Report(Default::default()) };
        let [a, b] = &kept.names;
        let same = format!("{b} (the same)");
        let names = Names {
            a,
            b: if a == b { &same } else { b },
            scenario: &kept.scenario,
            seed: kept.question.seed,
            unpaired: kept.question.unpaired,
            why: kept.found.not_exact.as_ref(),
            family: 1,
            explain: false,
            edits: &[],
        };
        crate::Report(all(&[(names, Some(&kept.found.found))]))
    }
}

/// The difference of one measure: B minus A.
#[derive(Clone, Debug, Serialize)]
pub struct Effect {
    text: String,
    means: Option<[f64; 3]>,
    exact: Option<[Fraction; 3]>,
    interval: Option<(f64, f64)>,
    verdict: Verdict,
    better: Option<bool>,
}

impl Comparison {
    #[cfg_attr(not(feature = "report"), allow(unused_variables))] // only a report names the versions
    pub(crate) fn found(
        [a, b]: &[Scenario; 2],
        question: Question,
        found: grognard_ask::Compared,
        left_out: Vec<String>,
    ) -> Comparison {
        #[cfg(feature = "report")]
        let kept =
            Kept { names: [a.version(), b.version()], scenario: a.path().to_string(), question, found: found.clone() };
        Comparison {
            #[cfg(feature = "report")]
            kept: Some(Arc::new(kept)),
            ..Comparison::of(found.found, left_out)
        }
    }

    fn of(found: Compared, left_out: Vec<String>) -> Comparison {
        match found {
            Compared::Exact(found) => {
                let effects = found.effects.iter().map(|effect| {
                    let [a, b] = effect.means.clone();
                    let numbers = [a, b, effect.difference()];
                    Effect {
                        text: effect.text.clone(),
                        means: Some([&numbers[0], &numbers[1], &numbers[2]].map(|number| number.float())),
                        exact: Some(numbers.map(Fraction)),
                        interval: None,
                        verdict: verdict(effect.judgement),
                        better: effect.judgement.is_better(effect.good),
                    }
                });
                Comparison {
                    exact: true,
                    pairs: 0,
                    faults: 0,
                    effects: effects.collect(),
                    left_out,
                    stopped: false,
                    #[cfg(feature = "report")]
                    kept: None,
                }
            }
            Compared::Sampled(found) => {
                let effects = found.effects.iter().map(|effect| Effect {
                    text: effect.text.clone(),
                    means: effect.means,
                    exact: None,
                    interval: Some(effect.interval),
                    verdict: verdict(effect.judgement),
                    better: effect.judgement.is_better(effect.good),
                });
                let (pairs, faults, stopped) = (found.pairs, found.faults, found.stopped);
                Comparison {
                    exact: false,
                    pairs,
                    faults,
                    effects: effects.collect(),
                    left_out,
                    stopped,
                    #[cfg(feature = "report")]
                    kept: None,
                }
            }
        }
    }

    /// Returns the effect on the first measure, for which the runs end.
    pub fn first(&self) -> &Effect {
        &self.effects[0]
    }

    /// Returns the effect on each measure.
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// Returns whether the numbers are exact, without runs.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Returns the number of pairs of runs that were played.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Returns the number of pairs in which a run ended in an error. They do not count.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// Returns whether the function of [`CompareRequest::watch`] ended the runs.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Returns why measures of the reports are omitted.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }
}

impl Effect {
    /// Returns the expression that was compared.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the mean, or the share, in A and in B; lengths are in inches. `None` without runs that count.
    pub fn means(&self) -> Option<[f64; 2]> {
        self.means.map(|[a, b, _]| [a, b])
    }

    /// Returns the difference of the means, B minus A.
    pub fn difference(&self) -> Option<f64> {
        self.means.map(|[.., difference]| difference)
    }

    /// Returns the means in A and in B and their difference as fractions, if the comparison is exact.
    pub fn exact(&self) -> Option<&[Fraction; 3]> {
        self.exact.as_ref()
    }

    /// Returns the confidence interval of the difference, or `None` if the comparison is exact.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.interval
    }

    /// Returns whether B has more or less of the measure than A.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns whether B is better, if the scenario states which direction is good and there is a difference.
    pub fn is_better(&self) -> Option<bool> {
        self.better
    }
}

fn verdict(judgement: Judgement) -> Verdict {
    match judgement {
        Judgement::More => Verdict::More,
        Judgement::Less => Verdict::Less,
        Judgement::Same => Verdict::Same,
        Judgement::Undecided => Verdict::Undecided,
    }
}
