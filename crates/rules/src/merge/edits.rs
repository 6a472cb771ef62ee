//! Edits of the text of an item. All exceptions to an item are edits of the same text, so one can be inside a part that another
//! keeps.

use grognard_base::Span;
use grognard_syntax::tree::ChangeLine;

/// A part of the text that replaces a range.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// A byte range of the old text, and the edits inside it.
    Old(usize, usize, Vec<Edit>),
    /// A text, and the place that it belongs to.
    Text(String, Span),
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
        self.parts.iter_mut().find_map(|part| match part {
            Part::Old(from, to, edits) if *from <= other.start && other.end <= *to => Some(edits),
            _ => None,
        })
    }
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
    // text that is inserted at the end of a range is behind it
    let end = |at: usize| shift(at, &|change| change.start < at);
    let parts = edit.parts.into_iter().map(|part| match part {
        Part::Old(from, to, edits) => Some(Part::Old(start(from), end(to), carried(edits, changes)?)),
        text => Some(text),
    });
    let parts: Option<Vec<Part>> = parts.collect();
    let (from, to) =
        if edit.start == edit.end { (start(edit.start), start(edit.end)) } else { (start(edit.start), end(edit.end)) };
    kept.then_some(Edit { start: from, end: to, parts: parts? })
}

/// Returns the number of bytes of parts without edits inside them.
fn length(parts: &[Part]) -> usize {
    let one = |part: &Part| match part {
        Part::Old(from, to, _) => to - from,
        Part::Text(text, _) => text.len(),
    };
    parts.iter().map(one).sum()
}

/// Builds the new text, and maps each of its pieces to the span where it was written. `span` is that of the text.
pub(super) fn put_together(text: &str, span: Span, edits: &[Edit]) -> (String, Vec<(u32, Span)>) {
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
            for part in &edit.parts {
                match part {
                    Part::Old(from, to, edits) => self.old(*from, *to, edits),
                    Part::Text(words, from) => self.put(words.as_str(), *from),
                }
            }
            at = edit.end;
        }
        self.kept(at, end);
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
