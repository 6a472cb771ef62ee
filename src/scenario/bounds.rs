//! Between which values a figure must lie, whatever happens: from declared ranges, the form of the expression, and how many
//! things the table can hold. Intervals of means stand on this.

use crate::machine::Game;
use crate::rules::code::{Body, Collection, Expr, ExprKind, Quantifier};
use crate::rules::ruleset::FieldSort;
use crate::value::*;

/// Calls that are followed into each other.
const DEEPEST: u32 = 12;
/// The most entries of a list.
const LONGEST: i64 = 10_000;

/// The least and the greatest value of a number, ends included.
type Bounds = (Ratio, Ratio);

/// The bounds of a number or a condition; none if nothing bounds it on both sides.
pub(super) fn bounds(game: &Game, value: &Expr) -> Option<Bounds> {
    let (low, high) = Finder { game, depth: 0 }.range(value)?;
    let open = low <= Ratio::whole(Range::ALL.low) || high >= Ratio::whole(Range::ALL.high);
    (!open).then_some((low, high))
}

/// True for what nothing in play can change: params, and what is reckoned from them.
fn is_fixed(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::ConstRatio(..) | ExprKind::Setting(_) => true,
        ExprKind::Op(_, args) => args.iter().all(is_fixed),
        _ => false,
    }
}

#[derive(Clone, Copy)]
struct Finder<'g> {
    game: &'g Game,
    depth: u32,
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

    /// What the form of a value says.
    fn found(self, e: &Expr) -> Option<Bounds> {
        match &e.kind {
            ExprKind::Const(n) => Some((Ratio::whole(*n), Ratio::whole(*n))),
            ExprKind::ConstRatio(num, den) => Ratio::new(*num, *den).map(|r| (r, r)),
            ExprKind::Op(op, args) => self.operation(*op, args),
            ExprKind::If { arms, otherwise } => {
                self.all(arms.iter().map(|(_, value)| value).chain(std::iter::once(&**otherwise)))
            }
            ExprKind::Match { rows, .. } => self.all(rows.iter().map(|row| &row.value)),
            ExprKind::Table { cells, .. } => self.all(cells.iter().flatten()),
            ExprKind::Otherwise(a, b) => self.all([&**a, &**b].into_iter()),
            ExprKind::Call { func, .. } => self.body(*func).and_then(|(inner, body)| inner.range(body)),
            ExprKind::Field { field, .. } => match self.derived(*field) {
                Some((inner, body)) => inner.range(body),
                None => self.slot(*field),
            },
            ExprKind::Setting(id) if matches!(e.ty, Type::Int(_) | Type::Length) => {
                let value = Ratio::whole(*self.game.start.cells.get(self.game.layout.settings[id.at()].0)?);
                Some((value, value))
            }
            ExprKind::Query { what: Quantifier::Count, over, .. } => {
                Some((Ratio::ZERO, Ratio::whole(self.shortest(over))))
            }
            ExprKind::Query { what: Quantifier::Sum, over, body: Some(body), .. } => {
                self.times(self.range(body)?, self.shortest(over))
            }
            _ => None,
        }
    }

    /// The bounds of several that may each be the value.
    fn all<'e>(self, values: impl Iterator<Item = &'e Expr>) -> Option<Bounds> {
        let mut joined: Option<Bounds> = None;
        for value in values {
            let (low, high) = self.range(value)?;
            joined = Some(joined.map_or((low, high), |j| (j.0.min(low), j.1.max(high))));
        }
        joined
    }

    fn operation(self, op: Op, args: &[Expr]) -> Option<Bounds> {
        let one = || self.range(args.first()?);
        let two = || Some((self.range(args.first()?)?, self.range(args.get(1)?)?));
        let corners = |f: fn(Ratio, Ratio) -> Option<Ratio>| {
            let (a, b) = two()?;
            let found = [f(a.0, b.0)?, f(a.0, b.1)?, f(a.1, b.0)?, f(a.1, b.1)?];
            Some((found.into_iter().min()?, found.into_iter().max()?))
        };
        let ends = |f: fn(Ratio, Ratio) -> Ratio| {
            let mut found = one()?;
            for arg in args.iter().skip(1) {
                let next = self.range(arg)?;
                found = (f(found.0, next.0), f(found.1, next.1));
            }
            Some(found)
        };
        match op {
            Op::Add | Op::AddRatio => corners(Ratio::checked_add),
            Op::Sub | Op::SubRatio => corners(Ratio::checked_sub),
            Op::Mul | Op::MulRatio => corners(Ratio::checked_mul),
            Op::Fraction | Op::DivRatio => {
                let ((_, _), (low, high)) = two()?;
                let sure = low > Ratio::ZERO || high < Ratio::ZERO;
                if sure { corners(Ratio::checked_div) } else { None }
            }
            Op::Neg | Op::NegRatio => one().and_then(|(low, high)| Some((high.checked_neg()?, low.checked_neg()?))),
            Op::ToRatio => one(),
            Op::RoundDown => one().map(|(low, high)| (Ratio::whole(low.floor()), Ratio::whole(high.floor()))),
            Op::RoundUp => one().map(|(low, high)| (Ratio::whole(low.ceil()), Ratio::whole(high.ceil()))),
            Op::Min | Op::MinRatio => ends(Ord::min),
            Op::Max | Op::MaxRatio => ends(Ord::max),
            Op::Size => {
                let list = args.first()?;
                let most = if matches!(list.ty, Type::List(_)) { self.length(list) } else { self.things() };
                Some((Ratio::ZERO, Ratio::whole(most)))
            }
            Op::Total => {
                let list = args.first()?;
                self.times(self.entry(list)?, self.length(list))
            }
            _ => None,
        }
    }

    /// A sum of at most so many.
    fn times(self, each: Bounds, most: i64) -> Option<Bounds> {
        let most = Ratio::whole(most);
        Some((each.0.min(Ratio::ZERO).checked_mul(most)?, each.1.max(Ratio::ZERO).checked_mul(most)?))
    }

    /// The bounds of the entries of a list of numbers.
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

    /// The most entries a list can have.
    fn length(self, list: &Expr) -> i64 {
        let most = match &list.kind {
            ExprKind::List(parts) => parts.len() as i64,
            ExprKind::Op(Op::Concat, args) => args.iter().map(|a| self.length(a)).fold(0, i64::saturating_add),
            ExprKind::Op(Op::Highest | Op::Lowest, args) => args.get(1).map_or(LONGEST, |list| self.length(list)),
            ExprKind::Map { over, flatten: false, .. } => self.entries(over),
            ExprKind::Call { func, .. } => self.body(*func).map_or(LONGEST, |(inner, body)| inner.length(body)),
            ExprKind::Field { field, .. } => match &self.game.program.rules.fields[field.at()].sort {
                FieldSort::BackLink(link) => self.slots(self.game.program.rules.fields[link.at()].kind),
                _ => self.derived(*field).map_or(LONGEST, |(inner, body)| inner.length(body)),
            },
            _ => LONGEST,
        };
        most.min(LONGEST)
    }

    fn entries(self, over: &Collection) -> i64 {
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
            Collection::Group(_) => self.things(),
        }
    }

    /// Several collections are gone through side by side, as far as the shortest goes.
    fn shortest(self, over: &[(LocalId, Collection)]) -> i64 {
        over.iter().map(|(_, c)| self.entries(c)).min().unwrap_or(0)
    }

    /// The most things there can be of a kind.
    fn slots(self, kind: KindId) -> i64 {
        self.game.layout.kinds[kind.at()].slots as i64
    }

    /// The most things there can be of any one kind.
    fn things(self) -> i64 {
        self.game.layout.kinds.iter().map(|k| k.slots as i64).max().unwrap_or(0)
    }

    /// Between which values a state of a thing is kept by the bounds that it is declared with: numbers, and params.
    fn slot(self, field: FieldId) -> Option<Bounds> {
        let program = &self.game.program;
        let info = &program.rules.fields[field.at()];
        let kept =
            info.sort == FieldSort::State && info.keys.is_empty() && !program.links.accessors.contains_key(&field);
        let end = |func: Option<FuncId>| {
            func.and_then(|f| self.body(f))
                .filter(|(_, body)| is_fixed(body))
                .and_then(|(inner, body)| inner.range(body))
        };
        let declared = match info.ty {
            Type::Int(r) => (Ratio::whole(r.low), Ratio::whole(r.high)),
            _ => return None,
        };
        let low = end(info.low).map_or(declared.0, |(low, _)| low);
        let high = end(info.high).map_or(declared.1, |(_, high)| high);
        kept.then_some((low, high))
    }

    /// The body of a derived field that no special rule changes.
    fn derived(&self, field: FieldId) -> Option<(Finder<'_>, &Expr)> {
        let program = &self.game.program;
        match program.rules.fields[field.at()].sort {
            FieldSort::Let(func) if !program.links.accessors.contains_key(&field) => self.body(func),
            _ => None,
        }
    }

    /// The body of a function that gives a value and cannot be replaced; its parameters may be anything of their types.
    fn body(&self, func: FuncId) -> Option<(Finder<'_>, &Expr)> {
        let function = self.game.program.rules.functions.get(func.at())?;
        match &function.body {
            Body::Value(value) if !function.external && self.depth < DEEPEST => {
                Some((Finder { depth: self.depth + 1, ..*self }, value))
            }
            _ => None,
        }
    }
}
