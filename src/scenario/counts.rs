//! Saturation of counters: from which count on a question tells counts apart no more.

use crate::program::{Instr, Program};
use crate::rules::code::*;
use crate::rules::reads::walk::{Node, walk_body};
use crate::value::*;

/// What reads of rounds and tallies were seen.
#[derive(Default)]
struct Reads {
    all: usize,
    compared: usize,
    tallies: bool,
    most: i64,
}

impl Reads {
    fn expr(&mut self, e: &Expr) {
        self.all += usize::from(is_count(e));
        self.tallies |= matches!(e.kind, ExprKind::Tally(_));
        let ExprKind::Op(Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne, args) = &e.kind else { return };
        let to = match &args[..] {
            [count, Expr { kind: ExprKind::Const(to), .. }] | [Expr { kind: ExprKind::Const(to), .. }, count]
                if is_count(count) =>
            {
                *to
            }
            _ => return,
        };
        self.compared += 1;
        self.most = self.most.max(to.saturating_add(1));
    }
}

/// The rounds are the first parameter of every string of a scenario.
fn is_count(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Tally(_) | ExprKind::Local(LocalId(0)))
}

/// Whether tallies never fall: only numbers above 0 are added to them, as written.
pub fn rise(program: &Program) -> bool {
    program.code.windows(2).all(|pair| match (pair[0], pair[1]) {
        (Instr::Const { dst, value }, Instr::Count { src, minus, .. }) => dst == src && value >= 0 && !minus,
        (_, Instr::Count { .. }) => false,
        _ => true,
    })
}

/// Counts from this one on give the same answer, since they are only compared with numbers below; the greatest number if
/// they may all differ. `rise` says whether tallies never fall.
pub fn decided_at(function: &Function, rise: bool) -> i64 {
    let mut reads = Reads::default();
    walk_body(&function.body, &mut |node| {
        if let Node::Expr(e) = node {
            reads.expr(e);
        }
    });
    if reads.all == reads.compared && (rise || !reads.tallies) { reads.most } else { i64::MAX }
}
