//! Errors of the library as Python exceptions. Their classes are in `grognard/_errors.py`.

use crate::trace::Trace;
use grognard::{Error, ErrorKind, Severity};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Columns of a rendered error.
const WIDTH: usize = 100;

/// A place in a text: file, line and column from 1, and the range of bytes.
#[pyclass(frozen, eq, hash, get_all, module = "grognard")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Place {
    file: String,
    line: usize,
    column: usize,
    start: usize,
    end: usize,
}

#[pymethods]
impl Place {
    fn __repr__(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Place {
    fn of(place: &grognard::Place) -> Place {
        let grognard::Place { file, line, column, bytes, .. } = place.clone();
        Place { file, line, column, start: bytes.start, end: bytes.end }
    }
}

/// A finding about rules, a scenario or a run.
#[pyclass(frozen, eq, hash, module = "grognard")]
#[derive(Clone)]
pub struct Diagnostic(grognard::Diagnostic);

/// Diagnostics with the same text are equal.
impl PartialEq for Diagnostic {
    fn eq(&self, other: &Diagnostic) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

impl Hash for Diagnostic {
    fn hash<H: Hasher>(&self, to: &mut H) {
        self.0.to_string().hash(to);
    }
}

#[pymethods]
impl Diagnostic {
    /// The code, such as `R0502`, or `None` for an error in the use of this package.
    #[getter]
    fn code(&self) -> Option<&'static str> {
        self.0.code()
    }

    /// The severity: `info`, `warning` or `error`.
    #[getter]
    fn severity(&self) -> &'static str {
        match self.0.severity() {
            Severity::Info => "info",
            Severity::Warning => "warning",
            _ => "error",
        }
    }

    /// The message, which is one sentence.
    #[getter]
    fn message(&self) -> &str {
        self.0.message()
    }

    /// The help line, which can be empty.
    #[getter]
    fn help(&self) -> &str {
        self.0.help()
    }

    /// The place, or `None` for a finding about a whole file or an argument.
    #[getter]
    fn place(&self) -> Option<Place> {
        self.0.place().map(Place::of)
    }

    /// Other relevant places, each with its text.
    #[getter]
    fn labels(&self) -> Vec<(Place, String)> {
        self.0.labels().map(|(place, text)| (Place::of(place), text.to_string())).collect()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}>", self.0)
    }
}

impl Diagnostic {
    pub fn of(found: &grognard::Diagnostic) -> Diagnostic {
        Diagnostic(found.clone())
    }
}

/// Returns the diagnostics as a tuple.
pub fn diagnostics<'py>(py: Python<'py>, found: &[grognard::Diagnostic]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, found.iter().cloned().map(Diagnostic))
}

/// Converts an error of the library to an exception.
pub fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let class = match error.kind() {
        ErrorKind::Rules => "RulesError",
        ErrorKind::Scenario => "ScenarioError",
        ErrorKind::Run => "RunError",
        ErrorKind::Limit => "LimitError",
        ErrorKind::Stopped => "StoppedError",
        _ => "InputError",
    };
    let build = || -> PyResult<PyErr> {
        let trace = error.trace().cloned().map(Trace);
        let text = error.render(WIDTH);
        let args = (text.trim_end(), diagnostics(py, error.diagnostics())?, trace);
        Ok(PyErr::from_value(py.import("grognard._errors")?.getattr(class)?.call1(args)?))
    };
    build().unwrap_or_else(|error| error)
}

/// Creates an `InputError` with a message and a help line.
pub fn input(py: Python<'_>, message: &str, help: &str) -> PyErr {
    let build = || -> PyResult<PyErr> {
        let text = format!("{message}\n  help: {help}");
        Ok(PyErr::from_value(py.import("grognard._errors")?.getattr("InputError")?.call1((text,))?))
    };
    build().unwrap_or_else(|error| error)
}

/// Runs code of the library without the interpreter lock. A panic becomes an `InternalError`.
pub fn calm<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Error> + Send) -> PyResult<T> {
    match catch_unwind(AssertUnwindSafe(|| py.detach(work))) {
        Ok(found) => found.map_err(|error| raised(py, &error)),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
            let message = format!("the library failed, which is a bug: {text}");
            let class = py.import("grognard._errors")?.getattr("InternalError")?;
            Err(PyErr::from_value(class.call1((message,))?))
        }
    }
}
