//! Typed code back into words, with the values that matter left open.

#![deny(clippy::wildcard_enum_match_arm)] // a new operator or form of value is thought of everywhere

use super::brackets::{Binding, binding, wanted};
use compact_str::format_compact;
use grognard_base::value::ops::OpSort;
use grognard_base::value::*;
use grognard_rules::code::{Collection, Expr, ExprKind, Local, Pat, Quantifier};
use grognard_rules::reads::Reads;
use grognard_rules::reads::walk::{Node, walk_expr};
use grognard_rules::ruleset::{FieldSort, Ruleset, Schema};

/// An expression in the words of the rules.
pub(super) fn words(rs: &Ruleset, locals: &[Local], e: &Expr) -> String {
    let say = |e: &Expr| words(rs, locals, e);
    let part = |e: &Expr, wanted: Binding| bracketed(rs, locals, e, wanted);
    let list = |args: &[Expr]| args.iter().map(say).collect::<Vec<_>>().join(", ");
    match &e.kind {
        ExprKind::Const(v) => constant(rs, &e.ty, *v).into(),
        ExprKind::ConstRatio(n, d) => format!("{n}/{d}"),
        ExprKind::None => "none".into(),
        ExprKind::Local(id) => local(locals, *id),
        ExprKind::Setting(_) | ExprKind::Global(_) | ExprKind::Tally(_) | ExprKind::Ambient(_) => {
            rs.called(e).unwrap_or_default().to_string()
        }
        ExprKind::ActionName => "the action".into(),
        ExprKind::Actor => "the actor".into(),
        ExprKind::Field { thing, field, keys } => {
            let name = &rs.fields[field.at()].name;
            let keys = if keys.is_empty() { String::new() } else { format!("({})", list(keys)) };
            match local_name(locals, thing).as_deref() {
                Some("self") => format!("{name}{keys}"),
                _ => format!("{}.{name}{keys}", part(thing, Binding::Whole)),
            }
        }
        ExprKind::Alive(thing) => format!("{}.alive", part(thing, Binding::Whole)),
        ExprKind::At(thing) => format!("{}.at", part(thing, Binding::Whole)),
        ExprKind::Facing(thing) => format!("{}.facing", part(thing, Binding::Whole)),
        ExprKind::Part { of, index } => format!("{}.{}", part(of, Binding::Whole), part_name(rs, &of.ty, *index)),
        ExprKind::Crossed { leg, kind } => format!("{}.crossed({})", say(leg), rs.kinds[kind.at()].name),
        ExprKind::Call { func: f, args } if args.is_empty() => rs.functions[f.at()].name.clone(),
        ExprKind::Call { func: f, args } => format!("{}({})", rs.functions[f.at()].name, list(args)),
        ExprKind::Op(op, args) if args.iter().any(names_action) => {
            let args: Vec<String> = args.iter().map(|e| action_words(rs, e)).collect();
            format!("{} {} {}", args[0], op.written(), args[1..].join(", "))
        }
        ExprKind::Op(op, args) => operation(*op, args, &part),
        ExprKind::Running(phase) => format!("running({})", rs.phases[phase.at()].name),
        ExprKind::Tree { op, args, .. } => format!("{}({})", op.written(), list(args)),
        ExprKind::And(parts) | ExprKind::Or(parts) => {
            let parts: Vec<_> = parts.iter().map(|e| part(e, Binding::Not)).collect();
            parts.join(if matches!(e.kind, ExprKind::And(_)) { " and " } else { " or " })
        }
        ExprKind::Otherwise(a, b) => format!("{} otherwise {}", part(a, Binding::Shifted), part(b, Binding::Shifted)),
        ExprKind::If { arms, otherwise } => {
            let value = |e: &Expr| part(e, Binding::Or);
            let arms: Vec<_> = arms.iter().map(|(c, v)| format!("if {} then {}", say(c), value(v))).collect();
            format!("{} else {}", arms.join(" else "), value(otherwise))
        }
        ExprKind::Match { subject, .. } => format!("match {}", say(subject)),
        ExprKind::Table { keys, .. } => format!("table({})", list(keys)),
        ExprKind::Is { value, pattern } => match **pattern {
            Pat::None => format!("{} is none", part(value, Binding::Shifted)),
            Pat::Some(_) => format!("{} is there", part(value, Binding::Shifted)),
            Pat::Any
            | Pat::Present(_)
            | Pat::Between { .. }
            | Pat::Equal(_)
            | Pat::OnChain(_)
            | Pat::Past { .. }
            | Pat::MetKind(..)
            | Pat::MetEdge
            | Pat::Tuple(_) => format!("{} fits", part(value, Binding::Shifted)),
        },
        ExprKind::Has { thing, what } => format!("{} has {}", part(thing, Binding::Whole), rs.traits[what.at()].name),
        ExprKind::Instances { thing, status } => {
            format!("{}.{}", part(thing, Binding::Whole), rs.traits[status.at()].name)
        }
        ExprKind::Then { body, .. } => say(body),
        ExprKind::Map { over, local: bound, filter, body, .. } => {
            let from = collection(rs, locals, over);
            match filter {
                Some(filter) => format!("all {} in {from} where {}", local(locals, *bound), say(filter)),
                // the entries themselves
                None if say(body).is_empty() => from,
                // a field of each entry: the entry itself has no name
                None if say(body).starts_with('.') => format!("{from}{}", say(body)),
                None => format!("{} of {from}", say(body)),
            }
        }
        ExprKind::Query { what, over, filter, body } => query(rs, locals, *what, over, filter, body),
        ExprKind::List(entries) => format!("[{}]", list(entries)),
        ExprKind::Make(parts) => format!("({})", list(parts)),
        ExprKind::Was(inner) => format!("was {}", part(inner, Binding::Whole)),
    }
}

/// The same in brackets, if it holds together less tightly than its place wants.
pub(super) fn bracketed(rs: &Ruleset, locals: &[Local], e: &Expr, wanted: Binding) -> String {
    let text = words(rs, locals, e);
    if binding(locals, e) < wanted { format!("({text})") } else { text }
}

/// The pool and the comparison of a query that reads as it is written: `any dice <= 3`.
pub(super) fn looks_at_pool<'e>(
    locals: &[Local],
    over: &'e [(LocalId, Collection)],
    filter: &'e Option<Box<Expr>>,
    body: &'e Option<Box<Expr>>,
) -> Option<(&'e Expr, Op, &'e Expr)> {
    let [(bound, Collection::List(pool))] = over else { return None };
    let Some(Expr { kind: ExprKind::Op(op, args), .. }) = filter.as_deref().or(body.as_deref()) else { return None };
    let [face, than] = args.as_slice() else { return None };
    let shown = matches!(face.kind, ExprKind::Local(id) if id == *bound) && local(locals, *bound).is_empty();
    shown.then_some((pool, *op, than))
}

/// `a.name`, or a comparison with it.
pub(super) fn names_action(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::ActionName)
}

/// Numbers of actions as their names.
#[expect(clippy::wildcard_enum_match_arm, reason = "an action is compared with names alone")]
fn action_words(rs: &Ruleset, e: &Expr) -> String {
    match &e.kind {
        ExprKind::Const(id) => rs.actions.get(*id as usize).map_or_else(|| id.to_string(), |a| a.name.clone()),
        ExprKind::List(entries) => {
            let names: Vec<String> = entries.iter().map(|e| action_words(rs, e)).collect();
            format!("[{}]", names.join(", "))
        }
        _ => "the action".into(),
    }
}

fn query(
    rs: &Ruleset,
    locals: &[Local],
    what: Quantifier,
    over: &[(LocalId, Collection)],
    filter: &Option<Box<Expr>>,
    body: &Option<Box<Expr>>,
) -> String {
    let word = what.word();
    if let Some((pool, op, than)) = looks_at_pool(locals, over, filter, body) {
        let (pool, than) = (bracketed(rs, locals, pool, Binding::Whole), bracketed(rs, locals, than, Binding::Shifted));
        return format!("{word} {pool} {} {than}", op.written());
    }
    let binds: Vec<_> =
        over.iter().map(|(l, c)| format!("{} in {}", local(locals, *l), collection(rs, locals, c))).collect();
    let mut text = format!("{word} {}", binds.join(" against "));
    if let Some(filter) = filter {
        text += &format!(" where {}", words(rs, locals, filter));
    }
    if let Some(body) = body {
        let wanted = if what == Quantifier::Every { Binding::Loose } else { Binding::Shifted };
        let join = match what {
            Quantifier::Every => ": ",
            Quantifier::Sum => " of ",
            Quantifier::Nearest | Quantifier::Farthest => " to ",
            Quantifier::Any
            | Quantifier::No
            | Quantifier::All
            | Quantifier::Count
            | Quantifier::Most
            | Quantifier::Least => " by ",
        };
        text += &format!("{join}{}", bracketed(rs, locals, body, wanted));
    }
    text
}

fn collection(rs: &Ruleset, locals: &[Local], c: &Collection) -> String {
    match c {
        Collection::List(e) | Collection::Group(e) => words(rs, locals, e),
        Collection::Range(a, b) => [a, b].map(|e| bracketed(rs, locals, e, Binding::Sum)).join(" .. "),
        Collection::Cases(ty, _) => rs.type_name(ty),
        Collection::Kind(kind) => rs.kinds[kind.at()].name.clone(),
    }
}

fn operation(op: Op, args: &[Expr], part: &impl Fn(&Expr, Binding) -> String) -> String {
    let [first, second] = wanted(op, args.len());
    match (op, args) {
        (Op::ToRatio | Op::ToDie | Op::PlaceOf, [a]) => part(a, Binding::Loose),
        (Op::Not, [a]) => format!("not {}", part(a, first)),
        (Op::Neg | Op::NegRatio, [a]) => format!("-{}", part(a, first)),
        (Op::RoundDown | Op::RoundUp | Op::RoundNear, [a]) => format!("{} {}", part(a, first), op.written()),
        (Op::Within, [a, d, b]) => format!("{} within {} of {}", part(a, first), part(d, first), part(b, first)),
        (Op::Point, [x, y]) => format!("[{}, {}]", part(x, Binding::Loose), part(y, Binding::Loose)),
        (_, [a, b]) if op.sort() == OpSort::Operator => {
            format!("{} {} {}", part(a, first), op.written(), part(b, second))
        }
        _ => {
            let args: Vec<_> = args.iter().map(|e| part(e, Binding::Loose)).collect();
            format!("{}({})", op.written(), args.join(", "))
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "no other type has parts with names")]
fn part_name(rs: &Ruleset, ty: &Type, index: usize) -> String {
    match ty.present() {
        Type::Record(id) => rs.records[id.at()].fields.get(index).map_or(String::new(), |(n, _)| n.clone()),
        Type::Leg => if index == 0 { "covered" } else { "met" }.to_string(),
        _ => index.to_string(),
    }
}

fn local(locals: &[Local], id: LocalId) -> String {
    locals.get(id.at()).map_or(String::new(), |l| l.name.clone())
}

fn local_name(locals: &[Local], e: &Expr) -> Option<String> {
    if let ExprKind::Local(id) = e.kind { Some(local(locals, id)) } else { None }
}

/// One cell of a type as a value.
#[expect(clippy::wildcard_enum_match_arm, reason = "a number says itself")]
pub fn constant(rs: &Schema, ty: &Type, v: i64) -> Value {
    if v == NONE {
        return Value::None;
    }
    let die = |name: Option<String>| name.map_or(Value::Int(v), |name| Value::Die(name.into()));
    match ty.present() {
        Type::Flag => Value::Flag(v != 0),
        Type::Length => Value::Length(v),
        Type::Angle => Value::Angle(v),
        Type::Enum(id) => {
            rs.enums[id.at()].cases.get(v as usize).map_or(Value::Int(v), |case| Value::Word(case.into()))
        }
        Type::Chain(id) => die(rs.chains[id.at()].dice.get(v as usize).map(|d| format!("d{d}"))),
        Type::Shifted(id) => die(shifted(&rs.chains[id.at()].dice, v)),
        Type::Die if v < 0 => die(rs.dice.get((-1 - v) as usize).map(|d| d.name.clone())),
        Type::Die => Value::Die(format_compact!("d{v}")),
        _ => Value::Int(v),
    }
}

fn shifted(dice: &[u32], v: i64) -> Option<String> {
    let n = dice.len() as i64;
    match (dice.first(), dice.last()) {
        (Some(first), _) if v < 0 => Some(format!("{} below d{first}", -v)),
        (_, Some(last)) if v >= n => Some(format!("{} past d{last}", v - n + 1)),
        _ => dice.get(v as usize).map(|d| format!("d{d}")),
    }
}

/// Params and readings that a value reads, through calls and derived fields too.
pub(super) fn settings(rs: &Ruleset, reads: &[Reads], e: &Expr) -> IdSet<SettingId> {
    let mut found = Found { rs, reads, settings: IdSet::default() };
    walk_expr(e, &mut |node| {
        if let Node::Expr(e) = node {
            found.expr(e);
        }
    });
    found.settings
}

struct Found<'a> {
    rs: &'a Ruleset,
    reads: &'a [Reads],
    settings: IdSet<SettingId>,
}

impl Found<'_> {
    fn function(&mut self, func: FuncId) {
        if let Some(reads) = self.reads.get(func.at()) {
            self.settings.extend(&reads.settings);
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other value reads a setting or calls what does")]
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Setting(id) => {
                self.settings.insert(*id);
            }
            ExprKind::Call { func, .. } => self.function(*func),
            ExprKind::Field { field, .. } => {
                if let FieldSort::Let(func) = self.rs.fields[field.at()].sort {
                    self.function(func);
                }
                let rs = self.rs;
                for change in rs.traits.iter().flat_map(|t| &t.changes).filter(|c| c.field == *field) {
                    self.function(change.value);
                }
            }
            ExprKind::Has { what, .. } => {
                if let Some(when) = self.rs.traits[what.at()].when {
                    self.function(when);
                }
            }
            _ => {}
        }
    }
}
