//! Scenarios and project files that are being edited: their diagnostics, and the texts that these depend on.
//!
//! A scenario is bound as `grognard check` binds it, with the current texts of its rules and bases. The result is cached until
//! one of the texts that were read changes.

mod complete;
mod names;
pub mod walk;

pub(super) use names::has_word;

use super::{Analysis, FileLink, Place, Problem, Workspace, WorkspaceTexts};
use grognard_base::{Code, Diagnostic, FileId, OrdSet, Source, Sources, Span, fold, order};
use grognard_program::Detail;
use grognard_rules::Library;
use grognard_rules::ruleset::Ruleset;
use grognard_scenario::manifest::{self, Manifest};
use grognard_scenario::scene::{self, SceneTexts, Wanted};
use grognard_scenario::{Document, Node, Value, beside, get};
use std::cell::RefCell;
use std::rc::Rc;

/// The file name of a register.
const REGISTER: &str = "clauses.toml";
/// Maximum number of folders above a root in which the project file is searched.
const MOST_ABOVE: usize = 6;

/// The type of a TOML file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TomlSort {
    /// A scenario.
    Scene,
    /// The project file.
    Project,
    /// A register of clauses.
    Register,
    /// Any other file, which is ignored.
    Other,
}

/// Returns the type of a TOML file.
pub fn toml_sort(path: &str, text: &str) -> TomlSort {
    let mut parts = path.rsplit('/');
    let (name, folder) = (parts.next().unwrap_or_default(), parts.next());
    match name {
        manifest::FILE => TomlSort::Project,
        REGISTER => TomlSort::Register,
        _ if !name.ends_with(".toml") => TomlSort::Other,
        _ if folder == Some("scenarios") || scene::is_scene(text) => TomlSort::Scene,
        _ => TomlSort::Other,
    }
}

/// The result of checking one scenario.
pub struct SceneAnalysis {
    /// The texts that were read.
    pub sources: Sources,
    /// The scenario with its bases, or `None` if one of them is not valid TOML.
    pub document: Option<Document>,
    /// The rules, or `None` if the scenario does not name them.
    pub rules: Option<Rc<Analysis>>,
    /// The diagnostics.
    pub found: Vec<Diagnostic>,
    /// The texts that were read, with their revisions. A missing text has revision 0.
    rests_on: Vec<(String, u64)>,
}

/// Records the paths that are read.
pub(super) struct Recorder<'w> {
    pub texts: WorkspaceTexts<'w>,
    pub read: RefCell<OrdSet<String>>,
}

impl Library for Recorder<'_> {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        self.read.borrow_mut().insert(path.to_string());
        self.texts.read(path)
    }

    fn list(&self) -> Vec<String> {
        self.texts.list()
    }
}

impl Workspace {
    /// Returns the type of a TOML file of the workspace.
    pub fn toml_sort(&self, path: &str) -> TomlSort {
        if !path.ends_with(".toml") {
            return TomlSort::Other;
        }
        toml_sort(path, &self.text(path).unwrap_or_default())
    }

    /// Returns every scenario, open or not.
    pub fn scenarios(&self) -> Vec<String> {
        let mut all: OrdSet<String> = self.underlying.list().into_iter().collect();
        all.extend(self.texts.borrow().open.iter().cloned());
        all.into_iter().filter(|path| self.toml_sort(path) == TomlSort::Scene).take(super::MOST_FILES).collect()
    }

    fn revision(&self, path: &str) -> u64 {
        self.id(path).map_or(0, |id| self.texts.borrow().revisions[id.0 as usize])
    }

    fn recorder(&self) -> Recorder<'_> {
        let texts = WorkspaceTexts { texts: &self.texts, underlying: &*self.underlying };
        Recorder { texts, read: RefCell::default() }
    }

    /// Returns the current analysis of a scenario.
    pub fn scene(&self, path: &str) -> Rc<SceneAnalysis> {
        let known = self.scenes.borrow().get(path).cloned();
        let fresh = |of: &Rc<SceneAnalysis>| of.rests_on.iter().all(|(path, was)| self.revision(path) == *was);
        if let Some(known) = known.filter(fresh) {
            return known;
        }
        let found = Rc::new(self.bind_scene(path));
        self.scenes.borrow_mut().insert(path.to_string(), found.clone());
        found
    }

    /// Returns the last analysis of a scenario whose text was valid TOML, which can be outdated, or the current analysis.
    fn last_scene(&self, path: &str) -> Rc<SceneAnalysis> {
        let now = self.scene(path);
        let mut kept = self.readable.borrow_mut();
        if now.document.is_some() && now.rules.is_some() {
            kept.insert(path.to_string(), now.clone());
        }
        kept.get(path).cloned().unwrap_or(now)
    }

    fn bind_scene(&self, path: &str) -> SceneAnalysis {
        let library = self.recorder();
        let text = self.text(path).unwrap_or_default();
        let mut aside = Sources::default();
        let document = grognard_scenario::read(path, text.clone(), &library, &mut aside).ok();
        let names = document.as_ref().and_then(|document| grognard_scenario::rulesets(document).ok());
        let named = names.and_then(|names| Some(format!("{}.rules", names.into_iter().next()?.0)));
        let rules = named.filter(|path| self.id(path).is_some()).map(|path| self.analysis(&path));
        let sound = rules.as_ref().filter(|rules| rules.sound);
        let mut sources = sound.map(|rules| rules.sources.clone()).unwrap_or_default();
        let players = self.players(path, &library);
        let adjust = |document: &mut Document, sources: &mut Sources| {
            let Some((file, text, manifest)) = players else { return };
            let id = sources.add(Source::new(file, text));
            for player in &manifest.players {
                document.decide_else(&player.name, &player.answers, id, player.start);
            }
        };
        let odds_options = Wanted { instead: sound.map(|rules| &*rules.rules), ..Wanted::default() };
        let texts = SceneTexts { name: path, text, own: &library, root: &library };
        let bound = scene::bind(texts, None, odds_options, None, adjust, Detail::Plain, &mut sources);
        let found = match bound {
            Ok(Ok(bound)) => match bound.compile().settle() {
                Ok(scenario) => scenario.remarks(),
                Err(found) => found,
            },
            Ok(Err(found)) => found,
            Err(why) => vec![Diagnostic::general(Code::ScenarioForm, why)],
        };
        let mut read = library.read.into_inner();
        read.insert(path.to_string());
        let mut rests_on: Vec<(String, u64)> = read.iter().map(|path| (path.clone(), self.revision(path))).collect();
        rests_on.extend(rules.iter().flat_map(|rules| rules.rests_on.iter().cloned()));
        // Read again, so that its spans refer to `sources`.
        let document = document.and_then(|_| {
            let text = self.text(path)?;
            grognard_scenario::read(path, text, &self.recorder(), &mut sources).ok()
        });
        SceneAnalysis { sources, document, rules, found, rests_on }
    }

    /// Returns the links from `rules` and `base` of a scenario to the files that they name.
    pub(super) fn scene_links(&self, path: &str) -> Vec<FileLink> {
        let text = self.text(path).filter(|_| self.toml_sort(path) == TomlSort::Scene).unwrap_or_default();
        let entries = grognard_scenario::entries(FileId::default(), &text).unwrap_or_default();
        let link = |node: &Node, files: Vec<String>| {
            let Value::Text(named, start) = &node.value else { return None };
            let at = (*start, start + named.len());
            let file = files.into_iter().find(|file| self.text(file).is_some())?;
            // a text with escapes has no range of the same length
            (text.get(at.0..at.1) == Some(named)).then_some(FileLink { at, to: Place { file, start: 0, end: 0 } })
        };
        let named = |node: &Node| node.text().unwrap_or_default().to_string();
        let rules = get(&entries, "rules").into_iter().flat_map(|entry| entry.node.all());
        let rules = rules.filter_map(|node| link(node, vec![format!("{}.rules", named(node))]));
        let base = get(&entries, "base").and_then(|entry| {
            // as the reader of scenarios finds it: next to this file, or under the root
            let root = Some(named(&entry.node)).filter(|name| name.contains('/'));
            link(&entry.node, beside(path, &named(&entry.node)).into_iter().chain(root).collect())
        });
        rules.chain(base).collect()
    }

    /// Returns the project file of a scenario, if it names sources for players.
    fn players(&self, path: &str, library: &dyn Library) -> Option<(String, String, Manifest)> {
        let up = path.split('/').take_while(|part| *part == "..").count();
        let (file, text) = (up..MOST_ABOVE).find_map(|n| {
            let file = format!("{}{}", "../".repeat(n), manifest::FILE);
            Some((file.clone(), library.read(&file).ok().flatten()?))
        })?;
        let manifest = Manifest::read(FileId::default(), &text).ok()?;
        (!manifest.players.is_empty()).then_some((file, text, manifest))
    }

    /// Returns the diagnostics of a TOML file, from its own text.
    pub(super) fn toml_problems(&self, path: &str) -> Vec<Problem> {
        let mut sources = Sources::default();
        let text = self.text(path);
        let mut add = |text: &str| sources.add(Source::new(path, text));
        let mut found = match (self.toml_sort(path), text) {
            (TomlSort::Scene, Some(_)) => return self.scene_problems(path),
            (TomlSort::Project, Some(text)) => {
                let id = add(&text);
                Manifest::read(id, &text).err().unwrap_or_default()
            }
            (TomlSort::Register, Some(text)) => {
                let id = add(&text);
                let found = grognard_rules::read_register(id, &text, &mut grognard_rules::Registers::default());
                if found.is_empty() {
                    return self.register_problems(path);
                }
                found
            }
            _ => Vec::new(),
        };
        order::sort_by_key(&mut found, |d| (d.span, d.code));
        found.iter().map(|one| problem(one, path, &sources, None)).collect()
    }

    /// Returns the diagnostics about clauses that no ruleset cites. All rulesets that read the register must have been checked.
    fn register_problems(&self, path: &str) -> Vec<Problem> {
        let rulesets = self.resting_on(path);
        if !rulesets.iter().all(|ruleset| self.is_fresh(ruleset)) {
            return Vec::new();
        }
        let all: Vec<Rc<Analysis>> = rulesets.iter().map(|ruleset| self.analysis(ruleset)).collect();
        let Some(first) = all.first().filter(|_| all.iter().all(|analysis| analysis.sound)) else { return Vec::new() };
        let rules: Vec<&Ruleset> = all.iter().map(|analysis| &*analysis.rules).collect();
        let mut found = grognard_rules::audit_register(&rules);
        let own = first.file(path);
        found.retain(|one| one.span.map(|span| span.file) == own);
        order::sort_by_key(&mut found, |d| (d.span, d.code));
        fold(found, &first.sources).iter().map(|one| problem(one, path, &first.sources, None)).collect()
    }

    fn scene_problems(&self, path: &str) -> Vec<Problem> {
        let scene = self.scene(path);
        // Diagnostics in a base are shown at `base`, and those in rules at `rules`.
        let text = self.text(path).unwrap_or_default();
        let mut aside = Sources::default();
        let own = aside.add(Source::new(path, text.as_str()));
        let entries = grognard_scenario::entries(own, &text).unwrap_or_default();
        let at = |key: &str| get(&entries, key).map(|entry| entry.node.span);
        let elsewhere =
            |file: &str| if file.ends_with(".toml") { at("base") } else { at("rules").or_else(|| at("base")) };
        let mut all = Vec::new();
        for one in &scene.found {
            let file = one.span.and_then(|span| scene.sources.get(scene.sources.origin(span).file));
            let file = file.map_or(path, |source| source.name.as_str());
            // The rules themselves show their errors. The scenario shows that they have some.
            if file.ends_with(".rules") && scene.found.iter().any(|other| other.code == Code::ReadRules) {
                continue;
            }
            let instead = if file == path { None } else { elsewhere(file) };
            let problem = problem(one, path, &scene.sources, instead);
            if !all.contains(&problem) {
                all.push(problem);
            }
        }
        all
    }
}

/// Returns a diagnostic with its location. `instead` is the location in `path` of a diagnostic that is in another file.
fn problem(found: &Diagnostic, path: &str, sources: &Sources, instead: Option<Span>) -> Problem {
    let place = |span: Span| {
        let span = sources.origin(span);
        let file = sources.get(span.file).map_or(path, |s| s.name.as_str());
        Place { file: file.to_string(), start: span.start as usize, end: span.end as usize }
    };
    let mut others: Vec<(Place, String)> = found.others.iter().map(|o| (place(o.span), o.text.clone())).collect();
    let own = match (found.span, instead) {
        (Some(span), Some(instead)) => {
            others.insert(0, (place(span), String::new()));
            Place { file: path.to_string(), start: instead.start as usize, end: instead.end as usize }
        }
        (Some(span), None) => Place { file: path.to_string(), ..place(span) },
        (None, _) => Place { file: path.to_string(), start: 0, end: 0 },
    };
    Problem { place: own, found: Diagnostic { span: None, others: Vec::new(), ..found.clone() }, others }
}
