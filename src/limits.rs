//! Checks of the numbers that a question takes. A number that means nothing is an error, not another number.

use crate::{Effort, Error};
use grognard_base as base;
use grognard_stats::stats::Level;

/// Maximum number of threads that a question uses.
const MOST_THREADS: usize = 256;

/// Returns the number of threads to use.
pub(crate) fn threads(threads: usize) -> Result<usize, Error> {
    match threads {
        0 => Err(Error::input("the number of threads is 0", "use at least 1 thread")),
        threads => Ok(threads.min(MOST_THREADS)),
    }
}

/// Returns a number of runs, or of pairs of runs, of at most `most`.
pub(crate) fn runs(runs: u64, what: &str, most: u64) -> Result<u64, Error> {
    if (1..=most).contains(&runs) {
        return Ok(runs);
    }
    Err(Error::input(format!("the number of {what} is {runs}"), &format!("use 1 to {most} {what}")))
}

/// Returns the work of an exact answer.
pub(crate) fn effort(effort: Effort) -> Result<base::Effort, Error> {
    let most = base::Effort::MOST_STATES;
    Ok(match effort {
        Effort::Quick => base::Effort::Quick,
        Effort::Usual => base::Effort::Usual,
        Effort::Thorough => base::Effort::Thorough,
        Effort::States(states) if (1..=most).contains(&states) => base::Effort::Given(states),
        Effort::States(states) => {
            let message = format!("an effort of {states} states is out of range");
            return Err(Error::input(message, &format!("use 1 to {most} states")));
        }
    })
}

/// Checks a width of an interval or a margin, which must be a number above 0 and, for a share, below 1.
pub(crate) fn width(what: &str, width: f64, share: bool) -> Result<(), Error> {
    if width.is_finite() && width > 0.0 && !(share && width >= 1.0) {
        return Ok(());
    }
    let help = if share { "use a number between 0 and 1, such as 0.01" } else { "use a finite number above 0" };
    Err(Error::input(format!("{what} is {width}, which is out of range"), help))
}

/// Returns a confidence level in percent.
pub(crate) fn level(percent: &str) -> Result<Level, Error> {
    let wrong =
        || Error::input(format!("`{percent}` is not an available confidence level"), "use 90, 95, 99, 99.9 or 99.99");
    Level::of(percent).ok_or_else(wrong)
}
