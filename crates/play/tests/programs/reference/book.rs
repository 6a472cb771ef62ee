//! Merges the declarations of a ruleset and its variant, as syntax trees.

use grognard_syntax::tree::*;
use std::collections::BTreeMap;

/// Declarations by name.
#[derive(Default)]
pub struct Book {
    pub params: BTreeMap<String, Param>,
    pub readings: BTreeMap<String, Reading>,
    pub enums: Vec<Enum>,
    pub chains: Vec<(String, Vec<u32>)>,
    pub dice: Vec<(String, Vec<DieSide>)>,
    pub kinds: Vec<Kind>,
    pub states: Vec<Slot>,
    pub tallies: Vec<String>,
    pub records: BTreeMap<String, Vec<Formal>>,
    pub events: BTreeMap<String, Vec<Formal>>,
    pub lets: BTreeMap<String, Let>,
    pub kind_lets: BTreeMap<(String, String), Let>,
    pub tables: BTreeMap<String, Table>,
    pub traits: Vec<Trait>,
    pub tests: BTreeMap<String, Test>,
    pub procs: BTreeMap<String, Proc>,
    pub phases: BTreeMap<String, Phase>,
    pub actions: Vec<Action>,
    /// Rules without a trait, in the order in which they run.
    pub rules: Vec<Rule>,
    pub laws: Vec<Expr>,
    pub policies: BTreeMap<String, Vec<PolicyEntry>>,
}

/// Returns the keyword and the name of an item that a later file may override or remove.
fn head(item: &ItemKind) -> (&'static str, String) {
    let of = |word, name: &Name| (word, name.text.clone());
    match item {
        ItemKind::Param(p) => of("param", &p.name),
        ItemKind::Reading(r) => of("reading", &r.name),
        ItemKind::Let(l) => ("let", l.of.as_ref().map_or(String::new(), |k| k.text.clone() + ".") + &l.name.text),
        ItemKind::Table(t) => of("table", &t.name),
        ItemKind::Trait(t) => of("trait", &t.name),
        ItemKind::Test(t) => of("test", &t.name),
        ItemKind::Proc(p) => of("proc", &p.name),
        ItemKind::Phase(p) => of("phase", &p.name),
        ItemKind::Action(a) => of("action", &a.name),
        ItemKind::Rule(r) => of("rule", &r.name),
        ItemKind::Law { name, .. } => of("law", name),
        ItemKind::Policy { name, .. } => of("policy", name),
        ItemKind::Die { name, .. } => of("die", name),
        ItemKind::Chain { name, .. } => of("chain", name),
        _ => ("", String::new()),
    }
}

fn removed(what: RemoveWhat) -> &'static str {
    match what {
        RemoveWhat::Action => "action",
        RemoveWhat::Rule => "rule",
        RemoveWhat::Law => "law",
        RemoveWhat::Policy => "policy",
        RemoveWhat::Example => "example",
    }
}

/// Merges files, the base first. An override keeps the place of the item that it replaces.
fn merge(files: &[&File]) -> Vec<ItemKind> {
    let mut all: Vec<ItemKind> = Vec::new();
    for item in files.iter().flat_map(|f| &f.items) {
        match &item.kind {
            ItemKind::Remove { what, name } => all.retain(|i| head(i) != (removed(*what), name.text.clone())),
            ItemKind::SetReading { name, value, .. } => {
                for old in &mut all {
                    if let ItemKind::Reading(r) = old
                        && r.name.text == name.text
                    {
                        let at = r.alternatives.iter().position(|a| same(&a.value, value)).expect("an alternative");
                        let first = r.alternatives.remove(at);
                        r.alternatives.insert(0, first);
                    }
                }
            }
            kind if item.overrides => {
                let place = all.iter().position(|i| head(i) == head(kind)).expect("something to override");
                all[place] = kind.clone();
            }
            kind => all.push(kind.clone()),
        }
    }
    all
}

fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Upper(a), ExprKind::Upper(b)) => a == b,
        (ExprKind::Number(a), ExprKind::Number(b)) => a == b,
        _ => false,
    }
}

impl Book {
    pub fn of(files: &[&File]) -> Book {
        let mut book = Book::default();
        for item in merge(files) {
            book.put(item);
        }
        book.order_rules();
        book
    }

    fn put(&mut self, item: ItemKind) {
        let text = |name: &Name| name.text.clone();
        match item {
            ItemKind::Param(p) => drop(self.params.insert(text(&p.name), p)),
            ItemKind::Reading(r) => {
                if r.ty.is_none() {
                    let cases = r.alternatives.iter().map(|a| match &a.value.kind {
                        ExprKind::Upper(case) => Name { text: case.clone(), ..Name::default() },
                        other => panic!("{other:?} is no case"),
                    });
                    let name = Name { text: format!("reading {}", r.name.text), ..Name::default() };
                    self.enums.push(Enum { name, title: None, cases: cases.collect(), ordered: false });
                }
                self.readings.insert(text(&r.name), r);
            }
            ItemKind::Enum(e) => self.enums.push(e),
            ItemKind::Chain { name, dice, .. } => {
                self.chains.push((text(&name), dice.into_iter().map(|(sides, _)| sides).collect()));
            }
            ItemKind::Die { name, sides, .. } => self.dice.push((text(&name), sides)),
            ItemKind::Kind(k) => self.kinds.push(k),
            ItemKind::State(s) => self.states.push(s),
            ItemKind::Tally { name, .. } => self.tallies.push(text(&name)),
            ItemKind::Record { name, fields, .. } => drop(self.records.insert(text(&name), fields)),
            ItemKind::Event { name, fields, .. } => drop(self.events.insert(text(&name), fields)),
            ItemKind::Let(l) => match &l.of {
                Some(kind) => drop(self.kind_lets.insert((text(kind), text(&l.name)), l)),
                None => drop(self.lets.insert(text(&l.name), l)),
            },
            ItemKind::Table(t) => drop(self.tables.insert(text(&t.name), t)),
            ItemKind::Trait(t) => self.traits.push(t),
            ItemKind::Test(t) => drop(self.tests.insert(text(&t.name), t)),
            ItemKind::Proc(p) => drop(self.procs.insert(text(&p.name), p)),
            ItemKind::Phase(p) => drop(self.phases.insert(text(&p.name), p)),
            ItemKind::Action(a) => self.actions.push(a),
            ItemKind::Rule(r) => self.rules.push(r),
            ItemKind::Law { holds, .. } => self.laws.push(holds),
            ItemKind::Policy { name, entries, .. } => drop(self.policies.insert(text(&name), entries)),
            ItemKind::Section(_) | ItemKind::Example(_) => {}
            other => panic!("{other:?} is not known here"),
        }
    }

    /// Moves rules with `before X` and `after X` next to X, in their order.
    fn order_rules(&mut self) {
        fn put(rule: &Rule, all: &[Rule], ordered: &mut Vec<Rule>) {
            let moved = |before: bool| {
                all.iter()
                    .filter(move |r| r.order.as_ref().is_some_and(|(b, x)| *b == before && x.text == rule.name.text))
            };
            moved(true).for_each(|r| put(r, all, ordered));
            ordered.push(rule.clone());
            moved(false).for_each(|r| put(r, all, ordered));
        }
        let all = std::mem::take(&mut self.rules);
        all.iter().filter(|r| r.order.is_none()).for_each(|r| put(r, &all, &mut self.rules));
    }

    pub fn kind(&self, name: &str) -> Option<&Kind> {
        self.kinds.iter().find(|k| k.name.text == name)
    }

    pub fn trait_of(&self, name: &str) -> Option<&Trait> {
        self.traits.iter().find(|t| t.name.text == name)
    }

    /// Returns the enum of a case and the index of the case.
    pub fn case(&self, case: &str) -> Option<(usize, usize)> {
        let at = |e: &Enum| e.cases.iter().position(|c| c.text == case);
        self.enums.iter().enumerate().find_map(|(n, e)| Some((n, at(e)?)))
    }
}

/// Returns the name of a written type, or of the element type of a list.
pub fn type_name(ty: &TypeExpr) -> &str {
    match &ty.kind {
        TypeExprKind::Named(name) | TypeExprKind::List(name) => &name.text,
        TypeExprKind::Bounded { .. } => "Int",
    }
}

impl Book {
    /// Finds the link by which the things of a list field point back; `None` if the list is stored.
    pub fn back_link(&self, kind: &str, ty: &TypeExpr) -> Option<String> {
        let TypeExprKind::List(of) = &ty.kind else { return None };
        let other = self.kind(&of.text)?;
        let back: Vec<&str> = other
            .members
            .iter()
            .filter_map(|m| match &m.kind {
                MemberKind::Link { name, ty, .. } => match &ty.kind {
                    TypeExprKind::Named(to) if to.text == kind => Some(name.text.as_str()),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        if let [one] = back[..] { Some(one.to_string()) } else { None }
    }
}
