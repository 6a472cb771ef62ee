//! The sampled workloads as scripts in Rhai and in Lua (LuaJIT), as somebody would write them who knows the language.
//! Only with the feature `scripts`.

use mlua::{Function, Lua};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rhai::{AST, Engine, INT, Scope};
use std::cell::RefCell;
use std::rc::Rc;

/// A workload in both languages.
pub struct Scripts {
    lua: (Lua, Function),
    rhai: (Engine, AST),
    rng: Rc<RefCell<SmallRng>>,
}

fn texts(name: &str) -> (&'static str, &'static str) {
    match name {
        "W1" => (include_str!("scripts/w1.lua"), include_str!("scripts/w1.rhai")),
        "W2" => (include_str!("scripts/w2.lua"), include_str!("scripts/w2.rhai")),
        "W3" => (include_str!("scripts/w3.lua"), include_str!("scripts/w3.rhai")),
        _ => (include_str!("scripts/w4.lua"), include_str!("scripts/w4.rhai")),
    }
}

impl Scripts {
    pub fn of(name: &str) -> Scripts {
        let (lua, rhai) = texts(name);
        let machine = Lua::new();
        let trial: Function = machine.load(lua).eval().expect("a script");
        let runs = "local trial = ...; return function(seed, trials) math.randomseed(seed); local counts = {}; \
                    for _ = 1, trials do local code = trial(); counts[code] = (counts[code] or 0) + 1 end; return counts end";
        let runs: Function = machine.load(runs).call(trial).expect("a script");
        let rng = Rc::new(RefCell::new(SmallRng::seed_from_u64(0)));
        let mut engine = Engine::new();
        let own = rng.clone();
        engine.register_fn("die", move |sides: INT| own.borrow_mut().random_range(1..=sides));
        let ast = engine.compile(rhai).expect("a script");
        Scripts { lua: (machine, runs), rhai: (engine, ast), rng }
    }

    /// Runs trials in Lua and counts their outcomes.
    pub fn lua(&self, seed: u64, trials: u64, counts: &mut [u64]) {
        let found: mlua::Table = self.lua.1.call((seed, trials)).expect("a run");
        for pair in found.pairs::<usize, u64>() {
            let (code, times) = pair.expect("numbers");
            counts[code] += times;
        }
    }

    /// Runs trials in Rhai and counts their outcomes.
    pub fn rhai(&self, seed: u64, trials: u64, counts: &mut [u64]) {
        *self.rng.borrow_mut() = SmallRng::seed_from_u64(seed);
        let (engine, ast) = &self.rhai;
        let mut scope = Scope::new();
        for _ in 0..trials {
            let code: INT = engine.call_fn(&mut scope, ast, "trial", ()).expect("a run");
            counts[code as usize] += 1;
        }
    }
}
