//! Rules or a scenario from standard input, which the path `-` means. The text is a file `<stdin>` in the current folder.

use super::files::{self, Root};
use super::out::Stop;
use super::project;
use grognard_rules::{Library, Memo};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The name of the text in messages.
const NAME: &str = "<stdin>";
/// The words that begin a rules file.
const HEADERS: [&str; 2] = ["ruleset", "variant"];

static TEXT: OnceLock<String> = OnceLock::new();

/// Returns whether a path on the command line stands for standard input.
pub fn is_named(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads standard input to its end, and returns the path of its text.
pub fn read() -> Result<PathBuf, Stop> {
    let text = files::read_input()?;
    let _ = TEXT.set(text);
    Ok(PathBuf::from(NAME))
}

/// Returns how the command line names a path that was read.
pub fn typed(path: &Path) -> &Path {
    if text(path).is_some() { Path::new("-") } else { path }
}

/// Returns the text of standard input, if it was read and this is its path.
pub fn text(path: &Path) -> Option<&'static str> {
    let own = || path == Path::new(NAME) || place().is_some_and(|place| place == path);
    TEXT.get().filter(|_| path.ends_with(NAME) && own()).map(String::as_str)
}

/// Returns the path of the text without links.
pub fn place() -> Option<PathBuf> {
    files::here().ok().map(|here| here.join(NAME))
}

/// Returns the first line that is neither empty nor a comment.
fn first_line(text: &str) -> &str {
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default()
}

/// Returns whether a text is a scenario rather than rules: its first line is a table or a key of TOML.
pub fn is_scenario(text: &str) -> bool {
    let line = first_line(text);
    let key = line.split_once('=').map(|(key, _)| key.trim());
    line.starts_with('[') || key.is_some_and(|key| !key.is_empty() && !key.contains(char::is_whitespace))
}

/// The text of standard input as a rules file, in the folder from which its name is found.
pub struct StdinRules {
    root: Root,
    path: String,
}

impl StdinRules {
    /// Creates the library of the text, and returns it with the name of the rules.
    pub fn of(text: &str) -> Result<(StdinRules, String), Stop> {
        let mut words = first_line(text).split_whitespace();
        let header = words.next().is_some_and(|word| HEADERS.contains(&word));
        let name = words.next().filter(|name| header && name.contains('/')).unwrap_or("input/rules").to_string();
        let here = files::here()?;
        let book = name.split('/').next().unwrap_or_default();
        // in the folder of the book, its rules are named from the folder above
        let inside = !here.join(book).is_dir() && here.file_name().is_some_and(|folder| folder == book);
        let above = if inside { here.parent().map(Path::to_path_buf) } else { None };
        let root = project::current().map(|project| project.rules()).or(above).unwrap_or(here);
        Ok((StdinRules { root: Root::at(root), path: format!("{name}.rules") }, name))
    }
}

impl Library for StdinRules {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        if path == self.path { Ok(TEXT.get().cloned()) } else { self.root.read(path) }
    }

    fn list(&self) -> Vec<String> {
        self.root.list()
    }

    fn shown(&self, path: &str) -> String {
        if path == self.path { NAME.to_string() } else { self.root.shown(path) }
    }

    fn memo(&self) -> Option<&Memo> {
        self.root.memo()
    }
}
