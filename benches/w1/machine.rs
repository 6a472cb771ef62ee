//! W1 as rules text on the machine.

use grognard::base::Sources;
use grognard::machine::{First, Game, NoTrace, Run, Setup, State, ThingSpec, call, set_up};
use grognard::play::Seeded;
use grognard::program::{Detail, compile};
use grognard::rules::{Library, load};
use grognard::value::*;

struct One;

impl Library for One {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok((path == "w1/w1.rules").then(|| include_str!("w1.rules").to_string()))
    }
}

/// The game, and where its figures lie.
pub struct W1 {
    game: Game,
    phase: FuncId,
    cells: [usize; 3],
    state: State,
}

impl W1 {
    /// One squad on an empty table.
    pub fn new() -> W1 {
        let mut sources = Sources::default();
        let rules = load("w1/w1", &One, &mut sources).ruleset.expect("the workload is sound");
        let field = |name: &str| rules.names.fields[&(KindId(0), name.to_string())];
        let fields = [field("models"), field("markers"), field("destroyed")];
        let phase = rules.phases[0].func;
        let program = compile(&rules, Detail::Plain);
        let setup = Setup { things: vec![ThingSpec::new(KindId(0), "squad")], ..Setup::default() };
        let game = set_up(program, setup).expect("the table is sound");
        let cells = fields.map(|f| game.layout.field(f, 0, 0));
        let state = game.start.clone();
        W1 { game, phase, cells, state }
    }

    /// Runs trials and sums their codes.
    pub fn trials(&mut self, seed: u64, count: u64) -> u64 {
        let mut sum = 0;
        let mut run = Run::new(&self.game, Seeded::new(&self.game, seed, 0), First, NoTrace);
        for trial in 0..count {
            self.state.clone_from(&self.game.start);
            run.dice.start(seed, trial);
            run.fuel = self.game.fuel;
            call(&self.game, &mut self.state, &mut run, self.phase, &[0]).expect("a run");
            let [models, markers, destroyed] = self.cells.map(|at| self.state.cells[at] as u64);
            sum += models * 10 + markers * 2 + destroyed;
        }
        sum
    }
}
