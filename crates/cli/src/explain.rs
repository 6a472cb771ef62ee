//! `grognard explain`: prints the page of a diagnostic code, or lists all codes.

use super::FINE;
use super::out::{Out, Stop};
use grognard_base::Code;
use grognard_report as report;

/// The arguments of `grognard explain`.
#[derive(clap::Args)]
pub struct ExplainArgs {
    /// Code such as R0201, or a whole message [default: list all]
    code: Vec<String>,
}

/// Prints the page, or the list of codes.
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
        return Err(Stop::failed(format!("`{id}` is not a code; {}", nearest(&id))));
    };
    out.paged()?;
    out.line(report::explain(code).trim_end())?;
    Ok(FINE)
}

/// Returns a help text for an unknown code: the range of the codes of its subject, or of all codes.
fn nearest(id: &str) -> String {
    let all = || Code::ALL.iter().map(|code| code.id());
    let subject = id.to_uppercase().get(..3).unwrap_or_default().to_string();
    let (known, those) = match all().any(|code| code.starts_with(&subject)) && !subject.is_empty() {
        true => (subject.as_str(), "the codes of this subject"),
        false => ("R", "the codes"),
    };
    let mut of = all().filter(|code| code.starts_with(known));
    let first = of.next().unwrap_or_default();
    format!("{those} go from {first} to {}; `grognard explain` lists all", of.next_back().unwrap_or(first))
}
