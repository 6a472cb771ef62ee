//! Dice notation of other tools, with the equivalents of the rules language.

use crate::scan::{Scan, TokenKind};
use crate::words::is_die;
use std::ops::Range;

/// A piece of foreign notation: its position, the message and the help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Byte range of the piece.
    pub at: Range<usize>,
    /// The message: the equivalent in the rules language.
    pub message: String,
    /// The help: the text to write.
    pub help: String,
}

/// Finds the first piece of foreign notation in an expression that does not parse: `2D6`, `4dF`, `4d6kh3`, `d6!`, `roll
/// 2d6`.
pub fn dialect(text: &str) -> Option<Dialect> {
    let tokens: Vec<Range<usize>> =
        Scan::new(text, 0, text.len()).filter(|t| t.kind != TokenKind::Newline).map(|t| t.start..t.end).collect();
    let word = |n: usize| tokens.get(n).map_or("", |t| &text[t.clone()]);
    let glued = |n: usize| tokens.get(n + 1).is_some_and(|next| next.start == tokens[n].end);
    if let Some((message, help)) = program(word(0)) {
        return Some(Dialect { at: tokens.first()?.clone(), message, help });
    }
    (0..tokens.len()).find_map(|n| {
        let sign = if glued(n) { word(n + 1) } else { "" };
        let (length, (message, help)) = notation(word(n), sign)
            .map(|said| (1 + usize::from(matches!(sign, "!" | "%")), said))
            .or_else(|| Some((1, rolled(text, &tokens, n)?)))
            .or_else(|| Some((2, apart(word(n), word(n + 1))?)))
            .or_else(|| kept(&tokens, &word, n))?;
        // `r<3`, `!>=5`: keeps the written condition on the dice
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

/// Returns the message and help for the first word of a program of AnyDice.
fn program(word: &str) -> Option<(String, String)> {
    let help = match word {
        "loop" => "write a param with values to try in rules, `param n = 1 sweep 1 .. 9`, and ask `grognard sweep`",
        "function" => "name the dice, then write the cases: `a = d20; if a == 20 then 4d6 else 0`",
        _ => return None,
    };
    Some((format!("`{word}` of AnyDice is not available in an expression"), help.to_string()))
}

/// Returns the message and help for a word that begins like a die but continues in the notation of another tool. `sign`
/// is the sign directly after it.
pub(super) fn notation(word: &str, sign: &str) -> Option<(String, String)> {
    let at = word.find(|c: char| !c.is_ascii_digit())?;
    let (count, rest) = (&word[..at], word[at..].strip_prefix(['d', 'D'])?);
    let many: u32 = if count.is_empty() { 1 } else { count.parse().ok()? };
    if rest.eq_ignore_ascii_case("f") && (!count.is_empty() || sign != "(") {
        let help = format!(
            "write `total({many} of d3) - {}`; in rules declare `die Fate of -1..1 = -1, 0, 1` and roll `{many} of Fate`",
            many.checked_mul(2)?
        );
        return Some((format!("a Fate die is not built in, so `{word}` is not a die"), help));
    }
    if rest.is_empty() && sign == "%" {
        return Some(("expected a number of sides after the `d`".to_string(), format!("write `{count}d100`")));
    }
    if let Some(Pool { many, sides, counts }) = Pool::of(word, sign) {
        let pool = format!("{many} of d{sides}");
        let named = |line: &str| format!("write `aim = {pool}; {line}; total(aim)`");
        return Some(match counts {
            Counts::Best { which, left, again: Some(face) } => {
                let line = format!("reroll x in aim where x == {face}");
                let help = format!("write `aim = {pool}; {line}; total({which}({left}, aim))`");
                ("to reroll dice, name their pool first".to_string(), help)
            }
            Counts::Best { which, left, again: None } => {
                let message =
                    match rest.to_ascii_lowercase().contains("dv") || rest.to_ascii_lowercase().contains("dis") {
                        true => "advantage rolls two dice and keeps the better one".to_string(),
                        false => format!("to keep only some dice of a pool, use `{which}`"),
                    };
                (message, format!("write `total({which}({left}, {pool}))`"))
            }
            Counts::Again(face) => {
                let line = format!("reroll x in aim where x == {face}");
                ("to reroll dice, name their pool first".to_string(), named(&line))
            }
            Counts::Explode if many == 1 => {
                let line = format!("explode x in aim where x == {sides}");
                ("to explode dice, name their pool first".to_string(), named(&line))
            }
            Counts::Explode => {
                let line = format!("explode x in aim where x == {sides} at most 3");
                let help = named(&line) + ", which stops after three rounds";
                ("to explode dice, name their pool first".to_string(), help)
            }
        });
    }
    let small = word.to_ascii_lowercase();
    (is_die(&small) && word.contains('D'))
        .then(|| ("a die is written with a small `d`".to_string(), format!("write `{small}`")))
}

/// A pool whose result is not simply its sum: `4d6kh3`, `3d6!`, `4d6r1dl1`.
pub(super) struct Pool<'w> {
    pub many: u32,
    pub sides: &'w str,
    pub counts: Counts,
}

/// The rule for the result of a pool.
pub(super) enum Counts {
    /// The sum of the given number of `highest` or `lowest` dice, after rerolling one face.
    Best { which: &'static str, left: u32, again: Option<u32> },
    /// The sum of all dice, after rerolling one face.
    Again(u32),
    /// The sum of all dice, with additional dice for the maximum face.
    Explode,
}

impl<'w> Pool<'w> {
    pub fn of(word: &'w str, sign: &str) -> Option<Self> {
        let at = word.find(|c: char| !c.is_ascii_digit())?;
        let (count, rest) = (&word[..at], word[at..].strip_prefix(['d', 'D'])?);
        let many: u32 = if count.is_empty() { 1 } else { count.parse().ok()? };
        let at = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (sides, tail) = (&rest[..at], rest[at..].to_ascii_lowercase());
        if sides.is_empty() {
            return None;
        }
        let pool = |many: u32, counts: Counts| Some(Pool { many, sides, counts });
        let (again, tail) = Self::again(&tail);
        let best = |which: &'static str, left: u32| Counts::Best { which, left, again };
        match (tail, again) {
            ("", None) if sign == "!" => return pool(many, Counts::Explode),
            ("!" | "e", None) => return pool(many, Counts::Explode),
            ("", Some(face)) if sign != "!" => return pool(many, Counts::Again(face)),
            ("adv", _) if many == 1 => return pool(2, best("highest", 1)),
            ("dis" | "disadv", _) if many == 1 => return pool(2, best("lowest", 1)),
            _ => {}
        }
        let at = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
        let n: u32 = if at == tail.len() { 1 } else { tail[at..].parse().ok()? };
        let (which, left) = match &tail[..at] {
            "k" | "kh" | "h" => ("highest", n),
            "kl" | "l" => ("lowest", n),
            "d" | "dl" => ("highest", many.saturating_sub(n)),
            "dh" => ("lowest", many.saturating_sub(n)),
            _ => return None,
        };
        if left > 0 { pool(many, best(which, left)) } else { None }
    }

    /// Splits the reroll off what follows the sides, at its beginning or end: the face, and the rest.
    fn again(tail: &str) -> (Option<u32>, &str) {
        let Some(at) = tail.find('r') else { return (None, tail) };
        let (before, from) = tail.split_at(at);
        let from = ["ro", "rr", "r"].iter().find_map(|word| from.strip_prefix(word)).unwrap_or(from);
        let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        let face = if end == 0 { Some(1) } else { from[..end].parse().ok() };
        match (face, before.is_empty(), from[end..].is_empty()) {
            (Some(_), true, _) => (face, &from[end..]),
            (Some(_), _, true) => (face, before),
            _ => (None, tail),
        }
    }
}

/// Returns the lines to write in rules for such a pool, with the name of its roll.
pub(super) fn in_rules(word: &str, sign: &str, roll: &str) -> Option<String> {
    let Pool { many, sides, counts } = Pool::of(word, sign)?;
    let line = format!("write `roll {roll} = {many} of d{sides}`");
    let die = if roll == "x" { "die" } else { "x" };
    Some(match counts {
        Counts::Best { which, left, again } => {
            let reroll = |face| format!(", below it `reroll {die} in {roll} where {die} == {face}`");
            let again = again.map_or(String::new(), reroll);
            format!("{line}{again}, and `total({which}({left}, {roll}))` where you use the result")
        }
        Counts::Again(face) => {
            format!(
                "{line}, below it `reroll {die} in {roll} where {die} == {face}`, and `total({roll})` where you use the result"
            )
        }
        Counts::Explode => {
            format!(
                "{line}, below it `explode {die} in {roll} where {die} == {sides}`, and `total({roll})` where you use the result"
            )
        }
    })
}

/// Returns the message and the help for `roll 2d6` in place of an expression.
fn rolled(text: &str, tokens: &[Range<usize>], n: usize) -> Option<(String, String)> {
    let word = |n: usize| tokens.get(n).map_or("", |t| &text[t.clone()]);
    let begins = n == 0 || matches!(word(n - 1), ";" | "=" | "(");
    if word(n) != "roll" || !begins || matches!(word(n + 1), "" | "(" | "=" | ";") {
        return None;
    }
    let end = (n + 1..tokens.len()).find(|n| matches!(word(*n), ";" | ",")).unwrap_or(tokens.len());
    let dice = &text[tokens[n + 1].start..tokens[end - 1].end];
    let help = best_of(tokens.len(), &word, n + 1).unwrap_or_else(|| format!("write `{dice}`"));
    Some(("in an expression, write dice without `roll`".to_string(), help))
}

/// Returns the help for a description of dice, such as `2 dice, pick best`: their number, and which die is kept.
fn best_of<'t>(end: usize, word: &impl Fn(usize) -> &'t str, n: usize) -> Option<String> {
    let named = |n: usize| matches!(word(n), "dice" | "die");
    let (many, sides) = match word(n).split_once('d').filter(|_| is_die(word(n))) {
        Some(dice) => dice,
        None => named(n + 1).then(|| (word(n), "6"))?,
    };
    many.parse::<u32>().ok()?;
    let kept = (n..end).find_map(|n| match word(n) {
        "best" | "highest" | "higher" | "high" => Some("kh1"),
        "worst" | "lowest" | "lower" | "low" => Some("kl1"),
        _ => None,
    });
    (kept.is_some() || named(n + 1)).then(|| format!("write `{many}d{sides}{}`", kept.unwrap_or_default()))
}

/// Returns the message and the help for `2 d6` or `sum 3 of d6`.
fn apart(word: &str, next: &str) -> Option<(String, String)> {
    let number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    if number && next.starts_with('d') && is_die(next) {
        let message = "a number of dice must directly precede the die, or be followed by `of`".to_string();
        return Some((message, format!("`{word}{next}` is their sum, `{word} of {next}` the pool")));
    }
    let dice = is_die(next) || !next.is_empty() && next.bytes().all(|b| b.is_ascii_digit());
    let called = match word {
        "sum" | "total" | "add" => "total(3 of d6)",
        "highest" | "best" | "keep" => "total(highest(2, 3 of d6))",
        "lowest" | "worst" => "total(lowest(2, 3 of d6))",
        _ => return None,
    };
    dice.then(|| (format!("`{word}` of a pool needs brackets"), format!("write `{called}`")))
}

/// Returns the length in tokens, the message and the help for `3d6 keep 2` or `4d6 drop lowest`.
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
    let message = format!("to keep only some dice of a pool, use `{which}`");
    let length = length.min(tokens.len() - n);
    (left > 0).then(|| (length, (message, format!("write `total({which}({left}, {many} of d{sides}))`"))))
}
