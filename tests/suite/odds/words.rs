//! What `odds` says to a question that it cannot read, and that what it proposes works.

use crate::common::{folder, root, said};

fn rendered(args: &[&str]) -> (u8, String) {
    let (code, text) = said(root(), &[&["odds"], args].concat());
    // as one line, however it was wrapped
    (u8::try_from(code).unwrap(), text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// What is proposed behind `write`.
fn proposed(text: &str) -> &str {
    let at = text.find("help: write `").unwrap_or_else(|| panic!("{text}")) + "help: write `".len();
    &text[at..at + text[at..].find('`').unwrap()]
}

#[test]
fn what_is_proposed_works() {
    for (asked, wanted) in [
        ("(d6-1) of d6", "the number of dice cannot contain a die; roll it first, under a name"),
        ("d6 of d6", "the number of dice cannot contain a die; roll it first, under a name"),
        ("total((2 of d6) of d6)", "the number of dice cannot contain a die; roll it first, under a name"),
        ("roll 2d6", "in an expression, write dice without `roll`"),
        ("roll 2 dice, pick best", "write `2d6kh1`"),
        ("roll 3d8 keep lowest", "write `3d8kl1`"),
        ("4dF", "a Fate die is not built in"),
        ("4d6r1", "to reroll dice, name their pool first"),
        ("3d6 drop lowest", "`highest`"),
        ("d6!>4", "to explode dice, name their pool first"),
        ("explode(3 of d6)", "`explode` is a statement"),
    ] {
        let (code, text) = rendered(&[asked]);
        assert!(code != 0 && text.contains(wanted), "{asked}: {text}");
        let (code, answer) = rendered(&[proposed(&text)]);
        assert!(code == 0 && answer.contains("(exact)"), "{asked}: {text}\n{answer}");
    }
    // four Fate dice: from -4 to 4, in the middle 19/81
    let (_, fate) = rendered(&["total(4 of d3) - 8"]);
    assert!(fate.contains("0 19/81") && fate.contains("-4 1/81"), "{fate}");
}

#[test]
fn a_pool_is_called_as_it_is_written() {
    let (_, more) = rendered(&["3 of d6 > 2 of d6"]);
    assert!(more.contains("`total(3 of d6) > total(2 of d6)`"), "{more}");
    let (_, most) = rendered(&["max(3 of d6)"]);
    assert!(most.contains("`total(highest(1, 3 of d6))`"), "{most}");
    let (_, chained) = rendered(&["count 10 of d6 >= 4 > 5"]);
    assert!(chained.contains("`(count 10 of d6 >= 4) > 5`"), "{chained}");
}

/// Dice that are written alike where a reader takes them for one throw.
#[test]
fn dice_that_are_written_twice_are_thrown_twice() {
    for asked in ["d6 >= 3 and d6 <= 5", "if d6 >= 4 then d6 + 1 else 0", "max(d6, 3) - d6"] {
        let (_, text) = rendered(&[asked]);
        assert!(
            text.contains("each occurrence is a separate roll; for a single roll, write `a = d6; "),
            "{asked}: {text}"
        );
        let rest = &text[text.find("for a single roll, write `").unwrap() + "for a single roll, write `".len()..];
        let (code, answer) = rendered(&[&rest[..rest.find('`').unwrap()]]);
        assert!(code == 0 && !answer.contains("separate roll"), "{asked}: {answer}");
    }
    for asked in ["d6 - d6", "d6 > d6", "2d6 + d6", "max(d6, 3) - d8"] {
        let (_, text) = rendered(&[asked]);
        assert!(!text.contains("of its own"), "{asked}: {text}");
    }
}

/// Options of a call are told of by their own names, each with its text.
#[test]
fn options_of_a_call_are_called_so() {
    let rules = "ruleset k/ask version \"1\"\nkind Unit { stat ld : 0..6 = 3 }\n\
                 test T(u: Unit) { roll p = u.ld of d6\n choose other in Unit\n pass when any p == 6 }\n";
    let folder = folder("options", &[("k/ask.rules", rules)]);
    let asked = |option: &str, text: &str| {
        let (_, said) = said(&folder, &["odds", "k/ask.rules", "T(u)", option, text]);
        assert!(!said.contains("example") && !said.contains("Example"), "{said}");
        said
    };
    let with = asked("--with", "u.ldx = 3");
    assert!(
        with.contains("--with:1:3") && with.contains("did you mean `ld`?") && with.contains("`--with` sets"),
        "{with}"
    );
    let broken = asked("--with", "u.ld =");
    assert!(broken.contains("--with:1:7") && broken.contains("the line ends after `=`"), "{broken}");
    let set = asked("--set", "x = 3");
    assert!(set.contains("--set:1:1") && set.contains("`--set` sets"), "{set}");
    let choosing = asked("--choosing", "x = u");
    assert!(choosing.contains("--choosing:1:1") && choosing.contains("`--choosing` fixes"), "{choosing}");
    let rolling = asked("--rolling", "q = [7]");
    assert!(rolling.contains("these rules have no roll `q`"), "{rolling}");
    let rolling = asked("--rolling", "p = [7]");
    assert!(rolling.contains("rolls 3 dice, but 1 are given"), "{rolling}");
}

/// What ended the work says what helps, and nothing else is proposed.
#[test]
fn what_helps_hangs_on_what_ended_the_work() {
    let (_, ways) = rendered(&["mode(60 of d100) otherwise 0"]);
    assert!(ways.contains("no budget changes this") && !ways.contains("--budget"), "{ways}");
    let (_, room) = rendered(&["d6", "--budget", "1"]);
    assert!(room.contains("raise `--budget`"), "{room}");
}

#[test]
fn a_report_is_not_written_over_what_is_read() {
    let folder = folder("over", &[("k/own.rules", "ruleset k/own version \"1\"\nlet two() = 2\n")]);
    let (code, text) = said(&folder, &["odds", "k/own.rules", "d6 + two()", "--report", "k/own.rules"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(code != 0 && text.contains("this command also writes it help: name another file to write"), "{text}");
    assert!(!text.contains("UTF-8"), "{text}");
}

/// A list of dice with a name is a pool: it is thrown again and explodes as any other.
#[test]
fn a_list_of_dice_is_a_pool() {
    let (code, again) = rendered(&["a = [d3, d5]; reroll x in a where x == 1; total(a)", "--of", "total(a) <= 2"]);
    // both have to show a one twice: 1/9 of 1/25
    assert!(code == 0 && again.contains("1/225"), "{again}");
    let (code, more) = rendered(&["a = [d2, d4]; explode x in a where x == 2 at most 1; size(a)"]);
    assert!(code == 0 && more.contains("4 1/8 ") && more.contains("2 3/8 "), "{more}");
    let (_, sum) = rendered(&["a = [d3, d5]; total(a)"]);
    assert!(sum.contains("2 1/15 "), "{sum}");
}

/// Two places with one error code are two rows with names of their own.
/// Each order in which dice can lie is a value of its own: more than can be told are refused before they fill the memory.
#[test]
fn the_orders_of_many_dice_are_not_told() {
    let rules = "ruleset game\ntest T(n: Int) { roll aim = n of d6\n pass when any aim >= 5 }\n";
    let shelf = crate::common::folder("orders", &[("game.rules", rules)]);
    let ask =
        |call: &str| crate::common::said(&shelf, &["odds", "game.rules", call, "--of", "aim", "--format", "json"]);
    let (code, text) = ask("T(3)");
    let rendered: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, rendered["answers"][0]["outcomes"].as_array().map(Vec::len)), (0, Some(216)), "{text}");
    let (code, text) = ask("T(9)");
    assert!(code == 3 && text.contains("distinguishes too many lists of dice"), "{code} {text}");
}

#[test]
fn errors_of_two_places_are_told_apart() {
    let rules = "ruleset k/two version \"1\"\nproc go() -> Int { roll p = d6\n if p == 1 { roll a = (p - 2) of d6\n return total(a) }\n\
                 if p == 2 { roll b = (p - 3) of d6\n return total(b) }\n return p }\n\
                 proc same() -> Int { roll p = d6\n if p == 1 { roll a = (p - 2) of d6\n return total(a) }\n\
                 if p == 2 { roll a = (p - 3) of d6\n return total(a) }\n return p }\n";
    let folder = folder("two-errors", &[("k/two.rules", rules)]);
    let (_, two) = said(&folder, &["odds", "k/two.rules", "go()"]);
    let two = two.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(
        two.contains(
            "result: in 1/6 = 16.67% of all cases the run ends in an error: R0905: the dice count of `a` is -1"
        ),
        "{two}"
    );
    assert!(two.contains("the run ends in an error: R0905: the dice count of `b` is -1"), "{two}");
    let (_, same) = said(&folder, &["odds", "k/two.rules", "same()"]);
    assert!(same.matches("in 1/6 = 16.67% of all cases the run ends in an error").count() == 2, "{same}");
    let (_, csv) = said(&folder, &["odds", "k/two.rules", "go()", "--format", "csv"]);
    assert!(csv.contains(",error R0905: the dice count of `a` is -1,"), "{csv}");
}

/// Throws in a long chain need not be told apart once they are added up or multiplied.
#[test]
fn a_long_chain_of_dice_is_exact() {
    let chain = |sign: &str, dice: usize| vec!["d6"; dice].join(sign);
    let (code, ones) = rendered(&[&format!("{} == 1", chain(" * ", 12))]);
    assert!(code == 0 && ones.contains("(exact)") && ones.contains("1/2176782336"), "{ones}");
    let (_, sum) = rendered(&[&format!("{} == 90", chain(" + ", 15))]);
    assert!(sum.contains("(exact)") && sum.contains("1/470184984576"), "{sum}");
    // thrown under names first, none of them is forgotten before the end
    let (_, mixed) = rendered(&["d4 - d3 * 2 - d2 + (d4 + d2) * d3 - 1 > 3", "--format", "csv"]);
    let named = "a = d4; b = d3; c = d2; d = d4; e = d2; f = d3; a - b * 2 - c + (d + e) * f - 1 > 3";
    let (_, apart) = rendered(&[named, "--format", "csv"]);
    let share = |text: &str| text.split(",share,").nth(1).and_then(|rest| rest.split(',').next()).map(str::to_string);
    assert_eq!(share(&mixed).as_deref(), Some("283/576"), "{mixed}");
    assert_eq!(share(&mixed), share(&apart), "{mixed}\n{apart}");
}
