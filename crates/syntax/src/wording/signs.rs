//! Messages about signs of other languages, and about values that go wrong in a known way.

use super::{Spot, is_small};
use crate::grammar::Rule;
use crate::scan::TokenKind;
use crate::words::{self, is_die};
use grognard_base::{Code, Diagnostic, did_you_mean};

pub(super) fn say(spot: &Spot) -> Option<Diagnostic> {
    dice(spot)
        .or_else(|| measured(spot))
        .or_else(|| remainder(spot))
        .or_else(|| foreign(spot))
        .or_else(|| misspelt(spot))
        .or_else(|| query(spot))
        .or_else(|| comparison(spot))
        .or_else(|| missing(spot))
        .or_else(|| value(spot))
}

/// A sign with nothing behind it: `if u.hp > { .. }`.
fn missing(spot: &Spot) -> Option<Diagnostic> {
    if matches!(spot.now(), "{" | "}" | ")" | "]" | "," | ";") { behind_sign(spot, 1) } else { swallowed(spot) }
}

/// The word that the next line or clause begins with was taken for the value that is missing: `roll dice =`, below it `pass`.
fn swallowed(spot: &Spot) -> Option<Diagnostic> {
    let begun = spot.at.checked_sub(1)?;
    let word = spot.word(begun);
    let leads = spot.fresh(begun) && words::leading().iter().any(|all| all.contains(&word));
    if leads || words::GO_ON.contains(&word) { behind_sign(spot, 2) } else { None }
}

/// Says of the sign or word so many tokens before the place that something is missing behind it; nothing, if it needs nothing there,
/// or is a sign that begins a line.
pub(super) fn behind_sign(spot: &Spot, back: usize) -> Option<Diagnostic> {
    let sign = spot.before(back);
    let (what, help) = match sign {
        "if" | "when" | "where" => ("a condition", format!("`{sign}` asks something, as in `{sign} u.hp > 2`")),
        "in" => ("a list", "what stands before `in` is looked for in the list behind it".to_string()),
        "=" | "+=" | "-=" => ("a value", format!("what stands before `{sign}` gets the value behind it")),
        "+" | "-" | "*" | "/" | "==" | "!=" | "<" | ">" | "<=" | ">=" | "and" | "or" | "otherwise" => {
            ("a value", format!("`{sign}` stands between two values"))
        }
        _ => return None,
    };
    if what == "a value" && spot.fresh(spot.at - back) {
        return None;
    }
    Some(spot.at(spot.at - back, Code::Syntax, format!("{what} is missing behind `{sign}`")).help(help))
}

/// Dice as other tools write them.
fn dice(spot: &Spot) -> Option<Diagnostic> {
    let back = usize::from(matches!(spot.now(), "!" | "%"));
    let at = spot.at.checked_sub(back)?;
    let glued = spot.tokens.get(at + 1).is_some_and(|next| next.start == spot.tokens[at].end);
    let sign = if glued { spot.word(at + 1) } else { "" };
    let (message, help) = super::dialect::notation(spot.word(at), sign)?;
    Some(spot.at(at, Code::Syntax, message).help(help))
}

/// A number with its unit in words, `5cm`, `6 inches`, and a die that is torn apart, `d 6`.
fn measured(spot: &Spot) -> Option<Diagnostic> {
    let (now, before) = (spot.now(), spot.before(1));
    let number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let same_line = spot.at > 0 && !spot.line_ended();
    let torn = "between the `d` of a die and its sides stands no blank";
    if same_line && matches!(before, "d" | "D") && number(now) {
        return Some(spot.at(spot.at - 1, Code::Syntax, torn).help(format!("write `d{now}`")));
    }
    let sides = spot.word(spot.at + 1);
    if same_line && matches!(now, "d" | "D") && number(before) && number(sides) {
        let help = format!("`{before}d{sides}` is their sum, `{before} of d{sides}` the pool");
        return Some(spot.here(Code::Syntax, torn).help(help));
    }
    let (at, amount, unit) = match now.find(|c: char| !c.is_ascii_digit() && c != '.') {
        Some(n) if n > 0 => (spot.at, &now[..n], &now[n..]),
        // `6 in` reads as the beginning of `6 in xs`, and gets stuck behind it
        _ if before == "in" => (spot.at - 1, spot.before(2), before),
        _ if same_line => (spot.at, before, now),
        _ => return None,
    };
    if spot.kind(at) != Some(TokenKind::Word) || !amount.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (message, help) = super::units::with_unit(amount.trim_end_matches('"'), unit)?;
    Some(spot.at(at, Code::Syntax, message).help(help))
}

/// What is said of `//`, with a number behind it or none.
fn comment(spot: &Spot, behind: usize) -> &'static str {
    match spot.kind(behind) {
        Some(TokenKind::Number) => "write `# comment`; a quotient is made whole by `a / b rounded down`",
        _ => "write `# comment`",
    }
}

/// `a % b` and `a mod b`: how a remainder is written, with the figures at hand where each is a single one.
fn remainder(spot: &Spot) -> Option<Diagnostic> {
    let sign = spot.now() == "%" && spot.kind(spot.at) == Some(TokenKind::Sign) || spot.now() == "mod";
    let figure = |n: usize| {
        matches!(spot.kind(n), Some(TokenKind::Word | TokenKind::Number))
            && !crate::words::RESERVED.contains(&spot.word(n))
    };
    let (mut first, next) = (spot.at.checked_sub(1)?, spot.at + 1);
    if !sign || spot.line_ended() || spot.fresh(next) || !figure(next) && spot.word(next) != "(" {
        return None;
    }
    while first >= 2 && spot.word(first - 1) == "." {
        first -= 2;
    }
    let mut end = next + 1;
    while spot.word(end) == "." && !spot.fresh(end) {
        end += 2;
    }
    let single = figure(first) && figure(spot.at - 1) && figure(next) && spot.word(end) != "(";
    let (a, b) = if single { (spot.between(first, spot.at), spot.between(next, end)) } else { ("a", "b") };
    let found = spot.here(Code::Syntax, format!("there is no remainder sign, and so no `{}`", spot.now()));
    Some(found.help(format!("write `{a} - {b} * ({a} / {b} rounded down)`")))
}

/// Signs the language does not have.
fn foreign(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.now();
    if word == "/" && matches!(spot.word(spot.at + 1), "/" | "*") {
        return Some(spot.at(spot.at, Code::Syntax, "comments begin with `#`").help(comment(spot, spot.at + 2)));
    }
    // with a second quote on the line it is a text, not inches
    let quoted = (spot.at + 1..).take_while(|n| !spot.fresh(*n)).any(|n| matches!(spot.word(n), "”" | "“"));
    let after_number = !quoted && spot.at.checked_sub(1).and_then(|n| spot.kind(n)) == Some(TokenKind::Number);
    let (message, help) = match word {
        "“" | "”" | "″" | "′" | "’" if after_number => {
            ("an inch mark is the straight \" glued to its number", "write 6\"")
        }
        "&&" | "&" => ("`and` joins two conditions", "write `a and b`"),
        "||" => ("`or` joins two conditions", "write `a or b`"),
        "!" => ("`not` turns a condition round", "write `not a`, or `a != b`"),
        "'" if after_number => ("a length is a number with an inch mark \" glued to it", "write 6\"; a foot is 12\""),
        "'" | "`" => ("texts stand in double quotes", "write \"text\""),
        "“" | "”" | "„" | "«" | "»" => ("texts stand in straight double quotes", "write \"text\""),
        "’" | "‘" => ("this is no sign of the language", "texts stand in double quotes"),
        "″" | "′" | "〞" => ("an inch mark is the straight \" glued to its number", "write 6\""),
        "–" | "—" | "−" => ("this dash is no minus sign", "write the plain `-`"),
        "≥" => ("this is written `>=`", "write `>=`"),
        "≤" => ("this is written `<=`", "write `<=`"),
        "≠" => ("this is written `!=`", "write `!=`"),
        "×" => ("this is written `*`", "write `*`"),
        "÷" => ("this is written `/`", "write `/`"),
        "→" | "⇒" => ("this is written `=>`", "write `=>`"),
        "…" => ("a range is written `1 .. 3`", "write two dots"),
        "^" | "*" if word == "^" || spot.before(1) == "*" => (
            "there is no power sign",
            "write `x * x`; dice that stand twice are thrown twice, so name them first: `k = d6; k * k`",
        ),
        "%" if spot.kind(spot.at) == Some(TokenKind::Sign) => {
            ("`50%` is written without a blank", "glue the % to its number")
        }
        "?" => (
            "a question mark stands only behind a type, as in `Unit?`",
            "a choice between two values is `if c then a else b`",
        ),
        "$" | "@" | "~" | "\\" => ("this is no sign of the language", "names are letters, digits and `_`"),
        "/" if spot.before(1) == "/" => ("comments begin with `#`", comment(spot, spot.at + 1)),
        "*" if spot.before(1) == "/" => ("comments begin with `#`", comment(spot, spot.at + 1)),
        "\u{a0}" | "\u{2007}" | "\u{202f}" | "\u{3000}" | "\u{feff}" | "\u{200b}" => (
            "what looks like a blank here is another sign, such as a no-break space",
            "write a plain blank in its place",
        ),
        _ if !word.is_ascii() && spot.kind(spot.at) == Some(TokenKind::Sign) => {
            ("this is no sign of the language", "names are letters a to z, digits and `_`")
        }
        _ => return None,
    };
    Some(spot.here(Code::Syntax, message).help(help))
}

/// Words that a question about many things, or about dice, begins with.
const ASKS: &[&str] = &["all", "any", "count", "every", "no", "sum", "the"];

/// `coutn dice >= 4`: a word that is none, with what it asks about behind it.
fn misspelt(spot: &Spot) -> Option<Diagnostic> {
    let at = spot.at.checked_sub(1).filter(|_| !spot.line_ended() && spot.kind(spot.at) == Some(TokenKind::Word))?;
    let word = spot.word(at);
    let near = did_you_mean(word, ASKS.iter().copied());
    if near.is_empty()
        || ASKS.contains(&word)
        || words::is_reserved(word)
        || words::is_reserved(spot.now())
        || spot.fresh(at)
    {
        return None;
    }
    let found = spot.at(at, Code::UnknownWord, format!("no question begins with `{word}`{near}"));
    Some(found.help(format!("it begins with one of: {}", ASKS.join(", "))))
}

/// Queries that are written as other languages write them: `count m in xs: m.hurt`, `sum dice < 9`.
fn query(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.now();
    let compared = matches!(word, "==" | "!=" | "<" | "<=" | ">" | ">=");
    if compared && spot.before(2) == "sum" {
        let found = spot.here(Code::Syntax, "`sum` asks things one by one, as in `sum u in Unit of u.men`");
        return Some(found.help(format!("the sum of a pool or list is `total({0}) {word} ..`", spot.before(1))));
    }
    if compared && spot.before(2) == "all" {
        let found = spot.here(Code::Syntax, "`all` makes a list, as in `all x in dice where x >= 4`");
        return Some(found.help(format!("write `every {} {word} ..` where each has to", spot.before(1))));
    }
    if word != ":" {
        return None;
    }
    let begins = |n: &usize| ASKS.contains(&spot.word(*n));
    let query = (spot.line_start(spot.at)..spot.at).rev().find(begins)?;
    if spot.word(query + 2) != "in" {
        return None;
    }
    let (told, behind) = match spot.word(query) {
        "sum" => ("what is added up stands behind `of`", "of .."),
        _ => ("the condition of a query stands behind `where`", "where .."),
    };
    Some(spot.here(Code::Syntax, told).help(format!("write `{} {behind}`", spot.between(query, spot.at))))
}

fn comparison(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.now();
    let start = spot.line_start(spot.at);
    let condition =
        (start..spot.at).any(|n| matches!(spot.word(n), "if" | "when" | "where" | "while" | "needs" | "and" | "or"));
    // a condition of a scenario stands by itself
    let condition = condition
        || start == 0 && spot.wants(Rule::cmp_op) && !words::leading().iter().any(|all| all.contains(&spot.word(0)));
    let glued = |n: usize| spot.tokens.get(n + 1).is_some_and(|next| next.start == spot.tokens[n].end);
    let meant = match word {
        "=>" if spot.wants(Rule::cmp_op) => Some(("=>", ">=")),
        "=" if glued(spot.at) && spot.word(spot.at + 1) == "<" => Some(("=<", "<=")),
        ">" if spot.before(1) == "<" && glued(spot.at - 1) => Some(("<>", "!=")),
        "=" if spot.before(1) == "==" && glued(spot.at - 1) => Some(("===", "==")),
        _ => None,
    };
    if let Some((written, meant)) = meant.filter(|_| !spot.line_ended()) {
        let found = spot.here(Code::Syntax, format!("this comparison is written `{meant}`, and not `{written}`"));
        return Some(found.help(format!("write `{meant}`")));
    }
    if word == "=" && condition && !spot.line_ended() {
        return Some(spot.here(Code::Syntax, "a comparison is written `==`").help("`=` gives a value to a name"));
    }
    if matches!(word, "==" | "!=" | "<" | "<=" | ">" | ">=") && !spot.line_ended() {
        let left = (start..spot.at)
            .rev()
            .map(|n| spot.word(n))
            .take_while(|w| !matches!(*w, "and" | "or" | "(" | "[" | "," | "not" | "when" | "where" | "if"));
        if left.into_iter().any(|w| matches!(w, "==" | "!=" | "<" | "<=" | ">" | ">=")) {
            let found = spot.here(Code::Syntax, "comparisons do not chain");
            return Some(
                found.help("write `a < b and b < c`, with dice named first: `k = d6; 2 < k and k < 5`; a count that is compared stands in ( ): `(count dice >= 4) >= 2`"),
            );
        }
    }
    None
}

fn value(spot: &Spot) -> Option<Diagnostic> {
    let word = spot.now();
    let number = spot.at.checked_sub(1).and_then(|n| spot.kind(n)) == Some(TokenKind::Number);
    let die = spot.word(spot.at + 1);
    if word == "of" && number && die.starts_with('D') && is_die(&die.to_ascii_lowercase()) {
        let found = spot.at(spot.at + 1, Code::Syntax, "a die is written with a small `d`");
        return Some(found.help(format!("write `{}`", die.to_ascii_lowercase())));
    }
    if spot.line_ended() && spot.at > 0 {
        let started = (spot.line_start(spot.at - 1)..spot.at).any(|n| spot.word(n) == "then");
        return if started && spot.wants(Rule::k_else) { Some(no_else(spot)) } else { None };
    }
    if word == "[" && spot.at > 0 && spot.before(1) != "of" && (is_small(spot.before(1)) || spot.before(1) == ")") {
        let found = spot.here(Code::Syntax, "a member of a list is asked for by `nth`");
        return Some(found.help(format!("write `(nth(1, {}) otherwise 0)`; the first is 1", spot.before(1))));
    }
    let begun = |word: &str| (spot.line_start(spot.at)..spot.at).any(|n| spot.word(n) == word);
    if word == "then" && begun("if") {
        let found = spot.here(Code::Syntax, "`if c { .. }` is a statement, `if c then a else b` is a value");
        return Some(found.help("statements stand in { }"));
    }
    if word == "{" && begun("if") {
        let found = spot.here(Code::Syntax, "`if c then a else b` is a value, `if c { .. }` is a statement");
        return Some(found.help("as a value it has `then` and `else`, and no braces"));
    }
    let started = begun("then");
    if started && spot.wants(Rule::k_else) && word == "}" {
        return Some(no_else(spot));
    }
    let quoted = spot.kind(spot.at) == Some(TokenKind::Text);
    if quoted && number {
        let found = spot.here(Code::Syntax, "a text cannot stand behind a number; an inch mark is glued to it");
        return Some(found.help("write 6\" without a blank"));
    }
    if quoted && matches!(spot.before(1), "=" | "==" | "!=" | "(" | "," | "+" | "then" | "else" | "return") {
        let found = spot.here(Code::Syntax, "texts are titles and reasons, never values");
        return Some(found.help("write a number, or a case of an `enum` or a `reading`"));
    }
    None
}

fn no_else(spot: &Spot) -> Diagnostic {
    let found = spot.here(Code::Syntax, "an `if` that is a value needs an `else`");
    found.help("write `if c then a else b`; what happens or not is `if c { .. }`")
}
