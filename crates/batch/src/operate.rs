//! Operators of a block: the frequent ones on whole rows, all others lane by lane with the code of the machine.

use super::cells::{LIMIT, NO, Row, SOME, decode, each, each_of_two, encode, fold, handle, lanes, list, marked};
use super::uniform::Uniform;
use super::{Block, LANES, LIST_ROWS, ROWS};
use grognard_base::value::*;
use grognard_program::Reg;
use grognard_vm::{Handle, apply};

/// Maximum number of cells of an operand for the machine.
const WIDE: u16 = 16;

impl Block<'_> {
    /// Executes an operator on registers.
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
            Op::Not => self.single(dst, a, |x| x ^ 1),
            Op::Mul => self.times(dst, a, b),
            Op::Pack => self.pack(dst, a, n),
            Op::Up => self.sum(dst, a, b, i32::wrapping_add),
            Op::Down => self.sum(dst, a, b, i32::wrapping_sub),
            Op::Closed => self.single(dst, a, |x| x.clamp(0, i32::from(n as i16) - 1)),
            Op::IsPast => self.single(dst, a, |x| i32::from(x < 0 || x >= i32::from(n as i16))),
            Op::Next => self.single(dst, a, |x| x.wrapping_add(1).min(i32::from(n as i16) - 1)),
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
            Op::RoundNear | Op::Remainder | Op::TurnBetween => self.lane_by_lane(op, dst, a, b, n),
            Op::NegRatio | Op::MinRatio | Op::MaxRatio | Op::Open | Op::DieOf => self.lane_by_lane(op, dst, a, b, n),
            Op::Faces | Op::ToDie => self.lane_by_lane(op, dst, a, b, n),
            Op::Size | Op::Nth | Op::Copies | Op::Concat | Op::Without | Op::Median | Op::Mode => {
                self.lane_by_lane(op, dst, a, b, n)
            }
            Op::Distinct | Op::InList | Op::KindOf | Op::NumberOf => self.lane_by_lane(op, dst, a, b, n),
            Op::WithFallen | Op::Below | Op::Tiers | Op::Running | Op::PlaceOf | Op::Point | Op::Dist | Op::DistCmp => {
                self.leave()
            }
            Op::DistTo | Op::Near | Op::Ranks | Op::Bearing | Op::Within | Op::Sees | Op::Inside => self.leave(),
            Op::Crosses | Op::LengthIn | Op::ToEdge | Op::Touches | Op::Ahead | Op::Rear => self.leave(),
            Op::InFront | Op::InRear | Op::InArc | Op::SameFacing | Op::RoomBehind => self.leave(),
            Op::JustBehind | Op::JustBeyond | Op::Routes | Op::SpotsNear => self.leave(),
        }
    }

    /// Executes an operator whose result always fits.
    #[inline(always)]
    pub(super) fn plain(&mut self, dst: Reg, a: Reg, b: Reg, f: impl Fn(i32, i32) -> i32) {
        if let (Some(x), Some(y)) = (self.known(a), self.known(b)) {
            return self.fill(dst, f(x, y));
        }
        let (x, y) = (&self.regs[self.base + a as usize], &self.regs[self.base + b as usize]);
        each_of_two(&mut self.out, x, y, f);
        self.put(self.base + dst as usize);
    }

    /// Executes a unary operator whose result always fits.
    #[inline(always)]
    pub(super) fn single(&mut self, dst: Reg, a: Reg, f: impl Fn(i32) -> i32) {
        if let Some(x) = self.known(a) {
            return self.fill(dst, f(x));
        }
        each(&mut self.out, &self.regs[self.base + a as usize], f);
        self.put(self.base + dst as usize);
    }

    /// Executes an operator whose result can overflow. `f` returns a negative mark if it does, and the lane then leaves.
    #[inline(always)]
    pub(super) fn marked(&mut self, dst: Reg, a: Reg, b: Reg, f: impl Fn(i32, i32) -> (i32, i32)) {
        if let (Some(x), Some(y)) = (self.known(a), self.known(b)) {
            let (value, mark) = f(x, y);
            return if mark < 0 { self.leave() } else { self.fill(dst, value) };
        }
        let (x, y) = (&self.regs[self.base + a as usize], &self.regs[self.base + b as usize]);
        if marked(&mut self.out, x, y, &self.mask, &f) < 0 {
            each_of_two(&mut self.taken, x, y, |x, y| f(x, y).1);
            self.leave_marked();
        }
        self.put(self.base + dst as usize);
    }

    /// Executes a sum or difference.
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
        // A missing thing, or one with a number above 2^20 - 1, leaves.
        self.marked(dst, a, a, |x, _| (kind | x, x | i32::wrapping_sub(0xf_ffff, x)));
    }

    /// Computes a fraction in lowest terms.
    #[inline(always)]
    fn fraction(&mut self, dst: Reg, a: Reg, b: Reg) {
        match (self.known(a), self.known(b)) {
            (Some(over), Some(under)) => match lowest_terms(over, under) {
                Some((num, den)) => {
                    self.fill(dst, num);
                    self.fill(dst + 1, den);
                }
                None => self.leave(),
            },
            (None, Some(under)) if split(under).is_some() => self.fraction_of(dst, a, under),
            _ => self.fraction_of_each(dst, a, b),
        }
    }

    /// Computes fractions over one denominator, a product of 2, 3 and 5: divides out each prime where it divides.
    #[inline(always)]
    fn fraction_of(&mut self, dst: Reg, a: Reg, under: i32) {
        let x = &self.regs[self.base + a as usize];
        if marked(&mut self.out, x, x, &self.mask, |x, _| (x, out_of_range(x))) < 0 {
            each_of_two(&mut self.taken, x, x, |x, _| out_of_range(x));
            self.leave_marked();
        }
        self.lens.0.fill(under);
        let [twos, threes, fives] = split(under).unwrap_or_default();
        // No closures: they would not be compiled for the instruction set of this function.
        for _ in 0..twos {
            reduce::<2>(&mut self.out, &mut self.lens);
        }
        for _ in 0..threes {
            reduce::<3>(&mut self.out, &mut self.lens);
        }
        for _ in 0..fives {
            reduce::<5>(&mut self.out, &mut self.lens);
        }
        let dst = self.base + dst as usize;
        self.put(dst);
        std::mem::swap(&mut self.out, &mut self.lens);
        self.put(dst + 1);
    }

    fn fraction_of_each(&mut self, dst: Reg, a: Reg, b: Reg) {
        let (a, b, dst) = (self.base + a as usize, self.base + b as usize, self.base + dst as usize);
        self.taken.0.fill(0);
        self.uniform[dst..dst + 2].fill(Uniform::NOTHING);
        for lane in lanes(&self.mask) {
            let (x, y) = (self.regs[a].0[lane], self.regs[b].0[lane]);
            match lowest_terms(x, y) {
                Some((num, den)) => (self.regs[dst].0[lane], self.regs[dst + 1].0[lane]) = (num, den),
                None => self.taken.0[lane] = -1,
            }
        }
        self.leave_marked();
    }

    #[inline(always)]
    fn round(&mut self, dst: Reg, a: Reg, up: bool) {
        if let (Some(x), Some(y)) = (self.known(a), self.known(a + 1)) {
            if out_of_range(x) < 0 || y < 1 {
                return self.leave();
            }
            return self.fill(dst, x.div_euclid(y) + i32::from(up && x.rem_euclid(y) > 0));
        }
        let a = self.base + a as usize;
        let (x, y) = (&self.regs[a], &self.regs[a + 1]);
        if marked(&mut self.out, x, y, &self.mask, |x, y| (x, out_of_range(x) | y.wrapping_sub(1))) < 0 {
            each_of_two(&mut self.taken, x, y, |x, y| out_of_range(x) | y.wrapping_sub(1));
            self.leave_marked();
        }
        let (x, y) = (&self.regs[a], &self.regs[a + 1]);
        let greatest = fold(x, &self.mask, 0, |greatest, x, mask| greatest | (x & mask).unsigned_abs() as i32);
        rounded(&mut self.out, x, y, 31 - greatest.leading_zeros().min(31) + 1, up);
        self.put(self.base + dst as usize);
    }

    #[inline(always)]
    fn ratios(&mut self, dst: Reg, a: Reg, b: Reg, holds: impl Fn(i64, i64) -> bool) {
        if let [Some(x), Some(under_x), Some(y), Some(under_y)] = [a, a + 1, b, b + 1].map(|reg| self.known(reg)) {
            if x == NO || y == NO {
                return self.leave();
            }
            let holds = holds(i64::from(x) * i64::from(under_y), i64::from(y) * i64::from(under_x));
            return self.fill(dst, i32::from(holds));
        }
        let row = |reg: usize| &*self.regs[self.base + reg];
        let (a, b) = (a as usize, b as usize);
        let (x, under_x, y, under_y) = (row(a), row(a + 1), row(b), row(b + 1));
        compare_ratios(&mut self.out, [x, under_x, y, under_y], holds);
        // Missing values compare by separate rules.
        each_of_two(&mut self.taken, x, y, |x, y| -i32::from(x == NO || y == NO));
        self.leave_marked();
        self.put(self.base + dst as usize);
    }

    /// Executes an operator lane by lane with the code of the machine. Lanes in which it fails or the result does not fit leave.
    #[cold]
    pub(super) fn lane_by_lane(&mut self, op: Op, dst: Reg, a: Reg, b: Reg, n: Reg) {
        if n > WIDE || self.regs.len() < self.base + (dst.max(a).max(b) + WIDE.max(2)) as usize {
            while n <= WIDE && self.regs.len() < (self.base + (dst.max(a).max(b) + WIDE) as usize).min(ROWS) {
                self.regs.push(Box::new(Row::all(0)));
                self.uniform.push(Uniform::everywhere(0));
            }
            if n > WIDE || self.regs.len() < self.base + (dst.max(a).max(b) + WIDE) as usize {
                return self.leave();
            }
        }
        let facts = op.facts();
        let from = self.base + dst as usize;
        let given = from..from + facts.gives.width(n) as usize;
        if self.alike(op, a, b, n) {
            // one computation for all lanes
            if self.one(self.lead(), op, dst, a, b, n).is_none() {
                return self.leave();
            }
            for row in given {
                let value = self.regs[row].0[self.lead()];
                self.uniform[row] = Uniform::NOTHING;
                self.fill_row(row, value);
            }
            return;
        }
        self.uniform[given].fill(Uniform::NOTHING);
        self.taken.0.fill(0);
        for lane in lanes(&self.mask) {
            if self.one(lane, op, dst, a, b, n).is_none() {
                self.taken.0[lane] = -1;
            }
        }
        self.leave_marked();
    }

    /// Returns whether an operator has plain operands that are uniform, and a plain result.
    fn alike(&self, op: Op, a: Reg, b: Reg, n: Reg) -> bool {
        let facts = op.facts();
        let plain = facts.gives.entries(n).is_none() && facts.takes.iter().all(|takes| takes.demand().is_none());
        plain
            && facts
                .takes
                .iter()
                .zip([a, b])
                .all(|(takes, from)| (0..takes.width(n)).all(|cell| self.known(from + cell).is_some()))
    }

    /// Executes an operator in one lane. Returns `None` if it fails.
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

    /// Copies a list of the machine to the heap of a lane.
    fn keep(&mut self, lane: usize, found: Handle, width: usize) -> Option<i32> {
        let (at, rows) = (self.tops.0[lane] as usize, found.len * width);
        if at + rows > LIST_ROWS {
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

/// Returns -1 for cells that are not numbers.
#[inline(always)]
fn out_of_range(x: i32) -> i32 {
    -i32::from((x <= -LIMIT) | (x >= LIMIT))
}

/// Returns a fraction in lowest terms, or `None` if an operand is not a number or the denominator is 0.
fn lowest_terms(over: i32, under: i32) -> Option<(i32, i32)> {
    let fits = under != 0 && out_of_range(over) == 0 && out_of_range(under) == 0;
    let ratio = Ratio::new(i64::from(over), i64::from(under)).filter(|_| fits)?;
    Some((ratio.num() as i32, ratio.den() as i32))
}

/// Returns the exponents of 2, 3 and 5 in a positive number, or `None` if it has another prime factor.
fn split(mut number: i32) -> Option<[u32; 3]> {
    let mut times = [0; 3];
    for (times, prime) in times.iter_mut().zip([2, 3, 5]) {
        while number > 0 && number % prime == 0 {
            number /= prime;
            *times += 1;
        }
    }
    (number == 1).then_some(times)
}

/// Divides a prime out of the fractions whose numerators it divides. Invariant: it divides their denominators. It is a constant,
/// so that a division compiles to a multiplication.
#[inline(always)]
fn reduce<const P: i32>(over: &mut Row, under: &mut Row) {
    for n in 0..LANES {
        let divides = over.0[n] % P == 0;
        over.0[n] = if divides { over.0[n] / P } else { over.0[n] };
        under.0[n] = if divides { under.0[n] / P } else { under.0[n] };
    }
}

/// Divides rows and rounds down or up: binary long division of `bits` bits, because there is no vector instruction for division.
#[inline(always)]
fn rounded(out: &mut Row, over: &Row, under: &Row, bits: u32, up: bool) {
    for from in (0..LANES).step_by(SOME) {
        let (mut rest, mut y, mut quotient) = ([0u32; SOME], [0u32; SOME], [0i32; SOME]);
        for n in 0..SOME {
            rest[n] = over.0[from + n].unsigned_abs();
            y[n] = under.0[from + n] as u32;
        }
        for bit in (0..bits).rev() {
            for n in 0..SOME {
                let fits = rest[n].wrapping_shr(bit) >= y[n];
                rest[n] = rest[n].wrapping_sub(if fits { y[n].wrapping_shl(bit) } else { 0 });
                quotient[n] |= i32::from(fits).wrapping_shl(bit);
            }
        }
        for n in 0..SOME {
            let x = over.0[from + n];
            // Away from zero: up for positive quotients, down for negative ones.
            let more = i32::from(rest[n] != 0 && up == (x >= 0));
            let away = quotient[n].wrapping_add(more);
            out.0[from + n] = if x >= 0 { away } else { away.wrapping_neg() };
        }
    }
}

/// Compares fractions by cross-multiplication. Invariant: denominators are positive.
#[inline(always)]
fn compare_ratios(out: &mut Row, [x, under_x, y, under_y]: [&Row; 4], holds: impl Fn(i64, i64) -> bool) {
    for n in 0..LANES {
        let left = i64::from(x.0[n]) * i64::from(under_y.0[n]);
        let right = i64::from(y.0[n]) * i64::from(under_x.0[n]);
        out.0[n] = i32::from(holds(left, right));
    }
}
