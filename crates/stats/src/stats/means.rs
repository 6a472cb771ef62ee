//! Confidence intervals of the means of bounded measures. They do not assume a normal distribution and are valid at
//! every interim analysis.
//!
//! A gambler bets against the hypothesis that the mean is `m`. With each run, which has a value `x` between 0 and 1,
//! the stake is multiplied by `1 - c + c x / m`. If the mean is at most `m`, the expected stake does not grow. The
//! probability that it ever reaches `1 / a` is then at most `a` (Ville's inequality). Every `m` against which it has
//! reached `1 / a` is therefore rejected. The other side bets on `1 - x`. This is the betting confidence sequence of I.
//! Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", Journal of the Royal
//! Statistical Society B 86 (2024). The stake is spread over a fixed list of `c`, as in F. Orabona and K.-S. Jun,
//! "Tight concentrations and confidence sequences from the regret of universal portfolio", IEEE Transactions on
//! Information Theory 70 (2024).
//!
//! Because the bets are fixed, the order of the runs does not matter. Frequencies of values suffice, and any thread can
//! play any run. The interval is valid at all numbers of runs simultaneously, so you can inspect it at any time and
//! stop at will.

use super::level::Level;
use super::real::{exp, ln};
use grognard_base::order;

/// The largest bet. It is less than 1, so that no single value loses the whole stake.
const BOLDEST: f64 = 0.98;
/// The ratio between consecutive bets.
const STEP: f64 = 1.5;
/// Maximum number of distinct values. If there are more, values are rounded to multiples of `1 / STEPS` of the range,
/// which widens the interval.
const STEPS: usize = 1024;
/// Number of bisection steps for an end of the interval, for a precision of 1e-12 of the range.
const HALVINGS: usize = 40;

/// The part of the stake that is placed on the tuned bet, if there is one.
const ON_TUNED: f64 = 0.75;

/// Bets on the mean of a bounded measure.
#[derive(Clone, Debug)]
pub struct Sequence {
    low: f64,
    width: f64,
    bets: Vec<f64>,
    tuned: Option<Tuned>,
}

/// A bet that is chosen from a pilot sample and applies to the runs after it.
#[derive(Clone, Debug)]
struct Tuned {
    /// The bet on "more" and the bet on "less".
    bets: [f64; 2],
    /// The values of the pilot in ascending order, with their frequencies.
    pilot: Vec<(f64, u64)>,
}

/// Values scaled to 0 to 1 with their frequencies, measured from the lower and from the upper bound.
#[derive(Clone, Debug)]
pub struct Bounded {
    from_low: Side,
    from_high: Side,
}

/// Values measured from one bound.
#[derive(Clone, Debug)]
struct Side {
    all: Vec<(f64, f64)>,
    /// The tuned bet, and the values after the pilot.
    since: Option<(f64, Vec<(f64, f64)>)>,
}

impl Sequence {
    /// Creates the bets for a measure within `low..=high`. They are tuned to `most` runs; the interval is valid for any
    /// number.
    pub fn new(low: f64, high: f64, most: u64) -> Sequence {
        let shyest = 0.5 / (most.max(1) as f64).sqrt();
        let mut bets = vec![BOLDEST];
        while let Some(last) = bets.last().copied().filter(|c| *c > shyest) {
            bets.push(last / STEP);
        }
        Sequence { low, width: high - low, bets, tuned: None }
    }

    /// Returns the bounds of the measure.
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.low + self.width)
    }

    /// Places most of the stake on one bet, which applies to the runs after the pilot. It maximizes the growth of the
    /// stake if the hypothesis is 0 and the mean is `margin` away from it, or the reverse. It assumes that the values
    /// keep their variance.
    pub fn tune(&mut self, pilot: &[(f64, u64)], margin: f64) {
        if self.width <= 0.0 {
            return;
        }
        let runs: f64 = pilot.iter().map(|(_, times)| *times as f64).sum();
        let square = |(v, times): &(f64, u64)| v * v * *times as f64;
        let scatter = (pilot.iter().map(square).sum::<f64>() + margin * margin) / (runs + 1.0);
        // Kelly's bet for a small mean: the mean divided by the second moment around 0
        let bold = |distance: f64| (distance * margin / (scatter + margin * margin)).clamp(0.0, BOLDEST);
        let bets = [bold(-self.low), bold(self.low + self.width)];
        let mut pilot = pilot.to_vec();
        order::sort_by(&mut pilot, |a, b| a.0.total_cmp(&b.0));
        self.tuned = Some(Tuned { bets, pilot });
    }

    /// Scales values with their frequencies. Returns `None` if a value is out of bounds.
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

    /// Returns the logarithm of the current value of a stake of 1 on "the mean is more than `mean`".
    pub fn above(&self, values: &Bounded, mean: f64) -> f64 {
        self.wager(&values.from_low, mean - self.low)
    }

    /// Returns the logarithm of the current value of a stake of 1 on "the mean is less than `mean`".
    pub fn below(&self, values: &Bounded, mean: f64) -> f64 {
        self.wager(&values.from_high, self.low + self.width - mean)
    }

    /// Returns an anytime-valid p-value of the hypothesis that the mean is `mean`.
    pub fn chance(&self, values: &Bounded, mean: f64) -> f64 {
        let stake = (exp(self.above(values, mean)) + exp(self.below(values, mean))) / 2.0;
        (1.0 / stake).min(1.0)
    }

    /// Returns a confidence interval of the mean. Each side has half the error rate of the level.
    pub fn interval(&self, values: &Bounded, level: Level) -> (f64, f64) {
        let bar = level.bar();
        let low = self.low + self.end(&values.from_low, bar);
        let high = self.low + self.width - self.end(&values.from_high, bar);
        (low, high)
    }

    /// Returns the greatest rejected distance of the mean from its bound.
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

    /// Returns the logarithm of the stake, spread over all bets, against a mean that is at most `distance` away from
    /// the bound. It decreases as the distance grows.
    fn wager(&self, values: &Side, distance: f64) -> f64 {
        if self.width <= 0.0 {
            // the measure is constant, so only a mean below its bound can be rejected
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

/// Subtracts the frequencies of `part`, which is in ascending order, from `values`.
fn less(values: &[(f64, u64)], part: &[(f64, u64)]) -> Vec<(f64, u64)> {
    let gone = |v: f64| part.binary_search_by(|(other, _)| other.total_cmp(&v)).map_or(0, |at| part[at].1);
    values.iter().map(|(v, times)| (*v, times.saturating_sub(gone(*v)))).filter(|(_, times)| *times > 0).collect()
}

/// Maps values with `to` and adds up the frequencies of equal results.
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
