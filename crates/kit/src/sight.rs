//! Reference implementations of board queries, against which the optimized ones are tested.

use grognard_board::{Body, Outline, Point, SightLine, Way, line_at_once, line_past};

/// Returns the point at `distance` from `from` on a bearing.
pub fn point_along(from: Point, bearing: i64, distance: i64) -> Point {
    Way::bearing(bearing).point(from, distance)
}

/// Returns whether all of `place` is inside `area`.
pub fn inside(place: &Body, area: &Body) -> bool {
    Outline::of(area).holds(place)
}

/// Returns whether some straight line between the two groups passes over no blocker.
pub fn sees(a: &[Body], b: &[Body], blockers: &[Body]) -> bool {
    let is_clear = |p, q| {
        let mut line = SightLine::new(p, q);
        !blockers.iter().any(|t| line.is_blocked_by(&Outline::of(t), || true))
    };
    line_at_once(a, b, is_clear).is_some() || line_past(a, b, blockers).is_some()
}
