//! Witnesses of findings, described in a designer's terms.

use super::cut::{Class, Column, Layout, Set, number};
use super::{Bound, Domain, Edge};
use crate::value::{Ratio, fixed};

/// The part of a witness for one column of its domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Any value.
    Any,
    /// A missing value.
    None,
    /// A present value.
    Some,
    /// A case or die, by its index.
    Case(usize),
    /// A die past the top of its chain if true, past the bottom if false.
    Past(bool),
    /// Numbers. For a single number, both bounds are equal.
    Band {
        /// Lower bound.
        lo: Bound,
        /// Upper bound.
        hi: Bound,
        /// Whether fractions are printed as percent.
        percent: bool,
    },
}

/// A value, or a range of values, that proves a finding. Has one piece for each component of the subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Pieces from left to right. An optional tuple has one additional piece before its components.
    pub pieces: Vec<Piece>,
}

impl Witness {
    /// Describes the witness: `exactly 50%`, `4`, `Walker`, `a number over 12`, `none`, `(Walker, past the top)`.
    pub fn describe(&self, domain: &Domain) -> String {
        words(domain, &mut self.pieces.iter(), false)
    }
}

fn words(domain: &Domain, pieces: &mut std::slice::Iter<'_, Piece>, optional: bool) -> String {
    match domain {
        Domain::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| words(part, pieces, false)).collect();
            format!("({})", parts.join(", "))
        }
        Domain::Optional(inner) => match &**inner {
            Domain::Tuple(_) => {
                let gate = pieces.next();
                let inside = words(inner, pieces, false);
                if matches!(gate, Some(Piece::None)) { "none".to_string() } else { inside }
            }
            leaf => words(leaf, pieces, true),
        },
        leaf => pieces.next().map_or_else(|| "anything".to_string(), |piece| leaf_words(leaf, piece, optional)),
    }
}

fn leaf_words(domain: &Domain, piece: &Piece, optional: bool) -> String {
    let die = |dice: &[u32], n: usize| dice.get(n).map_or_else(|| "a die".to_string(), |sides| format!("d{sides}"));
    match piece {
        Piece::Any => "anything".to_string(),
        Piece::None => "none".to_string(),
        Piece::Some => "something".to_string(),
        Piece::Past(true) => "past the top".to_string(),
        Piece::Past(false) => "past the bottom".to_string(),
        Piece::Case(n) => match domain {
            Domain::Flag => if *n == 0 { "no" } else { "yes" }.to_string(),
            Domain::Cases(names) => names.get(*n).cloned().unwrap_or_default(),
            Domain::Dice(dice) | Domain::Past { chain: dice, .. } => die(dice, *n),
            _ => "a case".to_string(),
        },
        Piece::Band { lo, hi, percent } => {
            let some = if optional { "some " } else { "a " };
            match domain {
                Domain::Int { lo: least, hi: most } => whole_words(lo, hi, (*least, *most), some),
                Domain::Length { .. } => band_words(lo, hi, &|n| scaled(n, 1000, "\""), &format!("{some}length")),
                Domain::Angle => band_words(lo, hi, &|n| scaled(n, 100, "°"), &format!("{some}bearing")),
                _ if *percent => band_words(lo, hi, &percent_words, &format!("{some}share")),
                _ => band_words(lo, hi, &|n| decimal(n).unwrap_or_else(|| n.to_string()), &format!("{some}number")),
            }
        }
    }
}

/// Describes whole numbers, with both ends inclusive if they are known.
fn whole_words(lo: &Bound, hi: &Bound, (least, most): (Option<i64>, Option<i64>), some: &str) -> String {
    let first = match lo {
        Bound::Unbounded => Some(least),
        Bound::Included(Edge::At(n)) => Some(Some(n.ceil())),
        Bound::Excluded(Edge::At(n)) => Some(n.floor().checked_add(1)),
        _ => None,
    };
    let last = match hi {
        Bound::Unbounded => Some(most),
        Bound::Included(Edge::At(n)) => Some(Some(n.floor())),
        Bound::Excluded(Edge::At(n)) => Some(n.ceil().checked_sub(1)),
        _ => None,
    };
    let (Some(first), Some(last)) = (first, last) else {
        return band_words(lo, hi, &|n| n.to_string(), &format!("{some}number"));
    };
    let first = first.map(|f| least.map_or(f, |l| f.max(l)));
    let last = last.map(|l| most.map_or(l, |m| l.min(m)));
    match (first, last) {
        (Some(a), Some(b)) if a == b => a.to_string(),
        (Some(a), Some(b)) => format!("{a} to {b}"),
        (Some(a), None) => format!("{some}number over {}", a.saturating_sub(1)),
        (None, Some(b)) => format!("{some}number under {}", b.saturating_add(1)),
        (None, None) => format!("{some}number"),
    }
}

fn band_words(lo: &Bound, hi: &Bound, show: &dyn Fn(Ratio) -> String, whole: &str) -> String {
    let edge = |edge: &Edge| match edge {
        Edge::At(n) => show(*n),
        Edge::Written(text) => text.clone(),
    };
    match (lo, hi) {
        (Bound::Unbounded, Bound::Unbounded) => whole.to_string(),
        (Bound::Included(a), Bound::Unbounded) => format!("at least {}", edge(a)),
        (Bound::Excluded(a), Bound::Unbounded) => format!("over {}", edge(a)),
        (Bound::Unbounded, Bound::Included(b)) => format!("at most {}", edge(b)),
        (Bound::Unbounded, Bound::Excluded(b)) => format!("under {}", edge(b)),
        (Bound::Included(a), Bound::Included(b)) if a == b => format!("exactly {}", edge(a)),
        (Bound::Included(a), Bound::Included(b)) => format!("{} to {}", edge(a), edge(b)),
        (Bound::Included(a), Bound::Excluded(b)) => format!("{} to under {}", edge(a), edge(b)),
        (Bound::Excluded(a), Bound::Included(b)) => format!("over {} to {}", edge(a), edge(b)),
        (Bound::Excluded(a), Bound::Excluded(b)) => format!("over {} to under {}", edge(a), edge(b)),
    }
}

fn scaled(n: Ratio, parts: i64, unit: &str) -> String {
    n.checked_div(Ratio::whole(parts)).map_or_else(|| n.to_string(), |n| decimal(n).unwrap_or_else(|| n.to_string()))
        + unit
}

fn percent_words(n: Ratio) -> String {
    match n.checked_mul(Ratio::whole(100)).and_then(decimal) {
        Some(text) => text + "%",
        None => n.to_string(),
    }
}

/// Formats a fraction as a decimal if at most three decimal places represent it exactly.
fn decimal(n: Ratio) -> Option<String> {
    let thousandths = n.checked_mul(Ratio::whole(1000)).filter(|t| t.is_whole())?.num();
    Some(fixed(thousandths, 1000))
}

/// Converts a set of classes of one column to pieces.
pub(super) fn stretches(column: &Column, layout: &Layout, classes: &[Class], set: &Set) -> Vec<Piece> {
    if classes.len() > 1 && (0..classes.len()).all(|n| set.contains(n)) {
        return vec![Piece::Any];
    }
    let percent = column.numbers.iter().all(|n| *n <= Ratio::ONE);
    let mut pieces = Vec::new();
    let mut n = 0;
    while n < classes.len() {
        let first = n;
        n += 1;
        if !set.contains(first) {
            continue;
        }
        match classes[first] {
            Class::None => pieces.push(Piece::None),
            Class::Some => pieces.push(Piece::Some),
            Class::Case(c) => pieces.push(Piece::Case(c)),
            Class::Past(top) => pieces.push(Piece::Past(top)),
            Class::Point(_) | Class::Before(_) => {
                while n < classes.len() && set.contains(n) && matches!(classes[n], Class::Point(_) | Class::Before(_)) {
                    n += 1;
                }
                pieces.push(Piece::Band { lo: from(classes[first], layout), hi: to(classes[n - 1], layout), percent });
            }
        }
    }
    pieces
}

fn shown(layout: &Layout, n: usize) -> Option<Edge> {
    let group = layout.get(n)?;
    number(group).map(Edge::At).or_else(|| group.first().cloned())
}

fn from(class: Class, layout: &Layout) -> Bound {
    match class {
        Class::Point(n) => shown(layout, n).map_or(Bound::Unbounded, Bound::Included),
        Class::Before(n) => n.checked_sub(1).and_then(|n| shown(layout, n)).map_or(Bound::Unbounded, Bound::Excluded),
        _ => Bound::Unbounded,
    }
}

fn to(class: Class, layout: &Layout) -> Bound {
    match class {
        Class::Point(n) => shown(layout, n).map_or(Bound::Unbounded, Bound::Included),
        Class::Before(n) => shown(layout, n).map_or(Bound::Unbounded, Bound::Excluded),
        _ => Bound::Unbounded,
    }
}
