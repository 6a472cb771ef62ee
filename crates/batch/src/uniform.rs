//! Uniform values (scalarization): values that are the same in all lanes are computed once, and constants of a loop are written
//! once.
//!
//! A row always holds its values; the uniform value is only a faster way to read it.

use super::Block;
use super::cells::{Row, blend_value, fold};
use grognard_program::Reg;

/// The known value of a row.
#[derive(Clone, Copy)]
pub(super) struct Uniform {
    value: i32,
    /// The group whose lanes hold the value; 0 for no group, [`Uniform::ALL`] for all lanes.
    of: u64,
}

impl Uniform {
    /// No known value.
    pub const NOTHING: Uniform = Uniform { value: 0, of: 0 };
    /// Marks a value that all lanes of the block hold.
    const ALL: u64 = u64::MAX;

    /// Returns the same value for all lanes of the block.
    pub fn everywhere(value: i32) -> Uniform {
        Uniform { value, of: Uniform::ALL }
    }

    /// Returns whether all lanes of the block are known to hold `value`.
    pub fn is_everywhere(self, value: i32) -> bool {
        self.of == Uniform::ALL && self.value == value
    }

    /// Returns the known value of the lanes of a group.
    #[inline(always)]
    pub fn of(self, group: u64) -> Option<i32> {
        (self.of == Uniform::ALL || self.of == group).then_some(self.value)
    }
}

impl Block<'_> {
    /// Changes the group version after its lanes changed. Facts about the old group no longer hold.
    #[inline(always)]
    pub(super) fn regroup(&mut self) {
        self.group += 1;
    }

    /// Returns the value of a register if it is known to be uniform in the group. A uniform register can be unknown.
    #[inline(always)]
    pub(super) fn known(&self, reg: Reg) -> Option<i32> {
        let row = self.base + reg as usize;
        let value = self.uniform[row].of(self.group);
        debug_assert!(value.is_none_or(|value| self.holds(&self.regs[row], value)), "register {reg} is not uniform");
        value
    }

    /// Returns the value of a cell of the table if it is known to be uniform in the group.
    #[inline(always)]
    pub(super) fn known_cell(&self, at: usize) -> Option<i32> {
        let value = self.cells.uniform(at).of(self.group);
        let holds = |value| self.cells.row(at).is_none_or(|row| self.holds(row, value));
        debug_assert!(value.is_none_or(holds), "cell {at} is not uniform");
        value
    }

    fn holds(&self, row: &Row, value: i32) -> bool {
        fold(row, &self.mask, 0, |other, cell, mask| other | ((cell ^ value) & mask)) == 0
    }

    /// Returns the value of a register if all lanes of the group hold the same one.
    #[inline(always)]
    pub(super) fn same(&mut self, reg: Reg) -> Option<i32> {
        if let Some(value) = self.known(reg) {
            return Some(value);
        }
        let at = self.base + reg as usize;
        let value = self.regs[at].0[self.lead()];
        if !self.holds(&self.regs[at], value) {
            return None;
        }
        self.uniform[at] = Uniform { value, of: self.group };
        Some(value)
    }

    /// Writes a value into a register in all lanes of the group.
    #[inline(always)]
    pub(super) fn fill(&mut self, dst: Reg, value: i32) {
        self.fill_row(self.base + dst as usize, value);
    }

    #[inline(always)]
    pub(super) fn fill_row(&mut self, row: usize, value: i32) {
        if self.uniform[row].of(self.group) == Some(value) {
            return;
        }
        let all = self.alone(row);
        self.uniform[row] = fill(&mut self.regs[row], value, &self.mask, all, self.group);
    }

    /// Writes a value into a cell of the table in all lanes of the group.
    #[inline(always)]
    pub(super) fn fill_cell(&mut self, at: usize, value: i32) {
        if self.cells.uniform(at).of(self.group) == Some(value) {
            return;
        }
        match self.cells.row_mut(at) {
            Some((row, uniform)) => *uniform = fill(row, value, &self.mask, self.waiting == 0, self.group),
            None => self.leave(),
        }
    }
}

/// Writes a value into the lanes of a mask, or into all lanes. Returns the fact about the row.
#[inline(always)]
fn fill(row: &mut Row, value: i32, mask: &Row, all: bool, group: u64) -> Uniform {
    if all {
        row.0.fill(value);
        return Uniform::everywhere(value);
    }
    blend_value(row, value, mask);
    Uniform { value, of: group }
}
