//! The dice handler and the decision handler of the transition cache. They return an answer if one is ready, and stop
//! the machine otherwise.

use grognard_base::Code;
use grognard_base::value::SiteId;
use grognard_odds::{Choice, Deciders};
use grognard_play::Scripts;
use grognard_vm::{Answer, Asked, Decide, Dice, Die, DrawAsk, Fault, Flow, Game, Throw, Thrown};
use smallvec::SmallVec;

/// A roll that the rules request.
#[derive(Clone)]
pub(super) struct Wanted {
    pub site: SiteId,
    pub subject: i64,
    pub same: Option<(Die, usize)>,
    pub each: Box<[Die]>,
    pub again: Box<[i64]>,
    pub explode: bool,
}

/// A draw that the rules request.
#[derive(Clone)]
pub(super) struct Draw {
    pub site: SiteId,
    pub subject: i64,
    pub names: Vec<String>,
    pub alike: Vec<usize>,
    pub weights: Vec<u32>,
    pub count: usize,
}

/// A dice handler that returns the answer that is ready, or stops the machine and stores the request.
#[derive(Default)]
pub(super) struct Chance {
    pub ready: Option<SmallVec<[i64; 16]>>,
    pub throw: Option<Wanted>,
    pub draw: Option<Box<Draw>>,
}

impl Dice for Chance {
    fn exact(&self) -> bool {
        true
    }

    fn throw(&mut self, _: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault> {
        if let Some(ready) = self.ready.take() {
            faces.extend_from_slice(&ready);
            return Ok(Flow::Go);
        }
        let (same, each): (_, &[Die]) = match throw.dice {
            Thrown::Same(die, n) => (Some((die, n)), &[]),
            Thrown::Each(dice) => (None, dice),
        };
        let (site, subject, explode) = (throw.site, throw.subject, throw.explode);
        self.throw = Some(Wanted { site, subject, same, each: each.into(), again: throw.again.into(), explode });
        Ok(Flow::Wait)
    }

    fn draw(&mut self, _: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault> {
        if let Some(ready) = self.ready.take() {
            picks.extend(ready.iter().map(|pick| *pick as usize));
            return Ok(Flow::Go);
        }
        let DrawAsk { site, subject, count, .. } = *draw;
        let (names, alike, weights) = (draw.names.to_vec(), draw.alike.to_vec(), draw.weights.to_vec());
        self.draw = Some(Box::new(Draw { site, subject, names, alike, weights, count }));
        Ok(Flow::Wait)
    }
}

/// A decision handler that uses only the answers of the scenario. It does not support random or human deciders.
pub(super) struct ScenarioDecisions<'a>(pub Scripts<'a>);

impl Decide for ScenarioDecisions<'_> {
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        match self.0.decide(asked)? {
            Choice::Answer(answer) => Ok((answer, "")),
            Choice::Random | Choice::Best(_) | Choice::Worst(_) => {
                Err(Fault::new(Code::NeedsOdds, "this player is asked run by run"))
            }
        }
    }
}
