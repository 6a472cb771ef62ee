//! Holes in bands: the results of the analysis of conditions, each with a smallest situation and with how often
//! scenarios reach it.

use super::figures::{Figures, Leaf};
use super::situation::{Search, Values};
use super::{Basis, Hole, HoleSort, Replay};
use grognard_base::order;
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, Sources};
use grognard_play::coverage::place;
use grognard_play::examples::{ExampleResult, ExampleVerdict};
use grognard_program::Built;
use grognard_rules::bands::{Flaw, Form, Found, Ladder, ladders};
use grognard_rules::code::{Expr, ExprKind};
use grognard_rules::ruleset::{FieldSort, Ruleset, ValueName};
use grognard_rules::wording::{constant, exact_words};
use grognard_vm::{Game, State};

/// Returns the holes in the bands of a program.
pub fn bands(built: &Built, sources: &Sources) -> Vec<Hole> {
    let all = ladders(&built.rules);
    let found = all.iter().flat_map(|ladder| ladder.judge().into_iter().map(move |found| (ladder, found)));
    found.map(|(ladder, found)| hole(built, sources, ladder, &found)).collect()
}

/// Converts errors of the checker to holes. Returns `None` unless all errors are holes; other holes cannot be searched
/// for in rules with errors.
pub fn refused(rules: &str, found: &[Diagnostic], sources: &Sources) -> Option<Vec<Hole>> {
    let errors: Vec<&Diagnostic> = found.iter().filter(|d| d.is_error()).collect();
    let hole = |d: &&Diagnostic| {
        let sort = match d.code {
            Code::Gap => HoleSort::Gap,
            Code::Overlap => HoleSort::Overlap,
            Code::Conflict => HoleSort::Conflict,
            _ => return None,
        };
        let at = place(sources, d.span?);
        Some(Hole {
            rules: rules.to_string(),
            says: d.message.clone(),
            lines: vec!["`grognard check` refuses it; the rules cannot run before it is fixed".into()],
            basis: Basis::Proved,
            ..Hole::at(sort, at)
        })
    };
    errors.iter().map(hole).collect::<Option<Vec<Hole>>>().filter(|holes| !holes.is_empty())
}

fn hole(built: &Built, sources: &Sources, ladder: &Ladder<'_>, found: &Found) -> Hole {
    let rules = &built.rules;
    let row = |at: usize| ladder.rows.get(at).map_or(ladder.span, |row| row.span);
    let written = |span| sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let (figure, words) = ladder.rendered(found, written);
    let (sort, at, says, lines) = match found.flaw {
        Flaw::Gap { between: (below, above) } => {
            let says = match ladder.form {
                Form::Else => {
                    format!("{figure}: {words} fits no band and falls to `else` with the values beyond the bands")
                }
                Form::Options => format!("{figure}: {words} leaves no option to choose"),
                Form::Table => format!("{figure}: {words} has no row, although there are rows on both sides"),
                Form::Chain | Form::Apart | Form::Rules => {
                    format!("{figure}: {words} fits no band, and nothing happens")
                }
            };
            let (a, b) = (place(sources, row(below)), place(sources, row(above)));
            let lines = if a == b { Vec::new() } else { vec![format!("the bands on its two sides: {a} and {b}")] };
            (HoleSort::Gap, row(above), says, lines)
        }
        Flaw::Both(a, b) => {
            let says = format!("{figure}: {words} fits two bands, and both apply");
            (HoleSort::Overlap, row(b), says, vec![format!("the other: {}", place(sources, row(a)))])
        }
        Flaw::Shadowed(at) => {
            let says = "this is never chosen: the entries above leave no value for it".to_string();
            (HoleSort::Never, row(at), says, Vec::new())
        }
        Flaw::Never(at) => (HoleSort::Never, row(at), format!("this never holds: {figure} cannot be so"), Vec::new()),
    };
    let item = &rules.items[ladder.item.at()];
    Hole {
        at: place(sources, at),
        says,
        lines,
        replay: found.cell.as_ref().and_then(|_| example(built, sources, ladder, found)).map(Replay::Example),
        ..Hole::of(sort, rules, item, sources)
    }
}

/// Returns the smallest example in which the value has a number of the finding.
fn example(built: &Built, sources: &Sources, ladder: &Ladder<'_>, found: &Found) -> Option<String> {
    let rules = &built.rules;
    let cell = found.cell.as_ref()?;
    // the subject belongs to the function, so its variables are those of the search
    let search = Search::new(built, sources, ladder.func);
    let name = |id: LocalId| search.name(id);
    let words = ladder.rendered(found, |span| sources.slice(span).to_string()).1;
    let title = format!("{} is {words}", figure_words(rules, ladder, &name));
    let holds = |result: &ExampleResult| result.verdict == ExampleVerdict::Holds;
    let result = ladder.otherwise.and_then(|value| plain(rules, value));
    if let ExprKind::Local(id) = ladder.subject.kind
        && id.at() < rules.functions[ladder.func.at()].params
        && ladder.against.is_none()
    {
        // the number is a parameter itself
        let number = rendered(&ladder.subject.ty, cell.number)?;
        let call = called(rules, ladder.func, &|_| number.clone())?;
        let claim = format!("{call} = {}", result?);
        let only = rules.functions[ladder.func.at()].params == 1;
        return only
            .then(|| search.example(&title, &[], &[], &|_| true, &|_| Some(vec![claim.clone()]), &holds))
            .flatten();
    }
    let leaves = leaves(&search.figures, ladder.subject, ladder.against).filter(|leaves| !leaves.is_empty())?;
    let fits = |values: &Values| {
        let known = &mut |leaf: &Leaf| values.get(leaf).copied();
        value(&search.figures, ladder.subject, ladder.against, known).is_some_and(|n| cell.holds(n))
    };
    let claims = |values: &Values| {
        let mut claims = Vec::new();
        for figure in std::iter::once(ladder.subject).chain(ladder.against) {
            let number = search.figures.number(figure, &mut |leaf: &Leaf| values.get(leaf).copied())?;
            if let Some(text) = exact_words(rules, &|id| Some(name(id)), figure) {
                claims.push(format!("{text} = {}", rendered(&figure.ty, number)?));
            }
        }
        if let (Some(call), Some(result)) = (called(rules, ladder.func, &name), &result) {
            claims.push(format!("{call} = {result}"));
        }
        (!claims.is_empty()).then_some(claims)
    };
    search.example(&title, &leaves, &[], &fits, &claims, &holds)
}

/// Evaluates a value or, if it is compared with another, their difference.
fn value<'r>(
    figures: &Figures<'r>,
    subject: &'r Expr,
    against: Option<&'r Expr>,
    known: &mut dyn FnMut(&Leaf) -> Option<i64>,
) -> Option<Ratio> {
    let number = figures.number(subject, &mut *known)?;
    match against {
        Some(other) => number.checked_sub(figures.number(other, known)?),
        None => Some(number),
    }
}

/// Returns the leaves of both values.
fn leaves<'r>(figures: &Figures<'r>, subject: &'r Expr, against: Option<&'r Expr>) -> Option<Vec<Leaf>> {
    let mut found = figures.leaves(subject)?;
    if let Some(other) = against {
        found.extend(figures.leaves(other)?);
        order::sort(&mut found);
        found.dedup();
    }
    Some(found)
}

fn figure_words(rules: &Ruleset, ladder: &Ladder<'_>, name: &dyn Fn(LocalId) -> String) -> String {
    exact_words(rules, &|id| Some(name(id)), ladder.subject).unwrap_or_else(|| "the value".into())
}

/// Returns a constant as text.
fn plain(rules: &Ruleset, e: &Expr) -> Option<String> {
    if let ExprKind::Const(n) = e.kind { Some(constant(rules, &e.ty, n).to_string()) } else { None }
}

fn rendered(ty: &Type, n: Ratio) -> Option<String> {
    match ty {
        Type::Length => n.is_whole().then(|| length(n.num())),
        _ if n.is_whole() => Some(n.num().to_string()),
        _ => Some(format!("{}/{}", n.num(), n.den())),
    }
}

/// Returns a call of a function as it is written in an example.
fn called(rules: &Ruleset, func: FuncId, name: &dyn Fn(LocalId) -> String) -> Option<String> {
    let function = &rules.functions[func.at()];
    let args: Vec<String> = (0..function.params).map(|n| name(LocalId::from(n))).collect();
    let field = rules.fields.iter().find(|field| field.sort == FieldSort::Let(func));
    if let (Some(field), [own]) = (field, args.as_slice()) {
        return Some(format!("{own}.{}", field.name));
    }
    let (own, _) = rules.names.values.iter().find(|(_, value)| **value == ValueName::Let(func))?;
    Some(format!("{own}({})", args.join(", ")))
}

/// A hole that can be detected in a state, because it concerns things of a kind.
pub struct Spot<'r> {
    /// Index of the hole among those that [`bands`](bands()) returns, or an index after the last of them.
    pub hole: usize,
    /// The kind of the things.
    pub kind: KindId,
    /// The criterion for a thing in the hole.
    pub sought: Sought<'r>,
}

/// The criterion for a thing in a hole.
pub enum Sought<'r> {
    /// A value for which no band holds, or two bands do.
    Number {
        /// The function that contains the value.
        figures: Figures<'r>,
        subject: &'r Expr,
        /// The value that it is compared with, unless that is a constant.
        against: Option<&'r Expr>,
        /// The flaw and its numbers.
        found: Found,
    },
    /// The thing has all of these, and all conditions hold for it.
    Both {
        /// Traits and statuses.
        borne: Vec<TraitId>,
        /// Conditions, each with its function.
        conditions: Vec<(Figures<'r>, &'r Expr)>,
    },
}

/// Returns the holes that can be detected in runs, whose values depend on one thing.
pub fn spots(rules: &Ruleset) -> Vec<Spot<'_>> {
    let mut found = Vec::new();
    for ladder in ladders(rules) {
        found.extend(ladder.judge().into_iter().map(|flaw| (ladder.func, (ladder.subject, ladder.against), flaw)));
    }
    let spots = found.into_iter().enumerate();
    spots.filter_map(|(hole, (func, subject, found))| spot(rules, hole, func, subject, found)).collect()
}

fn spot<'r>(
    rules: &'r Ruleset,
    hole: usize,
    func: FuncId,
    (subject, against): (&'r Expr, Option<&'r Expr>),
    found: Found,
) -> Option<Spot<'r>> {
    found.cell.as_ref()?;
    let figures = Figures::of(rules, func);
    let of = |leaf: &Leaf| match leaf {
        Leaf::Of(param, _) | Leaf::Size(param, _) => Some(*param),
        Leaf::Given(_) => None,
    };
    let params: Vec<LocalId> = leaves(&figures, subject, against)?.iter().map(of).collect::<Option<_>>()?;
    let first = *params.first()?;
    let kind = rules.functions[func.at()].locals.get(first.at())?.ty.kind()?;
    let sought = Sought::Number { figures, subject, against, found };
    params.iter().all(|p| *p == first).then_some(Spot { hole, kind, sought })
}

impl Spot<'_> {
    /// Returns whether some thing in the state is in the hole.
    pub fn is_there(&self, game: &Game, state: &State) -> bool {
        let layout = &game.layout.kinds[self.kind.at()];
        let alive = |thing: &usize| state.cells.get(layout.alive + thing) == Some(&1);
        (0..layout.slots).filter(alive).any(|thing| {
            let mut known = |leaf: &Leaf| number(game, state, leaf, thing as i64);
            match &self.sought {
                Sought::Number { figures, subject, against, found } => {
                    let value = value(figures, subject, *against, &mut known);
                    value.is_some_and(|n| found.cell.as_ref().is_some_and(|cell| cell.holds(n)))
                }
                Sought::Both { borne, conditions } => {
                    let bears = |id: &TraitId| state.cells.get(game.layout.bears[id.at()] + thing) > Some(&0);
                    borne.iter().all(bears)
                        && conditions.iter().all(|(figures, e)| figures.holds(e, &mut known) == Some(true))
                }
            }
        })
    }
}

/// Returns the value of a leaf for a thing in a state.
fn number(game: &Game, state: &State, leaf: &Leaf, thing: i64) -> Option<i64> {
    match leaf {
        Leaf::Given(_) => None,
        Leaf::Of(_, field) => {
            let cell = *state.cells.get(game.layout.field(*field, thing, 0))?;
            (cell != grognard_vm::UNSET && cell != NONE).then_some(cell)
        }
        Leaf::Size(_, field) => {
            let FieldSort::BackLink(link) = game.program.schema.fields[field.at()].sort else { return None };
            let kind = game.program.schema.fields[link.at()].kind;
            let layout = &game.layout.kinds[kind.at()];
            let points = |n: &usize| {
                state.cells.get(layout.alive + n) == Some(&1)
                    && state.cells.get(game.layout.field(link, *n as i64, 0)) == Some(&thing)
            };
            Some((0..layout.slots).filter(points).count() as i64)
        }
    }
}
