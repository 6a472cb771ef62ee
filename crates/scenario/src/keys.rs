//! The keys of a scenario, and the diagnostics about unknown keys.

use super::build::Builder;
use super::document::Entry;
use grognard_base::{Code, Diagnostic, Span, did_you_mean};
use grognard_rules::ruleset::{Ruleset, TypeName};

/// Every key that is not a kind.
pub(super) const KEYS: &[&str] = &[
    "rules", "against", "name", "about", "base", "start", "stop", "repeat", "mode", "objective", "objective_never",
    "seed", "runs", "fuel", "depth", "reserve", "params", "readings", "state", "extern", "board", "dice", "players",
    "line", "decide", "step", "expect", "sweep", "report",
];
/// The keys that are tables, and the keys that are lists of tables.
const TABLES: &[&str] =
    &["reserve", "params", "readings", "state", "extern", "board", "dice", "players", "sweep", "report"];
const LISTS: &[&str] = &["line", "decide", "step", "expect"];
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
        if KEYS.contains(&entry.key.as_str()) && !message.contains("did you mean") {
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
            if KEYS.contains(&key) || kind(self.rs()) || self.others.iter().any(kind) {
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
            let headed = |key: &&&str| !table || TABLES.contains(*key) || LISTS.contains(*key);
            let keys = KEYS.iter().filter(headed).copied();
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
