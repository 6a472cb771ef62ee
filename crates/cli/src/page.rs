//! The HTML reports that `--report` writes.

use super::out::{Out, Stop};
use super::outputs::{put, ready};
use super::receipt;
use grognard_report::finding::{Block, Finding};
use std::path::PathBuf;

/// The option for the file of a report.
#[derive(clap::Args)]
pub struct ReportFile {
    /// Write an HTML report with plots and tables
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

impl ReportFile {
    /// Returns whether a report was requested.
    pub fn wanted(&self) -> bool {
        self.report.is_some()
    }

    /// Fails before long work if the report could not be written after it.
    pub fn ready(&self) -> Result<(), Stop> {
        self.report.as_deref().map_or(Ok(()), ready)
    }

    /// Writes the report, if one was requested, with the facts that were noted so far as a receipt at its end.
    pub fn put(&self, out: &Out, page: impl FnOnce() -> Finding) -> Result<(), Stop> {
        let Some(path) = &self.report else { return Ok(()) };
        let mut page = page();
        page.add(Block::Receipt(receipt::shown(out)?));
        put(path, page.html())
    }
}
