//! Sub-multisets of a list of candidates: of equal ones it does not matter which is taken, so each bag of values counts
//! once, told by its first members.

use std::collections::HashMap;

/// Counts stop here; nobody goes through so many.
const CAP: u64 = 1 << 40;

/// The sub-multisets of a list between two sizes.
pub struct Subsets {
    /// The value of each candidate: equal ones have the same number.
    value: Vec<usize>,
    least: usize,
    most: usize,
}

impl Subsets {
    /// Of candidates of `width` cells each.
    pub fn of(candidates: &[i64], width: usize, least: usize, most: usize) -> Subsets {
        Subsets { value: alike(candidates, width), least, most }
    }

    /// How many of each value there are.
    fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.value.len()];
        self.value.iter().for_each(|v| counts[*v] += 1);
        counts
    }

    /// How many there are; beyond `limit` only that there are more.
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

    /// The n-th, from 0: smaller ones first, then by their members.
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
            // those behind one that was passed over and equal to it stay behind as well
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

/// The number of ways to take `size` of things of which there are `counts` of each sort: a coefficient of the product of
/// the polynomials 1 + x + .. + x^count. Coefficients are symmetric and rise towards the middle.
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

/// For each of the candidates the place of the first that is equal to it.
pub fn alike(candidates: &[i64], width: usize) -> Vec<usize> {
    let mut first: HashMap<&[i64], usize> = HashMap::new();
    candidates.chunks(width.max(1)).enumerate().map(|(n, cells)| *first.entry(cells).or_insert(n)).collect()
}

/// The places of wanted values among candidates, each place once; none if some value is not there so often.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// All of them by brute force: every set of places, told by its values.
    fn brute(list: &[i64], least: usize, most: usize) -> BTreeSet<Vec<i64>> {
        let sets = (0u32..1 << list.len()).filter(|s| (least..=most).contains(&(s.count_ones() as usize)));
        sets.map(|s| {
            let mut bag: Vec<i64> = (0..list.len()).filter(|n| s >> n & 1 == 1).map(|n| list[n]).collect();
            bag.sort_unstable();
            bag
        })
        .collect()
    }

    #[test]
    fn every_bag_has_one_number() {
        for list in [vec![], vec![6, 6], vec![6, 6, 1], vec![1, 2, 3, 4], vec![5, 1, 5, 1, 5, 2], vec![3; 9]] {
            for (least, most) in [(0, list.len()), (1, 2), (2, 2), (0, 1)] {
                let sets = Subsets::of(&list, 1, least, most);
                let count = sets.count(u64::MAX);
                let bags: BTreeSet<Vec<i64>> = (0..count)
                    .map(|n| {
                        let mut bag: Vec<i64> = sets.nth(n).into_iter().map(|at| list[at]).collect();
                        bag.sort_unstable();
                        bag
                    })
                    .collect();
                assert_eq!(bags, brute(&list, least, most.min(list.len())), "{least} to {most} of {list:?}");
                assert_eq!(bags.len() as u64, count);
            }
        }
        let plain = Subsets::of(&[1, 2, 3, 4], 1, 1, 4);
        assert_eq!((plain.nth(0), plain.nth(4), plain.nth(14)), (vec![0], vec![0, 1], vec![0, 1, 2, 3]));
        assert!(Subsets::of(&(0..10_000).collect::<Vec<_>>(), 1, 5_000, 5_000).count(4096) > 4096);
        assert_eq!(Subsets::of(&vec![7; 10_000], 1, 9_000, 9_000).nth(0).len(), 9_000);
    }
}
