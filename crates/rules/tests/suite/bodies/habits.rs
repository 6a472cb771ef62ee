//! Lines as other languages and rulebooks write them: the message names the form to write.

use super::kit::{good, helps};
use grognard_base::Code;

#[test]
fn words_of_other_rulebooks() {
    let unit = |what: &str| format!("proc p(u: Unit) {{ {what} }}");
    let table = |rows: &str| format!("table t(a: 1..6): Int {{\n {rows}\n }}");
    let pool = |what: &str| format!("test T() {{ roll a = 3 of d6; pass when {what} }}");
    helps(Code::Syntax, &unit("if u.hits > 3 { return } otherwise { return }"), "is `else`", "`} else { .. }`");
    helps(Code::Syntax, &unit("if u.hits > 3 { return }\n otherwise { return }"), "is `else`", "`} else { .. }`");
    helps(
        Code::Syntax,
        &unit("if u.hits > 3 { return }\n # else\n else { return }"),
        "this `else` does not belong to an `if`",
        "comment",
    );
    helps(Code::Syntax, &unit("switch u.hits { }"), "to choose between cases, use `match`", "`match u.men {");
    helps(Code::Syntax, &unit("remove u"), "to remove something from play, use `destroy`", "`destroy u \"why\"`");
    helps(Code::Syntax, &unit("tally throws"), "to add to a tally, use `set`", "`set throws += 1`");
    helps(Code::Syntax, &unit("choose w {\n a => pass\n b => set u.hits = 2\n }"), "an empty block", "`=> { }`");
    helps(Code::WrongType, &unit("choose w {\n a => none\n b => set u.hits = 2\n }"), "found a value", "`=> { }`");
    helps(Code::BandForm, &table("| 4+ | 2 |\n | under 4 | 1 |"), "a band is written", "write `at least 4`");
    helps(Code::BandForm, &table("| <= 4 | 2 |\n | over 4 | 1 |"), "a band is written", "`<= v` is `at most v`");
    helps(Code::Syntax, &table("|---|---|\n | 1 to 6 | 2 |"), "cannot have a line of dashes", "remove that line");
    helps(Code::Syntax, &table("| 1 to 3 | 2 |\n | else | 1 |"), "a table cannot have a default row", "`over 6`");
    helps(Code::Syntax, "table t(a: 1..6): Int {\n 1 to 6 | 2\n }", "begins and ends with `|`", "`| 1 to 3 | 0 |`");
    helps(Code::Syntax, &pool("a contains 6"), "to check whether a list contains an entry, use `in`", "write `6 in a`");
    helps(
        Code::Syntax,
        &unit("if u.hits > 3 and < 6 { return }"),
        "expected a complete condition after `",
        "write `and u.hits < 6`",
    );
    helps(
        Code::Syntax,
        "test T() { roll a = d6,d6; pass when a > 3 }",
        "dice in one roll must form one pool; otherwise use one roll for each",
        "`roll a = 2 of d6`",
    );
    helps(
        Code::Syntax,
        "proc p(us: Unit[]) { }",
        "the element type of a list comes after `list of`",
        "write `list of Unit`",
    );
    helps(
        Code::Syntax,
        "proc p(us: List<Unit>) { }",
        "the element type of a list comes after `list of`",
        "write `list of Unit`",
    );
    helps(Code::Syntax, "event Shot { target: Unit }", "in round brackets", "`event Shot(target: Unit)`");
    helps(Code::UnknownField, &pool("a.max() > 4"), "use a word before the list", "`total(highest(1, a))`");
    helps(Code::UnknownField, &pool("a.length > 4"), "use a word before the list", "`size(a)`");
    helps(Code::WrongType, "param sizes = [1, 2]", "found a list", "`let sizes = [1, 2, 3]`");
    helps(Code::Twice, "kind Pawn { state at : 0..6 = 6 }", "cannot be the name of a field", "");
    helps(Code::UnknownName, &unit("set this.hits = 3"), "unknown name `this`", "a parameter");
    helps(Code::UnknownName, &unit("let n = zzz.hits"), "unknown name `zzz`", "in scope here: `u`");
    helps(Code::WrongType, &pool("any a == 1 or 2"), "found a number", "`any x in dice where x == 1");
    helps(
        Code::Syntax,
        "test T() { roll a = 1d20adv; pass when a > 3 }",
        "advantage rolls two dice and keeps the better one",
        "`roll a = 2 of d20`, and `total(highest(1, a))`",
    );
    helps(Code::Missing, "state foe : Unit = none", "where a value can be missing", "`Unit?`");
    helps(Code::Scope, "test T() { roll a = d6; return a > 3 }", "with `pass when`", "write `pass when ..`");
    helps(Code::TableShape, &table("| a | men |\n | 1 to 6 | 2 |"), "cannot have a header row", "remove that line");
}

#[test]
fn habits_of_other_languages() {
    let unit = |what: &str| format!("proc p(u: Unit) {{ {what} }}");
    helps(Code::Syntax, &unit("if u.hits > 3: set u.hits = 1"), "expected a block in", "write `if u.hits > 3 { .. }`");
    helps(Code::Syntax, &unit("each m in u.models: set m.hurt = yes"), "expected a block in", "write `each { .. }`");
    helps(Code::Syntax, "test T() { roll a = d6; pass if a > 3 }", "a test is passed `when`", "`pass when ..`");
    helps(Code::Syntax, &unit("set u.hits++"), "`=`, `+=` or `-=`", "write `set u.hits += 1`");
    helps(Code::Syntax, &unit("set u.hits *= 2"), "`=`, `+=` or `-=`", "write `set u.hits = u.hits * 2`");
    helps(
        Code::Syntax,
        &unit("if u.hits > 3 { return } elif u.hits > 2 { return }"),
        "`else if`",
        "`} else if u.hits > 2 {`",
    );
    helps(Code::Syntax, &unit("destroy(u)"), "unexpected bracket after", "`destroy u \"why\"`");
    helps(
        Code::Syntax,
        &unit("choose { a => { }; b => { } }"),
        "a choice needs a name, so that scripts and policies can answer it",
        "`choose what { .. }`",
    );
    helps(Code::CaseLaw, &unit("choose Act { a => { }; b => { } }"), "a small letter", "`choose act { .. }`");
    helps(
        Code::Syntax,
        &unit("may rest { set u.hits = 0 } else { set u.hits = 1 }"),
        "has no `else`",
        "`choose rest {",
    );
    helps(Code::Syntax, &unit("set u.hits = min(u.hits, 3, )"), "this comma and the `)`", "remove the comma");
    helps(Code::Syntax, "rule R when turn > 3 { set turn = 0 }", "a rule waits for something", "`rule R on end of P");
}

#[test]
fn throws_as_rulebooks_write_them() {
    let unit = |what: &str| format!("proc p(u: Unit) {{ {what} }}");
    let pool = |what: &str| format!("test T() {{ roll a = 3 of d6; pass when {what} }}");
    helps(
        Code::Syntax,
        &unit("roll x = d6 vs d6"),
        "each side rolls its own dice, and conditions compare them",
        "`ours > theirs`",
    );
    helps(
        Code::Syntax,
        &unit("roll x = 2d6 >= 7"),
        "a roll cannot contain a comparison; compare its result in a condition",
        "`pass when x >= 7`",
    );
    helps(
        Code::Syntax,
        &unit("roll x = 3d6 reroll 1s"),
        "must be a separate line after a roll of separate dice",
        "`reroll die in x where die == 1`",
    );
    helps(
        Code::Syntax,
        &unit("roll a = 3d6 explode 6s"),
        "must be a separate line after a roll of separate dice",
        "`explode x in a where x == 6`",
    );
    helps(
        Code::Syntax,
        &unit("reroll 1s in x"),
        "must be a separate line after a roll of separate dice",
        "`roll dice = 3 of d6`",
    );
    helps(Code::Syntax, &unit("repeat 3 { set u.hits = 1 }"), "a loop over numbers", "`each n in 1 .. 3 { .. }`");
    helps(Code::Syntax, "test T() { roll a = d6; pass a > 3 }", "passed `when`", "`pass when ..`");
    helps(Code::Syntax, &unit("destroy all x in Unit where x.hits > 3"), "takes one thing", "`each x in XS where C");
    helps(Code::Syntax, &unit("spawn 2 of Unit"), "brings one thing in", "each n in 1 .. 2 { spawn fresh : Unit { } }");
    helps(Code::Syntax, "trait T on Unit { modify nv /= 2 }", "rounds the product", "`modify nv *= 1/2 rounded down`");
    helps(Code::Syntax, "trait T on Unit { modify nv = 2 }", "changes the figure", "`replace nv = 2`");
    helps(Code::Syntax, "trait T on Unit { modify nv += 1 max 5 }", "has other words", "`modify nv at most 5`");
    helps(Code::Syntax, "status S on Unit for 2 turns { }", "where it is granted", "`grant S to u until end of P`");
    helps(Code::Syntax, "kind Deck { state hand : list of 1..9 }", "has no range", "`list of Int`");
    helps(
        Code::Syntax,
        &unit("let l = all x in Unit ordered by x.hits"),
        "belongs to an `each`",
        "`least x in XS by E`",
    );
    helps(Code::WrongType, &unit("if u.hits is 3 or 4 { return }"), "found only `4`", "`or u.hits is 4`");
    helps(
        Code::Effect,
        &unit("roll x = d6 + d8"),
        "cannot add",
        "`roll other = d8` on separate lines, and use `x + other`",
    );
    helps(
        Code::UnknownField,
        "tally kills\nproc p(u: Unit) { set u.kills += 1 }",
        "no field `kills`",
        "write only `kills`",
    );
    helps(
        Code::ReadTogether,
        &unit("roll spot = d66; if spot > 33 { set u.hits = 1 }"),
        "66 sides",
        "10 * tens + ones",
    );
    helps(
        Code::Units,
        &unit("roll spot = d100; if spot <= 30% { set u.hits = 1 }"),
        "`spot` is a whole number and `30%` a share",
        "write `30`",
    );
    good(&pool("total(a) > 31/2"));
    good(&unit("roll spot = d100; if spot <= 30.5 { set u.hits = 1 }"));
}

/// Each form of another language, what is said, and that what is said works.
#[test]
fn what_is_told_of_other_languages_works() {
    let value = |what: &str| format!("let f(u: Unit) = {what}");
    helps(Code::UnknownName, &value("len(u.models)"), "is `size`", "write `size(u.models)`");
    helps(Code::UnknownName, &value("round(u.hits / 2)"), "with `rounded`", "`u.hits / 2 rounded nearest`");
    helps(
        Code::UnknownName,
        "proc p() { each i in range(3) { } }",
        "a range, `1 .. 3`",
        "write `each i in 1 .. 3 { .. }`",
    );
    helps(Code::UnknownField, &value("size(u.models.filter(yes))"), "has no `filter`", "`all x in u.models where ..`");
    helps(
        Code::UnknownField,
        &value("Unit.length"),
        "a list has no `length`",
        "`size(Unit)`, or `count x in Unit where",
    );
    helps(
        Code::Syntax,
        &value("size(Unit.filter(x => x.hits > 3))"),
        "to filter a list, use `all`",
        "`all x in Unit where x.hits > 3`",
    );
    helps(
        Code::Syntax,
        &value("total(Unit.map(x => x.hits))"),
        "to get a stat of every entry, write it after the list",
        "write `Unit.hits`",
    );
    let unit = |what: &str| format!("proc p(u: Unit) {{ {what} }}");
    helps(Code::Syntax, &unit("for i in range(3) { set u.hits += i }"), "`each`", "`each i in 1 .. 3 { .. }`");
    helps(Code::Syntax, &unit("while u.hits > 3 { set u.hits -= 1 }"), "loops are", "`repeat { .. } while u.hits > 3`");
    good(&value(
        "size(u.models) + (u.hits / 2 rounded nearest) + size(all x in Unit where x.hits > 3) + total(Unit.hits)",
    ));
    good(&unit("each i in 1 .. 3 { set u.hits += i }; repeat { set u.hits -= 1 } while u.hits > 3"));
}

#[test]
fn capitals_are_told() {
    helps(Code::UnknownName, "let f() = count x in unit where x.hits > 3", "did you mean `Unit`?", "write `Unit`");
    let seen = "let f(u: Unit) = count x in unit where x.hits > u.hits";
    helps(Code::UnknownName, seen, "did you mean `Unit`?", "`u` is a Unit here, while `Unit` means all of them");
    helps(Code::CaseLaw, "param HIT_ON = 4", "begin with a small letter", "write `hit_on`");
    helps(Code::UnknownType, "param hit_on = 4\nlet f = HIT_ON", "did you mean `hit_on`?", "write `hit_on`");
}

/// A share of a whole number is told once of all rows, with what to write.
#[test]
fn shares_in_rows_of_numbers_are_told() {
    let rows = "{ under 25% => 1; 25% to under 50% => 2; at least 50% => 3 }";
    let men = "kind Troop { stat men : 1..20 = 10; state losses : 0..men = 0 }\n";
    let rendered = format!("{men}let f(t: Troop) = match t.losses {rows}");
    helps(Code::Units, &rendered, "`losses` is a whole number, and `25%`", "`match t.losses / t.men {`");
    good(&format!("{men}let f(t: Troop) = match t.losses / t.men {rows}"));
    let table = "table t(l: 0..20): Int { | under 50% | 1 |\n | at least 50% | 2 | }";
    helps(Code::Units, table, "a whole number", "a key of the type `Ratio`");
    good("table t(l: Ratio): Int { | under 50% | 1 |\n | at least 50% | 2 | }");
}

#[test]
fn a_number_of_draws_is_thrown_first() {
    let unit = |what: &str| format!("proc p(u: Unit) {{ {what} }}");
    helps(Code::Syntax, &unit("draw d2 of u.models"), "expected a number after `draw`", "`draw many of x in u.models`");
    helps(Code::WrongType, &unit("draw d2 of x in u.models"), "`d2`, a die that is not rolled yet", "`roll many = d2`");
    good(&unit("roll many = d2\n draw many of x in u.models\n set u.hits = size(x)"));
}

#[test]
fn what_is_added_to_a_roll_is_told() {
    let unit = |what: &str| format!("proc p(u: Unit) {{ {what} }}");
    helps(Code::Effect, &unit("roll a = d20 + 5"), "cannot add", "write `roll a = d20`, and use `a + 5`");
    helps(Code::Effect, &unit("roll a = 2d6 + 1d8"), "cannot add", "`roll a = 2d6` and `roll other = 1d8`");
    helps(
        Code::Syntax,
        &unit("roll a = 3d6!"),
        "to explode dice, name their pool first",
        "below it `explode x in a where x == 6`",
    );
    good(&unit(
        "roll a = 3 of d6\n explode x in a where x == 6\n roll b = 4 of d6\n set u.hits = total(a) + total(highest(3, b))",
    ));
}
