//! Lists of a block: entries of all lanes in adjacent rows, with a separate length for each lane.

use super::cells::{Row, SOME, change, each_of_two, fold, handle, list};
use super::groups::put;
use super::uniform::Uniform;
use super::{Block, LANES};
use grognard_base::value::Op;
use grognard_program::Reg;
use grognard_vm::Pairs;

/// Maximum length for sorting all lanes at once for the highest dice; longer lists are sorted lane by lane.
const FEW: usize = 64;

impl Block<'_> {
    /// Returns the first row of a list with entries of `n` cells, and the maximum length; sets `lens` to the length of each lane.
    /// Lists that begin in different rows are copied to common rows first. Returns `None` if there is no room.
    #[inline(always)]
    pub(super) fn rows(&mut self, reg: Reg, n: usize) -> Option<(usize, usize)> {
        let row = &self.regs[self.base + reg as usize];
        let (most, first, last) = parts_of_lists(&mut self.lens, row, &self.mask);
        if first >= last {
            return Some((last as usize, most as usize));
        }
        each_of_two(&mut self.out, row, &self.mask, |cell, mask| (cell.max(0) & mask) >> 16);
        Some((self.side_by_side(most as usize, n)?, most as usize))
    }

    #[cold]
    fn side_by_side(&mut self, most: usize, n: usize) -> Option<usize> {
        let to = self.room(most * n)?;
        for lane in 0..LANES {
            if self.mask.0[lane] != 0 {
                let from = self.out.0[lane] as usize;
                for row in 0..self.lens.0[lane] as usize * n {
                    self.heap[to + row].0[lane] = self.heap[from + row].0[lane];
                }
            }
        }
        Some(to)
    }

    /// Counts the entries for which a comparison with a value holds.
    #[inline(always)]
    pub(super) fn look_at(&mut self, dst: Reg, list: Reg, than: Reg, holds: impl Fn(i32, i32) -> bool) {
        let Some((at, most)) = self.rows(list, 1) else { return self.leave() };
        let than = &self.regs[self.base + than as usize];
        count_those(&mut self.out, &self.heap[at..at + most], than, &self.lens, &holds);
        self.put(self.base + dst as usize);
    }

    /// Counts the entries of two lists for which the comparison with the entry at the same index fails, without the loop of the
    /// rules. It requires that each list begins in one row. Of the registers of the loop, only the count is read afterwards.
    #[inline(always)]
    pub(super) fn pairs(&mut self, pairs: &Pairs, skips: impl Fn(i32, i32) -> bool) {
        let [a, b] = pairs.lists.map(|list| self.base + list as usize);
        let (most, first, last) = parts_of_lists(&mut self.taken, &self.regs[a], &self.mask);
        let (other, from, to) = parts_of_lists(&mut self.lens, &self.regs[b], &self.mask);
        // The minimum of the maximum lengths is an upper bound of the rounds.
        let most = most.min(other) as usize;
        if first < last || from < to || self.fuel < most as u64 {
            return self.length(pairs.lengths[0], pairs.lists[0]);
        }
        self.fuel -= most as u64;
        change(&mut self.lens, &self.taken, &self.taken, |len, other, _| len.min(other));
        let (a, b) = (&self.heap[last as usize..last as usize + most], &self.heap[to as usize..to as usize + most]);
        count_pairs(&mut self.out, a, b, &self.lens, &skips);
        self.put(self.base + pairs.at as usize);
        self.sum(pairs.count, pairs.count, pairs.at, i32::wrapping_add);
        self.go(pairs.end);
    }

    #[inline(always)]
    pub(super) fn total(&mut self, dst: Reg, list: Reg) {
        let Some((at, most)) = self.rows(list, 1) else { return self.leave() };
        self.add_up(at, most);
        self.leave_marked();
        self.put(self.base + dst as usize);
    }

    #[inline(always)]
    pub(super) fn length(&mut self, dst: Reg, list: Reg) {
        self.single(dst, list, |cell| cell.max(0) & 0xffff);
    }

    /// Loads the entry at an index from 0, which must exist.
    #[inline(always)]
    pub(super) fn entry(&mut self, dst: Reg, list: Reg, index: Reg, n: usize) {
        let index_of = self.same(index);
        let Some((at, most)) = self.rows(list, n) else { return self.leave() };
        for cell in 0..n {
            match index_of {
                Some(index) if (index as usize) < most => self.out.0 = self.heap[at + index as usize * n + cell].0,
                _ => self.entry_of_each(index, at, n, cell),
            }
            self.put(self.base + dst as usize + cell);
        }
    }

    fn entry_of_each(&mut self, index: Reg, at: usize, n: usize, cell: usize) {
        let index = &self.regs[self.base + index as usize].0;
        for lane in 0..LANES {
            let row = at + index[lane].max(0) as usize * n + cell;
            self.out.0[lane] = match self.heap.get(row) {
                Some(row) if self.mask.0[lane] != 0 => row.0[lane],
                _ => 0,
            };
        }
    }

    /// Appends an entry: in place if every list ends at the top of its lane's heap, otherwise after a copy to the top.
    #[inline(always)]
    pub(super) fn push(&mut self, to: Reg, src: Reg, n: usize) {
        let reg = self.base + to as usize;
        let Some(value) = self.same(to) else { return self.push_each(reg, src, n) };
        let (at, len) = list(value);
        let Some(top) = self.room(n) else { return self.leave() };
        let end = if len == 0 { top } else { at + len * n };
        let other = fold(&self.tops, &self.mask, 0, |other, own, mask| other | ((own ^ end as i32) & mask));
        if len > 0 && (other != 0 || end != top) || len >= 10_000 {
            return self.push_each(reg, src, n);
        }
        for cell in 0..n {
            self.out.0 = self.regs[self.base + src as usize + cell].0;
            put(&mut self.heap[end + cell], &mut self.out, &self.mask, self.waiting == 0);
        }
        let begin = if len == 0 { top } else { at };
        self.fill(to, handle(begin, len + 1));
        let top = (end + n) as i32;
        change(&mut self.tops, &self.mask, &self.mask, |own, mask, _| (top & mask) | (own & !mask));
    }

    #[cold]
    fn push_each(&mut self, reg: usize, src: Reg, n: usize) {
        self.uniform[reg] = Uniform::NOTHING;
        let most =
            self.regs[reg].0.iter().zip(&self.mask.0).fold(0, |most, (cell, mask)| most.max(list(cell & mask).1));
        if most >= 10_000 || self.room((most + 1) * n).is_none() {
            return self.leave();
        }
        for lane in 0..LANES {
            if self.mask.0[lane] == 0 {
                continue;
            }
            let (mut at, len) = list(self.regs[reg].0[lane]);
            let top = self.tops.0[lane] as usize;
            if len == 0 || at + len * n != top {
                for row in 0..len * n {
                    self.heap[top + row].0[lane] = self.heap[at + row].0[lane];
                }
                at = top;
            }
            for cell in 0..n {
                self.heap[at + len * n + cell].0[lane] = self.regs[self.base + src as usize + cell].0[lane];
            }
            self.regs[reg].0[lane] = handle(at, len + 1);
            self.tops.0[lane] = (at + (len + 1) * n) as i32;
        }
    }

    /// Returns the highest or lowest entries in order. Each pass moves the next one to the front by comparing adjacent rows
    /// (a partial bubble sort).
    #[inline(always)]
    pub(super) fn highest(&mut self, op: Op, dst: Reg, how_many: Reg, from: Reg) {
        let Some((at, most)) = self.rows(from, 1).filter(|(_, most)| *most <= FEW) else {
            return self.lane_by_lane(op, dst, how_many, from, 1);
        };
        let (up, last) = (op == Op::Highest, if op == Op::Highest { i32::MIN } else { i32::MAX });
        let wanted = &self.regs[self.base + how_many as usize];
        each_of_two(&mut self.taken, wanted, &self.mask, |wanted, mask| wanted & mask);
        let longest = fold(wanted, &self.lens, 0, |longest, wanted, len| longest.max(wanted.min(len)));
        let longest = (longest as usize).min(most);
        while self.sorted.len() < most {
            self.sorted.push(Box::new(Row::all(0)));
        }
        for (n, (sorted, row)) in (0..).zip(self.sorted.iter_mut().zip(&self.heap[at..at + most])) {
            each_of_two(sorted, row, &self.lens, |entry, len| if n < len { entry } else { last });
        }
        for first in 0..longest {
            for n in (first + 1..most).rev() {
                let (upper, lower) = self.sorted.split_at_mut(n);
                exchange(&mut upper[n - 1], &mut lower[0], up);
            }
        }
        // The sorted rows can replace the entries, which are not needed any more.
        let Some(to) = self.room(longest) else { return self.leave() };
        for (row, sorted) in self.heap[to..].iter_mut().zip(&mut self.sorted[..longest]) {
            put(row, sorted, &self.mask, self.waiting == 0);
        }
        self.leave_marked();
        let wanted = &self.regs[self.base + how_many as usize];
        change(&mut self.lens, wanted, &self.mask, |len, wanted, mask| wanted.min(len) & mask);
        self.give_list(self.base + dst as usize, to);
    }
}

/// Sets the lengths of the lists of a mask. Returns the maximum, and the first and the last row at which a list begins.
#[inline(always)]
fn parts_of_lists(lens: &mut Row, lists: &Row, mask: &Row) -> (i32, i32, i32) {
    let (mut most, mut first, mut last) = (0, i32::MAX, 0);
    for n in 0..LANES {
        let cell = lists.0[n].max(0) & mask.0[n];
        let (len, at) = (cell & 0xffff, cell >> 16);
        lens.0[n] = len;
        most = len.max(most);
        last = at.max(last);
        // An empty list has no first row.
        first = first.min(if len > 0 { at } else { i32::MAX });
    }
    (most, first, last)
}

/// Counts the entries of rows for which a comparison holds, up to the length of each lane.
#[inline(always)]
fn count_those(out: &mut Row, rows: &[Box<Row>], than: &Row, lens: &Row, holds: &impl Fn(i32, i32) -> bool) {
    // A few lanes at a time, so that their counts stay in registers.
    for from in (0..LANES).step_by(SOME) {
        let (mut count, mut value, mut len) = ([0; SOME], [0; SOME], [0; SOME]);
        value.copy_from_slice(&than.0[from..from + SOME]);
        len.copy_from_slice(&lens.0[from..from + SOME]);
        for (n, row) in (0..).zip(rows) {
            let row = &row.0[from..from + SOME];
            for lane in 0..SOME {
                let counts = i32::from(holds(row[lane], value[lane]) & (n < len[lane]));
                count[lane] = i32::wrapping_add(count[lane], counts);
            }
        }
        out.0[from..from + SOME].copy_from_slice(&count);
    }
}

/// Counts the entries for which a comparison with those of other rows fails, up to the length of each lane.
#[inline(always)]
fn count_pairs(out: &mut Row, a: &[Box<Row>], b: &[Box<Row>], lens: &Row, skips: &impl Fn(i32, i32) -> bool) {
    for from in (0..LANES).step_by(SOME) {
        let (mut count, mut len) = ([0; SOME], [0; SOME]);
        len.copy_from_slice(&lens.0[from..from + SOME]);
        for (n, (a, b)) in (0..).zip(a.iter().zip(b)) {
            let (a, b) = (&a.0[from..from + SOME], &b.0[from..from + SOME]);
            for lane in 0..SOME {
                let counts = i32::from(!skips(a[lane], b[lane]) & (n < len[lane]));
                count[lane] = i32::wrapping_add(count[lane], counts);
            }
        }
        out.0[from..from + SOME].copy_from_slice(&count);
    }
}

/// Moves the greater (or lesser) of two entries to the first row.
#[inline(always)]
fn exchange(a: &mut Row, b: &mut Row, up: bool) {
    if up {
        change_both_own(a, b, |x, y| (x.max(y), x.min(y)));
    } else {
        change_both_own(a, b, |x, y| (x.min(y), x.max(y)));
    }
}

#[inline(always)]
fn change_both_own(a: &mut Row, b: &mut Row, f: impl Fn(i32, i32) -> (i32, i32)) {
    for n in 0..LANES {
        (a.0[n], b.0[n]) = f(a.0[n], b.0[n]);
    }
}
