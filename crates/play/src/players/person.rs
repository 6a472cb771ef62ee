//! Answers of a human player: prints a numbered menu with the refused entries and the reasons, and reads a line.

use super::{Players, script};
use grognard_base::Code;
use grognard_base::order;
use grognard_base::safe::clean;
use grognard_base::value::Value;
use grognard_vm::{Answer, Asked, Fault, Form};
use std::io::{BufRead, Write};

/// A question to a human player.
#[derive(Clone, Debug)]
pub struct PersonQuestion {
    /// Name of the player.
    pub player: String,
    /// Name of the subject.
    pub subject: String,
    /// Name of the decision.
    pub name: String,
    /// Entries that can be chosen.
    pub entries: Vec<String>,
    /// The values of the entries; empty for a point.
    pub values: Vec<Value>,
    /// Entries that cannot be chosen, each with the reason.
    pub refused: Vec<(String, String)>,
    /// Minimum and maximum number of entries, if several can be chosen.
    pub several: Option<(usize, usize)>,
    /// Whether the answer is a point; an empty line takes the answer that the rules prefer.
    pub point: bool,
    /// Kind of the entries.
    pub sort: EntrySort,
}

/// Kind of the entries of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntrySort {
    /// Candidates, of which one is chosen.
    One,
    /// `none`, then candidates.
    OrNone,
    /// Candidates, of which several are chosen.
    Several,
    /// Yes and no.
    May,
    /// The given number of actions, then optionally `stop`.
    Menu(usize),
    /// Any point.
    Move,
}

impl PersonQuestion {
    /// Creates the question as text.
    pub fn of(asked: &Asked<'_>) -> PersonQuestion {
        let refused = asked.refused();
        let several = match asked.form {
            Form::Subset { least, most, .. } => Some((least, most)),
            _ => None,
        };
        let point = matches!(asked.form, Form::Move { .. });
        let values = if point { Vec::new() } else { script::answers(asked) };
        PersonQuestion {
            player: asked.game.packed_name(asked.who.player),
            subject: asked.game.packed_name(asked.who.subject),
            name: asked.game.program.schema.sites[asked.ask.site.at()].name.clone(),
            entries: values.iter().cloned().map(String::from).collect(),
            values,
            refused: refused.into_iter().map(|r| (r.instance.into(), r.why.to_string())).collect(),
            several,
            point,
            sort: match &asked.form {
                Form::Choose { or_none: true, .. } => EntrySort::OrNone,
                Form::Choose { .. } | Form::Next { .. } | Form::Option { .. } => EntrySort::One,
                Form::Subset { .. } => EntrySort::Several,
                Form::May => EntrySort::May,
                Form::Menu { menu, .. } => EntrySort::Menu(menu.offered.len()),
                Form::Move { .. } => EntrySort::Move,
            },
        }
    }

    /// Parses a line as a reply, or returns `None` if it does not fit.
    pub fn understood(&self, line: &str) -> Option<PersonReply> {
        understood(self, line)
    }

    /// Returns the indices of the entries that begin with a line. The names of choices can be omitted: `Pray(r2)` for
    /// `Pray(unit: r2)`.
    pub fn beginning(&self, line: &str) -> Vec<usize> {
        let word = bare(line);
        let begins = |e: &str| !word.is_empty() && (e.starts_with(line) || bare(e).starts_with(&word));
        (0..self.entries.len()).filter(|n| begins(&self.entries[*n])).collect()
    }

    /// Converts a reply to an answer for the machine. Returns `None` for [`PersonReply::Gone`].
    pub fn answer(&self, reply: PersonReply) -> Option<Answer> {
        let picks = match reply {
            PersonReply::Entries(picks) => picks,
            PersonReply::Point(x, y) => return Some(Answer::Point(x, y)),
            PersonReply::Prefer => return Some(Answer::Prefer),
            PersonReply::Gone => return None,
        };
        let first = picks.first().copied().unwrap_or(0);
        Some(match self.sort {
            EntrySort::Several => Answer::Several(picks),
            EntrySort::OrNone => first.checked_sub(1).map_or(Answer::None, Answer::Pick),
            EntrySort::May => Answer::Pick(usize::from(first == 0)),
            EntrySort::Menu(actions) if first >= actions => Answer::Stop,
            EntrySort::One | EntrySort::Menu(_) | EntrySort::Move => Answer::Pick(first),
        })
    }
}

/// The reply of a human player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonReply {
    /// Indices of entries, from 0.
    Entries(Vec<usize>),
    /// A point, in thousandths of an inch.
    Point(i64, i64),
    /// The answer that the rules prefer.
    Prefer,
    /// The input has ended.
    Gone,
}

/// A human player who can be asked.
pub trait Person: Send {
    /// Asks until a reply fits.
    fn ask(&mut self, question: &PersonQuestion) -> PersonReply;
}

/// A human player at a terminal, or any reader and writer.
pub struct Terminal<R, W> {
    input: R,
    output: W,
}

impl<R: BufRead, W: Write> Terminal<R, W> {
    /// Creates a player that reads from `input` and prints to `output`.
    pub fn new(input: R, output: W) -> Self {
        Terminal { input, output }
    }

    fn show(&mut self, question: &PersonQuestion) -> std::io::Result<()> {
        let of = if question.subject.is_empty() { String::new() } else { format!(" of {}", question.subject) };
        writeln!(self.output, "{}", clean(&format!("{}: `{}`{of}", question.player, question.name)))?;
        for (n, entry) in question.entries.iter().enumerate() {
            writeln!(self.output, "  {}  {}", n + 1, clean(entry))?;
        }
        for (entry, why) in &question.refused {
            writeln!(self.output, "  -  {}", clean(&format!("{entry}: {why}")))?;
        }
        Ok(())
    }

    fn hint(&mut self, question: &PersonQuestion) -> std::io::Result<()> {
        match question.several {
            Some((least, most)) => write!(self.output, "{least} to {most} numbers or names: ")?,
            None if question.point => write!(self.output, "x y, or nothing for the usual way: ")?,
            None => write!(self.output, "number or name: ")?,
        }
        self.output.flush()
    }
}

impl<R: BufRead + Send, W: Write + Send> Person for Terminal<R, W> {
    fn ask(&mut self, question: &PersonQuestion) -> PersonReply {
        if self.show(question).is_err() {
            return PersonReply::Gone;
        }
        loop {
            let mut line = String::new();
            if self.hint(question).is_err() || !matches!(self.input.read_line(&mut line), Ok(n) if n > 0) {
                return PersonReply::Gone;
            }
            match understood(question, line.trim()) {
                Some(reply) => return reply,
                None => {
                    if writeln!(self.output, "that is not on the menu").is_err() {
                        return PersonReply::Gone;
                    }
                }
            }
        }
    }
}

/// Removes the names of choices from an entry.
fn bare(entry: &str) -> String {
    let Some((name, with)) = entry.split_once('(') else { return entry.to_string() };
    let part = |part: &str| part.split_once(": ").map_or(part, |(_, value)| value).trim().to_string();
    format!("{name}({}", with.split(',').map(part).collect::<Vec<_>>().join(", "))
}

/// Parses a line as a reply, or returns `None` if it does not fit.
fn understood(question: &PersonQuestion, line: &str) -> Option<PersonReply> {
    if question.point {
        if line.is_empty() {
            return Some(PersonReply::Prefer);
        }
        let numbers: Option<Vec<i64>> =
            line.split([' ', ',']).filter(|p| !p.is_empty()).map(grognard_scenario::thousandths).collect();
        return match numbers?.as_slice() {
            [x, y] => Some(PersonReply::Point(*x, *y)),
            _ => None,
        };
    }
    let one = |word: &str| {
        let number = word.parse::<usize>().ok().filter(|n| (1..=question.entries.len()).contains(n)).map(|n| n - 1);
        let name = question.entries.iter().position(|e| e == word);
        name.or(number).or_else(|| if let [n] = question.beginning(word)[..] { Some(n) } else { None })
    };
    match question.several {
        None => one(line).map(|n| PersonReply::Entries(vec![n])),
        Some((least, most)) => {
            let mut picks: Vec<usize> =
                line.split([' ', ',']).filter(|p| !p.is_empty()).map(one).collect::<Option<_>>()?;
            order::sort(&mut picks);
            picks.dedup();
            (least..=most).contains(&picks.len()).then_some(PersonReply::Entries(picks))
        }
    }
}

impl Players<'_> {
    pub(super) fn prompt(&mut self, asked: &Asked<'_>) -> Result<Answer, Fault> {
        let question = PersonQuestion::of(asked);
        let Some(person) = self.person.as_deref_mut() else {
            return Err(Fault::new(Code::Script, format!("no player is there to answer `{}`", question.name)));
        };
        let reply = person.ask(&question);
        question.answer(reply).ok_or_else(|| {
            self.memory.gone = true;
            Fault::new(Code::Script, format!("the input ended before `{}` was answered", question.name))
        })
    }
}
