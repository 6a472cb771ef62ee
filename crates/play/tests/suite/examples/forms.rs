//! Every form of the reference and what it does: small rules, claims that hold, and claims that do not.

use super::run;
use grognard_base::Sources;
use grognard_base::value::{Op, ops::OpSort};
use grognard_kit::{Shelf, text_of};
use grognard_play::examples::{ExampleVerdict, report};
use grognard_play::{self as play, Options};
use grognard_program::Detail;
use grognard_rules::load;
use grognard_scenario as scenario;

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
    let reference = text_of("docs/language.md");
    let mut wrong = String::new();
    let forms = FORMS.iter().map(|Form(form, rules, hold, fail)| (form, rules, None, hold, fail));
    let scenes = SCENES.iter().map(|Scene(form, rules, act, hold, fail)| (form, rules, Some(act), hold, fail));
    for (form, rules, act, hold, fail) in forms.chain(scenes) {
        assert!(!hold.is_empty() && !fail.is_empty(), "{form}");
        assert!(!form.starts_with('`') || reference.contains(form), "the reference has no {form}");
        let found = std::panic::catch_unwind(|| match act {
            None => judged(rules, hold, fail),
            Some(act) => played(rules, act, hold, fail),
        });
        match found {
            Ok(Ok(())) => {}
            Ok(Err(told)) => wrong += &format!("{form}:\n{told}\n"),
            Err(_) => wrong += &format!("{form}: cannot be read\n"),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A new operator or builtin needs a case here too.
#[test]
fn every_operation_of_the_reference_has_a_case() {
    let forms = FORMS.iter().map(|Form(_, rules, ..)| rules);
    let scenes = SCENES.iter().map(|Scene(_, rules, ..)| rules);
    let mut used = String::new();
    for rules in forms.chain(scenes) {
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

const FORMS: &[Form] = &[
    // statements, values, traits, lines of moves
    Form(
        "`var x : Type = value`",
        "proc p(k: Int) -> Int { var x : Int = k
         set x += 2
         set x -= 1
         return x }",
        &["for p(3) { result = 4 }"],
        &["for p(3) { result = 3 }"],
    ),
    Form(
        "`set slot = v`, `+= v`, `-= v`",
        "proc p(u: Unit) { set u.markers = 2
         set u.markers += 9
         set u.markers -= 1 }
         proc q(u: Unit) -> Int { var xs: list of Int = []
         set xs += 3
         set xs += [4, 3]
         set xs -= 3
         set xs -= [5, 4]
         return 10 * total(xs) + size(xs - [3, 3]) }",
        &[
            "for p(u) with u.nerve = 4 { u.markers = 3 }",
            "for q(u) { result = 30 }",
        ],
        &["for p(u) with u.nerve = 4 { u.markers = 10 }"],
    ),
    Form(
        "`set slot = v until end of P`",
        "phase Day(u: Unit) { set u.acted = yes until end of Day
         set u.markers += (if u.acted then 1 else 0) }",
        &["for Day(u) { u.acted = no; u.markers = 1 }"],
        &["for Day(u) { u.acted = yes }"],
    ),
    Form(
        "`grant S(..) to u until ...`",
        "proc g(u: Unit, m: Model) { grant Ordered(from: m) to u
         grant Ordered(from: m) to u }
         proc r(u: Unit, m: Model) { grant Ordered(from: m) to u
         revoke all Ordered from u }
         phase Day(u: Unit, m: Model) { grant Ordered(from: m) to u until end of Day
         if u has Ordered { set u.markers += 1 } }",
        &[
            "for g(u, m) { u has Ordered; size(u.Ordered) = 1 }",
            "for r(u, m) { u has no Ordered }",
            "for Day(u, m) { u has no Ordered; u.markers = 1 }",
        ],
        &["for r(u, m) { u has Ordered }"],
    ),
    Form(
        "`revoke S from u`, `revoke S(..) from u`, `revoke all S from u`",
        "status Tired on Unit
         proc rest(u: Unit) { grant Tired to u
         revoke Tired from u }
         proc one(u: Unit, m: Model, n: Model) { grant Ordered(from: m) to u
         grant Ordered(from: n) to u
         revoke Ordered(from: m) from u }
         proc both(u: Unit, m: Model, n: Model) { grant Ordered(from: m) to u
         grant Ordered(from: n) to u
         revoke all Ordered from u }",
        &[
            "for rest(u) { u has no Tired }",
            "for one(u, m, n) { size(u.Ordered) = 1; n in u.Ordered.from }",
            "for both(u, m, n) { u has no Ordered }",
        ],
        &["for one(u, m, n) { m in u.Ordered.from }"],
    ),
    Form(
        "`set slot = v until end of P`",
        "phase Short(u: Unit) { set u.markers = 3 until end of Short
         set u.markers -= 1 }
         phase Long(u: Unit) { set u.markers = 1 until end of Long
         run Short(u)
         set u.acted = u.markers == 1 }
         phase Lasting(u: Unit) { set u.markers = 3 until end of Lasting
         set u.markers = 2 }
         status Weak on Unit { modify nerve -= 2 }
         phase Cut(u: Unit) { grant Weak to u until end of Cut }
         phase Again(u: Unit, more: Flag) { set u.acted = yes until end of Again
         if more { run Again(u, no)
         if u.acted { set u.markers = 1 } } }",
        &[
            "for Short(u) with u.markers = 2 { u.markers = 1 }",
            "for Long(u) with u.markers = 2 { u.markers = 1; not u.acted }",
            "for Lasting(u) { u.markers = 2 }",
            "for Cut(u) with u.markers = 3 { u.markers = 3 }",
            "for Again(u, yes) { u.markers = 1; not u.acted }",
        ],
        &["for Short(u) with u.markers = 2 { u.markers = 2 }", "for Again(u, yes) { u.acted }"],
    ),
    Form(
        "`until match v { pattern => end of P; else => none }`",
        "phase Day(u: Unit, m: Model, k: Int) {
         grant Ordered(from: m) to u until match k { 1 => end of Day
         over 1 when k == 7 => end of Day for u
         else => none }
         set u.acted = yes until match first k > 1 { yes => none
         no => end of Day }
         set u.markers = size(u.Ordered) }",
        &[
            "for Day(u, m, 1) { u.markers = 1; u has no Ordered; u.acted = no }",
            "for Day(u, m, 7) { u.markers = 1; u has no Ordered; u.acted = yes }",
            "for Day(u, m, 2) { u.markers = 1; u has Ordered; u.acted = yes }",
        ],
        &["for Day(u, m, 2) { u has no Ordered }"],
    ),
    Form(
        "`match v { pattern => statement or block }`",
        "proc p(k: Int) -> Int { var x = 0
         match k { under 0 => set x = 1
         0 | 1 => { }
         over 1 => { set x = 3 } }
         return x }",
        &[
            "for p(-4) { result = 1 }",
            "for p(1) { result = 0 }",
            "for p(2) { result = 3 }",
        ],
        &["for p(1) { result = 3 }"],
    ),
    Form(
        "`each x in XS where C { }`",
        "proc p() -> Int { var s = 0
         each x in [1, 2, 3, 4] where x > 1 { if x == 4 { stop }
         set s = 10 * s + x }
         return s }
         proc dead(u: Unit) -> Int { var s = 0
         each m in u.models { set s += 1
         each o in u.models where o != m { destroy o \"gone\" } }
         return s }",
        &[
            "for p() { result = 23 }",
            "for dead(u), m: Model, n: Model with u.models = [m, n] { result = 1 }",
        ],
        &["for p() { result = 234 }"],
    ),
    Form(
        "`each x in XS ordered by E { }`",
        "proc p() -> Int { var s = 0
         each x in [3, 1, 2] ordered by 0 - x { set s = 10 * s + x }
         return s }",
        &["for p() { result = 321 }"],
        &["for p() { result = 123 }"],
    ),
    Form(
        "`each x in XS chosen as n { }`",
        "proc p() -> Int { var s = 0
         each x in [3, 1, 3] chosen as who { set s = 10 * s + x }
         return s }",
        &[
            "for p() { result = 313 }",
            "for p() choosing who = 1, who = 3, who = 3 { result = 133 }",
        ],
        &["for p() choosing who = 2 { result = 313 }"],
    ),
    Form(
        "`repeat { } while C`",
        "proc p(k: Int) -> Int { var n = 0
         repeat { set n += 1 } while n < k
         return n }",
        &[
            "for p(0) { result = 0 }",
            "for p(3) { result = 3 }",
        ],
        &["for p(0) { result = 1 }"],
    ),
    Form(
        "`end P`",
        "phase Day(u: Unit) { set u.markers = 1
         if u.markers == 1 { end Day }
         set u.markers = 2 }",
        &["for Day(u) { u.markers = 1 }"],
        &["for Day(u) { u.markers = 2 }"],
    ),
    Form(
        "`cancel action`",
        "action Go in Turn by unit { choose unit in side.units where not unit.acted
         cost 1 picks
         set unit.acted = yes }
         rule No on start of Go as a when a.unit.nerve == 0 { cancel action }",
        &[
            "for Turn(s), u: Unit with u.side = s { u.acted }",
            "for Turn(s), u: Unit with u.side = s, u.nerve = 0 { not u.acted }",
        ],
        &["for Turn(s), u: Unit with u.side = s, u.nerve = 0 { u.acted }"],
    ),
    Form(
        "`place u at p`, `turn u by a`, `turn u to a`",
        "proc p(m: Model, spot: Place) { place m at spot
         turn m to 350°
         turn m by 20° }",
        &["for p(m, [3, 4]) { dist(m, [0, 0]) = 5\"; ahead(m) = 10° }"],
        &["for p(m, [3, 4]) { ahead(m) = 20° }"],
    ),
    Form(
        "`destroy u \"why\"`",
        "proc p(u: Unit) { destroy u \"gone\" }",
        &["for p(u), m: Model with u.models = [m] { not m.alive; not u.alive }"],
        &["for p(u), m: Model with u.models = [m] { m.alive }"],
    ),
    Form(
        "on destroy of",
        "trait Mine on Model { rule Bang on destroy of Model as d when d.thing == self {
           each o in Model where o != self and o within 2\" of self { set o.unit.markers += 1 } } }
         rule Counted on destroy of Model as d { set d.thing.unit.acted = yes }
         rule Gone on destroy of Unit as d { set d.thing.side.units = [] }
         proc p(m: Model) { destroy m \"gone\" }
         proc q(u: Unit) { destroy u \"gone\" }",
        &[
            "for p(m), u: Unit, v: Unit with u.models = [m], v.models = [o], m has Mine, m.at = [5, 5], o.at = [6, 5] { v.markers = 1; not u.alive; v.alive; u.acted }",
            "for q(u), v: Unit with u.models = [m, n], v.models = [o] { u.acted; not n.alive; not v.acted }",
        ],
        &["for p(m), u: Unit with u.models = [m, n] { not u.alive }"],
    ),
    Form(
        "after `destroy`",
        "status Marked on Model
         event Gone(m: Model)
         trait Mine on Model { rule Bang on Gone as g when g.m == self { each o in Model where o within 2\" of g.m { set o.unit.markers += 1 } } }
         proc p(m: Model, o: Model, both: list of Model) -> Int {
           grant Marked to m
           destroy m \"gone\"
           emit Gone(m)
           var seen : Int = 0
           each x in both { set seen += 1 }
           let left = size(both) + (count x in both where x.rank < 9) + (if m in both then 1 else 0)
           let near = if nearest x in both to m is some x and x == o then 1 else 0
           return 1000 * size(with_fallen(m.unit.models)) + 100 * near + 10 * seen + left + (if m has Marked then 5 else 0)
         }
         proc late(m: Model) { if m.rank < 9 { destroy m \"gone\" }
           set m.unit.acted = yes
           destroy m \"again\" }
         proc shot(m: Model) -> Int { roll aim = d6
           return aim }
         proc acts(m: Model) -> Int { if m.rank < 9 { destroy m \"gone\" }
           let aim = do shot(m)
           return aim }",
        &[
            "for p(m, o, [m, o]) with m.unit = u, o.unit = u, m.at = [5, 5], o.at = [6, 5], m has Mine { result = 2117; u.markers = 1 }",
            "for p(m, o, [m, o]) with m.unit = u, o.unit = u, m.at = [5, 5], o.at = [8, 5], m has Mine { result = 2117; u.markers = 0 }",
        ],
        &[
            "for late(m), u: Unit with m.unit = u { u.acted }",
            "for acts(m) rolling 3 { result = 3 }",
        ],
    ),
    Form(
        "`spawn x : Kind { f = v }`",
        "proc p(s: Side) -> Int { spawn u : Unit { side = s, nerve = 5 }
         return 10 * size(s.units) + u.nerve }",
        &["for p(s) { result = 15 }"],
        &["for p(s) { result = 13 }"],
    ),
    Form(
        "`merge a into b`",
        "proc p(a: Unit, b: Unit) -> Int { merge a into b
         return size(b.models) }",
        &[
            "for p(a, b), m: Model, n: Model with a.models = [m], b.models = [n] { result = 2; not a.alive; m.alive }",
        ],
        &["for p(a, b), m: Model, n: Model with a.models = [m], b.models = [n] { a.alive }"],
    ),
    Form(
        "`pass when C`, `grade v`",
        "test T(k: Int) { roll x = d6
         pass when x > k }
         test G(k: Int) -> Going { roll x = d6
         grade if x > k then Bog else Open }",
        &[
            "for T(4) { chance passed = 1/3 }",
            "for T(4) rolling 5 { passed; x = 5 }",
            "for G(3) rolling 3 { grade = Open }",
        ],
        &[
            "for T(4) rolling 4 { passed }",
            "for G(3) rolling 4 { grade = Open }",
        ],
    ),
    Form(
        "`let x = test T(..)`, `= do p(..)`, `= move m { }`",
        "test T() { roll x = d6
         pass when x > 3 }
         proc five() -> Int { return 5 }
         proc p(m: Model) -> Int { let t = test T()
         let f = do five()
         let leg = move m { exactly 2\"; heading 90° .. 90° }
         return t.x + f + (leg.covered / 1\" rounded down) }",
        &["for p(m) with m.at = [10, 10] rolling 4 { result = 11; dist(m, [12, 10]) = 0\" }"],
        &["for p(m) with m.at = [10, 10] rolling 4 { result = 10 }"],
    ),
    Form(
        "`reroll n`",
        "proc p() -> Int { roll x = d6
         if x < 3 { reroll x }
         return x }",
        &[
            "for p() { chance result == 1 = 1/18; chance result == 6 = 2/9 }",
            "for p() rolling x = 1, x = 2 { result = 2 }",
        ],
        &["for p() { chance result == 6 = 1/6 }"],
    ),
    Form(
        "`reroll x in n where C at most k`",
        "proc p() -> Int { roll x = 2 of d6
         reroll y in x where y == 1
         return total(x) }
         proc q() -> Int { roll x = 1 of d6
         reroll y in x where y < 4 at most 2
         return total(x) }",
        &[
            "for p() { chance result == 2 = 1/1296 }",
            "for q() { chance result >= 4 = 7/8 }",
        ],
        &[
            "for p() { chance result == 2 = 1/36 }",
            "for q() { chance result >= 4 = 3/4 }",
        ],
    ),
    Form(
        "`explode x in n where C at most k`",
        "proc p() -> Int { roll x = 1 of d6
         explode y in x where y == 6 at most 1
         return total(x) }",
        &["for p() { chance result == 12 = 1/36; chance result == 6 = 0; mean result = 49/12 }"],
        &["for p() { chance result == 6 = 1/6 }"],
    ),
    Form(
        "`choose n { a => ..; b when C => .. }`",
        "proc p(k: Int) -> Int { choose way { left => return 1
         right when k > 0 prefer => return 2 }
         return 0 }",
        &[
            "for p(0) { result = 1 }",
            "for p(1) { result = 2 }",
            "for p(1) choosing way = left { result = 1 }",
        ],
        &["for p(0) { result = 2 }"],
    ),
    Form(
        "`may n when C { }`",
        "proc p(k: Int) -> Int { var x = 0
         may jump when k > 0 prefer when k > 1 { set x = 1 }
         return x }",
        &[
            "for p(0) { result = 0 }",
            "for p(1) { result = 0 }",
            "for p(2) { result = 1 }",
            "for p(1) choosing jump = yes { result = 1 }",
        ],
        &["for p(1) { result = 1 }"],
    ),
    Form(
        "`replace f = e when C over T`",
        "trait Weak on Unit { replace nerve = 1 }
         trait Iron on Unit { replace nerve = 5 over Weak
         modify nerve += 9 when acted }",
        &[
            "for u: Unit with u has Weak { u.nerve = 1 }",
            "for u: Unit with u has Weak, u has Iron { u.nerve = 5 }",
            "for u: Unit with u has Iron, u.acted = yes { u.nerve = 6 }",
        ],
        &["for u: Unit with u has Weak, u has Iron { u.nerve = 1 }"],
    ),
    Form(
        "`forbid A, B when C`",
        "trait Meek on Unit { forbid Go when acted }
         action Go in Turn by unit { choose unit in side.units
         cost 1 picks }",
        &[
            "for Turn(s), u: Unit with u.side = s, u has Meek { offered Go(u) }",
            "for Turn(s), u: Unit with u.side = s, u has Meek, u.acted = yes { not offered Go(u) }",
        ],
        &["for Turn(s), u: Unit with u.side = s, u has Meek, u.acted = yes { offered Go(u) }"],
    ),
    Form(
        "`at least D`, `at most D`, `exactly D`",
        "proc p(m: Model, far: Length) { move m { at least 3\"; at most far; heading 0° .. 0° } else { } }",
        &[
            "for p(m, 5\") with m.at = [10, 10] { dist(m, [10, 15]) = 0\" }",
            "for p(m, 2\") with m.at = [10, 10] { dist(m, [10, 10]) = 0\" }",
        ],
        &["for p(m, 2\") with m.at = [10, 10] { dist(m, [10, 12]) = 0\" }"],
    ),
    Form(
        "`toward X`",
        "proc p(m: Model, e: Model) { move m { at most 4\"; toward e } }",
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] { dist(m, e) = 6\" }"],
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] { dist(m, e) = 10\" }"],
    ),
    Form(
        "`no nearer to XS`",
        "proc p(m: Model, e: Model) { move m { at most 4\"; no nearer to e } }",
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] choosing move = [6, 10] { dist(m, e) = 14\" }"],
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] choosing move = [14, 10] { m.alive }"],
    ),
    Form(
        "`ends within D of XS`",
        "proc p(m: Model, e: Model) { move m { at most 8\"; ends within 3\" of e } else destroy m \"no\" }",
        &[
            "for p(m, e) with m.at = [10, 10], e.at = [20, 10] choosing move = [17, 10] { m.alive }",
            "for p(m, e) with m.at = [10, 10], e.at = [22, 10] { not m.alive }",
        ],
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] choosing move = [16, 10] { m.alive }"],
    ),
    Form(
        "`stops where C`",
        "proc p(m: Model, e: Model) { move m { at most 8\"; toward e; stops where dist(m, e) <= 7\" } }",
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] { dist(m, e) <= 7\" and dist(m, e) > 6.99\" }"],
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] { dist(m, e) = 2\" }"],
    ),
    Form(
        "`costs p => E`",
        "proc p(m: Model) { move m { at most 6\"; heading 0° .. 0°; costs p => 2 } }",
        &["for p(m) with m.at = [10, 10] { dist(m, [10, 13]) = 0\" }"],
        &["for p(m) with m.at = [10, 10] { dist(m, [10, 16]) = 0\" }"],
    ),
    Form(
        "`extern let f(x: T): U default e`",
        "extern let far(u: Unit): Int default u.nerve + 1",
        &["for u: Unit { far(u) = 4 }"],
        &["for u: Unit { far(u) = 3 }"],
    ),
    Form(
        "`extern test T(x: U) gives a: Int default { }`",
        "extern test T(k: Int) gives a: Int default { roll x = d6
         let a = x + k }
         proc p() -> Int { let t = test T(2)
         return t.a }",
        &["for p() rolling 4 { result = 6 }"],
        &["for p() rolling 4 { result = 4 }"],
    ),
    Form(
        "rounding",
        "let down(n: Int): Int = (1 + n / 2) rounded down
         let up_it(n: Int): Int = n / 2 rounded up
         let near(n: Int): Int = n / 4 rounded nearest
         let left(n: Int, k: Int): Int = remainder(n, k)",
        &[
            "for u: Unit { down(4) = 3; down(3) = 2; up_it(3) = 2; up_it(0 - 3) = 0 - 1; down(0 - 3) = 0 - 1 }",
            "for u: Unit { near(5) = 1; near(6) = 2; near(7) = 2; near(0 - 5) = 0 - 1; near(0 - 6) = 0 - 1 }",
            "for u: Unit { left(7, 3) = 1; left(6, 3) = 0; left(0 - 7, 3) = 2; left(7, 0 - 3) = 0 - 2 }",
        ],
        &[
            "for u: Unit { down(3) = 3 }",
            "for u: Unit { up_it(0 - 3) = 0 - 2 }",
            "for u: Unit { near(6) = 1 }",
            "for u: Unit { left(0 - 7, 3) = 0 - 1 }",
        ],
    ),
    Form(
        "queries",
        "let q(k: Int): Int = match k { 1 => count x in [3, 1, 3] where x == 3
         2 => sum x in [3, 1, 3] where x > 1 of 2 * x
         3 => (most x in [1, 3, 2] by x) otherwise 0
         4 => (least x in [2, 1, 3] where x > 1 by x) otherwise 0
         5 => count a in [6, 5, 3] against b in [6, 4] where a > b
         6 => size(all x in 1 .. 6 where x > 4)
         7 => (if any x in [1, 2] where x > 1 then 1 else 0) + (if no x in [1, 2] where x > 2 then 1 else 0) + (if every x in [1, 2]: x > 0 then 1 else 0)
         else => 0 }",
        &["for u: Unit { q(1) = 2; q(2) = 12; q(3) = 3; q(4) = 2; q(5) = 1; q(6) = 2; q(7) = 3 }"],
        &[
            "for u: Unit { q(1) = 1 }",
            "for u: Unit { q(5) = 2 }",
        ],
    ),
    // rolls
    Form(
        "`draw x in XS where C`",
        "proc one(k: Int) -> Int { draw got in [6, 6, 1, 3] where got != k
          return got }",
        &["for one(3) { chance result == 6 = 2/3; chance result == 1 = 1/3 }", "for one(6) rolling 3 { result = 3 }"],
        &["for one(3) { chance result == 6 = 1/2 }", "for one(3) rolling 3 { result = 3 }"],
    ),
    Form(
        "`draw 2 of xs in XS`",
        "proc two() -> Int { draw 2 of got in [6, 6, 1]
          return total(got) }
        proc all_of(u: Unit) -> Int { draw 0 .. 9 of got in u.models
          return size(got) }
        proc order() -> Int { draw 2 of got in [1, 2]
          return nth(1, got) otherwise 0 }",
        &[
            "for two() { chance result == 12 = 1/3; chance result == 7 = 2/3 }",
            "for two() rolling [6, 6] { result = 12 }",
            "for all_of(u) { chance result == 1 = 1 }",
            "for order() { chance result == 2 = 1/2 }",
        ],
        &["for two() { chance result == 12 = 0 }", "for two() rolling [1, 1] { result = 2 }"],
    ),
    Form(
        "`draw x in XS where C or none weight E`",
        "proc heavy() -> Int { draw got in [6, 6, 1, 0] weight got
          return got }
        proc nobody() -> Int { draw got in [1, 2] where got > 2 or none
          return got otherwise 9 }",
        &["for heavy() { chance result == 6 = 12/13; chance result == 0 = 0 }", "for nobody() { result = 9 }"],
        &["for heavy() { chance result == 6 = 6/7 }", "for nobody() { result = 1 }"],
    ),
    // decisions
    Form(
        "`choose x in XS where C`",
        "proc one(k: Int) -> Int { choose got in [6, 6, 1] where got != k or none
          return got otherwise 0 }",
        &[
            "for one(1) choosing got = 6 { result = 6 }",
            "for one(6) choosing got = none { result = 0 }",
            "for one(0) { result = 0 }",
        ],
        &["for one(1) choosing got = 1 { result = 1 }"],
    ),
    Form(
        "`choose a .. b of xs in XS`",
        "proc some_of() -> Int { choose 1 .. 2 of kept in [6, 5, 6]
          return if size(kept) == 2 then 10 * (nth(1, kept) otherwise 0) + (nth(2, kept) otherwise 0) else total(kept) }",
        &[
            "for some_of() choosing kept = [6, 6] { result = 66 }",
            "for some_of() choosing kept = [5, 6] { result = 65 }",
            "for some_of() choosing kept = [6] { result = 6 }",
        ],
        &["for some_of() choosing kept = [5, 5] { result = 55 }", "for some_of() choosing kept = [6, 6, 5] { result = 17 }"],
    ),
    // patterns of a shifted die
    Form(
        "`past top n`, `past bottom n`",
        "proc at_end(q: Quality, k: Int) -> Int {
          match q up k {
            past top n    => return 100 + n
            past bottom n => return n - 100
            some die      => return faces(die)
          }
        }
        let over(q: Quality, k: Int): Flag = q up k is past top
        let under_it(q: Quality, k: Int): Flag = q down k is past bottom
        let Unit.best = quality up 2
        let grade(u: Unit): Int = match u.best { past top | past bottom => 0 ; some die => faces(die) }",
        &[
            "for at_end(d12, 2) { result = 102 }",
            "for at_end(d4, -3) { result = -97 }",
            "for at_end(d4, 1) { result = 6 }",
            "for u: Unit { over(d12, 1) = yes; over(d4, -1) = no; under_it(d4, 1) = yes; under_it(d12, -1) = no }",
            "for u: Unit with u.quality = d12 { grade(u) = 0 }",
        ],
        &["for at_end(d4, -3) { result = 97 }", "for u: Unit { over(d4, -1) = yes }"],
    ),
    // what the rules prefer
    Form(
        "`prefer`",
        "proc few() -> Int { choose 0 .. of got in [1, 2, 3] prefer when got > 1
          return size(got) }
        proc many() -> Int { choose 0 .. of got in [1, 2, 3] prefer all when got > 1
          return total(got) }
        proc at_most_one() -> Int { choose 0 .. 1 of got in [1, 2, 3] prefer all when got > 1
          return total(got) }
        proc filled() -> Int { choose 2 .. of got in [1, 2, 3] prefer all when got > 2
          return total(got) }
        proc plain() -> Int { choose 0 .. of got in [1, 2, 3]
          return total(got) }
        proc best() -> Int { choose 1 .. of got in [1, 2, 3] prefer most got
          return total(got) }
        proc nobody() -> Int { choose got in [1, 2, 3] prefer when got > 5
          return got }
        proc or_none() -> Int { choose got in [1, 2, 3] or none prefer when got > 5
          return got otherwise 9 }
        proc none_when() -> Int { choose got in [1, 2, 3] or none prefer none when 2 > 1
          return got otherwise 9 }",
        &[
            "for few() { result = 2 }",
            "for many() { result = 5 }",
            "for at_most_one() { result = 2 }",
            "for filled() { result = 4 }",
            "for plain() { result = 1 }",
            "for best() { result = 3 }",
            "for nobody() { result = 1 }",
            "for or_none() { result = 9 }",
            "for none_when() { result = 9 }",
        ],
        &["for few() { result = 0 }", "for many() { result = 6 }"],
    ),
    // moves
    Form(
        "`ends where C`, `never where C`",
        "proc end(m: Model, e: Model) { move m { at most 10\"; ends where dist(m, e) < was dist(m, e) } else { } }
        proc never(m: Model, e: Model) { move m { at most 10\"; never where dist(m, e) < was dist(m, e) } else { } }
        proc both(m: Model, e: Model) -> Flag {
          var there: Flag = yes
          move m { exactly 0\"; ends where dist(m, e) <= was dist(m, e) and dist(was m.at, m) == 0\" } else set there = no
          return there }
        proc each_of(m: Model) { move m { at most 10\"; ends where no e in Model where e != m and dist(m, e) < was dist(m, e) } else { } }
        proc drill(u: Unit, e: Model) { move u { exactly 4\"; ends where dist(u, e) < was dist(u, e) and was dist(u, e) == 5\" } else { } }",
        &[
            "for end(m, e) with m.at = [10, 10], e.at = [26, 10] choosing move = [16, 10] { dist(m, e) == 10\" }",
            "for never(m, e) with m.at = [10, 10], e.at = [26, 10] choosing move = [4, 10] { dist(m, e) == 22\" }",
            "for both(m, e) with m.at = [10, 10], e.at = [11, 11] { result = yes }",
            "for each_of(m), e: Model with m.at = [10, 10], e.at = [26, 10] choosing move = [8, 10] { dist(m, e) == 18\" }",
            "for drill(u, e), m: Model with m.unit = u, m.at = [10, 10], e.at = [13, 14] choosing move = [10, 14] { dist(m, e) == 3\" }",
        ],
        &[
            "for end(m, e) with m.at = [10, 10], e.at = [26, 10] choosing move = [4, 10] { m.alive }",
            "for never(m, e) with m.at = [10, 10], e.at = [26, 10] choosing move = [16, 10] { m.alive }",
            "for each_of(m), e: Model with m.at = [10, 10], e.at = [26, 10] choosing move = [12, 10] { m.alive }",
            "for drill(u, e), m: Model with m.unit = u, m.at = [10, 10], e.at = [13, 14] choosing move = [10, 6] { m.alive }",
        ],
    ),
    // numbers, fractions, angles, lengths
    Form(
        "whole numbers and lengths",
        "let sum(n: Int): Int = 2 + 3 * n - 1
         let neg(n: Int): Int = -n
         let far(l: Length, n: Int): Length = l / 3 + n * l - 1\"
         let back(l: Length): Length = -l",
        &["for u: Unit { sum(4) = 13; neg(3) = -3; far(1\", 2) = 1.333\"; far(2\", 0) = -0.334\"; back(2\") + 3\" = 1\" }"],
        &["for u: Unit { sum(4) = 19 }", "for u: Unit { far(1\", 2) = 1.334\" }", "for u: Unit { far(2\", 0) = -0.333\" }"],
    ),
    Form(
        "angles",
        "let plus(a: Angle, b: Angle): Angle = a + b
         let minus(a: Angle, b: Angle): Angle = a - b
         let times(n: Int, a: Angle): Angle = n * a",
        &["for u: Unit { plus(350°, 20°) = 10°; minus(10°, 20°) = 350°; times(3, 150°) = 90°; times(-1, 90°) = 270° }"],
        &["for u: Unit { plus(180°, 180°) != 0° }", "for u: Unit { minus(10°, 20°) = 10° }"],
    ),
    Form(
        "fractions",
        "let part(n: Int, k: Int): Ratio = n / k
         let long(a: Length, b: Length): Ratio = a / b
         let mix(n: Int): Ratio = -(part(n, 2) + part(n, 3) - 1 / 6) * (2 / 3) / part(n, 2)
         let less(a: Ratio, b: Ratio): Flag = a < b and not (b <= a) and a != b
         let same(a: Ratio, b: Ratio): Flag = a == b and a <= b
         let ends(a: Ratio, b: Ratio, c: Ratio): Ratio = max(a, b, c) - min(a, b, c)",
        &[
            "for u: Unit { mix(1) = -8/9; long(3\", 2\") = 3/2; part(2, 4) = 50% }",
            "for u: Unit { less(1/3, 1/2) = yes; less(1/2, 2/4) = no; same(1/2, 2/4) = yes; ends(1/2, 1/3, 3/4) = 5/12 }",
        ],
        &["for u: Unit { mix(1) = 8/9 }", "for u: Unit { less(-1/3, -1/2) = yes }", "for u: Unit { ends(1/2, 1/3, 3/4) = 1/4 }"],
    ),
    Form(
        "comparisons",
        "record Shot(who: Model, n: Int)
         let all_six(a: Going, b: Going): list of Flag = [a == b, a != b, a < b, a <= b, a > b, a >= b]
         let alike(xs: list of Int, ys: list of Int): Flag = xs == ys
         let shots(m: Model, k: Int, n: Int): Flag = Shot(m, k) == Shot(m, n)",
        &[
            "for u: Unit { all_six(Open, Bog) = [no, yes, yes, yes, no, no]; all_six(Bog, Bog) = [yes, no, no, yes, no, yes] }",
            "for m: Model { alike([1, 2], [1, 2]) = yes; alike([1, 2], [2, 1]) = no; shots(m, 1, 1) = yes; shots(m, 1, 2) = no }",
        ],
        &["for u: Unit { all_six(Bog, Open) = [no, yes, yes, yes, no, no] }", "for u: Unit { alike([1], [1, 1]) = yes }"],
    ),
    Form(
        "lists",
        "let some_of(k: Int, x: Int): list of Int = copies(k, x) + [x + 1]
         let place(k: Int, xs: list of Int): Int = nth(k, xs) otherwise 0
         let top(k: Int, xs: list of Int): list of Int = highest(k, xs)
         let low(k: Int, xs: list of Int): list of Int = lowest(k, xs)
         let middle(xs: list of Int): Int = median(xs) otherwise 0
         let usual(xs: list of Int): Int = mode(xs) otherwise 0
         let sorts(xs: list of Int): Int = distinct(xs)
         let held(x: Int, xs: list of Int): Flag = x in xs
         let spread(a: Int, b: Int, c: Int): Int = 100 * max(a, b, c) + min(a, b, c)
         let sum_of(xs: list of Int): Int = total(xs)",
        &[
            "for u: Unit { some_of(2, 5) = [5, 5, 6]; some_of(0, 5) = [6]; place(2, [7, 8]) = 8; place(3, [7, 8]) = 0; place(0, [7]) = 0 }",
            "for u: Unit { top(2, [1, 3, 2, 3]) = [3, 3]; top(5, [1, 2]) = [2, 1]; low(2, [4, 1, 3]) = [1, 3]; low(0, [4]) = [] }",
            "for u: Unit { middle([9, 1, 5]) = 5; middle([4, 1, 3, 9]) = 3; middle([]) = 0; usual([5, 1, 1, 5, 2]) = 5; usual([]) = 0; sorts([5, 1, 5]) = 2; sorts([]) = 0; held(3, [1, 3]) = yes; held(2, [1, 3]) = no; spread(2, 9, 4) = 902; sum_of([4, 4, 1]) = 9 }",
            "for u: Unit, m: Model, n: Model with u.models = [m, n] { size(u) = 2; size([m]) = 1 }",
        ],
        &["for u: Unit { top(2, [1, 3, 2]) = [2, 3] }", "for u: Unit { place(1, [7, 8]) = 8 }", "for u: Unit { middle([9, 1, 5]) = 1 }"],
    ),
    // chains, dice, trees, phases
    Form(
        "`is_past`",
        "proc spill(q: Quality, r: Quality, k: Int) -> Int { let (a, b) = open(q up k, r)
         return 100 * faces(a) + faces(b) }
         let shut(q: Quality, k: Int): Quality = closed(q down k)
         let past(q: Quality, k: Int): Flag = is_past(q up k)
         let onward(g: Going): Going = next(g)
         let better(q: Quality): Quality = next(q)
         proc cast(n: Int) -> Int { roll x = die(n)
         return x }",
        &[
            "for spill(d10, d8, 3) { result = 1204 }",
            "for spill(d4, d8, 1) { result = 608 }",
            "for u: Unit { shut(d6, 3) = d4; shut(d10, -5) = d12; past(d10, 2) = yes; past(d10, 1) = no; past(d6, -2) = yes }",
            "for u: Unit { onward(Open) = Rough; onward(Bog) = Bog; better(d4) = d6; better(d12) = d12; faces(die(7)) = 7 }",
            "for cast(7) { chance result == 7 = 1/7; mean result = 4 }",
        ],
        &["for spill(d10, d8, 3) { result = 1206 }", "for u: Unit { onward(Bog) = Open }", "for cast(7) { chance result == 6 = 1/6 }"],
    ),
    Form(
        "`below`",
        "let under_it(u: Unit): list of Unit = below(u)
         let apart(u: Unit, v: Unit): Int = tiers(u, v)",
        &["for a: Unit, b: Unit, c: Unit, d: Unit, e: Unit with b.boss = a, c.boss = b, d.boss = a { size(under_it(a)) = 3; c in under_it(a); under_it(b) = [c]; apart(c, a) = 2; apart(a, c) = 2; apart(c, d) = 3; apart(e, a) = 0 }"],
        &["for a: Unit, b: Unit with b.boss = a { a in under_it(b) }", "for a: Unit, b: Unit, c: Unit with b.boss = a, c.boss = a { apart(b, c) = 1 }"],
    ),
    Form(
        "`running`",
        "phase Day(u: Unit) { set u.acted = running(Day) and not running(Night) }
         phase Night(u: Unit) { run Day(u) }",
        &["for Day(u) { u.acted }", "for Night(u) { not u.acted; not running(Day) }"],
        &["for Night(u) { u.acted }"],
    ),
    // fronts and distances
    Form(
        "`in_arc`",
        "let off(m: Model, e: Model): Angle = turn_between(ahead(m), bearing(m, e))
         let looks(m: Model, e: Model): list of Flag = [in_front(m, e), in_rear(m, e), in_arc(m, e, 45°), same_facing(m, e), touches(m, e)]
         let ways(m: Model, e: Model): list of Angle = [ahead(m), rear(m), bearing(m, e)]
         let near(m: Model, e: Model): Flag = e within 5\" of m and dist(m, e) <= 5\"",
        &[
            "for m: Model, e: Model with m.at = [10, 10], m.facing = 90°, e.at = [13, 14] { looks(m, e) = [yes, no, no, no, no]; near(m, e) = yes }",
            "for m: Model, e: Model with m.at = [10, 10], m.facing = 90°, e.at = [13, 13], e.facing = 45° { looks(m, e) = [yes, no, yes, yes, no] }",
            "for m: Model, e: Model with m.at = [10, 10], m.facing = 270°, e.at = [14, 10] { looks(m, e) = [no, yes, no, no, no]; ways(m, e) = [270°, 90°, 90°]; off(m, e) = 180° }",
            "for m: Model, e: Model with m.at = [10, 10], e.at = [10, 10] { touches(m, e) }",
        ],
        &[
            "for m: Model, e: Model with m.at = [10, 10], e.at = [13, 14.01] { near(m, e) = yes }",
            "for m: Model, e: Model with m.at = [10, 10], e.at = [10, 8] { in_front(m, e) }",
        ],
    ),
    // patterns
    Form(
        "`2 to 5`, `over 2 to 5`, `2 to under 5`",
        "let band(k: Int): Int = match k { under 0 => 0
         0 | 1 => 1
         2 to under 5 => 2
         5 => 3
         over 5 to 8 => 4
         at least 9 => 5 }
         let share(r: Ratio): Int = match r { over 1/2 => 2
         1/2 => 1
         under 1/2 => 0 }",
        &["for u: Unit { band(-1) = 0; band(1) = 1; band(2) = 2; band(4) = 2; band(5) = 3; band(6) = 4; band(8) = 4; band(9) = 5; share(2/4) = 1; share(3/4) = 2 }"],
        &["for u: Unit { band(5) = 2 }", "for u: Unit { band(8) = 5 }"],
    ),
    Form(
        "`(p, q)`",
        "let two(a: Flag, b: Int): Int = match first (a, b) { (yes, over 2) => 1
         (yes, _) when b == 2 => 2
         (no, 0 | 1) => 3
         else => 4 }
         let lead(u: Unit): Int = match u.boss { none => 0
         some b => b.nerve }",
        &[
            "for u: Unit { two(yes, 3) = 1; two(yes, 2) = 2; two(yes, 1) = 4; two(no, 1) = 3; two(no, 2) = 4; lead(u) = 0 }",
            "for u: Unit, v: Unit with u.boss = v, v.nerve = 5 { lead(u) = 5 }",
        ],
        &["for u: Unit { two(no, 3) = 1 }", "for u: Unit, v: Unit with u.boss = v { lead(u) = 0 }"],
    ),
    // time, order, menus, promises
    Form(
        "and takes it back to its default then; also `start of`, and `for k`",
        "phase Day(u: Unit) { }
         phase Week(u: Unit, v: Unit) { set u.acted = yes until end of Day for v
         run Day(u)
         if u.acted { set u.markers += 1 }
         run Day(v)
         if u.acted { set u.markers += 1 } }",
        &["for Week(u, v) { u.markers = 1; not u.acted }"],
        &["for Week(u, v) { u.markers = 2 }", "for Week(u, v) { u.markers = 0 }"],
    ),
    Form(
        "`start of action`",
        "state log : 0..99999 = 0
         rule A on Hit as h when log == 0 { set log = 10 * log + 1 }
         rule B before A on Hit as h when log == 0 { set log = 10 * log + 2 }
         rule D after E on Hit as h when h.hits > 1 { set log = 10 * log + 4 }
         rule E on Hit as h { set log = 10 * log + 3 }
         rule S on start of action as a when a.name in [Go] { set log = 10 * log + 7 }
         rule T on end of Go as a { set log = 10 * log + 8 }
         action Go in Turn by unit { choose unit in side.units
         limit 1 per Turn
         cost 1 picks }",
        &["for Hit(u, 2) { log = 2134 }", "for Hit(u, 1) { log = 213 }", "for Turn(s), u: Unit with u.side = s { log = 78 }"],
        &["for Hit(u, 2) { log = 1234 }", "for Hit(u, 2) { log = 2143 }"],
    ),
    Form(
        "`start of action in P`",
        "state log : 0..99999 = 0
         phase Day(side: Side) shares hours: 0..9 = 1 { run Night(side)
         repeat choose action or stop while hours > 0 }
         phase Night(side: Side) shares dark: Flag = yes, hours: 0..9 = 2 { repeat choose action or stop while hours > 0 }
         rule N on start of action in Night as a when a.dark { set log = 10 * log + (if a.name == Look then 1 else 2) }
         rule D on end of action in Day as a { set log = 10 * log + 3 }
         trait Wary on Unit { rule W on start of action in Day as a when a.unit == self { set log = 10 * log + 4 } }
         action Look in Day, Night by unit { choose unit in side.units
         cost 1 hours
         limit 1 per Night }
         action Nap in Night by unit { choose unit in side.units
         cost 1 hours }",
        &[
            "for Day(s), u: Unit with u.side = s { log = 123 }",
            "for Day(s), u: Unit with u.side = s, u has Wary { log = 1243 }",
            "for Night(s), u: Unit with u.side = s, u has Wary { log = 12 }",
        ],
        &["for Day(s), u: Unit with u.side = s { log = 1233 }", "for Night(s), u: Unit with u.side = s { log = 0 }"],
    ),
    Form(
        "`test T(u, ..) with f = v`",
        "trait Keen on Unit { modify nerve += 2 }
         let Unit.grit : Int = nerve + 1
         test Check(u: Unit) { roll dice = d6
         let own = u.grit
         pass when dice <= u.nerve }
         test Both(u: Unit, v: Unit) { let first = test Check(u) with nerve = 1
         let second = test Check(v) with nerve = 2, grit = u.nerve
         pass when first.passed and second.passed and second.own == 6 }
         proc p(u: Unit, v: Unit) -> Int { let lent = test Check(u)
           with nerve = v.nerve
         let own = test Check(u)
         return 1000 * lent.own + (if lent.passed then 100 else 0) + (if own.passed then 10 else 0) + u.markers }
         proc q(u: Unit, v: Unit) -> Flag { let both = test Both(u, v) with nerve = 6
         return both.passed }",
        &[
            "for p(u, v) with u.markers = 3, v.nerve = 1 rolling dice = 1, dice = 3 { result = 2113 }",
            "for p(u, v) with u.markers = 3, v.nerve = 1 rolling dice = 2, dice = 3 { result = 2013 }",
            "for p(u, v) with u has Keen, v.nerve = 1 rolling dice = 2, dice = 5 { result = 2010 }",
            "for p(u, v) with v has Keen rolling dice = 5, dice = 5 { result = 6100 }",
            "for p(u, v) with v.nerve = 1 { chance result > 2099 = 1/6 }",
            "for q(u, v) { chance result = 1/18 }",
        ],
        &["for p(u, v) with v.nerve = 1 rolling dice = 2, dice = 3 { result = 2110 }"],
    ),
    Form(
        "`cancel action and return cost`",
        "state log : 0..99999 = 0
         test Try(u: Unit) { roll dice = d6
         pass when dice > 3 }
         action Dare in Turn by unit { choose unit in side.units
         cost 2 picks
         limit 1 per Turn
         let tried = test Try(unit)
         if not tried.passed { cancel action and return cost }
         set log = 10 * log + 1 }
         action Climb in Turn by unit { choose unit in side.units
         limit 1 per Turn
         cost 1 + unit.markers picks
         cost unit.nerve - 1 picks
         set unit.markers += 1 }
         action Rest in Turn by unit { choose unit in side.units
         limit 1 per Turn
         cost 1 picks
         set log = 10 * log + 4 }
         rule Tripped on start of Climb as a when a.unit.acted { set a.unit.markers += 3
         cancel action and return cost }
         rule Watched on start of action in Turn as a when log == 9 { set log = 10 * log + 5
         cancel action and return cost }
         rule Done on end of Dare as a { set log = 10 * log + 2 }",
        &[
            "for Turn(s), u: Unit with u.side = s, u.nerve = 6 rolling [6] { log = 124 }",
            "for Turn(s), u: Unit with u.side = s, u.nerve = 6 rolling [3] { log = 4 }",
            "for Turn(s), u: Unit with u.side = s, u.nerve = 3 rolling [3] { log = 0; u.markers = 1 }",
            "for Turn(s), u: Unit with u.side = s, u.nerve = 3, u.acted = yes rolling [3] { log = 4; u.markers = 3 }",
            "for Turn(s), u: Unit with u.side = s, u.nerve = 3, log = 9 { log = 95; u.markers = 1 }",
        ],
        &["for Turn(s), u: Unit with u.side = s, u.nerve = 6 rolling [3] { log = 0 }"],
    ),
    Form(
        "`cost`, `limit`, `needs`",
        "action Go in Turn by unit { choose unit in side.units
         needs not unit.acted else \"tired\"
         limit 2 per Turn for unit when unit.nerve < 5
         cost 1 picks
         set unit.markers += 1 }
         action Run in Turn by unit { choose unit in side.units where unit.acted
         cost 2 picks
         set unit.markers += 1 }",
        &[
            "for Turn(s), u: Unit with u.side = s { u.markers = 2; offered Go(u) }",
            "for Turn(s), u: Unit with u.side = s, u.nerve = 5 { u.markers = 3 }",
            "for Turn(s), u: Unit, v: Unit with u.side = s, v.side = s { u.markers = 2; v.markers = 1 }",
            "for Turn(s), u: Unit with u.side = s, u.acted = yes { u.markers = 1; not offered Go; offered Run(u) }",
        ],
        &["for Turn(s), u: Unit with u.side = s { u.markers = 3 }", "for Turn(s), u: Unit with u.side = s, u.acted = yes { offered Go(u) }"],
    ),
    Form(
        "`modify f += e when C`",
        "trait Keen on Unit { modify nerve += 2
         let zeal = nerve + 10 }
         trait Tired on Unit { modify nerve += -1 when acted }
         condition Low on Unit when markers > 1 { modify mv -= 2\"
         rule Gasp on Hit as h when h.target == self { set self.acted = yes } }",
        &[
            "for u: Unit with u has Keen, u has Tired, u.acted = yes { u.nerve = 4; u.zeal = 14 }",
            "for u: Unit with u has Tired { u.nerve = 3; u.mv = 5\"; u has no Low }",
            "for u: Unit with u has Keen, u.nerve = 6 { u.nerve = 6 }",
            "for Hit(u, 1) with u.markers = 2 { u.mv = 3\"; u has Low; u.acted }",
            "for Hit(u, 1) with u.markers = 1 { not u.acted }",
        ],
        &["for u: Unit with u has Keen { u.nerve = 3 }", "for u: Unit with u has Keen, u.nerve = 6 { u.nerve = 8 }"],
    ),
    Form(
        "law",
        "law Cap = every u in Unit: u.markers <= 2
         proc p(u: Unit, k: Int) { set u.markers = k }",
        &["for p(u, 2) { u.markers = 2 }"],
        &["for p(u, 3) { u.alive }"],
    ),
    Form(
        "readings and params",
        "param bite = 3 sweep 2 .. 4
         reading half : Int = 1 or 2 because \"silent\"
         reading way = Stays \"holds\" or Goes \"leaves\" because \"silent\"
         table worth(g: Going): Int { | Open | 0 |
         | Rough, Bog | 4 | }
         let sum_up(g: Going): Int = worth(g) + 10 * half + (if way == Goes then 100 else 0) + 1000 * bite",
        &[
            "for u: Unit { sum_up(Open) = 3010; sum_up(Bog) = 3014 }",
            "for u: Unit under half = 2, way = Goes, bite = 2 { sum_up(Rough) = 2124 }",
        ],
        &["for u: Unit under half = 2 { sum_up(Open) = 3010 }"],
    ),
    Form(
        "`earlier`",
        "proc p(u: Unit) -> Int { var s = 0
         each m in u.models { set s = 10 * s + size(earlier) }
         return s }",
        &["for p(u), k: Model, m: Model, n: Model with u.models = [k, m, n] { result = 12 }"],
        &["for p(u), k: Model, m: Model with u.models = [k, m] { result = 0 }"],
    ),
    // lines of moves in the open
    Form(
        "`away from XS`",
        "proc p(m: Model, xs: list of Model) { move m { exactly 2\"; away from xs } else { } }",
        &[
            "for p(m, [e]), e: Model with m.at = [13, 14], e.at = [10, 10] { dist(m, e) = 7\" }",
            "for p(m, [e, f]), e: Model, f: Model with m.at = [10, 10], e.at = [8, 8], f.at = [12, 8] { dist(m, [10, 12]) = 0\" }",
        ],
        &["for p(m, [e]), e: Model with m.at = [13, 14], e.at = [10, 10] choosing move = [13, 16] { m.alive }"],
    ),
    // three on a circle of 5", each a thousandth off where they cannot be whole: no rounding decides where it goes
    Form(
        "in a ring no rounding decides where `away from` leads",
        "proc p(m: Model) { move m { exactly 4\"; away from all e in Model where e != m } else { } }",
        &[
            "for p(m), a: Model, b: Model, c: Model with m.at = [20, 20], a.at = [25, 20], b.at = [17.5, 24.33], c.at = [17.5, 15.67] { m.at = [20, 24] }",
            "for p(m), a: Model, b: Model, c: Model with m.at = [20, 20], a.at = [25, 20], b.at = [17.5, 24.331], c.at = [17.5, 15.67] { m.at = [20, 24] }",
            "for p(m), a: Model, b: Model, c: Model with m.at = [20, 20], a.at = [20, 15], b.at = [24.33, 22.5], c.at = [15.67, 22.5] { m.at = [20, 24] }",
        ],
        &[
            "for p(m), a: Model, b: Model, c: Model with m.at = [20, 20], a.at = [25, 20], b.at = [17.5, 24.35], c.at = [17.5, 15.67] { m.at = [20, 24] }",
        ],
    ),
    Form(
        "ends of moves are as far off as the move is long",
        "proc p(m: Model, a: Angle) { move m { exactly 8\"; heading a .. a } else { } }
         let near(m: Model) = nearest e in Model to m where e != m",
        &[
            "for p(m, 45°), e: Model with m.at = [10, 10], e.at = [10, 10] { dist(m, e) == 8\"; dist(m, e) >= 8\"; dist(m, e) <= 8\"; not (dist(m, e) > 8\"); not (dist(m, e) < 8\") }",
            "for p(m, 37°), e: Model with m.at = [10, 10], e.at = [10, 10] { dist(m, e) == 8\"; dist(m, e) >= 8\"; dist(m, e) <= 8\"; not (dist(m, e) > 8\"); not (dist(m, e) < 8\") }",
            "for m: Model, a: Model, b: Model with m.at = [20, 20], a.at = [25, 20], b.at = [23.535, 23.535] { near(m) = a }",
            "for m: Model, a: Model, b: Model with m.at = [20, 20], a.at = [23.536, 23.536], b.at = [25, 20] { near(m) = a }",
            "for m: Model, a: Model, b: Model with m.at = [20, 20], a.at = [25, 20], b.at = [23.5, 23.5] { near(m) = b }",
        ],
        &[
            "for p(m, 45°), e: Model with m.at = [10, 10], e.at = [10, 10] { dist(m, e) > 8\" }",
            "for p(m, 45°), e: Model with m.at = [10, 10], e.at = [10, 10] { dist(m, e) < 8\" }",
            "for m: Model, a: Model, b: Model with m.at = [20, 20], a.at = [25, 20], b.at = [23.535, 23.535] { near(m) = b }",
        ],
    ),
    Form(
        "a bare point is nothing that `avoids` keeps clear of",
        "proc p(m: Model, e: Model) { move m { exactly 8\"; heading 0° .. 0°; avoids [e] } else { } }",
        &["for p(m, e) with m.at = [10, 10], e.at = [10, 14] { m.at = [10, 18] }"],
        &["for p(m, e) with m.at = [10, 10], e.at = [10, 14] { m.at = [10, 10] }"],
    ),
    Form(
        "`straight for D`",
        "proc p(m: Model) { move m { exactly 4\"; heading 0° .. 0°; straight for 2\"; bends at most 90°; keeps facing } }
         proc q(m: Model) { move m { exactly 4\"; heading 0° .. 0°; straight for 3\"; bends at most 90° } }
         proc r(m: Model) { move m { exactly 4\"; heading 0° .. 0°; bends at most 45° } }",
        &[
            "for p(m) with m.at = [10, 10] choosing move = [12, 12] { dist(m, [12, 12]) = 0\"; ahead(m) = 0° }",
            "for p(m) with m.at = [10, 10] { dist(m, [10, 14]) = 0\" }",
            "for q(m) with m.at = [10, 10] choosing move = [9, 13] { dist(m, [9, 13]) = 0\"; ahead(m) = 270° }",
        ],
        &[
            "for q(m) with m.at = [10, 10] choosing move = [12, 12] { m.alive }",
            "for r(m) with m.at = [10, 10] choosing move = [12, 12] { m.alive }",
            "for p(m) with m.at = [10, 10] choosing move = [13, 13] { m.alive }",
        ],
    ),
    Form(
        "`heading A .. B`",
        "proc p(m: Model, wide: Flag) { move m { at most 5\" when wide; at most 2\" when not wide; heading 350° .. 10° } }",
        &[
            "for p(m, yes) with m.at = [10, 10] { dist(m, [10, 10]) = 5\"; turn_between(ahead(m), 0°) <= 10° }",
            "for p(m, no) with m.at = [10, 10] choosing move = [10, 12] { dist(m, [10, 12]) = 0\" }",
        ],
        &[
            "for p(m, yes) with m.at = [10, 10] choosing move = [12, 12] { m.alive }",
            "for p(m, no) with m.at = [10, 10] choosing move = [10, 13] { m.alive }",
        ],
    ),
    Form(
        "`along R`",
        "proc p(m: Model, far: Length, p: Place, q: Place) { let way: list of Place = [p, q]
         move m { at most far; along way } }",
        &[
            "for p(m, 5\", [10, 13], [14, 13]) with m.at = [10, 10] { dist(m, [12, 13]) = 0\" }",
            "for p(m, 9\", [10, 13], [14, 13]) with m.at = [10, 10] { dist(m, [14, 13]) = 0\" }",
            "for p(m, 9\", [10, 13], [14, 13]) with m.at = [10, 10] choosing move = [10, 12] { dist(m, [10, 12]) = 0\" }",
        ],
        &["for p(m, 5\", [10, 13], [14, 13]) with m.at = [10, 10] choosing move = [11, 12] { m.alive }"],
    ),
];

const SCENES: &[Scene] = &[
    Scene(
        "areas and edges",
        "let over_it(x: Model, y: Model, w: Wood): Flag = crosses(x, y, w)
         let depth(x: Model, y: Model, w: Wood): Length = length_in(x, y, w)
         let in_it(x: Model, w: Wood): Flag = inside(x, w)
         let edge(x: Model): Length = to_edge(x)
         let free(x: Model): Length = room_behind(x)
         let seen(x: Model, y: Model): Flag = x sees y
         proc go(x: Model, p: Place) { place x at p }",
        "do go(c, [15, 10])",
        &[
            "over_it(a, b, f) == yes",
            "depth(a, b, f) == 2\"",
            "depth(a, c, f) == 1\"",
            "in_it(c, f) == yes",
            "in_it(a, f) == no",
            "edge(a) == 9\"",
            "free(a) == 9\"",
            "free(b) == 3\"",
            "seen(a, b) == yes",
            "dist(a, b) == 8\"",
        ],
        &["in_it(b, f) == yes", "free(b) == 19\""],
    ),
    Scene(
        "`sees`",
        "let seen(x: Model, y: Model): Flag = x sees y
         proc go(x: Model, p: Place) { place x at p }",
        "do go(b, [4, 28])",
        &["seen(a, c) == no", "seen(a, b) == yes", "seen(c, a) == no"],
        &["seen(a, c) == yes"],
    ),
    Scene(
        "`just_behind`",
        "proc go(x: Model, y: Model) { place x at just_behind(x, y) }
         let reach(x: Model): list of Route = routes(x, 1\")
         let points(x: Model): list of Place = spots_near(x, 1\")",
        "do go(a, b)",
        &["touches(a, b)", "dist(a, [16, 10]) == 1\"", "in_rear(b, a)", "size(reach(c)) == 5", "size(points(c)) == 5"],
        &["dist(a, [23, 10]) == 0\"", "in_front(b, a)"],
    ),
    Scene(
        "`just_beyond`",
        "proc go(x: Model, y: Model) { place x at just_beyond(x, y) }",
        "do go(a, b)",
        &["touches(a, b)", "dist(a, [24, 10]) == 1\"", "in_front(b, a)"],
        &["in_rear(b, a)"],
    ),
    // bodies in the way
    Scene(
        "`through XS`, `avoids XS`",
        "state far : 0..99 = 0
         proc go(x: Model, y: Model) {
           move x { at least 5\"; heading 90° .. 90° } else set far = 1
           move x { at most 9\"; toward y; through all w in Wood }
           move y { exactly 3\"; heading 0° .. 0°; avoids x } }",
        "do go(a, b)",
        &["far == 1", "dist(a, [20, 10]) == 1\"", "dist(b, [20, 14]) == 0\""],
        &["far == 0", "dist(b, [20, 10]) == 0\""],
    ),
    Scene(
        "`stops on contact with XS`",
        "state met : 0..9 = 0
         proc go(x: Model) {
           let leg = move x { at most 12\"; heading 90° .. 90°; stops on contact }
           if leg.met is some Wood(w) and leg.covered == 3\" { set met = 1 } }",
        "do go(a)",
        &["met == 1", "a within 0\" of f"],
        &["dist(a, [22, 10]) == 0\""],
    ),
    Scene(
        "`some Kind(x)`, `Kind(x)`",
        "state met : 0..9 = 0
         state far : 0..99 = 0
         proc go(x: Model) {
           let leg = move x { at most 12\"; heading 90° .. 90°; through all w in Wood; stops on contact with all m in Model where m != x }
           match first leg.met { some Wood(w) => set met = 1
             some Model(m) when m.facing == 0° => set met = 2
             some Model(m) => set met = 3
             else => set met = 4 }
           set far = 10 * size(leg.crossed(Wood)) + (leg.covered / 1\" rounded down) }",
        "do go(a)",
        &["met == 3", "far == 18", "touches(a, b)"],
        &["met == 1", "far == 12"],
    ),
    Scene(
        "`through XS`, `avoids XS`",
        "state shut : Flag = no
         proc go(x: Model, y: Model) {
           move x { exactly 12\"; heading 180° .. 180°; avoids all w in Wall } else set shut = yes
           move x { exactly 12\"; heading 180° .. 180°; through all w in Wall }
           move y { exactly 12\"; heading 0° .. 0°; avoids all w in Wall } else destroy y \"stuck\" }",
        "do go(c, b)",
        &["shut", "dist(c, [10, 18]) == 0\"", "dist(b, [20, 24]) == 1\""],
        &["dist(c, [10, 30]) == 0\"", "not b.alive"],
    ),
    Scene(
        "`bends at most`",
        "proc go(x: Model) { move x { exactly 13\"; heading 180° .. 180°; bends at most 90°; avoids all w in Wall } else destroy x \"stuck\" }",
        "do go(c)",
        &["c.alive", "dist(c, [10, 30]) > 10\" and dist(c, [10, 30]) < 11\""],
        &["dist(c, [10, 17]) == 0\""],
    ),
    Scene(
        "`was x`",
        "proc go(x: Model, p: Place) { place x at p }",
        "do go(c, [10, 33])",
        &["dist(c, was c.at) == 3\""],
        &["dist(c, was c.at) == 0\""],
    ),
    // advice to players
    Scene(
        "policy",
        "state got_them : 0..99 = 0
         proc ways(u: Unit, k: Int) { choose way { left => set u.markers = 1
           right when k > 0 => set u.markers = 2
           stay when k > 1 => set u.markers = 3 } }
         proc pick(u: Unit) -> Int { choose got in [1, 3, 2]
           return got }
         policy Own { way = stay when k > 2, right, left
           got = most got }
         proc go(u: Unit, v: Unit) { do ways(u, 2)
           do ways(v, 2)
           let n = do pick(u)
           let m = do pick(v)
           set got_them = 10 * n + m }",
        "do go(one, two)",
        &["one.markers == 2", "two.markers == 1", "got_them == 31"],
        &["one.markers == 3"],
    ),
];
