//! The texts of the studio: the built-in texts, overlaid by the user's texts and the open documents.

use grognard_base::{OrdMap, OrdSet};
use grognard_rules::{Library, Memo};
use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;

/// Maximum number of texts of the user.
const MOST: usize = 4096;

/// Texts by their path below the rules root.
pub struct Texts {
    shipped: &'static [(&'static str, &'static str)],
    /// The user's texts, or `None` for deleted texts.
    own: RefCell<OrdMap<String, Option<String>>>,
    /// Texts that are open in the editor.
    open: RefCell<OrdMap<String, String>>,
    /// Number of changes.
    revision: Cell<u64>,
    /// A parse cache of all texts.
    parsed: Memo,
}

impl Texts {
    pub fn new(shipped: &'static [(&'static str, &'static str)]) -> Texts {
        let revision = Cell::new(0);
        Texts { shipped, own: RefCell::default(), open: RefCell::default(), revision, parsed: Memo::default() }
    }

    /// Returns a number that changes with every change of a text.
    pub fn revision(&self) -> u64 {
        self.revision.get()
    }

    fn changed(&self) {
        self.revision.set(self.revision.get() + 1);
    }

    /// Returns all built-in texts with their paths.
    pub fn all_shipped(&self) -> &'static [(&'static str, &'static str)] {
        self.shipped
    }

    /// Returns the built-in text at a path.
    pub fn shipped(&self, path: &str) -> Option<&'static str> {
        self.shipped.iter().find(|(name, _)| *name == path).map(|(_, text)| *text)
    }

    /// Returns the current text at a path.
    pub fn get(&self, path: &str) -> Option<String> {
        if let Some(text) = self.open.borrow().get(path) {
            return Some(text.clone());
        }
        match self.own.borrow().get(path) {
            Some(text) => text.clone(),
            None => self.shipped(path).map(str::to_string),
        }
    }

    /// Stores or deletes a text. Returns `false` if there are too many texts.
    pub fn put(&self, path: &str, text: Option<String>) -> bool {
        let mut own = self.own.borrow_mut();
        if own.len() >= MOST && !own.contains_key(path) {
            return false;
        }
        own.insert(path.to_string(), text);
        self.changed();
        true
    }

    /// Opens or closes a text in the editor. Returns whether this changes the current text.
    pub fn show(&self, path: &str, text: Option<String>) -> bool {
        let before = self.get(path);
        let mut open = self.open.borrow_mut();
        match text {
            Some(text) => drop(open.insert(path.to_string(), text)),
            None => drop(open.remove(path)),
        }
        drop(open);
        let changed = self.get(path) != before;
        if changed {
            self.changed();
        }
        changed
    }

    /// Returns all paths in sorted order.
    pub fn paths(&self) -> Vec<String> {
        let mut all: OrdSet<String> = self.shipped.iter().map(|(path, _)| (*path).to_string()).collect();
        for (path, text) in &*self.own.borrow() {
            let _ = if text.is_some() { all.insert(path.clone()) } else { all.remove(path) };
        }
        all.extend(self.open.borrow().keys().cloned());
        all.into_iter().collect()
    }
}

impl Library for Texts {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok(self.get(path))
    }

    fn list(&self) -> Vec<String> {
        self.paths()
    }

    fn memo(&self) -> Option<&Memo> {
        Some(&self.parsed)
    }
}

/// The texts below a folder, as a library.
pub struct Below {
    texts: Rc<Texts>,
    /// The prefix of the paths: empty, or a path that ends with `/`.
    folder: String,
}

impl Below {
    pub fn of(texts: Rc<Texts>, folder: &Path) -> Below {
        let folder = folder.to_string_lossy().replace('\\', "/");
        let folder = folder.trim_matches('/');
        Below { texts, folder: if folder.is_empty() { String::new() } else { format!("{folder}/") } }
    }
}

impl Library for Below {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok(self.texts.get(&format!("{}{path}", self.folder)))
    }

    fn list(&self) -> Vec<String> {
        let inside = |path: String| path.strip_prefix(self.folder.as_str()).map(str::to_string);
        self.texts.paths().into_iter().filter_map(inside).collect()
    }
}
