//! `grognard explain`: the page of a diagnostic code, or the list of all.

use super::FINE;
use super::out::{Out, Stop};
use grognard_base::Code;
use grognard_report as report;

/// What to explain.
#[derive(clap::Args)]
pub struct ExplainArgs {
    /// A code such as R0201, or a message that begins with it; all are listed if none is given.
    code: Vec<String>,
}

/// Explains.
pub fn run(args: &ExplainArgs, out: &mut Out) -> Result<u8, Stop> {
    let id = args.code.join(" ");
    if id.trim().is_empty() {
        for code in Code::ALL {
            out.line(&format!("{}  {}", code.id(), code.title()))?;
        }
        return Ok(FINE);
    }
    let parts = id.split(|c: char| !c.is_ascii_alphanumeric());
    let Some(code) = parts.into_iter().find_map(Code::of) else {
        return Err(Stop::failed(format!("there is no code `{id}`; {}", nearest(&id))));
    };
    out.line(report::explain(code).trim_end())?;
    Ok(FINE)
}

/// The codes that are nearest to what is none: those of its subject, or where all of them lie.
fn nearest(id: &str) -> String {
    let all = || Code::ALL.iter().map(|code| code.id());
    let subject = id.to_uppercase().get(..3).unwrap_or_default().to_string();
    let (known, those) = match all().any(|code| code.starts_with(&subject)) && !subject.is_empty() {
        true => (subject.as_str(), "those of this subject"),
        false => ("R", "codes"),
    };
    let mut of = all().filter(|code| code.starts_with(known));
    let first = of.next().unwrap_or_default();
    format!("{those} go from {first} to {}; `grognard explain` lists all", of.next_back().unwrap_or(first))
}
