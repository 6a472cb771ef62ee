//! Operators of a block: the frequent ones on whole rows, every other lane by lane as the machine does it.

use super::cells::{LIMIT, NO, Row, both, decode, each, each_of_two, encode, handle, list};
use super::{Block, LANES, ROWS};
use crate::machine::{Handle, apply};
use crate::program::Reg;
use crate::value::*;

/// Most cells of an operand that is put to the machine.
const WIDE: u16 = 16;

impl Block<'_> {
    /// Carries out an operator on registers.
    #[inline(always)]
    pub(super) fn operate(&mut self, op: Op, dst: Reg, a: Reg, b: Reg, n: Reg) {
        match op {
            Op::Add => self.sum(dst, a, b, i32::wrapping_add),
            Op::Sub => self.sum(dst, a, b, i32::wrapping_sub),
            Op::Min => self.plain(dst, a, b, i32::min),
            Op::Max => self.plain(dst, a, b, i32::max),
            Op::Eq if n <= 1 => self.plain(dst, a, b, |x, y| i32::from(x == y)),
            Op::Ne if n <= 1 => self.plain(dst, a, b, |x, y| i32::from(x != y)),
            Op::Lt => self.plain(dst, a, b, |x, y| i32::from(x < y)),
            Op::Le => self.plain(dst, a, b, |x, y| i32::from(x <= y)),
            Op::Gt => self.plain(dst, a, b, |x, y| i32::from(x > y)),
            Op::Ge => self.plain(dst, a, b, |x, y| i32::from(x >= y)),
            Op::Not => self.single(dst, a, |x| 1 - x),
            Op::Mul => self.times(dst, a, b),
            Op::Pack => self.pack(dst, a, n),
            Op::Up => self.sum(dst, a, b, i32::wrapping_add),
            Op::Down => self.sum(dst, a, b, i32::wrapping_sub),
            Op::Closed => self.single(dst, a, |x| x.clamp(0, i32::from(n as i16) - 1)),
            Op::IsPast => self.single(dst, a, |x| i32::from(x < 0 || x >= i32::from(n as i16))),
            Op::Next => self.single(dst, a, |x| (x + 1).min(i32::from(n as i16) - 1)),
            Op::Total => self.total(dst, a),
            Op::Highest | Op::Lowest if n == 1 => self.highest(op, dst, a, b),
            Op::Fraction => self.fraction(dst, a, b),
            Op::RoundDown => self.round(dst, a, false),
            Op::RoundUp => self.round(dst, a, true),
            Op::LtRatio => self.ratios(dst, a, b, |x, y| x < y),
            Op::LeRatio => self.ratios(dst, a, b, |x, y| x <= y),
            Op::Eq | Op::Ne | Op::EqCells | Op::EqList | Op::Highest | Op::Lowest => {
                self.lane_by_lane(op, dst, a, b, n)
            }
            Op::Neg | Op::DivLength | Op::AddAngle | Op::SubAngle | Op::MulAngle => self.lane_by_lane(op, dst, a, b, n),
            Op::ToRatio | Op::AddRatio | Op::SubRatio | Op::MulRatio | Op::DivRatio => {
                self.lane_by_lane(op, dst, a, b, n)
            }
            Op::NegRatio | Op::MinRatio | Op::MaxRatio | Op::Open | Op::DieOf => self.lane_by_lane(op, dst, a, b, n),
            Op::Faces | Op::ToDie => self.lane_by_lane(op, dst, a, b, n),
            Op::Size | Op::Nth | Op::Copies | Op::Concat | Op::Median | Op::Mode => self.lane_by_lane(op, dst, a, b, n),
            Op::Distinct | Op::InList | Op::KindOf | Op::NumberOf => self.lane_by_lane(op, dst, a, b, n),
            Op::Below | Op::Tiers | Op::Running | Op::PlaceOf | Op::Point | Op::Dist | Op::DistCmp => self.leave(),
            Op::DistTo | Op::Near | Op::Ranks | Op::Bearing | Op::Within | Op::Sees | Op::Inside => self.leave(),
            Op::Crosses | Op::LengthIn | Op::ToEdge | Op::Touches | Op::Ahead | Op::Rear => self.leave(),
            Op::InFront | Op::InRear | Op::InArc | Op::SameFacing | Op::RoomBehind => self.leave(),
            Op::JustBehind | Op::JustBeyond | Op::Routes | Op::SpotsNear => self.leave(),
        }
    }

    /// What cannot grow too large.
    #[inline(always)]
    pub(super) fn plain(&mut self, dst: Reg, a: Reg, b: Reg, f: impl Fn(i32, i32) -> i32) {
        let (x, y) = (&self.regs[self.base + a as usize], &self.regs[self.base + b as usize]);
        each_of_two(&mut self.out, x, y, f);
        self.put(self.base + dst as usize);
    }

    /// The same from one.
    #[inline(always)]
    pub(super) fn single(&mut self, dst: Reg, a: Reg, f: impl Fn(i32) -> i32) {
        each(&mut self.out, &self.regs[self.base + a as usize], f);
        self.put(self.base + dst as usize);
    }

    /// What may: lanes in which it does leave. The second number is below 0 there.
    #[inline(always)]
    pub(super) fn marked(&mut self, dst: Reg, a: Reg, b: Reg, f: impl Fn(i32, i32) -> (i32, i32)) {
        let (x, y) = (&self.regs[self.base + a as usize], &self.regs[self.base + b as usize]);
        both(&mut self.out, &mut self.taken, x, y, f);
        self.leave_marked();
        self.put(self.base + dst as usize);
    }

    /// A sum of any sort.
    #[inline(always)]
    pub(super) fn sum(&mut self, dst: Reg, a: Reg, b: Reg, f: impl Fn(i32, i32) -> i32) {
        self.marked(dst, a, b, |x, y| {
            let sum = f(x, y);
            (sum, sum.wrapping_add(LIMIT))
        });
    }

    #[inline(always)]
    fn times(&mut self, dst: Reg, a: Reg, b: Reg) {
        self.marked(dst, a, b, |x, y| {
            let value = i64::from(x) * i64::from(y);
            let fits = value >= i64::from(-LIMIT) && value < i64::from(LIMIT);
            (value as i32, i32::from(fits) - 1)
        });
    }

    #[inline(always)]
    fn pack(&mut self, dst: Reg, a: Reg, kind: Reg) {
        if kind >= 1 << 9 {
            return self.leave();
        }
        let kind = if kind == 0 { 0 } else { LIMIT | i32::from(kind as i16) << 20 };
        // a missing thing, or one of a million, leaves
        self.marked(dst, a, a, |x, _| (kind | x, x | (0xf_ffff - x)));
    }

    fn fraction(&mut self, dst: Reg, a: Reg, b: Reg) {
        let (a, b, dst) = (self.base + a as usize, self.base + b as usize, self.base + dst as usize);
        self.taken.0.fill(0);
        for lane in 0..LANES {
            if self.mask.0[lane] == 0 {
                continue;
            }
            let (x, y) = (self.regs[a].0[lane], self.regs[b].0[lane]);
            match Ratio::new(decode(x), decode(y)).filter(|_| y != 0) {
                Some(ratio) if x.abs() < LIMIT && y.abs() < LIMIT => {
                    self.regs[dst].0[lane] = ratio.num() as i32;
                    self.regs[dst + 1].0[lane] = ratio.den() as i32;
                }
                _ => self.taken.0[lane] = -1,
            }
        }
        self.leave_marked();
    }

    fn round(&mut self, dst: Reg, a: Reg, up: bool) {
        let a = self.base + a as usize;
        self.taken.0.fill(0);
        for lane in 0..LANES {
            let (x, y) = (self.regs[a].0[lane], self.regs[a + 1].0[lane]);
            if self.mask.0[lane] == 0 || y < 1 || x <= -LIMIT || x >= LIMIT {
                self.taken.0[lane] = -1;
                continue;
            }
            let floor = x.div_euclid(y);
            self.out.0[lane] = floor + i32::from(up && floor * y != x);
        }
        self.leave_marked();
        self.put(self.base + dst as usize);
    }

    #[inline(always)]
    fn ratios(&mut self, dst: Reg, a: Reg, b: Reg, holds: impl Fn(i64, i64) -> bool) {
        let row = |reg: usize| &*self.regs[self.base + reg];
        let (a, b) = (a as usize, b as usize);
        let (x, under_x, y, under_y) = (row(a), row(a + 1), row(b), row(b + 1));
        compare_ratios(&mut self.out, [x, under_x, y, under_y], holds);
        // a missing one has words of its own
        each_of_two(&mut self.taken, x, y, |x, y| -i32::from(x == NO || y == NO));
        self.leave_marked();
        self.put(self.base + dst as usize);
    }

    /// Lane by lane as the machine does it; lanes in which that fails or does not fit leave.
    #[cold]
    pub(super) fn lane_by_lane(&mut self, op: Op, dst: Reg, a: Reg, b: Reg, n: Reg) {
        if n > WIDE || self.regs.len() < self.base + (dst.max(a).max(b) + WIDE.max(2)) as usize {
            while n <= WIDE && self.regs.len() < (self.base + (dst.max(a).max(b) + WIDE) as usize).min(ROWS) {
                self.regs.push(Box::new(Row::all(0)));
            }
            if n > WIDE || self.regs.len() < self.base + (dst.max(a).max(b) + WIDE) as usize {
                return self.leave();
            }
        }
        self.taken.0.fill(0);
        for lane in 0..LANES {
            if self.mask.0[lane] != 0 && self.one(lane, op, dst, a, b, n).is_none() {
                self.taken.0[lane] = -1;
            }
        }
        self.leave_marked();
    }

    /// The same in one lane; none if it fails.
    fn one(&mut self, lane: usize, op: Op, dst: Reg, a: Reg, b: Reg, n: Reg) -> Option<()> {
        const TO: Reg = 0;
        const FIRST: Reg = WIDE;
        const SECOND: Reg = 2 * WIDE;
        let facts = op.facts();
        self.scratch.heap.clear();
        self.scratch.stack.clear();
        self.scratch.stack.resize(3 * WIDE as usize, 0);
        self.scratch.base = 0;
        for ((takes, from), to) in facts.takes.iter().zip([a, b]).zip([FIRST, SECOND]) {
            for cell in 0..takes.width(n) {
                let value = self.regs[self.base + (from + cell) as usize].0[lane];
                let cell = (to + cell) as usize;
                self.scratch.stack[cell] = if takes.demand().is_none() || value < 0 {
                    decode(value)
                } else {
                    let (at, len) = list(value);
                    let begin = self.scratch.heap.len();
                    let rows = &self.heap[at..at + len * n as usize];
                    self.scratch.heap.extend(rows.iter().map(|row| decode(row.0[lane])));
                    Handle { at: begin, len }.cell()
                };
            }
        }
        apply(self.game, &mut self.scratch, op, TO, FIRST, SECOND, n).ok()?;
        for cell in 0..facts.gives.width(n) {
            let value = self.scratch.stack[cell as usize];
            let value = match facts.gives.entries(n) {
                Some(width) if cell == 0 && value != NONE => self.keep(lane, Handle::of(value), width as usize)?,
                _ => encode(value)?,
            };
            self.regs[self.base + (dst + cell) as usize].0[lane] = value;
        }
        Some(())
    }

    /// A list of the machine becomes one of a lane.
    fn keep(&mut self, lane: usize, found: Handle, width: usize) -> Option<i32> {
        let (at, rows) = (self.tops.0[lane] as usize, found.len * width);
        if at + rows > ROWS {
            return None;
        }
        while self.heap.len() < at + rows {
            self.heap.push(Box::new(Row::all(0)));
        }
        for row in 0..rows {
            self.heap[at + row].0[lane] = encode(self.scratch.heap[found.at + row])?;
        }
        self.tops.0[lane] = (at + rows) as i32;
        Some(handle(at, found.len))
    }
}

/// Denominators are above 0, so fractions compare by cross-multiplication.
#[inline(always)]
fn compare_ratios(out: &mut Row, [x, under_x, y, under_y]: [&Row; 4], holds: impl Fn(i64, i64) -> bool) {
    for n in 0..LANES {
        let left = i64::from(x.0[n]) * i64::from(under_y.0[n]);
        let right = i64::from(y.0[n]) * i64::from(under_x.0[n]);
        out.0[n] = i32::from(holds(left, right));
    }
}
