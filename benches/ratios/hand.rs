//! The sampled workloads as plain Rust over a small fast generator, a die at a time, and their exact odds.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Runs trials and counts their outcomes.
#[inline(always)]
pub fn count(seed: u64, trials: u64, counts: &mut [u64], trial: impl Fn(&mut SmallRng) -> usize) {
    let mut rng = SmallRng::seed_from_u64(seed);
    (0..trials).for_each(|_| counts[trial(&mut rng)] += 1);
}

fn die(rng: &mut SmallRng, sides: u32) -> u32 {
    rng.random_range(1..=sides)
}

/// Six turns under fire: models * 10 + markers * 2 + destroyed.
pub fn w1(rng: &mut SmallRng) -> usize {
    let (mut models, mut markers, mut destroyed) = (20u32, 2u32, false);
    let (ld, nv) = (3, 4u32);
    for _ in 0..6 {
        if !destroyed && markers > 0 {
            let need = nv - if markers >= 2 { markers - 1 } else { 0 };
            let good = (0..ld).filter(|_| die(rng, 6) <= need).count() as u32;
            if good > 0 {
                markers -= 1;
                if markers >= 2 {
                    markers -= good.min(markers);
                }
            } else if models * 4 < 20 {
                models = 0;
                destroyed = true;
            } else if models * 2 <= 20 {
                markers -= 1;
            }
        }
        if models > 0 {
            let hits = (0..10).filter(|_| die(rng, 6) >= 4).count() as u32;
            let lost = (0..hits).filter(|_| die(rng, 6) < 5).count() as u32;
            if hits >= 3 {
                markers = (markers + 1).min(nv);
            }
            models = models.saturating_sub(lost);
            destroyed |= models == 0;
        }
    }
    (models * 10 + markers * 2 + u32::from(destroyed)) as usize
}

/// A duel of sorted dice, ten against ten: losses of the attacker * 32 + those of the defender.
pub fn w2(rng: &mut SmallRng) -> usize {
    let (mut a, mut d) = (10usize, 10usize);
    while a > 0 && d > 0 {
        let (mut mine, mut theirs) = ([0; 3], [0; 2]);
        let (many, few) = (a.min(3), d.min(2));
        mine[..many].iter_mut().for_each(|m| *m = die(rng, 6));
        theirs[..few].iter_mut().for_each(|t| *t = die(rng, 6));
        mine.sort_unstable_by(|x, y| y.cmp(x));
        theirs.sort_unstable_by(|x, y| y.cmp(x));
        let both = many.min(few);
        let lost = mine.iter().zip(theirs).take(both).filter(|(m, t)| *m > t).count();
        d -= lost;
        a -= both - lost;
    }
    (10 - a) * 32 + 10 - d
}

/// How far up the ladder the range die of each activation lies.
const SHIFTS: [usize; 10] = [0, 3, 4, 4, 1, 4, 2, 5, 2, 2];
const LADDER: [u32; 5] = [4, 6, 8, 10, 12];

/// Ten activations of fire: models * 4 + suppression.
pub fn w3(rng: &mut SmallRng) -> usize {
    let (mut models, mut suppression) = (20u32, 0u32);
    for shift in SHIFTS {
        if let Some(size) = LADDER.get(shift) {
            let (range, quality, support) = (die(rng, *size), die(rng, 8), die(rng, 10));
            if quality > range || support > range {
                suppression = (suppression + 1).min(3);
            }
            if quality > range && support > range {
                models = models.saturating_sub((quality + support) / size);
            }
        }
        if models > 0 && suppression > 0 && die(rng, 8) > 2 {
            suppression -= 1;
        }
    }
    (models * 4 + suppression) as usize
}

/// Of ten dice the three highest, summed.
pub fn w4(rng: &mut SmallRng) -> usize {
    let mut dice: [u32; 10] = std::array::from_fn(|_| die(rng, 6));
    dice.sort_unstable();
    dice[7..].iter().sum::<u32>() as usize
}

/// The odds of W2, exchange by exchange over every fall of the dice.
pub fn odds_of_w2() -> Vec<f64> {
    let exchange = |many: usize, few: usize| {
        let (mut ways, total) = ([0u32; 3], 6usize.pow((many + few) as u32));
        for fall in 0..total {
            let mut faces: Vec<usize> = (0..many + few).map(|n| fall / 6usize.pow(n as u32) % 6).collect();
            let (mine, theirs) = faces.split_at_mut(many);
            mine.sort_unstable_by(|x, y| y.cmp(x));
            theirs.sort_unstable_by(|x, y| y.cmp(x));
            ways[mine.iter().zip(theirs.iter()).filter(|(m, t)| m > t).count()] += 1;
        }
        ways.map(|w| f64::from(w) / total as f64)
    };
    let table: Vec<Vec<[f64; 3]>> = (1..=3).map(|m| (1..=2).map(|f| exchange(m, f)).collect()).collect();
    let mut at = [[0.0; 11]; 11];
    at[10][10] = 1.0;
    for a in (1..=10usize).rev() {
        for d in (1..=10usize).rev() {
            let both = a.min(d).min(2);
            for (lost, share) in table[a.min(3) - 1][d.min(2) - 1].iter().enumerate().take(both + 1) {
                at[a - (both - lost)][d - lost] += at[a][d] * share;
            }
        }
    }
    let mut odds = vec![0.0; SIZE];
    for n in 1..=10 {
        odds[(10 - n) * 32 + 10] = at[n][0];
        odds[10 * 32 + 10 - n] = at[0][n];
    }
    odds
}

/// The odds of W3, activation by activation over every fall of the dice.
pub fn odds_of_w3() -> Vec<f64> {
    let mut at = vec![0.0; SIZE];
    at[20 * 4] = 1.0;
    for shift in SHIFTS {
        if let Some(size) = LADDER.get(shift) {
            let mut next = vec![0.0; SIZE];
            for (code, share) in at.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                for fall in 0..size * 80 {
                    let (range, quality, support) = (fall / 80 + 1, fall / 10 % 8 + 1, fall % 10 + 1);
                    let (mut models, mut suppression) = (code as u32 / 4, code as u32 % 4);
                    let over = u32::from(quality > range) + u32::from(support > range);
                    suppression = (suppression + over.min(1)).min(3);
                    models = models.saturating_sub(if over == 2 { (quality + support) / size } else { 0 });
                    next[(models * 4 + suppression) as usize] += share / f64::from(size * 80);
                }
            }
            at = next;
        }
        let mut next = vec![0.0; SIZE];
        for (code, share) in at.iter().enumerate() {
            let rallies = if code >= 4 && code % 4 > 0 { 0.75 } else { 0.0 };
            next[code] += share * (1.0 - rallies);
            next[code.saturating_sub(1)] += share * rallies;
        }
        at = next;
    }
    at
}

/// Codes are less than this.
pub const SIZE: usize = 512;

/// Trials of W1 on a thread of their own: the sum of their codes.
pub fn trials(seed: u64, trials: u64) -> u64 {
    let mut counts = vec![0; SIZE];
    count(seed, trials, &mut counts, w1);
    counts.iter().zip(0..).map(|(n, code)| n * code).sum()
}
