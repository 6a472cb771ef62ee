//! The tests of a project: examples of its rules files and its scenarios, each with the items that its run reaches.

use super::Mutation;
use super::same::print_of;
use super::version::{MutantVersion, Shelf};
use super::witness::{End, Sketch};
use grognard_base::order;
use grognard_base::value::ItemId;
use grognard_base::{Budget, Code, Diagnostic, Effort, FileId, OrdMap, OrdSet, Source, Sources, Span};
use grognard_play::examples::{ExampleVerdict, run_example};
use grognard_play::{self as play, Options};
use grognard_program::{Built, Detail};
use grognard_rules::ParsedTexts;
use grognard_scenario::{Document, Mode, Scenario};
use grognard_stats::tested::tested;
use std::sync::{Arc, Mutex, PoisonError};

/// A rules file of the project.
#[derive(Clone, Debug)]
pub struct Book {
    /// The index of its library.
    pub root: usize,
    /// The path in the library, without `.rules`.
    pub name: String,
}

/// A scenario of the project.
#[derive(Clone, Debug)]
pub struct ProjectScene {
    /// The path as given by the user.
    pub path: String,
    /// The index of its library, and the path in it.
    pub own: (usize, String),
    /// The index of the library of its rules.
    pub root: usize,
    /// The names of the rulesets: the one that it is for, then those it is run against.
    pub rules: Vec<String>,
    /// The parsed scenario.
    pub document: Document,
}

/// Checks a scenario against its pinned traces and returns the problems.
pub type SceneCheck<'p> = dyn Fn(&str, &Scenario, &Sources) -> Vec<Diagnostic> + Sync + 'p;

/// The rules, scenarios and settings of a project.
pub struct Project<'p> {
    /// All texts that were read.
    pub sources: Sources,
    /// The libraries of rules and scenarios.
    pub libraries: Vec<Shelf<'p>>,
    /// The rules files.
    pub books: Vec<Book>,
    /// The scenarios.
    pub scenes: Vec<ProjectScene>,
    /// The budget of an exact answer.
    pub budget: Budget,
    /// Checks scenarios with pinned traces.
    pub check_scene: &'p SceneCheck<'p>,
}

/// A test of the project.
#[derive(Clone, Debug)]
pub struct Test {
    pub name: String,
    /// The library and the name of the ruleset that it runs.
    pub rules: (usize, String),
    /// The kind of the test.
    pub what: TestSort,
    /// The name spans of the items whose code it reaches.
    pub reached: OrdSet<Span>,
    budget: Budget,
}

/// The kind of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestSort {
    /// An example, by its index in the ruleset.
    Example(usize),
    /// A scenario, by its index in the project.
    Scene(usize),
}

/// A test that fails with the unchanged rules.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The name of the test or of the file.
    pub name: String,
    /// The diagnostics of its run.
    pub found: Vec<Diagnostic>,
}

/// The reason why a test failed.
pub(super) enum Trouble {
    /// The checker rejects the rules.
    Refused(String),
    /// The test fails. `limit` is whether it reached a limit.
    Fails { limit: bool },
}

/// The tests of a project, with the results of a run with the unchanged rules.
pub struct Suite<'p> {
    pub(super) project: Project<'p>,
    pub(super) tests: Vec<Test>,
    pub(super) base: MutantVersion,
    /// The name spans of all items of all rulesets.
    pub(super) items: OrdSet<Span>,
    prints: OrdMap<(usize, String), u64>,
    /// Summaries of the scenarios, by path.
    pub(super) plans: OrdMap<String, Sketch>,
    pub(super) ends: Ends,
    /// An empty scenario.
    pub(super) nothing: Document,
}

/// A cache of how runs with the unchanged rules end, by path and text of the scenario.
#[derive(Default)]
pub(super) struct Ends {
    known: Mutex<OrdMap<String, Option<Arc<End>>>>,
}

impl Ends {
    /// Returns how a run ends. Calls `play` if that is not cached.
    pub fn get(&self, text: &str, scene: &ProjectScene, play: impl FnOnce() -> Option<End>) -> Option<Arc<End>> {
        let key = format!("{}\n{text}", scene.path);
        if let Some(end) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return end.clone();
        }
        let end = play().map(Arc::new);
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, end.clone());
        end
    }
}

impl<'p> Suite<'p> {
    /// Runs all tests once with the unchanged rules.
    ///
    /// # Errors
    ///
    /// Returns the tests that fail, with the sources.
    pub fn new(project: Project<'p>) -> Result<Suite<'p>, (Vec<Failed>, Sources)> {
        let known = ParsedTexts::of(&project.sources);
        let sources = project.sources.clone();
        let base = MutantVersion { sources, known, changed: None, sets: OrdMap::new(), programs: OrdMap::new() };
        let (tests, items, prints) = (Vec::new(), OrdSet::new(), OrdMap::new());
        let (plans, ends) = (OrdMap::new(), Ends::default());
        let nothing = Document { file: FileId::default(), entries: Vec::new() };
        let mut suite = Suite { project, tests, base, items, prints, plans, ends, nothing };
        let mut failed = Vec::new();
        for book in suite.project.books.clone() {
            suite.examples(&(book.root, book.name), &mut failed);
        }
        for at in 0..suite.project.scenes.len() {
            suite.scene(at, &mut failed);
        }
        // texts that were read in these runs are parsed once too
        suite.base.known = ParsedTexts::of(&suite.base.sources);
        if failed.is_empty() { Ok(suite) } else { Err((failed, suite.base.sources)) }
    }

    /// Returns all texts that were read.
    pub fn sources(&self) -> &Sources {
        &self.base.sources
    }

    /// Returns the number of examples and of scenarios.
    pub fn count(&self) -> (usize, usize) {
        let examples = self.tests.iter().filter(|t| matches!(t.what, TestSort::Example(_))).count();
        (examples, self.tests.len() - examples)
    }

    /// Returns the budgets that are tried with the unchanged rules.
    fn budgets(&self) -> [Budget; 2] {
        [self.project.budget.least(Effort::Long), self.project.budget.clone()]
    }

    fn examples(&mut self, rules: &(usize, String), failed: &mut Vec<Failed>) {
        let set = match self.base.ruleset(&self.project, rules) {
            Ok(set) => set,
            Err(found) => return failed.push(Failed { name: rules.1.clone(), found }),
        };
        self.items.extend(set.items.iter().map(|item| self.base.sources.origin(item.span)));
        if !set.open.is_empty() {
            return;
        }
        self.print(rules);
        let built = Built::new(set.as_ref().clone(), Detail::Covered);
        for (at, example) in built.rules.examples.iter().enumerate() {
            let mut result = None;
            for budget in self.budgets() {
                built.ran.items(&built.program);
                let found = run_example(&built, example, &self.base.sources, budget.clone());
                let fails = found.verdict == ExampleVerdict::Fails;
                result = Some((found, budget));
                if !fails {
                    break;
                }
            }
            let Some((found, budget)) = result else { continue };
            let through = if found.ruleset == rules.1 { String::new() } else { format!(" [in {}]", rules.1) };
            let name = format!("{}: {}{through}", found.ruleset, found.title);
            match found.verdict {
                ExampleVerdict::Fails => failed.push(Failed { name, found: found.problems }),
                ExampleVerdict::Waits => {}
                ExampleVerdict::Holds => {
                    let ran = built.ran.items(&built.program);
                    let origin = |id: &ItemId| self.base.sources.origin(built.rules.items[id.at()].span);
                    let reached = ran.iter().map(origin).collect();
                    self.tests.push(Test { name, rules: rules.clone(), what: TestSort::Example(at), reached, budget });
                }
            }
        }
    }

    fn scene(&mut self, at: usize, failed: &mut Vec<Failed>) {
        let scene = self.project.scenes[at].clone();
        let Some(first) = scene.rules.first() else { return };
        let rules = (scene.root, first.clone());
        let scenario = match self.base.scenario(&self.project, &scene, &scene.document, Detail::Covered) {
            Ok(scenario) => scenario,
            Err(found) => return failed.push(Failed { name: scene.path, found }),
        };
        let program = &scenario.game.program;
        self.items.extend(program.schema.items.iter().map(|item| self.base.sources.origin(item.span)));
        // code that ran during setup counts too: defaults and bounds
        let mut found = Vec::new();
        for budget in self.budgets() {
            found = problems(&scenario, budget.clone());
            if names_traces(&scenario) {
                found.extend(check_scene(&self.project, &mut self.base, &scene));
            }
            if !fails(&found) {
                let ran = scenario.game.ran.items(program);
                let origin = |id: &ItemId| self.base.sources.origin(program.schema.items[id.at()].span);
                let reached = ran.iter().map(origin).collect();
                self.print(&rules);
                self.plans.insert(scene.path.clone(), Sketch::of(&scenario));
                let what = TestSort::Scene(at);
                return self.tests.push(Test { name: scene.path, rules, what, reached, budget });
            }
        }
        failed.push(Failed { name: scene.path, found });
    }

    /// Stores the fingerprint of the unchanged program.
    fn print(&mut self, rules: &(usize, String)) {
        if !self.prints.contains_key(rules)
            && let Ok(program) = self.base.program(&self.project, rules)
        {
            self.prints.insert(rules.clone(), print_of(&program.program));
        }
    }

    /// Creates a version of the rules with a change in the file of a book.
    pub(super) fn changed(&self, book: &Book, change: &Mutation) -> Option<MutantVersion> {
        let file = change.edits.first()?.0.file;
        let text = change.applied(&self.base.sources.get(file)?.text);
        let name = format!("{}.rules", book.name);
        let mut sources = self.base.sources.clone();
        let shown = self.base.sources.get(file)?.shown.clone();
        let id = sources.add(Source::new(name.as_str(), text.as_str()).shown_as(shown));
        let mut known = self.base.known.clone();
        known.add(id, sources.get(id)?);
        let touched = |rules: &(usize, String)| self.stands_on(rules, book);
        let sets = self.base.sets.iter().filter(|(rules, _)| !touched(rules));
        let sets = sets.map(|(rules, set)| (rules.clone(), set.clone())).collect();
        let changed = Some((book.root, name, text));
        Some(MutantVersion { sources, known, changed, sets, programs: OrdMap::new() })
    }

    /// Returns whether a ruleset is a book or extends it.
    pub(super) fn stands_on(&self, rules: &(usize, String), book: &Book) -> bool {
        let Some(Ok(set)) = self.base.sets.get(rules) else { return false };
        rules.0 == book.root && set.chain.iter().any(|(path, _)| *path == book.name)
    }

    /// Returns the rulesets that a change in a book can affect.
    pub(super) fn touched<'s>(&'s self, book: &'s Book) -> impl Iterator<Item = &'s (usize, String)> {
        self.base.sets.keys().filter(|rules| self.stands_on(rules, book))
    }

    /// Returns those rulesets that can be run.
    pub(super) fn closed<'s>(&'s self, book: &'s Book) -> impl Iterator<Item = &'s (usize, String)> {
        self.touched(book).filter(|rules| self.prints.contains_key(*rules))
    }

    /// Returns the text of the item that contains a change.
    pub(super) fn around(&self, change: &Mutation) -> &str {
        let Some((first, _)) = change.edits.first() else { return "" };
        let items = self.base.known.file(first.file).map_or(&[][..], |file| &file.items);
        let item = items.iter().find(|item| (item.span.start..=item.span.end).contains(&first.start));
        item.map_or("", |item| self.base.sources.slice(item.span))
    }

    /// Returns the integers in that item.
    pub(super) fn numbers(&self, change: &Mutation) -> Vec<i64> {
        let parts = self.around(change).split(|c: char| !c.is_ascii_digit());
        let mut found: Vec<i64> = parts.filter_map(|n| n.parse().ok()).filter(|n| *n < 1_000_000).collect();
        order::sort(&mut found);
        found.dedup();
        found
    }

    /// Returns whether every program that the change can affect is unchanged.
    pub(super) fn same(&self, version: &mut MutantVersion, book: &Book) -> bool {
        let mut closed = self.closed(book).peekable();
        closed.peek().is_some()
            && closed.all(|rules| {
                let (Ok(new), Some(print)) = (version.program(&self.project, rules), self.prints.get(rules)) else {
                    return false;
                };
                let old = self.base.programs.get(rules);
                old.is_some_and(|old| old.program.code == new.program.code) && print_of(&new.program) == *print
            })
    }

    /// Runs a test with a version of the rules.
    pub(super) fn run(&self, version: &mut MutantVersion, test: &Test) -> Result<(), Trouble> {
        let refused = |found: Vec<Diagnostic>| Trouble::Refused(first_error(&found));
        let found = match test.what {
            TestSort::Example(at) => {
                let built = version.program(&self.project, &test.rules).map_err(refused)?;
                let Some(example) = built.rules.examples.get(at) else { return Ok(()) };
                let result = run_example(&built, example, &version.sources, test.budget.clone());
                return match result.verdict {
                    ExampleVerdict::Fails => Err(Trouble::Fails { limit: result.limit || endless(&result.problems) }),
                    ExampleVerdict::Holds | ExampleVerdict::Waits => Ok(()),
                };
            }
            TestSort::Scene(at) => {
                let scene = &self.project.scenes[at];
                version.ruleset(&self.project, &test.rules).map_err(refused)?;
                let bound = version.scenario(&self.project, scene, &scene.document, Detail::Plain);
                let Ok(scenario) = bound else { return Err(Trouble::Fails { limit: false }) };
                let mut found = problems(&scenario, test.budget.clone());
                if !fails(&found) && names_traces(&scenario) {
                    found.extend(check_scene(&self.project, version, scene));
                }
                found
            }
        };
        if fails(&found) { Err(Trouble::Fails { limit: endless(&found) }) } else { Ok(()) }
    }
}

/// Returns whether a run is compared with pinned traces.
fn names_traces(scenario: &Scenario) -> bool {
    scenario.plan.mode == Mode::Scripted && !scenario.plan.traces.is_empty()
}

/// Compares a scenario with its pinned traces.
fn check_scene(project: &Project<'_>, version: &mut MutantVersion, scene: &ProjectScene) -> Vec<Diagnostic> {
    match version.scenario(project, scene, &scene.document, Detail::Traced) {
        Ok(traced) => (project.check_scene)(&scene.path, &traced, &version.sources),
        Err(found) => found,
    }
}

/// Returns the problems of a scenario that `grognard test` would find.
pub(super) fn problems(scenario: &Scenario, budget: Budget) -> Vec<Diagnostic> {
    if scenario.plan.mode == Mode::Sampled {
        // play once first, so that a run that does not terminate is not repeated
        let first = play::play(scenario, Options { run: Some(0), ..Options::default() });
        if fails(&first.problems) {
            return first.problems;
        }
    }
    let mut played = tested(scenario, 1);
    if !fails(&played.problems) {
        played.judge(scenario, budget);
    }
    played.problems
}

/// Returns whether a test with these findings fails.
pub(super) fn fails(found: &[Diagnostic]) -> bool {
    found.iter().any(|d| d.is_error() || play::is_limit(d.code) || d.code == Code::NeedsOdds)
}

/// Returns whether a run reached a limit that a nonterminating run reaches.
fn endless(found: &[Diagnostic]) -> bool {
    found.iter().any(|d| matches!(d.code, Code::Fuel | Code::Depth | Code::LongMove | Code::Budget))
}

/// Returns the first error in one line.
pub(super) fn first_error(found: &[Diagnostic]) -> String {
    found.first().map_or(String::new(), |d| format!("{}: {}", d.code.id(), d.message))
}
