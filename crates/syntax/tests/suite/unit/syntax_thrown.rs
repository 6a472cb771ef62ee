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
