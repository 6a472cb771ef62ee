//! `grognard watch`: reruns what changed after each save, and reports findings and changed results.

mod disk;

use super::cache::{Cache, CacheArgs};
use super::check::{counted, is_scenario};
use super::files::{self, Collected, Root, collect, read_text};
use super::mode::{CostArgs, MOST_STATES, ModeArg};
use super::options::Threads;
use super::out::{Out, Stop, remark};
use super::progress::{Progress, Work, watch as clock};
use super::{FINE, Findings, parallel, pinned, pins, scenes};
use clap::ValueEnum;
use disk::WatchedDisk;
use grognard_base::{Budget, Diagnostic, Effort, OrdMap, OrdSet, Watch, order};
use grognard_ide::query::watch::{
    Address, Change, ChangedFile, Claim, Cost, Ended, Plan, RunJob, ScenarioPath, Seen, Watched,
};
use grognard_play::record::Event;
use grognard_report::Format;
use grognard_scenario::Scenario;
use std::cmp::Reverse;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The arguments of `grognard watch`.
#[derive(clap::Args)]
pub struct WatchArgs {
    /// Files and folders [default: the project, or this folder]
    #[arg(value_parser = super::named::parser())]
    paths: Vec<PathBuf>,
    /// Time between two scans, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    poll: u64,
    /// Quiet time that ends a save, in milliseconds
    ///
    /// An editor can write a file in several steps.
    #[arg(long, value_name = "MS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=60_000))]
    settle: u64,
    /// Exit after N saves; 0 reports once and exits
    #[arg(long, value_name = "N")]
    saves: Option<u64>,
    /// Clear the terminal before each report
    #[arg(long)]
    clear: bool,
    /// State limit for the odds of each scenario
    ///
    /// The report omits odds that need more states.
    #[arg(long, value_name = "STATES", default_value_t = Effort::Quick.states() as u64, value_parser = clap::value_parser!(u64).range(1..=MOST_STATES))]
    budget: u64,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    cache: CacheArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t = WatchForm::Human)]
    format: WatchForm,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WatchForm {
    /// Human-readable text
    Human,
    /// One JSON object per line, for each save
    Json,
}

/// The maximum time of a save. Files that keep changing are reported after it.
const PATIENCE: Duration = Duration::from_secs(2);
/// The time between two checks for Ctrl-C.
const NAP: Duration = Duration::from_millis(50);

/// Watches until Ctrl-C is pressed.
pub fn run(args: &WatchArgs, out: &mut Out) -> Result<u8, Stop> {
    let given = CostArgs { budget: Some(args.budget), time: None };
    let budget = |effort: Effort| Budget { watch: Some(Watch::new(clock)), ..effort.budget() };
    let cost =
        Cost { claims: budget(CostArgs::default().effort(ModeArg::Exact)), odds: budget(given.effort(ModeArg::Exact)) };
    let format = Findings::Human.format(out.colour() && args.format == WatchForm::Human);
    let mut desk = WatchDesk {
        args,
        roots: Vec::new(),
        files: OrdSet::new(),
        unread: OrdSet::new(),
        cache: args.cache.open(None),
        format,
        watched: Watched::new(format, cost),
    };
    // from here on, Ctrl-C ends the command
    drop(Work::begin(None)?);
    collect(&args.paths, &["rules", "toml"])?;
    let mut changed = Vec::new();
    desk.list(&mut changed)?;
    if desk.files.is_empty() {
        return Err(Stop::failed("no rules or scenarios found in the given paths"));
    }
    let mut saves = 0;
    loop {
        let began = Instant::now();
        if !desk.save(std::mem::take(&mut changed), saves == 0, out)? {
            return Ok(FINE);
        }
        if saves == 0 && args.saves != Some(0) {
            remark(&format!("watching {}; press Ctrl-C to exit", counted(desk.watched.texts().len(), "file")));
        } else if super::out::verbose() {
            remark(&format!("{} ms", began.elapsed().as_millis()));
        }
        if args.saves.is_some_and(|most| saves >= most) {
            return Ok(FINE);
        }
        saves += 1;
        match desk.wait()? {
            Some(files) => changed = files,
            None => return Ok(FINE),
        }
    }
}

/// The watched files and their folders.
struct WatchDesk<'a> {
    args: &'a WatchArgs,
    roots: Vec<Rc<WatchedDisk>>,
    /// The existing rules files and scenarios.
    files: OrdSet<PathBuf>,
    /// Messages about unreadable files of the last scan; each is reported once.
    unread: OrdSet<String>,
    cache: Cache,
    format: Format,
    watched: Watched,
}

impl WatchDesk<'_> {
    /// Reports the findings, runs what depends on the changed files, and reports the results. Returns `false` if Ctrl-C was pressed.
    fn save(&mut self, files: Vec<ChangedFile>, first: bool, out: &mut Out) -> Result<bool, Stop> {
        let Plan { mut jobs, mut saved } = self.watched.plan(files);
        // the files of the current work come first
        let written = |(root, path): &Address| self.roots.get(*root).and_then(|disk| disk.written(path));
        let times: OrdMap<Address, _> = jobs.iter().map(|job| (job.file.clone(), written(&job.file))).collect();
        order::sort_by_key(&mut jobs, |job| Reverse(times.get(&job.file)));
        let human = self.args.format == WatchForm::Human;
        if human {
            if self.args.clear && std::io::stdout().is_terminal() {
                clear(out)?;
            } else if !first {
                out.line("")?;
            }
            out.text(&saved.head())?;
            out.finish()?;
        }
        let Self { args, cache, format, watched, .. } = self;
        let work = |job: &RunJob| run_job(job, args.budget, *format, cache);
        let ran = parallel::each(&jobs, args.threads.count(), work, |done| {
            let moved = watched.ended(&mut saved, done);
            if human && moved > 0 {
                saved.moved[saved.moved.len() - moved..].iter().try_for_each(|moved| out.text(&moved.text()))?;
                out.finish()?;
            }
            Ok(())
        });
        if Progress::pressed() {
            return Ok(false);
        }
        ran?;
        watched.done(&mut saved);
        cache.trim();
        if human {
            out.text(&saved.summary())?
        } else {
            out.json(&saved.json())?
        }
        out.finish()?;
        Ok(true)
    }

    /// Waits for a finished save. Returns `None` if Ctrl-C was pressed.
    fn wait(&mut self) -> Result<Option<Vec<ChangedFile>>, Stop> {
        let mut changed = Vec::new();
        loop {
            if !sleep(Duration::from_millis(self.args.poll)) {
                return Ok(None);
            }
            self.look(&mut changed)?;
            let began = Instant::now();
            let mut known = 0;
            // an editor can delete a file and create it again
            while !changed.is_empty() && changed.len() > known && began.elapsed() < PATIENCE {
                known = changed.len();
                if !sleep(Duration::from_millis(self.args.settle)) {
                    return Ok(None);
                }
                self.look(&mut changed)?;
            }
            let changed = settled(std::mem::take(&mut changed));
            if !changed.is_empty() {
                return Ok(Some(changed));
            }
        }
    }

    fn look(&mut self, changed: &mut Vec<ChangedFile>) -> Result<(), Stop> {
        for (root, disk) in self.roots.iter().enumerate() {
            for (path, change) in disk.look() {
                let shown = grognard_rules::Library::shown(&**disk, &path);
                changed.push(ChangedFile { address: (root, path), shown, change });
            }
        }
        self.list(changed)
    }

    /// Searches for new and deleted files.
    fn list(&mut self, changed: &mut Vec<ChangedFile>) -> Result<(), Stop> {
        // a given path can be missing for a moment
        let there: Vec<PathBuf> = self.args.paths.iter().filter(|path| path.exists()).cloned().collect();
        let found = match there.is_empty() && !self.args.paths.is_empty() {
            true => Collected::default(),
            false => collect(&there, &["rules", "toml"]).unwrap_or_default(),
        };
        let unread: OrdSet<String> = found.problems.into_iter().map(|problem| problem.message).collect();
        unread.difference(&self.unread).for_each(|message| super::out::complain(message));
        self.unread = unread;
        let found: OrdSet<PathBuf> = found.files.into_iter().collect();
        let texts = changed.iter().any(|file| file.address.1.ends_with(".toml"));
        if found == self.files && !texts {
            return Ok(());
        }
        let first = self.roots.is_empty();
        let mut books: OrdMap<Address, &PathBuf> = OrdMap::new();
        let mut places: Vec<ScenarioPath> = Vec::new();
        for path in &found {
            // a file can be deleted in the meantime
            if path.extension().is_some_and(|e| e == "rules") {
                let Ok((root, name)) = Root::of_rules(path) else { continue };
                books.insert((self.root(root), name), path);
            } else if is_scenario(path, &self.args.paths) {
                places.extend(self.place(path));
            }
        }
        let shown = |path: &Path| path.display().to_string().replace('\\', "/");
        let new = books.iter().map(|(address, path)| (*path, address)).collect::<Vec<_>>();
        let scenes = places.iter().map(|place| (Path::new(&place.name), &place.own));
        let all: Vec<(PathBuf, Address)> = new
            .into_iter()
            .map(|(path, address)| (path.clone(), address.clone()))
            .chain(scenes.map(|(path, address)| (path.to_path_buf(), address.clone())))
            .collect();
        for (path, address) in all.into_iter().filter(|(path, _)| !first && !self.files.contains(path)) {
            changed.push(ChangedFile { shown: shown(&path), address, change: Change::New });
        }
        self.watched.watch(books.into_keys().collect(), places);
        self.files = found;
        Ok(())
    }

    fn root(&mut self, root: Root) -> usize {
        let folder = PathBuf::from(root.folder());
        if let Some(at) = self.roots.iter().position(|disk| disk.folder() == folder) {
            return at;
        }
        let disk = Rc::new(WatchedDisk::of(root));
        self.roots.push(disk.clone());
        self.watched.root(disk)
    }

    /// Returns the paths of a scenario and its rules.
    fn place(&mut self, path: &Path) -> Option<ScenarioPath> {
        let text = read_text(path).unwrap_or_default();
        let (root, own, name) = Root::of_scenario(path, &scenes::rules_of(path, &text)).ok()?;
        let root = self.root(root);
        let own = own.map_or(root, |own| self.root(own));
        Some(ScenarioPath { name: path.display().to_string().replace('\\', "/"), own: (own, name), root })
    }
}

/// Returns each file once, with its change from the first scan to the last.
fn settled(changed: Vec<ChangedFile>) -> Vec<ChangedFile> {
    let mut all: Vec<ChangedFile> = Vec::new();
    for file in changed {
        match all.iter_mut().find(|known| known.address == file.address) {
            Some(known) => {
                known.change = match (known.change, file.change) {
                    (Change::New, Change::Gone) => Change::Gone,
                    (Change::New, _) => Change::New,
                    (_, Change::Gone) => Change::Gone,
                    _ => Change::Changed,
                }
            }
            None => all.push(file),
        }
    }
    all
}

/// Sleeps. Returns `false` if Ctrl-C was pressed.
fn sleep(long: Duration) -> bool {
    let until = Instant::now() + long;
    while !Progress::pressed() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        std::thread::sleep(left.min(NAP));
    }
    false
}

/// Clears the terminal. All other output is escaped so that it cannot move the cursor.
fn clear(out: &mut Out) -> Result<(), Stop> {
    use std::io::Write;
    out.finish()?;
    let mut terminal = std::io::stdout().lock();
    let done = terminal.write_all(b"\x1b[2J\x1b[3J\x1b[H").and_then(|()| terminal.flush());
    done.map_err(|why| Stop::failed(format!("the output cannot be written: {why}")))
}

/// Runs a job, or returns its kept results.
fn run_job(job: &RunJob, budget: u64, format: Format, cache: &Cache) -> Result<Ended, Stop> {
    let began = files::changes();
    let pin = pins::kept(Path::new(&job.name));
    let key = cache.key("watch", |inputs| {
        let inputs = inputs.text(&job.name).text(format!("{budget} {format:?} {:?} {pin:?}", job.examples_run()));
        inputs.sources(job.texts())
    });
    if let Some(kept) = cache.get(key.as_deref()) {
        return Ok(kept);
    }
    let question = CostArgs::default().question(ModeArg::Exact)?;
    let done = job.run(&beside);
    drop(question);
    // the key has no pinned traces
    if !done.iter().any(|(_, seen)| seen.has_traces()) {
        cache.put(key.as_deref(), began, &done);
    }
    Ok(done)
}

/// Compares a run with the pinned traces of its scenario, and with its accepted results.
fn beside(name: &str, scenario: &Scenario, events: &[Event], seen: &Seen) -> (Vec<Claim>, Vec<Diagnostic>) {
    let path = Path::new(name);
    let (mut claims, mut found) = (Vec::new(), Vec::new());
    if !events.is_empty() && !scenario.plan.traces.is_empty() {
        found = pinned::check(path, scenario, events).unwrap_or_default();
        claims.push(Claim { text: "the traces are as pinned".into(), holds: Some(found.is_empty()) });
    }
    let Ok(Some(pin)) = pins::kept(path) else { return (claims, found) };
    for (sort, text) in &pin.parts {
        let now = match sort.as_str() {
            "trace" => &seen.trace,
            "odds" => &seen.odds,
            _ => &seen.sample,
        };
        // odds over the budget of this command are unknown
        let holds = (!now.is_empty()).then(|| now == text);
        let verb = if sort == "odds" { "are" } else { "is" };
        claims.push(Claim { text: format!("the {sort} {verb} as accepted (grognard review)"), holds });
    }
    (claims, found)
}
