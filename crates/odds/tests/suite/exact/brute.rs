//! Every fall of the dice, one after the other, on the ordinary machine: what the odds are compared with.

use grognard_base::value::*;
use grognard_kit::Lab;
use grognard_vm::*;
use num_bigint::BigUint;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Dice that are turned like the wheels of a counter.
#[derive(Default)]
struct Wheels {
    /// What each stands at, and how many sides it has.
    wheels: Vec<(u32, u32)>,
    at: usize,
}

impl Wheels {
    fn next(&mut self, sides: u32) -> u32 {
        if self.at == self.wheels.len() {
            self.wheels.push((0, sides));
        }
        let (side, of) = self.wheels[self.at];
        assert_eq!(of, sides, "the same dice fell before it");
        self.at += 1;
        side
    }

    /// The next fall; false after the last.
    fn turn(&mut self) -> bool {
        self.at = 0;
        while let Some((side, sides)) = self.wheels.pop() {
            if side + 1 < sides {
                self.wheels.push((side + 1, sides));
                return true;
            }
        }
        false
    }
}

struct Hand<'w>(&'w RefCell<Wheels>);

impl Dice for Hand<'_> {
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault> {
        for n in 0..throw.dice.len() {
            let die = throw.dice.die(n);
            let side = self.0.borrow_mut().next(die.sides(game));
            faces.push(die.face(game, side + 1));
        }
        Ok(Flow::Go)
    }

    fn draw(&mut self, _: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault> {
        // a ticket for each unit of weight
        for _ in 0..draw.count {
            let tickets: Vec<usize> = (0..draw.weights.len())
                .filter(|n| !picks.contains(n))
                .flat_map(|n| std::iter::repeat_n(n, draw.weights[n] as usize))
                .collect();
            let ticket = self.0.borrow_mut().next(tickets.len() as u32);
            picks.push(tickets[ticket as usize]);
        }
        Ok(Flow::Go)
    }
}

impl Decide for Hand<'_> {
    fn decide(&mut self, _: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        Ok((Answer::Prefer, "prefer"))
    }
}

/// Results and their chances.
pub type Found = BTreeMap<Result<Vec<i64>, String>, Fraction>;

/// The chance of each result, errors by their message; none if there are more than so many falls.
pub fn brute(lab: &Lab, name: &str, most: usize) -> Option<Found> {
    brute_with(lab, name, &[], most)
}

/// The same of a function with parameters.
pub fn brute_with(lab: &Lab, name: &str, args: &[i64], most: usize) -> Option<Found> {
    let func = lab.func(name);
    // whatever is compared with every fall is compared in a block as well
    grognard_kit::agrees(&lab.game, func, args, name);
    let wheels = RefCell::new(Wheels::default());
    let mut counts: BTreeMap<(Result<Vec<i64>, String>, BigUint), u64> = BTreeMap::new();
    for _ in 0..most {
        let mut state = lab.game.start.clone();
        let mut run = Run::new(&lab.game, Hand(&wheels), Hand(&wheels), NoTrace);
        let result = match call(&lab.game, &mut state, &mut run, func, args) {
            Ok(_) => {
                let info = &lab.game.program.funcs[func.at()];
                match (info.lists.first(), info.result == 1) {
                    (Some(_), true) => Ok(state.list(state.stack[0]).to_vec()),
                    _ => Ok(state.stack[..info.result as usize].to_vec()),
                }
            }
            Err(fault) => Err(fault.message),
        };
        let whole: BigUint = wheels.borrow().wheels.iter().map(|(_, sides)| BigUint::from(*sides)).product();
        *counts.entry((result, whole)).or_default() += 1;
        if !wheels.borrow_mut().turn() {
            let mut found = Found::new();
            for ((result, whole), count) in counts {
                *found.entry(result).or_insert_with(Fraction::zero) += &Fraction::of(count.into(), whole);
            }
            return Some(found);
        }
    }
    None
}
