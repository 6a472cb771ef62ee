//! The tree of a rules file: what was written, with its places, before anybody asks what it means.
//!
//! Chains of operators of one strength are lists, so the tree is never deeper than the brackets of the text.

use crate::base::{FileId, Span};

/// A name, a capital or a small one, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    /// The text.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// A quoted text: a title or a reason, without its quotes.
pub type Text = Name;

/// A clause id such as `WA-14` or `WA-H1`.
pub type ClauseRef = Name;

/// One rules file.
#[derive(Clone, Debug)]
pub struct File {
    /// Which text.
    pub file: FileId,
    /// The first item; none if it could not be read.
    pub header: Option<Header>,
    /// The items that could be read, in file order.
    pub items: Vec<Item>,
    /// Comments and where they stand, in file order; the formatter puts them back.
    pub comments: Vec<Comment>,
}

/// `ruleset path ...` or `variant path of path ...`.
#[derive(Clone, Debug)]
pub struct Header {
    /// True for `variant`.
    pub variant: bool,
    /// Folder and file, such as `warstrike/core`.
    pub path: Name,
    /// What is extended or varied.
    pub base: Option<Name>,
    /// The version text.
    pub version: Option<Text>,
    /// The whole line.
    pub span: Span,
}

/// One comment with its `#`, without trailing blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The text from `#` on.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// True if nothing but blanks stands before it on its line.
    pub own_line: bool,
}

/// One item of a file.
#[derive(Clone, Debug)]
pub struct Item {
    /// Clauses cited: above the item, or at the end of a data item.
    pub cites: Vec<ClauseRef>,
    /// True if the cites stand on a line above.
    pub cites_above: bool,
    /// True for `override ...`.
    pub overrides: bool,
    /// What it declares.
    pub kind: ItemKind,
    /// The whole item, without the cite line above.
    pub span: Span,
}

/// What an item declares. `open` and `extern` are marks on the declaration they stand before.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `section "..."`: outline only.
    Section(Text),
    /// `param name = 6" sweep ...`.
    Param(Param),
    /// `reading name = A or B because "..."`.
    Reading(Reading),
    /// `override reading name = A`.
    SetReading { name: Name, value: Expr },
    /// `override table[key, key] = value`; a value of none is [`ExprKind::None`].
    SetCell { table: Name, keys: Vec<Expr>, value: Expr },
    /// `enum E { A < B }`.
    Enum(Enum),
    /// `chain Quality = d4 < d6`.
    Chain { name: Name, title: Option<Text>, dice: Vec<(u32, Span)> },
    /// `die Average of 2..5 = 2, 3, 3`.
    Die { name: Name, of: TypeExpr, title: Option<Text>, sides: Vec<DieSide> },
    /// `kind Unit group of models { ... }`.
    Kind(Kind),
    /// `extend kind Unit { ... }`.
    ExtendKind { name: Name, members: Vec<Member> },
    /// A top-level `state`.
    State(Slot),
    /// `tally throws "Dice thrown"`.
    Tally { name: Name, title: Option<Text> },
    /// `record Shot(...)`.
    Record { name: Name, fields: Vec<Formal>, title: Option<Text> },
    /// `event E(...)`, also `extern event`.
    Event { name: Name, fields: Vec<Formal>, title: Option<Text>, external: bool },
    /// `let name(..) = ..`, `let Kind.name = ..`, `open let`, `extern let`.
    Let(Let),
    /// `table name(key: K): T { ... }`.
    Table(Table),
    /// `trait`, `status`, `condition`.
    Trait(Trait),
    /// `test`, `extern test`.
    Test(Test),
    /// `proc`, `open proc`, `extern proc`.
    Proc(Proc),
    /// `phase`, `open phase`.
    Phase(Phase),
    /// `action`.
    Action(Action),
    /// `rule`, at top level.
    Rule(Rule),
    /// `law L = cond`.
    Law { name: Name, title: Option<Text>, holds: Expr },
    /// `policy P { ... }`.
    Policy { name: Name, title: Option<Text>, entries: Vec<PolicyEntry> },
    /// `example "..." ...`.
    Example(Example),
    /// `remove rule X`, `remove example "..."`.
    Remove { what: RemoveWhat, name: Name },
}

/// What `remove` takes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum RemoveWhat {
    Action,
    Rule,
    Law,
    Policy,
    Example,
}

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
    pub because: Text,
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
#[allow(missing_docs)]
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
    pub members: Vec<Member>,
}

/// One line of a kind.
#[derive(Clone, Debug)]
pub struct Member {
    pub cites: Vec<ClauseRef>,
    pub kind: MemberKind,
    pub span: Span,
}

/// What a line of a kind declares.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
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
#[allow(missing_docs)]
pub enum CellKind {
    Blank,
    /// `-`: none.
    Dash,
    /// `1 to 3`, `4, 5`, `over 2"`, `Tracked`.
    Keys(Vec<Pattern>),
    Value(Expr),
}

/// `trait`, `status` or `condition`.
#[derive(Clone, Debug)]
pub struct Trait {
    pub sort: TraitSort,
    pub name: Name,
    pub params: Vec<Formal>,
    pub title: Option<Text>,
    pub on: Name,
    /// Conditions always have one; others may.
    pub when: Option<Expr>,
    pub members: Vec<TraitMember>,
}

/// Where a trait comes from: the scenario, a grant, or its `when`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TraitSort {
    Trait,
    Status,
    Condition,
}

/// One line of a trait.
#[derive(Clone, Debug)]
pub struct TraitMember {
    pub cites: Vec<ClauseRef>,
    pub kind: TraitMemberKind,
    pub span: Span,
}

/// What a line of a trait does.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum TraitMemberKind {
    Replace { name: Name, params: Option<Vec<Formal>>, value: Expr, when: Option<Expr>, over: Option<Name> },
    Modify { name: Name, op: SetOp, value: Expr, when: Option<Expr> },
    Forbid { actions: Vec<Name>, when: Option<Expr> },
    Let(Let),
    Rule(Rule),
}

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    pub name: Name,
    pub params: Vec<Formal>,
    /// `-> Grade`.
    pub grade: Option<Name>,
    pub title: Option<Text>,
    /// Fields of an extern test.
    pub gives: Vec<Formal>,
    pub body: Block,
    pub external: bool,
}

/// A proc. An open proc has no body.
#[derive(Clone, Debug)]
pub struct Proc {
    pub name: Name,
    pub params: Vec<Formal>,
    pub result: Option<TypeExpr>,
    pub title: Option<Text>,
    pub body: Option<Block>,
    pub external: bool,
}

/// A phase. An open phase has no body.
#[derive(Clone, Debug)]
pub struct Phase {
    pub name: Name,
    pub params: Vec<Formal>,
    pub title: Option<Text>,
    pub shares: Vec<Formal>,
    pub body: Option<Block>,
}

/// An action.
#[derive(Clone, Debug)]
pub struct Action {
    pub name: Name,
    pub title: Option<Text>,
    pub phases: Vec<Name>,
    pub by: Option<Name>,
    /// Header and body in one block; the header is the leading run of `cost needs let limit` and `choose .. in ..`.
    pub body: Block,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: Name,
    pub title: Option<Text>,
    /// `before X` is (true, X), `after X` is (false, X).
    pub order: Option<(bool, Name)>,
    pub on: Trigger,
    pub bound: Option<Name>,
    pub when: Option<Expr>,
    pub body: Block,
}

/// What a rule waits for.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Trigger {
    Event(Name),
    /// A phase or an action.
    StartOf(Name),
    EndOf(Name),
    StartOfAction(Span),
    EndOfAction(Span),
}

/// `name = pref, pref`; the name `action` speaks for action menus.
#[derive(Clone, Debug)]
pub struct PolicyEntry {
    pub choice: Name,
    pub prefs: Vec<Preference>,
    pub span: Span,
}

/// One preference of a policy.
#[derive(Clone, Debug)]
pub struct Preference {
    pub answer: Answer,
    pub when: Option<Expr>,
    pub span: Span,
}

/// What a preference or a pick names.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Answer {
    /// `most E`, `least E`.
    Extreme {
        most: bool,
        by: Expr,
    },
    /// `yes`, `none`, a case, an action, an option: judged where it is used. `stop` is [`Answer::Stop`].
    Value(Expr),
    Stop(Span),
}

/// An executable claim.
#[derive(Clone, Debug)]
pub struct Example {
    pub title: Text,
    /// `for Call(..)`.
    pub call: Option<Call>,
    /// `for u: Unit`.
    pub stand_ins: Vec<(Name, Name)>,
    pub with: Vec<Given>,
    pub under: Vec<(Name, Expr)>,
    pub rolling: Vec<Throw>,
    pub choosing: Vec<Pick>,
    pub body: ExampleBody,
}

/// A call in the head of an example.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: Name,
    pub args: Vec<Arg>,
    pub span: Span,
}

/// `u.nv = 3` or `u has T(..)`.
#[derive(Clone, Debug)]
pub struct Given {
    /// The name, its fields and keys, as an expression.
    pub target: Expr,
    pub kind: GivenKind,
    pub span: Span,
}

/// What is given.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum GivenKind {
    Value(Expr),
    Has { name: Name, args: Vec<Arg> },
}

/// `skill = 6`, `[5, 2]`.
#[derive(Clone, Debug)]
pub struct Throw {
    pub roll: Option<Name>,
    /// A list, a number or a name.
    pub faces: Expr,
    pub span: Span,
}

/// `voice = o`, `shed = most shed`.
#[derive(Clone, Debug)]
pub struct Pick {
    pub choice: Name,
    pub answer: Answer,
    pub span: Span,
}

/// Claims, or a table of them.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum ExampleBody {
    Claims(Vec<Claim>),
    Table { inputs: Vec<Expr>, claims: Vec<Claimed>, rows: Vec<ExampleRow> },
}

/// One row of an example table.
#[derive(Clone, Debug)]
pub struct ExampleRow {
    pub inputs: Vec<Expr>,
    pub claims: Vec<Expr>,
    pub span: Span,
}

/// `E = E`, or a bare condition.
#[derive(Clone, Debug)]
pub struct Claim {
    pub claimed: Claimed,
    pub value: Option<Expr>,
    pub span: Span,
}

/// The left side of a claim.
#[derive(Clone, Debug)]
pub struct Claimed {
    pub kind: ClaimKind,
    pub given: Option<Expr>,
    pub span: Span,
}

/// What is claimed.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum ClaimKind {
    Value(Expr),
    Chance(Expr),
    Mean(Expr),
    Offered { not: bool, action: Name, args: Vec<Arg> },
}

// ------------------------------------------------------------------ statements

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
#[allow(missing_docs)]
pub enum Source {
    Value(Expr),
    Do(Call),
    Test(Call),
    Move(Move),
}

/// `=`, `+=`, `-=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SetOp {
    Set,
    Add,
    Sub,
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

/// What statements there are. Places to write (`slot` in the grammar) are expressions of names and fields.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum StmtKind {
    /// One name, or several for a tuple.
    Let {
        names: Vec<Name>,
        ty: Option<TypeExpr>,
        value: Source,
    },
    Var {
        name: Name,
        ty: Option<TypeExpr>,
        value: Expr,
    },
    /// `roll n by x = d8`, `roll n = ld of d6` (then `count` is ld).
    Roll {
        name: Name,
        by: Option<Expr>,
        count: Option<Expr>,
        dice: Expr,
    },
    Draw {
        name: Name,
        amount: Option<Range>,
        by: Option<Expr>,
        from: Range,
        filter: Option<Expr>,
        or_none: bool,
        weight: Option<Expr>,
    },
    /// `reroll x in dice where C at most n`; without `in` the name is the roll itself.
    Reroll {
        explode: bool,
        name: Name,
        within: Option<Name>,
        filter: Option<Expr>,
        at_most: Option<Expr>,
    },
    Set {
        target: Expr,
        op: SetOp,
        value: Expr,
        until: Option<Until>,
    },
    Grant {
        status: Name,
        args: Vec<Arg>,
        to: Expr,
        until: Option<Until>,
    },
    Revoke {
        status: Name,
        from: Expr,
    },
    If {
        arms: Vec<(Expr, Block)>,
        otherwise: Option<Block>,
    },
    Match(Match),
    ChooseAction {
        by: Option<Expr>,
        or_stop: bool,
        stop_when: Option<Expr>,
        span: Span,
    },
    ChooseOption {
        name: Name,
        by: Option<Expr>,
        options: Vec<ChoiceOption>,
    },
    Choose {
        name: Name,
        amount: Option<Range>,
        by: Option<Expr>,
        from: Range,
        filter: Option<Expr>,
        or_none: bool,
        prefer: Option<Prefer>,
    },
    May {
        name: Name,
        by: Option<Expr>,
        when: Option<Expr>,
        prefer: Option<Expr>,
        body: Block,
    },
    Each {
        name: Name,
        from: Range,
        filter: Option<Expr>,
        order: EachOrder,
        body: Block,
    },
    Repeat {
        body: Block,
        condition: Option<Expr>,
    },
    Move {
        motion: Move,
        otherwise: Option<Block>,
    },
    Place {
        thing: Expr,
        at: Expr,
    },
    Turn {
        thing: Expr,
        by: bool,
        angle: Expr,
    },
    Destroy {
        thing: Expr,
        reason: Option<Text>,
    },
    Spawn {
        name: Name,
        kind: Name,
        fields: Vec<(Name, Expr)>,
    },
    Merge {
        from: Expr,
        into: Expr,
    },
    Do(Call),
    /// A `test` on a line of its own.
    Test(Call),
    Run(Call),
    Emit(Call),
    Return(Option<Expr>),
    Stop,
    End(Name),
    CancelAction,
    PassWhen(Expr),
    Grade(Expr),
    Needs {
        condition: Expr,
        reason: Option<Text>,
    },
    Limit {
        times: Expr,
        per: Name,
        key: Option<Expr>,
        when: Option<Expr>,
    },
    Cost {
        amount: Expr,
        of: Name,
    },
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
#[allow(missing_docs)]
pub enum Prefer {
    Extreme { most: bool, by: Expr },
    When { none: bool, condition: Expr },
}

/// In what order a loop goes.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum EachOrder {
    AsListed,
    Chosen { name: Name, by: Option<Expr> },
    By(Expr),
}

/// A move: whom, and its lines.
#[derive(Clone, Debug)]
pub struct Move {
    pub thing: Expr,
    pub lines: Vec<MoveLine>,
    pub span: Span,
}

/// One constraint of a move.
#[derive(Clone, Debug)]
pub struct MoveLine {
    pub kind: MoveLineKind,
    pub when: Option<Expr>,
    pub cites: Vec<ClauseRef>,
    pub span: Span,
}

/// The constraints a move may have.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum MoveLineKind {
    AtLeast(Expr),
    AtMost(Expr),
    Exactly(Expr),
    Toward(Expr),
    AwayFrom(Expr),
    NoNearerTo(Expr),
    EndsWithin { distance: Expr, of: Expr },
    EndsWhere(Expr),
    NeverWhere(Expr),
    Along(Expr),
    Heading(Range),
    StraightFor(Expr),
    KeepsFacing,
    BendsAtMost(Expr),
    Avoids(Expr),
    Through(Expr),
    StopsOnContact(Option<Expr>),
    StopsWhere(Expr),
    Costs { point: Name, cost: Expr },
}

/// The result of a row or an option.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Body {
    Block(Block),
    Stmt(Box<Stmt>),
    Value(Expr),
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

// ------------------------------------------------------------------ expressions

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

/// What stands behind a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Unit {
    Plain,
    Inches,
    Percent,
    Degrees,
}

/// `+ - * /`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ArithOp {
    Add,
    Sub,
    Mul,
    Div,
}

/// `== != < <= > >=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
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
#[allow(missing_docs)]
pub enum ExprKind {
    Number(Number),
    /// `d6` is (1, 6) with `bare`; `3d6` the sum of three.
    Dice {
        count: u32,
        sides: u32,
        bare: bool,
    },
    Yes,
    No,
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
    /// `(a)`; kept so that printing is faithful.
    Paren(Box<Expr>),
    List(Vec<Expr>),
    Neg(Box<Expr>),
    /// `was x`.
    Was(Box<Expr>),
    /// A chain of one strength, left to right: all `+ -`, or all `* /`.
    Arith {
        first: Box<Expr>,
        rest: Vec<(ArithOp, Expr)>,
    },
    /// All arithmetic to its left.
    Rounded {
        value: Box<Expr>,
        up: bool,
    },
    /// `a up b`, `a down b`.
    Shift {
        die: Box<Expr>,
        up: bool,
        by: Box<Expr>,
    },
    Compare {
        left: Box<Expr>,
        op: CompareOp,
        right: Box<Expr>,
    },
    Has {
        thing: Box<Expr>,
        no: bool,
        name: Name,
    },
    Is {
        value: Box<Expr>,
        not: bool,
        pattern: Box<Pattern>,
    },
    In {
        value: Box<Expr>,
        not: bool,
        range: Range,
    },
    Within {
        place: Box<Expr>,
        distance: Box<Expr>,
        of: Box<Expr>,
    },
    Sees {
        from: Box<Expr>,
        to: Box<Expr>,
    },
    Not(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    /// Chains to the right.
    Otherwise(Vec<Expr>),
    If {
        arms: Vec<(Expr, Expr)>,
        otherwise: Box<Expr>,
    },
    Match(Match),
    /// `any no all count x in XS where C`, also over two lists with `against`.
    Query {
        what: Quantifier,
        binds: Vec<(Name, Range)>,
        filter: Option<Box<Expr>>,
        body: Option<Box<Expr>>,
    },
    /// `count dice <= 3`.
    PoolQuery {
        what: Quantifier,
        pool: Box<Expr>,
        op: CompareOp,
        than: Box<Expr>,
    },
}

/// The word a query begins with. `every` has its condition, `sum` its addend, `most least` their key,
/// `nearest farthest` their place, as `body`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
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
