//! Every form of the reference and what it does: small rules, claims that hold, and claims that do not.

mod decisions;
mod order;
mod scenes;
mod statements;

use super::run;
use grognard_base::Sources;
use grognard_base::value::{Op, ops::OpSort};
use grognard_kit::{Shelf, root};
use grognard_play::examples::{ExampleVerdict, report};
use grognard_play::{self as play, Options};
use grognard_program::Detail;
use grognard_rules::load;
use grognard_scenario as scenario;
use scenes::SCENES;

/// What the rows may use.
const TABLE: &str = r#"
enum Going { Open < Rough < Bog }
chain Quality = d4 < d6 < d8 < d10 < d12
die Average of 2..5 = 2, 3, 3, 4, 4, 5
kind Side { link units : list of Unit }
kind Unit group of models {
  owner side
  link side : Side
  link models : list of Model
  link boss : Unit? tree
  stat nerve : 0..6 = 3
  stat quality : Quality = d8
  stat mv : Length = 5"
  state markers : 0..nerve = 0
  state acted : Flag = no
}
kind Model on board { owner unit; link unit : Unit; stat rank : 0..9 = 0 }
kind Wall on board { stat blocks : Flag = yes }
kind Wood on board { stat blocks : Flag = no }
event Hit(target: Unit, hits: Int)
status Ordered(from: Model) on Unit
phase Turn(side: Side) shares picks: 0..9 = 3 { repeat choose action or stop while picks > 0 }
"#;

/// The table of the scenes: discs, a wall that hides, a wood that does not.
const SCENE: &str = r#"
rules = "t/t"
[board]
size = [48, 36]
[players]
red  = ["policy:Own", "prefer"]
blue = "prefer"
[Side.red]
[Side.blue]
[Unit.one]
side = "red"
[Unit.two]
side = "blue"
[Model]
a = { unit = "one", at = [10, 10], facing = 0, base = 1 }
b = { unit = "two", at = [20, 10], facing = 90, base = 1 }
c = { unit = "two", at = [10, 30], facing = 180 }
[Wall]
w = { at = [10, 20], length = 4, facing = 0 }
[Wood]
f = { shape = [[14, 7], [16, 7], [16, 13], [14, 13]] }
"#;

/// A form as the reference writes it, rules with it in them, and examples that hold and that do not.
struct Form(&'static str, &'static str, &'static [&'static str], &'static [&'static str]);

/// The same where bodies or players matter: a statement is carried out on the table of the scenes.
struct Scene(&'static str, &'static str, &'static str, &'static [&'static str], &'static [&'static str]);

/// Returns the forms of all parts of the reference.
fn forms() -> impl Iterator<Item = &'static Form> {
    [statements::STATEMENTS, decisions::DECISIONS, order::ORDER].into_iter().flatten()
}

/// What is wrong with the claims of a form: each that holds and should not, or the other way round.
fn judged(rules: &str, hold: &[&str], fail: &[&str]) -> Result<(), String> {
    let claims = hold.iter().chain(fail).enumerate();
    let text: String = claims.map(|(n, claim)| format!("example \"{n}\" {claim}\n")).collect();
    let text = format!("ruleset t/t version \"1\"\n{TABLE}\n{rules}\n{text}");
    let (results, sources) = run("t/t", &Shelf::of(&[("t/t.rules", &text)]));
    let verdicts: Vec<_> = results.iter().map(|r| r.verdict == ExampleVerdict::Holds).collect();
    // a claim that cannot be read fails too, and says nothing
    let unread = results.iter().flat_map(|r| &r.problems).any(|p| !p.code.to_string().starts_with("R07"));
    if verdicts == wanted(hold, fail) && !unread { Ok(()) } else { Err(report(&results, &sources)) }
}

fn wanted(hold: &[&str], fail: &[&str]) -> Vec<bool> {
    let mut wanted = vec![true; hold.len()];
    wanted.resize(hold.len() + fail.len(), false);
    wanted
}

/// The same of a scene.
fn played(rules: &str, act: &str, hold: &[&str], fail: &[&str]) -> Result<(), String> {
    let idle = "policy Own { idle = yes }\nproc idling(u: Unit) { may idle { } }";
    let policy = if rules.contains("policy Own") { "" } else { idle };
    let text = format!("ruleset t/t version \"1\"\n{TABLE}\n{policy}\n{rules}\n");
    let shelf = Shelf::of(&[("t/t.rules", &text)]);
    let claims: Vec<String> = hold.iter().chain(fail).map(|claim| format!("'{claim}'")).collect();
    let scene = format!("{SCENE}\n[[step]]\ndo = '{act}'\nexpect = [{}]\n", claims.join(", "));
    let mut sources = Sources::default();
    let shown = |found: &[_], sources: &_| grognard_base::render_lines(found, sources);
    let document = scenario::read("t/s.toml", scene, &shelf, &mut sources).map_err(|f| shown(&f, &sources))?;
    let loaded = load("t/t", &shelf, &mut sources);
    let set = loaded.ruleset.ok_or_else(|| shown(&loaded.problems, &sources))?;
    let built = scenario::build(&document, set, &[], &sources, Detail::Plain).map_err(|f| shown(&f, &sources))?;
    let outcome = play::play(&built, Options::default());
    let verdicts: Vec<_> = outcome.checks.iter().map(|c| c.verdict == play::Verdict::Holds).collect();
    if verdicts == wanted(hold, fail) {
        Ok(())
    } else {
        Err(format!("{verdicts:?} {}", shown(&outcome.problems, &sources)))
    }
}

#[test]
fn every_form_does_what_the_reference_says() {
    let pages = std::fs::read_dir(root().join("docs/language")).unwrap().flatten();
    let reference: String = pages.map(|page| std::fs::read_to_string(page.path()).unwrap()).collect();
    let mut wrong = String::new();
    let all = forms().map(|Form(form, rules, hold, fail)| (form, rules, None, hold, fail));
    let scenes = SCENES.iter().map(|Scene(form, rules, act, hold, fail)| (form, rules, Some(act), hold, fail));
    for (form, rules, act, hold, fail) in all.chain(scenes) {
        assert!(!hold.is_empty() && !fail.is_empty(), "{form}");
        assert!(!form.starts_with('`') || reference.contains(form), "the reference has no {form}");
        let found = std::panic::catch_unwind(|| match act {
            None => judged(rules, hold, fail),
            Some(act) => played(rules, act, hold, fail),
        });
        match found {
            Ok(Ok(())) => {}
            Ok(Err(rendered)) => wrong += &format!("{form}:\n{rendered}\n"),
            Err(_) => wrong += &format!("{form}: cannot be read\n"),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A new operator or builtin needs a case here too.
#[test]
fn every_operation_of_the_reference_has_a_case() {
    let all = forms().map(|Form(_, rules, ..)| rules);
    let scenes = SCENES.iter().map(|Scene(_, rules, ..)| rules);
    let mut used = String::new();
    for rules in all.chain(scenes) {
        let text = format!("ruleset t/t version \"1\"\n{TABLE}\n{rules}\n");
        let loaded = load("t/t", &Shelf::of(&[("t/t.rules", &text)]), &mut Sources::default());
        used += &loaded.ruleset.map_or(String::new(), |set| format!("{set:?}"));
    }
    let unused = |op: &&Op| {
        let seen = [format!("Op({op:?},"), format!("Tree {{ op: {op:?},"), format!("kind: {op:?}(PhaseId(")];
        op.sort() != OpSort::Hidden && !seen.iter().any(|s| used.contains(s))
    };
    let unused: Vec<&Op> = Op::ALL.iter().filter(unused).collect();
    assert!(unused.is_empty(), "no case has {unused:?}");
}
