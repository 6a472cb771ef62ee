//! Lowers `move x { ... }` and its lines.

use super::{Kids, Low, Lower, Pair};
use crate::grammar::Rule;
use crate::tree::*;
use grognard_base::Span;

impl Lower<'_> {
    /// Lowers a `move_e` pair to a move.
    pub fn motion(&self, pair: Pair) -> Low<Move> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        kids.skip(Rule::k_move);
        let thing = self.next_slot(&mut kids)?;
        let mut lines = Vec::new();
        while let Some(line) = kids.take(Rule::mline) {
            lines.push(self.move_line(line)?);
        }
        let meeting = kids.take(Rule::meeting).map(|pair| self.meeting(pair)).transpose()?;
        Ok(Move { thing, lines, meeting, span })
    }

    /// Lowers the pair of `on meeting { .. }` to a meeting.
    fn meeting(&self, pair: Pair) -> Low<Meeting> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        kids.skip(Rule::k_on);
        let word = self.want(&mut kids, Rule::k_meeting, "`meeting`")?;
        let subject = Box::new(Expr { kind: ExprKind::None, span: self.span(&word) });
        let (mut always, mut rows) = (Vec::new(), Vec::new());
        while let Some(stmt) = kids.take(Rule::stmt) {
            always.push(self.stmt(stmt)?);
        }
        while let Some(row) = kids.take(Rule::row) {
            rows.push(self.row(row)?);
        }
        Ok(Meeting { always, rows: Match { first: false, subject, rows, span } })
    }

    fn move_line(&self, pair: Pair) -> Low<MoveLine> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let line = self.any(&mut kids, "a line of a move")?;
        let made = self.constraint(line, span)?;
        let when = self.opt_when(&mut kids)?;
        let cites = self.cite(&mut kids);
        Ok(MoveLine { when, cites, ..made })
    }

    /// Lowers a line without its condition and cites.
    fn constraint(&self, pair: Pair, span: Span) -> Low<MoveLine> {
        let rule = pair.as_rule();
        let mut kids = Kids::of(pair);
        let (mut parts, mut open, mut judged) = (Vec::new(), None, false);
        let (mut point, mut counted) = (None, None);
        if rule == Rule::m_costs {
            kids.skip(Rule::k_costs);
            point = Some(self.name(&mut kids)?);
        }
        while let Some(next) = kids.peek() {
            match next {
                Rule::arith => parts.push(self.next_arith(&mut kids)?),
                Rule::cond => {
                    judged = true;
                    parts.push(self.next_cond(&mut kids)?);
                }
                Rule::range => {
                    let range = self.next_range(&mut kids)?;
                    open = range.open.then_some(range.span);
                    parts.push(*range.low);
                    parts.extend(range.high.map(|high| *high));
                }
                Rule::counted => {
                    let pair = self.any(&mut kids, "a name")?;
                    let mut kids = Kids::of(pair);
                    kids.skip(Rule::k_as);
                    counted = Some(self.name(&mut kids)?);
                }
                // the rule of the line already implies its words
                _ => drop(kids.next()),
            }
        }
        let asks = match rule {
            Rule::m_least => Constraint::AtLeast,
            Rule::m_most => Constraint::AtMost,
            Rule::m_exactly => Constraint::Exactly,
            Rule::m_toward => Constraint::Toward,
            Rule::m_away => Constraint::AwayFrom,
            Rule::m_nearer => Constraint::NoNearerTo,
            Rule::m_endsin => Constraint::EndsWithin,
            Rule::m_ends => Constraint::EndsWhere,
            Rule::m_never => Constraint::NeverWhere,
            Rule::m_along => Constraint::Along,
            Rule::m_heading => Constraint::Heading,
            Rule::m_straight => Constraint::StraightFor,
            Rule::m_keeps => Constraint::KeepsFacing,
            Rule::m_bends => Constraint::BendsAtMost,
            Rule::m_avoids => Constraint::Avoids,
            Rule::m_through => Constraint::Through,
            Rule::m_stops if judged => Constraint::StopsWhere,
            Rule::m_stops => Constraint::StopsOnContact,
            Rule::m_costs => Constraint::Costs,
            _ => return self.odd(0, "a line of a move"),
        };
        Ok(MoveLine { asks, parts, point, counted, open, when: None, cites: Vec::new(), span })
    }
}
