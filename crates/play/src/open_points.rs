//! Open questions of books: each hole of a register, with the readings that settle it and the items that depend on
//! them.

use super::coverage::{Citer, SourceLine, place};
use grognard_base::{OrdMap, OrdSet, Sources};
use grognard_rules::reads::readers;
use grognard_rules::ruleset::{Clause, ClauseStatus, Item, Ruleset};

/// One way to read a hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Source text: `FailedSaves`, `1`, `no`.
    pub value: String,
    /// Its meaning; can be empty.
    pub gloss: String,
}

/// A reading as the rules declare it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Root of its project.
    pub root: String,
    /// Its name.
    pub name: String,
    /// Its title; can be empty.
    pub title: String,
    /// Location of its declaration.
    pub at: SourceLine,
    /// Its alternatives.
    pub alternatives: Vec<Alternative>,
    /// Default alternative of each ruleset.
    pub defaults: OrdMap<String, String>,
    /// The question that the book leaves open.
    pub because: String,
    /// Reason for the default of each ruleset, if the rules state one.
    pub reasons: OrdMap<String, String>,
    /// Clauses that it cites.
    pub cites: Vec<String>,
    /// Items whose own code consults it.
    pub leaning: OrdSet<Citer>,
}

/// A hole of a register.
#[derive(Clone, Debug)]
pub struct Hole {
    /// Root of its project.
    pub root: String,
    pub clause: Clause,
    /// Path of its register, relative to the project root.
    pub book: String,
    /// Locations of the readings that settle it.
    pub readings: OrdSet<SourceLine>,
}

/// All holes and readings. Projects are distinguished by root.
#[derive(Clone, Debug, Default)]
pub struct Holes {
    holes: OrdMap<(String, usize, String, u32), Hole>,
    readings: OrdMap<(String, SourceLine), Reading>,
}

impl Holes {
    /// Adds a ruleset. Holes and readings that several rulesets share are stored once.
    pub fn add(&mut self, root: &str, rules: &Ruleset, sources: &Sources) {
        let leaning = readers(rules);
        let holes = rules.register.iter().filter(|c| c.status == ClauseStatus::Hole);
        let at = |clause: &Clause| {
            let book = place(sources, clause.span).file;
            (root.to_string(), rules.rank(&book), book, clause.span.start)
        };
        for clause in holes.clone() {
            let key = at(clause);
            let (root, book) = (root.to_string(), key.2.clone());
            let new = || Hole { root, clause: clause.clone(), book, readings: OrdSet::new() };
            self.holes.entry(key).or_insert_with(new);
        }
        for (n, setting) in rules.settings.iter().enumerate().filter(|(_, s)| !s.alternatives.is_empty()) {
            let item = &rules.items[setting.item.at()];
            let line = place(sources, item.span);
            let reading = self.readings.entry((root.to_string(), line.clone())).or_insert_with(|| Reading {
                root: root.to_string(),
                name: setting.name.clone(),
                title: item.title.clone(),
                at: line.clone(),
                alternatives: alternatives(&setting.alternatives, &setting.glosses),
                defaults: OrdMap::new(),
                because: setting.because.clone(),
                reasons: OrdMap::new(),
                cites: item.cites.clone(),
                leaning: OrdSet::new(),
            });
            let written = setting.alternatives.iter().find(|(cells, _)| *cells == setting.value);
            let written = written.map_or(String::new(), |(_, written)| written.clone());
            reading.defaults.insert(rules.path.clone(), written);
            if !setting.default_because.is_empty() {
                reading.reasons.insert(rules.path.clone(), setting.default_because.clone());
            }
            let readers = leaning.iter().filter(|(id, _)| id.at() == n).flat_map(|(_, items)| items);
            reading.leaning.extend(readers.map(|item| citer(&rules.items[item.at()], sources)));
            for clause in holes.clone().filter(|c| item.cites.contains(&c.id)) {
                if let Some(hole) = self.holes.get_mut(&at(clause)) {
                    hole.readings.insert(line.clone());
                }
            }
        }
    }

    /// Keeps only the readings with these names, and the holes that they settle.
    pub fn keep(&mut self, names: &[String]) {
        self.readings.retain(|_, reading| names.contains(&reading.name));
        let kept: OrdSet<(&String, &SourceLine)> = self.readings.keys().map(|(root, line)| (root, line)).collect();
        self.holes.retain(|_, hole| hole.readings.iter().any(|line| kept.contains(&(&hole.root, line))));
    }

    /// Returns the holes in register order.
    pub fn holes(&self) -> impl Iterator<Item = &Hole> {
        self.holes.values()
    }

    /// Returns all readings, ordered by location.
    pub fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.readings.values()
    }

    /// Returns the readings that settle a hole.
    pub fn of<'h>(&'h self, hole: &'h Hole) -> impl Iterator<Item = &'h Reading> {
        hole.readings.iter().filter_map(|line| self.readings.get(&(hole.root.clone(), line.clone())))
    }

    /// Returns the readings that settle no hole of a register.
    pub fn loose(&self) -> impl Iterator<Item = &Reading> {
        self.readings().filter(|r| self.holes().all(|hole| hole.root != r.root || !hole.readings.contains(&r.at)))
    }
}

fn alternatives(values: &[(Vec<i64>, String)], glosses: &[String]) -> Vec<Alternative> {
    let gloss = |n: usize| glosses.get(n).cloned().unwrap_or_default();
    values.iter().enumerate().map(|(n, (_, value))| Alternative { value: value.clone(), gloss: gloss(n) }).collect()
}

fn citer(item: &Item, sources: &Sources) -> Citer {
    Citer {
        at: place(sources, item.span),
        item: format!("{} {}", item.word, item.name).trim().to_string(),
        title: item.title.clone(),
    }
}
