//! The exact workloads by hand: whole numbers over one denominator.

use num_bigint::BigUint;
use num_traits::Zero;

/// What comes out with how much weight, rising, and what the weights come to.
pub type Odds = (Vec<(i64, BigUint)>, BigUint);

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |c, i| c * (n - i) / (i + 1))
}

/// Whether any of 10d6 is 2 or less, by its complement.
pub fn any_in_closed_form() -> Odds {
    let (whole, none) = (6u64.pow(10), 4u64.pow(10));
    (vec![(0, none.into()), (1, (whole - none).into())], whole.into())
}

/// The same die by die.
pub fn any_by_dice() -> Odds {
    let mut ways = [1u64, 0];
    for _ in 0..10 {
        ways = [ways[0] * 4, ways[1] * 6 + ways[0] * 2];
    }
    (vec![(0, ways[0].into()), (1, ways[1].into())], 6u64.pow(10).into())
}

/// The three highest of 10d6, summed: each threesome by how the other seven can lie under it.
pub fn keep_in_closed_form() -> Odds {
    const N: u64 = 10;
    let mut sums = [0u64; 19];
    for low in 1..=6u64 {
        // the dice above the third, none to two of them, and the ways they can be placed
        let mut above = |count: u64, placed: u64, sum: u64| {
            let rest = N - count;
            let under: u64 = (0..3 - count).map(|j| choose(rest, j) * (low - 1).pow((rest - j) as u32)).sum();
            sums[(sum + (3 - count) * low) as usize] += placed * (low.pow(rest as u32) - under);
        };
        above(0, 1, 0);
        for x in low + 1..=6 {
            above(1, N, x);
            above(2, N * (N - 1) / 2, 2 * x);
            for y in x + 1..=6 {
                above(2, N * (N - 1), x + y);
            }
        }
    }
    let odds = (3..19).map(|s| (s as i64, sums[s].into())).collect();
    (odds, 6u64.pow(N as u32).into())
}

/// The same face by face from the highest: dice left, places left and the sum so far.
pub fn keep_by_faces() -> Odds {
    const N: usize = 10;
    let mut open = [[0u64; 19]; N + 1];
    let mut sums = [0u64; 19];
    open[N][0] = 1;
    for face in (1..=6usize).rev() {
        let mut next = [[0u64; 19]; N + 1];
        for left in 0..=N {
            let places = 3usize.saturating_sub(N - left);
            for (sum, ways) in open[left].into_iter().enumerate().filter(|(_, w)| *w > 0) {
                for show in 0..=left {
                    let (sum, ways) = (sum + face * show.min(places), ways * choose(left as u64, show as u64));
                    let to = if face == 1 {
                        (show == left).then_some(&mut sums[sum])
                    } else {
                        Some(&mut next[left - show][sum])
                    };
                    if let Some(to) = to {
                        *to += ways;
                    }
                }
            }
        }
        open = next;
    }
    let odds = (3..19).map(|s| (s as i64, sums[s].into())).collect();
    (odds, 6u64.pow(N as u32).into())
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

/// The workload of `benches/w1` over six turns: a table of models and markers, the salvo worked out once.
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
    told_sums(sums)
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
    told_sums(sums)
}

fn told_sums(sums: Vec<BigUint>) -> Odds {
    (sums.into_iter().enumerate().map(|(n, ways)| (n as i64 + 100, ways)).collect(), BigUint::from(6u32).pow(100))
}
