//! A memoizing loader: many scenarios of the same rules share one parse of each text and one check of each ruleset.

use super::load::Loaded;
use super::register::{self, Registers};
use grognard_base::{Diagnostic, FileId, Source, Sources};
use grognard_syntax::{self as syntax, tree};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of cached texts per file. The cache of a file is cleared when it is full.
const MOST: usize = 16;

/// The result of parsing a text: a tree of the items that parse, and the diagnostics.
pub(super) type Parsed = Arc<(tree::File, Vec<Diagnostic>)>;

/// The result of parsing a clause register.
pub(super) type Registered = Arc<(Registers, Vec<Diagnostic>)>;

/// A checked ruleset.
struct CheckedRules {
    /// The texts that it was loaded from.
    texts: Vec<(FileId, String)>,
    /// The texts that merging these added.
    merged: Vec<(FileId, Source)>,
    loaded: Loaded,
}

/// A cache of parsed texts and checked rulesets. They contain spans of files, so an entry is valid only for the same
/// file ids.
#[derive(Default)]
pub struct Memo {
    trees: Texts<(tree::File, Vec<Diagnostic>)>,
    registers: Texts<(Registers, Vec<Diagnostic>)>,
    checked: Mutex<HashMap<String, Vec<Arc<CheckedRules>>>>,
}

impl Memo {
    /// Parses a text, unless the result for this file id is cached.
    pub(super) fn parse(&self, id: FileId, source: &Source) -> Parsed {
        self.trees.of(id, &source.text, || syntax::parse(id, source))
    }

    /// Parses a clause register, unless the result for this file id is cached.
    pub(super) fn register(&self, id: FileId, text: &str) -> Registered {
        self.registers.of(id, text, || register::alone(id, text))
    }

    /// Checks the ruleset `path` that was read from `files`, unless the result for the same texts is cached.
    pub(super) fn check(
        &self,
        path: &str,
        files: &[FileId],
        sources: &mut Sources,
        check: impl FnOnce(&mut Sources) -> Loaded,
    ) -> Loaded {
        if let Some(known) = self.known(path, files, sources) {
            let count = sources.iter().count();
            for (_, source) in known.merged.iter().filter(|(id, _)| usize::from(id.0) >= count) {
                sources.add(source.clone());
            }
            return known.loaded.clone();
        }
        let loaded = check(sources);
        let text = |id: &FileId| Some((*id, sources.get(*id)?.text.clone()));
        let of_chain = |id: FileId| sources.changed_at(id).is_some_and(|by| files.contains(&sources.author(by.file)));
        let merged = sources.iter().filter(|(id, _)| of_chain(*id)).map(|(id, source)| (id, source.clone()));
        let texts = files.iter().filter_map(text).collect();
        let made = Arc::new(CheckedRules { texts, merged: merged.collect(), loaded: loaded.clone() });
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        let versions = checked.entry(path.to_string()).or_default();
        if versions.len() == MOST {
            versions.clear();
        }
        versions.push(made);
        loaded
    }

    /// Returns the cached result for these texts, if the texts that their merge added have or can get their ids.
    fn known(&self, path: &str, files: &[FileId], sources: &Sources) -> Option<Arc<CheckedRules>> {
        let checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        let count = sources.iter().count();
        let fits = |known: &&Arc<CheckedRules>| {
            let same = |(id, text): &(FileId, String)| sources.get(*id).is_some_and(|source| source.text == *text);
            let (old, new): (Vec<_>, Vec<_>) = known.merged.iter().partition(|(id, _)| usize::from(id.0) < count);
            known.texts.iter().map(|(id, _)| id).eq(files)
                && known.texts.iter().all(same)
                && old.iter().all(|(id, source)| sources.get(*id) == Some(source))
                && new.iter().zip(count..).all(|((id, _), at)| usize::from(id.0) == at)
        };
        checked.get(path)?.iter().find(fits).cloned()
    }
}

/// Texts of a file, each with its cached value.
type Made<T> = Vec<(String, Arc<T>)>;

/// Cached values, by file id and text.
struct Texts<T>(Mutex<HashMap<FileId, Made<T>>>);

impl<T> Default for Texts<T> {
    fn default() -> Texts<T> {
        Texts(Mutex::default())
    }
}

impl<T> Texts<T> {
    /// Returns the cached value for a text, or computes and stores it.
    fn of(&self, id: FileId, text: &str, make: impl FnOnce() -> T) -> Arc<T> {
        let known = |texts: &Made<T>| Some(Arc::clone(&texts.iter().find(|(own, _)| own == text)?.1));
        if let Some(made) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&id).and_then(known) {
            return made;
        }
        let made = Arc::new(make());
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = texts.entry(id).or_default();
        if texts.len() == MOST {
            texts.clear();
        }
        texts.push((text.to_string(), Arc::clone(&made)));
        made
    }
}
