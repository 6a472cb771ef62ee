//! Sectors of bearings, with an upper bound of the gain of a straight path in each.

use super::bound::ErrorBound;
use crate::{CIRCLE, Way};
use std::sync::LazyLock;

/// Width of a sector, in hundredths of a degree.
const WIDE: i64 = 500;

/// Deviation of a path at the border of a sector from its center, relative to the length. It is twice the sine of a
/// quarter of a sector, rounded up.
const HALF: ErrorBound = ErrorBound::parts(437);

/// For each sector, around 0, 5, 10 degrees and so on, an upper bound of the gain of a path, or `None` if no path is
/// legal.
pub struct Sectors {
    /// The upper bound of each sector.
    pub most: Vec<Option<i64>>,
    /// A bit for each sector with a path, from the lowest bit.
    open: u128,
}

/// Number of sectors.
const COUNT: u32 = (CIRCLE / WIDE) as u32;

impl Sectors {
    /// Computes the sectors from an upper bound around a way.
    pub fn of(most: impl Fn(&Way, ErrorBound) -> Option<i64>) -> Sectors {
        static MIDDLES: LazyLock<Vec<Way>> =
            LazyLock::new(|| (0..CIRCLE / WIDE).map(|k| Way::bearing(k * WIDE)).collect());
        Sectors::new(MIDDLES.iter().map(|way| most(way, HALF)).collect())
    }

    /// Returns sectors that rule out nothing.
    pub fn all() -> Sectors {
        Sectors::new(vec![Some(i64::MAX); COUNT as usize])
    }

    fn new(most: Vec<Option<i64>>) -> Sectors {
        let open = most.iter().rev().fold(0, |bits, most| bits << 1 | u128::from(most.is_some()));
        Sectors { most, open }
    }

    /// Returns whether no sector has a path.
    pub fn closed(&self) -> bool {
        self.open == 0
    }

    /// Returns the upper bound of the gain on a bearing in `0..36_000`.
    pub fn worth(&self, bearing: i64) -> Option<i64> {
        self.most[sector(bearing)]
    }

    /// Returns whether a path is possible within `half` of a bearing.
    pub fn open_about(&self, bearing: i64, half: i64) -> bool {
        let steps = (half / WIDE + 1) as u32;
        let first = (sector(bearing) as u32 + COUNT - steps) % COUNT;
        // rotates the bits until the first sector is the lowest bit
        let turned = self.open >> first | self.open << (COUNT - first);
        turned & ((1 << (2 * steps + 1)) - 1) != 0
    }
}

/// Returns the index of the sector that contains a bearing.
fn sector(bearing: i64) -> usize {
    let turn = bearing + WIDE / 2;
    (if turn < CIRCLE { turn / WIDE } else { 0 }) as usize
}
