//! Decisions of players: each player has a list of sources, tried in order.

mod by_hand;
mod by_step;
mod odds;
mod person;
mod policy;
mod script;

pub use odds::Scripts;
pub use person::{EntrySort, Person, PersonQuestion, PersonReply, Terminal};

use super::Seeded;
use super::offers::OfferSlot;
use super::session::Hand;
use super::stepped::Stepper;
use super::undecided::Undecided;
use grognard_base::Code;
use grognard_base::value::dice::name as hash_name;
use grognard_base::value::*;
use grognard_board::motion::Path;
use grognard_scenario::{Answerer, Decision, Pick, Scenario};
use grognard_vm::{Answer, Asked, Decide, Fault, Form, Menu, Subsets};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Maximum number of subsets that are enumerated for an answer.
pub(super) const MOST_SUBSETS: u64 = 4096;

/// Decision sources of all players of a scenario.
pub struct Players<'a> {
    scenario: &'a Scenario,
    /// Answers that apply every time and take precedence over all others.
    instead: &'a [Decision],
    /// Decisions of the current step.
    step: &'a [Decision],
    step_always: &'a [Decision],
    /// Changes during the run.
    pub(super) memory: PlayersMemory,
    person: Option<&'a mut dyn Person>,
    /// Receives the menu after the last scripted action, at which the run waits.
    slot: Option<OfferSlot>,
    /// The log of an interactive session.
    pub(super) hand: Option<Hand>,
    /// The decisions of a run that waits for each of them.
    pub(super) stepper: Option<Stepper>,
    /// Used script entries before the question of an interactive session, which can be asked again.
    before: Uses,
}

/// Memory of the players between two questions.
#[derive(Clone)]
pub(super) struct PlayersMemory {
    pub uses: Uses,
    /// Shared by copies until a player chooses at random.
    chance: Arc<Seeded>,
    /// Seed and run with which the random source starts on first use.
    begins: Option<(u64, u64)>,
    /// Whether the human player's input ended before the run did.
    pub gone: bool,
    /// Number of answers that neither a player nor the rules gave, in all runs.
    pub undecided: Undecided,
}

/// Script entries that the questions so far used.
#[derive(Clone, Default)]
pub(super) struct Uses {
    /// Whether each decision of the step, and each decision of the whole run, was used.
    step: Vec<bool>,
    run: Vec<bool>,
    /// Late choices that a scripted action gave in its call.
    late: Vec<(SiteId, Vec<i64>)>,
    /// Number of times asked, by name and subject, for answers to the `n`th time; kept only where it matters.
    times: BTreeMap<(u64, i64), u32>,
    /// Number of times asked of players who use the script and of others, by name and subject; kept only if there is a
    /// script.
    asked: BTreeMap<(u64, i64), [u32; 2]>,
}

/// How many times a scripted decision was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimesAsked {
    /// Of players with a script.
    pub asked: u32,
    /// Of players with a script, for another subject.
    pub of_others: u32,
    /// Of players who do not use the script.
    pub elsewhere: u32,
}

impl<'a> Players<'a> {
    /// Creates the players of a scenario; `chance` answers for random players.
    pub fn new(scenario: &'a Scenario, chance: Seeded, person: Option<&'a mut dyn Person>) -> Players<'a> {
        let uses = Uses { run: vec![false; scenario.plan.decides.len()], ..Uses::default() };
        let chance = Arc::new(chance);
        let memory = PlayersMemory { uses, chance, begins: None, gone: false, undecided: Undecided::new() };
        Players::resumed(scenario, memory, person)
    }

    /// Creates the players of a run that continues.
    pub(super) fn resumed(
        scenario: &'a Scenario,
        memory: PlayersMemory,
        person: Option<&'a mut dyn Person>,
    ) -> Players<'a> {
        Players {
            scenario,
            instead: &[],
            step: &[],
            step_always: &[],
            memory,
            person,
            slot: None,
            hand: None,
            stepper: None,
            before: Uses::default(),
        }
    }

    /// Resets the players for another run.
    pub fn start(&mut self, seed: u64, run: u64) {
        let PlayersMemory { uses, begins, .. } = &mut self.memory;
        *begins = Some((seed, run));
        uses.run.fill(false);
        uses.late.clear();
        uses.times.clear();
        uses.asked.clear();
    }

    /// Begins a step with its own decisions.
    pub fn begin_step(&mut self, decides: &'a [Decision], always: &'a [Decision]) {
        self.resume_step(decides, always);
        self.memory.uses.step.clear();
        self.memory.uses.step.resize(decides.len(), false);
    }

    /// Continues a step, whose decisions can be used already.
    pub(super) fn resume_step(&mut self, decides: &'a [Decision], always: &'a [Decision]) {
        (self.step, self.step_always) = (decides, always);
    }

    /// Returns the decisions of the step that were never asked for.
    pub fn left_of_step(&self) -> impl Iterator<Item = &'a Decision> + '_ {
        self.step.iter().zip(&self.memory.uses.step).filter(|(_, used)| !**used).map(|(d, _)| d)
    }

    /// Returns how many times a decision was asked, split by subject and by whether the player uses the script.
    pub fn times_asked(&self, decision: &Decision) -> TimesAsked {
        let name = hash_name(&decision.name);
        let mut times = TimesAsked::default();
        for ((_, subject), [script, others]) in self.memory.uses.asked.range((name, i64::MIN)..=(name, i64::MAX)) {
            let fits = decision.of == -1 || decision.of == *subject;
            *(if fits { &mut times.asked } else { &mut times.of_others }) += script;
            times.elsewhere += if fits { *others } else { 0 };
        }
        times
    }

    fn note(&mut self, asked: &Asked<'_>) {
        if self.step.is_empty() && self.scenario.plan.decides.is_empty() {
            return;
        }
        let name = hash_name(&asked.game.program.schema.sites[asked.ask.site.at()].name);
        let scripted = self.sources(asked.who.player).contains(&Answerer::Script);
        self.memory.uses.asked.entry((name, asked.who.subject)).or_default()[usize::from(!scripted)] += 1;
    }

    /// Returns whether each decision of the run was asked for.
    pub fn was_asked(&self) -> &[bool] {
        &self.memory.uses.run
    }

    /// Returns the decisions of the run that were never asked for.
    pub fn left(&self) -> impl Iterator<Item = &'a Decision> + '_ {
        self.scenario.plan.decides.iter().zip(&self.memory.uses.run).filter(|(_, used)| !**used).map(|(d, _)| d)
    }

    fn sources(&self, player: i64) -> &'a [Answerer] {
        let players = &self.scenario.plan.players;
        let others: &[Answerer] = match self.scenario.plan.alone {
            Some(_) => &[Answerer::Script, Answerer::Prefer],
            None => &[Answerer::Prefer],
        };
        players.iter().find(|(who, _)| *who == player).map_or(others, |(_, list)| list.as_slice())
    }

    /// Waits at the first menu after the last scripted action, and stores it in `slot`.
    pub(super) fn wait_at_menu(&mut self, slot: OfferSlot) {
        self.slot = Some(slot);
        self.arm();
    }

    fn arm(&self) {
        let picks = |d: &Decision| d.answers.iter().flatten().any(|(_, pick)| matches!(pick, Pick::Action(..)));
        if let Some(slot) = self.slot.as_ref().filter(|_| !self.left().any(picks)) {
            slot.arm();
        }
    }

    /// Returns a random answer; every entry has the same probability.
    fn random(&mut self, asked: &Asked<'_>) -> Result<Answer, Fault> {
        let PlayersMemory { chance, begins, .. } = &mut self.memory;
        let chance = Arc::make_mut(chance);
        if let Some((seed, run)) = begins.take() {
            chance.start(seed, run);
        }
        let site = asked.ask.site;
        let subject = asked.who.subject;
        let game = asked.game;
        Ok(match &asked.form {
            Form::Choose { candidates, width, or_none } => {
                let count = candidates.len() / (*width).max(1) + usize::from(*or_none);
                let n = chance.below(game, site, subject, count);
                match (n, or_none) {
                    (0, true) => Answer::None,
                    (n, true) => Answer::Pick(n - 1),
                    (n, false) => Answer::Pick(n),
                }
            }
            Form::Next { candidates, width } => {
                Answer::Pick(chance.below(game, site, subject, candidates.len() / (*width).max(1)))
            }
            Form::Option { places } => Answer::Pick(chance.below(game, site, subject, places.len())),
            // entry 0 is yes
            Form::May => Answer::Pick(1 - chance.below(game, site, subject, 2)),
            Form::Menu { menu, or_stop } => {
                let n = chance.below(game, site, subject, menu.offered.len() + usize::from(*or_stop));
                if n < menu.offered.len() { Answer::Pick(n) } else { Answer::Stop }
            }
            Form::Subset { candidates, width, least, most } => {
                let bags = Subsets::of(candidates, *width, *least, *most);
                let total = bags.count(MOST_SUBSETS);
                if total > MOST_SUBSETS {
                    let name = &game.program.schema.sites[site.at()].name;
                    let message = format!(
                        "`{name}` has more answers than the {MOST_SUBSETS} that a random player counts through"
                    );
                    return Err(Fault::new(Code::EmptyMenu, message));
                }
                Answer::Several(bags.nth(chance.below(game, site, subject, total as usize) as u64))
            }
            Form::Move { .. } => Answer::List,
        })
    }
}

/// Returns the first entry of a menu.
fn first(form: &Form<'_>) -> Answer {
    match form {
        Form::Choose { or_none: true, .. } => Answer::None,
        Form::Subset { least, .. } => Answer::Several((0..*least).collect()),
        Form::Menu { menu, .. } if menu.offered.is_empty() => Answer::Stop,
        Form::May => Answer::Pick(1),
        Form::Move { .. } => Answer::Prefer,
        _ => Answer::Pick(0),
    }
}

/// Returns the answer of a source that needs neither chance nor a person.
fn plain(source: &Answerer, asked: &mut Asked<'_>) -> Result<Option<Answer>, Fault> {
    Ok(match source {
        Answerer::Policy(id) => Some(policy::answer(*id, asked)?.unwrap_or(Answer::Prefer)),
        Answerer::Prefer => Some(Answer::Prefer),
        Answerer::First => Some(first(&asked.form)),
        Answerer::Script | Answerer::Random | Answerer::Prompt | Answerer::Best | Answerer::Worst => None,
    })
}

/// The result of a player's sources.
enum FoundScript {
    /// An answer and its source.
    Answer(Answer, &'static str),
    /// A random answer is needed.
    Random,
    /// The human player must be prompted.
    Prompt,
    /// The best or worst answer must be computed. `plain` is the answer of the sources after it.
    Extreme { best: bool, plain: Option<Answer> },
}

impl Players<'_> {
    /// Tries the sources of a player in order.
    fn find(&mut self, asked: &mut Asked<'_>) -> Result<FoundScript, Fault> {
        if let Some(answer) = self.given_late(asked)? {
            return Ok(FoundScript::Answer(answer, "script"));
        }
        if let (Some(slot), Form::Menu { menu, .. }) = (self.slot.as_ref().filter(|slot| slot.armed()), &asked.form) {
            let offered = menu.offered.iter().map(|i| asked.game.instance(asked.state, i)).collect();
            slot.put(offered, asked.game.tell_refused(asked.state, menu));
            return Ok(FoundScript::Answer(Answer::Wait, ""));
        }
        let sources = self.sources(asked.who.player);
        for (n, source) in sources.iter().enumerate() {
            match source {
                Answerer::Script => {
                    if let Some(answer) = self.script(asked)? {
                        return Ok(FoundScript::Answer(answer, "script"));
                    }
                }
                // a move whose lines leave no choice is not put to the player
                _ if matches!(asked.form, Form::Move { open: false }) => {}
                Answerer::Policy(id) => {
                    let answer = policy::answer(*id, asked)?;
                    return Ok(answer
                        .map_or(FoundScript::Answer(Answer::Prefer, "prefer"), |a| FoundScript::Answer(a, "policy")));
                }
                Answerer::Prefer => return Ok(FoundScript::Answer(Answer::Prefer, "prefer")),
                Answerer::First => return Ok(FoundScript::Answer(first(&asked.form), "first")),
                Answerer::Random => return Ok(FoundScript::Random),
                Answerer::Prompt => return Ok(FoundScript::Prompt),
                Answerer::Best | Answerer::Worst => {
                    let plain = sources.get(n + 1).map_or(Ok(None), |next| plain(next, asked))?;
                    return Ok(FoundScript::Extreme { best: matches!(source, Answerer::Best), plain });
                }
            }
        }
        if matches!(asked.form, Form::Move { .. } | Form::Next { .. }) {
            return Ok(FoundScript::Answer(Answer::Prefer, "prefer"));
        }
        Err(script::unanswered(asked))
    }
}

impl Decide for Players<'_> {
    fn undecided(&mut self, site: SiteId) {
        *self.memory.undecided.entry(site).or_default() += 1;
    }

    fn known(&self) -> Option<Rc<[Path]>> {
        self.stepper.as_ref().and_then(Stepper::known)
    }

    fn found(&mut self, ends: &Rc<[Path]>) {
        if let Some(stepper) = &mut self.stepper {
            stepper.found(Some(ends));
        }
    }

    fn known_menu(&mut self) -> Option<Menu> {
        self.stepper.as_mut().and_then(Stepper::known_menu)
    }

    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        if let Some(hand) = self.hand.clone() {
            return self.by_hand(&hand, asked);
        }
        if self.stepper.is_some() {
            return self.by_step(asked);
        }
        self.note(asked);
        match self.find(asked)? {
            FoundScript::Answer(answer, source) => Ok((answer, source)),
            FoundScript::Random => Ok((self.random(asked)?, "random")),
            FoundScript::Prompt => self.prompt(asked).map(|a| (a, "prompt")),
            FoundScript::Extreme { .. } => {
                Err(Fault::new(Code::NeedsOdds, "a player who plays for `best` or `worst` needs exact odds"))
            }
        }
    }
}
