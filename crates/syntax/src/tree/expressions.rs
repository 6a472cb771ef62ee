//! Values.

use super::*;
use grognard_base::value::{Op, fixed};
use std::fmt;

/// A value.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// A number as written, in thousandths, with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Thousandths: `2.5` is 2500.
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

/// What stands behind a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    Plain,
    Inches,
    Percent,
    Degrees,
}

/// `+ - * /`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithOp {
    Add,
    Sub,
    Mul,
    Div,
}

impl ArithOp {
    /// Every operator.
    pub const ALL: [ArithOp; 4] = [ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div];

    /// Returns its row in the table of operators, that of whole numbers.
    pub fn op(self) -> Op {
        match self {
            ArithOp::Add => Op::Add,
            ArithOp::Sub => Op::Sub,
            ArithOp::Mul => Op::Mul,
            ArithOp::Div => Op::Fraction,
        }
    }
}

/// To which whole number a fraction is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    Down,
    Up,
    /// The nearest; a half goes up.
    Nearest,
}

impl Rounding {
    /// Returns its row in the table of operators.
    pub fn op(self) -> Op {
        match self {
            Rounding::Down => Op::RoundDown,
            Rounding::Up => Op::RoundUp,
            Rounding::Nearest => Op::RoundNear,
        }
    }
}

/// `== != < <= > >=`.
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
    /// Every comparison.
    pub const ALL: [CompareOp; 6] =
        [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];

    /// Returns its row in the table of operators, that of single cells.
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

    /// Returns the sign of the comparison that holds when this one does not.
    pub fn opposite_sign(self) -> &'static str {
        self.op().opposite().map_or("", Op::written)
    }
}

/// `x in a .. b`, or a list; `open` is `a ..`.
#[derive(Clone, Debug)]
pub struct Range {
    pub low: Box<Expr>,
    /// None for a plain collection.
    pub high: Option<Box<Expr>>,
    /// True for `1 ..` without an upper end.
    pub open: bool,
    pub span: Span,
}

/// One argument, maybe named.
#[derive(Clone, Debug)]
pub struct Arg {
    pub name: Option<Name>,
    pub value: Expr,
}

/// What expressions there are.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `2`, `2.5"`, `50%`.
    Number(Number),
    /// `d6` is (1, 6) with `bare`; `3d6` the sum of three.
    Dice { count: u32, sides: u32, bare: bool },
    /// `yes`.
    Yes,
    /// `no`.
    No,
    /// `none`.
    None,
    /// A small name.
    Name(String),
    /// A capital name: a case, a kind, an enum, a die, a record to be made.
    Upper(String),
    /// `x.field`.
    Field(Box<Expr>, Name),
    /// `f(..)`, `Shot(..)`, `u.pace(Clear)`.
    Call(Box<Expr>, Vec<Arg>),
    /// `(a, b)`.
    Tuple(Vec<Expr>),
    /// `(a)`; a place in the text that findings name.
    Paren(Box<Expr>),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `-a`.
    Neg(Box<Expr>),
    /// `was x`.
    Was(Box<Expr>),
    /// A chain of one strength, left to right: all `+ -`, or all `* /`.
    Arith { first: Box<Expr>, rest: Vec<(ArithOp, Expr)> },
    /// All arithmetic to its left.
    Rounded { value: Box<Expr>, to: Rounding },
    /// `a up b`, `a down b`.
    Shift { die: Box<Expr>, up: bool, by: Box<Expr> },
    /// `a < b`.
    Compare { left: Box<Expr>, op: CompareOp, right: Box<Expr> },
    /// `u has Trait`, `u has no Trait`.
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
    /// Chains to the right.
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

/// The word a query begins with. `every` has its condition, `sum` its addend, `most least` their key,
/// `nearest farthest` their place, as `body`.
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
    /// The one that a word begins.
    pub fn of(word: &str) -> Option<Quantifier> {
        use Quantifier::{All, Any, Count, Every, Farthest, Least, Most, Nearest, No, Sum};
        let all = [Any, No, All, Count, Every, Sum, Most, Least, Nearest, Farthest];
        all.into_iter().find(|what| what.word() == word)
    }

    /// The word.
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
