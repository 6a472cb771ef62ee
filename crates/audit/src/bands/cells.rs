//! Divides a number line into cells at the bounds that conditions name. Each bound is a cell, and so is each open interval
//! between two bounds. All numbers of a cell satisfy the same conditions, so one of them represents the cell (equivalence
//! class partitioning).

use grognard_base::order;
use grognard_base::value::Ratio;
use grognard_base::value::bands::{Bound, Domain, Edge, Piece, Witness};

/// A condition on one number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberTest {
    /// Accepts every number.
    Always,
    /// `< n`, or `<= n` if the flag is set.
    Below(Ratio, bool),
    /// `> n`, or `>= n` if the flag is set.
    Above(Ratio, bool),
    /// `== n`.
    Is(Ratio),
    /// Accepts the numbers that the inner test rejects.
    Not(Box<NumberTest>),
    /// Accepts the numbers that all inner tests accept.
    All(Vec<NumberTest>),
    /// Accepts the numbers that at least one inner test accepts.
    Any(Vec<NumberTest>),
}

impl NumberTest {
    /// Returns whether the test accepts the number.
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

    /// Appends the bounds that the test names.
    pub fn bounds(&self, into: &mut Vec<Ratio>) {
        match self {
            NumberTest::Always => {}
            NumberTest::Below(n, _) | NumberTest::Above(n, _) | NumberTest::Is(n) => into.push(*n),
            NumberTest::Not(test) => test.bounds(into),
            NumberTest::All(tests) | NumberTest::Any(tests) => tests.iter().for_each(|test| test.bounds(into)),
        }
    }

    /// Returns whether the test has an inequality, and not only equalities.
    pub fn is_band(&self) -> bool {
        match self {
            NumberTest::Always | NumberTest::Is(_) => false,
            NumberTest::Below(..) | NumberTest::Above(..) => true,
            NumberTest::Not(test) => test.is_band(),
            NumberTest::All(tests) | NumberTest::Any(tests) => tests.iter().any(NumberTest::is_band),
        }
    }
}

/// A cell, or the union of adjacent cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberCell {
    low: Bound,
    high: Bound,
    /// A representative of the cell. For integers and lengths, the number closest to 0.
    pub number: Ratio,
    /// Whether the cell contains exactly one number.
    pub single: bool,
}

impl NumberCell {
    /// Returns whether the cell contains the number.
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

/// A domain divided into cells, in ascending order.
pub struct Line {
    domain: Domain,
    pub cells: Vec<NumberCell>,
}

impl Line {
    /// Divides a domain at the bounds of the tests. Returns `None` if the domain is not numeric.
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

    /// Returns whether the test accepts each cell, by index.
    pub fn passes(&self, test: &NumberTest) -> Vec<bool> {
        self.cells.iter().map(|cell| test.holds(cell.number)).collect()
    }

    /// Returns the runs of consecutive marked cells, each as its first and last index.
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

    /// Joins the cells of an index range, inclusive at both ends, to one cell.
    pub fn join(&self, (first, last): (usize, usize)) -> NumberCell {
        let (a, b) = (&self.cells[first], &self.cells[last]);
        let inside = &self.cells[first..=last];
        let size =
            |c: &NumberCell| if c.number < Ratio::ZERO { Ratio::ZERO.checked_sub(c.number) } else { Some(c.number) };
        let number = inside.iter().min_by_key(|c| size(c)).map_or(a.number, |c| c.number);
        NumberCell { low: a.low.clone(), high: b.high.clone(), number, single: first == last && a.single }
    }

    /// Describes a cell for designers, such as `exactly 50%`, `4` or `a number over 12`.
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

/// Returns the open interval between two bounds as a cell, or `None` if it is empty. `whole` is the range of a domain of
/// integers or lengths.
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
