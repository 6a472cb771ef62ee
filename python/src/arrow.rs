//! Tables as Arrow streams in capsules, as the PyCapsule interface of Arrow defines them.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use grognard_report::table::{Row, Sort, whole};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use serde_json::Value;
use std::sync::Arc;

/// Returns the type of a column: a fixed one, or for a param or a reading that of its values.
fn kind(column: &str, rows: &[Row]) -> DataType {
    let all = |is: fn(&Value) -> bool| rows.iter().filter_map(|row| row.get(column)).all(|v| v.is_null() || is(v));
    let any = rows.iter().filter_map(|row| row.get(column)).any(|v| !v.is_null());
    match Sort::of(column) {
        Sort::Count => DataType::Int64,
        Sort::Number => DataType::Float64,
        Sort::Text => DataType::Utf8,
        Sort::Setting if any && all(Value::is_i64) => DataType::Int64,
        Sort::Setting if any && all(Value::is_number) => DataType::Float64,
        Sort::Setting if any && all(Value::is_boolean) => DataType::Boolean,
        Sort::Setting => DataType::Utf8,
    }
}

fn columns(names: &[String], rows: &[Row]) -> Schema {
    Schema::new(names.iter().map(|name| Field::new(name, kind(name, rows), true)).collect::<Vec<Field>>())
}

fn array(column: &str, of: &DataType, rows: &[Row]) -> ArrayRef {
    let values = || rows.iter().map(|row| row.get(column).filter(|v| !v.is_null()));
    let text = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_string);
    match of {
        DataType::Int64 => Arc::new(values().map(|v| v?.as_i64()).collect::<Int64Array>()),
        DataType::Float64 => Arc::new(values().map(|v| v?.as_f64()).collect::<Float64Array>()),
        DataType::Boolean => Arc::new(values().map(|v| v?.as_bool()).collect::<BooleanArray>()),
        _ => Arc::new(values().map(|v| v.map(text)).collect::<StringArray>()),
    }
}

fn wrong(why: ArrowError) -> PyErr {
    PyRuntimeError::new_err(why.to_string())
}

/// Returns the rows as a capsule with a stream of one batch.
pub fn stream<'py>(py: Python<'py>, names: &[String], rows: &[Row]) -> PyResult<Bound<'py, PyCapsule>> {
    let rows: Vec<Row> = rows.iter().map(|row| whole(names, row)).collect();
    let schema = Arc::new(columns(names, &rows));
    let arrays = schema.fields().iter().map(|field| array(field.name(), field.data_type(), &rows)).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(wrong)?;
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
}

/// Returns the columns as a capsule with a schema.
pub fn schema<'py>(py: Python<'py>, names: &[String], rows: &[Row]) -> PyResult<Bound<'py, PyCapsule>> {
    let rows: Vec<Row> = rows.iter().map(|row| whole(names, row)).collect();
    let schema = FFI_ArrowSchema::try_from(&columns(names, &rows)).map_err(wrong)?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}
