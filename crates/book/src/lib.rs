//! A ruleset as a rulebook: the paragraphs of the book for a player, a reference sheet, and a reference with the rules text,
//! the clauses and the exact odds of each item.
//!
//! The input is a path and a [`Library`] of rules texts. [`book`] loads and checks the rules and returns a [`Book`].
//! [`pages`] renders it as HTML pages. No sentence is generated: a player reads the paragraphs, and a developer reads the
//! rules text, in which each name is a link. The command `grognard book` writes the pages to files.
//!
//! # Example
//!
//! ```
//! use grognard_base::Sources;
//! use grognard_book::{book, pages};
//! use grognard_kit::Shelf; // a library of texts in memory, for tests
//!
//! let text = "ruleset first/volley
//! param hit_on \"A shot hits on\" = 4
//! kind Squad { state men : 0..20 }
//! proc volley(shooters: Squad, target: Squad) \"A volley\" {
//!   roll aim = shooters.men of d6
//!   set target.men -= count aim >= hit_on
//! }";
//! let library = Shelf::of(&[("first/volley.rules", text)]);
//! let book = book("first/volley", &library, &mut Sources::default(), false).unwrap();
//! let volley = book.chapters[0].articles.iter().find(|a| a.title == "A volley").unwrap();
//! assert!(volley.source.plain().contains("roll aim = shooters.men of d6"));
//! assert!(pages(&book).iter().any(|(file, _)| file == "index.html"));
//! ```
//!
//! This crate reads and writes no files: texts come from the library, and pages are strings.

mod html;
mod items;
mod model;
mod odds;
mod plainly;
mod player;
mod player_pages;
mod sheet;
mod tell;
mod words;

pub use html::{MARKER, STYLE, pages, sheet_page};
pub use model::{Article, Book, Chapter, Entry, Grid, Named};
pub use player::{Manual, Passage, Section, Sentences, Settled, Term};
pub use sheet::Sheet;
pub use words::{Bit, Words};

use grognard_base::value::*;
use grognard_base::{Diagnostic, Effort, FileId, OrdMap, OrdSet, Sources, Span};
use grognard_lab::diff::{self, ChangeSort, ItemChange};
use grognard_play::coverage::Coverage;
use grognard_program::{Built, Detail};
use grognard_rules::index::Means;
use grognard_rules::ruleset::Ruleset;
use grognard_rules::{EditorNames, Library, ParsedTexts, load_indexed, merged_parsed};
use grognard_syntax::Plain;
use grognard_syntax::tree::{self, Item, ItemKind, MemberKind};
use items::id;
use std::sync::Arc;
use tell::{Target, Teller};
use words::{capital, human};

/// The page of the register.
const CLAUSES: &str = "clauses.html";

/// A chapter under construction: its start in the file, and its items.
struct Place<'t> {
    file: FileId,
    start: u32,
    chapter: Chapter,
    items: Vec<&'t Item>,
}

/// Builds the book of a ruleset, with or without exact odds.
///
/// # Errors
///
/// Returns the diagnostics if the rules do not load or contain errors.
pub fn book(path: &str, library: &dyn Library, sources: &mut Sources, odds: bool) -> Result<Book, Vec<Diagnostic>> {
    let (loaded, names) = load_indexed(path, library, sources, &ParsedTexts::default());
    let rules = loaded.sound()?;
    let known = ParsedTexts::of(sources);
    let mut places = chapters(&names, &rules, &known);
    for item in &names.items {
        let at = place_of(item, &names, sources);
        let within = |p: &Place<'_>| p.file == at.file && p.start <= at.start;
        if let Some(n) = places.iter().rposition(within) {
            places[n].items.push(item);
        }
    }
    places.retain(|p| {
        p.items.iter().any(|item| !matches!(item.kind, ItemKind::SetReading { .. } | ItemKind::SetCell { .. }))
    });
    for (n, place) in places.iter_mut().enumerate() {
        place.chapter.page = page_of(n + 1, &place.chapter.title);
    }
    let changes = changes(&rules, library, sources, &known);
    let plain = Plain::new(sources);
    let mut found = Targets::new(&rules, &names, sources);
    for place in &places {
        place.items.iter().for_each(|item| found.item(item, &place.chapter.page));
    }
    found.cases();
    let Targets { targets, cited, index, .. } = found;
    let teller = Teller { index: &names.index, rules: &rules, sources, plain: &plain, targets: &targets };
    let is_literate = rules.register.iter().any(|clause| known.file(clause.span.file).is_some());
    let mut book = Book {
        name: title_of(&rules.path),
        files: rules.chain.clone(),
        clauses: register(&rules, &cited, is_literate),
        names: index.into_iter().collect(),
        ..Book::default()
    };
    book.about = about(&rules);
    let can_run = rules.open.is_empty();
    let built = |detail| Built::new(rules.clone(), detail);
    let mut asked = (can_run && odds).then(|| odds::Odds::new(built(Detail::Plain), sources.clone()));
    let mut odds_of_tests: OrdMap<String, Grid> = OrdMap::new();
    for place in places {
        let mut chapter = place.chapter;
        for item in place.items {
            add(&mut chapter, item, &teller, &changes);
            let (Some(asked), Some(article)) = (&mut asked, chapter.articles.last_mut()) else { continue };
            let name = match &item.kind {
                ItemKind::Test(test) => &test.name.text,
                ItemKind::Proc(found) if found.result.is_some() => &found.name.text,
                _ => continue,
            };
            let Some(func) = teller.function(name) else { continue };
            let Some(found) = asked.rendered(name, func) else { continue };
            if let ItemKind::Test(_) = &item.kind {
                odds_of_tests.insert(name.clone(), found.clone());
            }
            article.grids.push(found);
        }
        book.chapters.push(chapter);
    }
    book.changes = own_changes(&rules, &changes, &cited);
    let here = |file: FileId| names.files.contains(&file);
    for item in names.items.iter().filter(|item| !here(sources.origin(item.span).file)) {
        attach(item, &mut book.chapters, sources);
    }
    let declares = |item: &&Arc<Item>| !matches!(item.kind, ItemKind::SetReading { .. } | ItemKind::SetCell { .. });
    let declared = names.items.iter().filter(declares);
    let merged: OrdMap<Span, &Item> = declared.map(|item| (place_of(item, &names, sources), item.as_ref())).collect();
    let examples = match can_run && is_literate {
        true => examples(&built(Detail::Covered), sources),
        false => OrdMap::new(),
    };
    let maker = player::Maker {
        names: &names,
        known: &known,
        teller: &teller,
        merged: &merged,
        odds: &odds_of_tests,
        examples: &examples,
    };
    book.manual = maker.manual();
    book.sheet = teller.sheet(&names.items);
    Ok(book)
}

/// Returns the number of examples that run each clause of the paragraphs.
fn examples(built: &Built, sources: &Sources) -> OrdMap<String, usize> {
    let mut coverage = Coverage::default();
    coverage.add_paragraphs("", &built.rules, sources, |_| true);
    coverage.run_examples("", built, sources, Effort::Quick.budget());
    let clauses = coverage.books().flat_map(|book| &book.clauses);
    clauses.map(|covered| (covered.clause.id.clone(), covered.run_by.len())).collect()
}

/// Returns the chapters of the files: one for each section, and one for the items before the first section.
fn chapters<'t>(names: &EditorNames, rules: &Ruleset, known: &ParsedTexts) -> Vec<Place<'t>> {
    let mut places = Vec::new();
    for (from, file) in names.files.iter().enumerate() {
        let Some(read) = known.file(*file) else { continue };
        let path = rules.chain.get(from).map_or("", |(path, _)| path.as_str());
        let name = path.rsplit('/').next().unwrap_or_default().replace('-', " ");
        let chapter = |title: String| Chapter { title, from, ..Chapter::default() };
        places.push(Place { file: *file, start: 0, chapter: chapter(capital(&human(&name))), items: Vec::new() });
        for item in &read.items {
            if let ItemKind::Section(title) = &item.kind {
                let start = item.span.start;
                places.push(Place { file: *file, start, chapter: chapter(title.text.clone()), items: Vec::new() });
            }
        }
    }
    places
}

/// Returns the file name of a chapter: its number, and ASCII words of its title.
fn page_of(number: usize, title: &str) -> String {
    let plain: String =
        title.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' }).collect();
    let words = plain.split_whitespace().take(6).map(|word| word.get(..24).unwrap_or(word));
    let name: String = words.flat_map(|word| ["-", word]).collect();
    format!("{number:02}{name}.html")
}

/// Returns the position of an item in the book, which is that of the first declaration with its name.
fn place_of(item: &Item, names: &EditorNames, sources: &Sources) -> Span {
    let own = match &item.kind {
        ItemKind::Example(example) => example.title.span,
        ItemKind::ExtendKind { .. } => item.span,
        kind => grognard_rules::item_name(kind).map_or(item.span, |name| name.span),
    };
    names.index.root(sources.origin(own))
}

fn about(rules: &Ruleset) -> Vec<String> {
    let mut about = Vec::new();
    let versions: Vec<String> = rules
        .chain
        .iter()
        .map(|(path, version)| match version.as_str() {
            "" => path.clone(),
            version => format!("{path} (version {version})"),
        })
        .collect();
    let word = if rules.variant { "A variant" } else { "An edition" };
    match versions.as_slice() {
        [_] => about.extend(versions.first().map(|own| format!("{own}."))),
        [.., own] => about.push(format!("{word}: {own}, on {}.", versions[..versions.len() - 1].join(", "))),
        [] => {}
    }
    if !rules.open.is_empty() {
        let open: Vec<String> = rules.open.iter().map(|id| spoken(&rules.items[id.at()].name)).collect();
        about.push(format!("Each edition must define: {}. No odds are shown.", open.join(", ")));
    }
    about
}

/// Returns the name of an item as text: `Unit.nerve` becomes `Nerve of Unit`.
fn spoken(name: &str) -> String {
    match name.split_once('.') {
        Some((kind, field)) => format!("{} of {}", capital(&human(field)), human(kind)),
        None => capital(&human(name)),
    }
}

/// Formats a path such as `warstrike/salvo-threshold` as a title.
fn title_of(path: &str) -> String {
    let part = |part: &str| capital(&human(part).replace('-', " "));
    path.split('/').map(part).collect::<Vec<_>>().join(": ")
}

/// Returns the name of an item with its kind, as differences name it.
fn full_name(kind: &ItemKind) -> String {
    let name = grognard_rules::item_name(kind).map_or(String::new(), |n| n.text.clone());
    match kind {
        ItemKind::Let(tree::Let { of: Some(of), .. }) => format!("{}.{name}", of.text),
        _ => name,
    }
}

/// Adds an item to its chapter.
fn add(chapter: &mut Chapter, item: &Item, teller: &Teller<'_>, changes: &[(String, Vec<ItemChange>)]) {
    let word = grognard_rules::item_word(&item.kind);
    let name = full_name(&item.kind);
    let changed = changes.iter().filter_map(|(by, all)| {
        let own =
            all.iter().find(|c| c.what == ChangeSort::Changed && c.word == word && c.name == name && word != "kind")?;
        Some((
            by.clone(),
            own.parts.iter().map(|part| rendered(part, if word == "param" { &name } else { "" })).collect(),
        ))
    });
    let changed: Vec<(String, Vec<Words>)> = changed.collect();
    match &item.kind {
        ItemKind::Example(example) => {
            let text = teller.sources.slice(item.span).to_string();
            if chapter.articles.is_empty() {
                chapter.articles.push(Article { id: "examples".into(), ..Article::default() });
            }
            if let Some(last) = chapter.articles.last_mut() {
                last.examples.push((example.title.text.clone(), text));
            }
        }
        ItemKind::Param(param) => {
            let open = chapter.articles.last().is_some_and(|a| a.word == "numbers" && a.examples.is_empty());
            if !open {
                let heads = ["number", "meaning", "here", "worth trying"].map(Words::from).to_vec();
                let grid = Grid { heads, ..Grid::default() };
                let id = id("numbers", &param.name.text);
                chapter.articles.push(Article { id, word: "numbers".into(), grids: vec![grid], ..Article::default() });
            }
            let Some(article) = chapter.articles.last_mut() else { return };
            let value = teller.plain.line(param.value.span).replace('"', "″");
            let sweep: Vec<String> = param.sweep.iter().map(|r| teller.plain.line(r.span).replace('"', "″")).collect();
            let title = param.title.as_ref().map_or(String::new(), |t| t.text.clone());
            let row = vec![
                human(&param.name.text).into(),
                title.into(),
                Words(vec![Bit::Value(value)]),
                sweep.join(", ").into(),
            ];
            if let Some(grid) = article.grids.first_mut() {
                grid.rows.push((id("param", &param.name.text), row));
            }
            for cite in &item.cited {
                if !article.cites.contains(&cite.text) {
                    article.cites.push(cite.text.clone());
                }
            }
            let above = std::mem::take(&mut article.source);
            let between = if above.is_empty() { "" } else { "\n" };
            article.source = above.then(between).then(teller.linked(item.span));
            article.changed.extend(changed);
        }
        _ => {
            let Some(mut article) = teller.article(item) else { return };
            article.id = place(item);
            article.changed = changed;
            chapter.articles.push(article);
        }
    }
}

/// Adds an example from a file of examples to the article of the item that it calls.
fn attach(item: &Item, chapters: &mut [Chapter], sources: &Sources) {
    let ItemKind::Example(example) = &item.kind else { return };
    let Some(call) = &example.call else { return };
    let heading = capital(&human(&call.name.text));
    let called = chapters.iter_mut().flat_map(|chapter| &mut chapter.articles).find(|a| a.heading == heading);
    if let Some(article) = called {
        article.examples.push((example.title.text.clone(), sources.slice(item.span).to_string()));
    }
}

/// Returns the anchor of an item on its page.
fn place(item: &Item) -> String {
    match &item.kind {
        // Each file can extend a kind, several times.
        ItemKind::ExtendKind { name, .. } => {
            id("more", &format!("{}-{}-{}", name.text, item.span.file.0, item.span.start))
        }
        kind => id(grognard_rules::item_word(kind), &full_name(kind)),
    }
}

/// Renders a difference as text.
fn rendered(part: &diff::Part, name: &str) -> Words {
    let code = |text: &str| Words(vec![Bit::Code(text.to_string())]);
    let what = if part.what == "line" { String::new() } else { format!("{}: ", part.what) };
    let words = Words::from(if name.is_empty() { what } else { format!("{}, {what}", human(name)) });
    match (&part.old, &part.new) {
        (Some(old), Some(new)) => words.then(code(old)).then(" became ").then(code(new)),
        (Some(old), None) => words.then(code(old)).then(" is gone"),
        (None, Some(new)) => words.then(code(new)).then(" is new"),
        (None, None) => words,
    }
}

/// Computes the changes that each file above the base makes to the file that it extends.
fn changes(
    rules: &Ruleset,
    library: &dyn Library,
    sources: &mut Sources,
    known: &ParsedTexts,
) -> Vec<(String, Vec<ItemChange>)> {
    let versions: Vec<Vec<Arc<Item>>> = match rules.chain.len() {
        0 | 1 => return Vec::new(),
        _ => rules.chain.iter().map(|(path, _)| merged_parsed(path, library, sources, known)).collect(),
    };
    let pairs = versions.windows(2).zip(rules.chain.iter().skip(1));
    pairs.map(|(pair, (path, _))| (path.clone(), diff::diff(&pair[0], &pair[1], sources))).collect()
}

/// Returns the changes of the last file, as a list for the first page.
fn own_changes(rules: &Ruleset, changes: &[(String, Vec<ItemChange>)], cited: &OrdMap<String, String>) -> Vec<Words> {
    let own = changes.iter().filter(|(by, _)| *by == rules.path).flat_map(|(_, all)| all);
    let rendered = own.filter(|c| c.word != "example").map(|change| {
        let name = format!("{} {}", change.word, change.name);
        let sort = items::sort_of(change.word);
        let shown = match cited.get(&name) {
            Some(href) => Words(vec![Bit::Link(capital(&human(&change.name)), href.clone(), change.title.clone())]),
            None => Words::from(capital(&human(&change.name))),
        };
        let what = match change.what {
            ChangeSort::Added => "new",
            ChangeSort::Removed => "removed",
            ChangeSort::Changed => "changed",
        };
        let title = if change.title.is_empty() { String::new() } else { format!(": {}", change.title) };
        Words::from(format!("{}, {what}: ", capital(sort))).then(shown).then(title)
    });
    rendered.collect()
}

fn register(rules: &Ruleset, cited: &OrdMap<String, String>, is_literate: bool) -> Vec<Entry> {
    let entry = |clause: &grognard_rules::ruleset::Clause| {
        let mut by: Vec<(String, String)> = Vec::new();
        for citation in rules.cited.get(&clause.id).into_iter().flatten() {
            let Some(href) = cited.get(&citation.item) else { continue };
            let name = citation.item.split_once(' ').map_or(citation.item.as_str(), |(_, name)| name);
            let one = (capital(&human(name)), href.clone());
            if !by.contains(&one) {
                by.push(one);
            }
        }
        let status = clause.status.word();
        let (id, section) = (clause.id.clone(), clause.section.clone());
        let page = if is_literate { html::FIRST } else { CLAUSES };
        let href = format!("{page}#{id}");
        Entry { id, section, says: clause.says.clone(), status, decided: clause.decided.clone(), href, cited: by }
    };
    rules.register.iter().map(entry).collect()
}

/// A collector of the pages and anchors where names are explained.
struct Targets<'t> {
    rules: &'t Ruleset,
    names: &'t EditorNames,
    sources: &'t Sources,
    targets: OrdMap<Span, Target>,
    /// The links of items by their names, such as `rule Panic` or `stat Unit.ld`.
    cited: OrdMap<String, String>,
    index: OrdSet<Named>,
}

impl<'t> Targets<'t> {
    fn new(rules: &'t Ruleset, names: &'t EditorNames, sources: &'t Sources) -> Targets<'t> {
        let (targets, cited, index) = (OrdMap::new(), OrdMap::new(), OrdSet::new());
        Targets { rules, names, sources, targets, cited, index }
    }

    fn put(&mut self, at: Span, word: &'static str, name: &str, title: &str, href: String) {
        let short = name.rsplit('.').next().unwrap_or(name);
        let words = title.split(' ').count();
        let as_titled = ["stat", "state", "let"].contains(&word) && name.contains('.') && (1..=3).contains(&words);
        let is_flag = self.rules.fields.iter().any(|f| {
            *f.ty.present() == Type::Flag
                && self.sources.origin(self.rules.items[f.item.at()].span) == self.sources.origin(at)
        });
        let called = if as_titled && !title.is_empty() && !is_flag { title.to_string() } else { human(short) };
        self.cited.insert(format!("{word} {name}"), href.clone());
        let (key, shown) = (short.to_lowercase(), name.to_string());
        self.index.insert(Named {
            key,
            name: shown,
            word: items::sort_of(word).into(),
            title: title.into(),
            href: href.clone(),
        });
        self.targets.insert(self.sources.origin(at), Target { href, called, title: title.to_string() });
    }

    fn item(&mut self, item: &Item, page: &str) {
        let (word, full) = (grognard_rules::item_word(&item.kind), full_name(&item.kind));
        let title = grognard_rules::item_title(&item.kind).map_or("", |t| t.text.as_str());
        let members = match &item.kind {
            ItemKind::Kind(tree::Kind { name, members, .. }) | ItemKind::ExtendKind { name, members } => {
                Some((&name.text, members))
            }
            _ => None,
        };
        if let Some(name) = grognard_rules::item_name(&item.kind) {
            self.put(name.span, word, &full, title, format!("{page}#{}", place(item)));
        }
        if let ItemKind::ExtendKind { name, .. } = &item.kind {
            self.cited.insert(format!("extend kind {}", name.text), format!("{page}#{}", place(item)));
        }
        for (kind, member) in members.into_iter().flat_map(|(kind, all)| all.iter().map(move |m| (kind, m))) {
            let (word, name, title) = match &member.kind {
                MemberKind::Stat(f) => ("stat", &f.name, f.title.as_ref()),
                MemberKind::State(f) => ("state", &f.name, f.title.as_ref()),
                MemberKind::Link { name, .. } => ("link", name, None),
                MemberKind::Let(l) => ("let", &l.name, l.title.as_ref()),
                MemberKind::Owner(_) => continue,
            };
            let full = format!("{kind}.{}", name.text);
            let title = title.map_or("", |t| t.text.as_str());
            let href = format!("{page}#{}", id("field", &full));
            self.put(name.span, word, &full, title, href);
        }
    }

    /// Adds the cases of enums and readings, which are explained at their enum or reading.
    fn cases(&mut self) {
        for (at, means) in &self.names.index.declared {
            let Means::Case(of, n) = means else { continue };
            let Some(of) = self.rules.enums.get(of.at()) else { continue };
            let item = self.sources.origin(self.rules.items[of.item.at()].span);
            if let (Some(target), Some(case)) = (self.targets.get(&item).cloned(), of.cases.get(*n)) {
                self.targets.insert(*at, Target { called: human(case), ..target });
            }
        }
    }
}
