//! The need of a roll: the comparison of its dice in a condition or a value.

use super::RollNeed;
use grognard_base::value::plain::NeedOf;
use grognard_base::value::*;
use grognard_rules::code::{Collection, Expr, ExprKind, Local, Quantifier};
use grognard_rules::reads::walk::any_part;
use grognard_rules::ruleset::{Ruleset, SiteSort};

/// Returns the comparison that an expression is, if it compares a roll, with the value that the dice are compared with. A
/// comparison inside a larger expression does not count, because the value of that expression is not its outcome. A value
/// that depends on a roll itself is not a need.
pub(super) fn need(rs: &Ruleset, locals: &[Local], e: &Expr) -> Option<(Expr, RollNeed)> {
    let roll = |e: &Expr| match &e.kind {
        ExprKind::Local(id) => {
            let name = &locals.get(id.at())?.name;
            let rolled = rs.sites.iter().any(|site| site.sort == SiteSort::Roll && site.name == *name);
            rolled.then(|| name.clone())
        }
        _ => None,
    };
    let than = |e: &Expr, bound: Option<LocalId>| {
        let free =
            !any_part(e, |part| roll(part).is_some() || matches!(part.kind, ExprKind::Local(id) if Some(id) == bound));
        free.then(|| e.clone())
    };
    match &e.kind {
        ExprKind::Op(op, args) if is_comparison(*op) => match args.as_slice() {
            [dice, value] => {
                let roll = roll(dice)?;
                let again = is_thrown_again(rs, &roll);
                Some((than(value, None)?, RollNeed { roll, of: NeedOf::One, op: op.written(), again }))
            }
            _ => None,
        },
        ExprKind::Query { what, over, filter, body } => {
            let of = match what {
                Quantifier::Any => NeedOf::Any,
                Quantifier::No => NeedOf::No,
                Quantifier::Every => NeedOf::Every,
                Quantifier::Count => NeedOf::Count,
                _ => return None,
            };
            let [(die, Collection::List(pool))] = over.as_slice() else { return None };
            let test = match (filter, body) {
                (Some(test), None) | (None, Some(test)) => test,
                _ => return None,
            };
            let ExprKind::Op(op, args) = &test.kind else { return None };
            let [left, right] = args.as_slice() else { return None };
            let compared = is_comparison(*op) && matches!(left.kind, ExprKind::Local(id) if id == *die);
            let roll = roll(pool).filter(|_| compared)?;
            let again = is_thrown_again(rs, &roll);
            Some((than(right, Some(*die))?, RollNeed { roll, of, op: op.written(), again }))
        }
        _ => None,
    }
}

/// Returns whether the rules reroll or explode the dice of a roll with this name.
fn is_thrown_again(rs: &Ruleset, roll: &str) -> bool {
    rs.sites.iter().any(|site| matches!(site.sort, SiteSort::Reroll | SiteSort::Explode) && site.name == roll)
}

fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Lt | Op::Le | Op::Gt | Op::Ge)
}
