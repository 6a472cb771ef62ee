//! The odds of one call of the rules, or of an expression with dice in it.

use super::super::files::Root;
use super::super::out::{Out, Stop, told_game};
use super::expression::{Moved, with_test};
use super::{Args, decided, finding, findings, tell};
use crate::base::slices::at_once;
use crate::base::{Code, Diagnostic, Source, Sources, Span};
use crate::exact::Limit;
use crate::machine::Fault;
use crate::play::odds::{Answer, Why, Wish, explore, report, trouble, whys};
use crate::program::Built;
use crate::report::odds::{Odds, Told};
use crate::rules::ruleset::{Example, Ruleset, ValueName};
use crate::rules::{self, Library};
use crate::scenario::examples::{Asked, ask, fields};
use crate::scenario::{Counted, Scenario};
use crate::syntax::{Part, parse_part, parse_query, thrown};
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
    let question = args.question()?;
    let wish = Wish { marks: args.why, ..Wish::plain(question.budget) };
    let mut scenario = match ask(&built, &example, &questions, &sources).and_then(|prepared| prepared.settle()) {
        Ok(scenario) => scenario,
        Err(found) => {
            drop(question);
            return findings(args.format, &of_options(placed(found), &sources), &sources, colour, out);
        }
    };
    let outcome = scenario.in_spite_of_laws(|scenario| worked_out(scenario, &wish));
    drop(question);
    match outcome {
        Err(mut fault) => {
            fault.code = if fault.code == Code::Script { Code::ExampleForm } else { fault.code };
            let given = args.given.as_ref().filter(|_| fault.code == Code::NeverGiven);
            let given = given.map(|text| Span::new(sources.add(Source::new("--given", text.as_str())), 0, text.len()));
            let asked = moved.as_ref().map_or(example.span, Moved::whole);
            fault.span = given.or(fault.span).or(Some(asked));
            let found = of_options(placed(vec![fault.diagnostic()]), &sources);
            findings(args.format, &found, &sources, colour, out)
        }
        Ok((states, limit, answers, found)) => {
            let mut problems: Vec<Diagnostic> =
                answers.iter().flat_map(|answer| trouble(answer, states, limit)).collect();
            let whys = decided(&found, &mut problems);
            let figures = texts.iter().zip(&scenario.plan.report).zip(&answers).enumerate();
            let told = figures.map(|(n, (((text, _), figure), answer))| {
                let why = whys.get(n).and_then(Option::as_ref);
                Told { text, ty: &figure.asked.ty, sort: figure.sort, answer, why }
            });
            let rolls = moved.iter().flat_map(|moved| moved.sites(&built.rules)).collect();
            let game = &scenario.game;
            let odds = Odds { scenario: "", game, told: told.collect(), states, rolls, ends: None };
            let rules = if file.is_some() { told_game(game).to_vec() } else { Vec::new() };
            let own = [("asked", asked.trim().into())].into_iter().chain(rules);
            out.note(own.chain(args.facts(&odds)));
            let found = finding(args.format, asked.trim(), &odds, None);
            let code = tell(args.format, &found, of_options(placed(problems), &sources), &sources, colour, out)?;
            args.page.put(out, || found)?;
            Ok(code)
        }
    }
}

/// How many positions were explored, what ended that, what each question comes to, and where that is decided.
type Worked = (usize, Option<Limit>, Vec<Answer>, Vec<Option<Result<Why, Fault>>>);

fn worked_out(scenario: &Scenario, wish: &Wish<'_>) -> Result<Worked, Fault> {
    let wish = &Wish { instead: &[], objective: None, ..wish.clone() };
    let found = at_once(report(scenario, wish))?;
    let graphs = [&found.plain, &found.history];
    let faults = graphs.iter().copied().flatten().flat_map(|explored| explored.graph.faults());
    if let Some(fault) = faults.into_iter().find(|fault| fault.code == Code::Unset) {
        return Err(fault.clone());
    }
    let whys = if wish.marks { at_once(whys(scenario, wish, &found)) } else { Vec::new() };
    let (states, limit) = found.graph().map_or((0, None), |explored| (explored.graph.states(), explored.graph.limit()));
    let mut answers = found.answers.into_iter().collect::<Result<Vec<Answer>, Fault>>()?;
    // a tally without end has no distribution that can be shown whole, and yet a mean
    let mut plain = found.plain;
    for (answer, figure) in answers.iter_mut().zip(&scenario.plan.report) {
        let (Some(Counted::Tally(tally)), None, None) = (figure.asked.counted, figure.asked.given, &answer.mean) else {
            continue;
        };
        if answer.found.is_some() {
            let explored = match plain.take() {
                Some(explored) => explored,
                None => explore(scenario, wish, false)?,
            };
            answer.mean = at_once(explored.graph.mean_tally(tally, None))?;
            plain = Some(explored);
        }
    }
    Ok((states, limit, answers, whys))
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
    Ok(Example { tree: tree.into(), span, cites: Vec::new(), from: rules.chain.len().saturating_sub(1) })
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
