//! How much a player gains by best play over plain play: whether players will game a rule.

use grognard_base::Budget;
use grognard_base::value::pack_thing;
use grognard_play::odds::{PlayGain, gain, odds_options};
use grognard_scenario::{Answerer, Scenario};
use grognard_vm::Fault;

/// A question about best play against plain play.
#[derive(Clone, Debug)]
pub struct Gaming {
    /// The name of the player.
    pub player: String,
    /// Whether the player makes the objective small instead of large.
    pub least: bool,
    /// The source of plain play as in `[players]`; `None` for the sources of the scenario.
    pub plain: Option<String>,
    /// The budget of the exact answer.
    pub budget: Budget,
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum NoGain {
    /// The question does not fit the scenario.
    Asked(String),
    /// The exact answer has an error, or is too expensive.
    Fault(Fault),
}

impl Gaming {
    /// Answers the question. The objective is that of the scenario, or its first measure. Answers that the scenario gives stay,
    /// and moves end where plain play ends them.
    ///
    /// # Errors
    ///
    /// If the player or the source is unknown, the player decides nothing, or the exact answer is too expensive.
    pub fn answer(&self, scenario: &mut Scenario) -> Result<PlayGain, NoGain> {
        let (player, sources) = self.sources(scenario).map_err(NoGain::Asked)?;
        scenario.plan.players.retain(|(who, _)| *who != player);
        scenario.plan.players.push((player, sources));
        let gain = gain(scenario, &odds_options(scenario, self.budget.clone())).map_err(NoGain::Fault)?;
        gain.ok_or_else(|| NoGain::Asked(format!("`{}` decides nothing on this table", self.player)))
    }

    /// Returns the player, and the sources with best play before the plain one.
    fn sources(&self, scenario: &Scenario) -> Result<(i64, Vec<Answerer>), String> {
        let Some((kind, thing)) = scenario.game.thing(&self.player) else {
            return Err(format!("the scenario has no player `{}`", self.player));
        };
        let player = pack_thing(kind, thing);
        let own = scenario.plan.players.iter().find(|(who, _)| *who == player).map(|(_, sources)| sources.as_slice());
        let plain = match &self.plain {
            Some(text) => Answerer::of(text, &scenario.rules).filter(|source| source.is_plain()).ok_or_else(|| {
                format!("`{text}` is not plain play in these rules; write `policy:NAME`, `prefer` or `first`")
            })?,
            None => match own.into_iter().flatten().find(|source| **source != Answerer::Script) {
                Some(source) if !source.is_plain() => {
                    let (word, player) = (source.word(&scenario.rules), &self.player);
                    return Err(format!(
                        "`{player}` plays `{word}` in the scenario; add `--plain prefer` or another source"
                    ));
                }
                source => source.copied().unwrap_or(Answerer::Prefer),
            },
        };
        let extreme = if self.least { Answerer::Worst } else { Answerer::Best };
        let scripted = own.is_some_and(|sources| sources.contains(&Answerer::Script));
        Ok((player, scripted.then_some(Answerer::Script).into_iter().chain([extreme, plain]).collect()))
    }
}
