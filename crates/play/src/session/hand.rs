//! Input log of an interactive session: the replies so far, in order, and the pending question. Dice and players of a
//! run consult the log first. A run on the same log reaches the same point.

use crate::players::PersonQuestion;
use crate::scripted::DiceScript;
use grognard_base::Code;
use grognard_base::value::dice::name as hash_name;
use grognard_base::value::*;
use grognard_program::constant;
use grognard_rules::ruleset::SiteSort;
use grognard_scenario::{Given, GivenDice};
use grognard_vm::{Answer, Asked, Die, DrawAsk, Fault, Form, Game, NotOffered, Throw, Thrown};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The reply to one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The seed rolls, or the player's own sources decide.
    Auto,
    /// The player's answer.
    Answer(Answer),
    /// Rolled faces, or the indices of drawn items.
    Fell(Vec<i64>),
}

/// How far a run continues by itself after the last reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ahead {
    /// Whether to continue through rolls and draws.
    pub rolls: bool,
    /// Whether to continue through rolls and draws that the scenario fixes.
    pub fixed: bool,
    /// Number of decisions to continue through.
    pub decisions: u64,
}

impl Ahead {
    /// Continue to the end.
    pub const END: Ahead = Ahead { rolls: true, fixed: true, decisions: u64::MAX };
}

/// A question that a run waits for.
#[derive(Clone, Debug)]
pub enum Pause {
    /// A decision.
    Decision(Box<AwaitedDecision>),
    /// A roll.
    Roll(Roll),
    /// A draw.
    Draw(Draw),
}

/// A pending decision.
#[derive(Clone, Debug)]
pub struct AwaitedDecision {
    /// The question as text.
    pub question: PersonQuestion,
    /// Items that are not offered, each with the reason.
    pub refused: Vec<NotOffered>,
    /// Packed player who decides, or -1.
    pub player: i64,
    /// Why the player's own sources cannot answer, if they were tried; otherwise empty.
    pub unable: String,
}

/// A pending roll.
#[derive(Clone, Debug)]
pub struct Roll {
    /// Name of the roll in scripts: `Shoot.aim`.
    pub name: String,
    /// Name of the subject; can be empty.
    pub of: String,
    /// Number and name of each kind of dice: `5` of `d6`.
    pub dice: Vec<(usize, String)>,
    /// Whether these are rerolls or extra dice from exploding dice.
    pub again: bool,
    site: SiteId,
    subject: i64,
    each: Vec<Die>,
    pool: bool,
    places: Vec<i64>,
    explode: bool,
}

/// A pending draw.
#[derive(Clone, Debug)]
pub struct Draw {
    /// Name of the draw in scripts.
    pub name: String,
    /// Name of the subject; can be empty.
    pub of: String,
    /// Names of the items that can be drawn.
    pub among: Vec<String>,
    /// Number of items to draw.
    pub count: usize,
    site: SiteId,
    subject: i64,
    alike: Vec<usize>,
    weights: Vec<u32>,
}

/// The result of one question, as a script would give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// A decision.
    Decision {
        /// Name of the choice.
        name: String,
        /// Packed subject, or -1.
        of: i64,
        /// Packed player who decided, or -1.
        player: i64,
        /// How many times this choice was asked of that subject so far, counted from 1.
        nth: u32,
        /// The answer, or `None` for the one that the rules prefer.
        pick: Option<PickText>,
        /// Source of the answer: `script` (also for answers by hand), `policy`, and so on.
        source: &'static str,
        /// Whether the human player chose it.
        by_hand: bool,
    },
    /// A roll or a draw.
    Fell {
        /// Name such as `Shoot.aim`; empty if no script can give it.
        name: String,
        /// Packed subject, or -1.
        of: i64,
        /// The faces or the names of the drawn items.
        faces: Vec<String>,
    },
}

/// An answer as a script writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PickText {
    /// As text.
    Words(String),
    /// A point, in thousandths of an inch.
    Point(i64, i64),
}

/// The log of one run, shared by its dice, its players, and the session.
#[derive(Clone, Debug)]
pub struct Hand(Arc<Mutex<Log>>);

/// The replies to the questions of a run, with the results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    /// All replies, including those that the run adds itself.
    pub replies: Vec<Reply>,
    /// The same replies with every random result written out, so that another seed does not change them.
    pub fixed: Vec<Reply>,
    /// The result of each question.
    pub done: Vec<Done>,
    /// The pending question.
    pub pause: Option<Pause>,
    ahead: Ahead,
    /// Packed players whom the human player answers for; `None` for all.
    sides: Option<Vec<i64>>,
    memory: Memory,
}

/// Memory of a log between two questions, besides its lists.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// Number of replies that the run took.
    at: usize,
    /// Whether the human player gave any reply.
    departed: bool,
    /// Number of times asked, by name and subject.
    times: BTreeMap<(u64, i64), u32>,
    /// Whether the next question is the previous move again, as a choice of end points.
    listed: bool,
    /// Faces or indices supplied for the current roll or draw.
    given: Option<Vec<i64>>,
}

/// A point of a log.
#[derive(Clone, Debug)]
pub(crate) struct LogMark {
    fixed: usize,
    done: usize,
    memory: Memory,
}

/// How a decision is answered.
pub(crate) enum Take {
    /// With this answer.
    Answer(Answer),
    /// By the player's own sources.
    Own,
    /// Not yet: the run waits.
    Wait,
}

impl Log {
    /// Creates a log without replies.
    pub(crate) fn new(sides: Option<Vec<i64>>) -> Log {
        Log { sides, ..Log::default() }
    }

    /// Adds a reply to the pending question, if there is one, and sets how far the run continues after it.
    pub(crate) fn go_on(&mut self, reply: Option<Reply>, ahead: Ahead) {
        self.replies.extend(reply);
        (self.pause, self.ahead) = (None, ahead);
    }

    /// Removes the replies that the run did not take.
    pub(crate) fn settle(&mut self) {
        self.replies.truncate(self.memory.at);
    }

    /// Returns the current point of the log, for [`Log::back_to`].
    pub(crate) fn mark(&self) -> LogMark {
        LogMark { fixed: self.fixed.len(), done: self.done.len(), memory: self.memory.clone() }
    }

    /// Goes back to a point. The first `replies` replies are kept for the run to take again.
    pub(crate) fn back_to(&mut self, mark: &LogMark, replies: usize) {
        self.replies.truncate(replies);
        self.fixed.truncate(mark.fixed);
        self.done.truncate(mark.done);
        self.memory = mark.memory.clone();
    }

    /// Takes the next reply, if there is one.
    fn take(&mut self) -> Option<Reply> {
        let reply = self.replies.get(self.memory.at).cloned()?;
        self.memory.departed |= reply != Reply::Auto;
        Some(reply)
    }

    /// Returns how many times a choice was asked of a subject.
    fn times(&mut self, asked: &Asked<'_>) -> &mut u32 {
        let name = hash_name(&asked.game.program.schema.sites[asked.ask.site.at()].name);
        self.memory.times.entry((name, asked.who.subject)).or_default()
    }
}

impl LogMark {
    /// Returns the number of replies that the run took before this point.
    pub(crate) fn replies(&self) -> usize {
        self.memory.at
    }
}

impl Hand {
    /// Creates a log of `replies` that continues after them as far as `ahead` allows.
    pub fn new(replies: Vec<Reply>, ahead: Ahead, sides: Option<Vec<i64>>) -> Hand {
        Hand::of(Log { replies, ahead, sides, ..Log::default() })
    }

    /// Shares a log with a run.
    pub(crate) fn of(log: Log) -> Hand {
        Hand(Arc::new(Mutex::new(log)))
    }

    /// Returns the log after a run.
    pub(crate) fn into_log(self) -> Log {
        std::mem::take(&mut self.log())
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether any reply so far was given by hand.
    pub(crate) fn departed(&self) -> bool {
        self.log().memory.departed
    }

    /// Returns whether the next question is the previous move again, as a choice of end points.
    pub(crate) fn lists(&self) -> bool {
        self.log().memory.listed
    }

    /// Answers a decision from the log, or pauses the run.
    pub(crate) fn decide(&self, asked: &Asked<'_>) -> Take {
        let mut log = self.log();
        // a move whose lines leave no choice is not put to the player
        if log.memory.listed || matches!(asked.form, Form::Move { open: false }) {
            *log.times(asked) += 1;
            return Take::Own;
        }
        let reply = log.take();
        if reply.is_none() {
            let others = log.sides.as_ref().is_some_and(|sides| !sides.contains(&asked.who.player));
            if !others && log.ahead.decisions == 0 {
                drop(log);
                self.pause(asked, String::new());
                return Take::Wait;
            }
            if !others {
                log.ahead.decisions -= 1;
            }
            log.replies.push(Reply::Auto);
        }
        *log.times(asked) += 1;
        log.memory.at += 1;
        let (take, fixed) = match reply {
            Some(Reply::Answer(answer)) => (Take::Answer(answer.clone()), Reply::Answer(answer)),
            _ => (Take::Own, Reply::Auto),
        };
        log.fixed.push(fixed);
        take
    }

    fn pause(&self, asked: &Asked<'_>, unable: String) {
        let (question, refused) = (PersonQuestion::of(asked), asked.refused());
        let decision = AwaitedDecision { question, refused, player: asked.who.player, unable };
        self.log().pause = Some(Pause::Decision(Box::new(decision)));
    }

    /// Pauses after all, because the player's own sources cannot answer the decision left to them. The log returns to the
    /// point before the question.
    pub(crate) fn unable(&self, asked: &Asked<'_>, fault: Fault) {
        let mut log = self.log();
        // a listed move was asked twice
        *log.times(asked) -= if log.memory.listed { 2 } else { 1 };
        log.memory.listed = false;
        log.memory.at = log.memory.at.saturating_sub(1);
        let at = log.memory.at;
        log.replies.truncate(at);
        log.fixed.truncate(at);
        drop(log);
        self.pause(asked, fault.message);
    }

    pub(crate) fn decided(&self, asked: &Asked<'_>, answer: &Answer, source: &'static str, by_hand: bool) {
        let mut log = self.log();
        let listed = std::mem::replace(&mut log.memory.listed, *answer == Answer::List);
        if log.memory.listed {
            return;
        }
        let name = asked.game.program.schema.sites[asked.ask.site.at()].name.clone();
        let nth = *log.times(asked);
        if source == "random" || listed {
            let answer = if listed { end_of(asked, answer).unwrap_or_else(|| answer.clone()) } else { answer.clone() };
            if let Some(last) = log.fixed.last_mut().filter(|last| **last == Reply::Auto) {
                *last = Reply::Answer(answer);
            }
        }
        let pick = pick(asked, answer);
        let (of, player) = (asked.who.subject, asked.who.player);
        log.done.push(Done::Decision { name, of, player, nth, pick, source, by_hand });
    }

    /// Prepares a roll. Returns whether the run must wait for it. `fixed` is whether the scenario fixes it.
    pub(crate) fn rolls(&self, game: &Game, throw: &Throw<'_>, fixed: bool) -> bool {
        // an empty roll has nothing to wait for
        if throw.dice.is_empty() {
            return false;
        }
        self.chance(fixed, || Pause::Roll(Roll::of(game, throw)))
    }

    /// Records a roll, after replacing the faces with the supplied ones.
    pub(crate) fn fell(&self, game: &Game, throw: &Throw<'_>, faces: &mut [i64]) {
        let mut log = self.log();
        if let Some(given) = log.memory.given.take().filter(|given| given.len() == faces.len()) {
            faces.copy_from_slice(&given);
        }
        if !throw.dice.is_empty() {
            log.fixed.push(Reply::Fell(faces.to_vec()));
        }
        let faces = faces.iter().enumerate().map(|(n, face)| match throw.dice.die(n) {
            Die::Sides(_) => face.to_string(),
            Die::Faces(id) => constant(&game.program.schema, &game.program.schema.dice[id.at()].of, *face).to_string(),
        });
        let done = Done::Fell { name: address(game, throw.site), of: throw.subject, faces: faces.collect() };
        log.done.push(done);
    }

    /// Prepares a draw. Returns whether the run must wait for it. `fixed` is whether the scenario fixes it.
    pub(crate) fn draws(&self, game: &Game, draw: &DrawAsk<'_>, fixed: bool) -> bool {
        if draw.site.at() >= game.program.schema.sites.len() {
            return false;
        }
        self.chance(fixed, || Pause::Draw(Draw::of(game, draw)))
    }

    /// Records a draw, after replacing the picks with the supplied ones.
    pub(crate) fn drawn(&self, game: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) {
        // the odds of a stand-in have no name that a script could use
        if draw.site.at() >= game.program.schema.sites.len() {
            return;
        }
        let mut log = self.log();
        if let Some(given) = log.memory.given.take() {
            *picks = given.iter().filter_map(|n| usize::try_from(*n).ok()).collect();
        }
        log.fixed.push(Reply::Fell(picks.iter().map(|n| *n as i64).collect()));
        let faces = picks.iter().filter_map(|n| draw.names.get(*n).cloned()).collect();
        log.done.push(Done::Fell { name: address(game, draw.site), of: draw.subject, faces });
    }

    fn chance(&self, fixed: bool, pause: impl FnOnce() -> Pause) -> bool {
        let mut log = self.log();
        log.memory.given = match log.take() {
            Some(Reply::Fell(faces)) => Some(faces),
            Some(_) => None,
            None if log.ahead.rolls || fixed && log.ahead.fixed => {
                log.replies.push(Reply::Auto);
                None
            }
            None => {
                log.pause = Some(pause());
                return true;
            }
        };
        log.memory.at += 1;
        false
    }
}

/// Returns the name of a roll in scripts, such as `Shoot.aim`, or an empty string if it has none.
fn address(game: &Game, site: SiteId) -> String {
    let schema = &game.program.schema;
    let Some(info) = schema.sites.get(site.at()).filter(|site| site.sort.is_chance()) else { return String::new() };
    let owner = game.program.functions.get(info.func.at()).map_or("", |f| f.name.as_str());
    format!("{owner}.{}", info.name)
}

/// Returns the end point of a move that was picked from a list.
fn end_of(asked: &Asked<'_>, answer: &Answer) -> Option<Answer> {
    let (Form::Choose { candidates, .. }, Answer::Pick(n)) = (&asked.form, answer) else { return None };
    Some(Answer::Point(*candidates.get(2 * n)?, *candidates.get(2 * n + 1)?))
}

/// Returns an answer as a script writes it, or `None` for the one that the rules prefer.
fn pick(asked: &Asked<'_>, answer: &Answer) -> Option<PickText> {
    let site = &asked.game.program.schema.sites[asked.ask.site.at()];
    let words = match (&asked.form, answer) {
        (_, Answer::None) => Some("none".to_string()),
        (_, Answer::Stop) => Some("stop".to_string()),
        (_, Answer::Point(x, y)) => return Some(PickText::Point(*x, *y)),
        (Form::Choose { .. }, Answer::Pick(_)) if site.sort == SiteSort::Move => {
            let Some(Answer::Point(x, y)) = end_of(asked, answer) else { return None };
            return Some(PickText::Point(x, y));
        }
        (Form::Subset { .. }, Answer::Several(picks)) => {
            let each: Option<Vec<String>> = picks.iter().map(|n| asked.entry(*n)).collect();
            each.map(|each| format!("[{}]", each.join(", ")))
        }
        (_, Answer::Pick(n)) => asked.entry(*n),
        _ => None,
    };
    words.map(PickText::Words)
}

impl Roll {
    fn of(game: &Game, throw: &Throw<'_>) -> Roll {
        let each: Vec<Die> = (0..throw.dice.len()).map(|n| throw.dice.die(n)).collect();
        let mut dice: Vec<(usize, String)> = Vec::new();
        for die in &each {
            let name = match die {
                Die::Sides(sides) => format!("d{sides}"),
                Die::Faces(id) => game.program.schema.dice[id.at()].name.clone(),
            };
            match dice.last_mut() {
                Some((n, last)) if *last == name => *n += 1,
                _ => dice.push((1, name)),
            }
        }
        Roll {
            name: address(game, throw.site),
            of: game.packed_name(throw.subject),
            dice,
            again: !throw.again.is_empty(),
            site: throw.site,
            subject: throw.subject,
            each,
            pool: throw.pool,
            places: throw.again.to_vec(),
            explode: throw.explode,
        }
    }

    /// Returns the dice of the roll, one by one.
    pub fn each(&self) -> &[Die] {
        &self.each
    }

    /// Parses faces into a reply. For a sum, a single total is enough.
    ///
    /// # Errors
    ///
    /// Returns a fault if the faces do not fit the roll.
    pub fn given(&self, game: &Game, words: &[String]) -> Result<Reply, Fault> {
        let given = [given(&self.name, self.site, words)];
        let throw = Throw {
            site: self.site,
            subject: self.subject,
            dice: Thrown::Each(&self.each),
            pool: self.pool,
            again: &self.places,
            explode: self.explode,
        };
        let mut faces = Vec::new();
        DiceScript::new(&given, false).faces(game, &throw, &mut faces)?;
        Ok(Reply::Fell(faces))
    }
}

impl Draw {
    fn of(game: &Game, draw: &DrawAsk<'_>) -> Draw {
        Draw {
            name: address(game, draw.site),
            of: game.packed_name(draw.subject),
            among: draw.names.to_vec(),
            count: draw.count,
            site: draw.site,
            subject: draw.subject,
            alike: draw.alike.to_vec(),
            weights: draw.weights.to_vec(),
        }
    }

    /// Returns the weight of each item.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// Parses names into a reply.
    ///
    /// # Errors
    ///
    /// Returns a fault if the names do not fit the draw.
    pub fn given(&self, game: &Game, words: &[String]) -> Result<Reply, Fault> {
        let given = [given(&self.name, self.site, words)];
        let ask = DrawAsk {
            site: self.site,
            subject: self.subject,
            names: &self.among,
            alike: &self.alike,
            weights: &self.weights,
            count: self.count,
        };
        match DiceScript::new(&given, false).picks(game, &ask)? {
            Some(picks) => Ok(Reply::Fell(picks.iter().map(|n| *n as i64).collect())),
            None => Err(Fault::new(Code::Script, "this is not an answer to a draw")),
        }
    }
}

fn given(name: &str, site: SiteId, words: &[String]) -> GivenDice {
    let give = Given::Names(words.to_vec());
    GivenDice { sites: vec![site], name: name.to_string(), of: -1, nth: None, give, span: Default::default() }
}
