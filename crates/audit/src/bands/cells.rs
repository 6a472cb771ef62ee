//! A line of numbers cut at the bounds that conditions name: each bound a cell, and each stretch between two of them. No
//! condition tells two numbers of a cell apart, so one number stands for all (equivalence class partitioning).

use grognard_base::order;
use grognard_base::value::Ratio;
use grognard_base::value::bands::{Bound, Domain, Edge, Piece, Witness};

/// A condition on one number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberTest {
    /// Any number.
    Always,
    /// Less than, or not more than.
    Below(Ratio, bool),
    /// More than, or not less than.
    Above(Ratio, bool),
    /// Just that.
    Is(Ratio),
    /// What the other does not let through.
    Not(Box<NumberTest>),
    /// What all of them let through.
    All(Vec<NumberTest>),
    /// What one of them lets through.
    Any(Vec<NumberTest>),
}

impl NumberTest {
    /// Whether a number passes.
    pub fn holds(&self, x: Ratio) -> bool {
        match self {
            NumberTest::Always => true,
            NumberTest::Below(n, too) => x < *n || *too && x == *n,
            NumberTest::Above(n, too) => x > *n || *too && x == *n,
            NumberTest::Is(n) => x == *n,
            NumberTest::Not(test) => !test.holds(x),
            NumberTest::All(tests) => tests.iter().all(|test| test.holds(x)),
            NumberTest::Any(tests) => tests.iter().any(|test| test.holds(x)),
        }
    }

    /// Adds the bounds it names.
    pub fn bounds(&self, into: &mut Vec<Ratio>) {
        match self {
            NumberTest::Always => {}
            NumberTest::Below(n, _) | NumberTest::Above(n, _) | NumberTest::Is(n) => into.push(*n),
            NumberTest::Not(test) => test.bounds(into),
            NumberTest::All(tests) | NumberTest::Any(tests) => tests.iter().for_each(|test| test.bounds(into)),
        }
    }

    /// True if it speaks of more or less, and not only of single numbers.
    pub fn is_band(&self) -> bool {
        match self {
            NumberTest::Always | NumberTest::Is(_) => false,
            NumberTest::Below(..) | NumberTest::Above(..) => true,
            NumberTest::Not(test) => test.is_band(),
            NumberTest::All(tests) | NumberTest::Any(tests) => tests.iter().any(NumberTest::is_band),
        }
    }
}

/// A cell, or several that lie side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberCell {
    low: Bound,
    high: Bound,
    /// A number in it: the one nearest to 0 that is easily named.
    pub number: Ratio,
    /// It is one number and no more.
    pub single: bool,
}

impl NumberCell {
    /// Whether a number lies in it.
    pub fn holds(&self, x: Ratio) -> bool {
        let above = match &self.low {
            Bound::Included(Edge::At(n)) => x >= *n,
            Bound::Excluded(Edge::At(n)) => x > *n,
            _ => true,
        };
        let below = match &self.high {
            Bound::Included(Edge::At(n)) => x <= *n,
            Bound::Excluded(Edge::At(n)) => x < *n,
            _ => true,
        };
        above && below
    }
}

/// A domain cut into cells, rising.
pub struct Line {
    domain: Domain,
    /// The cells.
    pub cells: Vec<NumberCell>,
}

impl Line {
    /// Cuts a domain at the bounds of tests; none if it is no line of numbers.
    pub fn cut<'t>(domain: &Domain, tests: impl Iterator<Item = &'t NumberTest>) -> Option<Line> {
        let mut bounds = Vec::new();
        tests.for_each(|test| test.bounds(&mut bounds));
        order::sort(&mut bounds);
        bounds.dedup();
        let whole = match domain {
            Domain::Int { lo, hi } | Domain::Length { lo, hi } => Some((*lo, *hi)),
            Domain::Ratio => None,
            _ => return None,
        };
        let mut cells = Vec::new();
        for n in 0..=bounds.len() {
            let (below, above) = (n.checked_sub(1).map(|b| bounds[b]), bounds.get(n).copied());
            cells.extend(stretch(below, above, whole));
            let kept = |n: &Ratio| whole.is_none_or(|ends| n.is_whole() && within(n.num(), ends));
            if let Some(at) = above.filter(kept) {
                let bound = Bound::Included(Edge::At(at));
                cells.push(NumberCell { low: bound.clone(), high: bound, number: at, single: true });
            }
        }
        Some(Line { domain: domain.clone(), cells })
    }

    /// For each cell whether a test lets it through.
    pub fn passes(&self, test: &NumberTest) -> Vec<bool> {
        self.cells.iter().map(|cell| test.holds(cell.number)).collect()
    }

    /// Stretches of cells that are marked: from the first to the last.
    pub fn runs(&self, marked: &[bool]) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for at in (0..marked.len()).filter(|at| marked[*at]) {
            match found.last_mut() {
                Some((_, last)) if *last + 1 == at => *last = at,
                _ => found.push((at, at)),
            }
        }
        found
    }

    /// Cells from the first to the last as one.
    pub fn join(&self, (first, last): (usize, usize)) -> NumberCell {
        let (a, b) = (&self.cells[first], &self.cells[last]);
        let inside = &self.cells[first..=last];
        let size =
            |c: &NumberCell| if c.number < Ratio::ZERO { Ratio::ZERO.checked_sub(c.number) } else { Some(c.number) };
        let number = inside.iter().min_by_key(|c| size(c)).map_or(a.number, |c| c.number);
        NumberCell { low: a.low.clone(), high: b.high.clone(), number, single: first == last && a.single }
    }

    /// In a designer's words: `exactly 50%`, `4`, `a number over 12`.
    pub fn words(&self, cell: &NumberCell) -> String {
        let edge = |bound: &Bound| match bound {
            Bound::Included(Edge::At(n)) | Bound::Excluded(Edge::At(n)) => Some(*n),
            _ => None,
        };
        let ends = self.cells.iter().flat_map(|c| [edge(&c.low), edge(&c.high)]).flatten();
        let percent = ends.fold(true, |all, n| all && n <= Ratio::ONE && n >= Ratio::ZERO);
        let piece = Piece::Band { lo: cell.low.clone(), hi: cell.high.clone(), percent };
        Witness { pieces: vec![piece] }.describe(&self.domain)
    }
}

fn within(n: i64, (lo, hi): (Option<i64>, Option<i64>)) -> bool {
    lo.is_none_or(|lo| lo <= n) && hi.is_none_or(|hi| n <= hi)
}

/// What lies between two bounds, neither of them with it; none if nothing does.
fn stretch(
    below: Option<Ratio>,
    above: Option<Ratio>,
    whole: Option<(Option<i64>, Option<i64>)>,
) -> Option<NumberCell> {
    let bound = |edge: Option<Ratio>| edge.map_or(Bound::Unbounded, |n| Bound::Excluded(Edge::At(n)));
    let (low, high) = (bound(below), bound(above));
    let Some((lo, hi)) = whole else {
        let number = match (below, above) {
            (Some(a), Some(b)) => a.checked_add(b)?.checked_div(Ratio::whole(2))?,
            (Some(a), None) => a.checked_add(Ratio::ONE)?,
            (None, Some(b)) => b.checked_sub(Ratio::ONE)?,
            (None, None) => Ratio::ZERO,
        };
        return Some(NumberCell { low, high, number, single: false });
    };
    let first = match below {
        Some(b) => Some(b.floor().checked_add(1)?.max(lo.unwrap_or(i64::MIN))),
        None => lo,
    };
    let last = match above {
        Some(a) => Some(a.ceil().checked_sub(1)?.min(hi.unwrap_or(i64::MAX))),
        None => hi,
    };
    let number = match (first, last) {
        (Some(a), Some(b)) if a > b => return None,
        (Some(a), Some(b)) => 0.clamp(a, b),
        (Some(a), None) => a.max(0),
        (None, Some(b)) => b.min(0),
        (None, None) => 0,
    };
    Some(NumberCell { low, high, number: Ratio::whole(number), single: first.is_some() && first == last })
}
