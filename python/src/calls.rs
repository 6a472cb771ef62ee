//! Dice and decisions of Python code.

use crate::value::to_python;
use grognard::{Choice, Decider, Dice, Error};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use std::sync::{Arc, Mutex, PoisonError};

/// The exception that ended a run.
#[derive(Clone, Default)]
pub struct Failure(Arc<Mutex<Option<PyErr>>>);

impl Failure {
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Calls Python code. An exception ends the run.
    fn call<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T, Error> {
        Python::attach(|py| py.check_signals().and_then(|()| call(py))).map_err(|error| {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            Error::stopped("an exception ended the run")
        })
    }
}

/// A roll that a run asks for.
#[pyclass(frozen, get_all, module = "grognard")]
pub struct Roll {
    /// The full name of the roll, such as `volley.aim`.
    name: String,
    /// The thing that rolls, or an empty text.
    of: String,
    /// The faces of each die.
    dice: Vec<Vec<i64>>,
    /// Whether these are rerolls, or dice that explode.
    again: bool,
}

#[pymethods]
impl Roll {
    fn __len__(&self) -> usize {
        self.dice.len()
    }

    fn __repr__(&self) -> String {
        format!("<Roll {} of {} dice>", self.name, self.dice.len())
    }
}

/// A random draw that a run asks for.
#[pyclass(frozen, get_all, module = "grognard")]
pub struct Draw {
    /// The name of the draw.
    name: String,
    /// The thing that draws, or an empty text.
    of: String,
    /// The entries that can be drawn.
    among: Vec<String>,
    /// The weight of each entry.
    weights: Vec<u32>,
    /// The number of entries to draw, without replacement.
    count: usize,
}

#[pymethods]
impl Draw {
    fn __repr__(&self) -> String {
        format!("<Draw {} of {} among {}>", self.name, self.count, self.among.len())
    }
}

/// Dice that a Python function throws.
pub struct PythonDice {
    pub call: Py<PyAny>,
    pub failed: Failure,
}

impl Dice for PythonDice {
    fn roll(&mut self, roll: &grognard::Roll) -> Result<Option<Vec<i64>>, Error> {
        self.failed.call(|py| {
            let grognard::Roll { name, of, dice, again, .. } = roll.clone();
            self.call.call1(py, (Roll { name, of, dice, again },))?.extract(py)
        })
    }

    fn draw(&mut self, draw: &grognard::Draw) -> Result<Option<Vec<usize>>, Error> {
        self.failed.call(|py| {
            let grognard::Draw { name, of, among, weights, count, .. } = draw.clone();
            self.call.call1(py, (Draw { name, of, among, weights, count },))?.extract(py)
        })
    }
}

/// A decision that a run asks for: a menu with its refused entries.
#[pyclass(frozen, get_all, module = "grognard")]
pub struct Decision {
    /// The player who decides, or an empty text.
    player: String,
    /// The thing that the decision is about, or an empty text.
    subject: String,
    /// The name of the decision, such as `action` or `target`.
    name: String,
    /// The entries that can be chosen.
    entries: Py<PyTuple>,
    /// The entries that cannot be chosen, each with the reason.
    refused: Vec<(String, String)>,
    /// The smallest and the largest number of entries of an answer.
    take: (usize, usize),
    /// Whether the answer is a point of the table, in inches. The entries are empty then.
    point: bool,
}

#[pymethods]
impl Decision {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Decision {} of {}: {}>", self.name, self.player, self.entries.bind(py).repr()?))
    }
}

impl Decision {
    fn of(py: Python<'_>, decision: &grognard::Decision) -> PyResult<Decision> {
        let entries = decision.entries.iter().map(|entry| to_python(py, entry)).collect::<PyResult<Vec<_>>>()?;
        let refused = decision.refused.iter().map(|refused| (refused.entry.clone(), refused.why.clone()));
        Ok(Decision {
            player: decision.player.clone(),
            subject: decision.subject.clone(),
            name: decision.name.clone(),
            entries: PyTuple::new(py, entries)?.unbind(),
            refused: refused.collect(),
            take: (*decision.take.start(), *decision.take.end()),
            point: decision.point,
        })
    }
}

/// A player that is a Python function.
pub struct Deciding {
    call: Py<PyAny>,
    failed: Failure,
}

impl Deciding {
    /// Returns the players of a function, or of a dictionary with a function for each player.
    pub fn all(given: Option<Bound<'_, PyAny>>, failed: &Failure) -> PyResult<Vec<(String, Deciding)>> {
        let own = |call: Bound<'_, PyAny>| Deciding { call: call.unbind(), failed: failed.clone() };
        match given {
            None => Ok(Vec::new()),
            Some(given) => match given.cast::<PyDict>() {
                Ok(all) => all.iter().map(|(player, call)| Ok((player.extract()?, own(call)))).collect(),
                Err(_) => Ok(vec![("*".to_string(), own(given))]),
            },
        }
    }
}

impl Decider for Deciding {
    fn decide(&mut self, decision: &grognard::Decision) -> Result<Choice, Error> {
        self.failed.call(|py| {
            let answer = self.call.call1(py, (Decision::of(py, decision)?,))?;
            choice(decision, answer.bind(py))
        })
    }
}

/// Reads the answer of a player.
fn choice(decision: &grognard::Decision, answer: &Bound<'_, PyAny>) -> PyResult<Choice> {
    if answer.is_none() {
        return Ok(Choice::Prefer);
    }
    if let Ok(text) = answer.cast::<PyString>() {
        let text = text.to_str()?;
        let (player, name) = (&decision.player, &decision.name);
        let unknown = || {
            let help = "answer with the name of an entry";
            crate::error::input(answer.py(), &format!("`{name}` of `{player}` has no entry `{text}`"), help)
        };
        return decision.parse(text).ok_or_else(unknown);
    }
    if decision.point {
        let (x, y): (Bound<'_, PyAny>, Bound<'_, PyAny>) = answer.extract()?;
        let thousandths = |inches: Bound<'_, PyAny>| inches.mul(1000)?.call_method0("__round__")?.extract::<i64>();
        return Ok(Choice::Point(thousandths(x)?, thousandths(y)?));
    }
    if let Ok(entry) = answer.extract::<usize>() {
        return Ok(Choice::Entry(entry));
    }
    answer.extract::<Vec<usize>>().map(Choice::Entries).map_err(|_| {
        let kind = answer.get_type();
        PyTypeError::new_err(format!(
            "decide: expected an index, several indices, a name, a point or None, found {kind}"
        ))
    })
}
