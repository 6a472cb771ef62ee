//! The numbered actions of an environment: a fixed table of the menu entries of a scenario.

use super::text;
use grognard_base::value::{ActionId, NONE, SiteId, Type};
use grognard_play::{Entries, Question, Stepped};
use grognard_program::schema::SiteSort;
use grognard_scenario::Scenario;
use grognard_vm::{Answer, Fault, Game, Instance, State};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The second cell of a key: the kind of the entry.
const NO_ENTRY: i64 = 0;
const VALUE: i64 = 1;
const DONE: i64 = 2;
const OPTION: i64 = 3;
const FLAG: i64 = 4;
const ACTION: i64 = 5;
const STOP: i64 = 6;

/// Maximum number of entries of one choice or action that are listed from its header.
const LISTED: usize = 64;
/// Minimum number of runs of the search for entries, and the maximum.
const RUNS: std::ops::Range<u64> = 8..1_000;

/// How many entries the table has, and how they are found.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Maximum number of entries of the table.
    pub entries: usize,
    /// Number of actions for entries that the table does not have.
    pub extra: usize,
    /// Maximum number of decisions of the runs that search for entries.
    pub decisions: usize,
}

/// The table: an entry is its site, its kind and its cells.
pub struct Actions {
    index: FxHashMap<Box<[i64]>, u32>,
    /// The texts of the entries.
    pub meanings: Vec<String>,
    pub extra: usize,
    /// The sites whose decisions were found, in order.
    pub sites: Vec<SiteId>,
}

impl Actions {
    /// Lists the entries that some runs find, in which the players choose at random, and small menus as the headers of the rules
    /// declare them. Only counts limit the search, so that the table is the same on every machine.
    pub fn find(scenario: &Arc<Scenario>, sides: &[i64], limits: Limits) -> Result<Actions, Fault> {
        let mut found = Found { entries: BTreeMap::new(), most: limits.entries };
        let mut sites = Vec::new();
        let (mut decisions, mut last_new) = (0, 0);
        for run in 0..RUNS.end {
            if decisions >= limits.decisions || run >= RUNS.start.max(2 * last_new + RUNS.start) {
                break;
            }
            let before = found.entries.len();
            if let Err(fault) = walk(scenario, sides, run, &mut decisions, limits.decisions, &mut found, &mut sites)
                && run == 0
                && sites.is_empty()
            {
                return Err(fault);
            }
            if found.entries.len() > before {
                last_new = run + 1;
            }
        }
        sites.sort_unstable();
        for site in &sites {
            found.declared(&scenario.game, *site);
        }
        found.declared_actions(&scenario.game);
        let mut index = FxHashMap::default();
        let mut meanings = Vec::new();
        for (key, text) in found.entries {
            index.insert(key, meanings.len() as u32);
            meanings.push(text);
        }
        // an action space has at least one action
        let extra = limits.extra.max(usize::from(meanings.is_empty()));
        Ok(Actions { index, meanings, extra, sites })
    }

    /// Returns the number of actions.
    pub fn count(&self) -> usize {
        self.meanings.len() + self.extra
    }

    /// Lists the action of each entry of a question, and marks them in `mask`. An entry that the table does not have takes the
    /// next extra action. An entry without an action is [`u32::MAX`].
    pub fn list(&self, game: &Game, state: &State, asked: &Asked<'_>, menu: &mut Vec<u32>, mask: &mut [i8]) {
        menu.clear();
        mask.fill(0);
        let mut extra = self.meanings.len();
        asked.each(game, state, |key| {
            let action = loop {
                match self.index.get(key.as_slice()) {
                    // the same entry again
                    Some(action) if mask[*action as usize] != 0 => key.push(1),
                    Some(action) => break *action,
                    None if extra < mask.len() => {
                        extra += 1;
                        break extra as u32 - 1;
                    }
                    None => break u32::MAX,
                }
            };
            if let Some(bit) = mask.get_mut(action as usize) {
                *bit = 1;
            }
            menu.push(action);
        });
    }
}

/// A question, with the entries of a set that are chosen already.
pub struct Asked<'a> {
    pub question: &'a Question,
    pub picked: &'a [usize],
}

/// One step towards the answer of a question.
pub enum Pick {
    /// The answer with this index.
    Answer(usize),
    /// One more entry of a set.
    One(usize),
    /// The set is complete.
    Done,
}

impl Asked<'_> {
    /// Returns what the entry with this number means.
    pub fn pick(&self, entry: usize) -> Pick {
        match &self.question.entries {
            Entries::Sets { cells, width, .. } => {
                let count = cells.len() / (*width).max(1);
                (0..count).filter(|n| !self.picked.contains(n)).nth(entry).map_or(Pick::Done, Pick::One)
            }
            _ => Pick::Answer(entry),
        }
    }

    /// Calls a function with the key of each entry, in order. The function can change the key.
    fn each(&self, game: &Game, state: &State, mut tell: impl FnMut(&mut Vec<i64>)) {
        let Question { site, entries, .. } = self.question;
        let site_cell = i64::from(site.0);
        let mut key = Vec::with_capacity(16);
        let mut give = |kind: i64, fill: &mut dyn FnMut(&mut Vec<i64>)| {
            key.clear();
            key.extend([site_cell, kind]);
            fill(&mut key);
            tell(&mut key);
        };
        match entries {
            Entries::Values { cells, width, or_none } => {
                if *or_none {
                    give(NO_ENTRY, &mut |_| ());
                }
                let ty = value_type(game, *site);
                for cells in cells.chunks((*width).max(1)) {
                    give(VALUE, &mut |key| flat(game, state, ty, cells, key));
                }
            }
            Entries::Sets { cells, width, least, .. } => {
                let ty = value_type(game, *site);
                let open = cells.chunks((*width).max(1)).enumerate().filter(|(n, _)| !self.picked.contains(n));
                for (_, cells) in open {
                    give(VALUE, &mut |key| flat(game, state, ty, cells, key));
                }
                if self.picked.len() >= *least {
                    give(DONE, &mut |_| ());
                }
            }
            Entries::Options(places) => places.iter().for_each(|place| give(OPTION, &mut |key| key.push(*place))),
            Entries::May => [1, 0].iter().for_each(|yes| give(FLAG, &mut |key| key.push(*yes))),
            Entries::Actions { offered, or_stop } => {
                for instance in offered {
                    give(ACTION, &mut |key| instance_key(game, state, instance, key));
                }
                if *or_stop {
                    give(STOP, &mut |_| ());
                }
            }
        }
    }

    /// Returns the text of each entry, in order.
    pub fn texts(&self, game: &Game, state: &State) -> Vec<String> {
        let Question { site, entries, .. } = self.question;
        let ty = value_type(game, *site);
        let value = |cells: &[i64]| text(game, state, ty, cells);
        match entries {
            Entries::Values { cells, width, or_none } => {
                let none = or_none.then(|| "none".to_string());
                none.into_iter().chain(cells.chunks((*width).max(1)).map(value)).collect()
            }
            Entries::Sets { cells, width, least, .. } => {
                let all = cells.chunks((*width).max(1)).enumerate();
                let open = all.filter(|(n, _)| !self.picked.contains(n)).map(|(_, cells)| value(cells));
                open.chain((self.picked.len() >= *least).then(|| "done".to_string())).collect()
            }
            Entries::Options(places) => places.iter().map(|place| option(game, *site, *place)).collect(),
            Entries::May => vec!["yes".into(), "no".into()],
            Entries::Actions { offered, or_stop } => {
                let stop = or_stop.then(|| "stop".to_string());
                offered.iter().map(|instance| game.tell_instance(state, instance)).chain(stop).collect()
            }
        }
    }
}

/// The entries found so far, with their texts.
struct Found {
    entries: BTreeMap<Box<[i64]>, String>,
    most: usize,
}

impl Found {
    fn add(&mut self, key: &[i64], meaning: impl FnOnce() -> String) {
        if self.entries.len() < self.most && !self.entries.contains_key(key) {
            self.entries.insert(key.into(), meaning());
        }
    }

    /// Adds the entries that the declaration of a choice lists, if they are few.
    fn declared(&mut self, game: &Game, site: SiteId) {
        let Some(declared) = game.program.schema.sites.get(site.at()) else { return };
        let cell = i64::from(site.0);
        match declared.sort {
            SiteSort::Option => {
                for place in 0..declared.options.len() as i64 {
                    self.add(&[cell, OPTION, place], || meaning(game, site, &option(game, site, place)));
                }
            }
            SiteSort::Choose | SiteSort::Subset | SiteSort::Next => {
                for cells in all(game, &declared.ty).unwrap_or_default() {
                    let key: Vec<i64> = [cell, VALUE].into_iter().chain(cells.iter().copied()).collect();
                    self.add(&key, || meaning(game, site, &text(game, &game.start, &declared.ty, &cells)));
                }
            }
            _ => {}
        }
    }

    /// Adds the instances of the found actions with all values of their variables, if they are few.
    fn declared_actions(&mut self, game: &Game) {
        let of = |key: &[i64]| (key[1] == ACTION).then(|| (key[0], key[2]));
        let mut found: Vec<(i64, i64)> = self.entries.keys().filter_map(|key| of(key)).collect();
        found.dedup();
        for (site, action) in found {
            let code = &game.program.actions[action as usize];
            let locals = &game.program.functions[code.func.at()].locals;
            let mut instances: Vec<(Vec<i64>, Vec<String>)> = vec![(vec![site, ACTION, action], Vec::new())];
            for id in &code.shown {
                let local = &locals[id.at()];
                let Some(values) = all(game, &local.ty).filter(|values| values.len() * instances.len() <= LISTED)
                else {
                    instances.clear();
                    break;
                };
                let with = |(key, words): &(Vec<i64>, Vec<String>), cells: &Vec<i64>| {
                    let word = format!("{}: {}", local.name, text(game, &game.start, &local.ty, cells));
                    (key.iter().chain(cells).copied().collect(), words.iter().cloned().chain([word]).collect())
                };
                instances = instances.iter().flat_map(|one| values.iter().map(move |cells| with(one, cells))).collect();
            }
            for (key, words) in instances {
                let with = if words.is_empty() { String::new() } else { format!("({})", words.join(", ")) };
                self.add(&key, || meaning(game, SiteId(site as u32), &format!("{}{with}", code.name)));
            }
        }
    }
}

/// Plays one run in which the players choose at random, and adds the entries of its menus.
fn walk(
    scenario: &Arc<Scenario>,
    sides: &[i64],
    number: u64,
    decisions: &mut usize,
    most: usize,
    found: &mut Found,
    sites: &mut Vec<SiteId>,
) -> Result<(), Fault> {
    let mut run = Stepped::start(Arc::clone(scenario), scenario.plan.seed, number, Some(sides.to_vec()))?;
    let mut chance = Chance(number.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut picked = Vec::new();
    while let Some(question) = run.question() {
        if !sides.contains(&question.player) {
            let answer = preferred(&scenario.game, question);
            run.give(answer)?;
            continue;
        }
        *decisions += 1;
        if *decisions > most {
            return Ok(());
        }
        let site = question.site;
        if !sites.contains(&site) {
            sites.push(site);
        }
        picked.clear();
        let answer = loop {
            let Some(question) = run.question() else { return Ok(()) };
            let asked = Asked { question, picked: &picked };
            let (game, state) = (&scenario.game, run.state());
            let mut texts: Option<Vec<String>> = None;
            let mut count = 0;
            asked.each(game, state, |key| {
                let mut words = || texts.get_or_insert_with(|| asked.texts(game, state))[count].clone();
                found.add(key, || meaning(game, site, &words()));
                count += 1;
            });
            match asked.pick(chance.below(count)) {
                Pick::Answer(n) => break question.answer(n),
                Pick::One(n) => picked.push(n),
                Pick::Done => break Some(several(&mut picked)),
            }
            if matches!(&question.entries, Entries::Sets { most, .. } if picked.len() >= *most) {
                break Some(several(&mut picked));
            }
        };
        run.give(answer.unwrap_or(Answer::Prefer))?;
    }
    Ok(())
}

/// Returns the answer that the rules prefer: for the end point of a move, the first one.
pub fn preferred(game: &Game, question: &Question) -> Answer {
    match game.program.schema.sites.get(question.site.at()) {
        Some(site) if site.sort == SiteSort::Move => Answer::Pick(0),
        _ => Answer::Prefer,
    }
}

/// Returns the answer that takes these entries of a set.
pub fn several(picked: &mut Vec<usize>) -> Answer {
    picked.sort_unstable();
    Answer::Several(std::mem::take(picked))
}

/// A small random generator (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * count as u128) >> 64) as usize
    }
}

/// Returns the type of the candidates of a choice. The end points of a move are points.
fn value_type(game: &Game, site: SiteId) -> &Type {
    match game.program.schema.sites.get(site.at()) {
        Some(site) if site.sort == SiteSort::Move => &Type::Place,
        Some(site) => &site.ty,
        None => &Type::Unknown,
    }
}

/// Appends the cells of a value, and the entries of its lists.
fn flat(game: &Game, state: &State, ty: &Type, cells: &[i64], key: &mut Vec<i64>) {
    match ty {
        Type::List(inner) if cells.first().is_some_and(|cell| *cell != NONE) => {
            let width = game.program.schema.width(inner).max(1);
            let list = grognard_vm::Handle::of(cells[0]);
            key.push(list.len as i64);
            let entries = state.heap.get(list.at..list.at + list.len * width).unwrap_or_default();
            entries.chunks(width).for_each(|entry| flat(game, state, inner, entry, key));
        }
        Type::Optional(inner) => flat(game, state, inner, cells, key),
        _ => key.extend_from_slice(cells),
    }
}

fn instance_key(game: &Game, state: &State, instance: &Instance, key: &mut Vec<i64>) {
    let ActionId(id) = instance.action;
    key.push(i64::from(id));
    let code = &game.program.actions[instance.action.at()];
    let locals = &game.program.functions[code.func.at()].locals;
    for local in &code.shown {
        let at = code.locals[local.at()] as usize;
        let ty = &locals[local.at()].ty;
        let width = game.program.schema.width(ty);
        flat(game, state, ty, &instance.cells[at..at + width], key);
    }
}

/// Returns all values of a type, if they are few and known before the run.
fn all(game: &Game, ty: &Type) -> Option<Vec<Vec<i64>>> {
    let schema = &game.program.schema;
    let count = match ty {
        Type::Kind(kind) => game.names[kind.at()].len(),
        Type::Enum(id) => schema.enums[id.at()].cases.len(),
        Type::Flag => 2,
        Type::Int(range) if range.low == 0 => usize::try_from(range.high).ok()?.checked_add(1)?,
        _ => return None,
    };
    (count <= LISTED).then(|| (0..count as i64).map(|cell| vec![cell]).collect())
}

fn option(game: &Game, site: SiteId, place: i64) -> String {
    let site = game.program.schema.sites.get(site.at());
    site.and_then(|site| site.options.get(place as usize)).cloned().unwrap_or_default()
}

/// Returns the text of an entry with the name of its choice.
pub fn meaning(game: &Game, site: SiteId, entry: &str) -> String {
    let name = game.program.schema.sites.get(site.at()).map_or("", |site| site.name.as_str());
    format!("{name}: {entry}")
}
