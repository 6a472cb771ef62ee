//! Moves with lines of all sorts on boards of all sorts of things.

use super::*;

/// A board of all sorts of things, some of them in touch with the mover, and a move with lines of all sorts.
#[derive(Debug)]
pub struct Game {
    pub mover: Body,
    pub things: Vec<Body>,
    pub lines: Vec<Line>,
}

impl Game {
    pub fn random(c: &mut Chance) -> Game {
        let at = c.spot();
        let radius = if c.below(3) > 0 { 0 } else { c.between(50, 500) };
        let mover = Body::disc(at, radius).turned_to(c.below(36_000));
        let things: Vec<Body> = (0..c.between(1, 5)).map(|_| Game::thing(c, at, radius)).collect();
        let spots = |c: &mut Chance| (0..c.between(1, 2)).map(|_| c.spot()).collect::<Vec<_>>();
        let ids = |c: &mut Chance| (0..5).filter(|_| c.below(2) == 0).collect::<Vec<u32>>();
        let length = c.between(1_000, 8_000);
        let mut lines = vec![if c.below(2) == 0 { Line::AtMost(length) } else { Line::Exactly(length) }];
        let heading = c.below(36_000);
        if c.below(3) > 0 {
            lines.push(Line::Heading { from: heading, to: heading + if c.below(2) == 0 { 0 } else { c.below(9_000) } });
        }
        for kind in 0..12 {
            if c.below(4) > 0 {
                continue;
            }
            lines.push(match kind {
                0 => Line::AtLeast(c.between(0, length)),
                1 => Line::AwayFrom(spots(c)),
                2 => Line::NoNearerTo(spots(c).into_iter().map(|p| vec![Body::disc(p, c.between(0, 300))]).collect()),
                3 => Line::EndsWithin {
                    distance: c.between(300, 4_000),
                    of: spots(c).into_iter().map(Body::point).collect(),
                },
                4 => Line::StraightFor(c.between(0, length)),
                5 => Line::KeepsFacing,
                6 | 7 => Line::BendsAtMost([4_500, 9_000, 18_000][c.below(3) as usize]),
                8 => Line::Through(ids(c)),
                9 => Line::StopsOnContact((c.below(2) == 0).then(|| ids(c))),
                10 => [Line::EndsWhere, Line::NeverWhere, Line::StopsWhere][c.below(3) as usize].clone(),
                _ => Line::Avoids(ids(c)),
            });
        }
        if lines.iter().any(|l| matches!(l, Line::BendsAtMost(_))) && c.below(3) > 0 {
            lines.push(Line::Avoids((0..5).collect()));
        }
        Game { mover, things, lines }
    }

    fn thing(c: &mut Chance, at: Point, radius: i64) -> Body {
        let (angle, near) = (c.below(36_000), c.below(3) == 0);
        let away = |off: i64| grognard_kit::point_along(at, angle, off);
        let gap = c.between(0, 3);
        match c.below(4) {
            0 => {
                let own = c.between(100, 1_500);
                Body::disc(if near { away(own + radius + gap) } else { c.spot() }, own)
            }
            1 => {
                let place = if near { away(radius + gap) } else { c.spot() };
                Body::segment(place, c.between(300, 10_000), if near { angle } else { c.below(36_000) })
            }
            2 => {
                let at = if near { at.shifted(radius + gap, c.between(-2_000, 0)) } else { c.spot() };
                let (w, h) = (c.between(200, 3_000), c.between(200, 3_000));
                Body::area(&[at, at.shifted(w, 0), at.shifted(w, h), at.shifted(0, h)])
            }
            _ => {
                let at = if near { at.shifted(c.between(-2_000, 0), radius + gap) } else { c.spot() };
                let (w, h, k) = (c.between(900, 4_000), c.between(900, 4_000), c.between(200, 700));
                Body::area(&[
                    at,
                    at.shifted(w, 0),
                    at.shifted(w, h),
                    at.shifted(w - k, h),
                    at.shifted(w - k, k),
                    at.shifted(0, k),
                ])
            }
        }
    }

    /// The condition of a line: a half of the table that the mover does not begin in.
    pub fn holds(&self, line: usize, at: Point) -> bool {
        let (dx, dy) = [(1, 2), (-2, 1), (1, -1), (-1, -2)][line % 4];
        dx * (at.x - self.mover.at.x) + dy * (at.y - self.mover.at.y) > 900
    }

    pub fn with<T>(&self, f: impl FnOnce(&mut Problem) -> T) -> T {
        let mut test = |line: usize, pose: Pose| self.holds(line, pose.at);
        f(&mut Problem {
            movers: vec![self.mover.clone()],
            table: Table { width: SIDE, height: SIDE },
            things: (0..).zip(&self.things).map(|(id, body)| Thing::new(id, body.clone())).collect(),
            lines: self.lines.iter().cloned().enumerate().collect(),
            grid: 1000,
            judge: &mut test,
        })
    }
}
