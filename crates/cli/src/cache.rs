//! Results that are kept between commands, by content: `test`, `watch`, `review` and `mutants` do not compute a result again if nothing
//! that it depends on changed.
//!
//! The key of an entry is the SHA-256 of all inputs of the result: the program, the options and each text. An entry is a file with
//! one line of JSON and its checksum. An entry that cannot be read or that is damaged is ignored, and so is a folder that cannot
//! be written. Entries never change: a command writes a temporary file and renames it, so several commands can share a folder.

use super::files::{self, hex};
use super::progress::Progress;
use super::{project, seal, temps};
use grognard_base::Source;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// The folder of a project for files that the program can make again.
const FOLDER: &str = ".grognard";
/// Maximum size of an entry in bytes. Longer results are not kept.
const MOST_ENTRY: u64 = 4 << 20;
/// Maximum size of the folder in bytes. The oldest entries are deleted until a quarter is free.
const MOST_BYTES: u64 = 64 << 20;
/// Length of the name of an entry: the hexadecimal digits of its key.
const DIGITS: usize = 64;

/// The option of commands that keep results.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct CacheArgs {
    /// Compute every result again
    ///
    /// By default, a result is kept and used again until something that it depends on changes: a text, an option or the program.
    #[arg(long)]
    no_cache: bool,
}

impl CacheArgs {
    /// Opens the cache. With a time limit, a result depends on the machine and is not kept.
    pub fn open(self, time: Option<u64>) -> Cache {
        Cache::default().opened(self.no_cache || time.is_some()).unwrap_or_default()
    }
}

/// The kept results, or nothing if they are not used.
#[derive(Default)]
pub struct Cache {
    folder: PathBuf,
    /// Whether the folder belongs to a project.
    own: bool,
    /// The hash of the running program, or an empty text if results are not kept.
    program: String,
    /// Whether entries were added since the last call of [`Cache::trim`].
    added: AtomicBool,
}

/// The content of an entry.
#[derive(Serialize, Deserialize)]
struct Entry<T> {
    result: T,
}

/// The inputs of a result.
pub struct Inputs(Sha256);

impl Inputs {
    fn of(what: &str) -> Inputs {
        Inputs(Sha256::new()).text(what)
    }

    /// Adds a text to the inputs.
    pub fn text(mut self, text: impl AsRef<[u8]>) -> Inputs {
        self.0.update((text.as_ref().len() as u64).to_le_bytes());
        self.0.update(text);
        self
    }

    /// Adds source texts with their names.
    pub fn sources<'s>(self, sources: impl IntoIterator<Item = &'s Source>) -> Inputs {
        let each = |inputs: Inputs, one: &Source| inputs.text(&one.name).text(&one.shown).text(&one.text);
        sources.into_iter().fold(self, each).text("")
    }

    /// Returns the key: the name of the entry.
    fn key(self) -> String {
        hex(self.0.finalize().as_slice())
    }
}

impl Cache {
    fn opened(mut self, unused: bool) -> Option<Cache> {
        let own = project::current().map(|own| own.folder.join(FOLDER).join("cache"));
        self.own = own.is_some();
        self.folder = own.or_else(of_user).filter(|_| !unused)?;
        self.program = self.program()?;
        Some(self)
    }

    /// Returns the hash of the running program. The hash is kept as long as its file does not change.
    fn program(&self) -> Option<String> {
        // if the file was replaced since the start, Linux gives a path that does not exist
        let path = std::env::current_exe().ok()?;
        let info = fs::metadata(&path).ok()?;
        let key = Inputs::of("program").text(path.as_os_str().as_encoded_bytes());
        let key = key.text(format!("{} {:?} {}", info.len(), info.modified().ok()?, inode(&info))).key();
        self.read(&key).or_else(|| {
            let mut hash = Sha256::new();
            let (mut file, mut bytes) = (File::open(path).ok()?, vec![0; 1 << 16]);
            loop {
                match file.read(&mut bytes).ok()? {
                    0 => break,
                    read => hash.update(&bytes[..read]),
                }
            }
            let hash = hex(hash.finalize().as_slice());
            self.write(&key, &hash);
            Some(hash)
        })
    }

    /// Returns the key of a result of the kind `what`, or `None` if results are not kept.
    pub fn key(&self, what: &str, inputs: impl FnOnce(Inputs) -> Inputs) -> Option<String> {
        (!self.program.is_empty()).then(|| inputs(Inputs::of(what).text(&self.program)).key())
    }

    /// Returns the result with this key, if it was kept.
    pub fn get<T: DeserializeOwned>(&self, key: Option<&str>) -> Option<T> {
        self.read(key?)
    }

    /// Keeps a result. `began` is [`files::changes`] from before the first text was read: a result is not kept if a text changed
    /// in the meantime, or if the work was interrupted.
    pub fn put<T: Serialize>(&self, key: Option<&str>, began: u64, result: &T) {
        if !Progress::pressed() {
            self.keep(key, began, result);
        }
    }

    /// Does the same as [`Cache::put`] for a result that an interrupt leaves valid.
    pub fn keep<T: Serialize>(&self, key: Option<&str>, began: u64, result: &T) {
        if let Some(key) = key.filter(|_| files::changes() == began) {
            self.write(key, result);
        }
    }

    /// Returns a kept result, or computes it and keeps it. For `began`, see [`Cache::put`].
    pub fn get_or<T: Serialize + DeserializeOwned, E>(
        &self,
        key: Option<&str>,
        began: u64,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        if let Some(kept) = self.get(key) {
            return Ok(kept);
        }
        let result = work()?;
        self.put(key, began, &result);
        Ok(result)
    }

    fn read<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let path = self.folder.join(key);
        fs::symlink_metadata(&path).ok().filter(|info| info.is_file() && info.len() <= MOST_ENTRY)?;
        let mut line = String::new();
        File::open(path).ok()?.take(MOST_ENTRY).read_to_string(&mut line).ok()?;
        let entry: Entry<T> = serde_json::from_str(&seal::unsealed(line.strip_suffix('\n')?, key)?).ok()?;
        Some(entry.result)
    }

    fn write<T: Serialize>(&self, key: &str, result: &T) {
        let Ok(json) = serde_json::to_string(&Entry { result }) else { return };
        let line = seal::line(&json, key);
        if line.len() as u64 > MOST_ENTRY || self.ready().is_none() {
            return;
        }
        let full = self.folder.join(key);
        let beside = temps::name(&full);
        let new = fs::OpenOptions::new().write(true).create_new(true).open(&beside);
        let Ok(mut new) = new else { return };
        // the checksum finds an entry that a crash cut off
        let written = new.write_all(line.as_bytes()).and_then(|()| fs::rename(&beside, &full));
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        self.added.store(true, Ordering::Relaxed);
    }

    /// Creates the folder. The folder of a project hides itself from Git, and must not be a link to somewhere else.
    fn ready(&self) -> Option<()> {
        if self.added.load(Ordering::Relaxed) {
            return Some(());
        }
        fs::create_dir_all(&self.folder).ok()?;
        let Some(own) = self.folder.parent().filter(|_| self.own) else { return Some(()) };
        let is_folder = |path: &Path| fs::symlink_metadata(path).is_ok_and(|info| info.is_dir());
        if !is_folder(own) || !is_folder(&self.folder) {
            return None;
        }
        let ignore = own.join(".gitignore");
        (ignore.exists() || fs::write(ignore, "*\n").is_ok()).then_some(())
    }

    /// Deletes the oldest entries if the folder is too large, and what killed programs left there.
    pub fn trim(&self) {
        if !self.added.swap(false, Ordering::Relaxed) {
            return;
        }
        temps::tidy(&self.folder);
        let mut all: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let is_key = name.len() == DIGITS && name.as_encoded_bytes().iter().all(u8::is_ascii_hexdigit);
            let Some(info) = entry.metadata().ok().filter(|info| is_key && info.is_file()) else { continue };
            all.push((info.modified().unwrap_or(SystemTime::UNIX_EPOCH), info.len(), entry.path()));
        }
        let mut size: u64 = all.iter().map(|(_, bytes, _)| bytes).sum();
        if size <= MOST_BYTES {
            return;
        }
        all.sort();
        for (_, bytes, path) in all {
            if size <= MOST_BYTES / 4 * 3 {
                return;
            }
            let _ = fs::remove_file(path);
            size -= bytes;
        }
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        self.trim();
    }
}

/// Returns the cache folder of the user, for files outside of projects.
fn of_user() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let home = |below: &str| folder("HOME").map(|home| home.join(below));
    let usual = || match std::env::consts::OS {
        "windows" => folder("LOCALAPPDATA"),
        "macos" => home("Library/Caches"),
        _ => home(".cache"),
    };
    Some(folder("XDG_CACHE_HOME").or_else(usual)?.join("grognard"))
}

/// Returns numbers that differ for another file of the same path, size and time.
#[cfg(unix)]
fn inode(info: &fs::Metadata) -> String {
    use std::os::unix::fs::MetadataExt;
    format!("{} {} {}.{}", info.dev(), info.ino(), info.ctime(), info.ctime_nsec())
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> String {
    String::new()
}
