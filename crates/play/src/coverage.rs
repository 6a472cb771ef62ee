//! Coverage: for each clause of a register, the items that cite it and the examples and scenarios that ran it.
//!
//! A clause ran if an example or scenario that holds executed code citing it. The program is compiled with
//! [`grognard_program::Detail::Covered`], so coverage is recorded, not inferred from a trace.

use super::examples::{ExampleResult, ExampleVerdict, run_example};
use super::{Options, checked, odds, play};
use grognard_base::{OrdMap, OrdSet, Sources, Span};
use grognard_odds::Budget;
use grognard_program::{Built, Program, Ran};
use grognard_rules::ruleset::{Clause, ClauseStatus, Ruleset, Schema};
use grognard_scenario::{Expected, Mode, Scenario};
use grognard_vm::Game;

/// Maximum number of runs of a sampled scenario. A few dozen runs show whether a clause runs at all.
pub const MOST_RUNS: u64 = 50;

/// A line of a file. Paths are relative to the root of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLine {
    /// The file, such as `warstrike/core.rules`.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl std::fmt::Display for SourceLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// An example or scenario that ran a clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runner {
    /// An example.
    Example {
        /// Location of the example.
        at: SourceLine,
        /// Title of the example.
        title: String,
    },
    /// A scenario.
    Scenario {
        /// Its path, as given.
        path: String,
    },
}

/// An item that cites a clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Citer {
    /// Location of the item.
    pub at: SourceLine,
    /// Kind and name: `rule RattledByHits`, `stat Unit.ld`.
    pub item: String,
    /// Title of the item; can be empty.
    pub title: String,
}

/// A clause with its coverage.
#[derive(Clone, Debug)]
pub struct Covered {
    pub clause: Clause,
    /// Items that cite it, ordered by file and line.
    pub cited_by: OrdSet<Citer>,
    /// Examples that ran it, then scenarios.
    pub run_by: OrdSet<Runner>,
}

impl Covered {
    /// Returns whether the clause contains a rule that this project implements: it is modeled, or it is external and a
    /// stand-in cites it.
    pub fn has_rule(&self) -> bool {
        match self.clause.status {
            ClauseStatus::Modelled => true,
            ClauseStatus::External => !self.cited_by.is_empty(),
            ClauseStatus::Commentary | ClauseStatus::Hole => false,
        }
    }

    /// Returns whether the clause contains a rule that no item cites.
    pub fn is_uncited(&self) -> bool {
        self.has_rule() && self.cited_by.is_empty()
    }

    /// Returns whether the clause contains a rule that is cited but that nothing ran.
    pub fn is_unrun(&self) -> bool {
        self.has_rule() && !self.cited_by.is_empty() && self.run_by.is_empty()
    }

    /// Returns the readings that settle a hole, by location.
    pub fn readings(&self) -> impl Iterator<Item = &Citer> {
        self.cited_by.iter().filter(|c| c.item.starts_with("reading "))
    }
}

/// One register.
#[derive(Clone, Debug)]
pub struct Book {
    /// Its path relative to the project root, such as `warstrike/clauses.toml`.
    pub name: String,
    /// Its clauses, in file order.
    pub clauses: Vec<Covered>,
}

/// Coverage of all registers.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// By root, position in the chain, and name.
    books: OrdMap<(String, usize, String), Book>,
    /// Number of examples and of scenarios that ran and hold.
    pub ran: (usize, usize),
    /// Examples and scenarios that do not hold. The clauses that they ran do not count.
    pub failed: OrdSet<Runner>,
    seen: OrdSet<Runner>,
}

impl Coverage {
    /// Returns the registers, ordered by root; a rules file is behind those that it builds on.
    pub fn books(&self) -> impl Iterator<Item = &Book> {
        self.books.values()
    }

    /// Adds a register. Items, examples and scenarios under the same root count for it.
    pub fn add_book(&mut self, root: &str, name: &str, clauses: &[Clause]) {
        self.add(root, 0, name, clauses);
    }

    fn add(&mut self, root: &str, rank: usize, name: &str, clauses: &[Clause]) {
        let covered = |c: &Clause| Covered { clause: c.clone(), cited_by: OrdSet::new(), run_by: OrdSet::new() };
        let book = Book { name: name.to_string(), clauses: clauses.iter().map(covered).collect() };
        self.books.entry((root.to_string(), rank, name.to_string())).or_insert(book);
    }

    /// Adds the paragraphs of the rules files of a ruleset, each file as a register.
    pub fn add_paragraphs(&mut self, root: &str, rules: &Schema, sources: &Sources) {
        for clauses in rules.register.chunk_by(|a, b| a.span.file == b.span.file) {
            let file = clauses.first().and_then(|clause| sources.get(clause.span.file));
            if let Some(file) = file.filter(|file| file.name.ends_with(".rules")) {
                self.add(root, rules.rank(&file.name), &file.name, clauses);
            }
        }
    }

    /// Adds the citations of a ruleset.
    pub fn add_cites(&mut self, root: &str, rules: &Ruleset, sources: &Sources) {
        for (id, citations) in &rules.cited {
            let Some(covered) = self.find(root, rules, sources, id) else { continue };
            for found in citations {
                let at = place(sources, found.span);
                covered.cited_by.insert(Citer { at, item: found.item.clone(), title: found.title.clone() });
            }
        }
    }

    /// Runs the examples of a program, including those of its base rulesets. An example that several rulesets inherit
    /// runs in each of them, but is counted once.
    pub fn run_examples(&mut self, root: &str, built: &Built, sources: &Sources, budget: Budget) {
        let Built { program, ran, .. } = built;
        for example in &built.rules.examples {
            ran.take(program);
            let result: ExampleResult = run_example(built, example, sources, budget.clone());
            let runner = Runner::Example { at: place(sources, result.span), title: result.title };
            match result.verdict {
                ExampleVerdict::Holds => self.count(root, program, ran, sources, runner),
                ExampleVerdict::Fails => drop(self.failed.insert(runner)),
                ExampleVerdict::Waits => {}
            }
        }
    }

    /// Runs a scenario. If it makes claims about all outcomes, computes the odds as well.
    pub fn run_scenario(&mut self, root: &str, path: &str, scenario: &Scenario, sources: &Sources, budget: Budget) {
        let Game { program, ran, .. } = &scenario.game;
        ran.take(program);
        let runner = Runner::Scenario { path: path.to_string() };
        if played(scenario) && holds_in_all(scenario, budget) {
            self.count(root, program, ran, sources, runner);
        } else {
            self.failed.insert(runner);
        }
    }

    fn count(&mut self, root: &str, program: &Program, ran: &Ran, sources: &Sources, runner: Runner) {
        for id in ran.take(program) {
            if let Some(covered) = self.find(root, &program.schema, sources, &id) {
                covered.run_by.insert(runner.clone());
            }
        }
        if self.seen.insert(runner.clone()) {
            match runner {
                Runner::Example { .. } => self.ran.0 += 1,
                Runner::Scenario { .. } => self.ran.1 += 1,
            }
        }
    }

    fn find(&mut self, root: &str, rules: &Schema, sources: &Sources, id: &str) -> Option<&mut Covered> {
        let clause = rules.register.iter().find(|c| c.id == id)?;
        let name = sources.get(clause.span.file)?.name.clone();
        let book = self.books.get_mut(&(root.to_string(), rules.rank(&name), name))?;
        book.clauses.iter_mut().find(|c| c.clause.id == id)
    }

    /// Returns how many clauses with a rule were run, and how many exist.
    pub fn run(&self) -> (usize, usize) {
        let rules = || self.books().flat_map(|book| &book.clauses).filter(|covered| covered.has_rule());
        (rules().filter(|covered| !covered.is_uncited() && !covered.is_unrun()).count(), rules().count())
    }

    /// Returns the clauses with a rule that are not cited or were not run.
    pub fn missing(&self) -> impl Iterator<Item = &Covered> {
        self.books().flat_map(|b| &b.clauses).filter(|c| c.is_uncited() || c.is_unrun())
    }
}

/// Returns the line at which a span begins, in its original file.
pub fn place(sources: &Sources, span: Span) -> SourceLine {
    let span = sources.origin(span);
    let line = |s: &grognard_base::Source| SourceLine { file: s.name.clone(), line: s.place(span.start).line };
    sources.get(span.file).map_or(SourceLine::default(), line)
}

/// Plays a scenario, at most [`MOST_RUNS`] times if it is sampled, and returns whether every run is sound. Exact
/// scenarios are not played.
fn played(scenario: &Scenario) -> bool {
    let runs = match scenario.plan.mode {
        Mode::Exact => 0,
        Mode::Sampled => scenario.plan.runs.min(MOST_RUNS),
        Mode::Scripted => 1,
    };
    let many = scenario.plan.mode == Mode::Sampled;
    let sound = |run| play(scenario, Options { run: many.then_some(run), ..Options::default() }).sound();
    (0..runs).all(sound)
}

/// Judges the claims of a scenario about all outcomes and, in exact mode, its report. Returns whether all of them hold.
fn holds_in_all(scenario: &Scenario, budget: Budget) -> bool {
    let plan = &scenario.plan;
    let exact = plan.mode == Mode::Exact;
    if !exact && plan.expects.iter().all(|e| !matches!(e.what, Expected::Odds(_))) {
        return true;
    }
    let mut checks = checked(plan, &[]);
    if !odds::judge(scenario, budget.clone(), &mut checks).is_empty() {
        return false;
    }
    !exact
        || plan.report.is_empty()
        || odds::report(scenario, &odds::OddsOptions::plain(budget))
            .is_ok_and(|found| odds::problems(scenario, &found).is_empty())
}
