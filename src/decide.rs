//! Decisions of players.

use crate::{Error, Value};
use grognard_play::{EntrySort, Person, PersonQuestion, PersonReply};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// A decision that a run asks for: a menu with its refused entries.
///
/// With `serde`, it has its public fields; `take` has `start` and `end`, both inclusive.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Decision {
    /// The player who decides, or an empty text.
    pub player: String,
    /// The thing that the decision is about, or an empty text.
    pub subject: String,
    /// The name of the decision, such as `action` or `target`.
    pub name: String,
    /// The entries that can be chosen. Each one prints as in a trace: `Shoot(target: wolves)`.
    pub entries: Vec<Value>,
    /// The entries that cannot be chosen, with the reasons.
    pub refused: Vec<Refusal>,
    /// How many entries an answer takes.
    pub take: RangeInclusive<usize>,
    /// Whether the answer is a point of the table. The entries are empty then.
    pub point: bool,
    #[serde(skip)]
    question: Box<PersonQuestion>,
}

/// An entry that cannot be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Refusal {
    /// The refused entry.
    pub entry: String,
    /// The line of the rules that refuses it, with its values.
    pub why: String,
}

/// An answer to a [`Decision`].
///
/// With `serde`, it is `{"entry": 0}`, `{"entries": [0, 2]}`, `{"point": [3000, 4500]}` or `"prefer"`.
///
/// ```
/// use grognard::Choice;
///
/// let choice: Choice = serde_json::from_str(r#"{"entries": [0, 2]}"#).unwrap();
/// assert_eq!(choice, Choice::Entries(vec![0, 2]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Choice {
    /// The entry with this index.
    Entry(usize),
    /// The entries with these indices, for a decision that takes several.
    Entries(Vec<usize>),
    /// A point, in thousandths of an inch.
    Point(i64, i64),
    /// The entry that the rules prefer.
    Prefer,
}

/// A player that is written in code. A function of a [`Decision`] is one.
///
/// ```
/// use grognard::{Choice, Decision, Scenario};
///
/// // takes the last entry of each menu
/// let mut last = |decision: &Decision| match decision.entries.len() {
///     0 => Choice::Prefer,
///     n => Choice::Entry(n - 1),
/// };
/// let scenario = Scenario::shipped("warstrike/scenarios/orders-under-fire.toml")?;
/// let played = scenario.run().decider("*", &mut last).play();
/// # Ok::<(), grognard::Error>(())
/// ```
pub trait Decider: Send {
    /// Returns the answer.
    ///
    /// # Errors
    ///
    /// An error ends the run. [`Error::stopped`] creates one.
    fn decide(&mut self, decision: &Decision) -> Result<Choice, Error>;
}

impl<F: FnMut(&Decision) -> Choice + Send> Decider for F {
    fn decide(&mut self, decision: &Decision) -> Result<Choice, Error> {
        Ok(self(decision))
    }
}

impl Decision {
    pub(crate) fn of(question: PersonQuestion) -> Decision {
        let (least, most) = question.several.unwrap_or((1, 1));
        let refused = question.refused.iter().map(|(entry, why)| Refusal { entry: entry.clone(), why: why.clone() });
        Decision {
            player: question.player.clone(),
            subject: question.subject.clone(),
            name: question.name.clone(),
            entries: question.values.clone(),
            refused: refused.collect(),
            take: least..=most,
            point: question.point,
            question: Box::new(question),
        }
    }

    /// Returns the choice that a line of text means: the number of an entry from 1, its name, or the beginning of one
    /// name. Several entries are separated by spaces, and a point is two numbers. Returns `None` if the line does not
    /// fit.
    pub fn parse(&self, line: &str) -> Option<Choice> {
        Some(match self.question.understood(line.trim())? {
            PersonReply::Entries(picks) if self.question.several.is_some() => Choice::Entries(picks),
            PersonReply::Entries(picks) => Choice::Entry(picks.first().copied()?),
            PersonReply::Point(x, y) => Choice::Point(x, y),
            PersonReply::Prefer => Choice::Prefer,
            PersonReply::Gone => return None,
        })
    }

    pub(crate) fn question(&self) -> &PersonQuestion {
        &self.question
    }

    /// Converts a choice to a reply.
    pub(crate) fn reply(&self, choice: Choice) -> Result<PersonReply, Error> {
        let count = self.entries.len();
        let wrong = |message: String, help: &str| Err(Error::input(format!("`{}`: {message}", self.name), help));
        match choice {
            Choice::Prefer => Ok(PersonReply::Prefer),
            Choice::Point(x, y) if self.point => Ok(PersonReply::Point(x, y)),
            Choice::Point(..) => wrong("the answer is not a point".into(), "choose an entry of the menu"),
            _ if self.point => wrong("the answer is a point".into(), "answer with `Choice::Point` or `Choice::Prefer`"),
            Choice::Entry(n) if n >= count => {
                wrong(format!("there is no entry {n}, because the menu has {count}"), "entries count from 0")
            }
            Choice::Entry(n) if self.question.sort != EntrySort::Several => Ok(PersonReply::Entries(vec![n])),
            Choice::Entry(n) => self.reply(Choice::Entries(vec![n])),
            Choice::Entries(mut picks) => {
                picks.sort_unstable();
                if let Some(twice) = picks.windows(2).find(|two| two[0] == two[1]) {
                    return wrong(format!("entry {} is chosen twice", twice[0]), "name each entry once");
                }
                if let Some(n) = picks.iter().find(|n| **n >= count) {
                    return wrong(
                        format!("there is no entry {n}, because the menu has {count}"),
                        "entries count from 0",
                    );
                }
                if !self.take.contains(&picks.len()) {
                    let (least, most) = (self.take.start(), self.take.end());
                    let message = format!("the answer has {} entries", picks.len());
                    return wrong(message, &format!("choose {least} to {most} entries"));
                }
                Ok(PersonReply::Entries(picks))
            }
        }
    }
}

/// The deciders of a run as the machine asks them, with the names of their players. It keeps the error that ended a run.
pub(crate) struct Deciders<'d> {
    pub list: Vec<(String, &'d mut dyn Decider)>,
    pub error: Option<Error>,
}

/// The name that means every player without its own decider.
pub(crate) const EVERYONE: &str = "*";

impl Person for Deciders<'_> {
    fn ask(&mut self, question: &PersonQuestion) -> PersonReply {
        let own = self.list.iter().position(|(name, _)| *name == question.player);
        let any = || self.list.iter().position(|(name, _)| name == EVERYONE);
        let Some(at) = own.or_else(any) else { return PersonReply::Prefer };
        let decision = Decision::of(question.clone());
        let reply = self.list[at].1.decide(&decision).and_then(|choice| decision.reply(choice));
        reply.unwrap_or_else(|error| {
            self.error = Some(error);
            PersonReply::Gone
        })
    }
}
