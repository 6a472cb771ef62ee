//! Dice from a seed: every word is keyed by what it is for, so a rule that throws more dice moves no other die.

use crate::machine::{Dice, Die, DrawAsk, Fault, Flow, Game, Throw, Thrown};
use crate::program::AskKind;
use crate::value::SiteId;
use crate::value::dice::{Kept, Place, Site, Stream, name};
use crate::value::unpack_thing;
use std::collections::{HashMap, HashSet};

/// Throws the dice of one run of one seed. Starting another run allocates nothing.
pub struct Seeded {
    stream: Stream,
    /// By site: where the counts of its key begin. Sites of one key, such as rolls of one name in two branches, count
    /// together, so that no two of them throw the same dice.
    slots: Vec<usize>,
    /// By key and subject: how often this roll was made for this subject in this run.
    counts: Vec<u32>,
    /// Likewise: the subject that rolled there last, and its key. They outlast the run.
    places: Vec<(i64, Place)>,
    /// Likewise: the last words that throws share.
    kept: Vec<Kept>,
    /// By site: it throws a single die, not a pool.
    single: Vec<bool>,
    /// Subjects that have a count of their own at each site.
    subjects: usize,
    /// By site: the ordinal and the dice of its last roll, for dice thrown again.
    last: Vec<Last>,
    /// By site: its dice go by a lasting key.
    keyed: Vec<bool>,
    /// By lasting key and subject: what was thrown there in this run.
    shared: HashMap<(u64, i64), Shared>,
}

/// What several rolls of one lasting key threw for one subject at one time.
#[derive(Clone, Debug, Default)]
struct Shared {
    ordinal: u32,
    /// Dice thrown so far.
    dice: u32,
    /// The rolls that threw them.
    sites: Vec<SiteId>,
}

/// The last roll of a site: which die each place of the pool came from, and how often that die fell.
#[derive(Clone, Debug, Default)]
struct Last {
    ordinal: u32,
    /// The number of its first die.
    first: u32,
    dice: usize,
    origins: Vec<u32>,
    throws: Vec<u32>,
}

impl Seeded {
    /// Dice of a run under a seed.
    pub fn new(game: &Game, seed: u64, run: u64) -> Seeded {
        let subjects = 1 + game.layout.kinds.iter().map(|k| k.slots).max().unwrap_or(0);
        let sites = game.program.schema.sites.len() + game.program.functions.len();
        // a key may be the name that a roll without one has by itself
        let lasting = game.program.schema.sites.iter().enumerate().filter(|(_, site)| site.key.is_some());
        let keys: HashSet<u64> = lasting.map(|(n, _)| game.site_key(SiteId::from(n))).collect();
        let mut first: HashMap<u64, usize> = HashMap::new();
        let mut slot = |n: usize| *first.entry(game.site_key(SiteId::from(n))).or_insert(n) * subjects;
        Seeded {
            slots: (0..sites).map(&mut slot).collect(),
            stream: Stream::new(seed, run),
            counts: vec![0; sites * subjects],
            places: vec![(i64::MIN, Site::new(0, 0, 0).place()); sites * subjects],
            kept: vec![Kept::default(); sites * subjects],
            single: singles(game, sites),
            subjects,
            last: vec![Last::default(); sites],
            keyed: (0..sites).map(|n| keys.contains(&game.site_key(SiteId::from(n)))).collect(),
            shared: HashMap::new(),
        }
    }

    /// Starts another run: nothing of the last one is left.
    pub fn start(&mut self, seed: u64, run: u64) {
        self.stream = Stream::new(seed, run);
        self.counts.fill(0);
        self.shared.clear();
    }

    /// The place of a roll and its ordinal in this run, counted up, and where its words are kept.
    #[inline]
    fn count(&mut self, game: &Game, site: SiteId, subject: i64) -> (Place, u32, usize) {
        let number = if subject < 0 { 0 } else { 1 + unpack_thing(subject).1 as usize };
        let at = self.slots[site.at()] + number.min(self.subjects - 1);
        let ordinal = self.counts[at];
        self.counts[at] += 1;
        if self.places[at].0 != subject {
            self.places[at] = (subject, named(game, site, subject, ordinal).place());
        }
        (self.places[at].1, ordinal, at)
    }

    fn site(&mut self, game: &Game, site: SiteId, subject: i64) -> Site {
        let (_, ordinal, _) = self.count(game, site, subject);
        named(game, site, subject, ordinal)
    }

    /// A number below `count` for a question, as chance answers it; asked again, it is another one.
    pub fn below(&mut self, game: &Game, site: SiteId, subject: i64, count: usize) -> usize {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let site = self.site(game, site, subject);
        self.stream.below(site, 0, 0, count) as usize
    }

    /// Dice of a lasting key: those that another roll of the key threw for the subject since go before, so a pool split
    /// in two throws what it threw as one. A roll that comes again begins the next time.
    fn shared(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) {
        let shared = self.shared.entry((game.site_key(throw.site), throw.subject)).or_default();
        if shared.sites.contains(&throw.site) {
            shared.ordinal += 1;
            shared.dice = 0;
            shared.sites.clear();
        }
        shared.sites.push(throw.site);
        let (ordinal, first) = (shared.ordinal, shared.dice);
        shared.dice += throw.dice.len() as u32;
        self.last[throw.site.at()] = Last { ordinal, first, dice: throw.dice.len(), ..Last::default() };
        let site = named(game, throw.site, throw.subject, ordinal);
        for n in 0..throw.dice.len() {
            let die = throw.dice.die(n);
            faces.push(die.face(game, self.stream.die(site, first + n as u32, 0, die.sides(game))));
        }
    }

    /// Dice that are thrown again, or come from dice that exploded, are keyed by the die they began as.
    fn again(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) {
        let last = &mut self.last[throw.site.at()];
        let site = named(game, throw.site, throw.subject, last.ordinal);
        if last.origins.is_empty() {
            last.origins.extend(0..last.dice as u32);
        }
        for (n, place) in throw.again.iter().enumerate() {
            let place = *place as usize;
            let origin = last.origins.get(place).copied().unwrap_or(place as u32);
            while last.throws.len() <= origin as usize {
                last.throws.push(0);
            }
            last.throws[origin as usize] += 1;
            let die = throw.dice.die(n);
            let side = self.stream.die(site, last.first + origin, last.throws[origin as usize], die.sides(game));
            faces.push(die.face(game, side));
        }
        if throw.explode {
            let origins: Vec<u32> =
                throw.again.iter().map(|p| last.origins.get(*p as usize).copied().unwrap_or(0)).collect();
            last.origins.extend(origins);
        }
    }
}

/// The sites whose rolls are of a single die, as `roll x = d6` is.
fn singles(game: &Game, sites: usize) -> Vec<bool> {
    let mut single = vec![false; sites];
    for ask in &game.program.asks {
        if let AskKind::Roll { count: None, list: false, .. } = ask.kind {
            single[ask.site.at()] = true;
        }
    }
    single
}

/// A roll by its names.
fn named(game: &Game, site: SiteId, subject: i64, ordinal: u32) -> Site {
    Site::new(game.site_key(site), game.subject_key(subject), ordinal)
}

impl Dice for Seeded {
    #[inline]
    fn single(&mut self, game: &Game, site: SiteId, subject: i64, die: Die) -> Option<i64> {
        if self.keyed[site.at()] || !self.single[site.at()] {
            return None;
        }
        let (place, ordinal, row) = self.count(game, site, subject);
        let last = &mut self.last[site.at()];
        (last.ordinal, last.dice) = (ordinal, 1);
        last.origins.clear();
        last.throws.clear();
        let side = self.stream.single_at(place, ordinal, die.sides(game), &mut self.kept[row]);
        Some(die.face(game, side))
    }

    #[inline]
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault> {
        if !throw.again.is_empty() {
            self.again(game, throw, faces);
            return Ok(Flow::Go);
        }
        if self.keyed[throw.site.at()] {
            self.shared(game, throw, faces);
            return Ok(Flow::Go);
        }
        let (place, ordinal, row) = self.count(game, throw.site, throw.subject);
        let kept = &mut self.kept[row];
        let last = &mut self.last[throw.site.at()];
        last.ordinal = ordinal;
        last.dice = throw.dice.len();
        last.origins.clear();
        last.throws.clear();
        match throw.dice {
            Thrown::Same(die, _) if self.single[throw.site.at()] => {
                let side = self.stream.single_at(place, ordinal, die.sides(game), kept);
                faces.push(die.face(game, side));
            }
            Thrown::Same(die, n) => {
                let at = faces.len();
                self.stream.pool_at(place, ordinal, die.sides(game), n, kept, faces);
                if let Die::Faces(_) = die {
                    faces[at..].iter_mut().for_each(|side| *side = die.face(game, *side as u32));
                }
            }
            Thrown::Each(dice) => {
                let site = named(game, throw.site, throw.subject, ordinal);
                for (n, die) in dice.iter().enumerate() {
                    faces.push(die.face(game, self.stream.die(site, n as u32, 0, die.sides(game))));
                }
            }
        }
        Ok(Flow::Go)
    }

    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault> {
        let site = self.site(game, draw.site, draw.subject);
        let mut again: HashMap<&str, u32> = HashMap::new();
        let candidates: Vec<(u64, u32)> = draw
            .names
            .iter()
            .zip(draw.weights)
            .map(|(word, weight)| {
                // a second one of that name has a key of its own
                let times = again.entry(word).or_default();
                let key = if *times == 0 { name(word) } else { name(&format!("{word}\0{times}")) };
                *times += 1;
                (key, *weight)
            })
            .collect();
        picks.extend(self.stream.draw(site, &candidates, draw.count));
        Ok(Flow::Go)
    }
}
