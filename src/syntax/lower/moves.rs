//! `move x { ... }` and its lines.

use super::{Kids, Low, Lower, Pair};
use crate::syntax::grammar::Rule;
use crate::syntax::tree::*;

impl Lower<'_> {
    /// A `move_e`.
    pub fn motion(&self, pair: Pair) -> Low<Move> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        kids.skip(Rule::k_move);
        let thing = self.next_slot(&mut kids)?;
        let mut lines = Vec::new();
        while let Some(line) = kids.take(Rule::mline) {
            lines.push(self.move_line(line)?);
        }
        Ok(Move { thing, lines, span })
    }

    fn move_line(&self, pair: Pair) -> Low<MoveLine> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let line = self.any(&mut kids, "a line of a move")?;
        let kind = self.move_kind(line)?;
        let when = self.opt_when(&mut kids)?;
        let cites = self.cite(&mut kids);
        Ok(MoveLine { kind, when, cites, span })
    }

    fn move_kind(&self, pair: Pair) -> Low<MoveLineKind> {
        let rule = pair.as_rule();
        let mut kids = Kids::of(pair);
        if rule == Rule::m_costs {
            kids.skip(Rule::k_costs);
            return Ok(MoveLineKind::Costs { point: self.name(&mut kids)?, cost: self.next_arith(&mut kids)? });
        }
        // The words of a line say nothing that its rule does not.
        while !matches!(kids.peek(), None | Some(Rule::arith | Rule::cond | Rule::range)) {
            kids.next();
        }
        Ok(match rule {
            Rule::m_least => MoveLineKind::AtLeast(self.next_arith(&mut kids)?),
            Rule::m_most => MoveLineKind::AtMost(self.next_arith(&mut kids)?),
            Rule::m_exactly => MoveLineKind::Exactly(self.next_arith(&mut kids)?),
            Rule::m_toward => MoveLineKind::Toward(self.next_arith(&mut kids)?),
            Rule::m_away => MoveLineKind::AwayFrom(self.next_arith(&mut kids)?),
            Rule::m_nearer => MoveLineKind::NoNearerTo(self.next_arith(&mut kids)?),
            Rule::m_endsin => {
                let distance = self.next_arith(&mut kids)?;
                kids.skip(Rule::k_of);
                MoveLineKind::EndsWithin { distance, of: self.next_arith(&mut kids)? }
            }
            Rule::m_ends => MoveLineKind::EndsWhere(self.next_cond(&mut kids)?),
            Rule::m_never => MoveLineKind::NeverWhere(self.next_cond(&mut kids)?),
            Rule::m_along => MoveLineKind::Along(self.next_arith(&mut kids)?),
            Rule::m_heading => MoveLineKind::Heading(self.next_range(&mut kids)?),
            Rule::m_straight => MoveLineKind::StraightFor(self.next_arith(&mut kids)?),
            Rule::m_keeps => MoveLineKind::KeepsFacing,
            Rule::m_bends => MoveLineKind::BendsAtMost(self.next_arith(&mut kids)?),
            Rule::m_avoids => MoveLineKind::Avoids(self.next_arith(&mut kids)?),
            Rule::m_through => MoveLineKind::Through(self.next_arith(&mut kids)?),
            Rule::m_stops if kids.peek() == Some(Rule::cond) => MoveLineKind::StopsWhere(self.next_cond(&mut kids)?),
            Rule::m_stops if kids.peek() == Some(Rule::arith) => {
                MoveLineKind::StopsOnContact(Some(self.next_arith(&mut kids)?))
            }
            Rule::m_stops => MoveLineKind::StopsOnContact(None),
            _ => return self.odd(0, "a line of a move"),
        })
    }
}
