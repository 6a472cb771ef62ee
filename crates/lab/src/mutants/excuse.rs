//! Comments in the rules that excuse changes: `# mutants: skip because "reason"`.

use super::Mutation;
use grognard_base::Source;
use grognard_syntax::{excuse, tree::File};

/// The command in these comments.
const COMMAND: &str = "mutants";

/// Returns the lines, from 1, with a malformed comment for this command.
pub fn unclear(source: &Source) -> Vec<usize> {
    excuse::unclear(source, COMMAND)
}

/// Stores the reason of each comment in the changes that it excuses.
pub(super) fn mark(file: &File, source: &Source, changes: &mut [Mutation]) {
    for excuse in excuse::excuses(file, source, COMMAND) {
        for change in changes.iter_mut() {
            if (excuse.first..=excuse.last).contains(&change.line(source)) {
                change.excuse = Some(excuse.reason.clone());
            }
        }
    }
}
