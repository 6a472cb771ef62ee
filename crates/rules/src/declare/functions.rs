//! Declares lets, tables, top-level states, tallies, tests and procs.

use super::{Declarer, plain_scope};
use crate::checker::{Pending, Scope, ScopeSort};
use crate::index::Means;
use crate::ruleset::{Global, Tally, TypeName, ValueName};
use grognard_base::value::*;
use grognard_base::{Code, did_you_mean};
use grognard_syntax::tree::{self, Item, ItemKind, Let, Proc, Slot, Table, Test, TypeExprKind};

impl<'a> Declarer<'a, '_> {
    /// Declares everything that bodies can call or name.
    pub fn declare_functions(&mut self) {
        let items = self.items;
        for item in items {
            match &item.kind {
                ItemKind::Let(l) if l.of.is_none() => self.declare_let(l, item),
                ItemKind::Table(t) => self.declare_table(t, item),
                ItemKind::State(s) => self.declare_global(s, item),
                ItemKind::Tally { name, title } => {
                    let id = self.item("tally", name.text.clone(), title, &item.cites, name.span);
                    let tally = TallyId::from(self.c.rs.tallies.len());
                    self.c.rs.tallies.push(Tally { name: name.text.clone(), item: id });
                    self.c.rs.names.values.insert(name.text.clone(), ValueName::Tally(tally));
                }
                ItemKind::Test(t) => self.declare_test(t),
                ItemKind::Proc(p) => self.declare_proc(p, item),
                _ => {}
            }
        }
    }

    fn declare_let(&mut self, l: &'a Let, item: &'a Item) {
        let id = self.item("let", l.name.text.clone(), &l.title, &item.cites, l.name.span);
        let params = self.formals(l.params.as_deref().unwrap_or_default(), None);
        let ty = l.ty.as_ref().map(|t| self.resolve(t, None));
        let scope = Scope { result: ty.clone(), ..plain_scope(ScopeSort::Value, params) };
        let func = match &l.value {
            Some(value) => self.value_function(id, l.name.text.clone(), scope, value, ty),
            None => {
                self.c.rs.open.push(id);
                self.function(id, l.name.text.clone(), &scope, Pending::Done)
            }
        };
        self.c.rs.functions[func.at()].external = l.external;
        self.c.rs.names.values.insert(l.name.text.clone(), ValueName::Let(func));
    }

    fn declare_table(&mut self, t: &'a Table, item: &'a Item) {
        let id = self.item("table", t.name.text.clone(), &t.title, &item.cites, t.name.span);
        let params = self.formals(&t.keys, None);
        if params.is_empty() || params.len() > 2 {
            self.say(Code::TableShape, t.name.span, format!("a table has one or two keys, not {}", params.len()));
        }
        for (name, ty, span) in &params {
            let fits = match ty {
                Type::Int(range) => range.low > Range::ALL.low && range.high < Range::ALL.high,
                Type::Enum(_) | Type::Chain(_) | Type::Flag | Type::Length | Type::Ratio | Type::Unknown => true,
                _ => false,
            };
            if !fits {
                let message = format!(
                    "`{name}` cannot be a key; a key must be an enum, a chain, Flag, Length, Ratio or a range such as \
                     1..6"
                );
                self.say(Code::WrongType, *span, message);
            }
        }
        let ty = self.resolve(&t.ty, None);
        let scope = Scope { result: Some(ty), ..plain_scope(ScopeSort::Value, params) };
        let copy = scope.clone();
        let func = self.function(id, t.name.text.clone(), &copy, Pending::Table { scope, table: t });
        self.c.rs.names.values.insert(t.name.text.clone(), ValueName::Let(func));
    }

    fn declare_global(&mut self, s: &'a Slot, item: &'a Item) {
        let name = s.name.text.clone();
        let id = self.item("state", name.clone(), &s.title, &item.cites, s.name.span);
        let ty = self.resolve(&s.ty, None);
        if matches!(ty.present(), Type::Ratio | Type::Leg) {
            let message = format!("a {} cannot be stored on the table; store its parts", self.c.rs.type_name(&ty));
            self.say(Code::WrongType, s.ty.span, message);
        }
        let mut scope = plain_scope(ScopeSort::Value, Vec::new());
        let (mut low, mut high) = (None, None);
        if let TypeExprKind::Bounded { low: l, high: h } = &s.ty.kind {
            low = Some(self.bound(id, &name, &scope, l, &ty));
            high = h.as_ref().map(|h| self.bound(id, &name, &scope, h, &ty));
        }
        scope.result = Some(ty.clone());
        let default = s.default.as_ref().map(|e| self.value_function(id, name.clone(), scope, e, Some(ty.clone())));
        let global = GlobalId::from(self.c.rs.globals.len());
        self.c.rs.globals.push(Global { name: name.clone(), ty, low, high, default, item: id, hidden: false });
        self.c.rs.names.values.insert(name, ValueName::Global(global));
    }

    fn declare_test(&mut self, t: &'a Test) {
        let Some(TypeName::Record(record)) = self.c.rs.names.types.get(&t.name.text).copied() else { return };
        let item = self.c.rs.records[record.at()].item;
        let params = self.formals(&t.params, None);
        let grade = t.grade.as_ref().and_then(|name| self.enum_named(name));
        if !t.gives.is_empty() {
            let gives = self.record_fields(&t.gives);
            self.c.rs.records[record.at()].fields = gives;
        }
        let sort = ScopeSort::Test { record, grade, gives: !t.gives.is_empty() };
        let scope = Scope { result: Some(Type::Record(record)), ..plain_scope(sort, params) };
        let copy = scope.clone();
        let func = self.function(item, t.name.text.clone(), &copy, Pending::Block { scope, block: &t.body });
        self.c.rs.functions[func.at()].external = t.external;
        self.c.rs.names.tests.insert(t.name.text.clone(), func);
    }

    fn enum_named(&mut self, name: &tree::Name) -> Option<EnumId> {
        if let Some(TypeName::Enum(id)) = self.c.rs.names.types.get(&name.text).copied() {
            self.c.means(name.span, || Means::Type(TypeName::Enum(id)));
            return Some(id);
        }
        let near = did_you_mean(&name.text, self.c.rs.enums.iter().map(|e| e.name.as_str()));
        self.wrong(Code::UnknownType, name.span, format!("there is no enum `{}`{near}", name.text))
    }

    fn declare_proc(&mut self, p: &'a Proc, item: &'a Item) {
        let id = self.item("proc", p.name.text.clone(), &p.title, &item.cites, p.name.span);
        let params = self.formals(&p.params, None);
        let result = p.result.as_ref().map(|t| self.resolve(t, None));
        let scope = Scope { result, ..plain_scope(ScopeSort::Proc, params) };
        let copy = scope.clone();
        let func = match &p.body {
            Some(block) => self.function(id, p.name.text.clone(), &copy, Pending::Block { scope, block }),
            None => {
                self.c.rs.open.push(id);
                self.function(id, p.name.text.clone(), &copy, Pending::Done)
            }
        };
        self.c.rs.functions[func.at()].external = p.external;
        self.c.rs.names.values.insert(p.name.text.clone(), ValueName::Proc(func));
    }
}
