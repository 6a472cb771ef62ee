//! Syntax of moves, and the table of their constraints.

use super::*;

/// A move: the mover, and its lines.
#[derive(Clone, Debug)]
pub struct Move {
    pub thing: Expr,
    pub lines: Vec<MoveLine>,
    pub meeting: Option<Meeting>,
    pub span: Span,
}

/// `on meeting { .. }`: statements that run when a leg of a move has ended, before the mover continues.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// Statements for every meeting.
    pub always: Vec<Stmt>,
    /// The rows. The subject, which is what was met, is not written; its span is that of `meeting`.
    pub rows: Match,
}

#[derive(Clone, Debug)]
pub struct MoveLine {
    pub asks: Constraint,
    /// Operands, in the order of the table. The last can be missing where the table has two.
    pub parts: Vec<Expr>,
    /// Name of the point at which the cost is evaluated.
    pub point: Option<Name>,
    /// `as left`: name of the remaining length while the mover continues.
    pub counted: Option<Name>,
    /// Span of a range without an upper end.
    pub open: Option<Span>,
    pub when: Option<Expr>,
    pub cites: Vec<ClauseRef>,
    pub span: Span,
}

/// A constraint on the path of a move. All stages take its operands from one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    AtLeast,
    AtMost,
    Exactly,
    Toward,
    AwayFrom,
    NoNearerTo,
    EndsWithin,
    EndsWhere,
    NeverWhere,
    Along,
    Heading,
    StraightFor,
    KeepsFacing,
    BendsAtMost,
    Avoids,
    Through,
    StopsOnContact,
    StopsWhere,
    Costs,
}

/// The type of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovePart {
    Length,
    Angle,
    /// A list of things, or a place.
    Places,
    /// A route, or places to pass in order.
    Route,
    /// A list of things.
    Things,
    /// A condition on the mover at a point of its path.
    Condition,
    /// A condition that can use `was` to refer to the start of the move.
    LooksBack,
    /// The cost of an inch at a point.
    Cost,
}

impl MovePart {
    /// Returns whether the operand is evaluated during the path search, at each candidate point. The others are
    /// evaluated before it.
    pub fn is_judged(self) -> bool {
        matches!(self, MovePart::Condition | MovePart::LooksBack | MovePart::Cost)
    }
}

impl Constraint {
    /// Returns the opening words, and the operands, each with the words before it.
    fn row(self) -> (&'static str, &'static [(&'static str, MovePart)]) {
        use MovePart as P;
        match self {
            Constraint::AtLeast => ("at least", &[("", P::Length)]),
            Constraint::AtMost => ("at most", &[("", P::Length)]),
            Constraint::Exactly => ("exactly", &[("", P::Length)]),
            Constraint::Toward => ("toward", &[("", P::Places)]),
            Constraint::AwayFrom => ("away from", &[("", P::Places)]),
            Constraint::NoNearerTo => ("no nearer to", &[("", P::Places)]),
            Constraint::EndsWithin => ("ends within", &[("", P::Length), ("of ", P::Places)]),
            Constraint::EndsWhere => ("ends where", &[("", P::LooksBack)]),
            Constraint::NeverWhere => ("never where", &[("", P::LooksBack)]),
            Constraint::Along => ("along", &[("", P::Route)]),
            Constraint::Heading => ("heading", &[("", P::Angle), (".. ", P::Angle)]),
            Constraint::StraightFor => ("straight for", &[("", P::Length)]),
            Constraint::KeepsFacing => ("keeps facing", &[]),
            Constraint::BendsAtMost => ("bends at most", &[("", P::Angle)]),
            Constraint::Avoids => ("avoids", &[("", P::Things)]),
            Constraint::Through => ("through", &[("", P::Things)]),
            Constraint::StopsOnContact => ("stops on contact", &[("with ", P::Things)]),
            Constraint::StopsWhere => ("stops where", &[("", P::Condition)]),
            Constraint::Costs => ("costs", &[("", P::Cost)]),
        }
    }

    /// Returns the types of the operands, in order.
    pub fn parts(self) -> impl Iterator<Item = MovePart> {
        self.row().1.iter().map(|(_, part)| *part)
    }

    /// Returns a line as text: `ends within 3" of guns`.
    pub fn words(self, parts: impl Iterator<Item = String>) -> String {
        let (opening, joined) = self.row();
        let rendered = joined.iter().zip(parts).map(|((before, _), part)| format!(" {before}{part}"));
        format!("{opening}{}", rendered.collect::<String>())
    }
}
