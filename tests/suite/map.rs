//! Maps of runs: what they show, pinned as pictures; that names cannot break out of them; and what is said when there
//! can be none.

use crate::common::{err, folder, output, root};
use grognard_board::{Point, Shape};
use grognard_play::map::{Map, Piece, Stand};
use grognard_report as report;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Plays a scenario without telling it.
fn run(folder: &Path, args: &[&str]) -> Output {
    output(folder, &[&["run", "--trace", "none"], args].concat())
}

/// The map of a scenario, drawn twice to the same text.
fn map(from: &Path, scene: &str, folder: &Path) -> String {
    let file = folder.join("map.svg");
    let mut drawn = (0..2).map(|_| {
        let output = run(from, &[scene, "--map", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{scene}: {}", err(&output));
        std::fs::read_to_string(&file).unwrap()
    });
    let (first, again) = (drawn.next().unwrap(), drawn.next().unwrap());
    assert_eq!(first, again);
    first
}

#[test]
fn shipped_scenarios() {
    let folder = folder("shipped", &[]);
    for name in ["squad-falls-back", "rout-from-several", "no-way-out", "refuge-too-near"] {
        let scene = format!("rulesets/warstrike/scenarios/{name}.toml");
        insta::assert_snapshot!(name, map(root(), &scene, &folder));
    }
}

const RULES: &str = r#"ruleset g/ground version "1"

enum Going { Open, Rough, Bog }

kind Side "A side" { link squads : list of Squad }
kind Squad group of models {
  owner side
  link side   : Side
  link models : list of Man
}
kind Man on board {
  owner side
  link squad : Squad
  let  side  = squad.side
}
kind Area on board {
  stat going  : Going = Rough
  stat blocks : Flag = no
}
kind Wall on board { stat going : Going = Open }

proc march(m: Man, foe: Man) {
  if m within 12" of foe { move m { at least 1"; at most 4"; away from foe; ends within 20" of foe } }
}
proc slide(s: Squad, foe: Man) { move s { exactly 3"; away from foe; keeps facing } }
proc fall(m: Man) { destroy m "shot" }
proc jump(m: Man, past: Wall) { place m at past }
proc wheel(m: Man) { turn m by 90° }
"#;

const SCENE: &str = r#"rules = "g/ground"
[board]
size = [36, 24]
[Side.north]
[Side.south]
[Squad]
watch = { side = "north" }
lone  = { side = "south" }
[Man]
ann = { squad = "watch", at = [10, 12], base = 0.5, facing = 90 }
bob = { squad = "watch", at = [10, 14], base = 0.5, facing = 90 }
cyd = { squad = "lone", at = [18, 12], base = 0.5, facing = 270 }
[Area]
wood = { shape = [[4, 3], [9, 2], [12, 6], [7, 9]], blocks = true }
mire = { shape = [[22, 14], [30, 14], [30, 20], [22, 20]], going = "Bog" }
[Wall]
hedge = { at = [24, 8], length = 8, facing = 45 }
[[step]]
do = "do march(ann, cyd)"
[[step]]
do = "do slide(watch, cyd)"
[[step]]
do = "do wheel(cyd)"
expect = ["dist(cyd, mire) > 0"]
[[step]]
do = "do fall(bob)"
[[step]]
do = "do jump(cyd, hedge)"
"#;

fn ground(name: &str, scene: &str) -> PathBuf {
    folder(name, &[("g/ground.rules", RULES), ("ground.toml", scene)])
}

#[test]
fn terrain_facings_groups_and_what_left() {
    let folder = ground("ground", SCENE);
    let drawn = map(&folder, "ground.toml", &folder);
    for words in
        ["Area: Rough, blocks sight", "Area: Bog", "Wall: Open", "left play here", "placed elsewhere, by number"]
    {
        assert!(drawn.contains(&format!(">{words}<")), "{words}");
    }
    for range in ["7&quot;, within 12&quot;", "11&quot;, within 20&quot;", "3.972&quot;"] {
        assert!(drawn.contains(&format!(">{range}<")), "{range}");
    }
    insta::assert_snapshot!(drawn);
}

#[test]
fn one_picture_a_move() {
    let folder = ground("steps", SCENE);
    let steps = folder.join("deep/steps");
    let output = run(&folder, &["ground.toml", "--map-steps", "deep/steps"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let mut names: Vec<String> =
        std::fs::read_dir(&steps).unwrap().map(|f| f.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, ["move-01.svg", "move-02.svg", "move-03.svg"]);
    let first = std::fs::read_to_string(steps.join("move-01.svg")).unwrap();
    assert!(first.contains(">ground: move 1 of 3<") && first.contains("kept: at least 1&quot;"));
    // of three moves only the first is drawn, and nobody has left yet
    assert_eq!(first.matches("class=\"number\"").count(), 1);
    assert!(!first.contains("left play"));
    insta::assert_snapshot!(std::fs::read_to_string(steps.join("move-02.svg")).unwrap());
}

/// A run that a trace could not be followed to the end of still has its map.
#[test]
fn a_run_that_fails_is_drawn_so_far() {
    let scene = SCENE.to_string() + "expect = [\"cyd.at == [1, 1]\"]\n";
    let folder = ground("fails", &scene);
    assert_eq!(run(&folder, &["ground.toml", "--map", "map.svg"]).status.code(), Some(1));
    assert!(std::fs::read_to_string(folder.join("map.svg")).unwrap().ends_with("</svg>\n"));
}

#[test]
fn names_cannot_break_out() {
    let evil = "</text><script>alert('x')</script>\u{1b}[2J\u{0}";
    let piece = |fights, shape, class: &str| Piece {
        name: evil.to_string(),
        shape,
        fights,
        side: fights.then_some(0),
        group: fights.then(|| format!("\"{evil}")),
        class: class.to_string(),
    };
    let stand = Stand { at: Some(Point::inches(3, 3)), facing: 0 };
    let map = Map {
        name: evil.to_string(),
        sides: vec![evil.to_string()],
        pieces: vec![piece(true, Shape::Disc { radius: 0 }, "Man"), piece(false, Shape::Segment { length: 4 }, evil)],
        start: vec![stand, stand],
        end: vec![stand, stand],
        ..Map::default()
    };
    let drawn = report::map(&map);
    assert!(drawn.contains("&lt;script&gt;"));
    assert!(!drawn.contains("<script") && !drawn.chars().any(|c| c.is_control() && c != '\n'));
    // every tag that is opened is one of ours
    for tag in drawn.split('<').skip(1) {
        let name = tag.trim_start_matches('/').split([' ', '>', '/']).next().unwrap();
        assert!(
            [
                "svg", "title", "style", "defs", "pattern", "rect", "path", "marker", "line", "text", "circle",
                "polygon", "polyline"
            ]
            .contains(&name),
            "{name}"
        );
    }
}

#[test]
fn a_table_beyond_measure_is_still_a_picture() {
    let far = |x, y| Stand { at: Some(Point::new(x, y)), facing: 0 };
    let piece = Piece {
        name: "far".into(),
        shape: Shape::Disc { radius: 1 << 24 },
        fights: true,
        side: None,
        group: None,
        class: String::new(),
    };
    let limit = grognard_board::LIMIT;
    let map = Map {
        pieces: vec![piece.clone(), piece],
        start: vec![far(-limit, -limit), far(limit, limit)],
        end: vec![far(limit, limit), far(-limit, limit)],
        ..Map::default()
    };
    assert!(report::map(&map).len() < 100_000);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let folder = ground("none", SCENE);
    std::fs::write(folder.join("bare.toml"), "rules = \"g/ground\"\n[Side.north]\n[Squad]\nwatch = { side = \"north\" }\n[[step]]\ndo = \"set watch.side = north\"\n").unwrap();
    let output = run(&folder, &["bare.toml", "--map", "map.svg"]);
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
    assert!(
        err(&output).contains("has a position on the table") && err(&output).contains("at = [12, 20]"),
        "{}",
        err(&output)
    );
    assert!(!folder.join("map.svg").exists());
    let sampled = run(root(), &["rulesets/warstrike/scenarios/firefight.toml", "--map", "map.svg"]);
    assert_eq!(sampled.status.code(), Some(2));
    assert!(err(&sampled).contains("not a single run"));
    let nowhere = run(root(), &["rulesets/warstrike/scenarios/no-way-out.toml", "--map", "no/such/folder/map.svg"]);
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(err(&nowhere).contains("cannot be written"));
}
