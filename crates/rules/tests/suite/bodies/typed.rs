//! The code that comes of it.

use super::kit::{bad, good, helps};
use super::show;
use grognard_base::Code;
use grognard_rules::ruleset::HeaderLine;

/// The body of the function of a name.
#[track_caller]
fn code(text: &str, name: &str) -> String {
    let rs = good(text);
    let f = rs.functions.iter().find(|f| f.name == name).expect("a function of that name");
    show::function(&rs, f).split_once(" = ").map(|(_, code)| code.to_string()).unwrap_or_else(|| show::function(&rs, f))
}

#[test]
fn widenings_are_written_out() {
    assert_eq!(
        code("let f(u: Unit) = u.hits / 2 + 1", "f"),
        "AddRatio(Fraction(u#0.hits, 2), ToRatio(1))".replace("ToRatio(1)", "1/1")
    );
    assert_eq!(code("let f(u: Unit): Die = u.q", "f"), "ToDie(u#0.q)");
    assert_eq!(code("let f(u: Unit) = u.mv / u.mv > 50%", "f"), "LtRatio(1/2, Fraction(u#0.mv, u#0.mv))");
    assert_eq!(code("let f(u: Unit, v: Unit) = dist(u, v.boss)", "f"), "Dist(PlaceOf(u#0), PlaceOf(v#1.boss))");
}

#[test]
fn chains_of_fields() {
    assert_eq!(code("let f(u: Unit) = u.boss.side", "f"), "u#0.boss?{#1 => #1.side}");
    assert_eq!(
        code("let f(u: Unit) = u.boss.boss.hits", "f"),
        "u#0.boss?{#2 => #2.boss}?{#1 => #1.hits}".replace("#2", "#9").replace("#1", "#2").replace("#9", "#1")
    );
    assert_eq!(code("let f(u: Unit) = u.Marked.by_whom", "f"), "[#1.0 for #1 in u#0.Marked]");
    assert_eq!(code("let f(s: Side) = s.units.models", "f"), "[#1.models* for #1 in s#0.units]");
    assert_eq!(code("let f(s: Side) = s.units.boss", "f"), "[#1.boss- for #1 in s#0.units]");
}

#[test]
fn pools_are_queries() {
    let rs = good("test T(u: Unit) { roll dice = 2 of d6; pass when any dice <= u.nv }");
    let f = rs.functions.iter().find(|f| f.name == "T").expect("T");
    let text = show::function(&rs, f);
    assert!(text.contains("pass Any(#2 in dice#1 when Le(#2, u#0.nv))"), "{text}");
    let record = rs.records.iter().find(|r| r.name == "T").expect("its result");
    let names: Vec<&str> = record.fields.iter().map(|(n, _)| n.as_str()).collect();
    assert_eq!(names, ["passed", "u", "dice"]);
}

#[test]
fn a_guard_binds_again_in_the_body() {
    let rs = good("rule R on Hit as h when h.target.boss is some b { do heal(b) }");
    let f = &rs.functions[rs.rules[0].func.at()];
    let text = show::function(&rs, f);
    assert!(text.contains("if And((target#0.boss is some b#2)) {"), "{text}");
}

#[test]
fn headers_are_taken_apart() {
    let rs = good("");
    let go = rs.actions.iter().find(|a| a.name == "Go").expect("Go");
    let show = show::Show { rs: &rs, locals: &rs.functions[go.func.at()].locals };
    let lines: Vec<String> = go.header.iter().map(|l| show.header(l)).collect();
    assert_eq!(lines, ["cost 1 left", "choose unit#0 in @side.units when Eq(unit#0.hits, 0)"]);
    let rest = rs.actions.iter().find(|a| a.name == "Rest").expect("Rest");
    let needs = rest.header.iter().find_map(|l| match l {
        HeaderLine::Needs { text, .. } => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(needs, Some("unit.hits > 0"));
    assert_eq!(show.expr(go.actor.as_ref().expect("an actor")), "unit#0");
}

#[test]
fn a_list_holds_no_lists() {
    for value in ["[[1], [2]]", "copies(2, xs)", "[xs, xs]", "[(xs, 1)]"] {
        bad(Code::WrongType, &format!("let f(xs: list of Int) = size({value})"), "a list cannot contain lists");
    }
    good("let f(xs: list of Int) = (xs, size(xs + copies(2, 1)))");
    good("let f(u: Unit) = size(u.side.units.models)");
}

#[test]
fn an_argument_that_does_not_fit_is_met_with_what_is_taken() {
    helps(Code::WrongType, "let f(u: Unit) = faces(u.hits)", "expected Die", "`faces` goes Die -> Int");
    helps(
        Code::WrongType,
        "let f(xs: list of Int) = highest(xs, xs)",
        "expected Int",
        "`highest` goes (Int, list of T)",
    );
}
