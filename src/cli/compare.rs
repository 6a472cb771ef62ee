//! `grognard compare`: two versions of the rules, on the same tables and the same dice.

use super::check::is_scenario;
use super::files::collect;
use super::long::{Long, threads};
use super::out::{Out, Stop};
use super::run::verdict;
use super::scenes::{self, Wanted};
use super::simulate::{Form, MOST_RUNS, hundredth};
use super::{FINE, FOUND, Findings, LIMIT};
use crate::base::Sources;
use crate::program::Detail;
use crate::report::{self, sampled as told};
use crate::sample::{CHUNK, Comparison, Judgement, OWN_DICE, Question, compare};
use crate::scenario::{Answerer, Scenario};
use crate::value::Type;
use std::path::{Path, PathBuf};

/// What to compare.
#[derive(clap::Args)]
#[command(after_long_help = "\
A version is a rules file, a ruleset or variant by name, or the scenario's own rules; behind a colon stand params and \
readings:

  grognard compare warstrike/action-phase warstrike/leadership firefight.toml
  grognard compare core.rules house.rules:hit_on=5,at_half=OwnChoice scenarios/
  grognard compare :hit_on=5 firefight.toml      the scenario's own rules against a change of them
  grognard compare firefight.toml                its rules against each of those in its `against`")]
pub struct Args {
    /// Versions A and B, then scenarios (.toml) or folders of them. One version alone is B, and A is what the scenario
    /// names; without any, B is each of the scenario's `against`.
    #[arg(required = true, value_name = "A B SCENARIO")]
    what: Vec<String>,
    /// What is measured at the end of each run: a condition or a number; may be given again. The first is the primary
    /// measure, which decides when to stop. Without it, what the scenario reports.
    #[arg(long, value_name = "EXPR")]
    of: Vec<String>,
    /// Pairs of runs at most.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=MOST_RUNS))]
    runs: u64,
    /// A difference of the primary measure that is too small to matter: `1%` of all runs for a condition, `0.1` for a
    /// number. Without it, a hundredth of the range of its values.
    #[arg(long, value_name = "D")]
    within: Option<String>,
    /// Less of a measure is better.
    #[arg(long)]
    less: bool,
    /// B throws dice of its own instead of those of A.
    #[arg(long)]
    unpaired: bool,
    /// Another seed.
    #[arg(long)]
    seed: Option<u64>,
    /// Threads; results do not hang on it. Without it, one for each core.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: Option<u64>,
    /// How it is told.
    #[arg(long, value_enum, default_value_t = Form::Human)]
    format: Form,
    #[command(flatten)]
    page: super::page::File,
}

/// One version: rules, or none for those of the scenario, and settings.
#[derive(Clone, Debug, Default)]
struct Side {
    rules: Option<String>,
    set: Vec<String>,
}

impl Side {
    /// Reads `rules:name=value,name=value`.
    fn of(text: &str) -> Side {
        let (rules, settings) = match text.rsplit_once(':') {
            Some((rules, settings)) if settings.contains('=') => (rules, settings),
            _ => (text.trim_end_matches(':'), ""),
        };
        let mut set: Vec<String> = Vec::new();
        for part in settings.split(',').filter(|part| !part.is_empty()) {
            match set.last_mut() {
                // a comma inside a value
                Some(last) if !part.contains('=') => *last = format!("{last},{part}"),
                _ => set.push(part.to_string()),
            }
        }
        Side { rules: (!rules.is_empty()).then(|| rules.to_string()), set }
    }

    /// What it is called, once the rules are known.
    fn name(&self, scenario: &Scenario) -> String {
        let settings = if self.set.is_empty() { String::new() } else { format!(":{}", self.set.join(",")) };
        format!("{}{settings}", scenario.plan.rules.trim_end_matches(".rules"))
    }

    fn load(
        &self,
        path: &Path,
        other: &Side,
        of: &[String],
        sources: &mut Sources,
    ) -> Result<Result<Scenario, Vec<crate::base::Diagnostic>>, Stop> {
        let beside: Vec<String> = other.rules.iter().cloned().collect();
        let wanted = Wanted { rules: self.rules.as_deref(), beside: &beside, set: &self.set, of };
        scenes::load_as(path, wanted, Detail::Plain, sources)
    }
}

/// What was compared, for the report.
struct Told {
    a: String,
    b: String,
    scenario: String,
    seed: u64,
    found: Comparison,
}

/// Compares and tells.
pub fn run(args: &Args, colour: bool, out: &mut Out) -> Result<u8, Stop> {
    let (paths, sides): (Vec<&String>, Vec<&String>) =
        args.what.iter().partition(|text| text.ends_with(".toml") || Path::new(text.as_str()).is_dir());
    let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
    let sides: Vec<Side> = sides.into_iter().map(|text| Side::of(text)).collect();
    if sides.len() > 2 {
        return Err(Stop::failed("two versions are compared at a time: `grognard compare A B SCENARIO`"));
    }
    if paths.is_empty() {
        return Err(Stop::failed("there is no scenario to compare them on: `grognard compare A B SCENARIO`"));
    }
    args.page.ready()?;
    let mut code = FINE;
    let mut all = Vec::new();
    for path in collect(&paths, &["toml"])? {
        if is_scenario(&path, &paths) {
            code = code.max(one(args, &path, &sides, colour, out, &mut all)?);
        }
        if Long::pressed() {
            break;
        }
    }
    if all.is_empty() && code == FINE {
        return Err(Stop::failed("nothing was compared: name two versions, or give the scenario an `against`"));
    }
    if !all.is_empty() {
        args.page.put(|| told::comparisons_page(all.iter().map(|t| (names(t, args), &t.found))))?;
    }
    match args.format {
        Form::Human => {}
        Form::Json => {
            let all: Vec<serde_json::Value> =
                all.iter().map(|t| told::comparison_json(&names(t, args), &t.found)).collect();
            out.line(&serde_json::json!({ "schema": 1, "comparisons": all }).to_string())?;
        }
        Form::Csv => {
            let all: Vec<_> = all.iter().map(|t| (names(t, args), t.found.clone())).collect();
            out.text(&told::comparisons_csv(&all))?;
        }
    }
    Ok(code)
}

fn names<'t>(t: &'t Told, args: &Args) -> told::Names<'t> {
    told::Names { a: &t.a, b: &t.b, scenario: &t.scenario, seed: t.seed, unpaired: args.unpaired }
}

/// Compares the versions on one scenario.
fn one(args: &Args, path: &Path, sides: &[Side], colour: bool, out: &mut Out, all: &mut Vec<Told>) -> Result<u8, Stop> {
    let own = Side::default();
    let pairs: Vec<(Side, Side)> = match sides {
        [a, b] => vec![(a.clone(), b.clone())],
        [b] => vec![(own, b.clone())],
        _ => {
            let mut sources = Sources::default();
            let against = own.load(path, &own, &[], &mut sources)?.map(|s| s.plan.against).unwrap_or_default();
            let with = |name: String| (own.clone(), Side { rules: Some(name), set: Vec::new() });
            against.into_iter().map(with).collect()
        }
    };
    let mut code = FINE;
    for (a, b) in pairs {
        let mut sources = Sources::default();
        let loaded = [a.load(path, &b, &args.of, &mut sources)?, b.load(path, &a, &args.of, &mut sources)?];
        let [Ok(left), Ok(right)] = &loaded else {
            for found in loaded.into_iter().filter_map(Result::err) {
                out.text(&report::render(&found, &sources, Findings::Human.format(colour)))?;
            }
            return Ok(FOUND);
        };
        let name = path.display().to_string();
        if left.plan.report.is_empty() {
            out.line(&report::clean(&format!("{name}: reports nothing; ask with `--of EXPR`")))?;
            code = code.max(FOUND);
            continue;
        }
        let question = question(args, left)?;
        let long = Long::begin(question.runs)?;
        let found = compare(left, right, question, &|runs| long.more(runs));
        drop(long);
        let found = found.map_err(|unfit| Stop::failed(format!("{name}: {}", unfit.why)))?;
        let mut told = Told { a: a.name(left), b: b.name(right), scenario: name, seed: question.seed, found };
        if told.a == told.b {
            told.b += " (the same)";
        }
        if args.format == Form::Human {
            if !all.is_empty() {
                out.line("")?;
            }
            out.text(&told::comparison(&names(&told, args), &told.found))?;
        }
        code = code.max(faults(&told, args, [&a, &b], &sources, path, colour, out)?);
        let undecided = told.found.effects.first().is_some_and(|e| e.judgement == Judgement::Undecided);
        code = code.max(if undecided { LIMIT } else { FINE });
        all.push(told);
        if Long::pressed() {
            break;
        }
    }
    Ok(code)
}

/// Says which run of which version was the first that ended in an error.
fn faults(
    told: &Told,
    args: &Args,
    sides: [&Side; 2],
    sources: &Sources,
    path: &Path,
    colour: bool,
    out: &mut Out,
) -> Result<u8, Stop> {
    let Some((run, in_b, fault)) = &told.found.first_fault else { return Ok(FINE) };
    let mut problem = fault.diagnostic();
    problem.message = format!("in run {run} of {}: {}", if *in_b { "B" } else { "A" }, problem.message);
    let side = sides[usize::from(*in_b)];
    let rules = side.rules.as_ref().map_or(String::new(), |rules| format!(" --rules {rules}"));
    let set: String = side.set.iter().map(|set| format!(" --set {set}")).collect();
    let number = if *in_b && args.unpaired { run + OWN_DICE } else { *run };
    let replay =
        format!("see it with `grognard run {}{rules}{set} --seed {} --run {number}`", path.display(), told.seed);
    let problems = [problem];
    if args.format == Form::Human {
        out.text(&report::render(&problems, sources, Findings::Human.format(colour)))?;
        out.line(&report::clean(&replay))?;
    } else {
        super::out::complain(&replay);
    }
    Ok(verdict(&problems, false))
}

fn question(args: &Args, scenario: &Scenario) -> Result<Question, Stop> {
    let plan = &scenario.plan;
    if plan.players.iter().any(|(_, list)| list.contains(&Answerer::Prompt)) {
        return Err(Stop::failed("a person answers in this scenario; give the player a policy"));
    }
    let share = plan.report.first().is_some_and(|f| f.ty == Type::Flag);
    Ok(Question {
        seed: args.seed.unwrap_or(plan.seed),
        runs: args.runs,
        threads: threads(args.threads.and_then(|n| usize::try_from(n).ok())),
        chunk: CHUNK,
        within: args.within.as_deref().map(|text| margin(text, share)).transpose()?,
        less: args.less,
        unpaired: args.unpaired,
    })
}

/// Reads `1%` for a condition, `0.1` for a number.
fn margin(text: &str, share: bool) -> Result<f64, Stop> {
    let number = if share { text.trim().strip_suffix('%') } else { Some(text.trim()) };
    let number = number.and_then(|n| n.trim_end().parse::<f64>().ok()).filter(|n| n.is_finite() && *n > 0.0);
    match number {
        Some(n) if share && n <= 100.0 => Ok(hundredth(n)),
        Some(n) if !share => Ok(n),
        _ => {
            let form = if share { "`1%` for a condition" } else { "`0.1` for a number" };
            Err(Stop::failed(format!("`--within {text}` is no margin; the primary measure wants {form}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        let side = |text: &str| {
            let side = Side::of(text);
            (side.rules.unwrap_or_default(), side.set)
        };
        assert_eq!(side("g/x"), ("g/x".into(), vec![]));
        assert_eq!(side("g/x:a=1,b=[1,2],c=x"), ("g/x".into(), vec!["a=1".into(), "b=[1,2]".into(), "c=x".into()]));
        assert_eq!(side(":a=1"), (String::new(), vec!["a=1".into()]));
        assert_eq!(side("C:\\x.rules"), ("C:\\x.rules".into(), vec![]));
    }

    #[test]
    fn margins_are_of_the_sort_of_the_measure() {
        assert!(margin("1%", true).is_ok_and(|d| d == 0.01) && margin("0.1", false).is_ok_and(|d| d == 0.1));
        assert!(margin("1", true).is_err() && margin("1%", false).is_err() && margin("-1", false).is_err());
    }
}
