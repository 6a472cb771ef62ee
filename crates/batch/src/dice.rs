//! Dice of a block: the address of a roll in each lane, and its faces.

use super::cells::{LIMIT, Row, SOME, change_both, decode, each, each_of_two, encode, fold, lanes};
use super::{Block, LANES, LIST_ROWS};
use grognard_base::value::dice::bulk::{KeptWords, LaneThrow, LaneWords, Sides};
use grognard_base::value::dice::{MOST_DICE, RollKey, Site};
use grognard_base::value::*;
use grognard_program::{Ask, AskKind, DiceSort, Reg};
use grognard_vm::{Die, Game};
use std::collections::{HashMap, HashSet};

/// Maximum number of dice of one roll.
const MOST: i32 = MOST_DICE as i32;

/// The number of rolls at each site in each lane.
pub(super) struct Sites {
    /// For each site, the first slot of its key. Sites with the same key share their counts.
    slots: Vec<usize>,
    /// Number of subjects with separate counts at each site.
    subjects: usize,
    /// For each site, whether its dice have a lasting key.
    keyed: Vec<bool>,
    /// For each slot and subject, the row of its counts, from 1; 0 without a row.
    rows: Vec<u32>,
    /// Slots with a row.
    used: Vec<usize>,
    counts: Vec<Box<(LaneWords, KeptWords)>>,
    /// Words for subjects that differ between lanes; their contents are not kept.
    spare: Box<KeptWords>,
    /// For each slot and subject, the last subject that rolled there, with its place.
    places: Vec<(i64, RollKey)>,
    /// The number of sides in each lane.
    sides: Sides,
}

impl Sites {
    pub fn new(game: &Game) -> Sites {
        let subjects = 1 + game.layout.kinds.iter().map(|k| k.slots).max().unwrap_or(0);
        let sites = &game.program.schema.sites;
        let lasting = sites.iter().enumerate().filter(|(_, site)| site.key.is_some());
        let keys: HashSet<u64> = lasting.map(|(n, _)| game.site_key(SiteId::from(n))).collect();
        let mut first: HashMap<u64, usize> = HashMap::new();
        let slot = |n: usize| *first.entry(game.site_key(SiteId::from(n))).or_insert(n) * subjects;
        Sites {
            slots: (0..sites.len()).map(slot).collect(),
            subjects,
            keyed: (0..sites.len()).map(|n| keys.contains(&game.site_key(SiteId::from(n)))).collect(),
            rows: vec![0; sites.len() * subjects],
            used: Vec::new(),
            counts: Vec::new(),
            spare: Box::default(),
            places: vec![(i64::MIN, Site::new(0, 0, 0).place()); sites.len() * subjects],
            sides: Sides::default(),
        }
    }

    pub fn start(&mut self) {
        self.used.drain(..).for_each(|slot| self.rows[slot] = 0);
    }

    /// Returns the row of the counts and the place of a roll for a subject.
    fn find(&mut self, game: &Game, site: SiteId, subject: i64) -> (usize, RollKey) {
        let number = if subject < 0 { 0 } else { 1 + unpack_thing(subject).1 as usize };
        let slot = self.slots[site.at()] + number.min(self.subjects - 1);
        if self.rows[slot] == 0 {
            self.used.push(slot);
            let row = self.used.len();
            match self.counts.get_mut(row - 1) {
                Some(row) => {
                    row.0.fill(0);
                    row.1.clear();
                }
                None => self.counts.push(Box::new(([0; LANES], KeptWords::default()))),
            }
            self.rows[slot] = row as u32;
        }
        if self.places[slot].0 != subject {
            let place = Site::new(game.site_key(site), game.subject_key(subject), 0).place();
            self.places[slot] = (subject, place);
        }
        (self.rows[slot] as usize - 1, self.places[slot].1)
    }
}

/// Returns the die for a number, or `None` if the machine must handle it.
fn die_of(game: &Game, sort: DiceSort, value: i64) -> Option<Die> {
    Some(match sort {
        DiceSort::Chain(id) | DiceSort::Shifted(id) => {
            let dice = &game.program.schema.chains[id.at()].dice;
            Die::Sides(dice[value.clamp(0, dice.len() as i64 - 1) as usize])
        }
        DiceSort::Faces(id) => Die::Faces(id),
        DiceSort::Sides if value < 0 => Die::Faces(DieId((-1 - value) as u32)),
        DiceSort::Sides if (1..=1_000_000).contains(&value) => Die::Sides(value as u32),
        DiceSort::Sides => return None,
    })
}

impl Block<'_> {
    /// Rolls the dice of a question.
    #[inline(always)]
    pub(super) fn roll(&mut self, ask: &Ask) {
        let AskKind::Roll { dst, count, dice, fixed, sort, list: false, sum } = ask.kind else {
            return self.leave();
        };
        if self.sites.keyed[ask.site.at()] {
            return self.leave();
        }
        let die = match fixed.map(Some).unwrap_or_else(|| self.same(dice).map(decode)) {
            Some(value) => die_of(self.game, sort, value),
            None => None,
        };
        match die {
            Some(die) => self.sites.sides.fill(die.sides(self.game)),
            None if fixed.is_none() => self.unlike_sides(dice, sort),
            None => return self.leave(),
        }
        let most = self.how_many(count);
        if self.count == 0 {
            return;
        }
        if most == 1 && count.is_none() && !matches!(die, Some(Die::Faces(_))) {
            self.throw_single(ask);
            self.out.0 = self.faces.rows[0];
            return self.put(self.base + dst as usize);
        }
        if count.is_none() {
            each(&mut self.lens, &self.mask, |mask| 1 & mask);
        }
        let Some(at) = self.room(most) else { return self.leave() };
        if count.is_none() {
            self.throw_single(ask);
            take_over(&mut self.heap[at], &self.faces.rows[0], &self.mask, self.waiting == 0);
        } else {
            self.throw_pool(ask, at, most);
        }
        if let Some(Die::Faces(id)) = die {
            self.declared_faces(id, at, most);
        }
        if count.is_some() && !sum {
            self.give_list(self.base + dst as usize, at);
        } else {
            self.add_up(at, most);
            self.leave_marked();
            self.put(self.base + dst as usize);
        }
    }

    /// Sets the number of sides for each lane. Lanes with a declared die or an invalid number leave.
    #[cold]
    fn unlike_sides(&mut self, dice: Reg, sort: DiceSort) {
        self.taken.0.fill(0);
        for lane in 0..LANES {
            let cell = self.regs[self.base + dice as usize].0[lane];
            match die_of(self.game, sort, decode(cell)) {
                _ if self.mask.0[lane] == 0 => self.sites.sides.set(lane, 1),
                Some(Die::Sides(sides)) => self.sites.sides.set(lane, sides),
                Some(Die::Faces(_)) | None => self.taken.0[lane] = -1,
            }
        }
        self.leave_marked();
    }

    /// Sets the number of dice of each lane, and returns the maximum. Lanes with an invalid number leave.
    #[inline(always)]
    fn how_many(&mut self, count: Option<Reg>) -> usize {
        let Some(reg) = count else { return 1 };
        if let Some(count @ 0..=MOST) = self.known(reg) {
            each(&mut self.lens, &self.mask, |mask| count & mask);
            return count as usize;
        }
        let row = &self.regs[self.base + reg as usize];
        each(&mut self.taken, row, |count| count | MOST.wrapping_sub(count));
        self.leave_marked();
        let row = &self.regs[self.base + reg as usize];
        each_of_two(&mut self.lens, row, &self.mask, |count, mask| count & mask);
        fold(&self.lens, &self.lens, 0, |most, len, _| most.max(len)) as usize
    }

    /// Allocates rows above the highest row that any lane of the group uses, and returns the first. Returns `None` if there are
    /// too many.
    #[inline(always)]
    pub(super) fn room(&mut self, rows: usize) -> Option<usize> {
        let top = fold(&self.tops, &self.mask, 0, |most, top, mask| most.max(top & mask));
        let need = top as usize + rows;
        if need > LIST_ROWS {
            return None;
        }
        while self.heap.len() < need {
            self.heap.push(Box::new(Row::all(0)));
        }
        Some(top as usize)
    }

    /// Counts the roll. If the subject is the same in every lane, returns the place and the row of its kept words; otherwise the
    /// counters hold the places.
    #[inline(always)]
    fn place_roll(&mut self, ask: &Ask) -> Option<(RollKey, usize)> {
        let Some(subject) = self.same(ask.who.subject).map(decode) else {
            self.place_unlike(ask);
            return None;
        };
        let (row, place) = self.sites.find(self.game, ask.site, subject);
        count_up(&mut self.counters.ordinal, &mut self.sites.counts[row].0, &self.mask);
        Some((place, row))
    }

    #[cold]
    fn place_unlike(&mut self, ask: &Ask) {
        self.sites.spare.clear();
        for lane in 0..LANES {
            if self.mask.0[lane] != 0 {
                let subject = decode(self.regs[self.base + ask.who.subject as usize].0[lane]);
                let (row, place) = self.sites.find(self.game, ask.site, subject);
                self.streams.place(lane, place, &mut self.counters);
                let count = &mut self.sites.counts[row].0[lane];
                self.counters.ordinal[lane] = *count;
                *count += 1;
            }
        }
    }

    /// Rolls one die in each lane.
    #[inline(always)]
    fn throw_single(&mut self, ask: &Ask) {
        let place = self.place_roll(ask);
        let Sites { counts, spare, sides, .. } = &mut self.sites;
        let (place, kept) = place.map_or((None, &mut **spare), |(place, row)| (Some(place), &mut counts[row].1));
        let throw = LaneThrow { place, sides, mask: &self.mask.0 };
        if self.streams.single(&mut self.counters, &throw, kept, &mut self.faces) {
            self.throw_again(ask, 1, None);
        }
    }

    /// Rolls pools of at most `most` dice into the rows from `at` on.
    #[inline(always)]
    fn throw_pool(&mut self, ask: &Ask, at: usize, most: usize) {
        let found = self.place_roll(ask);
        let Sites { counts, spare, sides, .. } = &mut self.sites;
        let (place, kept) = found.map_or((None, &mut **spare), |(place, row)| (Some(place), &mut counts[row].1));
        let throw = LaneThrow { place, sides, mask: &self.mask.0 };
        if self.streams.first(&mut self.counters, &throw, most, kept, &mut self.faces) {
            self.throw_again(ask, most.min(4), Some(0));
        }
        self.take_faces(at, most.min(4));
        if most <= 4 {
            return;
        }
        if let Some(place) = place {
            self.streams.places(place, &mut self.counters);
        }
        let (mut thrown, mut block) = (4, 1);
        while thrown < most {
            let left = most - thrown;
            let (blocks, unfair) =
                self.streams.further(&self.counters, block, &self.sites.sides, left, &mut self.faces);
            let now = left.min(8 * blocks as usize);
            if unfair {
                self.throw_again(ask, now, Some(thrown as u32));
            }
            self.take_faces(at + thrown, now);
            (thrown, block) = (thrown + now, block + blocks);
        }
    }

    /// Copies faces into rows of the heap.
    #[inline(always)]
    fn take_faces(&mut self, at: usize, dice: usize) {
        for (row, faces) in self.heap[at..at + dice].iter_mut().zip(&self.faces.rows) {
            take_over(row, faces, &self.mask, self.waiting == 0);
        }
    }

    /// Rolls dice again in lanes where a random word was rejected as biased: those from an index on, or the die of a single roll.
    #[cold]
    fn throw_again(&mut self, ask: &Ask, dice: usize, first: Option<u32>) {
        for lane in lanes(&self.mask) {
            if self.faces.unfair[lane] == 0 {
                continue;
            }
            let subject = decode(self.regs[self.base + ask.who.subject as usize].0[lane]);
            let (_, place) = self.sites.find(self.game, ask.site, subject);
            let (ordinal, sides) = (self.counters.ordinal[lane], self.sites.sides.of(lane));
            for (n, faces) in (0u32..).zip(&mut self.faces.rows[..dice]) {
                let index = first.map(|first| first + n);
                faces[lane] = self.streams.fair(lane, place, ordinal, index, sides) as i32;
            }
        }
    }

    /// Replaces the sides of a declared die by its faces.
    #[cold]
    fn declared_faces(&mut self, die: DieId, at: usize, most: usize) {
        self.taken.0.fill(0);
        for row in &mut self.heap[at..at + most] {
            for lane in 0..LANES {
                if self.mask.0[lane] != 0 {
                    match encode(Die::Faces(die).face(self.game, row.0[lane] as u32)) {
                        Some(face) => row.0[lane] = face,
                        None => self.taken.0[lane] = -1,
                    }
                }
            }
        }
        self.leave_marked();
    }

    /// Writes the rolled dice into a register as a list.
    #[inline(always)]
    pub(super) fn give_list(&mut self, reg: usize, at: usize) {
        let row = at as i32;
        both_of_list(&mut self.out, &mut self.tops, &self.lens, row);
        self.put(reg);
    }

    /// Sums the entries of each lane. Sums out of range are marked.
    #[inline(always)]
    pub(super) fn add_up(&mut self, at: usize, most: usize) {
        add_up(&mut self.out, &mut self.taken, &self.heap[at..at + most], &self.lens);
    }
}

/// Sums the entries of rows, with negative marks for sums out of range.
#[inline(always)]
fn add_up(out: &mut Row, marks: &mut Row, rows: &[Box<Row>], lens: &Row) {
    // A few lanes at a time, so that their sums stay in registers.
    for from in (0..LANES).step_by(SOME) {
        let (mut sum, mut mark, mut len) = ([0; SOME], [0; SOME], [0; SOME]);
        len.copy_from_slice(&lens.0[from..from + SOME]);
        for (n, row) in (0..).zip(rows) {
            let row = &row.0[from..from + SOME];
            for lane in 0..SOME {
                sum[lane] = i32::wrapping_add(sum[lane], row[lane] & -i32::from(n < len[lane]));
                mark[lane] |= i32::wrapping_add(sum[lane], LIMIT);
            }
        }
        out.0[from..from + SOME].copy_from_slice(&sum);
        marks.0[from..from + SOME].copy_from_slice(&mark);
    }
}

/// Copies faces into a row, in the lanes of a mask or in all lanes.
#[inline(always)]
fn take_over(row: &mut Row, faces: &[i32; LANES], mask: &Row, all: bool) {
    if all {
        row.0 = *faces;
        return;
    }
    for n in 0..LANES {
        row.0[n] = (faces[n] & mask.0[n]) | (row.0[n] & !mask.0[n]);
    }
}

/// Creates lists that begin in row `at`, and advances the heap tops.
#[inline(always)]
fn both_of_list(out: &mut Row, tops: &mut Row, lens: &Row, at: i32) {
    change_both(
        out,
        tops,
        lens,
        lens,
        |_, top, len, _| if len == 0 { (0, top) } else { (at << 16 | len, at.wrapping_add(len)) },
    );
}

/// Increments the counts in the lanes of a mask, and returns the old counts in `before`.
#[inline(always)]
fn count_up(before: &mut LaneWords, counts: &mut LaneWords, mask: &Row) {
    for n in 0..LANES {
        before[n] = counts[n];
        counts[n] = counts[n].wrapping_sub(mask.0[n] as u32);
    }
}
