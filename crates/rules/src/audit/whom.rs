//! Lines that speak of other things than they seem to: a rule of one bearer that answers for all, a query from a thing that
//! finds the thing itself, a sight that nothing blocks.

use super::Audit;
use crate::code::{Body, Collection, Expr, ExprKind, Quantifier, Stmt, StmtKind};
use crate::reads::walk::{Node, any_part, walk_body, walk_expr};
use crate::ruleset::{Rule, Trigger};
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::Constraint;

/// The bearer of a trait in the functions of its rules.
const BEARER: LocalId = LocalId(0);

impl Audit<'_> {
    /// Checks all bodies, rules and traits of the file itself.
    pub fn whom(&mut self) {
        self.bearers();
        self.never_actors();
        self.over_own_kind();
        self.open_sight();
        self.longest_moves();
    }

    /// A rule of a trait on something that happens to a thing of the bearer's kind, and nothing in it asks whether it is the
    /// bearer.
    fn bearers(&mut self) {
        let rs = self.rs;
        for rule in &rs.rules {
            let Some(of) = rule.of_trait.filter(|_| self.is_own(rule.item)) else { continue };
            let on = rs.traits[of.at()].on;
            let Some(name) = self.could_be_bearer(rule, on) else { continue };
            if self.asks_for_bearer(rule) {
                continue;
            }
            let message =
                format!("{} runs for every bearer of {}, whoever it happens to", rule.name, rs.traits[of.at()].name);
            let help = format!(
                "if only the one it happens to answers, write `when .{name} == self` with the bound name before the dot"
            );
            self.say_help(Code::Whom, self.span(rule.item), message, help);
        }
    }

    /// What the rule waits for names a thing of the bearer's kind: what it is called.
    fn could_be_bearer(&self, rule: &Rule, on: KindId) -> Option<String> {
        let rs = self.rs;
        let of_kind = |(name, ty): &(String, Type)| (*ty == Type::Kind(on)).then(|| name.clone());
        let locals = |func: FuncId| rs.functions[func.at()].locals.iter().map(|l| (l.name.clone(), l.ty.clone()));
        match rule.on {
            Trigger::Event(event) => rs.records[rs.events[event.at()].data.at()].fields.iter().find_map(of_kind),
            Trigger::PhaseStart(phase) | Trigger::PhaseEnd(phase) => {
                let phase = &rs.phases[phase.at()];
                locals(phase.func).take(phase.params).find_map(|l| of_kind(&l))
            }
            Trigger::ActionStart(action) | Trigger::ActionEnd(action) => {
                locals(rs.actions[action.at()].func).find_map(|l| of_kind(&l))
            }
            Trigger::AnyActionStart | Trigger::AnyActionEnd => None,
            Trigger::PhaseActionStart(_) | Trigger::PhaseActionEnd(_) => None,
        }
    }

    fn asks_for_bearer(&self, rule: &Rule) -> bool {
        let rs = self.rs;
        let is_bearer = |e: &Expr| matches!(e.kind, ExprKind::Local(BEARER));
        if let Some(guard) = rule.guard
            && let Body::Value(e) = &rs.functions[guard.at()].body
            && any_part(e, is_bearer)
        {
            return true;
        }
        let mut asked = false;
        walk_body(&rs.functions[rule.func.at()].body, &mut |node| {
            let compared = |e: &Expr| matches!(&e.kind, ExprKind::Op(Op::Eq | Op::Ne | Op::InList, args) if args.iter().any(is_bearer));
            asked |= matches!(node, Node::Expr(e) if compared(e));
        });
        asked
    }

    /// `forbid A` on a kind that never is the actor of A.
    fn never_actors(&mut self) {
        let rs = self.rs;
        for data in &rs.traits {
            for forbid in data.forbids.iter().filter(|_| rs.items[data.item.at()].from + 1 == rs.chain.len()) {
                let action = &rs.actions[forbid.action.at()];
                let Some(actor) = action.actor.as_ref().map(|a| a.ty.present().clone()) else { continue };
                if actor == Type::Kind(data.on) {
                    continue;
                }
                let (kind, actor) = (&rs.kinds[data.on.at()].name, rs.type_name(&actor));
                let message =
                    format!("{} is done by a {actor}, never by a {kind}, so that this forbids nothing", action.name);
                let help = format!("name the {kind} as the actor in the head: `action {} .. by u`", action.name);
                self.say_help(Code::Dead, forbid.span, message, help);
            }
        }
    }

    /// `nearest o in M to m`, where m is one of M: the nearest is m itself.
    fn over_own_kind(&mut self) {
        let mut found = Vec::new();
        for (_, function) in self.own_functions() {
            walk_body(&function.body, &mut |node| match node {
                Node::Expr(Expr { kind: ExprKind::Query { what, over, filter, body }, span, .. }) => {
                    let [(entry, Collection::Kind(kind))] = over.as_slice() else { return };
                    let ranked = matches!(what, Quantifier::Nearest | Quantifier::Farthest);
                    let from = body.as_deref().filter(|_| ranked).and_then(|b| thing_of(b, *kind));
                    let near = filter.as_deref().and_then(|f| within_of(f, *entry, *kind));
                    found.extend(
                        from.or(near).filter(|x| !excludes(filter.as_deref(), *entry, x)).map(|x| (x.clone(), *span)),
                    );
                }
                Node::Expr(Expr { kind: ExprKind::Map { over, local, filter: Some(filter), .. }, span, .. }) => {
                    let Collection::Kind(kind) = **over else { return };
                    let near = within_of(filter, *local, kind).filter(|x| !excludes(Some(filter), *local, x));
                    found.extend(near.map(|x| (x.clone(), *span)));
                }
                Node::Stmt(Stmt { kind: StmtKind::Each { local, from, filter: Some(filter), .. }, span, .. }) => {
                    let Collection::Kind(kind) = *from else { return };
                    let near = within_of(filter, *local, kind).filter(|x| !excludes(Some(filter), *local, x));
                    found.extend(near.map(|x| (x.clone(), *span)));
                }
                _ => {}
            });
        }
        for (thing, span) in found {
            let name = self.sources.slice(thing.span).to_string();
            let message = format!("`{name}` is one of those that are looked at, and nearest to itself");
            let help =
                format!("leave it out with `where x != {name}`; if it counts, say so with `where x == {name} or ..`");
            self.say_help(Code::Whom, span, message, help);
        }
    }

    /// `a sees b` where no kind can block sight.
    fn open_sight(&mut self) {
        if self.rs.kinds.iter().any(|k| k.blocks.is_some()) || !self.rs.open.is_empty() {
            return;
        }
        let mut found: Vec<Span> = Vec::new();
        for (_, function) in self.own_functions() {
            walk_body(&function.body, &mut |node| {
                if let Node::Expr(Expr { kind: ExprKind::Op(Op::Sees, _), span, .. }) = node {
                    found.push(*span);
                }
            });
        }
        for span in found {
            let help = "give the kind of what blocks sight a Flag field `blocks`, as in `stat blocks : Flag = yes`";
            self.say_help(Code::Dead, span, "this always holds: no kind has a field `blocks`", help);
        }
    }

    /// A move that has to end near something and goes past it, as the longest way is taken.
    fn longest_moves(&mut self) {
        let mut found = Vec::new();
        for (_, function) in self.own_functions() {
            walk_body(&function.body, &mut |node| {
                let Node::Stmt(Stmt { kind: StmtKind::Move { motion, .. }, .. }) = node else { return };
                let ends = motion.lines.iter().find(|l| l.asks == Constraint::EndsWithin);
                let aimed = motion.lines.iter().any(|l| {
                    matches!(
                        l.asks,
                        Constraint::Exactly
                            | Constraint::Toward
                            | Constraint::AwayFrom
                            | Constraint::NoNearerTo
                            | Constraint::Along
                            | Constraint::Heading
                            | Constraint::StopsOnContact
                            | Constraint::StopsWhere
                    )
                });
                let one = |part: &&Expr| matches!(&part.kind, ExprKind::Op(Op::PlaceOf, args) if args.iter().any(|a| matches!(a.ty, Type::Kind(_))));
                found.extend(ends.filter(|_| !aimed).and_then(|l| l.parts.last()).filter(one).map(|part| part.span));
            });
        }
        for span in found {
            let message = "of all ways that end there the longest is taken, also past it";
            self.say_help(Code::Whom, span, message, "to go up to it add `toward x`, with x as the goal");
        }
    }
}

/// The thing of a kind that a place is made of.
fn thing_of(place: &Expr, kind: KindId) -> Option<&Expr> {
    match &place.kind {
        ExprKind::Op(Op::PlaceOf, args) => args.first().filter(|a| a.ty == Type::Kind(kind)),
        _ => None,
    }
}

/// The thing that a condition asks the entry to be near to.
fn within_of(filter: &Expr, entry: LocalId, kind: KindId) -> Option<&Expr> {
    let is_entry = |e: &Expr| matches!(&e.kind, ExprKind::Op(Op::PlaceOf, args) if args.first().is_some_and(|a| matches!(a.kind, ExprKind::Local(l) if l == entry)));
    match &filter.kind {
        ExprKind::Op(Op::Within, args) => match args.as_slice() {
            [a, _, b] if is_entry(a) => thing_of(b, kind),
            [a, _, b] if is_entry(b) => thing_of(a, kind),
            _ => None,
        },
        ExprKind::And(parts) => parts.iter().find_map(|part| within_of(part, entry, kind)),
        _ => None,
    }
}

/// Returns whether the entry is compared with something in the condition, or cannot be the thing for another reason that is written.
fn excludes(filter: Option<&Expr>, entry: LocalId, thing: &Expr) -> bool {
    let Some(filter) = filter else { return false };
    let is_entry = |e: &Expr| matches!(e.kind, ExprKind::Local(l) if l == entry);
    let mut found = matches!(thing.kind, ExprKind::Local(l) if l == entry);
    walk_expr(filter, &mut |node| {
        let Node::Expr(e) = node else { return };
        found |= match &e.kind {
            ExprKind::Op(Op::Ne | Op::Eq, args) => args.iter().any(|a| any_part(a, is_entry)),
            ExprKind::Op(Op::InList, args) => args.first().is_some_and(is_entry),
            _ => false,
        };
    });
    found
}
