//! Lists of legal end points, for menus and chance.

use super::bound::Limits;
use super::check::settle_plain;
use super::feasible::FeasibleRegion;
use super::judge::in_fan;
use super::pruning::with_fewer;
use super::solve::grid_points;
use super::{Line, Path, Problem};
use crate::{Point, Way};

/// Legal paths to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The canonical path first, then those to the points of the grid by rows from below; no end twice.
    pub paths: Vec<Path>,
    /// True if every grid point within reach was tried and the list was not cut.
    pub complete: bool,
}

/// The same of a problem whose canonical path is known.
pub fn ends_after(problem: &mut Problem, canonical: Option<Path>, cap: usize) -> Ends {
    let mut paths: Vec<Path> = canonical.into_iter().collect();
    let tried = cap.saturating_mul(16).clamp(1, 1 << 16);
    let (points, mut complete) = grid_points(problem, tried);
    let canonical_end = paths.first().map(|p| p.end);
    with_fewer(problem, |problem| {
        let reach = Reach::of(problem);
        for end in points.into_iter().filter(|end| Some(*end) != canonical_end && reach.holds(*end)) {
            if let Some(path) = settle_plain(problem, end) {
                if paths.len() >= cap {
                    complete = false;
                    break;
                }
                paths.push(path);
            }
        }
    });
    Ends { paths, complete }
}

/// What can be told of an end before anybody looks down the way there.
struct Reach {
    start: Point,
    room: FeasibleRegion,
    /// The lines, if paths to an end are straight.
    straight: Option<Straight>,
}

/// What the lines leave of straight paths, the ways they name and the fans they ask for.
struct Straight {
    limits: Limits,
    ways: Vec<Way>,
    fans: Vec<(i64, i64)>,
}

impl Reach {
    fn of(problem: &Problem) -> Reach {
        let start = problem.start().at;
        let lines = || {
            let (mut ways, mut fans) = (Vec::new(), Vec::new());
            for (_, line) in &problem.lines {
                match line {
                    Line::AwayFrom(points) => ways.extend(Way::away(start, points)),
                    Line::Heading { from, to } => fans.push((*from, *to)),
                    _ => {}
                }
            }
            Straight { limits: Limits::of(problem), ways, fans }
        };
        Reach { start, room: FeasibleRegion::of(problem), straight: (problem.bend() == 0).then(lines) }
    }

    /// False if no legal path leads to an end.
    fn holds(&self, end: Point) -> bool {
        let Some(way) = Way::toward(self.start, end) else { return true };
        let bears = |Straight { limits, ways, fans }: &Straight| {
            fans.iter().all(|(from, to)| in_fan(way.angle(), *from, *to))
                && ways.iter().all(|w| way == *w || w.distances_to(self.start, end, 0).next().is_some())
                && !limits.bar(self.start, end)
        };
        self.room.holds(end) && self.straight.as_ref().is_none_or(bears)
    }
}
