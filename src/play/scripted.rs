//! Dice as a scenario gives them; what it does not give comes from the seed.

use super::Seeded;
use crate::base::Code;
use crate::machine::{Dice, Die, DrawAsk, Fault, Flow, Game, Throw};
use crate::scenario::{Given, GivenDice};
use crate::value::SiteId;
use std::collections::BTreeMap;

/// Gives the dice of a script, and those of a seed where there are none.
pub struct Scripted<'a> {
    /// The script.
    pub script: DiceScript<'a>,
    seeded: Seeded,
}

impl<'a> Scripted<'a> {
    /// The dice of a script over those of a seed.
    pub fn new(given: &'a [GivenDice], seeded: Seeded) -> Scripted<'a> {
        Scripted { script: DiceScript::new(given), seeded }
    }

    /// Dice that were given and never thrown.
    pub fn left(&self) -> impl Iterator<Item = &'a GivenDice> + '_ {
        self.script.left()
    }

    /// Starts another run.
    pub fn start(&mut self, seed: u64, run: u64) {
        self.seeded.start(seed, run);
        self.script.start();
    }
}

/// Dice and draws that are given, and how much of them was used.
#[derive(Clone)]
pub struct DiceScript<'a> {
    given: &'a [GivenDice],
    used: Vec<bool>,
    /// By the name of the roll and its subject: how often it was thrown; only where it matters.
    times: BTreeMap<(u64, i64), u32>,
}

impl<'a> DiceScript<'a> {
    /// A script of which nothing was used.
    pub fn new(given: &'a [GivenDice]) -> DiceScript<'a> {
        DiceScript { given, used: vec![false; given.len()], times: BTreeMap::new() }
    }

    /// True if it holds any dice, used or not.
    pub fn gives(&self) -> bool {
        !self.given.is_empty()
    }

    /// Dice that were never thrown.
    pub fn left(&self) -> impl Iterator<Item = &'a GivenDice> + '_ {
        self.given.iter().zip(&self.used).filter(|(_, used)| !**used).map(|(given, _)| given)
    }

    /// Begins again.
    pub fn start(&mut self) {
        self.used.fill(false);
        self.times.clear();
    }

    /// Adds what was used to what a run remembers.
    pub fn remember(&self, memory: &mut Vec<i64>) {
        remember(&self.used, memory);
        memory.push(self.times.len() as i64);
        self.times.iter().for_each(|((key, subject), n)| memory.extend([*key as i64, *subject, i64::from(*n)]));
    }

    /// Takes it back from there.
    pub fn recall(&mut self, memory: &mut impl Iterator<Item = i64>) {
        recall(&mut self.used, memory);
        self.times.clear();
        for _ in 0..memory.next().unwrap_or(0) {
            let (Some(key), Some(subject), Some(n)) = (memory.next(), memory.next(), memory.next()) else { return };
            self.times.insert((key as u64, subject), n as u32);
        }
    }

    /// The next entry for a roll: the one for this very time, else the first for any time.
    fn next(&mut self, game: &Game, site: SiteId, subject: i64) -> Option<&'a GivenDice> {
        if self.given.is_empty() {
            return None;
        }
        let fits = |g: &GivenDice| g.sites.contains(&site) && (g.of == -1 || g.of == subject);
        // beyond the last time that the script speaks of nobody counts
        let last = self.given.iter().filter(|g| fits(g)).filter_map(|g| g.nth).max();
        let times = last.map(|last| {
            let times = self.times.entry((game.site_key(site), subject)).or_insert(0);
            *times = (*times + 1).min(last.saturating_add(1));
            *times
        });
        let open = |n: usize| !self.used[n] && fits(&self.given[n]);
        let exact = (0..self.given.len()).find(|n| open(*n) && times.is_some() && self.given[*n].nth == times);
        let found = exact.or_else(|| (0..self.given.len()).find(|n| open(*n) && self.given[*n].nth.is_none()))?;
        self.used[found] = true;
        Some(&self.given[found])
    }

    /// The faces that a throw is given.
    pub fn faces(&mut self, game: &Game, throw: &Throw<'_>) -> Result<Option<&'a [i64]>, Fault> {
        let Some(given) = self.next(game, throw.site, throw.subject) else { return Ok(None) };
        // what is wrong with it is wrong in the scenario
        let fault = |message| Fault { span: Some(given.span), ..fault(message) };
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
                    let die = &game.program.schema.dice[id.at()];
                    (die.faces.contains(face), die.name.clone())
                }
            };
            if !has {
                return Err(fault(format!("the script gives `{}` a face that a {name} does not have", given.name)));
            }
        }
        Ok(Some(wanted))
    }

    /// The places of what a draw is given.
    pub fn picks(&mut self, game: &Game, draw: &DrawAsk<'_>) -> Result<Option<Vec<usize>>, Fault> {
        let Some(given) = self.next(game, draw.site, draw.subject) else { return Ok(None) };
        let Given::Names(wanted) = &given.give else {
            return Err(fault(format!("`{}` is a draw; the script gives it faces", given.name)));
        };
        if wanted.len() != draw.count {
            return Err(fault(format!("`{}` draws {}, the script gives {}", given.name, draw.count, wanted.len())));
        }
        let mut picks = Vec::with_capacity(wanted.len());
        for name in wanted {
            let mut open = draw.names.iter().enumerate().filter(|(n, _)| !picks.contains(n));
            let Some((at, _)) = open.find(|(_, n)| *n == name) else {
                return Err(fault(format!(
                    "`{}` cannot draw {name}{}; it could draw {}",
                    given.name,
                    if draw.names.contains(name) { " so often" } else { "" },
                    draw.names.join(", ")
                )));
            };
            picks.push(at);
        }
        Ok(Some(picks))
    }
}

/// Flags as what a run remembers.
pub(super) fn remember(flags: &[bool], memory: &mut Vec<i64>) {
    memory.extend(flags.iter().map(|f| i64::from(*f)));
}

/// Flags out of it.
pub(super) fn recall(flags: &mut [bool], memory: &mut impl Iterator<Item = i64>) {
    flags.iter_mut().for_each(|f| *f = memory.next() == Some(1));
}

fn fault(message: String) -> Fault {
    Fault::new(Code::Script, message)
}

impl Dice for Scripted<'_> {
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault> {
        // the faces come behind what lies there already
        let before = faces.len();
        self.seeded.throw(game, throw, faces)?;
        if let Some(given) = self.script.faces(game, throw)? {
            faces.truncate(before);
            faces.extend_from_slice(given);
        }
        Ok(Flow::Go)
    }

    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault> {
        self.seeded.draw(game, draw, picks)?;
        if let Some(given) = self.script.picks(game, draw)? {
            *picks = given;
        }
        Ok(Flow::Go)
    }
}
