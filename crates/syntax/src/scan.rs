//! The tokenizer. It distinguishes brackets, quoted texts, comments and words without parsing.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name, a keyword, or a die such as `3d6`.
    Word,
    /// Digits with their unit.
    Number,
    /// A quoted text.
    Text,
    /// A quoted text without its closing quote. It ends with its line.
    OpenText,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// The end of a line.
    Newline,
    /// From `#` to the end of the line.
    Comment,
    /// A paragraph of the book: a line that begins with the id of a clause, and the indented lines below it.
    Prose,
    /// An operator or another character.
    Sign,
}

/// A token with its byte range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset after its last byte.
    pub end: usize,
}

impl Token {
    /// Returns the text of the token.
    pub fn text<'s>(&self, source: &'s str) -> &'s str {
        source.get(self.start..self.end).unwrap_or("")
    }
}

/// An iterator over the tokens of `text` from `at` to `end`.
#[derive(Clone)]
pub struct Scan<'s> {
    text: &'s str,
    at: usize,
    end: usize,
    /// Whether no token of the current line was read yet.
    fresh: bool,
    inside: Quoting,
}

/// Position in a `change`. Its lines are parts of another item, so their brackets can be unbalanced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoting {
    Item,
    ChangeHead,
    Change,
}

const DOUBLE: [&[u8]; 12] = [b"==", b"!=", b"<=", b">=", b"=>", b"->", b"+=", b"-=", b"*=", b"..", b"||", b"&&"];

impl<'s> Scan<'s> {
    pub(super) fn new(text: &'s str, at: usize, end: usize) -> Self {
        let end = end.min(text.len());
        // skip a byte order mark at the start of a file
        let at = if at == 0 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { at };
        Scan { text, at, end, fresh: true, inside: Quoting::Item }
    }

    fn run(&self, mut at: usize, fits: impl Fn(u8) -> bool) -> usize {
        let bytes = self.text.as_bytes();
        while at < self.end && fits(bytes[at]) {
            at += 1;
        }
        at
    }

    /// Returns the kind of a token in its context. Brackets in the lines of a `change` are ordinary signs.
    fn bracket(&mut self, kind: TokenKind, text: &str) -> TokenKind {
        match (self.inside, kind, text) {
            (Quoting::Item, TokenKind::Word, "change") if self.fresh => self.inside = Quoting::ChangeHead,
            (Quoting::ChangeHead, TokenKind::Open, "{") => self.inside = Quoting::Change,
            (Quoting::ChangeHead, TokenKind::Newline, _) => self.inside = Quoting::Item,
            (Quoting::Change, TokenKind::Close, "}") if self.fresh => self.inside = Quoting::Item,
            (Quoting::Change, TokenKind::Open | TokenKind::Close, _) => return TokenKind::Sign,
            _ => {}
        }
        kind
    }

    /// Returns the end of the paragraph that begins here, if one does: in the first column, with the id of a clause and a
    /// sentence.
    fn prose(&self, start: usize) -> Option<usize> {
        let bytes = &self.text.as_bytes()[..self.end];
        let first = start == 0 || matches!(bytes[start - 1], b'\n' | 0xbf);
        if !first || self.inside != Quoting::Item || !bytes[start].is_ascii_uppercase() {
            return None;
        }
        let book = self.run(start, |b| b.is_ascii_uppercase() || b.is_ascii_digit());
        if bytes.get(book) != Some(&b'-') {
            return None;
        }
        let letter = book + 1 + usize::from(bytes.get(book + 1).is_some_and(u8::is_ascii_uppercase));
        let id = self.run(letter, |b| b.is_ascii_digit());
        let says = self.run(id, is_blank);
        if id == letter || says == id || matches!(bytes.get(says), None | Some(b'\n' | b',' | b'#')) {
            return None;
        }
        let mut end = self.run(says, |b| b != b'\n');
        loop {
            let text = self.run(end + 1, is_blank);
            if text <= end + 1 || matches!(bytes.get(text), None | Some(b'\n')) {
                break;
            }
            end = self.run(text, |b| b != b'\n');
        }
        Some(start + self.text[start..end].trim_end().len())
    }

    fn number(&self, start: usize) -> (TokenKind, usize) {
        let bytes = &self.text.as_bytes()[..self.end];
        let mut end = self.run(start, |b| b.is_ascii_digit());
        if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
            end = self.run(end + 1, |b| b.is_ascii_digit());
        }
        let all = self.run(end, is_name);
        if all > end {
            return (TokenKind::Word, all);
        }
        let rest = &bytes[end..];
        let unit = if rest.starts_with("°".as_bytes()) {
            "°".len()
        } else {
            usize::from(matches!(rest.first(), Some(b'"' | b'%')))
        };
        (TokenKind::Number, end + unit)
    }

    /// Returns the end of a word. `stand-in` is one word.
    fn word(&self, start: usize) -> usize {
        let end = self.run(start, is_name);
        let joined = end + "-in".len();
        let whole =
            self.text.get(start..joined.min(self.end)) == Some("stand-in") && self.run(joined, is_name) == joined;
        if whole { joined } else { end }
    }
}

fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\r')
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

impl Iterator for Scan<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = self.run(self.at, is_blank);
        if start >= self.end {
            return None;
        }
        let bytes = &self.text.as_bytes()[..self.end];
        let first = bytes[start];
        let (kind, end) = match first {
            b'\n' => (TokenKind::Newline, start + 1),
            b'#' => (TokenKind::Comment, self.run(start, |b| b != b'\n')),
            b'"' => {
                let end = self.run(start + 1, |b| b != b'"' && b != b'\n');
                if bytes.get(end) == Some(&b'"') { (TokenKind::Text, end + 1) } else { (TokenKind::OpenText, end) }
            }
            b'(' | b'[' | b'{' => (TokenKind::Open, start + 1),
            b')' | b']' | b'}' => (TokenKind::Close, start + 1),
            b'0'..=b'9' => self.number(start),
            b if is_name(b) => match self.prose(start) {
                Some(end) => (TokenKind::Prose, end),
                None => (TokenKind::Word, self.word(start)),
            },
            b if b < 128 => {
                let double = bytes.get(start..start + 2).is_some_and(|two| DOUBLE.contains(&two));
                (TokenKind::Sign, start + if double { 2 } else { 1 })
            }
            _ => (TokenKind::Sign, start + self.text[start..].chars().next().map_or(1, char::len_utf8)),
        };
        self.at = end;
        let kind = self.bracket(kind, &self.text[start..end]);
        self.fresh = kind == TokenKind::Newline;
        Some(Token { kind, start, end })
    }
}

/// Returns the tokens of a text without line ends, semicolons and comments, each with its start and end offset in
/// bytes.
pub fn tokens(text: &str) -> impl Iterator<Item = (&str, usize, usize)> {
    let tokens = Scan::new(text, 0, text.len()).filter(|t| !matches!(t.kind, TokenKind::Newline | TokenKind::Comment));
    tokens.map(|t| (t.text(text), t.start, t.end)).filter(|t| t.0 != ";")
}

/// Returns all tokens of a text, including line ends and comments.
pub fn scan(text: &str) -> Scan<'_> {
    Scan::new(text, 0, text.len())
}
