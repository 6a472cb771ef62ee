//! Computes exact odds for the tests of a book, and for its procs with a result. The odds are tabulated over one or two of the
//! stats that decide them (a full factorial design after one-at-a-time screening).

use super::model::Grid;
use super::words::{Bit, Words, human};
use grognard_base::order;
use grognard_base::value::*;
use grognard_base::{Effort, Source, Sources, Span};
use grognard_odds::{Label, Worth};
use grognard_play::odds::{OddsAnswer, OddsOptions, Precision, report};
use grognard_program::Built;
use grognard_report::odds::short;
use grognard_report::value_text;
use grognard_rules::reads::{Reads, reads_of_all};
use grognard_rules::ruleset::{Example, FieldSort};
use grognard_rules::short_text;
use grognard_rules::wording::constant;
use grognard_scenario::examples::{Asked, ask, fields};
use grognard_syntax::tree;
use grognard_syntax::{Part as Piece, parse_part, parse_query};
use std::sync::Arc;

/// Maximum difference between the ends of a range whose values are all tried. Tables list at most twice as many outcomes.
const MOST: i64 = 8;
/// Maximum number of variables that are screened.
const TRIED: usize = 8;
/// Maximum number of queries for one book. A query that reaches its limit counts as `LIMIT` additional queries.
const ASKED: usize = 6_000;
const LIMIT: usize = 100;

/// A variable: its name, how it is set, and its values.
#[derive(Clone)]
struct Figure {
    called: String,
    given: Given,
    values: Vec<String>,
    /// Whether the type has more values.
    cut: bool,
    /// Whether the rules define no default value.
    due: bool,
}

/// A call with its variables.
struct Base {
    name: String,
    /// The arguments. Empty for a call in an example, whose tree holds them.
    args: Vec<String>,
    tree: tree::Example,
    figures: Vec<Figure>,
    as_in: Option<String>,
}

#[derive(Clone)]
enum Given {
    /// A parameter of the call, by its index.
    Argument(usize),
    /// A field of a thing, such as `u.ld`.
    With(String),
    /// A param of the rules.
    Under(String),
}

/// Computes odds with a budget of queries.
pub struct Odds {
    built: Built,
    reads: Vec<Reads>,
    sources: Sources,
    /// Number of remaining queries.
    left: usize,
}

/// The result of a query: each value with its share, and the mean.
#[derive(Clone, PartialEq)]
struct CallResult {
    shares: Vec<(String, Fraction)>,
    mean: Option<Fraction>,
    flag: bool,
    exact: Label,
}

impl CallResult {
    fn is_exact(&self) -> bool {
        self.exact == Label::Exact
    }
}

impl Base {
    /// Returns a sentence about a relevant variable that is not varied, with its value if the call sets one.
    fn held(&self, figure: &Figure) -> String {
        let value = match figure.given {
            Given::Argument(n) => self.args.get(n),
            _ if figure.due => figure.values.get(figure.values.len() / 2),
            _ => None,
        };
        match (value, &figure.given) {
            (Some(value), _) => format!("{} is {}", figure.called, human(value)),
            (None, Given::Under(_)) => format!("“{}” is as printed", figure.called),
            (None, _) => format!("{} as at the start", figure.called),
        }
    }
}

impl Odds {
    /// Creates a calculator for rules without open items.
    pub fn new(built: Built, sources: Sources) -> Odds {
        let reads = reads_of_all(&built.rules);
        Odds { built, reads, sources, left: ASKED }
    }

    /// Returns the odds of a test or proc. Things are stand-ins, or those of an example if the call needs more.
    pub fn rendered(&mut self, name: &str, func: FuncId) -> Option<Grid> {
        // The source texts of queries are not kept.
        let texts = self.sources.clone();
        let found = self.work(name, func);
        self.sources = texts;
        found
    }

    fn work(&mut self, name: &str, func: FuncId) -> Option<Grid> {
        let function = self.built.rules.functions.get(func.at())?.clone();
        let alone = self.alone(name, func, &function).and_then(|base| Some((self.ask(&base, &[])?, base)));
        let (first, base) = match alone {
            Some(found) => found,
            None => {
                let base = self.as_in_example(name, func, &function)?;
                (self.ask(&base, &[])?, base)
            }
        };
        let most = match first.is_exact() {
            true if first.flag => 2,
            true => 1,
            false => 0,
        };
        let (mut chosen, mut held): (Vec<&Figure>, Vec<&Figure>) = (Vec::new(), Vec::new());
        // If the first result is bounded, each further value would be as expensive.
        for figure in base.figures.iter().take(if first.is_exact() { TRIED } else { 0 }) {
            let ends = [figure.values.first(), figure.values.last()];
            let mut ends = ends.into_iter().flatten();
            if !ends.any(|v| self.ask(&base, &[(figure, v)]).is_some_and(|rendered| rendered != first)) {
                continue;
            }
            if chosen.len() < most { chosen.push(figure) } else { held.push(figure) }
        }
        let mut grid = match chosen.as_slice() {
            [] => single(&first)?,
            [one] => self.line(&base, one)?,
            [one, two, ..] => self.square(&base, one, two)?,
        };
        for figure in chosen.iter().filter(|figure| figure.cut) {
            grid.caption.push_str(&format!("; higher values of {} omitted", figure.called));
        }
        if let Some(title) = &base.as_in {
            grid.caption.push_str(&format!(", else as in the example “{title}”"));
        } else if !held.is_empty() {
            let held: Vec<String> = held.iter().map(|figure| base.held(figure)).collect();
            grid.caption.push_str(&format!("; here {}", held.join(", ")));
        }
        Some(grid)
    }

    /// Returns a call with a stand-in for each thing, and with the middle value of each other parameter. Returns `None` if a
    /// parameter has another type.
    fn alone(&mut self, name: &str, func: FuncId, function: &grognard_rules::code::Function) -> Option<Base> {
        let (mut figures, mut args) = (Vec::new(), Vec::new());
        let params = function.locals.iter().take(function.params);
        for (n, local) in params.enumerate() {
            match &local.ty {
                Type::Kind(_) => args.push(local.name.clone()),
                ty => {
                    let values = self.values(ty)?;
                    args.push(values.get(values.len() / 2)?.clone());
                    let (called, cut) = (human(&local.name), self.cut(ty));
                    figures.push(Figure { called, given: Given::Argument(n), values, cut, due: false });
                }
            }
        }
        figures.extend(self.figures(func, function));
        Some(Base { name: name.to_string(), args, tree: tree::Example::default(), figures, as_in: None })
    }

    /// Returns the call of the first example that calls the function.
    fn as_in_example(&mut self, name: &str, func: FuncId, function: &grognard_rules::code::Function) -> Option<Base> {
        let of = |e: &&Example| e.tree.call.as_ref().is_some_and(|call| call.name.text == name);
        let example = self.built.rules.examples.iter().find(of)?;
        let tree = tree::Example { rolling: Vec::new(), ..tree::Example::clone(&example.tree) };
        let called: Vec<String> =
            tree.call.iter().flat_map(|call| &call.args).map(|arg| short_text(&arg.value)).collect();
        let figures = self.figures(func, function).into_iter().filter_map(|figure| {
            let given = match &figure.given {
                // An example has other names for things.
                Given::With(what) => {
                    let (of, field) = what.split_once('.')?;
                    let at = function.locals.iter().take(function.params).position(|l| l.name == of)?;
                    Given::With(format!("{}.{field}", called.get(at)?))
                }
                given => given.clone(),
            };
            Some(Figure { given, due: false, ..figure })
        });
        let figures = figures.collect();
        let as_in = Some(tree.title.text.clone());
        Some(Base { name: name.to_string(), args: Vec::new(), tree, figures, as_in })
    }

    /// Returns the values of a type that are tried, or `None` for types that cannot be enumerated.
    fn values(&self, ty: &Type) -> Option<Vec<String>> {
        let rules = &self.built.rules;
        Some(match ty {
            Type::Int(range) if range.high.saturating_sub(range.low) <= MOST => {
                (range.low..=range.high).map(|n| n.to_string()).collect()
            }
            // A wide range is tried from its low end, and an unbounded one from 1.
            Type::Int(range) => {
                let low = if range.low < 0 { 1 } else { range.low };
                (low..=(low + MOST - 2).min(range.high)).map(|n| n.to_string()).collect()
            }
            Type::Flag => vec!["no".into(), "yes".into()],
            Type::Enum(id) => rules.enums[id.at()].cases.clone(),
            Type::Chain(id) => rules.chains[id.at()].dice.iter().map(|d| format!("d{d}")).collect(),
            _ => return None,
        })
    }

    /// Returns whether a type has more values than are tried.
    fn cut(&self, ty: &Type) -> bool {
        matches!(ty, Type::Int(range) if range.high.saturating_sub(range.low) > MOST)
    }

    /// Returns the fields of the call's things that the function reads, and the params that it reads.
    fn figures(&self, func: FuncId, function: &grognard_rules::code::Function) -> Vec<Figure> {
        let (rules, Some(reads)) = (&self.built.rules, self.reads.get(func.at())) else { return Vec::new() };
        let mut all = Vec::new();
        for (n, local) in function.locals.iter().take(function.params).enumerate() {
            let Type::Kind(kind) = &local.ty else { continue };
            let read = if n == 0 { &reads.fields_of_self } else { &reads.fields };
            for field in read.iter().map(|id| &rules.fields[id.at()]) {
                let own = field.kind == *kind && field.keys.is_empty();
                let sort = matches!(field.sort, FieldSort::Stat | FieldSort::State);
                let Some(values) = self.values(&field.ty).filter(|_| own && sort) else { continue };
                // Stats that the scenario sets come before state that the game changes.
                let title = &rules.items[field.item.at()].title;
                let name = spoken(title, &field.name);
                let same = function.locals.iter().take(function.params).filter(|l| l.ty == local.ty).count();
                let whose = match same {
                    1 => format!("the {}", human(&rules.kinds[kind.at()].name).to_lowercase()),
                    _ => human(&local.name),
                };
                let name = format!("{whose}’s {name}");
                let due = field.default.is_none();
                let given = Given::With(format!("{}.{}", local.name, field.name));
                let cut = self.cut(&field.ty);
                all.push((field.sort != FieldSort::Stat, Figure { called: name, given, values, cut, due }));
            }
        }
        order::sort_by_key(&mut all, |(late, _)| *late);
        let settings = reads.settings.iter().map(|id| &rules.settings[id.at()]);
        let turned = settings.filter(|s| s.alternatives.is_empty() && s.sweep.len() > 1);
        let turned = turned.map(|s| {
            let values = s
                .sweep
                .iter()
                .map(|cells| cells.first().map_or(String::new(), |v| constant(rules, &s.ty, *v).to_string()));
            let (called, given) = (spoken(&rules.items[s.item.at()].title, &s.name), Given::Under(s.name.clone()));
            Figure { called, given, values: values.collect(), cut: false, due: false }
        });
        all.into_iter().map(|(_, figure)| figure).chain(turned).collect()
    }

    fn ask(&mut self, base: &Base, with: &[(&Figure, &String)]) -> Option<CallResult> {
        self.left = self.left.checked_sub(1)?;
        let mut args = base.args.clone();
        let mut tree = base.tree.clone();
        let given = |figure: &Figure| with.iter().any(|(f, _)| f.called == figure.called);
        let due = base.figures.iter().filter(|f| f.due && !given(f));
        let due = due.filter_map(|f| Some((f, f.values.get(f.values.len() / 2)?)));
        for (figure, value) in with.iter().copied().chain(due) {
            let (piece, what) = match &figure.given {
                Given::Argument(n) => {
                    args[*n].clone_from(value);
                    continue;
                }
                Given::With(what) => (Piece::With, what),
                Given::Under(what) => (Piece::Under, what),
            };
            let (file, source) = self.source(&format!("{what} = {value}"));
            let found = parse_part(file, &source, piece).ok()?;
            tree.with.retain(|given| short_text(&given.target) != *what);
            tree.under.retain(|(name, _)| name.text != *what);
            tree.with.extend(found.with);
            tree.under.extend(found.under);
        }
        let mut span = tree.title.span;
        if base.as_in.is_none() {
            let call = format!("{}({})", base.name, args.join(", "));
            let (file, source) = self.source(&call);
            tree.call = parse_part(file, &source, Piece::Call).ok()?.call;
            tree.stand_ins.clear();
            span = Span::new(file, 0, call.len());
        }
        let from = self.built.rules.chain.len().saturating_sub(1);
        let example = Example { tree: Arc::new(tree), span, cites: Vec::new(), from };
        let of = fields(&self.built, &example).into_iter().next()?;
        let (file, source) = self.source(&of);
        let (of, given) = parse_query(file, &source).ok()?;
        let prepared = ask(&self.built, &example, &[Asked { of, given }], &self.sources).ok()?;
        let mut scenario = prepared.settle().ok()?;
        let outcome = scenario.in_spite_of_laws(|scenario| {
            let options = OddsOptions::plain(Effort::Quick.budget());
            let found = report(scenario, &OddsOptions { precision: Precision::Fractions, ..options })?;
            let answer = found.answers.into_iter().next().transpose()?;
            let asked = scenario.plan.report.first().map(|figure| &figure.asked.ty);
            Ok(answer.zip(asked).and_then(|(answer, ty)| rendered(&scenario.game, ty, &answer)))
        });
        let rendered = outcome.ok()?;
        if rendered.as_ref().is_some_and(|rendered| !rendered.is_exact()) {
            self.left = self.left.saturating_sub(LIMIT);
        }
        rendered
    }

    fn source(&mut self, text: &str) -> (grognard_base::FileId, Source) {
        let source = Source::new("asked", text);
        (self.sources.add(source.clone()), source)
    }

    /// Tabulates a result over one variable. A verdict has a row for each value, and other results have a column for each value.
    fn line(&mut self, base: &Base, figure: &Figure) -> Option<Grid> {
        let mut all = Vec::new();
        for value in &figure.values {
            // Values that the rules reject have no odds.
            all.extend(self.ask(base, &[(figure, value)]).map(|rendered| (value, rendered)));
        }
        let names = outcomes(all.iter().map(|(_, rendered)| rendered));
        let how = how(all.iter().map(|(_, rendered)| rendered));
        let head = Words::from(figure.called.clone());
        let row = |cells: Vec<Words>| (String::new(), cells);
        let (what, heads, rows) = if all.first()?.1.flag {
            let rows = all.iter().map(|(value, rendered)| row(vec![shown(value), chance(rendered)])).collect();
            (self.verdict(base), vec![head, "chance".into()], rows)
        } else if names.len() <= 2 * MOST as usize {
            let rows = names.iter().map(|name| {
                row([vec![shown(name)], all.iter().map(|(_, rendered)| share(rendered, name)).collect()].concat())
            });
            let heads = std::iter::once(head.then(" →")).chain(all.iter().map(|(value, _)| shown(value))).collect();
            ("How often each comes", heads, rows.collect())
        } else {
            let rows = all.iter().map(|(value, rendered)| row(vec![shown(value), mean(rendered)])).collect();
            ("The mean", vec![head, "mean".into()], rows)
        };
        let caption = format!("{what}, by {} {how}", figure.called);
        Some(Grid { caption, heads, rows, numbers: true })
    }

    fn verdict(&self, base: &Base) -> &'static str {
        if self.built.rules.names.tests.contains_key(&base.name) {
            "Chance to pass"
        } else {
            "Chance that the result is yes"
        }
    }

    /// Tabulates the probability to pass over two variables.
    fn square(&mut self, base: &Base, down: &Figure, along: &Figure) -> Option<Grid> {
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        for a in &down.values {
            let mut row = vec![shown(a)];
            for b in &along.values {
                // Combinations that the rules reject have no odds.
                let rendered = self.ask(base, &[(down, a), (along, b)]);
                row.push(rendered.as_ref().map_or("–".into(), chance));
                all.extend(rendered);
            }
            rows.push((String::new(), row));
        }
        let corner = Words::from(format!("{} ↓ {} →", down.called, along.called));
        let heads = [vec![corner], along.values.iter().map(|v| shown(v)).collect()].concat();
        let caption = format!("{}, by {} and {} {}", self.verdict(base), down.called, along.called, how(all.iter()));
        Some(Grid { caption, heads, rows, numbers: true })
    }
}

/// Returns the title of a variable up to a semicolon, or its name if the title is long.
fn spoken(title: &str, name: &str) -> String {
    let title = title.split(';').next().unwrap_or_default();
    if title.is_empty() || title.split(' ').count() > 7 { human(name) } else { title.to_string() }
}

fn shown(value: &str) -> Words {
    Words::from(human(value).replace('"', "″"))
}

fn how<'t>(mut all: impl Iterator<Item = &'t CallResult>) -> &'static str {
    if all.all(CallResult::is_exact) { "(exact)" } else { "(bounded: at least)" }
}

/// Returns the result of a query, or `None` if a run can end in an error or not terminate.
fn rendered(game: &grognard_vm::Game, ty: &Type, answer: &OddsAnswer) -> Option<CallResult> {
    let found = answer.found.as_ref()?;
    if found.outcomes.iter().any(|o| !matches!(o.worth, Worth::Cells(_))) {
        return None;
    }
    let share = |o: &grognard_odds::Outcome| match &o.worth {
        Worth::Cells(cells) => Some((value_text(game, ty, cells), found.share(o))),
        _ => None,
    };
    let shares = found.outcomes.iter().filter_map(share).collect();
    Some(CallResult { shares, mean: answer.mean.clone(), flag: *ty == Type::Flag, exact: answer.label })
}

/// Returns all values that occur, in the order of their first occurrence.
fn outcomes<'t>(all: impl Iterator<Item = &'t CallResult>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in all.flat_map(|rendered| &rendered.shares) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    // Numbers are sorted.
    if names.iter().all(|n| n.parse::<i64>().is_ok()) {
        order::sort_by_key(&mut names, |n| n.parse::<i64>().unwrap_or(0));
    }
    names
}

fn number(share: &Fraction) -> Words {
    Words(vec![Bit::Text(share.percent()), Bit::Code(short(share))])
}

fn share(rendered: &CallResult, outcome: &str) -> Words {
    rendered.shares.iter().find(|(name, _)| name == outcome).map_or("–".into(), |(_, share)| number(share))
}

fn chance(rendered: &CallResult) -> Words {
    match rendered.shares.iter().find(|(name, _)| name == "yes") {
        Some((_, share)) => number(share),
        None => number(&Fraction::zero()),
    }
}

fn mean(rendered: &CallResult) -> Words {
    rendered.mean.as_ref().map_or("–".into(), |mean| Words(vec![Bit::Text(mean.decimal(2)), Bit::Code(short(mean))]))
}

/// Tabulates a result without variables.
fn single(rendered: &CallResult) -> Option<Grid> {
    if rendered.shares.len() < 2 || rendered.shares.len() > 2 * MOST as usize {
        return None;
    }
    let rows = rendered.shares.iter().map(|(name, share)| (String::new(), vec![shown(name), number(share)])).collect();
    let caption = format!("How often each comes {}", how(std::iter::once(rendered)));
    Some(Grid { caption, heads: vec!["".into(), "chance".into()], rows, numbers: true })
}
