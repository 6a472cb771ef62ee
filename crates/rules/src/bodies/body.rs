//! One body while it is checked: its variables, the names in sight, and where it stands.

use super::super::checker::{Checker, Pending, Scope, ScopeSort};
use super::super::code::{Body, Expr, ExprKind, Function, Local};
use super::facts::Fact;
use super::notes::{Guards, SiteNote};
use super::types::kept;
use crate::ruleset::{Site, SiteSort};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, OrdMap, OrdSet, Span};
use grognard_syntax::tree;

/// A name in sight.
#[derive(Clone, Debug)]
pub(super) struct NameInScope {
    pub name: String,
    pub local: LocalId,
    /// The type it has here; a candidate that may be none is seen without that where it is known to be there.
    pub ty: Type,
    pub writable: bool,
    pub span: Span,
}

/// A loop around the place.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// The type of list `earlier` is, in an `each` over things.
    pub things: Option<Type>,
    /// Its variable, once somebody asked.
    pub earlier: Option<LocalId>,
}

/// What is known of a roll of this body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rolled {
    pub site: SiteId,
    /// A sum has no dice to look at.
    pub sum: bool,
}

/// How many names were in sight, and what was known of the running action and of numbers.
pub(super) struct Mark(usize, Option<Vec<ActionId>>, Vec<Fact>);

/// One body while it is checked.
pub(super) struct BodyChecker<'c, 'a> {
    pub ck: &'c mut Checker<'a>,
    pub func: FuncId,
    pub scope: Scope,
    pub locals: Vec<Local>,
    pub names: Vec<NameInScope>,
    pub loops: Vec<Loop>,
    pub rolls: OrdMap<LocalId, Rolled>,
    /// The candidate whose figure `prefer most` or `prefer least` looks at.
    pub candidate: Option<LocalId>,
    /// How long the lists of some variables can be.
    pub sizes: OrdMap<LocalId, Range>,
    /// Pools whose size is written in the body, and names of such sizes.
    pub written_sizes: OrdSet<LocalId>,
    /// Where percentages are written.
    pub percents: OrdSet<Span>,
    /// Numbers of which it was said that percentages do not fit them.
    pub told_shares: OrdSet<Span>,
    /// Variables that are known to hold a percentage, or a number of something.
    pub shares: OrdMap<LocalId, bool>,
    /// Variables that hold a difference, which may be below 0.
    pub differences: OrdSet<LocalId>,
    /// Variables that hold a direction, or the difference of two.
    pub directions: OrdSet<LocalId>,
    /// Past which ends of its chain the die of a variable may be: top, bottom.
    pub shifts: OrdMap<LocalId, (bool, bool)>,
    /// Variables that were reached along a tree link.
    pub climbers: IdSet<LocalId>,
    /// The variables that were read, since somebody last cleared it.
    pub read: IdSet<LocalId>,
    /// How often the type of a branch was looked up ahead.
    pub peeks: usize,
    /// The actions the running one is known to be among.
    pub named: Option<Vec<ActionId>>,
    /// What conditions around the place say about numbers.
    pub facts: Vec<Fact>,
    /// `was` may be said.
    pub was_ok: bool,
    /// A string of a scenario: plain numbers may be inches, and things go by their names.
    pub loose: bool,
    /// Clauses cited above the statement at hand.
    pub cites: Vec<String>,
    /// `choose action or stop` was said.
    pub may_stop: bool,
    /// The changes of the `all at once` around the place.
    pub later: Option<super::at_once::Later>,
}

impl<'c, 'a> BodyChecker<'c, 'a> {
    /// A body at its start: parameters, then shared variables, are its first locals.
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
        // a snippet is none of the functions, which then stay shared
        if func.at() < ck.rs.functions.len() {
            let f = &mut ck.rs.functions[func.at()];
            f.locals = locals.clone();
            f.params = params;
        }
        let loose = scope.sort == ScopeSort::Snippet;
        BodyChecker { loose, was_ok: loose, ..BodyChecker::bare(ck, func, scope, locals, names) }
    }

    /// A body that was checked before, opened again to add a policy's preferences.
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

    /// Writes the code into the function.
    pub fn finish(self, code: Body, result: Option<Type>) {
        let Some(f) = self.ck.rs.functions.get_mut(self.func.at()) else { return };
        f.locals = self.locals;
        f.body = code;
        if let Some(result) = result {
            f.result = result;
        }
    }

    /// Writes back variables that were added to a body checked before.
    pub fn put_back(self) {
        if let Some(f) = self.ck.rs.functions.get_mut(self.func.at()) {
            f.locals = self.locals;
        }
    }

    /// The body as a function of its own, for strings of scenarios.
    pub fn into_function(self, code: Body, result: Type) -> Function {
        let params = self.scope.params.len();
        let locals = self.locals;
        Function { item: ItemId(0), name: String::new(), params, locals, result, body: code, external: false }
    }

    /// Notes a finding, once for each place.
    pub fn say(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::new(code, span, message));
    }

    /// Notes a finding with a help line of its own, once for each place.
    pub fn say_help(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report(Diagnostic::new(code, span, message).help(help));
    }

    /// Notes a finding, and gives what stands in the place of what is wrong.
    pub fn wrong<T: Instead>(&mut self, code: Code, span: Span, message: impl Into<String>) -> T {
        self.say(code, span, message);
        T::instead(span)
    }

    /// The same with a help line of its own.
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

    /// The same of a value of a type that is not wanted.
    pub fn unlike<T: Instead>(&mut self, wanted: &str, ty: &Type, span: Span) -> T {
        let ty = self.type_name(ty);
        self.wrong(Code::WrongType, span, format!("{wanted}, and this is {ty}"))
    }

    /// Notes a finding, once for each place.
    pub fn report(&mut self, finding: Diagnostic) {
        if self.ck.notes.said.insert((finding.code, finding.span)) {
            self.ck.problems.push(finding);
        }
    }

    /// The type in words of the language; a number that is known is told as it is.
    pub fn type_name(&self, ty: &Type) -> String {
        let known = |ty: &Type| matches!(ty, Type::Int(r) if r.low == r.high);
        match ty {
            Type::Int(r) if known(ty) => r.low.to_string(),
            Type::List(inner) if known(inner) => "list of Int".to_string(),
            Type::Optional(inner) if known(inner) => "Int?".to_string(),
            _ => self.ck.rs.type_name(ty),
        }
    }

    /// What the body belongs to, as written.
    pub fn own_name(&self) -> String {
        self.ck.rs.functions.get(self.func.at()).map(|f| f.name.clone()).unwrap_or_default()
    }

    /// Remembers what is in sight, to come back to it at the end of a block.
    pub fn mark(&self) -> Mark {
        Mark(self.names.len(), self.named.clone(), self.facts.clone())
    }

    /// Forgets what came into sight since.
    pub fn leave(&mut self, mark: Mark) {
        self.names.truncate(mark.0);
        self.named = mark.1;
        self.facts = mark.2;
    }

    /// A variable that the writer did not name.
    pub fn hidden(&mut self, ty: Type, span: Span) -> LocalId {
        self.locals.push(Local { name: String::new(), ty: kept(&ty), span });
        LocalId::from(self.locals.len() - 1)
    }

    /// A named variable that is not in sight yet.
    pub fn fresh(&mut self, name: &tree::Name, ty: Type) -> LocalId {
        self.locals.push(Local { name: name.text.clone(), ty: kept(&ty), span: name.span });
        LocalId::from(self.locals.len() - 1)
    }

    /// Brings a variable into sight under a name, which may not hide another local.
    pub fn show(&mut self, name: &tree::Name, local: LocalId, ty: Type, writable: bool) {
        self.no_hiding(name);
        self.names.push(NameInScope { name: name.text.clone(), local, ty: kept(&ty), writable, span: name.span });
    }

    /// A new variable, in sight from here on.
    pub fn bind(&mut self, name: &tree::Name, ty: Type, writable: bool) -> LocalId {
        let local = self.fresh(name, ty.clone());
        self.show(name, local, ty, writable);
        local
    }

    /// Says so if a name is that of another local, a parameter or a shared variable.
    fn no_hiding(&mut self, name: &tree::Name) {
        let mut finding = None;
        if let Some(seen) = self.find(&name.text) {
            let what = if seen.local.at() < self.scope.params.len() { "a parameter" } else { "a local" };
            let text = format!("`{}` is already {what} here; call it something else", name.text);
            let found = Diagnostic::new(Code::Hides, name.span, text).and(seen.span, "the first one");
            let help =
                "call it something else; a `where` goes on to the end, so a query before `and` stands in brackets";
            finding = Some(if what == "a local" { found.help(help) } else { found });
        } else if self.ambient(&name.text).is_some() {
            let text = format!("`{}` is already a variable of the phase; call it something else", name.text);
            finding = Some(Diagnostic::new(Code::Hides, name.span, text));
        }
        if let Some(finding) = finding {
            self.report(finding);
        }
    }

    /// The local or parameter of a name, the innermost first.
    pub fn find(&self, name: &str) -> Option<&NameInScope> {
        self.names.iter().rev().find(|s| s.name == name)
    }

    /// The phase variable of a name.
    pub fn ambient(&self, name: &str) -> Option<AmbientId> {
        self.scope.ambients.iter().find(|(n, _)| n == name).map(|(_, id)| *id)
    }

    /// A place where play stops to ask.
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

    /// Tells policies which variable is the candidate at a site.
    pub fn site_entry(&mut self, site: SiteId, entry: LocalId, ty: Type, also: Option<String>) {
        self.ck.notes.sites[site.at()].entry = Some((entry, ty, also));
    }
}

impl Checker<'_> {
    /// True for the body or the guard of a rule: there the event's fields are reached through its bound name only.
    fn is_rule_part(&mut self, func: FuncId, sort: ScopeSort) -> bool {
        matches!(sort, ScopeSort::Rule { .. }) || self.guards().guards.contains(func)
    }

    /// Which function is the guard of which; read anew when rules were added.
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

    /// True while a body is being checked.
    pub(super) fn is_doing(&self, func: FuncId) -> bool {
        matches!(self.pending.get(func.at()), Some(Pending::Doing))
    }
}

/// An expression.
pub(super) fn expr(kind: ExprKind, ty: Type, span: Span) -> Expr {
    Expr { kind, ty, span }
}

/// What stands in the place of what is wrong.
pub trait Instead {
    /// At the place of the finding.
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

/// What stands for a value that could not be found.
pub(super) fn unknown(span: Span) -> Expr {
    Expr { kind: ExprKind::Const(0), ty: Type::Unknown, span }
}

/// A variable as a value.
pub(super) fn local(id: LocalId, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Local(id), ty, span }
}
