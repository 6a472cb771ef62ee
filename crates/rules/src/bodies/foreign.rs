//! Names for dice functions and values in other tools and languages, with their equivalents in the rules language.

/// Returns the equivalent of a value with this name in other languages, and the reason.
pub(super) fn valued_elsewhere(name: &str) -> Option<(&'static str, &'static str)> {
    let nothing = "`none` is where nothing is; a type that allows it ends in `?`";
    Some(match name {
        "true" => ("yes", "a Flag is `yes` or `no`"),
        "false" => ("no", "a Flag is `yes` or `no`"),
        "null" | "nil" | "none" | "nothing" | "undefined" => ("none", nothing),
        _ => return None,
    })
}

/// Returns the message and the help for a call of an unknown function with this name.
pub(super) fn called_elsewhere(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "best" | "keep" | "keep_highest" | "keep_high" | "kh" | "top" | "largest" | "biggest" => (
            "the greatest dice of a pool are `highest`",
            "write `highest(2, dice)`; their sum is `total(highest(2, dice))`",
        ),
        "worst" | "keep_lowest" | "keep_low" | "kl" | "bottom" | "smallest" => {
            ("the least dice of a pool are `lowest`", "write `lowest(2, dice)`; their sum is `total(lowest(2, dice))`")
        }
        "drop" | "drop_lowest" | "drop_low" | "dl" => {
            ("what is not dropped is kept by `highest`", "of four dice `highest(3, dice)` drops the lowest")
        }
        "drop_highest" | "drop_high" | "dh" => {
            ("what is not dropped is kept by `lowest`", "of four dice `lowest(3, dice)` drops the highest")
        }
        "sum" | "add" => {
            ("the sum of a list is `total`", "write `total(dice)`; of something each entry has, `sum x in xs of x.ld`")
        }
        "explode" | "exploding" => (
            "`explode` is a statement about a roll with a name",
            "write `aim = 3 of d6; explode x in aim where x == 6 at most 3; total(aim)`, in rules each on a line of its own",
        ),
        "reroll" | "rerolled" => (
            "`reroll` is a statement about a roll with a name",
            "write `aim = 3 of d6; reroll x in aim where x == 1; total(aim)`, in rules each on a line of its own",
        ),
        "roll" | "throw" | "rand" | "random" => (
            "dice are thrown by a `roll`",
            "in rules write `roll aim = 2d6` on a line of its own; `odds` takes dice where they stand: `2d6`",
        ),
        "draw" => ("`draw` is a statement", "write `draw x in XS`, and use `x`"),
        "advantage" => ("advantage is the better of two dice", "write `total(highest(1, 2 of d20))`"),
        "disadvantage" => ("disadvantage is the worse of two dice", "write `total(lowest(1, 2 of d20))`"),
        "successes" | "success" | "hits" | "count_if" | "count_successes" => {
            ("successes are counted by `count`", "write `count dice >= 4`; with a name, `count x in dice where x >= 4`")
        }
        "mean" | "average" | "avg" | "expected" => {
            ("`odds` tells the mean of whatever it is asked", "the middle of a list is `median(dice)`")
        }
        "len" | "length" => ("how many entries a list has is `size`", "write `size(dice)`"),
        "range" => ("numbers are gone through as `1 .. 3`", "write `each i in 1 .. 3 { .. }`"),
        "filter" | "where" | "select" => ("a list of those that fit is `all`", "write `all x in xs where x.men > 3`"),
        "map" => (
            "the figures of all entries of a list are a figure of the list",
            "write `xs.men`; what is worked out for each is added up by `sum x in xs of x.men * 2`",
        ),
        "reduce" | "fold" => ("the sum over a list is `sum`", "write `sum x in xs of x.men`"),
        "sort" | "sorted" => {
            ("sorted dice are `highest` or `lowest`", "write `highest(size(dice), dice)`, the greatest first")
        }
        "unique" => ("how many different entries a list has is `distinct`", "write `distinct(dice)`"),
        "floor" => ("a fraction is made whole by `rounded`", "write `a / b rounded down`"),
        "ceil" | "ceiling" => ("a fraction is made whole by `rounded`", "write `a / b rounded up`"),
        "round" => (
            "a fraction is made whole by `rounded`",
            "write `x rounded nearest`; a half goes up, and `rounded down` and `rounded up` are the others",
        ),
        "half" => ("half of a number is a quotient", "write `n / 2 rounded down` or `n / 2 rounded up`"),
        "third" => ("a third of a number is a quotient", "write `n / 3 rounded down` or `n / 3 rounded up`"),
        "quarter" => ("a quarter of a number is a quotient", "write `n / 4 rounded down` or `n / 4 rounded up`"),
        "double" | "twice" => ("twice a number is a product", "write `2 * n`"),
        "triple" | "thrice" => ("three times a number is a product", "write `3 * n`"),
        "square" | "sq" => ("a square is a product", "write `n * n`"),
        "pow" | "power" => ("a power is a product", "write `n * n`, with each factor"),
        "sqrt" => ("roots are not available", "write a `table` with a row for each number"),
        "clamp" | "limit" | "bound" => ("a number is limited by `max` and `min`", "write `max(least, min(most, n))`"),
        "int" | "trunc" | "truncate" => ("a fraction is made whole by `rounded`", "write `a / b rounded down`"),
        "distance" | "distance_to" | "range_to" | "dist_to" => ("a distance is `dist`", "write `dist(a, b)`"),
        "mod" | "modulo" | "rem" => ("what a division leaves is `remainder`", "write `remainder(a, b)`"),
        "abs" => (
            "there is no `abs`",
            "write `max(n, -n)`; dice that stand twice are thrown twice, so name them first: `n = d6 - d6; max(n, -n)`; between two directions `turn_between(a, b)` is the smaller turn",
        ),
        _ => return None,
    })
}

/// Returns the help for such a call, with the written arguments in place of those of the sample.
pub(super) fn called_with(name: &str, help: &str, written: &[String]) -> String {
    match written {
        [one] => called_with_one(name, help, one),
        [a, b] if matches!(name, "mod" | "modulo" | "rem" | "distance" | "dist_to" | "distance_to" | "range_to") => {
            help.replace("(a, b)", &format!("({a}, {b})"))
        }
        [n, least, most] if matches!(name, "clamp" | "limit" | "bound") => {
            format!("write `max({least}, min({most}, {n}))`")
        }
        _ => help.to_string(),
    }
}

fn called_with_one(name: &str, help: &str, written: &str) -> String {
    let sample = match name {
        "half" | "third" | "quarter" => {
            return help.replace("`n /", &format!("`{} /", factor(written)));
        }
        "double" | "twice" | "triple" | "thrice" => {
            return help.replace("* n`", &format!("* {}`", factor(written)));
        }
        "square" | "sq" => {
            let factor = factor(written);
            return format!("write `{factor} * {factor}`");
        }
        "roll" | "throw" => "2d6",
        "abs" => {
            let n = factor(written);
            return help.replacen("max(n, -n)", &format!("max({written}, -{n})"), 1);
        }
        "len" | "length" | "sort" | "sorted" | "unique" | "sum" | "add" => "dice",
        "range" => "3",
        "round" => return help.replace("`x rounded", &format!("`{} rounded", in_brackets(written))),
        "floor" | "ceil" | "ceiling" | "int" | "trunc" | "truncate" => {
            return help.replace("a / b", &in_brackets(written));
        }
        _ => return help.to_string(),
    };
    let (first, rest) = help.split_once("; ").unwrap_or((help, ""));
    let rest = if rest.is_empty() { String::new() } else { format!("; {rest}") };
    format!("{}{rest}", first.replace(sample, written))
}

/// Returns the text of a factor: in brackets, unless it is a name, a number or a call.
fn factor(written: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let name = written.trim_end_matches(|c| c != '(').trim_end_matches('(');
    let called = written.ends_with(')') && name.chars().all(plain) && written.matches('(').count() == 1;
    if written.chars().all(plain) || called { written.to_string() } else { format!("({written})") }
}

/// `rounded` extends over sums, so only an operand that is not arithmetic needs brackets.
fn in_brackets(written: &str) -> String {
    if written.starts_with("if ") { format!("({written})") } else { written.to_string() }
}
