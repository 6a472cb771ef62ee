//! What books leave open: each hole of a register with the readings that settle it, and who leans on them.

use super::coverage::{Citer, SourceLine, place};
use grognard_base::{OrdMap, OrdSet, Sources};
use grognard_rules::reads::readers;
use grognard_rules::ruleset::{Clause, ClauseStatus, Item, Ruleset};

/// A way to read a hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// As it is written: `FailedSaves`, `1`, `no`.
    pub value: String,
    /// What it means, maybe empty.
    pub gloss: String,
}

/// A reading as the rules declare it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The root of its project.
    pub root: String,
    /// Its name.
    pub name: String,
    /// Its title, maybe empty.
    pub title: String,
    /// Where it is declared.
    pub at: SourceLine,
    /// The ways to read it.
    pub alternatives: Vec<Alternative>,
    /// By ruleset the alternative that holds unless a scenario says otherwise.
    pub defaults: OrdMap<String, String>,
    /// What the book leaves open.
    pub because: String,
    /// By ruleset why its default holds, where the rules say so.
    pub reasons: OrdMap<String, String>,
    /// Clauses it cites.
    pub cites: Vec<String>,
    /// Items whose own code reads it.
    pub leaning: OrdSet<Citer>,
}

/// A hole of a register.
#[derive(Clone, Debug)]
pub struct Hole {
    /// The root of its project.
    pub root: String,
    /// The clause.
    pub clause: Clause,
    /// The register it stands in, from the root of its project.
    pub book: String,
    /// Readings that settle it, by their places.
    pub readings: OrdSet<SourceLine>,
}

/// All that was looked at; projects are told apart by their root.
#[derive(Clone, Debug, Default)]
pub struct Holes {
    holes: OrdMap<(String, String, u32), Hole>,
    readings: OrdMap<(String, SourceLine), Reading>,
}

impl Holes {
    /// Adds a ruleset. What several rulesets share is there once.
    pub fn add(&mut self, root: &str, rules: &Ruleset, sources: &Sources) {
        let leaning = readers(rules);
        let holes = rules.register.iter().filter(|c| c.status == ClauseStatus::Hole);
        let at = |clause: &Clause| {
            let book = place(sources, clause.span).file;
            (root.to_string(), book, clause.span.start)
        };
        for clause in holes.clone() {
            let key = at(clause);
            let (root, book) = (root.to_string(), key.1.clone());
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

    /// Keeps only readings of these names, and the holes that they settle.
    pub fn keep(&mut self, names: &[String]) {
        self.readings.retain(|_, reading| names.contains(&reading.name));
        let kept: OrdSet<(&String, &SourceLine)> = self.readings.keys().map(|(root, line)| (root, line)).collect();
        self.holes.retain(|_, hole| hole.readings.iter().any(|line| kept.contains(&(&hole.root, line))));
    }

    /// Holes, register by register, in the order in which they stand there.
    pub fn holes(&self) -> impl Iterator<Item = &Hole> {
        self.holes.values()
    }

    /// All readings, by their places.
    pub fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.readings.values()
    }

    /// The readings that settle a hole.
    pub fn of<'h>(&'h self, hole: &'h Hole) -> impl Iterator<Item = &'h Reading> {
        hole.readings.iter().filter_map(|line| self.readings.get(&(hole.root.clone(), line.clone())))
    }

    /// Readings that settle no hole of a register.
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
