//! Audits checked rules and reports warnings and remarks.
//!
//! A ruleset without errors can still contain lines that have no effect, that mislead the reader, or that do not cover all
//! numbers. Each audit walks the checked code of a whole ruleset and reports such lines. The module [`bands`]
//! finds numbers that bands, tables and conditions omit.
//!
//! The checker (`grognard-rules`) calls this crate when it has found no error. This crate reads no files and runs no rules.
//!
//! # Example
//!
//! ```
//! use grognard_audit::audit;
//! use grognard_base::{Code, Sources};
//! use grognard_kit::Shelf;
//! use grognard_rules::load;
//!
//! let text = "ruleset first/salvo\n\nkind Squad { state men : 0..20 }\nparam hit_on \"A shot hits on\" = 4\n";
//! let (shelf, mut sources) = (Shelf::of(&[("first/salvo.rules", text)]), Sources::default());
//! let rules = load("first/salvo", &shelf, &mut sources).sound().unwrap();
//! // no rule reads the param
//! assert_eq!(audit(&rules, &sources)[0].code, Code::Unused);
//! ```

pub mod bands;
mod circles;
mod clauses;
mod conflicts;
mod fallen;
mod ladders;
mod lasting;
mod loops;
mod opposites;
mod risk;
mod sizes;
mod turns;
mod unread;
mod unused;
mod whom;

pub use clauses::audit_register;
use code::Function;
pub use fallen::is_same;
use grognard_base::value::{FuncId, ItemId};
use grognard_base::{Code, Diagnostic, Sources, Span};
use grognard_model::{code, reads, ruleset, wording};
use reads::{Reads, Writes, reads_of_all, writes_of_all};
use ruleset::Ruleset;

/// State of the audits: the rules, derived tables, and the diagnostics so far.
struct Audit<'a> {
    rs: &'a Ruleset,
    sources: &'a Sources,
    reads: Vec<Reads>,
    writes: Vec<Writes>,
    /// The call sites of each function.
    calls: turns::CallSites<'a>,
    problems: Vec<Diagnostic>,
}

/// Runs all audits of a ruleset and returns their diagnostics.
pub fn audit(rs: &Ruleset, sources: &Sources) -> Vec<Diagnostic> {
    let (reads, writes) = (reads_of_all(rs), writes_of_all(rs));
    let mut audit = Audit { rs, sources, reads, writes, calls: turns::CallSites::new(rs), problems: Vec::new() };
    audit.circles();
    audit.conflicts();
    audit.guard_order();
    audit.limits();
    audit.dead_rules();
    audit.bands();
    audit.opposites();
    audit.loops();
    audit.unused();
    audit.unread();
    audit.whom();
    audit.lasting();
    audit.fallen();
    audit.sizes_of_thinned();
    audit.problems
}

impl Audit<'_> {
    fn say(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::new(code, span, message));
    }

    fn say_two(&mut self, code: Code, span: Span, message: String, other: Span, text: &str) {
        self.problems.push(Diagnostic::new(code, span, message).and(other, text));
    }

    fn say_help(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Diagnostic::new(code, span, message).help(help));
    }

    fn span(&self, item: ItemId) -> Span {
        self.rs.items[item.at()].span
    }

    /// Returns the functions of the checked file. Diagnostics of a base are reported when the base is checked.
    fn own_functions(&self) -> impl Iterator<Item = (FuncId, &Function)> {
        let all = self.rs.functions.iter().enumerate().map(|(at, f)| (FuncId::from(at), f));
        all.filter(|(_, f)| self.is_own(f.item))
    }

    /// Returns whether an item belongs to the checked file.
    fn is_own(&self, item: ItemId) -> bool {
        self.rs.items[item.at()].from + 1 == self.rs.chain.len()
    }
}
