//! Ordered draws without replacement, weighted: equal candidates are one.

use super::num::Num;
use crate::base::OrdMap;

/// Every order in which so many of candidates with weights can be drawn: places, weight, and what it is out of. Of equal
/// ones, `alike` the first of them, it does not matter which is drawn. None if there are too many.
pub fn draws(weights: &[u32], alike: &[usize], count: usize, most: usize) -> Option<Vec<(Vec<usize>, Num, Num)>> {
    let mut all = vec![(Vec::new(), Num::Narrow(1), Num::Narrow(1))];
    for _ in 0..count {
        let mut next = Vec::new();
        for (picks, weight, whole) in all {
            let open: Vec<usize> = (0..weights.len()).filter(|n| !picks.contains(n)).collect();
            let left: u64 = open.iter().map(|n| u64::from(weights[*n])).sum();
            // the first of those that are equal and weigh the same stands for all of them
            let mut sorts: OrdMap<(usize, u32), (usize, u64)> = OrdMap::new();
            for n in open {
                sorts.entry((alike[n], weights[n])).or_insert((n, 0)).1 += u64::from(weights[n]);
            }
            for (n, weighs) in sorts.into_values() {
                let mut picks: Vec<usize> = picks.clone();
                picks.push(n);
                let shared = num_integer::gcd(weighs, left).max(1);
                next.push((picks, weight.mul(&Num::from(weighs / shared)), whole.mul(&Num::from(left / shared))));
            }
            if next.len() > most {
                return None;
            }
        }
        all = next;
    }
    Some(all)
}
