//! Names in examples: examples are bound to rules when they are run, so their names are looked up here.

use crate::base::{Sources, Span};
use crate::rules::Names;
use crate::rules::index::{Index, Means};
use crate::rules::ruleset::{Example, Ruleset, TypeName, ValueName};
use crate::scenario::examples::stand_ins;
use crate::syntax::{Lexeme, scan};
use crate::value::*;
use std::collections::BTreeMap;

/// Adds the names in the examples of a ruleset to its index.
pub(super) fn note(rules: &Ruleset, names: &mut Names, sources: &Sources) {
    let index = &mut names.index;
    let mut by_item: BTreeMap<ItemId, Span> = BTreeMap::new();
    let mut cases: BTreeMap<(EnumId, usize), Span> = BTreeMap::new();
    let mut parts: BTreeMap<(RecordId, String), Span> = BTreeMap::new();
    for (place, means) in &index.declared {
        match means {
            Means::Item(id) => drop(by_item.insert(*id, *place)),
            Means::Case(id, at) => drop(cases.insert((*id, *at), *place)),
            Means::Part(record, name) => drop(parts.insert((*record, name.clone()), *place)),
            _ => {}
        }
    }
    for example in &rules.examples {
        let (stands, bound) = (BTreeMap::new(), BTreeMap::new());
        let reader = Reader { rules, example, by_item: &by_item, cases: &cases, parts: &parts, stands, bound };
        reader.read(index, sources);
    }
}

struct Reader<'r> {
    rules: &'r Ruleset,
    example: &'r Example,
    by_item: &'r BTreeMap<ItemId, Span>,
    cases: &'r BTreeMap<(EnumId, usize), Span>,
    parts: &'r BTreeMap<(RecordId, String), Span>,
    /// Who is there: the kind, and where the name stands first.
    stands: BTreeMap<String, (KindId, Option<Span>)>,
    /// Names that queries bind.
    bound: BTreeMap<String, Span>,
}

impl Reader<'_> {
    fn read(mut self, index: &mut Index, sources: &Sources) {
        let span = self.example.span;
        let text = sources.slice(span);
        let known = stand_ins(self.rules, &self.example.tree);
        self.stands = known.into_iter().map(|(name, kind)| (name, (kind, None))).collect();
        let tokens: Vec<_> = scan(text).filter(|t| !matches!(t.kind, Lexeme::Newline | Lexeme::Comment)).collect();
        // what the brackets around a place are of
        let mut calls: Vec<&str> = Vec::new();
        for (n, token) in tokens.iter().enumerate() {
            match token.kind {
                Lexeme::Open => calls.push(n.checked_sub(1).map_or("", |at| tokens[at].text(text))),
                Lexeme::Close => drop(calls.pop()),
                _ => {}
            }
            if token.kind != Lexeme::Word {
                continue;
            }
            let word = token.text(text);
            let here = Span::new(span.file, span.start as usize + token.start, span.start as usize + token.end);
            let before = |back: usize| n.checked_sub(back).map_or("", |at| tokens[at].text(text));
            let after = tokens.get(n + 1).map_or("", |t| t.text(text));
            let place = if before(1) == "." {
                self.field(before(2), word)
            } else if after == ":" && matches!(before(1), "(" | ",") && calls.last().is_some_and(|c| !c.is_empty()) {
                self.argument(calls.last().copied().unwrap_or_default(), word, index)
            } else if after == "in" && matches!(before(1), "any" | "every" | "count" | "no" | "sum" | "most" | "least")
            {
                self.bound.insert(word.to_string(), here);
                index.declared.insert(here, Means::Local(here));
                Some(here)
            } else {
                self.name(word, here, index)
            };
            if let Some(place) = place {
                index.uses.insert(sources.origin(here), place);
            }
        }
    }

    /// What an argument is called: a figure of a status, a part of an event or record, or a parameter.
    fn argument(&self, of: &str, name: &str, index: &Index) -> Option<Span> {
        let (rules, names) = (self.rules, &self.rules.names);
        let data = names.traits.get(of).map(|id| rules.traits[id.at()].data);
        let data = data.or_else(|| names.events.get(of).map(|id| rules.events[id.at()].data));
        if let Some(data) = data {
            return self.parts.get(&(data, name.to_string())).copied();
        }
        let func = names.tests.get(of).copied().or_else(|| match names.values.get(of)? {
            ValueName::Let(id) | ValueName::Proc(id) => Some(*id),
            _ => None,
        });
        let func = func.or_else(|| names.phases.get(of).map(|id| rules.phases[id.at()].func));
        let func = func.or_else(|| names.actions.get(of).map(|id| rules.actions[id.at()].func))?;
        let locals = &rules.functions.get(func.at())?.locals;
        locals.iter().find(|l| l.name == name).map(|l| l.span).filter(|span| index.declared.contains_key(span))
    }

    fn item(&self, id: ItemId) -> Option<Span> {
        self.by_item.get(&id).copied()
    }

    /// A field of something: of a stand-in if it is one, else of the only kind that has it, else a part of a result.
    fn field(&self, of: &str, name: &str) -> Option<Span> {
        let fields = &self.rules.names.fields;
        if let Some((kind, _)) = self.stands.get(of) {
            let field = fields.get(&(*kind, name.to_string()))?;
            return self.item(self.rules.fields[field.at()].item);
        }
        if let Some(TypeName::Enum(id)) = self.rules.names.types.get(of) {
            let at = self.rules.enums[id.at()].cases.iter().position(|c| c == name)?;
            return self.cases.get(&(*id, at)).copied();
        }
        let mut having = fields.iter().filter(|((_, own), _)| own == name);
        match (having.next(), having.next()) {
            (Some((_, field)), None) => self.item(self.rules.fields[field.at()].item),
            _ => None,
        }
    }

    fn name(&mut self, word: &str, here: Span, index: &mut Index) -> Option<Span> {
        let (rules, names) = (self.rules, &self.rules.names);
        if let Some((kind, first)) = self.stands.get_mut(word) {
            let first = *first.get_or_insert(here);
            index.declared.entry(first).or_insert(Means::Local(first));
            index.types.insert(first, Type::Kind(*kind));
            return Some(first);
        }
        if word.starts_with(|c: char| c.is_ascii_uppercase()) {
            let function = |id: &FuncId| rules.functions.get(id.at()).map(|f| f.item);
            let item = names.tests.get(word).and_then(function);
            let item = item.or_else(|| names.phases.get(word).map(|id| rules.phases[id.at()].item));
            let item = item.or_else(|| names.actions.get(word).map(|id| rules.actions[id.at()].item));
            let item = item.or_else(|| names.events.get(word).map(|id| rules.events[id.at()].item));
            let item = item.or_else(|| names.traits.get(word).map(|id| rules.traits[id.at()].item));
            let item = item.or_else(|| match names.types.get(word)? {
                TypeName::Enum(id) => Some(rules.enums[id.at()].item),
                TypeName::Chain(id) => Some(rules.chains[id.at()].item),
                TypeName::Die(id) => Some(rules.dice[id.at()].item),
                TypeName::Record(id) => Some(rules.records[id.at()].item),
                TypeName::Kind(id) => Some(rules.kinds[id.at()].item),
            });
            if let Some(item) = item {
                return self.item(item);
            }
            return match names.cases.get(word)?.as_slice() {
                [(id, at)] => self.cases.get(&(*id, usize::try_from(*at).ok()?)).copied(),
                _ => None,
            };
        }
        if let Some(place) = self.bound.get(word).copied().or_else(|| self.result(word)) {
            return Some(place);
        }
        let Some(value) = names.values.get(word) else { return index.decisions.get(word).copied() };
        let item = match value {
            ValueName::Setting(id) => rules.settings[id.at()].item,
            ValueName::Let(id) | ValueName::Proc(id) => rules.functions.get(id.at())?.item,
            ValueName::Global(id) => rules.globals[id.at()].item,
            ValueName::Tally(id) => rules.tallies[id.at()].item,
        };
        self.item(item)
    }

    /// A part of what the call gives: claims name it.
    fn result(&self, word: &str) -> Option<Span> {
        let call = self.example.tree.call.as_ref()?;
        let test = self.rules.names.tests.get(&call.name.text)?;
        let Type::Record(record) = self.rules.functions.get(test.at())?.result else { return None };
        self.parts.get(&(record, word.to_string())).copied()
    }
}
