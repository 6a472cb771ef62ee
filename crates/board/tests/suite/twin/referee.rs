//! A referee of finished paths: reads a path again from its corners, in floating point, and shares nothing with the
//! solver but the words that a move is put in.

use grognard_board::motion::{Line, Met, Path};
use grognard_board::{Body, Point, Shape, Table};

type Vec2 = (f64, f64);

fn sub(a: Vec2, b: Vec2) -> Vec2 {
    (a.0 - b.0, a.1 - b.1)
}

fn dot(a: Vec2, b: Vec2) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

fn cross(a: Vec2, b: Vec2) -> f64 {
    a.0 * b.1 - a.1 * b.0
}

fn length(a: Vec2) -> f64 {
    dot(a, a).sqrt()
}

fn vector(p: Point) -> Vec2 {
    (p.x as f64, p.y as f64)
}

/// A bearing in degrees, clockwise from up.
fn bearing(v: Vec2) -> f64 {
    v.0.atan2(v.1).to_degrees().rem_euclid(360.0)
}

fn apart(a: f64, b: f64) -> f64 {
    let d = (a - b).rem_euclid(360.0);
    d.min(360.0 - d)
}

/// The corners of a body and the radius around them.
#[derive(Clone)]
struct Figure {
    corners: Vec<Vec2>,
    radius: f64,
}

impl Figure {
    fn of(body: &Body) -> Figure {
        let at = vector(body.at);
        match &body.shape {
            Shape::Disc { radius } => Figure { corners: vec![at], radius: *radius as f64 },
            Shape::Segment { length } => {
                let (sin, cos) = (body.facing as f64 / 100.0).to_radians().sin_cos();
                let half = *length as f64 / 2.0;
                // ends are whole thousandths, so that a straight piece is the same for everybody
                let end = |k: f64| (at.0 + (k * half * cos).round(), at.1 - (k * half * sin).round());
                Figure { corners: vec![end(-1.0), end(1.0)], radius: 0.0 }
            }
            Shape::Polygon(offsets) => {
                let corners = offsets.iter().map(|o| (at.0 + o.x as f64, at.1 + o.y as f64)).collect();
                Figure { corners, radius: 0.0 }
            }
        }
    }

    fn shifted(&self, by: Vec2) -> Figure {
        let corners = self.corners.iter().map(|c| (c.0 + by.0, c.1 + by.1)).collect();
        Figure { corners, radius: self.radius }
    }

    fn sides(&self) -> Vec<(Vec2, Vec2)> {
        let n = self.corners.len();
        (0..if n < 3 { 1 } else { n }).map(|k| (self.corners[k], self.corners[(k + 1) % n])).collect()
    }

    /// How deep a point lies in it, in thousandths; below 0 how far outside it is.
    fn depth(&self, p: Vec2) -> f64 {
        let off = self.sides().iter().map(|(a, b)| to_piece(p, *a, *b)).fold(f64::INFINITY, f64::min);
        if self.corners.len() < 3 {
            return -off;
        }
        let mut inside = false;
        for (a, b) in self.sides() {
            if (a.1 > p.1) != (b.1 > p.1) && p.0 < a.0 + (p.1 - a.1) / (b.1 - a.1) * (b.0 - a.0) {
                inside = !inside;
            }
        }
        if inside { off } else { -off }
    }

    /// The gap between two; below 0 how deep a corner or a rim of one is in the other.
    fn gap(&self, other: &Figure) -> f64 {
        let deepest = |a: &Figure, b: &Figure| a.corners.iter().map(|c| b.depth(*c)).fold(f64::NEG_INFINITY, f64::max);
        -deepest(self, other).max(deepest(other, self)) - self.radius - other.radius
    }

    fn widest(&self) -> f64 {
        self.corners.iter().map(|c| length(sub(*c, self.corners[0]))).fold(self.radius, f64::max)
    }
}

fn to_piece(p: Vec2, a: Vec2, b: Vec2) -> f64 {
    let (side, w) = (sub(b, a), sub(p, a));
    let whole = dot(side, side);
    let t = if whole == 0.0 { 0.0 } else { (dot(side, w) / whole).clamp(0.0, 1.0) };
    length(sub(w, (side.0 * t, side.1 * t)))
}

/// True if two pieces cross, each with its ends clearly on both sides of the other.
fn cuts(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let side = |p: Vec2, q: Vec2, r: Vec2| {
        let off = cross(sub(q, p), sub(r, p)) / length(sub(q, p)).max(1e-9);
        if off.abs() < 1e-6 { 0 } else { off.signum() as i32 }
    };
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

/// A board, a mover on it and what its move asks; conditions are told apart by the number of their line.
pub struct Case<'a> {
    pub mover: &'a Body,
    pub things: &'a [Body],
    pub table: Table,
    pub lines: &'a [Line],
    pub holds: &'a dyn Fn(usize, Point) -> bool,
}

/// By how many degrees the bearing of a piece may be off, as each of its ends may be by two thousandths.
fn blur(piece: Vec2) -> f64 {
    if length(piece) < 20.0 { 180.0 } else { (2.0 / length(piece)).to_degrees() + 0.02 }
}

impl Case<'_> {
    /// What a finished path does wrong, in words.
    pub fn faults(&self, path: &Path) -> Vec<String> {
        let mut out = Vec::new();
        let start = vector(self.mover.at);
        let mut stations = vec![start];
        stations.extend(path.corners.iter().map(|c| vector(*c)));
        stations.push(vector(path.end));
        let legs: Vec<(Vec2, Vec2)> = stations.windows(2).map(|w| (w[0], w[1])).collect();
        let walked: f64 = legs.iter().map(|(a, b)| length(sub(*b, *a))).sum();
        let count = legs.len() as f64;
        if (walked - path.covered as f64).abs() >= 1.5 * count {
            out.push(format!("walks {walked}, says {}", path.covered));
        }
        self.bends(&legs, path, &mut out);
        self.ways(&legs, path, &mut out);
        self.ground(&legs, path, &mut out);
        self.distances(&stations, path, &mut out);
        self.conditions(&legs, path, &mut out);
        out
    }

    fn bends(&self, legs: &[(Vec2, Vec2)], path: &Path, out: &mut Vec<String>) {
        let turn = |w: &[(Vec2, Vec2)]| apart(bearing(sub(w[0].1, w[0].0)), bearing(sub(w[1].1, w[1].0)));
        let blur: f64 = legs.iter().map(|(a, b)| 2.0 * blur(sub(*b, *a))).sum();
        let turned: f64 = legs.windows(2).map(turn).sum();
        let most =
            self.lines.iter().filter_map(|l| if let Line::BendsAtMost(a) = l { Some(*a as f64 / 100.0) } else { None });
        let most = most.fold(f64::INFINITY, f64::min);
        let most = if most.is_infinite() { 0.0 } else { most };
        if turned > most + blur || path.bent as f64 / 100.0 > most || (turned - path.bent as f64 / 100.0).abs() > blur {
            out.push(format!("bends {turned}, says {}, may {most}", path.bent));
        }
        for line in self.lines {
            if let Line::StraightFor(d) = line
                && legs.len() > 1
                && length(sub(legs[0].1, legs[0].0)) < *d as f64 - 1.0
            {
                out.push(format!("bends before {d}"));
            }
        }
    }

    fn ways(&self, legs: &[(Vec2, Vec2)], path: &Path, out: &mut Vec<String>) {
        let (first, last) = (legs[0], legs[legs.len() - 1]);
        let (a, b) = (sub(first.1, first.0), sub(last.1, last.0));
        if path.covered == 0 {
            return;
        }
        let keeps = self.lines.iter().any(|l| matches!(l, Line::KeepsFacing));
        let faces = path.facing as f64 / 100.0;
        let right = if keeps { path.facing == self.mover.facing } else { apart(faces, bearing(b)) <= blur(b) };
        if !right {
            out.push(format!("faces {faces}, goes {}", bearing(b)));
        }
        for line in self.lines {
            match line {
                Line::Heading { from, to } => {
                    let (from, to) = (*from as f64 / 100.0, *to as f64 / 100.0);
                    let over = apart(bearing(a), from) + apart(bearing(a), to) - apart(from, to);
                    if over > 2.0 * blur(a) {
                        out.push(format!("sets out at {}", bearing(a)));
                    }
                }
                Line::AwayFrom(points) => {
                    let unit = |v: Vec2| (v.0 / length(v), v.1 / length(v));
                    let ways = points.iter().map(|p| sub(first.0, vector(*p))).filter(|v| length(*v) > 0.0).map(unit);
                    let sum = ways.fold((0.0, 0.0), |s, v| (s.0 + v.0, s.1 + v.1));
                    if length(sum) > 1e-3 && (legs.len() > 1 || apart(bearing(a), bearing(sum)) > blur(a)) {
                        out.push(format!("goes {}, away is {}", bearing(a), bearing(sum)));
                    }
                }
                _ => {}
            }
        }
    }

    /// What stands in the way: nothing is entered by more than a rounding, no straight piece is crossed.
    fn ground(&self, legs: &[(Vec2, Vec2)], path: &Path, out: &mut Vec<String>) {
        let me = Figure::of(self.mover);
        let (low, high) = me.corners.iter().fold(((f64::MAX, f64::MAX), (f64::MIN, f64::MIN)), |(l, h), c| {
            ((l.0.min(c.0), l.1.min(c.1)), (h.0.max(c.0), h.1.max(c.1)))
        });
        let by = sub(vector(path.end), vector(self.mover.at));
        let edge = [
            low.0 + by.0,
            low.1 + by.1,
            self.table.width as f64 - high.0 - by.0,
            self.table.height as f64 - high.1 - by.1,
        ];
        if edge.iter().any(|e| *e < me.radius) {
            out.push("leaves the table".into());
        }
        for (id, thing) in (0u32..).zip(self.things) {
            let named = |ids: &[u32]| ids.contains(&id);
            let through = self.lines.iter().any(|l| matches!(l, Line::Through(ids) if named(ids)));
            let avoided = self.lines.iter().any(|l| matches!(l, Line::Avoids(ids) if named(ids)));
            let stops = self.lines.iter().any(|l| matches!(l, Line::StopsOnContact(Some(ids)) if named(ids)));
            let other = Figure::of(thing);
            let at_start = me.gap(&other);
            let met = path.met == Met::Thing(id);
            let shifted = |p: Vec2| me.shifted(sub(p, vector(self.mover.at)));
            let at_end = shifted(vector(path.end)).gap(&other);
            if met && at_end.abs() > 2.0 {
                out.push(format!("met {id} from {at_end} away"));
            }
            // the deepest on the way, by steps no longer than what is left
            let mut deepest = (f64::NEG_INFINITY, 0.0);
            let mut crossed = false;
            for (from, to) in legs {
                let whole = length(sub(*to, *from));
                let mut d = 0.0;
                while d <= whole {
                    let t = if whole == 0.0 { 0.0 } else { d / whole };
                    let here = (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
                    let gap = shifted(here).gap(&other);
                    if -gap > deepest.0 {
                        deepest = (-gap, d);
                    }
                    d += (gap.abs() * 0.9).max(0.1);
                }
                let (a, b) = (shifted(*from), shifted(*to));
                for (p, q) in a.corners.iter().zip(&b.corners) {
                    crossed |= other.sides().iter().any(|(r, s)| cuts(*p, *q, *r, *s));
                }
                let back = sub(*from, *to);
                for r in &other.corners {
                    crossed |= a.sides().iter().any(|(p, q)| cuts(*r, (r.0 + back.0, r.1 + back.1), *p, *q));
                }
            }
            let thin = me.radius + other.radius == 0.0 && other.corners.len() == 2;
            if through && !avoided && !stops {
                let listed = path.crossed.contains(&id);
                if path.covered > 0 && deepest.0 > 3.0 && !listed || deepest.0 < -3.0 && listed {
                    out.push(format!("went {} into {id}, crossed: {listed}", deepest.0));
                }
                continue;
            }
            // what it lies in at the start does not stop it
            if at_start < -2.0 {
                continue;
            }
            let may = (-at_start).max(0.0);
            if deepest.0 > may + 1.5 || thin && crossed && at_start > 0.0 {
                out.push(format!("goes {} into {id} after {}, crosses: {crossed}", deepest.0, deepest.1));
            }
            if -at_end > may + if met { 0.01 } else { 0.75 } && !thin {
                out.push(format!("ends {} in {id}", -at_end));
            }
            if avoided && at_start > 2.0 && deepest.0 >= 1.0 {
                out.push(format!("touches {id}, which it avoids"));
            }
        }
        let _ = Figure::widest;
    }

    fn distances(&self, stations: &[Vec2], path: &Path, out: &mut Vec<String>) {
        let me = Figure::of(self.mover);
        let begin = vector(self.mover.at);
        let turned = Figure::of(&self.mover.turned_to(path.facing));
        let there = turned.shifted(sub(vector(path.end), begin));
        let nearest =
            |me: &Figure, of: &[Body]| of.iter().map(|b| me.gap(&Figure::of(b)).max(0.0)).fold(f64::INFINITY, f64::min);
        let stopped = path.met != Met::Nothing || self.lines.iter().any(|l| matches!(l, Line::StopsWhere));
        for line in self.lines {
            match line {
                Line::AtMost(d) if path.covered > *d => out.push(format!("covers {} of {d}", path.covered)),
                Line::Exactly(d) if path.covered > *d => out.push(format!("covers {} of {d}", path.covered)),
                Line::AtLeast(d) | Line::Exactly(d) if path.covered < *d && !stopped => {
                    out.push(format!("covers {} of {d}", path.covered));
                }
                Line::Exactly(d) if stations.len() == 2 && path.covered == *d => {
                    let off = length(sub(stations[1], stations[0]));
                    if (off - *d as f64).abs() >= 0.5 {
                        out.push(format!("ends {off} off, exactly {d} is asked"));
                    }
                }
                Line::NoNearerTo(all) => {
                    for of in all {
                        let (a, b) = (nearest(&me, of), nearest(&there, of));
                        if b < a - 1e-6 {
                            out.push(format!("{a} off before, {b} after"));
                        }
                    }
                }
                Line::EndsWithin { distance, of } => {
                    let off = nearest(&there, of);
                    if off > *distance as f64 + 1e-6 {
                        out.push(format!("ends {off} off, within {distance} is asked"));
                    }
                }
                _ => {}
            }
        }
    }

    fn conditions(&self, legs: &[(Vec2, Vec2)], path: &Path, out: &mut Vec<String>) {
        for (id, line) in self.lines.iter().enumerate() {
            let end = (self.holds)(id, path.end);
            match line {
                Line::EndsWhere if !end => out.push("its end is none".into()),
                Line::NeverWhere | Line::StopsWhere => {
                    let whole: f64 = legs.iter().map(|(a, b)| length(sub(*b, *a))).sum();
                    let mut gone = 0.0;
                    for (a, b) in legs {
                        let leg = length(sub(*b, *a));
                        let steps = (leg / 50.0) as usize;
                        for k in 1..steps {
                            let t = k as f64 / steps as f64;
                            let here = Point::new((a.0 + (b.0 - a.0) * t) as i64, (a.1 + (b.1 - a.1) * t) as i64);
                            if (self.holds)(id, here) && whole - gone - leg * t > 3.0 {
                                out.push(format!("{line:?} holds at {here:?}"));
                                break;
                            }
                        }
                        gone += leg;
                    }
                    if matches!(line, Line::NeverWhere) && end {
                        out.push("ends where it never may be".into());
                    }
                }
                _ => {}
            }
        }
    }
}
