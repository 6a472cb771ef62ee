//! Bounds of a measure by interval analysis (abstract interpretation, P. and R. Cousot, 1977). The analysis evaluates
//! the expression of the measure over declared ranges, the setup of the scenario, and the writes that its rules can
//! perform. A value that no code writes keeps its initial value. A kind that nothing spawns has only the things of the
//! setup. A link that nothing writes keeps its target. The intervals of sampled means depend on these bounds.

use grognard_base::value::ops::Interval;
use grognard_base::value::*;
use grognard_program::Reached;
use grognard_rules::code::{Body, Collection, Expr, ExprKind, Quantifier};
use grognard_rules::ruleset::{FieldSort, Ruleset};
use grognard_vm::{Game, UNSET};

/// Maximum depth of nested calls that the analysis follows.
const DEEPEST: usize = 12;
/// Maximum length of a list.
const LONGEST: i64 = 10_000;

/// The minimum and maximum of a number, both inclusive.
type Bounds = (Ratio, Ratio);

/// Returns the bounds of a number or a condition, or `None` if it is not bounded on both sides.
pub(super) fn bounds(rules: &Ruleset, game: &Game, reached: &Reached, value: &Expr) -> Option<Bounds> {
    if value.ty == Type::Flag {
        return Some((Ratio::ZERO, Ratio::ONE));
    }
    let (low, high) = Finder { rules, game, reached, depth: 0, known: &[] }.range(value)?;
    let open = low <= Ratio::whole(Range::ALL.low) || high >= Ratio::whole(Range::ALL.high);
    (!open).then_some((low, high))
}

#[derive(Clone, Copy)]
struct Finder<'g> {
    rules: &'g Ruleset,
    game: &'g Game,
    reached: &'g Reached,
    depth: usize,
    /// Variables with a known value.
    known: &'g [(LocalId, i64)],
}

impl Finder<'_> {
    fn range(self, e: &Expr) -> Option<Bounds> {
        let declared = match e.ty.present() {
            Type::Int(r) => Some((Ratio::whole(r.low), Ratio::whole(r.high))),
            Type::Length => Some((Ratio::whole(-FAR), Ratio::whole(FAR))),
            Type::Flag => Some((Ratio::ZERO, Ratio::ONE)),
            _ => None,
        };
        match (self.found(e), declared) {
            (Some(a), Some(b)) => Some((a.0.max(b.0), a.1.min(b.1))).filter(|(low, high)| low <= high),
            (a, b) => a.or(b),
        }
    }

    /// Returns the bounds that follow from the form of an expression.
    fn found(self, e: &Expr) -> Option<Bounds> {
        if let (Some(n), Type::Int(_) | Type::Length | Type::Flag) = (self.value(e), &e.ty) {
            return Some((Ratio::whole(n), Ratio::whole(n)));
        }
        match &e.kind {
            ExprKind::ConstRatio(num, den) => Ratio::new(*num, *den).map(|r| (r, r)),
            ExprKind::Op(op, args) => self.operation(*op, args),
            ExprKind::If { arms, otherwise } => {
                self.all(arms.iter().map(|(_, value)| value).chain(std::iter::once(&**otherwise)))
            }
            ExprKind::Match { rows, .. } => self.all(rows.iter().map(|row| &row.value)),
            ExprKind::Table { cells, .. } => self.all(cells.iter().flatten()),
            ExprKind::Otherwise(a, b) => self.all([&**a, &**b].into_iter()),
            ExprKind::Call { func, args } => self.inside(*func, args.iter(), |inner, body| inner.range(body))?,
            ExprKind::Field { thing, field, keys } => match self.rules.fields[field.at()].sort {
                FieldSort::Let(func) if self.is_plain(*field) => {
                    let args = std::iter::once(&**thing).chain(keys);
                    self.inside(func, args, |inner, body| inner.range(body))?
                }
                FieldSort::Stat | FieldSort::State if keys.is_empty() => {
                    self.everywhere(*field).or_else(|| self.slot(*field, thing))
                }
                _ => None,
            },
            ExprKind::Global(id) => {
                let global = &self.rules.globals[id.at()];
                self.kept(&global.ty, (global.low, global.high), None)
            }
            ExprKind::Query { what: Quantifier::Count, over, filter, .. } => {
                Some((Ratio::ZERO, Ratio::whole(self.shortest(over, filter.as_deref()))))
            }
            ExprKind::Query { what: Quantifier::Sum, over, body: Some(body), filter } => {
                self.sum(over, filter.as_deref(), body)
            }
            _ => None,
        }
    }

    /// Returns the value of an expression that depends only on the setup. A thing is given by its number.
    fn value(self, e: &Expr) -> Option<i64> {
        match &e.kind {
            ExprKind::Const(n) => Some(*n),
            ExprKind::Local(local) => self.known.iter().find(|(known, _)| known == local).map(|(_, n)| *n),
            ExprKind::Setting(id) => {
                let (at, width) = self.game.layout.settings[id.at()];
                (width == 1).then(|| self.game.start.cells[at])
            }
            ExprKind::Field { thing, field, keys } if keys.is_empty() => self.stays(*field, self.value(thing)?),
            ExprKind::Op(op, args) => match (op, args.as_slice()) {
                (Op::Not, [a]) => Some(1 - self.value(a)?),
                (Op::Eq, [a, b]) => Some(i64::from(self.value(a)? == self.value(b)?)),
                (Op::Ne, [a, b]) => Some(i64::from(self.value(a)? != self.value(b)?)),
                _ => None,
            },
            ExprKind::And(parts) => self.joined(parts, 0),
            ExprKind::Or(parts) => self.joined(parts, 1),
            _ => None,
        }
    }

    /// Evaluates `and` or `or`: a part with the value `decides` determines the result.
    fn joined(self, parts: &[Expr], decides: i64) -> Option<i64> {
        let mut open = false;
        for part in parts {
            match self.value(part) {
                Some(n) if n == decides => return Some(decides),
                Some(_) => {}
                None => open = true,
            }
        }
        (!open).then_some(1 - decides)
    }

    /// Returns whether no special rule changes the value of a field.
    fn is_plain(self, field: FieldId) -> bool {
        !self.game.program.links.accessors.contains_key(&field)
    }

    /// Returns whether no code writes a stored field.
    fn is_unwritten(self, field: FieldId) -> bool {
        let link = matches!(self.rules.fields[field.at()].sort, FieldSort::Link);
        !(self.reached.written.contains(field) || link && self.reached.merges)
    }

    /// Returns the value of a field that nothing changes, of a thing in the setup.
    fn stays(self, field: FieldId, thing: i64) -> Option<i64> {
        let info = &self.rules.fields[field.at()];
        let stored = matches!(info.sort, FieldSort::Stat | FieldSort::State | FieldSort::Link);
        let fits =
            stored && self.game.layout.fields[field.at()].plain && self.is_plain(field) && self.is_unwritten(field);
        if !fits || !(0..self.stand(info.kind)).contains(&thing) {
            return None;
        }
        let cell = self.game.start.cells[self.game.layout.field(field, thing, 0)];
        (cell != UNSET).then_some(cell)
    }

    /// Returns the bounds of a field that nothing changes, over all things of its kind.
    fn everywhere(self, field: FieldId) -> Option<Bounds> {
        let kind = self.rules.fields[field.at()].kind;
        let things = self.things_of(kind)?;
        let values: Option<Vec<i64>> = things.into_iter().map(|thing| self.stays(field, thing)).collect();
        let values = values?;
        if values.contains(&NONE) {
            return None;
        }
        Some((Ratio::whole(*values.iter().min()?), Ratio::whole(*values.iter().max()?)))
    }

    /// Returns the union of the bounds of several possible values.
    fn all<'e>(self, values: impl Iterator<Item = &'e Expr>) -> Option<Bounds> {
        let mut joined: Option<Bounds> = None;
        for value in values {
            let (low, high) = self.range(value)?;
            joined = Some(joined.map_or((low, high), |j| (j.0.min(low), j.1.max(high))));
        }
        joined
    }

    fn operation(self, op: Op, args: &[Expr]) -> Option<Bounds> {
        let corners = |f: fn(Ratio, Ratio) -> Option<Ratio>| {
            let mut ranges = args.iter().map(|arg| self.range(arg));
            let first = ranges.next()??;
            ranges.try_fold(first, |a, b| {
                let b = b?;
                let found = [f(a.0, b.0)?, f(a.0, b.1)?, f(a.1, b.0)?, f(a.1, b.1)?];
                Some((found.into_iter().min()?, found.into_iter().max()?))
            })
        };
        match op.facts().interval {
            Interval::Typed => None,
            Interval::Corners(f) => corners(f),
            Interval::Quotient => {
                let (low, high) = self.range(args.get(1)?)?;
                let sure = low > Ratio::ZERO || high < Ratio::ZERO;
                if sure { corners(Ratio::checked_div) } else { None }
            }
            Interval::Monotone(f) => {
                let (low, high) = self.range(args.first()?)?;
                let (a, b) = (f(low)?, f(high)?);
                Some((a.min(b), a.max(b)))
            }
            Interval::Length => Some((Ratio::ZERO, Ratio::whole(self.members_of(args.last()?)))),
            Interval::Sum => {
                let list = args.last()?;
                self.times(self.entry(list)?, self.length(list))
            }
            Interval::Entry => self.entry(args.last()?),
        }
    }

    /// Returns the maximum number of entries of a list, or of members of a group.
    fn members_of(self, list: &Expr) -> i64 {
        match (&list.ty, self.group(list)) {
            (Type::List(_), _) => self.length(list),
            (_, Some(link)) => self.linked(link, list),
            _ => self.things(),
        }
    }

    /// Returns the bounds of a sum over collections: the sum over each known thing or, otherwise, the bounds of the
    /// body times the maximum length.
    fn sum(self, over: &[(LocalId, Collection)], filter: Option<&Expr>, body: &Expr) -> Option<Bounds> {
        let [(local, only)] = over else { return self.times(self.range(body)?, self.shortest(over, filter)) };
        let Some(members) = self.members(*local, only, filter) else {
            return self.times(self.range(body)?, self.shortest(over, filter));
        };
        members.into_iter().try_fold((Ratio::ZERO, Ratio::ZERO), |(low, high), thing| {
            let (least, most) = self.with(&[(*local, thing)], |inner| inner.range(body))?;
            Some((low.checked_add(least.min(Ratio::ZERO))?, high.checked_add(most.max(Ratio::ZERO))?))
        })
    }

    /// Returns the bounds of a sum of at most `most` terms.
    fn times(self, each: Bounds, most: i64) -> Option<Bounds> {
        let most = Ratio::whole(most);
        Some((each.0.min(Ratio::ZERO).checked_mul(most)?, each.1.max(Ratio::ZERO).checked_mul(most)?))
    }

    /// Returns the bounds of the entries of a list of numbers.
    fn entry(self, list: &Expr) -> Option<Bounds> {
        match (&list.kind, &list.ty) {
            (ExprKind::Map { body, flatten: false, .. }, _) => self.range(body),
            (ExprKind::List(parts), _) => self.all(parts.iter()),
            (_, Type::List(inner)) => match &**inner {
                Type::Int(r) => Some((Ratio::whole(r.low), Ratio::whole(r.high))),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the maximum length of a list.
    fn length(self, list: &Expr) -> i64 {
        let most = match &list.kind {
            ExprKind::List(parts) => parts.len() as i64,
            ExprKind::Op(Op::Concat, args) => args.iter().map(|a| self.length(a)).fold(0, i64::saturating_add),
            ExprKind::Op(Op::Without, args) => args.first().map_or(LONGEST, |list| self.length(list)),
            ExprKind::Op(Op::Highest | Op::Lowest, args) => args.get(1).map_or(LONGEST, |list| self.length(list)),
            ExprKind::Map { over, local, filter, flatten: false, .. } => self.entries(*local, over, filter.as_deref()),
            ExprKind::Call { func, args } => {
                self.inside(*func, args.iter(), |inner, body| inner.length(body)).unwrap_or(LONGEST)
            }
            ExprKind::Field { thing, field, keys } => match self.rules.fields[field.at()].sort {
                FieldSort::BackLink(link) => self.linked(link, thing),
                FieldSort::Let(func) if self.is_plain(*field) => {
                    let args = std::iter::once(&**thing).chain(keys);
                    self.inside(func, args, |inner, body| inner.length(body)).unwrap_or(LONGEST)
                }
                _ => LONGEST,
            },
            _ => LONGEST,
        };
        most.min(LONGEST)
    }

    /// Returns the maximum number of entries of a collection for which a condition can hold.
    fn entries(self, local: LocalId, over: &Collection, filter: Option<&Expr>) -> i64 {
        if let Some(members) = self.members(local, over, filter) {
            return members.len() as i64;
        }
        match over {
            Collection::List(list) => self.length(list),
            Collection::Range(low, high) => match (self.range(low), self.range(high)) {
                (Some((low, _)), Some((_, high))) => {
                    high.floor().saturating_sub(low.floor()).saturating_add(1).clamp(0, LONGEST)
                }
                _ => LONGEST,
            },
            Collection::Cases(_, n) => *n,
            Collection::Kind(kind) => self.slots(*kind),
            Collection::Group(group) => self.group(group).map_or(self.things(), |link| self.linked(link, group)),
        }
    }

    /// Returns the link that defines the members of a group.
    fn group(self, group: &Expr) -> Option<FieldId> {
        let Type::Kind(kind) = group.ty.present() else { return None };
        let (members, _) = self.rules.kinds[kind.at()].group?;
        match self.rules.fields[members.at()].sort {
            FieldSort::BackLink(link) => Some(link),
            _ => None,
        }
    }

    /// Returns the things that can be in a collection and for which a condition can hold, if they are known.
    fn members(self, local: LocalId, over: &Collection, filter: Option<&Expr>) -> Option<Vec<i64>> {
        let all = match over {
            Collection::Kind(kind) => self.things_of(*kind),
            Collection::Group(group) => self.pointing(self.group(group)?, self.value(group)?),
            Collection::List(list) => self.listed(list),
            _ => None,
        }?;
        let may = |thing: &i64| {
            filter.is_none_or(|filter| self.with(&[(local, *thing)], |inner| inner.value(filter)) != Some(0))
        };
        Some(all.into_iter().filter(may).collect())
    }

    /// Returns the things that can be in a list, if they are known.
    fn listed(self, list: &Expr) -> Option<Vec<i64>> {
        match &list.kind {
            ExprKind::Map { over, local, filter, body, flatten: false, .. } => match body.kind {
                ExprKind::Local(entry) if entry == *local => self.members(*local, over, filter.as_deref()),
                _ => None,
            },
            ExprKind::Field { thing, field, keys } => match self.rules.fields[field.at()].sort {
                FieldSort::BackLink(link) => self.pointing(link, self.value(thing)?),
                FieldSort::Let(func) if self.is_plain(*field) => {
                    let args = std::iter::once(&**thing).chain(keys);
                    self.inside(func, args, |inner, body| inner.listed(body))?
                }
                _ => None,
            },
            ExprKind::Call { func, args } => self.inside(*func, args.iter(), |inner, body| inner.listed(body))?,
            _ => None,
        }
    }

    /// Returns the maximum number of things whose link can point to a thing.
    fn linked(self, link: FieldId, thing: &Expr) -> i64 {
        let info = &self.rules.fields[link.at()];
        let Type::Kind(target) = thing.ty.present() else { return self.slots(info.kind) };
        let targets = match self.value(thing) {
            Some(thing) => vec![thing],
            None => (0..self.slots(*target)).collect(),
        };
        let counts = targets.into_iter().map(|thing| Some(self.pointing(link, thing)?.len() as i64));
        let most = counts.collect::<Option<Vec<i64>>>().and_then(|counts| counts.into_iter().max());
        most.unwrap_or_else(|| self.slots(info.kind))
    }

    /// Returns the things whose link points to a thing, if nothing changes the link.
    fn pointing(self, link: FieldId, thing: i64) -> Option<Vec<i64>> {
        let info = &self.rules.fields[link.at()];
        let from = self.things_of(info.kind).filter(|_| matches!(info.ty.present(), Type::Kind(_)))?;
        let links: Option<Vec<i64>> = from.iter().map(|from| self.stays(link, *from)).collect();
        Some(from.into_iter().zip(links?).filter(|(_, to)| *to == thing).map(|(from, _)| from).collect())
    }

    /// Returns the maximum number of iterations over several parallel collections, which is that of the shortest.
    fn shortest(self, over: &[(LocalId, Collection)], filter: Option<&Expr>) -> i64 {
        let filter = filter.filter(|_| over.len() == 1);
        over.iter().map(|(local, c)| self.entries(*local, c, filter)).min().unwrap_or(0)
    }

    /// Returns the number of things of a kind in the setup.
    fn stand(self, kind: KindId) -> i64 {
        self.game.start.cells[self.game.layout.kinds[kind.at()].used]
    }

    /// Returns the things of a kind, or `None` if rules can spawn others.
    fn things_of(self, kind: KindId) -> Option<Vec<i64>> {
        (!self.reached.spawned.contains(kind)).then(|| (0..self.stand(kind)).collect())
    }

    /// Returns the maximum number of things of a kind.
    fn slots(self, kind: KindId) -> i64 {
        let room = self.game.layout.kinds[kind.at()].slots as i64;
        self.things_of(kind).map_or(room, |things| things.len() as i64)
    }

    /// Returns the maximum number of things of any one kind.
    fn things(self) -> i64 {
        (0..self.game.layout.kinds.len()).map(|kind| self.slots(KindId::from(kind))).max().unwrap_or(0)
    }

    /// Returns the bounds to which a state of a thing is clamped.
    fn slot(self, field: FieldId, thing: &Expr) -> Option<Bounds> {
        let info = &self.rules.fields[field.at()];
        let kept = info.sort == FieldSort::State && self.is_plain(field);
        if kept { self.kept(&info.ty, (info.low, info.high), Some(thing)) } else { None }
    }

    /// Returns the bounds to which a state is clamped, as far as its declared bounds can change.
    fn kept(self, ty: &Type, (low, high): (Option<FuncId>, Option<FuncId>), thing: Option<&Expr>) -> Option<Bounds> {
        let end = |func: Option<FuncId>| self.inside(func?, thing.into_iter(), |inner, body| inner.range(body))?;
        let Type::Int(declared) = *ty else { return None };
        let low = end(low).map_or(Ratio::whole(declared.low), |(low, _)| low);
        let high = end(high).map_or(Ratio::whole(declared.high), |(_, high)| high);
        Some((low, high))
    }

    /// Continues with additional known variables.
    fn with<R>(self, more: &[(LocalId, i64)], then: impl FnOnce(Finder<'_>) -> R) -> R {
        let known: Vec<(LocalId, i64)> = more.iter().chain(self.known).copied().collect();
        then(Finder { known: &known, ..self })
    }

    /// Continues in the body of a function that returns a value and cannot be replaced. An unknown parameter can have
    /// any value of its type.
    fn inside<'e, R>(
        self,
        func: FuncId,
        args: impl Iterator<Item = &'e Expr>,
        then: impl FnOnce(Finder<'_>, &Expr) -> R,
    ) -> Option<R> {
        let function = self.rules.functions.get(func.at())?;
        let Body::Value(value) = &function.body else { return None };
        if function.external || self.depth >= DEEPEST {
            return None;
        }
        let known = args.enumerate().filter_map(|(n, arg)| Some((LocalId::from(n), self.value(arg)?)));
        let known: Vec<(LocalId, i64)> = known.collect();
        Some(then(Finder { depth: self.depth + 1, known: &known, ..self }, value))
    }
}
