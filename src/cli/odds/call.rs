//! The odds of one call of the rules, or of an expression with dice in it.

use super::super::files::Root;
use super::super::out::{Out, Stop, told_game};
use super::{Args, decided, findings, tell};
use crate::base::{Code, Diagnostic, FileId, Source, Sources, Span};
use crate::exact::{Graph, Options, Pools, Target};
use crate::machine::Fault;
use crate::play::examples::{Asked, Posed, ask, fields};
use crate::play::odds::{Answer, Why, trouble};
use crate::program::compile;
use crate::report::odds::{Odds, Told, page};
use crate::rules::load::CHAIN_LIMIT;
use crate::rules::ruleset::{Example, Ruleset, ValueName};
use crate::rules::{self, Library};
use crate::scenario::FigureSort;
use crate::syntax::{parse, parse_query, thrown, tree};
use crate::value::*;
use std::path::Path;

/// The test that throws the dice of an expression, and what it gives.
const TEST: &str = "OddsOfThis";
const FIELD: &str = "odds_of_this";
/// The rules of bare dice.
const BARE: &str = "odds/dice.rules";

/// Asks and tells.
pub fn run(args: &Args, file: Option<&Path>, asked: &str, colour: bool, out: &mut Out) -> Result<u8, Stop> {
    if !args.decide.is_empty() || args.objective.is_some() || args.rules.is_some() || args.table {
        return Err(Stop::failed("`--decide`, `--objective`, `--rules` and `--table` are for scenarios"));
    }
    if asked.trim().is_empty() {
        return Err(Stop::failed("nothing is asked; write something such as `2d6` or `total(highest(3, 10 of d6))`"));
    }
    let mut sources = Sources::default();
    let root = file.map(Root::of_rules).transpose()?;
    let (library, name): (&dyn Library, &str) = match &root {
        Some((root, name)) => (root, name),
        None => (&Nothing, BARE),
    };
    let rules = if root.is_some() { Some(rules::load(name, library, &mut sources)) } else { None };
    let rules = match rules.map(|loaded| (loaded.ruleset, loaded.problems)) {
        None => None,
        Some((Some(rules), _)) => Some(rules),
        Some((None, found)) => {
            let found: Vec<Diagnostic> = found.into_iter().filter(Diagnostic::is_error).collect();
            return findings(args.format, &found, &sources, colour, out);
        }
    };
    if let Some(item) = rules.as_ref().and_then(|r| r.open.first().map(|i| &r.items[i.at()])) {
        let message = format!("{} is left to the rulesets that extend this one; ask one of them", item.name);
        return findings(args.format, &[Diagnostic::new(Code::OpenItem, item.span, message)], &sources, colour, out);
    }
    let called = rules.filter(|rules| is_call(rules, asked));
    if called.is_some() && !asked.contains('(') {
        let name = asked.trim();
        return Err(Stop::failed(format!("`{name}` is called with brackets: `{name}(..)`")));
    }
    let (rules, call, moved) = match called {
        Some(rules) => (rules, asked.to_string(), None),
        None => match with_test(library, name, asked, &mut sources)? {
            Ok((rules, call, moved)) => (rules, call, Some(moved)),
            Err(found) => return findings(args.format, &found, &sources, colour, out),
        },
    };
    let bare = moved.is_some();
    let placed = |found| moved.iter().fold(found, |found, moved| moved.all(found));
    let example = match example(args, &rules, &call, &mut sources) {
        Ok(example) => example,
        Err(found) => return findings(args.format, &found, &sources, colour, out),
    };
    let program = compile(rules, args.detail());
    // what is asked: what the caller wants, else what the test gives
    let mut texts: Vec<(String, String)> = args.of.iter().map(|of| (of.clone(), of.clone())).collect();
    if texts.is_empty() && bare {
        texts = vec![(asked.trim().to_string(), FIELD.to_string())];
    } else if texts.is_empty() {
        texts = fields(&program, &example).into_iter().map(|name| (name.clone(), name)).collect();
    }
    if texts.is_empty() {
        return Err(Stop::failed("this gives nothing by itself; ask with `--of EXPR`, such as `--of u.markers`"));
    }
    if let Some(given) = &args.given {
        texts.iter_mut().flat_map(|(shown, of)| [shown, of]).for_each(|text| *text += &format!(" given {given}"));
    }
    let mut questions = Vec::new();
    for (_, of) in &texts {
        let source = Source::new("--of", of.as_str());
        let file = sources.add(Source::new("--of", of.as_str()));
        match parse_query(file, &source) {
            Ok((of, given)) => questions.push(Asked { of, given }),
            Err(found) => return findings(args.format, &found, &sources, colour, out),
        }
    }
    let whys = |graph: &Graph<'_>, posed: &[Posed<'_>]| -> Vec<Option<Result<Why, Fault>>> {
        posed.iter().map(|q| Some(Why::of(graph, graph, (Target::Value(q.of), q.given), &q.ty))).collect()
    };
    let outcome = ask(&program, &example, &questions, &sources, &args.options(), |game, graph, posed| {
        let mut answers = Vec::new();
        for question in posed {
            let found = graph.distribution(question.of, question.given);
            if found.outcomes.is_empty() && found.unexplored().is_zero() {
                return Err(Fault::new(Code::NeverGiven, "what is given holds at no end"));
            }
            answers.push((question.ty.clone(), Answer::of(found, &question.ty)));
        }
        // a pool that shows late what it brought is asked about again, split as it falls
        let clear = graph.looks_at_once();
        let whys = if args.why && clear { whys(graph, posed) } else { Vec::new() };
        Ok((game.clone(), (graph.states(), graph.limit()), answers, (clear, whys)))
    });
    let outcome = outcome.and_then(|(game, states, answers, (clear, mut found))| {
        if args.why && !clear {
            let options = Options { pools: Pools::Faces, ..args.options() };
            found = ask(&program, &example, &questions, &sources, &options, |_, graph, posed| Ok(whys(graph, posed)))?;
        }
        Ok((game, states, answers, found))
    });
    match outcome {
        Err(found) => findings(args.format, &placed(found), &sources, colour, out),
        Ok((game, (states, limit), answers, found)) => {
            let mut problems: Vec<Diagnostic> =
                answers.iter().flat_map(|(_, answer)| trouble(answer, states, limit)).collect();
            let whys = decided(&found, &mut problems);
            let told = texts.iter().zip(&answers).enumerate().map(|(n, ((text, _), (ty, answer)))| {
                let sort = if *ty == Type::Flag { FigureSort::Chance } else { FigureSort::Hist };
                Told { text, ty, sort, answer, why: whys.get(n).and_then(Option::as_ref) }
            });
            let rolls = moved.iter().flat_map(|moved| moved.sites(&game.program.rules)).collect();
            let odds = Odds { scenario: "", game: &game, told: told.collect(), states, rolls };
            let rules = if file.is_some() { told_game(&game).to_vec() } else { Vec::new() };
            let own = [("asked", asked.trim().into())].into_iter().chain(rules);
            out.note(own.chain(args.facts(&odds)));
            args.page.put(out, || page(asked.trim(), &odds, None))?;
            tell(args.format, (&odds, None), placed(problems), &sources, colour, out)
        }
    }
}

/// True if a text calls something of the rules that happens.
fn is_call(rules: &Ruleset, text: &str) -> bool {
    let name = text.trim().split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    let names = &rules.names;
    names.tests.contains_key(name)
        || names.phases.contains_key(name)
        || names.events.contains_key(name)
        || matches!(names.values.get(name), Some(ValueName::Proc(_)))
}

/// The example whose call is asked about.
fn example(args: &Args, rules: &Ruleset, call: &str, sources: &mut Sources) -> Result<Example, Vec<Diagnostic>> {
    let mut text = format!("ruleset odds/asked\nexample \"odds\"\n  for {call}\n");
    for (word, parts) in
        [("with", &args.with), ("under", &args.set), ("rolling", &args.rolling), ("choosing", &args.choosing)]
    {
        if !parts.is_empty() {
            text += &format!("  {word} {}\n", parts.join(", "));
        }
    }
    text += "{ yes }\n";
    let source = Source::new("odds", text.as_str());
    let file = sources.add(Source::new("odds", text.as_str()));
    let (tree, found) = parse(file, &source);
    let errors: Vec<Diagnostic> = found.into_iter().filter(Diagnostic::is_error).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut examples = tree.items.into_iter().filter_map(|item| match item.kind {
        tree::ItemKind::Example(tree) => Some((tree, item.span)),
        _ => None,
    });
    match (examples.next(), examples.next()) {
        (Some((tree, span)), None) => {
            Ok(Example { tree, span, cites: Vec::new(), from: rules.chain.len().saturating_sub(1) })
        }
        _ => {
            let message = "a call is written as in `Test(u)`, and what is given as in `u.ld = 2`";
            Err(vec![Diagnostic::new(Code::Syntax, Span::new(file, 0, 0), message)])
        }
    }
}

/// No rules at all.
struct Nothing;

impl Library for Nothing {
    fn read(&self, _: &str) -> Result<Option<String>, String> {
        Ok(None)
    }
}

/// A library with something more in one of its files.
struct With<'l> {
    base: &'l dyn Library,
    path: &'l str,
    text: &'l str,
}

impl Library for With<'_> {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        if path == self.path { Ok(Some(self.text.to_string())) } else { self.base.read(path) }
    }

    fn list(&self) -> Vec<String> {
        self.base.list()
    }
}

/// Rules with a test that throws the dice of an expression, the call of that test, and where its parts went.
type Prepared = (Ruleset, String, Moved);

/// The rules with a test that throws the dice of an expression.
fn with_test(
    library: &dyn Library,
    name: &str,
    asked: &str,
    sources: &mut Sources,
) -> Result<Result<Prepared, Vec<Diagnostic>>, Stop> {
    let (expression, stand_ins) = split(asked);
    let Some(found) = thrown(expression) else {
        return Err(Stop::failed("the expression has more dice than can be told apart; throw them in pools"));
    };
    let params: Vec<String> = stand_ins.iter().map(|(name, kind)| format!("{name}: {kind}")).collect();
    // a variant has no tests of its own: the base below it takes this one
    let mut path = if name.ends_with(".rules") { name.to_string() } else { format!("{name}.rules") };
    let mut text = String::new();
    for _ in 0..CHAIN_LIMIT {
        text = library.read(&path).ok().flatten().unwrap_or_else(|| "ruleset odds/dice\n".to_string());
        let mut words = text.split_whitespace();
        match (words.next(), words.nth(1), words.next()) {
            (Some("variant"), Some("of"), Some(base)) => path = format!("{base}.rules"),
            _ => break,
        }
    }
    let own = sources.add(Source::new("expression", asked));
    let mut moved = Moved { parts: Vec::new(), rolls: found.rolls.clone(), from: None, own };
    text += &format!("\n\ntest {TEST}({}) {{\n", params.join(", "));
    for (name, roll) in &found.rolls {
        text += &format!("  roll {name} = ");
        moved.parts.push((text.len(), roll.len(), found.text.find(name.as_str()).unwrap_or(0)));
        text += roll;
        text += "\n";
    }
    text += &format!("  let {FIELD} = ");
    moved.parts.push((text.len(), found.text.len(), 0));
    text += &found.text;
    text += "\n}\n";
    let whole = With { base: library, path: &path, text: &text };
    let loaded = rules::load(name, &whole, sources);
    moved.from = sources.iter().filter(|(_, s)| s.text == text).map(|(id, _)| id).last();
    if let Some(rules) = loaded.ruleset {
        let names: Vec<&str> = stand_ins.iter().map(|(name, _)| name.as_str()).collect();
        return Ok(Ok((rules, format!("{TEST}({})", names.join(", ")), moved)));
    }
    let errors: Vec<Diagnostic> = loaded.problems.into_iter().filter(Diagnostic::is_error).collect();
    Ok(Err(moved.all(errors)))
}

/// Where the parts of an expression went: place in the text that was read, length, place in the expression.
struct Moved {
    parts: Vec<(usize, usize, usize)>,
    /// The names its rolls were given, and how they are written in it.
    rolls: Vec<(String, String)>,
    from: Option<FileId>,
    own: FileId,
}

impl Moved {
    /// Findings about the text that was read become findings about the expression.
    fn all(&self, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        for one in &mut found {
            one.span.iter_mut().for_each(|span| self.span(span));
            one.others.iter_mut().for_each(|other| self.span(&mut other.span));
            self.words(one);
        }
        found
    }

    /// A roll is called what it is called in the expression, and mended as it is written there.
    fn words(&self, found: &mut Diagnostic) {
        for (name, roll) in &self.rolls {
            let quoted = format!("`{name}`");
            if !found.message.contains(&quoted) {
                continue;
            }
            found.message = found.message.replace(&quoted, &format!("`{roll}`"));
            if let (Code::PoolNeeded, Some((count, sides))) = (found.code, roll.split_once('d')) {
                found.help = format!("to look at each die write `{count} of d{sides}`");
            }
        }
    }

    /// The sites of its rolls, and how they are written in it.
    fn sites(&self, rules: &Ruleset) -> Vec<(SiteId, String)> {
        let own = rules.names.tests.get(TEST);
        let sites = rules.sites.iter().enumerate().filter(|(_, site)| Some(&site.func) == own);
        let written = |name: &str| self.rolls.iter().find(|(roll, _)| roll == name).map(|(_, text)| text.clone());
        sites.filter_map(|(n, site)| Some((SiteId::from(n), written(&site.name)?))).collect()
    }

    fn span(&self, span: &mut Span) {
        if Some(span.file) != self.from {
            return;
        }
        let (start, end) = (span.start as usize, span.end as usize);
        let part = self.parts.iter().find(|(at, len, _)| start < at + len && end > *at);
        if let Some((at, len, to)) = part {
            let place = |n: usize| n.saturating_sub(*at).min(*len) + to;
            *span = Span::new(self.own, place(start), place(end));
        }
    }
}

/// An expression, and the stand-ins behind it: `u.nerve + d6, u: Unit`.
fn split(asked: &str) -> (&str, Vec<(String, String)>) {
    let mut rest = asked.trim_end();
    let mut stand_ins = Vec::new();
    while let Some((before, last)) = rest.rsplit_once(',') {
        let Some((name, kind)) = last.split_once(':') else { break };
        let (name, kind) = (name.trim(), kind.trim());
        let word = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_kind = kind.starts_with(|c: char| c.is_ascii_uppercase());
        if !word(name) || !word(kind) || !is_kind {
            break;
        }
        stand_ins.insert(0, (name.to_string(), kind.to_string()));
        rest = before.trim_end();
    }
    (rest, stand_ins)
}
