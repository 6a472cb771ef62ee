//! Checks moves: sets of constraints, one per line.

use super::super::code::{Collection, Expr, ExprKind, Move, MoveLine, Stmt, StmtKind};
use super::body::{BodyChecker, expr};
use super::collections::collect;
use super::matches::ids;
use crate::ruleset::SiteSort;
use grognard_base::Code;
use grognard_base::value::*;
use grognard_syntax::tree::{self, MovePart, Name};

impl BodyChecker<'_, '_> {
    /// Checks the statement `move m { .. } else ..` or `let leg = move m { .. }` and translates it to typed code.
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
        if let Some(open) = line.open {
            self.say(Code::Arity, open, "write a fan between two bearings: `heading a .. b`");
        }
        let point = line.point.as_ref().map(|name| self.bind(name, Type::Place, false));
        let parts: Option<Vec<Expr>> = line.asks.parts().zip(&line.parts).map(|(sort, e)| self.part(sort, e)).collect();
        self.leave(mark);
        Some(MoveLine { asks: line.asks, parts: parts?, point, when, cites: ids(&line.cites) })
    }

    fn part(&mut self, sort: MovePart, e: &tree::Expr) -> Option<Expr> {
        Some(match sort {
            MovePart::Length => self.length(e),
            MovePart::Angle => self.want(e, &Type::Angle),
            MovePart::Places => self.places(e),
            MovePart::Route => self.route(e),
            MovePart::Things => self.things(e)?,
            MovePart::Condition => self.flag(e),
            MovePart::LooksBack => self.looking_back(e),
            MovePart::Cost => self.want(e, &Type::INT.optional()),
        })
    }

    /// Checks a condition that can use `was` to refer to the start of the move.
    fn looking_back(&mut self, c: &tree::Expr) -> Expr {
        let outer = std::mem::replace(&mut self.was_ok, true);
        let condition = self.flag(c);
        self.was_ok = outer;
        condition
    }

    /// Checks a route, or places to pass in order.
    fn route(&mut self, e: &tree::Expr) -> Expr {
        let value = self.expr(e, Some(&Type::Route));
        match &value.ty {
            Type::List(inner) if matches!(**inner, Type::Kind(_) | Type::Place | Type::Unknown) => value,
            _ => self.fit(value, &Type::Route),
        }
    }

    /// Checks a list of things, or a place.
    fn places(&mut self, e: &tree::Expr) -> Expr {
        let value = self.expr(e, Some(&Type::Place));
        match &value.ty {
            Type::List(inner) if matches!(**inner, Type::Kind(_) | Type::Unknown) => value,
            _ => self.fit(value, &Type::Place),
        }
    }

    /// Checks a list of things. A single thing becomes a list of one; a group stays a group.
    fn things(&mut self, e: &tree::Expr) -> Option<Expr> {
        if let tree::ExprKind::Upper(name) = &e.kind
            && let Some((all, ty)) = self.type_collection(name)
        {
            self.note_type(name, e.span);
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
            ty => self.unlike("things", &ty, span),
        }
    }
}
