//! Exploration of one state: runs the machine on branches, and splits them where dice are rolled.

use super::best::Best;
use super::branch::{BoxedBranch, Branch};
use super::canonical::Canonical;
use super::draws::{bags, draws};
use super::driver::{Chance, Ready, Shared, Table, Wanted};
use super::folds::Totals;
use super::num::{Binomials, Num, Width};
use super::open::{Open, Values};
use super::outer::{Next, Outside};
use super::sums::Pool;
use super::sweep::{Cases, FEW_LISTS, ManyBranches, Swept, Why};
use super::{Pools, pool};
use fixedbitset::FixedBitSet;
use grognard_base::value::*;
use grognard_base::{Limit, Meter};
use grognard_program::{AskKind, Instr, Pc, Wants};
use grognard_vm::{
    Drivers, Fault, Game, Handle, LazyDice, NoTrace, Run, State, Stop, call_onward, holds, is_open, is_unseen, run,
    wants,
};
use std::cell::RefCell;
use std::rc::Rc;

/// The machine that computes odds.
pub type Machine<'s, 'd> = Run<Drivers<Chance<'s, 'd>, Table<'s, 'd>, NoTrace>>;

/// Maximum number of branches of one split: a share of the work, within these limits.
const MOST_BRANCHES: std::ops::RangeInclusive<usize> = 1 << 16..=1 << 20;
const SHARE: u64 = 16;

/// Maximum number of consecutive calls from one state without a question.
const ROUNDS: usize = 16;
/// Number of calls and loop rounds of the rules that count as one step of work.
const FUEL: u64 = 16;

/// Why a decision distinguishes dice.
pub const SEES: &str = "lets a player see the dice";

/// The reason why a branch stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// An instruction demands more of unsampled dice.
    Looks,
    /// A question needs an answer.
    Asks,
    /// The branch reached the border of a region.
    Border,
    /// [`ROUNDS`] consecutive calls ended without a question: the caller checks for an infinite loop.
    Round,
    /// The budget is spent.
    Spent,
    /// The run is over.
    Over,
}

/// The data that all branches of an exploration share.
pub struct Splitter<'a, 'g> {
    pub game: &'g Game,
    pub outside: Rc<Outside<'a>>,
    pub canonical: Rc<RefCell<Canonical<'g>>>,
    /// Numbers of the required result cells and of the contents of the parameters of the outermost function.
    pub root: (u32, u32),
    pub pools: Pools,
    pub width: Width,
    /// The meter that all work is charged to.
    pub meter: Rc<Meter>,
    pub ways: Binomials,
    /// Finished branches, whose buffers are reused.
    pub spare: Vec<BoxedBranch>,
    /// Recent distributions of the best dice of pools.
    pub best: Vec<Best>,
    /// Recent distributions of the sums of pools.
    pub totals: Vec<Rc<Totals>>,
    /// Instructions before which the machine stops.
    pub stops: FixedBitSet,
    /// Instructions at which no sweep over faces begins, outside and inside of pure regions.
    pub unswept: [FixedBitSet; 2],
    /// Instructions at which a sweep up to the first end has too many results.
    pub unshared: FixedBitSet,
    /// The reasons for the instructions at which no sweep begins.
    pub whys: Vec<(Pc, Why)>,
    /// The first code that requires many branches.
    pub many: Option<ManyBranches>,
    /// Recent sweeps.
    pub sweeps: Vec<Rc<Swept>>,
    /// Whether sums and rolls that are only compared split only by the result of the comparison.
    pub folds: bool,
    /// Whether all lists keep their contents, because the caller reads them again.
    pub keeps: bool,
}

impl Splitter<'_, '_> {
    /// Runs a branch until a question, a demand or the end. At most `unseen` rolls stay unsampled.
    pub fn go(&self, machine: &mut Machine<'_, '_>, branch: &mut Branch, unseen: usize) -> Result<Stopped, Fault> {
        let shared = machine.drivers.dice.0;
        {
            let mut shared = shared.borrow_mut();
            shared.ready = branch.ready.take();
            shared.wanted = None;
            shared.lists = branch.fresh;
            shared.unseen = unseen;
            shared.ends = None;
            if let Some(marks) = &mut shared.marks {
                std::mem::swap(marks, &mut branch.marks);
            }
            if shared.remembers
                && let Some(deciders) = &mut shared.deciders
            {
                deciders.recall(&branch.memory);
            }
        }
        let tallies = self.outside.rounds_at();
        machine.tallies.clear();
        machine.tallies.extend_from_slice(&branch.sums[..tallies]);
        let outcome = self.onward(machine, branch, shared);
        branch.sums[..tallies].copy_from_slice(&machine.tallies);
        let mut shared = shared.borrow_mut();
        branch.fresh = shared.lists;
        if let Some(marks) = &mut shared.marks {
            std::mem::swap(marks, &mut branch.marks);
        }
        if shared.remembers
            && let Some(deciders) = &mut shared.deciders
        {
            branch.memory.clear();
            deciders.memory(&mut branch.memory);
        }
        outcome
    }

    fn onward(
        &self,
        machine: &mut Machine<'_, '_>,
        branch: &mut Branch,
        shared: &RefCell<Shared<'_>>,
    ) -> Result<Stopped, Fault> {
        let tallies = self.outside.rounds_at();
        // A game can loop forever without a question. The caller then detects the repeated state.
        let mut rounds = 0;
        loop {
            if rounds == ROUNDS && !branch.outer.inside {
                return Ok(Stopped::Round);
            }
            rounds += usize::from(!branch.outer.inside);
            machine.fuel = self.game.fuel;
            let stop = if branch.outer.inside {
                run(self.game, &mut branch.state, machine)?
            } else {
                branch.sums[..tallies].copy_from_slice(&machine.tallies);
                match self.outside.next(&mut branch.outer, &mut branch.state, &branch.sums, shared)? {
                    Next::End => return Ok(Stopped::Over),
                    Next::Call(func, args) => {
                        branch.outer.inside = true;
                        call_onward(self.game, &mut branch.state, machine, func, &args)?
                    }
                }
            };
            if !self.meter.work((self.game.fuel - machine.fuel) / FUEL) {
                return Ok(Stopped::Spent);
            }
            match stop {
                Stop::Waiting if machine.stops.contains(branch.state.pc as usize) => return Ok(Stopped::Border),
                Stop::Waiting => {
                    let asks = shared.borrow().wanted.is_some();
                    return Ok(if asks { Stopped::Asks } else { Stopped::Looks });
                }
                Stop::Reached => {
                    // The running action is over, and with it the counts of its uses.
                    branch.state.running.clear();
                    branch.state.uses.retain(|u| u.running == u32::MAX);
                }
                Stop::Finished | Stop::Judged => {}
            }
            branch.outer.inside = false;
            branch.sums[..tallies].copy_from_slice(&machine.tallies);
            self.outside.over(&mut branch.outer, &mut branch.state, &mut branch.sums, shared)?;
        }
    }

    /// Splits a branch at an instruction that demands more of its dice. Returns `false` if there are too many branches, and
    /// leaves `branch` unchanged. Otherwise the contents of `branch` are unspecified.
    pub fn look(&mut self, branch: &mut BoxedBranch, out: &mut Open) -> Result<bool, Fault> {
        let pc = branch.state.pc;
        let instr = self.game.program.code[pc as usize];
        let base = branch.state.base as usize;
        let value = |wants: Wants| wants.value(&branch.state.stack[base..]);
        let open = |list: Handle, wants| {
            is_open(self.game, &branch.state.heap[list.at..list.at + list.len], wants, value(wants))
        };
        let found = wants(self.game, pc)
            .iter()
            .map(|(reg, wants)| (Handle::of(branch.state.stack[base + *reg as usize]), *wants))
            .find(|(list, wants)| open(*list, *wants));
        let Some((list, wanted)) = found else { return self.reveal(branch, out) };
        if let Instr::Own { list: reg } = instr {
            return self.own(branch, reg, list, out);
        }
        if let Some(way) = self.join(branch)? {
            out.push(way);
            return Ok(true);
        }
        let used =
            if let Instr::Op { op: Op::Total | Op::Highest | Op::Lowest, dst, .. } | Instr::Look { dst, .. } = instr {
                Some(dst)
            } else {
                None
            };
        if let Some(dst) = used
            && self.pools == Pools::Asked
            && self.forgotten(branch, list, dst)
        {
            return Ok(self.use_up(branch, instr, list, out));
        }
        if let Some(done) = self.sweep(branch, out) {
            return Ok(done);
        }
        let value = wanted.value(&branch.state.stack[base..]);
        self.part(branch, list, (wanted, value), out)
    }

    /// Splits a branch as far as `wants` demands of the dice of a list. Returns `false` if there are too many branches.
    fn part(
        &mut self,
        branch: &mut BoxedBranch,
        list: Handle,
        (wants, value): (Wants, i64),
        out: &mut Open,
    ) -> Result<bool, Fault> {
        let (cells, most) = (&branch.state.heap[list.at..list.at + list.len], self.most_like(branch, out.len()));
        // If no code reads the order of the dice, one order is enough.
        let bag = matches!(wants, Wants::Place(..) | Wants::Order)
            && !self.keeps
            && self.canonical.borrow_mut().is_bag(&branch.state, self.root, list);
        let wants = if bag { Wants::Faces } else { wants };
        let parts = pool::part(self.game, cells, wants, value, &mut self.ways, most)?;
        let asks = matches!(self.game.program.code[branch.state.pc as usize], Instr::Ask { .. });
        let cases = match self.first_round(&branch.state) {
            Some(_) if pool::combinations(cells).is_none_or(|all| all > FEW_LISTS) => Cases::OneByOne,
            _ => Cases::of(parts.as_ref().map(|parts| parts.list.len())),
        };
        self.note_many(branch.state.pc, asks.then_some(SEES), cases);
        let Some(parts) = parts else {
            self.note_room(most);
            return Ok(false);
        };
        let game = self.game;
        let seen = |cell: i64| LazyDice::of(cell).filter(|_| bag).map_or(cell, |die| die.face(game, die.low));
        Ok(self.split(branch, parts.list, &parts.whole, out, |branch, cells| {
            let places = &mut branch.state.heap[list.at..list.at + list.len];
            places.iter_mut().zip(cells).for_each(|(place, cell)| *place = seen(cell));
        }))
    }

    /// Prepares a pool whose dice are partly rerolled. The dice that stay must be the same for other holders of the pool, so a
    /// shared pool is sampled first.
    fn own(&mut self, branch: &mut BoxedBranch, reg: u16, list: Handle, out: &mut Open) -> Result<bool, Fault> {
        if !self.forgotten(branch, list, reg) {
            return self.part(branch, list, (Wants::Order, 0), out);
        }
        branch.state.pc += 1;
        out.push(self.take(branch));
        Ok(true)
    }

    /// Returns whether no live register holds `list` after the current instruction, which writes `dst`.
    pub fn forgotten(&self, branch: &Branch, list: Handle, dst: u16) -> bool {
        !self.keeps && self.canonical.borrow_mut().forgotten(&branch.state, self.root, list, dst)
    }

    /// Concatenates two pools that no register holds afterwards, without splitting. Returns `None` if they overlap or are still
    /// held, or if the current instruction does something else.
    pub fn join(&mut self, branch: &mut BoxedBranch) -> Result<Option<BoxedBranch>, Fault> {
        let Instr::Op { op: Op::Concat, dst, a, b, .. } = self.game.program.code[branch.state.pc as usize] else {
            return Ok(None);
        };
        let base = branch.state.base as usize;
        let lists = [a, b].map(|reg| Handle::of(branch.state.stack[base + reg as usize]));
        let [first, second] = lists;
        let apart = first.at + first.len <= second.at || second.at + second.len <= first.at;
        if !apart || lists.iter().any(|list| list.len > 0 && !self.forgotten(branch, *list, dst)) {
            return Ok(None);
        }
        super::lists::fits(first.len + second.len)?;
        let cells = lists.map(|list| &branch.state.heap[list.at..list.at + list.len]);
        let joined = pool::joined(self.game, cells[0], cells[1]);
        let mut way = self.take(branch);
        way.state.stack[base + dst as usize] = way.state.new_list(&joined, 1);
        way.state.pc += 1;
        Ok(Some(way))
    }

    /// Splits a pool that no register holds afterwards by its sum, its count of matching dice, or its best dice. Returns `false`
    /// if there are too many branches or the budget does not allow it.
    fn use_up(&mut self, branch: &mut BoxedBranch, instr: Instr, list: Handle, out: &mut Open) -> bool {
        let base = branch.state.base as usize;
        let cells = &branch.state.heap[list.at..list.at + list.len];
        let meter = Rc::clone(&self.meter);
        let pool = Pool { game: self.game, cells, width: self.width, most: self.most_branches(), meter: &meter };
        let number = |reg: u16| branch.state.stack[base + reg as usize];
        let (dst, spread) = if let Instr::Op { op: op @ (Op::Highest | Op::Lowest), dst, a, b, .. } = instr {
            let (count, highest) = (usize::try_from(number(a)), op == Op::Highest);
            let Ok(count) = count else {
                // The count is invalid whatever the dice show. The machine reports the error without dice.
                branch.state.stack[base + b as usize] = branch.state.new_list(&[], 1);
                out.push(self.take(branch));
                return true;
            };
            let Some(sum) = self.summed(branch, dst) else {
                if self.sweeps_first(branch)
                    && let Some(done) = self.sweep(branch, out)
                {
                    return done;
                }
                return self.best_of(branch, list, (count, highest), dst, out);
            };
            let Some(spread) = pool.best_total(count, highest) else {
                return self.best_of(branch, list, (count, highest), dst, out);
            };
            branch.state.pc += 1;
            (sum, spread)
        } else if let Instr::Look { dst, op, than, .. } = instr {
            let than = number(than);
            let fits = |face| holds(op, face, than);
            let fold = self.fold(branch, branch.state.pc + 1, dst);
            if let Some(fold) = &fold {
                let holds = |number| fold.holds(number);
                let found = pool.counts_compared(fits, holds, &mut self.ways);
                if let Some((weights, whole)) = found {
                    branch.use_up(list);
                    return self.split_in_two(branch, fold, weights, &whole, out, |_| {});
                }
            }
            let Some(spread) = pool.counts(fits, &mut self.ways) else { return false };
            if let Some(fold) = fold {
                branch.use_up(list);
                return self.compare_each(branch, &fold, &spread, out);
            }
            (dst, spread)
        } else if let Instr::Op { op: Op::Total, dst, .. } = instr {
            let Some(totals) = self.totals(cells) else { return false };
            if let Some(fold) = self.fold(branch, branch.state.pc + 1, dst) {
                branch.use_up(list);
                return self.compare(branch, &fold, &totals, out, |_| {});
            }
            let values = Values::Numbers(base + dst as usize, Rc::clone(&totals.spread));
            branch.use_up(list);
            return self.split_by(branch, values, &totals.spread.whole, out);
        } else {
            return false;
        };
        branch.use_up(list);
        let spread = Rc::new(spread);
        self.split_by(branch, Values::Numbers(base + dst as usize, Rc::clone(&spread)), &spread.whole, out)
    }

    /// Returns the register of the sum, if the next instruction sums the list that the current one writes and no other code reads
    /// that list.
    pub fn summed(&self, branch: &Branch, list: u16) -> Option<u16> {
        let next = self.game.program.code.get(branch.state.pc as usize + 1)?;
        let Instr::Op { op: Op::Total, dst, a, .. } = *next else { return None };
        let dead = dst == list || self.canonical.borrow_mut().dead(&branch.state, 2, self.root, list);
        (a == list && dead).then_some(dst)
    }

    /// Splits a branch before a player decides: all unsampled dice that a register holds are sampled, the others are cleared.
    fn reveal(&mut self, branch: &mut BoxedBranch, out: &mut Open) -> Result<bool, Fault> {
        let held = self.canonical.borrow_mut().held(&branch.state, self.root);
        let open = |c: &i64| LazyDice::of(*c).is_some_and(|u| !u.known());
        for at in 0..branch.state.heap.len() {
            let inside = |h: &Handle| (h.at..h.at + h.len).contains(&at);
            if is_unseen(branch.state.heap[at]) && !held.iter().any(inside) {
                branch.state.heap[at] = 0;
            }
        }
        let list = held.into_iter().find(|h| branch.state.heap[h.at..h.at + h.len].iter().any(open));
        let Some(list) = list else {
            out.push(self.take(branch));
            return Ok(true);
        };
        let (cells, most) = (&branch.state.heap[list.at..list.at + list.len], self.most_like(branch, out.len()));
        let parts = pool::part(self.game, cells, Wants::Faces, 0, &mut self.ways, most)?;
        self.note_many(branch.state.pc, Some(SEES), Cases::of(parts.as_ref().map(|parts| parts.list.len())));
        let Some(parts) = parts else {
            self.note_room(most);
            return Ok(false);
        };
        Ok(self.split(branch, parts.list, &parts.whole, out, |branch, cells| {
            branch.state.heap[list.at..list.at + list.len].copy_from_slice(&cells);
        }))
    }

    /// Splits a branch at a question that chance answers. Returns `false` if there are too many branches, and leaves `branch`
    /// unchanged. Otherwise the contents of `branch` are unspecified.
    pub fn answer(&mut self, branch: &mut BoxedBranch, wanted: Wanted, out: &mut Open) -> Result<bool, Fault> {
        match wanted {
            Wanted::Dice { same, count, each, pool, given } => {
                let dice = (0..count).map(|n| same.unwrap_or_else(|| each[n]));
                self.throw(branch, (pool, given), dice, out)
            }
            Wanted::Draw { weights, alike, count } => {
                let drawn = if self.draws_a_bag(&branch.state) {
                    let most = self.most_branches();
                    bags(&weights, &alike, count, most, &mut self.ways)
                } else {
                    draws(&weights, &alike, count, self.most_branches())
                };
                let Some(drawn) = drawn else { return Ok(false) };
                if !self.room(branch, out.len() + drawn.len()) {
                    return Ok(false);
                }
                for (picks, weight, whole) in drawn {
                    let mut branch = self.copy(branch);
                    branch.weight = branch.weight.mul(&weight);
                    branch.whole = branch.whole.mul(&whole);
                    branch.ready = Some(Ready::Picks(picks));
                    branch.fresh = false;
                    out.push(branch);
                }
                Ok(true)
            }
            Wanted::Decision { options, ends, .. } => {
                let whole = Num::from(options.len() as u64);
                let list = options.into_iter().map(|o| (o, Num::Narrow(1)));
                Ok(self.split(branch, list, &whole, out, |branch, option| {
                    branch.ready = Some(Ready::Decision(option, ends.clone()));
                    branch.fresh = false;
                }))
            }
            Wanted::Later => Ok(false),
        }
    }

    /// Returns whether the draw at the current instruction makes a list whose order no code reads.
    fn draws_a_bag(&mut self, state: &State) -> bool {
        let program = &self.game.program;
        let Instr::Ask { at } = program.code[state.pc as usize] else { return false };
        let AskKind::Draw { dst, amount: Some(_), .. } = program.asks[at as usize].kind else { return false };
        self.canonical.borrow_mut().makes_bag(state, self.root, dst)
    }

    /// Returns the maximum number of parts of a branch that fit into memory while `open` other branches are waiting.
    fn most_like(&self, branch: &Branch, open: usize) -> usize {
        let free = self.meter.budget().bytes.saturating_sub(self.meter.held());
        (free / branch.bytes()).saturating_sub(open).min(self.most_branches())
    }

    /// Records the memory limit if memory, not work, limited the parts to `most`.
    fn note_room(&self, most: usize) {
        if most < self.most_branches() {
            self.meter.note(Limit::Memory);
        }
    }

    /// Returns whether `ways` branches of this size fit into memory, and records the limit if not.
    pub fn room(&self, branch: &Branch, ways: usize) -> bool {
        let fits = self.meter.fits(ways.saturating_mul(branch.bytes()));
        if !fits {
            self.meter.note(Limit::Memory);
        }
        fits
    }

    pub fn most_branches(&self) -> usize {
        ((self.meter.budget().work / SHARE) as usize).clamp(*MOST_BRANCHES.start(), *MOST_BRANCHES.end())
    }

    /// Takes a branch out and leaves a reusable one with unspecified contents.
    pub fn take(&mut self, branch: &mut BoxedBranch) -> BoxedBranch {
        std::mem::replace(branch, self.spare.pop().unwrap_or_default())
    }

    /// Copies a branch into a reusable one.
    pub fn copy(&mut self, branch: &Branch) -> BoxedBranch {
        let mut way = self.spare.pop().unwrap_or_default();
        (*way).clone_from(branch);
        way
    }

    /// Splits a branch. `set` writes the value of each part; the last part reuses the branch. Returns `false` if memory is short.
    pub fn split<V>(
        &mut self,
        branch: &mut BoxedBranch,
        list: impl IntoIterator<Item = (V, Num)>,
        whole: &Num,
        out: &mut Open,
        set: impl Fn(&mut Branch, V),
    ) -> bool {
        let (mut list, whole) = (list.into_iter().peekable(), branch.whole.mul(whole));
        if !self.room(branch, out.len() + list.size_hint().0) {
            return false;
        }
        while let Some((value, weight)) = list.next() {
            let mut next = if list.peek().is_some() { self.copy(branch) } else { self.take(branch) };
            next.weight = next.weight.mul(&weight);
            next.whole = whole.clone();
            set(&mut next, value);
            out.push(next);
        }
        true
    }
}
