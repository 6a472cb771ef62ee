//! Closed directions, in which a disc can only stay: it touches an obstacle, or no end is nearer to its target.

use super::bound::{half_chord, seen_along};
use super::obstacles::regard;
use super::{LAST, Line, Problem};
use crate::contact::{AT_ONCE, Contact, contact};
use crate::shape::{Vector, dot};
use crate::{Body, Point, TOUCH, Way, gap};

/// Maximum length of a path that leads away from a target; see [`super::bound::Limits::longest_about`].
const SHORT: i64 = LAST;

/// Bound of the distance between the end of a path and the exact point, by rounding and by an obstacle next to the way.
const SHIFT: i64 = 4;

/// The obstacles and targets of a disc that close directions.
#[derive(Default)]
pub(super) struct Closed {
    mover: Option<Body>,
    /// Things that stop the mover within [`SHORT`], if it moves toward them.
    near: Vec<Near>,
    /// The vectors to the targets of the only `toward` constraint.
    toward: Vec<Vector>,
}

/// A thing next to the mover.
struct Near {
    body: Body,
    /// The vector to it, and the sum of the radii, if both are discs that touch and do not overlap.
    disc: Option<(Vector, i64)>,
    /// Whether there is no gap at all between the discs.
    joined: bool,
}

impl Near {
    fn of(mover: &Body, body: &Body) -> Near {
        let (to, reach) = (mover.place().to(body.place()), mover.radius() + body.radius());
        let touch = |d: i64| dot(to, to) >= i128::from(d).pow(2) && gap(mover, body).at_most(TOUCH);
        let disc = body.is_round() && reach > TOUCH && touch(reach - TOUCH);
        Near { body: body.clone(), disc: disc.then_some((to, reach)), joined: gap(mover, body).is_zero() }
    }

    /// Returns the first contact. Most contacts of discs are found without a computation in 128 bits.
    fn contact(&self, mover: &Body, way: &Way) -> Contact {
        let Some((to, reach)) = self.disc else { return contact(mover, &self.body, way) };
        if self.joined {
            return if dot(to, way.vector()) > 0 { Contact::After(0) } else { Contact::Never };
        }
        // both coordinates are off by less than 2
        let (ahead, aside) = seen_along(to, way.unit());
        match half_chord(reach, aside.abs() + 2) {
            Some(half) if ahead > 0 && ahead + 2 - half < AT_ONCE => Contact::After(0),
            _ => contact(mover, &self.body, way),
        }
    }
}

impl Closed {
    /// Finds the obstacles and targets of a move. There are none unless staying is equally legal in all directions.
    pub fn of(problem: &Problem) -> Closed {
        let [mover] = problem.movers.as_slice() else { return Closed::default() };
        let lengths = problem.least() <= 0 && problem.most().is_none_or(|most| most > TOUCH);
        let straight = problem.costs().is_none() && problem.bend() == 0 && !problem.avoids();
        let along = problem.lines.iter().any(|(_, line)| matches!(line, Line::Along(_)));
        if !(lengths && straight && !along && mover.is_round() && problem.table.holds(mover)) {
            return Closed::default();
        }
        let near = problem.things.iter().filter(|thing| {
            let role = regard(problem, thing);
            (!role.through || role.named) && gap(mover, &thing.body).at_most(SHORT + 2 * TOUCH)
        });
        let targets = problem.lines.iter().filter_map(|(_, line)| match line {
            Line::Toward(of) => Some(of),
            _ => None,
        });
        let targets: Vec<&Vec<Body>> = targets.collect();
        let toward = match targets.as_slice() {
            [of] if of.iter().all(|body| apart(mover, body)) => of.as_slice(),
            _ => &[],
        };
        Closed {
            near: near.map(|thing| Near::of(mover, &thing.body)).collect(),
            toward: toward.iter().map(|body| mover.place().to(body.place())).collect(),
            mover: Some(mover.clone()),
        }
    }

    /// Returns whether no path on a way has a length above 0.
    pub fn closes(&self, way: &Way) -> bool {
        let Some(mover) = &self.mover else { return false };
        // where an obstacle stops a path, its end can be shifted; a point without extent can stop at any line
        let mut shift = i64::from(mover.radius() == 0);
        for thing in &self.near {
            match thing.contact(mover, way) {
                Contact::After(0) => return true,
                Contact::After(d) if d <= SHORT + TOUCH => shift = 1,
                Contact::After(_) | Contact::Over | Contact::Never => {}
            }
        }
        !self.toward.is_empty() && self.toward.iter().all(|to| leaves(*to, way, shift))
    }
}

/// Returns whether a disc is clearly not touched.
fn apart(mover: &Body, body: &Body) -> bool {
    body.is_round() && !gap(mover, body).at_most(2 * LAST)
}

/// Returns whether a way leads away from the center of a disc, and no path of a length from 1 to [`SHORT`] ends nearer
/// to it, even if its end is shifted by this much in each coordinate.
fn leaves(to: Vector, way: &Way, shift: i64) -> bool {
    if dot(to, way.vector()) > 0 {
        return false;
    }
    let (ahead, _) = seen_along(to, way.unit());
    let apart = i64::try_from(dot(to, to).isqrt()).unwrap_or(crate::LIMIT);
    // after this length, the path has gone farther away than any shift
    let far = if ahead < -1 { (SHIFT * apart / (-1 - ahead)).min(SHORT) } else { SHORT };
    (1..=far).all(|d| {
        let end = Point::default().to(way.point(Point::default(), d));
        let mut shifted = (-shift..=shift).flat_map(|x| (-shift..=shift).map(move |y| (end.0 + x, end.1 + y)));
        shifted.all(|end| 2 * dot(to, end) <= dot(end, end))
    })
}
