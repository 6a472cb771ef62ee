//! Size limits that are checked before the parser runs, so that its work and its stack are bounded.

use super::cut::Piece;
use super::scan::{Scan, Token, TokenKind};
use super::words;
use grognard_base::{Code, Diagnostic, FileId, Source, Span};

/// Maximum size of a file in bytes.
pub const FILE_BYTES: usize = 1 << 20;
/// Maximum number of lines in a file.
pub const FILE_LINES: usize = 20_000;
/// Maximum length of a line in bytes, without its line end.
pub const LINE_BYTES: usize = 4096;
/// Maximum number of open brackets.
pub const OPEN_BRACKETS: usize = 64;
/// Maximum nesting of queries and loops.
pub const NESTED_QUERIES: usize = 64;
/// Maximum number of operators in an expression.
pub const OPERATORS: usize = 1024;
/// Maximum length of a name in bytes.
pub const NAME_BYTES: usize = 64;
/// Maximum length of a quoted text in bytes.
pub const TEXT_BYTES: usize = 1024;
/// Maximum number of digits in a number.
pub const DIGITS: usize = 18;

/// Returns the error that prevents reading the whole file, if there is one.
pub(super) fn whole_file(source: &Source) -> Option<Diagnostic> {
    let size = source.text.len();
    if size > FILE_BYTES {
        return Some(
            Diagnostic::general(
                Code::TooLarge,
                format!("{} is longer than {FILE_BYTES} bytes, the limit", source.name),
            )
            .help("split the file"),
        );
    }
    let lines = source.text.lines().count();
    if lines > FILE_LINES {
        return Some(
            Diagnostic::general(
                Code::TooLarge,
                format!("{} has {lines} lines; at most {FILE_LINES} are read", source.name),
            )
            .help("split the file"),
        );
    }
    None
}

/// Returns the error of the first line of `text[start..end]` that is too long or contains an invalid character.
pub(super) fn lines(file: FileId, text: &str, start: usize, end: usize) -> Option<Diagnostic> {
    // a piece can begin or end inside a line
    let start = text[..start].rfind('\n').map_or(0, |n| n + 1);
    let end = text[end..].find('\n').map_or(text.len(), |n| end + n);
    let mut at = start;
    for line in text[start..end].split('\n') {
        if line.trim_end_matches('\r').len() > LINE_BYTES {
            let span = Span::new(file, at, (at + 1).min(end));
            let message = format!("this line is {} bytes long; at most {LINE_BYTES} are read", line.len());
            return Some(Diagnostic::new(Code::TooLarge, span, message).help("break it after a comma or an operator"));
        }
        if let Some(n) = line.bytes().position(|b| (b < 32 && b != b'\t' && b != b'\r') || b == 127) {
            let code = line.as_bytes().get(n).copied().unwrap_or(0);
            let span = Span::new(file, at + n, at + n + 1);
            let message = format!("found an invisible control character (byte {code})");
            return Some(Diagnostic::new(Code::Syntax, span, message).help("remove it"));
        }
        at += line.len() + 1;
    }
    None
}

/// Counters for one level of brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    open: Option<Token>,
    /// Queries begun since the last separator, including those of outer brackets.
    queries: usize,
    operators: usize,
}

struct Check<'s> {
    file: FileId,
    text: &'s str,
    levels: Vec<Level>,
    last: Option<Token>,
    newline: bool,
}

/// Returns the first error of a piece: mismatched brackets, an unclosed quoted text, or an exceeded limit.
pub(super) fn piece(file: FileId, text: &str, piece: &Piece) -> Option<Diagnostic> {
    let mut check = Check { file, text, levels: vec![Level::default()], last: None, newline: false };
    for token in Scan::new(text, piece.start, piece.end) {
        match token.kind {
            TokenKind::Comment => {}
            TokenKind::Newline => check.newline = true,
            _ => {
                if let Some(found) = check.token(token) {
                    return Some(found);
                }
                check.last = Some(token);
                check.newline = false;
            }
        }
    }
    check.end(piece)
}

impl Check<'_> {
    fn at(&self, code: Code, token: Token, message: String) -> Diagnostic {
        Diagnostic::new(code, Span::new(self.file, token.start, token.end), message)
    }

    fn token(&mut self, token: Token) -> Option<Diagnostic> {
        let text = token.text(self.text);
        let inside_round = self.levels.last().and_then(|l| l.open).is_some_and(|o| o.text(self.text) != "{");
        if self.newline && !inside_round && !words::GO_ON.contains(&text) && text != "," {
            let open = self.last.is_some_and(|t| words::leaves_open(t.text(self.text)));
            if !open {
                self.separator();
            }
        }
        match token.kind {
            TokenKind::Text if token.end - token.start > TEXT_BYTES + 2 => {
                let message =
                    format!("this text is {} bytes long; at most {TEXT_BYTES} are read", token.end - token.start - 2);
                return Some(self.at(Code::TooLarge, token, message).help("titles and reasons are one sentence"));
            }
            TokenKind::OpenText => {
                let help = "write texts between two quotes on one line; a length is a number directly followed by the mark, as in 6\"";
                let message = "this text has no second quote on its line".to_string();
                return Some(self.at(Code::Unclosed, token, message).help(help));
            }
            TokenKind::Word => return self.word(token, text),
            TokenKind::Number => {
                let digits = text.bytes().filter(u8::is_ascii_digit).count();
                if digits > DIGITS {
                    return Some(self.at(Code::BadNumber, token, format!("this number has {digits} digits")));
                }
            }
            TokenKind::Open => return self.open(token),
            TokenKind::Close => return self.close(token, text),
            TokenKind::Sign => match text {
                ";" | "," | "|" | "||" | "=>" => self.separator(),
                "+" | "-" | "*" | "/" | "==" | "!=" | "<" | ">" | "<=" | ">=" => {
                    return self.operator(token);
                }
                _ => {}
            },
            _ => {}
        }
        None
    }

    fn word(&mut self, token: Token, text: &str) -> Option<Diagnostic> {
        if text.len() > NAME_BYTES {
            let message = format!("this name is {} bytes long; at most {NAME_BYTES} are read", text.len());
            return Some(self.at(Code::TooLarge, token, message).help("use a shorter name"));
        }
        match text {
            "any" | "no" | "all" | "count" | "every" | "sum" | "most" | "least" | "nearest" | "farthest" | "each"
            | "repeat" | "move" => {
                let level = self.levels.last_mut()?;
                level.queries += 1;
                if level.queries > NESTED_QUERIES {
                    let message = format!("more than {NESTED_QUERIES} queries or loops are nested here");
                    return Some(self.at(Code::TooDeep, token, message));
                }
                None
            }
            "and" | "or" | "otherwise" => self.operator(token),
            _ => None,
        }
    }

    fn separator(&mut self) {
        let outer = self.levels.len().checked_sub(2).and_then(|i| self.levels.get(i)).map_or(0, |l| l.queries);
        if let Some(level) = self.levels.last_mut() {
            level.queries = outer;
            level.operators = 0;
        }
    }

    fn operator(&mut self, token: Token) -> Option<Diagnostic> {
        let level = self.levels.last_mut()?;
        level.operators += 1;
        if level.operators > OPERATORS {
            let message = format!("more than {OPERATORS} operators are in one expression here");
            return Some(self.at(Code::TooLarge, token, message).help("name parts of it with `let`"));
        }
        None
    }

    fn open(&mut self, token: Token) -> Option<Diagnostic> {
        if self.levels.len() > OPEN_BRACKETS {
            let message = format!("more than {OPEN_BRACKETS} brackets are open here");
            return Some(self.at(Code::TooDeep, token, message));
        }
        let queries = self.levels.last().map_or(0, |l| l.queries);
        self.levels.push(Level { open: Some(token), queries, operators: 0 });
        None
    }

    fn close(&mut self, token: Token, text: &str) -> Option<Diagnostic> {
        let Some(open) = self.levels.last().and_then(|l| l.open) else {
            let message = format!("this `{text}` does not close anything");
            let help = match text {
                ")" => "remove it, or write the `(` that it closes: `test Hit(u: Unit)`",
                _ => "remove it, or open its block above",
            };
            return Some(self.at(Code::Unclosed, token, message).help(help));
        };
        let opened = open.text(self.text);
        if !matches!((opened, text), ("(", ")") | ("[", "]") | ("{", "}")) {
            let line = self.line_of(open.start);
            let message = format!("the `{opened}` of line {line} is not closed before this `{text}`");
            let span = Span::new(self.file, open.start, open.end);
            return Some(self.at(Code::Unclosed, token, message).and(span, "opened here"));
        }
        self.levels.pop();
        None
    }

    fn line_of(&self, at: usize) -> usize {
        self.text.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() + 1
    }

    fn end(&self, piece: &Piece) -> Option<Diagnostic> {
        let open = self.levels.last().and_then(|l| l.open)?;
        let line = self.line_of(open.start);
        let what = if open.text(self.text) == "{" { "block" } else { "bracket" };
        let message = format!("the {what} opened at line {line} is not closed");
        let end = Span::new(self.file, piece.end, piece.end);
        let found = self.at(Code::Unclosed, open, message).and(end, "the item ends here");
        // the block of a `change` is the only one in which the brackets of lines are not counted
        let change = self.text[..open.start].lines().next_back().is_some_and(|l| l.trim_start().starts_with("change "));
        let help = "put each line of a `change` and its `}` on a separate line";
        Some(if change { found.help(help) } else { found })
    }
}
