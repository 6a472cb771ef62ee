//! Errors that end a run.

use super::{Game, State};
use grognard_base::value::KindId;
use grognard_base::value::{FieldId, Op, Range, Type};
use grognard_base::{Code, Diagnostic, Span};
use grognard_program::{Ask, Bounds, FaultCode};
use serde::{Deserialize, Serialize};

/// Reason why a run ended early: kind of error, message, location, and running functions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fault {
    /// Kind of the error.
    pub code: Code,
    /// The message.
    pub message: String,
    /// Location in the rules, or `None` if unknown.
    pub span: Option<Span>,
    /// Names of the running functions, innermost first.
    pub stack: Vec<String>,
}

impl Fault {
    /// Creates a fault without a location, which the machine adds.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Fault { code, message: message.into(), span: None, stack: Vec::new() }
    }

    /// Returns the fault as a diagnostic.
    pub fn diagnostic(&self) -> Diagnostic {
        let mut message = self.message.clone();
        if let Some((first, rest)) = self.stack.split_first() {
            message += &format!(" (in {first}");
            for name in rest.iter().take(6) {
                message += &format!(", called by {name}");
            }
            if rest.len() > 6 {
                message += &format!(", and {} more", rest.len() - 6);
            }
            message += ")";
        }
        match self.span {
            Some(span) => Diagnostic::new(self.code, span, message),
            None => Diagnostic::general(self.code, message),
        }
    }
}

/// Returns the fault for a `Fault` instruction.
pub(super) fn named(game: &Game, state: &State, code: FaultCode, at: u32) -> Fault {
    let rules = &game.program.schema;
    match code {
        FaultCode::Law => {
            let law = &rules.laws[at as usize];
            let title = &rules.items[law.item.at()].title;
            let title = if title.is_empty() { String::new() } else { format!(": {title}") };
            Fault::new(Code::LawBroken, format!("law {} is broken{title}", law.name))
        }
        FaultCode::Conflict => {
            let field = &rules.fields[at as usize];
            Fault::new(Code::RunConflict, format!("two special rules give `{}` different values", field.name))
        }
        FaultCode::NoResult => Fault::new(Code::NoResult, "this path returns no result"),
        FaultCode::NoCase => Fault::new(Code::Gap, "no case fits this value"),
        FaultCode::OutOfPlay => {
            let thing = state.stack[state.base as usize + (at & 0xffff) as usize];
            let name = game.name(KindId(at >> 16), thing);
            Fault::new(Code::OutOfPlay, format!("`{name}` was destroyed: it can no longer change or act"))
        }
    }
}

/// Returns the fault for a result that exceeds 64 bits.
pub(super) fn too_large(x: i64, op: Op, y: i64) -> Fault {
    Fault::new(Code::Overflow, format!("the result of {x} {} {y} is too large", op.written()))
}

/// Returns the fault for a number outside the declared range of its location.
pub(super) fn beyond(game: &Game, value: i64, at: u32) -> Fault {
    let Bounds { range, of } = &game.program.bounds[at as usize];
    let grown = |limit: i64, all: i64, beyond: bool| limit == all && beyond;
    if grown(range.high, Range::ALL.high, value > range.high) || grown(range.low, Range::ALL.low, value < range.low) {
        return Fault::new(Code::Overflow, format!("{value} is too large for {of}"));
    }
    let range = game.program.schema.type_name(&Type::Int(*range));
    Fault::new(Code::OutOfBounds, format!("{value} is not within {range}, the range of {of}"))
}

/// Returns the fault for reading a field that has no value.
pub(super) fn unset(game: &Game, id: FieldId, thing: i64) -> Fault {
    let field = &game.program.schema.fields[id.at()];
    Fault::new(Code::Unset, format!("`{}.{}` has no value", game.name(field.kind, thing), field.name))
}

/// Returns the fault for a negative number of entries.
pub(super) fn too_few(number: i64, what: &str, of: &str) -> Fault {
    Fault::new(Code::OutOfBounds, format!("the {what}count of `{of}` is {number}, but cannot be negative"))
}

/// Returns the fault for an operator that does not apply to its operands.
pub(super) fn no_operation(op: Op) -> Fault {
    Fault::new(Code::WrongType, format!("`{}` is not an operation on these values", op.written()))
}

/// Returns the fault for a choice without candidates.
pub(super) fn empty_choice(game: &Game, ask: &Ask) -> Fault {
    Fault::new(Code::EmptyMenu, format!("`{}` has nothing to choose from", site_name(game, ask)))
}

/// Returns the fault for an answer that is not one of the choices.
pub(super) fn not_on_menu(game: &Game, ask: &Ask) -> Fault {
    Fault::new(Code::Script, format!("the answer to `{}` is not on its menu", site_name(game, ask)))
}

fn site_name(game: &Game, ask: &Ask) -> String {
    game.program.schema.sites[ask.site.at()].name.clone()
}
