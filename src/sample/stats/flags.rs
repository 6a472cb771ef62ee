//! Whether a condition holds more often in one of two versions: a sequential test on the pairs in which they differ.
//!
//! Of the pairs in which the condition holds on one side only, half favour B if neither side is better: whatever else
//! happens, that is the hypothesis "no difference". If B's share is better by `d`, and a share `q` of all pairs differs,
//! then 1/2 + d/2q of those pairs favour B. Both hypotheses stand before the test begins: the first pairs are a pilot,
//! which only says how large `q` is at most, and takes no part in the test. Then A. Wald's sequential probability ratio
//! ("Sequential Analysis", 1947) is followed for "better by d" and for "worse by d", each against "no difference", as
//! M. Sobel and A. Wald do it (Annals of Mathematical Statistics 20, 1949).

use super::real::ln;

/// What an upper bound from the pilot may miss, out of what a wrong "same" may cost.
const PILOT: f64 = 0.01;

/// Pairs, and those in which a condition holds on one side only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Discordant {
    /// All pairs.
    pub pairs: u64,
    /// Pairs in which it holds in B only.
    pub only_b: u64,
    /// Pairs in which it holds in A only.
    pub only_a: u64,
}

impl Discordant {
    /// Pairs in which the two differ.
    pub fn count(self) -> u64 {
        self.only_a + self.only_b
    }
}

/// The test. A difference is found where there is none with a chance of `alpha` at most, and none is found where it is
/// `within` or more with a chance of `beta` at most.
#[derive(Clone, Debug)]
pub struct FlagTest {
    within: f64,
    alpha: f64,
    beta: f64,
    /// The pilot, and the share of discordant pairs that favour B if B is better by `within`.
    fixed: Option<(Discordant, f64)>,
}

/// What a look at a sequential test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Not yet.
    Open,
    /// There is more of it in B.
    More,
    /// There is less of it in B.
    Less,
    /// The difference is smaller than what was asked for.
    Same,
}

impl FlagTest {
    /// A test that is to tell a difference of `within`, a share above 0.
    pub fn new(within: f64, alpha: f64, beta: f64) -> FlagTest {
        FlagTest { within, alpha, beta, fixed: None }
    }

    /// Pairs of the pilot.
    pub fn pilot(&self) -> u64 {
        ((10.0 / self.within).ceil() as u64).clamp(1_000, 10_000_000)
    }

    /// Looks at all pairs so far. The first look is the pilot.
    pub fn look(&mut self, all: Discordant) -> Seen {
        let Some((pilot, favour)) = self.fixed else {
            let most = at_most(all.count(), all.pairs, PILOT);
            if most <= self.within {
                // fewer pairs differ at all than would have to lean one way
                return Seen::Same;
            }
            self.fixed = Some((all, 0.5 + self.within / (2.0 * most)));
            return Seen::Open;
        };
        let (for_b, for_a) = ((all.only_b - pilot.only_b) as f64, (all.only_a - pilot.only_a) as f64);
        let (with, against) = (ln(2.0 * favour), ln(2.0 - 2.0 * favour));
        let better = for_b * with + for_a * against;
        let worse = for_a * with + for_b * against;
        // each direction may err half as often; the bounds hold at any look, without Wald's approximation
        let (upper, lower) = (ln(2.0 / self.alpha), ln(self.beta - PILOT));
        if better >= upper {
            Seen::More
        } else if worse >= upper {
            Seen::Less
        } else if better <= lower && worse <= lower {
            Seen::Same
        } else {
            Seen::Open
        }
    }
}

/// A share that is exceeded by the true one with a chance of `miss` at most: H. Chernoff's bound on the binomial tail
/// (Annals of Mathematical Statistics 23, 1952), which holds for any number of runs.
fn at_most(held: u64, runs: u64, miss: f64) -> f64 {
    if runs == 0 {
        return 1.0;
    }
    let (n, share) = (runs as f64, held as f64 / runs as f64);
    let term = |part: f64, of: f64| if part > 0.0 { part * ln(part / of) } else { 0.0 };
    let distance = |p: f64| n * (term(share, p) + term(1.0 - share, 1.0 - p));
    let (mut inside, mut outside) = (share, 1.0);
    for _ in 0..50 {
        let between = (inside + outside) / 2.0;
        if distance(between) < -ln(miss) {
            inside = between;
        } else {
            outside = between;
        }
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upper_bound_is_one() {
        // without a single hit: 1 - p to the n is the chance of that
        assert!((at_most(0, 1_000, 0.01) - 0.004_595).abs() < 1e-5);
        assert_eq!(at_most(0, 0, 0.01), 1.0);
        assert!(at_most(500, 1_000, 0.01) > 0.53 && at_most(500, 1_000, 0.01) < 0.56);
        assert_eq!(at_most(10, 10, 0.01), 1.0);
    }

    #[test]
    fn a_and_a_are_the_same_after_the_pilot() {
        let mut test = FlagTest::new(0.01, 0.05, 0.05);
        assert_eq!(test.pilot(), 1_000);
        assert_eq!(test.look(Discordant { pairs: 1_000, ..Discordant::default() }), Seen::Same);
    }

    #[test]
    fn the_direction_is_seen() {
        for (only_a, only_b, seen) in [(100, 300, Seen::More), (300, 100, Seen::Less), (100, 102, Seen::Open)] {
            let mut test = FlagTest::new(0.01, 0.05, 0.05);
            assert_eq!(test.look(Discordant { pairs: 1_000, only_a: 50, only_b: 50 }), Seen::Open);
            assert_eq!(test.look(Discordant { pairs: 5_000, only_a: 50 + only_a, only_b: 50 + only_b }), seen);
        }
        let mut test = FlagTest::new(0.05, 0.05, 0.05);
        test.look(Discordant { pairs: 1_000, only_a: 50, only_b: 50 });
        assert_eq!(test.look(Discordant { pairs: 50_000, only_a: 2_550, only_b: 2_550 }), Seen::Same);
    }
}
