//! Judges changes: loads and checks the changed rules, then runs tests until one fails.

use super::suite::{Suite, Test, Trouble, first_error};
use super::{Book, Mutation, Verdict, held, witness};
use grognard_base::order;
use grognard_stats::batch::{Work, batch_on};
use std::sync::atomic::{AtomicBool, Ordering};

/// Stack size of a worker, in bytes. It is the one on which commands check rules.
const STACK: usize = 16 << 20;

/// The input of the judgment.
pub struct Judge<'s, 'p> {
    pub suite: &'s Suite<'p>,
    /// Changes with the book of each. Changes of one item are adjacent.
    pub changes: &'s [(&'s Book, Mutation)],
    /// The verdicts that are already known.
    pub known: &'s [Option<Verdict>],
    /// A callback that receives each new verdict, from any thread. Return `false` to stop all workers.
    pub done: &'s (dyn Fn(usize, Verdict) -> bool + Sync),
}

/// Judges every change without a known verdict. The number of threads does not affect the result, because changes of
/// one item are judged in order by one thread.
pub fn judge_all(judge: &Judge<'_, '_>, threads: usize) {
    let items = groups(judge.changes);
    let stopped = AtomicBool::new(false);
    let worker = || Worker { judge, items: &items, stopped: &stopped };
    let mut workers: Vec<Worker<'_>> = (0..threads.clamp(1, items.len().max(1))).map(|_| worker()).collect();
    let go_on = |_| !stopped.load(Ordering::Relaxed);
    batch_on(STACK, &mut workers, 0..items.len() as u64, 1, &go_on);
}

/// Returns the ranges of changes that belong to one item.
fn groups(changes: &[(&Book, Mutation)]) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for (n, (book, change)) in changes.iter().enumerate() {
        match found.last_mut() {
            Some(last) if changes[last.start].0.name == book.name && changes[last.start].1.item == change.item => {
                last.end = n + 1;
            }
            _ => found.push(n..n + 1),
        }
    }
    found
}

struct Worker<'w> {
    judge: &'w Judge<'w, 'w>,
    items: &'w [std::ops::Range<usize>],
    stopped: &'w AtomicBool,
}

impl Work for Worker<'_> {
    fn run(&mut self, item: u64) -> bool {
        let Some(range) = usize::try_from(item).ok().and_then(|n| self.items.get(n)) else { return true };
        // the test that noticed the last change of the item is likely to notice the next
        let mut last: Option<String> = None;
        for at in range.clone() {
            let known = self.judge.known.get(at).and_then(Option::as_ref);
            let verdict = match known {
                Some(verdict) => verdict.clone(),
                None if self.stopped.load(Ordering::Relaxed) => return true,
                None => {
                    let (book, change) = &self.judge.changes[at];
                    self.judge.suite.judge(book, change, last.as_deref())
                }
            };
            if let Verdict::Noticed { by, .. } = &verdict {
                last = Some(by.clone());
            }
            if known.is_none() && !(self.judge.done)(at, verdict) {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
        true
    }
}

impl Suite<'_> {
    /// Judges a change. The test named `first` is run first.
    pub fn judge(&self, book: &Book, change: &Mutation, first: Option<&str>) -> Verdict {
        if let Some(reason) = &change.excuse {
            return Verdict::Excused { because: reason.clone() };
        }
        let Some(mut version) = self.changed(book, change) else { return Verdict::Same };
        let mut tests: Vec<&Test> = self.tests.iter().filter(|test| self.touches(test, book, change)).collect();
        order::sort_by_key(&mut tests, |test| Some(test.name.as_str()) != first);
        for test in tests {
            match self.run(&mut version, test) {
                Ok(()) => {}
                Err(Trouble::Refused(why)) => return Verdict::Refused { why },
                Err(Trouble::Fails { limit }) => {
                    return Verdict::Noticed { by: test.name.clone(), never_ends: limit };
                }
            }
        }
        for rules in self.touched(book) {
            if let Err(found) = version.ruleset(&self.project, rules) {
                return Verdict::Refused { why: first_error(&found) };
            }
        }
        if self.same(&mut version, book) {
            return Verdict::Same;
        }
        let witness = witness::find(self, &mut version, book, change);
        let held = if witness.is_none() { held::held(self, book, change) } else { None };
        Verdict::Survived { witness, held }
    }

    /// Returns whether a test can notice a change: it reaches the item, or the item has no code.
    pub(super) fn touches(&self, test: &Test, book: &Book, change: &Mutation) -> bool {
        let reaches = match change.reached {
            Some(name) if self.items.contains(&name) => test.reached.contains(&name),
            _ => true,
        };
        reaches && self.stands_on(&test.rules, book)
    }
}
