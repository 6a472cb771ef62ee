//! The names of a ruleset and the places where they are explained.

use grognard_base::value::FuncId;
use grognard_base::{OrdMap, Sources, Span};
use grognard_rules::index::Index;
use grognard_rules::ruleset::{Ruleset, ValueName};
use grognard_syntax::Plain;

/// The explanation of a name.
#[derive(Clone, Debug)]
pub struct Target {
    /// The page and the anchor.
    pub href: String,
    /// The name in a sentence.
    pub called: String,
    /// The title of the item.
    pub title: String,
}

/// Renders the items of one ruleset.
pub struct Teller<'b> {
    /// The cross-reference table of names.
    pub index: &'b Index,
    pub rules: &'b Ruleset,
    /// The source texts.
    pub sources: &'b Sources,
    /// The formatter of source texts.
    pub plain: &'b Plain<'b>,
    /// The explanations of names, by the span of their declarations.
    pub targets: &'b OrdMap<Span, Target>,
}

impl Teller<'_> {
    /// Returns the declaration of the name at `at`.
    pub fn declared(&self, at: Span) -> Option<Span> {
        self.index.uses.get(&self.sources.origin(at)).copied()
    }

    pub fn target(&self, at: Span) -> Option<&Target> {
        self.targets.get(&self.declared(at)?)
    }

    /// Returns the function of the value, proc or test with this name.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        match self.rules.names.values.get(name) {
            Some(ValueName::Let(id) | ValueName::Proc(id)) => Some(*id),
            _ => self.rules.names.tests.get(name).copied(),
        }
    }
}
