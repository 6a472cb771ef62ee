//! Unsigned integers of 512 bits, with the operations that the exact comparison of distances needs.

use std::cmp::Ordering;

/// A number in `0..2^512`, least significant word first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Wide([u64; 8]);

impl Wide {
    /// Converts `n`, which must not be negative.
    pub fn of(n: i128) -> Wide {
        let n = n.unsigned_abs();
        let mut words = [0; 8];
        words[0] = n as u64;
        words[1] = (n >> 64) as u64;
        Wide(words)
    }

    /// Returns the product modulo 2^512. Sizes on the table rule out an overflow.
    pub fn times(self, other: Wide) -> Wide {
        let mut out = [0u64; 8];
        for (i, a) in self.0.iter().enumerate() {
            let mut carry = 0u128;
            for (j, b) in other.0.iter().enumerate().take(8 - i) {
                let sum = u128::from(*a) * u128::from(*b) + u128::from(out[i + j]) + carry;
                out[i + j] = sum as u64;
                carry = sum >> 64;
            }
        }
        Wide(out)
    }

    /// Returns `self` - `other`, or `None` if the result is negative.
    pub fn minus(self, other: Wide) -> Option<Wide> {
        let mut out = [0u64; 8];
        let mut borrow = false;
        for (i, slot) in out.iter_mut().enumerate() {
            let (d, b1) = self.0[i].overflowing_sub(other.0[i]);
            let (d, b2) = d.overflowing_sub(u64::from(borrow));
            *slot = d;
            borrow = b1 || b2;
        }
        (!borrow).then_some(Wide(out))
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Wide) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Wide) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}
