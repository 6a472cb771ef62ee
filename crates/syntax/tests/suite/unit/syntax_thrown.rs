//! Inside `syntax/thrown`.

use grognard_syntax::hoist::*;

fn of(text: &str) -> (String, String) {
    let found = thrown(text, &["Fate"]).unwrap();
    assert_eq!(found.text.len(), text.len());
    let rolls: Vec<String> = found.rolls.iter().map(|(name, roll)| format!("{name}={roll}")).collect();
    (found.text, rolls.join(" "))
}

#[test]
fn dice_are_taken_out() {
    let is = |text: &str, wanted: (&str, &str)| assert_eq!(of(text), (wanted.0.into(), wanted.1.into()));
    is("total(highest(3, 10 of d6))", ("total(highest(3, a0      ))", "a0=10 of d6"));
    is("d6 + 2d6 >= 7", ("a0 + a1  >= 7", "a0=d6 a1=2d6"));
    is("a0 + d20", ("a0 + a1 ", "a1=d20"));
    is("count (u.ld of d6) <= 3", ("count (a0        ) <= 3", "a0=u.ld of d6"));
    is("size((2 + 1) of d8)", ("size(a0           )", "a0=(2 + 1) of d8"));
    is("total(max(1, 2) of d8)", ("total(a0             )", "a0=max(1, 2) of d8"));
    is("total(4 of Fate) + Fate", ("total(a0       ) + a1  ", "a0=4 of Fate a1=Fate"));
    is("faces(d6) + x.d6", ("faces(d6) + x.d6", ""));
}

#[test]
fn odd_texts_do_no_harm() {
    for text in ["", "of d6", ") of d6", "((", "d", "ä of d6", "\"d6\" of", "3 of"] {
        let _ = thrown(text, &[]);
    }
}

/// A number of dice that hangs on a die is said to, with the expression as it would be read.
#[test]
fn dice_of_dice_are_told() {
    let mended = |text: &str| match thrown(text, &["Fate"]) {
        Err(Tangled::DiceOfDice { count, mended }) => (text[count].to_string(), mended),
        other => panic!("{other:?}"),
    };
    let is = |text: &str, count: &str, wanted: &str| assert_eq!(mended(text), (count.into(), wanted.into()));
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
