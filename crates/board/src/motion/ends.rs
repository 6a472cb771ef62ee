//! Lists of legal end points, for menus and random choices.

use super::bound::Limits;
use super::check::settle_plain;
use super::feasible::FeasibleRegion;
use super::judge::in_fan;
use super::pruning::with_fewer;
use super::solve::grid_points;
use super::{Line, Path, Problem};
use crate::{Point, Way};

/// The legal paths of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The canonical path, then the paths to grid points in rows from the bottom. Each end occurs once.
    pub paths: Vec<Path>,
    /// Whether every grid point within reach was tried and the list was not truncated.
    pub complete: bool,
}

/// Returns at most `cap` legal paths of a problem whose canonical path is known.
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

/// A test of end points that does not evaluate a path.
struct Reach {
    start: Point,
    room: FeasibleRegion,
    /// The limits of straight paths, if the move does not bend.
    straight: Option<Straight>,
}

/// The limits of straight paths, the directions that the constraints name, and the sectors that they require.
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

    /// Returns `false` if no legal path leads to an end.
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
