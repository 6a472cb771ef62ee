//! W1 as plain Rust over a small fast generator.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Runs trials and sums their codes: models x 10 + markers x 2 + destroyed.
pub fn trials(seed: u64, count: u64) -> u64 {
    let mut rng = SmallRng::seed_from_u64(seed);
    (0..count).map(|_| trial(&mut rng)).sum()
}

fn d6(rng: &mut SmallRng) -> u32 {
    rng.random_range(1..=6)
}

fn trial(rng: &mut SmallRng) -> u64 {
    let (mut models, mut markers, mut destroyed) = (20u32, 2u32, false);
    let (ld, nv) = (3, 4u32);
    for _ in 0..6 {
        if !destroyed && markers > 0 {
            let need = nv - if markers >= 2 { markers - 1 } else { 0 };
            let good = (0..ld).filter(|_| d6(rng) <= need).count() as u32;
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
            let hits = (0..10).filter(|_| d6(rng) >= 4).count() as u32;
            let lost = (0..hits).filter(|_| d6(rng) < 5).count() as u32;
            if hits >= 3 {
                markers = (markers + 1).min(nv);
            }
            models = models.saturating_sub(lost);
            destroyed |= models == 0;
        }
    }
    u64::from(models * 10 + markers * 2 + u32::from(destroyed))
}
