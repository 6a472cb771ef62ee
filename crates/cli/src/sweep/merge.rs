//! `grognard merge`: merges the journals of a sharded sweep.

use super::super::FOUND;
use super::super::files::read_journal;
use super::super::out::{Out, Stop};
use super::journal::{self, Journal};
use super::{SideFiles, SweepForm, tell};
use grognard_base::Sources;
use std::path::PathBuf;

/// The arguments of `grognard merge`.
#[derive(clap::Args)]
pub struct MergeArgs {
    /// Journals of the shards of one sweep, in any order
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = SweepForm::Human)]
    format: SweepForm,
    #[command(flatten)]
    out: super::rows::Rows,
    #[command(flatten)]
    page: super::page::ReportFile,
}

/// Merges the journals and prints the rows. The exit code is 3 if points are missing.
pub fn run(args: &MergeArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, SweepForm::Human);
    args.page.ready()?;
    args.out.ready()?;
    let mut sources = Sources::default();
    let mut whole: Option<Journal> = None;
    for path in &args.journals {
        let text = read_journal(path)?;
        let found = journal::read(path, &text, &mut sources).and_then(|(part, damaged)| {
            journal::remark(path, damaged, "they are ignored");
            if part.header().columns == crate::mutants::COLUMNS {
                let why = "this is a journal of `mutants`, which cannot be merged".to_string();
                return Err(journal::bad(path, &text, why, &mut sources));
            }
            match &mut whole {
                None => {
                    whole = Some(part);
                    Ok(())
                }
                Some(whole) => whole.join(part).map_err(|why| journal::bad(path, &text, why, &mut sources)),
            }
        });
        found.map_err(|found| Stop::found(&sources, FOUND)(vec![found]))?;
    }
    let Some(whole) = whole else { return Err(Stop::failed("no journal given")) };
    whole.header().note(out)?;
    let all: Vec<u64> = (0..whole.header().points).collect();
    tell(&whole, &all, args.format, SideFiles { rows: &args.out, page: &args.page }, out)
}
