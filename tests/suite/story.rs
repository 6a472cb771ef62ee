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
            assert!(long <= 250, "{name} takes {long} lines");
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

/// The line of a roll in a test, of dice of one sort, compared with a value.
fn roll(dice: usize, sides: u32, summed: bool, needs: &str, outcome: &str) -> String {
    let names = vec![format!("\"d{sides}\""); dice].join(",");
    let faces = vec!["1"; dice].join(",");
    let sum = if summed { format!(",\"sum\":{dice}") } else { String::new() };
    let text = format!(
        r#"{{"v":2,"seq":0,"event":"enter","sort":"test","name":"Check","args":[],"title":""}}
{{"v":2,"seq":1,"event":"roll","name":"aim","dice":[{names}],"faces":[{faces}]{sum}}}
{{"v":2,"seq":2,{outcome},"words":["aim"],"needs":[{{"roll":"aim",{needs}}}]}}"#
    );
    let story = Story::of(&from_jsonl(&text).unwrap()).text();
    story.lines().nth(1).unwrap().split_once(", ").unwrap().1.split_once(' ').unwrap().1.to_string()
}

#[test]
fn a_roll_has_the_chance_of_its_outcome() {
    let need = |of: &str, op: &str, than: u32| format!(r#""of":"{of}","op":"{op}","than":{than}"#);
    let holds = |yes: bool| format!(r#""event":"condition","holds":{yes}"#);
    let hits = |n: u32| format!(r#""event":"value","name":"hits","value":{n}"#);
    assert_eq!(roll(2, 6, false, &need("any", "<=", 3), &holds(true)), "one of 3 or less: yes (75 %)");
    assert_eq!(roll(2, 6, false, &need("any", "<=", 3), &holds(false)), "one of 3 or less: no (25 %)");
    assert_eq!(roll(2, 6, false, &need("every", ">", 3), &holds(true)), "each more than 3: yes (25 %)");
    assert_eq!(roll(2, 6, false, &need("no", "==", 6), &holds(true)), "none of 6: yes (69 %)");
    assert_eq!(roll(3, 6, true, &need("one", ">=", 16), &holds(true)), "16+: yes (5 %)");
    assert_eq!(roll(1, 20, false, &need("one", "<", 5), &holds(false)), "less than 5: no (80 %)");
    assert_eq!(roll(1, 6, false, &need("count", ">=", 5), &hits(0)), "5+: hits 0 (67 %)");
    assert_eq!(roll(4, 6, false, &need("count", ">=", 4), &hits(3)), "4+: hits 3 (3 or more: 31 %)");
    assert_eq!(roll(4, 6, false, &need("count", ">=", 4), &hits(0)), "4+: hits 0 (none: 6 %)");
    assert_eq!(roll(1, 1000, false, &need("one", "==", 1), &holds(true)), "1: yes (under 1 %)");
    assert_eq!(roll(1, 1000, false, &need("one", "==", 1), &holds(false)), "1: no (over 99 %)");
    // 6 to the power of 60 outcomes are not counted, and neither are the dice of a pool that is compared as a whole
    assert_eq!(roll(60, 6, false, &need("count", ">=", 4), &hits(3)), "4+: hits 3");
    assert_eq!(roll(2, 6, false, &need("one", ">=", 4), &holds(true)), "4+: yes");
}

/// A story states no chance if the value of an expression around a comparison is not its outcome, or if the rules can throw the
/// dice again.
#[test]
fn a_comparison_inside_an_expression_has_no_chance() {
    let rules = "ruleset game/parts
kind Side { state points : 0..99 = 0 \"Points\" }
proc twice(s: Side) { roll aim = 4 of d6
  let hits = 2 * count aim >= 4
  set s.points += hits }
proc misses(s: Side) { roll die = d6
  if not die >= 5 { set s.points += 1 } }
proc both(s: Side) { roll die = d6
  if die >= 3 and s.points > 90 { set s.points += 1 } }
proc again(s: Side) { roll shots = 4 of d6
  reroll x in shots where x == 1 and s.points > 90
  let hits = count shots >= 4
  set s.points += hits }
proc more(s: Side) { roll dice = 4 of d6
  explode x in dice where x == 6 and s.points > 90
  if any dice >= 5 { set s.points += 1 } }
proc plain(s: Side) { roll die = d6
  if die >= 5 { set s.points += 1 } }
";
    let rules = grognard::Rules::from_text(rules).unwrap();
    let story = |name: &str| {
        let table = rules.table().thing("Side", "red").call(name, ["red"]).build().unwrap();
        table.run().seed(1).play().unwrap().trace().story()
    };
    for name in ["twice", "misses", "both", "again", "more"] {
        assert!(!story(name).contains('%'), "{}", story(name));
    }
    assert!(story("plain").contains("needs 5+"), "{}", story("plain"));
}

#[test]
fn a_line_of_a_stand_in_is_marked_and_a_bookkeeping_state_is_folded() {
    let events = events("whole-turn");
    let text = Story::of(&events).text();
    let salvo = text.lines().find(|l| l.contains("aim d6: 3, counting 4+: hits 0 (50 %)")).unwrap();
    assert!(salvo.contains("~"), "{salvo}");
    assert!(text.contains("needs one of 2 or less, passed (56 %)"));
    // a state without a title
    assert!(
        events
            .iter()
            .any(|e| matches!(&e.what, grognard::EventKind::Write { slot, .. } if slot.field == "moved_or_shot"))
    );
    assert!(!text.contains("moved or shot"));
    // two lines of the header, thirty of the turn, and the closing line
    assert!(text.lines().count() <= 33, "{text}");
}

/// Only the lines of declared stand-ins are marked, not those of the book's rules that run inside them.
#[test]
fn declared_stand_ins_are_marked() {
    let rules = "ruleset game/core
kind Squad { state men : 0..9 = 5 \"men\" }
proc volley(s: Squad) \"A volley\" { set s.men -= 1 }
stand-in proc rest(s: Squad) \"A rest\" { set s.men += 2 }
stand-in section \"The game around\"
phase Day(s: Squad) \"A day\" {
  do volley(s)
  do rest(s)
  set s.men = 3
}
section \"More of the book\"
phase Night(s: Squad) \"A night\" { do volley(s) }
";
    let scene =
        "rules = \"game/core\"\n[[step]]\ndo = \"run Day(a)\"\n[[step]]\ndo = \"run Night(a)\"\n[Squad]\na = {}\n";
    let rules = grognard::Rules::from_text(rules).unwrap();
    let scenario = rules.scenario_from_toml(scene).unwrap();
    let story = scenario.run().play().unwrap().trace().story();
    let marked = |change: &str| {
        let line = story.lines().find(|line| line.contains(change)).unwrap_or_else(|| panic!("{change}\n{story}"));
        line.contains('~')
    };
    assert!(!marked("men 5 -> 4"), "{story}");
    assert!(marked("men 4 -> 6"), "{story}");
    assert!(marked("men 6 -> 3"), "{story}");
    assert!(!marked("men 3 -> 2"), "{story}");
}

/// The traces of all lines of a story are together the whole trace.
#[test]
fn each_line_unfolds_to_its_part_of_the_trace() {
    for name in ["whole-turn", "pushed-to-the-wall", "close-assault"] {
        let events = events(name);
        let story = Story::of(&events);
        let full = grognard_play::record::render(&events, grognard_play::record::TraceDetail::Full);
        let count = story.text().lines().count();
        let mut parts: Vec<String> = (1..=count).map(|line| story.unfolded(&events, line).unwrap()).collect();
        parts.dedup();
        assert_eq!(parts.concat(), full, "{name}");
        assert_eq!((story.unfolded(&events, 0), story.unfolded(&events, count + 1)), (None, None));
    }
}

/// A move is marked if another answer of a reading ends it elsewhere.
#[test]
fn a_move_that_a_reading_decides_is_marked() {
    let rules = "ruleset game/core
reading pace = Walk or Run because \"nothing is said\"
kind Man on board { state said : 0..9 = 0 }
proc go(m: Man) \"He goes\" { move m { at most 2\"; heading 90° } else set m.said = 9 }
proc back(m: Man) \"He goes back\" { move m { at most 2\"; heading 270° } else set m.said = 9 }
change proc go under pace = Run {
  - at most 2\"
  + at most 6\"
}
";
    let scene = "rules = \"game/core\"\n[[step]]\ndo = \"do go(a)\"\n[[step]]\ndo = \"do back(a)\"\n[board]\nsize = [40, 40]\n[Man]\na = { at = [20, 20] }\n";
    let scenario = grognard::Rules::from_text(rules).unwrap().scenario_from_toml(scene).unwrap();
    let story = scenario.run().play().unwrap().trace().story();
    let line = |end: &str| story.lines().find(|line| line.contains(end)).unwrap_or_else(|| panic!("{end}\n{story}"));
    assert!(line("moves 2\" to [22, 20]").contains('!'), "{story}");
    assert!(!line("moves 2\" to [20, 20]").contains('!'), "{story}");
    assert!(story.contains("1 reading decided a line (`!`): pace."), "{story}");
}

/// JSON Lines have a line of the story each, and name every event that a line of the text shows.
#[test]
fn a_story_is_also_json_lines() {
    let (code, text) =
        common::said(common::root(), &["run", "docs/first/volley.toml", "--trace", "story", "--format", "jsonl"]);
    assert_eq!(code, 0, "{text}");
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let first = lines.iter().find(|line| line["story"] == "event").unwrap();
    assert_eq!(first["who"], "guards");
    assert_eq!(first["text"], "aim 10 of d6: 5 6 2 5 1 5 4 2 1 6; armour 6 of d6: 5 2 5 6 1 6");
    assert_eq!(first["changes"], serde_json::json!(["raiders men 6 -> 4"]));
    assert_eq!(first["events"], serde_json::json!([3, 4, 5]));
    assert!(
        lines.iter().filter(|line| line["story"] == "event").all(|line| !line["events"].as_array().unwrap().is_empty())
    );
}

/// Refusals stand below the decision whose menu refused them, also if only one entry was left, and those that failed by least come
/// first.
#[test]
fn refusals_are_shown_on_request() {
    let events = events("whole-turn");
    let story = Story::with_refusals(&events);
    let refused: usize = story.lines.iter().map(|line| line.refused.len()).sum();
    assert!(refused > 0, "{}", story.text());
    assert!(Story::of(&events).lines.iter().all(|line| line.refused.is_empty()));
    let line = story.lines.iter().find(|line| !line.refused.is_empty()).unwrap();
    assert!(story.text().contains(&line.refused[0]), "{}", story.text());
    let told: usize = Story::of(&events).lines.iter().map(|line| line.events.len()).sum();
    assert!(story.lines.iter().map(|line| line.events.len()).sum::<usize>() >= told);
    let near = r#"{"v":2,"seq":0,"event":"decision","name":"action","source":"script","action":true,
"menu":[{"action":{"name":"Stay"}},{"action":{"name":"Wait"}}],"answer":{"action":{"name":"Stay"}},
"refused":[{"action":{"action":{"name":"Talk"}},"why":["silent"]},
{"action":{"action":{"name":"Shoot"}},"why":[{"length":20000}," <= ",{"length":12000}]},
{"action":{"action":{"name":"Walk"}},"why":[{"length":15600}," <= ",{"length":12000}]},
{"action":{"action":{"name":"Fly"}},"why":["no wings"],"never":true}]}"#;
    let near = from_jsonl(&near.replace('\n', "")).unwrap();
    let line = Story::with_refusals(&near).lines.remove(0);
    assert_eq!(line.refused, ["not Walk: 15.6\" <= 12\"", "not Shoot: 20\" <= 12\"", "not Talk: silent"]);
}

/// Colors add nothing to the text, and they never cross a line.
#[test]
fn colors_change_no_text() {
    let story = Story::of(&events("whole-turn"));
    let colored = story.colored();
    assert!(colored.lines().filter(|line| line.contains('\u{1b}')).count() > 10);
    let mut plain = String::new();
    for line in colored.lines() {
        let mut parts = line.split('\u{1b}');
        plain += parts.next().unwrap();
        let codes: Vec<&str> = parts.map(|part| part.split_once('m').unwrap().0).collect();
        assert!(codes.last().is_none_or(|code| *code == "[0"), "{line:?}");
        plain += &line.split('\u{1b}').skip(1).map(|part| part.split_once('m').unwrap().1).collect::<String>();
        plain.push('\n');
    }
    assert_eq!(plain, story.text());
}
