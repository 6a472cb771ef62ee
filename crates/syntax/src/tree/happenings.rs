//! Traits, tests, procs, phases, actions, rules, policies and examples.

use super::*;

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
pub enum TraitSort {
    Trait,
    Status,
    Condition,
}

impl TraitSort {
    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            TraitSort::Trait => "trait",
            TraitSort::Status => "status",
            TraitSort::Condition => "condition",
        }
    }
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
pub enum TraitMemberKind {
    Replace { name: Name, params: Option<Vec<Formal>>, value: Expr, when: Option<Expr>, over: Option<Name> },
    Modify { name: Name, op: ModifyOp, value: Expr, when: Option<Expr>, over: Option<Name> },
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
pub enum Trigger {
    Event(Name),
    /// A thing of this kind is about to be destroyed.
    DestroyOf(Name),
    /// A phase or an action.
    StartOf(Name),
    EndOf(Name),
    /// Any action, or any in a phase.
    StartOfAction(Option<Name>),
    EndOfAction(Option<Name>),
}

/// `name = pref, pref`; the name `action` speaks for action menus.
#[derive(Clone, Debug)]
pub struct PolicyEntry {
    pub choice: Name,
    pub prefs: Vec<Preference>,
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
pub enum Answer {
    /// `most E`, `least E`.
    Extreme { most: bool, by: Expr },
    /// `yes`, `none`, a case, an action, an option: judged where it is used. `stop` is [`Answer::Stop`].
    Value(Expr),
    /// `stop`.
    Stop(Span),
}

/// An executable claim.
#[derive(Clone, Debug, Default)]
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
    /// `with ld = officer.ld`, of a test: figures of its subject that are others this once.
    pub with: Vec<(Name, Expr)>,
    pub span: Span,
}

/// `u.nv = 3` or `u has T(..)`.
#[derive(Clone, Debug)]
pub struct Given {
    /// The name, its fields and keys, as an expression.
    pub target: Expr,
    pub kind: GivenKind,
}

/// What is given.
#[derive(Clone, Debug)]
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
pub enum ExampleBody {
    Claims(Vec<Claim>),
    Table { inputs: Vec<Expr>, claims: Vec<Claimed>, rows: Vec<ExampleRow> },
}

impl Default for ExampleBody {
    fn default() -> Self {
        ExampleBody::Claims(Vec::new())
    }
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
pub enum ClaimKind {
    Value(Expr),
    Chance(Expr),
    Mean(Expr),
    Offered { not: bool, action: Name, args: Vec<Arg> },
}
