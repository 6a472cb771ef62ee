//! The file with the rows of a sweep that `--out` writes.

use super::super::out::Stop;
use super::super::outputs::{put, ready};
use grognard_report::sweep::{self as rendered, Row};
use std::path::PathBuf;

/// The option for the file.
#[derive(clap::Args)]
pub struct Rows {
    /// Write rows to a .csv, .jsonl or .parquet file
    ///
    /// Parquet requires a build with `--features parquet`.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Rows {
    /// Fails before long work if the rows could not be written after it.
    pub fn ready(&self) -> Result<(), Stop> {
        let Some(path) = &self.out else { return Ok(()) };
        match self.ending() {
            None | Some("csv" | "jsonl") => ready(path),
            Some("parquet") if cfg!(feature = "parquet") => ready(path),
            Some("parquet") => Err(Stop::failed(
                "this program was built without Parquet; build it with `cargo build --release --features parquet`, or use a \
                 .csv or .jsonl file",
            )),
            Some(_) => Err(Stop::failed("the file of `--out` must end with .csv, .jsonl or .parquet")),
        }
    }

    fn ending(&self) -> Option<&str> {
        self.out.as_ref().map(|path| path.extension().and_then(|e| e.to_str()).unwrap_or_default())
    }

    /// Writes the rows, if that was requested.
    pub fn put(&self, columns: &[String], rows: &[Row]) -> Result<(), Stop> {
        let Some(path) = &self.out else { return Ok(()) };
        match self.ending() {
            Some("csv") => put(path, rendered::csv(columns, rows)),
            Some("jsonl") => put(path, rendered::jsonl(columns, rows)),
            #[cfg(feature = "parquet")]
            _ => {
                let failed = |why| Stop::failed(format!("{} cannot be written: {why}", path.display()));
                put(path, rendered::parquet(columns, rows).map_err(failed)?)
            }
            #[cfg(not(feature = "parquet"))]
            _ => self.ready(),
        }
    }
}
