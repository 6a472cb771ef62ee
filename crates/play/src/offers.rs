//! The menu that claims about offers refer to: the first one after the last scripted action.

use super::Watch;
use grognard_base::value::plain::ShortText;
use grognard_base::value::*;
use grognard_rules::ruleset::SiteSort;
use grognard_vm::{Game, MachineEvent, NotOffered, State};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An action menu with its offered and refused instances.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    offered: Vec<Value>,
    refused: Vec<NotOffered>,
    other: String,
}

impl Seen {
    /// Creates a menu without entries, with the reason.
    pub fn nothing(why: &str) -> Seen {
        Seen { other: why.to_string(), ..Seen::default() }
    }

    /// Returns whether an instance with these choices is offered.
    pub fn has(&self, action: &str, wanted: &[(ShortText, Value)]) -> bool {
        let fits = |with: &[(ShortText, Value)]| wanted.iter().all(|choice| with.contains(choice));
        self.offered.iter().any(|v| matches!(v, Value::Action { name, with } if name == action && fits(with)))
    }

    /// Explains why an action is not offered.
    pub fn why_not(&self, action: &str) -> String {
        let of = |v: &Value| matches!(v, Value::Action { name, .. } if name == action);
        let refused = self.refused.iter().filter(|r| of(&r.instance)).take(3);
        let why: Vec<String> = refused.map(|r| format!("{} is refused: {}", r.instance, r.why)).collect();
        if !why.is_empty() {
            return why.join("; ");
        }
        let other = if self.other.is_empty() { String::new() } else { format!(" ({})", self.other) };
        format!("{action} is not on the menu{other}")
    }
}

/// Storage for the menu that claims about offers refer to: the first one after the slot is armed.
#[derive(Clone, Debug, Default)]
pub struct OfferSlot(Arc<Mutex<(bool, Option<Seen>)>>);

impl OfferSlot {
    fn open(&self) -> MutexGuard<'_, (bool, Option<Seen>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Arms the slot: the next menu is stored.
    pub fn arm(&self) {
        self.open().0 = true;
    }

    /// Returns whether the slot is armed.
    pub fn armed(&self) -> bool {
        self.open().0
    }

    /// Stores a menu, unless one is already stored.
    pub fn put(&self, offered: Vec<Value>, refused: Vec<NotOffered>) {
        self.open().1.get_or_insert(Seen { offered, refused, other: String::new() });
    }

    /// Removes and returns the stored menu.
    pub fn take(&self) -> Option<Seen> {
        self.open().1.take()
    }
}

/// A watcher that stores menus with a single entry, which no player is asked about.
pub struct Menus(pub OfferSlot);

impl Watch for Menus {
    fn happen(&mut self, game: &Game, _: &State, what: &MachineEvent<'_>) {
        let MachineEvent::Decided { site, source: "", menu, refused, .. } = what else { return };
        if game.program.schema.sites[site.at()].sort == SiteSort::Menu && self.0.armed() {
            self.0.put(menu.to_vec(), refused.to_vec());
        }
    }
}

/// A watcher that records automatic answers: the name of the decision and the answer.
#[derive(Default)]
pub struct Taken(Vec<(String, String)>);

impl Taken {
    /// Removes a recorded answer and returns whether there was one. Actions are compared only by name.
    pub fn has(&mut self, name: &str, answer: &str) -> bool {
        let head = |text: &str| text.split('(').next().unwrap_or_default().trim().to_string();
        let found = self.0.iter().position(|(site, taken)| site == name && *taken == head(answer));
        found.map(|at| self.0.swap_remove(at)).is_some()
    }
}

impl Watch for Taken {
    fn happen(&mut self, game: &Game, _: &State, what: &MachineEvent<'_>) {
        let MachineEvent::Decided { site, source: "", answer, .. } = what else { return };
        let name = game.program.schema.sites[site.at()].name.clone();
        let answer = match answer {
            Value::Action { name, .. } => name.to_string(),
            answer => answer.to_string(),
        };
        self.0.push((name, answer));
    }

    fn asks_why(&self) -> bool {
        false
    }
}
