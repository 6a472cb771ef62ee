//! `grognard holes`: finds gaps, conflicts and unreachable options in rules, with evidence.

use super::check::is_scenario;
use super::files::{Root, collect, text_of};
use super::mode::{CostArgs, MOST_STATES, ModeArg};
use super::out::{Out, Stop, count, remark};
use super::progress::Progress;
use super::simulate::{ReportForm, shown};
use super::{FINE, FOUND, UNUSABLE, scenes};
use grognard_ask::{Holes, HolesSearch, Listener};
use grognard_base::{Diagnostic, Effort, OrdMap, OrdSet, Sources};
use grognard_lab::holes::{self, Hole, HoleSort, SORTS, Scene};
use grognard_program::{Built, Detail};
use grognard_rules::ruleset::Ruleset;
use grognard_rules::{self as rules, Library};
use grognard_scenario::{self as scenario, Scenario};
use grognard_syntax as syntax;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// After this time, each hole is reported when it is found.
const PATIENT: Duration = Duration::from_secs(10);

/// The arguments of `grognard holes`.
#[derive(clap::Args)]
#[command(after_long_help = "\
All kinds of holes, with all scenarios of the folder:
  grognard holes rulesets/warstrike
Some kinds:
  grognard holes rulesets/recoil --only gap --only broken

The exit code is 1 if a hole is found, except for `dominated` and `split`, which only inform. A comment excuses a line, or the item below it:
  # holes: skip because \"reason\"")]
pub struct HolesArgs {
    /// Files and folders [default: the project, or this folder]
    ///
    /// The command checks the rules and runs their scenarios.
    paths: Vec<PathBuf>,
    /// Report only this kind of hole (repeatable)
    #[arg(long, value_name = "KIND", value_parser = sort)]
    only: Vec<HoleSort>,
    /// Number of random runs of each scenario
    ///
    /// A scenario with dice also has as many runs with its own decisions.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    runs: u64,
    /// Seed of the first random run
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=super::mode::MOST_SEED / 2))]
    seed: u64,
    /// State limit for exact answers
    #[arg(long, value_name = "STATES", default_value_t = Effort::Quick.states() as u64, value_parser = clap::value_parser!(u64).range(1..=MOST_STATES))]
    budget: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportForm::Human)]
    format: ReportForm,
    #[command(flatten)]
    page: super::page::ReportFile,
}

fn sort(name: &str) -> Result<HoleSort, String> {
    let all: Vec<&str> = SORTS.iter().map(|sort| sort.rendered().0).collect();
    HoleSort::of(name).ok_or_else(|| format!("expected one of {}", all.join(", ")))
}

/// Searches for holes and prints them.
pub fn run(args: &HolesArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, ReportForm::Human);
    args.page.ready()?;
    let question = CostArgs { budget: Some(args.budget), time: None }.question(ModeArg::Exact)?;
    let asked = Holes { only: args.only.clone(), runs: args.runs, seed: args.seed, budget: question.budget.clone() };
    let mut search = asked.begin();
    let mut files = HoleFiles::default();
    files.read(&args.paths, &mut search)?;
    let scenes = files.scenes.values().map(Vec::len).sum::<usize>();
    if files.sets.is_empty() && search.is_empty() {
        let why = if files.named.is_empty() {
            "no rules found in the given paths"
        } else {
            "these rules have open items; also name the rules that fill them in"
        };
        return Err(Stop::failed(why));
    }
    let long = Progress::of(scenes as u64 * (args.runs + 1), "runs")?;
    let listener = Patient { long, began: Instant::now() };
    for ((_, path), built) in &files.sets {
        let own = files.scenes.remove(path).unwrap_or_default();
        search.ruleset(built, &own, &files.sources, &listener);
    }
    drop((listener, question));
    let mut answer = search.finish(Progress::pressed());
    let all = &mut answer.holes;
    // a hole in a file that is not given is reported when that file is given
    let below = |hole: &Hole| !matches!(hole.sort, HoleSort::Broken | HoleSort::Split) && hole.at.line > 0;
    all.retain(|hole| files.named.is_empty() || !below(hole) || files.named.contains(&hole.at.file));
    excuse(all, &files.sources);
    let code = if all.iter().any(|hole| hole.excuse.is_none() && !hole.sort.informs()) { FOUND } else { FINE };
    let found = answer.finding();
    shown(args.format, &found, out)?;
    out.note([("runs", count(args.runs)), ("seed", count(args.seed)), ("budget", count(args.budget))]);
    args.page.put(out, || found)?;
    Ok(code)
}

/// Marks the holes that comments in the rules excuse.
fn excuse(holes: &mut [Hole], sources: &Sources) {
    let named: OrdSet<String> = holes.iter().map(|hole| hole.at.file.clone()).collect();
    for name in named {
        let Some((id, source)) = sources.iter().find(|(_, source)| source.name == name) else { continue };
        for line in syntax::excuse::unclear(source, "holes") {
            let shown = &source.shown;
            remark(&format!("{shown}:{line}: this comment has no effect; write `# holes: skip because \"reason\"`"));
        }
        let (tree, _) = syntax::parse(id, source);
        for excuse in syntax::excuse::excuses(&tree, source, "holes") {
            let here = |hole: &&mut Hole| hole.at.file == name && (excuse.first..=excuse.last).contains(&hole.at.line);
            holes.iter_mut().filter(here).for_each(|hole| hole.excuse = Some(excuse.reason.clone()));
        }
    }
}

/// Counts runs, and reports holes early in a long search.
struct Patient {
    long: Progress,
    began: Instant,
}

impl Listener for Patient {
    fn found(&self, hole: &Hole) {
        if self.began.elapsed() > PATIENT {
            remark(&format!("so far: {}: {}: {}", hole.sort.rendered().0, hole.at, hole.says));
        }
    }

    fn played(&self) -> bool {
        self.long.more(1)
    }
}

/// The rules and scenarios on the command line.
#[derive(Default)]
struct HoleFiles {
    sources: Sources,
    /// The given rules files, by their paths from the root.
    named: OrdSet<String>,
    /// Rulesets that can be run, by root and path.
    sets: OrdMap<(String, String), Built>,
    /// Scenarios, by the ruleset they are for.
    scenes: OrdMap<String, Vec<Scene<'static>>>,
}

impl HoleFiles {
    fn read(&mut self, paths: &[PathBuf], search: &mut HolesSearch<'_>) -> Result<(), Stop> {
        let files = collect(paths, &["rules", "toml"])?.readable();
        let mut refused: OrdSet<String> = OrdSet::new();
        for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "rules")) {
            let (root, name) = Root::of_rules(path)?;
            let loaded = rules::load(&name, &root, &mut self.sources);
            self.named.insert(format!("{}.rules", name.trim_end_matches(".rules")));
            match loaded.ruleset {
                // the rulesets above this one fill in its open items
                Some(set) if !set.open.is_empty() => {}
                Some(set) => {
                    self.sets.insert((root.folder(), set.path.clone()), Built::new(set, Detail::Plain));
                }
                None => match holes::refused(&name, &loaded.problems, &self.sources) {
                    Some(holes) => {
                        search.refused(&name, holes);
                        refused.insert(name.trim_end_matches(".rules").to_string());
                    }
                    None => {
                        let errors = loaded.problems.into_iter().filter(Diagnostic::is_error).collect();
                        return Err(Stop::found(&self.sources, UNUSABLE)(errors));
                    }
                },
            }
        }
        for path in files.iter().filter(|path| is_scenario(path, paths)) {
            if path.extension().is_none_or(|e| e != "toml") {
                continue;
            }
            self.scene(path, &refused)?;
        }
        Ok(())
    }

    fn scene(&mut self, path: &Path, refused: &OrdSet<String>) -> Result<(), Stop> {
        let text = text_of(path)?;
        let named = scenes::rules_of(path, &text);
        if refused.contains(&named) {
            return Ok(());
        }
        let scenario = scenes::load(path, None, &[], Detail::Covered, &mut self.sources);
        let scenario = scenario.map_err(|stop| stop.with_code(|_| UNUSABLE))?;
        let (root, own, name) = Root::of_scenario(path, &named)?;
        let rules = scenario.plan.rules.clone();
        let known = |(folder, path): &(String, String)| *folder == root.folder() && *path == rules;
        if !self.sets.keys().any(known) {
            let loaded = rules::load(&rules, &root, &mut self.sources);
            if let Some(set) = loaded.ruleset.filter(|set| set.open.is_empty()) {
                self.sets.insert((root.folder(), set.path.clone()), Built::new(set, Detail::Plain));
            }
        }
        let shown = path.display().to_string().replace('\\', "/");
        let bind = bind(own, root, &name);
        self.scenes.entry(rules).or_default().push(Scene { path: shown, scenario, bind });
        Ok(())
    }
}

/// Returns a function that reads texts of scenarios that extend the scenario of this name.
fn bind(own: Option<Root>, root: Root, name: &str) -> Box<holes::Bind<'static>> {
    let folder = name.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let place = format!("{folder}hole.toml");
    let sets: RefCell<OrdMap<String, Option<Ruleset>>> = RefCell::default();
    Box::new(move |text: &str| -> Option<Scenario> {
        let mut sources = Sources::default();
        let document =
            scenario::read(&place, text.to_string(), own.as_ref().unwrap_or(&root) as &dyn Library, &mut sources)
                .ok()?;
        let names = scenario::rulesets(&document).ok()?;
        let mut sets = sets.borrow_mut();
        let mut load = |name: &String| {
            let loaded = || rules::load(name, &root, &mut Sources::default()).ruleset;
            sets.entry(name.clone()).or_insert_with(loaded).clone()
        };
        let sets: Vec<Ruleset> = names.iter().filter_map(|(name, _)| load(name)).collect();
        let (first, others) = sets.split_first()?;
        scenario::build(&document, first.clone(), others, &sources, Detail::Plain).ok()
    })
}
