//! Reading fenced blocks out of the pages of this repository, and what is found in them. Each test file uses a part of it.

#![allow(dead_code)]

use crate::common::Shelf;
use grognard_base::{Diagnostic, Sources};
use grognard_odds::Budget;
use grognard_play::examples::run_examples;
use grognard_play::{Options, checked, odds, play};
use grognard_program::{Built, Detail};
use grognard_rules::{audit_register, load};
use grognard_scenario::{self as scenario, Mode};

/// A block between two lines of three backticks.
pub struct Fence {
    /// The words after the opening backticks.
    pub tag: String,
    /// The lines between.
    pub text: String,
    /// Line of the opening backticks, from 1.
    pub line: usize,
}

/// All blocks of a page, in order.
pub fn fences(page: &str) -> Vec<Fence> {
    let mut found = Vec::new();
    let mut open: Option<Fence> = None;
    for (n, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(tag)) => open = Some(Fence { tag: tag.trim().to_string(), text: String::new(), line: n + 1 }),
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(fence), None) => fence.text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is never closed");
    found
}

/// Everything found in a ruleset of the shelf: by loading it, by its register, and by running its examples.
pub fn problems(shelf: &Shelf, path: &str) -> (Vec<Diagnostic>, String) {
    let (mut loaded, sources) = shelf.load(path);
    if let Some(rules) = loaded.ruleset {
        loaded.problems.extend(audit_register(std::slice::from_ref(&rules)));
        if rules.open.is_empty() {
            let built = Built::new(rules, Detail::Traced);
            let results = run_examples(&built, &sources, Budget::default());
            loaded.problems.extend(results.into_iter().flat_map(|r| r.problems));
        }
    }
    let text = shown(&loaded.problems, &sources);
    (loaded.problems, text)
}

/// One line for each finding, with its place.
pub fn shown(problems: &[Diagnostic], sources: &Sources) -> String {
    grognard_base::render_lines(problems, sources)
}

/// What is found when a scenario whose rules stand on the shelf is read and played, and that in words.
pub fn scenario_problems(shelf: &Shelf, path: &str, text: &str) -> (Vec<Diagnostic>, String) {
    let mut sources = Sources::default();
    let problems = played(shelf, path, text, &mut sources).unwrap_or_else(|found| found);
    let text = shown(&problems, &sources);
    (problems, text)
}

fn played(shelf: &Shelf, path: &str, text: &str, sources: &mut Sources) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let document = scenario::read(path, text.to_string(), shelf, sources)?;
    let names = scenario::rulesets(&document)?;
    let loaded = load(&names[0].0, shelf, sources);
    let Some(rules) = loaded.ruleset else { return Err(loaded.problems) };
    let scenario = scenario::build(&document, rules, &[], sources, Detail::Traced)?;
    let budget = Budget { states: 1000, ..Budget::default() };
    let remarks = scenario.plan.remarks.clone();
    if scenario.plan.mode == Mode::Exact {
        let mut checks = checked(&scenario.plan, &[]);
        let mut problems = odds::judge(&scenario, budget.clone(), &mut checks);
        match odds::report(&scenario, &odds::OddsOptions::plain(budget)) {
            Ok(found) => problems.extend(odds::problems(&scenario, &found)),
            Err(fault) => problems.push(fault.diagnostic()),
        }
        problems.extend(remarks);
        return Ok(problems);
    }
    let mut outcome = play(&scenario, Options::default());
    outcome.problems.extend(odds::judge(&scenario, budget, &mut outcome.checks));
    outcome.problems.extend(remarks);
    Ok(outcome.problems)
}
