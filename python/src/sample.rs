//! Estimates from many runs.

use crate::error::Diagnostic;
use crate::reports::reported;
use crate::value::{fraction, to_python};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyString, PyTuple};

/// The half-width of an interval at which a sample ends.
#[derive(Clone, Copy)]
pub enum Half {
    /// Of every condition.
    Share(f64),
    /// Of every mean.
    Mean(f64),
}

impl Half {
    /// Reads `0.1%`, `±0.1%`, `0.05` or a number.
    pub fn of(given: &Bound<'_, PyAny>) -> PyResult<Half> {
        let (number, share) = parsed(given, "until", "`0.1%` for conditions, 0.05 for means")?;
        Ok(if share { Half::Share(number) } else { Half::Mean(number) })
    }
}

/// Reads a margin: `1%`, or a number.
pub fn within(given: &Bound<'_, PyAny>) -> PyResult<f64> {
    Ok(parsed(given, "within", "`1%` or 0.01 for a condition, 0.1 for a number")?.0)
}

/// Reads a number above 0, and whether it was a percentage.
fn parsed(given: &Bound<'_, PyAny>, name: &str, forms: &str) -> PyResult<(f64, bool)> {
    let (number, share) = match given.cast::<PyString>() {
        Ok(text) => {
            let text = text.to_str()?.trim();
            let bare = text.trim_start_matches('±').trim_start_matches("+-").trim_start();
            let (number, share) = bare.strip_suffix('%').map_or((bare, false), |number| (number.trim_end(), true));
            let number = number.parse::<f64>().ok();
            (number.map(|number| if share { number / 100.0 } else { number }), share)
        }
        Err(_) => (Some(given.extract::<f64>()?), false),
    };
    match number.filter(|number| number.is_finite() && *number > 0.0) {
        Some(number) => Ok((number, share)),
        None => Err(PyValueError::new_err(format!("{name}: expected {forms}, found {given}"))),
    }
}

/// Returns a question about many runs, on one thread.
pub fn question<'s>(
    scenario: &'s grognard::Scenario,
    runs: Option<u64>,
    of: &[String],
    seed: Option<u64>,
    until: Option<Half>,
    level: Option<&str>,
) -> grognard::SampleRequest<'s> {
    let mut question = scenario.sample(runs.unwrap_or(1));
    if runs.is_none() {
        question = question.usual_runs();
    }
    for of in of {
        question = question.of(of);
    }
    if let Some(seed) = seed {
        question = question.seed(seed);
    }
    question = match until {
        Some(Half::Share(width)) => question.until_share(width),
        Some(Half::Mean(width)) => question.until_mean(width),
        None => question,
    };
    if let Some(level) = level {
        question = question.level(level);
    }
    question
}

/// The result of many runs: a mapping from the text of each measure to its estimate.
#[pyclass(frozen, mapping, module = "grognard")]
pub struct Sample(pub grognard::Sample);

#[pymethods]
impl Sample {
    fn __getitem__(&self, measure: &str) -> PyResult<Estimate> {
        let found = self.0.get(measure).cloned().map(Estimate);
        found.ok_or_else(|| PyKeyError::new_err(measure.to_string()))
    }

    fn __len__(&self) -> usize {
        self.0.estimates().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.measures())?.try_iter()
    }

    fn __contains__(&self, measure: &Bound<'_, PyAny>) -> bool {
        measure.extract::<String>().is_ok_and(|measure| self.0.get(&measure).is_some())
    }

    /// The estimate of the first measure.
    #[getter]
    fn first(&self) -> Estimate {
        Estimate(self.0.first().clone())
    }

    /// The number of runs that were played.
    #[getter]
    fn runs(&self) -> u64 {
        self.0.runs()
    }

    /// The seed of the runs.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.seed()
    }

    /// Whether the progress function, the time or Ctrl-C ended the runs.
    #[getter]
    fn stopped(&self) -> bool {
        self.0.is_stopped()
    }

    /// The number of runs that ended in an error. They do not count for any measure.
    #[getter]
    fn faults(&self) -> u64 {
        self.0.faults()
    }

    /// The number of the first run that ended in an error, and the error, or `None`.
    #[getter]
    fn first_fault(&self) -> Option<(u64, Diagnostic)> {
        self.0.first_fault().map(|(run, fault)| (run, Diagnostic::of(fault)))
    }

    fn __repr__(&self) -> String {
        format!("<Sample of {} runs: {}>", self.0.runs(), self.measures().join(", "))
    }
}

impl Sample {
    fn measures(&self) -> Vec<&str> {
        self.0.estimates().iter().map(grognard::Estimate::text).collect()
    }

    fn report(&self) -> grognard::Report {
        self.0.report()
    }
}

reported!(Sample, "sample");

/// The estimate of one measure from many runs.
#[pyclass(frozen, module = "grognard")]
pub struct Estimate(grognard::Estimate);

#[pymethods]
impl Estimate {
    /// The expression that was measured.
    #[getter]
    fn measure(&self) -> &str {
        self.0.text()
    }

    /// The number of runs that count.
    #[getter]
    fn counted(&self) -> u64 {
        self.0.counted()
    }

    /// The share of a condition, or the mean of a number; lengths in inches. `None` for other values.
    #[getter]
    fn value(&self) -> Option<f64> {
        self.0.value()
    }

    /// The share of a condition as a fraction of the runs, or `None`.
    #[getter]
    fn share<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.share().map(|share| fraction(py, share)).transpose()
    }

    /// The ends of the confidence interval, or `None` for a mean without bounds and for a histogram.
    #[getter]
    fn interval(&self) -> Option<(f64, f64)> {
        self.0.interval()
    }

    /// The confidence level of the interval in percent, such as `95`.
    #[getter]
    fn level(&self) -> &str {
        self.0.level()
    }

    /// The method of the interval.
    #[getter]
    fn method(&self) -> &str {
        self.0.method()
    }

    /// The values of a histogram in ascending order, each with the number of its runs.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let values = self.0.values().iter().map(|(value, runs)| Ok((to_python(py, value)?, *runs)));
        PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)
    }

    fn __repr__(&self) -> String {
        let value = self.0.value().map_or_else(|| "a histogram".to_string(), |value| value.to_string());
        let interval = self.0.interval().map_or(String::new(), |(low, high)| format!(", {low} to {high}"));
        format!("<Estimate of {}: {value}{interval}>", self.0.text())
    }
}
