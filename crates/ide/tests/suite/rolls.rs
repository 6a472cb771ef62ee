//! Rolls that an example names, alone or after their proc or test.

use grognard_ide::query::Workspace;
use grognard_kit::Shelf;
use std::rc::Rc;

const PATH: &str = "game/core.rules";
const RULES: &str = r#"ruleset game/core

kind Squad { state men : 0..9 = 3; state aim : 0..9 = 0 }

test Nerve(s: Squad) "Nerve" {
  roll aim = d6
  pass when aim >= 3
}

proc volley(s: Squad) "A volley" {
  roll aim = s.men of d6
  set s.men -= count aim >= 5
}

example "one" for volley(s) with s.men = 2 rolling volley.aim = [5, 1] { s.men = 1 }
example "two" for Nerve(s) rolling Nerve.aim = 4 { passed }
"#;

fn workspace() -> Workspace {
    let mut workspace = Workspace::new(Rc::new(Shelf::default()));
    workspace.set(PATH, RULES);
    let problems = workspace.problems(PATH, []);
    assert!(problems.is_empty(), "{problems:?}");
    workspace
}

/// The offset of a part within the first place of a text.
fn at(text: &str, part: &str) -> usize {
    let start = RULES.find(text).unwrap();
    start + RULES[start..start + text.len()].rfind(part).unwrap()
}

/// The starts of places.
fn lines(places: &[grognard_ide::query::Place]) -> Vec<usize> {
    places.iter().map(|place| place.start).collect()
}

#[test]
fn the_parts_of_a_qualified_roll_have_their_own_declarations() {
    let space = workspace();
    let of = |text: &str, part: &str| lines(&space.definition(PATH, at(text, part)));
    let (volley, nerve) = (at("proc volley", "volley"), at("test Nerve", "Nerve"));
    assert_eq!(of("rolling volley.aim", "volley"), [volley]);
    assert_eq!(of("rolling Nerve.aim", "Nerve"), [nerve]);
    // the name after the point is the roll of that proc or test, not a field
    let (first, second) = (at("roll aim = d6", "aim"), at("roll aim = s.men", "aim"));
    assert_eq!(of("rolling volley.aim", "aim"), [second]);
    assert_eq!(of("rolling Nerve.aim", "aim"), [first]);
}

#[test]
fn hover_shows_the_part_at_the_cursor() {
    let space = workspace();
    let of = |text: &str, part: &str| {
        let hover = space.hover(PATH, at(text, part)).unwrap();
        (hover.text, &RULES[hover.at.start..hover.at.end])
    };
    let (text, word) = of("rolling volley.aim", "volley");
    assert!(word == "volley" && text.contains("A volley"), "{text}");
    let (text, word) = of("rolling volley.aim", "aim");
    assert!(word == "aim" && text.contains("`aim: ") && !text.contains("state aim"), "{text}");
}

#[test]
fn renames_change_one_part() {
    let space = workspace();
    let renamed = |offset: usize, name: &str| {
        let mut text = RULES.to_string();
        let edits = space.rename(PATH, offset, name).unwrap();
        edits.iter().rev().for_each(|edit| text.replace_range(edit.place.start..edit.place.end, &edit.text));
        text
    };
    let shot = RULES.replace("roll aim = s.men", "roll shot = s.men").replace("count aim", "count shot");
    let shot = shot.replace("volley.aim", "volley.shot");
    assert_eq!(renamed(at("roll aim = s.men", "aim"), "shot"), shot);
    assert_eq!(renamed(at("rolling volley.aim", "aim"), "shot"), shot);
    let salvo = RULES.replace("volley(", "salvo(").replace("volley.aim", "salvo.aim");
    assert_eq!(renamed(at("rolling volley.aim", "volley"), "salvo"), salvo);
    assert_eq!(renamed(at("proc volley", "volley"), "salvo"), salvo);
    let sight = RULES.replace("state aim", "state sight");
    assert_eq!(renamed(at("state aim", "aim"), "sight"), sight);
    let courage = RULES.replace("Nerve(", "Courage(").replace("Nerve.aim", "Courage.aim");
    assert_eq!(renamed(at("test Nerve", "Nerve"), "Courage"), courage);
}

/// A field and a roll with the same name, which an example and a scenario use.
#[test]
fn a_field_with_the_name_of_a_roll_is_renamed() {
    let rules = RULES.replace("count aim >= 5", "count aim >= 5 + s.aim").replace("s.men = 2", "s.men = 2, s.aim = 0");
    let scene = "rules = \"game/core\"\n[[step]]\ndo = \"do volley(a)\"\n[Squad]\na = { men = 2, aim = 0 }\n\
                 [dice]\nrolls = [{ roll = \"volley.aim\", give = [4, 1] }]\n[report]\nmean = [\"a.aim\"]\n";
    let mut space = Workspace::new(Rc::new(Shelf::default()));
    space.set(PATH, &rules);
    space.set("game/scene.toml", scene);
    let edits = space.rename(PATH, rules.find("state aim").unwrap() + 6, "sight").unwrap();
    let mut texts = [(PATH, rules.clone()), ("game/scene.toml", scene.to_string())];
    for edit in edits.iter().rev() {
        let text = &mut texts.iter_mut().find(|(path, _)| *path == edit.place.file).unwrap().1;
        text.replace_range(edit.place.start..edit.place.end, &edit.text);
    }
    assert_eq!(texts[0].1, rules.replace("s.aim", "s.sight").replace("state aim", "state sight"));
    assert_eq!(texts[1].1, scene.replace("aim = 0", "sight = 0").replace("a.aim", "a.sight"));
}

#[test]
fn both_parts_have_a_color() {
    let space = workspace();
    let start = at("rolling volley.aim", "volley");
    let tokens = space.tokens(PATH);
    let class = |start: usize, end: usize| {
        let token = tokens.iter().find(|token| (token.start, token.end) == (start, end));
        token.map(|token| grognard_ide::query::CLASSES[token.class])
    };
    assert_eq!(class(start, start + 6), Some("function"));
    assert_eq!(class(start + 7, start + 10), Some("variable"));
}
