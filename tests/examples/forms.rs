//! Every form of the reference and what it does: small rules, claims that hold, and claims that do not.

use super::run;
use crate::common::{Shelf, text_of};
use grognard::play::examples::{Verdict, report};

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
event Hit(target: Unit, hits: Int)
status Ordered(from: Model) on Unit
phase Turn(side: Side) shares picks: 0..9 = 3 { repeat choose action or stop while picks > 0 }
"#;

/// A form as the reference writes it, rules with it in them, and examples that hold and that do not.
struct Form(&'static str, &'static str, &'static [&'static str], &'static [&'static str]);

#[test]
fn every_form_does_what_the_reference_says() {
    let reference = text_of("docs/language.md");
    let mut wrong = String::new();
    for Form(form, rules, hold, fail) in FORMS {
        assert!(!hold.is_empty() && !fail.is_empty(), "{form}");
        assert!(!form.starts_with('`') || reference.contains(form), "the reference has no {form}");
        let mut text = format!("ruleset t/t version \"1\"\n{TABLE}\n{rules}\n");
        for (n, claim) in hold.iter().chain(*fail).enumerate() {
            text += &format!("example \"{n}\" {claim}\n");
        }
        let found = std::panic::catch_unwind(|| run("t/t", &Shelf::of(&[("t/t.rules", &text)])));
        let Ok((results, sources)) = found else {
            wrong += &format!("{form}: cannot be read\n");
            continue;
        };
        let wanted = |n: usize| if n < hold.len() { Verdict::Holds } else { Verdict::Fails };
        let odd: Vec<usize> =
            (0..hold.len() + fail.len()).filter(|n| results.get(*n).is_none_or(|r| r.verdict != wanted(*n))).collect();
        if !odd.is_empty() {
            wrong += &format!("{form}: examples {odd:?}\n{}\n", report(&results, &sources));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
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
         return size(xs) }",
        &[
            "for p(u) with u.nerve = 4 { u.markers = 3 }",
            "for q(u) { result = 3 }",
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
        "`grant S(..) to u until ...`, `revoke S from u`",
        "proc g(u: Unit, m: Model) { grant Ordered(from: m) to u
         grant Ordered(from: m) to u }
         proc r(u: Unit, m: Model) { grant Ordered(from: m) to u
         revoke Ordered from u }
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
        &["for p(0) choosing way = right { result = 2 }"],
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
        "let down(n: Int): Int = 1 + n / 2 rounded down
         let up_it(n: Int): Int = n / 2 rounded up",
        &["for u: Unit { down(4) = 3; down(3) = 2; up_it(3) = 2; up_it(0 - 3) = 0 - 1; down(0 - 3) = 0 - 1 }"],
        &[
            "for u: Unit { down(3) = 3 }",
            "for u: Unit { up_it(0 - 3) = 0 - 2 }",
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
        proc all_of(u: Unit) -> Int { draw 9 of got in u.models
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
            "for few() { result = 0 }",
            "for many() { result = 5 }",
            "for at_most_one() { result = 2 }",
            "for filled() { result = 4 }",
            "for plain() { result = 1 }",
            "for best() { result = 3 }",
            "for nobody() { result = 1 }",
            "for or_none() { result = 9 }",
            "for none_when() { result = 9 }",
        ],
        &["for few() { result = 2 }", "for many() { result = 6 }"],
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
];
