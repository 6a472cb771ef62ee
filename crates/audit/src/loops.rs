//! Reports loops that may never end, and dice that always explode.

use super::Audit;
use crate::code::*;
use crate::reads::walk::{Node, walk_body, walk_stmts};
use crate::ruleset::{HeaderLine, Ruleset};
use grognard_base::value::*;
use grognard_base::{Code, Span};

/// Maximum number of faces of a die that is analyzed.
const MOST_FACES: i64 = 10_000;

/// Returns whether a loop body has a `choose action` without an option to stop, and no statement that leaves the loop.
fn asks_for_ever(body: &[Stmt]) -> bool {
    let (mut asks, mut leaves) = (false, false);
    walk_stmts(body, &mut |node| {
        let Node::Stmt(s) = node else { return };
        match &s.kind {
            StmtKind::ChooseAction { or_stop: false, .. } => asks = true,
            StmtKind::ChooseAction { stop_when: None, .. } => leaves = true,
            StmtKind::Stop | StmtKind::Return(_) | StmtKind::End(_) => leaves = true,
            _ => {}
        }
    });
    asks && !leaves
}

impl Audit<'_> {
    /// Checks the loops and the explosions of all functions.
    pub fn loops(&mut self) {
        let rs = self.rs;
        for (at, function) in rs.functions.iter().enumerate() {
            let (mut loops, mut dice, mut explosions) = (Vec::new(), Vec::new(), Vec::new());
            walk_body(&function.body, &mut |node| {
                let Node::Stmt(s) = node else { return };
                match &s.kind {
                    StmtKind::Repeat { body, condition: None } if asks_for_ever(body) => loops.push(s.span),
                    StmtKind::Roll { site, dice: thrown, .. } => dice.push((*site, thrown)),
                    StmtKind::Reroll { explode: true, roll, entry, filter, .. } => {
                        explosions.push((*roll, *entry, filter, s.span));
                    }
                    _ => {}
                }
            });
            for span in loops {
                self.endless(FuncId::from(at), span);
            }
            for (roll, entry, filter, span) in explosions {
                let dice = dice.iter().find(|(site, _)| *site == roll).map(|d| d.1);
                if always_explodes(rs, dice, entry, filter.as_ref()) {
                    self.say(Code::ExplodeAll, span, "these dice explode on every face");
                }
            }
        }
    }

    /// Reports a loop of a phase if an action without cost or limit can be chosen in it forever.
    fn endless(&mut self, func: FuncId, span: Span) {
        let rs = self.rs;
        let Some(phase) = rs.phases.iter().position(|p| p.func == func).map(PhaseId::from) else { return };
        let bound = |h: &HeaderLine| matches!(h, HeaderLine::Cost { .. } | HeaderLine::Limit { .. });
        let here = rs.actions.iter().filter(|a| a.phases.contains(&phase));
        let free = here.into_iter().find(|a| !a.header.iter().any(bound) && !ends(rs, a.func));
        if let Some(action) = free {
            let message = format!("{} costs nothing and has no limit, so this may never end", action.name);
            self.say_two(Code::EndlessLoop, span, message, self.span(action.item), "the action");
        }
    }
}

/// Returns whether an action ends a phase, and so leaves the loop.
fn ends(rs: &Ruleset, func: FuncId) -> bool {
    let mut ends = false;
    let is_end = |node: Node<'_>| matches!(node, Node::Stmt(Stmt { kind: StmtKind::End(_), .. }));
    walk_body(&rs.functions[func.at()].body, &mut |node| ends |= is_end(node));
    ends
}

fn always_explodes(rs: &Ruleset, dice: Option<&Expr>, entry: Option<LocalId>, filter: Option<&Expr>) -> bool {
    let (Some(filter), Some(entry)) = (filter, entry) else { return true };
    let Some(faces) = dice.and_then(|d| faces_of(rs, d)) else {
        return matches!(filter.kind, ExprKind::Const(1));
    };
    !faces.is_empty() && faces.iter().all(|face| judge(filter, entry, *face) == Some(1))
}

/// Returns the faces of dice that the rules specify by constants, or `None` for other dice.
fn faces_of(rs: &Ruleset, dice: &Expr) -> Option<Vec<i64>> {
    match (&dice.kind, &dice.ty) {
        (ExprKind::Op(Op::ToDie, args), _) => faces_of(rs, args.first()?),
        (ExprKind::List(parts), _) => {
            let all: Option<Vec<Vec<i64>>> = parts.iter().map(|d| faces_of(rs, d)).collect();
            Some(all?.concat())
        }
        (ExprKind::Const(n), Type::Die | Type::Faces(_)) if *n < 0 => {
            Some(rs.dice.get((-1 - n) as usize)?.faces.clone())
        }
        (ExprKind::Const(n), Type::Die) if *n <= MOST_FACES => Some((1..=*n).collect()),
        (ExprKind::Const(n), Type::Chain(id)) => {
            let sides = *rs.chains[id.at()].dice.get(usize::try_from(*n).ok()?)?;
            (i64::from(sides) <= MOST_FACES).then(|| (1..=i64::from(sides)).collect())
        }
        _ => None,
    }
}

/// Evaluates a condition for one face. Returns `None` if it depends on anything else.
fn judge(e: &Expr, entry: LocalId, face: i64) -> Option<i64> {
    match &e.kind {
        ExprKind::Const(n) => Some(*n),
        ExprKind::Local(id) if *id == entry => Some(face),
        ExprKind::And(parts) => parts.iter().map(|p| judge(p, entry, face)).try_fold(1, |all, p| Some(all & p?)),
        ExprKind::Or(parts) => parts.iter().map(|p| judge(p, entry, face)).try_fold(0, |any, p| Some(any | p?)),
        ExprKind::Op(op, args) => {
            let values: Option<Vec<i64>> = args.iter().map(|a| judge(a, entry, face)).collect();
            match (op, values?.as_slice()) {
                (Op::Not, [a]) => Some(1 - a),
                (op, [a, b]) if op.compares() => op.holds(a.cmp(b)).map(i64::from),
                _ => None,
            }
        }
        _ => None,
    }
}
