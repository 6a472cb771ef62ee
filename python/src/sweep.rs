//! Sweeps over params, and the effects of readings.

use crate::reports::reported;
use crate::scenario::Mode;
use grognard::{Effort, Value};
use pyo3::prelude::*;

/// Returns a question about the points of a grid, on one thread.
#[allow(clippy::too_many_arguments)] // the options of the command line
pub fn question<'s>(
    scenario: &'s grognard::Scenario,
    over: Vec<(String, Vec<Value>)>,
    of: &[String],
    mode: Option<Mode>,
    effort: Option<Effort>,
    runs: Option<u64>,
    seed: Option<u64>,
    level: Option<&str>,
) -> grognard::SweepRequest<'s> {
    let mut question = scenario.sweep();
    for (name, values) in over {
        question = question.over(&name, values);
    }
    for of in of {
        question = question.of(of);
    }
    question = match mode {
        None => question,
        Some(Mode::Auto) => question.either(),
        Some(Mode::Exact) => question.exact(),
        Some(Mode::Sampled) => question.sampled(),
    };
    if let Some(effort) = effort {
        question = question.effort(effort);
    }
    if let Some(runs) = runs {
        question = question.runs(runs);
    }
    if let Some(seed) = seed {
        question = question.seed(seed);
    }
    if let Some(level) = level {
        question = question.level(level);
    }
    question
}

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
