//! The given scenarios, and their variants with random decisions instead of their script.

use grognard_base::order;
use grognard_base::value::*;
use grognard_program::schema::Schema;
use grognard_scenario::{Answerer, Mode, Scenario};
use grognard_vm::Fault;

/// Binds the text of a scenario that extends one of the given scenarios. Returns `None` if it is invalid.
pub type Bind<'b> = dyn Fn(&str) -> Option<Scenario> + 'b;

/// A given scenario.
pub struct Scene<'s> {
    /// The path as given by the user.
    pub path: String,
    /// The unchanged scenario.
    pub scenario: Scenario,
    /// Binds texts that extend it.
    pub bind: Box<Bind<'s>>,
}

impl Scene<'_> {
    /// Returns its name as seen from a scenario in the same folder.
    pub fn file(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Returns the same setup and steps without script and given dice, with random decisions for every player.
    pub fn by_chance(&self) -> Scenario {
        let mut scenario = self.scenario.clone();
        let plan = &mut scenario.plan;
        plan.mode = Mode::Scripted;
        plan.decides.clear();
        plan.always.clear();
        plan.dice.clear();
        plan.expects.clear();
        plan.traces.clear();
        plan.report.clear();
        for step in &mut plan.steps {
            step.decides.clear();
            step.always.clear();
            step.expects.clear();
        }
        let players = players(&scenario);
        scenario.plan.players = players.into_iter().map(|player| (player, vec![Answerer::Random])).collect();
        scenario
    }
}

/// Returns every player: the things of kinds without an owner that own other kinds.
pub fn players(scenario: &Scenario) -> Vec<i64> {
    let schema: &Schema = &scenario.game.program.schema;
    let owning = |kind: KindId| {
        schema.kinds.iter().filter_map(|k| k.owner).any(|f| schema.fields[f.at()].ty.kind() == Some(kind))
    };
    let mut found: Vec<i64> = scenario.plan.players.iter().map(|(who, _)| *who).collect();
    for (n, kind) in schema.kinds.iter().enumerate() {
        let id = KindId::from(n);
        if kind.owner.is_none() && owning(id) {
            found.extend((0..scenario.game.names[n].len()).map(|thing| pack_thing(id, thing as i64)));
        }
    }
    order::sort(&mut found);
    found.dedup();
    found
}

/// Returns the kind of an error, which distinguishes the ends of runs: its code, and the law or the span.
pub fn kind_of(fault: &Fault) -> (&'static str, String) {
    let place = fault.span.map_or(String::new(), |span| format!("{span:?}"));
    match fault.code {
        grognard_base::Code::LawBroken => (fault.code.id(), fault.message.clone()),
        code => (code.id(), place),
    }
}
