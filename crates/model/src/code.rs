//! Bodies of rules after checking: every name an id, every expression with its type, every widening written out.

#![allow(missing_docs)] // parts of a form are told of where the form is

use grognard_base::Span;
use grognard_base::value::*;
pub use grognard_syntax::tree::{Constraint, MovePart, Preferred};

/// A body of code with its variables. Parameters are the first `params` locals, in order; a derived field and a
/// trait member have the thing itself (`self`) as local 0.
#[derive(Clone, Debug)]
pub struct Function {
    /// The item whose title and cites the trace prints.
    pub item: ItemId,
    /// What it belongs to, as written: `SuppressionCheck`, `Unit.nerve`, `RattledByHits`. First part of roll addresses.
    pub name: String,
    /// How many of the locals are parameters.
    pub params: usize,
    /// Every variable of the body; names may repeat in different blocks.
    pub locals: Vec<Local>,
    /// What a call gives; [`Type::Nothing`] for procs without a result, phases and rules.
    pub result: Type,
    /// The code.
    pub body: Body,
    /// Set if another answer may be put in by a scenario (`extern`).
    pub external: bool,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// As written; compiler-made ones have an empty name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Where it is declared.
    pub span: Span,
}

/// A value, or statements. An `open` item that nobody filled has [`Body::Open`].
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Body {
    Value(Expr),
    Block(Vec<Stmt>),
    Open,
}

/// A value and its type.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it is written.
    pub span: Span,
}

/// What goes through `in`.
#[derive(Clone, Debug)]
pub enum Collection {
    /// A list value.
    List(Expr),
    /// Whole numbers, ends included; empty if the second is less.
    Range(Expr, Expr),
    /// The cases of an enum or the steps of a chain: 0 .. n - 1.
    Cases(Type, i64),
    /// The living things of a kind, in scenario order, spawned last.
    Kind(KindId),
    /// The living members of a group.
    Group(Expr),
}

/// Values.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// One cell.
    Const(i64),
    /// Two cells of a Ratio, reduced.
    ConstRatio(i64, i64),
    /// A missing value of the (optional) type.
    None,
    /// A variable of this function.
    Local(LocalId),
    /// A param or reading.
    Setting(SettingId),
    /// A top-level state.
    Global(GlobalId),
    /// A tally (scenarios and examples only).
    Tally(TallyId),
    /// A variable of a running phase or action.
    Ambient(AmbientId),
    /// The name of the running action as its ActionId; `a.name` in rules on `action`.
    ActionName,
    /// The actor of the running action; typed by the checker.
    Actor,
    /// A field of a thing, with special rules applied. `thing` is of a kind, never optional.
    Field { thing: Box<Expr>, field: FieldId, keys: Vec<Expr> },
    /// `x.alive`.
    Alive(Box<Expr>),
    /// `x.at` as a Place that is a point (a group: its anchor); none if it is off the board. Type `Place?`.
    At(Box<Expr>),
    /// `x.facing`.
    Facing(Box<Expr>),
    /// Field number `index` of a record, tuple, Leg (0 covered, 1 met) or Route (0 goal).
    Part { of: Box<Expr>, index: usize },
    /// `leg.crossed(K)`.
    Crossed { leg: Box<Expr>, kind: KindId },
    /// A let or table.
    Call { func: FuncId, args: Vec<Expr> },
    /// An operator or builtin.
    Op(Op, Vec<Expr>),
    /// `running(P)`.
    Running(PhaseId),
    /// `tiers` and `below` need to know the tree link: args are things of one kind.
    Tree { op: Op, link: FieldId, args: Vec<Expr> },
    /// `and`, stopping early.
    And(Vec<Expr>),
    /// `or`, stopping early.
    Or(Vec<Expr>),
    /// `a otherwise b`: the first that is there.
    Otherwise(Box<Expr>, Box<Expr>),
    /// `if .. then .. else`.
    If { arms: Vec<(Expr, Expr)>, otherwise: Box<Expr> },
    /// `match`; rows are tried in order (the checker has shown that order does not matter where it must not).
    Match { subject: Box<Expr>, rows: Vec<ValueRow> },
    /// A table: the row is picked by the first key, the column by the second (one column if there is one key).
    Table { keys: Vec<Expr>, rows: Vec<Vec<Pat>>, columns: Vec<Vec<Pat>>, cells: Vec<Vec<Expr>> },
    /// `value is pattern`; what the pattern binds holds to the right of an `and` and in the guarded block.
    Is { value: Box<Expr>, pattern: Box<Pat> },
    /// `x has T`.
    Has { thing: Box<Expr>, what: TraitId },
    /// `u.S`: the instances of a status on a thing, oldest first, as a list of its data record.
    Instances { thing: Box<Expr>, status: TraitId },
    /// If `value` is there, bind it and go on with `body` (which may be optional); else none.
    Then { value: Box<Expr>, local: LocalId, body: Box<Expr> },
    /// A list of `body` for each entry for which `filter` holds. Optional bodies that are none are left out if `drop`.
    /// A list body is flattened if `flatten`.
    Map { over: Box<Collection>, local: LocalId, filter: Option<Box<Expr>>, body: Box<Expr>, drop: bool, flatten: bool },
    /// A query that gives no list. `Any No Count` have no body; `Every` a condition; `Sum` an addend;
    /// `Most Least` a key (optional keys rank last), `Nearest Farthest` a Place. `All` is a [`ExprKind::Map`].
    Query { what: Quantifier, over: Vec<(LocalId, Collection)>, filter: Option<Box<Expr>>, body: Option<Box<Expr>> },
    /// A written list; entries of optional type that are none are left out.
    List(Vec<Expr>),
    /// A tuple or a record with its fields in order.
    Make(Vec<Expr>),
    /// `was x`: in a move line with the mover at its start; in a scenario step before the step.
    Was(Box<Expr>),
}

pub use grognard_syntax::tree::Quantifier;

/// One row of a match that is a value.
#[derive(Clone, Debug)]
pub struct ValueRow {
    /// Joined by `|`.
    pub patterns: Vec<Pat>,
    /// The guard.
    pub when: Option<Expr>,
    /// The result.
    pub value: Expr,
    /// The cites of the row, or empty.
    pub cites: Vec<String>,
}

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pat {
    /// `_`, `else`.
    Any,
    /// `none`.
    None,
    /// `some x`, `some _`.
    Some(Option<LocalId>),
    /// A present value that fits the inner pattern (a pattern on `T?` may name a value of T).
    Present(Box<Pat>),
    /// Between bounds; each with whether it is included. Bounds are of the subject's type.
    Between { low: Option<(Expr, bool)>, high: Option<(Expr, bool)> },
    /// Equal to a value of the subject's type.
    Equal(Expr),
    /// On its chain: a Shifted that is not past an end; binds the die.
    OnChain(Option<LocalId>),
    /// Past an end, by this much (1 or more).
    Past { top: bool, local: Option<LocalId> },
    /// A Met that is a thing of this kind; binds it.
    MetKind(KindId, Option<LocalId>),
    /// A Met that is the table edge.
    MetEdge,
    /// Each part fits one of its patterns.
    Tuple(Vec<Vec<Pat>>),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it is written.
    pub span: Span,
    /// Clauses cited right above it (empty: those of the item).
    pub cites: Vec<String>,
}

pub use grognard_syntax::tree::SetOp;

/// Where a `set` goes.
#[derive(Clone, Debug)]
pub enum Target {
    /// A `var` of this function.
    Local(LocalId),
    /// A shared variable of a running phase, or one reached through a rule's bound name.
    Ambient(AmbientId),
    /// A top-level state.
    Global(GlobalId),
    /// A tally.
    Tally(TallyId),
    /// A state or link of a thing; an optional thing that is none: nothing happens and the trace says so.
    Field { thing: Expr, field: FieldId },
}

/// `until end of P for k`.
#[derive(Clone, Debug)]
pub struct Until {
    /// True for the start of the phase.
    pub start: bool,
    /// The phase.
    pub phase: PhaseId,
    /// Only when its first parameter is this.
    pub key: Option<Expr>,
}

/// Statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `let` and `var`.
    Let { local: LocalId, value: Expr },
    /// `let (a, b) = ..`: the value is a tuple.
    LetTuple { locals: Vec<LocalId>, value: Expr },
    /// `set`. `Add` to a list local, global or field: `value` is a list to append, or one entry if `one`.
    Set { target: Target, op: SetOp, value: Expr, one: bool, until: Option<Until> },
    /// `roll n = D` (the face), `roll n = k of D` (a list), `roll n = [D, E]` (a list), `roll n = 3d6` (the sum: `sum`).
    /// `dice` is of type Die, Chain, Faces, or a list of these.
    Roll { site: SiteId, local: LocalId, count: Option<Expr>, dice: Expr, sum: bool, by: Option<Expr> },
    /// `draw n in XS`. With an amount the local is a list.
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
    /// `reroll x in dice where C at most n`, `explode x in ..`; without `entry` all its dice once more.
    /// `roll` is the site of the roll whose dice these are.
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
    /// `revoke S(..) from x`; without data all instances.
    Revoke { status: TraitId, data: Vec<Expr>, from: Expr },
    /// `if`.
    If { arms: Vec<(Expr, Vec<Stmt>)>, otherwise: Vec<Stmt> },
    /// `match`.
    Match { subject: Expr, rows: Vec<StmtRow> },
    /// `choose action by x or stop when C`.
    ChooseAction { site: SiteId, by: Option<Expr>, or_stop: bool, stop_when: Option<Expr> },
    /// `choose n { option => .. }`.
    ChooseOption { site: SiteId, by: Option<Expr>, options: Vec<ChoiceOption> },
    /// `choose n in XS` and `choose a .. b of n in XS` (then the local is a list). `entry` is the candidate in `filter`
    /// and `prefer`. With `or none` the local is optional.
    Choose(Choose),
    /// `may n { .. }`.
    May { site: SiteId, by: Option<Expr>, when: Option<Expr>, prefer: Option<Expr>, body: Vec<Stmt> },
    /// `each`. `earlier` holds the living things this loop has done, if the body asks for them.
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
    /// `move`; `leg` gets the result.
    Move { motion: Move, leg: Option<LocalId>, otherwise: Option<Vec<Stmt>> },
    /// `place x at p`: p is a Place or `Place?`.
    Place { thing: Expr, at: Expr },
    /// `turn x by A`, `turn x to A`.
    Turn { thing: Expr, by: bool, angle: Expr },
    /// `destroy x "why"`.
    Destroy { thing: Expr, reason: String },
    /// `spawn x: K { .. }`; the local is the new thing.
    Spawn { local: LocalId, kind: KindId, fields: Vec<(FieldId, Expr)> },
    /// `merge a into b`.
    Merge { from: Expr, into: Expr },
    /// `do f(..)`, `test F(..)`, `let x = do f(..)`: a proc or test; the local gets its result.
    Call { func: FuncId, args: Vec<Expr>, into: Option<LocalId> },
    /// `test F(u) with ld = 4`: what is written to these states of the thing while the call lasts.
    Borrowing { thing: Expr, figures: Vec<(FieldId, Expr)>, call: Box<Stmt> },
    /// `run P(..)`.
    Run { phase: PhaseId, args: Vec<Expr> },
    /// `emit E(..)`.
    Emit { event: EventId, args: Vec<Expr> },
    /// `return`, `return x`.
    Return(Option<Expr>),
    /// Leaves the nearest loop of this body; with none around it the body ends (`choose action or stop` outside a loop).
    Stop,
    /// `end P`.
    End(PhaseId),
    /// `cancel action`, and what gives its cost back: for each action that it may be, which one it is and what is set.
    CancelAction(Vec<(Expr, Vec<Stmt>)>),
    /// `pass when C`: ends nothing; sets the verdict of the test.
    Pass(Expr),
    /// `grade E`.
    Grade(Expr),
}

/// One row of a match that does things.
#[derive(Clone, Debug)]
pub struct StmtRow {
    /// Joined by `|`.
    pub patterns: Vec<Pat>,
    /// The guard.
    pub when: Option<Expr>,
    /// What happens.
    pub body: Vec<Stmt>,
    /// The cites of the row.
    pub cites: Vec<String>,
}

/// One option of a choice.
#[derive(Clone, Debug)]
pub struct ChoiceOption {
    /// Its name, as scripts pick it.
    pub name: String,
    /// On the menu only when this holds.
    pub when: Option<Expr>,
    /// `prefer` (no condition) or `prefer when C`.
    pub prefer: Option<Option<Expr>>,
    /// What happens.
    pub body: Vec<Stmt>,
    /// The cites of the option.
    pub cites: Vec<String>,
    /// Where it is written.
    pub span: Span,
}

/// A choice among values.
#[derive(Clone, Debug)]
pub struct Choose {
    /// The site.
    pub site: SiteId,
    /// Gets the answer.
    pub local: LocalId,
    /// The candidate while `filter` and `prefer` are judged.
    pub entry: LocalId,
    /// Least and greatest size of a subset; the greatest may be missing (all).
    pub amount: Option<(Expr, Option<Expr>)>,
    /// Who decides.
    pub by: Option<Expr>,
    /// The candidates.
    pub from: Collection,
    /// Those for whom this holds.
    pub filter: Option<Expr>,
    /// None is an answer too.
    pub or_none: bool,
    /// What an undecided player takes.
    pub prefer: Option<Prefer>,
}

/// What an undecided player takes.
#[derive(Clone, Debug)]
pub enum Prefer {
    /// Ranks the candidates by a key; with `or none` the key is also taken with the entry none, so `entry` is optional.
    Extreme { most: bool, by: Expr },
    /// Those with C, or none.
    When { which: Preferred, condition: Expr },
}

/// In what order a loop goes.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum EachOrder {
    AsListed,
    Chosen { site: SiteId, by: Option<Expr> },
    By(Expr),
}

/// A move.
#[derive(Clone, Debug)]
pub struct Move {
    /// The site.
    pub site: SiteId,
    /// Whom: a thing on the board or a group.
    pub thing: Expr,
    /// Its lines.
    pub lines: Vec<MoveLine>,
}

/// One line of a move. Places are of type `Place`, lists of things or a Place; conditions are judged with the mover at the
/// tested point.
#[derive(Clone, Debug)]
pub struct MoveLine {
    /// What it asks.
    pub asks: Constraint,
    /// Its parts, as the table of constraints has them; a cost is an Int or `Int?`.
    pub parts: Vec<Expr>,
    /// The point that a cost is asked at (a Place).
    pub point: Option<LocalId>,
    /// Only when this holds at the start.
    pub when: Option<Expr>,
    /// Clauses.
    pub cites: Vec<String>,
}

impl Expr {
    /// The same expression, placed elsewhere.
    pub fn at(self, span: Span) -> Expr {
        Expr { span, ..self }
    }
}

impl Function {
    /// Where the item it belongs to is declared.
    pub fn item_span(&self, items: &[crate::schema::Item]) -> Span {
        items.get(self.item.at()).map(|i| i.span).unwrap_or_default()
    }
}
