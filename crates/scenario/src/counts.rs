//! Saturation of counters: the value from which on a question does not distinguish counts.

use grognard_base::value::*;
use grognard_program::{Instr, Program};
use grognard_rules::code::*;
use grognard_rules::reads::walk::{self, walk_body};

/// For rounds and tallies, the value from which on counts are equivalent. It is 0 for an unread count, and the maximum
/// for a count that can always make a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saturation {
    /// The saturation of the number of rounds.
    pub rounds: i64,
    /// The saturation of each tally, by its id.
    tallies: Vec<i64>,
    /// The saturation of all further tallies.
    others: i64,
}

impl Saturation {
    /// No count is read.
    pub const UNREAD: Saturation = Saturation { rounds: 0, tallies: Vec::new(), others: 0 };
    /// Every count can make a difference.
    pub const ALL: Saturation = Saturation { rounds: i64::MAX, tallies: Vec::new(), others: i64::MAX };

    /// Returns the value from which on counts of this tally are equivalent.
    pub fn tally(&self, id: usize) -> i64 {
        self.tallies.get(id).copied().unwrap_or(self.others)
    }

    /// Adds the reads of another question.
    pub fn join(&mut self, other: &Saturation) {
        let len = self.tallies.len().max(other.tallies.len());
        self.tallies = (0..len).map(|id| self.tally(id).max(other.tally(id))).collect();
        self.others = self.others.max(other.others);
        self.rounds = self.rounds.max(other.rounds);
    }

    fn at(&mut self, of: &ExprKind) -> &mut i64 {
        let ExprKind::Tally(id) = of else { return &mut self.rounds };
        if self.tallies.len() <= id.at() {
            self.tallies.resize(id.at() + 1, 0);
        }
        &mut self.tallies[id.at()]
    }

    /// Computes the saturation of a function. A count that it only compares with constants saturates at the largest
    /// constant plus 1. `rise` says whether tallies never decrease.
    pub fn of(function: &Function, rise: bool) -> Saturation {
        let mut found = Saturation::UNREAD;
        // per count, the number of reads other than comparisons with a constant; the read inside such a comparison is
        // subtracted
        let mut otherwise: Vec<(ExprKind, i64)> = Vec::new();
        let mut read = |count: &Expr, times: i64| match otherwise.iter_mut().find(|(kind, _)| same(kind, &count.kind)) {
            Some((_, known)) => *known += times,
            None => otherwise.push((count.kind.clone(), times)),
        };
        walk_body(&function.body, &mut |node| {
            let walk::Node::Expr(e) = node else { return };
            if let Some((count, to)) = comparison(e) {
                let most = found.at(&count.kind);
                *most = (*most).max(to.saturating_add(1));
                read(count, -1);
            }
            if is_count(e) {
                read(e, 1);
            }
        });
        for (kind, times) in otherwise {
            if times > 0 || !rise && matches!(kind, ExprKind::Tally(_)) {
                *found.at(&kind) = i64::MAX;
            }
        }
        found
    }
}

/// Returns a count that is compared with a constant, and the constant.
fn comparison(e: &Expr) -> Option<(&Expr, i64)> {
    let ExprKind::Op(op, args) = &e.kind else { return None };
    match &args[..] {
        _ if !op.compares() => None,
        [count, Expr { kind: ExprKind::Const(to), .. }] | [Expr { kind: ExprKind::Const(to), .. }, count]
            if is_count(count) =>
        {
            Some((count, *to))
        }
        _ => None,
    }
}

/// Returns whether two expressions read the same count.
fn same(a: &ExprKind, b: &ExprKind) -> bool {
    match (a, b) {
        (ExprKind::Tally(a), ExprKind::Tally(b)) => a == b,
        (ExprKind::Local(_), ExprKind::Local(_)) => true,
        _ => false,
    }
}

/// Returns whether an expression is a count. The number of rounds is the first parameter of every string of a scenario.
fn is_count(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Tally(_) | ExprKind::Local(LocalId(0)))
}

/// Returns whether tallies never decrease, because only literal nonnegative numbers are added to them.
pub fn rise(program: &Program) -> bool {
    program.code.windows(2).all(|pair| match (pair[0], pair[1]) {
        (Instr::Const { dst, value }, Instr::Count { src, minus, .. }) => dst == src && value >= 0 && !minus,
        (_, Instr::Count { .. }) => false,
        _ => true,
    })
}
