//! Values of the rules as Python objects, and back.

use grognard::{Chance, Fraction, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

/// Thousandths of an inch in an inch, and hundredths of a degree in a degree.
const INCH: i64 = 1_000;
const DEGREE: i64 = 100;

fn fraction_type(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    TYPE.import(py, "fractions", "Fraction")
}

/// Returns a `fractions.Fraction`. Hexadecimal digits have no limit of length in Python.
pub fn fraction<'py>(py: Python<'py>, number: &Fraction) -> PyResult<Bound<'py, PyAny>> {
    let int = py.get_type::<PyInt>();
    let [num, den] = number.to_hex();
    fraction_type(py)?.call1((int.call1((num, 16))?, int.call1((den, 16))?))
}

fn ratio(py: Python<'_>, num: i64, den: i64) -> PyResult<Bound<'_, PyAny>> {
    fraction_type(py)?.call1((num, den))
}

/// Returns the bounds of a number, which are equal if it is exact.
pub fn bounds<'py>(py: Python<'py>, chance: &Chance) -> PyResult<Bound<'py, PyAny>> {
    let (low, high) = chance.bounds();
    Ok((fraction(py, low)?, fraction(py, high)?).into_pyobject(py)?.into_any())
}

/// Returns a value as an immutable Python object: `int`, `bool`, `str`, `Fraction`, `None`, or a tuple of them.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    let all = |values: &[Value]| -> PyResult<Bound<'py, PyAny>> {
        let values = values.iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
        Ok(PyTuple::new(py, values)?.into_any())
    };
    Ok(match value {
        Value::Int(n) => n.into_pyobject(py)?.into_any(),
        Value::Flag(yes) => PyBool::new(py, *yes).to_owned().into_any(),
        Value::Length(n) | Value::Covered(n) => ratio(py, *n, INCH)?,
        Value::Angle(n) => ratio(py, *n, DEGREE)?,
        Value::Ratio(num, den) => ratio(py, *num, *den)?,
        Value::Point(x, y) => PyTuple::new(py, [ratio(py, *x, INCH)?, ratio(py, *y, INCH)?])?.into_any(),
        Value::List(values) | Value::Tuple(values) => all(values)?,
        Value::Record(parts) => {
            let record = PyDict::new(py);
            for (name, value) in parts {
                record.set_item(name.as_str(), to_python(py, value)?)?;
            }
            record.into_any()
        }
        Value::Thing(name) | Value::Word(name) | Value::Die(name) => PyString::new(py, name.as_str()).into_any(),
        Value::Action { .. } => PyString::new(py, &value.to_string()).into_any(),
        Value::None => py.None().into_bound(py),
    })
}

/// Reads a Python object as a value. Text can be any literal of the rules, such as `d6` or `1/2`; a number with a part
/// after the point is a length in inches.
pub fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if object.is_none() {
        return Ok(Value::None);
    }
    if let Ok(yes) = object.cast::<PyBool>() {
        return Ok(Value::Flag(yes.is_true()));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::from(text.to_str()?));
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        let entries = object.try_iter()?.map(|entry| from_python(&entry?));
        return Ok(Value::List(entries.collect::<PyResult<_>>()?));
    }
    if object.is_instance_of::<PyFloat>() || object.is_instance(fraction_type(object.py())?)? {
        let parts = object.mul(INCH)?;
        let whole = object.py().import("builtins")?.call_method1("round", (&parts,))?;
        if parts.sub(&whole)?.abs()?.gt(1e-6)? {
            let message = format!("a length has at most three digits after the point, found {object}");
            return Err(PyValueError::new_err(message));
        }
        return Ok(Value::Length(whole.extract()?));
    }
    // any whole number, also of NumPy
    if let Ok(index) = object.call_method0("__index__") {
        return Ok(Value::Int(index.extract()?));
    }
    let kind = object.get_type().name()?;
    Err(PyTypeError::new_err(format!("expected a value of the rules (int, bool, str, float, list), found {kind}")))
}

/// Returns a number as a floating-point number, or `None` for other values.
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(n) => Some(*n as f64),
        Value::Length(n) | Value::Covered(n) => Some(*n as f64 / INCH as f64),
        Value::Angle(n) => Some(*n as f64 / DEGREE as f64),
        Value::Ratio(num, den) if *den != 0 => Some(*num as f64 / *den as f64),
        _ => None,
    }
}
