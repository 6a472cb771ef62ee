//! Writes the rows of a sweep as Parquet: a typed column for each column of the rows, in one row group.

use super::{Row, Value, table};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::sync::Arc;

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnSort {
    Count,
    Whole,
    Number,
    Flag,
    Text,
}

impl ColumnSort {
    /// Returns the type of a column. A fixed column always has the same type, and other columns have the type of their values.
    fn of(column: &str, rows: &[Row]) -> ColumnSort {
        let all = |is: fn(&Value) -> bool| rows.iter().filter_map(|row| row.get(column)).all(|v| v.is_null() || is(v));
        let any = rows.iter().filter_map(|row| row.get(column)).any(|v| !v.is_null());
        match () {
            () if table::Sort::of(column) == table::Sort::Count => ColumnSort::Count,
            () if table::Sort::of(column) == table::Sort::Number => ColumnSort::Number,
            () if table::Sort::of(column) == table::Sort::Text => ColumnSort::Text,
            () if any && all(Value::is_i64) => ColumnSort::Whole,
            () if any && all(Value::is_number) => ColumnSort::Number,
            () if any && all(Value::is_boolean) => ColumnSort::Flag,
            () => ColumnSort::Text,
        }
    }

    fn column(self, name: &str) -> Result<Type, ParquetError> {
        let (physical, logical) = match self {
            ColumnSort::Count => (Physical::INT64, Some(LogicalType::integer(64, false))),
            ColumnSort::Whole => (Physical::INT64, None),
            ColumnSort::Number => (Physical::DOUBLE, None),
            ColumnSort::Flag => (Physical::BOOLEAN, None),
            ColumnSort::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        builder.with_logical_type(logical).build()
    }

    /// Writes the values of a column.
    fn write(self, column: &str, rows: &[Row], to: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let values = || rows.iter().map(|row| row.get(column).filter(|v| !v.is_null()));
        let text =
            |value: &Value| ByteArray::from(value.as_str().map_or_else(|| value.to_string(), str::to_string).as_str());
        match self {
            // the bits of an unsigned number
            ColumnSort::Count => put::<Int64Type>(to, values().map(|v| v?.as_u64().map(|n| n as i64))),
            ColumnSort::Whole => put::<Int64Type>(to, values().map(|v| v?.as_i64())),
            ColumnSort::Number => put::<DoubleType>(to, values().map(|v| v?.as_f64())),
            ColumnSort::Flag => put::<BoolType>(to, values().map(|v| v?.as_bool())),
            ColumnSort::Text => put::<ByteArrayType>(to, values().map(|v| v.map(text))),
        }
    }
}

fn put<T: DataType>(
    to: &mut SerializedColumnWriter<'_>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let values: Vec<Option<T::T>> = values.collect();
    let levels: Vec<i16> = values.iter().map(|v| i16::from(v.is_some())).collect();
    let there: Vec<T::T> = values.into_iter().flatten().collect();
    to.typed::<T>().write_batch(&there, Some(&levels), None).map(drop)
}

/// Returns a Parquet file with these rows.
///
/// # Errors
///
/// Returns the message of the writer if it rejects the columns or rows.
pub fn parquet(columns: &[String], rows: &[Row]) -> Result<Vec<u8>, String> {
    write(columns, rows).map_err(|why| why.to_string())
}

fn write(columns: &[String], rows: &[Row]) -> Result<Vec<u8>, ParquetError> {
    let rows: Vec<Row> = rows.iter().map(|row| table::whole(columns, row)).collect();
    let rows = rows.as_slice();
    let sorts: Vec<ColumnSort> = columns.iter().map(|column| ColumnSort::of(column, rows)).collect();
    let types = columns.iter().zip(&sorts).map(|(column, sort)| sort.column(column).map(Arc::new));
    let fields = types.collect::<Result<Vec<Arc<Type>>, ParquetError>>()?;
    let schema = Arc::new(Type::group_type_builder("sweep").with_fields(fields).build()?);
    let properties = WriterProperties::builder().set_compression(Compression::UNCOMPRESSED).build();
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for (column, sort) in columns.iter().zip(&sorts) {
        let Some(mut writer) = group.next_column()? else { break };
        sort.write(column, rows, &mut writer)?;
        writer.close()?;
    }
    group.close()?;
    file.close()?;
    Ok(bytes)
}
