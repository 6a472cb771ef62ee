//! An alias table (Walker 1977, Vose 1991): draws from odds that are known, in the same time however many values there are.

use super::tally::MOST_VALUES;
use grognard_base::value::dice::{Site, Stream};
use grognard_odds::{Distribution, Worth};
use num_bigint::BigUint;

/// What one column holds.
pub const COLUMN: u64 = 1 << 56;

/// The values of a distribution in columns of equal size, each shared by two values at most: A. J. Walker, "An efficient
/// method for generating discrete random variables with general distributions", ACM Transactions on Mathematical Software
/// 3 (1977), filled as in M. D. Vose, "A linear algorithm for generating random numbers with a given distribution", IEEE
/// Transactions on Software Engineering 17 (1991), in whole numbers, so that it is the same on every machine.
#[derive(Clone, Debug)]
pub struct AliasTable {
    values: Vec<Vec<i64>>,
    /// How much of each column belongs to its own value, and to which value the rest.
    columns: Vec<(u64, u32)>,
}

impl AliasTable {
    /// A table of exact odds. None if something was left open, an end is an error or never comes, or there are more values
    /// than are told apart. A value is drawn with its chance to within 1 in 2^56.
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

    /// The value that a run draws for this purpose.
    pub fn draw(&self, stream: &Stream, site: Site) -> &[i64] {
        let at = stream.below(site, 0, 0, self.columns.len() as u32) as usize;
        let (own, other) = self.columns[at];
        let [high, low] = [1, 2].map(|index| u64::from(stream.word(site, index, 0)));
        let place = (high << 32 | low) >> 8;
        &self.values[if place < own { at } else { other as usize }]
    }
}

/// Whole shares as the weights are, which come to a column for each.
pub fn shares(weights: &[&BigUint]) -> Option<Vec<u64>> {
    let whole: BigUint = weights.iter().copied().sum();
    let all = BigUint::from(weights.len()) * COLUMN;
    let parts = weights.iter().map(|w| u128::try_from(*w * &all / &whole).ok());
    let mut parts: Vec<u128> = parts.collect::<Option<_>>()?;
    // what was cut off goes to the greatest, of which it is the smallest part
    let cut = u128::try_from(all).ok()? - parts.iter().sum::<u128>();
    *parts.iter_mut().max()? += cut;
    parts.into_iter().map(|part| u64::try_from(part).ok()).collect()
}

/// Fills up each column that is too small from one that is too large.
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
