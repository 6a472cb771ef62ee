//! Play: what is done by hand agrees with `run`, going back goes back, odds from a position are those that the law of total
//! probability asks for, and what is saved plays again as it was played.

use crate::common::{Shelf, err, folder, grognard, out, root, said};
use grognard_base::Sources;
use grognard_base::value::Fraction;
use grognard_odds::Budget;
use grognard_play::record::{About, Event, Recorder, What};
use grognard_play::session::{Entry, Pause, Session, Start, playable};
use grognard_play::{Options, record};
use grognard_program::Detail;
use grognard_rules as rules;
use grognard_scenario::{self as scenario, Scenario};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const RULES: &str = r#"ruleset game version "1"
kind Side { link units : list of Unit }
kind Unit on board {
  owner side
  link  side  : Side
  stat  nerve : 0..6 = 3
  state hits  : 0..9 = 0
}
status Shaken on Unit
tally shots "Shots fired"
test Stand(u: Unit) "It holds its nerve" {
  roll dice = 2 of d6
  pass when any dice <= u.nerve - u.hits
}
event Hit(u: Unit)
rule Shock "A hit shakes who cannot stand" on Hit as h {
  set h.u.hits += 1
  let t = test Stand(h.u)
  if not t.passed { grant Shaken to h.u }
}
phase Turn(side: Side) { repeat choose action or stop }
action Shoot "Fire" in Turn by unit {
  choose unit   in side.units
  choose target in Unit where target.side != side
  needs unit has no Shaken else "it is shaken"
  limit 1 per Turn for unit
  set shots += 1
  emit Hit(target)
  may follow by unit when target has Shaken prefer when no { move unit { at most 4"; toward target } }
}
action Rally "Take heart" in Turn by unit {
  choose unit in side.units
  needs unit has Shaken else "it is steady"
  roll heart by unit = d6
  if heart >= 4 { revoke Shaken from unit }
}
policy Eager "Shoots first" { action = Shoot, Rally, stop }
"#;

const SCENE: &str = r#"rules = "game"
name  = "A few shots"
seed  = 7
[board]
size = [24, 12]
[players]
red  = "policy:Eager"
blue = "policy:Eager"
[Side]
red  = {}
blue = {}
[Unit]
a = { side = "red",  at = [4, 6] }
b = { side = "blue", at = [16, 6], nerve = 2 }
c = { side = "blue", at = [18, 3] }
[[step]]
do = "run Turn(red)"
[[step]]
do = "run Turn(blue)"
expect = ["shots <= 3"]
[report]
chance = ["a has Shaken"]
mean   = ["shots"]
[[expect]]
that = "a.hits < 3"
"#;

/// A scenario in memory.
fn bound(rules_text: &str, scene: &str) -> (Scenario, Sources) {
    let files = Shelf::of(&[("game.rules", rules_text), ("scene.toml", scene)]);
    let mut sources = Sources::default();
    let rendered = |problems: &[_], sources: &Sources| grognard_base::render_lines(problems, sources);
    let document = scenario::read("scene.toml", scene.to_string(), &files, &mut sources)
        .unwrap_or_else(|p| panic!("{}", rendered(&p, &sources)));
    let loaded = rules::load("game", &files, &mut sources);
    let Some(rules) = loaded.ruleset else { panic!("{}", rendered(&loaded.problems, &sources)) };
    let scenario = scenario::build(&document, rules, &[], &sources, Detail::Traced)
        .unwrap_or_else(|p| panic!("{}", rendered(&p, &sources)));
    (playable(scenario), sources)
}

fn begun<'a>(scenario: &'a Scenario, sources: &'a Sources) -> Session<'a> {
    Session::new(scenario, sources, Start { seed: scenario.plan.seed, ..Start::default() })
}

/// What happened, without what the run is called.
fn happened(events: &[Event]) -> Vec<&What> {
    events.iter().map(|event| &event.what).filter(|what| !matches!(what, What::Header { .. })).collect()
}

/// What came of commands that are typed.
fn typed(folder: &Path, args: &[&str], lines: &str) -> (i32, String) {
    let mut child =
        grognard(folder, args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    let done = child.wait_with_output().unwrap();
    (done.status.code().unwrap(), out(&done) + &err(&done))
}

fn shelf(name: &str) -> std::path::PathBuf {
    folder(name, &[("game.rules", RULES), ("scenes/scene.toml", SCENE)])
}

#[test]
fn a_session_in_plain_lines() {
    let lines = "odds\nhand on\nchoose Shoot(unit: a, target: b)\nchoose 2\nroll 9 1\nroll 6\nroll 5 6\nchose 1\n\
                 why b has Shaken\nwhy not Rally\nstate\nshow b\nmap\nback 2\n";
    let (code, text) = typed(&shelf("plain"), &["play", "scenes/scene.toml"], lines);
    assert_eq!(code, 0, "{text}");
    insta::assert_snapshot!(text);
}

/// Names of what is chosen may be left out, as in `why not` and in scripts; where several fit, a number is asked for.
#[test]
fn an_entry_is_chosen_without_the_names_in_it() {
    let (_, text) = typed(&shelf("bare"), &["play", "scenes/scene.toml"], "choose Shoot\nchoose Shoot(a, c)\n");
    assert!(text.contains("several entries begin with `Shoot`, from 1 to 2; write a number"), "{text}");
    assert!(text.contains("-> Shoot(unit: a, target: c)"), "{text}");
}

#[test]
fn what_is_left_to_the_players_is_told_as_run_tells_it() {
    for (rules_text, scene) in [(RULES, SCENE.to_string()), (RULES, SCENE.replace("policy:Eager", "random"))] {
        for seed in [1, 7, 30] {
            let scene = scene.replace("seed  = 7", &format!("seed = {seed}"));
            let (scenario, sources) = bound(rules_text, &scene);
            let recorder = Recorder::new(&scenario.game, &About::default(), Some(&sources));
            let (_, run) = record(&scenario, Options::default(), recorder);
            let mut session = begun(&scenario, &sources);
            session.auto(u64::MAX).unwrap();
            assert_eq!(happened(session.events()), happened(&run));
            // one event, one decision after the other it is the same
            let mut slow = begun(&scenario, &sources);
            while slow.outcome().is_none() {
                if slow.step().is_err() {
                    slow.auto(1).unwrap();
                }
            }
            assert_eq!(happened(slow.events()), happened(&run));
        }
    }
}

#[test]
fn shipped_scenarios_played_by_nobody_are_told_as_run_tells_them() {
    for name in ["firefight", "declare-then-check", "squad-falls-back", "hold-the-farm", "defensive-fire"] {
        let scene = format!("rulesets/warstrike/scenarios/{name}.toml");
        let (code, played) = said(root(), &["play", &scene, "--do", "auto all", "--do", "trace full"]);
        assert_eq!(code, 0, "{played}");
        // a sampled one is played as one of its runs
        let (_, mut run) = said(root(), &["run", &scene, "--trace", "full"]);
        if run.starts_with("sampled") {
            run = said(root(), &["run", &scene, "--trace", "full", "--run", "0"]).1;
        }
        let (_, played) = played.split_once("> trace full\n").unwrap();
        let body = |text: &str| text.split_once("\n\n").unwrap().1.to_string();
        assert!(body(&run).starts_with(body(played).trim_end()), "{name}\n{played}\n{run}");
    }
}

#[test]
fn going_back_goes_back() {
    let (scenario, sources) = bound(RULES, SCENE);
    let mut session = begun(&scenario, &sources);
    session.go_on().unwrap();
    let mut before = Vec::new();
    for n in 0..6 {
        before.push((session.events().to_vec(), session.state(), session.answers()));
        match n % 3 {
            0 if session.decision().is_some() => session.choose_line("1").unwrap(),
            1 => session.auto(1).unwrap(),
            _ => drop(session.step().or_else(|_| session.auto(1))),
        }
    }
    let then = session.events().to_vec();
    for (events, state, answers) in before.into_iter().rev() {
        assert_eq!(session.back(1), Ok(1));
        assert!(session.events() == events && session.state() == state && session.answers() == answers);
    }
    // the same again is the same again
    for n in 0..6 {
        match n % 3 {
            0 if session.decision().is_some() => session.choose_line("1").unwrap(),
            1 => session.auto(1).unwrap(),
            _ => drop(session.step().or_else(|_| session.auto(1))),
        }
    }
    assert_eq!(session.events(), then);
}

/// The exact answers from where a session stands, the menu's entries one by one.
fn odds(session: &Session<'_>) -> Vec<Vec<Fraction>> {
    let all = |entry: &Entry| {
        let found = session.odds(entry, Budget::default(), &mut |_| false).unwrap();
        found.answers.into_iter().map(|answer| answer.unwrap().mean.expect("an exact answer")).collect()
    };
    session.entries().0.iter().map(all).collect()
}

#[test]
fn odds_from_here_are_those_of_the_law_of_total_probability() {
    let (scenario, sources) = bound(RULES, SCENE);
    let mut session = begun(&scenario, &sources);
    session.by_hand = true;
    session.go_on().unwrap();
    let mut rolls = 0;
    while session.outcome().is_none() && rolls < 3 {
        if session.decision().is_some() {
            // what the players would do by themselves is one of the entries, and the odds of the scenario are its odds
            let entries = odds(&session);
            session.auto(1).unwrap();
            if let Some(Pause::Roll(_)) = session.pause() {
                assert!(entries.contains(&odds(&session)[0]));
            }
            continue;
        }
        let Some(Pause::Roll(roll)) = session.pause() else { break };
        rolls += 1;
        let dice: usize = roll.dice.iter().map(|(n, _)| n).sum();
        let here = odds(&session)[0].clone();
        let mut sums = vec![Fraction::zero(); here.len()];
        let falls = 6i64.pow(dice as u32);
        for fall in 0..falls {
            let faces: Vec<String> = (0..dice).map(|n| (fall / 6i64.pow(n as u32) % 6 + 1).to_string()).collect();
            session.roll(&faces).unwrap();
            // behind the roll the run waits for a decision or another roll, or it is over
            let then = match session.outcome() {
                Some(_) => {
                    let figures = session.outcome().unwrap().figures.iter();
                    figures.map(|cells| Fraction::whole(cells.as_ref().unwrap()[0])).collect()
                }
                None => {
                    // an answer nobody gave is that of the policy
                    let all = odds(&session);
                    match session.decision() {
                        None => all[0].clone(),
                        Some(_) => {
                            let rendered = session.events().len();
                            session.auto(1).unwrap();
                            let answer = session.events()[rendered..].iter().find_map(|event| match &event.what {
                                What::Decision { source, answer, .. } if !source.is_empty() => Some(answer.to_string()),
                                _ => None,
                            });
                            session.back(1).unwrap();
                            let entries = &session.decision().unwrap().question.entries;
                            let at = entries.iter().position(|entry| Some(entry) == answer.as_ref());
                            all[at.unwrap()].clone()
                        }
                    }
                }
            };
            sums.iter_mut().zip(&then).for_each(|(sum, value)| *sum += value);
            session.back(1).unwrap();
        }
        let means: Vec<Fraction> = sums.iter().map(|sum| sum / &Fraction::whole(falls)).collect();
        assert_eq!(means, here, "at roll {rolls}");
        session.auto(1).unwrap();
    }
    assert_eq!(rolls, 3);
}

#[test]
fn odds_of_what_was_counted_begin_with_what_was_counted() {
    // what is counted on the way, and what belongs to the position, are found in two ways
    let scene = SCENE.replace("mean   = [\"shots\"]", "mean = [\"shots\", \"shots + 0\"]");
    let (scenario, sources) = bound(RULES, &scene);
    let mut session = begun(&scenario, &sources);
    session.go_on().unwrap();
    session.choose_line("1").unwrap();
    while session.decision().is_some_and(|decision| decision.question.player == "red") {
        session.auto(1).unwrap();
    }
    for entry in odds(&session) {
        assert_eq!(entry[1], entry[2]);
        assert!(entry[1] >= Fraction::one(), "one shot is fired already");
    }
    assert_eq!(session.entries().0.last().map(|entry| entry.words.as_str()), Some("stop"));
    assert_eq!(odds(&session).last().unwrap()[1], Fraction::one());
}

#[test]
fn a_command_that_is_refused_is_not_fine() {
    let place = shelf("refused");
    let code = |command: &str| said(&place, &["play", "scenes/scene.toml", "--do", command, "--do", "quit"]).0;
    for (command, ends) in [("menu", 0), ("nonsense", 1), ("save no/such/folder/x.toml", 1), ("choose 999", 1)] {
        assert_eq!(code(command), ends, "{command}");
    }
}

#[test]
fn what_is_saved_is_played_again() {
    let place = shelf("saved");
    for (n, commands) in [
        &["choose 2", "roll 6 6", "choose yes", "choose 8 6", "auto all"][..],
        &["hand on", "choose 1", "roll 5 5", "auto 2", "roll 1 4", "auto all"],
        &["choose 1", "auto 2", "choose stop"],
        &["auto all"],
    ]
    .iter()
    .enumerate()
    {
        let file = format!("scenes/saved-{n}.toml");
        let mut args: Vec<&str> = vec!["play", "scenes/scene.toml", "--seed", "11"];
        let save = format!("save {file}");
        for command in commands.iter().copied().chain([save.as_str(), "trace full"]) {
            args.extend(["--do", command]);
        }
        let (_, played) = said(&place, &args);
        assert!(played.contains(&format!("saved as {file}\n")), "{played}");
        assert!(played.contains(&format!("\ngrognard run {file} has the same trace\n")), "{played}");
        let (_, played) = played.split_once("> trace full\n").unwrap();
        let (code, run) = said(&place, &["run", &file, "--trace", "full"]);
        assert_eq!(code, 0, "{run}");
        let body = |text: &str| {
            let lines = text.split_once("\n\n").unwrap().1.lines();
            lines.filter(|line| !line.starts_with("expect")).collect::<Vec<_>>().join("\n")
        };
        assert!(body(&run).starts_with(&body(played)), "{commands:?}\n{played}\n{run}");
        let (code, tested) = said(&place, &["test", &file]);
        assert_eq!(code, 0, "{tested}");
    }
    let text = std::fs::read_to_string(place.join("scenes/saved-0.toml")).unwrap();
    insta::assert_snapshot!(text);
}

/// What came into play goes by its kind and number in what is saved, as the trace tells it: as what is picked, in an action,
/// and as whose dice or decision it is.
#[test]
fn what_came_into_play_is_named_in_what_is_saved() {
    let summon = "action Summon \"Bring one up\" in Turn by unit {
      choose unit in side.units
      limit 1 per Turn for unit
      spawn fresh : Unit { side = unit.side; nerve = 4 }
      choose leader by fresh in side.units prefer least leader.nerve
      set leader.hits += 1
    }
    action Rally";
    let rules = RULES.replace("action Rally", summon);
    // a thing of the scenario has the name that would stand for it
    let scene = SCENE
        .replace("policy:Eager", "first")
        .replace("a = { side", "unit_5 = { side = \"blue\", at = [2, 2] }\na = { side");
    let place = folder("came", &[("game.rules", &rules), ("scenes/scene.toml", &scene)]);
    let commands = [
        "choose Summon(unit: a)",
        "choose Unit#5",
        "choose Shoot(unit: Unit#5, target: b)",
        "roll 6 6",
        "choose yes",
        "choose Summon(unit: Unit#5)",
        "choose a",
        "choose Summon(unit: Unit#6)",
        "choose Unit#6",
        "choose stop",
        "choose stop",
    ];
    let mut args = vec!["play", "scenes/scene.toml"];
    for command in commands.iter().copied().chain(["save scenes/saved.toml", "trace full"]) {
        args.extend(["--do", command]);
    }
    let (_, played) = said(&place, &args);
    assert!(
        played.contains("grognard run scenes/saved.toml has the same trace\n") && !played.contains("note:"),
        "{played}"
    );
    let text = std::fs::read_to_string(place.join("scenes/saved.toml")).unwrap();
    for line in ["pick = \"Shoot(unit: Unit#5, target: b)\"", "of = \"Unit#7\"\nnth = 1\npick = \"Unit#6\""] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert_eq!(said(&place, &["test", "scenes/saved.toml"]).0, 0);
    // there is room for so many, and those that stand there have names of their own
    for (wrong, what) in [("Unit#21", "Unit#21"), ("Unit#4", "Unit#4"), ("Side#9x", "Side#9x"), ("Man#1", "Man#1")] {
        let scene = format!("base = \"scene.toml\"\n[[decide]]\nchoice = \"leader\"\nof = \"{wrong}\"\npick = \"a\"\n");
        std::fs::write(place.join("scenes/wrong.toml"), scene).unwrap();
        let (code, text) = said(&place, &["run", "scenes/wrong.toml"]);
        assert!(code == 1 && text.contains(&format!("there is no `{what}` on the table")), "{text}");
    }
}

#[test]
fn nothing_is_written_over_unasked() {
    let place = shelf("kept");
    let args = ["play", "scenes/scene.toml"];
    let lines = "save scenes/scene.toml\nsave scenes/scene.toml --force\nsave x.txt\nsave no/where.toml\nsave one.toml\n\
                 save one.toml\nsave! one.toml\n";
    let (code, text) = typed(&place, &args, lines);
    let answers: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("play> ")).collect();
    assert_eq!(code, 0);
    assert_eq!(std::fs::read_to_string(place.join("scenes/scene.toml")).unwrap(), SCENE);
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn what_cannot_be_played_is_told() {
    let place = shelf("told");
    let (code, text) = said(&place, &["play", "scenes/none.toml"]);
    assert!(code == 2 && text.contains("file not found: scenes/none.toml"), "{text}");
    let (code, text) = said(&place, &["play", "scenes/scen.toml"]);
    assert!(code == 2 && text.contains("did you mean `scenes/scene.toml`?"), "{text}");
    let (code, text) = said(&place, &["play", "scenes/scene.toml", "--as", "rad"]);
    assert!(code == 2 && text.contains("`rad` is not on the table; did you mean `red`?"), "{text}");
    let (code, text) = said(&place, &["play", "scenes/scene.toml", "--as", "a"]);
    assert!(code == 2 && text.contains("`a` is not a player, because its `side` decides for it"), "{text}");
    let (code, text) = typed(&place, &["play", "scenes/scene.toml"], &"x".repeat(100_000));
    assert!(code == 2 && text.contains("a command has at most 65536 bytes"), "{text}");
    // blue plays by its policy, so that the first menu of red's is the last
    let (code, text) = said(&place, &["play", "scenes/scene.toml", "--as", "red", "--do", "choose stop"]);
    assert!(code == 0 && text.contains("the run is over"), "{text}");
    // the error of a run is told with its place, and one can go back
    let broken = RULES.replace("heart >= 4", "heart >= 1 / (unit.nerve - 3)");
    let place = folder("broken", &[("game.rules", &broken), ("scenes/scene.toml", SCENE)]);
    let lines = "choose Shoot(unit: a, target: c)\nroll 6 6\nchoose no\nchoose Rally(unit: c)\nroll 4\nback 2\n";
    let (code, text) = typed(&place, &["play", "scenes/scene.toml", "--by-hand"], lines);
    assert!(code == 0 && text.contains(" at game.rules:") && text.contains("x R"), "{text}");
    assert_eq!(text.matches("blue decides `action` of blue").count(), 2, "{text}");
}
