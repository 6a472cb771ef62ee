//! Reports changes of the rules (mutants) and whether a test noticed them, as a finding or as SARIF.

use super::elsewhere::run_of_sarif;
use super::finding::Finding;
use grognard_base::{OrdMap, Source};
use grognard_lab::mutants::{Mutation, SORTS, Verdict};
use serde_json::{Value, json};

/// A change with its verdict.
#[derive(Clone, Copy, Debug)]
pub struct MutationRow<'r> {
    /// The text that is changed.
    pub source: &'r Source,
    pub change: &'r Mutation,
    /// The verdict, or `None` if the change was not tested.
    pub verdict: Option<&'r Verdict>,
}

/// Number of changes by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of changes.
    pub all: usize,
    /// Changes that make a test fail.
    pub noticed: usize,
    /// Noticed changes that ran into a limit.
    pub never_ends: usize,
    /// Changes that make no test fail.
    pub survived: usize,
    /// Changes that compile to the same program.
    pub same: usize,
    /// Changes that a comment excuses.
    pub excused: usize,
    /// Changes that the checker rejects.
    pub refused: usize,
}

impl Counts {
    /// Counts the given rows by verdict.
    pub fn of<'r>(rows: impl IntoIterator<Item = &'r MutationRow<'r>>) -> Counts {
        let mut counts = Counts::default();
        for row in rows {
            counts.all += 1;
            match row.verdict {
                Some(Verdict::Noticed { never_ends, .. }) => {
                    counts.noticed += 1;
                    counts.never_ends += usize::from(*never_ends);
                }
                Some(Verdict::Survived { .. }) => counts.survived += 1,
                Some(Verdict::Same) => counts.same += 1,
                Some(Verdict::Excused { .. }) => counts.excused += 1,
                Some(Verdict::Refused { .. }) => counts.refused += 1,
                None => {}
            }
        }
        counts
    }

    /// Returns the number of changes that a test should notice.
    pub fn wanted(&self) -> usize {
        self.noticed + self.survived
    }

    /// Formats the score, such as `12 of 28 noticed, 42 %`. The share is rounded down.
    fn rendered(&self) -> String {
        match (self.noticed * 100).checked_div(self.wanted()) {
            Some(percent) => format!("{} of {} noticed, {percent} %", self.noticed, self.wanted()),
            None => "nothing to notice".to_string(),
        }
    }

    fn json(&self) -> Value {
        json!({
            "changes": self.all, "noticed": self.noticed, "never_ends": self.never_ends, "survived": self.survived,
            "same": self.same, "excused": self.excused, "refused": self.refused,
        })
    }
}

fn place(row: &MutationRow<'_>) -> String {
    format!("{}:{}", row.source.shown, row.change.line(row.source))
}

/// Returns the old text and the new text in one line.
fn edit(row: &MutationRow<'_>) -> String {
    let (old, new) = row.change.rendered(&row.source.text);
    let quoted = |text: &str| if text.is_empty() { "nothing".to_string() } else { format!("`{text}`") };
    format!("{} -> {}", quoted(&old), quoted(&new))
}

fn head(row: &MutationRow<'_>) -> String {
    let clauses = row.change.clauses.join(" ");
    let clauses = if clauses.is_empty() { clauses } else { format!("  [{clauses}]") };
    format!("{}  {}, {}{clauses}", place(row), row.change.sort.rendered().0, row.change.item)
}

/// Returns the finding of the changes, without verdicts.
pub fn list(rows: &[MutationRow<'_>]) -> Finding {
    let mut out = Finding::new("changes of the rules");
    for row in rows {
        let excuse = row.change.excuse.iter().map(|reason| format!("  excused: {reason}"));
        out.item(head(row), std::iter::once(format!("  {}", edit(row))).chain(excuse).collect());
    }
    out.say(format!("{} changes", rows.len()));
    facts(&mut out, rows);
    out
}

/// Returns the finding of the changes that no test noticed, and the counts by file and clause.
pub fn finding(rows: &[MutationRow<'_>]) -> Finding {
    let mut out = Finding::new("changes that no test noticed");
    for row in rows {
        let Some(Verdict::Survived { witness, held }) = row.verdict else { continue };
        let mut lines = vec![edit(row)];
        match witness {
            None => lines.push(held.clone().unwrap_or_else(|| "no run that was tried distinguishes the two".into())),
            Some(witness) => {
                let [old, new] = &witness.rendered;
                lines.push(format!("{}: {old}; with the change {new}", witness.played));
                lines.extend(witness.test.lines().map(|line| format!("| {line}")));
            }
        }
        out.item(format!("survived {}", head(row)), lines.iter().map(|line| format!("  {line}")).collect());
    }
    for (name, counts) in by_file(rows).into_iter().chain(by_clause(rows).into_iter().filter(|(_, c)| c.survived > 0)) {
        out.say(format!("{name}: {}", counts.rendered()));
    }
    let counts = Counts::of(rows);
    let parts = [
        (counts.survived, "survived"),
        (counts.same, "make the same program"),
        (counts.excused, "excused"),
        (counts.refused, "rejected by the checker"),
        (counts.never_ends, "of the noticed reached a limit"),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
    let rendered: Vec<String> = std::iter::once(counts.rendered()).chain(parts).collect();
    out.say(format!("{} changes: {}", counts.all, rendered.join("; ")));
    facts(&mut out, rows);
    out
}

fn by_file(rows: &[MutationRow<'_>]) -> Vec<(String, Counts)> {
    let mut files: OrdMap<&str, Vec<&MutationRow<'_>>> = OrdMap::new();
    rows.iter().for_each(|row| files.entry(&row.source.shown).or_default().push(row));
    files.into_iter().map(|(name, rows)| (name.to_string(), Counts::of(rows))).collect()
}

fn by_clause(rows: &[MutationRow<'_>]) -> Vec<(String, Counts)> {
    let mut found: OrdMap<&str, Vec<&MutationRow<'_>>> = OrdMap::new();
    for row in rows {
        row.change.clauses.iter().for_each(|id| found.entry(id).or_default().push(row));
    }
    found.into_iter().map(|(id, rows)| (id.to_string(), Counts::of(rows))).collect()
}

/// Adds every change as a machine-readable fact.
fn facts(out: &mut Finding, rows: &[MutationRow<'_>]) {
    let rendered = |row: &MutationRow<'_>| {
        let (old, new) = row.change.rendered(&row.source.text);
        let mut found = json!({
            "file": row.source.shown, "line": row.change.line(row.source), "sort": row.change.sort.rendered().0,
            "item": row.change.item, "clauses": row.change.clauses, "old": old, "new": new,
            "verdict": row.verdict.map_or("not tested", Verdict::word),
        });
        match row.verdict {
            Some(Verdict::Noticed { by, never_ends }) => {
                found["by"] = json!(by);
                found["never_ends"] = json!(never_ends);
            }
            Some(Verdict::Survived { held: Some(held), .. }) => found["held"] = json!(held),
            Some(Verdict::Survived { witness: Some(witness), .. }) => {
                found["played"] = json!(witness.played);
                found["told"] = json!(witness.rendered);
                found["test"] = json!(witness.test);
            }
            Some(Verdict::Excused { because }) => found["because"] = json!(because),
            Some(Verdict::Refused { why }) => found["why"] = json!(why),
            _ => {}
        }
        found
    };
    let named = |counts: Vec<(String, Counts)>| -> serde_json::Map<String, Value> {
        counts.into_iter().map(|(name, counts)| (name, counts.json())).collect()
    };
    let changes: Value = rows.iter().map(rendered).collect();
    let columns = [
        "file", "line", "sort", "item", "clauses", "old", "new", "verdict", "by", "never_ends", "held", "played",
        "told", "test", "because", "why",
    ];
    out.list_rows(&columns, &changes);
    out.all_facts(json!({
        "schema": 1,
        "summary": Counts::of(rows).json(),
        "files": named(by_file(rows)),
        "clauses": named(by_clause(rows)),
        "changes": changes,
    }));
}

/// Renders the changes that no test noticed as SARIF 2.1.0.
pub fn sarif(rows: &[MutationRow<'_>]) -> String {
    let rules = SORTS.map(|sort| {
        let (name, text) = sort.rendered();
        json!({ "id": name, "shortDescription": { "text": format!("no test notices when {text}") } })
    });
    let survived = rows.iter().filter(|row| matches!(row.verdict, Some(Verdict::Survived { .. })));
    let results = survived.map(|row| {
        let Mutation { edits, sort, clauses, item, .. } = row.change;
        let spans = || edits.iter().map(|(span, _)| *span);
        let first = spans().next().unwrap_or_default();
        let last = spans().next_back().unwrap_or_default();
        let (start, end) = (row.source.place(first.start), row.source.place(last.end));
        let (old, new) = row.change.rendered(&row.source.text);
        let mut properties = json!({ "item": item, "clauses": clauses, "old": old, "new": new });
        if let Some(Verdict::Survived { witness: Some(witness), .. }) = row.verdict {
            properties["test"] = json!(witness.test);
        }
        json!({
            "ruleId": sort.rendered().0,
            "ruleIndex": SORTS.iter().position(|s| s == sort),
            "level": "warning",
            "message": { "text": format!("no test notices this change in {item}: {}", edit(row)) },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": row.source.shown },
                "region": {
                    "startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column,
                },
            } }],
            "properties": properties,
        })
    });
    run_of_sarif(rules.to_vec(), results.collect())
}
