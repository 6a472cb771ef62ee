//! Finds derived links, owners, groups, and the fields that block sight.

use super::Declarer;
use crate::ruleset::{FieldSort, TypeName};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic};
use grognard_syntax::tree::{ItemKind, MemberKind, Name};
use std::collections::HashMap;

impl Declarer<'_, '_> {
    /// Turns a list link into a back link, which is not stored, if the other kind has exactly one link back.
    pub fn find_back_links(&mut self) {
        let mut single: HashMap<(KindId, KindId), Vec<FieldId>> = HashMap::new();
        for (at, field) in self.c.rs.fields.iter().enumerate() {
            if let (FieldSort::Link, Type::Kind(to)) = (field.sort, field.ty.present()) {
                single.entry((field.kind, *to)).or_default().push(FieldId::from(at));
            }
        }
        for field in &mut self.c.rs.fields {
            let Type::List(inner) = &field.ty else { continue };
            let (FieldSort::Link, Type::Kind(from)) = (field.sort, inner.as_ref()) else { continue };
            if let Some([link]) = single.get(&(*from, field.kind)).map(Vec::as_slice) {
                field.sort = FieldSort::BackLink(*link);
            }
        }
    }

    pub fn find_owners_and_groups(&mut self) {
        let items = self.items;
        for item in items {
            let (name, members, group) = match &item.kind {
                ItemKind::Kind(k) => (&k.name, &k.members, k.group_of.as_ref()),
                ItemKind::ExtendKind { name, members } => (name, members, None),
                _ => continue,
            };
            let Some(TypeName::Kind(kind)) = self.c.rs.names.types.get(&name.text).copied() else { continue };
            for member in members {
                if let MemberKind::Owner(name) = &member.kind {
                    self.c.rs.kinds[kind.at()].owner = self.field_named(kind, name);
                }
            }
            if let Some(group) = group {
                self.find_group(kind, group);
            }
        }
        for at in 0..self.c.rs.kinds.len() {
            let named = |name: &str| (KindId::from(at), name.to_string());
            self.c.rs.kinds[at].blocks = self.c.rs.names.fields.get(&named("blocks")).copied();
            self.c.rs.kinds[at].height = self.c.rs.names.fields.get(&named("height")).copied();
        }
    }

    fn find_group(&mut self, kind: KindId, name: &Name) {
        let Some(field) = self.field_named(kind, name) else { return };
        let members = match &self.c.rs.fields[field.at()].ty {
            Type::List(inner) => match inner.as_ref() {
                Type::Kind(id) => Some(*id),
                _ => None,
            },
            _ => None,
        };
        // a group with members off the board is still a group, so that the error is reported once
        self.c.rs.kinds[kind.at()].group = members.map(|id| (field, id));
        match members {
            Some(id) if self.c.rs.kinds[id.at()].on_board => {}
            Some(id) => {
                let member = self.c.rs.kinds[id.at()].name.clone();
                let message = format!("members of a group must be on the board; {member} is not `on board`");
                let found = Diagnostic::new(Code::WrongType, name.span, message);
                self.c.problems.push(found.help(format!("write `kind {member} on board {{ .. }}`")));
            }
            None => self.say(Code::WrongType, name.span, format!("`{}` must be a list of things", name.text)),
        }
    }
}
