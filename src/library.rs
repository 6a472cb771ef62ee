//! Sources of rules and scenarios: texts in memory, a folder, or the caller's own.

use grognard_rules::Memo;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
#[cfg(feature = "scale")]
use std::sync::{Mutex, PoisonError};

/// A source of texts: rules (`game/core.rules`), scenarios (`game/scenarios/duel.toml`) and registers of clauses.
///
/// With the feature `books`, rules can also build on the shipped rulebooks: a book of which the library has no file is
/// read from them, as on the command line.
///
/// [`Texts`] and [`Folder`](crate::Folder) are libraries. Implement this trait to read from a database, an archive or a
/// server.
///
/// ```
/// use grognard::{Library, Rules};
/// use std::borrow::Cow;
///
/// struct Built;
///
/// impl Library for Built {
///     fn read(&self, path: &str) -> std::io::Result<Option<Cow<'_, str>>> {
///         Ok((path == "game/core.rules").then(|| "ruleset game/core\n\nparam hit_on = 4\n".into()))
///     }
/// }
///
/// let rules = Rules::load(Built, "game/core")?;
/// assert_eq!(rules.params().next().unwrap().name(), "hit_on");
/// # Ok::<(), grognard::Error>(())
/// ```
pub trait Library: Send + Sync {
    /// Returns the text at a path, or `None` if there is no such file. A path is relative, and its parts are separated
    /// by `/`.
    ///
    /// # Errors
    ///
    /// If a file exists but cannot be read.
    fn read(&self, path: &str) -> io::Result<Option<Cow<'_, str>>>;

    /// Returns all paths, for suggestions in messages. A library may return none.
    fn paths(&self) -> Vec<String> {
        Vec::new()
    }
}

impl<L: Library + ?Sized> Library for Arc<L> {
    fn read(&self, path: &str) -> io::Result<Option<Cow<'_, str>>> {
        (**self).read(path)
    }

    fn paths(&self) -> Vec<String> {
        (**self).paths()
    }
}

/// Texts in memory, by path.
///
/// ```
/// use grognard::{Rules, Texts};
///
/// let texts = Texts::from([("game/core.rules", "ruleset game/core\n\nparam hit_on = 4\n")]);
/// let rules = Rules::load(texts, "game/core")?;
/// # Ok::<(), grognard::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Texts(BTreeMap<String, Cow<'static, str>>);

impl Texts {
    /// Creates a library without texts.
    pub fn new() -> Texts {
        Texts::default()
    }

    /// Adds a text, or replaces the text at this path.
    pub fn insert(&mut self, path: impl Into<String>, text: impl Into<String>) -> &mut Texts {
        self.0.insert(path.into(), Cow::Owned(text.into()));
        self
    }

    /// Returns the rulebooks that are part of this crate: `recoil/…`, `warstrike/…` and others.
    #[cfg(feature = "books")]
    pub fn shipped() -> Texts {
        Texts(crate::shipped::SHIPPED.iter().map(|(path, text)| (path.to_string(), Cow::Borrowed(*text))).collect())
    }
}

impl<P: Into<String>, T: Into<String>> FromIterator<(P, T)> for Texts {
    fn from_iter<I: IntoIterator<Item = (P, T)>>(texts: I) -> Texts {
        Texts(texts.into_iter().map(|(path, text)| (path.into(), Cow::Owned(text.into()))).collect())
    }
}

impl<P: Into<String>, T: Into<String>, const N: usize> From<[(P, T); N]> for Texts {
    fn from(texts: [(P, T); N]) -> Texts {
        texts.into_iter().collect()
    }
}

impl Library for Texts {
    fn read(&self, path: &str) -> io::Result<Option<Cow<'_, str>>> {
        Ok(self.0.get(path).map(|text| Cow::Borrowed(&**text)))
    }

    fn paths(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

/// A library of the caller with a cache of parsed texts, as the checker reads it.
#[derive(Clone)]
pub(crate) struct Shelf(Arc<Shared>);

struct Shared {
    own: Box<dyn Library>,
    memo: Memo,
    /// The texts that were read, for a copy of a scenario that another process can load.
    #[cfg(feature = "scale")]
    seen: Mutex<BTreeMap<String, String>>,
}

impl Shelf {
    pub(crate) fn new(library: impl Library + 'static) -> Shelf {
        Shelf(Arc::new(Shared {
            own: Box::new(library),
            memo: Memo::default(),
            #[cfg(feature = "scale")]
            seen: Mutex::default(),
        }))
    }

    /// Returns the texts that were read so far.
    #[cfg(feature = "scale")]
    pub(crate) fn seen(&self) -> BTreeMap<String, String> {
        self.0.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the text of a shipped book, unless the library has files of this book.
    #[cfg(feature = "books")]
    fn shipped(&self, path: &str) -> Option<String> {
        let (_, text) = crate::shipped::SHIPPED.iter().find(|(shipped, _)| *shipped == path)?;
        let (book, _) = path.split_once('/')?;
        let hides = |path: &String| path.strip_prefix(book).is_some_and(|rest| rest.starts_with('/'));
        (!self.0.own.paths().iter().any(hides)).then(|| text.to_string())
    }

    #[cfg(not(feature = "books"))]
    fn shipped(&self, _: &str) -> Option<String> {
        None
    }
}

impl grognard_rules::Library for Shelf {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        let own = self.0.own.read(path).map_err(|why| why.to_string())?;
        let found = own.map(Cow::into_owned).or_else(|| self.shipped(path));
        #[cfg(feature = "scale")]
        if let Some(text) = &found {
            let mut seen = self.0.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.insert(path.to_string(), text.clone());
        }
        Ok(found)
    }

    fn list(&self) -> Vec<String> {
        self.0.own.paths()
    }

    fn memo(&self) -> Option<&Memo> {
        Some(&self.0.memo)
    }
}
