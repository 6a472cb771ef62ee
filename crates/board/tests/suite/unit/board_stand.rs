//! Inside `board/stand`.

use grognard_board::Body;
use grognard_board::Point;
use grognard_board::Way;
use grognard_board::gap::gap;
use grognard_board::gap::touches;
use grognard_board::stand::*;
use std::slice::from_ref;

fn p(x: i64, y: i64) -> Point {
    Point::inches(x, y)
}

#[test]
fn fronts_are_half_planes() {
    let me = Body::disc(p(5, 5), 500).turned_to(9_000);
    assert!(in_front(&me, &Body::point(p(6, 0))) && in_rear(&me, &Body::point(p(4, 9))));
    let beside = Body::point(p(5, 9));
    assert!(!in_front(&me, &beside) && !in_rear(&me, &beside));
    assert!(same_facing(&me, &me.turned_to(13_500)) && !same_facing(&me, &me.turned_to(13_501)));
    assert_eq!((ahead(&me), rear(&me)), (9_000, 27_000));
}

#[test]
fn places_beside_a_thing_touch_it() {
    let o = Body::disc(p(10, 10), 1000).turned_to(3_300);
    let me = Body::disc(p(2, 3), 500);
    for at in [just_behind(&me, &o), just_beyond(&me, &o)] {
        let there = me.moved_to(at);
        assert!(touches(from_ref(&there), from_ref(&o)), "{at:?}");
        assert!(!gap(&there.moved_to(at), &Body::disc(o.at, 990)).is_zero());
    }
    assert!(in_rear(&o, &Body::point(just_behind(&me, &o))));
    // a point has no side that a rounded way would surely meet, nor has an end of a piece
    let post = Body::point(p(24, 24));
    for from in [p(28, 18), p(10, 10), p(5, 8)] {
        assert_eq!(just_beyond(&Body::point(from), &post), post.at);
    }
    let piece = Body::area(&[p(24, 24), p(40, 25)]);
    assert!(touches(&[Body::point(just_beyond(&Body::point(p(7, 11)), &piece))], from_ref(&piece)));
    let hedge = Body::segment(p(20, 16), 12_000, 0);
    assert_eq!(just_beyond(&Body::disc(p(20, 20), 500).turned_to(18_000), &hedge), Point::new(20_000, 15_500));
    assert_eq!(just_beyond(&Body::disc(p(20, 20), 0).turned_to(18_000), &hedge), p(20, 16));
}

#[test]
fn room_is_measured_to_the_next_thing_or_edge() {
    let table = Table { width: 40_000, height: 30_000 };
    let me = Body::disc(p(5, 5), 500);
    assert_eq!(room_behind(&me, &[], table), 4_500);
    assert_eq!(room_behind(&me, &[Body::disc(p(5, 2), 1000)], table), 1_500);
    assert_eq!(room_behind(&me, &[Body::point(p(5, 2))], table), 4_500);
    assert_eq!(table.room(&me, &Way::bearing(9_000)), 34_500);
    assert!(table.holds(&Body::disc(p(1, 1), 1000)) && !table.holds(&Body::disc(p(1, 1), 1001)));
}

#[test]
fn free_spots_lie_on_the_grid() {
    let table = Table { width: 40_000, height: 30_000 };
    let (spots, all) = spots_near(&Body::point(p(0, 0)), &Body::point(p(5, 5)), 1_000, &[], table, 1_000, 100);
    assert_eq!(spots, [p(5, 4), p(4, 5), p(5, 5), p(6, 5), p(5, 6)]);
    assert!(all);
    let (some, all) = spots_near(&Body::point(p(0, 0)), &Body::point(p(5, 5)), 1_000, &[], table, 1_000, 2);
    assert!(some.len() == 2 && !all);
}
