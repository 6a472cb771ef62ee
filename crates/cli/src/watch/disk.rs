//! Polling of files. Only the content of a file decides whether it changed. Polling works on network drives and with links, because
//! it only reads files.

use super::super::files::Root;
use grognard_base::OrdMap;
use grognard_ide::query::watch::Change;
use grognard_rules::{Library, Memo};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// A file that is read within this time after a write can be written again with the same time, because clocks of file systems
/// are coarse.
const COARSE: Duration = Duration::from_secs(3);
/// A file is read again after this time, whatever its modification time is.
const TRUSTED: Duration = Duration::from_secs(5);

/// The files of a root as of the last scan.
pub struct WatchedDisk {
    folder: PathBuf,
    files: Root,
    kept: RefCell<OrdMap<String, Kept>>,
}

struct Kept {
    text: Result<Option<String>, String>,
    stamp: Option<(SystemTime, u64)>,
    /// Time of the last read.
    read: Instant,
    /// Whether its last write was long before that.
    rests: bool,
}

impl WatchedDisk {
    /// Creates a disk for the files under a root.
    pub fn of(files: Root) -> WatchedDisk {
        WatchedDisk { folder: PathBuf::from(files.folder()), files, kept: RefCell::default() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the time of the last write of a file.
    pub fn written(&self, path: &str) -> Option<SystemTime> {
        self.stamp(path).map(|(written, _)| written)
    }

    fn load(&self, path: &str) -> Kept {
        // the time first: the next scan finds a write in between
        let stamp = self.stamp(path);
        let age = stamp.and_then(|(written, _)| SystemTime::now().duration_since(written).ok());
        let rests = age.is_some_and(|age| age > COARSE);
        Kept { text: self.files.read(path), stamp, read: Instant::now(), rests }
    }

    fn stamp(&self, path: &str) -> Option<(SystemTime, u64)> {
        let info = std::fs::metadata(self.folder.join(path)).ok()?;
        Some((info.modified().ok()?, info.len()))
    }

    /// Scans every file that was read before, and returns those that changed.
    pub fn look(&self) -> Vec<(String, Change)> {
        let mut found = Vec::new();
        let mut kept = self.kept.borrow_mut();
        for (path, kept) in kept.iter_mut() {
            let trusted = kept.rests && kept.read.elapsed() < TRUSTED;
            if trusted && kept.stamp.is_some() && self.stamp(path) == kept.stamp {
                continue;
            }
            let now = self.load(path);
            let there = |text: &Result<Option<String>, String>| !matches!(text, Ok(None));
            if now.text != kept.text {
                let change = match (there(&kept.text), there(&now.text)) {
                    (false, true) => Change::New,
                    (true, false) => Change::Gone,
                    _ => Change::Changed,
                };
                found.push((path.clone(), change));
            }
            *kept = now;
        }
        found
    }
}

impl Library for WatchedDisk {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        if let Some(kept) = self.kept.borrow().get(path) {
            return kept.text.clone();
        }
        let kept = self.load(path);
        let text = kept.text.clone();
        self.kept.borrow_mut().insert(path.to_string(), kept);
        text
    }

    fn shown(&self, path: &str) -> String {
        self.files.shown(path)
    }

    fn memo(&self) -> Option<&Memo> {
        self.files.memo()
    }
}
