//! The index of names (a cross-reference table): the span of each name, with the span of the declaration that it refers
//! to. The checker fills it only on request, for example for an editor.

use super::checker::Checker;
use super::ruleset::{AmbientCase, Ruleset, Site, SiteSort, TypeName, ValueName};
use grognard_base::value::*;
use grognard_base::{OrdMap, Sources, Span};
use grognard_syntax::tree::{self, ItemKind, TraitMemberKind};
use std::sync::Arc;

/// The referent of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Means {
    /// A named item.
    Item(ItemId),
    /// An enum, chain, die, record or kind.
    Type(TypeName),
    /// A param, let, proc, state or tally.
    Value(ValueName),
    /// A trait, status or condition.
    Trait(TraitId),
    Test(FuncId),
    Phase(PhaseId),
    Action(ActionId),
    Event(EventId),
    /// A field of a kind.
    Field(FieldId),
    /// A case of an enum.
    Case(EnumId, usize),
    /// A field of a record, an event or a result.
    Part(RecordId, String),
    /// A variable of a phase or action that other code uses.
    Ambient(AmbientId),
    /// A parameter of a function, by index.
    Param(FuncId, usize),
    /// A variable, identified by the span of its declaration.
    Local(Span),
    /// The name that a rule binds its event to, identified by the item of the rule.
    Bound(ItemId),
}

/// References that the checker records while it works.
#[derive(Clone, Debug, Default)]
pub struct Noted {
    uses: OrdMap<Span, Means>,
    parts: OrdMap<(RecordId, String), Span>,
}

impl Noted {
    /// Returns every use of a name, in the order of the spans.
    pub fn uses(self) -> Vec<(Span, Means)> {
        self.uses.into_iter().collect()
    }

    /// Records the declaration of a field of a record.
    pub fn part(&mut self, record: RecordId, name: &str, at: Span) {
        self.parts.entry((record, name.to_string())).or_insert(at);
    }
}

impl Checker<'_> {
    /// Records what a name refers to, if an index was requested.
    #[inline]
    pub fn means(&mut self, at: Span, what: impl FnOnce() -> Means) {
        if let Some(noted) = &mut self.noted {
            noted.uses.insert(at, what());
        }
    }
}

/// All names of a ruleset, with the spans of their uses and declarations.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// Span of each use of a name, with the span of its declaration. A declaration maps to itself.
    pub uses: OrdMap<Span, Span>,
    /// The declaration at each span.
    pub declared: OrdMap<Span, Means>,
    /// Name of each item that replaces or fills another, with the name of that item.
    pub below: OrdMap<Span, Span>,
    /// Types of variables, by the span of their names.
    pub types: OrdMap<Span, Type>,
    /// Rolls and decisions by name, with the span of the first one of that name. A name after its function, as in `volley.aim`,
    /// has its own entry.
    pub decisions: OrdMap<String, Span>,
}

/// A roll or decision.
struct Decision<'r> {
    site: &'r Site,
    /// The span of the name.
    name: Span,
    /// The spans of the options.
    options: OrdMap<String, Span>,
}

/// Returns the rolls and decisions that have a name.
fn decisions<'r>(rs: &'r Ruleset, sources: &Sources) -> Vec<Decision<'r>> {
    let word = |within: Span, name: &str, from: u32| {
        let text = sources.slice(within).get(from as usize..)?;
        let mut at = grognard_syntax::tokens(text).filter(|(token, ..)| *token == name);
        at.next().map(|(_, start, end)| Span {
            start: within.start + from + start as u32,
            end: within.start + from + end as u32,
            ..within
        })
    };
    let of = |site: &'r Site| {
        let named = !matches!(site.sort, SiteSort::Menu | SiteSort::Move);
        let name = word(site.span, &site.name, 0).filter(|_| named)?;
        let after = name.end - site.span.start;
        let option = |option: &String| Some((option.clone(), word(site.span, option, after)?));
        Some(Decision { site, name, options: site.options.iter().filter_map(option).collect() })
    };
    rs.sites.iter().filter_map(of).collect()
}

/// Returns the entries of a policy, or `None` for another item.
fn entries(kind: &ItemKind) -> Option<&[tree::PolicyEntry]> {
    match kind {
        ItemKind::Policy { entries, .. } => Some(entries),
        _ => None,
    }
}

impl Index {
    /// Builds the index from the recorded references. Spans in merged texts are mapped to the original files.
    pub fn of(
        noted: Noted,
        below: &[(Span, Span)],
        rs: &Ruleset,
        items: &[Arc<tree::Item>],
        sources: &Sources,
    ) -> Index {
        let mut maker = Maker { rs, noted, cases: OrdMap::new(), bounds: OrdMap::new() };
        items.iter().for_each(|item| maker.item(item));
        let mut index = Index::default();
        let here = |span: Span| sources.origin(span);
        for (at, item) in rs.items.iter().enumerate() {
            index.declared.insert(here(item.span), Means::Item(ItemId::from(at)));
        }
        for function in &rs.functions {
            for local in function.locals.iter().filter(|l| !l.name.is_empty() && sources.slice(l.span) == l.name) {
                let place = here(local.span);
                index.declared.entry(place).or_insert(Means::Local(place));
                index.types.insert(place, local.ty.clone());
            }
        }
        for (case, span) in &maker.cases {
            index.declared.insert(here(*span), Means::Case(case.0, case.1));
        }
        for ((record, name), span) in &maker.noted.parts {
            index.declared.entry(here(*span)).or_insert_with(|| Means::Part(*record, name.clone()));
        }
        for span in maker.bounds.values() {
            index.declared.insert(here(*span), Means::Local(here(*span)));
        }
        let decisions = decisions(rs, sources);
        for span in decisions.iter().flat_map(|one| std::iter::once(&one.name).chain(one.options.values())) {
            index.declared.entry(here(*span)).or_insert(Means::Local(here(*span)));
        }
        index.uses = index.declared.keys().map(|place| (*place, *place)).collect();
        for (at, means) in &maker.noted.uses {
            if let Some(place) = maker.place(means, 0).map(here)
                && index.declared.contains_key(&place)
            {
                index.uses.insert(here(*at), place);
            }
        }
        for (new, old) in below {
            index.uses.entry(here(*new)).or_insert(here(*old));
        }
        for entry in items.iter().filter_map(|item| entries(&item.kind)).flatten() {
            let Some(one) = decisions.iter().find(|one| one.site.name == entry.choice.text) else { continue };
            index.uses.entry(here(entry.choice.span)).or_insert(here(one.name));
            for pref in &entry.prefs {
                if let tree::Answer::Value(tree::Expr { kind: tree::ExprKind::Name(option), span }) = &pref.answer
                    && let Some(place) = one.options.get(option)
                {
                    index.uses.insert(here(*span), here(*place));
                }
            }
        }
        let names = |one: &Decision| [one.site.name.clone(), rs.qualified(one.site)].map(|name| (name, here(one.name)));
        index.decisions = decisions.iter().rev().flat_map(names).collect();
        index.below = below.iter().map(|(new, old)| (here(*new), here(*old))).filter(|(new, old)| new != old).collect();
        index
    }

    /// Returns the span of the name at a byte offset of a file, and the span of its declaration.
    pub fn at(&self, file: grognard_base::FileId, offset: u32) -> Option<(Span, Span)> {
        let last = Span { file, start: offset, end: u32::MAX };
        let (at, place) = self.uses.up_to(&last)?;
        (at.file == file && offset <= at.end).then_some((*at, *place))
    }

    /// Returns the first declaration of a name, below all items that replace it.
    pub fn root(&self, mut place: Span) -> Span {
        for _ in 0..super::load::CHAIN_LIMIT {
            match self.below.get(&place) {
                Some(below) => place = *below,
                None => break,
            }
        }
        place
    }
}

struct Maker<'r> {
    rs: &'r Ruleset,
    noted: Noted,
    cases: OrdMap<(EnumId, usize), Span>,
    bounds: OrdMap<Span, Span>,
}

impl Maker<'_> {
    /// Records spans inside an item of names that are not items themselves.
    fn item(&mut self, item: &tree::Item) {
        let names = &self.rs.names;
        let record = |name: &str| match names.types.get(name) {
            Some(TypeName::Record(id)) => Some(*id),
            _ => None,
        };
        match &item.kind {
            ItemKind::Enum(e) => self.enum_cases(&e.name.text, e.cases.iter().map(|c| (c.text.as_str(), c.span))),
            ItemKind::Reading(r) => {
                let cases = r.alternatives.iter().filter_map(|a| match &a.value.kind {
                    tree::ExprKind::Upper(text) => Some((text.as_str(), a.value.span)),
                    _ => None,
                });
                self.enum_cases(&r.name.text, cases);
            }
            ItemKind::Record { name, fields, .. } => self.parts(record(&name.text), fields),
            ItemKind::Event { name, fields, .. } => {
                let data = names.events.get(&name.text).map(|id| self.rs.events[id.at()].data);
                self.parts(data, fields);
            }
            ItemKind::Trait(t) => {
                let data = names.traits.get(&t.name.text).map(|id| self.rs.traits[id.at()].data);
                self.parts(data, &t.params);
                for member in &t.members {
                    if let TraitMemberKind::Rule(rule) = &member.kind {
                        self.bounds.extend(rule.bound.as_ref().map(|bound| (rule.name.span, bound.span)));
                    }
                }
            }
            ItemKind::Test(t) => {
                self.parts(record(&t.name.text), &t.params);
                self.parts(record(&t.name.text), &t.gives);
            }
            ItemKind::Rule(rule) => self.bounds.extend(rule.bound.as_ref().map(|b| (rule.name.span, b.span))),
            _ => {}
        }
    }

    fn enum_cases<'t>(&mut self, name: &str, cases: impl Iterator<Item = (&'t str, Span)>) {
        let Some(TypeName::Enum(id)) = self.rs.names.types.get(name) else { return };
        for (text, span) in cases {
            if let Some(at) = self.rs.enums[id.at()].cases.iter().position(|c| c == text) {
                self.cases.entry((*id, at)).or_insert(span);
            }
        }
    }

    fn parts(&mut self, record: Option<RecordId>, fields: &[tree::Formal]) {
        let Some(record) = record else { return };
        fields.iter().for_each(|f| self.noted.part(record, &f.name.text, f.name.span));
    }

    /// Returns the span of the declaration that a name refers to.
    fn place(&self, means: &Means, depth: usize) -> Option<Span> {
        let rs = self.rs;
        let item = match means {
            Means::Item(id) => Some(*id),
            Means::Type(name) => rs.item_of_type(*name),
            Means::Value(name) => rs.item_of_value(*name),
            Means::Trait(id) => Some(rs.traits.get(id.at())?.item),
            Means::Test(id) => Some(rs.functions.get(id.at())?.item),
            Means::Phase(id) => Some(rs.phases.get(id.at())?.item),
            Means::Action(id) => Some(rs.actions.get(id.at())?.item),
            Means::Event(id) => Some(rs.events.get(id.at())?.item),
            Means::Field(id) => Some(rs.fields.get(id.at())?.item),
            Means::Case(id, at) => return self.cases.get(&(*id, *at)).copied(),
            Means::Part(record, name) => return self.noted.parts.get(&(*record, name.clone())).copied(),
            Means::Ambient(id) => {
                let (func, local) = match rs.ambients.get(id.at())?.cases.first()? {
                    AmbientCase::Phase(phase, local) | AmbientCase::PhaseOfAction(_, phase, local) => {
                        (rs.phases.get(phase.at())?.func, local)
                    }
                    AmbientCase::Action(action, local) => (rs.actions.get(action.at())?.func, local),
                };
                return self.place(&Means::Param(func, local.at()), depth);
            }
            Means::Param(func, at) => return Some(rs.functions.get(func.at())?.locals.get(*at)?.span),
            Means::Local(span) => {
                return match self.noted.uses.get(span) {
                    Some(other) if depth < 4 && other != means => self.place(other, depth + 1),
                    _ => Some(*span),
                };
            }
            Means::Bound(id) => return self.bounds.get(&rs.items.get(id.at())?.span).copied(),
        };
        rs.items.get(item?.at()).map(|i| i.span)
    }
}
