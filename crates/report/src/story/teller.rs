//! Builds the lines of a story from the events of a trace.

use super::chance::{chance, need};
use super::layout::{NAMES, WIDTH, columns};
use super::wording::{self, Changed, change, decision, given, spoken};
use super::{LineSort, Story, StoryLine, is_told};
use grognard_base::value::Value;
use grognard_base::value::plain::{Need, NeedOf, ShortText, Words};
use grognard_play::record::{Argument, Event, ScopeSort, TraceDetail, What, render, roll};
use grognard_vm::Remark;
use std::collections::BTreeSet;

/// Returns the story of a trace.
pub(super) fn tell(events: &[Event], refusals: bool) -> Story {
    let bearers = events.iter().filter(|e| is_told(e)).filter_map(|e| bearer(&e.what));
    let names = bearers.map(|name| name.chars().count()).filter(|n| *n <= NAMES).max().unwrap_or(0);
    let mut teller = Teller { names, refusals, ..Teller::default() };
    for event in events {
        teller.event(event);
    }
    teller.time_over();
    let mut lines: Vec<StoryLine> = Vec::new();
    for line in teller.lines {
        match lines.last_mut() {
            Some(last) if last.repeats(&line) => {
                last.times += 1;
                last.events.extend(line.events);
            }
            _ => lines.push(line),
        }
    }
    Story { lines }
}

/// Returns the name that the line of an event can show at the left.
fn bearer(what: &What) -> Option<&ShortText> {
    match what {
        What::Roll { of, .. } | What::Draw { of, .. } | What::Decision { of, .. } => of.as_ref(),
        What::Write { slot, .. } | What::Expired { slot, .. } => slot.thing.as_ref(),
        What::Gain { thing, .. } | What::Lose { thing, .. } | What::Moved { thing, .. } => Some(thing),
        _ => None,
    }
}

/// Maximum number of characters of the words that judge a roll.
const WORDS: usize = 36;

/// A phase, action, rule, test, proc or event that runs.
struct Scope {
    id: u64,
    sort: ScopeSort,
    name: ShortText,
    clauses: Vec<ShortText>,
    stand_in: bool,
    /// Whether it is part of an `extern`.
    external: bool,
    /// Its part of the heading, and whose phase it is.
    heading: Option<(String, String)>,
    /// The thing that acts in it.
    actor: Option<ShortText>,
    /// The action, until a line names it.
    untold: Option<String>,
    /// Readings whose effect no line has shown yet, by name and clauses.
    leaned: Vec<(ShortText, Vec<ShortText>)>,
    /// The line of its last roll, and the roll.
    rolled: Option<(usize, What)>,
    /// Whether the line of its last roll has an outcome.
    judged: bool,
}

/// Last part of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Decision,
    /// A roll without an outcome so far.
    Roll,
    Other,
}

#[derive(Default)]
struct Teller {
    lines: Vec<StoryLine>,
    stack: Vec<Scope>,
    players: Vec<ShortText>,
    /// The heading that was printed last.
    heading: String,
    /// The step of the scenario, if it has no line.
    step: String,
    /// The last choice of an action, and whether a line shows it.
    chosen: Option<(Value, bool, Option<ShortText>)>,
    /// The stand-in whose scope comes next.
    stand_in: Option<ShortText>,
    /// Values whose duration ended: text, things, events.
    over: Vec<(String, Vec<String>, Vec<u64>)>,
    /// Last part of the last line, its scope, and the acting thing; nothing joins a line without it.
    open: Option<(Told, u64, String)>,
    /// Whether the last event was a move, or what was noted about one.
    moved: bool,
    /// Number of scopes so far.
    scopes: u64,
    /// Width of the names at the left.
    names: usize,
    /// Whether the story shows the actions that a menu refused.
    refusals: bool,
    mattered: BTreeSet<ShortText>,
    asked: BTreeSet<ShortText>,
}

impl Teller {
    fn event(&mut self, event: &Event) {
        // the readings of a move follow its event
        let of_move = self.moved && matches!(event.what, What::Kept { .. } | What::Leaned { .. });
        self.moved = of_move || matches!(event.what, What::Moved { .. } | What::Stuck { .. });
        match &event.what {
            What::Header { players, .. } => {
                self.players = players.iter().map(|(who, _)| who.clone()).collect();
                self.plain(render(std::slice::from_ref(event), TraceDetail::Brief).trim_end().to_string(), event);
            }
            What::Step { statement } => {
                self.close();
                self.step = statement.to_string();
            }
            What::Enter { sort, name, args, stand_in, .. } => self.enter(event, *sort, name, (args, *stand_in)),
            What::Leave { sort, name, result } => self.leave(*sort, name, result.as_ref()),
            What::StandIn { name, .. } => self.stand_in = Some(name.clone()),
            What::Leaned { reading, here, .. } => {
                self.asked.insert(reading.clone());
                // if a reading only selects a statement, the effect of its other alternative is unknown
                let scope = self.stack.last_mut().filter(|_| !here.is_empty());
                let Some(scope) = scope else { return };
                scope.leaned.push((reading.clone(), event.clauses.clone()));
                if let Some(mut line) = self.lines.pop_if(|_| of_move) {
                    self.lean(&mut line);
                    self.lines.push(line);
                }
            }
            What::Value { name, value, words, needs, .. } => {
                self.outcome(words, needs, value, &format!("{} {value}", spoken(name)));
            }
            What::Condition { holds, words, needs, .. } => {
                self.outcome(words, needs, &Value::Flag(*holds), if *holds { "yes" } else { "no" });
            }
            What::Expect { holds: false, .. } | What::Fault { .. } | What::Truncated { .. } => self.verbatim(event),
            What::Remark(Remark::Stops) => self.verbatim(event),
            What::Remark(Remark::Stopped { .. }) | What::Stuck { .. } => self.change(event),
            What::Summary { held, claimed, .. } => self.summary(event, *held, *claimed),
            What::Decision { answer, action, player, of, .. } => {
                self.players.extend(player.clone().filter(|p| !self.players.contains(p)));
                let refused = if self.refusals { wording::refused(&event.what) } else { Vec::new() };
                let told = is_told(event) || !refused.is_empty();
                if told {
                    self.decision(event);
                }
                if let Some(line) = self.lines.last_mut().filter(|_| told) {
                    line.refused.extend(refused);
                }
                if *action {
                    let of = of.clone().filter(|of| !self.players.contains(of));
                    self.chosen = Some((answer.clone(), told, of));
                }
            }
            _ if !is_told(event) => {}
            What::Roll { name, of, .. } | What::Draw { name, of, .. } => self.rolled(event, name, of.as_ref()),
            What::Expired { .. } | What::Lose { expired: true, .. } => self.expired(event),
            _ => self.change(event),
        }
    }

    fn enter(&mut self, event: &Event, sort: ScopeSort, name: &ShortText, (args, declared): (&[Argument], bool)) {
        let things = args.iter().filter_map(|a| match &a.value {
            Value::Thing(thing) => Some(thing),
            _ => None,
        });
        let mut actor = things.clone().find(|thing| !self.players.contains(thing)).cloned();
        let mut heading = None;
        let mut untold = None;
        match sort {
            ScopeSort::Phase if actor.is_none() => {
                let player = things.clone().next().map_or(String::new(), ToString::to_string);
                let rest = given(args, &self.players);
                let rest = if rest.is_empty() { rest } else { format!(" ({rest})") };
                heading = Some((format!("{}{rest}", spoken(name)), player));
            }
            ScopeSort::Phase => {}
            ScopeSort::Action => {
                if let Some((Value::Action { name: chosen, with }, told, of)) = self.chosen.take()
                    && chosen == *name
                {
                    let first = || {
                        with.iter().find_map(|(_, v)| match v {
                            Value::Thing(thing) => Some(thing.clone()),
                            _ => None,
                        })
                    };
                    actor = of.or_else(first);
                    untold = (!told).then(|| spoken(name));
                }
            }
            _ => actor = None,
        }
        if self.stack.is_empty() && heading.is_none() {
            let with = given(args, &[]);
            let name = spoken(name);
            heading = Some((if with.is_empty() { name } else { format!("{name} ({with})") }, String::new()));
        }
        if sort == ScopeSort::Phase {
            // the phase names who acts, so the action that runs it is clear
            self.stack.last_mut().into_iter().for_each(|outer| outer.untold = None);
        }
        // a rule of the book that runs in an `extern` belongs to the book
        let inside = sort != ScopeSort::Rule && self.stack.last().is_some_and(|outer| outer.external);
        let external = self.stand_in.take_if(|expected| expected == name).is_some() || inside;
        self.scopes += 1;
        self.stack.push(Scope {
            id: self.scopes,
            sort,
            name: name.clone(),
            clauses: event.clauses.clone(),
            stand_in: declared || external,
            external,
            heading,
            actor,
            untold,
            leaned: Vec::new(),
            rolled: None,
            judged: false,
        });
    }

    fn leave(&mut self, sort: ScopeSort, name: &ShortText, result: Option<&Value>) {
        let Some(at) = self.stack.iter().rposition(|s| s.sort == sort && s.name == *name) else { return };
        self.stack.truncate(at + 1);
        let Some(scope) = self.stack.pop() else { return };
        let Some((line, _)) = scope.rolled else { return };
        let Some(line) = self.lines.get_mut(line) else { return };
        match result {
            Some(Value::Word(word)) if sort == ScopeSort::Test => {
                let judged = match word.as_str() {
                    "passed" => ": yes (",
                    "failed" => ": no (",
                    _ => "\n",
                };
                // the verdict takes the place of the condition that decided it
                match line.text.rsplit_once(judged).filter(|(_, chance)| chance.ends_with("%)")) {
                    Some((before, chance)) => line.text = format!("{before}, {word} ({chance}"),
                    None => line.text += &format!(", {}", spoken(word)),
                }
            }
            Some(values @ Value::Record(_)) if !scope.judged => line.text += &format!(", {values}"),
            _ => {}
        }
    }

    /// Adds to the line of a roll its need, its result, and the chance: the first value or condition that names
    /// it. A number whose words are too long is shown without them.
    fn outcome(&mut self, words: &Words, needs: &[Need], gives: &Value, said: &str) {
        let Some(scope) = self.stack.last_mut() else { return };
        let Some((line, roll)) = scope.rolled.as_ref().filter(|_| !scope.judged) else { return };
        let What::Roll { name, .. } = roll else { return };
        let words = words.to_string();
        let mut named = words.split(|c: char| !c.is_alphanumeric() && c != '_');
        if !named.any(|word| word == name.as_str()) {
            return;
        }
        let told = match needs.iter().find(|need| need.roll == *name) {
            Some(needed) => {
                let chance = chance(roll, needed, gives).map_or(String::new(), |chance| format!(" ({chance})"));
                let verb = if needed.of == NeedOf::Count { "counting" } else { "needs" };
                format!(", {verb} {}: {said}{chance}", need(needed))
            }
            None if words.chars().count() <= WORDS => format!("; {words}: {said}"),
            None if matches!(gives, Value::Flag(_)) => return,
            None => format!("; {said}"),
        };
        scope.judged = true;
        if let Some(line) = self.lines.get_mut(*line) {
            line.text += &told;
        }
    }

    /// Returns the thing that acts: `of`, unless it is a player.
    fn who(&self, of: Option<&ShortText>) -> String {
        let who = of.filter(|of| !of.is_empty() && !self.players.contains(of)).cloned();
        let actor = || self.stack.iter().rev().find_map(|s| s.actor.clone());
        who.or_else(actor).map_or(String::new(), |who| who.to_string())
    }

    /// Starts a line below its heading.
    fn line(&mut self, event: &Event, who: String, said: &str, told: Told) -> &mut StoryLine {
        self.time_over();
        self.begin();
        let clauses = match event.clauses.is_empty() {
            false => event.clauses.clone(),
            true => self.stack.iter().rev().map(|s| &s.clauses).find(|c| !c.is_empty()).cloned().unwrap_or_default(),
        };
        let mut line = StoryLine { who, clauses, events: vec![event.seq], ..StoryLine::default() };
        line.stand_in = self.stack.last().is_some_and(|s| s.stand_in);
        for scope in &mut self.stack {
            if let Some(action) = scope.untold.take() {
                line.text = format!("{action}: ");
            }
        }
        line.text += said;
        self.lean(&mut line);
        self.lines.push(line);
        self.open = Some((told, self.scope(), self.who(None)));
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }

    fn scope(&self) -> u64 {
        self.stack.last().map_or(0, |s| s.id)
    }

    /// Marks a line with the readings that it depends on.
    fn lean(&mut self, line: &mut StoryLine) {
        for (reading, clauses) in self.stack.iter_mut().flat_map(|s| s.leaned.drain(..)) {
            line.reading = true;
            line.cite(&clauses);
            self.mattered.insert(reading);
        }
    }

    /// Adds to the last line, as a change or as text, and returns whether there was room.
    fn join(&mut self, event: &Event, who: &str, said: &str, change: bool) -> bool {
        let stand_in = self.stack.last().is_some_and(|s| s.stand_in);
        let untold = self.stack.iter().any(|s| s.untold.is_some());
        let Some((.., acted)) = &self.open else { return false };
        let acts = self.who(None);
        if !self.over.is_empty() || untold || self.place() != self.heading || !acted.is_empty() && *acted != acts {
            return false;
        }
        let Some(line) = self.lines.last() else { return false };
        let who = if who.is_empty() || line.who == who { String::new() } else { format!("{who} ") };
        let mut joined = line.clone();
        joined.cite(&event.clauses);
        self.stack.iter().flat_map(|s| &s.leaned).for_each(|(_, clauses)| joined.cite(clauses));
        match change {
            true => joined.changes.push(format!("{who}{said}")),
            false => joined.text += &format!("; {who}{said}"),
        }
        if line.sort != LineSort::Event || line.stand_in != stand_in || columns(&joined, self.names) > WIDTH {
            return false;
        }
        self.lean(&mut joined);
        joined.events.push(event.seq);
        self.lines.pop();
        self.lines.push(joined);
        true
    }

    /// Returns the heading of the running scopes.
    fn place(&self) -> String {
        let mut parts: Vec<&str> = Vec::new();
        let mut player = "";
        for (name, whose) in self.stack.iter().filter_map(|s| s.heading.as_ref()) {
            parts.push(name);
            if !whose.is_empty() {
                player = whose;
            }
        }
        let parts = parts.join(", ");
        match (parts.is_empty(), player.is_empty()) {
            (true, _) => self.step.clone(),
            (false, true) => parts,
            (false, false) => format!("{player}: {parts}"),
        }
    }

    /// Prints the heading if it is not the one before.
    fn begin(&mut self) {
        let heading = self.place();
        if heading != self.heading && !heading.is_empty() {
            self.heading.clone_from(&heading);
            self.lines.push(StoryLine { sort: LineSort::Heading, text: heading, ..StoryLine::default() });
        }
    }

    fn decision(&mut self, event: &Event) {
        let What::Decision { of, action, answer, .. } = &event.what else { return };
        let acts = match answer {
            Value::Action { with, .. } => with.iter().find_map(|(_, v)| match v {
                Value::Thing(thing) => Some(thing),
                _ => None,
            }),
            _ => None,
        };
        let who = self.who(of.as_ref());
        // the picked thing acts
        let who = acts.filter(|_| who.is_empty()).map_or(who, ToString::to_string);
        let said = decision(&event.what, &who);
        let joins = !*action
            && self.open.as_ref().is_some_and(|(told, scope, _)| *told == Told::Decision && *scope == self.scope())
            && self.lines.last().is_some_and(|l| l.who == who && l.changes.is_empty());
        if !(joins && self.join(event, &who, &said, false)) {
            self.line(event, who, &said, Told::Decision);
        }
    }

    fn rolled(&mut self, event: &Event, name: &ShortText, of: Option<&ShortText>) {
        let said = match &event.what {
            What::Draw { picks, among, .. } => {
                let picks = picks.iter().map(Value::to_string).collect::<Vec<_>>().join(" ");
                format!("{}: drawn from {}: {picks}", spoken(name), among.len())
            }
            what => format!("{} {}", spoken(name), roll(what)),
        };
        let who = self.who(of);
        let joins = match self.open {
            Some((Told::Decision, ..)) => self.lines.last().is_some_and(|l| l.who == who && l.changes.is_empty()),
            Some((Told::Roll, scope, _)) => {
                scope == self.scope() && self.stack.last().is_some_and(|scope| !scope.judged)
            }
            _ => false,
        };
        if !(joins && self.join(event, &who, &said, false)) {
            self.line(event, who, &said, Told::Roll);
        }
        self.open = Some((Told::Roll, self.scope(), self.who(None)));
        let at = self.lines.len() - 1;
        if let Some(scope) = self.stack.last_mut() {
            (scope.rolled, scope.judged) = (Some((at, event.what.clone())), false);
        }
    }

    /// Adds a change to the line that caused it if there is room, and else starts a line.
    fn change(&mut self, event: &Event) {
        let Some(Changed { who, text }) = change(&event.what) else { return };
        if self.join(event, &who, &text, true) {
            return;
        }
        let acts = self.who(Some(&ShortText::from(&who)));
        let text = if who.is_empty() || acts == who { text } else { format!("{who} {text}") };
        self.line(event, acts, "", Told::Other).changes.push(text);
    }

    fn expired(&mut self, event: &Event) {
        let Some(changed) = change(&event.what) else { return };
        match self.over.iter_mut().find(|(figure, ..)| *figure == changed.text) {
            Some((_, things, events)) => {
                things.push(changed.who);
                events.push(event.seq);
            }
            None => self.over.push((changed.text, vec![changed.who], vec![event.seq])),
        }
    }

    /// Adds a line with the values whose duration ended.
    fn time_over(&mut self) {
        if self.over.is_empty() {
            return;
        }
        let over = std::mem::take(&mut self.over);
        let said = over.iter().map(|(figure, things, _)| format!("{} {figure}", things.join(", ")).trim().to_string());
        let text = format!("over: {}", said.collect::<Vec<_>>().join("; "));
        let events = over.iter().flat_map(|(.., events)| events.iter().copied()).collect();
        self.lines.push(StoryLine { text, events, ..StoryLine::default() });
    }

    fn plain(&mut self, text: String, event: &Event) {
        self.lines.push(StoryLine { sort: LineSort::Plain, text, events: vec![event.seq], ..StoryLine::default() });
    }

    /// Prints an event as in the other traces.
    fn verbatim(&mut self, event: &Event) {
        self.time_over();
        self.begin();
        let flat = Event { depth: 0, ..event.clone() };
        self.plain(render(&[flat], TraceDetail::Full).trim_end().to_string(), event);
    }

    /// Resets the state at the end of a step.
    fn close(&mut self) {
        self.time_over();
        self.stack.clear();
        (self.open, self.chosen, self.stand_in) = (None, None, None);
    }

    fn summary(&mut self, event: &Event, held: u32, claimed: u32) {
        self.close();
        let mut parts = Vec::new();
        if claimed > 0 {
            let (noun, verb) = if claimed == 1 { ("expectation", "holds") } else { ("expectations", "hold") };
            parts.push(format!("{held} of {claimed} {noun} {verb}"));
        }
        let mattered: Vec<&str> = self.mattered.iter().map(ShortText::as_str).collect();
        let others = self.asked.len() - mattered.len();
        if !self.asked.is_empty() {
            let noun = if mattered.len() == 1 { "reading" } else { "readings" };
            let named = format!("{} {noun} decided a line (`!`): {}", mattered.len(), mattered.join(", "));
            parts.push(match (mattered.len(), others) {
                (0, 1) => "1 reading is in force and decided no line".to_string(),
                (0, _) => format!("{others} readings are in force and decided no line"),
                (_, 0) => named,
                _ => format!("{named}; {others} more are in force"),
            });
        }
        let stand_ins = self.lines.iter().filter(|l| l.stand_in).count();
        if stand_ins > 0 {
            let rest = if stand_ins == 1 {
                "1 line is a stand-in".to_string()
            } else {
                format!("{stand_ins} lines are stand-ins")
            };
            parts.push(rest);
        }
        if !parts.is_empty() {
            self.plain(format!("{}.", parts.join(". ")), event);
        }
    }
}
