//! Explains the causes of a value, or why an action was unavailable, as text and as JSON.

use super::odds::short;
use super::table;
use grognard_base::value::{Fraction, Value};
use grognard_play::record::{Event, ScopeSort, TraceDetail, What, render};
use grognard_play::why::{Change, Menu, Origin, Provenance, Stood, Tested, chain};
use serde_json::{Value as Json, json};

/// Maximum number of changes that are shown by default.
const SHOWN: usize = 3;

/// A query with its result.
pub enum WhyAnswer<'q> {
    /// The causes of a value.
    Value {
        /// The expression as written.
        text: &'q str,
        /// Whether the query asks why the condition does not hold.
        not: bool,
        /// The probabilities of the tests that led to the changes.
        tests: Vec<Tested>,
        /// The items that grant the status, if it was never granted.
        origins: Vec<Origin>,
    },
    /// The reasons why an action was unavailable.
    Action {
        /// The action as written.
        text: &'q str,
        /// The menus of the run that concern the action.
        menus: Vec<Menu>,
        /// The phases whose menus list the action.
        phases: Vec<String>,
    },
}

/// Renders the result as human-readable text.
pub fn human(found: &Provenance, asked: &WhyAnswer<'_>, all: bool) -> String {
    match asked {
        WhyAnswer::Value { text, not, tests, origins } => value(found, (text, *not), tests, origins, all),
        WhyAnswer::Action { text, menus, phases } => action(found, text, menus, phases, all),
    }
}

fn word(value: Option<&Value>) -> String {
    value.map_or("not present".to_string(), Value::to_string)
}

fn value(found: &Provenance, (text, not): (&str, bool), tests: &[Tested], origins: &[Origin], all: bool) -> String {
    let (start, end) = (word(found.start.as_ref()), word(found.end()));
    let last = if found.over { "at the end" } else { "now" };
    let mut out = match found.changes.len() {
        0 if found.over => format!("{text}: {end} from the start to the end; no change in this run\n"),
        0 => format!("{text}: {end} since the start; no change so far\n"),
        1 => format!("{text}: {start} at the start, {end} {last}\n"),
        n => format!("{text}: {start} at the start, {end} {last}, after {n} changes\n"),
    };
    if not && found.end() == Some(&Value::Flag(true)) {
        out += &format!("the condition holds {last}; the causes are\n");
    }
    let from = if all { 0 } else { found.changes.len().saturating_sub(SHOWN) };
    if from > 0 {
        let each = if found.over { "; --all shows every change" } else { "" };
        out += &format!("showing the last {SHOWN} changes{each}\n");
    }
    for (n, Change { at, before, after }) in found.changes.iter().enumerate().skip(from) {
        out += &format!("\n{}. {} -> {}\n", n + 1, word(before.as_ref()), word(after.as_ref()));
        let led = chain(&found.events, *at);
        let of_it = tests.iter().filter(|test| led.iter().any(|event| event.seq == test.at as u64));
        let rendered: Vec<String> = of_it.flat_map(|test| tested(&found.events, test)).collect();
        out += &render(&owned(led), TraceDetail::Full);
        rendered.iter().for_each(|line| out += &format!("odds    {line}\n"));
    }
    if !origins.is_empty() {
        out += "\ngranted by\n";
    }
    for origin in origins {
        let clauses =
            if origin.clauses.is_empty() { String::new() } else { format!(" [{}]", origin.clauses.join(" ")) };
        let run = match origin.run {
            0 => "never run here".to_string(),
            1 => "run once".to_string(),
            n => format!("run {n} times"),
        };
        let menus = match origin.menus {
            Some((refused, passed)) if refused + passed > 0 => {
                format!(", refused at {refused} and not chosen at {passed} of the menus")
            }
            _ => String::new(),
        };
        out += &format!("  {}{clauses}: {run}{menus}\n", origin.item);
        let rendered = origin.tests.iter().flat_map(|test| tested(&found.events, test));
        rendered.for_each(|line| out += &format!("    {line}\n"));
    }
    out
}

/// Returns the lines about the probability of a test.
fn tested(events: &[Event], test: &Tested) -> Vec<String> {
    let Some(What::Enter { name, sort: ScopeSort::Test, args, .. }) = events.get(test.at).map(|event| &event.what)
    else {
        return Vec::new();
    };
    let args: Vec<String> = args.iter().map(|arg| arg.value.to_string()).collect();
    let call = format!("{name}({})", args.join(", "));
    let share = |chance: &Fraction| format!("{} = {}", short(chance), chance.percent());
    let mut lines = vec![match test.passed {
        Some(true) => format!("{call} passed, with a chance of {}", share(&test.chance)),
        Some(false) => format!("{call} failed, with a chance to pass of {}", share(&test.chance)),
        None => format!("{call} has this result with a chance of {}", share(&test.chance)),
    }];
    lines.extend(test.lent.iter().map(|lent| {
        let (figure, value, own, of) = (&lent.figure, &lent.value, &lent.own, &lent.of);
        format!("  with the {figure} of {of} ({value} for {own}), where a rule lends it, {}", share(&lent.chance))
    }));
    lines
}

fn action(found: &Provenance, text: &str, menus: &[Menu], phases: &[String], all: bool) -> String {
    if menus.is_empty() {
        let of = phases.join(", ");
        return format!(
            "{text}: no menu {} contains the action; it is on the menu of {of}\n",
            if found.over { "of this run" } else { "so far" },
        );
    }
    let count = |of: fn(&Stood) -> bool| menus.iter().filter(|m| of(&m.stood)).count();
    let (refused, passed, chosen) = (
        count(|s| matches!(s, Stood::Refused | Stood::NoSuchChoice)),
        count(|s| matches!(s, Stood::PassedOver(_))),
        count(|s| matches!(s, Stood::Chosen)),
    );
    let menus_ = if menus.len() == 1 { "1 menu".to_string() } else { format!("{} menus", menus.len()) };
    let run = if found.over { "in this run" } else { "so far" };
    let mut out = format!("{text}: {menus_} {run}; refused at {refused}, not chosen at {passed}, chosen at {chosen}\n");
    let rendered = if all { menus.iter().enumerate().collect() } else { informative(menus) };
    if rendered.len() < menus.len() - chosen {
        let each = if found.over { "; --all shows each" } else { "" };
        out += &format!("showing the most informative menus{each}\n");
    }
    for (n, menu) in rendered {
        let how = match &menu.stood {
            Stood::Refused => "refused".to_string(),
            Stood::PassedOver(other) => format!("offered, but {other} was chosen"),
            Stood::NoSuchChoice if !menu.unmet.is_empty() => "its header does not allow it".to_string(),
            Stood::NoSuchChoice => "not a legal target".to_string(),
            Stood::Chosen => continue,
        };
        out += &format!("\n{}. {how}\n", n + 1);
        let mut events = owned(chain(&found.events, menu.at));
        events.pop();
        events.push(menu.rendered.clone());
        out += &render(&events, TraceDetail::Full);
        let What::Decision { refused, .. } = &menu.rendered.what else { continue };
        for one in &menu.unmet {
            let figures = if one.figures.is_empty() { "does not hold" } else { one.figures.as_str() };
            out += &format!("    {}: {figures}\n", one.text);
        }
        if refused.is_empty() && menu.unmet.is_empty() && matches!(menu.stood, Stood::NoSuchChoice) {
            let what = if text.contains('(') { "its target is not" } else { "there is nothing" };
            out += &format!("    {what} among the choices of its header\n");
        }
    }
    out
}

/// Returns the most informative menus: one for each distinct reason of a refusal. If there is no refusal, returns the first menus
/// at which something else was chosen.
fn informative(menus: &[Menu]) -> Vec<(usize, &Menu)> {
    let mut reasons: Vec<String> = Vec::new();
    let refused = menus.iter().enumerate().filter(|(_, menu)| {
        let What::Decision { refused, .. } = &menu.rendered.what else { return false };
        let mut reason = refused.iter().map(|r| format!("{}: {}", r.action, r.why)).collect::<String>();
        reason.extend(menu.unmet.iter().map(|one| one.text.as_str()));
        let new = matches!(menu.stood, Stood::Refused | Stood::NoSuchChoice) && !reasons.contains(&reason);
        reasons.extend(new.then_some(reason));
        new
    });
    let rendered: Vec<_> = refused.take(SHOWN).collect();
    let passed_over = |(_, menu): &(usize, &Menu)| matches!(menu.stood, Stood::PassedOver(_));
    if rendered.is_empty() { menus.iter().enumerate().filter(passed_over).take(SHOWN).collect() } else { rendered }
}

fn owned(events: Vec<&Event>) -> Vec<Event> {
    events.into_iter().cloned().collect()
}

/// Returns the result as a JSON object, with events as in a trace.
pub fn json(found: &Provenance, asked: &WhyAnswer<'_>) -> Json {
    match asked {
        WhyAnswer::Value { text, tests, origins, .. } => {
            let test = |test: &Tested| {
                let lent = test.lent.iter().map(|lent| {
                    json!({
                        "figure": lent.figure, "of": lent.of, "value": lent.value, "own": lent.own,
                        "chance": table::fraction(&lent.chance),
                    })
                });
                json!({
                    "event": test.at, "passed": test.passed, "chance": table::fraction(&test.chance),
                    "lent": lent.collect::<Vec<_>>(),
                })
            };
            let origins = origins.iter().map(|origin| {
                json!({
                    "item": origin.item, "clauses": origin.clauses, "run": origin.run,
                    "refused": origin.menus.map(|(refused, _)| refused),
                    "not_chosen": origin.menus.map(|(_, passed)| passed),
                    "tests": origin.tests.iter().map(test).collect::<Vec<_>>(),
                })
            });
            let origins: Vec<Json> = origins.collect();
            let changes = found.changes.iter().map(|change| {
                json!({
                    "before": change.before, "after": change.after, "event": change.at,
                    "chain": chain(&found.events, change.at),
                })
            });
            json!({
                "schema": 1, "question": text, "start": found.start, "end": found.end(),
                "changes": changes.collect::<Vec<_>>(),
                "tests": tests.iter().map(test).collect::<Vec<_>>(), "origins": origins,
            })
        }
        WhyAnswer::Action { text, menus, phases } => {
            let menus = menus.iter().map(|menu| {
                let (stood, other) = match &menu.stood {
                    Stood::Refused => ("refused", None),
                    Stood::PassedOver(other) => ("not chosen", Some(other)),
                    Stood::Chosen => ("chosen", None),
                    Stood::NoSuchChoice => ("no such choice", None),
                };
                let What::Decision { refused, .. } = &menu.rendered.what else { return Json::Null };
                let unmet = menu.unmet.iter().map(|one| json!({ "condition": one.text, "figures": one.figures }));
                json!({
                    "event": menu.at, "stood": stood, "instead": other, "refused": refused,
                    "unmet": unmet.collect::<Vec<_>>(), "chain": chain(&found.events, menu.at),
                })
            });
            json!({ "schema": 1, "question": text, "phases": phases, "menus": menus.collect::<Vec<_>>() })
        }
    }
}

/// Columns of the table of causes.
const COLUMNS: [&str; 13] = [
    "question", "before", "after", "stood", "instead", "seq", "event", "sort", "name", "title", "clauses", "rule", "at",
];

/// Returns the causes as CSV: a row for each event of the chain that led to a change or a menu.
pub fn csv(found: &Provenance, answer: &WhyAnswer<'_>) -> String {
    let document = json(found, answer);
    let lists = ["changes", "menus"].iter().filter_map(|name| document[name].as_array());
    let row = |of: &Json, event: &Json| {
        let own = ["before", "after", "stood", "instead"].iter().map(|name| ((*name).to_string(), of[name].clone()));
        let from = ["seq", "event", "sort", "name", "title", "clauses", "rule", "at"];
        let from = from.iter().map(|name| ((*name).to_string(), event[name].clone()));
        let question = std::iter::once(("question".to_string(), document["question"].clone()));
        Json::Object(question.chain(own).chain(from).collect())
    };
    let rows = lists.flatten().flat_map(|of| {
        let chain = of["chain"].as_array().cloned().unwrap_or_default();
        chain.into_iter().map(|event| row(of, &event)).collect::<Vec<Json>>()
    });
    table::listed(&COLUMNS, &rows.collect::<Vec<Json>>().into())
}
