//! What each body reads and writes, through everything it calls: for laws, bounds, audits and the compiler.

mod direct;
pub mod walk;

use super::ruleset::{FieldSort, Ruleset};
use crate::value::*;
use direct::{Direct, Link};
use std::collections::BTreeSet;

/// What a function looks at, directly or through what it calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Fields, derived ones and those behind them.
    pub fields: BTreeSet<FieldId>,
    /// Those of them that are read only through parameter 0.
    pub fields_of_self: BTreeSet<FieldId>,
    /// States of the game.
    pub globals: BTreeSet<GlobalId>,
    /// Traits, statuses and conditions.
    pub traits: BTreeSet<TraitId>,
    /// Params and readings.
    pub settings: BTreeSet<SettingId>,
    /// Places, facings and distances on the board.
    pub positions: bool,
    /// Kinds of which it asks who is alive.
    pub counts: BTreeSet<KindId>,
    /// Which phases are running, or variables of them.
    pub running: bool,
}

/// What a function changes, directly or through what it calls, runs and sets off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writes {
    /// States and links.
    pub fields: BTreeSet<FieldId>,
    /// States of the game.
    pub globals: BTreeSet<GlobalId>,
    /// Statuses granted or revoked.
    pub traits: BTreeSet<TraitId>,
    /// Tallies.
    pub tallies: BTreeSet<TallyId>,
    /// Something is moved, placed or turned.
    pub positions: bool,
    /// Kinds of which something is made or destroyed.
    pub counts: BTreeSet<KindId>,
}

impl Reads {
    /// True if what `writes` changes can change what is read here.
    pub fn touched_by(&self, writes: &Writes) -> bool {
        !self.fields.is_disjoint(&writes.fields)
            || !self.globals.is_disjoint(&writes.globals)
            || !self.traits.is_disjoint(&writes.traits)
            || !self.counts.is_disjoint(&writes.counts)
            || (self.positions && writes.positions)
    }
}

/// Reads while they are gathered: fields through parameter 0 and others apart.
#[derive(Clone, Default, PartialEq, Eq)]
struct Gathered {
    own: BTreeSet<FieldId>,
    other: BTreeSet<FieldId>,
    rest: Reads,
}

/// For each function what it reads, by its id.
pub fn reads_of_all(rs: &Ruleset) -> Vec<Reads> {
    let direct: Vec<Direct> = direct::of_all(rs);
    let mut found: Vec<Gathered> = direct.iter().map(first_reads).collect();
    settle(&direct, |at| {
        let mut new = found[at].clone();
        for link in direct[at].calls.iter() {
            add_reads(&mut new, link, &found);
        }
        let changed = new != found[at];
        found[at] = new;
        changed
    });
    found.into_iter().map(finish).collect()
}

fn first_reads(d: &Direct) -> Gathered {
    Gathered { own: d.own_fields.clone(), other: d.other_fields.clone(), rest: d.reads.clone() }
}

fn add_reads(into: &mut Gathered, link: &Link, found: &[Gathered]) {
    let Some(from) = found.get(link.func.at()) else { return };
    let own = if link.same_self { &mut into.own } else { &mut into.other };
    own.extend(&from.own);
    into.other.extend(&from.other);
    let (a, b) = (&mut into.rest, &from.rest);
    a.globals.extend(&b.globals);
    a.traits.extend(&b.traits);
    a.settings.extend(&b.settings);
    a.counts.extend(&b.counts);
    a.positions |= b.positions;
    a.running |= b.running;
}

fn finish(g: Gathered) -> Reads {
    let fields_of_self = g.own.difference(&g.other).copied().collect();
    let fields = g.own.into_iter().chain(g.other).collect();
    Reads { fields, fields_of_self, ..g.rest }
}

/// For each function what it writes, by its id.
pub fn writes_of_all(rs: &Ruleset) -> Vec<Writes> {
    let direct: Vec<Direct> = direct::of_all(rs);
    let mut found: Vec<Writes> = direct.iter().map(|d| d.writes.clone()).collect();
    settle(&direct, |at| {
        let mut new = found[at].clone();
        for link in direct[at].calls.iter().chain(&direct[at].sets_off) {
            let Some(from) = found.get(link.func.at()) else { continue };
            new.fields.extend(&from.fields);
            new.globals.extend(&from.globals);
            new.traits.extend(&from.traits);
            new.tallies.extend(&from.tallies);
            new.counts.extend(&from.counts);
            new.positions |= from.positions;
        }
        let changed = new != found[at];
        found[at] = new;
        changed
    });
    found
}

/// Everything some body names.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Used {
    pub functions: BTreeSet<FuncId>,
    pub fields: BTreeSet<FieldId>,
    pub globals: BTreeSet<GlobalId>,
    pub traits: BTreeSet<TraitId>,
    pub settings: BTreeSet<SettingId>,
}

/// What is read, written or called anywhere. A call of itself is no use.
pub fn used_by_all(rs: &Ruleset) -> Used {
    let mut used = Used::default();
    for (at, d) in direct::of_all(rs).into_iter().enumerate() {
        let calls = d.calls.iter().chain(&d.sets_off).map(|l| l.func);
        used.functions.extend(calls.filter(|f| f.at() != at));
        used.fields.extend(d.own_fields.iter().chain(&d.other_fields).chain(&d.writes.fields));
        used.globals.extend(d.reads.globals.iter().chain(&d.writes.globals));
        used.traits.extend(d.reads.traits.iter().chain(&d.writes.traits));
        used.settings.extend(&d.reads.settings);
    }
    used
}

/// Works through the functions until nothing changes any more: whoever calls a changed one is done again.
fn settle(direct: &[Direct], mut again: impl FnMut(usize) -> bool) {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); direct.len()];
    for (at, d) in direct.iter().enumerate() {
        for link in d.calls.iter().chain(&d.sets_off) {
            if let Some(list) = callers.get_mut(link.func.at()) {
                list.push(at);
            }
        }
    }
    let mut waiting: Vec<bool> = vec![true; direct.len()];
    let mut queue: std::collections::VecDeque<usize> = (0..direct.len()).collect();
    while let Some(at) = queue.pop_front() {
        waiting[at] = false;
        if !again(at) {
            continue;
        }
        for caller in &callers[at] {
            if !waiting[*caller] {
                waiting[*caller] = true;
                queue.push_back(*caller);
            }
        }
    }
}

/// The functions that together give a field its value: its own, and those of the traits that change it.
fn value_functions(rs: &Ruleset, changes: &[Vec<(TraitId, usize)>], field: FieldId) -> Vec<FuncId> {
    let mut found = Vec::new();
    let data = &rs.fields[field.at()];
    if let FieldSort::Let(func) = data.sort {
        found.push(func);
    }
    let Some(changes) = changes.get(field.at()) else { return found };
    for (t, at) in changes {
        let owner = &rs.traits[t.at()];
        found.extend(owner.when);
        if let Some(change) = owner.changes.get(*at) {
            found.push(change.value);
            found.extend(change.when);
        }
    }
    if !changes.is_empty() {
        found.extend(data.low);
        found.extend(data.high);
    }
    found
}
