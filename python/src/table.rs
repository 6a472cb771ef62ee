//! A scenario that is built in code.

use crate::error::calm;
use crate::scenario::Scenario;
use crate::value::from_python;
use grognard::Value;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// A builder of a scenario. Each method returns another table, and errors are raised by `build`.
#[pyclass(frozen, module = "grognard")]
pub struct Table(pub grognard::Table);

#[pymethods]
impl Table {
    /// Adds a thing of a kind with the values of its fields, or changes the thing with this name.
    ///
    /// The fields can have an `at` (a pair of inches), `facing`, `base`, `traits` and `status`.
    #[pyo3(signature = (kind, name, /, **fields))]
    fn thing(&self, kind: &str, name: &str, fields: Option<Bound<'_, PyDict>>) -> PyResult<Table> {
        let mut table = self.0.clone().thing(kind, name);
        for (field, value) in fields.into_iter().flat_map(|fields| fields.iter().collect::<Vec<_>>()) {
            table = table.set(&field.extract::<String>()?, from_python(&value)?);
        }
        Ok(Table(table))
    }

    /// Sets states of the game.
    #[pyo3(signature = (**states))]
    fn state(&self, states: Option<Bound<'_, PyDict>>) -> PyResult<Table> {
        self.all(states, |table, name, value| table.state(name, value))
    }

    /// Returns the table with other params and readings.
    #[pyo3(signature = (**values))]
    fn param(&self, values: Option<Bound<'_, PyDict>>) -> PyResult<Table> {
        self.all(values, |table, name, value| table.param(name, value))
    }

    /// Sets who decides for players: `policy:Bold`, `prefer`, `first`, `random`, `best` or `worst`.
    #[pyo3(signature = (**sources))]
    fn player(&self, sources: Option<Bound<'_, PyDict>>) -> PyResult<Table> {
        let mut table = self.0.clone();
        for (name, source) in sources.into_iter().flat_map(|sources| sources.iter().collect::<Vec<_>>()) {
            table = table.player(&name.extract::<String>()?, &source.extract::<String>()?);
        }
        Ok(Table(table))
    }

    /// Adds a step with a statement of the rules, such as `do volley(guards, raiders)`.
    fn step(&self, statement: &str) -> Table {
        Table(self.0.clone().step(statement))
    }

    /// Adds a step that calls a test, proc, action, phase or event by name.
    #[pyo3(signature = (name, /, *arguments))]
    fn call(&self, name: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Table> {
        let arguments = arguments.iter().map(|argument| from_python(&argument)).collect::<PyResult<Vec<Value>>>()?;
        Ok(Table(self.0.clone().call(name, arguments)))
    }

    /// Sets the phase that the run starts, such as `Battle()`, and how often: a number, or until a condition holds.
    #[pyo3(signature = (call, *, repeat = None, until = None))]
    fn start(&self, call: &str, repeat: Option<u32>, until: Option<&str>) -> Table {
        let mut table = self.0.clone().start(call);
        if let Some(times) = repeat {
            table = table.repeat(times);
        }
        if let Some(condition) = until {
            table = table.until(condition);
        }
        Table(table)
    }

    /// Adds an answer for a decision. Each answer is used once.
    fn decide(&self, choice: &str, pick: &Bound<'_, PyAny>) -> PyResult<Table> {
        Ok(Table(self.0.clone().decide(choice, from_python(pick)?)))
    }

    /// Fixes the faces of a roll, such as `volley.aim`, in the run that is played.
    fn roll(&self, roll: &str, faces: &Bound<'_, PyAny>) -> PyResult<Table> {
        let faces = faces.try_iter()?.map(|face| from_python(&face?)).collect::<PyResult<Vec<Value>>>()?;
        Ok(Table(self.0.clone().roll(roll, faces)))
    }

    /// Adds the mean of numbers at the end to the report.
    #[pyo3(signature = (*expressions))]
    fn mean(&self, expressions: Vec<String>) -> Table {
        Table(expressions.iter().fold(self.0.clone(), |table, text| table.mean(text)))
    }

    /// Adds the probabilities of conditions at the end to the report.
    #[pyo3(signature = (*conditions))]
    fn chance(&self, conditions: Vec<String>) -> Table {
        Table(conditions.iter().fold(self.0.clone(), |table, text| table.chance(text)))
    }

    /// Adds the distributions of values at the end to the report.
    #[pyo3(signature = (*expressions))]
    fn hist(&self, expressions: Vec<String>) -> Table {
        Table(expressions.iter().fold(self.0.clone(), |table, text| table.hist(text)))
    }

    /// Adds conditions that must hold at the end of the run.
    #[pyo3(signature = (*conditions))]
    fn expect(&self, conditions: Vec<String>) -> Table {
        Table(conditions.iter().fold(self.0.clone(), |table, text| table.expect(text)))
    }

    /// Sets the seed of dice that nothing else fixes.
    fn seed(&self, seed: u32) -> Table {
        Table(self.0.clone().seed(seed))
    }

    /// Returns the table as the text of a scenario file.
    fn to_toml(&self) -> String {
        self.0.to_toml()
    }

    /// Checks the table against the rules and returns the scenario.
    ///
    /// Raises `ScenarioError` if the table does not fit the rules. Places are lines of `to_toml`.
    fn build(&self, py: Python<'_>) -> PyResult<Scenario> {
        calm(py, || self.0.build()).map(Scenario)
    }

    fn __repr__(&self) -> String {
        self.0.to_toml()
    }
}

impl Table {
    fn all(
        &self,
        given: Option<Bound<'_, PyDict>>,
        set: fn(grognard::Table, &str, Value) -> grognard::Table,
    ) -> PyResult<Table> {
        let given = crate::rules::settings(given)?;
        Ok(Table(given.into_iter().fold(self.0.clone(), |table, (name, value)| set(table, &name, value))))
    }
}
