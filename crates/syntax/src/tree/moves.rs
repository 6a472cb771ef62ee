//! Moves: the table of their constraints, and a line that asks one.

use super::*;

/// A move: whom, and its lines.
#[derive(Clone, Debug)]
pub struct Move {
    pub thing: Expr,
    pub lines: Vec<MoveLine>,
    pub meeting: Option<Meeting>,
    pub span: Span,
}

/// `on meeting { .. }`: what is done when a leg of a move has ended, before the mover goes on with what is left.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// Done whatever was met.
    pub always: Vec<Stmt>,
    /// Its subject, what was met, has no words of its own; it stands for `meeting`.
    pub rows: Match,
}

/// One line of a move.
#[derive(Clone, Debug)]
pub struct MoveLine {
    pub asks: Constraint,
    /// Its parts, in the order of the table; the last may be missing where the table has two.
    pub parts: Vec<Expr>,
    /// What the cost calls the place that it is asked at.
    pub point: Option<Name>,
    /// `as left`: what is left of this length while the mover goes on.
    pub counted: Option<Name>,
    /// A range whose second end is left open.
    pub open: Option<Span>,
    pub when: Option<Expr>,
    pub cites: Vec<ClauseRef>,
    pub span: Span,
}

/// What a line of a move asks: one constraint on its path. Every stage reads what stands in it from one table.
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

/// What stands in a line.
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
    /// A condition that may look back to the start of the move.
    LooksBack,
    /// What an inch costs at a point.
    Cost,
}

impl MovePart {
    /// True for what is judged while a path is looked for, wherever the mover would be; all else is worked out before.
    pub fn is_judged(self) -> bool {
        matches!(self, MovePart::Condition | MovePart::LooksBack | MovePart::Cost)
    }
}

impl Constraint {
    /// How it begins, and its parts, each with the words before it.
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

    /// What stands in it, in order.
    pub fn parts(self) -> impl Iterator<Item = MovePart> {
        self.row().1.iter().map(|(_, part)| *part)
    }

    /// A line in words: `ends within 3" of guns`.
    pub fn words(self, parts: impl Iterator<Item = String>) -> String {
        let (opening, joined) = self.row();
        let told = joined.iter().zip(parts).map(|((before, _), part)| format!(" {before}{part}"));
        format!("{opening}{}", told.collect::<String>())
    }
}
