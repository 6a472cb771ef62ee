//! Sweeps over params, and the effects of readings.

use crate::reports::reported;
use pyo3::prelude::*;

/// The measures at each point of a grid: a table with a row for each point and measure.
#[pyclass(frozen, module = "grognard")]
pub struct Sweep(pub grognard::Sweep);

#[pymethods]
impl Sweep {
    /// The number of points of the grid.
    #[getter]
    fn points(&self) -> u64 {
        self.0.points()
    }

    /// The number of points that are in the result.
    #[getter]
    fn finished(&self) -> u64 {
        self.0.finished()
    }

    /// Whether the progress function, the time or Ctrl-C ended the work.
    #[getter]
    fn stopped(&self) -> bool {
        self.0.is_stopped()
    }

    /// Returns the rows as JSON Lines.
    fn jsonl(&self) -> String {
        self.0.to_jsonl()
    }

    fn __repr__(&self) -> String {
        format!("<Sweep: {} of {} points>", self.0.finished(), self.0.points())
    }
}

impl Sweep {
    fn report(&self) -> grognard::Report {
        self.0.report()
    }
}

reported!(Sweep, "sweep");

/// The effects of the readings of a rulebook on a scenario: a table with a row for each alternative and measure.
#[pyclass(frozen, module = "grognard")]
pub struct Readings(pub grognard::Readings);

#[pymethods]
impl Readings {
    /// Whether the progress function, the time or Ctrl-C ended the work.
    #[getter]
    fn stopped(&self) -> bool {
        self.0.is_stopped()
    }

    /// Why measures of the report are omitted.
    #[getter]
    fn left_out(&self) -> Vec<String> {
        self.0.left_out().to_vec()
    }

    fn __repr__(&self) -> String {
        format!("<{:?}>", self.0)
    }
}

impl Readings {
    fn report(&self) -> grognard::Report {
        self.0.report()
    }
}

reported!(Readings, "readings");
