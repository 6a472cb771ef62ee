//! Constraint pruning: from many bodies that a move must not approach, selects those that can affect the result.

use super::{Line, Problem};
use crate::shape::{Vector, cross};
use crate::{Body, gap};

/// Calls `answer` with fewer bodies in the `no nearer to` constraints. The legal ends are the same.
pub(super) fn with_fewer<T>(problem: &mut Problem, answer: impl FnOnce(&mut Problem) -> T) -> T {
    let most = if problem.costs().is_some() { None } else { problem.most() };
    let shorter = |line: &Line| match line {
        Line::NoNearerTo(all) => Line::NoNearerTo(needed(&problem.movers, all, most)),
        other => other.clone(),
    };
    let fewer = problem.lines.iter().map(|(id, line)| (*id, shorter(line))).collect();
    let all = std::mem::replace(&mut problem.lines, fewer);
    let answer = answer(problem);
    problem.lines = all;
    answer
}

/// A body to which a mover must not come nearer than to the nearest of its group.
struct Bound {
    group: usize,
    member: usize,
    /// The vector from the mover to the body.
    w: Vector,
    /// The squared distance minus that of the nearest body of the group.
    more: i128,
}

/// Returns the members of each group that matter to a mover with a path of at most `most`, in their order. A group
/// without such members is omitted.
///
/// Let `w` be the vector to a body, and `more` its squared distance minus that of the nearest body of its group. A
/// round mover that moves by `t` comes nearer to the body than the nearest one was if `t * t - 2 t * w + more < 0`. A
/// body is therefore redundant if, for each `t`, another one has a `more - 2 t * w` that is not greater. This holds for
/// bodies in the convex hull of the start and of the nearest bodies of all groups, and for bodies whose `more`
/// outweighs every possible `t * w`. All computations are exact.
pub fn needed(movers: &[Body], all: &[Vec<Body>], most: Option<i64>) -> Vec<Vec<Body>> {
    let [mover] = movers else { return all.to_vec() };
    // in a group of equal radii, the nearest center has the nearest edge
    let even = |group: &[Body]| group.iter().all(|b| b.is_round() && b.radius() == group[0].radius());
    if !mover.is_round() || !all.iter().all(|group| even(group)) {
        return all.to_vec();
    }
    let square = |b: &Body| mover.place().squared_to(b.place());
    let mut bounds: Vec<Bound> = Vec::new();
    for (n, group) in all.iter().enumerate() {
        let Some(nearest) = group.iter().min_by_key(|b| square(b)) else { continue };
        // a touched body cannot come nearer
        if !gap(mover, nearest).is_zero() {
            let least = square(nearest);
            let bound = |(member, b): (usize, &Body)| Bound {
                group: n,
                member,
                w: mover.place().to(b.place()),
                more: square(b) - least,
            };
            bounds.extend(group.iter().enumerate().map(bound));
        }
    }
    let hull = hull(bounds.iter().filter(|b| b.more == 0).map(|b| b.w).collect());
    let outweighed = |b: &Bound| {
        most.is_some_and(|most| {
            let aside = bounds
                .iter()
                .find(|o| o.group == b.group && o.more == 0)
                .map_or((0, 0), |o| (b.w.0 - o.w.0, b.w.1 - o.w.1));
            // more >= 2 most |w - o|
            let far = 4 * i128::from(most.max(0)).pow(2) * (i128::from(aside.0).pow(2) + i128::from(aside.1).pow(2));
            b.more.pow(2) >= far
        })
    };
    let matters = |b: &Bound| match b.more {
        0 => hull.contains(&b.w),
        _ => outside(&hull, b.w) && !outweighed(b),
    };
    let mut out = Vec::new();
    for (n, group) in all.iter().enumerate() {
        let own: Vec<&Bound> = bounds.iter().filter(|b| b.group == n).collect();
        if own.iter().any(|b| matters(b)) {
            // the nearest body stays, because the others are compared with it
            let kept = own.iter().filter(|b| b.more == 0 || matters(b));
            out.push(kept.map(|b| group[b.member].clone()).collect());
        }
    }
    out
}

/// Returns the corners of the convex hull of some vectors and the origin, counterclockwise (Andrew's monotone chain).
fn hull(mut vectors: Vec<Vector>) -> Vec<Vector> {
    vectors.push((0, 0));
    vectors.sort_unstable();
    vectors.dedup();
    let mut hull: Vec<Vector> = Vec::new();
    // the lower side from left to right, then the upper side back
    let mut side = |points: &mut dyn Iterator<Item = &Vector>| {
        let first = hull.len();
        for point in points {
            while hull.len() >= first + 2 && turn(hull[hull.len() - 2], hull[hull.len() - 1], *point) <= 0 {
                hull.pop();
            }
            hull.push(*point);
        }
        hull.pop();
    };
    side(&mut vectors.iter());
    side(&mut vectors.iter().rev());
    hull
}

/// Returns a value above 0 if the path from `a` over `b` to `c` turns left.
fn turn(a: Vector, b: Vector, c: Vector) -> i128 {
    cross((b.0 - a.0, b.1 - a.1), (c.0 - b.0, c.1 - b.1))
}

/// Returns whether a point is outside of a hull.
fn outside(hull: &[Vector], point: Vector) -> bool {
    hull.len() < 3 || (0..hull.len()).any(|n| turn(hull[n], hull[(n + 1) % hull.len()], point) < 0)
}
