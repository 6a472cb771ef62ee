//! Syntax of statements, choices and patterns.

use super::*;

/// `{ ... }`.
#[derive(Clone, Debug)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    /// Cites on the line above.
    pub cites: Vec<ClauseRef>,
    pub kind: StmtKind,
    pub span: Span,
}

/// The right side of a `let`: a value, or an effect that is allowed there.
#[derive(Clone, Debug)]
pub enum LetSource {
    Value(Expr),
    Do(Call),
    Test(Call),
    Move(Move),
}

/// An expression about dice with its preceding parts.
#[derive(Clone, Debug)]
pub struct Asked {
    pub parts: Vec<AskedPart>,
    /// `u: Unit`.
    pub stand_ins: Vec<(Name, Name)>,
}

/// A part of an expression about dice. A value without a name is a `let` without a name.
#[derive(Clone, Debug)]
pub struct AskedPart {
    /// The rolls of its dice. In `stmt`, the name of each roll replaces its dice.
    pub throws: Vec<Thrown>,
    pub stmt: Stmt,
}

/// A roll of dice that are written directly in an expression.
#[derive(Clone, Debug)]
pub struct Thrown {
    /// The text of the dice. Invisible characters follow it if the same text occurs more than once.
    pub name: Name,
    pub count: Option<Expr>,
    pub dice: Expr,
}

/// A measured value of an expression about dice.
#[derive(Clone, Debug)]
pub struct AskedFigure {
    pub throws: Vec<Thrown>,
    pub of: Expr,
    pub given: Option<Expr>,
}

/// `=`, `+=` or `-=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOp {
    Set,
    Add,
    Sub,
}

/// How a `modify` changes a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModifyOp {
    /// `*= 2`. `*= 1/2 rounded up` rounds the product.
    Times(Option<Rounding>),
    Add,
    Sub,
    AtMost,
    AtLeast,
}

impl ModifyOp {
    /// Returns the rank of the modifier. The modifiers of a field are applied in ascending rank.
    pub fn rank(self) -> u8 {
        match self {
            ModifyOp::Times(None) => 0,
            ModifyOp::Times(Some(_)) => 1,
            ModifyOp::Add | ModifyOp::Sub => 2,
            ModifyOp::AtMost | ModifyOp::AtLeast => 3,
        }
    }

    /// Returns the sign or words between the field and the value.
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
    /// Whether it is `start of` instead of `end of`.
    pub start: bool,
    pub phase: Name,
    pub key: Option<Expr>,
    pub span: Span,
}

/// The duration of a write.
#[derive(Clone, Debug)]
pub enum Lasting {
    /// Until the start or end of a phase.
    Edge(Until),
    /// As a `match` determines. Its rows are [`Body::Lasts`].
    Chosen(Match),
}

/// The forms of statements. Targets (`slot` in the grammar) are expressions of names and fields.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A `let` with one name, or several for a tuple.
    Let { names: Vec<Name>, ty: Option<TypeExpr>, value: LetSource },
    /// `var n = 0`.
    Var { name: Name, ty: Option<TypeExpr>, value: Expr },
    /// `roll n by x = d8`, `roll n = ld of d6` (`count` is `ld`), or `roll n as "key" = d8`.
    Roll { name: Name, key: Option<Name>, by: Option<Expr>, count: Option<Expr>, dice: Expr },
    /// `draw card in cards`: a random choice.
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
    /// `reroll x in dice where C at most n`. Without `in`, the name is the roll itself.
    Reroll { explode: bool, name: Name, within: Option<Name>, filter: Option<Expr>, at_most: Option<Expr> },
    /// `x = 1` or `x += 1`, with an optional duration.
    Set { target: Expr, op: SetOp, value: Expr, until: Option<Lasting> },
    /// `grant S(..) to x`, with an optional duration.
    Grant { status: Name, args: Vec<Arg>, to: Expr, until: Option<Lasting> },
    /// `revoke S(..) from x` or `revoke all S from x`.
    Revoke { status: Name, all: bool, args: Vec<Arg>, from: Expr },
    /// `if`. Each `else if` is an arm.
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
    /// `all at once { }`: the changes are applied together at the end of the block.
    AtOnce(Block),
    /// `move`.
    Move { motion: Move, otherwise: Option<Block> },
    /// `place x at p`.
    Place { thing: Expr, at: Expr },
    /// `turn x to A` or `turn x by A`.
    Turn { thing: Expr, by: bool, angle: Expr },
    /// `destroy x "why"`.
    Destroy { thing: Expr, reason: Option<Text> },
    /// `spawn x: K { .. }`.
    Spawn { name: Name, kind: Name, fields: Vec<(Name, Expr)> },
    /// `merge a into b`.
    Merge { from: Expr, into: Expr },
    /// `do f(..)`.
    Do(Call),
    /// `test F(..)` as a statement.
    Test(Call),
    /// `run P(..)`.
    Run(Call),
    /// `emit E(..)`.
    Emit(Call),
    /// `return`.
    Return(Option<Expr>),
    /// `stop`: leaves the enclosing loop.
    Stop,
    /// `end Phase`: leaves that phase.
    End(Name),
    /// `cancel action` or `cancel action and return cost`.
    CancelAction { returned: bool },
    /// `pass when C`.
    PassWhen(Expr),
    /// `grade E`.
    Grade(Expr),
    /// `needs C else "why"`.
    Needs { condition: Expr, reason: Option<Text> },
    /// `limit`.
    Limit { times: Expr, per: Name, key: Option<Expr>, when: Option<Expr> },
    /// `cost`.
    Cost { amount: Expr, of: Name },
}

/// An option of a `choose name { ... }`.
#[derive(Clone, Debug)]
pub struct ChoiceOption {
    pub name: Name,
    pub when: Option<Expr>,
    /// `prefer` or `prefer when C`.
    pub prefer: Option<Option<Expr>>,
    pub body: Body,
    pub cites: Vec<ClauseRef>,
    pub span: Span,
}

/// The default answer for an undecided player.
#[derive(Clone, Debug)]
pub enum Prefer {
    Extreme { most: bool, by: Expr },
    When { which: Preferred, condition: Expr },
}

/// The choice among the entries for which a condition is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preferred {
    /// The first such entry. In a choice of several, the minimum number of them.
    First,
    /// `none`.
    Nobody,
    /// All such entries, up to the maximum number.
    Every,
}

/// The iteration order of a loop.
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
    /// In a row of [`Lasting::Chosen`]: the end of the duration, if it has one, and its span.
    Lasts(Option<Until>, Span),
}

/// `match [first] subject { rows }`: a value or a statement, depending on the context.
#[derive(Clone, Debug)]
pub struct Match {
    pub first: bool,
    pub subject: Box<Expr>,
    pub rows: Vec<MatchRow>,
    pub span: Span,
}

/// A row of a match.
#[derive(Clone, Debug)]
pub struct MatchRow {
    /// Alternatives, joined by `|`.
    pub patterns: Vec<Pattern>,
    pub when: Option<Expr>,
    pub body: Body,
    pub cites: Vec<ClauseRef>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Pattern {
    pub kind: PatternKind,
    pub span: Span,
}

/// The forms of patterns.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`.
    Any,
    /// `else`.
    Else,
    /// `none`.
    None,
    /// `some x`, which binds a name.
    Some(Name),
    /// `some _`.
    SomeAny,
    /// `some Kind(x)`.
    SomeKind { kind: Name, bound: Option<Name> },
    /// `past top n`, or `past bottom n` if `top` is `false`.
    Past { top: bool, bound: Option<Name> },
    /// `over v` or `over v to w`.
    Over(Expr, Option<Expr>),
    /// `under v`.
    Under(Expr),
    /// `at least v`.
    AtLeast(Expr),
    /// `at most v`.
    AtMost(Expr),
    /// `v`: a literal, a param or a local.
    Value(Expr),
    /// `v to w`, or `v to under w` if the flag is set.
    To(Expr, Expr, bool),
    /// `Case` or `Enum.Case`.
    Case { of: Option<Name>, case: Name },
    /// `Kind(x)`.
    Kind { kind: Name, bound: Name },
    /// `(p | q, r)`: each part has one or more patterns.
    Tuple(Vec<Vec<Pattern>>),
}
