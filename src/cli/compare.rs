//! `grognard compare`: two versions of the rules, on the same tables and the same dice.

mod first;

use super::check::is_scenario;
use super::files::collect;
use super::long::{Long, threads};
use super::out::{Out, Stop, complain, count, told as noted};
use super::run::verdict;
use super::scenes::{self, Wanted};
use super::simulate::{Form, MOST_RUNS, errors, hundredth};
use super::{FINE, FOUND, LIMIT};
use crate::base::{Diagnostic, Sources};
use crate::program::Detail;
use crate::report::{self, sampled as told};
use crate::sample::{CHUNK, Comparison, Judgement, OWN_DICE, Question, compare};
use crate::scenario::{Answerer, Scenario};
use crate::value::Type;
use serde_json::{Value, json};
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
    /// Instead of an effect, shows a run in which the versions part: both traces beside each other from what they have
    /// in common, and the rule that parted them. Looks through --runs at most.
    #[arg(long, conflicts_with_all = ["within", "less", "unpaired", "report"])]
    first_difference: bool,
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

    /// The command that plays one run of it.
    fn command(&self, path: &Path, seed: u64, run: u64) -> String {
        let rules = self.rules.as_ref().map_or(String::new(), |rules| format!(" --rules {rules}"));
        let set: String = self.set.iter().map(|set| format!(" --set {set}")).collect();
        format!("grognard run {}{rules}{set} --seed {seed} --run {run}", path.display())
    }

    fn load(
        &self,
        path: &Path,
        other: &Side,
        of: &[String],
        detail: Detail,
        sources: &mut Sources,
    ) -> Result<Result<Scenario, Vec<Diagnostic>>, Stop> {
        let beside: Vec<String> = other.rules.iter().cloned().collect();
        let wanted = Wanted { rules: self.rules.as_deref(), beside: &beside, set: &self.set, of };
        scenes::load_as(path, wanted, detail, sources)
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

/// What was found on all scenarios.
#[derive(Default)]
struct All {
    told: Vec<Told>,
    /// First differences.
    parted: Vec<Value>,
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
    if args.first_difference && args.format == Form::Csv {
        return Err(Stop::failed("a first difference is no table; `--format` human or json"));
    }
    args.page.ready()?;
    let mut code = FINE;
    let mut all = All::default();
    let mut files = collect(&paths, &["toml"])?;
    files.retain(|path| is_scenario(path, &paths));
    for path in &files {
        let job = Job { args, path, colour, alone: files.len() == 1 };
        code = code.max(job.run(&sides, out, &mut all)?);
        if Long::pressed() {
            break;
        }
    }
    let none = all.told.is_empty() && all.parted.is_empty();
    if files.len() > 1 && none && code == FOUND {
        complain("none of these scenarios was compared");
    }
    if none && code == FINE {
        return Err(Stop::failed("nothing was compared: name two versions, or give the scenario an `against`"));
    }
    args.page.put(|| told::comparisons_page(all.told.iter().map(|t| (names(t, args), &t.found))))?;
    match args.format {
        Form::Human => {}
        Form::Json if args.first_difference => {
            out.line(&json!({ "schema": 1, "differences": all.parted }).to_string())?;
        }
        Form::Json => {
            let all = all.told.iter().map(|t| told::comparison_json(&names(t, args), &t.found));
            out.line(&json!({ "schema": 1, "comparisons": all.collect::<Vec<Value>>() }).to_string())?;
        }
        Form::Csv => {
            let all: Vec<_> = all.told.iter().map(|t| (names(t, args), t.found.clone())).collect();
            out.text(&told::comparisons_csv(&all))?;
        }
    }
    Ok(code)
}

fn names<'t>(t: &'t Told, args: &Args) -> told::Names<'t> {
    told::Names { a: &t.a, b: &t.b, scenario: &t.scenario, seed: t.seed, unpaired: args.unpaired }
}

/// One scenario to compare the versions on.
struct Job<'j> {
    args: &'j Args,
    path: &'j Path,
    colour: bool,
    /// It is the only one.
    alone: bool,
}

impl Job<'_> {
    /// Compares the versions on it.
    fn run(&self, sides: &[Side], out: &mut Out, all: &mut All) -> Result<u8, Stop> {
        let (args, path) = (self.args, self.path);
        let own = Side::default();
        let pairs: Vec<(Side, Side)> = match sides {
            [a, b] => vec![(a.clone(), b.clone())],
            [b] => vec![(own, b.clone())],
            _ => {
                let mut sources = Sources::default();
                let against =
                    own.load(path, &own, &[], Detail::Plain, &mut sources)?.map(|s| s.plan.against).unwrap_or_default();
                let with = |name: String| (own.clone(), Side { rules: Some(name), set: Vec::new() });
                against.into_iter().map(with).collect()
            }
        };
        let mut code = FINE;
        for (a, b) in pairs {
            let mut sources = Sources::default();
            let mut load = |detail| -> Result<_, Stop> {
                Ok([
                    a.load(path, &b, &args.of, detail, &mut sources)?,
                    b.load(path, &a, &args.of, detail, &mut sources)?,
                ])
            };
            let loaded = load(Detail::Plain)?;
            let traced = if args.first_difference { Some(load(Detail::Traced)?) } else { None };
            let (left, right) = match &loaded {
                [Ok(left), Ok(right)] => (left, right),
                [Err(found), _] => return self.misfit("A", found, &sources, out),
                [_, Err(found)] => return self.misfit("B", found, &sources, out),
            };
            let name = path.display().to_string();
            if left.plan.report.is_empty() {
                self.say(&format!("{name}: reports nothing; ask with `--of EXPR`"), out)?;
                code = code.max(FOUND);
                continue;
            }
            let question = question(args, left)?;
            for (side, version) in [("A", left), ("B", right)] {
                let own = [("side", side.into()), ("seed", count(question.seed)), ("most_pairs", count(question.runs))];
                out.note(noted(path, version).into_iter().chain(own).chain([("found", "sampled".into())]));
            }
            if let Some([Ok(x), Ok(y)]) = traced {
                let sides = first::Sides { plain: [left, right], traced: [x, y], sources: &sources };
                let names = [a.name(left), b.name(right)];
                let names = [names[0].as_str(), names[1].as_str()];
                let shown =
                    first::first(sides, question, &name, names, super::columns().unwrap_or(100).clamp(60, 200))?;
                if args.format == Form::Human {
                    out.text(&(if all.parted.is_empty() { "" } else { "\n" }.to_string() + &shown.text))?;
                }
                code = code.max(shown.code);
                all.parted.push(shown.json);
                continue;
            }
            let long = Long::begin(question.runs)?;
            let found = compare(left, right, question, &|runs| long.more(runs));
            drop(long);
            let found = found.map_err(|unfit| Stop::failed(format!("{name}: {}", unfit.why)))?;
            let mut told = Told { a: a.name(left), b: b.name(right), scenario: name, seed: question.seed, found };
            if told.a == told.b {
                told.b += " (the same)";
            }
            if args.format == Form::Human {
                if !all.told.is_empty() {
                    out.line("")?;
                }
                out.text(&told::comparison(&names(&told, args), &told.found))?;
            }
            code = code.max(self.faults(&told, [&a, &b], &sources, out)?);
            let undecided = told.found.effects.first().is_some_and(|e| e.judgement == Judgement::Undecided);
            code = code.max(if undecided { LIMIT } else { FINE });
            all.told.push(told);
            if Long::pressed() {
                break;
            }
        }
        Ok(code)
    }

    /// Says why it cannot be run with a version: of several scenarios in a line each.
    fn misfit(&self, side: &str, found: &[Diagnostic], sources: &Sources, out: &mut Out) -> Result<u8, Stop> {
        if self.alone {
            errors(found, sources, self.args.format, self.colour, out)?;
            return Ok(FOUND);
        }
        let first = found.first().map_or(String::new(), |d| format!("{} {}", d.code, d.message));
        let more = if found.len() > 1 { format!(", and {} more", found.len() - 1) } else { String::new() };
        self.say(&format!("{}: does not fit {side}: {first}{more}", self.path.display()), out)?;
        Ok(FOUND)
    }

    /// Says something beside the results.
    fn say(&self, text: &str, out: &mut Out) -> Result<(), Stop> {
        if self.args.format == Form::Human {
            return out.line(&report::clean(text));
        }
        complain(text);
        Ok(())
    }

    /// Says which run of which version was the first that ended in an error.
    fn faults(&self, told: &Told, sides: [&Side; 2], sources: &Sources, out: &mut Out) -> Result<u8, Stop> {
        let Some((run, in_b, fault)) = &told.found.first_fault else { return Ok(FINE) };
        let mut problem = fault.diagnostic();
        problem.message = format!("in run {run} of {}: {}", if *in_b { "B" } else { "A" }, problem.message);
        let side = sides[usize::from(*in_b)];
        let number = if *in_b && self.args.unpaired { run + OWN_DICE } else { *run };
        let problems = [problem];
        errors(&problems, sources, self.args.format, self.colour, out)?;
        self.say(&format!("see it with `{}`", side.command(self.path, told.seed, number)), out)?;
        Ok(verdict(&problems, false))
    }
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
