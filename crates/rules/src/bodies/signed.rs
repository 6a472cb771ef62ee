//! Reports differences that can be negative. Subtracting a negative difference from a field adds to it, and a negative
//! cost is an error.

use super::super::code::{Body, Expr, ExprKind, SetOp, Stmt, StmtKind, Target};
use super::body::BodyChecker;
use crate::checker::Checker;
use crate::reads::walk::{Node, any_part, walk_body};
use crate::ruleset::{FieldSort, Rule, Ruleset, Trigger};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, Span};
use std::collections::BTreeSet;

/// An argument that can be negative, until the use by the callee is known.
pub struct SignedArgument {
    by: FuncId,
    to: Callee,
    at: usize,
    span: Span,
    /// The argument as written.
    text: String,
}

#[derive(Clone, Copy)]
pub enum Callee {
    Function(FuncId),
    Event(EventId),
}

impl BodyChecker<'_, '_> {
    /// Reports `cost side.w - 3 picks`, because a negative cost is an error in play.
    pub fn gives_by_cost(&mut self, amount: &Expr, of: &str) {
        let below = match &amount.ty {
            Type::Int(_) => self.range_now(amount).low < 0,
            Type::Length => true,
            _ => false,
        };
        let difference = matches!(&amount.kind, ExprKind::Op(Op::Sub, _))
            || matches!(amount.ty, Type::Int(r) if r.low > Range::ALL.low);
        if below && difference && !self.is_known(amount) {
            let rendered = self.called(amount).unwrap_or_else(|| "this".into());
            let message = format!("if this is below 0, the run ends with an error: a cost lowers `{of}`");
            let rendered = if rendered == "this" { self.written(amount) } else { rendered };
            self.say_help(
                Code::Signed,
                amount.span,
                message,
                format!("to treat negative values as free, write `cost max(0, {rendered}) {of}`"),
            );
        }
    }

    /// Returns whether `value` is a difference of two values that can be negative.
    pub fn is_signed_difference(&self, value: &Expr) -> bool {
        let ExprKind::Op(Op::Sub, args) = &value.kind else { return false };
        let below = match &value.ty {
            Type::Int(_) => self.range_now(value).low < 0,
            _ => true,
        };
        let [a, b] = args.as_slice() else { return false };
        // the growth of one value, and constants made from params
        let one_value =
            matches!((&a.kind, &b.kind), (ExprKind::Call { func: f, .. }, ExprKind::Call { func: g, .. }) if f == g);
        below && !one_value && !self.is_known(value)
    }

    /// Returns whether `value` is a variable or a `let` with such a difference.
    pub fn names_difference(&mut self, value: &Expr) -> bool {
        let func = match &value.kind {
            ExprKind::Local(local) => return self.differences.contains(local) && self.range_now(value).low < 0,
            ExprKind::Call { func, .. } => *func,
            ExprKind::Field { field, .. } => match self.ck.rs.fields[field.at()].sort {
                FieldSort::Let(func) => func,
                _ => return false,
            },
            _ => return false,
        };
        if self.range_now(value).low >= 0 || self.ck.is_doing(func) {
            return false;
        }
        self.ck.ensure(func);
        match self.ck.rs.functions.get(func.at()).map(|f| f.body.clone()) {
            Some(Body::Value(body)) => self.is_signed_difference(&body),
            _ => false,
        }
    }

    /// Reports `set hp -= damage - armour`, which adds to `hp` if the armor is above the damage.
    pub fn below_zero(&mut self, value: &Expr, sign: &str) {
        let does = if sign.starts_with('-') { "adds" } else { "subtracts" };
        if self.names_difference(value) {
            let name = self.written(value);
            let message = format!("if `{name}` is below 0, this {does}");
            let help = format!("to have no effect in that case, write `{sign} max(0, {name})`");
            return self.say_help(Code::Signed, value.span, message, help);
        }
        if !self.is_signed_difference(value) {
            return;
        }
        let Some([a, b]) = self.sides_of_difference(value) else { return };
        let message = format!("if `{b}` is greater than `{a}`, this {does}");
        let (first, second) = if sign.starts_with('-') { ("-=", "+=") } else { ("+=", "-=") };
        let help = format!(
            "to have no effect in that case, write `{sign} max(0, {a} - {b})`; otherwise write two lines, `{first} \
             {a}` and `{second} {b}`"
        );
        self.say_help(Code::Signed, value.span, message, help);
    }

    /// Returns the two sides of a difference as written.
    fn sides_of_difference(&self, value: &Expr) -> Option<[String; 2]> {
        let ExprKind::Op(_, args) = &value.kind else { return None };
        let [a, b] = args.as_slice() else { return None };
        let side = |e: &Expr, inner: bool| {
            let text = self.written(e);
            let sum = matches!(&e.kind, ExprKind::Op(Op::Add | Op::Sub, _));
            if inner && sum { format!("({text})") } else { text }
        };
        Some([side(a, false), side(b, true)])
    }

    /// Reports `set hp = hp - (damage - armour)`, also inside a `max`.
    pub fn own_difference(&mut self, target: &Target, value: &Expr) {
        let ExprKind::Op(how, args) = &value.kind else { return };
        match (how, args.as_slice()) {
            (Op::Max | Op::Min, args) => args.iter().for_each(|arg| self.own_difference(target, arg)),
            (Op::Sub, [own, by]) if is_target(target, own) => self.below_zero(by, "-"),
            (Op::Add, [own, by]) | (Op::Add, [by, own]) if is_target(target, own) && !is_target(target, by) => {
                self.below_zero(by, "+");
            }
            _ => {}
        }
    }

    /// Stores the arguments that can be negative.
    pub fn keep_signed(&mut self, to: Callee, args: &[Expr]) {
        for (at, arg) in args.iter().enumerate() {
            if matches!(arg.ty, Type::Int(_) | Type::Length)
                && (self.is_signed_difference(arg) || self.names_difference(arg))
            {
                let text = match self.sides_of_difference(arg) {
                    Some([a, b]) if matches!(arg.kind, ExprKind::Op(Op::Sub, _)) => format!("{a} - {b}"),
                    _ => self.written(arg),
                };
                self.ck.signed.push(SignedArgument { by: self.func, to, at, span: arg.span, text });
            }
        }
    }
}

/// Returns whether `value` is the target of a `set`.
fn is_target(target: &Target, value: &Expr) -> bool {
    match (target, &value.kind) {
        (Target::Local(a), ExprKind::Local(b)) => a == b,
        (Target::Global(a), ExprKind::Global(b)) => a == b,
        (Target::Ambient(a), ExprKind::Ambient(b)) => a == b,
        (Target::Field { thing, field }, ExprKind::Field { thing: of, field: read, .. }) => {
            field == read && grognard_audit::is_same(thing, of)
        }
        _ => false,
    }
}

/// Reports arguments that can be negative if the callee adds them to a field or subtracts them from one.
pub fn judge(checker: &mut Checker<'_>) {
    let kept = std::mem::take(&mut checker.signed);
    if kept.is_empty() {
        return;
    }
    let rs = &checker.rs;
    let written = written_unasked(rs);
    let mut found = Vec::new();
    for arg in kept {
        let own = rs.functions.get(arg.by.at()).is_some_and(|f| rs.items[f.item.at()].from + 1 == rs.chain.len());
        let taker = match arg.to {
            Callee::Function(func) => {
                let name = &rs.items[rs.functions[func.at()].item.at()].name;
                written.contains(&(func, arg.at)).then_some(name)
            }
            Callee::Event(event) => {
                let takes = |rule: &&Rule| {
                    let at = usize::from(rule.of_trait.is_some()) + arg.at;
                    let asks =
                        rule.guard.is_some_and(|guard| compares(&rs.functions[guard.at()].body, LocalId::from(at)));
                    rule.on == Trigger::Event(event) && !asks && written.contains(&(rule.func, at))
                };
                rs.rules.iter().find(takes).map(|rule| &rule.name)
            }
        };
        let Some(name) = taker.filter(|_| own) else { continue };
        let message = format!("if `{}` is below 0, `{name}` has the opposite effect", arg.text);
        let help = format!("to have no effect in that case, write `max(0, {})`", arg.text);
        found.push(Diagnostic::new(Code::Signed, arg.span, message).help(help));
    }
    checker.problems.extend(found);
}

/// Returns the parameters that a body or its callees add to or subtract from a field without a comparison. Iterates to
/// a fixed point.
fn written_unasked(rs: &Ruleset) -> BTreeSet<(FuncId, usize)> {
    let mut marked = BTreeSet::new();
    loop {
        let known = marked.len();
        for (at, function) in rs.functions.iter().enumerate() {
            let id = FuncId::from(at);
            let mut takes = BTreeSet::new();
            walk_body(&function.body, &mut |node| {
                let Node::Stmt(Stmt { kind, .. }) = node else { return };
                let mut passed = Vec::new();
                match kind {
                    StmtKind::Set { target: Target::Field { .. } | Target::Global(_), op, value, .. }
                        if *op != SetOp::Set =>
                    {
                        passed.push(value);
                    }
                    StmtKind::Call { func, args, .. } => {
                        passed.extend(
                            args.iter().enumerate().filter(|(n, _)| marked.contains(&(*func, *n))).map(|a| a.1),
                        );
                    }
                    _ => {}
                }
                for value in passed {
                    if let ExprKind::Local(local) = value.kind {
                        takes.insert(local);
                    }
                }
            });
            // a number outside a declared range is an error in play
            let below = |local: LocalId| match function.locals.get(local.at()).map(|l| &l.ty) {
                Some(Type::Int(range)) => range.low < 0,
                _ => true,
            };
            takes.retain(|local| local.at() < function.params && below(*local) && !compares(&function.body, *local));
            marked.extend(takes.into_iter().map(|local| (id, local.at())));
        }
        if marked.len() == known {
            return marked;
        }
    }
}

/// Returns whether a body compares a variable, limits it, or matches it.
fn compares(body: &Body, local: LocalId) -> bool {
    let mut found = false;
    walk_body(body, &mut |node| {
        let Node::Expr(e) = node else { return };
        let asks = match &e.kind {
            ExprKind::Op(how, _) => matches!(
                how,
                Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne | Op::Min | Op::Max | Op::LtRatio | Op::LeRatio
            ),
            ExprKind::Match { .. } | ExprKind::Is { .. } => true,
            _ => false,
        };
        found |= asks && any_part(e, |part| matches!(part.kind, ExprKind::Local(id) if id == local));
    });
    found
}
