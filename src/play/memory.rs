//! What was used of a script, as numbers: while odds are computed it belongs to the position.

use std::collections::BTreeMap;

/// Flags that fit into one number.
const FLAGS: usize = 62;

/// Writes flags.
pub fn put_flags(flags: &[bool], to: &mut Vec<i64>) {
    for some in flags.chunks(FLAGS) {
        to.push(some.iter().rev().fold(0, |bits, flag| bits << 1 | i64::from(*flag)));
    }
}

/// Reads so many flags back.
pub fn take_flags(flags: &mut [bool], from: &mut &[i64]) {
    for some in flags.chunks_mut(FLAGS) {
        let bits = take(from);
        some.iter_mut().enumerate().for_each(|(n, flag)| *flag = bits >> n & 1 == 1);
    }
}

/// Writes how often something was met.
pub fn put_counts(counts: &BTreeMap<(u64, i64), u32>, to: &mut Vec<i64>) {
    to.push(counts.len() as i64);
    for ((name, subject), count) in counts {
        to.extend([*name as i64, *subject, i64::from(*count)]);
    }
}

/// Reads it back.
pub fn take_counts(counts: &mut BTreeMap<(u64, i64), u32>, from: &mut &[i64]) {
    counts.clear();
    for _ in 0..take(from) {
        let key = (take(from) as u64, take(from));
        counts.insert(key, take(from) as u32);
    }
}

/// The next number.
pub fn take(from: &mut &[i64]) -> i64 {
    let Some((first, rest)) = from.split_first() else { return 0 };
    *from = rest;
    *first
}
