//! `grognard test`: runs examples of rules, expectations of scenarios, and pinned results.

use super::cache::{Cache, CacheArgs};
use super::check::{counted, is_scenario};
use super::coverage;
use super::examples::{self, Examples, Unread};
use super::files::{self, Collected, collect};
use super::fmt::difference;
use super::mode::{CostArgs, ModeArg};
use super::once::Once;
use super::options::Threads;
use super::out::{Out, Stop, next};
use super::{FINE, FOUND, Findings, LIMIT, parallel, pinned, pins, run, scenes};
use clap::ValueEnum;
use grognard_base::{Diagnostic, Sources};
use grognard_play::examples::ExampleVerdict;
use grognard_play::record::Recorder;
use grognard_play::{self as play, Options};
use grognard_program::Detail;
use grognard_report::{self as report, Format, tests::Case};
use grognard_scenario::Mode;
use grognard_stats::tested::{Tested, tested};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The arguments of `grognard test`.
#[derive(clap::Args)]
pub struct TestArgs {
    /// Files and folders [default: the project, or this folder]
    #[arg(value_parser = super::named::parser())]
    paths: Vec<PathBuf>,
    /// Run only matching paths and titles
    ///
    /// A path, or the title of an example, must contain this text.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Print how many rule clauses were executed
    ///
    /// `grognard coverage` lists the clauses.
    #[arg(long)]
    coverage: bool,
    /// Fail below this coverage
    #[arg(long, value_name = "PERCENT", requires = "coverage", value_parser = clap::value_parser!(u64).range(..=100))]
    threshold: Option<u64>,
    /// Output format
    #[arg(long, value_enum, default_value_t = TestForm::Human)]
    format: TestForm,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    cost: CostArgs,
    #[command(flatten)]
    cache: CacheArgs,
    /// Rerun after each save; runs `grognard watch`
    #[arg(long, help_heading = "Other commands")]
    watch: bool,
    /// Find rules without a test; runs `grognard mutants`
    #[arg(long, help_heading = "Other commands")]
    mutate: bool,
    /// Update wrong examples; runs `grognard restate`
    #[arg(long, help_heading = "Other commands")]
    update: bool,
    /// Accept changed results; runs `grognard review`
    #[arg(long, help_heading = "Other commands")]
    review: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TestForm {
    /// One line for each test, with its problems
    Human,
    /// One JSON document
    Json,
    /// One row per test
    Csv,
    /// JUnit XML, for continuous integration
    Junit,
}

/// The result for a file.
enum TestsDone {
    Rules(Examples),
    Scenario(Case, u8),
    Unread(Box<Unread>),
}

/// The results so far.
#[derive(Default)]
struct Tally {
    cases: Vec<Case>,
    /// The verdict on each example, and the number of its claims that wait.
    examples: Vec<(ExampleVerdict, usize)>,
    /// Messages about overrides that no example tests.
    held: Vec<String>,
    unread: usize,
    good: usize,
    bad: usize,
    once: Once,
    code: u8,
}

/// Runs the tests and prints the results.
pub fn run(args: &TestArgs, out: &mut Out) -> Result<u8, Stop> {
    let mut tally = Tally { code: FINE, ..Tally::default() };
    let human = args.format == TestForm::Human;
    let format = Findings::Human.format(human && out.colour());
    let Collected { files, problems, .. } = collect(&args.paths, &["rules", "toml"])?;
    if !problems.is_empty() {
        tally.code = FOUND;
        let rendered = report::render(&problems, &Sources::default(), format);
        if human {
            out.text(&rendered)?;
        }
        let name = "files that cannot be read".to_string();
        tally.cases.push(Case {
            sort: "file".into(),
            file: String::new(),
            line: name.clone(),
            name,
            good: false,
            rendered,
        });
    }
    let (rules, scenarios): (Vec<PathBuf>, Vec<PathBuf>) =
        files.into_iter().partition(|p| p.extension().is_some_and(|e| e == "rules"));
    let fits = |text: &str| args.filter.as_ref().is_none_or(|f| text.contains(f.as_str()));
    let scenarios =
        scenarios.into_iter().filter(|path| is_scenario(path, &args.paths) && fits(&path.to_string_lossy()));
    let pieces: Vec<PathBuf> = rules.into_iter().chain(scenarios).collect();
    let at_once = args.threads.count();
    let cache = args.cache.open(args.cost.time);
    let work = |path: &PathBuf| {
        if path.extension().is_some_and(|e| e == "rules") {
            let whole = fits(&path.display().to_string());
            let done = examples::run(path, |title| whole || fits(title), args.cost, format, &cache)?;
            // a file that the filter does not match cannot fail
            return Ok(TestsDone::Rules(if whole { done } else { done.or_else(|_| Ok(Default::default())) }));
        }
        let found = !args.paths.contains(path);
        scenario(path, found, args.cost, if pieces.len() > 1 { 1 } else { at_once }, format, &cache)
    };
    parallel::each(&pieces, at_once, work, |done| tally.take(done, human.then_some(&mut *out), format))?;
    for line in tally.once.rest().filter(|_| human) {
        out.line(&line)?;
    }
    if tally.code == FINE && tally.examples.is_empty() && tally.good == 0 {
        let filter = args.filter.as_ref().map_or(String::new(), |f| format!(" with `{f}` in its path"));
        return Err(Stop::failed(format!("no examples or scenarios found in the given paths{filter}")));
    }
    match args.format {
        TestForm::Human => out.line(&tally.summary())?,
        TestForm::Json => out.json(&report::tests::json(&tally.cases))?,
        TestForm::Csv => out.text(&report::tests::csv(&tally.cases))?,
        TestForm::Junit => out.text(&report::tests::junit(&tally.cases))?,
    }
    if args.coverage {
        tally.code = tally.code.max(covered(args, out)?);
    }
    if tally.cases.iter().any(|case| case.sort == "pin" && !case.good) {
        next("grognard review");
    } else if tally.code == FINE && pins::missing(&pieces) > 0 {
        next("grognard review saves the results of the scenarios, so that changes are noticed");
    } else if tally.code != FINE && tally.examples.iter().any(|(verdict, _)| *verdict == ExampleVerdict::Fails) {
        next("fix the rule, or update the example with `grognard restate FILE.rules`");
    }
    Ok(tally.code)
}

impl Tally {
    /// Counts a result, and prints it as text to `people`.
    fn take(&mut self, done: TestsDone, people: Option<&mut Out>, format: Format) -> Result<(), Stop> {
        let first = self.cases.len();
        let mut held = Vec::new();
        match done {
            TestsDone::Rules(Ok(done)) => {
                held = done.held;
                self.code = if done.cases.iter().all(|case| case.good) { self.code } else { self.code.max(FOUND) };
                self.examples.extend(done.verdicts);
                self.cases.extend(done.cases);
            }
            TestsDone::Rules(Err(unread)) => {
                self.unread += 1;
                self.unread(*unread, people.is_some(), format);
            }
            TestsDone::Unread(unread) => {
                self.bad += 1;
                self.unread(*unread, people.is_some(), format);
            }
            TestsDone::Scenario(case, code) => {
                *(if case.good { &mut self.good } else { &mut self.bad }) += 1;
                self.code = if code == LIMIT { LIMIT } else { self.code.max(code) };
                self.cases.push(case);
            }
        }
        let Some(out) = people else { return Ok(()) };
        for case in self.cases[first..].iter().filter(|case| !case.line.is_empty()) {
            out.line(&case.line)?;
            out.text(&case.rendered)?;
        }
        // several variants can extend the same rules
        held.retain(|line| !self.held.contains(line));
        for line in held {
            out.line(&line)?;
            self.held.push(line);
        }
        Ok(())
    }

    /// Counts a file that cannot be read. The human-readable text does not repeat findings.
    fn unread(&mut self, unread: Unread, people: bool, format: Format) {
        let Unread { mut case, found, sources } = unread;
        self.code = self.code.max(FOUND);
        let unread: Vec<Diagnostic> = found.iter().filter(|one| one.follows.is_some()).cloned().collect();
        case.rendered = self.once.fresh(found, &sources, format);
        if people && case.rendered.is_empty() {
            case.line.clear();
        }
        if !people {
            case.rendered += &report::render(&unread, &sources, format);
        }
        self.cases.push(case);
    }

    fn summary(&self) -> String {
        let files = (self.unread > 0).then(|| format!("{} with errors", counted(self.unread, "rules file")));
        let examples = (!self.examples.is_empty()).then(|| play::examples::summary(&self.examples));
        let (good, bad) = (self.good, self.bad);
        let scenarios = format!("{}, {good} passed, {bad} failed", counted(good + bad, "scenario"));
        let rendered: Vec<String> = files.into_iter().chain(examples).chain([scenarios]).collect();
        rendered.join("; ")
    }
}

/// Prints the share of rule clauses that were executed, and returns the exit code.
fn covered(args: &TestArgs, out: &mut Out) -> Result<u8, Stop> {
    let human = args.format == TestForm::Human;
    let (run, all) = match coverage::measure(&args.paths) {
        Err(Stop::Found(..)) => return Ok(FOUND),
        found => found?.run(),
    };
    let percent = (run * 100).checked_div(all).unwrap_or(100);
    let line = format!("{run} of {} executed: {percent}%", counted(all, "rule clause"));
    if human {
        out.line(&line)?;
    }
    let wanted = args.threshold.unwrap_or(0);
    if (percent as u64) < wanted {
        super::out::complain(&format!(
            "{line}, below the threshold of {wanted}%; `grognard coverage` lists the others"
        ));
        return Ok(FOUND);
    }
    Ok(FINE)
}

/// The result of a scenario.
#[derive(Serialize, Deserialize)]
struct Judged {
    /// Number of expectations that hold, and of those that were judged.
    counts: (usize, usize),
    code: u8,
    /// The rendered problems.
    rendered: String,
}

/// Runs a scenario, checks its expectations, and compares its pinned results.
fn scenario(
    path: &Path,
    found: bool,
    cost: CostArgs,
    at_once: usize,
    format: Format,
    cache: &Cache,
) -> Result<TestsDone, Stop> {
    let began = files::changes();
    let name = report::clean(&path.display().to_string());
    let mut sources = Sources::default();
    let case = |good: bool, line: String, rendered: String| Case {
        sort: "scenario".into(),
        file: name.clone(),
        name: name.clone(),
        good,
        line,
        rendered,
    };
    let scenario = match scenes::load_found(path, found, Detail::Plain, &mut sources) {
        Ok(scenario) => scenario,
        Err(Stop::Found(found, ..)) => {
            let case = case(false, format!("FAILED {name}"), String::new());
            return Ok(TestsDone::Unread(Box::new(Unread { case, found, sources })));
        }
        Err(stop) => return Err(stop),
    };
    let key = cache.key("scenario", |inputs| {
        let inputs = inputs.text(&name).text(format!("{cost:?} {format:?}"));
        let inputs = inputs.sources(sources.iter().map(|(_, source)| source));
        pinned::texts(path, &scenario).into_iter().fold(inputs, |inputs, text| inputs.text(format!("{text:?}")))
    });
    let Judged { counts: (hold, looked), code, rendered } = cache.get_or(key.as_deref(), began, || {
        let mut played = match scenario.plan.mode {
            Mode::Scripted if !scenario.plan.traces.is_empty() => traced(path, &mut sources)?,
            _ => tested(&scenario, at_once),
        };
        if played.open(&scenario) {
            played.judge(&scenario, cost.question(ModeArg::Exact)?.budget);
        }
        let rendered = report::render(&played.problems, &sources, format);
        Ok(Judged { counts: play::count(&played.checks), code: run::verdict(&played.problems, false), rendered })
    })?;
    let moved = match pins::kept(path)? {
        Some(old) => moved(path, &old, cost, cache)?,
        None => None,
    };
    if code != FINE {
        let line = format!("FAILED {name}: {hold} of {looked} hold");
        let rendered = rendered + moved.as_deref().unwrap_or_default();
        return Ok(TestsDone::Scenario(case(false, line, rendered), code));
    }
    Ok(match moved {
        Some(rendered) => {
            let line = format!("MOVED  {name}: {hold} of {looked} hold, but the result differs from the accepted one");
            TestsDone::Scenario(Case { sort: "pin".into(), ..case(false, line, rendered) }, FOUND)
        }
        None => TestsDone::Scenario(case(true, format!("ok     {name}: {hold} of {looked} hold"), String::new()), FINE),
    })
}

/// Returns the difference between a scenario and its pin, or `None` if it does not exist.
fn moved(path: &Path, old: &pins::Pin, cost: CostArgs, cache: &Cache) -> Result<Option<String>, Stop> {
    let new = match pins::now(path, cost, cache) {
        Ok(None) | Err(Stop::Found(..)) => return Ok(None),
        Ok(Some(new)) => new,
        Err(stop) => return Err(stop),
    };
    let sorts = old.moved(&new);
    if sorts.is_empty() {
        return Ok(None);
    }
    let changed = new.changed(old);
    let mut rendered = if changed.is_empty() { String::new() } else { format!("  changed: {}\n", changed.join(", ")) };
    for sort in sorts {
        let text = |pin: &pins::Pin| pin.part(&sort).unwrap_or_default().to_string();
        rendered += &difference(&format!("{sort} of {}", path.display()), &text(old), &text(&new));
    }
    Ok(Some(rendered))
}

/// Runs a scenario with pinned traces, and compares them.
fn traced(path: &Path, sources: &mut Sources) -> Result<Tested, Stop> {
    let scenario = match scenes::load(path, None, &[], Detail::Traced, sources) {
        Err(Stop::Found(problems, ..)) => return Ok(Tested { checks: Vec::new(), problems, sample: None }),
        scenario => scenario?,
    };
    let recorder = Recorder::new(&scenario.game, &run::about(path, &scenario, None, None), Some(sources));
    let (mut outcome, events) = play::record(&scenario, Options::default(), recorder);
    let found = pinned::check(path, &scenario, &events)?;
    outcome.problems.extend(found);
    Ok(Tested { checks: outcome.checks, problems: outcome.problems, sample: None })
}
