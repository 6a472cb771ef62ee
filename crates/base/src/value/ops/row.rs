//! The types of a row of the table of operators.

use super::Ratio;

/// The form in which an operator is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpSort {
    /// Written between or before its operands.
    Operator,
    /// Written `name(..)`.
    Builtin,
    /// Inserted by the checker, never written.
    Hidden,
}

/// How tightly the parts of an expression bind, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    /// An `if`, a query, an `otherwise`: it takes all that follows.
    Loose,
    /// `or`.
    Or,
    /// `and`.
    And,
    /// `not`.
    Not,
    /// A comparison or another condition.
    Compared,
    /// `up` and `down`.
    Shifted,
    /// `rounded`.
    Rounded,
    /// `+` and `-`.
    Sum,
    /// `*` and `/`.
    Product,
    /// A minus sign.
    Sign,
    /// A name, a call, a number.
    Whole,
}

/// A row of the table: every fact about an operator except its work.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Whether it is written as an operator, as a call, or not at all.
    pub sort: OpSort,
    /// How it is written.
    pub written: &'static str,
    /// Its types, as the language writes them.
    pub signature: &'static str,
    /// Its description in the reference, one sentence.
    pub doc: &'static str,
    /// Template of its use in rules text. `{1}` is the first operand and `{all}` all of them, see [`pieces`](super::pieces).
    pub text: &'static str,
    /// How tightly the operator holds its operands together in rules text.
    pub binding: Binding,
    /// Its operands, in order.
    pub takes: &'static [Takes],
    /// Its result and the registers that hold it.
    pub gives: Gives,
    /// The code that the compiler emits for it.
    pub lowering: Lowering,
    /// The bounds of its result.
    pub interval: Interval,
}

/// An operand: its type, if the table decides it, and its registers. `n` is the number that the instruction carries in
/// addition to its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A kind, which takes no register.
    Nothing,
    /// A number.
    Int,
    /// A length.
    Length,
    /// An angle.
    Angle,
    /// A thing of any kind.
    Thing,
    /// A place: two cells.
    Place,
    /// One cell, of any type that the checker accepts.
    Cell,
    /// Two cells: a fraction.
    Pair,
    /// `n` cells.
    Value,
    /// A case or a die of a chain; `n` is the number of cases or dice.
    Case,
    /// A die; `n` is 1 more than the index of its chain, or 0.
    Chain,
    /// A list with entries of `n` cells.
    List(Demand),
    /// A list of ordered values, with entries of `n` cells.
    Ordered(Demand),
}

impl Takes {
    /// Returns the number of registers that the operand takes.
    pub fn width(self, n: u16) -> u16 {
        match self {
            Takes::Nothing => 0,
            Takes::Place | Takes::Pair => 2,
            Takes::Value => n.max(1),
            Takes::Int | Takes::Length | Takes::Angle | Takes::Thing => 1,
            Takes::Cell | Takes::Case | Takes::Chain | Takes::List(_) | Takes::Ordered(_) => 1,
        }
    }

    /// Returns the facts that it requires of the dice of a list, or `None` if the operand is not a list.
    pub fn demand(self) -> Option<Demand> {
        if let Takes::List(demand) | Takes::Ordered(demand) = self { Some(demand) } else { None }
    }
}

/// The facts about the dice of a list that an operator demands. An unsampled die stays symbolic beyond them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Their number.
    Count,
    /// Their faces, in any order.
    Faces,
    /// The face at the index in the first operand, counted from 1.
    Entry,
    /// Their faces in order.
    Order,
}

/// A result: its type, if the table decides it, and its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// `yes` or `no`.
    Flag,
    /// A length.
    Length,
    /// An angle.
    Angle,
    /// A place: two cells.
    Place,
    /// A list of routes, two cells each.
    Routes,
    /// A list of places, two cells each.
    Places,
    /// A list of things or numbers.
    Things,
    /// A list of things, and in the next register the distance within which they were searched.
    Near,
    /// An entry of the list operand, or `None`: `n` cells.
    Entry,
    /// An entry of the list operand, or `None` if the list is empty: `n` cells.
    Member,
    /// A number from 0 to the length of the list operand.
    Count,
    /// A list with entries of `n` cells, like the list operand.
    Entries,
    /// One cell, whose type the checker computes.
    Cell,
    /// Two cells, whose type the checker computes.
    Pair,
}

impl Gives {
    /// Returns the number of registers that the result takes.
    pub fn width(self, n: u16) -> u16 {
        match self {
            Gives::Place | Gives::Pair | Gives::Near => 2,
            Gives::Entry | Gives::Member => n.max(1),
            Gives::Flag | Gives::Length | Gives::Angle | Gives::Count | Gives::Cell => 1,
            Gives::Routes | Gives::Places | Gives::Things | Gives::Entries => 1,
        }
    }

    /// Returns the width of the entries in cells, or `None` if the result is not a list.
    pub fn entries(self, n: u16) -> Option<u16> {
        match self {
            Gives::Routes | Gives::Places => Some(2),
            Gives::Things | Gives::Near => Some(1),
            Gives::Entries => Some(n),
            Gives::Flag | Gives::Length | Gives::Angle | Gives::Place => None,
            Gives::Entry | Gives::Member | Gives::Count | Gives::Cell | Gives::Pair => None,
        }
    }
}

/// The code that the compiler emits for an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lowering {
    /// One instruction with two operands.
    Instr,
    /// One instruction for each operand after the first.
    Fold,
    /// A query of the board.
    Board,
    /// A loop along a tree link.
    Tree,
    /// A list that includes destroyed things.
    Fallen,
    /// The length of a list, or of the list of the members of a group.
    Length,
    /// A number with the denominator 1.
    Whole,
    /// A thing as a place.
    Place,
    /// Two numbers in adjacent registers.
    Point,
    /// A test of the phase stack.
    Phase,
}

/// The rule that computes the bounds of a result from those of the operands.
#[derive(Clone, Copy, Debug)]
pub enum Interval {
    /// Only the type of the result bounds it.
    Typed,
    /// Monotone in each operand, so its extremes are at the bounds of the operands.
    Corners(fn(Ratio, Ratio) -> Option<Ratio>),
    /// Like `Corners`, for a quotient whose divisor is never 0.
    Quotient,
    /// Monotone in its only operand.
    Monotone(fn(Ratio) -> Option<Ratio>),
    /// From 0 to the maximum length of the list or group.
    Length,
    /// The maximum length of the list times the bounds of an entry.
    Sum,
    /// The bounds of an entry of the list.
    Entry,
}
