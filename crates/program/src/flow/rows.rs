//! Bit matrices: the sets of a dataflow analysis, one row of bits for each program point.

/// Bit sets of equal width.
#[derive(Debug)]
pub(super) struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    /// Creates `rows` empty sets of `width` bits each.
    pub fn new(rows: usize, width: usize) -> Rows {
        let words = width.div_ceil(64).max(1);
        Rows { words, bits: vec![0; rows * words] }
    }

    /// Returns the set at index `n`.
    pub fn row(&self, n: usize) -> &[u64] {
        &self.bits[n * self.words..][..self.words]
    }

    /// Returns the mutable set at index `n`.
    pub fn row_mut(&mut self, n: usize) -> &mut [u64] {
        &mut self.bits[n * self.words..][..self.words]
    }
}

/// Returns whether a set contains a bit.
pub(super) fn has(set: &[u64], bit: impl Into<usize>) -> bool {
    let bit = bit.into();
    set.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
}

/// Inserts or removes a bit.
pub(super) fn put(set: &mut [u64], bit: impl Into<usize>, on: bool) {
    let bit = bit.into();
    let (word, mask) = (&mut set[bit / 64], 1 << (bit % 64));
    if on { *word |= mask } else { *word &= !mask }
}

/// Adds the bits of another set. Returns whether the set changed.
pub(super) fn join(to: &mut [u64], from: &[u64]) -> bool {
    let mut new = 0;
    for (to, from) in to.iter_mut().zip(from) {
        new |= from & !*to;
        *to |= from;
    }
    new != 0
}

/// Keeps only bits that are also in another set. Returns whether the set changed.
pub(super) fn meet(to: &mut [u64], from: &[u64]) -> bool {
    let mut gone = 0;
    for (to, from) in to.iter_mut().zip(from) {
        gone |= *to & !from;
        *to &= from;
    }
    gone != 0
}

/// Returns the bits of a set in ascending order.
pub(super) fn ones(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(n, word)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                n * 64 + bit
            })
        })
    })
}
