//! Loops compiled for several vector instruction sets, with a choice at run time. Without the feature `vectors`, there is
//! one set: that of the target, as in WebAssembly.

/// A loop that is compiled for each instruction set, with all functions inlined into it.
pub(super) trait Loops {
    /// Runs the loop. Implementations must be inlined.
    fn run(self);
}

#[cfg(feature = "vectors")]
mod found {
    use super::Loops;

    /// The instruction set of the processor.
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

#[cfg(not(feature = "vectors"))]
mod found {
    use super::Loops;

    /// The instruction set of the target.
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
