//! A run that waits for its decisions.

use crate::run::about;
use crate::scenario::Bound;
use crate::{Choice, Decision, Draw, Error, Played, Roll, Scenario, Trace};
use grognard_play::session::{Pause, Reply, Session, Start, playable};
use grognard_scenario::Scenario as Plain;
use std::fmt;
use std::sync::Arc;

/// A run under way, for an event loop, a server or a chat: it waits at each decision, and can be copied and undone.
///
/// A game is its list of answers. Each answer replays the list on the same machine, so a copy is cheap, and a long game
/// takes longer for each answer.
///
/// ```
/// use grognard::{Choice, Pending, Scenario};
///
/// let scenario = Scenario::shipped("warstrike/scenarios/orders-under-fire.toml")?;
/// let mut game = scenario.start()?;
/// while let Pending::Decision(_) = game.pending() {
///     game.choose(Choice::Prefer)?;
/// }
/// let Pending::Over(played) = game.pending() else { unreachable!() };
/// println!("{}", played.trace());
/// # Ok::<(), grognard::Error>(())
/// ```
#[derive(Clone)]
pub struct Game {
    scenario: Scenario,
    /// The scenario without players at a terminal.
    plain: Arc<Plain>,
    start: Start,
    by_hand: bool,
    replies: Vec<Reply>,
    /// The number of replies before each answer of the caller. A run adds its own replies.
    past: Vec<usize>,
    pending: Pending,
    trace: Trace,
}

/// The question for which a [`Game`] waits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Pending {
    /// A decision. [`Game::choose`] answers it.
    Decision(Decision),
    /// A roll, if the game [waits for rolls](Game::hold_rolls). [`Game::roll`] answers it.
    Roll(Roll),
    /// A draw, if the game [waits for rolls](Game::hold_rolls). [`Game::draw`] answers it.
    Draw(Draw),
    /// Nothing: the run is over.
    Over(Played),
}

impl Game {
    pub(crate) fn new(scenario: &Scenario, seed: Option<u64>) -> Result<Game, Error> {
        let bound = scenario.traced()?;
        let seed = seed.unwrap_or(bound.scenario.plan.seed);
        let plain = Arc::new(playable(bound.scenario.clone()));
        let about = about(scenario.name(), &plain, Some(seed), None);
        let start = Start { about, seed, run: 0, sides: None };
        let (replies, past, trace) = (Vec::new(), Vec::new(), Trace::default());
        // replaced by the first replay
        let pending = Pending::Roll(Roll::default());
        let mut game = Game { scenario: scenario.clone(), plain, start, by_hand: false, replies, past, pending, trace };
        game.replay()?;
        Ok(game)
    }

    /// Starts again with another seed, without answers.
    ///
    /// # Errors
    ///
    /// If the run ends in an error before its first decision.
    pub fn seed(&self, seed: u64) -> Result<Game, Error> {
        let game = Game::new(&self.scenario, Some(seed))?;
        if self.by_hand { game.hold_rolls(true) } else { Ok(game) }
    }

    /// Sets whether the game also waits before each roll and draw. The default is `false`.
    ///
    /// # Errors
    ///
    /// If the run ends in an error.
    pub fn hold_rolls(mut self, hold: bool) -> Result<Game, Error> {
        self.by_hand = hold;
        self.replay()?;
        Ok(self)
    }

    /// Returns what the game waits for.
    pub fn pending(&self) -> &Pending {
        &self.pending
    }

    /// Returns the trace so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Returns the number of answers so far.
    pub fn answers(&self) -> usize {
        self.past.len()
    }

    /// Answers the pending decision, and plays on to the next one.
    ///
    /// # Errors
    ///
    /// If no decision is pending, or the rules refuse the answer. The game is unchanged then. It is also an error if the
    /// run ends in one.
    pub fn choose(&mut self, choice: Choice) -> Result<&Pending, Error> {
        let Pending::Decision(decision) = &self.pending else { return Err(self.not_pending("a decision")) };
        let reply = decision.reply(choice)?;
        let answer = decision.question().answer(reply);
        let Some(answer) = answer else { return Err(self.not_pending("a decision")) };
        self.say(Reply::Answer(answer))
    }

    /// Answers the pending roll with its faces.
    ///
    /// # Errors
    ///
    /// If no roll is pending, or the dice cannot show these faces. The game is unchanged then.
    pub fn roll(&mut self, faces: &[i64]) -> Result<&Pending, Error> {
        let Pending::Roll(roll) = &self.pending else { return Err(self.not_pending("a roll")) };
        roll.checked(faces)?;
        self.say(Reply::Fell(faces.to_vec()))
    }

    /// Answers the pending draw with the indices of its entries.
    ///
    /// # Errors
    ///
    /// If no draw is pending, or the entries cannot be drawn. The game is unchanged then.
    pub fn draw(&mut self, picks: &[usize]) -> Result<&Pending, Error> {
        let Pending::Draw(draw) = &self.pending else { return Err(self.not_pending("a draw")) };
        let mut each = picks.to_vec();
        each.sort_unstable();
        each.dedup();
        let fits = |pick: &usize| draw.weights.get(*pick).is_some_and(|weight| *weight > 0);
        if picks.len() != draw.count || each.len() != picks.len() || !picks.iter().all(fits) {
            let message = format!("the draw `{}` takes {} of {} entries", draw.name, draw.count, draw.among.len());
            return Err(Error::input(message, "give the index of each drawn entry once"));
        }
        self.say(Reply::Fell(picks.iter().map(|pick| *pick as i64).collect()))
    }

    /// Leaves the pending question to the scenario: a player's own source decides, and the seed rolls.
    ///
    /// # Errors
    ///
    /// If the run is over, or ends in an error.
    pub fn auto(&mut self) -> Result<&Pending, Error> {
        match &self.pending {
            Pending::Over(_) => Err(self.not_pending("a question")),
            _ => self.say(Reply::Auto),
        }
    }

    /// Takes the last answer back. Returns `false` if the game has no answer.
    ///
    /// # Errors
    ///
    /// If the run ends in an error.
    pub fn undo(&mut self) -> Result<bool, Error> {
        let Some(before) = self.past.pop() else { return Ok(false) };
        self.replies.truncate(before);
        self.replay()?;
        Ok(true)
    }

    fn not_pending(&self, what: &str) -> Error {
        let message = match &self.pending {
            Pending::Over(_) => "the run is over".to_string(),
            Pending::Decision(decision) => {
                format!("the game waits for the decision `{}`, not for {what}", decision.name)
            }
            Pending::Roll(roll) => format!("the game waits for the roll `{}`, not for {what}", roll.name),
            Pending::Draw(draw) => format!("the game waits for the draw `{}`, not for {what}", draw.name),
        };
        Error::input(message, "look at `pending` first")
    }

    fn say(&mut self, reply: Reply) -> Result<&Pending, Error> {
        let before = self.replies.len();
        self.replies.push(reply);
        if let Err(error) = self.replay() {
            self.replies.truncate(before);
            return Err(error);
        }
        self.past.push(before);
        Ok(&self.pending)
    }

    /// Plays the run again with the answers so far. An error leaves the game unchanged.
    fn replay(&mut self) -> Result<(), Error> {
        let Bound { sources, .. } = self.scenario.traced()?;
        let session = Session::resumed(&self.plain, sources, self.start.clone(), self.replies.clone(), self.by_hand);
        let trace = Trace::of(session.events().to_vec());
        let pending = match (session.pause(), session.outcome()) {
            (Some(Pause::Decision(decision)), _) => Pending::Decision(Decision::of(decision.question.clone())),
            (Some(Pause::Roll(roll)), _) => Pending::Roll(Roll::of_pause(&self.plain.game, roll)),
            (Some(Pause::Draw(draw)), _) => Pending::Draw(Draw::of_pause(draw)),
            (None, Some(outcome)) => Pending::Over(Played::of(&self.scenario, outcome.clone(), trace.clone(), None)?),
            (None, None) => return Err(Error::stopped("the run has no next step")),
        };
        (self.replies, self.pending, self.trace) = (session.replies().to_vec(), pending, trace);
        Ok(())
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game").field("pending", &self.pending).finish_non_exhaustive()
    }
}
