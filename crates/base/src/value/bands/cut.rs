//! Partitions a subject into classes: the columns of a domain, and the cuts at the bounds of the rows.

use super::{Bound, Domain, Edge, Shape};
use crate::value::Ratio;
use fixedbitset::FixedBitSet;

/// One component of a subject that is not a tuple, with the bounds that rows use there.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub domain: Domain,
    /// Whether the value can be missing.
    pub optional: bool,
    /// Whether the column represents an optional tuple: its classes are `none` and `some`.
    pub gate: bool,
    /// Numeric bounds, ascending, without duplicates.
    pub numbers: Vec<Ratio>,
    /// Bounds known only during play, without duplicates.
    pub written: Vec<String>,
    /// Bands with two ends, used to exclude orders in which a band would be reversed.
    pub spans: Vec<(Edge, Edge)>,
}

/// A set of classes of one column, by index.
pub(super) type Set = FixedBitSet;

/// Returns the set of all `len` classes.
pub(super) fn full(len: usize) -> Set {
    (0..len).collect()
}

/// Returns the classes of `set` that are not in `other`.
pub(super) fn without(set: &Set, other: &Set) -> Set {
    let mut left = set.clone();
    left.difference_with(other);
    left
}

/// One class of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    None,
    /// Any present value of a thing or a tuple.
    Some,
    Case(usize),
    Past(bool),
    /// The bound at index `n` of the layout.
    Point(usize),
    /// The open interval before the bound at index `n` of the layout.
    Before(usize),
}

/// One order of all bounds of a column. Equal bounds form a group.
pub(super) type Layout = Vec<Vec<Edge>>;

/// Returns the columns of a domain, from left to right.
pub(super) fn columns(domain: &Domain) -> Vec<Column> {
    let column = |domain: &Domain, optional, gate| Column {
        domain: domain.clone(),
        optional,
        gate,
        numbers: Vec::new(),
        written: Vec::new(),
        spans: Vec::new(),
    };
    match domain {
        Domain::Tuple(parts) => parts.iter().flat_map(columns).collect(),
        Domain::Optional(inner) => match &**inner {
            Domain::Optional(_) => columns(inner),
            Domain::Tuple(parts) => {
                let gate = column(&Domain::Opaque, true, true);
                std::iter::once(gate).chain(parts.iter().flat_map(columns)).collect()
            }
            leaf => vec![column(leaf, true, false)],
        },
        leaf => vec![column(leaf, false, false)],
    }
}

/// Returns the number of columns of a domain.
pub(super) fn width(domain: &Domain) -> usize {
    match domain {
        Domain::Tuple(parts) => parts.iter().map(width).sum(),
        Domain::Optional(inner) => match &**inner {
            Domain::Tuple(parts) => 1 + parts.iter().map(width).sum::<usize>(),
            other => width(other),
        },
        _ => 1,
    }
}

impl Column {
    /// Returns whether the column is numeric, so that bounds cut it.
    pub fn is_line(&self) -> bool {
        matches!(self.domain, Domain::Int { .. } | Domain::Length { .. } | Domain::Ratio | Domain::Angle)
    }

    /// Adds the bounds of a shape.
    pub fn note(&mut self, shape: &Shape) {
        let Shape::Interval { lo, hi } = shape else { return };
        for bound in [lo, hi] {
            match bound {
                Bound::Unbounded => {}
                Bound::Included(edge) | Bound::Excluded(edge) => match edge {
                    Edge::At(n) => insert(&mut self.numbers, n),
                    Edge::Written(t) => insert(&mut self.written, t),
                },
            }
        }
        if let (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) = (lo, hi)
            && a != b
        {
            self.spans.push((a.clone(), b.clone()));
        }
    }

    /// Returns the ends of a column of whole steps, or `None` for fractions and for columns that are not numeric.
    fn ends(&self) -> Option<(Option<i64>, Option<i64>)> {
        match self.domain {
            Domain::Int { lo, hi } | Domain::Length { lo, hi } => Some((lo, hi)),
            Domain::Angle => Some((Some(0), Some(35_999))),
            _ => None,
        }
    }

    /// Returns whether the column has the value `n`.
    fn has(&self, n: Ratio) -> bool {
        self.ends().is_none_or(|(lo, hi)| {
            n.is_whole() && lo.is_none_or(|lo| lo <= n.num()) && hi.is_none_or(|hi| n.num() <= hi)
        })
    }

    /// Returns whether the column has a value strictly between two bounds. `None` is unbounded.
    fn has_between(&self, below: Option<Ratio>, above: Option<Ratio>) -> bool {
        let Some((lo, hi)) = self.ends() else { return true };
        let first = below.map_or(lo.map(i128::from), |b| {
            let next = i128::from(b.floor()) + 1;
            Some(lo.map_or(next, |lo| next.max(i128::from(lo))))
        });
        let last = above.map_or(hi.map(i128::from), |a| {
            let before = i128::from(a.ceil()) - 1;
            Some(hi.map_or(before, |hi| before.min(i128::from(hi))))
        });
        first.zip(last).is_none_or(|(first, last)| first <= last)
    }

    /// Returns every possible order of the bounds of this column, or `None` if there are more than `most`.
    pub fn layouts(&self, most: usize) -> Option<Vec<Layout>> {
        let numbers: Layout = self.numbers.iter().map(|n| vec![Edge::At(*n)]).collect();
        let mut layouts = vec![numbers];
        for text in self.written.iter().filter(|_| self.is_line()) {
            let mut next = Vec::new();
            for layout in &layouts {
                for place in 0..=layout.len() {
                    if self.may_stand_before(layout, place) {
                        let mut new = layout.clone();
                        new.insert(place, vec![Edge::Written(text.clone())]);
                        next.push(new);
                    }
                    if place < layout.len() && number(&layout[place]).is_none_or(|n| self.has(n)) {
                        let mut new = layout.clone();
                        new[place].push(Edge::Written(text.clone()));
                        next.push(new);
                    }
                }
                if next.len() > 64 * most {
                    return None;
                }
            }
            layouts = next;
        }
        layouts.retain(|layout| {
            let place = |edge: &Edge| layout.iter().position(|group| group.contains(edge));
            self.spans.iter().all(|(a, b)| match (a, b) {
                (Edge::At(_), Edge::At(_)) => true,
                _ => place(a) <= place(b),
            })
        });
        (layouts.len() <= most).then_some(layouts)
    }

    /// Returns whether a bound known only during play can be just before index `n`. Such a bound is assumed to be a
    /// value of the column.
    fn may_stand_before(&self, layout: &Layout, n: usize) -> bool {
        let below = layout[..n].iter().rev().find_map(|g| number(g));
        let above = layout[n..].iter().find_map(|g| number(g));
        self.has_between(below, above)
    }

    /// Returns the classes of this column for one order of its bounds.
    pub fn classes(&self, layout: &Layout) -> Vec<Class> {
        let mut classes = Vec::new();
        match &self.domain {
            Domain::Flag => classes.extend([Class::Case(0), Class::Case(1)]),
            Domain::Cases(names) => classes.extend((0..names.len()).map(Class::Case)),
            Domain::Dice(dice) => classes.extend((0..dice.len()).map(Class::Case)),
            Domain::Past { chain, top, bottom } => {
                classes.extend(bottom.then_some(Class::Past(false)));
                classes.extend((0..chain.len()).map(Class::Case));
                classes.extend(top.then_some(Class::Past(true)));
            }
            Domain::Opaque | Domain::Tuple(_) | Domain::Optional(_) => classes.push(Class::Some),
            Domain::Int { .. } | Domain::Length { .. } | Domain::Ratio | Domain::Angle => {
                for n in 0..=layout.len() {
                    let below = n.checked_sub(1).map(|b| &layout[b]);
                    let above = layout.get(n);
                    // an interval next to a bound known only during play can be nonempty
                    let open = [below, above].into_iter().flatten().any(|g| number(g).is_none());
                    if open || self.has_between(below.and_then(|g| number(g)), above.and_then(|g| number(g))) {
                        classes.push(Class::Before(n));
                    }
                    if above.is_some_and(|g| number(g).is_none_or(|n| self.has(n))) {
                        classes.push(Class::Point(n));
                    }
                }
            }
        }
        if self.optional {
            classes.push(Class::None);
        }
        classes
    }

    /// Returns the classes that a shape matches, or `None` if the shape is known only during play.
    pub fn lets(&self, shape: &Shape, classes: &[Class], layout: &Layout) -> Option<Set> {
        let pick = |f: &dyn Fn(Class) -> bool| Some((0..classes.len()).filter(|n| f(classes[*n])).collect());
        match shape {
            Shape::Any => pick(&|_| true),
            Shape::None => pick(&|c| c == Class::None),
            Shape::Some => pick(&|c| c != Class::None),
            Shape::Case(n) => match classes.iter().position(|c| *c == Class::Case(*n)) {
                Some(at) => Some([at].into_iter().collect()),
                None => pick(&|_| false),
            },
            Shape::Past { top } => pick(&|c| c == Class::Past(*top)),
            Shape::Tuple(_) => pick(&|c| self.gate && c != Class::None),
            Shape::Unknown(_) => None,
            Shape::Interval { lo, hi } if self.is_line() => {
                let (first, last) = (first_step(lo, layout)?, last_step(hi, layout)?);
                pick(&|c| step(c).is_some_and(|s| first <= s && s <= last))
            }
            Shape::Interval { lo, hi } => {
                if [lo, hi].iter().any(|b| matches!(written(b), Some(Edge::Written(_)))) {
                    return None;
                }
                pick(&|c| self.rank(c).is_some_and(|n| is_above(n, lo) && is_below(n, hi)))
            }
        }
    }

    /// Returns the value that bands compare: the sides of a die, or the index of a case.
    fn rank(&self, class: Class) -> Option<Ratio> {
        let Class::Case(n) = class else { return None };
        match &self.domain {
            Domain::Dice(dice) | Domain::Past { chain: dice, .. } => {
                dice.get(n).map(|sides| Ratio::whole(i64::from(*sides)))
            }
            Domain::Cases(_) | Domain::Flag => i64::try_from(n).ok().map(Ratio::whole),
            _ => None,
        }
    }
}

fn insert<T: Ord + Clone>(list: &mut Vec<T>, item: &T) {
    if let Err(at) = list.binary_search(item) {
        list.insert(at, item.clone());
    }
}

/// Returns the number in one group of a layout, if one is known.
pub(super) fn number(group: &[Edge]) -> Option<Ratio> {
    group.iter().find_map(|edge| match edge {
        Edge::At(n) => Some(*n),
        Edge::Written(_) => None,
    })
}

fn written(bound: &Bound) -> Option<&Edge> {
    match bound {
        Bound::Unbounded => None,
        Bound::Included(edge) | Bound::Excluded(edge) => Some(edge),
    }
}

/// Returns the rank of a class of a numeric column: interval, bound, interval, and so on.
fn step(class: Class) -> Option<usize> {
    match class {
        Class::Before(n) => Some(2 * n),
        Class::Point(n) => Some(2 * n + 1),
        _ => None,
    }
}

fn first_step(lo: &Bound, layout: &Layout) -> Option<usize> {
    let at = |edge| layout.iter().position(|group| group.contains(edge));
    match lo {
        Bound::Unbounded => Some(0),
        Bound::Included(edge) => at(edge).map(|n| 2 * n + 1),
        Bound::Excluded(edge) => at(edge).map(|n| 2 * n + 2),
    }
}

fn last_step(hi: &Bound, layout: &Layout) -> Option<usize> {
    let at = |edge| layout.iter().position(|group| group.contains(edge));
    match hi {
        Bound::Unbounded => Some(usize::MAX),
        Bound::Included(edge) => at(edge).map(|n| 2 * n + 1),
        Bound::Excluded(edge) => at(edge).map(|n| 2 * n),
    }
}

fn is_above(n: Ratio, lo: &Bound) -> bool {
    match lo {
        Bound::Included(Edge::At(b)) => n >= *b,
        Bound::Excluded(Edge::At(b)) => n > *b,
        _ => true,
    }
}

fn is_below(n: Ratio, hi: &Bound) -> bool {
    match hi {
        Bound::Included(Edge::At(b)) => n <= *b,
        Bound::Excluded(Edge::At(b)) => n < *b,
        _ => true,
    }
}
