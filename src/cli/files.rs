//! Files: the project a file belongs to, a library that never leaves it, and writes that are never half done.

use super::out::Stop;
use crate::rules::{Library, OUTSIDE};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Bytes that are read of a file; one more than any stage takes.
const MOST_BYTES: u64 = (1 << 20) + 1;
/// Files that are looked at in one command, and folders inside each other.
const MOST_FILES: usize = 10_000;
const DEEPEST: usize = 32;

/// The files under a root.
pub struct Root {
    root: PathBuf,
}

impl Root {
    /// The root of a rules file, which is the folder above its own, and its path from there.
    pub fn of_rules(file: &Path) -> Result<(Root, String), Stop> {
        let full = canonical(file)?;
        let game = full.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
        let root = Root { root: game.to_path_buf() };
        let name = root
            .name(&full)
            .ok_or_else(|| Stop::failed(format!("{} is no path that rules can name", file.display())))?;
        Ok((root, name))
    }

    /// The root under which `rules`, such as `game/edition`, is found for a scenario, and the scenario's path from there.
    /// A scenario outside of it is read from its own folder.
    pub fn of_scenario(file: &Path, rules: &str) -> Result<(Root, Option<Root>, String), Stop> {
        let full = canonical(file)?;
        let wanted = format!("{rules}.rules");
        let mut folder = full.parent();
        while let Some(here) = folder {
            for root in [here.to_path_buf(), here.join("rulesets")] {
                if root.join(&wanted).is_file() {
                    let root = Root { root };
                    if let Some(name) = root.name(&full) {
                        return Ok((root, None, name));
                    }
                    let (own, name) = Root::beside(&full)?;
                    return Ok((root, Some(own), name));
                }
            }
            folder = here.parent();
        }
        let (own, name) = Root::beside(&full)?;
        Ok((Root { root: own.root.clone() }, None, name))
    }

    /// The folder of a file, and its name there.
    pub fn beside(file: &Path) -> Result<(Root, String), Stop> {
        let full = canonical(file)?;
        let root = Root { root: full.parent().unwrap_or(Path::new("/")).to_path_buf() };
        let name =
            root.name(&full).ok_or_else(|| Stop::failed(format!("{} is no path that can be read", file.display())))?;
        Ok((root, name))
    }

    /// The folder itself.
    pub fn folder(&self) -> String {
        self.root.display().to_string()
    }

    /// The path of a file under the root, with `/`.
    pub fn name(&self, full: &Path) -> Option<String> {
        let parts: Option<Vec<&str>> = full
            .strip_prefix(&self.root)
            .ok()?
            .components()
            .map(|part| match part {
                Component::Normal(part) => part.to_str(),
                _ => None,
            })
            .collect();
        Some(parts?.join("/"))
    }
}

fn canonical(file: &Path) -> Result<PathBuf, Stop> {
    fs::canonicalize(file).map_err(|why| Stop::failed(format!("{} cannot be read: {why}", file.display())))
}

impl Library for Root {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if !plain || path.contains('\\') || path.contains('\0') {
            return Err(OUTSIDE.to_string());
        }
        let full = match fs::canonicalize(self.root.join(path)) {
            Ok(full) => full,
            Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(why) => return Err(why.to_string()),
        };
        if !full.starts_with(&self.root) {
            return Err(OUTSIDE.to_string());
        }
        read_text(&full).map(Some)
    }

    fn list(&self) -> Vec<String> {
        let mut found = Vec::new();
        let _ = walk(&self.root, 0, &mut found);
        found.iter().filter_map(|path| self.name(path)).collect()
    }
}

/// A file that was read.
pub struct Seen {
    /// Where it is, without links.
    pub path: PathBuf,
    /// The hash of what was read of it.
    pub sha256: String,
}

/// Every file that this program read so far, with its hash: a receipt tells of them.
static SEEN: Mutex<BTreeMap<PathBuf, String>> = Mutex::new(BTreeMap::new());

/// Every file that was read so far, by path.
pub fn seen() -> Vec<Seen> {
    let seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    seen.iter().map(|(path, sha256)| Seen { path: path.clone(), sha256: sha256.clone() }).collect()
}

/// The hash of a text.
pub fn sha256(bytes: &[u8]) -> String {
    hex(Sha256::digest(bytes).as_slice())
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The folder that paths are looked at from.
pub fn here() -> Result<PathBuf, Stop> {
    canonical(Path::new("."))
}

/// The text of a file; never more than a little over what any stage takes.
pub fn read_text(path: &Path) -> Result<String, String> {
    let file = fs::File::open(path).map_err(|why| why.to_string())?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|why| why.to_string())?;
    if let Ok(full) = fs::canonicalize(path) {
        SEEN.lock().unwrap_or_else(PoisonError::into_inner).insert(full, sha256(&bytes));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        // a character may be cut where reading stopped: the file is too large then, and that will be said
        Err(fault) if fault.as_bytes().len() as u64 == MOST_BYTES => {
            Ok(String::from_utf8_lossy(fault.as_bytes()).into_owned())
        }
        Err(_) => Err("it is not plain UTF-8 text".to_string()),
    }
}

/// All files with an ending under some paths, sorted; a file that is named is taken whatever it is called.
pub fn collect(paths: &[PathBuf], endings: &[&str]) -> Result<Vec<PathBuf>, Stop> {
    let mut found = Vec::new();
    let here = [PathBuf::from(".")];
    for path in if paths.is_empty() { &here } else { paths } {
        let info =
            fs::metadata(path).map_err(|why| Stop::failed(format!("{} cannot be read: {why}", path.display())))?;
        if !info.is_dir() {
            found.push(path.clone());
            continue;
        }
        let mut below = Vec::new();
        walk(path, 0, &mut below).map_err(|why| Stop::failed(format!("{} cannot be read: {why}", path.display())))?;
        below.retain(|p| p.extension().and_then(|e| e.to_str()).is_some_and(|e| endings.contains(&e)));
        found.extend(below);
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// Every file below a folder; hidden ones, links to folders and `target` are passed over.
fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if depth > DEEPEST {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') || name == "target" || found.len() >= MOST_FILES {
            continue;
        }
        let kind = entry.file_type()?;
        let path = if folder == Path::new(".") { PathBuf::from(&*name) } else { entry.path() };
        if kind.is_dir() {
            walk(&path, depth + 1, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

/// A file of this program's own beside another.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

/// Replaces a file by a text: either the old one or the new one is there, never a part.
pub fn replace(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Stop> {
    let failed = |why: std::io::Error| Stop::failed(format!("{} cannot be written: {why}", path.display()));
    let full = fs::canonicalize(path).map_err(failed)?;
    let beside = beside(&full);
    let written = write_new(&beside, text)
        .and_then(|()| fs::set_permissions(&beside, fs::metadata(&full)?.permissions()))
        .and_then(|()| fs::rename(&beside, &full));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written.map_err(failed)
}

/// Writes a text to a file, a new one or in place of the old one, whole or not at all. What is no file, such as a pipe or
/// a device, is written to and stays what it is.
pub fn put(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Stop> {
    let written = match fs::metadata(path) {
        Ok(old) if old.is_file() => return replace(path, text),
        Ok(_) => fs::OpenOptions::new().write(true).open(path).and_then(|mut there| there.write_all(text.as_ref())),
        Err(_) => write_new(path, text),
    };
    written.map_err(|why| Stop::failed(format!("{} cannot be written: {why}", path.display())))
}

/// Says before long work that a file could not be written after it.
pub fn ready(path: &Path) -> Result<(), Stop> {
    let (shown, folder) = (path.display(), path.parent().filter(|folder| !folder.as_os_str().is_empty()));
    match (folder, fs::metadata(path)) {
        (Some(folder), _) if !folder.is_dir() => {
            Err(Stop::failed(format!("{shown} cannot be written: there is no folder {}", folder.display())))
        }
        (_, Ok(old)) if old.is_dir() => Err(Stop::failed(format!("{shown} is a folder; name a file"))),
        (_, Ok(old)) if !old.is_file() => Ok(()),
        _ => {
            let trial = beside(&fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()));
            let tried = write_new(&trial, "").and_then(|()| fs::remove_file(&trial));
            tried.map_err(|why| Stop::failed(format!("{shown} cannot be written: {why}")))
        }
    }
}

fn write_new(path: &Path, text: impl AsRef<[u8]>) -> std::io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_ref())?;
    file.sync_all()
}
