//! The recorder: watches a run and stores its events in a form that is readable without the ruleset.
//!
//! Events are the only form of a trace: they hold values, and are written as JSON Lines. The human-readable text is
//! rendered only from events.

mod event;
mod jsonl;
mod lines;
mod size;
mod tape;
mod text;
mod values;
mod watch;

pub use event::{Argument, Cut, Edge, Event, Refusal, ScopeSort, Slot, Until, VERSION, What};
pub use jsonl::{from_jsonl, to_jsonl};
pub(crate) use tape::{Tape, TapeMark};
pub use text::{TraceDetail, kept, render, render_each, roll};

use grognard_base::value::plain::ShortText;
use grognard_base::{Sources, Span};
use grognard_scenario::{Answerer, Scenario};
use grognard_vm::{Die, Game, Thrown};
use rustc_hash::FxHashMap;

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

impl About {
    /// Describes a run of a scenario: its seed, if it has another than the scenario, and its number in a sample.
    pub fn of(name: &str, scenario: &Scenario, seed: Option<u64>, number: Option<u64>) -> About {
        let plan = &scenario.plan;
        let seed = seed.unwrap_or(plan.seed);
        let given = if number.is_some() { plan.fixed_dice() } else { &plan.dice };
        let number = number.map_or(String::new(), |number| format!(" run {number}"));
        let dice = if given.is_empty() { format!("seed {seed}{number}") } else { "scripted".to_string() };
        let word = |who: &Answerer| who.word(&scenario.rules);
        let words = |list: &[Answerer]| list.iter().map(word).collect::<Vec<_>>().join(", ");
        let players = plan.players.iter().map(|(who, list)| (scenario.game.packed_name(*who), words(list)));
        About { command: format!("run {name}"), dice, players: players.collect() }
    }
}

/// Records the events of a run.
pub struct Recorder<'a> {
    sources: Option<&'a Sources>,
    tape: Tape,
    /// Texts of the locations and dice so far. Most events repeat them.
    places: FxHashMap<Span, ShortText>,
    dice: FxHashMap<Die, ShortText>,
}

impl<'a> Recorder<'a> {
    /// Creates a recorder with the header event.
    pub fn new(game: &Game, about: &About, sources: Option<&'a Sources>) -> Self {
        let mut recorder = Recorder::resumed(Tape::new(values::sums(&game.program)), sources);
        recorder.bare(values::header(game, about));
        recorder
    }

    /// Creates a recorder that continues a tape.
    pub(crate) fn resumed(tape: Tape, sources: Option<&'a Sources>) -> Self {
        Recorder { sources, tape, places: FxHashMap::default(), dice: FxHashMap::default() }
    }

    /// Returns the events so far, to continue later.
    pub(crate) fn suspend(self) -> Tape {
        self.tape
    }

    /// Returns the events, followed by a summary.
    pub fn finish(self) -> Vec<Event> {
        self.tape.finish()
    }

    /// Returns the number of events so far, including those beyond the limit.
    pub fn seen(&self) -> u64 {
        self.tape.seen()
    }

    /// Records an event without a rule line.
    fn bare(&mut self, what: What) {
        self.push(what, &[], ShortText::default(), ShortText::default());
    }

    fn push(&mut self, what: What, clauses: &[String], variant: ShortText, at: ShortText) {
        if self.tape.is_full() {
            self.tape.counts.dropped += 1;
            return;
        }
        self.tape.append(what, clauses, variant, at);
    }

    /// Returns the file and line of a span: `warstrike/core.rules:120`.
    fn place(&mut self, span: Option<Span>) -> ShortText {
        let (Some(span), Some(sources)) = (span, self.sources) else { return ShortText::default() };
        let place = || {
            let span = sources.origin(span);
            let source = sources.get(span.file)?;
            Some(ShortText::from(format_args!("{}:{}", source.name, source.place(span.start).line)))
        };
        self.places.entry(span).or_insert_with(|| place().unwrap_or_default()).clone()
    }

    /// Returns the names of the dice of a roll, one for each die.
    fn dice(&mut self, game: &Game, thrown: &Thrown<'_>) -> Vec<ShortText> {
        let mut name = |die| self.dice.entry(die).or_insert_with(|| values::die(game, die)).clone();
        match *thrown {
            Thrown::Same(die, count) => vec![name(die); count],
            Thrown::Each(dice) => dice.iter().copied().map(name).collect(),
        }
    }
}
