//! Enumerates all outcomes of chance and of players who take any entry.

use super::value::Frac;

/// An answer, with enough detail to answer the same question of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Index of the side of a die, and the number of sides.
    Side {
        side: usize,
        sides: usize,
    },
    /// Index of the drawn candidate, and the weights of all candidates.
    Drawn {
        place: usize,
        weights: Vec<u64>,
    },
    /// Index of the entry that a player took; yes is 1 and no is 0.
    Pick(usize),
    None,
    Stop,
    Several(Vec<usize>),
    /// The player takes what `first`, a policy or the rules say.
    Preferred,
}

/// Odometer over questions. Each wheel is a question with weighted answers.
#[derive(Clone, Default)]
pub struct Path {
    wheels: Vec<(usize, Vec<u64>)>,
    at: usize,
    pub steps: Vec<Step>,
}

impl Path {
    /// Answers a question with an entry whose weight is above 0.
    pub fn pick(&mut self, weights: &[u64]) -> usize {
        if self.at == self.wheels.len() {
            let first = weights.iter().position(|w| *w > 0).expect("something weighs");
            self.wheels.push((first, weights.to_vec()));
        }
        let (pick, of) = &self.wheels[self.at];
        assert_eq!(of, weights, "the same answers lead to the same question");
        self.at += 1;
        *pick
    }

    /// Returns the probability of this path.
    pub fn chance(&self) -> Frac {
        let one = |(pick, of): &(usize, Vec<u64>)| Frac::new(of[*pick].into(), of.iter().sum::<u64>().into());
        self.wheels.iter().map(one).fold(Frac::whole(1), Frac::times)
    }

    /// Advances to the next path. Returns `false` after the last one.
    pub fn next(&mut self) -> bool {
        self.at = 0;
        self.steps.clear();
        while let Some((pick, of)) = self.wheels.pop() {
            if let Some(more) = of[pick + 1..].iter().position(|w| *w > 0) {
                self.wheels.push((pick + 1 + more, of));
                return true;
            }
        }
        false
    }
}
