//! What each body reads and writes, through everything it calls: for laws, bounds, audits and the compiler.

mod direct;
pub mod walk;

use super::ruleset::{FieldSort, Ruleset};
use crate::value::*;
use direct::{Direct, Link};
use std::collections::{BTreeMap, BTreeSet};

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

/// A set of fields, one bit each; growing it is cheap.
#[derive(Clone, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn of(size: usize, fields: &BTreeSet<FieldId>) -> Bits {
        let mut bits = Bits(vec![0; size.div_ceil(64)]);
        for field in fields {
            bits.0[field.at() / 64] |= 1 << (field.at() % 64);
        }
        bits
    }

    /// Adds all of the other; true if that is news.
    fn add(&mut self, other: &Bits) -> bool {
        let mut news = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            news |= *theirs & !*mine != 0;
            *mine |= *theirs;
        }
        news
    }

    fn fields(&self) -> BTreeSet<FieldId> {
        let word = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| FieldId::from(at * 64 + bit))
        };
        self.0.iter().enumerate().flat_map(word).collect()
    }
}

/// Reads while they are gathered: fields through parameter 0 and others apart.
#[derive(Default)]
struct Gathered {
    own: Bits,
    other: Bits,
    rest: Reads,
}

/// For each function what it reads, by its id.
pub fn reads_of_all(rs: &Ruleset) -> Vec<Reads> {
    let direct: Vec<Direct> = direct::of_all(rs);
    let size = rs.fields.len();
    let first = |d: &Direct| Gathered {
        own: Bits::of(size, &d.own_fields),
        other: Bits::of(size, &d.other_fields),
        rest: d.reads.clone(),
    };
    let mut found: Vec<Gathered> = direct.iter().map(first).collect();
    settle(&direct, |at| {
        let mut new = std::mem::take(&mut found[at]);
        let mut changed = false;
        if direct[at].calls.iter().any(|l| l.func.at() == at && !l.same_self) {
            let own = std::mem::take(&mut new.own);
            changed |= new.other.add(&own);
            new.own = own;
        }
        for link in &direct[at].calls {
            changed |= found.get(link.func.at()).is_some_and(|from| add_reads(&mut new, link, from));
        }
        found[at] = new;
        changed
    });
    found.into_iter().map(finish).collect()
}

/// Adds what a callee reads; true if that is news.
fn add_reads(into: &mut Gathered, link: &Link, from: &Gathered) -> bool {
    let own = if link.same_self { &mut into.own } else { &mut into.other };
    let mut news = own.add(&from.own);
    news |= into.other.add(&from.other);
    let (a, b) = (&mut into.rest, &from.rest);
    news |= extend(&mut a.globals, &b.globals) | extend(&mut a.traits, &b.traits);
    news |= extend(&mut a.settings, &b.settings) | extend(&mut a.counts, &b.counts);
    news |= (b.positions && !a.positions) | (b.running && !a.running);
    a.positions |= b.positions;
    a.running |= b.running;
    news
}

/// Adds all of the other; true if that is news.
fn extend<T: Copy + Ord>(into: &mut BTreeSet<T>, from: &BTreeSet<T>) -> bool {
    let before = into.len();
    if before < from.len() || !from.is_subset(into) {
        into.extend(from);
    }
    into.len() > before
}

fn finish(g: Gathered) -> Reads {
    let (own, other) = (g.own.fields(), g.other.fields());
    let fields_of_self = own.difference(&other).copied().collect();
    let mut fields = own;
    fields.extend(&other);
    Reads { fields, fields_of_self, ..g.rest }
}

/// For each function what it writes, by its id.
pub fn writes_of_all(rs: &Ruleset) -> Vec<Writes> {
    let direct: Vec<Direct> = direct::of_all(rs);
    let mut found: Vec<Writes> = direct.iter().map(|d| d.writes.clone()).collect();
    settle(&direct, |at| {
        let mut new = std::mem::take(&mut found[at]);
        let mut changed = false;
        for link in direct[at].calls.iter().chain(&direct[at].sets_off) {
            let Some(from) = found.get(link.func.at()) else { continue };
            changed |= extend(&mut new.fields, &from.fields) | extend(&mut new.globals, &from.globals);
            changed |= extend(&mut new.traits, &from.traits) | extend(&mut new.tallies, &from.tallies);
            changed |= extend(&mut new.counts, &from.counts) | (from.positions && !new.positions);
            new.positions |= from.positions;
        }
        found[at] = new;
        changed
    });
    found
}

/// By param and reading the items whose own code reads it.
pub fn readers(rs: &Ruleset) -> BTreeMap<SettingId, BTreeSet<ItemId>> {
    let functions = rs.functions.iter().map(|f| f.item).zip(direct::of_all(rs));
    let policies = rs.policies.iter().map(|p| (p.item, direct::of_policies(rs, std::slice::from_ref(p))));
    let mut found: BTreeMap<SettingId, BTreeSet<ItemId>> = BTreeMap::new();
    for (item, direct) in functions.chain(policies) {
        for setting in direct.reads.settings {
            found.entry(setting).or_default().insert(item);
        }
    }
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
    for (at, d) in direct::of_all(rs).into_iter().chain([direct::of_policies(rs, &rs.policies)]).enumerate() {
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
