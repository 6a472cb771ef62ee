//! `grognard book`: writes a ruleset as an HTML rulebook, or only its reference sheet.

use super::check::counted;
use super::files::Root;
use super::out::{Out, Stop};
use super::outputs::replace;
use super::{FINE, UNUSABLE, new, shipped};
use grognard_base::Sources;
use grognard_book::{MARKER, book, pages, sheet_page};
use std::fs;
use std::path::{Path, PathBuf};

/// The first line of the marker file of a book.
const HEAD: &str = "A book that grognard wrote; its files:";

/// The arguments of `grognard book`.
#[derive(clap::Args)]
pub struct BookArgs {
    /// Rules file, or a ruleset name such as warstrike/core
    ruleset: PathBuf,
    /// Output folder, or the HTML file of the sheet
    ///
    /// The folder must be new, be empty, or contain a book. With --sheet, the output is a file, which is replaced.
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// Write only the reference sheet, as one HTML file
    ///
    /// The sheet has the numbers, tables, actions, modifiers and statuses, without the text of the rules. A book also
    /// contains it.
    #[arg(long, conflicts_with_all = ["force", "no_odds"])]
    sheet: bool,
    /// Write into a folder with other files
    ///
    /// The other files stay unchanged.
    #[arg(long)]
    force: bool,
    /// Skip the odds of tests, the slowest part
    #[arg(long)]
    no_odds: bool,
}

/// Writes the pages of the book and prints a summary.
pub fn run(args: &BookArgs, out: &mut Out) -> Result<u8, Stop> {
    let (root, name) = Root::of_rules(&file(&args.ruleset))?;
    let shown = args.output.display();
    if args.sheet && args.output.is_dir() {
        return Err(Stop::failed(format!("{shown} is a folder; with --sheet, name a file such as {shown}/sheet.html")));
    }
    let old = if args.sheet { None } else { before(&args.output, args.force)? };
    let mut sources = Sources::default();
    if args.sheet {
        let made = book(&name, &root, &mut sources, false).map_err(Stop::found(&sources, UNUSABLE))?;
        replace(&args.output, sheet_page(&made))?;
        out.line(&format!("{}: {}; open {shown}", made.name, counted(made.sheet.grids.len(), "table")))?;
        return Ok(FINE);
    }
    let made = book(&name, &root, &mut sources, !args.no_odds).map_err(Stop::found(&sources, UNUSABLE))?;
    let mut files = pages(&made);
    let listed: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
    files.push((MARKER.to_string(), marker(&listed)));
    match old {
        None => new::write_all(&args.output, &files)?,
        Some(old) => over(&args.output, &files, &old)?,
    }
    out.line(&format!(
        "{}: {}, {}, {}; open {}",
        made.name,
        counted(made.chapters.len(), "chapter"),
        counted(made.names.len(), "name"),
        counted(made.clauses.len(), "clause"),
        args.output.join("index.html").display()
    ))?;
    Ok(FINE)
}

/// Returns the file of a ruleset. Its name can lack `.rules`.
fn file(named: &Path) -> PathBuf {
    let rules = PathBuf::from(format!("{}.rules", named.display()));
    let there = |path: &Path| path.is_file() || shipped::named(path).is_some_and(|name| shipped::read(&name).is_some());
    if !there(named) && there(&rules) { rules } else { named.to_path_buf() }
}

fn marker(files: &[String]) -> String {
    format!("{HEAD}\n{}\n", files.join("\n"))
}

/// Returns the files of the book in a folder, or `None` if the folder is empty or does not exist.
fn before(folder: &Path, force: bool) -> Result<Option<Vec<String>>, Stop> {
    let shown = folder.display();
    let Ok(mut entries) = fs::read_dir(folder) else { return Ok(None) };
    if entries.next().is_none() {
        return Ok(None);
    }
    let text = fs::read_to_string(folder.join(MARKER)).unwrap_or_default();
    let mut lines = text.lines();
    if lines.next() == Some(HEAD) {
        // only pages next to the marker are deleted
        let page = |name: &&str| name.ends_with(".html") && !name.contains(['/', '\\', ':', '\0']);
        return Ok(Some(lines.filter(page).map(str::to_string).collect()));
    }
    match force {
        true => Ok(Some(Vec::new())),
        false => Err(Stop::failed(format!(
            "{shown} is not empty and does not contain a book; name another folder, or use --force to keep its files"
        ))),
    }
}

/// Replaces an older book. Each page is replaced as a whole. Pages that the new book lacks are deleted last.
fn over(folder: &Path, files: &[(String, String)], old: &[String]) -> Result<(), Stop> {
    let stale: Vec<&String> = old.iter().filter(|name| !files.iter().any(|(new, _)| new == *name)).collect();
    let all: Vec<String> =
        files.iter().map(|(name, _)| name.clone()).chain(stale.iter().map(|s| s.to_string())).collect();
    replace(&folder.join(MARKER), marker(&all))?;
    for (name, text) in files.iter().filter(|(name, _)| name != MARKER) {
        replace(&folder.join(name), text)?;
    }
    for name in stale {
        let gone = fs::remove_file(folder.join(name));
        if let Err(why) = gone
            && why.kind() != std::io::ErrorKind::NotFound
        {
            return Err(Stop::failed(format!("{} cannot be removed: {why}", folder.join(name).display())));
        }
    }
    let own = files.iter().find(|(name, _)| name == MARKER).map_or("", |(_, text)| text.as_str());
    replace(&folder.join(MARKER), own)
}
