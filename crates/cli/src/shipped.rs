//! The rulesets in the program: virtual files that are found by name if no real file has it.

use super::files::plain;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

/// The files by name, such as `warstrike/core.rules`, sorted.
static FILES: OnceLock<&[(&str, &str)]> = OnceLock::new();

/// The prefix of their names where a real file could have the same name.
pub const MARK: &str = "shipped:";

pub fn put(files: &'static [(&'static str, &'static str)]) {
    let _ = FILES.set(files);
}

/// Returns every file with its text.
pub fn all() -> &'static [(&'static str, &'static str)] {
    FILES.get().copied().unwrap_or_default()
}

/// Returns the text of a file.
pub fn read(name: &str) -> Option<&'static str> {
    all().iter().find(|(path, _)| *path == name).map(|(_, text)| *text)
}

/// Returns the names of the books, which are the folders.
pub fn books() -> Vec<&'static str> {
    let mut books: Vec<&str> = all().iter().filter_map(|(path, _)| Some(path.split_once('/')?.0)).collect();
    books.dedup();
    books
}

/// Returns the names of the files below a folder.
pub fn below(folder: &str) -> impl Iterator<Item = &'static str> {
    all().iter().map(|(path, _)| *path).filter(move |path| inside(path, folder))
}

/// Returns whether a file is in a folder or below it.
fn inside(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Returns the virtual path of a shipped file or folder.
pub fn place(name: &str) -> PathBuf {
    Path::new(MARK).join(name)
}

/// Returns the name for a virtual path; empty for the folder of all books.
pub fn name_at(place: &Path) -> Option<String> {
    plain(place.strip_prefix(MARK).ok()?)
}

/// The folder of the books in the source, which the documentation uses.
const FOLDER: &str = "rulesets";

/// Returns the shipped file or folder for a path without a real file: by its name, with the prefix, or as in the documentation,
/// `rulesets/warstrike`. A real folder with the name of a book hides the whole book.
pub fn named(path: &Path) -> Option<String> {
    if let Some(name) = name_at(path) {
        return Some(name);
    }
    let (marked, bare) = match path.to_str().and_then(|text| text.strip_prefix(MARK)) {
        Some(bare) => (true, Path::new(bare)),
        None => (false, path.strip_prefix(".").unwrap_or(path)),
    };
    let bare = bare.strip_prefix(FOLDER).ok().filter(|_| !Path::new(FOLDER).exists()).unwrap_or(bare);
    let name = plain(bare)?;
    let Some(Component::Normal(book)) = bare.components().next() else { return None };
    let hidden = !marked && Path::new(book).exists();
    let known = || all().iter().any(|(file, _)| *file == name || inside(file, &name));
    (!hidden && !path.exists() && known()).then_some(name)
}
