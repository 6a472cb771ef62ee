//! Uniform values (scalarisation): what is known to be the same in all lanes is worked out once, and constants of a loop are
//! written once.
//!
//! A row always holds its values; what is known of it besides is only a shorter way to them.

use super::Block;
use super::cells::{Row, blend_value, fold};
use grognard_program::Reg;

/// What is known of a row.
#[derive(Clone, Copy)]
pub(super) struct Uniform {
    value: i32,
    /// The group whose lanes hold the value; or no group, or all lanes of the block.
    of: u64,
}

impl Uniform {
    /// Nothing.
    pub const NOTHING: Uniform = Uniform { value: 0, of: 0 };
    /// All lanes of the block.
    const ALL: u64 = u64::MAX;

    /// The same in all lanes of the block.
    pub fn everywhere(value: i32) -> Uniform {
        Uniform { value, of: Uniform::ALL }
    }

    /// True if all lanes of the block hold a value.
    pub fn is_everywhere(self, value: i32) -> bool {
        self.of == Uniform::ALL && self.value == value
    }

    /// The value of the lanes of a group.
    #[inline(always)]
    pub fn of(self, group: u64) -> Option<i32> {
        (self.of == Uniform::ALL || self.of == group).then_some(self.value)
    }
}

impl Block<'_> {
    /// The group has other lanes than before: what was known of the old one is so no more.
    #[inline(always)]
    pub(super) fn regroup(&mut self) {
        self.group += 1;
    }

    /// The value of a register where it is known to be the same in all lanes of the group. It may be so unknown.
    #[inline(always)]
    pub(super) fn known(&self, reg: Reg) -> Option<i32> {
        let row = self.base + reg as usize;
        let value = self.uniform[row].of(self.group);
        debug_assert!(value.is_none_or(|value| self.holds(&self.regs[row], value)), "register {reg} is not uniform");
        value
    }

    /// The same of a cell of the table.
    #[inline(always)]
    pub(super) fn known_cell(&self, at: usize) -> Option<i32> {
        let value = self.uniform_cells[at].of(self.group);
        debug_assert!(value.is_none_or(|value| self.holds(&self.cells[at], value)), "cell {at} is not uniform");
        value
    }

    fn holds(&self, row: &Row, value: i32) -> bool {
        fold(row, &self.mask, 0, |other, cell, mask| other | ((cell ^ value) & mask)) == 0
    }

    /// The value of a register, if it is the same in all lanes of the group.
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

    /// A value comes into a register in all lanes of the group.
    #[inline(always)]
    pub(super) fn fill(&mut self, dst: Reg, value: i32) {
        self.fill_row(self.base + dst as usize, value);
    }

    #[inline(always)]
    pub(super) fn fill_row(&mut self, row: usize, value: i32) {
        if self.uniform[row].of(self.group) == Some(value) {
            return;
        }
        self.uniform[row] = fill(&mut self.regs[row], value, &self.mask, self.waiting == 0, self.group);
    }

    /// A value comes into a cell of the table in all lanes of the group.
    #[inline(always)]
    pub(super) fn fill_cell(&mut self, at: usize, value: i32) {
        if self.uniform_cells[at].of(self.group) == Some(value) {
            return;
        }
        self.uniform_cells[at] = fill(&mut self.cells[at], value, &self.mask, self.waiting == 0, self.group);
    }
}

/// Writes a value into the lanes of a mask, or into `all`; gives what is known of the row then.
#[inline(always)]
fn fill(row: &mut Row, value: i32, mask: &Row, all: bool, group: u64) -> Uniform {
    if all {
        row.0.fill(value);
        return Uniform::everywhere(value);
    }
    blend_value(row, value, mask);
    Uniform { value, of: group }
}
