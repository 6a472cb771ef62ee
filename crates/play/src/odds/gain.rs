//! The gain of best play over plain play, and the decisions that cause it.

use super::{OddsOptions, explore};
use grognard_base::order;
use grognard_base::safe::clean;
use grognard_base::value::Fraction;
use grognard_odds::{Gain, Precision};
use grognard_scenario::Scenario;
use grognard_vm::Fault;

/// The values of best play and of plain play, and the decisions at which they differ.
#[derive(Clone, Debug)]
pub struct PlayGain {
    /// The value of the objective if the player plays best.
    pub best: Fraction,
    /// The value of the objective if the player plays plainly.
    pub plain: Fraction,
    /// The decisions of plain play that lose something. States with the same decision share one, and the largest gain is first.
    pub departures: Vec<PlayDeparture>,
}

/// A decision of plain play that loses something.
#[derive(Clone, Debug)]
pub struct PlayDeparture {
    /// The name of the decision.
    pub choice: String,
    /// The subject of the decision, or an empty string.
    pub of: String,
    /// The entry that plain play takes, or `None` if it is not in the menu, such as a list that is given in another order.
    pub plain: Option<String>,
    /// The best entry.
    pub best: String,
    /// Expected number of times that plain play takes the decision in a run.
    pub reached: Fraction,
    /// The gain of best play at this decision. The gains of all decisions add up to the whole gain.
    pub gain: Fraction,
}

/// Computes the gain of a player who plays `best` or `worst` over the next source in the list of the player. Returns `None` if the
/// player decides nothing.
///
/// # Errors
///
/// Returns a fault if there is no objective, or if the exact values exceed a limit.
pub fn gain(scenario: &Scenario, odds_options: &OddsOptions<'_>) -> Result<Option<PlayGain>, Fault> {
    let options = OddsOptions { precision: Precision::Fractions, ..odds_options.clone() };
    let mut explored = explore(scenario, &options, false)?;
    let Some(objective) = explored.objective else { return Ok(None) };
    let Gain { best, plain, departures } = explored.graph.departures(objective)?;
    let game = &scenario.game;
    let mut found: Vec<PlayDeparture> = Vec::new();
    for departure in departures {
        let (choice, of) =
            (&game.program.schema.sites[departure.site.at()].name, game.packed_name(departure.who.subject));
        let (choice, of) = (clean(choice), clean(&of));
        let (plain, best) = (departure.plain.as_deref().map(clean), clean(&departure.best));
        let same =
            |one: &&mut PlayDeparture| one.choice == choice && one.of == of && one.plain == plain && one.best == best;
        match found.iter_mut().find(same) {
            Some(one) => {
                one.reached = &one.reached + &departure.reached;
                one.gain = &one.gain + &departure.gain;
            }
            None => {
                let (reached, gain) = (departure.reached, departure.gain);
                found.push(PlayDeparture { choice, of, plain, best, reached, gain });
            }
        }
    }
    let size = |one: &PlayDeparture| if one.gain < Fraction::zero() { -&one.gain } else { one.gain.clone() };
    order::sort_by_key(&mut found, |one| std::cmp::Reverse(size(one)));
    Ok(Some(PlayGain { best, plain, departures: found }))
}
