//! Values in words, with the names of this table.

use super::Game;
use super::state::{Handle, State};
use crate::program::wording::{constant, length};
use crate::value::*;

impl Game {
    /// A value of a type: `laans`, `3.6"`, `GetDown`, `[5, 1, 6]`, `none`.
    pub fn tell(&self, state: &State, ty: &Type, cells: &[i64]) -> String {
        let rules = &self.program.schema;
        let Some(&first) = cells.first() else { return String::new() };
        if first == NONE {
            return "none".into();
        }
        match ty {
            Type::Optional(inner) => self.tell(state, inner, cells),
            Type::Kind(kind) => self.name(*kind, first),
            Type::Ratio => match Ratio::new(first, cells[1]) {
                Some(r) => r.to_string(),
                None => format!("{first}/{}", cells[1]),
            },
            Type::Place | Type::Route => self.tell_place(cells),
            Type::Met => match first {
                EDGE => "the edge".into(),
                kind => self.name(KindId(kind as u32), cells[1]),
            },
            Type::Leg => format!("{} covered", length(first)),
            Type::List(inner) => {
                let width = rules.width(inner).max(1);
                let list = Handle::of(first);
                let cells = state.heap.get(list.at..list.at + list.len * width).unwrap_or_default();
                let entries: Vec<String> = cells.chunks(width).map(|c| self.tell(state, inner, c)).collect();
                format!("[{}]", entries.join(", "))
            }
            Type::Record(id) => {
                let fields = &rules.records[id.at()].fields;
                let mut at = 0;
                let parts: Vec<String> = fields
                    .iter()
                    .map(|(name, ty)| {
                        let width = rules.width(ty);
                        let text =
                            format!("{name} {}", self.tell(state, ty, cells.get(at..at + width).unwrap_or_default()));
                        at += width;
                        text
                    })
                    .collect();
                parts.join(", ")
            }
            Type::Tuple(parts) => {
                let mut at = 0;
                let parts: Vec<String> = parts
                    .iter()
                    .map(|ty| {
                        let width = rules.width(ty);
                        let text = self.tell(state, ty, cells.get(at..at + width).unwrap_or_default());
                        at += width;
                        text
                    })
                    .collect();
                format!("({})", parts.join(", "))
            }
            Type::Int(_) | Type::Flag | Type::Length | Type::Angle | Type::Enum(_) => constant(rules, ty, first),
            Type::Chain(_) | Type::Die | Type::Shifted(_) | Type::Faces(_) => constant(rules, ty, first),
            Type::Nothing | Type::Unknown => constant(rules, ty, first),
        }
    }

    /// A place: a point or the name of a thing.
    fn tell_place(&self, cells: &[i64]) -> String {
        if cells[0] == THING {
            return self.packed_name(cells[1]);
        }
        let number = |v: i64| length(v).trim_end_matches('"').to_string();
        format!("[{}, {}]", number(cells[0]), number(cells[1]))
    }

    /// A point.
    pub fn tell_point(&self, x: i64, y: i64) -> String {
        self.tell_place(&[x, y])
    }
}
