//! Expressions in the dice notation of other tools: their form in the rules language, and a description.
//!
//! * Dice bots: `4d6kh3`, `2d20kl1`, `d6!`, `5d6 hits 5+`, `d%`.
//! * Dice with other faces, and pools of sums: `d{1, 1, 2}`, `3 of 2d6`.
//! * [AnyDice](super::anydice): `output [highest 3 of 4d6]`.

use super::dialect::{Counts, Pool};
use crate::scan::{Scan, TokenKind};
use crate::words::is_die;
use std::ops::Range;

/// Maximum number of dice that are written one by one.
const EACH: u32 = 20;
/// Maximum number of faces of a die that are listed one by one.
const FACES: usize = 100;

/// An expression in another notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notation {
    /// The expression in the rules language.
    pub form: String,
    /// A description for readers.
    pub words: String,
}

/// Reads an expression in the notation of another tool. Returns the possible readings, of which the first that is an expression
/// of the language applies. The iterator is empty if the text contains no such notation, or if its meaning is ambiguous.
pub fn notations(text: &str) -> impl Iterator<Item = Notation> {
    let printed = text.trim_start().starts_with("output");
    translated(text).filter(|_| !printed).into_iter().chain(super::anydice::read(text))
}

/// Parses the entries between braces: `1, 1, 2`, `-1..1`, `0:2, 1`. Returns them in order of size.
pub(super) fn entries(text: &str) -> Option<Vec<i64>> {
    let mut all = Vec::new();
    for part in text.split(',') {
        let (part, times) = part.split_once(':').unwrap_or((part, "1"));
        let times: usize = times.trim().parse().ok().filter(|n| (1..=FACES).contains(n))?;
        let number = |text: &str| text.trim().parse::<i64>().ok().filter(|n| n.abs() <= 1_000_000);
        let some: Vec<i64> = match part.split_once("..") {
            Some((low, high)) => (number(low)?..=number(high)?).take(FACES + 1).collect(),
            None => vec![number(part)?],
        };
        all.extend(std::iter::repeat_n(some, times).flatten());
        if all.is_empty() || all.len() > FACES {
            return None;
        }
    }
    all.sort_unstable();
    Some(all)
}

/// A die with faces that are written one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Custom {
    pub faces: Vec<i64>,
}

impl Custom {
    /// Parses the faces between the braces.
    pub fn of(text: &str) -> Option<Custom> {
        entries(text).filter(|faces| faces.len() > 1).map(|faces| Custom { faces })
    }

    /// Returns the lowest face, if the faces are all numbers from it on.
    pub fn consecutive(&self) -> Option<i64> {
        let low = *self.faces.first()?;
        self.faces.iter().zip(low..).all(|(face, n)| *face == n).then_some(low)
    }

    /// Returns the result of one die, in parentheses.
    pub fn one(&self) -> String {
        let sides = self.faces.len();
        match self.consecutive() {
            Some(1) => format!("d{sides}"),
            Some(low) => format!("(d{sides}{})", signed(low - 1)),
            None => format!("({})", self.matched()),
        }
    }

    /// Returns the `match` that gives the face for each side of a plain die.
    pub fn matched(&self) -> String {
        let mut rows: Vec<(i64, Vec<String>)> = Vec::new();
        for (side, face) in (1..).zip(&self.faces) {
            match rows.last_mut() {
                Some((last, sides)) if last == face => sides.push(format!("{side}")),
                _ => rows.push((*face, vec![format!("{side}")])),
            }
        }
        let rows: Vec<String> = rows.iter().map(|(face, sides)| format!("{} => {face}", sides.join(" | "))).collect();
        format!("match d{} {{ {} }}", self.faces.len(), rows.join("; "))
    }

    /// Returns the sum of several dice.
    pub fn sum(&self, many: u32) -> Option<String> {
        let sides = self.faces.len();
        match self.consecutive() {
            _ if many == 1 => Some(self.one()),
            Some(1) => Some(format!("{many}d{sides}")),
            Some(low) => Some(format!("(total({many} of d{sides}){})", signed((low - 1).checked_mul(many.into())?))),
            None => Some(format!("({})", self.each(many)?.join(" + "))),
        }
    }

    /// Returns the faces of several dice as a list.
    pub fn pool(&self, many: u32) -> Option<String> {
        match self.consecutive() {
            Some(1) => Some(format!("{many} of d{}", self.faces.len())),
            _ => Some(format!("[{}]", self.each(many)?.join(", "))),
        }
    }

    fn each(&self, many: u32) -> Option<Vec<String>> {
        (1..=EACH).contains(&many).then(|| vec![self.one(); many as usize])
    }

    /// Returns the faces as text.
    pub fn words(&self) -> String {
        let faces: Vec<String> = self.faces.iter().map(i64::to_string).collect();
        format!("a die with the faces {}", faces.join(", "))
    }

    /// Returns the declaration of the die in rules.
    pub fn declared(&self) -> String {
        let faces: Vec<String> = self.faces.iter().map(i64::to_string).collect();
        let (low, high) = (self.faces.first().unwrap_or(&0), self.faces.last().unwrap_or(&0));
        format!("die Odd of {low}..{high} = {}", faces.join(", "))
    }
}

/// Formats a number as the right side of a sum: ` + 3`, ` - 3`.
pub(super) fn signed(n: i64) -> String {
    if n < 0 { format!(" - {}", -n) } else { format!(" + {n}") }
}

/// Returns the dice of `3d6` or `d6`: their number and their sides.
pub(super) fn plain_dice(word: &str) -> Option<(u32, u32)> {
    let small = word.to_ascii_lowercase();
    let (count, sides) = small.split_once('d').filter(|_| is_die(&small))?;
    Some((if count.is_empty() { 1 } else { count.parse().ok()? }, sides.parse().ok()?))
}

/// One translated piece: its form, its words, the parts before the expression, and its number of tokens.
struct Piece {
    form: String,
    words: Option<String>,
    before: Option<String>,
    length: usize,
}

impl Piece {
    fn new(form: String, words: String, length: usize) -> Piece {
        Piece { form, words: Some(words), before: None, length }
    }
}

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Range<usize>>,
    names: Vec<&'static str>,
}

impl<'t> Reader<'t> {
    fn word(&self, n: usize) -> &'t str {
        self.tokens.get(n).map_or("", |at| &self.text[at.clone()])
    }

    /// Returns whether a token follows the one before it without a space.
    fn glued(&self, n: usize) -> bool {
        n > 0 && self.tokens.get(n).is_some_and(|at| at.start == self.tokens[n - 1].end)
    }

    /// Returns whether some tokens are the whole text or a whole bracket, and so need no parentheses.
    fn alone(&self, from: usize, to: usize) -> bool {
        let begins = from == 0 || self.word(from - 1) == "(";
        begins && matches!(self.word(to), "" | ")")
    }

    /// Returns the translation of the piece that begins at a token. `Err` if the piece is ambiguous.
    fn piece(&mut self, n: usize) -> Result<Option<Piece>, ()> {
        let word = self.word(n);
        if let Some(found) = self.custom(n) {
            return found.map(Some);
        }
        if let Some(found) = self.sums(n).or_else(|| self.hits(n)) {
            return Ok(Some(found));
        }
        let next = if self.glued(n + 1) { self.word(n + 1) } else { "" };
        if next == "%" && word.strip_suffix(['d', 'D']).is_some_and(|count| count.bytes().all(|b| b.is_ascii_digit())) {
            let form = format!("{}100", word.to_ascii_lowercase());
            return Ok(Some(Piece::new(form, "dice with 100 sides".to_string(), 2)));
        }
        // `4d6 kh3`
        let apart = format!("{word}{}", self.word(n + 1));
        let (found, length) = match Pool::of(word, next) {
            Some(pool) => (Some(pool), 1 + usize::from(next == "!" && !word.ends_with(['!', 'e']))),
            None if is_die(word) && self.word(n + 1).starts_with('k') => (Pool::of(&apart, ""), 2),
            None => (None, 1),
        };
        let Some(Pool { many, sides, counts }) = found else {
            let small = word.to_ascii_lowercase();
            let capital = word.contains('D') && is_die(&small);
            return Ok(capital.then_some(Piece { form: small, words: None, before: None, length: 1 }));
        };
        // `!>=5`, `r<3`: the translation does not cover conditions on the dice
        if self.glued(n + length) && matches!(self.word(n + length), "<" | ">" | "<=" | ">=" | "!" | "==") {
            return Err(());
        }
        match counts {
            Counts::Best { which, left, again: None } => {
                let form = format!("total({which}({left}, {many} of d{sides}))");
                Ok(Some(Piece::new(form, best_words(which, left, many, sides), length)))
            }
            Counts::Explode => {
                let name = if self.names.is_empty() { return Err(()) } else { self.names.remove(0) };
                let before = format!("{name} = {many} of d{sides}; explode x in {name} where x == {sides}; ");
                let words = format!("each {sides} of {many} d{sides} adds another die, and the dice are added up");
                let piece = Piece::new(format!("total({name})"), words, length);
                Ok(Some(Piece { before: Some(before), ..piece }))
            }
            Counts::Again(_) | Counts::Best { again: Some(_), .. } => Err(()),
        }
    }

    /// Returns the translation of `2d{1, 1, 2}` and `3 of d{1, 1, 2}`.
    fn custom(&self, n: usize) -> Option<Result<Piece, ()>> {
        let number = |word: &str| word.parse::<u32>().ok();
        let pooled = number(self.word(n)).is_some() && self.word(n + 1) == "of";
        let die = if pooled { n + 2 } else { n };
        let count = self.word(die).strip_suffix(['d', 'D'])?;
        if !self.glued(die + 1) || self.word(die + 1) != "{" || !count.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let from = self.tokens.get(die + 1)?.end;
        let to = from + self.text[from..].find('}')?;
        let length = self.tokens.iter().take_while(|at| at.end <= to + 1).count() - n;
        let many = if pooled { number(self.word(n)) } else { Some(number(count).unwrap_or(1)) };
        let found = Custom::of(&self.text[from..to]).zip(many).filter(|_| !pooled || count.is_empty());
        let piece = found.and_then(|(custom, many)| {
            let form = if pooled { custom.pool(many) } else { custom.sum(many) }?;
            let bare = form.strip_prefix('(').and_then(|form| form.strip_suffix(')'));
            let form = bare.filter(|_| self.alone(n, n + length)).map_or(form.clone(), str::to_string);
            let words = match (many, pooled) {
                (1, false) => custom.words(),
                (_, false) => format!("{many} times {}, added up", custom.words()),
                (_, true) => format!("{many} times {}", custom.words()),
            };
            Some(Piece::new(form, words, length))
        });
        Some(piece.ok_or(()))
    }

    /// Returns the translation of `3 of 2d6`: several sums.
    fn sums(&self, n: usize) -> Option<Piece> {
        let many = self.word(n).parse::<u32>().ok().filter(|many| (1..=EACH).contains(many))?;
        let (each, _) = plain_dice(self.word(n + 2)).filter(|_| self.word(n + 1) == "of")?;
        let sum = self.word(n + 2).to_ascii_lowercase();
        if each < 2 && !sum.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let form = format!("[{}]", vec![sum.as_str(); many as usize].join(", "));
        Some(Piece::new(form, format!("{many} sums of {sum}"), 3))
    }

    /// Returns the translation of `5d6 hits 5+`, `5 of d6 successes on 5+` and `5d6 hits >= 5`.
    fn hits(&self, n: usize) -> Option<Piece> {
        let pooled = self.word(n).parse::<u32>().ok().filter(|_| self.word(n + 1) == "of");
        let last = if pooled.is_some() { n + 2 } else { n };
        let (each, sides) = plain_dice(self.word(last))?;
        let many = pooled.unwrap_or(each);
        let several = pooled.is_some() && self.word(last).starts_with(|c: char| c.is_ascii_digit());
        let verb = self.word(last + 1);
        if several || !matches!(verb, "hit" | "hits" | "success" | "successes" | "succeed" | "succeeds") {
            return None;
        }
        let mut at = last + 2 + usize::from(matches!(self.word(last + 2), "on" | "at" | "with"));
        let sign = matches!(self.word(at), ">=" | "<=" | ">" | "<" | "==").then(|| self.word(at));
        at += usize::from(sign.is_some());
        let face = self.word(at).parse::<u32>().ok()?;
        let plus = sign.is_none() && self.glued(at + 1) && self.word(at + 1) == "+";
        let ends = sign.is_some() || at + 1 == self.tokens.len();
        if !plus && !ends {
            return None;
        }
        // a number with neither `+` nor a sign means that face or more, as on a dice sheet
        let op = sign.unwrap_or(">=");
        let form = format!("count {many} of d{sides} {op} {face}");
        let shown = match op {
            ">=" => format!("{face} or more"),
            "<=" => format!("{face} or less"),
            ">" => format!("more than {face}"),
            "<" => format!("less than {face}"),
            _ => face.to_string(),
        };
        let end = at + 1 + usize::from(plus);
        let form = if self.alone(n, end) { form } else { format!("({form})") };
        Some(Piece::new(form, format!("how many of {many} d{sides} show {shown}"), end - n))
    }
}

/// Returns the words for the sum of the highest or lowest dice.
pub(super) fn best_words(which: &str, left: u32, many: u32, sides: impl std::fmt::Display) -> String {
    match left {
        1 => format!("the {which} of {many} d{sides}"),
        _ => format!("the {which} {left} of {many} d{sides}, added up"),
    }
}

/// Translates each piece of foreign notation in an expression whose meaning is unambiguous: `4d6kh3 + 2` becomes
/// `total(highest(3, 4 of d6)) + 2`. Returns `None` if there is no such piece, or if one is ambiguous.
fn translated(text: &str) -> Option<Notation> {
    let tokens =
        Scan::new(text, 0, text.len()).filter(|t| t.kind != TokenKind::Newline).map(|t| t.start..t.end).collect();
    let names = ["aim", "pool", "hits", "dice"].into_iter().filter(|name| !text.contains(*name)).collect();
    let mut reader = Reader { text, tokens, names };
    let (mut out, mut before, mut words, mut done, mut n) = (String::new(), String::new(), Vec::new(), 0, 0);
    while n < reader.tokens.len() {
        let start = reader.tokens[n].start;
        let Some(piece) = reader.piece(n).ok()? else {
            n += 1;
            continue;
        };
        n += piece.length.max(1);
        let end = reader.tokens.get(n - 1).map_or(text.len(), |at| at.end);
        out += &text[done..start];
        out += &piece.form;
        before += &piece.before.unwrap_or_default();
        if let Some(said) = piece.words {
            words.push((&text[start..end], said));
        }
        done = end;
    }
    out += &text[done..];
    let form = before + &out;
    let words = match words.as_slice() {
        [(piece, said)] if *piece == text.trim() => said.clone(),
        all => all.iter().map(|(piece, said)| format!("`{piece}` is {said}")).collect::<Vec<_>>().join("; "),
    };
    (form != text).then_some(Notation { form, words })
}
