//! Reports edits that were not in force in a comparison, so that its numbers do not depend on them.

use super::super::clean;
use super::super::finding::Finding;
use super::Names;
use grognard_lab::force::{Force, Standing};
use serde_json::{Value, json};

/// The verdict if no edit was in force.
pub const NOTHING: &str = "nothing was compared";
/// Maximum number of edits that are listed.
const MOST: usize = 12;

/// Returns the edits that are not in force, each with the reason.
pub fn not_in_force(edits: &[Standing]) -> Vec<(String, String)> {
    edits.iter().filter_map(|edit| Some((clean(&edit.edit), clean(&edit.force.rendered()?)))).collect()
}

/// Returns the edits that are not in force as JSON.
pub(in super::super) fn facts(edits: &[Standing]) -> Value {
    json!(edits.iter().filter(|edit| edit.force != Force::InForce).collect::<Vec<&Standing>>())
}

/// Returns an item for each edit that is not in force: a head and the lines below it. Edits with the same reason share an item.
pub(in super::super) fn rendered(edits: &[Standing]) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (edit, why) in not_in_force(edits) {
        match groups.iter_mut().find(|(other, _)| *other == why) {
            Some((_, list)) => list.push(edit),
            None => groups.push((why, vec![edit])),
        }
    }
    let rendered = groups.into_iter().map(|(why, mut list)| match list.as_slice() {
        [edit] => (edit.clone(), vec![why]),
        _ => {
            let (count, more) = (list.len(), list.len().saturating_sub(MOST));
            list.truncate(MOST);
            list.extend((more > 0).then(|| format!("{more} more; `--format json` lists all")));
            (format!("{count} edits, each {why}"), list)
        }
    });
    rendered.collect()
}

/// Adds the edits that are not in force. If all edits are in force, adds no item.
pub(super) fn tell(finding: &mut Finding, edits: &[Standing]) {
    for (head, lines) in rendered(edits) {
        finding.item(head, lines);
    }
    finding.fact("not_in_force", facts(edits));
}

/// Returns the finding for two versions if none of their edits is in force in the scenario.
pub fn nothing(names: &Names<'_>) -> Finding {
    let mut finding = names.finding();
    tell(&mut finding, names.edits);
    finding.warn(NOTHING);
    finding.fact("schema", json!(1));
    finding.fact("verdict", json!(NOTHING));
    finding.fact("effects", Value::Array(Vec::new()));
    finding.rows.push(super::table::row(json!({ "what": "whole", "verdict": NOTHING })));
    finding.everywhere(names.row());
    finding
}
