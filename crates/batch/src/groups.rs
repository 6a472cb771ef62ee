//! The running group of lanes and the waiting lanes: masks, divergence and reconvergence.

use super::cells::{Row, blend, change, fold};
use super::uniform::Uniform;
use super::{Block, LANES};
use grognard_program::Pc;

/// The place of waiting lanes that have returned from a call.
const BACK: u32 = (1 << 24) - 1;

impl Block<'_> {
    /// Returns the key of lanes of the innermost call that wait at a place.
    #[inline(always)]
    fn key(&self, pc: Pc) -> u32 {
        (self.depth as u32) << 24 | pc
    }

    /// Finds the lowest place at which lanes of this call wait.
    #[inline(always)]
    fn look(&mut self) {
        if self.waiting == 0 {
            self.next = u32::MAX;
            return;
        }
        let floor = (self.depth as u32) << 24;
        let lowest = self.keys.iter().fold(u32::MAX, |lowest, key| lowest.min(key.wrapping_sub(floor)));
        self.next = if lowest > BACK { u32::MAX } else { lowest };
    }

    /// Adds the lanes that wait at a place to the group.
    #[inline(always)]
    pub(super) fn join(&mut self, pc: Pc) {
        let key = self.key(pc);
        let joined = join(&mut self.keys, &mut self.mask, key);
        self.count += joined as usize;
        self.waiting -= joined as usize;
        self.regroup();
        self.look();
    }

    /// Selects the next group when the current one is empty. Returns `false` if no lane is left.
    #[inline(always)]
    pub(super) fn pick(&mut self) -> bool {
        loop {
            match self.next {
                u32::MAX if self.depth == 0 => return false,
                BACK if self.depth == 0 => {
                    self.join(BACK);
                    self.mask.0.fill(0);
                    self.count = 0;
                    return false;
                }
                u32::MAX => {
                    self.leave_call();
                    self.look();
                }
                BACK => {
                    self.join(BACK);
                    self.pc = self.leave_call();
                    self.look();
                    return true;
                }
                pc => {
                    self.join(pc);
                    self.pc = pc;
                    return true;
                }
            }
        }
    }

    /// Makes the whole group wait at a place.
    #[inline(always)]
    pub(super) fn park(&mut self, pc: Pc) {
        let key = self.key(pc);
        park(&mut self.keys, &mut self.mask, key);
        self.waiting += self.count;
        self.count = 0;
        self.next = self.next.min(pc);
    }

    /// Returns from the call in all lanes of the group.
    #[inline(always)]
    pub(super) fn come_back(&mut self) {
        if self.next == u32::MAX && self.depth > 0 {
            // No other lane is in this call.
            self.pc = self.leave_call();
            self.look();
        } else {
            self.park(BACK);
        }
    }

    /// Continues the whole group at a place.
    #[inline(always)]
    pub(super) fn go(&mut self, to: Pc) {
        if to > self.next {
            self.park(to);
        } else {
            self.pc = to;
        }
    }

    /// Splits the group at a jump: the `taken` lanes continue at `to`, the others after the jump.
    #[inline(always)]
    pub(super) fn part(&mut self, taken: usize, to: Pc) {
        if taken == 0 {
            return;
        }
        if to < self.pc && !self.burn() {
            return;
        }
        if taken == self.count {
            return self.go(to);
        }
        let back = to < self.pc;
        let place = if back { self.pc } else { to };
        let key = self.key(place);
        let stays = if back { -1 } else { 0 };
        part(&mut self.keys, &mut self.mask, &self.taken, key, stays);
        let waits = if back { self.count - taken } else { taken };
        self.count -= waits;
        self.waiting += waits;
        self.next = self.next.min(place);
        if back {
            self.pc = to;
        }
    }

    /// Charges a loop round or a call. Returns `false` without fuel; the machine then reports the error.
    #[inline(always)]
    pub(super) fn burn(&mut self) -> bool {
        if self.fuel == 0 {
            self.leave();
            return false;
        }
        self.fuel -= 1;
        true
    }

    /// Makes the whole group leave the block.
    #[cold]
    pub(super) fn leave(&mut self) {
        self.taken.0 = self.mask.0;
        self.leave_taken();
    }

    /// Makes the taken lanes of the group leave the block at the current instruction.
    #[cold]
    pub(super) fn leave_taken(&mut self) {
        let mut gone = 0;
        for lane in 0..LANES {
            if self.mask.0[lane] & self.taken.0[lane] != 0 {
                self.mask.0[lane] = 0;
                self.live.0[lane] = 0;
                gone += 1;
            }
        }
        self.count -= gone;
        self.left[self.pc as usize - 1] += gone as u64;
    }

    /// Makes the lanes of the group with negative marks in `taken` leave the block.
    #[inline(always)]
    pub(super) fn leave_marked(&mut self) {
        let any = fold(&self.taken, &self.mask, 0, |any, mark, mask| any | (mark & mask));
        if any < 0 {
            let (taken, mask) = (&mut self.taken, &self.mask);
            change(taken, mask, mask, |mark, mask, _| (mark >> 31) & mask);
            self.leave_taken();
        }
    }

    /// Returns the first lane of the group.
    #[inline(always)]
    pub(super) fn lead(&self) -> usize {
        self.mask.0.iter().position(|mask| *mask != 0).unwrap_or(0)
    }

    /// Writes the computed row into a register, in the lanes of the group.
    #[inline(always)]
    pub(super) fn put(&mut self, reg: usize) {
        self.uniform[reg] = Uniform::NOTHING;
        let all = self.alone(reg);
        put(&mut self.regs[reg], &mut self.out, &self.mask, all);
    }
}

/// Writes a row in the lanes of a mask, or swaps it in for all lanes.
#[inline(always)]
pub(super) fn put(to: &mut Box<Row>, from: &mut Box<Row>, mask: &Row, all: bool) {
    if all {
        std::mem::swap(to, from);
        return;
    }
    blend(to, from, mask);
}

// No loop below selects between an old and a new value: compilers turn such a selection into masked loads and stores, which are
// slow on some processors.

/// Adds the lanes that wait under a key to the mask, and returns their number. Invariant: the mask contains no waiting lane.
#[inline(always)]
fn join(keys: &mut [u32; LANES], mask: &mut Row, key: u32) -> u32 {
    let mut joined = 0;
    for n in 0..LANES {
        let here = u32::from(keys[n] == key);
        mask.0[n] = mask.0[n].wrapping_sub(here as i32);
        joined = u32::wrapping_add(joined, here);
        keys[n] |= here.wrapping_neg();
    }
    joined
}

/// Makes the lanes of the mask wait under a key.
#[inline(always)]
fn park(keys: &mut [u32; LANES], mask: &mut Row, key: u32) {
    for n in 0..LANES {
        let waits = mask.0[n] as u32;
        keys[n] = (key & waits) | (keys[n] & !waits);
        mask.0[n] = 0;
    }
}

/// Keeps the taken lanes of the mask (if `stays` is -1) or the others (if it is 0); the rest wait under a key.
#[inline(always)]
fn part(keys: &mut [u32; LANES], mask: &mut Row, taken: &Row, key: u32, stays: i32) {
    for n in 0..LANES {
        let goes = mask.0[n] & !(taken.0[n] ^ stays);
        let waits = (mask.0[n] & !goes) as u32;
        keys[n] = (key & waits) | (keys[n] & !waits);
        mask.0[n] = goes;
    }
}
