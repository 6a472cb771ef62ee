//! Breakpoints: instructions before which the machine stops, a bit for each.

use crate::program::Pc;

/// Places in the code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stops(Vec<u64>);

impl Stops {
    /// These.
    pub fn of(places: &[Pc]) -> Stops {
        let mut bits = Vec::new();
        for place in places.iter().map(|pc| *pc as usize) {
            bits.resize(bits.len().max(place / 64 + 1), 0);
            bits[place / 64] |= 1 << (place % 64);
        }
        Stops(bits)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this is one.
    #[inline]
    pub fn has(&self, pc: usize) -> bool {
        self.0.get(pc / 64).is_some_and(|bits| bits >> (pc % 64) & 1 == 1)
    }

    /// Whether one of the places from one on is, before another.
    #[inline]
    pub fn has_any(&self, from: usize, to: usize) -> bool {
        (from..to).any(|pc| self.has(pc))
    }
}
