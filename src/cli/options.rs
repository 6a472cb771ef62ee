//! Options that several commands share, with one meaning and one text.

use super::mode::MOST_SEED;
use super::progress::threads;
use clap::ValueEnum;

/// A seed in place of that of the scenario.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct Seed {
    /// Another seed.
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: Option<u64>,
}

/// How many threads work.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct Threads {
    /// Threads; results do not hang on it. Without it, one for each core.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Option<u64>,
}

impl Threads {
    /// As many as are asked for, or as there are cores.
    pub fn count(self) -> usize {
        threads(self.threads.and_then(|n| usize::try_from(n).ok()))
    }
}

/// For people or for programs.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Told {
    /// How it is told.
    #[arg(long = "format", id = "format", value_name = "FORMAT", value_enum, default_value_t = Form::Human)]
    pub form: Form,
}

/// For people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// In words.
    Human,
    /// One JSON document.
    Json,
}
