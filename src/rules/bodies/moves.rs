//! Moves: a set of constraints, one a line.

use super::super::code::{Collection, Expr, ExprKind, Move, MoveLine, MoveLineKind, Stmt, StmtKind};
use super::body::{Body, expr};
use super::collections::collect;
use super::matches::ids;
use crate::base::Code;
use crate::rules::ruleset::SiteSort;
use crate::syntax::tree::{self, MoveLineKind as Tree, Name};
use crate::value::*;

impl Body<'_, '_> {
    /// `move m { .. } else ..`, or `let leg = move m { .. }`.
    pub fn move_stmt(
        &mut self,
        motion: &tree::Move,
        leg: Option<&Name>,
        otherwise: Option<&tree::Block>,
    ) -> Option<StmtKind> {
        let allowed = self.writes(motion.span, "moves a thing");
        let made = self.motion(motion);
        let leg = leg.map(|name| self.bind(name, Type::Leg, false));
        let otherwise: Option<Vec<Stmt>> = otherwise.map(|b| self.block(b));
        allowed?;
        Some(StmtKind::Move { motion: made?, leg, otherwise })
    }

    fn motion(&mut self, motion: &tree::Move) -> Option<Move> {
        let thing = self.target_thing(&motion.thing);
        if let Some(thing) = &thing {
            self.on_board(thing);
        }
        let site = self.site("move", SiteSort::Move, Type::Place, motion.span);
        let lines = motion.lines.iter().filter_map(|line| self.line(line)).collect();
        Some(Move { site, thing: thing?, lines })
    }

    fn line(&mut self, line: &tree::MoveLine) -> Option<MoveLine> {
        let mark = self.mark();
        let when = line.when.as_ref().map(|w| self.condition(w));
        let kind = self.line_kind(&line.kind);
        self.leave(mark);
        Some(MoveLine { kind: kind?, when, cites: ids(&line.cites), span: line.span })
    }

    fn line_kind(&mut self, kind: &Tree) -> Option<MoveLineKind> {
        Some(match kind {
            Tree::AtLeast(d) => MoveLineKind::AtLeast(self.length(d)),
            Tree::AtMost(d) => MoveLineKind::AtMost(self.length(d)),
            Tree::Exactly(d) => MoveLineKind::Exactly(self.length(d)),
            Tree::Toward(x) => MoveLineKind::Toward(self.places(x)),
            Tree::AwayFrom(x) => MoveLineKind::AwayFrom(self.places(x)),
            Tree::NoNearerTo(x) => MoveLineKind::NoNearerTo(self.places(x)),
            Tree::EndsWithin { distance, of } => {
                MoveLineKind::EndsWithin { distance: self.length(distance), of: self.places(of) }
            }
            Tree::EndsWhere(c) => MoveLineKind::EndsWhere(self.looking_back(c)),
            Tree::NeverWhere(c) => MoveLineKind::NeverWhere(self.looking_back(c)),
            Tree::Along(r) => MoveLineKind::Along(self.route(r)),
            Tree::Heading(range) => {
                if range.open {
                    self.say(Code::Arity, range.span, "a fan goes between two bearings: `heading a .. b`");
                }
                let first = self.want(&range.low, &Type::Angle);
                MoveLineKind::Heading(first, range.high.as_ref().map(|h| self.want(h, &Type::Angle)))
            }
            Tree::StraightFor(d) => MoveLineKind::StraightFor(self.length(d)),
            Tree::KeepsFacing => MoveLineKind::KeepsFacing,
            Tree::BendsAtMost(a) => MoveLineKind::BendsAtMost(self.want(a, &Type::Angle)),
            Tree::Avoids(x) => MoveLineKind::Avoids(self.things(x)?),
            Tree::Through(x) => MoveLineKind::Through(self.things(x)?),
            Tree::StopsOnContact(x) => MoveLineKind::StopsOnContact(match x {
                Some(x) => Some(self.things(x)?),
                None => None,
            }),
            Tree::StopsWhere(c) => MoveLineKind::StopsWhere(self.flag(c)),
            Tree::Costs { point, cost } => {
                let mark = self.mark();
                let at = self.bind(point, Type::Place, false);
                let cost = self.want(cost, &Type::INT.optional());
                self.leave(mark);
                MoveLineKind::Costs { point: at, cost }
            }
        })
    }

    /// A condition that may look back to the start of the move.
    fn looking_back(&mut self, c: &tree::Expr) -> Expr {
        let outer = std::mem::replace(&mut self.was_ok, true);
        let condition = self.flag(c);
        self.was_ok = outer;
        condition
    }

    /// A route, or places to pass in order.
    fn route(&mut self, e: &tree::Expr) -> Expr {
        let value = self.expr(e, Some(&Type::Route));
        match &value.ty {
            Type::List(inner) if matches!(**inner, Type::Kind(_) | Type::Place | Type::Unknown) => value,
            _ => self.fit(value, &Type::Route),
        }
    }

    /// A list of things, or a place.
    fn places(&mut self, e: &tree::Expr) -> Expr {
        let value = self.expr(e, Some(&Type::Place));
        match &value.ty {
            Type::List(inner) if matches!(**inner, Type::Kind(_) | Type::Unknown) => value,
            _ => self.fit(value, &Type::Place),
        }
    }

    /// A list of things; one thing is a list of one, a group is itself.
    fn things(&mut self, e: &tree::Expr) -> Option<Expr> {
        if let tree::ExprKind::Upper(name) = &e.kind
            && let Some((all, ty)) = self.type_collection(name)
        {
            return Some(collect(self, all, ty, e.span));
        }
        let value = self.expr(e, None);
        let span = value.span;
        match value.ty.clone() {
            Type::List(inner) if matches!(*inner, Type::Kind(_) | Type::Unknown) => Some(value),
            Type::Kind(kind) => match self.ck.rs.kinds[kind.at()].group {
                Some((_, members)) => Some(collect(self, Collection::Group(value), Type::Kind(members), span)),
                None => {
                    let ty = value.ty.clone().list();
                    Some(expr(ExprKind::List(vec![value]), ty, span))
                }
            },
            Type::Optional(inner) if matches!(*inner, Type::Kind(_)) => {
                Some(expr(ExprKind::List(vec![value]), inner.list(), span))
            }
            Type::Unknown => None,
            ty => {
                let ty = self.type_name(&ty);
                self.say(Code::WrongType, span, format!("things are wanted here, and this is {ty}"));
                None
            }
        }
    }
}
