//! The formats of results: every command that answers a question prints text, JSON and a table.

use crate::common;

#[test]
fn every_command_that_answers_has_three_formats() {
    let place = common::folder("three-formats", &[]);
    assert_eq!(common::said(&place, &["new", "game"]).0, 0);
    let project = place.join("game");
    let (scene, rules) = ("scenarios/first.toml", "rules/game.rules");
    for args in [
        &["odds", "2d6"][..],
        &["odds", rules, "2d6 + hit_on"],
        &["odds", scene],
        &["simulate", scene, "--runs", "20"],
        &["compare", ":hit_on=3", scene, "--runs", "20"],
        &["sweep", scene, "--over", "hit_on=3,4", "--budget", "10", "--runs", "20"],
        &["readings", scene],
        &["holes", "rules"],
        &["why", scene, "raiders.men"],
        &["run", scene],
        &["test", "rules"],
        &["mutants", "rules", "--list"],
        &["coverage", "rules"],
        &["diff", rules, rules],
        &["version"],
    ] {
        let with = |form: &str| {
            let (code, text, errors) = common::said_apart(&project, &[args, &["--format", form]].concat());
            assert!(code != 2, "{args:?} {form}: {errors}");
            text
        };
        assert!(!with("human").is_empty(), "{args:?}");
        let json: serde_json::Value = serde_json::from_str(&with("json")).unwrap();
        assert!(json["schema"].is_number(), "{args:?}");
        let csv = with("csv");
        let mut lines = csv.lines();
        let columns = lines.next().unwrap().split(',').count();
        assert!(columns > 3, "{args:?}: {csv}");
        // a cell with a comma is quoted
        let plain = lines.filter(|line| !line.contains('"'));
        plain.for_each(|line| assert_eq!(line.split(',').count(), columns, "{args:?}: {line}"));
    }
}
