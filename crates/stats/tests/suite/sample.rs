//! Samples: the same on any number of threads; and the statistics, tested as statistics on streams of known odds.

use grognard_base::value::{Range, Type};
use grognard_base::{FileId, Source, Sources};
use grognard_kit::{Shelf, Shipped};
use grognard_play::odds::{Wish, explore, whole};
use grognard_program::Detail;
use grognard_report::{compared, sampled};
use grognard_rules::{self as rules, Library};
use grognard_scenario::{self as scenario, Scenario};
use grognard_stats::stats::{Found, Level, Seen, Sequence, Trial, more_runs, wilson};
use grognard_stats::{
    ALPHA, AliasTable, CHUNK, Compared, Judgement, Question, Settings, Tally, Test, Until, compare, drawn, exactly,
    looks, sample, together,
};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// What a comparison is called in reports.
const NAMES: compared::Names<'static> = compared::Names {
    a: "a",
    b: "b",
    scenario: "s",
    seed: 3,
    unpaired: false,
    why: None,
    family: 1,
    explain: false,
    edits: &[],
};

/// A scenario with other figures and other rules than its own, if any are given.
pub fn scenario(path: &str, rules: Option<&str>, of: &[&str], own: &[(&str, &str)]) -> Scenario {
    let files = Shipped(Shelf::of(own));
    let mut sources = Sources::default();
    let text = files.read(path).unwrap().unwrap();
    let mut document = scenario::read(path, text, &files, &mut sources).unwrap();
    let mut names: Vec<String> = scenario::rulesets(&document).unwrap().into_iter().map(|(n, _)| n).collect();
    if let Some(rules) = rules {
        names.retain(|n| n != rules);
        names.insert(0, rules.to_string());
    }
    let mut load = |name: &String| {
        let loaded = rules::load(name, &files, &mut sources);
        loaded.ruleset.unwrap_or_else(|| panic!("{name}: {:?}", loaded.problems))
    };
    let mut sets: Vec<_> = names.iter().map(&mut load).collect();
    if !of.is_empty() {
        let asked = |text: &&str| ((*text).to_string(), sources.add(Source::new("--of", *text)));
        let asked: Vec<(String, FileId)> = of.iter().map(asked).collect();
        document.ask(&asked);
    }
    let first = sets.remove(0);
    scenario::build(&document, first, &sets, &sources, Detail::Plain)
        .unwrap_or_else(|found| panic!("{path}: {}", grognard_base::render_lines(&found, &sources)))
}

const RULES: &str = "ruleset g/x version \"1\"

param most \"Most\" = 6
param need \"Need\" = 4

kind Side \"A side\" { state pips : 0..60 = 0; state hit : Flag = no; state way : Length = 0\" }

phase Go(s: Side) \"Goes\" {
  roll dice = 3 of d6
  each d in dice { set s.pips += min(d, most) }
  roll aim = d6
  set s.hit = aim >= need
  if s.pips > 16 { set s.way = 2\" / (s.pips - 17) }
}
";
const SCENE: &str = "rules = \"g/x\"\nstart = \"Go(red)\"\nmode = \"sampled\"\nruns = 3000\n[Side.red]\n";
const VARIANT: &str = "variant g/y of g/x\n\noverride param need = 5\n";
const OWN: &[(&str, &str)] = &[("g/x.rules", RULES), ("g/s.toml", SCENE), ("g/y.rules", VARIANT)];

fn settings(runs: u64, threads: usize, chunk: u64) -> Settings {
    Settings { seed: 7, runs, threads, chunk, level: Level::USUAL, until: None }
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect()
}

#[test]
fn threads_and_chunks_leave_no_trace() {
    let of = ["red.pips", "red.hit", "red.pips > 10 given red.hit", "red.way", "[red.pips, 1]"];
    let table = scenario("g/s.toml", None, &of, OWN);
    let one = |settings: Settings| {
        let found = sample(&table, settings, None, &|_| true);
        assert!(found.first_fault.as_ref().is_some_and(|(_, f)| f.diagnostic().message.contains("zero")));
        let told = sampled::sample("", &table, &found);
        hash(&(told.text() + &told.csv() + &told.json().to_string()))
    };
    let mut seen = BTreeSet::new();
    for threads in 1..=16 {
        for chunk in [1, 7, 64, 5_000] {
            seen.insert(one(settings(2_000, threads, chunk)));
        }
    }
    assert_eq!(seen.len(), 1);
    let until = Settings { until: Some(Until::Share(0.02)), ..settings(100_000, 1, CHUNK) };
    let stopped: BTreeSet<String> = [1, 2, 5].map(|threads| one(Settings { threads, ..until })).into();
    assert_eq!(stopped.len(), 1);
    assert_ne!(seen, stopped);
}

#[test]
fn errors_are_counted_and_the_first_is_named() {
    let table = scenario("g/s.toml", None, &["red.pips"], OWN);
    let found = sample(&table, settings(2_000, 3, 10), None, &|_| true);
    // 17 pips of three dice: 3 in 216
    assert!((10..50).contains(&found.faults), "{}", found.faults);
    let (run, _) = found.first_fault.clone().unwrap();
    let before = sample(&table, settings(run, 2, 10), None, &|_| true);
    assert_eq!(before.faults, 0);
    assert_eq!(found.tallies[0].counted + found.faults, 2_000);
    assert!(found.tallies[0].values().unwrap().all(|(cells, _)| cells != [17]));
    assert!(found.problems(&table)[0].message.starts_with(&format!("in run {run}: ")));
}

#[test]
fn a_sample_stops_when_it_is_narrow_enough() {
    let table = scenario("g/s.toml", None, &["red.hit", "red.pips"], OWN);
    let until = Settings { until: Some(Until::Share(0.02)), ..settings(1_000_000, 2, CHUNK) };
    let found = sample(&table, until, None, &|_| true);
    assert!(looks(1_000_000).any(|n| n == found.runs) && found.runs < 50_000, "{}", found.runs);
    let estimates = found.estimates(&table);
    assert!(estimates[0].reach().unwrap() <= 0.02);
    let (low, high) = estimates[0].interval.unwrap();
    assert!(low < 0.5 && 0.5 < high);
    // 10.5 of three dice, but runs that end in an error, those with 17 pips, are left out
    let mean = (10.5 * 216.0 - 17.0 * 3.0) / 213.0;
    let (low, high) = estimates[1].interval.unwrap();
    assert!(low < mean && mean < high && high - low < 0.5, "{low} {high}");
}

fn question(runs: u64) -> Question {
    Question { seed: 3, runs, threads: 2, chunk: CHUNK, within: None, unpaired: false, family: 1, every: false }
}

#[test]
fn paired_and_unpaired_agree_and_threads_do_not_matter() {
    let calm = calm();
    let own = [("g/x.rules", calm.as_str()), OWN[1], OWN[2]];
    let of = ["red.hit", "red.pips"];
    let a = scenario("g/s.toml", None, &of, &own);
    let b = scenario("g/s.toml", Some("g/y"), &of, &own);
    for (right, within, judgement) in [(&b, 0.05, Judgement::Less), (&a, 0.05, Judgement::Same)] {
        for unpaired in [false, true] {
            let asked = Question { within: Some(within), unpaired, ..question(200_000) };
            let found = compare(&a, right, asked, &|_| true).unwrap();
            assert_eq!(found.effects[0].judgement, judgement, "{found:?}");
            assert_eq!(found.effects[1].judgement, Judgement::Undecided);
            let names = compared::Names { unpaired, explain: true, ..NAMES };
            let text = |threads| {
                let again = compare(&a, right, Question { threads, chunk: 9, ..asked }, &|_| true).unwrap();
                let again = Compared::Sampled(again);
                let told = compared::all(&[(names, Some(&again))]);
                told.text() + &told.json().to_string()
            };
            assert_eq!(hash(&text(1)), hash(&text(5)));
            // the three dice are the same on both sides, unless each has its own
            assert_eq!(found.effects[1].discordant == 0, !unpaired);
            assert_eq!(found.effects[0].discordant == 0, !unpaired && judgement == Judgement::Same);
        }
    }
    let less = compare(&a, &b, question(50_000), &|_| true).unwrap();
    assert_eq!(less.effects[0].judgement, Judgement::Less);
    // a sixth of the runs, exactly those in which a four was thrown
    let share = less.effects[0].discordant as f64 / less.pairs as f64;
    assert!((share - 1.0 / 6.0).abs() < 0.03, "{share}");
}

/// Rules in which no run ends in an error.
fn calm() -> String {
    RULES.replace("s.pips > 16", "s.pips > 17")
}

#[test]
fn what_can_be_worked_out_needs_no_runs() {
    let calm = calm();
    let own = [("g/x.rules", calm.as_str()), OWN[1], OWN[2]];
    let of = ["red.hit", "red.pips", "red.way"];
    let a = scenario("g/s.toml", None, &of, &own);
    let b = scenario("g/s.toml", Some("g/y"), &of, &own);
    let found = exactly(&a, &b, &question(10), grognard_base::Effort::Given(10_000).budget()).unwrap();
    let differences: Vec<String> = found.effects.iter().map(|e| e.difference().to_string()).collect();
    assert_eq!(differences, ["-1/6", "0", "0"]);
    // a length that nothing bounds: two inches if all three show a six
    assert_eq!(found.effects[2].means[0].to_string(), "1/108");
    assert_eq!(found.effects[0].judgement, Judgement::Less);
    assert_eq!(found.effects[0].moved().map(|m| m.to_string()), Some("1/6".into()));
    assert!(found.effects[1..].iter().all(|e| e.judgement == Judgement::Same && e.moved().unwrap().is_zero()));
    let same = exactly(&b, &b, &question(10), grognard_base::Effort::Given(10_000).budget()).unwrap();
    assert!(same.effects.iter().all(|e| e.difference().is_zero() && e.judgement == Judgement::Same));
    // a margin that the difference reaches, and one that it does not
    let judged = |within| {
        let asked = Question { within: Some(within), ..question(10) };
        exactly(&a, &b, &asked, grognard_base::Effort::Given(10_000).budget()).unwrap().effects[0].judgement
    };
    assert_eq!([judged(0.17), judged(0.16)], [Judgement::Same, Judgement::Less]);
    // runs agree with it
    let (a, b) = (scenario("g/s.toml", None, &of[..2], &own), scenario("g/s.toml", Some("g/y"), &of[..2], &own));
    let sampled = compare(&a, &b, question(50_000), &|_| true).unwrap();
    for (exact, sampled) in found.effects.iter().zip(&sampled.effects) {
        let difference = exact.difference().float();
        assert!(sampled.interval.0 <= difference && difference <= sampled.interval.1, "{sampled:?}");
    }
    assert_eq!(sampled.effects[0].judgement, found.effects[0].judgement);
}

#[test]
fn values_drawn_from_odds_come_as_often_as_odds_say() {
    let calm = calm();
    let own = [("g/x.rules", calm.as_str()), OWN[1], OWN[2]];
    let table = scenario("g/s.toml", None, &["red.pips", "red.hit"], &own);
    let known = whole(&table, grognard_base::Effort::Given(10_000).budget()).unwrap();
    let odds: Vec<_> = known.figures.iter().map(|f| f.found.clone().unwrap()).collect();
    let tables: Vec<AliasTable> = odds.iter().map(|found| AliasTable::of(found).unwrap()).collect();
    let one = |settings| drawn(&table, &tables, settings, &|_| true);
    let found = one(settings(100_000, 2, CHUNK));
    assert!(found.drawn && found.runs == 100_000 && found.checks.is_empty());
    // the same on any number of threads, and of fewer runs the first of them
    assert_eq!(one(settings(100_000, 1, 7)).tallies, found.tallies);
    assert_ne!(one(Settings { seed: 8, ..settings(100_000, 1, 7) }).tallies, found.tallies);
    for (odds, tally) in odds.iter().zip(&found.tallies) {
        // chi-square: sixteen values of three dice, two of a condition; each exceeds this bound once in a million
        let mut square = 0.0;
        for outcome in &odds.outcomes {
            let grognard_odds::Worth::Cells(cells) = &outcome.worth else { panic!() };
            let expected = odds.share(outcome).float() * 100_000.0;
            let off = tally.times(cells[0]) as f64 - expected;
            square += off * off / expected;
        }
        assert!(square < if odds.outcomes.len() > 2 { 56.5 } else { 24.0 }, "{square}");
    }
    // each by itself: the roll to hit and the three dice share nothing
    let text = sampled::sample("", &table, &found).text();
    assert!(text.starts_with("drawn from exact odds: 100000 values of each figure by itself, seed 7"), "{text}");
    assert!(text.contains("(drawn, from 100000 values)") && !text.contains("sampled"), "{text}");
}

#[test]
fn odds_with_something_left_open_are_not_drawn_from() {
    let table = scenario("g/s.toml", None, &["red.pips"], OWN);
    let explored = explore(&table, &Wish::plain(grognard_base::Effort::Given(10_000).budget()), false).unwrap();
    let figure = &table.plan.report[0];
    let answer = explored.answer(&figure.asked, figure.sort, figure.bounds).unwrap();
    assert!(AliasTable::of(&answer.found.unwrap()).is_none(), "some runs end in an error");
}

#[test]
fn what_keeps_a_comparison_from_being_exact_is_said() {
    let why = |own: &[(&str, &str)], budget| {
        let a = scenario("g/s.toml", None, &["red.pips"], own);
        exactly(&a, &a, &question(10), grognard_base::Effort::Given(budget).budget()).unwrap_err().why
    };
    assert!(why(OWN, 10_000).starts_with("of A: a run may end in an error: "), "{}", why(OWN, 10_000));
    let calm = calm();
    assert!(why(&[("g/x.rules", &calm), OWN[1]], 2).contains("within 2 positions"));
    let asked = format!("{SCENE}[players]\nred = \"prompt\"\n");
    assert!(why(&[("g/x.rules", &calm), ("g/s.toml", &asked)], 10_000).contains("a person answers"));
}

#[test]
fn dice_that_a_scenario_gives_are_given_to_both() {
    let calm = calm();
    let given = format!("{SCENE}[dice]\nrolls = [{{ roll = \"Go.aim\", give = 4 }}]\n");
    let own = [("g/x.rules", calm.as_str()), ("g/s.toml", given.as_str()), OWN[2]];
    let a = scenario("g/s.toml", None, &["red.hit"], &own);
    let b = scenario("g/s.toml", Some("g/y"), &["red.hit"], &own);
    let exact = exactly(&a, &b, &question(10), grognard_base::Effort::Given(10_000).budget()).unwrap();
    assert_eq!(exact.effects[0].difference().to_string(), "-1");
    let sampled = compare(&a, &b, question(100), &|_| true).unwrap();
    assert_eq!(sampled.effects[0].discordant, sampled.pairs);
}

#[test]
fn several_scenarios_are_taken_together() {
    let calm = calm();
    let own = [("g/x.rules", calm.as_str()), OWN[1], OWN[2]];
    let of = ["red.hit", "red.pips"];
    let a = scenario("g/s.toml", None, &of, &own);
    let b = scenario("g/s.toml", Some("g/y"), &of, &own);
    let exact =
        |a, b| Compared::Exact(exactly(a, b, &question(10), grognard_base::Effort::Given(10_000).budget()).unwrap());
    let sampled = |a, b| {
        let asked = Question { family: 2, ..question(20_000) };
        Compared::Sampled(compare(a, b, asked, &|_| true).unwrap())
    };
    let both = [exact(&a, &b), exact(&a, &a)];
    let whole = together(&both.iter().collect::<Vec<_>>());
    assert_eq!((whole.len(), whole[0].judged), (2, [0, 1, 1, 0]));
    assert_eq!(whole[0].exact.as_ref().map(|f| f.to_string()), Some("-1/12".into()));
    assert!(whole[0].alpha == 0.0 && whole[0].interval.0 == whole[0].interval.1);
    // of one that is sampled and one that is not, half the interval is left, at the level of one of two
    let mixed = [sampled(&a, &b), exact(&a, &a)];
    let whole = together(&mixed.iter().collect::<Vec<_>>());
    let Compared::Sampled(one) = &mixed[0] else { panic!() };
    assert!(whole[0].exact.is_none() && whole[0].alpha == ALPHA / 2.0);
    assert!((whole[0].interval.0 - one.effects[0].interval.0 / 2.0).abs() < 1e-12);
    assert!(whole[0].interval.0 <= -1.0 / 12.0 && whole[0].interval.1 >= -1.0 / 12.0);
    // a comparison that shares its error rate has a wider interval
    let alone = compare(&a, &b, question(20_000), &|_| true).unwrap();
    assert_eq!(alone.pairs, one.pairs);
    assert!(one.effects[0].interval.0 < alone.effects[0].interval.0);
    assert!(together(&both[..1].iter().collect::<Vec<_>>()).is_empty());
}

#[test]
fn a_spread_that_differs_is_told_where_the_mean_is_the_same() {
    let rules = "ruleset g/w version \"1\"\n\nparam wild \"Wild\" = 0\n\nkind Side \"A side\" { state pips : 0..6 = 2 }\n\n\
                 phase Go(s: Side) \"Goes\" {\n  roll aim = d6\n  if wild == 1 { set s.pips = if aim > 4 then 6 else 0 }\n}\n";
    let scene = "rules = \"g/w\"\nstart = \"Go(red)\"\n[Side.red]\n";
    let own =
        [("g/w.rules", rules), ("g/v.rules", "variant g/v of g/w\n\noverride param wild = 1\n"), ("g/w.toml", scene)];
    let a = scenario("g/w.toml", None, &["red.pips"], &own);
    let b = scenario("g/w.toml", Some("g/v"), &["red.pips"], &own);
    let exact = exactly(&a, &b, &question(10), grognard_base::Effort::Given(10_000).budget()).unwrap();
    assert_eq!(exact.effects[0].judgement, Judgement::Same);
    let parting = exact.effects[0].parting().unwrap();
    assert_eq!(
        (parting.at, parting.least, parting.shares.map(|s| s.to_string())),
        (vec![0], true, ["0".into(), "2/3".into()])
    );
    let asked = Question { within: Some(0.5), ..question(20_000) };
    let found = compare(&a, &b, asked, &|_| true).unwrap();
    assert_eq!(found.effects[0].judgement, Judgement::Same);
    let spread = found.effects[0].spread.unwrap();
    assert!(
        spread.least && spread.shares[0] == 0.0 && spread.interval.0 > 0.5 && spread.interval.1 > 0.66,
        "{spread:?}"
    );
    let text = compared::one(&NAMES, &Compared::Sampled(found)).text();
    assert!(text.contains("\nprimary red.pips: same within 0.5\n"), "{text}");
    assert!(text.contains("  0 comes in 0.0% of the runs of A and "), "{text}");
    let text = compared::one(&NAMES, &Compared::Exact(exact)).text();
    assert!(
        text.contains("  0 comes in 0.00% of the runs of A and 66.67% of those of B; the two spreads overlap by 0.00%"),
        "{text}"
    );
    // where nothing differs, spreads are found to in few of many comparisons
    let wrong = (0..60).filter(|seed| {
        let asked = Question { unpaired: true, seed: *seed, within: Some(0.3), ..question(1_000) };
        compare(&b, &b, asked, &|_| true).unwrap().effects[0].spread.is_some()
    });
    assert!(wrong.count() <= 6);
}

#[test]
fn pairs_that_all_fail_stop_early() {
    let rules = RULES.replace("  each d in dice", "  set s.way = 2\" / (s.pips - s.pips)\n  each d in dice");
    let a = scenario("g/s.toml", None, &["red.hit", "red.pips"], &[("g/x.rules", &rules), OWN[1], OWN[2]]);
    let found = compare(&a, &a, question(50_000), &|_| true).unwrap();
    assert_eq!((found.pairs, found.faults), (100, 100));
    assert!(found.first_fault.is_some() && found.effects[0].judgement == Judgement::Undecided);
    let names = compared::Names { b: "a", ..NAMES };
    let text = compared::one(&names, &Compared::Sampled(found)).text();
    assert!(text.contains("no pair counts") && !text.contains("red.hit"), "{text}");
}

#[test]
fn bounds_hold_what_the_rules_can_do_on_the_table() {
    let rules = "ruleset g/b version \"1\"

kind Squad \"A squad\" {
  stat worth : 0..100 = 10
  let models = all m in Model where m.squad == self and m.alive
}
kind Model \"A model\" { link squad : Squad; stat points : 0..50 = 2; state wounds : 0..9 = 1 }

phase Go(s: Squad, o: Squad) \"Goes\" {
  roll hit = d6
  each m in s.models { set m.wounds += hit }
  MORE
}
";
    let scene = "rules = \"g/b\"\nstart = \"Go(red, blue)\"\n[Squad.red]\nworth = 30\n[Squad.blue]\n[Model.r1]\nsquad = \
                 \"red\"\npoints = 7\n[Model.r2]\nsquad = \"red\"\n[Model.b1]\nsquad = \"blue\"\n";
    let told = |table: &Scenario| -> Vec<String> {
        let bounds = |f: &scenario::Figure| f.bounds.map_or("open".into(), |(low, high)| format!("{low}..{high}"));
        table.plan.report.iter().map(bounds).collect()
    };
    let of = [
        "size(red.models)",
        "count m in Model where m.squad == blue",
        "count m in Model where m.alive",
        "sum m in red.models of m.points",
        "red.worth - blue.worth",
        "sum s in Squad of s.worth",
        "r1.wounds",
    ];
    let bounds = |more: &str| {
        let rules = rules.replace("MORE", more);
        told(&scenario("g/b.toml", None, &of, &[("g/b.rules", &rules), ("g/b.toml", scene)]))
    };
    assert_eq!(bounds(""), ["0..2", "0..1", "0..3", "0..9", "20..20", "0..40", "0..9"]);
    // a link that is set may lead anywhere; and what is made may be of any squad
    let linked = bounds("each m in o.models { set m.squad = s }");
    assert_eq!(linked, ["0..3", "0..3", "0..3", "0..11", "20..20", "0..40", "0..9"]);
    let made = bounds("if hit == 6 { spawn extra: Model { squad = s } }");
    assert_eq!(made, ["0..19", "0..19", "0..19", "0..950", "20..20", "0..40", "0..9"]);
    // models of a shipped squad, not those of its enemy
    for (path, models) in [("firefight", "0..6"), ("exchange-of-fire", "0..2")] {
        let of = ["size(laans.present)", "size(laans.models)"];
        let table = scenario(&format!("warstrike/scenarios/{path}.toml"), None, &of, &[]);
        assert_eq!(told(&table), [models; 2], "{path}");
    }
}

#[test]
fn what_cannot_be_compared_is_said() {
    let refuse = |of: &str| {
        let a = scenario("g/s.toml", None, &[of], OWN);
        compare(&a, &a, question(10), &|_| true).unwrap_err().why
    };
    assert!(refuse("red.hit given red.pips > 3").contains("given"));
    assert!(refuse("[red.pips]").contains("not a number"));
    assert!(refuse("red.way").contains("no bounds"));
}

#[test]
fn a_against_a_differs_nowhere() {
    let mut looked = 0;
    for entry in std::fs::read_dir(grognard_kit::root().join("rulesets/warstrike/scenarios")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let path = format!("warstrike/scenarios/{name}");
        let of =
            ["count m in Model where m.alive", "count u in Unit where u.alive", "count m in Model where not m.alive"];
        let (a, b) = (scenario(&path, None, &of, &[]), scenario(&path, None, &of, &[]));
        let asked = Question { within: Some(1e-3), ..question(12) };
        let found = compare(&a, &b, asked, &|_| true).unwrap();
        assert_eq!(found.effects.len(), 3);
        assert!(found.effects.iter().all(|e| e.discordant == 0), "{path}: {found:?}");
        looked += u32::from(found.faults < found.pairs);
    }
    assert!(looked > 20, "{looked}");
    // with dice of their own, the two do differ
    let path = "warstrike/scenarios/firefight.toml";
    let a = scenario(path, None, &["count m in Model where m.alive"], &[]);
    let found = compare(&a, &a, Question { unpaired: true, ..question(40) }, &|_| true).unwrap();
    assert!(found.effects[0].discordant > 10);
}

// ------------------------------------------------------------------ statistics

/// Trials of each statement about error rates.
const TRIALS: u64 = 2_000;

/// Runs a test on a stream of differences until it is decided, looking as a comparison does; gives what it found, and every
/// value that it saw.
fn decide(mut test: Test, most: u64, mut difference: impl FnMut() -> i64) -> (Found, Tally) {
    let mut tally = Tally::default();
    for mark in looks(most) {
        while tally.counted < mark {
            tally.add(&[difference()]);
        }
        match test.look(&tally) {
            Seen::Open => {}
            seen => return (test.found(&tally, seen), tally),
        }
    }
    (test.found(&tally, Seen::Open), tally)
}

/// How often each verdict is given: more, less, same, open; in thousandths.
fn verdicts(test: &Test, most: u64, stream: impl Fn(&mut SmallRng) -> i64) -> [u64; 4] {
    let mut counts = [0; 4];
    for seed in 0..TRIALS {
        let mut rng = SmallRng::seed_from_u64(seed);
        let at = match decide(test.clone(), most, || stream(&mut rng)).0.seen {
            Seen::More => 0,
            Seen::Less => 1,
            Seen::Same => 2,
            Seen::Open => 3,
        };
        counts[at] += 1;
    }
    println!("more {} less {} same {} open {} of {TRIALS}", counts[0], counts[1], counts[2], counts[3]);
    counts.map(|n| n * 1_000 / TRIALS)
}

/// No difference, and a difference as great as was asked about: each may be got wrong in 50 of 1,000, and a hundredth of
/// all for the chance of this test.
fn keeps_its_errors(test: &Test, most: u64, none: impl Fn(&mut SmallRng) -> i64, some: impl Fn(&mut SmallRng) -> i64) {
    let [more, less, same, open] = verdicts(test, most, none);
    assert!(more + less <= 60, "a difference is seen where there is none: {more} + {less}");
    assert!(same >= 900, "{same} {open}");
    let [more, less, same, open] = verdicts(test, most, some);
    assert!(same + less <= 60, "a difference is missed: {more} {less} {same} {open}");
    assert!(more >= 900, "{more} {open}");
}

fn flags(within: f64) -> Test {
    Test::new(&Type::Flag, (-1.0, 1.0), within, 1, ALPHA)
}

/// 1, -1 or 0, with chances in hundredths for the first two.
fn either(rng: &mut SmallRng, up: u32, down: u32) -> i64 {
    let n = rng.random_range(0..100u32);
    if n < up { 1 } else { -i64::from(n < up + down) }
}

#[test]
fn pairs_of_a_condition_keep_their_error_rates() {
    keeps_its_errors(&flags(0.08), 100_000, |rng| either(rng, 10, 10), |rng| either(rng, 14, 6));
}

#[test]
fn runs_of_a_condition_that_share_nothing_keep_their_error_rates() {
    let none = |rng: &mut SmallRng| chance(rng, 40) - chance(rng, 40);
    keeps_its_errors(&flags(0.1), 100_000, none, |rng| chance(rng, 50) - chance(rng, 40));
}

/// Numbers from 0 to 6.
fn numbers(within: f64, most: u64) -> Test {
    Test::new(&Type::Int(Range::new(0, 6)), (-6.0, 6.0), within, most, ALPHA)
}

#[test]
fn pairs_of_a_number_keep_their_error_rates() {
    // most pairs agree
    let none = |rng: &mut SmallRng| either(rng, 12, 12) * rng.random_range(1..4i64);
    let some = |rng: &mut SmallRng| either(rng, 22, 7) * rng.random_range(1..4i64);
    keeps_its_errors(&numbers(0.3, 50_000), 50_000, none, some);
}

#[test]
fn runs_of_a_number_that_share_nothing_keep_their_error_rates() {
    let die = |rng: &mut SmallRng| rng.random_range(0..5i64);
    let none = |rng: &mut SmallRng| die(rng) - die(rng);
    let some = |rng: &mut SmallRng| die(rng) - die(rng) + either(rng, 60, 10);
    keeps_its_errors(&numbers(0.5, 50_000), 50_000, none, some);
}

#[test]
fn intervals_of_shares_cover_what_they_promise() {
    for (chance, runs) in [(500u32, 1_000u64), (200, 1_000), (50, 2_000)] {
        let mut covered = 0;
        for seed in 0..TRIALS {
            let mut rng = SmallRng::seed_from_u64(seed);
            let held = (0..runs).filter(|_| rng.random_range(0..1_000u32) < chance).count() as u64;
            let (low, high) = wilson(held, runs, Level::USUAL);
            let share = f64::from(chance) / 1_000.0;
            covered += u64::from(low <= share && share <= high);
        }
        let thousandths = covered * 1_000 / TRIALS;
        println!("chance {chance} of 1000: covered in {thousandths} of 1000");
        assert!((936..=964).contains(&thousandths), "{chance}: {thousandths}");
    }
}

#[test]
fn intervals_of_means_cover_at_every_look() {
    // far from normal: mostly nothing, now and then a lot; the mean is 0.9 of 20
    let stream = |rng: &mut SmallRng| if rng.random_range(0..50u32) == 0 { 20 } else { rng.random_range(0..2i64) };
    let mean = 0.02 * 20.0 + 0.98 * 0.5;
    let sequence = Sequence::new(0.0, 20.0, 4_000);
    let (mut last, mut ever) = (0, 0);
    for seed in 0..TRIALS {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (mut counts, mut missed, mut misses) = ([0u64; 21], false, false);
        for n in 1..=4_000u32 {
            counts[stream(&mut rng) as usize] += 1;
            if n.is_power_of_two() || n == 4_000 {
                let values = (0..21).map(|v| (v as f64, counts[v])).filter(|(_, n)| *n > 0);
                let values = sequence.take(&values.collect::<Vec<(f64, u64)>>()).unwrap();
                let (low, high) = sequence.interval(&values, Level::USUAL);
                misses = !(low <= mean && mean <= high);
                missed |= misses;
            }
        }
        last += u64::from(misses);
        ever += u64::from(missed);
    }
    println!("missed at the end {last}, at any of 13 looks {ever}, of {TRIALS}");
    assert!(last <= ever && ever * 1_000 / TRIALS <= 50, "{last} {ever}");
}

/// A share of hundredths, as a value of a condition.
fn chance(rng: &mut SmallRng, hundredths: u32) -> i64 {
    i64::from(rng.random_range(0..100u32) < hundredths)
}

#[test]
fn paired_and_unpaired_runs_give_the_same_verdict() {
    // A holds in 40 of 100 runs; B in as many, in 10 more, in 10 less. In pairs only a part of the runs can differ.
    let paired = |rng: &mut SmallRng, more: i64| either(rng, (10 + more) as u32, 10);
    let unpaired = |rng: &mut SmallRng, more: i64| chance(rng, (40 + more) as u32) - chance(rng, 40);
    for (more, wanted) in [(0, 2), (10, 0), (-10, 1)] {
        let both = [
            verdicts(&flags(0.08), 100_000, |rng| paired(rng, more)),
            verdicts(&flags(0.08), 100_000, |rng| unpaired(rng, more)),
        ];
        assert!(both.iter().all(|v| v[wanted] >= 900), "{more}: {both:?}");
    }
}

#[test]
fn a_verdict_never_contradicts_its_interval() {
    // thousands of comparisons with a known difference, rare and common, at the margin and elsewhere; and 1,000 that end
    // before anything is decided
    let designs: [(f64, u64, f64, f64); 7] = [
        (0.02, 100_000, 0.26, 0.24),
        (0.02, 100_000, 0.25, 0.25),
        (0.05, 100_000, 0.275, 0.225),
        (0.01, 100_000, 0.0198, 0.0098),
        (0.01, 100_000, 0.01, 0.01),
        (0.02, 100_000, 0.02, 0.0),
        (0.001, 5_000, 0.25, 0.25),
    ];
    let (mut missed, mut decided) = (0, 0);
    for (within, most, up, down) in designs {
        for seed in 0..TRIALS / 2 {
            let mut rng = SmallRng::seed_from_u64(seed);
            let stream = || {
                let x: f64 = rng.random();
                if x < up { 1 } else { -i64::from(x < up + down) }
            };
            let (found, _) = decide(Test::new(&Type::Flag, (-1.0, 1.0), within, most, ALPHA), most, stream);
            let ((low, high), truth) = (found.interval, up - down);
            let agrees = match found.seen {
                Seen::More => low >= 0.0,
                Seen::Less => high <= 0.0,
                Seen::Same => -within <= low && high <= within,
                Seen::Open => low <= 0.0 && 0.0 <= high,
            };
            assert!(agrees && low <= high, "{found:?}");
            missed += u64::from(truth < low || truth > high);
            decided += u64::from(found.seen != Seen::Open);
        }
    }
    println!("missed {missed} of {}, decided {decided}", 7 * TRIALS / 2);
    assert!(decided >= 6 * TRIALS / 2 && missed * 1_000 <= 50 * 7 * TRIALS / 2);
}

#[test]
fn what_is_open_says_how_many_runs_would_decide() {
    // half a point where 0.2 points are the same: the runs that were named decide it in most cases
    let mut told = Vec::new();
    for seed in 0..60 {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut stream = || either(&mut rng, 12, 10);
        let mut trial = Trial::new((-1.0, 1.0), 0.002, 2_000, ALPHA, 0.05);
        let mut counts = [0u64; 3];
        let mut look = |trial: &mut Trial, runs: u64, counts: &mut [u64; 3]| {
            (0..runs).for_each(|_| counts[(stream() + 1) as usize] += 1);
            let values: Vec<(f64, u64)> = (0..3).map(|n| (n as f64 - 1.0, counts[n])).collect();
            (trial.look(&values), values)
        };
        let (seen, values) = look(&mut trial, 2_000, &mut counts);
        if seen != Seen::Open {
            continue;
        }
        let mean = (counts[2] as f64 - counts[0] as f64) / 2_000.0;
        let Some(more) = more_runs(2_000, mean, trial.found(&values, seen).interval, None) else { continue };
        let decided = more > 200_000 || look(&mut trial, 2 * more, &mut counts).0 != Seen::Open;
        told.push(decided);
    }
    let right = told.iter().filter(|decided| **decided).count();
    assert!(told.len() > 30 && right * 10 >= told.len() * 7, "{right} of {}", told.len());
    assert_eq!(more_runs(1_000, 0.0, (-1.0, 1.0), None), None);
    assert_eq!(more_runs(1_000, 0.1, (-0.1, 0.3), None), Some(3_000));
    assert_eq!(more_runs(1_000, 0.1, (-0.1, 0.3), Some(((-0.05, 0.25), 0.25))), Some(100));
}

#[test]
fn questions_after_the_first_keep_their_error_rate_together() {
    // six measures without a difference, some often and some seldom discordant, looked at until the first is decided
    const MEASURES: u32 = 6;
    let sequence = Sequence::new(-1.0, 1.0, 20_000);
    let level = Level { alpha: ALPHA / f64::from(MEASURES), ..Level::USUAL };
    let mut wrong = 0;
    for seed in 0..TRIALS {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut primary = flags(0.08);
        let mut tallies = vec![Tally::default(); 1 + MEASURES as usize];
        for mark in looks(20_000) {
            while tallies[0].counted < mark {
                for (n, tally) in tallies.iter_mut().enumerate() {
                    let share = 2 + 3 * n as u32;
                    tally.add(&[either(&mut rng, share, share)]);
                }
            }
            if primary.look(&tallies[0]) != Seen::Open {
                break;
            }
        }
        let seen = tallies[1..].iter().map(|tally| {
            let values: Vec<(f64, u64)> = tally.values().unwrap().map(|(cells, n)| (cells[0] as f64, n)).collect();
            Seen::of(sequence.interval(&sequence.take(&values).unwrap(), level))
        });
        wrong += u64::from(seen.into_iter().any(|seen| seen != Seen::Open));
    }
    println!("some measure was wrong in {wrong} of {TRIALS}");
    assert!(wrong * 1_000 / TRIALS <= 60, "{wrong}");
}

#[test]
fn the_interval_of_a_comparison_covers_when_it_stops() {
    // it stops because the difference looks great, which is when an interval of a fixed number of runs would lie; what
    // stops as "same" has an interval at 90%
    for (up, down) in [(10u32, 10u32), (13, 7), (14, 6)] {
        let truth = f64::from(up) / 100.0 - f64::from(down) / 100.0;
        let mut missed = 0;
        for seed in 0..TRIALS {
            let mut rng = SmallRng::seed_from_u64(seed);
            let (found, _) = decide(flags(0.08), 100_000, || either(&mut rng, up, down));
            missed += u64::from(truth < found.interval.0 || truth > found.interval.1);
        }
        println!("difference {truth}: missed in {missed} of {TRIALS}");
        assert!(missed * 1_000 / TRIALS <= 50, "{truth}: {missed}");
    }
}

#[test]
fn comparisons_that_share_an_error_rate_keep_it_together() {
    // a condition on one scenario, a number on another, no difference in either: each takes half of what may be wrong
    let range = (-6.0, 6.0);
    let number = Test::new(&Type::Int(Range::new(0, 6)), range, 0.3, 20_000, ALPHA / 2.0);
    let flag = Test::new(&Type::Flag, (-1.0, 1.0), 0.08, 1, ALPHA / 2.0);
    let mut wrong = 0;
    for seed in 0..TRIALS {
        let mut rng = SmallRng::seed_from_u64(seed);
        let one = decide(flag.clone(), 20_000, || either(&mut rng, 10, 10));
        let other = decide(number.clone(), 20_000, || either(&mut rng, 12, 12) * rng.random_range(1..4i64));
        wrong += u64::from([one, other].iter().any(|(found, _)| matches!(found.seen, Seen::More | Seen::Less)));
    }
    println!("one of two was wrong in {wrong} of {TRIALS}");
    assert!(wrong * 1_000 / TRIALS <= 60, "{wrong}");
}
