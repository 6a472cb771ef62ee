//! Renders checked code as text of the rules language, for traces, messages, and examples that a search generates.
//!
//! The text of an operator is the template in its row of the table of operators. Brackets follow the precedence of the
//! grammar.

#![deny(clippy::wildcard_enum_match_arm)] // a new form of value needs its text here

use super::code::{Collection, Expr, ExprKind, Local, Pat, Quantifier};
use super::reads::walk::any_part;
use super::ruleset::Ruleset;
use super::schema::Schema;
use grognard_base::value::ops::{Binding, OpSort, TemplatePart, pieces};
use grognard_base::value::*;

/// The name of each variable, or `None` for a thing whose fields are written without it.
pub type LocalNames<'n> = &'n dyn Fn(LocalId) -> Option<String>;

/// Returns the names of the variables of a function, in which the fields of `self` are written without it.
pub fn names(locals: &[Local]) -> impl Fn(LocalId) -> Option<String> {
    |id| match locals.get(id.at()) {
        Some(local) => (local.name != "self").then(|| local.name.clone()),
        None => Some(String::new()),
    }
}

fn name(names: LocalNames<'_>, id: LocalId) -> String {
    names(id).unwrap_or_else(|| "self".into())
}

/// Returns the text of a value, or `None` if the text would not determine the value.
#[expect(clippy::wildcard_enum_match_arm, reason = "the text of a new form is not taken for complete")]
pub fn exact_words(rs: &Ruleset, names: LocalNames<'_>, e: &Expr) -> Option<String> {
    let shortened = |e: &Expr| match &e.kind {
        ExprKind::Const(_) | ExprKind::ConstRatio(..) | ExprKind::Local(_) | ExprKind::Setting(_) => false,
        ExprKind::Global(_) | ExprKind::Field { .. } | ExprKind::Alive(_) | ExprKind::Part { .. } => false,
        ExprKind::Has { .. } | ExprKind::Call { .. } | ExprKind::And(_) | ExprKind::Or(_) => false,
        ExprKind::Op(op, _) => op.sort() == OpSort::Hidden && !op.is_silent(),
        _ => true,
    };
    (!any_part(e, shortened)).then(|| words(rs, names, e))
}

/// Returns the text of a value. It names the subject of a `match` without its rows.
pub fn words(rs: &Ruleset, names: LocalNames<'_>, e: &Expr) -> String {
    let say = |e: &Expr| words(rs, names, e);
    let part = |e: &Expr, wanted: Binding| bracketed(rs, names, e, wanted);
    let list = |args: &[Expr]| args.iter().map(say).collect::<Vec<_>>().join(", ");
    match &e.kind {
        ExprKind::Const(v) => constant(rs, &e.ty, *v).into(),
        ExprKind::ConstRatio(n, d) => format!("{n}/{d}"),
        ExprKind::None => "none".into(),
        ExprKind::Local(id) => name(names, *id),
        ExprKind::Setting(_) | ExprKind::Global(_) | ExprKind::Tally(_) | ExprKind::Ambient(_) => {
            rs.called(e).unwrap_or_default().to_string()
        }
        ExprKind::ActionName => "the action".into(),
        ExprKind::Actor => "the actor".into(),
        ExprKind::Field { thing, field, keys } => {
            let field = &rs.fields[field.at()].name;
            let keys = if keys.is_empty() { String::new() } else { format!("({})", list(keys)) };
            let bare = matches!(thing.kind, ExprKind::Local(id) if names(id).is_none());
            let of = if bare { String::new() } else { format!("{}.", part(thing, Binding::Whole)) };
            format!("{of}{field}{keys}")
        }
        ExprKind::Alive(thing) => format!("{}.alive", part(thing, Binding::Whole)),
        ExprKind::At(thing) => format!("{}.at", part(thing, Binding::Whole)),
        ExprKind::Facing(thing) => format!("{}.facing", part(thing, Binding::Whole)),
        ExprKind::Part { of, index } => format!("{}.{}", part(of, Binding::Whole), part_name(rs, &of.ty, *index)),
        ExprKind::Crossed { leg, kind } => format!("{}.crossed({})", say(leg), rs.kinds[kind.at()].name),
        ExprKind::Call { func: f, args } if args.is_empty() => rs.functions[f.at()].name.clone(),
        ExprKind::Call { func: f, args } => format!("{}({})", rs.functions[f.at()].name, list(args)),
        ExprKind::Op(op, args) if args.iter().any(names_action) => operation(*op, args, |e, _| action_words(rs, e)),
        ExprKind::Op(op, args) | ExprKind::Tree { op, args, .. } => operation(*op, args, part),
        ExprKind::Running(phase) => format!("running({})", rs.phases[phase.at()].name),
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
            let from = collection(rs, names, over);
            match filter {
                Some(filter) => format!("all {} in {from} where {}", name(names, *bound), say(filter)),
                // the entries themselves
                None if say(body).is_empty() => from,
                // a field of each entry: the entry itself has no name
                None if say(body).starts_with('.') => format!("{from}{}", say(body)),
                None => format!("{} of {from}", say(body)),
            }
        }
        ExprKind::Query { what, over, filter, body } => query(rs, names, *what, over, filter, body),
        ExprKind::List(entries) => format!("[{}]", list(entries)),
        ExprKind::Make(parts) => format!("({})", list(parts)),
        ExprKind::Was(inner) => format!("was {}", part(inner, Binding::Whole)),
    }
}

/// Returns the text of a value, in brackets if it binds less tightly than `wanted`.
pub fn bracketed(rs: &Ruleset, names: LocalNames<'_>, e: &Expr, wanted: Binding) -> String {
    let text = words(rs, names, e);
    if binding(names, e) < wanted { format!("({text})") } else { text }
}

/// Returns how tightly the text of a value binds.
pub fn binding(names: LocalNames<'_>, e: &Expr) -> Binding {
    use Binding::{Compared, Loose, Product, Sign, Whole};
    match &e.kind {
        ExprKind::Or(_) => Binding::Or,
        ExprKind::And(_) => Binding::And,
        ExprKind::Op(op, args) if op.is_silent() => binding(names, &args[0]),
        ExprKind::Op(op, _) => op.facts().binding,
        ExprKind::Is { .. } | ExprKind::Has { .. } => Compared,
        ExprKind::Query { over, filter, body, .. } if looks_at_pool(names, over, filter, body).is_some() => Compared,
        ExprKind::If { .. } | ExprKind::Match { .. } | ExprKind::Otherwise(..) | ExprKind::Query { .. } => Loose,
        ExprKind::Map { filter: None, body, .. } if matches!(body.kind, ExprKind::Local(_)) => Whole,
        ExprKind::Map { .. } => Loose,
        ExprKind::Then { body, .. } => binding(names, body),
        ExprKind::ConstRatio(..) => Product,
        ExprKind::Const(n) if *n < 0 && *n != NONE => Sign,
        ExprKind::Was(_) => Sign,
        ExprKind::Const(_) | ExprKind::None | ExprKind::Local(_) | ExprKind::Setting(_) | ExprKind::Global(_) => Whole,
        ExprKind::Tally(_) | ExprKind::Ambient(_) | ExprKind::ActionName | ExprKind::Actor => Whole,
        ExprKind::Field { .. } | ExprKind::Alive(_) | ExprKind::At(_) | ExprKind::Facing(_) => Whole,
        ExprKind::Part { .. } | ExprKind::Crossed { .. } | ExprKind::Call { .. } | ExprKind::Running(_) => Whole,
        ExprKind::Tree { .. } | ExprKind::Table { .. } | ExprKind::Instances { .. } => Whole,
        ExprKind::List(_) | ExprKind::Make(_) => Whole,
    }
}

/// Returns how tightly the first operand of an operator, and each later one, must bind.
pub fn wanted(op: Op) -> [Binding; 2] {
    use Binding::{Compared, Loose, Product, Rounded, Shifted, Sign, Sum, Whole};
    match op.facts().binding {
        // the brackets of a call enclose its operands
        Whole | Loose | Binding::Or | Binding::And => [Loose, Loose],
        Binding::Not => [Compared, Compared],
        Compared => [Shifted, Shifted],
        Shifted => [Shifted, Sum],
        Rounded => [Sum, Sum],
        Sum if op.written() == "+" => [Sum, Sum],
        Sum => [Sum, Product],
        Product => [Product, Sign],
        Sign => [Whole, Whole],
    }
}

/// Returns the pool, operator and operand of a query that is written as a comparison: `any dice <= 3`.
fn looks_at_pool<'e>(
    names: LocalNames<'_>,
    over: &'e [(LocalId, Collection)],
    filter: &'e Option<Box<Expr>>,
    body: &'e Option<Box<Expr>>,
) -> Option<(&'e Expr, Op, &'e Expr)> {
    let [(bound, Collection::List(pool))] = over else { return None };
    let Some(Expr { kind: ExprKind::Op(op, args), .. }) = filter.as_deref().or(body.as_deref()) else { return None };
    let [face, than] = args.as_slice() else { return None };
    let shown = matches!(face.kind, ExprKind::Local(id) if id == *bound) && name(names, *bound).is_empty();
    shown.then_some((pool, *op, than))
}

/// Returns whether a value is `a.name`, the name of the running action.
pub fn names_action(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::ActionName)
}

/// Renders action ids as names of actions.
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
    names: LocalNames<'_>,
    what: Quantifier,
    over: &[(LocalId, Collection)],
    filter: &Option<Box<Expr>>,
    body: &Option<Box<Expr>>,
) -> String {
    let word = what.word();
    if let Some((pool, op, than)) = looks_at_pool(names, over, filter, body) {
        let (pool, than) = (bracketed(rs, names, pool, Binding::Whole), bracketed(rs, names, than, Binding::Shifted));
        return format!("{word} {pool} {} {than}", op.written());
    }
    let binds: Vec<_> =
        over.iter().map(|(l, c)| format!("{} in {}", name(names, *l), collection(rs, names, c))).collect();
    let mut text = format!("{word} {}", binds.join(" against "));
    if let Some(filter) = filter {
        text += &format!(" where {}", words(rs, names, filter));
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
        text += &format!("{join}{}", bracketed(rs, names, body, wanted));
    }
    text
}

fn collection(rs: &Ruleset, names: LocalNames<'_>, c: &Collection) -> String {
    match c {
        Collection::List(e) | Collection::Group(e) => words(rs, names, e),
        Collection::Range(a, b) => [a, b].map(|e| bracketed(rs, names, e, Binding::Sum)).join(" .. "),
        Collection::Cases(ty, _) => rs.type_name(ty),
        Collection::Kind(kind) => rs.kinds[kind.at()].name.clone(),
    }
}

/// Renders an operator by filling its template.
fn operation(op: Op, args: &[Expr], part: impl Fn(&Expr, Binding) -> String) -> String {
    let [first, second] = wanted(op);
    let text = |piece: TemplatePart<'_>| match piece {
        TemplatePart::Text(text) => text.to_string(),
        TemplatePart::Operand(0) => args.first().map(|e| part(e, first)).unwrap_or_default(),
        TemplatePart::Operand(n) => args.get(n).map(|e| part(e, second)).unwrap_or_default(),
        TemplatePart::All => args.iter().map(|e| part(e, Binding::Loose)).collect::<Vec<_>>().join(", "),
    };
    pieces(op.facts().text).map(text).collect()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "no other type has parts with names")]
fn part_name(rs: &Ruleset, ty: &Type, index: usize) -> String {
    match ty.present() {
        Type::Record(id) => rs.records[id.at()].fields.get(index).map_or(String::new(), |(n, _)| n.clone()),
        Type::Leg => if index == 0 { "covered" } else { "met" }.to_string(),
        _ => index.to_string(),
    }
}

/// Returns the value of a type from its single cell.
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
        Type::Die => Value::Die(format!("d{v}").into()),
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
