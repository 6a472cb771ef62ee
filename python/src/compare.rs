//! The differences between two versions.

use crate::reports::reported;
use crate::scenario::Mode;
use crate::value::fraction;
use grognard::Verdict;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};

/// Returns a question about two versions, on one thread. `options` are the mode and the effort of an exact answer, and
/// `flags` whether pairs are played until every measure is decided, and whether each version has separate dice.
pub fn question<'s>(
    (a, b): (&'s grognard::Scenario, &'s grognard::Scenario),
    of: &[String],
    within: Option<f64>,
    runs: Option<u64>,
    options: (Mode, grognard::Effort),
    (every, unpaired): (bool, bool),
    seed: Option<u64>,
) -> grognard::CompareRequest<'s> {
    let (mode, effort) = options;
    let mut question = a.compare(b).effort(effort);
    for of in of {
        question = question.of(of);
    }
    question = match mode {
        Mode::Auto => question,
        Mode::Exact => question.exact(),
        Mode::Sampled => question.sampled(),
    };
    if let Some(within) = within {
        question = question.within(within);
    }
    if let Some(runs) = runs {
        question = question.pairs(runs);
    }
    if every {
        question = question.every();
    }
    if unpaired {
        question = question.unpaired();
    }
    if let Some(seed) = seed {
        question = question.seed(seed);
    }
    question
}

/// The differences between two versions: a mapping from the text of each measure to the effect on it.
#[pyclass(frozen, mapping, module = "grognard")]
pub struct Comparison(pub grognard::Comparison);

#[pymethods]
impl Comparison {
    fn __getitem__(&self, measure: &str) -> PyResult<Effect> {
        let found = self.0.effects().iter().find(|effect| effect.text() == measure);
        found.cloned().map(Effect).ok_or_else(|| PyKeyError::new_err(measure.to_string()))
    }

    fn __len__(&self) -> usize {
        self.0.effects().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.0.effects().iter().map(grognard::Effect::text))?.try_iter()
    }

    /// The effect on the first measure, for which the runs end.
    #[getter]
    fn first(&self) -> Effect {
        Effect(self.0.first().clone())
    }

    /// Whether the numbers are exact, without runs.
    #[getter]
    fn exact(&self) -> bool {
        self.0.is_exact()
    }

    /// The number of pairs of runs that were played.
    #[getter]
    fn pairs(&self) -> u64 {
        self.0.pairs()
    }

    /// The number of pairs in which a run ended in an error. They do not count.
    #[getter]
    fn faults(&self) -> u64 {
        self.0.faults()
    }

    /// Why measures of the reports are omitted.
    #[getter]
    fn left_out(&self) -> Vec<String> {
        self.0.left_out().to_vec()
    }

    fn __repr__(&self) -> String {
        let effects: Vec<String> = self.0.effects().iter().map(|effect| Effect(effect.clone()).__repr__()).collect();
        format!("<Comparison: {}>", effects.join(", "))
    }
}

impl Comparison {
    fn report(&self) -> grognard::Report {
        self.0.report()
    }
}

reported!(Comparison, "comparison");

/// The difference of one measure: B minus A.
#[pyclass(frozen, module = "grognard")]
pub struct Effect(grognard::Effect);

type Number<'py> = Option<Bound<'py, PyAny>>;

#[pymethods]
impl Effect {
    /// The expression that was compared.
    #[getter]
    fn measure(&self) -> &str {
        self.0.text()
    }

    /// The mean or the share in A: a fraction if the comparison is exact, otherwise a `float`; lengths in inches.
    #[getter]
    fn a<'py>(&self, py: Python<'py>) -> PyResult<Number<'py>> {
        self.number(py, 0)
    }

    /// The mean or the share in B.
    #[getter]
    fn b<'py>(&self, py: Python<'py>) -> PyResult<Number<'py>> {
        self.number(py, 1)
    }

    /// The difference, B minus A.
    #[getter]
    fn difference<'py>(&self, py: Python<'py>) -> PyResult<Number<'py>> {
        self.number(py, 2)
    }

    /// The confidence interval of the difference, or `None` if the comparison is exact.
    #[getter]
    fn interval(&self) -> Option<(f64, f64)> {
        self.0.interval()
    }

    /// `more`, `less`, `same` or `undecided`: what B has of the measure.
    #[getter]
    fn verdict(&self) -> &'static str {
        match self.0.verdict() {
            Verdict::More => "more",
            Verdict::Less => "less",
            Verdict::Same => "same",
            _ => "undecided",
        }
    }

    /// Whether B is better, if the scenario states which direction is good and there is a difference.
    #[getter]
    fn better(&self) -> Option<bool> {
        self.0.is_better()
    }

    fn __repr__(&self) -> String {
        format!("<Effect on {}: {}>", self.0.text(), self.verdict())
    }
}

impl Effect {
    fn number<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Number<'py>> {
        if let Some(exact) = self.0.exact() {
            return fraction(py, &exact[at]).map(Some);
        }
        let (means, difference) = (self.0.means(), self.0.difference());
        let number = if at < 2 { means.map(|means| means[at]) } else { difference };
        number.map(|number| Ok(number.into_pyobject(py)?.into_any())).transpose()
    }
}
