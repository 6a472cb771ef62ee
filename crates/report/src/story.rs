//! The story of a run: one line for each roll, decision, move and change of a figure that the book names.
//!
//! A story is rendered from the events of a trace, so a recorded trace has one too. Phases and actions with the thing
//! that acts are headings. Conditions, limits, lines that did nothing and bookkeeping are folded.

mod chance;
mod layout;
mod teller;
mod wording;

pub(crate) use wording::spoken;

use grognard_base::safe::clean;
use grognard_base::value::plain::ShortText;
use grognard_play::record::{Event, TraceDetail, What, render_each};
use serde_json::json;

/// A story as lines, with the events of each line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// The lines in order.
    pub lines: Vec<StoryLine>,
}

/// One entry of a story. A long entry wraps to several lines of text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoryLine {
    /// Kind of the line.
    pub sort: LineSort,
    /// The thing that acts, if the line is an event.
    pub who: String,
    /// Rolls, decisions and moves.
    pub text: String,
    /// Changes of named figures.
    pub changes: Vec<String>,
    /// Clauses in the margin.
    pub clauses: Vec<ShortText>,
    /// Whether a stand-in made the line, so that it is not the book's.
    pub stand_in: bool,
    /// Whether the line depends on a reading.
    pub reading: bool,
    /// Actions that the menu of the decision refused, with the reasons. Empty unless they are requested.
    pub refused: Vec<String>,
    /// Number of repetitions.
    pub times: usize,
    /// The `seq` of each event that the line shows.
    pub events: Vec<u64>,
}

impl StoryLine {
    /// Adds clauses that the line does not have.
    fn cite(&mut self, clauses: &[ShortText]) {
        for clause in clauses {
            if !self.clauses.contains(clause) {
                self.clauses.push(clause.clone());
            }
        }
    }

    /// Returns the line in one piece, without the margin: who acts, what happened, and what changed.
    pub fn words(&self) -> String {
        let parts = std::iter::once(self.text.trim()).chain(self.changes.iter().map(String::as_str));
        let said = layout::repeated(self, parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; "));
        match self.sort {
            LineSort::Event if !self.who.is_empty() => clean(&format!("{} {said}", self.who)),
            _ => clean(&said),
        }
    }

    /// Returns whether another line has the same text.
    fn repeats(&self, other: &StoryLine) -> bool {
        let same = StoryLine { times: self.times, events: self.events.clone(), ..other.clone() };
        *self == same && self.sort == LineSort::Event
    }
}

/// Kind of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineSort {
    /// Something that happened.
    #[default]
    Event,
    /// Phases and their arguments.
    Heading,
    /// The lines before and after the run, printed as they are.
    Plain,
}

impl Story {
    /// Returns the story of a trace.
    pub fn of(events: &[Event]) -> Story {
        teller::tell(events, false)
    }

    /// Returns the story of a trace with the actions that each menu refused.
    pub fn with_refusals(events: &[Event]) -> Story {
        teller::tell(events, true)
    }

    /// Returns the text, at most 100 columns wide where words allow it.
    pub fn text(&self) -> String {
        layout::texts(&self.lines, false).concat()
    }

    /// Returns the text with colors for a terminal.
    pub fn colored(&self) -> String {
        layout::texts(&self.lines, true).concat()
    }

    /// Returns the story as JSON Lines: one object for each line.
    pub fn jsonl(&self) -> String {
        let object = |line: &StoryLine| {
            let sort = match line.sort {
                LineSort::Event => "event",
                LineSort::Heading => "heading",
                LineSort::Plain => "plain",
            };
            let mut object = json!({
                "story": sort,
                "who": line.who,
                "text": line.text.trim(),
                "changes": line.changes,
                "clauses": line.clauses,
                "stand_in": line.stand_in,
                "reading": line.reading,
                "times": line.times + 1,
                "events": line.events,
            });
            if !line.refused.is_empty() {
                object["refused"] = json!(line.refused);
            }
            object
        };
        self.lines.iter().map(|line| format!("{}\n", object(line))).collect()
    }

    /// Returns the full trace that a line of the text stands for, or `None` if there is no such line. Lines count from 1. The
    /// traces of all lines together are the whole trace.
    pub fn unfolded(&self, events: &[Event], line: usize) -> Option<String> {
        let mut end = 0;
        let at = layout::texts(&self.lines, false).iter().position(|text| {
            end += text.lines().count();
            (1..=end).contains(&line)
        })?;
        // a line reaches from its first event to that of the next line; one without events stands for the same as the next
        let first = |line: &StoryLine| line.events.iter().min().copied();
        let starts: Vec<u64> = self.lines.iter().filter_map(first).collect();
        let before = self.lines[..at].iter().filter_map(first).count().min(starts.len().saturating_sub(1));
        let start = if before == 0 { 0 } else { starts[before] };
        let end = starts.get(before + 1).copied().unwrap_or(u64::MAX);
        let texts = render_each(events, TraceDetail::Full);
        let own = events.iter().zip(texts).filter(|(event, _)| (start..end).contains(&event.seq));
        Some(own.map(|(_, text)| text).collect())
    }
}

/// Returns whether a story shows an event: a roll with dice, a draw, a decision with more than one entry, a move, a change
/// of a named figure, or a thing that enters or leaves play.
pub fn is_told(event: &Event) -> bool {
    match &event.what {
        What::Roll { dice, .. } => !dice.is_empty(),
        What::Draw { among, .. } => !among.is_empty(),
        What::Decision { source, menu, .. } => !source.is_empty() && menu.len() > 1,
        What::Write { slot, before, after, .. } | What::Expired { slot, before, after } => {
            slot.named && before != after
        }
        What::Gain { named, .. } | What::Lose { named, .. } => *named,
        What::Turned { before, after, .. } => before != after,
        What::Moved { before, after, .. } => before != after,
        What::Destroyed { .. } | What::Spawned { .. } | What::Merged { .. } => true,
        _ => false,
    }
}
