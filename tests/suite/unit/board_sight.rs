//! Inside `board/sight`.

use grognard::board::Body;
use grognard::board::Point;
use grognard::board::sight::*;
use std::slice::from_ref;

fn p(x: i64, y: i64) -> Point {
    Point::inches(x, y)
}

#[test]
fn lines_pass_over_areas_only_through_their_inside() {
    let wood = Body::area(&[p(2, 2), p(6, 2), p(6, 6), p(2, 6)]);
    assert!(crosses(p(0, 4), p(9, 4), &wood));
    assert!(crosses(p(2, 2), p(6, 6), &wood), "corner to corner");
    assert!(crosses(p(4, 4), p(9, 4), &wood), "from the inside");
    assert!(!crosses(p(0, 2), p(9, 2), &wood), "along a side");
    assert!(!crosses(p(0, 4), p(4, 0), &wood), "past a corner");
    assert!(!crosses(p(0, 4), p(2, 4), &wood), "up to a side");
    assert!(!crosses(p(0, 0), p(1, 1), &wood));
    let hollow = Body::area(&[p(0, 0), p(9, 0), p(9, 9), p(6, 9), p(6, 3), p(3, 3), p(3, 9), p(0, 9)]);
    assert!(!crosses(p(3, 8), p(6, 8), &hollow), "over the mouth");
    assert!(crosses(p(3, 8), p(7, 8), &hollow));
}

#[test]
fn hedges_and_posts_stop_a_line_but_not_at_its_ends() {
    let hedge = Body::segment(p(4, 4), 4000, 0);
    assert!(crosses(p(4, 0), p(4, 9), &hedge));
    assert!(crosses(p(2, 0), p(2, 9), &hedge), "over its end");
    assert!(!crosses(p(4, 4), p(4, 9), &hedge), "standing at it");
    assert!(crosses(p(0, 4), p(9, 4), &hedge), "along it");
    assert!(crosses(p(3, 4), p(5, 4), &hedge), "on it");
    assert!(!crosses(p(7, 4), p(9, 4), &hedge));
    let post = Body::point(p(4, 4));
    assert!(crosses(p(0, 0), p(8, 8), &post) && !crosses(p(0, 0), p(4, 4), &post));
}

#[test]
fn wide_bodies_are_seen_past_a_post() {
    let (a, b) = (Body::disc(p(0, 0), 1000), Body::disc(p(10, 0), 1000));
    let post = Body::disc(p(5, 0), 500);
    assert!(sees(from_ref(&a), from_ref(&b), from_ref(&post)));
    assert!(!sees(&[Body::point(a.at)], &[Body::point(b.at)], &[post]));
    assert!(!sees(&[], &[b], &[]));
}

#[test]
fn discs_fit_in_areas_with_their_whole_base() {
    let wood = Body::area(&[p(0, 0), p(10, 0), p(10, 10), p(0, 10)]);
    assert!(inside(&Body::disc(p(1, 5), 1000), &wood));
    assert!(!inside(&Body::disc(p(1, 5), 1001), &wood));
    assert!(inside(&Body::disc(p(3, 0), 2000), &Body::disc(p(0, 0), 5000)));
    assert!(!inside(&Body::disc(p(3, 0), 2001), &Body::disc(p(0, 0), 5000)));
}
