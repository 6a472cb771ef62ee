//! Exact odds.

use crate::limits;
use crate::value::same_text;
use crate::watch::Watching;
use crate::{Chance, Diagnostic, Error, ErrorKind, Fraction, Label, Progress, Rules, Scenario, Value, chance};
use grognard_ask::{CallQuestion, OddsReport, Unbound};
use grognard_base::value::{self, SiteId, Type};
use grognard_base::{self as base, Limit, Sources};
use grognard_odds::{Precision, Worth};
use grognard_play::is_limit;
use grognard_play::odds::{OddsAnswer, OddsOptions, odds_options};
use grognard_scenario::scene::Asker;
use grognard_scenario::{Figure, Scenario as Plain};
use grognard_vm::Fault;
use serde::Serialize;
use std::ops::ControlFlow;
#[cfg(feature = "report")]
use std::sync::Arc;

/// The amount of work that an exact answer can take. Only counts limit it, so the answer is the same on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "scale", derive(serde::Serialize, serde::Deserialize))]
pub enum Effort {
    /// At most 6,000 states, for one of many small questions.
    Quick,
    /// At most 50,000 states.
    #[default]
    Usual,
    /// At most 2,000,000 states, for a question that can take a minute.
    Thorough,
    /// This number of states, 1 to 100,000,000.
    States(usize),
}

/// A question about the exact odds of a scenario.
#[must_use = "a question does nothing before `compute`"]
#[derive(Clone)]
pub struct OddsRequest<'s> {
    scenario: &'s Scenario,
    of: Vec<String>,
    effort: Effort,
    estimate: bool,
    precision: Precision,
    watching: Watching,
}

impl<'s> OddsRequest<'s> {
    pub(crate) fn new(scenario: &'s Scenario) -> OddsRequest<'s> {
        OddsRequest {
            scenario,
            of: Vec::new(),
            effort: Effort::default(),
            estimate: false,
            precision: Precision::default(),
            watching: Watching::default(),
        }
    }

    /// Measures this expression at the end, in place of the report of the scenario. Call it again for further measures.
    pub fn of(mut self, expression: &str) -> Self {
        self.of.push(expression.to_string());
        self
    }

    /// Sets the amount of work. The default is [`Effort::Usual`].
    pub fn effort(mut self, effort: Effort) -> Self {
        self.effort = effort;
        self
    }

    /// Computes fractions of any length. Without it, results are [proven](Label::Proven) if their fractions are long.
    pub fn exact(mut self) -> Self {
        self.precision = Precision::Fractions;
        self
    }

    /// Estimates measures with wide bounds from runs, for the report.
    pub fn estimate(mut self) -> Self {
        self.estimate = true;
        self
    }

    /// Calls a function now and then during the work, from any thread. It receives the progress, and ends the work with
    /// [`Break`](ControlFlow::Break): the results then have bounds.
    pub fn watch(mut self, look: impl Fn(&Progress<'_>) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        self.watching = Watching::new(look);
        self
    }

    /// Computes the odds. If the states exceed the effort, the result has bounds.
    ///
    /// # Errors
    ///
    /// If there is nothing to measure, an expression does not fit the table, or the effort is out of range.
    pub fn compute(self) -> Result<Odds, Error> {
        let effort = limits::effort(self.effort)?;
        let scenario = if self.of.is_empty() { self.scenario.clone() } else { self.scenario.measuring(self.of)? };
        let bound = scenario.plain();
        if bound.scenario.plan.report.is_empty() {
            return Err(Error::input(
                "the scenario reports nothing",
                "add a measure with `of`, `Table::mean` or `Table::chance`",
            ));
        }
        let budget = self.watching.budget(effort.budget());
        let options = OddsOptions { precision: self.precision, ..odds_options(&bound.scenario, budget) };
        let plain = grognard_ask::Odds::plain(options);
        let report = grognard_ask::Odds { estimate: self.estimate, ..plain }.answer(&bound.scenario);
        let report = report.map_err(|fault| Error::found(ErrorKind::Run, &[fault.diagnostic()], &bound.sources))?;
        Odds::of(
            Answered { name: scenario.path(), report, scenario: &bound.scenario, rolls: Vec::new() },
            &bound.sources,
        )
    }
}

/// A question about a call of the rules, or about dice. [`Rules::call`] starts one.
///
/// ```
/// use grognard::Rules;
///
/// let rules = Rules::from_text("ruleset game/core
///
/// kind Unit { stat nerve : 2..6 }
///
/// test Morale(u: Unit) {
///   roll dice = d6
///   pass when dice >= u.nerve
/// }
/// ")?;
/// let odds = rules.call("Morale(u)").with("u.nerve = 4").compute()?;
/// assert_eq!(odds.first().chance().to_string(), "1/2");
/// # Ok::<(), grognard::Error>(())
/// ```
#[must_use = "a question does nothing before `compute`"]
#[derive(Clone, Debug)]
pub struct Call {
    rules: Rules,
    text: String,
    of: Vec<String>,
    given: Option<String>,
    with: Vec<String>,
    set: Vec<String>,
    rolling: Vec<String>,
    choosing: Vec<String>,
    effort: Effort,
    precision: Precision,
    watching: Watching,
}

impl Call {
    pub(crate) fn new(rules: Rules, text: &str) -> Call {
        Call {
            rules,
            text: text.to_string(),
            of: Vec::new(),
            given: None,
            with: Vec::new(),
            set: Vec::new(),
            rolling: Vec::new(),
            choosing: Vec::new(),
            effort: Effort::default(),
            precision: Precision::default(),
            watching: Watching::default(),
        }
    }

    /// Measures this expression, in place of the result of the call. Call it again for further measures.
    pub fn of(mut self, expression: &str) -> Self {
        self.of.push(expression.to_string());
        self
    }

    /// Counts only outcomes where this condition holds at the end of the call. Call it again for further conditions, which
    /// must hold too. A condition reads the things of the call, for a test the fields of its result, and for a proc its
    /// `result`.
    ///
    /// ```
    /// # use grognard::Rules;
    /// let rules = Rules::from_text("ruleset game/core
    ///
    /// proc march(bonus: Int) -> Int {
    ///   roll far = d6
    ///   return far + bonus
    /// }
    /// ")?;
    /// let odds = rules.call("march(2)").given("result > 4").compute()?;
    /// assert_eq!(odds.first().mean().unwrap().to_string(), "13/2");
    /// # Ok::<(), grognard::Error>(())
    /// ```
    pub fn given(mut self, condition: &str) -> Self {
        self.given = Some(match self.given {
            Some(first) => format!("({first}) and ({condition})"),
            None => condition.to_string(),
        });
        self
    }

    /// Sets fields and statuses of the things in the call: `u.nerve = 4, u has Brave`.
    pub fn with(mut self, values: &str) -> Self {
        self.with.push(values.to_string());
        self
    }

    /// Sets a param, a reading or a parameter of the call.
    pub fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.set.push(format!("{name} = {}", value.into()));
        self
    }

    /// Fixes the faces of a roll: `volley.aim = [5, 1]`, or `aim = [5, 1]` for every roll of this name. Fix a roll that is
    /// rolled several times once for each time. Dice that are never used are an error.
    pub fn rolling(mut self, faces: &str) -> Self {
        self.rolling.push(faces.to_string());
        self
    }

    /// Fixes the answer to a decision, such as `target = wolves`.
    pub fn choosing(mut self, answer: &str) -> Self {
        self.choosing.push(answer.to_string());
        self
    }

    /// Sets the amount of work. The default is [`Effort::Usual`].
    pub fn effort(mut self, effort: Effort) -> Self {
        self.effort = effort;
        self
    }

    /// Computes fractions of any length. Without it, results are [proven](Label::Proven) if their fractions are long.
    pub fn exact(mut self) -> Self {
        self.precision = Precision::Fractions;
        self
    }

    /// Calls a function now and then during the work, from any thread. It receives the progress, and ends the work with
    /// [`Break`](ControlFlow::Break): the results then have bounds.
    pub fn watch(mut self, look: impl Fn(&Progress<'_>) -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        self.watching = Watching::new(look);
        self
    }

    /// Computes the odds. If the states exceed the effort, the result has bounds.
    ///
    /// # Errors
    ///
    /// If the call does not fit the rules, a value that it needs is missing, it always ends in an error, or the effort is
    /// out of range.
    pub fn compute(self) -> Result<Odds, Error> {
        let effort = limits::effort(self.effort)?;
        let mut sources = Sources::default();
        let question = CallQuestion {
            of: &self.of,
            given: self.given.as_deref(),
            with: &self.with,
            set: &self.set,
            rolling: &self.rolling,
            choosing: &self.choosing,
            asker: Asker::Library,
            ..CallQuestion::new(self.rules.shelf(), self.rules.path(), &self.text)
        };
        let help = "write a call such as `Morale(u)`, or dice such as `2d6 + 1`";
        let mut notes = Vec::new();
        let bound = question.bind(&mut sources, &mut |note| notes.push(note.to_string()));
        let mut call = bound.map_err(|why| match why {
            Unbound::Message(message) => Error::input(message, help),
            Unbound::Found(found) => Error::found(ErrorKind::Input, &found, &sources),
        })?;
        let options = OddsOptions::plain(self.watching.budget(effort.budget()));
        let answer = call.answer(OddsOptions { precision: self.precision, ..options }, &mut sources);
        let report = answer.map_err(|found| Error::found(ErrorKind::Run, &found, &sources))?;
        let (name, rolls) = (self.text.trim(), call.rolls());
        let mut odds = Odds::of(Answered { name, report, scenario: &call.scenario, rolls }, &sources)?;
        odds.problems.extend(notes.into_iter().map(Diagnostic::note));
        Ok(odds)
    }
}

/// Exact odds: one [`Distribution`] for each measure.
///
/// With `serde`, it has the fields `distributions`, `states`, `stopped` and `problems`. A distribution has `text`, `label`,
/// `outcomes` (each a `value` and its `chance`), `mean`, `variance`, `never`, `unexplored` and `faults` (each an `error`
/// and its `chance`). Numbers are fractions: see [`Chance`].
///
/// ```
/// # use grognard::Rules;
/// let odds = Rules::dice()?.call("d4 >= 2").compute()?;
/// let json = serde_json::to_value(&odds).unwrap();
/// assert_eq!(json["distributions"][0]["outcomes"][1]["chance"]["low"], "3/4");
/// # Ok::<(), grognard::Error>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Odds {
    distributions: Vec<Distribution>,
    states: usize,
    stopped: bool,
    problems: Vec<Diagnostic>,
    #[cfg(feature = "report")]
    #[serde(skip)]
    kept: Arc<Kept>,
}

/// An answer to a question about odds, with the text of the question.
#[cfg_attr(not(feature = "report"), allow(dead_code))] // only reports show the name and the texts of rolls
struct Answered<'a> {
    name: &'a str,
    report: OddsReport,
    scenario: &'a Plain,
    /// The text of the dice of an expression, by roll.
    rolls: Vec<(SiteId, String)>,
}

/// The parts of a report of odds.
#[cfg(feature = "report")]
struct Kept {
    name: String,
    report: OddsReport,
    scenario: Plain,
    rolls: Vec<(SiteId, String)>,
}

#[cfg(feature = "report")]
impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl Odds {
    fn of(answered: Answered<'_>, sources: &Sources) -> Result<Odds, Error> {
        let Answered { report, scenario, .. } = &answered;
        let mut distributions = Vec::new();
        for (figure, answer) in scenario.plan.report.iter().zip(&report.answers) {
            match answer {
                Ok(answer) => {
                    if let Some(fault) = always_fails(answer) {
                        return Err(Error::found(ErrorKind::Run, &[fault.diagnostic()], sources));
                    }
                    distributions.push(Distribution::of(scenario, figure, answer, sources));
                }
                Err(fault) => return Err(Error::found(ErrorKind::Run, &[fault.diagnostic()], sources)),
            }
        }
        // a bound is an answer
        let problems = report.problems.iter().cloned().map(|mut one| {
            one.severity = if is_limit(one.code) { base::Severity::Warning } else { one.severity };
            one
        });
        let problems = Diagnostic::all(&problems.collect::<Vec<_>>(), sources);
        Ok(Odds {
            distributions,
            states: report.cost.states,
            stopped: report.cost.limit == Some(Limit::Stopped),
            problems,
            #[cfg(feature = "report")]
            kept: Arc::new(answered.kept()),
        })
    }

    /// Returns the result as the command line reports it.
    #[cfg(feature = "report")]
    pub fn report(&self) -> crate::Report {
        let Kept { name, report, scenario, rolls } = &*self.kept;
        // a call has no file
        let file = if scenario.plan.call.is_some() { "" } else { name };
        let odds = report.rendered(file, scenario);
        let odds = grognard_report::odds::Odds { rolls: rolls.clone(), ..odds };
        crate::Report(grognard_report::odds::finding(name, &odds, None))
    }

    /// Returns the result of the first measure.
    pub fn first(&self) -> &Distribution {
        &self.distributions[0]
    }

    /// Returns the result of the measure with this text.
    pub fn get(&self, expression: &str) -> Option<&Distribution> {
        self.distributions.iter().find(|one| same_text(&one.text, expression))
    }

    /// Returns the result of each measure.
    pub fn distributions(&self) -> &[Distribution] {
        &self.distributions
    }

    /// Returns whether every result is exact.
    pub fn is_exact(&self) -> bool {
        self.distributions.iter().all(Distribution::is_exact)
    }

    /// Returns the weakest label of all results.
    pub fn label(&self) -> Label {
        self.distributions.iter().map(Distribution::label).max().unwrap_or(Label::Exact)
    }

    /// Returns whether the function of [`OddsRequest::watch`] ended the work.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Returns the number of states that were explored.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Returns why results are not exact, errors in which some outcomes end, and notes on text that can mean something
    /// else.
    pub fn problems(&self) -> &[Diagnostic] {
        &self.problems
    }
}

#[cfg(feature = "report")]
impl Answered<'_> {
    fn kept(self) -> Kept {
        let Answered { name, report, scenario, rolls } = self;
        Kept { name: name.to_string(), report, scenario: scenario.clone(), rolls }
    }
}

/// The result of one measure over all outcomes of the dice.
#[derive(Clone, Debug, Serialize)]
pub struct Distribution {
    text: String,
    #[serde(skip)]
    is_condition: bool,
    #[serde(serialize_with = "crate::json::outcomes")]
    outcomes: Vec<(Value, Chance)>,
    #[serde(serialize_with = "crate::json::faults")]
    faults: Vec<(Diagnostic, Chance)>,
    never: Chance,
    unexplored: Fraction,
    mean: Option<Chance>,
    variance: Option<Chance>,
    label: Label,
    /// Whether the values are known, and not only their mean.
    #[serde(skip)]
    is_known: bool,
}

impl Distribution {
    fn of(scenario: &Plain, figure: &Figure, answer: &OddsAnswer, sources: &Sources) -> Distribution {
        let ty = &figure.asked.ty;
        let (mut outcomes, mut faults) = (Vec::new(), Vec::new());
        let unexplored = answer.found.as_ref().map_or_else(value::Fraction::zero, |found| found.unexplored());
        let mut never = Chance::between(value::Fraction::zero(), unexplored.clone());
        for found in answer.found.iter().cloned().map(|found| found.in_order(ty)) {
            for outcome in &found.outcomes {
                let [low, high] = found.share_between(outcome);
                let share = Chance::between(low, high);
                match &outcome.worth {
                    Worth::Cells(cells) => outcomes.push((crate::value::of(&scenario.game, ty, cells), share)),
                    Worth::Fault(fault) => faults.push((Diagnostic::of(&fault.diagnostic(), sources), share)),
                    Worth::Never => never = share,
                }
            }
        }
        let between = answer.between.clone().map(|(low, high)| Chance::between(low, high));
        let mean = answer.mean.clone().map(Chance::known).or(between);
        Distribution {
            text: figure.text.clone(),
            is_condition: matches!(ty, Type::Flag),
            outcomes,
            faults,
            never,
            unexplored: Fraction(unexplored),
            mean: mean.map(|mean| in_units(mean, ty, false)),
            variance: answer.variance.clone().map(|[low, high]| in_units(Chance::between(low, high), ty, true)),
            label: chance::label(answer.label),
            is_known: answer.found.is_some(),
        }
    }

    /// Returns the expression that was measured.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the values with their probabilities, in ascending order. It is empty for a count of which only the mean is
    /// known.
    pub fn outcomes(&self) -> &[(Value, Chance)] {
        &self.outcomes
    }

    /// Returns the probability that the condition holds. For a measure that is not a condition, it is the probability of
    /// a value that is not zero.
    pub fn chance(&self) -> Chance {
        if self.is_condition
            && self.outcomes.is_empty()
            && let Some(mean) = &self.mean
        {
            return mean.clone();
        }
        self.chance_that(|value| !matches!(value, Value::Flag(false) | Value::Int(0) | Value::None))
    }

    /// Returns the probability that the value satisfies `which`. For a count of which only the mean is known, the bounds
    /// are 0 and 1: measure the condition instead.
    pub fn chance_that(&self, which: impl Fn(&Value) -> bool) -> Chance {
        if !self.is_known {
            return Chance::between(value::Fraction::zero(), value::Fraction::one());
        }
        let zero = value::Fraction::zero;
        let [mut low, mut high, mut others] = [zero(), zero(), self.never.bounds().0.0.clone()];
        for (value, chance) in &self.outcomes {
            let (least, most) = chance.bounds();
            if which(value) {
                low += &least.0;
                high += &most.0;
            } else {
                others += &least.0;
            }
        }
        self.faults.iter().for_each(|(_, chance)| others += &chance.bounds().0.0);
        // The lower bounds of the other outcomes are not part of it.
        Chance::between(low, high.min(&value::Fraction::one() - &others))
    }

    /// Returns the mean of a number, or `None` if it has none: for other values, and if an outcome ends in an error. The
    /// mean of a length is in inches, and that of an angle in degrees.
    pub fn mean(&self) -> Option<&Chance> {
        self.mean.as_ref()
    }

    /// Returns the variance of a number, or `None` if it is not known exactly.
    pub fn variance(&self) -> Option<&Chance> {
        self.variance.as_ref()
    }

    /// Returns the errors of the rules in which some outcomes end, with their probabilities.
    pub fn faults(&self) -> &[(Diagnostic, Chance)] {
        &self.faults
    }

    /// Returns the probability that the run never ends.
    pub fn never(&self) -> &Chance {
        &self.never
    }

    /// Returns the probability of the outcomes that were not explored. It is 0 for an exact result.
    pub fn unexplored(&self) -> &Fraction {
        &self.unexplored
    }

    /// Returns whether the result is exact: its numbers are fractions. Otherwise they are bounds, and
    /// [`label`](Distribution::label) shows how close.
    pub fn is_exact(&self) -> bool {
        self.label == Label::Exact
    }

    /// Returns how exact the result is.
    pub fn label(&self) -> Label {
        self.label
    }
}

/// Returns the first error if every outcome ends in one.
fn always_fails(answer: &OddsAnswer) -> Option<&Fault> {
    let found = answer.found.as_ref().filter(|found| found.unexplored().is_zero())?;
    let faults = found.outcomes.iter().map(|outcome| match &outcome.worth {
        // a limit of the question leaves the answer open
        Worth::Fault(fault) if !is_limit(fault.code) => Some(fault),
        Worth::Fault(_) | Worth::Cells(_) | Worth::Never => None,
    });
    faults.collect::<Option<Vec<&Fault>>>()?.first().copied()
}

/// Converts a mean or a variance of cells to inches or degrees.
fn in_units(number: Chance, ty: &Type, squared: bool) -> Chance {
    let parts: i64 = match ty.present() {
        Type::Length => 1_000,
        Type::Angle => 100,
        _ => return number,
    };
    let parts = if squared { parts * parts } else { parts };
    let unit = value::Fraction::new(1.into(), (parts as u64).into());
    let (low, high) = number.bounds();
    Chance::between(&low.0 * &unit, &high.0 * &unit)
}
