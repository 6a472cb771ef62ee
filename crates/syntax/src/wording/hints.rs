//! The matcher for the table of hints. `hints.txt` documents the format of a row.

use super::expected::next_in_block;
use super::{Inside, Spot, is_capital, is_small, items};
use crate::grammar::Rule;
use crate::scan::TokenKind;
use crate::words::{self, is_die};
use grognard_base::{Code, Diagnostic};
use std::sync::LazyLock;

/// Diagnostic codes that a row can name. A row without one has the code of syntax errors.
const CODES: [(&str, Code); 3] =
    [("[bandform]", Code::BandForm), ("[caselaw]", Code::CaseLaw), ("[effect]", Code::Effect)];

struct Row {
    group: &'static str,
    patterns: Vec<HintPattern>,
    texts: Vec<String>,
}

/// The tokens around a position, and the conditions on the position.
struct HintPattern {
    parts: Vec<String>,
    asks: Vec<String>,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let table = include_str!("hints.txt");
    let groups = table.split("\n# ").skip(1).filter_map(|group| group.split_once('\n'));
    groups
        .flat_map(|(group, rows)| {
            rows.replace("\n    ", " ").lines().filter_map(|row| read(group, row)).collect::<Vec<_>>()
        })
        .collect()
});

fn read(group: &'static str, row: &str) -> Option<Row> {
    let (patterns, texts) = row.split_once(" :: ")?;
    let pattern = |text: &str| {
        let all = text.split_ascii_whitespace().map(str::to_string);
        let (asks, parts) = all.partition(|part| part.len() > 1 && part.starts_with('['));
        HintPattern { parts, asks }
    };
    let texts = texts.split(" :: ").map(str::to_string).collect();
    Some(Row { group, patterns: patterns.split(" // ").map(pattern).collect(), texts })
}

/// Returns the diagnostic of the first row of a group that matches.
pub(super) fn say(spot: &Spot, group: &str) -> Option<Diagnostic> {
    let (texts, trial) = first(spot, group)?;
    let (message, help) = texts.split_first()?;
    let (code, message) = (trial.code, trial.fill(message));
    let found = match trial.place {
        Some(n) => spot.at(n, code, message),
        None => spot.here(code, message),
    };
    Some(help.iter().fold(found, |found, help| found.help(trial.fill(help))))
}

/// Returns the help of the first row of a group that matches, for groups whose rows have no message.
pub(super) fn help(spot: &Spot, group: &str) -> Option<String> {
    first(spot, group).and_then(|(texts, trial)| texts.first().map(|text| trial.fill(text)))
}

/// Returns the texts of the first row that matches, with its match.
fn first<'s>(spot: &'s Spot<'s>, group: &str) -> Option<(&'static [String], Trial<'s>)> {
    let start = spot.line_start(spot.at);
    let mut rows = ROWS.iter().filter(|row| row.group == group);
    rows.find_map(|row| {
        let trial = row.patterns.iter().find_map(|pattern| Trial::of(spot, start, pattern))?;
        Some((row.texts.as_slice(), trial))
    })
}

/// The attempt to match a pattern at a position.
struct Trial<'s> {
    spot: &'s Spot<'s>,
    /// The first token of the line that contains the position.
    start: usize,
    /// Captured tokens: the letter, the first token, and the token after the last.
    kept: Vec<(&'static str, usize, usize)>,
    place: Option<usize>,
    code: Code,
}

impl<'s> Trial<'s> {
    /// Matches a pattern. Returns `None` if it does not match.
    fn of(spot: &'s Spot<'s>, start: usize, HintPattern { parts, asks }: &'static HintPattern) -> Option<Self> {
        let code = CODES.iter().find(|(name, _)| asks.iter().any(|ask| ask == name));
        let code = code.map_or(Code::Syntax, |(_, code)| *code);
        let mut trial = Trial { spot, start, kept: Vec::new(), place: None, code };
        let from = match parts.first()?.as_str() {
            "^" => start..=start,
            "^^" => {
                let line = spot.line_start(spot.opened(spot.at)?);
                line..=line
            }
            "^item" => spot.item_word()..=spot.item_word(),
            _ => spot.at.saturating_sub(parts.iter().position(|part| part == "@").unwrap_or(0))..=spot.at,
        };
        let parts = if matches!(parts[0].as_str(), "^^" | "^item") { &parts[1..] } else { parts };
        let fits = from.into_iter().any(|n| trial.fits(parts, n)) && asks.iter().all(|ask| trial.asked(ask));
        fits.then_some(trial)
    }

    /// Returns whether the tokens from `n` on match.
    fn fits(&mut self, parts: &'static [String], n: usize) -> bool {
        let Some((part, rest)) = parts.split_first() else { return true };
        let here = match part.as_str() {
            "@" => Some(n == self.spot.at),
            "!" => {
                self.place = Some(n);
                Some(true)
            }
            "^" => Some(n == self.start),
            "~" => Some(!self.spot.fresh(n)),
            "nl" => Some(self.spot.fresh(n)),
            "><" => Some(n > 0 && self.spot.glued(n - 1)),
            _ => None,
        };
        if let Some(here) = here {
            return here && self.fits(rest, n);
        }
        let (letter, sort) = match part.split_once('=') {
            Some((letter, sort)) if letter.len() == 1 && is_small(letter) && !sort.is_empty() => (letter, sort),
            _ => ("", part.as_str()),
        };
        self.ends(sort, n).into_iter().any(|end| {
            self.kept.push((letter, n, end));
            let fits = self.fits(rest, end);
            if !fits {
                self.kept.pop();
            }
            fits
        })
    }

    /// Returns the possible ends of a match of `sort` that begins at token `n`.
    fn ends(&self, sort: &str, n: usize) -> Vec<usize> {
        let spot = self.spot;
        // after the position only up to the end of the line
        let last = if n <= spot.at { spot.at } else { (n..).find(|n| spot.fresh(*n)).unwrap_or(n) };
        let run = |fits: &dyn Fn(usize) -> bool| (n..=last).take_while(|end| (n..*end).all(fits)).collect::<Vec<_>>();
        if sort == "..." {
            return (n..=last).collect();
        }
        if let Some(but) = sort.strip_prefix("but:") {
            let last = (n..=spot.tokens.len()).find(|n| self.is(but, *n)).unwrap_or(spot.tokens.len());
            return (n..=last).collect();
        }
        if let Some(but) = sort.strip_prefix("on:") {
            let line = (n..).find(|n| spot.fresh(*n)).unwrap_or(n);
            let last = if n < spot.at { spot.at } else { line };
            let all = (n..=last).take_while(|end| (n..*end).all(|n| !self.is(but, n)));
            return all.collect::<Vec<_>>().into_iter().rev().collect();
        }
        if sort == "PLACE" {
            return run(&|n| spot.kind(n) == Some(TokenKind::Word) || spot.word(n) == ".");
        }
        if matches!(sort, "PATH" | "FIGURE" | "LIST") {
            let begins = self.is("NAME", n) || sort == "LIST" && self.is("TYPE", n);
            let mut ends = if begins { vec![n + 1] } else { Vec::new() };
            while let Some(end) = ends.last().filter(|end| spot.word(**end) == "." && self.is("WORD", **end + 1)) {
                ends.push(end + 2);
            }
            return ends.into_iter().skip(usize::from(sort == "FIGURE")).rev().collect();
        }
        let may = sort.strip_suffix('?').filter(|sort| !sort.is_empty());
        let one = self.is(may.unwrap_or(sort), n).then_some(n + 1);
        one.into_iter().chain(may.map(|_| n)).collect()
    }

    /// Returns whether token `n` is of a kind.
    fn is(&self, sort: &str, n: usize) -> bool {
        let (word, kind) = (self.spot.word(n), self.spot.kind(n));
        if let Some(sort) = sort.strip_prefix("not:") {
            return !self.is(sort, n);
        }
        if let Some(letter) = sort.strip_prefix('=').filter(|letter| is_small(letter)) {
            return self.kept(letter) == Some(word);
        }
        match sort {
            _ if word.is_empty() => false,
            "ANY" => true,
            "NAME" => is_small(word),
            "NAMED" => is_small(word) && word != "of" || word == ")",
            "TYPE" => is_capital(word),
            "WORD" => kind == Some(TokenKind::Word),
            "NUM" => kind == Some(TokenKind::Number),
            "DIGITS" => word.starts_with(|c: char| c.is_ascii_digit()),
            "SHARE" => kind == Some(TokenKind::Number) && word.ends_with('%'),
            "TEXT" => kind == Some(TokenKind::Text),
            "DIE" => is_die(word),
            "BIGDIE" => word.starts_with('D') && is_die(&word.to_ascii_lowercase()),
            "BAR" => word == "|",
            "COMPARE" => matches!(word, "==" | "!=" | "<" | "<=" | ">" | ">="),
            "OPERATOR" => self.is("COMPARE", n) || self.is("+|-|*|/|and|or|not|otherwise|in|where|weight|by|of", n),
            "STATEMENT" => words::STATEMENTS.contains(&word),
            "BLANK" => "\u{a0}\u{2007}\u{202f}\u{3000}\u{feff}\u{200b}".contains(word),
            "FOREIGN" => !word.is_ascii() && kind == Some(TokenKind::Sign),
            _ => word == sort || sort.contains('|') && sort.split('|').any(|sort| self.is(sort, n)),
        }
    }

    /// Evaluates a condition on the position.
    fn asked(&self, ask: &str) -> bool {
        let (spot, at, start) = (self.spot, self.spot.at, self.start);
        let table = || {
            let item = spot.item_word();
            spot.word(item) == "table" && (0..at).any(|n| spot.word(n) == "{")
        };
        match ask.trim_matches(['[', ']']) {
            "head" => spot.inside(at) == Inside::Head,
            "!head" => spot.inside(at) != Inside::Head,
            "statements" => spot.inside(at) == Inside::Statements,
            "members" => spot.inside(start) == Inside::Members,
            "options" => spot.inside(at) == Inside::Options,
            "rows" => spot.inside(at) == Inside::Rows,
            "!rows" => spot.inside(at) != Inside::Rows,
            // in the pattern of a row, not in its result
            "pattern" => spot.inside(at) == Inside::Rows && start < at && spot.arrow_ahead() && !spot.behind_arrow(at),
            "table" => table(),
            "value" => matches!(spot.kind(at), Some(TokenKind::Word | TokenKind::Number)),
            // after the first word of a line, except the first word of an item
            "inner" => start + 1 != at && !(spot.inside(at) == Inside::Head && spot.item_word() == start),
            // the line is in a block of statements, or should be
            "body" => {
                let inside = spot.inside(start);
                inside == Inside::Statements || inside == Inside::Head && spot.wants(Rule::block)
            }
            // in a list with one entry per line
            "listed" => {
                let line = matches!(spot.inside(at), Inside::Rows | Inside::Members | Inside::Options);
                line && (spot.fresh(at + 1) || spot.word(at + 1) == "}") || next_in_block(spot, at + 1).is_some()
            }
            // with a second quote on the line it is a quoted text, not inches
            "unquoted" => !(at + 1..).take_while(|n| !spot.fresh(*n)).any(|n| matches!(spot.word(n), "”" | "“")),
            // a condition in a scenario has no keyword before it
            "condition" => {
                let words = ["if", "when", "where", "while", "needs", "and", "or"];
                let begins = |word: &str| words::leading().iter().any(|all| all.contains(&word));
                (start..at).any(|n| words.contains(&spot.word(n)))
                    || start == 0 && spot.wants(Rule::cmp_op) && !begins(spot.word(0))
            }
            ask => match ask.strip_prefix("wants:") {
                Some(rule) => spot.wanted.iter().any(|wanted| format!("{wanted:?}") == rule),
                None => CODES.iter().any(|(name, _)| name.trim_matches(['[', ']']) == ask),
            },
        }
    }

    fn kept(&self, letter: &str) -> Option<&'s str> {
        let (_, from, to) = self.kept.iter().rev().find(|(kept, ..)| *kept == letter)?;
        Some(if *to == from + 1 { self.spot.word(*from) } else { self.spot.between(*from, *to) })
    }

    /// Replaces the placeholders of a text by the captured tokens.
    fn fill(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, after) = behind.split_once('}').unwrap_or((behind, ""));
            let (letter, form) = name.split_once(':').unwrap_or((name, ""));
            if letter.len() != 1 || !is_small(letter) {
                out.extend([before, "{"]);
                rest = behind;
                continue;
            }
            let kept = self.kept(letter).unwrap_or("");
            out.push_str(before);
            out.push_str(&match form {
                "small" => kept.to_lowercase(),
                "less" => kept.parse::<i64>().map_or_else(|_| kept.to_string(), |n| (n - 1).to_string()),
                "capital" => items::capital(kept),
                "more" => kept.parse::<i64>().map_or_else(|_| kept.to_string(), |n| (n + 1).to_string()),
                // `25` of 0.25
                "share" => share(kept),
                "pool" => kept.split_once('d').map_or_else(
                    || kept.to_string(),
                    |(count, sides)| format!("{} of d{sides}", if count.is_empty() { "1" } else { count }),
                ),
                "again" => if kept == "reroll" { "reroll" } else { "explode" }.to_string(),
                // the name for a die of the pool, and the face that is rolled again
                "die" => if kept == "x" { "die" } else { "x" }.to_string(),
                "face" => if kept == "reroll" { "1" } else { "6" }.to_string(),
                _ => kept.to_string(),
            });
            rest = after;
        }
        out + rest
    }
}

/// Converts the decimals of a fraction to a percentage.
fn share(decimals: &str) -> String {
    let padded = format!("{decimals:0<2}");
    let (whole, rest) = padded.split_at(2);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if rest.is_empty() { format!("{whole}%") } else { format!("{whole}.{rest}%") }
}
