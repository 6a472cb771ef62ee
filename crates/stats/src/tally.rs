//! Counts the frequencies of values in integers.

use grognard_base::order;
use grognard_base::value::Ratio;
use grognard_base::value::ratio::gcd;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum number of distinct values that a tally counts.
pub const MOST_VALUES: usize = 1 << 17;

/// Numbers in `0..SMALL` are counted in an array.
const SMALL: usize = 512;
const SMALL_CELL: i64 = SMALL as i64;

/// The small numbers as cells.
static CELLS: [[i64; 1]; SMALL] = {
    let mut cells = [[0]; SMALL];
    let mut n = 0;
    while n < SMALL {
        cells[n][0] = n as i64;
        n += 1;
    }
    cells
};

/// The frequency of each value of a measure. The sum of the tallies of several threads does not depend on the assignment
/// of runs to threads. Serialized, equal tallies have equal bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "TallyForm", from = "TallyForm")]
pub struct Tally {
    /// Number of runs counted.
    pub counted: u64,
    /// The frequencies of small numbers, up to the largest one that occurred. `different` is the number of distinct
    /// ones.
    small: Vec<u64>,
    different: usize,
    /// The frequencies of all other values, by their cells.
    values: BTreeMap<Box<[i64]>, u64>,
    /// Whether there were more distinct values than the maximum. The values are then dropped.
    too_many: bool,
}

/// The serialized form of a tally: the number of runs counted, and the values in the order of their cells with their
/// frequencies, or `None` if there were too many.
#[derive(Serialize, Deserialize)]
struct TallyForm(u64, Option<Vec<(Vec<i64>, u64)>>);

impl From<Tally> for TallyForm {
    fn from(tally: Tally) -> TallyForm {
        let values = tally.values().map(|values| values.map(|(cells, times)| (cells.to_vec(), times)).collect());
        TallyForm(tally.counted, values)
    }
}

impl From<TallyForm> for Tally {
    fn from(TallyForm(counted, values): TallyForm) -> Tally {
        let mut tally = Tally { counted, ..Tally::default() };
        match values {
            Some(values) => values.iter().for_each(|(cells, times)| tally.more(cells, *times)),
            None => tally.give_up(),
        }
        tally
    }
}

impl Tally {
    /// Counts one occurrence of a value, given by its cells.
    pub fn add(&mut self, cells: &[i64]) {
        self.add_times(cells, 1);
    }

    /// Counts several occurrences of a value.
    pub fn add_times(&mut self, cells: &[i64], times: u64) {
        self.counted += times;
        self.more(cells, times);
    }

    /// Counts each of these single-cell values once.
    pub fn add_each(&mut self, cells: &[i64]) {
        self.counted += cells.len() as u64;
        for cell in cells {
            // as an unsigned index, a cell that is not a small number is beyond the array
            match self.small.get_mut(*cell as u64 as usize) {
                Some(old @ 1..) => *old += 1,
                _ => self.more_of_new(std::slice::from_ref(cell), 1),
            }
        }
    }

    /// Adds the counts of another tally.
    pub fn merge(&mut self, other: &Tally) {
        self.counted += other.counted;
        for (cells, times) in CELLS.iter().zip(&other.small).filter(|(_, times)| **times > 0) {
            self.more(cells, *times);
        }
        for (cells, times) in &other.values {
            self.more(cells, *times);
        }
        if other.too_many {
            self.give_up();
        }
    }

    fn give_up(&mut self) {
        self.values.clear();
        self.small.clear();
        self.different = 0;
        self.too_many = true;
    }

    #[inline]
    fn more(&mut self, cells: &[i64], times: u64) {
        if let [cell @ 0..SMALL_CELL] = cells
            && let Some(old @ 1..) = self.small.get_mut(*cell as usize)
        {
            *old += times;
            return;
        }
        self.more_of_new(cells, times);
    }

    fn more_of_new(&mut self, cells: &[i64], times: u64) {
        if let Some(old) = self.values.get_mut(cells) {
            *old += times;
        } else if self.too_many || self.values.len() + self.different >= MOST_VALUES {
            self.give_up();
        } else if let [cell @ 0..SMALL_CELL] = cells {
            let at = *cell as usize;
            if self.small.len() <= at {
                self.small.resize(at + 1, 0);
            }
            self.small[at] = times;
            self.different += 1;
        } else {
            self.values.insert(cells.into(), times);
        }
    }

    /// Returns each value with its frequency, in the order of the cells, or `None` if there were too many distinct
    /// values.
    pub fn values(&self) -> Option<impl Iterator<Item = (&[i64], u64)>> {
        let small = CELLS.iter().zip(&self.small).filter(|(_, times)| **times > 0);
        let small = small.map(|(cells, times)| (cells.as_slice(), *times));
        let mut all: Vec<(&[i64], u64)> = small.chain(self.values.iter().map(|(c, times)| (&**c, *times))).collect();
        // merges two sorted sequences
        order::sort(&mut all);
        (!self.too_many).then(|| all.into_iter())
    }

    /// Returns the frequency of a single-cell value.
    pub fn times(&self, cell: i64) -> u64 {
        let small = usize::try_from(cell).ok().and_then(|at| self.small.get(at));
        small.or_else(|| self.values.get([cell].as_slice())).copied().unwrap_or(0)
    }

    /// Returns the numbers with their frequencies. `fraction`: a value consists of two cells, numerator and
    /// denominator.
    pub fn numbers(&self, fraction: bool) -> Option<Vec<(Ratio, u64)>> {
        let number = |cells: &[i64]| match cells {
            [num, den, ..] if fraction => Ratio::new(*num, *den),
            [n, ..] => Some(Ratio::whole(*n)),
            [] => None,
        };
        self.values()?.map(|(cells, times)| Some((number(cells)?, times))).collect()
    }
}

/// Returns the sum of the numbers as a numerator and a denominator, or `None` on overflow.
fn sum(numbers: &[(Ratio, u64)]) -> Option<(i128, i128)> {
    let mut by: BTreeMap<i64, i128> = BTreeMap::new();
    for (number, times) in numbers {
        let more = i128::from(number.num()).checked_mul(i128::from(*times))?;
        let old = by.entry(number.den()).or_insert(0);
        *old = old.checked_add(more)?;
    }
    by.into_iter().try_fold((0, 1), |(num, den): (i128, i128), (under, over)| {
        let under = i128::from(under);
        let common = den.checked_mul(under)?;
        let num = num.checked_mul(under)?.checked_add(over.checked_mul(den)?)?;
        let divisor = gcd(num.unsigned_abs(), common.unsigned_abs());
        let divisor = i128::try_from(divisor).ok()?.max(1);
        Some((num / divisor, common / divisor))
    })
}

/// Returns the exact mean of the numbers, or `None` without numbers or on overflow.
pub fn mean(numbers: &[(Ratio, u64)]) -> Option<Ratio> {
    let count: u64 = numbers.iter().map(|(_, times)| times).sum();
    let (num, den) = sum(numbers)?;
    let den = den.checked_mul(i128::from(count))?;
    let divisor = i128::try_from(gcd(num.unsigned_abs(), den.unsigned_abs())).ok().filter(|d| *d > 0)?;
    Ratio::new(i64::try_from(num / divisor).ok()?, i64::try_from(den / divisor).ok()?)
}
