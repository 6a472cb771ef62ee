//! The trace of a run and the parts of its events.

use crate::Error;
use grognard_play::record::{TraceDetail, from_jsonl, render, to_jsonl};
#[cfg(feature = "report")]
use grognard_report::story::Story;
use std::fmt;

pub use grognard_base::value::plain::{Bit, Measure, Need, NeedOf, Words};
pub use grognard_play::record::What as EventKind;
pub use grognard_play::record::{Argument, Cut, Edge, Event, Refusal, ScopeSort, Slot, Until};
pub use grognard_vm::{Hindrance, Remark};

/// The events of a run: rolls, decisions, changes, conditions and the lines of the rules that caused them.
///
/// [`Display`](fmt::Display) prints the trace as `grognard run --trace full` does. Events have names and values, so that
/// a program can read a trace without the rules.
///
/// ```
/// use grognard::{EventKind, Folder, Scenario, Trace};
///
/// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
/// let played = scenario.run().play()?;
/// let rolls = played.trace().events().iter().filter(|event| matches!(event.what, EventKind::Roll { .. }));
/// assert_eq!(rolls.count(), 2);
///
/// let lines = played.trace().to_jsonl();
/// assert_eq!(Trace::from_jsonl(&lines)?.to_string(), played.trace().to_string());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace(Vec<Event>);

impl Trace {
    /// Returns the events in order.
    pub fn events(&self) -> &[Event] {
        &self.0
    }

    /// Returns the trace without the conditions and values in between, as `grognard run` prints it.
    pub fn brief(&self) -> String {
        render(&self.0, TraceDetail::Brief)
    }

    /// Returns the story of the run, as `grognard run --trace story` prints it: one line for each roll, decision, move and
    /// change of a figure that the book names.
    ///
    /// ```
    /// use grognard::{Folder, Scenario};
    ///
    /// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
    /// let story = scenario.run().play()?.trace().story();
    /// assert!(story.contains("aim 10 of d6: 5 6 2 5 1 5 4 2 1 6"));
    /// assert!(story.contains("raiders men 6 -> 4"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "report")]
    pub fn story(&self) -> String {
        Story::of(&self.0).text()
    }

    /// Returns the trace as JSON Lines, one event a line. `docs/trace.schema.json` describes it.
    pub fn to_jsonl(&self) -> String {
        to_jsonl(&self.0)
    }

    /// Reads a trace from JSON Lines. A byte order mark is skipped. Events can be missing between others.
    ///
    /// # Errors
    ///
    /// If a line is not an event, has an unknown key or another version of the form, or the events are not in order.
    pub fn from_jsonl(text: &str) -> Result<Trace, Error> {
        let wrong = |(line, why): (usize, String)| {
            let help = "use lines that `Trace::to_jsonl` or `grognard run --format jsonl` wrote";
            Error::input(format!("line {line} is not an event of a trace: {why}"), help)
        };
        from_jsonl(text).map(Trace).map_err(wrong)
    }

    pub(crate) fn of(events: Vec<Event>) -> Trace {
        Trace(events)
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render(&self.0, TraceDetail::Full))
    }
}
