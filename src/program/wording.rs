//! Typed code back into words, with the values that matter left open.

#![deny(clippy::wildcard_enum_match_arm)] // a new operator or form of value is thought of everywhere

use crate::rules::code::{Collection, Expr, ExprKind, Local, Pat, Quantifier};
use crate::rules::reads::Reads;
use crate::rules::reads::walk::{Node, walk_expr};
use crate::rules::ruleset::{FieldSort, Ruleset, Schema};
use crate::value::ops::OpSort;
use crate::value::*;
use compact_str::format_compact;

/// An expression in the words of the rules.
pub(super) fn words(rs: &Ruleset, locals: &[Local], e: &Expr) -> String {
    let say = |e: &Expr| words(rs, locals, e);
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
                _ => format!("{}.{name}{keys}", say(thing)),
            }
        }
        ExprKind::Alive(thing) => format!("{}.alive", say(thing)),
        ExprKind::At(thing) => format!("{}.at", say(thing)),
        ExprKind::Facing(thing) => format!("{}.facing", say(thing)),
        ExprKind::Part { of, index } => format!("{}.{}", say(of), part_name(rs, &of.ty, *index)),
        ExprKind::Crossed { leg, kind } => format!("{}.crossed({})", say(leg), rs.kinds[kind.at()].name),
        ExprKind::Call { func: f, args } if args.is_empty() => rs.functions[f.at()].name.clone(),
        ExprKind::Call { func: f, args } => format!("{}({})", rs.functions[f.at()].name, list(args)),
        ExprKind::Op(op, args) if args.iter().any(names_action) => {
            let args: Vec<String> = args.iter().map(|e| action_words(rs, e)).collect();
            format!("{} {} {}", args[0], op.written(), args[1..].join(", "))
        }
        ExprKind::Op(op, args) => operation(*op, args, &say),
        ExprKind::Running(phase) => format!("running({})", rs.phases[phase.at()].name),
        ExprKind::Tree { op, args, .. } => format!("{}({})", op.written(), list(args)),
        ExprKind::And(parts) => parts.iter().map(say).collect::<Vec<_>>().join(" and "),
        ExprKind::Or(parts) => parts.iter().map(say).collect::<Vec<_>>().join(" or "),
        ExprKind::Otherwise(a, b) => format!("{} otherwise {}", say(a), say(b)),
        ExprKind::If { arms, otherwise } => {
            let arms: Vec<_> = arms.iter().map(|(c, v)| format!("if {} then {}", say(c), say(v))).collect();
            format!("{} else {}", arms.join(" else "), say(otherwise))
        }
        ExprKind::Match { subject, .. } => format!("match {}", say(subject)),
        ExprKind::Table { keys, .. } => format!("table({})", list(keys)),
        ExprKind::Is { value, pattern } => match **pattern {
            Pat::None => format!("{} is none", say(value)),
            Pat::Some(_) => format!("{} is there", say(value)),
            Pat::Any
            | Pat::Present(_)
            | Pat::Between { .. }
            | Pat::Equal(_)
            | Pat::OnChain(_)
            | Pat::Past { .. }
            | Pat::MetKind(..)
            | Pat::MetEdge
            | Pat::Tuple(_) => format!("{} fits", say(value)),
        },
        ExprKind::Has { thing, what } => format!("{} has {}", say(thing), rs.traits[what.at()].name),
        ExprKind::Instances { thing, status } => format!("{}.{}", say(thing), rs.traits[status.at()].name),
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
        ExprKind::Query { what, over, filter, body } => {
            query(rs, locals, *what, over, filter.as_deref(), body.as_deref())
        }
        ExprKind::List(entries) => format!("[{}]", list(entries)),
        ExprKind::Make(parts) => format!("({})", list(parts)),
        ExprKind::Was(inner) => format!("was {}", say(inner)),
    }
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
    filter: Option<&Expr>,
    body: Option<&Expr>,
) -> String {
    let word = what.word();
    // a look at a pool reads as it is written: `any dice <= 3`
    if let ([(bound, Collection::List(pool))], Some(Expr { kind: ExprKind::Op(op, args), .. })) =
        (over, filter.or(body))
        && args.len() == 2
        && matches!(args[0].kind, ExprKind::Local(id) if id == *bound)
        && local(locals, *bound).is_empty()
    {
        return format!("{word} {} {} {}", words(rs, locals, pool), op.written(), words(rs, locals, &args[1]));
    }
    let binds: Vec<_> =
        over.iter().map(|(l, c)| format!("{} in {}", local(locals, *l), collection(rs, locals, c))).collect();
    let mut text = format!("{word} {}", binds.join(" against "));
    if let Some(filter) = filter {
        text += &format!(" where {}", words(rs, locals, filter));
    }
    if let Some(body) = body {
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
        text += &format!("{join}{}", words(rs, locals, body));
    }
    text
}

fn collection(rs: &Ruleset, locals: &[Local], c: &Collection) -> String {
    match c {
        Collection::List(e) | Collection::Group(e) => words(rs, locals, e),
        Collection::Range(a, b) => format!("{} .. {}", words(rs, locals, a), words(rs, locals, b)),
        Collection::Cases(ty, _) => rs.type_name(ty),
        Collection::Kind(kind) => rs.kinds[kind.at()].name.clone(),
    }
}

fn operation(op: Op, args: &[Expr], say: &impl Fn(&Expr) -> String) -> String {
    match (op, args) {
        (Op::ToRatio | Op::ToDie | Op::PlaceOf, [a]) => say(a),
        (Op::Not, [a]) => format!("not {}", say(a)),
        (Op::Neg | Op::NegRatio, [a]) => format!("-{}", say(a)),
        (Op::RoundDown | Op::RoundUp, [a]) => format!("{} {}", say(a), op.written()),
        (Op::Within, [a, d, b]) => format!("{} within {} of {}", say(a), say(d), say(b)),
        (Op::Point, [x, y]) => format!("[{}, {}]", say(x), say(y)),
        (_, [a, b]) if op.sort() == OpSort::Operator => format!("{} {} {}", say(a), op.written(), say(b)),
        _ => {
            let args: Vec<_> = args.iter().map(say).collect();
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
