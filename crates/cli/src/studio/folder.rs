//! The folder of a page: texts by their path below it, each with a revision, which is its SHA-256. A write names the revision
//! that was read (optimistic concurrency). It writes a temporary file and renames it, so that a reader finds the old text or
//! the new one.

use super::super::files::{collect, hex, sha256};
use grognard_base::safe::{clean, is_unsafe};
use grognard_rules::OUTSIDE;
use std::fs;
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Maximum length of a text in bytes.
pub const MOST_BYTES: usize = 4 << 20;
/// Maximum length of a path in bytes.
const LONGEST: usize = 200;

/// Prefix and suffix of temporary files, with a random number of 64 bits between them.
const BESIDE: (&str, &str) = (".grognard-", ".tmp");
/// Age at which a temporary file is not in use any more.
const STALE: Duration = Duration::from_secs(60);

/// A served folder.
pub struct Folder {
    /// The path without links.
    root: PathBuf,
    /// Serializes writes.
    writes: Mutex<()>,
}

/// The reason why a text is not read or written.
#[derive(Debug, PartialEq, Eq)]
pub enum Denied {
    /// The text does not exist.
    Missing,
    /// The path is not allowed.
    Path(String),
    /// The text is not valid.
    Text(String),
    /// The text changed since it was read.
    Conflict,
    /// The request does not name the revision that was read.
    Unsaid,
    /// The system reports an error.
    Failed(String),
}

/// The state of a text when the client read it.
#[derive(Debug, PartialEq, Eq)]
pub enum Base {
    /// The text did not exist.
    New,
    /// The text had this revision.
    Of(String),
}

impl Folder {
    pub fn new(root: PathBuf) -> Folder {
        Folder { root, writes: Mutex::new(()) }
    }

    /// Deletes temporary files of killed programs.
    pub fn clean(&self) {
        let mut open = vec![self.root.clone()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                // links are not followed
                let (Ok(info), name) = (entry.metadata(), entry.file_name()) else { continue };
                let name = name.to_string_lossy();
                if info.is_dir() && !name.starts_with('.') {
                    open.push(entry.path());
                }
                let old = info.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age > STALE));
                if info.is_file() && old && is_beside(&name) {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    /// Returns the paths of all rules and scenarios.
    pub fn list(&self) -> Result<Vec<String>, Denied> {
        let found = collect(std::slice::from_ref(&self.root), &["rules", "toml"]);
        let found = found.map_err(|why| Denied::Failed(why.to_string()))?;
        let inside = found.files.iter().chain(&found.examples).filter_map(|file| file.strip_prefix(&self.root).ok());
        Ok(inside.map(|file| file.to_string_lossy().replace('\\', "/")).collect())
    }

    /// Returns the file of a path, if it is inside the folder after all links.
    fn file(&self, path: &str) -> Result<PathBuf, Denied> {
        let no = |why: &str| Err(Denied::Path(format!("{}: {why}", clean(path))));
        let fine = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0']);
        if path.len() > LONGEST || !path.split('/').all(fine) {
            return no("this is not a path below the folder");
        }
        if path.chars().any(is_unsafe) {
            return no("a name has no control characters and no invisible characters");
        }
        if !Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) {
            return no("this is not a path below the folder");
        }
        if !path.ends_with(".rules") && !path.ends_with(".toml") {
            return no("the studio reads and writes files that end with .rules or .toml");
        }
        let full = self.root.join(path);
        // an existing file is checked after its links; for a new file, the folder above is checked
        let mut there = full.as_path();
        while fs::symlink_metadata(there).is_err() {
            let Some(above) = there.parent() else { return no(OUTSIDE) };
            there = above;
        }
        match fs::canonicalize(there) {
            Ok(real) if real.starts_with(&self.root) => Ok(if there == full { real } else { full }),
            _ => no(OUTSIDE),
        }
    }

    /// Returns a text and its revision.
    pub fn read(&self, path: &str) -> Result<(String, String), Denied> {
        let file = self.file(path)?;
        let info = fs::metadata(&file).map_err(|_| Denied::Missing)?;
        if !info.is_file() {
            return Err(Denied::Path(format!("{path}: it is not a file")));
        }
        let failed = |why: std::io::Error| Denied::Failed(format!("{path} cannot be read: {why}"));
        let mut bytes = Vec::new();
        let most = MOST_BYTES as u64 + 1;
        fs::File::open(&file).and_then(|file| file.take(most).read_to_end(&mut bytes)).map_err(failed)?;
        if bytes.len() > MOST_BYTES {
            return Err(Denied::Failed(format!("{path} has more than {MOST_BYTES} bytes")));
        }
        let revision = sha256(&bytes);
        let text = String::from_utf8(bytes).map_err(|_| Denied::Failed(format!("{path} is not plain UTF-8 text")))?;
        Ok((text, revision))
    }

    /// Fails with a conflict if a text changed since it was read.
    fn compare(&self, path: &str, base: Option<&Base>) -> Result<(), Denied> {
        let now = match self.read(path) {
            Ok((_, revision)) => Some(revision),
            Err(Denied::Missing) => None,
            Err(why) => return Err(why),
        };
        match (base, now) {
            (None, _) => Err(Denied::Unsaid),
            (Some(Base::New), None) => Ok(()),
            (Some(Base::Of(read)), Some(now)) if *read == now => Ok(()),
            _ => Err(Denied::Conflict),
        }
    }

    /// Replaces the text that was read, and returns the new revision.
    pub fn write(&self, path: &str, text: &[u8], base: Option<&Base>) -> Result<String, Denied> {
        let _one = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
        let file = self.file(path)?;
        if std::str::from_utf8(text).is_err() {
            return Err(Denied::Text(format!("{path} was not written, because the text is not UTF-8")));
        }
        self.compare(path, base)?;
        let failed = |why: std::io::Error| Denied::Failed(format!("{path} cannot be written: {why}"));
        let above = file.parent().unwrap_or(&self.root);
        fs::create_dir_all(above).map_err(failed)?;
        let mut salt = [0; 8];
        getrandom::fill(&mut salt).map_err(|why| Denied::Failed(why.to_string()))?;
        let beside = above.join(format!("{}{}{}", BESIDE.0, hex(&salt), BESIDE.1));
        let put = || {
            let mut fresh = fs::OpenOptions::new().write(true).create_new(true).open(&beside)?;
            if let Ok(info) = fs::metadata(&file) {
                fresh.set_permissions(info.permissions())?;
            }
            fresh.write_all(text)?;
            fresh.sync_all()?;
            fs::rename(&beside, &file)
        };
        put().map_err(|why| {
            let _ = fs::remove_file(&beside);
            failed(why)
        })?;
        Ok(sha256(text))
    }

    /// Deletes the text that was read.
    pub fn remove(&self, path: &str, base: Option<&Base>) -> Result<(), Denied> {
        let _one = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
        let file = self.file(path)?;
        self.compare(path, base)?;
        fs::remove_file(file).map_err(|why| Denied::Failed(format!("{path} cannot be deleted: {why}")))
    }
}

/// Returns whether a name is that of a temporary file.
fn is_beside(name: &str) -> bool {
    let salt = name.strip_prefix(BESIDE.0).and_then(|name| name.strip_suffix(BESIDE.1));
    salt.is_some_and(|salt| salt.len() == 16 && salt.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')))
}
