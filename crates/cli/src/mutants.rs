//! `grognard mutants`: changes the rules one at a time, and reports the changes that no test notices.

use super::cache::{Cache, CacheArgs, Inputs};
use super::check::{counted, is_scenario};
use super::files::{self, ReadFile, Root, collect, sha256, text_of};
use super::options::Threads;
use super::out::{Out, Stop, complain, remark};
use super::progress::{Progress, watch};
use super::sweep::journal::{FORM, Header, Journal};
use super::{FINE, FOUND, LIMIT, UNUSABLE, pinned, run as played, scenes};
use clap::ValueEnum;
use grognard_base::order;
use grognard_base::{Budget, Code, Diagnostic, Effort, FileId, OrdMap, Source, Sources, Watch};
use grognard_lab::mutants::{self, Book, Judge, Mutation, Project, ProjectScene, Shelf, Suite, Verdict, judge_all};
use grognard_play::record::Recorder;
use grognard_play::{self as play, Options};
use grognard_report::mutants::{Counts, MutationRow, finding, list, sarif};
use grognard_rules::Library;
use grognard_scenario::{self as scenario, Scenario};
use grognard_syntax as syntax;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The columns in the header of a journal of this command.
const COLUMNS: [&str; 1] = ["mutants"];

/// The arguments of `grognard mutants`.
#[derive(clap::Args)]
#[command(after_long_help = "\
With a journal from which the command resumes:
  grognard mutants rulesets/recoil --journal recoil.journal
Only rules under a clause:
  grognard mutants rulesets/warstrike --clause WA-31

A comment excuses a line, or the item below it:
  # mutants: skip because \"reason\"")]
pub struct MutantsArgs {
    /// Files and folders [default: the project, or this folder]
    ///
    /// The command changes the rules in memory, and runs the tests that `grognard test` runs for these paths.
    paths: Vec<PathBuf>,
    /// Mutate only rules under a clause (repeatable)
    #[arg(long, value_name = "ID")]
    clause: Vec<String>,
    /// Print the mutants; run nothing
    #[arg(long)]
    list: bool,
    /// Exit with 0 at this share of noticed mutants
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(..=100))]
    at_least: Option<u64>,
    /// Test only N random mutants
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Seed of the random choice
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=super::mode::MOST_SEED))]
    seed: u64,
    /// Save progress here and resume from it
    ///
    /// The file has a line for each finished mutant. The same command resumes from there.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    cache: CacheArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = MutantsForm::Human)]
    format: MutantsForm,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MutantsForm {
    /// Text with the mutants that no test notices
    Human,
    /// One JSON document with every mutant
    Json,
    /// One row per mutant
    Csv,
    /// SARIF 2.1.0 with the mutants that no test notices
    Sarif,
}

/// Tests the mutants and prints the result.
pub fn run(args: &MutantsArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, MutantsForm::Human);
    let began = files::changes();
    let mut found = Found::default();
    let mut problems = found.read(&args.paths)?;
    let mut all = Vec::new();
    for (at, (_, file)) in found.books.iter().enumerate() {
        let Some(source) = found.sources.get(*file) else { continue };
        let (tree, wrong) = syntax::parse(*file, source);
        problems.extend(wrong.into_iter().filter(Diagnostic::is_error));
        for line in mutants::unclear(source) {
            remark(&format!(
                "{}:{line}: this comment has no effect; write `# mutants: skip because \"reason\"`",
                source.shown
            ));
        }
        all.extend(mutants::changes(&tree, &found.sources).into_iter().map(|change| (at, change)));
    }
    if !problems.is_empty() {
        return Err(Stop::Found(problems, found.sources, UNUSABLE));
    }
    let all = picked(args, all);
    if all.is_empty() {
        return Err(Stop::failed("no rule to change found in the given paths"));
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
        match judged(args, found, &changes, began, out)? {
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
        MutantsForm::Csv => out.text(&found.csv())?,
        MutantsForm::Sarif => out.text(&sarif(&rows))?,
    }
    if args.list {
        return Ok(FINE);
    }
    if done < changes.len() {
        complain(&format!("interrupted: {done} of {} tested", counted(changes.len(), "change")));
        return Ok(LIMIT);
    }
    let counts = Counts::of(&rows);
    let enough = (counts.wanted() as u64).saturating_mul(args.at_least.unwrap_or(100));
    Ok(if counts.noticed as u64 * 100 >= enough { FINE } else { FOUND })
}

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

/// The rules and scenarios on the command line.
#[derive(Default)]
struct Found {
    sources: Sources,
    roots: Vec<String>,
    libraries: Vec<Shelf<'static>>,
    books: Vec<(Book, FileId)>,
    scenes: Vec<ProjectScene>,
}

impl Found {
    /// Reads rules files and scenarios, and returns the errors of scenarios that cannot be read.
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

/// The verdict on each tested change; `None` if the tests fail with unchanged rules.
type Judged = Option<Vec<Option<Verdict>>>;

fn judged(
    args: &MutantsArgs,
    found: Found,
    changes: &[(&Book, Mutation)],
    began: u64,
    out: &mut Out,
) -> Result<Judged, Stop> {
    let Found { sources, libraries, books, scenes, .. } = found;
    let budget = Budget { watch: Some(Watch::new(watch)), ..Effort::Thorough.budget() };
    let books = books.into_iter().map(|(book, _)| book).collect();
    let suite = match Suite::new(Project { sources, libraries, books, scenes, budget, check_scene: &check_scene }) {
        Ok(suite) => suite,
        Err((failed, sources)) => {
            for failed in failed {
                complain(&format!("{} fails with unchanged rules", failed.name));
                out.errors(&failed.found, &sources)?;
            }
            return Ok(None);
        }
    };
    if suite.count() == (0, 0) {
        return Err(Stop::failed("no examples or scenarios found in the given paths"));
    }
    let header = header(args, changes, suite.sources());
    let mut own = Sources::default();
    let mut journal = match &args.journal {
        None => Journal::in_memory(header)?,
        Some(file) => Journal::open(file, header, &mut own)?,
    };
    let cache = args.cache.open(None);
    let key = key(args, &cache);
    let cached: Vec<Option<Verdict>> = cache.get(key.as_deref()).unwrap_or_default();
    for (n, verdict) in cached.iter().enumerate().take(changes.len()) {
        if let (Some(verdict), None) = (verdict, journal.rows(n as u64)) {
            journal.add(n as u64, vec![row(verdict)])?;
        }
    }
    let known: Vec<Option<Verdict>> = (0..changes.len()).map(|n| kept(&journal, n)).collect();
    let left = known.iter().filter(|verdict| verdict.is_none()).count() as u64;
    let long = Progress::of(left, "changes")?;
    let journal = Mutex::new((journal, None));
    let done = |n: usize, verdict: Verdict| {
        // an interrupted test has no verdict
        if Progress::pressed() {
            return false;
        }
        let mut locked = journal.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(stop) = locked.0.add(n as u64, vec![row(&verdict)]) {
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
    if let Some(stop) = stop {
        return Err(stop);
    }
    let verdicts: Vec<Option<Verdict>> = (0..changes.len()).map(|n| kept(&journal, n)).collect();
    cache.keep(key.as_deref(), began, &verdicts);
    Ok(Some(verdicts))
}

/// Returns the key of the verdicts: the options, and every file that was read for the tests.
fn key(args: &MutantsArgs, cache: &Cache) -> Option<String> {
    let here = files::here().ok()?;
    cache.key("mutants", |inputs| {
        let options = format!("{here:?} {:?} {:?} {:?} {}", args.paths, args.clause, args.sample, args.seed);
        let file = |inputs: Inputs, file: ReadFile| inputs.text(format!("{:?}", file.path)).text(file.sha256);
        files::seen().into_iter().fold(inputs.text(options), file)
    })
}

/// Returns a verdict as a row of a journal.
fn row(verdict: &Verdict) -> Map<String, Value> {
    serde_json::to_value(verdict).ok().and_then(|v| v.as_object().cloned()).unwrap_or_default()
}

/// Returns the verdict of a journal on a change.
fn kept(journal: &Journal, n: usize) -> Option<Verdict> {
    let row = journal.rows(n as u64)?.first()?;
    serde_json::from_value(Value::Object(row.clone())).ok()
}

/// Returns everything that the verdicts depend on.
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

/// Returns the problems of a run with a pinned trace.
fn check_scene(path: &str, scenario: &Scenario, sources: &Sources) -> Vec<Diagnostic> {
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
