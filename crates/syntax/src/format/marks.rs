//! Grammar facts for the formatter: which tokens have no space before them, and which forms begin where.

use crate::grammar::{Rule, pieces};
use pest::iterators::Pairs;
use std::collections::{HashMap, HashSet};

/// The form that begins at a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Start {
    Item,
    Member,
    /// A row of a match, or an option.
    Row,
    TableRow,
    ExampleRow,
    /// A line of a `change`, which stays unchanged.
    Change,
    /// Another form with its own line.
    Line,
}

#[derive(Default)]
pub(crate) struct Marks {
    pub starts: HashMap<usize, Start>,
    /// Start offsets of tokens without a space before them.
    pub close: HashSet<usize>,
    /// Start offsets of colons with a space before them.
    pub wide: HashSet<usize>,
}

/// Parses each item of a text that is known to parse, and collects the marks.
pub(crate) fn read(text: &str) -> Marks {
    let mut marks = Marks::default();
    for (at, pairs) in pieces(text) {
        marks.starts.insert(at, Start::Item);
        for pair in pairs.into_iter().flat_map(Pairs::flatten) {
            marks.note(pair.as_rule(), at + pair.as_span().start(), pair.as_str());
        }
    }
    marks
}

impl Marks {
    fn note(&mut self, rule: Rule, start: usize, text: &str) {
        match rule {
            Rule::member => self.start(start, Start::Member),
            Rule::row | Rule::lasting | Rule::option => self.start(start, Start::Row),
            Rule::trow => self.start(start, Start::TableRow),
            Rule::change_line => self.start(start, Start::Change),
            Rule::ehead | Rule::erow => self.start(start, Start::ExampleRow),
            Rule::stmt | Rule::mline | Rule::claim | Rule::pentry | Rule::tmember | Rule::field_init => {
                self.start(start, Start::Line)
            }
            // the cases of an enum can be on separate lines
            Rule::enum_d => {
                let open = text.find('{').unwrap_or(text.len());
                let mut at = open + 1;
                for case in text.get(open + 1..).unwrap_or("").split([',', '<']) {
                    let blank = case.len() - case.trim_start().len();
                    self.start(start + at + blank, Start::Line);
                    at += case.len() + 1;
                }
            }
            Rule::prefix if text == "-" => self.behind(start, 1),
            Rule::fixed if text.starts_with('-') => self.behind(start, 1),
            Rule::args | Rule::params => drop(self.close.insert(start)),
            Rule::int_range => {
                if let Some(dots) = text.find("..") {
                    self.close.insert(start + dots);
                    if !text.trim_end().ends_with("..") {
                        self.behind(start + dots, 2);
                    }
                }
            }
            Rule::path | Rule::cid => self.close.extend(start + 1..start + text.len()),
            Rule::p_ctor => drop(text.find('(').map(|n| self.close.insert(start + n))),
            Rule::override_cell => drop(text.find('[').map(|n| self.close.insert(start + n))),
            Rule::param_d | Rule::reading_d | Rule::stat | Rule::state | Rule::link => self.colon(start, text, true),
            Rule::let_d | Rule::open_let => self.colon(start, text, false),
            _ => {}
        }
    }

    fn start(&mut self, at: usize, start: Start) {
        self.starts.entry(at).or_insert(start);
    }

    /// Marks the token after a sign as having no space before it. The caller skips the whitespace between them.
    fn behind(&mut self, at: usize, len: usize) {
        self.close.insert(usize::MAX - (at + len));
    }

    /// Marks the first colon outside brackets, before any value.
    fn colon(&mut self, start: usize, text: &str, always: bool) {
        let mut depth = 0usize;
        for (n, b) in text.bytes().enumerate() {
            match b {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b':' if depth == 0 => {
                    let after_params = text[..n].trim_end().ends_with(')');
                    if always || !after_params {
                        self.wide.insert(start + n);
                    }
                    return;
                }
                b'=' | b'"' | b'#' if depth == 0 => return,
                _ => {}
            }
        }
    }
}
