//! `[[expect]] trace`: a run told again as it was told when the file beside the scenario was written.

use super::files::Root;
use super::out::Stop;
use super::run::summary;
use crate::base::{Code, Diagnostic};
use crate::play::Outcome;
use crate::play::record::{Detail, Event, render, to_jsonl};
use crate::rules::Library;
use crate::scenario::Scenario;
use std::path::Path;

/// Compares a run with the traces its scenario names. A file that ends in `.jsonl` holds JSON Lines, any other what
/// `run` prints, in full or in brief.
pub fn check(file: &Path, scenario: &Scenario, outcome: &Outcome, events: &[Event]) -> Result<Vec<Diagnostic>, Stop> {
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
        let told = |detail: Detail| render(events, detail) + &summary(scenario, outcome, true);
        let now = match name.ends_with(".jsonl") {
            true => to_jsonl(events),
            // only a full trace tells where something ends
            false if pinned.lines().any(|l| l.trim_start().starts_with("< ")) => told(Detail::Full),
            false => told(Detail::Brief),
        };
        if let Some(difference) = difference(&pinned, &now) {
            let help = "write the file anew if this is what should happen";
            found.push(say(format!("the run is not told as in `{name}`: {difference}")).help(help));
        }
    }
    Ok(found)
}

/// The first line that differs.
fn difference(pinned: &str, now: &str) -> Option<String> {
    let (mut pinned, mut now) = (pinned.lines().map(str::trim_end), now.lines().map(str::trim_end));
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
