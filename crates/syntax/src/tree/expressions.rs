//! Syntax of values.

use super::*;
use grognard_base::value::{Op, fixed};
use std::fmt;

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// A number as written, with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Value in thousandths: `2.5` is 2500.
    pub thousandths: i64,
    pub unit: Unit,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.unit {
            Unit::Plain => "",
            Unit::Inches => "\"",
            Unit::Percent => "%",
            Unit::Degrees => "°",
        };
        write!(f, "{}{unit}", fixed(self.thousandths, 1000))
    }
}

/// The unit after a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    Plain,
    Inches,
    Percent,
    Degrees,
}

/// `+`, `-`, `*` or `/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithOp {
    Add,
    Sub,
    Mul,
    Div,
}

impl ArithOp {
    pub const ALL: [ArithOp; 4] = [ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div];

    /// Returns the operator's row for whole numbers in the table of operators.
    pub fn op(self) -> Op {
        match self {
            ArithOp::Add => Op::Add,
            ArithOp::Sub => Op::Sub,
            ArithOp::Mul => Op::Mul,
            ArithOp::Div => Op::Fraction,
        }
    }
}

/// The direction of rounding to a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    Down,
    Up,
    /// To the nearest whole number; halves are rounded up.
    Nearest,
}

impl Rounding {
    /// Returns the operator's row in the table of operators.
    pub fn op(self) -> Op {
        match self {
            Rounding::Down => Op::RoundDown,
            Rounding::Up => Op::RoundUp,
            Rounding::Nearest => Op::RoundNear,
        }
    }
}

/// `==`, `!=`, `<`, `<=`, `>` or `>=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl CompareOp {
    pub const ALL: [CompareOp; 6] =
        [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];

    /// Returns the comparison's row for single cells in the table of operators.
    pub fn op(self) -> Op {
        match self {
            CompareOp::Eq => Op::Eq,
            CompareOp::Ne => Op::Ne,
            CompareOp::Lt => Op::Lt,
            CompareOp::Le => Op::Le,
            CompareOp::Gt => Op::Gt,
            CompareOp::Ge => Op::Ge,
        }
    }

    /// Returns the sign of the negated comparison.
    pub fn opposite_sign(self) -> &'static str {
        self.op().opposite().map_or("", Op::written)
    }
}

/// The operand of `in`: a range `a .. b` or `a ..`, or a collection.
#[derive(Clone, Debug)]
pub struct Range {
    pub low: Box<Expr>,
    /// `None` for a collection or an open range.
    pub high: Option<Box<Expr>>,
    /// Whether it is a range `1 ..` without an upper end.
    pub open: bool,
    pub span: Span,
}

/// An argument with an optional name.
#[derive(Clone, Debug)]
pub struct Arg {
    pub name: Option<Name>,
    pub value: Expr,
}

/// The forms of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `2`, `2.5"`, `50%`.
    Number(Number),
    /// `d6` is `(1, 6)` with `bare` set. `3d6` is the sum of three dice.
    Dice { count: u32, sides: u32, bare: bool },
    /// `yes`.
    Yes,
    /// `no`.
    No,
    /// `none`.
    None,
    /// A lowercase name.
    Name(String),
    /// A capitalized name: a case, a kind, an enum, a die, or a record constructor.
    Upper(String),
    /// `x.field`.
    Field(Box<Expr>, Name),
    /// `f(..)`, `Shot(..)`, `u.pace(Clear)`.
    Call(Box<Expr>, Vec<Arg>),
    /// `(a, b)`.
    Tuple(Vec<Expr>),
    /// `(a)`. It is kept because diagnostics refer to its span.
    Paren(Box<Expr>),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `-a`.
    Neg(Box<Expr>),
    /// `was x`.
    Was(Box<Expr>),
    /// A chain of operators of one precedence, left to right: all `+ -`, or all `* /`.
    Arith { first: Box<Expr>, rest: Vec<(ArithOp, Expr)> },
    /// `value rounded up`. The value is all arithmetic to the left.
    Rounded { value: Box<Expr>, to: Rounding },
    /// `a up b` or `a down b`.
    Shift { die: Box<Expr>, up: bool, by: Box<Expr> },
    /// `a < b`.
    Compare { left: Box<Expr>, op: CompareOp, right: Box<Expr> },
    /// `u has Trait` or `u has no Trait`.
    Has { thing: Box<Expr>, no: bool, name: Name },
    /// `x is pattern`.
    Is { value: Box<Expr>, not: bool, pattern: Box<Pattern> },
    /// `x in range`.
    In { value: Box<Expr>, not: bool, range: Range },
    /// `a within d of b`.
    Within { place: Box<Expr>, distance: Box<Expr>, of: Box<Expr> },
    /// `a sees b`.
    Sees { from: Box<Expr>, to: Box<Expr> },
    /// `x nearer to a than to b`.
    Nearer { place: Box<Expr>, to: Box<Expr>, than: Box<Expr> },
    /// `not a`.
    Not(Box<Expr>),
    /// `a and b`.
    And(Vec<Expr>),
    /// `a or b`.
    Or(Vec<Expr>),
    /// `a otherwise b`, right-associative.
    Otherwise(Vec<Expr>),
    /// `if` as a value.
    If { arms: Vec<(Expr, Expr)>, otherwise: Box<Expr> },
    /// `match` as a value.
    Match(Match),
    /// `any no all count x in XS where C`, also over two lists with `against`.
    Query { what: Quantifier, binds: Vec<(Name, Range)>, filter: Option<Box<Expr>>, body: Option<Box<Expr>> },
    /// `count dice <= 3`.
    PoolQuery { what: Quantifier, pool: Box<Expr>, op: CompareOp, than: Box<Expr> },
}

/// The word that begins a query. The `body` is the condition of `every`, the addend of `sum`, the key of `most` and
/// `least`, and the place of `nearest` and `farthest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    Any,
    No,
    All,
    Count,
    Every,
    Sum,
    Most,
    Least,
    Nearest,
    Farthest,
}

impl Quantifier {
    /// Returns the quantifier that a word begins.
    pub fn of(word: &str) -> Option<Quantifier> {
        use Quantifier::{All, Any, Count, Every, Farthest, Least, Most, Nearest, No, Sum};
        let all = [Any, No, All, Count, Every, Sum, Most, Least, Nearest, Farthest];
        all.into_iter().find(|what| what.word() == word)
    }

    /// Returns the word that begins the query.
    pub fn word(self) -> &'static str {
        match self {
            Quantifier::Any => "any",
            Quantifier::No => "no",
            Quantifier::All => "all",
            Quantifier::Count => "count",
            Quantifier::Every => "every",
            Quantifier::Sum => "sum",
            Quantifier::Most => "most",
            Quantifier::Least => "least",
            Quantifier::Nearest => "nearest",
            Quantifier::Farthest => "farthest",
        }
    }
}
