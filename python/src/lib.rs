//! The Python package `grognard`: the facade of the library as Python objects.
//!
//! Nothing here computes. Each method translates its arguments, calls the library without the interpreter lock, and
//! translates the result.

mod arrow;
mod calls;
mod compare;
mod env;
mod error;
mod odds;
mod reports;
mod rules;
mod sample;
mod scale;
mod scenario;
mod sweep;
mod table;
mod trace;
mod value;
mod work;

use pyo3::prelude::*;

/// The native part of the package `grognard`.
#[pymodule]
mod _grognard {
    #[pymodule_export]
    use super::calls::{Decision, Draw, Roll};
    #[pymodule_export]
    use super::compare::{Comparison, Effect};
    #[pymodule_export]
    use super::env::{Memory, Tables, game_tree};
    #[pymodule_export]
    use super::error::{Diagnostic, Place};
    #[pymodule_export]
    use super::odds::{Distribution, Odds, odds};
    #[pymodule_export]
    use super::rules::{Param, Rules};
    #[pymodule_export]
    use super::sample::{Estimate, Sample};
    #[pymodule_export]
    use super::scale::{Begun, Gatherer, Job, unpack};
    #[pymodule_export]
    use super::scenario::Scenario;
    #[pymodule_export]
    use super::sweep::{Readings, Sweep};
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::trace::{Played, Thing, Trace};
    #[pymodule_export]
    use super::work::Progress;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
