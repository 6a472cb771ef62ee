//! Checks actions: a header that defines the menu instances, then the body.

use super::super::code::{Body, Collection, Expr, ExprKind};
use super::body::{BodyChecker, expr};
use super::matches::ids;
use crate::index::Means;
use crate::ruleset::HeaderLine;
use grognard_base::value::*;
use grognard_base::{Code, Span, did_you_mean};
use grognard_syntax::tree::{self, LetSource, StmtKind as TreeStmt};

/// Late choices of the header so far.
#[derive(Default)]
struct Late {
    /// Chosen subsets. `needs` must not read them.
    subsets: Vec<(LocalId, String)>,
    first: Option<Span>,
}

impl BodyChecker<'_, '_> {
    /// Checks the header and the body of an action.
    pub fn action(mut self, id: ActionId, tree: &tree::Action) {
        let header = tree.body.stmts.iter().take_while(|s| is_header(s)).count();
        let (head, body) = tree.body.stmts.split_at(header);
        let mut late = Late::default();
        let lines: Vec<HeaderLine> = head.iter().filter_map(|s| self.header_line(s, &mut late)).collect();
        let actor = self.action_actor(id, tree);
        self.ck.rs.actions[id.at()].header = lines;
        self.ck.rs.actions[id.at()].actor = actor;
        let stmts = self.stmts(body);
        self.finish(Body::Block(stmts), Some(Type::Nothing));
    }

    /// Returns the name of the first of these variables that the current line has read.
    fn has_read(&self, of: &[(LocalId, String)]) -> Option<String> {
        of.iter().find(|(id, _)| self.read.contains(*id)).map(|(_, name)| name.clone())
    }

    fn header_line(&mut self, s: &tree::Stmt, late: &mut Late) -> Option<HeaderLine> {
        self.read.clear();
        match &s.kind {
            TreeStmt::Let { names, ty, value: LetSource::Value(value) } => {
                let [name] = names.as_slice() else {
                    return self.wrong(Code::HeaderOnly, s.span, "a `let` in a header must name a single value");
                };
                let (value, written) = self.typed(value, ty.as_ref());
                let local = self.bind(name, written.unwrap_or_else(|| value.ty.clone()), false);
                if self.has_read(&late.subsets).is_some() {
                    late.subsets.push((local, name.text.clone()));
                }
                Some(HeaderLine::Let { local, value })
            }
            TreeStmt::Choose { .. } => self.header_choose(s, late),
            TreeStmt::Needs { condition, reason } => {
                let condition = self.flag(condition);
                if let Some(name) = self.has_read(&late.subsets) {
                    let message = format!("a `needs` cannot read `{name}`: it is chosen after the action is picked");
                    self.say(Code::Late, condition.span, message);
                }
                let reason = reason.as_ref().map(|r| r.text.clone()).unwrap_or_default();
                Some(HeaderLine::Needs { condition, text: String::new(), reason, cites: ids(&s.cites) })
            }
            TreeStmt::Limit { times, per, key, when } => {
                let times = self.how_many(times);
                if matches!(times.kind, ExprKind::Const(0)) && when.is_none() {
                    self.say(Code::Dead, times.span, "the action is never allowed: its limit is 0");
                }
                let key = key.as_ref().map(|k| self.expr(k, None));
                let when = when.as_ref().map(|w| self.flag(w));
                let per = self.phase_named(per)?;
                Some(HeaderLine::Limit { times, per, key, when })
            }
            TreeStmt::Cost { amount, of } => self.header_cost(amount, of),
            _ => None,
        }
    }

    fn header_cost(&mut self, amount: &tree::Expr, of: &tree::Name) -> Option<HeaderLine> {
        let Some(id) = self.ambient(&of.text) else {
            self.expr(amount, None);
            let near = did_you_mean(&of.text, self.scope.ambients.iter().map(|(n, _)| n.as_str()));
            let message = format!("`{}` is not a shared variable of the phase{near}", of.text);
            let help = format!("share it in the phase: `phase P(..) shares {}: 0..9 = 3 {{ .. }}`", of.text);
            return self.wrong_help(Code::UnknownName, of.span, message, help);
        };
        self.ck.means(of.span, || Means::Ambient(id));
        let ty = self.ck.rs.ambients[id.at()].ty.clone();
        if !matches!(ty, Type::Int(_) | Type::Length | Type::Unknown) {
            let ty = self.type_name(&ty);
            self.say(
                Code::WrongType,
                of.span,
                format!("a cost must be a number or a length, and `{}` is {ty}", of.text),
            );
        }
        let amount = self.want(amount, &ty);
        self.gives_by_cost(&amount, &of.text);
        if let Type::Int(left) = ty
            && self.range_now(&amount).low > left.high
        {
            let message = format!("this can never be paid: `{}` is at most {}", of.text, left.high);
            let help = format!("write a cost of at most {}, or declare a wider range for `{}`", left.high, of.text);
            self.say_help(Code::Dead, amount.span, message, help);
        }
        let lasting = matches!(amount.kind, ExprKind::Const(_) | ExprKind::Setting(_) | ExprKind::Local(_));
        // a negative cost is an error when it is paid
        let kept = match ty {
            Type::Int(_) => Type::Int(Range::new(0, Range::ALL.high)),
            ty => ty,
        };
        let paid = (!lasting).then(|| self.fresh(&tree::Name { text: "its cost".to_string(), span: of.span }, kept));
        Some(HeaderLine::Cost { amount, of: id, name: of.text.clone(), paid })
    }

    fn header_choose(&mut self, s: &tree::Stmt, late: &mut Late) -> Option<HeaderLine> {
        let TreeStmt::Choose { name, amount, by, prefer, or_none, filter, .. } = &s.kind else { return None };
        let (source, ty) = match &s.kind {
            TreeStmt::Choose { from, .. } => self.collection(from, None),
            _ => return None,
        };
        let subset = amount.is_some();
        if subset || is_way(&source) {
            let chosen = self.choose_from(s, source, ty)?;
            late.first.get_or_insert(name.span);
            if subset {
                late.subsets.push((chosen.local, name.text.clone()));
            }
            return Some(HeaderLine::Late(chosen));
        }
        if let Some(first) = late.first {
            let message = format!("`{}` is a single choice after one that is made later", name.text);
            let finding = grognard_base::Diagnostic::new(Code::Late, name.span, message);
            self.report(finding.and(first, "this choice is made after the action is picked"));
        }
        if prefer.is_some() || by.is_some() || *or_none {
            let message = "a single choice in a header defines the menu: it cannot have `by`, `prefer` or `or none`";
            self.say(Code::HeaderOnly, name.span, message);
        }
        let local = self.bind(name, ty, false);
        if let Collection::List(list) = &source {
            self.follow(list, local);
        }
        let filter = filter.as_ref().map(|f| self.flag(f));
        Some(HeaderLine::Choose { local, from: source, filter })
    }

    /// Returns the actor: `by x`, or else the first parameter of the phase.
    fn action_actor(&mut self, id: ActionId, tree: &tree::Action) -> Option<Expr> {
        let actor = match &tree.by {
            Some(name) => {
                let actor = self.name(&name.text, name.span);
                match &actor.ty {
                    Type::Kind(_) => actor,
                    Type::Unknown => return None,
                    ty => return self.unlike("a thing as the actor", ty, name.span),
                }
            }
            None => {
                let phase = *self.ck.rs.actions[id.at()].phases.first()?;
                let first = self.ck.phase_outers(phase, None).into_iter().next()?;
                if self.ck.rs.phases[phase.at()].params == 0 {
                    return None;
                }
                let ambient = self.ambient(&first.name)?;
                expr(ExprKind::Ambient(ambient), first.ty, tree.name.span)
            }
        };
        matches!(actor.ty, Type::Kind(_)).then_some(actor)
    }
}

/// Returns whether a statement can be in a header.
fn is_header(s: &tree::Stmt) -> bool {
    matches!(
        &s.kind,
        TreeStmt::Needs { .. }
            | TreeStmt::Limit { .. }
            | TreeStmt::Cost { .. }
            | TreeStmt::Choose { .. }
            | TreeStmt::Let { value: LetSource::Value(_), .. }
    )
}

/// Returns whether the candidates are routes or spots, which are chosen after the action is picked.
fn is_way(from: &Collection) -> bool {
    matches!(from, Collection::List(Expr { kind: ExprKind::Op(Op::Routes | Op::SpotsNear, _), .. }))
}
