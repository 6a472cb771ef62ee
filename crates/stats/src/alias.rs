//! Alias tables (Walker 1977, Vose 1991): samples a known distribution in constant time per draw.

use super::tally::{MOST_VALUES, Tally};
use grognard_base::value::dice::{Site, Stream};
use grognard_batch::Draws;
use grognard_odds::{Distribution, Worth};
use num_bigint::BigUint;

/// Weight of one column of an alias table.
pub const COLUMN: u64 = 1 << 56;

/// An alias table of a distribution: columns of equal weight, each shared by at most two values. The method is from A.
/// J. Walker, "An efficient method for generating discrete random variables with general distributions", ACM
/// Transactions on Mathematical Software 3 (1977). The columns are filled as in M. D. Vose, "A linear algorithm for
/// generating random numbers with a given distribution", IEEE Transactions on Software Engineering 17 (1991). All
/// weights are integers, so the table is the same on every platform.
#[derive(Clone, Debug)]
pub struct AliasTable {
    values: Vec<Vec<i64>>,
    /// For column `i`, the weight of value `i`, and the index of the value with the remaining weight.
    columns: Vec<(u64, u32)>,
}

impl AliasTable {
    /// Creates a table from exact odds. A value is drawn with its probability, within 2^-56.
    ///
    /// Returns `None` if the odds are incomplete, if an outcome is not a value, or if there are more than
    /// [`MOST_VALUES`] values.
    pub fn of(found: &Distribution) -> Option<AliasTable> {
        let values = found.outcomes.iter().map(|o| match &o.worth {
            Worth::Cells(cells) => Some(cells.clone()),
            _ => None,
        });
        let values: Vec<Vec<i64>> = values.collect::<Option<_>>()?;
        let open = found.unexplored != BigUint::default();
        if values.is_empty() || values.len() > MOST_VALUES || open {
            return None;
        }
        let weights: Vec<&BigUint> = found.outcomes.iter().map(|o| &o.weight).collect();
        Some(AliasTable { columns: columns(&shares(&weights)?), values })
    }

    /// Draws the value of one run for the purpose `site`, whose ordinal is 0.
    pub fn draw(&self, stream: &Stream, site: Site) -> &[i64] {
        let at = stream.below(site, 0, 0, self.columns.len() as u32);
        let [high, low] = [1, 2].map(|index| u64::from(stream.word(site, index, 0)));
        &self.values[self.value(at, high << 32 | low)]
    }

    /// Returns the index of the value in a column at a place in 64 bits.
    #[inline]
    fn value(&self, column: u32, place: u64) -> usize {
        let (own, other) = self.columns[column as usize];
        if place >> 8 < own { column as usize } else { other as usize }
    }

    /// Draws the values of the first `lanes` started runs and counts each by its index in `times`.
    pub fn draw_each(&self, draws: &mut Draws, site: Site, lanes: usize, times: &mut Vec<u64>) {
        times.resize(self.values.len(), 0);
        let numbers = draws.below(site.place(), self.columns.len() as u32);
        for lane in 0..lanes {
            times[self.value(numbers.below[lane], numbers.further(lane))] += 1;
        }
    }

    /// Moves the counts of drawn values into a tally.
    pub fn hand_over(&self, times: &mut Vec<u64>, tally: &mut Tally) {
        let drawn = self.values.iter().zip(times.drain(..)).filter(|(_, times)| *times > 0);
        drawn.for_each(|(cells, times)| tally.add_times(cells, times));
    }
}

/// Scales `weights` to integers that add up to [`COLUMN`] for each weight. Returns `None` if a part does not fit.
pub fn shares(weights: &[&BigUint]) -> Option<Vec<u64>> {
    let whole: BigUint = weights.iter().copied().sum();
    let all = BigUint::from(weights.len()) * COLUMN;
    let parts = weights.iter().map(|w| u128::try_from(*w * &all / &whole).ok());
    let mut parts: Vec<u128> = parts.collect::<Option<_>>()?;
    // add the remainder of the division to the largest part, where the relative error is smallest
    let cut = u128::try_from(all).ok()? - parts.iter().sum::<u128>();
    *parts.iter_mut().max()? += cut;
    parts.into_iter().map(|part| u64::try_from(part).ok()).collect()
}

/// Builds the columns: fills each column whose share is too small with the surplus of one whose share is too large.
pub fn columns(shares: &[u64]) -> Vec<(u64, u32)> {
    let mut left = shares.to_vec();
    let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..left.len()).partition(|n| left[*n] < COLUMN);
    let mut columns: Vec<(u64, u32)> = (0..left.len()).map(|n| (COLUMN, n as u32)).collect();
    while let (Some(low), Some(high)) = (small.pop(), large.pop()) {
        columns[low] = (left[low], high as u32);
        left[high] -= COLUMN - left[low];
        if left[high] < COLUMN { small.push(high) } else { large.push(high) }
    }
    columns
}
