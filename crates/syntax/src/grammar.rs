//! The generated parser. Its rules are those of `grammar/rules.pest`.

use super::cut::{Mode, Piece, cut};
use super::pairs;
use super::parse::{Trees, with_stack};
use pest::Parser;
use pest::iterators::{Pair, Pairs};
use std::collections::HashSet;
use std::sync::LazyLock;

use super::thin::{Then, Thin};

/// The parser of the rules language.
pub(super) struct Grammar;

// `build.rs` writes it
include!(concat!(env!("OUT_DIR"), "/grammar.rs"));

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

/// What the grammar takes a word or sign for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A word of the language at a place where it is one.
    Keyword,
    /// A name that begins with a small letter.
    Name,
    /// A name that begins with a capital.
    Capital,
    /// A clause id.
    Clause,
    /// The path of a ruleset.
    Path,
    /// Digits with their unit.
    Number,
    /// `3d6`.
    Die,
    /// A quoted text.
    Text,
    /// `yes`, `no`, `none`.
    Constant,
}

/// What the grammar takes each word, number and quoted text for, in the order of the text; items that do not parse are left
/// out, and pieces whose trees are known are not parsed again.
pub fn classes_known(text: &str, known: &Trees) -> Vec<(usize, usize, Class)> {
    let mut found = Vec::new();
    let tell = || {
        for piece in cut(text, (0, text.len()), Mode::Trusting, None) {
            let own = text.get(piece.start..piece.end).unwrap_or("");
            if let Ok(tree) = known.tree(own) {
                tree.over(own).for_each(|pair| classify(pair, piece.start, &mut found));
            }
        }
        found
    };
    with_stack(tell, Vec::new)
}

/// The rules of single words of the language.
static KEYWORDS: LazyLock<HashSet<Rule>> = LazyLock::new(|| {
    let words = Rule::all_rules().iter().filter(|rule| format!("{rule:?}").starts_with("k_"));
    words.copied().collect()
});

fn classify(pair: pairs::Pair<'_>, base: usize, found: &mut Vec<(usize, usize, Class)>) {
    let class = match pair.as_rule() {
        Rule::name | Rule::word => {
            let small = pair.as_str().starts_with(|c: char| c.is_ascii_lowercase());
            Some(if small { Class::Name } else { Class::Capital })
        }
        Rule::tname => Some(Class::Capital),
        Rule::cid => Some(Class::Clause),
        Rule::path => Some(Class::Path),
        Rule::number | Rule::digits => Some(Class::Number),
        Rule::die => Some(Class::Die),
        Rule::string => Some(Class::Text),
        Rule::k_yes | Rule::k_no | Rule::k_none => Some(Class::Constant),
        Rule::quant | Rule::pquant | Rule::extreme | Rule::closest | Rule::change_what | Rule::every_one => {
            Some(Class::Keyword)
        }
        Rule::prefix if pair.as_str() == "was" => Some(Class::Keyword),
        rule if KEYWORDS.contains(&rule) => Some(Class::Keyword),
        _ => None,
    };
    match class {
        Some(class) => {
            let text = pair.as_str().trim_end();
            let start = base + pair.as_span().start();
            found.push((start, start + text.len(), class));
        }
        None => pair.into_inner().for_each(|part| classify(part, base, found)),
    }
}
