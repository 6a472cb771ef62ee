//! Pools that are used up at once: only their sum, or their highest dice, is told apart.

use super::num::{Num, Width};
use crate::machine::{Game, Unseen};
use std::collections::BTreeMap;

/// Values with their weights, over one denominator.
pub struct Spread<V> {
    /// Each value once.
    pub list: Vec<(V, Num)>,
    /// What all of them weigh.
    pub whole: Num,
}

/// The faces of a cell: of an unseen die all it may show with their sides, else itself.
fn faces(game: &Game, cell: i64) -> Vec<(i64, u64)> {
    match Unseen::of(cell) {
        None => vec![(cell, 1)],
        Some(u) => (u.low..=u.high).map(|n| (u.face(game, n), u.sides(game, n, n))).collect(),
    }
}

/// Faces with reduced weights, and what they weigh together.
fn reduced(mut faces: Vec<(i64, u64)>) -> (Vec<(i64, u64)>, u64) {
    let shared = faces.iter().fold(0, |a, (_, n)| num_integer::gcd(a, *n)).max(1);
    faces.iter_mut().for_each(|(_, n)| *n /= shared);
    let whole = faces.iter().map(|(_, n)| n).sum();
    (faces, whole)
}

/// The sum of a pool; none if a sum is too large or there are more than `most`.
pub fn total(game: &Game, cells: &[i64], width: Width, most: usize) -> Option<Spread<i64>> {
    let mut low = 0i64;
    let mut sums = vec![Num::one(width)];
    let mut whole = Num::one(width);
    for cell in cells {
        let (faces, sides) = reduced(faces(game, *cell));
        let (first, last) = (faces.iter().map(|f| f.0).min()?, faces.iter().map(|f| f.0).max()?);
        low = low.checked_add(first)?;
        if faces.len() == 1 {
            continue;
        }
        let span = usize::try_from(last.checked_sub(first)?).ok()?;
        if sums.len() + span > most {
            return None;
        }
        whole = whole.mul(&Num::from(sides));
        let even = faces.len() == span + 1 && faces.iter().all(|f| f.1 == 1);
        sums = if even { slide(&sums, faces.len()) } else { add(&sums, &faces, first, span) };
    }
    let list = sums.into_iter().enumerate().filter(|(_, n)| !n.is_zero());
    Some(Spread { list: list.map(|(n, weight)| (low + n as i64, weight)).collect(), whole })
}

/// One more die whose faces follow each other, all alike: each sum is what lies in a window.
fn slide(sums: &[Num], faces: usize) -> Vec<Num> {
    let mut next = Vec::with_capacity(sums.len() + faces - 1);
    let mut window = Num::Narrow(0);
    for n in 0..sums.len() + faces - 1 {
        if let Some(more) = sums.get(n) {
            window.add(more);
        }
        if n >= faces {
            window.less(&sums[n - faces]);
        }
        next.push(window.clone());
    }
    next
}

fn add(sums: &[Num], faces: &[(i64, u64)], first: i64, span: usize) -> Vec<Num> {
    let mut next = vec![Num::Narrow(0); sums.len() + span];
    for (n, weight) in sums.iter().enumerate() {
        for (face, sides) in faces {
            next[n + (face - first) as usize].add(&weight.mul(&Num::from(*sides)));
        }
    }
    next
}

/// The highest (or lowest) so many dice of a pool, best first: one die after the other is thrown, and of equals one is
/// kept. None if there are more than `most` ways.
pub fn best(
    game: &Game,
    cells: &[i64],
    count: usize,
    highest: bool,
    width: Width,
    most: usize,
) -> Option<Spread<Vec<i64>>> {
    let better = |a: i64, b: i64| if highest { a > b } else { a < b };
    let mut kept: BTreeMap<Vec<i64>, Num> = BTreeMap::from([(Vec::new(), Num::one(width))]);
    let mut whole = Num::one(width);
    for cell in cells {
        let (faces, sides) = reduced(faces(game, *cell));
        whole = whole.mul(&Num::from(sides));
        let mut next: BTreeMap<Vec<i64>, Num> = BTreeMap::new();
        for (dice, weight) in &kept {
            // faces that push nothing out change nothing
            let mut same = 0;
            for (face, n) in &faces {
                let at = dice.partition_point(|d| !better(*face, *d));
                if at >= count {
                    same += n;
                    continue;
                }
                let mut more = Vec::with_capacity(count);
                more.extend_from_slice(&dice[..at]);
                more.push(*face);
                more.extend_from_slice(&dice[at..]);
                more.truncate(count);
                let weight = weight.mul(&Num::from(*n));
                next.entry(more).and_modify(|w| w.add(&weight)).or_insert(weight);
            }
            if same > 0 {
                let weight = weight.mul(&Num::from(same));
                next.entry(dice.clone()).and_modify(|w| w.add(&weight)).or_insert(weight);
            }
        }
        if next.len() > most {
            return None;
        }
        kept = next;
    }
    Some(Spread { list: kept.into_iter().collect(), whole })
}
