//! Inside `board/sight`.

use grognard_board::Point;
use grognard_board::sight::*;
use grognard_board::{Body, gap};
use grognard_kit::{inside, sees};
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

/// A line may touch one blocker, and does not pass between two that touch each other.
#[test]
fn blockers_that_touch_each_other_block_together() {
    let area = |x: i64, y: i64, w: i64, h: i64| Body::area(&[p(x, y), p(x + w, y), p(x + w, y + h), p(x, y + h)]);
    let clear = |a: Point, b: Point, blockers: &[Body]| sees(&[Body::point(a)], &[Body::point(b)], blockers);
    let (left, right) = (area(2, 2, 4, 6), area(6, 4, 4, 6));
    let both = [left.clone(), right.clone()];
    assert!(!clear(p(6, 0), p(6, 12), &both), "along the shared side");
    assert!(clear(p(6, 0), p(6, 12), &both[..1]) && clear(p(6, 0), p(6, 12), &both[1..]), "along one side");
    assert!(clear(p(6, 0), p(6, 4), &both), "up to where they meet");
    assert!(clear(p(6, 8), p(6, 12), &both), "from where they part");
    assert!(!clear(p(6, 5), p(6, 7), &both), "between the two");
    // corner to corner, and side to side with a gap
    let across = [area(2, 2, 4, 4), area(6, 6, 4, 4)];
    assert!(!clear(p(10, 2), p(2, 10), &across) && !clear(p(6, 0), p(6, 12), &across));
    assert!(clear(p(6, 6), p(2, 10), &across), "from the common corner");
    assert!(clear(p(6, 0), p(6, 12), &[area(2, 2, 4, 3), area(6, 6, 4, 4)]));
    // two on the same side
    assert!(clear(p(6, 0), p(6, 12), &[area(2, 2, 4, 3), area(2, 5, 4, 3)]));
    let towers = [Body::disc(p(3, 5), 3000), Body::disc(p(9, 5), 3000)];
    assert!(!clear(p(6, 0), p(6, 12), &towers) && clear(p(6, 0), p(6, 12), &towers[..1]));
    // who has a width looks past neither
    let wide = |at: Point| Body::disc(at, 500);
    assert!(!sees(&[wide(p(6, 1))], &[wide(p(6, 11))], &[area(0, 2, 6, 8), area(6, 2, 6, 8)]));
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

struct Chance(u64);

impl Chance {
    fn below(&mut self, n: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as i64) % n
    }

    fn body(&mut self, most: i64) -> Body {
        let at = Point { x: self.below(12_000), y: self.below(9_000) };
        match self.below(5) {
            0 => Body::segment(at, 500 + self.below(4 * most), self.below(36_000)),
            1 => {
                let mut corner = || Point { x: at.x + self.below(2 * most), y: at.y + self.below(2 * most) };
                Body::area(&[corner(), corner(), corner()])
            }
            2 => Body::point(at),
            _ => Body::disc(at, 100 + self.below(most)),
        }
    }
}

/// Points all over a body.
fn points(body: &Body) -> Vec<Point> {
    let between =
        |a: Point, b: Point, part: i64| Point { x: a.x + (b.x - a.x) * part / 12, y: a.y + (b.y - a.y) * part / 12 };
    let parts = 0..=12;
    match body.outline().as_slice() {
        [a, b] => parts.map(|part| between(*a, *b, part)).collect(),
        [a, b, c] => parts.flat_map(|part| [(*a, *b), (*b, *c), (*c, *a)].map(|(p, q)| between(p, q, part))).collect(),
        _ => {
            let (r, at) = (body.radius(), body.at);
            let all = (-6..=6).flat_map(|x| (-6..=6).map(move |y| at.shifted(x * r / 6, y * r / 6)));
            all.filter(|p| p.squared_to(at) <= i128::from(r) * i128::from(r)).collect()
        }
    }
}

#[test]
fn what_some_line_shows_is_seen() {
    let mut chance = Chance(1);
    let (mut seen, mut hidden, mut late) = (0, 0, 0);
    for _ in 0..600 {
        let (a, b) = (chance.body(800), chance.body(800));
        let blockers: Vec<Body> = (0..6 + chance.below(20)).map(|_| chance.body(900)).collect();
        let found = sees(from_ref(&a), from_ref(&b), &blockers);
        assert_eq!(found, sees(from_ref(&b), from_ref(&a), &blockers), "both ways");
        // a line that stands well off from everything
        let clear = |p: Point, q: Point| {
            let line = Body::area(&[p, q]);
            !blockers.iter().any(|t| gap(&line, t).at_most(8))
        };
        let shown = points(&a).iter().any(|p| points(&b).iter().any(|q| clear(*p, *q)));
        assert!(found || !shown, "{a:?} does not see {b:?} past {blockers:?}");
        late += u32::from(
            found
                && line_at_once(from_ref(&a), from_ref(&b), |p, q| !blockers.iter().any(|t| crosses(p, q, t)))
                    .is_none(),
        );
        *(if found { &mut seen } else { &mut hidden }) += 1;
    }
    assert!(seen > 100 && hidden > 100 && late > 8, "{seen} {hidden} {late}");
}
