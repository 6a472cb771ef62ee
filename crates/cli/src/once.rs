//! Findings of several files, each reported once.

use grognard_base::{Diagnostic, Follows, Sources, render_lines, rules_name};
use grognard_report::{Format, render};
use std::collections::{BTreeMap, HashSet};

/// The findings that were reported before.
#[derive(Default)]
pub struct Once {
    rendered: HashSet<String>,
    /// Rules with errors, and the number of scenarios that were not checked because of them.
    unread: BTreeMap<String, usize>,
}

impl Once {
    /// Returns the new findings as text. A scenario that was not checked because of errors in its rules is counted.
    pub fn fresh(&mut self, found: Vec<Diagnostic>, sources: &Sources, format: Format) -> String {
        let mut fresh = found;
        fresh.retain(|one| match one.follows {
            Some(Follows::Rules(rules)) => {
                *self.unread.entry(rules_name(rules, sources).to_string()).or_default() += 1;
                false
            }
            _ => self.rendered.insert(render_lines(std::slice::from_ref(one), sources)),
        });
        if fresh.is_empty() { String::new() } else { render(&fresh, sources, format) }
    }

    /// Returns a line for each of the rules with errors, with the number of scenarios that were not checked.
    pub fn rest(&self) -> impl Iterator<Item = String> {
        self.unread.iter().map(|(rules, n)| Follows::unread(rules, *n))
    }
}
