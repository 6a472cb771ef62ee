//! Examples: claims of the book, checked against the rules.
//!
//! Each row of an example is a separate run with its own table. Claims about chances or means consider all possible
//! rolls.

mod report;

pub use report::{line, report, summary};

use super::Play;
use super::odds::{Weighed, weigh};
use super::offers::{Menus, OfferSlot, Seen, Taken};
use grognard_base::value::plain::ShortText;
use grognard_base::value::*;
use grognard_base::{Budget, Code, Diagnostic, Sources, Span};
use grognard_program::Built;
use grognard_rules::ruleset::Example;
use grognard_scenario::examples::{Case, Stated, cases, prepare};
use grognard_scenario::{Expected, Offer, Scenario};
use grognard_syntax::tree::{self, ClaimKind};
use grognard_vm::Fault;
use serde::{Deserialize, Serialize};

/// The result of an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExampleVerdict {
    /// Every claim that can be judged holds.
    Holds,
    /// A claim does not hold, or the example cannot run.
    Fails,
    /// No claim can be judged yet.
    Waits,
}

/// The result of running one example.
#[derive(Clone, Debug)]
pub struct ExampleResult {
    /// Title of the example.
    pub title: String,
    /// The ruleset that declares it: a path in the chain of rulesets.
    pub ruleset: String,
    /// Location of the example.
    pub span: Span,
    /// Clauses that it cites.
    pub cites: Vec<String>,
    pub verdict: ExampleVerdict,
    /// Number of claims that hold.
    pub held: usize,
    /// Number of claims that were judged.
    pub judged: usize,
    /// Number of claims that wait.
    pub waiting: usize,
    /// The reason that claims wait; empty if no claim waits.
    pub why: &'static str,
    /// Diagnostics about failing claims and about the example itself.
    pub problems: Vec<Diagnostic>,
    /// Replacement texts for failing claims, if they can be written.
    pub fixes: Vec<(Span, String)>,
    /// Whether it reached a limit.
    pub limit: bool,
}

/// The reason that examples of rulesets with open items wait.
const OPEN: &str = "until an edition fills in the open item";

/// Runs every example of a program's ruleset and of its base rulesets. `budget` limits the odds of each example.
pub fn run_examples(built: &Built, sources: &Sources, budget: Budget) -> Vec<ExampleResult> {
    built.rules.examples.iter().map(|example| run_example(built, example, sources, budget.clone())).collect()
}

/// Checks the form of every example of a program's ruleset and of its base rulesets, without running them.
pub fn check_examples(built: &Built) -> Vec<Diagnostic> {
    built.rules.examples.iter().flat_map(|example| check_example(built, example)).collect()
}

/// Checks the form of one example, without running it.
pub fn check_example(built: &Built, example: &Example) -> Vec<Diagnostic> {
    let sources = Sources::default();
    let wrong = cases(&example.tree).into_iter().filter_map(|case| prepare(built, example, &case, &[], &sources).err());
    wrong.flatten().collect()
}

/// Runs an example within a budget, and judges its claims.
pub fn run_example(built: &Built, example: &Example, sources: &Sources, budget: Budget) -> ExampleResult {
    let mut result = ExampleResult {
        title: example.tree.title.text.clone(),
        ruleset: built.rules.chain.get(example.from).map_or(String::new(), |(path, _)| path.clone()),
        span: example.span,
        cites: example.cites.clone(),
        verdict: ExampleVerdict::Holds,
        held: 0,
        judged: 0,
        waiting: 0,
        why: "",
        problems: Vec::new(),
        fixes: Vec::new(),
        limit: false,
    };
    let mut unasked: Option<Vec<Option<Diagnostic>>> = None;
    for case in cases(&example.tree) {
        ExampleRunner { built, example, sources, case: &case, budget: budget.clone() }.run(&mut result, &mut unasked);
    }
    // an answer that no row uses is an error; in a table, not every row needs to use each answer
    result.problems.extend(unasked.into_iter().flatten().flatten());
    // an error in every row of a table is reported once
    let mut said: Vec<Diagnostic> = Vec::new();
    for problem in std::mem::take(&mut result.problems) {
        if !said.contains(&problem) {
            said.push(problem);
        }
    }
    if example.from + 1 < built.rules.chain.len() {
        let (title, here) = (&result.title, &built.rules.path);
        let help = format!(
            "fix the rule. If {here} intends the change, let `grognard restate` rewrite the example there, or remove it: `remove example \"{title}\"`"
        );
        said.iter_mut().for_each(|problem| problem.help.clone_from(&help));
    }
    result.problems = said;
    result.verdict = match (result.problems.iter().any(Diagnostic::is_error), result.judged) {
        (true, _) => ExampleVerdict::Fails,
        (false, 0) if result.waiting > 0 => ExampleVerdict::Waits,
        (false, _) => ExampleVerdict::Holds,
    };
    result
}

struct ExampleRunner<'r> {
    built: &'r Built,
    example: &'r Example,
    sources: &'r Sources,
    case: &'r Case<'r>,
    /// Budget for the odds of each claim.
    budget: Budget,
}

/// The index of a claim, and the actual value if it does not hold.
type Judged = (usize, Result<Option<String>, Fault>);

impl ExampleRunner<'_> {
    fn run(&self, result: &mut ExampleResult, unasked: &mut Option<Vec<Option<Diagnostic>>>) {
        if let Err(fault) = self.judge(result, unasked) {
            *unasked = Some(Vec::new());
            self.fault(result, &fault);
        }
    }

    fn judge(&self, result: &mut ExampleResult, unasked: &mut Option<Vec<Option<Diagnostic>>>) -> Result<(), Fault> {
        let prepared = match prepare(self.built, self.example, self.case, &[], self.sources) {
            Ok(prepared) => prepared,
            Err(problems) => {
                result.problems.extend(problems);
                return Ok(());
            }
        };
        let mut scenario = prepared.set()?;
        let claims = |is: fn(&Expected) -> bool| scenario.plan.expects.iter().any(|expect| is(&expect.what));
        let after = claims(|what| matches!(what, Expected::That(_) | Expected::Same(..)));
        let odds = claims(|what| matches!(what, Expected::Odds(_)));
        let offers = claims(|what| matches!(what, Expected::Offered(_)));
        if after {
            let (judged, left) = scenario.in_spite_of_laws(play)?;
            self.tell(result, judged);
            match unasked {
                None => *unasked = Some(left),
                Some(all) => all.iter_mut().zip(left).filter(|(_, now)| now.is_none()).for_each(|(one, _)| *one = None),
            }
        }
        if odds || offers {
            *unasked = Some(Vec::new());
        }
        if odds {
            let weigh = |scenario: &Scenario| weigh(scenario, self.budget.clone());
            for (n, outcome) in scenario.in_spite_of_laws(weigh)? {
                self.weighed(result, (n, outcome));
            }
        }
        if offers {
            match scenario.in_spite_of_laws(menu)? {
                Some(seen) => self.tell(result, offered(&scenario, &seen)),
                None => {
                    let pick = |pick: &tree::Pick| !matches!(pick.answer, tree::Answer::Stop(_));
                    let picks = self.example.tree.choosing.iter().any(pick);
                    let after = if picks { " after the answers of `choosing`" } else { "" };
                    let message = format!("no `choose action` is reached{after}");
                    self.say(result, Code::ExampleForm, self.case.span, message);
                }
            }
        }
        Ok(())
    }

    fn tell(&self, result: &mut ExampleResult, judged: Vec<Judged>) {
        for (n, outcome) in judged {
            result.judged += 1;
            match outcome {
                Ok(None) => result.held += 1,
                Ok(Some(found)) => self.differs(result, &self.case.claims[n], &found),
                Err(fault) => self.fault(result, &fault),
            }
        }
    }

    fn weighed(&self, result: &mut ExampleResult, (n, outcome): Weighed) {
        result.judged += 1;
        match outcome {
            Some(None) => result.held += 1,
            Some(Some(found)) => self.differs(result, &self.case.claims[n], &found),
            None => {
                let most = self.budget.states;
                let message = format!("the exploration did not finish within {most} states");
                self.say(result, Code::Budget, self.case.span, message);
            }
        }
    }

    /// Reports a claim that does not hold.
    fn differs(&self, result: &mut ExampleResult, stated: &Stated<'_>, found: &str) {
        let place = match &stated.claimed.kind {
            ClaimKind::Value(e) | ClaimKind::Chance(e) | ClaimKind::Mean(e) => e.span,
            ClaimKind::Offered { .. } => stated.claimed.span,
        };
        let word = match &stated.claimed.kind {
            ClaimKind::Chance(_) => "chance ",
            ClaimKind::Mean(_) => "mean ",
            _ => "",
        };
        let claim = format!("{word}{}", self.sources.slice(place).trim());
        let wanted = stated.value.map(|v| self.sources.slice(v.span).trim());
        let message = match (&stated.claimed.kind, wanted) {
            (ClaimKind::Offered { .. }, Some(wanted)) => format!("{found}; the example says {wanted} to `{claim}`"),
            (ClaimKind::Offered { .. }, None) => format!("{found}; the example says `{claim}`"),
            (_, Some(wanted)) => format!("`{claim}` is {found}, the example says {wanted}"),
            (_, None) => format!("`{claim}` does not hold"),
        };
        self.say(result, Code::ExampleFails, stated.span, message);
        // an exact probability is seldom a decimal
        let decimal =
            wanted.filter(|text| text.contains(['.', '%']) && found.contains('/') && !found.starts_with("from "));
        if let (Some(wanted), Some(said)) = (decimal, result.problems.last_mut()) {
            said.help = format!(
                "an exact number is a fraction, and `{wanted}` is not a fraction: write `{claim} = {found}`, or fix the rule"
            );
        }
        result.fixes.extend(self.restated(stated, found));
    }

    /// Returns a replacement for a failing claim, or `None` if no replacement can be written.
    fn restated(&self, stated: &Stated<'_>, found: &str) -> Option<(Span, String)> {
        let claimed = stated.claimed;
        match (stated.value, &claimed.kind) {
            // bounds are not a value
            (Some(value), ClaimKind::Value(_) | ClaimKind::Chance(_) | ClaimKind::Mean(_)) => {
                (!found.starts_with("from ")).then(|| (value.span, found.to_string()))
            }
            (Some(value), ClaimKind::Offered { .. }) => {
                let no = matches!(value.kind, tree::ExprKind::No);
                Some((value.span, if no { "yes" } else { "no" }.to_string()))
            }
            (None, ClaimKind::Value(e)) => Some(match &e.kind {
                tree::ExprKind::Not(inner) => (e.span, self.sources.slice(inner.span).to_string()),
                _ => {
                    let text = self.sources.slice(e.span).trim();
                    let plain = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
                    (e.span, if plain { format!("not {text}") } else { format!("not ({text})") })
                }
            }),
            (None, ClaimKind::Offered { .. }) => {
                let text = self.sources.slice(claimed.span).trim();
                Some((claimed.span, text.strip_prefix("not ").map_or(format!("not {text}"), str::to_string)))
            }
            (None, ClaimKind::Chance(_) | ClaimKind::Mean(_)) => None,
        }
    }

    fn say(&self, result: &mut ExampleResult, code: Code, span: Span, message: String) {
        let row = if self.case.row > 0 { format!(", row {}", self.case.row) } else { String::new() };
        result.problems.push(Diagnostic::new(code, span, format!("\"{}\"{row}: {message}", result.title)));
    }

    /// Reports that the run ended in an error. In a ruleset with open items, a missing result makes the claims wait
    /// instead.
    fn fault(&self, result: &mut ExampleResult, fault: &Fault) {
        if fault.code == Code::NoResult && !self.built.rules.open.is_empty() {
            result.waiting += self.case.claims.len();
            result.why = OPEN;
            return;
        }
        let code = if fault.code == Code::Script { Code::ExampleForm } else { fault.code };
        if matches!(code, Code::ExampleForm | Code::ExampleRolls) {
            return self.say(result, code, self.case.span, fault.message.clone());
        }
        result.limit |= super::is_limit(fault.code);
        let row = if self.case.row > 0 { format!(", row {}", self.case.row) } else { String::new() };
        let message = fault.diagnostic().message;
        let text = format!("\"{}\"{row}: {message}", result.title);
        let mut problem = Diagnostic::new(Code::ExampleError, self.case.span, text);
        if let Some(span) = fault.span {
            problem = problem.and(span, "here");
        }
        result.problems.push(problem);
    }
}

/// Executes the call and judges the claims about its result. Also returns, for each given answer, a diagnostic if no
/// question used it.
fn play(scenario: &Scenario) -> Result<(Vec<Judged>, Vec<Option<Diagnostic>>), Fault> {
    let mut taken = Taken::default();
    let mut play = Play::new(scenario, None, Some(&mut taken));
    if let Some(call) = &scenario.plan.call {
        play.make(call)?;
        if let Some(name) = play.unrolled() {
            return Err(Fault::new(Code::ExampleForm, format!("`{name}` is given more rolls than the rules make")));
        }
    }
    let judged = scenario.plan.expects.iter().enumerate().filter_map(|(n, expect)| {
        let judged = play.judge(&expect.what).transpose()?;
        Some((n, judged.map(|(holds, found)| (!holds).then(|| found.to_string()))))
    });
    let judged = judged.collect();
    let mut left = play.unasked_each();
    drop(play);
    for (decision, found) in scenario.plan.decides.iter().zip(&mut left) {
        if found.is_some() && taken.has(&decision.name, &decision.text) {
            *found = None;
        }
    }
    Ok((judged, left))
}

/// Plays until the first action menu after the last scripted action.
fn menu(scenario: &Scenario) -> Result<Option<Seen>, Fault> {
    let Some(call) = &scenario.plan.call else { return Ok(None) };
    let slot = OfferSlot::default();
    let mut menus = Menus(slot.clone());
    let mut play = Play::new(scenario, None, Some(&mut menus));
    play.wait_at_menu(slot.clone());
    let outcome = play.make(call);
    if let Some(seen) = slot.take() {
        return Ok(Some(seen));
    }
    match outcome {
        // outside examples, a menu without entries is an error; here it offers nothing
        Err(fault) if fault.code == Code::EmptyMenu && slot.armed() => Ok(Some(Seen::nothing(&fault.message))),
        outcome => outcome.map(|()| None),
    }
}

/// Judges the claims about a menu.
fn offered(scenario: &Scenario, seen: &Seen) -> Vec<Judged> {
    let rendered = |piece, ty: &Type| scenario.value_at(&scenario.game.start, piece, ty, &[], scenario.given());
    let judge = |offer: &Offer| {
        let wanted = offer.wanted.iter().map(|(name, ty, piece)| Ok((name.into(), rendered(*piece, ty)?)));
        let wanted: Vec<(ShortText, Value)> = wanted.collect::<Result<_, Fault>>()?;
        let value = offer.value.map_or(Ok(Value::Flag(true)), |value| rendered(value, &Type::Flag))?;
        let not = offer.not == (value == Value::Flag(true));
        Ok(match (seen.has(&offer.action, &wanted) != not, not) {
            (true, _) => None,
            (false, true) => Some(format!("{} is on the menu", offer.action)),
            (false, false) => Some(seen.why_not(&offer.action)),
        })
    };
    let offers = scenario.plan.expects.iter().enumerate();
    offers.filter_map(|(n, e)| if let Expected::Offered(o) = &e.what { Some((n, judge(o))) } else { None }).collect()
}
