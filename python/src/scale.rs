//! Questions in units that other processes answer: the native part of `grognard.scale`.

use crate::compare::Comparison;
use crate::error::calm;
use crate::sample::{Half, Sample, within};
use crate::scenario::{Mode, Scenario, measures, varied};
use crate::sweep::Sweep;
use crate::work::Work;
use grognard::scale::{self, Found};
use grognard::{Effort, Error};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// Loads a scenario from the text that pickles it.
#[pyfunction(name = "_unpack")]
pub fn unpack(py: Python<'_>, text: &str) -> PyResult<Scenario> {
    calm(py, || scale::unpack(text)).map(Scenario)
}

/// A question that other processes answer in units.
#[pyclass(frozen, name = "_Job", module = "grognard._grognard")]
pub struct Job(Arc<scale::Job>);

/// The start of a comparison: an exact answer, or a job.
#[pyclass(frozen, name = "_Begun", module = "grognard._grognard", get_all)]
pub struct Begun {
    exact: Option<Py<Comparison>>,
    job: Option<Py<Job>>,
}

#[pymethods]
impl Job {
    /// A job that plays runs.
    #[staticmethod]
    #[pyo3(signature = (scenario, runs, of, given, seed, until, level))]
    #[allow(clippy::too_many_arguments)] // the options of the command line
    fn simulate(
        py: Python<'_>,
        scenario: &Scenario,
        runs: Option<u64>,
        of: Option<&Bound<'_, PyAny>>,
        given: Option<&str>,
        seed: Option<u64>,
        until: Option<&Bound<'_, PyAny>>,
        level: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Job> {
        let (of, until) = (measures(of, given)?, until.map(Half::of).transpose()?);
        let level = level.map(|level| level.str()?.extract::<String>()).transpose()?;
        calm(py, || {
            let question = crate::sample::question(&scenario.0, runs, &of, seed, until, level.as_deref());
            question.job().map(|job| Job(Arc::new(job)))
        })
    }

    /// A comparison: an exact answer if possible, and otherwise a job that plays pairs of runs.
    #[staticmethod]
    #[pyo3(signature = (a, b, of, within, runs, mode, budget, every, unpaired, seed))]
    #[allow(clippy::too_many_arguments)] // the options of the command line
    fn compare(
        py: Python<'_>,
        a: &Scenario,
        b: &Scenario,
        of: Option<&Bound<'_, PyAny>>,
        within: Option<&Bound<'_, PyAny>>,
        runs: Option<u64>,
        mode: &str,
        budget: Option<usize>,
        every: bool,
        unpaired: bool,
        seed: Option<u64>,
    ) -> PyResult<Begun> {
        let (of, mode, within) = (measures(of, None)?, Mode::of(mode)?, within.map(self::within).transpose()?);
        let work = Work { progress: None, total: None, time: None, what: "compare" };
        let begun = Mutex::new(None);
        // exact work is watched as that of a comparison
        let found = work.run(py, |look| {
            let options = (mode, crate::odds::effort(budget, None, mode.usual()));
            let question = crate::compare::question((&a.0, &b.0), &of, within, runs, options, (every, unpaired), seed);
            let found = question.watch(look).job()?;
            *begun.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
            Ok::<Nothing, Error>(Nothing)
        });
        found?;
        let begun = begun.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(match begun {
            Some(Ok(exact)) => Begun { exact: Some(Py::new(py, Comparison(exact))?), job: None },
            Some(Err(job)) => Begun { exact: None, job: Some(Py::new(py, Job(Arc::new(job)))?) },
            None => return Err(PyRuntimeError::new_err("no comparison")),
        })
    }

    /// A job that measures points.
    #[staticmethod]
    #[pyo3(signature = (scenario, over, of, mode, runs, budget, seed, level))]
    #[allow(clippy::too_many_arguments)] // the options of the command line
    fn sweep(
        py: Python<'_>,
        scenario: &Scenario,
        over: Option<Bound<'_, PyDict>>,
        of: Option<&Bound<'_, PyAny>>,
        mode: Option<&str>,
        runs: Option<u64>,
        budget: Option<usize>,
        seed: Option<u64>,
        level: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Job> {
        let (of, mode, over) = (measures(of, None)?, mode.map(Mode::of).transpose()?, varied(over)?);
        let level = level.map(|level| level.str()?.extract::<String>()).transpose()?;
        calm(py, || {
            let effort = budget.map(Effort::States);
            let question = crate::sweep::question(&scenario.0, over, &of, mode, effort, runs, seed, level.as_deref());
            question.job().map(|job| Job(Arc::new(job)))
        })
    }

    /// Builds the job of a text.
    #[staticmethod]
    fn read(py: Python<'_>, text: String) -> PyResult<Job> {
        calm(py, || scale::Job::read(text)).map(|job| Job(Arc::new(job)))
    }

    /// The text, from which another process builds the same job.
    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    /// The hash of everything that the result depends on.
    #[getter]
    fn key(&self) -> &str {
        self.0.key()
    }

    /// The largest number of runs or of pairs, or the number of points.
    #[getter]
    fn size(&self) -> u64 {
        self.0.size()
    }

    /// Whether units are points of a sweep.
    #[getter]
    fn is_sweep(&self) -> bool {
        self.0.is_sweep()
    }

    /// Computes the unit `first..last`, and returns its parts: first, last, result.
    fn unit(&self, py: Python<'_>, first: u64, last: u64) -> PyResult<Vec<(u64, u64, String)>> {
        let parts = calm(py, || self.0.unit(first..last, |_| ControlFlow::Continue(())))?;
        Ok(parts.into_iter().flatten().map(|(range, text)| (range.start, range.end, text)).collect())
    }

    /// Returns a gatherer without parts.
    fn gatherer(&self, py: Python<'_>) -> PyResult<Gatherer> {
        calm(py, || self.0.gatherer()).map(|gatherer| Gatherer(Mutex::new(Some(gatherer))))
    }
}

/// Takes the place of a result in work that has another one.
#[pyclass(frozen, name = "_Nothing", module = "grognard._grognard")]
struct Nothing;

/// Takes parts in order, and decides when a job ends.
#[pyclass(frozen, name = "_Gatherer", module = "grognard._grognard")]
pub struct Gatherer(Mutex<Option<scale::Gatherer>>);

impl Gatherer {
    fn with<T>(&self, what: impl FnOnce(&mut scale::Gatherer) -> T) -> PyResult<T> {
        let mut gatherer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        gatherer.as_mut().map(what).ok_or_else(|| PyRuntimeError::new_err("the gatherer has finished"))
    }
}

#[pymethods]
impl Gatherer {
    /// The number of the run, pair or point that comes next.
    #[getter]
    fn reached(&self) -> PyResult<u64> {
        self.with(|gatherer| gatherer.reached())
    }

    /// Whether no more parts are needed.
    #[getter]
    fn done(&self) -> PyResult<bool> {
        self.with(|gatherer| gatherer.is_done())
    }

    /// Adds the part that comes next.
    fn add(&self, py: Python<'_>, first: u64, last: u64, text: &str) -> PyResult<()> {
        self.with(|gatherer| calm(py, || gatherer.add(first..last, text)))?
    }

    /// Returns the result of the parts so far.
    fn finish(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let gatherer = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let gatherer = gatherer.ok_or_else(|| PyRuntimeError::new_err("the gatherer has finished"))?;
        match calm(py, || gatherer.finish())? {
            Found::Sample(sample) => Sample(sample).into_py_any(py),
            Found::Comparison(comparison) => Comparison(comparison).into_py_any(py),
            Found::Sweep(sweep) => Sweep(sweep).into_py_any(py),
        }
    }
}
