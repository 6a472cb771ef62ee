//! `grognard explain`: the page of a diagnostic code, or the list of all.

use super::FINE;
use super::out::{Out, Stop};
use crate::base::{Code, did_you_mean};
use crate::report;

/// What to explain.
#[derive(clap::Args)]
pub struct Args {
    /// A code such as R0201; all are listed if none is given.
    code: Option<String>,
}

/// Explains.
pub fn run(args: &Args, out: &mut Out) -> Result<u8, Stop> {
    let Some(id) = &args.code else {
        for code in Code::ALL {
            out.line(&format!("{}  {}", code.id(), code.title()))?;
        }
        return Ok(FINE);
    };
    let Some(code) = Code::of(id) else {
        let near = did_you_mean(&id.to_uppercase(), Code::ALL.iter().map(|c| c.id()));
        return Err(Stop::failed(format!("there is no code `{id}`{near}")));
    };
    out.line(report::explain(code).trim_end())?;
    Ok(FINE)
}
