//! Edits that are not in force: what `compare` and `test` say of an edit that the scenario holds, or that nothing comes to.

use crate::common::{folder, said};
use grognard_kit::scenes;

/// A ruleset in which each edit below can show.
const RULES: &str = "ruleset h/x version \"1\"
param save_on \"Saves on\" = 5  sweep 4 .. 6
param line_nv \"Nerve of the line\" = 3
enum Cover { Bare < Soft }
table bite(cover: Cover, pip: 1..2): Int \"Bite\" {
  |      | 1 | 2 |
  | Bare | 0 | 2 |
  | Soft | 1 | 1 |
}
kind Squad {
  state men : 0..9 = 6
  stat nv : 0..9 = line_nv
  stat cover : Cover = Bare
  let courage = nv + 1
}
status Shaken on Squad { modify courage -= 1 }
status Tired on Squad { modify courage -= 2 }
event Hit(s: Squad)
event Lost(s: Squad)
rule Falls on Hit as h { set h.s.men -= 1 }
rule Mourns on Lost as l { grant Tired to l.s }
phase Go(s: Squad) {
  roll armour = 2 of d6
  set s.men -= count armour < save_on
  set s.men -= bite(s.cover, 1) + bite(s.cover, 2)
  if s.courage > 9 { emit Lost(s) }
  emit Hit(s)
  choose action or stop
}
action Rest in Go { set s.men = 1 }
policy Plan \"rests\" { action = Rest }
policy Other \"stops\" { action = stop }
";

const SCENE: &str = "rules = \"h/x\"\nstart = \"Go(a)\"\nmode = \"exact\"\n[Squad.a]\n[report]\nmean = [\"a.men\"]\n";

/// What `compare` says of a variant with these items on the scene with these lines.
fn compared(name: &str, variant: &str, scene: &str, options: &[&str]) -> (i32, String) {
    let variant = format!("variant h/y of h/x version \"1\"\n{variant}\n");
    let scene = SCENE.replace("[Squad.a]\n", scene);
    let folder = folder(&format!("held-{name}"), &[("h/x.rules", RULES), ("h/y.rules", &variant), ("s.toml", &scene)]);
    let (code, text) = said(&folder, &[&["compare", "h/x", "h/y", "s.toml"], options].concat());
    (code, text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Edits of which none is in force, with the lines of the scene and a part of the answer.
const HELD: &[(&str, &str, &str, &str)] = &[
    (
        "param",
        "override param save_on = 4",
        "[params]\nsave_on = 5\n[Squad.a]\n",
        "held: the scenario sets save_on = 5 in both",
    ),
    (
        "default",
        "override param line_nv = 5",
        "[Squad.a]\nnv = 3\n",
        "held: the scenario sets nv of every Squad, and nothing else that this table can reach reads line_nv",
    ),
    (
        "cell",
        "override bite[Soft, 2] = 5",
        "[Squad.a]\n",
        "table bite[Soft, 2]: 1 -> 5 never reached on this table: nothing reaches it",
    ),
    (
        "status",
        "override status Tired on Squad { modify courage -= 3 }",
        "[Squad.a]\n",
        "status Tired: modify courage -= 2 -> modify courage -= 3 never reached",
    ),
    (
        "rule",
        "override rule Mourns on Lost as l { set l.s.men = 0 }",
        "[Squad.a]\n",
        "never reached on this table: nothing reaches it, whatever the dice show",
    ),
    (
        "policy",
        "override policy Other \"stops\" { action = Rest }",
        "[players]\na = \"policy:Plan\"\n[Squad.a]\n",
        "no player of the scenario follows Other",
    ),
    (
        "action",
        "action Flee in Go { set s.men = 0 }",
        "[players]\na = \"policy:Plan\"\n[Squad.a]\n",
        "it is offered and never chosen",
    ),
];

#[test]
fn an_edit_that_is_not_in_force_gets_no_verdict() {
    for (name, variant, scene, part) in HELD {
        for options in [&[][..], &["--which"], &["--mode", "sampled", "--runs", "300"]] {
            let (code, text) = compared(name, variant, scene, options);
            assert!(code == 3 && text.contains("nothing was compared"), "{name} {options:?}: {code} {text}");
            let part = part.split(", whatever").next().unwrap();
            assert!(text.contains(part) && !text.contains("no difference"), "{name} {options:?}: {text}");
        }
        let (code, text) = compared(name, variant, scene, &["--first-difference", "--runs", "300"]);
        assert!(code == 3 && text.contains("nothing was compared"), "{name}: {code} {text}");
    }
}

/// Dice and decisions that are given hold what chance and policies would do.
#[test]
fn dice_and_decisions_that_are_given_hold_an_edit() {
    let phase = RULES.split("phase Go").nth(1).unwrap().split("action Rest").next().unwrap();
    let phase = format!("override phase Go{}", phase.replace("2 of d6", "2 of d8"));
    let dice =
        "[players]\na = \"policy:Other\"\n[dice]\nrolls = [{ roll = \"Go.armour\", give = [1, 6] }]\n[Squad.a]\n";
    let (code, text) = compared("dice", &phase, dice, &[]);
    assert!(code == 3 && text.contains("held: the scenario gives the dice of Go.armour in both"), "{code} {text}");
    let script = "[players]\na = \"script\"\n[[decide]]\nchoice = \"action\"\npick = \"Rest\"\n[Squad.a]\n";
    let (code, text) = compared("script", "action Flee in Go { set s.men = 0 }", script, &[]);
    assert!(code == 3 && text.contains("held: the scenario gives decisions, and it is offered"), "{code} {text}");
}

/// The same edits where nothing holds them: each is in force, and nothing is said of it.
#[test]
fn an_edit_in_force_is_compared_as_before() {
    for (variant, scene) in [
        ("override param save_on = 4", "[Squad.a]\n"),
        ("override param line_nv = 9", "[Squad.a]\n"),
        ("override bite[Bare, 2] = 3", "[Squad.a]\n"),
        ("override rule Falls on Hit as h { set h.s.men -= 2 }", "[Squad.a]\n"),
        ("override policy Plan \"stops\" { action = stop }", "[players]\na = \"policy:Plan\"\n[Squad.a]\n"),
        ("action Flee in Go { set s.men = 0 }", "[players]\na = \"random\"\n[Squad.a]\n"),
        ("override status Shaken on Squad { modify courage += 9 }", "[Squad.a]\nstatus = [{ Shaken = {} }]\n"),
    ] {
        let (code, text) = compared("in-force", variant, scene, &[]);
        assert!(code == 0 && !text.contains("held:") && !text.contains("never reached"), "{variant}: {code} {text}");
    }
}

/// One of two edits is held: figures are about the other one alone.
#[test]
fn of_several_edits_those_that_are_held_are_named() {
    let both = "override param save_on = 4\noverride rule Falls on Hit as h { set h.s.men -= 2 }";
    let scene = "[params]\nsave_on = 5\n[players]\na = \"policy:Other\"\n[Squad.a]\n";
    let (code, text) = compared("both", both, scene, &[]);
    assert!(
        code == 0 && text.contains("held: the scenario sets save_on = 5 in both") && text.contains("less in B"),
        "{text}"
    );
    let (_, text) = compared("both", both, scene, &["--which"]);
    assert!(text.contains("save_on: value 5 -> 4 (held: the scenario sets save_on = 5 in both)"), "{text}");
    let (_, text) = compared("both", both, scene, &["--format", "json"]);
    assert!(text.contains("\"not_in_force\":[{\"edit\":\"param save_on: value 5 -> 4\",\"force\":\"held\""), "{text}");
}

/// A default of a state that the scenario gives: the book itself is edited.
#[test]
fn a_state_that_the_scenario_gives_is_held() {
    let other = RULES.replace("ruleset h/x", "ruleset h/z").replace("men : 0..9 = 6", "men : 0..9 = 7");
    let answer = |name: &str, scene: &str| {
        let scene = SCENE.replace("[Squad.a]\n", scene);
        let files = [("h/x.rules", RULES), ("h/z.rules", other.as_str()), ("s.toml", scene.as_str())];
        said(&folder(name, &files), &["compare", "h/x", "h/z", "s.toml"])
    };
    let (code, text) = answer("held-state", "[Squad.a]\nmen = 5\n");
    assert!(code == 3 && text.contains("held: the scenario sets men of every Squad in both"), "{code} {text}");
    let (code, text) = answer("held-state-free", "[Squad.a]\nmen = 5\n[Squad.b]\n");
    assert!(code == 0 && !text.contains("held"), "{code} {text}");
}

/// A setting that has the same value in both versions is no change; it is not unreached.
#[test]
fn a_setting_with_the_same_value_is_no_change() {
    let folder = folder("held-same", &[("h/x.rules", RULES), ("s.toml", SCENE)]);
    let (code, text) = said(&folder, &["compare", "h/x", "h/x:save_on=5", "s.toml"]);
    assert!(code == 3 && text.contains("no change: save_on is 5 in both") && !text.contains("never reached"), "{text}");
}

/// Examples that set what a variant overrides prove nothing of it: said once, and not where another example reads it.
#[test]
fn an_override_that_no_example_tests_is_named() {
    let base = "ruleset e/x version \"1\"\nparam hit_on = 4\nproc t() -> Flag { roll a = d6; return a >= hit_on }\n\
                example \"half\" for t() under hit_on = 4 { chance result = 1/2 }\n\
                example \"most\" for t() under hit_on = 2 { chance result = 5/6 }\n";
    let variant = "variant e/y of e/x version \"1\"\noverride param hit_on = 5\n";
    let test = |name: &str, more: &str| {
        let variant = format!("{variant}{more}");
        said(&folder(name, &[("e/x.rules", base), ("e/y.rules", &variant)]), &["test", "."])
    };
    let (code, text) = test("held-examples", "");
    let line = "held   e/y: hit_on is set by \"half\", \"most\" with `under`, and no other example reads it";
    assert!(code == 0 && text.matches(line).count() == 1 && text.matches("held  ").count() == 1, "{text}");
    let (code, text) = test("held-examples-free", "example \"third\" for t() { chance result = 1/3 }\n");
    assert!(code == 0 && !text.contains("held  "), "{text}");
}

/// Params and readings that a scenario sets to the default of its rules: an edit of that default would not be noticed there.
#[test]
fn no_shipped_scenario_sets_a_default_of_its_rules() {
    let mut found = Vec::new();
    for name in scenes::names() {
        let (scenario, _) = scenes::shipped(&name);
        if scenes::builds_on_another(&name) {
            continue;
        }
        let set = scenario.plan.fixed.settings.iter().map(|id| (id, &scenario.rules.settings[id.at()]));
        let default = set.filter(|(id, setting)| scenario.game.setting(*id) == setting.value.as_slice());
        found.extend(default.map(|(_, setting)| format!("{name}: {}", setting.name)));
    }
    assert!(found.is_empty(), "{found:#?}");
}
