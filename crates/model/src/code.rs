//! Checked bodies of rules: every name is an id, every expression has its type, and every widening is explicit.

#![allow(missing_docs)] // the parts of a variant are documented at the variant

use grognard_base::Span;
use grognard_base::value::*;
pub use grognard_syntax::tree::{Constraint, MovePart, Preferred};

/// A body of code with its variables. The first `params` locals are the parameters, in order. In a derived field and a
/// trait member, local 0 is the thing itself (`self`).
#[derive(Clone, Debug)]
pub struct Function {
    /// The item whose title and cites the trace prints.
    pub item: ItemId,
    /// Owner as written: `SuppressionCheck`, `Unit.nerve`, `RattledByHits`. It is the first part of a roll address.
    pub name: String,
    /// Number of locals that are parameters.
    pub params: usize,
    /// All variables of the body. Names can repeat in different blocks.
    pub locals: Vec<Local>,
    /// Result type of a call. [`Type::Nothing`] for procs without a result, phases and rules.
    pub result: Type,
    pub body: Body,
    /// Whether a scenario can replace the function (`extern`).
    pub external: bool,
}

#[derive(Clone, Debug)]
pub struct Local {
    /// Name as written. Empty for a variable that the compiler created.
    pub name: String,
    pub ty: Type,
    /// Position of the declaration.
    pub span: Span,
}

/// A value or a list of statements. An `open` item that no extension fills has [`Body::Open`].
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Body {
    Value(Expr),
    Block(Vec<Stmt>),
    Open,
}

/// A value with its type.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

/// The operand of `in`.
#[derive(Clone, Debug)]
pub enum Collection {
    List(Expr),
    /// Integers from the first bound to the second, both inclusive. Empty if the second bound is smaller.
    Range(Expr, Expr),
    /// The cases of an enum or the steps of a chain, as `0 .. n - 1`.
    Cases(Type, i64),
    /// The living things of a kind, in scenario order, followed by spawned things.
    Kind(KindId),
    /// The living members of a group.
    Group(Expr),
}

/// The forms of values.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant of one cell.
    Const(i64),
    /// The two cells of a reduced Ratio.
    ConstRatio(i64, i64),
    /// The missing value of an optional type.
    None,
    /// A variable of this function.
    Local(LocalId),
    /// A param or reading.
    Setting(SettingId),
    /// A top-level state.
    Global(GlobalId),
    /// A tally. Only in scenarios and examples.
    Tally(TallyId),
    /// A variable of a running phase or action.
    Ambient(AmbientId),
    /// The name of the running action as its `ActionId`: `a.name` in rules on `action`.
    ActionName,
    /// The actor of the running action. The checker supplies the type.
    Actor,
    /// A field of a thing, with the changes of traits applied. The type of `thing` is a kind, never optional.
    Field { thing: Box<Expr>, field: FieldId, keys: Vec<Expr> },
    /// `x.alive`.
    Alive(Box<Expr>),
    /// `x.at` as a point Place of type `Place?`: `none` if `x` is off the board. For a group it is the anchor.
    At(Box<Expr>),
    /// `x.facing`.
    Facing(Box<Expr>),
    /// Field `index` of a record, tuple, Leg (0 is `covered`, 1 is `met`) or Route (0 is the goal).
    Part { of: Box<Expr>, index: usize },
    /// `leg.crossed(K)`.
    Crossed { leg: Box<Expr>, kind: KindId },
    /// A call of a let or table.
    Call { func: FuncId, args: Vec<Expr> },
    /// An operator or builtin.
    Op(Op, Vec<Expr>),
    /// `running(P)`.
    Running(PhaseId),
    /// `tiers` or `below`, with the tree link that it follows. The arguments are things of one kind.
    Tree { op: Op, link: FieldId, args: Vec<Expr> },
    /// `and` with short-circuit evaluation.
    And(Vec<Expr>),
    /// `or` with short-circuit evaluation.
    Or(Vec<Expr>),
    /// `a otherwise b`: the first value that is not missing.
    Otherwise(Box<Expr>, Box<Expr>),
    /// `if .. then .. else`.
    If { arms: Vec<(Expr, Expr)>, otherwise: Box<Expr> },
    /// `match`. Rows are tried in order. Where the order must not matter, the checker has proved that it does not.
    Match { subject: Box<Expr>, rows: Vec<ValueRow> },
    /// A table. The first key selects the row, the second the column. A table with one key has one column.
    Table { keys: Vec<Expr>, rows: Vec<Vec<Pat>>, columns: Vec<Vec<Pat>>, cells: Vec<Vec<Expr>> },
    /// `value is pattern`. Its bindings are in scope to the right of an `and` and in the guarded block.
    Is { value: Box<Expr>, pattern: Box<Pat> },
    /// `x has T`.
    Has { thing: Box<Expr>, what: TraitId },
    /// `u.S`: the instances of a status on a thing, oldest first, as a list of its data record.
    Instances { thing: Box<Expr>, status: TraitId },
    /// Binds `value` and evaluates `body`, which can be optional. If `value` is missing, the result is `none`.
    Then { value: Box<Expr>, local: LocalId, body: Box<Expr> },
    /// A list of `body` for each entry for which `filter` is true. With `drop`, missing values of an optional body are
    /// skipped. With `flatten`, the lists of a list body are concatenated.
    Map { over: Box<Collection>, local: LocalId, filter: Option<Box<Expr>>, body: Box<Expr>, drop: bool, flatten: bool },
    /// A query whose result is not a list. `Any`, `No` and `Count` have no body. `Every` has a condition, and `Sum` an
    /// addend. `Most` and `Least` have a key; missing keys rank last. `Nearest` and `Farthest` have a Place. `All` is a
    /// [`ExprKind::Map`].
    Query { what: Quantifier, over: Vec<(LocalId, Collection)>, filter: Option<Box<Expr>>, body: Option<Box<Expr>> },
    /// A list literal. Missing values of optional type are skipped.
    List(Vec<Expr>),
    /// A tuple, or a record with its fields in order.
    Make(Vec<Expr>),
    /// `was x`. In a move line, the value with the mover at its start; in a scenario step, the value before the step.
    Was(Box<Expr>),
}

pub use grognard_syntax::tree::Quantifier;

/// A row of a match that is a value.
#[derive(Clone, Debug)]
pub struct ValueRow {
    /// Alternatives, joined by `|`.
    pub patterns: Vec<Pat>,
    pub when: Option<Expr>,
    pub value: Expr,
    /// The cites of the row. May be empty.
    pub cites: Vec<String>,
}

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pat {
    /// `_` or `else`.
    Any,
    /// `none`.
    None,
    /// `some x` or `some _`.
    Some(Option<LocalId>),
    /// A present value that matches the inner pattern. A pattern on `T?` can name a value of T.
    Present(Box<Pat>),
    /// A range. Each bound has the subject's type and a flag that says whether it is inclusive.
    Between { low: Option<(Expr, bool)>, high: Option<(Expr, bool)> },
    /// Equality with a value of the subject's type.
    Equal(Expr),
    /// A Shifted value within its chain. Binds the die.
    OnChain(Option<LocalId>),
    /// A Shifted value past an end, by the bound number of steps (at least 1).
    Past { top: bool, local: Option<LocalId> },
    /// A Met that is a thing of this kind. Binds the thing.
    MetKind(KindId, Option<LocalId>),
    /// A Met that is the table edge.
    MetEdge,
    /// Each part matches one of its patterns.
    Tuple(Vec<Vec<Pat>>),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
    /// Clauses cited directly above the statement. If empty, those of the item apply.
    pub cites: Vec<String>,
}

pub use grognard_syntax::tree::SetOp;

/// The destination of a `set`.
#[derive(Clone, Debug)]
pub enum Target {
    /// A `var` of this function.
    Local(LocalId),
    /// A shared variable of a running phase, or one reached through the name that a rule binds.
    Ambient(AmbientId),
    /// A top-level state.
    Global(GlobalId),
    /// A tally.
    Tally(TallyId),
    /// A state or link of a thing. If an optional thing is missing, the `set` has no effect, which the trace reports.
    Field { thing: Expr, field: FieldId },
}

/// `until end of P for k`.
#[derive(Clone, Debug)]
pub struct Until {
    /// Whether the effect ends at the start of the phase instead of its end.
    pub start: bool,
    pub phase: PhaseId,
    /// Restricts the phase to runs whose first parameter equals this value.
    pub key: Option<Expr>,
}

/// The forms of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `let` and `var`.
    Let { local: LocalId, value: Expr },
    /// `let (a, b) = ..`. The value is a tuple.
    LetTuple { locals: Vec<LocalId>, value: Expr },
    /// `set`. For `Add` to a list in a local, global or field, `value` is a list to append, or one entry if `one`.
    Set { target: Target, op: SetOp, value: Expr, one: bool, until: Option<Until> },
    /// `roll n = D` (the face), `roll n = k of D` (a list), `roll n = [D, E]` (a list), or `roll n = 3d6` (the sum,
    /// with `sum` set). The type of `dice` is Die, Chain, Faces, or a list of these.
    Roll { site: SiteId, local: LocalId, count: Option<Expr>, dice: Expr, sum: bool, by: Option<Expr> },
    /// `draw n in XS`. With an amount, the local is a list.
    Draw {
        site: SiteId,
        local: LocalId,
        amount: Option<(Expr, Expr)>,
        entry: LocalId,
        from: Collection,
        filter: Option<Expr>,
        or_none: bool,
        weight: Option<Expr>,
        by: Option<Expr>,
    },
    /// `reroll x in dice where C at most n` or `explode x in ..`. Without `entry`, all dice are rerolled. `roll` is the
    /// site that rolled the dice.
    Reroll {
        site: SiteId,
        roll: SiteId,
        explode: bool,
        pool: LocalId,
        entry: Option<LocalId>,
        filter: Option<Expr>,
        rounds: Option<Expr>,
    },
    /// `grant S(..) to x until ..`.
    Grant { status: TraitId, data: Vec<Expr>, to: Expr, until: Option<Until> },
    /// `revoke S(..) from x`. Without data, it revokes all instances.
    Revoke { status: TraitId, data: Vec<Expr>, from: Expr },
    /// `if`.
    If { arms: Vec<(Expr, Vec<Stmt>)>, otherwise: Vec<Stmt> },
    /// `match`.
    Match { subject: Expr, rows: Vec<StmtRow> },
    /// `choose action by x or stop when C`.
    ChooseAction { site: SiteId, by: Option<Expr>, or_stop: bool, stop_when: Option<Expr> },
    /// `choose n { option => .. }`.
    ChooseOption { site: SiteId, by: Option<Expr>, options: Vec<ChoiceOption> },
    /// `choose n in XS` and `choose a .. b of n in XS`; in the second form the local is a list. `entry` is the
    /// candidate in `filter` and `prefer`. With `or none`, the local is optional.
    Choose(Choose),
    /// `may n { .. }`.
    May { site: SiteId, by: Option<Expr>, when: Option<Expr>, prefer: Option<Expr>, body: Vec<Stmt> },
    /// `each`. If the body reads `earlier`, that local holds the living things that the loop has already handled.
    Each {
        local: LocalId,
        from: Collection,
        filter: Option<Expr>,
        order: EachOrder,
        earlier: Option<LocalId>,
        body: Vec<Stmt>,
    },
    /// `repeat`.
    Repeat { body: Vec<Stmt>, condition: Option<Expr> },
    /// `move`. The result is stored in `leg`.
    Move { motion: Move, leg: Option<LocalId>, otherwise: Option<Vec<Stmt>> },
    /// `place x at p`. The type of `p` is Place or `Place?`.
    Place { thing: Expr, at: Expr },
    /// `turn x by A` or `turn x to A`.
    Turn { thing: Expr, by: bool, angle: Expr },
    /// `destroy x "why"`.
    Destroy { thing: Expr, reason: String },
    /// `spawn x: K { .. }`. The local is the new thing.
    Spawn { local: LocalId, kind: KindId, fields: Vec<(FieldId, Expr)> },
    /// `merge a into b`.
    Merge { from: Expr, into: Expr },
    /// `do f(..)`, `test F(..)` or `let x = do f(..)`: a call of a proc or test. The local receives its result.
    Call { func: FuncId, args: Vec<Expr>, into: Option<LocalId> },
    /// `test F(u) with ld = 4`: values for these states of the thing while the call runs.
    Borrowing { thing: Expr, figures: Vec<(FieldId, Expr)>, call: Box<Stmt> },
    /// `run P(..)`.
    Run { phase: PhaseId, args: Vec<Expr> },
    /// `emit E(..)`.
    Emit { event: EventId, args: Vec<Expr> },
    /// `return` or `return x`.
    Return(Option<Expr>),
    /// Leaves the nearest enclosing loop. Outside a loop (`choose action or stop`), it ends the body.
    Stop,
    /// `end P`.
    End(PhaseId),
    /// `cancel action`, with the assignments that refund its cost. Each entry has a condition that identifies the
    /// action.
    CancelAction(Vec<(Expr, Vec<Stmt>)>),
    /// `pass when C`. Sets the verdict of the test without ending it.
    Pass(Expr),
    /// `grade E`.
    Grade(Expr),
}

/// A row of a match that is a statement.
#[derive(Clone, Debug)]
pub struct StmtRow {
    /// Alternatives, joined by `|`.
    pub patterns: Vec<Pat>,
    pub when: Option<Expr>,
    pub body: Vec<Stmt>,
    pub cites: Vec<String>,
}

/// One option of a choice.
#[derive(Clone, Debug)]
pub struct ChoiceOption {
    /// Name by which scripts select the option.
    pub name: String,
    /// The option is on the menu only if this is true.
    pub when: Option<Expr>,
    /// `prefer` (without a condition) or `prefer when C`.
    pub prefer: Option<Option<Expr>>,
    pub body: Vec<Stmt>,
    pub cites: Vec<String>,
    pub span: Span,
}

/// A choice among values.
#[derive(Clone, Debug)]
pub struct Choose {
    pub site: SiteId,
    /// Receives the answer.
    pub local: LocalId,
    /// The candidate during the evaluation of `filter` and `prefer`.
    pub entry: LocalId,
    /// Minimum and maximum size of a subset. Without a maximum, the subset can contain all candidates.
    pub amount: Option<(Expr, Option<Expr>)>,
    /// The thing that decides.
    pub by: Option<Expr>,
    /// The candidates.
    pub from: Collection,
    /// Excludes candidates for which this is false.
    pub filter: Option<Expr>,
    /// Whether `none` is a legal answer.
    pub or_none: bool,
    pub prefer: Option<Prefer>,
}

/// The default answer for a player without a script or policy for the site.
#[derive(Clone, Debug)]
pub enum Prefer {
    /// Ranks the candidates by a key. With `or none`, the key is also evaluated for `none`, so `entry` is optional.
    Extreme { most: bool, by: Expr },
    /// The candidates for which the condition is true, or `none`.
    When { which: Preferred, condition: Expr },
}

/// The iteration order of a loop.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum EachOrder {
    AsListed,
    Chosen { site: SiteId, by: Option<Expr> },
    By(Expr),
}

#[derive(Clone, Debug)]
pub struct Move {
    pub site: SiteId,
    /// The mover: a thing on the board or a group.
    pub thing: Expr,
    pub lines: Vec<MoveLine>,
}

/// A line of a move. Places have type `Place`; obstacles are lists of things or a Place. Conditions are evaluated with
/// the mover at the tested point.
#[derive(Clone, Debug)]
pub struct MoveLine {
    /// The kind of constraint.
    pub asks: Constraint,
    /// Operands in the order of the table of constraints. A cost is an Int or `Int?`.
    pub parts: Vec<Expr>,
    /// The point at which a cost is evaluated (a Place).
    pub point: Option<LocalId>,
    /// The line applies only if this is true at the start of the move.
    pub when: Option<Expr>,
    pub cites: Vec<String>,
}

impl Expr {
    /// Returns the same expression with `span` as its position.
    pub fn at(self, span: Span) -> Expr {
        Expr { span, ..self }
    }
}

impl Function {
    /// Returns the position of the item that the function belongs to.
    pub fn item_span(&self, items: &[crate::schema::Item]) -> Span {
        items.get(self.item.at()).map(|i| i.span).unwrap_or_default()
    }
}
