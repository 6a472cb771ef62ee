//! Receipts: what a result was made from, so that anybody can make it again and see that it is the same.

use super::files::{self, ReadFile};
use super::out::{Out, Stop};
use super::outputs::put;
use super::seal::{self, Seal};
use grognard_base::{Code, Diagnostic, Source, Sources, Span, safe};
use grognard_report::page;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// The form of receipts that is written and read.
const FORM: u32 = 2;
/// The first line of a receipt.
const HEAD: &str = "# What a result of grognard was made from. See it made again: grognard replay FILE\n";

/// What a result was made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The form of the receipt.
    pub receipt: u32,
    /// The version of the program.
    pub grognard: String,
    /// The folder in which the command was given, from that of the receipt; all paths are from there.
    pub folder: String,
    /// The command line without the program.
    pub command: Vec<String>,
    /// How wide messages were laid out, if that was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<usize>,
    /// Messages were coloured.
    pub colour: bool,
    /// What was printed.
    pub output: Printed,
    /// For each result: the scenario, the rules and their versions, the seed and other settings, as they were in the end.
    #[serde(default)]
    pub result: Vec<toml::Table>,
    /// Every file that was read.
    #[serde(default)]
    pub file: Vec<FileRead>,
}

/// What was printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    /// The exit code.
    pub code: u8,
    /// How many bytes.
    pub bytes: u64,
    /// Their hash.
    pub sha256: String,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileRead {
    /// Where it is, from the folder of the command.
    pub path: String,
    /// The hash of its content.
    pub sha256: String,
}

/// Options that name a file which is written beside what is printed, and changes nothing in it.
const BESIDE: [&str; 4] = ["--receipt", "--journal", "--report", "--out"];

/// True for `--receipt=FILE` and its like.
fn beside(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| BESIDE.contains(&name))
}

/// A command line without the program, with absolute paths of files that are there written from the folder they are looked
/// at from, so that the same command can be given elsewhere.
pub fn portable(words: &[OsString]) -> Result<Vec<String>, Stop> {
    let here = files::here()?;
    let text = |word: &OsString| {
        let word = word.to_str();
        word.ok_or_else(|| Stop::failed("a receipt needs a command line that is plain UTF-8 text"))
            .map(|word| relative(word, &here))
    };
    words.iter().skip(1).map(text).collect()
}

/// Takes `--receipt FILE` and its like out of a command line.
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

/// A word of a command line with the absolute path in it made relative: `PATH`, `--name=PATH`, `PATH:settings`.
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

/// The way to a file or folder from a folder, with `/`; both are absolute and without links.
pub fn from(path: &Path, folder: &Path) -> String {
    let (path, folder): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (path.components().collect(), folder.components().collect());
    let same = path.iter().zip(&folder).take_while(|(a, b)| a == b).count();
    let up = folder[same..].iter().map(|_| "..".to_string());
    let down = path[same..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let parts: Vec<String> = up.chain(down).collect();
    if parts.is_empty() { ".".to_string() } else { parts.join("/") }
}

/// Writes the receipt of what was printed.
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

/// What a page shows of the result so far: the version, the command, the settings of each result, and the files that were
/// read with their hashes. Threads are left out, as no result hangs on them.
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

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Reads a receipt; what is wrong with it is given instead.
pub fn read(file: &Path, sources: &mut Sources) -> Result<Result<Receipt, Diagnostic>, Stop> {
    let text = files::text_of(file)?;
    let parsed = toml::from_str::<Receipt>(&text);
    let whole = text.len();
    let begun = !text.is_empty() && (text.starts_with(HEAD) || HEAD.starts_with(&text));
    let seal = seal::seal(&text);
    let id = sources.add(Source::new(file.display().to_string(), text));
    let bad = |message: String| Diagnostic::new(Code::BadReceipt, Span::new(id, 0, 0), message);
    Ok(match parsed {
        _ if begun && seal == Seal::Cut => Err(bad("this receipt is cut off: its last lines are missing".to_string())),
        Err(why) => {
            let place = why.span().unwrap_or(0..0);
            let span = Span::new(id, place.start.min(whole), place.end.min(whole));
            Err(Diagnostic::new(Code::BadReceipt, span, format!("this is no receipt: {}", why.message())))
        }
        Ok(receipt) if receipt.receipt != FORM => {
            Err(bad(format!("this is a receipt of form {}, and this program reads form {FORM}", receipt.receipt)))
        }
        Ok(receipt) => match unfit(&receipt) {
            Some(why) => Err(bad(why)),
            None if seal != Seal::Whole => {
                Err(bad("this receipt is not as it was written: it was damaged or edited".to_string()))
            }
            None => Ok(receipt),
        },
    })
}

/// Why a receipt cannot be followed.
fn unfit(receipt: &Receipt) -> Option<String> {
    let named = receipt.command.iter().any(|word| BESIDE.contains(&word.as_str()) || beside(word));
    let absolute = |path: &str| Path::new(path).is_absolute();
    if named || receipt.command.is_empty() {
        return Some("its `command` is none that keeps a receipt".to_string());
    }
    if absolute(&receipt.folder) || receipt.file.iter().any(|f| absolute(&f.path)) {
        return Some("its paths are to be relative".to_string());
    }
    None
}

/// Where the command of a receipt was given.
pub fn folder_of(file: &Path, receipt: &Receipt) -> PathBuf {
    let beside = file.parent().unwrap_or(Path::new(""));
    let folder = beside.join(&receipt.folder);
    if folder == Path::new("") { PathBuf::from(".") } else { folder }
}
