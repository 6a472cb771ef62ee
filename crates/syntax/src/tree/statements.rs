//! Statements, moves, cases and patterns.

use super::*;

/// `{ ... }`.
#[derive(Clone, Debug)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub span: Span,
}

/// One statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Cites on the line above.
    pub cites: Vec<ClauseRef>,
    pub kind: StmtKind,
    pub span: Span,
}

/// The right side of a `let`: a value or the one effect that may stand there.
#[derive(Clone, Debug)]
pub enum LetSource {
    Value(Expr),
    Do(Call),
    Test(Call),
    Move(Move),
}

/// An expression about dice with what stands before it.
#[derive(Clone, Debug)]
pub struct Asked {
    pub parts: Vec<AskedPart>,
    /// `u: Unit`.
    pub stand_ins: Vec<(Name, Name)>,
}

/// A part of an expression about dice; a value without a name is a `let` without one.
#[derive(Clone, Debug)]
pub struct AskedPart {
    /// The rolls of its dice; what each is called stands in `stmt` in place of its dice.
    pub throws: Vec<Thrown>,
    pub stmt: Stmt,
}

/// Dice that fall where they stand in an expression.
#[derive(Clone, Debug)]
pub struct Thrown {
    /// As it is written, followed by signs that nobody sees where others are written alike.
    pub name: Name,
    pub count: Option<Expr>,
    pub dice: Expr,
}

/// A figure of an expression about dice.
#[derive(Clone, Debug)]
pub struct AskedFigure {
    pub throws: Vec<Thrown>,
    pub of: Expr,
    pub given: Option<Expr>,
}

/// `=`, `+=`, `-=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOp {
    Set,
    Add,
    Sub,
}

/// How a `modify` changes a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModifyOp {
    /// `*= 2`; `*= 1/2 rounded up` rounds the product.
    Times(Option<Rounding>),
    Add,
    Sub,
    AtMost,
    AtLeast,
}

impl ModifyOp {
    /// The place among the modifiers of a figure, which are applied in this order.
    pub fn rank(self) -> u8 {
        match self {
            ModifyOp::Times(None) => 0,
            ModifyOp::Times(Some(_)) => 1,
            ModifyOp::Add | ModifyOp::Sub => 2,
            ModifyOp::AtMost | ModifyOp::AtLeast => 3,
        }
    }

    /// Returns the sign or words between the figure and the value.
    pub fn written(self) -> &'static str {
        match self {
            ModifyOp::Times(_) => "*",
            ModifyOp::Add => "+",
            ModifyOp::Sub => "-",
            ModifyOp::AtMost => "at most",
            ModifyOp::AtLeast => "at least",
        }
    }
}

/// `until end of P for k`.
#[derive(Clone, Debug)]
pub struct Until {
    /// True for `start of`.
    pub start: bool,
    pub phase: Name,
    pub key: Option<Expr>,
    pub span: Span,
}

/// How long a write lasts.
#[derive(Clone, Debug)]
pub enum Lasting {
    /// Until an edge of a phase.
    Edge(Until),
    /// As a `match` says, whose rows are [`Body::Lasts`].
    Chosen(Match),
}

/// What statements there are. Places to write (`slot` in the grammar) are expressions of names and fields.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// One name, or several for a tuple.
    Let { names: Vec<Name>, ty: Option<TypeExpr>, value: LetSource },
    /// `var n = 0`.
    Var { name: Name, ty: Option<TypeExpr>, value: Expr },
    /// `roll n by x = d8`, `roll n = ld of d6` (then `count` is ld), `roll n as "key" = d8`.
    Roll { name: Name, key: Option<Name>, by: Option<Expr>, count: Option<Expr>, dice: Expr },
    /// `draw card in cards`: chance picks.
    Draw {
        name: Name,
        key: Option<Text>,
        amount: Option<Range>,
        by: Option<Expr>,
        from: Range,
        filter: Option<Expr>,
        or_none: bool,
        weight: Option<Expr>,
    },
    /// `reroll x in dice where C at most n`; without `in` the name is the roll itself.
    Reroll { explode: bool, name: Name, within: Option<Name>, filter: Option<Expr>, at_most: Option<Expr> },
    /// `x = 1`, `x += 1`, with an end or without.
    Set { target: Expr, op: SetOp, value: Expr, until: Option<Lasting> },
    /// `grant`, with data.
    Grant { status: Name, args: Vec<Arg>, to: Expr, until: Option<Lasting> },
    /// `revoke`.
    Revoke { status: Name, all: bool, args: Vec<Arg>, from: Expr },
    /// `if`, each `else if` an arm.
    If { arms: Vec<(Expr, Block)>, otherwise: Option<Block> },
    /// `match` as a statement.
    Match(Match),
    /// `choose action`.
    ChooseAction { by: Option<Expr>, or_stop: bool, stop_when: Option<Expr>, span: Span },
    /// `choose name { options }`.
    ChooseOption { name: Name, by: Option<Expr>, options: Vec<ChoiceOption> },
    /// `choose x in xs`.
    Choose {
        name: Name,
        amount: Option<Range>,
        by: Option<Expr>,
        from: Range,
        filter: Option<Expr>,
        or_none: bool,
        prefer: Option<Prefer>,
    },
    /// `may x { }`: a yes or no.
    May { name: Name, by: Option<Expr>, when: Option<Expr>, prefer: Option<Expr>, body: Block },
    /// `each x in xs`.
    Each { name: Name, from: Range, filter: Option<Expr>, order: EachOrder, body: Block },
    /// `repeat { } while C`.
    Repeat { body: Block, condition: Option<Expr> },
    /// `all at once { }`: its changes land together at its end.
    AtOnce(Block),
    /// `move`.
    Move { motion: Move, otherwise: Option<Block> },
    /// `place`.
    Place { thing: Expr, at: Expr },
    /// `turn`, to an angle or by one.
    Turn { thing: Expr, by: bool, angle: Expr },
    /// `destroy`.
    Destroy { thing: Expr, reason: Option<Text> },
    /// `spawn`.
    Spawn { name: Name, kind: Name, fields: Vec<(Name, Expr)> },
    /// `merge`.
    Merge { from: Expr, into: Expr },
    /// `do`.
    Do(Call),
    /// A `test` on a line of its own.
    Test(Call),
    /// `run`.
    Run(Call),
    /// `emit`.
    Emit(Call),
    /// `return`.
    Return(Option<Expr>),
    /// `stop`: leaves the loop around it.
    Stop,
    /// `end Phase`: leaves that phase.
    End(Name),
    /// `cancel action`, `cancel action and return cost`.
    CancelAction { returned: bool },
    /// `pass when`.
    PassWhen(Expr),
    /// `grade`.
    Grade(Expr),
    /// `needs`.
    Needs { condition: Expr, reason: Option<Text> },
    /// `limit`.
    Limit { times: Expr, per: Name, key: Option<Expr>, when: Option<Expr> },
    /// `cost`.
    Cost { amount: Expr, of: Name },
}

/// One option of a `choose name { ... }`.
#[derive(Clone, Debug)]
pub struct ChoiceOption {
    pub name: Name,
    pub when: Option<Expr>,
    /// `prefer`, or `prefer when C`.
    pub prefer: Option<Option<Expr>>,
    pub body: Body,
    pub cites: Vec<ClauseRef>,
    pub span: Span,
}

/// What an undecided player takes.
#[derive(Clone, Debug)]
pub enum Prefer {
    Extreme { most: bool, by: Expr },
    When { which: Preferred, condition: Expr },
}

/// What is taken where a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preferred {
    /// The first entry with it; of several the fewest that may be.
    First,
    /// None.
    Nobody,
    /// All entries with it, as far as so many may be taken.
    Every,
}

/// In what order a loop goes.
#[derive(Clone, Debug)]
pub enum EachOrder {
    AsListed,
    Chosen { name: Name, by: Option<Expr> },
    By(Expr),
}

/// The result of a row or an option.
#[derive(Clone, Debug)]
pub enum Body {
    Block(Block),
    Stmt(Box<Stmt>),
    Value(Expr),
    /// In a row of [`Lasting::Chosen`]: when it ends, if ever, and where that stands.
    Lasts(Option<Until>, Span),
}

/// `match [first] subject { rows }`: a value or a statement, as its place wants.
#[derive(Clone, Debug)]
pub struct Match {
    pub first: bool,
    pub subject: Box<Expr>,
    pub rows: Vec<MatchRow>,
    pub span: Span,
}

/// One case of a match.
#[derive(Clone, Debug)]
pub struct MatchRow {
    /// Joined by `|`.
    pub patterns: Vec<Pattern>,
    pub when: Option<Expr>,
    pub body: Body,
    pub cites: Vec<ClauseRef>,
    pub span: Span,
}

/// One pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub kind: PatternKind,
    pub span: Span,
}

/// What a pattern fits.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`.
    Any,
    /// `else`.
    Else,
    /// `none`.
    None,
    /// `some x`: a name that is bound.
    Some(Name),
    /// `some _`.
    SomeAny,
    /// `some Kind(x)`.
    SomeKind { kind: Name, bound: Option<Name> },
    /// `past top n`; `top` false is bottom.
    Past { top: bool, bound: Option<Name> },
    /// `over v`, `over v to w`.
    Over(Expr, Option<Expr>),
    /// `under v`.
    Under(Expr),
    /// `at least v`.
    AtLeast(Expr),
    /// `at most v`.
    AtMost(Expr),
    /// `v`: a literal, a param or a local.
    Value(Expr),
    /// `v to w`, or `v to under w` (then the last is true).
    To(Expr, Expr, bool),
    /// `Case`, or `Enum.Case`.
    Case { of: Option<Name>, case: Name },
    /// `Kind(x)`.
    Kind { kind: Name, bound: Name },
    /// `(p | q, r)`: each part has one or more patterns.
    Tuple(Vec<Vec<Pattern>>),
}
