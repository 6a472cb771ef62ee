//! Input log of an interactive session: what was answered so far, in order, and the question that waits. Dice and players of
//! a run look here first; a run that is played again on the same log comes to the same place.

use crate::players::PersonQuestion;
use crate::scripted::DiceScript;
use grognard_base::Code;
use grognard_base::value::*;
use grognard_program::constant;
use grognard_rules::ruleset::SiteSort;
use grognard_scenario::{Given, GivenDice};
use grognard_vm::{Answer, Asked, Die, DrawAsk, Fault, Form, Game, NotOffered, Throw, Thrown};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What was said to one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The seed throws, or the player's own sources decide.
    Auto,
    /// This was decided.
    Answer(Answer),
    /// These faces fell, or these places were drawn.
    Fell(Vec<i64>),
}

/// How far a run goes on by itself behind the last reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ahead {
    /// Through rolls and draws.
    pub rolls: bool,
    /// Through so many decisions.
    pub decisions: u64,
}

impl Ahead {
    /// To the end.
    pub const END: Ahead = Ahead { rolls: true, decisions: u64::MAX };
}

/// What a run waits for.
#[derive(Clone, Debug)]
pub enum Pause {
    /// A decision.
    Decision(Box<AwaitedDecision>),
    /// A throw.
    Roll(Roll),
    /// A draw.
    Draw(Draw),
}

/// A decision that waits.
#[derive(Clone, Debug)]
pub struct AwaitedDecision {
    /// In words.
    pub question: PersonQuestion,
    /// What is not offered.
    pub refused: Vec<NotOffered>,
    /// Who decides, packed, or -1.
    pub player: i64,
    /// Why the player's own sources cannot answer it, if that was tried.
    pub unable: String,
}

/// A throw that waits.
#[derive(Clone, Debug)]
pub struct Roll {
    /// The roll as scripts call it: `Shoot.aim`.
    pub name: String,
    /// Whose; maybe empty.
    pub of: String,
    /// What is thrown: `5 of d6`, by sorts of dice.
    pub dice: Vec<(usize, String)>,
    /// Dice that are thrown again, or come of others that exploded.
    pub again: bool,
    site: SiteId,
    subject: i64,
    each: Vec<Die>,
    pool: bool,
    places: Vec<i64>,
    explode: bool,
}

/// A draw that waits.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The draw as scripts call it.
    pub name: String,
    /// Whose; maybe empty.
    pub of: String,
    /// What it can bring.
    pub among: Vec<String>,
    /// How many are drawn.
    pub count: usize,
    site: SiteId,
    subject: i64,
    alike: Vec<usize>,
    weights: Vec<u32>,
}

/// What a question came to, as a script gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// A decision.
    Decision {
        /// Its name.
        name: String,
        /// Whose, packed, or -1.
        of: i64,
        /// Who decided, packed, or -1.
        player: i64,
        /// The how-manieth time it was asked of that subject.
        nth: u32,
        /// The answer; nothing for what the rules prefer.
        pick: Option<PickText>,
        /// Who answered: `script`, also for what was chosen by hand; `policy`, ..
        source: &'static str,
        /// It was chosen by hand.
        by_hand: bool,
    },
    /// A roll or a draw.
    Fell {
        /// `Shoot.aim`; empty for what no script can give.
        name: String,
        /// Whose, packed, or -1.
        of: i64,
        /// The faces, or what was drawn.
        faces: Vec<String>,
    },
}

/// An answer as a script writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PickText {
    /// In words.
    Words(String),
    /// A point, in thousandths of an inch.
    Point(i64, i64),
}

/// The log of one run, shared by its dice, its players and who started it.
#[derive(Clone, Debug)]
pub struct Hand(Arc<Mutex<Log>>);

#[derive(Debug, Default)]
struct Log {
    replies: Vec<Reply>,
    /// The same with everything said that chance brought, so that another seed changes nothing of it.
    fixed: Vec<Reply>,
    at: usize,
    ahead: Ahead,
    /// Players whom the person answers for; nothing: all.
    sides: Option<Vec<i64>>,
    done: Vec<Done>,
    pause: Option<Pause>,
    times: BTreeMap<(String, i64), u32>,
    /// The ends of a move are put as a choice: that is the question before once more.
    listed: bool,
    /// The roll or draw at work was given this.
    given: Option<Vec<i64>>,
}

/// What came of a run on a log.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// All replies, with those that the run gave itself.
    pub replies: Vec<Reply>,
    /// The same with everything said that chance brought.
    pub fixed: Vec<Reply>,
    /// What each question came to.
    pub done: Vec<Done>,
    /// What it waits for; nothing if it is over.
    pub pause: Option<Pause>,
}

/// What a decision is answered with.
pub(crate) enum Take {
    /// This.
    Answer(Answer),
    /// The player's own sources.
    Own,
    /// It waits.
    Wait,
}

impl Hand {
    /// A log with replies, which goes on behind them as it is told.
    pub fn new(replies: Vec<Reply>, ahead: Ahead, sides: Option<Vec<i64>>) -> Hand {
        Hand(Arc::new(Mutex::new(Log { replies, ahead, sides, ..Log::default() })))
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if the run waits.
    pub fn waits(&self) -> bool {
        self.log().pause.is_some()
    }

    /// True if anything was said by hand so far.
    pub(crate) fn departed(&self) -> bool {
        let log = self.log();
        log.replies.iter().take(log.at).any(|reply| *reply != Reply::Auto)
    }

    /// What came of the run.
    pub fn told(&self) -> Told {
        let mut log = self.log();
        let at = log.at;
        log.replies.truncate(at);
        Told {
            replies: log.replies.clone(),
            fixed: log.fixed.clone(),
            done: log.done.clone(),
            pause: log.pause.clone(),
        }
    }

    /// A decision is asked.
    pub(crate) fn decide(&self, asked: &Asked<'_>) -> Take {
        let mut log = self.log();
        let name = asked.game.program.schema.sites[asked.ask.site.at()].name.clone();
        *log.times.entry((name, asked.who.subject)).or_insert(0) += 1;
        // nobody is asked where the lines of a move leave no choice
        if log.listed || matches!(asked.form, Form::Move { open: false }) {
            return Take::Own;
        }
        match log.replies.get(log.at).cloned() {
            Some(Reply::Answer(answer)) => {
                log.at += 1;
                log.fixed.push(Reply::Answer(answer.clone()));
                return Take::Answer(answer);
            }
            Some(_) => {}
            None => {
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
        }
        log.at += 1;
        log.fixed.push(Reply::Auto);
        Take::Own
    }

    fn pause(&self, asked: &Asked<'_>, unable: String) {
        let (question, refused) = (PersonQuestion::of(asked), asked.refused());
        let decision = AwaitedDecision { question, refused, player: asked.who.player, unable };
        self.log().pause = Some(Pause::Decision(Box::new(decision)));
    }

    /// The player's own sources cannot answer what was left to them: it waits after all.
    pub(crate) fn unable(&self, asked: &Asked<'_>, fault: Fault) {
        let mut log = self.log();
        log.at = log.at.saturating_sub(1);
        let at = log.at;
        log.replies.truncate(at);
        log.fixed.truncate(at);
        drop(log);
        self.pause(asked, fault.message);
    }

    /// A decision fell.
    pub(crate) fn decided(&self, asked: &Asked<'_>, answer: &Answer, source: &'static str, by_hand: bool) {
        let mut log = self.log();
        let name = asked.game.program.schema.sites[asked.ask.site.at()].name.clone();
        let listed = std::mem::replace(&mut log.listed, *answer == Answer::List);
        if log.listed {
            return;
        }
        let nth = log.times.get(&(name.clone(), asked.who.subject)).copied().unwrap_or(1);
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

    /// Dice are wanted: true if they wait.
    pub(crate) fn rolls(&self, game: &Game, throw: &Throw<'_>) -> bool {
        // there is nothing to throw
        if throw.dice.is_empty() {
            return false;
        }
        self.chance(|| Pause::Roll(Roll::of(game, throw)))
    }

    /// Dice fell; what was given instead is put in their place.
    pub(crate) fn fell(&self, game: &Game, throw: &Throw<'_>, faces: &mut [i64]) {
        let mut log = self.log();
        if let Some(given) = log.given.take().filter(|given| given.len() == faces.len()) {
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

    /// A draw is wanted: true if it waits.
    pub(crate) fn draws(&self, game: &Game, draw: &DrawAsk<'_>) -> bool {
        if draw.site.at() >= game.program.schema.sites.len() {
            return false;
        }
        self.chance(|| Pause::Draw(Draw::of(game, draw)))
    }

    /// Something was drawn; what was given instead is put in its place.
    pub(crate) fn drawn(&self, game: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) {
        // a stand-in's odds have no name to give them by
        if draw.site.at() >= game.program.schema.sites.len() {
            return;
        }
        let mut log = self.log();
        if let Some(given) = log.given.take() {
            *picks = given.iter().filter_map(|n| usize::try_from(*n).ok()).collect();
        }
        log.fixed.push(Reply::Fell(picks.iter().map(|n| *n as i64).collect()));
        let faces = picks.iter().filter_map(|n| draw.names.get(*n).cloned()).collect();
        log.done.push(Done::Fell { name: address(game, draw.site), of: draw.subject, faces });
    }

    fn chance(&self, pause: impl FnOnce() -> Pause) -> bool {
        let mut log = self.log();
        log.given = match log.replies.get(log.at).cloned() {
            Some(Reply::Fell(faces)) => Some(faces),
            Some(_) => None,
            None if log.ahead.rolls => {
                log.replies.push(Reply::Auto);
                None
            }
            None => {
                log.pause = Some(pause());
                return true;
            }
        };
        log.at += 1;
        false
    }
}

/// `Shoot.aim`, as a script calls a roll; empty where it cannot.
fn address(game: &Game, site: SiteId) -> String {
    let schema = &game.program.schema;
    let Some(info) = schema.sites.get(site.at()).filter(|site| site.sort.is_chance()) else { return String::new() };
    let owner = game.program.functions.get(info.func.at()).map_or("", |f| f.name.as_str());
    format!("{owner}.{}", info.name)
}

/// The end of a move that was taken out of a list.
fn end_of(asked: &Asked<'_>, answer: &Answer) -> Option<Answer> {
    let (Form::Choose { candidates, .. }, Answer::Pick(n)) = (&asked.form, answer) else { return None };
    Some(Answer::Point(*candidates.get(2 * n)?, *candidates.get(2 * n + 1)?))
}

/// An answer as a script writes it; none for what the rules prefer.
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

    /// Faces in words as the reply that gives them; of a sum one number will do.
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

    /// Names as the reply that gives them.
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
            None => Err(Fault::new(Code::Script, "this is no answer to a draw")),
        }
    }
}

fn given(name: &str, site: SiteId, words: &[String]) -> GivenDice {
    let give = Given::Names(words.to_vec());
    GivenDice { sites: vec![site], name: name.to_string(), of: -1, nth: None, give, span: Default::default() }
}
