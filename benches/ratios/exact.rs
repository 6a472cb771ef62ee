//! Exact odds as ratios measured side by side in one run: rules text against the same answer worked out by hand.
//!
//! Times go from the loaded rules to the weights of all outcomes; each answer is first compared with its twin's, as equal
//! fractions. A question is the first of an analysis: what was found out about the code is kept with the program. Beside it
//! stand the same question put again, and the first one to a program that nothing was ever asked of.

use super::Asked;
use super::files::{game, proc};
use super::twins::{self, Odds};
use cpu_time::ThreadTime;
use grognard_base::value::*;
use grognard_bench::{Row, median};
use grognard_odds::{Analysis, Distribution, ExploreOptions, Graph, Prefer, Task, Worth};
use grognard_vm::Game;
use std::hint::black_box;

/// Most programs that nothing was asked of, at once.
const UNASKED: u32 = 200;

/// A workload: its answer by rules, by hand, and how many times slower than each twin it may be.
struct Case<'c> {
    name: &'static str,
    game: &'c Game,
    func: FuncId,
    args: &'c [i64],
    answer: &'c dyn Fn(&Graph<'_>) -> Distribution,
    twins: &'c [(&'static str, &'c dyn Fn() -> Odds)],
    most: f64,
}

/// Equal as fractions, outcome by outcome.
fn compare(name: &str, found: &Distribution, odds: &Odds) {
    let (list, whole) = odds;
    assert_eq!(found.outcomes.len(), list.len(), "{name}");
    for (outcome, (value, weight)) in found.outcomes.iter().zip(list) {
        assert_eq!(outcome.worth, Worth::Cells(vec![*value]), "{name}");
        assert_eq!(&outcome.weight * whole, weight * &found.whole, "{name}: {value}");
    }
}

/// Microseconds one of `times` takes.
fn time(times: u32, mut work: impl FnMut()) -> f64 {
    let start = ThreadTime::now();
    (0..times).for_each(|_| work());
    start.elapsed().as_nanos() as f64 / 1000.0 / f64::from(times)
}

impl<'c> Case<'c> {
    fn ask<'g>(&self, analysis: &Analysis<'g>) -> Box<Graph<'g>>
    where
        'c: 'g,
    {
        let task = Task::Call { func: self.func, args: self.args, keep: None };
        analysis.explore(&self.game.start, task, &mut Prefer, ExploreOptions::default())
    }

    /// Asks for the first time.
    fn answer(&self, game: &Game) {
        drop(black_box((self.answer)(&self.ask(&Analysis::new(game)))));
    }

    /// Microseconds of a question to rules that nothing was ever asked of. Copies of a game know nothing about its code.
    fn time_unasked(&self, times: u32) -> f64 {
        let games = vec![self.game.clone(); times as usize];
        let mut games = games.iter();
        time(times, || games.next().into_iter().for_each(|game| self.answer(game)))
    }

    /// Asks so often, each time for the first time.
    fn repeat(&self, count: u32) {
        (0..count).for_each(|_| self.answer(self.game));
    }

    fn measure(&self, rounds: usize, take: &mut impl FnMut(Row)) {
        let kept = Analysis::new(self.game);
        let first = self.ask(&kept);
        let found = (self.answer)(&first);
        self.twins.iter().for_each(|(_, twin)| compare(self.name, &found, &twin()));
        let fresh = || self.answer(self.game);
        let again = || drop(black_box((self.answer)(&self.ask(&kept))));
        // so often that a round of either takes some milliseconds
        let often = |once: f64| (3000.0 / once.max(0.01)).clamp(1.0, 100_000.0) as u32;
        let times = [often(time(2, fresh)), often(time(2, again))];
        let twins: Vec<u32> = self.twins.iter().map(|(_, twin)| often(time(2, || drop(black_box(twin()))))).collect();
        let mut by_rules = [Vec::new(), Vec::new(), Vec::new()];
        let mut by_hand = vec![Vec::new(); twins.len()];
        for _ in 0..rounds {
            by_rules[0].push(time(times[0], fresh));
            by_rules[1].push(time(times[1], again));
            by_rules[2].push(self.time_unasked(times[0].min(UNASKED)));
            for (n, (_, twin)) in self.twins.iter().enumerate() {
                by_hand[n].push(time(twins[n], || drop(black_box(twin()))));
            }
        }
        let [rules, again, unasked] = by_rules.map(median);
        let (name, twin) = self.name.split_at(2);
        for ((how, _), times) in self.twins.iter().zip(by_hand) {
            let hand = median(times);
            let how = format!("{twin}: {how}").leak().trim_start();
            take(Row { name, how, rules: rules * 1000.0, hand: hand * 1000.0, most: Some(self.most) });
            for (how, rules) in [("... asked again", again), ("... of rules just loaded", unasked)] {
                take(Row { name, how, rules: rules * 1000.0, hand: hand * 1000.0, most: None });
            }
        }
    }
}

/// Measures what is asked for, and gives its rows.
pub fn measure(asked: &Asked, take: &mut impl FnMut(Row)) {
    let (odds, w1) = (game(include_str!("rules/odds.rules")), game(include_str!("rules/w1.rules")));
    let any = proc(&odds, "any_low");
    let keep = proc(&odds, "keep");
    let duel = proc(&odds, "duel");
    let sum = proc(&odds, "sum");
    let battle = w1.program.phases[0].func;
    let fields = ["models", "markers", "destroyed"].map(|name| {
        let field = w1.program.schema.fields.iter().position(|f| f.kind == KindId(0) && f.name == name);
        w1.layout.field(FieldId::from(field.expect("a field")), 0, 0)
    });
    let results = |graph: &Graph<'_>| graph.results();
    let codes = |graph: &Graph<'_>| {
        graph.distribution_by(|state| {
            let [models, markers, destroyed] = fields.map(|at| state.cells[at]);
            vec![models * 10 + markers * 2 + destroyed]
        })
    };
    let cases = [
        Case {
            name: "E1 any of 10d6",
            game: &odds,
            func: any,
            args: &[],
            answer: &results,
            twins: &[
                ("closed form", &|| twins::any_in_closed_form(black_box(10), 6, 2)),
                ("die by die", &|| twins::any_by_dice(black_box(10), 6, 2)),
                ("in 64 bits", &|| twins::any_in_64_bits(black_box(10), 6, 2)),
            ],
            most: 30.0,
        },
        Case {
            name: "E2 highest 3",
            game: &odds,
            func: keep,
            args: &[],
            answer: &results,
            twins: &[
                ("closed form", &|| twins::keep_in_closed_form(black_box(10), 6)),
                ("face by face", &|| twins::keep_by_faces(black_box(10), 6)),
                ("in 64 bits", &|| twins::keep_in_64_bits(black_box(10), 6)),
            ],
            most: 6.0,
        },
        Case {
            name: "E3 10 against 10",
            game: &odds,
            func: duel,
            args: &[10],
            answer: &results,
            twins: &[("backwards", &|| twins::duel(black_box(10)))],
            most: 8.0,
        },
        Case {
            name: "E3 30 against 30",
            game: &odds,
            func: duel,
            args: &[30],
            answer: &results,
            twins: &[("backwards", &|| twins::duel(black_box(30)))],
            most: 8.0,
        },
        Case {
            name: "E4 six turns",
            game: &w1,
            func: battle,
            args: &[0],
            answer: &codes,
            twins: &[("turn by turn", &twins::under_fire)],
            most: 15.0,
        },
        Case {
            name: "E5 sum",
            game: &odds,
            func: sum,
            args: &[],
            answer: &results,
            twins: &[("recurrence", &twins::sum_by_recurrence), ("die by die", &twins::sum_by_dice)],
            most: 4.0,
        },
    ];
    let rounds = if asked.quick { 3 } else { 15 };
    cases.iter().filter(|case| asked.wants(case.name)).for_each(|case| match asked.count {
        Some(count) => case.repeat(count),
        None => case.measure(rounds, take),
    });
}
