//! Why: what made a value what it is in a run, and why an action was not to be had.

use crate::common::{folder, said};

const RULES: &str = r#"ruleset game version "1"
kind Side { link units : list of Unit }
kind Unit {
  link  side  : Side
  stat  nerve : 0..6 = 3
  state hits  : 0..9 = 0
}
status Shaken on Unit
param calm = 2
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
  emit Hit(target)
}
proc steadied(u: Unit, o: Unit) "Another lends his nerve" {
  let t = test Stand(u) with nerve = o.nerve
  if t.passed { set u.hits = 0 }
}
"#;

const SCENE: &str = r#"rules = "game"
mode = "scripted"
[players]
red  = ["script"]
blue = ["script"]
[dice]
rolls = [{ roll = "Stand.dice", give = [5, 6] }]
[Side]
red  = {}
blue = {}
[Unit]
a = { side = "red" }
b = { side = "blue", nerve = 2 }
[[step]]
do = "run Turn(red)"
decide = [{ choice = "action", pick = "Shoot(a, b)" }]
expect = ["b has Shaken"]
[[step]]
do = "run Turn(blue)"
"#;

#[track_caller]
fn why(name: &str, args: &[&str]) -> (i32, String) {
    let shelf = folder(name, &[("game.rules", RULES), ("scene.toml", SCENE)]);
    let all: Vec<&str> = ["why", "scene.toml"].iter().chain(args).copied().collect();
    said(&shelf, &all)
}

#[test]
fn a_status_is_told_by_the_chain_that_led_to_it() {
    let (code, text) = why("1", &["b has Shaken"]);
    assert_eq!(code, 0, "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn each_change_of_a_number_has_its_chain() {
    let (code, text) = why("2", &["b.hits * 2"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.starts_with("b.hits * 2: 0 at the start, 2 at the end\n\n1. 0 -> 2\n"), "{text}");
    assert!(text.contains("> Shock") && text.contains("+ b.hits") && !text.contains("Stand"), "{text}");
}

#[test]
fn what_nothing_changed_is_said_to_be_as_it_was() {
    let (code, text) = why("3", &["not", "a has Shaken"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.starts_with("a has Shaken: no from the start to the end; no change in this run\n"), "{text}");
    let (_, text) = why("3", &["a.hits"]);
    assert_eq!(text, "a.hits: 0 from the start to the end; no change in this run\n");
}

/// A test of many dice is told by what it came to, and not by how each die can fall: (2/3)^16 of all throws have no five or six.
#[test]
fn the_odds_of_a_test_of_many_dice_are_told() {
    let rules = "ruleset game version \"1\"\nkind Unit { state men : 0..20 = 16 }\n\
                 test Hits(u: Unit) { roll aim = u.men of d6\n pass when any aim >= 5 }\n\
                 proc fire(u: Unit) { let t = test Hits(u)\n if not t.passed { set u.men = 3 } }\n";
    let scene = "rules = \"game\"\nmode = \"scripted\"\ndice = { rolls = [{ roll = \"Hits.aim\", give = [1, 1, 1, 1, 1, 1, 1, 1, \
                 1, 1, 1, 1, 1, 1, 1, 1] }] }\n[Unit]\nu = {}\n[[step]]\ndo = \"do fire(u)\"\n";
    let shelf = folder("many", &[("game.rules", rules), ("scene.toml", scene)]);
    let (code, text) = said(&shelf, &["why", "scene.toml", "u.men"]);
    let none = 3_u64.pow(16) - 2_u64.pow(16);
    let rendered = format!("with a chance to pass of {none}/{} = 99.85%", 3_u64.pow(16));
    assert!(code == 0 && text.contains(&rendered), "{text}");
}

/// Two dice, one at or under nerve less hits is enough: 2 - 1 of its own, 3 - 1 of the other one's.
#[test]
fn a_test_that_failed_tells_its_odds_and_those_with_a_figure_that_may_be_lent() {
    let (_, text) = why("8", &["b has Shaken"]);
    let own = 36 - 5 * 5;
    let lent = 36 - 4 * 4;
    assert_eq!((own, lent), (11, 20));
    assert!(text.contains("\nodds    Stand(b) failed, with a chance to pass of 11/36 = 30.56%\n"), "{text}");
    assert!(text.contains("with the nerve of a (3 for 2), where a rule lends it, 5/9 = 55.56%\n"), "{text}");
    let (_, text) = why("8", &["b has Shaken", "--format", "json"]);
    let rendered: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let test = &rendered["tests"][0];
    assert_eq!((&test["passed"], &test["chance"]), (&false.into(), &"11/36".into()));
    assert_eq!((&test["lent"][0]["of"], &test["lent"][0]["chance"]), (&"a".into(), &"5/9".into()));
}

#[test]
fn a_status_that_never_came_tells_where_it_comes_from() {
    let scene = SCENE.replace("give = [5, 6]", "give = [1, 6]").replace("expect = [\"b has Shaken\"]\n", "");
    let scene = scene.split("[[step]]\ndo = \"run Turn(blue)\"").next().unwrap().to_string();
    let shelf = folder("9", &[("game.rules", RULES), ("scene.toml", &scene)]);
    let (code, text) = said(&shelf, &["why", "scene.toml", "b has Shaken"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("\ngranted by\n  rule Shock: run once\n    Stand(b) passed, with a chance of"), "{text}");
    // of a test that looks at what is running it is not said what it could have come to
    let looks = RULES.replace("u.nerve - u.hits\n", "u.nerve - u.hits and running(Turn)\n");
    let shelf = folder("10", &[("game.rules", &looks), ("scene.toml", &scene)]);
    let (_, text) = said(&shelf, &["why", "scene.toml", "b has Shaken"]);
    assert!(text.ends_with("  rule Shock: run once\n"), "{text}");
}

#[test]
fn an_action_is_refused_by_a_line_of_its_header() {
    let (code, text) = why("4", &["not", "Shoot(b, a)"]);
    assert_eq!(code, 0, "{text}");
    assert!(
        text.starts_with("Shoot(b, a): 1 menu in this run; refused at 1, not chosen at 0, chosen at 0\n"),
        "{text}"
    );
    assert!(text.contains("it is shaken"), "{text}");
    let (_, text) = why("5", &["not Shoot(unit: a)"]);
    assert!(text.contains("chosen at 1") && text.contains("its limit of 1 per Turn is used up"), "{text}");
}

#[test]
fn the_parts_of_an_action_stand_between_its_own_commas() {
    use grognard_play::why::Wanted;
    let with =
        |text: &str| Wanted::read(text).expect(text).with.into_iter().map(|(_, value)| value).collect::<Vec<_>>();
    assert_eq!(with("Go(a, b)"), ["a", "b"]);
    assert_eq!(with("Go(to: (1, 2), [a, b], \"x, (y\")"), ["(1, 2)", "[a, b]", "\"x, (y\""]);
}

#[test]
fn json_has_the_same_chains_as_events() {
    let (code, text) = why("6", &["b has Shaken", "--format", "json"]);
    let rendered: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((code, &rendered["start"], &rendered["end"]), (0, &false.into(), &true.into()));
    let chain = rendered["changes"][0]["chain"].as_array().expect("a chain");
    assert!(chain.iter().any(|e| e["event"] == "roll") && chain.last().is_some_and(|e| e["event"] == "gain"), "{text}");
}

#[test]
fn bad_questions_are_told_apart() {
    for (args, wanted) in [
        (&["b has Shakn"][..], "Shaken"),
        (&["not", "Shoot(zz)"], "nothing on this table is called `zz`"),
        (&["not", "Shot(b)"], "these rules have no action `Shot`; did you mean `Shoot`?"),
        (&["b.hits >"], "the question"),
        (&["b.hits", "2"], "give one question at a time"),
    ] {
        let (code, text) = why("7", args);
        assert!(code > 0 && text.contains(wanted), "{args:?}\n{text}");
    }
}

/// A proc that gives a value led to what was made of it, with its dice and what gave values to it; one that gives none did not.
#[test]
fn what_gave_a_value_is_told_with_its_dice() {
    let rules = "ruleset game version \"1\"\nkind Unit { state hp : 0..9 = 5 }\n\
        proc wind() -> Int { roll gust = d6; return gust }\n\
        proc shot(u: Unit) -> Int { roll aim = d6; let w = do wind(); return aim + w }\n\
        proc rest(u: Unit) { roll nap = d6; if nap > 9 { set u.hp += 1 } }\n\
        proc turn(u: Unit) { let n = do shot(u); if n > 1 { set u.hp -= 1 } }\n\
        proc later(u: Unit) { do rest(u); if u.hp > 1 { set u.hp -= 1 } }\n";
    let scene = |what: &str| format!("rules = \"game\"\n[Unit.x]\n[[step]]\ndo = \"do {what}(x)\"\n");
    let shelf = folder("gives", &[("game.rules", rules), ("a.toml", &scene("turn")), ("b.toml", &scene("later"))]);
    let (code, text) = said(&shelf, &["why", "a.toml", "x.hp", "--seed", "3"]);
    assert_eq!(code, 0, "{text}");
    insta::assert_snapshot!(text, @r"
    x.hp: 5 at the start, 4 at the end

    1. 5 -> 4
    step    do turn(x)
    > turn(x)
      > shot(x)
        * aim         d6: 2
        > wind
          * gust        d6: 2
        < wind                    2
      < shot                      4
      = holds       n 4 > 1
      + x.hp                5 -> 4
    ");
    let (_, text) = said(&shelf, &["why", "b.toml", "x.hp", "--seed", "3"]);
    assert!(!text.contains("nap"), "{text}");
}

/// A condition behind `where` in a header is told with its figures, once of all menus.
#[test]
fn a_condition_of_a_header_is_told_with_its_figures() {
    let rules = "ruleset game version \"1\"\nkind Side { link us : list of Unit }\n\
        kind Unit on board { owner side; link side : Side; stat pace : Length = 6\" }\n\
        phase Turn(s: Side) { repeat choose action or stop }\n\
        action Charge in Turn by u { choose u in s.us\n choose t in Unit where t within 2 * u.pace of u and t.side != s\n limit 2 per Turn }\n\
        action Wait in Turn { limit 2 per Turn; roll z = d6 }\n";
    let scene = "rules = \"game\"\nstart = \"Turn(red)\"\n[players]\nred = \"first\"\n[board]\nsize = [48, 48]\n[Side.red]\n[Side.blue]\n\
        [Unit]\nx = { side = \"red\", at = [10, 10] }\ny = { side = \"blue\", at = [10, 24.5] }\n";
    let shelf = folder("figures", &[("game.rules", rules), ("scene.toml", scene)]);
    let (_, text) = said(&shelf, &["why", "scene.toml", "not Charge(x, y)"]);
    assert_eq!(text.matches("t within 2 * u.pace of u: 14.5\" > 12\"").count(), 1, "{text}");
    let (_, named) = said(&shelf, &["why", "scene.toml", "not", "Charge(t: y, u: x)"]);
    assert!(named.contains("14.5\" > 12\""), "{named}");
    let (_, json) = said(&shelf, &["why", "scene.toml", "not Charge(x, y)", "--format", "json"]);
    assert!(json.contains("\"unmet\":[{\"condition\":\"t within 2 * u.pace of u\""), "{json}");
}

/// Choices of a header that nothing fits leave no entry on the menu, and the menu is told all the same.
#[test]
fn a_menu_counts_where_nothing_can_be_chosen() {
    let rules = "ruleset game version \"1\"\nkind Side { link us : list of Unit }\n\
        kind Unit { owner side; link side : Side; state hurt : Flag = no }\n\
        phase Turn(s: Side) { repeat choose action or stop }\n\
        action Rest in Turn by u { choose u in s.us where not u.hurt; limit 1 per Turn; set u.hurt = yes }\n\
        action Wait in Turn { limit 1 per Turn; roll z = d6 }\n";
    let scene = "rules = \"game\"\nstart = \"Turn(red)\"\n[players]\nred = \"first\"\n[Side.red]\n[Unit.x]\nside = \"red\"\nhurt = true\n";
    let shelf = folder("filtered", &[("game.rules", rules), ("scene.toml", scene)]);
    let (_, text) = said(&shelf, &["why", "scene.toml", "not", "Rest(x)"]);
    assert!(
        text.contains("1. its header does not allow it") && text.contains("    not u.hurt: does not hold\n"),
        "{text}"
    );
    let (_, text) = said(&shelf, &["why", "scene.toml", "not", "Rest"]);
    assert!(text.contains("there is nothing among the choices of its header"), "{text}");
}
