//! Sectors of bearings, and what a straight path can gain in each.

use super::bound::Blur;
use crate::board::{CIRCLE, Way};

/// How wide a sector is, in hundredths of a degree.
const WIDE: i64 = 500;

/// What runs half a sector beside its middle is off by no more than this part of its length: twice the sine of a
/// quarter of a sector, rounded up.
const HALF: Blur = Blur::parts(437);

/// For each sector, around 0, 5, 10 degrees and so on, the most that a path may gain there; none if none is legal.
pub(super) struct Sectors {
    most: Vec<Option<i64>>,
    /// Those with a path, a bit each from the lowest on.
    open: u128,
}

/// How many sectors there are.
const COUNT: u32 = (CIRCLE / WIDE) as u32;

impl Sectors {
    /// Of what is the most around some way.
    pub fn of(most: impl Fn(&Way, Blur) -> Option<i64>) -> Sectors {
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

#[cfg(test)]
mod tests {
    use super::super::bound::Limits;
    use super::super::{Line, Problem, Thing};
    use super::*;
    use crate::board::{Body, Point, Table};

    #[test]
    fn a_sector_allows_what_any_of_its_bearings_allows() {
        let mut seed = 5u64;
        let mut below = |n: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as i64 % n
        };
        let (mut open, mut shut) = (0, 0);
        for _ in 0..300 {
            let mut disc = || Body::disc(Point::new(below(24_000), below(24_000)), 250 + 250 * below(4));
            let (mover, friends) = (disc(), vec![disc(), disc()]);
            let foes: Vec<Vec<Body>> = (0..3).map(|_| vec![disc(), disc()]).collect();
            let things = (0..8).map(|n| Thing::new(n, disc())).collect();
            let target = vec![disc()];
            let least = 1_000 * below(5);
            let mut lines = vec![Line::AtLeast(least), Line::AtMost(least + 1_000 * below(6)), Line::NoNearerTo(foes)];
            match below(3) {
                0 => lines.push(Line::Toward(target)),
                1 => lines.push(Line::EndsWithin { distance: 2_000 + 1_000 * below(6), of: friends }),
                _ => {}
            }
            let problem = Problem {
                movers: vec![mover],
                table: Table { width: 24_000, height: 24_000 },
                things,
                lines: lines.into_iter().enumerate().collect(),
                grid: 1_000,
                judge: &mut |_, _| true,
            };
            let limits = Limits::of(&problem);
            let sectors = Sectors::of(|way, blur| limits.longest_about(way, blur));
            for bearing in (0..CIRCLE).step_by(7) {
                let Some(longest) = limits.longest(&Way::bearing(bearing)) else { continue };
                assert!(sectors.worth(bearing).is_some_and(|worth| worth >= longest), "{bearing} {:?}", problem.lines);
                assert!(sectors.open_about(bearing, 0) && sectors.open_about((bearing + 1_300) % CIRCLE, 1_300));
                open += 1;
            }
            shut += sectors.most.iter().filter(|most| most.is_none()).count();
        }
        assert!(open > 10_000 && shut > 3_000, "{open} {shut}");
    }
}
