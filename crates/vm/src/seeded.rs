//! Dice from a seed: every random word is keyed by its purpose, so an additional roll does not change other dice.

use crate::{Dice, Die, DrawAsk, Fault, Flow, Game, Throw, Thrown};
use grognard_base::value::SiteId;
use grognard_base::value::dice::{KeptBlock, RollKey, Site, Stream, name};
use grognard_base::value::unpack_thing;
use grognard_program::AskKind;
use std::collections::{HashMap, HashSet};

/// Rolls the dice of one run of a seed. Starting another run does not allocate. A copy continues like the original.
#[derive(Clone)]
pub struct Seeded {
    stream: Stream,
    /// Number of started runs. Counts of an earlier run are stale.
    run: u64,
    sites: Vec<Rolls>,
    /// Counters by key and subject, for the keys that rolled so far. They are reused by later runs.
    rows: Vec<Row>,
    /// Number of subjects that have a separate row at each site.
    subjects: usize,
    /// Rolls of this run by shared key and subject.
    shared: HashMap<(u64, i64), Shared>,
}

/// The rolls of a site.
#[derive(Clone, Debug, Default)]
struct Rolls {
    /// First row of its key, or [`NO_ROWS`] before its first roll. Sites with the same key, such as rolls of one name in
    /// two branches, are counted together, so that they roll different dice.
    rows: usize,
    /// The first site with the same key.
    alike: usize,
    /// Whether it rolls a single die instead of a pool.
    single: bool,
    /// Whether its dice have a key declared by the rules.
    keyed: bool,
    /// The last roll, for rerolls.
    last: Last,
}

/// The row of a key that has no rows yet. It is beyond all rows, also after a subject is added.
const NO_ROWS: usize = usize::MAX / 2;

/// The rolls of a key for a subject.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The run in which `count` is valid.
    run: u64,
    count: u32,
    /// The last subject that rolled here, and its key.
    subject: i64,
    place: RollKey,
    /// The last random words, which rolls share.
    kept: KeptBlock,
}

impl Row {
    /// Starts the counts for another run or subject.
    #[inline(never)]
    fn begin(&mut self, run: u64, subject: i64, place: impl Fn() -> RollKey) {
        if self.run != run {
            (self.run, self.count) = (run, 0);
        }
        if self.subject != subject {
            (self.subject, self.place) = (subject, place());
        }
        self.kept.clear();
    }
}

/// Dice that several rolls of one declared key rolled for one subject at one time.
#[derive(Clone, Debug, Default)]
struct Shared {
    ordinal: u32,
    /// Number of dice rolled so far.
    dice: u32,
    /// The sites that rolled them.
    sites: Vec<SiteId>,
}

/// The last roll of a site: the origin of each die of the pool, and how often that die was rolled.
#[derive(Clone, Debug, Default)]
struct Last {
    ordinal: u32,
    /// Index of its first die.
    first: u32,
    dice: usize,
    origins: Vec<u32>,
    throws: Vec<u32>,
}

impl Last {
    /// Starts a first roll with a number of dice.
    #[inline(always)]
    fn begin(&mut self, ordinal: u32, dice: usize) {
        (self.ordinal, self.dice) = (ordinal, dice);
        self.origins.clear();
        self.throws.clear();
    }
}

impl Seeded {
    /// Creates the dice of a run of a seed.
    pub fn new(game: &Game, seed: u64, run: u64) -> Seeded {
        let subjects = 1 + game.layout.kinds.iter().map(|k| k.slots).max().unwrap_or(0);
        let sites = game.program.schema.sites.len() + game.program.functions.len();
        // a declared key can equal the default name of another roll
        let lasting = game.program.schema.sites.iter().enumerate().filter(|(_, site)| site.key.is_some());
        let keys: HashSet<u64> = lasting.map(|(n, _)| game.site_key(SiteId::from(n))).collect();
        let mut first: HashMap<u64, usize> = HashMap::new();
        let mut rolls = |n: usize| Rolls {
            rows: NO_ROWS,
            alike: *first.entry(game.site_key(SiteId::from(n))).or_insert(n),
            single: false,
            keyed: keys.contains(&game.site_key(SiteId::from(n))),
            last: Last::default(),
        };
        let mut all: Vec<Rolls> = (0..sites).map(&mut rolls).collect();
        for ask in &game.program.asks {
            if let AskKind::Roll { count: None, list: false, .. } = ask.kind {
                all[ask.site.at()].single = true;
            }
        }
        let stream = Stream::new(seed, run);
        Seeded { stream, run: 1, sites: all, rows: Vec::new(), subjects, shared: HashMap::new() }
    }

    /// Adds the rows of a key, and returns its first row.
    #[cold]
    #[inline(never)]
    fn add_rows(&mut self, site: SiteId) -> usize {
        let (first, alike) = (self.rows.len(), self.sites[site.at()].alike);
        let none = Site::new(0, 0, 0).place();
        let row = Row { run: 0, count: 0, subject: i64::MIN, place: none, kept: KeptBlock::default() };
        self.rows.resize(first + self.subjects, row);
        self.sites.iter_mut().filter(|rolls| rolls.alike == alike).for_each(|rolls| rolls.rows = first);
        first
    }

    /// Starts another run and discards the state of the last one.
    pub fn start(&mut self, seed: u64, run: u64) {
        self.stream = Stream::new(seed, run);
        self.run += 1;
        self.shared.clear();
    }

    /// Returns the row of a roll and its ordinal in this run, and increments the counter.
    #[inline(always)]
    fn count(&mut self, game: &Game, site: SiteId, subject: i64) -> (usize, u32) {
        let number = if subject < 0 { 0 } else { 1 + unpack_thing(subject).1 as usize };
        let number = number.min(self.subjects - 1);
        let mut at = self.sites[site.at()].rows + number;
        if at >= self.rows.len() {
            at = self.add_rows(site) + number;
        }
        let row = &mut self.rows[at];
        if row.run != self.run || row.subject != subject {
            row.begin(self.run, subject, || named(game, site, subject, 0).place());
        }
        let ordinal = row.count;
        row.count += 1;
        (at, ordinal)
    }

    fn site(&mut self, game: &Game, site: SiteId, subject: i64) -> Site {
        let (_, ordinal) = self.count(game, site, subject);
        named(game, site, subject, ordinal)
    }

    /// Returns a random number below `count` for a query. A repeated query gets another number.
    pub fn below(&mut self, game: &Game, site: SiteId, subject: i64, count: usize) -> usize {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let site = self.site(game, site, subject);
        self.stream.below(site, 0, 0, count) as usize
    }

    /// Rolls dice with a declared key. Dice that other rolls of the key rolled for the subject come before them, so a
    /// pool split in two rolls the same faces as the whole pool. A repeated roll starts the next time.
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
        self.sites[throw.site.at()].last = Last { ordinal, first, dice: throw.dice.len(), ..Last::default() };
        let site = named(game, throw.site, throw.subject, ordinal);
        for n in 0..throw.dice.len() {
            let die = throw.dice.die(n);
            faces.push(die.face(game, self.stream.die(site, first + n as u32, 0, die.sides(game))));
        }
    }

    /// Rolls dice again, or dice added by exploded dice. They are keyed by their original die.
    fn again(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) {
        let last = &mut self.sites[throw.site.at()].last;
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

/// Returns the key of a roll from its names.
fn named(game: &Game, site: SiteId, subject: i64, ordinal: u32) -> Site {
    Site::new(game.site_key(site), game.subject_key(subject), ordinal)
}

impl Dice for Seeded {
    #[inline(always)]
    fn single(&mut self, game: &Game, site: SiteId, subject: i64, die: Die) -> Option<i64> {
        let rolls = &self.sites[site.at()];
        if rolls.keyed || !rolls.single {
            return None;
        }
        let (at, ordinal) = self.count(game, site, subject);
        let row = &mut self.rows[at];
        let side = self.stream.single_at(row.place, ordinal, die.sides(game), &mut row.kept);
        self.sites[site.at()].last.begin(ordinal, 1);
        Some(die.face(game, side))
    }

    #[inline(always)]
    fn pool(&mut self, game: &Game, site: SiteId, subject: i64, (die, n): (Die, usize), faces: &mut Vec<i64>) -> bool {
        let rolls = &self.sites[site.at()];
        if rolls.keyed || rolls.single {
            return false;
        }
        let (row, ordinal) = self.count(game, site, subject);
        let Row { place, kept, .. } = &mut self.rows[row];
        let at = faces.len();
        self.stream.pool_at(*place, ordinal, die.sides(game), n, kept, faces);
        if let Die::Faces(_) = die {
            faces[at..].iter_mut().for_each(|side| *side = die.face(game, *side as u32));
        }
        self.sites[site.at()].last.begin(ordinal, n);
        true
    }

    #[inline]
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault> {
        if !throw.again.is_empty() {
            self.again(game, throw, faces);
            return Ok(Flow::Go);
        }
        if self.sites[throw.site.at()].keyed {
            self.shared(game, throw, faces);
            return Ok(Flow::Go);
        }
        match throw.dice {
            Thrown::Same(die, n) => match self.single(game, throw.site, throw.subject, die) {
                Some(face) => faces.push(face),
                None => {
                    self.pool(game, throw.site, throw.subject, (die, n), faces);
                }
            },
            Thrown::Each(dice) => {
                let (_, ordinal) = self.count(game, throw.site, throw.subject);
                self.sites[throw.site.at()].last.begin(ordinal, dice.len());
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
