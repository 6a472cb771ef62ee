//! Queries about texts that are being edited: the query layer of the language server, of `watch` and of the studio.
//!
//! A [`Workspace`] holds the current texts of the rules files of one root. Every query names a file and a byte offset, and is
//! answered from the newest texts. Results are cached until a text that they depend on changes (demand-driven recomputation with
//! revisions, as in incremental compilers). A workspace reads no files and no clock, and starts no threads: its owner provides
//! the texts.

mod cards;
mod complete;
mod examples;
mod extract;
mod find;
mod fixes;
mod hints;
mod hover;
mod lens;
mod outline;
mod rename;
mod scenes;
mod signature;
mod tokens;
mod values;
pub mod watch;

pub use cards::{Card, card, cards};
pub use complete::{Candidate, Sort};
pub use extract::Refactoring;
pub use fixes::{Edit, Fix};
pub use hints::{FileLink, InlayText};
pub use hover::Hover;
pub use lens::{CallOdds, Lens, LensAnswer, LensQuestion, LensSort, call_odds};
pub use outline::OutlineEntry;
pub use scenes::{SceneAnalysis, TomlSort, toml_sort, walk};
pub use signature::SignatureText;
pub use tokens::{CLASSES, Token};

use grognard_base::order;
use grognard_base::{Diagnostic, FileId, OrdMap, OrdSet, Severity, Source, Sources, Span};
use grognard_play::examples::check_example;
use grognard_program::{Built, Detail};
use grognard_rules::index::Index;
use grognard_rules::ruleset::Ruleset;
use grognard_rules::{EditorNames, Library, Loaded, ParsedTexts, load_indexed, rules_of};
use grognard_syntax::EXAMPLES;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// Maximum number of texts in a workspace.
const MOST_FILES: usize = 4096;

/// A range of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The path of the file, relative to the root.
    pub file: String,
    /// The start, in bytes.
    pub start: usize,
    /// The end, in bytes. Exclusive.
    pub end: usize,
}

/// A diagnostic with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The location of the diagnostic.
    pub place: Place,
    /// The diagnostic, without spans.
    pub found: Diagnostic,
    /// Other relevant locations, with their messages.
    pub others: Vec<(Place, String)>,
}

/// The current texts of the rules files of one root.
pub struct Workspace {
    /// The source of texts that are not open.
    underlying: Rc<dyn Library>,
    texts: RefCell<OpenTexts>,
    /// The newest analysis of each ruleset, and the newest sound one.
    kept: RefCell<OrdMap<String, KeptResult>>,
    /// The dependencies of each ruleset, for one revision of the texts.
    chains: RefCell<(u64, OrdMap<String, Chain>)>,
    /// The newest analysis of each scenario, and the newest one of a text that is valid TOML.
    scenes: RefCell<OrdMap<String, Rc<SceneAnalysis>>>,
    readable: RefCell<OrdMap<String, Rc<SceneAnalysis>>>,
}

/// The files and registers that a ruleset depends on, with their revisions.
type Chain = Rc<Vec<(String, u64)>>;

#[derive(Clone, Default)]
struct OpenTexts {
    /// All texts, by file ID. Deleted texts are empty and have revision 0.
    sources: Sources,
    ids: OrdMap<String, FileId>,
    /// The revision of each text, or 0 if the file does not exist.
    revisions: Vec<u64>,
    known: ParsedTexts,
    /// Open files. The library is not queried for them.
    open: OrdSet<String>,
    now: u64,
}

#[derive(Default)]
struct KeptResult {
    newest: Option<Rc<Analysis>>,
    good: Option<Rc<Analysis>>,
}

/// The results of checking one ruleset at one revision.
pub struct Analysis {
    /// The path of the ruleset, with `.rules`.
    pub path: String,
    /// The texts that it depends on, followed by the texts that `change` items generate.
    pub sources: Sources,
    /// The checked ruleset. Incomplete if it has errors.
    pub rules: Rc<Ruleset>,
    /// Whether the ruleset loaded without an error. Otherwise `rules` is a draft.
    pub sound: bool,
    /// The uses of names, except those in examples.
    pub names: EditorNames,
    /// The uses of names in examples, by file. Filled on demand.
    shown: RefCell<OrdMap<FileId, Rc<Index>>>,
    /// The values of constant `let`s, once they were asked for.
    let_values: OnceCell<OrdMap<Span, String>>,
    /// The diagnostics of the rules.
    pub problems: Vec<Diagnostic>,
    /// The diagnostics of the examples, once every example has been checked.
    examples: OnceCell<Vec<Diagnostic>>,
    /// The progress of checking the examples.
    looking: RefCell<Option<Looking>>,
    /// The files and registers that it depends on, with their revisions.
    rests_on: Chain,
}

/// Examples that are being checked, a few at a time.
struct Looking {
    built: Built,
    next: usize,
    found: Vec<Diagnostic>,
}

/// The progress of checking the examples of a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looked {
    /// Some examples are left.
    Some,
    /// The last example was checked in this step.
    All,
    /// All examples had been checked before.
    Before,
}

/// The texts of a workspace, as a library.
struct WorkspaceTexts<'w> {
    texts: &'w RefCell<OpenTexts>,
    underlying: &'w dyn Library,
}

impl Library for WorkspaceTexts<'_> {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        let texts = self.texts.borrow();
        match texts.ids.get(path) {
            Some(id) if texts.revisions[id.0 as usize] == 0 => self.underlying.read(path),
            Some(id) => Ok(texts.sources.get(*id).map(|s| s.text.clone())),
            None => self.underlying.read(path),
        }
    }

    fn list(&self) -> Vec<String> {
        let mut all = self.underlying.list();
        all.extend(self.texts.borrow().open.iter().cloned());
        all
    }
}

impl Workspace {
    /// Creates a workspace that reads texts from `library` unless they are open.
    pub fn new(library: Rc<dyn Library>) -> Workspace {
        Workspace {
            underlying: library,
            texts: RefCell::default(),
            kept: RefCell::default(),
            chains: RefCell::default(),
            scenes: RefCell::default(),
            readable: RefCell::default(),
        }
    }

    /// Returns a copy of the workspace, for trying out changes.
    pub(crate) fn copy(&self) -> Workspace {
        Workspace { texts: RefCell::new(self.texts.borrow().clone()), ..Workspace::new(self.underlying.clone()) }
    }

    /// Opens a text, or replaces the text of an open file.
    pub fn set(&mut self, path: &str, text: &str) {
        let texts = self.texts.get_mut();
        texts.open.insert(path.to_string());
        texts.put(path, Some(text));
    }

    /// Closes a file, so that the library provides its text again.
    pub fn close(&mut self, path: &str) {
        self.texts.get_mut().open.remove(path);
        self.changed_outside(path);
    }

    /// Updates a file that was changed, created or deleted outside the editor. Has no effect on open files.
    pub fn changed_outside(&mut self, path: &str) {
        let texts = self.texts.get_mut();
        if !texts.open.contains(path) {
            let text = self.underlying.read(path).ok().flatten();
            texts.put(path, text.as_deref());
        }
    }

    /// Returns the text of a file, or `None` if the file does not exist.
    pub fn text(&self, path: &str) -> Option<String> {
        self.id(path).and_then(|id| self.texts.borrow().sources.get(id).map(|s| s.text.clone()))
    }

    /// Returns every rules file, open or not.
    pub fn rulesets(&self) -> Vec<String> {
        let mut all: OrdSet<String> = self.underlying.list().into_iter().take(MOST_FILES).collect();
        all.extend(self.texts.borrow().open.iter().cloned());
        all.into_iter().filter(|path| path.ends_with(".rules") && rules_of(path).is_none()).collect()
    }

    /// Returns the ID of a file, or `None` if the file does not exist. Reads the file on first use.
    fn id(&self, path: &str) -> Option<FileId> {
        let known = self.texts.borrow().ids.get(path).copied();
        if known.is_none() {
            let text = self.underlying.read(path).ok().flatten();
            self.texts.borrow_mut().put(path, text.as_deref());
        }
        let texts = self.texts.borrow();
        texts.ids.get(path).copied().filter(|id| texts.revisions[id.0 as usize] > 0)
    }

    /// Returns the files and registers that a ruleset depends on, with their revisions.
    fn chain(&self, path: &str) -> Chain {
        let path = &*whole(path);
        let now = self.texts.borrow().now;
        {
            let mut chains = self.chains.borrow_mut();
            if chains.0 != now {
                *chains = (now, OrdMap::new());
            }
            if let Some(known) = chains.1.get(path) {
                return known.clone();
            }
        }
        let found = Rc::new(self.rests_on(path));
        // Reading a text for the first time creates a revision, so the cached dependencies of other rulesets can be incomplete.
        if self.texts.borrow().now == now {
            self.chains.borrow_mut().1.insert(path.to_string(), found.clone());
        }
        found
    }

    fn rests_on(&self, path: &str) -> Vec<(String, u64)> {
        let mut found: Vec<(String, u64)> = Vec::new();
        let mut next = Some(path.to_string());
        while let Some(path) = next.take() {
            if found.iter().any(|(known, _)| *known == path) || found.len() > 64 {
                break;
            }
            let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
            let register = format!("{folder}clauses.toml");
            let id = self.id(&path);
            let examples = format!("{}{EXAMPLES}", path.trim_end_matches(".rules"));
            self.id(&register);
            self.id(&examples);
            let texts = self.texts.borrow();
            let revision = |path: &str| texts.ids.get(path).map_or(0, |id| texts.revisions[id.0 as usize]);
            found.push((path.clone(), revision(&path)));
            found.push((register.clone(), revision(&register)));
            found.push((examples.clone(), revision(&examples)));
            let header = id.and_then(|id| texts.known.file(id)).and_then(|file| file.header.as_ref());
            next = header.and_then(|h| h.base.as_ref()).map(|base| format!("{}.rules", base.text));
        }
        found
    }

    /// Returns the analysis of the current revision.
    pub fn analysis(&self, path: &str) -> Rc<Analysis> {
        let path = &*whole(path);
        let rests_on = self.chain(path);
        let newest = self.newest(path).filter(|newest| newest.rests_on == rests_on);
        if let Some(newest) = newest {
            return newest;
        }
        let analysis = Rc::new(self.check(path, rests_on));
        let mut kept = self.kept.borrow_mut();
        let kept = kept.entry(path.to_string()).or_default();
        if analysis.sound {
            kept.good = Some(analysis.clone());
        }
        kept.newest = Some(analysis.clone());
        analysis
    }

    /// Returns the last analysis of a ruleset, which can be outdated.
    pub(crate) fn newest(&self, path: &str) -> Option<Rc<Analysis>> {
        self.kept.borrow().get(&*whole(path)).and_then(|kept| kept.newest.clone())
    }

    /// Returns the last sound analysis of a ruleset, or the current analysis if none was sound.
    pub fn last_good(&self, path: &str) -> Rc<Analysis> {
        let newest = self.analysis(path);
        let good = self.kept.borrow().get(&*whole(path)).and_then(|kept| kept.good.clone());
        if newest.sound { newest } else { good.unwrap_or(newest) }
    }

    fn check(&self, path: &str, rests_on: Chain) -> Analysis {
        let (mut sources, known) = {
            let texts = self.texts.borrow();
            (texts.sources.clone(), texts.known.clone())
        };
        let shelf = WorkspaceTexts { texts: &self.texts, underlying: &*self.underlying };
        let (loaded, mut names) = load_indexed(path, &shelf, &mut sources, &known);
        let Loaded { ruleset, problems } = loaded;
        let sound = ruleset.is_some();
        let rules = Rc::new(ruleset.or_else(|| names.draft.take()).unwrap_or_default());
        Analysis {
            path: path.to_string(),
            sources,
            rules,
            sound,
            names,
            problems,
            shown: RefCell::default(),
            let_values: OnceCell::new(),
            examples: OnceCell::new(),
            looking: RefCell::default(),
            rests_on,
        }
    }

    /// Returns the rulesets that depend on a file, with the file itself first.
    pub fn resting_on(&self, path: &str) -> Vec<String> {
        // Of the TOML files, rules depend only on registers.
        if path.ends_with(".toml") && toml_sort(path, "") != TomlSort::Register {
            return Vec::new();
        }
        let path = &*whole(path);
        let mut all = self.naming(path);
        all.retain(|one| self.chain(one).iter().any(|(file, _)| file == path));
        if path.ends_with(".rules") {
            all.insert(0, path.to_string());
        }
        all
    }

    /// Returns the other rulesets whose texts name a ruleset, directly or indirectly. Only these can depend on it, so the others
    /// need not be parsed. Texts do not name registers, so any ruleset can depend on a register.
    fn naming(&self, path: &str) -> Vec<String> {
        let mut all = self.rulesets();
        all.retain(|one| one != path);
        if !path.ends_with(".rules") {
            return all;
        }
        let shelf = WorkspaceTexts { texts: &self.texts, underlying: &*self.underlying };
        let text = |one: &String| shelf.read(one).ok().flatten().unwrap_or_default();
        let mut left: Vec<(String, String)> = all.into_iter().map(|one| (text(&one), one)).collect();
        let mut found = vec![path.to_string()];
        let mut next = 0;
        while let Some(name) = found.get(next).map(|one| one.trim_end_matches(".rules").to_string()) {
            let named;
            (named, left) = left.into_iter().partition(|(text, _)| text.contains(&name));
            found.extend(named.into_iter().map(|(_, one)| one));
            next += 1;
        }
        found.remove(0);
        order::sort(&mut found);
        found
    }

    /// Returns whether the last analysis of a ruleset is current.
    pub fn is_fresh(&self, path: &str) -> bool {
        let now = self.chain(path);
        self.kept.borrow().get(&*whole(path)).and_then(|k| k.newest.as_ref()).is_some_and(|a| a.rests_on == now)
    }

    /// Checks up to `most` more examples of a ruleset. Checking all of them at once would delay responses.
    pub fn look_at_examples(&self, path: &str, most: usize) -> Looked {
        self.analysis(path).look_at_examples(most)
    }

    /// Returns the diagnostics in a file, from its own ruleset and from the rulesets in `others`.
    pub fn problems<'p>(&self, path: &str, others: impl IntoIterator<Item = &'p String>) -> Vec<Problem> {
        let mut found: Vec<Problem> = if path.ends_with(".toml") { self.toml_problems(path) } else { Vec::new() };
        let rulesets = std::iter::once(path.to_string()).filter(|p| p.ends_with(".rules"));
        for ruleset in rulesets.chain(others.into_iter().filter(|other| *other != path).cloned()) {
            let analysis = self.analysis(&ruleset);
            for problem in analysis.problems.iter().chain(analysis.examples.get().into_iter().flatten()) {
                let problem = analysis.problem(problem);
                if problem.place.file == path && !found.contains(&problem) {
                    found.push(problem);
                }
            }
        }
        order::sort_by(&mut found, |a, b| (&a.place, a.found.code).cmp(&(&b.place, b.found.code)));
        found
    }
}

/// Returns the rules that a text is part of: those next to a file of examples, or else the text itself.
fn whole(path: &str) -> Cow<'_, str> {
    rules_of(path).map_or(Cow::Borrowed(path), Cow::Owned)
}

impl OpenTexts {
    /// Stores a text, or the fact that the file does not exist.
    fn put(&mut self, path: &str, text: Option<&str>) {
        let known = self.ids.get(path).copied();
        let same = known.and_then(|id| self.sources.get(id)).is_some_and(|s| Some(s.text.as_str()) == text);
        let there = known.is_some_and(|id| self.revisions[id.0 as usize] > 0);
        if known.is_some() && (same && there || text.is_none() && !there) {
            return;
        }
        self.now += 1;
        let source = Source::new(path, text.unwrap_or(""));
        let id = match known {
            Some(id) => {
                self.sources.replace(id, source);
                id
            }
            None if self.revisions.len() >= MOST_FILES => return,
            None => {
                self.revisions.push(0);
                self.sources.add(source)
            }
        };
        self.ids.insert(path.to_string(), id);
        self.revisions[id.0 as usize] = if text.is_some() { self.now } else { 0 };
        if let Some(source) = self.sources.get(id) {
            self.known.add(id, source);
        }
    }
}

impl Analysis {
    /// Returns the location of a span in a file.
    pub fn place(&self, span: Span) -> Place {
        let span = self.sources.origin(span);
        let file = self.sources.get(span.file).map_or(String::new(), |s| s.name.clone());
        Place { file, start: span.start as usize, end: span.end as usize }
    }

    /// Returns the ID of a file that the ruleset depends on.
    pub fn file(&self, path: &str) -> Option<FileId> {
        self.sources.iter().find(|(_, s)| s.name == path).map(|(id, _)| id)
    }

    fn look_at_examples(&self, most: usize) -> Looked {
        if self.examples.get().is_some() {
            return Looked::Before;
        }
        let mut looking = self.looking.borrow_mut();
        if !self.sound || !self.rules.open.is_empty() || self.rules.examples.is_empty() {
            self.examples.get_or_init(Vec::new);
            return Looked::All;
        }
        // Compiling the rules is a separate step.
        let Some(at) = looking.as_mut() else {
            let built = Built::new(Ruleset::clone(&self.rules), Detail::Plain);
            *looking = Some(Looking { built, next: 0, found: Vec::new() });
            return Looked::Some;
        };
        let all = &at.built.rules.examples;
        let end = at.next.saturating_add(most).min(all.len());
        let found: Vec<Diagnostic> = all[at.next..end].iter().flat_map(|one| check_example(&at.built, one)).collect();
        at.found.extend(found);
        at.next = end;
        if end < all.len() {
            return Looked::Some;
        }
        let found = looking.take().map(|at| at.found);
        self.examples.get_or_init(|| found.unwrap_or_default());
        Looked::All
    }

    /// Returns a diagnostic with its location. A diagnostic without a span is located in the first line.
    fn problem(&self, found: &Diagnostic) -> Problem {
        let place = match found.span {
            Some(span) => self.place(span),
            None => {
                let end = self.file(&self.path).and_then(|id| self.sources.get(id)).map_or(0, |s| s.line(1).len());
                Place { file: self.path.clone(), start: 0, end }
            }
        };
        let others = found.others.iter().map(|o| (self.place(o.span), o.text.clone())).collect();
        // Spans become locations in files, so that equal diagnostics of two rulesets are merged.
        let found = Diagnostic { span: None, others: Vec::new(), ..found.clone() };
        Problem { place, found, others }
    }

    /// Returns whether the rules have errors that prevent them from running.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|p| p.severity == Severity::Error)
    }
}
