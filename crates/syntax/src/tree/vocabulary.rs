//! Syntax of data items: params, readings, enums, dice, kinds, lets, tables, and written types.

use super::*;

/// A constant that a scenario or a sweep can vary.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: Name,
    pub ty: Option<TypeExpr>,
    pub title: Option<Text>,
    pub value: Expr,
    /// Values or ranges for a sweep.
    pub sweep: Vec<Range>,
}

/// A choice for a hole of the rulebook. The first alternative is the default.
#[derive(Clone, Debug)]
pub struct Reading {
    pub name: Name,
    /// With a type, the alternatives are values of it. Without one, they are new cases.
    pub ty: Option<TypeExpr>,
    pub title: Option<Text>,
    pub alternatives: Vec<Alternative>,
    /// The open point of the rulebook. If the text states none, it is that of the holes in the paragraphs above.
    pub because: Option<Text>,
    /// Reason why the first alternative is the default.
    pub default_because: Option<Text>,
}

/// An alternative of a reading.
#[derive(Clone, Debug)]
pub struct Alternative {
    pub value: Expr,
    pub gloss: Option<Text>,
}

/// An enum. It is ordered if its cases are joined by `<`.
#[derive(Clone, Debug)]
pub struct Enum {
    pub name: Name,
    pub title: Option<Text>,
    pub cases: Vec<Name>,
    pub ordered: bool,
}

/// A face, with its number of occurrences on the die.
#[derive(Clone, Debug)]
pub struct DieSide {
    /// The default is 1.
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

#[derive(Clone, Debug)]
pub struct Kind {
    pub name: Name,
    pub title: Option<Text>,
    pub on_board: bool,
    /// `group of models`: the list field that holds its members.
    pub group_of: Option<Name>,
    /// `stays when empty`: the group stays in play without members.
    pub stays_empty: bool,
    pub members: Vec<Member>,
}

#[derive(Clone, Debug)]
pub struct Member {
    pub cites: Vec<ClauseRef>,
    /// All clauses cited in the line.
    pub cited: Vec<ClauseRef>,
    pub kind: MemberKind,
    pub span: Span,
}

/// A line of a kind.
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
    /// `stat pace(g: Going)`: one value for each case.
    pub keys: Vec<Formal>,
    pub ty: TypeExpr,
    pub default: Option<Expr>,
    pub title: Option<Text>,
}

#[derive(Clone, Debug)]
pub struct TypeExpr {
    pub kind: TypeExprKind,
    /// `T?`.
    pub optional: bool,
    pub span: Span,
}

/// The forms of written types.
#[derive(Clone, Debug)]
pub enum TypeExprKind {
    /// `Unit`, `Int`, `Length`.
    Named(Name),
    /// `list of Unit`.
    List(Name),
    /// `0..nv`, `1..`.
    Bounded { low: Expr, high: Option<Expr> },
}

/// A parameter, a field of a record, or a shared variable.
#[derive(Clone, Debug)]
pub struct Formal {
    pub name: Name,
    pub ty: Option<TypeExpr>,
    pub default: Option<Expr>,
}

/// A derived value.
#[derive(Clone, Debug)]
pub struct Let {
    /// The kind in `let Unit.nerve`.
    pub of: Option<Name>,
    pub name: Name,
    /// `None` without brackets.
    pub params: Option<Vec<Formal>>,
    pub ty: Option<TypeExpr>,
    pub title: Option<Text>,
    /// `None` for `open let`. For `extern let` it is the default.
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

/// A row. The head row is also one.
#[derive(Clone, Debug)]
pub struct TableRow {
    pub cells: Vec<Cell>,
    pub cites: Vec<ClauseRef>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Cell {
    pub kind: CellKind,
    pub span: Span,
}

/// The content of a cell. A plain value can be parsed as `Keys` or `Value`, because the grammar does not know the
/// columns. The checker requests the form that it needs with [`Cell::as_value`] and [`Cell::as_keys`].
#[derive(Clone, Debug)]
pub enum CellKind {
    Blank,
    /// `-`, which means `none`.
    Dash,
    /// `1 to 3`, `4, 5`, `over 2"`, `Tracked`.
    Keys(Vec<Pattern>),
    Value(Expr),
}
