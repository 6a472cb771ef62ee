//! Data items: params, readings, enums, dice, kinds, lets, tables, and written types.

use super::*;

/// A number worth turning.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: Name,
    pub ty: Option<TypeExpr>,
    pub title: Option<Text>,
    pub value: Expr,
    /// Values or ranges that a sweep tries.
    pub sweep: Vec<Range>,
}

/// A hole of the book as a switch; the first alternative is the default.
#[derive(Clone, Debug)]
pub struct Reading {
    pub name: Name,
    /// With a type the alternatives are values of it, without one they are new cases.
    pub ty: Option<TypeExpr>,
    pub title: Option<Text>,
    pub alternatives: Vec<Alternative>,
    /// What the book leaves open.
    pub because: Text,
    /// Why the first alternative is the default.
    pub default_because: Option<Text>,
}

/// One alternative of a reading.
#[derive(Clone, Debug)]
pub struct Alternative {
    pub value: Expr,
    pub gloss: Option<Text>,
}

/// An enum; ordered if its cases are joined by `<`.
#[derive(Clone, Debug)]
pub struct Enum {
    pub name: Name,
    pub title: Option<Text>,
    pub cases: Vec<Name>,
    pub ordered: bool,
}

/// One face, with how often it stands on the die.
#[derive(Clone, Debug)]
pub struct DieSide {
    /// 1 if not written.
    pub times: u32,
    pub face: DieFace,
    pub span: Span,
}

/// A face: a number or a case.
#[derive(Clone, Debug)]
pub enum DieFace {
    Number(Number),
    Case(Name),
}

/// A kind of thing.
#[derive(Clone, Debug)]
pub struct Kind {
    pub name: Name,
    pub title: Option<Text>,
    pub on_board: bool,
    /// `group of models`: the list field that holds its members.
    pub group_of: Option<Name>,
    /// `stays when empty`: it is in play without a member.
    pub stays_empty: bool,
    pub members: Vec<Member>,
}

/// One line of a kind.
#[derive(Clone, Debug)]
pub struct Member {
    pub cites: Vec<ClauseRef>,
    /// All clauses cited in it.
    pub cited: Vec<ClauseRef>,
    pub kind: MemberKind,
    pub span: Span,
}

/// What a line of a kind declares.
#[derive(Clone, Debug)]
pub enum MemberKind {
    Owner(Name),
    Stat(Slot),
    State(Slot),
    Link { name: Name, ty: TypeExpr, tree: bool },
    Let(Let),
}

/// A stat or a state.
#[derive(Clone, Debug)]
pub struct Slot {
    pub name: Name,
    /// `stat pace(g: Going)`: one figure for each case.
    pub keys: Vec<Formal>,
    pub ty: TypeExpr,
    pub default: Option<Expr>,
    pub title: Option<Text>,
}

/// A written type.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    pub kind: TypeExprKind,
    /// `T?`.
    pub optional: bool,
    pub span: Span,
}

/// The body of a written type.
#[derive(Clone, Debug)]
pub enum TypeExprKind {
    /// `Unit`, `Int`, `Length`.
    Named(Name),
    /// `list of Unit`.
    List(Name),
    /// `0..nv`, `1..`.
    Bounded { low: Expr, high: Option<Expr> },
}

/// A parameter, a field of a record, a shared variable.
#[derive(Clone, Debug)]
pub struct Formal {
    pub name: Name,
    pub ty: Option<TypeExpr>,
    pub default: Option<Expr>,
}

/// A derived value.
#[derive(Clone, Debug)]
pub struct Let {
    /// `let Unit.nerve`: the kind.
    pub of: Option<Name>,
    pub name: Name,
    /// None without brackets.
    pub params: Option<Vec<Formal>>,
    pub ty: Option<TypeExpr>,
    pub title: Option<Text>,
    /// None for `open let`. For `extern let` the default.
    pub value: Option<Expr>,
    pub external: bool,
}

/// A table of one or two keys.
#[derive(Clone, Debug)]
pub struct Table {
    pub name: Name,
    pub keys: Vec<Formal>,
    pub ty: TypeExpr,
    pub title: Option<Text>,
    pub rows: Vec<TableRow>,
}

/// One row, the head row included.
#[derive(Clone, Debug)]
pub struct TableRow {
    pub cells: Vec<Cell>,
    pub cites: Vec<ClauseRef>,
    pub span: Span,
}

/// One cell of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    pub kind: CellKind,
    pub span: Span,
}

/// What stands in a cell. Which of the last two it is depends on its place, so a plain value may come as either;
/// the checker asks for what it needs with [`Cell::as_value`] and [`Cell::as_keys`].
#[derive(Clone, Debug)]
pub enum CellKind {
    Blank,
    /// `-`: none.
    Dash,
    /// `1 to 3`, `4, 5`, `over 2"`, `Tracked`.
    Keys(Vec<Pattern>),
    Value(Expr),
}
