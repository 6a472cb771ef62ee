//! Walks the events of a trace and tells those that matter.

use super::layout::{WIDTH, columns};
use super::wording::{change, decision, given, moved, spoken};
use super::{LineSort, Story, StoryLine, is_told};
use grognard_base::value::Value;
use grognard_base::value::plain::ShortText;
use grognard_play::record::{Argument, Event, ScopeSort, TraceDetail, What, render, roll};
use grognard_vm::Remark;
use std::collections::BTreeSet;

/// Tells the story of a trace.
pub(super) fn tell(events: &[Event]) -> Story {
    let mut teller = Teller::default();
    for event in events {
        teller.event(event);
    }
    teller.over();
    Story { lines: teller.lines }
}

/// A phase, action, rule, test, proc or event that runs.
struct Scope {
    sort: ScopeSort,
    name: ShortText,
    clauses: Vec<ShortText>,
    stand_in: bool,
    /// Its part of the heading.
    heading: Option<String>,
    /// The thing that acts in it.
    actor: Option<ShortText>,
    /// The action, until a line says it.
    untold: Option<String>,
    /// Readings whose effect no line has shown yet, by name and clauses.
    leaned: Vec<(ShortText, Vec<ShortText>)>,
    /// The line of its last roll, and the name of the roll.
    rolled: Option<(usize, ShortText)>,
    /// Whether the line of its last roll has an outcome.
    judged: bool,
}

#[derive(Default)]
struct Teller {
    lines: Vec<StoryLine>,
    stack: Vec<Scope>,
    players: Vec<ShortText>,
    /// The heading that was printed last.
    heading: String,
    /// The step of the scenario, if no line was told in it.
    step: String,
    /// The last choice of an action, and whether a line told it.
    chosen: Option<(Value, bool)>,
    /// The stand-in whose scope comes next.
    stand_in: Option<ShortText>,
    /// Figures whose time is over: figure, things, events.
    over: Vec<(String, Vec<String>, Vec<u64>)>,
    /// The line that the next move joins, if it happens in the same scope, with the depth of that scope.
    moves: Option<(usize, u32)>,
    mattered: BTreeSet<ShortText>,
    asked: BTreeSet<ShortText>,
}

impl Teller {
    fn event(&mut self, event: &Event) {
        match &event.what {
            What::Header { players, .. } => {
                self.players = players.iter().map(|(who, _)| who.clone()).collect();
                self.plain(render(std::slice::from_ref(event), TraceDetail::Brief).trim_end().to_string(), event);
            }
            What::Step { statement } => {
                self.close();
                self.step = statement.to_string();
            }
            What::Enter { sort, name, args, .. } => self.enter(event, *sort, name, args),
            What::Leave { sort, name, result } => self.leave(*sort, name, result.as_ref()),
            What::StandIn { name, .. } => self.stand_in = Some(name.clone()),
            What::Leaned { reading, here, .. } => {
                self.asked.insert(reading.clone());
                // a reading that only selects a statement does not show what the other alternative does
                if !here.is_empty()
                    && let Some(scope) = self.stack.last_mut()
                {
                    scope.leaned.push((reading.clone(), event.clauses.clone()));
                }
            }
            What::Value { name, value, words, .. } => {
                self.outcome(&words.to_string(), || format!("{} {value}", spoken(name)), || words.to_string());
            }
            What::Condition { holds, words, .. } => {
                let verdict = if *holds { "yes" } else { "no" };
                self.outcome(&words.to_string(), || verdict.to_string(), || words.to_string());
            }
            What::Expect { holds: false, .. } | What::Fault { .. } | What::Truncated { .. } => self.verbatim(event),
            What::Remark(Remark::Stops | Remark::Stopped { .. }) | What::Stuck { .. } => self.verbatim(event),
            What::Summary { held, claimed, .. } => self.summary(event, *held, *claimed),
            What::Decision { answer, action, player, .. } => {
                self.players.extend(player.clone().filter(|p| !self.players.contains(p)));
                let told = is_told(event);
                if told {
                    self.decision(event);
                }
                if *action {
                    self.chosen = Some((answer.clone(), told));
                }
            }
            _ if !is_told(event) => {}
            What::Roll { name, of, .. } | What::Draw { name, of, .. } => self.roll(event, name, of.as_ref()),
            What::Moved { thing, .. } => self.moved(event, thing),
            What::Expired { .. } | What::Lose { expired: true, .. } => self.expired(event),
            _ => self.change(event),
        }
    }

    fn enter(&mut self, event: &Event, sort: ScopeSort, name: &ShortText, args: &[Argument]) {
        let things = args.iter().filter_map(|a| match &a.value {
            Value::Thing(thing) => Some(thing),
            _ => None,
        });
        let mut actor = things.clone().find(|thing| !self.players.contains(thing)).cloned();
        let mut heading = None;
        let mut untold = None;
        match sort {
            ScopeSort::Phase if actor.is_none() => {
                let player = things.clone().next().map_or(String::new(), |player| format!(" {player}"));
                let rest = given(args, &self.players);
                let rest = if rest.is_empty() { rest } else { format!(" ({rest})") };
                heading = Some(format!("{}{player}{rest}", spoken(name)));
            }
            ScopeSort::Phase => {}
            ScopeSort::Action => {
                if let Some((Value::Action { name: chosen, with }, told)) = self.chosen.take()
                    && chosen == *name
                {
                    actor = with.iter().find_map(|(_, v)| match v {
                        Value::Thing(thing) => Some(thing.clone()),
                        _ => None,
                    });
                    untold = (!told).then(|| spoken(name));
                }
            }
            _ => actor = None,
        }
        if self.stack.is_empty() && heading.is_none() {
            let with = given(args, &[]);
            heading = Some(if with.is_empty() { spoken(name) } else { format!("{}: {with}", spoken(name)) });
        }
        if sort == ScopeSort::Phase {
            // the phase names who acts, so the action that runs it is clear
            self.stack.last_mut().into_iter().for_each(|outer| outer.untold = None);
        }
        // what the rules of the book do in a stand-in is the book's
        let inside = sort != ScopeSort::Rule && self.stack.last().is_some_and(|outer| outer.stand_in);
        let stand_in = self.stand_in.take_if(|expected| expected == name).is_some() || inside;
        self.stack.push(Scope {
            sort,
            name: name.clone(),
            clauses: event.clauses.clone(),
            stand_in,
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
        self.moves = None;
        let Some((line, _)) = scope.rolled else { return };
        let verdict = match result {
            Some(Value::Word(word)) if sort == ScopeSort::Test => format!(", {}", spoken(word)),
            Some(figures @ Value::Record(_)) if !scope.judged => format!(", {figures}"),
            _ => return,
        };
        if let Some(line) = self.lines.get_mut(line) {
            line.text += &verdict;
        }
    }

    /// Adds what a roll gave to its line: the first value or condition that names it.
    fn outcome(&mut self, words: &str, gives: impl Fn() -> String, because: impl Fn() -> String) {
        let Some(scope) = self.stack.last_mut() else { return };
        let Some((line, name)) = scope.rolled.clone().filter(|_| !scope.judged) else { return };
        let mut named = words.split(|c: char| !c.is_alphanumeric() && c != '_');
        if !named.any(|word| word == name.as_str()) {
            return;
        }
        scope.judged = true;
        if let Some(line) = self.lines.get_mut(line) {
            line.text += &format!("; {}: {}", because(), gives());
        }
    }

    /// Starts a line below its heading.
    fn line(&mut self, event: &Event, of: Option<&ShortText>) -> &mut StoryLine {
        self.time_over();
        self.begin();
        let who = of.filter(|of| !self.players.contains(of)).cloned();
        let actor = || self.stack.iter().rev().find_map(|s| s.actor.clone());
        let who = who.or_else(actor).map_or(String::new(), |who| who.to_string());
        let clauses = match event.clauses.is_empty() {
            false => event.clauses.clone(),
            true => self.stack.iter().rev().map(|s| &s.clauses).find(|c| !c.is_empty()).cloned().unwrap_or_default(),
        };
        let mut line = StoryLine { who, clauses, events: vec![event.seq], ..StoryLine::default() };
        line.stand_in = self.stack.last().is_some_and(|s| s.stand_in);
        for scope in &mut self.stack {
            for (reading, clauses) in scope.leaned.drain(..) {
                line.reading = true;
                line.clauses.extend(clauses.into_iter().filter(|c| !line.clauses.contains(c)).collect::<Vec<_>>());
                self.mattered.insert(reading);
            }
            if let Some(action) = scope.untold.take() {
                line.text = format!("{action}: ");
            }
        }
        self.moves = None;
        self.lines.push(line);
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }

    /// Prints the heading if it is not the one before.
    fn begin(&mut self) {
        let parts: Vec<&str> = self.stack.iter().filter_map(|s| s.heading.as_deref()).collect();
        let heading = if parts.is_empty() { self.step.clone() } else { parts.join(", ") };
        if heading != self.heading && !heading.is_empty() {
            self.heading.clone_from(&heading);
            self.lines.push(StoryLine { sort: LineSort::Heading, text: heading, ..StoryLine::default() });
        }
    }

    fn decision(&mut self, event: &Event) {
        let What::Decision { of, .. } = &event.what else { return };
        let said = decision(&event.what);
        let line = self.line(event, of.as_ref());
        line.text += &said;
    }

    fn roll(&mut self, event: &Event, name: &ShortText, of: Option<&ShortText>) {
        let said = match &event.what {
            What::Draw { picks, among, .. } => {
                let picks = picks.iter().map(Value::to_string).collect::<Vec<_>>().join(" ");
                format!("{}: drawn from {}: {picks}", spoken(name), among.len())
            }
            what => format!("{} {}", spoken(name), roll(what)),
        };
        let line = self.line(event, of);
        line.text += &said;
        let at = self.lines.len() - 1;
        if let Some(scope) = self.stack.last_mut() {
            (scope.rolled, scope.judged) = (Some((at, name.clone())), false);
        }
    }

    fn moved(&mut self, event: &Event, thing: &ShortText) {
        let said = moved(&event.what);
        let joined = format!("; {thing} {said}");
        if let Some((at, depth)) = self.moves
            && depth == event.depth
            && let Some(line) = self.lines.get_mut(at)
            && columns(line) + joined.chars().count() <= WIDTH
        {
            line.text += &joined;
            line.events.push(event.seq);
            return;
        }
        let line = self.line(event, Some(thing));
        line.text += &said;
        self.moves = Some((self.lines.len() - 1, event.depth));
    }

    /// Adds a change to the line that caused it if there is room, and else starts a line.
    fn change(&mut self, event: &Event) {
        let Some(changed) = change(&event.what) else { return };
        self.time_over();
        let stand_in = self.stack.last().is_some_and(|s| s.stand_in);
        let fresh = self.stack.iter().any(|s| !s.leaned.is_empty());
        let parts: Vec<&str> = self.stack.iter().filter_map(|s| s.heading.as_deref()).collect();
        let same = !parts.is_empty() && parts.join(", ") == self.heading;
        if let Some(line) = self.lines.last_mut()
            && same
            && !fresh
            && line.sort == LineSort::Event
            && line.stand_in == stand_in
        {
            let who = if line.who == changed.who { String::new() } else { format!("{} ", changed.who) };
            let said = format!("{who}{}", changed.text);
            if columns(line) + said.chars().count() + 2 <= WIDTH {
                line.clauses.extend(event.clauses.iter().filter(|c| !line.clauses.contains(c)).cloned().collect::<Vec<_>>());
                line.changes.push(said);
                line.events.push(event.seq);
                return;
            }
        }
        let who = ShortText::from(&changed.who);
        let line = self.line(event, Some(&who));
        let who = if line.who == changed.who || changed.who.is_empty() { String::new() } else { format!("{} ", changed.who) };
        line.changes.push(format!("{who}{}", changed.text));
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

    /// Tells the figures whose time is over, in one line.
    fn time_over(&mut self) {
        if self.over.is_empty() {
            return;
        }
        let over = std::mem::take(&mut self.over);
        let said = over.iter().map(|(figure, things, _)| format!("{} {figure}", things.join(", ")).trim().to_string());
        let text = format!("time is over: {}", said.collect::<Vec<_>>().join("; "));
        let events = over.iter().flat_map(|(.., events)| events.iter().copied()).collect();
        self.lines.push(StoryLine { text, events, ..StoryLine::default() });
    }

    fn plain(&mut self, text: String, event: &Event) {
        self.lines.push(StoryLine { sort: LineSort::Plain, text, events: vec![event.seq], ..StoryLine::default() });
    }

    /// Prints an event as the other traces do.
    fn verbatim(&mut self, event: &Event) {
        self.time_over();
        self.begin();
        let flat = Event { depth: 0, ..event.clone() };
        self.plain(render(&[flat], TraceDetail::Full).trim_end().to_string(), event);
    }

    /// Ends a step.
    fn close(&mut self) {
        self.time_over();
        self.stack.clear();
        (self.moves, self.chosen, self.stand_in) = (None, None, None);
    }

    fn over(&mut self) {
        self.time_over();
    }

    fn summary(&mut self, event: &Event, held: u32, claimed: u32) {
        self.close();
        let mut parts = Vec::new();
        if claimed > 0 {
            let (noun, verb) = if claimed == 1 { ("expectation", "holds") } else { ("expectations", "hold") };
            parts.push(format!("{held} of {claimed} {noun} {verb}"));
        }
        let mattered = self.mattered.len();
        let others = self.asked.len() - mattered;
        if mattered + others > 0 {
            let noun = if mattered == 1 { "reading" } else { "readings" };
            parts.push(format!("{mattered} {noun} mattered to a line, {others} chose a statement or changed no line"));
        }
        let stand_ins = self.lines.iter().filter(|l| l.stand_in).count();
        if stand_ins > 0 {
            let rest = if stand_ins == 1 { "1 line is a stand-in".to_string() } else { format!("{stand_ins} lines are stand-ins") };
            parts.push(rest);
        }
        if !parts.is_empty() {
            self.plain(format!("{}.", parts.join(". ")), event);
        }
    }
}
