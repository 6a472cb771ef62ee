//! The recorder: watches a run and stores its events in a form that is readable without the ruleset.
//!
//! Events are the only form of a trace: they hold values, and are written as JSON Lines. The human-readable text is
//! rendered only from events.

mod event;
mod jsonl;
mod lines;
mod text;
mod values;
mod watch;

pub use event::{Argument, Cut, Edge, Event, Refusal, ScopeSort, Slot, Until, VERSION, What};
pub use jsonl::{from_jsonl, to_jsonl};
pub use text::{TraceDetail, kept, render, render_each};

use grognard_base::value::plain::ShortText;
use grognard_base::value::*;
use grognard_base::{Sources, Span};
use grognard_vm::Game;

/// Maximum number of events in a trace. Later events are only counted.
pub const LIMIT: usize = 10_000;

/// Maximum size of a trace as JSON Lines, in bytes. Later events are only counted.
pub const MOST_BYTES: usize = 8 << 20;

/// Description of the run in the first line of a trace.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The command as typed, without the program name: `run orders-under-fire`.
    pub command: String,
    /// Source of the dice: `scripted`, `seed 1`.
    pub dice: String,
    /// Player and decision source, such as `blue` and `policy:Cautious`.
    pub players: Vec<(String, String)>,
}

/// A function that was entered and not left.
struct Open {
    func: FuncId,
    /// Its name; empty for a function that the trace omits.
    name: ShortText,
}

/// Records the events of a run.
pub struct Recorder<'a> {
    sources: Option<&'a Sources>,
    events: Vec<Event>,
    dropped: u64,
    /// Size of the stored events as JSON Lines, in bytes.
    bytes: usize,
    /// The error that ended a run after its trace was truncated, with its location.
    ended: Option<(What, ShortText)>,
    open: Vec<Open>,
    /// Rolls whose dice are summed.
    sums: Vec<SiteId>,
    held: u32,
    claimed: u32,
}

impl<'a> Recorder<'a> {
    /// Creates a recorder with the header event.
    pub fn new(game: &Game, about: &About, sources: Option<&'a Sources>) -> Self {
        let mut recorder = Recorder {
            sources,
            events: Vec::new(),
            dropped: 0,
            bytes: 0,
            ended: None,
            open: Vec::new(),
            sums: values::sums(&game.program),
            held: 0,
            claimed: 0,
        };
        recorder.bare(values::header(game, about));
        recorder
    }

    /// Returns the events, followed by a summary.
    pub fn finish(mut self) -> Vec<Event> {
        self.open.clear();
        let mut leaned: Vec<ShortText> = Vec::new();
        for event in &self.events {
            if let What::Leaned { reading, .. } = &event.what
                && !leaned.contains(reading)
            {
                leaned.push(reading.clone());
            }
        }
        if self.dropped > 0 {
            let count = self.dropped;
            self.append(What::Truncated { count }, &[], ShortText::default(), ShortText::default());
        }
        if let Some((what, at)) = self.ended.take() {
            self.append(what, &[], ShortText::default(), at);
        }
        let (held, claimed) = (self.held, self.claimed);
        self.append(What::Summary { held, claimed, leaned }, &[], ShortText::default(), ShortText::default());
        self.events
    }

    /// Returns the number of events so far, including those beyond the limit.
    pub fn seen(&self) -> u64 {
        self.events.len() as u64 + self.dropped
    }

    /// Records an event without a rule line.
    fn bare(&mut self, what: What) {
        self.push(what, &[], ShortText::default(), ShortText::default());
    }

    fn push(&mut self, what: What, clauses: &[String], variant: ShortText, at: ShortText) {
        if self.events.len() >= LIMIT || self.bytes >= MOST_BYTES {
            self.dropped += 1;
            return;
        }
        self.append(what, clauses, variant, at);
    }

    fn append(&mut self, what: What, clauses: &[String], variant: ShortText, at: ShortText) {
        let mut named = self.open.iter().filter(|o| !o.name.is_empty());
        let depth = named.clone().count() as u32;
        let rule = named.next_back().map_or_else(ShortText::default, |o| o.name.clone());
        let clauses = clauses.iter().map(ShortText::from).collect();
        let seq = self.events.len() as u64;
        let event = Event { v: VERSION, seq, what, depth, rule, clauses, variant, at };
        self.bytes += jsonl::size(&event);
        self.events.push(event);
    }

    /// Returns the file and line of a span: `warstrike/core.rules:120`.
    fn place(&self, span: Option<Span>) -> ShortText {
        let Some(span) = span else { return ShortText::default() };
        let place = self.sources.and_then(|sources| {
            let span = sources.origin(span);
            Some(ShortText::from(format_args!(
                "{}:{}",
                sources.get(span.file)?.name,
                sources.get(span.file)?.place(span.start).line
            )))
        });
        place.unwrap_or_default()
    }
}
