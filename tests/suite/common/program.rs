//! The program, started as a user does.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of a test's own with files in it; no two tests of a file may give it the same name.
#[track_caller]
pub fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let file = Path::new(std::panic::Location::caller().file()).file_stem().unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        let file = folder.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    folder
}

/// The program, to be started in a folder. Results that it keeps outside of projects stay with the tests.
pub fn grognard(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grognard"));
    command.args(args).current_dir(folder).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env("COLUMNS", "100");
    command.env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

/// What came of it.
pub fn output(folder: &Path, args: &[&str]) -> Output {
    grognard(folder, args).output().unwrap()
}

/// What was printed.
pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What was said on standard error.
pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The exit code, what is printed, and what is said on standard error.
pub fn said_apart(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = output(folder, args);
    (output.status.code().unwrap(), out(&output), err(&output))
}

/// The exit code, and what is printed with what is said on standard error behind it.
pub fn said(folder: &Path, args: &[&str]) -> (i32, String) {
    let (code, printed, errors) = said_apart(folder, args);
    (code, printed + &errors)
}
