//! What is said where a designer meant something else: the message tells what it is, the help what to write.

use super::kit::{check, findings, good, helps};
use grognard_base::Code;

#[test]
fn who_is_called_by_which_word() {
    let called = |call: &str, is: &str, write: &str| {
        helps(Code::NotCallable, &format!("proc p(u: Unit) {{ {call} }}"), is, write);
    };
    called("do Nerve(u)", "`Nerve` is a test, not a proc", "`test Nerve(..)`");
    called("let x = do Nerve(u)", "`Nerve` is a test, not a proc", "`test Nerve(..)`");
    called("run Nerve(u)", "`Nerve` is a test, not a phase", "`test Nerve(..)`");
    called("emit Nerve(u)", "`Nerve` is a test, not an event", "`test Nerve(..)`");
    called("test heal(u)", "`heal` is a proc, not a test", "`do heal(..)`");
    called("run heal(u)", "`heal` is a proc, not a phase", "`do heal(..)`");
    called("do Other(u)", "`Other` is a phase, not a proc", "`run Other(..)`");
    called("do Hit(u, 1)", "`Hit` is an event, not a proc", "`emit Hit(..)`");
    called("run Go(u)", "`Go` is an action, not a phase", "choose action");
    called("test half(3)", "`half` is a value, not a test", "`half(..)`");
    let rule = "rule R on Hit as h { set h.target.hits += 1 }\nproc p(u: Unit) { do R(u) }";
    helps(Code::NotCallable, rule, "`R` is a rule, not a proc", "let its trigger run it");
    helps(Code::UnknownName, "proc p(u: Unit) { do heall(u) }", "no proc `heall`; did you mean `heal`?", "");
    helps(Code::UnknownName, "proc p(s: Side) { run turn(s) }", "no phase `turn`; did you mean `Turn`?", "");
}

#[test]
fn pools_are_lists() {
    let test = |what: &str| format!("test T() {{ roll a = 3 of d6; roll b = 2 of d6; pass when {what} }}");
    helps(Code::NotOrdered, &test("a > b"), "lists cannot be ordered", "`total(a) > total(b)`");
    helps(Code::NotOrdered, &test("a > b"), "lists cannot be ordered", "`count x in a against y in b where x > y`");
    helps(Code::NoCompare, &test("any b > 2 or a == 1"), "cannot be compared", "`any a == 1`");
    helps(
        Code::NoCompare,
        &test("any b > 1 and a >= 4"),
        "cannot be compared",
        "`count die in a where die == 1 or die >= 4`",
    );
    helps(Code::WrongType, &test("count a >= 4 and any a > 2"), "expected Flag", "`(count ..) >= 2`");
    helps(Code::Arity, &test("max(a) > 3 and any a > 2"), "`max` takes two or more", "`total(highest(1, a))`");
    helps(Code::Arity, &test("min(a) > 3 and any a > 2"), "`min` takes two or more", "`total(lowest(1, a))`");
    helps(Code::Arity, &test("total(lowest(a)) > 3 and any a > 2"), "it is called with 1 here", "`lowest(1, a)`");
    good(&test("(count x in a against y in b where x > y) > 0 or total(a) > total(b)"));
    good(&test("(count x in a where x == 1 or x >= 4) > total(highest(1, b))"));
}

#[test]
fn a_die_is_thrown_before_it_shows_a_number() {
    let test = |what: &str| format!("test T() {{ {what}; pass when 1 > 2 }}");
    helps(Code::NoCompare, &test("let x = d6 > 3"), "`d6` is a die here", "`roll face = d6`");
    helps(Code::NoCompare, "test T(u: Unit) { pass when u.q == 4 }", "`q` is a die here", "`roll face = q`");
    helps(Code::Effect, &test("roll x = d12 + 1"), "cannot add to its dice", "`roll x = d12`, and use `x + 1`");
    helps(Code::Syntax, &test("let x = 3 of d6"), "rolled by `roll`", "`roll x = 3 of d6`");
    helps(Code::Effect, &test("let x = total(3 of d6)"), "a statement of its own", "`roll dice = 3 of d6`");
    good(&test("roll face = d6; let x = face > 3; roll aim = 3 of d6; let y = total(aim)"));
}

#[test]
fn a_field_is_named_with_whose_it_is() {
    helps(Code::UnknownName, "proc p(u: Unit) { set hits = 1 }", "did you mean `u.hits`?", "");
    helps(Code::UnknownName, "let f(w: Model, u: Unit) = hits + 1", "did you mean `u.hits`?", "");
    helps(Code::UnknownName, "let f(w: Model) = rnak + 1", "unknown name `rnak`", "");
}

#[test]
fn an_item_may_hide_a_builtin() {
    let total = "let total(x: Int) = x + 1\ntest T() { roll a = 3 of d6; pass when total(a) > 9 }";
    helps(Code::WrongType, total, "expected Int", "the `total` of these rules hides the builtin");
    let nth = "proc nth(u: Unit) { do heal(u) }\nlet second(xs: list of Int) = nth(2, xs)";
    helps(Code::Effect, nth, "`do nth(..)` changes things", "the `nth` of these rules hides the builtin");
    good("let total(x: Int) = x + 1\ntest T() { roll a = d6; pass when total(a) > 4 }");
}

#[test]
fn what_a_query_gives_is_compared_in_brackets() {
    let test = |what: &str| format!("test T() {{ roll a = 3 of d6; pass when {what} }}");
    helps(Code::Syntax, &test("count a >= 4 > 2"), "comparisons do not chain", "`(count a >= 4) > 2`");
    helps(Code::Syntax, &test("1 + count a >= 4 == 2"), "comparisons do not chain", "`(count a >= 4) == 2`");
    helps(Code::Syntax, &test("2 < count a >= 4"), "comparisons do not chain", "`.. < (count a >= 4)`");
    good(&test("(count a >= 4) > 2 or 2 < (count a == 1) or any a == 3"));
}

#[test]
fn queries_as_other_languages_write_them() {
    let test = |what: &str| format!("test T() {{ roll a = 3 of d6; pass when {what} }}");
    helps(
        Code::Syntax,
        &test("(count x in a: x > 2) > 1"),
        "expected `where` and the condition of the query",
        "`count x in a where ..`",
    );
    helps(
        Code::Syntax,
        &test("(any x in a: x > 2)"),
        "expected `where` and the condition of the query",
        "`any x in a where ..`",
    );
    helps(
        Code::Syntax,
        &test("(sum x in a: x) > 1"),
        "expected `of` and the expression to add up",
        "`sum x in a of ..`",
    );
    helps(Code::Syntax, &test("sum a >= 9"), "`sum` asks things one by one", "`total(a) >= ..`");
    good(&test("(sum x in a of x) > 9 and any x in a where x > 2"));
}

#[test]
fn a_name_that_ended_with_its_block_says_so() {
    let ended = "is in scope only inside its { }";
    helps(Code::UnknownName, "proc p() \"P\" { repeat { let x = 1 } while x < 3 }", ended, "`var x = ..`");
    helps(Code::UnknownName, "proc p() \"P\" { if 1 < 2 { roll x = 2 of d6 }; let y = total(x) }", ended, "`set`");
    good("proc p() \"P\" { var x = 1; repeat { set x += 1 } while x < 3 }");
    // nothing is called by the name of what is being declared
    let (loaded, _) = check("let hits() = hitz + 1\nlet misses() = hitz");
    let messages: Vec<&str> = loaded.problems.iter().filter(|p| p.is_error()).map(|p| p.message.as_str()).collect();
    assert_eq!(messages, ["unknown name `hitz`", "unknown name `hitz`; did you mean `hits`?"]);
}

#[test]
fn dice_of_a_chain_go_by_their_own_names() {
    helps(Code::UnknownField, "let f() = Quality.d8", "without the name of the chain", "write `d8`");
    helps(Code::UnknownField, "let f() = Quality.d20", "chain Quality has no `d20`", "d4, d6, d8");
    good("let f(u: Unit) = u.q >= d8\nlet g(): Quality = d8");
}

#[test]
fn words_of_other_dice_tools() {
    let test = |what: &str| format!("test T() {{ roll a = 3 of d6; pass when {what} > 2 and any a == 1 }}");
    helps(Code::UnknownName, &test("best(2, a)"), "use `highest` for the greatest dice", "`highest(2, dice)`");
    helps(Code::UnknownName, &test("sum(a)"), "the sum of a list is `total`", "`total(a)`");
    helps(Code::UnknownName, &test("explode(a)"), "`explode` is a statement", "explode x in aim where x == 6 at most");
    helps(Code::Syntax, "test T() { roll a = 2D6; pass when a > 3 }", "small `d`", "write `2d6`");
    helps(Code::Syntax, "test T() { roll a = 4d6kh3; pass when a > 3 }", "`highest`", "total(highest(3, a))");
}

#[test]
fn what_is_nearly_the_language() {
    helps(
        Code::Syntax,
        "test T() { roll a = 3 d6; pass when any a > 4 }",
        "`of` is missing",
        "`3 of d6` are separate dice",
    );
    let figure = "proc p(u: Unit) {\n  roll a = d6\n  let u.q = a\n}";
    helps(Code::Syntax, figure, "`u.q` is a figure of a thing", "write `set u.q = ..`");
    let comment = "proc p() {\n  roll a = d6\n  // a remark\n}";
    helps(Code::Syntax, comment, "comments begin with `#`", "write `# comment`");
    let quoted = "param n “How many” = 3\ntest T() { pass when n > 2 }";
    helps(Code::Syntax, quoted, "texts go in straight double quotes", "write \"text\"");
    helps(Code::Syntax, "let a = 3 “three”", "texts go in straight double quotes", "write \"text\"");
}

#[test]
fn a_number_and_its_unit() {
    let mark = |value: &str, help: &str| helps(Code::Syntax, &format!("let d: Length = {value}"), "inch mark", help);
    for inches in ["6 inches", "6in", "6 in", "6 inch"] {
        mark(inches, "write `6\"`");
    }
    mark("2.5cm", "write `0.984\"`; an inch is 2.54 cm");
    mark("2 feet", "write `24\"`; a foot is 12 inches");
    mark("6'", "write 6\"; a foot is 12\"");
    helps(Code::Syntax, "let d: Angle = 45 degrees", "the sign °", "write `45°`");
    helps(Code::Syntax, "let d: Angle = 45deg", "the sign °", "write `45°`");
    helps(Code::Syntax, "let d: Ratio = 50 percent", "the sign %", "write `50%`");
    helps(Code::Units, "let d: Angle = 45", "expected an angle in degrees", "write `45°`");
    helps(Code::Units, "let d: Length = 2.5", "expected a length in inches", "write `2.5\"`");
    helps(Code::Units, "extend kind Unit { stat far : Angle = -6 }", "expected an angle in degrees", "write `354°`");
    helps(Code::Units, "let f(u: Unit) = u.mv + 6", "cannot be added", "did you mean 6\"?");
    helps(Code::Units, "let f(a: Angle) = a > 45", "cannot be compared", "did you mean 45°?");
    helps(Code::Units, "let f(n: Int): Length = n", "expected a length in inches", "`n * 1\"`");
    helps(Code::Units, "let f(u: Unit): Int = u.mv", "expected a plain number", "`u.mv / 1\" rounded down`");
    good("let d: Length = 6\"\nlet e: Angle = 45°\nlet f(n: Int): Length = n * 1\"\nlet g(n: Int): Flag = 6 in [n]");
}

#[test]
fn a_die_is_one_small_word() {
    let roll = |dice: &str| format!("test T() {{ roll a = {dice}; pass when 1 > 2 }}");
    helps(Code::Syntax, &roll("d 6"), "a die cannot have a space between `d` and its sides", "write `d6`");
    let again = |line: &str| format!("proc p() {{ roll aim = 3 of d6\n {line}\n}}");
    helps(
        Code::Syntax,
        &again("reroll aim where face == 1"),
        "needs a name for them",
        "write `reroll x in aim where x == 1`",
    );
    helps(Code::Syntax, &again("explode aim if 6"), "needs a name for them", "write `explode x in aim where x == 6`");
    let own = "proc p() { roll x = 3 of d6\n reroll x where x < 3\n}";
    helps(Code::Syntax, own, "needs a name for them", "write `reroll die in x where die == 1`");
    let one = "proc p() -> Int { roll aim = 3 of d6\n return highest(1, aim) }";
    helps(Code::WrongType, one, "found list of", "write `total(highest(1, aim))`");
    helps(
        Code::Syntax,
        &roll("2 d 6"),
        "a die cannot have a space between `d` and its sides",
        "`2d6` is their sum, `2 of d6` the pool",
    );
    helps(Code::Syntax, &roll("3 of d 6"), "a die cannot have a space between `d` and its sides", "write `d6`");
    helps(Code::CaseLaw, &roll("D6"), "lowercase `d`", "write `d6`");
    helps(Code::Reserved, "table d66(a: 1..2): Int { | 1 to 2 | 3 | }", "`d66` is a die", "`on_d66`");
    helps(Code::Reserved, "proc p() { let d66 = 3 }", "`d66` is a die", "`on_d66`");
}

#[test]
fn statements_as_other_languages_write_them() {
    let unit = |what: &str| format!("proc p(u: Unit) {{ {what} }}");
    let throws = |what: &str| unit(&format!("roll x = d6; {what}"));
    helps(
        Code::Syntax,
        &unit("let n = 1\n n = 2"),
        "a `let` value cannot change, and neither can",
        "`var n = ..` above",
    );
    helps(Code::Syntax, &unit("hits = 2"), "a write begins with `set`", "`set hits = 2`");
    helps(Code::Syntax, &unit("print(\"hi\")"), "there is no `print`", "`grognard run --trace full`");
    helps(Code::Syntax, &unit("repeat { break }"), "to leave a loop, use `stop`", "write `stop`");
    helps(Code::Syntax, &unit("repeat { continue }"), "`continue` is not available", "into an `if`");
    helps(
        Code::Syntax,
        &unit("set u.hits = 1\n else { return }"),
        "this `else` does not belong to an `if`",
        "`}` of its `if`",
    );
    helps(
        Code::Syntax,
        &unit("choose stand or flee { }"),
        "a choice has a name",
        "`choose what { stand => ..; flee => .. }`",
    );
    helps(Code::WrongType, &unit("set u.hits = d6"), "`d6` is a die here", "`roll face = d6`");
    helps(Code::WrongType, &throws("if x == 3 or 4 { return }"), "found only `4`", "write `or x == 4`");
    helps(Code::WrongType, &unit("if u.mood == Calm or Wild { return }"), "found only `Wild`", "`or u.mood == Wild`");
    helps(Code::Effect, &unit("roll x = 1d6 + 2"), "cannot add to its dice", "write `roll x = 1d6`");
    helps(Code::Effect, &unit("roll x = 2 + 3d6"), "cannot add to its dice", "write `roll x = 3d6`");
    helps(
        Code::Syntax,
        &unit("repeat { set u.hits -= 1 } until u.hits == 0"),
        "tested before each round",
        "`while not (..)`",
    );
    helps(Code::Syntax, &throws("if x >= 5 set u.hits = 1"), "are in { }", "write `if x >= 5 { set .. }`");
    helps(Code::Syntax, &throws("if x >= 5 { return } else set u.hits = 1"), "are in { }", "write `else { set .. }`");
    helps(Code::Syntax, &unit("set u.hits -= 1 when u.hits > 3"), "is inside an `if`", "write `if .. { .. }`");
    helps(Code::Syntax, "test T() { roll x = d6; if x > 3 { pass } }", "states once when it passes", "`pass when ..`");
    helps(Code::Syntax, "proc p(Unit u) { }", "a name comes before its type", "write `u: Unit`");
    helps(Code::Syntax, "let f(u: Unit): Int { return 3 }", "the value comes after `=`", "without `return`");
    helps(Code::Syntax, "kind Foe:", "go in { }", "write `kind Foe { .. }`");
    helps(Code::Syntax, "enum Sky = Calm, Storm", "the cases of an enum go in { }", "write `enum Sky { One, Other }`");
    helps(Code::Syntax, "param hit-on = 4", "a name cannot contain `-`", "write `hit_on`");
    helps(Code::Syntax, "kind Foe { state a : 0..6 = 6, state b : 0..6 = 6 }", "without a comma", "`;` separates two");
    helps(
        Code::Syntax,
        "let f(m: Mood) = match m {\n Calm => 1,\n Wild => 2\n Free => 3 }",
        "without a comma",
        "remove the comma",
    );
    let pool = |what: &str| format!("test T() {{ roll a = 3 of d6; pass when {what} }}");
    helps(Code::Syntax, &pool("all a >= 4"), "`all` makes a list", "write `every a >= ..`");
    helps(Code::Syntax, &pool("0 < count a > 4 - count a == 1"), "comparisons do not chain", "");
    let swallowed = "the condition of the one before it";
    helps(
        Code::Syntax,
        "proc p() -> Int { roll a = 3 of d6; return count a > 4 - count a == 1 }",
        swallowed,
        "`(count a > 4) - (count a == 1)`",
    );
    let asked = "proc p() -> Int { roll a = 3 of d6; return count x in a where x > 4 - count y in a where y == 1 }";
    helps(Code::Syntax, asked, swallowed, "`(count a > 4) - (count a == 1)`");
    helps(
        Code::Syntax,
        "proc p(u: Unit, n: Int = 1) { }",
        "a parameter cannot have a default value",
        "give the value in each call",
    );
    helps(
        Code::PoolNeeded,
        "test T() { roll a = 6d8; pass when any a == 3 }",
        "the sum of its dice",
        "`roll a = 6 of d8`",
    );
    let both: Vec<Code> = findings(&unit("do heal(u, c)")).into_iter().map(|(code, ..)| code).collect();
    assert_eq!(both, [Code::Arity, Code::UnknownName]);
    good(&throws("var n = 1; set n = 2; if x == 3 or x == 4 { set u.hits = n } else { set u.hits = 1 }"));
    good(
        "proc p(u: Unit) { roll aim = 3 of d6; set u.hits = min(6, nth(1, aim) otherwise 0); repeat { set u.hits -= 1 } while u.hits > 1 }",
    );
}

#[test]
fn words_and_signs_that_the_language_has_not() {
    helps(Code::Syntax, "let f(n: Int) = if n => 2 then 1 else 0", "written `>=`, and not `=>`", "write `>=`");
    helps(Code::Syntax, "proc f() -> Int { roll aim = 3 of d6\n return count aim => 4 }", "not `=>`", "write `>=`");
    helps(Code::Syntax, "let f(n: Int) = if n =< 2 then 1 else 0", "written `<=`, and not `=<`", "write `<=`");
    helps(Code::Syntax, "let f(n: Int): Flag = n =< 2", "written `<=`, and not `=<`", "write `<=`");
    helps(Code::Syntax, "let f(n: Int): Flag = n == 3 or n <> 2", "not `<>`", "write `!=`");
    helps(Code::Syntax, "let f(n: Int): Flag = n === 2", "not `===`", "write `==`");
    helps(Code::Syntax, "let f(n: Int) = n % 2", "there is no remainder operator; found", "write `remainder(n, 2)`");
    helps(Code::Syntax, "let f(u: Unit) = u.hits mod 2", "found `mod`", "`remainder(u.hits, 2)`");
    helps(
        Code::Syntax,
        "let f(n: Int) = (n + 1) % 2",
        "there is no remainder operator; found",
        "`remainder(n + 1, 2)`",
    );
    helps(Code::UnknownName, "let f(n: Int) = mod(n, 2)", "the rest of a division is `remainder`", "`remainder(n, 2)`");
    helps(Code::Syntax, "let f: Ratio = 50 %", "without a blank", "glue the % to its number");
    helps(Code::Syntax, "let f = 2 ** 3", "there is no power operator", "`x * x`");
    helps(Code::Syntax, "let f = 7 // 2", "made whole by `rounded`", "`7 / 2 rounded down`");
    for (word, is, why) in
        [("true", "yes", "Flag"), ("False", "no", "Flag"), ("null", "none", "`?`"), ("None", "none", "`?`")]
    {
        helps(Code::UnknownName, &format!("let f = {word}"), &format!("unknown name `{word}`; write `{is}`"), why);
    }
    for (list, done) in [("xs - 3", "subtracted"), ("xs + 3", "added")] {
        let text = format!("let f(xs: list of Int) = {list}");
        helps(Code::WrongType, &text, &format!("cannot be {done}"), "`xs + [x]` and `xs - [x]`");
    }
    helps(Code::WrongType, "proc p(u: Unit, xs: list of Unit) { var ys = xs; set ys -= 3 }", "expected Unit", "");
    good("proc p(u: Unit, xs: list of Unit) { var ys = xs; set ys -= u; set ys -= xs - [u] }");
    good(
        "let f(n: Int) = n - 2 * (n / 2 rounded down)\nproc p(u: Unit, xs: list of Unit) { var ys = xs; set ys = all x in ys where x != u }",
    );
}

/// Forms of other languages, and parts that are left out or stand where nothing takes them.
#[test]
fn what_is_written_instead() {
    let unit = |body: &str| format!("proc p(u: Unit, xs: list of Int) {{ {body} }}");
    for (text, message, help) in [
        (unit("roll d1 = d6"), "`d1` is a die and cannot be used as a name", "a name of its own"),
        (unit("draw d1 in [1, 2]"), "`d1` is a die and cannot be used as a name", "give the drawn entry another name"),
        (unit("draw c of [1, 2]"), "takes its entries from a list", "`draw c in [ ..`"),
        (unit("xs.remove(3)"), "to change a list, use `set`", "`set xs -= ..`"),
        (unit("xs.append(3)"), "to change a list, use `set`", "`set xs += ..`"),
        (unit("choose plan { all_in \"All in\" => { }; wait => { } }"), "unexpected text after", "remove the title"),
        (unit("choose plan { wait => ; go => { } }"), "`;` is not expected here", "write `{ }`"),
        (unit("set u.hits = 3 if u.hits == 4 else 2"), "`if` is not expected here", "`set .. = if .. then .. else ..`"),
        (unit("roll d = 2 of d6; let s = sum d"), "is not expected here", "`total(d)`"),
        (unit("roll d = 2 of d6; explode d on 6"), "`on` is not expected here", "`explode x in d where x == 6`"),
        (unit("let xs = [1 .. 3]"), "`..` is not expected here", "`all n in 1 .. 3`"),
        (unit("shuffle xs"), "lists cannot be shuffled; `draw` picks at random", "`draw card in deck`"),
        ("table t(a: 1..3): Int".to_string(), "the line ends after `", "`| 1 to 3 | 0 |`"),
        ("kind Foe { men : 0..10 }".to_string(), "`men` is declared with a word before it", "`state men : ..`"),
    ] {
        helps(Code::Syntax, &text, message, help);
    }
    good("proc p() { roll d = 2 of d6; let s = total(d); explode x in d where x == 6; let xs = all n in 1 .. 3 }");
    helps(Code::UnknownWord, "var x : Int = 3", "`var` is a statement", "`state turn : 0..9 = 1`");
    helps(Code::Effect, "let f(n: Int): Int = count (n of d6) >= 4", "rolls no dice", "a `proc` or a `test`");
    helps(Code::UnknownType, "param p : Float = 1", "did you mean `Ratio`?", "");
    helps(
        Code::ReadTogether,
        "proc p() { roll w = max(d6, d8) }",
        "one roll of these dice",
        "`total(highest(1, two))`",
    );
    let off = "kind Idea { link next : Idea? }\n";
    for text in
        ["let f(a: Idea, m: Model): Flag = a within 3\" of m", "let f(m: Model): Idea? = nearest b in Idea to m"]
    {
        helps(Code::WrongType, &format!("{off}{text}"), "Idea is not `on board`", "`kind Idea on board`");
    }
}

#[test]
fn what_a_head_may_have() {
    helps(
        Code::Syntax,
        "extern proc p(u: Unit) -> Int default { }",
        "an `extern proc` does not return a value",
        "`extern test Name(..) gives",
    );
    helps(Code::Syntax, "let f(n: Int) -> Int = n", "the type of a value comes after `:`", "write `: Int`");
    helps(
        Code::Syntax,
        "proc p(n: Int): Int { return n }",
        "the result type of a proc comes after `->`",
        "write `-> Int`",
    );
    helps(Code::CaseLaw, "rule R on hit { }", "expected an event, `start of P` or `end of P` after `on`", "`on Hit`");
    helps(Code::Syntax, "kind Foe { state hp = 3 }", "a state needs its range or type", "a colon and a type");
    helps(Code::Syntax, "kind Foe { stat hp = 3 }", "a stat needs its range or type", "a colon and a type");
    helps(Code::Syntax, "phase P(n: Int) -> Int { }", "only procs and tests return a value", "make it a `proc`");
    helps(
        Code::Syntax,
        "action Run in Turn by u.side { choose u in Unit }",
        "`by` takes only the name of the actor",
        "write `by u`",
    );
    let roll = "proc p(u: Unit) { roll x by nth(1, [u]) = d6 }";
    helps(Code::Syntax, roll, "expected a name or a member after `by`, as in `by u.side`", "`let whose = ..`");
    helps(
        Code::Twice,
        "proc p(a: Int, a: Int) { }",
        "two of these have the name `a`",
        "remove one declaration, or choose another name",
    );
}

#[test]
fn a_group_whose_members_stand_nowhere_is_told_once() {
    let group = "kind Bag group of coins { link coins : list of Coin }\nkind Coin { link bag : Bag }";
    let used = format!("{group}\nproc p(a: Bag, b: Bag) {{ place a at b }}\nlet f(a: Bag) = a.at");
    helps(Code::WrongType, &used, "Coin is not `on board`", "write `kind Coin on board { .. }`");
}

#[test]
fn a_division_by_nothing() {
    for under in ["0", "(2 - 2)", "0%"] {
        helps(Code::DivideByZero, &format!("let f(n: Int) = n / {under}"), "division by 0", "a number other than 0");
    }
    helps(Code::DivideByZero, "let f(u: Unit) = u.mv / 0\"", "division by 0", "a number other than 0");
    good("param few = 0\nlet f(n: Int) = n / few");
}

#[test]
fn a_number_that_is_known_is_told_as_it_is() {
    helps(Code::WrongType, "let f(a: Flag) = a\nlet g = f(3)", "expected Flag, found 3", "`u.markers > 0`");
    helps(Code::WrongType, "let f(a: 3..3) = a\nlet g = f(4)", "4 is not within 3..3", "");
}

#[test]
fn an_if_as_a_cost_stands_in_brackets() {
    let cost = |e: &str| format!("proc p(m: Model, n: Model) {{ move m {{ at most 6\"; costs p => {e} }} }}");
    helps(
        Code::Syntax,
        &cost("if p within 3\" of n then 2 else 1"),
        "an `if` inside a larger value needs ( )",
        "`costs p => (if c then a else b)`",
    );
    helps(
        Code::Syntax,
        &cost("match n.hurt { yes => 2; no => 1 }"),
        "a `match` inside",
        "`costs p => (match v { .. })`",
    );
    good(&cost("(if p within 3\" of n then 2 else 1)"));
}

#[test]
fn a_table_has_no_order() {
    let help = "rows and heads of a table are not ordered";
    helps(Code::Overlap, "table t(a: 1..6): Int { | 1 to 3 | 0 |\n | 3 to 6 | 1 | }", "two rows cover 3", help);
    helps(Code::Overlap, "let f(a: 1..6) = match a { 1 to 3 => 0\n 3 to 6 => 1 }", "two rows cover 3", "`match first`");
}

#[test]
fn what_a_policy_can_name() {
    let rules = |entry: &str| {
        format!(
            "proc p(u: Unit) {{ choose pick in u.models; destroy pick; may cheer {{ set u.hits = 0 }} }}\npolicy Q {{ {entry} }}"
        )
    };
    helps(
        Code::UnknownName,
        &rules("unit = most unit.nv"),
        "`unit` is chosen with the action Go, and is not a separate decision",
        "`action = Go when unit ..`",
    );
    helps(Code::UnknownName, &rules("pik = most pick.rank"), "did you mean `pick`?", "`action`, `cheer`, `pick`");
    helps(Code::UnknownName, &rules("pick = most rank"), "unknown name `rank`", "`most pick.x`");
    good(&rules("pick = most pick.rank; cheer = no; action = Go when unit.nv > 2, stop"));
}

/// A local that is named like a builtin hides it, and a call says which local that is.
#[test]
fn a_local_that_hides_a_builtin_is_named() {
    for (rules, is, write) in [
        (
            "let f(faces: Int) = faces(d6) + faces",
            "`faces` is a parameter here and hides the builtin `faces`",
            "rename the parameter `faces`",
        ),
        (
            "test T(n: Int) { let total = 3\n  roll dice = 2 of d6\n  pass when total(dice) > total + n }",
            "`total` is a local here and hides the builtin `total`",
            "rename the local `total`",
        ),
        ("let g(half: Int) = half(half)", "hides the `let half`", "rename the parameter `half`"),
        ("let g(heal: Int) = heal(heal)", "hides the proc `heal`", "rename the parameter `heal`"),
    ] {
        helps(Code::NotCallable, rules, is, write);
    }
}
