//! Dice and players of a scenario while odds are computed.

use super::{FoundScript, Players};
use crate::Seeded;
use crate::scripted::{DiceScript, recall, remember};
use crate::undecided::Undecided;
use grognard_base::Code;
use grognard_base::value::{IdSet, SiteId};
use grognard_odds::{Choice, Deciders};
use grognard_scenario::{Answerer, Decision, GivenDice, Scenario};
use grognard_vm::{Answer, Asked, DrawAsk, Fault, Form, Game, Throw};

/// The dice and decisions that a scenario gives, and the sources of its players. Human players are not prompted.
pub struct Scripts<'a> {
    scenario: &'a Scenario,
    dice: DiceScript<'a>,
    players: Players<'a>,
    step: Option<usize>,
    /// Answer to the first question, regardless of who decides, and whether it was used.
    first: Option<Answer>,
    answered: bool,
    /// Moves with a freely chosen end point.
    pub free: IdSet<SiteId>,
    /// Number of answers that neither a player nor the rules gave.
    pub undecided: Undecided,
}

impl<'a> Scripts<'a> {
    /// Creates the scripts of a scenario before its first event.
    pub fn new(scenario: &'a Scenario) -> Scripts<'a> {
        Scripts::with(scenario, &[])
    }

    /// Same as [`Scripts::new`], with answers that take precedence over all others.
    pub fn with(scenario: &'a Scenario, instead: &'a [Decision]) -> Scripts<'a> {
        let players = Players { instead, ..Players::new(scenario, Seeded::new(&scenario.game, 0, 0), None) };
        let dice = DiceScript::new(scenario.plan.fixed_dice(), scenario.plan.alone.is_some());
        Scripts {
            scenario,
            dice,
            players,
            step: None,
            first: None,
            answered: false,
            free: IdSet::default(),
            undecided: Undecided::new(),
        }
    }

    /// Creates the scripts of a scenario without the dice that it gives.
    pub fn of_free_dice(scenario: &'a Scenario) -> Scripts<'a> {
        Scripts { dice: DiceScript::new(&[], scenario.plan.alone.is_some()), ..Scripts::new(scenario) }
    }

    /// Returns the dice of a roll that no state rolled as often as dice are given.
    pub fn spare(&self) -> Option<&'a GivenDice> {
        self.dice.spare()
    }

    /// Resumes from a point of a run. `first` answers the pending question, if there is one.
    pub fn go_on(&mut self, memory: &[i64], first: Option<Answer>) {
        self.recall(memory);
        self.first = first;
    }
}

impl Deciders for Scripts<'_> {
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<Choice, Fault> {
        if let Some(first) = self.first.as_ref().filter(|_| !self.answered) {
            self.answered = true;
            // the answer uses up the script entry of a scripted player
            let first = first.clone();
            self.players.pass(asked);
            return Ok(Choice::Answer(first));
        }
        let choice = match self.players.find(asked)? {
            FoundScript::Answer(answer, _) => return Ok(Choice::Answer(answer)),
            FoundScript::Random => Choice::Random,
            // a player who is compared with plain play moves as in plain play
            FoundScript::Extreme { plain: Some(plain), .. } if matches!(asked.form, Form::Move { .. }) => {
                return Ok(Choice::Answer(plain));
            }
            FoundScript::Extreme { best: true, plain } => Choice::Best(plain),
            FoundScript::Extreme { best: false, plain } => Choice::Worst(plain),
            FoundScript::Prompt => {
                let name = &asked.game.program.schema.sites[asked.ask.site.at()].name;
                let message =
                    format!("no player is asked for `{name}` while odds are computed; give its player a policy");
                return Err(Fault::new(Code::Script, message));
            }
        };
        if matches!(asked.form, Form::Move { open: true }) {
            self.free.insert(asked.ask.site);
        }
        Ok(choice)
    }

    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<bool, Fault> {
        self.dice.faces(game, throw, faces)
    }

    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<bool, Fault> {
        let given = self.dice.picks(game, draw)?;
        picks.extend_from_slice(given.as_deref().unwrap_or_default());
        Ok(given.is_some())
    }

    fn undecided(&mut self, site: SiteId) {
        *self.undecided.entry(site).or_default() += 1;
    }

    fn gives_dice(&self) -> bool {
        self.dice.gives()
    }

    fn searches(&self) -> bool {
        let searches = |source: &Answerer| matches!(source, Answerer::Best | Answerer::Worst | Answerer::Random);
        self.scenario.plan.players.iter().any(|(_, sources)| sources.iter().any(searches))
    }

    fn remembers(&self) -> bool {
        let plan = &self.scenario.plan;
        let by_step = plan.steps.iter().flat_map(|step| step.decides.iter().chain(&step.always));
        let mut decisions = self.players.instead.iter().chain(&plan.decides).chain(&plan.always).chain(by_step);
        self.first.is_some() || self.dice.gives() || decisions.next().is_some()
    }

    fn begin_step(&mut self, step: Option<usize>) {
        self.step = step;
        match step.and_then(|n| self.scenario.plan.steps.get(n)) {
            Some(step) => self.players.begin_step(&step.decides, &step.always),
            None => self.players.begin_step(&[], &[]),
        }
    }

    fn memory(&self, memory: &mut Vec<i64>) {
        if self.first.is_some() {
            memory.push(i64::from(self.answered));
        }
        self.players.remember(self.step, &self.dice, memory);
    }

    fn recall(&mut self, memory: &[i64]) {
        let mut from = memory.iter().copied();
        if self.first.is_some() {
            self.answered = from.next() == Some(1);
        }
        let step = from.next().unwrap_or(0);
        self.begin_step(usize::try_from(step - 1).ok());
        let uses = &mut self.players.memory.uses;
        recall(&mut uses.step, &mut from);
        recall(&mut uses.run, &mut from);
        uses.late.clear();
        for _ in 0..from.next().unwrap_or(0) {
            let (Some(site), Some(len)) = (from.next(), from.next()) else { return };
            uses.late.push((SiteId(site as u32), from.by_ref().take(len as usize).collect()));
        }
        uses.times.clear();
        for _ in 0..from.next().unwrap_or(0) {
            let (Some(name), Some(subject), Some(n)) = (from.next(), from.next(), from.next()) else { return };
            uses.times.insert((name as u64, subject), n as u32);
        }
        self.dice.recall(&mut from);
    }
}

impl Players<'_> {
    /// Appends the used script entries to the memory of a state.
    pub(crate) fn remember(&self, step: Option<usize>, dice: &DiceScript<'_>, memory: &mut Vec<i64>) {
        memory.push(step.map_or(0, |n| n as i64 + 1));
        let uses = &self.memory.uses;
        remember(&uses.step, memory);
        remember(&uses.run, memory);
        memory.push(uses.late.len() as i64);
        for (site, cells) in &uses.late {
            memory.extend([i64::from(site.0), cells.len() as i64]);
            memory.extend_from_slice(cells);
        }
        memory.push(uses.times.len() as i64);
        for ((name, subject), n) in &uses.times {
            memory.extend([*name as i64, *subject, i64::from(*n)]);
        }
        dice.remember(memory);
        // trailing zeros are dropped, because missing entries are read as 0
        memory.truncate(memory.iter().rposition(|n| *n != 0).map_or(0, |last| last + 1));
    }
}
