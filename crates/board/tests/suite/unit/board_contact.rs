//! Inside `board/contact`.

use grognard_board::Body;
use grognard_board::Point;
use grognard_board::Way;
use grognard_board::contact::*;

fn p(x: i64, y: i64) -> Point {
    Point::inches(x, y)
}

#[test]
fn discs_points_hedges_and_areas_are_met_at_their_edges() {
    let me = Body::disc(p(0, 0), 500);
    let up = Way::bearing(0);
    assert_eq!(contact(&me, &Body::disc(p(0, 10), 1500), &up), Contact::After(8_000));
    assert_eq!(contact(&me, &Body::disc(p(2, 10), 1499), &up), Contact::Never);
    assert_eq!(contact(&me, &Body::segment(p(0, 10), 4000, 0), &up), Contact::After(9_500));
    assert_eq!(contact(&me, &Body::area(&[p(-1, 6), p(1, 6), p(0, 8)]), &up), Contact::After(5_500));
    assert_eq!(contact(&me, &Body::disc(p(0, -10), 1500), &up), Contact::Never);
    let slant = Way::toward(p(0, 0), p(3, 4));
    let met = slant.map(|w| contact(&Body::point(p(0, 0)), &Body::point(p(6, 8)), &w));
    assert_eq!(met, Some(Contact::After(10_000)));
    let hedge = Body::segment(p(3, 4), 2000, 0);
    assert_eq!(slant.map(|w| contact(&Body::point(p(0, 0)), &hedge, &w)), Some(Contact::After(5_000)));
}

#[test]
fn what_is_touched_at_the_start_stops_only_a_way_into_it() {
    let me = Body::disc(p(0, 0), 1000);
    let wall = Body::area(&[p(-5, 1), p(5, 1), p(5, 3), p(-5, 3)]);
    assert_eq!(contact(&me, &wall, &Way::bearing(0)), Contact::After(0));
    assert_eq!(contact(&me, &wall, &Way::bearing(9_000)), Contact::Never);
    assert_eq!(contact(&me, &wall, &Way::bearing(18_000)), Contact::Never);
    let post = Body::point(p(0, 1));
    assert_eq!(contact(&post, &wall, &Way::bearing(0)), Contact::After(0));
    assert_eq!(contact(&Body::point(p(0, 2)), &wall, &Way::bearing(0)), Contact::Over);
    assert_eq!(contact(&me, &Body::disc(p(0, 1), 1000), &Way::bearing(0)), Contact::Over);
}
