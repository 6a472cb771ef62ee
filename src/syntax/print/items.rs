//! Items to text.

use super::Out;
use crate::syntax::tree::*;

impl Out {
    pub(super) fn item(&mut self, item: &Item) {
        if item.cites_above {
            self.cite_above(&item.cites);
        }
        if item.overrides {
            self.put("override ");
        }
        self.item_kind(&item.kind);
        if !item.cites_above {
            self.cite_behind(&item.cites);
        }
    }

    fn head(&mut self, word: &str, name: &Name, title: Option<&Name>) {
        self.put(word).name(name);
        self.title(title);
    }

    fn item_kind(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Section(title) => {
                self.put("section");
                self.title(Some(title));
            }
            ItemKind::Param(param) => self.param(param),
            ItemKind::Reading(reading) => self.reading(reading),
            ItemKind::SetReading { name, value } => {
                self.put("reading ").name(name);
                self.word(" = ", value);
            }
            ItemKind::SetCell { table, keys, value } => {
                self.name(table).put("[");
                self.list(keys, ", ", Out::expr);
                self.word("] = ", value);
            }
            ItemKind::Enum(e) => {
                self.head("enum ", &e.name, e.title.as_ref());
                self.put(" { ");
                self.list(&e.cases, if e.ordered { " < " } else { ", " }, |out, case| {
                    out.name(case);
                });
                self.put(" }");
            }
            ItemKind::Chain { name, title, dice } => {
                self.head("chain ", name, title.as_ref());
                self.put(" = ");
                self.list(dice, " < ", |out, (sides, _)| {
                    out.put(&format!("d{sides}"));
                });
            }
            ItemKind::Die { name, of, title, sides } => {
                self.put("die ").name(name).put(" of ");
                self.ty(of);
                self.title(title.as_ref());
                self.put(" = ");
                self.list(sides, ", ", |out, side| {
                    if side.times != 1 {
                        out.put(&format!("{} ", side.times));
                    }
                    match &side.face {
                        DieFace::Number(n) => out.number(n),
                        DieFace::Case(case) => {
                            out.name(case);
                        }
                    }
                });
            }
            ItemKind::Kind(kind) => {
                self.head("kind ", &kind.name, kind.title.as_ref());
                if kind.on_board {
                    self.put(" on board");
                }
                if let Some(members) = &kind.group_of {
                    self.put(" group of ").name(members);
                }
                self.members(&kind.members);
            }
            ItemKind::ExtendKind { name, members } => {
                self.put("extend kind ").name(name);
                self.members(members);
            }
            ItemKind::State(slot) => self.slot("state ", slot),
            ItemKind::Tally { name, title } => self.head("tally ", name, title.as_ref()),
            ItemKind::Record { name, fields, title } => {
                self.put("record ").name(name);
                self.params(fields);
                self.title(title.as_ref());
            }
            ItemKind::Event { name, fields, title, external } => {
                self.put(if *external { "extern event " } else { "event " }).name(name);
                self.params(fields);
                self.title(title.as_ref());
            }
            ItemKind::Let(l) => self.let_of(l),
            ItemKind::Table(table) => self.table(table),
            ItemKind::Trait(t) => self.trait_of(t),
            ItemKind::Test(test) => self.test(test),
            ItemKind::Proc(proc) => self.proc(proc),
            ItemKind::Phase(phase) => self.phase(phase),
            ItemKind::Action(action) => {
                self.head("action ", &action.name, action.title.as_ref());
                self.put(" in ");
                self.names(&action.phases);
                if let Some(by) = &action.by {
                    self.put(" by ").name(by);
                }
                self.put(" ");
                self.block(&action.body);
            }
            ItemKind::Rule(rule) => self.rule(rule),
            ItemKind::Law { name, title, holds } => {
                self.head("law ", name, title.as_ref());
                self.word(" = ", holds);
            }
            ItemKind::Policy { name, title, entries } => {
                self.head("policy ", name, title.as_ref());
                self.put(" ");
                self.braces(entries, |out, entry| {
                    out.name(&entry.choice).put(" = ");
                    out.list(&entry.prefs, ", ", |out, pref| {
                        out.answer(&pref.answer);
                        out.opt(" when ", pref.when.as_ref());
                    });
                });
            }
            ItemKind::Example(example) => self.example(example),
            ItemKind::Remove { what, name } => self.remove(*what, name),
        }
    }

    fn remove(&mut self, what: RemoveWhat, name: &Name) {
        let word = match what {
            RemoveWhat::Action => "remove action ",
            RemoveWhat::Rule => "remove rule ",
            RemoveWhat::Law => "remove law ",
            RemoveWhat::Policy => "remove policy ",
            RemoveWhat::Example => {
                self.put("remove example");
                return self.title(Some(name));
            }
        };
        self.put(word).name(name);
    }

    fn param(&mut self, param: &Param) {
        self.put("param ").name(&param.name);
        self.typed(param.ty.as_ref());
        self.title(param.title.as_ref());
        self.word(" = ", &param.value);
        if !param.sweep.is_empty() {
            self.put("  sweep ");
            self.list(&param.sweep, ", ", Out::range);
        }
    }

    fn reading(&mut self, reading: &Reading) {
        self.put("reading ").name(&reading.name);
        self.typed(reading.ty.as_ref());
        self.title(reading.title.as_ref());
        self.put(" = ");
        self.list(&reading.alternatives, " or ", |out, alternative| {
            out.expr(&alternative.value);
            out.title(alternative.gloss.as_ref());
        });
        self.put(" because \"").name(&reading.because).put("\"");
    }

    fn test(&mut self, test: &Test) {
        self.put(if test.external { "extern test " } else { "test " }).name(&test.name);
        self.params(&test.params);
        if let Some(grade) = &test.grade {
            self.put(" -> ").name(grade);
        }
        self.title(test.title.as_ref());
        if !test.gives.is_empty() {
            self.put(" gives ");
            self.formals(&test.gives);
        }
        self.put(if test.external { " default " } else { " " });
        self.block(&test.body);
    }

    fn proc(&mut self, proc: &Proc) {
        self.put(if proc.external {
            "extern proc "
        } else if proc.body.is_none() {
            "open proc "
        } else {
            "proc "
        });
        self.name(&proc.name);
        self.params(&proc.params);
        if let Some(result) = &proc.result {
            self.put(" -> ");
            self.ty(result);
        }
        self.title(proc.title.as_ref());
        if let Some(body) = &proc.body {
            self.put(if proc.external { " default " } else { " " });
            self.block(body);
        }
    }

    fn phase(&mut self, phase: &Phase) {
        self.put(if phase.body.is_none() { "open phase " } else { "phase " }).name(&phase.name);
        if !phase.params.is_empty() {
            self.params(&phase.params);
        }
        self.title(phase.title.as_ref());
        if !phase.shares.is_empty() {
            self.put(" shares ");
            self.formals(&phase.shares);
        }
        if let Some(body) = &phase.body {
            self.put(" ");
            self.block(body);
        }
    }
}
