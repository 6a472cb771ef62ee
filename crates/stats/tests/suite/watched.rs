//! Work that somebody watches: samples that grow step by step are those that are taken at once, and who watches ends the work.

use crate::sample::scenario;
use grognard_base::value::Fraction;
use grognard_base::{Budget, Limit, Watch};
use grognard_play::odds::{Report, odds_options, report};
use grognard_stats::compare::compare_until;
use grognard_stats::stats::Level;
use grognard_stats::{CHUNK, Growing, Question, Settings, compare, sample, until};

#[test]
fn samples_and_comparisons_that_grow_are_the_same() {
    let path = "warstrike/scenarios/firefight.toml";
    let a = scenario(path, None, &[], &[]);
    let b = scenario(path, Some("warstrike/every-hit"), &[], &[]);
    let settings = Settings { seed: 3, runs: 700, threads: 1, chunk: CHUNK, level: Level::USUAL, until: None };
    let whole = sample(&a, settings, None, &|_| true);
    let mut growing = Growing::new(&a, settings, None);
    for runs in [1, 16, 250, 700] {
        let found = growing.grow(runs);
        assert_eq!(found.runs, runs);
        if runs == 700 {
            assert_eq!((&found.tallies, found.faults), (&whole.tallies, whole.faults));
        }
    }
    let question =
        Question { seed: 3, runs: 300, threads: 2, chunk: 7, within: None, unpaired: false, family: 1, every: false };
    let whole = compare(&a, &b, question, &|_| true).unwrap();
    let found = compare_until(&a, &b, Question { threads: 1, chunk: CHUNK, ..question }, &until(None), 300);
    assert_eq!(format!("{:?}", found.unwrap()), format!("{whole:?}"));
}

#[test]
fn who_watches_ends_a_sample() {
    let a = scenario("warstrike/scenarios/firefight.toml", None, &[], &[]);
    let settings = Settings { seed: 3, runs: 1_000_000, threads: 1, chunk: CHUNK, level: Level::USUAL, until: None };
    let found = Growing::new(&a, settings, Some(Watch::new(|_| Some(Limit::Stopped)))).grow(1_000_000);
    assert!(found.runs < 1_000, "{}", found.runs);
}

/// Where the time is over while answers are put together, what did not come to its end counts as not explored.
#[test]
fn a_deadline_leaves_over_what_was_not_followed() {
    let scenario = scenario("warstrike/scenarios/firefight.toml", None, &[], &[]);
    let late = |doing: &str| doing.starts_with("probabilities of the states").then_some(Limit::Deadline);
    let found = |watch| {
        let budget = Budget { watch, bytes: usize::MAX, ..grognard_base::Effort::Given(6_000).budget() };
        report(&scenario, &odds_options(&scenario, budget)).unwrap()
    };
    let (whole, cut) = (found(None), found(Some(Watch::new(late))));
    assert_eq!(whole.answers.len(), cut.answers.len());
    let shares = |report: &Report<'_>| -> Vec<Fraction> {
        let known = report.answers.iter().filter_map(|answer| answer.as_ref().unwrap().found.as_ref());
        known.map(|found| found.unexplored()).collect()
    };
    let (whole, cut) = (shares(&whole), shares(&cut));
    assert!(!cut.is_empty() && cut.iter().zip(&whole).all(|(cut, whole)| cut > whole), "{cut:?} {whole:?}");
    assert!(cut.iter().all(|open| *open == cut[0]), "one deadline ends all answers: {cut:?}");
}
