//! Philox4x32-10, a counter-based generator (Salmon and others, 2011).

const M0: u32 = 0xD251_1F53;
const M1: u32 = 0xCD9E_8D57;
const W0: u32 = 0x9E37_79B9;
const W1: u32 = 0xBB67_AE85;
const ROUNDS: usize = 10;

/// The keys of all rounds; made once for a run.
pub(super) type Keys = [[u32; 2]; ROUNDS];

/// The keys of all rounds of one key.
pub(super) fn schedule(key: [u32; 2]) -> Keys {
    let mut keys = [key; ROUNDS];
    for n in 1..ROUNDS {
        keys[n] = [keys[n - 1][0].wrapping_add(W0), keys[n - 1][1].wrapping_add(W1)];
    }
    keys
}

/// Four words for one counter under one key.
pub fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    rounds(counter, &schedule(key))
}

/// Four words for one counter under keys made before.
#[inline]
pub(super) fn rounds(counter: [u32; 4], keys: &Keys) -> [u32; 4] {
    let [mut a, mut b, mut c, mut d] = counter;
    for key in keys {
        let (p, q) = (u64::from(M0) * u64::from(a), u64::from(M1) * u64::from(c));
        (a, b, c, d) = ((q >> 32) as u32 ^ b ^ key[0], q as u32, (p >> 32) as u32 ^ d ^ key[1], p as u32);
    }
    [a, b, c, d]
}

/// How many counters [`rounds_wide`] takes at once: two keep both multipliers busy and still fit the registers.
pub(super) const WIDE: usize = 2;

/// The words of [`WIDE`] counters that differ only in their last word, which counts on from the one given.
/// Faster than one after the other, since their steps do not wait for each other.
#[inline]
pub(super) fn rounds_wide(counter: [u32; 4], keys: &Keys) -> [[u32; 4]; WIDE] {
    const LOW: u64 = u32::MAX as u64;
    let [mut a, mut b, mut c] = [counter[0], counter[1], counter[2]].map(|word| [u64::from(word); WIDE]);
    let mut d: [u64; WIDE] = std::array::from_fn(|n| u64::from(counter[3].wrapping_add(n as u32)));
    for [k0, k1] in keys {
        for n in 0..WIDE {
            let (p, q) = (u64::from(M0) * (a[n] & LOW), u64::from(M1) * (c[n] & LOW));
            a[n] = (q >> 32) ^ b[n] ^ u64::from(*k0);
            c[n] = (p >> 32) ^ d[n] ^ u64::from(*k1);
            (b[n], d[n]) = (q, p);
        }
    }
    std::array::from_fn(|n| [a[n] as u32, b[n] as u32, c[n] as u32, d[n] as u32])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_is_the_same() {
        let key = [0xa409_3822, 0x299f_31d0];
        for last in [0, 7, u32::MAX - 1] {
            let wide = rounds_wide([1, 2, 3, last], &schedule(key));
            for (n, words) in (0u32..).zip(wide) {
                assert_eq!(words, philox([1, 2, 3, last.wrapping_add(n)], key));
            }
        }
    }

    #[test]
    fn published_vectors() {
        let all = u32::MAX;
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(philox([all; 4], [all; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        assert_eq!(
            philox([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }
}
