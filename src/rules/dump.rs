//! A readable listing of a checked ruleset, with ids, types and typed code: what the checker understood.

mod code;
mod stmts;

use super::ruleset::*;
use crate::value::*;
use std::fmt::Write;

/// Lists everything a ruleset declares.
pub fn dump(rs: &Ruleset) -> String {
    let mut out = Dump { rs, text: String::new(), depth: 0, func: None };
    out.head();
    out.vocabulary();
    out.kinds();
    out.values();
    out.traits();
    out.happenings();
    for at in 0..rs.functions.len() {
        out.function(FuncId::from(at));
    }
    out.text
}

/// The listing as far as it is written.
struct Dump<'a> {
    rs: &'a Ruleset,
    text: String,
    depth: usize,
    /// Whose locals are named.
    func: Option<FuncId>,
}

impl<'a> Dump<'a> {
    fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:width$}{text}", "", width = self.depth * 2);
    }

    fn inside(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    fn ty(&self, ty: &Type) -> String {
        self.rs.type_name(ty)
    }

    /// Title and cites of an item.
    fn notes(&self, item: ItemId) -> String {
        let Some(item) = self.rs.items.get(item.at()) else { return String::new() };
        let title = if item.title.is_empty() { String::new() } else { format!(" \"{}\"", item.title) };
        let cites = if item.cites.is_empty() { String::new() } else { format!(" [{}]", item.cites.join(", ")) };
        format!("{title}{cites}")
    }

    fn head(&mut self) {
        let rs = self.rs;
        let word = if rs.variant { "variant" } else { "ruleset" };
        self.line(format!("{word} {} version \"{}\"", rs.path, rs.version));
        for (path, version) in &rs.chain {
            self.line(format!("from {path} version \"{version}\""));
        }
        for item in &rs.open {
            self.line(format!("open {}", rs.items[item.at()].name));
        }
    }

    fn vocabulary(&mut self) {
        let rs = self.rs;
        for (at, e) in rs.enums.iter().enumerate() {
            let between = if e.ordered { " < " } else { ", " };
            self.line(format!("enum e{at} {}: {}{}", e.name, e.cases.join(between), self.notes(e.item)));
        }
        for (at, c) in rs.chains.iter().enumerate() {
            let dice: Vec<String> = c.dice.iter().map(|d| format!("d{d}")).collect();
            self.line(format!("chain c{at} {}: {}{}", c.name, dice.join(" < "), self.notes(c.item)));
        }
        for (at, d) in rs.dice.iter().enumerate() {
            self.line(format!("die d{at} {} of {}: {:?}{}", d.name, self.ty(&d.of), d.faces, self.notes(d.item)));
        }
        for (at, r) in rs.records.iter().enumerate() {
            let fields: Vec<String> = r.fields.iter().map(|(n, t)| format!("{n}: {}", self.ty(t))).collect();
            self.line(format!("record r{at} {}({})", r.name, fields.join(", ")));
        }
    }

    fn kinds(&mut self) {
        let rs = self.rs;
        for (at, k) in rs.kinds.iter().enumerate() {
            let field = |f: Option<FieldId>, word: &str| {
                f.map_or(String::new(), |f| format!(" {word} {}", rs.fields[f.at()].name))
            };
            let board = if k.on_board { " on board" } else { "" };
            let marks = [
                field(k.group.map(|g| g.0), "group of"),
                field(k.owner, "owner"),
                field(k.tree, "tree"),
                field(k.blocks, "blocks"),
                field(k.height, "height"),
            ];
            self.line(format!("kind k{at} {}{board}{}{}", k.name, marks.concat(), self.notes(k.item)));
            self.inside(|d| k.fields.iter().for_each(|f| d.field(*f)));
        }
    }

    fn field(&mut self, id: FieldId) {
        let f = &self.rs.fields[id.at()];
        let sort = match f.sort {
            FieldSort::Stat => "stat".to_string(),
            FieldSort::State => "state".to_string(),
            FieldSort::Link => "link".to_string(),
            FieldSort::BackLink(link) => {
                format!("back link of {}", self.rs.items[self.rs.fields[link.at()].item.at()].name)
            }
            FieldSort::Let(func) => format!("let f{}", func.0),
        };
        let keys: Vec<String> = f.keys.iter().map(|(t, n)| format!("{} of {n}", self.ty(t))).collect();
        let keys = if keys.is_empty() { String::new() } else { format!("({})", keys.join(", ")) };
        let func = |f: Option<FuncId>, word: &str| f.map_or(String::new(), |f| format!(" {word} f{}", f.0));
        let marks = [func(f.low, "low"), func(f.high, "high"), func(f.default, "default")];
        self.line(format!(
            "F{} {sort} {}{keys}: {}{}{}",
            id.0,
            f.name,
            self.ty(&f.ty),
            marks.concat(),
            self.notes(f.item)
        ));
    }

    fn values(&mut self) {
        let rs = self.rs;
        for (at, s) in rs.settings.iter().enumerate() {
            let cases: Vec<&str> = s.alternatives.iter().map(|a| a.1.as_str()).collect();
            let cases = if cases.is_empty() { String::new() } else { format!(" or {}", cases.join(", ")) };
            let sweep = if s.sweep.is_empty() { String::new() } else { format!(" sweep {:?}", s.sweep) };
            let word = rs.items[s.item.at()].word;
            let (ty, notes) = (self.ty(&s.ty), self.notes(s.item));
            self.line(format!("{word} s{at} {}: {ty} = {:?}{cases}{sweep}{notes}", s.name, s.value));
        }
        for (at, g) in rs.globals.iter().enumerate() {
            let func = |f: Option<FuncId>, word: &str| f.map_or(String::new(), |f| format!(" {word} f{}", f.0));
            let marks = [func(g.low, "low"), func(g.high, "high"), func(g.default, "default")];
            self.line(format!("state g{at} {}: {}{}{}", g.name, self.ty(&g.ty), marks.concat(), self.notes(g.item)));
        }
        for (at, t) in rs.tallies.iter().enumerate() {
            self.line(format!("tally t{at} {}{}", t.name, self.notes(t.item)));
        }
    }

    fn traits(&mut self) {
        let rs = self.rs;
        for (at, t) in rs.traits.iter().enumerate() {
            let when = t.when.map_or(String::new(), |f| format!(" when f{}", f.0));
            let (word, on) = (rs.items[t.item.at()].word, &rs.kinds.get(t.on.at()).map_or("?", |k| k.name.as_str()));
            self.line(format!("{word} x{at} {} on {on} r{}{when}{}", t.name, t.data.0, self.notes(t.item)));
            self.inside(|d| {
                t.changes.iter().for_each(|c| d.change(c));
                for Forbid { action, when, .. } in &t.forbids {
                    let when = when.map_or(String::new(), |f| format!(" when f{}", f.0));
                    d.line(format!("forbid {}{when}", rs.actions[action.at()].name));
                }
            });
        }
    }

    fn change(&mut self, c: &Change) {
        let name = &self.rs.fields[c.field.at()].name;
        let word = if c.replace { "replace" } else { "modify" };
        let sign = match c.op {
            super::code::SetOp::Set => "=",
            super::code::SetOp::Add => "+=",
            super::code::SetOp::Sub => "-=",
        };
        let when = c.when.map_or(String::new(), |f| format!(" when f{}", f.0));
        let over = c.over.map_or(String::new(), |t| format!(" over {}", self.rs.traits[t.at()].name));
        self.line(format!("{word} {name} {sign} f{}{when}{over}", c.value.0));
    }

    fn happenings(&mut self) {
        let rs = self.rs;
        for (at, e) in rs.events.iter().enumerate() {
            let word = if e.external { "extern event" } else { "event" };
            self.line(format!("{word} v{at} {} r{}{}", e.name, e.data.0, self.notes(e.item)));
        }
        for (at, p) in rs.phases.iter().enumerate() {
            let shares: Vec<String> = p.shares.iter().map(|(l, f)| format!("#{} = f{}", l.0, f.0)).collect();
            let shares = if shares.is_empty() { String::new() } else { format!(" shares {}", shares.join(", ")) };
            self.line(format!("phase p{at} {} f{}{shares}{}", p.name, p.func.0, self.notes(p.item)));
        }
        for at in 0..rs.actions.len() {
            self.action(ActionId::from(at));
        }
        for (at, r) in rs.rules.iter().enumerate() {
            let guard = r.guard.map_or(String::new(), |f| format!(" when f{}", f.0));
            let of = r.of_trait.map_or(String::new(), |t| format!(" of {}", rs.traits[t.at()].name));
            let on = self.trigger(r.on);
            self.line(format!("rule u{at} {}{of} on {on}{guard} f{}{}", r.name, r.func.0, self.notes(r.item)));
        }
        for (at, l) in rs.laws.iter().enumerate() {
            self.line(format!("law l{at} {} f{}{}", l.name, l.func.0, self.notes(l.item)));
        }
        for (at, p) in rs.policies.iter().enumerate() {
            self.line(format!("policy o{at} {}{}", p.name, self.notes(p.item)));
            self.inside(|d| p.entries.iter().for_each(|e| d.policy_entry(e)));
        }
    }

    fn trigger(&self, on: Trigger) -> String {
        let rs = self.rs;
        match on {
            Trigger::Event(id) => rs.events[id.at()].name.clone(),
            Trigger::PhaseStart(id) => format!("start of {}", rs.phases[id.at()].name),
            Trigger::PhaseEnd(id) => format!("end of {}", rs.phases[id.at()].name),
            Trigger::ActionStart(id) => format!("start of {}", rs.actions[id.at()].name),
            Trigger::ActionEnd(id) => format!("end of {}", rs.actions[id.at()].name),
            Trigger::AnyActionStart => "start of action".into(),
            Trigger::AnyActionEnd => "end of action".into(),
        }
    }

    fn function(&mut self, id: FuncId) {
        let f = &self.rs.functions[id.at()];
        self.func = Some(id);
        let word = self.rs.items.get(f.item.at()).map_or("", |i| i.word);
        let local = |(at, l): (usize, &super::code::Local)| format!("{}#{at}: {}", l.name, self.ty(&l.ty));
        let params: Vec<String> = f.locals.iter().enumerate().take(f.params).map(local).collect();
        let locals: Vec<String> = f.locals.iter().enumerate().skip(f.params).map(local).collect();
        let external = if f.external { "extern " } else { "" };
        let (name, result) = (&f.name, self.ty(&f.result));
        self.line(format!("f{} {external}{word} {name}({}): {result}", id.0, params.join(", ")));
        self.inside(|d| {
            if !locals.is_empty() {
                d.line(format!("locals {}", locals.join(", ")));
            }
            d.body(&f.body);
        });
    }
}
