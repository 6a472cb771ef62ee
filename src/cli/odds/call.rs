//! The odds of a call of the rules, or of an expression with dice.

use super::super::files::Root;
use super::super::out::{Out, Stop, told_game};
use super::expression::{Expression, with_test};
use super::{OddsArgs, finding, findings, tell};
use grognard_ask::Odds;
use grognard_base::{Code, Diagnostic, FileId, OrdMap, Source, Sources, Span};
use grognard_ide::query::questions;
use grognard_play::odds::Wish;
use grognard_program::Built;
use grognard_report::odds::Odds as Told;
use grognard_rules::ruleset::{Example, Ruleset, ValueName};
use grognard_rules::{self as rules, Library};
use grognard_scenario::Prepared;
use grognard_scenario::examples::{ask, fields};
use grognard_syntax::{AGAIN, Part, parse_figure, parse_part};
use std::path::Path;

/// The rules of bare dice.
const BARE: &str = "odds/dice";

/// Computes the odds and prints them.
pub fn run(args: &OddsArgs, file: Option<&Path>, asked: &str, out: &mut Out) -> Result<u8, Stop> {
    if !args.decide.is_empty() || args.objective.is_some() || args.rules.is_some() || args.table || args.ends {
        return Err(Stop::failed("`--decide`, `--objective`, `--rules`, `--table` and `--ends` need a scenario"));
    }
    if asked.trim().is_empty() {
        return Err(Stop::failed("the expression is empty; write one such as `2d6` or `total(highest(3, 10 of d6))`"));
    }
    let mut sources = Sources::default();
    let root = file.map(Root::of_rules).transpose()?;
    let dice_only = OrdMap::from([(format!("{BARE}.rules"), format!("ruleset {BARE}\n"))]);
    let (library, name): (&dyn Library, &str) = match &root {
        Some((root, name)) => (root, name),
        None => (&dice_only, BARE),
    };
    let rules = root.as_ref().map(|_| rules::load(name, library, &mut sources).sound().map_err(findings(&sources)));
    let rules = rules.transpose()?;
    if let Some(item) = rules.as_ref().and_then(|r| r.open.first().map(|i| &r.items[i.at()])) {
        let message = format!("{} is open in this ruleset; name a ruleset that fills it in", item.name);
        return Err(findings(&sources)(vec![Diagnostic::new(Code::OpenItem, item.span, message)]));
    }
    let dice: Vec<String> = rules.iter().flat_map(|rules| &rules.dice).map(|die| die.name.clone()).collect();
    let dice: Vec<&str> = dice.iter().map(String::as_str).collect();
    let direct = rules.filter(|rules| is_call(rules, bare(asked)));
    let asked = if direct.is_some() { bare(asked) } else { asked };
    if direct.is_some() && !asked.contains('(') {
        let name = asked.trim();
        return Err(Stop::failed(format!("`{name}` needs parentheses: `{name}(..)`")));
    }
    let (rules, call, mut asks, expression) = match direct {
        Some(rules) => {
            throws_nothing(args, &dice)?;
            (rules, asked.to_string(), Vec::new(), None)
        }
        None => {
            let (rules, call, asks, expression) = with_test((library, name, &dice), asked, args, &mut sources)?;
            (rules, call, asks, Some(expression))
        }
    };
    let placed = |found| expression.iter().fold(found, |found, expression| expression.all(found));
    let example = example(args, &rules, &call, &mut sources).map_err(|found| findings(&sources)(found))?;
    let built = Built::new(rules, args.detail());
    if expression.is_none() {
        let of = if args.of.is_empty() { fields(&built, &example) } else { args.of.clone() };
        let given = args.given.iter().map(|given| format!(" given {given}")).next().unwrap_or_default();
        let texts: Vec<String> = of.iter().map(|of| format!("{of}{given}")).collect();
        let read = questions("--of", texts.iter().map(String::as_str), &mut sources);
        asks = texts.iter().cloned().zip(read.map_err(|found| findings(&sources)(found))?).collect();
    }
    if asks.is_empty() {
        return Err(Stop::failed("this call has no result; name a measure with `--of EXPR`, such as `--of u.markers`"));
    }
    let (texts, asks): (Vec<String>, Vec<_>) = asks.into_iter().unzip();
    let question = args.question()?;
    let wish = Wish { marks: args.why, ..Wish::plain(question.budget) };
    let scenario = ask(&built, &example, &asks, &sources).and_then(Prepared::settle);
    let mut scenario = scenario.map_err(|found| findings(&sources)(of_options(placed(found), &sources)))?;
    let outcome = Odds { estimate: true, ..Odds::plain(wish) }.answer_call(&mut scenario, &texts);
    drop(question);
    let answer = outcome.map_err(|mut fault| {
        fault.code = if fault.code == Code::Script { Code::ExampleForm } else { fault.code };
        let given = args.given.as_ref().filter(|_| fault.code == Code::NeverGiven);
        let given = given.map(|text| Span::new(sources.add(Source::new("--given", text.as_str())), 0, text.len()));
        let asked = expression.as_ref().map_or(example.span, Expression::whole);
        fault.span = given.or(fault.span).or(Some(asked));
        findings(&sources)(of_options(placed(vec![fault.diagnostic()]), &sources))
    })?;
    let rolls = expression.iter().flat_map(|expression| expression.sites(&built.rules)).collect();
    let odds = Told { rolls, ..answer.told("", &scenario) };
    let rules = if file.is_some() { told_game(&scenario.game).to_vec() } else { Vec::new() };
    let own = [("asked", asked.trim().into())].into_iter().chain(rules);
    out.note(own.chain(args.facts(&answer)));
    let found = finding(args.format, asked.trim(), &odds, None);
    let code = tell(args.format, &found, of_options(placed(answer.problems), &sources), &sources, out)?;
    args.page.put(out, || found)?;
    Ok(code)
}

/// Returns a call without the keyword before it.
fn bare(asked: &str) -> &str {
    let words = ["do ", "test ", "run ", "emit "];
    words.iter().find_map(|word| asked.trim().strip_prefix(word)).unwrap_or(asked)
}

/// Returns whether a text is a call of an action of the rules.
fn is_call(rules: &Ruleset, text: &str) -> bool {
    let name = text.trim().split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    let names = &rules.names;
    names.tests.contains_key(name)
        || names.phases.contains_key(name)
        || names.events.contains_key(name)
        || matches!(names.values.get(name), Some(ValueName::Proc(_)))
}

/// The options of a call: the option, the part of an example for it, and its help.
const PARTS: [(&str, Part, &str); 4] = [
    ("--with", Part::With, "`--with` sets fields of things in the call: `--with 'u.ld = 2, u has Brave'`"),
    ("--set", Part::Under, "`--set` sets a param, a reading or a parameter of the call: `--set hit_on=3`"),
    (
        "--rolling",
        Part::Rolling,
        "`--rolling` fixes the faces of rolls by their names in the rules: `--rolling 'aim = [5, 1]'`",
    ),
    (
        "--choosing",
        Part::Choosing,
        "`--choosing` fixes decisions by their names in the rules: `--choosing 'target = wolves'`",
    ),
];

/// Returns the call as an example.
fn example(args: &OddsArgs, rules: &Ruleset, call: &str, sources: &mut Sources) -> Result<Example, Vec<Diagnostic>> {
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

/// Replaces the help about examples with the help of the option that gave the text.
fn of_options(mut found: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    for one in found.iter_mut().filter(|one| one.code == Code::ExampleForm && one.help == Code::ExampleForm.help()) {
        let name = one.span.and_then(|span| sources.get(span.file)).map(|source| source.name.as_str());
        let help = PARTS.iter().find(|(option, ..)| Some(*option) == name).map(|(_, _, help)| *help);
        one.help = help.unwrap_or("`--with`, `--rolling` and `--choosing` must fit the call").to_string();
    }
    found
}

/// Rejects a measure of a call that rolls dice. The rolls of a call have names in the rules.
fn throws_nothing(args: &OddsArgs, dice: &[&str]) -> Result<(), Stop> {
    for text in args.of.iter().chain(&args.given) {
        let figure = parse_figure(FileId(0), &Source::new("--of", text.as_str()), dice, &[]);
        if let Some(throw) = figure.ok().and_then(|figure| figure.throws.into_iter().next()) {
            let die = throw.name.text.trim_end_matches(AGAIN);
            let message = format!(
                "`{text}` rolls `{die}` itself, which needs an expression: `grognard odds RULES 'x = {die}; ..'`; \
                 for a roll of the call, use its name in the rules"
            );
            return Err(Stop::failed(message));
        }
    }
    Ok(())
}
