//! A run that waits for its decisions.

use crate::scenario::Bound;
use crate::view::View;
use crate::{Choice, Decision, Draw, Error, ErrorKind, Played, Roll, Scenario, Thing, Trace, Value};
use grognard_base::Sources;
use grognard_play::record::About;
use grognard_play::session::{Ahead, Course, Pause, Reply, Start as Settings, playable};
use grognard_scenario::Scenario as Plain;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A run under way, for an event loop, a server or a chat: it waits at each decision, and can be copied and undone.
///
/// An answer continues the run from its question, so all answers of a game cost as much as one run. A copy continues like
/// the original. It shares the trace until one of both continues, so a search that makes many copies takes games
/// [without a trace](Scenario::start_untraced).
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
    traced: bool,
    seed: Option<u64>,
    number: Option<u64>,
    by_hand: bool,
    course: Course,
    /// The answers of the caller, each with the number of replies before it. A run adds its own replies.
    past: Vec<(usize, Answer)>,
    pending: Pending,
    /// The trace so far, once it is requested.
    trace: OnceLock<Trace>,
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

/// An answer to a question of a [`Game`]: see [`Game::answered`].
///
/// With `serde`, it is `{"choice": ..}`, `{"roll": [6, 1]}`, `{"draw": [0]}` or `"auto"`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Answer {
    /// The answer to a decision.
    Choice(Choice),
    /// The faces of a roll.
    Roll(Vec<i64>),
    /// The indices of drawn entries.
    Draw(Vec<usize>),
    /// The answer of the scenario: see [`Game::auto`].
    Auto,
}

impl Game {
    pub(crate) fn new(scenario: &Scenario, traced: bool, by_hand: bool) -> Result<Game, Error> {
        let bound = if traced { scenario.traced()? } else { scenario.plain() };
        let plain = Arc::new(playable(bound.scenario.clone()));
        Game::begin(scenario.clone(), plain, (traced, by_hand), (None, None))
    }

    fn begin(
        scenario: Scenario,
        plain: Arc<Plain>,
        (traced, by_hand): (bool, bool),
        (seed, number): (Option<u64>, Option<u64>),
    ) -> Result<Game, Error> {
        let (own, run) = (seed.unwrap_or(plain.plan.seed), number.unwrap_or(0));
        let start = Settings { about: About::of(scenario.name(), &plain, seed, number), seed: own, run, sides: None };
        let course = Course::new(&plain, sources(&scenario, traced)?, &start, number.is_some());
        // replaced by the first question
        let pending = Pending::Roll(Roll::default());
        let (past, trace) = (Vec::new(), OnceLock::new());
        let mut game = Game { scenario, plain, traced, seed, number, by_hand, course, past, pending, trace };
        game.advance(None)?;
        Ok(game)
    }

    /// Starts again with another seed, without answers.
    ///
    /// # Errors
    ///
    /// If the run ends in an error before its first decision.
    pub fn seed(&self, seed: u64) -> Result<Game, Error> {
        self.again(Some(seed), self.number)
    }

    /// Starts again as the run with this number of a sample with the seed, from 0, without answers. Dice that the scenario
    /// fixes only for its one run are rolled then.
    ///
    /// ```
    /// use grognard::{Choice, Pending, Scenario};
    ///
    /// let scenario = Scenario::shipped("warstrike/scenarios/firefight.toml")?;
    /// let start = scenario.start_untraced()?.seed(4)?;
    /// for number in 0..3 {
    ///     let mut game = start.number(number)?;
    ///     while let Pending::Decision(decision) = game.pending() {
    ///         let least = *decision.take.start();
    ///         let first = if decision.point { Choice::Prefer } else { Choice::Entries((0..least).collect()) };
    ///         game.choose(first)?;
    ///     }
    ///     println!("{:?}", game.things().collect::<Vec<_>>());
    /// }
    /// # Ok::<(), grognard::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the run ends in an error before its first decision.
    pub fn number(&self, number: u64) -> Result<Game, Error> {
        self.again(self.seed, Some(number))
    }

    fn again(&self, seed: Option<u64>, number: Option<u64>) -> Result<Game, Error> {
        Game::begin(self.scenario.clone(), self.plain.clone(), (self.traced, self.by_hand), (seed, number))
    }

    /// Sets whether the game also waits before each roll and draw that the scenario does not fix. The default is `false`. A
    /// game without answers starts again, so that it waits before its first roll too. [`Scenario::start_held`] starts a
    /// game that waits from the beginning, also if the dice of the seed end in an error.
    ///
    /// # Errors
    ///
    /// If the run ends in an error.
    pub fn hold_rolls(mut self, hold: bool) -> Result<Game, Error> {
        self.by_hand = hold;
        if self.past.is_empty() {
            self.back_to(0)?;
            self.update()?;
        } else {
            self.advance(None)?;
        }
        Ok(self)
    }

    /// Returns what the game waits for.
    pub fn pending(&self) -> &Pending {
        &self.pending
    }

    /// Returns the trace so far. It is empty if the game has [no trace](Scenario::start_untraced).
    pub fn trace(&self) -> &Trace {
        self.trace.get_or_init(|| Trace::of(self.course.events().to_vec()))
    }

    /// Evaluates an expression on the table as it is, such as `red.men` or `count u in Unit`. An expression of the
    /// [report](Scenario::measuring) is known; any other is first compiled, which takes longer. The value is
    /// [`Value::None`] if a `given` condition does not hold.
    ///
    /// ```
    /// use grognard::{Folder, Scenario};
    ///
    /// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
    /// let mut game = scenario.start()?.hold_rolls(true)?;
    /// assert_eq!(game.value("raiders.men")?.as_int(), Some(6));
    /// game.roll(&[6; 10])?; // all hit
    /// game.roll(&[1; 10])?; // and none is saved
    /// assert_eq!(game.value("raiders.men == 0")?.to_string(), "yes");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the expression does not fit the table, or its evaluation ends in an error.
    pub fn value(&self, expression: &str) -> Result<Value, Error> {
        let known = self.plain.plan.report.iter().position(|figure| figure.text == expression);
        if let Some(n) = known {
            return self.figure(&self.plain, n);
        }
        let scenario = self.scenario.measuring([expression])?;
        self.figure(&scenario.plain().scenario, 0)
    }

    /// Returns a thing of the table as it is, or `None` if there is no thing with this name. A thing that came into play
    /// during the run is named by its kind and number: `Unit#5`.
    ///
    /// ```
    /// use grognard::{Folder, Scenario};
    ///
    /// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
    /// let game = scenario.start()?.hold_rolls(true)?;
    /// assert_eq!(game.thing("raiders").unwrap().get("men").unwrap().as_int(), Some(6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn thing(&self, name: &str) -> Option<Thing<'_>> {
        self.view().all().find(|thing| thing.name() == name)
    }

    /// Returns all things that are in play.
    ///
    /// ```
    /// use grognard::{Folder, Scenario};
    ///
    /// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
    /// let game = scenario.start()?.hold_rolls(true)?;
    /// for thing in game.things() {
    ///     let fields: Vec<String> = thing.fields().map(|(name, value)| format!("{name} = {value}")).collect();
    ///     println!("{} {}: {}", thing.kind(), thing.name(), fields.join(", "));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn things(&self) -> impl Iterator<Item = Thing<'_>> {
        self.view().all().filter(Thing::is_in_play)
    }

    /// Returns a state of the game as it is.
    ///
    /// ```
    /// use grognard::Scenario;
    ///
    /// let game = Scenario::shipped("recoil/scenarios/skirmish-to-the-end.toml")?.start_untraced()?;
    /// assert_eq!(game.state("turn").unwrap().as_int(), Some(1));
    /// # Ok::<(), grognard::Error>(())
    /// ```
    pub fn state(&self, name: &str) -> Option<Value> {
        self.view().state(name)
    }

    fn view(&self) -> View<'_> {
        let game = &self.plain.game;
        View { game, state: self.course.state().unwrap_or(&game.start) }
    }

    /// Returns the number of answers so far.
    pub fn answers(&self) -> usize {
        self.past.len()
    }

    /// Returns the answers so far, in order. [`Game::answer`] gives them to a game with the same start, which then is in the
    /// same state: this is how a game is saved.
    ///
    /// ```
    /// use grognard::{Folder, Game, Scenario};
    ///
    /// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
    /// let mut game = scenario.start_held()?;
    /// game.roll(&[6; 10])?;
    /// let saved = game.answered().cloned().collect::<Vec<_>>(); // with `serde`, `[{"roll":[6,6,6,6,6,6,6,6,6,6]}]`
    ///
    /// let mut again = scenario.start_held()?;
    /// for answer in saved {
    ///     again.answer(answer)?;
    /// }
    /// assert_eq!(again.trace(), game.trace());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answered(&self) -> impl Iterator<Item = &Answer> {
        self.past.iter().map(|(_, answer)| answer)
    }

    /// Gives an answer of any kind: the same as [`choose`](Game::choose), [`roll`](Game::roll), [`draw`](Game::draw) or
    /// [`auto`](Game::auto).
    ///
    /// # Errors
    ///
    /// If the answer does not fit the pending question. The game is unchanged then. It is also an error if the run ends in
    /// one.
    pub fn answer(&mut self, answer: Answer) -> Result<&Pending, Error> {
        match answer {
            Answer::Choice(choice) => self.choose(choice),
            Answer::Roll(faces) => self.roll(&faces),
            Answer::Draw(picks) => self.draw(&picks),
            Answer::Auto => self.auto(),
        }
    }

    /// Answers the pending decision, and plays on to the next one.
    ///
    /// # Errors
    ///
    /// If no decision is pending, or the rules refuse the answer. The game is unchanged then. It is also an error if the
    /// run ends in one.
    pub fn choose(&mut self, choice: Choice) -> Result<&Pending, Error> {
        let Pending::Decision(decision) = &self.pending else { return Err(self.not_pending("a decision")) };
        let reply = decision.reply(choice.clone())?;
        let answer = decision.question().answer(reply);
        let Some(answer) = answer else { return Err(self.not_pending("a decision")) };
        self.say(Reply::Answer(answer), Answer::Choice(choice))
    }

    /// Answers the pending roll with its faces.
    ///
    /// # Errors
    ///
    /// If no roll is pending, or the dice cannot show these faces. The game is unchanged then.
    pub fn roll(&mut self, faces: &[i64]) -> Result<&Pending, Error> {
        let Pending::Roll(roll) = &self.pending else { return Err(self.not_pending("a roll")) };
        roll.checked(faces)?;
        self.say(Reply::Fell(faces.to_vec()), Answer::Roll(faces.to_vec()))
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
        self.say(Reply::Fell(picks.iter().map(|pick| *pick as i64).collect()), Answer::Draw(picks.to_vec()))
    }

    /// Leaves the pending question to the scenario: a player's own source decides, and the seed rolls.
    ///
    /// # Errors
    ///
    /// If the run is over, or ends in an error.
    pub fn auto(&mut self) -> Result<&Pending, Error> {
        match &self.pending {
            Pending::Over(_) => Err(self.not_pending("a question")),
            _ => self.say(Reply::Auto, Answer::Auto),
        }
    }

    /// Takes the last answer back. Returns `false` if the game has no answer.
    ///
    /// # Errors
    ///
    /// If the run ends in an error.
    pub fn undo(&mut self) -> Result<bool, Error> {
        let Some((before, _)) = self.past.pop() else { return Ok(false) };
        self.back_to(before)?;
        self.update()?;
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

    fn say(&mut self, reply: Reply, answer: Answer) -> Result<&Pending, Error> {
        let before = self.course.replies().len();
        if let Err(error) = self.advance(Some(reply)) {
            self.back_to(before)?;
            return Err(error);
        }
        self.past.push((before, answer));
        Ok(&self.pending)
    }

    /// Plays on to the next question. An error leaves the pending question unchanged.
    fn advance(&mut self, reply: Option<Reply>) -> Result<(), Error> {
        self.course.advance(&self.plain, sources(&self.scenario, self.traced)?, reply, self.ahead());
        self.update()
    }

    fn back_to(&mut self, replies: usize) -> Result<(), Error> {
        self.course.back_to(&self.plain, sources(&self.scenario, self.traced)?, replies, self.ahead());
        self.trace = OnceLock::new();
        Ok(())
    }

    /// Returns how far the run continues after an answer.
    fn ahead(&self) -> Ahead {
        Ahead { rolls: !self.by_hand, fixed: true, decisions: 0 }
    }

    /// Sets the pending question to the one of the course.
    fn update(&mut self) -> Result<(), Error> {
        self.trace = OnceLock::new();
        self.pending = match (self.course.pause(), self.course.outcome()) {
            (Some(Pause::Decision(decision)), _) => Pending::Decision(Decision::of(decision.question.clone())),
            (Some(Pause::Roll(roll)), _) => Pending::Roll(Roll::of_pause(&self.plain.game, roll)),
            (Some(Pause::Draw(draw)), _) => Pending::Draw(Draw::of_pause(draw)),
            (None, Some(outcome)) => {
                Pending::Over(Played::of(&self.scenario, outcome.clone(), self.trace().clone(), None)?)
            }
            (None, None) => return Err(Error::stopped("the run has no next step")),
        };
        Ok(())
    }

    fn figure(&self, plain: &Plain, n: usize) -> Result<Value, Error> {
        let cells = self.course.figure(plain, n);
        let Bound { sources, .. } = self.scenario.plain();
        let cells = cells.map_err(|fault| Error::found(ErrorKind::Run, &[fault.diagnostic()], sources))?;
        let ty = &plain.plan.report[n].asked.ty;
        Ok(cells.map_or(Value::None, |cells| crate::value::of(&plain.game, ty, &cells)))
    }
}

/// Returns the texts that a trace refers to.
fn sources(scenario: &Scenario, traced: bool) -> Result<Option<&Sources>, Error> {
    Ok(if traced { Some(&scenario.traced()?.sources) } else { None })
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game").field("pending", &self.pending).finish_non_exhaustive()
    }
}
