//! The rulebook of a player: the paragraphs of a literate ruleset in the order of the book. Below each group of
//! paragraphs are the numbers, tables and readings that its items define. No sentence is generated from rules text.
//!
//! An edition is read together with its base: a section of a later file continues the section of the same title, and any
//! other section comes after the section before it in its own file. A player reads everything about a subject in
//! one place, and the base without the edition would be incomplete or out of date.

use super::model::Grid;
use super::plainly::{called, marked};
use super::tell::Teller;
use super::words::{Bit, capital, human, phrase};
use grognard_base::order;
use grognard_base::{OrdMap, OrdSet, Span};
use grognard_rules::EditorNames;
use grognard_rules::ParsedTexts;
use grognard_rules::ruleset::Clause;
use grognard_syntax::tree::{Item, ItemKind, Kind, Member, MemberKind, RemoveWhat, Slot};
use std::sync::Arc;

/// The rulebook of a player.
#[derive(Clone, Debug, Default)]
pub struct Manual {
    /// The chapters, in order. Those without a paragraph of the book, and those of stand-ins, come last.
    pub chapters: Vec<Section>,
    /// The index of terms.
    pub terms: Vec<Term>,
}

/// A chapter: the sections with one title.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The title of the section.
    pub title: String,
    /// Whether it contains a paragraph of the book that more than stand-ins implement.
    pub of_the_book: bool,
    /// The passages, in order.
    pub passages: Vec<Passage>,
}

/// A group of paragraphs with its items.
#[derive(Clone, Debug, Default)]
pub struct Passage {
    /// The anchor on the page, if it has no paragraph.
    pub anchor: String,
    /// The paragraphs. Empty for items that do not belong to a paragraph.
    pub clauses: Vec<Sentences>,
    /// The readings that settle what the paragraphs leave open.
    pub readings: Vec<Settled>,
    /// The numbers: titles and values.
    pub numbers: Vec<(String, String)>,
    /// The tables, and the odds of the tests.
    pub grids: Vec<Grid>,
    /// The names and titles of items without a paragraph.
    pub named: Vec<String>,
    /// Paragraphs of later files that change items of this passage.
    pub changed_by: Vec<String>,
    /// Items of later files that belong here: the title of the file, and its items.
    pub added: Vec<(String, Passage)>,
    /// The rules text.
    pub source: String,
}

impl Passage {
    /// Returns whether the passage has nothing that a player reads.
    pub fn is_empty(&self) -> bool {
        let Passage { clauses, readings, numbers, grids, named, added, .. } = self;
        [clauses.len(), readings.len(), numbers.len(), grids.len(), named.len(), added.len()].iter().all(|n| *n == 0)
    }
}

/// A paragraph of the book.
#[derive(Clone, Debug, Default)]
pub struct Sentences {
    /// The ID of the clause.
    pub id: String,
    /// The status: `modelled`, `external`, `commentary` or `hole`.
    pub status: &'static str,
    /// The text.
    pub says: String,
    /// The decision about a hole.
    pub decided: String,
    /// Number of examples that run the clause.
    pub examples: usize,
}

/// A reading with its answer.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// The open point, if no paragraph above states it.
    pub open: String,
    /// The answer that this ruleset uses.
    pub answer: String,
    /// The reason for the answer. Can be empty.
    pub reason: String,
    /// The other answers.
    pub others: Vec<String>,
}

/// An entry of the index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// The sort key: the term in lower case.
    pub key: String,
    /// The term.
    pub term: String,
    /// Its title, if it differs.
    pub title: String,
    /// The place where it is introduced: a clause ID, or the title of a chapter.
    pub at: String,
    /// The anchor of that place.
    pub anchor: String,
}

/// A passage before its items are placed.
#[derive(Default)]
struct Draft<'t> {
    from: usize,
    clauses: Vec<&'t Clause>,
    items: Vec<&'t Arc<Item>>,
    changed_by: Vec<String>,
    added: OrdMap<usize, Vec<&'t Arc<Item>>>,
}

impl Draft<'_> {
    /// Returns the clause that represents the passage: the first one with a rule.
    fn clause(&self) -> Option<&str> {
        let with_rule = self.clauses.iter().find(|clause| clause.status.word() == "modelled");
        with_rule.or(self.clauses.first()).map(|clause| clause.id.as_str())
    }
}

/// A chapter before its items are placed.
struct Chapter<'t> {
    title: String,
    drafts: Vec<Draft<'t>>,
}

/// Indexes of a chapter and of a draft in it.
type At = (usize, usize);

/// Builds manuals.
pub struct Maker<'t> {
    pub names: &'t EditorNames,
    pub known: &'t ParsedTexts,
    pub teller: &'t Teller<'t>,
    /// The merged items, by the position of their first declaration.
    pub merged: &'t OrdMap<Span, &'t Item>,
    /// The odds of the tests, by name.
    pub odds: &'t OrdMap<String, Grid>,
    /// Number of examples that run each clause.
    pub examples: &'t OrdMap<String, usize>,
}

impl<'t> Maker<'t> {
    /// Returns the manual, or `None` if no file has paragraphs.
    pub fn manual(&self) -> Option<Manual> {
        let mut chapters = self.chapters()?;
        let shown = self.place(&mut chapters);
        let (mut book, mut appendix, mut terms) = (Vec::new(), Vec::new(), OrdSet::new());
        for (c, Chapter { title, drafts }) in chapters.iter().enumerate() {
            let mut section = Section { title: title.clone(), ..Section::default() };
            for (p, draft) in drafts.iter().enumerate() {
                let anchor = format!("items-{}-{}", c + 1, p + 1);
                let passage = Passage { anchor: anchor.clone(), ..self.passage(draft, &shown) };
                if passage.is_empty() {
                    continue;
                }
                let stand_in = !draft.items.is_empty() && draft.items.iter().all(|item| item.stand_in);
                section.of_the_book |= !passage.clauses.is_empty() && !stand_in;
                section.passages.push(passage);
                let (at, anchor) = draft.clause().map_or((title.as_str(), anchor.as_str()), |id| (id, id));
                for item in draft.items.iter().chain(draft.added.values().flatten()) {
                    self.terms(item, (at, anchor), &mut terms);
                }
            }
            match section.of_the_book {
                _ if section.passages.is_empty() => {}
                true => book.push(section),
                false => appendix.push(section),
            }
        }
        book.extend(appendix);
        Some(Manual { chapters: book, terms: terms.into_iter().collect() })
    }

    /// Collects the sections of all files with their paragraphs and items. Returns `None` if there are no paragraphs.
    fn chapters(&self) -> Option<Vec<Chapter<'t>>> {
        let register = &self.teller.rules.register;
        let clause = |id: &str| register.iter().find(|clause| clause.id == id);
        let mut chapters: Vec<Chapter<'t>> = Vec::new();
        let mut printed: OrdSet<&str> = OrdSet::new();
        for (from, file) in self.names.files.iter().enumerate() {
            let Some(read) = self.known.file(*file) else { continue };
            let mut here = None;
            let mut fresh = true;
            let mut joins = false;
            for item in &read.items {
                if let ItemKind::Section(title) = &item.kind {
                    here = Some(section(&mut chapters, here, &title.text));
                    (fresh, joins) = (true, false);
                }
                if matches!(item.kind, ItemKind::Section(_) | ItemKind::Example(_) | ItemKind::Policy { .. }) {
                    continue;
                }
                let at = *here.get_or_insert_with(|| section(&mut chapters, None, &self.title(from)));
                let drafts = &mut chapters[at].drafts;
                let is_clause = matches!(item.kind, ItemKind::Clause(_));
                if fresh || is_clause && !joins {
                    drafts.push(Draft { from, ..Draft::default() });
                }
                (fresh, joins) = (false, is_clause);
                let Some(draft) = drafts.last_mut() else { continue };
                match &item.kind {
                    ItemKind::Clause(paragraph) => {
                        draft.clauses.extend(clause(&paragraph.id.text));
                        printed.insert(paragraph.id.text.as_str());
                    }
                    _ => draft.items.push(item),
                }
            }
        }
        if printed.is_empty() {
            return None;
        }
        // A file of the chain can have a register instead of paragraphs.
        for clause in register.iter().filter(|clause| !printed.contains(clause.id.as_str())) {
            let at = section(&mut chapters, None, &clause.section);
            chapters[at].drafts.push(Draft { clauses: vec![clause], ..Draft::default() });
        }
        Some(chapters)
    }

    /// Returns the title of a file, such as `Salvo threshold`.
    fn title(&self, from: usize) -> String {
        let path = self.teller.rules.chain.get(from).map_or("", |(path, _)| path.as_str());
        capital(&human(path.rsplit('/').next().unwrap_or_default()).replace('-', " "))
    }

    /// Returns the first declaration of the name that an item declares or changes.
    fn root(&self, item: &Item) -> Span {
        let name = match &item.kind {
            ItemKind::Change(change) => change.name.span,
            ItemKind::Remove { name, .. } => name.span,
            ItemKind::ExtendKind { .. } => item.span,
            kind => grognard_rules::item_name(kind).map_or(item.span, |name| name.span),
        };
        self.names.index.root(name)
    }

    /// Moves items without a paragraph to the paragraphs that they change or cite, and records which paragraphs change
    /// items of other passages. Returns the last declaration of each name, which is the one that is shown.
    fn place(&self, chapters: &mut [Chapter<'t>]) -> OrdMap<Span, Span> {
        let mut clauses: OrdMap<&'t str, At> = OrdMap::new();
        let mut declared: OrdMap<Span, At> = OrdMap::new();
        let mut shown: OrdMap<Span, Span> = OrdMap::new();
        let mut all: Vec<(At, &'t Arc<Item>)> = Vec::new();
        for (c, chapter) in chapters.iter_mut().enumerate() {
            for (p, draft) in chapter.drafts.iter_mut().enumerate() {
                clauses.extend(draft.clauses.iter().map(|clause| (clause.id.as_str(), (c, p))));
                all.extend(draft.items.drain(..).map(|item| ((c, p), item)));
            }
        }
        // In the order of the files, which is not that of merged chapters.
        let from = |chapters: &[Chapter<'_>], at: At| chapters[at.0].drafts[at.1].from;
        order::sort_by_key(&mut all, |(at, _)| from(chapters, *at));
        for (at, item) in all {
            let (root, own) = (self.root(item), from(chapters, at));
            let exception = matches!(&item.kind, ItemKind::Change(change) if change.under.is_some());
            let patch = matches!(
                item.kind,
                ItemKind::Change(_) | ItemKind::SetCell { .. } | ItemKind::SetReading { .. } | ItemKind::Remove { .. }
            );
            let base = declared.get(&root).copied().filter(|base| *base != at && (item.overrides || patch));
            if !patch {
                declared.entry(root).or_insert(at);
                shown.insert(root, item.span);
            }
            let by = chapters[at.0].drafts[at.1].clause().map(str::to_string);
            let is_rule = |at: &&At| chapters[at.0].drafts[at.1].clauses.iter().any(|c| c.status.word() == "modelled");
            let cited: Vec<&At> = item.cites.iter().filter_map(|id| clauses.get(id.text.as_str())).collect();
            let cited = cited.iter().copied().find(is_rule).or(cited.first().copied());
            let to = match (by, base) {
                (Some(by), Some(base)) if !exception => {
                    let others = &mut chapters[base.0].drafts[base.1].changed_by;
                    if !others.contains(&by) {
                        others.push(by);
                    }
                    at
                }
                (Some(_), _) => at,
                (None, base) => base.or(cited.copied()).unwrap_or(at),
            };
            let draft = &mut chapters[to.0].drafts[to.1];
            if draft.from == own { draft.items.push(item) } else { draft.added.entry(own).or_default().push(item) }
        }
        shown
    }

    fn passage(&self, draft: &Draft<'t>, shown: &OrdMap<Span, Span>) -> Passage {
        let sentences = |clause: &&Clause| Sentences {
            id: clause.id.clone(),
            status: clause.status.word(),
            says: clause.says.clone(),
            decided: clause.decided.clone(),
            examples: self.examples.get(&clause.id).copied().unwrap_or(0),
        };
        let clauses: Vec<Sentences> = draft.clauses.iter().map(sentences).collect();
        let added = |(from, items): (&usize, &Vec<&'t Arc<Item>>)| {
            (self.title(*from), self.items(items, shown, true, Named::Changes))
        };
        let open = !clauses.iter().any(|clause| clause.status == "hole");
        let named = if clauses.is_empty() { Named::Terms } else { Named::None };
        let passage = self.items(&draft.items, shown, open, named);
        let added = draft.added.iter().map(added).collect();
        Passage { clauses, added, changed_by: draft.changed_by.clone(), ..passage }
    }

    /// Renders the items of a passage. `open`: readings say what the book leaves open.
    fn items(&self, items: &[&'t Arc<Item>], shown: &OrdMap<Span, Span>, open: bool, named: Named) -> Passage {
        let mut passage = Passage::default();
        for item in items {
            if !passage.source.is_empty() {
                passage.source.push('\n');
            }
            passage.source.push_str(self.teller.sources.slice(item.span));
            let root = self.root(item);
            let Some(merged) = self.merged.get(&root).filter(|_| shown.get(&root) == Some(&item.span)) else {
                match &item.kind {
                    ItemKind::Change(_) => {
                        passage.named.extend(self.merged.get(&root).and_then(|merged| titled(merged, named)));
                    }
                    ItemKind::Remove { what, name } if *what != RemoveWhat::Example => {
                        passage.named.push(format!("{} does not apply", capital(&phrase(&name.text))));
                    }
                    _ => {}
                }
                continue;
            };
            match &merged.kind {
                ItemKind::Reading(reading) => {
                    let settled = self.teller.settled(&reading.name.text, reading.title.as_ref());
                    passage
                        .readings
                        .extend(settled.map(|s| Settled { open: if open { s.open } else { String::new() }, ..s }));
                }
                kind => {
                    let number = self.teller.number(kind).map(|(title, value)| (marked(title, item), value));
                    passage.numbers.extend(number);
                    passage.grids.extend(self.teller.chart(kind));
                }
            }
            if let ItemKind::Test(test) = &merged.kind {
                let title = test.title.as_ref().map_or("", |title| title.text.as_str());
                let (name, _) = called(&test.name.text, title);
                passage.grids.extend(self.odds.get(&test.name.text).map(|grid| percentages(grid, &name)));
            }
            passage.named.extend(titled(merged, named));
        }
        passage
    }

    /// Adds the terms that an item introduces.
    fn terms(&self, item: &Item, (at, anchor): (&str, &str), terms: &mut OrdSet<Term>) {
        let mut put = |name: &str, title: &str| {
            let (term, title) = called(name, title);
            if !terms.iter().any(|t| t.term == term) {
                let (at, anchor) = (at.to_string(), anchor.to_string());
                terms.insert(Term { key: term.to_lowercase(), term, title, at, anchor });
            }
        };
        let title = grognard_rules::item_title(&item.kind).map_or("", |title| title.text.as_str());
        if let ItemKind::Kind(_) | ItemKind::Action(_) | ItemKind::Trait(_) | ItemKind::Test(_) | ItemKind::Phase(_) =
            &item.kind
            && let Some(name) = grognard_rules::item_name(&item.kind)
        {
            put(&name.text, title);
        }
        let (ItemKind::Kind(Kind { members, .. }) | ItemKind::ExtendKind { members, .. }) = &item.kind else { return };
        for (slot, title) in slots(members).filter_map(|slot| Some((slot, slot.title.as_ref()?))) {
            // A short title is the term of the book; a long one explains the name.
            match title.text.split(' ').count() {
                1..=3 => put(&title.text, &title.text),
                _ => put(&slot.name.text, &title.text),
            }
        }
    }
}

/// Returns the stats and states of a kind.
fn slots(members: &[Member]) -> impl Iterator<Item = &Slot> {
    members.iter().filter_map(|member| match &member.kind {
        MemberKind::Stat(slot) | MemberKind::State(slot) => Some(slot),
        MemberKind::Link { .. } | MemberKind::Let(_) | MemberKind::Owner(_) => None,
    })
}

/// Returns the index of a section. A new one comes after `last`, or at the end.
fn section(chapters: &mut Vec<Chapter<'_>>, last: Option<usize>, title: &str) -> usize {
    let same = chapters.iter().position(|chapter| chapter.title.to_lowercase() == title.to_lowercase());
    same.unwrap_or_else(|| {
        let at = last.map_or(chapters.len(), |last| last + 1);
        chapters.insert(at, Chapter { title: title.to_string(), drafts: Vec::new() });
        at
    })
}

/// The items whose titles a passage shows, because no paragraph says what they are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    None,
    /// Those that a player carries out or refers to.
    Terms,
    /// Those that a later file changes, also a computed value or a procedure.
    Changes,
}

/// Returns the name and the title of an item. For a kind, these are the titles of its fields.
fn titled(item: &Item, named: Named) -> Option<String> {
    if named == Named::None {
        return None;
    }
    if let ItemKind::Kind(Kind { name, members, .. }) | ItemKind::ExtendKind { name, members } = &item.kind {
        let titles: Vec<&str> = slots(members).filter_map(|slot| Some(slot.title.as_ref()?.text.as_str())).collect();
        return (!titles.is_empty()).then(|| format!("{}: {}", capital(&phrase(&name.text)), titles.join(", ")));
    }
    let of_player = matches!(
        item.kind,
        ItemKind::Action(_) | ItemKind::Phase(_) | ItemKind::Trait(_) | ItemKind::Rule(_) | ItemKind::Test(_)
    );
    let title = grognard_rules::item_title(&item.kind).map_or("", |title| title.text.as_str());
    let works = matches!(item.kind, ItemKind::Let(_) | ItemKind::Proc(_)) && named == Named::Changes;
    if !works && (!of_player || title.is_empty()) {
        return None;
    }
    let (name, title) = called(&grognard_rules::item_name(&item.kind)?.text, title);
    Some(match item.kind {
        _ if title.is_empty() => name,
        ItemKind::Rule(_) | ItemKind::Let(_) | ItemKind::Proc(_) => capital(&title),
        _ => format!("{name}: {title}"),
    })
}

/// Returns the odds of a test under its name, without fractions.
fn percentages(odds: &Grid, name: &str) -> Grid {
    let mut grid = odds.clone();
    grid.caption = format!("{name}. {}", grid.caption);
    let cells = grid.rows.iter_mut().flat_map(|(_, row)| row);
    cells.for_each(|words| words.0.retain(|bit| !matches!(bit, Bit::Code(_))));
    grid
}
