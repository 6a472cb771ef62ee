//! The methods of every result: JSON, CSV, HTML, Arrow, a display in notebooks, a plot.

use pyo3::prelude::*;

/// A frame for a page of HTML in a notebook. It is as high as its content.
pub fn framed(html: &str) -> String {
    let text = html.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<iframe srcdoc=\"{text}\" style=\"width:100%;height:320px;border:0\" \
         onload=\"this.style.height=this.contentDocument.documentElement.scrollHeight+'px'\"></iframe>"
    )
}

/// Returns a list of expressions: one text, several, or none.
pub fn texts(given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    match given {
        None => Ok(Vec::new()),
        Some(one) if one.is_instance_of::<pyo3::types::PyString>() => Ok(vec![one.extract()?]),
        Some(all) => all.extract(),
    }
}

/// Adds the methods of a result to a class with a function `report`.
macro_rules! reported {
    ($class:ident, $name:literal) => {
        #[pyo3::pymethods]
        impl $class {
            /// Returns the result as JSON: the bytes that the command line prints with `--format json`.
            fn json(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<String> {
                crate::error::calm(py, || Ok(self.report().to_json()))
            }

            /// Returns the numbers as CSV, as the command line prints them with `--format csv`.
            fn csv(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<String> {
                crate::error::calm(py, || Ok(self.report().to_csv()))
            }

            /// Returns the result as a page of HTML that needs no other file.
            fn html(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<String> {
                crate::error::calm(py, || Ok(self.report().to_html()))
            }

            /// Returns a plot of the result, which needs the package Altair.
            fn plot<'py>(slf: &pyo3::Bound<'py, Self>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                use pyo3::prelude::*;
                slf.py().import("grognard._plot")?.call_method1($name, (slf,))
            }

            fn __str__(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<String> {
                crate::error::calm(py, || Ok(self.report().to_string().trim_end().to_string()))
            }

            fn _repr_html_(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<String> {
                crate::error::calm(py, || Ok(crate::reports::framed(&self.report().to_html())))
            }

            /// Returns the table as an Arrow stream, for pandas, Polars, DuckDB and PyArrow.
            #[pyo3(signature = (requested_schema = None))]
            fn __arrow_c_stream__<'py>(
                &self,
                py: pyo3::Python<'py>,
                requested_schema: Option<pyo3::Bound<'py, pyo3::PyAny>>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyCapsule>> {
                let _ = requested_schema;
                let finding = self.report();
                let finding = finding.finding();
                crate::arrow::stream(py, &finding.columns, &finding.rows)
            }

            /// Returns the columns of the table as an Arrow schema.
            fn __arrow_c_schema__<'py>(
                &self,
                py: pyo3::Python<'py>,
            ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyCapsule>> {
                let finding = self.report();
                let finding = finding.finding();
                crate::arrow::schema(py, &finding.columns, &finding.rows)
            }
        }
    };
}
pub(crate) use reported;
