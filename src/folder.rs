//! A folder of files as a library.

use crate::{Error, Library};
use std::borrow::Cow;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

/// Maximum size of a file, in bytes.
const MOST_BYTES: u64 = 1 << 20;
/// Maximum number of paths, and maximum depth of folders, that are listed for suggestions.
const MOST_PATHS: usize = 10_000;
const DEEPEST: usize = 16;

/// The files in a folder and below. A file outside of the folder is never read, also not through a link.
///
/// ```
/// use grognard::{Folder, Rules};
///
/// let rules = Rules::load(Folder::new("docs")?, "first/volley")?;
/// assert_eq!(rules.path(), "first/volley");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    ///
    /// If the path is not a folder.
    pub fn new(path: impl AsRef<Path>) -> Result<Folder, Error> {
        let shown = path.as_ref().display();
        let wrong = |why: String| Error::input(why, "use the path of the folder that holds the rules");
        let root = fs::canonicalize(path.as_ref()).map_err(|why| wrong(format!("`{shown}` cannot be read: {why}")))?;
        if root.is_dir() { Ok(Folder { root }) } else { Err(wrong(format!("`{shown}` is not a folder"))) }
    }

    fn list(&self, folder: &Path, depth: usize, into: &mut Vec<String>) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let is_link = path.symlink_metadata().is_ok_and(|data| data.is_symlink());
            if into.len() >= MOST_PATHS || is_link {
                continue;
            }
            if path.is_dir() {
                if depth < DEEPEST {
                    self.list(&path, depth + 1, into);
                }
            } else if path.extension().is_some_and(|ending| ending == "rules" || ending == "toml")
                && let Ok(below) = path.strip_prefix(&self.root)
            {
                let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
                into.push(parts.join("/"));
            }
        }
    }
}

impl Library for Folder {
    fn read(&self, path: &str) -> io::Result<Option<Cow<'_, str>>> {
        let outside = || io::Error::new(ErrorKind::PermissionDenied, grognard_rules::OUTSIDE);
        if Path::new(path).components().any(|part| !matches!(part, Component::Normal(_))) {
            return Err(outside());
        }
        let full = match fs::canonicalize(self.root.join(path)) {
            Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            full => full?,
        };
        if !full.starts_with(&self.root) {
            return Err(outside());
        }
        if !full.is_file() {
            return Ok(None);
        }
        let mut text = String::new();
        fs::File::open(full)?.take(MOST_BYTES + 1).read_to_string(&mut text)?;
        Ok(Some(Cow::Owned(text)))
    }

    fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        self.list(&self.root, 0, &mut paths);
        paths
    }
}
