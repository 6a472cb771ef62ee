//! Parses a text to its tree: splits it into items, and checks, parses and lowers each.

use super::cut::{Mode, Piece, cut};
use super::grammar::{Grammar, Rule, is_header};
use super::lower::{Kids, Low, Lower};
use super::pairs::{Nodes, Pair};
use super::tree::{
    Answer, Asked, AskedFigure, Example, Expr, File, Header, Item, ItemKind, Paragraph, Reading, Stmt, Text, Until,
};
use super::{limits, recover, wording};
use grognard_base::{Code, Diagnostic, FileId, Source, Span};
use pest::Parser;
use pest::error::Error;
use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, Once, PoisonError};

/// Stack size in bytes. It suffices for 64 nested brackets and 64 nested queries in an unoptimized build.
const STACK: usize = 16 << 20;

/// Maximum number of parser calls for a piece. It is a safeguard; the pre-scan already keeps the work linear.
const CALLS: usize = 1000 + 128 * limits::FILE_BYTES;

/// Runs `work` on a stack of fixed size, so that the result does not depend on the caller's thread.
pub(super) fn with_stack<T: Send>(work: impl FnOnce() -> T + Send, failed: impl FnOnce() -> T) -> T {
    static LIMIT: Once = Once::new();
    LIMIT.call_once(|| pest::set_call_limit(NonZeroUsize::new(CALLS)));
    // no threads on this target; the linker sets the size of its only stack
    if cfg!(target_arch = "wasm32") {
        return work();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.ok().and_then(|t| t.join().ok()).unwrap_or_else(failed)
    })
}

pub(super) fn no_stack() -> Diagnostic {
    Diagnostic::general(Code::Unreadable, "the text could not be read: there is no memory for a parser")
        .help("close other programs and try again")
}

/// The end of the name of a file with examples. It has no header.
pub const EXAMPLES: &str = ".examples.rules";

/// Parse trees of the pieces of a text, by the text of the piece. After an edit, only the changed pieces are parsed.
#[derive(Clone, Default)]
pub struct Trees(HashMap<Arc<str>, Arc<Nodes>>);

impl Trees {
    /// Returns the cached tree of a piece, or parses it.
    pub(super) fn tree(&self, text: &str) -> Result<Arc<Nodes>, Box<Error<Rule>>> {
        if let Some(known) = self.0.get(text) {
            return Ok(known.clone());
        }
        let rule = if is_header(text) { Rule::one_header } else { Rule::one_item };
        Ok(Arc::new(Nodes::of(Grammar::parse(rule, text).map_err(Box::new)?)))
    }
}

/// Parses a rules file. Reports every item with an error; the tree contains all other items.
pub fn parse(file: FileId, source: &Source) -> (File, Vec<Diagnostic>) {
    let (read, found, _) = parse_again(file, source, &Trees::default());
    (read, found)
}

/// Like [`parse`], with the trees of pieces that were parsed before. Also returns the trees of this text.
pub fn parse_again(file: FileId, source: &Source, before: &Trees) -> (File, Vec<Diagnostic>, Trees) {
    let empty = || File { file, header: None, items: Vec::new(), faulty: Vec::new() };
    if let Some(found) = limits::whole_file(source) {
        return (empty(), vec![found], Trees::default());
    }
    with_stack(|| Reader::new(file, source, before).read(), || (empty(), vec![no_stack()], Trees::default()))
}

/// Number of merged texts whose trees are kept.
const MERGED_TEXTS: usize = 4096;

/// Trees of texts that changes of items merge, or `None` for a text that is not an item. Every load of a ruleset, and every
/// ruleset that builds on it, merges the same texts again.
static MERGED_TREES: Mutex<BTreeMap<Arc<str>, Option<Arc<Nodes>>>> = Mutex::new(BTreeMap::new());

/// Returns the tree of a text that is an item.
fn merged_tree(text: &str) -> Option<Arc<Nodes>> {
    let known = || MERGED_TREES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(tree) = known().get(text) {
        return tree.clone();
    }
    let piece = Piece { start: 0, end: text.len(), stray_cite: false, unclosed: false, suspect: false };
    let file = FileId::default();
    let limited = limits::lines(file, text, 0, text.len()).or_else(|| limits::piece(file, text, &piece));
    let tree = match limited {
        Some(_) => None,
        None => with_stack(|| Trees::default().tree(text).ok(), || None),
    };
    let mut known = known();
    if known.len() >= MERGED_TEXTS {
        known.clear();
    }
    known.insert(text.into(), tree.clone());
    tree
}

/// Returns whether a merged text is an item in form.
pub fn is_item(text: &str) -> bool {
    merged_tree(text.trim()).is_some()
}

/// Parses the text of a single item, without a header.
///
/// # Errors
///
/// Returns the diagnostics if the text is not exactly one valid item.
pub fn parse_item(file: FileId, source: &Source) -> Result<Item, Vec<Diagnostic>> {
    let text = source.text.trim();
    let trees = Trees(merged_tree(text).map(|tree| (text.into(), tree)).into_iter().collect());
    let read = || {
        let (mut read, found, _) = Reader { first: false, ..Reader::new(file, source, &trees) }.read();
        match read.items.pop() {
            Some(item) if found.is_empty() && read.items.is_empty() => Ok(Arc::unwrap_or_clone(item)),
            _ => Err(found),
        }
    };
    with_stack(read, || Err(vec![no_stack()]))
}

struct Reader<'s> {
    file: FileId,
    text: &'s str,
    comments: Vec<Span>,
    header: Option<Header>,
    items: Vec<Arc<Item>>,
    faulty: Vec<Span>,
    found: Vec<Diagnostic>,
    /// Whether no piece was read yet.
    first: bool,
    /// The paragraphs above, whose clauses the next items cite, and whether another paragraph joins them.
    above: Vec<Paragraph>,
    joins: bool,
    /// Whether the current section is declared as `stand-in`.
    stand_in: bool,
    /// Trees that were parsed before, and those of this text.
    before: &'s Trees,
    now: Trees,
}

enum Read {
    Header(Header),
    Item(Box<Item>),
}

impl<'s> Reader<'s> {
    fn new(file: FileId, source: &'s Source, before: &'s Trees) -> Self {
        Reader {
            file,
            text: &source.text,
            comments: Vec::new(),
            header: None,
            items: Vec::new(),
            faulty: Vec::new(),
            found: Vec::new(),
            first: !source.name.ends_with(EXAMPLES),
            above: Vec::new(),
            joins: false,
            stand_in: false,
            before,
            now: Trees::default(),
        }
    }

    fn read(mut self) -> (File, Vec<Diagnostic>, Trees) {
        let pieces = cut(self.text, (0, self.text.len()), Mode::Trusting, Some((self.file, &mut self.comments)));
        if pieces.is_empty() && self.first {
            let end = Span::new(self.file, 0, 0);
            self.found.push(Diagnostic::new(Code::NoHeader, end, "the file is empty"));
        }
        for piece in pieces {
            // an unclosed block contains the rest of the file; split it at the items below it
            match if piece.unclosed { None } else { Some(self.piece(&piece)) } {
                Some(Ok(read)) => self.keep(read, &piece),
                Some(Err(found)) if !piece.suspect => self.fault(found, &piece),
                _ => {
                    let parts = cut(self.text, (piece.start, piece.end), Mode::Strict, None);
                    for part in parts {
                        match self.piece(&part) {
                            Ok(read) => self.keep(read, &part),
                            Err(found) => self.fault(found, &part),
                        }
                    }
                }
            }
        }
        let Reader { file, header, items, faulty, found, now, .. } = self;
        (File { file, header, items, faulty }, found, now)
    }

    fn fault(&mut self, found: Vec<Diagnostic>, piece: &Piece) {
        if self.first && !self.is_header(piece) {
            self.no_header(piece);
        }
        self.first = false;
        self.faulty.push(Span::new(self.file, piece.start, piece.end));
        self.found.extend(found);
    }

    fn keep(&mut self, read: Read, piece: &Piece) {
        let first = std::mem::take(&mut self.first);
        match read {
            Read::Header(header) if first => self.header = Some(header),
            Read::Header(header) => {
                let message = "a header must be at the beginning of a file; a file of examples has none";
                self.found.push(Diagnostic::new(Code::NoHeader, header.span, message));
            }
            Read::Item(mut item) => {
                if first {
                    self.no_header(piece);
                }
                self.cite_above(&mut item);
                self.items.push(Arc::from(item));
            }
        }
    }

    /// Adds the clauses of the paragraphs above to an item that carries rules.
    fn cite_above(&mut self, item: &mut Item) {
        match &item.kind {
            ItemKind::Section(_) => {
                self.above.clear();
                self.stand_in = item.stand_in;
            }
            ItemKind::Clause(paragraph) => {
                if !self.joins {
                    self.above.clear();
                }
                // a commentary has no rule, and an external rule belongs to another chapter
                if !paragraph.status.as_ref().is_some_and(|status| ["commentary", "external"].contains(&&*status.text))
                {
                    self.above.push(paragraph.clone());
                }
            }
            ItemKind::Example(_) | ItemKind::Remove { .. } => {}
            _ => {
                let cited = || self.above.iter().map(|paragraph| paragraph.id.clone());
                item.cites.splice(0..0, cited());
                item.cited.splice(0..0, cited());
            }
        }
        item.stand_in |= self.stand_in;
        self.joins = matches!(item.kind, ItemKind::Clause(_));
        if let ItemKind::Reading(reading) = &mut item.kind
            && reading.because.is_none()
        {
            self.open_point(reading);
        }
    }

    /// Takes the open point of a reading from the holes in the paragraphs above it.
    fn open_point(&mut self, reading: &mut Reading) {
        let holes = self.above.iter().filter(|p| p.status.as_ref().is_some_and(|status| status.text == "hole"));
        let says: Vec<&Text> = holes.map(|hole| &hole.says).collect();
        let Some(first) = says.first() else {
            let name = &reading.name;
            let message = format!("the reading `{}` does not say what the book leaves open", name.text);
            let help =
                "add `because \"what is open\"`, or put the paragraph of a hole directly above it: `FR-H1 (hole) ..`";
            self.found.push(Diagnostic::new(Code::Syntax, name.span, message).help(help));
            return;
        };
        let text = says.iter().map(|says| says.text.as_str()).collect::<Vec<_>>().join(" ");
        reading.because = Some(Text { text, ..(*first).clone() });
    }

    fn no_header(&mut self, piece: &Piece) {
        let span = Span::new(self.file, piece.start, piece.start + 1);
        self.found.push(Diagnostic::new(Code::NoHeader, span, "the file does not begin with its header"));
    }

    fn is_header(&self, piece: &Piece) -> bool {
        is_header(&self.text[piece.start..piece.end])
    }

    /// Parses and lowers a piece, or returns all its errors.
    fn piece(&mut self, piece: &Piece) -> Result<Read, Vec<Diagnostic>> {
        let text = &self.text[piece.start..piece.end];
        if let Some(found) = limits::lines(self.file, self.text, piece.start, piece.end) {
            return Err(vec![found]);
        }
        if piece.stray_cite {
            let span = Span::new(self.file, piece.start, piece.end);
            let message = "a `cite` belongs to the line directly below it; no line follows here";
            return Err(vec![Diagnostic::new(Code::StrayCite, span, message)]);
        }
        if let Some(found) = limits::piece(self.file, self.text, piece) {
            return Err(vec![found]);
        }
        let tree = self.before.tree(text);
        let tree = tree.map_err(|error| recover::all(self.file, text, piece.start, &error))?;
        self.now.0.insert(text.into(), tree.clone());
        let first = self.comments.partition_point(|c| (c.start as usize) < piece.start);
        let lower =
            Lower { comments: self.comments.get(first..).unwrap_or(&[]), ..Lower::new(self.file, piece.start, text) };
        let pair = tree.over(text).next().ok_or_else(|| vec![no_stack()])?;
        self.lowered(&lower, pair, piece).map_err(|found| vec![*found])
    }

    fn lowered(&self, lower: &Lower, pair: Pair<'_>, piece: &Piece) -> Low<Read> {
        let mut kids = Kids::of(pair);
        if self.is_header(piece) {
            let pair = lower.want(&mut kids, Rule::header, "a header")?;
            return Ok(Read::Header(lower.header(pair)?));
        }
        let pair = lower.want(&mut kids, Rule::item, "an item")?;
        Ok(Read::Item(Box::new(lower.item(pair)?)))
    }
}

/// Parses a string of a scenario.
fn one<T: Send>(
    file: FileId,
    source: &Source,
    rule: Rule,
    take: impl Fn(&Lower, &mut Kids) -> Low<T> + Sync,
) -> Result<T, Vec<Diagnostic>> {
    let all = source.text.len();
    let text = &source.text;
    let work = || {
        let piece = Piece { start: 0, end: all, stray_cite: false, unclosed: false, suspect: false };
        if let Some(found) = limits::lines(file, text, 0, all).or_else(|| limits::piece(file, text, &piece)) {
            return Err(vec![shifted(found, source.offset())]);
        }
        let lower = Lower::new(file, source.offset(), text);
        let tree = match Grammar::parse(rule, text) {
            Ok(pairs) => Nodes::of(pairs),
            Err(error) => {
                let found = wording::fragment(file, text, &error);
                return Err(vec![shifted(found, source.offset())]);
            }
        };
        let Some(pair) = tree.over(text).next() else { return Err(vec![no_stack()]) };
        take(&lower, &mut Kids::of(pair)).map_err(|found| vec![*found])
    };
    if let Some(found) = limits::whole_file(source) {
        return Err(vec![found]);
    }
    with_stack(work, || Err(vec![no_stack()]))
}

/// Moves the spans of a diagnostic by the offset of the string in its file.
fn shifted(mut found: Diagnostic, offset: usize) -> Diagnostic {
    let offset = u32::try_from(offset).unwrap_or(u32::MAX);
    let shift = |span: &mut Span| {
        span.start = span.start.saturating_add(offset);
        span.end = span.end.saturating_add(offset);
    };
    found.span.iter_mut().for_each(shift);
    found.others.iter_mut().for_each(|other| shift(&mut other.span));
    found
}

/// Parses a value, such as `u.markers + 1`.
///
/// # Errors
///
/// Returns the diagnostics if the text does not parse.
pub fn parse_expr(file: FileId, source: &Source) -> Result<Expr, Vec<Diagnostic>> {
    one(file, source, Rule::one_expr, |lower, kids| lower.next_expr(kids))
}

/// Parses a condition, or a measured value of a report with its `given`.
///
/// # Errors
///
/// Returns the diagnostics if the text does not parse.
pub fn parse_query(file: FileId, source: &Source) -> Result<(Expr, Option<Expr>), Vec<Diagnostic>> {
    one(file, source, Rule::one_query, |lower, kids| {
        let asked = lower.next_expr(kids)?;
        let given = if kids.skip(Rule::k_given) { Some(lower.next_cond(kids)?) } else { None };
        Ok((asked, given))
    })
}

/// Parses one statement.
///
/// # Errors
///
/// Returns the diagnostics if the text does not parse.
pub fn parse_stmt(file: FileId, source: &Source) -> Result<Stmt, Vec<Diagnostic>> {
    one(file, source, Rule::one_stmt, |lower, kids| {
        let pair = lower.want(kids, Rule::stmt, "a statement")?;
        lower.stmt(pair)
    })
}

/// Parses an expression about dice, such as `aim = 3 of d6; total(aim) + u.nerve, u: Unit`. `dice` are the names of the
/// dice that the rules declare.
///
/// # Errors
///
/// Returns the diagnostics if the text does not parse.
pub fn parse_odds(file: FileId, source: &Source, dice: &[&str]) -> Result<Asked, Vec<Diagnostic>> {
    one(file, source, Rule::one_odds, |lower, kids| lower.throwing(dice, None).asked(kids))
}

/// Parses a measured value of an expression about dice, such as `total(aim) given any aim == 6`. `before` are the names
/// of the rolls of that expression.
///
/// # Errors
///
/// Returns the diagnostics if the text does not parse.
pub fn parse_figure(
    file: FileId,
    source: &Source,
    dice: &[&str],
    before: &[String],
) -> Result<AskedFigure, Vec<Diagnostic>> {
    one(file, source, Rule::one_figure, |lower, kids| {
        let lower = lower.throwing(dice, Some(before));
        let of = lower.next_expr(kids)?;
        let given = if kids.skip(Rule::k_given) { Some(lower.next_cond(kids)?) } else { None };
        Ok(AskedFigure { throws: lower.taken_throws(), of, given })
    })
}

/// A part of the head of an example, as a separate text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The part after `for`.
    Call,
    /// The part after `with`.
    With,
    /// The part after `under`.
    Under,
    /// The part after `rolling`.
    Rolling,
    /// The part after `choosing`.
    Choosing,
}

/// Parses a part of the head of an example. The other parts of the result are empty.
///
/// # Errors
///
/// Returns the diagnostics if the text does not parse.
pub fn parse_part(file: FileId, source: &Source, part: Part) -> Result<Example, Vec<Diagnostic>> {
    let rule = match part {
        Part::Call => Rule::one_call,
        Part::With => Rule::one_with,
        Part::Under => Rule::one_under,
        Part::Rolling => Rule::one_rolling,
        Part::Choosing => Rule::one_choosing,
    };
    one(file, source, rule, |lower, kids| {
        let mut example = Example::default();
        lower.example_part(kids, &mut example)?;
        Ok(example)
    })
}

/// Parses the answer to a decision: a value, `stop`, `most E` or `least E`.
///
/// # Errors
///
/// Returns the diagnostics if the text does not parse.
pub fn parse_pick(file: FileId, source: &Source) -> Result<Answer, Vec<Diagnostic>> {
    one(file, source, Rule::one_pick, |lower, kids| lower.answer(kids))
}

/// Parses `end of P for x` or `start of P`.
///
/// # Errors
///
/// Returns the diagnostics if the text does not parse.
pub fn parse_mark(file: FileId, source: &Source) -> Result<Until, Vec<Diagnostic>> {
    one(file, source, Rule::one_mark, |lower, kids| lower.mark(kids))
}
