//! The table and the moves on it: worked examples of the rulebook and properties on random boards.

use grognard_board::motion::{
    Ends, Fault, Line, Met, Problem, Refusal, Solution, Thing, canonical, ends_after, settle,
};
use grognard_board::{
    Body, FAR, Gap, Point, Table, Way, bearing, compare_distance, compare_distances, crosses, dist, gap, within,
};
use grognard_kit::{inside, point_along, sees};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::slice::from_ref;

const TABLE: Table = Table { width: 48_000, height: 36_000 };

fn p(x: i64, y: i64) -> Point {
    Point::inches(x, y)
}

fn point(x: i64, y: i64) -> Body {
    Body::point(p(x, y))
}

/// Runs `f` on a move of `mover` under `lines`, numbered from 0; no condition is ever asked.
fn with<T>(mover: Body, things: Vec<Thing>, lines: Vec<Line>, f: impl FnOnce(&mut Problem) -> T) -> T {
    let mut test = |_: usize, _| true;
    let lines = lines.into_iter().enumerate().collect();
    f(&mut Problem { movers: vec![mover], table: TABLE, things, lines, grid: 1000, judge: &mut test })
}

fn solve(mover: Body, things: Vec<Thing>, lines: Vec<Line>) -> Solution {
    with(mover, things, lines, canonical)
}

/// What is wrong with a path to `end`.
fn check(problem: &mut Problem, end: Point) -> Vec<Refusal> {
    settle(problem, end).err().unwrap_or_default()
}

/// Legal paths, the canonical one first.
fn ends(problem: &mut Problem, cap: usize) -> Ends {
    let first = canonical(problem).path().cloned();
    ends_after(problem, first, cap)
}

fn end_of(solution: &Solution) -> Option<Point> {
    solution.path().map(|p| p.end)
}

// ---- worked examples

#[test]
fn a_refuge_nearer_than_the_least_move_is_run_past() {
    let lines = vec![Line::AtLeast(6_000), Line::AtMost(12_000), Line::Toward(vec![point(24, 20)])];
    let found = solve(point(20, 20), vec![], lines.clone());
    assert_eq!(end_of(&found), Some(p(26, 20)));
    assert!(matches!(found, Solution::Free(_)));
    // WA-E11 from (0, 0) seen: A at 4, so the leader ends at (6, 0), 4 from the enemy at (10, 0)
    assert_eq!(p(26, 20).squared_to(p(30, 20)), 16_000_000);
    with(point(20, 20), vec![], lines, |m| {
        assert!(check(m, p(26, 20)).is_empty());
        assert!(check(m, p(32, 20)).is_empty());
        let faults = check(m, p(24, 20));
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert_eq!(
            (faults[0].line, faults[0].fault, faults[0].wanted, faults[0].got),
            (Some(0), Fault::TooShort, 6_000, 4_000)
        );
        let faults = check(m, p(20, 26));
        assert_eq!((faults[0].line, faults[0].fault), (Some(2), Fault::NotToward));
    });
}

#[test]
fn a_refuge_within_reach_is_stopped_on() {
    let to = |spot: Body| vec![Line::AtLeast(6_000), Line::AtMost(12_000), Line::Toward(vec![spot])];
    let found = solve(point(20, 20), vec![], to(point(20, 28)));
    assert_eq!(found.path().map(|p| (p.end, p.covered)), Some((p(20, 28), 8_000)));
    let found = solve(point(20, 10), vec![], to(point(20, 30)));
    assert_eq!(end_of(&found), Some(p(20, 22)), "20 away: as far as it may");
    with(point(20, 10), vec![], to(point(20, 30)), |m| {
        assert!(check(m, p(20, 16)).is_empty());
        assert_eq!(check(m, p(20, 15)).len(), 1);
        assert_eq!(check(m, p(20, 23)).len(), 1);
    });
}

#[test]
fn a_rout_goes_straight_away() {
    let lines = vec![
        Line::AtLeast(12_000),
        Line::AtMost(12_000),
        Line::AwayFrom(vec![p(23, 24)]),
        Line::NoNearerTo(vec![vec![point(23, 24)]]),
    ];
    let found = solve(point(20, 20), vec![], lines.clone());
    let want = Point::new(12_800, 10_400);
    assert!(matches!(&found, Solution::Forced(p) if p.end == want), "{found:?}");
    assert_eq!(want.squared_to(p(23, 24)), 289_000_000);
    with(point(20, 20), vec![], lines, |m| {
        assert!(check(m, want).is_empty());
        let faults = check(m, p(20, 8));
        assert_eq!(faults.iter().map(|f| f.fault).collect::<Vec<_>>(), [Fault::NotAway]);
    });
}

#[test]
fn a_rout_over_the_edge_or_between_two_foes_is_impossible() {
    let away = |from: Vec<Point>| {
        let each = from.iter().map(|p| vec![Body::point(*p)]).collect();
        vec![Line::AtLeast(12_000), Line::AwayFrom(from), Line::NoNearerTo(each)]
    };
    let found = solve(point(5, 5), vec![], away(vec![p(8, 9)]));
    assert!(matches!(&found, Solution::Impossible(s) if s.apart == 0 && s.points == 0), "{found:?}");
    // one on each side: straight between them there is no sum, so any bearing that nears neither
    let found = solve(point(20, 18), vec![], away(vec![p(18, 18), p(22, 18)]));
    assert!(matches!(found, Solution::Free(_)));
    // pulled back by the far third: the sum leads nearer to it
    let found = solve(point(20, 18), vec![], away(vec![p(20, 19), p(19, 19), p(20, 14)]));
    let s = found.path().map(|p| p.covered);
    assert!(s.is_none_or(|c| c >= 12_000));
}

#[test]
fn covers_qualify_by_exact_distances() {
    // WA-E11: leader at (0, 0), enemy at (10, 0), all moved onto the table by (20, 10)
    let (leader, enemy) = (vec![point(20, 10)], vec![point(30, 10)]);
    let nearer_to = |a: &[Body], b: &[Body], x: i64, y: i64| {
        let spot = [point(20 + x, 10 + y)];
        compare_distances(a, &spot, b, &spot).is_lt()
    };
    let found = [(4, 0), (5, 0), (-5, 0), (0, 8), (0, 20), (6, 0)].map(|(x, y)| nearer_to(&leader, &enemy, x, y));
    assert_eq!(found, [true, false, true, true, true, false]);
    // WA-E12: by the unit's nearest model the cover at (6, 0) is its own, by its leader it is not
    let unit = vec![point(20, 10), point(23, 10)];
    assert!(nearer_to(&unit, &enemy, 6, 0) && !nearer_to(&leader, &enemy, 6, 0));
}

#[test]
fn going_toward_a_wide_thing_leads_straight_there() {
    let pond = Body::disc(p(20, 28), 2_000);
    let found = solve(point(20, 20), vec![], vec![Line::AtMost(12_000), Line::Toward(vec![pond.clone()])]);
    assert_eq!(found.path().map(|p| (p.end, p.bearing)), Some((p(20, 26), 0)));
    let found = solve(point(20, 20), vec![], vec![Line::AtLeast(9_000), Line::Toward(vec![pond])]);
    assert_eq!(found.path().map(|p| (p.end, p.bearing)), Some((p(20, 29), 0)));
}

#[test]
fn broken_lines_are_all_told_with_both_figures() {
    let lines = vec![
        Line::AtMost(6_000),
        Line::EndsWithin { distance: 2_000, of: vec![point(10, 10)] },
        Line::NoNearerTo(vec![vec![point(20, 30)]]),
    ];
    with(point(20, 10), vec![], lines, |m| {
        let faults = check(m, p(20, 18));
        let rendered: Vec<_> = faults.iter().map(|f| (f.line, f.fault, f.wanted, f.got)).collect();
        assert_eq!(
            rendered,
            [
                (Some(0), Fault::TooLong, 6_000, 8_000),
                (Some(1), Fault::TooFar, 2_000, 12_806),
                (Some(2), Fault::Nearer { of: 0 }, 20_000, 12_000),
            ]
        );
    });
    let nobody = vec![Line::AtMost(6_000), Line::EndsWithin { distance: 2_000, of: vec![] }];
    assert!(matches!(solve(point(20, 10), vec![], nobody), Solution::Impossible(_)));
}

#[test]
fn contact_stops_and_edges_count() {
    let foe = Thing::new(7, Body::disc(p(20, 26), 500));
    let mover = Body::disc(p(20, 20), 500);
    let plain = vec![Line::Exactly(6_000), Line::Heading { from: 0, to: 0 }];
    assert!(matches!(solve(mover.clone(), vec![foe.clone()], plain.clone()), Solution::Impossible(_)));
    let mut stops = plain.clone();
    stops.push(Line::StopsOnContact(None));
    let found = solve(mover.clone(), vec![foe.clone()], stops.clone());
    assert_eq!(found.path().map(|p| (p.end, p.covered, p.met)), Some((p(20, 25), 5_000, Met::Thing(7))));
    let found = solve(Body::disc(p(20, 33), 500), vec![], stops);
    assert_eq!(found.path().map(|p| (p.covered, p.met)), Some((2_500, Met::Edge)));
    let mut through = plain;
    through.push(Line::Through(vec![7]));
    let found = solve(mover, vec![foe], through);
    assert_eq!(found.path().map(|p| (p.covered, p.met, p.crossed.clone())), Some((6_000, Met::Nothing, vec![7])));
}

#[test]
fn a_pursuer_runs_into_its_prey() {
    let prey = Thing::new(3, point(23, 24));
    let lines = vec![Line::Exactly(8_000), Line::Toward(vec![prey.body.clone()]), Line::StopsOnContact(None)];
    let found = solve(point(20, 20), vec![prey], lines);
    assert_eq!(found.path().map(|p| (p.end, p.covered, p.met)), Some((p(23, 24), 5_000, Met::Thing(3))));
}

#[test]
fn a_free_march_goes_ahead_and_turns_least() {
    let found = solve(point(20, 20).turned_to(9_000), vec![], vec![Line::AtMost(6_000)]);
    assert!(matches!(&found, Solution::Free(path) if path.end == p(26, 20) && path.facing == 9_000));
    let found = solve(point(20, 33), vec![], vec![Line::AtMost(6_000)]);
    // the edge is 3 inches ahead: 60 degrees to the side the full length fits, and the lower bearing is taken
    assert_eq!(found.path().map(|p| (p.covered, p.bearing)), Some((6_000, 6_000)));
    assert_eq!(end_of(&solve(point(20, 20), vec![], vec![])), Some(p(20, 20)));
    assert!(matches!(solve(point(20, 20), vec![], vec![Line::AtMost(0)]), Solution::Forced(_)));
}

#[test]
fn conditions_are_asked_of_the_caller() {
    let lines = vec![(4, Line::AtMost(6_000)), (5, Line::EndsWhere), (6, Line::Heading { from: 0, to: 0 })];
    let mut below = |_: usize, pose: grognard_board::motion::Pose| pose.at.y <= 23_456;
    let mut m =
        Problem { movers: vec![point(20, 20)], table: TABLE, things: vec![], lines, grid: 1000, judge: &mut below };
    assert_eq!(canonical(&mut m).path().map(|p| p.covered), Some(3_456));
    let lines = vec![(4, Line::Exactly(6_000)), (5, Line::StopsWhere), (6, Line::Heading { from: 0, to: 0 })];
    let mut above = |_: usize, pose: grognard_board::motion::Pose| pose.at.y >= 22_345;
    let mut m =
        Problem { movers: vec![point(20, 20)], table: TABLE, things: vec![], lines, grid: 1000, judge: &mut above };
    let found = canonical(&mut m);
    assert!(matches!(&found, Solution::Forced(p) if p.covered == 2_345), "{found:?}");
    assert!(check(&mut m, Point::new(20_000, 22_345)).is_empty());
    assert!(!check(&mut m, p(20, 26)).is_empty());
    let lines = vec![(4, Line::AtMost(6_000)), (5, Line::NeverWhere), (6, Line::Heading { from: 0, to: 0 })];
    let mut m =
        Problem { movers: vec![point(20, 20)], table: TABLE, things: vec![], lines, grid: 1000, judge: &mut above };
    assert_eq!(canonical(&mut m).path().map(|p| p.covered), Some(2_344));
}

#[test]
fn a_group_keeps_its_shape_and_the_shortest_way() {
    let lines = vec![(0, Line::AtMost(6_000)), (1, Line::Heading { from: 0, to: 0 })];
    let mut test = |_: usize, _| true;
    let wall = Thing::new(1, Body::segment(p(23, 24), 1_000, 0));
    let movers = vec![point(20, 20), point(23, 21)];
    let mut m = Problem { movers, table: TABLE, things: vec![wall], lines, grid: 1000, judge: &mut test };
    assert_eq!(canonical(&mut m).path().map(|p| (p.end, p.met)), Some((Point::new(20_000, 22_999), Met::Thing(1))));
}

#[test]
fn menus_hold_the_canonical_path_and_the_grid() {
    let all = with(point(20, 20), vec![], vec![Line::AtMost(2_000)], |m| ends(m, 100));
    // 13 grid points within 2 inches; the canonical one is among them
    assert!(all.complete && all.paths.len() == 13);
    let few = with(point(20, 20), vec![], vec![Line::AtMost(2_000)], |m| ends(m, 5));
    assert!(!few.complete && few.paths.len() == 5);
}

#[test]
fn bearings_of_a_few_vectors() {
    for (dx, dy, b) in [(0, 9, 0), (5, 5, 4_500), (9, 0, 9_000), (3, 4, 3_687), (-12, 5, 29_262), (1, -1, 13_500)] {
        assert_eq!(bearing(p(20, 20), p(20 + dx, 20 + dy)), b);
    }
    assert_eq!(point_along(p(20, 20), 9_000, 6_000), p(26, 20));
    assert_eq!(point_along(p(20, 20), 21_000, 10_000), Point::new(15_000, 11_340));
}

// ---- properties

fn any_point() -> impl Strategy<Value = Point> {
    (0..48_000i64, 0..36_000i64).prop_map(|(x, y)| Point::new(x, y))
}

fn any_body() -> impl Strategy<Value = Body> {
    prop_oneof![
        (any_point(), 0..3_000i64).prop_map(|(at, r)| Body::disc(at, r)),
        (any_point(), 0..12_000i64, 0..36_000i64).prop_map(|(at, l, f)| Body::segment(at, l, f)),
        (any_point(), 100..4_000i64, 100..4_000i64).prop_map(|(at, w, h)| Body::area(&[
            at,
            at.shifted(w, 0),
            at.shifted(w, h),
            at.shifted(w / 2, h / 3),
            at.shifted(0, h)
        ])),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(20), ..ProptestConfig::default() })]

    #[test]
    fn distance_is_symmetric_and_its_figures_agree(a in any_body(), b in any_body(), c in any_body()) {
        let (ab, ba, ac): (Gap, Gap, Gap) = (gap(&a, &b), gap(&b, &a), gap(&a, &c));
        prop_assert_eq!(ab, ba);
        prop_assert!(ab.at_most(ab.floor() + 1));
        prop_assert!(ab.floor() == 0 || !ab.at_most(ab.floor() - 1));
        prop_assert_eq!(ab.floor(), ba.floor());
        prop_assert!((0..=1).contains(&(ab.rounded() - ab.floor())));
        if ab.floor() < ac.floor() {
            prop_assert!(ab < ac);
        }
        let (a, b, c) = (vec![a], vec![b], vec![c]);
        let apart = ab.floor().abs_diff(ac.floor());
        let order = compare_distances(&a, &b, &a, &c);
        prop_assert_eq!(order, compare_distances(&a, &c, &a, &b).reverse());
        let agrees = if apart > 2 { order == ab.cmp(&ac) } else { apart > 0 || order.is_eq() };
        prop_assert!(agrees);
        let both = [b[0].clone(), c[0].clone()];
        prop_assert_eq!(dist(&a, &both), Some(ab.rounded().min(ac.rounded())));
        prop_assert_eq!(dist(&a, &[]), None);
        prop_assert!(!within(&a, &[], FAR));
    }

    #[test]
    fn within_of_discs_is_pythagoras(a in any_point(), b in any_point(), r in 0..3000i64, s in 0..3000i64, d in 0..60_000i64) {
        let n = i128::from(a.x - b.x).pow(2) + i128::from(a.y - b.y).pow(2);
        let reach = i128::from(d + r + s);
        let (a, b) = ([Body::disc(a, r)], [Body::disc(b, s)]);
        // less than a thousandth apart is equal
        prop_assert_eq!(within(&a, &b, d), n < (reach + 1).pow(2));
        let less = d > 0 && n <= (reach - 1).pow(2);
        prop_assert_eq!(compare_distance(&a, &b, d).is_lt(), less);
    }

    #[test]
    fn bearings_are_right_to_half_a_hundredth(a in any_point(), b in any_point()) {
        prop_assume!(a != b);
        let truth = ((b.x - a.x) as f64).atan2((b.y - a.y) as f64).to_degrees().rem_euclid(360.0) * 100.0;
        let off = (bearing(a, b) as f64 - truth).rem_euclid(36_000.0);
        prop_assert!(off.min(36_000.0 - off) <= 0.500_001, "{off}");
    }

    #[test]
    fn points_along_lie_as_far_off_as_they_should(from in any_point(), angle in 0..36_000i64, d in 0..40_000i64) {
        let end = point_along(from, angle, d);
        let (s, c) = (f64::from(angle as i32) / 100.0).to_radians().sin_cos();
        for (got, want) in [(end.x - from.x, s * d as f64), (end.y - from.y, c * d as f64)] {
            prop_assert!((got as f64 - want).abs() < 1.01, "{got} {want}");
        }
        prop_assert_eq!(dist(&[Body::point(from)], &[Body::point(end)]), Some(d));
        prop_assert!(compare_distance(&[Body::point(from)], &[Body::point(end)], d).is_eq());
        prop_assert_eq!(Way::bearing(angle).distances_to(from, end, 0).collect::<Vec<_>>(), [d]);
    }

    #[test]
    fn crossing_agrees_with_points_on_the_line(a in any_point(), b in any_point(), body in any_body()) {
        // a line that passes over a body has a point in it; one with a point well inside passes over it
        let line = gap(&Body::area(&[a, b]), &body);
        if crosses(a, b, &body) {
            prop_assert!(line.is_zero());
        }
        let inner = match &body.shape {
            grognard_board::Shape::Disc { radius } if *radius > 10 => Some(Body::disc(body.at, radius - 10)),
            _ => None,
        };
        if inner.is_some_and(|inner| gap(&Body::area(&[a, b]), &inner).is_zero()) {
            prop_assert!(crosses(a, b, &body));
        }
    }
}

/// A small board with a few demands.
#[derive(Clone, Debug)]
struct Board {
    mover: Body,
    things: Vec<Thing>,
    lines: Vec<Line>,
}

const SMALL: Table = Table { width: 12_000, height: 12_000 };

fn spot() -> impl Strategy<Value = Point> {
    (1_000..11_000i64, 1_000..11_000i64).prop_map(|(x, y)| Point::new(x, y))
}

fn any_line() -> impl Strategy<Value = Line> {
    prop_oneof![
        (0..6_000i64).prop_map(Line::AtLeast),
        (1_000..9_000i64).prop_map(Line::AtMost),
        spot().prop_map(|at| Line::Toward(vec![Body::point(at)])),
        prop::collection::vec(spot(), 1..3)
            .prop_map(|all| { Line::NoNearerTo(all.into_iter().map(|at| vec![Body::disc(at, 300)]).collect(),) }),
        (500..4_000i64, prop::collection::vec(spot(), 1..3)).prop_map(|(distance, all)| {
            Line::EndsWithin { distance, of: all.into_iter().map(Body::point).collect() }
        }),
        (0..36_000i64, 0..9_000i64).prop_map(|(from, wide)| Line::Heading { from, to: (from + wide) % 36_000 }),
        prop::collection::vec(spot(), 1..3).prop_map(Line::AwayFrom),
        Just(Line::StopsOnContact(None)),
    ]
}

fn any_board() -> impl Strategy<Value = Board> {
    let thing = prop_oneof![
        (spot(), 0..1_500i64).prop_map(|(at, r)| Body::disc(at, r)),
        (spot(), 500..5_000i64, 0..36_000i64).prop_map(|(at, l, f)| Body::segment(at, l, f)),
        (spot(), 500..3_000i64).prop_map(|(at, w)| Body::area(&[at, at.shifted(w, 0), at.shifted(w / 2, w)])),
    ];
    (spot(), 0..36_000i64, 0..500i64, prop::collection::vec(thing, 0..4), prop::collection::vec(any_line(), 1..4))
        .prop_map(|(at, facing, radius, bodies, mut lines)| {
            lines.push(Line::AtMost(8_000));
            let things = (0..).zip(bodies).map(|(id, body)| Thing::new(id, body)).collect();
            Board { mover: Body::disc(at, radius).turned_to(facing), things, lines }
        })
}

fn on<T>(board: &Board, f: impl FnOnce(&mut Problem) -> T) -> T {
    let mut test = |_: usize, _| true;
    f(&mut Problem {
        movers: vec![board.mover.clone()],
        table: SMALL,
        things: board.things.clone(),
        lines: board.lines.iter().cloned().enumerate().collect(),
        grid: 1000,
        judge: &mut test,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(20), ..ProptestConfig::default() })]

    #[test]
    fn the_canonical_path_passes_the_check(board in any_board()) {
        let solution = on(&board, canonical);
        if let Some(path) = solution.path() {
            let faults = on(&board, |m| check(m, path.end));
            prop_assert!(faults.is_empty(), "{path:?}\n{faults:?}");
            let mover = board.mover.moved_to(path.end);
            prop_assert!(path.covered == 0 || SMALL.holds(&mover));
        }
        prop_assert_eq!(&solution, &on(&board, canonical));
    }

    #[test]
    fn what_a_fine_grid_finds_the_solver_finds(board in any_board()) {
        let solution = on(&board, canonical);
        let longest = on(&board, |m| {
            let mut best: Option<grognard_board::motion::Path> = None;
            for x in 0..=24 {
                for y in 0..=24 {
                    let found = settle(m, Point::new(x * 500, y * 500)).ok();
 best = best.into_iter().chain(found).max_by_key(|p| p.covered);
                }
            }
            best
        });
        if let Some(best) = longest {
            prop_assert!(solution.path().is_some(), "{best:?} but {solution:?}");
            let toward = board.lines.iter().any(|l| matches!(l, Line::Toward(_)));
            // without a target, none of those is longer
            let ours = solution.path().map_or(0, |p| p.covered);
            prop_assert!(toward || ours + 50 >= best.covered, "{best:?} is longer than {solution:?}");
        }
    }
}

fn wild() -> impl Strategy<Value = i64> {
    prop_oneof![any::<i64>(), -50_000..50_000i64, Just(i64::MIN), Just(i64::MAX), Just(0), Just(1 << 24), Just(1 << 31)]
}

fn wild_body() -> impl Strategy<Value = Body> {
    (wild(), wild(), wild(), wild(), wild(), 0..4usize).prop_map(|(x, y, facing, a, b, kind)| {
        use grognard_board::Shape;
        let corner = |x, y| Point { x, y };
        let shape = match kind {
            0 => Shape::Disc { radius: a },
            1 => Shape::Segment { length: a },
            2 => Shape::Polygon([].into()),
            _ => Shape::Polygon([corner(a, b), corner(b, x), corner(y, a)].into()),
        };
        Body { at: Point { x, y }, facing, shape }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(20), ..ProptestConfig::default() })]

    #[test]
    fn wild_figures_overflow_nothing(a in wild_body(), b in wild_body(), c in wild_body(), n in wild(), m in wild(), w in wild()) {
        use grognard_board::{just_behind, just_beyond, room_behind, same_facing, spots_near};
        let table = Table { width: w, height: m };
        let (ga, gb) = (gap(&a, &b), gap(&b, &c));
        prop_assert_eq!(ga.cmp(&gb), gb.cmp(&ga).reverse());
        let _ = (ga.floor(), ga.at_most(n), inside(&a, &b), sees(from_ref(&a), from_ref(&b), from_ref(&c)), same_facing(&a, &b));
        let _ = (just_behind(&a, &b), just_beyond(&a, &b), room_behind(&a, from_ref(&b), table), point_along(a.at, n, m));
        let _ = spots_near(&a, &b, 2_000, from_ref(&c), table, n.max(1_000), 10);
        for lines in [
            vec![Line::AtMost(n), Line::Toward(vec![b.clone()])],
            vec![Line::AtLeast(n), Line::AtMost(m), Line::EndsWithin { distance: w, of: vec![c.clone()] }],
            vec![Line::Heading { from: n, to: m }, Line::Exactly(w), Line::StopsOnContact(None)],
            vec![Line::AwayFrom(vec![b.at, c.at]), Line::NoNearerTo(vec![vec![c.clone()]])],
        ] {
            let mut test = |_: usize, _| true;
            let lines = lines.into_iter().enumerate().collect();
            let things = vec![Thing::new(1, c.clone())];
            let mut m = Problem { movers: vec![a.clone()], table, things, lines, grid: n, judge: &mut test };
            let _ = (canonical(&mut m), check(&mut m, b.at), ends(&mut m, 5));
        }
    }
}
