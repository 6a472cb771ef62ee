//! Distributions of the values at the ends of a graph.

use grognard_base::order;
use grognard_base::value::*;
use grognard_vm::Fault;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

/// How exact an answer is. The order is from the strongest to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// A fraction.
    Exact,
    /// A proven interval that is so narrow that its decimals are the answer.
    Proven,
    /// A gap between two bounds, mostly because a part was not explored.
    Bounded,
}

/// Width of an interval up to which it is proven, as a part of 1 or of the number if that is larger: 10 to the power of -9.
const NARROW: u32 = 1_000_000_000;

impl Label {
    /// Returns the label of a number between two bounds.
    pub fn of([low, high]: &[Fraction; 2]) -> Label {
        if low == high {
            return Label::Exact;
        }
        let size = |end: &Fraction| if *end < Fraction::zero() { -end } else { end.clone() };
        let size = size(low).max(size(high)).max(Fraction::one());
        let narrow = &(high - low) * &Fraction::of(NARROW.into(), BigUint::one()) <= size;
        if narrow { Label::Proven } else { Label::Bounded }
    }
}

/// The value of an end.
#[derive(Clone, Debug, PartialEq)]
pub enum Worth {
    /// The cells of a value, or the entries of a list.
    Cells(Vec<i64>),
    /// The run or the query ends in an error.
    Fault(Fault),
    /// The run does not terminate.
    Never,
}

impl Worth {
    /// Returns the rank of the kind in the order of outcomes: errors, then values, then nontermination.
    fn rank(&self) -> u8 {
        match self {
            Worth::Fault(_) => 0,
            Worth::Cells(_) => 1,
            Worth::Never => 2,
        }
    }
}

/// One value with its share of [`Distribution::whole`].
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The value, the error, or nontermination.
    pub worth: Worth,
    /// The weight, as a part of [`Distribution::whole`], or a lower bound of it.
    pub weight: BigUint,
    /// The distance to the upper bound of the weight: 0 for a fraction.
    pub slack: BigUint,
}

/// The distribution of a query: errors first, then values in the order of their cells, then nontermination. See
/// [`Distribution::in_order`].
#[derive(Clone, Debug)]
pub struct Distribution {
    /// The outcomes, each value once.
    pub outcomes: Vec<Outcome>,
    /// The weight of the unexplored part.
    pub unexplored: BigUint,
    /// The denominator of all weights. Lower bounds of the weights and the unexplored part can sum to less.
    pub whole: BigUint,
    /// Whether the weights are fractions, proven intervals, or bounds.
    pub label: Label,
}

impl Distribution {
    /// Sorts the outcomes by the value of `ty`, ascending. The order of cells differs from it for fractions, which take two
    /// cells.
    pub fn in_order(mut self, ty: &Type) -> Self {
        self.merge_faults();
        order::sort_by(&mut self.outcomes, |a, b| match (&a.worth, &b.worth) {
            (Worth::Cells(a), Worth::Cells(b)) => order(ty, a, b),
            (a, b) => a.rank().cmp(&b.rank()),
        });
        self
    }

    /// Merges errors of one code at one place into one outcome, whatever their messages.
    fn merge_faults(&mut self) {
        let (faults, mut outcomes): (Vec<Outcome>, Vec<Outcome>) =
            std::mem::take(&mut self.outcomes).into_iter().partition(|o| matches!(o.worth, Worth::Fault(_)));
        let mut kept: Vec<(Outcome, usize)> = Vec::new();
        for outcome in faults {
            let same = |(other, _): &&mut (Outcome, usize)| match (&other.worth, &outcome.worth) {
                (Worth::Fault(a), Worth::Fault(b)) => (a.code, a.span, &a.stack) == (b.code, b.span, &b.stack),
                _ => false,
            };
            match kept.iter_mut().find(same) {
                Some((other, more)) => {
                    other.weight += outcome.weight;
                    other.slack += outcome.slack;
                    *more += 1;
                }
                None => kept.push((outcome, 0)),
            }
        }
        outcomes.extend(kept.into_iter().map(|(mut outcome, more)| {
            if let (Worth::Fault(fault), 1..) = (&mut outcome.worth, more) {
                fault.message += &format!("; {more} more like it");
            }
            outcome
        }));
        self.outcomes = outcomes;
    }

    /// Returns the probability that the value satisfies `which`, or a lower bound if the label is not [`Label::Exact`].
    pub fn chance(&self, which: impl Fn(&[i64]) -> bool) -> Fraction {
        let [low, _] = self.chance_between(which);
        low
    }

    /// Returns the bounds of the probability that the value satisfies `which`.
    pub fn chance_between(&self, which: impl Fn(&[i64]) -> bool) -> [Fraction; 2] {
        let holds = |outcome: &&Outcome| matches!(&outcome.worth, Worth::Cells(cells) if which(cells));
        self.sum(self.outcomes.iter().filter(holds)).map(|end| Fraction::of(end, self.whole.clone()))
    }

    /// Returns the bounds of the sum of the weights of outcomes.
    fn sum<'o>(&self, outcomes: impl Iterator<Item = &'o Outcome>) -> [BigUint; 2] {
        let [mut low, mut slack] = [BigUint::ZERO; 2];
        for outcome in outcomes {
            low += &outcome.weight;
            slack += &outcome.slack;
        }
        let high = &low + slack + &self.unexplored;
        [low, high.min(self.whole.clone())]
    }

    /// Returns for each outcome the bounds of two sums: of the weights up to it, and of those from it on.
    pub fn cumulated(&self) -> Vec<[[BigUint; 2]; 2]> {
        let [all, _] = self.sum(self.outcomes.iter());
        let mut slack: [BigUint; 2] = [BigUint::ZERO, self.outcomes.iter().map(|o| &o.slack).sum()];
        let mut before = BigUint::ZERO;
        let sums = self.outcomes.iter().map(|outcome| {
            let [least, from] = [&before + &outcome.weight, &all - &before];
            slack[0] += &outcome.slack;
            // The lower bounds of the other outcomes are not part of a sum.
            let high = |low: &BigUint, slack: &BigUint, others: &BigUint| {
                (low + slack + &self.unexplored).min(&self.whole - others)
            };
            let sums = [
                [least.clone(), high(&least, &slack[0], &(&all - &least))],
                [from.clone(), high(&from, &slack[1], &before)],
            ];
            slack[1] -= &outcome.slack;
            before = least;
            sums
        });
        sums.collect()
    }

    /// Returns the probability of an outcome, or a lower bound.
    pub fn share(&self, outcome: &Outcome) -> Fraction {
        Fraction::of(outcome.weight.clone(), self.whole.clone())
    }

    /// Returns the bounds of the weight of an outcome.
    pub fn bounds(&self, outcome: &Outcome) -> [BigUint; 2] {
        self.sum(std::iter::once(outcome))
    }

    /// Returns the bounds of the probability of an outcome.
    pub fn share_between(&self, outcome: &Outcome) -> [Fraction; 2] {
        self.bounds(outcome).map(|end| Fraction::of(end, self.whole.clone()))
    }

    /// Returns the common denominator of the weights, for callers that compute many shares.
    pub fn denominator(&self) -> Denominator<'_> {
        Denominator::new(&self.whole)
    }

    /// Discards all outcomes: the whole distribution is then unexplored.
    pub fn forget(&mut self) {
        self.outcomes.clear();
        self.unexplored = self.whole.clone();
        self.label = Label::Bounded;
    }

    /// Sets the bounds of a condition: the probability of yes is between `low` and `high`.
    pub fn enclose(&mut self, low: &Fraction, high: &Fraction) {
        self.outcomes.retain(|o| !matches!(&o.worth, Worth::Cells(_)));
        let [zero, one] = [Fraction::zero(), Fraction::one()];
        let [least, most] = self.sum(self.outcomes.iter()).map(|end| Fraction::of(end, self.whole.clone()));
        let no = (&(&one - &most) - high).max(zero.clone());
        let gaps = [high - low, (&(&(&one - &least) - low) - &no).max(zero.clone())];
        // A gap is a part of the outcomes only if every state was explored.
        let (slacks, open) = if self.unexplored.is_zero() {
            (gaps, zero)
        } else {
            let [_, open] = gaps;
            ([zero.clone(), zero], open)
        };
        let own = [low, &no, &slacks[0], &slacks[1], &open];
        let scale = own.iter().fold(BigUint::one(), |scale, share| num_integer::lcm(scale, share.den().clone()));
        let parts = |share: &Fraction| share.num().magnitude() * (&scale / share.den()) * &self.whole;
        let [yes, no, slack_of_yes, slack_of_no, open] = own.map(parts);
        self.outcomes.iter_mut().for_each(|o| {
            o.weight *= &scale;
            o.slack *= &scale;
        });
        let cells = [(0, no, slack_of_no), (1, yes, slack_of_yes)].into_iter();
        let cells = cells.filter(|(_, weight, slack)| !weight.is_zero() || !slack.is_zero());
        self.outcomes.extend(cells.map(|(cell, weight, slack)| Outcome {
            worth: Worth::Cells(vec![cell]),
            weight,
            slack,
        }));
        order::sort_by_key(&mut self.outcomes, |o| o.worth.rank());
        self.whole *= &scale;
        self.unexplored = open;
        self.label = self.label_of_weights();
    }

    /// Divides all weights by the sum of the outcomes and the unexplored part.
    pub(super) fn over_outcomes(&mut self) {
        let low = self.outcomes.iter().map(|o| &o.weight).sum::<BigUint>() + &self.unexplored;
        let slack: BigUint = self.outcomes.iter().map(|o| &o.slack).sum();
        self.whole = &low + &slack;
        if slack.is_zero() {
            return;
        }
        for outcome in &mut self.outcomes {
            let high = &outcome.weight + &outcome.slack + &self.unexplored;
            let high = if low.is_zero() { self.whole.clone() } else { (high * &self.whole).div_ceil(&low) };
            outcome.slack = high - &self.unexplored - &outcome.weight;
        }
    }

    /// Returns the label that the bounds of the weights allow.
    pub(super) fn label_of_weights(&self) -> Label {
        if self.outcomes.iter().all(|o| o.slack.is_zero()) {
            return if self.unexplored.is_zero() { Label::Exact } else { Label::Bounded };
        }
        let widest =
            self.outcomes.iter().map(|o| &o.slack).max().map_or(BigUint::ZERO, |slack| slack + &self.unexplored);
        let width = Fraction::of(widest, self.whole.clone());
        if self.unexplored.is_zero() { Label::of(&[Fraction::zero(), width]) } else { Label::Bounded }
    }

    /// Returns the probability of the unexplored part.
    pub fn unexplored(&self) -> Fraction {
        Fraction::of(self.unexplored.clone(), self.whole.clone())
    }

    /// Returns the mean of the numbers, or of the fractions if the values have two cells. It excludes errors and runs that
    /// do not terminate. Returns `None` if it is known only within bounds, a value is missing, or there is no value.
    pub fn mean(&self) -> Option<Fraction> {
        self.moments().map(|[mean, _]| mean).and_then(exact)
    }

    /// Returns the variance, under the conditions of [`Distribution::mean`].
    pub fn variance(&self) -> Option<Fraction> {
        self.moments().map(|[_, variance]| variance).and_then(exact)
    }

    /// Returns the bounds of the mean and of the variance. Returns `None` if a part is unexplored, a value is missing, or there is no
    /// value.
    pub fn moments(&self) -> Option<[[Fraction; 2]; 2]> {
        if !self.unexplored.is_zero() {
            return None;
        }
        let cells = self
            .outcomes
            .iter()
            .filter_map(|o| if let Worth::Cells(cells) = &o.worth { Some((cells, o)) } else { None });
        let values: Vec<(Fraction, &Outcome)> =
            cells.map(|(cells, o)| Some((number(cells)?, o))).collect::<Option<_>>()?;
        let plain = |weight: &BigUint| Fraction::of(weight.clone(), BigUint::one());
        let [mut total, mut sum] = [Fraction::zero(), Fraction::zero()];
        for (value, outcome) in &values {
            let weight = plain(&outcome.weight);
            total += &weight;
            sum += &(&weight * value);
        }
        if total.is_zero() {
            return None;
        }
        let mean = &sum / &total;
        if values.iter().all(|(_, outcome)| outcome.slack.is_zero()) {
            let mut square = Fraction::zero();
            values.iter().for_each(|(value, outcome)| square += &(&plain(&outcome.weight) * &(value * value)));
            let variance = &(&square / &total) - &(&mean * &mean);
            return Some([mean, variance].map(|moment| [moment.clone(), moment]));
        }
        // Any number close to the mean: the bounds of distances to it are narrow.
        let center = mean.cut(CENTER, Toward::Nearest);
        let mut totals = [total.clone(), total];
        values.iter().for_each(|(_, outcome)| totals[1] += &plain(&outcome.slack));
        if values.len() == self.outcomes.len() {
            totals = [(); 2].map(|()| plain(&self.whole));
        }
        let [mut offs, mut squares] = [[Fraction::zero(), Fraction::zero()], [Fraction::zero(), Fraction::zero()]];
        for (value, outcome) in &values {
            let ends = [plain(&outcome.weight), plain(&(&outcome.weight + &outcome.slack))];
            let off = value - &center;
            let turned = off < Fraction::zero();
            for n in 0..2 {
                offs[n] += &(&off * &ends[if turned { 1 - n } else { n }]);
                squares[n] += &(&(&off * &off) * &ends[n]);
            }
        }
        // The divisor that makes a bound of this sign the weakest.
        let over = |n: usize, sum: &Fraction| sum / &totals[if (*sum < Fraction::zero()) == (n == 0) { 0 } else { 1 }];
        let [low, high] = [over(0, &offs[0]), over(1, &offs[1])];
        let [least, most] = [&squares[0] / &totals[1], &squares[1] / &totals[0]];
        let [a, b] = [&low * &low, &high * &high];
        let nearest =
            if low < Fraction::zero() && high > Fraction::zero() { Fraction::zero() } else { a.clone().min(b.clone()) };
        let least = (&least - &a.max(b)).max(Fraction::zero());
        Some([[&center + &low, &center + &high], [least, &most - &nearest]])
    }
}

/// Number of decimal places of the number to which distances are measured.
const CENTER: u32 = 20;

/// Returns the number if both bounds are the same.
fn exact([low, high]: [Fraction; 2]) -> Option<Fraction> {
    (low == high).then_some(low)
}

/// Returns the number in cells: one cell, or the two cells of a fraction. Returns `None` if the value is missing.
pub fn number(cells: &[i64]) -> Option<Fraction> {
    match *cells {
        [NONE, ..] | [] => None,
        [num, den] => Ratio::new(num, den).map(Fraction::from),
        [n, ..] => Some(Fraction::whole(n)),
    }
}
