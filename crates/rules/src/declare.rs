//! Declares items: each name gets an id, each slot a type, and each body a pending check.

mod borrowed;
mod constants;
mod fields;
mod functions;
mod happenings;
mod kinds;
mod links;
mod names;
mod order;
mod settings;
mod stored;
mod traits;
mod types;
mod vocabulary;

pub(super) use stored::lists_in_records;

use super::bodies::signed;
use super::checker::{Checker, Pending, Scope, ScopeSort};
use super::code::{Body, Expr, ExprKind, Function, Local};
use super::index::Means;
use super::merge::{depth_of, head};
use super::ruleset::{HeaderLine, Item, TypeName};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, FileId, Sources, Span, did_you_mean};
use grognard_syntax::tree::{self, ClauseRef, ItemKind, Name, Text};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A parameter: name, type, span.
pub(crate) type ParamDecl = (String, Type, Span);

/// State of the declaration passes, in addition to the checker.
pub(crate) struct Declarer<'a, 'b> {
    pub c: Checker<'a>,
    pub items: &'a [Arc<tree::Item>],
    pub files: &'b [FileId],
    pub sources: &'b Sources,
    /// Names and types of the keys or parameters of each field.
    pub field_params: Vec<Vec<ParamDecl>>,
    /// Written types of slots and lets by kind and name, for the ranges of bounds.
    pub written: HashMap<(KindId, String), &'a tree::TypeExpr>,
    /// The names of items that are declared as stand-ins.
    pub stand_ins: HashSet<Span>,
}

/// Declares all items, checks all bodies, and completes the parts that depend on checked bodies.
pub fn declare<'a>(
    checker: Checker<'a>,
    items: &'a [Arc<tree::Item>],
    files: &[FileId],
    sources: &Sources,
) -> Checker<'a> {
    let stand_ins =
        items.iter().filter(|item| item.stand_in).filter_map(|item| head::name(&item.kind)).map(|name| name.span);
    let stand_ins = stand_ins.collect();
    let (field_params, written) = (Vec::new(), HashMap::new());
    let mut d = Declarer { c: checker, items, files, sources, field_params, written, stand_ins };
    d.declare_names();
    d.declare_vocabulary();
    d.declare_kinds();
    d.declare_borrowed();
    d.declare_settings();
    d.declare_fields();
    d.declare_functions();
    d.declare_phases();
    d.declare_actions();
    d.declare_rules();
    d.declare_traits();
    d.order_rules();
    d.declare_laws();
    d.declare_examples();
    d.c.ensure_all();
    d.finish_fields();
    d.declare_policies();
    d.write_needs();
    signed::judge(&mut d.c);
    d.c
}

impl<'a> Declarer<'a, '_> {
    /// Reports a diagnostic at `span`.
    pub fn say(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.c.say(code, span, message);
    }

    /// Reports a diagnostic and returns `None`.
    pub fn wrong<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Option<T> {
        self.say(code, span, message);
        None
    }

    /// Reports a diagnostic with its own help line.
    pub fn say_help(&mut self, code: Code, span: Span, message: String, help: String) {
        self.c.problems.push(Diagnostic::new(code, span, message).help(help));
    }

    /// Reports a diagnostic with two spans.
    pub fn say_two(&mut self, code: Code, span: Span, message: String, other: Span, text: &str) {
        self.c.problems.push(Diagnostic::new(code, span, message).and(other, text));
    }

    pub fn item(
        &mut self,
        word: &'static str,
        name: String,
        title: &Option<Text>,
        cites: &[ClauseRef],
        span: Span,
    ) -> ItemId {
        let id = ItemId::from(self.c.rs.items.len());
        self.c.rs.items.push(Item {
            word,
            name,
            title: title.as_ref().map_or(String::new(), |t| t.text.clone()),
            cites: cites.iter().map(|c| c.text.clone()).collect(),
            span,
            stand_in: self.stand_ins.contains(&span),
            from: depth_of(self.files, span, self.sources),
        });
        id
    }

    /// Creates a function whose body is checked later.
    pub fn function(&mut self, item: ItemId, name: String, scope: &Scope, pending: Pending<'a>) -> FuncId {
        let id = FuncId::from(self.c.rs.functions.len());
        let all = scope.params.iter().chain(&scope.shares);
        let locals = all.map(|(name, ty, span)| Local { name: name.clone(), ty: ty.clone(), span: *span }).collect();
        let inferred = if scope.sort == ScopeSort::Value { Type::Unknown } else { Type::Nothing };
        self.c.rs.functions.push(Function {
            item,
            name,
            params: scope.params.len(),
            locals,
            result: scope.result.clone().unwrap_or(inferred),
            body: Body::Open,
            external: false,
        });
        self.c.pending.push(pending);
        id
    }

    /// Creates a function that returns a constant of one cell.
    pub fn constant_function(
        &mut self,
        item: ItemId,
        name: String,
        scope: &Scope,
        ty: Type,
        value: i64,
        span: Span,
    ) -> FuncId {
        let scope = Scope { result: Some(ty.clone()), ..scope.clone() };
        let id = self.function(item, name, &scope, Pending::Done);
        self.c.rs.functions[id.at()].body = Body::Value(Expr { kind: ExprKind::Const(value), ty, span });
        id
    }

    /// Creates a pure function from an expression.
    pub fn value_function(
        &mut self,
        item: ItemId,
        name: String,
        scope: Scope,
        expr: &'a tree::Expr,
        expected: Option<Type>,
    ) -> FuncId {
        let scope = Scope { result: expected.clone(), ..scope };
        let copy = scope.clone();
        self.function(item, name, &copy, Pending::Value { scope, expr, expected })
    }

    /// Returns the scope of a member of a kind, in which the fields of `self` are bare names.
    pub fn self_scope(&self, kind: KindId, span: Span) -> Scope {
        let params = vec![("self".to_string(), Type::Kind(kind), span)];
        Scope { has_self: true, ..plain_scope(ScopeSort::Value, params) }
    }

    /// Looks up a kind by name. Reports an error if it does not exist.
    pub fn kind_named(&mut self, name: &Name) -> Option<KindId> {
        if let Some(TypeName::Kind(id)) = self.c.rs.names.types.get(&name.text).copied() {
            self.c.means(name.span, || Means::Type(TypeName::Kind(id)));
            return Some(id);
        }
        let kinds = self.c.rs.kinds.iter().map(|k| k.name.as_str());
        let near = did_you_mean(&name.text, kinds);
        let message = format!("there is no kind `{}`{near}", name.text);
        self.wrong(Code::UnknownType, name.span, message)
    }

    /// Looks up a phase by name. Reports an error if it does not exist.
    pub fn phase_named(&mut self, name: &Name) -> Option<PhaseId> {
        if let Some(id) = self.c.rs.names.phases.get(&name.text).copied() {
            self.c.means(name.span, || Means::Phase(id));
            return Some(id);
        }
        let near = did_you_mean(&name.text, self.c.rs.names.phases.keys().map(String::as_str));
        let message = format!("there is no phase `{}`{near}", name.text);
        self.wrong(Code::UnknownName, name.span, message)
    }

    /// Stores the source text of the conditions in action headers, for the reasons of refusals.
    fn write_needs(&mut self) {
        for at in 0..self.c.rs.actions.len() {
            for line in 0..self.c.rs.actions[at].header.len() {
                let HeaderLine::Needs { condition, .. } = &self.c.rs.actions[at].header[line] else { continue };
                let written = self.text(condition.span);
                if let HeaderLine::Needs { text, .. } = &mut self.c.rs.actions[at].header[line] {
                    *text = written;
                }
            }
        }
    }

    /// Returns the text of a span on one line.
    pub fn text(&self, span: Span) -> String {
        let words: Vec<&str> = self.sources.slice(span).split_whitespace().collect();
        words.join(" ")
    }

    /// Stores examples as syntax trees.
    fn declare_examples(&mut self) {
        for item in self.items {
            if let ItemKind::Example(tree) = &item.kind {
                self.c.rs.examples.push(super::ruleset::Example {
                    tree: tree.clone(),
                    cites: item.cites.iter().map(|c| c.text.clone()).collect(),
                    from: depth_of(self.files, tree.title.span, self.sources),
                    span: item.span,
                });
            }
        }
    }
}

/// Creates a scope that contains only parameters.
pub(crate) fn plain_scope(sort: ScopeSort, params: Vec<ParamDecl>) -> Scope {
    Scope {
        sort,
        params,
        has_self: false,
        ambients: Vec::new(),
        bound: None,
        event: None,
        result: None,
        shares: Vec::new(),
    }
}
