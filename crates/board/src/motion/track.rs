//! Tracks: the course of a path as a sequence of straight legs.

use crate::{LIMIT, Point, Way, turn_between};

/// A straight leg of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leg {
    /// The length before the leg.
    pub at: i64,
    /// The start of the leg.
    pub from: Point,
    /// The direction of the leg.
    pub way: Way,
}

/// A sequence of at least one leg. The last one ends at `length`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Track {
    pub legs: Vec<Leg>,
    pub length: i64,
}

impl Track {
    /// Creates a track with one unlimited leg.
    pub fn straight(from: Point, way: Way) -> Track {
        Track { legs: vec![Leg { at: 0, from, way }], length: 2 * LIMIT }
    }

    /// Creates a track through the points, or returns `None` if all are equal to `from`. The length of each leg is
    /// rounded up to a thousandth.
    pub fn through(from: Point, points: &[Point]) -> Option<Track> {
        let (mut legs, mut at, mut here) = (Vec::new(), 0, from);
        for p in points {
            if let Some(way) = Way::toward(here, *p) {
                legs.push(Leg { at, from: here, way });
                at += length_up(here, *p);
                here = *p;
            }
        }
        (!legs.is_empty()).then_some(Track { legs, length: at })
    }

    /// Returns a track that follows this one up to length `d`, at the point `from`, and then continues in another
    /// direction without a limit.
    pub fn then(&self, d: i64, from: Point, way: Way) -> Track {
        let mut legs: Vec<Leg> = self.legs.iter().filter(|l| l.at < d).copied().collect();
        legs.push(Leg { at: d, from, way });
        Track { legs, length: 2 * LIMIT }
    }

    /// Returns the leg on which a path of length `d` ends.
    pub fn leg(&self, d: i64) -> &Leg {
        let n = self.legs.partition_point(|l| l.at < d);
        &self.legs[n.max(1) - 1]
    }

    /// Returns each leg with the length at its end.
    pub fn pieces(&self) -> impl Iterator<Item = (&Leg, i64)> {
        let ends = self.legs.iter().skip(1).map(|l| l.at).chain([self.length]);
        self.legs.iter().zip(ends)
    }

    /// Returns the end point of a path of length `d`.
    pub fn point(&self, d: i64) -> Point {
        let leg = self.leg(d);
        leg.way.point(leg.from, d - leg.at)
    }

    pub fn first(&self) -> &Way {
        &self.legs[0].way
    }

    /// Returns the sum of the bends of a path of length `d`.
    pub fn bent(&self, d: i64) -> i64 {
        let legs = self.legs.windows(2).take_while(|two| two[1].at < d);
        legs.map(|two| turn_between(two[0].way.angle(), two[1].way.angle())).sum()
    }

    /// Returns the points where a path of length `d` bends.
    pub fn corners(&self, d: i64) -> Vec<Point> {
        self.legs.iter().skip(1).take_while(|l| l.at < d).map(|l| l.from).collect()
    }

    /// Returns the lengths at which a path on this track ends within `near` thousandths of `end` in each coordinate.
    pub fn lengths_to(&self, end: Point, near: i64) -> Vec<i64> {
        let hits = |(leg, until): (&Leg, i64)| -> Vec<i64> {
            let lengths = leg.way.distances_to(leg.from, end, near);
            lengths.map(|d| leg.at + d).filter(|d| *d <= until).collect()
        };
        self.pieces().flat_map(hits).collect()
    }
}

/// Returns the distance between two points, rounded down.
pub(super) fn length_down(a: Point, b: Point) -> i64 {
    i64::try_from(a.squared_to(b).isqrt()).unwrap_or(2 * LIMIT)
}

/// Returns the distance between two points, rounded up.
pub(super) fn length_up(a: Point, b: Point) -> i64 {
    let down = length_down(a, b);
    if i128::from(down).pow(2) == a.squared_to(b) { down } else { down + 1 }
}
