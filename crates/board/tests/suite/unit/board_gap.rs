//! Inside `board/gap`.

use grognard_board::Body;
use grognard_board::Point;
use grognard_board::gap::*;
use std::cmp::Ordering;

#[test]
fn fractions_compare_by_their_continued_fractions() {
    assert_eq!(ratio_cmp(1, 3, 2, 6), Ordering::Equal);
    assert_eq!(ratio_cmp(22, 7, 355, 113), Ordering::Greater);
    assert_eq!(ratio_cmp(0, 7, 1, 1 << 100), Ordering::Less);
    assert_eq!(ratio_cmp((1 << 120) + 1, 1 << 120, (1 << 119) + 1, 1 << 119), Ordering::Less);
}

#[test]
fn edges_not_middles_are_measured() {
    let a = Body::disc(Point::inches(0, 0), 500);
    let b = Body::disc(Point::inches(3, 4), 1000);
    assert_eq!(gap(&a, &b).floor(), 3500);
    assert!(gap(&a, &b).at_most(3500) && !gap(&a, &b).at_most(3499));
    // root(2) - 0 against root(8) - 1.414: the second is larger by a hair
    let near = gap(&Body::point(Point::inches(0, 0)), &Body::point(Point::inches(1, 1)));
    let far = gap(&Body::disc(Point::inches(0, 0), 1414), &Body::point(Point::inches(2, 2)));
    assert!(near < far);
    assert_eq!(near.floor(), far.floor());
}

#[test]
fn an_area_is_filled() {
    let wood = Body::area(&[Point::inches(0, 0), Point::inches(10, 0), Point::inches(10, 10), Point::inches(0, 10)]);
    assert!(gap(&Body::point(Point::inches(5, 5)), &wood).is_zero());
    assert_eq!(gap(&Body::point(Point::inches(13, 14)), &wood).floor(), 5000);
    let hedge = Body::segment(Point::inches(0, 0), 6000, 9000);
    // faces right, so it stands upright: from (0, -3) to (0, 3)
    assert_eq!(gap(&Body::point(Point::inches(2, 3)), &hedge).floor(), 2000);
}
