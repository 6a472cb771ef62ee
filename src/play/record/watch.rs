//! From what the machine tells to events.

use super::event::{Refusal, Sort, What};
use super::{Open, Recorder, words};
use crate::machine::{Game, Happening, NotOffered, State, Trace, Who};
use crate::program::{FuncSort, Note, NoteKind};
use crate::rules::ruleset::FieldSort;
use crate::value::*;

impl Trace for Recorder<'_> {
    const ON: bool = true;

    fn happen(&mut self, game: &Game, state: &State, what: &Happening<'_>) {
        if self.dropped > 0 {
            // the trace is over; what more happens is only counted
            self.dropped += 1;
            return;
        }
        match what {
            Happening::Enter { func, args } => self.enter(game, state, *func, args),
            Happening::Leave { func, result } => self.leave(game, state, *func, result),
            Happening::Note { note, value, words, figure, never, leaned } => {
                self.note(game, state, note, *value, (words, *figure, *never), leaned)
            }
            Happening::Until { phase, start, key } => self.until(game, *phase, *start, *key),
            Happening::Decided { site, who, source, menu, answer, refused } => {
                let told = decision(game, *site, *who, source, menu, answer, refused);
                self.note_site(game, state, *site, told);
            }
            Happening::Roll { throw, name, faces } => {
                let dice = words::dice(game, &throw.dice);
                let told: Vec<String> =
                    faces.iter().enumerate().map(|(n, f)| words::face(game, throw.dice.die(n), *f)).collect();
                let sum = throw.again.is_empty() && self.sums.contains(&throw.site) && faces.len() > 1;
                let what = What::Roll {
                    name: game.program.schema.sites[throw.site.at()].name.clone(),
                    of: game.packed_name(throw.subject),
                    dice,
                    faces: told,
                    sum: sum.then(|| faces.iter().sum::<i64>().to_string()),
                    again: throw.again.iter().map(|p| *p as u64 + 1).collect(),
                    explode: throw.explode,
                };
                self.note_site(game, state, *name, what);
            }
            Happening::Draw { draw, picks } => {
                let even = draw.weights.iter().all(|w| *w == 1);
                let what = What::Draw {
                    name: game.program.schema.sites[draw.site.at()].name.clone(),
                    of: game.packed_name(draw.subject),
                    among: draw.names.to_vec(),
                    weights: if even { Vec::new() } else { draw.weights.iter().map(u32::to_string).collect() },
                    picks: picks.iter().filter_map(|p| draw.names.get(*p).cloned()).collect(),
                };
                self.note_site(game, state, draw.site, what);
            }
            Happening::Kept { words, near, cites } => {
                let at = self.at(game, state);
                let near = near.chunks(2).map(|c| game.tell(state, &Type::Place, c)).collect();
                self.push(What::Kept { words: words.to_string(), near }, cites.to_vec(), String::new(), at);
            }
            Happening::Leaned { here, leaned } => {
                let at = self.at(game, state);
                self.lean(game, here, leaned, &at);
            }
            Happening::StandIn { func, how, result } => {
                let rules = &game.program.schema;
                let function = &game.program.functions[func.at()];
                let result = if result.is_empty() { String::new() } else { game.tell(state, &function.result, result) };
                let what = What::StandIn { name: function.name.clone(), how: how.to_string(), result };
                let cites = rules.items[function.item.at()].cites.clone();
                let variant = words::variant(game, function.item);
                let at = self.at(game, state);
                self.push(what, cites, variant, at);
            }
            other => {
                let told = change(game, state, other);
                self.note_here(game, state, told);
            }
        }
    }
}

/// Writes, and what else changes the table.
fn change(game: &Game, state: &State, what: &Happening<'_>) -> What {
    let rules = &game.program.schema;
    let name = |kind: KindId, thing: i64| game.name(kind, thing);
    match what {
        Happening::Set { field, thing, key, old, new, wanted } => {
            let info = &rules.fields[field.at()];
            let (lost, bound) = match info.sort {
                FieldSort::State if key.is_none() => words::lost(game, &info.ty, new, wanted, (info.low, info.high)),
                _ => Default::default(),
            };
            What::Write {
                slot: words::slot(game, *field, *thing, *key),
                before: game.tell(state, &info.ty, old),
                after: game.tell(state, &info.ty, new),
                lost,
                bound,
                until: String::new(),
            }
        }
        Happening::SetGlobal { id, old, new, wanted } => {
            let info = &rules.globals[id.at()];
            let (lost, bound) = words::lost(game, &info.ty, new, wanted, (info.low, info.high));
            What::Write {
                slot: info.name.clone(),
                before: words::stored(game, state, &info.ty, 0, old),
                after: game.tell(state, &info.ty, new),
                lost,
                bound,
                until: String::new(),
            }
        }
        Happening::Expired { field, thing, old, new } => {
            let (ty, entry) = (&rules.fields[field.at()].ty, game.layout.fields[field.at()].entry);
            What::Expired {
                slot: words::slot(game, *field, *thing, None),
                before: words::stored(game, state, ty, entry, old),
                after: words::stored(game, state, ty, entry, new),
            }
        }
        Happening::Granted { status, thing, data, renewed } => What::Gain {
            thing: name(rules.traits[status.at()].on, *thing),
            status: words::status(game, state, *status, data),
            renewed: *renewed,
            until: String::new(),
        },
        Happening::Revoked { status, thing, expired } => What::Lose {
            thing: name(rules.traits[status.at()].on, *thing),
            status: rules.traits[status.at()].name.clone(),
            expired: *expired,
        },
        Happening::Used { action, line, count, times, key } => {
            let info = &game.program.actions[action.at()];
            let (per, keyed) = match info.lines.get(*line as usize).and_then(|line| line.limit.as_ref()) {
                Some((per, key)) => (rules.phases[per.at()].name.clone(), key.as_ref()),
                None => (String::new(), None),
            };
            let (mut by, mut whose) = (String::new(), String::new());
            match (keyed, info.actor) {
                (Some(ty), _) => whose = game.tell(state, ty, &[*key]),
                (None, Some(kind)) if *key >= 0 => by = name(kind, *key),
                _ => {}
            }
            What::Used { action: info.name.clone(), by, whose, count: count.to_string(), times: times.to_string(), per }
        }
        Happening::Destroyed { kind, thing, why } => {
            What::Destroyed { thing: name(*kind, *thing), why: why.to_string() }
        }
        Happening::Spawned { kind, thing } => What::Spawned { thing: name(*kind, *thing) },
        Happening::Moved { kind, thing, from, via, to, covered } => What::Moved {
            thing: name(*kind, *thing),
            before: words::point(game, *from),
            via: via.iter().map(|p| words::point(game, Some(*p))).collect(),
            after: words::point(game, *to),
            covered: if *covered < 0 { String::new() } else { crate::program::wording::length(*covered) },
            facing: match covered {
                ..0 => String::new(),
                _ => crate::program::wording::angle(game.facing(state, *kind, *thing)),
            },
        },
        Happening::Turned { kind, thing, old, new } => What::Turned {
            thing: name(*kind, *thing),
            before: crate::program::wording::angle(*old),
            after: crate::program::wording::angle(*new),
        },
        Happening::Merged { kind, from, into } => What::Merged { thing: name(*kind, *from), into: name(*kind, *into) },
        Happening::Stuck { kind, thing, why, but } => {
            What::Stuck { thing: name(*kind, *thing), why: why.to_string(), but: but.to_vec() }
        }
        Happening::Remark { text } => What::Remark { text: text.to_string() },
        // told elsewhere
        _ => What::Remark { text: String::new() },
    }
}

fn decision(
    game: &Game,
    site: SiteId,
    who: Who,
    source: &str,
    menu: &[String],
    answer: &str,
    refused: &[NotOffered],
) -> What {
    let info = &game.program.schema.sites[site.at()];
    let refusal = |refused: &NotOffered| Refusal {
        action: refused.instance.clone(),
        why: refused.why.clone(),
        clauses: refused.clauses.clone(),
        never: refused.never,
    };
    What::Decision {
        name: info.name.clone(),
        of: game.packed_name(who.subject),
        player: game.packed_name(who.player),
        source: source.to_string(),
        action: info.sort == crate::rules::ruleset::SiteSort::Menu,
        menu: menu.to_vec(),
        answer: answer.to_string(),
        refused: refused.iter().map(refusal).collect(),
    }
}

/// What a function is told as. Values are not, nor is what the compiler makes for itself.
fn told_as(game: &Game, func: FuncId) -> Option<Sort> {
    match game.program.funcs[func.at()].sort {
        FuncSort::Phase => Some(Sort::Phase),
        FuncSort::Action => Some(Sort::Action),
        FuncSort::Rule => Some(Sort::Rule),
        FuncSort::Test => Some(Sort::Test),
        FuncSort::Proc => (func.at() < game.program.functions.len()).then_some(Sort::Proc),
        FuncSort::Event => Some(Sort::Event),
        FuncSort::Value | FuncSort::Snippet => None,
    }
}

impl Recorder<'_> {
    fn enter(&mut self, game: &Game, state: &State, func: FuncId, args: &[i64]) {
        let info = &game.program.funcs[func.at()];
        let Some(sort) = told_as(game, func) else {
            self.open.push(Open { func, name: String::new() });
            return;
        };
        let Some(item) = game.program.schema.items.get(info.item.at()) else { return };
        let args = words::arguments(game, state, func, args);
        let what = What::Enter { sort, name: item.name.clone(), args, title: item.title.clone() };
        let at = self.place(Some(item.span));
        self.push(what, item.cites.clone(), words::variant(game, info.item), at);
        self.open.push(Open { func, name: item.name.clone() });
    }

    fn leave(&mut self, game: &Game, state: &State, func: FuncId, result: &[i64]) {
        if let Some(at) = self.open.iter().rposition(|o| o.func == func) {
            self.open.truncate(at);
        }
        let info = &game.program.funcs[func.at()];
        let Some(sort) = told_as(game, func) else { return };
        let verdict = match sort {
            Sort::Test | Sort::Proc => words::verdict(game, state, func, result),
            Sort::Phase | Sort::Action | Sort::Rule | Sort::Event => String::new(),
        };
        let Some(item) = game.program.schema.items.get(info.item.at()) else { return };
        self.push(What::Leave { sort, name: item.name.clone(), verdict }, Vec::new(), String::new(), String::new());
    }

    /// File and line of what runs.
    fn at(&self, game: &Game, state: &State) -> String {
        self.place(game.program.debug.place(state.pc))
    }

    /// An event with the clauses of the statement that runs; what ends by itself is no statement's doing.
    fn note_here(&mut self, game: &Game, state: &State, what: What) {
        if matches!(what, What::Expired { .. } | What::Lose { expired: true, .. }) {
            return self.push(what, Vec::new(), String::new(), String::new());
        }
        let span = game.program.debug.place(state.pc);
        let clauses = span.map_or(&[][..], |s| game.program.debug.clauses(s)).to_vec();
        let at = self.place(span);
        self.push(what, clauses, String::new(), at);
    }

    /// An event of a site, with its clauses or those of the statement around it.
    fn note_site(&mut self, game: &Game, state: &State, site: SiteId, what: What) {
        let Some(info) = game.program.schema.sites.get(site.at()) else { return self.note_here(game, state, what) };
        let clauses = if info.cites.is_empty() { game.program.debug.clauses(info.span) } else { &info.cites }.to_vec();
        let at = self.place(Some(info.span));
        self.push(what, clauses, String::new(), at);
    }

    /// What was written last is for a time.
    fn until(&mut self, game: &Game, phase: PhaseId, start: bool, key: Option<i64>) {
        if self.dropped > 0 {
            return;
        }
        let rules = &game.program.schema;
        let edge = if start { "start" } else { "end" };
        let func = game.program.phases[phase.at()].func;
        let kind = game.program.functions[func.at()].locals.first().map(|l| l.ty.present());
        let whom = match (key, kind) {
            (Some(cell), Some(Type::Kind(kind))) => format!(" for {}", game.name(*kind, cell)),
            (Some(cell), _) => format!(" for {cell}"),
            (None, _) => String::new(),
        };
        let words = format!("{edge} of {}{whom}", rules.phases[phase.at()].name);
        for event in self.events.iter_mut().rev() {
            match &mut event.what {
                What::Write { until, .. } | What::Gain { until, .. } => {
                    *until = words;
                    return;
                }
                // laws and bounds may be judged between the write and its time
                What::Enter { .. } | What::Leave { .. } => return,
                _ => {}
            }
        }
    }

    fn note(
        &mut self,
        game: &Game,
        state: &State,
        note: &Note,
        value: Option<i64>,
        (words, figure, never): (&str, bool, bool),
        leaned: &[(SettingId, Vec<(String, String)>)],
    ) {
        let rules = &game.program.schema;
        let span = game.program.debug.place(state.pc);
        let at = self.place(span);
        let clauses = match span {
            _ if !note.cites.is_empty() => note.cites.clone(),
            Some(span) => game.program.debug.clauses(span).to_vec(),
            None => Vec::new(),
        };
        let yes = value.is_some_and(|v| v != 0);
        let mut here = String::new();
        match &note.kind {
            NoteKind::Value { name, reg, ty } => {
                let from = state.base as usize + *reg as usize;
                let cells = state.stack.get(from..from + rules.width(ty)).unwrap_or_default();
                let value = game.tell(state, ty, cells);
                here = format!("{name} {value}");
                let words = if words == value { "" } else { words }.to_string();
                let figure = ty.is_figure();
                self.push(What::Value { name: name.clone(), value, words, figure }, clauses, String::new(), at.clone());
            }
            NoteKind::Condition { .. } => {
                here = if yes { "yes" } else { "no" }.to_string();
                let what = What::Condition { holds: yes, words: words.to_string(), figure };
                self.push(what, clauses, String::new(), at.clone());
            }
            NoteKind::Branch => {
                if !words.is_empty() {
                    self.push(What::Case { words: words.to_string(), figure }, clauses, String::new(), at.clone());
                }
            }
            NoteKind::Guard { rule, .. } => {
                let rule = &rules.rules[rule.at()];
                let item = &rules.items[rule.item.at()];
                here = format!("{} {}", item.name, if yes { "runs" } else { "does not run" });
                if !yes {
                    let bearer = match rule.of_trait {
                        Some(of) => {
                            let cell = state.stack.get(state.base as usize).copied().unwrap_or(0);
                            game.name(rules.traits[of.at()].on, cell)
                        }
                        None => String::new(),
                    };
                    let what = What::Guard {
                        name: item.name.clone(),
                        title: item.title.clone(),
                        bearer,
                        words: words.to_string(),
                        never,
                    };
                    self.push(what, item.cites.clone(), words::variant(game, rule.item), at.clone());
                }
            }
            NoteKind::Shared { name, old, reg, ty } => {
                let told = |reg: crate::program::Reg| {
                    let from = state.base as usize + reg as usize;
                    game.tell(state, ty, state.stack.get(from..from + rules.width(ty)).unwrap_or_default())
                };
                let what = What::Write {
                    slot: name.clone(),
                    before: told(*old),
                    after: told(*reg),
                    lost: String::new(),
                    bound: String::new(),
                    until: String::new(),
                };
                self.push(what, clauses, String::new(), at.clone());
            }
            NoteKind::Nothing { text } => {
                let what = What::Remark { text: format!("{text} is missing: nothing happens") };
                self.push(what, clauses, String::new(), at.clone());
            }
        }
        self.lean(game, &here, leaned, &at);
    }

    /// The readings that something hung on.
    fn lean(&mut self, game: &Game, here: &str, leaned: &[(SettingId, Vec<(String, String)>)], at: &str) {
        let rules = &game.program.schema;
        for (reading, others) in leaned {
            let info = &rules.settings[reading.at()];
            let what = What::Leaned {
                reading: info.name.clone(),
                value: game.tell(&game.start, &info.ty, game.setting(*reading)),
                here: here.to_string(),
                others: others.clone(),
            };
            let item = &rules.items[info.item.at()];
            self.push(what, item.cites.clone(), words::variant(game, info.item), at.to_string());
        }
    }
}
