//! Whether a condition holds more often in one of two versions: a sequential test on the pairs in which they differ.
//!
//! Of the pairs in which the condition holds on one side only, half favour B if neither side is better: whatever else
//! happens, that is the hypothesis "no difference". If B's share is better by `d`, and a share `q` of all pairs differs,
//! then 1/2 + d/2q of those pairs favour B. Both hypotheses stand before the test begins: the first pairs are a pilot,
//! which only says how large `q` is at most. Then A. Wald's sequential probability ratio ("Sequential Analysis", 1947) is
//! followed for "better by d" and for "worse by d", each against "no difference", as M. Sobel and A. Wald do it (Annals
//! of Mathematical Statistics 20, 1949). So that a difference much greater than `d` is not long in doubt, only half of
//! what is staked on "better" is staked like that; the other half is spread over a fixed list of greater and smaller
//! leans, and takes in the pilot (H. Robbins, "Statistical methods related to the law of the iterated logarithm", Annals
//! of Mathematical Statistics 41, 1970).

use super::real::{exp, ln};

/// How far pairs may lean from 1/2 to either side, for the half of the stake that is spread.
const LEANS: [f64; 8] = [0.01, 0.02, 0.04, 0.08, 0.15, 0.25, 0.35, 0.45];

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
    /// A and B changed over.
    fn turned(self) -> Discordant {
        Discordant { only_a: self.only_b, only_b: self.only_a, ..self }
    }

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
        let first = self.fixed.is_none();
        let (pilot, favour) = *self.fixed.get_or_insert_with(|| {
            // no more pairs lean one way than differ
            let most = at_most(all.count(), all.pairs, PILOT).max(self.within);
            (all, 0.5 + self.within / (2.0 * most))
        });
        let since = Discordant {
            pairs: all.pairs - pilot.pairs,
            only_a: all.only_a - pilot.only_a,
            only_b: all.only_b - pilot.only_b,
        };
        // each direction may err half as often; the bounds hold at any look, without Wald's approximation
        let upper = ln(2.0 / self.alpha);
        if stake(all, since, favour) >= upper {
            return Seen::More;
        }
        if stake(all.turned(), since.turned(), favour) >= upper {
            return Seen::Less;
        }
        let lower = ln(self.beta - PILOT);
        // fewer pairs differ at all than would have to lean one way
        let few = favour >= 1.0;
        let none = !first && ratio(since, favour) <= lower && ratio(since.turned(), favour) <= lower;
        if few || none { Seen::Same } else { Seen::Open }
    }
}

/// The logarithm of the likelihood of these pairs if a share of `favour` of those that differ favours B, against half.
fn ratio(pairs: Discordant, favour: f64) -> f64 {
    pairs.only_b as f64 * ln(2.0 * favour) + pairs.only_a as f64 * ln(2.0 - 2.0 * favour)
}

/// The logarithm of what a stake of 1 on "B is better" has become.
fn stake(all: Discordant, since: Discordant, favour: f64) -> f64 {
    let spread = LEANS.map(|lean| ratio(all, 0.5 + lean) - ln(2.0 * LEANS.len() as f64));
    let point = if favour < 1.0 { ratio(since, favour) } else { 0.0 } - ln(2.0);
    let most = spread.into_iter().fold(point, f64::max);
    most + ln(spread.into_iter().chain([point]).map(|s| exp(s - most)).sum())
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
        // what is plain in the pilot is seen there
        let mut test = FlagTest::new(0.01, 0.05, 0.05);
        assert_eq!(test.look(Discordant { pairs: 1_000, only_a: 0, only_b: 1_000 }), Seen::More);
        let mut test = FlagTest::new(0.05, 0.05, 0.05);
        test.look(Discordant { pairs: 1_000, only_a: 50, only_b: 50 });
        assert_eq!(test.look(Discordant { pairs: 50_000, only_a: 2_550, only_b: 2_550 }), Seen::Same);
    }
}
