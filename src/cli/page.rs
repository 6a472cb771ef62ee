//! Reports to look at, as `--report` writes them.

use super::files::put;
use super::out::{Out, Stop};
use super::receipt;
use crate::report::page::{Block, Page};
use std::path::{Path, PathBuf};

/// Where a report goes.
#[derive(clap::Args)]
pub struct File {
    /// Also writes a report to look at: one HTML file with plots and tables.
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

impl File {
    /// Says before long work that the report could not be written after it.
    pub fn ready(&self) -> Result<(), Stop> {
        let Some(path) = &self.report else { return Ok(()) };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(Stop::failed(format!(
                "{} cannot be written: there is no folder {}",
                path.display(),
                folder.display()
            )));
        }
        if path.is_dir() {
            return Err(Stop::failed(format!("{} is a folder; name a file for the report", path.display())));
        }
        Ok(())
    }

    /// Writes the page, if one was asked for, with a receipt of what was noted so far below it.
    pub fn put(&self, out: &Out, page: impl FnOnce() -> Page) -> Result<(), Stop> {
        let Some(path) = &self.report else { return Ok(()) };
        let mut page = page();
        page.add(Block::Receipt(receipt::shown(out)?));
        put(path, page.html())
    }
}
