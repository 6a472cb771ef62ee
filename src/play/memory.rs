//! What a run remembers, read back.

/// The next number; 0 if there is none.
pub fn take(from: &mut &[i64]) -> i64 {
    let Some((first, rest)) = from.split_first() else { return 0 };
    *from = rest;
    *first
}
