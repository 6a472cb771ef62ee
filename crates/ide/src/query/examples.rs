//! Indexes the names in examples. Examples are bound to the rules only when they run, so their names are resolved here, on demand
//! for each file.

use super::Analysis;
use grognard_base::value::*;
use grognard_base::{FileId, OrdMap, OrdSet, Sources, Span};
use grognard_rules::index::{Index, Means};
use grognard_rules::ruleset::{Example, Ruleset, TypeName, ValueName};
use grognard_scenario::examples::stand_ins;
use grognard_syntax::{Lexeme, scan};
use std::rc::Rc;

impl Analysis {
    /// Returns the index of the names in the examples of a file. The result is cached.
    pub(super) fn in_examples(&self, file: FileId) -> Rc<Index> {
        if let Some(known) = self.shown.borrow().get(&file) {
            return known.clone();
        }
        let found = Rc::new(names_in(&self.rules, &self.names.index, &self.sources, file));
        self.shown.borrow_mut().insert(file, found.clone());
        found
    }

    /// Returns the files that contain examples.
    fn files_with_examples(&self) -> OrdSet<FileId> {
        self.rules.examples.iter().map(|example| self.sources.origin(example.span).file).collect()
    }

    /// Returns the use of a name at a byte offset, and its declaration.
    pub(super) fn name_at(&self, file: FileId, offset: u32) -> Option<(Span, Span)> {
        self.names.index.at(file, offset).or_else(|| self.in_examples(file).at(file, offset))
    }

    /// Returns the meaning of a declaration.
    pub(super) fn declared(&self, at: Span) -> Option<Means> {
        let own = self.names.index.declared.get(&at).cloned();
        own.or_else(|| self.in_examples(at.file).declared.get(&at).cloned())
    }

    /// Returns the type of the variable that is declared at a span.
    pub(super) fn variable(&self, at: Span) -> Option<Type> {
        // An example can determine a type that the rules leave open.
        let shown = self.in_examples(at.file).types.get(&at).cloned();
        shown.or_else(|| self.names.index.types.get(&at).cloned())
    }

    /// Returns all uses of names with their declarations, in one file or in all files.
    pub(super) fn uses(&self, only: Option<FileId>) -> Vec<(Span, Span)> {
        let files = only.map_or_else(|| self.files_with_examples(), |file| OrdSet::from([file]));
        let here = |(at, _): &(Span, Span)| only.is_none_or(|file| at.file == file);
        let own = self.names.index.uses.iter().map(|(at, declared)| (*at, *declared));
        let mut all: Vec<(Span, Span)> = own.filter(here).collect();
        for file in files {
            all.extend(self.in_examples(file).uses.iter().map(|(at, declared)| (*at, *declared)));
        }
        all
    }
}

/// Computes the index of the names in the examples of a file.
fn names_in(rules: &Ruleset, known: &Index, sources: &Sources, file: FileId) -> Index {
    let mut index = Index::default();
    let here = |span: Span| span.file == file || sources.origin(span).file == file;
    let mut examples = rules.examples.iter().filter(|e| here(e.span)).peekable();
    if examples.peek().is_none() {
        return index;
    }
    let mut places = Places::default();
    for (place, means) in &known.declared {
        match means {
            Means::Item(id) => drop(places.items.insert(*id, *place)),
            Means::Case(id, at) => drop(places.cases.insert((*id, *at), *place)),
            Means::Part(record, name) => drop(places.parts.insert((*record, name.as_str()), *place)),
            _ => {}
        }
    }
    for ((_, name), field) in &rules.names.fields {
        places.fields.entry(name).and_modify(|one| *one = None).or_insert(Some(*field));
    }
    for example in examples {
        let (stand_ins, bound) = (OrdMap::new(), OrdMap::new());
        let reader = Reader { rules, example, known, places: &places, stand_ins, bound };
        reader.read(&mut index, sources);
    }
    index
}

/// The spans of declarations.
#[derive(Default)]
struct Places<'r> {
    items: OrdMap<ItemId, Span>,
    cases: OrdMap<(EnumId, usize), Span>,
    parts: OrdMap<(RecordId, &'r str), Span>,
    /// Fields by name, or `None` if several kinds have a field with the name.
    fields: OrdMap<&'r str, Option<FieldId>>,
}

struct Reader<'r> {
    rules: &'r Ruleset,
    example: &'r Example,
    /// The names outside examples.
    known: &'r Index,
    places: &'r Places<'r>,
    /// The stand-ins: their kind, and the first occurrence of the name.
    stand_ins: OrdMap<String, (KindId, Option<Span>)>,
    /// The names that queries bind.
    bound: OrdMap<String, Span>,
}

impl Reader<'_> {
    fn read(mut self, index: &mut Index, sources: &Sources) {
        let span = self.example.span;
        let text = sources.slice(span);
        let known = stand_ins(self.rules, &self.example.tree);
        self.stand_ins = known.into_iter().map(|(name, kind)| (name, (kind, None))).collect();
        let tokens: Vec<_> = scan(text).filter(|t| !matches!(t.kind, Lexeme::Newline | Lexeme::Comment)).collect();
        // The names of the calls around the current token.
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
            let place = if let Some(roll) = self.roll(here) {
                roll
            } else if before(1) == "." {
                self.field(before(2), word)
            } else if after == ":" && matches!(before(1), "(" | ",") && calls.last().is_some_and(|c| !c.is_empty()) {
                self.argument(calls.last().copied().unwrap_or_default(), word)
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

    /// Returns the declaration of a name after `rolling`, or `None` at another place. Before a point, the name is that of the proc
    /// or test that rolls.
    fn roll(&self, here: Span) -> Option<Option<Span>> {
        let mut rolls = self.example.tree.rolling.iter().filter_map(|throw| throw.roll.as_ref());
        let roll = rolls
            .find(|roll| roll.span.file == here.file && roll.span.start <= here.start && here.end <= roll.span.end)?;
        let owner = roll.text.split_once('.').map(|(owner, _)| owner).filter(|_| here.start == roll.span.start);
        let Some(owner) = owner else { return Some(self.known.decisions.get(&roll.text).copied()) };
        let function = self.rules.functions.iter().find(|function| function.name == owner);
        Some(function.and_then(|function| self.item(function.item)))
    }

    /// Returns the declaration of a named argument: a field of a status, event or record, or a parameter.
    fn argument(&self, of: &str, name: &str) -> Option<Span> {
        let (rules, names) = (self.rules, &self.rules.names);
        let data = names.traits.get(of).map(|id| rules.traits[id.at()].data);
        let data = data.or_else(|| names.events.get(of).map(|id| rules.events[id.at()].data));
        if let Some(data) = data {
            return self.places.parts.get(&(data, name)).copied();
        }
        let func = names.tests.get(of).copied().or_else(|| match names.values.get(of)? {
            ValueName::Let(id) | ValueName::Proc(id) => Some(*id),
            _ => None,
        });
        let func = func.or_else(|| names.phases.get(of).map(|id| rules.phases[id.at()].func));
        let func = func.or_else(|| names.actions.get(of).map(|id| rules.actions[id.at()].func))?;
        let locals = &rules.functions.get(func.at())?.locals;
        locals.iter().find(|l| l.name == name).map(|l| l.span).filter(|span| self.known.declared.contains_key(span))
    }

    fn item(&self, id: ItemId) -> Option<Span> {
        self.places.items.get(&id).copied()
    }

    /// Returns the declaration of a field: of a stand-in, a case of an enum, or a field of the only kind that has it.
    fn field(&self, of: &str, name: &str) -> Option<Span> {
        let fields = &self.rules.names.fields;
        if let Some((kind, _)) = self.stand_ins.get(of) {
            let field = fields.get(&(*kind, name.to_string()))?;
            return self.item(self.rules.fields[field.at()].item);
        }
        if let Some(TypeName::Enum(id)) = self.rules.names.types.get(of) {
            let at = self.rules.enums[id.at()].cases.iter().position(|c| c == name)?;
            return self.places.cases.get(&(*id, at)).copied();
        }
        let field = (*self.places.fields.get(name)?)?;
        self.item(self.rules.fields[field.at()].item)
    }

    fn name(&mut self, word: &str, here: Span, index: &mut Index) -> Option<Span> {
        let (rules, names) = (self.rules, &self.rules.names);
        if let Some((kind, first)) = self.stand_ins.get_mut(word) {
            let first = *first.get_or_insert(here);
            if !self.known.declared.contains_key(&first) {
                index.declared.entry(first).or_insert(Means::Local(first));
            }
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
            let item = item.or_else(|| rules.item_of_type(*names.types.get(word)?));
            if let Some(item) = item {
                return self.item(item);
            }
            return match names.cases.get(word)?.as_slice() {
                [(id, at)] => self.places.cases.get(&(*id, usize::try_from(*at).ok()?)).copied(),
                _ => None,
            };
        }
        if let Some(place) = self.bound.get(word).copied().or_else(|| self.result(word)) {
            return Some(place);
        }
        let Some(value) = names.values.get(word) else { return self.known.decisions.get(word).copied() };
        self.item(rules.item_of_value(*value)?)
    }

    /// Returns the declaration of a field of the test's result, which claims can name.
    fn result(&self, word: &str) -> Option<Span> {
        let call = self.example.tree.call.as_ref()?;
        let test = self.rules.names.tests.get(&call.name.text)?;
        let Type::Record(record) = self.rules.functions.get(test.at())?.result else { return None };
        self.places.parts.get(&(record, word)).copied()
    }
}
