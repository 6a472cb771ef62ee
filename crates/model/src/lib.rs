//! Checked rules as plain data.
//!
//! `grognard-rules` checks texts and returns a [`Ruleset`](ruleset::Ruleset): a [`Schema`](schema::Schema) of what the rules
//! declare, and typed [`code`] in which every name is an id. `grognard-program` compiles the code. This crate has the types of
//! both, and two things that read them: [`reads`] computes what each body reads and writes through all that it calls, and
//! [`wording`] writes code as text again.
//!
//! # Example
//!
//! ```
//! use grognard_base::Span;
//! use grognard_base::value::{Op, Type};
//! use grognard_model::code::{Expr, ExprKind};
//! use grognard_model::reads::walk::any_part;
//!
//! let number = |n| Expr { kind: ExprKind::Const(n), ty: Type::INT, span: Span::default() };
//! let sum = Expr { kind: ExprKind::Op(Op::Add, vec![number(2), number(3)]), ty: Type::INT, span: Span::default() };
//! assert!(any_part(&sum, |part| matches!(part.kind, ExprKind::Const(3))));
//! ```

pub mod clauses;
pub mod code;
pub mod reads;
pub mod ruleset;
pub mod schema;
mod types;
pub mod wording;
