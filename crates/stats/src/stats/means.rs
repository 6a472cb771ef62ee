//! Intervals of means of measures that have bounds, without a normal distribution, and valid at every look.
//!
//! A gambler doubts that the mean is `m`. On every run, with a value `x` between 0 and 1, the stake is multiplied by
//! `1 - c + c x / m`. If the mean is `m` or less, the stake is not expected to grow, so it ever reaches `1 / a` with a
//! chance of `a` at most (Ville's inequality): an `m` against which it has reached that is given up. The other side bets
//! on `1 - x`. This is the betting confidence sequence of I. Waudby-Smith and A. Ramdas, "Estimating means of bounded
//! random variables by betting", Journal of the Royal Statistical Society B 86 (2024), with the stake spread over a fixed
//! list of `c` that never changes, as in F. Orabona and K.-S. Jun, "Tight concentrations and confidence sequences from
//! the regret of universal portfolio", IEEE Transactions on Information Theory 70 (2024).
//!
//! Fixed bets make the order of the runs immaterial, so counts of values are all that is needed, and any thread may do
//! any run. The interval holds at all numbers of runs together: one may look as often as one likes, and stop at will.

use super::level::Level;
use super::real::{exp, ln};
use grognard_base::order;

/// The greatest bet. A little less than all, so that no single value ruins it.
const BOLDEST: f64 = 0.98;
/// Each bet is so much bolder than the one before.
const STEP: f64 = 1.5;
/// Values are told apart by so many steps of their range; others are rounded to the side on which the interval widens.
const STEPS: usize = 1024;
/// Halvings in the search for an end; then it is known to a millionth of a millionth.
const HALVINGS: usize = 40;

/// The part of the stake that is put on a tuned bet, if there is one.
const ON_TUNED: f64 = 0.75;

/// Bets on the mean of a measure that lies between two bounds.
#[derive(Clone, Debug)]
pub struct Sequence {
    low: f64,
    width: f64,
    bets: Vec<f64>,
    tuned: Option<Tuned>,
}

/// A bet that was chosen after a pilot, for the runs after it.
#[derive(Clone, Debug)]
struct Tuned {
    /// How bold it is on "more" and on "less".
    bets: [f64; 2],
    /// The values of the pilot in rising order, with how often each came.
    pilot: Vec<(f64, u64)>,
}

/// Values of a measure, moved to between 0 and 1, with how often each came: seen from below and from above.
#[derive(Clone, Debug)]
pub struct Bounded {
    from_low: Side,
    from_high: Side,
}

/// Values seen from one side.
#[derive(Clone, Debug)]
struct Side {
    all: Vec<(f64, f64)>,
    /// How bold the tuned bet is, and the values after the pilot.
    since: Option<(f64, Vec<(f64, f64)>)>,
}

impl Sequence {
    /// For a measure within `low` to `high`. Bets are tuned to `most` runs; the interval holds for any number.
    pub fn new(low: f64, high: f64, most: u64) -> Sequence {
        let shyest = 0.5 / (most.max(1) as f64).sqrt();
        let mut bets = vec![BOLDEST];
        while let Some(last) = bets.last().copied().filter(|c| *c > shyest) {
            bets.push(last / STEP);
        }
        Sequence { low, width: high - low, bets, tuned: None }
    }

    /// The bounds of the measure.
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.low + self.width)
    }

    /// Puts most of the stake on one bet, made on the runs after these: the one that grows fastest when 0 is doubted and
    /// the mean is `margin` away from it, or the other way round, if values go on to scatter as they do here.
    pub fn tune(&mut self, pilot: &[(f64, u64)], margin: f64) {
        if self.width <= 0.0 {
            return;
        }
        let runs: f64 = pilot.iter().map(|(_, times)| *times as f64).sum();
        let square = |(v, times): &(f64, u64)| v * v * *times as f64;
        let scatter = (pilot.iter().map(square).sum::<f64>() + margin * margin) / (runs + 1.0);
        // the bet of J. L. Kelly on a small mean: the mean over the scatter around 0
        let bold = |distance: f64| (distance * margin / (scatter + margin * margin)).clamp(0.0, BOLDEST);
        let bets = [bold(-self.low), bold(self.low + self.width)];
        let mut pilot = pilot.to_vec();
        order::sort_by(&mut pilot, |a, b| a.0.total_cmp(&b.0));
        self.tuned = Some(Tuned { bets, pilot });
    }

    /// Takes values with how often each came; none if one lies outside the bounds.
    pub fn take(&self, values: &[(f64, u64)]) -> Option<Bounded> {
        if self.width <= 0.0 {
            let same = Side { all: gather(values, |_| 0.0), since: None };
            let all = values.iter().all(|(v, _)| *v == self.low);
            return all.then(|| Bounded { from_high: same.clone(), from_low: same });
        }
        let part = |v: f64| (v - self.low) / self.width;
        if values.iter().any(|(v, _)| !(0.0..=1.0).contains(&part(*v))) {
            return None;
        }
        let round = values.len() > STEPS;
        let step = |x: f64| if round { (x * STEPS as f64).floor() / STEPS as f64 } else { x };
        let since = self.tuned.as_ref().map(|tuned| less(values, &tuned.pilot));
        let side = |n: usize, to: &dyn Fn(f64) -> f64| Side {
            all: gather(values, to),
            since: self.tuned.as_ref().zip(since.as_ref()).map(|(tuned, since)| (tuned.bets[n], gather(since, to))),
        };
        Some(Bounded { from_low: side(0, &|v| step(part(v))), from_high: side(1, &|v| step(1.0 - part(v))) })
    }

    /// The logarithm of what a stake of 1 on "the mean is more than `mean`" has become.
    pub fn above(&self, values: &Bounded, mean: f64) -> f64 {
        self.wager(&values.from_low, mean - self.low)
    }

    /// The logarithm of what a stake of 1 on "the mean is less than `mean`" has become.
    pub fn below(&self, values: &Bounded, mean: f64) -> f64 {
        self.wager(&values.from_high, self.low + self.width - mean)
    }

    /// The chance of such values, at worst, if the mean is `mean`, however often it was looked.
    pub fn chance(&self, values: &Bounded, mean: f64) -> f64 {
        let stake = (exp(self.above(values, mean)) + exp(self.below(values, mean))) / 2.0;
        (1.0 / stake).min(1.0)
    }

    /// An interval of the mean; each side may miss with half of what the level allows.
    pub fn interval(&self, values: &Bounded, level: Level) -> (f64, f64) {
        let bar = level.bar();
        let low = self.low + self.end(&values.from_low, bar);
        let high = self.low + self.width - self.end(&values.from_high, bar);
        (low, high)
    }

    /// The greatest distance from its bound that the mean cannot fall below.
    fn end(&self, values: &Side, bar: f64) -> f64 {
        if values.all.iter().all(|(_, times)| *times == 0.0) {
            return 0.0;
        }
        let (mut doubted, mut held) = (0.0, self.width);
        for _ in 0..HALVINGS {
            let between = (doubted + held) / 2.0;
            if self.wager(values, between) >= bar {
                doubted = between;
            } else {
                held = between;
            }
        }
        doubted
    }

    /// The logarithm of the stake, spread over all bets, against a mean at most `distance` away from the bound. It falls
    /// as the distance grows.
    fn wager(&self, values: &Side, distance: f64) -> f64 {
        if self.width <= 0.0 {
            // such a measure is a constant, and there is nothing to bet on unless the mean is said to be another
            return if distance < 0.0 && !values.all.is_empty() { f64::INFINITY } else { 0.0 };
        }
        let mean = distance / self.width;
        if mean <= 0.0 {
            let moved = values.all.iter().any(|(x, times)| *x > mean && *times > 0.0);
            return if moved { f64::INFINITY } else { 0.0 };
        }
        let grown = |c: f64, values: &[(f64, f64)]| {
            values.iter().map(|(x, times)| times * ln(1.0 - c + c * x / mean)).sum::<f64>()
        };
        let share = ln(if values.since.is_some() { 1.0 - ON_TUNED } else { 1.0 } / self.bets.len() as f64);
        let mut stakes: Vec<f64> = self.bets.iter().map(|c| share + grown(*c, &values.all)).collect();
        stakes.extend(values.since.iter().map(|(c, since)| ln(ON_TUNED) + grown(*c, since)));
        let most = stakes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        most + ln(stakes.iter().map(|s| exp(s - most)).sum::<f64>())
    }
}

/// Values without those of a part of them, which stand in rising order.
fn less(values: &[(f64, u64)], part: &[(f64, u64)]) -> Vec<(f64, u64)> {
    let gone = |v: f64| part.binary_search_by(|(other, _)| other.total_cmp(&v)).map_or(0, |at| part[at].1);
    values.iter().map(|(v, times)| (*v, times.saturating_sub(gone(*v)))).filter(|(_, times)| *times > 0).collect()
}

/// Values moved by `to`, those that fall together counted together.
fn gather(values: &[(f64, u64)], to: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    let mut moved: Vec<(f64, f64)> = values.iter().map(|(v, times)| (to(*v), *times as f64)).collect();
    order::sort_by(&mut moved, |a, b| a.0.total_cmp(&b.0));
    let mut gathered: Vec<(f64, f64)> = Vec::with_capacity(moved.len());
    for (x, times) in moved {
        match gathered.last_mut() {
            Some(last) if last.0 == x => last.1 += times,
            _ => gathered.push((x, times)),
        }
    }
    gathered
}
