//! Absorbing Markov chains by state elimination without subtraction (Grassmann, Taksar and Heyman 1985).

use grognard_base::Meter;
use grognard_base::value::Fraction;
use std::collections::BTreeMap;

/// Maximum number of states of a cycle that is solved exactly.
pub const MOST: usize = 2000;

/// The numbers of a cycle.
pub trait Scalar: Clone {
    fn zero() -> Self;
    fn one() -> Self;
    fn add(&mut self, other: &Self);
    fn mul(&self, other: &Self) -> Self;
    /// Returns the quotient by a number above 0.
    fn div(&self, other: &Self) -> Self;
    /// Returns the size in 64-bit words.
    fn words(&self) -> u64;
}

impl Scalar for Fraction {
    fn zero() -> Fraction {
        Fraction::zero()
    }

    fn one() -> Fraction {
        Fraction::one()
    }

    fn add(&mut self, other: &Fraction) {
        *self += other;
    }

    fn mul(&self, other: &Fraction) -> Fraction {
        self * other
    }

    fn div(&self, other: &Fraction) -> Fraction {
        self / other
    }

    fn words(&self) -> u64 {
        1 + self.den().bits() / 64
    }
}

/// A strongly connected component, with the probabilities of its edges.
pub struct Cycle<N> {
    /// Probabilities between its states, by their indices.
    pub rows: Vec<BTreeMap<usize, N>>,
    /// The probability of each state to leave the component directly.
    pub out: Vec<N>,
}

/// States with a factor each.
type Shares<N> = Vec<(usize, N)>;

/// One eliminated state.
struct Step<N> {
    at: usize,
    /// Expected visits for each entry from another state.
    stay: N,
    /// The successors and the predecessors at the time of elimination.
    next: Shares<N>,
    before: Shares<N>,
}

/// The elimination of a cycle.
pub struct Solved<N> {
    steps: Vec<Step<N>>,
    size: usize,
}

impl<N: Scalar> Cycle<N> {
    /// Eliminates all states. Invariant: from each state a path leaves the cycle. Returns `None` if the meter stops it, or if it takes
    /// more than `left` operations on words. Subtracts those that it takes.
    pub fn solve(mut self, meter: &Meter, left: &mut u64) -> Option<Solved<N>> {
        let size = self.rows.len();
        let mut before: Vec<BTreeMap<usize, ()>> = vec![BTreeMap::new(); size];
        for (from, row) in self.rows.iter().enumerate() {
            for to in row.keys() {
                before[*to].insert(from, ());
            }
        }
        let mut open: Vec<usize> = (0..size).collect();
        let mut steps = Vec::with_capacity(size);
        // States with the fewest paths through them first: that limits the fill-in.
        while let Some(place) = (0..open.len()).min_by_key(|n| self.rows[open[*n]].len() * before[open[*n]].len()) {
            let at = open.swap_remove(place);
            let mut next: Shares<N> = std::mem::take(&mut self.rows[at]).into_iter().collect();
            next.retain(|(to, _)| *to != at);
            meter.doing(|| format!("{} of {size} states of cycles eliminated", steps.len()));
            let mut leave = self.out[at].clone();
            next.iter().for_each(|(_, chance)| leave.add(chance));
            let stay = N::one().div(&leave);
            for (to, _) in &next {
                before[*to].remove(&at);
            }
            let mut came = Vec::new();
            for from in std::mem::take(&mut before[at]).into_keys().filter(|from| *from != at) {
                let Some(chance) = self.rows[from].remove(&at) else { continue };
                let through = chance.mul(&stay);
                let words = through.words();
                let cost = (words * words + 16) * (1 + next.len() as u64);
                if !meter.words(cost) || cost > *left {
                    return None;
                }
                *left -= cost;
                for (to, onward) in &next {
                    self.rows[from].entry(*to).or_insert_with(N::zero).add(&through.mul(onward));
                    before[*to].insert(from, ());
                }
                let out = through.mul(&self.out[at]);
                self.out[from].add(&out);
                came.push((from, chance));
            }
            steps.push(Step { at, stay, next, before: came });
        }
        Some(Solved { steps, size })
    }
}

impl<N: Scalar> Solved<N> {
    /// Returns the expected visits of each state, given the expected entries from outside.
    pub fn visits(&self, entered: Vec<N>) -> Vec<N> {
        self.carried(entered, |step| [&step.next, &step.before])
    }

    /// Returns the value of each state, given the value of leaving it directly.
    pub fn worth(&self, direct: Vec<N>) -> Vec<N> {
        self.carried(direct, |step| [&step.before, &step.next])
    }

    /// Carries numbers forward in the order of elimination, then back in reverse.
    fn carried(&self, mut given: Vec<N>, ways: fn(&Step<N>) -> [&Shares<N>; 2]) -> Vec<N> {
        for step in &self.steps {
            let own = given[step.at].mul(&step.stay);
            for (to, chance) in ways(step)[0] {
                given[*to].add(&own.mul(chance));
            }
        }
        let mut found = vec![N::zero(); self.size];
        for step in self.steps.iter().rev() {
            let mut sum = given[step.at].clone();
            for (from, chance) in ways(step)[1] {
                sum.add(&found[*from].mul(chance));
            }
            found[step.at] = sum.mul(&step.stay);
        }
        found
    }
}
