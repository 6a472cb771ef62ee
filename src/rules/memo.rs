//! Memoised parsing: whoever loads many scenarios of the same rules parses each text once.

use crate::base::{Diagnostic, FileId, Source};
use crate::syntax::{self, tree};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Texts of one file that are kept, before all of them are forgotten.
const MOST: usize = 16;

/// What came of parsing a text: its tree, as far as it could be read, and what is wrong with it.
pub(super) type Parsed = Arc<(tree::File, Vec<Diagnostic>)>;

/// What came of parsing texts before. A tree holds the places of a file, so a text is known under its number alone.
#[derive(Default)]
pub struct Memo(Mutex<HashMap<FileId, Vec<(String, Parsed)>>>);

impl Memo {
    /// Parses a text that was not parsed before under this number.
    pub(super) fn parse(&self, id: FileId, source: &Source) -> Parsed {
        let known =
            |texts: &Vec<(String, Parsed)>| Some(Arc::clone(&texts.iter().find(|(text, _)| *text == source.text)?.1));
        if let Some(parsed) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&id).and_then(known) {
            return parsed;
        }
        let parsed = Arc::new(syntax::parse(id, source));
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = texts.entry(id).or_default();
        if texts.len() == MOST {
            texts.clear();
        }
        texts.push((source.text.clone(), Arc::clone(&parsed)));
        parsed
    }
}
