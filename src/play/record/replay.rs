//! Plays a run again from its trace: the same faces, the same answers, and a complaint at the first difference.

use super::event::{Event, What};
use super::words::face;
use crate::base::Code;
use crate::machine::{Answer, Asked, Decide, Dice, Die, DrawAsk, Fault, Flow, Form, Game, StandIn, State, Throw};
use crate::value::*;
use std::collections::{BTreeMap, VecDeque};

/// Dice and decisions of a trace, in order.
#[derive(Clone, Debug, Default)]
pub struct ReplayScript {
    casts: VecDeque<What>,
    decisions: VecDeque<What>,
}

/// Dice and decisions of a trace, to play it again. A trace that was cut short cannot be played.
pub fn script_of(events: &[Event]) -> Result<ReplayScript, String> {
    let mut script = ReplayScript::default();
    for (n, event) in events.iter().enumerate() {
        match &event.what {
            What::Roll { .. } | What::Draw { .. } => script.casts.push_back(event.what.clone()),
            What::StandIn { how, .. } if how == "by odds" => script.casts.push_back(event.what.clone()),
            What::Decision { source, .. } if !source.is_empty() || is_move(&events[n..]) => {
                script.decisions.push_back(event.what.clone());
            }
            What::Stuck { .. } => script.decisions.push_back(event.what.clone()),
            What::Truncated { count } => {
                return Err(format!(
                    "the trace was cut short: {count} events are missing, so it cannot be played again"
                ));
            }
            _ => {}
        }
    }
    Ok(script)
}

/// True if the first of these events is the end of a move. A move with one way is in the script too: it tells that the
/// next stuck one is another.
fn is_move(events: &[Event]) -> bool {
    let [Event { what: What::Decision { of, .. }, .. }, Event { what: What::Moved { thing, .. }, .. }, ..] = events
    else {
        return false;
    };
    of == thing
}

impl ReplayScript {
    /// The two drivers.
    pub fn drivers(self) -> (ReplayDice, ReplayDecisions) {
        (ReplayDice { casts: self.casts }, ReplayDecisions { decisions: self.decisions, sources: BTreeMap::new() })
    }
}

fn differs(told: &str, asked: &str) -> Fault {
    Fault::new(
        Code::Script,
        format!("this run differs from the trace: the trace has {told} here, the run asks for {asked}"),
    )
}

fn over(asked: &str) -> Fault {
    Fault::new(Code::Script, format!("this run differs from the trace: the trace is over, the run asks for {asked}"))
}

/// True if this tells what became of a move of such a name and mover.
fn is_of(what: &What, move_name: &str, mover: &str) -> bool {
    match what {
        What::Decision { name, of, .. } => name == move_name && of == mover,
        What::Stuck { thing, .. } => thing == mover,
        _ => false,
    }
}

/// What an event is called in complaints.
fn called(what: &What) -> String {
    match what {
        What::Roll { name, of, .. } => format!("the roll `{name}`{}", of_whom(of)),
        What::Draw { name, of, .. } => format!("the draw `{name}`{}", of_whom(of)),
        What::StandIn { name, .. } => format!("the stand-in `{name}`"),
        What::Decision { name, of, .. } => format!("the decision `{name}`{}", of_whom(of)),
        What::Stuck { thing, .. } => format!("a move of {thing} that is stuck"),
        _ => "something else".to_string(),
    }
}

fn of_whom(of: &str) -> String {
    if of.is_empty() { String::new() } else { format!(" of {of}") }
}

/// The dice of a trace.
#[derive(Clone, Debug)]
pub struct ReplayDice {
    casts: VecDeque<What>,
}

impl ReplayDice {
    /// Throws and draws that were not asked for yet.
    pub fn left(&self) -> usize {
        self.casts.len()
    }
}

impl Dice for ReplayDice {
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, out: &mut Vec<i64>) -> Result<Flow, Fault> {
        let (name, of) = (&game.program.schema.sites[throw.site.at()].name, game.packed_name(throw.subject));
        let asked = format!("the roll `{name}`{}", of_whom(&of));
        let Some(cast) = self.casts.pop_front() else { return Err(over(&asked)) };
        match &cast {
            What::Roll { name: told, of: whose, faces, .. }
                if told == name && *whose == of && faces.len() == throw.dice.len() =>
            {
                for (n, word) in faces.iter().enumerate() {
                    let die = throw.dice.die(n);
                    let Some(value) = face_of(game, die, word) else {
                        return Err(differs(&format!("the face {word}"), &format!("{asked} with other dice")));
                    };
                    out.push(value);
                }
                Ok(Flow::Go)
            }
            What::Roll { name: told, of: whose, faces, .. } if told == name && *whose == of => {
                Err(differs(&format!("{} dice", faces.len()), &format!("{asked} with {}", throw.dice.len())))
            }
            other => Err(differs(&called(other), &asked)),
        }
    }

    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>, out: &mut Vec<usize>) -> Result<Flow, Fault> {
        let rules = &game.program.schema;
        let site = rules.sites.get(draw.site.at());
        let asked = format!("the draw `{}`", site.map_or("", |s| s.name.as_str()));
        let Some(cast) = self.casts.pop_front() else { return Err(over(&asked)) };
        match &cast {
            What::Draw { picks, name, .. } if site.is_some_and(|s| s.name == *name) => {
                for pick in picks {
                    match draw.names.iter().enumerate().position(|(n, c)| c == pick && !out.contains(&n)) {
                        Some(n) => out.push(n),
                        None => return Err(differs(&format!("{pick} drawn"), &format!("{asked}, where it cannot be"))),
                    }
                }
                Ok(Flow::Go)
            }
            What::StandIn { name, result, .. } => {
                let func = game.program.functions.iter().position(|f| f.name == *name);
                let odds = func.and_then(|f| match game.stand_ins.get(f) {
                    Some(Some(StandIn::Odds(rows))) => Some((f, rows)),
                    _ => None,
                });
                let Some((func, rows)) = odds else { return Err(differs(&called(&cast), &asked)) };
                let ty = &game.program.functions[func].result;
                match rows.iter().position(|(_, cells)| game.tell(&game.start, ty, cells) == *result) {
                    Some(n) => out.push(n),
                    None => return Err(differs(&format!("{name} with {result}"), &asked)),
                }
                Ok(Flow::Go)
            }
            other => Err(differs(&called(other), &asked)),
        }
    }
}

/// The face that is told by a word.
fn face_of(game: &Game, die: Die, word: &str) -> Option<i64> {
    match die {
        Die::Sides(n) => word.parse::<i64>().ok().filter(|f| (1..=i64::from(n)).contains(f)),
        Die::Faces(id) => game.program.schema.dice[id.at()].faces.iter().copied().find(|f| face(game, die, *f) == word),
    }
}

/// The decisions of a trace.
#[derive(Clone, Debug)]
pub struct ReplayDecisions {
    decisions: VecDeque<What>,
    /// Names of sources live as long as the program; there are few.
    sources: BTreeMap<String, &'static str>,
}

impl ReplayDecisions {
    /// Decisions that were not asked for yet.
    pub fn left(&self) -> usize {
        self.decisions.len()
    }

    fn source(&mut self, name: &str) -> &'static str {
        if let Some(known) = ["script", "prefer", "policy", "random", "prompt"].into_iter().find(|k| *k == name) {
            return known;
        }
        self.sources.entry(name.to_string()).or_insert_with(|| Box::leak(name.to_string().into_boxed_str()))
    }
}

impl Decide for ReplayDecisions {
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        let game = asked.game;
        let site = &game.program.schema.sites[asked.ask.site.at()];
        let of = game.packed_name(asked.who.subject);
        let question = format!("the decision `{}`{}", site.name, of_whom(&of));
        if matches!(asked.form, Form::Move { open: false })
            && !self.decisions.front().is_some_and(|w| is_of(w, &site.name, &of))
        {
            return Ok((Answer::Prefer, "prefer"));
        }
        let Some(told) = self.decisions.pop_front() else { return Err(over(&question)) };
        let (name, whose, source, answer) = match &told {
            What::Decision { name, of, source, answer, .. } => (name, of, source, answer),
            What::Stuck { .. } if matches!(asked.form, Form::Move { .. }) => return Ok((Answer::Prefer, "prefer")),
            other => return Err(differs(&called(other), &question)),
        };
        if *name != site.name || *whose != of {
            return Err(differs(&called(&told), &question));
        }
        let given = matches!(source.as_str(), "script" | "prompt" | "random");
        let picked = match &asked.form {
            Form::Move { .. } if !given => Some(Answer::Prefer),
            form => answer_of(game, asked.state, &site.ty, &site.options, form, answer),
        };
        // what the rules preferred they prefer again, and tell why
        let picked = if source == "prefer" { picked.and(Some(Answer::Prefer)) } else { picked };
        match picked {
            Some(picked) => Ok((picked, self.source(source))),
            None => Err(differs(&format!("{question} answered {answer}"), "one of another menu")),
        }
    }
}

/// The answer that is told by words.
fn answer_of(
    game: &Game,
    state: &State,
    ty: &Type,
    options: &[String],
    form: &Form<'_>,
    words: &str,
) -> Option<Answer> {
    let told = |cells: &[i64]| game.tell(state, ty, cells);
    match form {
        Form::Choose { candidates, width, or_none } => {
            if *or_none && words == "none" {
                return Some(Answer::None);
            }
            candidates.chunks((*width).max(1)).position(|c| told(c) == words).map(Answer::Pick)
        }
        Form::Next { candidates, width } => {
            candidates.chunks((*width).max(1)).position(|c| told(c) == words).map(Answer::Pick)
        }
        Form::Subset { candidates, width, .. } => {
            let mut rest = words.strip_prefix('[')?.strip_suffix(']')?;
            let mut picks = Vec::new();
            // the answer lists candidates in their order
            for (n, cells) in candidates.chunks((*width).max(1)).enumerate() {
                let name = told(cells);
                let Some(after) = rest.strip_prefix(name.as_str()) else { continue };
                if after.is_empty() || after.starts_with(", ") {
                    picks.push(n);
                    rest = after.strip_prefix(", ").unwrap_or("");
                    if rest.is_empty() {
                        break;
                    }
                }
            }
            rest.is_empty().then_some(Answer::Several(picks))
        }
        Form::Option { places } => {
            places.iter().position(|p| options.get(*p as usize).is_some_and(|o| o == words)).map(Answer::Pick)
        }
        Form::May => Some(Answer::Pick(usize::from(words == "yes"))),
        Form::Menu { menu, or_stop } => {
            if *or_stop && words == "stop" {
                return Some(Answer::Stop);
            }
            menu.offered.iter().position(|i| game.tell_instance(state, i) == words).map(Answer::Pick)
        }
        Form::Move { .. } => {
            let (x, y) = words.strip_prefix('[')?.strip_suffix(']')?.split_once(", ")?;
            Some(Answer::Point(thousandths(x)?, thousandths(y)?))
        }
    }
}

/// A number as it is told, in thousandths.
fn thousandths(text: &str) -> Option<i64> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let part = format!("{part:0<3}");
    let cells = whole.parse::<i64>().ok()?.checked_mul(1000)? + part.get(..3)?.parse::<i64>().ok()?;
    Some(sign * cells)
}
