//! Writes files atomically, and never a file that the same command reads.

use super::files::paths;
use super::out::Stop;
use super::shipped;
use super::temps::beside;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Files that this command writes at its end, and those of them that it tried to read.
static OUTPUTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static WANTED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Returns the path without links of a file that can be new.
fn full(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = || Some(fs::canonicalize(folder).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(beside).unwrap_or_else(|| path.to_path_buf())
}

/// Returns whether this command writes the file at its end.
fn has(full: &PathBuf) -> bool {
    OUTPUTS.lock().unwrap_or_else(PoisonError::into_inner).contains(full)
}

/// Returns whether the file must not be read, because this command writes it at its end. The command then fails instead.
pub fn refuses(path: &Path) -> bool {
    let full = full(path);
    let refused = has(&full);
    if refused {
        WANTED.lock().unwrap_or_else(PoisonError::into_inner).push(full);
    }
    refused
}

/// Fails before long work if a file could not be written after it. From here on, the command does not read the file.
pub fn ready(path: &Path) -> Result<(), Stop> {
    let (shown, folder) = (path.display(), path.parent().filter(|folder| !folder.as_os_str().is_empty()));
    match (folder, fs::metadata(path)) {
        (Some(folder), _) if !folder.is_dir() => {
            return Err(Stop::failed(format!(
                "{shown} cannot be written: the folder {} does not exist",
                folder.display()
            )));
        }
        (_, Ok(old)) if old.is_dir() => return Err(Stop::failed(format!("{shown} is a folder; name a file"))),
        (_, Ok(old)) if !old.is_file() => return waits(path, &old).map_or(Ok(()), Err),
        (_, Ok(_)) if is_stream(path) => return Err(redirected(path)),
        _ => {}
    }
    let full = full(path);
    unread(path, &full)?;
    let trial = beside(&full);
    let tried = write_new(&trial, "").and_then(|()| fs::remove_file(&trial));
    tried.map_err(|why| Stop::failed(format!("{shown} cannot be written: {why}")))?;
    if has(&full) {
        return Err(Stop::failed(format!("{shown} would be written twice; name two files")));
    }
    OUTPUTS.lock().unwrap_or_else(PoisonError::into_inner).push(full);
    Ok(())
}

/// Fails for a file that this command read or tried to read.
fn unread(path: &Path, full: &Path) -> Result<(), Stop> {
    let wanted = WANTED.lock().unwrap_or_else(PoisonError::into_inner);
    match wanted.iter().any(|wanted| wanted == full) || paths().iter().any(|path| path == full) {
        true => Err(Stop::failed(format!("this command reads {}, so it cannot write it", path.display()))),
        false => Ok(()),
    }
}

/// Creates or replaces a file that was not read. A regular file is replaced atomically. A device, or a pipe of the
/// shell, is written in place.
pub fn put(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Stop> {
    match fs::metadata(path) {
        Ok(old) if !old.is_file() => {
            if let Some(stop) = waits(path, &old) {
                return Err(stop);
            }
            let written = fs::OpenOptions::new().write(true).open(path);
            let written = written.and_then(|mut there| there.write_all(text.as_ref()));
            written.map_err(|why| Stop::failed(format!("{} cannot be written: {why}", path.display())))
        }
        Ok(_) if is_stream(path) => Err(redirected(path)),
        _ => {
            unread(path, &full(path))?;
            replace(path, text)
        }
    }
}

/// Creates or replaces a file. At any time, the old file or the new one exists, never a part.
pub fn replace(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Stop> {
    if let Some(name) = shipped::named(path) {
        let help = "write a variant of it, or copy its folder with `grognard books --copy`";
        return Err(Stop::failed(format!("{name} is shipped with the program and cannot be written; {help}")));
    }
    let full = full(path);
    if fs::metadata(&full).is_ok_and(|old| old.permissions().readonly()) {
        return Err(Stop::failed(format!("{} cannot be written: it is read-only", path.display())));
    }
    let beside = beside(&full);
    let written = write_new(&beside, text)
        .and_then(|()| match fs::metadata(&full) {
            Ok(old) => fs::set_permissions(&beside, old.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::rename(&beside, &full));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written.map_err(|why| Stop::failed(format!("{} cannot be written: {why}", path.display())))
}

fn write_new(path: &Path, text: impl AsRef<[u8]>) -> std::io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_ref())?;
    file.sync_all()
}

/// Returns whether a path names an open stream, such as `/dev/stdout`.
fn is_stream(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc")
}

/// Returns the error for a stream that leads to a file: to replace the file would lose what others write to it.
fn redirected(path: &Path) -> Stop {
    Stop::failed(format!("{} leads to a file that other programs write; name another file", path.display()))
}

/// Returns the error for a named pipe as a target: a write to it blocks until another program reads. Pipes of a shell, such as
/// `>(gzip)` and `/dev/stdout`, have a reader.
#[cfg(unix)]
fn waits(path: &Path, what: &fs::Metadata) -> Option<Stop> {
    use std::os::unix::fs::FileTypeExt;
    let pipe = what.file_type().is_fifo() && !is_stream(path);
    pipe.then(|| {
        Stop::failed(format!("{} is a pipe, which blocks until another program reads it; name a file", path.display()))
    })
}

#[cfg(not(unix))]
fn waits(_: &Path, _: &fs::Metadata) -> Option<Stop> {
    None
}
