//! Exact odds of the tests of a book, and of its procs that give a result: over the figures that decide them, where those
//! are few (a full factorial design of one or two of them, screened one at a time).

use super::model::{Grid, Part};
use super::words::{Bit, Words, human};
use crate::base::{Budget, Source, Sources, Span};
use crate::exact::Worth;
use crate::play::odds::{Answer, Wish, report};
use crate::program::Built;
use crate::report::odds::{label, short};
use crate::report::value_text;
use crate::rules::reads::{Reads, reads_of_all};
use crate::rules::ruleset::{Example, FieldSort};
use crate::scenario::examples::{Asked, ask, fields};
use crate::syntax::tree;
use crate::syntax::{Part as Piece, parse_part, parse_query};
use crate::value::*;

/// Positions that one answer may take.
const POSITIONS: usize = 4_000;
/// Values of a figure that are tried, and answers of one question that are told, at most.
const MOST: i64 = 8;
/// Figures that are tried one at a time.
const TRIED: usize = 8;

/// A figure that may be varied: what it is called, how it is given, and its values.
#[derive(Clone)]
struct Figure {
    called: String,
    given: Given,
    values: Vec<String>,
}

#[derive(Clone)]
enum Given {
    /// A parameter of the call, by its place.
    Argument(usize),
    /// `u.ld`.
    With(String),
    /// A param of the rules.
    Under(String),
}

/// Works out odds.
pub struct Odds {
    built: Built,
    reads: Vec<Reads>,
    sources: Sources,
}

/// What a question comes to: each value with its share, or the mean of many.
#[derive(Clone, PartialEq)]
struct Told {
    shares: Vec<(String, Fraction)>,
    mean: Option<Fraction>,
    flag: bool,
    exact: &'static str,
}

impl Odds {
    /// Of rules that can be run.
    pub fn new(built: Built, sources: Sources) -> Odds {
        let reads = reads_of_all(&built.rules);
        Odds { built, reads, sources }
    }

    /// The odds of a test or a proc, as it stands alone or as in an example.
    pub fn told(&mut self, name: &str, func: FuncId) -> Vec<Part> {
        // texts of questions are not kept
        let texts = self.sources.clone();
        let found = self.work(name, func);
        self.sources = texts;
        found.unwrap_or_default()
    }

    fn work(&mut self, name: &str, func: FuncId) -> Option<Vec<Part>> {
        let function = self.built.rules.functions.get(func.at())?.clone();
        let mut figures = Vec::new();
        let mut args = Vec::new();
        let called = |n: usize| function.locals[n].name.clone();
        for (n, local) in function.locals.iter().take(function.params).enumerate() {
            match &local.ty {
                Type::Kind(_) => args.push(called(n)),
                ty => {
                    let values = self.values(ty)?;
                    args.push(values.get(values.len() / 2)?.clone());
                    figures.push(Figure { called: human(&called(n)), given: Given::Argument(n), values });
                }
            }
        }
        figures.extend(self.figures(func, &function));
        let base = self.ask(name, &args, &[])?;
        let decides = |me: &mut Self, figure: &Figure| {
            let ends = [figure.values.first(), figure.values.last()];
            ends.into_iter().flatten().any(|v| me.ask(name, &args, &[(figure, v)]).is_some_and(|told| told != base))
        };
        let most = if base.flag { 2 } else { 1 };
        let mut chosen: Vec<Figure> = Vec::new();
        for figure in figures.iter().take(TRIED) {
            if chosen.len() < most && decides(self, figure) {
                chosen.push(figure.clone());
            }
        }
        let part = match chosen.as_slice() {
            [] => single(&base)?,
            [one] => self.line(name, &args, one)?,
            [one, two, ..] => self.square(name, &args, one, two)?,
        };
        Some(vec![part])
    }

    /// Values of a type that are tried.
    fn values(&self, ty: &Type) -> Option<Vec<String>> {
        let rules = &self.built.rules;
        Some(match ty {
            Type::Int(range) if range.high.saturating_sub(range.low) <= MOST => {
                (range.low..=range.high).map(|n| n.to_string()).collect()
            }
            Type::Int(range) => (1.max(range.low)..=(MOST - 2).min(range.high)).map(|n| n.to_string()).collect(),
            Type::Flag => vec!["no".into(), "yes".into()],
            Type::Enum(id) => rules.enums[id.at()].cases.clone(),
            Type::Chain(id) => rules.chains[id.at()].dice.iter().map(|d| format!("d{d}")).collect(),
            _ => return None,
        })
    }

    /// Figures of the things of a call that it looks at, and params.
    fn figures(&self, func: FuncId, function: &crate::rules::code::Function) -> Vec<Figure> {
        let (rules, Some(reads)) = (&self.built.rules, self.reads.get(func.at())) else { return Vec::new() };
        let mut all = Vec::new();
        for (n, local) in function.locals.iter().take(function.params).enumerate() {
            let Type::Kind(kind) = &local.ty else { continue };
            let read = if n == 0 { &reads.fields_of_self } else { &reads.fields };
            for field in read.iter().map(|id| &rules.fields[id.at()]) {
                let own = field.kind == *kind && field.keys.is_empty();
                let sort = matches!(field.sort, FieldSort::Stat | FieldSort::State);
                let Some(values) = self.values(&field.ty).filter(|_| own && sort) else { continue };
                // what the table gives comes before what the game changes
                let title = &rules.items[field.item.at()].title;
                let name = if title.is_empty() || title.split(' ').count() > 3 { human(&field.name) } else { title.clone() };
                let name = if function.params > 1 { format!("{}: {name}", human(&local.name)) } else { name };
                let given = Given::With(format!("{}.{}", local.name, field.name));
                all.push((field.sort != FieldSort::Stat, Figure { called: name, given, values }));
            }
        }
        all.sort_by_key(|(late, _)| *late);
        let settings = reads.settings.iter().map(|id| &rules.settings[id.at()]);
        let turned = settings.filter(|s| s.alternatives.is_empty() && s.sweep.len() > 1);
        let turned = turned.map(|s| {
            let values = s.sweep.iter().map(|cells| cells.first().map_or(String::new(), |v| written(&s.ty, *v)));
            Figure { called: human(&s.name), given: Given::Under(s.name.clone()), values: values.collect() }
        });
        all.into_iter().map(|(_, figure)| figure).chain(turned).collect()
    }

    fn ask(&mut self, name: &str, args: &[String], with: &[(&Figure, &String)]) -> Option<Told> {
        let mut args = args.to_vec();
        let mut tree = tree::Example::default();
        for (figure, value) in with {
            let (piece, text) = match &figure.given {
                Given::Argument(n) => {
                    args[*n].clone_from(value);
                    continue;
                }
                Given::With(what) => (Piece::With, format!("{what} = {value}")),
                Given::Under(what) => (Piece::Under, format!("{what} = {value}")),
            };
            let (file, source) = self.source(&text);
            let found = parse_part(file, &source, piece).ok()?;
            tree.with.extend(found.with);
            tree.under.extend(found.under);
        }
        let call = format!("{name}({})", args.join(", "));
        let (file, source) = self.source(&call);
        let found = parse_part(file, &source, Piece::Call).ok()?;
        let tree = tree::Example { with: tree.with, under: tree.under, ..found };
        let from = self.built.rules.chain.len().saturating_sub(1);
        let example = Example { tree, span: Span::new(file, 0, call.len()), cites: Vec::new(), from };
        let of = fields(&self.built, &example).into_iter().next()?;
        let (file, source) = self.source(&of);
        let (of, given) = parse_query(file, &source).ok()?;
        let prepared = ask(&self.built, &example, &[Asked { of, given }], &self.sources).ok()?;
        let mut scenario = prepared.settle().ok()?;
        let outcome = scenario.in_spite_of_laws(|scenario| {
            let found = report(scenario, &Wish::plain(Budget::of(POSITIONS)))?;
            let answer = found.answers.into_iter().next().transpose()?;
            let asked = scenario.plan.report.first().map(|figure| &figure.asked.ty);
            Ok(answer.zip(asked).and_then(|(answer, ty)| told(&scenario.game, ty, &answer)))
        });
        outcome.ok()?
    }

    fn source(&mut self, text: &str) -> (crate::base::FileId, Source) {
        let source = Source::new("asked", text);
        (self.sources.add(source.clone()), source)
    }

    fn line(&mut self, name: &str, args: &[String], figure: &Figure) -> Option<Part> {
        let mut all = Vec::new();
        for value in &figure.values {
            all.push((value, self.ask(name, args, &[(figure, value)])?));
        }
        let (heads, caption) = match all.first().map(|(_, told)| told) {
            Some(told) if told.flag => (vec![Words::from("passes")], "Chance to pass"),
            Some(_) if all.iter().all(|(_, told)| told.shares.len() <= MOST as usize) => {
                (outcomes(all.iter().map(|(_, told)| told)).into_iter().map(Words::from).collect(), "How often each comes")
            }
            _ => (vec![Words::from("mean")], "The mean"),
        };
        let row = |told: &Told| match caption {
            "Chance to pass" => vec![chance(told)],
            "The mean" => vec![mean(told)],
            _ => outcomes(all.iter().map(|(_, told)| told)).iter().map(|o| share(told, o)).collect(),
        };
        let rows = all.iter().map(|(value, told)| (String::new(), [vec![shown(value)], row(told)].concat())).collect();
        let heads = [vec![Words::from(figure.called.clone())], heads].concat();
        let caption = format!("{caption}, by {} {}", figure.called, how(all.iter().map(|(_, told)| told)));
        Some(Part::Grid(Grid { caption, heads, rows, numbers: true }))
    }

    fn square(&mut self, name: &str, args: &[String], down: &Figure, along: &Figure) -> Option<Part> {
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        for a in &down.values {
            let mut row = vec![shown(a)];
            for b in &along.values {
                // what cannot be together has no odds
                let told = self.ask(name, args, &[(down, a), (along, b)]);
                row.push(told.as_ref().map_or("–".into(), chance));
                all.extend(told);
            }
            rows.push((String::new(), row));
        }
        let corner = Words::from(format!("{} ↓   {} →", down.called, along.called));
        let heads = [vec![corner], along.values.iter().map(|v| shown(v)).collect()].concat();
        let caption = format!("Chance to pass, by {} and {} {}", down.called, along.called, how(all.iter()));
        Some(Part::Grid(Grid { caption, heads, rows, numbers: true }))
    }
}

fn written(ty: &Type, v: i64) -> String {
    match ty {
        Type::Length => format!("{}\"", fixed(v, 1000)),
        Type::Flag => if v == 0 { "no" } else { "yes" }.to_string(),
        _ => v.to_string(),
    }
}

fn shown(value: &str) -> Words {
    Words::from(human(value).replace('"', "″"))
}

fn how<'t>(mut all: impl Iterator<Item = &'t Told>) -> &'static str {
    if all.all(|told| told.exact == "exact") { "(exact)" } else { "(bounded: at least)" }
}

/// What an answer says; none if it ended in an error.
fn told(game: &crate::machine::Game, ty: &Type, answer: &Answer) -> Option<Told> {
    let found = answer.found.as_ref()?;
    if found.outcomes.iter().any(|o| !matches!(o.worth, Worth::Cells(_))) {
        return None;
    }
    let share = |o: &crate::exact::Outcome| match &o.worth {
        Worth::Cells(cells) => Some((value_text(game, ty, cells), found.share(o))),
        _ => None,
    };
    let shares = found.outcomes.iter().filter_map(share).collect();
    Some(Told { shares, mean: answer.mean.clone(), flag: *ty == Type::Flag, exact: label(answer.label) })
}

/// All values that come, in the order in which they were met.
fn outcomes<'t>(all: impl Iterator<Item = &'t Told>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in all.flat_map(|told| &told.shares) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    // numbers in their order
    if names.iter().all(|n| n.parse::<i64>().is_ok()) {
        names.sort_by_key(|n| n.parse::<i64>().unwrap_or(0));
    }
    names
}

fn number(share: &Fraction) -> Words {
    Words(vec![Bit::Text(share.percent()), Bit::Code(short(share))])
}

fn share(told: &Told, outcome: &str) -> Words {
    told.shares.iter().find(|(name, _)| name == outcome).map_or("–".into(), |(_, share)| number(share))
}

fn chance(told: &Told) -> Words {
    match told.shares.iter().find(|(name, _)| name == "yes") {
        Some((_, share)) => number(share),
        None => number(&Fraction::zero()),
    }
}

fn mean(told: &Told) -> Words {
    told.mean.as_ref().map_or("–".into(), |mean| Words(vec![Bit::Text(mean.decimal(2)), Bit::Code(short(mean))]))
}

/// The odds of what nothing varies.
fn single(told: &Told) -> Option<Part> {
    if told.shares.len() < 2 || told.shares.len() > 2 * MOST as usize {
        return None;
    }
    let rows = told.shares.iter().map(|(name, share)| (String::new(), vec![shown(name), number(share)])).collect();
    let caption = format!("How often each comes {}", how(std::iter::once(told)));
    Some(Part::Grid(Grid { caption, heads: vec!["".into(), "chance".into()], rows, numbers: true }))
}
