//! Parser combinators (parsing expression grammars, Ford 2004) that take a function pointer; those of pest are generic
//! over a closure. The closures of the generated parser capture nothing. Each combinator is therefore compiled once
//! instead of once per closure (monomorphization).

use super::grammar::Rule;
use pest::{Atomicity, ParseResult, ParserState};

type State<'i> = Box<ParserState<'i, Rule>>;
type Parsed<'i> = ParseResult<State<'i>>;
type Step<'i> = fn(State<'i>) -> Parsed<'i>;

/// Combinators that start from a parser state.
pub(super) trait Thin<'i> {
    fn thin_rule(self, rule: Rule, step: Step<'i>) -> Parsed<'i>;
    fn thin_sequence(self, step: Step<'i>) -> Parsed<'i>;
    fn thin_repeat(self, step: Step<'i>) -> Parsed<'i>;
    fn thin_optional(self, step: Step<'i>) -> Parsed<'i>;
    fn thin_lookahead(self, positive: bool, step: Step<'i>) -> Parsed<'i>;
    fn thin_atomic(self, atomicity: Atomicity, step: Step<'i>) -> Parsed<'i>;
}

impl<'i> Thin<'i> for State<'i> {
    fn thin_rule(self, rule: Rule, step: Step<'i>) -> Parsed<'i> {
        self.rule(rule, step)
    }

    fn thin_sequence(self, step: Step<'i>) -> Parsed<'i> {
        self.sequence(step)
    }

    fn thin_repeat(self, step: Step<'i>) -> Parsed<'i> {
        self.repeat(step)
    }

    fn thin_optional(self, step: Step<'i>) -> Parsed<'i> {
        self.optional(step)
    }

    fn thin_lookahead(self, positive: bool, step: Step<'i>) -> Parsed<'i> {
        self.lookahead(positive, step)
    }

    fn thin_atomic(self, atomicity: Atomicity, step: Step<'i>) -> Parsed<'i> {
        self.atomic(atomicity, step)
    }
}

/// Combinators that continue after a step.
pub(super) trait Then<'i> {
    fn thin_and_then(self, step: Step<'i>) -> Parsed<'i>;
    fn thin_or_else(self, step: Step<'i>) -> Parsed<'i>;
}

impl<'i> Then<'i> for Parsed<'i> {
    fn thin_and_then(self, step: Step<'i>) -> Parsed<'i> {
        self.and_then(step)
    }

    fn thin_or_else(self, step: Step<'i>) -> Parsed<'i> {
        self.or_else(step)
    }
}
