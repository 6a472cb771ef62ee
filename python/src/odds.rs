//! Exact odds.

use crate::error::{Diagnostic, diagnostics};
use crate::reports::{reported, texts};
use crate::value::{bounds, fraction, to_python};
use crate::work::Work;
use grognard::{Chance, Effort, Label};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyTuple};
use serde_json::json;

/// The largest number of states that can be allowed.
const MOST: usize = 100_000_000;

/// Returns the effort of an exact answer: the given number of states, or with a time limit only the time.
pub fn effort(budget: Option<usize>, time: Option<f64>, usual: Effort) -> Effort {
    budget.or(time.map(|_| MOST)).map_or(usual, Effort::States)
}

/// Exact odds: a mapping from the text of each measure to its distribution.
#[pyclass(frozen, mapping, module = "grognard")]
pub struct Odds(pub grognard::Odds);

#[pymethods]
impl Odds {
    fn __getitem__(&self, measure: &str) -> PyResult<Distribution> {
        let found = self.0.get(measure).cloned().map(Distribution);
        found.ok_or_else(|| PyKeyError::new_err(measure.to_string()))
    }

    fn __len__(&self) -> usize {
        self.0.distributions().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.measures())?.try_iter()
    }

    fn __contains__(&self, measure: &Bound<'_, PyAny>) -> bool {
        measure.extract::<String>().is_ok_and(|measure| self.0.get(&measure).is_some())
    }

    /// The result of the first measure.
    #[getter]
    fn first(&self) -> Distribution {
        Distribution(self.0.first().clone())
    }

    /// Whether every result is exact. Otherwise its numbers are bounds.
    #[getter]
    fn exact(&self) -> bool {
        self.0.is_exact()
    }

    /// The weakest label of all results: `exact`, `proven` or `bounded`.
    #[getter]
    fn label(&self) -> &'static str {
        word(self.0.label())
    }

    /// Whether the progress function, the time or Ctrl-C ended the work.
    #[getter]
    fn stopped(&self) -> bool {
        self.0.is_stopped()
    }

    /// The number of states that were explored.
    #[getter]
    fn states(&self) -> usize {
        self.0.states()
    }

    /// Why results are not exact, and errors in which some outcomes end.
    #[getter]
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        diagnostics(py, self.0.problems())
    }

    fn __repr__(&self) -> String {
        format!("<Odds of {}>", self.measures().join(", "))
    }
}

impl Odds {
    fn measures(&self) -> Vec<&str> {
        self.0.distributions().iter().map(grognard::Distribution::text).collect()
    }

    fn report(&self) -> grognard::Report {
        self.0.report()
    }
}

reported!(Odds, "odds");

/// The exact result of one measure: a mapping from each value to its probability.
#[pyclass(frozen, mapping, module = "grognard")]
pub struct Distribution(grognard::Distribution);

fn word(label: Label) -> &'static str {
    match label {
        Label::Exact => "exact",
        Label::Proven => "proven",
        _ => "bounded",
    }
}

/// Returns an exact number, or raises a `LimitError` if only bounds are known.
fn exactly<'py>(py: Python<'py>, number: &Chance) -> PyResult<Bound<'py, PyAny>> {
    match number.exact() {
        Some(number) => fraction(py, number),
        None => {
            let message = format!(
                "the number is known only within bounds: {number}\n  help: use `bounds`, or ask with `exact=True` or a larger `budget`"
            );
            Err(PyErr::from_value(py.import("grognard._errors")?.getattr("LimitError")?.call1((message,))?))
        }
    }
}

#[pymethods]
impl Distribution {
    /// The expression that was measured.
    #[getter]
    fn measure(&self) -> &str {
        self.0.text()
    }

    /// The probability that the condition holds, or that the value is not zero, as a fraction.
    #[getter]
    fn chance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        exactly(py, &self.0.chance())
    }

    /// The bounds of `chance`, which are equal if it is exact.
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        bounds(py, &self.0.chance())
    }

    /// The mean of a number, in inches for a length and in degrees for an angle, or `None` if it has none.
    #[getter]
    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.mean().map(|mean| exactly(py, mean)).transpose()
    }

    /// The bounds of `mean`, or `None` if it has none.
    #[getter]
    fn mean_bounds<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.mean().map(|mean| bounds(py, mean)).transpose()
    }

    /// The variance of a number, or `None` if it is not known exactly.
    #[getter]
    fn variance<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.variance().map(|variance| exactly(py, variance)).transpose()
    }

    /// Whether the result is exact. Otherwise its numbers are bounds.
    #[getter]
    fn exact(&self) -> bool {
        self.0.is_exact()
    }

    /// How exact the result is: `exact`, a fraction; `proven`, bounds that agree in nine digits or more; `bounded`, a gap.
    #[getter]
    fn label(&self) -> &'static str {
        word(self.0.label())
    }

    /// The probability of the outcomes that were not explored: 0 for an exact result.
    #[getter]
    fn unexplored<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, self.0.unexplored())
    }

    /// The probability that the run never ends.
    #[getter]
    fn never<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, self.0.never().bounds().0)
    }

    /// The errors of the rules in which some outcomes end, each with its probability.
    #[getter]
    fn faults<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Diagnostic, Bound<'py, PyAny>)>> {
        let faults = self.0.faults().iter();
        faults.map(|(fault, share)| Ok((Diagnostic::of(fault), fraction(py, share.bounds().0)?))).collect()
    }

    /// The outcomes in ascending order: each value with the bounds of its probability, which are equal if it is exact.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let outcomes = self.0.outcomes().iter();
        let outcomes = outcomes.map(|(value, share)| Ok((to_python(py, value)?, bounds(py, share)?)));
        PyTuple::new(py, outcomes.collect::<PyResult<Vec<_>>>()?)
    }

    /// Returns the probability of a value. It is 0 for a value that is not an outcome.
    ///
    /// Raises `KeyError` if the value is not an outcome, and `LimitError` if only bounds are known.
    fn __getitem__<'py>(&self, py: Python<'py>, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match self.find(py, value)? {
            Some(share) => exactly(py, share),
            None => Err(PyKeyError::new_err(value.clone().unbind())),
        }
    }

    fn __contains__(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.find(py, value)?.is_some())
    }

    fn __len__(&self) -> usize {
        self.0.outcomes().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let values = self.0.outcomes().iter().map(|(value, _)| to_python(py, value));
        PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)?.try_iter()
    }

    fn __repr__(&self) -> String {
        let what = match self.0.mean() {
            Some(mean) if self.0.outcomes().len() != 2 => format!("mean {mean}"),
            _ => format!("chance {}", self.0.chance()),
        };
        format!("<Distribution of {}: {what}>", self.0.text())
    }

    /// Returns a plot of the distribution, which needs the package Altair.
    fn plot<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("grognard._plot")?.call_method1("distribution", (slf,))
    }

    /// Returns the outcomes as an Arrow stream: `value`, `number`, `estimate`, `low`, `high` and `fraction`.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, pyo3::types::PyCapsule>> {
        let _ = requested_schema;
        let (names, rows) = self.table();
        crate::arrow::stream(py, &names, &rows)
    }

    /// Returns the columns of the outcomes as an Arrow schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyCapsule>> {
        let (names, rows) = self.table();
        crate::arrow::schema(py, &names, &rows)
    }
}

impl Distribution {
    fn find(&self, py: Python<'_>, wanted: &Bound<'_, PyAny>) -> PyResult<Option<&Chance>> {
        for (value, share) in self.0.outcomes() {
            if to_python(py, value)?.eq(wanted)? {
                return Ok(Some(share));
            }
        }
        Ok(None)
    }

    fn table(&self) -> (Vec<String>, Vec<grognard_report::table::Row>) {
        let rows = self.0.outcomes().iter().map(|(value, share)| {
            let (low, high) = share.to_f64_bounds();
            let exact = share.exact().map(|n| format!("{}/{}", n.numerator(), n.denominator()));
            let number = crate::value::number(value);
            let row = json!({
                "value": value.to_string(),
                "number": number,
                "estimate": exact.is_some().then(|| share.to_f64()),
                "low": low,
                "high": high,
                "fraction": exact.unwrap_or_default(),
            });
            grognard_report::table::row(row)
        });
        let names = ["value", "number", "estimate", "low", "high", "fraction"];
        (names.map(String::from).to_vec(), rows.collect())
    }
}

/// Returns the exact odds of dice, such as `total(highest(3, 4 of d6))`.
///
/// With `exact`, the result has fractions, however long. `budget` is the largest number of states, and `time` the seconds after
/// which the result has bounds.
#[pyfunction]
#[pyo3(signature = (expression, *, of = None, given = None, exact = false, budget = None, time = None, progress = None))]
#[allow(clippy::too_many_arguments)] // the options of the command line
pub fn odds<'py>(
    py: Python<'py>,
    expression: &str,
    of: Option<&Bound<'py, PyAny>>,
    given: Option<&str>,
    exact: bool,
    budget: Option<usize>,
    time: Option<f64>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Odds> {
    let (of, effort) = (texts(of)?, effort(budget, time, Effort::Thorough));
    let work = Work { progress, total: None, time, what: "odds" };
    work.run(py, move |look| {
        let mut call = grognard::Rules::dice()?.call(expression).effort(effort).watch(look);
        for of in &of {
            call = call.of(of);
        }
        if let Some(given) = given {
            call = call.given(given);
        }
        if exact {
            call = call.exact();
        }
        call.compute().map(Odds)
    })
}
