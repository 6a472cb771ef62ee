//! Any bytes as rules that have no errors: every phase without parameters is run on a table of one thing of each kind.
#![no_main]

use grognard_base::{OrdMap, Sources};
use grognard_vm::{First, NoTrace, Run, Setup, ThingSpec, call, set_up};
use grognard_vm::Seeded;
use grognard_program::{Detail, compile};
use grognard_rules::load;
use grognard_base::value::KindId;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = format!("ruleset fuzz/fuzz\n{}", String::from_utf8_lossy(bytes));
    let mut sources = Sources::default();
    let Some(rules) = load("fuzz/fuzz", &OrdMap::from([("fuzz/fuzz.rules".to_string(), text)]), &mut sources).ruleset else { return };
    if !rules.open.is_empty() {
        return;
    }
    let kinds = rules.kinds.iter().enumerate();
    let things = kinds.map(|(n, kind)| ThingSpec::new(KindId::from(n), kind.name.to_lowercase())).collect();
    let phases: Vec<_> = rules.phases.iter().map(|p| p.func).filter(|f| rules.functions[f.at()].params == 0).collect();
    let setup = Setup { things, fuel: Some(10_000), ..Setup::default() };
    let Ok(game) = set_up(compile(&rules, Detail::Traced), setup) else { return };
    for phase in phases {
        let mut state = game.start.clone();
        let mut run = Run::new(&game, Seeded::new(&game, 1, 0), First, NoTrace);
        let _ = call(&game, &mut state, &mut run, phase, &[]);
    }
});
