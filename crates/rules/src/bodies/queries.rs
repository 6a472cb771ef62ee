//! Checks queries over one or two collections, and queries of a pool of dice.

use super::super::code::{Collection, Expr, ExprKind, Quantifier};
use super::body::{BodyChecker, expr, local, unknown};
use super::coerce::map;
use super::ranges;
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::{self, CompareOp, ExprKind as Tree, Name};

impl BodyChecker<'_, '_> {
    /// Checks the expression `any u in xs where c` or `most u in xs by e` and translates it to typed code.
    pub fn query(
        &mut self,
        what: Quantifier,
        binds: &[(Name, tree::Range)],
        filter: Option<&tree::Expr>,
        body: Option<&tree::Expr>,
        hint: Option<&Type>,
        span: Span,
    ) -> Expr {
        let mark = self.mark();
        let (over, entries): (Vec<_>, Vec<_>) = self.query_binds(what, binds, hint).into_iter().unzip();
        self.unpaired(&over, span);
        let filter = filter.map(|f| {
            self.refuse_swallowed(f);
            self.condition(f)
        });
        let body = body.map(|b| {
            let value = self.query_body(what, b);
            if what == Quantifier::Sum {
                self.adds_for_each(b, &value, &over);
            }
            value
        });
        self.leave(mark);
        let ty = match what {
            Quantifier::Any | Quantifier::No | Quantifier::Every => Type::Flag,
            Quantifier::Count => Type::Int(self.count_range(&over, filter.is_some())),
            Quantifier::Sum => self.sum_type(&over, body.as_ref(), filter.is_some()),
            Quantifier::All => entries.first().cloned().unwrap_or(Type::Unknown).list(),
            Quantifier::Most | Quantifier::Least | Quantifier::Nearest | Quantifier::Farthest => {
                if matches!(what, Quantifier::Nearest | Quantifier::Farthest) {
                    entries.iter().for_each(|ty| self.has_place(ty, span));
                }
                entries.first().cloned().unwrap_or(Type::Unknown).optional()
            }
        };
        if what == Quantifier::All {
            return self.all(over, filter, ty, span);
        }
        let (filter, body) = (filter.map(Box::new), body.map(Box::new));
        expr(ExprKind::Query { what, over, filter, body }, ty, span)
    }

    /// Reports pairs of lists that can differ in length, because entries without a partner are ignored.
    fn unpaired(&mut self, over: &[(LocalId, Collection)], span: Span) {
        let [(_, a), (_, b)] = over else { return };
        let (x, y) = (self.size_of(a), self.size_of(b));
        if x == y && x.low == x.high {
            return;
        }
        let dice = |c: &Collection| matches!(c, Collection::List(list) if self.is_pool(list));
        if dice(a) || dice(b) {
            let message = "entries without a partner in the other list are ignored";
            let help = "to count them, add them, as in `.. + max(0, size(a) - size(b))`";
            self.say_help(Code::Vacuous, span, message, help);
        }
    }

    /// Returns whether the list contains the dice of a roll, or some of them.
    pub fn is_pool(&self, list: &Expr) -> bool {
        match &list.kind {
            ExprKind::Local(id) => self.rolls.contains_key(id),
            ExprKind::Op(Op::Highest | Op::Lowest, args) => args.get(1).is_some_and(|list| self.is_pool(list)),
            ExprKind::Op(Op::Concat | Op::Without, args) => args.iter().any(|list| self.is_pool(list)),
            _ => false,
        }
    }

    fn query_binds(
        &mut self,
        what: Quantifier,
        binds: &[(Name, tree::Range)],
        hint: Option<&Type>,
    ) -> Vec<((LocalId, Collection), Type)> {
        let hint = if what == Quantifier::All { hint } else { None };
        let found: Vec<_> = binds.iter().map(|(n, range)| (n, self.collection(range, hint))).collect();
        let mut all = Vec::new();
        for (name, (over, entry)) in found {
            let id = self.bind(name, entry.clone(), false);
            if let Collection::List(list) = &over {
                self.follow(list, id);
            }
            all.push(((id, over), entry));
        }
        all
    }

    fn query_body(&mut self, what: Quantifier, body: &tree::Expr) -> Expr {
        match what {
            Quantifier::Every => self.condition(body),
            Quantifier::Nearest | Quantifier::Farthest => self.place(body),
            Quantifier::Sum => self.addend(body),
            Quantifier::Most | Quantifier::Least => {
                let key = self.key(body);
                self.wraps_in(&key, "the least and the most of directions are not meaningful", key.span);
                key
            }
            Quantifier::Any | Quantifier::No | Quantifier::All | Quantifier::Count => self.expr(body, None),
        }
    }

    fn addend(&mut self, body: &tree::Expr) -> Expr {
        let value = self.expr(body, None);
        match &value.ty {
            Type::Int(_) | Type::Length | Type::Unknown => value,
            Type::Optional(_) => self.absent(&value, value.span),
            ty => self.unlike("a number or a length to sum", ty, value.span),
        }
    }

    /// Checks a key that ranks things. Things with a missing key rank last.
    pub fn key(&mut self, body: &tree::Expr) -> Expr {
        let value = self.expr(body, None);
        if !self.has_order(value.ty.present()) {
            let ty = self.type_name(value.ty.present());
            return self.wrong(Code::NotOrdered, value.span, format!("values of {ty} are not ordered"));
        }
        value
    }

    fn all(&mut self, over: Vec<(LocalId, Collection)>, filter: Option<Expr>, ty: Type, span: Span) -> Expr {
        let mut over = over.into_iter();
        match (over.next(), over.next()) {
            (Some((id, over)), None) => {
                let entry = match &ty {
                    Type::List(inner) => (**inner).clone(),
                    _ => Type::Unknown,
                };
                map(over, id, filter, local(id, entry, span), ty, span)
            }
            _ => self.wrong(Code::WrongType, span, "`all` uses one collection; use `count` or `sum` for pairs"),
        }
    }

    /// Reports `count a > 4 - count a == 1`, where the second count would be part of the first condition.
    fn refuse_swallowed(&mut self, condition: &tree::Expr) {
        if let Some(span) = query_in_sum(condition) {
            let message = "this count would be part of the condition of the one before it";
            let help = "put counts in a sum in brackets: `(count a > 4) - (count a == 1)`";
            self.say_help(Code::Syntax, span, message, help);
        }
    }

    fn count_range(&self, over: &[(LocalId, Collection)], filtered: bool) -> Range {
        let size = over.iter().map(|(_, c)| self.size_of(c)).reduce(ranges::min).unwrap_or(Range::new(0, 0));
        if filtered { Range::new(0, size.high) } else { size }
    }

    fn sum_type(&self, over: &[(LocalId, Collection)], body: Option<&Expr>, filtered: bool) -> Type {
        match body.map(|b| &b.ty) {
            Some(Type::Int(each)) => Type::Int(ranges::mul(*each, self.count_range(over, filtered))),
            Some(other) => other.clone(),
            None => Type::INT,
        }
    }

    /// Checks the expression `any dice <= nerve` or `count [a, b] > hiding` and translates it to typed code.
    pub fn pool_query(
        &mut self,
        what: Quantifier,
        pool: &tree::Expr,
        how: CompareOp,
        than: &tree::Expr,
        span: Span,
    ) -> Expr {
        self.refuse_swallowed(than);
        let (pool, inner) = self.any_list(pool, None);
        let than = self.expr(than, Some(&inner));
        if pool.ty == Type::Unknown || than.ty == Type::Unknown {
            return unknown(span);
        }
        if matches!(what, Quantifier::Every | Quantifier::No) && self.length_of(&pool).low == 0 && self.is_pool(&pool) {
            let name = self.called(&pool).unwrap_or_else(|| "the list".into());
            let message = format!("this is true if `{name}` has no dice");
            self.say_help(Code::Vacuous, span, message, format!("to exclude that case, add `and size({name}) > 0`"));
        }
        let entry = self.hidden(inner.clone(), span);
        // `no aim == 7` is always true because `aim == 7` never is
        let compared = pool.span.to(than.span);
        let test = self.compare_values(local(entry, inner, pool.span), how, than, compared);
        let over = vec![(entry, Collection::List(pool))];
        let ty = match what {
            Quantifier::Count => Type::Int(self.count_range(&over, true)),
            _ => Type::Flag,
        };
        let (filter, body) = match what {
            Quantifier::Every => (None, Some(Box::new(test))),
            _ => (Some(Box::new(test)), None),
        };
        expr(ExprKind::Query { what, over, filter, body }, ty, span)
    }
}

/// Returns the span of a query without brackets inside a sum that a condition compares with.
fn query_in_sum(condition: &tree::Expr) -> Option<Span> {
    match &condition.kind {
        Tree::And(parts) | Tree::Or(parts) => parts.iter().find_map(query_in_sum),
        Tree::Compare { right, .. } => query_in_sum(right),
        Tree::Arith { first, rest } => {
            let bare = |e: &&tree::Expr| matches!(e.kind, Tree::Query { .. } | Tree::PoolQuery { .. });
            std::iter::once(&**first).chain(rest.iter().map(|(_, e)| e)).find(bare).map(|e| e.span)
        }
        _ => None,
    }
}
