//! The public items of the library are pinned: a change of the API is a change of the snapshot.

use grognard::{Choice, Decision, Pending, Roll, Rules};
use proptest::prelude::*;
use std::fs;

/// The files whose public items are the API: the facade, and the values and events that it re-exports.
const FILES: [&str; 23] = [
    "src/lib.rs",
    "src/chance.rs",
    "src/comparison.rs",
    "src/decide.rs",
    "src/dice.rs",
    "src/error.rs",
    "src/folder.rs",
    "src/game.rs",
    "src/library.rs",
    "src/odds.rs",
    "src/readings.rs",
    "src/report.rs",
    "src/rules.rs",
    "src/run.rs",
    "src/sample.rs",
    "src/scenario.rs",
    "src/sweep.rs",
    "src/table.rs",
    "src/trace.rs",
    "src/watch.rs",
    "crates/base/src/value/short_text.rs",
    "crates/base/src/value/plain.rs",
    "crates/play/src/record/event.rs",
];

/// Returns the public items of a file, each in one line, with the headers of their `impl` blocks.
fn items(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines().peekable();
    // the braces of a public type or trait, whose variants, fields and functions are public too
    let mut open: Option<usize> = None;
    while let Some(line) = lines.next() {
        let (bare, indent) = (line.trim(), line.len() - line.trim_start().len());
        if open == Some(indent) && bare.starts_with('}') {
            open = None;
            continue;
        }
        let item =
            ["pub fn ", "pub struct ", "pub enum ", "pub trait ", "pub use ", "pub mod ", "pub const ", "pub type "];
        let is_item = item.iter().any(|word| bare.starts_with(word)) || bare.starts_with("impl");
        let inside = open.is_some_and(|outer| indent == outer + 4);
        let is_part = inside && !bare.starts_with(['/', '#', '}']) && !bare.is_empty();
        if !is_item && !is_part {
            continue;
        }
        let mut whole = bare.to_string();
        // a signature or a list that goes over several lines
        while !whole.ends_with([';', '{', '}', ','])
            || whole.matches(['(', '[']).count() > whole.matches([')', ']']).count()
        {
            let Some(next) = lines.next() else { break };
            whole += if whole.ends_with(['(', '{']) { "" } else { " " };
            whole += next.trim();
        }
        if bare.starts_with("pub use ") {
            while !whole.ends_with(';') {
                let Some(next) = lines.next() else { break };
                whole += " ";
                whole += next.trim();
            }
        }
        let is_body = ["pub enum ", "pub trait "].iter().any(|word| bare.starts_with(word))
            || (bare.starts_with("pub struct ") && whole.ends_with('{'));
        if is_body && !whole.ends_with('}') {
            open = Some(indent);
        }
        let is_private = inside && text_is_struct(&found) && !bare.starts_with("pub ");
        if !is_private {
            let text = whole.trim_end_matches(['{', ' ', ',']).to_string();
            found.push(format!("{}{text}", if inside || indent > 0 { "    " } else { "" }));
        }
    }
    // an `impl` without public items says nothing
    let mut kept = Vec::new();
    for (n, item) in found.iter().enumerate() {
        let is_inherent = item.starts_with("impl") && !item.contains(" for ");
        let is_empty = found.get(n + 1).is_none_or(|next| !next.starts_with("    "));
        if !(is_inherent && is_empty) {
            kept.push(item.clone());
        }
    }
    kept
}

/// Returns whether the last item at the outer level is a struct.
fn text_is_struct(found: &[String]) -> bool {
    found.iter().rev().find(|item| !item.starts_with("    ")).is_some_and(|item| item.starts_with("pub struct "))
}

#[test]
fn the_api_is_as_pinned() {
    let mut all = String::new();
    for file in FILES {
        let text = fs::read_to_string(file).unwrap();
        all += &format!("# {file}\n{}\n\n", items(&text).join("\n"));
    }
    insta::assert_snapshot!("api", all);
}

#[test]
fn all_types_can_be_sent_to_other_threads() {
    fn sent<T: Send + Sync>() {}
    sent::<grognard::Rules>();
    sent::<grognard::Scenario>();
    sent::<grognard::Table>();
    sent::<grognard::Played>();
    sent::<grognard::Trace>();
    sent::<grognard::Game>();
    sent::<grognard::Odds>();
    sent::<grognard::Sample>();
    sent::<grognard::Comparison>();
    sent::<grognard::Readings>();
    sent::<grognard::Report>();
    sent::<grognard::Sweep>();
    sent::<grognard::Error>();
    sent::<grognard::Texts>();
    sent::<grognard::Folder>();
    sent::<grognard::KeyedRng>();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// The fuzz target `api` makes the same calls with more bytes.
    #[test]
    fn any_order_of_calls_ends_in_answers_or_errors(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        super::common::calls::call(&bytes);
    }
}

#[test]
fn a_count_without_a_distribution_has_no_exact_chance() {
    let rules = "ruleset game/core\nkind Unit { state men : 0..6 = 6 }\n\
         phase Turn(u: Unit) {\n roll die = d6\n if die == 6 { set u.men = 0 }\n}\n";
    let table = grognard::Rules::from_text(rules).unwrap().table().thing("Unit", "red");
    let game = table.start("Turn(red)").until("red.men == 0").build().unwrap();
    let odds = game.odds().of("rounds").compute().unwrap();
    assert_eq!(odds.first().mean().unwrap().to_string(), "6");
    let never = odds.first().chance_that(|value| value.as_int() < Some(1));
    assert!(!odds.first().outcomes().is_empty() || never.exact().is_none(), "{never}");
}

#[test]
fn odds_of_a_call_that_always_fails_are_an_error() {
    let rules = "ruleset game/core\nproc broken(n: Int) -> Int { return 6 / (n - n) rounded down }\n";
    let error = grognard::Rules::from_text(rules).unwrap().call("broken(2)").compute().unwrap_err();
    assert_eq!(error.kind(), grognard::ErrorKind::Run, "{error}");
}

/// Rules with two tests, for questions that do not fit one of them.
const TWO_TESTS: &str = "ruleset game/core

kind Unit { stat nerve : 2..6 }

test Morale(u: Unit) {
  roll dice = d6
  pass when dice >= u.nerve
}

test Rally(u: Unit) {
  roll dice = d6
  roll again = d6
  pass when dice >= u.nerve or again >= u.nerve
}
";

#[test]
fn a_roll_has_one_name_everywhere() {
    let rules = Rules::from_text(TWO_TESTS).unwrap();
    let chance = |faces: &str| {
        let odds = rules.call("Rally(u)").with("u.nerve = 6").rolling(faces).compute().unwrap();
        odds.first().chance().to_string()
    };
    assert_eq!((chance("Rally.dice = 1"), chance("dice = 1")), ("1/6".to_string(), "1/6".to_string()));
    assert_eq!((chance("Rally.again = 6"), chance("Rally.dice = 6")), ("1".to_string(), "1".to_string()));
    let table = rules.table().thing("Unit", "u").set("nerve", 6_usize).step("test Rally(u)");
    let mut names = Vec::new();
    let mut dice = |roll: &Roll| {
        names.push(roll.name.clone());
        vec![6; roll.count()]
    };
    table.build().unwrap().run().dice(&mut dice).play().unwrap();
    assert_eq!(names, ["Rally.dice", "Rally.again"]);
    let held = table.build().unwrap().start().unwrap().hold_rolls(true).unwrap();
    assert!(matches!(held.pending(), Pending::Roll(roll) if roll.name == "Rally.dice"), "{:?}", held.pending());
}

#[test]
fn what_a_call_does_not_use_is_reported() {
    let rules = Rules::from_text(TWO_TESTS).unwrap();
    let asked = |text: &str, with: &str, faces: &str| {
        let call = rules.call(text).with(with);
        if faces.is_empty() { call.compute() } else { call.rolling(faces).compute() }
    };
    let error = |text: &str, with: &str, faces: &str| format!("{:#}", asked(text, with, faces).unwrap_err());
    insta::assert_snapshot!([
        error("Moral(u)", "u.nerve = 3", ""),
        error("Morale(u)", "u.nerve = 3", "again = 3"),
        error("Morale(u)", "u.nerve = 3", "Morale.again = 3"),
        error("Morale(u)", "u.nerv = 3", ""),
        error("d6", "u.nerve = 3", "Morale.dice = 3"),
    ].join("\n"), @r#"
    expression:1:1: error[R0202]: no record, test, phase or event is named `Moral`; did you mean `Morale`?
      help: write one that the rules declare; it begins with a capital
    rolling:1:1: error[R0701]: `Morale` never rolls `again`
      help: `rolling` fixes the faces of rolls by their names in the rules: `rolling("aim = [5, 1]")`
    rolling:1:1: error[R0701]: these rules have no roll `Morale.again`; did you mean `Rally.again`?
      help: `rolling` fixes the faces of rolls by their names in the rules: `rolling("aim = [5, 1]")`
    with:1:3: error[R0701]: Unit has no `nerv`; did you mean `nerve`?
      help: `with` sets fields of things in the call: `with("u.ld = 2, u has Brave")`
    rolling:1:1: error[R0701]: the expression never rolls `Morale.dice`
      help: `rolling` fixes the faces of rolls by their names in the rules: `rolling("aim = [5, 1]")`
    "#);
    let found = asked("Morale(u)", "u.nerve = 3, x.nerve = 2", "").unwrap();
    assert_eq!(found.problems()[0].to_string(), "info: `x` is not in the call: it is a further Unit on the table");
}

#[test]
fn an_error_prints_its_first_line_or_all_of_it() {
    let error = Rules::from_text("ruleset game/core\n\nparam a = b\nparam c = e\n").unwrap_err();
    assert!(error.diagnostics().len() > 1);
    assert_eq!(error.to_string().lines().count(), 1);
    assert!(error.to_string().ends_with(&format!("(and {} more)", error.diagnostics().len() - 1)));
    assert!(format!("{error:#}").lines().filter(|line| line.starts_with("  help: ")).count() > 1);
}

#[test]
fn measures_are_found_with_other_spaces() {
    let rules = Rules::from_text(TWO_TESTS).unwrap();
    let table = rules.table().thing("Unit", "u").set("nerve", 3).step("test Morale(u)").build().unwrap();
    let odds = table.odds().of("u.nerve==3").compute().unwrap();
    assert!(odds.get("u.nerve == 3").is_some());
}

#[test]
fn a_watch_ends_work_and_changes_nothing_else() {
    use grognard::{Folder, Scenario};
    use std::ops::ControlFlow::{Break, Continue};
    let scenario = Scenario::load(Folder::new("docs").unwrap(), "first/volley.toml").unwrap();
    let plain = format!("{:?}", scenario.sample(5_000).seed(1).compute().unwrap().estimates());
    let watched = scenario.sample(5_000).seed(1).threads(2).watch(|_| Continue(())).compute().unwrap();
    assert_eq!((format!("{:?}", watched.estimates()), watched.is_stopped()), (plain, false));
    let stopped = scenario.sample(100_000_000).watch(|now| if now.runs < 2_000 { Continue(()) } else { Break(()) });
    let stopped = stopped.compute().unwrap();
    assert!(stopped.is_stopped() && (2_000..100_000_000).contains(&stopped.runs()));
    let rules = "ruleset game/walk\nkind Unit { state at_ : 0..999999 }\nproc walk(u: Unit) {\n each i in 1 .. 60 {\n \
         roll x = d20\n set u.at_ = remainder(u.at_ * 21 + x, 999983)\n }\n}\n";
    let table = grognard::Rules::from_text(rules).unwrap().table().thing("Unit", "u").set("at_", 1);
    let walk = table.call("walk", ["u"]).chance("u.at_ > 500000").build().unwrap();
    let odds = walk.odds().watch(|_| Break(())).compute().unwrap();
    let chance = odds.first().chance();
    assert!(odds.is_stopped() && !odds.is_exact() && chance.bounds().0 < chance.bounds().1);
}

#[test]
fn what_a_run_would_not_use_is_refused() {
    let rules = Rules::from_text(
        "ruleset game/core\nkind Side { }\nkind Unit {\n owner side\n link side : Side\n state hits : 0..9 = 0\n }\n\
         phase Turn(unit: Unit) { choose action }\naction Wait in Turn { set unit.hits = 1 }\naction Hide in Turn { }\n",
    );
    let rules = rules.unwrap();
    let table = rules.table().thing("Side", "red").thing("Unit", "u").set("side", "red").step("run Turn(u)");
    let scenario = table.build().unwrap();
    let (mut one, mut two) = (|_: &Decision| Choice::Entry(0), |_: &Decision| Choice::Entry(1));
    let quiet = table.clone().decide("action", "Hide").build().unwrap();
    assert_eq!(quiet.warnings()[0].message(), "no player uses these decisions");
    let heard = table.clone().player("red", "script").decide("action", "Hide").build().unwrap();
    assert!(heard.warnings().is_empty());
    let error = rules.call("Turn(u)").of("u.hits").set("missing", 3).compute().unwrap_err();
    assert!(format!("{error:#}").contains("`set(\"hit_on\", 3)`"), "{error:#}");
    let error = scenario.run().decider("u", &mut one).play().unwrap_err();
    assert_eq!(error.to_string(), "error: `u` is not a player: its `side` decides for it");
    let error = scenario.run().decider("red", &mut one).decider("red", &mut two).play().unwrap_err();
    assert_eq!(error.to_string(), "error: `red` has two deciders");
    let error = table.call("Wait", ["u"]).build().unwrap_err();
    assert_eq!(error.to_string(), "error: `Wait` is an action, which players choose from the menu of its phase");
    let odds = rules.call("d6").given("d6 > 0").compute();
    assert!(odds.is_ok());
    let odds = rules.call("x = d6; x").given("x > 2").given("x < 6").compute().unwrap();
    assert_eq!(odds.first().outcomes().len(), 3);
}
