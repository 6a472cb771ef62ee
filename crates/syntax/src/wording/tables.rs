//! Messages about rows of tables.

use super::Spot;
use super::statements::{BAND, compared_band};
use crate::scan::TokenKind;
use grognard_base::{Code, Diagnostic};

/// What a cell or a row of a table is taken for.
pub(super) fn say(spot: &Spot) -> Option<Diagnostic> {
    if spot.word(spot.item_word()) == "table"
        && spot.at == spot.item_word() + 2
        && matches!(spot.now(), "{" | ":" | "=")
    {
        let found = spot.here(Code::Syntax, "a table says what is looked up in it, and what it gives");
        return Some(found.help(format!(
            "write `table {}(n: 1..3): Int {{`, and a row `| 1 to 2 | 0 |` on each line",
            spot.before(1)
        )));
    }
    if spot.word(spot.item_word()) != "table" || !spot.tokens.iter().take(spot.at).any(|t| t.text(spot.text) == "{") {
        return None;
    }
    let (now, before) = (spot.now(), spot.before(1));
    if before == "+" && matches!(now, "|" | ",") && spot.at >= 2 && spot.kind(spot.at - 2) == Some(TokenKind::Number) {
        let found = spot.at(spot.at - 1, Code::BandForm, BAND);
        return Some(found.help(format!("write `at least {}`", spot.before(2))));
    }
    if matches!(before, "|" | ",") && matches!(now, "<" | "<=" | ">" | ">=") {
        return Some(compared_band(spot));
    }
    if matches!(before, "-" | ":") && matches!(now, "-" | "|") && spot.line_start(spot.at) + 2 >= spot.at {
        let found = spot.here(Code::Syntax, "no line of dashes stands between the head and the rows of a table");
        return Some(found.help("take that line away"));
    }
    if before == "|" && matches!(now, "else" | "default" | "_" | "*" | "otherwise" | "any") {
        let found = spot.here(Code::Syntax, "a table has a row for each value, and none for all others");
        return Some(found.help("write the rest as a band, `over 6` or `at most 2`; a `match` has `else`"));
    }
    if matches!(before, "{" | "|") && spot.fresh(spot.at) && now != "|" && now != "}" {
        let found = spot.at(spot.at, Code::Syntax, "each row of a table begins and ends with `|`");
        return Some(found.help("write `| 1 to 3 | 0 |`"));
    }
    None
}
