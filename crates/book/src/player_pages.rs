//! Renders the rulebook of a player and the reference sheet as HTML.

use super::html::{Clauses, cite, grid, link, mark, piece, text};
use super::model::{Book, Grid};
use super::player::{Manual, Passage, Sentences, Settled};
use super::sheet::Sheet;
use super::words::Words;
use grognard_base::OrdMap;
use grognard_report::markup::Markup;

/// The heading of the chapters without paragraphs.
const APPENDIX: &str = "Not in the printed book";
/// Length of the longest row that fits into a column of the sheet, in bytes.
const WIDE: usize = 80;

/// Writes the whole rulebook as one page, so that it prints as one document.
pub fn manual(out: &mut Markup, book: &Book, manual: &Manual, clauses: &Clauses<'_>) {
    let anchor = |n: usize| format!("chapter-{}", n + 1);
    let parts = || manual.chapters.iter().enumerate();
    out.content("h1", &[], &book.name);
    book.about.iter().for_each(|text| out.content("p", &[("class", "soft".into())], text));
    // An edition or a variant without paragraphs of its own says here what it changes.
    let mut changed: OrdMap<&str, Vec<&str>> = OrdMap::new();
    for found in manual.chapters.iter().flat_map(|chapter| &chapter.passages) {
        let Some(first) = found.clauses.first() else { continue };
        found.added.iter().for_each(|(by, _)| changed.entry(by).or_default().push(&first.id));
    }
    for (by, ids) in &changed {
        cited(out, &format!("{by} changes or completes "), ids, clauses);
    }
    out.begin("ol", &[("class", "contents".into())]);
    for (n, chapter) in parts().filter(|(_, chapter)| chapter.of_the_book) {
        out.run("li", &[], &[link(&chapter.title, &format!("#{}", anchor(n)), "")]);
    }
    let more = manual.chapters.iter().any(|chapter| !chapter.of_the_book);
    for (title, anchor) in more.then_some((APPENDIX, "#more")).into_iter().chain([("Index", "#index")]) {
        out.run("li", &[], &[link(title, anchor, "")]);
    }
    out.end();
    let mut appendix = false;
    for (n, chapter) in parts() {
        if !chapter.of_the_book && !appendix {
            appendix = true;
            out.content("h2", &[("id", "more".into()), ("class", "appendix".into())], APPENDIX);
        }
        out.begin("section", &[("class", "chapter".into()), ("id", anchor(n))]);
        out.content(if appendix { "h3" } else { "h2" }, &[], &chapter.title);
        chapter.passages.iter().for_each(|found| passage(out, found, clauses));
        out.end();
    }
    out.content("h2", &[("id", "index".into()), ("class", "appendix".into())], "Index");
    out.begin("ul", &[("class", "names".into())]);
    for term in &manual.terms {
        let mut line = vec![piece(Some("b"), &[], &term.term)];
        if !term.title.is_empty() {
            line.push(piece(None, &[], &format!(" ({})", term.title)));
        }
        line.push(piece(None, &[], ", "));
        line.push(link(&term.at, &format!("#{}", term.anchor), ""));
        out.run("li", &[], &line);
    }
    out.end();
}

fn passage(out: &mut Markup, found: &Passage, clauses: &Clauses<'_>) {
    let place = found.clauses.is_empty().then(|| ("id", found.anchor.clone()));
    let attributes: Vec<_> = [("class", "passage".to_string())].into_iter().chain(place).collect();
    out.begin("div", &attributes);
    // The readings answer the last open point of the group that has no decision.
    let open = |clause: &Sentences| clause.status == "hole" && clause.decided.is_empty();
    let last = found.clauses.iter().rposition(open);
    for (n, clause) in found.clauses.iter().enumerate() {
        paragraph(out, clause, if last == Some(n) { &found.readings } else { &[] });
    }
    if last.is_none() && !found.readings.is_empty() {
        out.begin("div", &[("class", "open".into())]);
        found.readings.iter().for_each(|reading| settled(out, reading));
        out.end();
    }
    content(out, found, clauses);
    for (by, added) in found.added.iter().filter(|(_, added)| !added.is_empty()) {
        out.begin("div", &[("class", "added".into())]);
        out.content("p", &[("class", "by".into())], &format!("In {by}:"));
        added.readings.iter().for_each(|reading| settled(out, reading));
        content(out, added, clauses);
        out.end();
    }
    out.end();
}

fn paragraph(out: &mut Markup, clause: &Sentences, readings: &[Settled]) {
    out.begin("div", &[("class", format!("paragraph {}", clause.status)), ("id", clause.id.clone())]);
    let mut margin = vec![piece(Some("span"), &[("class", "id")], &clause.id)];
    if clause.examples > 0 {
        let many = if clause.examples == 1 { "" } else { "s" };
        margin.push(piece(None, &[], " "));
        margin.push(piece(Some("small"), &[], &format!("{} example{many}", clause.examples)));
    }
    out.run("p", &[("class", "margin".into())], &margin);
    out.begin("div", &[]);
    if clause.status == "hole" {
        let lead = piece(Some("em"), &[], "The book is open here:");
        out.run("p", &[], &[lead, piece(None, &[], &format!(" {}", clause.says))]);
        if !clause.decided.is_empty() {
            out.content("p", &[], &format!("We play: {}", ended(&clause.decided)));
        }
        readings.iter().for_each(|reading| settled(out, reading));
    } else {
        let mut line = vec![piece(None, &[], &clause.says)];
        line.extend(mark(clause.status));
        out.run("p", &[], &line);
    }
    out.end();
    out.end();
}

fn settled(out: &mut Markup, reading: &Settled) {
    if !reading.open.is_empty() {
        let lead = piece(Some("em"), &[], "The book is open here:");
        out.run("p", &[], &[lead, piece(None, &[], &format!(" {}", ended(&reading.open)))]);
    }
    let reason = match reading.reason.as_str() {
        "" => String::new(),
        reason => format!(" Reason: {}", ended(reason)),
    };
    let answer = piece(Some("strong"), &[], &ended(&reading.answer));
    out.run("p", &[], &[piece(None, &[], "We read: "), answer, piece(None, &[], &reason)]);
    if !reading.others.is_empty() {
        let others = format!("Another reading: {}", ended(&reading.others.join("; or ")));
        out.content("p", &[("class", "soft".into())], &others);
    }
}

/// Writes the items of a passage, except its readings.
fn content(out: &mut Markup, found: &Passage, clauses: &Clauses<'_>) {
    for name in &found.named {
        out.content("p", &[], &ended(name));
    }
    if !found.numbers.is_empty() {
        out.begin("dl", &[("class", "values".into())]);
        for (title, value) in &found.numbers {
            out.begin("div", &[]);
            out.content("dt", &[], title);
            out.content("dd", &[], value);
            out.end();
        }
        out.end();
    }
    found.grids.iter().for_each(|found| grid(out, found));
    if !found.changed_by.is_empty() {
        cited(out, "Changed by ", &found.changed_by, clauses);
    }
    if !found.source.is_empty() {
        out.begin("details", &[]);
        out.content("summary", &[], "as rules");
        text(out, &found.source);
        out.end();
    }
}

/// Writes a line that ends with links to clauses.
fn cited(out: &mut Markup, lead: &str, ids: &[impl AsRef<str>], clauses: &Clauses<'_>) {
    let mut line = vec![piece(None, &[], lead)];
    for (n, id) in ids.iter().enumerate() {
        line.push(piece(None, &[], if n == 0 { "" } else { ", " }));
        line.push(cite(id.as_ref(), clauses));
    }
    out.run("p", &[("class", "by".into())], &line);
}

/// Writes the reference sheet: narrow tables in columns, then wide ones.
pub fn sheet(out: &mut Markup, name: &str, sheet: &Sheet) {
    out.content("h1", &[], name);
    let length = |row: &[Words]| row.iter().map(|words| words.plain().len()).sum::<usize>();
    let is_wide = |grid: &&Grid| grid.heads.len() > 4 || grid.rows.iter().any(|(_, row)| length(row) > WIDE);
    let (wide, narrow): (Vec<&Grid>, Vec<&Grid>) = sheet.grids.iter().partition(is_wide);
    for (class, grids) in [("sheet columns", narrow), ("sheet", wide)] {
        if !grids.is_empty() {
            out.begin("div", &[("class", class.into())]);
            grids.into_iter().for_each(|found| grid(out, found));
            out.end();
        }
    }
}

/// Returns a text that ends like a sentence.
fn ended(text: &str) -> String {
    if text.ends_with(['.', '!', '?', ':']) { text.to_string() } else { format!("{text}.") }
}
