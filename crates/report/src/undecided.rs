//! Reports answers that neither a player nor the rules gave.

use super::counted;
use super::finding::Finding;
use grognard_play::NoDecision;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Adds one sentence about the choices without a decider. Each side has a name, such as "of A". `runs` names the runs that were
/// examined.
pub(super) fn add(finding: &mut Finding, sides: &[(&[NoDecision], &str)], runs: &str) {
    let all = || sides.iter().flat_map(|(found, _)| found.iter());
    let names: BTreeSet<(&str, &str)> = all().map(|one| (one.choice.as_str(), one.owner.as_str())).collect();
    if names.is_empty() {
        return;
    }
    let one = |(choice, owner): (&str, &str)| {
        let is_it = |one: &&NoDecision| (one.choice.as_str(), one.owner.as_str()) == (choice, owner);
        let in_side = |(found, side): &(&[NoDecision], &str)| {
            let one = found.iter().find(is_it)?;
            Some(format!("{}{side}", counted(one.answers as usize, "answer")))
        };
        let answers: Vec<String> = sides.iter().filter_map(in_side).collect();
        format!("`{choice}` in {owner} ({})", answers.join(", "))
    };
    let names: Vec<String> = names.into_iter().map(one).collect();
    let taken: BTreeSet<&str> = all().map(|one| one.taken).collect();
    let taken: Vec<&str> = taken.into_iter().collect();
    finding.say(format!("no player decides {}{runs}: {}", names.join(", "), taken.join(", and ")));
}

/// Returns the choices as JSON.
pub(super) fn facts(found: &[NoDecision]) -> Value {
    found.iter().map(|one| json!({ "choice": one.choice, "in": one.owner, "answers": one.answers })).collect()
}
