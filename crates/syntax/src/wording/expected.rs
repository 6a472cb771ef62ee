//! The fallback message: what the parser expected at the position.

use super::{Inside, Spot, hints, is_small};
use crate::grammar::Rule;
use crate::scan::TokenKind;
use crate::words::{MEMBERS, RESERVED, STATEMENTS};
use grognard_base::{Code, Diagnostic};

pub(super) fn fallback(spot: &Spot) -> Diagnostic {
    let word = spot.now();
    let behind = spot.before(1);
    let ended = spot.at > 0 && spot.line_ended() || word.is_empty();
    let message = match (ended, behind.is_empty()) {
        (true, true) => "unexpected end of text".to_string(),
        (true, false) => format!("the line ends after `{behind}`"),
        (false, true) => format!("`{word}` is not expected here"),
        (false, false) if spot.kind(spot.at) == Some(TokenKind::Text) => {
            format!("unexpected text after `{behind}`")
        }
        (false, false) => format!("`{word}` is not expected here, after `{behind}`"),
    };
    let found = spot.here(Code::Syntax, message);
    let opened = || (0..spot.at).rev().map(|n| spot.word(n)).find(|w| matches!(*w, "[" | "{"));
    if word == ".." && behind != "[" && opened() == Some("[") {
        return found.help("a list has its entries one by one; all numbers of a range are `all n in 1 .. 3`");
    }
    if let Some(help) = hints::help(spot, "intended forms") {
        return found.help(help);
    }
    if let Some(what) = next_in_block(spot, spot.at) {
        return found.help(format!("{what} must be on separate lines, or have a `;` between them"));
    }
    if let Some(help) = hints::help(spot, "intended items") {
        return found.help(help);
    }
    if spot.wants(Rule::name) && RESERVED.contains(&word) {
        return found.help(format!("`{word}` is a word of the language; choose another name"));
    }
    let could = could_stand(spot);
    match could.as_slice() {
        [] => found,
        [only] => found.help(format!("expected here: {only}")),
        all if all.len() <= 8 => found.help(format!("expected here: {}", all.join(" or "))),
        _ if all_values(spot) => found.help("expected here: a value"),
        _ => found,
    }
}

/// Returns the kind of entries of the enclosing block, if token `from` begins the next entry on the line of the
/// previous one.
pub(super) fn next_in_block(spot: &Spot, from: usize) -> Option<&'static str> {
    if from == 0 || spot.fresh(from) || spot.bracketed(from) {
        return None;
    }
    let first = spot.word(from);
    let mut rest = (from + 1..).take_while(|n| !spot.fresh(*n)).map(|n| spot.word(n));
    let row = rest.find(|word| matches!(*word, "=>" | "{" | "}" | ";" | ",")) == Some("=>") && spot.behind_arrow(from);
    match spot.inside(from) {
        Inside::Statements if STATEMENTS.contains(&first) => Some("statements"),
        Inside::Members if MEMBERS.contains(&first) => Some("members"),
        Inside::Rows if row => Some("rows"),
        Inside::Options if row => Some("options"),
        Inside::Other if is_small(first) && spot.word(spot.item_word()) == "example" => Some("claims"),
        _ => None,
    }
}

fn all_values(spot: &Spot) -> bool {
    spot.wants(Rule::tuple) && spot.wants(Rule::list)
}

fn could_stand(spot: &Spot) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let value = all_values(spot);
    for rule in &spot.wanted {
        let words = match rule {
            Rule::name => "a name".to_string(),
            Rule::tname => "a name with a capital".to_string(),
            Rule::type_e | Rule::list_type | Rule::int_range => "a type".to_string(),
            Rule::block => "a `{ block }`".to_string(),
            Rule::title | Rule::string => "a text in quotes".to_string(),
            Rule::args | Rule::params => "`(`".to_string(),
            Rule::cid => "a clause id such as WA-14".to_string(),
            Rule::path | Rule::seg => "a path such as game/name".to_string(),
            Rule::pattern | Rule::pat => "a pattern".to_string(),
            Rule::row => "a row `pattern => result`".to_string(),
            Rule::lasting => "a row `pattern => end of A`, or `=> none` if it lasts".to_string(),
            Rule::cmp_op => "a comparison".to_string(),
            Rule::aop | Rule::rounded | Rule::prefix | Rule::field | Rule::EOI => continue,
            Rule::sep | Rule::nl => "the end of the line".to_string(),
            Rule::modify_op => "`+=`, `-=`, `*=`, `at most` or `at least`".to_string(),
            Rule::set_op => "`=`, `+=` or `-=`".to_string(),
            Rule::range_op => "`..`".to_string(),
            Rule::die => "a die such as d6".to_string(),
            Rule::number | Rule::digits => "a number".to_string(),
            Rule::change_body => "`{`, and below it one line for each line of the change".to_string(),
            Rule::change_what => "the word of an item that can be overridden: param, let, table, die, trait, status, condition, test, proc, phase, \
                 action, rule, policy, law"
                .to_string(),
            Rule::stmt => "a statement".to_string(),
            Rule::item => "an item".to_string(),
            _ if value && matches!(rule, Rule::tuple | Rule::list | Rule::expr | Rule::cond | Rule::arith) => {
                "a value".to_string()
            }
            Rule::expr | Rule::cond | Rule::arith | Rule::range | Rule::slot => "a value".to_string(),
            _ => {
                let name = format!("{rule:?}");
                match name.strip_prefix("k_") {
                    Some(word) => format!("`{word}`"),
                    None => continue,
                }
            }
        };
        if !all.contains(&words) {
            all.push(words);
        }
    }
    all
}
