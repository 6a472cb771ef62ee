//! Types, units, fractions, what may be missing, dice.

use super::kit::{bad, good};
use grognard_base::Code;

#[test]
fn units_do_not_mix() {
    bad(Code::Units, "let f(u: Unit) = u.mv > 4", "a length in inches and a plain number cannot be compared");
    bad(Code::Units, "let f(u: Unit) = u.mv + 4", "cannot be added");
    bad(Code::Units, "proc p(u: Unit) { set u.mv = 4 }", "expected a length in inches");
    bad(Code::Units, "let f(m: Model) = m.facing > 4", "cannot be compared");
    good("let f(u: Unit) = 2 * u.mv + u.mv * 3 > 4\" and u.mv / 2 < 3\"");
    good("let f(m: Model) = ahead(m) + 90° == m.facing");
    good("let f(u: Unit) = u.mv / 1\" rounded down");
}

#[test]
fn written_ranges_hold() {
    bad(Code::WrongType, "extend kind Unit { stat save : 2..7 = 9 }", "9 is not within 2..7");
    bad(Code::WrongType, "extend kind Unit { state men : 0..20 = 30 }", "30 is not within 0..20");
    bad(Code::WrongType, "let f(u: Unit): 1..3 = u.hits + 10", "10..16 is not within 1..3");
    bad(Code::WrongType, "let f(bonus: 1..3) = bonus\nlet g = f(9)", "9 is not within 1..3, the range of `bonus`");
    bad(
        Code::WrongType,
        "let f(n: 1..3, m: 1..3) = n + m\nlet g = f(n: 1, m: 9)",
        "9 is not within 1..3, the range of `m`",
    );
    bad(Code::WrongType, "let f(n: 1..3) = n\nlet g = f(n: 0)", "0 is not within 1..3");
    bad(Code::WrongType, "let f(n: 1..3?) = n otherwise 1\nlet g = f(9)", "9 is not within 1..3");
    bad(Code::WrongType, "proc p() -> 1..3 { return 4 }", "4 is not within 1..3");
    bad(Code::WrongType, "proc p(k: 1..6) { }\nproc q() { do p(9) }", "9 is not within 1..6");
    bad(Code::WrongType, "table t(n: 1..2): 0..3 {\n | 1 | 0 |\n | 2 | 4 |\n}\nlet f = t(2)", "4 is not within 0..3");
    bad(Code::WrongType, "proc p() { var x : 0..6 = 9\n set x += 1 }", "9 is not within 0..6");
    bad(Code::WrongType, "record R(k: 1..3)\nlet f = R(4)", "4 is not within 1..3");
    good("let f(n: 1..3) = n\nlet g(u: Unit) = f(u.hits) + f(min(u.hits, 3))");
}

#[test]
fn a_table_has_a_row_for_all_it_is_asked() {
    let table = "table need(skill: 2..6): Int {\n | 2 | 6 |\n | 3 to 6 | 4 |\n}\n";
    let refused = |text: &str, message: &str| bad(Code::Gap, &format!("{table}{text}"), message);
    let fine = |text: &str| good(&format!("{table}{text}"));
    refused("proc p() { roll x = d6; let y = need(x) }", "no row for 1: `skill` is 2..6, and this value can be 1..6");
    refused("let f(u: Unit) = need(u.hits + 3)", "no row for 7: `skill` is 2..6, and this value can be 3..9");
    refused(
        "let f(u: Unit) = need(u.hits + u.hits)",
        "no row for 1, nor for 7: `skill` is 2..6, and this value can be 0..12",
    );
    refused("let f(n: Int) = need(n)", "no row for 1, nor for 7: `skill` is 2..6, and this value can be any number");
    refused("let f(n: 1..6) = if n >= 2 then 0 else need(n + 1) + need(n)", "no row for 1:");
    refused("proc p(n: 1..6) { if n >= 2 { set n_of = n }; let y = need(n) }\nstate n_of : 0..9 = 0", "no row for 1:");
    fine("let f(u: Unit) = need(max(2, u.hits))");
    fine("let f(u: Unit) = if u.hits < 2 then 0 else need(u.hits)");
    fine("let f(u: Unit) = if u.hits >= 2 and need(u.hits) > 3 then 1 else 0");
    fine("let f(n: 0..9) = if n < 2 or n > 6 then 0 else need(n)");
    fine("let f(n: 3..9) = if not (n > 5) then need(n - 1) else 0");
    fine("let f(n: 1..6) = if n == 1 then 0 else need(n)");
    fine(
        "let f(n: 0..9) = match n { 2 to 6 => need(n); 0, 1 => 0; over 6 => need(n - 3) }"
            .replace("0, 1", "0 | 1")
            .as_str(),
    );
    fine("proc p() { roll x = d6; if x > 1 { let y = need(x) } }");
    fine("proc p(u: Unit) { roll x = d6; if x == 1 { return }; set u.hits = 2; let y = need(x) }");
    fine("let f(n: 0..9) = total((all x in [n, n] where x >= 2 and x <= 6 and need(x) > 4))");
}

#[test]
fn defaults_lie_within_the_defaults_of_their_bounds() {
    let rendered = "`hp` is 5 by default, but `save`, the most it can be, is 4";
    bad(Code::WrongType, "extend kind Unit { stat save : 2..6 = 4; state hp : 0..save = 5 }", rendered);
    let rendered = "`grit` is 3 by default, but `save`, the least it can be, is 4";
    bad(Code::WrongType, "extend kind Unit { stat save : 2..6 = 4; stat grit : save..9 = 3 }", rendered);
    let rendered = "`far` is 5/2\" by default, but `reach`, the most it can be, is 2\"";
    bad(Code::WrongType, "extend kind Unit { stat reach : Length = 2\"; state far : 0\"..reach = 2.5\" }", rendered);
    good("extend kind Unit { stat save : 2..6 = 4; state hp : 0..save = 4; stat grit : save..9 = 9 }");
    good("extend kind Unit { stat save : 2..6; state hp : 0..save = 5 }");
}

#[test]
fn how_many_is_none_at_least() {
    let roll = "test T(n: 1..6) { roll d = 0 - n of d6; pass when any d > 3 }";
    bad(Code::WrongType, &roll.replace("0 - n of", "(0 - n) of"), "0 or more, and this is -6..-1");
    bad(Code::WrongType, "let f = copies(-1, 4)", "0 or more, and this is -1");
    bad(Code::WrongType, "let f = highest(-1, [4])", "0 or more, and this is -1");
    bad(Code::WrongType, "let f = lowest(-1, [4])", "0 or more, and this is -1");
    bad(Code::WrongType, "proc p() { draw -1 of x in [1, 2] }", "0 or more, and this is -1");
    bad(Code::WrongType, "proc p() { choose -1 .. 2 of x in [1, 2] }", "0 or more, and this is -1");
    bad(Code::WrongType, "proc p() { choose 0 .. -2 of x in [1, 2] }", "0 or more, and this is -2");
    bad(Code::WrongType, "proc p() { draw 1 .. of x in [1, 2] }", "a draw must have a maximum");
    let again = "proc p() { roll d = 2 of d6; reroll x in d where x == 1 at most -1 }";
    bad(Code::WrongType, again, "0 or more, and this is -1");
    good("test T(n: -6..6) { roll d = n of d6; pass when any d > 3 }");
}

#[test]
fn fractions_are_rounded() {
    bad(Code::Fraction, "proc p(u: Unit) { set u.hits = 5 / 2 }", "expected a whole number");
    bad(Code::Fraction, "let f(u: Unit) = 50% * u.mv", "round the fraction first");
    good("proc p(u: Unit) { set u.hits = u.nv / 2 rounded up }");
    good("let f(u: Unit) = u.hits / 2 + 1 > 50%");
    good("let f(u: Unit): Ratio = u.hits");
}

#[test]
fn missing_things() {
    bad(Code::Missing, "let f(u: Unit) = u.leader.rank > 2", "`rank` can be missing here");
    bad(Code::Missing, "proc p(u: Unit) { do heal(u.boss) }", "`boss` can be missing here");
    bad(Code::Missing, "let f(u: Unit) = u.boss has Brave", "`boss` can be missing here");
    bad(Code::Missing, "let f(u: Unit): Unit = u.boss", "`boss` can be missing here");
    bad(Code::NoCompare, "let f(u: Unit) = u.boss != none", "a value cannot be compared with `none`");
    good("let f(u: Unit) = u.leader is some l and l.rank > 2");
    good("let f(u: Unit) = (u.leader.rank otherwise 0) > 2");
    good("proc p(u: Unit) { if u.boss is some b { do heal(b) } }");
    good(
        "proc p(u: Unit) { set u.boss.hits = 2; grant Slow to u.boss; destroy u.boss; move u.leader { at most 2\" } }",
    );
    good("let f(u: Unit, v: Unit) = dist(u.boss, v) < 6\" and dist(u.leader, v) > 1\" and u within 3\" of v.boss");
    good("let f(u: Unit) = most v in u.side.units by v.leader.rank");
    good("let f(u: Unit) = u.boss == u");
}

#[test]
fn wrong_types() {
    bad(Code::WrongType, "let f(u: Unit): Flag = u.hits", "expected Flag, found 0..6");
    bad(Code::WrongType, "let f(u: Unit) = u.side has Brave", "`Brave` is on Unit");
    bad(Code::NoCompare, "let f(u: Unit) = u == u.side", "Unit and Side cannot be compared");
    bad(Code::NotOrdered, "let f(u: Unit) = u.mood < Wild", "values of Mood are not ordered");
    bad(Code::NotOrdered, "let f(u: Unit) = next(u.mood)", "ordered enum");
    bad(Code::NotACollection, "let f(u: Unit) = count m in u.hits where m > 1", "cannot be looped over");
    bad(Code::NeedType, "proc p(u: Unit) { let x = none }", "the type of `x` cannot be inferred");
    bad(
        Code::ResultUsed,
        "proc p(u: Unit) { let t = test Nerve(u); if t { do heal(u) } }",
        "`t` is the result of a test",
    );
    good("let f(u: Unit) = next(u.cover) > Soft and u.q < d8 and min(u.cover, Hard) == Bare");
    good("let f(u: Unit) = size(u) + size(u.models) + (count c in Cover where c > u.cover)");
    good("let f(u: Unit) = u.models.unit.side.units");
}

#[test]
fn dice() {
    bad(
        Code::PoolNeeded,
        "test T(u: Unit) { roll dice = 3d6; pass when any dice >= 4 }",
        "`dice` is one number, the sum of its dice",
    );
    bad(Code::PoolNeeded, "test T(u: Unit) { roll dice = 3d6; reroll x in dice where x == 1; pass when dice > 4 }", "");
    bad(Code::ShiftedDie, "test T(u: Unit) { roll x = u.q up 1; pass when x > 4 }", "can be past the end of its chain");
    bad(
        Code::ExplodeAll,
        "test T(u: Unit) { roll d = 3 of d6; explode x in d where x == 1 or x != 1; pass when total(d) > 3 }",
        "these dice explode",
    );
    bad(Code::DieSides, "test T(u: Unit) { roll d = die(0); pass when d > 3 }", "no die with 0 sides");
    bad(Code::WrongType, "test T(u: Unit) { roll d = 3; pass when d > 3 }", "expected a die to roll");
    bad(Code::Effect, "let f(u: Unit) = 2d6 > 7", "is a roll");
    good(
        "test T(u: Unit) { roll d = [u.q, d6] + copies(u.hits, d8); reroll x in d where x == 1 at most 2; pass when highest(2, d) != [] }",
    );
    good("test T(u: Unit) { roll d = 3d6; reroll d; pass when d > 3 }");
    good("test T(u: Unit) { roll f = Face; roll x = closed(u.q down 1); pass when f == Wild and x > 2 }");
    good(
        "proc p(s: Side) { draw u in s.units where u.hits > 0 or none weight u.hits; draw 2 of lost in s.units; each x in lost { do heal(x) } }",
    );
}

/// Rounding a whole number does nothing.
#[test]
fn whole_numbers_are_not_rounded() {
    bad(Code::Dead, "let f(u: Unit) = u.hits rounded down", "rounding has no effect: `hits` is already a whole number");
    bad(Code::Dead, "let f(n: Int) = n * 2 rounded up", "rounding has no effect");
    good(
        "let f(n: Int) = n / 2 rounded up\nlet g(n: Int) = n * 50% rounded down\nlet h(n: Int) = n * 2 / 3 rounded nearest",
    );
}

/// Equality, pools and lists are judged like other comparisons, and each line once.
#[test]
fn what_dice_cannot_show_is_told() {
    let with = |condition: &str| {
        format!("proc p(u: Unit) {{ roll aim = u.nv of d6; roll x = d6; if {condition} {{ set u.hits = x }} }}")
    };
    for condition in [
        "any aim == 0",
        "any aim == 7",
        "(count aim == 0) > 0",
        "(any a in aim where a == 8)",
        "x == 8",
        "x in [7, 8]",
        "x in 7 .. 9",
        "max(x, 4) == 3",
        "u.hits < 0",
    ] {
        bad(Code::Dead, &with(condition), "this is always false: ");
    }
    bad(
        Code::Dead,
        "proc p(u: Unit) { roll aim = 3 of d6; if no aim == 7 { set u.hits = 3 } }",
        "this is always false: ",
    );
    bad(Code::Dead, &with("x != 8"), "this is always true: `x` is 1 to 6");
    bad(
        Code::Dead,
        "proc p(u: Unit) { roll aim = u.nv of d6; explode d in aim where d == 8; set u.hits = total(aim) }",
        "this is always false",
    );
    for condition in ["any aim == 1", "x in [5, 6]", "x in 6 .. 9", "max(x, 4) == 4", "no aim == 6", "u.hits == 6"] {
        good(&with(condition));
    }
}
