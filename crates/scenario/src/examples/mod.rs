//! Binds examples to rules. Each row of an example becomes a separate plan with one call, on a generated table.

mod cast;
mod lower;

use super::build::{Builder, Draft, compiled};
use super::document::Document;
use super::prepared::Prepared;
use super::puts::Put;
use super::things::Things;
use super::{Call, Mode, Params, Plan};
use cast::Cast;
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, Sources, Span};
use grognard_board::LIMIT;
use grognard_program::Built;
use grognard_rules::checker::Checker;
use grognard_rules::ruleset::{Example, Ruleset, ValueName};
use grognard_syntax::tree::{self, Claimed, ExampleBody};
use grognard_vm::{Setup, ThingSpec};
use lower::Lower;

/// The coordinate of things that no example places: far from every edge.
const SPOT: i64 = LIMIT / 2;

/// The name of the result of a proc in claims.
const RESULT: &str = "result";

/// One run of an example: a row of its table, or all its claims.
#[derive(Clone, Debug)]
pub struct Case<'e> {
    /// The row number from 1, or 0 without a table.
    pub row: usize,
    /// The span.
    pub span: Span,
    /// The input columns with their values.
    pub inputs: Vec<(&'e tree::Expr, &'e tree::Expr)>,
    /// The claims.
    pub claims: Vec<Stated<'e>>,
}

/// A claim with its value.
#[derive(Clone, Debug)]
pub struct Stated<'e> {
    /// The left side.
    pub claimed: &'e Claimed,
    /// The right side.
    pub value: Option<&'e tree::Expr>,
    /// The span.
    pub span: Span,
}

/// A question in source form.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The value.
    pub of: tree::Expr,
    /// The condition that restricts the runs that count, if any.
    pub given: Option<tree::Expr>,
}

/// Returns the runs of an example.
pub fn cases(example: &tree::Example) -> Vec<Case<'_>> {
    match &example.body {
        ExampleBody::Claims(claims) => {
            let claims =
                claims.iter().map(|c| Stated { claimed: &c.claimed, value: c.value.as_ref(), span: c.span }).collect();
            vec![Case { row: 0, span: example.title.span, inputs: Vec::new(), claims }]
        }
        ExampleBody::Table { inputs, claims, rows } => {
            let cases = rows.iter().enumerate().map(|(n, row)| {
                let claims = claims.iter().zip(&row.claims);
                let claims = claims.map(|(claimed, value)| Stated { claimed, value: Some(value), span: value.span });
                let inputs = inputs.iter().zip(&row.inputs).collect();
                Case { row: n + 1, span: row.span, inputs, claims: claims.collect() }
            });
            cases.collect()
        }
    }
}

/// The function that an example calls, and the names and types of its results.
type Callee = (FuncId, Option<Vec<(String, Type)>>);

/// Looks up the call of an example in the rules. Returns `None` for an example without a call.
fn callee(built: &Built, example: &tree::Example) -> Option<Callee> {
    let Built { rules, program, .. } = built;
    let name = &example.call.as_ref()?.name.text;
    if let Some(test) = rules.names.tests.get(name) {
        let gives = match rules.functions[test.at()].result {
            Type::Record(id) => Some(rules.records[id.at()].fields.clone()),
            _ => None,
        };
        return Some((*test, gives));
    }
    if let Some(phase) = rules.names.phases.get(name) {
        return Some((program.phases[phase.at()].func, None));
    }
    if let Some(event) = rules.names.events.get(name) {
        return Some((program.events[event.at()], None));
    }
    let Some(ValueName::Proc(f)) = rules.names.values.get(name) else { return None };
    let result = &rules.functions[f.at()].result;
    Some((*f, (*result != Type::Nothing).then(|| vec![(RESULT.to_string(), result.clone())])))
}

/// Returns the results of the call of an example that can be queried: `passed` or `grade` if there is one, otherwise
/// the names of all fields. For a proc, this is its result.
pub fn fields(built: &Built, example: &Example) -> Vec<String> {
    let gives = callee(built, &example.tree).and_then(|(_, gives)| gives);
    let names: Vec<String> = gives.into_iter().flatten().map(|(name, _)| name).collect();
    match names.iter().find(|n| *n == "passed" || *n == "grade") {
        Some(verdict) => vec![verdict.clone()],
        None => names,
    }
}

/// Binds the call of an example to its rules, for the given questions.
///
/// # Errors
///
/// Returns diagnostics if the example has no call or does not fit the rules.
pub fn ask(built: &Built, example: &Example, asked: &[Asked], sources: &Sources) -> Result<Prepared, Vec<Diagnostic>> {
    if callee(built, &example.tree).is_none() {
        let message = "there is no call here: name a test, proc, phase or event with its arguments";
        return Err(vec![Diagnostic::new(Code::ExampleForm, example.span, message)]);
    }
    let case = Case { row: 0, span: example.span, inputs: Vec::new(), claims: Vec::new() };
    prepare(built, example, &case, asked, sources)
}

/// Binds one run of an example to its rules, with its claims and further questions about its end.
///
/// # Errors
///
/// Returns diagnostics if the example does not fit the rules.
pub fn prepare(
    built: &Built,
    example: &Example,
    case: &Case<'_>,
    asked: &[Asked],
    sources: &Sources,
) -> Result<Prepared, Vec<Diagnostic>> {
    let tree = &example.tree;
    let cast = Cast::of(&built.rules, tree, &case.inputs);
    if !cast.problems.is_empty() {
        return Err(cast.problems);
    }
    let callee = callee(built, tree);
    let by_name = |(at, stand): (usize, &cast::Stand)| (stand.name.clone(), cast.id(at));
    let table = Things { by_name: cast.members.iter().enumerate().map(by_name).collect(), ..Things::default() };
    let things = |name: &str| table.by_name.get(name).copied();
    let document = Document { file: example.span.file, entries: Vec::new() };
    let mut builder = Builder {
        doc: &document,
        sources,
        checker: Checker::new(Ruleset::clone(&built.rules), &things),
        others: &[],
        problems: Vec::new(),
        table: &table,
        functions: Vec::new(),
        step_names: super::step_names::StepNames::default(),
        setup: Setup::default(),
        traced: false,
    };
    let gives = callee.as_ref().and_then(|(_, gives)| gives.as_deref());
    let mut lower = Lower { builder: &mut builder, cast: &cast, draft: Draft::default(), gives };
    lower.draft.puts = lower.puts(tree, case);
    lower.draft.args = lower.args(tree);
    lower.choosing(tree);
    lower.rolling(tree);
    lower.claims(case);
    for asked in asked {
        lower.asked(&asked.of, asked.given.as_ref());
    }
    let yes = lower.yes(tree.title.span);
    let mut draft = lower.draft;
    let params = if gives.is_some() { Params::Result } else { Params::Given(Vec::new()) };
    let call = callee.as_ref().map(|(func, _)| Call { func: *func, args: Vec::new(), keep: None });
    draft.plan = Plan { mode: Mode::Exact, runs: 1, call, params, alone: Some(yes), ..draft.plan };
    let placed = draft.puts.iter().any(|put| matches!(put, Put::At { .. } | Put::Corners { .. }));
    let Builder { checker, problems, functions, .. } = builder;
    if problems.iter().any(Diagnostic::is_error) {
        return Err(problems);
    }
    let setup = Setup { things: table_things(&checker.rs, &cast, placed), ..Setup::default() };
    let rules = (checker.rs, built.program.clone(), Some(built.ran.clone()));
    Ok(compiled(draft, rules, functions, setup, case.span))
}

/// Returns the things of an example with their links.
fn table_things(rules: &Ruleset, cast: &Cast, placed: bool) -> Vec<ThingSpec> {
    let mut things: Vec<ThingSpec> = cast.members.iter().map(|s| ThingSpec::new(s.kind, s.name.clone())).collect();
    let spot = if placed { 0 } else { SPOT };
    for spec in things.iter_mut().filter(|spec| rules.kinds[spec.kind.at()].on_board) {
        spec.at = Some((spot, spot));
    }
    for (at, field, to) in &cast.links {
        let (_, number) = cast.id(*to);
        let list = matches!(rules.fields[field.at()].ty.present(), Type::List(_));
        match things[*at].values.iter_mut().find(|(f, _, _)| list && f == field) {
            Some((_, _, entries)) => entries.push(number),
            None => things[*at].values.push((*field, 0, vec![number])),
        }
    }
    things
}

/// Returns the names and kinds of the things of which an example only sets fields. They are on its table, and neither its
/// call nor another thing names them.
pub fn bystanders(rules: &Ruleset, example: &tree::Example) -> Vec<(String, KindId)> {
    let guessed = Cast::of(rules, example, &[]).members.into_iter().filter(|stand| stand.guessed);
    guessed.map(|stand| (stand.name, stand.kind)).collect()
}

/// Returns the names and kinds of the things of an example, as far as its first row determines them.
pub fn stand_ins(rules: &Ruleset, example: &tree::Example) -> Vec<(String, KindId)> {
    let all = cases(example);
    let inputs = all.first().map_or(&[][..], |case| case.inputs.as_slice());
    Cast::of(rules, example, inputs).members.into_iter().map(|stand| (stand.name, stand.kind)).collect()
}
