//! Events of a trace: names instead of ids, values as they are told.

#![allow(missing_docs)] // parts of an event are told of where the event is

use serde::{Deserialize, Serialize};

/// One event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Version of the form.
    pub v: u32,
    /// Its number, from 0.
    pub seq: u64,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
    /// How many functions it happened in.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub depth: u32,
    /// The innermost of them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rule: String,
    /// Clauses cited for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// The variant that changed the item.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
    /// File and line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub at: String,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

fn is_no(flag: &bool) -> bool {
    !*flag
}

/// What was entered or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Sort {
    Phase,
    Action,
    Rule,
    Test,
    Proc,
    Event,
}

/// A parameter as it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// True for things, which need no name beside them.
    #[serde(default, skip_serializing_if = "is_no")]
    pub thing: bool,
}

/// An action that was not offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The instance.
    pub action: String,
    /// The line that refused it.
    pub why: String,
    /// Clauses of that line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// Nothing in a game could have made it fit.
    #[serde(default, skip_serializing_if = "is_no")]
    pub never: bool,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum What {
    /// The first line: what was run. Settings are name, value, and the value they have by default.
    Header {
        command: String,
        ruleset: String,
        version: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        below: Vec<(String, String)>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        settings: Vec<(String, String, String)>,
        dice: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        players: Vec<(String, String)>,
    },
    /// A step of a scenario.
    Step { statement: String },
    /// A phase, action, rule, test, proc or event begins.
    Enter { sort: Sort, name: String, args: Vec<Argument>, title: String },
    /// It ends; a test with its verdict.
    Leave {
        sort: Sort,
        name: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        verdict: String,
    },
    /// Dice fell. `again` are the places in the pool (from 1) of dice thrown once more, or of those that exploded.
    Roll {
        name: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        of: String,
        dice: Vec<String>,
        faces: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sum: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        again: Vec<u64>,
        #[serde(default, skip_serializing_if = "is_no")]
        explode: bool,
    },
    /// Chance picked things.
    Draw {
        name: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        of: String,
        among: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        weights: Vec<String>,
        picks: Vec<String>,
    },
    /// A decision. With one entry nobody was asked: `source` is then empty.
    Decision {
        name: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        of: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        player: String,
        source: String,
        #[serde(default, skip_serializing_if = "is_no")]
        action: bool,
        menu: Vec<String>,
        answer: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        refused: Vec<Refusal>,
    },
    /// A slot was written. `lost` is what a bound threw away, `bound` the bound.
    Write {
        slot: String,
        before: String,
        after: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        lost: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        bound: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        until: String,
    },
    /// A slot went back to its default because its time was over.
    Expired { slot: String, before: String, after: String },
    /// A status came, or its time began anew.
    Gain {
        thing: String,
        status: String,
        #[serde(default, skip_serializing_if = "is_no")]
        renewed: bool,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        until: String,
    },
    /// A status went.
    Lose {
        thing: String,
        status: String,
        #[serde(default, skip_serializing_if = "is_no")]
        expired: bool,
    },
    /// A limited action was used: so many times out of so many.
    Used {
        action: String,
        by: String,
        #[serde(default, rename = "for", skip_serializing_if = "String::is_empty")]
        whose: String,
        count: String,
        times: String,
        per: String,
    },
    /// A thing left play.
    Destroyed { thing: String, why: String },
    /// A thing came into play.
    Spawned { thing: String },
    /// A thing was put or moved; off the board is an empty place. `via` are the points where the way bent; a move tells
    /// where its front points after it.
    Moved {
        thing: String,
        before: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        via: Vec<String>,
        after: String,
        covered: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        facing: String,
    },
    /// A line of the move before that it kept; `near` are the things and points it had to end within reach of.
    Kept {
        words: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        near: Vec<String>,
    },
    /// A thing faces elsewhere.
    Turned { thing: String, before: String, after: String },
    /// One thing went into another.
    Merged { thing: String, into: String },
    /// A stand-in answered for a missing chapter.
    StandIn {
        name: String,
        how: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        result: String,
    },
    /// A derived value that decided something. `figure` if it is a number.
    Value {
        name: String,
        value: String,
        words: String,
        #[serde(default, skip_serializing_if = "is_no")]
        figure: bool,
    },
    /// A condition was judged. `figure` if a number or the table decided.
    Condition {
        holds: bool,
        words: String,
        #[serde(default, skip_serializing_if = "is_no")]
        figure: bool,
    },
    /// A match chose a row. `figure` if a number decided.
    Case {
        words: String,
        #[serde(default, skip_serializing_if = "is_no")]
        figure: bool,
    },
    /// The guard of a rule failed. `never` if nothing in a game could have made it hold.
    Guard {
        name: String,
        title: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        bearer: String,
        words: String,
        #[serde(default, skip_serializing_if = "is_no")]
        never: bool,
    },
    /// A reading mattered: its value, what hung on it, and what other alternatives would have given.
    Leaned {
        reading: String,
        value: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        here: String,
        others: Vec<(String, String)>,
    },
    /// A move without a legal path; without any one of `but` there would be one.
    Stuck {
        thing: String,
        why: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        but: Vec<String>,
    },
    /// A silent choice, a tie, a stop, an effect on nothing.
    Remark { text: String },
    /// The error that ended the run, and who was running, innermost first.
    Fault {
        code: String,
        message: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        stack: Vec<String>,
    },
    /// A condition of the scenario.
    Expect {
        claim: String,
        holds: bool,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        found: String,
    },
    /// Events over the limit, not kept.
    Truncated { count: u64 },
    /// The last line.
    Summary {
        held: u32,
        claimed: u32,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        leaned: Vec<String>,
    },
}
