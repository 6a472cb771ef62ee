//! Converts cells to values with the names of the table, and to text.

use super::game::{FieldLayout, Game};
use super::lazy_dice::LazyDice;
use super::state::{Handle, State, UNSET};
use grognard_base::value::plain::{Measure, ShortText, measured};
use grognard_base::value::*;
use grognard_program::constant;

impl Game {
    /// Converts cells to a value of a type.
    pub fn value(&self, state: &State, ty: &Type, cells: &[i64]) -> Value {
        let rules = &self.program.schema;
        let Some(&first) = cells.first() else { return Value::Record(Vec::new()) };
        if first == NONE {
            return Value::None;
        }
        // a die whose face is known, although its index in the pool is not
        let first = LazyDice::of(first).map_or(first, |die| die.face(self, die.low));
        // consecutive parts
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

    /// Converts cells to consecutive values of a type.
    pub fn values(&self, state: &State, ty: &Type, cells: &[i64]) -> Vec<Value> {
        cells.chunks(self.program.schema.width(ty).max(1)).map(|c| self.value(state, ty, c)).collect()
    }

    /// Returns a measured distance, or `None` if one of its ends is off the board.
    pub fn measure(&self, state: &State, cells: &[i64]) -> Option<Measure> {
        let Value::Tuple(parts) = self.value(state, &measured(), cells) else { return None };
        let [from, to, within] = <[Value; 3]>::try_from(parts).ok()?;
        (!from.is_none() && !to.is_none()).then_some(Measure { from, to, within })
    }

    /// Converts cells to text: `laans`, `3.6"`, `GetDown`, `[5, 1, 6]`, `none`.
    pub fn tell(&self, state: &State, ty: &Type, cells: &[i64]) -> String {
        self.value(state, ty, cells).into()
    }

    /// Returns a stored field as text: a plain value, or a list in the cells of the state. `at` is its first cell.
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

    /// Returns the name of a packed thing, or `None` for -1.
    pub fn packed(&self, cell: i64) -> Option<ShortText> {
        let (kind, thing) = unpack_thing((cell >= 0).then_some(cell)?);
        Some(self.label(kind, thing))
    }
}
