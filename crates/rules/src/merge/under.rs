//! Applies `change proc X under r = A { ... }`: an exception to an item for one answer of a reading. The item then reads
//! like the book, and asks the reading where the exception departs from it.

use super::change::{Part, Splice};
use grognard_base::Span;
use grognard_syntax as syntax;
use grognard_syntax::tree::{ChangeLine, Name};

/// The condition under which an exception applies.
pub(super) struct Under {
    /// The condition as text, and its opposite.
    holds: String,
    fails: String,
    /// The place of `reading = answer`, to which errors in the added text refer.
    span: Span,
}

/// Words and signs after which an expression begins.
const BEFORE: &[&str] = &[
    "=", "+=", "-=", "*=", "=>", "(", "[", ",", ":", "|", "||", "when", "where", "if", "while", "then", "else",
    "needs", "return", "until", "in", "of", "weight", "at", "most", "least", "exactly", "within", "==", "!=", "<=",
    ">=", "<", ">",
];

/// Words and signs before which an expression ends.
const BEHIND: &[&str] = &[
    ")", "]", ",", "{", "|", "||", ";", "else", "then", "prefer", "by", "until", "when", "where", "weight", "cite",
    "of", "up", "down", "rounded", "sweep", "because", "==", "!=", "<=", ">=", "<", ">",
];

/// Words between conditions. A condition with `or` inside cannot be put in brackets next to them without changing its
/// meaning.
const JOINS: &[&str] = &["and", "or"];

/// Statements whose names the statements below can use. They cannot move into a block.
const BINDS: &[&str] = &["let", "var", "roll", "draw", "choose", "limit", "merge"];

impl Under {
    pub fn new(reading: &Name, answer: &Name) -> Under {
        let (name, value) = (&reading.text, answer.text.trim());
        let (holds, fails) = match value {
            "yes" => (name.clone(), format!("not {name}")),
            "no" => (format!("not {name}"), name.clone()),
            _ => (format!("{name} == {value}"), format!("{name} != {value}")),
        };
        Under { holds, fails, span: Span { end: answer.span.end, ..reading.span } }
    }

    /// Returns the forms in which a splice can depend on the reading, the smallest first. Each form is the parts that
    /// replace the old text. A form never changes how the text around it is grouped.
    pub fn forms<'c>(&self, text: &str, splice: &Splice<'c>) -> Vec<Vec<Part<'c>>> {
        let old = &text[splice.start..splice.end];
        // half a block would take in the statements around it
        if !balanced(old) || !balanced(&splice.lines.iter().map(|line| line.text.text.as_str()).collect::<String>()) {
            return Vec::new();
        }
        let lines = Part::lines(&splice.lines);
        let around = Around::of(text, splice.start, splice.end);
        match (old.trim().is_empty(), splice.lines.as_slice()) {
            (true, [line]) => self.added(&line.text.text, line, lines),
            (true, _) => {
                self.block(splice.lines.iter().any(|line| binds(&line.text.text)), lines).into_iter().collect()
            }
            (false, []) => self.removed(old, splice, &around),
            (false, new) => {
                let mut forms = match new {
                    [line] => self.replaced(old, line, splice.start, &around),
                    _ => Vec::new(),
                };
                if !binds(old) && !new.iter().any(|line| binds(&line.text.text)) {
                    let mut form = vec![self.glue(&format!("if {} {{\n  ", self.holds))];
                    form.extend(lines);
                    let old = Part::Old(splice.start, splice.end);
                    form.extend([self.glue("\n  } else {\n  "), old, self.glue("\n  }")]);
                    forms.push(form);
                }
                forms
            }
        }
    }

    fn glue<'c>(&self, words: &str) -> Part<'c> {
        Part::Glue(words.to_string(), self.span)
    }

    /// Returns the form of added statements.
    fn block<'c>(&self, binds: bool, lines: Vec<Part<'c>>) -> Option<Vec<Part<'c>>> {
        let mut form = vec![self.glue(&format!("if {} {{\n  ", self.holds))];
        form.extend(lines);
        form.push(self.glue("\n  }"));
        (!binds).then_some(form)
    }

    /// Returns the forms of an added line: a further condition, or a statement.
    fn added<'c>(&self, new: &str, line: &'c ChangeLine, lines: Vec<Part<'c>>) -> Vec<Vec<Part<'c>>> {
        let mut forms = Vec::new();
        if let Some((word, at)) = joining(new) {
            let end = if word == "needs" { condition_end(new, at) } else { new.len() };
            let (open, close) = self.condition(word, false);
            let (own, rest) = (Part::New(line, at, end), Part::New(line, end, new.len()));
            forms.push(vec![self.glue(&open), own, self.glue(close), rest]);
        }
        forms.extend(self.block(binds(new), lines));
        forms
    }

    /// Returns the forms of a removed part: a condition, or statements.
    fn removed<'c>(&self, old: &str, splice: &Splice<'c>, around: &Around) -> Vec<Vec<Part<'c>>> {
        let mut forms = Vec::new();
        if let Some((word, at)) = joining(old)
            && (around.ends || around.joined)
        {
            let end = if word == "needs" { condition_end(old, at) } else { old.len() };
            let (open, close) = self.condition(word, true);
            let part = |from: usize, to: usize| Part::Old(splice.start + from, splice.start + to);
            forms.push(vec![self.glue(&open), part(at, end), self.glue(close), part(end, old.len())]);
        }
        if !binds(old) {
            let old = Part::Old(splice.start, splice.end);
            forms.push(vec![self.glue(&format!("if {} {{ ", self.fails)), old, self.glue(" }")]);
        }
        forms
    }

    /// Returns the text before and after a condition that counts only under the reading, or only without it.
    fn condition(&self, word: &str, without: bool) -> (String, &'static str) {
        let (counts, not) = if without { (&self.fails, &self.holds) } else { (&self.holds, &self.fails) };
        let open = if word == "or" { format!("or ({counts} and (") } else { format!("{word} ({not} or (") };
        (open, ")) ")
    }

    /// Returns the forms of a replaced line in which only the value that differs depends on the reading.
    fn replaced<'c>(&self, old: &str, line: &'c ChangeLine, start: usize, around: &Around) -> Vec<Vec<Part<'c>>> {
        let mut forms = Vec::new();
        for ((from, to), (new_from, new_to)) in differing(old, &line.text.text, around) {
            let part = |from: usize, to: usize| Part::Old(start + from, start + to);
            let mut form = |open: &str, mid: &str, close: &str| {
                let new = Part::New(line, new_from, new_to);
                let glue = |words: &str| self.glue(words);
                let (head, tail) = (part(0, from), part(to, old.len()));
                forms.push(vec![head, glue(open), new, glue(mid), part(from, to), glue(close), tail]);
            };
            form(&format!(" (if {} then (", self.holds), ") else (", ")) ");
            if old[..from].trim_end().ends_with("=>") {
                form(&format!(" {{ if {} {{ ", self.holds), " } else { ", " } }");
            }
        }
        forms
    }
}

/// The context of a part of an item.
struct Around {
    /// Whether an expression can begin with the part.
    begins: bool,
    /// Whether an expression can end with the part.
    ends: bool,
    /// Whether `and` or `or` precedes.
    joins: bool,
    /// Whether `and` or `or` follows.
    joined: bool,
}

impl Around {
    fn of(text: &str, start: usize, end: usize) -> Around {
        let before = syntax::tokens(text).take_while(|(_, _, to)| *to <= start).last();
        let next = syntax::tokens(text).find(|(_, from, _)| *from >= end);
        let joined = next.is_some_and(|(word, ..)| JOINS.contains(&word));
        let ends = next.is_none_or(|(word, from, _)| {
            let own_line = text[end..from].contains('\n');
            let goes_on =
                joined || word == "otherwise" || !word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '"');
            word == "}" || BEHIND.contains(&word) || own_line && !goes_on
        });
        let before = before.map_or("", |(word, ..)| word);
        Around { begins: BEFORE.contains(&before), ends, joins: JOINS.contains(&before), joined }
    }
}

/// Returns the first word and the start of the condition after it, if a part extends or states a condition.
fn joining(text: &str) -> Option<(&str, usize)> {
    let mut tokens = syntax::tokens(text);
    let (word, ..) = tokens.next()?;
    let (_, at, _) = tokens.next()?;
    let whole = matches!(word, "when" | "where" | "needs");
    // brackets would change the meaning of `and a or b`
    let operand = JOINS.contains(&word) && !splits(&text[at..]);
    (whole || operand).then_some((word, at))
}

/// Returns whether a condition has an `or` outside brackets.
fn splits(text: &str) -> bool {
    depths(text).any(|(token, depth)| token == "or" && depth == 0)
}

/// Returns the tokens of a text with the number of brackets around each.
fn depths(text: &str) -> impl Iterator<Item = (&str, i32)> {
    syntax::tokens(text).scan(0, |depth, (token, ..)| {
        let closes = matches!(token, ")" | "]" | "}");
        *depth -= i32::from(closes);
        let here = *depth;
        *depth += i32::from(matches!(token, "(" | "[" | "{"));
        Some((token, here))
    })
}

/// Returns the end of the condition of `needs C else "..."`.
fn condition_end(text: &str, from: usize) -> usize {
    let tokens = syntax::tokens(&text[from..]).zip(depths(&text[from..]));
    let mut ends = tokens.filter(|(_, (token, depth))| matches!(*token, "else" | "cite") && *depth == 0);
    ends.next().map_or(text.len(), |((_, start, _), _)| from + start)
}

/// Returns whether a part declares a name that later statements can use.
fn binds(text: &str) -> bool {
    text.lines().any(|line| syntax::tokens(line).next().is_some_and(|(word, ..)| BINDS.contains(&word)))
}

/// The byte ranges of an expression in the old and in the new text.
type Differing = ((usize, usize), (usize, usize));

/// Returns the expressions in which two lines differ, the smallest first. Each is a complete expression in both.
fn differing(old_text: &str, new_text: &str, around: &Around) -> Vec<Differing> {
    if old_text.contains('\n') {
        return Vec::new();
    }
    let (a, b): (Vec<_>, Vec<_>) = (syntax::tokens(old_text).collect(), syntax::tokens(new_text).collect());
    let same = a.iter().zip(&b).take_while(|(a, b)| a.0 == b.0).count();
    let alike = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a.0 == b.0).count();
    let alike = alike.min(a.len() - same).min(b.len() - same);
    let joined = |from: usize, to: usize| {
        let before = if from == 0 { around.joins } else { JOINS.contains(&a[from - 1].0) };
        before || if to == 0 { around.joined } else { JOINS.contains(&a[a.len() - to].0) }
    };
    let begins = |n: &usize| match n.checked_sub(1).map(|n| a[n].0) {
        None => around.begins || around.joins,
        Some(word) => BEFORE.contains(&word) || JOINS.contains(&word),
    };
    let ends = |n: &usize| match n {
        0 => around.ends || around.joined,
        n => BEHIND.contains(&a[a.len() - n].0) || JOINS.contains(&a[a.len() - n].0),
    };
    let mut found = Vec::new();
    for from in (0..=same).rev().filter(begins) {
        for to in (0..=alike).rev().filter(ends) {
            let joins = joined(from, to);
            let parts = (a.get(from..a.len() - to), b.get(from..b.len() - to));
            if let (Some(old), Some(new)) = parts
                && let (Some(first), Some(last), Some(from), Some(to)) =
                    (old.first(), old.last(), new.first(), new.last())
            {
                let (of, by) = (&old_text[first.1..last.2], &new_text[from.1..to.2]);
                if balanced(of) && balanced(by) && !(joins && (splits(of) || splits(by))) {
                    found.push(((first.1, last.2), (from.1, to.2)));
                }
            }
        }
    }
    found
}

fn balanced(text: &str) -> bool {
    let mut end = 0;
    for (token, depth) in depths(text) {
        if depth < 0 {
            return false;
        }
        end = depth + i32::from(matches!(token, "(" | "[" | "{"));
    }
    end == 0
}
