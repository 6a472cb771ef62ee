//! Dice hoisting: each die or pool in an expression becomes a roll of its own with a name in its place.

use super::scan::{Scan, TokenKind};
use super::words::{self, is_die};
use std::ops::Range;

/// An expression whose dice were taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thrown {
    /// The expression with names where the dice stood, of the same length.
    pub text: String,
    /// Each name with what is rolled for it: `a0` and `10 of d6`.
    pub rolls: Vec<(String, String)>,
}

/// Why the dice of an expression cannot be taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tangled {
    /// There are more than can be named.
    TooMany,
    /// The number of some dice has a die in it.
    DiceOfDice {
        /// Where the number stands.
        count: Range<usize>,
        /// The expression with that die thrown before.
        mended: String,
    },
}

/// Takes the dice out of an expression: `d6`, `3d6`, `10 of d6`, `(n + 1) of d8`, `u.ld of d6`, and those that the rules
/// declare under a name.
pub fn thrown(expression: &str, declared: &[&str]) -> Result<Thrown, Tangled> {
    let mut text = String::with_capacity(expression.len());
    let mut rolls = Vec::new();
    let scan = Scan::new(expression, 0, expression.len()).filter(|t| t.kind != TokenKind::Newline);
    let tokens: Vec<Range<usize>> = scan.map(|t| t.start..t.end).collect();
    let mut names = names(expression);
    let mut copied = 0;
    let mut last: Range<usize> = 0..0;
    for (n, token) in tokens.iter().enumerate() {
        let word = &expression[token.clone()];
        if token.start < copied || !(is_die(word) || declared.contains(&word)) || names_a_die(expression, &tokens, n) {
            continue;
        }
        let start = count_before(expression, &tokens, n).unwrap_or(token.start);
        if start < copied {
            return Err(dice_of_dice(expression, start..tokens[n - 1].start, last));
        }
        let name = names.next().ok_or(Tangled::TooMany)?;
        text.push_str(&expression[copied..start]);
        text.push_str(&name);
        text.extend(std::iter::repeat_n(' ', token.end - start - name.len()));
        rolls.push((name, expression[start..token.end].to_string()));
        copied = token.end;
        last = start..copied;
    }
    text.push_str(&expression[copied..]);
    Ok(Thrown { text, rolls })
}

/// How many dice there are hangs on the die at `inner`: that one is thrown before, under a name.
fn dice_of_dice(expression: &str, count: Range<usize>, inner: Range<usize>) -> Tangled {
    let taken = |name: &str| {
        let mut words = Scan::new(expression, 0, expression.len()).map(|t| &expression[t.start..t.end]);
        words.any(|word| word == name)
    };
    let name = ["k", "n", "m", "number"].into_iter().find(|name| !taken(name)).unwrap_or("how_many");
    let (before, die, behind) = (&expression[..inner.start], &expression[inner.clone()], &expression[inner.end..]);
    // alone in brackets it needs none
    let (before, behind) = match (before.strip_suffix('('), behind.strip_prefix(')')) {
        (Some(open), Some(close)) if !open.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') => (open, close),
        _ => (before, behind),
    };
    let count = count.start..count.start + expression[count.clone()].trim_end().len();
    // a pool is no number
    let die = if Scan::new(die, 0, die.len()).any(|t| t.text(die) == "of") {
        format!("total({die})")
    } else {
        die.to_string()
    };
    Tangled::DiceOfDice { count, mended: format!("{name} = {die}; {before}{name}{behind}") }
}

/// Names of two signs that do not stand in the text; those of dice are left out.
fn names(expression: &str) -> impl Iterator<Item = String> {
    let all = ('a'..='z').filter(|c| *c != 'd').flat_map(|c| (0..10).map(move |n| format!("{c}{n}")));
    let known = expression.to_string();
    all.filter(move |name| !known.contains(name.as_str()))
}

/// True where a die stands for itself: in `faces(d6)`, and where it is a member of a name, as in `x.d6`.
fn names_a_die(text: &str, tokens: &[Range<usize>], n: usize) -> bool {
    let before = |back: usize| n.checked_sub(back).map_or("", |at| &text[tokens[at].clone()]);
    before(1) == "." || (before(1) == "(" && before(2) == "faces")
}

/// Where the count begins that stands with `of` before a die.
fn count_before(text: &str, tokens: &[Range<usize>], die: usize) -> Option<usize> {
    let word = |at: usize| &text[tokens[at].clone()];
    let mut at = die.checked_sub(2)?;
    if word(die - 1) != "of" {
        return None;
    }
    // a call or brackets as a whole
    if word(at) == ")" {
        let mut open = 0;
        loop {
            match word(at) {
                ")" => open += 1,
                "(" => open -= 1,
                _ => {}
            }
            if open == 0 {
                break;
            }
            at = at.checked_sub(1)?;
        }
        let named = at > 0 && word(at - 1).starts_with(|c: char| c.is_ascii_lowercase());
        if !named || words::RESERVED.contains(&word(at - 1)) {
            return Some(tokens[at].start);
        }
        at -= 1;
    }
    while at >= 2 && word(at - 1) == "." {
        at -= 2;
    }
    Some(tokens[at].start)
}
