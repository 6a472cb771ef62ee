//! Checks statements: blocks, variables, branches, loops, calls, and jumps.

use super::super::code::{EachOrder, Expr, ExprKind, Stmt, StmtKind};
use super::body::{BodyChecker, Loop, local};
use super::matches::ids;
use super::types::widened;
use crate::ruleset::SiteSort;
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::{self, LetSource, Name, StmtKind as TreeStmt};

impl BodyChecker<'_, '_> {
    /// Checks a block. Its names go out of scope at its end.
    pub fn block(&mut self, block: &tree::Block) -> Vec<Stmt> {
        let mark = self.mark();
        let stmts = self.stmts(&block.stmts);
        self.leave(mark);
        stmts
    }

    /// Checks a sequence of statements.
    pub fn stmts(&mut self, stmts: &[tree::Stmt]) -> Vec<Stmt> {
        let mut made = Vec::with_capacity(stmts.len());
        for pair in stmts.windows(2) {
            let leaves = matches!(
                pair[0].kind,
                TreeStmt::Return(_) | TreeStmt::Stop | TreeStmt::End(_) | TreeStmt::CancelAction { .. }
            );
            if leaves {
                self.say(Code::Dead, pair[1].span, "this is never reached: the statement above always leaves");
            }
        }
        for s in stmts {
            match self.repeated_move(s).or_else(|| self.all_at_once(s)) {
                Some(parts) => made.extend(parts),
                None => made.extend(self.stmt(s)),
            }
        }
        made
    }

    /// Checks one statement. Returns `None` after an error.
    pub fn stmt(&mut self, s: &tree::Stmt) -> Option<Stmt> {
        let outer = self.cites.clone();
        if !s.cites.is_empty() {
            self.cites = ids(&s.cites);
        }
        let kind = match &self.later {
            Some(_) => self.deferred(s),
            None => self.stmt_kind(s),
        };
        if !matches!(s.kind, TreeStmt::Let { .. } | TreeStmt::Var { .. } | TreeStmt::If { .. }) {
            self.forget_facts(matches!(s.kind, TreeStmt::Reroll { .. }));
        }
        let cites = ids(&s.cites);
        self.cites = outer;
        Some(Stmt { kind: kind?, span: s.span, cites })
    }

    pub fn stmt_kind(&mut self, s: &tree::Stmt) -> Option<StmtKind> {
        let span = s.span;
        match &s.kind {
            TreeStmt::Let { names, ty, value } => self.let_stmt(names, ty.as_ref(), value, span),
            TreeStmt::Var { name, ty, value } => {
                let (value, written) = self.typed(value, ty.as_ref());
                Some(self.let_value(name, value, written, true))
            }
            TreeStmt::Roll { name, key, by, count, dice } => {
                Some(self.roll(name, key.as_ref(), by.as_ref(), count.as_ref(), dice, span))
            }
            TreeStmt::Draw { .. } => Some(self.draw(s)),
            TreeStmt::Reroll { explode, name, within, filter, at_most } => {
                self.reroll(*explode, name, within.as_ref(), filter.as_ref(), at_most.as_ref(), span)
            }
            TreeStmt::Set { target, op, value, until } => self.set(target, *op, value, until.as_ref(), span),
            TreeStmt::Grant { status, args, to, until } => self.grant(status, args, to, until.as_ref(), span),
            TreeStmt::Revoke { status, all, args, from } => self.revoke(status, *all, args, from, span),
            TreeStmt::If { arms, otherwise } => Some(self.if_stmt(arms, otherwise.as_ref())),
            TreeStmt::Match(m) => Some(self.match_stmt(m)),
            TreeStmt::ChooseAction { by, or_stop, stop_when, span } => {
                self.choose_action(by.as_ref(), *or_stop, stop_when.as_ref(), *span)
            }
            TreeStmt::ChooseOption { name, by, options } => Some(self.choose_option(name, by.as_ref(), options)),
            TreeStmt::Choose { .. } => self.choose(s).map(StmtKind::Choose),
            TreeStmt::May { name, by, when, prefer, body } => {
                Some(self.may(name, by.as_ref(), when.as_ref(), prefer.as_ref(), body))
            }
            TreeStmt::Each { name, from, filter, order, body } => {
                Some(self.each(name, from, filter.as_ref(), order, body))
            }
            TreeStmt::Repeat { body, condition } => {
                // the condition is evaluated after the body
                let body = self.looped(body, None).0;
                let condition = condition.as_ref().map(|c| self.flag(c));
                Some(StmtKind::Repeat { body, condition })
            }
            // handled in `stmts`
            TreeStmt::AtOnce(_) => None,
            TreeStmt::Move { motion, otherwise } => self.move_stmt(motion, None, otherwise.as_ref()),
            TreeStmt::Place { thing, at } => self.place_stmt(thing, at, span),
            TreeStmt::Turn { thing, by, angle } => self.turn(thing, *by, angle, span),
            TreeStmt::Destroy { thing, reason } => {
                self.writes(span, "destroys a thing")?;
                let thing = self.target_thing(thing)?;
                Some(StmtKind::Destroy { thing, reason: reason.as_ref().map(|r| r.text.clone()).unwrap_or_default() })
            }
            TreeStmt::Spawn { name, kind, fields } => self.spawn(name, kind, fields, span),
            TreeStmt::Merge { from, into } => self.merge(from, into, span),
            TreeStmt::Do(call) => self.do_call(call, None, span),
            TreeStmt::Test(call) => self.test_stmt(call, None, span),
            TreeStmt::Run(call) => self.run(call, span),
            TreeStmt::Emit(call) => self.emit(call, span),
            TreeStmt::Return(value) => self.return_stmt(value.as_ref(), span),
            TreeStmt::Stop => self.stop(span),
            TreeStmt::End(phase) => self.end_phase(phase, span),
            TreeStmt::CancelAction { returned } => self.cancel(*returned, span),
            TreeStmt::PassWhen(condition) => {
                self.verdict(span, "pass when")?;
                Some(StmtKind::Pass(self.flag(condition)))
            }
            TreeStmt::Grade(value) => self.grade(value, span),
            TreeStmt::Needs { .. } => self.header_only("needs", span),
            TreeStmt::Limit { .. } => self.header_only("limit", span),
            TreeStmt::Cost { .. } => self.header_only("cost", span),
        }
    }

    fn header_only(&mut self, word: &str, span: Span) -> Option<StmtKind> {
        self.wrong(
            Code::HeaderOnly,
            span,
            format!("`{word}` belongs in the header of an action, before its statements"),
        )
    }

    /// Checks a value with an optional written type, which becomes the type of the name.
    pub fn typed(&mut self, value: &tree::Expr, ty: Option<&tree::TypeExpr>) -> (Expr, Option<Type>) {
        let Some(ty) = ty else { return (self.expr(value, None), None) };
        let ty = self.written_type(ty);
        let value = self.within(value, &ty);
        let known = value.ty != Type::Unknown;
        (value, known.then_some(ty))
    }

    fn let_stmt(
        &mut self,
        names: &[Name],
        ty: Option<&tree::TypeExpr>,
        value: &LetSource,
        span: Span,
    ) -> Option<StmtKind> {
        let [name] = names else { return self.let_tuple(names, value, span) };
        match value {
            LetSource::Value(value) => {
                let (value, written) = self.typed(value, ty);
                Some(self.let_value(name, value, written, false))
            }
            LetSource::Do(call) => self.do_call(call, Some(name), span),
            LetSource::Test(call) => self.test_stmt(call, Some(name), span),
            LetSource::Move(motion) => self.move_stmt(motion, Some(name), None),
        }
    }

    /// Declares a name for a value. A `var` has no inferred range, because a later `set` can exceed it.
    fn let_value(&mut self, name: &Name, value: Expr, written: Option<Type>, writable: bool) -> StmtKind {
        if value.ty == Type::Nothing || is_untyped(&value) {
            let word = if writable { "var" } else { "let" };
            let help = match value.ty {
                Type::List(_) => format!("write `{word} {}: list of T = []`", name.text),
                _ => format!("write `{word} {}: T? = none`", name.text),
            };
            self.say_help(
                Code::NeedType,
                name.span,
                format!("the type of `{}` cannot be inferred here", name.text),
                help,
            );
        }
        let own = || if writable { widened(&value.ty) } else { value.ty.clone() };
        let ty = written.unwrap_or_else(own);
        let id = self.bind(name, ty.clone(), writable);
        if !writable {
            if matches!(ty, Type::List(_)) {
                let size = self.length_of(&value);
                self.sizes.insert(id, size);
            }
            if self.is_written_size(&value) {
                self.written_sizes.insert(id);
            }
            self.note_ends(id, &value);
            self.note_measure(id, &value);
            self.follow(&value, id);
        }
        StmtKind::Let { local: id, value }
    }

    fn let_tuple(&mut self, names: &[Name], value: &LetSource, span: Span) -> Option<StmtKind> {
        let LetSource::Value(value) = value else {
            let help = "give the result one name, then use its parts";
            return self.wrong_help(Code::WrongType, span, "an action returns one result, not several", help);
        };
        let value = self.expr(value, None);
        let types = match &value.ty {
            Type::Tuple(types) if types.len() == names.len() => types.clone(),
            Type::Unknown => vec![Type::Unknown; names.len()],
            ty => {
                let ty = self.type_name(ty);
                self.say(Code::WrongType, span, format!("expected {} values, found {ty}", names.len()));
                vec![Type::Unknown; names.len()]
            }
        };
        let locals = names.iter().zip(types).map(|(name, ty)| self.bind(name, ty, false)).collect();
        Some(StmtKind::LetTuple { locals, value })
    }

    fn if_stmt(&mut self, arms: &[(tree::Expr, tree::Block)], otherwise: Option<&tree::Block>) -> StmtKind {
        let mut made = Vec::new();
        let around = self.mark();
        for (condition, block) in arms {
            let mark = self.mark();
            let condition = self.condition(condition);
            let body = self.stmts(&block.stmts);
            self.leave(mark);
            self.note_facts(&condition, false);
            made.push((condition, body));
        }
        let otherwise = otherwise.map(|b| self.block(b)).unwrap_or_default();
        self.leave(around);
        self.forget_facts(false);
        // after a branch that always leaves, its condition is false
        if made.iter().all(|(_, body)| super::paths::always_ends(body)) {
            made.iter().for_each(|(condition, _)| self.note_facts(condition, false));
        }
        StmtKind::If { arms: made, otherwise }
    }

    /// Checks the body of a loop. Returns it with the variable `earlier` if the body uses it.
    fn looped(&mut self, block: &tree::Block, things: Option<Type>) -> (Vec<Stmt>, Option<LocalId>) {
        self.loops.push(Loop { things, earlier: None });
        self.forget_facts(true);
        let body = self.block(block);
        let earlier = self.loops.pop().and_then(|l| l.earlier);
        (body, earlier)
    }

    fn each(
        &mut self,
        name: &Name,
        from: &tree::Range,
        filter: Option<&tree::Expr>,
        order: &tree::EachOrder,
        body: &tree::Block,
    ) -> StmtKind {
        let (from, ty) = self.collection(from, None);
        let by = match order {
            tree::EachOrder::Chosen { by, .. } => self.decider(by.as_ref()),
            tree::EachOrder::AsListed | tree::EachOrder::By(_) => None,
        };
        let site = match order {
            tree::EachOrder::Chosen { name, .. } => Some(self.site(&name.text, SiteSort::Next, ty.clone(), name.span)),
            tree::EachOrder::AsListed | tree::EachOrder::By(_) => None,
        };
        let mark = self.mark();
        let id = self.bind(name, ty.clone(), false);
        if let super::super::code::Collection::List(list) = &from {
            self.follow(list, id);
        }
        if let Some(site) = site {
            self.site_entry(site, id, ty.clone(), Some(name.text.clone()));
        }
        let filter = filter.map(|f| self.condition(f));
        let order = match (order, site) {
            (tree::EachOrder::By(key), _) => EachOrder::By(self.key(key)),
            (_, Some(site)) => EachOrder::Chosen { site, by },
            _ => EachOrder::AsListed,
        };
        let things = matches!(ty, Type::Kind(_)).then(|| ty.list());
        let (body, earlier) = self.looped(body, things);
        self.leave(mark);
        StmtKind::Each { local: id, from, filter, order, earlier, body }
    }

    /// Checks the statement `stop` and translates it to typed code.
    fn stop(&mut self, span: Span) -> Option<StmtKind> {
        if self.loops.is_empty() && !self.may_stop {
            return self.wrong(Code::Scope, span, "`stop` is allowed only in a `repeat` or an `each`");
        }
        Some(StmtKind::Stop)
    }
}

/// Returns a local as an expression of its own type.
pub(super) fn as_local(body: &BodyChecker<'_, '_>, id: LocalId, span: Span) -> Expr {
    local(id, body.locals[id.at()].ty.clone(), span)
}

/// Returns whether an expression is the local `id`.
pub(super) fn is_local(e: &Expr, id: LocalId) -> bool {
    matches!(e.kind, ExprKind::Local(l) if l == id)
}

/// Returns whether the value is an empty list or `none`, which can have any type.
pub(super) fn is_untyped(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::None => value.ty == Type::Optional(Box::new(Type::Unknown)),
        ExprKind::List(entries) => value.ty == Type::Unknown.list() && entries.iter().all(is_untyped),
        ExprKind::If { arms, otherwise } => is_untyped(otherwise) && arms.iter().all(|(_, v)| is_untyped(v)),
        _ => false,
    }
}
