//! Third pass: declares the fields of kinds by name, kind and type. `fields` adds bounds, defaults and values.

use super::{Declarer, ParamDecl};
use crate::merge::head::member_name;
use crate::ruleset::{Field, FieldSort, TypeName};
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::{self, ClauseRef, Formal, ItemKind, Let, Member, MemberKind, Name, Slot, Text, TypeExpr};

/// Fields that every thing has.
const BUILTIN_FIELDS: &[(&str, &str)] = &[
    ("alive", "whether the thing is in play"),
    ("at", "the position of a thing on the board"),
    ("facing", "the direction a thing on the board faces"),
];

/// Keys by which a scenario describes a thing on the board. A stored field of such a kind cannot have these names.
const OUTLINES: &[(&str, &str)] = &[
    ("base", "how a scenario sets the round base of a thing on the board"),
    ("length", "how a scenario sets a straight piece on the board"),
    ("shape", "how a scenario sets the corners of an area on the board"),
];

impl<'a> Declarer<'a, '_> {
    /// Declares every field with its type. A derived field without a written type stays [`Type::Unknown`].
    pub fn declare_kinds(&mut self) {
        self.note_written_types();
        let items = self.items;
        for item in items {
            match &item.kind {
                ItemKind::Kind(k) => self.declare_members(&k.name, &k.members),
                ItemKind::ExtendKind { name, members } => self.declare_members(name, members),
                ItemKind::Let(l) => {
                    if let Some(kind) = l.of.as_ref().and_then(|name| self.kind_named(name)) {
                        self.declare_let_field(kind, l, &item.cites);
                    }
                }
                ItemKind::Trait(t) => self.declare_helpers(t),
                _ => {}
            }
        }
        self.find_back_links();
        self.find_owners_and_groups();
    }

    /// Declares the helpers of a trait, which are derived values of its bearer.
    fn declare_helpers(&mut self, t: &'a tree::Trait) {
        let Some(TypeName::Kind(kind)) = self.c.rs.names.types.get(&t.on.text).copied() else { return };
        for member in &t.members {
            if let tree::TraitMemberKind::Let(l) = &member.kind {
                self.declare_let_field(kind, l, &member.cites);
            }
        }
    }

    fn note_written_types(&mut self) {
        let items = self.items;
        for item in items {
            let (name, members) = match &item.kind {
                ItemKind::Kind(k) => (&k.name, &k.members),
                ItemKind::ExtendKind { name, members } => (name, members),
                ItemKind::Let(Let { of: Some(kind), name, ty: Some(ty), .. }) => {
                    if let Some(TypeName::Kind(id)) = self.c.rs.names.types.get(&kind.text).copied() {
                        self.written.insert((id, name.text.clone()), ty);
                    }
                    continue;
                }
                _ => continue,
            };
            let Some(TypeName::Kind(id)) = self.c.rs.names.types.get(&name.text).copied() else { continue };
            for member in members {
                let ty = match &member.kind {
                    MemberKind::Stat(s) | MemberKind::State(s) => Some(&s.ty),
                    MemberKind::Link { ty, .. } => Some(ty),
                    MemberKind::Let(l) => l.ty.as_ref(),
                    MemberKind::Owner(_) => None,
                };
                if let (Some(ty), Some(name)) = (ty, member_name(member)) {
                    self.written.insert((id, name.text.clone()), ty);
                }
            }
        }
    }

    fn declare_members(&mut self, name: &Name, members: &'a [Member]) {
        let Some(kind) = self.kind_named(name) else { return };
        for member in members {
            match &member.kind {
                MemberKind::Owner(_) => {}
                MemberKind::Stat(s) => self.declare_slot(kind, s, FieldSort::Stat, &member.cites),
                MemberKind::State(s) => self.declare_slot(kind, s, FieldSort::State, &member.cites),
                MemberKind::Link { name, ty, tree } => self.declare_link(kind, name, ty, *tree, &member.cites),
                MemberKind::Let(l) => self.declare_let_field(kind, l, &member.cites),
            }
        }
    }

    fn declare_slot(&mut self, kind: KindId, slot: &'a Slot, sort: FieldSort, cites: &[ClauseRef]) {
        let ty = self.resolve(&slot.ty, Some(kind));
        if matches!(ty.present(), Type::Ratio | Type::Leg | Type::Nothing) {
            let message = format!("a {} cannot be stored on the table; store its parts", self.c.rs.type_name(&ty));
            self.say(Code::WrongType, slot.ty.span, message);
        }
        let (keys, params) = self.keys(&slot.keys);
        let word = if sort == FieldSort::Stat { "stat" } else { "state" };
        self.add_field(kind, &slot.name, sort, ty, keys, params, word, &slot.title, cites);
    }

    /// Returns the keys of a stat, which are enums and chains.
    fn keys(&mut self, formals: &'a [Formal]) -> (Vec<(Type, i64)>, Vec<ParamDecl>) {
        let params = self.formals(formals, None);
        let mut keys = Vec::new();
        for (name, ty, span) in &params {
            match self.case_count(ty) {
                Some(count) => keys.push((ty.clone(), count)),
                None if *ty == Type::Unknown => {}
                None => self.say(
                    Code::WrongType,
                    *span,
                    format!("`{name}` must be an enum or a chain, so that its values can be listed"),
                ),
            }
        }
        (keys, params)
    }

    fn declare_link(&mut self, kind: KindId, name: &Name, ty: &'a TypeExpr, tree: bool, cites: &[ClauseRef]) {
        let resolved = self.resolve(ty, Some(kind));
        let points = match resolved.present() {
            Type::Kind(id) => Some(*id),
            Type::List(inner) => match inner.as_ref() {
                Type::Kind(id) => Some(*id),
                _ => None,
            },
            _ => None,
        };
        if points.is_none() && resolved != Type::Unknown {
            self.say(
                Code::WrongType,
                ty.span,
                format!("a link must refer to things of a kind, not to {}", self.c.rs.type_name(&resolved)),
            );
        }
        if tree && points.is_some_and(|p| p != kind) {
            let own = self.c.rs.kinds[kind.at()].name.clone();
            self.say(Code::WrongType, ty.span, format!("a `tree` link must go from {own} to {own}"));
        }
        let id = self.add_field(kind, name, FieldSort::Link, resolved, Vec::new(), Vec::new(), "link", &None, cites);
        if let (true, Some(id)) = (tree, id) {
            if let Some(first) = self.c.rs.kinds[kind.at()].tree {
                let other = self.field_span(first);
                self.say_two(Code::Twice, name.span, "a kind can have only one `tree` link".into(), other, "the first");
            }
            self.c.rs.kinds[kind.at()].tree = Some(id);
        }
    }

    fn declare_let_field(&mut self, kind: KindId, l: &'a Let, cites: &[ClauseRef]) {
        let ty = l.ty.as_ref().map_or(Type::Unknown, |t| self.resolve(t, Some(kind)));
        let formals = l.params.as_deref().unwrap_or_default();
        let params = self.formals(formals, Some(kind));
        let sort = FieldSort::Let(FuncId(u32::MAX));
        let Some(id) = self.add_field(kind, &l.name, sort, ty, Vec::new(), params, "let", &l.title, cites) else {
            return;
        };
        self.c.rs.fields[id.at()].params = formals.len();
    }

    #[allow(clippy::too_many_arguments)]
    fn add_field(
        &mut self,
        kind: KindId,
        name: &Name,
        sort: FieldSort,
        ty: Type,
        keys: Vec<(Type, i64)>,
        params: Vec<ParamDecl>,
        word: &'static str,
        title: &Option<Text>,
        cites: &[ClauseRef],
    ) -> Option<FieldId> {
        let key = (kind, name.text.clone());
        let given = self.c.rs.kinds[kind.at()].on_board && !matches!(sort, FieldSort::Let(_));
        if let Some((_, is)) =
            BUILTIN_FIELDS.iter().chain(if given { OUTLINES } else { &[] }).find(|(taken, _)| name.text == *taken)
        {
            // the field is still declared, so that its uses cause no further errors
            self.say(Code::Twice, name.span, format!("`{}` is {is} and cannot be the name of a field", name.text));
        }
        if self.c.rs.names.fields.contains_key(&key) {
            // the merge has already reported the duplicate
            return None;
        }
        let full = format!("{}.{}", self.c.rs.kinds[kind.at()].name, name.text);
        let item = self.item(word, full, title, cites, name.span);
        let id = FieldId::from(self.c.rs.fields.len());
        let name = name.text.clone();
        self.c.rs.fields.push(Field {
            kind,
            name,
            sort,
            ty,
            keys,
            low: None,
            high: None,
            default: None,
            params: 0,
            item,
        });
        self.c.rs.kinds[kind.at()].fields.push(id);
        self.c.rs.names.fields.insert(key, id);
        self.field_params.push(params);
        Some(id)
    }

    /// Returns the span of the declaration of a field.
    pub fn field_span(&self, field: FieldId) -> Span {
        self.c.rs.items[self.c.rs.fields[field.at()].item.at()].span
    }
}
