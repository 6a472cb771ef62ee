//! Heads of items: the namespace of a name, and whether a replacement keeps the head of the item that it replaces.

use grognard_base::Span;
pub use grognard_syntax::short_text;
use grognard_syntax::tree::{self, Formal, Item, ItemKind, Let, Member, MemberKind, Name, TypeExpr, TypeExprKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    Type,
    Value,
    Field,
    Trait,
    Phase,
    Action,
    Rule,
    Event,
    Law,
    Policy,
}

/// The head of an item: keyword, namespace, name and title.
pub struct Head<'a> {
    /// The keyword.
    pub word: &'static str,
    /// The namespace of the name.
    pub space: Space,
    /// The kind of `let Kind.name`.
    pub of: Option<&'a Name>,
    pub name: &'a Name,
    pub title: Option<&'a tree::Text>,
}

impl<'a> Head<'a> {
    /// Returns the head of an item that declares a name.
    pub fn of(kind: &'a ItemKind) -> Option<Head<'a>> {
        let (space, name, title) = match kind {
            ItemKind::Param(p) => (Space::Value, &p.name, &p.title),
            ItemKind::Reading(r) => (Space::Value, &r.name, &r.title),
            ItemKind::Enum(e) => (Space::Type, &e.name, &e.title),
            ItemKind::Chain { name, title, .. } => (Space::Type, name, title),
            ItemKind::Die { name, title, .. } | ItemKind::Record { name, title, .. } => (Space::Type, name, title),
            ItemKind::Kind(k) => (Space::Type, &k.name, &k.title),
            ItemKind::State(s) => (Space::Value, &s.name, &s.title),
            ItemKind::Tally { name, title, .. } => (Space::Value, name, title),
            ItemKind::Event { name, title, .. } => (Space::Event, name, title),
            ItemKind::Let(l) => (if l.of.is_some() { Space::Field } else { Space::Value }, &l.name, &l.title),
            ItemKind::Table(t) => (Space::Value, &t.name, &t.title),
            ItemKind::Trait(t) => (Space::Trait, &t.name, &t.title),
            ItemKind::Test(t) => (Space::Type, &t.name, &t.title),
            ItemKind::Proc(p) => (Space::Value, &p.name, &p.title),
            ItemKind::Phase(p) => (Space::Phase, &p.name, &p.title),
            ItemKind::Action(a) => (Space::Action, &a.name, &a.title),
            ItemKind::Rule(r) => (Space::Rule, &r.name, &r.title),
            ItemKind::Law { name, title, .. } => (Space::Law, name, title),
            ItemKind::Policy { name, title, .. } => (Space::Policy, name, title),
            _ => return None,
        };
        let of = if let ItemKind::Let(l) = kind { l.of.as_ref() } else { None };
        Some(Head { word: word(kind), space, of, name, title: title.as_ref() })
    }

    /// Returns the name, prefixed with the kind for a field.
    pub fn full_name(&self) -> String {
        match self.of {
            Some(kind) => format!("{}.{}", kind.text, self.name.text),
            None => self.name.text.clone(),
        }
    }
}

/// Returns the full name and span of the item that is declared, extended or set.
pub fn about(kind: &ItemKind) -> Option<(String, Span)> {
    match kind {
        ItemKind::SetReading { name, .. }
        | ItemKind::SetCell { table: name, .. }
        | ItemKind::ExtendKind { name, .. } => Some((name.text.clone(), name.span)),
        kind => Head::of(kind).map(|head| (head.full_name(), head.name.span)),
    }
}

/// Returns the name that an item declares.
pub fn name(kind: &ItemKind) -> Option<&Name> {
    Head::of(kind).map(|head| head.name)
}

/// Returns the title of an item.
pub fn title(kind: &ItemKind) -> Option<&tree::Text> {
    Head::of(kind)?.title
}

/// Returns the keyword of an item.
pub fn word(kind: &ItemKind) -> &'static str {
    match kind {
        ItemKind::Section(_) => "section",
        ItemKind::Clause(_) => "clause",
        ItemKind::Param(_) => "param",
        ItemKind::Reading(_) | ItemKind::SetReading { .. } => "reading",
        ItemKind::Enum(_) => "enum",
        ItemKind::Chain { .. } => "chain",
        ItemKind::Die { .. } => "die",
        ItemKind::Kind(_) => "kind",
        ItemKind::ExtendKind { .. } => "extend kind",
        ItemKind::State(_) => "state",
        ItemKind::Tally { .. } => "tally",
        ItemKind::Record { .. } => "record",
        ItemKind::Event { .. } => "event",
        ItemKind::Let(_) => "let",
        ItemKind::Table(_) | ItemKind::SetCell { .. } => "table",
        ItemKind::Trait(t) => t.sort.word(),
        ItemKind::Test(_) => "test",
        ItemKind::Proc(_) => "proc",
        ItemKind::Phase(_) => "phase",
        ItemKind::Action(_) => "action",
        ItemKind::Rule(_) => "rule",
        ItemKind::Law { .. } => "law",
        ItemKind::Policy { .. } => "policy",
        ItemKind::Example(_) => "example",
        ItemKind::Change(_) => "change",
        ItemKind::Remove { .. } => "remove",
    }
}

/// Returns the span of the name of an item, or of the whole item if it has no name.
pub fn span(item: &Item) -> Span {
    match &item.kind {
        ItemKind::ExtendKind { name, .. } => name.span,
        kind => Head::of(kind).map_or(item.span, |h| h.name.span),
    }
}

/// Returns whether a variant can add such an item. A variant cannot change the state of things or the set of events.
pub fn may_be_new_in_variant(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::Let(l) => l.of.is_none() && l.value.is_some(),
        ItemKind::Proc(p) => p.body.is_some(),
        // no thing bears a status or condition when a scenario begins
        ItemKind::Trait(t) => t.sort != tree::TraitSort::Trait,
        ItemKind::Param(_) | ItemKind::Reading(_) | ItemKind::Table(_) | ItemKind::Test(_) => true,
        ItemKind::Action(_) | ItemKind::Rule(_) | ItemKind::Tally { .. } | ItemKind::Change(_) => true,
        ItemKind::Example(_) | ItemKind::Section(_) | ItemKind::Clause(_) => true,
        _ => false,
    }
}

/// Returns whether the item is declared `open`.
pub fn is_open(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::Let(l) => l.value.is_none(),
        ItemKind::Proc(p) => p.body.is_none(),
        ItemKind::Phase(p) => p.body.is_none(),
        _ => false,
    }
}

/// Returns the name of a member of a kind.
pub fn member_name(member: &Member) -> Option<&Name> {
    match &member.kind {
        MemberKind::Owner(_) => None,
        MemberKind::Stat(s) | MemberKind::State(s) => Some(&s.name),
        MemberKind::Link { name, .. } => Some(name),
        MemberKind::Let(l) => Some(&l.name),
    }
}

/// Returns the members of a kind.
pub fn members(kind: &ItemKind) -> Option<&Vec<Member>> {
    match kind {
        ItemKind::Kind(k) => Some(&k.members),
        ItemKind::ExtendKind { members, .. } => Some(members),
        _ => None,
    }
}

/// Returns the members of a kind for mutation.
pub fn members_mut(kind: &mut ItemKind) -> Option<&mut Vec<Member>> {
    match kind {
        ItemKind::Kind(k) => Some(&mut k.members),
        ItemKind::ExtendKind { members, .. } => Some(members),
        _ => None,
    }
}

/// Describes how the new head differs from the old one, or returns `None` if it does not.
pub fn difference(old: &ItemKind, new: &ItemKind, filling: bool) -> Option<String> {
    match (old, new) {
        (ItemKind::Let(a), ItemKind::Let(b)) => let_difference(a, b),
        (ItemKind::Let(a), ItemKind::Table(b)) => {
            let empty = Vec::new();
            let name = &b.name.text;
            params(name, a.params.as_ref().unwrap_or(&empty), &b.keys, filling)
                .or_else(|| result(name, a.ty.as_ref(), Some(&b.ty)))
        }
        (ItemKind::Table(a), ItemKind::Let(b)) => {
            let empty = Vec::new();
            let name = &b.name.text;
            params(name, &a.keys, b.params.as_ref().unwrap_or(&empty), filling)
                .or_else(|| result(name, Some(&a.ty), b.ty.as_ref()))
        }
        (ItemKind::Table(a), ItemKind::Table(b)) => {
            params(&b.name.text, &a.keys, &b.keys, filling).or_else(|| result(&b.name.text, Some(&a.ty), Some(&b.ty)))
        }
        (ItemKind::Test(a), ItemKind::Test(b)) => {
            let grade = |t: &tree::Test| t.grade.as_ref().map(|g| g.text.clone());
            let graded = || {
                (grade(a) != grade(b)).then(|| format!("`{}` does not grade like the test it replaces", b.name.text))
            };
            params(&b.name.text, &a.params, &b.params, filling).or_else(graded)
        }
        (ItemKind::Proc(a), ItemKind::Proc(b)) => {
            let gives = || match (&a.result, &b.result) {
                (None, Some(_)) | (Some(_), None) => {
                    Some(format!("`{}` and the item it replaces return different types", b.name.text))
                }
                (x, y) => result(&b.name.text, x.as_ref(), y.as_ref()),
            };
            params(&b.name.text, &a.params, &b.params, filling).or_else(gives)
        }
        (ItemKind::Phase(a), ItemKind::Phase(b)) => params(&b.name.text, &a.params, &b.params, filling),
        (ItemKind::Trait(a), ItemKind::Trait(b)) => {
            let bearer = || {
                (a.on.text != b.on.text)
                    .then(|| format!("`{}` belonged to {}, but here to {}", b.name.text, a.on.text, b.on.text))
            };
            params(&b.name.text, &a.params, &b.params, filling).or_else(bearer)
        }
        (ItemKind::Rule(a), ItemKind::Rule(b)) => (trigger(&a.on) != trigger(&b.on))
            .then(|| format!("`{}` was triggered {}, but here {}", b.name.text, trigger(&a.on), trigger(&b.on))),
        (ItemKind::Die { of: a, .. }, ItemKind::Die { name, of: b, .. }) => result(&name.text, Some(a), Some(b)),
        (ItemKind::Param(a), ItemKind::Param(b)) => result(&b.name.text, a.ty.as_ref(), b.ty.as_ref()),
        _ => None,
    }
}

/// Describes how the heads of two lets differ.
pub fn let_difference(old: &Let, new: &Let) -> Option<String> {
    if old.params.is_some() != new.params.is_some() {
        return Some(format!("`{}` and the item it replaces have different brackets", new.name.text));
    }
    let empty = Vec::new();
    let (a, b) = (old.params.as_ref().unwrap_or(&empty), new.params.as_ref().unwrap_or(&empty));
    params(&new.name.text, a, b, old.value.is_none())
        .or_else(|| result(&new.name.text, old.ty.as_ref(), new.ty.as_ref()))
}

fn trigger(on: &tree::Trigger) -> String {
    match on {
        tree::Trigger::Event(n) => format!("on {}", n.text),
        tree::Trigger::DestroyOf(n) => format!("on destroy of {}", n.text),
        tree::Trigger::StartOf(n) => format!("on start of {}", n.text),
        tree::Trigger::EndOf(n) => format!("on end of {}", n.text),
        tree::Trigger::StartOfAction(None) => "on start of action".into(),
        tree::Trigger::EndOfAction(None) => "on end of action".into(),
        tree::Trigger::StartOfAction(Some(n)) => format!("on start of action in {}", n.text),
        tree::Trigger::EndOfAction(Some(n)) => format!("on end of action in {}", n.text),
    }
}

fn params(name: &str, old: &[Formal], new: &[Formal], filling: bool) -> Option<String> {
    let same = |(a, b): (&Formal, &Formal)| a.name.text == b.name.text && same_type(a.ty.as_ref(), b.ty.as_ref());
    if old.len() == new.len() && old.iter().zip(new).all(same) {
        return None;
    }
    let was = if filling { "was opened with" } else { "took" };
    Some(format!("`{name}` {was} {}, but here it takes {}", shown(old), shown(new)))
}

fn result(name: &str, old: Option<&TypeExpr>, new: Option<&TypeExpr>) -> Option<String> {
    let (Some(a), Some(b)) = (old, new) else { return None };
    (!same_type(Some(a), Some(b))).then(|| format!("`{name}` was {}, but here it is {}", type_text(a), type_text(b)))
}

fn same_type(a: Option<&TypeExpr>, b: Option<&TypeExpr>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => type_text(a) == type_text(b),
        _ => false,
    }
}

fn shown(formals: &[Formal]) -> String {
    let one = |f: &Formal| match &f.ty {
        Some(ty) => format!("{}: {}", f.name.text, type_text(ty)),
        None => f.name.text.clone(),
    };
    format!("({})", formals.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// Returns a written type as text.
pub fn type_text(ty: &TypeExpr) -> String {
    let mark = if ty.optional { "?" } else { "" };
    match &ty.kind {
        TypeExprKind::Named(n) => format!("{}{mark}", n.text),
        TypeExprKind::List(n) => format!("list of {}{mark}", n.text),
        TypeExprKind::Bounded { low, high } => {
            format!("{}..{}{mark}", short_text(low), high.as_ref().map_or(String::new(), short_text))
        }
    }
}

/// Copies the result type and the title that the new item omits.
pub fn inherit(old: &ItemKind, new: &mut ItemKind) {
    match (old, new) {
        (ItemKind::Let(a), ItemKind::Let(b)) => inherit_let(a, b),
        (ItemKind::Param(a), ItemKind::Param(b)) => {
            b.title = b.title.take().or_else(|| a.title.clone());
            b.ty = b.ty.take().or_else(|| a.ty.clone());
            if b.sweep.is_empty() {
                b.sweep.clone_from(&a.sweep);
            }
        }
        (ItemKind::Table(a), ItemKind::Table(b)) => b.title = b.title.take().or_else(|| a.title.clone()),
        (ItemKind::Proc(a), ItemKind::Proc(b)) => b.title = b.title.take().or_else(|| a.title.clone()),
        (ItemKind::Phase(a), ItemKind::Phase(b)) => b.title = b.title.take().or_else(|| a.title.clone()),
        (ItemKind::Test(a), ItemKind::Test(b)) => b.title = b.title.take().or_else(|| a.title.clone()),
        _ => {}
    }
}

/// Copies the type and the title that the new let omits.
pub fn inherit_let(old: &Let, new: &mut Let) {
    new.title = new.title.take().or_else(|| old.title.clone());
    new.ty = new.ty.take().or_else(|| old.ty.clone());
}
