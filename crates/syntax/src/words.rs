//! Keywords of the language, for the pre-scan, the messages and the formatter.

/// Keywords of items.
pub(super) const ITEMS: &[&str] = &[
    "action", "chain", "change", "cite", "condition", "die", "enum", "event", "example", "extend", "extern", "kind",
    "law", "let", "open", "override", "param", "phase", "policy", "proc", "reading", "record", "remove", "rule",
    "ruleset", "section", "stand-in", "state", "status", "table", "tally", "test", "trait", "variant",
];

/// Keywords of statements.
pub(super) const STATEMENTS: &[&str] = &[
    "cancel", "choose", "cite", "cost", "destroy", "do", "draw", "each", "emit", "end", "explode", "grade", "grant",
    "if", "let", "limit", "match", "may", "merge", "move", "needs", "pass", "place", "repeat", "reroll", "return",
    "revoke", "roll", "run", "set", "spawn", "stop", "test", "turn", "var",
];

/// Keywords of lines of a `kind`.
pub(super) const MEMBERS: &[&str] = &["let", "link", "owner", "stat", "state"];

/// Keywords of lines of a trait, status or condition.
pub(super) const TRAIT_LINES: &[&str] = &["cite", "forbid", "let", "modify", "replace", "rule"];

/// Keywords of lines of a `move`.
pub(super) const MOVE_LINES: &[&str] = &[
    "along", "at", "avoids", "away", "bends", "costs", "ends", "exactly", "heading", "keeps", "never", "no", "stops",
    "straight", "through", "toward",
];

/// Reserved words, which cannot be names.
pub(super) const RESERVED: &[&str] = &[
    "and", "as", "by", "cite", "default", "else", "for", "has", "if", "in", "is", "match", "no", "none", "not", "of",
    "or", "otherwise", "prefer", "return", "rounded", "sees", "some", "stop", "then", "to", "until", "was", "when",
    "where", "within", "yes",
];

/// Words that continue the previous line if they begin a line.
pub(super) const GO_ON: &[&str] = &[
    "after", "against", "and", "because", "before", "by", "chosen", "choosing", "default", "down", "else", "for",
    "given", "gives", "on", "or", "ordered", "otherwise", "prefer", "rolling", "shares", "sweep", "then", "to",
    "under", "up", "weight", "when", "where", "while", "with",
];

/// Words after which a line continues.
const LEAVES_OPEN: &[&str] = &["and", "else", "or", "otherwise", "then", "where"];

/// Returns whether a line must continue after this token.
pub(super) fn leaves_open(token: &str) -> bool {
    match token.as_bytes() {
        b"," | b"=" | b"==" | b"!=" | b"<=" | b">=" | b"<" | b">" | b"+" | b"-" | b"*" | b"/" | b"+=" | b"-="
        | b"*=" | b":" => true,
        [first, ..] if first.is_ascii_lowercase() => LEAVES_OPEN.contains(&token),
        _ => false,
    }
}

/// Returns whether the word is a die or a sum of dice, such as `d6` or `3d6`.
pub(super) fn is_die(word: &str) -> bool {
    word.split_once('d').is_some_and(|(count, sides)| {
        count.bytes().all(|b| b.is_ascii_digit()) && !sides.is_empty() && sides.bytes().all(|b| b.is_ascii_digit())
    })
}

/// Returns whether the word cannot be a name.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Returns the keywords of lines: of a file, of a block of statements, of a kind, of a trait, and of a move.
pub fn leading() -> [&'static [&'static str]; 5] {
    [ITEMS, STATEMENTS, MEMBERS, TRAIT_LINES, MOVE_LINES]
}
