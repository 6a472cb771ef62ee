//! Words of neighbouring lanes that are worked on together, in loops over rows.
//!
//! Where the vectors are found by the compiler it is one word in the low half of 64 bits. For WebAssembly four words are one vector, as the
//! compiler does not find its products of 32 bits by 32.

#[cfg(not(target_arch = "wasm32"))]
mod one {
    use super::super::bulk::LaneWords;

    /// A word; what is in the high half is nobody's.
    #[derive(Clone, Copy)]
    pub struct Wide(u64);

    impl Wide {
        /// How many lanes it has.
        pub const LANES: usize = 1;

        /// A word in all lanes.
        #[inline(always)]
        pub fn all(word: u32) -> Wide {
            Wide(u64::from(word))
        }
        /// The n-th word of a row.
        #[inline(always)]
        pub fn of(row: &LaneWords, n: usize) -> Wide {
            Wide(u64::from(row[n]))
        }
        /// Puts it into a row.
        #[inline(always)]
        pub fn put(self, row: &mut LaneWords, n: usize) {
            row[n] = self.0 as u32;
        }
        #[inline(always)]
        pub fn xor(self, other: Wide) -> Wide {
            Wide(self.0 ^ other.0)
        }
        /// The sum, which wraps.
        #[inline(always)]
        pub fn plus(self, word: u32) -> Wide {
            Wide(self.0.wrapping_add(u64::from(word)))
        }
        /// The low and the high half of the product.
        #[inline(always)]
        pub fn times(self, by: u32) -> (Wide, Wide) {
            let product = (self.0 & 0xffff_ffff) * u64::from(by);
            (Wide(product), Wide(product >> 32))
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod four {
    use super::super::bulk::LaneWords;
    use std::arch::wasm32::*;
    use std::hint::black_box;

    /// Four words.
    #[derive(Clone, Copy)]
    pub struct Wide(v128);

    impl Wide {
        /// How many lanes it has.
        pub const LANES: usize = 4;

        /// A word in all lanes.
        #[inline(always)]
        pub fn all(word: u32) -> Wide {
            Wide(u32x4_splat(word))
        }
        /// The n-th words of a row.
        #[inline(always)]
        pub fn of(row: &LaneWords, n: usize) -> Wide {
            let [a, b, c, d] = row.as_chunks().0[n];
            Wide(u32x4(a, b, c, d))
        }
        /// Puts them into a row.
        #[inline(always)]
        pub fn put(self, row: &mut LaneWords, n: usize) {
            row.as_chunks_mut().0[n] = [
                u32x4_extract_lane::<0>(self.0),
                u32x4_extract_lane::<1>(self.0),
                u32x4_extract_lane::<2>(self.0),
                u32x4_extract_lane::<3>(self.0),
            ];
        }
        #[inline(always)]
        pub fn xor(self, other: Wide) -> Wide {
            Wide(v128_xor(self.0, other.0))
        }
        /// The sum, which wraps.
        #[inline(always)]
        pub fn plus(self, word: u32) -> Wide {
            Wide(i32x4_add(self.0, u32x4_splat(word)))
        }
        /// The low and the high half of the product.
        #[inline(always)]
        pub fn times(self, by: u32) -> (Wide, Wide) {
            // the compiler would take products of 64 bits by 64 for those of a word that it knows, at three times the cost; and for
            // those of one that it could widen before the loop, at twice the cost
            let by = black_box(u32x4_splat(by));
            let (low, high) = (u64x2_extmul_low_u32x4(self.0, by), u64x2_extmul_high_u32x4(self.0, by));
            (Wide(u32x4_shuffle::<0, 2, 4, 6>(low, high)), Wide(u32x4_shuffle::<1, 3, 5, 7>(low, high)))
        }
    }
}

#[cfg(target_arch = "wasm32")]
pub use four::Wide;
#[cfg(not(target_arch = "wasm32"))]
pub use one::Wide;
