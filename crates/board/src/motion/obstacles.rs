//! Obstacle classes: the role of each thing in the constraints of a move.

use super::{Line, Problem, Thing};
use crate::Shape;

/// The role of a thing.
pub(super) struct Obstacle {
    pub avoided: Option<usize>,
    pub through: bool,
    pub stops: bool,
    /// Whether a `stops on contact with` constraint names the thing.
    pub named: bool,
}

/// Returns the role of a thing.
pub(super) fn regard(problem: &Problem, thing: &Thing) -> Obstacle {
    let mut found = Obstacle { avoided: None, through: false, stops: false, named: false };
    for (line, l) in &problem.lines {
        match l {
            Line::Avoids(ids) if ids.contains(&thing.id) => found.avoided = Some(*line),
            Line::Through(ids) => found.through |= ids.contains(&thing.id),
            Line::StopsOnContact(None) => found.stops = true,
            Line::StopsOnContact(Some(ids)) if ids.contains(&thing.id) => (found.stops, found.named) = (true, true),
            Line::Costs => found.through |= matches!(thing.body.shape, Shape::Polygon(_)),
            _ => {}
        }
    }
    found
}

/// Returns whether no path can continue through the thing.
pub(super) fn bars(problem: &Problem, thing: &Thing) -> bool {
    let found = regard(problem, thing);
    found.avoided.is_some() || found.named || !found.through
}

/// Returns whether a constraint requires the path to avoid the thing.
pub(super) fn avoided(problem: &Problem, thing: &Thing) -> bool {
    regard(problem, thing).avoided.is_some()
}
