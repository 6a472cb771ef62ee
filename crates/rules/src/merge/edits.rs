//! Edits of the text of an item. All exceptions to an item are edits of the same text, so one can be inside a part that another
//! keeps.

use grognard_base::Span;
use grognard_syntax as syntax;
use grognard_syntax::tree::ChangeLine;

/// A part of the text that replaces a range.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// A byte range of the old text, and the edits inside it.
    Old(usize, usize, Vec<Edit>),
    /// A text, and the place that it belongs to.
    Text(String, Span),
    /// Parts of which each line has this condition.
    Limited(Vec<Part>, Vec<Part>),
}

/// A byte range of the old text, and what replaces it.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub start: usize,
    pub end: usize,
    parts: Vec<Part>,
}

impl Part {
    pub fn old(start: usize, end: usize) -> Part {
        Part::Old(start, end, Vec::new())
    }

    /// Returns a byte range of a new line.
    pub fn of(line: &ChangeLine, start: usize, end: usize) -> Part {
        let from = line.text.span;
        let own = Span { start: from.start + start as u32, end: from.start + end as u32, ..from };
        Part::Text(line.text.text[start..end].to_string(), own)
    }

    /// Returns the new lines, each on its own line.
    pub fn lines(lines: &[&ChangeLine]) -> Vec<Part> {
        let mut parts = Vec::new();
        for (n, line) in lines.iter().enumerate() {
            if n > 0 {
                // not in the first column, where only items begin
                parts.push(Part::Text("\n  ".into(), line.text.span));
            }
            parts.push(Part::of(line, 0, line.text.text.len()));
        }
        parts
    }
}

impl Edit {
    /// Creates an edit of the smallest range: text that it keeps at the start and at the end is not part of it.
    pub fn new(mut start: usize, mut end: usize, mut parts: Vec<Part>) -> Edit {
        parts.retain(|part| !matches!(part, Part::Old(from, to, _) if from == to));
        if let Some(Part::Old(from, to, _)) = parts.first()
            && *from == start
        {
            start = *to;
            parts.remove(0);
        }
        if let Some(Part::Old(from, to, _)) = parts.last()
            && *to == end
        {
            end = *from;
            parts.pop();
        }
        Edit { start, end, parts }
    }

    fn overlaps(&self, other: &Edit) -> bool {
        self.start < other.end && other.start < self.end
    }

    fn contains(&self, other: &Edit) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the edits inside the part that is kept and contains another edit.
    fn inside(&mut self, other: &Edit) -> Option<&mut Vec<Edit>> {
        inside(&mut self.parts, other)
    }
}

fn inside<'p>(parts: &'p mut [Part], other: &Edit) -> Option<&'p mut Vec<Edit>> {
    parts.iter_mut().find_map(|part| match part {
        Part::Old(from, to, edits) if *from <= other.start && other.end <= *to => Some(edits),
        Part::Limited(parts, ..) => inside(parts, other),
        _ => None,
    })
}

/// Adds an edit to others of the same text. Where two replace the same text, the earlier one has priority. Returns whether
/// this is possible: one of two edits that overlap must be inside a part that the other keeps.
pub(super) fn insert(edits: &mut Vec<Edit>, mut new: Edit) -> bool {
    if let Some(around) = edits.iter_mut().find(|edit| edit.overlaps(&new) && edit.contains(&new)) {
        return around.inside(&new).is_some_and(|inside| insert(inside, new));
    }
    let (within, apart): (Vec<Edit>, Vec<Edit>) = std::mem::take(edits).into_iter().partition(|e| e.overlaps(&new));
    *edits = apart;
    for edit in within {
        let fits = new.contains(&edit) && new.inside(&edit).is_some_and(|inside| insert(inside, edit));
        if !fits {
            return false;
        }
    }
    let at = edits.partition_point(|edit| (edit.start, edit.end) <= (new.start, new.end));
    edits.insert(at, new);
    true
}

/// Carries edits over to the text that `changes` make of their text. An edit of a part that a change replaces disappears with
/// it. Returns `None` if a change replaces only a part of what an edit replaces.
pub(super) fn carried(edits: Vec<Edit>, changes: &[Edit]) -> Option<Vec<Edit>> {
    let replaced = |edit: &Edit| {
        let empty = edit.start == edit.end;
        changes.iter().any(|c| c.start < c.end && c.contains(edit) && (!empty || c.overlaps(edit)))
    };
    edits.into_iter().filter(|edit| !replaced(edit)).map(|edit| moved(edit, changes)).collect()
}

fn moved(mut edit: Edit, changes: &[Edit]) -> Option<Edit> {
    let kept = changes.iter().all(|change| !edit.overlaps(change) || edit.inside(change).is_some());
    let offset = |change: &Edit| length(&change.parts) as isize - (change.end - change.start) as isize;
    let shift = |at: usize, counts: &dyn Fn(&Edit) -> bool| {
        let moved: isize = changes.iter().filter(|change| change.end <= at && counts(change)).map(offset).sum();
        (at as isize + moved) as usize
    };
    let start = |at: usize| shift(at, &|_| true);
    // text that is inserted at the end of a range comes after it
    let end = |at: usize| shift(at, &|change| change.start < at);
    let parts =
        moved_parts(edit.parts, &|from, to, edits| Some(Part::Old(start(from), end(to), carried(edits, changes)?)));
    let (from, to) =
        if edit.start == edit.end { (start(edit.start), start(edit.end)) } else { (start(edit.start), end(edit.end)) };
    kept.then_some(Edit { start: from, end: to, parts: parts? })
}

/// Returns parts with the old text that `old` returns.
fn moved_parts(parts: Vec<Part>, old: &dyn Fn(usize, usize, Vec<Edit>) -> Option<Part>) -> Option<Vec<Part>> {
    let one = |part: Part| match part {
        Part::Old(from, to, edits) => old(from, to, edits),
        Part::Limited(parts, condition) => Some(Part::Limited(moved_parts(parts, old)?, condition)),
        text => Some(text),
    };
    parts.into_iter().map(one).collect()
}

/// Returns the number of bytes of the parts of a plain change.
fn length(parts: &[Part]) -> usize {
    let one = |part: &Part| match part {
        Part::Old(from, to, _) => to - from,
        Part::Text(text, _) => text.len(),
        // only exceptions have conditions
        Part::Limited(..) => 0,
    };
    parts.iter().map(one).sum()
}

/// A new text whose pieces are mapped to the spans where they were written.
type Mapped = (String, Vec<(u32, Span)>);

/// Builds the new text. `span` is that of the old text.
pub(super) fn put_together(text: &str, span: Span, edits: &[Edit]) -> Mapped {
    let mut new = NewText { text, span, out: String::new(), pieces: Vec::new() };
    new.old(0, text.len(), edits);
    (new.out, new.pieces)
}

struct NewText<'t> {
    text: &'t str,
    span: Span,
    out: String,
    pieces: Vec<(u32, Span)>,
}

impl NewText<'_> {
    fn old(&mut self, start: usize, end: usize, edits: &[Edit]) {
        let mut at = start;
        for edit in edits {
            self.kept(at, edit.start);
            self.parts(&edit.parts);
            at = edit.end;
        }
        self.kept(at, end);
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Old(from, to, edits) => self.old(*from, *to, edits),
                Part::Text(words, from) => self.put(words, *from),
                Part::Limited(parts, condition) => {
                    let mut inner = NewText { out: String::new(), pieces: Vec::new(), ..*self };
                    inner.parts(parts);
                    self.limited(&(inner.out, inner.pieces), condition);
                }
            }
        }
    }

    /// Adds a text with a condition on each line, next to one that the line has.
    fn limited(&mut self, text: &Mapped, condition: &[Part]) {
        let from = condition.iter().find_map(|part| if let Part::Text(_, at) = part { Some(*at) } else { None });
        let from = from.unwrap_or(self.span);
        let mut at = 0;
        for (start, end) in lines(&text.0) {
            let line = &text.0[start..end];
            let word = |word: &str| {
                let mut tokens = syntax::tokens(line).zip(depths(line));
                tokens.find(|(token, (_, depth))| token.0 == word && *depth == 0).map(|(token, _)| start + token.1)
            };
            let behind = word("cite").unwrap_or(end);
            match word("when") {
                Some(when) => {
                    let when = when + "when".len();
                    self.part_of(text, at, when);
                    self.put(" ", from);
                    self.parts(condition);
                    self.put(" and (", from);
                    self.part_of(text, when, behind);
                    self.put(") ", from);
                }
                None => {
                    self.part_of(text, at, behind);
                    self.put(" when ", from);
                    self.parts(condition);
                    self.put(" ", from);
                }
            }
            self.part_of(text, behind, end);
            at = end;
        }
        self.part_of(text, at, text.0.len());
    }

    /// Adds a part of a text with its pieces.
    fn part_of(&mut self, (text, pieces): &Mapped, start: usize, end: usize) {
        for (n, (at, from)) in pieces.iter().enumerate() {
            let (at, to) = (*at as usize, pieces.get(n + 1).map_or(text.len(), |next| next.0 as usize));
            let (first, last) = (at.max(start), to.min(end));
            if first < last {
                let place = |offset: usize| (from.start + (offset - at) as u32).min(from.end);
                self.put(&text[first..last], Span { start: place(first), end: place(last), ..*from });
            }
        }
    }

    fn kept(&mut self, start: usize, end: usize) {
        let from = self.span;
        let own = Span { start: from.start + start as u32, end: from.start + end as u32, ..from };
        self.put(&self.text[start..end], own);
    }

    fn put(&mut self, words: &str, from: Span) {
        self.pieces.push((self.out.len() as u32, from));
        self.out += words;
    }
}

/// Returns the byte ranges of the lines of a text outside brackets. `;` also ends a line.
pub(super) fn lines(text: &str) -> Vec<(usize, usize)> {
    let (mut found, mut depth): (Vec<(usize, usize)>, i32) = (Vec::new(), 0);
    let mut fresh = true;
    for token in syntax::scan(text).filter(|token| token.kind != syntax::Lexeme::Comment) {
        let word = token.text(text);
        depth += i32::from(matches!(word, "(" | "[" | "{")) - i32::from(matches!(word, ")" | "]" | "}"));
        let ends = depth == 0 && (token.kind == syntax::Lexeme::Newline || word == ";");
        match found.last_mut() {
            _ if ends => {}
            Some(last) if !fresh => last.1 = token.end,
            _ => found.push((token.start, token.end)),
        }
        fresh = ends;
    }
    found
}

/// Returns the tokens of a text with the number of brackets around each.
pub(super) fn depths(text: &str) -> impl Iterator<Item = (&str, i32)> {
    syntax::tokens(text).scan(0, |depth, (token, ..)| {
        let closes = matches!(token, ")" | "]" | "}");
        *depth -= i32::from(closes);
        let here = *depth;
        *depth += i32::from(matches!(token, "(" | "[" | "{"));
        Some((token, here))
    })
}
