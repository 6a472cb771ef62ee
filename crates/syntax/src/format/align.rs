//! Column alignment and blank lines, and the output of the text.

use super::lines::Line;
use super::marks::{Marks, Start};
use crate::scan::TokenKind;
use grognard_base::order;
use std::collections::HashMap;

/// Maximum difference in columns of rows that are aligned.
const SPREAD: usize = 30;
/// Lines longer than this are not aligned in the column of cites.
const LONG: usize = 84;

struct Writer<'a> {
    text: &'a str,
    marks: &'a Marks,
    lines: &'a [Line],
    /// Spaces to add before a token, by line and token index.
    pad: HashMap<(usize, usize), usize>,
}

/// Returns the text of the lines.
pub(super) fn write(text: &str, marks: &Marks, lines: &[Line]) -> String {
    let mut writer = Writer { text, marks, lines, pad: HashMap::new() };
    writer.members();
    writer.arrows();
    writer.signs();
    let tables = writer.tables();
    let mut bodies: Vec<String> =
        (0..lines.len()).map(|n| tables.get(&n).cloned().unwrap_or_else(|| writer.body(n))).collect();
    writer.cites(&mut bodies);
    let mut out = String::with_capacity(text.len() + 64);
    for (n, line) in lines.iter().enumerate() {
        if writer.blank_before(n) {
            out.push('\n');
        }
        out.extend(std::iter::repeat_n(' ', line.indent));
        out.push_str(bodies.get(n).map_or("", String::as_str));
        if let Some(comment) = line.comment {
            if !line.is_comment() {
                out.push_str("  ");
            }
            out.push_str(comment.text(text));
        }
        out.push('\n');
    }
    out
}

impl Writer<'_> {
    fn start(&self, n: usize) -> Option<Start> {
        let first = self.lines.get(n)?.first()?;
        self.marks.starts.get(&first.start).copied()
    }

    /// Returns the index of the token of a trailing `cite`, or the number of tokens without one.
    fn cite_at(&self, n: usize) -> usize {
        let line = &self.lines[n];
        let cite = line.tokens.iter().rposition(|t| t.text(self.text) == "cite").filter(|&c| c > 0);
        let ids = |c: usize| {
            line.tokens[c + 1..].iter().all(|t| {
                self.marks.close.contains(&t.start)
                    || t.text(self.text) == ","
                    || t.text(self.text).starts_with(|c: char| c.is_ascii_uppercase())
            })
        };
        cite.filter(|&c| ids(c)).unwrap_or(line.tokens.len())
    }

    /// Returns the line without its indentation, its comment and its trailing cite.
    fn body(&self, n: usize) -> String {
        let line = &self.lines[n];
        let mut out = String::new();
        for i in 0..self.cite_at(n) {
            if i > 0 {
                out.extend(std::iter::repeat_n(' ', line.gap(self.text, self.marks, i)));
            }
            out.extend(std::iter::repeat_n(' ', self.pad.get(&(n, i)).copied().unwrap_or(0)));
            out.push_str(line.word(self.text, i));
        }
        out
    }

    /// Returns the column of token `i` in its line.
    fn column(&self, n: usize, i: usize) -> usize {
        let line = &self.lines[n];
        (0..i)
            .map(|k| {
                line.gap(self.text, self.marks, k)
                    + line.word(self.text, k).chars().count()
                    + self.pad.get(&(n, k)).copied().unwrap_or(0)
            })
            .sum::<usize>()
            + line.gap(self.text, self.marks, i)
    }

    /// Aligns the given tokens in one column.
    fn line_up(&mut self, group: &[(usize, usize)]) {
        let columns: Vec<usize> = group.iter().map(|&(n, i)| self.column(n, i)).collect();
        let Some(&most) = columns.iter().max() else {
            return;
        };
        for (&(n, i), column) in group.iter().zip(columns) {
            if most > column {
                *self.pad.entry((n, i)).or_insert(0) += most - column;
            }
        }
    }

    fn blocks(&self, wanted: Start) -> Vec<Vec<usize>> {
        let mut all: HashMap<usize, Vec<usize>> = HashMap::new();
        for n in 0..self.lines.len() {
            if self.start(n) == Some(wanted) {
                all.entry(self.lines[n].block).or_default().push(n);
            }
        }
        let mut all: Vec<(usize, Vec<usize>)> = all.into_iter().collect();
        order::sort(&mut all);
        all.into_iter().map(|(_, lines)| lines).collect()
    }

    /// Aligns the lines of a kind: the names, and the colon or `=` after them.
    fn members(&mut self) {
        for lines in self.blocks(Start::Member) {
            if lines.len() < 2 {
                continue;
            }
            let names: Vec<(usize, usize)> = lines.iter().map(|&n| (n, 1)).collect();
            self.line_up(&names);
            let signs: Vec<(usize, usize)> =
                lines.iter().filter_map(|&n| Some((n, self.outer(n, &[":", "="])?))).collect();
            if self.spread(&signs) <= SPREAD {
                self.line_up(&signs);
            }
        }
    }

    fn spread(&self, group: &[(usize, usize)]) -> usize {
        let columns = || group.iter().map(|&(n, i)| self.column(n, i));
        columns().max().unwrap_or(0) - columns().min().unwrap_or(0)
    }

    /// Returns the first of these tokens outside brackets.
    fn outer(&self, n: usize, signs: &[&str]) -> Option<usize> {
        let line = &self.lines[n];
        let mut depth = 0usize;
        for i in 0..line.tokens.len() {
            match line.word(self.text, i) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                word if depth == 0 && signs.contains(&word) => return Some(i),
                _ => {}
            }
        }
        None
    }

    /// Aligns the `=>` of the rows of one match or the options of one choice.
    fn arrows(&mut self) {
        for lines in self.blocks(Start::Row) {
            self.tuples(&lines);
            let group: Vec<(usize, usize)> = lines.iter().filter_map(|&n| Some((n, self.outer(n, &["=>"])?))).collect();
            if self.spread(&group) <= SPREAD {
                self.line_up(&group);
            }
        }
    }

    /// Aligns the parts of tuple patterns.
    fn tuples(&mut self, lines: &[usize]) {
        let parts = |n: usize| -> Vec<usize> {
            let line = &self.lines[n];
            let (mut depth, mut all) = (0usize, Vec::new());
            for i in 0..line.tokens.len() {
                match line.word(self.text, i) {
                    "(" => depth += 1,
                    ")" if depth == 1 => break,
                    ")" => depth = depth.saturating_sub(1),
                    "," if depth == 1 => all.push(i + 1),
                    _ => {}
                }
            }
            all
        };
        let rows: Vec<usize> = lines.iter().copied().filter(|&n| self.lines[n].word(self.text, 0) == "(").collect();
        let parts: Vec<Vec<usize>> = rows.iter().map(|&n| parts(n)).collect();
        let columns = parts.iter().map(Vec::len).min().unwrap_or(0);
        for c in 0..columns {
            let group: Vec<(usize, usize)> = rows.iter().zip(&parts).map(|(&n, row)| (n, row[c])).collect();
            self.line_up(&group);
        }
    }

    /// Keeps the operators of consecutive lines aligned if the author aligned them.
    fn signs(&mut self) {
        let mut n = 0;
        while n < self.lines.len() {
            let Some((column, _)) = self.anchor(n) else {
                n += 1;
                continue;
            };
            let mut group = Vec::new();
            while let Some((_, token)) = self.anchor(n).filter(|(c, _)| *c == column) {
                if !group.is_empty() && self.blank_before(n) {
                    break;
                }
                group.push((n, token));
                n += 1;
            }
            if group.len() > 1 {
                self.line_up(&group);
            }
        }
    }

    /// Returns the operator that an author may align, and its column in the source.
    fn anchor(&self, n: usize) -> Option<(usize, usize)> {
        let line = self.lines.get(n)?;
        let signs: &[&str] = match line.word(self.text, 0) {
            "trait" | "status" | "condition" => &["on"],
            "enum" => &["{"],
            _ => &["=", "+=", "-=", "*="],
        };
        let i = match self.start(n) {
            Some(Start::Line | Start::Item) => self.first_of(n, signs)?,
            // alternatives of a reading: align their glosses
            None if line.goes_on => line.tokens.iter().position(|t| t.kind == TokenKind::Text).filter(|&i| i > 1)?,
            _ => return None,
        };
        let at = line.tokens.get(i)?.start;
        let start = self.text[..at].rfind('\n').map_or(0, |s| s + 1);
        // lines that the formatter splits from one line of the source have no column in it
        if line.first()?.start > start && !self.text[start..line.first()?.start].trim().is_empty() {
            return None;
        }
        Some((self.text[start..at].chars().count(), i))
    }

    fn first_of(&self, n: usize, signs: &[&str]) -> Option<usize> {
        if signs == ["{"] {
            return self.lines[n].tokens.iter().position(|t| t.text(self.text) == "{");
        }
        self.outer(n, signs)
    }

    /// Aligns the cells of tables.
    fn tables(&self) -> HashMap<usize, String> {
        let mut out = HashMap::new();
        for kind in [Start::TableRow, Start::ExampleRow] {
            for lines in self.blocks(kind) {
                let rows: Vec<Vec<(String, &str)>> = lines.iter().map(|&n| self.cells(n, kind)).collect();
                let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
                let width = |c: usize| {
                    rows.iter().filter_map(|r| r.get(c)).map(|(text, _)| text.chars().count()).max().unwrap_or(0)
                };
                let widths: Vec<usize> = (0..columns).map(width).collect();
                for (&n, row) in lines.iter().zip(&rows) {
                    let mut line = "|".to_string();
                    for (c, (text, bar)) in row.iter().enumerate() {
                        let room = widths[c] - text.chars().count();
                        let left = if kind == Start::ExampleRow { room / 2 } else { 0 };
                        line.push(' ');
                        line.extend(std::iter::repeat_n(' ', left));
                        line.push_str(text);
                        line.extend(std::iter::repeat_n(' ', room - left + 1));
                        line.push_str(bar);
                    }
                    out.insert(n, line);
                }
            }
        }
        out
    }

    /// Returns the cells of a row, each with the bar after it.
    fn cells(&self, n: usize, kind: Start) -> Vec<(String, &'static str)> {
        let line = &self.lines[n];
        let mut all = Vec::new();
        let mut from = 1;
        let end = self.cite_at(n);
        for i in 0..end {
            let bar = line.word(self.text, i);
            if !matches!(bar, "|" | "||") {
                continue;
            }
            let two = bar == "||" && kind == Start::ExampleRow;
            if i > 0 {
                all.push((line.text(self.text, self.marks, from, i), if two { "||" } else { "|" }));
            }
            if bar == "||" && !two {
                // two bars of a table: an empty cell
                all.push((String::new(), "|"));
            }
            from = i + 1;
        }
        all
    }

    /// Aligns the trailing cites of one block.
    fn cites(&self, bodies: &mut [String]) {
        let width = |n: usize, bodies: &[String]| self.lines[n].indent + bodies[n].chars().count();
        let mut groups: HashMap<usize, usize> = HashMap::new();
        let with: Vec<usize> =
            (0..self.lines.len()).filter(|&n| self.cite_at(n) < self.lines[n].tokens.len()).collect();
        for &n in &with {
            let wide = width(n, bodies);
            if self.lines[n].block > 0 && wide <= LONG {
                let most = groups.entry(self.lines[n].block).or_insert(0);
                *most = (*most).max(wide);
            }
        }
        for &n in &with {
            let line = &self.lines[n];
            let wide = width(n, bodies);
            let column = groups.get(&line.block).copied().filter(|_| wide <= LONG).unwrap_or(wide);
            let room = column.max(wide) - wide + 2;
            let cite = line.text(self.text, self.marks, self.cite_at(n), line.tokens.len());
            bodies[n].extend(std::iter::repeat_n(' ', room));
            bodies[n].push_str(&cite);
        }
    }

    fn blank_before(&self, n: usize) -> bool {
        let Some(line) = self.lines.get(n).filter(|_| n > 0) else {
            return false;
        };
        let before = &self.lines[n - 1];
        if line.goes_on || before.last_word(self.text) == "{" || line.word(self.text, 0) == "}" {
            return false;
        }
        // no blank line between a cite and its item
        if self.lines[..n].iter().rev().find(|l| !l.is_comment()).is_some_and(|l| l.word(self.text, 0) == "cite") {
            return false;
        }
        if line.block == 0 && (line.is_comment() || self.start(n) == Some(Start::Item)) {
            return self.blank_between_items(n);
        }
        line.blank
    }

    /// Returns whether a blank line comes before an item. An author can group short items of one kind without blank
    /// lines.
    fn blank_between_items(&self, n: usize) -> bool {
        let line = &self.lines[n];
        if line.blank {
            return true;
        }
        // comments directly above an item belong to it
        if self.lines[n - 1].is_comment() {
            return false;
        }
        let Some(item) = (n..self.lines.len()).find(|&i| self.start(i) == Some(Start::Item)) else {
            return false;
        };
        if (n..item).any(|i| i > n && self.lines[i].blank) {
            return true;
        }
        let Some(last) = (0..n).rev().find(|&i| self.start(i) == Some(Start::Item)) else {
            return true;
        };
        // no blank line comes between a paragraph and its rules
        if self.lines[last].first().is_some_and(|first| first.kind == TokenKind::Prose) {
            return false;
        }
        let (a, b) = (self.sort(last), self.sort(item));
        let together = a == b && (a == "example" || self.short(last) && self.short(item));
        !together
    }

    /// Returns the keyword of an item. Similar keywords count as the same.
    fn sort(&self, item: usize) -> &str {
        let mut n = item;
        if self.lines[n].word(self.text, 0) == "cite" {
            n = (item + 1..self.lines.len())
                .find(|&i| !self.lines[i].is_comment() && !self.lines[i].goes_on)
                .unwrap_or(item);
        }
        let line = &self.lines[n];
        match line.word(self.text, 0) {
            "record" | "event" => "event",
            "extern" if line.word(self.text, 1) == "event" => "event",
            "trait" | "status" | "condition" => "trait",
            word => word,
        }
    }

    /// Returns whether the item has one line, or a cite and one line.
    fn short(&self, item: usize) -> bool {
        let cite = self.lines[item].word(self.text, 0) == "cite";
        let next = (item + 1..self.lines.len()).find(|&i| {
            self.start(i) == Some(Start::Item) || self.lines[i].is_comment() && self.lines[i].block == 0 && i > item + 1
        });
        next.unwrap_or(self.lines.len()) - item <= if cite { 2 } else { 1 }
    }
}
