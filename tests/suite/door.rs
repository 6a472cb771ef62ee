//! What callers of the library get for wrong arguments, how they read tables and games, and results as JSON.

use grognard::{Answer, Choice, Effort, Error, ErrorKind, Folder, Pending, Rules, Scenario, Value};
use insta::assert_snapshot;

const RULES: &str = "ruleset game/core
param hit_on = 4
kind Side { }
kind Unit {
  link side : Side
  owner side
  stat nerve : 2..6 = 3
  state men : 0..20 = 5
}
test Morale(u: Unit) {
  roll dice = d6
  pass when dice >= u.nerve
}
proc volley(shooters: Unit, target: Unit) {
  roll aim = shooters.men of d6
  set target.men -= count aim >= hit_on
}
proc broken(n: Int) {
  roll die = d6
  roll again = 6 / (die - n) rounded down of d6
}
phase Turn(side: Side) {
  choose gone in Unit where gone.men > 0
  set gone.men = 0
}
";

fn rules() -> Rules {
    Rules::from_text(RULES).unwrap()
}

fn volley() -> Scenario {
    Scenario::load(Folder::new("docs").unwrap(), "first/volley.toml").unwrap()
}

/// Returns what an error says and advises.
fn said<T: std::fmt::Debug>(found: Result<T, Error>) -> String {
    found.map_or_else(|error| format!("{error:#}"), |found| format!("FOUND {found:?}"))
}

#[test]
fn a_number_that_means_nothing_is_refused() {
    let (scenario, rules) = (volley(), rules());
    let dice = |effort| rules.call("d6").effort(effort).compute().map(|_| ());
    let sample = || scenario.sample(10);
    let compare = || scenario.compare(&scenario);
    let refused = [
        said(sample().threads(0).compute()),
        said(compare().threads(0).compute()),
        said(scenario.readings().threads(0).compute()),
        said(scenario.sweep().over("hit_on", [3, 4]).threads(0).compute()),
        said(dice(Effort::States(0))),
        said(dice(Effort::States(usize::MAX))),
        said(scenario.odds().effort(Effort::States(0)).compute()),
        said(compare().effort(Effort::States(0)).compute()),
        said(scenario.readings().effort(Effort::States(0)).compute()),
        said(scenario.sweep().over("hit_on", [3, 4]).effort(Effort::States(0)).compute()),
        said(sample().until_mean(f64::INFINITY).compute()),
        said(sample().until_mean(f64::NAN).compute()),
        said(sample().until_share(1.0).compute()),
        said(sample().level("94").compute()),
        said(scenario.sweep().over("hit_on", [3, 4]).level("94").compute()),
        said(scenario.sweep().over("hit_on", [3, 4]).runs(0).compute()),
        said(scenario.readings().runs(0).compute()),
        said(scenario.sample(0).compute()),
        said(compare().pairs(0).compute()),
        said(compare().within(f64::INFINITY).compute()),
        said(scenario.readings().within(0.0).compute()),
        said(scenario.measuring(Vec::<String>::new())),
    ];
    assert_snapshot!(refused.join("\n"));
}

#[test]
fn dice_that_a_call_never_uses_are_refused() {
    let morale = |faces: &[&str]| {
        let call = rules().call("Morale(u)").with("u.nerve = 4");
        faces.iter().fold(call, |call, faces| call.rolling(faces)).compute()
    };
    assert_eq!(morale(&["dice = 5"]).unwrap().first().chance().to_string(), "1");
    assert_snapshot!(
        [
            said(morale(&["dice = 5", "dice = 2"])),
            said(morale(&["dice = 5, dice = 2"])),
            said(morale(&["dice = 5", "Morale.dice = 2"])),
        ]
        .join("\n")
    );
    // a roll that is rolled twice takes both
    let twice = Rules::from_text(
        "ruleset game/core\nproc two() -> Int {\n roll x = d6\n let first = x\n let second = do more()\n return first + second\n}\nproc more() -> Int {\n roll x = d6\n return x\n}\n",
    );
    let odds = twice.unwrap().call("two()").rolling("x = 5").rolling("x = 2").compute().unwrap();
    assert_eq!(odds.first().mean().unwrap().to_string(), "7");
}

#[test]
fn a_list_is_an_answer_only_if_the_decision_takes_several() {
    let table = rules().table().thing("Side", "red").thing("Unit", "a").set("side", "red").thing("Unit", "c");
    let table = table.set("side", "red").player("red", "script").step("run Turn(red)");
    let run = |table: grognard::Table| table.build().and_then(|scenario| scenario.run().play());
    let men = |played: &grognard::Played| {
        ["a", "c"].map(|name| played.thing(name).unwrap().get("men").and_then(|men| men.as_int()).unwrap())
    };
    // a list has alternatives, of which the first one on the menu counts
    assert_eq!(men(&run(table.clone().decide("gone", vec!["c", "a"])).unwrap()), [5, 0]);
    assert_eq!(men(&run(table.clone().set("men", 0).decide("gone", vec!["c", "a"])).unwrap()), [0, 0]);
    assert_snapshot!(said(run(table.decide("gone", "[a, c]"))), @r"
    table:19:9: error[R0301]: `gone` takes one entry, and this is a list
      help: write one entry, without `[` and `]`
    ");
    let several = RULES.replace("choose gone in Unit", "choose 0 .. 2 of gone in Unit");
    let several = several.replace("set gone.men = 0", "each one in gone { set one.men = 0 }");
    let table = Rules::from_text(&several).unwrap().table().thing("Side", "red").thing("Unit", "a").set("side", "red");
    let table = table.thing("Unit", "c").set("side", "red").player("red", "script").step("run Turn(red)");
    assert_eq!(men(&run(table.clone().decide("gone", vec!["a", "c"])).unwrap()), [0, 0]);
    assert_eq!(men(&run(table.decide("gone", "[c]")).unwrap()), [5, 0]);
}

/// Returns a scenario whose first roll ends in an error if the die shows 3.
fn risky() -> Scenario {
    rules().table().step("do broken(3)").build().unwrap()
}

#[test]
fn a_held_game_starts_before_the_dice_of_the_seed() {
    let scenario = risky();
    let faulty = (0..100).find(|seed| scenario.run().seed(*seed).play().is_err()).unwrap();
    let scenario = rules().table().seed(faulty as u32).step("do broken(3)").build().unwrap();
    assert_eq!(scenario.start().unwrap_err().kind(), ErrorKind::Run);
    let mut game = scenario.start_held().unwrap();
    assert!(matches!(game.pending(), Pending::Roll(roll) if roll.name == "broken.die"), "{:?}", game.pending());
    // a restart keeps waiting
    assert!(matches!(game.seed(faulty).unwrap().pending(), Pending::Roll(_)));
    assert!(game.roll(&[3]).is_err() && game.answers() == 0);
    game.roll(&[5]).unwrap();
    assert!(matches!(game.pending(), Pending::Roll(roll) if roll.name == "broken.again"), "{:?}", game.pending());
}

#[test]
fn a_held_game_does_not_ask_for_fixed_rolls() {
    let rules = rules();
    let table = rules.table().thing("Unit", "a").set("men", 2).thing("Unit", "b").set("men", 2);
    let table = table.call("volley", ["a", "b"]).call("volley", ["b", "a"]).roll("volley.aim", [6, 1]);
    let mut game = table.build().unwrap().start_held().unwrap();
    let Pending::Roll(roll) = game.pending() else { panic!("{:?}", game.pending()) };
    // the first volley is fixed, and leaves one shooter
    assert_eq!(roll.count(), 1);
    assert_eq!(game.value("b.men").unwrap().as_int(), Some(1));
    assert!(matches!(game.roll(&[6]).unwrap(), Pending::Over(_)));
    assert_eq!(game.answered().cloned().collect::<Vec<_>>(), [Answer::Roll(vec![6])]);
    assert!(game.undo().unwrap() && matches!(game.pending(), Pending::Roll(roll) if roll.count() == 1));
}

#[test]
fn a_game_is_saved_as_its_answers() {
    let mut game = turn().start_held().unwrap();
    game.choose(Choice::Entry(1)).unwrap();
    game.roll(&[2]).unwrap();
    game.auto().unwrap();
    let saved = serde_json::to_string(&game.answered().collect::<Vec<_>>()).unwrap();
    assert_eq!(saved, r#"[{"choice":{"entry":1}},{"roll":[2]},"auto"]"#);
    let answers: Vec<Answer> = serde_json::from_str(&saved).unwrap();
    let mut again = turn().start_held().unwrap();
    for answer in answers {
        again.answer(answer).unwrap();
    }
    assert_eq!(again.trace(), game.trace());
    let wrong = again.answer(Answer::Roll(vec![1]));
    assert!(wrong.is_err() && again.answers() == 3);
}

/// Returns a scenario with a decision, a roll and a draw.
fn turn() -> Scenario {
    let rules = "ruleset game/core
kind Side { }
kind Unit on board {
  link side : Side
  owner side
}
phase Turn(side: Side) {
  choose target in Unit where target.side != side
  roll aim = d6
  draw 1 of lost in Unit
}
";
    let table = Rules::from_text(rules).unwrap().table().thing("Side", "red").thing("Side", "blue");
    let table = table.thing("Unit", "a").set("side", "blue").at(1000, 2500).thing("Unit", "b").set("side", "blue");
    table.step("run Turn(red)").build().unwrap()
}

#[test]
fn a_thing_has_a_position() {
    let game = turn().start().unwrap();
    let at = |name: &str, field: &str| game.thing(name).unwrap().get(field);
    assert_eq!(at("a", "at"), Some(Value::Point(1000, 2500)));
    assert_eq!(at("a", "facing"), Some(Value::Angle(0)));
    assert_eq!(at("b", "at"), Some(Value::None));
    assert_eq!((at("red", "at"), at("a", "nothing")), (None, None));
}

#[test]
fn a_table_is_read_and_cut() {
    let table = rules().table().thing("Unit", "a").set("men", 2).thing("Unit", "b").call("volley", ["a", "b"]);
    let table = table.step("test Morale(a)").mean("b.men").param("hit_on", 5);
    assert_eq!(table.keys(""), ["rules", "Unit", "step", "report", "params"]);
    assert_eq!((table.keys("Unit"), table.keys("step")), (vec!["a".into(), "b".into()], vec!["0".into(), "1".into()]));
    assert_eq!(table.get("step.1.do").as_deref(), Some("\"test Morale(a)\""));
    assert_eq!((table.get("step.2"), table.get("Unit.c.men"), table.get("")), (None, None, None));
    assert!(table.keys("Unit.a.men").is_empty());
    let cut = table.clone().remove("step.0").remove("Unit.b").remove("report.mean.0").remove("params.hit_on");
    assert_eq!((cut.keys("step").len(), cut.keys("Unit"), cut.keys("report.mean").len()), (1, vec!["a".into()], 0));
    assert!(cut.build().is_ok());
    for path in ["step.7", "Unit.zz", "rules", "", "Unit.a.men.b", "step.0.do.x"] {
        let error = table.clone().remove(path).build().unwrap_err();
        assert_eq!(error.to_string(), format!("error: the table has no `{path}` to remove"));
    }
    let gone = table.thing("Unit", "b").remove("Unit.b").set("men", 3).build().unwrap_err();
    assert_eq!(gone.to_string(), "error: `b` is not on the table");
}

#[test]
fn a_scenario_has_its_rules_and_params() {
    let scenario = rules().table().param("hit_on", 5).step("do broken(3)").build().unwrap();
    let hit_on = |scenario: &Scenario| scenario.param("hit_on").and_then(|value| value.as_int());
    assert_eq!((hit_on(&scenario), hit_on(&scenario.with("hit_on", 6).unwrap())), (Some(5), Some(6)));
    assert_eq!(scenario.param("hit"), None);
    assert_eq!(scenario.ruleset().unwrap().items().count(), rules().items().count());
    assert_eq!(volley().ruleset().unwrap().path(), "first/volley");
}

/// Returns the error of rules that declare a name twice.
fn said_twice() -> Error {
    Rules::from_text("ruleset game/core\nkind A { }\nkind A { }\n").unwrap_err()
}

/// Returns a value as JSON.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

#[test]
fn results_are_plain_json() {
    let game = turn().start_held().unwrap();
    let Pending::Decision(decision) = game.pending() else { panic!("{:?}", game.pending()) };
    assert_snapshot!("json_decision", json(decision));
    let mut game = game.clone();
    let Pending::Roll(roll) = game.choose(Choice::Prefer).unwrap() else { panic!() };
    assert_snapshot!("json_roll", json(roll));
    let Pending::Draw(draw) = game.roll(&[2]).unwrap() else { panic!() };
    assert_snapshot!("json_draw", json(draw));
    for choice in [Choice::Entry(1), Choice::Entries(vec![0, 2]), Choice::Point(3000, 4500), Choice::Prefer] {
        assert_eq!(serde_json::from_str::<Choice>(&json(&choice)).unwrap(), choice);
    }
    let rules = rules();
    assert_snapshot!("json_odds", json(&rules.call("Morale(u)").with("u.nerve = 4").compute().unwrap()));
    let table = rules.table().thing("Unit", "a").step("test Morale(a)").step("do broken(3)").build().unwrap();
    assert_snapshot!("json_sample", json(&table.sample(20).of("a.men").seed(1).compute().unwrap()));
    let scenario = volley();
    let harder = scenario.with("hit_on", 6).unwrap();
    assert_snapshot!("json_comparison", json(&scenario.compare(&harder).compute().unwrap()));
    assert_snapshot!("json_diagnostic", json(&said_twice().diagnostics()[0]));
}

#[test]
fn a_trace_is_read_only_as_it_was_written() {
    let lines = volley().run().untraced().play().map(|_| volley().run().play().unwrap().trace().to_jsonl()).unwrap();
    let trace = grognard::Trace::from_jsonl(&lines).unwrap();
    assert_eq!(grognard::Trace::from_jsonl(&format!("\u{feff}{}", lines.replace('\n', "\r\n"))).unwrap(), trace);
    let mut swapped: Vec<&str> = lines.lines().collect();
    swapped.swap(1, 2);
    // a part of a trace can be read
    let part = lines.lines().filter(|line| line.contains("\"roll\"")).collect::<Vec<_>>().join("\n");
    assert!(grognard::Trace::from_jsonl(&part).is_ok());
    let read = |text: &str| said(grognard::Trace::from_jsonl(text));
    assert_snapshot!(
        [
            read(&lines.replacen("\"v\":2", "\"v\":1", 1)),
            read(&swapped.join("\n")),
            read(&lines.replacen("\"v\":2", "\"v\":2,\"hue\":\"red\"", 1)),
            read("{}"),
            read("roll"),
        ]
        .join("\n")
    );
}

#[test]
fn help_says_what_to_write() {
    let rules = rules();
    let table = rules.table().thing("Side", "red").thing("Side", "blue").thing("Unit", "u").set("side", "red");
    let turn = table.clone().thing("Unit", "v").set("side", "red").step("run Turn(red)").mean("u.men");
    let broken = rules.table().step("do broken(3)").thing("Unit", "u").mean("u.men").build().unwrap();
    let far = |text: &str| text.replace(&"x".repeat(30), "..");
    let long = "x".repeat(10_000);
    let mut outside =
        |asked: &grognard::Decision| if asked.point { Choice::Point(-9_999_000, 0) } else { Choice::Prefer };
    let mut many = |_: &grognard::Roll| vec![1; 9];
    let shot = table.clone().thing("Unit", "v").call("volley", ["u", "v"]).build().unwrap();
    assert_snapshot!(
        [
            said(Rules::load(grognard::Texts::default(), "game/core")),
            said(turn.clone().player("u", "prefer").build()),
            said(turn.clone().player("red", "policy:Bold").build()),
            said(broken.compare(&broken).exact().compute()),
            said(turn.clone().player("red", "best").build().unwrap().run().play()),
            said(rules.call("Morale(c)").with("c.nerve = ").compute()),
            said(rules.call("Morale(c)").with("c.nerve = 4").rolling("dice").compute()),
            said(rules.call("Morale(c)").with("c.nerve = 4").rolling("Moral.dice = 3").compute()),
            said(rules.call("Morale(c)").with("c.nerve = 4").rolling("target = 3").compute()),
            said(rules.call("Morale(c)").with("c.grit").compute()),
            said(shot.run().dice(&mut many).play()),
            said(
                Scenario::shipped("recoil/scenarios/skirmish-to-the-end.toml")
                    .unwrap()
                    .run()
                    .decider("*", &mut outside)
                    .play()
            ),
            far(&said(Rules::load(grognard::Texts::default(), &long))),
            far(&said(Scenario::load(grognard::Texts::default(), &long))),
            far(&said(rules.table().call(&long, ["u"]).build())),
            far(&said(Folder::new(&long))),
        ]
        .join("\n")
    );
    // the text of an error has its code
    assert!(miette::Diagnostic::code(&said_twice()).is_none() && said_twice().to_string().contains("[R0205]"));
}

#[test]
fn a_bounded_call_has_bounds_of_its_mean() {
    // no two rolls have the same result, so there are many states
    let body = "roll a = d20\n roll b = d20\n roll c = d20\n return remainder(a * 401 + b * 21 + c * n, 97)";
    let rules = Rules::from_text(&format!("ruleset game/walk\nproc walk(n: Int) -> 0..96 {{\n {body}\n}}\n")).unwrap();
    for text in ["walk(3)", "total(highest(3, 10 of d6))", "2d20 >= 30"] {
        let odds = rules.call(text).effort(Effort::States(3)).compute().unwrap();
        let (low, high) = odds.first().mean().unwrap().bounds();
        assert!(!odds.is_exact() && low < high, "{text}: {low} to {high}");
        let exact = rules.call(text).compute().unwrap();
        let mean = exact.first().mean().unwrap().exact().unwrap();
        assert!(low <= mean && mean <= high, "{text}: {low} to {high}: {mean}");
    }
}

#[test]
fn a_comparison_says_that_it_was_stopped() {
    let scenario = volley();
    let harder = scenario.with("hit_on", 6).unwrap();
    let enough = |progress: &grognard::Progress<'_>| match progress.runs {
        0..500 => std::ops::ControlFlow::Continue(()),
        _ => std::ops::ControlFlow::Break(()),
    };
    let compare = || scenario.compare(&harder).sampled().within(0.000_01).pairs(1_000_000);
    let stopped = compare().watch(enough).compute().unwrap();
    assert!(stopped.is_stopped() && stopped.pairs() < 1_000_000);
    assert!(!scenario.compare(&harder).compute().unwrap().is_stopped());
}
