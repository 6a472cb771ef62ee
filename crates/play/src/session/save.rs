//! Saves a session as a scenario: its base, and a script of all rolls and decisions.

use super::{Done, PickText, Session};
use crate::Verdict;
use grognard_base::value::{Type, length};
use grognard_base::{OrdMap, safe};
use grognard_rules::ruleset::ValueName;
use grognard_scenario::{Answerer, Expected, Figure, Scenario};
use grognard_vm::Game;
use toml::{Table, Value};

/// Command-line settings that override the scenario.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Path of the base scenario, as the saved one names it.
    pub base: String,
    /// Path of the rules, if they differ from the scenario's own.
    pub rules: Option<String>,
    /// Params and readings as `name=value`.
    pub set: Vec<String>,
    /// Suffix of the saved name [default: `played by hand`].
    pub title: Option<String>,
}

/// A scenario that replays the session.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Contents of the file.
    pub text: String,
    /// Notes about what the file cannot express.
    pub notes: Vec<String>,
}

/// Maximum seed that a scenario accepts.
const MOST_SEED: u64 = 999_999_999;

/// Saves a session. Decisions of the players' own sources stay theirs; everything else is scripted.
pub fn save(session: &Session<'_>, settings: &Settings) -> Saved {
    let (scenario, start) = (session.scenario, &session.start);
    let mut notes = Vec::new();
    let mut top = Table::new();
    top.insert("base".into(), settings.base.as_str().into());
    if let Some(rules) = &settings.rules {
        top.insert("rules".into(), rules.as_str().into());
    }
    top.insert("name".into(), name(scenario, settings.title.as_deref()).into());
    top.insert("steps".into(), "replace".into());
    top.insert("mode".into(), "scripted".into());
    match i64::try_from(start.seed).ok().filter(|_| start.seed <= MOST_SEED) {
        Some(seed) => drop(top.insert("seed".into(), seed.into())),
        None => notes.push(format!("a scenario seed cannot exceed {MOST_SEED}; dice after the script differ")),
    }
    for (section, table) in set(scenario, &settings.set) {
        top.insert(section.into(), table.into());
    }
    let script = Script::of(session, &mut notes);
    if !script.players.is_empty() {
        top.insert("players".into(), script.players.into());
    }
    let mut text = format!("# played by hand from {}\n", safe::clean(&settings.base));
    text += &safe::toml(&top);
    text += &steps(session);
    for row in &script.decisions {
        text += &format!("\n[[decide]]\n{}", safe::toml(row));
    }
    if !script.rolls.is_empty() {
        text += "\n[dice]\nrolls = [\n";
        for row in &script.rolls {
            text += &format!("  {{ {} }},\n", safe::toml(row).trim_end().replace('\n', ", "));
        }
        text += "]\n";
    }
    if session.outcome().is_none() {
        notes.push("the run is not over, so nothing is expected of how it ends".to_string());
    }
    text += &expects(session);
    Saved { text, notes }
}

fn name(scenario: &Scenario, title: Option<&str>) -> String {
    let (name, title) = (&scenario.plan.name, title.unwrap_or("played by hand"));
    if name.is_empty() { title.to_string() } else { format!("{name}, {title}") }
}

/// Sorts `name=value` settings into the tables `params` and `readings`.
fn set(scenario: &Scenario, set: &[String]) -> OrdMap<&'static str, Table> {
    let mut tables: OrdMap<&'static str, Table> = OrdMap::new();
    for (name, value) in set.iter().filter_map(|setting| setting.split_once('=')) {
        let (name, value) = (name.trim(), value.trim());
        let Some(ValueName::Setting(id)) = scenario.rules.names.values.get(name) else { continue };
        let reading = !scenario.rules.settings[id.at()].alternatives.is_empty();
        let value = match value {
            "true" | "yes" => Value::Boolean(true),
            "false" | "no" => Value::Boolean(false),
            value => match (value.parse::<i64>(), value.parse::<f64>()) {
                (Ok(whole), _) => Value::Integer(whole),
                (_, Ok(number)) if value.contains('.') => Value::Float(number),
                _ => Value::String(value.to_string()),
            },
        };
        tables.entry(if reading { "readings" } else { "params" }).or_default().insert(name.to_string(), value);
    }
    tables
}

/// Writes the steps of the scenario, because `steps = "replace"` drops those of the base together with their decisions.
fn steps(session: &Session<'_>) -> String {
    let plan = &session.scenario.plan;
    let mut text = String::new();
    let holding = |n: usize| -> Vec<Value> {
        let Some(outcome) = session.outcome() else { return Vec::new() };
        let holds = outcome.checks.iter().filter(|c| c.step == Some(n) && c.verdict == Verdict::Holds);
        holds.map(|c| c.text.as_str().into()).collect()
    };
    for (n, step) in plan.steps.iter().enumerate() {
        let mut row = Table::new();
        row.insert("do".into(), step.text.as_str().into());
        let holds = holding(n);
        if !holds.is_empty() {
            row.insert("expect".into(), holds.into());
        }
        text += &format!("\n[[step]]\n{}", safe::toml(&row));
    }
    text
}

/// Writes the expectations about the end that hold, and the values of the report's measures.
fn expects(session: &Session<'_>) -> String {
    let plan = &session.scenario.plan;
    let Some(outcome) = session.outcome() else { return String::new() };
    let ends = &outcome.checks[outcome.checks.len() - plan.expects.len()..];
    let holds = plan.expects.iter().zip(ends).filter(|(_, check)| check.verdict == Verdict::Holds);
    let mut all: Vec<String> =
        holds.filter(|(expect, _)| matches!(expect.what, Expected::That(_))).map(|(e, _)| e.text.clone()).collect();
    let figures = plan.report.iter().zip(&outcome.figures).filter(|_| outcome.problems.is_empty() && !outcome.gone);
    for claim in figures.filter_map(|(figure, cells)| came_to(session.scenario, figure, cells.as_deref()?)) {
        if !all.contains(&claim) {
            all.push(claim);
        }
    }
    let mut text = String::new();
    for that in all {
        let row = Table::from_iter([("that".to_string(), that.into())]);
        text += &format!("\n[[expect]]\n{}", safe::toml(&row));
    }
    text
}

/// Writes the value of a measure as a condition. Returns `None` if it has no simple literal.
fn came_to(scenario: &Scenario, figure: &Figure, cells: &[i64]) -> Option<String> {
    if figure.asked.given.is_some() {
        return None;
    }
    let text = if figure.expr.contains(' ') { format!("({})", figure.expr) } else { figure.expr.clone() };
    match (&figure.asked.ty, cells) {
        (Type::Flag, [1]) => Some(figure.expr.clone()),
        (Type::Flag, [0]) => Some(format!("not {text}")),
        (Type::Int(_), [n]) => Some(format!("{text} == {n}")),
        (Type::Length, [n]) => Some(format!("{text} == {}", length(*n))),
        (Type::Enum(id), [n]) => {
            let cases = &scenario.rules.enums[id.at()];
            Some(format!("{text} == {}.{}", cases.name, cases.cases.get(usize::try_from(*n).ok()?)?))
        }
        _ => None,
    }
}

#[derive(Default)]
struct Script {
    players: Table,
    decisions: Vec<Table>,
    rolls: Vec<Table>,
}

impl Script {
    fn of(session: &Session<'_>, notes: &mut Vec<String>) -> Script {
        let (scenario, run) = (session.scenario, session.start.run);
        let game = &scenario.game;
        let mut script = Script::default();
        for done in session.done() {
            match done {
                Done::Fell { name, faces, of } if !name.is_empty() => {
                    let mut row = Table::new();
                    row.insert("roll".into(), name.as_str().into());
                    row.extend(subject(game, *of));
                    row.insert("give".into(), faces.iter().map(|face| word(face)).collect::<Vec<Value>>().into());
                    script.rolls.push(row);
                }
                Done::Fell { .. } => {}
                // random choices repeat only in the first run of a seed
                Done::Decision { name, of, player, nth, pick, source, .. }
                    if *source == "script" || *source == "random" && run > 0 =>
                {
                    let note = format!("the random results of run {run} are scripted, and marked as such");
                    if *source == "random" && !notes.contains(&note) {
                        notes.push(note);
                    }
                    let Some(pick) = pick else { continue };
                    let Some(player) = game.packed(*player).map(String::from) else {
                        notes.push(format!("`{name}` is not decided for a player, so no script can answer it"));
                        continue;
                    };
                    if !script.players.contains_key(&player) {
                        let sources = sources(scenario, &player);
                        script.players.insert(player, sources);
                    }
                    let mut row = Table::new();
                    row.insert("choice".into(), name.as_str().into());
                    row.extend(subject(game, *of));
                    row.insert("nth".into(), i64::from(*nth).into());
                    let pick = match pick {
                        PickText::Words(words) => words.as_str().into(),
                        PickText::Point(x, y) => vec![inches(*x), inches(*y)].into(),
                    };
                    row.insert("pick".into(), pick);
                    script.decisions.push(row);
                }
                Done::Decision { .. } => {}
            }
        }
        script
    }
}

/// Returns the `of` entry of a subject.
fn subject(game: &Game, of: i64) -> Option<(String, Value)> {
    (of >= 0).then(|| ("of".to_string(), game.packed_name(of).into()))
}

/// Returns a face or a name as a scenario value.
fn word(face: &str) -> Value {
    face.parse::<i64>().map_or_else(|_| face.into(), Value::Integer)
}

/// Converts thousandths of an inch to a number in inches.
fn inches(at: i64) -> Value {
    if at % 1000 == 0 {
        return Value::Integer(at / 1000);
    }
    let text = length(at);
    text.trim_end_matches('"').parse().map_or(Value::Integer(at / 1000), Value::Float)
}

/// Returns the decision sources of a player, with the script first.
fn sources(scenario: &Scenario, player: &str) -> Value {
    let own = scenario.plan.players.iter().find(|(who, _)| scenario.game.packed_name(*who) == player);
    let own = own.map_or(&[Answerer::Prefer][..], |(_, list)| list);
    let word = |who: &Answerer| match who {
        Answerer::Prompt => "prefer".to_string(),
        other => other.word(&scenario.rules),
    };
    let mut all: Vec<String> = vec!["script".into()];
    for source in own.iter().map(word) {
        if !all.contains(&source) {
            all.push(source);
        }
    }
    Value::Array(all.into_iter().map(Value::String).collect())
}
