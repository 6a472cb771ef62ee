//! Memoised parsing: whoever loads many scenarios of the same rules parses each text once.

use super::register::{self, Registers};
use grognard_base::{Diagnostic, FileId, Source};
use grognard_syntax::{self as syntax, tree};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Texts of one file that are kept, before all of them are forgotten.
const MOST: usize = 16;

/// What came of parsing a text: its tree, as far as it could be read, and what is wrong with it.
pub(super) type Parsed = Arc<(tree::File, Vec<Diagnostic>)>;

/// The same of a clause register.
pub(super) type Registered = Arc<(Registers, Vec<Diagnostic>)>;

/// What came of parsing texts before. Trees and registers hold the places of a file, so a text is known under its number
/// alone.
#[derive(Default)]
pub struct Memo {
    trees: Texts<(tree::File, Vec<Diagnostic>)>,
    registers: Texts<(Registers, Vec<Diagnostic>)>,
}

impl Memo {
    /// Parses a text that was not parsed before under this number.
    pub(super) fn parse(&self, id: FileId, source: &Source) -> Parsed {
        self.trees.of(id, &source.text, || syntax::parse(id, source))
    }

    /// The same for a clause register.
    pub(super) fn register(&self, id: FileId, text: &str) -> Registered {
        self.registers.of(id, text, || register::alone(id, text))
    }
}

/// Texts of a file, each with what was made of it.
type Made<T> = Vec<(String, Arc<T>)>;

/// What was made of texts, by the file and the text.
struct Texts<T>(Mutex<HashMap<FileId, Made<T>>>);

impl<T> Default for Texts<T> {
    fn default() -> Texts<T> {
        Texts(Mutex::default())
    }
}

impl<T> Texts<T> {
    /// What was made of a text; it is made now if it never was.
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
