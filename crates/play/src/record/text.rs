//! Human-readable traces: one line per event, to be read alongside the rulebook.

use super::event::{Argument, Cut, Edge, Event, Refusal, ScopeSort, Slot, Until, What};
use super::lines::{TraceLine, indent, length};
use grognard_base::safe::clean;
use grognard_base::value::Value;
use grognard_base::value::plain::{ShortText, Words};
use grognard_vm::{Hindrance, Remark};
use std::collections::HashMap;
use std::fmt::{Display, Write};

/// How much of a trace is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceDetail {
    /// Every event.
    Full,
    /// Scopes, decisions, rolls, changes, readings, test results, and every number that decided something. A refusal of
    /// a possible action is printed until its reason changes.
    Brief,
}

/// Menus with more characters than this are printed as their size.
const LONG_MENU: usize = 150;

/// Pools of more dice than this are printed as counts per face.
const LARGE_POOL: usize = 40;

/// Returns the text of a trace.
pub fn render(events: &[Event], detail: TraceDetail) -> String {
    let (mut out, mut before) = (String::new(), Before::default());
    events.iter().for_each(|event| entry(event, detail, &mut before, &mut out));
    out
}

/// Returns the text of each event; empty for an event that is not printed.
pub fn render_each(events: &[Event], detail: TraceDetail) -> Vec<String> {
    let mut before = Before::default();
    let text = |event: &Event| {
        let mut out = String::new();
        entry(event, detail, &mut before, &mut out);
        out
    };
    events.iter().map(text).collect()
}

fn entry(event: &Event, detail: TraceDetail, before: &mut Before, out: &mut String) {
    match &event.what {
        What::Header { .. } => header(event, out),
        What::Step { statement } => *out += &format!("step    {}\n", clean(statement)),
        What::Expect { claim, holds: false, .. } => *out += &format!("expect  fails: {}\n", clean(claim)),
        What::Expect { .. } => {}
        What::Summary { held, claimed, leaned } => summary(*held, *claimed, leaned, out),
        _ => lines(event, (detail == TraceDetail::Brief).then_some(before), out),
    }
}

fn header(event: &Event, out: &mut String) {
    let What::Header { command, ruleset, version, below, settings, dice, players } = &event.what else { return };
    let mut rules = format!("rules {ruleset} {version}").trim_end().to_string();
    for (path, version) in below {
        rules += format!(" of {path} {version}").trim_end();
    }
    let mut parts = vec![rules];
    if !dice.is_empty() {
        parts.push(format!("dice {dice}"));
    }
    if !players.is_empty() {
        let players: Vec<String> = players.iter().map(|(who, source)| format!("{who} {source}")).collect();
        parts.push(players.join(", "));
    }
    let command = clean(format!("grognard {command}").trim_end());
    let rest = clean(&parts.join(" | "));
    if length(&command) + length(&rest) + 4 <= super::lines::WIDTH {
        *out += &format!("{command:38}  {rest}\n");
    } else {
        *out += &format!("{command}\n    {rest}\n");
    }
    for (name, value, usual) in settings {
        *out += &format!("    {}\n", clean(&format!("with {name} = {value}, by default {usual}")));
    }
    out.push('\n');
}

fn summary(held: u32, claimed: u32, leaned: &[ShortText], out: &mut String) {
    if claimed > 0 {
        *out += &format!("expect  {held} of {claimed} hold{}\n", if claimed == 1 { "s" } else { "" });
    }
    if !leaned.is_empty() {
        let mut line = TraceLine::new(0, ' ', "", leaned.join("  "));
        line.head = "depends on".to_string();
        let mut text = String::new();
        line.write(&mut text);
        *out += text.trim_start();
    }
}

/// Name of a decision, its subject, and its player.
type RefusedTo = (ShortText, Option<ShortText>, Option<ShortText>);

/// Refusals that a brief trace has already printed.
#[derive(Default)]
struct Before {
    /// Refused actions with their reasons, by decision.
    refused: HashMap<RefusedTo, Vec<(Value, Words)>>,
    /// Text of the failed guard, by rule and bearer.
    guards: HashMap<(ShortText, Option<ShortText>), String>,
}

impl Before {
    /// Returns whether a brief trace omits the event.
    fn leaves_out(&mut self, event: &Event, line: &TraceLine<'_>) -> bool {
        match &event.what {
            What::Value { figure, .. } | What::Condition { figure, .. } | What::Case { figure, .. } => !figure,
            What::Guard { never: true, .. } => true,
            What::Guard { name, bearer, words, .. } => {
                let words = words.to_string();
                self.guards.insert((name.clone(), bearer.clone()), words.clone()).is_some_and(|last| last == words)
            }
            _ => line.mark == '.' || line.mark == '=' || line.mark == '<' && line.body.is_empty(),
        }
    }

    /// Returns the refusals to print, and the number of refusals that are unchanged.
    fn news<'e>(&mut self, asked: RefusedTo, refused: &'e [Refusal]) -> (Vec<&'e Refusal>, usize) {
        let could: Vec<&Refusal> = refused.iter().filter(|r| !r.never).collect();
        let now = could.iter().map(|r| (r.action.clone(), r.why.clone())).collect();
        let last = self.refused.insert(asked, now).unwrap_or_default();
        let as_before = |r: &&Refusal| last.iter().any(|(action, why)| *action == r.action && *why == r.why);
        let (old, new): (Vec<&Refusal>, Vec<&Refusal>) = could.into_iter().partition(as_before);
        (new, old.len())
    }
}

/// Writes the lines of an event inside a run. `before` is set for a brief trace.
fn lines(event: &Event, mut before: Option<&mut Before>, out: &mut String) {
    if let What::Decision { source, .. } = &event.what
        && !source.is_empty()
    {
        return decision(event, before, out);
    }
    let Some(mut line) = line(event) else { return };
    if before.as_mut().is_some_and(|before| before.leaves_out(event, &line)) {
        return;
    }
    (line.clauses, line.variant) = (&event.clauses, &event.variant);
    line.write(out);
    refusals(event, before, out);
}

/// Writes the refused actions and the reasons.
fn refusals(event: &Event, before: Option<&mut Before>, out: &mut String) {
    let What::Decision { name, of, player, refused, .. } = &event.what else { return };
    let (rendered, others) = match before {
        Some(before) => before.news((name.clone(), of.clone(), player.clone()), refused),
        None => (refused.iter().collect(), 0),
    };
    for Refusal { action, why, clauses, .. } in rendered {
        let mut line = TraceLine::new(event.depth + 1, '-', action.to_string(), format!("refused: {why}"));
        line.clauses = clauses;
        line.write(out);
    }
    if others > 0 {
        let rendered = if others == 1 { "1 other".to_string() } else { format!("{others} others") };
        TraceLine::new(event.depth + 1, '-', rendered, "refused as before").write(out);
    }
}

/// Returns the line of an event other than a decision.
fn line(event: &Event) -> Option<TraceLine<'_>> {
    let say = |mark: char, head: &str, body: String| Some(TraceLine::new(event.depth, mark, head, body));
    let quoted = |title: &str| if title.is_empty() { String::new() } else { format!("\"{title}\"") };
    match &event.what {
        What::Enter { sort, name, args, title, stand_in } => {
            let word = if *sort == ScopeSort::Event { "emit " } else { "" };
            say(if *stand_in { '~' } else { '>' }, &format!("{word}{name}{}", arguments(args)), quoted(title))
        }
        What::Leave { name, result, .. } => say('<', name, rendered("", result)),
        What::Roll { name, .. } => say('*', name, roll(&event.what)),
        What::Draw { name, among, .. } if among.is_empty() => say('.', name, "nothing to draw from".to_string()),
        What::Draw { name, among, picks, .. } => {
            let rendered = joined(among, " ");
            let from = if length(&rendered) > LONG_MENU { format!("{} in all", among.len()) } else { rendered };
            say('*', name, format!("drawn from {from}: {}", joined(picks, " ")))
        }
        What::Decision { name, menu, answer, .. } => {
            let why = if menu.len() <= 1 { "nothing to choose" } else { "not asked" };
            say('.', name, format!("{why}: {answer}"))
        }
        What::Write { slot, before, after, cut: None, until: None } if before == after => {
            say('.', &written(slot), format!("stays {after}"))
        }
        What::Write { slot, before, after, cut, until } => {
            let cut = cut.as_ref().map_or(String::new(), |Cut { lost, bound, by }| {
                format!(", {lost} discarded (bound {by}{}{bound})", if by.is_empty() { "" } else { " " })
            });
            say('+', &written(slot), format!("{before} -> {after}{cut}{}", lasts(until)))
        }
        What::Expired { slot, before, after } => {
            say('+', &written(slot), format!("{before} -> {after}, its time is over"))
        }
        What::Gain { thing, status, data, renewed, until, .. } => {
            let verb = if *renewed { "has again" } else { "gains" };
            let data = data.as_ref().map_or(String::new(), |data| format!("({data})"));
            say('+', thing, format!("{verb} {status}{data}{}", lasts(until)))
        }
        What::Lose { thing, status, expired, .. } => {
            let why = if *expired { ", its time is over" } else { "" };
            say('+', thing, format!("loses {status}{why}"))
        }
        What::Used { action, by, whose, count, times, per } => {
            let (by, whose) = (rendered(" by ", by), rendered(" for ", whose));
            say('+', "limit", format!("{action}{by}{whose} {count} of {times}, per {per}"))
        }
        What::Destroyed { thing, why } => {
            say('+', thing, format!("is destroyed: {why}").trim_end_matches(": ").to_string())
        }
        What::Spawned { thing } => say('+', thing, "comes into play".to_string()),
        What::Moved { thing, before, via, after, covered, .. } => {
            let place = |p: &Value| if p.is_none() { "off the board".to_string() } else { p.to_string() };
            let length = covered.as_ref().map_or(String::new(), |covered| format!(", {covered} covered"));
            let way: Vec<String> = [before].into_iter().chain(via).chain([after]).map(place).collect();
            say('+', thing, format!("{}{length}", way.join(" -> ")))
        }
        What::Kept { line, asked, .. } => say('=', "keeps", kept(line, asked.as_ref())),
        What::Turned { thing, before, after } => say('+', thing, format!("faces {before} -> {after}")),
        What::Merged { thing, into } => say('+', thing, format!("goes into {into}")),
        What::StandIn { name, how, result } => {
            say('~', name, format!("stand-in for a missing chapter, {how}{}", rendered(": ", result)))
        }
        What::Value { name, value, words, .. } => {
            let words = if words.is_empty() { String::new() } else { format!(": {words}") };
            say('=', name, format!("{value}{words}"))
        }
        What::Condition { holds, words, .. } => say('=', if *holds { "holds" } else { "fails" }, words.to_string()),
        What::Case { words, .. } => say('=', "case", words.to_string()),
        What::Guard { name, title, bearer, words, .. } => {
            let bearer = bearer.as_ref().map_or(String::new(), |bearer| format!("({bearer})"));
            let title = if title.is_empty() { String::new() } else { format!("\"{title}\"  ") };
            say('-', &format!("{name}{bearer}"), format!("{title}{words} fails"))
        }
        What::Leaned { reading, value, here, others } => {
            // if the reading itself selects the statement, an alternative needs no further text
            let rendered = |(name, gives): &(ShortText, Words)| match gives.to_string() {
                gives if gives == *name => gives,
                gives => format!("{name} {gives}"),
            };
            let others = others.iter().map(rendered).collect::<Vec<_>>().join(", ");
            let body = match (here.is_empty(), others.is_empty()) {
                (true, false) => format!("not {others}"),
                (false, false) => format!("{here} ({others})"),
                (_, true) => here.to_string(),
            };
            say('!', &format!("{reading} = {value}"), body)
        }
        What::Stuck { thing, why, but } => {
            let but: Vec<String> = but.iter().map(hindrance).collect();
            let but = rendered("; there is one without ", &(!but.is_empty()).then(|| but.join(", or without ")));
            say('-', thing, format!("stuck: {why}{but}"))
        }
        What::Remark(remark) => say('.', &remarked(remark), String::new()),
        What::Fault { code, message, stack } => {
            let place = if event.at.is_empty() { String::new() } else { format!(" at {}", event.at) };
            let stack = stack.iter().take(6).cloned().collect::<Vec<_>>().join(", in ");
            let stack = if stack.is_empty() { String::new() } else { format!(" in {stack}") };
            say('x', code, format!("{message}{stack}{place}"))
        }
        What::Truncated { count } => {
            say('.', &format!("the trace ends here; {count} more events were not kept"), String::new())
        }
        What::Header { .. } | What::Step { .. } | What::Expect { .. } | What::Summary { .. } => None,
    }
}

/// Formats a value after a prefix; empty for `None`.
fn rendered<T: Display>(before: &str, value: &Option<T>) -> String {
    value.as_ref().map_or(String::new(), |value| format!("{before}{value}"))
}

fn joined(values: &[Value], between: &str) -> String {
    let mut out = String::new();
    for (n, value) in values.iter().enumerate() {
        if n > 0 {
            out.push_str(between);
        }
        // writing to a text in memory cannot fail
        let _ = write!(out, "{value}");
    }
    out
}

/// Formats a slot: `laans.markers`, `turn`.
fn written(slot: &Slot) -> String {
    let Slot { thing, field, .. } = slot;
    let thing = thing.as_ref().map_or(String::new(), |thing| format!("{thing}."));
    format!("{thing}{field}")
}

fn lasts(until: &Option<Until>) -> String {
    let Some(Until { edge, phase, whose }) = until else { return String::new() };
    let edge = if *edge == Edge::Start { "start" } else { "end" };
    format!(", until {edge} of {phase}{}", rendered(" for ", whose))
}

fn remarked(remark: &Remark) -> String {
    match remark {
        Remark::Unpreferred { choice } => format!("{choice}: nothing on its menu is preferred"),
        Remark::Unjudged { law, why } => format!("law {law} is not judged: {why}"),
        Remark::Missing { what } => format!("{what} is missing: nothing happens"),
        Remark::Stopped { by } => format!("stopped by {by}"),
        Remark::Stops => "the scenario stops here".to_string(),
    }
}

fn hindrance(but: &Hindrance) -> String {
    match but {
        Hindrance::Line { line, clauses } if clauses.is_empty() => format!("`{line}`"),
        Hindrance::Line { line, clauses } => format!("`{line}` [{}]", clauses.join(" ")),
        Hindrance::Things => "things in the way".to_string(),
        Hindrance::Edge => "the table's edge".to_string(),
    }
}

/// Formats a line of a move with its length: `at least u.mv: 5"`.
pub fn kept(line: &str, asked: Option<&Value>) -> String {
    asked.map_or(line.to_string(), |asked| format!("{line}: {asked}"))
}

/// Formats arguments: `(laans, hits 3)`. A thing is printed by its name only.
fn arguments(args: &[Argument]) -> String {
    if args.is_empty() {
        return String::new();
    }
    let rendered = |a: &Argument| match &a.value {
        Value::Thing(thing) => thing.to_string(),
        value => format!("{} {value}", a.name),
    };
    format!("({})", args.iter().map(rendered).collect::<Vec<_>>().join(", "))
}

/// Formats the dice of a roll and their faces; empty for another event.
pub fn roll(what: &What) -> String {
    let What::Roll { dice, faces, sum, again, explode, .. } = what else { return String::new() };
    let like = dice.windows(2).all(|w| w[0] == w[1]);
    let pool = match (dice.as_slice(), like) {
        ([], _) => return "no dice".to_string(),
        ([one], _) => one.to_string(),
        (all, true) if sum.is_some() => format!("{}{}", all.len(), all[0]),
        (all, true) => format!("{} of {}", all.len(), all[0]),
        (all, false) => runs(all).iter().map(|(n, die)| dice_of(*n, die)).collect::<Vec<_>>().join(" + "),
    };
    let fell = if faces.len() > LARGE_POOL { counted(faces) } else { joined(faces, " ") };
    let total = rendered(" = ", sum);
    if again.is_empty() {
        return format!("{pool}: {fell}{total}");
    }
    let places = match again.len() {
        ..=LARGE_POOL => again.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
        many => format!("at {many} places"),
    };
    let which = if again.len() == 1 { "die" } else { "dice" };
    if *explode {
        let verb = if again.len() == 1 { "explodes" } else { "explode" };
        return format!("{which} {places} {verb}, {pool} more: {fell}");
    }
    format!("{which} {places} again, {pool}: {fell}")
}

fn runs(dice: &[ShortText]) -> Vec<(usize, &str)> {
    let mut runs: Vec<(usize, &str)> = Vec::new();
    for die in dice {
        match runs.last_mut() {
            Some((n, last)) if last == die => *n += 1,
            _ => runs.push((1, die)),
        }
    }
    let rest = runs.len().saturating_sub(LARGE_POOL);
    runs.truncate(LARGE_POOL);
    if rest > 0 {
        runs.push((0, "others"));
    }
    runs
}

fn dice_of(n: usize, die: &str) -> String {
    if n > LARGE_POOL { format!("{n} of {die}") } else { vec![die; n.max(1)].join(" + ") }
}

/// Formats counts per face: `12 times 1, 9 times 2`, in order of first appearance.
fn counted(faces: &[Value]) -> String {
    let mut seen: Vec<(&Value, usize)> = Vec::new();
    for face in faces {
        match seen.iter_mut().find(|(f, _)| *f == face) {
            Some((_, n)) => *n += 1,
            None => seen.push((face, 1)),
        }
    }
    let rendered: Vec<String> = seen.iter().take(LARGE_POOL).map(|(face, n)| format!("{n} times {face}")).collect();
    let rest: usize = seen.iter().skip(LARGE_POOL).map(|(_, n)| n).sum();
    let rest = if rest > 0 { format!(", {rest} others") } else { String::new() };
    rendered.join(", ") + &rest
}

/// Writes a decision: player, menu, refusals and answer.
fn decision(event: &Event, before: Option<&mut Before>, out: &mut String) {
    let What::Decision { name, player, source, action, menu, answer, refused, .. } = &event.what else { return };
    let who = player.as_ref().map_or(source.to_string(), |player| format!("{player}/{source}"));
    let rendered = joined(menu, if *action { " " } else { ", " });
    let short = length(&rendered) <= LONG_MENU;
    if !*action && refused.is_empty() {
        let menu = match (menu.is_empty(), short) {
            (true, _) => String::new(),
            (_, true) => format!(", {{{rendered}}}"),
            (_, false) => format!(", one of {}", menu.len()),
        };
        let mut line = TraceLine::new(event.depth, '?', name.as_str(), format!("{who}{menu} -> {answer}"));
        line.clauses = &event.clauses;
        return line.write(out);
    }
    let rendered = if short { format!(": {rendered}") } else { String::new() };
    let mut line = TraceLine::new(event.depth, '?', name.as_str(), format!("{who}, {} offered{rendered}", menu.len()));
    line.clauses = &event.clauses;
    line.write(out);
    refusals(event, before, out);
    indent(out, event.depth + 1);
    out.push_str(&format!("-> {}\n", clean(&answer.to_string())));
}
