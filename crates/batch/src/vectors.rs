//! Loops compiled for the vectors that the processor turns out to have. A module of WebAssembly is compiled for those that
//! WebAssembly has.

/// Work that is compiled for vectors, with all that is inlined into it.
pub(super) trait Loops {
    /// Does it; to be inlined.
    fn run(self);
}

#[cfg(not(target_arch = "wasm32"))]
mod found {
    use super::Loops;

    /// The vectors that were found.
    #[derive(Clone, Copy)]
    pub struct Vectors(pulp::Arch);

    impl Vectors {
        pub fn new() -> Vectors {
            Vectors(pulp::Arch::new())
        }

        pub fn run(self, loops: impl Loops) {
            self.0.dispatch(Within(loops));
        }
    }

    struct Within<L>(L);

    impl<L: Loops> pulp::WithSimd for Within<L> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, _: S) {
            self.0.run();
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod found {
    use super::Loops;

    /// The vectors that there are.
    #[derive(Clone, Copy)]
    pub struct Vectors;

    impl Vectors {
        pub fn new() -> Vectors {
            Vectors
        }

        pub fn run(self, loops: impl Loops) {
            loops.run();
        }
    }
}

pub(super) use found::Vectors;
