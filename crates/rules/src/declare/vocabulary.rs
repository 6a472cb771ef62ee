//! Second pass: declares the faces of dice, and the fields of records, events and statuses.

use super::Declarer;
use crate::ruleset::TypeName;
use grognard_base::Code;
use grognard_base::value::*;
use grognard_syntax::tree::{DieFace, DieSide, ItemKind, Name, TypeExpr, Unit};

/// Maximum number of faces of a die.
const FACE_LIMIT: usize = 10_000;

impl<'a> Declarer<'a, '_> {
    /// Fills in the parts that the first pass left empty.
    pub fn declare_vocabulary(&mut self) {
        let items = self.items;
        for item in items {
            match &item.kind {
                ItemKind::Die { name, of, sides, .. } => self.declare_die(name, of, sides),
                ItemKind::Record { name, fields, .. } => {
                    if let Some(TypeName::Record(id)) = self.c.rs.names.types.get(&name.text).copied() {
                        self.c.rs.records[id.at()].fields = self.record_fields(fields);
                    }
                }
                ItemKind::Event { name, fields, .. } => {
                    if let Some(id) = self.c.rs.names.events.get(&name.text).copied() {
                        let data = self.c.rs.events[id.at()].data;
                        self.c.rs.records[data.at()].fields = self.record_fields(fields);
                    }
                }
                ItemKind::Trait(t) => {
                    let Some(id) = self.c.rs.names.traits.get(&t.name.text).copied() else { continue };
                    let data = self.c.rs.traits[id.at()].data;
                    self.c.rs.records[data.at()].fields = self.record_fields(&t.params);
                    if let Some(kind) = self.kind_named(&t.on) {
                        self.c.rs.traits[id.at()].on = kind;
                    }
                }
                _ => {}
            }
        }
        self.check_record_circles();
    }

    fn declare_die(&mut self, name: &Name, of: &TypeExpr, sides: &'a [DieSide]) {
        let Some(TypeName::Die(id)) = self.c.rs.names.types.get(&name.text).copied() else { return };
        let ty = self.resolve(of, None);
        let mut faces: Vec<i64> = Vec::new();
        for side in sides {
            let Some(face) = self.face(side, &ty) else { continue };
            let times = side.times as usize;
            if times == 0 || faces.len() + times > FACE_LIMIT {
                self.say(Code::DieSides, side.span, format!("a die can have 1 to {FACE_LIMIT} faces"));
                continue;
            }
            faces.extend(std::iter::repeat_n(face, times));
        }
        let die = &mut self.c.rs.dice[id.at()];
        die.of = ty;
        die.faces = faces;
    }

    fn face(&mut self, side: &DieSide, ty: &Type) -> Option<i64> {
        match (&side.face, ty) {
            (_, Type::Unknown) => None,
            (DieFace::Number(n), Type::Int(range)) if n.unit == Unit::Plain && n.thousandths % 1000 == 0 => {
                let value = n.thousandths / 1000;
                if value < range.low || value > range.high {
                    let message = format!("{value} is not a face of {}", self.c.rs.type_name(ty));
                    self.say(Code::WrongType, side.span, message);
                }
                Some(value)
            }
            (DieFace::Case(name), Type::Enum(id)) => self.case_of(*id, &name.text, name.span),
            _ => {
                let message = format!("a face of this die must be a {}", self.c.rs.type_name(ty));
                self.wrong(Code::WrongType, side.span, message)
            }
        }
    }

    /// Reports a record that contains itself, because it has no finite size.
    fn check_record_circles(&mut self) {
        let count = self.c.rs.records.len();
        let mut height = vec![0usize; count];
        for _ in 0..=count {
            let mut changed = false;
            for at in 0..count {
                let fields = &self.c.rs.records[at].fields;
                let inner = fields.iter().filter_map(|(_, t)| match t.present() {
                    Type::Record(id) => Some(height[id.at()] + 1),
                    _ => None,
                });
                let new = inner.max().unwrap_or(0).min(count + 1);
                changed |= new != height[at];
                height[at] = new;
            }
            if !changed {
                break;
            }
        }
        for at in (0..count).filter(|at| height[*at] > count) {
            let record = &mut self.c.rs.records[at];
            let (name, item) = (record.name.clone(), record.item);
            record.fields.clear();
            let span = self.c.rs.items[item.at()].span;
            self.say(Code::Circle, span, format!("`{name}` contains itself"));
        }
    }
}
