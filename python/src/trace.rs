//! One run: its trace, its measures, the things at its end.

use crate::error::{calm, diagnostics};
use crate::value::to_python;
use grognard_report::table::{EVENT_COLUMNS, Row, columns, list_rows};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyIterator, PyTuple};

/// Returns text without characters that HTML reads.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The events of a run, in order. `str` is the text of `grognard run --trace full`.
#[pyclass(frozen, module = "grognard")]
#[derive(Clone)]
pub struct Trace(pub grognard::Trace);

#[pymethods]
impl Trace {
    /// Reads a trace from JSON Lines.
    #[staticmethod]
    fn from_jsonl(py: Python<'_>, text: &str) -> PyResult<Trace> {
        calm(py, || grognard::Trace::from_jsonl(text)).map(Trace)
    }

    /// Returns the trace without the conditions and values in between.
    fn brief(&self) -> String {
        self.0.brief()
    }

    /// Returns the story of the run: the text of `grognard run --trace story`.
    fn story(&self) -> String {
        self.0.story()
    }

    /// Returns the events as JSON Lines: the bytes of `grognard run --format jsonl`.
    fn jsonl(&self) -> String {
        self.0.to_jsonl()
    }

    /// The events as dictionaries with the fields of `docs/trace.schema.json`.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let loads = py.import("json")?.getattr("loads")?;
        let jsonl = self.0.to_jsonl();
        PyTuple::new(py, jsonl.lines().map(|line| loads.call1((line,))).collect::<PyResult<Vec<_>>>()?)
    }

    fn __len__(&self) -> usize {
        self.0.events().len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.events(py)?.as_any().get_item(index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.events(py)?.try_iter()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Trace of {} events>", self.0.events().len())
    }

    fn _repr_html_(&self) -> String {
        format!("<pre>{}</pre>", escaped(&self.0.brief()))
    }

    /// Returns the events as an Arrow stream, with the columns of `grognard run --format csv`.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        crate::arrow::stream(py, &columns(&[&EVENT_COLUMNS]), &self.rows())
    }

    /// Returns the columns of the events as an Arrow schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        crate::arrow::schema(py, &columns(&[&EVENT_COLUMNS]), &self.rows())
    }
}

impl Trace {
    fn rows(&self) -> Vec<Row> {
        list_rows(&EVENT_COLUMNS, &serde_json::json!(self.0.events()))
    }
}

/// A run that was played.
#[pyclass(frozen, module = "grognard")]
pub struct Played(pub grognard::Played);

#[pymethods]
impl Played {
    /// The trace. It is empty if none was recorded.
    #[getter]
    fn trace(&self) -> Trace {
        Trace(self.0.trace().clone())
    }

    /// The measures of the report with their values in this run. A value is `None` if the condition of its measure does
    /// not hold.
    #[getter]
    fn measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let measures = PyDict::new(py);
        for (text, value) in self.0.measures() {
            measures.set_item(text, value.map(|value| to_python(py, &value)).transpose()?)?;
        }
        Ok(measures)
    }

    /// The expectations of the scenario, and whether each holds. `None` is one about all outcomes.
    #[getter]
    fn expectations(&self) -> Vec<(String, Option<bool>)> {
        self.0.expectations().map(|(text, holds)| (text.to_string(), holds)).collect()
    }

    /// The failed expectations, and the answers and dice of the scenario that were not used.
    #[getter]
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        diagnostics(py, &self.0.problems())
    }

    /// The things in play at the end, by name.
    #[getter]
    fn things<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let things = PyDict::new(py);
        for thing in self.0.things() {
            things.set_item(thing.name(), Thing::of(py, &thing)?)?;
        }
        Ok(things)
    }

    /// Returns a state of the game at the end, or `None` if the game has no such state.
    fn state<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.state(name).map(|value| to_python(py, &value)).transpose()
    }

    /// Returns a drawing of the table before and after the run as SVG, or `None` if nothing has a position.
    fn map(&self, py: Python<'_>) -> PyResult<Option<String>> {
        calm(py, || Ok(self.0.map()))
    }

    fn __str__(&self) -> String {
        self.0.trace().brief()
    }

    fn __repr__(&self) -> String {
        let measures = self.0.measures().into_iter();
        let value =
            |value: Option<grognard::Value>| value.map_or_else(|| "none".to_string(), |value| value.to_string());
        let measures: Vec<String> = measures.map(|(text, found)| format!("{text} = {}", value(found))).collect();
        format!("<Played: {}>", measures.join(", "))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let map = self.map(py)?.unwrap_or_default();
        Ok(format!("{map}<pre>{}</pre>", escaped(&self.0.trace().brief())))
    }
}

/// A thing of the table at the end of a run.
#[pyclass(frozen, get_all, module = "grognard")]
pub struct Thing {
    /// The name on the table.
    name: String,
    /// The kind.
    kind: String,
    /// The values of its stats, states and links, by name.
    fields: Py<PyAny>,
}

#[pymethods]
impl Thing {
    /// Returns the value of a stored field.
    fn __getitem__<'py>(&self, py: Python<'py>, field: &str) -> PyResult<Bound<'py, PyAny>> {
        self.fields.bind(py).get_item(field)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<{} {}: {}>", self.kind, self.name, self.fields.bind(py).repr()?))
    }
}

impl Thing {
    fn of(py: Python<'_>, thing: &grognard::Thing<'_>) -> PyResult<Thing> {
        let fields = PyDict::new(py);
        for (name, value) in thing.fields() {
            fields.set_item(name, to_python(py, &value)?)?;
        }
        let fields = py.import("types")?.call_method1("MappingProxyType", (fields,))?.unbind();
        Ok(Thing { name: thing.name(), kind: thing.kind().to_string(), fields })
    }
}
