//! Values that a scenario sets, so that the defaults of the rules do not apply.

use grognard_base::OrdMap;
use grognard_base::value::*;
use grognard_rules::schema::{FieldSort, Schema, Stored};
use grognard_vm::Setup;

/// The values that a scenario sets. No default of the rules is used for them.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    /// Params and readings.
    pub settings: IdSet<SettingId>,
    /// Fields that are set for every thing of the kind, with all keys. There is at least one such thing.
    pub fields: IdSet<FieldId>,
    /// States of the game.
    pub globals: IdSet<GlobalId>,
    /// Kinds with at least one thing in the setup.
    pub kinds: IdSet<KindId>,
}

impl Fixed {
    /// Returns the values that a setup sets.
    pub(super) fn of(setup: &Setup, rules: &Schema) -> Fixed {
        let mut found = Fixed {
            settings: setup.settings.iter().map(|(id, _)| *id).collect(),
            globals: setup.globals.iter().map(|(id, _)| *id).collect(),
            kinds: setup.things.iter().map(|thing| thing.kind).collect(),
            fields: IdSet::default(),
        };
        let mut given: OrdMap<FieldId, i64> = OrdMap::new();
        for thing in &setup.things {
            let mut figures: Vec<(FieldId, i64)> =
                thing.values.iter().map(|(field, figure, _)| (*field, *figure)).collect();
            grognard_base::order::sort(&mut figures);
            figures.dedup();
            figures.iter().for_each(|(field, _)| *given.entry(*field).or_default() += 1);
        }
        for (field, count) in given {
            let Some(info) = rules.fields.get(field.at()) else { continue };
            let things = setup.things.iter().filter(|thing| thing.kind == info.kind).count() as i64;
            let figures = info.keys.iter().fold(1_i64, |all, (_, cases)| all.saturating_mul(*cases));
            let stored = matches!(info.sort, FieldSort::Stat | FieldSort::State | FieldSort::Link);
            if stored && count == things.saturating_mul(figures) {
                found.fields.insert(field);
            }
        }
        found
    }

    /// Returns whether something in the setup starts with the declared default of `stored`.
    pub fn leaves(&self, stored: Stored, rules: &Schema) -> bool {
        match stored {
            Stored::Field(id) => {
                !self.fields.contains(id) && rules.fields.get(id.at()).is_some_and(|f| self.kinds.contains(f.kind))
            }
            Stored::Global(id) => !self.globals.contains(id),
        }
    }
}
