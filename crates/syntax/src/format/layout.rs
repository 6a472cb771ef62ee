//! Indentation: two spaces per block, and two more for a continuation line.

use super::lines::Line;
use super::marks::{Marks, Start};
use crate::scan::TokenKind;

struct Open {
    brace: bool,
    /// Indentation of the content, and of the line with the closing bracket.
    inner: usize,
    outer: usize,
    line: usize,
    block: usize,
}

pub(super) fn indent(text: &str, marks: &Marks, lines: &mut [Line]) {
    let mut open: Vec<Open> = Vec::new();
    let mut statement = 0;
    let mut blocks = 0;
    let mut cited = false;
    for n in 0..lines.len() {
        let Some(line) = lines.get_mut(n) else { break };
        let (inner, braces) = open.last().map_or((0, true), |o| (o.inner, o.brace));
        line.block = open.iter().rev().find(|o| o.brace).map_or(0, |o| o.block);
        line.goes_on = false;
        let Some(first) = line.first() else {
            line.indent = inner;
            continue;
        };
        if first.kind == TokenKind::Close {
            line.indent = open.last().map_or(0, |o| o.outer);
            if braces {
                statement = line.indent;
                // a closing brace belongs to the lines around its block
                line.block = open.iter().rev().filter(|o| o.brace).nth(1).map_or(0, |o| o.block);
            }
        } else if !braces {
            line.indent = inner;
            line.goes_on = true;
        } else if cited || marks.starts.contains_key(&first.start) || matches!(first.text(text), "|" | "||" | "cite") {
            // a context line of a `change` is indented to the text of the lines with a sign
            let stays =
                marks.starts.get(&first.start) == Some(&Start::Change) && !first.text(text).starts_with(['-', '+']);
            line.indent = inner + if stays { 2 } else { 0 };
            statement = inner;
        } else {
            // `else` is aligned with its `if`
            line.indent = if first.text(text) == "else" { statement } else { inner + 2 };
            line.goes_on = true;
        }
        let own = line.indent;
        let cites = first.text(text) == "cite" || cited && line.goes_on;
        cited = cites && !matches!(line.last_word(text), ",");
        let default = first.text(text) == "default";
        for token in &line.tokens {
            match token.kind {
                TokenKind::Open => {
                    let brace = token.text(text) == "{";
                    let same = open.last().is_some_and(|o| o.line == n && !o.brace && !brace);
                    let outer = match open.last() {
                        Some(o) if same => o.outer,
                        _ if brace && !default => statement,
                        _ => own,
                    };
                    blocks += usize::from(brace);
                    open.push(Open { brace, inner: outer + 2, outer, line: n, block: blocks });
                }
                TokenKind::Close => {
                    if let Some(closed) = open.pop()
                        && closed.brace
                    {
                        statement = statement.min(closed.outer);
                    }
                }
                _ => {}
            }
        }
    }
    comments(lines);
}

/// Indents a comment line like the line below it, if that is in the same block.
fn comments(lines: &mut [Line]) {
    let mut below: Option<(usize, usize)> = None;
    for line in lines.iter_mut().rev() {
        if line.is_comment() {
            if let Some((block, indent)) = below
                && block == line.block
                && indent > line.indent
            {
                line.indent = indent;
            }
        } else {
            below = Some((line.block, line.indent));
        }
    }
}
