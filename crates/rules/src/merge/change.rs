//! Applies `change rule X { ... }`: a patch to the text of an item below. The patch has no line numbers; its lines are
//! found by their text. Parts that it does not name stay unchanged, including their clauses and positions.

use super::edits::{Edit, Part, carried, insert, put_together};
use super::head::{self, Space};
use super::under::Under;
use super::{Merger, Place};
use grognard_base::{Code, Diagnostic, FileId, Source, Span, did_you_mean};
use grognard_syntax as syntax;
use grognard_syntax::tree::{self, Change, ChangeLine, ChangeSort, Item, ItemKind};
use std::sync::Arc;

/// An item whose text was changed, without its exceptions.
pub(super) struct Bare {
    /// The text without exceptions.
    span: Span,
    /// The edits of this text by exceptions.
    exceptions: Vec<Edit>,
    /// The clauses above the item and its changes.
    cites: Vec<tree::ClauseRef>,
    cited: Vec<tree::ClauseRef>,
    /// The text with the exceptions.
    merged: Span,
}

impl Bare {
    /// Describes an item that no change was applied to.
    fn of(span: Span, cites: &[tree::ClauseRef], cited: &[tree::ClauseRef]) -> Bare {
        // the clauses after data are in its text
        let above = |cite: &&tree::ClauseRef| cite.span.file != span.file || cite.span.start < span.start;
        let above = |all: &[tree::ClauseRef]| all.iter().filter(above).cloned().collect();
        Bare { span, exceptions: Vec::new(), cites: above(cites), cited: above(cited), merged: span }
    }
}

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

/// Tokens of a text without its layout, each with its start and end offset in bytes.
type Tokens<'s> = Vec<(&'s str, usize, usize)>;

impl Merger<'_> {
    /// Applies the exceptions of a file, those of an item together.
    pub(super) fn apply_waiting(&mut self) {
        let mut groups: Vec<(Key, Vec<Arc<Item>>)> = Vec::new();
        for item in std::mem::take(&mut self.waiting) {
            let ItemKind::Change(change) = &item.kind else { continue };
            let key = key(change);
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, group)) => group.push(item),
                None => groups.push((key, vec![item])),
            }
        }
        for (_, group) in groups {
            self.change(&group);
        }
    }

    /// Applies changes to an item and replaces it by the result: one change of an item below, or all exceptions of a file to
    /// an item.
    pub(super) fn change(&mut self, items: &[Arc<Item>]) {
        let of = |item: &'_ Arc<Item>| match &item.kind {
            ItemKind::Change(change) => Some((item.clone(), change.clone())),
            _ => None,
        };
        let news: Vec<(Arc<Item>, Change)> = items.iter().filter_map(of).collect();
        let Some((_, change)) = news.first() else { return };
        let (space, full) = key(change);
        // an exception can be in the file of its item
        let beside = self.names.get(&(space, full.clone())).copied().filter(|_| change.under.is_some());
        let below = || self.find_below(space, &full, &change.what.text, change.name.span);
        let Some(place) = beside.or_else(below) else { return };
        self.below.extend(news.iter().map(|(_, change)| (change.name.span, place.span)));
        self.change_at(place, full.clone(), &news);
        // the item keeps the depth of the file below, so that another change can apply to it
        self.names.entry((space, full)).and_modify(|now| now.depth = place.depth);
    }

    fn change_at(&mut self, place: Place, full: String, news: &[(Arc<Item>, Change)]) {
        let Some((_, change)) = news.first() else { return };
        let name = &change.name;
        let Some(old) = self.item(place) else { return };
        let stand_in = old.stand_in;
        let member = place.member.and_then(|at| head::members(&old.kind)?.get(at).cloned());
        let (cites, cited, span, known) = match &member {
            Some(member) => (member.cites.clone(), member.cited.clone(), member.span, "let"),
            None => (old.cites.clone(), old.cited.clone(), old.span, head::word(&old.kind)),
        };
        if let Some((_, change)) = news.iter().find(|(_, change)| change.what.text != known) {
            let word = change.what.text.as_str();
            let message = format!(
                "`{full}` is {} {known} in the rules below, not {} {word}",
                super::article(known),
                super::article(word)
            );
            return self.say_change(Code::Signature, change.name.span, message, place);
        }
        if self.patched.contains(&place.item) {
            let message = format!("single cells of `{full}` were changed before; change its other cells the same way");
            return self.say_change(Code::NoOverride, name.span, message, place);
        }
        if self.sources.iter().count() >= TEXTS {
            let message = format!("more than {TEXTS} texts and changes of them in one run");
            return self.say_change(Code::TooLarge, name.span, message, place);
        }
        let key = key(change);
        // if something replaced the item, its exceptions are gone
        let known = self.bare.remove(&key).filter(|bare| bare.merged == span);
        let mut bare = known.unwrap_or_else(|| Bare::of(span, &cites, &cited));
        for (new, _) in news {
            // an exception below the paragraph of its item has the same clauses
            for (now, more) in [(&mut bare.cites, &new.cites), (&mut bare.cited, &new.cited)] {
                let is_new = |cite: &&tree::ClauseRef| cites.iter().chain(&*now).all(|old| old.text != cite.text);
                let more: Vec<tree::ClauseRef> = more.iter().filter(is_new).cloned().collect();
                now.extend(more);
            }
        }
        let merging = match change.under {
            None => self.apply(&mut bare, change, &full),
            Some(_) => self.apply_exceptions(&mut bare, news, &full),
        };
        let beside = |one: Diagnostic| if one.code == Code::NoOverride { one.and(place.span, "the item") } else { one };
        let mut item = match merging {
            Ok(item) => item,
            Err(found) => return self.problems.extend(found.into_iter().map(beside)),
        };
        item.stand_in |= stand_in;
        item.cited.extend(bare.cited.iter().cloned());
        item.cites.splice(0..0, bare.cites.iter().cloned());
        bare.merged = item.span;
        self.bare.insert(key, bare);
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

    /// Applies the lines of a change to the text of an item without its exceptions. Returns the item with them.
    fn apply(&mut self, bare: &mut Bare, change: &Change, full: &str) -> Merging {
        let text = self.sources.slice(bare.span).to_string();
        let (spliced, _) = splices(&text, change).map_err(|wrong| vec![no_override(wrong)])?;
        let narrow = !bare.exceptions.is_empty();
        let edits: Vec<Edit> = spliced.iter().map(|splice| splice.edit(&text, narrow)).collect();
        let kept = carried(std::mem::take(&mut bare.exceptions), &edits);
        bare.exceptions = kept.ok_or_else(|| {
            let message = "this change replaces a part of what an exception of the item replaces";
            vec![no_override((change.name.span, message.into(), "replace the whole line, or the whole value".into()))]
        })?;
        let (text, pieces) = put_together(&text, bare.span, &edits);
        let file = self.add_text(self.text_of(full, change, text, pieces));
        let end = self.sources.get(file).map_or(0, |source| source.text.len());
        bare.span = Span::new(file, 0, end);
        self.merged(bare, change, full, true)
    }

    /// Applies exceptions to the text of an item. Returns the item with all its exceptions.
    fn apply_exceptions(&mut self, bare: &mut Bare, news: &[(Arc<Item>, Change)], full: &str) -> Merging {
        let text = self.sources.slice(bare.span).to_string();
        let mut found: Vec<(&Change, Vec<Forms>)> = Vec::new();
        for (_, change) in news {
            let Some((reading, answer)) = &change.under else { continue };
            let (spliced, places) = splices(&text, change).map_err(|wrong| vec![no_override(wrong)])?;
            let under = Under::new(reading, answer);
            let forms = spliced.iter().map(|splice| {
                let at = splice.lines.first().map_or(change.name.span, |line| line.text.span);
                (at, under.forms(&text, splice).into_iter().map(|parts| splice.around(parts)).collect())
            });
            found.push((change, forms.collect()));
            let old = change.lines.iter().filter(|line| line.sort != ChangeSort::Comes);
            for (line, (start, end)) in old.zip(places) {
                let at = bare.span.start as usize;
                self.named.push((Span::new(bare.span.file, at + start, at + end), line.text.span));
            }
        }
        let Some((last, _)) = found.last() else { return Err(Vec::new()) };
        // mostly the first form of each exception fits, so that one parse is enough
        let first = found.iter().flat_map(|(_, splices)| splices).map(|(_, forms)| forms.first().cloned());
        let mut edits = bare.exceptions.clone();
        if first.into_iter().all(|edit| edit.is_some_and(|edit| insert(&mut edits, edit))) {
            let before = std::mem::replace(&mut bare.exceptions, edits);
            match self.merged(bare, last, full, false) {
                Ok(item) => return Ok(item),
                Err(_) => bare.exceptions = before,
            }
        }
        for (_, splices) in &found {
            for (at, forms) in splices {
                let fits = |edit: &&Edit| {
                    let (text, _) = put_together(&text, Span::default(), std::slice::from_ref(*edit));
                    syntax::is_item(&text)
                };
                let refused =
                    |message: &str, help: &str| vec![no_override((*at, message.to_string(), help.to_string()))];
                let Some(edit) = forms.iter().find(fits) else {
                    let message = "this part cannot depend on a reading";
                    let help =
                        "change whole statements, or a whole value or condition; a name that lines below use must stay";
                    return Err(refused(message, help));
                };
                if !insert(&mut bare.exceptions, edit.clone()) {
                    let message = "this exception replaces a part of what another exception of the item replaces";
                    return Err(refused(message, "replace the same text in both"));
                }
            }
        }
        self.merged(bare, last, full, true)
    }

    /// Parses the text of an item with its exceptions. `change` is the last change of it. Keeps the text if it can be parsed, and
    /// with `keep` in any case, so that diagnostics can refer to it.
    fn merged(&mut self, bare: &Bare, change: &Change, full: &str, keep: bool) -> Merging {
        let text = self.sources.slice(bare.span).to_string();
        let (text, pieces) = put_together(&text, bare.span, &bare.exceptions);
        if !keep && !syntax::is_item(&text) {
            return Err(Vec::new());
        }
        let source = self.text_of(full, change, text, pieces);
        let known = self.sources.iter().find(|(_, known)| **known == source).map(|(id, _)| id);
        let file = known.unwrap_or_else(|| FileId(self.sources.iter().count() as u16));
        let item = syntax::parse_item(file, &source).map_err(|mut found| {
            found.iter_mut().for_each(|one| as_changed(one, &source, change));
            found
        });
        if known.is_none() && (keep || item.is_ok()) {
            self.sources.add(source);
        }
        item
    }

    fn say_change(&mut self, code: Code, at: Span, message: String, place: Place) {
        self.problems.push(Diagnostic::new(code, at, message).and(place.span, "declared here"));
    }

    /// Returns a merged text as a source.
    fn text_of(&self, full: &str, change: &Change, text: String, pieces: Vec<(u32, Span)>) -> Source {
        let at = change.name.span;
        let of = self.sources.get(at.file).map_or("", |s| s.name.as_str());
        Source::new(format!("{of}, {} {full}", change.what.text), text).made_of(at, pieces)
    }

    /// Adds a merged text to the sources. An identical text keeps its id.
    fn add_text(&mut self, source: Source) -> FileId {
        let known = self.sources.iter().find(|(_, s)| **s == source).map(|(id, _)| id);
        known.unwrap_or_else(|| self.sources.add(source))
    }
}

/// An item with its changes, or diagnostics.
type Merging = Result<Item, Vec<Diagnostic>>;

fn no_override((at, message, help): Wrong) -> Diagnostic {
    Diagnostic::new(Code::NoOverride, at, message).help(help)
}

/// The namespace and the name of an item.
type Key = (Space, String);

/// The place of an edit, and the forms that it can have.
type Forms = (Span, Vec<Edit>);

/// Returns the namespace and the name of the changed item.
fn key(change: &Change) -> Key {
    let name = &change.name.text;
    (space(change), change.of.as_ref().map_or(name.clone(), |of| format!("{}.{name}", of.text)))
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

/// The byte ranges of the old lines of a change.
type Places = Vec<(usize, usize)>;

/// Finds the lines of a change in the text of an item. Returns the edits, and the place of each old line.
fn splices<'c>(text: &str, change: &'c Change) -> Result<(Vec<Splice<'c>>, Places), Wrong> {
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
    let found = find(&tokens, text, change)?;
    let mut splices: Vec<Splice<'c>> = Vec::new();
    // the added lines since the last line that was found, and the position of that line
    let (mut coming, mut before): (Vec<&ChangeLine>, Option<(usize, usize, ChangeSort)>) = (Vec::new(), None);
    let mut places = found.iter().copied();
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
    Ok((joined(splices, text), found))
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
fn find(tokens: &Tokens<'_>, text: &str, change: &Change) -> Result<Places, Wrong> {
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
                let (below, help) = match &change.under {
                    _ if above => (
                        " below the line before it",
                        "write the lines in the order of the book, or write a separate change for each",
                    ),
                    None => {
                        ("", "copy it exactly from the book, with the changes above this one; blanks do not matter")
                    }
                    Some(_) => ("", "copy it exactly from the item, without its exceptions; blanks do not matter"),
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

impl Splice<'_> {
    /// Returns the edit that puts the new lines in the place of the range. With `narrow`, it keeps the tokens at both ends that
    /// are the same before and after.
    fn edit(&self, text: &str, narrow: bool) -> Edit {
        if let [line] = self.lines.as_slice()
            && narrow
            && self.start < self.end
        {
            let (old, new) = (&text[self.start..self.end], line.text.text.as_str());
            let ((from, to), (new_from, new_to)) = differing(old, new);
            return Edit::new(self.start + from, self.start + to, vec![Part::of(line, new_from, new_to)]);
        }
        self.around(Part::lines(&self.lines))
    }

    /// Returns the edit that replaces the range by these parts, with line breaks around it if necessary.
    fn around(&self, parts: Vec<Part>) -> Edit {
        let at = self.lines.first().map_or(Span::default(), |line| line.text.span);
        let apart = |wanted: bool| wanted.then(|| Part::Text("\n  ".into(), at));
        let parts = apart(self.apart.0).into_iter().chain(parts).chain(apart(self.apart.1));
        Edit::new(self.start, self.end, parts.collect())
    }
}

/// Returns the byte ranges in which two texts differ: between the tokens at both ends that are the same.
fn differing(old: &str, new: &str) -> ((usize, usize), (usize, usize)) {
    let (a, b): (Tokens<'_>, Tokens<'_>) = (syntax::tokens(old).collect(), syntax::tokens(new).collect());
    let first = a.iter().zip(&b).take_while(|(a, b)| a.0 == b.0).count();
    let last = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a.0 == b.0).count();
    let last = last.min(a.len() - first).min(b.len() - first);
    let range = |tokens: &Tokens<'_>, len: usize| match &tokens[first..tokens.len() - last] {
        [one] => (one.1, one.2),
        [from, .., to] => (from.1, to.2),
        [] => (first.checked_sub(1).map_or(0, |n| tokens[n].2), tokens.get(first).map_or(len, |next| next.1)),
    };
    (range(&a, old.len()), range(&b, new.len()))
}
