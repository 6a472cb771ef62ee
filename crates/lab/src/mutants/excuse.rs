//! Comments in the rules that excuse changes: `# mutants: skip because "reason"`.

use super::Mutation;
use grognard_base::Source;
use grognard_syntax::{excuse, tree::File};

/// The command that they are for.
const COMMAND: &str = "mutants";

/// Lines, from 1, whose comment is not of the form that excuses changes.
pub fn unclear(source: &Source) -> Vec<usize> {
    excuse::unclear(source, COMMAND)
}

/// Marks what is excused.
pub(super) fn mark(file: &File, source: &Source, changes: &mut [Mutation]) {
    for excuse in excuse::excuses(file, source, COMMAND) {
        for change in changes.iter_mut() {
            if (excuse.first..=excuse.last).contains(&change.line(source)) {
                change.excuse = Some(excuse.reason.clone());
            }
        }
    }
}
