//! Reports clause coverage: the items that cite each clause, and the examples and scenarios that ran it.

use super::counted;
use super::finding::{Finding, WIDTH};
use grognard_play::coverage::{Book, Citer, Coverage, Covered, Runner};
use grognard_rules::ruleset::ClauseStatus;
use serde_json::{Value, json};
use std::path::Path;

/// Column at which the text about a clause begins.
const INDENT: usize = 20;
/// Minimum width of the column with file and line.
const PLACES: usize = 22;

/// Returns every clause under its section, the totals of each register, and the clauses that are not cited or not run.
pub fn coverage(coverage: &Coverage) -> Finding {
    let mut out = Finding::new("coverage");
    for book in coverage.books() {
        out.head(book.name.as_str());
        let mut section = "";
        for covered in &book.clauses {
            if covered.clause.section != section {
                section = &covered.clause.section;
                out.head(section);
            }
            clause(&mut out, book, covered);
        }
    }
    out.head("totals");
    coverage.books().for_each(|book| totals(&mut out, book));
    let (examples, scenarios) = coverage.ran;
    out.say(format!("{} and {} ran", counted(examples, "example"), counted(scenarios, "scenario")));
    for failed in &coverage.failed {
        out.warn(format!("fails, so what it ran does not count: {}", name(failed)));
    }
    closing(&mut out, coverage);
    facts(&mut out, coverage);
    out
}

fn clause(out: &mut Finding, book: &Book, covered: &Covered) {
    let clause = &covered.clause;
    let mut lines: Vec<String> = covered.cited_by.iter().map(|c| cited(book, c)).collect();
    if covered.is_uncited() {
        lines.push("NOT CITED".to_string());
    } else if covered.is_unrun() {
        lines.push("NOT RUN".to_string());
    }
    lines.extend(ran(covered));
    if !clause.decided.is_empty() {
        lines.push(format!("decided: {}", clause.decided));
    }
    let mut lines = lines.into_iter();
    let first = lines.next().unwrap_or_default();
    let head = format!("  {:<7} {:<11} {first}", clause.id, clause.status.word());
    out.item(head, lines.map(|line| format!("{:1$}{line}", "", INDENT)).collect());
}

/// Formats a citing item, such as `core.rules:120  rule RattledByHits "Rattled by hits"`. Files in the folder of the register are
/// shown without their folder.
fn cited(book: &Book, citer: &Citer) -> String {
    let title = if citer.title.is_empty() { String::new() } else { format!(" \"{}\"", citer.title) };
    let folder = book.name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let file = citer.at.file.strip_prefix(folder).map_or(citer.at.file.as_str(), |f| f.trim_start_matches('/'));
    format!("{:<PLACES$}  {}{title}", format!("{file}:{}", citer.at.line), citer.item)
}

fn name(runner: &Runner) -> String {
    match runner {
        Runner::Example { at, title } => format!("\"{title}\" ({at})"),
        Runner::Scenario { path } => path.clone(),
    }
}

/// Returns a line for the examples and a line for the scenarios that ran a clause, each with as many names as fit.
fn ran(covered: &Covered) -> Vec<String> {
    let (mut examples, mut scenarios) = (Vec::new(), Vec::new());
    for runner in &covered.run_by {
        match runner {
            Runner::Example { title, .. } => examples.push(format!("\"{title}\"")),
            Runner::Scenario { path } => {
                let stem = Path::new(path).file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
                scenarios.push(stem);
            }
        }
    }
    [("example", examples), ("scenario", scenarios)]
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| {
            let head = format!("run by {}: ", counted(names.len(), what));
            head.clone() + &some(&names, WIDTH - INDENT - head.chars().count())
        })
        .collect()
}

/// Returns the names that fit into `room` columns, and the number of the others. Always includes at least one name.
fn some(names: &[String], room: usize) -> String {
    let whole = names.join(", ");
    if whole.chars().count() <= room {
        return whole;
    }
    let mut text = String::new();
    for (n, name) in names.iter().enumerate() {
        let longer = if n == 0 { name.clone() } else { format!("{text}, {name}") };
        let rest = format!(" and {} more", names.len() - n - 1);
        if n > 0 && longer.chars().count() + rest.len() > room {
            return format!("{text} and {} more", names.len() - n);
        }
        text = longer;
    }
    text
}

/// Number of clauses of a book by status, and of those with a rule: how many there are, are cited, and ran.
struct ClauseCounts {
    of: [(ClauseStatus, usize); 4],
    rules: usize,
    cited: usize,
    run: usize,
}

fn counts<'a>(clauses: impl Iterator<Item = &'a Covered>) -> ClauseCounts {
    use ClauseStatus::{Commentary, External, Hole, Modelled};
    let of = [Modelled, External, Hole, Commentary].map(|s| (s, 0));
    let mut counts = ClauseCounts { of, rules: 0, cited: 0, run: 0 };
    for covered in clauses {
        for (status, n) in &mut counts.of {
            *n += usize::from(*status == covered.clause.status);
        }
        if covered.has_rule() {
            counts.rules += 1;
            counts.cited += usize::from(!covered.is_uncited());
            counts.run += usize::from(!covered.is_uncited() && !covered.is_unrun());
        }
    }
    counts
}

fn totals(out: &mut Finding, book: &Book) {
    let counts = counts(book.clauses.iter());
    let each = counts.of.map(|(status, n)| match (status, n) {
        (ClauseStatus::Hole, n) => counted(n, "hole"),
        (status, n) => format!("{n} {}", status.word()),
    });
    let all = counted(book.clauses.len(), "clause");
    let (rules, cited, run) = (counts.rules, counts.cited, counts.run);
    let of = format!("{rules} with a rule in them, {cited} of these cited, {run} run");
    out.item(format!("{}: {all}: {}", book.name, each.join(", ")), vec![of]);
}

/// Returns the IDs of the incomplete clauses that `pick` selects.
fn ids(coverage: &Coverage, pick: fn(&Covered) -> bool) -> Vec<String> {
    coverage.missing().filter(|c| pick(c)).map(|c| c.clause.id.clone()).collect()
}

fn closing(out: &mut Finding, coverage: &Coverage) {
    let (uncited, unrun) = (ids(coverage, Covered::is_uncited), ids(coverage, Covered::is_unrun));
    if uncited.is_empty() && unrun.is_empty() {
        out.say("every clause with a rule in it is cited and run");
    }
    out.list("not cited", uncited);
    out.list("not run", unrun);
}

/// Adds the machine-readable form of the report.
fn facts(out: &mut Finding, coverage: &Coverage) {
    let clauses: Vec<Value> = coverage.books().flat_map(|b| b.clauses.iter().map(|c| entry(b, c))).collect();
    let all = counts(coverage.books().flat_map(|b| &b.clauses));
    let mut totals = json!({
        "clauses": clauses.len(),
        "with_rule": all.rules,
        "cited": all.cited,
        "run": all.run,
        "examples": coverage.ran.0,
        "scenarios": coverage.ran.1,
        "failed": coverage.failed.len(),
    });
    for (status, n) in all.of {
        totals[status.word()] = json!(n);
    }
    let shown = |list: &Value, name: &str| -> Value {
        list.as_array().into_iter().flatten().map(|one| one[name].clone()).collect()
    };
    let rows = clauses.iter().map(|clause| {
        let mut row = clause.clone();
        row["cited_by"] = shown(&clause["cited_by"], "item");
        row["run_by"] = shown(&clause["run_by"], "example");
        row
    });
    let columns = ["id", "book", "section", "status", "cited_by", "run_by"];
    out.list_rows(&columns, &rows.collect());
    out.all_facts(json!({
        "schema": 1,
        "clauses": clauses,
        "totals": totals,
        "uncited": ids(coverage, Covered::is_uncited),
        "unrun": ids(coverage, Covered::is_unrun),
    }));
}

fn entry(book: &Book, covered: &Covered) -> Value {
    let cited: Vec<Value> =
        covered.cited_by.iter().map(|c| json!({ "item": c.item, "title": c.title, "at": c.at.to_string() })).collect();
    let run: Vec<Value> = covered
        .run_by
        .iter()
        .map(|r| match r {
            Runner::Example { at, title } => json!({ "example": title, "at": at.to_string() }),
            Runner::Scenario { path } => json!({ "scenario": path }),
        })
        .collect();
    let mut entry = json!({
        "id": covered.clause.id,
        "book": book.name,
        "section": covered.clause.section,
        "status": covered.clause.status.word(),
        "cited_by": cited,
        "run_by": run,
    });
    if covered.clause.status == ClauseStatus::Hole {
        entry["readings"] = covered.readings().map(|c| c.item.trim_start_matches("reading ")).collect();
        entry["decided"] = json!(covered.clause.decided);
    }
    entry
}
