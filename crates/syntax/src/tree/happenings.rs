//! Syntax of traits, tests, procs, phases, actions, rules, policies and examples.

use super::*;

/// `trait`, `status` or `condition`.
#[derive(Clone, Debug)]
pub struct Trait {
    pub sort: TraitSort,
    pub name: Name,
    pub params: Vec<Formal>,
    pub title: Option<Text>,
    pub on: Name,
    /// Always present for a condition.
    pub when: Option<Expr>,
    pub members: Vec<TraitMember>,
}

/// The source of a trait: the scenario, a grant, or its `when`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TraitSort {
    Trait,
    Status,
    Condition,
}

impl TraitSort {
    /// Returns the keyword of the declaration.
    pub fn word(self) -> &'static str {
        match self {
            TraitSort::Trait => "trait",
            TraitSort::Status => "status",
            TraitSort::Condition => "condition",
        }
    }
}

#[derive(Clone, Debug)]
pub struct TraitMember {
    pub cites: Vec<ClauseRef>,
    pub kind: TraitMemberKind,
    pub span: Span,
}

/// A line of a trait.
#[derive(Clone, Debug)]
pub enum TraitMemberKind {
    Replace { name: Name, params: Option<Vec<Formal>>, value: Expr, when: Option<Expr>, over: Option<Name> },
    Modify { name: Name, op: ModifyOp, value: Expr, when: Option<Expr>, over: Option<Name> },
    Forbid { actions: Vec<Name>, when: Option<Expr> },
    Let(Let),
    Rule(Rule),
}

#[derive(Clone, Debug)]
pub struct Test {
    pub name: Name,
    pub params: Vec<Formal>,
    /// `-> Grade`.
    pub grade: Option<Name>,
    pub title: Option<Text>,
    /// Fields of the result of an extern test.
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

#[derive(Clone, Debug)]
pub struct Action {
    pub name: Name,
    pub title: Option<Text>,
    pub phases: Vec<Name>,
    pub by: Option<Name>,
    /// Header and body in one block. The header is the leading sequence of `cost`, `needs`, `let`, `limit` and `choose
    /// .. in ..`.
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub name: Name,
    pub title: Option<Text>,
    /// `before X` is `(true, X)`, `after X` is `(false, X)`.
    pub order: Option<(bool, Name)>,
    pub on: Trigger,
    pub bound: Option<Name>,
    pub when: Option<Expr>,
    pub body: Block,
}

/// The event that starts a rule.
#[derive(Clone, Debug)]
pub enum Trigger {
    Event(Name),
    /// The imminent destruction of a thing of this kind.
    DestroyOf(Name),
    /// A phase or an action.
    StartOf(Name),
    EndOf(Name),
    /// Any action, or any action in a phase.
    StartOfAction(Option<Name>),
    EndOfAction(Option<Name>),
}

/// `name = pref, pref`. The name `action` refers to action menus.
#[derive(Clone, Debug)]
pub struct PolicyEntry {
    pub choice: Name,
    pub prefs: Vec<Preference>,
}

#[derive(Clone, Debug)]
pub struct Preference {
    pub answer: Answer,
    pub when: Option<Expr>,
    pub span: Span,
}

/// The value of a preference or a pick.
#[derive(Clone, Debug)]
pub enum Answer {
    /// `most E` or `least E`.
    Extreme { most: bool, by: Expr },
    /// `yes`, `none`, a case, an action or an option, depending on the context. `stop` is [`Answer::Stop`].
    Value(Expr),
    /// `stop`.
    Stop(Span),
}

/// An example: an executable claim about the rules.
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
    /// `with ld = officer.ld`, for a test: other values for fields of its subject during the call.
    pub with: Vec<(Name, Expr)>,
    pub span: Span,
}

/// `u.nv = 3` or `u has T(..)`.
#[derive(Clone, Debug)]
pub struct Given {
    /// The name with its fields and keys, as an expression.
    pub target: Expr,
    pub kind: GivenKind,
}

/// The kind of a given.
#[derive(Clone, Debug)]
pub enum GivenKind {
    Value(Expr),
    Has { name: Name, args: Vec<Arg> },
}

/// `skill = 6` or `[5, 2]`.
#[derive(Clone, Debug)]
pub struct Throw {
    pub roll: Option<Name>,
    /// A list, a number or a name.
    pub faces: Expr,
    pub span: Span,
}

/// `voice = o` or `shed = most shed`.
#[derive(Clone, Debug)]
pub struct Pick {
    pub choice: Name,
    pub answer: Answer,
    pub span: Span,
}

/// Claims, or a table of claims.
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

/// A row of an example table.
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

/// The kind of a claim.
#[derive(Clone, Debug)]
pub enum ClaimKind {
    Value(Expr),
    Chance(Expr),
    Mean(Expr),
    Offered { not: bool, action: Name, args: Vec<Arg> },
}
