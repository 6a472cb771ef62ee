//! A version of the rules, unchanged or with one changed text. It is loaded and compiled on demand.

use super::suite::{Project, ProjectScene};
use grognard_base::{Diagnostic, OrdMap, Sources};
use grognard_program::{Built, Detail};
use grognard_rules::ruleset::Ruleset;
use grognard_rules::{Library, Overlay, ParsedTexts, load_parsed};
use grognard_scenario::{self as scenario, Document, Scenario};
use std::sync::{Arc, Mutex, PoisonError};

/// A library that reads each text once.
pub struct Shelf<'p> {
    texts: Box<dyn Library + Sync + Send + 'p>,
    read: Mutex<OrdMap<String, Result<Option<String>, String>>>,
}

impl<'p> Shelf<'p> {
    /// Creates a cache of this library.
    pub fn new(library: impl Library + Sync + Send + 'p) -> Shelf<'p> {
        Shelf { texts: Box::new(library), read: Mutex::default() }
    }
}

impl Library for Shelf<'_> {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = read.get(path) {
            return text.clone();
        }
        let text = self.texts.read(path);
        read.insert(path.to_string(), text.clone());
        text
    }

    fn shown(&self, path: &str) -> String {
        self.texts.shown(path)
    }
}

type MutantRules = Result<Arc<Ruleset>, Vec<Diagnostic>>;

/// A version of the rules, unchanged or with one change.
#[derive(Clone)]
pub(super) struct MutantVersion {
    pub sources: Sources,
    pub known: ParsedTexts,
    /// The library, the path and the text of the changed file.
    pub changed: Option<(usize, String, String)>,
    pub sets: OrdMap<(usize, String), MutantRules>,
    pub programs: OrdMap<(usize, String), Arc<Built>>,
}

impl MutantVersion {
    pub fn ruleset(&mut self, project: &Project<'_>, rules: &(usize, String)) -> MutantRules {
        if let Some(known) = self.sets.get(rules) {
            return known.clone();
        }
        let (root, name) = rules;
        let shelf = &project.libraries[*root];
        let loaded = match &self.changed {
            Some((at, file, text)) if at == root => {
                let texts = OrdMap::from([(file.clone(), text.clone())]);
                load_parsed(name, &Overlay { under: shelf, texts: &texts }, &mut self.sources, None, &self.known)
            }
            _ => load_parsed(name, shelf, &mut self.sources, None, &self.known),
        };
        let errors = || loaded.problems.into_iter().filter(Diagnostic::is_error).collect();
        let loaded = loaded.ruleset.map(Arc::new).ok_or_else(errors);
        self.sets.insert(rules.clone(), loaded.clone());
        loaded
    }

    pub fn program(&mut self, project: &Project<'_>, rules: &(usize, String)) -> Result<Arc<Built>, Vec<Diagnostic>> {
        if let Some(known) = self.programs.get(rules) {
            return Ok(known.clone());
        }
        let program = Arc::new(Built::new(self.ruleset(project, rules)?.as_ref().clone(), Detail::Plain));
        self.programs.insert(rules.clone(), program.clone());
        Ok(program)
    }

    /// Binds a scenario to these rules.
    ///
    /// # Errors
    ///
    /// Returns the errors of the rules or of the scenario.
    pub fn scenario(
        &mut self,
        project: &Project<'_>,
        scene: &ProjectScene,
        document: &Document,
        detail: Detail,
    ) -> Result<Scenario, Vec<Diagnostic>> {
        let names = scene.rules.iter().map(|name| (scene.root, name.clone()));
        let sets: Result<Vec<Arc<Ruleset>>, _> = names.map(|rules| self.ruleset(project, &rules)).collect();
        let sets: Vec<Ruleset> = sets?.iter().map(|set| set.as_ref().clone()).collect();
        let Some((first, others)) = sets.split_first() else { return Err(Vec::new()) };
        scenario::build(document, first.clone(), others, &self.sources, detail)
    }
}
