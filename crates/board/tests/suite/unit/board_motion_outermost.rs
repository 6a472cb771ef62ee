//! Inside `board/motion/outermost`.

use grognard_board::Body;
use grognard_board::motion::pruning::*;
use grognard_board::{Point, gap_between};
use std::slice::from_ref;

#[test]
fn what_is_left_out_asks_nothing_more() {
    let mut seed = 3u64;
    let mut below = |n: i64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as i64 % n
    };
    let (mut left_out, mut kept_back) = (0, 0);
    for _ in 0..1_500 {
        let mover = Body::disc(Point::new(15_000, 15_000), 100 * below(8));
        let most = 1_000 * (1 + below(8));
        let mut groups: Vec<Vec<Body>> = Vec::new();
        for _ in 0..1 + below(6) {
            let (at, radius, size) = (Point::new(below(30_000), below(30_000)), 100 * below(8), 1 + below(8));
            let member = |_| Body::disc(at.shifted(below(6_000), below(6_000)), radius);
            groups.push((0..size).map(member).collect());
        }
        let fewer = needed(from_ref(&mover), &groups, Some(most));
        let count = |groups: &[Vec<Body>]| groups.iter().map(Vec::len).sum::<usize>();
        left_out += count(&groups) - count(&fewer);
        for _ in 0..40 {
            let (x, y) = (below(2 * most + 1) - most, below(2 * most + 1) - most);
            if x * x + y * y > most * most {
                continue;
            }
            let there = mover.moved_to(mover.at.shifted(x, y));
            let legal = |groups: &[Vec<Body>]| {
                groups.iter().all(|g| gap_between(from_ref(&there), g) >= gap_between(from_ref(&mover), g))
            };
            assert_eq!(legal(&groups), legal(&fewer), "{mover:?} by {x}, {y} from {groups:?}");
            kept_back += usize::from(!legal(&groups));
        }
    }
    // the boards are such that much is left out and much is forbidden
    assert!(left_out > 5_000 && kept_back > 5_000, "{left_out} {kept_back}");
}
