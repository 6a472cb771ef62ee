//! One run of a scenario.

use crate::decide::{Deciders, EVERYONE};
use crate::dice::Asked;
use crate::scenario::Bound;
use crate::view::View;
use crate::{Decider, Diagnostic, Dice, Error, ErrorKind, KeyedRng, Scenario, Trace, Value};
use grognard_base::value::{KindId, pack_thing};
use grognard_play::record::{About, Recorder};
use grognard_play::{Options, Outcome, Verdict, play, record};
use grognard_rules::ruleset::FieldSort;
use grognard_scenario::{Answerer, Scenario as Plain};
use std::fmt;
use std::sync::Arc;

/// A question about one run: its seed, dice and players.
///
/// ```
/// use grognard::{Folder, Scenario};
///
/// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
/// let played = scenario.run().seed(4).play()?;
/// println!("{}", played.trace());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a run does nothing before `play`"]
pub struct Run<'r> {
    scenario: &'r Scenario,
    seed: Option<u64>,
    number: Option<u64>,
    traced: bool,
    dice: Option<&'r mut dyn Dice>,
    deciders: Vec<(String, &'r mut dyn Decider)>,
}

impl<'r> Run<'r> {
    pub(crate) fn new(scenario: &'r Scenario) -> Run<'r> {
        Run { scenario, seed: None, number: None, traced: true, dice: None, deciders: Vec::new() }
    }

    /// Sets the seed of dice that nothing else fixes. The default is the seed of the scenario.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Plays the run with this number of a sample with the seed, from 0. Dice that the scenario fixes only for its one
    /// run are rolled then.
    pub fn number(mut self, number: u64) -> Self {
        self.number = Some(number);
        self
    }

    /// Records no trace, which is faster.
    pub fn untraced(mut self) -> Self {
        self.traced = false;
        self
    }

    /// Sets the dice for every roll that the scenario does not fix.
    pub fn dice(mut self, dice: &'r mut dyn Dice) -> Self {
        self.dice = Some(dice);
        self
    }

    /// Sets who decides for a player, or for all other players with `"*"`. Decisions that the scenario scripts are not
    /// asked.
    pub fn decider(mut self, player: &str, decider: &'r mut dyn Decider) -> Self {
        self.deciders.push((player.to_string(), decider));
        self
    }

    /// Plays the run.
    ///
    /// # Errors
    ///
    /// If a player is not on the table, the run ends in an error of the rules, or a decider or dice stop it. The error
    /// has the trace of the run so far. An expectation that fails is not an error: see [`Played::problems`].
    pub fn play(self) -> Result<Played, Error> {
        let bound = if self.traced { self.scenario.traced()? } else { self.scenario.plain() };
        let named = self.deciders.iter().map(|(name, _)| name).filter(|name| *name != EVERYONE);
        if let Some(error) = named.filter_map(|name| self.scenario.not_a_player(name)).next() {
            return Err(error);
        }
        let twice = |(n, (name, _)): &(usize, &(String, _))| self.deciders[..*n].iter().any(|(other, _)| other == name);
        if let Some((_, (name, _))) = self.deciders.iter().enumerate().find(twice) {
            let message = format!("`{name}` has two deciders");
            return Err(Error::input(message, "call `decider` once for each player"));
        }
        let plan = &bound.scenario.plan;
        let names: Vec<&str> = self.deciders.iter().map(|(name, _)| name.as_str()).collect();
        let asking = if names.is_empty() { None } else { Some(asking(&bound.scenario, &names)) };
        let scenario = asking.as_ref().unwrap_or(&bound.scenario);
        let prompts = |(_, list): &(i64, Vec<Answerer>)| list.contains(&Answerer::Prompt);
        if asking.is_none() && plan.players.iter().any(prompts) {
            let message = "a person answers in this scenario, and the run has no decider";
            return Err(Error::input(message, "call `decider`, or give the player another source by `with_player`"));
        }
        let mut deciders = Deciders { list: self.deciders, error: None };
        let mut dice = self.dice.map(|dice| Asked { dice, error: None });
        let options = Options {
            seed: self.seed,
            run: self.number,
            person: Some(&mut deciders),
            dice: dice.as_mut().map(|dice| dice as _),
        };
        let (outcome, trace) = if self.traced {
            let about = About::of(self.scenario.name(), &bound.scenario, self.seed, self.number);
            let recorder = Recorder::new(&scenario.game, &about, Some(&bound.sources));
            let (outcome, events) = record(scenario, options, recorder);
            (outcome, Trace::of(events))
        } else {
            (play(scenario, options), Trace::default())
        };
        let own = deciders.error.or(dice.and_then(|dice| dice.error));
        Played::of(self.scenario, outcome, trace, own)
    }
}

/// Returns the scenario with players who are asked after their scripts.
pub(crate) fn asking(scenario: &Plain, names: &[&str]) -> Plain {
    let mut scenario = scenario.clone();
    let game = &scenario.game;
    let mut players: Vec<i64> =
        names.iter().filter_map(|name| game.thing(name)).map(|(k, n)| pack_thing(k, n)).collect();
    if names.contains(&EVERYONE) {
        let kinds = game.layout.kinds.iter().enumerate();
        let things = kinds.flat_map(|(kind, layout)| (0..layout.room as i64).map(move |n| (KindId::from(kind), n)));
        players.extend(things.map(|(kind, n)| pack_thing(kind, n)).chain([-1]));
    }
    let own = &mut scenario.plan.players;
    own.retain(|(player, _)| !players.contains(player));
    own.extend(players.into_iter().map(|player| (player, vec![Answerer::Script, Answerer::Prompt])));
    scenario
}

/// A run that was played.
#[derive(Clone)]
pub struct Played(Arc<Ended>);

struct Ended {
    scenario: Scenario,
    outcome: Outcome,
    trace: Trace,
}

impl Played {
    pub(crate) fn of(scenario: &Scenario, outcome: Outcome, trace: Trace, own: Option<Error>) -> Result<Played, Error> {
        let Bound { sources, .. } = scenario.plain();
        let kept = (!trace.events().is_empty()).then(|| trace.clone());
        if let Some(error) = own {
            return Err(error.with_trace(kept));
        }
        let judged = |code| {
            use grognard_base::Code::{Expectation, Unasked, Unthrown};
            matches!(code, Expectation | Unasked | Unthrown)
        };
        let faults: Vec<_> = outcome.problems.iter().filter(|p| p.is_error() && !judged(p.code)).cloned().collect();
        if !faults.is_empty() {
            return Err(Error::found(ErrorKind::Run, &faults, sources).with_trace(kept));
        }
        Ok(Played(Arc::new(Ended { scenario: scenario.clone(), outcome, trace })))
    }

    /// Returns the trace. It is empty if the run was [untraced](Run::untraced).
    pub fn trace(&self) -> &Trace {
        &self.0.trace
    }

    /// Returns the failed expectations, and the answers and dice of the scenario that were not used.
    pub fn problems(&self) -> Vec<Diagnostic> {
        Diagnostic::all(&self.0.outcome.problems, &self.0.scenario.plain().sources)
    }

    /// Returns each expectation of the scenario, and whether it holds. `None` is an expectation about all outcomes, which
    /// one run does not decide.
    pub fn expectations(&self) -> impl Iterator<Item = (&str, Option<bool>)> {
        self.0.outcome.checks.iter().map(|check| {
            let holds = match check.verdict {
                Verdict::Holds => Some(true),
                Verdict::Fails(_) => Some(false),
                Verdict::Unreached | Verdict::Waiting => None,
            };
            (check.text.as_str(), holds)
        })
    }

    /// Returns the measures of the report with their values in this run. A value is `None` if the condition of its
    /// measure does not hold.
    pub fn measures(&self) -> Vec<(&str, Option<Value>)> {
        let Bound { scenario, .. } = self.0.scenario.plain();
        let figures = scenario.plan.report.iter().zip(&self.0.outcome.figures);
        let value = |cells: &Vec<i64>, ty| crate::value::of(&scenario.game, ty, cells);
        figures.map(|(f, cells)| (f.text.as_str(), cells.as_ref().map(|c| value(c, &f.asked.ty)))).collect()
    }

    /// Returns a thing at the end of the run, or `None` if there is no thing with this name. A thing that came into play
    /// during the run is named by its kind and number: `Unit#5`.
    pub fn thing(&self, name: &str) -> Option<Thing<'_>> {
        self.view().all().find(|thing| thing.name() == name)
    }

    /// Returns all things that are in play at the end of the run.
    pub fn things(&self) -> impl Iterator<Item = Thing<'_>> {
        self.view().all().filter(Thing::is_in_play)
    }

    /// Returns a state of the game at the end of the run.
    pub fn state(&self, name: &str) -> Option<Value> {
        self.view().state(name)
    }

    #[cfg(feature = "report")]
    pub(crate) fn scenario(&self) -> &Scenario {
        &self.0.scenario
    }

    fn view(&self) -> View<'_> {
        View { game: &self.0.scenario.plain().scenario.game, state: &self.0.outcome.state }
    }
}

impl fmt::Debug for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Played").field("measures", &self.measures()).finish_non_exhaustive()
    }
}

/// A thing of the table: at the end of a run, or in a [`Game`](crate::Game).
#[derive(Clone, Copy)]
pub struct Thing<'p> {
    pub(crate) view: View<'p>,
    pub(crate) kind: KindId,
    pub(crate) number: i64,
}

impl<'p> Thing<'p> {
    /// Returns the name on the table.
    pub fn name(&self) -> String {
        self.view.game.name(self.kind, self.number)
    }

    /// Returns the name of the kind.
    pub fn kind(&self) -> &'p str {
        &self.view.game.program.schema.kinds[self.kind.at()].name
    }

    /// Returns whether it is in play.
    pub fn is_in_play(&self) -> bool {
        let layout = self.view.game.layout.kinds[self.kind.at()];
        self.view.state.cells.get(layout.alive + self.number as usize) == Some(&1)
    }

    /// Returns the value of a stored field, or `None` if the kind has no such field. For a kind on the board, `at` is the
    /// point, and `facing` is the angle; both are [`Value::None`] for a thing that is off the board.
    /// A group has no point of its own.
    ///
    /// ```
    /// use grognard::{Scenario, Value};
    ///
    /// let played = Scenario::shipped("warstrike/scenarios/orders-under-fire.toml")?.run().untraced().play()?;
    /// let unit = played.things().find(|thing| thing.get("at").is_some()).unwrap();
    /// assert!(matches!(unit.get("at"), Some(Value::Point(_, _))));
    /// # Ok::<(), grognard::Error>(())
    /// ```
    pub fn get(&self, field: &str) -> Option<Value> {
        let stored = self.fields().find(|(name, _)| *name == field).map(|(_, value)| value);
        stored.or_else(|| {
            let View { game, state } = self.view;
            let schema = &game.program.schema.kinds[self.kind.at()];
            if !matches!(field, "at" | "facing") || !schema.on_board {
                return None;
            }
            let body = game.body(state, self.kind, self.number);
            Some(body.map_or(Value::None, |body| match field {
                "at" => Value::Point(body.at.x, body.at.y),
                _ => Value::Angle(body.facing),
            }))
        })
    }

    /// Returns the stored fields with their values: stats, states and links. Fields with keys are omitted.
    pub fn fields(&self) -> impl Iterator<Item = (&'p str, Value)> + use<'p> {
        let View { game, state } = self.view;
        let (kind, number) = (self.kind, self.number);
        let stored = |sort: &FieldSort| matches!(sort, FieldSort::Stat | FieldSort::State | FieldSort::Link);
        let fields = game.program.schema.kinds[kind.at()].fields.iter();
        fields.filter_map(move |id| {
            let field = &game.program.schema.fields[id.at()];
            if !stored(&field.sort) || !field.keys.is_empty() {
                return None;
            }
            let (layout, at) = (game.layout.fields[id.at()], game.layout.field(*id, number, 0));
            Some((field.name.as_str(), crate::value::stored(game, state, &field.ty, layout, at)))
        })
    }
}

impl fmt::Debug for Thing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(self.kind()).field("name", &self.name()).finish_non_exhaustive()
    }
}

impl Scenario {
    /// Creates a random generator with the keyed numbers of this library, for a player or dice that are written in code.
    pub fn rng(&self, seed: u64, run: u64, purpose: &str, of: &str) -> KeyedRng {
        KeyedRng::new(seed, run, purpose, of)
    }
}
