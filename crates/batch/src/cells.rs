//! 32-bit cells: the representation of a 64-bit cell of the machine in a lane.
//!
//! Numbers in `-2^30..2^30` are stored unchanged. A lane with a larger number leaves the block.

use grognard_base::value::dice::bulk::LANES;
use grognard_base::value::{FAR, NONE, THING, THING_BEFORE};
use grognard_vm::UNSET;

/// Upper bound of numbers, exclusive; its negative is the lower bound, inclusive.
pub(super) const LIMIT: i32 = 1 << 30;
/// A missing value.
pub(super) const NO: i32 = i32::MIN;
/// A value that is not set.
pub(super) const OPEN: i32 = i32::MIN + 2;

/// Number of lanes per step in loops that walk rows one after the other.
pub(super) const SOME: usize = 32;

/// One cell for each lane.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub [i32; LANES]);

impl Row {
    /// Returns a row with the same value in all lanes.
    pub fn all(value: i32) -> Row {
        Row([value; LANES])
    }
}

/// Encodes a cell of the machine for a lane. Returns `None` if it does not fit.
pub(super) fn encode(cell: i64) -> Option<i32> {
    match cell {
        NONE => Some(NO),
        THING => Some(NO + 1),
        UNSET => Some(OPEN),
        THING_BEFORE => Some(NO + 3),
        FAR => Some(i32::MAX),
        _ if (i64::from(-LIMIT)..i64::from(LIMIT)).contains(&cell) => Some(cell as i32),
        // a packed thing
        _ if cell >= 1 << 32 => {
            let (kind, thing) = (cell >> 32, cell & 0xffff_ffff);
            (kind < 1 << 9 && thing < 1 << 20).then_some(LIMIT | (kind as i32) << 20 | thing as i32)
        }
        _ => None,
    }
}

/// Decodes a cell of a lane.
pub(super) fn decode(cell: i32) -> i64 {
    const SENTINELS: [i64; 4] = [NONE, THING, UNSET, THING_BEFORE];
    match cell {
        i32::MAX => FAR,
        _ if cell >= LIMIT => {
            let packed = i64::from(cell - LIMIT);
            (packed >> 20) << 32 | packed & 0xf_ffff
        }
        _ => match SENTINELS.get((cell.wrapping_sub(NO)) as u32 as usize) {
            Some(sentinel) => *sentinel,
            None => i64::from(cell),
        },
    }
}

/// Returns the cell of a list: the row of its first entry, and its length. An empty list is 0.
pub(super) fn handle(at: usize, len: usize) -> i32 {
    if len == 0 { 0 } else { (at as i32) << 16 | len as i32 }
}

/// Returns the row of the first entry of a list, and its length.
pub(super) fn list(cell: i32) -> (usize, usize) {
    if cell <= 0 { (0, 0) } else { ((cell >> 16) as usize, (cell & 0xffff) as usize) }
}

// Loops over rows are separate functions: their parameters are known not to alias, so compilers vectorize them. They are inlined,
// and compiled for the instruction set of their caller.

/// Computes each cell from one other.
#[inline(always)]
pub(super) fn each(out: &mut Row, x: &Row, f: impl Fn(i32) -> i32) {
    for n in 0..LANES {
        out.0[n] = f(x.0[n]);
    }
}

/// Computes each cell from two others.
#[inline(always)]
pub(super) fn each_of_two(out: &mut Row, x: &Row, y: &Row, f: impl Fn(i32, i32) -> i32) {
    for n in 0..LANES {
        out.0[n] = f(x.0[n], y.0[n]);
    }
}

/// Computes each cell from itself and two others.
#[inline(always)]
pub(super) fn change(out: &mut Row, x: &Row, y: &Row, f: impl Fn(i32, i32, i32) -> i32) {
    for n in 0..LANES {
        out.0[n] = f(out.0[n], x.0[n], y.0[n]);
    }
}

/// Computes two cells from themselves and two others.
#[inline(always)]
pub(super) fn change_both(
    out: &mut Row,
    more: &mut Row,
    x: &Row,
    y: &Row,
    f: impl Fn(i32, i32, i32, i32) -> (i32, i32),
) {
    for n in 0..LANES {
        (out.0[n], more.0[n]) = f(out.0[n], more.0[n], x.0[n], y.0[n]);
    }
}

/// Folds the cells of a row with a mask.
#[inline(always)]
pub(super) fn fold(x: &Row, mask: &Row, from: i32, f: impl Fn(i32, i32, i32) -> i32) -> i32 {
    let mut all = from;
    for n in 0..LANES {
        all = f(all, x.0[n], mask.0[n]);
    }
    all
}

/// Computes a value and a mark from two cells. Stores the values, and returns the bitwise OR of the marks under the mask.
#[inline(always)]
pub(super) fn marked(out: &mut Row, x: &Row, y: &Row, mask: &Row, f: impl Fn(i32, i32) -> (i32, i32)) -> i32 {
    let mut any = 0;
    for n in 0..LANES {
        let (value, mark) = f(x.0[n], y.0[n]);
        out.0[n] = value;
        any |= mark & mask.0[n];
    }
    any
}

/// Sets lanes in which `holds` is true to -1 and others to 0. Returns the number of set lanes under the mask.
#[inline(always)]
pub(super) fn taken(out: &mut Row, x: &Row, y: &Row, mask: &Row, holds: impl Fn(i32, i32) -> bool) -> usize {
    let mut count = 0;
    for n in 0..LANES {
        let take = -i32::from(holds(x.0[n], y.0[n]));
        out.0[n] = take;
        count = i32::wrapping_sub(count, take & mask.0[n]);
    }
    count as usize
}

/// Writes a value into the lanes of a mask.
#[inline(always)]
pub(super) fn blend_value(to: &mut Row, value: i32, mask: &Row) {
    for n in 0..LANES {
        to.0[n] = (value & mask.0[n]) | (to.0[n] & !mask.0[n]);
    }
}

/// Returns an iterator over the lanes of a mask.
pub(super) fn lanes(mask: &Row) -> impl Iterator<Item = usize> + use<> {
    let mut bits = [0u32; LANES / 32];
    for (bits, mask) in bits.iter_mut().zip(mask.0.chunks_exact(32)) {
        for n in 0..32 {
            *bits |= (mask[n] as u32 & 1) << n;
        }
    }
    bits.into_iter().enumerate().flat_map(|(at, mut bits)| {
        std::iter::from_fn(move || {
            let lane = (bits != 0).then(|| at * 32 + bits.trailing_zeros() as usize);
            bits &= bits.wrapping_sub(1);
            lane
        })
    })
}

/// Copies cells in the lanes of a mask.
#[inline(always)]
pub(super) fn blend(to: &mut Row, from: &Row, mask: &Row) {
    change(to, from, mask, |to, from, mask| (from & mask) | (to & !mask));
}
