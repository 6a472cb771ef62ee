//! Bands, cases, tables.

use super::kit::{bad, good};
use grognard_base::Code;

#[test]
fn every_case_once() {
    bad(Code::Gap, "let f(u: Unit) = match u.cover {\n Bare => 0\n Soft => 1\n}", "no case covers Hard");
    bad(
        Code::Gap,
        "let f(r: Ratio): Int = match r {\n over 50% => 1\n under 50% => 2\n}",
        "no case covers exactly 50%",
    );
    bad(Code::Gap, "let f(u: Unit) = match u.leader {\n some m => m.rank\n}", "none");
    bad(Code::Overlap, "let f(u: Unit) = match u.hits {\n 0 to 3 => 0\n 3 to 6 => 1\n}", "two rows cover 3");
    bad(Code::Dead, "let f(u: Unit) = match first u.hits {\n at least 0 => 0\n 3 => 1\n}", "never applies");
    bad(
        Code::NeedsFirst,
        "let f(u: Unit, t: Int) = match u.hits {\n over t => 0\n 3 => 1\n else => 2\n}",
        "known only in play",
    );
    good("let f(u: Unit, t: Int): Int = match u.hits {\n over t => 0\n at most t => 1\n}");
    good("let f(u: Unit) = match u.hits {\n 0 => Calm\n 1 | 2 => Wild\n over 2 => u.mood\n}");
    good(
        "let f(u: Unit) = match (u.cover, u.hits > 2) {\n (Bare | Soft, yes) => 1\n (Hard, yes) => 2\n (_, no) => 3\n}",
    );
}

#[test]
fn ranges_are_known() {
    good(
        "test T(u: Unit) -> Mood { roll x = d6; grade match x {\n 1 to 3 => Calm\n 4, => Wild\n}  }"
            .replace("4, =>", "4 to 6 =>")
            .as_str(),
    );
    good(
        "test T(u: Unit) -> Mood { roll a = d6; roll b = d6; grade match count [a, b] > 3 {\n 0 => Calm\n 1 => Wild\n 2 => Free\n}  }",
    );
    good(
        "test T(u: Unit) -> Mood { roll d = 2d6; grade match d {\n 2 to 6 => Calm\n 7 => Wild\n 8 to 12 => Free\n}  }",
    );
    bad(
        Code::Gap,
        "test T(u: Unit) -> Mood { roll d = 2d6; grade match d {\n 2 to 6 => Calm\n 7 => Wild\n 8 to 11 => Free\n}  }",
        "12",
    );
}

#[test]
fn shifted_dice() {
    bad(Code::Gap, "let f(u: Unit) = match u.q up u.hits {\n some die => 1\n}", "past the top");
    bad(Code::Gap, "let f(u: Unit) = match u.q down 1 {\n some die => 1\n}", "past the bottom");
    // whoever may shift it the other way needs a row for that end
    bad(Code::Gap, "let f(u: Unit, n: Int) = match u.q up n {\n some die => 1\n past top => 0\n}", "past the bottom");
    bad(Code::Gap, "let f(u: Unit, n: Int) = match u.q down n {\n some die => 1\n past bottom => 0\n}", "past the top");
    bad(
        Code::Gap,
        "let g(u: Unit, n: Int) = u.q up n\nlet f(u: Unit) = match g(u, 0 - 1) {\n some die => 1\n past top => 0\n}",
        "past the bottom",
    );
    bad(
        Code::Gap,
        "proc f(u: Unit, n: Int) { var x = u.q up 1\n set x = u.q up n\n match x {\n some die => { }\n past top => { }\n } }",
        "past the bottom",
    );
    bad(
        Code::Gap,
        "let f(u: Unit, n: Int) = match (u.q up n, yes) {\n (some die, _) => 1\n (past top, _) => 0\n}",
        "past the bottom",
    );
    good("let f(u: Unit, n: 0..3) = match u.q up n {\n some die => 1\n past top => 0\n}");
    good("let f(u: Unit) = match u.q up u.hits {\n some die => faces(die)\n past top n => n\n}");
}

#[test]
fn tables() {
    good("table t(c: Cover): Int {\n | Bare, Soft | 0 |\n | Hard | 1 |\n}\nlet f(u: Unit) = t(u.cover)");
    good(
        "table t(n: 0..6, c: Cover): Mood? {\n | | Bare | over Bare |\n | 0 to 2 | Calm | Wild |\n | 6 | - | Free |\n}\nlet f(u: Unit) = t(u.hits, u.cover)",
    );
    bad(
        Code::Gap,
        "table t(c: Cover): Int {\n | Bare | 0 |\n | Hard | 1 |\n}\nlet f(u: Unit) = t(u.cover)",
        "table t has no Soft",
    );
    bad(
        Code::Overlap,
        "table t(n: 1..6): Int {\n | 1 to 3 | 0 |\n | 3 to 6 | 1 |\n}\nlet f = t(2)",
        "two rows cover 3",
    );
    bad(
        Code::TableShape,
        "table t(n: 1..2, c: Cover): Int {\n | | Bare | Soft | Hard |\n | 1 | 0 | 1 | 2 |\n | 2 | 0 | 1 |\n}\nlet f = t(2, Bare)",
        "expected 4 cells as in the header, found 3",
    );
    bad(
        Code::WrongType,
        "table t(c: Cover): Int {\n | Bare | 0 |\n | over Bare | - |\n}\nlet f = t(Bare)",
        "`-` means none",
    );
}

#[test]
fn what_a_move_met() {
    good(
        "proc p(m: Model) { let leg = move m { at most 2\" ; stops on contact }\n match leg.met {\n none => { }\n some Model(x) => destroy x\n some Edge => destroy m\n else => { }\n } }",
    );
    bad(
        Code::Gap,
        "proc p(m: Model) { let leg = move m { at most 2\" ; stops on contact }\n match leg.met {\n none => { }\n some Model(x) => destroy x\n } }",
        "the table edge",
    );
}

/// A list minus another one loses only entries that it has, so its size and its total have all values up to the whole.
#[test]
fn a_difference_of_lists_can_keep_all_entries() {
    let rolled = |ask: &str| format!("proc p() -> Int {{ roll a = 4 of d6\n roll b = 2 of d6\n return match {ask} }}");
    bad(Code::Gap, &rolled("size(a - b) { 2 => 1 }"), "no case covers 3 to 4");
    bad(Code::Gap, &rolled("total(a - b) { 2 to 12 => 1 }"), "no case covers 13 to 24");
    bad(Code::Gap, &rolled("size(b - a) { 0 => 1 }"), "no case covers 1 to 2");
    good(&rolled("size(a - b) { 2 to 4 => 1 }"));
    // distinct entries are at most as many as the faces
    good(&rolled("distinct(a) { 1 to 4 => 1 }"));
    bad(Code::Gap, &rolled("distinct(a) { 1 to 3 => 1 }"), "no case covers 4");
    good(&rolled("distinct(a + a) { 1 to 6 => 1 }"));
}
