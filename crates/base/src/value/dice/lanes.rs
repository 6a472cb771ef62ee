//! Several 64-bit numbers processed together, two to a vector.
//!
//! Compilers do not vectorize the rounds of the generator by themselves. On x86-64 the vectors are SSE2, which every
//! such machine has; elsewhere plain numbers give the same results.

#[cfg(target_arch = "x86_64")]
mod two {
    use safe_arch::*;

    #[derive(Clone, Copy)]
    pub struct Two(m128i);

    impl Two {
        #[inline]
        pub fn new(a: u64, b: u64) -> Two {
            Two(set_i64_m128i(b as i64, a as i64))
        }
        #[inline]
        pub fn numbers(self) -> [u64; 2] {
            [self.0, unpack_high_i64_m128i(self.0, self.0)].map(|n| get_i64_from_m128i_s(n) as u64)
        }
        #[inline]
        pub fn times(self, by: Two) -> Two {
            Two(mul_widen_u32_odd_m128i(self.0, by.0))
        }
        #[inline]
        pub fn high(self) -> Two {
            Two(shr_imm_u64_m128i::<32>(self.0))
        }
        #[inline]
        pub fn half(self) -> Two {
            Two(shr_imm_u64_m128i::<16>(self.0))
        }
        #[inline]
        pub fn xor(self, with: Two) -> Two {
            Two(bitxor_m128i(self.0, with.0))
        }
        #[inline]
        pub fn and(self, with: Two) -> Two {
            Two(bitand_m128i(self.0, with.0))
        }
        #[inline]
        pub fn or(self, with: Two) -> Two {
            Two(bitor_m128i(self.0, with.0))
        }
        #[inline]
        pub fn plus(self, other: Two) -> Two {
            Two(add_i64_m128i(self.0, other.0))
        }
        #[inline]
        pub fn minus(self, other: Two) -> Two {
            Two(sub_i64_m128i(self.0, other.0))
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod two {
    #[derive(Clone, Copy)]
    pub struct Two([u64; 2]);

    impl Two {
        pub fn new(a: u64, b: u64) -> Two {
            Two([a, b])
        }
        pub fn numbers(self) -> [u64; 2] {
            self.0
        }
        fn each(self, other: Two, f: impl Fn(u64, u64) -> u64) -> Two {
            Two([f(self.0[0], other.0[0]), f(self.0[1], other.0[1])])
        }
        pub fn times(self, by: Two) -> Two {
            self.each(by, |a, b| (a & 0xffff_ffff) * (b & 0xffff_ffff))
        }
        pub fn high(self) -> Two {
            self.each(self, |a, _| a >> 32)
        }
        pub fn half(self) -> Two {
            self.each(self, |a, _| a >> 16)
        }
        pub fn xor(self, with: Two) -> Two {
            self.each(with, |a, b| a ^ b)
        }
        pub fn and(self, with: Two) -> Two {
            self.each(with, |a, b| a & b)
        }
        pub fn or(self, with: Two) -> Two {
            self.each(with, |a, b| a | b)
        }
        pub fn plus(self, other: Two) -> Two {
            self.each(other, u64::wrapping_add)
        }
        pub fn minus(self, other: Two) -> Two {
            self.each(other, u64::wrapping_sub)
        }
    }
}

use two::Two;

/// A vector of `2 * N` numbers.
#[derive(Clone, Copy)]
pub struct Lanes<const N: usize>([Two; N]);

impl<const N: usize> Lanes<N> {
    /// Creates a vector with the same number in every lane.
    #[inline]
    pub fn all(n: u64) -> Self {
        Lanes([Two::new(n, n); N])
    }

    /// Creates a vector of consecutive numbers that starts at `first`.
    #[inline]
    pub fn from(first: u32) -> Self {
        let at = |n: usize| u64::from(first.wrapping_add(n as u32));
        Lanes(std::array::from_fn(|n| Two::new(at(2 * n), at(2 * n + 1))))
    }

    #[inline]
    fn each(self, other: Self, f: impl Fn(Two, Two) -> Two) -> Self {
        Lanes(std::array::from_fn(|n| f(self.0[n], other.0[n])))
    }

    #[inline]
    pub fn times(self, by: Self) -> Self {
        self.each(by, Two::times)
    }

    #[inline]
    pub fn high(self) -> Self {
        self.each(self, |a, _| a.high())
    }

    /// Shifts right by 16 bits.
    #[inline]
    pub fn half(self) -> Self {
        self.each(self, |a, _| a.half())
    }

    /// Returns the bitwise exclusive or.
    #[inline]
    pub fn xor(self, with: Self) -> Self {
        self.each(with, Two::xor)
    }

    #[inline]
    pub fn and(self, with: Self) -> Self {
        self.each(with, Two::and)
    }

    #[inline]
    pub fn or(self, with: Self) -> Self {
        self.each(with, Two::or)
    }

    #[inline]
    pub fn plus(self, other: Self) -> Self {
        self.each(other, Two::plus)
    }

    #[inline]
    pub fn minus(self, other: Self) -> Self {
        self.each(other, Two::minus)
    }

    /// Returns the numbers in pairs.
    #[inline]
    pub fn numbers(self) -> [[u64; 2]; N] {
        self.0.map(Two::numbers)
    }
}
