//! Runs tests: the examples of a ruleset, or a scenario. A job contains all data that it needs, so that it can run on any thread.

use super::Address;
use super::items::reach;
use grognard_ask::{asks_person, reported};
use grognard_base::{Budget, Code, Diagnostic, FileId, OrdSet, Source, Sources};
use grognard_play::examples::{ExampleVerdict, run_example};
use grognard_play::record::{About, Event, Recorder, TraceDetail, render};
use grognard_play::{self as play, Checked, Options, Verdict};
use grognard_program::{Built, Detail, Program, Ran};
use grognard_report::{self as report, Format};
use grognard_rules::ruleset::Ruleset;
use grognard_scenario::{self as scenario, Document, Mode, Scenario};
use grognard_stats::tested::tested;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A claim about a run, with its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The claim, as written.
    pub text: String,
    /// Whether it holds, or `None` if this could not be determined.
    pub holds: Option<bool>,
}

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The claims about the run.
    pub claims: Vec<Claim>,
    /// The brief trace, without the header that names versions.
    pub trace: String,
    /// The exact report, if the budget was sufficient.
    pub odds: String,
    /// The sampled report.
    pub sample: String,
    /// The rendered diagnostics.
    pub rendered: String,
    /// Whether the test fails.
    pub fails: bool,
    /// The schema items that the run reached.
    pub(super) reached: OrdSet<String>,
    /// The paths of traces that the run is compared with.
    pub(super) traces: Vec<String>,
}

impl Seen {
    /// Returns whether the run was compared with files next to the scenario.
    pub fn has_traces(&self) -> bool {
        !self.traces.is_empty()
    }
}

/// A job: one or more tests to run.
pub struct RunJob {
    /// The name of the ruleset or scenario.
    pub name: String,
    /// The file of the tests.
    pub file: Address,
    pub(super) what: JobWhat,
    /// The texts that the result depends on, apart from data outside the rules.
    pub(super) texts: Vec<FileId>,
    pub(super) sources: Arc<Sources>,
    pub(super) format: Format,
    pub(super) cost: Cost,
}

/// The budgets of exact results.
#[derive(Clone, Debug)]
pub struct Cost {
    /// Budget for claims.
    pub claims: Budget,
    /// Budget for the report of a scenario that is played. The exact report is omitted if the budget is not sufficient.
    pub odds: Budget,
}

pub(super) enum JobWhat {
    /// Examples of a ruleset, by their indices.
    Examples(Arc<Ruleset>, Vec<usize>),
    /// A scenario, its ruleset, and the other rulesets that it is run with.
    Scene(Arc<Ruleset>, Document, Vec<Arc<Ruleset>>),
    /// A scenario that cannot be read, with its diagnostics.
    Unread(String),
}

/// The results of a job: each test by its name.
pub type Ended = Vec<(String, Seen)>;

/// A function that judges a run against data outside the rules: accepted traces and odds.
pub type Beside<'b> = dyn Fn(&str, &Scenario, &[Event], &Seen) -> (Vec<Claim>, Vec<Diagnostic>) + Sync + 'b;

/// Returns the name of an example. An inherited example names the file that contains it.
pub(super) fn example_name(rules: &Ruleset, at: usize) -> String {
    let Some(example) = rules.examples.get(at) else { return String::new() };
    let from = rules.chain.get(example.from).map_or("", |(path, _)| path.as_str());
    let through = if from == rules.path { String::new() } else { format!(" [in {}]", rules.path) };
    format!("{from}: {}{through}", example.tree.title.text)
}

impl RunJob {
    /// Runs the tests of the job.
    pub fn run(&self, beside: &Beside<'_>) -> Ended {
        match &self.what {
            JobWhat::Examples(rules, which) => self.examples(rules, which),
            JobWhat::Scene(rules, document, others) => {
                vec![(self.name.clone(), self.scene(rules, document, others, beside))]
            }
            JobWhat::Unread(rendered) => {
                vec![(self.name.clone(), Seen { rendered: rendered.clone(), fails: true, ..Seen::default() })]
            }
        }
    }

    /// Returns the number of tests.
    pub fn count(&self) -> usize {
        match &self.what {
            JobWhat::Examples(_, which) => which.len(),
            JobWhat::Scene(..) | JobWhat::Unread(_) => 1,
        }
    }

    /// Returns every text that the results depend on, apart from data outside the rules.
    pub fn texts(&self) -> impl Iterator<Item = &Source> {
        self.texts.iter().filter_map(|file| self.sources.get(*file))
    }

    /// Returns the indices of the examples that are run, or nothing for a scenario.
    pub fn examples_run(&self) -> &[usize] {
        if let JobWhat::Examples(_, which) = &self.what { which } else { &[] }
    }

    fn examples(&self, rules: &Ruleset, which: &[usize]) -> Ended {
        let built = Built::new(rules.clone(), Detail::Covered);
        let all = which.iter().filter_map(|at| Some((at, built.rules.examples.get(*at)?)));
        let one = |(at, example): (&usize, _)| {
            built.ran.items(&built.program);
            let result = run_example(&built, example, &self.sources, self.cost.claims.clone());
            let holds = match result.verdict {
                ExampleVerdict::Holds => Some(true),
                ExampleVerdict::Fails => Some(false),
                ExampleVerdict::Waits => None,
            };
            let seen = Seen {
                claims: vec![Claim { text: result.title.clone(), holds }],
                rendered: if holds == Some(false) { self.render(&result.problems) } else { String::new() },
                fails: holds == Some(false),
                reached: reached(&built.ran, &built.program),
                ..Seen::default()
            };
            (example_name(&built.rules, *at), seen)
        };
        all.map(one).collect()
    }

    fn scene(&self, rules: &Ruleset, document: &Document, others: &[Arc<Ruleset>], beside: &Beside<'_>) -> Seen {
        let others: Vec<Ruleset> = others.iter().map(|set| set.as_ref().clone()).collect();
        let build = |detail| scenario::build(document, rules.clone(), &others, &self.sources, detail);
        let (traced, covered) = match build(Detail::Traced).and_then(|traced| Ok((traced, build(Detail::Covered)?))) {
            Ok(both) => both,
            Err(found) => return Seen { rendered: self.render(&found), fails: true, ..Seen::default() },
        };
        let mut seen =
            Seen { traces: traced.plan.traces.iter().map(|(name, _)| name.clone()).collect(), ..Seen::default() };
        if asks_person(&covered.plan) {
            return seen;
        }
        let mut events = Vec::new();
        if covered.plan.mode == Mode::Scripted {
            // a pinned trace begins with the line about the run
            let name = self.name.rsplit('/').next().and_then(|file| file.rsplit_once('.')).map_or("", |(name, _)| name);
            let recorder = Recorder::new(&traced.game, &About::of(name, &traced, None, None), Some(&self.sources));
            events = play::record(&traced, Options::default(), recorder).1;
            let text = render(&events, TraceDetail::Brief);
            let below = text.split_once("\n\n").map_or(text.as_str(), |(_, below)| below);
            seen.trace = bare(below);
        }
        let (checks, mut found) = self.judged(&covered, &mut seen);
        seen.claims = claims(&covered, &checks);
        let (more, wrong) = beside(&self.name, &traced, &events, &seen);
        found.extend(wrong);
        seen.fails = more.iter().any(|claim| claim.holds == Some(false))
            || found.iter().any(|d| d.is_error() || play::is_limit(d.code));
        seen.claims.extend(more);
        seen.rendered = if seen.fails { self.render(&found) } else { String::new() };
        seen.reached = reached(&covered.game.ran, &covered.game.program);
        seen
    }

    /// Plays a scenario as `grognard test` does, and stores its reports.
    fn judged(&self, scenario: &Scenario, seen: &mut Seen) -> (Vec<Checked>, Vec<Diagnostic>) {
        let mut played = tested(scenario, 1);
        if let Some(sample) = &played.sample {
            seen.sample = bare(&report::sampled::sample("", scenario, sample).text());
        }
        let exact = scenario.plan.mode == Mode::Exact;
        if played.problems.iter().any(|d| d.is_error() && d.code != Code::Expectation) {
            return (played.checks, played.problems);
        }
        played.judge(scenario, self.cost.claims.clone());
        let budget = if exact { self.cost.claims.clone() } else { self.cost.odds.clone() };
        let odds = reported(scenario, budget, !exact).ok().flatten();
        seen.odds = bare(&odds.unwrap_or_default());
        (played.checks, played.problems)
    }

    fn render(&self, found: &[Diagnostic]) -> String {
        report::render(found, &self.sources, self.format)
    }
}

/// Returns the expectations with their results. An expectation of a step names the step.
fn claims(scenario: &Scenario, checks: &[Checked]) -> Vec<Claim> {
    let claim = |check: &Checked| {
        let step = check.step.and_then(|n| scenario.plan.steps.get(n).map(|_| n + 1));
        let at = step.map_or(String::new(), |n| format!("step {n}: "));
        let holds = match check.verdict {
            Verdict::Holds => Some(true),
            Verdict::Fails(_) | Verdict::Unreached => Some(false),
            Verdict::Waiting => None,
        };
        Claim { text: format!("{at}{}", check.text), holds }
    };
    checks.iter().map(claim).collect()
}

/// Returns the schema items that ran since the last call.
fn reached(ran: &Ran, program: &Program) -> OrdSet<String> {
    let items = &program.schema.items;
    ran.items(program).iter().map(|id| reach(items[id.at()].word, &items[id.at()].name)).collect()
}

/// Returns a text without blanks at the ends of its lines.
fn bare(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}
