//! Interval arithmetic: the ranges of whole numbers and of lengths of lists.

use super::super::code::{Collection, Expr, ExprKind};
use super::body::BodyChecker;
use grognard_base::value::*;
use grognard_syntax::tree::Rounding;

/// Maximum number of entries of a list.
const LONGEST: i64 = 10_000;

fn clip(low: i128, high: i128) -> Range {
    let cut = |n: i128| n.clamp(i128::from(Range::WIDE.low), i128::from(Range::WIDE.high)) as i64;
    Range::new(cut(low), cut(high))
}

/// Returns the range of a sum.
pub(super) fn add(a: Range, b: Range) -> Range {
    clip(i128::from(a.low) + i128::from(b.low), i128::from(a.high) + i128::from(b.high))
}

/// Returns the range of a difference.
pub(super) fn sub(a: Range, b: Range) -> Range {
    clip(i128::from(a.low) - i128::from(b.high), i128::from(a.high) - i128::from(b.low))
}

/// Returns the range of a product.
pub(super) fn mul(a: Range, b: Range) -> Range {
    let all = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
    let all = all.map(|(x, y)| i128::from(x) * i128::from(y));
    clip(all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
}

/// Returns the range of the minimum of two numbers.
pub(super) fn min(a: Range, b: Range) -> Range {
    Range::new(a.low.min(b.low), a.high.min(b.high))
}

/// Returns the range of the maximum of two numbers.
pub(super) fn max(a: Range, b: Range) -> Range {
    Range::new(a.low.max(b.low), a.high.max(b.high))
}

/// Returns the range of a rounded fraction, if it is a quotient of two numbers.
pub(super) fn rounded(value: &Expr, to: Rounding) -> Range {
    let whole = |n: i64, d: i64| {
        let (n, d) = (i128::from(n), i128::from(d));
        match to {
            Rounding::Up => -((-n).div_euclid(d)),
            Rounding::Down => n.div_euclid(d),
            Rounding::Nearest => (2 * n + d).div_euclid(2 * d),
        }
    };
    if let ExprKind::ConstRatio(n, d @ 1..) = value.kind {
        return clip(whole(n, d), whole(n, d));
    }
    let ExprKind::Op(Op::Fraction, parts) = &value.kind else { return Range::WIDE };
    let [over, under] = parts.as_slice() else { return Range::WIDE };
    match (&over.ty, &under.ty) {
        (Type::Int(r), Type::Int(d)) if d.low >= 1 => {
            let all = [(r.low, d.low), (r.low, d.high), (r.high, d.low), (r.high, d.high)].map(|(n, d)| whole(n, d));
            clip(all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
        }
        // division by a whole number does not increase the absolute value
        (Type::Int(r), Type::Int(_)) => {
            let most = i128::from(r.low).abs().max(i128::from(r.high).abs());
            clip(-most, most)
        }
        _ => Range::WIDE,
    }
}

impl BodyChecker<'_, '_> {
    /// Returns the type of the faces of a die.
    pub fn face_type(&self, dice: &Expr) -> Type {
        match dice.ty.clone() {
            Type::Faces(id) => self.ck.rs.dice[id.at()].of.clone(),
            Type::List(inner) if matches!(*inner, Type::Faces(_)) => match *inner {
                Type::Faces(id) => self.ck.rs.dice[id.at()].of.clone(),
                _ => Type::Unknown,
            },
            Type::Unknown => Type::Unknown,
            _ => Type::Int(self.faces(dice)),
        }
    }

    /// Returns the range of the faces of a die, or of the dice in a list.
    fn faces(&self, dice: &Expr) -> Range {
        let any = Range::new(1, 1_000_000);
        match (&dice.ty, &dice.kind) {
            (Type::Chain(id), ExprKind::Const(step)) => {
                let sides = self.ck.rs.chains[id.at()].dice.get(*step as usize).copied().unwrap_or(1);
                Range::new(1, i64::from(sides))
            }
            (Type::Chain(id), _) => self.chain_faces(*id),
            (Type::List(inner), _) if matches!(**inner, Type::Chain(_)) => match **inner {
                Type::Chain(id) => self.chain_faces(id),
                _ => any,
            },
            (Type::Die, ExprKind::Const(n)) if *n > 0 => Range::new(1, *n),
            (Type::Die, ExprKind::Const(n)) => self.declared_faces(-1 - *n),
            (_, ExprKind::Op(Op::ToDie, args)) => args.first().map_or(any, |a| self.faces(a)),
            (_, ExprKind::Op(Op::Concat, args)) => {
                args.iter().map(|a| self.faces(a)).reduce(Range::join).unwrap_or(any)
            }
            (_, ExprKind::Op(Op::Without, args)) => args.first().map_or(any, |a| self.faces(a)),
            (_, ExprKind::Op(Op::Copies, args)) => args.get(1).map_or(any, |a| self.faces(a)),
            (_, ExprKind::List(parts)) => parts.iter().map(|p| self.faces(p)).reduce(Range::join).unwrap_or(any),
            (_, ExprKind::If { arms, otherwise }) => {
                arms.iter().fold(self.faces(otherwise), |r, (_, v)| r.join(self.faces(v)))
            }
            (_, ExprKind::Map { body, .. }) => self.faces(body),
            _ => any,
        }
    }

    fn chain_faces(&self, id: ChainId) -> Range {
        let most = self.ck.rs.chains[id.at()].dice.iter().max().copied().unwrap_or(1);
        Range::new(1, i64::from(most))
    }

    fn declared_faces(&self, id: i64) -> Range {
        let faces = usize::try_from(id).ok().and_then(|at| self.ck.rs.dice.get(at)).map(|d| &d.faces);
        let low = faces.and_then(|f| f.iter().min()).copied();
        let high = faces.and_then(|f| f.iter().max()).copied();
        Range::new(low.unwrap_or(1), high.unwrap_or(1_000_000))
    }

    /// Returns the range of the number of entries of a list, or of living members of a group.
    pub fn length_of(&self, list: &Expr) -> Range {
        let any = Range::new(0, LONGEST);
        match &list.kind {
            ExprKind::Local(id) => self.sizes.get(id).copied().unwrap_or(any),
            ExprKind::List(parts) => {
                let sure = parts.iter().filter(|p| !matches!(p.ty, Type::Optional(_))).count();
                Range::new(sure as i64, parts.len() as i64)
            }
            ExprKind::Op(Op::Concat, args) => {
                args.iter().map(|a| self.length_of(a)).fold(Range::new(0, 0), |a, b| cap(add(a, b)))
            }
            ExprKind::Op(Op::Without, args) => match args.as_slice() {
                // only an entry that is equal to one of the first list is removed
                [whole, out] => {
                    let size = self.length_of(whole);
                    Range::new(cap(sub(size, self.length_of(out))).low, size.high)
                }
                _ => any,
            },
            ExprKind::Op(Op::Copies, args) => match args.first().map(|a| &a.ty) {
                Some(Type::Int(r)) => cap(*r),
                _ => any,
            },
            ExprKind::Op(Op::Highest | Op::Lowest, args) => match args.as_slice() {
                [n, list] => match n.ty {
                    Type::Int(r) => cap(min(r, self.length_of(list))),
                    _ => any,
                },
                _ => any,
            },
            ExprKind::Map { over, filter, drop, flatten, .. } if !flatten => {
                let size = self.size_of(over);
                if filter.is_some() || *drop { Range::new(0, size.high) } else { size }
            }
            ExprKind::If { arms, otherwise } => {
                arms.iter().fold(self.length_of(otherwise), |r, (_, v)| r.join(self.length_of(v)))
            }
            _ => any,
        }
    }

    /// Returns the range of the number of entries of a collection.
    pub fn size_of(&self, over: &Collection) -> Range {
        match over {
            Collection::List(list) => self.length_of(list),
            Collection::Range(low, high) => match (&low.ty, &high.ty) {
                (Type::Int(a), Type::Int(b)) => {
                    let one = Range::new(1, 1);
                    cap(add(sub(*b, *a), one))
                }
                _ => Range::new(0, LONGEST),
            },
            Collection::Cases(_, n) => Range::new(*n, *n),
            Collection::Kind(_) | Collection::Group(_) => Range::new(0, LONGEST),
        }
    }
}

/// Clamps a range of list lengths to the possible ones.
fn cap(r: Range) -> Range {
    Range::new(r.low.clamp(0, LONGEST), r.high.clamp(0, LONGEST))
}
