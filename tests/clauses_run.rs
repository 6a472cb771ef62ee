//! Every clause of WarStrike that an item cites is run: by an example that holds, by a scenario, or it stands in the list
//! of exceptions with the reason why no run shows it.

mod scenes;

use grognard::base::Sources;
use grognard::play::examples::{Verdict, run_examples};
use grognard::play::record::What;
use grognard::program::{Detail, compile};
use grognard::rules;
use grognard::rules::ruleset::{ClauseStatus, Ruleset};
use std::collections::BTreeSet;

/// Clauses that no run tells, and why.
const UNTOLD: &[(&str, &str)] = &[
    ("WA-21", "a row of a pure match, which tells no line: the example of the bands and weak-units"),
    ("WA-27", "part of the query for refuges, which tells only what it found: squad-falls-back"),
    ("WA-70", "a condition inside a query: only the hero is offered in inspiration"),
    ("WL-37", "a condition inside a query: shaken-or-steadfast offers the hero alone"),
];

/// Clauses of values, fields, conditions and traits that a claim names; a claim that was judged has worked them out.
fn named(rules: &Ruleset, claim: &str, run: &mut BTreeSet<String>) {
    let words: BTreeSet<&str> = claim.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    for item in &rules.items {
        let name = item.name.rsplit('.').next().unwrap_or_default();
        if matches!(item.word, "let" | "stat" | "state" | "condition" | "trait") && words.contains(name) {
            run.extend(item.cites.iter().cloned());
        }
    }
}

/// Clauses told by the traces of the scenarios.
fn told() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in scenes::names() {
        let (scenario, sources) = scenes::shipped(&name);
        if !scenes::traced(&scenario) {
            continue;
        }
        let (_, events) = scenes::played(&name, &scenario, &sources);
        for event in events {
            if let What::Expect { claim, holds: true, .. } = &event.what {
                named(&scenario.game.program.rules, claim, &mut found);
            }
            // what was looked at and passed over did not run
            if !matches!(event.what, What::Guard { .. }) {
                found.extend(event.clauses);
            }
            if let What::Decision { refused, .. } = event.what {
                found.extend(refused.into_iter().flat_map(|r| r.clauses));
            }
        }
    }
    found
}

#[test]
fn every_cited_clause_is_run() {
    let mut run = told();
    let mut wanted = BTreeSet::new();
    for name in ["warstrike/action-phase", "warstrike/leadership", "warstrike/salvo-threshold"] {
        let mut sources = Sources::default();
        let rules = rules::load(name, &scenes::Shipped, &mut sources).ruleset.expect("sound rules");
        for clause in &rules.register {
            let counts = matches!(clause.status, ClauseStatus::Modelled | ClauseStatus::External);
            if counts && rules.cited.contains(&clause.id) {
                wanted.insert(clause.id.clone());
            }
        }
        let program = compile(rules, Detail::Plain);
        for result in run_examples(&program, &sources) {
            if result.verdict == Verdict::Holds {
                let text = &sources.get(result.span.file).expect("a source").text;
                named(&program.rules, &text[result.span.start as usize..result.span.end as usize], &mut run);
                run.extend(result.cites);
            }
        }
    }
    let untold: BTreeSet<String> = UNTOLD.iter().map(|(id, _)| (*id).to_string()).collect();
    let missing: Vec<&String> = wanted.iter().filter(|id| !run.contains(*id) && !untold.contains(*id)).collect();
    assert!(missing.is_empty(), "cited and never run: {missing:?}");
    let spare: Vec<&String> = untold.iter().filter(|id| run.contains(*id) || !wanted.contains(*id)).collect();
    assert!(spare.is_empty(), "excepted without need: {spare:?}");
    assert!(wanted.len() > 90, "{}", wanted.len());
}
