//! A block of runs ends as its runs do one at a time: every die, every cell, every result.

use grognard_base::value::{Fraction, FuncId, KindId};
use grognard_batch::{Block, LANES, MOST_ROWS};
use grognard_kit::Lab;
use grognard_kit::Shelf;
use grognard_kit::root;
use grognard_kit::scenes;
use grognard_kit::{RUNS, SEED, agrees};
use grognard_odds::ExploreOptions;
use grognard_play::Play;
use grognard_program::{Detail, compile};
use grognard_scenario::Scenario;
use grognard_stats::stats::Level;
use grognard_stats::{Settings, Tally, sample};
use grognard_vm::{Game, Setup, ThingSpec, set_up};

/// Scenarios whose runs are long: others have the same rules.
const LONG: &[&str] = &[
    "hold-the-farm",
    "three-turns-at-the-farm",
    "three-turns-at-the-farm-led",
    "fight-to-the-end",
    "skirmish-to-the-end",
    "assaults-read-otherwise",
    "combat-moves",
    "fire-read-otherwise",
    "who-hides-there",
];

/// What so many runs came to, one at a time.
fn alone(scenario: &Scenario, seed: u64, runs: u64) -> (Vec<Tally>, u64) {
    let mut play = Play::new(scenario, None, None);
    let mut tallies = vec![Tally::default(); scenario.plan.report.len()];
    let mut faults = 0;
    for run in 0..runs {
        play.start(seed, run);
        let ended = play.once();
        let figures = (0..tallies.len()).map(|n| play.figure(n).map(|cells| cells.map(<[i64]>::to_vec)));
        match ended.and_then(|()| figures.collect::<Result<Vec<_>, _>>()) {
            Ok(figures) => {
                let pairs = tallies.iter_mut().zip(figures);
                pairs.for_each(|(tally, cells)| cells.into_iter().for_each(|cells| tally.add(&cells)));
            }
            Err(_) => faults += 1,
        }
    }
    (tallies, faults)
}

/// Samples of every shipped scenario, with its dice left to chance, are what its runs come to one at a time.
#[test]
fn shipped_scenarios_are_sampled_as_they_are_played() {
    for (game, name) in scenes::folders().into_iter().filter(|(_, name)| !LONG.contains(&name.as_str())) {
        let (mut scenario, _) = scenes::shipped(&name);
        scenario.plan.dice.clear();
        let runs = 8;
        let (tallies, faults) = alone(&scenario, SEED, runs);
        let settings = Settings { seed: SEED, runs, threads: 1, chunk: LANES as u64, level: Level::USUAL, until: None };
        let found = sample(&scenario, settings, None, &|_| true);
        assert_eq!((found.tallies, found.faults), (tallies, faults), "{game}/{name}");
    }
}

/// Looks at dice in all ways: counts, faces in a row, single dice, sums, dice thrown again and dice that explode, draws; pools that
/// lie unseen through other throws, in a variable of a phase and in the result of a test; statuses that end, a thing that comes
/// and one that goes, counts that a run keeps, a choice that looks at dice.
const LOOKS: &str = r#"
tally thrown "Dice thrown"
kind Side "A side" { state pips : 0..90 = 0; state left : 0..12 = 12; state marks : 0..9 = 0 }
kind Man { link side : Side; state hurt : 0..3 = 0 }
status Shaken "Shaken" on Man

test Nerve(s: Side) "Holds" {
  roll dice = 3 of d6
  let good = count dice <= 4
  pass when good > 1
}

phase Go(s: Side) "Goes" {
  roll aim = s.left of d6
  roll bolt = 2 of d10
  roll save = (count aim >= 4) of d6
  let through = count save < 3
  set thrown += size(save)
  set s.left -= min(through, 2)
  let sixes = count aim == 6
  if sixes > 2 { set s.marks += 1 }
  roll again = 4 of d6
  reroll x in again where x == 1
  explode x in again where x == 6 at most 1
  set s.pips += min(9, total(highest(2, again)))
  roll one = d4
  if one == 1 { each m in Man where m.side == s { grant Shaken to m until end of Go } }
  roll whole = 2d6
  if whole > 9 { set s.pips += 1 }
  let held = test Nerve(s)
  if held.passed and total(held.dice) > 12 { set s.marks += 1 }
  let high = count bolt > 5
  if any m in Man where m.side == s and m has Shaken { set s.pips += high }
  draw victim in all m in Man where m.side == s or none
  if victim is some m {
    set m.hurt += 1
    if m.hurt == 3 { destroy m }
  }
  let fives = count aim >= 5
  choose n in 1 .. 3 prefer most (if fives > 3 then 0 - n else n)
  set s.pips += n
  if s.left == 0 { spawn m : Man { side = s } }
}
"#;

/// What these rules are played on.
const TABLE: &str = r#"
rules = "g/x"
start = "Go(red)"
repeat = "until red.left < 4 or red.marks > 2 or rounds > 6"
mode = "sampled"
[Side.red]
[Man]
a = { side = "red" }
b = { side = "red" }
[[step]]
do = "run Go(red)"
expect = ["red.left < 3"]
[report]
mean = ["rounds", "red.pips", "count m in Man", "thrown", "sum m in Man of m.hurt"]
chance = ["red.marks > 1", "any m in Man where m has Shaken"]
"#;

/// Runs that go along positions which earlier ones came to end as they do alone.
#[test]
fn known_positions_change_nothing() {
    let rules = format!("ruleset g/x version \"1\"\n{LOOKS}");
    let own = [("g/x.rules", rules.as_str()), ("g/s.toml", TABLE)];
    let looks = crate::sample::scenario("g/s.toml", None, &[], &own);
    let (firefight, _) = scenes::shipped("firefight");
    for (scenario, runs) in [(looks, 300), (firefight, 100)] {
        let (tallies, faults) = alone(&scenario, SEED, runs);
        let settings = Settings { seed: SEED, runs, threads: 2, chunk: 64, level: Level::USUAL, until: None };
        let found = sample(&scenario, settings, None, &|_| true);
        assert_eq!((found.tallies, found.faults), (tallies, faults));
        assert!(found.speed.followed > 0 && found.speed.known > runs / 4, "{:?}", found.speed);
    }
}

/// The workloads that speed is measured with stay in the block to their end.
#[test]
fn the_workloads_stay() {
    for (file, phase) in [("w1", "Battle"), ("w2", "Duel"), ("w3", "Battle"), ("w4", "Throw")] {
        let text = std::fs::read_to_string(root().join(format!("benches/ratios/rules/{file}.rules"))).unwrap();
        let items = text.split_once('\n').unwrap().1;
        let lab = Lab::of_two(items);
        let args: &[i64] = if file == "w2" { &[0, 1] } else { &[0] };
        let stayed = agrees(&lab.game, lab.func(phase), if file == "w4" { &[] } else { args }, file);
        assert_eq!(stayed, RUNS, "{file}");
    }
}

/// Lanes that wait keep what they read later: results of early returns, values of branches and of rounds, frames of callers.
#[test]
fn waiting_lanes_keep_what_they_read() {
    let lab = Lab::of(
        "state men : 0..99 = 20
        proc early(n: 0..9) -> Int {
            roll d = d6
            if d <= 2 { return d * 100 + n }
            let twice = d * 2 + n
            if d <= 4 { return twice * 10 }
            roll e = d6
            let more = twice + e
            set men -= 1
            return more
        }
        proc nested(n: 0..9) -> Int {
            roll d = d6
            let kept = d * 7 + n
            if d == 1 { return 3 }
            if d < 4 {
                let one = do early(n)
                if one > 100 { return one + kept }
                let two = do early(n)
                return one * 10 + two + kept
            }
            let three = do early(n)
            return three + kept
        }
        proc first() -> Int {
            var n = 1
            roll d = d6
            if d <= 2 { return d * 3 }
            set n += d
            roll e = d6
            set n += e
            return n
        }
        proc branches() -> Int {
            roll d = d6
            let a = if d <= 3 then d * 11 else 7 - d
            let b = if d >= 3 then a * 2 else if d == 2 then a - 5 else 9
            let c = if b > 10 and a > 1 or d == 4 then a + b else a - b
            let deep = if c > 20 then (if d > 2 then c * b + a else c) else (if d > 4 then b - a else c + 1)
            return deep * 100 + c * 10 + b
        }
        proc rounds() -> Int {
            var sum = 0
            var last = 0
            each t in 1 .. 5 {
                roll d = d6
                let now = d * t
                if d > 4 {
                    roll e = d6
                    let both = now + e
                    each n in 1 .. 3 { if both > n * 4 { set sum += both - n } }
                    set last = both
                } else {
                    if d == 1 { set sum += last * 2 }
                    set last = now
                }
                if d == 3 { let far = do nested(t)
 set sum += far }
            }
            let left = do nested(1)
            return sum * 10 + last + left
        }",
    );
    let procs: [(&str, &[i64]); 5] =
        [("early", &[3]), ("nested", &[5]), ("first", &[]), ("branches", &[]), ("rounds", &[])];
    for (name, args) in procs {
        assert_eq!(agrees(&lab.game, lab.func(name), args, name), RUNS, "{name}");
    }
}

/// Entries of two lists side by side: counted in a loop, in one step and in a block, whatever their lengths.
#[test]
fn pairs_are_counted_alike() {
    for op in ["<", "<=", ">", ">=", "==", "!="] {
        let lab = Lab::of(&format!(
            "proc told(n: 0..9, m: 0..9) -> Int {{
                roll a = n of d6
                roll b = m of d6
                let counted = count x in a against y in b where x {op} y
                let summed = sum x in a against y in b of (if x {op} y then 1 else 0)
                return 100 * counted + summed
            }}
            proc thrown() -> Int {{
                roll k = d4
                roll a = k of d6
                roll b = 2 of d6
                let c = [k] + a
                let best = count x in highest(k, a) against y in b where x {op} y
                return 100 * best + count x in b against y in c where x {op} y
            }}"
        ));
        for args in [&[0, 3], &[3, 0], &[4, 2], &[2, 5], &[3, 3]] {
            assert_eq!(agrees(&lab.game, lab.func("told"), args, op), RUNS, "{op}");
            let found = lab.graph("told", args, ExploreOptions::default()).results();
            assert_eq!(found.chance(|cells| cells[0] % 101 == 0), Fraction::one(), "{op} {args:?}");
        }
        assert_eq!(agrees(&lab.game, lab.func("thrown"), &[], op), RUNS, "{op}");
    }
}

/// Fractions of numbers that all lanes share, and of numbers that they do not.
#[test]
fn fractions_that_all_lanes_share_are_computed_as_in_each() {
    let ops = ["a / b", "b / a", "(0 - a) / b", "a / (0 - b)", "7 / (0 - 3)"];
    for op in ops {
        for round in ["rounded down", "rounded up"] {
            let lab = Lab::of(&format!(
                "let part(a: Int, b: Int): Int = ({op} {round})
                proc shared(a: 1..9, b: 1..9) -> Int {{
                    let under = if a / b < 3/4 then 1 else if a / b <= 2 then 2 else 3
                    return 100 * part(a, b) + 10 * part(b, a) + under
                }}
                proc apart(a: 1..9, b: 1..9) -> Int {{
                    roll n = d6
                    let under = if n / b < 3/4 then 1 else if b / n <= 2 then 2 else 3
                    return 100 * part(n, b) + 10 * part(a, n) + under
                }}"
            ));
            for args in [&[1, 9], &[9, 1], &[6, 4], &[4, 6], &[7, 7], &[8, 3]] {
                assert_eq!(agrees(&lab.game, lab.func("shared"), args, op), RUNS, "{op} {round}");
                assert_eq!(agrees(&lab.game, lab.func("apart"), args, op), RUNS, "{op} {round}");
            }
        }
    }
}

/// A fraction without a value is reported by the run alone, also if all lanes share it.
#[test]
fn shared_fractions_without_a_value_leave_the_block() {
    let lab = Lab::of("proc over(a: 0..9) -> Int { return (6 / a rounded down) }");
    assert_eq!(agrees(&lab.game, lab.func("over"), &[4], "by 4"), RUNS);
    assert_eq!(agrees(&lab.game, lab.func("over"), &[0], "by 0"), 0);
}

/// So many units, each of which may lose men.
fn crowd(units: usize) -> Game {
    let text = "ruleset t/t
kind Unit { state men : 0..10 = 10; state ammo : 0..9 = 9; state hits : 0..9 = 0; state marks : 0..9 = 0 }
proc march() -> Int {
  each u in Unit { set u.ammo -= 1; set u.hits += 1; set u.marks += 2; set u.men -= 1 }
  return 0
}
proc fire() -> Int {
  each t in 1 .. 2 { each u in Unit where u.men > 9 or t == 1 { roll d by u = d6
    if d <= 2 { set u.men -= d } } }
  return count u in Unit where u.men > 8
}
";
    let (loaded, _) = Shelf::of(&[("t/t.rules", text)]).load("t/t");
    let things = (0..units).map(|n| ThingSpec::new(KindId(0), format!("u{n}"))).collect();
    let program = compile(&loaded.sound().unwrap(), Detail::Plain);
    set_up(program, Setup { things, ..Setup::default() }).unwrap()
}

/// Cells of the table take memory when they are written: large tables stay in the block, and lanes leave where too many change.
#[test]
fn large_tables_stay_in_the_block() {
    let func = |game: &Game, name| FuncId::from(game.program.functions.iter().position(|f| f.name == name).unwrap());
    for units in [3, 2_040, 2_060, 6_000] {
        let game = crowd(units);
        assert_eq!(agrees(&game, func(&game, "fire"), &[], "units"), RUNS, "{units} units");
    }
    // four values of each unit change
    let many = crowd(MOST_ROWS / (4 * LANES) / 4 + 100);
    let mut block = Block::new(&many).unwrap();
    block.start(SEED, 0, LANES);
    block.call(func(&many, "march"), &[]);
    assert!(block.full(), "{:?}", block.left().iter().enumerate().filter(|(_, n)| **n > 0).collect::<Vec<_>>());
    assert!(!block.any());
    // the next runs begin with the values of the start
    block.start(SEED, 0, LANES);
    assert!(block.any() && (0..many.start.cells.len()).all(|cell| block.cell(7, cell) == many.start.cells[cell]));
}

/// Runs with so many steps that few fit between two looks at the watcher are still played in blocks.
#[test]
fn long_runs_are_played_in_blocks() {
    let rules = "ruleset g/x version \"1\"
kind Unit { state men : 0..10 = 10 }
phase Game \"g\" { each t in 1 .. 6 { each u in Unit where u.men > 0 { roll d by u = d6
 if d <= 2 { set u.men -= 1 } } } }
";
    let units: String = (0..8_000).map(|n| format!("[Unit.u{n}]\n")).collect();
    let scene = format!(
        "rules = \"g/x\"\nmode = \"sampled\"\nstart = \"Game\"\n{units}[report]\nmean = [\"count u in Unit where u.men > 8\"]\n"
    );
    let own = [("g/x.rules", rules), ("g/s.toml", scene.as_str())];
    let crowd = crate::sample::scenario("g/s.toml", None, &[], &own);
    let settings = Settings { seed: SEED, runs: 65, threads: 1, chunk: LANES as u64, level: Level::USUAL, until: None };
    let found = sample(&crowd, settings, None, &|_| true);
    assert_eq!(found.speed.in_blocks, 64, "{:?}", found.speed);
    assert_eq!(found.tallies, alone(&crowd, SEED, 65).0);
}
