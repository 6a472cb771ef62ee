//! Work in slices: however often it yields, it finds the same as at once, to the last digit; and it does yield.

use crate::sample::scenario;
use grognard_base::slices::{Coroutine, at_once, slice};
use grognard_base::value::{Fraction, SettingId};
use grognard_base::{Budget, Limit, Sources};
use grognard_kit::Shipped;
use grognard_play::odds::{Report, Wish, report, whys, wish};
use grognard_program::{Detail, settings_reached};
use grognard_rules::ruleset::Ruleset;
use grognard_rules::{Library, load};
use grognard_scenario::{prepare, read, rulesets};
use grognard_stats::readings::{ReadingSettings as Measures, readings, readings_by};
use grognard_stats::stats::Level;
use grognard_stats::{CHUNK, Growing, Question, Settings, Way, compare, compare_by, exactly, first_differing, sample};

/// What a coroutine comes to, and its slices.
fn counted<'a, T: 'a>(work: impl Future<Output = T> + 'a) -> (T, usize) {
    // a coroutine owns what it works on, but for a test that waits here
    let mut work: std::pin::Pin<Box<dyn Future<Output = T> + 'a>> = Box::pin(work);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let mut slices = 1;
    loop {
        match work.as_mut().poll(&mut context) {
            std::task::Poll::Ready(done) => return (done, slices),
            std::task::Poll::Pending => slices += 1,
        }
    }
}

#[test]
fn exact_answers_are_the_same_in_slices() {
    let cases = [
        ("warstrike/scenarios/exchange-of-fire.toml", 20),
        ("warstrike/scenarios/firefight.toml", 100),
        ("edits/scenarios/across-the-road.toml", 20),
    ];
    for (path, least) in cases {
        let scenario = scenario(path, None, &[], &[]);
        let budget = |slice| Budget { bytes: usize::MAX, slice, ..grognard_base::Effort::Given(200).budget() };
        let whole = at_once(report(&scenario, &wish(&scenario, budget(u64::MAX)))).unwrap();
        for size in [1, 100] {
            let wish = wish(&scenario, budget(size));
            let (found, slices) = counted(report(&scenario, &wish));
            assert_eq!(format!("{:?}", found.unwrap().answers), format!("{:?}", whole.answers), "{path}");
            assert!(slices > if size == 1 { least } else { 1 }, "{path}: {slices} slices");
        }
        let marked = |slice| Wish { marks: true, ..wish(&scenario, budget(slice)) };
        let of = at_once(report(&scenario, &marked(u64::MAX))).unwrap();
        let (few, many) = (marked(u64::MAX), marked(10));
        let (found, _) = counted(whys(&scenario, &many, &of));
        assert_eq!(format!("{found:?}"), format!("{:?}", at_once(whys(&scenario, &few, &of))), "{path}");
    }
}

#[test]
fn samples_and_comparisons_are_the_same_in_slices() {
    let path = "warstrike/scenarios/firefight.toml";
    let a = scenario(path, None, &[], &[]);
    let b = scenario(path, Some("warstrike/every-hit"), &[], &[]);
    let settings = Settings { seed: 3, runs: 700, threads: 1, chunk: CHUNK, level: Level::USUAL, until: None };
    let whole = sample(&a, settings, None, &|_| true);
    let mut growing = Growing::new(&a, settings);
    let mut slices = 0;
    for runs in [1, 16, 250, 700] {
        let (found, some) = counted(growing.grow(runs));
        slices += some;
        assert_eq!(found.runs, runs);
        if runs == 700 {
            assert_eq!((&found.tallies, found.faults), (&whole.tallies, whole.faults));
        }
    }
    assert!(slices > 5, "{slices}");
    let question =
        Question { seed: 3, runs: 300, threads: 2, chunk: 7, within: None, unpaired: false, family: 1, every: false };
    let whole = compare(&a, &b, question, &|_| true).unwrap();
    let (found, slices) = counted(compare_by(&a, &b, question, Way::Slices));
    assert_eq!(format!("{:?}", found.unwrap()), format!("{whole:?}"));
    assert!(slices > 5, "{slices}");
    let whole = at_once(first_differing(&a, &b, question, 4, Way::Threads(question.chunk, &|_| true)));
    assert_eq!(counted(first_differing(&a, &b, question, 4, Way::Slices)).0, whole);
    let a = scenario("warstrike/scenarios/exchange-of-fire.toml", None, &[], &[]);
    let whole = at_once(exactly(&a, &a, &question, grognard_base::Effort::Given(2_000).budget())).unwrap();
    let (found, _) =
        counted(exactly(&a, &a, &question, Budget { slice: 1, ..grognard_base::Effort::Given(2_000).budget() }));
    assert_eq!(format!("{:?}", found.unwrap()), format!("{whole:?}"));
}

/// A run is played once more for each alternative: each of them has slices of its own.
#[test]
fn readings_are_the_same_in_slices() {
    let library = Shipped::default();
    let mut sources = Sources::default();
    let path = "warstrike/scenarios/firefight.toml";
    let document = read(path, library.read(path).unwrap().unwrap(), &library, &mut sources).unwrap();
    let names = rulesets(&document).unwrap().into_iter();
    let mut sets: Vec<Ruleset> = names.map(|(n, _)| load(&n, &library, &mut sources).ruleset.unwrap()).collect();
    let table = prepare(&document, sets.remove(0), &sets, &sources, Detail::Plain).unwrap();
    let reached = settings_reached(&table.clone().settle().unwrap().game.program);
    let settings = table.rules().settings.iter().enumerate().filter(|(_, s)| !s.alternatives.is_empty());
    let read = settings.map(|(n, _)| SettingId::from(n)).filter(|id| reached.contains(*id));
    let wanted: Vec<SettingId> = read.collect();
    let sampled = Settings { seed: 3, runs: 5, threads: 1, chunk: CHUNK, level: Level::USUAL, until: None };
    let how = Measures { exact: None, sampled: Some(sampled), within: None };
    let whole = readings(&table, &wanted, how, &|_| true).unwrap();
    let (found, slices) = counted(readings_by(&table, &wanted, how, Way::Slices, (&[5], &mut |_| {})));
    let found = found.unwrap();
    assert_eq!(format!("{:?}", (&found.measures, &found.turned)), format!("{:?}", (&whole.measures, &whole.turned)));
    // besides those in which alternatives are set and counted
    let played = slices.saturating_sub(2 * found.turned.len());
    assert!(played > 4 * 5, "{played} slices of 5 runs");
}

#[test]
fn a_coroutine_is_done_slice_by_slice() {
    let mut work: Coroutine<u32> = Box::pin(async {
        grognard_base::slices::yield_now().await;
        grognard_base::slices::yield_now().await;
        7
    });
    assert_eq!([slice(&mut work), slice(&mut work), slice(&mut work)], [None, None, Some(7)]);
}

/// Where the time is over while answers are put together, what did not come to its end counts as not explored.
#[test]
fn a_deadline_leaves_over_what_was_not_followed() {
    let scenario = scenario("warstrike/scenarios/firefight.toml", None, &[], &[]);
    let late = |doing: &str| doing.starts_with("how likely").then_some(Limit::Deadline);
    let found = |watch| {
        let budget = Budget { watch, bytes: usize::MAX, ..grognard_base::Effort::Given(6_000).budget() };
        at_once(report(&scenario, &wish(&scenario, budget))).unwrap()
    };
    let (whole, cut) = (found(None), found(Some(late)));
    assert_eq!(whole.answers.len(), cut.answers.len());
    let shares = |report: &Report<'_>| -> Vec<Fraction> {
        let known = report.answers.iter().filter_map(|answer| answer.as_ref().unwrap().found.as_ref());
        known.map(|found| found.unexplored()).collect()
    };
    let (whole, cut) = (shares(&whole), shares(&cut));
    assert!(!cut.is_empty() && cut.iter().zip(&whole).all(|(cut, whole)| cut > whole), "{cut:?} {whole:?}");
    assert!(cut.iter().all(|open| *open == cut[0]), "one deadline ends all answers: {cut:?}");
}
