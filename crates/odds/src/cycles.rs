//! Absorbing Markov chains by state elimination without subtraction (Grassmann, Taksar and Heyman 1985).

use grognard_base::Meter;
use grognard_base::value::Fraction;
use std::collections::BTreeMap;

/// Most positions of a cycle that are solved exactly.
pub const MOST: usize = 2000;

/// Positions that lead to each other, each with its chances to go to the others and to leave.
pub struct Cycle {
    /// Chances between them, by their places.
    pub rows: Vec<BTreeMap<usize, Fraction>>,
    /// Chance of each to leave all of them.
    pub out: Vec<Fraction>,
}

/// Positions, and how often each comes of one visit.
type Shares = Vec<(usize, Fraction)>;

/// One position taken out.
struct Step {
    at: usize,
    /// How often it is visited for each visit from elsewhere.
    stay: Fraction,
    /// Where it led when it was taken out, and who led to it.
    next: Shares,
    before: Shares,
}

/// A cycle taken apart.
pub struct Solved {
    steps: Vec<Step>,
    size: usize,
}

impl Cycle {
    /// Takes it apart. From each position some way must lead out. Nothing if the meter allows no more work.
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
        // those with the fewest ways through them first: that keeps the others simple
        while let Some(place) = (0..left.len()).min_by_key(|n| self.rows[left[*n]].len() * before[left[*n]].len()) {
            let at = left.swap_remove(place);
            let mut next: Shares = std::mem::take(&mut self.rows[at]).into_iter().collect();
            next.retain(|(to, _)| *to != at);
            let (taken, left) = (steps.len(), left.len());
            meter.doing(|| format!("{taken} of {} positions that come back to each other taken out", taken + left));
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
    /// How often each position is visited, if each is entered from outside so often.
    pub fn visits(&self, entered: Vec<Fraction>) -> Vec<Fraction> {
        self.carried(entered, |step| [&step.next, &step.before])
    }

    /// What each position is worth, if leaving it directly is worth so much.
    pub fn worth(&self, direct: Vec<Fraction>) -> Vec<Fraction> {
        self.carried(direct, |step| [&step.before, &step.next])
    }

    /// Numbers of positions that were taken out are carried on one way, and come back the other.
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
