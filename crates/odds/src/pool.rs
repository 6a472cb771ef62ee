//! Multinomial splits of lazily sampled pools: each demand splits a pool no further than it requires, into weighted branches.

use super::num::{Binomials, Num};
use grognard_base::OrdMap;
use grognard_base::value::Op;
use grognard_program::Wants;
use grognard_vm::{Die, Fault, Game, LazyDice, MIXED, holds, unsampled_fault};

/// Weighted assignments of the cells of a pool, over one denominator.
pub struct Ways {
    /// The cells and the weight of each assignment.
    pub list: Vec<(Vec<i64>, Num)>,
    /// The sum of the weights.
    pub whole: Num,
}

/// Maximum number of cells of all parts of a split together.
const MOST_CELLS: usize = 1 << 24;

/// Returns the maximum number of branches with `dice` cells each: `most`, limited by the room for cells.
pub fn room(most: usize, dice: usize) -> usize {
    most.min(MOST_CELLS / dice.max(1))
}

/// Equal dice: their common value, and their places.
type Group = (LazyDice, Vec<usize>);

/// Returns fresh dice as cells.
pub fn thrown(game: &Game, dice: impl Iterator<Item = Die>) -> Vec<i64> {
    let mut cells: Vec<i64> = dice.map(|die| LazyDice::new(game, die).cell()).collect();
    // Equal dice with more than one face are not distinguished yet.
    if let Some(die) = cells.first().and_then(|cell| LazyDice::of(*cell))
        && !die.known()
        && cells.iter().all(|cell| *cell == cells[0])
    {
        return cells;
    }
    settle(game, &mut cells);
    cells
}

/// Appends fresh equal dice as cells.
pub fn thrown_alike(game: &Game, (die, n): (Die, usize), out: &mut Vec<i64>) {
    let first = LazyDice::new(game, die);
    // A die with one face is known.
    let cell = if first.known() { first.face(game, first.low) } else { first.cell() };
    out.resize(out.len() + n, cell);
}

/// Splits the dice of a list for a demand with a threshold or place. Returns `None` if there are more than `most` branches.
pub fn part(
    game: &Game,
    cells: &[i64],
    wants: Wants,
    value: i64,
    ways: &mut Binomials,
    most: usize,
) -> Result<Option<Ways>, Fault> {
    let most = room(most, cells.len());
    let open = |u: &LazyDice| !u.known();
    let parts: Vec<(Group, Vec<(u32, u32)>)> = match wants {
        Wants::Look(op, _) => {
            groups(cells, open).into_iter().map(|g| (cut(game, g.0, op, value), g)).map(|(c, g)| (g, c)).collect()
        }
        Wants::Place(..) => return place(game, cells, value as usize, most),
        Wants::Faces => groups(cells, open).into_iter().map(|g| (single(g.0), g)).map(|(c, g)| (g, c)).collect(),
        Wants::Order => {
            let faces = groups(cells, open);
            if faces.is_empty() {
                return orders(game, cells, most);
            }
            faces.into_iter().map(|g| (single(g.0), g)).map(|(c, g)| (g, c)).collect()
        }
    };
    let mut all = Ways { list: vec![(cells.to_vec(), Num::Narrow(1))], whole: Num::Narrow(1) };
    for ((die, places), pieces) in parts {
        if pieces.len() < 2 {
            continue;
        }
        let sides: Vec<u64> = pieces.iter().map(|(low, high)| die.sides(game, *low, *high)).collect();
        let shared = sides.iter().fold(0, |a, b| num_integer::gcd(a, *b)).max(1);
        let sides: Vec<Num> = sides.iter().map(|s| Num::from(s / shared)).collect();
        let mut each = Num::Narrow(0);
        sides.iter().for_each(|s| each.add(s));
        let counts = compositions(places.len(), &sides, ways, most / all.list.len().max(1));
        let Some(counts) = counts else { return Ok(None) };
        let mut next = Vec::with_capacity(all.list.len() * counts.len());
        for (cells, weight) in &all.list {
            for (count, factor) in &counts {
                let mut cells = cells.clone();
                let mut to = places.iter();
                for (n, (low, high)) in count.iter().zip(&pieces) {
                    for at in to.by_ref().take(*n) {
                        cells[*at] = LazyDice { low: *low, high: *high, ..die }.cell();
                    }
                }
                next.push((cells, weight.mul(factor)));
            }
        }
        all.whole = all.whole.mul(&each.pow(places.len()));
        all.list = next;
    }
    for (cells, _) in &mut all.list {
        settle(game, cells);
    }
    Ok(Some(all))
}

/// Returns groups of equal dice that satisfy `which`.
fn groups(cells: &[i64], which: impl Fn(&LazyDice) -> bool) -> Vec<Group> {
    let mut found: OrdMap<i64, Group> = OrdMap::new();
    for (at, cell) in cells.iter().enumerate() {
        if let Some(die) = LazyDice::of(*cell).filter(&which) {
            found.entry(*cell).or_insert_with(|| (die, Vec::new())).1.push(at);
        }
    }
    found.into_values().collect()
}

/// Returns the number of combinations of the faces of unsampled dice, or `None` if it is too large.
pub fn combinations(cells: &[i64]) -> Option<usize> {
    groups(cells, |die| !die.known()).into_iter().try_fold(1usize, |all, (die, places)| {
        let faces = (die.high - die.low) as usize + 1;
        let own = (1..=places.len()).try_fold(1usize, |own, n| Some(own.checked_mul(faces + n - 1)? / n))?;
        all.checked_mul(own)
    })
}

/// Returns the runs of faces of a die with the same result of a comparison.
fn cut(game: &Game, die: LazyDice, op: Op, than: i64) -> Vec<(u32, u32)> {
    let held = |n: u32| holds(op, die.face(game, n), than);
    let mut pieces = Vec::new();
    let mut from = die.low;
    for n in die.low..die.high {
        if held(n) != held(n + 1) {
            pieces.push((from, n));
            from = n + 1;
        }
    }
    pieces.push((from, die.high));
    pieces
}

fn single(die: LazyDice) -> Vec<(u32, u32)> {
    (die.low..=die.high).map(|n| (n, n)).collect()
}

/// Returns the compositions of `dice` into classes with these numbers of sides, each with its weight. Returns `None` if there are
/// more than `most`.
pub fn compositions(dice: usize, sides: &[Num], ways: &mut Binomials, most: usize) -> Option<Vec<(Vec<usize>, Num)>> {
    let mut number = 1u128;
    for n in 1..sides.len() as u128 {
        number = number.checked_mul(dice as u128 + n)? / n;
        if number > most as u128 {
            return None;
        }
    }
    let mut found = vec![(Vec::with_capacity(sides.len()), dice, Num::Narrow(1))];
    for (n, side) in sides.iter().enumerate() {
        let last = n + 1 == sides.len();
        let mut powers = vec![Num::Narrow(1)];
        for k in 0..dice {
            powers.push(powers[k].mul(side));
        }
        let mut next = Vec::new();
        for (counts, left, weight) in found {
            if last {
                let mut counts = counts;
                counts.push(left);
                next.push((counts, 0, weight.mul(&powers[left])));
                continue;
            }
            let row = ways.row(left);
            for k in (0..=left).rev() {
                let mut counts = counts.clone();
                counts.push(k);
                next.push((counts, left - k, weight.mul(&row[k]).mul(&powers[k])));
            }
        }
        found = next;
    }
    Some(found.into_iter().map(|(counts, _, weight)| (counts, weight)).collect())
}

/// Splits by the die at a place and its face; the other dice of its batch stay exchangeable. Returns `None` if there are more
/// than `most` branches.
fn place(game: &Game, cells: &[i64], at: usize, most: usize) -> Result<Option<Ways>, Fault> {
    let Some(own) = cells.get(at).and_then(|c| LazyDice::of(*c)) else {
        return Ok(Some(Ways { list: vec![(cells.to_vec(), Num::Narrow(1))], whole: Num::Narrow(1) }));
    };
    if own.batch == MIXED {
        return Err(unsampled_fault());
    }
    let like = groups(cells, |u| sort(*u) == sort(own));
    if like.iter().map(|(die, _)| (die.high - die.low) as usize + 1).sum::<usize>() > most {
        return Ok(None);
    }
    let each: Vec<u64> = like.iter().map(|(die, _)| die.sides(game, die.low, die.high)).collect();
    let shared = each.iter().fold(1, |a, b| num_integer::lcm(a, *b));
    let dice: usize = like.iter().map(|(_, places)| places.len()).sum();
    let mut list = Vec::new();
    for ((die, places), each) in like.iter().zip(&each) {
        for n in die.low..=die.high {
            let mut cells = cells.to_vec();
            if *die != own {
                cells.swap(places[0], at);
            }
            cells[at] = die.face(game, n);
            settle(game, &mut cells);
            let weight = Num::from(places.len() as u64).mul(&Num::from(die.sides(game, n, n)));
            list.push((cells, weight.mul(&Num::from(shared / each))));
        }
    }
    Ok(Some(Ways { list, whole: Num::from(dice as u64).mul(&Num::from(shared)) }))
}

/// Returns every order of dice with known faces; only dice of one batch are exchanged.
fn orders(game: &Game, cells: &[i64], most: usize) -> Result<Option<Ways>, Fault> {
    let mut sorts: OrdMap<FaceSort, Vec<(usize, u32)>> = OrdMap::new();
    for (at, cell) in cells.iter().enumerate() {
        if let Some(u) = LazyDice::of(*cell) {
            if u.batch == MIXED {
                return Err(unsampled_fault());
            }
            sorts.entry(sort(u)).or_default().push((at, u.low));
        }
    }
    let mut all = Ways { list: vec![(cells.to_vec(), Num::Narrow(1))], whole: Num::Narrow(1) };
    for places in sorts.into_values() {
        let mut faces: Vec<u32> = places.iter().map(|(_, face)| *face).collect();
        faces.sort_unstable();
        if arrangements(&faces, most / all.list.len().max(1)).is_none() {
            return Ok(None);
        }
        let mut next: Vec<(Vec<i64>, Num)> = Vec::new();
        let mut orders = 0u64;
        loop {
            for (cells, weight) in &all.list {
                let mut cells = cells.clone();
                for ((at, _), face) in places.iter().zip(&faces) {
                    if let Some(u) = LazyDice::of(cells[*at]) {
                        cells[*at] = u.face(game, *face);
                    }
                }
                next.push((cells, weight.clone()));
            }
            orders += 1;
            if !step(&mut faces) {
                break;
            }
        }
        all.whole = all.whole.mul(&Num::from(orders));
        all.list = next;
    }
    Ok(Some(all))
}

/// Returns the number of distinct permutations of a sorted list, or `None` if it is more than `most`.
fn arrangements(sorted: &[u32], most: usize) -> Option<u128> {
    let mut number = 1u128;
    let mut same = 0;
    for (n, face) in sorted.iter().enumerate() {
        same = if n > 0 && sorted[n - 1] == *face { same + 1 } else { 1 };
        number = number * (n as u128 + 1) / same;
        if number > most as u128 {
            return None;
        }
    }
    Some(number)
}

/// Concatenates two pools. If dice of one batch are in both and not all are fresh, those of the second pool get a new
/// batch.
pub fn joined(game: &Game, first: &[i64], second: &[i64]) -> Vec<i64> {
    let dice = |cells: &[i64]| -> Vec<LazyDice> { cells.iter().filter_map(|c| LazyDice::of(*c)).collect() };
    let (old, new) = (dice(first), dice(second));
    let fresh = |u: &LazyDice| *u == LazyDice { batch: u.batch, ..LazyDice::new(game, u.die) };
    // The batches of the second pool, with their new numbers.
    let mut moved: OrdMap<FaceSort, u8> = OrdMap::new();
    for u in &new {
        if moved.contains_key(&sort(*u)) {
            continue;
        }
        let alike = |o: &&LazyDice| sort(**o) == sort(*u);
        let apart = old.iter().any(|o| alike(&o)) && !old.iter().chain(&new).filter(alike).all(fresh);
        let taken = |batch: u8| {
            old.iter().chain(&new).any(|o| o.die == u.die && o.batch == batch)
                || moved.iter().any(|((faces, die, _), to)| (*faces, *die, *to) == sort(LazyDice { batch, ..*u }))
        };
        let batch = if apart { (0..MIXED).find(|batch| !taken(*batch)).unwrap_or(MIXED) } else { u.batch };
        moved.insert(sort(*u), batch);
    }
    let cell = |cell: &i64| match LazyDice::of(*cell) {
        Some(u) => LazyDice { batch: moved[&sort(u)], ..u }.cell(),
        None => *cell,
    };
    let mut cells = first.to_vec();
    cells.extend(second.iter().map(cell));
    settle(game, &mut cells);
    cells
}

/// The key of exchangeable dice: the die and the batch.
type FaceSort = (bool, u32, u8);

fn sort(u: LazyDice) -> FaceSort {
    match u.die {
        Die::Sides(n) => (false, n, u.batch),
        Die::Faces(id) => (true, id.0, u.batch),
    }
}

/// Advances a list to its next permutation. Returns `false` after the last.
fn step(list: &mut [u32]) -> bool {
    let Some(at) = (1..list.len()).rev().find(|n| list[n - 1] < list[*n]) else { return false };
    let with = (at..list.len()).rev().find(|n| list[*n] > list[at - 1]).unwrap_or(at);
    list.swap(at - 1, with);
    list[at..].reverse();
    true
}

/// Replaces exchangeable dice that all have the same known face by that face.
fn settle(game: &Game, cells: &mut [i64]) {
    let mut sorts: OrdMap<FaceSort, Option<u32>> = OrdMap::new();
    for u in cells.iter().filter_map(|c| LazyDice::of(*c)) {
        let face = u.known().then_some(u.low);
        let first = sorts.entry(sort(u)).or_insert(face);
        if *first != face {
            *first = None;
        }
    }
    if sorts.values().all(Option::is_none) {
        return;
    }
    for cell in cells {
        if let Some(u) = LazyDice::of(*cell)
            && let Some(Some(face)) = sorts.get(&sort(u))
        {
            *cell = u.face(game, *face);
        }
    }
}

/// Returns every roll of the dice, die by die, or `None` if there are more than `most`.
pub fn every(game: &Game, dice: &[Die], most: usize) -> Option<Ways> {
    let mut all = vec![Vec::with_capacity(dice.len())];
    for die in dice {
        let sides = die.sides(game);
        if all.len() * sides as usize > most {
            return None;
        }
        all = all
            .into_iter()
            .flat_map(|cells| {
                (1..=sides).map(move |side| {
                    let mut cells = cells.clone();
                    cells.push(die.face(game, side));
                    cells
                })
            })
            .collect();
    }
    let whole = Num::from(all.len() as u64);
    Some(Ways { list: all.into_iter().map(|cells| (cells, Num::Narrow(1))).collect(), whole })
}
