//! Checks builtins. The table of operators has their types, except for types that depend on each other.

use super::super::code::{Expr, ExprKind};
use super::body::{BodyChecker, expr, unknown};
use super::coerce::{op, retype};
use super::ranges;
use super::types::{join, kept};
use crate::index::Means;
use grognard_base::value::ops::{Gives, Takes};
use grognard_base::value::*;
use grognard_base::{Code, Span, did_you_mean};
use grognard_syntax::tree::{self, Arg};

/// Type of the size of a list.
const COUNT: Type = Type::Int(COUNT_RANGE);
const COUNT_RANGE: Range = Range { low: 0, high: 10_000 };

impl BodyChecker<'_, '_> {
    /// Checks a call of a builtin.
    pub fn builtin(&mut self, what: Op, args: &[Arg], hint: Option<&Type>, at: Span, span: Span) -> Expr {
        if let Some(named) = args.iter().find_map(|a| a.name.as_ref()) {
            return self.wrong(
                Code::Arity,
                named.span,
                format!("`{}` takes its values in order, without names", what.written()),
            );
        }
        let before = self.ck.problems.len();
        let args: Vec<&tree::Expr> = args.iter().map(|a| &a.value).collect();
        let made = self.made_of(what, &args, hint, at, span);
        // the help for a wrong argument shows the signature of the builtin
        for found in &mut self.ck.problems[before..] {
            let argument = args.iter().any(|a| Some(a.span) == found.span);
            if argument && found.code == Code::WrongType {
                let own = std::mem::replace(&mut found.help, takes(what));
                if own != Code::WrongType.help() {
                    found.help += &format!("; {own}");
                }
            }
        }
        made
    }

    fn made_of(&mut self, what: Op, args: &[&tree::Expr], hint: Option<&Type>, at: Span, span: Span) -> Expr {
        if matches!(what, Op::Min | Op::Max) && args.len() >= 2 {
            return self.extreme(what, args, hint, span);
        }
        let found = match what {
            Op::Size => exactly(args).map(|[a]| self.size(a, span)),
            Op::Total => exactly(args).map(|[a]| self.total(a)),
            Op::Faces => exactly(args).map(|[a]| self.faces_of(a)),
            Op::DieOf => exactly(args).map(|[a]| self.die_of(a, span)),
            Op::Closed => exactly(args).and_then(|[a]| self.closed(a)),
            Op::IsPast => exactly(args).and_then(|[a]| self.is_past(a)),
            Op::Open => exactly(args).and_then(|[a, b]| self.opened(a, b)),
            Op::Next => exactly(args).map(|[a]| self.next(a)),
            Op::Copies => exactly(args).map(|[a, b]| self.copies(a, b, hint)),
            Op::Below => exactly(args).map(|[a]| self.below(a, span)),
            Op::Tiers => exactly(args).map(|[a, b]| self.tiers(a, b, span)),
            Op::Running => exactly(args).map(|[a]| self.running(a)),
            Op::WithFallen => exactly(args).map(|[a]| self.with_fallen(a)),
            Op::Remainder => exactly(args).map(|[a, b]| self.remainder(a, b)),
            // called with too few values; `extreme` handles the others
            Op::Min | Op::Max | Op::MinRatio | Op::MaxRatio => None,
            // the table of operators has their types
            Op::Nth | Op::Highest | Op::Lowest | Op::Median | Op::Mode | Op::Distinct | Op::Dist => {
                self.typed_by_table(what, args)
            }
            Op::Bearing | Op::Inside | Op::Crosses | Op::LengthIn | Op::ToEdge | Op::Touches => {
                self.typed_by_table(what, args)
            }
            Op::Ahead | Op::Rear | Op::InFront | Op::InRear | Op::InArc | Op::SameFacing | Op::TurnBetween => {
                self.typed_by_table(what, args)
            }
            Op::RoomBehind | Op::JustBehind | Op::JustBeyond | Op::Routes | Op::SpotsNear => {
                self.typed_by_table(what, args)
            }
            // not callable by name
            Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::DivLength | Op::AddAngle | Op::SubAngle => None,
            Op::MulAngle | Op::Fraction | Op::ToRatio | Op::AddRatio | Op::SubRatio | Op::MulRatio => None,
            Op::DivRatio | Op::NegRatio | Op::RoundDown | Op::RoundUp | Op::RoundNear | Op::Eq | Op::Ne | Op::Lt => {
                None
            }
            Op::Le | Op::Gt | Op::Ge | Op::LtRatio | Op::LeRatio | Op::EqCells | Op::EqList => None,
            Op::Not | Op::Up | Op::Down | Op::ToDie | Op::Concat | Op::Without | Op::InList => None,
            Op::Pack | Op::KindOf | Op::NumberOf | Op::PlaceOf | Op::Point | Op::DistCmp => None,
            Op::DistTo | Op::Near | Op::Ranks | Op::Within | Op::Sees => None,
        };
        match found {
            Some(found) => found.at(span),
            None => {
                self.miscounted(what, args, at);
                unknown(span)
            }
        }
    }

    /// Reports a wrong number of arguments of a builtin.
    fn miscounted(&mut self, what: Op, args: &[&tree::Expr], at: Span) {
        let message = format!("{}; it is called with {} here", takes(what), args.len());
        let extreme = match what {
            Op::Min => Some(("lowest", "least")),
            Op::Max => Some(("highest", "greatest")),
            _ => None,
        };
        // `max(4d6)`, and below it the maximum of a rolled sum
        if let ([only], Some((builtin, _))) = (args, extreme)
            && let tree::ExprKind::Dice { count, sides, bare: false } = &only.kind
        {
            let pool = format!("roll dice = {count} of d{sides}");
            let help = format!("write `{pool}` on a line above, and `total({builtin}(1, dice))` here");
            return self.say_help(Code::Arity, at, message, help);
        }
        let only = match args {
            [only] => Some(self.expr(only, None)),
            _ => None,
        };
        if let (Some(sum), Some((builtin, _))) = (only.as_ref().filter(|only| self.is_sum(only)), extreme) {
            let (name, dice) = self.pool_of(sum);
            let help = format!("write `roll {name} = {dice}`, and `total({builtin}(1, {name}))` here");
            return self.say_help(Code::Arity, at, message, help);
        }
        let list = only.filter(|only| matches!(only.ty, Type::List(_)));
        let Some(list) = list else { return self.say(Code::Arity, at, message) };
        let list = self.called(&list).unwrap_or_else(|| "dice".into());
        let (builtin, entry) =
            if what == Op::Min || what == Op::Lowest { ("lowest", "least") } else { ("highest", "greatest") };
        match what {
            Op::Min | Op::Max => {
                let help = format!("write `total({builtin}(1, {list}))` for the {entry} of a list of numbers");
                self.say_help(Code::Arity, at, message, help);
            }
            Op::Highest | Op::Lowest => {
                let name = what.written();
                let help = format!("write how many: `{name}(1, {list})`; their sum is `total({name}(1, {list}))`");
                self.say_help(Code::Arity, at, message, help);
            }
            _ => self.say(Code::Arity, at, message),
        }
    }

    /// Checks a builtin with types from the table of operators.
    fn typed_by_table(&mut self, what: Op, args: &[&tree::Expr]) -> Option<Expr> {
        let facts = what.facts();
        if args.len() != facts.takes.len() {
            return None;
        }
        let mut entry = Type::Unknown;
        let mut values = Vec::new();
        for (takes, arg) in facts.takes.iter().zip(args) {
            values.push(match takes {
                Takes::Int if matches!(what, Op::Highest | Op::Lowest) => self.how_many(arg),
                Takes::Int if what == Op::Nth => {
                    let place = self.int(arg);
                    if matches!(place.ty, Type::Int(range) if range.high < 1) {
                        let help = "write `nth(1, xs)` for the first entry";
                        self.say_help(
                            Code::Dead,
                            arg.span,
                            "entries are counted from 1, so this entry does not exist",
                            help,
                        );
                    }
                    place
                }
                Takes::Int => self.int(arg),
                Takes::Length => self.length(arg),
                Takes::Angle => self.want(arg, &Type::Angle),
                Takes::Thing => self.thing(arg),
                Takes::Place => self.place(arg),
                Takes::List(_) | Takes::Ordered(_) => {
                    let (list, inner) = self.any_list(arg, None);
                    if matches!(takes, Takes::Ordered(_)) && !self.has_order(&inner) {
                        let ty = self.type_name(&inner);
                        self.say(Code::NotOrdered, arg.span, format!("values of {ty} are not ordered"));
                    }
                    entry = inner;
                    list
                }
                Takes::Nothing | Takes::Cell | Takes::Pair | Takes::Value | Takes::Case | Takes::Chain => return None,
            });
        }
        let ty = match facts.gives {
            Gives::Flag => Type::Flag,
            Gives::Length => Type::Length,
            Gives::Angle => Type::Angle,
            Gives::Place => Type::Place,
            Gives::Routes => Type::Route.list(),
            Gives::Places => Type::Place.list(),
            Gives::Member if values.last().is_some_and(|list| self.length_of(list).low > 0) => entry,
            Gives::Entry | Gives::Member => entry.optional(),
            Gives::Count => {
                let size = values.last().map_or(COUNT_RANGE, |list| self.length_of(list));
                // distinct numbers are at most those of their range
                let most = match entry {
                    Type::Int(all) => all.high.saturating_sub(all.low).saturating_add(1).max(1),
                    _ => size.high,
                };
                Type::Int(Range::new(size.low.min(1), size.high.min(most)))
            }
            Gives::Entries => entry.list(),
            Gives::Things | Gives::Near | Gives::Cell | Gives::Pair => return None,
        };
        Some(op(what, values, ty))
    }

    fn closed(&mut self, a: &tree::Expr) -> Option<Expr> {
        let (die, chain) = self.shifted(a)?;
        Some(op(Op::Closed, vec![die], Type::Chain(chain)))
    }

    fn is_past(&mut self, a: &tree::Expr) -> Option<Expr> {
        let (die, _) = self.shifted(a)?;
        Some(op(Op::IsPast, vec![die], Type::Flag))
    }

    fn faces_of(&mut self, a: &tree::Expr) -> Expr {
        let die = self.want(a, &Type::Die);
        let most = int_range(&self.face_type(&die)).map_or(1_000_000, |r| r.high);
        op(Op::Faces, vec![die], Type::Int(Range::new(1, most)))
    }

    fn die_of(&mut self, a: &tree::Expr, span: Span) -> Expr {
        let sides = self.int(a);
        if let ExprKind::Const(n) = sides.kind
            && !(1..=1_000_000).contains(&n)
        {
            self.say(Code::DieSides, span, format!("there is no die with {n} sides"));
        }
        op(Op::DieOf, vec![sides], Type::Die)
    }

    fn copies(&mut self, n: &tree::Expr, value: &tree::Expr, hint: Option<&Type>) -> Expr {
        let inner = match hint.map(Type::present) {
            Some(Type::List(inner)) => Some((**inner).clone()),
            _ => None,
        };
        let n = self.how_many(n);
        let value = self.expr(value, inner.as_ref());
        if matches!(value.ty, Type::Optional(_)) {
            self.missing(&value, value.span);
        }
        let ty = kept(value.ty.present()).list();
        op(Op::Copies, vec![n, value], ty)
    }

    fn opened(&mut self, a: &tree::Expr, b: &tree::Expr) -> Option<Expr> {
        let (die, one) = self.shifted(a)?;
        let other = self.expr(b, Some(&Type::Chain(one)));
        let ty = match &other.ty {
            Type::Chain(id) => Type::Chain(*id),
            Type::Unknown => Type::Unknown,
            _ => {
                self.misfit(&other, &Type::Chain(one), other.span);
                Type::Unknown
            }
        };
        Some(op(Op::Open, vec![die, other], Type::Tuple(vec![Type::Chain(one), ty])))
    }

    /// Checks a thing of any kind, which must be present.
    pub fn thing(&mut self, e: &tree::Expr) -> Expr {
        let value = self.expr(e, None);
        match &value.ty {
            Type::Kind(_) | Type::Unknown => value,
            Type::Optional(inner) if matches!(**inner, Type::Kind(_)) => self.absent(&value, value.span),
            ty => self.unlike("a thing", ty, value.span),
        }
    }

    /// Checks `with_fallen(xs)` of a stored or derived list.
    fn with_fallen(&mut self, list: &tree::Expr) -> Expr {
        let (list, inner) = self.any_list(list, None);
        if !matches!(inner, Type::Kind(_) | Type::Unknown) {
            return self.unlike("a list of things", &list.ty, list.span);
        }
        let kept = match &list.kind {
            // a list that is gathered from another one, such as the data of statuses, is stored elsewhere
            ExprKind::Map { local, body, .. } => !matches!(body.kind, ExprKind::Local(entry) if entry == *local),
            _ => true,
        };
        if !kept {
            let help = "name the list itself, as in `all u in with_fallen(side.units) where ..`";
            return self.wrong_help(Code::WrongType, list.span, "destroyed things are no longer in this list", help);
        }
        let (span, ty) = (list.span, list.ty.clone());
        op(Op::WithFallen, vec![list], ty).at(span)
    }

    /// Checks `remainder(a, b)`. The result is between 0 and the divisor, with the sign of the divisor.
    fn remainder(&mut self, a: &tree::Expr, b: &tree::Expr) -> Expr {
        let (a, b) = (self.int(a), self.int(b));
        if matches!(b.kind, ExprKind::Const(0)) {
            return self.wrong_help(Code::DivideByZero, b.span, "division by 0", "divide by a number other than 0");
        }
        let range = match (&a.ty, &b.ty) {
            (Type::Int(_), Type::Int(by)) if by.low >= 1 => Range::new(0, by.high.saturating_sub(1)),
            _ => Range::WIDE,
        };
        op(Op::Remainder, vec![a, b], Type::Int(range))
    }

    /// Checks `min` or `max` of two or more values.
    fn extreme(&mut self, what: Op, args: &[&tree::Expr], hint: Option<&Type>, span: Span) -> Expr {
        let teller = args.iter().position(|a| !self.needs_hint(a));
        let rendered = teller.map(|at| self.expr(args[at], hint));
        let hint = rendered.as_ref().map(|t| t.ty.clone()).or(hint.cloned());
        let mut values = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let value = match &rendered {
                Some(rendered) if teller == Some(at) => rendered.clone(),
                _ => self.expr(arg, hint.as_ref()),
            };
            if matches!(value.ty, Type::Optional(_)) {
                return self.absent(&value, value.span);
            }
            values.push(value);
        }
        let ranges: Vec<Range> = values.iter().filter_map(|v| int_range(&v.ty)).collect();
        let mut ty = Type::Unknown;
        for value in &values {
            match join(&ty, &value.ty) {
                Some(joined) => ty = joined,
                None => {
                    self.misfit(value, &ty, value.span);
                    return unknown(span);
                }
            }
        }
        if !self.has_order(&ty) {
            let ty = self.type_name(&ty);
            return self.wrong(Code::NotOrdered, span, format!("values of {ty} are not ordered"));
        }
        if ty == Type::Ratio
            && let Some((first, rest)) = values.split_first()
            && rest.iter().any(|other| self.share_beside_number(first, other, "compared", span))
        {
            return unknown(span);
        }
        if values.iter().any(|value| self.wraps_in(value, "`min` and `max` of directions are not meaningful", span)) {
            return unknown(span);
        }
        let values: Vec<Expr> = values.into_iter().map(|v| self.fit(v, &ty)).collect();
        let written = |e: &Expr| matches!(e.kind, ExprKind::Const(_));
        if matches!(ty, Type::Die | Type::Chain(_)) && values.iter().all(written) {
            let (word, kept) = if what == Op::Min { ("less", "lowest") } else { ("greater", "highest") };
            let message = format!("this is the {word} of one roll of these dice, not the {word} of two rolls");
            let help = format!("roll a pool and keep one die: `roll two = 2 of d6`, then `total({kept}(1, two))`");
            self.say_help(Code::ReadTogether, span, message, help);
        }
        let what = match (what, &ty) {
            (Op::Min, Type::Ratio) => Op::MinRatio,
            (_, Type::Ratio) => Op::MaxRatio,
            (what, _) => what,
        };
        if let Type::Int(_) = ty {
            let both = if what == Op::Min { ranges::min } else { ranges::max };
            ty = Type::Int(ranges.into_iter().reduce(both).unwrap_or(Range::WIDE));
        }
        op(what, values, ty).at(span)
    }

    fn size(&mut self, a: &tree::Expr, span: Span) -> Expr {
        let value = self.expr(a, None);
        match &value.ty {
            Type::Kind(kind) if self.ck.rs.kinds[kind.at()].group.is_some() => op(Op::Size, vec![value], COUNT),
            Type::List(_) => {
                let size = self.length_of(&value);
                op(Op::Size, vec![value], Type::Int(size))
            }
            Type::Unknown => unknown(span),
            Type::Optional(_) => self.absent(&value, value.span),
            _ if self.is_sum(&value) => {
                self.pool_needed(&value, span);
                unknown(span)
            }
            ty => {
                let ty = self.type_name(ty);
                self.wrong(
                    Code::NotACollection,
                    value.span,
                    format!("{ty} has no size; only a list or a group has one"),
                )
            }
        }
    }

    fn total(&mut self, a: &tree::Expr) -> Expr {
        let (list, inner) = self.any_list(a, Some(&Type::INT.list()));
        let range = match (&inner, self.length_of(&list)) {
            (Type::Int(each), size) => ranges::mul(*each, size),
            _ => Range::WIDE,
        };
        let list = self.fit(list, &Type::INT.list());
        op(Op::Total, vec![list], Type::Int(range))
    }

    /// Checks a list of any type. Returns it with the type of its entries.
    pub fn any_list(&mut self, e: &tree::Expr, hint: Option<&Type>) -> (Expr, Type) {
        let value = self.expr(e, hint);
        match value.ty.clone() {
            Type::List(inner) => (value, (*inner).clone()),
            Type::Unknown => (value, Type::Unknown),
            Type::Optional(_) => {
                self.missing(&value, value.span);
                (unknown(value.span), Type::Unknown)
            }
            _ if self.is_sum(&value) => {
                self.pool_needed(&value, value.span);
                (unknown(value.span), Type::Unknown)
            }
            ty => {
                let ty = self.type_name(&ty);
                self.not_a_list(&value, format!("expected a list, found {ty}"));
                (unknown(value.span), Type::Unknown)
            }
        }
    }

    /// Reports a value that is not a list. In the `prefer` of a choice of several, the bound name refers to a single
    /// candidate.
    pub fn not_a_list(&mut self, value: &Expr, message: String) {
        match value.kind {
            ExprKind::Local(id) if self.candidate == Some(id) => {
                let help = "use a value of one candidate: in `prefer most` and `prefer least` the name stands for a \
                            single candidate, and those with the most or the least are chosen";
                self.say_help(Code::WrongType, value.span, message, help);
            }
            _ => self.say(Code::WrongType, value.span, message),
        }
    }

    /// Checks a die that can be past the end of its chain.
    fn shifted(&mut self, e: &tree::Expr) -> Option<(Expr, ChainId)> {
        let value = self.expr(e, None);
        match value.ty.clone() {
            Type::Chain(id) | Type::Shifted(id) => Some((retype(value, &Type::Shifted(id)), id)),
            Type::Unknown => Some((value, ChainId(0))).filter(|_| !self.ck.rs.chains.is_empty()),
            ty => {
                let ty = self.type_name(&ty);
                self.say(Code::WrongType, value.span, format!("expected a die of a chain, found {ty}"));
                Some((unknown(value.span), ChainId(0))).filter(|_| !self.ck.rs.chains.is_empty())
            }
        }
    }

    fn next(&mut self, a: &tree::Expr) -> Expr {
        let value = self.expr(a, None);
        let ty = value.ty.clone();
        let good = match &ty {
            Type::Enum(id) => self.ck.rs.enums[id.at()].ordered,
            Type::Chain(_) | Type::Unknown => true,
            _ => false,
        };
        if !good {
            let ty = self.type_name(&ty);
            return self.wrong(
                Code::NotOrdered,
                value.span,
                format!("`next` expects a case of an ordered enum or a die of a chain, found {ty}"),
            );
        }
        op(Op::Next, vec![value], ty)
    }

    fn tree_link(&mut self, value: &Expr, span: Span) -> Option<FieldId> {
        let Type::Kind(kind) = value.ty else { return None };
        let link = self.ck.rs.kinds[kind.at()].tree;
        match link {
            Some(link) => {
                self.ck.uses.fields.insert(link);
            }
            None => {
                let name = self.ck.rs.kinds[kind.at()].name.clone();
                self.say(Code::WrongType, span, format!("{name} has no `tree` link to follow"));
            }
        }
        link
    }

    fn below(&mut self, a: &tree::Expr, span: Span) -> Expr {
        let thing = self.thing(a);
        let Some(link) = self.tree_link(&thing, span) else { return unknown(span) };
        let ty = thing.ty.clone().list();
        expr(ExprKind::Tree { op: Op::Below, link, args: vec![thing] }, ty, span)
    }

    fn tiers(&mut self, a: &tree::Expr, b: &tree::Expr, span: Span) -> Expr {
        let (a, b) = (self.thing(a), self.thing(b));
        let Some(link) = self.tree_link(&a, span) else { return unknown(span) };
        let kind = a.ty.clone();
        let b = self.fit(b, &kind);
        expr(ExprKind::Tree { op: Op::Tiers, link, args: vec![a, b] }, COUNT, span)
    }

    fn running(&mut self, a: &tree::Expr) -> Expr {
        let tree::ExprKind::Upper(name) = &a.kind else {
            return self.wrong(Code::WrongType, a.span, "`running` expects the name of a phase");
        };
        match self.ck.rs.names.phases.get(name) {
            Some(&phase) => {
                self.ck.means(a.span, || Means::Phase(phase));
                expr(ExprKind::Running(phase), Type::Flag, a.span)
            }
            None => {
                let near = did_you_mean(name, self.ck.rs.names.phases.keys().map(String::as_str));
                self.wrong(Code::UnknownName, a.span, format!("no phase `{name}`{near}"))
            }
        }
    }
}

/// Returns the signature of a builtin as a help text.
fn takes(what: Op) -> String {
    let goes = if matches!(what, Op::Min | Op::Max) { "takes" } else { "goes" };
    format!("`{}` {goes} {}", what.written(), what.signature())
}

fn int_range(ty: &Type) -> Option<Range> {
    match ty {
        Type::Int(r) => Some(*r),
        _ => None,
    }
}

/// Returns the arguments if there are exactly `N`.
fn exactly<'e, const N: usize>(args: &[&'e tree::Expr]) -> Option<[&'e tree::Expr; N]> {
    args.try_into().ok()
}
