//! The dice box of the start page: the odds of an expression with dice, and a new game made from it.

use super::Asker;
use super::copies::game;
use super::odds::{budget, measures};
use super::requests::read;
use grognard_ask::{CallQuestion, Unbound, dice_only, translated};
use grognard_base::{Diagnostic, FileId, Source, Sources};
use grognard_play::odds::OddsOptions;
use grognard_report::odds::{Odds as ShownOdds, finding};
use grognard_syntax::tree::{LetSource, StmtKind};
use grognard_syntax::{AGAIN, notations, parse_odds};
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt::Write;

#[derive(Deserialize)]
struct DiceParams {
    /// The line of the dice box.
    text: String,
    /// The folder of a new game.
    #[serde(default)]
    folder: String,
}

/// A line in the form of the language, with its description. The description of some expressions is empty.
struct Line {
    form: String,
    words: String,
}

impl Line {
    fn of(text: &str) -> Line {
        if let Some(ours) = translated(text, &[]) {
            return Line { form: ours.form, words: ours.words };
        }
        let form = text.trim().to_string();
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let same = notations(&format!("output {form}")).find(|read| bare(&read.form) == bare(&form));
        Line { words: same.map_or_else(String::new, |read| read.words), form }
    }
}

/// Computes the odds of the line, with notes about what else it can mean.
pub fn dice(params: Value, asker: &Asker<'_>) -> Result<Value, String> {
    let DiceParams { text, .. } = read(params)?;
    let line = Line::of(&text);
    let (notes, measures) = answer(&line.form, asker)?;
    Ok(json!({ "form": line.form, "words": line.words, "notes": notes, "measures": measures }))
}

/// Returns the notes and the measures of an expression in the form of the language.
fn answer(form: &str, asker: &Asker<'_>) -> Result<(Vec<String>, Vec<Value>), String> {
    let mut notes = Vec::new();
    let mut sources = Sources::default();
    let (library, rules) = dice_only();
    let bound = CallQuestion::new(&library, rules, form).bind(&mut sources, &mut |note| notes.push(note.to_string()));
    let mut call = bound.map_err(|why| match why {
        Unbound::Message(message) => message,
        Unbound::Found(found) => told(&found),
    })?;
    let options = OddsOptions::plain(budget(asker.watch.clone()));
    let report = call.answer(options, &mut sources).map_err(|found| told(&found))?;
    let shown = ShownOdds { rolls: call.rolls(), ..report.rendered("", &call.scenario) };
    let found = finding("", &shown, None);
    match measures(&found) {
        Value::Array(all) if !all.is_empty() => Ok((notes, all)),
        _ => Err(told(&report.problems)),
    }
}

/// Returns the first diagnostic with its help.
fn told(found: &[Diagnostic]) -> String {
    found.first().map_or_else(String::new, |one| match one.help.as_str() {
        "" => one.message.clone(),
        help => format!("{}; {help}", one.message),
    })
}

/// Maximum number of results for which an example claims the chance of one.
const MOST_CLAIMED: usize = 100;

/// Creates a game from the line: a test that rolls its dice, an example of its most likely result, and a scenario.
pub fn rule(params: Value, asker: &Asker<'_>) -> Result<Value, String> {
    let DiceParams { text, folder } = read(params)?;
    let line = Line::of(&text);
    let (_, measures) = answer(&line.form, asker)?;
    let of = Results::of(&measures).ok_or("the results of this line cannot be listed")?;
    let body = body(&line.form)?;
    let says = if line.words.is_empty() { line.form.as_str() } else { line.words.as_str() };
    let mut says = says.replace('`', "");
    if let Some(first) = says.get(..1) {
        says = first.to_uppercase() + &says[1..];
    }
    let Results { ty, start, claim } = of;
    let example = match claim.as_str() {
        "" => String::new(),
        claim => format!("\nexample \"the most likely result\" for Throw() {{ {claim} }}\n"),
    };
    let rules = format!(
        "ruleset {folder}/game version \"0.1\"\n\nsection \"The roll\"\n\nR-01  {says}.\n\
         state result : {ty} = {start} \"Result\"\n\ntest Throw() \"A roll\" {{\n{body}}}\n\n\
         proc play() \"The roll\" {{\n  let throw = test Throw()\n  set result = throw.value\n}}\n{example}"
    );
    let figure = if ty == "Flag" { "chance" } else { "hist" };
    let mean = if ty == "Flag" { "" } else { "mean = \"result\"\n" };
    let scene = format!(
        "# The odds of {}\nrules = \"{folder}/game\"\nname = \"The roll\"\nmode = \"exact\"\n\n[[step]]\ndo = \"do play()\"\n\n\
         [report]\n{mean}{figure} = \"result\"\n",
        text.trim().replace('\n', " ")
    );
    Ok(game(&[(format!("{folder}/game.rules"), rules), (format!("{folder}/scenarios/roll.toml"), scene)]))
}

/// The results of a line: their type, the first one, and a claim about the most likely one.
struct Results {
    ty: String,
    start: String,
    /// Empty if there are too many results.
    claim: String,
}

impl Results {
    fn of(measures: &[Value]) -> Option<Results> {
        let fraction = |chance: &Value| Some(chance["fraction"].as_str()?.to_string());
        let flag = measures.iter().find(|measure| measure["sort"] == "chance");
        if let Some(share) = flag.and_then(|measure| fraction(&measure["value"])) {
            let claim = format!("chance value = {share}");
            return Some(Results { ty: "Flag".into(), start: "no".into(), claim });
        }
        let bars = measures.iter().find_map(|measure| measure["bars"].as_array())?;
        let values: Option<Vec<i64>> = bars.iter().map(|bar| bar["value"].as_str()?.parse().ok()).collect();
        let values = values?;
        let (low, high) = (values.iter().min()?, values.iter().max()?);
        let likely = |bar: &Value| bar["chance"]["estimate"].as_f64().unwrap_or_default();
        let best = bars.iter().fold(bars.first()?, |best, bar| if likely(bar) > likely(best) { bar } else { best });
        // the dice of an explosion have too many results for an example
        let claim = match values.len() {
            0..=MOST_CLAIMED => format!("chance value == {} = {}", best["value"].as_str()?, fraction(&best["chance"])?),
            _ => String::new(),
        };
        Some(Results { ty: format!("{low}..{high}"), start: low.to_string(), claim })
    }
}

/// Returns the statements of a test that rolls the dice of an expression and returns its value as `value`.
fn body(form: &str) -> Result<String, String> {
    let parsed = parse_odds(FileId(0), &Source::new("expression", form), &[]).map_err(|found| told(&found))?;
    let free = |name: &str| !form.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name);
    let mut names =
        (1..).map(|n| if n == 1 { "dice".to_string() } else { format!("dice{n}") }).filter(|name| free(name));
    let mut out = String::new();
    for part in &parsed.parts {
        let (from, to) = (part.stmt.span.start as usize, part.stmt.span.end as usize);
        let (mut text, mut at) = (String::new(), from);
        let mut alone = None;
        for throw in &part.throws {
            let die = throw.name.text.trim_end_matches(AGAIN);
            let span = throw.name.span;
            let end = throw.count.as_ref().map_or(span.end, |_| throw.dice.span.end.max(span.end)) as usize;
            let name = names.next().unwrap_or_default();
            let _ = writeln!(out, "  roll {name} = {die}");
            text += form.get(at..span.start as usize).unwrap_or_default();
            text += &name;
            at = end;
            alone = Some((name, die));
        }
        text += form.get(at..to).unwrap_or_default();
        match &part.stmt.kind {
            StmtKind::Let { names, value: LetSource::Value(_), .. } if names.is_empty() => {
                let _ = writeln!(out, "  let value = {}", text.trim());
            }
            StmtKind::Let { names, .. } => {
                let named = names.first().map_or("", |name| name.text.as_str());
                match alone.filter(|(name, _)| text.trim() == format!("{named} = {name}")) {
                    // a roll keeps its name, so that later parts can reroll it
                    Some((name, die)) => {
                        out = out.replace(&format!("  roll {name} = {die}\n"), &format!("  roll {named} = {die}\n"))
                    }
                    None => drop(writeln!(out, "  let {}", text.trim())),
                }
            }
            _ => drop(writeln!(out, "  {}", text.trim())),
        }
    }
    Ok(out)
}
