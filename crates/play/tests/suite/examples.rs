//! Examples: good and bad ones of every form of claim.

mod exceptions;
mod forms;

use grognard_base::{Budget, Code, Sources};
use grognard_kit::{Shelf, Shipped};
use grognard_play::examples::{ExampleResult, ExampleVerdict, report, run_examples};
use grognard_program::{Built, Detail};
use grognard_rules::{Library, load};

fn run(path: &str, files: &dyn Library) -> (Vec<ExampleResult>, Sources) {
    let mut sources = Sources::default();
    let loaded = load(path, files, &mut sources);
    let Some(rules) = loaded.ruleset else {
        panic!("{}", grognard_base::render_lines(&loaded.problems, &sources));
    };
    let built = Built::new(rules, Detail::Plain);
    let results = run_examples(&built, &sources, Budget::default());
    (results, sources)
}

#[test]
fn shipped_examples_hold() {
    for path in [
        "warstrike/core",
        "warstrike/action-phase",
        "warstrike/leadership",
        "warstrike/salvo-threshold",
        "warstrike/every-hit",
        "alternate/activation",
        "recoil/results",
    ] {
        let (results, sources) = run(path, &Shipped::default());
        assert!(!results.is_empty(), "{path}");
        let failed = results.iter().filter(|r| r.verdict == ExampleVerdict::Fails).count();
        assert_eq!(failed, 0, "{path}\n{}", report(&results, &sources));
    }
}

#[test]
fn tallies_are_counted() {
    let rules = "ruleset t/t\nkind Unit { state n : 0..20 = 0 }\ntally lost\n\
        proc fall(u: Unit) { roll d = d6; set u.n += d; set lost += d; if d > 4 { set lost += 1 } }\n\
        phase Go(u: Unit) { do fall(u); do fall(u) }\n\
        example \"as they fall\" for Go(u) rolling d = 5, d = 2 { lost = 8; lost == u.n + 1 }\n\
        example \"every way\" for fall(u) { chance lost > 5 = 1/3; mean lost = 23/6; mean u.n + lost = 22/3 }\n\
        example \"before\" for u: Unit { lost = 0 }\n";
    let (results, sources) = run("t/t", &Shelf::of(&[("t/t.rules", rules)]));
    let rendered = report(&results, &sources);
    assert_eq!(results.iter().filter(|r| r.verdict == ExampleVerdict::Holds).count(), 3, "{rendered}");
}

const RULES: &str = r#"
param bite = 3
reading half : Duty = Stay or Go because "the book is silent"
enum Duty { Stay, Go }
kind Side { link units : list of Unit }
kind Unit group of models {
  owner side
  link side : Side
  link models : list of Model
  stat nerve : 0..6
  stat ld : 0..6 = 2
  stat pace(d: Duty) : Length = 6"
  state markers : 0..nerve = 0
  state acted : Flag = no
  let present = all m in models where m.alive
}
kind Model on board { owner unit; link unit : Unit; stat rank : 0..9 = 0 }
trait Brave on Unit
status Ordered(from: Model) on Unit
event Hit(target: Unit, hits: Int)
rule Mark on Hit as h { set h.target.markers += h.hits }
rule Bite on Hit as h when h.hits >= bite { set h.target.acted = yes }
law Cap = every u in Unit: u.markers <= u.nerve
let duty(n: Int): Duty = if n > 1 then Stay else half
test Check(u: Unit, n: Int) {
  choose voice in u.Ordered.from or none prefer most (voice.rank otherwise 0)
  roll dice = n of d6
  let good = count dice <= u.nerve - u.markers
  pass when good > 0
}
test Two(u: Unit) {
  roll a = d6
  roll b = 2d6
  pass when a + b > u.ld
}
proc shed(u: Unit) {
  may drop when u.markers > 0 prefer { set u.markers -= 1 }
}
phase Turn(side: Side) {
  repeat choose action or stop
}
action Shoot in Turn by u {
  choose u in side.units where not u.acted
  needs u has Brave else "only the brave shoot"
  set u.acted = yes
}
action Rest in Turn by u {
  choose u in side.units
  limit 2 per Turn
  set u.markers -= 1
}
"#;

fn one(examples: &str) -> (Vec<ExampleResult>, String) {
    let rules = format!("ruleset t/t\n{RULES}\n{examples}\n");
    let (results, sources) = run("t/t", &Shelf::of(&[("t/t.rules", &rules)]));
    let text = report(&results, &sources);
    (results, text)
}

fn good(examples: &str) {
    let (results, text) = one(examples);
    assert!(results.iter().all(|r| r.verdict == ExampleVerdict::Holds && r.judged > 0), "{text}");
}

/// The example fails with this code, and its report says this.
fn bad(example: &str, code: Code, words: &str) {
    let (results, text) = one(example);
    assert_eq!(results.len(), 1);
    assert_eq!(results[0].verdict, ExampleVerdict::Fails, "{text}");
    assert!(results[0].problems.iter().any(|p| p.code == code), "{text}\n{:?}", results[0].problems);
    assert!(text.contains(words), "{text}");
}

#[test]
fn values_and_readings() {
    good(r#"example "stay" { duty(2) = Stay; duty(1) = Stay }"#);
    good(r#"example "other reading" under half = Go { duty(1) = Go }"#);
    good(
        r#"example "a column" { 
      | half || duty(1) |
      | Stay || Stay |
      | Go   || Go |
    }"#,
    );
    bad(r#"example "wrong" { duty(2) = Go }"#, Code::ExampleFails, "`duty(2)` is Stay, the example says Go");
    bad(r#"example "wrong" { 2 > 3 }"#, Code::ExampleFails, "`2 > 3` does not hold");
    bad(r#"example "no such" under halt = Go { duty(1) = Go }"#, Code::ExampleForm, "did you mean `half`");
    bad(r#"example "type" { duty(2) = 5 }"#, Code::WrongType, "");
}

#[test]
fn events_and_what_is_given() {
    good(r#"example "hits" for Hit(u, 2) with u.nerve = 3 { u.markers = 2; u.acted = no }"#);
    good(
        r#"example "bounds" for Hit(u, n) with u.nerve = 3 {
      | n || u.markers | u.acted |
      | 1 || 1 | no |
      | 5 || 3 | yes |
    }"#,
    );
    good(r#"example "others need no figures" for Hit(u, 1), v: Unit with u.nerve = 3 { u.markers = 1 }"#);
    good(r#"example "keys" for u: Unit with u.pace(Go) = 4" { u.pace(Go) = 4"; u.pace(Stay) = 6" }"#);
    good(
        r#"example "members" for u: Unit, w: Unit with u.models = 5 { size(u.present) = 5; size(w.present) = 1; u.side == w.side }"#,
    );
    good(
        r#"example "named members" for u: Unit with u.models = [a, b], a.rank = 2, a.at = [3, 0], b.at = [0, 4] {
      size(u.present) = 2; dist(a, b) = 5"; a.unit == u }"#,
    );
    good(r#"example "sides" for u: Unit, f: Unit with f.side = enemy { f.side != u.side }"#);
    good(
        r#"example "statuses" for u: Unit with u has Ordered(from: o), u has Brave { u has Brave; o in u.Ordered.from }"#,
    );
    good(r#"example "a proc" for shed(u) with u.nerve = 3, u.markers = 2 { u.markers = 1 }"#);
    good(
        r#"example "a proc, declined" for shed(u) with u.nerve = 3, u.markers = 2 choosing drop = no { u.markers = 2 }"#,
    );
    bad(r#"example "unset" for Hit(u, 2) { u.markers = 2 }"#, Code::ExampleError, "`u.nerve` has no value");
    bad(
        r#"example "derived" for u: Unit with u.present = [m] { size(u.present) = 1 }"#,
        Code::ExampleForm,
        "`present` is derived",
    );
    bad(
        r#"example "near miss" for u: Unit with u.nerv = 1 { u.nerve = 1 }"#,
        Code::ExampleForm,
        "did you mean `nerve`",
    );
    bad(
        r#"example "no value" for Hit(u, n) with u.nerve = 3 { u.markers = 2 }"#,
        Code::ExampleForm,
        "`n` is a parameter that is not a thing",
    );
    bad(r#"example "no call" for Hitt(u, 1) { 1 = 1 }"#, Code::ExampleForm, "did you mean `Hit`");
}

#[test]
fn tests_with_dice() {
    good(r#"example "one good" for Check(u, 2) with u.nerve = 3 rolling [5, 2] { passed; good = 1; dice = [5, 2] }"#);
    good(r#"example "none good" for Check(u, 2) with u.nerve = 3 rolling [5, 4] { not passed; voice is none }"#);
    good(r#"example "by name" for Two(u) rolling a = 1, b = 12 { passed; b = 12; a + b = 13 }"#);
    good(r#"example "faces of a sum" for Two(u) rolling a = 1, b = [1, 2] { b = 3 }"#);
    good(
        r#"example "chosen" for Check(u, 1) with u.nerve = 3, u has Ordered(from: o), u has Ordered(from: p), p.rank = 3
      rolling [1] choosing voice = o { voice == o }"#,
    );
    good(
        r#"example "preferred" for Check(u, 1) with u.nerve = 3, u has Ordered(from: o), u has Ordered(from: p), p.rank = 3
      rolling [1] { voice == p }"#,
    );
    good(
        r#"example "least" for Check(u, 1) with u.nerve = 3, u has Ordered(from: o), u has Ordered(from: p), o.rank = 1, p.rank = 3
      rolling [1] choosing voice = least (voice.rank otherwise 9) { voice == o }"#,
    );
    bad(
        r#"example "no dice" for Check(u, 2) with u.nerve = 3 { passed }"#,
        Code::ExampleRolls,
        "the roll `dice` of u is reached",
    );
    bad(
        r#"example "two rolls" for Two(u) rolling [1] { passed }"#,
        Code::ExampleRolls,
        "name them: `rolling a = .., b = ..`",
    );
    bad(
        r#"example "too few" for Check(u, 2) with u.nerve = 3 rolling [5] { passed }"#,
        Code::ExampleForm,
        "rolls 2 dice, but 1 are given",
    );
    bad(
        r#"example "no face" for Check(u, 1) with u.nerve = 3 rolling [7] { passed }"#,
        Code::ExampleForm,
        "cannot show 7",
    );
    bad(
        r#"example "never" for Two(u) rolling a = 1, b = 2, c = 3 { passed }"#,
        Code::ExampleForm,
        "these rules have no roll `c`",
    );
    let near = "these rules have no roll `Tw.a`; did you mean `Two.a`?";
    bad(r#"example "misspelt" for Two(u) rolling Tw.a = 1 { passed }"#, Code::ExampleForm, near);
}

/// A name of a roll gets the names of rolls as help, not those of decisions.
#[test]
fn a_wrong_roll_gets_the_name_of_a_roll() {
    let (results, text) = one(r#"example "a decision" for Check(u, 1) rolling voise = 1 { passed }"#);
    let problem = &results[0].problems[0];
    assert_eq!(problem.message, "these rules have no roll `voise`", "{text}");
    assert_eq!(problem.help, "write the name of a roll or a draw, as in `rolling Check.dice = ..`");
}

#[test]
fn menus() {
    good(
        r#"example "the brave" for Turn(s), u: Unit, v: Unit with u.side = s, v.side = s, u has Brave {
      offered Shoot(u); offered Shoot; not offered Shoot(v); offered Rest(u: v) }"#,
    );
    good(
        r#"example "actions" for Turn(s), u: Unit with u.side = s, u.nerve = 3, u.markers = 3
      choosing action = Rest(u), action = Rest, action = stop { u.markers = 1 }"#,
    );
    bad(
        r#"example "refused" for Turn(s), u: Unit with u.side = s { offered Shoot(u) }"#,
        Code::ExampleFails,
        "only the brave shoot",
    );
    bad(
        r#"example "offered" for Turn(s), u: Unit with u.side = s { not offered Rest }"#,
        Code::ExampleFails,
        "Rest is on the menu",
    );
    bad(
        r#"example "no menu" for shed(u) with u.nerve = 1 { offered Rest }"#,
        Code::ExampleForm,
        "no `choose action` is reached",
    );
    bad(
        r#"example "not there" for Turn(s), u: Unit with u.side = s choosing action = Shoot { u.acted }"#,
        Code::ExampleForm,
        "which is not on its menu: Rest(u: u), stop; Shoot(u: u) is rejected: only the brave shoot",
    );
}

/// An answer that is not asked for tells of a mistake; in a table one row may do without it.
#[test]
fn an_answer_that_nobody_asks_for() {
    bad(
        r#"example "nothing to shed" for shed(u) with u.nerve = 3 choosing drop = yes { u.markers = 0 }"#,
        Code::Unasked,
        "`drop` was never put to a player, so yes is not used",
    );
    bad(
        r#"example "too late" for Turn(s), u: Unit with u.side = s, u.nerve = 3, u.markers = 3
      choosing action = Rest(u), action = stop, action = Rest(u) { u.markers = 2 }"#,
        Code::Unasked,
        "so Rest(u) is not used",
    );
    good(
        r#"example "some have something" for shed(u) with u.nerve = 3 choosing drop = yes {
      | u.markers || u.markers |
      |     0     ||     0     |
      |     2     ||     1     |
    }"#,
    );
}

/// Offers are claimed of the menu behind the last action that `choosing` picks; `stop` is an answer to that menu.
#[test]
fn a_later_menu() {
    good(
        r#"example "twice and no more" for Turn(s), u: Unit with u.side = s, u.nerve = 3, u.markers = 3
      choosing action = Rest(u), action = Rest(u) { not offered Rest; u.markers = 1 }
    example "still once" for Turn(s), u: Unit with u.side = s, u.nerve = 3, u.markers = 3
      choosing action = Rest(u), action = stop { offered Rest(u); u.markers = 2 }
    example "before" for Turn(s), u: Unit with u.side = s choosing action = stop { offered Rest }
    example "who shot shoots no more" for Turn(s), u: Unit, v: Unit
      with u.side = s, v.side = s, u has Brave, v has Brave choosing action = Shoot(u) {
      not offered Shoot(u); offered Shoot(v) }"#,
    );
    bad(
        r#"example "too often" for Turn(s), u: Unit with u.side = s, u.nerve = 3, u.markers = 3
      choosing action = Rest, action = Rest { offered Rest(u) }"#,
        Code::ExampleFails,
        "Rest(u: u) is refused",
    );
    bad(
        r#"example "over" for Turn(s), u: Unit with u.side = s, u.nerve = 3, u.markers = 3
      choosing action = Rest, action = Rest, action = Rest { not offered Rest }"#,
        Code::ExampleForm,
        "no `choose action` is reached after the answers of `choosing`",
    );
}

/// A menu without entries offers nothing, if it is the one that is looked at.
#[test]
fn an_empty_menu() {
    let rules = "ruleset t/t\nkind Unit { state got : 0..9 = 0 }\nphase Go(u: Unit) { choose action }\n\
        action Take in Go by u { needs no else \"never\"\nset u.got = 1 }\n\
        example \"nothing\" for Go(u) { not offered Take }\n\
        example \"behind nothing\" for Go(u) choosing action = Take { not offered Take }\n";
    let (results, sources) = run("t/t", &Shelf::of(&[("t/t.rules", rules)]));
    let held: Vec<ExampleVerdict> = results.iter().map(|r| r.verdict).collect();
    assert_eq!(held, [ExampleVerdict::Holds, ExampleVerdict::Fails], "{}", report(&results, &sources));
}

/// What is offered may be a column of a table, with yes and no.
#[test]
fn offers_in_a_table() {
    good(
        r#"example "by courage" for Turn(s), u: Unit with u.side = s, u has Brave {
      | u.acted || offered Shoot(u) | not offered Shoot |
      | no      || yes              | no                |
      | yes     || no               | yes               |
    }"#,
    );
    bad(
        r#"example "both ways" for Turn(s), u: Unit with u.side = s, u has Brave {
      | u.acted || offered Shoot(u) |
      | yes     || yes              |
    }"#,
        Code::ExampleFails,
        "row 1: Shoot is not on the menu; the example says yes to `offered Shoot(u)`",
    );
    bad(
        r#"example "the other way" for Turn(s), u: Unit with u.side = s, u has Brave {
      | u.acted || offered Shoot(u) |
      | no      || no               |
    }"#,
        Code::ExampleFails,
        "row 1: Shoot is on the menu; the example says no to `offered Shoot(u)`",
    );
    bad(
        r#"example "neither" for Turn(s), u: Unit with u.side = s {
      | u.acted || offered Shoot(u) |
      | no      || 3                |
    }"#,
        Code::WrongType,
        "",
    );
}

#[test]
fn what_is_given_goes_to_a_thing_with_a_name() {
    let reached = "belongs to another thing; set the value on a thing with a name";
    bad(r#"example "far" for u: Unit with u.side.units = u { u.nerve = 0 }"#, Code::ExampleForm, reached);
    bad(r#"example "far" for m: Model with m.unit.nerve = 3 { m.rank = 0 }"#, Code::ExampleForm, reached);
    good(r#"example "near" for m: Model with m.unit = u, u.nerve = 3 { m.unit.nerve = 3 }"#);
}

/// An example can give a body and take a thing out of play.
#[test]
fn bodies_and_losses_are_given() {
    let run_of = |examples: &str| {
        let rules = format!(
            "ruleset t/t version \"1\"\nkind P on board {{ state v : 0..9 = 5 }}\nkind Deck {{ state cards : 0..9 = 5 }}\n\
             kind Wood on board {{ }}\nproc hit(p: P) {{ set p.v -= 1 }}\nlet apart(a: P, b: P): Length = dist(a, b)\n\
             let left: Int = count p in P\n{examples}\n"
        );
        let (results, sources) = run("t/t", &Shelf::of(&[("t/t.rules", &rules)]));
        (results.iter().map(|r| r.verdict).collect::<Vec<_>>(), report(&results, &sources))
    };
    let (verdicts, text) = run_of(
        r#"
example "discs" for a: P, b: P with a.at = [0, 0], a.base = 1", b.at = [10, 0], b.base = 2" { apart(a, b) = 7" }
example "a segment" for a: P, b: P with a.at = [0, 0], a.length = 4", a.facing = 90°, b.at = [2, 3] { apart(a, b) = 2.236" }
example "an area" for p: P, w: Wood with p.at = [2, 1], w.shape = [[0, 0], [4, 0], [4, 4]] { inside(p, w) }
example "a loss" for hit(p), q: P with q.alive = no { left = 1; p.v = 4; not q.alive }"#,
    );
    assert_eq!(verdicts, [ExampleVerdict::Holds; 4], "{text}");
    // a group goes out of play with its members, and they with it
    good(r#"example "a lost unit" for u: Unit, m: Model with m.unit = u, m.alive = no { not u.alive }"#);
    good(r#"example "its models" for u: Unit, m: Model with m.unit = u, u.alive = no { not m.alive }"#);
    for (example, why) in [
        (r#"for a: P, w: Wood with w.shape = [[0, 0], [4, 0]] { left = 1 }"#, "the `shape` of `w` has 2 corners"),
        (
            r#"for a: P, w: Wood with w.shape = [[0, 0], [4, 4], [4, 0], [0, 4]] { left = 1 }"#,
            "the side from corner 1 to corner 2 of `w` crosses",
        ),
        (r#"for a: P with a.base = -1" { left = 1 }"#, "the body of `a` has a negative size"),
        (r#"for a: P with a.length = 0" { left = 1 }"#, "`a` is a straight piece of length 0"),
        (r#"for a: P with a.base = 1", a.length = 4" { left = 1 }"#, "`a` has more than one body"),
        (
            r#"for a: P, w: Wood with w.shape = [[0, 0], [4, 0], [4, 4]], w.at = [5, 5] { left = 1 }"#,
            "`w` has a `shape` and an `at`",
        ),
        (r#"for a: P with a.bas = 1" { left = 1 }"#, "P has no `bas`; did you mean `base`?"),
        (r#"for d: Deck with d.base = 1" { left = 0 }"#, "Deck has no `base`"),
    ] {
        let (verdicts, text) = run_of(&format!("example \"wrong\" {example}"));
        assert!(verdicts == [ExampleVerdict::Fails] && text.contains(why), "{text}");
    }
}

/// A choice of several is made after the action was picked, and so is what its header works out of it.
#[test]
fn a_value_of_a_header_follows_the_choice_above_it() {
    let rules = "ruleset t/t version \"1\"\nkind Unit { state got : 0..99 = 0 }\nphase Go(u: Unit) { choose action or stop }\n\
        action Take in Go by u {\n  choose 1 .. 2 of xs in [3, 4]\n  let sum = total(xs)\n  let more = sum + 10\n\
        set u.got = more\n}\n\
        example \"both\" for Go(u) choosing action = Take, xs = [3, 4] { u.got = 17 }\n\
        example \"one\" for Go(u) choosing action = Take, xs = [4] { u.got = 14 }\n\
        example \"in the call\" for Go(u) choosing action = Take(xs: [3, 4]) { u.got = 17 }\n";
    let (results, sources) = run("t/t", &Shelf::of(&[("t/t.rules", rules)]));
    assert!(
        results.len() == 3 && results.iter().all(|r| r.verdict == ExampleVerdict::Holds),
        "{}",
        report(&results, &sources)
    );
}

#[test]
fn chances_and_means_are_judged() {
    good(r#"example "sure" for u: Unit with u.nerve = 3 { chance u.nerve == 3 = 1; mean u.nerve = 3 }"#);
    let (results, text) = one(r#"
example "chances" for Check(u, 2) with u.nerve = 3 { chance passed = 3/4; mean good = 1; chance good == 2 given passed = 1/3 }
example "mixed" for Hit(u, 1) with u.nerve = 3 { u.markers = 1; chance u.acted = 0 }
example "wrong" for Check(u, 2) with u.nerve = 3 { chance passed = 2/3; mean good = 4/3 }
example "given dice are given" for Check(u, 2) with u.nerve = 3 rolling dice = [6, 1] { chance passed = 1; mean good = 1 }
example "nothing of it" for Check(u, 2) with u.nerve = 3 { chance passed given good > 2 = 1 }
"#);
    let held: Vec<(ExampleVerdict, usize, usize)> = results.iter().map(|r| (r.verdict, r.held, r.judged)).collect();
    let (holds, fails) = (ExampleVerdict::Holds, ExampleVerdict::Fails);
    let wanted = [(holds, 3, 3), (holds, 2, 2), (fails, 0, 2), (holds, 2, 2), (fails, 0, 0)];
    assert_eq!(held, wanted, "{text}");
    assert!(text.contains("`chance passed` is 3/4, the example says 2/3"), "{text}");
    assert!(text.contains("`mean good` is 1, the example says 4/3"), "{text}");
    assert!(text.contains("the condition given is true at no end"), "{text}");
    bad(r#"example "ill-formed" for Check(u, 2) with u.nerve = 3 { chance pased = 3/4 }"#, Code::UnknownName, "passed");
}
