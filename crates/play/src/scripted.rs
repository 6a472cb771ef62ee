//! Dice that a scenario gives; all other dice come from the seed.

use super::Seeded;
use super::session::Hand;
use grognard_base::Code;
use grognard_base::value::SiteId;
use grognard_program::AskKind;
use grognard_program::constant;
use grognard_scenario::{Given, GivenDice, Plan};
use grognard_vm::{Dice, Die, DrawAsk, Fault, Flow, Game, Throw};
use std::collections::{BTreeMap, BTreeSet};

/// Source of dice: a script first, then a seed.
pub struct Scripted<'a> {
    pub script: DiceScript<'a>,
    pub(super) seeded: Seeded,
    /// The log of an interactive session.
    pub(super) hand: Option<Hand>,
    /// Whether a decision was given from outside, so that the script may not fit the rolls.
    pub(super) departed: bool,
    /// Dice of the caller. They are asked after the script.
    pub(super) outside: Option<&'a mut dyn OutsideDice>,
}

/// Dice of the caller: physical dice, a generator, a server. What they do not give comes from the seed.
pub trait OutsideDice: Send {
    /// Returns the faces of a roll in the order of its dice, or `None` if the seed rolls it.
    ///
    /// # Errors
    ///
    /// Returns a fault to end the run.
    fn roll(&mut self, game: &Game, throw: &Throw<'_>) -> Result<Option<Vec<i64>>, Fault>;

    /// Returns the indices of the drawn candidates, or `None` if the seed draws them.
    ///
    /// # Errors
    ///
    /// Returns a fault to end the run.
    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>) -> Result<Option<Vec<usize>>, Fault>;
}

impl<'a> Scripted<'a> {
    /// Creates a source of dice from a plan's script and a seed.
    pub fn new(plan: &'a Plan, seeded: Seeded) -> Scripted<'a> {
        Scripted::of(DiceScript::new(&plan.dice, plan.alone.is_some()), seeded)
    }

    /// Creates a source of dice from a script and a seed.
    pub(super) fn of(script: DiceScript<'a>, seeded: Seeded) -> Scripted<'a> {
        Scripted { script, seeded, hand: None, departed: false, outside: None }
    }

    /// Returns the given dice that were never rolled.
    pub fn left(&self) -> impl Iterator<Item = &'a GivenDice> + '_ {
        self.script.left()
    }

    /// Returns whether all dice come from the seed.
    #[inline]
    fn is_free(&self) -> bool {
        !self.script.alone && self.script.given.is_empty() && self.hand.is_none() && self.outside.is_none()
    }

    /// Returns whether the script may not fit the rolls.
    fn departs(&self) -> bool {
        self.departed || self.hand.as_ref().is_some_and(Hand::departed)
    }

    /// Returns whether the script decides a roll or a draw of an interactive session. An entry that does not fit decides it
    /// too, with an error, unless another decision explains the misfit.
    fn fixes(&self, gives: impl FnOnce(&mut DiceScript<'a>) -> Result<bool, Fault>) -> bool {
        self.hand.is_some() && self.script.gives() && gives(&mut self.script.clone()).unwrap_or(!self.departs())
    }

    /// Resets the dice for another run.
    pub fn start(&mut self, seed: u64, run: u64) {
        self.seeded.start(seed, run);
        self.script.start();
    }

    /// Asks the dice of the caller. Returns `None` if they leave the roll to the seed.
    fn outside(&mut self, game: &Game, throw: &Throw<'_>) -> Result<Option<Vec<i64>>, Fault> {
        let Some(outside) = self.outside.as_deref_mut().filter(|_| !throw.dice.is_empty()) else { return Ok(None) };
        let Some(faces) = outside.roll(game, throw)? else { return Ok(None) };
        let (name, wanted) = (name_of(game, throw.site), throw.dice.len());
        if faces.len() != wanted {
            let dice = if wanted == 1 { "die" } else { "dice" };
            return Err(fault(format!("the roll `{name}` rolls {wanted} {dice}, but {} are given", faces.len())));
        }
        match faces.iter().enumerate().find(|(n, face)| !shows(game, throw.dice.die(*n), **face)) {
            Some((n, face)) => {
                let die = throw.dice.die(n);
                Err(fault(cannot_show(game, name, die, &face_name(game, die, *face))))
            }
            None => Ok(Some(faces)),
        }
    }

    /// Asks the caller for a draw. Returns `None` if it is left to the seed.
    fn outside_draw(&mut self, game: &Game, draw: &DrawAsk<'_>) -> Result<Option<Vec<usize>>, Fault> {
        let Some(outside) = self.outside.as_deref_mut().filter(|_| draw.count > 0) else { return Ok(None) };
        let Some(picks) = outside.draw(game, draw)? else { return Ok(None) };
        let name = name_of(game, draw.site);
        let count = picks.iter().copied().collect::<BTreeSet<usize>>().len();
        if picks.len() != draw.count || count != draw.count {
            let (takes, given) = (draw.count, picks.len());
            return Err(fault(format!("the draw `{name}` takes {takes} different entries, and is given {given}")));
        }
        match picks.iter().find(|pick| **pick >= draw.names.len() || draw.weights.get(**pick) == Some(&0)) {
            Some(pick) => Err(fault(format!("the draw `{name}` cannot give entry {pick}"))),
            None => Ok(Some(picks)),
        }
    }
}

/// Given dice and draws, with their use.
#[derive(Clone)]
pub struct DiceScript<'a> {
    given: &'a [GivenDice],
    /// Whether rolls are identified by bare names, as in an example. Such a roll must be given all its dice.
    alone: bool,
    uses: DiceUses,
    /// Which dice were used since the script was created, also before a return to an earlier state.
    ever: Vec<bool>,
}

/// Given dice that the rolls so far used.
#[derive(Clone, Default)]
pub(crate) struct DiceUses {
    used: Vec<bool>,
    /// Number of rolls by name and subject; kept only where it matters.
    times: BTreeMap<(u64, i64), u32>,
    /// The roll that took dice without a name.
    taken: Option<SiteId>,
}

impl<'a> DiceScript<'a> {
    /// Creates a script with all entries unused.
    pub fn new(given: &'a [GivenDice], alone: bool) -> DiceScript<'a> {
        let used = vec![false; given.len()];
        DiceScript { given, alone, ever: used.clone(), uses: DiceUses { used, ..DiceUses::default() } }
    }

    /// Returns the script with what a run used of it.
    pub(crate) fn resumed(self, uses: DiceUses) -> DiceScript<'a> {
        DiceScript { uses, ..self }
    }

    /// Returns what the run used of the script.
    pub(crate) fn into_uses(self) -> DiceUses {
        self.uses
    }

    /// Returns whether the script has any dice, used or not.
    pub fn gives(&self) -> bool {
        !self.given.is_empty()
    }

    /// Returns the dice that were never rolled.
    pub fn left(&self) -> impl Iterator<Item = &'a GivenDice> + '_ {
        self.given.iter().zip(&self.uses.used).filter(|(_, used)| !**used).map(|(given, _)| given)
    }

    /// Returns the dice of a roll that was rolled in some state since the script was created, but never as often as the
    /// script gives it dice.
    pub fn spare(&self) -> Option<&'a GivenDice> {
        let rolled = |dice: &GivenDice| {
            let ever = self.given.iter().zip(&self.ever).filter(|(_, ever)| **ever);
            ever.flat_map(|(other, _)| &other.sites).any(|site| dice.sites.contains(site))
        };
        let never = self.given.iter().zip(&self.ever).filter(|(_, ever)| !**ever);
        never.map(|(dice, _)| dice).find(|dice| rolled(dice))
    }

    /// Marks all entries as unused.
    pub fn start(&mut self) {
        self.uses.used.fill(false);
        self.uses.times.clear();
        self.uses.taken = None;
    }

    /// Appends the used entries to the memory of a state.
    pub fn remember(&self, memory: &mut Vec<i64>) {
        remember(&self.uses.used, memory);
        memory.push(self.uses.times.len() as i64);
        self.uses.times.iter().for_each(|((key, subject), n)| memory.extend([*key as i64, *subject, i64::from(*n)]));
        memory.push(self.uses.taken.map_or(0, |site| i64::from(site.0) + 1));
    }

    /// Restores the used entries from the memory of a state.
    pub fn recall(&mut self, memory: &mut impl Iterator<Item = i64>) {
        recall(&mut self.uses.used, memory);
        self.uses.times.clear();
        for _ in 0..memory.next().unwrap_or(0) {
            let (Some(key), Some(subject), Some(n)) = (memory.next(), memory.next(), memory.next()) else { return };
            self.uses.times.insert((key as u64, subject), n as u32);
        }
        self.uses.taken = memory.next().and_then(|n| u32::try_from(n - 1).ok()).map(SiteId);
    }

    /// Takes the next entry for a roll: the one for exactly this time, otherwise the first for any time.
    fn next(&mut self, game: &Game, site: SiteId, subject: i64) -> Result<Option<&'a GivenDice>, Fault> {
        if self.given.is_empty() {
            return Ok(None);
        }
        if self.alone {
            return self.next_of_name(game, site);
        }
        let fits = |g: &GivenDice| g.sites.contains(&site) && (g.of == -1 || g.of == subject);
        // the count stops after the last `nth` that the script uses
        let last = self.given.iter().filter(|g| fits(g)).filter_map(|g| g.nth).max();
        let times = last.map(|last| {
            let times = self.uses.times.entry((game.site_key(site), subject)).or_insert(0);
            *times = (*times + 1).min(last.saturating_add(1));
            *times
        });
        let open = |n: usize| !self.uses.used[n] && fits(&self.given[n]);
        let exact = (0..self.given.len()).find(|n| open(*n) && times.is_some() && self.given[*n].nth == times);
        let found = exact.or_else(|| (0..self.given.len()).find(|n| open(*n) && self.given[*n].nth.is_none()));
        Ok(found.map(|found| {
            self.uses.used[found] = true;
            self.ever[found] = true;
            &self.given[found]
        }))
    }

    /// Takes the next entry that names a roll. If no entry names it, takes unnamed entries, unless another roll took them.
    fn next_of_name(&mut self, game: &Game, site: SiteId) -> Result<Option<&'a GivenDice>, Fault> {
        let name = name_of(game, site);
        let names = |g: &GivenDice| !g.name.is_empty() && g.sites.contains(&site);
        let named = self.given.iter().any(names);
        if !named && self.uses.taken.is_some_and(|first| name_of(game, first) != name) {
            return Ok(None);
        }
        let own = |g: &GivenDice| if named { names(g) } else { g.name.is_empty() };
        let Some(found) = (0..self.given.len()).find(|n| !self.uses.used[*n] && own(&self.given[*n])) else {
            if named || self.uses.taken.is_some() {
                let message = format!("`{name}` is rolled more often than the example provides dice");
                return Err(Fault::new(Code::ExampleRolls, message));
            }
            return Ok(None);
        };
        self.uses.used[found] = true;
        self.ever[found] = true;
        self.uses.taken = self.uses.taken.or(Some(site).filter(|_| !named));
        Ok(Some(&self.given[found]))
    }

    /// Returns the fault of a roll for which an example gives no dice.
    fn missed(&self, game: &Game, site: SiteId, subject: i64) -> Fault {
        let name = name_of(game, site);
        let message = match self.uses.taken.map(|first| name_of(game, first)) {
            Some(first) => format!("this example reaches two rolls; name them: `rolling {first} = .., {name} = ..`"),
            None => {
                let whose = game.packed_name(subject);
                let whose = if whose.is_empty() { String::new() } else { format!(" of {whose}") };
                format!("the roll `{name}`{whose} is reached, and the example gives no dice for it")
            }
        };
        Fault::new(Code::ExampleRolls, message)
    }

    /// Returns the name of a roll that was given dice but was not rolled.
    pub fn left_of_name(&self, game: &Game) -> Option<String> {
        let left = self.left().min_by_key(|g| (g.name.is_empty(), &g.name))?;
        let taken = || self.uses.taken.map_or("rolling", |site| name_of(game, site)).to_string();
        Some(if left.name.is_empty() { taken() } else { left.name.clone() })
    }

    /// Appends the faces that a roll is given. Returns false if the script gives none.
    ///
    /// # Errors
    ///
    /// Returns a fault if the given faces do not fit the roll.
    pub fn faces(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<bool, Fault> {
        let Some(given) = self.next(game, throw.site, throw.subject)? else { return Ok(false) };
        // the error belongs to the scenario's entry
        let fault = |message| Fault { span: Some(given.span), ..fault(message) };
        let name = if given.name.is_empty() { name_of(game, throw.site) } else { &given.name };
        let words = match &given.give {
            Given::Faces(_) => &[],
            Given::Names(words) => words.as_slice(),
        };
        let wanted = throw.dice.len();
        if let [word] = words
            && wanted > 1
            && throw.again.is_empty()
            && is_sum(game, throw.site)
        {
            let added = split(game, throw, word)
                .ok_or_else(|| fault(format!("the roll `{name}` cannot have the sum {word}")))?;
            faces.extend(added);
            return Ok(true);
        }
        let count = if let Given::Faces(cells) = &given.give { cells.len() } else { words.len() };
        if count != wanted {
            let dice = if wanted == 1 { "die" } else { "dice" };
            let mut message = format!("the roll `{name}` rolls {wanted} {dice}, but {count} are given");
            if wanted == 1 && self.alone {
                message += &format!("; for several rolls, name it several times: `{name} = 1, {name} = 2`");
            }
            return Err(fault(message));
        }
        for n in 0..wanted {
            let die = throw.dice.die(n);
            let face = match &given.give {
                Given::Faces(cells) => Some(cells[n]).filter(|face| shows(game, die, *face)),
                Given::Names(words) => face(game, die, &words[n]),
            };
            let Some(face) = face else {
                return Err(match &given.give {
                    Given::Names(words) => fault(cannot_show(game, name, die, &words[n])),
                    Given::Faces(cells) => fault(cannot_show(game, name, die, &face_name(game, die, cells[n]))),
                });
            };
            faces.push(face);
        }
        Ok(true)
    }

    /// Returns the indices of the items that a draw is given.
    ///
    /// # Errors
    ///
    /// Returns a fault if the given names do not fit the draw.
    pub fn picks(&mut self, game: &Game, draw: &DrawAsk<'_>) -> Result<Option<Vec<usize>>, Fault> {
        let Some(given) = self.next(game, draw.site, draw.subject)? else { return Ok(None) };
        let drawn = if given.name.is_empty() { name_of(game, draw.site) } else { &given.name };
        let Given::Names(wanted) = &given.give else {
            return Err(fault(format!("`{drawn}` is a draw; the script gives it faces")));
        };
        if wanted.len() != draw.count {
            let (takes, given) = (draw.count, wanted.len());
            return Err(fault(format!("the draw `{drawn}` takes {takes}, and is given {given}")));
        }
        let mut picks = Vec::with_capacity(wanted.len());
        for name in wanted {
            let mut open = draw.names.iter().enumerate().filter(|(n, _)| !picks.contains(n));
            let Some((at, _)) = open.find(|(_, n)| *n == name) else {
                return Err(fault(format!(
                    "the draw `{drawn}` cannot give {name}{}; it could give {}",
                    if draw.names.contains(name) { " so often" } else { "" },
                    draw.names.join(", ")
                )));
            };
            picks.push(at);
        }
        Ok(Some(picks))
    }
}

fn name_of(game: &Game, site: SiteId) -> &str {
    game.program.schema.sites.get(site.at()).map_or("", |site| site.name.as_str())
}

fn is_sum(game: &Game, site: SiteId) -> bool {
    game.program.asks.iter().any(|a| a.site == site && matches!(a.kind, AskKind::Roll { sum: true, .. }))
}

/// Returns whether a die has this face.
fn shows(game: &Game, die: Die, face: i64) -> bool {
    match die {
        Die::Sides(sides) => (1..=i64::from(sides)).contains(&face),
        Die::Faces(id) => game.program.schema.dice[id.at()].faces.contains(&face),
    }
}

/// Returns the face with this name.
fn face(game: &Game, die: Die, word: &str) -> Option<i64> {
    match die {
        Die::Sides(_) => word.parse().ok().filter(|face| shows(game, die, *face)),
        Die::Faces(id) => {
            let info = &game.program.schema.dice[id.at()];
            info.faces.iter().copied().find(|f| constant(&game.program.schema, &info.of, *f).to_string() == word)
        }
    }
}

/// Returns the name of a face, or its number if the die does not have it.
fn face_name(game: &Game, die: Die, face: i64) -> String {
    match die {
        Die::Sides(_) => face.to_string(),
        Die::Faces(id) => constant(&game.program.schema, &game.program.schema.dice[id.at()].of, face).to_string(),
    }
}

/// Returns the message about a face that a die does not have.
fn cannot_show(game: &Game, roll: &str, die: Die, face: &str) -> String {
    let die = match die {
        Die::Sides(sides) => format!("d{sides}"),
        Die::Faces(id) => game.program.schema.dice[id.at()].name.clone(),
    };
    format!("the roll `{roll}` cannot show {face}, which a {die} does not have")
}

/// Splits a sum given as one number into faces that add up to it.
fn split(game: &Game, throw: &Throw<'_>, word: &str) -> Option<Vec<i64>> {
    let mut left: i64 = word.parse().ok()?;
    let (count, mut faces) = (throw.dice.len(), Vec::new());
    for n in 0..count {
        let (rest, sides) = ((count - n - 1) as i64, i64::from(throw.dice.die(n).sides(game)));
        faces.push((left - rest).clamp(1, sides.max(1)));
        left -= faces[n];
    }
    (left == 0).then_some(faces)
}

/// Appends flags to the memory of a state.
pub(super) fn remember(flags: &[bool], memory: &mut Vec<i64>) {
    memory.extend(flags.iter().map(|f| i64::from(*f)));
}

/// Restores flags from the memory of a state.
pub(super) fn recall(flags: &mut [bool], memory: &mut impl Iterator<Item = i64>) {
    flags.iter_mut().for_each(|f| *f = memory.next() == Some(1));
}

fn fault(message: String) -> Fault {
    Fault::new(Code::Script, message)
}

impl Dice for Scripted<'_> {
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault> {
        if self.script.alone {
            if !throw.dice.is_empty() && !self.script.faces(game, throw, faces)? {
                return Err(self.script.missed(game, throw.site, throw.subject));
            }
            return Ok(Flow::Go);
        }
        let fixed = self.fixes(|script| script.faces(game, throw, &mut Vec::new()));
        if self.hand.as_ref().is_some_and(|hand| hand.rolls(game, throw, fixed)) {
            return Ok(Flow::Wait);
        }
        // new faces are appended after those already in the list
        let before = faces.len();
        self.seeded.throw(game, throw, faces)?;
        let behind = faces.len();
        match self.script.faces(game, throw, faces) {
            Ok(true) => drop(faces.drain(before..behind)),
            Ok(false) => {
                if let Some(given) = self.outside(game, throw)? {
                    faces.truncate(before);
                    faces.extend(given);
                }
            }
            // after a different decision, the rolls no longer match the script
            Err(_) if self.departs() => faces.truncate(behind),
            Err(fault) => return Err(fault),
        }
        if let Some(hand) = &self.hand {
            hand.fell(game, throw, &mut faces[before..]);
        }
        Ok(Flow::Go)
    }

    #[inline]
    fn single(&mut self, game: &Game, site: SiteId, subject: i64, die: Die) -> Option<i64> {
        if self.is_free() { self.seeded.single(game, site, subject, die) } else { None }
    }

    #[inline]
    fn pool(&mut self, game: &Game, site: SiteId, subject: i64, dice: (Die, usize), faces: &mut Vec<i64>) -> bool {
        self.is_free() && self.seeded.pool(game, site, subject, dice, faces)
    }

    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault> {
        let fixed = self.fixes(|script| script.picks(game, draw).map(|picks| picks.is_some()));
        if self.hand.as_ref().is_some_and(|hand| hand.draws(game, draw, fixed)) {
            return Ok(Flow::Wait);
        }
        if !self.script.alone {
            self.seeded.draw(game, draw, picks)?;
        }
        match self.script.picks(game, draw) {
            Ok(Some(given)) => *picks = given,
            Ok(None) if self.script.alone => return Err(self.script.missed(game, draw.site, draw.subject)),
            Ok(None) => {
                if let Some(given) = self.outside_draw(game, draw)? {
                    *picks = given;
                }
            }
            Err(_) if self.departs() => {}
            Err(fault) => return Err(fault),
        }
        if let Some(hand) = &self.hand {
            hand.drawn(game, draw, picks);
        }
        Ok(Flow::Go)
    }
}
