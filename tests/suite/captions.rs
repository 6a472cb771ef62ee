//! Captions of measures, and names of steps in measures and expectations.

use crate::common::{folder, said};
use std::path::PathBuf;

const RULES: &str = "ruleset g/x version \"1\"

kind Side { state men : 0..20 = 6 }
param need = 4

test Skill(many: Int, least: Int) \"A test of skill\" {
  roll dice = many of d6
  let good = count dice >= need
  pass when good >= least
}
proc volley(s: Side) \"A volley\" { roll aim = 2 of d6
  set s.men -= count aim >= need }
proc mark(n: Int) -> Int \"A mark\" { roll pip = d6
  return pip + n }
";

/// Returns a folder with the rules and one scenario.
fn game(name: &str, scene: &str) -> PathBuf {
    folder(name, &[("g/x.rules", RULES), ("s.toml", &format!("rules = \"g/x\"\n{scene}"))])
}

const CAPTIONS: &str = "[Side.red]
[[step]]
do = \"do volley(red)\"
[report]
chance = { \"Two men down\" = \"red.men == 4\", \"Nobody down\" = \"red.men == 6\" }
mean = { \"Men left\" = \"red.men\" }
hist = [\"red.men\"]
good = { more = [\"Men left\"], less = [\"red.men == 4\"] }
";

#[test]
fn a_caption_replaces_its_expression_in_every_output() {
    let folder = game("captions", CAPTIONS);
    let (code, text) = said(&folder, &["odds", "s.toml"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("chance Two men down: 1/4 = 25.00%"), "{text}");
    assert!(text.contains("chance Nobody down: 1/4") && text.contains("mean Men left: 5,"), "{text}");
    assert!(!text.contains("red.men == "), "{text}");
    for args in [
        &["run", "s.toml"][..],
        &["run", "--trace", "story", "s.toml"],
        &["simulate", "--runs", "100", "s.toml"],
        &["sweep", "--over", "need=3,4", "s.toml"],
        &["compare", ":need=3", "s.toml"],
        &["odds", "s.toml", "--format", "json"],
        &["odds", "s.toml", "--format", "csv"],
        &["simulate", "--runs", "100", "s.toml", "--format", "json"],
        &["sweep", "--over", "need=3,4", "s.toml", "--format", "csv"],
    ] {
        let (_, text) = said(&folder, args);
        assert!(text.contains("Two men down") && text.contains("Men left"), "{args:?}: {text}");
        assert!(!text.contains("red.men == 4"), "{args:?}: {text}");
    }
    let (_, compared) = said(&folder, &["compare", ":need=3", "s.toml"]);
    assert!(compared.contains("Men left: B is worse") && compared.contains("Two men down: B is worse"), "{compared}");
}

#[test]
fn a_caption_names_its_measure() {
    let folder = game("named", CAPTIONS);
    let (code, text) = said(&folder, &["odds", "s.toml", "--of", "Two men down"]);
    assert!(code == 0 && text.starts_with("chance Two men down: 1/4"), "{text}");
    // by its expression it has no caption, and `good` still fits
    let (code, text) = said(&folder, &["compare", ":need=3", "s.toml", "--of", "red.men"]);
    assert!(code == 0 && text.contains("red.men: B is worse"), "{text}");
    let (code, text) = said(&folder, &["compare", ":need=3", "s.toml", "--less", "Nobody down"]);
    assert_eq!(code, 0, "{text}");
    // `[sweep]` names it too
    let scene = format!(
        "{CAPTIONS}[sweep]\nover = [\"need\"]\nvalues = {{ need = [3] }}\nreport = [\"Two men down\", \"red.men\"]\n"
    );
    let folder = game("swept", &scene);
    let (code, text) = said(&folder, &["sweep", "s.toml"]);
    assert!(code == 0 && text.contains("Two men down") && text.contains("red.men"), "{text}");
}

#[test]
fn faults_of_captions_are_explained() {
    for (report, wanted) in [
        ("chance = { \"\" = \"red.men == 4\" }", "a caption must be a line of text"),
        ("chance = { \"a\\u001bb\" = \"red.men == 4\" }", "a caption must be a line of text"),
        ("chance = { \"Down\" = 4 }", "a measure must be a text in quotes, not a number"),
        ("chance = { \"Down\" = \"red.men\" }", "R0301"),
        ("mean = 3", "with captions: `mean = { \"Losses\" = \"red.losses\" }`"),
        (
            "chance = { \"Down\" = \"red.men == 4\" }\ngood = { more = [\"Dawn\"] }",
            "no measure `Dawn`; did you mean `Down`?",
        ),
    ] {
        let scene = format!("[Side.red]\n[[step]]\ndo = \"do volley(red)\"\n[report]\n{report}\n");
        let (code, text) = said(&game("faulty", &scene), &["run", "s.toml"]);
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
        assert!(code == 1 && flat.contains(wanted), "{report}: {text}");
    }
}

#[test]
fn what_a_step_binds_is_known_at_the_end() {
    let scene = "[Side.red]
[report]
chance = { \"It works\" = \"s.passed\" }
mean = [\"s.good\", \"n + 1\", \"pip\"]
hist = [\"high\", \"size(s.dice)\", \"thrown\"]
[[step]]
do = \"let s = test Skill(3, 2)\"
expect = [\"s.good >= 0\", \"s.many == 3\"]
[[step]]
do = \"let n = do mark(2)\"
[[step]]
do = \"let (pip, high) = (3, yes)\"
[[step]]
do = \"roll thrown = 2d6\"
[[step]]
do = \"do volley(red)\"
[[expect]]
that = \"s.good <= 3\"
chance = { \"s.passed and high\" = \"1/2\", \"s.passed given s.good > 0\" = \"4/7\" }
mean = { \"s.good\" = \"3/2\" }
";
    let folder = game("steps", scene);
    let (code, text) = said(&folder, &["odds", "s.toml"]);
    assert_eq!(code, 0, "{text}");
    for line in ["chance It works: 1/2", "mean s.good: 3/2", "mean n + 1: 13/2", "mean pip: 3,"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(text.contains("  3  1 ") && text.contains("  7  1/6"), "{text}");
    let (code, text) = said(&folder, &["run", "s.toml"]);
    assert!(code == 0 && text.contains("s.good = "), "{text}");
    // the kept values are not changes of the table
    assert!(!text.contains("->") || text.matches("->").count() == text.matches("men 6 ->").count(), "{text}");
    let (code, text) = said(&folder, &["test", "s.toml"]);
    assert!(code == 0 && text.contains("1 passed"), "{text}");
    let (code, text) = said(&folder, &["simulate", "--runs", "4000", "s.toml"]);
    assert!(code == 0 && text.contains("chance It works: "), "{text}");
    let (code, text) = said(&folder, &["compare", ":need=5", "s.toml"]);
    assert!(code == 0 && text.contains("It works: less often in B"), "{text}");
}

/// Faces that no measure reads stay symbolic, as before.
#[test]
fn a_kept_result_costs_only_what_is_read() {
    let scene = "[[step]]\ndo = \"let s = test Skill(19, 9)\"\n[report]\nchance = [\"s.passed\"]\n";
    let (code, text) = said(&game("cheap", scene), &["odds", "s.toml"]);
    assert!(code == 0 && text.contains("chance s.passed: 177261/262144"), "{text}");
    let states = text.lines().last().and_then(|line| line.split(' ').next()?.parse::<u32>().ok());
    assert!(states.is_some_and(|n| n < 40), "{text}");
}

#[test]
fn names_of_steps_keep_to_their_places() {
    // a thing of the table keeps its name, a later step binds a name again, and a query may use it
    let scene = "[Side.red]
[[step]]
do = \"let red = do mark(0)\"
[[step]]
do = \"let n = do mark(0)\"
[[step]]
do = \"let n = do mark(100)\"
[[expect]]
that = [\"red.men == 6\", \"n > 100\", \"any n in Side where n.men == 6\"]
";
    let (code, text) = said(&game("again", scene), &["test", "s.toml"]);
    assert!(code == 0 && text.contains("1 passed"), "{text}");
    // before its step and in the rules there is no such name
    for (early, wanted) in [
        ("[[step]]\ndo = \"let n = do mark(0)\"\n[[step]]\ndo = \"set red.men = n\"\n", "unknown name `n`"),
        ("start = \"Go\"\nrepeat = \"until n > 3\"\n[[step]]\ndo = \"let n = do mark(0)\"\n", "unknown name `n`"),
    ] {
        let (code, text) = said(&game("early", &format!("{early}[Side.red]\n")), &["run", "s.toml"]);
        assert!(code == 1 && text.contains(wanted), "{early}: {text}");
    }
}
