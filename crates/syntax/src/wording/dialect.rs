//! Dice as other tools write them: what Grognard calls the same.

use crate::scan::{Scan, TokenKind};
use crate::words::is_die;
use std::ops::Range;

/// What a text has of another notation: where, what is said of it and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The bytes of it.
    pub at: Range<usize>,
    /// What it is here.
    pub message: String,
    /// What to write.
    pub help: String,
}

/// The first piece of another notation in an expression that does not read: `2D6`, `4dF`, `4d6kh3`, `d6!`, `roll 2d6`.
pub fn dialect(text: &str) -> Option<Dialect> {
    let tokens: Vec<Range<usize>> =
        Scan::new(text, 0, text.len()).filter(|t| t.kind != TokenKind::Newline).map(|t| t.start..t.end).collect();
    let word = |n: usize| tokens.get(n).map_or("", |t| &text[t.clone()]);
    let glued = |n: usize| tokens.get(n + 1).is_some_and(|next| next.start == tokens[n].end);
    (0..tokens.len()).find_map(|n| {
        let sign = if glued(n) { word(n + 1) } else { "" };
        let (length, (message, help)) = notation(word(n), sign)
            .map(|said| (1 + usize::from(matches!(sign, "!" | "%")), said))
            .or_else(|| Some((1, rolled(text, &tokens, n)?)))
            .or_else(|| Some((2, apart(word(n), word(n + 1))?)))
            .or_else(|| kept(&tokens, &word, n))?;
        // `r<3`, `!>=5`: which dice, as it was written
        let (op, than) = (word(n + length), word(n + length + 1));
        let asks =
            glued(n + length - 1) && matches!(op, "<" | "<=" | ">" | ">=" | "==") && help.contains(" where x == ");
        let (length, help) = match (asks && than.parse::<u32>().is_ok(), help.split_once(" where x == ")) {
            (true, Some((head, tail))) => {
                let tail = tail.trim_start_matches(|c: char| c.is_ascii_digit());
                (length + 2, format!("{head} where x {op} {than}{tail}"))
            }
            _ => (length, help),
        };
        let end = tokens.get(n + length - 1).unwrap_or(&tokens[n]).end;
        Some(Dialect { at: tokens[n].start..end, message, help })
    })
}

/// A word that begins like a die and goes on as dice go elsewhere, with the sign glued to it.
pub(super) fn notation(word: &str, sign: &str) -> Option<(String, String)> {
    let at = word.find(|c: char| !c.is_ascii_digit())?;
    let (count, rest) = (&word[..at], word[at..].strip_prefix(['d', 'D'])?);
    let many: u32 = if count.is_empty() { 1 } else { count.parse().ok()? };
    if rest.eq_ignore_ascii_case("f") && (!count.is_empty() || sign != "(") {
        let help = format!(
            "write `total({many} of d3) - {}`; in rules declare `die Fate of -1..1 = -1, 0, 1` and throw `{many} of Fate`",
            many.checked_mul(2)?
        );
        return Some((format!("a Fate die is not built in, so `{word}` is no die"), help));
    }
    if rest.is_empty() && sign == "%" {
        return Some(("a die has its number of sides behind the `d`".to_string(), format!("write `{count}d100`")));
    }
    let at = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (sides, tail) = (&rest[..at], rest[at..].to_ascii_lowercase());
    if sides.is_empty() {
        return None;
    }
    let (pool, exploding) =
        (format!("{many} of d{sides}"), tail == "!" || tail.is_empty() && sign == "!" || tail == "e");
    if exploding {
        let help = match many {
            1 => format!("write `aim = {pool}; explode x in aim where x == {sides}; total(aim)`"),
            _ => format!(
                "write `aim = {pool}; explode x in aim where x == {sides} at most 3; total(aim)`, which stops after three rounds"
            ),
        };
        return Some(("dice that explode are a pool with a name".to_string(), help));
    }
    if tail.is_empty() {
        let small = word.to_ascii_lowercase();
        return word
            .contains('D')
            .then(|| ("a die is written with a small `d`".to_string(), format!("write `{small}`")));
    }
    let advantage = match tail.as_str() {
        "adv" => Some("highest"),
        "dis" | "disadv" => Some("lowest"),
        _ => None,
    };
    if let Some(which) = advantage.filter(|_| many == 1) {
        let message = "with advantage two dice are thrown, and the better counts".to_string();
        return Some((message, format!("write `total({which}(1, 2 of d{sides}))`")));
    }
    let at = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
    let n: u32 = if at == tail.len() { 1 } else { tail[at..].parse().ok()? };
    if matches!(&tail[..at], "r" | "ro" | "rr") {
        let help = format!("write `aim = {pool}; reroll x in aim where x == {n}; total(aim)`");
        return Some(("dice that are thrown again are a pool with a name".to_string(), help));
    }
    let (which, left) = match &tail[..at] {
        "k" | "kh" | "h" => ("highest", n),
        "kl" | "l" => ("lowest", n),
        "d" | "dl" => ("highest", many.saturating_sub(n)),
        "dh" => ("lowest", many.saturating_sub(n)),
        _ => return None,
    };
    let message = format!("which dice of a pool count is said by `{which}`");
    (left > 0).then(|| (message, format!("write `total({which}({left}, {pool}))`")))
}

/// `roll 2d6` where an expression stands.
fn rolled(text: &str, tokens: &[Range<usize>], n: usize) -> Option<(String, String)> {
    let word = |n: usize| tokens.get(n).map_or("", |t| &text[t.clone()]);
    let begins = n == 0 || matches!(word(n - 1), ";" | "=" | "(");
    if word(n) != "roll" || !begins || matches!(word(n + 1), "" | "(" | "=" | ";") {
        return None;
    }
    let end = (n + 1..tokens.len()).find(|n| matches!(word(*n), ";" | ",")).unwrap_or(tokens.len());
    let dice = &text[tokens[n + 1].start..tokens[end - 1].end];
    Some(("dice in an expression are thrown where they stand".to_string(), format!("write `{dice}`")))
}

/// `2 d6`, `sum 3 of d6`.
fn apart(word: &str, next: &str) -> Option<(String, String)> {
    let number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    if number && next.starts_with('d') && is_die(next) {
        let message = "a number of dice stands glued to the die, or with `of` before it".to_string();
        return Some((message, format!("`{word}{next}` is their sum, `{word} of {next}` the pool")));
    }
    let dice = is_die(next) || !next.is_empty() && next.bytes().all(|b| b.is_ascii_digit());
    let called = match word {
        "sum" | "total" | "add" => "total(3 of d6)",
        "highest" | "best" | "keep" => "total(highest(2, 3 of d6))",
        "lowest" | "worst" => "total(lowest(2, 3 of d6))",
        _ => return None,
    };
    dice.then(|| (format!("`{word}` of a pool is asked in brackets"), format!("write it as in `{called}`")))
}

/// `3d6 keep 2`, `4d6 drop lowest`.
fn kept<'t>(tokens: &[Range<usize>], word: &impl Fn(usize) -> &'t str, n: usize) -> Option<(usize, (String, String))> {
    let (count, sides) = word(n).split_once('d').filter(|_| is_die(word(n)))?;
    let pooled = count.is_empty() && n >= 2 && word(n - 1) == "of";
    let many: u32 = if pooled { word(n - 2) } else { count }.parse().ok()?;
    let number = |n: usize| word(n).parse::<u32>().ok();
    let drops = match word(n + 1) {
        "keep" | "keeps" | "best" | "highest" | "kh" | "k" => false,
        "drop" | "drops" | "dl" => true,
        _ => return None,
    };
    let low = [n + 2, n + 3].iter().any(|n| matches!(word(*n), "lowest" | "worst" | "low"));
    let high = [n + 2, n + 3].iter().any(|n| matches!(word(*n), "highest" | "best" | "high"));
    let some = number(n + 2).or_else(|| number(n + 3)).unwrap_or(1);
    let length = 2 + [n + 2, n + 3]
        .iter()
        .take_while(|n| {
            number(**n).is_some() || matches!(word(**n), "lowest" | "highest" | "best" | "worst" | "low" | "high")
        })
        .count();
    let (which, left) = match (drops, low, high) {
        (false, true, _) => ("lowest", some),
        (false, ..) => ("highest", some),
        (true, _, true) => ("lowest", many.saturating_sub(some)),
        (true, ..) => ("highest", many.saturating_sub(some)),
    };
    let message = format!("which dice of a pool count is said by `{which}`");
    let length = length.min(tokens.len() - n);
    (left > 0).then(|| (length, (message, format!("write `total({which}({left}, {many} of d{sides}))`"))))
}
