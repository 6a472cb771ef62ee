//! What a project tests: examples of its rules files and its scenarios, each with the items its run reaches.

use super::Mutation;
use super::same::print_of;
use super::version::{MutantVersion, Shelf};
use super::witness::{End, Sketch};
use grognard_base::order;
use grognard_base::{Budget, Code, Diagnostic, Effort, FileId, OrdMap, OrdSet, Source, Sources, Span};
use grognard_play::examples::{ExampleVerdict, run_example};
use grognard_play::{self as play, Options};
use grognard_program::{Built, Detail};
use grognard_rules::Known;
use grognard_scenario::{Document, Mode, Scenario};
use grognard_stats::tested::tested;
use std::sync::{Arc, Mutex, PoisonError};

/// A rules file of the project.
#[derive(Clone, Debug)]
pub struct Book {
    /// The library it is read from.
    pub root: usize,
    /// Its path there, without `.rules`.
    pub name: String,
}

/// A scenario of the project.
#[derive(Clone, Debug)]
pub struct ProjectScene {
    /// Its path, as it was named.
    pub path: String,
    /// The library it is read from, and its path there.
    pub own: (usize, String),
    /// The library of its rules, and their names: the one it is for, then others it is run against.
    pub root: usize,
    /// Names of rulesets.
    pub rules: Vec<String>,
    /// What it says.
    pub document: Document,
}

/// Judges a scenario that names pinned traces: what is wrong with it.
pub type Told<'p> = dyn Fn(&str, &Scenario, &Sources) -> Vec<Diagnostic> + Sync + 'p;

/// All that is tested.
pub struct Project<'p> {
    /// Every text that was read.
    pub sources: Sources,
    /// Where rules and scenarios come from.
    pub libraries: Vec<Shelf<'p>>,
    /// Rules files that are named.
    pub books: Vec<Book>,
    /// Scenarios that are named.
    pub scenes: Vec<ProjectScene>,
    /// How much an exact answer may cost.
    pub budget: Budget,
    /// Plays scenarios with pinned traces.
    pub told: &'p Told<'p>,
}

/// One thing that is tested.
#[derive(Clone, Debug)]
pub struct Test {
    /// What it is called.
    pub name: String,
    /// The library and the name of the ruleset it runs.
    pub rules: (usize, String),
    /// What it is.
    pub what: TestSort,
    /// Names of the items whose code it reaches.
    pub reached: OrdSet<Span>,
    budget: Budget,
}

/// What a test is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestSort {
    /// An example of the ruleset, by its place.
    Example(usize),
    /// A scenario, by its place.
    Scene(usize),
}

/// A test that fails while nothing is changed.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The test, or the file.
    pub name: String,
    /// What was found.
    pub found: Vec<Diagnostic>,
}

/// Why a test did not hold.
pub(super) enum Trouble {
    /// The checker refuses the rules.
    Refused(String),
    /// It fails; by a limit, if that is so.
    Fails { limit: bool },
}

/// What a project tests, after all of it was run once.
pub struct Suite<'p> {
    pub(super) project: Project<'p>,
    pub(super) tests: Vec<Test>,
    pub(super) base: MutantVersion,
    /// Names of all items that any ruleset has.
    pub(super) items: OrdSet<Span>,
    prints: OrdMap<(usize, String), u64>,
    /// What is known of scenarios, by path.
    pub(super) plans: OrdMap<String, Sketch>,
    pub(super) ends: Ends,
    /// A scenario that says nothing.
    pub(super) nothing: Document,
}

/// How runs on the unchanged rules end, by path and text of the scenario in one.
#[derive(Default)]
pub(super) struct Ends {
    known: Mutex<OrdMap<String, Option<Arc<End>>>>,
}

impl Ends {
    /// How one ends; it is played if nobody did so before.
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
    /// Runs everything once; what fails while nothing is changed is given instead.
    pub fn new(project: Project<'p>) -> Result<Suite<'p>, (Vec<Failed>, Sources)> {
        let known = Known::of(&project.sources);
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
        // what was read on the way is parsed once too
        suite.base.known = Known::of(&suite.base.sources);
        if failed.is_empty() { Ok(suite) } else { Err((failed, suite.base.sources)) }
    }

    /// Every text that was read.
    pub fn sources(&self) -> &Sources {
        &self.base.sources
    }

    /// How many examples and scenarios there are.
    pub fn count(&self) -> (usize, usize) {
        let examples = self.tests.iter().filter(|t| matches!(t.what, TestSort::Example(_))).count();
        (examples, self.tests.len() - examples)
    }

    /// Budgets that are tried on the unchanged rules.
    fn budgets(&self) -> [Budget; 2] {
        [self.project.budget.least(Effort::Long), self.project.budget]
    }

    fn examples(&mut self, rules: &(usize, String), failed: &mut Vec<Failed>) {
        let set = match self.base.ruleset(&self.project, rules) {
            Ok(set) => set,
            Err(found) => return failed.push(Failed { name: rules.1.clone(), found }),
        };
        self.items.extend(set.items.iter().map(|item| item.span));
        if !set.open.is_empty() {
            return;
        }
        self.print(rules);
        let built = Built::new(set.as_ref().clone(), Detail::Covered);
        for (at, example) in built.rules.examples.iter().enumerate() {
            let mut result = None;
            for budget in self.budgets() {
                built.ran.items(&built.program);
                let found = run_example(&built, example, &self.base.sources, budget);
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
                    let reached = ran.iter().map(|id| built.rules.items[id.at()].span).collect();
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
        self.items.extend(program.schema.items.iter().map(|item| item.span));
        // what ran while the table was set counts too: defaults and bounds
        let mut found = Vec::new();
        for budget in self.budgets() {
            found = problems(&scenario, budget);
            if names_traces(&scenario) {
                found.extend(told(&self.project, &mut self.base, &scene));
            }
            if !fails(&found) {
                let ran = scenario.game.ran.items(program);
                let reached = ran.iter().map(|id| program.schema.items[id.at()].span).collect();
                self.print(&rules);
                self.plans.insert(scene.path.clone(), Sketch::of(&scenario));
                let what = TestSort::Scene(at);
                return self.tests.push(Test { name: scene.path, rules, what, reached, budget });
            }
        }
        failed.push(Failed { name: scene.path, found });
    }

    /// Keeps what the unchanged program is known by.
    fn print(&mut self, rules: &(usize, String)) {
        if !self.prints.contains_key(rules)
            && let Ok(program) = self.base.program(&self.project, rules)
        {
            self.prints.insert(rules.clone(), print_of(&program.program));
        }
    }

    /// The rules with a change in the file of a book.
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

    /// True if a ruleset has a file below it, or is it.
    pub(super) fn stands_on(&self, rules: &(usize, String), book: &Book) -> bool {
        let Some(Ok(set)) = self.base.sets.get(rules) else { return false };
        rules.0 == book.root && set.chain.iter().any(|(path, _)| *path == book.name)
    }

    /// Rulesets that a change in a book can touch.
    pub(super) fn touched<'s>(&'s self, book: &'s Book) -> impl Iterator<Item = &'s (usize, String)> {
        self.base.sets.keys().filter(|rules| self.stands_on(rules, book))
    }

    /// Those of them that can be run.
    pub(super) fn closed<'s>(&'s self, book: &'s Book) -> impl Iterator<Item = &'s (usize, String)> {
        self.touched(book).filter(|rules| self.prints.contains_key(*rules))
    }

    /// The text of the item that a change stands in.
    pub(super) fn around(&self, change: &Mutation) -> &str {
        let Some((first, _)) = change.edits.first() else { return "" };
        let items = self.base.known.file(first.file).map_or(&[][..], |file| &file.items);
        let item = items.iter().find(|item| (item.span.start..=item.span.end).contains(&first.start));
        item.map_or("", |item| self.base.sources.slice(item.span))
    }

    /// Whole numbers that stand in it.
    pub(super) fn numbers(&self, change: &Mutation) -> Vec<i64> {
        let parts = self.around(change).split(|c: char| !c.is_ascii_digit());
        let mut found: Vec<i64> = parts.filter_map(|n| n.parse().ok()).filter(|n| *n < 1_000_000).collect();
        order::sort(&mut found);
        found.dedup();
        found
    }

    /// True if every program that the change can touch is what it was.
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

    /// Runs a test on a version of the rules.
    pub(super) fn run(&self, version: &mut MutantVersion, test: &Test) -> Result<(), Trouble> {
        let refused = |found: Vec<Diagnostic>| Trouble::Refused(first_error(&found));
        let found = match test.what {
            TestSort::Example(at) => {
                let built = version.program(&self.project, &test.rules).map_err(refused)?;
                let Some(example) = built.rules.examples.get(at) else { return Ok(()) };
                let result = run_example(&built, example, &version.sources, test.budget);
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
                let mut found = problems(&scenario, test.budget);
                if !fails(&found) && names_traces(&scenario) {
                    found.extend(told(&self.project, version, scene));
                }
                found
            }
        };
        if fails(&found) { Err(Trouble::Fails { limit: endless(&found) }) } else { Ok(()) }
    }
}

/// True for a run that is compared with what was told of it before.
fn names_traces(scenario: &Scenario) -> bool {
    scenario.plan.mode == Mode::Scripted && !scenario.plan.traces.is_empty()
}

/// Compares it.
fn told(project: &Project<'_>, version: &mut MutantVersion, scene: &ProjectScene) -> Vec<Diagnostic> {
    match version.scenario(project, scene, &scene.document, Detail::Traced) {
        Ok(traced) => (project.told)(&scene.path, &traced, &version.sources),
        Err(found) => found,
    }
}

/// What is wrong with a scenario, as `grognard test` looks at it.
pub(super) fn problems(scenario: &Scenario, budget: Budget) -> Vec<Diagnostic> {
    if scenario.plan.mode == Mode::Sampled {
        // one that never ends is not played again and again
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

/// True if a test with these findings fails.
pub(super) fn fails(found: &[Diagnostic]) -> bool {
    found.iter().any(|d| d.is_error() || play::is_limit(d.code) || d.code == Code::NeedsOdds)
}

/// True if a limit was hit that a run without an end runs into.
fn endless(found: &[Diagnostic]) -> bool {
    found.iter().any(|d| matches!(d.code, Code::Fuel | Code::Depth | Code::LongMove | Code::Budget))
}

/// The first error, in one line.
pub(super) fn first_error(found: &[Diagnostic]) -> String {
    found.first().map_or(String::new(), |d| format!("{}: {}", d.code.id(), d.message))
}
