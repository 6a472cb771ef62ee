//! Dice as a scenario gives them; what it does not give comes from the seed.

use super::{Seeded, memory};
use crate::base::Code;
use crate::machine::{Dice, Die, DrawAsk, Fault, Flow, Game, Throw};
use crate::scenario::{Given, GivenDice};
use crate::value::SiteId;
use std::collections::BTreeMap;

/// Gives the dice of a script, and those of a seed where there are none.
pub struct Scripted<'a> {
    given: &'a [GivenDice],
    used: Vec<bool>,
    /// By the name of the roll and its subject: how often it was thrown, where that matters.
    times: BTreeMap<(u64, i64), u32>,
    seeded: Seeded,
}

impl<'a> Scripted<'a> {
    /// The dice of a script over those of a seed.
    pub fn new(given: &'a [GivenDice], seeded: Seeded) -> Scripted<'a> {
        Scripted { given, used: vec![false; given.len()], times: BTreeMap::new(), seeded }
    }

    /// Dice that were given and never thrown.
    pub fn left(&self) -> impl Iterator<Item = &'a GivenDice> + '_ {
        self.given.iter().zip(&self.used).filter(|(_, used)| !**used).map(|(given, _)| given)
    }

    /// Starts another run.
    pub fn start(&mut self, seed: u64, run: u64) {
        self.seeded.start(seed, run);
        self.used.fill(false);
        self.times.clear();
    }

    /// The next entry for a roll: the one for this very time, else the first for any time.
    fn next(&mut self, game: &Game, site: SiteId, subject: i64) -> Option<&'a GivenDice> {
        let fits = |g: &GivenDice| g.sites.contains(&site) && (g.of == -1 || g.of == subject);
        // times are counted where an entry asks for one
        let mut times = 0;
        if self.given.iter().any(|g| g.nth.is_some() && fits(g)) {
            let count = self.times.entry((game.site_key(site), subject)).or_insert(0);
            *count += 1;
            times = *count;
        }
        let open = |n: usize| !self.used[n] && fits(&self.given[n]);
        let exact = (0..self.given.len()).find(|n| open(*n) && self.given[*n].nth == Some(times));
        let found = exact.or_else(|| (0..self.given.len()).find(|n| open(*n) && self.given[*n].nth.is_none()))?;
        self.used[found] = true;
        Some(&self.given[found])
    }
}

fn fault(message: String) -> Fault {
    Fault::new(Code::Script, message)
}

impl Scripted<'_> {
    /// Adds the faces that the script gives for a throw; false if it gives none.
    pub fn given_throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<bool, Fault> {
        let Some(given) = self.next(game, throw.site, throw.subject) else { return Ok(false) };
        let Given::Faces(wanted) = &given.give else {
            return Err(fault(format!("`{}` is a roll; the script gives it names", given.name)));
        };
        if wanted.len() != throw.dice.len() {
            let (thrown, given_dice) = (throw.dice.len(), wanted.len());
            let dice = |n: usize| if n == 1 { "1 die".to_string() } else { format!("{n} dice") };
            return Err(fault(format!(
                "`{}` throws {}, the script gives {}",
                given.name,
                dice(thrown),
                dice(given_dice)
            )));
        }
        for (n, face) in wanted.iter().enumerate() {
            let (has, name) = match throw.dice.die(n) {
                Die::Sides(sides) => ((1..=i64::from(sides)).contains(face), format!("d{sides}")),
                Die::Faces(id) => {
                    let die = &game.program.rules.dice[id.at()];
                    (die.faces.contains(face), die.name.clone())
                }
            };
            if !has {
                return Err(fault(format!("the script gives `{}` a face that a {name} does not have", given.name)));
            }
        }
        faces.extend_from_slice(wanted);
        Ok(true)
    }

    /// Adds the places of what the script gives for a draw; false if it gives nothing.
    pub fn given_draw(&mut self, game: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<bool, Fault> {
        let Some(given) = self.next(game, draw.site, draw.subject) else { return Ok(false) };
        let Given::Names(wanted) = &given.give else {
            return Err(fault(format!("`{}` is a draw; the script gives it faces", given.name)));
        };
        if wanted.len() != draw.count {
            return Err(fault(format!("`{}` draws {}, the script gives {}", given.name, draw.count, wanted.len())));
        }
        let before = picks.len();
        for name in wanted {
            match draw.names.iter().position(|n| n == name) {
                Some(at) if !picks[before..].contains(&at) => picks.push(at),
                _ => {
                    return Err(fault(format!(
                        "`{}` cannot draw {name}; it could draw {}",
                        given.name,
                        draw.names.join(", ")
                    )));
                }
            }
        }
        Ok(true)
    }

    /// Writes down which entries were used.
    pub(super) fn remember(&self, to: &mut Vec<i64>) {
        memory::put_flags(&self.used, to);
        memory::put_counts(&self.times, to);
    }

    /// Goes back to what was written down.
    pub(super) fn recall(&mut self, from: &mut &[i64]) {
        memory::take_flags(&mut self.used, from);
        memory::take_counts(&mut self.times, from);
    }
}

impl Dice for Scripted<'_> {
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault> {
        // the faces come behind what lies there already; the seed goes on as if nothing were given
        let before = faces.len();
        self.seeded.throw(game, throw, faces)?;
        let thrown = before..faces.len();
        if self.given_throw(game, throw, faces)? {
            faces.drain(thrown);
        }
        Ok(Flow::Go)
    }

    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault> {
        let before = picks.len();
        self.seeded.draw(game, draw, picks)?;
        let drawn = before..picks.len();
        if self.given_draw(game, draw, picks)? {
            picks.drain(drawn);
        }
        Ok(Flow::Go)
    }
}
