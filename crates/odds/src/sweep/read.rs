//! Reads code symbolically: registers hold expressions over unseen dice, and paths that part meet again.

use super::super::branches::SEES;
use super::expr::{Exprs, Id};
use super::fold::{Group, Sweep};
use fixedbitset::FixedBitSet;
use grognard_base::value::*;
use grognard_program::schema::Stored;
use grognard_program::{AskKind, Instr, Pc, Reg};
use grognard_vm::{Game, Handle, State, UNSET};
use std::rc::Rc;

/// Maximum number of instructions that are read.
const MOST_READ: usize = 1 << 14;
/// Maximum number of nested calls.
const DEEPEST: usize = 8;
/// Maximum number of dice that are sorted.
pub const MOST_SORTED: usize = 64;
/// Maximum number of faces of dice whose distinct faces are counted: those of percentile dice.
pub const MOST_DISTINCT: usize = 100;

/// Dice of a pool: those of a group that satisfy a condition on their face, each with a value.
#[derive(Clone, Copy, PartialEq)]
pub struct Part {
    pub group: u16,
    pub filter: Id,
    pub value: Id,
}

/// The content of a register.
#[derive(Clone, PartialEq)]
pub enum Val {
    /// A cell. A known cell can be a list.
    Is(Id),
    /// A list of unseen dice in any order.
    Pool(Rc<Vec<Part>>),
    /// A list with known places, and its length. Entries from the length on are `none`.
    List(Rc<Vec<Id>>, Id),
    /// A value that cannot be represented. Code that reads it is not read further.
    Gone,
}

/// The instruction at which reading stops, and the reason: a verb phrase whose subject is the code.
pub type Why = (Pc, &'static str);

/// A function that called another one.
#[derive(Clone, PartialEq)]
struct Caller {
    back: Pc,
    base: usize,
    dst: Reg,
}

/// One path through the code.
#[derive(Clone)]
pub struct Path {
    pub pc: Pc,
    callers: Vec<Caller>,
    base: usize,
    /// The condition under which the code takes this path.
    pub taken: Id,
    pub regs: Vec<Val>,
    /// The registers that still have the content from before the first instruction.
    pub kept: FixedBitSet,
    /// The end of the loop whose next round it waits for.
    waits: Option<Pc>,
}

impl Path {
    /// Returns the number of functions that called each other.
    pub fn callers(&self) -> usize {
        self.callers.len()
    }
}

/// The part of the code that is read.
#[derive(Clone, Copy)]
pub enum Bound {
    /// Everything, until an instruction cannot be read.
    Open,
    /// One round of a loop: its first instruction, the first one after it, and the number of callers.
    Round(Pc, Pc, usize),
}

/// An effect of a round of a loop that its registers do not show.
#[derive(Clone)]
pub enum Event {
    /// Appends a value to a list.
    Push { list: usize, taken: Id, value: Id },
    /// Keeps the greatest or least face: the registers of the entry and of its key.
    Best { out: usize, best: usize, taken: Id, high: bool },
    /// Ends the run with an error.
    Fault { taken: Id },
}

/// A program point at which a branch can continue, with its registers.
pub struct End {
    pub pc: Pc,
    pub regs: Vec<Val>,
    pub kept: FixedBitSet,
    /// The registers whose content from before the first instruction was read before it.
    pub used: FixedBitSet,
    /// The number of events before it.
    pub events: usize,
    /// The groups whose dice were rolled again before it.
    pub spent: u64,
    /// Whether stored cells were read before it.
    pub outer: bool,
}

/// The state of the reader.
pub struct Reader<'r> {
    pub game: &'r Game,
    pub state: &'r State,
    pub stops: &'r FixedBitSet,
    pub exprs: Exprs,
    pub groups: Vec<Group>,
    /// The pools that were read, each with the first of its groups.
    pub pools: Vec<(Handle, Rc<Vec<Part>>)>,
    /// The known lists that were read.
    pub lists: Vec<Handle>,
    pub ends: Vec<End>,
    pub events: Vec<Event>,
    /// The registers whose content from before the first instruction was read.
    pub used: FixedBitSet,
    /// The groups whose dice were rolled again, as bits.
    pub spent: u64,
    /// Whether stored cells were read.
    pub outer: bool,
    /// The number of nested loops.
    pub depth: u8,
    read: usize,
    /// Whether dice were read since the last possible end.
    pub looked: bool,
}

impl<'r> Reader<'r> {
    pub fn new(game: &'r Game, state: &'r State, stops: &'r FixedBitSet) -> Self {
        let used = FixedBitSet::with_capacity(state.stack.len());
        let (exprs, groups, pools, lists, ends, events) = Default::default();
        let (spent, outer, depth, read, looked) = (0, false, 0, 0, false);
        Reader {
            game,
            state,
            stops,
            exprs,
            groups,
            pools,
            lists,
            ends,
            events,
            used,
            spent,
            outer,
            depth,
            read,
            looked,
        }
    }

    /// Returns the first path: all registers are known.
    pub fn first(&mut self, pc: Pc) -> Path {
        let base = self.state.base as usize;
        let regs: Vec<Val> = self.state.stack[base..].iter().map(|cell| Val::Is(self.exprs.known(*cell))).collect();
        let mut kept = FixedBitSet::with_capacity(regs.len());
        kept.insert_range(..);
        let taken = self.exprs.known(1);
        Path { pc, callers: Vec::new(), base: 0, taken, regs, kept, waits: None }
    }

    /// Reads code from some paths on. Returns the paths that reached the end of the bound, and why the reading ended.
    pub fn read(&mut self, mut open: Vec<Path>, bound: Bound) -> (Vec<Path>, Option<Why>) {
        let mut over: Vec<Path> = Vec::new();
        while let Some(at) = next(&open) {
            let mut path = open.swap_remove(at);
            // Paths that are at the same place are one path from here on.
            while let Some(other) = open.iter().position(|other| other.pc == path.pc && other.callers == path.callers) {
                let other = open.swap_remove(other);
                self.meet(&mut path, other);
            }
            path.waits = None;
            if let Bound::Round(top, exit, callers) = bound
                && path.callers.len() == callers
                && !(top + 1..exit).contains(&path.pc)
            {
                over.push(path);
                continue;
            }
            let outermost = matches!(bound, Bound::Open) && open.is_empty() && path.callers.is_empty();
            if outermost && std::mem::take(&mut self.looked) {
                self.end(&path);
            }
            let (pc, callers) = (path.pc, path.callers.len());
            let first = self.read == 0;
            self.read += 1;
            let stops = !first && self.stops.contains(pc as usize);
            let stepped = if stops || self.read > MOST_READ || self.exprs.full() {
                Err("is too long to be read at once")
            } else {
                self.step(&mut path)
            };
            let other = match stepped {
                Ok(other) => other,
                Err(why) => {
                    if outermost {
                        self.end(&path);
                    }
                    return (over, Some((pc, why)));
                }
            };
            for mut path in [Some(path), other].into_iter().flatten() {
                if self.exprs.value(path.taken) == Some(0) {
                    continue;
                }
                // A jump back waits for the other paths of its loop.
                if path.pc <= pc && path.callers.len() == callers {
                    path.waits = self.end_of_loop(path.pc);
                    if path.waits.is_none() {
                        return (over, Some((pc, "repeats code without a list")));
                    }
                }
                open.push(path);
            }
        }
        (over, None)
    }

    fn end(&mut self, path: &Path) {
        let (regs, kept, used) = (path.regs.clone(), path.kept.clone(), self.used.clone());
        let (pc, events, spent, outer) = (path.pc, self.events.len(), self.spent, self.outer);
        self.ends.push(End { pc, regs, kept, used, events, spent, outer });
    }

    /// Returns the end of the loop that begins at `top`.
    fn end_of_loop(&self, top: Pc) -> Option<Pc> {
        match self.game.program.code.get(top as usize + 1)? {
            Instr::JumpCompare { to, .. } if *to > top => Some(*to),
            _ => None,
        }
    }

    /// Merges two paths that are at the same place.
    fn meet(&mut self, path: &mut Path, other: Path) {
        let taken = path.taken;
        let len = path.regs.len().max(other.regs.len());
        let none = Val::Gone;
        let regs = (0..len).map(|n| {
            let (a, b) = (path.regs.get(n).unwrap_or(&none), other.regs.get(n).unwrap_or(&none));
            match (a, b) {
                (a, b) if a == b => a.clone(),
                (Val::Is(a), Val::Is(b)) => Val::Is(self.exprs.either(taken, *a, *b)),
                _ => Val::Gone,
            }
        });
        path.regs = regs.collect();
        let one_only = path.kept.symmetric_difference(&other.kept);
        self.used.extend(one_only.collect::<Vec<_>>());
        path.kept.intersect_with(&other.kept);
        path.taken = self.exprs.or(taken, other.taken);
    }

    /// Returns the place of a register among those of a path.
    pub fn at(&self, path: &Path, reg: Reg) -> usize {
        path.base + reg as usize
    }

    /// Returns the content of a register.
    pub fn val(&mut self, path: &Path, reg: Reg) -> Val {
        let at = self.at(path, reg);
        if path.kept.contains(at) {
            self.used.grow(at + 1);
            self.used.insert(at);
        }
        path.regs.get(at).cloned().unwrap_or(Val::Gone)
    }

    /// Writes a value into a register of the running function.
    pub fn set(&self, path: &mut Path, reg: Reg, val: Val) {
        let at = self.at(path, reg);
        if path.kept.contains(at) {
            path.kept.remove(at);
        }
        if path.regs.len() <= at {
            path.regs.resize(at + 1, Val::Gone);
        }
        path.regs[at] = val;
    }

    /// Returns the expression in a register.
    pub fn cell(&mut self, path: &Path, reg: Reg) -> Result<Id, &'static str> {
        match self.val(path, reg) {
            Val::Is(id) => Ok(id),
            Val::Pool(_) | Val::List(..) => Err("uses a list as a number"),
            Val::Gone => Err("reads a value that depends on the order of dice"),
        }
    }

    pub fn number(&mut self, path: &Path, reg: Reg) -> Result<i64, &'static str> {
        let id = self.cell(path, reg)?;
        self.exprs.value(id).ok_or("reads a place, or uses a number of dice, that depends on dice")
    }

    /// Returns a condition, decided if the bounds of the dice decide it.
    fn decided(&mut self, test: Id) -> Id {
        if self.exprs.contents(test).faces != 0 || self.exprs.contents(test).old {
            return test;
        }
        Sweep::new(&mut self.exprs, &self.groups).simplified(test)
    }

    /// Parts a path at a condition: `path` goes on to the next instruction, the returned one jumps.
    fn jump(&mut self, path: &mut Path, test: Id, to: Pc) -> Option<Path> {
        let test = self.decided(test);
        let not = self.exprs.not(test);
        let jumps = self.exprs.and(path.taken, test);
        path.taken = self.exprs.and(path.taken, not);
        match self.exprs.value(test) {
            Some(0) => path.pc += 1,
            Some(_) => {
                path.taken = jumps;
                path.pc = to;
            }
            None => {
                let other = Path { pc: to, taken: jumps, ..path.clone() };
                path.pc += 1;
                return Some(other).filter(|other| self.exprs.value(other.taken) != Some(0));
            }
        }
        None
    }

    /// Reads one instruction. Returns a second path if the path parts.
    pub fn step(&mut self, path: &mut Path) -> Result<Option<Path>, &'static str> {
        let pc = path.pc;
        let instr = *self.game.program.code.get(pc as usize).ok_or("ends")?;
        let known = |reader: &mut Self, value: i64| Val::Is(reader.exprs.known(value));
        if let Instr::Const { dst, value } = instr {
            let value = known(self, i64::from(value));
            self.set(path, dst, value);
        } else if let Instr::Wide { dst, at } = instr {
            let value = known(self, self.game.program.pool[at as usize]);
            self.set(path, dst, value);
        } else if let Instr::Copy { dst, src } = instr {
            let value = self.val(path, src);
            self.set(path, dst, value);
        } else if let Instr::CopyMany { dst, src, n } = instr {
            let values: Vec<Val> = (0..n).map(|k| self.val(path, src + k)).collect();
            values.into_iter().zip(dst..).for_each(|(value, dst)| self.set(path, dst, value));
        } else if let Instr::AddConst { dst, a, value } = instr {
            if self.begins_loop(path, (dst, a, value))? {
                return Ok(None);
            }
            let (a, value) = (self.cell(path, a)?, self.exprs.known(i64::from(value)));
            let sum = self.exprs.plus(a, 1, value);
            self.set(path, dst, Val::Is(sum));
        } else if let Instr::AtLeast { dst, a, value } | Instr::AtMost { dst, a, value } = instr {
            let op = if matches!(instr, Instr::AtLeast { .. }) { Op::Max } else { Op::Min };
            let (a, value) = (self.cell(path, a)?, self.exprs.known(i64::from(value)));
            let found = self.exprs.op(op, a, value);
            self.set(path, dst, Val::Is(found));
        } else if let Instr::Jump { to } = instr {
            path.pc = to;
            return Ok(None);
        } else if let Instr::JumpIf { cond, to } | Instr::JumpUnless { cond, to } = instr {
            let cond = self.cell(path, cond)?;
            let mut test = self.exprs.test(cond);
            if matches!(instr, Instr::JumpUnless { .. }) {
                test = self.exprs.not(test);
            }
            return Ok(self.jump(path, test, to));
        } else if let Instr::JumpNone { reg, to } = instr {
            if self.keeps_best(path, reg)? {
                return Ok(None);
            }
            let (value, none) = (self.cell(path, reg)?, self.exprs.known(NONE));
            let test = self.exprs.op(Op::Eq, value, none);
            return Ok(self.jump(path, test, to));
        } else if let Instr::JumpCompare { op, a, b, to } = instr {
            let (a, b) = (self.cell(path, a)?, self.cell(path, b)?);
            let test = self.exprs.op(op, a, b);
            return Ok(self.jump(path, test, to));
        } else if let Instr::JumpCompareConst { op, a, value, to } = instr {
            let (a, value) = (self.cell(path, a)?, self.exprs.known(i64::from(value)));
            let test = self.exprs.op(op, a, value);
            return Ok(self.jump(path, test, to));
        } else if let Instr::Setting { dst, id } = instr {
            let cells: Vec<i64> = self.game.setting(id).to_vec();
            for (cell, dst) in cells.into_iter().zip(dst..) {
                let value = known(self, cell);
                self.set(path, dst, value);
            }
        } else if let Instr::Global { dst, id } = instr {
            let value = self.stored(Stored::Global(id), 0)?;
            self.set(path, dst, value);
        } else if let Instr::Field { dst, thing, id } = instr {
            let thing = self.number(path, thing)?;
            let value = self.stored(Stored::Field(id), thing)?;
            self.set(path, dst, value);
        } else if let Instr::NewList { dst } = instr {
            let len = self.exprs.known(0);
            self.set(path, dst, Val::List(Rc::default(), len));
        } else if let Instr::Push { list, src, n: 1 } = instr {
            self.push(path, list, src)?;
        } else if let Instr::Entry { dst, list, index, n: 1 } = instr {
            let at = self.number(path, index);
            let Val::List(items, _) = self.list(path, list)? else { return Err("reads a die by its place") };
            let item = usize::try_from(at?)
                .ok()
                .and_then(|at| items.get(at).copied())
                .ok_or("reads a place that is not there")?;
            self.set(path, dst, Val::Is(item));
        } else if let Instr::Length { dst, list } = instr {
            let len = match self.list(path, list)? {
                Val::Pool(parts) => self.size(&parts),
                Val::List(_, len) => len,
                Val::Is(_) | Val::Gone => return Err("reads a list that is not known"),
            };
            self.set(path, dst, Val::Is(len));
        } else if let Instr::Look { dst, list, op, than } = instr {
            let than = self.cell(path, than)?;
            let found = self.total(path, list, &mut |exprs, value| exprs.op(op, value, than))?;
            self.set(path, dst, Val::Is(found));
        } else if let Instr::Own { .. } | Instr::Which { .. } = instr {
            self.falls_again(path)?;
            return Ok(None);
        } else if let Instr::Mark { dst } = instr {
            let mark = known(self, self.state.heap.len() as i64);
            self.set(path, dst, mark);
        } else if let Instr::Release { .. } | Instr::Ran { .. } | Instr::Note { .. } = instr {
        } else if let Instr::Within { src, at } = instr {
            let (value, range) = (self.cell(path, src)?, self.game.program.bounds[at as usize].range);
            let (low, high) = (self.exprs.known(range.low), self.exprs.known(range.high));
            let (less, more) = (self.exprs.op(Op::Lt, value, low), self.exprs.op(Op::Lt, high, value));
            let outside = self.exprs.or(less, more);
            let outside = self.decided(outside);
            self.fails(path, outside);
        } else if let Instr::Fault { .. } = instr {
            let always = self.exprs.known(1);
            self.fails(path, always);
            path.taken = self.exprs.known(0);
        } else if let Instr::Call { func, args, dst } = instr {
            let info = &self.game.program.funcs[func.at()];
            if path.callers.len() >= DEEPEST {
                return Err("calls functions 9 levels deep");
            }
            path.callers.push(Caller { back: pc + 1, base: path.base, dst });
            path.base += args as usize;
            let params = path.base + info.params as usize;
            path.regs.truncate(params);
            (params..path.kept.len()).for_each(|at| path.kept.remove(at));
            path.pc = info.entry;
            return Ok(None);
        } else if let (Instr::Return { src, n }, Some(caller)) = (instr, path.callers.last().cloned()) {
            let values: Vec<Val> = (0..n).map(|k| self.val(path, src + k)).collect();
            path.callers.pop();
            (path.pc, path.base) = (caller.back, caller.base);
            values.into_iter().zip(caller.dst..).for_each(|(value, dst)| self.set(path, dst, value));
            return Ok(None);
        } else if let Instr::Op { op, dst, a, b, n } = instr {
            let value = self.operate(path, op, (a, b), n)?;
            self.set(path, dst, value);
        } else if let Instr::Return { .. } = instr {
            return Err("returns dice, or more than numbers");
        } else if let Instr::Ask { at } = instr {
            return Err(match self.game.program.asks[at as usize].kind {
                AskKind::Roll { .. } | AskKind::Reroll { .. } => "rolls dice",
                AskKind::Draw { .. } => "draws at random",
                _ => SEES,
            });
        } else {
            return Err("does more than read dice");
        }
        path.pc += 1;
        Ok(None)
    }

    /// Notes that the run ends with an error under a condition.
    fn fails(&mut self, path: &Path, test: Id) {
        let taken = self.exprs.and(path.taken, test);
        if self.exprs.value(taken) != Some(0) {
            self.events.push(Event::Fault { taken });
        }
    }

    /// Returns a stored number. Nothing is written while code is read.
    fn stored(&mut self, slot: Stored, thing: i64) -> Result<Val, &'static str> {
        self.outer = true;
        let layout = self.game.layout.stored(slot);
        let cell = match layout.entry == 0 && layout.width == 1 && layout.figures <= 1 && thing >= 0 {
            true => self.state.cells.get(self.game.layout.cells(slot, thing).start).copied(),
            false => None,
        };
        let cell = cell.filter(|cell| *cell != UNSET).ok_or("reads a stored list or a keyed value")?;
        Ok(Val::Is(self.exprs.known(cell)))
    }
}

/// Returns the path that is read next: the innermost function first, then the first instruction. A path that jumped back waits for
/// those that are in its loop.
fn next(open: &[Path]) -> Option<usize> {
    let blocked = |path: &Path| {
        path.waits.is_some_and(|exit| {
            open.iter().any(|other| {
                other.callers.len() > path.callers.len()
                    || other.callers.len() == path.callers.len() && path.pc < other.pc && other.pc < exit
            })
        })
    };
    let free = open.iter().enumerate().filter(|(_, path)| !blocked(path));
    free.min_by_key(|(_, path)| (usize::MAX - path.callers.len(), path.pc)).map(|(at, _)| at)
}
