//! `[[expect]] trace`: a run told again as it was told when the file beside the scenario was written.

use super::files::Root;
use super::out::Stop;
use grognard_base::{Code, Diagnostic};
use grognard_play::record::{Event, TraceDetail, render, to_jsonl};
use grognard_rules::Library;
use grognard_scenario::Scenario;
use std::path::Path;

/// Compares a run with the traces its scenario names. A file that ends in `.jsonl` holds JSON Lines, any other what
/// `run` prints, in full or in brief.
pub fn check(file: &Path, scenario: &Scenario, events: &[Event]) -> Result<Vec<Diagnostic>, Stop> {
    let mut found = Vec::new();
    if scenario.plan.traces.is_empty() {
        return Ok(found);
    }
    let (folder, scene) = Root::beside(file)?;
    for (name, span) in &scenario.plan.traces {
        let say = |message: String| Diagnostic::new(Code::Expectation, *span, message);
        let pinned = match folder.read(name) {
            Ok(Some(text)) => text,
            Ok(None) => {
                let help = format!("write it with `grognard run {scene} --trace full > {name}`, and read it");
                found.push(say(format!("there is no trace `{name}` beside the scenario")).help(help));
                continue;
            }
            Err(why) => {
                found.push(say(format!("`{name}` cannot be read: {why}")));
                continue;
            }
        };
        let now = match name.ends_with(".jsonl") {
            true => to_jsonl(events),
            // only a full trace tells where something ends
            false if pinned.lines().any(|l| l.trim_start().starts_with("< ")) => render(events, TraceDetail::Full),
            false => render(events, TraceDetail::Brief),
        };
        if let Some(difference) = difference(&pinned, &now) {
            let help = "write the file anew if this is what should happen";
            found.push(say(format!("the run is not told as in `{name}`: {difference}")).help(help));
        }
    }
    Ok(found)
}

/// The first line that differs. What `run` says below a trace is no part of it.
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
                return Some(format!("line {line} is {}, and was {}", shown(is), shown(was)));
            }
        }
    }
}
