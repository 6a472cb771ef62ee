//! `grognard compare --first-difference`: a run in which two versions part, and the rule that parted them.

use super::super::out::Stop;
use super::super::progress::Progress;
use super::super::{FINE, FOUND};
use grognard_base::Sources;
use grognard_play::parting::parting;
use grognard_play::record::{About, Event, Recorder};
use grognard_play::{Options, record};
use grognard_report::{parting as told, sampled::value_text};
use grognard_scenario::Scenario;
use grognard_stats::{Differing, Question, first_differing};

/// Runs that differ, of which the one that parts first is shown.
const LOOKED_AT: usize = 20;

/// The two versions.
pub struct Sides<'s> {
    /// Both without a trace, to look for a run.
    pub plain: [&'s Scenario; 2],
    /// Both with one.
    pub traced: [Scenario; 2],
    /// Their texts.
    pub sources: &'s Sources,
}

/// What is shown: a text, and the same as JSON.
pub struct Shown {
    /// For people.
    pub text: String,
    /// For programs.
    pub json: serde_json::Value,
    /// The exit code: 1 if something differs.
    pub code: u8,
}

/// Looks for a run in which the versions differ, and tells it.
pub fn first(
    sides: Sides<'_>,
    question: Question,
    scenario: &str,
    names: [&str; 2],
    width: usize,
) -> Result<Shown, Stop> {
    let long = Progress::begin(question.runs)?;
    let more = |runs| long.more(runs);
    let found = first_differing(sides.plain[0], sides.plain[1], question, LOOKED_AT, &more);
    drop(long);
    let played: Vec<[Played; 2]> =
        found.first.iter().map(|run| [0, 1].map(|n| Played::of(&sides, n, question.seed, *run))).collect();
    let early = |pair: &[Played; 2]| parting(&pair[0].events, &pair[1].events).map_or(usize::MAX, |p| p.common.len());
    let best = (0..played.len()).min_by_key(|n| (early(&played[*n]), *n));
    let pair = best.map(|n| &played[n]);
    let parted = pair.and_then(|[a, b]| parting(&a.events, &b.events));
    let figures = pair.map(|[a, b]| figures(&sides, a, b)).unwrap_or_default();
    let found: &Differing = &found;
    let told = told::Divergence {
        scenario,
        names,
        seed: question.seed,
        found,
        run: best.map(|n| found.first[n]),
        parting: parted.as_ref(),
        figures: &figures,
    };
    let code = if best.is_some() { FOUND } else { FINE };
    Ok(Shown { text: told::human(&told, width), json: told::json(&told), code })
}

/// A run that was played and told.
struct Played {
    events: Vec<Event>,
    figures: Vec<Option<Vec<i64>>>,
}

impl Played {
    fn of(sides: &Sides<'_>, n: usize, seed: u64, run: u64) -> Played {
        let scenario = &sides.traced[n];
        let recorder = Recorder::new(&scenario.game, &About::default(), Some(sides.sources));
        let (outcome, events) = record(scenario, Options { seed: Some(seed), run: Some(run), person: None }, recorder);
        Played { events, figures: outcome.figures }
    }
}

/// The measures of both at the end of the run.
fn figures(sides: &Sides<'_>, a: &Played, b: &Played) -> Vec<(String, [Option<String>; 2])> {
    let [left, right] = &sides.traced;
    let value = |scenario: &Scenario, played: &Played, n: usize| {
        let cells = played.figures.get(n)?;
        let ty = &scenario.plan.report[n].asked.ty;
        Some(cells.as_ref().map_or("not counted".to_string(), |cells| value_text(&scenario.game, ty, cells)))
    };
    let both = left.plan.report.iter().zip(&right.plan.report).enumerate();
    both.map(|(n, (figure, _))| (figure.text.clone(), [value(left, a, n), value(right, b, n)])).collect()
}
