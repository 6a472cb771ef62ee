//! Desugars `all at once { .. }`. Every line reads the state of the table at the beginning of the block, and the changes
//! are applied together at its end.
//!
//! Each `set`, `grant` and `destroy` appends an entry to a hidden list. The lists are processed after the block: first
//! the values and statuses, in the order of the lines, then the destroyed things. Rolls, tests and decisions do not
//! change the table and are unaffected.

use super::super::code::{Body, Collection, EachOrder, Expr, ExprKind, SetOp, Stmt, StmtKind, Target, Until};
use super::body::{BodyChecker, expr, local};
use super::matches::ids;
use crate::reads::walk::{Node, any_part, walk_expr, walk_stmts};
use crate::ruleset::FieldSort;
use grognard_audit::is_same;
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, OrdMap, Span};
use grognard_syntax::tree::{self, LetSource, StmtKind as TreeStmt};

/// Maximum depth of derived values and functions that are followed.
const DEEPEST: usize = 8;

/// Changes that are deferred to the end of the block.
#[derive(Default)]
pub struct Later {
    lists: Vec<Stmt>,
    changes: Vec<Stmt>,
    falls: Vec<Stmt>,
    /// The deferred change of each list.
    waits: OrdMap<LocalId, Change>,
}

/// The part of a thing that a line changes.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    Field(FieldId),
    Status(TraitId),
    Life,
}

impl BodyChecker<'_, '_> {
    /// Returns the statements of `all at once { .. }`, or `None` for another statement.
    pub fn all_at_once(&mut self, s: &tree::Stmt) -> Option<Vec<Stmt>> {
        let TreeStmt::AtOnce(block) = &s.kind else { return None };
        if self.later.is_some() {
            self.say(Code::Scope, s.span, "`all at once` is already inside such a block");
            return Some(Vec::new());
        }
        let outer = self.cites.clone();
        if !s.cites.is_empty() {
            self.cites = ids(&s.cites);
        }
        let around = std::mem::take(&mut self.loops);
        self.later = Some(Later::default());
        let body = self.block(block);
        let later = self.later.take().unwrap_or_default();
        self.asks_too_early(&body, &later.waits, &mut Vec::new());
        self.falls_too_early(&body, &later.waits, &mut Vec::new(), &mut Vec::new());
        self.loops = around;
        self.cites = outer;
        self.forget_facts(false);
        Some([later.lists, body, later.changes, later.falls].concat())
    }

    /// Checks a statement of such a block. A change becomes an entry of a list.
    pub fn deferred(&mut self, s: &tree::Stmt) -> Option<StmtKind> {
        let word = match &s.kind {
            TreeStmt::Do(_) | TreeStmt::Let { value: LetSource::Do(_), .. } => "do",
            TreeStmt::Move { .. } | TreeStmt::Let { value: LetSource::Move(_), .. } => "move",
            TreeStmt::Revoke { .. } => "revoke",
            TreeStmt::ChooseAction { .. } => "choose action",
            TreeStmt::Place { .. } => "place",
            TreeStmt::Turn { .. } => "turn",
            TreeStmt::Spawn { .. } => "spawn",
            TreeStmt::Merge { .. } => "merge",
            TreeStmt::Run(_) => "run",
            TreeStmt::Emit(_) => "emit",
            TreeStmt::Return(_) => "return",
            TreeStmt::End(_) => "end",
            TreeStmt::CancelAction { .. } => "cancel",
            TreeStmt::PassWhen(_) => "pass when",
            TreeStmt::Grade(_) => "grade",
            _ => return self.stmt_kind(s).and_then(|kind| self.put_off(kind, s)),
        };
        let help = "keep rolls, tests, decisions, `set`, `grant` and `destroy` in the block; move the rest after it";
        self.wrong_help(Code::Scope, s.span, format!("`{word}` cannot wait for the end of `all at once`"), help)
    }

    fn put_off(&mut self, kind: StmtKind, s: &tree::Stmt) -> Option<StmtKind> {
        match kind {
            StmtKind::Set { target: Target::Local(_), .. } => Some(kind),
            StmtKind::Set { target, op, value, one, until } => {
                self.no_key(until.as_ref(), s.span)?;
                let (things, field) = match &target {
                    Target::Field { thing, field } => (vec![thing.clone()], Some(*field)),
                    _ => (Vec::new(), None),
                };
                self.later(things, value, s, field.map(Change::Field), |thing, value| {
                    let target = match (field, thing) {
                        (Some(field), Some(thing)) => Target::Field { thing, field },
                        _ => target,
                    };
                    StmtKind::Set { target, op, value, one, until }
                })
            }
            StmtKind::Grant { status, data, to, until } => {
                self.no_key(until.as_ref(), s.span)?;
                let all = Type::Tuple(data.iter().map(|e| e.ty.clone()).collect());
                let count = data.len();
                let value = if count == 0 { nothing(s.span) } else { expr(ExprKind::Make(data), all, s.span) };
                self.later(vec![to], value, s, Some(Change::Status(status)), |to, value| StmtKind::Grant {
                    status,
                    data: (0..count).map(|index| part(&value, index)).collect(),
                    to: to.unwrap_or_else(|| value.clone()),
                    until,
                })
            }
            StmtKind::Destroy { thing, reason } => {
                if matches!(thing.ty, Type::Optional(_)) {
                    let help = "check first that it exists: `if x is some y { destroy y }`";
                    return self.wrong_help(Code::Missing, s.span, "the thing to destroy can be missing", help);
                }
                self.later(vec![thing], nothing(s.span), s, Some(Change::Life), |thing, value| StmtKind::Destroy {
                    thing: thing.unwrap_or(value),
                    reason,
                })
            }
            other => Some(other),
        }
    }

    /// Reports a condition that reads a deferred change of an earlier line of the block.
    fn asks_too_early<'c>(
        &mut self,
        stmts: &'c [Stmt],
        waits: &OrdMap<LocalId, Change>,
        made: &mut Vec<(&'c Expr, Change)>,
    ) {
        let before = made.len();
        for s in stmts {
            let bodies: Vec<&[Stmt]> = match &s.kind {
                StmtKind::If { arms, otherwise } => {
                    arms.iter().for_each(|(condition, _)| self.asked_early(condition, made));
                    arms.iter().map(|(_, body)| body.as_slice()).chain([otherwise.as_slice()]).collect()
                }
                StmtKind::Match { subject, rows } => {
                    rows.iter().filter_map(|r| r.when.as_ref()).for_each(|when| self.asked_early(when, made));
                    if made.iter().any(|(thing, change)| self.looks_at(subject, thing, *change, DEEPEST)) {
                        self.say_early(subject.span);
                    }
                    rows.iter().map(|r| r.body.as_slice()).collect()
                }
                StmtKind::ChooseOption { options, .. } => options.iter().map(|o| o.body.as_slice()).collect(),
                StmtKind::Each { body, .. } | StmtKind::Repeat { body, .. } | StmtKind::May { body, .. } => vec![body],
                StmtKind::Let { value, .. } => {
                    self.asked_early(value, made);
                    Vec::new()
                }
                StmtKind::Set { target: Target::Local(list), value, .. } => {
                    self.asked_early(value, made);
                    if let (Some(change), ExprKind::Make(kept)) = (waits.get(list), &value.kind) {
                        made.extend(kept.first().map(|thing| (thing, *change)));
                    }
                    Vec::new()
                }
                _ => Vec::new(),
            };
            bodies.into_iter().for_each(|body| self.asks_too_early(body, waits, made));
        }
        made.truncate(before);
    }

    /// Reports the first part of a value that reads one of these changes.
    fn asked_early(&mut self, e: &Expr, made: &[(&Expr, Change)]) {
        let early = |asked: &Expr| made.iter().any(|(thing, change)| self.looks_at(asked, thing, *change, DEEPEST));
        let mut found = None;
        walk_expr(e, &mut |node| {
            let Node::Expr(part) = node else { return };
            let asks = match &part.kind {
                ExprKind::Op(Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::InList, _) => true,
                ExprKind::Is { .. } | ExprKind::Match { .. } => true,
                _ => part.ty == Type::Flag && !matches!(part.kind, ExprKind::And(_) | ExprKind::Or(_)),
            };
            if found.is_none() && asks && early(part) {
                found = Some(part.span);
            }
        });
        if let Some(span) = found {
            self.say_early(span);
        }
    }

    /// Reports a `destroy` in a loop with a condition that reads a field which a line above the loop changes.
    ///
    /// An example is `each y in units where y.hp == 0 { destroy y }` below a loop that lowers `hp`.
    fn falls_too_early(
        &mut self,
        stmts: &[Stmt],
        waits: &OrdMap<LocalId, Change>,
        made: &mut Vec<Change>,
        loops: &mut Vec<(LocalId, usize)>,
    ) {
        for s in stmts {
            match &s.kind {
                StmtKind::If { arms, otherwise } => {
                    for (condition, body) in arms {
                        self.judged_early(condition, body, waits, made, loops);
                        self.falls_too_early(body, waits, made, loops);
                    }
                    self.falls_too_early(otherwise, waits, made, loops);
                }
                StmtKind::Each { local, filter, body, .. } => {
                    loops.push((*local, made.len()));
                    filter.iter().for_each(|filter| self.judged_early(filter, body, waits, made, loops));
                    self.falls_too_early(body, waits, made, loops);
                    loops.pop();
                }
                StmtKind::Match { rows, .. } => {
                    rows.iter().for_each(|r| self.falls_too_early(&r.body, waits, made, loops));
                }
                StmtKind::Repeat { body, .. } | StmtKind::May { body, .. } => {
                    self.falls_too_early(body, waits, made, loops);
                }
                StmtKind::ChooseOption { options, .. } => {
                    options.iter().for_each(|o| self.falls_too_early(&o.body, waits, made, loops));
                }
                StmtKind::Set { target: Target::Local(list), .. } => made.extend(waits.get(list)),
                _ => {}
            }
        }
    }

    /// Reports a condition that reads one of these changes of a thing that the body destroys.
    fn judged_early(
        &mut self,
        condition: &Expr,
        body: &[Stmt],
        waits: &OrdMap<LocalId, Change>,
        made: &[Change],
        loops: &[(LocalId, usize)],
    ) {
        let mut fallen = Vec::new();
        walk_stmts(body, &mut |node| {
            let Node::Stmt(Stmt { kind: StmtKind::Set { target: Target::Local(list), value, .. }, .. }) = node else {
                return;
            };
            if let (Some(Change::Life), ExprKind::Make(kept)) = (waits.get(list), &value.kind) {
                fallen.extend(kept.first());
            }
        });
        let early = |thing: &&Expr| {
            let ExprKind::Local(own) = thing.kind else { return false };
            let above = loops.iter().find(|(local, _)| *local == own).map_or(0, |(_, above)| *above);
            made[..above].iter().any(|c| *c != Change::Life && self.looks_at(condition, thing, *c, DEEPEST))
        };
        let said = |p: &Diagnostic| {
            let inside = |span: Span| condition.span.start <= span.start && span.end <= condition.span.end;
            p.code == Code::Whom && p.span.is_some_and(inside)
        };
        if fallen.iter().any(early) && !self.ck.problems.iter().any(said) {
            self.say_early(condition.span);
        }
    }

    fn say_early(&mut self, span: Span) {
        let message = "this reads the table before the block: the change above takes effect at the end of `all at \
                       once`";
        let help = "to read the new value, move this after the block; to read the old one, move it above the change";
        self.say_help(Code::Whom, span, message, help);
    }

    /// Returns whether a value depends on this part of the thing, directly or through derived values and functions.
    fn looks_at(&self, e: &Expr, thing: &Expr, change: Change, deep: usize) -> bool {
        let inside = |func: FuncId, arg: usize, ty: &Type| {
            let Body::Value(value) = &self.ck.rs.functions[func.at()].body else { return false };
            let own = local(LocalId::from(arg), ty.clone(), value.span);
            deep > 0 && self.looks_at(value, &own, change, deep - 1)
        };
        any_part(e, |part| match &part.kind {
            ExprKind::Field { thing: of, field, .. } if is_same(of, thing) => {
                change == Change::Field(*field)
                    || matches!(self.ck.rs.fields[field.at()].sort, FieldSort::Let(func) if inside(func, 0, &of.ty))
            }
            ExprKind::Has { thing: of, what } => change == Change::Status(*what) && is_same(of, thing),
            ExprKind::Alive(of) => change == Change::Life && is_same(of, thing),
            ExprKind::Call { func, args } => {
                args.iter().enumerate().any(|(n, arg)| is_same(arg, thing) && inside(*func, n, &arg.ty))
            }
            _ => false,
        })
    }

    /// Reports an `until` with a key, because the key would be evaluated only at the end of the block.
    fn no_key(&mut self, until: Option<&Until>, span: Span) -> Option<()> {
        if until.is_some_and(|until| until.key.is_some()) {
            let help = "remove `for`, or set the value after the block";
            return self.wrong_help(Code::Scope, span, "`for` cannot wait for the end of `all at once`", help);
        }
        Some(())
    }

    /// Defers a change. `land` creates the statement from the stored thing and value.
    fn later(
        &mut self,
        things: Vec<Expr>,
        value: Expr,
        s: &tree::Stmt,
        what: Option<Change>,
        land: impl FnOnce(Option<Expr>, Expr) -> StmtKind,
    ) -> Option<StmtKind> {
        let span = s.span;
        if matches!(value.ty, Type::List(_)) {
            let help = "add single entries, or set the list after the block";
            return self.wrong_help(Code::Scope, span, "a list cannot wait for the end of `all at once`", help);
        }
        let stmt = |kind| Stmt { kind, span, cites: ids(&s.cites) };
        let falls = what == Some(Change::Life);
        let has_thing = !things.is_empty();
        let kept: Vec<Expr> = things.into_iter().chain([value]).collect();
        let ty = Type::Tuple(kept.iter().map(|e| e.ty.clone()).collect());
        let list = self.hidden(ty.clone().list(), span);
        let entry = self.hidden(ty.clone(), span);
        let empty = expr(ExprKind::List(Vec::new()), ty.clone().list(), span);
        let kept_one = local(entry, ty.clone(), span);
        let thing = has_thing.then(|| part(&kept_one, 0));
        let mut change = vec![stmt(land(thing.clone(), part(&kept_one, kept.len() - 1)))];
        if let (true, Some(thing)) = (falls, thing) {
            // an earlier entry may have destroyed the same thing
            let alive = expr(ExprKind::Alive(Box::new(thing)), Type::Flag, span);
            change = vec![stmt(StmtKind::If { arms: vec![(alive, change)], otherwise: Vec::new() })];
        }
        let from = Collection::List(local(list, ty.clone().list(), span));
        let order = EachOrder::AsListed;
        let landing = StmtKind::Each { local: entry, from, filter: None, order, earlier: None, body: change };
        let landing = stmt(landing);
        let later = self.later.as_mut()?;
        later.waits.extend(what.map(|what| (list, what)));
        later.lists.push(Stmt { kind: StmtKind::Let { local: list, value: empty }, span, cites: Vec::new() });
        if falls {
            later.falls.push(landing)
        } else {
            later.changes.push(landing)
        }
        let value = expr(ExprKind::Make(kept), ty, span);
        Some(StmtKind::Set { target: Target::Local(list), op: SetOp::Add, value, one: true, until: None })
    }
}

fn part(of: &Expr, index: usize) -> Expr {
    let ty = match &of.ty {
        Type::Tuple(types) => types.get(index).cloned().unwrap_or(Type::Unknown),
        _ => Type::Unknown,
    };
    let span = of.span;
    expr(ExprKind::Part { of: Box::new(of.clone()), index }, ty, span)
}

/// Returns a placeholder for changes that have no value.
fn nothing(span: Span) -> Expr {
    expr(ExprKind::Const(0), Type::INT, span)
}
