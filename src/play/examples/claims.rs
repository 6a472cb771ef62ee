//! What an example claims, compiled, and the menu that claims of offers look at.

use crate::machine::{Game, Happening, NotOffered, State, Trace};
use crate::rules::ruleset::SiteSort;
use crate::value::*;
use std::cell::RefCell;
use std::rc::Rc;

/// A claim ready to be judged.
#[derive(Clone, Debug)]
pub(super) enum Check {
    /// Both sides, of one type.
    Value { left: FuncId, right: FuncId, ty: Type },
    /// A condition.
    Condition { holds: FuncId },
    /// An action on the first menu, with those choices that are given.
    Offered { not: bool, action: String, wanted: Vec<(String, Type, FuncId)> },
    /// A chance or a mean: of what, its type, what is given, the fraction that is claimed, if one is, and the tally that
    /// it is the mean of, if it is nothing else: that needs no count in the position.
    Odds { of: FuncId, ty: Type, given: Option<FuncId>, claimed: Option<FuncId>, counted: Option<TallyId> },
}

/// An action menu in words.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    offered: Vec<String>,
    refused: Vec<(String, String)>,
    other: String,
}

impl Seen {
    /// A menu without entries, and why.
    pub(super) fn nothing(why: &str) -> Seen {
        Seen { other: why.to_string(), ..Seen::default() }
    }

    /// Some instance with these choices is offered.
    pub(super) fn has(&self, action: &str, wanted: &[(String, String)]) -> bool {
        self.offered.iter().any(|instance| fits(instance, action, wanted))
    }

    /// Why an action is not offered.
    pub(super) fn why_not(&self, action: &str) -> String {
        let why: Vec<String> = self
            .refused
            .iter()
            .filter(|(i, _)| fits(i, action, &[]))
            .take(3)
            .map(|(i, why)| format!("{i} is refused: {why}"))
            .collect();
        if !why.is_empty() {
            return why.join("; ");
        }
        let other = if self.other.is_empty() { String::new() } else { format!(" ({})", self.other) };
        format!("{action} is not on the menu{other}")
    }
}

fn fits(instance: &str, action: &str, wanted: &[(String, String)]) -> bool {
    let Some(rest) = instance.strip_prefix(action) else { return false };
    let Some(inside) = rest.strip_prefix('(').and_then(|r| r.strip_suffix(')')) else {
        return rest.is_empty() && wanted.is_empty();
    };
    let padded = format!(", {inside}, ");
    wanted.iter().all(|(name, value)| padded.contains(&format!(", {name}: {value}, ")))
}

/// Where the first menu is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot(Rc<RefCell<Option<Seen>>>);

impl Slot {
    /// Keeps a menu if it is the first.
    pub(super) fn put(&self, offered: Vec<String>, refused: Vec<NotOffered>) {
        let mut slot = self.0.borrow_mut();
        if slot.is_none() {
            let refused = refused.into_iter().map(|r| (r.instance, r.why)).collect();
            *slot = Some(Seen { offered, refused, other: String::new() });
        }
    }

    /// The menu, if one was seen.
    pub(super) fn take(&self) -> Option<Seen> {
        self.0.borrow_mut().take()
    }
}

/// Sees menus with a single entry, about which nobody is asked.
pub(super) struct Watch(pub(super) Slot);

impl Trace for Watch {
    const ON: bool = true;

    fn happen(&mut self, game: &Game, _: &State, what: &Happening<'_>) {
        let Happening::Decided { site, menu, refused, .. } = what else { return };
        if game.program.schema.sites[site.at()].sort == SiteSort::Menu {
            self.0.put(menu.to_vec(), refused.to_vec());
        }
    }
}
