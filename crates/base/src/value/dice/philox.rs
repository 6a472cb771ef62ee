//! Philox4x32-10, a counter-based generator (Salmon and others, 2011).

use super::lanes::Lanes;

pub(super) const M0: u32 = 0xD251_1F53;
pub(super) const M1: u32 = 0xCD9E_8D57;
pub(super) const W0: u32 = 0x9E37_79B9;
pub(super) const W1: u32 = 0xBB67_AE85;
pub(super) const ROUNDS: usize = 10;

/// The round keys, computed once for a run.
pub(super) type Keys = [[u32; 2]; ROUNDS];

/// Computes the round keys of a key.
pub fn schedule(key: [u32; 2]) -> Keys {
    let mut keys = [key; ROUNDS];
    for n in 1..ROUNDS {
        keys[n] = [keys[n - 1][0].wrapping_add(W0), keys[n - 1][1].wrapping_add(W1)];
    }
    keys
}

/// Returns four words for one counter and key.
pub fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    rounds(counter, &schedule(key))
}

/// Returns four words for one counter and precomputed round keys.
#[inline]
pub(super) fn rounds(counter: [u32; 4], keys: &Keys) -> [u32; 4] {
    let [mut a, mut b, mut c, mut d] = counter;
    for key in keys {
        let (p, q) = (u64::from(M0) * u64::from(a), u64::from(M1) * u64::from(c));
        (a, b, c, d) = ((q >> 32) as u32 ^ b ^ key[0], q as u32, (p >> 32) as u32 ^ d ^ key[1], p as u32);
    }
    [a, b, c, d]
}

/// Returns the words of `2 * N` counters that differ only in their last word, which counts up from the given one. The
/// low halves hold the first, second, third and fourth words; the high halves are unspecified.
#[inline]
pub fn rounds_wide<const N: usize>(counter: [u32; 4], keys: &Keys) -> [Lanes<N>; 4] {
    let [mut a, mut b, mut c] = [counter[0], counter[1], counter[2]].map(|word| Lanes::all(u64::from(word)));
    let mut d = Lanes::from(counter[3]);
    let (m0, m1) = (Lanes::all(u64::from(M0)), Lanes::all(u64::from(M1)));
    for [k0, k1] in keys {
        let (p, q) = (m0.times(a), m1.times(c));
        a = b.xor(Lanes::all(u64::from(*k0))).xor(q.high());
        c = d.xor(Lanes::all(u64::from(*k1))).xor(p.high());
        (b, d) = (q, p);
    }
    [a, b, c, d]
}
