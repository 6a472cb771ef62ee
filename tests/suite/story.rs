//! The story of a trace: what it tells, what it folds, and how long it is.

use crate::common;
use grognard_kit::scenes;
use grognard_play::record::{Event, from_jsonl, to_jsonl};
use grognard_report::story::{LineSort, Story, is_told};

/// Plays a shipped scenario and returns its events.
fn events(name: &str) -> Vec<Event> {
    let (scenario, sources) = scenes::shipped(name);
    scenes::played(name, &scenario, &sources).1
}

#[test]
fn stories_of_four_books() {
    let folder = grognard::Folder::new(common::root().join("docs")).unwrap();
    let scenario = grognard::Scenario::load(folder, "first/volley.toml").unwrap();
    let mut stories = vec![("volley", scenario.run().play().unwrap().trace().story())];
    for name in ["whole-turn", "pushed-to-the-wall", "close-assault"] {
        stories.push((name, Story::of(&events(name)).text()));
    }
    for (name, text) in stories {
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => true }, {
            insta::assert_snapshot!(name, text);
        });
    }
}

/// The lines of text that the events of a story take.
fn length(story: &Story) -> usize {
    let plain = story.lines.iter().filter(|l| l.sort == LineSort::Plain).map(|l| l.text.lines().count()).sum::<usize>();
    story.text().lines().count() - plain
}

#[test]
fn every_event_that_matters_is_told_once() {
    let (mut all, mut told) = (0, 0);
    let (mut count, mut skirmishes) = (0, 0);
    for name in scenes::names() {
        let (scenario, sources) = scenes::shipped(&name);
        if !scenes::traced(&scenario) {
            continue;
        }
        let events = scenes::played(&name, &scenario, &sources).1;
        let story = Story::of(&events);
        let mut seqs: Vec<u64> = story.lines.iter().flat_map(|l| l.events.iter().copied()).collect();
        seqs.sort_unstable();
        assert!(seqs.windows(2).all(|pair| pair[0] < pair[1]), "{name} tells an event twice");
        for event in events.iter().filter(|event| is_told(event)) {
            assert!(seqs.binary_search(&event.seq).is_ok(), "{name} does not tell {event:?}");
        }
        let matter = events.iter().filter(|event| is_told(event)).count();
        let long = length(&story);
        // a step or two of a short scenario take a heading each
        assert!(long * 10 <= matter * 16 + 40, "{name}: {long} lines for {matter} events");
        if name.ends_with("-to-the-end") || name.starts_with("three-turns-at-the-farm") {
            let most = if name == "skirmish-to-the-end" { 340 } else { 250 };
            assert!(long <= most, "{name} takes {long} lines");
            skirmishes += 1;
        }
        (all, told, count) = (all + long, told + matter, count + 1);
        let lines = Story { lines: story.lines.iter().filter(|l| l.sort != LineSort::Plain).cloned().collect() }.text();
        // a name or a list without a space is longer than a line
        let wide = lines.lines().filter(|l| l.chars().count() > 100).count();
        assert!(wide * 50 <= long, "{name}: {wide} wide lines\n{lines}");
        assert_eq!(Story::of(&from_jsonl(&to_jsonl(&events)).unwrap()), story, "{name}");
    }
    assert!(count >= 80 && skirmishes >= 5, "only {count} scenarios, {skirmishes} of them skirmishes");
    assert!(all * 10 <= told * 16, "{all} lines for {told} events");
}
