//! `[[expect]] trace`: compares the trace of a run with a file next to the scenario.

use super::files::Root;
use super::out::Stop;
use grognard_base::{Code, Diagnostic};
use grognard_play::record::{Event, TraceDetail, render, to_jsonl};
use grognard_rules::Library;
use grognard_scenario::Scenario;
use std::path::Path;

/// Compares a run with the pinned traces of its scenario. A file that ends with `.jsonl` has JSON Lines; other files have the output
/// of `run`, full or brief.
pub fn check(file: &Path, scenario: &Scenario, events: &[Event]) -> Result<Vec<Diagnostic>, Stop> {
    let mut found = Vec::new();
    if scenario.plan.traces.is_empty() {
        return Ok(found);
    }
    let (_, scene) = Root::beside(file)?;
    for ((name, span), text) in scenario.plan.traces.iter().zip(texts(file, scenario)) {
        let say = |message: String| Diagnostic::new(Code::Expectation, *span, message);
        let pinned = match text {
            Ok(Some(text)) => text,
            Ok(None) => {
                let help = format!("create it with `grognard run {scene} --trace full > {name}`, and review it");
                found.push(say(format!("the trace `{name}` does not exist next to the scenario")).help(help));
                continue;
            }
            Err(why) => {
                found.push(say(format!("`{name}` cannot be read: {why}")));
                continue;
            }
        };
        let now = match name.ends_with(".jsonl") {
            true => to_jsonl(events),
            // only a full trace has lines for ends
            false if pinned.lines().any(|l| l.trim_start().starts_with("< ")) => render(events, TraceDetail::Full),
            false => render(events, TraceDetail::Brief),
        };
        if let Some(difference) = difference(&pinned, &now) {
            let help = "if the new trace is right, replace the file";
            found.push(say(format!("the trace differs from `{name}`: {difference}")).help(help));
        }
    }
    Ok(found)
}

/// Returns the text of each pinned trace of a scenario.
pub fn texts(file: &Path, scenario: &Scenario) -> Vec<Result<Option<String>, String>> {
    let folder = || Root::beside(file).map_err(|why| why.to_string());
    let read = |(name, _): &(String, _)| folder()?.0.read(name);
    scenario.plan.traces.iter().map(read).collect()
}

/// Returns the first line that differs. The lines of `run` after a trace do not count.
fn difference(pinned: &str, now: &str) -> Option<String> {
    let below = |line: &&str| line.ends_with(" in this run") || line.contains(" expectation");
    let mut pinned = pinned.lines().map(str::trim_end).filter(|line| !below(line));
    let mut now = now.lines().map(str::trim_end).filter(|line| !below(line));
    let mut line = 1;
    loop {
        match (pinned.next(), now.next()) {
            (None, None) => return None,
            (was, is) if was == is => line += 1,
            (was, is) => {
                let shown = |l: Option<&str>| l.map_or("nothing".to_string(), |l| format!("`{}`", l.trim()));
                return Some(format!("line {line} is {}, was {}", shown(is), shown(was)));
            }
        }
    }
}
