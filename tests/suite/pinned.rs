//! Every trace of a shipped scenario, pinned: its story, its bytes, and the form of its lines.

use crate::common;
use crate::common::point_along;
use grognard_board::Point;
use grognard_kit::scenes;
use grognard_play::record::{TraceDetail, from_jsonl, render, to_jsonl};
use grognard_report::story::Story;
use sha2::{Digest, Sha256};

const HASHES: &str = "tests/pinned/hashes.txt";

/// Lines of a long trace that its snapshot shows; the hash pins the rest.
const SHOWN: usize = 40;
/// Lines up to which a trace is shown whole.
const WHOLE: usize = 150;

/// A trace as its snapshot has it: of one too long to be read, the beginning.
fn excerpt(text: String) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() <= WHOLE {
        return text;
    }
    format!("{}\n.. {} more lines, which the hash pins\n", lines[..SHOWN].join("\n"), lines.len() - SHOWN)
}

/// Its text is pinned, and its lines: the same bytes twice, in the form of the schema.
#[test]
fn every_shipped_trace_is_pinned() {
    let schema = common::Schema::parse(&common::text_of("docs/trace.schema.json"));
    let event = |schema: &serde_json::Value| schema["properties"]["event"]["const"].clone();
    let mut unseen: Vec<serde_json::Value> = schema.alternatives().iter().map(event).collect();
    let mut hashes = String::new();
    let mut count = 0;
    for name in scenes::names() {
        let (scenario, sources) = scenes::shipped(&name);
        if !scenes::traced(&scenario) {
            continue;
        }
        let (outcome, events) = scenes::played(&name, &scenario, &sources);
        assert!(outcome.sound(), "{name}: {:?}", outcome.problems);
        let lines = to_jsonl(&events);
        assert!(to_jsonl(&scenes::played(&name, &scenario, &sources).1) == lines, "{name} differs from run to run");
        assert!(from_jsonl(&lines).as_ref() == Ok(&events), "{name}: its lines are not read as they were written");
        for line in lines.lines() {
            let event: serde_json::Value = serde_json::from_str(line).unwrap();
            schema.check(&event).unwrap_or_else(|why| panic!("{name}: {why}\n{line}"));
            unseen.retain(|known| *known != event["event"]);
        }
        let text = render(&events, TraceDetail::Full);
        let digest: String = Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
        hashes += &format!("{digest}  {name}\n");
        count += 1;
        // what builds on another scenario differs from it in little
        if scenes::builds_on_another(&name) {
            continue;
        }
        let text = excerpt(Story::of(&events).text());
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => true }, {
            insta::assert_snapshot!(name, text);
        });
    }
    assert!(count >= 80, "only {count} scenarios");
    // no shipped scenario draws, fails or takes too long; the tests of traces have such ones
    assert_eq!(unseen, ["draw", "fault", "truncated"]);
    let file = common::root().join(HASHES);
    if std::env::var_os("GROGNARD_PIN").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &hashes).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap_or_default(), hashes, "written anew with GROGNARD_PIN=1");
}

#[test]
fn no_snapshot_is_left_over() {
    let known = scenes::names();
    let mut count = 0;
    for file in std::fs::read_dir(common::root().join("tests/suite/snapshots")).unwrap() {
        let name = file.unwrap().file_name().to_string_lossy().into_owned();
        if let Some(scene) = name.strip_prefix("suite__pinned__").and_then(|n| n.strip_suffix(".snap")) {
            count += 1;
            assert!(known.iter().any(|k| k == scene), "{name} has no scenario");
        }
    }
    assert!(count >= 80, "only {count} snapshots");
}

/// A scenario that must end in an error, and the words of it.
fn refused(name: &str, words: &str) {
    let path = format!("tests/fixtures/scenes/{name}.toml");
    let text = std::fs::read_to_string(common::root().join(&path)).unwrap();
    let (scenario, _) = scenes::read(&path, text);
    let outcome = scenes::unwatched(&scenario);
    assert!(!outcome.sound());
    let rendered = &outcome.problems[0].message;
    assert!(rendered.contains(words), "{rendered}");
}

#[test]
fn a_scripted_move_out_of_coherency_is_refused() {
    refused("broken-coherency", "a move to [15, 20] is not legal: it ends 3\" away, but at most 2\" is allowed");
}

#[test]
fn an_order_out_of_reach_is_refused() {
    refused("order-out-of-reach", "with IssueOrder(officer: voss, target: far), which is not on its menu");
}

#[test]
fn a_second_order_is_refused() {
    refused("second-order", "with IssueOrder(officer: voss, target: guards), which is not on its menu");
    refused(
        "second-order",
        "; IssueOrder(officer: voss, target: laans) is rejected: its limit of 1 per ActionPhase is used up",
    );
}

#[test]
fn a_step_out_of_the_fan_is_refused() {
    refused("step-aside", "a move to [9, 20] is not legal");
    refused("step-past-the-fan", "a move to [10.6, 18.1] is not legal");
}

#[test]
fn two_combat_moves_against_two_moves() {
    let mut text = String::from(
        "rules = \"alternate/activation\"\nname = \"two by two\"\nmode = \"scripted\"\n[board]\nsize = [60, 40]\n\
         [players]\nred = [\"script\", \"prefer\"]\n[Side.red]\n",
    );
    let (mut units, mut elements, mut rolls, mut steps) = (String::new(), String::new(), String::new(), String::new());
    // more than twelve inches in all, just as many, fewer
    let mut against = [0; 3];
    let pairs = (1..=6).flat_map(|a| (1..=6).map(move |b| (a, b)));
    for (n, (a, b)) in pairs.enumerate() {
        let (y, first, last) = (n + 1, 10 + 2 * a, 10 + 2 * a + 2 * b);
        units += &format!("u{a}{b} = {{ side = \"red\", quality = \"d8\", lv = 2 }}\n");
        elements += &format!("e{a}{b} = {{ unit = \"u{a}{b}\", at = [10, {y}] }}\n");
        rolls += &format!("{{ roll = \"CombatMove.rolled\", of = \"u{a}{b}\", give = [{a}] }},\n");
        rolls += &format!("{{ roll = \"CombatMove.rolled\", of = \"u{a}{b}\", give = [{b}] }},\n");
        steps += &format!(
            "[[step]]\ndo = \"run Activation(u{a}{b})\"\nexpect = [\"e{a}{b}.at == [{last}, {y}]\"]\ndecide = [\n\
             {{ choice = \"action\", of = \"u{a}{b}\", pick = \"CombatMove(route: [22, {y}])\" }},\n\
             {{ choice = \"action\", of = \"u{a}{b}\", pick = \"CombatMove(route: [{}, {y}])\" }},\n]\n",
            first + 12
        );
        against[match (a + b).cmp(&6) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 2,
        }] += 1;
    }
    text += &format!("[dice]\nrolls = [\n{rolls}]\n[Unit]\n{units}");
    text += "slow = { side = \"red\", quality = \"d8\", lv = 2 }\n[Element]\ns1 = { unit = \"slow\", at = [10, 38] }\n";
    text += &format!("{elements}{steps}");
    text += "[[step]]\ndo = \"run Activation(slow)\"\nexpect = [\"s1.at == [22, 38]\"]\ndecide = [\n\
             { choice = \"action\", of = \"slow\", pick = \"Move(route: [16, 38])\" },\n\
             { choice = \"action\", of = \"slow\", pick = \"Move(route: [22, 38])\" },\n]\n";
    let (scenario, _) = scenes::read("alternate/scenarios/two-by-two.toml", text);
    let outcome = scenes::unwatched(&scenario);
    assert!(outcome.sound(), "{:?}", outcome.problems);
    assert_eq!(against, [21, 5, 10]); // 7/12, 5/36, 5/18
}

/// Every fifth facing, with room of several widths behind: rounded places decide nothing.
#[test]
fn a_friend_behind_gives_way_on_every_facing() {
    for (gap, open) in [(0, false), (0, true), (250, false), (500, false), (1_000, true)] {
        let mut text = String::from(
            "rules = \"recoil/results\"\nname = \"give way\"\nmode = \"scripted\"\n[board]\nsize = [120, 120]\n\
             [players]\nred = [\"script\", \"prefer\"]\nblue = [\"script\", \"prefer\"]\n[Side.red]\n[Side.blue]\n\
             [Figure]\nw = { side = \"blue\", at = [118, 118], facing = 0, base = 0.5 }\n",
        );
        let mut steps = String::new();
        let inches = |n: i64| format!("{}.{:03}", n / 1000, n % 1000);
        for k in 0..72 {
            let at = Point::inches(6 + 12 * (k % 9), 6 + 12 * (k / 9));
            let (facing, back) = (5 * k, point_along(at, 500 * k + 18_000, 1_000 + gap));
            let figure = |name: &str, at: Point| {
                let at = format!("[{}, {}]", inches(at.x), inches(at.y));
                format!(
                    "{name}{k} = {{ side = \"red\", at = {at}, facing = {facing}, base = 0.5, open_order = {open} }}\n"
                )
            };
            text += &(figure("a", at) + &figure("b", back));
            steps += &format!(
                "[[step]]\ndo = \"emit ResultDealt(a{k}, w, Recoil, HandToHand)\"\nexpect = [\"not a{k}.downed\"]\n"
            );
        }
        let (scenario, _) = scenes::read("recoil/scenarios/give-way.toml", text + &steps);
        let outcome = scenes::unwatched(&scenario);
        assert!(outcome.sound(), "{gap} {open}: {:?}", outcome.problems);
    }
}
