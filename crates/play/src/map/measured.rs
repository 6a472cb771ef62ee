//! Distances in a trace: those that conditions measure, and those that a move had to end near.

use super::{Map, Range, at};
use crate::record::{Event, What};
use grognard_base::value::{Value, length};
use grognard_board::{Body, Point, dist, near_point};

/// Maximum number of distances kept for a run.
const MOST: usize = 500;

impl Map {
    /// Adds the distances of one event.
    pub(super) fn look(&mut self, event: &Event) {
        match &event.what {
            What::Value { measures, .. }
            | What::Condition { measures, .. }
            | What::Guard { measures, .. }
            | What::Expect { measures, .. } => {
                for m in measures {
                    self.measure(&m.from, std::slice::from_ref(&m.to), Some(&m.within), self.moves.len());
                }
            }
            What::Kept { asked, near, .. } if !near.is_empty() => {
                let Some(last) = self.moves.last() else { return };
                let (who, over) = (Value::Thing(last.who.clone()), self.moves.len() - 1);
                self.measure(&who, near, asked.as_ref(), over);
            }
            _ => {}
        }
    }

    /// Returns the bodies at one end of a distance: the pieces with a name, or a point.
    fn bodies(&self, end: &Value) -> Vec<Body> {
        if let Some(at) = at(end) {
            return vec![Body::point(at)];
        }
        let Value::Thing(name) = end else { return Vec::new() };
        let here = |p: &usize| !self.gone.iter().any(|(gone, _)| gone == p);
        self.named(name).into_iter().filter(here).filter_map(|p| self.body(p)).collect()
    }

    /// Adds the shortest distance from one end to any of the others.
    fn measure(&mut self, from: &Value, to: &[Value], within: Option<&Value>, after: usize) {
        let there: Vec<Body> = to.iter().flat_map(|end| self.bodies(end)).collect();
        let mut nearest: Option<(i64, Point, Point)> = None;
        for a in self.bodies(from) {
            for b in &there {
                let Some(apart) = dist(std::slice::from_ref(&a), std::slice::from_ref(b)) else { continue };
                if nearest.is_none_or(|(least, _, _)| apart < least) {
                    let to = near_point(&a, b);
                    nearest = Some((apart, near_point(&Body::point(to), &a), to));
                }
            }
        }
        let Some((apart, from, to)) = nearest else { return };
        let label = match within {
            Some(within @ Value::Length(_)) => format!("{}, within {within}", length(apart)),
            _ => length(apart),
        };
        let range = Range { from, to, label, after };
        let same = |r: &Range| r.label == range.label && [(r.from, r.to), (r.to, r.from)].contains(&(from, to));
        if from != to && self.ranges.len() < MOST && !self.ranges.iter().any(same) {
            self.ranges.push(range);
        }
    }
}
