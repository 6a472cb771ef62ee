//! Samples: the same on any number of threads.

use grognard_base::value::dice::{Site, Stream, name};
use grognard_base::{FileId, Source, Sources};
use grognard_kit::{Shelf, Shipped};
use grognard_play::odds::{OddsOptions, explore, whole};
use grognard_program::Detail;
use grognard_report::{compared, sampled};
use grognard_rules::{self as rules, Library};
use grognard_scenario::{self as scenario, Scenario};
use grognard_stats::stats::Level;
use grognard_stats::{
    ALPHA, AliasTable, CHUNK, Compared, Judgement, Question, Settings, Tally, Until, compare, drawn, exactly, looks,
    sample, together,
};
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
        document.ask(&asked, &[]);
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
        let rendered = sampled::sample("", &table, &found);
        hash(&(rendered.text() + &rendered.csv() + &rendered.json().to_string()))
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
                let rendered = compared::all(&[(names, Some(&again))]);
                rendered.text() + &rendered.json().to_string()
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
    // a block of runs draws what each run draws by itself
    let mut alone = vec![Tally::default(); tables.len()];
    for run in 0..100_000 {
        for ((n, table), tally) in (0..).zip(&tables).zip(&mut alone) {
            tally.add(table.draw(&Stream::new(7, run), Site::new(name("drawn"), n, 0)));
        }
    }
    assert_eq!(found.tallies, alone);
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
    assert!(text.starts_with("drawn from exact odds: 100000 values of each measure separately, seed 7"), "{text}");
    assert!(text.contains("(drawn, from 100000 values)") && !text.contains("sampled"), "{text}");
}

#[test]
fn odds_with_something_left_open_are_not_drawn_from() {
    let table = scenario("g/s.toml", None, &["red.pips"], OWN);
    let explored = explore(&table, &OddsOptions::plain(grognard_base::Effort::Given(10_000).budget()), false).unwrap();
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
    assert!(why(&[("g/x.rules", &calm), OWN[1]], 2).contains("within 2 states"));
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
    assert!(text.contains("  0.0% of A's runs and 66.7% of B's end with 0"), "{text}");
    let text = compared::one(&NAMES, &Compared::Exact(exact)).text();
    assert!(
        text.contains("  0.00% of A's runs and 66.67% of B's end with 0; the distributions overlap by 0.00%"),
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
    assert!(text.contains("no pair has a result") && !text.contains("red.hit"), "{text}");
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
    let rendered = |table: &Scenario| -> Vec<String> {
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
        rendered(&scenario("g/b.toml", None, &of, &[("g/b.rules", &rules), ("g/b.toml", scene)]))
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
        assert_eq!(rendered(&table), [models; 2], "{path}");
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
