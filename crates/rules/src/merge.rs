//! Merges base, extensions and variant into one list of items. A replacement keeps the position of the item that it
//! replaces.

mod cells;
mod change;
mod edits;
pub mod head;
mod under;

use grognard_base::{Code, Diagnostic, FileId, Sources, Span, did_you_mean};
use grognard_syntax::tree::{self, Item, ItemKind, Let, MemberKind, Name, TraitMemberKind};
use grognard_syntax::{self as syntax};
use head::{Head, Space};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Merges the files of a chain, base first. Texts of items that a file changes in part are added to the sources.
pub fn merge(files: Vec<tree::File>, sources: &mut Sources) -> Merged {
    let mut merger = Merger {
        sources,
        items: Vec::new(),
        names: HashMap::new(),
        patched: HashSet::new(),
        bare: HashMap::new(),
        waiting: Vec::new(),
        titles: HashMap::new(),
        problems: Vec::new(),
        depth: 0,
        variant: false,
        below: Vec::new(),
        named: Vec::new(),
    };
    for (depth, file) in files.into_iter().enumerate() {
        merger.depth = depth;
        merger.variant = file.header.as_ref().is_some_and(|h| h.variant);
        for item in file.items {
            merger.take(item);
        }
        merger.apply_waiting();
    }
    let Merger { items, problems, below, named, .. } = merger;
    Merged { items: items.into_iter().flatten().collect(), problems, below, named }
}

/// The exceptions in a file to its own items.
pub struct Exceptions {
    /// The file, and the texts of its items with their exceptions.
    pub sources: Sources,
    /// The items with their exceptions.
    pub items: Vec<Arc<Item>>,
    /// The parts of items that lines of exceptions name, each with the line.
    pub named: Vec<(Span, Span)>,
}

/// Returns the exceptions in a file to its own items, or `None` if it has no exceptions.
pub fn exceptions(file: &tree::File, sources: &Sources) -> Option<Exceptions> {
    let has = |item: &Arc<Item>| matches!(&item.kind, ItemKind::Change(change) if change.under.is_some());
    if !file.items.iter().any(has) {
        return None;
    }
    let mut sources = sources.clone();
    let Merged { mut items, named, .. } = merge(vec![file.clone()], &mut sources);
    items.retain(|item| item.span.file != file.file);
    Some(Exceptions { sources, items, named })
}

/// The merged files of a chain.
pub struct Merged {
    /// The items. Each replacement is in the position of the item that it replaces.
    pub items: Vec<Arc<Item>>,
    /// Diagnostics.
    pub problems: Vec<Diagnostic>,
    /// Names that replace, fill, change or remove an item below, each with the name of that item.
    pub below: Vec<(Span, Span)>,
    /// Parts of items that lines of exceptions name, each with the line.
    named: Vec<(Span, Span)>,
}

/// The declaration of a name.
#[derive(Clone, Copy)]
struct Place {
    item: usize,
    /// Index of the member of a kind, if the name is a member.
    member: Option<usize>,
    span: Span,
    /// Index of the file in the chain.
    depth: usize,
}

struct Merger<'s> {
    sources: &'s mut Sources,
    items: Vec<Option<Arc<Item>>>,
    names: HashMap<(Space, String), Place>,
    /// Tables in which single cells were changed.
    patched: HashSet<usize>,
    /// Items that were changed, without their exceptions.
    bare: HashMap<(Space, String), change::Bare>,
    /// Exceptions of the current file, which are applied after its other items.
    waiting: Vec<Arc<Item>>,
    /// Names of examples, by depth.
    titles: HashMap<(usize, String), Span>,
    problems: Vec<Diagnostic>,
    depth: usize,
    variant: bool,
    below: Vec<(Span, Span)>,
    named: Vec<(Span, Span)>,
}

impl Merger<'_> {
    fn take(&mut self, item: Arc<Item>) {
        match &item.kind {
            ItemKind::Section(_) | ItemKind::Clause(_) => {}
            ItemKind::Remove { what, name } => self.remove(*what, name),
            ItemKind::SetReading { name, .. } => {
                if self.below(Space::Value, "reading", name).is_some() {
                    self.items.push(Some(item));
                }
            }
            ItemKind::SetCell { .. } => self.set_cell(item),
            ItemKind::Change(change) if change.under.is_some() => self.waiting.push(item),
            ItemKind::Change(_) => self.change(&[item]),
            _ if item.overrides => self.replace(item),
            _ => self.add(item),
        }
    }

    /// Handles a declaration without `override`: a new item, or one that fills an open item.
    fn add(&mut self, item: Arc<Item>) {
        if self.variant && !head::may_be_new_in_variant(&item.kind) {
            let what = head::word(&item.kind);
            let message = match &item.kind {
                ItemKind::Let(Let { of: Some(kind), name, .. }) => format!(
                    "a variant cannot add a field to {0}; write `let {1}(x: {0})`, which is not a field",
                    kind.text, name.text
                ),
                _ => format!("a variant cannot declare a new {what}"),
            };
            self.problems.push(Diagnostic::new(Code::NotInVariant, head::span(&item), message));
        }
        let Some(head) = Head::of(&item.kind) else {
            if let ItemKind::Example(example) = &item.kind {
                self.title_once(&example.title);
            }
            return self.push(item);
        };
        let key = (head.space, head.full_name());
        match self.names.get(&key).copied() {
            None => self.push(item),
            Some(place) if place.depth < self.depth && self.is_open(place) => self.fill(place, item),
            Some(place) => self.say_twice(&head, place),
        }
    }

    /// Reports an example with the title of another one of the same rules. An edition names an example by its title.
    fn title_once(&mut self, title: &Name) {
        let place = (self.depth, title.text.clone());
        if let Some(first) = self.titles.get(&place) {
            let message = format!("two examples are named \"{}\"", title.text);
            let found = Diagnostic::new(Code::Twice, title.span, message).help("give each example a name of its own");
            self.problems.push(found.and(*first, "the other one is here"));
        } else {
            self.titles.insert(place, title.span);
        }
    }

    fn say_twice(&mut self, head: &Head, place: Place) {
        let Head { word, name, .. } = head;
        let shown = head.full_name();
        let (code, message) = if place.depth < self.depth {
            (Code::MissingOverride, format!("`{word} {shown}` already exists; write `override` to replace it"))
        } else {
            (Code::Twice, format!("`{shown}` is declared twice"))
        };
        self.problems.push(Diagnostic::new(code, name.span, message).and(place.span, "declared here first"));
    }

    /// Appends an item and records its name and those of its members.
    fn push(&mut self, item: Arc<Item>) {
        let at = self.items.len();
        let mut found: Vec<((Space, String), &Name, Option<usize>)> = Vec::new();
        if let Some(head) = Head::of(&item.kind) {
            found.push(((head.space, head.full_name()), head.name, None));
        }
        for (index, kind, name) in members(&item.kind) {
            found.push(((Space::Field, format!("{}.{}", kind.text, name.text)), name, Some(index)));
        }
        for (key, name, member) in found {
            if let Some(first) = self.names.get(&key) {
                let code = if first.depth < self.depth { Code::MissingOverride } else { Code::Twice };
                let message = format!("`{}` is already declared", key.1);
                self.problems.push(Diagnostic::new(code, name.span, message).and(first.span, "declared here first"));
                continue;
            }
            self.names.insert(key, Place { item: at, member, span: name.span, depth: self.depth });
        }
        self.items.push(Some(item));
    }

    fn is_open(&self, place: Place) -> bool {
        self.item(place).is_some_and(|i| place.member.is_none() && head::is_open(&i.kind))
    }

    fn item(&self, place: Place) -> Option<&Item> {
        self.items.get(place.item).and_then(Option::as_deref)
    }

    /// Replaces an open item by a plain declaration.
    fn fill(&mut self, place: Place, mut item: Arc<Item>) {
        self.keep_head(place, Arc::make_mut(&mut item), true);
        self.put(place, item);
    }

    /// Replaces the item below by the item of an `override ...`.
    fn replace(&mut self, mut item: Arc<Item>) {
        if let ItemKind::Example(example) = &item.kind {
            if let Some(at) = self.example_below(&example.title, "override") {
                self.items[at] = Some(item);
            }
            return;
        }
        let Some(head) = Head::of(&item.kind) else { return };
        let (space, full, word, span) = (head.space, head.full_name(), head.word, head.name.span);
        let Some(place) = self.find_below(space, &full, word, span) else {
            // the error is reported; the names are still declared, so that their uses cause no further errors
            if !self.names.contains_key(&(space, full)) {
                self.push(item);
            }
            return;
        };
        if place.member.is_some() {
            return self.replace_member(place, item);
        }
        let old = self.item(place).map(|i| head::word(&i.kind)).unwrap_or(word);
        let alike = old == word || (is_value(old) && is_value(word));
        if !alike {
            let message =
                format!("`{full}` is {} {old} in the rules below, not {} {word}", article(old), article(word));
            self.problems.push(Diagnostic::new(Code::Signature, span, message).and(place.span, "declared here"));
            return;
        }
        self.keep_head(place, Arc::make_mut(&mut item), false);
        self.put(place, item);
    }

    /// Reports a head that differs, and copies the omitted parts of the head from the old item.
    fn keep_head(&mut self, place: Place, item: &mut Item, filling: bool) {
        let Some(old) = self.item(place) else { return };
        let found = head::difference(&old.kind, &item.kind, filling);
        head::inherit(&old.kind, &mut item.kind);
        // a param with another value keeps its meaning, and so its cites
        if !filling
            && item.cites.is_empty()
            && matches!((&old.kind, &item.kind), (ItemKind::Param(_), ItemKind::Param(_)))
        {
            item.cites.clone_from(&old.cites);
            item.cited.extend(old.cites.iter().cloned());
        }
        if let Some(message) = found {
            let at = head::span(item);
            self.problems.push(Diagnostic::new(Code::Signature, at, message).and(place.span, "declared here"));
        }
    }

    fn put(&mut self, place: Place, item: Arc<Item>) {
        if let Some(head) = Head::of(&item.kind) {
            let key = (head.space, head.full_name());
            self.below.push((head.name.span, place.span));
            let new = Place { span: head.name.span, depth: self.depth, ..place };
            self.names.insert(key, new);
        }
        self.items[place.item] = Some(item);
    }

    /// Replaces a `let` in a kind by the item of an `override let Unit.x`.
    fn replace_member(&mut self, place: Place, item: Arc<Item>) {
        let Item { cites, cited, kind: ItemKind::Let(mut new), span, .. } = Arc::unwrap_or_clone(item) else { return };
        let key = (Space::Field, format!("{}.{}", new.of.as_ref().map_or("", |k| &k.text), new.name.text));
        let depth = self.depth;
        let Some(slot) = self.items.get_mut(place.item).and_then(Option::as_mut).map(Arc::make_mut) else { return };
        let Some(member) = place.member.and_then(|m| head::members_mut(&mut slot.kind)?.get_mut(m)) else { return };
        let problem = match &mut member.kind {
            MemberKind::Let(old) => {
                let found = head::let_difference(old, &new);
                head::inherit_let(old, &mut new);
                new.of = None;
                found
            }
            _ => Some(format!("`{}` is not a `let`; only a `let` of a kind can be overridden", key.1)),
        };
        let name = new.name.span;
        if let Some(message) = problem {
            self.problems.push(Diagnostic::new(Code::Signature, name, message).and(place.span, "declared here"));
            return;
        }
        *member = tree::Member { cites, cited, kind: MemberKind::Let(new), span };
        self.below.push((name, place.span));
        self.names.insert(key, Place { span: name, depth, ..place });
    }

    /// Returns the declaration of a name below this file. Reports an error if it does not exist.
    fn find_below(&mut self, space: Space, full: &str, word: &str, span: Span) -> Option<Place> {
        let depth = self.depth;
        let found = self.names.get(&(space, full.to_string())).copied();
        if let Some(place) = found.filter(|p| p.depth < depth) {
            return Some(place);
        }
        let message = match found {
            Some(_) => format!("`{word} {full}` is declared in this file, so there is nothing to replace"),
            None if self.names.iter().any(|((s, n), p)| *s != space && n == full && p.depth < depth) => {
                let other = self.names.iter().find(|((s, n), p)| *s != space && n == full && p.depth < depth);
                let old = other.and_then(|(_, p)| self.item(*p)).map_or("something else", |i| head::word(&i.kind));
                format!("`{full}` is {} {old} in the rules below, not {} {word}", article(old), article(word))
            }
            None => {
                let known = self.names.iter().filter(|((s, _), p)| *s == space && p.depth < depth);
                let names: Vec<&str> = known.map(|((_, n), _)| n.as_str()).collect();
                let near = did_you_mean(full, names.iter().copied());
                format!("the rules below this file have no `{word} {full}`{near}")
            }
        };
        self.problems.push(Diagnostic::new(Code::NoOverride, span, message));
        None
    }

    fn below(&mut self, space: Space, word: &str, name: &Name) -> Option<Place> {
        self.find_below(space, &name.text, word, name.span)
    }

    /// Removes the item below that a `remove rule X` names.
    fn remove(&mut self, what: tree::RemoveWhat, name: &Name) {
        use tree::RemoveWhat as W;
        let (space, word) = match what {
            W::Action => (Space::Action, "action"),
            W::Rule => (Space::Rule, "rule"),
            W::Law => (Space::Law, "law"),
            W::Policy => (Space::Policy, "policy"),
            W::Example => {
                if let Some(at) = self.example_below(name, "remove") {
                    self.items[at] = None;
                }
                return;
            }
        };
        if let Some(place) = self.below(space, word, name) {
            self.below.push((name.span, place.span));
            self.items[place.item] = None;
            self.names.remove(&(space, name.text.clone()));
        }
    }

    /// Returns the index of an example in a file below this one. Reports an error if no example has this title.
    fn example_below(&mut self, name: &Name, doing: &str) -> Option<usize> {
        let title = |i: &Item| match &i.kind {
            ItemKind::Example(e) if e.title.span.file != name.span.file => Some(e.title.text.clone()),
            _ => None,
        };
        let found = self.items.iter().position(|i| i.as_deref().and_then(title).as_deref() == Some(&name.text));
        if found.is_none() {
            let titles: Vec<String> = self.items.iter().flatten().filter_map(|item| title(item)).collect();
            let near = did_you_mean(&name.text, titles.iter().map(String::as_str));
            let message = format!("there is no example \"{}\" to {doing}{near}", name.text);
            self.problems.push(Diagnostic::new(Code::NoOverride, name.span, message));
        }
        found
    }

    /// Changes the cell below that an `override table[k, k] = v` names.
    fn set_cell(&mut self, item: Arc<Item>) {
        let item = Arc::unwrap_or_clone(item);
        let ItemKind::SetCell { table: name, keys, value } = item.kind else { return };
        let Some(place) = self.below(Space::Value, "table", &name) else { return };
        self.below.push((name.span, place.span));
        let cases = |ty: &str| cells::cases_of(self.items.iter().flatten().map(Arc::as_ref), ty);
        let Some(ItemKind::Table(table)) = self.item(place).map(|i| &i.kind) else {
            let message = format!("`{}` is not a table; only a table has cells", name.text);
            self.problems.push(Diagnostic::new(Code::NoOverride, name.span, message).and(place.span, "declared here"));
            return;
        };
        let change = match cells::find(table, &keys, &cases) {
            Ok(change) => change,
            Err((code, span, message)) => {
                let span = span.unwrap_or(name.span);
                self.problems.push(Diagnostic::new(code, span, message).and(place.span, "the table"));
                return;
            }
        };
        self.patched.insert(place.item);
        if let Some(Item { kind: ItemKind::Table(table), cited, .. }) =
            self.items[place.item].as_mut().map(Arc::make_mut)
        {
            cited.extend(item.cited);
            cells::apply(table, change, &keys, value, &item.cites);
        }
    }
}

/// Returns the named members of a kind: index, kind and name. Helpers of traits have no index and get `usize::MAX`.
fn members(kind: &ItemKind) -> Vec<(usize, &Name, &Name)> {
    let (kind, members) = match kind {
        ItemKind::Kind(k) => (&k.name, &k.members),
        ItemKind::ExtendKind { name, members } => (name, members),
        ItemKind::Trait(t) => {
            let lets = t.members.iter().filter_map(|m| match &m.kind {
                TraitMemberKind::Let(l) => Some((usize::MAX, &t.on, &l.name)),
                _ => None,
            });
            return lets.collect();
        }
        _ => return Vec::new(),
    };
    let named = |(index, member): (usize, &'_ tree::Member)| head::member_name(member).map(|_| index);
    let found: Vec<usize> = members.iter().enumerate().filter_map(named).collect();
    found.into_iter().filter_map(|i| head::member_name(&members[i]).map(|n| (i, kind, n))).collect()
}

fn is_value(word: &str) -> bool {
    matches!(word, "let" | "table")
}

pub(crate) fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// Returns the index in the chain of the file that contains a span, or of the file next to its examples.
pub fn depth_of(files: &[FileId], span: Span, sources: &Sources) -> usize {
    let author = sources.author(span.file);
    let name = |file: FileId| sources.get(file).map_or("", |source| source.name.as_str());
    let owner = rules_of(name(author));
    let beside = || files.iter().position(|f| owner.as_deref().is_some_and(|owner| name(*f) == owner));
    files.iter().position(|f| *f == author).or_else(beside).unwrap_or(0)
}

/// Returns the rules file next to a file of examples, or `None` for another file.
pub fn rules_of(path: &str) -> Option<String> {
    path.strip_suffix(syntax::EXAMPLES).map(|name| format!("{name}.rules"))
}
