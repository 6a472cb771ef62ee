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
    /// An action on the menu, with those choices that are given; with a value that is what the claim comes to.
    Offered { not: bool, action: String, wanted: Vec<(String, Type, FuncId)>, value: Option<FuncId> },
    /// A chance or a mean: of what, its type, what is given, the fraction that is claimed, if one is, and the tally that
    /// it is the mean of, if it is nothing else: that needs no count in the position.
    Odds { of: FuncId, ty: Type, given: Option<FuncId>, claimed: Option<FuncId>, counted: Option<TallyId> },
}

/// An action menu: what it offers, and what it does not.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    offered: Vec<Value>,
    refused: Vec<NotOffered>,
    other: String,
}

impl Seen {
    /// A menu without entries, and why.
    pub(super) fn nothing(why: &str) -> Seen {
        Seen { other: why.to_string(), ..Seen::default() }
    }

    /// Some instance with these choices is offered.
    pub(super) fn has(&self, action: &str, wanted: &[(String, Value)]) -> bool {
        let fits = |with: &[(String, Value)]| wanted.iter().all(|choice| with.contains(choice));
        self.offered.iter().any(|v| matches!(v, Value::Action { name, with } if name == action && fits(with)))
    }

    /// Why an action is not offered.
    pub(super) fn why_not(&self, action: &str) -> String {
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

/// Where the menu is kept that claims of offers are about: the first after it is armed.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot(Rc<RefCell<(bool, Option<Seen>)>>);

impl Slot {
    /// From now on a menu is kept.
    pub(super) fn arm(&self) {
        self.0.borrow_mut().0 = true;
    }

    /// True if the next menu is kept.
    pub(super) fn armed(&self) -> bool {
        self.0.borrow().0
    }

    /// Keeps a menu if it is the first.
    pub(super) fn put(&self, offered: Vec<Value>, refused: Vec<NotOffered>) {
        self.0.borrow_mut().1.get_or_insert(Seen { offered, refused, other: String::new() });
    }

    /// The menu, if one was seen.
    pub(super) fn take(&self) -> Option<Seen> {
        self.0.borrow_mut().1.take()
    }
}

/// Sees menus with a single entry, about which nobody is asked.
pub(super) struct Watch(pub(super) Slot);

impl Trace for Watch {
    const ON: bool = true;

    fn happen(&mut self, game: &Game, _: &State, what: &Happening<'_>) {
        let Happening::Decided { site, source: "", menu, refused, .. } = what else { return };
        if game.program.schema.sites[site.at()].sort == SiteSort::Menu && self.0.armed() {
            self.0.put(menu.to_vec(), refused.to_vec());
        }
    }
}
