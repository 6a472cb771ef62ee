//! Sub-multisets of a list of candidates. Equal candidates are interchangeable, so each multiset of values counts once,
//! represented by its first members.

use std::collections::HashMap;

/// Maximum of counts; larger counts are capped because no caller enumerates that many.
const CAP: u64 = 1 << 40;

/// The sub-multisets of a list with sizes between two limits.
pub struct Subsets {
    /// For each candidate, the number of its value. Equal candidates have the same number.
    value: Vec<usize>,
    least: usize,
    most: usize,
}

impl Subsets {
    /// Creates the sub-multisets of candidates of `width` cells each.
    pub fn of(candidates: &[i64], width: usize, least: usize, most: usize) -> Subsets {
        Subsets { value: alike(candidates, width), least, most }
    }

    /// Returns the number of candidates of each value.
    fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.value.len()];
        self.value.iter().for_each(|v| counts[*v] += 1);
        counts
    }

    /// Returns the number of sub-multisets. Above `limit`, the result is only some number above it.
    pub fn count(&self, limit: u64) -> u64 {
        let counts = self.counts();
        let mut sum = 0;
        for size in self.least..=self.most.min(self.value.len()) {
            sum += ways(&counts, size);
            if sum > limit {
                break;
            }
        }
        sum
    }

    /// Returns the sub-multiset at index `n`, from 0, ordered by size and then by members.
    pub fn nth(&self, mut n: u64) -> Vec<usize> {
        let mut counts = self.counts();
        let mut size = self.least;
        while size < self.most {
            let count = ways(&counts, size);
            if n < count {
                break;
            }
            n -= count;
            size += 1;
        }
        let mut picks = Vec::with_capacity(size);
        for (at, value) in self.value.iter().enumerate() {
            if picks.len() == size {
                break;
            }
            // after a skipped candidate, later equal candidates are skipped as well
            if counts[*value] == 0 {
                continue;
            }
            counts[*value] -= 1;
            let with = ways(&counts, size - picks.len() - 1);
            if n < with {
                picks.push(at);
            } else {
                n -= with;
                counts[*value] = 0;
            }
        }
        picks
    }
}

/// Returns the number of multisets of `size` with at most `counts` of each value.
///
/// It is a coefficient of the product of the polynomials 1 + x + .. + x^count. The coefficients are symmetric and rise
/// toward the middle.
fn ways(counts: &[usize], size: usize) -> u64 {
    let all: usize = counts.iter().sum();
    if size > all {
        return 0;
    }
    let size = size.min(all - size);
    let mut found = vec![0u64; size + 1];
    found[0] = 1;
    for count in counts.iter().filter(|c| **c > 0) {
        let mut before: Vec<u64> = vec![0];
        for n in &found {
            before.push(before[before.len() - 1] + n);
        }
        for (n, ways) in found.iter_mut().enumerate() {
            *ways = (before[n + 1] - before[n.saturating_sub(*count)]).min(CAP);
        }
    }
    found[size]
}

/// Returns for each candidate the index of the first candidate equal to it.
pub fn alike(candidates: &[i64], width: usize) -> Vec<usize> {
    let mut first: HashMap<&[i64], usize> = HashMap::new();
    candidates.chunks(width.max(1)).enumerate().map(|(n, cells)| *first.entry(cells).or_insert(n)).collect()
}

/// Returns distinct indices of the wanted values among the candidates, or `None` if a value does not occur often
/// enough.
pub fn places<T: PartialEq>(
    candidates: impl Iterator<Item = T> + Clone,
    wanted: impl Iterator<Item = T>,
) -> Option<Vec<usize>> {
    let mut found: Vec<usize> = Vec::new();
    for value in wanted {
        let mut open = candidates.clone().enumerate().filter(|(n, _)| !found.contains(n));
        let at = open.find(|(_, candidate)| *candidate == value)?.0;
        found.push(at);
    }
    Some(found)
}
