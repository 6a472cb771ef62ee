//! Computes what each body reads and writes, including its callees. Laws, bounds, audits and the compiler use the
//! result.

mod deciders;
mod direct;
pub mod measures;
pub mod walk;

pub use deciders::deciders;

use super::ruleset::{FieldSort, Ruleset, Stored};
use direct::{CallLink, Direct};
use grognard_base::OrdMap;
use grognard_base::value::*;

/// The state that a function reads, directly or through its callees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Fields, including derived fields and the fields that they read.
    pub fields: IdSet<FieldId>,
    /// The subset of `fields` that is read only through parameter 0.
    pub fields_of_self: IdSet<FieldId>,
    /// Top-level states.
    pub globals: IdSet<GlobalId>,
    /// Traits, statuses and conditions.
    pub traits: IdSet<TraitId>,
    pub settings: IdSet<SettingId>,
    /// Whether it reads positions, facings or distances on the board.
    pub positions: bool,
    /// Kinds whose living things it reads.
    pub counts: IdSet<KindId>,
    /// Whether it reads which phases are running, or their variables.
    pub running: bool,
}

/// The state that a function changes, directly or through what it calls, runs or triggers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writes {
    /// States and links.
    pub fields: IdSet<FieldId>,
    /// Top-level states.
    pub globals: IdSet<GlobalId>,
    /// Statuses granted or revoked.
    pub traits: IdSet<TraitId>,
    pub tallies: IdSet<TallyId>,
    /// Whether it moves, places or turns a thing.
    pub positions: bool,
    /// Kinds of which it creates or destroys things.
    pub counts: IdSet<KindId>,
}

impl Reads {
    /// Returns whether the function reads `stored`.
    pub fn has(&self, stored: Stored) -> bool {
        match stored {
            Stored::Field(id) => self.fields.contains(id),
            Stored::Global(id) => self.globals.contains(id),
        }
    }

    /// Returns whether a change in `writes` can change what the function reads.
    pub fn touched_by(&self, writes: &Writes) -> bool {
        !self.fields.is_disjoint(&writes.fields)
            || !self.globals.is_disjoint(&writes.globals)
            || !self.traits.is_disjoint(&writes.traits)
            || !self.counts.is_disjoint(&writes.counts)
            || (self.positions && writes.positions)
    }
}

/// Reads during the fixed-point iteration. Fields read through parameter 0 are kept separate.
#[derive(Default)]
struct Gathered {
    own: IdSet<FieldId>,
    other: IdSet<FieldId>,
    rest: Reads,
}

/// Returns the reads of each function, indexed by its id.
pub fn reads_of_all(rs: &Ruleset) -> Vec<Reads> {
    let direct: Vec<Direct> = direct::of_all(rs);
    let first =
        |d: &Direct| Gathered { own: d.own_fields.clone(), other: d.other_fields.clone(), rest: d.reads.clone() };
    let mut found: Vec<Gathered> = direct.iter().map(first).collect();
    settle(&direct, |at| {
        let mut new = std::mem::take(&mut found[at]);
        let mut changed = false;
        if direct[at].calls.iter().any(|l| l.func.at() == at && !l.same_self) {
            let own = std::mem::take(&mut new.own);
            changed |= new.other.union_with(&own);
            new.own = own;
        }
        for link in &direct[at].calls {
            changed |= found.get(link.func.at()).is_some_and(|from| add_reads(&mut new, link, from));
        }
        found[at] = new;
        changed
    });
    found.into_iter().take(rs.functions.len()).map(finish).collect()
}

/// Adds the reads of a callee. Returns whether `into` changed.
fn add_reads(into: &mut Gathered, link: &CallLink, from: &Gathered) -> bool {
    let own = if link.same_self { &mut into.own } else { &mut into.other };
    let mut news = own.union_with(&from.own);
    news |= into.other.union_with(&from.other);
    let (a, b) = (&mut into.rest, &from.rest);
    news |= a.globals.union_with(&b.globals) | a.traits.union_with(&b.traits);
    news |= a.settings.union_with(&b.settings) | a.counts.union_with(&b.counts);
    news |= (b.positions && !a.positions) | (b.running && !a.running);
    a.positions |= b.positions;
    a.running |= b.running;
    news
}

fn finish(g: Gathered) -> Reads {
    let fields_of_self = g.own.without(&g.other);
    let mut fields = g.own;
    fields.union_with(&g.other);
    Reads { fields, fields_of_self, ..g.rest }
}

/// Returns the writes of each function, indexed by its id.
pub fn writes_of_all(rs: &Ruleset) -> Vec<Writes> {
    let direct: Vec<Direct> = direct::of_all(rs);
    let mut found: Vec<Writes> = direct.iter().map(|d| d.writes.clone()).collect();
    settle(&direct, |at| {
        let mut new = std::mem::take(&mut found[at]);
        let mut changed = false;
        for link in direct[at].calls.iter().chain(&direct[at].sets_off) {
            let Some(from) = found.get(link.func.at()) else { continue };
            changed |= new.fields.union_with(&from.fields) | new.globals.union_with(&from.globals);
            changed |= new.traits.union_with(&from.traits) | new.tallies.union_with(&from.tallies);
            changed |= new.counts.union_with(&from.counts) | (from.positions && !new.positions);
            new.positions |= from.positions;
        }
        found[at] = new;
        changed
    });
    found.truncate(rs.functions.len());
    found
}

/// Returns the items whose own code reads each param and reading.
pub fn readers(rs: &Ruleset) -> OrdMap<SettingId, IdSet<ItemId>> {
    let functions = rs.functions.iter().map(|f| f.item).zip(direct::of_all(rs));
    let policies = rs.policies.iter().map(|p| (p.item, direct::of_policies(rs, std::slice::from_ref(p))));
    let mut found: OrdMap<SettingId, IdSet<ItemId>> = OrdMap::new();
    for (item, direct) in functions.chain(policies) {
        for setting in &direct.reads.settings {
            found.entry(setting).or_default().insert(item);
        }
    }
    found
}

/// The ids that any body refers to.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Used {
    pub functions: IdSet<FuncId>,
    pub fields: IdSet<FieldId>,
    pub globals: IdSet<GlobalId>,
    pub traits: IdSet<TraitId>,
    pub settings: IdSet<SettingId>,
}

/// Returns everything that a body reads, writes or calls. A recursive call does not count as a use of the function.
pub fn used_by_all(rs: &Ruleset) -> Used {
    let mut used = Used::default();
    let mut found = direct::of_all(rs);
    let triggers = found.split_off(rs.functions.len());
    // the first two bodies that set off each trigger: with two, a rule on it is not used only by itself
    let mut set_off_by: Vec<Vec<usize>> = vec![Vec::new(); triggers.len()];
    for (at, d) in found.into_iter().chain([direct::of_policies(rs, &rs.policies)]).enumerate() {
        let calls = d.calls.iter().chain(&d.sets_off).map(|l| l.func).filter(|f| f.at() != at);
        for func in calls {
            match func.at().checked_sub(rs.functions.len()).and_then(|trigger| set_off_by.get_mut(trigger)) {
                None => {
                    used.functions.insert(func);
                }
                Some(by) if by.len() < 2 => by.push(at),
                Some(_) => {}
            }
        }
        used.fields.extend(d.own_fields.iter().chain(&d.other_fields).chain(&d.writes.fields));
        used.globals.extend(d.reads.globals.iter().chain(&d.writes.globals));
        used.traits.extend(d.reads.traits.iter().chain(&d.writes.traits));
        used.settings.extend(&d.reads.settings);
    }
    for (trigger, by) in triggers.iter().zip(set_off_by) {
        let bodies = trigger.sets_off.iter().map(|l| l.func);
        used.functions.extend(bodies.filter(|f| by.iter().any(|at| *at != f.at())));
    }
    used
}

/// Runs a worklist to a fixed point: when the result of a function changes, its callers are computed again.
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

/// Returns the functions that compute the value of a field: its own, and those of the traits that change it.
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
