//! Rows that waiting lanes do not read: they are written without a mask, and their constants are known in all lanes.
//!
//! While the group runs at a place, other lanes wait at later places, those to which a jump led them. If none of these places
//! reads a register, a write to it may change the waiting lanes too.

use super::Block;
use grognard_base::value::FuncId;
use grognard_program::flow::Flow;
use grognard_program::{Instr, Pc, Reg};

/// For each instruction, whether waiting lanes read the registers that it writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// The function was not analyzed yet.
    Unknown,
    Read,
    Unread,
}

/// A jump, and the place at which its lanes wait for the others.
struct Jump {
    from: Pc,
    waits: Pc,
    /// The registers that they read from there on.
    live: Vec<Reg>,
}

impl Block<'_> {
    /// Returns whether a write to a row of registers may change all lanes.
    #[inline(always)]
    pub(super) fn alone(&self, row: usize) -> bool {
        self.waiting == 0 || self.unread && row >= self.floor
    }

    /// Returns the first row that a called function may write in waiting lanes too: after the results of lanes that have
    /// returned.
    pub(super) fn floor_of(&mut self, func: FuncId, depth: usize, dst: Reg) -> usize {
        let info = &self.game.program.funcs[func.at()];
        if self.waits[info.entry as usize] == Wait::Unknown {
            self.find_waits(func);
        }
        let end = dst as usize + info.result as usize;
        match depth {
            0 => end,
            _ if self.waits[self.pc as usize - 1] == Wait::Unread => self.floor.max(self.base + end),
            _ => usize::MAX,
        }
    }

    /// Finds out for all instructions of a function whether waiting lanes read what they write.
    #[cold]
    fn find_waits(&mut self, func: FuncId) {
        let game = self.game;
        let program = &game.program;
        let mut flow = Flow::knowing(program, game.facts());
        let code = flow.code_of(func);
        let wanted = vec![true; program.funcs[func.at()].result as usize];
        let (mut jumps, mut loops): (Vec<Jump>, Vec<(Pc, Pc)>) = (Vec::new(), Vec::new());
        for from in code.iter().copied() {
            let mut instr = program.code[from as usize];
            let Some(to) = instr.target().copied() else { continue };
            let waits = if to <= from { from + 1 } else { to };
            let live = flow.live(func, &wanted, waits).into_iter().map(|(reg, _)| reg).collect();
            jumps.push(Jump { from, waits, live });
            if to <= from {
                loops.push((to, from));
            }
        }
        for pc in code {
            let written = if let Instr::Call { args, .. } | Instr::CallExtern { args, .. } = program.code[pc as usize] {
                // The frame of the callee begins there.
                args..Reg::MAX
            } else {
                flow.writes(pc)
            };
            // Lanes wait since a jump before, or since one in an earlier round of a loop that ends before they continue.
            let waits = |jump: &Jump| {
                let ends = pc.max(jump.from)..jump.waits;
                jump.waits > pc && (jump.from < pc || loops.iter().any(|(top, end)| *top <= pc && ends.contains(end)))
            };
            let reads = |jump: &Jump| jump.live.iter().any(|reg| written.contains(reg));
            // An instruction without known writes, or one that stands for several, counts as read.
            let unknown = written.is_empty() || game.pairs(pc).is_some();
            let read = unknown || jumps.iter().any(|jump| waits(jump) && reads(jump));
            self.waits[pc as usize] = if read { Wait::Read } else { Wait::Unread };
        }
    }
}
