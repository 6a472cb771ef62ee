//! Obstacle classes: what the lines of a move say of each thing on the table.

use super::{Line, Problem, Thing};
use crate::Shape;

/// What the lines say of a thing.
pub(super) struct Obstacle {
    pub avoided: Option<usize>,
    pub through: bool,
    pub stops: bool,
    /// Named in a `stops on contact with`.
    pub named: bool,
}

/// What they say.
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

/// True if no path goes on through this.
pub(super) fn bars(problem: &Problem, thing: &Thing) -> bool {
    let found = regard(problem, thing);
    found.avoided.is_some() || found.named || !found.through
}

/// True if a line asks that this is kept clear of.
pub(super) fn avoided(problem: &Problem, thing: &Thing) -> bool {
    regard(problem, thing).avoided.is_some()
}
