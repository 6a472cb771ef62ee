//! Params, readings, enums, chains, dice, types, tables, rules in their order.

use grognard_base::Code;
use grognard_base::value::{Range, Type};
use grognard_kit::checked::{bad, check, good, none};

#[test]
fn params_are_constants() {
    let text = "chain Q = d4 < d6\nenum E { A, B }\nparam a = 6\"\nparam b : Ratio = 50%\nparam c = -3\nparam d = 2 * 3 + 1\n\
        param e = d6\nparam f : Die = d6\nparam g = A\nparam h : Flag = yes\nparam i = 45°\nparam j : Ratio = 1/3\nparam k : Int? = none";
    let rs = good(check(text));
    let value = |name: &str| rs.settings.iter().find(|s| s.name == name).map(|s| s.value.clone()).unwrap_or_default();
    assert_eq!(value("a"), [6000]);
    assert_eq!(value("b"), [1, 2]);
    assert_eq!(value("c"), [-3]);
    assert_eq!(value("d"), [7]);
    assert_eq!(value("e"), [1]);
    assert_eq!(value("f"), [6]);
    assert_eq!(value("g"), [0]);
    assert_eq!(value("h"), [1]);
    assert_eq!(value("i"), [4500]);
    assert_eq!(value("j"), [1, 3]);
    assert_eq!(value("k"), [grognard_base::value::NONE]);
}

#[test]
fn params_say_what_is_wrong() {
    bad(check("param a : Length = 6"), Code::Units, "Length");
    bad(check("param a : Int = 6\""), Code::Units, "Int");
    bad(check("param a = 2.5"), Code::Fraction, "whole");
    bad(check("param a : 1..6 = 7"), Code::WrongType, "7 is not within 1..6");
    bad(check("param a : Flag = 1"), Code::WrongType, "Flag");
    bad(check("param a = 1\nparam b = a"), Code::WrongType, "constant");
    bad(check("param a = Nowhere"), Code::UnknownType, "Nowhere");
    bad(check("enum E { A, B }\nenum F { A, C }\nparam a = A"), Code::AmbiguousCase, "E and F");
    bad(check("param a : Integer = 1"), Code::UnknownType, "did you mean `Int`?");
    bad(check("param a = none"), Code::Missing, "none");
}

#[test]
fn sweeps_are_spread_out() {
    let rs =
        good(check("param a = 1 sweep 0 .. 2, 5\nparam b = 6\" sweep 4\" .. 6\"\nparam c : Flag = yes sweep yes, no"));
    assert_eq!(rs.settings[0].sweep, [[0], [1], [2], [5]]);
    assert_eq!(rs.settings[1].sweep, [[4000], [5000], [6000]]);
    assert_eq!(rs.settings[2].sweep, [[1], [0]]);
    bad(check("param a = 1 sweep 0 .. 100000"), Code::TooLarge, "1000");
}

#[test]
fn readings_are_enums_or_values() {
    let text = "reading a = One \"the first\" or Two because \"x\"\nreading b : Int = 0 or 2 because \"y\"";
    let rs = good(check(text));
    assert_eq!(rs.enums[0].cases, ["One", "Two"]);
    assert_eq!(rs.settings[0].because, "x");
    assert_eq!(rs.settings[0].default_because, "");
    let why = good(check("reading a = One or Two because \"x\"\n  default because \"one is less\""));
    assert_eq!((why.settings[0].because.as_str(), why.settings[0].default_because.as_str()), ("x", "one is less"));
    assert_eq!(rs.settings[1].ty, Type::Int(Range::new(0, 2)));
    assert_eq!(rs.settings[1].alternatives.len(), 2);
    bad(check("reading b : Int = 1 or 1 because \"y\""), Code::Twice, "`1`");
    bad(check("reading b = 0 or 2 because \"y\"").clone_first(Code::NeedType), Code::NeedType, "");
}

#[test]
fn the_paragraphs_of_holes_say_what_is_open() {
    let holes = "FR-H1 (hole) One or two?\nFR-H2 (hole) It could be\n  three.\n";
    let plain = "reading a = One or Two default because \"one is less\"";
    let rs = good(check(&format!("{holes}{plain}\nreading b : Int = 1 or 2")));
    assert_eq!(rs.settings[0].because, "One or two? It could be three.");
    assert_eq!(rs.settings[1].because, rs.settings[0].because);
    // its own words have priority
    assert_eq!(good(check(&format!("{holes}reading a = One or Two because \"x\""))).settings[0].because, "x");
    let fails =
        |above: &str| bad(check(&format!("{above}\n{plain}")), Code::Syntax, "does not say what the book leaves open");
    assert!(fails("").help.contains("because"));
    fails("FR-1  It is one.");
    fails("FR-H1 (decided: one) One or two?");
    fails(&format!("{holes}section \"Other\""));
}

/// Keeps one finding of a code where there are several.
trait CloneFirst {
    fn clone_first(self, code: Code) -> Self;
}

impl CloneFirst for grognard_rules::Loaded {
    fn clone_first(mut self, code: Code) -> Self {
        let first = self.problems.iter().position(|p| p.code == code);
        let mut at = 0;
        self.problems.retain(|p| {
            at += 1;
            p.code != code || Some(at - 1) == first
        });
        self
    }
}

#[test]
fn dice_and_chains() {
    let rs = good(check(
        "enum Face { Skull, Blank }\ndie Block of Face = 2 Skull, Blank\ndie Avg of 2..5 = 2, 3, 3, 4, 4, 5",
    ));
    assert_eq!(rs.dice[0].faces, [0, 0, 1]);
    assert_eq!(rs.dice[1].faces, [2, 3, 3, 4, 4, 5]);
    bad(check("chain Q = d6 < d4"), Code::NotOrdered, "d4");
    bad(check("die Avg of 2..5 = 2, 6"), Code::WrongType, "6");
    bad(check("enum F { A, B }\ndie X of F = A, Cc"), Code::UnknownType, "Cc");
    bad(check("param a : Die = d2000000"), Code::DieSides, "d2000000");
}

#[test]
fn types_are_known() {
    bad(check("kind Unit { stat x: Int = 0 }\nlet f(u: Unti) = 1"), Code::UnknownType, "did you mean `Unit`?");
    bad(check("let f(u) = 1"), Code::NeedType, "`u` needs a type");
    bad(check("record R(xs: list of Int)"), Code::WrongType, "list");
    bad(check("record R(a: S)\nrecord S(b: R)").clone_first(Code::Circle), Code::Circle, "itself");
    good(check(
        "record S(a: Int)\nrecord R(a: S, b: Int?)\ntest T(a: Int) { pass when a > 0 }\nlet f(t: T?) = t is none",
    ));
}

#[test]
fn tables_have_keys() {
    bad(
        check("table t(n: Int): Int {\n  | at most 3 | 1 |\n  | over 3 | 2 |\n}"),
        Code::WrongType,
        "`n` cannot be a key",
    );
    good(check("table t(n: 1..6): Int \"T\" {\n  | at most 3 | 1 |\n  | over 3 | 2 |\n}"));
}

#[test]
fn rules_run_in_order() {
    let text = "event E(n: Int)\nrule A on E as e { }\nrule B on E as e { }\nrule C before A on E as e { }\nrule D after A on E as e { }\nrule F after A on E as e { }";
    let rs = good(check(text));
    let names: Vec<&str> = rs.rules.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names, ["C", "A", "D", "F", "B"]);
    assert!(rs.names.rules.iter().all(|(name, id)| rs.rules[id.at()].name == *name));
    bad(check("event E(n: Int)\nrule A before B on E as e { }\nrule B before A on E as e { }"), Code::Order, "A, B");
    bad(check("event E(n: Int)\nrule A before Bb on E as e { }"), Code::UnknownName, "Bb");
}

#[test]
fn triggers_are_known() {
    bad(check("event Fired(n: Int)\nrule A on Fird as e { }"), Code::UnknownName, "did you mean `Fired`?");
    bad(check("phase P { }\nrule A on P as e { }"), Code::UnknownName, "on start of P");
    bad(check("phase Shooting { }\nrule A on start of Shoting { }"), Code::UnknownName, "did you mean `Shooting`?");
    bad(check("action A in Shooting { }"), Code::UnknownName, "Shooting");
    good(check("phase P { }\nrule A on start of P { }"));
}

#[test]
fn shared_variables_have_a_type_and_a_value() {
    let rs = good(check("phase P(n: Int) shares left: 0.. = n, seen: Flag = no { set left -= 1 }"));
    assert_eq!(rs.phases[0].shares.len(), 2);
    bad(check("phase P shares left: Int { }"), Code::Missing, "`left`");
    bad(check("phase P(left: Int) shares left: Int = 0 { }"), Code::Twice, "`left`");
}

/// A test result with a pool has a list, and the state of the game has no place for a list inside a record.
#[test]
fn a_state_stores_no_record_with_a_list() {
    let skill = "kind U { state n: 0..9 = 0 }\ntest Skill(u: U) { roll pool = 2 of d6\n pass when any pool >= 5 }\n";
    let with = |text: &str| check(&format!("{skill}{text}"));
    for stored in [
        "state last : Skill? = none",
        "record R(s: Skill)\nstate last : R? = none",
        "extend kind U { state last : Skill? = none }",
        "status Tried(result: Skill) on U",
    ] {
        bad(with(stored), Code::WrongType, "is a list or contains one");
    }
    // a sum is a number
    let number = "test Plain(u: U) { roll sum = 2d6\n pass when sum >= 5 }\nstate last : Plain? = none";
    none(&with(number), Code::WrongType);
}
