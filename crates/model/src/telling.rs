//! Checked code as text of the language again (unparsing), as far as a value has a plain form: for messages that quote a
//! value under other names, and for examples that ask for it.

use super::code::{Expr, ExprKind};
use super::ruleset::Ruleset;
use grognard_base::value::plain::length;
use grognard_base::value::*;

/// What a variable is called.
pub type Naming<'n> = &'n dyn Fn(LocalId) -> String;

/// A value as text; none if it has no plain form.
pub fn told(rules: &Ruleset, e: &Expr, name: Naming<'_>) -> Option<String> {
    let part = |e: &Expr| told(rules, e, name);
    let inner = |e: &Expr| Some(if is_bare(e) { part(e)? } else { format!("({})", part(e)?) });
    let all = |parts: &[Expr]| parts.iter().map(&part).collect::<Option<Vec<String>>>();
    Some(match &e.kind {
        ExprKind::Const(n) => constant(rules, *n, &e.ty)?,
        ExprKind::ConstRatio(n, 1) => n.to_string(),
        ExprKind::ConstRatio(n, d) => format!("{n}/{d}"),
        ExprKind::Local(id) => name(*id),
        ExprKind::Setting(id) => rules.settings[id.at()].name.clone(),
        ExprKind::Global(id) => rules.globals[id.at()].name.clone(),
        ExprKind::Field { thing, field, keys } => {
            let keys = all(keys)?;
            let with = if keys.is_empty() { String::new() } else { format!("({})", keys.join(", ")) };
            format!("{}.{}{with}", inner(thing)?, rules.fields[field.at()].name)
        }
        ExprKind::Alive(thing) => format!("{}.alive", inner(thing)?),
        ExprKind::Has { thing, what } => format!("{} has {}", inner(thing)?, rules.traits[what.at()].name),
        ExprKind::Call { func, args } => format!("{}({})", rules.functions[func.at()].name, all(args)?.join(", ")),
        ExprKind::Op(Op::ToRatio | Op::ToDie, args) => part(args.first()?)?,
        ExprKind::Op(how @ (Op::RoundDown | Op::RoundUp | Op::RoundNear), args) => {
            format!("{} {}", inner(args.first()?)?, how.written())
        }
        ExprKind::Op(Op::Not, args) => format!("not ({})", part(args.first()?)?),
        ExprKind::Op(Op::Neg | Op::NegRatio, args) => format!("-{}", inner(args.first()?)?),
        ExprKind::Op(how, args) => match (how.sort(), args.as_slice()) {
            (ops::OpSort::Operator, [a, b]) => format!("{} {} {}", inner(a)?, how.written(), inner(b)?),
            (ops::OpSort::Builtin, args) => format!("{}({})", how.written(), all(args)?.join(", ")),
            _ => return None,
        },
        ExprKind::And(parts) => joined(parts, " and ", inner)?,
        ExprKind::Or(parts) => joined(parts, " or ", inner)?,
        _ => return None,
    })
}

fn joined(parts: &[Expr], by: &str, told: impl Fn(&Expr) -> Option<String>) -> Option<String> {
    Some(parts.iter().map(told).collect::<Option<Vec<String>>>()?.join(by))
}

/// True for what needs no brackets inside something larger.
fn is_bare(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Op(Op::ToRatio | Op::ToDie, args) => args.first().is_some_and(is_bare),
        ExprKind::Op(how, _) => how.sort() == ops::OpSort::Builtin,
        ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Has { .. } | ExprKind::ConstRatio(..) => false,
        ExprKind::Const(n) => *n >= 0,
        _ => true,
    }
}

/// A constant of a type.
pub fn constant(rules: &Ruleset, n: i64, ty: &Type) -> Option<String> {
    let at = usize::try_from(n).ok();
    Some(match ty.present() {
        Type::Int(_) => n.to_string(),
        Type::Length => length(n),
        Type::Flag => if n == 0 { "no" } else { "yes" }.to_string(),
        Type::Enum(id) => rules.enums[id.at()].cases.get(at?)?.clone(),
        Type::Chain(id) => format!("d{}", rules.chains[id.at()].dice.get(at?)?),
        _ => return None,
    })
}
