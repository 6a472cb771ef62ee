//! Provenance of a value in one run: the events after which it changed, and the chain of rules, tests and decisions that
//! led to each. Of an action: the menus it was not on, and the line of its header that refused it.

mod head;
mod near;

pub use head::{HeadCondition, Unmet, head_conditions, heads};
pub use near::{Lent, Made, Origin, Tested, Tests, lenders, origins, tested};

use super::record::{Event, Recorder, ScopeSort, What};
use super::watch::{Look, Looked};
use super::{Options, Outcome, watch};
use grognard_base::did_you_mean;
use grognard_base::value::Value;
use grognard_base::value::plain::ShortText;
use grognard_scenario::Scenario;
use grognard_vm::{Game, Happening, State};

/// One change of the value that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The place of the event behind which it is another.
    pub at: usize,
    /// What it was; nothing where it could not be told, as of a thing that is not there.
    pub before: Option<Value>,
    /// What it is then.
    pub after: Option<Value>,
}

/// What became of a value.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// All that happened.
    pub events: Vec<Event>,
    /// What the value is before the first step.
    pub start: Option<Value>,
    /// Its changes, in order.
    pub changes: Vec<Change>,
    /// The tests that were made.
    pub tests: Tests,
    /// The run is over; else the last position is the one where it waits.
    pub over: bool,
}

impl Provenance {
    /// What the value is at the end, or where the run waits.
    pub fn end(&self) -> Option<&Value> {
        self.changes.last().map_or(self.start.as_ref(), |change| change.after.as_ref())
    }
}

/// Plays a scenario once and follows a figure of its report through it. A figure is worked out on the position after each
/// event; tallies count as 0 there.
pub fn provenance<'a>(
    scenario: &'a Scenario,
    figure: usize,
    options: Options<'a>,
    recorder: Recorder<'a>,
) -> (Outcome, Provenance) {
    let look = Follow::new(scenario, figure);
    let mut looked = Looked { recorder, look };
    let outcome = watch(scenario, options, &mut looked);
    let Looked { recorder, mut look } = looked;
    // the position at the end is looked at once more: a step may write what no event tells
    look.note(&outcome.state, recorder.seen());
    (outcome, look.finish(recorder, true))
}

/// Follows a figure of the report through a run.
pub(super) struct Follow<'a> {
    scenario: &'a Scenario,
    figure: usize,
    start: Option<Value>,
    last: Option<Value>,
    changes: Vec<Change>,
    tests: Tests,
}

impl<'a> Follow<'a> {
    /// Before the first event.
    pub fn new(scenario: &'a Scenario, figure: usize) -> Follow<'a> {
        let (changes, tests) = (Vec::new(), Tests::default());
        let mut follow = Follow { scenario, figure, last: None, start: None, changes, tests };
        follow.start = follow.value(&scenario.game.start);
        follow.last.clone_from(&follow.start);
        follow
    }

    /// What became of the figure, in a run that is over or goes on.
    pub fn finish(self, recorder: Recorder<'_>, over: bool) -> Provenance {
        let Follow { start, changes, tests, .. } = self;
        Provenance { events: recorder.finish(), start, changes, tests, over }
    }

    fn value(&self, state: &State) -> Option<Value> {
        let asked = &self.scenario.plan.report.get(self.figure)?.asked;
        self.scenario.told(state, asked.piece, &asked.ty, &[], &[0]).ok()
    }

    /// Looks at the position behind the newest of so many events.
    pub fn note(&mut self, state: &State, seen: u64) {
        let now = self.value(state);
        if now != self.last {
            let at = (seen as usize).saturating_sub(1);
            self.changes.push(Change { at, before: std::mem::replace(&mut self.last, now.clone()), after: now });
        }
    }
}

impl Look for Follow<'_> {
    fn look(&mut self, game: &Game, state: &State, what: &Happening<'_>, seen: u64) {
        self.tests.note(game, state, what, (seen as usize).saturating_sub(1));
        self.note(state, seen);
    }
}

/// The chain that led to an event: the step, the rules it happened in, and in each of them the tests, rolls, decisions and
/// conditions since whatever else was carried out there. The event itself comes last.
pub fn chain(events: &[Event], at: usize) -> Vec<&Event> {
    let Some(last) = events.get(at) else { return Vec::new() };
    let mut kept = vec![last];
    let mut depth = last.depth;
    // what was carried out in full before at this depth hides what led to it
    let mut hidden = false;
    let mut n = at;
    while n > 0 {
        n -= 1;
        let event = &events[n];
        match &event.what {
            What::Step { .. } => {
                kept.push(event);
                break;
            }
            What::Header { .. } => break,
            What::Enter { .. } if event.depth < depth => {
                kept.push(event);
                (depth, hidden) = (event.depth, false);
            }
            what if event.depth == depth && !hidden && gives(what) => {
                n = given(events, n, &mut kept);
            }
            What::Leave { .. } if event.depth == depth => hidden = true,
            what if event.depth == depth && !hidden && bears(what) => kept.push(event),
            _ => {}
        }
    }
    kept.reverse();
    kept
}

/// True for the end of a test, and of a proc that gives a value.
fn gives(what: &What) -> bool {
    match what {
        What::Leave { sort, result, .. } => *sort == ScopeSort::Test || (*sort == ScopeSort::Proc && result.is_some()),
        _ => false,
    }
}

/// Keeps what gave a value that ends at `end`, from its end to its begin: its tests, rolls, decisions and conditions, and
/// what gave values within. The place where it begins.
fn given<'e>(events: &'e [Event], end: usize, kept: &mut Vec<&'e Event>) -> usize {
    let depth = events[end].depth;
    kept.push(&events[end]);
    let mut n = end;
    while n > 0 {
        n -= 1;
        let event = &events[n];
        match &event.what {
            What::Enter { .. } if event.depth == depth => {
                kept.push(event);
                return n;
            }
            what if event.depth == depth + 1 && gives(what) => n = given(events, n, kept),
            what if event.depth == depth + 1 && bears(what) => kept.push(event),
            _ => {}
        }
    }
    0
}

/// True for what decides how a rule goes on.
fn bears(what: &What) -> bool {
    match what {
        What::Roll { .. } | What::Draw { .. } | What::Condition { .. } | What::Case { .. } | What::Leaned { .. } => {
            true
        }
        What::Value { figure, .. } => *figure,
        What::Decision { source, action, .. } => *action || !source.is_empty(),
        What::StandIn { .. } | What::Stuck { .. } => true,
        What::Header { .. } | What::Step { .. } | What::Enter { .. } | What::Leave { .. } | What::Guard { .. } => false,
        What::Write { .. } | What::Expired { .. } | What::Gain { .. } | What::Lose { .. } | What::Used { .. } => false,
        What::Destroyed { .. } | What::Spawned { .. } | What::Moved { .. } | What::Kept { .. } => false,
        What::Turned { .. } | What::Merged { .. } | What::Remark(_) | What::Fault { .. } => false,
        What::Expect { .. } | What::Truncated { .. } | What::Summary { .. } => false,
    }
}

/// An action as it is asked for: its name, and what was chosen in its header, with or without names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its name.
    pub action: String,
    /// What was chosen: `voss`, or `officer: voss`.
    pub with: Vec<(Option<String>, String)>,
}

/// The parts between commas that stand in no bracket and no quotes.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut quoted) = (0usize, false);
    let between = |c: char| {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0 && !quoted
    };
    text.split(between).collect()
}

impl Wanted {
    /// Reads `IssueOrder`, `IssueOrder(voss, laans)`, `IssueOrder(target: laans)`; none if it is not of that form.
    pub fn read(text: &str) -> Option<Wanted> {
        let text = text.trim();
        let (name, rest) = text.split_once('(').unwrap_or((text, ")"));
        let (name, inner) = (name.trim(), rest.trim().strip_suffix(')')?.trim());
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.starts_with(|c: char| c.is_ascii_uppercase()) || !name.chars().all(word) {
            return None;
        }
        let part = |part: &str| match part.split_once(':') {
            Some((name, value)) => (Some(name.trim().to_string()), value.trim().to_string()),
            None => (None, part.trim().to_string()),
        };
        let with = if inner.is_empty() { Vec::new() } else { parts(inner).into_iter().map(part).collect() };
        Some(Wanted { action: name.to_string(), with })
    }

    /// What of it these rules and this table do not have, in words; none if it can be asked for.
    pub fn unknown(&self, scenario: &Scenario) -> Option<String> {
        let rules = &scenario.rules;
        if !rules.names.actions.contains_key(&self.action) {
            let near = did_you_mean(&self.action, rules.names.actions.keys().map(String::as_str));
            return Some(format!("these rules have no action `{}`{near}", self.action));
        }
        let things = || scenario.game.names.iter().flatten().map(String::as_str);
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let plain = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(word);
        let said = |text: &str| {
            ["yes", "no", "none", "stop"].contains(&text)
                || rules.names.cases.contains_key(text)
                || things().any(|name| name == text)
        };
        let (_, strange) = self.with.iter().find(|(_, value)| plain(value) && !said(value))?;
        Some(format!("nothing on this table is called `{strange}`{}", did_you_mean(strange, things())))
    }

    /// The phases whose menus have the action.
    pub fn phases(&self, scenario: &Scenario) -> Vec<String> {
        let rules = &scenario.rules;
        let action = rules.names.actions.get(&self.action).map(|id| &rules.actions[id.at()]);
        action.iter().flat_map(|action| &action.phases).map(|phase| rules.phases[phase.at()].name.clone()).collect()
    }

    /// True if an instance, as far as it was chosen, can be this one.
    pub fn fits(&self, instance: &Value) -> bool {
        let Value::Action { name, with } = instance else { return false };
        let same = |n: usize, (wanted, value): &(Option<String>, String)| {
            let chosen = match wanted {
                Some(wanted) => with.iter().find(|(name, _)| name == wanted),
                None => with.get(n),
            };
            chosen.is_none_or(|(_, chosen)| chosen.to_string() == *value)
        };
        *name == self.action && self.with.iter().enumerate().all(|(n, part)| same(n, part))
    }
}

/// Where an action stood at one menu.
#[derive(Clone, Debug)]
pub enum Stood {
    /// It was refused.
    Refused,
    /// It was on the menu, and something else was chosen: this.
    PassedOver(Value),
    /// It was chosen.
    Chosen,
    /// The menu has the action, and nothing that fits; no line of its header says why, as its choices have no such entry.
    NoSuchChoice,
}

/// One menu at which the action could have stood.
#[derive(Clone, Debug)]
pub struct Menu {
    /// The place of the event.
    pub at: usize,
    /// How it stood there.
    pub stood: Stood,
    /// The decision with nothing of the menu left but what fits.
    pub told: Event,
    /// Conditions of the header that kept it from the choices.
    pub unmet: Vec<Unmet>,
}

/// All menus of a run, each with what became of the action there; those that have nothing to do with it are left out. It
/// stands on the menus of these phases, though maybe with no entry, as nothing can be chosen in its header.
pub fn menus(events: &[Event], wanted: &Wanted, phases: &[String]) -> Vec<Menu> {
    let mut found = Vec::new();
    for (at, event) in events.iter().enumerate() {
        let What::Decision { action: true, menu, answer, refused, .. } = &event.what else { continue };
        let named = |v: &Value| matches!(v, Value::Action { name, .. } if *name == wanted.action);
        let known = phases.iter().any(|phase| event.rule == *phase)
            || menu.iter().any(named)
            || refused.iter().any(|r| named(&r.action));
        let why: Vec<_> = refused.iter().filter(|r| wanted.fits(&r.action)).cloned().collect();
        let stood = match (wanted.fits(answer), menu.iter().any(|v| wanted.fits(v)), why.is_empty()) {
            (true, ..) => Stood::Chosen,
            (_, true, _) => Stood::PassedOver(answer.clone()),
            (_, _, false) => Stood::Refused,
            _ if known => Stood::NoSuchChoice,
            _ => continue,
        };
        let mut told = event.clone();
        if let What::Decision { refused, .. } = &mut told.what {
            *refused = why;
        }
        found.push(Menu { at, stood, told, unmet: Vec::new() });
    }
    // menus of others say nothing where its own are found
    let other = |menu: &Menu| matches!(menu.stood, Stood::NoSuchChoice);
    let own: Vec<_> = found.iter().filter(|menu| !other(menu)).map(|menu| asked(&menu.told)).collect();
    found.retain(|menu| own.is_empty() || !other(menu) || own.contains(&asked(&menu.told)));
    found
}

/// Who was asked.
fn asked(decision: &Event) -> Option<ShortText> {
    if let What::Decision { player, .. } = &decision.what { player.clone() } else { None }
}
