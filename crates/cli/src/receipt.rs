//! Receipts: the inputs of a result, which are sufficient to reproduce it.

use super::files::{self, ReadFile};
use super::out::{Out, Stop};
use super::outputs::put;
use super::seal::{self, Seal};
use grognard_base::{Code, Diagnostic, Source, Sources, Span, safe};
use grognard_report::page;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// The version of the format of receipts.
const FORM: u32 = 2;
/// The first line of a receipt.
const HEAD: &str = "# What a result of grognard was made from. See it made again: grognard replay FILE\n";

/// The inputs of a result, and a hash of the output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The version of the format.
    pub receipt: u32,
    /// The version of the program.
    pub grognard: String,
    /// The folder of the command, relative to that of the receipt. All paths are relative to it.
    pub folder: String,
    /// The command line without the program.
    pub command: Vec<String>,
    /// The width of messages, if it was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<usize>,
    /// Whether the output had colors.
    pub colour: bool,
    /// The exit code, and the size and hash of the output.
    pub output: Printed,
    /// For each result: the scenario, the rules and their versions, the seed and other settings.
    #[serde(default)]
    pub result: Vec<toml::Table>,
    /// Every file that was read.
    #[serde(default)]
    pub file: Vec<FileRead>,
}

/// The output of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    /// The exit code.
    pub code: u8,
    /// The number of bytes.
    pub bytes: u64,
    /// The hash of the bytes.
    pub sha256: String,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileRead {
    /// The path, relative to the folder of the command.
    pub path: String,
    /// The hash of its content.
    pub sha256: String,
}

/// Options for files that do not affect the output.
const BESIDE: [&str; 4] = ["--receipt", "--journal", "--report", "--out"];

/// Returns whether a word is such an option with its value, such as `--receipt=FILE`.
fn beside(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| BESIDE.contains(&name))
}

/// Returns a command line without the program, with relative paths for existing files, so that the command can be rerun
/// elsewhere.
pub fn portable(words: &[OsString]) -> Result<Vec<String>, Stop> {
    let here = files::here()?;
    let text = |word: &OsString| {
        let word = word.to_str();
        word.ok_or_else(|| Stop::failed("a receipt requires a command line in UTF-8")).map(|word| relative(word, &here))
    };
    words.iter().skip(1).map(text).collect()
}

/// Removes `--receipt FILE` and similar options from a command line.
pub fn alone(words: &[String]) -> Vec<String> {
    let mut left = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            word if BESIDE.contains(&word) => drop(words.next()),
            word if beside(word) => {}
            word => left.push(word.to_string()),
        }
    }
    left
}

/// Returns a word of a command line with a relative path in place of an absolute one: `PATH`, `--name=PATH`, `PATH:settings`.
pub fn relative(word: &str, here: &Path) -> String {
    let start = if word.starts_with("--") { word.find('=').map_or(0, |at| at + 1) } else { 0 };
    let (head, text) = word.split_at(start);
    let ends = [text.len()].into_iter().chain(text.rfind(':'));
    for end in ends {
        let (path, tail) = text.split_at(end);
        if Path::new(path).is_absolute()
            && let Ok(full) = std::fs::canonicalize(path)
        {
            return format!("{head}{}{tail}", from(&full, here));
        }
    }
    word.to_string()
}

/// Returns the relative path to a file from a folder, with `/`. Both must be absolute and without links.
pub fn from(path: &Path, folder: &Path) -> String {
    let (path, folder): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (path.components().collect(), folder.components().collect());
    let same = path.iter().zip(&folder).take_while(|(a, b)| a == b).count();
    let up = folder[same..].iter().map(|_| "..".to_string());
    let down = path[same..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let parts: Vec<String> = up.chain(down).collect();
    if parts.is_empty() { ".".to_string() } else { parts.join("/") }
}

/// Writes the receipt of the output.
pub fn write(file: &Path, command: Vec<String>, code: u8, out: &Out) -> Result<(), Stop> {
    let here = files::here()?;
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let folder = std::fs::canonicalize(folder)
        .map_err(|why| Stop::failed(format!("{} cannot be written: {why}", file.display())))?;
    let seen = files::seen().into_iter();
    let receipt = Receipt {
        receipt: FORM,
        grognard: env!("CARGO_PKG_VERSION").to_string(),
        folder: from(&here, &folder),
        command,
        columns: super::columns(),
        colour: out.colour(),
        output: Printed { code, bytes: out.bytes(), sha256: out.hash() },
        result: out.notes().to_vec(),
        file: seen.map(|ReadFile { path, sha256 }| FileRead { path: files::written(&path, &here), sha256 }).collect(),
    };
    let table =
        toml::Table::try_from(&receipt).map_err(|why| Stop::failed(format!("the receipt cannot be written: {why}")))?;
    put(file, seal::text(&format!("{HEAD}{}", safe::toml(&table))))
}

/// Returns the receipt for a report: the version, the command, the settings of each result, and the files with their hashes.
/// Threads are omitted, because no result depends on them.
pub fn shown(out: &Out) -> Result<page::Receipt, Stop> {
    #[derive(Serialize)]
    struct ShownReceipt<'o> {
        result: &'o [toml::Table],
        file: Vec<FileRead>,
    }
    let here = files::here()?;
    let mut command = "grognard".to_string();
    let mut words = alone(&portable(&std::env::args_os().collect::<Vec<OsString>>())?).into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--threads" => drop(words.next()),
            word if word.starts_with("--threads=") => {}
            word => command = format!("{command} {}", quoted(word)),
        }
    }
    let seen = files::seen()
        .into_iter()
        .map(|ReadFile { path, sha256 }| FileRead { path: files::written(&path, &here), sha256 });
    let text = toml::to_string(&ShownReceipt { result: out.notes(), file: seen.collect() })
        .map_err(|why| Stop::failed(format!("the receipt cannot be written: {why}")))?;
    let version = env!("CARGO_PKG_VERSION").to_string();
    Ok(page::Receipt { facts: vec![("grognard".into(), version), ("command".into(), command)], text })
}

/// Returns a word with quotes for a shell, if it needs them.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Reads a receipt, or returns the finding about it.
pub fn read(file: &Path, sources: &mut Sources) -> Result<Result<Receipt, Diagnostic>, Stop> {
    let text = files::text_of(file)?;
    let parsed = toml::from_str::<Receipt>(&text);
    let whole = text.len();
    let begun = !text.is_empty() && (text.starts_with(HEAD) || HEAD.starts_with(&text));
    let seal = seal::seal(&text);
    let id = sources.add(Source::new(file.display().to_string(), text));
    let bad = |message: String| Diagnostic::new(Code::BadReceipt, Span::new(id, 0, 0), message);
    Ok(match parsed {
        _ if begun && seal == Seal::Cut => {
            Err(bad("this receipt is incomplete: its last lines are missing".to_string()))
        }
        Err(why) => {
            let place = why.span().unwrap_or(0..0);
            let span = Span::new(id, place.start.min(whole), place.end.min(whole));
            Err(Diagnostic::new(Code::BadReceipt, span, format!("this is not a receipt: {}", why.message())))
        }
        Ok(receipt) if receipt.receipt != FORM => {
            Err(bad(format!("this receipt has format {}, and this program reads format {FORM}", receipt.receipt)))
        }
        Ok(receipt) => match unfit(&receipt) {
            Some(why) => Err(bad(why)),
            None if seal != Seal::Whole => {
                Err(bad("this receipt was damaged or edited: its checksum is wrong".to_string()))
            }
            None => Ok(receipt),
        },
    })
}

/// Returns why a receipt cannot be rerun, or `None` if it can.
fn unfit(receipt: &Receipt) -> Option<String> {
    let named = receipt.command.iter().any(|word| BESIDE.contains(&word.as_str()) || beside(word));
    let absolute = |path: &str| Path::new(path).is_absolute();
    if named || !super::words::can_have_receipt(&receipt.command) {
        return Some("its `command` cannot have a receipt".to_string());
    }
    if absolute(&receipt.folder) || receipt.file.iter().any(|f| absolute(&f.path)) {
        return Some("its paths must be relative".to_string());
    }
    None
}

/// Returns the folder of the command of a receipt.
pub fn folder_of(file: &Path, receipt: &Receipt) -> PathBuf {
    let beside = file.parent().unwrap_or(Path::new(""));
    let folder = beside.join(&receipt.folder);
    if folder == Path::new("") { PathBuf::from(".") } else { folder }
}
