//! Sectors of bearings, and what a straight path can gain in each.

use super::bound::ErrorBound;
use crate::{CIRCLE, Way};

/// How wide a sector is, in hundredths of a degree.
const WIDE: i64 = 500;

/// What runs half a sector beside its middle is off by no more than this part of its length: twice the sine of a
/// quarter of a sector, rounded up.
const HALF: ErrorBound = ErrorBound::parts(437);

/// For each sector, around 0, 5, 10 degrees and so on, the most that a path may gain there; none if none is legal.
pub struct Sectors {
    /// The most of each, if there is a path.
    pub most: Vec<Option<i64>>,
    /// Those with a path, a bit each from the lowest on.
    open: u128,
}

/// How many sectors there are.
const COUNT: u32 = (CIRCLE / WIDE) as u32;

impl Sectors {
    /// Of what is the most around some way.
    pub fn of(most: impl Fn(&Way, ErrorBound) -> Option<i64>) -> Sectors {
        let middles = (0..CIRCLE / WIDE).map(|k| Way::bearing(k * WIDE));
        Sectors::new(middles.map(|way| most(&way, HALF)).collect())
    }

    /// Where nothing is ruled out.
    pub fn all() -> Sectors {
        Sectors::new(vec![Some(i64::MAX); COUNT as usize])
    }

    fn new(most: Vec<Option<i64>>) -> Sectors {
        let open = most.iter().rev().fold(0, |bits, most| bits << 1 | u128::from(most.is_some()));
        Sectors { most, open }
    }

    /// True if no path leads anywhere.
    pub fn closed(&self) -> bool {
        self.open == 0
    }

    /// The most that a path may gain on a bearing, 0 to under 36,000.
    pub fn worth(&self, bearing: i64) -> Option<i64> {
        self.most[sector(bearing)]
    }

    /// True if a path may lead somewhere no farther than `half` from a bearing.
    pub fn open_about(&self, bearing: i64, half: i64) -> bool {
        let steps = (half / WIDE + 1) as u32;
        let first = (sector(bearing) as u32 + COUNT - steps) % COUNT;
        // the circle, turned until the first of them is the lowest
        let turned = self.open >> first | self.open << (COUNT - first);
        turned & ((1 << (2 * steps + 1)) - 1) != 0
    }
}

/// The number of the sector that a bearing lies in.
fn sector(bearing: i64) -> usize {
    let turn = bearing + WIDE / 2;
    (if turn < CIRCLE { turn / WIDE } else { 0 }) as usize
}
