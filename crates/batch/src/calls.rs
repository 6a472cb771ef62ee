//! Calls of a block: one stack of frames, shared by all lanes of a call.

use super::cells::{Row, blend, decode};
use super::uniform::Uniform;
use super::{Block, ROWS};
use grognard_base::value::*;
use grognard_program::schema::AmbientCase;
use grognard_program::{Pc, Reg};

/// A running function.
pub(super) struct Level {
    func: FuncId,
    base: usize,
    /// The return address in the caller.
    back: Pc,
    /// The first register of the result, in the frame of the caller.
    dst: Reg,
    /// The first row that the instructions of the function may write in waiting lanes too.
    floor: usize,
    /// The heap top of each lane at the call.
    tops: Box<Row>,
}

/// A running phase: its call depth, and the first row of its variables.
#[derive(Clone, Copy)]
pub(super) struct Phase {
    phase: PhaseId,
    depth: usize,
    base: usize,
}

/// Maximum depth of calls.
const MOST: usize = 100;

impl Block<'_> {
    /// Returns the number of loop rounds and calls so far, each counted once for all its lanes.
    pub fn burnt(&self) -> u64 {
        self.burnt
    }

    /// Runs a function to its end in all live lanes.
    pub fn call(&mut self, func: FuncId, args: &[i64]) {
        self.fuel = self.game.fuel;
        self.mask.0 = self.live.0;
        self.count = self.mask.0.iter().filter(|mask| **mask != 0).count();
        self.waiting = 0;
        self.regroup();
        self.tops.0.fill(0);
        self.keys.fill(u32::MAX);
        self.next = u32::MAX;
        (self.depth, self.base, self.pc) = (0, 0, 1);
        self.phases.clear();
        self.unread = false;
        if self.count == 0 {
            return;
        }
        if !self.enter(func, 0, 0, 0) {
            return self.leave();
        }
        for (n, arg) in args.iter().enumerate() {
            self.fill_row(n, super::encode(*arg).unwrap_or(0));
        }
        let vectors = self.vectors;
        vectors.run(super::steps::Steps(self));
        self.burnt += self.game.fuel - self.fuel;
    }

    /// Enters a function whose frame starts at `base`. Returns `false` if the stack is too deep or too large for a block.
    pub(super) fn enter(&mut self, func: FuncId, depth: usize, base: usize, dst: Reg) -> bool {
        let info = &self.game.program.funcs[func.at()];
        let rows = base + info.frame as usize + info.result as usize + 1;
        if depth >= MOST.min(self.game.depth) || rows > ROWS {
            return false;
        }
        while self.regs.len() < rows {
            self.regs.push(Box::new(Row::all(0)));
            self.uniform.push(Uniform::everywhere(0));
        }
        if self.levels.len() <= depth {
            let tops = Box::new(Row::all(0));
            self.levels.push(Level { func, base, back: 0, dst, floor: 0, tops });
        }
        let floor = self.floor_of(func, depth, dst);
        let level = &mut self.levels[depth];
        level.floor = floor;
        (level.func, level.base, level.back, level.dst) = (func, base, self.pc, dst);
        level.tops.0 = self.tops.0;
        self.depth = depth;
        self.base = base;
        self.floor = floor;
        self.pc = info.entry;
        self.next = u32::MAX;
        true
    }

    /// Returns from the innermost function, and returns the program counter after the call.
    pub(super) fn leave_call(&mut self) -> Pc {
        let back = self.levels[self.depth].back;
        self.depth -= 1;
        self.base = self.levels[self.depth].base;
        self.floor = self.levels[self.depth].floor;
        let depth = self.depth;
        while self.phases.last().is_some_and(|phase| phase.depth > depth) {
            self.phases.pop();
        }
        back
    }

    /// Writes the result into the frame of the caller, and returns from the call in the lanes of the group.
    #[inline(always)]
    pub(super) fn come_back_with(&mut self, src: Reg, n: Reg) {
        let from = self.base + src as usize;
        let level = &self.levels[self.depth];
        let info = &self.game.program.funcs[level.func.at()];
        if info.lists.is_empty() && (!self.game.program.keeps_heap || info.sort.pure()) {
            blend(&mut self.tops, &level.tops, &self.mask);
        }
        let outer = if self.depth == 0 { 0 } else { self.levels[self.depth - 1].base };
        let to = outer + level.dst as usize;
        for cell in 0..n as usize {
            self.copy_row(to + cell, from + cell);
        }
        self.come_back();
    }

    /// Begins a phase in the current frame.
    pub(super) fn enter_phase(&mut self, phase: PhaseId) {
        self.phases.push(Phase { phase, depth: self.depth, base: self.base });
    }

    /// Ends the innermost phase with this id, and the phases inside it.
    pub(super) fn leave_phase(&mut self, phase: PhaseId) {
        if let Some(at) = self.phases.iter().rposition(|p| p.phase == phase) {
            self.phases.truncate(at);
        }
    }

    /// Returns whether a phase is running.
    pub(super) fn running(&self, phase: PhaseId) -> bool {
        self.phases.iter().any(|p| p.phase == phase)
    }

    /// Returns whether a phase is the innermost running one.
    pub(super) fn innermost(&self, phase: PhaseId) -> bool {
        self.phases.last().is_some_and(|p| p.phase == phase)
    }

    /// Returns the first row of a variable of a running phase, and its number of cells. Returns `None` if no phase has it.
    pub(super) fn ambient(&self, id: AmbientId) -> Option<(usize, usize)> {
        let schema = &self.game.program.schema;
        let info = &schema.ambients[id.at()];
        let found = info.cases.iter().find_map(|case| match *case {
            AmbientCase::Phase(phase, local) => {
                let running = self.phases.iter().rev().find(|p| p.phase == phase)?;
                Some(running.base + self.game.program.phases[phase.at()].locals[local.at()] as usize)
            }
            // No action runs in a block.
            AmbientCase::Action(..) | AmbientCase::PhaseOfAction(..) => None,
        });
        Some((found?, schema.width(&info.ty).max(1)))
    }

    /// Returns the count of a tally in a lane.
    pub fn tally(&self, lane: usize, id: TallyId) -> i64 {
        decode(self.tallies[id.at()].0[lane])
    }
}
