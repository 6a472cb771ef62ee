//! The shortcuts of the search against the search in full: the same path, verdict and obstacle on boards at random, most of them
//! with things that the mover touches.

use grognard_board::motion::{Line, Pose, Problem, Solution, Thing, canonical, canonical_in_full, stations};
use grognard_board::{Body, Point, Table, Way};
use grognard_kit::Lots;

const SIDE: i64 = 24_000;

/// Number of boards. `BOARDS` in the environment overrides it.
fn boards() -> usize {
    std::env::var("BOARDS").ok().and_then(|n| n.parse().ok()).unwrap_or(3_000)
}

struct Board {
    mover: Body,
    things: Vec<Body>,
    lines: Vec<Line>,
}

fn spot(lots: &mut Lots) -> Point {
    Point::new(lots.range(0, SIDE), lots.range(0, SIDE))
}

/// One of some entries.
fn one<const N: usize, T: Copy>(lots: &mut Lots, of: [T; N]) -> T {
    of[lots.below(N as u64) as usize]
}

/// A disc or an area at a place, touched by a mover there or about so far from it.
fn thing(lots: &mut Lots, at: Point, radius: i64) -> Body {
    let own = lots.range(100, 1_500);
    let apart = one(lots, [0, 1, 2, 3, 5, 40, 2_000]);
    let angle = if lots.below(3) == 0 { 500 * lots.range(0, 71) } else { lots.range(0, 35_999) };
    let middle = Way::bearing(angle).point(at, own + radius + apart);
    if lots.below(4) > 0 {
        return Body::disc(middle, own);
    }
    let corner = |x: i64, y: i64| Point::new(middle.x + x * own, middle.y + y * own);
    Body::area(&[corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)])
}

impl Board {
    fn random(lots: &mut Lots) -> Board {
        let radius = one(lots, [0, 500, 1_000]);
        let edge = |n: i64| if n < SIDE / 8 { radius } else { n.clamp(radius, SIDE - radius) };
        let at = spot(lots);
        let at = Point::new(edge(at.x), edge(at.y));
        let things: Vec<Body> = (0..lots.below(5))
            .map(|_| {
                if lots.below(3) == 0 {
                    Body::disc(spot(lots), lots.range(200, 2_000))
                } else {
                    thing(lots, at, radius)
                }
            })
            .collect();
        let most = lots.range(0, 12_000);
        let mut lines = vec![Line::AtMost(if lots.below(8) == 0 { lots.range(0, 6) } else { most })];
        if lots.below(4) > 0 {
            // a thing on the board, or another place, or several
            let targets = (0..=lots.below(2)).map(|_| match things.get(lots.below(6) as usize) {
                Some(body) => body.clone(),
                None => Body::disc(spot(lots), one(lots, [0, 500, 1_000])),
            });
            lines.push(Line::Toward(targets.collect()));
        }
        for kind in 0..9 {
            if lots.below(7) > 0 {
                continue;
            }
            lines.push(match kind {
                0 => Line::AtLeast(lots.range(0, 3_000)),
                1 => Line::NoNearerTo(vec![vec![Body::disc(spot(lots), 500)]]),
                2 => Line::EndsWithin { distance: lots.range(300, 6_000), of: vec![Body::point(spot(lots))] },
                3 => Line::KeepsFacing,
                4 => Line::Through((0..4).filter(|_| lots.below(2) == 0).collect()),
                5 => Line::StopsOnContact((lots.below(2) == 0).then(|| vec![0, 2])),
                6 => [Line::EndsWhere, Line::NeverWhere, Line::StopsWhere][lots.below(3) as usize].clone(),
                7 => Line::Heading { from: lots.range(0, 35_999), to: lots.range(0, 35_999) },
                _ => Line::AwayFrom(vec![spot(lots)]),
            });
        }
        Board { mover: Body::disc(at, radius).turned_to(lots.range(0, 35_999)), things, lines }
    }

    fn with<T>(&self, f: impl FnOnce(&mut Problem) -> T) -> T {
        let mut judge = |_: usize, pose: Pose| (pose.at.x / 4_000 + pose.at.y / 4_000) % 2 == 0;
        f(&mut Problem {
            movers: vec![self.mover.clone()],
            table: Table { width: SIDE, height: SIDE },
            things: (0..).zip(&self.things).map(|(id, body)| Thing::new(id, body.clone())).collect(),
            lines: self.lines.iter().cloned().enumerate().collect(),
            grid: 1000,
            judge: &mut judge,
        })
    }
}

#[test]
fn shortcuts_change_no_path() {
    let mut lots = Lots(0x5407_c075_0000_0001);
    let (mut stayed, mut moved, mut blocked) = (0, 0, 0);
    for n in 0..boards() {
        let board = Board::random(&mut lots);
        let [short, full] =
            [canonical as fn(&mut Problem) -> Solution, canonical_in_full].map(|solve| board.with(solve));
        assert_eq!(short, full, "board {n}: {:?} among {:?}: {:?}", board.mover, board.things, board.lines);
        match full.path() {
            Some(path) if path.end == board.mover.at => stayed += 1,
            Some(_) => moved += 1,
            None => blocked += 1,
        }
    }
    assert!(10 * stayed.min(moved) > boards(), "{stayed} stayed, {moved} moved, {blocked} had no path");
}

/// Two stations decide what all of them say.
#[test]
fn two_stations_of_a_straight_path_say_what_all_say() {
    let mut lots = Lots(0x5407_c075_0000_0002);
    let (mut nearer, mut farther) = (0, 0);
    for _ in 0..boards() {
        let (start, target) = (spot(&mut lots), spot(&mut lots));
        let radius = lots.range(0, 1_000);
        let lines = vec![Line::Toward(vec![Body::disc(target, radius)])];
        let board = Board { mover: Body::disc(start, radius), things: Vec::new(), lines };
        let straight = Way::toward(start, target).map_or(0, |way| way.angle());
        let aside = {
            let most = one(&mut lots, [50, 3_000, 12_000]);
            lots.range(0, most)
        };
        let (way, d) = (Way::bearing(straight + aside), lots.range(1, 12_000));
        if let Some((Some(two), all)) = board.with(|problem| stations(problem, way, d)) {
            assert_eq!(two, all, "{start:?} to {target:?} on {way:?} for {d}");
            if two { nearer += 1 } else { farther += 1 }
        }
    }
    assert!(4 * nearer > boards() && 20 * farther > boards(), "{nearer} nearer, {farther} farther");
}
