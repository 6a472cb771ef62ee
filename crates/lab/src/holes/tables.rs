//! The scenarios at hand, and how they are played otherwise: by chance, without their script.

use grognard_base::order;
use grognard_base::value::*;
use grognard_program::schema::Schema;
use grognard_scenario::{Answerer, Mode, Scenario};
use grognard_vm::Fault;

/// Reads a scenario that is written on top of one of those at hand; none if it cannot be read.
pub type Bind<'b> = dyn Fn(&str) -> Option<Scenario> + 'b;

/// A scenario at hand.
pub struct Scene<'s> {
    /// Its path, as it was named.
    pub path: String,
    /// As it is written.
    pub scenario: Scenario,
    /// Reads texts that stand on it.
    pub bind: Box<Bind<'s>>,
}

impl Scene<'_> {
    /// The name that a scenario beside it knows it by.
    pub fn file(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The same table and the same steps without script and given dice, where chance answers for everybody.
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

/// Everybody who decides: things of kinds without an owner that other kinds belong to.
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

/// What tells one end of a run from another: the code of an error, and the law or the place.
pub fn kind_of(fault: &Fault) -> (&'static str, String) {
    let place = fault.span.map_or(String::new(), |span| format!("{span:?}"));
    match fault.code {
        grognard_base::Code::LawBroken => (fault.code.id(), fault.message.clone()),
        code => (code.id(), place),
    }
}
