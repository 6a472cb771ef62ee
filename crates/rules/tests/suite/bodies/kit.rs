//! A small game to hang rules on, and short ways to say what is expected of them.

use grognard_base::{Code, Sources};
use grognard_kit::Shelf;
use grognard_rules::Loaded;
use grognard_rules::ruleset::Ruleset;

/// The vocabulary of the small game.
pub const GAME: &str = r#"
enum Cover { Bare < Soft < Hard }
enum Mood { Calm, Wild, Free }
enum Gait { Free, Bound }
chain Quality = d4 < d6 < d8
die Face of Mood = Calm, 2 Wild
record Shot(from: Unit, target: Unit)
kind Side { link units : list of Unit }
kind Unit group of models {
  owner side
  link  side   : Side
  link  models : list of Model
  link  boss   : Unit? tree
  stat  nv     : 0..6 = 3
  stat  q      : Quality = d6
  stat  cover  : Cover = Bare
  stat  pace(c: Cover) : Length = 6"
  state hits   : 0..6 = 0
  state mood   : Mood = Calm
  state mv     : Length = 5"
  let leader   = most m in models by m.rank
}
kind Model on board { link unit : Unit; stat rank : 0..9 = 0; state hurt : Flag = no }
status Marked(by_whom: Model) on Unit
status Slow on Unit
trait Brave on Unit
tally throws
state turn : 0..9 = 0
event Hit(target: Unit, amount: Int)
phase Turn(side: Side) shares left: 0.. = 2 { let inner = 1; repeat choose action or stop while left > inner }
phase Other(unit: Unit) { choose action }
action Go in Turn by unit { cost 1 left; choose unit in side.units where unit.hits == 0; set unit.hits += 1 }
action Rest in Other { needs unit.hits > 0; set unit.hits = 0 }
test Nerve(u: Unit) { roll dice = 2 of d6; let good = count dice <= u.nv; pass when good > 0 }
proc heal(u: Unit) { set u.hits = 0 }
let half(n: Int) = n / 2
"#;

/// Loads the small game with more rules.
pub fn check(text: &str) -> (Loaded, Sources) {
    Shelf::of(&[("g/x.rules", &format!("ruleset g/x version \"1\"\n{GAME}\n{text}\n"))]).load("g/x")
}

/// The errors and warnings a text has, as code, text and message.
pub fn findings(text: &str) -> Vec<(Code, String, String)> {
    let (loaded, sources) = check(text);
    let ours = loaded.problems.iter().filter(|p| p.code != Code::Unused && p.code != Code::Uncited);
    ours.map(|p| {
        let at = p.span.map(|s| sources.slice(s).to_string()).unwrap_or_default();
        (p.code, at, p.message.clone())
    })
    .collect()
}

/// Nothing is wrong with these rules.
#[track_caller]
pub fn good(text: &str) -> Ruleset {
    let found: Vec<_> =
        findings(text).into_iter().filter(|(c, ..)| c.severity() >= grognard_base::Severity::Warning).collect();
    assert!(found.is_empty(), "{text}\n{found:#?}");
    check(text).0.ruleset.expect("a ruleset without errors")
}

/// Exactly this is wrong with these rules.
#[track_caller]
pub fn bad(code: Code, text: &str, message: &str) {
    let found = findings(text);
    let codes: Vec<Code> = found.iter().map(|f| f.0).collect();
    assert_eq!(codes, [code], "{text}\n{found:#?}");
    assert!(found[0].2.contains(message), "{text}\n{found:#?}");
}

/// Exactly this is wrong with these rules, and this is said to help.
#[track_caller]
pub fn helps(code: Code, text: &str, message: &str, help: &str) {
    let (loaded, _) = check(text);
    let found: Vec<_> = loaded.problems.iter().filter(|p| p.code != Code::Unused && p.code != Code::Uncited).collect();
    let fits = |p: &&&grognard_base::Diagnostic| p.code == code && p.message.contains(message) && p.help.contains(help);
    assert!(found.len() == 1 && found.iter().any(|p| fits(&p)), "{text}\n{found:#?}");
}
