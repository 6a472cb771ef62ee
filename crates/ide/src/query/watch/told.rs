//! A save, as text and as JSON.

use super::super::Analysis;
use super::Address;
use super::moved::Moved;
use grognard_base::{Diagnostic, OrdSet, Severity};
use serde_json::{Value, json};

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It says something else.
    Changed,
    /// It was not there before.
    New,
    /// It is not there any more.
    Gone,
}

/// A file that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Where it is.
    pub address: Address,
    /// What messages call it.
    pub shown: String,
    /// What became of it.
    pub change: Change,
}

/// What is told of a save.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    /// Its number; 0 for the first look.
    pub save: usize,
    /// The files that changed.
    pub files: Vec<ChangedFile>,
    /// Items of the rules that are other, new or gone since their tests were run.
    pub changed: OrdSet<String>,
    /// What is wrong with rules, rendered.
    pub findings: String,
    pub(super) facts: Vec<Value>,
    /// Errors and warnings that there are.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Rulesets with errors.
    pub broken: OrdSet<String>,
    /// Tests that were run.
    pub ran: usize,
    /// Tests that the change does not reach.
    pub untouched: usize,
    /// Tests that wait for rules without errors.
    pub waiting: usize,
    /// Tests that hold, and that fail.
    pub holding: usize,
    /// The same.
    pub failing: usize,
    /// What moved.
    pub moved: Vec<Moved>,
}

/// A finding for programs.
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
    /// For people: the lines of it.
    pub fn text(&self) -> String {
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
        for moved in &self.moved {
            lines.extend(told(moved));
        }
        lines.push(self.summary());
        lines.into_iter().map(|line| line + "\n").collect()
    }

    fn summary(&self) -> String {
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
            parts.push(format!("{} for rules without errors, and stand as they were", {
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
        parts.join("; ")
    }

    /// For programs.
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

/// Names that are shown, at most.
const SHOWN: usize = 8;

fn shortened<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let all: Vec<String> = names.into_iter().map(|name| name.as_ref().to_string()).collect();
    let more = all.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", all[..all.len() - more].join(", "))
}

/// What moved of one test.
fn told(moved: &Moved) -> Vec<String> {
    let word = match (moved.new, moved.fails) {
        (_, (false, true)) => "FAILED",
        (_, (true, false)) => "mended",
        (true, _) => "new   ",
        (_, (true, true)) => "fails ",
        (false, (false, false)) => "moved ",
    };
    let mut lines = vec![format!("{word} {}", moved.name)];
    let mut say = |line: String| lines.push(format!("  {line}"));
    if let Some(step) = &moved.trace {
        let shown = |text: &str| if text.is_empty() { "the end".to_string() } else { one_line(text) };
        let rule = step.rule.as_ref().map_or(String::new(), |rule| format!(", in {}", one_line(rule)));
        say(format!("trace, line {}{rule}", step.line));
        say(format!("  was {}", shown(&step.was)));
        say(format!("  is  {}", shown(&step.is)));
    }
    // an example that fails says itself what fell
    let one = moved.fell.len() == 1 && moved.told.contains(&moved.fell[0]);
    moved.fell.iter().filter(|_| !one).for_each(|claim| say(format!("fell: {claim}")));
    moved.rose.iter().for_each(|claim| say(format!("rose: {claim}")));
    moved.odds.iter().for_each(|(name, was, is)| say(format!("{name}: {was} -> {is}")));
    if !moved.told.is_empty() {
        lines.push(moved.told.trim_end().to_string());
    }
    lines
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
