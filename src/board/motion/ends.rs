//! Lists of legal end points, for menus and chance.

use super::check::settle_plain;
use super::outermost::with_fewer;
use super::solve::{canonical, grid_points};
use super::{Path, Problem};

/// Legal paths to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The canonical path first, then those to the points of the grid by rows from below; no end twice.
    pub paths: Vec<Path>,
    /// True if every grid point within reach was tried and the list was not cut.
    pub complete: bool,
}

/// The legal straight paths to the points of the grid, no more than `cap`, with the canonical path in front.
/// Staying counts where the lines allow it and the start lies on the grid.
pub fn ends(problem: &mut Problem, cap: usize) -> Ends {
    let mut paths: Vec<Path> = canonical(problem).path().cloned().into_iter().collect();
    let tried = cap.saturating_mul(16).clamp(1, 1 << 16);
    let (points, mut complete) = grid_points(problem, tried);
    let canonical_end = paths.first().map(|p| p.end);
    with_fewer(problem, |problem| {
        for end in points.into_iter().filter(|end| Some(*end) != canonical_end) {
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
