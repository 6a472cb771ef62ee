//! Every form of the reference and what it does: small rules, claims that hold, and claims that do not.

use super::run;
use crate::common::Shelf;
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
    let mut wrong = String::new();
    for Form(form, rules, hold, fail) in FORMS {
        assert!(!hold.is_empty() && !fail.is_empty(), "{form}");
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
