//! Libraries of rules: files in memory, and the shipped ones.

use grognard_base::{OrdMap, Sources};
use grognard_rules::{Library, Loaded, Memo, load};
use std::io::ErrorKind;
use std::sync::LazyLock;

/// Files in memory, by path.
#[derive(Clone, Default)]
pub struct Shelf(pub OrdMap<String, String>);

impl Library for Shelf {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        self.0.read(path)
    }
    fn list(&self) -> Vec<String> {
        self.0.list()
    }
}

impl Shelf {
    /// Creates a shelf from files given as path and text.
    pub fn of(files: &[(&str, &str)]) -> Shelf {
        Shelf(files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect())
    }

    /// Adds a rules text at the path in its header, or at `page/bad` without a header. Returns the path.
    pub fn put(&mut self, text: &str) -> String {
        let header = text.lines().find(|l| l.starts_with("ruleset ") || l.starts_with("variant "));
        let path = header.and_then(|l| l.split_whitespace().nth(1)).unwrap_or("page/bad").to_string();
        self.0.insert(format!("{path}.rules"), text.to_string());
        path
    }

    /// Loads a ruleset from this shelf.
    pub fn load(&self, path: &str) -> (Loaded, Sources) {
        let mut sources = Sources::default();
        let loaded = load(path, self, &mut sources);
        (loaded, sources)
    }
}

/// The rulesets of this repository. The test's own files take precedence.
#[derive(Clone, Default)]
pub struct Shipped(pub Shelf);

impl Library for Shipped {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        if let Some(own) = self.0.read(path)? {
            return Ok(Some(own));
        }
        match std::fs::read_to_string(super::root().join("rulesets").join(path)) {
            Ok(text) => Ok(Some(text)),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e.to_string()),
        }
    }

    fn memo(&self) -> Option<&Memo> {
        static PARSED: LazyLock<Memo> = LazyLock::new(Memo::default);
        Some(&PARSED)
    }
}
