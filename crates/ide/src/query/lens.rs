//! Code lenses above tests and examples: the odds of a test, and whether an example holds. Finding lenses is cheap. Their results
//! are computed one at a time, each within a budget.

use super::{Analysis, Workspace};
use grognard_ask::{Odds, questions};
use grognard_base::value::Type;
use grognard_base::{Budget, Diagnostic, Source, Sources};
use grognard_play::examples::{ExampleResult, ExampleVerdict, run_example};
use grognard_play::odds::OddsOptions;
use grognard_program::{Built, Detail};
use grognard_report::finding::Finding;
use grognard_report::odds::{finding, many_branches};
use grognard_rules::ruleset::{Example, Ruleset, ValueName};
use grognard_scenario::Prepared;
use grognard_scenario::examples::{ask, fields};
use grognard_syntax::tree::{self, ItemKind};
use grognard_syntax::{Part, parse_part};
use std::rc::Rc;
use std::sync::Arc;

/// Maximum length of the title of a lens, in characters.
const LONGEST: usize = 100;

/// The subject of a lens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LensSort {
    /// The odds of a test.
    Odds,
    /// Whether an example holds.
    Example,
}

/// A lens above an item. Its result is computed when it becomes visible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The subject of the lens.
    pub sort: LensSort,
    /// The name of the test, or the title of the example.
    pub name: String,
    /// The byte range of the name in the text.
    pub at: (usize, usize),
}

/// The result of a lens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LensAnswer {
    /// A short text above the item.
    pub title: String,
    /// The complete result.
    pub whole: String,
    /// Whether a limit was reached, so that the lens must not be computed again until the text changes.
    pub limit: bool,
}

impl Workspace {
    /// Returns the lenses of a file, without results.
    pub fn lenses(&self, path: &str) -> Vec<Lens> {
        let Some(id) = self.id(path) else { return Vec::new() };
        let texts = self.texts.borrow();
        let Some(file) = texts.known.file(id) else { return Vec::new() };
        let lens = |item: &Arc<tree::Item>| {
            let (sort, name) = match &item.kind {
                // An extern test without a default is shown in the rulesets that define it.
                ItemKind::Test(test) if !test.external || !test.body.stmts.is_empty() => (LensSort::Odds, &test.name),
                ItemKind::Example(example) => (LensSort::Example, &example.title),
                _ => return None,
            };
            let at = (name.span.start as usize, name.span.end as usize);
            Some(Lens { sort, name: name.text.clone(), at })
        };
        file.items.iter().filter_map(lens).collect()
    }

    /// Returns the query of a lens, which can be sent to another thread.
    ///
    /// # Errors
    ///
    /// Returns a result with the reason if the rules have errors or open items.
    pub fn lens_question(&self, path: &str, sort: LensSort, name: &str) -> Result<LensQuestion, LensAnswer> {
        let analysis = self.analysis(path);
        if !analysis.sound {
            return Err(short("the rules have errors"));
        }
        if let Some(open) = analysis.rules.open.first() {
            let what = analysis.rules.items.get(open.at()).map_or("", |i| i.name.as_str());
            return Err(short(&format!("{what} is left open here; use a ruleset that defines it")));
        }
        Ok(LensQuestion::of(&analysis, sort, name))
    }
}

fn short(title: &str) -> LensAnswer {
    LensAnswer { title: title.to_string(), whole: title.to_string(), limit: false }
}

/// A query about a test or an example, with all data that is needed to answer it.
pub struct LensQuestion {
    rules: Ruleset,
    sources: Sources,
    sort: LensSort,
    name: String,
}

impl LensQuestion {
    fn of(analysis: &Rc<Analysis>, sort: LensSort, name: &str) -> LensQuestion {
        let (rules, sources) = (Ruleset::clone(&analysis.rules), analysis.sources.clone());
        LensQuestion { rules, sources, sort, name: name.to_string() }
    }

    /// Computes the result within a budget.
    pub fn answer(self, budget: Budget) -> LensAnswer {
        let LensQuestion { rules, mut sources, sort, name } = self;
        let built = Built::new(rules, Detail::Plain);
        match sort {
            LensSort::Example => {
                let examples = &built.rules.examples;
                let Some(example) = examples.iter().rev().find(|e| e.tree.title.text == name) else {
                    return short("there is no such example any more");
                };
                rendered(&run_example(&built, example, &sources, budget))
            }
            LensSort::Odds => odds(&built, &name, &mut sources, budget),
        }
    }
}

/// Returns the result of an example as text.
fn rendered(result: &ExampleResult) -> LensAnswer {
    let title = match result.verdict {
        _ if result.limit => "too large to compute here".to_string(),
        ExampleVerdict::Holds if result.waiting > 0 => {
            format!("{} of {} hold, {} wait", result.held, result.judged, result.waiting)
        }
        ExampleVerdict::Holds => "holds".to_string(),
        ExampleVerdict::Waits => format!("waits {}", result.why),
        ExampleVerdict::Fails if result.judged > 1 => format!("FAILS: {} of {} hold", result.held, result.judged),
        ExampleVerdict::Fails => "FAILS".to_string(),
    };
    let mut whole = format!("{}: {title}", result.title);
    for problem in &result.problems {
        whole += &format!("\n{}", problem.message);
    }
    LensAnswer { title, whole, limit: result.limit }
}

/// The exact odds of a call.
pub struct CallOdds {
    /// The title of the example that provides the values, or `None` for stand-ins without values.
    pub example: Option<String>,
    /// The finding, and whether a limit was reached, or the reason why the odds could not be computed.
    pub found: Result<(Finding, bool), String>,
}

/// Computes the odds of a test or proc. Uses the first example that calls it, with free dice, or else stand-ins without values.
/// `set` sets params and readings, except those that the example sets itself. With `why`, the finding includes the causes, which
/// requires rules that were built with coverage. Returns `None` if no example calls it and stand-ins are not sufficient.
pub fn call_odds(
    built: &Built,
    (name, set): (&str, &[(String, String)]),
    sources: &mut Sources,
    budget: Budget,
    why: bool,
) -> Option<CallOdds> {
    let of = |e: &&Example| e.tree.call.as_ref().is_some_and(|call| call.name.text == name);
    let (mut example, title) = match built.rules.examples.iter().find(of) {
        Some(example) => {
            let tree = tree::Example { rolling: Vec::new(), ..tree::Example::clone(&example.tree) };
            (Example { tree: Arc::new(tree), ..example.clone() }, Some(example.tree.title.text.clone()))
        }
        None => (stand_in_call(&built.rules, name, sources)?, None),
    };
    let tree = Arc::make_mut(&mut example.tree);
    for (name, value) in set {
        if tree.under.iter().any(|(own, _)| own.text == *name) {
            continue;
        }
        let source = Source::new("set", format!("{name} = {value}"));
        match parse_part(sources.add(source.clone()), &source, Part::Under) {
            Ok(mut part) => tree.under.append(&mut part.under),
            Err(found) => return Some(CallOdds { example: title, found: Err(first(found)) }),
        }
    }
    let odds_options = OddsOptions { marks: why, ..OddsOptions::plain(budget) };
    Some(CallOdds { example: title, found: computed(built, &example, sources, &odds_options) })
}

/// Returns the odds of a test as text.
fn odds(built: &Built, name: &str, sources: &mut Sources, budget: Budget) -> LensAnswer {
    let found = call_odds(built, (name, &[]), sources, budget, false);
    let Some(CallOdds { example, found }) = found else {
        return short("odds: write an example that calls it");
    };
    let as_in = example.map_or(String::new(), |title| format!(" as in \"{title}\""));
    match found {
        Ok((found, limit)) => {
            let whole = found.text();
            LensAnswer {
                title: format!("{}{as_in}", in_short(&whole)),
                whole: format!("{name}{as_in}\n{whole}"),
                limit,
            }
        }
        Err(why) => {
            let whole = format!("{name}{as_in}: {why}");
            let title = if as_in.is_empty() {
                "odds: write an example that calls it".to_string()
            } else {
                format!("odds: {why}")
            };
            LensAnswer { title, whole, limit: false }
        }
    }
}

/// Creates a call with a separate stand-in for each parameter, or returns `None` if a parameter is not a thing.
fn stand_in_call(rules: &Ruleset, name: &str, sources: &mut Sources) -> Option<Example> {
    let proc = |value: &ValueName| if let ValueName::Proc(id) = value { Some(*id) } else { None };
    let called = rules.names.tests.get(name).copied().or_else(|| rules.names.values.get(name).and_then(proc))?;
    let test = rules.functions.get(called.at())?;
    let params = test.locals.get(..test.params)?;
    if params.iter().any(|p| !matches!(p.ty, Type::Kind(_))) {
        return None;
    }
    let names: Vec<&str> = params.iter().map(|p| p.name.as_str()).collect();
    let text = format!("{name}({})", names.join(", "));
    let source = Source::new("call", text.as_str());
    let file = sources.add(source.clone());
    let tree = parse_part(file, &source, Part::Call).ok()?;
    let span = grognard_base::Span::new(file, 0, text.len());
    Some(Example { tree: Arc::new(tree), span, cites: Vec::new(), from: rules.chain.len().saturating_sub(1) })
}

fn first(found: Vec<Diagnostic>) -> String {
    found.into_iter().next().map_or(String::new(), |d| d.message)
}

/// Computes the odds of a call, and whether a limit was reached.
fn computed(
    built: &Built,
    example: &Example,
    sources: &mut Sources,
    odds_options: &OddsOptions<'_>,
) -> Result<(Finding, bool), String> {
    let names = fields(built, example);
    let questions = questions("asked", names.iter().map(String::as_str), sources).map_err(first)?;
    if questions.is_empty() {
        return Err("it gives nothing that could be asked".to_string());
    }
    let mut scenario = ask(built, example, &questions, sources).and_then(Prepared::settle).map_err(first)?;
    let found = Odds::plain(odds_options.clone()).answer_call(&mut scenario, &names);
    let found = found.map_err(|fault| fault.diagnostic().message)?;
    let mut shown = finding("", &found.rendered("", &scenario), None);
    let slow = found.many.as_ref().and_then(|many| many_branches(many, sources));
    slow.into_iter().for_each(|line| shown.say(line));
    Ok((shown, found.cost.limit.is_some()))
}

/// Returns the first result of a report in one line, without bars.
fn in_short(report: &str) -> String {
    let bar = |word: &&str| !(word.len() > 2 && word.bytes().all(|b| matches!(b, b'#' | b'.')) || *word == "(exact)");
    let lines = report.lines().map(str::trim).take_while(|l| !l.is_empty() && !l.ends_with("explored"));
    let lines = lines.take(5).map(|l| l.split_whitespace().filter(bar).collect::<Vec<_>>().join(" "));
    let text = lines.collect::<Vec<_>>().join("; ").replace(":;", ":");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text,
    }
}
