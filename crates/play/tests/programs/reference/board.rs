//! Places as points without a size. Moves and sight are not supported.

use super::value::V;
use super::world::{Exit, Res, World};

impl World<'_> {
    fn point(&self, thing: &V) -> Option<(i64, i64)> {
        self.things[thing.thing()].at
    }

    /// Returns the square of a distance, or `None` if one of the things is off the board.
    pub fn square(&self, a: &V, b: &V) -> Option<i64> {
        let ((x, y), (u, v)) = (self.point(a)?, self.point(b)?);
        Some((x - u) * (x - u) + (y - v) * (y - v))
    }

    /// Returns the distance in thousandths of an inch, rounded to the nearest.
    pub fn distance(&self, a: &V, b: &V) -> V {
        let Some(square) = self.square(a, b) else { return V::Length(i64::MAX) };
        let root = {
            let root = square.isqrt();
            // from half a thousandth on, the next one is nearer
            if square > root * root + root { root + 1 } else { root }
        };
        V::Length(root)
    }

    pub fn place(&mut self, thing: usize, at: &V) -> Res<()> {
        if !self.things[thing].alive {
            return Err(Exit::Fault("R0916"));
        }
        self.things[thing].at = self.point(at);
        Ok(())
    }
}
