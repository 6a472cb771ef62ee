//! Absorbing Markov chains by state elimination without subtraction (Grassmann, Taksar and Heyman 1985).

use grognard_base::Meter;
use grognard_base::value::Fraction;
use std::collections::BTreeMap;

/// Maximum number of states of a cycle that is solved exactly.
pub const MOST: usize = 2000;

/// A strongly connected component, with the probabilities of its edges.
pub struct Cycle {
    /// Probabilities between its states, by their indices.
    pub rows: Vec<BTreeMap<usize, Fraction>>,
    /// The probability of each state to leave the component directly.
    pub out: Vec<Fraction>,
}

/// States with a factor each.
type Shares = Vec<(usize, Fraction)>;

/// One eliminated state.
struct Step {
    at: usize,
    /// Expected visits for each entry from another state.
    stay: Fraction,
    /// The successors and the predecessors at the time of elimination.
    next: Shares,
    before: Shares,
}

/// The elimination of a cycle.
pub struct Solved {
    steps: Vec<Step>,
    size: usize,
}

impl Cycle {
    /// Eliminates all states. Invariant: from each state a path leaves the cycle. Returns `None` if the meter stops it.
    pub fn solve(mut self, meter: &Meter) -> Option<Solved> {
        let size = self.rows.len();
        let mut before: Vec<BTreeMap<usize, ()>> = vec![BTreeMap::new(); size];
        for (from, row) in self.rows.iter().enumerate() {
            for to in row.keys() {
                before[*to].insert(from, ());
            }
        }
        let mut left: Vec<usize> = (0..size).collect();
        let mut steps = Vec::with_capacity(size);
        // States with the fewest paths through them first: that limits the fill-in.
        while let Some(place) = (0..left.len()).min_by_key(|n| self.rows[left[*n]].len() * before[left[*n]].len()) {
            let at = left.swap_remove(place);
            let mut next: Shares = std::mem::take(&mut self.rows[at]).into_iter().collect();
            next.retain(|(to, _)| *to != at);
            let (taken, left) = (steps.len(), left.len());
            meter.doing(|| format!("{taken} of {} states of cycles eliminated", taken + left));
            let mut leave = self.out[at].clone();
            next.iter().for_each(|(_, chance)| leave += chance);
            let stay = &Fraction::one() / &leave;
            for (to, _) in &next {
                before[*to].remove(&at);
            }
            let mut came = Vec::new();
            for from in std::mem::take(&mut before[at]).into_keys().filter(|from| *from != at) {
                let Some(chance) = self.rows[from].remove(&at) else { continue };
                let through = &chance * &stay;
                let words = 1 + through.den().bits() / 64;
                if !meter.words((words * words + 16) * (1 + next.len() as u64)) {
                    return None;
                }
                for (to, onward) in &next {
                    *self.rows[from].entry(*to).or_insert_with(Fraction::zero) += &(&through * onward);
                    before[*to].insert(from, ());
                }
                let out = &through * &self.out[at];
                self.out[from] += &out;
                came.push((from, chance));
            }
            steps.push(Step { at, stay, next, before: came });
        }
        Some(Solved { steps, size })
    }
}

impl Solved {
    /// Returns the expected visits of each state, given the expected entries from outside.
    pub fn visits(&self, entered: Vec<Fraction>) -> Vec<Fraction> {
        self.carried(entered, |step| [&step.next, &step.before])
    }

    /// Returns the value of each state, given the value of leaving it directly.
    pub fn worth(&self, direct: Vec<Fraction>) -> Vec<Fraction> {
        self.carried(direct, |step| [&step.before, &step.next])
    }

    /// Carries numbers forward in the order of elimination, then back in reverse.
    fn carried(&self, mut given: Vec<Fraction>, ways: fn(&Step) -> [&Shares; 2]) -> Vec<Fraction> {
        for step in &self.steps {
            let own = &given[step.at] * &step.stay;
            for (to, chance) in ways(step)[0] {
                let more = &own * chance;
                given[*to] += &more;
            }
        }
        let mut found = vec![Fraction::zero(); self.size];
        for step in self.steps.iter().rev() {
            let mut sum = given[step.at].clone();
            for (from, chance) in ways(step)[1] {
                sum += &(&found[*from] * chance);
            }
            found[step.at] = &sum * &step.stay;
        }
        found
    }
}
