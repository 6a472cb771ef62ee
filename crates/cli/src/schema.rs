//! `grognard schema`: prints the JSON Schema of a file type, for editors.

use super::FINE;
use super::out::{Out, Product, Stop};
use clap::ValueEnum;
use grognard_ide::schemas;

/// The arguments of `grognard schema`.
#[derive(clap::Args)]
pub struct SchemaArgs {
    /// File type
    #[arg(value_enum)]
    file: FileType,
}

#[derive(Clone, Copy, ValueEnum)]
enum FileType {
    /// A scenario
    Scenario,
    /// The project file `grognard.toml`
    Project,
    /// A register of clauses, `clauses.toml`
    Clauses,
}

/// Prints the JSON Schema of the given file type.
pub fn run(args: &SchemaArgs, out: &mut Out) -> Result<u8, Stop> {
    let schema = match args.file {
        FileType::Scenario => schemas::scenario(),
        FileType::Project => schemas::project(),
        FileType::Clauses => schemas::clauses(),
    };
    out.product(&Product::new(format!("{schema:#}\n")))?;
    Ok(FINE)
}
