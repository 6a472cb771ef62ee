//! Inside `board/way`.

use grognard_board::Point;
use grognard_board::gap::rounded_root;
use grognard_board::way::*;

#[test]
fn proportion_is_exact() {
    let away = Way::away(Point::inches(0, 0), &[Point::inches(3, 4)]).map(|w| w.point(Point::inches(0, 0), 12_000));
    assert_eq!(away, Some(Point::new(-7_200, -9_600)));
    assert_eq!(Way::bearing(3_000).point(Point::default(), 10_000), Point::new(5_000, 8_660));
    assert_eq!(Way::away(Point::default(), &[Point::inches(1, 0), Point::inches(-9, 0)]), None);
    assert_eq!(Way::away(Point::default(), &[]), None);
    let both = Way::away(Point::default(), &[Point::inches(3, 4), Point::inches(-3, 4)]).map(|w| w.angle());
    assert_eq!(both, Some(18_000));
}

#[test]
fn a_way_so_long_ends_so_far_off() {
    let from = Point::inches(3, 7);
    for a in (0..36_000).step_by(7) {
        let way = Way::bearing(a);
        for d in (0..40).chain([1_000, 2_345, 8_000, 12_000, 12_345_678]) {
            let end = way.point(from, d);
            assert_eq!(rounded_root(from.squared_to(end), 1), d, "{a} {d}");
            assert_eq!(way.distances_to(from, end, 0).collect::<Vec<_>>(), [d], "{a} {d}");
            let back = way.back().point(from, d);
            assert_eq!((end.x - from.x, end.y - from.y), (from.x - back.x, from.y - back.y));
        }
    }
}
