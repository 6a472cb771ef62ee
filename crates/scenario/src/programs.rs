//! Compiled rules that several scenarios share.

use grognard_program::{Detail, Program, compile};
use grognard_rules::ruleset::Ruleset;
use std::sync::{Mutex, PoisonError};

/// Maximum number of programs that are kept. The oldest is dropped first.
const MOST: usize = 16;

/// The programs of rulesets that were compiled before. A scenario appends its own code to a clone.
#[derive(Default)]
pub struct Programs(Mutex<Vec<(Ruleset, Detail, Program)>>);

impl Programs {
    /// Returns the program of a ruleset. It is compiled unless the program of a clone of the ruleset is kept.
    pub(super) fn of(&self, rules: &Ruleset, detail: Detail) -> Program {
        let kept = |(known, with, _): &&(Ruleset, Detail, Program)| *with == detail && is_clone(known, rules);
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().find(kept).map(|(.., p)| p.clone());
        known.unwrap_or_else(|| {
            let program = compile(rules, detail);
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if all.len() >= MOST {
                all.remove(0);
            }
            all.push((rules.clone(), detail, program.clone()));
            program
        })
    }
}

/// Returns whether two rulesets are clones that were not modified: they share every part.
fn is_clone(a: &Ruleset, b: &Ruleset) -> bool {
    use std::ptr::eq;
    let code = eq(&*a.functions, &*b.functions) && eq(&*a.actions, &*b.actions) && eq(&*a.policies, &*b.policies);
    let rest = eq(&*a.examples, &*b.examples) && eq(&*a.cited, &*b.cited) && eq(&*a.names, &*b.names);
    eq(&*a.schema, &*b.schema) && code && rest && a.open == b.open
}
