//! State of the check of one body: its variables, the names in scope, and its context.

use super::super::checker::{Checker, Pending, Scope, ScopeSort};
use super::super::code::{Body, Expr, ExprKind, Function, Local};
use super::facts::Fact;
use super::notes::{Guards, SiteNote};
use super::types::kept;
use crate::ruleset::{Site, SiteSort};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, OrdMap, OrdSet, Span};
use grognard_syntax::tree;

/// A name in scope.
#[derive(Clone, Debug)]
pub(super) struct NameInScope {
    pub name: String,
    pub local: LocalId,
    /// The type of the name here. It is not optional where a candidate that can be missing is known to be present.
    pub ty: Type,
    pub writable: bool,
    pub span: Span,
}

/// An enclosing loop.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// The type of the list `earlier`, in an `each` over things.
    pub things: Option<Type>,
    /// The variable of `earlier`, once the body has used it.
    pub earlier: Option<LocalId>,
}

/// Facts about a roll of this body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rolled {
    pub site: SiteId,
    /// Whether the roll is a sum, whose individual dice are not available.
    pub sum: bool,
}

/// Number of names in scope, and the known facts about the running action and about numbers.
pub(super) struct Mark(usize, Option<Vec<ActionId>>, Vec<Fact>);

/// The check of one body.
pub(super) struct BodyChecker<'c, 'a> {
    pub ck: &'c mut Checker<'a>,
    pub func: FuncId,
    pub scope: Scope,
    pub locals: Vec<Local>,
    pub names: Vec<NameInScope>,
    pub loops: Vec<Loop>,
    pub rolls: OrdMap<LocalId, Rolled>,
    /// The candidate whose key `prefer most` or `prefer least` computes.
    pub candidate: Option<LocalId>,
    /// Ranges of the lengths of list variables.
    pub sizes: OrdMap<LocalId, Range>,
    /// Pools with a size that is written in the body, and names of such sizes.
    pub written_sizes: OrdSet<LocalId>,
    /// Spans of percentages.
    pub percents: OrdSet<Span>,
    /// Numbers for which a mismatch with a percentage was already reported.
    pub told_shares: OrdSet<Span>,
    /// Variables known to hold a percentage (`true`) or a number (`false`).
    pub shares: OrdMap<LocalId, bool>,
    /// Variables that hold a difference, which can be negative.
    pub differences: OrdSet<LocalId>,
    /// Variables that hold a direction, or the difference of two.
    pub directions: OrdSet<LocalId>,
    /// Whether the die of a variable can be past the end of its chain: top, bottom.
    pub shifts: OrdMap<LocalId, (bool, bool)>,
    /// Variables that were reached along a tree link.
    pub climbers: IdSet<LocalId>,
    /// Variables that were read since the set was last cleared.
    pub read: IdSet<LocalId>,
    /// Number of times that the type of a branch was inferred ahead.
    pub peeks: usize,
    /// The possible running actions, if known.
    pub named: Option<Vec<ActionId>>,
    /// Facts about numbers from the surrounding conditions.
    pub facts: Vec<Fact>,
    /// Whether `was` is allowed.
    pub was_ok: bool,
    /// Whether the body is a string of a scenario, in which plain numbers can be inches and things are referred to by
    /// name.
    pub loose: bool,
    /// Clauses cited above the current statement.
    pub cites: Vec<String>,
    /// Whether the body contains `choose action or stop`.
    pub may_stop: bool,
    /// Deferred changes of the enclosing `all at once`.
    pub later: Option<super::at_once::Later>,
}

impl<'c, 'a> BodyChecker<'c, 'a> {
    /// Starts the check of a body. Its first locals are the parameters, then the shared variables.
    pub fn open(ck: &'c mut Checker<'a>, func: FuncId, scope: Scope) -> Self {
        let hidden = scope.event.is_some() || ck.is_rule_part(func, scope.sort);
        let mut locals = Vec::new();
        let mut names = Vec::new();
        let params = scope.params.len();
        for (at, (name, ty, span)) in scope.params.iter().chain(&scope.shares).enumerate() {
            let local = LocalId::from(at);
            locals.push(Local { name: name.clone(), ty: ty.clone(), span: *span });
            let own = at == 0 && scope.has_self;
            if own || !hidden || at >= params {
                let name = if own { "self".to_string() } else { name.clone() };
                names.push(NameInScope { name, local, ty: ty.clone(), writable: at >= params, span: *span });
            }
        }
        // a snippet is not in the table of functions, so the table stays shared
        if func.at() < ck.rs.functions.len() {
            let f = &mut ck.rs.functions[func.at()];
            f.locals = locals.clone();
            f.params = params;
        }
        let loose = scope.sort == ScopeSort::Snippet;
        BodyChecker { loose, was_ok: loose, ..BodyChecker::bare(ck, func, scope, locals, names) }
    }

    /// Reopens a checked body to add the preferences of a policy.
    pub fn reopen(ck: &'c mut Checker<'a>, func: FuncId, note: SiteNote) -> Self {
        let locals = ck.rs.functions.get(func.at()).map(|f| f.locals.clone()).unwrap_or_default();
        BodyChecker::bare(ck, func, note.scope, locals, note.names)
    }

    fn bare(ck: &'c mut Checker<'a>, func: FuncId, scope: Scope, locals: Vec<Local>, names: Vec<NameInScope>) -> Self {
        let phase = scope.bound.as_ref().and_then(|(_, on)| on.phase_of_actions());
        let named = phase.map(|phase| ck.rs.actions_in(phase));
        BodyChecker {
            ck,
            func,
            scope,
            locals,
            names,
            loops: Vec::new(),
            rolls: OrdMap::new(),
            candidate: None,
            sizes: OrdMap::new(),
            written_sizes: OrdSet::new(),
            percents: OrdSet::new(),
            told_shares: OrdSet::new(),
            shares: OrdMap::new(),
            differences: OrdSet::new(),
            directions: OrdSet::new(),
            shifts: OrdMap::new(),
            climbers: IdSet::default(),
            read: IdSet::default(),
            peeks: 0,
            named,
            facts: Vec::new(),
            was_ok: false,
            loose: false,
            cites: Vec::new(),
            may_stop: false,
            later: None,
        }
    }

    /// Stores the code in the function.
    pub fn finish(self, code: Body, result: Option<Type>) {
        let Some(f) = self.ck.rs.functions.get_mut(self.func.at()) else { return };
        f.locals = self.locals;
        f.body = code;
        if let Some(result) = result {
            f.result = result;
        }
    }

    /// Stores variables that were added to a body after its check.
    pub fn put_back(self) {
        if let Some(f) = self.ck.rs.functions.get_mut(self.func.at()) {
            f.locals = self.locals;
        }
    }

    /// Returns the body as a separate function, for strings of scenarios.
    pub fn into_function(self, code: Body, result: Type) -> Function {
        let params = self.scope.params.len();
        let locals = self.locals;
        Function { item: ItemId(0), name: String::new(), params, locals, result, body: code, external: false }
    }

    /// Reports a diagnostic, once per span.
    pub fn say(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::new(code, span, message));
    }

    /// Reports a diagnostic with its own help line, once per span.
    pub fn say_help(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report(Diagnostic::new(code, span, message).help(help));
    }

    /// Reports a diagnostic and returns a placeholder for the erroneous part.
    pub fn wrong<T: Instead>(&mut self, code: Code, span: Span, message: impl Into<String>) -> T {
        self.say(code, span, message);
        T::instead(span)
    }

    /// Like [`BodyChecker::wrong`], with its own help line.
    pub fn wrong_help<T: Instead>(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> T {
        self.say_help(code, span, message, help);
        T::instead(span)
    }

    /// Like [`BodyChecker::wrong`], for a value of an unexpected type.
    pub fn unlike<T: Instead>(&mut self, wanted: &str, ty: &Type, span: Span) -> T {
        let ty = self.type_name(ty);
        self.wrong(Code::WrongType, span, format!("expected {wanted}, found {ty}"))
    }

    /// Reports a diagnostic, once per code and span.
    pub fn report(&mut self, finding: Diagnostic) {
        if self.ck.notes.said.insert((finding.code, finding.span)) {
            self.ck.problems.push(finding);
        }
    }

    /// Returns the type as written in the language. A range of a single number is written as this number.
    pub fn type_name(&self, ty: &Type) -> String {
        let known = |ty: &Type| matches!(ty, Type::Int(r) if r.low == r.high);
        match ty {
            Type::Int(r) if known(ty) => r.low.to_string(),
            Type::List(inner) if known(inner) => "list of Int".to_string(),
            Type::Optional(inner) if known(inner) => "Int?".to_string(),
            _ => self.ck.rs.type_name(ty),
        }
    }

    /// Returns the name of the owner of the body, as written.
    pub fn own_name(&self) -> String {
        self.ck.rs.functions.get(self.func.at()).map(|f| f.name.clone()).unwrap_or_default()
    }

    /// Returns a mark of the current scope, for [`BodyChecker::leave`] at the end of a block.
    pub fn mark(&self) -> Mark {
        Mark(self.names.len(), self.named.clone(), self.facts.clone())
    }

    /// Restores the scope at a mark.
    pub fn leave(&mut self, mark: Mark) {
        self.names.truncate(mark.0);
        self.named = mark.1;
        self.facts = mark.2;
    }

    /// Creates a variable without a name.
    pub fn hidden(&mut self, ty: Type, span: Span) -> LocalId {
        self.locals.push(Local { name: String::new(), ty: kept(&ty), span });
        LocalId::from(self.locals.len() - 1)
    }

    /// Creates a named variable that is not in scope yet.
    pub fn fresh(&mut self, name: &tree::Name, ty: Type) -> LocalId {
        self.locals.push(Local { name: name.text.clone(), ty: kept(&ty), span: name.span });
        LocalId::from(self.locals.len() - 1)
    }

    /// Brings a variable into scope under a name. The name must not shadow another local.
    pub fn show(&mut self, name: &tree::Name, local: LocalId, ty: Type, writable: bool) {
        self.no_hiding(name);
        self.names.push(NameInScope { name: name.text.clone(), local, ty: kept(&ty), writable, span: name.span });
    }

    /// Creates a variable and brings it into scope.
    pub fn bind(&mut self, name: &tree::Name, ty: Type, writable: bool) -> LocalId {
        let local = self.fresh(name, ty.clone());
        self.show(name, local, ty, writable);
        local
    }

    /// Reports a name that shadows a local, a parameter or a shared variable.
    fn no_hiding(&mut self, name: &tree::Name) {
        let mut finding = None;
        if let Some(seen) = self.find(&name.text) {
            let what = if seen.local.at() < self.scope.params.len() { "a parameter" } else { "a local" };
            let text = format!("`{}` is already {what} here; use another name", name.text);
            let found = Diagnostic::new(Code::Hides, name.span, text).and(seen.span, "first used here");
            let help = "use another name; a `where` continues to the end, so put a query before `and` in brackets";
            finding = Some(if what == "a local" { found.help(help) } else { found });
        } else if self.ambient(&name.text).is_some() {
            let text = format!("`{}` is already a variable of the phase; use another name", name.text);
            finding = Some(Diagnostic::new(Code::Hides, name.span, text));
        }
        if let Some(finding) = finding {
            self.report(finding);
        }
    }

    /// Looks up a local or parameter by name, innermost first.
    pub fn find(&self, name: &str) -> Option<&NameInScope> {
        self.names.iter().rev().find(|s| s.name == name)
    }

    /// Looks up a variable of the phase by name.
    pub fn ambient(&self, name: &str) -> Option<AmbientId> {
        self.scope.ambients.iter().find(|(n, _)| n == name).map(|(_, id)| *id)
    }

    /// Creates a site: a roll, a draw or a decision.
    pub fn site(&mut self, name: &str, sort: SiteSort, ty: Type, span: Span) -> SiteId {
        let id = SiteId::from(self.ck.rs.sites.len());
        let cites = self.cites.clone();
        let func = self.func;
        self.ck.rs.sites.push(Site {
            func,
            name: name.to_string(),
            sort,
            ty,
            key: None,
            options: Vec::new(),
            span,
            cites,
        });
        self.ck.notes.sites.push(SiteNote { scope: self.scope.clone(), names: self.names.clone(), entry: None });
        id
    }

    /// Records the candidate variable of a site for policies.
    pub fn site_entry(&mut self, site: SiteId, entry: LocalId, ty: Type, also: Option<String>) {
        self.ck.notes.sites[site.at()].entry = Some((entry, ty, also));
    }
}

impl Checker<'_> {
    /// Returns whether the function is the body or the guard of a rule. In these, the event's fields are accessible
    /// only through its bound name.
    fn is_rule_part(&mut self, func: FuncId, sort: ScopeSort) -> bool {
        matches!(sort, ScopeSort::Rule { .. }) || self.guards().guards.contains(func)
    }

    /// Returns the guards of rules. The table is rebuilt after rules were added.
    pub(super) fn guards(&mut self) -> &Guards {
        if self.notes.guards.rules != self.rs.rules.len() {
            let pairs = || self.rs.rules.iter().filter_map(|r| Some((r.func, r.guard?)));
            self.notes.guards = Guards {
                rules: self.rs.rules.len(),
                of: pairs().collect(),
                guards: pairs().map(|(_, guard)| guard).collect(),
            };
        }
        &self.notes.guards
    }

    /// Returns whether the check of a body is in progress.
    pub(super) fn is_doing(&self, func: FuncId) -> bool {
        matches!(self.pending.get(func.at()), Some(Pending::Doing))
    }
}

pub(super) fn expr(kind: ExprKind, ty: Type, span: Span) -> Expr {
    Expr { kind, ty, span }
}

/// A placeholder for an erroneous part.
pub trait Instead {
    /// Creates the placeholder at the span of the diagnostic.
    fn instead(span: Span) -> Self;
}

impl Instead for Expr {
    fn instead(span: Span) -> Expr {
        unknown(span)
    }
}

impl<T> Instead for Option<T> {
    fn instead(_: Span) -> Option<T> {
        None
    }
}

/// Returns the placeholder for a value that cannot be resolved.
pub(super) fn unknown(span: Span) -> Expr {
    Expr { kind: ExprKind::Const(0), ty: Type::Unknown, span }
}

/// Returns a variable as a value.
pub(super) fn local(id: LocalId, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Local(id), ty, span }
}
