//! Kinds, traits, tables and examples to text.

use super::Out;
use super::statements::set_op;
use crate::syntax::tree::*;

impl Out {
    pub(super) fn members(&mut self, all: &[Member]) {
        self.put(" ");
        self.braces(all, |out, member| {
            match &member.kind {
                MemberKind::Owner(name) => {
                    out.put("owner ").name(name);
                }
                MemberKind::Stat(slot) => out.slot("stat ", slot),
                MemberKind::State(slot) => out.slot("state ", slot),
                MemberKind::Link { name, ty, tree } => {
                    out.put("link ").name(name);
                    out.typed(Some(ty));
                    if *tree {
                        out.put(" tree");
                    }
                }
                MemberKind::Let(l) => out.let_of(l),
            }
            out.cite_behind(&member.cites);
        });
    }

    pub(super) fn slot(&mut self, word: &str, slot: &Slot) {
        self.put(word).name(&slot.name);
        if !slot.keys.is_empty() {
            self.params(&slot.keys);
        }
        self.typed(Some(&slot.ty));
        self.opt(" = ", slot.default.as_ref());
        self.title(slot.title.as_ref());
    }

    pub(super) fn params(&mut self, all: &[Formal]) {
        self.put("(");
        self.formals(all);
        self.put(")");
    }

    pub(super) fn formals(&mut self, all: &[Formal]) {
        self.list(all, ", ", |out, formal| {
            out.name(&formal.name);
            out.typed(formal.ty.as_ref());
            out.opt(" = ", formal.default.as_ref());
        });
    }

    pub(super) fn let_of(&mut self, l: &Let) {
        self.put(if l.external {
            "extern let "
        } else if l.value.is_none() {
            "open let "
        } else {
            "let "
        });
        if let Some(of) = &l.of {
            self.name(of).put(".");
        }
        self.name(&l.name);
        if let Some(params) = &l.params {
            self.params(params);
        }
        self.typed(l.ty.as_ref());
        self.title(l.title.as_ref());
        self.opt(if l.external { " default " } else { " = " }, l.value.as_ref());
    }

    pub(super) fn table(&mut self, table: &Table) {
        self.put("table ").name(&table.name);
        self.params(&table.keys);
        self.typed(Some(&table.ty));
        self.title(table.title.as_ref());
        self.put(" ");
        self.braces(&table.rows, |out, row| {
            out.put("|");
            for cell in &row.cells {
                out.put(" ");
                match &cell.kind {
                    CellKind::Blank => {}
                    CellKind::Dash => {
                        out.put("-");
                    }
                    CellKind::Keys(keys) => out.list(keys, ", ", Out::pattern),
                    CellKind::Value(value) => out.expr(value),
                }
                out.put(" |");
            }
            out.cite_behind(&row.cites);
        });
    }

    pub(super) fn trait_of(&mut self, t: &Trait) {
        self.put(match t.sort {
            TraitSort::Trait => "trait ",
            TraitSort::Status => "status ",
            TraitSort::Condition => "condition ",
        });
        self.name(&t.name);
        if !t.params.is_empty() {
            self.params(&t.params);
        }
        self.title(t.title.as_ref());
        self.put(" on ").name(&t.on);
        self.opt(" when ", t.when.as_ref());
        if t.members.is_empty() {
            return;
        }
        self.put(" ");
        self.braces(&t.members, |out, member| {
            let rule = matches!(member.kind, TraitMemberKind::Rule(_));
            if rule {
                out.cite_above(&member.cites);
            }
            out.trait_line(&member.kind);
            if !rule {
                out.cite_behind(&member.cites);
            }
        });
    }

    fn trait_line(&mut self, line: &TraitMemberKind) {
        match line {
            TraitMemberKind::Replace { name, params, value, when, over } => {
                self.put("replace ").name(name);
                if let Some(params) = params {
                    self.params(params);
                }
                self.word(" = ", value);
                self.opt(" when ", when.as_ref());
                if let Some(over) = over {
                    self.put(" over ").name(over);
                }
            }
            TraitMemberKind::Modify { name, op, value, when } => {
                self.put("modify ").name(name);
                self.word(set_op(*op), value);
                self.opt(" when ", when.as_ref());
            }
            TraitMemberKind::Forbid { actions, when } => {
                self.put("forbid ");
                self.names(actions);
                self.opt(" when ", when.as_ref());
            }
            TraitMemberKind::Let(l) => self.let_of(l),
            TraitMemberKind::Rule(rule) => self.rule(rule),
        }
    }

    pub(super) fn names(&mut self, all: &[Name]) {
        self.list(all, ", ", |out, name| {
            out.name(name);
        });
    }

    pub(super) fn rule(&mut self, rule: &Rule) {
        self.put("rule ").name(&rule.name);
        self.title(rule.title.as_ref());
        if let Some((before, other)) = &rule.order {
            self.put(if *before { " before " } else { " after " }).name(other);
        }
        match &rule.on {
            Trigger::Event(name) => {
                self.put(" on ").name(name);
            }
            Trigger::StartOf(name) => {
                self.put(" on start of ").name(name);
            }
            Trigger::EndOf(name) => {
                self.put(" on end of ").name(name);
            }
            Trigger::StartOfAction(_) => {
                self.put(" on start of action");
            }
            Trigger::EndOfAction(_) => {
                self.put(" on end of action");
            }
        }
        if let Some(bound) = &rule.bound {
            self.put(" as ").name(bound);
        }
        self.opt(" when ", rule.when.as_ref());
        self.put(" ");
        self.block(&rule.body);
    }

    pub(super) fn answer(&mut self, answer: &Answer) {
        match answer {
            Answer::Extreme { most, by } => self.word(if *most { "most " } else { "least " }, by),
            Answer::Value(value) => self.expr(value),
            Answer::Stop(_) => {
                self.put("stop");
            }
        }
    }

    pub(super) fn example(&mut self, example: &Example) {
        self.put("example");
        self.title(Some(&example.title));
        if example.call.is_some() || !example.stand_ins.is_empty() {
            self.put(" for ");
        }
        if let Some(call) = &example.call {
            self.name(&call.name);
            self.args(&call.args);
            self.put(if example.stand_ins.is_empty() { "" } else { ", " });
        }
        self.list(&example.stand_ins, ", ", |out, (name, kind)| {
            out.name(name).put(": ").name(kind);
        });
        self.part(" with ", &example.with, |out, given| {
            out.expr(&given.target);
            match &given.kind {
                GivenKind::Value(value) => out.word(" = ", value),
                GivenKind::Has { name, args } => {
                    out.put(" has ").name(name);
                    if !args.is_empty() {
                        out.args(args);
                    }
                }
            }
        });
        self.part(" under ", &example.under, |out, (name, value)| {
            out.name(name);
            out.word(" = ", value);
        });
        self.part(" rolling ", &example.rolling, |out, throw| {
            if let Some(roll) = &throw.roll {
                out.name(roll).put(" = ");
            }
            out.expr(&throw.faces);
        });
        self.part(" choosing ", &example.choosing, |out, pick| {
            out.name(&pick.choice).put(" = ");
            out.answer(&pick.answer);
        });
        self.put(" ");
        match &example.body {
            ExampleBody::Claims(claims) => self.braces(claims, |out, claim| {
                out.claimed(&claim.claimed);
                out.opt(" = ", claim.value.as_ref());
            }),
            ExampleBody::Table { inputs, claims, rows } => self.example_table(inputs, claims, rows),
        }
    }

    fn part<T>(&mut self, word: &str, all: &[T], one: impl FnMut(&mut Self, &T)) {
        if !all.is_empty() {
            self.put(word);
            self.list(all, ", ", one);
        }
    }

    fn example_table(&mut self, inputs: &[Expr], claims: &[Claimed], rows: &[ExampleRow]) {
        let lines: Vec<Option<&ExampleRow>> = std::iter::once(None).chain(rows.iter().map(Some)).collect();
        self.braces(&lines, |out, line| {
            out.put("| ");
            out.list(line.map_or(inputs, |row| &row.inputs), " | ", Out::expr);
            out.put(" || ");
            match line {
                None => out.list(claims, " | ", Out::claimed),
                Some(row) => out.list(&row.claims, " | ", Out::expr),
            }
            out.put(" |");
        });
    }

    fn claimed(&mut self, claimed: &Claimed) {
        match &claimed.kind {
            ClaimKind::Value(value) => self.expr(value),
            ClaimKind::Chance(value) => self.word("chance ", value),
            ClaimKind::Mean(value) => self.word("mean ", value),
            ClaimKind::Offered { not, action, args } => {
                self.put(if *not { "not offered " } else { "offered " }).name(action);
                if !args.is_empty() {
                    self.args(args);
                }
            }
        }
        self.opt(" given ", claimed.given.as_ref());
    }
}
