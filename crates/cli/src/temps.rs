//! Names of temporary files. A killed program leaves its file in the folder; the next write in that folder removes it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Prefix and suffix; between them are the process id, a dash, and the name of the target.
const NAME: (&str, &str) = (".grognard-", ".tmp");

/// Maximum duration of a write. Only used on systems without `/proc`.
const LEFT: Duration = Duration::from_secs(60);

/// Returns a temporary path in the folder of `full`, and removes those that killed programs left there.
pub fn beside(full: &Path) -> PathBuf {
    let name = name(full);
    tidy(name.parent().unwrap_or(Path::new(".")));
    name
}

/// Removes the temporary files that killed programs left in a folder.
pub fn tidy(folder: &Path) {
    for old in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_left = writer(&old.file_name()).is_some_and(|process| {
            let age = || old.metadata().ok()?.modified().ok()?.elapsed().ok();
            process != std::process::id() && !is_running(process, age())
        });
        if is_left {
            let path = old.path();
            let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
    }
}

/// Returns a temporary path in the folder of `full`.
pub fn name(full: &Path) -> PathBuf {
    let folder = full.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut name = OsString::from(format!("{}{}-", NAME.0, std::process::id()));
    name.push(full.file_name().unwrap_or_default());
    name.push(NAME.1);
    folder.join(name)
}

/// Returns the process that made a temporary name, or `None` for any other name.
fn writer(name: &OsString) -> Option<u32> {
    let bytes = name.as_encoded_bytes().strip_prefix(NAME.0.as_bytes())?.strip_suffix(NAME.1.as_bytes())?;
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (bytes.get(digits) == Some(&b'-')).then(|| std::str::from_utf8(&bytes[..digits]).ok()?.parse().ok())?
}

/// Returns whether a process may still write a file of this age.
fn is_running(process: u32, age: Option<Duration>) -> bool {
    let processes = Path::new("/proc");
    if processes.join("self").exists() {
        return processes.join(process.to_string()).exists();
    }
    age.is_none_or(|age| age <= LEFT)
}
