//! Determines the status of edits without runs: from the values that the scenario sets and from the reachable code.

use super::super::diff::{ChangeSort, ItemChange, Part};
use super::{EditOf, Force};
use grognard_base::OrdSet;
use grognard_base::value::*;
use grognard_program::{FuncSort, Program, Reached, reached_with, settings_reached};
use grognard_rules::schema::{Schema, Stored};
use grognard_scenario::{Answerer, Scenario};

/// Two versions of a scenario, with the reachable code of each.
pub(super) struct Table<'s> {
    sides: [&'s Scenario; 2],
    reached: [Reached; 2],
    /// The reachable settings if every thing started with the defaults of the rules.
    unset: [IdSet<SettingId>; 2],
    by_hand: &'s [String],
}

/// Maximum number of names in one line.
const MOST_NAMES: usize = 3;

impl<'s> Table<'s> {
    pub fn new(sides: [&'s Scenario; 2], by_hand: &'s [String]) -> Table<'s> {
        let reached = sides.map(|side| {
            let (program, fixed) = (&side.game.program, &side.plan.fixed);
            reached_with(program, &[], &|stored| fixed.leaves(stored, &program.schema))
        });
        let unset = sides.map(|side| settings_reached(&side.game.program));
        Table { sides, reached, unset, by_hand }
    }

    /// Returns the status of an edit. `edited` are the names of all edits.
    pub fn force(&self, edit: &EditOf, edited: &[String]) -> Force {
        match edit {
            EditOf::Setting(name) => match self.setting(name, edited) {
                Force::Held(_) if self.same(name) => Force::Held(format!("{name} has the same value in both")),
                force => force,
            },
            EditOf::Rules(edit) => self.change(&edit.change, edited),
        }
    }

    fn change(&self, change: &ItemChange, edited: &[String]) -> Force {
        match change.word {
            "param" | "reading" => self.setting(&change.name, edited),
            "policy" => self.policy(&change.name),
            "kind" => self.kind(change),
            "state" => self.state(change),
            "rule" | "action" | "proc" | "test" | "phase" | "let" | "table" | "status" | "trait" | "condition" => {
                self.code(change)
            }
            _ => Force::InForce,
        }
    }

    /// Returns the status of a param or a reading: held or the same if both versions have the same value, unreached
    /// if no code reads it.
    fn setting(&self, name: &str, edited: &[String]) -> Force {
        let ids = self.sides.map(|side| side.rules.settings.iter().position(|s| s.name == name).map(SettingId::from));
        if let [Some(a), Some(b)] = ids {
            let values = [(0, a), (1, b)].map(|(n, id)| self.value(n, id));
            let set = [(0, a), (1, b)].iter().all(|(n, id)| self.sides[*n].plan.fixed.settings.contains(*id));
            if values[0] == values[1] {
                return match (set, self.by_hand.iter().any(|other| other == name)) {
                    (true, true) => Force::Held(format!("the command line sets {name} = {} in both", values[0])),
                    (true, false) => Force::Held(format!("the scenario sets {name} = {} in both", values[0])),
                    (false, _) => Force::Same(format!("{name} is {} in both", values[0])),
                };
            }
        }
        let reads = |n: usize, id: Option<SettingId>| id.is_some_and(|id| self.reached[n].settings.contains(id));
        if reads(0, ids[0]) || reads(1, ids[1]) || self.carries(edited) {
            return Force::InForce;
        }
        let mut by: Vec<String> = Vec::new();
        for (n, id) in ids.iter().enumerate() {
            if let Some(id) = id.filter(|id| self.unset[n].contains(*id)) {
                by.extend(self.defaults(n, id).into_iter().filter(|name| !by.contains(name)).collect::<Vec<_>>());
            }
        }
        if by.is_empty() {
            return Force::Unreached(format!("no code that this table can reach reads {name}"));
        }
        let more = if by.len() > MOST_NAMES { " and more" } else { "" };
        let by = by.into_iter().take(MOST_NAMES).collect::<Vec<String>>().join(", ");
        Force::Held(format!("the scenario sets {by}{more}, and nothing else that this table can reach reads {name}"))
    }

    /// Returns whether a param or reading has the same value in both versions.
    fn same(&self, name: &str) -> bool {
        let value = |n: usize| {
            let at = self.sides[n].rules.settings.iter().position(|s| s.name == name);
            at.map(|at| self.value(n, SettingId::from(at)))
        };
        value(0) == value(1)
    }

    /// Returns whether a param or reading that is not an edit has another value in B and is read. Its value then
    /// depends on an edit.
    fn carries(&self, edited: &[String]) -> bool {
        let [a, b] = self.sides;
        a.rules.settings.iter().enumerate().any(|(n, setting)| {
            let id = SettingId::from(n);
            let other = b.rules.settings.iter().position(|s| s.name == setting.name).map(SettingId::from);
            let Some(other) = other.filter(|_| !edited.contains(&setting.name)) else { return false };
            let read = self.reached[0].settings.contains(id) || self.reached[1].settings.contains(other);
            read && self.value(0, id) != self.value(1, other)
        })
    }

    /// Returns the stored values that the scenario sets and whose defaults read a setting, as text.
    fn defaults(&self, n: usize, id: SettingId) -> Vec<String> {
        let side = self.sides[n];
        let rules = &side.game.program.schema;
        let fixed = &side.plan.fixed;
        let reads = |stored: Stored| {
            let begins = |other: Stored| other == stored || fixed.leaves(other, rules);
            rules.declared(stored).default.is_some()
                && reached_with(&side.game.program, &[], &begins).settings.contains(id)
        };
        let set = rules.all_stored().filter(|stored| match stored {
            Stored::Field(field) => fixed.fields.contains(*field),
            Stored::Global(global) => fixed.globals.contains(*global),
        });
        set.filter(|stored| reads(*stored)).map(|stored| called(rules, stored)).collect()
    }

    /// Returns the value of a setting in a version, as text.
    fn value(&self, n: usize, id: SettingId) -> String {
        let side = self.sides[n];
        side.game.tell(&side.game.start, &side.rules.settings[id.at()].ty, side.game.setting(id))
    }

    /// Returns the status of a policy: unreached if no player follows it.
    fn policy(&self, name: &str) -> Force {
        let follows = |side: &&Scenario| {
            let mut answerers = side.plan.players.iter().flat_map(|(_, list)| list);
            answerers.any(|by| matches!(by, Answerer::Policy(id) if side.rules.policies[id.at()].name == name))
        };
        match self.sides.iter().any(follows) {
            true => Force::InForce,
            false => Force::Unreached(format!("no player of the scenario follows {name}")),
        }
    }

    /// Returns the status of a kind: held if only defaults differ that the scenario sets.
    fn kind(&self, change: &ItemChange) -> Force {
        let kinds = self.sides.map(|side| side.rules.kinds.iter().position(|kind| kind.name == change.name));
        if change.what != ChangeSort::Changed || kinds.contains(&None) {
            return Force::InForce;
        }
        let mut held: Vec<String> = Vec::new();
        for part in &change.parts {
            let Some(name) = default_of(part) else { return Force::InForce };
            for (n, kind) in kinds.iter().enumerate() {
                let rules = &self.sides[n].game.program.schema;
                let kind = kind.map(KindId::from).unwrap_or_default();
                let field = rules.fields.iter().position(|field| field.kind == kind && field.name == name);
                let Some(field) = field.map(FieldId::from) else { return Force::InForce };
                let set = self.sides[n].plan.fixed.fields.contains(field) && !self.reached[n].spawned.contains(kind);
                if !set {
                    return Force::InForce;
                }
                let rendered = called(rules, Stored::Field(field));
                if !held.contains(&rendered) {
                    held.push(rendered);
                }
            }
        }
        Force::Held(format!("the scenario sets {} in both", held.join(", ")))
    }

    /// Returns the status of a state of the game: held if only its default differs and the scenario sets it.
    fn state(&self, change: &ItemChange) -> Force {
        let [part] = change.parts.as_slice() else { return Force::InForce };
        let global = |side: &Scenario| side.rules.globals.iter().position(|global| global.name == change.name);
        let set = |side: &&Scenario| global(side).is_some_and(|n| side.plan.fixed.globals.contains(GlobalId::from(n)));
        match default_of(part).is_some() && self.sides.iter().all(set) {
            true => Force::Held(format!("the scenario sets {} in both", change.name)),
            false => Force::InForce,
        }
    }

    /// Returns the status of code: unreached if no function of the item is reachable in either version.
    fn code(&self, change: &ItemChange) -> Force {
        let mut any = false;
        for (n, side) in self.sides.iter().enumerate() {
            let items = items_of(side, change);
            let funcs = functions_of(&side.game.program, &items);
            if funcs.iter().any(|func| self.reached[n].funcs.contains(*func)) {
                return Force::InForce;
            }
            any |= !funcs.is_empty();
        }
        match any {
            true => Force::Unreached("no code that this table can reach runs it".to_string()),
            false => Force::InForce,
        }
    }
}

/// Returns the functions that belong to items.
fn functions_of(program: &Program, items: &OrdSet<ItemId>) -> Vec<FuncId> {
    let own = program.funcs.iter().enumerate().filter(|(_, f)| f.sort != FuncSort::Snippet && items.contains(&f.item));
    own.map(|(n, _)| FuncId::from(n)).collect()
}

/// Returns the items of a change: the item itself and, for a trait or a status, the rules in it.
pub(super) fn items_of(side: &Scenario, change: &ItemChange) -> OrdSet<ItemId> {
    let rules = &side.game.program.schema;
    let named = rules.items.iter().enumerate().filter(|(_, item)| item.name == change.name);
    let own = named.filter(|(_, item)| item.word == change.word).map(|(n, _)| ItemId::from(n));
    let inner = rules.rules.iter().filter(|rule| {
        let of = rule.of_trait.and_then(|of| rules.traits.get(of.at()));
        of.is_some_and(|of| of.sort.word() == change.word && of.name == change.name)
    });
    own.chain(inner.map(|rule| rule.item)).collect()
}

/// Returns the name of a stored field that a line declares, if only its default differs.
fn default_of(part: &Part) -> Option<String> {
    let (old, new) = (part.old.as_ref()?, part.new.as_ref()?);
    let head = |line: &str| line.split_once(" = ").map(|(head, _)| head.trim().to_string());
    let (old, new) = (head(old)?, head(new)?);
    let mut words = old.split(|c: char| c.is_whitespace() || matches!(c, ':' | '('));
    let stored = words.next().is_some_and(|word| matches!(word, "stat" | "state" | "link"));
    let name = words.next().filter(|_| stored && old == new)?;
    Some(name.to_string())
}

/// Returns a text such as `nv of every Squad`.
fn called(rules: &Schema, stored: Stored) -> String {
    let name = rules.declared(stored).name;
    match stored {
        Stored::Field(id) => format!("{name} of every {}", rules.kinds[rules.fields[id.at()].kind.at()].name),
        Stored::Global(_) => name.to_string(),
    }
}
