//! Finds the smallest situation in which a condition holds, and writes it as an example of the rules. It is a bounded
//! exhaustive search over the few numbers that the condition depends on, in ascending order. Each candidate is run
//! before it is accepted.

use super::figures::{Figures, Leaf};
use grognard_base::order;
use grognard_base::value::*;
use grognard_base::{Effort, OrdMap, Source, Sources};
use grognard_play::examples::{ExampleResult, run_example};
use grognard_program::Built;
use grognard_rules::ruleset::{Example, FieldSort, Ruleset};
use grognard_syntax::{self as syntax, tree::ItemKind};

/// Number of values that are tried for each number, by the count of numbers.
const EACH: [usize; 4] = [1, 64, 40, 14];
/// Maximum number of candidates that are run.
const MOST_RUN: usize = 6;
/// Maximum width of an example on one line, in characters.
const LINE: usize = 88;
/// The search for a situation in a function.
pub struct Search<'r> {
    built: &'r Built,
    sources: Sources,
    func: FuncId,
    /// The evaluator of the function.
    pub figures: Figures<'r>,
}

/// The values of the leaves.
pub type Values = OrdMap<Leaf, i64>;

impl<'r> Search<'r> {
    /// Creates a search in a function of a program.
    pub fn new(built: &'r Built, sources: &Sources, func: FuncId) -> Search<'r> {
        let figures = Figures::of(&built.rules, func);
        Search { built, sources: sources.clone(), func, figures }
    }

    fn rules(&self) -> &'r Ruleset {
        &self.built.rules
    }

    /// Returns the name of a parameter in an example. An unnamed thing is called by the first letter of its kind.
    pub fn name(&self, id: LocalId) -> String {
        let function = &self.rules().functions[self.func.at()];
        let own = |id: LocalId| match function.locals.get(id.at()) {
            Some(local) if local.name == "self" || local.name.is_empty() => {
                let kind = local.ty.kind().map_or("x", |kind| self.rules().kinds[kind.at()].name.as_str());
                kind.chars().take(1).flat_map(char::to_lowercase).collect::<String>()
            }
            Some(local) => local.name.clone(),
            None => "x".to_string(),
        };
        let name = own(id);
        let before = (0..id.at()).filter(|n| own(LocalId::from(*n)) == name).count();
        if before == 0 { name } else { format!("{name}{}", before + 1) }
    }

    /// Finds the smallest numbers for which `fits` holds, writes them as an example with the claims about them, and
    /// runs it. `shows` decides whether the result is the one that is searched for.
    pub fn example(
        &self,
        title: &str,
        leaves: &[Leaf],
        with: &[String],
        fits: &dyn Fn(&Values) -> bool,
        claims: &dyn Fn(&Values) -> Option<Vec<String>>,
        shows: &dyn Fn(&ExampleResult) -> bool,
    ) -> Option<String> {
        let each = *EACH.get(leaves.len())?;
        let tried: Vec<Vec<i64>> = leaves.iter().map(|leaf| self.values(leaf, each)).collect();
        let mut mixes: Vec<Vec<i64>> = vec![Vec::new()];
        for values in &tried {
            let longer = |mix: &Vec<i64>| values.iter().map(|v| [mix.as_slice(), &[*v]].concat()).collect::<Vec<_>>();
            mixes = mixes.iter().flat_map(longer).collect();
        }
        order::sort_by_key(&mut mixes, |mix| {
            (mix.iter().map(|v| v.unsigned_abs()).fold(0, u64::saturating_add), mix.clone())
        });
        let mixes = mixes.into_iter().map(|mix| leaves.iter().cloned().zip(mix).collect::<Values>());
        mixes.filter(|values| fits(values)).take(MOST_RUN).find_map(|values| {
            let text = self.written(title, &values, with, &claims(&values)?)?;
            self.run(&text).filter(shows).map(|_| text)
        })
    }

    fn written(&self, title: &str, values: &Values, with: &[String], claims: &[String]) -> Option<String> {
        let (rules, function) = (self.rules(), &self.rules().functions[self.func.at()]);
        let things = function.locals.iter().take(function.params).enumerate();
        let things = things.filter_map(|(n, local)| Some((LocalId::from(n), local.ty.kind()?)));
        let things: Vec<String> =
            things.map(|(id, kind)| format!("{}: {}", self.name(id), rules.kinds[kind.at()].name)).collect();
        let mut puts: Vec<String> = with.to_vec();
        for (leaf, value) in values {
            match leaf {
                Leaf::Of(param, field) => {
                    let field = &rules.fields[field.at()];
                    let value = grognard_rules::wording::constant(rules, &field.ty, *value);
                    puts.push(format!("{}.{} = {value}", self.name(*param), field.name));
                }
                Leaf::Size(param, field) => {
                    let field = &rules.fields[field.at()];
                    let kind = field.ty.entry().and_then(Type::kind)?;
                    let letter: String =
                        rules.kinds[kind.at()].name.chars().take(1).flat_map(char::to_lowercase).collect();
                    let names: Vec<String> = (1..=*value).map(|n| format!("{letter}{n}")).collect();
                    puts.push(format!("{}.{} = [{}]", self.name(*param), field.name, names.join(", ")));
                }
                Leaf::Given(_) => {}
            }
        }
        let things = if things.is_empty() { String::new() } else { format!(" for {}", things.join(", ")) };
        let puts = if puts.is_empty() { String::new() } else { format!(" with {}", puts.join(", ")) };
        let title: String = title.chars().map(|c| if c == '"' { '\'' } else { c }).collect();
        let line = format!("example \"{title}\"{things}{puts} {{ {} }}", claims.join("; "));
        if line.len() <= LINE {
            return Some(line);
        }
        let puts = if puts.is_empty() { puts } else { format!("\n {puts}") };
        Some(format!("example \"{title}\"{things}{puts} {{\n  {}\n}}", claims.join("\n  ")))
    }

    /// Runs an example that is not in a file. Returns `None` if it cannot be parsed.
    fn run(&self, text: &str) -> Option<ExampleResult> {
        let mut sources = self.sources.clone();
        let file = sources.add(Source::new("example", text));
        let item = syntax::parse_item(file, sources.get(file)?).ok()?;
        let ItemKind::Example(tree) = item.kind else { return None };
        let from = self.rules().chain.len().saturating_sub(1);
        let example = Example { tree, cites: Vec::new(), from, span: item.span };
        Some(run_example(self.built, &example, &sources, Effort::Usual.budget()))
    }

    /// Returns candidate values of a leaf, in ascending order.
    fn values(&self, leaf: &Leaf, most: usize) -> Vec<i64> {
        let (low, high, step) = match leaf {
            Leaf::Size(..) => (1, 24, 1),
            Leaf::Given(id) => match &self.rules().functions[self.func.at()].locals[id.at()].ty {
                Type::Int(r) => (least(*r), r.high, 1),
                _ => (0, 48_000, 1_000),
            },
            Leaf::Of(_, field) => {
                let field = &self.rules().fields[field.at()];
                match (&field.ty, field.sort) {
                    (Type::Int(r), FieldSort::Stat | FieldSort::State) => (least(*r), r.high, 1),
                    (Type::Flag, _) => (0, 1, 1),
                    (Type::Enum(id), _) => (0, self.rules().enums[id.at()].cases.len() as i64 - 1, 1),
                    _ => (0, 48_000, 1_000),
                }
            }
        };
        let near = self.figures.numbers().iter().flat_map(|n| [n.saturating_sub(1), *n, n.saturating_add(1)]);
        let mut found: Vec<i64> = (0..most as i64).map(|n| low + n * step).chain(near).collect();
        found.retain(|n| low <= *n && *n <= high);
        order::sort(&mut found);
        found.dedup();
        found.truncate(most.max(8) * 2);
        found
    }
}

fn least(r: Range) -> i64 {
    if r.low <= Range::ALL.low { 0 } else { r.low }
}
