//! Names, fields, case names, calls.

use super::kit::{bad, check, good};
use grognard_base::Code;

#[test]
fn unknown_names_have_a_near_miss() {
    bad(Code::UnknownName, "let f(ds: list of Int) = count(ds) >= 4", "is a query");
    good("let f(ds: list of Int) = count (ds) >= 4");
    bad(Code::UnknownName, "let f(ds: list of Int) = sorted(ds)", "dice are sorted with `highest` or `lowest`");
    bad(Code::UnknownName, "let f(count_of: Int) = count_oft + 1", "did you mean `count_of`?");
    bad(Code::UnknownName, "let f(u: Unit) = hlaf(u.nv)", "did you mean `half`?");
    bad(Code::UnknownName, "let f(u: Unit) = u.nv > 3 and true", "write `yes`");
    bad(Code::UnknownName, "proc p(u: Unit) { do heel(u) }", "did you mean `heal`?");
    bad(Code::UnknownName, "proc p(u: Unit) { run Trun(u.side) }", "did you mean `Turn`?");
    bad(Code::UnknownName, "proc p(u: Unit) { emit Hitt(u, 1) }", "did you mean `Hit`?");
    bad(Code::UnknownName, "let f(u: Unit) = u has Brav", "did you mean `Brave`?");
    bad(Code::UnknownName, "let f(u: Unit) = running(Turns)", "did you mean `Turn`?");
    bad(Code::UnknownName, "proc p(u: Unit) { let t = test Nerves(u) }", "did you mean `Nerve`?");
    bad(Code::UnknownName, "policy P { stand = yes }", "no decision is named `stand`");
    bad(Code::UnknownName, "proc p(u: Unit) { reroll x in dice where x == 1 }", "`dice` is not a roll of this body");
}

#[test]
fn unknown_fields_and_types() {
    bad(Code::UnknownField, "let f(u: Unit) = u.hitz", "Unit has no field `hitz`; did you mean `hits`?");
    bad(Code::UnknownField, "let Unit.f = leader.ranc", "did you mean `rank`?");
    bad(
        Code::UnknownField,
        "rule R on Hit as h { set h.targe.hits = 1 }",
        "Hit has no field `targe`; did you mean `target`?",
    );
    bad(
        Code::UnknownField,
        "proc p(u: Unit) { let t = test Nerve(u); if t.goood > 1 { do heal(u) } }",
        "did you mean `good`?",
    );
    bad(Code::UnknownType, "let f(u: Unit) = u.cover == Sofd", "Cover has no case `Sofd`; did you mean `Soft`?");
    bad(Code::UnknownType, "let f(u: Unit) = count x in Unis where x.hits > 0", "did you mean `Unit`?");
    bad(Code::UnknownType, "proc p(u: Unit) { var x: Lenght = 2\" }", "did you mean `Length`?");
    good("let f(u: Unit) = u.leader.rank");
}

#[test]
fn case_names_by_expected_type() {
    bad(Code::AmbiguousCase, "proc p(u: Unit) { var x = Free }", "`Free` is a case of Mood and of Gait; write which");
    good("let f(u: Unit) = u.mood == Free");
    good("let f(u: Unit) = Free == u.mood");
    good("let f(u: Unit) = u.mood in [Free, Calm]");
    good("let f(u: Unit): Gait = if u.hits > 1 then Free else Bound");
    good("proc p(u: Unit) { var x = Gait.Free; set x = Bound }");
    good("proc p(u: Unit) { set u.mood = if u.hits > 1 then Free else Wild }");
    good(
        "reading way = Free or Costs because \"?\"\nlet f(u: Unit) = way == Free\nlet g(u: Unit): Gait = Free\nlet h = way == way.Free",
    );
}

#[test]
fn locals_may_not_hide_locals() {
    bad(Code::Hides, "proc p(u: Unit) { let u = 3 }", "`u` is already a parameter here");
    bad(Code::Hides, "proc p(u: Unit) { let a = 3; if a > 2 { let a = 4 } }", "`a` is already a local here");
    bad(Code::Hides, "action A in Turn { let left = 3 }", "`left` is already a variable of the phase");
    good("proc p(u: Unit) { if u.hits > 1 { let a = 4 } else { let a = 5 }; let a = 6 }");
    good("let Unit.f = all hits in models where hits.hurt");
}

#[test]
fn calls_as_they_are_written() {
    bad(Code::Arity, "let f(u: Unit) = half(1, 2)", "`half` takes one value (n: Int), but is given 2");
    bad(Code::Arity, "let f(u: Unit) = max(1)", "`max` takes two or more");
    bad(Code::Arity, "proc p(u: Unit) { emit Hit(target: u, amont: 2) }", "");
    bad(Code::NotCallable, "let f(u: Unit) = u.hits(Bare)", "");
    bad(Code::NotCallable, "proc p(u: Unit) { do half(2) }", "`half` is a value");
    bad(Code::Effect, "let f(u: Unit) = heal(u)", "changes things");
    bad(Code::Effect, "proc p(u: Unit) { if Nerve(u) { do heal(u) } }", "can roll and ask");
    good("let f(u: Unit) = Shot(u, u)\nlet g(u: Unit) = f(u).target.pace(Soft)");
    good("proc p(u: Unit) { emit Hit(amount: 2, target: u) }");
}

#[test]
fn what_a_test_may_borrow() {
    good("proc p(u: Unit, v: Unit) { let tried = test Nerve(u) with nv = v.nv; if tried.passed { do heal(u) } }");
    bad(Code::UnknownField, "proc p(u: Unit) { test Nerve(u) with nnv = 3 }", "`nnv`");
    bad(Code::NotAssignable, "proc p(u: Unit) { test Nerve(u) with hits = 3 }", "only a `stat` or a `let`");
    bad(Code::Twice, "proc p(u: Unit) { test Nerve(u) with nv = 3, nv = 4 }", "borrowed twice");
    bad(Code::Units, "proc p(u: Unit) { test Nerve(u) with nv = 3\" }", "expected a plain number");
    bad(
        Code::WrongType,
        "test Odd(n: Int) { pass when n > 2 }\nproc p(u: Unit) { test Odd(3) with nv = 3 }",
        "involves no thing",
    );
}

#[test]
fn rules_on_actions() {
    bad(
        Code::UnknownField,
        "rule R on start of action as a when a.left > 0 { cancel action }",
        "not every action has `left`",
    );
    bad(Code::UnknownName, "rule R on start of action as a when a.name == Gho { cancel action }", "did you mean `Go`?");
    bad(
        Code::WrongType,
        "rule R on start of action as a when a.name is some x { cancel action }",
        "compared only with actions",
    );
    bad(Code::Interface, "action A in Turn { set left = inner }", "A reads `inner`, but Turn does not share it");
    bad(Code::Interface, "rule R on end of Turn as a when a.inner > 0 { end Turn }", "Turn does not share `inner`");
    good("rule R on start of action as a when a.name == Go and a.left > 0 { set a.left = 0; cancel action }");
    good("rule R on start of action as a when a.unit.hits > 1 { do heal(a.unit) }");
    // of one phase: what it shares, and what all that may be done in it choose
    let night = "phase Night(side: Side) shares dark: Int = 1 { choose action }\naction Look in Night by unit { choose unit in side.units }\n";
    let in_night = |rule: &str| format!("{night}{rule}");
    good(&in_night(
        "rule R on start of action in Night as a when a.dark > 0 and a.unit.hits > 1 { set a.dark = 0; cancel action }",
    ));
    good(
        &in_night("rule R on end of action in Night as a when a.actor.hits > a.side.units.size { end Night }")
            .replace("a.side.units.size", "size(a.side.units)"),
    );
    bad(
        Code::UnknownField,
        &in_night("rule R on start of action in Night as a when a.left > 0 { cancel action }"),
        "left",
    );
    bad(Code::Scope, &in_night("rule R on start of Look as a { cancel action and return cost }"), "no cost to return");
    bad(
        Code::Scope,
        "proc p(u: Unit) { cancel action and return cost }",
        "only in an action or in a rule on the start of one",
    );
    good(
        "action Dig in Turn by u { choose u in side.units; cost 1 left; if u.hits > 1 { cancel action and return cost }; do heal(u) }",
    );
    bad(Code::UnknownName, "rule R on start of action in Trn as a { cancel action }", "did you mean `Turn`?");
    bad(Code::UnknownName, "rule R on start of action in Go as a { cancel action }", "write `start of Go`");
    bad(
        Code::Scope,
        &in_night("rule R on end of action in Night as a { cancel action }"),
        "in a rule on the start of one",
    );
    bad(Code::Scope, &in_night("rule R on end of action in Night as a { end Turn }"), "`end Turn`");
    good("rule R on end of Go as a when a.unit.boss is some b { set b.hits += 1 }");
    good("rule R on start of Turn as a when a.left > 0 and a.side.units != [] { set a.left -= 1 }");
    good("rule R on start of action as a when a.actor has Brave { cancel action }");
}

#[test]
fn circles() {
    bad(Code::Circle, "let a(n: Int) = b(n)\nlet b(n: Int) = a(n)", "`a` depends on itself");
    bad(Code::Circle, "let Unit.x = hits + y\nlet Unit.y = x", "depends on itself");
    good("let Unit.high : Int = match boss {\n none => 0\n some b => b.high + 1\n}");
    good("let depth(u: Unit): Int = 1 + (sum j in below(u) of depth(j))");
}

/// A name that stands for something elsewhere is not merely unknown, and help says what to write.
#[test]
fn messages_say_what_was_meant() {
    bad(
        Code::UnknownName,
        "proc spend(u: Unit) { set left -= 1 }",
        "`left` is a variable of phase Turn and is not in scope here",
    );
    bad(
        Code::WrongType,
        "proc p(u: Unit) { roll ds = 4 of d6; choose 2 of kept in ds prefer most total(kept); set u.hits += total(kept) }",
        "expected a list",
    );
    bad(
        Code::Fraction,
        "let f(u: Unit) = match u.hits { under u.nv / 2 => 0; else => 1 }",
        "can be a fraction, but the bands are whole numbers",
    );
    good("let f(u: Unit) = match u.hits { under (u.nv / 2) rounded up => 0; else => 1 }");
    bad(Code::Syntax, "let f: Int = max(0, 3 - \"x\")", "unexpected text after `-`");
    bad(Code::Syntax, "param reached \"How far\" : Length = 2\"", "the title must come after the type");
    for (text, help) in [
        ("param reached \"How far\" Length = 2\"", "`param reached : Length \"How far\" = ..`"),
        ("param reached Length = 2\"", "`param reached : Length = ..`"),
        ("state round \"Round\" 0..20 = 0", "`state round : 0..20 \"Round\" = ..`"),
        ("kind Tank { stat men Int }", "`stat men : Int`"),
        ("kind Tank { link crew \"Crew\" list of Unit; stat men : Int }", "`link crew : list of Unit \"Crew\"`"),
    ] {
        bad(Code::Syntax, text, "and its type");
        assert!(check(text).0.problems[0].help.contains(help), "{text}");
    }
    let point = "let f(u: Unit) = dist(u, [3, 4]) > 2\"";
    bad(Code::WrongType, point, "expected Place, found list of 3..4");
    assert!(check(point).0.problems[0].help.contains("in scenarios and in the `with`"));
}

/// A variable with the name of a param is read instead of it.
#[test]
fn a_variable_that_hides_a_param_is_told() {
    let with = |line: &str| format!("param hit_on \"Hits on\" = 4\nlet use_it(u: Unit) = u.nv + hit_on\n{line}");
    for line in [
        "proc p(u: Unit) { let hit_on = 2; set u.hits = hit_on }",
        "proc p(u: Unit, hit_on: Int) { set u.hits = hit_on }",
        "proc p(u: Unit) { roll hit_on = d6; set u.hits = hit_on }",
        "let f(hit_on: Int) = hit_on + 1",
    ] {
        bad(Code::Whom, &with(line), "hides the param of that name");
    }
    bad(Code::Whom, "proc p(u: Unit) { let turn = 2; set u.hits = turn }", "hides the state of the game");
    good(&with("proc p(u: Unit) { let hit = hit_on; set u.hits = hit }"));
}
