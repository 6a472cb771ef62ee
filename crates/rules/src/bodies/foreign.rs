//! Names for dice functions and values in other tools and languages, with their equivalents in the rules language.

/// Returns the equivalent of a value with this name in other languages, and the reason.
pub(super) fn valued_elsewhere(name: &str) -> Option<(&'static str, &'static str)> {
    let nothing = "write `none` for a missing value; a type that allows it ends in `?`";
    Some(match name {
        "true" => ("yes", "write `yes` or `no` for a Flag"),
        "false" => ("no", "write `yes` or `no` for a Flag"),
        "null" | "nil" | "none" | "nothing" | "undefined" => ("none", nothing),
        _ => return None,
    })
}

/// Returns the message and the help for a call of an unknown function with this name.
pub(super) fn called_elsewhere(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "best" | "keep" | "keep_highest" | "keep_high" | "kh" | "top" | "largest" | "biggest" => (
            "use `highest` for the greatest dice of a pool",
            "write `highest(2, dice)`; their sum is `total(highest(2, dice))`",
        ),
        "worst" | "keep_lowest" | "keep_low" | "kl" | "bottom" | "smallest" => (
            "use `lowest` for the least dice of a pool",
            "write `lowest(2, dice)`; their sum is `total(lowest(2, dice))`",
        ),
        "drop" | "drop_lowest" | "drop_low" | "dl" => (
            "use `highest` for the dice to keep",
            "write `highest(3, dice)`, which drops the lowest of four \
                                                          dice",
        ),
        "drop_highest" | "drop_high" | "dh" => {
            ("use `lowest` for the dice to keep", "write `lowest(3, dice)`, which drops the highest of four dice")
        }
        "sum" | "add" => {
            ("the sum of a list is `total`", "write `total(dice)`; of something each entry has, `sum x in xs of x.ld`")
        }
        "explode" | "exploding" => (
            "`explode` is a statement that needs a named roll",
            "write `aim = 3 of d6; explode x in aim where x == 6 at most 3; total(aim)`, in rules with each part on \
             its own line",
        ),
        "reroll" | "rerolled" => (
            "`reroll` is a statement that needs a named roll",
            "write `aim = 3 of d6; reroll x in aim where x == 1; total(aim)`, in rules with each part on its own line",
        ),
        "roll" | "throw" | "rand" | "random" => (
            "dice are rolled with `roll`",
            "in rules, write `roll aim = 2d6` on a separate line; in `odds`, write dice directly: `2d6`",
        ),
        "draw" => ("`draw` is a statement", "write `draw x in XS`, and use `x`"),
        "advantage" => ("advantage is the better of two dice", "write `total(highest(1, 2 of d20))`"),
        "disadvantage" => ("disadvantage is the worse of two dice", "write `total(lowest(1, 2 of d20))`"),
        "successes" | "success" | "hits" | "count_if" | "count_successes" => {
            ("successes are counted with", "write `count dice >= 4`; with a name, `count x in dice where x >= 4`")
        }
        "mean" | "average" | "avg" | "expected" => {
            ("`odds` reports the mean of any expression", "write `median(dice)` for the middle of a list")
        }
        "len" | "length" => ("the number of entries of a list is `size`", "write `size(dice)`"),
        "range" => ("a loop over numbers uses a range, `1 .. 3`", "write `each i in 1 .. 3 { .. }`"),
        "filter" | "where" | "select" => {
            ("the entries that meet a condition are listed with `all`", "write `all x in xs where x.men > 3`")
        }
        "map" => (
            "the values of a field for all entries are a field of the list",
            "write `xs.men`; to add up a computed value, write `sum x in xs of x.men * 2`",
        ),
        "reduce" | "fold" => ("the sum over a list is `sum`", "write `sum x in xs of x.men`"),
        "sort" | "sorted" => {
            ("dice are sorted with `highest` or `lowest`", "write `highest(size(dice), dice)`, the greatest first")
        }
        "unique" => ("the number of different entries is `distinct`", "write `distinct(dice)`"),
        "floor" => ("a fraction is rounded with `rounded`", "write `a / b rounded down`"),
        "ceil" | "ceiling" => ("a fraction is rounded with `rounded`", "write `a / b rounded up`"),
        "round" => (
            "a fraction is rounded with `rounded`",
            "write `x rounded nearest`, where a half goes up; the others are `rounded down` and `rounded up`",
        ),
        "half" => ("half of a number is a quotient", "write `n / 2 rounded down` or `n / 2 rounded up`"),
        "third" => ("a third of a number is a quotient", "write `n / 3 rounded down` or `n / 3 rounded up`"),
        "quarter" => ("a quarter of a number is a quotient", "write `n / 4 rounded down` or `n / 4 rounded up`"),
        "double" | "twice" => ("twice a number is a product", "write `2 * n`"),
        "triple" | "thrice" => ("three times a number is a product", "write `3 * n`"),
        "square" | "sq" => ("a square is a product", "write `n * n`"),
        "pow" | "power" => ("a power is a product", "write `n * n`, with each factor"),
        "sqrt" => ("roots are not available", "write a `table` with a row for each number"),
        "clamp" | "limit" | "bound" => ("a number is limited with `max` and `min`", "write `max(least, min(most, n))`"),
        "int" | "trunc" | "truncate" => ("a fraction is rounded with `rounded`", "write `a / b rounded down`"),
        "distance" | "distance_to" | "range_to" | "dist_to" => ("a distance is `dist`", "write `dist(a, b)`"),
        "mod" | "modulo" | "rem" => ("the rest of a division is `remainder`", "write `remainder(a, b)`"),
        "abs" => (
            "there is no `abs`",
            "write `max(n, -n)`; dice that are written twice are rolled twice, so name them first: `n = d6 - d6; \
             max(n, -n)`; between two directions, `turn_between(a, b)` is the smaller turn",
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
