//! Steps made of several instructions do what those do: a watched run takes them apart, and ends in the same position.

use grognard_base::value::*;
use grognard_base::{Code, Sources};
use grognard_kit::Shelf;
use grognard_play::Seeded;
use grognard_program::{Detail, compile};
use grognard_rules::load;
use grognard_vm::*;

/// Watches without a word.
struct Watcher;

impl Trace for Watcher {
    fn happen(&mut self, _: &Game, _: &State, _: &MachineEvent<'_>) {}
}

/// A game of the first kind's first thing, with the function of the first phase.
fn game(text: &str, values: &[(&str, i64)]) -> (Game, FuncId) {
    let header = text.lines().next().unwrap().trim_start_matches("ruleset ").to_string();
    let files = Shelf::of(&[(&format!("{header}.rules"), text)]);
    let rules = load(&header, &files, &mut Sources::default()).ruleset.expect("sound rules");
    let mut thing = ThingSpec::new(KindId(0), "one");
    for (name, value) in values {
        thing.values.push((rules.names.fields[&(KindId(0), name.to_string())], 0, vec![*value]));
    }
    let phase = rules.phases[0].func;
    let setup = Setup { things: vec![thing], fuel: Some(10_000), ..Setup::default() };
    (set_up(compile(&rules, Detail::Plain), setup).expect("a sound table"), phase)
}

fn once<T: Trace>(game: &Game, phase: FuncId, trial: u64, trace: T) -> (State, Result<Stop, Fault>) {
    let mut state = game.start.clone();
    let mut run = Run::new(game, Seeded::new(game, 7, trial), First, trace);
    let end = call(game, &mut state, &mut run, phase, &[0]);
    (state, end)
}

#[test]
fn watched_and_unwatched_runs_end_alike() {
    let (game, phase) = game(include_str!("../../../../../benches/ratios/rules/w1.rules"), &[]);
    let mut ends = std::collections::BTreeSet::new();
    for trial in 0..300 {
        let (quiet, end) = once(&game, phase, trial, NoTrace);
        assert_eq!(end.unwrap(), Stop::Finished);
        let (watched, _) = once(&game, phase, trial, Watcher);
        assert_eq!(quiet, watched, "trial {trial}");
        ends.insert(quiet.cells.clone());
    }
    assert!(ends.len() > 20, "{} different ends", ends.len());
}

#[test]
fn a_driver_used_again_throws_as_a_new_one() {
    let (game, phase) = game(include_str!("../../../../../benches/ratios/rules/w1.rules"), &[]);
    let mut run = Run::new(&game, Seeded::new(&game, 0, 0), First, NoTrace);
    for trial in 0..20 {
        let mut state = game.start.clone();
        run.drivers.dice.start(7, trial);
        call(&game, &mut state, &mut run, phase, &[0]).unwrap();
        assert_eq!(state, once(&game, phase, trial, NoTrace).0, "trial {trial}");
    }
}

const FAULTS: &str = "ruleset t/t

kind Unit {
  stat top : 0..900000000 = 9
  stat many : 0..20000 = 3
  state mark : 0..top
  state free : Int = 0
}

phase Turn(u: Unit) {
  set u.mark += 1
  set u.free += u.top
  roll pool = u.many of d6
  set u.mark += count pool >= 1
}
";

#[test]
fn a_fused_step_that_fails_fails_as_its_parts_do() {
    let cases: [(&[(&str, i64)], Option<Code>); 4] = [
        (&[("mark", 2)], None),
        (&[], Some(Code::Unset)),
        (&[("mark", 2), ("many", 10_001)], Some(Code::TooManyDice)),
        (&[("mark", 2), ("top", 900_000_000), ("free", 2_000_000_000)], Some(Code::Overflow)),
    ];
    for (values, wanted) in cases {
        let (game, phase) = game(FAULTS, values);
        let (quiet, end) = once(&game, phase, 0, NoTrace);
        let (watched, other) = once(&game, phase, 0, Watcher);
        let rendered = |end: Result<Stop, Fault>| end.err().map(|f| (f.code, f.message, f.span));
        let (end, other) = (rendered(end), rendered(other));
        assert_eq!(end.as_ref().map(|f| f.0), wanted, "{values:?}");
        assert_eq!(end, other);
        assert_eq!(quiet, watched, "{values:?}");
    }
}

const CASES: &str = "ruleset t/t

kind Unit {
  stat n : -50..50 = 0
  state out : Int = 0
}

phase Turn(u: Unit) {
  set u.out = match first u.n + u.out {
    1 => 10
    5 => 20
    7 | 9 | 10 => 30
    at least 30 => 40
    at most -10 => 50
    else => 60
  }
}
";

#[test]
fn a_table_of_jumps_leads_where_its_comparisons_do() {
    for n in -50..=50 {
        let (game, phase) = game(CASES, &[("n", n)]);
        let (state, end) = once(&game, phase, 0, NoTrace);
        assert_eq!(end.unwrap(), Stop::Finished);
        let wanted = match n {
            1 => 10,
            5 => 20,
            7 | 9 | 10 => 30,
            30.. => 40,
            ..=-10 => 50,
            _ => 60,
        };
        assert_eq!(state.cells[game.layout.field(FieldId(1), 0, 0)], wanted, "{n}");
    }
}
