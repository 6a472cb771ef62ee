//! The odds of one call of the rules, or of an expression with dice in it.

use super::super::files::Root;
use super::super::out::{Out, Stop, told_game};
use super::expression::with_test;
use super::{Args, decided, findings, tell};
use crate::base::{Code, Diagnostic, Source, Sources, Span};
use crate::exact::{Graph, Options, Pools, Target};
use crate::machine::Fault;
use crate::play::examples::{Asked, Counts, Posed, ask, fields};
use crate::play::odds::{Answer, Why, trouble};
use crate::program::Built;
use crate::report::odds::{Odds, Told, page};
use crate::rules::ruleset::{Example, Ruleset, ValueName};
use crate::rules::{self, Library};
use crate::scenario::FigureSort;
use crate::syntax::{Part, parse_part, parse_query, thrown};
use crate::value::*;
use std::path::Path;

/// The rules of bare dice.
const BARE: &str = "odds/dice";

/// Asks and tells.
pub fn run(args: &Args, file: Option<&Path>, asked: &str, colour: bool, out: &mut Out) -> Result<u8, Stop> {
    if !args.decide.is_empty() || args.objective.is_some() || args.rules.is_some() || args.table || args.ends {
        return Err(Stop::failed("`--decide`, `--objective`, `--rules`, `--table` and `--ends` are for scenarios"));
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
    let dice: Vec<String> = rules.iter().flat_map(|rules| &rules.dice).map(|die| die.name.clone()).collect();
    let dice: Vec<&str> = dice.iter().map(String::as_str).collect();
    let called = rules.filter(|rules| is_call(rules, asked));
    if called.is_some() && !asked.contains('(') {
        let name = asked.trim();
        return Err(Stop::failed(format!("`{name}` is called with brackets: `{name}(..)`")));
    }
    let (rules, call, mut texts, moved) = match called {
        Some(rules) => (rules, asked.to_string(), own_texts(args, &dice)?, None),
        None => match with_test((library, name, &dice), asked, args, &mut sources)? {
            Ok((rules, call, texts, moved)) => (rules, call, texts, Some(moved)),
            Err(found) => return findings(args.format, &found, &sources, colour, out),
        },
    };
    let placed = |found| moved.iter().fold(found, |found, moved| moved.all(found));
    let example = match example(args, &rules, &call, &mut sources) {
        Ok(example) => example,
        Err(found) => return findings(args.format, &found, &sources, colour, out),
    };
    let built = Built::new(rules, args.detail());
    if texts.is_empty() {
        let given = args.given.iter().map(|given| format!(" given {given}")).next().unwrap_or_default();
        texts = fields(&built, &example).iter().map(|name| format!("{name}{given}")).map(|t| (t.clone(), t)).collect();
    }
    if texts.is_empty() {
        return Err(Stop::failed("this gives nothing by itself; ask with `--of EXPR`, such as `--of u.markers`"));
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
    let question = args.question()?;
    let options = args.options(question.budget);
    let outcome = ask(&built, &example, &questions, &sources, &options, Counts::Kept, |game, graph, posed| {
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
    let outcome = outcome.and_then(|(game, states, mut answers, (clear, mut found))| {
        // a tally without end has no distribution that can be shown whole, and yet a mean
        if answers.iter().any(|(_, answer)| answer.found.is_some() && answer.mean.is_none()) {
            let means = ask(&built, &example, &questions, &sources, &options, Counts::Outside, |_, graph, posed| {
                let alone = |q: &Posed<'_>| q.counted.filter(|_| q.given.is_none());
                posed.iter().map(|q| alone(q).map_or(Ok(None), |tally| graph.mean_tally(tally, None))).collect()
            })?;
            for ((_, answer), mean) in answers.iter_mut().zip::<Vec<Option<Fraction>>>(means) {
                answer.mean = answer.mean.take().or(mean);
            }
        }
        if args.why && !clear {
            let options = Options { pools: Pools::Faces, ..options.clone() };
            found = ask(&built, &example, &questions, &sources, &options, Counts::Kept, |_, graph, posed| {
                Ok(whys(graph, posed))
            })?;
        }
        Ok((game, states, answers, found))
    });
    drop(question);
    match outcome {
        Err(found) => findings(args.format, &of_options(placed(found), &sources), &sources, colour, out),
        Ok((game, (states, limit), answers, found)) => {
            let mut problems: Vec<Diagnostic> =
                answers.iter().flat_map(|(_, answer)| trouble(answer, states, limit)).collect();
            let whys = decided(&found, &mut problems);
            let told = texts.iter().zip(&answers).enumerate().map(|(n, ((text, _), (ty, answer)))| {
                let sort = if *ty == Type::Flag { FigureSort::Chance } else { FigureSort::Hist };
                Told { text, ty, sort, answer, why: whys.get(n).and_then(Option::as_ref) }
            });
            let rolls = moved.iter().flat_map(|moved| moved.sites(&built.rules)).collect();
            let odds = Odds { scenario: "", game: &game, told: told.collect(), states, rolls, ends: None };
            let rules = if file.is_some() { told_game(&game).to_vec() } else { Vec::new() };
            let own = [("asked", asked.trim().into())].into_iter().chain(rules);
            out.note(own.chain(args.facts(&odds)));
            args.page.put(out, || page(asked.trim(), &odds, None))?;
            tell(args.format, (&odds, None), of_options(placed(problems), &sources), &sources, colour, out)
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

/// What goes with a call: the option, the part of an example that it is, and what it takes.
const PARTS: [(&str, Part, &str); 4] = [
    ("--with", Part::With, "`--with` gives figures of what the call names: `--with 'u.ld = 2, u has Brave'`"),
    (
        "--set",
        Part::Under,
        "`--set` gives a param, a reading or a parameter of the call another value: `--set hit_on=3`",
    ),
    (
        "--rolling",
        Part::Rolling,
        "`--rolling` gives faces to rolls by the names they have in the rules: `--rolling 'aim = [5, 1]'`",
    ),
    (
        "--choosing",
        Part::Choosing,
        "`--choosing` answers decisions by the names they have in the rules: `--choosing 'target = wolves'`",
    ),
];

/// The example whose call is asked about.
fn example(args: &Args, rules: &Ruleset, call: &str, sources: &mut Sources) -> Result<Example, Vec<Diagnostic>> {
    let mut read = |name: &str, text: &str, part: Part| {
        let source = Source::new(name, text);
        let file = sources.add(Source::new(name, text));
        parse_part(file, &source, part).map(|found| (found, Span::new(file, 0, text.len())))
    };
    let (mut tree, span) = read("call", call, Part::Call)?;
    let given = [&args.with, &args.set, &args.rolling, &args.choosing];
    for ((option, part, _), texts) in PARTS.into_iter().zip(given) {
        for text in texts {
            let (found, _) = read(option, text, part)?;
            tree.with.extend(found.with);
            tree.under.extend(found.under);
            tree.rolling.extend(found.rolling);
            tree.choosing.extend(found.choosing);
        }
    }
    Ok(Example { tree, span, cites: Vec::new(), from: rules.chain.len().saturating_sub(1) })
}

/// What is said of an example is said of the option that gave it.
fn of_options(mut found: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    for one in found.iter_mut().filter(|one| one.code == Code::ExampleForm && one.help == Code::ExampleForm.help()) {
        let name = one.span.and_then(|span| sources.get(span.file)).map(|source| source.name.as_str());
        let help = PARTS.iter().find(|(option, ..)| Some(*option) == name).map(|(_, _, help)| *help);
        one.help = help.unwrap_or("`--with`, `--rolling` and `--choosing` have to fit the call").to_string();
    }
    found
}

/// No rules at all.
struct Nothing;

impl Library for Nothing {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok((path == "odds/dice.rules").then(|| format!("ruleset {BARE}\n")))
    }
}

/// What is asked of a call: as it is shown, and as it is worked out. What a call rolls has names in the rules.
fn own_texts(args: &Args, dice: &[&str]) -> Result<Vec<(String, String)>, Stop> {
    for text in args.of.iter().chain(&args.given) {
        if let Some((_, die)) = thrown(text, dice).ok().and_then(|found| found.rolls.into_iter().next()) {
            let message = format!(
                "`{text}` throws `{die}` itself, and that goes with an expression: `grognard odds RULES 'x = {die}; ..'`; \
                 what a call rolled is asked for by the name it has in the rules"
            );
            return Err(Stop::failed(message));
        }
    }
    let given = args.given.iter().map(|given| format!(" given {given}")).next().unwrap_or_default();
    Ok(args.of.iter().map(|of| format!("{of}{given}")).map(|text| (text.clone(), text)).collect())
}
