//! `grognard mutants`: changes the rules one small way at a time, and tells which changes no test notices.

use super::check::{counted, is_scenario};
use super::files::{Root, collect, sha256, text_of};
use super::options::Threads;
use super::out::{Out, Stop, complain, remark};
use super::progress::{Progress, watch};
use super::sweep::journal::{FORM, Header, Journal};
use super::{FINE, FOUND, LIMIT, UNUSABLE, pinned, run as played, scenes};
use clap::ValueEnum;
use grognard_base::order;
use grognard_base::{Budget, Code, Diagnostic, Effort, FileId, OrdMap, Source, Sources};
use grognard_lab::mutants::{self, Book, Judge, Mutation, Project, ProjectScene, Shelf, Suite, Verdict, judge_all};
use grognard_play::record::Recorder;
use grognard_play::{self as play, Options};
use grognard_report::mutants::{Counts, MutationRow, finding, list, sarif};
use grognard_rules::Library;
use grognard_scenario::{self as scenario, Scenario};
use grognard_syntax as syntax;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What a journal of this command has in place of columns.
pub const COLUMNS: [&str; 1] = ["mutants"];

/// What to change and to test.
#[derive(clap::Args)]
#[command(after_long_help = "\
  grognard mutants rulesets/recoil --list             only the changes
  grognard mutants rulesets/recoil --journal recoil.journal
  grognard mutants rulesets/warstrike --clause WA-31
  grognard mutants . --sample 200 --at-least 97 --format sarif > mutants.sarif

A comment excuses a line, or the item below it:  # mutants: skip because \"reason\"")]
pub struct MutantsArgs {
    /// Files and folders; this folder if none is named. Rules files are changed, and what `grognard test` runs of them
    /// is run.
    paths: Vec<PathBuf>,
    /// Only changes under this clause; may be given again.
    #[arg(long, value_name = "ID")]
    clause: Vec<String>,
    /// Tells the changes and runs nothing.
    #[arg(long)]
    list: bool,
    /// Exit code 0 if at least so many percent of the changes are noticed.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(..=100))]
    at_least: Option<u64>,
    /// Only so many changes, picked by chance.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// The seed of that.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=super::mode::MOST_SEED))]
    seed: u64,
    /// Keeps each change that was judged in this file. The same command goes on from there, however it was ended.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// How it is told.
    #[arg(long, value_enum, default_value_t = MutantsForm::Human)]
    format: MutantsForm,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MutantsForm {
    /// What no test noticed, and counts.
    Human,
    /// One JSON document with every change.
    Json,
    /// What no test noticed, as SARIF 2.1.0.
    Sarif,
}

/// Changes, judges and tells.
pub fn run(args: &MutantsArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, MutantsForm::Human);
    let mut found = Found::default();
    let mut problems = found.read(&args.paths)?;
    let mut all = Vec::new();
    for (at, (_, file)) in found.books.iter().enumerate() {
        let Some(source) = found.sources.get(*file) else { continue };
        let (tree, wrong) = syntax::parse(*file, source);
        problems.extend(wrong.into_iter().filter(Diagnostic::is_error));
        for line in mutants::unclear(source) {
            remark(&format!(
                "{}:{line}: this excuses nothing; write `# mutants: skip because \"reason\"`",
                source.shown
            ));
        }
        all.extend(mutants::changes(&tree, source).into_iter().map(|change| (at, change)));
    }
    if !problems.is_empty() {
        return Err(Stop::Found(problems, found.sources, UNUSABLE));
    }
    let all = picked(args, all);
    if all.is_empty() {
        return Err(Stop::failed("there is nothing to change in what is named"));
    }
    let books: Vec<(Book, FileId)> = found.books.clone();
    let sources = found.sources.clone();
    let changes: Vec<(&Book, Mutation)> = all.into_iter().map(|(at, change)| (&books[at].0, change)).collect();
    let source_of = |n: usize| {
        let file = changes[n].1.edits.first().map_or(FileId::default(), |(span, _)| span.file);
        sources.get(file)
    };
    let verdicts = if args.list {
        vec![None; changes.len()]
    } else {
        match judged(args, found, &changes, out)? {
            Some(verdicts) => verdicts,
            None => return Ok(UNUSABLE),
        }
    };
    let rows = changes.iter().zip(&verdicts).enumerate();
    let rows = rows.filter_map(|(n, ((_, change), verdict))| {
        Some(MutationRow { source: source_of(n)?, change, verdict: verdict.as_ref() })
    });
    let rows: Vec<MutationRow<'_>> = rows.collect();
    let done = verdicts.iter().flatten().count();
    let found = if args.list { list(&rows) } else { finding(&rows) };
    match args.format {
        MutantsForm::Human => out.text(&found.text())?,
        MutantsForm::Json => out.json(&found.json())?,
        MutantsForm::Sarif => out.text(&sarif(&rows))?,
    }
    if args.list {
        return Ok(FINE);
    }
    if done < changes.len() {
        complain(&format!("stopped by hand: {done} of {} are judged", counted(changes.len(), "change")));
        return Ok(LIMIT);
    }
    let counts = Counts::of(&rows);
    let enough = (counts.wanted() as u64).saturating_mul(args.at_least.unwrap_or(100));
    Ok(if counts.noticed as u64 * 100 >= enough { FINE } else { FOUND })
}

/// The changes that are asked for.
fn picked(args: &MutantsArgs, mut all: Vec<(usize, Mutation)>) -> Vec<(usize, Mutation)> {
    if !args.clause.is_empty() {
        all.retain(|(_, change)| change.clauses.iter().any(|id| args.clause.contains(id)));
    }
    if let Some(most) = args.sample.and_then(|n| usize::try_from(n).ok()) {
        let drawn = |n: usize| sha256(format!("{} {n}", args.seed).as_bytes());
        let mut order: Vec<(String, usize)> = (0..all.len()).map(|n| (drawn(n), n)).collect();
        order::sort(&mut order);
        let mut kept: Vec<usize> = order.into_iter().take(most).map(|(_, n)| n).collect();
        order::sort(&mut kept);
        all = kept.into_iter().filter_map(|n| all.get(n).cloned()).collect();
    }
    all
}

/// What is named on the command line.
#[derive(Default)]
struct Found {
    sources: Sources,
    roots: Vec<String>,
    libraries: Vec<Shelf<'static>>,
    books: Vec<(Book, FileId)>,
    scenes: Vec<ProjectScene>,
}

impl Found {
    /// Reads rules files and scenarios; what keeps scenarios from being read is given.
    fn read(&mut self, paths: &[PathBuf]) -> Result<Vec<Diagnostic>, Stop> {
        let mut problems = Vec::new();
        let files = collect(paths, &["rules", "toml"])?.readable();
        for path in files {
            if path.extension().is_some_and(|e| e == "rules") {
                self.book(&path)?;
            } else if is_scenario(&path, paths) {
                problems.extend(self.scene(&path)?);
            }
        }
        Ok(problems)
    }

    fn root(&mut self, root: Root) -> usize {
        let folder = root.folder();
        self.roots.iter().position(|known| *known == folder).unwrap_or_else(|| {
            self.roots.push(folder);
            self.libraries.push(Shelf::new(root));
            self.roots.len() - 1
        })
    }

    fn book(&mut self, path: &Path) -> Result<(), Stop> {
        let failed = |why: String| Stop::failed(format!("{} cannot be read: {why}", path.display()));
        let (root, file) = Root::of_rules(path)?;
        let root = self.root(root);
        let library = &self.libraries[root];
        let text = library.read(&file).map_err(failed)?.unwrap_or_default();
        let id = self.sources.add(Source::new(file.as_str(), text).shown_as(library.shown(&file)));
        let name = file.strip_suffix(".rules").unwrap_or(&file).to_string();
        self.books.push((Book { root, name }, id));
        Ok(())
    }

    fn scene(&mut self, path: &Path) -> Result<Vec<Diagnostic>, Stop> {
        let text = text_of(path)?;
        let (root, own, name) = Root::of_scenario(path, &scenes::rules_of(path, &text))?;
        let root = self.root(root);
        let own = own.map_or(root, |own| self.root(own));
        let read = scenario::read(&name, text, &self.libraries[own], &mut self.sources);
        let named = read.and_then(|document| Ok((scenario::rulesets(&document)?, document)));
        Ok(match named {
            Err(found) => found,
            Ok((rules, document)) => {
                let rules = rules.into_iter().map(|(name, _)| name).collect();
                let path = path.display().to_string().replace('\\', "/");
                self.scenes.push(ProjectScene { path, own: (own, name), root, rules, document });
                Vec::new()
            }
        })
    }
}

/// The verdict on each change that was judged; none if the tests fail while nothing is changed.
type Judged = Option<Vec<Option<Verdict>>>;

fn judged(args: &MutantsArgs, found: Found, changes: &[(&Book, Mutation)], out: &mut Out) -> Result<Judged, Stop> {
    let Found { sources, libraries, books, scenes, .. } = found;
    let budget = Budget { watch: Some(watch), ..Effort::Thorough.budget() };
    let books = books.into_iter().map(|(book, _)| book).collect();
    let suite = match Suite::new(Project { sources, libraries, books, scenes, budget, told: &told }) {
        Ok(suite) => suite,
        Err((failed, sources)) => {
            for failed in failed {
                complain(&format!("{} fails while nothing is changed", failed.name));
                out.errors(&failed.found, &sources)?;
            }
            return Ok(None);
        }
    };
    if suite.count() == (0, 0) {
        return Err(Stop::failed("there is no example and no scenario in what is named"));
    }
    let header = header(args, changes, suite.sources());
    let mut own = Sources::default();
    let journal = match &args.journal {
        None => Journal::in_memory(header)?,
        Some(file) => Journal::open(file, header, &mut own)?,
    };
    let known: Vec<Option<Verdict>> = (0..changes.len()).map(|n| kept(&journal, n)).collect();
    let left = known.iter().filter(|verdict| verdict.is_none()).count() as u64;
    let long = Progress::of(left, "changes")?;
    let journal = Mutex::new((journal, None));
    let done = |n: usize, verdict: Verdict| {
        // what was cut short by hand says nothing
        if Progress::pressed() {
            return false;
        }
        let mut locked = journal.lock().unwrap_or_else(PoisonError::into_inner);
        let row = serde_json::to_value(verdict).ok().and_then(|v| v.as_object().cloned()).unwrap_or_default();
        if let Err(stop) = locked.0.add(n as u64, vec![row]) {
            locked.1 = Some(stop);
            return false;
        }
        long.more(1)
    };
    let cores = args.threads.count();
    judge_all(&Judge { suite: &suite, changes, known: &known, done: &done }, cores);
    drop(long);
    let (mut journal, stop) = journal.into_inner().unwrap_or_else(PoisonError::into_inner);
    journal.finish()?;
    match stop {
        Some(stop) => Err(stop),
        None => Ok(Some((0..changes.len()).map(|n| kept(&journal, n)).collect())),
    }
}

/// The verdict that a journal has on a change.
fn kept(journal: &Journal, n: usize) -> Option<Verdict> {
    let row = journal.rows(n as u64)?.first()?;
    serde_json::from_value(Value::Object(row.clone())).ok()
}

/// All that the verdicts hang on.
fn header(args: &MutantsArgs, changes: &[(&Book, Mutation)], sources: &Sources) -> Header {
    let files: OrdMap<String, String> =
        sources.iter().map(|(_, s)| (s.shown.clone(), sha256(s.text.as_bytes()))).collect();
    Header {
        sweep: FORM,
        grognard: env!("CARGO_PKG_VERSION").to_string(),
        points: changes.len() as u64,
        columns: COLUMNS.map(str::to_string).to_vec(),
        files,
        tables: vec![json!({ "clauses": args.clause, "sample": args.sample, "seed": args.seed })],
    }
}

/// What is wrong with a run whose trace is pinned.
fn told(path: &str, scenario: &Scenario, sources: &Sources) -> Vec<Diagnostic> {
    let path = Path::new(path);
    let about = played::about(path, scenario, None, None);
    let (outcome, events) =
        play::record(scenario, Options::default(), Recorder::new(&scenario.game, &about, Some(sources)));
    let mut found = outcome.problems;
    match pinned::check(path, scenario, &events) {
        Ok(more) => found.extend(more),
        Err(Stop::Quiet) => {}
        Err(stop) => found.push(Diagnostic::general(Code::Unreadable, stop.to_string())),
    }
    found
}
