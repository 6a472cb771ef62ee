//! Draws without replacement, with equal candidates merged: in order, with weights; or as a multiset, if all weights are equal.

use super::num::{Binomials, Num};
use grognard_base::OrdMap;

/// The indices of a draw, its weight, and the sum of the weights.
type Drawn = (Vec<usize>, Num, Num);

/// Returns every multiset of `count` candidates, its indices in ascending order (the multivariate hypergeometric distribution). If
/// the weights differ, returns every order. Returns `None` if there are more than `most`.
pub fn bags(weights: &[u32], alike: &[usize], count: usize, most: usize, ways: &mut Binomials) -> Option<Vec<Drawn>> {
    if weights.iter().any(|weight| weight != &weights[0]) {
        return draws(weights, alike, count, most);
    }
    let mut sorts: OrdMap<usize, Vec<usize>> = OrdMap::new();
    for (n, first) in alike.iter().enumerate() {
        sorts.entry(*first).or_default().push(n);
    }
    let mut behind = weights.len();
    let mut all: Vec<(Vec<usize>, Num)> = vec![(Vec::new(), Num::Narrow(1))];
    for places in sorts.values() {
        behind -= places.len();
        let mut next = Vec::new();
        for (picks, weight) in all {
            let wanted = count.saturating_sub(picks.len());
            let row = ways.row(places.len());
            for taken in wanted.saturating_sub(behind)..=places.len().min(wanted) {
                next.push(([&picks[..], &places[..taken]].concat(), weight.mul(&row[taken])));
            }
            if next.len() > most {
                return None;
            }
        }
        all = next;
    }
    let whole = ways.row(weights.len())[count].clone();
    let in_order = |(mut picks, weight): (Vec<usize>, Num)| {
        picks.sort_unstable();
        (picks, weight, whole.clone())
    };
    Some(all.into_iter().map(in_order).collect())
}

/// Returns every order in which `count` weighted candidates can be drawn: indices, weight, and the sum of the weights. `alike`
/// holds the first equal candidate of each; only one of several equal candidates is drawn. Returns `None` if there are more than
/// `most`.
pub fn draws(weights: &[u32], alike: &[usize], count: usize, most: usize) -> Option<Vec<Drawn>> {
    let mut all = vec![(Vec::new(), Num::Narrow(1), Num::Narrow(1))];
    for _ in 0..count {
        let mut next = Vec::new();
        for (picks, weight, whole) in all {
            let open: Vec<usize> = (0..weights.len()).filter(|n| !picks.contains(n)).collect();
            let left: u64 = open.iter().map(|n| u64::from(weights[*n])).sum();
            // The first of the candidates that are equal and have the same weight represents all of them.
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
