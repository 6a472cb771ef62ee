//! Examples: claims of the book, run against the rules.
//!
//! Each row of an example is a run of its own on a table of its own. Claims that ask for chances or means look at every
//! way that the dice can fall.

mod answers;
mod ask;
mod cast;
mod claims;
mod faces;
mod maker;
mod odds;
mod report;
mod table;

pub use ask::{Asked, Counts, Posed, ask, fields};
pub use report::{line, report, summary};

use crate::base::{Budget, Code, Diagnostic, Sources, Span};
use crate::machine::{Fault, Game, NoTrace, Run, State, Stop, call_onward};
use crate::program::Built;
use crate::rules::ruleset::{Example, ValueName};
use crate::syntax::tree::{self, ClaimKind, Claimed, ExampleBody};
use crate::value::*;
use claims::{Check, Seen};
use table::{Bench, Table};

/// How an example did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every claim that could be judged holds.
    Holds,
    /// A claim does not hold, or the example cannot be run.
    Fails,
    /// No claim can be judged yet.
    Waits,
}

/// One example after it was run.
#[derive(Clone, Debug)]
pub struct ExampleResult {
    /// Its title.
    pub title: String,
    /// The file it comes from: its path in the chain of rulesets.
    pub ruleset: String,
    /// Where it stands.
    pub span: Span,
    /// Clauses it cites.
    pub cites: Vec<String>,
    /// How it did.
    pub verdict: Verdict,
    /// Claims that hold.
    pub held: usize,
    /// Claims that were judged.
    pub judged: usize,
    /// Claims that wait.
    pub waiting: usize,
    /// What they wait for; empty if none does.
    pub why: &'static str,
    /// Claims that fail, and what is wrong with the example.
    pub problems: Vec<Diagnostic>,
    /// What would hold in place of claims that fail, where that can be written.
    pub fixes: Vec<(Span, String)>,
    /// It ran into a limit.
    pub limit: bool,
}

/// What examples of rulesets with open items wait for.
const OPEN: &str = "until an edition fills in what is open";

/// Runs every example of a program's ruleset, those of the files below it too, with so much for the odds of each.
pub fn run_examples(built: &Built, sources: &Sources, budget: Budget) -> Vec<ExampleResult> {
    built.rules.examples.iter().map(|example| run_example(built, example, sources, budget)).collect()
}

/// What is wrong with the form of the examples of a program's ruleset, those of the files below it too; nothing is played.
pub fn check_examples(built: &Built) -> Vec<Diagnostic> {
    let wrong = |example: &Example| {
        let gives = match callee(built, example) {
            Callee::Func(_, gives) => gives,
            Callee::Nothing => None,
        };
        let wrong = cases(&example.tree)
            .into_iter()
            .filter_map(move |case| Bench::prepare(built, &example.tree, &case, gives.as_deref()).err());
        wrong.flatten().collect::<Vec<_>>()
    };
    built.rules.examples.iter().flat_map(wrong).collect()
}

/// Runs one example.
pub fn run_example(built: &Built, example: &Example, sources: &Sources, budget: Budget) -> ExampleResult {
    let mut result = ExampleResult {
        title: example.tree.title.text.clone(),
        ruleset: built.rules.chain.get(example.from).map_or(String::new(), |(path, _)| path.clone()),
        span: example.span,
        cites: example.cites.clone(),
        verdict: Verdict::Holds,
        held: 0,
        judged: 0,
        waiting: 0,
        why: "",
        problems: Vec::new(),
        fixes: Vec::new(),
        limit: false,
    };
    for case in cases(&example.tree) {
        Runner { built, example, sources, case: &case, budget }.run(&mut result);
    }
    // what is wrong with every row of a table is said once
    let mut said: Vec<Diagnostic> = Vec::new();
    for problem in std::mem::take(&mut result.problems) {
        if !said.contains(&problem) {
            said.push(problem);
        }
    }
    if example.from + 1 < built.rules.chain.len() {
        let (title, here) = (&result.title, &built.rules.path);
        let help = format!(
            "mend the rule; or, if {here} means it so, let `grognard restate` write the example anew there, or take it away: `remove example \"{title}\"`"
        );
        said.iter_mut().for_each(|problem| problem.help.clone_from(&help));
    }
    result.problems = said;
    result.verdict = match (result.problems.iter().any(Diagnostic::is_error), result.judged) {
        (true, _) => Verdict::Fails,
        (false, 0) if result.waiting > 0 => Verdict::Waits,
        (false, _) => Verdict::Holds,
    };
    result
}

/// One run of an example: a row of its table, or all its claims.
struct Case<'e> {
    /// From 1; 0 without a table.
    row: usize,
    span: Span,
    inputs: Vec<(&'e tree::Expr, &'e tree::Expr)>,
    claims: Vec<Stated<'e>>,
}

/// A claim with its value.
struct Stated<'e> {
    /// It is only asked, whatever its type, and nothing is claimed of it.
    open: bool,
    claimed: &'e Claimed,
    value: Option<&'e tree::Expr>,
    span: Span,
}

fn cases(example: &tree::Example) -> Vec<Case<'_>> {
    match &example.body {
        ExampleBody::Claims(claims) => {
            let claims = claims.iter().map(|c| Stated {
                open: false,
                claimed: &c.claimed,
                value: c.value.as_ref(),
                span: c.span,
            });
            vec![Case { row: 0, span: example.title.span, inputs: Vec::new(), claims: claims.collect() }]
        }
        ExampleBody::Table { inputs, claims, rows } => rows
            .iter()
            .enumerate()
            .map(|(n, row)| Case {
                row: n + 1,
                span: row.span,
                inputs: inputs.iter().zip(&row.inputs).collect(),
                claims: claims
                    .iter()
                    .zip(&row.claims)
                    .map(|(claimed, value)| Stated { open: false, claimed, value: Some(value), span: value.span })
                    .collect(),
            })
            .collect(),
    }
}

/// What an example calls.
enum Callee {
    /// Nothing: values only.
    Nothing,
    /// A function of the program; what it gives has these names in claims.
    Func(FuncId, Option<Vec<(String, Type)>>),
}

/// What the result of a proc is called in claims.
const RESULT: &str = "result";

/// Looks the call of an example up among the rules.
fn callee(built: &Built, example: &Example) -> Callee {
    let Built { rules, program, .. } = built;
    let Some(call) = &example.tree.call else { return Callee::Nothing };
    let name = &call.name.text;
    if let Some(test) = rules.names.tests.get(name) {
        let gives = match rules.functions[test.at()].result {
            Type::Record(id) => Some(rules.records[id.at()].fields.clone()),
            _ => None,
        };
        return Callee::Func(*test, gives);
    }
    if let Some(phase) = rules.names.phases.get(name) {
        return Callee::Func(program.phases[phase.at()].func, None);
    }
    if let Some(event) = rules.names.events.get(name) {
        return Callee::Func(program.events[event.at()], None);
    }
    match rules.names.values.get(name) {
        Some(ValueName::Proc(f)) => {
            let result = &rules.functions[f.at()].result;
            Callee::Func(*f, (*result != Type::Nothing).then(|| vec![(RESULT.to_string(), result.clone())]))
        }
        _ => Callee::Nothing,
    }
}

struct Runner<'r> {
    built: &'r Built,
    example: &'r Example,
    sources: &'r Sources,
    case: &'r Case<'r>,
    /// How much the odds that are claimed may cost.
    budget: Budget,
}

impl Runner<'_> {
    fn run(&self, result: &mut ExampleResult) {
        let callee = callee(self.built, self.example);
        let gives = match &callee {
            Callee::Func(_, gives) => gives.as_deref(),
            Callee::Nothing => None,
        };
        let bench = match Bench::prepare(self.built, &self.example.tree, self.case, gives) {
            Ok(bench) => bench,
            Err(problems) => return result.problems.extend(problems),
        };
        let mut table = match bench.table() {
            Ok(table) => table,
            Err(fault) => return self.fault(result, &fault),
        };
        let after = bench.checks.iter().any(|c| matches!(c, Check::Value { .. } | Check::Condition { .. }));
        if after {
            match in_spite_of_laws(&bench, &mut table, |table| self.play(&bench, table, &callee)) {
                Ok(after) => self.judge(result, &bench, &table, &after),
                Err(fault) => return self.fault(result, &fault),
            }
        }
        if bench.checks.iter().any(|c| matches!(c, Check::Odds { .. })) {
            match in_spite_of_laws(&bench, &mut table, |table| self.odds(&bench, table, &callee)) {
                Ok(found) => self.judge_odds(result, found),
                Err(fault) => return self.fault(result, &fault),
            }
        }
        if bench.checks.iter().any(|c| matches!(c, Check::Offered { .. })) {
            match in_spite_of_laws(&bench, &mut table, |table| self.menu(&bench, table, &callee)) {
                Ok(Some(seen)) => self.offered(result, &bench, &table, &seen),
                Ok(None) => {
                    let picks =
                        self.example.tree.choosing.iter().any(|pick| !matches!(pick.answer, tree::Answer::Stop(_)));
                    let behind = if picks { " behind what `choosing` answers" } else { "" };
                    let message = format!("no `choose action` is reached{behind}");
                    self.say(result, Code::ExampleForm, self.case.span, message)
                }
                Err(fault) => self.fault(result, &fault),
            }
        }
    }

    /// Makes the call, and gives what is there after it.
    fn play(&self, bench: &Bench, table: &Table, callee: &Callee) -> Result<After, Fault> {
        let game = &table.game;
        let Callee::Func(func, _) = callee else { return Ok(After::nothing(game)) };
        let mut state = game.start.clone();
        let args = table.arguments(bench, &mut state)?;
        let dice = faces::Faces::of(&self.example.tree);
        let decide = answers::Answers::of(&bench.answers, None);
        let mut run = Run::new(game, dice, decide, NoTrace);
        let stop = call_onward(game, &mut state, &mut run, *func, &args)?;
        if stop == Stop::Waiting {
            return Err(Fault::new(Code::ExampleRolls, "the run stops for an answer that the example does not give"));
        }
        if let Some(name) = run.dice.left() {
            return Err(Fault::new(Code::ExampleForm, format!("`{name}` is given more throws than the rules make")));
        }
        let width = game.program.funcs[func.at()].result as usize;
        let result = state.stack.get(..width).unwrap_or_default().to_vec();
        Ok(After { state, tallies: run.tallies, result })
    }

    /// Plays until the first action menu behind the last action that is picked.
    fn menu(&self, bench: &Bench, table: &Table, callee: &Callee) -> Result<Option<Seen>, Fault> {
        let game = &table.game;
        let mut state = game.start.clone();
        let Callee::Func(func, _) = callee else { return Ok(None) };
        let args = table.arguments(bench, &mut state)?;
        let slot = claims::Slot::default();
        let dice = faces::Faces::of(&self.example.tree);
        let decide = answers::Answers::of(&bench.answers, Some(slot.clone()));
        let mut run = Run::new(game, dice, decide, claims::Watch(slot.clone()));
        let outcome = call_onward(game, &mut state, &mut run, *func, &args);
        if let Some(seen) = slot.take() {
            return Ok(Some(seen));
        }
        match outcome {
            // a menu without entries is an error in play; here it offers nothing
            Err(fault) if fault.code == Code::EmptyMenu => Ok(Some(Seen::nothing(&fault.message))),
            Err(fault) => Err(fault),
            Ok(Stop::Waiting) => Err(Fault::new(Code::ExampleRolls, "the run stops before a menu is reached")),
            Ok(_) => Ok(None),
        }
    }

    fn judge(&self, result: &mut ExampleResult, bench: &Bench, table: &Table, after: &After) {
        for (check, stated) in bench.checks.iter().zip(&self.case.claims) {
            let outcome = match check {
                Check::Value { left, right, ty } => {
                    let left = table.value(bench, after, *left, ty);
                    let right = table.value(bench, after, *right, ty);
                    left.and_then(|l| right.map(|r| (l == r, l)))
                }
                Check::Condition { holds } => {
                    let held = table.value(bench, after, *holds, &Type::Flag);
                    held.map(|h| (h == Value::Flag(true), h))
                }
                Check::Offered { .. } | Check::Odds { .. } => continue,
            };
            result.judged += 1;
            match outcome {
                Ok((true, ..)) => result.held += 1,
                Ok((false, found)) => self.differs(result, stated, &found.to_string()),
                Err(fault) => self.fault(result, &fault),
            }
        }
    }

    fn offered(&self, result: &mut ExampleResult, bench: &Bench, table: &Table, seen: &Seen) {
        let before = After::nothing(&table.game);
        for (check, stated) in bench.checks.iter().zip(&self.case.claims) {
            let Check::Offered { not, action, wanted, value } = check else { continue };
            result.judged += 1;
            let told: Result<Vec<(String, Value)>, Fault> = wanted
                .iter()
                .map(|(name, ty, func)| Ok((name.clone(), table.value(bench, &before, *func, ty)?)))
                .collect();
            let value =
                value.map_or(Ok(true), |v| Ok(table.value(bench, &before, v, &Type::Flag)? == Value::Flag(true)));
            let (wanted, value) = match told.and_then(|wanted| Ok((wanted, value?))) {
                Ok(found) => found,
                Err(fault) => return self.fault(result, &fault),
            };
            let not = *not == value;
            if seen.has(action, &wanted) != not {
                result.held += 1;
                continue;
            }
            let found = if not { format!("{action} is on the menu") } else { seen.why_not(action) };
            self.differs(result, stated, &found);
        }
    }

    /// A claim that does not hold.
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
        result.fixes.extend(self.restated(stated, found));
    }

    /// What would hold in place of a claim that does not; none where that cannot be written.
    fn restated(&self, stated: &Stated<'_>, found: &str) -> Option<(Span, String)> {
        let claimed = stated.claimed;
        match (stated.value, &claimed.kind) {
            // bounds are no value
            (Some(value), ClaimKind::Value(_) | ClaimKind::Chance(_) | ClaimKind::Mean(_)) => {
                (!found.starts_with("from ")).then(|| (value.span, found.to_string()))
            }
            (Some(value), ClaimKind::Offered { .. }) => {
                let no = matches!(value.kind, tree::ExprKind::No);
                Some((value.span, if no { "yes" } else { "no" }.to_string()))
            }
            (None, ClaimKind::Value(e)) => Some(match &e.kind {
                tree::ExprKind::Not(inner) => (e.span, self.sources.slice(inner.span).to_string()),
                _ => (e.span, format!("not ({})", self.sources.slice(e.span).trim())),
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

    /// The run ended in an error. In a ruleset with open items that may be why.
    fn fault(&self, result: &mut ExampleResult, fault: &Fault) {
        if fault.code == Code::NoResult && !self.built.rules.open.is_empty() {
            result.waiting += self.case.claims.len();
            result.why = OPEN;
            return;
        }
        if matches!(fault.code, Code::ExampleForm | Code::ExampleRolls) {
            return self.say(result, fault.code, self.case.span, fault.message.clone());
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

/// Runs again without the laws that cannot be judged because nobody gave the figures they read.
fn in_spite_of_laws<T>(bench: &Bench, table: &mut Table, run: impl Fn(&Table) -> Result<T, Fault>) -> Result<T, Fault> {
    loop {
        match run(table) {
            Err(fault) if table.silence(bench, &fault) => {}
            outcome => return outcome,
        }
    }
}

/// What there is after a call.
struct After {
    state: State,
    tallies: Vec<i64>,
    /// The cells of its result.
    result: Vec<i64>,
}

impl After {
    /// Nothing was called.
    fn nothing(game: &Game) -> After {
        After { state: game.start.clone(), tallies: Vec::new(), result: Vec::new() }
    }

    /// Cells of a function.
    fn cells(&self, game: &Game, func: FuncId, args: &[i64]) -> Result<(State, Vec<i64>), Fault> {
        let mut state = self.state.clone();
        let cells = cells_with(game, &mut state, &self.tallies, func, args)?;
        Ok((state, cells))
    }
}

/// Cells of a function on a position before anything was counted; lists of the position stay.
fn cells_of(game: &Game, state: &mut State, func: FuncId, args: &[i64]) -> Result<Vec<i64>, Fault> {
    cells_with(game, state, &[], func, args)
}

fn cells_with(game: &Game, state: &mut State, tallies: &[i64], func: FuncId, args: &[i64]) -> Result<Vec<i64>, Fault> {
    let mut pure = Run::new(game, crate::machine::NoDice, crate::machine::NoDice, NoTrace);
    pure.tallies.iter_mut().zip(tallies).for_each(|(count, counted)| *count = *counted);
    call_onward(game, state, &mut pure, func, args)?;
    let width = game.program.funcs[func.at()].result as usize;
    Ok(state.stack.get(..width).unwrap_or_default().to_vec())
}
