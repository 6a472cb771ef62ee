//! Splits a text into its items before it is parsed, so that one error does not hide another.

use super::scan::{Scan, Token, TokenKind};
use super::words;
use grognard_base::{FileId, Span};

/// An item with its cite line, or other text at the top level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub start: usize,
    pub end: usize,
    /// Whether the piece is a cite without an item directly below.
    pub stray_cite: bool,
    /// Whether a bracket is still open at the end.
    pub unclosed: bool,
    /// Whether an item keyword is in column 0 inside brackets. The enclosing block may be unclosed.
    pub suspect: bool,
}

/// How to treat an item keyword in column 0 while a bracket is open.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// It is part of the block.
    Trusting,
    /// It begins a new item.
    Strict,
}

/// Returns the pieces of `text[start..end]`, in order. Appends the spans of comments to `comments` if it is given.
pub(super) fn cut(
    text: &str,
    range: (usize, usize),
    mode: Mode,
    mut comments: Option<(FileId, &mut Vec<Span>)>,
) -> Vec<Piece> {
    let mut cutter = Cutter {
        text,
        mode,
        pieces: Vec::new(),
        now: None,
        depth: 0,
        newlines: 1,
        fresh_line: false,
        blank: false,
        last: None,
        flat: false,
    };
    for token in Scan::new(text, range.0, range.1) {
        match token.kind {
            TokenKind::Newline => cutter.newlines += 1,
            TokenKind::Comment => {
                let own_line = cutter.newlines > 0 || cutter.fresh_line;
                if let Some((file, list)) = &mut comments {
                    let written = token.text(text).trim_end();
                    list.push(Span::new(*file, token.start, token.start + written.len()));
                }
                cutter.blank |= cutter.newlines > 1;
                cutter.newlines = 0;
                cutter.fresh_line |= own_line;
            }
            _ => cutter.token(token),
        }
    }
    cutter.close();
    cutter.pieces
}

struct Cutter<'s> {
    text: &'s str,
    mode: Mode,
    pieces: Vec<Piece>,
    now: Option<Piece>,
    depth: usize,
    /// Line ends since the last token or comment.
    newlines: usize,
    /// Whether comment lines come between the last token and the current position.
    fresh_line: bool,
    /// Whether a blank line comes between the last token and the current position.
    blank: bool,
    last: Option<Token>,
    /// Whether a line inside brackets begins in column 0 without an item keyword. The author then does not indent.
    flat: bool,
}

impl Cutter<'_> {
    fn token(&mut self, token: Token) {
        let text = token.text(self.text);
        let new_line = self.newlines > 0 || self.last.is_none();
        self.blank |= self.newlines > 1;
        let after_semicolon = self.depth == 0 && self.last.is_some_and(|t| t.text(self.text) == ";");
        if new_line || after_semicolon {
            self.line_start(token, text, new_line);
        }
        if self.now.is_none() && text != ";" {
            self.open_piece(token);
        }
        match token.kind {
            TokenKind::Open => self.depth += 1,
            TokenKind::Close => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if let Some(piece) = &mut self.now
            && !(text == ";" && self.depth == 0)
        {
            piece.end = token.end;
        }
        if token.kind == TokenKind::Prose && self.depth == 0 {
            self.close();
        }
        self.last = Some(token);
        self.newlines = 0;
        self.fresh_line = false;
        self.blank = false;
    }

    fn line_start(&mut self, token: Token, text: &str, new_line: bool) {
        let column0 = token.start == 0 || matches!(self.text.as_bytes().get(token.start - 1), Some(b'\n' | 0xbf));
        // `action = Go` and `die(pool, 1)` continue the text above: an item keyword has a name after it
        let named = !self.text[token.end..].trim_start_matches([' ', '\t']).starts_with(['=', '(', '.', ',', ')']);
        let item =
            token.kind == TokenKind::Prose || token.kind == TokenKind::Word && named && words::ITEMS.contains(&text);
        if self.depth > 0 {
            if column0 && new_line && item {
                if self.mode == Mode::Strict {
                    self.close();
                    self.open_piece(token);
                } else if let Some(piece) = &mut self.now {
                    piece.suspect = !self.flat;
                }
            } else if column0 && token.kind == TokenKind::Word {
                self.flat = true;
            }
            return;
        }
        let goes_on = self.last.is_some_and(|t| words::leaves_open(t.text(self.text)));
        let cite = self.now.as_ref().is_some_and(|p| self.is_cite(p));
        if cite && new_line && !goes_on {
            // the line below a cite belongs to it, unless it is another cite or a blank line comes before it
            if self.blank || text == "cite" || token.kind == TokenKind::Prose {
                if let Some(piece) = &mut self.now {
                    piece.stray_cite = true;
                }
                self.close();
                self.open_piece(token);
            }
            return;
        }
        let foreign = token.kind == TokenKind::Word && column0 && !goes_on && !words::GO_ON.contains(&text);
        let extra = token.kind == TokenKind::Close;
        if item && (column0 || !goes_on) || foreign || extra {
            self.close();
            self.open_piece(token);
        }
    }

    /// Returns whether the piece consists only of a cite so far.
    fn is_cite(&self, piece: &Piece) -> bool {
        let mut scan = Scan::new(self.text, piece.start, piece.end);
        if scan.next().is_none_or(|t| t.text(self.text) != "cite") {
            return false;
        }
        let mut after_comma = true;
        for token in scan {
            match token.kind {
                TokenKind::Newline if !after_comma => return false,
                TokenKind::Newline | TokenKind::Comment => {}
                _ => after_comma = token.text(self.text) == ",",
            }
        }
        true
    }

    fn open_piece(&mut self, token: Token) {
        self.depth = 0;
        self.flat = false;
        self.now =
            Some(Piece { start: token.start, end: token.end, stray_cite: false, unclosed: false, suspect: false });
    }

    fn close(&mut self) {
        if let Some(mut piece) = self.now.take() {
            piece.unclosed = self.depth > 0;
            piece.stray_cite |= self.is_cite(&piece);
            self.pieces.push(piece);
        }
        self.depth = 0;
    }
}
