//! Where a value in words needs brackets: operator precedence, as the grammar has it.

#![deny(clippy::wildcard_enum_match_arm)] // a new operator or form of value is thought of everywhere

use super::wording::{looks_at_pool, names_action};
use grognard_base::value::ops::OpSort;
use grognard_base::value::*;
use grognard_rules::code::{Expr, ExprKind, Local};

/// How tightly the words of a value hold together, the loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    /// An `if`, a query, an `otherwise`: it takes all that follows.
    Loose,
    Or,
    And,
    Not,
    Compared,
    Shifted,
    Rounded,
    Sum,
    Product,
    Sign,
    /// A name, a call, a number.
    Whole,
}

use Binding::{And, Compared, Loose, Not, Or, Product, Rounded, Shifted, Sign, Sum, Whole};

/// How tightly a value holds together.
pub fn binding(locals: &[Local], e: &Expr) -> Binding {
    match &e.kind {
        ExprKind::Or(_) => Or,
        ExprKind::And(_) => And,
        ExprKind::Op(Op::ToRatio | Op::ToDie | Op::PlaceOf, args) => binding(locals, &args[0]),
        ExprKind::Op(_, args) if args.iter().any(names_action) => Compared,
        ExprKind::Op(op, args) => of_operator(*op, args.len()),
        ExprKind::Is { .. } | ExprKind::Has { .. } => Compared,
        ExprKind::Query { over, filter, body, .. } if looks_at_pool(locals, over, filter, body).is_some() => Compared,
        ExprKind::If { .. } | ExprKind::Match { .. } | ExprKind::Otherwise(..) | ExprKind::Query { .. } => Loose,
        ExprKind::Map { filter: None, body, .. } if matches!(body.kind, ExprKind::Local(_)) => Whole,
        ExprKind::Map { .. } => Loose,
        ExprKind::Then { body, .. } => binding(locals, body),
        ExprKind::ConstRatio(..) => Product,
        ExprKind::Const(n) if *n < 0 && *n != NONE => Sign,
        ExprKind::Was(_) => Sign,
        ExprKind::Const(_) | ExprKind::None | ExprKind::Local(_) | ExprKind::Setting(_) | ExprKind::Global(_) => Whole,
        ExprKind::Tally(_) | ExprKind::Ambient(_) | ExprKind::ActionName | ExprKind::Actor => Whole,
        ExprKind::Field { .. } | ExprKind::Alive(_) | ExprKind::At(_) | ExprKind::Facing(_) => Whole,
        ExprKind::Part { .. } | ExprKind::Crossed { .. } | ExprKind::Call { .. } | ExprKind::Running(_) => Whole,
        ExprKind::Tree { .. } | ExprKind::Table { .. } | ExprKind::Instances { .. } => Whole,
        ExprKind::List(_) | ExprKind::Make(_) => Whole,
    }
}

fn of_operator(op: Op, operands: usize) -> Binding {
    if op.sort() != OpSort::Operator {
        return Whole;
    }
    match (op.written(), operands) {
        ("not", _) => Not,
        ("-", 1) => Sign,
        ("+" | "-", _) => Sum,
        ("*" | "/", _) => Product,
        ("rounded down" | "rounded up" | "rounded nearest", _) => Rounded,
        ("up" | "down", _) => Shifted,
        _ => Compared,
    }
}

/// How tightly each operand of an operator has to hold together, or it stands in brackets.
pub fn wanted(op: Op, operands: usize) -> [Binding; 2] {
    match of_operator(op, operands) {
        // operands of a call stand in its own brackets
        Whole | Loose | Or | And => [Loose, Loose],
        Not => [Compared, Compared],
        Compared => [Shifted, Shifted],
        Shifted => [Shifted, Sum],
        Rounded => [Sum, Sum],
        Sum if op.written() == "+" => [Sum, Sum],
        Sum => [Sum, Product],
        Product => [Product, Sign],
        Sign => [Whole, Whole],
    }
}
