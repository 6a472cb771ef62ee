//! Reports lines that refer to other things than they seem to. Examples are a rule of one bearer that applies to all, a
//! query from a thing that finds the thing itself, and a line of sight that nothing blocks.

use super::Audit;
use crate::code::{Body, Collection, EachOrder, Expr, ExprKind, Quantifier, Stmt, StmtKind};
use crate::reads::walk::{Node, any_part, walk_body, walk_expr};
use crate::ruleset::{FieldSort, Rule, Trigger, ValueName};
use grognard_base::order;
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::Constraint;

/// The bearer of a trait in the functions of its rules.
const BEARER: LocalId = LocalId(0);

impl Audit<'_> {
    /// Checks all bodies, rules and traits of the checked file.
    pub fn whom(&mut self) {
        self.bearers();
        self.never_actors();
        self.nobody_decides();
        self.over_own_kind();
        self.open_sight();
        self.longest_moves();
        self.hidden_params();
    }

    /// Reports `let hit_on = 2` if a param has that name: the following lines read the variable.
    fn hidden_params(&mut self) {
        let mut found = Vec::new();
        for (id, function) in self.own_functions() {
            // a value provided by an event or a phase can be reached only through the bound name
            let of_rule = self.rs.rules.iter().any(|rule| rule.func == id || rule.guard == Some(id));
            for local in function.locals.iter().skip(if of_rule { function.params } else { 0 }) {
                let what = match self.rs.names.values.get(&local.name) {
                    Some(ValueName::Setting(_)) => "param",
                    Some(ValueName::Global(_)) => "state of the game",
                    _ => continue,
                };
                found.push((local.span, local.name.clone(), what));
            }
        }
        order::sort(&mut found);
        found.dedup();
        for (span, name, what) in found {
            let message = format!("`{name}` is a variable here and hides the {what} of that name");
            let help = format!("choose another name; to read the {what}, remove this line");
            self.say_help(Code::Whom, span, message, help);
        }
    }

    /// Reports a rule of a trait on an event with a thing of the bearer's kind, if no part of it checks that it is the
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
            let message = format!(
                "{} runs for every bearer of {}, no matter which thing the event happens to",
                rule.name,
                rs.traits[of.at()].name
            );
            let help = format!(
                "write `when .{name} == self`, with the bound name before the dot, if only the thing it happens to \
                 responds"
            );
            self.say_help(Code::Whom, self.span(rule.item), message, help);
        }
    }

    /// Returns the name of a thing of the bearer's kind in the trigger of a rule, or `None` if it has none.
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

    /// Reports a decision without `by` in a rule on a phase. Such a rule has no subject whose owner could decide.
    fn nobody_decides(&mut self) {
        let rs = self.rs;
        for rule in &rs.rules {
            let (Trigger::PhaseStart(phase) | Trigger::PhaseEnd(phase)) = rule.on else { continue };
            if rule.of_trait.is_some() || !self.is_own(rule.item) {
                continue;
            }
            let phase = &rs.phases[phase.at()];
            let params = rs.functions[phase.func.at()].locals.iter().take(phase.params);
            let Some(whose) = params.into_iter().find(|l| matches!(l.ty, Type::Kind(_))) else { continue };
            let mut found = Vec::new();
            walk_body(&rs.functions[rule.func.at()].body, &mut |node| {
                let Node::Stmt(s) = node else { return };
                let by = match &s.kind {
                    StmtKind::Choose(choose) => &choose.by,
                    StmtKind::ChooseOption { by, .. } | StmtKind::May { by, .. } => by,
                    StmtKind::Each { order: EachOrder::Chosen { by, .. }, .. } => by,
                    _ => return,
                };
                found.extend(by.is_none().then_some(s.span));
            });
            for span in found {
                let message = format!("no player is asked: a rule on {} has no subject that can decide", phase.name);
                let help = format!("write `by .{}` with the bound name before the dot", whose.name);
                self.say_help(Code::Whom, span, message, help);
            }
        }
    }

    /// Reports `forbid A` on a kind that is never the actor of A.
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
                    format!("{} is done by a {actor}, never by a {kind}, so this forbids nothing", action.name);
                let help = format!("name the {kind} as the actor in the header: `action {} .. by u`", action.name);
                self.say_help(Code::Dead, forbid.span, message, help);
            }
        }
    }

    /// Reports `nearest o in M to m` if m is in M: the nearest is m itself.
    fn over_own_kind(&mut self) {
        let mut found = Vec::new();
        let mut look = |from: &Collection, entry: LocalId, filter: Option<&Expr>, key: Option<&Expr>, span: Span| {
            let Some(kind) = self.kind_of_entries(from) else { return };
            let near = key.or_else(|| filter.and_then(|f| near_to(f, entry, kind)));
            let thing = near.filter(|x| !excludes(filter, entry, x) && self.is_among(x, from));
            found.extend(thing.map(|x| (x.clone(), span)));
        };
        for (_, function) in self.own_functions() {
            walk_body(&function.body, &mut |node| match node {
                Node::Expr(Expr { kind: ExprKind::Query { what, over, filter, body }, span, .. }) => {
                    let [(entry, from)] = over.as_slice() else { return };
                    let Some(kind) = self.kind_of_entries(from) else { return };
                    let key = match what {
                        Quantifier::Nearest | Quantifier::Farthest => body.as_deref().and_then(|b| thing_of(b, kind)),
                        Quantifier::Most | Quantifier::Least => {
                            body.as_deref().and_then(|b| measured_to(b, *entry, kind))
                        }
                        _ => None,
                    };
                    look(from, *entry, filter.as_deref(), key, *span);
                }
                Node::Expr(Expr { kind: ExprKind::Map { over, local, filter: Some(filter), .. }, span, .. }) => {
                    look(over, *local, Some(filter), None, *span);
                }
                Node::Stmt(Stmt { kind: StmtKind::Each { local, from, filter: Some(filter), .. }, span, .. }) => {
                    look(from, *local, Some(filter), None, *span);
                }
                _ => {}
            });
        }
        for (thing, span) in found {
            let name = self.sources.slice(thing.span).to_string();
            let message = format!("`{name}` is one of the candidates, and is nearest to itself");
            let help = format!("exclude it with `where x != {name}`; if it counts, write `where x == {name} or ..`");
            self.say_help(Code::Whom, span, message, help);
        }
    }

    /// Returns the kind of the entries, if the collection always contains the thing that is compared: all things of a
    /// kind, or the list to which the thing belongs.
    fn kind_of_entries(&self, from: &Collection) -> Option<KindId> {
        match from {
            Collection::Kind(kind) => Some(*kind),
            Collection::List(list) => self.listed_by(list).map(|(kind, _)| kind),
            _ => None,
        }
    }

    /// Returns the kind of the entries and `u` for `u.side.units`, where `units` is the back link of `side`.
    fn listed_by<'e>(&self, list: &'e Expr) -> Option<(KindId, &'e Expr)> {
        let ExprKind::Field { thing, field, .. } = &list.kind else { return None };
        let FieldSort::BackLink(back) = self.rs.fields[field.at()].sort else { return None };
        let ExprKind::Field { thing: member, field, .. } = &thing.kind else { return None };
        (*field == back).then(|| (self.rs.fields[back.at()].kind, &**member))
    }

    /// Returns whether a collection always contains a thing.
    fn is_among(&self, thing: &Expr, from: &Collection) -> bool {
        match from {
            Collection::Kind(_) => true,
            Collection::List(list) => self
                .listed_by(list)
                .is_some_and(|(_, member)| self.sources.slice(member.span) == self.sources.slice(thing.span)),
            _ => false,
        }
    }

    /// Reports `a sees b` if no kind can block sight.
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
            let help = "give each kind that blocks sight a Flag field `blocks`, as in `stat blocks : Flag = yes`";
            self.say_help(Code::Dead, span, "this is always true: no kind has a field `blocks`", help);
        }
    }

    /// Reports a move that must end near something and passes it, because the longest path is chosen.
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
            let message = "this takes the longest of all paths that end there, even if it passes the target";
            self.say_help(Code::Whom, span, message, "to stop at the target, add `toward x`, with x as the goal");
        }
    }
}

/// Returns the thing of a kind that a place is created from.
fn thing_of(place: &Expr, kind: KindId) -> Option<&Expr> {
    match &place.kind {
        ExprKind::Op(Op::PlaceOf, args) => args.first().filter(|a| a.ty == Type::Kind(kind)),
        _ => None,
    }
}

/// Returns the other of two places, one of which is the entry, if it is a thing of the kind.
fn other<'e>(a: &'e Expr, b: &'e Expr, entry: LocalId, kind: KindId) -> Option<&'e Expr> {
    let is_entry = |e: &Expr| matches!(&e.kind, ExprKind::Op(Op::PlaceOf, args) if args.first().is_some_and(|a| matches!(a.kind, ExprKind::Local(l) if l == entry)));
    let bare = |e: &Expr| matches!(e.kind, ExprKind::Local(l) if l == entry);
    let thing = |e: &'e Expr| thing_of(e, kind).or_else(|| (e.ty == Type::Kind(kind)).then_some(e));
    match (is_entry(a) || bare(a), is_entry(b) || bare(b)) {
        (true, false) => thing(b),
        (false, true) => thing(a),
        _ => None,
    }
}

/// Returns the thing to which a distance from the entry is measured.
fn measured_to(distance: &Expr, entry: LocalId, kind: KindId) -> Option<&Expr> {
    match &distance.kind {
        ExprKind::Op(Op::Dist, args) => match args.as_slice() {
            [a, b] => other(a, b, entry, kind),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the thing that the entry must be near to in a condition.
fn near_to(filter: &Expr, entry: LocalId, kind: KindId) -> Option<&Expr> {
    match &filter.kind {
        ExprKind::Op(how, args) => match (how, args.as_slice()) {
            (Op::Within, [a, _, b]) | (Op::Touches | Op::Sees, [a, b]) => other(a, b, entry, kind),
            (Op::Lt | Op::Le, [distance, _]) | (Op::Gt | Op::Ge, [_, distance]) => measured_to(distance, entry, kind),
            _ => None,
        },
        ExprKind::And(parts) => parts.iter().find_map(|part| near_to(part, entry, kind)),
        _ => None,
    }
}

/// Returns whether the condition compares the entry with a value or passes both to a function of the ruleset, which may
/// exclude the thing.
fn excludes(filter: Option<&Expr>, entry: LocalId, thing: &Expr) -> bool {
    let Some(filter) = filter else { return false };
    let is_entry = |e: &Expr| matches!(e.kind, ExprKind::Local(l) if l == entry);
    let mut found = matches!(thing.kind, ExprKind::Local(l) if l == entry);
    walk_expr(filter, &mut |node| {
        let Node::Expr(e) = node else { return };
        found |= match &e.kind {
            ExprKind::Op(Op::Ne | Op::Eq, args) => args.iter().any(|a| any_part(a, is_entry)),
            ExprKind::Op(Op::InList, args) => args.first().is_some_and(is_entry),
            // a rule of the ruleset about the two: `bars(m, o)`
            ExprKind::Call { args, .. } => {
                args.iter().any(is_entry) && args.iter().any(|a| !is_entry(a) && a.ty == thing.ty)
            }
            _ => false,
        };
    });
    found
}
