//! Questions about texts that are being written: the query layer of the language server, of `watch` and of the studio.
//!
//! A [`Workspace`] holds the rules files of one root as they are on the screen. Every question is put by file and byte
//! and is answered from the newest texts; what was worked out for one revision is kept until a text it rests on changes
//! (demand-driven recomputation with revisions, as in incremental compilers). It reads no file and no clock and starts no
//! thread: whoever owns it brings the texts.

mod complete;
mod examples;
mod find;
mod fixes;
mod hover;
mod lens;
mod outline;
mod rename;
pub mod scene;
mod tokens;
pub mod watch;

pub use complete::{Candidate, Sort};
pub use fixes::{Edit, Fix};
pub use hover::Hover;
pub use lens::{CallOdds, Lens, LensAnswer, LensQuestion, LensSort, call_odds, questions};
pub use outline::OutlineEntry;
pub use tokens::{CLASSES, Token};

use grognard_base::order;
use grognard_base::{Diagnostic, FileId, OrdMap, OrdSet, Severity, Source, Sources, Span};
use grognard_play::examples::check_example;
use grognard_program::{Built, Detail};
use grognard_rules::index::Index;
use grognard_rules::ruleset::Ruleset;
use grognard_rules::{EditorNames, Known, Library, Loaded, load_indexed};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// Most texts of a workspace.
const MOST_FILES: usize = 4096;

/// A stretch of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, by its path under the root.
    pub file: String,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A finding at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// The finding.
    pub found: Diagnostic,
    /// Other places that matter.
    pub others: Vec<(Place, String)>,
}

/// The rules files of one root, as they are on the screen.
pub struct Workspace {
    /// Where a text comes from that nobody has opened.
    underlying: Rc<dyn Library>,
    texts: RefCell<OpenTexts>,
    /// The newest answer for each ruleset, and the newest one without a faulty item.
    kept: RefCell<OrdMap<String, KeptResult>>,
    /// What each ruleset rests on, as of a revision of the texts.
    chains: RefCell<(u64, OrdMap<String, Chain>)>,
}

/// The files of a ruleset and their registers, with their revisions.
type Chain = Rc<Vec<(String, u64)>>;

#[derive(Clone, Default)]
struct OpenTexts {
    /// All texts, by file id; those that are gone are empty and have no revision.
    sources: Sources,
    ids: OrdMap<String, FileId>,
    /// When each text came: 0 if there is none.
    revisions: Vec<u64>,
    known: Known,
    /// Files that somebody has open: the library is not asked for them.
    open: OrdSet<String>,
    now: u64,
}

#[derive(Default)]
struct KeptResult {
    newest: Option<Rc<Analysis>>,
    good: Option<Rc<Analysis>>,
}

/// What is known of one ruleset at one time.
pub struct Analysis {
    /// Its path with `.rules`.
    pub path: String,
    /// The texts it rests on; those that a `change` puts together stand behind them.
    pub sources: Sources,
    /// The ruleset, as far as it could be checked.
    pub rules: Rc<Ruleset>,
    /// Nothing is wrong with it.
    pub sound: bool,
    /// Where its names are written, but for those in examples.
    pub names: EditorNames,
    /// Where names are written in examples, by file, as far as somebody asked.
    shown: RefCell<OrdMap<FileId, Rc<Index>>>,
    /// What is wrong.
    pub problems: Vec<Diagnostic>,
    /// What is wrong with the form of its examples, once all were looked at.
    examples: OnceCell<Vec<Diagnostic>>,
    /// How far that is.
    looking: RefCell<Option<Looking>>,
    /// Its files and registers with their revisions.
    rests_on: Chain,
}

/// Examples that are being looked at, a few at a time.
struct Looking {
    built: Built,
    next: usize,
    found: Vec<Diagnostic>,
}

/// How far it is with the examples of a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looked {
    /// Some are left.
    Some,
    /// This was the last of them.
    All,
    /// That was known before.
    Before,
}

/// The texts of a workspace as a library.
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
    /// A workspace that asks `library` for texts nobody has opened.
    pub fn new(library: Rc<dyn Library>) -> Workspace {
        Workspace {
            underlying: library,
            texts: RefCell::default(),
            kept: RefCell::default(),
            chains: RefCell::default(),
        }
    }

    /// The same texts again, to try something out.
    pub(crate) fn copy(&self) -> Workspace {
        let texts = RefCell::new(self.texts.borrow().clone());
        Workspace { underlying: self.underlying.clone(), texts, kept: RefCell::default(), chains: RefCell::default() }
    }

    /// A text is on the screen, new or changed.
    pub fn set(&mut self, path: &str, text: &str) {
        let texts = self.texts.get_mut();
        texts.open.insert(path.to_string());
        texts.put(path, Some(text));
    }

    /// A text is not on the screen any more: the library has it.
    pub fn close(&mut self, path: &str) {
        self.texts.get_mut().open.remove(path);
        self.changed_outside(path);
    }

    /// A file was changed, made or taken away by somebody else.
    pub fn changed_outside(&mut self, path: &str) {
        let texts = self.texts.get_mut();
        if !texts.open.contains(path) {
            let text = self.underlying.read(path).ok().flatten();
            texts.put(path, text.as_deref());
        }
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<String> {
        self.id(path).and_then(|id| self.texts.borrow().sources.get(id).map(|s| s.text.clone()))
    }

    /// Every rules file, open or not.
    pub fn rulesets(&self) -> Vec<String> {
        let mut all: OrdSet<String> = self.underlying.list().into_iter().take(MOST_FILES).collect();
        all.extend(self.texts.borrow().open.iter().cloned());
        all.into_iter().filter(|path| path.ends_with(".rules")).collect()
    }

    /// The id of a file with a text; it is fetched if it was not yet.
    fn id(&self, path: &str) -> Option<FileId> {
        let known = self.texts.borrow().ids.get(path).copied();
        if known.is_none() {
            let text = self.underlying.read(path).ok().flatten();
            self.texts.borrow_mut().put(path, text.as_deref());
        }
        let texts = self.texts.borrow();
        texts.ids.get(path).copied().filter(|id| texts.revisions[id.0 as usize] > 0)
    }

    /// The files a ruleset is made of and their registers, with their revisions.
    fn chain(&self, path: &str) -> Chain {
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
        // a text that was met for the first time makes a new revision: what is known of others may miss it
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
            self.id(&register);
            let texts = self.texts.borrow();
            let revision = |path: &str| texts.ids.get(path).map_or(0, |id| texts.revisions[id.0 as usize]);
            found.push((path.clone(), revision(&path)));
            found.push((register.clone(), revision(&register)));
            let header = id.and_then(|id| texts.known.file(id)).and_then(|file| file.header.as_ref());
            next = header.and_then(|h| h.base.as_ref()).map(|base| format!("{}.rules", base.text));
        }
        found
    }

    /// What is known of a ruleset now.
    pub fn analysis(&self, path: &str) -> Rc<Analysis> {
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

    /// What was worked out last for a ruleset, whether it still holds or not.
    pub(crate) fn newest(&self, path: &str) -> Option<Rc<Analysis>> {
        self.kept.borrow().get(path).and_then(|kept| kept.newest.clone())
    }

    /// What was known of a ruleset when nothing was wrong with it last; else what is known now.
    pub fn last_good(&self, path: &str) -> Rc<Analysis> {
        let newest = self.analysis(path);
        let good = self.kept.borrow().get(path).and_then(|kept| kept.good.clone());
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
            examples: OnceCell::new(),
            looking: RefCell::default(),
            rests_on,
        }
    }

    /// The rulesets that rest on a file, itself first.
    pub fn resting_on(&self, path: &str) -> Vec<String> {
        let mut all = self.naming(path);
        all.retain(|one| self.chain(one).iter().any(|(file, _)| file == path));
        if path.ends_with(".rules") {
            all.insert(0, path.to_string());
        }
        all
    }

    /// The other rulesets whose texts name it, or one that names it, and so on: none else can rest on it, so that the others
    /// need not be parsed to find out. A register is named by nobody: all may rest on it.
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

    /// True if what was worked out last for a ruleset still holds.
    pub fn is_fresh(&self, path: &str) -> bool {
        let now = self.chain(path);
        self.kept.borrow().get(path).and_then(|k| k.newest.as_ref()).is_some_and(|a| a.rests_on == now)
    }

    /// Looks at the form of so many examples of a ruleset more: all of them take longer than everything else, and somebody
    /// may wait for an answer.
    pub fn look_at_examples(&self, path: &str, most: usize) -> Looked {
        self.analysis(path).look_at_examples(most)
    }

    /// What is wrong in a file: found in its own ruleset, and in those of `others` that were worked out.
    pub fn problems<'p>(&self, path: &str, others: impl IntoIterator<Item = &'p String>) -> Vec<Problem> {
        let mut found: Vec<Problem> = Vec::new();
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

impl OpenTexts {
    /// Takes in a text, or notes that there is none.
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
    /// The place of a span in a file.
    pub fn place(&self, span: Span) -> Place {
        let span = self.sources.origin(span);
        let file = self.sources.get(span.file).map_or(String::new(), |s| s.name.clone());
        Place { file, start: span.start as usize, end: span.end as usize }
    }

    /// The id of a file it rests on.
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
        // to compile the rules is a piece of its own
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

    /// A finding with its place; one without a place stands in the first line.
    fn problem(&self, found: &Diagnostic) -> Problem {
        let place = match found.span {
            Some(span) => self.place(span),
            None => {
                let end = self.file(&self.path).and_then(|id| self.sources.get(id)).map_or(0, |s| s.line(1).len());
                Place { file: self.path.clone(), start: 0, end }
            }
        };
        let others = found.others.iter().map(|o| (self.place(o.span), o.text.clone())).collect();
        // places are told as places of files, so that what two rulesets find is one finding
        let found = Diagnostic { span: None, others: Vec::new(), ..found.clone() };
        Problem { place, found, others }
    }

    /// True if something keeps the rules from running.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|p| p.severity == Severity::Error)
    }
}
