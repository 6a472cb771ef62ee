//! Saturation of counters: from which count on a question tells counts apart no more.

use grognard_base::value::*;
use grognard_program::{Instr, Program};
use grognard_rules::code::*;
use grognard_rules::reads::walk::{self, walk_body};

/// From which count on rounds and tallies are told apart no more: 0 for what nobody reads, the greatest number for what may
/// differ however large it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saturation {
    /// Of the number of rounds.
    pub rounds: i64,
    /// Of each tally, by its id.
    tallies: Vec<i64>,
    /// Of all tallies behind those.
    others: i64,
}

impl Saturation {
    /// Nobody reads anything.
    pub const UNREAD: Saturation = Saturation { rounds: 0, tallies: Vec::new(), others: 0 };
    /// Everything may be read, and differ.
    pub const ALL: Saturation = Saturation { rounds: i64::MAX, tallies: Vec::new(), others: i64::MAX };

    /// From which count on this tally is told apart no more.
    pub fn tally(&self, id: usize) -> i64 {
        self.tallies.get(id).copied().unwrap_or(self.others)
    }

    /// Adds what somebody else reads.
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

    /// Of what a function reads: of a count that it only compares with numbers, the greatest of them and one more. `rise`
    /// says whether tallies never fall.
    pub fn of(function: &Function, rise: bool) -> Saturation {
        let mut found = Saturation::UNREAD;
        // of each count how often it is read otherwise than in a comparison with a number: a comparison reads it once
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

/// A count that is compared with a number, and the number.
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

/// True for two reads of one count.
fn same(a: &ExprKind, b: &ExprKind) -> bool {
    match (a, b) {
        (ExprKind::Tally(a), ExprKind::Tally(b)) => a == b,
        (ExprKind::Local(_), ExprKind::Local(_)) => true,
        _ => false,
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
