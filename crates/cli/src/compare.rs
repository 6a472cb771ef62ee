//! `grognard compare`: compares two versions of the rules on the same scenarios, exactly or with the same dice for both.

mod edits;
mod first;
mod gaming;
mod measures;
mod pair;
mod renamed;
#[doc(hidden)]
pub mod side;
mod which;

use super::check::is_scenario;
use super::files::collect;
use super::mode::{CostArgs, ModeArg, OpenQuestion};
use super::options::{ReceiptFile, Seed, Threads};
use super::out::{Out, Stop, complain};
use super::progress::Progress;
use super::run::verdict;
use super::simulate::{MOST_RUNS, ReportForm};
use super::{FINE, FOUND, LIMIT, named, shipped};
use grognard_ask::{self as ask, Unanswered};
use grognard_base::value::Type;
use grognard_base::{Diagnostic, Effort, Limit, Sources};
use grognard_lab::force::{Standing, Standings};
use grognard_play::odds::NotExact;
use grognard_program::Detail;
use grognard_report::compared::{self as shown, Which};
use grognard_report::finding::Finding;
use grognard_scenario::Scenario;
use grognard_stats::{Basis, CHUNK, Compared, OWN_DICE, Question};
use measures::directed;
pub use measures::margin;
use serde_json::{Value, json};
use side::{Side, in_common};
use std::path::{Path, PathBuf};

/// The arguments of `grognard compare`.
#[derive(clap::Args)]
#[command(after_long_help = "\
A version is a rules file, the name of a ruleset or variant, or nothing for the rules of the scenario. Params and \
readings follow after a colon:
  grognard compare warstrike/action-phase warstrike/leadership firefight.toml
  grognard compare core.rules house.rules:hit_on=5,at_half=Own scenarios/
The rules of the scenario, and a change of them:
  grognard compare :hit_on=5 firefight.toml
The rules of the scenario, and each ruleset in its `against`:
  grognard compare firefight.toml
Two scenarios with the same measures:
  grognard compare one.toml other.toml")]
pub struct CompareArgs {
    /// Two versions A and B, then scenarios or folders
    ///
    /// A single version is B, and A is the rules of the scenario. Without a version, B is each ruleset in the `against` of
    /// the scenario. Two scenarios without `against` and without a version are A and B.
    #[arg(required = true, value_name = "A B SCENARIO")]
    what: Vec<String>,
    /// Measure this expression at the end (repeatable)
    ///
    /// The expression is a condition or a number. The first one is the primary measure, which decides when to stop. The
    /// default is the report of the scenario.
    #[arg(long, value_name = "EXPR")]
    of: Vec<String>,
    /// Maximum number of pairs of runs
    #[arg(long, value_name = "N", default_value_t = Effort::Usual.pairs(), value_parser = clap::value_parser!(u64).range(1..=MOST_RUNS))]
    runs: u64,
    /// Largest difference that counts as the same
    ///
    /// It applies to the primary measure: `1%` of all runs for a condition, `0.1` for a number. The default is a hundredth
    /// of the range of the values.
    #[arg(long, value_name = "D")]
    within: Option<String>,
    /// Treat higher values as better (repeatable)
    ///
    /// With this option, or with `good` in the `[report]` of the scenario, the output calls B better or worse.
    #[arg(long, value_name = "EXPR")]
    more: Vec<String>,
    /// Treat lower values as better (repeatable)
    #[arg(long, value_name = "EXPR")]
    less: Vec<String>,
    /// Show the first run where the versions diverge
    ///
    /// The output has both traces side by side from the last common event, and the rule where they diverge. The search
    /// ends after `--runs` pairs.
    #[arg(long, conflicts_with_all = ["within", "more", "less", "unpaired", "report"])]
    first_difference: bool,
    /// Report the effect of each edit
    ///
    /// For each edit between A and B, the output has two effects: applying the edit to A, and removing it from B. It also
    /// has the effect of edits together.
    #[arg(long, conflicts_with_all = ["first_difference", "more", "less", "unpaired"])]
    which: bool,
    /// Report how much a player gains by best play
    ///
    /// The output has the value of the objective by plain play and by best play of this player under A and B, and the
    /// decisions where best play differs from plain play. `SIDE=worst` makes the objective small.
    #[arg(long, value_name = "SIDE", conflicts_with_all = ["first_difference", "which", "within", "more", "less", "unpaired", "every", "runs"])]
    gaming: Option<String>,
    /// Source of plain play for `--gaming`
    ///
    /// A source is a policy such as `policy:Bold`, `prefer` or `first`. The default is the source of the player in the scenario.
    #[arg(long, value_name = "SOURCE", requires = "gaming")]
    plain: Option<String>,
    /// How to compute results
    #[arg(long, value_name = "MODE", value_enum, default_value_t = ModeArg::Auto)]
    mode: ModeArg,
    #[command(flatten)]
    cost: CostArgs,
    /// Continue until every measure is decided
    #[arg(long, conflicts_with_all = ["first_difference", "which"])]
    every: bool,
    /// Use independent dice for each version
    #[arg(long)]
    unpaired: bool,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    threads: Threads,
    /// Print the statistical method
    #[arg(long)]
    explain: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportForm::Human)]
    format: ReportForm,
    #[command(flatten)]
    page: super::page::ReportFile,
    #[command(flatten)]
    pub receipt: ReceiptFile,
    /// List the differences of the rules; runs `grognard diff`
    #[arg(long, help_heading = "Other commands")]
    text: bool,
}

impl CompareArgs {
    /// Returns the question about a pair, without starting its computation.
    fn asked(&self, question: Question) -> ask::Compare {
        let budget = Effort::Usual.budget();
        ask::Compare { mode: self.mode.asked(), budget, question, named: !self.of.is_empty() }
    }

    /// Begins the computation of an exact answer, if the mode allows one.
    fn begin(&self, asked: &mut ask::Compare) -> Result<Option<OpenQuestion>, Stop> {
        let open = if asked.explores() { Some(self.cost.question(self.mode)?) } else { None };
        asked.budget = open.as_ref().map_or(asked.budget.clone(), |open| open.budget.clone());
        Ok(open)
    }
}

/// The result for a pair, for the report.
struct ComparedPair<T> {
    a: String,
    b: String,
    scenario: String,
    seed: u64,
    found: T,
    /// The reason why the result is not exact, if an exact result was attempted.
    why: Option<NotExact>,
    /// The edits, and which of them have an effect.
    edits: Vec<Standing>,
}

/// The effects of the edits with the reason why they are not exact, or the reason why there is no result.
type WhichFound = Result<(Option<Which>, Option<NotExact>), NotExact>;

/// Two versions on one scenario.
struct Pair {
    path: PathBuf,
    sides: [Side; 2],
    /// The scenario with A and with B.
    scenarios: [Scenario; 2],
    /// The same with traces, to show where the versions diverge.
    traced: Option<[Scenario; 2]>,
    sources: Sources,
    question: Question,
    standings: Standings,
}

/// Returns the path of a scenario that is given by name. A ruleset with this name comes first.
fn scenario_or_side(text: &str) -> Result<String, Stop> {
    if Path::new(&format!("{text}.rules")).is_file() || shipped::read(&format!("{text}.rules")).is_some() {
        return Ok(text.to_string());
    }
    let found = named::resolved(text).map_err(|why| Stop::failed(format!("`{text}`: {why}")))?;
    Ok(found.map_or_else(|| text.to_string(), |path| path.to_string_lossy().into_owned()))
}

/// Compares the versions and prints the result.
pub fn run(args: &CompareArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, ReportForm::Human);
    let what: Vec<String> = args.what.iter().map(|text| scenario_or_side(text)).collect::<Result<_, Stop>>()?;
    let (paths, sides): (Vec<&String>, Vec<&String>) =
        what.iter().partition(|text| text.ends_with(".toml") || Path::new(text.as_str()).is_dir());
    let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
    let sides: Vec<Side> = sides.into_iter().map(|text| Side::of(text)).collect();
    if sides.len() > 2 {
        return Err(Stop::failed("give two versions at most: `grognard compare A B SCENARIO`"));
    }
    if paths.is_empty() {
        return Err(Stop::failed("name a scenario for the comparison: `grognard compare A B SCENARIO`"));
    }
    if args.first_difference && args.format == ReportForm::Csv {
        return Err(Stop::failed("`--first-difference` needs `--format human` or `--format json`"));
    }
    args.page.ready()?;
    let mut files = collect(&paths, &["toml"])?.readable();
    files.retain(|path| is_scenario(path, &paths));
    if files.is_empty() {
        return Err(Stop::failed("no scenario found in the given paths"));
    }
    let mut work = CompareWork { args, several: files.len() > 1, code: FINE, beyond: Vec::new() };
    let mut pairs = Vec::new();
    for path in &files {
        work.read(path, &sides, &mut pairs, out)?;
    }
    if let ([], [a, b], true, FINE) = (sides.as_slice(), files.as_slice(), pairs.is_empty(), work.code) {
        work.pair(a, [Side::scenario(a), Side::scenario(b)], &mut pairs, out)?;
    }
    if pairs.is_empty() {
        if work.several && work.code == FOUND {
            complain("no scenario was compared");
        }
        if work.code == FINE {
            return Err(Stop::failed(
                "nothing to compare: name two versions, as in `compare A B SCENARIO`, a change, as in `compare :NAME=VALUE \
                 SCENARIO`, or two scenarios; or add `against` to the scenario",
            ));
        }
    }
    if let Some(side) = &args.gaming {
        work.code = work.code.max(gaming::gaming(args, side, pairs, out)?);
    } else if args.which {
        work.which(pairs, out)?;
    } else if args.first_difference {
        work.first_differences(pairs, out)?;
    } else {
        work.compare_all(pairs, out)?;
    }
    Ok(work.code)
}

/// The work of one command.
struct CompareWork<'w> {
    args: &'w CompareArgs,
    /// Whether there are several scenarios.
    several: bool,
    /// The exit code so far.
    code: u8,
    /// The pairs without a result, for JSON.
    beyond: Vec<Value>,
}

impl CompareWork<'_> {
    /// Reads a scenario with the versions to compare.
    fn read(&mut self, path: &Path, sides: &[Side], pairs: &mut Vec<Pair>, out: &mut Out) -> Result<(), Stop> {
        let own = Side::default();
        let wanted: Vec<[Side; 2]> = match sides {
            [a, b] => vec![[a.clone(), b.clone()]],
            [b] => vec![[own, b.clone()]],
            _ => {
                let mut sources = Sources::default();
                let against = match own.load(path, &own, &[], Detail::Plain, &mut sources) {
                    Err(Stop::Found(..)) => Vec::new(),
                    loaded => loaded?.plan.against,
                };
                let with = |name: String| [own.clone(), Side { rules: Some(name), ..Side::default() }];
                against.into_iter().map(with).collect()
            }
        };
        wanted.into_iter().try_for_each(|sides| self.pair(path, sides, pairs, out))
    }

    /// Reads a scenario with two versions, or the two scenarios that they are.
    fn pair(&mut self, path: &Path, sides: [Side; 2], pairs: &mut Vec<Pair>, out: &mut Out) -> Result<(), Stop> {
        let args = self.args;
        let [a, b] = &sides;
        let mut sources = Sources::default();
        let mut load = |detail| {
            let left = a.load(path, b, &args.of, detail, &mut sources).map_err(|stop| ("A", stop))?;
            Ok([left, b.load(path, a, &args.of, detail, &mut sources).map_err(|stop| ("B", stop))?])
        };
        let loaded = load(Detail::Plain);
        let traced = if args.first_difference { load(Detail::Traced).ok() } else { None };
        let mut scenarios = match loaded {
            Ok(scenarios) => scenarios,
            Err((side, Stop::Found(found, sources, _))) => return self.misfit(path, side, &found, &sources, out),
            Err((_, stop)) => return Err(stop),
        };
        in_common(&mut scenarios);
        let aims = args.gaming.is_some() && scenarios.iter().all(|scenario| scenario.plan.objective.is_some());
        if scenarios[0].plan.report.is_empty() && !aims {
            let nothing =
                if sides[1].scenario.is_some() { "no common measure" } else { "no `[report]` in the scenario" };
            self.code = self.code.max(FOUND);
            return out.say(&format!("{}: {nothing}; name a measure with `--of EXPR`", name(path, &sides)));
        }
        for scenario in &mut scenarios {
            directed(args, scenario)?;
        }
        let question = question(args, &scenarios[0])?;
        let standings = Standings::default();
        let mut pair = Pair { path: path.to_path_buf(), sides, scenarios, traced, sources, question, standings };
        pair.standings = edits::standings(&mut pair)?;
        pairs.push(pair);
        Ok(())
    }

    /// Shows where the versions of each pair diverge.
    fn first_differences(&mut self, pairs: Vec<Pair>, out: &mut Out) -> Result<(), Stop> {
        let mut all: Vec<Value> = Vec::new();
        for mut pair in pairs {
            pair.note("sampled", None, out);
            let Some(traced) = pair.traced.take() else { continue };
            let shown = first::first(&mut pair, traced, &self.args.of)?;
            if self.args.format == ReportForm::Human {
                out.text(&(if all.is_empty() { "" } else { "\n" }.to_string() + &shown.text))?;
            }
            self.code = self.code.max(shown.code);
            all.push(shown.json);
            if Progress::pressed() {
                break;
            }
        }
        if self.args.format == ReportForm::Json {
            out.json(&json!({ "schema": 2, "differences": all }))?;
        }
        Ok(())
    }

    /// Reports the effects of the edits of each pair.
    fn which(&mut self, pairs: Vec<Pair>, out: &mut Out) -> Result<(), Stop> {
        if pairs.iter().any(|pair| pair.sides[1].scenario.is_some()) {
            return Err(Stop::failed("`--which` compares versions of rules, not two scenarios"));
        }
        let family = pairs.len() as u64;
        let mut all: Vec<ComparedPair<Option<Which>>> = Vec::new();
        for mut pair in pairs {
            pair.question.family = family;
            let found = if pair.standings.nothing() { Ok((None, None)) } else { self.which_of(&mut pair, out)? };
            let (found, why) = match found {
                Ok(found) => found,
                Err(why) => {
                    self.beyond(&pair, &why, out)?;
                    continue;
                }
            };
            let basis = found.as_ref().map(|which| &which.found.basis);
            let exact = matches!(basis, Some(Basis::Exact { .. }));
            pair.note(
                if basis.is_none() {
                    "nothing"
                } else if exact {
                    "exact"
                } else {
                    "sampled"
                },
                why.as_ref().and_then(|why| why.ended_by),
                out,
            );
            let first_fault = match basis {
                Some(Basis::Sampled { first_fault, .. }) => first_fault.clone(),
                _ => None,
            };
            let rendered = pair.rendered(found, why);
            if self.args.format == ReportForm::Human {
                if !all.is_empty() {
                    out.line("")?;
                }
                let names = names(&rendered, self.args, family);
                let found = rendered.found.as_ref();
                out.text(&found.map_or_else(|| shown::nothing(&names), |found| shown::which(&names, found)).text())?;
            }
            if let Some((run, _, fault)) = first_fault {
                let mut problem = fault.diagnostic();
                problem.message = format!("in run {run} of a version: {}", problem.message);
                let problems = [problem];
                out.errors(&problems, &pair.sources)?;
                self.code = self.code.max(verdict(&problems, false));
            }
            all.push(rendered);
            if Progress::pressed() {
                break;
            }
        }
        self.nothing(&all);
        let all: Vec<(shown::Names<'_>, Option<&Which>)> =
            all.iter().map(|rendered| (names(rendered, self.args, family), rendered.found.as_ref())).collect();
        self.put(shown::whiches(&all), all.is_empty(), out)
    }

    /// Computes the effects of the edits of one pair. Returns `None` if no edit has an effect.
    fn which_of(&mut self, pair: &mut Pair, out: &mut Out) -> Result<WhichFound, Stop> {
        let mut left_out = Vec::new();
        let found = which::which(pair, self.args, &mut |why| left_out.push(why.to_string()))?;
        self.say_left_out(pair, &left_out, out)?;
        match found {
            Ok((found, why)) => Ok(Ok((Some(found).filter(|_| !pair.standings.nothing()), why))),
            Err(Unanswered::Beyond(why)) => Ok(Err(why)),
            Err(Unanswered::Unbounded(why) | Unanswered::Unfit(why)) => {
                Err(Stop::failed(format!("{}: {why}", pair.name())))
            }
        }
    }

    /// Reports the measures that were omitted, each with its reason.
    fn say_left_out(&self, pair: &Pair, left_out: &[String], out: &mut Out) -> Result<(), Stop> {
        left_out.iter().try_for_each(|why| out.say(&format!("{}: omitted: {why}", pair.path.display())))
    }

    /// Sets the exit code if no edit of any pair has an effect.
    fn nothing<T>(&mut self, all: &[ComparedPair<Option<T>>]) {
        if !all.is_empty() && all.iter().all(|rendered| rendered.found.is_none()) {
            self.code = self.code.max(LIMIT);
        }
    }

    /// Writes the findings of all pairs. The human-readable text was printed for each pair.
    fn put(&self, mut found: Finding, nothing: bool, out: &mut Out) -> Result<(), Stop> {
        if !self.beyond.is_empty() {
            found.fact("not_answered", json!(self.beyond));
        }
        if self.args.format != ReportForm::Human {
            super::simulate::shown(self.args.format, &found, out)?;
        }
        if nothing { Ok(()) } else { self.args.page.put(out, || found) }
    }

    /// Compares the versions of each pair, exactly or from runs.
    fn compare_all(&mut self, pairs: Vec<Pair>, out: &mut Out) -> Result<(), Stop> {
        let family = pairs.len() as u64;
        let mut all: Vec<ComparedPair<Option<Compared>>> = Vec::new();
        for mut pair in pairs {
            pair.question.family = family;
            let Some(rendered) = self.compare(&mut pair, out)? else { continue };
            if self.args.format == ReportForm::Human {
                if !all.is_empty() {
                    out.line("")?;
                }
                let names = names(&rendered, self.args, family);
                let found = rendered.found.as_ref();
                out.text(&found.map_or_else(|| shown::nothing(&names), |found| shown::one(&names, found)).text())?;
            }
            if let Some(found) = &rendered.found {
                self.faults(found, rendered.seed, &pair, out)?;
                self.renamed(found, &pair, out)?;
                self.code = self.code.max(if found.is_undecided(self.args.every) { LIMIT } else { FINE });
            }
            all.push(rendered);
            if Progress::pressed() {
                break;
            }
        }
        self.nothing(&all);
        let all: Vec<(shown::Names<'_>, Option<&Compared>)> =
            all.iter().map(|rendered| (names(rendered, self.args, family), rendered.found.as_ref())).collect();
        if self.args.format == ReportForm::Human {
            if all.len() > 1 {
                out.line("")?;
            }
            out.text(&shown::below(&all).text())?;
        }
        self.put(shown::all(&all), all.is_empty(), out)
    }

    /// Compares the versions of a pair. Returns `None` if only an exact result is allowed and none can be computed.
    fn compare(&mut self, pair: &mut Pair, out: &mut Out) -> Result<Option<ComparedPair<Option<Compared>>>, Stop> {
        let name = pair.name();
        if pair.standings.nothing() {
            pair.note("nothing", None, out);
            return Ok(Some(pair.rendered(None, None)));
        }
        let long = Progress::begin(pair.question.runs)?;
        let mut asked = self.args.asked(pair.question);
        let question = self.args.begin(&mut asked)?;
        let mut left_out = Vec::new();
        let watch = |runs| long.more(runs);
        let mut leave = |why: &str| left_out.push(why.to_string());
        let found = asked.answer(&mut pair.scenarios, &watch, &mut leave, (&[], &mut |_| ()));
        if let Ok(found) = &found {
            let mut standings = std::mem::take(&mut pair.standings);
            asked.look(&found.found, &mut standings, &mut || edits::covered(pair, &self.args.of));
            pair.standings = standings;
        }
        drop((question, long));
        self.say_left_out(pair, &left_out, out)?;
        match found {
            Ok(found) => {
                let how = if matches!(found.found, Compared::Exact(_)) { "exact" } else { "sampled" };
                pair.note(how, found.not_exact.as_ref().and_then(|why| why.ended_by), out);
                let answer = Some(found.found).filter(|_| !pair.standings.nothing());
                Ok(Some(pair.rendered(answer, found.not_exact)))
            }
            Err(Unanswered::Beyond(why)) => {
                self.beyond(pair, &why, out)?;
                Ok(None)
            }
            Err(Unanswered::Unbounded(why)) if self.args.mode == ModeArg::Auto => {
                Err(Stop::failed(format!("{name}: {why}; or compute the exact answer with `--mode exact`")))
            }
            Err(Unanswered::Unbounded(why) | Unanswered::Unfit(why)) => Err(Stop::failed(format!("{name}: {why}"))),
        }
    }

    /// Reports why an exact result cannot be computed in exact mode.
    fn beyond(&mut self, pair: &Pair, why: &NotExact, out: &mut Out) -> Result<(), Stop> {
        pair.note("nothing", why.ended_by, out);
        let ended_by = why.ended_by.map(Limit::word);
        self.beyond.push(json!({ "scenario": pair.name(), "not_exact": why.why, "ended_by": ended_by }));
        self.code = self.code.max(LIMIT);
        out.say(&format!("{}: cannot be computed exactly: {why}", pair.name()))
    }

    /// Reports why a scenario does not fit a version. Of several scenarios, each has one line.
    fn misfit(
        &mut self,
        path: &Path,
        side: &str,
        found: &[Diagnostic],
        sources: &Sources,
        out: &mut Out,
    ) -> Result<(), Stop> {
        self.code = self.code.max(FOUND);
        if !self.several {
            return out.errors(found, sources);
        }
        let first = found.first().map_or(String::new(), |d| format!("{} {}", d.code, d.message));
        let more = if found.len() > 1 { format!(", and {} more", found.len() - 1) } else { String::new() };
        out.say(&format!("{}: cannot be run with {side}: {first}{more}", path.display()))
    }

    /// Reports the first run that ended in an error, and its version.
    fn faults(&mut self, found: &Compared, seed: u64, pair: &Pair, out: &mut Out) -> Result<(), Stop> {
        let Compared::Sampled(found) = found else { return Ok(()) };
        let Some((run, in_b, fault)) = &found.first_fault else { return Ok(()) };
        let mut problem = fault.diagnostic();
        problem.message = format!("in run {run} of {}: {}", if *in_b { "B" } else { "A" }, problem.message);
        let side = &pair.sides[usize::from(*in_b)];
        let number = if *in_b && self.args.unpaired { run + OWN_DICE } else { *run };
        let problems = [problem];
        out.errors(&problems, &pair.sources)?;
        self.code = self.code.max(verdict(&problems, false));
        out.say(&format!("see it with `{}`", side.command(&pair.path, seed, number)))
    }
}

/// Returns the name of the table of a pair: its scenario, or both scenarios.
fn name(path: &Path, sides: &[Side; 2]) -> String {
    let other = sides[1].scenario.as_ref().map_or(String::new(), |other| format!(" and {}", other.display()));
    format!("{}{other}", path.display())
}

fn names<'t, T>(t: &'t ComparedPair<T>, args: &CompareArgs, family: u64) -> shown::Names<'t> {
    let (a, b, scenario, why) = (&t.a, &t.b, &t.scenario, t.why.as_ref());
    let (unpaired, explain, edits) = (args.unpaired, args.explain, &t.edits);
    shown::Names { a, b, scenario, seed: t.seed, unpaired, why, family, explain, edits }
}

fn question(args: &CompareArgs, scenario: &Scenario) -> Result<Question, Stop> {
    let plan = &scenario.plan;
    if ask::asks_person(plan) {
        return Err(Stop::failed(ask::Refused::Person.to_string()));
    }
    let share = plan.report.first().is_some_and(|f| f.asked.ty == Type::Flag);
    Ok(Question {
        seed: args.seed.seed.unwrap_or(plan.seed),
        runs: args.runs,
        threads: args.threads.count(),
        chunk: CHUNK,
        within: args.within.as_deref().map(|text| margin(text, share)).transpose()?,
        unpaired: args.unpaired,
        family: 1,
        every: args.every,
    })
}
