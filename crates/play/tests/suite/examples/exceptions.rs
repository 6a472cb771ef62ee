//! Exceptions under a reading: every form in which one can be written, and several of the same text.

use super::{good, run};
use grognard_kit::Shelf;
use grognard_play::examples::{ExampleVerdict, report};

/// An exception under a reading departs from the text only under its answer, in every form in which it can be written.
#[test]
fn exceptions_under_readings() {
    let rules = r#"
reading early = No or Yes because "nothing is said"
reading deep  : Int = 1 or 2 because "nothing is said"
reading lucky : Flag = no or yes because "nothing is said"
let loss(n: Int): Int = n + 1
change let loss under early = Yes {
  - n + 1
  + n * 2
}
let drop(n: Int): Int = match n {
  at most 2 => 0
  at least 3 => n - 2
}
change let drop under lucky = yes {
  - at least 3 => n - 2
  + at least 3 => n - 3
}
let weak(u: Unit): Flag = u.markers > 1
  and u.ld < 5
change let weak under early = Yes {
    and u.ld < 5
  + and not u.acted
}
change let weak under deep = 2 {
  - and u.ld < 5
}
let bold(u: Unit): Flag = u.ld > 3
change let bold under lucky = yes {
    u.ld > 3
  + or u.acted
}
proc suffer(u: Unit, n: Int) {
  let more = n
  set u.markers += more
  set u.acted = no
}
change proc suffer under early = Yes {
  - let more = n
  + let more = n + 1
}
change proc suffer under deep = 2 {
    set u.markers += more
  + set u.markers += 1
  + set u.markers += 1
}
change proc suffer under lucky = yes {
  - set u.acted = no
}
change proc suffer under early = Yes {
  - set u.acted = no
  + set u.acted = yes
  + set u.markers += 1
}
action Sit in Turn by u {
  choose u in side.units
  needs u.markers > 0 else "it is not hurt"
  set u.markers = 0
}
change action Sit under early = Yes {
    needs u.markers > 0 else "it is not hurt"
  + needs u.ld > 1 else "nobody leads it"
}
change action Sit under deep = 2 {
  - needs u.markers > 0 else "it is not hurt"
}
"#;
    let examples = r#"
example "a value" {
  | early || loss(3) |
  | No || 4 |
  | Yes || 6 |
}
example "a case" {
  | lucky || drop(2) | drop(5) |
  | no || 0 | 3 |
  | yes || 0 | 2 |
}
example "a condition" for u: Unit with u.nerve = 6, u.markers = 2 {
  | u.ld | u.acted | early | deep || weak(u) |
  |  2   |   no    |  No   |  1   ||   yes   |
  |  5   |   no    |  No   |  1   ||   no    |
  |  5   |   no    |  No   |  2   ||   yes   |
  |  2   |   yes   |  No   |  1   ||   yes   |
  |  2   |   yes   |  Yes  |  1   ||   no    |
}
example "another way" for u: Unit {
  | u.ld | u.acted | lucky || bold(u) |
  | 2 | yes | no || no |
  | 2 | yes | yes || yes |
  | 2 | no | yes || no |
  | 4 | no | yes || yes |
}
example "statements" for suffer(u, 1) with u.nerve = 6 {
  | early | deep | lucky | u.acted || u.markers | u.acted |
  |  No   |  1   |  no   |   yes   ||     1     |   no    |
  |  Yes  |  1   |  no   |   yes   ||     3     |   yes   |
  |  No   |  2   |  no   |   yes   ||     3     |   no    |
  |  No   |  1   |  yes  |   yes   ||     1     |   yes   |
}
example "hurt" for Turn(s), u: Unit with u.side = s, u.nerve = 6, u.markers = 1, u.ld = 1 { offered Sit(u) }
example "nobody leads it" for Turn(s), u: Unit with u.side = s, u.nerve = 6, u.markers = 1, u.ld = 1 under early = Yes { not offered Sit(u) }
example "led" for Turn(s), u: Unit with u.side = s, u.nerve = 6, u.markers = 1, u.ld = 2 under early = Yes { offered Sit(u) }
example "not hurt" for Turn(s), u: Unit with u.side = s, u.nerve = 6, u.ld = 1 { not offered Sit(u) }
example "not hurt, and it does not matter" for Turn(s), u: Unit with u.side = s, u.nerve = 6, u.ld = 1 under deep = 2 { offered Sit(u) }
"#;
    good(&format!("{rules}{examples}"));
}

/// Each exception refers to the text of the book, whatever the others do with it.
#[test]
fn exceptions_to_the_same_text() {
    let rules = r#"
reading pick = A or B or C or D because "nothing is said"
reading deep : Flag = no or yes because "nothing is said"
let least(u: Unit): Flag = u.markers > 1 and not u.acted
change let least under pick = B {
  - u.markers > 1
  + u.markers > 2
}
change let least under pick = C {
  - u.markers > 1
  + u.markers > 3
}
change let least under deep = yes {
  - u.markers > 1 and not u.acted
  + u.ld > 1
}
state light : 0..9 = 1
proc suffer(u: Unit) {
  set u.markers += 1
  set u.acted = no
}
change proc suffer under pick = B {
  - set u.markers += 1
  + set u.markers += 2
}
change proc suffer under pick = C {
  - set u.markers += 1
}
change proc suffer under pick = D {
  - set u.markers += 1
  - set u.acted = no
  + set u.acted = yes
}
change proc suffer under deep = yes {
  set u.acted = no
  + set light = 5
}
"#;
    let examples = r#"
example "three answers" for u: Unit with u.nerve = 6, u.ld = 1 {
  | u.markers | pick | deep || least(u) |
  |     2     |  A   |  no  ||   yes    |
  |     2     |  B   |  no  ||    no    |
  |     3     |  B   |  no  ||   yes    |
  |     3     |  C   |  no  ||    no    |
  |     4     |  C   |  no  ||   yes    |
  |     4     |  C   | yes  ||    no    |
}
example "statements" for suffer(u) with u.nerve = 6 {
  | pick | deep | u.acted || u.markers | u.acted | light |
  |  A   |  no  |   yes   ||     1     |   no    |   1   |
  |  B   |  no  |   yes   ||     2     |   no    |   1   |
  |  C   |  no  |   yes   ||     0     |   no    |   1   |
  |  D   |  no  |   no    ||     0     |   yes   |   1   |
  |  B   | yes  |   yes   ||     2     |   no    |   5   |
}
"#;
    good(&format!("{rules}{examples}"));
}

/// The examples of a ruleset hold in a ruleset that changes items with exceptions.
fn hold_in_a_variant(book: &str, variant: &str) {
    let (book, variant) = (format!("ruleset t/book\n{book}"), format!("ruleset t/other extends t/book\n{variant}"));
    let (results, sources) = run("t/other", &Shelf::of(&[("t/book.rules", &book), ("t/other.rules", &variant)]));
    let text = report(&results, &sources);
    assert!(!results.is_empty(), "{text}");
    assert!(results.iter().all(|r| r.verdict == ExampleVerdict::Holds), "{text}");
}

/// A change refers to the text of the book. The exceptions of the book still hold, except where the change replaces their text.
#[test]
fn changes_of_items_with_exceptions() {
    let book = r#"
reading pick = A or B or C because "nothing is said"
state light : 0..9 = 1
kind Unit { state men : 0..9 = 5; state acted : Flag = no }
let few(u: Unit): Flag = u.men < 3 and not u.acted
change let few under pick = B {
  - u.men < 3
  + u.men < 4
}
change let few under pick = C {
  - and not u.acted
}
proc suffer(u: Unit) {
  set u.men -= 1
  set u.acted = yes
}
change proc suffer under pick = B {
  - set u.men -= 1
  + set u.men -= 2
}
change proc suffer under pick = C {
  set u.men -= 1
  + set light = 5
}
"#;
    // what is changed is the second operand, which one exception drops; the other exception stands
    hold_in_a_variant(
        book,
        r#"
change let few {
  - u.men < 3 and not u.acted
  + u.men < 3 and u.acted
}
change proc suffer {
  set u.men -= 1
  + set u.men -= 1
}
change proc suffer {
  - set u.acted = yes
  + set u.acted = no
}
example "few" for u: Unit {
  | u.men | u.acted | pick || few(u) |
  |   2   |   yes   |  A   ||  yes   |
  |   2   |   no    |  A   ||   no   |
  |   3   |   yes   |  A   ||   no   |
  |   3   |   yes   |  B   ||  yes   |
  |   2   |   no    |  C   ||  yes   |
}
example "suffer" for suffer(u) {
  | pick || u.men | light | u.acted |
  |  A   ||   3   |   1   |   no    |
  |  B   ||   2   |   1   |   no    |
  |  C   ||   3   |   5   |   no    |
}
"#,
    );
    // the change replaces the text of an exception, and a later exception is one to the new text
    hold_in_a_variant(
        book,
        r#"
change proc suffer {
  - set u.men -= 1
  + set u.men -= 4
}
change proc suffer under pick = C {
  - set u.men -= 4
  + set u.men -= 5
}
example "suffer" for suffer(u) {
  | pick || u.men | light |
  |  A   ||   1   |   1   |
  |  B   ||   1   |   1   |
  |  C   ||   0   |   5   |
}
"#,
    );
}

/// Names that only the lines of an exception use, and the conditions of a move.
#[test]
fn exceptions_with_names_and_moves() {
    let rules = r#"ruleset t/t
reading pool : Flag = no or yes because "nothing is said"
reading far = Near or Far or Away because "nothing is said"
kind Man on board { stat skill : 1..6 = 3; state hits : 0..9 = 0; state said : 0..9 = 0 }
test Skill(m: Man) {
  roll try = d6
  pass when try + m.skill >= 8
}
change test Skill under pool = yes {
  - roll try = d6
  - pass when try + m.skill >= 8
  + roll tries = m.skill of d6
  + pass when any tries >= 6
}
proc by_case(m: Man, n: Int) {
  match n {
    1 => set m.hits = 1
    else => set m.said = 1
  }
}
change proc by_case under pool = yes {
  - else => set m.said = 1
  + else => { set m.hits = 5; set m.said = 2 }
}
proc count_up(m: Man) {
  set m.hits = 1
}
change proc count_up under pool = yes {
  set m.hits = 1
  + let more = m.skill
  + set m.hits += more
}
proc go(m: Man) {
  move m { at least 1"; at most 2"
    heading 90° when m.skill > 0
  } else set m.said = 9
}
change proc go under far = Far {
  - at most 2"
  + at most 6"
}
change proc go under far = Away {
  - at most 2"
}
change proc go under far = Away {
  - at least 1"
  + at least 3"
  - heading 90° when m.skill > 0
  + heading 270°
}
"#;
    let examples = r#"
example "one die or more" for Skill(m) with m.skill = 2 {
  | pool || chance passed |
  |  no  ||      1/6      |
  | yes  ||     11/36     |
}
example "a case" for by_case(m, 2) {
  | pool || m.hits | m.said |
  |  no  ||   0    |   1    |
  | yes  ||   5    |   2    |
}
example "more" for count_up(m) {
  | pool || m.hits |
  |  no  ||   1    |
  | yes  ||   4    |
}
"#;
    let text = format!("{rules}{examples}");
    let (results, sources) = run("t/t", &Shelf::of(&[("t/t.rules", &text)]));
    let text = report(&results, &sources);
    assert_eq!(results.iter().filter(|r| r.verdict == ExampleVerdict::Holds).count(), 3, "{text}");
}
