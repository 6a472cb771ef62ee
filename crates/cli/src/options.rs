//! Options that several commands share, with one meaning and one text each.

use super::mode::MOST_SEED;
use super::progress::threads;
use clap::ValueEnum;
use std::path::PathBuf;

/// The option for a seed that replaces the seed of the scenario.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct Seed {
    /// Seed for dice that are not given
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: Option<u64>,
}

/// The option for the number of threads.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct Threads {
    /// Number of threads; results do not depend on it
    ///
    /// The default is one thread per core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Option<u64>,
}

impl Threads {
    /// Returns the given number of threads, or the number of cores.
    pub fn count(self) -> usize {
        threads(self.threads.and_then(|n| usize::try_from(n).ok()))
    }
}

/// The option for a receipt, for commands whose results depend only on files and settings.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct ReceiptFile {
    /// Write a receipt that `grognard replay` can rerun
    #[arg(long, value_name = "FILE")]
    pub receipt: Option<PathBuf>,
}

/// The option for the format of a result that is text, JSON or a table.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct FormatArg {
    /// Output format
    #[arg(long = "format", id = "format", value_name = "FORMAT", value_enum, default_value_t = Form::Human)]
    pub form: Form,
}

/// The format of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Human-readable text
    Human,
    /// One JSON document
    Json,
    /// One row per entry of the list in the JSON document
    Csv,
}
