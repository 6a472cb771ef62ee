//! Region summaries, a memo table: what comes of dice in a pure region, for all positions that enter it with the same live
//! registers.
//!
//! Code that looks at dice often reads nothing but them for a while: a salvo goes from hits to saves to losses before it
//! touches the table. Such a stretch (see [`crate::program::flow::Stretch`]) is run on a small position of its own that
//! holds only its inputs; all its ways are followed and merged, and where they come to is kept. Other positions with the
//! same inputs only take over what was found: the registers that were written and are still read, and the place.

use super::canon::{Alive, Canon, Place};
use super::driver::{Chance, Shared, Table, Wanted};
use super::lists::Lists;
use super::num::{Joint, Num};
use super::outer::Outer;
use super::paths::{Ground, Machine, Path, Stopped, Way};
use super::store::Store;
use crate::machine::{Frame, Handle, NoTrace, Run, State};
use crate::program::flow::{self, Holds};
use crate::program::{Pc, Reg};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// What a register holds on the small position if it is no input. No code of a stretch reads it.
const OLDER: i64 = i64::MIN + 9;
/// Most ways that are followed to work one stretch out.
const MOST_WAYS: usize = 1 << 14;
/// Most looks and throws behind one another.
const MOST_LOOKS: usize = 64;
/// So often a stretch is met before it is judged whether positions share it.
const TRIAL: u32 = 256;

/// Where a stretch may come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Exit {
    pc: Pc,
    /// Registers it wrote, or lists it looked at, with what they hold: lists as places in `heap`.
    regs: Vec<(Reg, i64, bool)>,
    heap: Vec<i64>,
}

impl Exit {
    /// Lets a position that stood where the stretch begins go on behind it.
    pub fn take(&self, state: &mut State) {
        state.pc = self.pc;
        let (base, from) = (state.base as usize, state.heap.len());
        state.heap.extend_from_slice(&self.heap);
        for (reg, cell, list) in &self.regs {
            let list = list.then(|| Handle::of(*cell)).filter(|list| list.len > 0);
            state.stack[base + *reg as usize] = list.map_or(*cell, |list| Handle { at: list.at + from, ..list }.cell());
        }
    }
}

/// Where a stretch comes to, and how much each way weighs.
pub struct Found {
    /// Exits by their numbers.
    pub list: Vec<(u32, Num)>,
    /// What all of them weigh.
    pub whole: Num,
}

/// What is known of a position at which a stretch begins or dice part inside it.
enum Known {
    /// It is being worked out.
    Open,
    /// It cannot be done so.
    Never,
    Done(Rc<Found>),
}

/// A stretch of the program.
struct Stretch {
    number: i64,
    inputs: Alive,
    kept: Vec<Reg>,
    stops: Vec<Pc>,
    /// The exploration that met it last; in it, how often, how often it was known, and whether it is not worth it.
    time: u32,
    met: u32,
    shared: u32,
    given_up: bool,
}

/// All stretches that were met.
#[derive(Default)]
pub struct Stretches {
    /// Whether dice are thrown by chance alone: then stretches go on through throws.
    pub rolls: bool,
    /// Most bytes of positions inside stretches.
    bytes: usize,
    /// Which exploration this is.
    time: u32,
    /// By place, and by whether stretches go on through throws.
    places: FxHashMap<(Place, bool), Option<Stretch>>,
    keys: Store,
    known: Vec<Known>,
    /// The exploration that asked for it last.
    asked: Vec<u32>,
    exits: Vec<Exit>,
    exit_keys: Store,
    key: Vec<u8>,
    small: State,
}

/// A stretch that is being worked out.
struct Inside<'s, 'd> {
    machine: Machine<'s, 'd>,
    number: i64,
    /// Its registers that stay as they are.
    kept: Vec<Reg>,
    /// How many ways were followed.
    ways: usize,
}

impl Stretches {
    /// Another exploration begins; positions inside stretches may take so many bytes. Whether a stretch is worth its
    /// table is judged in each exploration anew: what it finds must not depend on the ones before it.
    pub fn begin(&mut self, bytes: usize) {
        self.bytes = bytes;
        self.time += 1;
        if self.keys.size() > bytes / 4 {
            (self.keys, self.exit_keys) = Default::default();
            self.known.clear();
            self.asked.clear();
            self.exits.clear();
        }
    }

    /// An exit by its number.
    pub fn exit(&self, n: u32) -> &Exit {
        &self.exits[n as usize]
    }

    /// How often a stretch was met, and how often it was known already.
    pub fn uses(&self) -> (u32, u32) {
        let now = self.places.values().flatten().filter(|s| s.time == self.time);
        now.fold((0, 0), |(met, shared), s| (met + s.met, shared + s.shared))
    }

    /// What comes of a way that stands at a look; nothing if no stretch begins there.
    pub fn of(&mut self, ground: &mut Ground<'_, '_>, path: &Path) -> Option<Rc<Found>> {
        let canon = Rc::clone(&ground.canon);
        let place = canon.borrow_mut().innermost(&path.state, ground.root)?;
        let number = self.places.len() as i64;
        let found = self.places.entry((place, self.rolls)).or_insert_with(|| {
            let (stretch, inputs) = canon.borrow_mut().stretch(place, self.rolls)?;
            let flow::Stretch { kept, stops, .. } = stretch;
            Some(Stretch { number, inputs, kept, stops, time: 0, met: 0, shared: 0, given_up: false })
        });
        let stretch = found.as_mut()?;
        if stretch.time != self.time {
            (stretch.time, stretch.met, stretch.shared, stretch.given_up) = (self.time, 0, 0, false);
        }
        if stretch.given_up {
            return None;
        }
        stretch.met += 1;
        let alive = canon.borrow_mut().alive(place);
        small(&mut self.small, ground, &path.state, place, &alive, &stretch.inputs);
        write_key(&mut self.key, stretch.number, &alive, &self.small);
        let known = self.keys.find(&self.key);
        let again = known.is_some_and(|n| std::mem::replace(&mut self.asked[n as usize], self.time) == self.time);
        if again {
            stretch.shared += 1;
        } else if stretch.met > TRIAL && stretch.shared < stretch.met / 2 || self.keys.size() > self.bytes {
            stretch.given_up = true;
            return None;
        }
        let found = match known {
            Some(n) => {
                if let Known::Done(found) = &self.known[n as usize] {
                    Some(Rc::clone(found))
                } else {
                    None
                }
            }
            None => {
                let shared = RefCell::new(Shared::nobody(&ground.meter));
                let mut machine = Run::new(ground.game, Chance(&shared), Table(&shared), NoTrace);
                machine.stops.clone_from(&stretch.stops);
                let inside = Inside { machine, number: stretch.number, kept: stretch.kept.clone(), ways: 0 };
                self.work_out(ground, inside, place)
            }
        };
        if found.is_none()
            && let Some(Some(stretch)) = self.places.get_mut(&(place, self.rolls))
        {
            stretch.given_up = true;
        }
        found
    }

    /// Follows all ways of the small position to the ends of the stretch.
    fn work_out(&mut self, ground: &mut Ground<'_, '_>, mut inside: Inside<'_, '_>, place: Place) -> Option<Rc<Found>> {
        let outer = Outer { inside: true, ..Outer::default() };
        let state = std::mem::take(&mut self.small);
        let path = Box::new(Path::start(state, outer, vec![0; ground.outside.sums()], ground.width));
        let root = std::mem::replace(&mut ground.root, (place.1, place.2));
        // what is folded may lead over the end of the stretch
        let folds = std::mem::replace(&mut ground.folds, false);
        let found = self.follow(ground, &mut inside, path, None, 0);
        (ground.root, ground.folds) = (root, folds);
        found
    }

    /// What comes of a small position that stands at a look, or at a throw.
    fn follow(
        &mut self,
        ground: &mut Ground<'_, '_>,
        inside: &mut Inside<'_, '_>,
        mut path: Way,
        wanted: Option<Wanted>,
        depth: usize,
    ) -> Option<Rc<Found>> {
        {
            let canon = Rc::clone(&ground.canon);
            let alive = forget(&mut canon.borrow_mut(), ground.root, &mut path.state, &inside.kept)?;
            write_key(&mut self.key, inside.number, &alive, &path.state);
        }
        if let Some(known) = self.keys.find(&self.key) {
            return if let Known::Done(found) = &self.known[known as usize] { Some(Rc::clone(found)) } else { None };
        }
        let at = self.keys.add(&self.key) as usize;
        self.known.push(Known::Open);
        self.asked.push(self.time);
        let found = if depth < MOST_LOOKS { self.part(ground, inside, path, wanted, depth) } else { None };
        let found = found.map(Rc::new);
        self.known[at] = found.as_ref().map_or(Known::Never, |found| Known::Done(Rc::clone(found)));
        found
    }

    fn part(
        &mut self,
        ground: &mut Ground<'_, '_>,
        inside: &mut Inside<'_, '_>,
        mut path: Way,
        wanted: Option<Wanted>,
        depth: usize,
    ) -> Option<Found> {
        (path.weight, path.whole) = (Num::one(ground.width), Num::one(ground.width));
        let mut open = Vec::new();
        let parted = match wanted {
            Some(wanted) => ground.answer(&path, wanted, &mut open),
            None => ground.look(&path, &mut open),
        };
        ground.spare.push(path);
        inside.ways += open.len();
        if !parted.ok()? || inside.ways > MOST_WAYS {
            return None;
        }
        let mut joint = Joint::default();
        let mut list: Vec<(u32, u32, Num)> = Vec::with_capacity(open.len());
        for mut path in open {
            let stopped = ground.go(&mut inside.machine, &mut path).ok()?;
            let wanted = match stopped {
                Stopped::Border => {
                    let whole = joint.number(&path.whole);
                    list.push((self.leave(ground, inside, &mut path.state)?, whole, path.weight.clone()));
                    ground.spare.push(path);
                    continue;
                }
                Stopped::Looks => None,
                Stopped::Asks => Some(inside.machine.dice.0.borrow_mut().wanted.take()?),
                Stopped::Over | Stopped::Round | Stopped::Spent => return None,
            };
            let (weight, whole) = (path.weight.clone(), path.whole.clone());
            let found = self.follow(ground, inside, path, wanted, depth + 1)?;
            let whole = joint.number(&whole.mul(&found.whole));
            list.extend(found.list.iter().map(|(exit, share)| (*exit, whole, weight.mul(share))));
        }
        let (whole, factors) = joint.close(ground.width);
        list.sort_by_key(|(exit, ..)| *exit);
        let mut sums: Vec<(u32, Num)> = Vec::new();
        for (exit, of, weight) in list {
            let factor = factors.get(of as usize).filter(|factor| !factor.is_one());
            let weight = if let Some(factor) = factor { weight.mul(factor) } else { weight };
            match sums.last_mut() {
                Some((last, sum)) if *last == exit => sum.add(&weight),
                _ => sums.push((exit, weight)),
            }
        }
        Some(Found { list: sums, whole })
    }

    /// The exit at which a small position stands.
    fn leave(&mut self, ground: &Ground<'_, '_>, inside: &Inside<'_, '_>, state: &mut State) -> Option<u32> {
        let canon = Rc::clone(&ground.canon);
        let alive = forget(&mut canon.borrow_mut(), ground.root, state, &inside.kept)?;
        write_key(&mut self.key, -1, &alive, state);
        if let Some(known) = self.exit_keys.find(&self.key) {
            return Some(known);
        }
        let regs = alive.iter().map(|(reg, holds)| {
            let list = matches!(holds, Holds::Empty | Holds::Bag | Holds::From(_) | Holds::List(_));
            (*reg, state.stack[*reg as usize], list)
        });
        let regs = regs.filter(|(_, cell, _)| *cell != OLDER).collect();
        self.exits.push(Exit { pc: state.pc, regs, heap: state.heap.clone() });
        Some(self.exit_keys.add(&self.key))
    }
}

/// Dice that lie unseen are large numbers: here they are not worth writing short.
fn write_key(key: &mut Vec<u8>, number: i64, alive: &Alive, state: &State) {
    key.clear();
    let mut put = |n: i64| key.extend_from_slice(&n.to_le_bytes());
    put(number);
    put(i64::from(state.pc));
    for (reg, _) in alive {
        put(state.stack[*reg as usize]);
    }
    for cell in &state.heap {
        put(*cell);
    }
}

/// Forgets what nobody reads of a small position, and says what is left. A list that was looked at, and of which only the
/// number of entries is read behind the stretch, is told by the position outside.
fn forget(canon: &mut Canon<'_>, root: (u32, u32), state: &mut State, kept: &[Reg]) -> Option<Rc<Alive>> {
    let func = state.frames.first()?.func;
    let alive = canon.alive((func, root.0, root.1, state.pc));
    canon.clear_one(state, func, &alive);
    for (reg, _) in alive.iter().filter(|(reg, holds)| *holds == Holds::Counted && kept.contains(reg)) {
        state.stack[*reg as usize] = OLDER;
    }
    Some(alive)
}

/// Makes the small position: one function, and of its registers only the inputs.
fn small(small: &mut State, ground: &Ground<'_, '_>, state: &State, place: Place, alive: &Alive, inputs: &Alive) {
    let (func, .., pc) = place;
    small.pc = pc;
    small.frames.clear();
    small.frames.push(Frame { func, back: 0, base: u32::MAX, dst: 0, heap: 0 });
    small.stack.clear();
    small.stack.resize(ground.game.program.funcs[func.at()].frame as usize, 0);
    for (reg, _) in alive {
        small.stack[*reg as usize] = OLDER;
    }
    let mut lists = Lists::default();
    let cell = |reg: Reg| state.stack.get(state.base as usize + reg as usize).copied().unwrap_or(0);
    for (reg, holds) in inputs {
        small.stack[*reg as usize] = lists.keep(cell(*reg), *holds, state, state.base as usize);
    }
    lists.hand_over(ground.game, &mut small.heap);
}
