//! Checked rules.

use crate::error::{calm, diagnostics};
use crate::odds::{Odds, effort};
use crate::reports::texts;
use crate::scenario::Scenario;
use crate::table::Table;
use crate::value::{from_python, to_python};
use crate::work::Work;
use grognard::{Effort, Folder, Texts, Value};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Checked rules. They cannot change, and threads can share them.
#[pyclass(frozen, module = "grognard")]
pub struct Rules(pub grognard::Rules);

/// The result of `__reduce__`: a function and its arguments.
pub type Pickled<'py, A> = (Bound<'py, PyAny>, A);

/// Opens a folder as a library.
pub fn folder(py: Python<'_>, path: PathBuf) -> PyResult<Folder> {
    calm(py, || Folder::new(path))
}

#[pymethods]
impl Rules {
    /// Loads the rules at a path such as `game/core`, with the rules that they extend, from the files of a folder.
    ///
    /// Raises `RulesError` if the rules have errors or do not exist, and `InputError` if there is no folder.
    #[staticmethod]
    fn load(py: Python<'_>, folder: PathBuf, path: &str) -> PyResult<Rules> {
        let library = self::folder(py, folder)?;
        calm(py, || grognard::Rules::load(library, path)).map(Rules)
    }

    /// Checks rules that are one text.
    #[staticmethod]
    fn from_text(py: Python<'_>, text: &str) -> PyResult<Rules> {
        calm(py, || grognard::Rules::from_text(text)).map(Rules)
    }

    /// Loads the rules at a path from texts in memory, such as `{"game/core.rules": "ruleset game/core ..."}`.
    #[staticmethod]
    fn from_texts(py: Python<'_>, texts: BTreeMap<String, String>, path: &str) -> PyResult<Rules> {
        let library: Texts = texts.into_iter().collect();
        calm(py, || grognard::Rules::load(library, path)).map(Rules)
    }

    /// Loads rules that are part of this package, such as `warstrike/core`.
    #[staticmethod]
    fn shipped(py: Python<'_>, path: &str) -> PyResult<Rules> {
        calm(py, || grognard::Rules::shipped(path)).map(Rules)
    }

    /// The path of the rules, such as `game/core`.
    #[getter]
    fn path(&self) -> &str {
        self.0.path()
    }

    /// The version that the rules state. It can be empty.
    #[getter]
    fn version(&self) -> &str {
        self.0.version()
    }

    /// The warnings and remarks about the rules.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        diagnostics(py, self.0.warnings())
    }

    /// The params and readings by name, in the order of the rules.
    #[getter]
    fn params<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let params = PyDict::new(py);
        for param in self.0.params() {
            let values = param.values().iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
            let found = Param {
                name: param.name().to_string(),
                is_reading: param.is_reading(),
                default: to_python(py, &param.default())?.unbind(),
                values: PyTuple::new(py, values)?.unbind(),
                because: param.because().to_string(),
            };
            params.set_item(param.name(), found)?;
        }
        py.import("types")?.call_method1("MappingProxyType", (params,))
    }

    /// Starts a table: a scenario that is built in code.
    fn table(&self) -> Table {
        Table(self.0.table())
    }

    /// Binds the scenario at a path of the library to these rules, also if it names others.
    fn scenario(&self, py: Python<'_>, path: &str) -> PyResult<Scenario> {
        calm(py, || self.0.scenario(path)).map(Scenario)
    }

    /// Binds a scenario in TOML to these rules.
    fn scenario_from_toml(&self, py: Python<'_>, text: &str) -> PyResult<Scenario> {
        calm(py, || self.0.scenario_from_toml(text)).map(Scenario)
    }

    /// Returns the exact odds of a call such as `Morale(u)`, or of dice such as `2d6 + bonus`.
    ///
    /// `with_` sets fields of things (`u.nerve = 4`), `rolling` the faces of rolls (`aim = [5, 1]`), and `choosing`
    /// answers to decisions (`target = wolves`). `set` has values of params, readings and parameters. With
    /// `exact`, the result has fractions, however long. `budget` is the largest number of states, and `time` the seconds
    /// after which the result has bounds.
    #[pyo3(signature = (call, *, of = None, given = None, set = None, with_ = None, rolling = None, choosing = None,
        exact = false, budget = None, time = None, progress = None))]
    #[allow(clippy::too_many_arguments)] // the options of the command line
    fn odds<'py>(
        &self,
        py: Python<'py>,
        call: &str,
        of: Option<&Bound<'py, PyAny>>,
        given: Option<&str>,
        set: Option<Bound<'py, PyDict>>,
        with_: Option<&Bound<'py, PyAny>>,
        rolling: Option<&Bound<'py, PyAny>>,
        choosing: Option<&Bound<'py, PyAny>>,
        exact: bool,
        budget: Option<usize>,
        time: Option<f64>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Odds> {
        let mut call = self.0.call(call).effort(effort(budget, time, Effort::Thorough));
        for of in texts(of)? {
            call = call.of(&of);
        }
        for with in texts(with_)? {
            call = call.with(&with);
        }
        for faces in texts(rolling)? {
            call = call.rolling(&faces);
        }
        for answer in texts(choosing)? {
            call = call.choosing(&answer);
        }
        for (name, value) in settings(set)? {
            call = call.set(&name, value);
        }
        if let Some(given) = given {
            call = call.given(given);
        }
        if exact {
            call = call.exact();
        }
        let work = Work { progress, total: None, time, what: "odds" };
        work.run(py, move |look| call.watch(look).compute().map(Odds))
    }

    /// Pickles the rules as their texts.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py, (BTreeMap<String, String>, String)>> {
        let rules = &slf.get().0;
        let texts = calm(slf.py(), || grognard::scale::texts_of(rules))?;
        Ok((slf.get_type().getattr("from_texts")?, (texts, rules.path().to_string())))
    }

    fn __repr__(&self) -> String {
        format!("<Rules {}>", self.0.path())
    }
}

/// Returns the settings of a dictionary.
pub fn settings(given: Option<Bound<'_, PyDict>>) -> PyResult<Vec<(String, Value)>> {
    let given = given.into_iter().flat_map(|given| given.iter().collect::<Vec<_>>());
    given.map(|(name, value)| Ok((name.extract()?, from_python(&value)?))).collect()
}

/// A param or a reading of rules: a value that a scenario can change.
#[pyclass(frozen, get_all, module = "grognard")]
pub struct Param {
    /// The name in the rules.
    name: String,
    /// Whether it is a reading: an answer to an open point of the rulebook.
    is_reading: bool,
    /// The value without a scenario.
    default: Py<PyAny>,
    /// The values that the rules declare for a sweep, or the alternatives of a reading.
    values: Py<PyTuple>,
    /// The open point of the rulebook that a reading answers. It can be empty.
    because: String,
}

#[pymethods]
impl Param {
    fn __repr__(&self) -> String {
        format!("<Param {} = {}>", self.name, self.default)
    }
}
