//! The generated parser. Its rules are those of `grammar/rules.pest`.

#![allow(missing_docs)]

use super::cut::{Mode, Piece, cut};
use super::parse::with_stack;
use pest::Parser;
use pest::iterators::{Pair, Pairs};

/// The parser of the rules language.
#[derive(pest_derive::Parser)]
#[grammar = "../grammar/rules.pest"]
pub(super) struct Grammar;

/// Whether a piece begins as the header of a file does.
pub(super) fn is_header(text: &str) -> bool {
    text.starts_with("ruleset ") || text.starts_with("variant ")
}

/// The items of a text and where they begin, the header first; one that does not parse has no pairs.
pub(super) fn pieces(text: &str) -> Vec<(usize, Option<Pairs<'_, Rule>>)> {
    let parsed = |piece: &Piece| {
        let text = text.get(piece.start..piece.end).unwrap_or("");
        (piece.start, Grammar::parse(if is_header(text) { Rule::one_header } else { Rule::one_item }, text).ok())
    };
    cut(text, (0, text.len()), Mode::Trusting, None).iter().map(parsed).collect()
}

/// What the grammar takes each stretch of a text for: a form on one line where it fits, else its parts indented.
pub fn dump(text: &str) -> String {
    let tell = || {
        let mut out = String::new();
        let all = pieces(text).into_iter().filter_map(|(_, pairs)| pairs).flatten().flat_map(Pair::into_inner);
        all.filter(|pair| pair.as_rule() != Rule::EOI).for_each(|pair| show(pair, 0, &mut out));
        out
    };
    with_stack(tell, String::new)
}

const WIDTH: usize = 110;

fn show(pair: Pair<'_, Rule>, depth: usize, out: &mut String) {
    let line = inline(&pair);
    if line.len() + depth <= WIDTH {
        *out += &format!("{:depth$}{line}\n", "");
    } else {
        let pair = only(pair);
        *out += &format!("{:depth$}{:?}\n", "", pair.as_rule());
        pair.into_inner().for_each(|part| show(part, depth + 2, out));
    }
}

/// A form that holds one other and nothing else tells no more than that other.
fn only(pair: Pair<'_, Rule>) -> Pair<'_, Rule> {
    let text = pair.as_str().trim_end();
    let mut inner = pair.clone().into_inner();
    match (inner.next(), inner.next()) {
        (Some(one), None) if one.as_str().trim_end() == text => only(one),
        _ => pair,
    }
}

fn inline(pair: &Pair<'_, Rule>) -> String {
    let pair = only(pair.clone());
    let (name, text) = (format!("{:?}", pair.as_rule()), pair.as_str());
    let mut parts = pair.into_inner().peekable();
    match parts.peek() {
        None if text.is_empty() || name.strip_prefix("k_") == Some(text) => name.trim_start_matches("k_").to_string(),
        None => format!("{name} {text}"),
        Some(_) => format!("{name}({})", parts.map(|part| inline(&part)).collect::<Vec<_>>().join(", ")),
    }
}
