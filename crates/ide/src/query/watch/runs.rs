//! One run of what is tested: the examples of a ruleset, or a scenario. A job holds all that it takes, so that it can be done
//! on any thread.

use super::items::reach;
use grognard_ask::{asks_person, reported};
use grognard_base::{Budget, Code, Diagnostic, OrdSet, Sources};
use grognard_play::examples::{ExampleVerdict, run_example};
use grognard_play::record::{About, Event, Recorder, TraceDetail, render};
use grognard_play::{self as play, Checked, Options, Verdict};
use grognard_program::{Built, Detail, Program, Ran};
use grognard_report::{self as report, Format};
use grognard_rules::ruleset::Ruleset;
use grognard_scenario::{self as scenario, Document, Mode, Scenario};
use grognard_stats::tested::tested;
use std::sync::Arc;

/// Something that is claimed of a run, and whether it holds; none where nobody could tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// As written.
    pub text: String,
    /// What became of it.
    pub holds: Option<bool>,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// What is claimed of it.
    pub claims: Vec<Claim>,
    /// Its brief trace, without the line that names versions.
    pub trace: String,
    /// What it reports, exactly, if the budget is enough.
    pub odds: String,
    /// What a sample of it reports.
    pub sample: String,
    /// What is wrong, rendered.
    pub told: String,
    /// Something is.
    pub fails: bool,
    /// What it reached of the rules.
    pub(super) reached: OrdSet<String>,
    /// Traces that it is compared with.
    pub(super) traces: Vec<String>,
}

/// What is to be run.
pub struct RunJob {
    /// The ruleset, or the scenario, as it is called.
    pub name: String,
    pub(super) what: JobWhat,
    pub(super) rules: Arc<Ruleset>,
    pub(super) sources: Arc<Sources>,
    pub(super) format: Format,
    pub(super) cost: Cost,
}

/// What exact answers may cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Of what is claimed.
    pub claims: Budget,
    /// Of what a scenario reports that is played: it is told if this is enough.
    pub odds: Budget,
}

pub(super) enum JobWhat {
    /// Examples, by their places.
    Examples(Vec<usize>),
    /// A scenario, and more rulesets it is run against.
    Scene(Document, Vec<Arc<Ruleset>>),
}

/// What came of a job: each test by its name.
pub type Ended = Vec<(String, Seen)>;

/// Judges what a run is compared with that lies outside of the rules: accepted traces and odds.
pub type Beside<'b> = dyn Fn(&str, &Scenario, &[Event], &Seen) -> (Vec<Claim>, Vec<Diagnostic>) + Sync + 'b;

/// What an example is called: it may be one of a file below.
pub(super) fn example_name(rules: &Ruleset, at: usize) -> String {
    let Some(example) = rules.examples.get(at) else { return String::new() };
    let from = rules.chain.get(example.from).map_or("", |(path, _)| path.as_str());
    let through = if from == rules.path { String::new() } else { format!(" [in {}]", rules.path) };
    format!("{from}: {}{through}", example.tree.title.text)
}

impl RunJob {
    /// Does it.
    pub fn run(&self, beside: &Beside<'_>) -> Ended {
        match &self.what {
            JobWhat::Examples(which) => self.examples(which),
            JobWhat::Scene(document, others) => vec![(self.name.clone(), self.scene(document, others, beside))],
        }
    }

    /// How many tests it is.
    pub fn count(&self) -> usize {
        match &self.what {
            JobWhat::Examples(which) => which.len(),
            JobWhat::Scene(..) => 1,
        }
    }

    fn examples(&self, which: &[usize]) -> Ended {
        let built = Built::new(self.rules.as_ref().clone(), Detail::Covered);
        let all = which.iter().filter_map(|at| Some((at, built.rules.examples.get(*at)?)));
        let one = |(at, example): (&usize, _)| {
            built.ran.items(&built.program);
            let result = run_example(&built, example, &self.sources, self.cost.claims);
            let holds = match result.verdict {
                ExampleVerdict::Holds => Some(true),
                ExampleVerdict::Fails => Some(false),
                ExampleVerdict::Waits => None,
            };
            let seen = Seen {
                claims: vec![Claim { text: result.title.clone(), holds }],
                told: if holds == Some(false) { self.render(&result.problems) } else { String::new() },
                fails: holds == Some(false),
                reached: reached(&built.ran, &built.program),
                ..Seen::default()
            };
            (example_name(&built.rules, *at), seen)
        };
        all.map(one).collect()
    }

    fn scene(&self, document: &Document, others: &[Arc<Ruleset>], beside: &Beside<'_>) -> Seen {
        let others: Vec<Ruleset> = others.iter().map(|set| set.as_ref().clone()).collect();
        let build = |detail| scenario::build(document, self.rules.as_ref().clone(), &others, &self.sources, detail);
        let (traced, covered) = match build(Detail::Traced).and_then(|traced| Ok((traced, build(Detail::Covered)?))) {
            Ok(both) => both,
            Err(found) => return Seen { told: self.render(&found), fails: true, ..Seen::default() },
        };
        let mut seen =
            Seen { traces: traced.plan.traces.iter().map(|(name, _)| name.clone()).collect(), ..Seen::default() };
        if asks_person(&covered.plan) {
            return seen;
        }
        let mut events = Vec::new();
        if covered.plan.mode == Mode::Scripted {
            let recorder = Recorder::new(&traced.game, &About::default(), Some(&self.sources));
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
        seen.told = if seen.fails { self.render(&found) } else { String::new() };
        seen.reached = reached(&covered.game.ran, &covered.game.program);
        seen
    }

    /// Plays a scenario as `grognard test` does, and notes what it reports.
    fn judged(&self, scenario: &Scenario, seen: &mut Seen) -> (Vec<Checked>, Vec<Diagnostic>) {
        let mut played = tested(scenario, 1);
        if let Some(sample) = &played.sample {
            seen.sample = bare(&report::sampled::sample("", scenario, sample).text());
        }
        let exact = scenario.plan.mode == Mode::Exact;
        if played.problems.iter().any(|d| d.is_error() && d.code != Code::Expectation) {
            return (played.checks, played.problems);
        }
        played.judge(scenario, self.cost.claims);
        let budget = if exact { self.cost.claims } else { self.cost.odds };
        let odds = reported(scenario, budget, !exact).ok().flatten();
        seen.odds = bare(&odds.unwrap_or_default());
        (played.checks, played.problems)
    }

    fn render(&self, found: &[Diagnostic]) -> String {
        report::render(found, &self.sources, self.format)
    }
}

/// Expectations with what became of them; those of a step say which.
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

/// What was run of a program since this was asked last.
fn reached(ran: &Ran, program: &Program) -> OrdSet<String> {
    let items = &program.schema.items;
    ran.items(program).iter().map(|id| reach(items[id.at()].word, &items[id.at()].name)).collect()
}

/// A text without blanks at the ends of its lines.
fn bare(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}
