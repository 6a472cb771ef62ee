//! Dice in expressions, and dice as others write them.

use grognard_base::{Diagnostic, FileId, Source};
use grognard_syntax::tree::Asked;
use grognard_syntax::{AGAIN, parse_odds};

fn read(text: &str) -> Result<Asked, Vec<Diagnostic>> {
    parse_odds(FileId(0), &Source::new("expression", text), &["Fate"])
}

/// What is thrown, as it is written.
fn of(text: &str) -> Vec<String> {
    let parts = read(text).unwrap_or_else(|found| panic!("{text}: {found:?}")).parts;
    let throws = parts.into_iter().flat_map(|part| part.throws);
    let rendered = throws.map(|throw| {
        let span = throw.name.span;
        let written = &text[span.start as usize..span.end as usize];
        assert_eq!(throw.name.text.trim_end_matches(AGAIN), written);
        written.to_string()
    });
    rendered.collect()
}

#[test]
fn dice_are_taken_out() {
    let is = |text: &str, wanted: &[&str]| assert_eq!(of(text), wanted, "{text}");
    is("total(highest(3, 10 of d6))", &["10 of d6"]);
    is("d6 + 2d6 >= 7", &["d6", "2d6"]);
    is("count (u.ld of d6) <= 3", &["u.ld of d6"]);
    is("count 10 of d6 >= 3", &["10 of d6"]);
    is("size((2 + 1) of d8)", &["(2 + 1) of d8"]);
    is("total(max(1, 2) of d8)", &["max(1, 2) of d8"]);
    is("total(4 of Fate) + Fate", &["4 of Fate", "Fate"]);
    is("sum x in 3 of d6 of x * 2", &["3 of d6"]);
    is("-2 of d6", &["2 of d6"]);
    is("x = d6; any x == 3", &["d6"]);
    is("faces(d6) + x.d6", &[]);
}

/// Dice that are written alike are rolls of their own.
#[test]
fn dice_that_are_alike_have_names_of_their_own() {
    let throws = read("d6 + d6").unwrap().parts.remove(0).throws;
    assert_ne!(throws[0].name.text, throws[1].name.text);
}

#[test]
fn odd_texts_do_no_harm() {
    for text in ["", "of d6", ") of d6", "((", "d", "ä of d6", "\"d6\" of", "3 of", "3 of Unit", "99999999999d6"] {
        assert!(read(text).is_err() || text == "d", "{text}");
    }
    assert!(read(&format!("{}d6", "d6 + ".repeat(300))).is_err());
}

/// A number of dice that hangs on a die is said to, with the expression as it would be read.
#[test]
fn dice_of_dice_are_told() {
    let is = |text: &str, count: &str, wanted: &str| {
        let found = read(text).unwrap_err().remove(0);
        let span = found.span.unwrap();
        let rendered = (&text[span.start as usize..span.end as usize], found.help);
        assert_eq!(rendered, (count, format!("write `{wanted}`")));
    };
    is("(d6-1) of d6", "(d6-1)", "k = d6; (k-1) of d6");
    is("d6 of d6", "d6", "k = d6; k of d6");
    is("total((d6) of d8)", "(d6)", "k = d6; total(k of d8)");
    is("max(d4, 2) of d8", "max(d4, 2)", "k = d4; max(k, 2) of d8");
    is("(2 of d6) of Fate", "(2 of d6)", "k = total(2 of d6); k of Fate");
    is("k = 2; (k + Fate) of d6", "(k + Fate)", "n = Fate; k = 2; (k + n) of d6");
}

#[test]
fn other_notations_are_known() {
    use grognard_syntax::dialect;
    let is = |text: &str, at: &str, help: &str| {
        let found = dialect(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((&text[found.at.clone()], found.help.contains(help)), (at, true), "{text}: {found:?}");
    };
    is("2D6 + 1", "2D6", "`2d6`");
    is("1 + 4dF", "4dF", "`total(4 of d3) - 8`");
    is("d%", "d%", "`d100`");
    is("4d6kh3", "4d6kh3", "`total(highest(3, 4 of d6))`");
    is("4d6dl1 + 2", "4d6dl1", "`total(highest(3, 4 of d6))`");
    is("4d6dh1", "4d6dh1", "`total(lowest(3, 4 of d6))`");
    is("2d20kl", "2d20kl", "`total(lowest(1, 2 of d20))`");
    is("d6! > 4", "d6!", "explode x in aim where x == 6");
    is("4d6!>=5 + 1", "4d6!>=5", "explode x in aim where x >= 5 at most 3");
    is("3d6r<3", "3d6r<3", "reroll x in aim where x < 3;");
    is("5d10r1", "5d10r1", "reroll x in aim where x == 1");
    is("4d6r1dl1", "4d6r1dl1", "`aim = 4 of d6; reroll x in aim where x == 1; total(highest(3, aim))`");
    is("4d6dl1r1", "4d6dl1r1", "`aim = 4 of d6; reroll x in aim where x == 1; total(highest(3, aim))`");
    is("roll 2d6 + 3", "roll", "`2d6 + 3`");
    is("2 d6", "2 d6", "`2d6` is their sum, `2 of d6` the pool");
    is("4 of d6 drop lowest 1", "d6 drop lowest 1", "`total(highest(3, 4 of d6))`");
    is("3d6 keep 2", "3d6 keep 2", "`total(highest(2, 3 of d6))`");
    is("sum 3 of d6", "sum 3", "`total(3 of d6)`");
    for text in [
        "2d6 + d8",
        "total(highest(3, 4 of d6))",
        "x = 2d6; x",
        "",
        "d",
        "99999999999d6k1",
        "1d6 drop lowest",
        "ä",
        "of of of",
    ] {
        assert_eq!(dialect(text), None, "{text}");
    }
}

/// Dice bots, dice with other faces, pools of sums, and AnyDice have a form of the language and words.
#[test]
fn other_notations_have_a_form() {
    use grognard_syntax::notations;
    let is = |text: &str, form: &str, words: &str| {
        let fits = |form: &str| read(form).is_ok();
        let found = notations(text).find(|found| fits(&found.form)).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((found.form.as_str(), found.words.as_str()), (form, words), "{text}");
    };
    is("4d6kh3", "total(highest(3, 4 of d6))", "the highest 3 of 4 d6, added up");
    is("2d20kl1", "total(lowest(1, 2 of d20))", "the lowest of 2 d20");
    is("4d6dl1 + 2", "total(highest(3, 4 of d6)) + 2", "`4d6dl1` is the highest 3 of 4 d6, added up");
    is("d20adv", "total(highest(1, 2 of d20))", "the highest of 2 d20");
    is(
        "d6!",
        "aim = 1 of d6; explode x in aim where x == 6; total(aim)",
        "each 6 of 1 d6 adds another die, and the dice are added up",
    );
    is("5d6 hits 5+", "count 5 of d6 >= 5", "how many of 5 d6 show 5 or more");
    is("10 of d6 hits 4+", "count 10 of d6 >= 4", "how many of 10 d6 show 4 or more");
    is("5d6 successes on 5", "count 5 of d6 >= 5", "how many of 5 d6 show 5 or more");
    is("(5d6 hits > 4) >= 2", "(count 5 of d6 > 4) >= 2", "`5d6 hits > 4` is how many of 5 d6 show more than 4");
    is("d% <= 45", "d100 <= 45", "`d%` is dice with 100 sides");
    is("d{1,1,2}", "match d3 { 1 | 2 => 1; 3 => 2 }", "a die with the faces 1, 1, 2");
    is("d{0:2, 1} + 3", "(match d3 { 1 | 2 => 0; 3 => 1 }) + 3", "`d{0:2, 1}` is a die with the faces 0, 0, 1");
    is("4d{-1..1}", "total(4 of d3) - 8", "4 times a die with the faces -1, 0, 1, added up");
    is("highest(2, 3 of d{1..4})", "highest(2, 3 of d4)", "`3 of d{1..4}` is 3 times a die with the faces 1, 2, 3, 4");
    is("total(highest(2, 3 of 2d6))", "total(highest(2, [2d6, 2d6, 2d6]))", "`3 of 2d6` is 3 sums of 2d6");
    // AnyDice
    is("output 3d6", "3d6", "3 d6 added up");
    is("output [highest 3 of 4d6]", "total(highest(3, 4 of d6))", "the highest 3 of 4 d6, added up");
    is("output [lowest 1 of 2d20] named \"bad\"", "total(lowest(1, 2 of d20))", "the lowest of 2 d20");
    is("output [middle 1 of 3d20]", "median(3 of d20)", "the middle 1 of 3 d20");
    is("[middle 2 of 4d6]", "total(lowest(2, highest(3, 4 of d6)))", "the middle 2 of 4 d6");
    is("output 10d(d6>=5)", "count 10 of d6 >= 5", "how many of 10 d6 are >= 5");
    is("output [count {1,6} in 5d6]", "count k in 5 of d6 where k in [1, 6]", "how many of 5 d6 show 1 or 6");
    is("[count 6 in 5d6] >= 2", "(count 5 of d6 == 6) >= 2", "whether how many of 5 d6 show 6 is at least 2");
    is("output d20+5 >= 15", "d20 + 5 >= 15", "whether one d20 plus 5 is at least 15");
    is("output [highest of d8 and d6]", "max(d8, d6)", "the highest of one d8 and one d6");
    is("output 2@3d6", "nth(2, highest(2, 3 of d6)) otherwise 0", "number 2 of 3 d6, from the highest");
    is("output {1,2}@3d6", "total(highest(2, 3 of d6))", "the highest 2 of 3 d6, added up");
    is(
        "output [explode d6]",
        "x = 1 of d6; explode k in x where k == 6 at most 2; total(x)",
        "a d6 that is rolled again and added on 6, at most twice",
    );
    is("output d{2,3,3,4}", "match d4 { 1 => 2; 2 | 3 => 3; 4 => 4 }", "a die with the faces 2, 3, 3, 4");
    is("output [absolute d6-d6]", "x = d6 - d6; max(x, 0 - x)", "one d6 minus one d6, without its sign");
    is("output d6/2", "d6 / 2 rounded down", "one d6 divided by 2, rounded down");
    is("output 10 - (d6 - 1)", "10 - (d6 - 1)", "10 minus one d6 minus 1");
    is("output 3d6 > 4d4", "3d6 > 4d4", "whether 3 d6 added up is more than 4 d4 added up");
    for text in [
        "3d6 + 2",
        "output N",
        "loop N over {1..9} { output Nd6 }",
        "[f d6]",
        "d{}",
        "d{1}",
        "d{1..9999}",
        "3 of 99999d",
        "output",
        "output ((((((((((((((((((((((((((((((d6",
        "[ä",
        "ä@3d6",
        "4d6r1",
        "2@",
        "[middle 2 of 3d6]",
        "5d6 hits",
    ] {
        let found: Vec<_> = notations(text).collect();
        assert!(found.iter().all(|found| read(&found.form).is_err()), "{text}: {found:?}");
    }
}

/// A pool in brackets is counted like one without.
#[test]
fn pools_in_brackets_are_counted() {
    let bare = |text: &str| format!("{:?}", read(text).unwrap().parts.remove(0).throws.len());
    for text in [
        "count (5 of d6) >= 5",
        "count(5 of d6) >= 5",
        "(count (aim.x of d6) >= 5) >= 2",
        "any (d6) >= 5",
        "every (4 of Fate) == 1",
    ] {
        assert_eq!(bare(text), "1", "{text}");
    }
    let same = |a: &str, b: &str| {
        let shown = |text: &str| {
            let value = read(text).unwrap().parts.remove(0).throws;
            value.iter().map(|throw| throw.name.text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(shown(a), shown(b));
    };
    same("count (5 of d6) >= 5", "count 5 of d6 >= 5");
    // without a space it is a call, as of a function of the rules
    assert!(read("count (aim) >= 5").is_ok() && read("count(aim) >= 5").is_ok());
}
