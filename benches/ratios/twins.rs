//! The exact workloads by hand: whole numbers over one denominator.

use num_bigint::BigUint;
use num_traits::Zero;

/// What comes out with how much weight, rising, and what the weights come to.
pub type Odds = (Vec<(i64, BigUint)>, BigUint);

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |c, i| c * (n - i) / (i + 1))
}

/// Whether any of some dice is so low, by its complement.
pub fn any_in_closed_form(dice: u32, sides: u32, most: u32) -> Odds {
    let (whole, none) = (BigUint::from(sides).pow(dice), BigUint::from(sides - most).pow(dice));
    (vec![(0, none.clone()), (1, &whole - none)], whole)
}

/// The same die by die.
pub fn any_by_dice(dice: u32, sides: u32, most: u32) -> Odds {
    let (mut none, mut any) = (BigUint::from(1u32), BigUint::zero());
    for _ in 0..dice {
        any = any * sides + &none * most;
        none *= sides - most;
    }
    let whole = &none + &any;
    (vec![(0, none), (1, any)], whole)
}

/// The same in 64 bits, which do for few dice.
pub fn any_in_64_bits(dice: u32, sides: u32, most: u32) -> Odds {
    let (whole, none) = (u64::from(sides).pow(dice), u64::from(sides - most).pow(dice));
    (vec![(0, none.into()), (1, (whole - none).into())], whole.into())
}

/// The threesomes that the highest of some dice can be, by the face of the third: what they come to, how many lie above
/// the third, and the ways these can be placed.
fn threesomes(dice: u64, sides: u64, low: u64, mut each: impl FnMut(usize, usize, u64)) {
    each((3 * low) as usize, 0, 1);
    for x in low + 1..=sides {
        each((x + 2 * low) as usize, 1, dice);
        each((2 * x + low) as usize, 2, dice * (dice - 1) / 2);
        for y in x + 1..=sides {
            each((x + y + low) as usize, 2, dice * (dice - 1));
        }
    }
}

/// The three highest of some dice, summed: each threesome by how the others can lie under it.
pub fn keep_in_closed_form(dice: u32, sides: u64) -> Odds {
    let (dice, power) = (u64::from(dice), |base: u64, n: u64| BigUint::from(base).pow(n as u32));
    let mut sums = vec![BigUint::zero(); 3 * sides as usize + 1];
    for low in 1..=sides {
        // so many ways the others leave those above the third, none to two, their places
        let under: [BigUint; 3] = std::array::from_fn(|above| {
            let rest = dice - above as u64;
            let less = (0..3 - above as u64).map(|j| power(low - 1, rest - j) * choose(rest, j));
            power(low, rest) - less.sum::<BigUint>()
        });
        threesomes(dice, sides, low, |sum, above, placed| sums[sum] += &under[above] * placed);
    }
    (told_sums(sums, 0).skip(3).collect(), power(sides, dice))
}

/// The same in 64 bits, which do for few dice.
pub fn keep_in_64_bits(dice: u32, sides: u64) -> Odds {
    let (dice, power) = (u64::from(dice), |base: u64, n: u64| base.pow(n as u32));
    let mut sums = vec![0u64; 3 * sides as usize + 1];
    for low in 1..=sides {
        let under: [u64; 3] = std::array::from_fn(|above| {
            let rest = dice - above as u64;
            power(low, rest) - (0..3 - above as u64).map(|j| power(low - 1, rest - j) * choose(rest, j)).sum::<u64>()
        });
        threesomes(dice, sides, low, |sum, above, placed| sums[sum] += placed * under[above]);
    }
    (told_sums(sums, 0).skip(3).map(|(s, ways)| (s, ways.into())).collect(), power(sides, dice).into())
}

/// The same face by face from the highest: dice left, places left and the sum so far.
pub fn keep_by_faces(dice: u32, sides: usize) -> Odds {
    let (dice, size) = (dice as usize, 3 * sides + 1);
    let empty = || vec![vec![BigUint::zero(); size]; dice + 1];
    let mut open = empty();
    let mut sums = vec![BigUint::zero(); size];
    open[dice][0] = 1u32.into();
    for face in (1..=sides).rev() {
        let mut next = empty();
        for (left, row) in open.iter().enumerate() {
            let places = 3usize.saturating_sub(dice - left);
            for (sum, ways) in row.iter().enumerate().filter(|(_, ways)| !ways.is_zero()) {
                for show in if face == 1 { left..=left } else { 0..=left } {
                    let (sum, ways) = (sum + face * show.min(places), ways * choose(left as u64, show as u64));
                    *(if face == 1 { &mut sums[sum] } else { &mut next[left - show][sum] }) += ways;
                }
            }
        }
        open = next;
    }
    (told_sums(sums, 0).skip(3).collect(), BigUint::from(sides).pow(dice as u32))
}

/// How an exchange of so many dice against so many ends: ways by the losses of the defender, and the exponent of 6 of
/// what they are out of.
fn exchange(mine: usize, theirs: usize) -> ([u64; 3], u32) {
    // of two or three dice only the two highest count: with the ways each pair of them comes up
    fn pairs(dice: usize) -> Vec<(u64, u64, u64)> {
        let mut found = Vec::new();
        for x in 1..=6u64 {
            for y in 1..=x {
                let ways = match dice {
                    1 if y == 1 => 1,
                    2 => 2 - u64::from(x == y),
                    // the third is no higher than the second
                    3 if x == y => 3 * (x - 1) + 1,
                    3 => 6 * (y - 1) + 3,
                    _ => continue,
                };
                found.push((x, y, ways));
            }
        }
        found
    }
    let mut ways = [0; 3];
    let theirs_all = pairs(theirs);
    for (x, y, w) in pairs(mine) {
        for (u, v, z) in &theirs_all {
            let second = mine.min(theirs) == 2 && y > *v;
            ways[usize::from(x > *u) + usize::from(second)] += w * z;
        }
    }
    (ways, (mine + theirs) as u32)
}

/// Whether the attacker wins a duel of sorted dice, k against k: from the last exchange to the first.
pub fn duel(k: usize) -> Odds {
    let table: [[([u64; 3], u32); 2]; 3] = std::array::from_fn(|m| std::array::from_fn(|t| exchange(m + 1, t + 1)));
    // of each pair of strengths: ways, and out of which power of 6; only strengths that are come by
    let mut worth: Vec<Option<(BigUint, u32)>> = vec![None; (k + 1) * (k + 1)];
    let mut met = vec![false; (k + 1) * (k + 1)];
    let mut order = vec![(k, k)];
    let mut at = 0;
    while at < order.len() {
        let (a, d) = order[at];
        at += 1;
        if a == 0 || d == 0 {
            continue;
        }
        let both = a.min(d).min(2);
        for lost in 0..=both {
            let next = (a - (both - lost), d - lost);
            let place = next.0 * (k + 1) + next.1;
            if !met[place] {
                met[place] = true;
                order.push(next);
            }
        }
    }
    order.sort_by_key(|(a, d)| a + d);
    for (a, d) in order {
        worth[a * (k + 1) + d] = Some(if a == 0 || d == 0 {
            (BigUint::from(u32::from(d == 0)), 0)
        } else {
            let (ways, power) = table[a.min(3) - 1][d.min(2) - 1];
            let both = a.min(d).min(2);
            let next =
                (0..=both).filter_map(|lost| Some((lost, worth[(a + lost - both) * (k + 1) + d - lost].as_ref()?)));
            let most = next.clone().map(|(_, (_, power))| *power).max().unwrap_or(0);
            let mut sum = BigUint::zero();
            for (lost, (ways_on, power_on)) in next {
                let scale = most - power_on;
                if scale <= 18 {
                    sum += ways_on * (ways[lost] * 6u64.pow(scale));
                } else {
                    sum += ways_on * BigUint::from(6u64).pow(scale) * ways[lost];
                }
            }
            (sum, most + power)
        });
    }
    let (wins, power) = worth.pop().flatten().unwrap();
    let whole = BigUint::from(6u64).pow(power);
    (vec![(0, &whole - &wins), (1, wins)], whole)
}

/// W1 over six turns: a table of models and markers, the salvo worked out once.
pub fn under_fire() -> Odds {
    const ALL: u64 = 6u64.pow(10);
    // ways of the salvo by what is lost: without a marker, and with one
    let mut salvo = [[0u64; 11]; 2];
    for hits in 0..=10u64 {
        for lost in 0..=hits {
            let ways = choose(10, hits) * choose(hits, lost) * 2u64.pow(lost as u32) * 3u64.pow(10 - hits as u32);
            salvo[usize::from(hits >= 3)][lost as usize] += ways;
        }
    }
    let empty = || -> [[BigUint; 5]; 21] { std::array::from_fn(|_| std::array::from_fn(|_| BigUint::zero())) };
    let mut now = empty();
    now[20][2] = 1u32.into();
    let mut whole = BigUint::from(1u32);
    for _ in 0..6 {
        let mut acted = empty();
        for (models, row) in now.iter().enumerate() {
            for (markers, ways) in row.iter().enumerate().filter(|(_, w)| !w.is_zero()) {
                if models == 0 || markers == 0 {
                    acted[models][markers] += ways * 216u32;
                    continue;
                }
                let need = 4 - if markers >= 2 { markers as u64 - 1 } else { 0 };
                for good in 0..=3u64 {
                    let part = choose(3, good) * need.pow(good as u32) * (6 - need).pow(3 - good as u32);
                    let (mut m, mut k) = (models, markers);
                    if good > 0 {
                        k -= 1;
                        if k >= 2 {
                            k = k.saturating_sub(good as usize);
                        }
                    } else if models * 4 < 20 {
                        m = 0;
                    } else if models * 2 <= 20 {
                        k -= 1;
                    }
                    acted[m][k] += ways * part;
                }
            }
        }
        now = empty();
        for (models, row) in acted.iter().enumerate() {
            for (markers, ways) in row.iter().enumerate().filter(|(_, w)| !w.is_zero()) {
                if models == 0 {
                    now[0][markers] += ways * ALL;
                    continue;
                }
                for (more, losses) in salvo.iter().enumerate() {
                    for (lost, part) in losses.iter().enumerate().filter(|(_, p)| **p > 0) {
                        now[models.saturating_sub(lost)][(markers + more).min(4)] += ways * *part;
                    }
                }
            }
        }
        whole *= 216 * ALL;
    }
    let mut odds = Vec::new();
    for (models, row) in now.into_iter().enumerate() {
        for (markers, ways) in row.into_iter().enumerate().filter(|(_, w)| !w.is_zero()) {
            odds.push(((models * 10 + markers * 2 + usize::from(models == 0)) as i64, ways));
        }
    }
    odds.sort_by_key(|(code, _)| *code);
    (odds, whole)
}

/// The sum of 100d6 die by die, six ways to come to each sum kept in a window.
pub fn sum_by_dice() -> Odds {
    let mut sums = vec![BigUint::from(1u32)];
    for _ in 0..100 {
        let mut next = Vec::with_capacity(sums.len() + 5);
        let mut window = BigUint::zero();
        for n in 0..sums.len() + 5 {
            if n < sums.len() {
                window += &sums[n];
            }
            if n >= 6 {
                window -= &sums[n - 6];
            }
            next.push(window.clone());
        }
        sums = next;
    }
    (told_sums(sums, 100).collect(), BigUint::from(6u32).pow(100))
}

/// The same by the recurrence of the powers of a polynomial p: p q' = 100 p' q. The second half mirrors the first.
pub fn sum_by_recurrence() -> Odds {
    let mut sums = vec![BigUint::from(1u32)];
    for k in 1..=250usize {
        let (mut more, mut less) = (BigUint::zero(), BigUint::zero());
        for i in 1..=k.min(5) {
            let factor = 101 * i as i64 - k as i64;
            *(if factor > 0 { &mut more } else { &mut less }) += &sums[k - i] * factor.unsigned_abs();
        }
        sums.push((more - less) / k as u64);
    }
    for k in 251..=500 {
        sums.push(sums[500 - k].clone());
    }
    (told_sums(sums, 100).collect(), BigUint::from(6u32).pow(100))
}

/// Ways by what they come to, the first of them to `least`.
fn told_sums<W>(sums: Vec<W>, least: i64) -> impl Iterator<Item = (i64, W)> {
    (least..).zip(sums)
}
