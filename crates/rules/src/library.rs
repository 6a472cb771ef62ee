//! Sources of rules files.

use super::memo::Memo;
use grognard_base::OrdMap;

/// A source of rules files and clause registers.
pub trait Library {
    /// Returns the text at a path such as `warstrike/core.rules`, or `None` if the file does not exist.
    fn read(&self, path: &str) -> Result<Option<String>, String>;

    /// Returns all paths, for messages. A library may return none.
    fn list(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the name of the file at a path in messages.
    fn shown(&self, path: &str) -> String {
        path.to_string()
    }

    /// Returns a cache of parsed texts, for a library from which many rulesets are loaded.
    fn memo(&self) -> Option<&Memo> {
        None
    }
}

/// The error of a library for a file that exists but is outside its root.
pub const OUTSIDE: &str = "it is outside the project";

/// Texts in memory, by path.
impl Library for OrdMap<String, String> {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok(self.get(path).cloned())
    }

    fn list(&self) -> Vec<String> {
        self.keys().cloned().collect()
    }
}

/// A library in which some texts replace those of another library.
pub struct Overlay<'l> {
    /// The underlying library.
    pub under: &'l dyn Library,
    /// Texts that replace those of the underlying library, by path.
    pub texts: &'l OrdMap<String, String>,
}

impl Library for Overlay<'_> {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        if self.texts.contains_key(path) { self.texts.read(path) } else { self.under.read(path) }
    }

    fn list(&self) -> Vec<String> {
        self.under.list()
    }

    fn shown(&self, path: &str) -> String {
        self.under.shown(path)
    }

    // a cached parse is found by the text itself, so a replacement text is never confused with the original
    fn memo(&self) -> Option<&Memo> {
        self.under.memo()
    }
}
