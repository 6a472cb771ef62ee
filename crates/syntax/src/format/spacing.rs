//! Spaces between two tokens of a line.

use super::marks::Marks;
use crate::scan::{Token, TokenKind};

/// Returns the number of spaces between `a` and `b`. `before` is the token before `a`, and `behind` the token after
/// `b`.
pub(super) fn between(
    text: &str,
    marks: &Marks,
    a: Token,
    b: Token,
    behind: Option<Token>,
    before: Option<Token>,
) -> usize {
    let (left, right) = (a.text(text), b.text(text));
    if b.kind == TokenKind::Comment {
        return 2;
    }
    if marks.close.contains(&b.start) || marks.close.contains(&(usize::MAX - a.end)) {
        return 0;
    }
    match right {
        "," | ";" | ")" | "]" | "?" | "." => return 0,
        ":" => return usize::from(marks.wide.contains(&b.start)),
        "cite" | "sweep" if left != "{" && left != ";" => return 2,
        _ => {}
    }
    if matches!(left, "(" | "[" | ".") {
        return 0;
    }
    // fractions of plain numbers have no spaces: 5/8
    let number = |t: Option<Token>| t.is_some_and(|t| t.kind == TokenKind::Number);
    let slash = |t: Token, before: Option<Token>, behind: Option<Token>| {
        t.text(text) == "/" && number(before) && number(behind)
    };
    if slash(b, Some(a), behind) || slash(a, before, Some(b)) {
        return 0;
    }
    1
}
