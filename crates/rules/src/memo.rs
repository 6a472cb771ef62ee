//! A memoizing parser: many scenarios of the same rules share one parse of each text.

use super::register::{self, Registers};
use grognard_base::{Diagnostic, FileId, Source};
use grognard_syntax::{self as syntax, tree};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of cached texts per file. The cache of a file is cleared when it is full.
const MOST: usize = 16;

/// The result of parsing a text: a tree of the items that parse, and the diagnostics.
pub(super) type Parsed = Arc<(tree::File, Vec<Diagnostic>)>;

/// The result of parsing a clause register.
pub(super) type Registered = Arc<(Registers, Vec<Diagnostic>)>;

/// A cache of parsed texts. Trees and registers contain spans of a file, so an entry is valid only for the same file
/// id.
#[derive(Default)]
pub struct Memo {
    trees: Texts<(tree::File, Vec<Diagnostic>)>,
    registers: Texts<(Registers, Vec<Diagnostic>)>,
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
