//! One way that chance and the players take, and the next of all ways.

use super::value::Frac;

/// What was answered: enough to answer the same questions of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The side of a die, from 0, and how many it has.
    Side {
        side: usize,
        sides: usize,
    },
    /// The place of what was drawn among the candidates, with the weights of all of them.
    Drawn {
        place: usize,
        weights: Vec<u64>,
    },
    /// A player took one of so many, yes (1) or no (0), or an instance.
    Pick(usize),
    None,
    Stop,
    Several(Vec<usize>),
    /// Nobody was told what to take: the rules preferred something.
    Preferred,
}

/// A row of wheels: each is a question with weighted answers.
#[derive(Clone, Default)]
pub struct Path {
    wheels: Vec<(usize, Vec<u64>)>,
    at: usize,
    pub steps: Vec<Step>,
}

impl Path {
    /// Answers a question by one of the entries that weigh something.
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

    /// Returns the chance of this path.
    pub fn chance(&self) -> Frac {
        let one = |(pick, of): &(usize, Vec<u64>)| Frac::new(of[*pick].into(), of.iter().sum::<u64>().into());
        self.wheels.iter().map(one).fold(Frac::whole(1), Frac::times)
    }

    /// Turns to the next path; false after the last.
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
