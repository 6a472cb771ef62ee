//! Evaluates the `let`s that depend only on settings. Their values are hints in an editor.

use super::Analysis;
use grognard_base::value::FuncId;
use grognard_base::{OrdMap, Span};
use grognard_program::{Built, Detail};
use grognard_rules::code::Body;
use grognard_rules::reads::{Reads, reads_of_all};
use grognard_rules::ruleset::{Ruleset, ValueName};
use grognard_vm::{Setup, set_up};

/// Maximum number of loop rounds and calls for one value.
const FUEL: u64 = 100_000;

/// Maximum length of a value that is shown, in characters.
const LONGEST: usize = 40;

impl Analysis {
    /// Returns the values of the `let`s that depend only on settings, by the span of their expression, at the default settings.
    pub(super) fn let_values(&self) -> &OrdMap<Span, String> {
        self.let_values.get_or_init(|| if self.sound { values(&self.rules) } else { OrdMap::new() })
    }
}

/// Evaluates each constant `let` of the rules. Omits a value that cannot be computed.
fn values(rules: &Ruleset) -> OrdMap<Span, String> {
    let reads = reads_of_all(rules);
    let constant = |name: &ValueName| {
        let ValueName::Let(func) = name else { return None };
        let function = &rules.functions[func.at()];
        let Body::Value(value) = &function.body else { return None };
        let plain = function.params == 0 && !function.external && only_settings(&reads[func.at()]);
        plain.then_some((*func, value.span))
    };
    let constants: Vec<(FuncId, Span)> = rules.names.values.values().filter_map(constant).collect();
    if constants.is_empty() {
        return OrdMap::new();
    }
    let built = Built::new(Ruleset::clone(rules), Detail::Plain);
    let setup = Setup { fuel: Some(FUEL), ..Setup::default() };
    let Ok(game) = set_up(built.program, setup) else { return OrdMap::new() };
    let shown = |(func, span): (FuncId, Span)| {
        let value = game.result_at_start(func, &rules.functions[func.at()].result).ok()?.to_string();
        (value.chars().count() <= LONGEST).then_some((span, value))
    };
    constants.into_iter().filter_map(shown).collect()
}

/// Returns whether these reads are only of settings.
fn only_settings(reads: &Reads) -> bool {
    Reads { settings: reads.settings.clone(), ..Reads::default() } == *reads
}
