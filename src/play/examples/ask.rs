//! Questions to one call on the table of an example, instead of claims.

use super::claims::Check;
use super::odds::asked;
use super::table::Bench;
use super::{Callee, Case, Runner, Stated, callee, in_spite_of_laws};
use crate::base::{Code, Diagnostic, Sources};
use crate::exact::{Graph, Options, Query};
use crate::machine::{Fault, Game};
use crate::program::Built;
use crate::rules::ruleset::Example;
use crate::syntax::tree::{ClaimKind, Claimed, Expr};
use crate::value::*;

/// A question as it is written.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The value.
    pub of: Expr,
    /// Only where this holds.
    pub given: Option<Expr>,
}

/// A question, ready to be put to the graph.
#[derive(Clone, Debug)]
pub struct Posed<'q> {
    /// The type of the value.
    pub ty: Type,
    /// The value.
    pub of: Query<'q>,
    /// Only where this holds.
    pub given: Option<Query<'q>>,
    /// The tally that the value is.
    pub counted: Option<TallyId>,
}

/// What belongs to a position while a call is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// The tallies that are asked about: any question may be put.
    Kept,
    /// No tally: the mean of one is counted on the way, however large it may become, and nothing else is asked.
    Outside,
}

/// What the call of an example gives that can be asked: the names of its fields, or `passed` or `grade` alone; of a proc
/// its result.
pub fn fields(built: &Built, example: &Example) -> Vec<String> {
    let Callee::Func(_, Some(gives)) = callee(built, example) else { return Vec::new() };
    let names: Vec<String> = gives.into_iter().map(|(name, _)| name).collect();
    match names.iter().find(|n| *n == "passed" || *n == "grade") {
        Some(verdict) => vec![verdict.clone()],
        None => names,
    }
}

/// Explores the call of an example and looks at everything that can come of it.
pub fn ask<T>(
    built: &Built,
    example: &Example,
    questions: &[Asked],
    sources: &Sources,
    options: &Options,
    counts: Counts,
    look: impl Fn(&Game, &mut Graph<'_>, &[Posed<'_>]) -> Result<T, Fault>,
) -> Result<T, Vec<Diagnostic>> {
    let claims: Vec<Claimed> = questions
        .iter()
        .map(|q| Claimed { kind: ClaimKind::Value(q.of.clone()), given: q.given.clone(), span: q.of.span })
        .collect();
    let claims = claims.iter().map(|claimed| Stated { open: true, claimed, value: None, span: claimed.span });
    let case = Case { row: 0, span: example.span, inputs: Vec::new(), claims: claims.collect() };
    let runner = Runner { built, example, sources, case: &case, budget: options.budget };
    let Callee::Func(func, gives) = callee(built, example) else {
        let message = "nothing is called here: name a test, proc, phase or event with its arguments";
        return Err(vec![Diagnostic::new(Code::ExampleForm, example.span, message)]);
    };
    let bench = Bench::prepare(built, &example.tree, &case, gives.as_deref())?;
    let told = |fault: Fault| {
        let mut found = fault.diagnostic();
        found.span = found.span.or(Some(example.span));
        vec![found]
    };
    let mut table = bench.table().map_err(told)?;
    let outcome = in_spite_of_laws(&bench, &mut table, |table| {
        let keep = runner.read(&bench, table);
        let history = bench.looks_at_tallies && counts == Counts::Kept;
        let options = Options { history, counts: bench.counts.clone(), ..options.clone() };
        runner.explored(&bench, table, func, keep.as_deref(), options, |graph| {
            // a law that reads what nobody gave is left out, and all is done again
            if let Some(fault) = graph.faults().iter().find(|f| f.code == Code::Unset) {
                return Err(fault.clone());
            }
            let posed = bench.checks.iter().filter_map(|check| match check {
                Check::Odds { of, ty, given, counted, .. } => Some(Posed {
                    counted: *counted,
                    ty: ty.clone(),
                    of: asked(&bench, table, *of),
                    given: given.map(|g| asked(&bench, table, g)),
                }),
                _ => None,
            });
            let posed: Vec<Posed<'_>> = posed.collect();
            look(&table.game, graph, &posed)
        })
    });
    outcome.map_err(told)
}
