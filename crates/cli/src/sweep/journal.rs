//! The journal of a sweep: a file with one line and a checksum for each finished point. Lines with a wrong checksum are
//! ignored, so a sweep can be interrupted at any time and resumes from its journal.

use super::super::FOUND;
use super::super::check::counted;
use super::super::files::read_journal;
use super::super::out::{Stop, complain};
use super::super::outputs::{refuses, replace};
use super::super::seal;
use grognard_base::{Code, Diagnostic, OrdMap, Source, Sources, Span, safe};
use grognard_report::sweep::Row;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The version of the format of journals.
pub const FORM: u32 = 2;

/// The first line: everything that the results depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format.
    pub sweep: u32,
    /// The version of the program.
    pub grognard: String,
    /// Number of points of the whole sweep.
    pub points: u64,
    /// Columns of the rows.
    pub columns: Vec<String>,
    /// Rules and scenarios, with hashes.
    pub files: OrdMap<String, String>,
    /// The measures of each table, and their settings.
    pub tables: Vec<Value>,
}

impl Header {
    /// Returns the first difference from another header, or `None` if they are equal.
    fn differs(&self, other: &Header) -> Option<String> {
        let names = self.files.keys().chain(other.files.keys());
        let file = names.into_iter().find(|name| self.files.get(*name) != other.files.get(*name));
        match () {
            () if self == other => None,
            () if self.sweep != other.sweep || self.grognard != other.grognard => {
                Some(format!("it was written by grognard {}", other.grognard))
            }
            () if self.tables.len() != other.tables.len() => Some("its scenarios or rules differ".into()),
            () => Some(match (file, self.tables.iter().zip(&other.tables).find(|(a, b)| a != b)) {
                (_, Some((a, b))) => {
                    let keys = a.as_object().into_iter().flat_map(|o| o.keys());
                    let key = keys.into_iter().find(|key| a.get(key) != b.get(key)).cloned().unwrap_or_default();
                    format!("its {} is {}, not {}", word(&key), short(b.get(&key)), short(a.get(&key)))
                }
                (Some(name), None) => format!("{name} has changed"),
                (None, None) => "its points differ".into(),
            }),
        }
    }
}

/// Returns the term for a key of a table.
fn word(key: &str) -> &str {
    if key == "over" { "grid" } else { key }
}

fn short(value: Option<&Value>) -> String {
    let text = value.map_or("nothing".to_string(), Value::to_string);
    let cut: String = text.chars().take(60).collect();
    if cut.len() < text.len() { cut + ".." } else { cut }
}

/// The line of a finished point.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DonePoint {
    point: u64,
    rows: Vec<Row>,
}

/// The finished points.
pub struct Journal {
    header: Header,
    /// The header as text. The checksums of all lines include it.
    key: String,
    done: BTreeMap<u64, Vec<Row>>,
    file: Option<(PathBuf, File)>,
}

impl Journal {
    /// Creates a journal without a file.
    pub fn in_memory(header: Header) -> Result<Journal, Stop> {
        let key = json(&header)?;
        Ok(Journal { header, key, done: BTreeMap::new(), file: None })
    }

    /// Opens the journal of this sweep, or creates it. Damaged lines are removed, and their points are measured again.
    pub fn open(path: &Path, header: Header, sources: &mut Sources) -> Result<Journal, Stop> {
        let failed = |why: std::io::Error| Stop::failed(format!("{} cannot be written: {why}", path.display()));
        let there = std::fs::symlink_metadata(path).is_ok() || refuses(path);
        let text = if there { read_journal(path)? } else { String::new() };
        let mut journal = Journal::in_memory(header)?;
        let mut kept = seal::line(&journal.key, "");
        // a journal with an incomplete first line is created again
        if text.contains('\n') || !kept.starts_with(&text) {
            let old = read(path, &text, sources).and_then(|(old, damaged)| match journal.header.differs(&old.header) {
                Some(why) => Err(bad(path, &text, format!("this journal belongs to another command: {why}"), sources)),
                None => Ok((old, damaged)),
            });
            let (old, damaged) = old.map_err(|found| Stop::found(sources, FOUND)(vec![found]))?;
            if damaged > 0 {
                let lines = counted(damaged, "damaged line");
                let again = "with a wrong checksum: their points are measured again";
                complain(&format!("{}: {lines} {again}", path.display()));
            }
            journal.done = old.done;
            for (point, rows) in &journal.done {
                kept += &journal.line(&DonePoint { point: *point, rows: rows.clone() })?;
            }
        }
        if kept != text {
            replace(path, &kept)?;
        }
        let file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        journal.file = Some((path.to_path_buf(), file));
        Ok(journal)
    }

    /// Returns the line of a point.
    fn line(&self, done: &DonePoint) -> Result<String, Stop> {
        Ok(seal::line(&json(done)?, &self.key))
    }

    /// Returns everything that the results depend on.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns whether the point is finished.
    pub fn has(&self, point: u64) -> bool {
        self.done.contains_key(&point)
    }

    /// Returns the rows of a point, or `None` if it is not finished.
    pub fn rows(&self, point: u64) -> Option<&[Row]> {
        self.done.get(&point).map(Vec::as_slice)
    }

    /// Adds a point. A partly written line is removed.
    pub fn add(&mut self, point: u64, rows: Vec<Row>) -> Result<(), Stop> {
        let done = DonePoint { point, rows };
        let line = self.line(&done)?;
        if let Some((path, file)) = &mut self.file {
            let before = file.metadata().map(|info| info.len());
            if let Err(why) = file.write_all(line.as_bytes()) {
                let _ = before.and_then(|length| file.set_len(length));
                return Err(Stop::failed(format!("{} cannot be written: {why}", path.display())));
            }
        }
        self.done.entry(point).or_insert(done.rows);
        Ok(())
    }

    /// Flushes the file to the disk.
    pub fn finish(&mut self) -> Result<(), Stop> {
        match &self.file {
            Some((path, file)) => {
                file.sync_all().map_err(|why| Stop::failed(format!("{} cannot be written: {why}", path.display())))
            }
            None => Ok(()),
        }
    }
}

fn json(value: &impl Serialize) -> Result<String, Stop> {
    let text =
        serde_json::to_string(value).map_err(|why| Stop::failed(format!("the journal cannot be written: {why}")))?;
    Ok(safe::json(&text).into_owned())
}

/// Reads a journal of any sweep, and returns it with the number of damaged lines.
fn read(path: &Path, text: &str, sources: &mut Sources) -> Result<(Journal, usize), Diagnostic> {
    // the text after the last line break is an incomplete line
    let whole = &text[..text.rfind('\n').map_or(0, |at| at + 1)];
    let mut lines = whole.split_terminator('\n');
    let first = lines.next().unwrap_or_default();
    let Some(key) = seal::unsealed(first, "") else {
        let sealed = first.contains("\"sweep\"");
        let why = if sealed { "the first line of this journal is damaged" } else { "this is not a journal of a sweep" };
        return Err(bad(path, text, why.into(), sources));
    };
    let Some(header) = serde_json::from_str::<Header>(&key).ok().filter(|h| h.sweep == FORM) else {
        let why = format!("this journal does not have format {FORM}, which this program reads");
        return Err(bad(path, text, why, sources));
    };
    let mut journal = Journal { header, key, done: BTreeMap::new(), file: None };
    let mut damaged = 0;
    for line in lines {
        let done = seal::unsealed(line, &journal.key).and_then(|json| serde_json::from_str::<DonePoint>(&json).ok());
        match done.filter(|done| done.point < journal.header.points) {
            Some(done) => drop(journal.done.entry(done.point).or_insert(done.rows)),
            None => damaged += 1,
        }
    }
    Ok((journal, damaged))
}

/// Returns a finding about a journal.
fn bad(path: &Path, text: &str, why: String, sources: &mut Sources) -> Diagnostic {
    let first = text.lines().next().unwrap_or_default();
    let shown: String = first.chars().take(100).collect();
    let id = sources.add(Source::new(path.display().to_string(), shown));
    Diagnostic::new(Code::BadJournal, Span::new(id, 0, 0), why)
}
