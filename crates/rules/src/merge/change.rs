//! Applies `change rule X { ... }`: a patch to the text of an item below. The patch has no line numbers; its lines are
//! found by their text. Parts that it does not name stay unchanged, including their clauses and positions.

use super::head::{self, Space};
use super::under::Under;
use super::{Merger, Place};
use grognard_base::{Code, Diagnostic, FileId, Source, Span, did_you_mean};
use grognard_syntax as syntax;
use grognard_syntax::tree::{self, Change, ChangeLine, ChangeSort, Item, ItemKind};
use std::sync::Arc;

/// Maximum number of texts in a run. Each change adds one.
const TEXTS: usize = 4096;

/// An edit of a text: the byte range to replace, and the new lines.
pub(super) struct Splice<'c> {
    pub start: usize,
    pub end: usize,
    /// Whether a line break goes before and after the new lines.
    apart: (bool, bool),
    pub lines: Vec<&'c ChangeLine>,
}

/// A part of the text that replaces a range.
#[derive(Clone)]
pub(super) enum Part<'c> {
    /// A byte range of the old text.
    Old(usize, usize),
    /// A byte range of a new line.
    New(&'c ChangeLine, usize, usize),
    /// Text that belongs to a place of the change.
    Glue(String, Span),
}

impl<'c> Part<'c> {
    /// Returns the new lines, each on its own line.
    pub fn lines(lines: &[&'c ChangeLine]) -> Vec<Part<'c>> {
        let mut parts = Vec::new();
        for (n, line) in lines.iter().enumerate() {
            if n > 0 {
                // not in the first column, where only items begin
                parts.push(Part::Glue("\n  ".into(), line.text.span));
            }
            parts.push(Part::New(line, 0, line.text.text.len()));
        }
        parts
    }
}

/// A range of the old text, and what replaces it.
type Edit<'c> = (usize, usize, Vec<Part<'c>>);

/// Tokens of a text without its layout, each with its start and end offset in bytes.
type Tokens<'s> = Vec<(&'s str, usize, usize)>;

impl Merger<'_> {
    /// Applies a change to an item below and replaces the item by the result.
    pub(super) fn change(&mut self, new: &Item, change: &Change) {
        let full =
            change.of.as_ref().map_or(change.name.text.clone(), |of| format!("{}.{}", of.text, change.name.text));
        let space = space(change);
        // an exception can be in the file of its item
        let beside = self.names.get(&(space, full.clone())).copied().filter(|_| change.under.is_some());
        let below = || self.find_below(space, &full, &change.what.text, change.name.span);
        let Some(place) = beside.or_else(below) else { return };
        self.below.push((change.name.span, place.span));
        self.change_at(place, full.clone(), new, change);
        // the item keeps the depth of the file below, so that another change can apply to it
        self.names.entry((space, full)).and_modify(|now| now.depth = place.depth);
    }

    fn change_at(&mut self, place: Place, full: String, new: &Item, change: &Change) {
        let (word, name) = (change.what.text.as_str(), &change.name);
        let Some(old) = self.item(place) else { return };
        let member = place.member.and_then(|at| head::members(&old.kind)?.get(at).cloned());
        let (cites, cited, span, known) = match &member {
            Some(member) => (member.cites.clone(), member.cited.clone(), member.span, "let"),
            None => (old.cites.clone(), old.cited.clone(), old.span, head::word(&old.kind)),
        };
        if known != word {
            let message = format!(
                "`{full}` is {} {known} in the rules below, not {} {word}",
                super::article(known),
                super::article(word)
            );
            return self.say_change(Code::Signature, name.span, message, place);
        }
        if self.patched.contains(&place.item) {
            let message = format!("single cells of `{full}` were changed before; change its other cells the same way");
            return self.say_change(Code::NoOverride, name.span, message, place);
        }
        if self.sources.iter().count() >= TEXTS {
            let message = format!("more than {TEXTS} texts and changes of them in one run");
            return self.say_change(Code::TooLarge, name.span, message, place);
        }
        let text = self.sources.slice(span).to_string();
        let spliced = match splices(&text, change) {
            Ok(splices) => splices,
            Err((at, message, help)) => {
                let found = Diagnostic::new(Code::NoOverride, at, message).and(place.span, "the item").help(help);
                return self.problems.push(found);
            }
        };
        let edits = match &change.under {
            None => spliced.iter().map(Splice::edit).collect(),
            Some((reading, answer)) => match conditional(&text, &spliced, &Under::new(reading, answer)) {
                Ok(edits) => edits,
                Err(at) => {
                    let message = "this part cannot depend on a reading";
                    let help = "change whole statements, or a whole value or condition";
                    let found = Diagnostic::new(Code::NoOverride, at.unwrap_or(name.span), message);
                    return self.problems.push(found.and(place.span, "the item").help(help));
                }
            },
        };
        let (text, pieces) = put_together(&text, span, &edits);
        let file = self.add_text(&full, word, name.span, text, pieces);
        let Some(source) = self.sources.get(file) else { return };
        let mut item = match syntax::parse_item(file, source) {
            Ok(item) => item,
            Err(mut found) => {
                found.iter_mut().for_each(|one| as_changed(one, source, change));
                return self.problems.extend(found);
            }
        };
        // keep the clauses above the old item and above the change; those after data are in its text
        let above = |cite: &&tree::ClauseRef| cite.span.file != span.file || cite.span.start < span.start;
        let mut kept: Vec<tree::ClauseRef> = cites.iter().filter(above).cloned().collect();
        let mut all: Vec<tree::ClauseRef> = cited.iter().filter(above).cloned().collect();
        // an exception below the paragraph of its item has the same clauses
        for (all, more) in [(&mut kept, &new.cites), (&mut all, &new.cited)] {
            all.extend(more.iter().filter(|cite| cites.iter().all(|old| old.text != cite.text)).cloned());
        }
        item.cited.extend(all);
        item.cites.splice(0..0, kept);
        if let (ItemKind::Let(new), Some(_)) = (&mut item.kind, &member) {
            new.of.clone_from(&change.of);
        }
        if head::Head::of(&item.kind).is_none_or(|head| head.full_name() != full) {
            let message = format!("the name of `{full}` cannot change: other rules use it");
            self.say_change(Code::Signature, name.span, message, place);
        } else if member.is_some() {
            self.replace_member(place, Arc::new(item));
        } else {
            self.keep_head(place, &mut item, false);
            self.put(place, Arc::new(item));
        }
    }

    fn say_change(&mut self, code: Code, at: Span, message: String, place: Place) {
        self.problems.push(Diagnostic::new(code, at, message).and(place.span, "declared here"));
    }

    /// Adds a merged text to the sources. An identical text keeps its id.
    fn add_text(&mut self, full: &str, word: &str, at: Span, text: String, pieces: Vec<(u32, Span)>) -> FileId {
        let of = self.sources.get(at.file).map_or("", |s| s.name.as_str());
        let source = Source::new(format!("{of}, {word} {full}"), text).made_of(at, pieces);
        let known = self.sources.iter().find(|(_, s)| **s == source).map(|(id, _)| id);
        known.unwrap_or_else(|| self.sources.add(source))
    }
}

/// Returns the namespace of the changed item.
fn space(change: &Change) -> Space {
    match change.what.text.as_str() {
        "let" if change.of.is_some() => Space::Field,
        "param" | "let" | "table" | "proc" => Space::Value,
        "die" | "test" => Space::Type,
        "phase" => Space::Phase,
        "action" => Space::Action,
        "rule" => Space::Rule,
        "law" => Space::Law,
        "policy" => Space::Policy,
        _ => Space::Trait,
    }
}

/// An error in a line of a change: span, message and help.
type Wrong = (Span, String, String);

/// Finds the lines of a change in the text of an item.
fn splices<'c>(text: &str, change: &'c Change) -> Result<Vec<Splice<'c>>, Wrong> {
    let tokens: Tokens<'_> = syntax::tokens(text).collect();
    let Some(last) = change.lines.last() else {
        let help = "write the lines to remove after `-` and the lines to add after `+`".to_string();
        return Err((change.name.span, "this change is empty".into(), help));
    };
    let signs = ["+", "-"];
    let nothing = |line: &ChangeLine| line.sort == ChangeSort::Stays && !signs.contains(&line.text.text.as_str());
    if change.lines.iter().all(nothing) {
        let help = "put `-` before a line to remove and `+` before a line to add".to_string();
        return Err((last.text.span, "this change removes and adds no lines".into(), help));
    }
    let places = find(&tokens, text, change)?;
    let mut splices: Vec<Splice<'c>> = Vec::new();
    // the added lines since the last line that was found, and the position of that line
    let (mut coming, mut before): (Vec<&ChangeLine>, Option<(usize, usize, ChangeSort)>) = (Vec::new(), None);
    let mut places = places.into_iter();
    for line in &change.lines {
        if line.sort == ChangeSort::Comes {
            coming.push(line);
            continue;
        }
        let Some((start, end)) = places.next() else { break };
        match before {
            Some(at) => place_behind(&mut splices, at, std::mem::take(&mut coming)),
            None if !coming.is_empty() => {
                let lines = std::mem::take(&mut coming);
                splices.push(Splice { start, end: start, apart: (false, true), lines });
            }
            None => {}
        }
        if line.sort == ChangeSort::Goes {
            splices.push(Splice { start, end, apart: (false, false), lines: Vec::new() });
        }
        before = Some((start, end, line.sort));
    }
    match (before, tokens.last()) {
        (Some(at), _) => place_behind(&mut splices, at, coming),
        (None, Some(("}", start, _))) => {
            splices.push(Splice { start: *start, end: *start, apart: (true, true), lines: coming });
        }
        (None, _) => {
            let help = "above it, write the part that it replaces, after `-`".to_string();
            return Err((last.text.span, "there is no block to add this line to".into(), help));
        }
    }
    Ok(joined(splices, text))
}

/// Merges adjacent removed lines into one splice, including the line breaks between them. The new lines go to the
/// position of the first removed line. A `{` after the last one stays on the line of its head.
fn joined<'c>(splices: Vec<Splice<'c>>, text: &str) -> Vec<Splice<'c>> {
    let mut all: Vec<Splice<'c>> = Vec::new();
    for splice in splices {
        let goes = |one: &Splice<'_>| one.start < one.end;
        let blank = |from: usize, to: usize| text.get(from..to).is_some_and(|part| part.trim().is_empty());
        let line = |at: usize| text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        match all.last_mut() {
            Some(last)
                if goes(last)
                    && goes(&splice)
                    && blank(last.end, splice.start)
                    && (last.lines.is_empty() || splice.lines.is_empty())
                    && (blank(line(last.start), last.start)
                        || splice.lines.is_empty()
                            && text
                                .get(splice.end..)
                                .is_some_and(|rest| rest.trim_start_matches(' ').starts_with('{'))) =>
            {
                last.end = splice.end;
                last.lines.extend(splice.lines);
            }
            _ => all.push(splice),
        }
    }
    all
}

/// Adds the changed line to the help of a diagnostic in a merged text, because the diagnostic shows the old text.
fn as_changed(found: &mut Diagnostic, source: &Source, change: &Change) {
    let Some(span) = found.span else { return };
    let (start, _) = source.within(span);
    let from = source.text[..start].rfind('\n').map_or(0, |end| end + 1);
    let line = source.text[from..].lines().next().unwrap_or_default().trim();
    if !line.is_empty() {
        // a removed line directly above an unmarked line, which may also be meant to be removed
        let half =
            change.lines.windows(2).any(|two| two[0].sort == ChangeSort::Goes && two[1].sort == ChangeSort::Stays);
        let help = if half { "put a `-` before every line to remove" } else { found.help.as_str() };
        found.help = format!("{help}; with the change this line reads `{line}`");
    }
}

/// Inserts new lines after a line that was found: in its place if it is removed, else below it.
fn place_behind<'c>(
    splices: &mut Vec<Splice<'c>>,
    (_, end, sort): (usize, usize, ChangeSort),
    lines: Vec<&'c ChangeLine>,
) {
    if lines.is_empty() {
        return;
    }
    match splices.last_mut() {
        Some(gone) if sort == ChangeSort::Goes => gone.lines = lines,
        _ => splices.push(Splice { start: end, end, apart: (true, false), lines }),
    }
}

/// Finds the byte range of each old line. If the sequence of all old lines occurs exactly once, it is that occurrence.
/// Otherwise each line must be below the previous one.
fn find(tokens: &Tokens<'_>, text: &str, change: &Change) -> Result<Vec<(usize, usize)>, Wrong> {
    let was: Vec<&ChangeLine> = change.lines.iter().filter(|line| line.sort != ChangeSort::Comes).collect();
    let words: Vec<Vec<&str>> = was.iter().map(|l| syntax::tokens(&l.text.text).map(|t| t.0).collect()).collect();
    let places_of = |wanted: &[&str], from: usize| -> Vec<usize> {
        let fits = |at: &usize| tokens[*at..].iter().zip(wanted).filter(|(token, word)| token.0 == **word).count();
        (from..tokens.len()).filter(|at| fits(at) == wanted.len()).collect()
    };
    let whole: Vec<&str> = words.iter().flatten().copied().collect();
    let together = places_of(&whole, 0);
    let mut next = match together.as_slice() {
        [once] => *once,
        _ => 0,
    };
    let mut places = Vec::new();
    for (n, (line, wanted)) in was.iter().zip(&words).enumerate() {
        let all = places_of(wanted, next);
        // directly below the previous line, or the only occurrence
        let at = match all.as_slice() {
            [first, ..] if *first == next && (n > 0 || together.len() == 1) => *first,
            [only] => *only,
            _ if wanted.is_empty() || matches!(wanted.as_slice(), ["+" | "-"]) => {
                let help = "write the part of the item to change".to_string();
                return Err((line.text.span, "this line of the change is empty".into(), help));
            }
            [] => {
                let lines: Vec<&str> = text.lines().map(str::trim).collect();
                let above = n > 0 && !places_of(wanted, 0).is_empty();
                let near = match wanted.len() {
                    0..3 => String::new(),
                    _ if above => String::new(),
                    _ => did_you_mean(&line.text.text, lines.iter().copied()),
                };
                let (below, help) = if above {
                    (
                        " below the line before it",
                        "write the lines in the order of the book, or write a separate \
                                                   change for each",
                    )
                } else {
                    ("", "copy it exactly from the book, with the changes above this one; blanks do not matter")
                };
                let message = format!("`{}` is not in `{}`{below}{near}", line.text.text, change.name.text);
                return Err((line.text.span, message, help.into()));
            }
            many => {
                let message = format!("`{}` occurs {} times in `{}`", line.text.text, many.len(), change.name.text);
                return Err((line.text.span, message, "also write the line above it, without a sign".into()));
            }
        };
        next = at + wanted.len();
        places.push((tokens[at].1, tokens[next - 1].2));
    }
    Ok(places)
}

impl<'c> Splice<'c> {
    /// Returns the edit that puts the new lines in the place of the range.
    fn edit(&self) -> Edit<'c> {
        self.around(Part::lines(&self.lines))
    }

    /// Returns the edit that replaces the range by this text, with line breaks around it if necessary.
    fn around(&self, parts: Vec<Part<'c>>) -> Edit<'c> {
        let at = self.lines.first().map_or(Span::default(), |line| line.text.span);
        let apart = |wanted: bool| wanted.then(|| Part::Glue("\n  ".into(), at));
        let parts = apart(self.apart.0).into_iter().chain(parts).chain(apart(self.apart.1));
        (self.start, self.end, parts.collect())
    }
}

/// Returns the edits under a reading: for each splice the first form with which the item still parses. Fails with the
/// place of a splice that has none.
fn conditional<'c>(text: &str, splices: &[Splice<'c>], under: &Under) -> Result<Vec<Edit<'c>>, Option<Span>> {
    let fits = |edit: &Edit<'c>| {
        let (text, _) = put_together(text, Span::default(), std::slice::from_ref(edit));
        syntax::parse_item(FileId(0), &Source::new("", text)).is_ok()
    };
    let form = |splice: &Splice<'c>| {
        let forms = under.forms(text, splice).into_iter().map(|parts| splice.around(parts));
        forms.into_iter().find(fits).ok_or_else(|| splice.lines.first().map(|line| line.text.span))
    };
    splices.iter().map(form).collect()
}

/// Builds the new text, and maps each of its pieces to the span where it was written.
fn put_together(text: &str, span: Span, edits: &[Edit<'_>]) -> (String, Vec<(u32, Span)>) {
    let (mut out, mut pieces, mut at) = (String::new(), Vec::new(), 0);
    let old =
        |start: usize, end: usize| Span { start: span.start + start as u32, end: span.start + end as u32, ..span };
    let mut put = |words: &str, from: Span| {
        pieces.push((out.len() as u32, from));
        out += words;
    };
    for (start, end, parts) in edits {
        put(&text[at..*start], old(at, *start));
        for part in parts {
            match part {
                Part::Old(start, end) => put(&text[*start..*end], old(*start, *end)),
                Part::New(line, start, end) => {
                    let from = line.text.span;
                    let own = Span { start: from.start + *start as u32, end: from.start + *end as u32, ..from };
                    put(&line.text.text[*start..*end], own);
                }
                Part::Glue(words, span) => put(words, *span),
            }
        }
        at = *end;
    }
    put(&text[at..], old(at, text.len()));
    (out, pieces)
}
