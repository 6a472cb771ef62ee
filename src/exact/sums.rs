//! Pools that are used up at once: only their sum, or their highest dice, is told apart.

use super::num::{Binomials, Num, Width};
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
    let mut rest = cells;
    while let Some(cell) = rest.first() {
        let alike = rest.iter().take_while(|c| *c == cell).count();
        let (faces, sides) = reduced(faces(game, *cell));
        // the first dice of a pool are mostly all of it
        if alike > 1 && sums.len() == 1 && Unseen::of(*cell).is_some() && even(&faces) && faces.len() > 1 {
            let (span, first) = (faces.len() - 1, faces[0].0);
            if alike.checked_mul(span)? >= most {
                return None;
            }
            low = low.checked_add(first.checked_mul(alike as i64)?)?;
            whole = whole.mul(&Num::from(sides).pow(alike));
            sums = many(alike as u64, faces.len() as u64, width);
            rest = &rest[alike..];
            continue;
        }
        rest = &rest[1..];
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
        sums = if even(&faces) { slide(&sums, faces.len()) } else { add(&sums, &faces, first, span) };
    }
    let list = sums.into_iter().enumerate().filter(|(_, n)| !n.is_zero());
    Some(Spread { list: list.map(|(n, weight)| (low + n as i64, weight)).collect(), whole })
}

/// Whether faces rise one by one, all alike.
fn even(faces: &[(i64, u64)]) -> bool {
    faces.windows(2).all(|pair| pair[0].0.checked_add(1) == Some(pair[1].0)) && faces.iter().all(|f| f.1 == 1)
}

/// The sums of so many dice with so many faces from 0: the coefficients of a power q of (1 - x^s) / (1 - x). Its
/// derivative is q times that of the logarithm, and from there each coefficient follows from three before it. The second
/// half mirrors the first.
fn many(dice: u64, faces: u64, width: Width) -> Vec<Num> {
    let most = (dice * (faces - 1)) as usize;
    let mut sums = Vec::with_capacity(most + 1);
    sums.push(Num::one(width));
    for k in 1..=most / 2 {
        let at = |back: u64| (k as u64).checked_sub(back).map(|n| &sums[n as usize]);
        let mut sum = sums[k - 1].mul(&Num::from(k as u64 - 1 + dice));
        if let Some(before) = at(faces + 1) {
            sum.add(&before.mul(&Num::from(dice * (faces - 1) + faces + 1 - k as u64)));
        }
        if let Some(before) = at(faces) {
            sum.less(&before.mul(&Num::from(faces * (dice + 1) - k as u64)));
        }
        sums.push(sum.over(&Num::from(k as u64)));
    }
    for k in most / 2 + 1..=most {
        sums.push(sums[most - k].clone());
    }
    sums
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

/// The highest (or lowest) so many dice of a pool, best first. None if there are more than `most` ways.
pub fn best(
    game: &Game,
    cells: &[i64],
    count: usize,
    highest: bool,
    width: Width,
    most: usize,
) -> Option<Spread<Vec<i64>>> {
    let count = count.min(cells.len());
    let most = super::pool::room(most, count);
    match cells {
        [first, ..] if Unseen::of(*first).is_some() && cells.iter().all(|cell| cell == first) => {
            let (mut faces, sides) = reduced(faces(game, *first));
            if highest {
                faces.reverse();
            }
            let list = best_of_alike(&faces, cells.len(), count, width, most)?;
            Some(Spread { list, whole: Num::from(sides).pow(cells.len()) })
        }
        _ => best_of_any(game, cells, count, highest, width, most),
    }
}

/// Of like dice, face by face from the best: how many show it, as long as places are left. If all places are taken with
/// a face, the other dice show it or a worse one.
fn best_of_alike(
    faces: &[(i64, u64)],
    dice: usize,
    count: usize,
    width: Width,
    most: usize,
) -> Option<Vec<(Vec<i64>, Num)>> {
    let mut ways = Binomials::default();
    let mut done: Vec<(Vec<i64>, Num)> = Vec::new();
    let mut open: Vec<(Vec<i64>, Num)> = vec![(Vec::new(), Num::one(width))];
    let mut worse: u64 = faces.iter().map(|f| f.1).sum();
    for (face, sides) in faces {
        worse -= sides;
        let mut next = Vec::new();
        for (dice_so_far, weight) in open {
            let (left, places) = (dice - dice_so_far.len(), count - dice_so_far.len());
            let row = ways.row(left);
            let share = |n: usize| row[n].mul(&Num::from(*sides).pow(n));
            let with = |n: usize, weight: Num| {
                let mut dice = dice_so_far.clone();
                dice.resize(dice.len() + n, *face);
                (dice, weight)
            };
            let mut filled = Num::Narrow(0);
            (places..=left).for_each(|n| filled.add(&share(n).mul(&Num::from(worse).pow(left - n))));
            done.push(with(places, weight.mul(&filled)));
            // some places stay open: all other dice show worse
            let fewer = if worse > 0 { 0..places } else { 0..0 };
            next.extend(fewer.map(|n| with(n, weight.mul(&share(n)))));
        }
        if done.len() + next.len() > most {
            return None;
        }
        open = next;
    }
    Some(done)
}

/// Of unlike dice: one after the other is thrown, and of equals one is kept.
fn best_of_any(
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
