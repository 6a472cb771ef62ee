//! Rolls, rerolls and draws.

use super::builtins::how_many;
use super::path::Step;
use super::value::{Die, V};
use super::world::{Exit, Frame, Res, World};
use grognard_syntax::tree::*;

/// A draw statement.
pub struct Draw<'e> {
    pub name: &'e str,
    pub amount: Option<&'e Range>,
    pub from: &'e Range,
    pub filter: Option<&'e Expr>,
    pub or_none: bool,
    pub weight: Option<&'e Expr>,
}

impl World<'_> {
    fn face(&mut self, die: Die) -> V {
        let sides = self.sides(&V::Die(die)) as usize;
        let side = self.path.pick(&vec![1; sides]);
        self.path.steps.push(Step::Side { side, sides });
        match die {
            Die::Own(n) => {
                let written = &self.book.dice[n].1;
                let all: Vec<&DieFace> =
                    written.iter().flat_map(|s| std::iter::repeat_n(&s.face, s.times as usize)).collect();
                match all[side] {
                    DieFace::Number(n) => V::Int(n.thousandths / 1000),
                    DieFace::Case(case) => {
                        let (of, at) = self.book.case(&case.text).expect("a case");
                        V::Case(of, at)
                    }
                }
            }
            Die::Sides(_) | Die::Step { .. } => V::Int(side as i64 + 1),
        }
    }

    fn note_roll(&mut self, name: &str, faces: &[V]) {
        if !faces.is_empty() {
            self.log.push(format!("roll {name} {}", self.shown_all(faces)));
        }
    }

    pub fn roll(&mut self, frame: &mut Frame, name: &str, count: Option<&Expr>, dice: &Expr) -> Res<V> {
        if let (ExprKind::Dice { count, sides, bare: false }, None) = (&dice.kind, count) {
            let dice = vec![Die::Sides((*sides).into()); *count as usize];
            let faces: Vec<V> = dice.iter().map(|die| self.face(*die)).collect();
            self.note_roll(name, &faces);
            frame.rolls.insert(name.to_string(), (dice, true));
            return Ok(V::Int(faces.iter().map(V::int).sum()));
        }
        let count = match count {
            Some(count) => Some(how_many(self.eval(frame, count)?)?),
            None => None,
        };
        let dice = self.eval(frame, dice)?;
        let die = |v: &V| match v {
            V::Die(die) => *die,
            other => panic!("{other:?} is no die"),
        };
        let (dice, pool) = match (count, &dice) {
            (Some(count), one) => (vec![die(one); count], true),
            (None, V::List(list)) => (list.iter().map(die).collect(), true),
            (None, one) => (vec![die(one)], false),
        };
        let mut faces: Vec<V> = dice.iter().map(|die| self.face(*die)).collect();
        self.note_roll(name, &faces);
        frame.rolls.insert(name.to_string(), (dice, false));
        Ok(if pool { V::List(faces) } else { faces.remove(0) })
    }

    /// Rolls all dice of a roll again.
    pub fn again(&mut self, frame: &mut Frame, name: &str) -> Res<V> {
        let (dice, sum) = frame.rolls[name].clone();
        let mut faces: Vec<V> = dice.iter().map(|die| self.face(*die)).collect();
        self.note_roll(name, &faces);
        let pool = matches!(frame.env.iter().rev().find(|(n, _)| n == name), Some((_, V::List(_))));
        Ok(match (sum, pool) {
            (true, _) => V::Int(faces.iter().map(V::int).sum()),
            (false, true) => V::List(faces),
            (false, false) => faces.remove(0),
        })
    }

    /// Runs `reroll x in pool where C at most k` and `explode`. Each round looks at the dice of the round before.
    pub fn rounds(
        &mut self,
        frame: &mut Frame,
        (explode, entry, pool): (bool, &str, &str),
        filter: Option<&Expr>,
        at_most: Option<&Expr>,
    ) -> Res<V> {
        let rounds = match at_most {
            Some(at_most) => how_many(self.eval(frame, at_most)?)?,
            None => {
                if explode {
                    100
                } else {
                    1
                }
            }
        };
        let at = frame.env.iter().rposition(|(n, _)| n == pool).expect("a pool");
        let mut fell: Vec<usize> = (0..frame.env[at].1.clone().list().len()).collect();
        for _ in 0..rounds {
            let faces = frame.env[at].1.clone().list();
            let mut chosen = Vec::new();
            for place in fell {
                frame.env.push((entry.to_string(), faces[place].clone()));
                if self.holds(frame, filter)? {
                    chosen.push(place);
                }
                frame.env.pop();
            }
            let dice: Vec<Die> = chosen.iter().map(|place| frame.rolls[pool].0[*place]).collect();
            let new: Vec<V> = dice.iter().map(|die| self.face(*die)).collect();
            self.note_roll(pool, &new);
            let mut faces = faces;
            if explode {
                fell = (faces.len()..faces.len() + new.len()).collect();
                faces.extend(new);
                frame.rolls.get_mut(pool).expect("a roll").0.extend(dice);
            } else {
                for (place, face) in chosen.iter().zip(new) {
                    faces[*place] = face;
                }
                fell = chosen;
            }
            frame.env[at].1 = V::List(faces);
        }
        Ok(frame.env[at].1.clone())
    }

    pub fn draw(&mut self, frame: &mut Frame, draw: &Draw<'_>) -> Res<V> {
        let (candidates, _) = self.candidates(frame, draw.name, draw.from, draw.filter)?;
        let mut weights = Vec::new();
        for entry in &candidates {
            let weight = match draw.weight {
                Some(weight) => {
                    frame.env.push((draw.name.to_string(), entry.clone()));
                    let weight = self.eval(frame, weight)?.int();
                    frame.env.pop();
                    u64::try_from(weight).map_err(|_| Exit::Fault("R0905"))?
                }
                None => 1,
            };
            weights.push(weight);
        }
        // an entry of weight 0 is never drawn
        let there = |n: &usize| weights[*n] > 0;
        let candidates: Vec<V> = (0..candidates.len()).filter(there).map(|n| candidates[n].clone()).collect();
        weights.retain(|w| *w > 0);
        let there = candidates.len();
        let count = match draw.amount {
            Some(range) => {
                let low = how_many(self.eval(frame, &range.low)?)?;
                let high = match &range.high {
                    Some(high) => how_many(self.eval(frame, high)?)?,
                    None => low,
                };
                if there < low {
                    return Err(Exit::Fault("R0905"));
                }
                high.min(there)
            }
            None if there == 0 && draw.or_none => return Ok(V::None),
            None if there == 0 => return Err(Exit::Fault("R0901")),
            None => 1,
        };
        let mut drawn = Vec::new();
        for _ in 0..count {
            let place = self.path.pick(&weights);
            self.path.steps.push(Step::Drawn { place, weights: weights.clone() });
            drawn.push(candidates[place].clone());
            weights[place] = 0;
        }
        if drawn.is_empty() {
            return Ok(V::List(drawn));
        }
        self.log.push(format!("draw {} {}", draw.name, self.shown_all(&drawn)));
        Ok(if draw.amount.is_some() { V::List(drawn) } else { drawn.remove(0) })
    }
}
