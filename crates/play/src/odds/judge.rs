//! Judges claims about all ends of a scenario: `chance`, `mean`, and conditions that must always hold.

use super::trouble::{what_helps, within};
use super::{Explored, OddsAnswer, OddsOptions, explore_with, needs_history};
use crate::{Checked, Verdict};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, Span};
use grognard_odds::{Analysis, Budget, Distribution, Label, Precision, Worth};
use grognard_scenario::{Claim, ClaimedValue, Expected, Mode, Scenario, Within};
use grognard_vm::Fault;

/// Judges the claims of a scenario about all its ends and writes the verdicts to `checks`. Returns a diagnostic for
/// each claim that fails or cannot be judged.
pub fn judge(scenario: &Scenario, budget: Budget, checks: &mut [Checked]) -> Vec<Diagnostic> {
    let plan = &scenario.plan;
    let stepwise: usize = plan.steps.iter().map(|s| s.expects.len()).sum();
    let mut work = Work::new(scenario, budget);
    if plan.mode == Mode::Exact {
        work.steps(&mut checks[..stepwise]);
    }
    for (expect, check) in plan.expects.iter().zip(&mut checks[stepwise..]) {
        if let Expected::Odds(claim) = &expect.what {
            check.verdict = work.claim(claim, &expect.text, expect.span);
        }
    }
    work.problems
}

/// Judges each claim about all ends. An error in any run is returned as the error of all claims.
///
/// # Errors
///
/// Returns the fault of the exploration, or the first fault that a run ends in.
pub fn weigh(scenario: &Scenario, budget: Budget) -> Result<Vec<Weighed>, Fault> {
    let mut work = Work::new(scenario, budget);
    let mut weighed = Vec::new();
    for (n, expect) in scenario.plan.expects.iter().enumerate() {
        let Expected::Odds(claim) = &expect.what else { continue };
        let (_, answer) = work.answer(claim);
        let answer = answer?;
        let faults = answer.found.iter().flat_map(|found| &found.outcomes);
        if let Some(fault) = faults.filter_map(|o| if let Worth::Fault(f) = &o.worth { Some(f) } else { None }).next() {
            return Err(fault.clone());
        }
        weighed.push((n, refuted(&claim.what, &answer)));
    }
    Ok(weighed)
}

/// Index of a claim in the list of expectations, and its result: `Some(None)` if the claim holds, `Some(Some(value))`
/// if it fails, `None` if too little was explored.
pub type Weighed = (usize, Option<Option<String>>);

/// Maximum length of a printed fraction, in characters.
const LONGEST: usize = 24;

/// Graphs explored so far, keyed by the spans of the `where` answers and by whether the graph holds history.
struct Work<'s> {
    scenario: &'s Scenario,
    analysis: Analysis<'s>,
    budget: Budget,
    problems: Vec<Diagnostic>,
    explored: Vec<(Vec<Span>, bool, Result<Explored<'s>, Fault>)>,
}

impl<'s> Work<'s> {
    fn new(scenario: &'s Scenario, budget: Budget) -> Self {
        let analysis = Analysis::new(&scenario.game);
        Work { scenario, analysis, budget, problems: Vec::new(), explored: Vec::new() }
    }

    /// Computes the value of a claim. Also returns the index of the graph.
    fn answer(&mut self, claim: &'s Claim) -> (usize, Result<OddsAnswer, Fault>) {
        let sort = claim.sort();
        let history = needs_history(self.scenario, &claim.asked, sort);
        let at = self.graph(&claim.instead, history);
        let explored = match &mut self.explored[at].2 {
            Ok(explored) => explored,
            Err(fault) => return (at, Err(fault.clone())),
        };
        let mut answer = explored.answer(&claim.asked, sort, None);
        // Only a fraction shows that it is the claimed number.
        if answer.as_ref().is_ok_and(|answer| answer.label == Label::Proven && refuted(&claim.what, answer).is_none()) {
            explored.graph.set_precision(Precision::Fractions);
            answer = explored.answer(&claim.asked, sort, None);
        }
        (at, answer)
    }

    fn say(&mut self, code: Code, span: Span, message: String) -> Verdict {
        self.problems.push(Diagnostic::new(code, span, message));
        Verdict::Fails(1)
    }

    fn fault(&mut self, span: Span, text: &str, fault: &Fault) -> Verdict {
        let mut found = fault.diagnostic();
        found.message = format!("`{text}` cannot be judged: {}", found.message);
        found.span = found.span.or(Some(span));
        if self.problems.iter().all(|p| p.span != found.span || p.code != found.code) {
            self.problems.push(found);
        }
        Verdict::Unreached
    }

    /// Returns the index of the graph in which `instead` replaces other answers.
    fn graph(&mut self, instead: &'s [grognard_scenario::Decision], history: bool) -> usize {
        let key: Vec<Span> = instead.iter().map(|d| d.span).collect();
        if let Some(at) = self.explored.iter().position(|(k, h, _)| *k == key && *h == history) {
            return at;
        }
        let odds_options = OddsOptions { instead, ..OddsOptions::plain(self.budget.clone()) };
        self.explored.push((key, history, explore_with(&self.analysis, self.scenario, &odds_options, history)));
        self.explored.len() - 1
    }

    /// Checks that the expectations of steps hold for all rolls.
    fn steps(&mut self, checks: &mut [Checked]) {
        if checks.is_empty() {
            return;
        }
        let at = self.graph(&[], false);
        for (n, check) in checks.iter_mut().enumerate() {
            let missed = match &self.explored[at].2 {
                Ok(explored) => explored.graph.misses(n),
                Err(fault) => Err(fault.clone()),
            };
            let step = check.step.map_or(String::new(), |n| format!(" after step {}", n + 1));
            check.verdict = match missed {
                Ok(Some([_, missed])) if missed.is_zero() => Verdict::Holds,
                Ok(Some([low, high])) => {
                    let missed = rendered(&low, &high);
                    let message = format!("`{}` does not hold{step} with a chance of {missed}", check.text);
                    self.say(Code::Expectation, check.span, message)
                }
                Ok(None) => self.cut_short(at, check.span, &check.text, ""),
                Err(fault) => self.fault(check.span, &check.text.clone(), &fault),
            };
        }
    }

    /// Reports that too little of a graph was explored to judge a claim.
    fn cut_short(&mut self, at: usize, span: Span, text: &str, so_far: &str) -> Verdict {
        let limit = self.explored[at].2.as_ref().ok().and_then(|explored| explored.graph.limit());
        let most = within(self.budget.states, limit);
        let message = format!("`{text}` cannot be judged: the exploration did not finish {most}{so_far}");
        self.problems.push(Diagnostic::new(Code::Budget, span, message).help(what_helps(limit, false)));
        Verdict::Unreached
    }

    fn claim(&mut self, claim: &'s Claim, text: &str, span: Span) -> Verdict {
        let (at, answer) = self.answer(claim);
        let answer = match answer {
            Ok(answer) => answer,
            Err(fault) => return self.fault(span, text, &fault),
        };
        if let Some(fault) = answer.found.as_ref().and_then(fault_of) {
            return self.fault(span, text, &fault);
        }
        match refuted(&claim.what, &answer) {
            Some(None) => Verdict::Holds,
            Some(Some(found)) => {
                let why = match claim.what {
                    ClaimedValue::Always if found == "0" => "it never does".to_string(),
                    ClaimedValue::Always => format!("it does in {found} of all cases"),
                    ClaimedValue::Chance(_) | ClaimedValue::Mean(_) => format!("it is {found}"),
                };
                self.say(Code::Expectation, span, format!("`{text}` does not hold: {why}"))
            }
            None => {
                let so_far = between(&claim.what, &answer);
                let so_far =
                    so_far.map_or(String::new(), |(low, high)| format!("; so far it is {}", rendered(&low, &high)));
                self.cut_short(at, span, text, &so_far)
            }
        }
    }
}

/// Returns the first error that a run can end in, with its probability in the message.
fn fault_of(found: &Distribution) -> Option<Fault> {
    found.outcomes.iter().find_map(|o| match &o.worth {
        Worth::Fault(fault) => {
            let message = format!("with a chance of {} the run ends in an error: {}", found.share(o), fault.message);
            Some(Fault { message, ..fault.clone() })
        }
        _ => None,
    })
}

/// Compares a claim with its result. Returns `Some(None)` if the claim holds, `Some(Some(value))` with the actual value
/// if it fails, and `None` if too little was explored.
fn refuted(claimed: &ClaimedValue, answer: &OddsAnswer) -> Option<Option<String>> {
    let (low, high) = between(claimed, answer)?;
    let wanted = match claimed {
        ClaimedValue::Always => &Within::from(Fraction::one()),
        ClaimedValue::Chance(wanted) | ClaimedValue::Mean(wanted) => wanted,
    };
    if wanted.high < low || high < wanted.low {
        return Some(Some(rendered(&low, &high)));
    }
    (wanted.low <= low && high <= wanted.high).then_some(None)
}

/// Returns the bounds of a chance or a mean.
fn between(claimed: &ClaimedValue, answer: &OddsAnswer) -> Option<(Fraction, Fraction)> {
    if let ClaimedValue::Mean(_) = claimed {
        return answer.mean.clone().map(|mean| (mean.clone(), mean)).or_else(|| answer.between.clone());
    }
    let found = answer.found.as_ref()?;
    Some(found.chance_between(|c| c.first() == Some(&1)).into())
}

/// Formats a number or its bounds. A long fraction is rounded outward to 12 decimals.
fn rendered(low: &Fraction, high: &Fraction) -> String {
    if low == high {
        return low.to_string();
    }
    let [from, to] = [(low, Toward::Below), (high, Toward::Above)].map(|(end, toward)| {
        let text = end.to_string();
        if text.len() > LONGEST { end.rounded(12, toward) } else { text }
    });
    format!("from {from} to {to}")
}
