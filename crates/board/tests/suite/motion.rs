//! Moves of several pieces: bends, routes, costs.

use grognard_board::motion::{
    Fault, Judge, Line, Met, Path, Pose, Problem, Refusal, Solution, Thing, canonical, settle,
};
use grognard_board::{Body, Point, Table, bearing, gap, turn_between};

const TABLE: Table = Table { width: 48_000, height: 36_000 };

fn p(x: i64, y: i64) -> Point {
    Point::inches(x, y)
}

/// Costs by area: every inch in an area costs what it says, elsewhere 1.
struct Ground(Vec<(Body, Option<i64>)>);

impl Judge for Ground {
    fn holds(&mut self, _: usize, _: Pose) -> bool {
        true
    }
    fn cost(&mut self, _: usize, at: Point) -> Option<i64> {
        let here = Body::point(at);
        self.0.iter().find(|(area, _)| grognard_kit::inside(&here, area)).map_or(Some(1), |(_, cost)| *cost)
    }
}

fn rect(x0: i64, y0: i64, x1: i64, y1: i64) -> Body {
    Body::area(&[p(x0, y0), p(x1, y0), p(x1, y1), p(x0, y1)])
}

struct Scene {
    mover: Body,
    things: Vec<Body>,
    lines: Vec<Line>,
    ground: Vec<(Body, Option<i64>)>,
}

impl Scene {
    fn new(mover: Body, things: Vec<Body>, lines: Vec<Line>) -> Scene {
        Scene { mover, things, lines, ground: Vec::new() }
    }

    fn with<T>(&self, f: impl FnOnce(&mut Problem) -> T) -> T {
        let bodies = self.things.iter().chain(self.ground.iter().map(|(b, _)| b));
        let things = (0..).zip(bodies).map(|(id, body)| Thing::new(id, body.clone())).collect();
        let mut ground = Ground(self.ground.clone());
        f(&mut Problem {
            movers: vec![self.mover.clone()],
            table: TABLE,
            things,
            lines: self.lines.iter().cloned().enumerate().collect(),
            grid: 1000,
            judge: &mut ground,
        })
    }

    fn solve(&self) -> Solution {
        self.with(canonical)
    }

    fn path(&self) -> Path {
        self.solve().path().cloned().unwrap()
    }

    fn to(&self, end: Point) -> Result<Path, Vec<Refusal>> {
        self.with(|m| settle(m, end))
    }
}

fn flight(length: i64) -> Vec<Line> {
    vec![Line::Exactly(length), Line::Heading { from: 0, to: 0 }, Line::BendsAtMost(9_000), Line::Avoids(vec![0])]
}

#[test]
fn a_flight_turns_where_the_obstacle_is_reached_by_the_least_that_clears_it() {
    // a post of 1" half an inch to the right of the way: to its left is the least turn
    let post = Body::disc(Point::new(20_500, 26_000), 1_000);
    let scene = Scene::new(Body::point(p(20, 20)), vec![post.clone()], flight(12_000));
    let path = scene.path();
    assert_eq!((path.corners.len(), path.covered), (1, 12_000));
    // the way touches a circle of 1 half an inch off its middle at 6 - root(3/4) = 5.134
    let corner = path.corners[0];
    assert!(corner.x == 20_000 && (25_130..=25_134).contains(&corner.y), "{corner:?}");
    // there the rim runs at 60 degrees to the line to the middle: a turn of 30 + 30 degrees would lead on, to the left
    assert!((5_990..=6_010).contains(&path.bent), "{path:?}");
    assert!(path.end.x < 20_000);
    let there = Body::point(path.end);
    assert!(!grognard_board::touches(&[there], &[post]));
    assert!(matches!(scene.solve(), Solution::Forced(_)));
    assert!(scene.to(path.end).is_ok());
    assert!(scene.to(p(20, 30)).is_err());
}

#[test]
fn a_head_on_obstacle_takes_the_whole_right_angle_and_no_more() {
    let wall = rect(10, 26, 30, 27);
    let scene = Scene::new(Body::disc(p(20, 20), 500), vec![wall.clone()], flight(12_000));
    let path = scene.path();
    // along the wall, to the lower bearing
    assert_eq!(path.bent, 9_000);
    assert_eq!(path.end.y, path.corners[0].y);
    assert_eq!(path.covered, 12_000);
    // a pocket lets nothing through
    let pocket = Body::area(&[p(16, 22), p(17, 22), p(17, 26), p(23, 26), p(23, 22), p(24, 22), p(24, 28), p(16, 28)]);
    let scene = Scene::new(Body::disc(p(20, 20), 500), vec![pocket], flight(12_000));
    assert!(matches!(scene.solve(), Solution::Impossible(s) if s.bent > 0));
}

#[test]
fn two_obstacles_take_two_turns() {
    let posts = vec![Body::disc(Point::new(20_200, 24_000), 500), Body::disc(Point::new(16_500, 28_000), 3_000)];
    let lines = vec![
        Line::Exactly(14_000),
        Line::Heading { from: 0, to: 0 },
        Line::BendsAtMost(18_000),
        Line::Avoids(vec![0, 1]),
    ];
    let path = Scene::new(Body::point(p(20, 20)), posts.clone(), lines).path();
    assert_eq!(path.covered, 14_000);
    let mut at = vec![p(20, 20)];
    at.extend(&path.corners);
    at.push(path.end);
    for two in at.windows(2) {
        for post in &posts {
            let gap = grognard_board::gap(&Body::area(two), post);
            assert!(!gap.is_zero(), "{path:?}");
        }
    }
}

#[test]
fn a_recoil_is_straight_and_then_curves_as_its_owner_likes() {
    let lines = vec![
        Line::Exactly(2_000),
        Line::Heading { from: 18_000, to: 18_000 },
        Line::StraightFor(1_000),
        Line::BendsAtMost(4_500),
        Line::KeepsFacing,
        Line::StopsOnContact(None),
    ];
    let scene = Scene::new(Body::disc(p(20, 20), 500), vec![], lines);
    assert_eq!(scene.path().end, p(20, 18));
    assert!(matches!(scene.solve(), Solution::Free(_)));
    // one inch back, one at 45 degrees: root(1/2) to the side
    let curved = Point::new(20_707, 18_293);
    let path = scene.to(curved).unwrap();
    assert_eq!((path.end, path.covered, path.facing), (curved, 2_000, 0));
    let faults = scene.to(Point::new(21_000, 19_000)).unwrap_err();
    assert!(faults.iter().any(|f| f.fault == Fault::TooBent && f.wanted == 4_500 && f.got == 9_000), "{faults:?}");
}

#[test]
fn a_move_that_no_straight_way_allows_takes_a_bend() {
    let lines = vec![
        Line::AtMost(8_000),
        Line::Heading { from: 0, to: 0 },
        Line::BendsAtMost(9_000),
        Line::EndsWithin { distance: 1_000, of: vec![Body::point(p(24, 24))] },
    ];
    let scene = Scene::new(Body::point(p(20, 20)), vec![], lines);
    let path = scene.path();
    assert!(path.bent > 0 && path.end.squared_to(p(24, 24)) <= 1_000_000, "{path:?}");
    assert!(scene.to(path.end).is_ok());
}

#[test]
fn a_route_is_followed_corner_by_corner_and_taken_up_again() {
    let route = vec![p(10, 10), p(20, 10), p(20, 20)];
    let scene = |at: Point, length: i64| {
        Scene::new(Body::point(at), vec![], vec![Line::Along(route.clone()), Line::Exactly(length)])
    };
    let path = scene(p(10, 10), 14_000).path();
    assert_eq!((path.end, path.corners.as_slice(), path.facing), (p(20, 14), &[p(20, 10)][..], 0));
    // from a point of it on, and no farther than its end
    let path = scene(p(15, 10), 8_000).path();
    assert_eq!((path.end, path.covered), (p(20, 13), 8_000));
    let path = scene(p(20, 14), 10_000).path();
    assert_eq!((path.end, path.covered), (p(20, 20), 6_000));
    assert!(scene(p(10, 10), 14_000).to(p(20, 14)).is_ok());
    let faults = scene(p(10, 10), 14_000).to(p(18, 14)).unwrap_err();
    assert_eq!((faults[0].fault, faults[0].got), (Fault::OffRoute, 2_000));
    let faults = scene(p(10, 10), 14_000).to(p(20, 12)).unwrap_err();
    assert_eq!((faults[0].fault, faults[0].got), (Fault::TooShort, 12_000));
}

#[test]
fn costs_are_summed_exactly_over_straight_pieces() {
    let mut scene = Scene::new(
        Body::point(p(2, 10)),
        vec![],
        vec![Line::Along(vec![p(30, 10)]), Line::Exactly(12_000), Line::Costs],
    );
    // 4 inches of open ground, then a wood at 2 an inch: 4 + 8 / 2
    scene.ground = vec![(rect(6, 5, 16, 15), Some(2))];
    let path = scene.path();
    assert_eq!((path.end, path.covered), (p(10, 10), 12_000));
    // on the slant: 3-4-5 from (2, 10) passes x = 6.5 after 7.5; 12 - 7.5 at 3 an inch are 1.5 more
    scene.lines = vec![Line::Along(vec![Point::new(14_000, 26_000)]), Line::Exactly(12_000), Line::Costs];
    scene.ground = vec![(Body::area(&[Point::new(6_500, 0), p(40, 0), p(40, 36), Point::new(6_500, 36_000)]), Some(3))];
    let path = scene.path();
    assert_eq!((path.end, path.covered), (Point::new(7_400, 17_200), 12_000));
    // what three an inch leaves of a thousandth is used up too
    scene.ground = vec![(rect(0, 0, 48, 36), Some(3))];
    scene.lines[1] = Line::Exactly(10_000);
    let path = scene.path();
    assert_eq!((path.end, path.covered), (Point::new(4_000, 12_666), 10_000));
}

#[test]
fn closed_ground_ends_a_route_and_blocks_a_move() {
    let pond = (rect(16, 6, 24, 14), None);
    let mut scene = Scene::new(
        Body::point(p(10, 10)),
        vec![],
        vec![Line::Along(vec![p(30, 10)]), Line::Exactly(12_000), Line::Costs],
    );
    scene.ground = vec![pond];
    let path = scene.path();
    assert_eq!((path.end, path.covered, path.met), (p(16, 10), 6_000, Met::Nothing));
    scene.lines = vec![Line::Heading { from: 9_000, to: 9_000 }, Line::Exactly(12_000), Line::Costs];
    assert!(matches!(scene.solve(), Solution::Impossible(_)));
    let faults = scene.to(p(22, 10)).unwrap_err();
    assert!(faults.iter().any(|f| f.fault == Fault::Closed && f.got == 6_000), "{faults:?}");
}

#[test]
fn an_area_that_costs_does_not_stop_a_move() {
    let mut scene = Scene::new(
        Body::disc(p(10, 10), 500),
        vec![],
        vec![Line::Heading { from: 9_000, to: 9_000 }, Line::AtMost(6_000), Line::Costs],
    );
    scene.ground = vec![(rect(12, 8, 20, 12), Some(4))];
    let path = scene.path();
    assert_eq!((path.end, path.crossed.as_slice(), path.covered), (p(13, 10), &[0][..], 6_000));
}

#[test]
fn what_is_touched_at_the_start_may_be_met_farther_on() {
    // along the long arm of an L, into the short one
    let hook = Body::area(&[p(10, 8), p(20, 8), p(20, 14), p(18, 14), p(18, 10), p(10, 10)]);
    let lines = vec![Line::AtMost(12_000), Line::Heading { from: 9_000, to: 9_000 }, Line::StopsOnContact(None)];
    let path = Scene::new(Body::disc(p(11, 11), 1_000), vec![hook], lines).path();
    assert_eq!((path.end, path.met), (p(17, 11), Met::Thing(0)));
}

/// Any path with one bend that some bend point shows leads to an end that may be written down.
#[test]
fn ends_with_one_bend_are_legal_wherever_some_path_leads_there() {
    let mut seed = 5u64;
    let mut below = |n: i64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) as i64) % n
    };
    let (start, radius, most) = (p(20, 20), 500, 9_000);
    let (mut straight, mut bent) = (0, 0);
    for n in 0..400 {
        let walls: Vec<Body> = (0..1 + n % 4)
            .map(|_| {
                let at = start.shifted(below(9_000) - 4_500, 1_500 + below(4_000));
                match below(2) {
                    0 => Body::segment(at, 600 + below(2_500), below(36_000)),
                    _ => Body::disc(at, 200 + below(900)),
                }
            })
            .collect();
        let least = [0, 1_000][below(2) as usize];
        let lines = vec![Line::AtMost(most), Line::StraightFor(least), Line::BendsAtMost(9_000)];
        let scene = Scene::new(Body::disc(start, radius), walls.clone(), lines);
        let along = |a: Point, b: Point| {
            let line = Body::area(&[a, b]);
            !walls.iter().any(|t| gap(&line, t).at_most(radius + 250))
        };
        let long = |a: Point, b: Point| a.squared_to(b).isqrt() as i64;
        let corner = start.shifted(below(6_000) - 3_000, 500 + below(4_000));
        let end = corner.shifted(below(6_000) - 3_000, 200 + below(4_000));
        let turn = turn_between(bearing(start, corner), bearing(corner, end));
        let fits =
            long(start, corner) + long(corner, end) < most - 100 && long(start, corner) > least + 50 && turn < 8_800;
        if !fits || !along(start, corner) || !along(corner, end) {
            continue;
        }
        *(if along(start, end) { &mut straight } else { &mut bent }) += 1;
        assert!(scene.to(end).is_ok(), "{corner:?} {end:?} past {walls:?}: {:?}", scene.to(end));
    }
    assert!(straight > 30 && bent > 8, "{straight} {bent}");
}

#[test]
fn a_first_leg_of_more_than_half_may_be_bent() {
    let lines = |straight| {
        vec![Line::AtLeast(3_000), Line::AtMost(3_000), Line::StraightFor(straight), Line::BendsAtMost(9_000)]
    };
    for straight in [1_000, 1_500, 1_600, 2_000] {
        let scene = Scene::new(Body::disc(p(10, 10), 500), Vec::new(), lines(straight));
        assert_eq!(scene.to(Point::new(10_000, 12_900)).unwrap().covered, 3_000, "{straight}");
    }
}
