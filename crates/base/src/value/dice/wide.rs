//! Words of adjacent lanes that are processed together, in loops over rows.
//!
//! On targets where the compiler vectorizes, this is one word in the low half of 64 bits. On WebAssembly, four words
//! form one vector, because the compiler does not find its 32-by-32-bit products.

#[cfg(not(target_arch = "wasm32"))]
mod one {
    use super::super::bulk::LaneWords;

    /// A word; the high 32 bits are unspecified.
    #[derive(Clone, Copy)]
    pub struct Wide(u64);

    impl Wide {
        /// Number of lanes.
        pub const LANES: usize = 1;

        /// Creates a value with the same word in all lanes.
        #[inline(always)]
        pub fn all(word: u32) -> Wide {
            Wide(u64::from(word))
        }
        /// Loads the word at index `n` of a row.
        #[inline(always)]
        pub fn of(row: &LaneWords, n: usize) -> Wide {
            Wide(u64::from(row[n]))
        }
        /// Stores the word at index `n` of a row.
        #[inline(always)]
        pub fn put(self, row: &mut LaneWords, n: usize) {
            row[n] = self.0 as u32;
        }
        #[inline(always)]
        pub fn xor(self, other: Wide) -> Wide {
            Wide(self.0 ^ other.0)
        }
        #[inline(always)]
        pub fn plus(self, word: u32) -> Wide {
            Wide(self.0.wrapping_add(u64::from(word)))
        }
        /// Returns the low and the high half of the product.
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

    #[derive(Clone, Copy)]
    pub struct Wide(v128);

    impl Wide {
        /// Number of lanes.
        pub const LANES: usize = 4;

        /// Creates a value with the same word in all lanes.
        #[inline(always)]
        pub fn all(word: u32) -> Wide {
            Wide(u32x4_splat(word))
        }
        /// Loads the four words at index `n` of a row.
        #[inline(always)]
        pub fn of(row: &LaneWords, n: usize) -> Wide {
            let [a, b, c, d] = row.as_chunks().0[n];
            Wide(u32x4(a, b, c, d))
        }
        /// Stores the four words at index `n` of a row.
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
        #[inline(always)]
        pub fn plus(self, word: u32) -> Wide {
            Wide(i32x4_add(self.0, u32x4_splat(word)))
        }
        /// Returns the low and the high half of the product.
        #[inline(always)]
        pub fn times(self, by: u32) -> (Wide, Wide) {
            // without `black_box`, the compiler would emit 64-by-64-bit products: for a constant word at three times
            // the cost, and for a word that it can widen before the loop at twice the cost
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
