//! Scenarios in the workspace of an editor: completion, hover and rename.

use grognard_ide::query::Workspace;
use grognard_ide::query::walk::{Context, walk};
use grognard_rules::Library;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Texts on disk, with a list.
struct Texts(BTreeMap<String, String>);

impl Library for Texts {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok(self.0.get(path).cloned())
    }

    fn list(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

const RULES: &str = r#"ruleset game/core

param hit_on "A shot hits on" = 4

enum Mood { Calm, Shaken }

kind Side { state score : 0..99 = 0 }

kind Squad {
  stat pace : 1..12 "Pace"
  state mood : Mood = Calm
  state marched : 0..99 = 0
  link side : Side
  owner side
}

phase Turn(s: Side) { choose pick by s in Squad
  each u in Squad where u.side == s { do march(u) }
  do march(pick) }

proc march(s: Squad) { set s.marched += s.pace + hit_on }

policy Bold {
  pick = least pick.pace
}
"#;

const SCENE: &str = r#"# hit_on and pace in a comment stay
rules = "game/core"
name  = "hit_on"
start = "Turn(red)"
stop  = "end of Turn"

[params]
hit_on = 3

[players]
red = "policy:Bold"

[Side.red]

[Squad.guards]
pace = 6
mood = "Calm"
side = "red"

[Squad.scouts]
pace = 7
side = "red"

[[expect]]
that = ["guards.marched == 6 + hit_on", "guards.mood == Calm", "any u in Squad where u.pace > 6"]

[sweep]
over = ["hit_on"]
values = { hit_on = [2, 3] }
"#;

const PATH: &str = "game/scenarios/first.toml";

fn space(scene: &str) -> Workspace {
    let texts = [("game/core.rules", RULES), (PATH, scene), ("game/scenarios/Cargo.txt", "")];
    Workspace::new(Rc::new(Texts(texts.map(|(path, text)| (path.to_string(), text.to_string())).into())))
}

/// The labels of the candidates at the mark `|`.
fn labels(marked: &str) -> Vec<String> {
    let at = marked.find('|').unwrap();
    let mut space = space(SCENE);
    // a sound version was seen before
    assert!(space.problems(PATH, []).is_empty(), "{:?}", space.problems(PATH, []));
    space.complete(PATH, SCENE.len());
    space.set(PATH, &marked.replacen('|', "", 1));
    space.complete(PATH, at).1.into_iter().map(|one| one.label).collect()
}

/// The scenario with a line at its end, or another one in the place of a line.
fn with(line: &str) -> String {
    format!("{SCENE}\n{line}")
}

fn has(found: &[String], wanted: &[&str], unwanted: &[&str]) {
    for one in wanted {
        assert!(found.iter().any(|label| label == one), "{one} is missing in {found:?}");
    }
    for one in unwanted {
        assert!(!found.iter().any(|label| label == one), "{one} is in {found:?}");
    }
}

#[test]
fn keys_and_kinds_are_offered() {
    has(&labels(&SCENE.replace("name  =", "|name =")), &["mode", "start", "runs", "Squad"], &["hit_on", "grid"]);
    has(&labels(&with("[|")), &["board", "params", "Squad", "expect"], &["mode"]);
    has(&labels(&with("[Squad.third]\n|")), &["pace", "mood", "at", "traits"], &["score", "mode"]);
    has(&labels(&with("[Squad]\nthird = { pa|")), &["pace"], &["score"]);
    has(&labels(&with("[Squad.third]\npace = 1\nmo|")), &["mood"], &["score"]);
    has(&labels(&with("[board]\n|")), &["size", "grid"], &["mode"]);
    has(&labels(&SCENE.replace("hit_on = 3", "|")), &["hit_on"], &["Squad", "mode"]);
    has(&labels(&SCENE.replace("red = \"policy:Bold\"", "|")), &["red"], &["guards"]);
    has(&labels(&with("[[step]]\n|")), &["do", "expect", "decide"], &["mode", "nth"]);
}

#[test]
fn values_are_offered() {
    has(&labels(&SCENE.replace("\"Calm\"\nside", "\"|\"\nside")), &["Calm", "Shaken"], &["Squad"]);
    has(&labels(&SCENE.replace("\"Calm\"\nside", "|\nside")), &["\"Calm\"", "\"Shaken\""], &["Calm"]);
    has(
        &labels(&SCENE.replace("side = \"red\"\n\n[Squad.scouts]", "side = \"|\"\n\n[Squad.scouts]")),
        &["red"],
        &["guards"],
    );
    has(&labels(&SCENE.replace("policy:Bold", "|")), &["policy:Bold", "first", "random"], &["red"]);
    has(&labels(&SCENE.replace("over = [\"hit_on\"]", "over = [\"|\"]")), &["hit_on"], &["guards"]);
    has(&labels(&with("[[expect]]\nthat = \"gua|\"")), &["guards", "hit_on", "Calm"], &["seed"]);
    has(&labels(&with("[[expect]]\nthat = \"guards.|\"")), &["marched", "pace"], &["score", "hit_on"]);
    has(&labels(&with("[[step]]\ndo = \"do |\"")), &["march"], &["guards"]);
    has(&labels(&SCENE.replace("rules = \"game/core\"", "rules = \"game/|\"")), &["game/core"], &[]);
    has(&labels(&SCENE.replace("name  = \"hit_on\"", "mode = \"|\"")), &["exact", "sampled"], &[]);
    assert!(labels(&with("# |")).is_empty());
    assert!(labels(&SCENE.replace("\"hit_on\"\nstart", "\"hit|\"\nstart")).is_empty());
}

fn hover(at: &str, from: usize) -> String {
    let space = space(SCENE);
    let place = SCENE.find(at).unwrap() + from;
    space.hover(PATH, place).map(|hover| hover.text).unwrap_or_default()
}

#[test]
fn hover_shows_declarations_and_keys() {
    assert!(hover("hit_on = 3", 2).contains("A shot hits on"), "{}", hover("hit_on = 3", 2));
    assert!(hover("hit_on = 3", 2).contains("is `4`"));
    assert!(hover("pace = 6", 1).contains("1..12"), "{}", hover("pace = 6", 1));
    assert!(hover("Squad.scouts", 1).contains("kind Squad"), "{}", hover("Squad.scouts", 1));
    assert!(hover("\"Calm\"", 2).contains("case `Calm` of `Mood`"));
    assert!(hover("marched == 6", 2).contains("marched"));
    assert!(hover("policy:Bold", 8).contains("policy Bold"), "{}", hover("policy:Bold", 8));
    assert!(hover("start =", 1).contains("the call of a phase"));
    assert!(hover("# hit_on", 3).is_empty());
}

/// The scenario after a rename of the name at a mark in the rules or the scenario.
fn renamed(path: &str, at: usize, name: &str) -> Result<(String, String), String> {
    let space = space(SCENE);
    let edits = space.rename(path, at, name)?;
    let mut texts = BTreeMap::from([("game/core.rules", RULES.to_string()), (PATH, SCENE.to_string())]);
    for edit in edits.iter().rev() {
        let text = texts.get_mut(edit.place.file.as_str()).unwrap();
        text.replace_range(edit.place.start..edit.place.end, &edit.text);
    }
    Ok((texts["game/core.rules"].clone(), texts[PATH].clone()))
}

#[test]
fn a_rename_in_rules_changes_scenarios() {
    let at = |word: &str| RULES.find(word).unwrap();
    let (rules, scene) = renamed("game/core.rules", at("hit_on"), "needs").unwrap();
    assert!(!rules.contains("hit_on"));
    let wanted = SCENE
        .replace("hit_on", "needs")
        .replace("# needs", "# hit_on")
        .replace("name  = \"needs\"", "name  = \"hit_on\"");
    assert_eq!(scene, wanted);
    let (_, scene) = renamed("game/core.rules", at("pace :"), "speed").unwrap();
    assert_eq!(scene, SCENE.replace("pace", "speed").replace("and speed in", "and pace in"));
    let (_, scene) = renamed("game/core.rules", at("Squad {"), "Band").unwrap();
    assert_eq!(scene, SCENE.replace("Squad", "Band"));
    let (_, scene) = renamed("game/core.rules", at("Calm"), "Steady").unwrap();
    assert_eq!(scene, SCENE.replace("Calm", "Steady"));
    let (_, scene) = renamed("game/core.rules", at("Bold"), "Daring").unwrap();
    assert_eq!(scene, SCENE.replace("Bold", "Daring"));
    let (_, scene) = renamed("game/core.rules", at("Turn("), "Move").unwrap();
    assert_eq!(scene, SCENE.replace("Turn", "Move"));
}

#[test]
fn a_rename_in_a_scenario_changes_the_rules() {
    let (rules, scene) = renamed(PATH, SCENE.find("hit_on = 3").unwrap(), "needs").unwrap();
    assert!(!rules.contains("hit_on") && scene.contains("needs = 3"), "{rules}\n{scene}");
    let (rules, scene) = renamed(PATH, SCENE.find("marched").unwrap(), "walked").unwrap();
    assert!(!rules.contains("marched") && scene.contains("guards.walked"), "{rules}\n{scene}");
}

#[test]
fn a_rename_that_a_scenario_cannot_follow_is_refused() {
    let at = RULES.find("hit_on").unwrap();
    // the name of a thing
    let clash = renamed("game/core.rules", at, "guards");
    assert!(clash.is_err(), "{clash:?}");
    // a scenario with errors
    let space = space(&SCENE.replace("pace = 6", "pace = 60"));
    let why = space.rename("game/core.rules", at, "needs").unwrap_err();
    assert!(why.contains("first.toml") && why.contains("out of range"), "{why}");
    // one that does not use it is no obstacle
    let mut other = self::space(SCENE);
    other.set("game/scenarios/other.toml", "rules = \"game/core\"\nstart = \"Turn(redd)\"\n[Side.red]\n");
    assert!(other.rename("game/core.rules", at, "needs").is_ok());
}

#[test]
fn every_prefix_of_a_scenario_has_a_context_and_no_query_panics() {
    let texts =
        [SCENE, "a = '''x\n", "[a.\"b c\".d]\ne.f = {g = [1, {h = \"i\\\"\"}]}\n", "[[\"", "x = \"é", "]}{[,=.\n"];
    let mut space = space(SCENE);
    for text in texts {
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            let head = &text[..end];
            walk(head);
            space.set(PATH, head);
            space.complete(PATH, end);
            if end % 5 == 0 {
                space.hover(PATH, end / 2);
                space.references(PATH, end / 2, true);
                space.problems(PATH, []);
            }
        }
    }
    let end = walk("[a.\"b c\".d]\ne.f = {g = [1, {h = \"i").end;
    let path = ["a", "b c", "d", "e", "f", "g", "h"].map(str::to_string).to_vec();
    assert!(matches!(end, Context::Value { path: found, text: Some(_) } if found == path));
}

/// Measures with captions have the completion and the hover of measures, and their layout is kept.
#[test]
fn captions_are_measures() {
    let scene =
        "rules = \"game/core\"\n[Squad.guards]\npace = 6\n[report]\nmean = { \"Inches marched\" = \"guards.ma\" }\n";
    let mut texts = BTreeMap::new();
    texts.insert("game/core.rules".to_string(), RULES.to_string());
    texts.insert("game/s.toml".to_string(), scene.to_string());
    let space = Workspace::new(Rc::new(Texts(texts)));
    let at = scene.find("guards.ma").unwrap() + "guards.ma".len();
    let (start, found) = space.complete("game/s.toml", at);
    assert_eq!(start, at - 2);
    assert!(found.iter().any(|one| one.label == "marched"), "{found:?}");
    let hover = space.hover("game/s.toml", scene.find("Inches").unwrap() + 1).unwrap();
    assert!(hover.text.contains("a caption"), "{}", hover.text);
    // keys of the rules in an expression with a caption are followed
    let name = scene.find("guards.ma").unwrap() + 1;
    assert!(space.hover("game/s.toml", name).is_none_or(|hover| !hover.text.contains("a caption")));
    let schema = grognard_ide::schemas::scenario();
    let forms = schema["properties"]["report"]["properties"]["chance"]["anyOf"].as_array().unwrap();
    assert!(forms.iter().any(|form| form["type"] == "object"), "{forms:?}");
    let text = "[report]\nchance   = {   \"All down\"=\"guards.pace == 0\" ,\"B\" = \"yes\" }\n";
    let formatted = grognard_scenario::format(grognard_base::FileId(0), text).unwrap();
    assert_eq!(formatted, "[report]\nchance = { \"All down\" = \"guards.pace == 0\", \"B\" = \"yes\" }\n");
}
