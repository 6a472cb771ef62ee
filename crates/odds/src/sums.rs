//! Convolution powers and order statistics: pools of which only the sum, a count or the highest dice matter.

use super::num::{Binomials, Num, Width};
use grognard_base::Meter;
use grognard_vm::{Game, LazyDice};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Maximum number of word operations for the sum of the best dice of a pool.
const MOST_WORDS: u128 = 1 << 28;

/// Maximum number of entries of a dense table for sums of the best dice.
const MOST_DENSE: u128 = 1 << 16;

/// Number of copies of each weight that can be in memory at once.
const COPIES: usize = 8;

/// Values with their weights, over one denominator.
pub struct Spread<V> {
    /// Distinct values with their weights.
    pub list: Vec<(V, Num)>,
    /// The sum of the weights.
    pub whole: Num,
}

/// Returns the possible faces of a cell with their numbers of sides: one face unless the die is unsampled.
pub fn faces(game: &Game, cell: i64) -> Vec<(i64, u64)> {
    match LazyDice::of(cell) {
        None => vec![(cell, 1)],
        Some(u) => (u.low..=u.high).map(|n| (u.face(game, n), u.sides(game, n, n))).collect(),
    }
}

/// Number of faces of a die whose listing is part of the work of a state.
const FREE_FACES: usize = 100;
/// Word operations to list one more face.
const FACE: u64 = 8;

/// The cells of a pool, with the limits of the computation.
#[derive(Clone, Copy)]
pub struct Pool<'p> {
    pub game: &'p Game,
    pub cells: &'p [i64],
    pub width: Width,
    /// Maximum number of values.
    pub most: usize,
    pub meter: &'p Meter,
}

impl Pool<'_> {
    /// Limits a number of values to those that fit into memory. Weights have as many digits as the pool has dice, and are stored
    /// in tables, branches and states.
    fn fitting(&self, most: usize) -> usize {
        let sides = |u: LazyDice| u.sides(self.game, u.low, u.high).max(1);
        let bits = |cell: &i64| LazyDice::of(*cell).map_or(0, |u| sides(u).ilog2() as usize + 1);
        let bytes = size_of::<Num>() + self.cells.iter().map(bits).sum::<usize>() / 8;
        let free = self.meter.budget().bytes.saturating_sub(self.meter.held());
        most.min(free / COPIES / bytes)
    }

    /// Returns the faces of a die with their reduced weights, and the sum of the weights, or `None` if there are more than `most` or
    /// the budget does not allow it.
    fn listed(&self, cell: i64, most: usize) -> Option<(Vec<(i64, u64)>, u64)> {
        let sides = LazyDice::of(cell).map_or(1, |die| (die.high - die.low) as usize + 1);
        let allowed = sides <= most && self.meter.words(FACE * sides.saturating_sub(FREE_FACES) as u64);
        allowed.then(|| reduced(faces(self.game, cell)))
    }

    /// Returns the distribution of the sum, or `None` if a sum overflows, if there are too many, or if the budget does not allow
    /// it.
    pub fn total(&self) -> Option<Spread<i64>> {
        let Pool { cells, width, most, meter, .. } = *self;
        if let ([cell], Width::Narrow) = (cells, width) {
            // A single die keeps its faces.
            let (mut faces, whole) = self.listed(*cell, most)?;
            faces.sort_unstable();
            let list = faces.into_iter().map(|(face, sides)| (face, Num::Narrow(sides)));
            return Some(Spread { list: list.collect(), whole: Num::Narrow(whole) });
        }
        let most = self.fitting(most);
        let mut low = 0i64;
        let mut sums = vec![Num::one(width)];
        let mut whole = Num::one(width);
        let mut rest = cells;
        while let Some(cell) = rest.first() {
            let alike = rest.iter().take_while(|c| *c == cell).count();
            let (faces, sides) = self.listed(*cell, most)?;
            // The first equal dice are usually the whole pool.
            if alike > 1 && sums.len() == 1 && LazyDice::of(*cell).is_some() && even(&faces) && faces.len() > 1 {
                let (span, first) = (faces.len() - 1, faces[0].0);
                if alike.checked_mul(span)? >= most {
                    return None;
                }
                low = low.checked_add(first.checked_mul(alike as i64)?)?;
                whole = whole.mul(&Num::from(sides).pow(alike));
                sums = many(alike as u64, faces.len() as u64, width, meter)?;
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
            let times = if even(&faces) { 2 } else { faces.len() as u64 };
            if !meter.words((sums.len() as u64 * times).saturating_mul(words(&whole))) {
                return None;
            }
            sums = if even(&faces) { slide(&sums, faces.len()) } else { add(&sums, &faces, first, span) };
        }
        let list = sums.into_iter().enumerate().filter(|(_, n)| !n.is_zero());
        Some(Spread { list: list.map(|(n, weight)| (low + n as i64, weight)).collect(), whole })
    }

    /// Returns for a pool of equal dice the weights of a false and a true comparison of the count of matching faces, and their
    /// sum. Sums only the smaller side. Returns `None` if that side has more than [`FEW`] counts, if the dice differ, or if the
    /// budget does not allow it.
    pub fn counts_compared(
        &self,
        fits: impl Fn(i64) -> bool,
        holds: impl Fn(i64) -> bool,
        ways: &mut Binomials,
    ) -> Option<([Num; 2], Num)> {
        let Pool { game, cells, meter, .. } = *self;
        let (first, dice) = (*cells.first()?, cells.len());
        if cells.iter().any(|cell| *cell != first) {
            return None;
        }
        let faces = faces(game, first);
        let sides = |which: &dyn Fn(i64) -> bool| faces.iter().filter(|f| which(f.0)).map(|f| f.1).sum::<u64>();
        let (all, yes) = (sides(&|_| true), sides(&fits));
        if yes == 0 || yes == all {
            let mut both = [Num::Narrow(0), Num::Narrow(0)];
            both[usize::from(holds(if yes == 0 { 0 } else { dice as i64 }))] = Num::Narrow(1);
            return Some((both, Num::Narrow(1)));
        }
        let held = (0..=dice).filter(|n| holds(*n as i64)).count();
        let rendered = held * 2 <= dice;
        if held.min(dice + 1 - held) > FEW {
            return None;
        }
        let shared = num_integer::gcd(yes, all);
        let (yes, no) = (Num::from(yes / shared), Num::from((all - yes) / shared));
        let whole = Num::from(all / shared).pow(dice);
        if !meter.words((FEW as u64 + 4).saturating_mul(dice as u64).saturating_mul(words(&whole))) {
            return None;
        }
        let mut sum = Num::Narrow(0);
        for n in (0..=dice).filter(|n| holds(*n as i64) == rendered) {
            let mut term = yes.pow(n).mul(&no.pow(dice - n));
            if n > 0 && n < dice {
                term = term.mul(&ways.row(dice)[n]);
            }
            sum.add(&term);
        }
        let mut rest = whole.clone();
        rest.saturating_sub(&sum);
        Some((if rendered { [rest, sum] } else { [sum, rest] }, whole))
    }

    /// Returns the distribution of the count of matching faces, or `None` if there are too many counts or the budget does not
    /// allow it.
    pub fn counts(&self, fits: impl Fn(i64) -> bool, ways: &mut Binomials) -> Option<Spread<i64>> {
        let Pool { game, cells, meter, .. } = *self;
        let most = self.fitting(self.most);
        let mut alike: BTreeMap<i64, usize> = BTreeMap::new();
        cells.iter().for_each(|cell| *alike.entry(*cell).or_default() += 1);
        let mut sure = 0;
        let (mut list, mut whole) = (vec![Num::Narrow(1)], Num::Narrow(1));
        for (cell, dice) in alike {
            let (faces, _) = reduced(faces(game, cell));
            let all: u64 = faces.iter().map(|f| f.1).sum();
            let yes: u64 = faces.iter().filter(|(face, _)| fits(*face)).map(|f| f.1).sum();
            let shared = num_integer::gcd(yes, all);
            let (yes, no) = (Num::from(yes / shared), Num::from((all - yes) / shared));
            if no.is_zero() {
                sure += dice as i64;
            }
            if no.is_zero() || yes.is_zero() {
                continue;
            }
            if list.len() + dice > most {
                return None;
            }
            let one = Num::from(all / shared).pow(dice);
            whole = whole.mul(&one);
            if !meter.words((list.len() as u64 + 4).saturating_mul(dice as u64).saturating_mul(words(&whole))) {
                return None;
            }
            let mut own: Vec<Num> = Vec::with_capacity(dice + 1);
            own.extend_from_slice(ways.row(dice));
            // The powers for matching faces ascend, those for other faces descend.
            let (mut power, mut rest) = (Num::Narrow(1), Num::Narrow(1));
            for k in 1..=dice {
                (power, rest) = (power.mul(&yes), rest.mul(&no));
                own[k] = own[k].mul(&power);
                own[dice - k] = own[dice - k].mul(&rest);
            }
            if list.len() == 1 {
                list = own;
                continue;
            }
            let mut next = vec![Num::Narrow(0); list.len() + dice];
            for (n, weight) in list.iter().enumerate() {
                own.iter().enumerate().for_each(|(k, more)| next[n + k].add(&weight.mul(more)));
            }
            list = next;
        }
        let list = list.into_iter().enumerate().map(|(n, weight)| (n as i64 + sure, weight)).collect();
        Some(Spread { list, whole })
    }

    /// Returns the distribution of the `count` highest (or lowest) dice, best first, or `None` if there are more than `most`
    /// lists.
    pub fn best(&self, count: usize, highest: bool) -> Option<Spread<Vec<i64>>> {
        let cells = self.cells;
        let count = count.min(cells.len());
        let pool = Pool { most: self.fitting(super::pool::room(self.most, count)), ..*self };
        match self.alike(highest) {
            Some((faces, sides)) => {
                // Dice with two or more faces have at least `count` branches.
                if faces.len() > 1 && count > pool.most {
                    return None;
                }
                let dice = |kept: &Vec<i64>, n: usize, face: i64| {
                    let mut dice = kept.clone();
                    dice.resize(dice.len() + n, face);
                    dice
                };
                let list = pool.best_of_alike(&faces, count, Vec::new(), dice)?;
                Some(Spread { list, whole: Num::from(sides).pow(cells.len()) })
            }
            None => pool.best_of_any(count, highest),
        }
    }

    /// Returns the distribution of the sum of the `count` highest (or lowest) of equal dice. Returns `None` if the dice differ,
    /// or if there are more than `most` sums.
    pub fn best_total(&self, count: usize, highest: bool) -> Option<Spread<i64>> {
        let cells = self.cells;
        let (faces, sides) = self.alike(highest)?;
        faces.iter().try_for_each(|(face, _)| face.checked_mul(count as i64).map(drop))?;
        let count = count.min(cells.len());
        // Estimate: branches by places taken and sums, for each face and each number of dice with it.
        let span = faces.iter().map(|f| f.0).max()?.abs_diff(faces.iter().map(|f| f.0).min()?);
        let bits = u128::from(sides.ilog2() + 1) * cells.len() as u128;
        let ways = (count as u128).pow(3) * u128::from(span) * faces.len() as u128 / 4;
        if ways.saturating_mul(bits / 64 + 1) > MOST_WORDS {
            return None;
        }
        let sum = |kept: &i64, n: usize, face: i64| kept + n as i64 * face;
        let pool = Pool { most: self.fitting(self.most), ..*self };
        let list = match (count as u128 + 1) * (count as u128 * u128::from(span) + 1) {
            ..=MOST_DENSE if count > 0 => self.best_sums(&faces, count, span as usize)?,
            _ => pool.best_of_alike(&faces, count, 0, sum)?,
        };
        Some(Spread { list, whole: Num::from(sides).pow(cells.len()) })
    }

    /// Returns the faces of equal unsampled dice, best first, and their number of sides.
    fn alike(&self, highest: bool) -> Option<(Vec<(i64, u64)>, u64)> {
        let Pool { game, cells, .. } = *self;
        let first = cells.first().filter(|first| LazyDice::of(**first).is_some())?;
        if cells.iter().any(|cell| cell != first) {
            return None;
        }
        let (mut faces, sides) = reduced(faces(game, *first));
        if highest {
            faces.reverse();
        }
        Some((faces, sides))
    }

    /// Enumerates equal dice face by face from the best: the number of dice with the face, while places are left. When a face
    /// takes all places, the other dice have it or a worse one. `keep` adds dice with a face to the value of the better ones;
    /// equal values are merged.
    fn best_of_alike<V: Ord + Clone>(
        &self,
        faces: &[(i64, u64)],
        count: usize,
        none: V,
        keep: impl Fn(&V, usize, i64) -> V,
    ) -> Option<Vec<(V, Num)>> {
        let Pool { width, most, meter, .. } = *self;
        let dice = self.cells.len();
        let mut ways = Binomials::default();
        let mut done: BTreeMap<V, Num> = BTreeMap::new();
        let mut open: BTreeMap<(usize, V), Num> = BTreeMap::from([((0, none), Num::one(width))]);
        let mut worse: u64 = faces.iter().map(|f| f.1).sum();
        let add = |to: &mut Num, more: Num| if to.is_zero() { *to = more } else { to.add(&more) };
        for (face, sides) in faces {
            let (side, both) = (Num::from(*sides), Num::from(worse));
            worse -= sides;
            let rest = Num::from(worse);
            let mut next: BTreeMap<(usize, V), Num> = BTreeMap::new();
            // By number of places taken: the weights of each number of dice with this face, and of all places filled.
            let mut shares: FxHashMap<usize, (Vec<Num>, Num)> = FxHashMap::default();
            for ((taken, kept), weight) in &open {
                let (left, places) = (dice - taken, count - taken);
                if !shares.contains_key(taken) {
                    let (fewer, filled) = share(ways.row(left), (left, places), [&side, &both, &rest]);
                    if !meter.words((places as u64 + 8).saturating_mul(4 * words(&filled))) {
                        return None;
                    }
                    shares.insert(*taken, (fewer, filled));
                }
                let (fewer, filled) = &shares[taken];
                if !meter.words((fewer.len() as u64 + 1).saturating_mul(words(weight) + words(filled))) {
                    return None;
                }
                add(done.entry(keep(kept, places, *face)).or_insert(Num::Narrow(0)), weight.mul(filled));
                // Some places stay open, so all other dice are worse.
                for (n, share) in fewer.iter().enumerate().take(if worse > 0 { places } else { 0 }) {
                    add(next.entry((taken + n, keep(kept, n, *face))).or_insert(Num::Narrow(0)), weight.mul(share));
                }
                if done.len() + next.len() > most {
                    return None;
                }
            }
            open = next;
        }
        Some(done.into_iter().collect())
    }

    /// Returns the sums of the best of equal dice in a dense table, indexed by the places taken and the sum above the minimum.
    fn best_sums(&self, faces: &[(i64, u64)], count: usize, span: usize) -> Option<Vec<(i64, Num)>> {
        let (Pool { width, meter, .. }, dice) = (*self, self.cells.len());
        let low = faces.iter().map(|f| f.0).min()?;
        let wide = count * span + 1;
        let mut ways = Binomials::default();
        let mut done = vec![Num::Narrow(0); wide];
        let mut open = vec![Num::Narrow(0); count * wide];
        open[0] = Num::one(width);
        let mut worse: u64 = faces.iter().map(|f| f.1).sum();
        for (face, sides) in faces {
            let (side, both, more) = (Num::from(*sides), Num::from(worse), (face - low) as usize);
            worse -= sides;
            let rest = Num::from(worse);
            // Entries with more places taken already include this face.
            for taken in (0..count).rev() {
                let (row, later) = open[taken * wide..].split_at_mut(wide);
                if row.iter().all(Num::is_zero) {
                    continue;
                }
                let places = count - taken;
                let (fewer, filled) = share(ways.row(dice - taken), (dice - taken, places), [&side, &both, &rest]);
                for (sum, weight) in row.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
                    if !meter.words((places as u64 + 1).saturating_mul(words(weight) + words(&filled))) {
                        return None;
                    }
                    done[sum + places * more].add(&weight.mul(&filled));
                    for (n, share) in fewer.iter().enumerate().skip(1) {
                        later[(n - 1) * wide + sum + n * more].add(&weight.mul(share));
                    }
                }
            }
        }
        let list = done.into_iter().enumerate().filter(|(_, weight)| !weight.is_zero());
        Some(list.map(|(sum, weight)| (low * count as i64 + sum as i64, weight)).collect())
    }

    /// Enumerates unequal dice one after the other, and merges equal lists.
    fn best_of_any(&self, count: usize, highest: bool) -> Option<Spread<Vec<i64>>> {
        let Pool { game, cells, width, most, meter } = *self;
        let better = |a: i64, b: i64| if highest { a > b } else { a < b };
        let mut kept: BTreeMap<Vec<i64>, Num> = BTreeMap::from([(Vec::new(), Num::one(width))]);
        let mut whole = Num::one(width);
        for cell in cells {
            let (faces, sides) = reduced(faces(game, *cell));
            whole = whole.mul(&Num::from(sides));
            let mut next: BTreeMap<Vec<i64>, Num> = BTreeMap::new();
            for (dice, weight) in &kept {
                if !meter.words((faces.len() as u64).saturating_mul(dice.len() as u64 + words(weight) + 4)) {
                    return None;
                }
                // Faces that do not enter the list change nothing.
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
}

/// Returns the faces with weights in lowest terms, and the sum of the weights.
fn reduced(mut faces: Vec<(i64, u64)>) -> (Vec<(i64, u64)>, u64) {
    let shared = faces.iter().fold(0, |a, (_, n)| num_integer::gcd(a, *n)).max(1);
    faces.iter_mut().for_each(|(_, n)| *n /= shared);
    let whole = faces.iter().map(|(_, n)| n).sum();
    (faces, whole)
}

/// Returns whether the faces are consecutive with equal weights.
fn even(faces: &[(i64, u64)]) -> bool {
    faces.windows(2).all(|pair| pair[0].0.checked_add(1) == Some(pair[1].0)) && faces.iter().all(|f| f.1 == 1)
}

/// Returns the distribution of the sum of `dice` dice with `faces` faces from 0. The weights are the coefficients of
/// the power q of (1 - x^s) / (1 - x). Its derivative is q times that of the logarithm, so each coefficient follows
/// from three earlier ones. The second half mirrors the first.
fn many(dice: u64, faces: u64, width: Width, meter: &Meter) -> Option<Vec<Num>> {
    let most = (dice * (faces - 1)) as usize;
    let mut sums = Vec::with_capacity(most + 1);
    sums.push(Num::one(width));
    let mut product = Num::Narrow(0);
    for k in 1..=most / 2 {
        if !meter.words(4 * words(&sums[k - 1])) {
            return None;
        }
        let at = |back: u64| (k as u64).checked_sub(back).map(|n| &sums[n as usize]);
        let mut sum = sums[k - 1].clone();
        sum.times(k as u64 - 1 + dice);
        if let Some(before) = at(faces + 1) {
            product.clone_from(before);
            product.times(dice * (faces - 1) + faces + 1 - k as u64);
            sum.add(&product);
        }
        if let Some(before) = at(faces) {
            product.clone_from(before);
            product.times(faces * (dice + 1) - k as u64);
            sum.saturating_sub(&product);
        }
        sum.exact_div_small(k as u64);
        sums.push(sum);
    }
    for k in most / 2 + 1..=most {
        sums.push(sums[most - k].clone());
    }
    Some(sums)
}

/// Returns the size of a number in 64-bit words.
fn words(n: &Num) -> u64 {
    n.bytes() as u64 / 8
}

/// Maximum number of terms of a binomial that are added one by one.
const FEW: usize = 4;

/// Adds one more die with consecutive faces of equal weight: each sum is the total of a sliding window.
fn slide(sums: &[Num], faces: usize) -> Vec<Num> {
    let mut next = Vec::with_capacity(sums.len() + faces - 1);
    let mut window = Num::Narrow(0);
    for n in 0..sums.len() + faces - 1 {
        if let Some(more) = sums.get(n) {
            window.add(more);
        }
        if n >= faces {
            window.saturating_sub(&sums[n - faces]);
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

/// Returns the weights of each number of dice with a face that leaves places open, and the weight of the face filling
/// all places. The former do not include the weights of the other dice. `left` dice are left for `places` places. The
/// weights of one die are: the face, the face or a worse one, a worse one.
fn share(row: &[Num], (left, places): (usize, usize), [side, both, rest]: [&Num; 3]) -> (Vec<Num>, Num) {
    let (mut power, mut fewer) = (Num::Narrow(1), Vec::with_capacity(places));
    let mut filled = both.pow(left);
    // Powers of the weight of worse faces, from the lowest needed one up.
    let mut rests = vec![rest.pow((left + 1).saturating_sub(places))];
    (1..places).for_each(|n| rests.push(rests[n - 1].mul(rest)));
    for n in 0..places {
        let share = row[n].mul(&power);
        filled.saturating_sub(&share.mul(&rests[places - 1 - n]));
        fewer.push(share);
        power = power.mul(side);
    }
    (fewer, filled)
}
