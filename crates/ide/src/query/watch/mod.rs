//! Incremental testing: after a save, reports the diagnostics of dependent rulesets and reruns the tests that the change can
//! affect (change impact analysis, regression test selection).
//!
//! A [`Watched`] stores the results of every example and scenario from their last run with sound rules. It reads no files and no
//! clock: its owner reports which texts changed, runs the jobs of a [`Plan`], and returns their results.

mod items;
mod moved;
mod runs;
mod rendered;

pub use moved::{Moved, Step};
pub use rendered::{Change, ChangedFile, Saved};
pub use runs::{Beside, Claim, Cost, Ended, RunJob, Seen};

use super::{Analysis, Looked, Workspace};
use grognard_base::order;
use grognard_base::{Code, Diagnostic, FileId, OrdMap, OrdSet, Severity, Sources};
use grognard_report::{self as report, Format};
use grognard_rules::ruleset::Ruleset;
use grognard_rules::{Library, load_parsed};
use grognard_scenario::{self as scenario, Document};
use items::{Impact, Items};
use runs::JobWhat;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A file: the index of its root, and its path below the root.
pub type Address = (usize, String);

/// A scenario that is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioPath {
    /// The path, as the user named it.
    pub name: String,
    /// The location of its text.
    pub own: Address,
    /// The index of the root of its rules.
    pub root: usize,
}

/// The watched rules and scenarios, with the results of their last runs.
pub struct Watched {
    roots: Vec<WatchedRoot>,
    /// Rules files whose examples are run.
    books: OrdSet<Address>,
    rulesets: OrdMap<Address, Standing>,
    scenes: OrdMap<String, WatchedScene>,
    seen: OrdMap<String, Seen>,
    /// The last results of tests that do not exist at present. They are compared if the tests reappear.
    away: OrdMap<String, Seen>,
    /// The reported diagnostics: their file, code and message.
    rendered: OrdSet<(String, &'static str, String)>,
    format: Format,
    cost: Cost,
    saves: usize,
}

struct WatchedRoot {
    files: Rc<dyn Library>,
    space: Workspace,
}

/// The state of a ruleset.
#[derive(Default)]
struct Standing {
    /// The last analysis.
    looked: Option<Rc<Analysis>>,
    /// The items at the last run of the tests.
    ran_on: Option<Items>,
    /// The names of its examples, as tests.
    tests: OrdSet<String>,
}

struct WatchedScene {
    place: ScenarioPath,
    /// The texts that it was read from. `rules` are the rulesets that it is run with.
    texts: OrdSet<Address>,
    rules: Vec<Address>,
    /// Whether it must be run independently of changes to the rules.
    due: bool,
}

/// The runs after a save, and the findings that are known before them.
pub struct Plan {
    /// The jobs to run.
    pub jobs: Vec<RunJob>,
    /// The result so far: the changes and the findings.
    pub saved: Saved,
}

/// The impact on each ruleset since the last run of its tests, or `None` if the tests must wait.
type Impacts = OrdMap<Address, Option<Impact>>;

/// A library that records the paths that are read.
struct Noting<'l> {
    underlying: &'l dyn Library,
    asked: RefCell<OrdSet<String>>,
}

impl Library for Noting<'_> {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        self.asked.borrow_mut().insert(path.to_string());
        self.underlying.read(path)
    }
}

impl Watched {
    /// Creates an empty set. `format` is the format of diagnostics, and `cost` is the budget of exact results.
    pub fn new(format: Format, cost: Cost) -> Watched {
        Watched {
            roots: Vec::new(),
            books: OrdSet::new(),
            rulesets: OrdMap::new(),
            scenes: OrdMap::new(),
            seen: OrdMap::new(),
            away: OrdMap::new(),
            rendered: OrdSet::new(),
            format,
            cost,
            saves: 0,
        }
    }

    /// Adds a root of rules and returns its index.
    pub fn root(&mut self, library: Rc<dyn Library>) -> usize {
        self.roots.push(WatchedRoot { files: library.clone(), space: Workspace::new(library) });
        self.roots.len() - 1
    }

    /// Replaces the set of watched rules files and scenarios.
    pub fn watch(&mut self, books: OrdSet<Address>, scenes: Vec<ScenarioPath>) {
        self.books = books;
        let mut old = std::mem::take(&mut self.scenes);
        for place in scenes {
            let fresh =
                |place: ScenarioPath| WatchedScene { place, texts: OrdSet::new(), rules: Vec::new(), due: true };
            let kept = old.remove(&place.name).filter(|scene| scene.place == place);
            self.scenes.insert(place.name.clone(), kept.unwrap_or_else(|| fresh(place)));
        }
    }

    /// Processes a set of changed texts and returns the runs that they require.
    pub fn plan(&mut self, files: Vec<ChangedFile>) -> Plan {
        for file in &files {
            let (root, path) = &file.address;
            self.roots[*root].space.changed_outside(path);
        }
        let changed: OrdSet<&Address> = files.iter().map(|file| &file.address).collect();
        for scene in self.scenes.values_mut() {
            scene.due |= scene.texts.iter().any(|text| changed.contains(text));
        }
        let mut plan = Plan { jobs: Vec::new(), saved: Saved { save: self.saves, files, ..Saved::default() } };
        self.saves += 1;
        self.read_scenes();
        let impacts = self.look(&mut plan.saved);
        self.examples(&impacts, &mut plan);
        self.scenarios(&impacts, &mut plan);
        plan
    }

    /// Rereads the changed scenarios, to find the rules that they name.
    fn read_scenes(&mut self) {
        for scene in self.scenes.values_mut().filter(|scene| scene.due) {
            let (root, name) = &scene.place.own;
            let noting = Noting { underlying: &*self.roots[*root].files, asked: RefCell::default() };
            let read = read(&noting, name, &mut Sources::default());
            let rules = read.ok().and_then(|document| scenario::rulesets(&document).ok()).unwrap_or_default();
            scene.rules = rules.into_iter().map(|(name, _)| (scene.place.root, format!("{name}.rules"))).collect();
            scene.texts = noting.asked.into_inner().into_iter().map(|path| (*root, path)).collect();
        }
    }

    /// Checks every ruleset that is used: reports diagnostics, and computes the impact since the last run of its tests.
    fn look(&mut self, saved: &mut Saved) -> Impacts {
        let wanted = self.books.iter().chain(self.scenes.values().flat_map(|scene| &scene.rules));
        let wanted: OrdSet<Address> = wanted.cloned().collect();
        self.rulesets.retain(|address, _| wanted.contains(address));
        let mut impacts = Impacts::new();
        let mut found: OrdSet<(String, &'static str, String)> = OrdSet::new();
        for address in wanted {
            let analysis = self.roots[address.0].space.analysis(&address.1);
            let standing = self.rulesets.entry(address.clone()).or_default();
            let new = standing.looked.as_ref().is_none_or(|looked| !Rc::ptr_eq(looked, &analysis));
            tell(&analysis, new, self.format, &self.rendered, &mut found, saved);
            standing.looked = Some(analysis.clone());
            if analysis.rests_on.first().is_none_or(|(_, revision)| *revision == 0) {
                // The file does not exist. Its tests are not run, and their last results are kept in case it reappears.
                impacts.insert(address, None);
                continue;
            }
            if !analysis.sound || analysis.has_errors() {
                saved.broken.insert(analysis.path.clone());
                impacts.insert(address, None);
                continue;
            }
            let impact = match (&standing.ran_on, new) {
                (Some(_), false) => Impact::default(),
                (None, _) => Impact { all: true, ..Impact::default() },
                (Some(old), true) => items::impact(old, &items::items(&analysis)),
            };
            if new {
                standing.ran_on = Some(items::items(&analysis));
            }
            saved.changed.extend(impact.names.iter().cloned());
            impacts.insert(address, Some(impact));
        }
        self.rendered = found;
        impacts
    }

    /// Plans the examples that the change can affect.
    fn examples(&mut self, impacts: &Impacts, plan: &mut Plan) {
        let mut there: OrdSet<String> = OrdSet::new();
        for address in &self.books {
            let Some(Standing { looked: Some(analysis), tests, .. }) = self.rulesets.get_mut(address) else { continue };
            let analysis = analysis.clone();
            let Some(Some(impact)) = impacts.get(address) else {
                // The last results are kept.
                let kept: Vec<String> = tests.iter().filter(|name| self.seen.contains_key(*name)).cloned().collect();
                plan.saved.waiting += kept.len();
                there.extend(kept);
                continue;
            };
            if !analysis.rules.open.is_empty() {
                continue;
            }
            tests.clear();
            let mut due = Vec::new();
            for (at, example) in analysis.rules.examples.iter().enumerate() {
                let name = runs::example_name(&analysis.rules, at);
                let seen = self.seen.get(&name);
                let says = impact.examples.contains(&items::example(&example.tree.title.text));
                match seen {
                    Some(seen) if !says && !impact.touches(&seen.reached) => plan.saved.untouched += 1,
                    _ => due.push(at),
                }
                tests.insert(name);
            }
            there.extend(tests.iter().cloned());
            if !due.is_empty() {
                plan.jobs.push(RunJob {
                    name: address.1.clone(),
                    file: address.clone(),
                    what: JobWhat::Examples(Arc::new(Ruleset::clone(&analysis.rules)), due),
                    texts: analysis.sources.iter().map(|(id, _)| id).collect(),
                    sources: Arc::new(analysis.sources.clone()),
                    format: self.format,
                    cost: self.cost.clone(),
                });
            }
        }
        let there = |(name, _): &(String, Seen)| there.contains(name) || self.scenes.contains_key(name);
        let (kept, away): (Vec<_>, Vec<_>) = std::mem::take(&mut self.seen).into_iter().partition(there);
        self.seen.extend(kept);
        self.away.extend(away);
    }

    /// Plans the scenarios that the change can affect.
    fn scenarios(&mut self, impacts: &Impacts, plan: &mut Plan) {
        let mut due: OrdMap<Option<Address>, Vec<String>> = OrdMap::new();
        for (name, scene) in self.scenes.iter_mut() {
            let all: Vec<_> = scene.rules.iter().map(|rules| impacts.get(rules)).collect();
            if !all.is_empty() && all.iter().any(|impact| matches!(impact, Some(None) | None)) {
                // A change of another ruleset of the scenario must not be lost.
                scene.due |= all.iter().flatten().copied().flatten().any(|impact| !impact.names.is_empty());
                plan.saved.waiting += 1;
                continue;
            }
            let seen = self.seen.get(name);
            let touched = all.iter().flatten().enumerate().any(|(n, impact)| {
                let Some(impact) = impact else { return false };
                // The reached items are not known for a second ruleset.
                seen.is_none_or(|seen| impact.touches(&seen.reached)) || n > 0 && !impact.names.is_empty()
            });
            if scene.due || touched {
                due.entry(scene.rules.first().cloned()).or_default().push(name.clone());
            } else {
                plan.saved.untouched += 1;
            }
        }
        for (rules, names) in due {
            self.scenes_of(rules.as_ref(), &names, plan);
        }
    }

    /// Creates jobs for the scenarios of one ruleset, whose texts share one set of sources.
    fn scenes_of(&mut self, rules: Option<&Address>, names: &[String], plan: &mut Plan) {
        let analysis = rules.and_then(|rules| self.rulesets.get(rules)?.looked.clone());
        let mut sources = analysis.as_ref().map_or_else(Sources::default, |analysis| analysis.sources.clone());
        let rules = analysis.map(|analysis| Arc::new(Ruleset::clone(&analysis.rules)));
        let below: Vec<FileId> = sources.iter().map(|(id, _)| id).collect();
        let mut read_ones: Vec<(String, Address, JobWhat, Vec<FileId>)> = Vec::new();
        let mut sets: OrdMap<Address, (Option<Arc<Ruleset>>, Vec<FileId>)> = OrdMap::new();
        for name in names {
            let Some(scene) = self.scenes.get_mut(name) else { continue };
            scene.due = false;
            let own = scene.place.own.clone();
            let mut texts = below.clone();
            let known = sources.iter().count();
            let document = read(&*self.roots[own.0].files, &own.1, &mut sources);
            texts.extend(added(&sources, known));
            let document = document.and_then(|document| scenario::rulesets(&document).map(|_| document));
            let what = match document {
                Err(found) => JobWhat::Unread(report::render(&found, &sources, self.format)),
                Ok(document) => {
                    let Some(rules) = rules.clone() else { continue };
                    let others = scene.rules.iter().skip(1).filter_map(|other| {
                        let load = || {
                            let parsed = self.roots[other.0].space.texts.borrow().known.clone();
                            let (library, known) = (&*self.roots[other.0].files, sources.iter().count());
                            let set = load_parsed(&other.1, library, &mut sources, None, &parsed).ruleset;
                            (set.map(Arc::new), added(&sources, known))
                        };
                        let (set, read) = sets.entry(other.clone()).or_insert_with(load);
                        texts.extend_from_slice(read);
                        set.clone()
                    });
                    let others = others.collect();
                    JobWhat::Scene(rules, document, others)
                }
            };
            read_ones.push((name.clone(), own, what, texts));
        }
        let sources = Arc::new(sources);
        plan.jobs.extend(read_ones.into_iter().map(|(name, file, what, texts)| RunJob {
            name,
            file,
            what,
            texts,
            sources: sources.clone(),
            format: self.format,
            cost: self.cost.clone(),
        }));
    }

    /// Stores the results of a job. Adds the differences to the result of the save, and returns their number.
    pub fn ended(&mut self, saved: &mut Saved, ended: Ended) -> usize {
        let known = saved.moved.len();
        for (name, new) in ended {
            saved.ran += 1;
            if let Some(scene) = self.scenes.get_mut(&name) {
                let folder = scene.place.own.1.rsplit_once('/').map_or("", |(folder, _)| folder);
                let beside = |trace: &String| format!("{folder}/{trace}").trim_start_matches('/').to_string();
                scene.texts.extend(new.traces.iter().map(|trace| (scene.place.own.0, beside(trace))));
            }
            let old = self.seen.insert(name.clone(), new).or_else(|| self.away.remove(&name));
            let Some(new) = self.seen.get(&name) else { continue };
            saved.moved.extend(moved::moved(&name, old.as_ref(), new, saved.save == 0));
        }
        saved.moved.len() - known
    }

    /// Completes the result of a save whose jobs have ended.
    pub fn done(&mut self, saved: &mut Saved) {
        order::sort_by(&mut saved.moved, |a, b| a.name.cmp(&b.name));
        saved.failing = self.seen.values().filter(|seen| seen.fails).count();
        saved.holding = self.seen.len() - saved.failing;
    }

    /// Returns the last result of every test, by name.
    pub fn seen(&self) -> &OrdMap<String, Seen> {
        &self.seen
    }

    /// Returns every text that the tests depend on. The owner must watch these texts for changes.
    pub fn texts(&self) -> OrdSet<Address> {
        let rules = self.rulesets.iter().flat_map(|((root, _), standing)| {
            standing.looked.iter().flat_map(|a| a.rests_on.iter()).map(|(path, _)| (*root, path.clone()))
        });
        let scenes = self.scenes.values().flat_map(|scene| scene.texts.iter().cloned());
        rules.chain(scenes).collect()
    }
}

/// Returns the ids of the texts after the first `known` ones.
fn added(sources: &Sources, known: usize) -> Vec<FileId> {
    sources.iter().skip(known).map(|(id, _)| id).collect()
}

/// Reads a scenario with its base scenarios.
fn read(library: &dyn Library, name: &str, sources: &mut Sources) -> Result<Document, Vec<Diagnostic>> {
    let text = match library.read(name) {
        Ok(text) => text.unwrap_or_default(),
        Err(why) => {
            let message = format!("{} cannot be read: {why}", library.shown(name));
            return Err(vec![Diagnostic::general(Code::Unreadable, message)]);
        }
    };
    scenario::read(name, text, library, sources)
}

/// Reports the diagnostics of a ruleset: all errors, new warnings, and the diagnostics of its examples.
fn tell(
    analysis: &Analysis,
    new: bool,
    format: Format,
    before: &OrdSet<(String, &'static str, String)>,
    found: &mut OrdSet<(String, &'static str, String)>,
    saved: &mut Saved,
) {
    while new && analysis.look_at_examples(usize::MAX) == Looked::Some {}
    let mut shown = Vec::new();
    let form = analysis.examples.get().into_iter().flatten();
    for problem in analysis.problems.iter().chain(form).filter(|p| p.severity > Severity::Info) {
        let file = analysis.problem(problem).place.file;
        let key = (file, problem.code.id(), problem.message.clone());
        let known = before.contains(&key);
        if !found.insert(key) {
            continue;
        }
        match problem.severity {
            Severity::Error => saved.errors += 1,
            _ => saved.warnings += 1,
        }
        if problem.severity == Severity::Error || !known {
            shown.push(problem.clone());
        }
    }
    if !shown.is_empty() {
        let text = report::render(&shown, &analysis.sources, format);
        saved.findings.push_str(if saved.findings.is_empty() { "" } else { "\n" });
        saved.findings.push_str(&text);
        saved.facts.extend(shown.iter().map(|problem| rendered::fact(analysis, problem)));
    }
}
