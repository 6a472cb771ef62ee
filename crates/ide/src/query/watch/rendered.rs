//! Renders the result of a save as text and as JSON.

use super::super::Analysis;
use super::Address;
use super::moved::Moved;
use grognard_base::{Diagnostic, OrdSet, Severity};
use serde_json::{Value, json};

/// The kind of change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Its content changed.
    Changed,
    /// It was created.
    New,
    /// It was deleted.
    Gone,
}

/// A file that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// The location of the file.
    pub address: Address,
    /// The name of the file in messages.
    pub shown: String,
    /// The kind of change.
    pub change: Change,
}

/// The result of a save.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    /// The index of the save, or 0 for the first check.
    pub save: usize,
    /// The files that changed.
    pub files: Vec<ChangedFile>,
    /// Items of the rules that were changed, added or removed since the last run of their tests.
    pub changed: OrdSet<String>,
    /// The rendered diagnostics of the rules.
    pub findings: String,
    pub(super) facts: Vec<Value>,
    /// Number of current errors.
    pub errors: usize,
    /// Number of current warnings.
    pub warnings: usize,
    /// The rulesets with errors.
    pub broken: OrdSet<String>,
    /// Number of tests that ran.
    pub ran: usize,
    /// Number of tests that the change cannot affect.
    pub untouched: usize,
    /// Number of tests that wait for rules without errors.
    pub waiting: usize,
    /// Number of tests that hold.
    pub holding: usize,
    /// Number of tests that fail.
    pub failing: usize,
    /// The differences from the previous results.
    pub moved: Vec<Moved>,
}

/// Returns a diagnostic as JSON.
pub(super) fn fact(analysis: &Analysis, problem: &Diagnostic) -> Value {
    let place = analysis.problem(problem).place;
    let source = analysis.file(&place.file).and_then(|id| analysis.sources.get(id));
    let at = source.map(|source| source.place(u32::try_from(place.start).unwrap_or(u32::MAX)));
    let severity = if problem.severity == Severity::Error { "error" } else { "warning" };
    json!({
        "file": place.file, "line": at.map(|at| at.line), "column": at.map(|at| at.column),
        "code": problem.code.id(), "severity": severity, "message": problem.message,
    })
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

impl Saved {
    /// Renders the result as human-readable text.
    pub fn text(&self) -> String {
        self.head() + &self.moved.iter().map(Moved::text).collect::<String>() + &self.summary()
    }

    /// Renders what is known before a test runs: the changes and the findings.
    pub fn head(&self) -> String {
        let mut lines = Vec::new();
        for file in &self.files {
            let word = match file.change {
                Change::Changed => "saved",
                Change::New => "new  ",
                Change::Gone => "gone ",
            };
            lines.push(format!("{word}  {}", file.shown));
        }
        if !self.changed.is_empty() {
            lines.push(format!("changed: {}", shortened(&self.changed)));
        }
        if !self.findings.is_empty() {
            lines.push(self.findings.trim_end().to_string());
        }
        lines.into_iter().map(|line| line + "\n").collect()
    }

    /// Renders the numbers of findings and tests as one line.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        if self.errors > 0 {
            let rules: Vec<&str> = self.broken.iter().map(String::as_str).collect();
            let of = if rules.is_empty() { String::new() } else { format!(" ({})", shortened(&rules)) };
            parts.push(format!("{}{of}", counted(self.errors, "error")));
        }
        if self.warnings > 0 {
            parts.push(counted(self.warnings, "warning"));
        }
        if self.waiting > 0 {
            parts.push(format!("{} for rules without errors, and are unchanged", {
                let n = self.waiting;
                format!("{n} {}", if n == 1 { "test waits" } else { "tests wait" })
            }));
        }
        let still = self.ran - self.moved.len().min(self.ran);
        match (self.save, self.ran) {
            (0, n) => parts.push(format!("{} run", counted(n, "test"))),
            (_, 0) => {}
            (_, n) => parts.push(format!("{} run, {still} as before", counted(n, "test"))),
        }
        if self.untouched > 0 {
            parts.push(format!("{} not reached", self.untouched));
        }
        parts.push(format!("{} hold, {} fail", self.holding, self.failing));
        parts.join("; ") + "\n"
    }

    /// Returns the result as a JSON object.
    pub fn json(&self) -> Value {
        let files = self.files.iter().map(|file| {
            let change = match file.change {
                Change::Changed => "changed",
                Change::New => "new",
                Change::Gone => "gone",
            };
            json!({ "file": file.shown, "change": change })
        });
        let moved = self.moved.iter().map(|moved| {
            let trace = moved
                .trace
                .as_ref()
                .map(|step| json!({ "line": step.line, "was": step.was, "is": step.is, "rule": step.rule }));
            let odds = moved.odds.iter().map(|(measure, was, is)| json!({ "measure": measure, "was": was, "is": is }));
            json!({
                "test": moved.name, "new": moved.new, "failed": moved.fails.0, "fails": moved.fails.1,
                "trace": trace, "fell": moved.fell, "rose": moved.rose, "odds": odds.collect::<Vec<_>>(),
            })
        });
        json!({
            "schema": 1,
            "save": self.save,
            "files": files.collect::<Vec<_>>(),
            "changed": self.changed,
            "findings": self.facts,
            "errors": self.errors,
            "warnings": self.warnings,
            "ran": self.ran,
            "untouched": self.untouched,
            "waiting": self.waiting,
            "holding": self.holding,
            "failing": self.failing,
            "moved": moved.collect::<Vec<_>>(),
        })
    }
}

/// Maximum number of names that are listed.
const SHOWN: usize = 8;

fn shortened<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let all: Vec<String> = names.into_iter().map(|name| name.as_ref().to_string()).collect();
    let more = all.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", all[..all.len() - more].join(", "))
}

impl Moved {
    /// Renders the difference as lines.
    pub fn text(&self) -> String {
        let word = match (self.new, self.fails) {
            (_, (false, true)) => "FAILED",
            (_, (true, false)) => "fixed ",
            (true, _) => "new   ",
            (_, (true, true)) => "fails ",
            (false, (false, false)) => "moved ",
        };
        let mut lines = vec![format!("{word} {}", self.name)];
        let mut say = |line: String| lines.push(format!("  {line}"));
        if let Some(step) = &self.trace {
            let shown = |text: &str| if text.is_empty() { "the end".to_string() } else { one_line(text) };
            let rule = step.rule.as_ref().map_or(String::new(), |rule| format!(", in {}", one_line(rule)));
            say(format!("trace, line {}{rule}", step.line));
            say(format!("  was {}", shown(&step.was)));
            say(format!("  is  {}", shown(&step.is)));
        }
        // The diagnostics of a failing example already include the claim.
        let one = self.fell.len() == 1 && self.rendered.contains(&self.fell[0]);
        self.fell.iter().filter(|_| !one).for_each(|claim| say(format!("fell: {claim}")));
        self.rose.iter().for_each(|claim| say(format!("rose: {claim}")));
        self.odds.iter().for_each(|(name, was, is)| say(format!("{name}: {was} -> {is}")));
        if !self.rendered.is_empty() {
            lines.push(self.rendered.trim_end().to_string());
        }
        lines.into_iter().map(|line| line + "\n").collect()
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
