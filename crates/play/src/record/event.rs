//! Events of a trace, with names instead of ids, and values. Text is rendered where events are displayed.
//! `trace.schema.json` in the documentation describes the JSON form.

#![allow(missing_docs)] // fields of an event are documented with the event

use grognard_base::value::plain::{Measure, Need, ShortText, Value, Words};
use grognard_vm::{Hindrance, Remark};
use serde::{Deserialize, Deserializer, Serialize};

/// Version of the event format.
pub const VERSION: u32 = 2;

/// One event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Version of the format.
    pub v: u32,
    /// Index of the event, from 0.
    pub seq: u64,
    #[serde(flatten)]
    pub what: What,
    /// Nesting depth: number of running functions.
    #[serde(default, skip_serializing_if = "is_default")]
    pub depth: u32,
    /// Name of the innermost running function.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rule: ShortText,
    /// Clauses cited for it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub clauses: Vec<ShortText>,
    /// The variant that changed the item.
    #[serde(default, skip_serializing_if = "is_default")]
    pub variant: ShortText,
    /// File and line.
    #[serde(default, skip_serializing_if = "is_default")]
    pub at: ShortText,
}

fn is_default<T: Default + PartialEq>(part: &T) -> bool {
    *part == T::default()
}

/// Reads a value that is present. A missing value, which is `null`, is still a value.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Kind of a scope that was entered or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScopeSort {
    Phase,
    Action,
    Rule,
    Test,
    Proc,
    Event,
}

/// An argument. One whose value is a thing is printed without its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    pub name: ShortText,
    pub value: Value,
}

/// A stored value, of a thing or of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    #[serde(default, skip_serializing_if = "is_default")]
    pub thing: Option<ShortText>,
    pub field: ShortText,
    /// Title of the declaration.
    #[serde(default, skip_serializing_if = "is_default")]
    pub title: ShortText,
    /// Whether the book names it: its declaration has a title or a cite, or no state and no status of the rules has one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub named: bool,
}

/// The part of a value that a bound cut off: the amount lost, the bound, and the name of the bound, if any.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    pub lost: Value,
    pub bound: Value,
    #[serde(default, skip_serializing_if = "is_default")]
    pub by: ShortText,
}

/// How long an effect lasts: until a phase begins or ends, for one player or for any.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Until {
    pub edge: Edge,
    pub phase: ShortText,
    #[serde(rename = "for", default, deserialize_with = "present", skip_serializing_if = "is_default")]
    pub whose: Option<Value>,
}

/// An end of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Edge {
    Start,
    End,
}

/// An action that was not offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The instance with the choices made so far.
    pub action: Value,
    /// The line that refused it, with its values.
    pub why: Words,
    /// Clauses of that line.
    #[serde(default, skip_serializing_if = "is_default")]
    pub clauses: Vec<ShortText>,
    /// Whether no state of the game could have allowed it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub never: bool,
}

/// The kind of an event, with its data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum What {
    /// The first line: rules, dice and players. Each setting has a name, a value, and its default value.
    Header {
        command: ShortText,
        ruleset: ShortText,
        version: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        below: Vec<(ShortText, ShortText)>,
        #[serde(default, skip_serializing_if = "is_default")]
        settings: Vec<(ShortText, Value, Value)>,
        dice: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        players: Vec<(ShortText, ShortText)>,
    },
    /// A step of a scenario.
    Step { statement: ShortText },
    /// A phase, action, rule, test, proc or event begins.
    Enter {
        sort: ScopeSort,
        name: ShortText,
        args: Vec<Argument>,
        title: ShortText,
        /// Whether it is declared as a stand-in, which is not a rule of the book.
        #[serde(default, skip_serializing_if = "is_default")]
        stand_in: bool,
    },
    /// A scope ends. A test has its verdict, and a proc its result.
    Leave {
        sort: ScopeSort,
        name: ShortText,
        #[serde(default, deserialize_with = "present", skip_serializing_if = "is_default")]
        result: Option<Value>,
    },
    /// A roll. `again` are the positions in the pool (from 1) of dice that were rerolled or that exploded.
    Roll {
        name: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        of: Option<ShortText>,
        dice: Vec<ShortText>,
        faces: Vec<Value>,
        #[serde(default, skip_serializing_if = "is_default")]
        sum: Option<i64>,
        #[serde(default, skip_serializing_if = "is_default")]
        again: Vec<u64>,
        #[serde(default, skip_serializing_if = "is_default")]
        explode: bool,
    },
    /// A random draw.
    Draw {
        name: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        of: Option<ShortText>,
        among: Vec<Value>,
        #[serde(default, skip_serializing_if = "is_default")]
        weights: Vec<u32>,
        picks: Vec<Value>,
    },
    /// A decision. If the menu had one entry, no player was asked and `source` is empty.
    Decision {
        name: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        of: Option<ShortText>,
        #[serde(default, skip_serializing_if = "is_default")]
        player: Option<ShortText>,
        source: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        action: bool,
        menu: Vec<Value>,
        answer: Value,
        #[serde(default, skip_serializing_if = "is_default")]
        refused: Vec<Refusal>,
    },
    /// A slot was written.
    Write {
        slot: Slot,
        before: Value,
        after: Value,
        #[serde(default, skip_serializing_if = "is_default")]
        cut: Option<Cut>,
        #[serde(default, skip_serializing_if = "is_default")]
        until: Option<Until>,
    },
    /// A slot reverted to its default because its duration ended.
    Expired { slot: Slot, before: Value, after: Value },
    /// A status was gained, or its duration was renewed. `title` and `named` are as in [`Slot`].
    Gain {
        thing: ShortText,
        status: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        title: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        named: bool,
        #[serde(default, deserialize_with = "present", skip_serializing_if = "is_default")]
        data: Option<Value>,
        #[serde(default, skip_serializing_if = "is_default")]
        renewed: bool,
        #[serde(default, skip_serializing_if = "is_default")]
        until: Option<Until>,
    },
    /// A status was lost.
    Lose {
        thing: ShortText,
        status: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        title: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        named: bool,
        #[serde(default, skip_serializing_if = "is_default")]
        expired: bool,
    },
    /// A limited action was used: `count` of `times` uses.
    Used {
        action: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        by: Option<ShortText>,
        #[serde(rename = "for", default, deserialize_with = "present", skip_serializing_if = "is_default")]
        whose: Option<Value>,
        count: i64,
        times: i64,
        per: ShortText,
    },
    /// A thing left play.
    Destroyed { thing: ShortText, why: ShortText },
    /// A thing came into play.
    Spawned { thing: ShortText },
    /// A thing was placed or moved; `None` is off the board. `via` are the waypoints of its path. A move has the
    /// distance covered and the final facing.
    Moved {
        thing: ShortText,
        before: Value,
        #[serde(default, skip_serializing_if = "is_default")]
        via: Vec<Value>,
        after: Value,
        #[serde(default, deserialize_with = "present", skip_serializing_if = "is_default")]
        covered: Option<Value>,
        #[serde(default, deserialize_with = "present", skip_serializing_if = "is_default")]
        facing: Option<Value>,
    },
    /// A line that the preceding move satisfied, with its length. `near` are the things and points that the move had to
    /// end near.
    Kept {
        line: ShortText,
        #[serde(default, deserialize_with = "present", skip_serializing_if = "is_default")]
        asked: Option<Value>,
        #[serde(default, skip_serializing_if = "is_default")]
        near: Vec<Value>,
    },
    /// A thing changed its facing.
    Turned { thing: ShortText, before: Value, after: Value },
    /// One thing was merged into another.
    Merged { thing: ShortText, into: ShortText },
    /// A stand-in replaced a missing chapter.
    StandIn {
        name: ShortText,
        how: ShortText,
        #[serde(default, deserialize_with = "present", skip_serializing_if = "is_default")]
        result: Option<Value>,
    },
    /// A derived value that decided something. `needs` are the comparisons of rolls in it. `figure` is whether it is a
    /// number.
    Value {
        name: ShortText,
        value: Value,
        #[serde(default, skip_serializing_if = "is_default")]
        words: Words,
        #[serde(default, skip_serializing_if = "is_default")]
        measures: Vec<Measure>,
        #[serde(default, skip_serializing_if = "is_default")]
        needs: Vec<Need>,
        #[serde(default, skip_serializing_if = "is_default")]
        figure: bool,
    },
    /// A condition was judged. `figure` is whether a number or the table decided it.
    Condition {
        holds: bool,
        words: Words,
        #[serde(default, skip_serializing_if = "is_default")]
        measures: Vec<Measure>,
        #[serde(default, skip_serializing_if = "is_default")]
        needs: Vec<Need>,
        #[serde(default, skip_serializing_if = "is_default")]
        figure: bool,
    },
    /// A match selected a row. `figure` is whether a number decided it.
    Case {
        words: Words,
        #[serde(default, skip_serializing_if = "is_default")]
        figure: bool,
    },
    /// The guard of a rule failed. `never` is whether no state of the game could have made it hold.
    Guard {
        name: ShortText,
        title: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        bearer: Option<ShortText>,
        words: Words,
        #[serde(default, skip_serializing_if = "is_default")]
        measures: Vec<Measure>,
        #[serde(default, skip_serializing_if = "is_default")]
        never: bool,
    },
    /// A reading mattered: its value, the values that depend on it, and their values under the other alternatives.
    Leaned {
        reading: ShortText,
        value: Value,
        #[serde(default, skip_serializing_if = "is_default")]
        here: Words,
        others: Vec<(ShortText, Words)>,
    },
    /// A move without a legal path. Without any one of `but`, a path would exist.
    Stuck {
        thing: ShortText,
        why: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        but: Vec<Hindrance>,
    },
    /// An additional remark.
    Remark(Remark),
    /// The error that ended the run, and the running functions, innermost first.
    Fault {
        code: ShortText,
        message: ShortText,
        #[serde(default, skip_serializing_if = "is_default")]
        stack: Vec<ShortText>,
    },
    /// A condition of the scenario.
    Expect {
        claim: ShortText,
        holds: bool,
        #[serde(default, skip_serializing_if = "is_default")]
        measures: Vec<Measure>,
    },
    /// Number of events beyond the limit, which were not stored.
    Truncated { count: u64 },
    /// The last line.
    Summary {
        held: u32,
        claimed: u32,
        #[serde(default, skip_serializing_if = "is_default")]
        leaned: Vec<ShortText>,
    },
}
