//! Checks strings of scenarios and examples: expressions, conditions, statements, scripted answers.

use super::super::checker::{Checker, Scope, ScopeSort};
use super::super::code::{Body, Function};
use super::body::BodyChecker;
use super::notes::MenuPick;
use crate::declare::plain_scope;
use crate::ruleset::{HeaderLine, SiteSort};
use grognard_base::value::*;
use grognard_base::{Code, did_you_mean};
use grognard_syntax::tree::{self, ExprKind as Tree};

/// The function id of a snippet. It is not an id of the ruleset.
const NOWHERE: FuncId = FuncId(u32::MAX);

impl Checker<'_> {
    /// Creates a scope without parameters.
    pub fn bare_scope(sort: ScopeSort) -> Scope {
        plain_scope(sort, Vec::new())
    }

    /// Checks a value in a scenario or example, against the expected type if there is one.
    pub fn snippet_expr(&mut self, scope: Scope, e: &tree::Expr, expected: Option<&Type>) -> Function {
        self.snippet_of(scope, e, expected, "")
    }

    /// Like [`Checker::snippet_expr`], for a slot with a name, such as a parameter.
    pub fn snippet_of(&mut self, scope: Scope, e: &tree::Expr, expected: Option<&Type>, name: &str) -> Function {
        self.notes.said.clear();
        let mut body = BodyChecker::open(self, NOWHERE, scope);
        let value = match expected {
            Some(ty) => body.within_of(e, ty, name),
            None => body.expr(e, None),
        };
        // the inferred range is narrower than the declared one
        let ty = match (expected, &value.ty) {
            (Some(ty), Type::Int(_)) => ty.clone(),
            (_, own) => own.clone(),
        };
        body.into_function(Body::Value(value), ty)
    }

    /// Checks a condition in a scenario or example.
    pub fn snippet_condition(&mut self, scope: Scope, e: &tree::Expr) -> Function {
        self.notes.said.clear();
        let mut body = BodyChecker::open(self, NOWHERE, scope);
        let value = body.flag(e);
        body.into_function(Body::Value(value), Type::Flag)
    }

    /// Checks one statement of a scenario. Its sites do not belong to a function of the ruleset.
    pub fn snippet_stmt(&mut self, scope: Scope, s: &tree::Stmt) -> Function {
        self.notes.said.clear();
        let mut body = BodyChecker::open(self, NOWHERE, scope);
        let stmts = body.stmts(std::slice::from_ref(s));
        body.into_function(Body::Block(stmts), Type::Nothing)
    }

    /// Checks a scripted answer against the type of its site: a candidate or `none`, a list of candidates, yes or no,
    /// the index of an option, a point, or a face.
    pub fn snippet_pick(&mut self, site: SiteId, answer: &tree::Expr) -> Function {
        self.notes.said.clear();
        let (sort, ty) = {
            let s = &self.rs.sites[site.at()];
            (s.sort, s.ty.clone())
        };
        let mut body = BodyChecker::open(self, NOWHERE, Checker::bare_scope(ScopeSort::Snippet));
        let value = match sort {
            SiteSort::Choose | SiteSort::Draw | SiteSort::Next | SiteSort::May | SiteSort::Move => {
                body.want(answer, &ty)
            }
            SiteSort::Subset => body.want(answer, &ty.list()),
            SiteSort::Roll | SiteSort::Reroll | SiteSort::Explode => match answer.kind {
                Tree::List(_) => body.want(answer, &ty.list()),
                _ => body.want(answer, &ty),
            },
            SiteSort::Option => {
                let at = body.option_answer(site, answer).unwrap_or(0) as i64;
                super::body::expr(super::super::code::ExprKind::Const(at), Type::INT, answer.span)
            }
            SiteSort::Menu => {
                body.say(Code::WrongType, answer.span, "answer an action menu with an action");
                super::body::unknown(answer.span)
            }
        };
        let ty = value.ty.clone();
        body.into_function(Body::Value(value), ty)
    }

    /// Checks `most E` or `least E` as a scripted answer. The result is a function of the candidate.
    pub fn snippet_rank(&mut self, site: SiteId, by: &tree::Expr) -> Function {
        self.notes.said.clear();
        let (name, ty, span) = {
            let s = &self.rs.sites[site.at()];
            (s.name.clone(), s.ty.clone(), s.span)
        };
        let scope = Scope { params: vec![(name, ty, span)], ..Checker::bare_scope(ScopeSort::Snippet) };
        let mut body = BodyChecker::open(self, NOWHERE, scope);
        let value = body.key(by);
        let ty = value.ty.clone();
        body.into_function(Body::Value(value), ty)
    }

    /// Checks a scripted pick from an action menu: `Advance`, `IssueOrder(officer: voss, target: laans)`.
    pub fn snippet_menu(&mut self, answer: &tree::Expr) -> Option<MenuPick> {
        self.notes.said.clear();
        let (callee, args) = match &answer.kind {
            Tree::Call(callee, args) => (&**callee, args.as_slice()),
            _ => (answer, [].as_slice()),
        };
        let mut body = BodyChecker::open(self, NOWHERE, Checker::bare_scope(ScopeSort::Snippet));
        let Tree::Upper(name) = &callee.kind else {
            body.say(Code::WrongType, answer.span, "answer an action menu with an action or `stop`");
            return None;
        };
        let Some(&action) = body.ck.rs.names.actions.get(name) else {
            let near = did_you_mean(name, body.ck.rs.names.actions.keys().map(String::as_str));
            body.say(Code::UnknownName, callee.span, format!("there is no action `{name}`{near}"));
            return None;
        };
        let given = body.menu_choices(action, name, args);
        let function = body.into_function(Body::Block(Vec::new()), Type::Nothing);
        Some(MenuPick { action, given, function })
    }
}

impl BodyChecker<'_, '_> {
    /// Checks the choices of an action's header in a pick, by name or in order.
    fn menu_choices(
        &mut self,
        action: ActionId,
        name: &str,
        args: &[tree::Arg],
    ) -> Vec<(LocalId, super::super::code::Expr)> {
        let func = self.ck.rs.actions[action.at()].func;
        self.ck.ensure(func);
        let header = &self.ck.rs.actions[action.at()].header;
        let locals = header.iter().filter_map(|line| match line {
            HeaderLine::Choose { local, .. } => Some(*local),
            HeaderLine::Late(choose) => Some(choose.local),
            HeaderLine::Let { .. } | HeaderLine::Needs { .. } | HeaderLine::Cost { .. } | HeaderLine::Limit { .. } => {
                None
            }
        });
        let choices: Vec<(LocalId, String, Type)> = locals
            .map(|l| {
                let local = &self.ck.rs.functions[func.at()].locals[l.at()];
                (l, local.name.clone(), local.ty.clone())
            })
            .collect();
        let mut given = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let found = match &arg.name {
                Some(wanted) => choices.iter().find(|(_, n, _)| *n == wanted.text),
                None => choices.get(at),
            };
            match found {
                Some((local, _, ty)) => given.push((*local, self.want(&arg.value, ty))),
                None => {
                    let word = arg.name.as_ref().map_or("", |n| n.text.as_str());
                    let near = did_you_mean(word, choices.iter().map(|(_, n, _)| n.as_str()));
                    self.say(Code::Arity, arg.value.span, format!("`{name}` has no such choice{near}"));
                }
            }
        }
        given
    }
}
