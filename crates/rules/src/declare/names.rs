//! First pass: gives every named item its id, so that declarations can appear in any order.

use super::Declarer;
use crate::merge::head::{Head, Space};
use crate::ruleset::*;
use grognard_base::Code;
use grognard_base::value::*;
use grognard_syntax::tree::{self, ClauseRef, ItemKind, Name, Text};

/// Types that need no declaration.
pub(crate) const BUILTIN_TYPES: &[&str] =
    &["Int", "Flag", "Length", "Angle", "Ratio", "Place", "Route", "Leg", "Die", "Shifted"];

impl<'a> Declarer<'a, '_> {
    /// Gives every named item its id.
    pub fn declare_names(&mut self) {
        let items = self.items;
        for item in items {
            if let Some(head) = Head::of(&item.kind)
                && head.space == Space::Type
                && BUILTIN_TYPES.contains(&head.name.text.as_str())
            {
                let message = format!("`{}` is a type of the language; use another name", head.name.text);
                self.say(Code::Twice, head.name.span, message);
            }
            self.name_item(item);
        }
    }

    fn name_item(&mut self, item: &'a tree::Item) {
        let cites = &item.cites;
        match &item.kind {
            ItemKind::Enum(e) => self.name_enum("enum", &e.name, &e.title, &e.cases, e.ordered, cites),
            ItemKind::Reading(r) if r.ty.is_none() => self.name_reading(r, cites),
            ItemKind::Chain { name, title, dice } => self.name_chain(name, title, dice, cites),
            ItemKind::Die { name, title, .. } => self.name_die(name, title, cites),
            ItemKind::Kind(k) => self.name_kind(k, cites),
            ItemKind::Record { name, title, .. } => {
                let item = self.item("record", name.text.clone(), title, cites, name.span);
                let id = self.record(name.text.clone(), item);
                self.c.rs.names.types.insert(name.text.clone(), TypeName::Record(id));
            }
            ItemKind::Event { name, title, external, .. } => {
                let item = self.item("event", name.text.clone(), title, cites, name.span);
                let data = self.record(name.text.clone(), item);
                let id = EventId::from(self.c.rs.events.len());
                self.c.rs.events.push(Event { name: name.text.clone(), data, external: *external, item });
                self.c.rs.names.events.insert(name.text.clone(), id);
            }
            ItemKind::Test(t) => {
                let item = self.item("test", t.name.text.clone(), &t.title, cites, t.name.span);
                let id = self.record(t.name.text.clone(), item);
                self.c.rs.names.types.insert(t.name.text.clone(), TypeName::Record(id));
            }
            ItemKind::Trait(t) => self.name_trait(t, cites),
            ItemKind::Phase(p) => self.name_phase(p, cites),
            ItemKind::Action(a) => self.name_action(a, cites),
            _ => {}
        }
    }

    pub fn record(&mut self, name: String, item: ItemId) -> RecordId {
        let id = RecordId::from(self.c.rs.records.len());
        self.c.rs.records.push(Record { name, fields: Vec::new(), item });
        id
    }

    fn name_enum(
        &mut self,
        word: &'static str,
        name: &Name,
        title: &Option<Text>,
        cases: &[Name],
        ordered: bool,
        cites: &[ClauseRef],
    ) {
        let item = self.item(word, name.text.clone(), title, cites, name.span);
        self.add_enum(name, cases, ordered, item);
    }

    /// Declares the enum of a reading without a type. It has the reading's name.
    fn name_reading(&mut self, reading: &tree::Reading, cites: &[ClauseRef]) {
        let mut cases = Vec::new();
        for alternative in &reading.alternatives {
            match &alternative.value.kind {
                tree::ExprKind::Upper(text) => cases.push(Name { text: text.clone(), span: alternative.value.span }),
                _ => {
                    let message = format!(
                        "an alternative of `{}` must begin with a capital, or the reading needs a type",
                        reading.name.text
                    );
                    self.say(Code::NeedType, alternative.value.span, message);
                }
            }
        }
        let item = self.item("reading", reading.name.text.clone(), &reading.title, cites, reading.name.span);
        self.add_enum(&reading.name, &cases, false, item);
    }

    fn add_enum(&mut self, name: &Name, cases: &[Name], ordered: bool, item: ItemId) {
        let id = EnumId::from(self.c.rs.enums.len());
        let mut known: Vec<&Name> = Vec::new();
        for case in cases {
            if let Some(first) = known.iter().find(|n| n.text == case.text) {
                let message = format!("`{}` is listed twice as a case of `{}`", case.text, name.text);
                self.say_two(Code::Twice, case.span, message, first.span, "first declared here");
                continue;
            }
            let entry = self.c.rs.names.cases.entry(case.text.clone()).or_default();
            entry.push((id, known.len() as i64));
            known.push(case);
        }
        let cases = known.iter().map(|n| n.text.clone()).collect();
        self.c.rs.enums.push(Enum { name: name.text.clone(), cases, ordered, item });
        self.c.rs.names.types.insert(name.text.clone(), TypeName::Enum(id));
    }

    fn name_chain(
        &mut self,
        name: &Name,
        title: &Option<Text>,
        dice: &[(u32, grognard_base::Span)],
        cites: &[ClauseRef],
    ) {
        let item = self.item("chain", name.text.clone(), title, cites, name.span);
        for pair in dice.windows(2) {
            if pair[0].0 >= pair[1].0 {
                let message =
                    format!("the dice of a chain must get larger; d{} does not follow d{}", pair[1].0, pair[0].0);
                let help = format!("write a larger die here, or put the d{} before the d{}", pair[1].0, pair[0].0);
                self.say_help(Code::NotOrdered, pair[1].1, message, help);
            }
        }
        for (sides, span) in dice {
            self.check_sides(*sides, *span);
        }
        let id = ChainId::from(self.c.rs.chains.len());
        self.c.rs.chains.push(Chain { name: name.text.clone(), dice: dice.iter().map(|d| d.0).collect(), item });
        self.c.rs.names.types.insert(name.text.clone(), TypeName::Chain(id));
    }

    /// Reports a die that does not have 1 to 1,000,000 sides.
    pub fn check_sides(&mut self, sides: u32, span: grognard_base::Span) {
        if sides == 0 || sides > 1_000_000 {
            self.say(Code::DieSides, span, format!("there is no d{sides}"));
        }
    }

    fn name_die(&mut self, name: &Name, title: &Option<Text>, cites: &[ClauseRef]) {
        let item = self.item("die", name.text.clone(), title, cites, name.span);
        let id = DieId::from(self.c.rs.dice.len());
        self.c.rs.dice.push(Die { name: name.text.clone(), of: Type::Unknown, faces: Vec::new(), item });
        self.c.rs.names.types.insert(name.text.clone(), TypeName::Die(id));
    }

    fn name_kind(&mut self, kind: &tree::Kind, cites: &[ClauseRef]) {
        let name = kind.name.text.clone();
        let item = self.item("kind", name.clone(), &kind.title, cites, kind.name.span);
        let id = KindId::from(self.c.rs.kinds.len());
        let on_board = kind.on_board;
        self.c.rs.kinds.push(Kind {
            name: name.clone(),
            on_board,
            stays_empty: kind.stays_empty,
            group: None,
            owner: None,
            tree: None,
            blocks: None,
            height: None,
            fields: Vec::new(),
            item,
        });
        self.c.rs.names.types.insert(name, TypeName::Kind(id));
    }

    fn name_trait(&mut self, t: &tree::Trait, cites: &[ClauseRef]) {
        let name = t.name.text.clone();
        let item = self.item(t.sort.word(), name.clone(), &t.title, cites, t.name.span);
        let data = self.record(name.clone(), item);
        let id = TraitId::from(self.c.rs.traits.len());
        self.c.rs.traits.push(Trait {
            name: name.clone(),
            sort: t.sort,
            on: Trait::NO_KIND,
            data,
            when: None,
            changes: Vec::new(),
            forbids: Vec::new(),
            item,
        });
        self.c.rs.names.traits.insert(name, id);
    }

    fn name_phase(&mut self, p: &tree::Phase, cites: &[ClauseRef]) {
        let name = p.name.text.clone();
        let item = self.item("phase", name.clone(), &p.title, cites, p.name.span);
        let id = PhaseId::from(self.c.rs.phases.len());
        self.c.rs.phases.push(Phase {
            name: name.clone(),
            func: FuncId(0),
            params: p.params.len(),
            shares: Vec::new(),
            item,
        });
        self.c.rs.names.phases.insert(name, id);
        if p.body.is_none() {
            self.c.rs.open.push(item);
        }
    }

    fn name_action(&mut self, a: &tree::Action, cites: &[ClauseRef]) {
        let name = a.name.text.clone();
        let item = self.item("action", name.clone(), &a.title, cites, a.name.span);
        let id = ActionId::from(self.c.rs.actions.len());
        self.c.rs.actions.push(Action {
            name: name.clone(),
            phases: Vec::new(),
            actor: None,
            header: Vec::new(),
            func: FuncId(0),
            item,
        });
        self.c.rs.names.actions.insert(name, id);
    }
}
