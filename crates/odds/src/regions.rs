//! Region summaries, a memo table: the weighted results of dice in a pure region, shared by all states that enter it with the
//! same live registers. A region begins at a demand for dice or at a roll.
//!
//! Code often reads only dice for many instructions: a salvo computes hits, saves and losses before it changes the
//! state. Such a region (see [`grognard_program::flow::Region`]) runs on a reduced state that holds only its inputs
//! and the settings.
//! All its branches are followed and merged, and the exits are stored. Other states with the same inputs only copy an
//! exit: its program counter, and the live registers that the region wrote.

use super::branch::{BoxedBranch, Branch};
use super::branches::{Machine, Splitter, Stopped};
use super::canonical::Canonical;
use super::driver::{Chance, Shared, Table, Wanted};
use super::interner::Interner;
use super::lists::Lists;
use super::num::{Joint, Num};
use super::open::Open;
use super::outer::Outer;
use fixedbitset::FixedBitSet;
use grognard_base::Meter;
use grognard_program::flow::{self, Holds, LiveSet, Place};
use grognard_program::{Pc, Reg};
use grognard_vm::{Frame, Handle, NoTrace, Run, State, is_unseen};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The content of a register of the reduced state that is not an input. No code of a region reads it.
const OLDER: i64 = i64::MIN + 9;
/// Maximum number of branches of one region.
const MOST_BRANCHES: usize = 1 << 14;
/// Maximum number of nested demands and rolls.
const MOST_LOOKS: usize = 64;
/// Number of uses of a region before the check whether states share it.
const TRIAL: u32 = 256;

/// An exit of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Exit {
    pc: Pc,
    /// Registers that the region wrote, or lists of which it sampled dice, with their contents. For a list the cell is a handle into
    /// `heap`.
    regs: Vec<(Reg, i64, bool)>,
    heap: Vec<i64>,
}

impl Exit {
    /// Moves a state from the beginning of the region to this exit.
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

/// The exits of a region with their weights.
pub struct Summary {
    /// The numbers of the exits, with their weights.
    pub list: Vec<(u32, Num)>,
    /// The sum of the weights.
    pub whole: Num,
    /// The work of its own branches, for [`Meter::words`].
    cost: u64,
    /// The numbers of the summaries that its branches continue with.
    parts: Vec<u32>,
}

/// The result for a reduced state at the beginning of a region, or at a demand inside it.
enum SummaryState {
    /// The computation is under way.
    Open,
    /// The state cannot be summarized.
    Never,
    Done(Rc<Summary>),
}

/// A region of the program.
struct MetRegion {
    number: i64,
    inputs: LiveSet,
    kept: Vec<Reg>,
    stops: FixedBitSet,
    /// The last exploration that used it; in that exploration its uses, its cache hits, and whether it is given up.
    time: u32,
    met: u32,
    shared: u32,
    given_up: bool,
}

/// All regions that states reached.
#[derive(Default)]
pub struct Regions {
    /// Whether no roll is fixed, so that regions extend over rolls.
    pub rolls: bool,
    /// Maximum size of the reduced states, in bytes.
    bytes: usize,
    /// The number of the current exploration.
    time: u32,
    /// Regions by program point, and by whether they extend over rolls.
    places: FxHashMap<(Place, bool), Option<MetRegion>>,
    keys: Interner,
    known: Vec<SummaryState>,
    /// The last exploration that used each entry.
    asked: Vec<u32>,
    /// The last exploration that was charged for the work of each entry.
    charged: Vec<u32>,
    exits: Vec<Exit>,
    exit_keys: Interner,
    key: Vec<u8>,
    small: State,
    lists: Lists,
}

/// Maximum number of recent exits that are found without a canonical form.
const MOST_RECENT: usize = 16;

/// The computation of one region.
struct RegionInputs<'s, 'd> {
    machine: Machine<'s, 'd>,
    number: i64,
    /// The registers that keep the value from outside.
    kept: Vec<Reg>,
    /// Number of branches so far.
    ways: usize,
    /// The live registers at the exits so far.
    ends: Vec<(Pc, Arc<LiveSet>)>,
    /// Recent exits: the program counter with the contents of the live registers, and the number.
    recent: Vec<(Vec<i64>, u32)>,
    row: Vec<i64>,
}

impl RegionInputs<'_, '_> {
    /// Returns the live registers at an exit of the region.
    fn live(&mut self, splitter: &Splitter<'_, '_>, state: &State) -> Option<Arc<LiveSet>> {
        if let Some((_, live)) = self.ends.iter().find(|(pc, _)| *pc == state.pc) {
            return Some(Arc::clone(live));
        }
        let (func, root) = (state.frames.first()?.func, splitter.root);
        let live = splitter.canonical.borrow_mut().live((func, root.0, root.1, state.pc));
        self.ends.push((state.pc, Arc::clone(&live)));
        Some(live)
    }

    /// Writes the contents of the live registers into the row: states with equal rows have the same exit. Returns `false` if
    /// there are unsampled dice, which several lists can share.
    fn tell(&mut self, live: &LiveSet, state: &State) -> bool {
        let row = &mut self.row;
        row.clear();
        row.push(i64::from(state.pc));
        for (reg, holds) in live {
            let cell = state.stack[*reg as usize];
            match holds {
                Holds::Plain => row.push(cell),
                Holds::Mark => {}
                Holds::Counted if self.kept.contains(reg) => {}
                // A cell that is not a list is distinguished from an empty list.
                Holds::Counted => row.push(if cell > 0 { Handle::of(cell).len as i64 } else { cell }),
                Holds::Empty | Holds::Bag | Holds::From(_) => row.extend(entries(state, cell, 1)),
                Holds::List(width) => row.extend(entries(state, cell, usize::from(*width))),
            }
        }
        !row.iter().any(|cell| is_unseen(*cell))
    }
}

/// Returns the length and the cells of a list. A handle beyond the heap is left over from another value, and counts as empty.
fn entries(state: &State, cell: i64, width: usize) -> impl Iterator<Item = i64> {
    let list = Handle::of(cell);
    let cells = state.heap.get(list.at..list.at + list.len * width);
    let head = match cells {
        Some(_) if list.len > 0 => list.len as i64,
        Some(_) => cell,
        None => 0,
    };
    std::iter::once(head).chain(cells.unwrap_or_default().iter().copied())
}

impl Regions {
    /// Begins another exploration with a limit for reduced states, in bytes. Each exploration decides again which regions to give
    /// up, so that its results do not depend on earlier ones.
    pub fn begin(&mut self, bytes: usize) {
        self.bytes = bytes;
        self.time += 1;
        if self.keys.size() > bytes / 4 {
            (self.keys, self.exit_keys) = Default::default();
            self.known.clear();
            self.asked.clear();
            self.charged.clear();
            self.exits.clear();
        }
    }

    /// Returns the number of uses of regions in this exploration, and of cache hits.
    pub fn uses(&self) -> (u32, u32) {
        let now = self.places.values().flatten().filter(|s| s.time == self.time);
        now.fold((0, 0), |(met, shared), s| (met + s.met, shared + s.shared))
    }

    /// Splits a branch by the exits of the region that begins at its demand or at the roll that it waits for. Returns `None` if no
    /// region can be used there, and `Some(false)` if memory is short.
    pub fn split(
        &mut self,
        splitter: &mut Splitter<'_, '_>,
        branch: &mut BoxedBranch,
        wanted: Option<&Wanted>,
        open: &mut Open,
    ) -> Option<bool> {
        if wanted.is_some_and(|wanted| !self.rolls || !matches!(wanted, Wanted::Dice { .. })) {
            return None;
        }
        let found = self.of(splitter, branch, wanted)?;
        Some(splitter.split(branch, found.list.iter().cloned(), &found.whole, open, |branch, n| {
            branch.fresh = false;
            self.exits[n as usize].take(&mut branch.state);
        }))
    }

    /// Returns the summary of the region that begins at the demand or the roll of a branch, or `None` if no region can be used
    /// there.
    fn of(&mut self, splitter: &mut Splitter<'_, '_>, branch: &Branch, wanted: Option<&Wanted>) -> Option<Rc<Summary>> {
        let canonical = Rc::clone(&splitter.canonical);
        let place = canonical.borrow_mut().innermost(&branch.state, splitter.root)?;
        let number = self.places.len() as i64;
        let found = self.places.entry((place, self.rolls)).or_insert_with(|| {
            let (region, inputs) = canonical.borrow_mut().region(place, self.rolls)?;
            let flow::Region { kept, stops, .. } = region;
            let stops = stops.iter().map(|pc| *pc as usize).collect();
            Some(MetRegion { number, inputs, kept, stops, time: 0, met: 0, shared: 0, given_up: false })
        });
        let region = found.as_mut()?;
        if region.time != self.time {
            (region.time, region.met, region.shared, region.given_up) = (self.time, 0, 0, false);
        }
        if region.given_up {
            return None;
        }
        region.met += 1;
        let live = canonical.borrow_mut().live(place);
        small(&mut self.small, &mut self.lists, splitter, &branch.state, place, (&live, &region.inputs));
        write_key(&mut self.key, region.number, &live, &self.small);
        let known = self.keys.find(&self.key);
        let again = known.is_some_and(|n| std::mem::replace(&mut self.asked[n as usize], self.time) == self.time);
        if again {
            region.shared += 1;
        } else if region.met > TRIAL && region.shared < region.met / 2 || self.keys.size() > self.bytes {
            region.given_up = true;
            return None;
        }
        let found = match known {
            Some(n) => self.done(n),
            None => {
                let shared = RefCell::new(Shared::nobody(&splitter.meter));
                let mut machine = Run::new(splitter.game, Chance(&shared), Table(&shared), NoTrace);
                machine.stops.clone_from(&region.stops);
                let inside = RegionInputs {
                    machine,
                    number: region.number,
                    kept: region.kept.clone(),
                    ways: 0,
                    ends: Vec::new(),
                    recent: Vec::new(),
                    row: Vec::new(),
                };
                self.work_out(splitter, inside, place, wanted.cloned())
            }
        };
        match &found {
            Some((n, _)) => self.charge(&splitter.meter, *n),
            None => {
                if let Some(Some(region)) = self.places.get_mut(&(place, self.rolls)) {
                    region.given_up = true;
                }
            }
        }
        found.map(|(_, found)| found)
    }

    /// Returns a summary with its number if it is complete.
    fn done(&self, n: u32) -> Option<(u32, Rc<Summary>)> {
        if let SummaryState::Done(found) = &self.known[n as usize] { Some((n, Rc::clone(found))) } else { None }
    }

    /// Charges the work of a summary and of its parts, once in each exploration: the cost of an answer does not depend on what
    /// earlier explorations cached.
    fn charge(&mut self, meter: &Meter, first: u32) {
        let mut open: SmallVec<[u32; 4]> = smallvec![first];
        while let Some(n) = open.pop() {
            if std::mem::replace(&mut self.charged[n as usize], self.time) != self.time
                && let Some((_, found)) = self.done(n)
            {
                meter.words(found.cost);
                open.extend_from_slice(&found.parts);
            }
        }
    }

    /// Follows all branches of the reduced state to the exits of the region.
    fn work_out(
        &mut self,
        splitter: &mut Splitter<'_, '_>,
        mut inside: RegionInputs<'_, '_>,
        place: Place,
        wanted: Option<Wanted>,
    ) -> Option<(u32, Rc<Summary>)> {
        let outer = Outer { inside: true, ..Outer::default() };
        let state = std::mem::take(&mut self.small);
        let branch = Box::new(Branch::start(state, outer, vec![0; splitter.outside.sums()], splitter.width));
        let root = std::mem::replace(&mut splitter.root, (place.1, place.2));
        // A fold must not skip over an exit of the region.
        let stops = std::mem::replace(&mut splitter.stops, inside.machine.stops.clone());
        let found = self.follow(splitter, &mut inside, branch, wanted, 0);
        (splitter.root, splitter.stops) = (root, stops);
        found
    }

    /// Returns the summary of a reduced state at a demand or a roll.
    fn follow(
        &mut self,
        splitter: &mut Splitter<'_, '_>,
        inside: &mut RegionInputs<'_, '_>,
        mut branch: BoxedBranch,
        wanted: Option<Wanted>,
        depth: usize,
    ) -> Option<(u32, Rc<Summary>)> {
        {
            let canonical = Rc::clone(&splitter.canonical);
            let live = forget(&mut canonical.borrow_mut(), splitter.root, &mut branch.state, &inside.kept)?;
            write_key(&mut self.key, inside.number, &live, &branch.state);
        }
        if let Some(known) = self.keys.find(&self.key) {
            return self.done(known);
        }
        let at = self.keys.add(&self.key);
        self.known.push(SummaryState::Open);
        self.asked.push(self.time);
        self.charged.push(0);
        let found = if depth < MOST_LOOKS { self.part(splitter, inside, branch, wanted, depth) } else { None };
        let found = found.map(Rc::new);
        self.known[at as usize] =
            found.as_ref().map_or(SummaryState::Never, |found| SummaryState::Done(Rc::clone(found)));
        found.map(|found| (at, found))
    }

    fn part(
        &mut self,
        splitter: &mut Splitter<'_, '_>,
        inside: &mut RegionInputs<'_, '_>,
        mut branch: BoxedBranch,
        wanted: Option<Wanted>,
        depth: usize,
    ) -> Option<Summary> {
        (branch.weight, branch.whole) = (Num::one(splitter.width), Num::one(splitter.width));
        let mut open = Open::default();
        let parted = match wanted {
            Some(wanted) => splitter.answer(&mut branch, wanted, &mut open),
            None => splitter.look(&mut branch, &mut open),
        };
        splitter.spare.push(branch);
        inside.ways += open.len();
        if !parted.ok()? || inside.ways > MOST_BRANCHES {
            return None;
        }
        let mut joint = Joint::default();
        let mut list: Vec<(u32, u32, Num)> = Vec::with_capacity(open.len());
        let (mut before, mut cost, mut parts) = (None, 0, Vec::new());
        while let Some(mut branch) = open.pop_over(before.take(), &mut splitter.spare) {
            cost += branch.work();
            let stopped = splitter.go(&mut inside.machine, &mut branch, 0).ok()?;
            let wanted = match stopped {
                Stopped::Border => {
                    let whole = joint.number(&branch.whole);
                    list.push((self.leave(splitter, inside, &mut branch.state)?, whole, branch.weight.clone()));
                    before = Some(branch);
                    continue;
                }
                Stopped::Looks => None,
                Stopped::Asks => Some(inside.machine.drivers.dice.0.borrow_mut().wanted.take()?),
                Stopped::Over | Stopped::Round | Stopped::Spent => return None,
            };
            let (weight, whole) = (branch.weight.clone(), branch.whole.clone());
            let (part, found) = self.follow(splitter, inside, branch, wanted, depth + 1)?;
            parts.push(part);
            let whole = joint.number(&whole.mul(&found.whole));
            list.extend(found.list.iter().map(|(exit, share)| (*exit, whole, weight.mul(share))));
        }
        let (whole, factors) = joint.close(splitter.width);
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
        parts.sort_unstable();
        parts.dedup();
        Some(Summary { list: sums, whole, cost, parts })
    }

    /// Returns the number of the exit of a reduced state.
    fn leave(
        &mut self,
        splitter: &Splitter<'_, '_>,
        inside: &mut RegionInputs<'_, '_>,
        state: &mut State,
    ) -> Option<u32> {
        let live = inside.live(splitter, state)?;
        let entries = inside.tell(&live, state);
        if entries && let Some((_, known)) = inside.recent.iter().find(|(row, _)| *row == inside.row) {
            return Some(*known);
        }
        let exit = self.exit_of(splitter, inside, state)?;
        if entries {
            inside.recent.truncate(MOST_RECENT - 1);
            inside.recent.insert(0, (std::mem::take(&mut inside.row), exit));
        }
        Some(exit)
    }

    /// Returns the number of the exit by its canonical form.
    fn exit_of(
        &mut self,
        splitter: &Splitter<'_, '_>,
        inside: &RegionInputs<'_, '_>,
        state: &mut State,
    ) -> Option<u32> {
        let canonical = Rc::clone(&splitter.canonical);
        let live = forget(&mut canonical.borrow_mut(), splitter.root, state, &inside.kept)?;
        write_key(&mut self.key, -1, &live, state);
        if let Some(known) = self.exit_keys.find(&self.key) {
            return Some(known);
        }
        let regs = live.iter().map(|(reg, holds)| {
            let list = matches!(holds, Holds::Empty | Holds::Bag | Holds::From(_) | Holds::List(_));
            (*reg, state.stack[*reg as usize], list)
        });
        let regs = regs.filter(|(_, cell, _)| *cell != OLDER).collect();
        self.exits.push(Exit { pc: state.pc, regs, heap: state.heap.clone() });
        Some(self.exit_keys.add(&self.key))
    }
}

/// Writes the key of a reduced state in fixed-width cells: unsampled dice are large numbers that do not compress.
fn write_key(key: &mut Vec<u8>, number: i64, live: &LiveSet, state: &State) {
    key.clear();
    let mut put = |n: i64| key.extend_from_slice(&n.to_le_bytes());
    put(number);
    put(i64::from(state.pc));
    for (reg, _) in live {
        put(state.stack[*reg as usize]);
    }
    for cell in &state.heap {
        put(*cell);
    }
}

/// Clears the reduced state and returns its live registers. A list of which only the length is read after the region keeps the
/// value from outside.
fn forget(canonical: &mut Canonical<'_>, root: (u32, u32), state: &mut State, kept: &[Reg]) -> Option<Arc<LiveSet>> {
    let func = state.frames.first()?.func;
    let live = canonical.live((func, root.0, root.1, state.pc));
    canonical.clear_one(state, func, &live);
    for (reg, _) in live.iter().filter(|(reg, holds)| *holds == Holds::Counted && kept.contains(reg)) {
        state.stack[*reg as usize] = OLDER;
    }
    Some(live)
}

/// Builds the reduced state: one function, with only the inputs among its registers.
fn small(
    small: &mut State,
    lists: &mut Lists,
    splitter: &Splitter<'_, '_>,
    state: &State,
    place: Place,
    (live, inputs): (&LiveSet, &LiveSet),
) {
    let (func, .., pc) = place;
    small.pc = pc;
    // The settings of a game never change, so the key omits them.
    small.cells.clear();
    small.cells.extend_from_slice(splitter.game.settings());
    small.frames.clear();
    small.frames.push(Frame { func, back: 0, base: u32::MAX, dst: 0, heap: 0 });
    small.stack.clear();
    small.stack.resize(splitter.game.program.funcs[func.at()].frame as usize, 0);
    for (reg, _) in live {
        small.stack[*reg as usize] = OLDER;
    }
    lists.clear();
    let cell = |reg: Reg| state.stack.get(state.base as usize + reg as usize).copied().unwrap_or(0);
    for (reg, holds) in inputs {
        small.stack[*reg as usize] = lists.keep(cell(*reg), *holds, state, state.base as usize);
    }
    lists.hand_over(splitter.game, &mut small.heap);
}
