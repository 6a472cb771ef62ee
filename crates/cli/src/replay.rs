//! `grognard replay`: reruns the command of a receipt and reports differences.

use super::out::{Out, Stop};
use super::receipt::{self, FileRead, Receipt, folder_of};
use super::{FINE, FOUND, shipped};
use grognard_base::{Code, Diagnostic, Sources};
use grognard_report as report;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The arguments of `grognard replay`.
#[derive(clap::Args)]
pub struct ReplayArgs {
    /// Receipt written by `--receipt`
    #[arg(value_name = "RECEIPT")]
    file: PathBuf,
}

/// Reruns the command and prints the differences. The exit code is 1 if the output differs.
pub fn run(args: &ReplayArgs, out: &mut Out) -> Result<u8, Stop> {
    let mut sources = Sources::default();
    let old = receipt::read(&args.file, &mut sources)?.map_err(|found| Stop::found(&sources, FOUND)(vec![found]))?;
    let Some(new) = again(&args.file, &old)? else {
        let mut found = vec!["the command has no result now; see the messages above".to_string()];
        found.extend(changed_files(&args.file, &old));
        return Err(Stop::Found(found.into_iter().map(differs).collect(), sources, FOUND));
    };
    let changes = changes(&old, &new);
    if old.output == new.output {
        let (bytes, files) = (old.output.bytes, old.file.len());
        out.line(&format!("same output: {bytes} bytes, from {files} files, sha256 {}", old.output.sha256))?;
        for change in changes {
            out.line(&report::clean(&format!("  but {change}")))?;
        }
        return Ok(FINE);
    }
    let mut found = vec![printed(&old, &new)];
    if changes.is_empty() {
        found.push("no input differs, so this is a bug in grognard; please report it".to_string());
    }
    found.extend(changes);
    Err(Stop::Found(found.into_iter().map(differs).collect(), sources, FOUND))
}

fn differs(message: String) -> Diagnostic {
    Diagnostic::general(Code::Differs, message)
}

/// Reruns the command in its folder and reads the new receipt. Returns `None` if the command writes none.
fn again(file: &Path, old: &Receipt) -> Result<Option<Receipt>, Stop> {
    let failed = |what: &str, why: std::io::Error| Stop::failed(format!("{what}: {why}"));
    let program = std::env::current_exe().map_err(|why| failed("the path of the program is unknown", why))?;
    let folder = folder_of(file, old);
    let fresh = super::temps::beside(&std::env::temp_dir().join("replay.toml"));
    let mut command = Command::new(program);
    // options come before `--`
    let at = old.command.iter().position(|word| word == "--").unwrap_or(old.command.len());
    let (options, rest) = old.command.split_at(at);
    command.args(options).arg("--receipt").arg(&fresh).args(rest).current_dir(&folder);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.env_remove("COLUMNS").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.env(if old.colour { "CLICOLOR_FORCE" } else { "NO_COLOR" }, "1");
    if let Some(columns) = old.columns {
        command.env("COLUMNS", columns.to_string());
    }
    command.status().map_err(|why| failed(&format!("no command can be run in {}", folder.display()), why))?;
    if !fresh.is_file() {
        return Ok(None);
    }
    let found = receipt::read(&fresh, &mut Sources::default());
    let _ = std::fs::remove_file(&fresh);
    Ok(found?.ok())
}

/// Returns the difference of the output.
fn printed(old: &Receipt, new: &Receipt) -> String {
    let (a, b) = (&old.output, &new.output);
    match (a.code == b.code, a.bytes == b.bytes) {
        (false, _) => format!("the exit code was {} and is {} now", a.code, b.code),
        (true, true) => format!("the output still has {} bytes, but other ones", a.bytes),
        (true, false) => format!("the output had {} bytes and has {} now", a.bytes, b.bytes),
    }
}

/// Returns the differences between the inputs of the two results.
fn changes(old: &Receipt, new: &Receipt) -> Vec<String> {
    let mut found = Vec::new();
    if old.grognard != new.grognard {
        found.push(format!("it was written by grognard {}, and this is {}", old.grognard, new.grognard));
    }
    let hash = |files: &[FileRead], path: &str| files.iter().find(|f| f.path == path).map(|f| f.sha256.clone());
    for FileRead { path, sha256 } in &old.file {
        match hash(&new.file, path) {
            None => found.push(format!("{path} was read, and is not read now")),
            Some(other) if other != *sha256 => found.push(format!("{path} has changed")),
            Some(_) => {}
        }
    }
    let fresh = new.file.iter().filter(|f| hash(&old.file, &f.path).is_none());
    found.extend(fresh.map(|f| format!("{} is read now, and was not before", f.path)));
    if old.result.len() != new.result.len() {
        found.push(format!("there were {} results, and there are {} now", old.result.len(), new.result.len()));
    }
    for (a, b) in old.result.iter().zip(&new.result) {
        for key in a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))) {
            let rendered = |value: Option<&toml::Value>| value.map_or("not set".to_string(), toml::Value::to_string);
            if a.get(key) != b.get(key) {
                found.push(format!("`{key}` was {} and is {} now", rendered(a.get(key)), rendered(b.get(key))));
            }
        }
    }
    found
}

/// Returns the files of a receipt that are missing or have changed.
fn changed_files(file: &Path, old: &Receipt) -> Vec<String> {
    let folder = folder_of(file, old);
    let place = |path: &str| if path.starts_with(shipped::MARK) { PathBuf::from(path) } else { folder.join(path) };
    let rendered = |f: &FileRead| match super::files::read_text(&place(&f.path)) {
        Err(why) => Some(format!("{} cannot be read: {why}", f.path)),
        Ok(text) if super::files::sha256(text.as_bytes()) != f.sha256 => Some(format!("{} has changed", f.path)),
        Ok(_) => None,
    };
    old.file.iter().filter_map(rendered).collect()
}
