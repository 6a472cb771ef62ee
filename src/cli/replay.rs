//! `grognard replay`: does what a receipt says once more, and names what differs.

use super::out::{Out, Stop};
use super::receipt::{self, FileRead, Receipt, folder_of};
use super::{FINE, FOUND, shipped};
use grognard_base::{Code, Diagnostic, Sources};
use grognard_report as report;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What to replay.
#[derive(clap::Args)]
pub struct ReplayArgs {
    /// A receipt, as `--receipt` writes it.
    #[arg(value_name = "RECEIPT")]
    file: PathBuf,
}

/// Replays and tells; 1 if something else is printed now.
pub fn run(args: &ReplayArgs, out: &mut Out) -> Result<u8, Stop> {
    let mut sources = Sources::default();
    let old = receipt::read(&args.file, &mut sources)?.map_err(|found| Stop::found(&sources, FOUND)(vec![found]))?;
    let Some(new) = again(&args.file, &old)? else {
        let mut found = vec!["the command comes to no result any more; see above".to_string()];
        found.extend(changed_files(&args.file, &old));
        return Err(Stop::Found(found.into_iter().map(differs).collect(), sources, FOUND));
    };
    let changes = changes(&old, &new);
    if old.output == new.output {
        let (bytes, files) = (old.output.bytes, old.file.len());
        out.line(&format!("the same again: {bytes} bytes, from {files} files, sha256 {}", old.output.sha256))?;
        for change in changes {
            out.line(&report::clean(&format!("  though {change}")))?;
        }
        return Ok(FINE);
    }
    let mut found = vec![printed(&old, &new)];
    if changes.is_empty() {
        found.push("nothing it was made from differs, so this is a fault of grognard; please report it".to_string());
    }
    found.extend(changes);
    Err(Stop::Found(found.into_iter().map(differs).collect(), sources, FOUND))
}

fn differs(message: String) -> Diagnostic {
    Diagnostic::general(Code::Differs, message)
}

/// Gives the command again, in the folder it was given in, and reads the receipt of that; none if it keeps none.
fn again(file: &Path, old: &Receipt) -> Result<Option<Receipt>, Stop> {
    let failed = |what: &str, why: std::io::Error| Stop::failed(format!("{what}: {why}"));
    let program = std::env::current_exe().map_err(|why| failed("the program does not find itself", why))?;
    let folder = folder_of(file, old);
    let fresh = super::temps::beside(&std::env::temp_dir().join("replay.toml"));
    let mut command = Command::new(program);
    command.arg("--receipt").arg(&fresh).args(&old.command).current_dir(&folder);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.env_remove("COLUMNS").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.env(if old.colour { "CLICOLOR_FORCE" } else { "NO_COLOR" }, "1");
    if let Some(columns) = old.columns {
        command.env("COLUMNS", columns.to_string());
    }
    command.status().map_err(|why| failed(&format!("nothing can be run in {}", folder.display()), why))?;
    if !fresh.is_file() {
        return Ok(None);
    }
    let found = receipt::read(&fresh, &mut Sources::default());
    let _ = std::fs::remove_file(&fresh);
    Ok(found?.ok())
}

/// How the output differs.
fn printed(old: &Receipt, new: &Receipt) -> String {
    let (a, b) = (&old.output, &new.output);
    match (a.code == b.code, a.bytes == b.bytes) {
        (false, _) => format!("it ended with exit code {}, and now with {}", a.code, b.code),
        (true, true) => format!("{} bytes were printed, and now as many, but others", a.bytes),
        (true, false) => format!("{} bytes were printed, and now {}", a.bytes, b.bytes),
    }
}

/// What the two results were made from that is not the same.
fn changes(old: &Receipt, new: &Receipt) -> Vec<String> {
    let mut found = Vec::new();
    if old.grognard != new.grognard {
        found.push(format!("it was made by grognard {}, and this is {}", old.grognard, new.grognard));
    }
    let hash = |files: &[FileRead], path: &str| files.iter().find(|f| f.path == path).map(|f| f.sha256.clone());
    for FileRead { path, sha256 } in &old.file {
        match hash(&new.file, path) {
            None => found.push(format!("{path} was read, and is not any more")),
            Some(other) if other != *sha256 => found.push(format!("{path} has changed")),
            Some(_) => {}
        }
    }
    let fresh = new.file.iter().filter(|f| hash(&old.file, &f.path).is_none());
    found.extend(fresh.map(|f| format!("{} is read now, and was not", f.path)));
    if old.result.len() != new.result.len() {
        found.push(format!("there were {} results, and now there are {}", old.result.len(), new.result.len()));
    }
    for (a, b) in old.result.iter().zip(&new.result) {
        for key in a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))) {
            let told = |value: Option<&toml::Value>| value.map_or("nothing".to_string(), toml::Value::to_string);
            if a.get(key) != b.get(key) {
                found.push(format!("`{key}` was {}, and is {}", told(a.get(key)), told(b.get(key))));
            }
        }
    }
    found
}

/// Files of a receipt that are gone or have changed.
fn changed_files(file: &Path, old: &Receipt) -> Vec<String> {
    let folder = folder_of(file, old);
    let place = |path: &str| if path.starts_with(shipped::MARK) { PathBuf::from(path) } else { folder.join(path) };
    let told = |f: &FileRead| match super::files::read_text(&place(&f.path)) {
        Err(why) => Some(format!("{} cannot be read: {why}", f.path)),
        Ok(text) if super::files::sha256(text.as_bytes()) != f.sha256 => Some(format!("{} has changed", f.path)),
        Ok(_) => None,
    };
    old.file.iter().filter_map(told).collect()
}
