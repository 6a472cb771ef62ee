//! Events of a trace: names instead of ids, and values. Words are made of them where they are shown; `trace.schema.json`
//! in the documentation describes their form in JSON.

#![allow(missing_docs)] // parts of an event are told of where the event is

use grognard_base::value::plain::{Measure, ShortText, Value, Words};
use grognard_vm::{Hindrance, Remark};
use serde::Serialize;

/// The version of the form.
pub const VERSION: u32 = 2;

/// One event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// Version of the form.
    pub v: u32,
    /// Its number, from 0.
    pub seq: u64,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
    /// How many functions it happened in.
    #[serde(skip_serializing_if = "is_default")]
    pub depth: u32,
    /// The innermost of them.
    #[serde(skip_serializing_if = "is_default")]
    pub rule: ShortText,
    /// Clauses cited for it.
    #[serde(skip_serializing_if = "is_default")]
    pub clauses: Vec<ShortText>,
    /// The variant that changed the item.
    #[serde(skip_serializing_if = "is_default")]
    pub variant: ShortText,
    /// File and line.
    #[serde(skip_serializing_if = "is_default")]
    pub at: ShortText,
}

fn is_default<T: Default + PartialEq>(part: &T) -> bool {
    *part == T::default()
}

/// What was entered or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ScopeSort {
    Phase,
    Action,
    Rule,
    Test,
    Proc,
    Event,
}

/// A parameter. That of a thing, or of one that is missing, needs no name beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Argument {
    pub name: ShortText,
    pub value: Value,
    #[serde(skip)]
    pub thing: bool,
}

/// Where a value lies: with a thing or in the game, under keys or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Slot {
    #[serde(skip_serializing_if = "is_default")]
    pub thing: Option<ShortText>,
    pub field: ShortText,
}

/// What a bound threw away of a value: so much, for this is the bound, and this is its name if it has one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cut {
    pub lost: Value,
    pub bound: Value,
    #[serde(skip_serializing_if = "is_default")]
    pub by: ShortText,
}

/// How long something lasts: until a phase begins or ends, of somebody or of anybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Until {
    pub edge: Edge,
    pub phase: ShortText,
    #[serde(rename = "for", skip_serializing_if = "is_default")]
    pub whose: Option<Value>,
}

/// An end of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Edge {
    Start,
    End,
}

/// An action that was not offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The instance, as far as it was chosen.
    pub action: Value,
    /// The line that refused it, with its figures.
    pub why: Words,
    /// Clauses of that line.
    #[serde(skip_serializing_if = "is_default")]
    pub clauses: Vec<ShortText>,
    /// Nothing in a game could have made it fit.
    #[serde(skip_serializing_if = "is_default")]
    pub never: bool,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum What {
    /// The first line: what was run. Settings are name, value, and the value they have by default.
    Header {
        command: ShortText,
        ruleset: ShortText,
        version: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        below: Vec<(ShortText, ShortText)>,
        #[serde(skip_serializing_if = "is_default")]
        settings: Vec<(ShortText, Value, Value)>,
        dice: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        players: Vec<(ShortText, ShortText)>,
    },
    /// A step of a scenario.
    Step { statement: ShortText },
    /// A phase, action, rule, test, proc or event begins.
    Enter { sort: ScopeSort, name: ShortText, args: Vec<Argument>, title: ShortText },
    /// It ends; a test with its verdict, a proc with what it gives.
    Leave {
        sort: ScopeSort,
        name: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        result: Option<Value>,
    },
    /// Dice fell. `again` are the places in the pool (from 1) of dice thrown once more, or of those that exploded.
    Roll {
        name: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        of: Option<ShortText>,
        dice: Vec<ShortText>,
        faces: Vec<Value>,
        #[serde(skip_serializing_if = "is_default")]
        sum: Option<i64>,
        #[serde(skip_serializing_if = "is_default")]
        again: Vec<u64>,
        #[serde(skip_serializing_if = "is_default")]
        explode: bool,
    },
    /// Chance picked.
    Draw {
        name: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        of: Option<ShortText>,
        among: Vec<Value>,
        #[serde(skip_serializing_if = "is_default")]
        weights: Vec<u32>,
        picks: Vec<Value>,
    },
    /// A decision. With one entry nobody was asked: `source` is then empty.
    Decision {
        name: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        of: Option<ShortText>,
        #[serde(skip_serializing_if = "is_default")]
        player: Option<ShortText>,
        source: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        action: bool,
        menu: Vec<Value>,
        answer: Value,
        #[serde(skip_serializing_if = "is_default")]
        refused: Vec<Refusal>,
    },
    /// A slot was written.
    Write {
        slot: Slot,
        before: Value,
        after: Value,
        #[serde(skip_serializing_if = "is_default")]
        cut: Option<Cut>,
        #[serde(skip_serializing_if = "is_default")]
        until: Option<Until>,
    },
    /// A slot went back to its default because its time was over.
    Expired { slot: Slot, before: Value, after: Value },
    /// A status came, or its time began anew.
    Gain {
        thing: ShortText,
        status: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        data: Option<Value>,
        #[serde(skip_serializing_if = "is_default")]
        renewed: bool,
        #[serde(skip_serializing_if = "is_default")]
        until: Option<Until>,
    },
    /// A status went.
    Lose {
        thing: ShortText,
        status: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        expired: bool,
    },
    /// A limited action was used: so many times out of so many.
    Used {
        action: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        by: Option<ShortText>,
        #[serde(rename = "for", skip_serializing_if = "is_default")]
        whose: Option<Value>,
        count: i64,
        times: i64,
        per: ShortText,
    },
    /// A thing left play.
    Destroyed { thing: ShortText, why: ShortText },
    /// A thing came into play.
    Spawned { thing: ShortText },
    /// A thing was put or moved; off the board is none. `via` are the points where the way bent; a move tells how far it
    /// went and where its front points after it.
    Moved {
        thing: ShortText,
        before: Value,
        #[serde(skip_serializing_if = "is_default")]
        via: Vec<Value>,
        after: Value,
        #[serde(skip_serializing_if = "is_default")]
        covered: Option<Value>,
        #[serde(skip_serializing_if = "is_default")]
        facing: Option<Value>,
    },
    /// A line of the move before that it kept, with the length it asks for; `near` are the things and points it had to end
    /// within reach of.
    Kept {
        line: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        asked: Option<Value>,
        #[serde(skip_serializing_if = "is_default")]
        near: Vec<Value>,
    },
    /// A thing faces elsewhere.
    Turned { thing: ShortText, before: Value, after: Value },
    /// One thing went into another.
    Merged { thing: ShortText, into: ShortText },
    /// A stand-in answered for a missing chapter.
    StandIn {
        name: ShortText,
        how: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        result: Option<Value>,
    },
    /// A derived value that decided something. `figure` if it is a number.
    Value {
        name: ShortText,
        value: Value,
        #[serde(skip_serializing_if = "is_default")]
        words: Words,
        #[serde(skip_serializing_if = "is_default")]
        measures: Vec<Measure>,
        #[serde(skip_serializing_if = "is_default")]
        figure: bool,
    },
    /// A condition was judged. `figure` if a number or the table decided.
    Condition {
        holds: bool,
        words: Words,
        #[serde(skip_serializing_if = "is_default")]
        measures: Vec<Measure>,
        #[serde(skip_serializing_if = "is_default")]
        figure: bool,
    },
    /// A match chose a row. `figure` if a number decided.
    Case {
        words: Words,
        #[serde(skip_serializing_if = "is_default")]
        figure: bool,
    },
    /// The guard of a rule failed. `never` if nothing in a game could have made it hold.
    Guard {
        name: ShortText,
        title: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        bearer: Option<ShortText>,
        words: Words,
        #[serde(skip_serializing_if = "is_default")]
        measures: Vec<Measure>,
        #[serde(skip_serializing_if = "is_default")]
        never: bool,
    },
    /// A reading mattered: its value, what hung on it, and what other alternatives would have given.
    Leaned {
        reading: ShortText,
        value: Value,
        #[serde(skip_serializing_if = "is_default")]
        here: Words,
        others: Vec<(ShortText, Words)>,
    },
    /// A move without a legal path; without any one of `but` there would be one.
    Stuck {
        thing: ShortText,
        why: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        but: Vec<Hindrance>,
    },
    /// Something to be told besides.
    Remark(Remark),
    /// The error that ended the run, and who was running, innermost first.
    Fault {
        code: ShortText,
        message: ShortText,
        #[serde(skip_serializing_if = "is_default")]
        stack: Vec<ShortText>,
    },
    /// A condition of the scenario.
    Expect {
        claim: ShortText,
        holds: bool,
        #[serde(skip_serializing_if = "is_default")]
        measures: Vec<Measure>,
    },
    /// Events over the limit, not kept.
    Truncated { count: u64 },
    /// The last line.
    Summary {
        held: u32,
        claimed: u32,
        #[serde(skip_serializing_if = "is_default")]
        leaned: Vec<ShortText>,
    },
}
