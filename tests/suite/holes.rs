//! Holes in rules: each sort is found in a small game that has it, what shows it can be run again, and the analysis of bands
//! agrees with an evaluation of every number.

use crate::common::{folder, out, output, said};
use serde_json::Value;
use std::path::Path;

/// The bands of the Falling Back chapter as printed: above 50%, below 50% down to 25%, below 25%.
const PRINTED: &str = r#"ruleset game/printed version "1"
enum Duty { OwnChoice, MustMove, Wiped }
kind Side { link units : list of Unit }
kind Unit group of models {
  owner side
  link side : Side
  link models : list of Model
  stat start : 1..40 = 1 "Models at the start"
  state markers : 0..6 = 0 "Markers"
  let strength = size(models) / start
}
kind Model on board { link unit : Unit }
event Check(unit: Unit)
"#;

/// The same bands in every form that the language takes, and the item that is named.
const FORMS: [(&str, &str); 7] = [
    (
        "proc fall_back(u: Unit) {
           if u.strength > 50% { may stay by u.side { set u.markers -= 1 } }
           else if u.strength < 50% and u.strength >= 25% { set u.markers -= 1 }
           else if u.strength < 25% { destroy u \"wiped out\" }
         }",
        "proc fall_back",
    ),
    (
        "proc fall_back(u: Unit) {
           if u.strength > 50% { may stay by u.side { set u.markers -= 1 } }
           if u.strength < 50% and u.strength >= 25% { set u.markers -= 1 }
           if u.strength < 25% { destroy u \"wiped out\" }
         }",
        "proc fall_back",
    ),
    (
        "rule Choice on Check as c when c.unit.strength > 50% { set c.unit.markers += 0 }
         rule Must on Check as c when c.unit.strength < 50% and c.unit.strength >= 25% { set c.unit.markers -= 1 }
         rule Gone on Check as c when c.unit.strength < 25% { destroy c.unit \"wiped out\" }",
        "rule Choice",
    ),
    (
        "let duty(strength: Ratio): Duty = match first strength {
           over 50%         => OwnChoice
           25% to under 50% => MustMove
           else             => Wiped
         }",
        "let duty",
    ),
    (
        "let duty(u: Unit): Duty =
           if u.strength > 50% then OwnChoice
           else if u.strength < 50% and u.strength >= 25% then MustMove
           else Wiped",
        "let duty",
    ),
    (
        "proc fall_back(u: Unit) {
           match u.strength {
             over 50% when u.markers > 0 => set u.markers -= 1
             25% to under 50%            => set u.markers -= 2
             else                        => { }
           }
         }",
        "proc fall_back",
    ),
    (
        "proc fall_back(u: Unit) {
           choose way {
             stay when u.strength > 50% => set u.markers -= 1
             run  when u.strength < 50% => set u.markers -= 2
           }
         }",
        "proc fall_back",
    ),
];

const GAME: &str = r#"ruleset game/small version "1"
kind Side { link units : list of Unit }
kind Unit {
  owner side
  link side : Side
  stat nv : 0..6 = 3 "Nerve"
  state markers : 0..12 = 0 "Markers"
  state acted : Flag = no
  state ammo : 0..3 = 2 "Ammunition"
}
event Hit(target: Unit, hits: Int)
rule Rattled "A marker per four hits" on Hit as h { set h.target.markers += h.hits / 4 rounded down }
rule Panic "Never here" on Hit as h when h.hits > 99 { set h.target.acted = yes }
phase Turn(side: Side) { repeat choose action or stop }
action Pot "A worse shot" in Turn by unit {
  choose unit in side.units where not unit.acted
  set unit.acted = yes until end of Turn
  roll aim = 1 of d6
  each e in Unit where e.side != side { emit Hit(e, 2 * count aim >= 4) }
}
action Shoot "Fire" in Turn by unit {
  choose unit in side.units where not unit.acted
  set unit.acted = yes until end of Turn
  set unit.ammo -= 1
  roll aim = 2 of d6
  each e in Unit where e.side != side { emit Hit(e, 2 * count aim >= 4) }
}
action Storm "Never" in Turn by unit {
  choose unit in side.units where not unit.acted
  needs unit.markers > 20 - unit.nv else "not shaken"
  set unit.acted = yes
}
"#;

const DUEL: &str = r#"rules = "game/small"
start = "Turn(red)"
[players]
red = "prefer"
blue = "prefer"
[Side.red]
[Side.blue]
[Unit.lions]
side = "red"
[Unit.wolves]
side = "blue"
[report]
mean = ["wolves.markers"]
good = { more = ["wolves.markers"] }
"#;

const AGAIN: &str = "base = \"duel.toml\"\nrepeat = 2\n";

/// The holes of what is in a folder, and the exit code.
fn holes(folder: &Path, args: &[&str]) -> (Option<i32>, Vec<Value>) {
    let output = output(folder, &[&["holes", "--format", "json"], args].concat());
    let text = out(&output);
    let found: Value =
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text} {}", crate::common::err(&output)));
    (output.status.code(), found["holes"].as_array().unwrap().clone())
}

fn text<'v>(hole: &'v Value, key: &str) -> &'v str {
    hole[key].as_str().unwrap()
}

/// Files of the small game with more rules.
fn game(name: &str, more: &str) -> std::path::PathBuf {
    let rules = format!("{GAME}{more}\n");
    let files = [("rules/game/small.rules", rules.as_str()), ("rules/game/scenarios/duel.toml", DUEL)];
    folder(name, &[&files[..], &[("rules/game/scenarios/again.toml", AGAIN)]].concat())
}

#[test]
fn the_bands_as_printed_leave_out_exactly_half_in_every_form() {
    for (n, (form, item)) in FORMS.iter().enumerate() {
        let rules = format!("{PRINTED}{form}\n");
        let here = folder(&format!("printed-{n}"), &[("game/printed.rules", &rules)]);
        let (code, found) = holes(&here, &["--only", "gap", "--only", "overlap", "--only", "never"]);
        assert_eq!((code, found.len()), (Some(1), 1), "{form}: {found:#?}");
        let hole = &found[0];
        assert_eq!((text(hole, "sort"), text(hole, "item")), ("gap", *item));
        assert!(text(hole, "says").contains("exactly 50%"), "{hole:#}");
        // the smallest unit at half strength, and the example holds where it is put
        let example = text(hole, "text");
        let own = example.contains("start = 2") && example.contains("= [m1]") || example.contains("duty(1/2)");
        assert!(own, "{form}: {hole:#}");
        std::fs::write(here.join("game/printed.rules"), format!("{rules}{example}\n")).unwrap();
        let (code, rendered) = said(&here, &["test", "game/printed.rules"]);
        assert_eq!(code, 0, "{example}: {rendered}");
        // what `check` says of it
        let (_, rendered) = said(&here, &["check", "game/printed.rules", "--format", "short"]);
        assert!(rendered.contains("R0506") && rendered.contains("exactly 50%"), "{rendered}");
    }
}

/// Bands may compare two figures, and count twice the men instead of taking half the start.
#[test]
fn two_figures_that_are_as_much_are_left_out() {
    let forms = [
        "if 2 * size(u.models) > u.start { set u.markers += 1 } else if 2 * size(u.models) < u.start { set u.markers += 2 }",
        "if u.start < 2 * size(u.models) { set u.markers += 1 } else if 2 * size(u.models) < u.start { set u.markers += 2 }",
    ];
    for (n, form) in forms.iter().enumerate() {
        let rules = format!("{PRINTED}proc p(u: Unit) {{ {form} }}\n");
        let here = folder(&format!("twice-{n}"), &[("game/printed.rules", &rules)]);
        let (code, found) = holes(&here, &["--only", "gap"]);
        assert_eq!((code, found.len()), (Some(1), 1), "{form}: {found:#?}");
        assert!(text(&found[0], "says").contains("exactly"), "{found:#?}");
        let example = text(&found[0], "text");
        assert!(example.contains("start = 2") && example.contains("= [m1]"), "{example}");
        std::fs::write(here.join("game/printed.rules"), format!("{rules}{example}\n")).unwrap();
        assert_eq!(said(&here, &["test", "game/printed.rules"]).0, 0, "{example}");
    }
    // a band that takes it leaves nothing out
    let whole = "if u.markers > u.start { set u.markers -= 1 } else if u.markers <= u.start { set u.markers += 2 }";
    let here = folder("whole", &[("game/printed.rules", &format!("{PRINTED}proc p(u: Unit) {{ {whole} }}\n"))]);
    assert_eq!(holes(&here, &["--only", "gap"]).1.len(), 0);
}

#[test]
fn what_the_checker_refuses_is_told_as_a_hole() {
    let rules =
        format!("{PRINTED}let duty(s: Ratio): Duty = match s {{\n over 50% => OwnChoice\n under 50% => MustMove\n}}\n");
    let here = folder("refused", &[("game/printed.rules", &rules)]);
    let (code, found) = holes(&here, &[]);
    assert_eq!((code, found.len()), (Some(1), 1), "{found:#?}");
    assert_eq!((text(&found[0], "sort"), text(&found[0], "says")), ("gap", "no case covers exactly 50%"));
    // any other error is one
    let here = folder("wrong", &[("game/printed.rules", &format!("{rules}let x = nothing_here\n"))]);
    assert_eq!(output(&here, &["holes"]).status.code(), Some(2));
}

#[test]
fn scenarios_that_come_to_a_gap_are_counted() {
    let rules = format!("{PRINTED}{}\n", FORMS[0].0);
    let table = "rules = \"game/printed\"\n[Side.red]\n[Unit.lions]\nside = \"red\"\nstart = 2\n[Model]\na = { unit = \"lions\", at = [9, 9] }\n[[step]]\ndo = 'do fall_back(lions)'\n";
    let whole = table.replace("start = 2", "start = 1");
    let files = [
        ("game/printed.rules", rules.as_str()),
        ("game/scenarios/half.toml", table),
        ("game/scenarios/whole.toml", whole.as_str()),
    ];
    let here = folder("counted", &files);
    let (_, found) = holes(&here, &["--only", "gap", "--runs", "4"]);
    assert_eq!((&found[0]["hit"], &found[0]["of"]), (&serde_json::json!(5), &serde_json::json!(10)), "{found:#?}");
}

#[test]
fn a_broken_law_comes_with_a_script_that_breaks_it() {
    let here = game("broken", "law Ammo \"One round is kept\" = every u in Unit: u.ammo > 0");
    let (code, found) = holes(&here, &["--only", "broken", "rules"]);
    assert_eq!((code, found.len()), (Some(1), 1), "{found:#?}");
    let hole = &found[0];
    assert_eq!(text(hole, "item"), "law Ammo");
    assert!(hole["hit"].as_u64().unwrap() > 0, "{hole:#}");
    let script = text(hole, "text");
    // two shots are needed for the second round, and no decision besides
    assert_eq!(script.matches("[[decide]]").count(), 2, "{script}");
    assert_eq!(script.matches("Shoot").count(), 2, "{script}");
    std::fs::write(here.join("rules/game/scenarios/hole.toml"), script).unwrap();
    let (code, rendered) = said(&here, &["run", "rules/game/scenarios/hole.toml"]);
    assert_eq!(code, 1, "{rendered}");
    assert!(rendered.contains("R0904") && rendered.contains("law Ammo"), "{rendered}");
}

#[test]
fn exceptions_that_hold_at_once_contradict_each_other() {
    let more = "condition Steady on Unit when markers > 1 { replace nv = 5 }\n\
                condition Tired on Unit when ammo < 2 and markers < 9 { replace nv = 1 }";
    let here = game("conflict", more);
    let (_, found) = holes(&here, &["--only", "conflict", "rules/game/small.rules"]);
    assert_eq!(found.len(), 1, "{found:#?}");
    let example = text(&found[0], "text");
    assert!(example.contains("u.markers = 2") && example.contains("u.ammo = 0"), "{example}");
    let file = here.join("rules/game/small.rules");
    std::fs::write(&file, format!("{GAME}{more}\n{example}\n")).unwrap();
    let (code, rendered) = said(&here, &["test", "rules/game/small.rules"]);
    assert!(code == 1 && rendered.contains("two special rules"), "{rendered}");
    // `over` settles it, and conditions that exclude each other need nothing
    for other in [more.replace("= 1 }", "= 1 over Steady }"), more.replace("markers < 9", "markers < 2")] {
        std::fs::write(&file, format!("{GAME}{other}\n")).unwrap();
        let (code, found) = holes(&here, &["--only", "conflict", "rules/game/small.rules"]);
        assert_eq!((code, found.len()), (Some(0), 0), "{other}: {found:#?}");
    }
}

#[test]
fn a_marker_per_four_hits_is_walked_round_by_two_salvos_of_three() {
    let here = game("split", "");
    let (_, found) = holes(&here, &["--only", "split", "rules"]);
    assert_eq!(found.len(), 1, "{found:#?}");
    let more = text(&found[0], "more");
    assert!(more.contains("two of 3 make it 0.000, one of 6 makes it 1.000"), "{more}");
    // what fires hits twice at most, or four times: such salvos came in some of the runs
    assert!(found[0]["hit"].as_u64() > Some(0) && found[0]["hit"].as_u64() < found[0]["of"].as_u64(), "{:#}", found[0]);
    // a marker per hit adds up
    let rules = GAME.replace("h.hits / 4 rounded down", "h.hits");
    std::fs::write(here.join("rules/game/small.rules"), rules).unwrap();
    assert_eq!(holes(&here, &["--only", "split", "rules"]), (Some(0), Vec::new()));
}

#[test]
fn an_action_that_is_nowhere_better_is_dominated() {
    let here = game("dominated", "");
    let (_, found) = holes(&here, &["--only", "dominated", "rules"]);
    assert_eq!(found.len(), 1, "{found:#?}");
    let says = text(&found[0], "says");
    assert_eq!(says, "Pot is never better than Shoot at the 3 states that have both, and worse at 2");
    let more = text(&found[0], "more");
    assert!(more.contains("again.toml, menu 1: Pot 0.000, Shoot 0.250"), "{more}");
    // both were on some menu of every run
    assert!(found[0]["hit"].as_u64() > Some(0) && found[0]["hit"] == found[0]["of"], "{:#}", found[0]);
}

/// What is too large for exact answers is not looked at for long, and that is said.
#[test]
fn dominated_actions_beyond_the_budget_are_named() {
    let here = game("beyond", "");
    let asked = ["holes", "--only", "dominated", "rules", "--format", "json", "--budget", "1"];
    let found: Value = serde_json::from_str(&out(&output(&here, &asked))).unwrap();
    let left_out = found["left_out"].to_string();
    assert!(found["holes"].as_array().unwrap().is_empty() && left_out.contains("2 scenarios are beyond"), "{left_out}");
}

#[test]
fn what_is_never_offered_and_never_reached_is_told_with_what_kept_it_away() {
    let here = game("never", "");
    let (_, found) = holes(&here, &["--only", "unoffered", "--only", "unreached", "rules"]);
    let rendered: Vec<(&str, &str)> = found.iter().map(|h| (text(h, "sort"), text(h, "item"))).collect();
    assert_eq!(rendered, [("unoffered", "action Storm"), ("unreached", "rule Panic")]);
    assert!(text(&found[0], "more").contains("not shaken"), "{:#}", found[0]);
    assert!(text(&found[1], "says").contains("`h.hits > 99` never held"), "{:#}", found[1]);
}

#[test]
fn the_same_seed_tells_the_same_and_no_threads_matter() {
    let here = game("same", "law Ammo = every u in Unit: u.ammo > 0");
    let one = output(&here, &["holes", "rules", "--seed", "3", "--format", "csv"]);
    let two = output(&here, &["holes", "rules", "--seed", "3", "--format", "csv"]);
    assert_eq!(out(&one), out(&two));
    assert!(
        out(&one).starts_with("sort,rules,file,line,item,says,more,basis,hit,of,replay,text,excuse\n"),
        "{}",
        out(&one)
    );
}

#[test]
fn shipped_rules_have_no_hole_in_their_bands() {
    let root = crate::common::root();
    for book in ["warstrike", "recoil", "alternate"] {
        let files = std::fs::read_dir(root.join("rulesets").join(book)).unwrap().map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.extension().is_some_and(|e| e == "rules"));
        let files: Vec<String> = files.map(|path| path.display().to_string()).collect();
        let only = ["gap", "overlap", "never", "conflict"].iter().flat_map(|sort| ["--only", *sort]);
        let args: Vec<&str> = files.iter().map(String::as_str).chain(only).collect();
        let (code, found) = holes(root, &args);
        assert_eq!((code, found.len()), (Some(0), 0), "{book}: {found:#?}");
    }
}

#[test]
fn a_comment_excuses_what_is_meant() {
    let rules = format!("{PRINTED}# holes: skip because \"the book says so\"\n{}\n", FORMS[4].0);
    let here = folder("excused", &[("game/printed.rules", &rules)]);
    let (code, found) = holes(&here, &[]);
    assert_eq!((code, text(&found[0], "excuse")), (Some(0), "the book says so"));
    let (_, rendered) = said(&here, &["holes"]);
    assert!(rendered.contains("no hole found; 1 excused") && !rendered.contains("exactly 50%"), "{rendered}");
    std::fs::write(here.join("game/printed.rules"), rules.replace("skip because", "skip:")).unwrap();
    let (code, _) = holes(&here, &[]);
    assert_eq!(code, Some(1));
}
