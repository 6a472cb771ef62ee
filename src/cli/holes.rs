//! `grognard holes`: what the rules leave out, contradict, never offer, never reach, or break, with what shows it.

use super::check::{counted, is_scenario};
use super::files::{Root, collect, text_of};
use super::mode::{CostArgs, MOST_STATES, ModeArg};
use super::out::{Out, Stop, count, remark};
use super::progress::Progress;
use super::simulate::{ReportForm, shown};
use super::{FINE, FOUND, UNUSABLE, scenes};
use grognard_base::order;
use grognard_base::{Allowance, Diagnostic, Effort, OrdMap, OrdSet, Sources};
use grognard_lab::holes::{self, Census, Hole, HoleSort, SORTS, Scene};
use grognard_play::coverage::SourceLine;
use grognard_program::{Built, Detail};
use grognard_report::holes::{Played, finding};
use grognard_rules::ruleset::Ruleset;
use grognard_rules::{self as rules, Library};
use grognard_scenario::{self as scenario, Scenario};
use grognard_syntax as syntax;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Whoever waits longer is shown what was found so far.
const PATIENT: Duration = Duration::from_secs(10);

/// All exact answers together may take as much work as so many of the largest.
const QUESTIONS: u64 = 60;

/// What to look at, and for what.
#[derive(clap::Args)]
#[command(after_long_help = "\
  grognard holes rulesets/warstrike                      all sorts, on all scenarios of the folder
  grognard holes rulesets/recoil --only gap --only broken
  grognard holes . --runs 200 --seed 7 --format json
  grognard holes . --report holes.html

Exit code 1 if a hole is found. A comment excuses a line, or the item below it:  # holes: skip because \"reason\"")]
pub struct HolesArgs {
    /// Files and folders; this folder if none is named. Rules are looked at, and their scenarios are played.
    paths: Vec<PathBuf>,
    /// Only holes of this sort; may be given again.
    #[arg(long, value_name = "SORT", value_parser = sort)]
    only: Vec<HoleSort>,
    /// Runs of each scenario by chance, and of each that has dice as it is.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    runs: u64,
    /// The seed of the first run by chance.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=super::mode::MOST_SEED / 2))]
    seed: u64,
    /// Most positions that are explored for one exact answer.
    #[arg(long, value_name = "STATES", default_value_t = Effort::Quick.states() as u64, value_parser = clap::value_parser!(u64).range(1..=MOST_STATES))]
    budget: u64,
    /// How it is told.
    #[arg(long, value_enum, default_value_t = ReportForm::Human)]
    format: ReportForm,
    #[command(flatten)]
    page: super::page::ReportFile,
}

fn sort(name: &str) -> Result<HoleSort, String> {
    let all: Vec<&str> = SORTS.iter().map(|sort| sort.told().0).collect();
    HoleSort::of(name).ok_or_else(|| format!("one of {}", all.join(", ")))
}

/// Looks and tells.
pub fn run(args: &HolesArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, ReportForm::Human);
    args.page.ready()?;
    let question = CostArgs { budget: Some(args.budget), time: None }.question(ModeArg::Exact)?;
    let mut search = Search {
        args,
        allowance: Allowance::of(question.budget, QUESTIONS),
        found: Vec::new(),
        played: Played::default(),
        reached: OrdSet::new(),
        judged: 0,
        large: 0,
        began: Instant::now(),
    };
    search.played.looked_for = SORTS.into_iter().filter(|sort| args.wants(&[*sort])).collect();
    let mut files = HoleFiles::default();
    files.read(&args.paths, &mut search)?;
    let scenes = files.scenes.values().map(Vec::len).sum::<usize>();
    if files.sets.is_empty() && search.found.is_empty() {
        let why = if files.named.is_empty() {
            "there are no rules in what is named"
        } else {
            "these rules have open items; name the rules above them too, which fill them in"
        };
        return Err(Stop::failed(why));
    }
    search.played.rulesets += files.sets.len();
    let long = Progress::of(scenes as u64 * (args.runs + 1), "runs")?;
    for ((_, path), built) in &files.sets {
        let own = files.scenes.remove(path).unwrap_or_default();
        search.ruleset(built, &own, &files.sources, &long);
    }
    drop((long, question));
    if search.allowance.next().is_none() {
        let why = "split and dominated: the work that is allowed was used up before every scenario was looked at; a \
                   larger `--budget` goes on";
        search.played.left_out.push(why.into());
    }
    if args.wants(&[HoleSort::Dominated]) && search.judged == 0 {
        let why = "no choice was called dominated: no scenario says what is good, by `[report] good` or an `objective`";
        search.played.left_out.push(why.into());
    }
    if search.large > 0 && search.allowance.next().is_some() {
        let scenarios = counted(search.large, "scenario");
        search.played.left_out.push(format!(
            "dominated: exact answers on {scenarios} are beyond the budget of {} positions; `--budget` raises it",
            args.budget
        ));
    }
    if Progress::pressed() {
        search.played.left_out.push("stopped by hand: not everything was looked at".into());
        // what never came may come in what was not looked at
        search.found.retain(|hole| !never_came(hole));
    }
    let mut all = search.sorted();
    // what stands in files that nobody named is asked of those who name them
    let below = |hole: &Hole| !matches!(hole.sort, HoleSort::Broken | HoleSort::Split) && hole.at.line > 0;
    all.retain(|hole| files.named.is_empty() || !below(hole) || files.named.contains(&hole.at.file));
    excuse(&mut all, &files.sources);
    let found = finding(&all, &search.played);
    shown(args.format, &found, out)?;
    out.note([("runs", count(args.runs)), ("seed", count(args.seed)), ("budget", count(args.budget))]);
    args.page.put(out, || found)?;
    Ok(if all.iter().any(|hole| hole.excuse.is_none()) { FOUND } else { FINE })
}

/// True for a hole that is one only if nothing in any run comes to it.
fn never_came(hole: &Hole) -> bool {
    matches!(hole.sort, HoleSort::Unreached | HoleSort::Unoffered)
}

/// Marks what comments in the rules excuse.
fn excuse(holes: &mut [Hole], sources: &Sources) {
    let named: OrdSet<String> = holes.iter().map(|hole| hole.at.file.clone()).collect();
    for name in named {
        let Some((id, source)) = sources.iter().find(|(_, source)| source.name == name) else { continue };
        for line in syntax::excuse::unclear(source, "holes") {
            let shown = &source.shown;
            remark(&format!("{shown}:{line}: this excuses nothing; write `# holes: skip because \"reason\"`"));
        }
        let (tree, _) = syntax::parse(id, source);
        for excuse in syntax::excuse::excuses(&tree, source, "holes") {
            let here = |hole: &&mut Hole| hole.at.file == name && (excuse.first..=excuse.last).contains(&hole.at.line);
            holes.iter_mut().filter(here).for_each(|hole| hole.excuse = Some(excuse.reason.clone()));
        }
    }
}

impl HolesArgs {
    fn wants(&self, sorts: &[HoleSort]) -> bool {
        self.only.is_empty() || sorts.iter().any(|sort| self.only.contains(sort))
    }
}

/// What is found on the way.
struct Search<'a> {
    args: &'a HolesArgs,
    /// What exact answers may still cost.
    allowance: Allowance,
    found: Vec<Hole>,
    played: Played,
    /// Places of what some ruleset reaches or offers, with its item.
    reached: OrdSet<(SourceLine, String)>,
    /// Scenarios that say what is good.
    judged: usize,
    /// Scenarios among them that are too large for exact answers.
    large: usize,
    began: Instant,
}

impl Search<'_> {
    /// Shows what was found so far to somebody who has waited for some time.
    fn so_far<'h>(&self, found: impl IntoIterator<Item = &'h Hole>) {
        if self.began.elapsed() > PATIENT {
            for hole in found.into_iter().filter(|hole| self.args.wants(&[hole.sort])) {
                remark(&format!("so far, {}: {}: {}", hole.sort.told().0, hole.at, hole.says));
            }
        }
    }

    fn ruleset(&mut self, built: &Built, scenes: &[Scene<'_>], sources: &Sources, long: &Progress) {
        let args = self.args;
        let mut found = Vec::new();
        let mut spots = Vec::new();
        self.played.scenarios += scenes.len() as u64;
        if args.wants(&[HoleSort::Gap, HoleSort::Overlap, HoleSort::Never, HoleSort::Conflict]) {
            found.extend(holes::bands(built, sources));
            spots.extend(holes::spots(&built.rules));
            let (conflicts, more) = holes::conflicts(built, sources);
            spots.extend(more.into_iter().map(|spot| holes::Spot { hole: found.len() + spot.hole, ..spot }));
            found.extend(conflicts);
            self.so_far(&found);
        }
        let (mut split, mut dominated) = (Vec::new(), Vec::new());
        if args.wants(&[HoleSort::Split]) {
            split = holes::split(&built.rules, scenes, sources, &self.allowance);
            self.so_far(split.iter().map(|(hole, _)| hole));
        }
        if args.wants(&[HoleSort::Dominated]) {
            let found = holes::dominated(&built.rules, scenes, sources, &self.allowance);
            dominated = found.pairs;
            self.judged += found.judged;
            self.large += found.large;
            self.so_far(dominated.iter().map(|(hole, _)| hole));
        }
        let some = !(found.is_empty() && split.is_empty() && dominated.is_empty());
        if (some || args.wants(&[HoleSort::Broken, HoleSort::Unoffered, HoleSort::Unreached])) && !scenes.is_empty() {
            let census = Census::take(scenes, &spots, args.runs, args.seed, &|| long.more(1));
            self.played.runs += census.runs;
            found.iter_mut().enumerate().for_each(|(n, hole)| census.weigh(n, hole, &spots));
            split.iter_mut().for_each(|(hole, quantity)| hole.weight = Some(census.had_number(quantity)));
            dominated.iter_mut().for_each(|(hole, (a, b))| hole.weight = Some(census.had_both(*a, *b)));
            let mut looked_at = OrdSet::new();
            for scene in scenes {
                looked_at.extend(scene.scenario.game.ran.items(&scene.scenario.game.program));
            }
            let broken = holes::broken(&census, scenes, &built.rules, sources);
            self.so_far(&broken);
            found.extend(broken);
            found.extend(holes::unoffered(&census, &built.rules, sources));
            found.extend(holes::unreached(&census, &built.rules, sources, &looked_at));
            self.reached.extend(holes::reached(&census, &built.rules, sources));
        }
        found.extend(split.into_iter().map(|(hole, _)| hole));
        found.extend(dominated.into_iter().map(|(hole, _)| hole));
        self.found.extend(found.into_iter().filter(|hole| args.wants(&[hole.sort])));
    }

    /// Each hole once, in the order of files; what some other ruleset reaches is none.
    fn sorted(&mut self) -> Vec<Hole> {
        let mut found = std::mem::take(&mut self.found);
        found.retain(|hole| !never_came(hole) || !self.reached.contains(&(hole.at.clone(), hole.item.clone())));
        order::sort_by(&mut found, |a, b| (a.sort, &a.at, &a.says, &a.rules).cmp(&(b.sort, &b.at, &b.says, &b.rules)));
        // what several rulesets have in common is told once, where it weighs most
        let mut told: Vec<Hole> = Vec::new();
        for hole in found {
            let same = |t: &&mut Hole| t.sort == hole.sort && t.at == hole.at && t.item == hole.item && alike(t, &hole);
            match told.iter_mut().find(same) {
                Some(known) => {
                    let (old, new) = (known.weight.map_or(0, |w| w.hit), hole.weight.map_or(0, |w| w.hit));
                    if new > old || known.replay.is_none() && hole.replay.is_some() {
                        *known = hole;
                    }
                }
                None => told.push(hole),
            }
        }
        told
    }
}

/// What differs between two rulesets by counts alone is the same hole.
fn alike(a: &Hole, b: &Hole) -> bool {
    let bare = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    match a.sort {
        HoleSort::Unreached | HoleSort::Unoffered => bare(&a.says) == bare(&b.says),
        _ => a.says == b.says,
    }
}

/// What is named on the command line.
#[derive(Default)]
struct HoleFiles {
    sources: Sources,
    /// Rules files that are named, by their paths from the root.
    named: OrdSet<String>,
    /// Rulesets that can be run, by root and path.
    sets: OrdMap<(String, String), Built>,
    /// Scenarios, by the ruleset they are for.
    scenes: OrdMap<String, Vec<Scene<'static>>>,
}

impl HoleFiles {
    fn read(&mut self, paths: &[PathBuf], search: &mut Search<'_>) -> Result<(), Stop> {
        let files = collect(paths, &["rules", "toml"])?.readable();
        let mut refused: OrdSet<String> = OrdSet::new();
        for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "rules")) {
            let (root, name) = Root::of_rules(path)?;
            let loaded = rules::load(&name, &root, &mut self.sources);
            self.named.insert(format!("{}.rules", name.trim_end_matches(".rules")));
            match loaded.ruleset {
                // what is open is looked at in the rulesets above it
                Some(set) if !set.open.is_empty() => {}
                Some(set) => {
                    self.sets.insert((root.folder(), set.path.clone()), Built::new(set, Detail::Plain));
                }
                None => match holes::refused(&name, &loaded.problems, &self.sources) {
                    Some(holes) => {
                        search.played.rulesets += 1;
                        let wanted = holes.into_iter().filter(|hole| search.args.wants(&[hole.sort]));
                        search.found.extend(wanted);
                        let told = format!("{name}: nothing else was looked for, as the checker refuses it");
                        search.played.left_out.push(told);
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

/// Reads texts of scenarios that stand on the scenario of this name.
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
