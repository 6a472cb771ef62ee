//! `grognard compare --first-difference`: the first run where two versions diverge, and the rule where they do.

use super::super::out::Stop;
use super::super::progress::Progress;
use super::super::{FINE, FOUND, LIMIT};
use super::{Pair, edits};
use grognard_base::Sources;
use grognard_lab::force::{Looks, RUNS_LOOKED_AT};
use grognard_play::parting::parting;
use grognard_play::record::{About, Event, Recorder};
use grognard_play::{Options, record};
use grognard_report::{parting as rendered, sampled::value_text};
use grognard_scenario::Scenario;
use grognard_stats::{Differing, first_differing};

/// Number of runs that differ, of which the one that diverges first is shown.
const LOOKED_AT: usize = 20;

/// The two versions.
struct Sides<'s> {
    /// Both scenarios with a trace.
    traced: [Scenario; 2],
    /// The texts of both.
    sources: &'s Sources,
}

/// The result as text and as JSON.
pub struct Shown {
    /// The human-readable text.
    pub text: String,
    /// The JSON value.
    pub json: serde_json::Value,
    /// The exit code: 1 if something differs.
    pub code: u8,
}

/// Searches for a run in which the versions of a pair differ.
pub fn first(pair: &mut Pair, traced: [Scenario; 2], of: &[String]) -> Result<Shown, Stop> {
    let width = super::super::columns().unwrap_or(100).clamp(60, 200);
    let question = pair.question;
    let mut found = Differing { first: Vec::new(), differ: 0, looked: 0 };
    if !pair.standings.nothing() {
        let long = Progress::begin(question.runs)?;
        let more = |runs| long.more(runs);
        let [a, b] = &pair.scenarios;
        found = first_differing(a, b, question, LOOKED_AT, &more);
        if found.first.is_empty()
            && pair.standings.open(true)
            && let Some(covered) = edits::covered(pair, of)
        {
            let looks = Looks { question, runs: found.looked.min(RUNS_LOOKED_AT[0]), exact: None };
            pair.standings.look(&covered, looks, true);
        }
        drop(long);
    }
    let sides = Sides { traced, sources: &pair.sources };
    let played: Vec<[PlayedRun; 2]> =
        found.first.iter().map(|run| [0, 1].map(|n| PlayedRun::of(&sides, n, question.seed, *run))).collect();
    let early =
        |pair: &[PlayedRun; 2]| parting(&pair[0].events, &pair[1].events).map_or(usize::MAX, |p| p.common.len());
    let best = (0..played.len()).min_by_key(|n| (early(&played[*n]), *n));
    let both = best.map(|n| &played[n]);
    let parted = both.and_then(|[a, b]| parting(&a.events, &b.events));
    let figures = both.map(|[a, b]| figures(&sides, a, b)).unwrap_or_default();
    let (scenario, names) = (pair.name(), pair.names());
    let rendered = rendered::Divergence {
        scenario: &scenario,
        names: names.each_ref().map(String::as_str),
        seed: question.seed,
        found: &found,
        run: best.map(|n| found.first[n]),
        parting: parted.as_ref(),
        edits: pair.standings.list(),
        figures: &figures,
    };
    let code = match best {
        Some(_) => FOUND,
        None if pair.standings.nothing() => LIMIT,
        None => FINE,
    };
    Ok(Shown { text: rendered::human(&rendered, width), json: rendered::json(&rendered), code })
}

/// The events of a run and its measures.
struct PlayedRun {
    events: Vec<Event>,
    figures: Vec<Option<Vec<i64>>>,
}

impl PlayedRun {
    fn of(sides: &Sides<'_>, n: usize, seed: u64, run: u64) -> PlayedRun {
        let scenario = &sides.traced[n];
        let recorder = Recorder::new(&scenario.game, &About::default(), Some(sides.sources));
        let (outcome, events) =
            record(scenario, Options { seed: Some(seed), run: Some(run), ..Options::default() }, recorder);
        PlayedRun { events, figures: outcome.figures }
    }
}

/// Returns the measures of both versions at the end of the run.
fn figures(sides: &Sides<'_>, a: &PlayedRun, b: &PlayedRun) -> Vec<(String, [Option<String>; 2])> {
    let [left, right] = &sides.traced;
    let value = |scenario: &Scenario, played: &PlayedRun, n: usize| {
        let cells = played.figures.get(n)?;
        let ty = &scenario.plan.report[n].asked.ty;
        Some(cells.as_ref().map_or("not counted".to_string(), |cells| value_text(&scenario.game, ty, cells)))
    };
    let both = left.plan.report.iter().zip(&right.plan.report).enumerate();
    both.map(|(n, (figure, _))| (figure.text.clone(), [value(left, a, n), value(right, b, n)])).collect()
}
