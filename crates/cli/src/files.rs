//! Reading of files: the root that a file belongs to, and a library that never reads outside of it.

use super::out::{Stop, complain_of};
use super::{named, outputs, project, shipped, stdin};
use grognard_base::order;
use grognard_base::{Code, Diagnostic, LOOKED_AT, OrdMap, OrdSet, Sources, near_miss};
use grognard_rules::{Library, Memo, OUTSIDE, rules_of};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Maximum number of bytes that are read of a file; one more than any stage takes.
pub const MOST_BYTES: u64 = (1 << 20) + 1;
/// Maximum number of bytes of the journal of a sweep.
const MOST_JOURNAL: u64 = 1 << 30;
/// Maximum number of files of a command, and maximum depth of folders.
const MOST_FILES: usize = 10_000;
const DEEPEST: usize = 32;

/// Whether a file that was found in a folder could not be read.
static PASSED_OVER: AtomicBool = AtomicBool::new(false);

/// Returns whether the command skipped a file that it found.
pub fn passed_over() -> bool {
    PASSED_OVER.load(Ordering::Relaxed)
}

/// The parse cache of this command.
static PARSED: LazyLock<Memo> = LazyLock::new(Memo::default);

/// The files under a root.
pub struct Root {
    root: PathBuf,
}

impl Root {
    /// Creates a root of a folder.
    pub fn at(root: PathBuf) -> Root {
        Root { root: fs::canonicalize(&root).unwrap_or(root) }
    }

    /// Returns the root of a rules file, which is the folder above its own, and the path of the file from there.
    pub fn of_rules(file: &Path) -> Result<(Root, String), Stop> {
        rules_wanted(&canonical(file)?, file)?;
        Root::above(file)
    }

    /// Does the same as `of_rules` for a file next to rules.
    pub fn above(file: &Path) -> Result<(Root, String), Stop> {
        let full = canonical(file)?;
        let game = full.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
        let own = project::current().map(|project| project.rules()).filter(|rules| full.starts_with(rules));
        let root = Root { root: own.unwrap_or_else(|| game.to_path_buf()) };
        let name = root
            .name(&full)
            .ok_or_else(|| Stop::failed(format!("{} is not a path that rules can name", file.display())))?;
        Ok((root, name))
    }

    /// Returns the root under which a scenario finds `rules`, such as `game/edition`, and the path of the scenario from there.
    /// A scenario outside of that root has its folder as a second root.
    pub fn of_scenario(file: &Path, rules: &str) -> Result<(Root, Option<Root>, String), Stop> {
        let full = canonical(file)?;
        let wanted = format!("{rules}.rules");
        let is_shipped = shipped::name_at(&full).is_some();
        let own = project::current().filter(|project| is_shipped || project.holds(&full));
        // a project ends at its folder, and shipped rules have no folders above
        let inside = |here: &&Path| !is_shipped && own.is_none_or(|project| project.holds(here));
        let above = full.ancestors().skip(1).take_while(inside);
        let above = above.flat_map(|here| [here.to_path_buf(), here.join("rulesets")]);
        let own = own.map(|project| project.rules());
        let found = own.clone().into_iter().chain(above).find(|root| root.join(&wanted).is_file());
        // rules in none of these folders can be shipped
        let root = match found.or(own) {
            Some(root) => Root { root },
            None if is_shipped => Root { root: shipped::place("") },
            None => Root { root: full.parent().unwrap_or(Path::new("/")).to_path_buf() },
        };
        if let Some(name) = root.name(&full) {
            return Ok((root, None, name));
        }
        let (own, name) = Root::beside(&full)?;
        Ok((root, Some(own), name))
    }

    /// Returns the folder of a file as a root, and the name of the file there.
    pub fn beside(file: &Path) -> Result<(Root, String), Stop> {
        let full = canonical(file)?;
        let root = Root { root: full.parent().unwrap_or(Path::new("/")).to_path_buf() };
        let name = root
            .name(&full)
            .ok_or_else(|| Stop::failed(format!("{} is not a path that can be read", file.display())))?;
        Ok((root, name))
    }

    /// Returns the folder of the root.
    pub fn folder(&self) -> String {
        self.root.display().to_string()
    }

    /// Returns whether a rules file belongs to the project, or to the shipped books if they are its root. Other rules files are
    /// shipped books on which the project builds.
    pub fn has(&self, path: &str) -> bool {
        self.root.join(path).is_file() || shipped::name_at(&self.root).is_some()
    }

    /// Returns the path of a file under the root, with `/`.
    pub fn name(&self, full: &Path) -> Option<String> {
        plain(full.strip_prefix(&self.root).ok()?)
    }

    /// Returns the name of the shipped file for a path. Under a shipped root, this is any path. Otherwise it is a path
    /// in a book for which the root has no folder.
    fn shipped(&self, path: &str) -> Option<String> {
        match shipped::name_at(&self.root) {
            Some(folder) if folder.is_empty() => Some(path.to_string()),
            Some(folder) => Some(format!("{folder}/{path}")),
            None => {
                let (book, _) = path.split_once('/')?;
                (!self.root.join(book).exists()).then(|| path.to_string())
            }
        }
    }
}

/// Fails for an existing file that is not a rules file.
pub fn rules_wanted(full: &Path, file: &Path) -> Result<(), Stop> {
    if full.is_dir() || full.extension().is_some_and(|end| end == "rules") {
        return Ok(());
    }
    if let Some(why) = no_file(full) {
        return Err(Stop::failed(format!("{} cannot be read: {why}", file.display())));
    }
    let what = if full.extension().is_some_and(|end| end == "toml") { "a scenario" } else { "not a rules file" };
    Err(Stop::failed(format!("expected a rules file, which ends with .rules; {} is {what}", file.display())))
}

/// Returns a path of plain parts with `/`, or `None` for other paths.
pub fn plain(path: &Path) -> Option<String> {
    let parts = path.components().map(|part| match part {
        Component::Normal(part) => part.to_str(),
        _ => None,
    });
    Some(parts.collect::<Option<Vec<&str>>>()?.join("/"))
}

/// Returns the path of a file without links. A shipped file has a virtual path.
pub fn canonical(file: &Path) -> Result<PathBuf, Stop> {
    if let Some(place) = stdin::text(file).and_then(|_| stdin::place()) {
        return Ok(place);
    }
    fs::canonicalize(file)
        .or_else(|why| shipped::named(file).map(|name| shipped::place(&name)).ok_or_else(|| unread(file, why)))
}

/// Returns the path of a file in messages and receipts: relative to a folder, or the name of a shipped file.
pub fn written(path: &Path, folder: &Path) -> String {
    match shipped::name_at(path) {
        Some(name) => format!("{}{name}", shipped::MARK),
        None => super::receipt::from(path, folder),
    }
}

impl Library for Root {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if !plain || path.contains('\\') || path.contains('\0') {
            return Err(OUTSIDE.to_string());
        }
        if let Some(name) = self.shipped(path)
            && let Some(text) = shipped::read(&name)
        {
            note(shipped::place(&name), Some(text.as_bytes()));
            return Ok(Some(text.to_string()));
        }
        if let Some(text) = stdin::text(&self.root.join(path)) {
            return Ok(Some(text.to_string()));
        }
        let full = match fs::canonicalize(self.root.join(path)) {
            Ok(full) => full,
            Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                note(self.root.join(path), None);
                return Ok(None);
            }
            Err(why) => return Err(why.to_string()),
        };
        if !full.starts_with(&self.root) {
            return Err(OUTSIDE.to_string());
        }
        read_text(&full).map(Some)
    }

    fn list(&self) -> Vec<String> {
        let mut below = Below::of(&self.root, &["rules", "toml"]);
        below.walk(&self.root, 0);
        let shipped = shipped::all().iter().map(|(path, _)| *path).filter(|path| self.shipped(path).is_some());
        below.files.iter().filter_map(|path| self.name(path)).chain(shipped.map(str::to_string)).collect()
    }

    /// Returns the path from the current folder, if the file is below it.
    fn shown(&self, path: &str) -> String {
        if let Some(name) = self.shipped(path).filter(|name| shipped::read(name).is_some()) {
            return format!("{}{name}", shipped::MARK);
        }
        let full = self.root.join(path);
        let here = here().ok().and_then(|here| full.strip_prefix(here).ok().map(Path::to_path_buf));
        here.map_or_else(|| path.to_string(), |path| path.display().to_string().replace('\\', "/"))
    }

    fn memo(&self) -> Option<&Memo> {
        Some(&PARSED)
    }
}

/// A file that was read.
pub struct ReadFile {
    /// The path without links.
    pub path: PathBuf,
    /// The hash of the content that was read.
    pub sha256: String,
}

/// Every file that this program read so far, with its last content, for receipts. Files that did not exist have no content.
static SEEN: Mutex<OrdMap<PathBuf, Option<Vec<u8>>>> = Mutex::new(OrdMap::new());
/// Number of times that a file had another content than before.
static CHANGES: AtomicU64 = AtomicU64::new(0);

/// Returns how often a file had another content than when it was read before.
pub fn changes() -> u64 {
    CHANGES.load(Ordering::Relaxed)
}

/// Returns the path of every file that was read so far.
pub fn paths() -> Vec<PathBuf> {
    let seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    seen.iter().filter(|(_, content)| content.is_some()).map(|(path, _)| path.clone()).collect()
}

/// Returns every file that was read so far, by path, with the hash of its content.
pub fn seen() -> Vec<ReadFile> {
    let seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let read = |(path, content): (&PathBuf, &Option<Vec<u8>>)| {
        Some(ReadFile { path: path.clone(), sha256: sha256(content.as_ref()?) })
    };
    seen.iter().filter_map(read).collect()
}

/// Records that a file was read, or that it does not exist.
pub fn note(path: PathBuf, content: Option<&[u8]>) {
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = seen.get(&path);
    if known.is_none_or(|known| known.as_deref() != content) {
        CHANGES.fetch_add(u64::from(known.is_some()), Ordering::Relaxed);
        seen.insert(path, content.map(<[u8]>::to_vec));
    }
}

/// Returns the SHA-256 of bytes.
pub fn sha256(bytes: &[u8]) -> String {
    hex(Sha256::digest(bytes).as_slice())
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn here() -> Result<PathBuf, Stop> {
    canonical(Path::new("."))
}

/// Returns the text of a file, or a little more than any stage takes.
pub fn read_text(path: &Path) -> Result<String, String> {
    let bytes = read_bytes(path, MOST_BYTES)?;
    if let Ok(full) = canonical(path) {
        note(full, Some(&bytes));
    }
    decoded(bytes)
}

/// Reads standard input to its end, or a little more than any stage takes.
pub fn read_input() -> Result<String, Stop> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes).map_err(|why| why.to_string());
    read.and_then(|_| decoded(bytes)).map_err(|why| Stop::failed(format!("standard input cannot be read: {why}")))
}

/// Returns bytes of a file as text, or why they are not text.
fn decoded(bytes: Vec<u8>) -> Result<String, String> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        // the last character can be cut: the file is too large, which is reported later
        Err(fault) if fault.as_bytes().len() as u64 == MOST_BYTES => {
            Ok(String::from_utf8_lossy(fault.as_bytes()).into_owned())
        }
        Err(fault) => {
            let sound = &fault.as_bytes()[..fault.utf8_error().valid_up_to()];
            let line = sound.iter().filter(|byte| **byte == b'\n').count() + 1;
            Err(format!("it is not plain UTF-8 text: line {line} has an invalid byte"))
        }
    }
}

/// Returns the text of a file that a command needs.
pub fn text_of(path: &Path) -> Result<String, Stop> {
    read_text(path).map_err(|why| unread(path, why))
}

/// Returns the error for a file that does not exist, with a file of a similar name, or that cannot be read.
fn unread(path: &Path, why: impl std::fmt::Display) -> Stop {
    let shown = path.display();
    if path.exists() || shipped::named(path).is_some() {
        return Stop::failed(format!("{shown} cannot be read: {why}"));
    }
    let near = near(path).map_or(String::new(), |near| format!("; did you mean `{}`?", near.display()));
    Stop::failed(format!("file not found: {shown}{near}"))
}

/// Returns the error for a name that is not an expression, if a scenario or rules have a similar name.
pub fn misnamed(name: &str) -> Option<Stop> {
    let path = Path::new(name);
    let meant = near(path).filter(|_| name.contains('.') && !name.contains(['(', ' ']))?;
    let ends = |ending: &str| meant.extension().is_some_and(|e| e == ending);
    (ends("toml") || ends("rules")).then(|| unread(path, ""))
}

/// Returns an existing or shipped file with a similar name.
fn near(path: &Path) -> Option<PathBuf> {
    let name = path.file_name().unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    let entries = fs::read_dir(Path::new(".").join(folder)).into_iter().flatten().take(LOOKED_AT).flatten();
    let mut beside: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    order::sort(&mut beside);
    // a shipped file also matches by the last part of its name
    let is_named =
        |file: &&&str| Path::new(file).file_name() == Some(name) || Path::new(file).file_stem() == Some(name);
    let files: Vec<&str> = shipped::all().iter().map(|(file, _)| *file).collect();
    let near = near_miss(&name.to_string_lossy(), beside.iter().map(String::as_str)).map(|near| folder.join(near));
    let near = near.or_else(|| files.iter().find(is_named).map(PathBuf::from));
    let scenarios = named::names();
    let near = near
        .or_else(|| near_miss(&path.display().to_string(), scenarios.iter().map(String::as_str)).map(PathBuf::from));
    near.or_else(|| near_miss(&path.display().to_string(), files).map(PathBuf::from))
}

/// Returns the text of a file that does not affect the result, so that receipts omit it.
pub fn peek(path: &Path) -> Option<String> {
    String::from_utf8(read_bytes(path, MOST_BYTES).ok()?).ok()
}

/// Returns the text of a journal. A line that is not UTF-8 is damaged, and its checksum fails.
pub fn read_journal(path: &Path) -> Result<String, Stop> {
    let bytes = read_bytes(path, MOST_JOURNAL + 1).map_err(|why| unread(path, why))?;
    if bytes.len() as u64 > MOST_JOURNAL {
        return Err(unread(path, "a journal has at most 1 GiB"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns at most `most` bytes of a file. Pipes and devices are not read, because they can block or be infinite.
fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    if outputs::refuses(path) {
        return Err("this command also writes it; name another file to write".to_string());
    }
    if let Some(why) = no_file(path) {
        return Err(why.to_string());
    }
    if let Some(text) = stdin::text(path).or_else(|| shipped::named(path).as_deref().and_then(shipped::read)) {
        return Ok(text.as_bytes().to_vec());
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|why| why.to_string())?;
    file.take(most).read_to_end(&mut bytes).map_err(|why| why.to_string())?;
    Ok(bytes)
}

/// Returns why an existing path is not a file, or `None` if it is.
fn no_file(full: &Path) -> Option<&'static str> {
    match fs::metadata(full) {
        Ok(info) if info.is_dir() => Some("it is a folder"),
        Ok(info) if !info.is_file() => Some("it is a pipe or a device"),
        _ => None,
    }
}

fn unreadable(code: Code, path: &Path, why: &str) -> Diagnostic {
    Diagnostic::general(code, format!("{} cannot be read: {why}", path.display()))
}

/// The files with given extensions under some paths.
#[derive(Default)]
pub struct Collected {
    /// The readable files, sorted. A given file can have any extension.
    pub files: Vec<PathBuf>,
    /// The files of examples. The rules next to each are among the files.
    pub examples: Vec<PathBuf>,
    /// A finding for each skipped file.
    pub problems: Vec<Diagnostic>,
    /// Files that were found in folders.
    below: OrdSet<PathBuf>,
}

impl Collected {
    /// Returns the files that can be read. The others are reported on standard error, and the command ends with exit code 1.
    pub fn readable(mut self) -> Vec<PathBuf> {
        for path in &self.below {
            if let Err(why) = read_bytes(path, MOST_BYTES).and_then(decoded) {
                self.problems.push(unreadable(Code::Unreadable, path, &why));
                self.files.retain(|file| file != path);
            }
        }
        PASSED_OVER.fetch_or(!self.problems.is_empty(), Ordering::Relaxed);
        complain_of(&self.problems, &Sources::default());
        self.files
    }
}

/// Finds all files with given extensions under some paths. Without paths, it searches the project or the current folder.
pub fn collect(paths: &[PathBuf], endings: &[&str]) -> Result<Collected, Stop> {
    let mut found = Collected::default();
    let usual = if paths.is_empty() { project::folders() } else { Vec::new() };
    for path in if paths.is_empty() { &usual } else { paths } {
        if let Some(name) = shipped::named(path) {
            // as typed, with or without the mark
            let ends = |file: &&str| endings.iter().any(|ending| file.ends_with(&format!(".{ending}")));
            let inside = shipped::below(&name).filter(ends).map(|file| path.join(&file[name.len() + 1..]));
            let one = shipped::read(&name).map(|_| path.clone());
            found.files.extend(inside.chain(one));
            continue;
        }
        let info = fs::metadata(path).map_err(|why| unread(path, why))?;
        if !info.is_dir() {
            found.files.push(path.clone());
            continue;
        }
        fs::read_dir(path).map_err(|why| unread(path, why))?;
        let mut below = Below::of(&canonical(path)?, endings);
        below.walk(path, 0);
        found.below.extend(below.files.iter().cloned());
        found.files.append(&mut below.files);
        found.problems.append(&mut below.problems);
    }
    // a file of examples is part of the rules next to it
    for file in &mut found.files {
        if let Some(rules) = file.to_str().and_then(rules_of) {
            found.examples.push(std::mem::replace(file, PathBuf::from(rules)));
        }
    }
    order::sort(&mut found.files);
    found.files.dedup();
    Ok(found)
}

/// The files below a folder, without hidden files, links to folders, and `target`.
struct Below<'e> {
    /// The folder without links.
    root: PathBuf,
    endings: &'e [&'e str],
    files: Vec<PathBuf>,
    problems: Vec<Diagnostic>,
}

impl Below<'_> {
    fn of<'e>(root: &Path, endings: &'e [&'e str]) -> Below<'e> {
        Below { root: root.to_path_buf(), endings, files: Vec::new(), problems: Vec::new() }
    }

    fn problem(&mut self, code: Code, path: &Path, why: &str) {
        self.problems.push(unreadable(code, path, why));
    }

    fn walk(&mut self, folder: &Path, depth: usize) {
        if depth > DEEPEST {
            return self.problem(Code::TooDeep, folder, &format!("it is nested in more than {DEEPEST} folders"));
        }
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(why) => return self.problem(Code::Unreadable, folder, &why.to_string()),
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let path = if folder == Path::new(".") { PathBuf::from(&*name) } else { entry.path() };
            let wanted = path.extension().and_then(|e| e.to_str()).is_some_and(|e| self.endings.contains(&e));
            match entry.file_type() {
                _ if name.starts_with('.') || name == "target" => {}
                Ok(kind) if kind.is_dir() => self.walk(&path, depth + 1),
                Ok(_) if wanted && self.files.len() < MOST_FILES => self.file(path),
                Ok(_) if wanted => {
                    let why = format!("there are more than {MOST_FILES} files");
                    return self.problem(Code::TooLarge, folder, &why);
                }
                _ => {}
            }
        }
    }

    fn file(&mut self, path: PathBuf) {
        match fs::canonicalize(&path) {
            Err(why) => self.problem(Code::Unreadable, &path, &why.to_string()),
            Ok(full) if full.is_dir() => {}
            Ok(full) if !full.starts_with(&self.root) => {
                let why = format!("{OUTSIDE}; name the file itself");
                self.problem(Code::Outside, &path, &why);
            }
            Ok(full) => match no_file(&full) {
                Some(why) => self.problem(Code::Unreadable, &path, why),
                None => self.files.push(path),
            },
        }
    }
}
