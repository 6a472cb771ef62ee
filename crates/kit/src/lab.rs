//! Rules from a text, and the odds of the results of their functions.

use crate::Shelf;
use grognard_base::value::*;
use grognard_odds::{Choice, Deciders, Distribution, ExploreOptions, Graph, Prefer, Task, Worth, explore};
use grognard_program::{Detail, compile};
use grognard_vm::{Asked, Fault, Game, Setup, ThingSpec, set_up};

/// A game to query.
pub struct Lab {
    pub game: Game,
}

/// Answers every decision with the same choice.
pub struct All(pub Choice);

impl Deciders for All {
    fn decide(&mut self, _: &mut Asked<'_>) -> Result<Choice, Fault> {
        Ok(self.0.clone())
    }

    fn searches(&self) -> bool {
        true
    }
}

impl Lab {
    /// Creates a game from the items of one rules text, with one thing of its first kind if there is one.
    pub fn of(items: &str) -> Lab {
        Lab::with(items, &["thing"])
    }

    /// Same as [`Lab::of`], with two things.
    pub fn of_two(items: &str) -> Lab {
        Lab::with(items, &["thing", "other"])
    }

    fn with(items: &str, things: &[&str]) -> Lab {
        let (loaded, sources) = Shelf::of(&[("t/t.rules", &format!("ruleset t/t\n\n{items}\n"))]).load("t/t");
        let Some(rules) = loaded.ruleset else {
            let text = grognard_base::render_lines(&loaded.problems, &sources);
            panic!("{text}\n{items}");
        };
        let things = things.iter().filter(|_| !rules.kinds.is_empty()).map(|name| ThingSpec::new(KindId(0), *name));
        let setup = Setup { things: things.collect(), ..Setup::default() };
        let game = set_up(compile(&rules, Detail::Plain), setup).unwrap_or_else(|f| panic!("{}", f.message));
        Lab { game }
    }

    /// Returns the function with this name: a proc, a test or a phase.
    pub fn func(&self, name: &str) -> FuncId {
        let found = self.game.program.functions.iter().position(|f| f.name == name);
        FuncId::from(found.unwrap_or_else(|| panic!("no function {name}")))
    }

    pub fn graph(&self, name: &str, args: &'static [i64], options: ExploreOptions) -> Box<Graph<'_>> {
        self.graph_by(name, args, &mut Prefer, options)
    }

    pub fn graph_by(
        &self,
        name: &str,
        args: &'static [i64],
        deciders: &mut dyn Deciders,
        options: ExploreOptions,
    ) -> Box<Graph<'_>> {
        let task = Task::Call { func: self.func(name), args, keep: None };
        explore(&self.game, &self.game.start, task, deciders, options)
    }

    /// Returns the odds of a result as text: `3: 1/2, 4: 1/2`.
    pub fn odds(&self, name: &str, args: &'static [i64]) -> String {
        rendered(&self.graph(name, args, ExploreOptions::default()).results())
    }
}

/// Formats a distribution as one line.
pub fn rendered(found: &Distribution) -> String {
    let parts = found.outcomes.iter().map(|o| {
        let value = match &o.worth {
            Worth::Cells(cells) => cells.iter().map(i64::to_string).collect::<Vec<_>>().join(" "),
            Worth::Fault(fault) => format!("{:?} {}", fault.code, fault.message),
            Worth::Never => "never".to_string(),
        };
        format!("{value}: {}", found.share(o))
    });
    let mut text = parts.collect::<Vec<_>>().join(", ");
    if found.unexplored() != Fraction::zero() {
        text += &format!(", unexplored: {}", found.unexplored());
    }
    text
}
