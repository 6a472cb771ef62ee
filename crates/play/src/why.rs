//! Provenance of a value in one run: the events that changed it, and the chain of rules, tests and decisions that led
//! to each. For an action: the menus that omit it, and the header line that refused it.

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
use grognard_vm::{Game, MachineEvent, State};

/// One change of the traced value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Index of the event that changed it.
    pub at: usize,
    /// Old value, or `None` if it could not be evaluated, for example for a thing that does not exist.
    pub before: Option<Value>,
    /// New value.
    pub after: Option<Value>,
}

/// The history of a value.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// All events of the run.
    pub events: Vec<Event>,
    /// Value before the first step.
    pub start: Option<Value>,
    /// Changes, in order.
    pub changes: Vec<Change>,
    /// Tests made during the run.
    pub tests: Tests,
    /// Whether the run is over. If not, the last state is the one in which it waits.
    pub over: bool,
}

impl Provenance {
    /// Returns the value at the end, or where the run waits.
    pub fn end(&self) -> Option<&Value> {
        self.changes.last().map_or(self.start.as_ref(), |change| change.after.as_ref())
    }
}

/// Plays a scenario once and traces a measure of its report. The measure is evaluated on the state after each event,
/// with all tallies equal to 0.
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
    // the final state is evaluated as well, because a step can write without an event
    look.note(&outcome.state, recorder.seen());
    (outcome, look.finish(recorder, true))
}

/// Traces a measure of the report through a run.
pub(super) struct Follow<'a> {
    scenario: &'a Scenario,
    figure: usize,
    start: Option<Value>,
    last: Option<Value>,
    changes: Vec<Change>,
    tests: Tests,
}

impl<'a> Follow<'a> {
    /// Starts the trace before the first event.
    pub fn new(scenario: &'a Scenario, figure: usize) -> Follow<'a> {
        let (changes, tests) = (Vec::new(), Tests::default());
        let mut follow = Follow { scenario, figure, last: None, start: None, changes, tests };
        follow.start = follow.value(&scenario.game.start);
        follow.last.clone_from(&follow.start);
        follow
    }

    /// Returns the history of the measure. `over` is whether the run is over.
    pub fn finish(self, recorder: Recorder<'_>, over: bool) -> Provenance {
        let Follow { start, changes, tests, .. } = self;
        Provenance { events: recorder.finish(), start, changes, tests, over }
    }

    fn value(&self, state: &State) -> Option<Value> {
        let asked = &self.scenario.plan.report.get(self.figure)?.asked;
        self.scenario.value_at(state, asked.piece, &asked.ty, &[], &[0]).ok()
    }

    /// Evaluates the measure on the state after the newest of `seen` events.
    pub fn note(&mut self, state: &State, seen: u64) {
        let now = self.value(state);
        if now != self.last {
            let at = (seen as usize).saturating_sub(1);
            self.changes.push(Change { at, before: std::mem::replace(&mut self.last, now.clone()), after: now });
        }
    }
}

impl Look for Follow<'_> {
    fn look(&mut self, game: &Game, state: &State, what: &MachineEvent<'_>, seen: u64) {
        self.tests.note(game, state, what, (seen as usize).saturating_sub(1));
        self.note(state, seen);
    }
}

/// Returns the chain that led to an event: the step, the enclosing rules, and the tests, rolls, decisions and
/// conditions in each rule since its last completed call. The event itself is last.
pub fn chain(events: &[Event], at: usize) -> Vec<&Event> {
    let Some(last) = events.get(at) else { return Vec::new() };
    let mut kept = vec![last];
    let mut depth = last.depth;
    // a call completed earlier at this depth hides what precedes it
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

/// Returns whether the event ends a test or a proc with a result.
fn gives(what: &What) -> bool {
    match what {
        What::Leave { sort, result, .. } => *sort == ScopeSort::Test || (*sort == ScopeSort::Proc && result.is_some()),
        _ => false,
    }
}

/// Keeps the events of a call that ends at `end`: its tests, rolls, decisions, conditions and nested calls with a
/// result. Works backward and returns the index at which the call begins.
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

/// Returns whether the event decides how a rule continues.
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

/// A query for an action: its name and the choices in its header, with or without names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Name of the action.
    pub action: String,
    /// Choices: `voss`, or `officer: voss`.
    pub with: Vec<(Option<String>, String)>,
}

/// Splits at commas outside brackets and quotes.
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
    /// Parses `IssueOrder`, `IssueOrder(voss, laans)` or `IssueOrder(target: laans)`. Returns `None` for other text.
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

    /// Describes the part of the query that these rules or this scenario do not define. Returns `None` if the query is
    /// valid.
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

    /// Returns the phases whose menus list the action.
    pub fn phases(&self, scenario: &Scenario) -> Vec<String> {
        let rules = &scenario.rules;
        let action = rules.names.actions.get(&self.action).map(|id| &rules.actions[id.at()]);
        action.iter().flat_map(|action| &action.phases).map(|phase| rules.phases[phase.at()].name.clone()).collect()
    }

    /// Returns whether an instance matches the query.
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

/// The status of an action at one menu.
#[derive(Clone, Debug)]
pub enum Stood {
    /// The action was refused.
    Refused,
    /// The action was on the menu, but this answer was chosen.
    PassedOver(Value),
    /// The action was chosen.
    Chosen,
    /// The menu lists the action, but no instance matches. No header line explains it, because the choices have no such
    /// entry.
    NoSuchChoice,
}

/// One menu on which the action could have appeared.
#[derive(Clone, Debug)]
pub struct Menu {
    /// Index of the event.
    pub at: usize,
    /// Status of the action at this menu.
    pub stood: Stood,
    /// The decision, with only the matching refusals kept.
    pub rendered: Event,
    /// Conditions of the header that excluded the choice.
    pub unmet: Vec<Unmet>,
}

/// Returns the menus of a run that relate to the action, each with the status of the action. The action belongs to the
/// menus of `phases`, even if a menu has no entry for it because a choice in its header has no candidates.
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
        let mut rendered = event.clone();
        if let What::Decision { refused, .. } = &mut rendered.what {
            *refused = why;
        }
        found.push(Menu { at, stood, rendered, unmet: Vec::new() });
    }
    // menus of other players are irrelevant once the player's own menus are found
    let other = |menu: &Menu| matches!(menu.stood, Stood::NoSuchChoice);
    let own: Vec<_> = found.iter().filter(|menu| !other(menu)).map(|menu| asked(&menu.rendered)).collect();
    found.retain(|menu| own.is_empty() || !other(menu) || own.contains(&asked(&menu.rendered)));
    found
}

/// Returns the player who decides.
fn asked(decision: &Event) -> Option<ShortText> {
    if let What::Decision { player, .. } = &decision.what { player.clone() } else { None }
}
