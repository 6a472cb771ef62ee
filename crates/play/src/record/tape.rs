//! The events of a recorder as a value: it can be copied, wound back to an earlier point, and continued.

use super::{Event, LIMIT, MOST_BYTES, VERSION, What, jsonl, size};
use grognard_base::value::FuncId;
use grognard_base::value::SiteId;
use grognard_base::value::plain::ShortText;
use std::sync::Arc;

/// The events of a run so far. A copy shares them until one of both grows.
#[derive(Clone, Default)]
pub(crate) struct Tape {
    events: Arc<Vec<Event>>,
    /// Number of events at the end that only close the trace.
    closing: usize,
    pub(super) counts: Counts,
}

/// State of a recorder besides its events.
#[derive(Clone, Default)]
pub(super) struct Counts {
    pub dropped: u64,
    /// Size of the first `counted` events as JSON Lines, in bytes.
    bytes: usize,
    counted: usize,
    /// Upper bound of the size of the other events.
    uncounted: usize,
    /// The error that ended a run after its trace was truncated, with its location.
    pub ended: Option<(What, ShortText)>,
    pub open: Vec<Open>,
    /// Rolls whose dice are summed.
    pub sums: Vec<SiteId>,
    pub held: u32,
    pub claimed: u32,
}

/// A function that was entered and not left.
#[derive(Clone)]
pub(super) struct Open {
    pub func: FuncId,
    /// Its name; empty for a function that the trace omits.
    pub name: ShortText,
}

/// A point of a tape.
#[derive(Clone)]
pub(crate) struct TapeMark {
    events: usize,
    counts: Counts,
}

impl Tape {
    /// Creates a tape without events.
    pub(super) fn new(sums: Vec<SiteId>) -> Tape {
        Tape { counts: Counts { sums, ..Counts::default() }, ..Tape::default() }
    }

    /// Returns the events so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    pub(super) fn events_mut(&mut self) -> &mut Vec<Event> {
        Arc::make_mut(&mut self.events)
    }

    /// Returns the number of events so far, including those beyond the limit.
    pub(super) fn seen(&self) -> u64 {
        self.events.len() as u64 + self.counts.dropped
    }

    /// Returns whether further events are only counted.
    pub(super) fn is_full(&mut self) -> bool {
        let counts = &mut self.counts;
        if counts.bytes + counts.uncounted >= MOST_BYTES {
            counts.bytes += self.events[counts.counted..].iter().map(jsonl::size).sum::<usize>();
            (counts.counted, counts.uncounted) = (self.events.len(), 0);
        }
        self.events.len() >= LIMIT || counts.bytes >= MOST_BYTES
    }

    pub(super) fn append(&mut self, what: What, clauses: &[String], variant: ShortText, at: ShortText) {
        let mut named = self.counts.open.iter().filter(|o| !o.name.is_empty());
        let depth = named.clone().count() as u32;
        let rule = named.next_back().map_or_else(ShortText::default, |o| o.name.clone());
        let clauses = clauses.iter().map(ShortText::from).collect();
        let seq = self.events.len() as u64;
        let event = Event { v: VERSION, seq, what, depth, rule, clauses, variant, at };
        let size = size::at_most(&event);
        debug_assert!(size >= jsonl::size(&event), "{event:?}");
        self.counts.uncounted += size;
        self.events_mut().push(event);
    }

    /// Appends the events that close the trace: the number of missing events and, if the run is over, its end.
    pub fn close(&mut self, over: bool) {
        let before = self.events.len();
        let kept = self.counts.clone();
        self.counts.open.clear();
        let mut close = |what, at| self.append(what, &[], ShortText::default(), at);
        if kept.dropped > 0 {
            close(What::Truncated { count: kept.dropped }, ShortText::default());
        }
        if let Some((what, at)) = kept.ended.clone() {
            close(what, at);
        }
        if over {
            let summary = What::Summary { held: kept.held, claimed: kept.claimed, leaned: self.leaned() };
            self.append(summary, &[], ShortText::default(), ShortText::default());
        }
        (self.closing, self.counts) = (self.events.len() - before, kept);
    }

    /// Removes the events that only close the trace.
    pub fn open(&mut self) {
        if self.closing > 0 {
            let kept = self.events.len() - self.closing;
            self.events_mut().truncate(kept);
            self.closing = 0;
        }
    }

    /// Returns the events, followed by a summary.
    pub(super) fn finish(mut self) -> Vec<Event> {
        self.close(true);
        Arc::unwrap_or_clone(self.events)
    }

    /// Returns the readings that results depended on.
    fn leaned(&self) -> Vec<ShortText> {
        let mut leaned: Vec<ShortText> = Vec::new();
        for event in self.events.iter() {
            if let What::Leaned { reading, .. } = &event.what
                && !leaned.contains(reading)
            {
                leaned.push(reading.clone());
            }
        }
        leaned
    }

    /// Returns the current point of the tape, for [`Tape::back_to`].
    pub fn mark(&self) -> TapeMark {
        TapeMark { events: self.events.len() - self.closing, counts: self.counts.clone() }
    }

    /// Winds the tape back to a point.
    pub fn back_to(&mut self, mark: &TapeMark) {
        self.events_mut().truncate(mark.events);
        (self.closing, self.counts) = (0, mark.counts.clone());
    }
}
