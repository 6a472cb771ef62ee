//! Reports to look at, as `--report` writes them.

use super::out::{Out, Stop};
use super::outputs::{put, ready};
use super::receipt;
use grognard_report::finding::{Block, Finding};
use std::path::PathBuf;

/// Where a report goes.
#[derive(clap::Args)]
pub struct ReportFile {
    /// Also writes a report to look at: one HTML file with plots and tables.
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

impl ReportFile {
    /// True if there is to be one.
    pub fn wanted(&self) -> bool {
        self.report.is_some()
    }

    /// Says before long work that the report could not be written after it.
    pub fn ready(&self) -> Result<(), Stop> {
        self.report.as_deref().map_or(Ok(()), ready)
    }

    /// Writes the page, if one was asked for, with a receipt of what was noted so far below it.
    pub fn put(&self, out: &Out, page: impl FnOnce() -> Finding) -> Result<(), Stop> {
        let Some(path) = &self.report else { return Ok(()) };
        let mut page = page();
        page.add(Block::Receipt(receipt::shown(out)?));
        put(path, page.html())
    }
}
