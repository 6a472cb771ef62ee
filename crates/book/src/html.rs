//! Renders a book as HTML pages that need no script, no network and no other file. [`Markup`] escapes all text.
//!
//! If the ruleset has paragraphs, the first page is the rulebook of a player, and the pages about items are its
//! reference.

use super::CLAUSES;
use super::model::{Article, Book, Chapter, Grid};
use super::player_pages;
use super::words::{Bit, Words};
use grognard_base::OrdMap;
use grognard_report::markup::{Markup, MarkupPiece};

/// The style sheet of the pages.
pub const STYLE: &str = include_str!("style.css");
/// Name of the file that marks a folder as a book and lists the files of the book.
pub const MARKER: &str = "grognard-book.txt";
/// The file names of the first page, the reference sheet, the reference of a rulebook, and the index of names.
pub(super) const FIRST: &str = "index.html";
const SHEET: &str = "sheet.html";
const REFERENCE: &str = "reference.html";
const NAMES: &str = "names.html";
pub(super) type Clauses<'b> = OrdMap<&'b str, &'b super::model::Entry>;

/// Renders the pages of a book, as file names with their contents.
pub fn pages(book: &Book) -> Vec<(String, String)> {
    let clauses: Clauses<'_> = book.clauses.iter().map(|c| (c.id.as_str(), c)).collect();
    let mut pages = Vec::new();
    if let Some(manual) = &book.manual {
        let text = page(book, &book.name, FIRST, |out| player_pages::manual(out, book, manual, &clauses));
        pages.push((FIRST.to_string(), text));
    }
    let (contents, title) = match book.manual {
        Some(_) => (REFERENCE, "The rules as the program reads them"),
        None => (FIRST, book.name.as_str()),
    };
    pages.push((contents.to_string(), page(book, title, contents, |out| first(out, book, title))));
    let sheet = |out: &mut Markup| player_pages::sheet(out, &book.name, &book.sheet);
    pages.push((SHEET.to_string(), page(book, "Reference sheet", SHEET, sheet)));
    for (n, chapter) in book.chapters.iter().enumerate() {
        let text = page(book, &chapter.title, &chapter.page, |out| chapter_page(out, book, n, &clauses));
        pages.push((chapter.page.clone(), text));
    }
    if has_register(book) {
        pages.push((CLAUSES.to_string(), page(book, "Clauses", CLAUSES, |out| register(out, book))));
    }
    pages.push((NAMES.to_string(), page(book, "Names", NAMES, |out| names(out, book))));
    pages
}

/// Renders only the reference sheet, as a page without links to other pages.
pub fn sheet_page(book: &Book) -> String {
    let mut out = Markup::page(&book.name, STYLE);
    out.begin("main", &[("id", "text".into())]);
    player_pages::sheet(&mut out, &book.name, &book.sheet);
    format!("<!DOCTYPE html>\n{}", out.finish())
}

/// Returns whether the book has a page for its register. In a rulebook, the clauses are on the first page.
fn has_register(book: &Book) -> bool {
    book.manual.is_none() && !book.clauses.is_empty()
}

fn page(book: &Book, title: &str, own: &str, body: impl FnOnce(&mut Markup)) -> String {
    let whole = if title == book.name { title.to_string() } else { format!("{title} – {}", book.name) };
    let mut out = Markup::page(&whole, STYLE);
    out.content("a", &[("class", "skip".into()), ("href", "#text".into())], "To the text");
    out.begin("nav", &[("class", "top".into()), ("aria-label", "Book".into())]);
    let reference = ("The rules as the program reads them", REFERENCE);
    let all =
        [(book.name.as_str(), FIRST), ("Reference sheet", SHEET), reference, ("Clauses", CLAUSES), ("Names", NAMES)];
    for (name, href) in all {
        let is_there = match href {
            CLAUSES => has_register(book),
            REFERENCE => book.manual.is_some(),
            _ => true,
        };
        if !is_there {
            continue;
        }
        let here = (own == href).then(|| ("aria-current", "page".to_string()));
        let attributes: Vec<_> = [("href", href.to_string())].into_iter().chain(here).collect();
        out.content("a", &attributes, name);
    }
    out.end();
    out.begin("main", &[("id", "text".into())]);
    body(&mut out);
    format!("<!DOCTYPE html>\n{}", out.finish())
}

pub(super) fn piece(tag: Option<&'static str>, attributes: &[(&'static str, &str)], text: &str) -> MarkupPiece {
    let attributes = attributes.iter().map(|(name, value)| (*name, (*value).to_string())).collect();
    MarkupPiece { tag, attributes, text: text.to_string() }
}

pub(super) fn link(text: &str, href: &str, title: &str) -> MarkupPiece {
    let title = Some(("title", title)).filter(|(_, title)| !title.is_empty());
    let attributes: Vec<_> = [("href", href)].into_iter().chain(title).collect();
    piece(Some("a"), &attributes, text)
}

/// Returns a citation of a clause. It is a link if the register contains the clause.
pub(super) fn cite(id: &str, clauses: &Clauses<'_>) -> MarkupPiece {
    match clauses.get(id) {
        Some(clause) => {
            let mut piece = link(id, &clause.href, &clause.says);
            piece.attributes.push(("class", "cite".into()));
            piece
        }
        None => piece(Some("span"), &[("class", "cite")], id),
    }
}

fn pieces(words: &Words) -> Vec<MarkupPiece> {
    let rendered = |bit: &Bit| match bit {
        Bit::Text(text) => piece(None, &[], text),
        Bit::Value(text) => piece(Some("b"), &[], text),
        Bit::Link(text, href, title) => link(text, href, title),
        Bit::Anchor(text, id) => piece(Some("span"), &[("id", id)], text),
        Bit::Code(text) => piece(Some("code"), &[], text),
    };
    words.0.iter().map(rendered).collect()
}

fn first(out: &mut Markup, book: &Book, title: &str) {
    out.content("h1", &[], title);
    book.about.iter().for_each(|text| out.content("p", &[], text));
    let how = "Each item is shown as its rules text, with its tables, odds and examples. Its clauses are next to it. A name \
               links to its explanation.";
    out.content("p", &[("class", "soft".into())], how);
    if !book.changes.is_empty() {
        out.content("h2", &[], "Differences from its base");
        out.begin("details", &[("open", "open".into())]);
        out.content("summary", &[], &format!("{} items", book.changes.len()));
        out.begin("ul", &[]);
        book.changes.iter().for_each(|words| out.run("li", &[], &pieces(words)));
        out.end();
        out.end();
    }
    out.content("h2", &[], "Contents");
    for (n, (path, version)) in book.files.iter().enumerate() {
        let own: Vec<&Chapter> = book.chapters.iter().filter(|c| c.from == n).collect();
        if own.is_empty() {
            continue;
        }
        let version = if version.is_empty() { String::new() } else { format!(", version {version}") };
        out.content("h3", &[], &format!("{path}{version}"));
        let first = book.chapters.iter().position(|c| c.from == n).unwrap_or(0) + 1;
        out.begin("ol", &[("class", "contents".into()), ("start", first.to_string())]);
        for chapter in own {
            out.begin("li", &[]);
            out.run("span", &[], &[link(&chapter.title, &chapter.page, "")]);
            let names = chapter.articles.iter().filter(|a| !a.heading.is_empty());
            let names: Vec<MarkupPiece> =
                names.map(|a| link(&a.heading, &format!("{}#{}", chapter.page, a.id), &a.title)).collect();
            let mut line = Vec::new();
            for (n, name) in names.into_iter().enumerate() {
                if n > 0 {
                    line.push(piece(None, &[], " · "));
                }
                line.push(name);
            }
            if !line.is_empty() {
                out.run("p", &[("class", "items".into())], &line);
            }
            out.end();
        }
        out.end();
    }
}

fn chapter_page(out: &mut Markup, book: &Book, n: usize, clauses: &Clauses<'_>) {
    let chapter = &book.chapters[n];
    let path = book.files.get(chapter.from).map_or("", |(path, _)| path.as_str());
    out.content("p", &[("class", "part".into())], &format!("{path}, chapter {}", n + 1));
    out.content("h1", &[], &chapter.title);
    chapter.articles.iter().for_each(|a| article(out, a, clauses));
    out.begin("nav", &[("class", "turn".into()), ("aria-label", "Chapters".into())]);
    let turn = |at: Option<usize>, rel: &str, sign: &str| {
        let chapter = at.and_then(|at| book.chapters.get(at))?;
        let text =
            if rel == "prev" { format!("{sign} {}", chapter.title) } else { format!("{} {sign}", chapter.title) };
        Some(piece(Some("a"), &[("href", &chapter.page), ("rel", rel)], &text))
    };
    for piece in [turn(n.checked_sub(1), "prev", "←"), turn(Some(n + 1), "next", "→")].into_iter().flatten() {
        out.run("p", &[], &[piece]);
    }
    out.end();
}

fn article(out: &mut Markup, a: &Article, clauses: &Clauses<'_>) {
    out.begin("article", &[("id", a.id.clone())]);
    out.begin("div", &[("class", "rule".into())]);
    if !a.heading.is_empty() {
        let head = [
            piece(None, &[], &a.heading),
            piece(None, &[], " "),
            piece(Some("small"), &[], &a.word),
            piece(None, &[], " "),
            piece(
                Some("a"),
                &[("class", "here"), ("href", &format!("#{}", a.id)), ("aria-label", "Link to this")],
                "#",
            ),
        ];
        out.run("h2", &[], &head);
    }
    if !a.title.is_empty() {
        out.run("p", &[("class", "title".into())], &[piece(Some("bdi"), &[], &a.title)]);
    }
    if !a.source.is_empty() {
        out.run("pre", &box_of("rules text"), &pieces(&a.source));
    }
    a.grids.iter().for_each(|found| grid(out, found));
    for (by, lines) in &a.changed {
        out.begin("div", &[("class", "changed".into())]);
        out.content("p", &[], &format!("Changed in {by}:"));
        out.begin("ul", &[]);
        lines.iter().for_each(|words| out.run("li", &[], &pieces(words)));
        out.end();
        out.end();
    }
    examples(out, a);
    out.end();
    beside(out, a, clauses);
    out.end();
}

/// Writes the examples of an item, which the reader can unfold.
fn examples(out: &mut Markup, a: &Article) {
    if !a.examples.is_empty() {
        out.begin("details", &[]);
        let many = if a.examples.len() == 1 { "" } else { "s" };
        out.content("summary", &[], &format!("{} example{many}", a.examples.len()));
        a.examples.iter().for_each(|(_, example)| text(out, example));
        out.end();
    }
}

/// Writes a text in a box that scrolls, also with the keyboard.
pub(super) fn text(out: &mut Markup, text: &str) {
    out.lines("pre", &box_of("rules text"), text);
}

/// Returns the attributes of a box that scrolls.
fn box_of(label: &str) -> [(&'static str, String); 3] {
    [("tabindex", "0".into()), ("role", "region".into()), ("aria-label", label.into())]
}

/// Writes the clauses of an item in a column next to it.
fn beside(out: &mut Markup, a: &Article, clauses: &Clauses<'_>) {
    if a.cites.is_empty() {
        return;
    }
    out.begin("aside", &[("aria-label", "Clauses".into())]);
    out.begin("dl", &[]);
    for id in &a.cites {
        let mut head = vec![cite(id, clauses)];
        let clause = clauses.get(id.as_str());
        if let Some(clause) = clause {
            head.push(piece(None, &[], " "));
            head.push(piece(Some("span"), &[("class", "where")], &clause.section));
            head.extend(mark(clause.status));
        }
        out.run("dt", &[], &head);
        out.content("dd", &[], clause.map_or("not in the register", |c| c.says.as_str()));
    }
    out.end();
    out.end();
}

/// Returns the mark of a clause that is not modeled in the rules, or no mark for other clauses.
pub(super) fn mark(status: &str) -> Vec<MarkupPiece> {
    let word = match status {
        "hole" => "left open",
        "external" => "another chapter",
        "commentary" => "commentary",
        _ => return Vec::new(),
    };
    vec![piece(None, &[], " "), piece(Some("span"), &[("class", &format!("mark {status}"))], word)]
}

pub(super) fn grid(out: &mut Markup, grid: &Grid) {
    let name = if grid.caption.is_empty() { "table" } else { grid.caption.as_str() };
    let scroll =
        [("class", "scroll".into()), ("tabindex", "0".into()), ("role", "region".into()), ("aria-label", name.into())];
    out.begin("div", &scroll);
    let class = if grid.numbers { "numbers" } else { "plain" };
    out.begin("table", &[("class", class.into())]);
    if !grid.caption.is_empty() {
        out.content("caption", &[], &grid.caption);
    }
    if !grid.heads.is_empty() {
        out.begin("thead", &[]);
        out.begin("tr", &[]);
        grid.heads.iter().for_each(|words| out.run("th", &[("scope", "col".into())], &pieces(words)));
        out.end();
        out.end();
    }
    out.begin("tbody", &[]);
    for (id, row) in &grid.rows {
        let place: &[(&str, String)] = if id.is_empty() { &[] } else { &[("id", id.clone())] };
        out.begin("tr", place);
        for (n, words) in row.iter().enumerate() {
            let rendered = pieces(words);
            if n == 0 { out.run("th", &[("scope", "row".into())], &rendered) } else { out.run("td", &[], &rendered) }
        }
        out.end();
    }
    out.end();
    out.end();
    out.end();
}

fn register(out: &mut Markup, book: &Book) {
    out.content("h1", &[], "Clauses");
    out.content(
        "p",
        &[("class", "soft".into())],
        "The clauses of the printed book, each in other words, with the rules that implement them.",
    );
    let mut section = "";
    for clause in &book.clauses {
        if clause.section != section || section.is_empty() {
            if !section.is_empty() {
                out.end();
            }
            section = clause.section.as_str();
            out.content("h2", &[], section);
            out.begin("dl", &[("class", "register".into())]);
        }
        let mut head = vec![piece(None, &[], &clause.id)];
        head.extend(mark(clause.status));
        out.run("dt", &[("id", clause.id.clone())], &head);
        out.begin("dd", &[]);
        out.content("p", &[], &clause.says);
        if !clause.decided.is_empty() {
            out.content("p", &[], &format!("Decided: {}", clause.decided));
        }
        let mut line = Vec::new();
        for (n, (name, href)) in clause.cited.iter().enumerate() {
            line.push(piece(None, &[], if n == 0 { "→ " } else { ", " }));
            line.push(link(name, href, ""));
        }
        if !line.is_empty() {
            out.run("p", &[("class", "items".into())], &line);
        }
        out.end();
    }
}

fn names(out: &mut Markup, book: &Book) {
    out.content("h1", &[], "Names");
    let mut letter = None;
    for named in &book.names {
        let own = named.key.chars().next().map(|c| c.to_ascii_uppercase());
        if own != letter {
            if letter.is_some() {
                out.end();
            }
            letter = own;
            out.content("h2", &[], &own.map_or(String::new(), |c| c.to_string()));
            out.begin("ul", &[("class", "names".into())]);
        }
        let mut line = vec![link(&named.name, &named.href, ""), piece(None, &[], " ")];
        line.push(piece(Some("small"), &[], &named.word));
        if !named.title.is_empty() {
            line.push(piece(None, &[], &format!(" {}", named.title)));
        }
        out.run("li", &[], &line);
    }
}
