//! The keys of a scenario, and the diagnostics about unknown keys.

use super::build::Builder;
use super::document::Entry;
use grognard_base::{Code, Diagnostic, Span, did_you_mean};
use grognard_rules::ruleset::{Ruleset, TypeName};

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum KeyForm {
    /// A text in quotes.
    Text,
    /// A text, or a list of texts.
    Texts,
    /// A text, a list of texts, or a table of captions with texts.
    Measures,
    /// A list of texts.
    TextList,
    /// A whole number of at least the given one.
    Count(u64),
    /// A number or a text.
    NumberOrText,
    /// One of several words.
    Word(&'static [&'static str]),
    /// Two numbers.
    Pair,
    /// A table with the keys below this one.
    Table,
    /// A table whose keys are names of the rules or of things.
    Names,
    /// A list of tables with the keys below this one.
    Tables,
    /// Any value.
    Any,
}

/// A key of a scenario.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The path of the key, such as `board.size`.
    pub path: &'static str,
    /// The form of its value.
    pub form: KeyForm,
    /// The meaning of the key.
    pub says: &'static str,
}

const fn key(path: &'static str, form: KeyForm, says: &'static str) -> Key {
    Key { path, form, says }
}

/// The sources of answers that `players` accepts, except policies.
pub const SOURCES: &[&str] = &["script", "prefer", "first", "random", "prompt", "best", "worst"];
const MODES: KeyForm = KeyForm::Word(&["scripted", "sampled", "exact"]);

/// Every key of a scenario that is not a kind, with its meaning.
pub const TABLE: &[Key] = &[
    key("rules", KeyForm::Text, "the ruleset or variant, such as `game/edition`"),
    key("against", KeyForm::Texts, "other rulesets for the same table, which `compare` compares with `rules`"),
    key("name", KeyForm::Text, "a title for readers"),
    key("about", KeyForm::Text, "a description for readers"),
    key("base", KeyForm::Text, "another scenario, relative to this folder; its keys apply unless this file sets them"),
    key("steps", KeyForm::Word(&["replace"]), "drops the steps, dice, decisions and expectations of the base"),
    key("start", KeyForm::Text, "the call of a phase, such as `Turn(red)`"),
    key("stop", KeyForm::Text, "where `start` ends early: `end of P for x` or `start of P`"),
    key("repeat", KeyForm::NumberOrText, "how often `start` runs: a number, or `until` with a condition"),
    key("mode", MODES, "one run with given dice, many runs, or all outcomes"),
    key("objective", KeyForm::Text, "the number or condition at the end that `best` and `worst` optimize"),
    key("objective_never", KeyForm::NumberOrText, "the objective of a run that never ends [default: 0]"),
    key("seed", KeyForm::Count(0), "the seed for dice that the scenario does not fix"),
    key("runs", KeyForm::Count(1), "the number of runs of a sample"),
    key("fuel", KeyForm::Count(1), "the maximum number of steps in a run"),
    key("depth", KeyForm::Count(1), "the maximum depth of nested calls"),
    key(
        "reserve",
        KeyForm::Names,
        "the number of things that `spawn` can make, by kind; `list` is for entries of lists",
    ),
    key("params", KeyForm::Names, "values of params"),
    key("readings", KeyForm::Names, "alternatives of readings"),
    key("state", KeyForm::Names, "values of the states of the game"),
    key("extern", KeyForm::Names, "the answers of missing chapters"),
    key("board", KeyForm::Table, "the table on which things have positions"),
    key("board.size", KeyForm::Pair, "width and height in inches"),
    key("board.grid", KeyForm::NumberOrText, "the distance between grid lines in inches"),
    key("dice", KeyForm::Table, "fixed dice and draws"),
    key("dice.rolls", KeyForm::Tables, "the faces of rolls"),
    key("dice.rolls.roll", KeyForm::Text, "the roll, such as `Check.dice`"),
    key("dice.rolls.of", KeyForm::Text, "the thing that rolls"),
    key("dice.rolls.nth", KeyForm::Count(1), "the number of the time that it is rolled"),
    key("dice.rolls.give", KeyForm::Any, "the faces, or the names of a draw"),
    key("players", KeyForm::Names, "the sources of the answers of each player"),
    key("line", KeyForm::Tables, "many things in a row, with their fields"),
    key("line.kind", KeyForm::Text, "the kind of the things"),
    key("line.ids", KeyForm::TextList, "the names of the things"),
    key("line.at", KeyForm::Pair, "the position of the first thing"),
    key("line.step", KeyForm::Pair, "the distance from each thing to the next"),
    key("line.each", KeyForm::Names, "for each of these things, a linked thing of another kind"),
    key("decide", KeyForm::Tables, "answers to decisions; each is used once"),
    key("decide.choice", KeyForm::Text, "the name of the decision"),
    key("decide.of", KeyForm::Text, "the thing that decides"),
    key("decide.nth", KeyForm::Count(1), "the number of the time that it is asked"),
    key("decide.pick", KeyForm::Any, "the answer, or a list of alternatives"),
    key("decide.always", KeyForm::Names, "answers by decision, if no other entry fits"),
    key("step", KeyForm::Tables, "statements to run, in order"),
    key("step.do", KeyForm::Text, "a statement, such as `test Check(lions)`"),
    key("step.decide", KeyForm::Any, "answers to the decisions of this step"),
    key("step.expect", KeyForm::Texts, "conditions after the step"),
    key("expect", KeyForm::Tables, "expectations at the end"),
    key("expect.that", KeyForm::Texts, "a condition that must hold"),
    key("expect.chance", KeyForm::Names, "the chance of a condition over all outcomes"),
    key("expect.mean", KeyForm::Names, "the mean of a number over all outcomes"),
    key("expect.mode", MODES, "the mode of this expectation, if it differs from that of the scenario"),
    key("expect.where", KeyForm::Names, "answers that apply to this expectation, by decision"),
    key("expect.trace", KeyForm::Text, "a file in the same folder with the trace of the run"),
    key("expect.given", KeyForm::Text, "the condition that restricts the outcomes that count"),
    key("sweep", KeyForm::Table, "the grid of `grognard sweep`"),
    key("sweep.over", KeyForm::Texts, "the names of params and readings to vary"),
    key("sweep.values", KeyForm::Names, "values other than the declared ones, by name"),
    key("sweep.report", KeyForm::Measures, "the measures of the sweep"),
    key("report", KeyForm::Table, "measures at the end of a run, or of all runs"),
    key("report.mean", KeyForm::Measures, "numbers of which the mean is reported"),
    key("report.chance", KeyForm::Measures, "conditions of which the chance is reported"),
    key("report.hist", KeyForm::Measures, "values of which the distribution is reported"),
    key("report.of", KeyForm::Measures, "values that are reported in the form that fits their type"),
    key("report.good", KeyForm::Table, "the direction in which each measure is good"),
    key("report.good.more", KeyForm::Texts, "measures of which more is better"),
    key("report.good.less", KeyForm::Texts, "measures of which less is better"),
];

/// The keys of a thing that are not fields, with their meanings.
pub const THING: &[Key] = &[
    key("at", KeyForm::Any, "the position in inches, or the name of a thing"),
    key("facing", KeyForm::Any, "the facing in degrees, from 0 to 360"),
    key("base", KeyForm::Any, "the radius of a round base in inches"),
    key("length", KeyForm::Any, "the length of a straight piece in inches"),
    key("shape", KeyForm::Any, "the corners of an area"),
    key("off", KeyForm::Any, "`true` for a thing without a position"),
    key("traits", KeyForm::TextList, "the traits of the thing"),
    key("status", KeyForm::Tables, "the statuses of the thing, with their data"),
];

/// Returns the top-level keys. `steps` is valid only beside `base`, which removes it.
fn top() -> impl Iterator<Item = &'static Key> {
    TABLE.iter().filter(|key| !key.path.contains('.') && key.path != "steps")
}

/// Returns whether a key is a top-level key.
pub(super) fn is_key(name: &str) -> bool {
    top().any(|key| key.path == name)
}

/// Returns whether the value of a key is a table or a list of tables.
fn is_headed(key: &Key) -> bool {
    matches!(key.form, KeyForm::Table | KeyForm::Names | KeyForm::Tables)
}

/// Maximum number of known keys that a message lists.
const MOST_TOLD: usize = 16;

impl Builder<'_> {
    /// Reports an unknown key with this message.
    pub(super) fn unknown_key(&mut self, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::new(Code::UnknownKey, span, message));
    }

    /// Reports the keys that a table does not have.
    pub(super) fn only(&mut self, entries: &[Entry], keys: &[&str], what: &str) {
        for entry in entries {
            if !keys.contains(&entry.key.as_str()) {
                let near = did_you_mean(&entry.key, keys.iter().copied());
                self.no_key(entry, format!("{what} has no key `{}`{near}", entry.key), keys);
            }
        }
    }

    /// Reports a key that a table does not have. It can be a top-level key that was written after a header.
    pub(super) fn no_key(&mut self, entry: &Entry, message: String, known: &[&str]) {
        if is_key(&entry.key) && !message.contains("did you mean") {
            let key = &entry.key;
            let help = format!("`{key}` must be above the first `[..]`: after a header it is a key of that table");
            return self.say_help(Code::UnknownKey, entry.span, message, help);
        }
        if known.is_empty() || known.len() > MOST_TOLD || message.contains("did you mean") {
            return self.unknown_key(entry.span, message);
        }
        self.say_help(Code::UnknownKey, entry.span, message, format!("use one of: `{}`", known.join("`, `")));
    }

    /// Reports unknown top-level keys, and list keys whose value is not a list.
    pub(super) fn top_keys(&mut self) {
        for entry in &self.doc.entries {
            let key = entry.key.as_str();
            let kind = |rules: &Ruleset| matches!(rules.names.types.get(key), Some(TypeName::Kind(_)));
            if is_key(key) || kind(self.rs()) || self.others.iter().any(kind) {
                continue;
            }
            if key == "steps" {
                self.bad(entry.span, "`steps` drops the steps of a `base`; there is no `base` here");
                continue;
            }
            let meant = match key {
                "until" | "while" | "end" => Some("write `repeat = \"until red.points >= 20\"`"),
                "turns" | "rounds" | "times" => Some("write `repeat = 6`; in a condition, use `rounds`"),
                "minimize" | "minimise" | "maximize" | "maximise" | "goal" => Some(
                    "write `objective = \"rounds\"`; players with `worst` make it small, those with `best` make it \
                     large",
                ),
                _ => None,
            };
            if let Some(help) = meant {
                self.say_help(Code::UnknownKey, entry.span, format!("the scenario has no key `{key}`"), help);
                continue;
            }
            let kinds: Vec<String> = self.rs().kinds.iter().map(|k| k.name.clone()).collect();
            let table = entry.node.table().is_some();
            let keys = top().filter(|key| !table || is_headed(key)).map(|key| key.path);
            let near = did_you_mean(key, keys.chain(kinds.iter().map(String::as_str)));
            let what = if key.starts_with(|c: char| c.is_ascii_uppercase()) { "kind" } else { "key" };
            let message = format!("there is no {what} `{key}`{near}");
            match kinds.first().filter(|_| table && what == "key" && near.is_empty()) {
                Some(kind) => self.say_help(
                    Code::UnknownKey,
                    entry.span,
                    message,
                    format!("put a thing under its kind, as in `[{kind}.{key}]`"),
                ),
                None => self.unknown_key(entry.span, message),
            }
        }
    }
}
