//! Converts happenings of the machine to events.

use super::event::{Edge, Refusal, ScopeSort, Until, What};
use super::tape::Open;
use super::{Recorder, values};
use crate::Watch;
use grognard_base::value::plain::{Bit, Measure, ShortText, Words};
use grognard_base::value::*;
use grognard_program::{FuncSort, Note, NoteKind, Reg};
use grognard_vm::{Fault, Game, Leaned, MachineEvent, NotOffered, Remark, State, Who, Worded};

impl Watch for Recorder<'_> {
    fn happen(&mut self, game: &Game, state: &State, what: &MachineEvent<'_>) {
        if self.tape.counts.dropped > 0 {
            // the trace is full; further events are only counted
            self.tape.counts.dropped += 1;
            return;
        }
        match what {
            MachineEvent::Enter { func, args } => self.enter(game, state, *func, args),
            MachineEvent::Leave { func, result } => self.leave(game, state, *func, result),
            MachineEvent::Note { note, value, rendered, leaned } => {
                self.note(game, state, note, *value, rendered.take(), leaned)
            }
            MachineEvent::Until { phase, start, key } => self.until(game, *phase, *start, *key),
            MachineEvent::Decided { site, who, source, menu, answer, refused } => {
                let rendered = decision(game, *site, *who, source, menu, answer, refused);
                self.note_site(game, state, *site, rendered);
            }
            MachineEvent::Roll { throw, name, faces } => {
                let fell = faces.iter().enumerate().map(|(n, f)| values::face(game, throw.dice.die(n), *f));
                let sum = throw.again.is_empty() && self.tape.counts.sums.contains(&throw.site) && faces.len() > 1;
                let what = What::Roll {
                    name: (&game.program.schema.sites[throw.site.at()].name).into(),
                    of: game.packed(throw.subject),
                    dice: self.dice(game, &throw.dice),
                    faces: fell.collect(),
                    sum: sum.then(|| faces.iter().sum()),
                    again: throw.again.iter().map(|p| *p as u64 + 1).collect(),
                    explode: throw.explode,
                };
                self.note_site(game, state, *name, what);
            }
            MachineEvent::Draw { draw, among, picks } => {
                let even = draw.weights.iter().all(|w| *w == 1);
                let what = What::Draw {
                    name: (&game.program.schema.sites[draw.site.at()].name).into(),
                    of: game.packed(draw.subject),
                    among: among.to_vec(),
                    weights: if even { Vec::new() } else { draw.weights.to_vec() },
                    picks: picks.iter().filter_map(|p| among.get(*p).cloned()).collect(),
                };
                self.note_site(game, state, draw.site, what);
            }
            MachineEvent::Kept { line, asked, near } => {
                let at = self.at(game, state);
                let near = game.values(state, &Type::Place, near);
                let what = What::Kept { line: (&line.text).into(), asked: asked.map(Value::Length), near };
                self.push(what, &line.cites, ShortText::default(), at);
            }
            MachineEvent::Leaned { here, leaned } => {
                let at = self.at(game, state);
                self.lean(game, here, leaned, &at);
            }
            MachineEvent::StandIn { func, how, result } => {
                let rules = &game.program.schema;
                let function = &game.program.functions[func.at()];
                let result = (!result.is_empty()).then(|| game.value(state, &function.result, result));
                let what = What::StandIn { name: (&function.name).into(), how: ShortText::new(how), result };
                let cites = &rules.items[function.item.at()].cites;
                let variant = values::variant(game, function.item);
                let at = self.at(game, state);
                self.push(what, cites, variant, at);
            }
            other => {
                if let Some(rendered) = change(game, state, other) {
                    self.note_here(game, state, rendered);
                }
            }
        }
    }

    fn step(&mut self, statement: &str) {
        self.tape.counts.open.clear();
        self.bare(What::Step { statement: statement.into() });
    }

    fn expect(&mut self, claim: &str, holds: bool, measures: Vec<Measure>) {
        self.tape.counts.open.clear();
        self.tape.counts.claimed += 1;
        self.tape.counts.held += u32::from(holds);
        let what = What::Expect { claim: claim.into(), holds, measures };
        self.bare(what);
    }

    fn remark(&mut self, remark: Remark) {
        self.tape.counts.open.clear();
        self.bare(What::Remark(remark));
    }

    fn fault(&mut self, fault: &Fault) {
        let what = What::Fault {
            code: fault.code.id().into(),
            message: (&fault.message).into(),
            stack: fault.stack.iter().map(ShortText::from).collect(),
        };
        let at = self.place(fault.span);
        if self.tape.counts.dropped > 0 {
            self.tape.counts.ended = Some((what, at));
            return;
        }
        self.push(what, &[], ShortText::default(), at);
    }
}

/// Converts a happening that changes the table, or a remark. Returns `None` for happenings handled elsewhere.
fn change(game: &Game, state: &State, what: &MachineEvent<'_>) -> Option<What> {
    let rules = &game.program.schema;
    let name = |kind: KindId, thing: i64| game.label(kind, thing);
    Some(match what {
        MachineEvent::Set { slot, thing, old, new, wanted } => {
            let declared = rules.declared(*slot);
            What::Write {
                slot: values::slot(game, *slot, *thing),
                before: game.value(state, declared.ty, old),
                after: game.value(state, declared.ty, new),
                cut: values::cut(game, declared.ty, new, wanted, declared.bounds),
                until: None,
            }
        }
        MachineEvent::Expired { slot, thing, old, new } => {
            let (ty, entry) = (rules.declared(*slot).ty, game.layout.stored(*slot).entry);
            What::Expired {
                slot: values::slot(game, *slot, *thing),
                before: values::stored(game, state, ty, entry, old),
                after: values::stored(game, state, ty, entry, new),
            }
        }
        MachineEvent::Granted { status, thing, data, renewed } => What::Gain {
            thing: name(rules.traits[status.at()].on, *thing),
            status: (&rules.traits[status.at()].name).into(),
            title: values::title(game, rules.traits[status.at()].item),
            named: values::named(game, rules.traits[status.at()].item),
            data: values::data(game, state, *status, data),
            renewed: *renewed,
            until: None,
        },
        MachineEvent::Revoked { status, thing, expired } => What::Lose {
            thing: name(rules.traits[status.at()].on, *thing),
            status: (&rules.traits[status.at()].name).into(),
            title: values::title(game, rules.traits[status.at()].item),
            named: values::named(game, rules.traits[status.at()].item),
            expired: *expired,
        },
        MachineEvent::Used { action, line, count, times, key } => {
            let info = &game.program.actions[action.at()];
            let (per, keyed) = match info.lines.get(*line as usize).and_then(|line| line.limit.as_ref()) {
                Some((per, key)) => ((&rules.phases[per.at()].name).into(), key.as_ref()),
                None => (ShortText::default(), None),
            };
            let (by, whose) = match (keyed, info.actor) {
                (Some(ty), _) => (None, Some(game.value(state, ty, &[*key]))),
                (None, Some(kind)) if *key >= 0 => (Some(name(kind, *key)), None),
                _ => (None, None),
            };
            What::Used { action: (&info.name).into(), by, whose, count: *count, times: *times, per }
        }
        MachineEvent::Destroyed { kind, thing, why } => {
            What::Destroyed { thing: name(*kind, *thing), why: (*why).into() }
        }
        MachineEvent::Spawned { kind, thing } => What::Spawned { thing: name(*kind, *thing) },
        MachineEvent::Moved { kind, thing, from, via, to, covered } => What::Moved {
            thing: name(*kind, *thing),
            before: values::point(*from),
            via: via.iter().map(|p| values::point(Some(*p))).collect(),
            after: values::point(*to),
            covered: (*covered >= 0).then_some(Value::Length(*covered)),
            facing: (*covered >= 0).then(|| Value::Angle(game.facing(state, *kind, *thing))),
        },
        MachineEvent::Turned { kind, thing, old, new } => {
            What::Turned { thing: name(*kind, *thing), before: Value::Angle(*old), after: Value::Angle(*new) }
        }
        MachineEvent::Unborne { status, thing } => {
            let info = &rules.traits[status.at()];
            What::Remark(Remark::Missing { what: format!("{} of {}", info.name, name(info.on, *thing)) })
        }
        MachineEvent::Merged { kind, from, into } => {
            What::Merged { thing: name(*kind, *from), into: name(*kind, *into) }
        }
        MachineEvent::Stuck { kind, thing, why, but } => {
            What::Stuck { thing: name(*kind, *thing), why: (*why).into(), but: but.to_vec() }
        }
        MachineEvent::Remark(remark) => What::Remark((*remark).clone()),
        _ => return None,
    })
}

fn decision(
    game: &Game,
    site: SiteId,
    who: Who,
    source: &str,
    menu: &[Value],
    answer: &Value,
    refused: &[NotOffered],
) -> What {
    let info = &game.program.schema.sites[site.at()];
    let refusal = |refused: &NotOffered| Refusal {
        action: refused.instance.clone(),
        why: refused.why.clone(),
        clauses: refused.clauses.iter().map(ShortText::from).collect(),
        never: refused.never,
    };
    What::Decision {
        name: (&info.name).into(),
        of: game.packed(who.subject),
        player: game.packed(who.player),
        source: source.into(),
        action: info.sort == grognard_rules::ruleset::SiteSort::Menu,
        menu: menu.to_vec(),
        answer: answer.clone(),
        refused: refused.iter().map(refusal).collect(),
    }
}

/// Returns the scope kind of a function in a trace. Values and functions that the compiler generates have none.
fn scope_sort(game: &Game, func: FuncId) -> Option<ScopeSort> {
    match game.program.funcs[func.at()].sort {
        FuncSort::Phase => Some(ScopeSort::Phase),
        FuncSort::Action => Some(ScopeSort::Action),
        FuncSort::Rule => Some(ScopeSort::Rule),
        FuncSort::Test => Some(ScopeSort::Test),
        FuncSort::Proc => (func.at() < game.program.functions.len()).then_some(ScopeSort::Proc),
        FuncSort::Event => Some(ScopeSort::Event),
        FuncSort::Value | FuncSort::Snippet => None,
    }
}

impl Recorder<'_> {
    fn enter(&mut self, game: &Game, state: &State, func: FuncId, args: &[i64]) {
        let info = &game.program.funcs[func.at()];
        let Some(sort) = scope_sort(game, func) else {
            self.tape.counts.open.push(Open { func, name: ShortText::default() });
            return;
        };
        let Some(item) = game.program.schema.items.get(info.item.at()) else { return };
        let args = values::arguments(game, state, func, args);
        let (name, title) = ((&item.name).into(), (&item.title).into());
        let what = What::Enter { sort, name, args, title, stand_in: item.stand_in };
        let at = self.place(Some(item.span));
        self.push(what, &item.cites, values::variant(game, info.item), at);
        self.tape.counts.open.push(Open { func, name: (&item.name).into() });
    }

    fn leave(&mut self, game: &Game, state: &State, func: FuncId, result: &[i64]) {
        if let Some(at) = self.tape.counts.open.iter().rposition(|o| o.func == func) {
            self.tape.counts.open.truncate(at);
        }
        let info = &game.program.funcs[func.at()];
        let Some(sort) = scope_sort(game, func) else { return };
        let result = match sort {
            ScopeSort::Test | ScopeSort::Proc => values::result(game, state, func, result),
            ScopeSort::Phase | ScopeSort::Action | ScopeSort::Rule | ScopeSort::Event => None,
        };
        let Some(item) = game.program.schema.items.get(info.item.at()) else { return };
        self.bare(What::Leave { sort, name: (&item.name).into(), result });
    }

    /// Returns the file and line of the running statement.
    fn at(&mut self, game: &Game, state: &State) -> ShortText {
        self.place(game.program.debug.place(state.pc))
    }

    /// Records an event with the clauses of the running statement. An effect that expires belongs to no statement.
    fn note_here(&mut self, game: &Game, state: &State, what: What) {
        if matches!(what, What::Expired { .. } | What::Lose { expired: true, .. }) {
            return self.bare(what);
        }
        let span = game.program.debug.place(state.pc);
        let clauses = span.map_or(&[][..], |s| game.program.debug.clauses(s));
        let at = self.place(span);
        self.push(what, clauses, ShortText::default(), at);
    }

    /// Records an event of a site, with its clauses or those of the enclosing statement.
    fn note_site(&mut self, game: &Game, state: &State, site: SiteId, what: What) {
        let Some(info) = game.program.schema.sites.get(site.at()) else { return self.note_here(game, state, what) };
        let clauses = if info.cites.is_empty() { game.program.debug.clauses(info.span) } else { &info.cites };
        let at = self.place(Some(info.span));
        self.push(what, clauses, ShortText::default(), at);
    }

    /// Adds a duration to the last write or gain.
    fn until(&mut self, game: &Game, phase: PhaseId, start: bool, key: Option<i64>) {
        if self.tape.counts.dropped > 0 {
            return;
        }
        let rules = &game.program.schema;
        let edge = if start { Edge::Start } else { Edge::End };
        let func = game.program.phases[phase.at()].func;
        let kind = game.program.functions[func.at()].locals.first().map(|l| l.ty.present());
        let whose = key.map(|cell| match kind {
            Some(Type::Kind(kind)) => Value::Thing(game.label(*kind, cell)),
            _ => Value::Int(cell),
        });
        let lasts = Until { edge, phase: (&rules.phases[phase.at()].name).into(), whose };
        for event in self.tape.events_mut().iter_mut().rev() {
            match &mut event.what {
                What::Write { until, .. } | What::Gain { until, .. } => {
                    *until = Some(lasts);
                    return;
                }
                // laws and bounds can be judged between the write and its duration
                What::Enter { .. } | What::Leave { .. } => return,
                _ => {}
            }
        }
    }

    fn note(&mut self, game: &Game, state: &State, note: &Note, value: Option<i64>, rendered: Worded, leaned: &Leaned) {
        let rules = &game.program.schema;
        let span = game.program.debug.place(state.pc);
        let at = self.place(span);
        let clauses = match span {
            _ if !note.cites.is_empty() => &note.cites,
            Some(span) => game.program.debug.clauses(span),
            None => &[][..],
        };
        let yes = value.is_some_and(|v| v != 0);
        let cells = |reg: Reg, ty: &Type| {
            let from = state.base as usize + reg as usize;
            game.value(state, ty, state.stack.get(from..from + rules.width(ty)).unwrap_or_default())
        };
        let Worded { words, measures, needs, figure, never } = rendered;
        match &note.kind {
            NoteKind::Value { name, reg, ty } => {
                let value = cells(*reg, ty);
                let text = ShortText::from(format_args!("{value}"));
                let bytes = |bit: &Bit| if let Bit::Text(text) = bit { text.len() } else { 0 };
                let short = words.0.iter().map(bytes).sum::<usize>() <= text.len();
                let same = short && ShortText::from(format_args!("{words}")) == text;
                let words = if same { Words::default() } else { words };
                let what = What::Value { name: name.into(), value, words, measures, needs, figure: ty.is_figure() };
                self.push(what, clauses, ShortText::default(), at.clone());
            }
            NoteKind::Condition { .. } => {
                let what = What::Condition { holds: yes, words, measures, needs, figure };
                self.push(what, clauses, ShortText::default(), at.clone());
            }
            NoteKind::Branch => {
                if !words.is_empty() {
                    self.push(What::Case { words, figure }, clauses, ShortText::default(), at.clone());
                }
            }
            NoteKind::Guard { rule, .. } => {
                let rule = &rules.rules[rule.at()];
                let item = &rules.items[rule.item.at()];
                if !yes {
                    let bearer = rule.of_trait.map(|of| {
                        let cell = state.stack.get(state.base as usize).copied().unwrap_or(0);
                        game.label(rules.traits[of.at()].on, cell)
                    });
                    let (name, title) = ((&item.name).into(), (&item.title).into());
                    let what = What::Guard { name, title, bearer, words, measures, never };
                    self.push(what, &item.cites, values::variant(game, rule.item), at.clone());
                }
            }
            NoteKind::Shared { name, old, reg, ty } => {
                let (before, after) = (cells(*old, ty), cells(*reg, ty));
                let what = What::Write { slot: values::shared(name), before, after, cut: None, until: None };
                self.push(what, clauses, ShortText::default(), at.clone());
            }
            NoteKind::Nothing { text } => {
                self.push(
                    What::Remark(Remark::Missing { what: text.clone() }),
                    clauses,
                    ShortText::default(),
                    at.clone(),
                );
            }
        }
        // dependencies on readings are reported with them, and most notes have none
        if leaned.is_empty() {
            return;
        }
        let here = match &note.kind {
            NoteKind::Value { name, reg, ty } => Words::default().text(format!("{name} ")).value(cells(*reg, ty)),
            NoteKind::Condition { selects: true, .. } => {
                // the reading itself selects the statement: what matters is which alternatives select another
                let now = Words::default().value(Value::Flag(yes));
                let differ = |(setting, others): &(SettingId, Vec<(String, Words)>)| {
                    let others = others.iter().filter(|(_, gives)| gives.to_string() != now.to_string());
                    (*setting, others.map(|(name, _)| (name.clone(), Words::default().text(name.clone()))).collect())
                };
                return self.lean(game, &Words::default(), &leaned.iter().map(differ).collect(), &at);
            }
            NoteKind::Condition { .. } => Words::default().value(Value::Flag(yes)),
            NoteKind::Guard { rule, .. } => {
                let name = &rules.items[rules.rules[rule.at()].item.at()].name;
                Words::default().text(format!("{name} {}", if yes { "runs" } else { "does not run" }))
            }
            NoteKind::Branch | NoteKind::Shared { .. } | NoteKind::Nothing { .. } => Words::default(),
        };
        self.lean(game, &here, leaned, &at);
    }

    /// Records the readings that a value depended on.
    fn lean(&mut self, game: &Game, here: &Words, leaned: &Leaned, at: &ShortText) {
        let rules = &game.program.schema;
        for (reading, others) in leaned {
            let info = &rules.settings[reading.at()];
            let what = What::Leaned {
                reading: (&info.name).into(),
                value: game.value(&game.start, &info.ty, game.setting(*reading)),
                here: here.clone(),
                others: others.iter().map(|(name, gives)| (name.into(), gives.clone())).collect(),
            };
            let item = &rules.items[info.item.at()];
            self.push(what, &item.cites, values::variant(game, info.item), at.clone());
        }
    }
}
