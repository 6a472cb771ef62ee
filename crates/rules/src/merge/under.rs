//! Applies `change proc X under r = A { ... }`: an exception to an item for one answer of a reading. The item then reads
//! like the book, and asks the reading where the exception departs from it.

use super::change::Splice;
use super::edits::{Part, depths, lines};
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

/// Statements whose names the statements below can use. They can move into a block only if no statement below uses them.
const BINDS: &[&str] = &["let", "var", "roll", "draw", "choose"];

/// Statements that cannot move into a block.
const STAYS: &[&str] = &["limit", "merge"];

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
    pub fn forms(&self, text: &str, splice: &Splice<'_>) -> Vec<Vec<Part>> {
        let old = &text[splice.start..splice.end];
        // half a block would take in the statements around it
        if !balanced(old) || !balanced(&splice.lines.iter().map(|line| line.text.text.as_str()).collect::<String>()) {
            return Vec::new();
        }
        let lines = Part::lines(&splice.lines);
        let around = Around::of(text, splice.start, splice.end);
        let fixed = |part: &str| binds(part, &text[splice.end..]);
        let new_fixed = fixed(&splice.lines.iter().map(|line| line.text.text.as_str()).collect::<Vec<_>>().join("\n"));
        let (keep, all) = (Part::old(splice.start, splice.end), splice.lines.as_slice());
        let mut forms = match (old.trim().is_empty(), all) {
            (true, [line]) => self.further(&line.text.text, line),
            (false, []) => self.removed(old, splice, &around),
            (false, [line]) => self.replaced(old, line, splice.start, &around),
            _ => Vec::new(),
        };
        let mut block = |open: String, parts: Vec<Part>, close: Vec<Part>| {
            forms.push([vec![self.glue(&open)], parts, close].concat());
        };
        let end = self.glue("\n  }");
        match (old.trim().is_empty(), all) {
            (true, _) if !new_fixed => block(format!("if {} {{\n  ", self.holds), lines, vec![end]),
            (false, []) if !fixed(old) => block(format!("if {} {{ ", self.fails), vec![keep], vec![self.glue(" }")]),
            (false, [_, ..]) if !new_fixed && !fixed(old) => {
                let close = vec![self.glue("\n  } else {\n  "), keep, end];
                block(format!("if {} {{\n  ", self.holds), lines, close);
            }
            _ => {}
        }
        forms.push(self.limited(old, splice));
        forms
    }

    /// Returns the form of lines of which each can have a condition, such as those of a move.
    fn limited(&self, old: &str, splice: &Splice<'_>) -> Vec<Part> {
        let mut form = Vec::new();
        if !splice.lines.is_empty() {
            form.push(Part::Limited(Part::lines(&splice.lines), self.holds.clone(), self.span));
        }
        if !old.trim().is_empty() {
            form.extend((!form.is_empty()).then(|| self.glue("\n  ")));
            let old = vec![Part::old(splice.start, splice.end)];
            form.push(Part::Limited(old, self.fails.clone(), self.span));
        }
        form
    }

    fn glue(&self, words: &str) -> Part {
        Part::Text(words.to_string(), self.span)
    }

    /// Returns the form of an added line that is a further condition.
    fn further(&self, new: &str, line: &ChangeLine) -> Vec<Vec<Part>> {
        let Some((word, at)) = joining(new) else { return Vec::new() };
        let end = if word == "needs" { condition_end(new, at) } else { new.len() };
        let (open, close) = self.condition(word, false);
        let (own, rest) = (Part::of(line, at, end), Part::of(line, end, new.len()));
        vec![vec![self.glue(&open), own, self.glue(close), rest]]
    }

    /// Returns the form of a removed condition.
    fn removed(&self, old: &str, splice: &Splice<'_>, around: &Around) -> Vec<Vec<Part>> {
        let Some((word, at)) = joining(old).filter(|_| around.ends || around.joined) else { return Vec::new() };
        let end = if word == "needs" { condition_end(old, at) } else { old.len() };
        let (open, close) = self.condition(word, true);
        let part = |from: usize, to: usize| Part::old(splice.start + from, splice.start + to);
        vec![vec![self.glue(&open), part(at, end), self.glue(close), part(end, old.len())]]
    }

    /// Returns the text before and after a condition that counts only under the reading, or only without it.
    fn condition(&self, word: &str, without: bool) -> (String, &'static str) {
        let (counts, not) = if without { (&self.fails, &self.holds) } else { (&self.holds, &self.fails) };
        let open = if word == "or" { format!("or ({counts} and (") } else { format!("{word} ({not} or (") };
        (open, ")) ")
    }

    /// Returns the forms of a replaced line in which only the value that differs depends on the reading.
    fn replaced(&self, old: &str, line: &ChangeLine, start: usize, around: &Around) -> Vec<Vec<Part>> {
        let mut forms = Vec::new();
        for ((from, to), (new_from, new_to)) in differing(old, &line.text.text, around) {
            let part = |from: usize, to: usize| Part::old(start + from, start + to);
            let mut form = |open: &str, mid: &str, close: &str, own: (usize, usize), new: (usize, usize)| {
                let new = Part::of(line, new.0, new.1);
                let glue = |words: &str| self.glue(words);
                let (head, tail) = (part(0, from), part(to, old.len()));
                forms.push(vec![head, glue(open), new, glue(mid), part(own.0, own.1), glue(close), tail]);
            };
            form(&format!(" (if {} then (", self.holds), ") else (", ")) ", (from, to), (new_from, new_to));
            if old[..from].trim_end().ends_with("=>") {
                // the result of a case: a statement, or a block of statements
                let new = unbraced(&line.text.text, new_from, new_to);
                form(&format!(" {{ if {} {{ ", self.holds), " } else { ", " } }", unbraced(old, from, to), new);
            }
        }
        forms
    }
}

/// Returns the byte range inside the braces of a block, or the range itself.
fn unbraced(text: &str, from: usize, to: usize) -> (usize, usize) {
    let block = to - from >= 2 && text[from..to].starts_with('{') && text[from..to].ends_with('}');
    if block { (from + 1, to - 1) } else { (from, to) }
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

/// Returns the end of the condition of `needs C else "..."`.
fn condition_end(text: &str, from: usize) -> usize {
    let tokens = syntax::tokens(&text[from..]).zip(depths(&text[from..]));
    let mut ends = tokens.filter(|(_, (token, depth))| matches!(*token, "else" | "cite") && *depth == 0);
    ends.next().map_or(text.len(), |((_, start, _), _)| from + start)
}

/// Returns whether statements must stay where they are: they declare a name that the text below uses.
fn binds(part: &str, below: &str) -> bool {
    lines(part).into_iter().any(|(start, end)| {
        let mut words = syntax::tokens(&part[start..end]).map(|(word, ..)| word);
        let first = words.next().unwrap_or_default();
        let ends = ["=", "in", "by", "{", ":", "from"];
        let mut names = words.take_while(|word| !ends.contains(word));
        let used = |name: &str| syntax::tokens(below).any(|(word, ..)| word == name);
        let is_name = |name: &&str| name.starts_with(|c: char| c.is_ascii_lowercase()) && !syntax::is_reserved(name);
        STAYS.contains(&first) || BINDS.contains(&first) && names.any(|name| is_name(&name) && used(name))
    })
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
