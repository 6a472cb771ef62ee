//! Cells as values with the names of this table, and in words.

use super::game::{FieldLayout, Game};
use super::lazy_dice::LazyDice;
use super::state::{Handle, State, UNSET};
use grognard_base::value::plain::{Measure, ShortText, measured};
use grognard_base::value::*;
use grognard_program::constant;

impl Game {
    /// A value of a type.
    pub fn value(&self, state: &State, ty: &Type, cells: &[i64]) -> Value {
        let rules = &self.program.schema;
        let Some(&first) = cells.first() else { return Value::Record(Vec::new()) };
        if first == NONE {
            return Value::None;
        }
        // a die whose face is known, though not which of the pool shows it
        let first = LazyDice::of(first).map_or(first, |die| die.face(self, die.low));
        // parts that lie behind each other
        let mut at = 0;
        let mut next = |ty: &Type| {
            let width = rules.width(ty);
            let value = self.value(state, ty, cells.get(at..at + width).unwrap_or_default());
            at += width;
            value
        };
        match ty {
            Type::Optional(inner) => self.value(state, inner, cells),
            Type::Kind(kind) => Value::Thing(self.label(*kind, first)),
            Type::Ratio => {
                Ratio::new(first, cells[1]).map_or(Value::Ratio(first, cells[1]), |r| Value::Ratio(r.num(), r.den()))
            }
            Type::Place | Type::Route if first == THING => Value::Thing(self.packed(cells[1]).unwrap_or_default()),
            Type::Place | Type::Route => Value::Point(first, cells[1]),
            Type::Met if first == EDGE => Value::Word("the edge".into()),
            Type::Met => Value::Thing(self.label(KindId(first as u32), cells[1])),
            Type::Leg => Value::Covered(first),
            Type::List(inner) => {
                let width = rules.width(inner).max(1);
                let list = Handle::of(first);
                let cells = state.heap.get(list.at..list.at + list.len * width).unwrap_or_default();
                Value::List(self.values(state, inner, cells))
            }
            Type::Record(id) => {
                let fields = &rules.records[id.at()].fields;
                Value::Record(fields.iter().map(|(name, ty)| (name.into(), next(ty))).collect())
            }
            Type::Tuple(parts) => Value::Tuple(parts.iter().map(next).collect()),
            Type::Int(_) | Type::Flag | Type::Length | Type::Angle | Type::Enum(_) => constant(rules, ty, first),
            Type::Chain(_) | Type::Die | Type::Shifted(_) | Type::Faces(_) => constant(rules, ty, first),
            Type::Nothing | Type::Unknown => constant(rules, ty, first),
        }
    }

    /// Values of a type behind each other.
    pub fn values(&self, state: &State, ty: &Type, cells: &[i64]) -> Vec<Value> {
        cells.chunks(self.program.schema.width(ty).max(1)).map(|c| self.value(state, ty, c)).collect()
    }

    /// A distance that is asked for; none if one of its ends is nowhere.
    pub fn measure(&self, state: &State, cells: &[i64]) -> Option<Measure> {
        let Value::Tuple(parts) = self.value(state, &measured(), cells) else { return None };
        let [from, to, within] = <[Value; 3]>::try_from(parts).ok()?;
        (!from.is_none() && !to.is_none()).then_some(Measure { from, to, within })
    }

    /// A value of a type in words: `laans`, `3.6"`, `GetDown`, `[5, 1, 6]`, `none`.
    pub fn tell(&self, state: &State, ty: &Type, cells: &[i64]) -> String {
        self.value(state, ty, cells).into()
    }

    /// Returns a stored field as text: a plain value, or a list that lies in the cells of the state. `at` is its first cell.
    pub fn tell_stored(&self, state: &State, ty: &Type, field: FieldLayout, at: usize) -> String {
        let cells = &state.cells[at..at + field.width];
        match cells.first() {
            Some(&UNSET) => "not given".to_string(),
            Some(&entries) if field.entry > 0 => {
                let mut aside = State::default();
                let entries = usize::try_from(entries).unwrap_or(0) * field.entry;
                let list = aside.new_list(cells.get(1..1 + entries).unwrap_or_default(), field.entry);
                self.tell(&aside, ty, &[list])
            }
            _ => self.tell(state, ty, cells),
        }
    }

    /// A thing that is packed into one cell; none for -1.
    pub fn packed(&self, cell: i64) -> Option<ShortText> {
        let (kind, thing) = unpack_thing((cell >= 0).then_some(cell)?);
        Some(self.label(kind, thing))
    }
}
