//! Words of a story: names, decisions and changes.

use grognard_base::order;
use grognard_base::value::Value;
use grognard_base::value::plain::{Bit, ShortText, Words};
use grognard_play::record::{Argument, Slot, What};
use grognard_vm::Remark;

/// Maximum number of characters of the entries that a decision did not take. Further entries are counted.
const OTHERS: usize = 40;

/// Returns a name of the rules as words: `GetDown` as `Get Down`, `nerve_markers` as `nerve markers`.
pub(crate) fn spoken(name: &str) -> String {
    let mut out = String::new();
    let mut last = ' ';
    for c in name.chars() {
        if c.is_uppercase() && (last.is_lowercase() || last.is_ascii_digit()) {
            out.push(' ');
        }
        out.push(if c == '_' { ' ' } else { c });
        last = c;
    }
    out
}

/// Returns the title of a declaration, or its name as words.
fn titled(title: &ShortText, name: &ShortText) -> String {
    if title.is_empty() { spoken(name) } else { title.to_string() }
}

/// Returns the things among values of arguments.
fn arguments(with: &[(ShortText, Value)]) -> String {
    let said = |(name, value): &(ShortText, Value)| match value {
        Value::Thing(_) | Value::Word(_) | Value::Point(..) => value.to_string(),
        _ => format!("{} {value}", spoken(name)),
    };
    with.iter().map(said).collect::<Vec<_>>().join(", ")
}

/// Returns the arguments of a phase or another scope, without those in `but`.
pub(super) fn given(args: &[Argument], but: &[ShortText]) -> String {
    let shown = args.iter().filter(|a| !matches!(&a.value, Value::Thing(thing) if but.contains(thing)));
    let with: Vec<(ShortText, Value)> = shown.map(|a| (a.name.clone(), a.value.clone())).collect();
    arguments(&with)
}

/// Returns an entry of a menu. `beside` is the name of the action that was taken, which is not repeated.
fn entry(value: &Value, beside: Option<&ShortText>) -> String {
    match value {
        Value::Action { name, with } if Some(name) == beside && !with.is_empty() => arguments(with),
        Value::Action { name, with } => format!("{} {}", spoken(name), arguments(with)).trim_end().to_string(),
        Value::Word(word) => spoken(word),
        Value::List(list) if list.is_empty() => "nothing".to_string(),
        Value::List(list) => list.iter().map(|v| entry(v, None)).collect::<Vec<_>>().join(", "),
        _ => value.to_string(),
    }
}

/// Returns a decision: the entry taken, and the others. If the entry taken is an action of `who`, it is not named again.
pub(super) fn decision(what: &What, who: &str) -> String {
    let What::Decision { name, action, menu, answer, .. } = what else { return String::new() };
    let name = if *action { String::new() } else { format!("{}: ", spoken(name)) };
    if let Value::List(taken) = answer {
        return format!("{name}{} ({} of {})", entry(answer, None), taken.len(), menu.len());
    }
    let beside = match answer {
        Value::Action { name, .. } => Some(name),
        _ => None,
    };
    let mut others: Vec<String> = Vec::new();
    for other in menu.iter().filter(|other| *other != answer) {
        let said = entry(other, beside);
        if !others.contains(&said) {
            others.push(said);
        }
    }
    // entries of several values are separated by semicolons
    let between = if others.iter().any(|other| other.contains(',')) { "; " } else { ", " };
    let mut shown = 0;
    let mut length = 0;
    for other in &others {
        length += other.chars().count() + 2;
        if length > OTHERS {
            break;
        }
        shown += 1;
    }
    let rest = others.len() - shown;
    others.truncate(shown);
    match rest {
        0 => {}
        _ if shown == 0 => others.push(format!("{rest} others")),
        _ => others.push(format!("{rest} more")),
    }
    let taken = match answer {
        Value::Action { name, with } => {
            let with: Vec<_> = with.iter().filter(|(_, v)| v.as_name() != Some(who)).cloned().collect();
            entry(&Value::Action { name: name.clone(), with }, None)
        }
        _ => entry(answer, None),
    };
    match others.is_empty() {
        true => format!("{name}{taken}"),
        false => format!("{name}{taken} (or: {})", others.join(between)),
    }
}

/// Returns the actions that a menu refused and could have offered, with the reasons; those that missed a limit by least come first.
pub(super) fn refused(what: &What) -> Vec<String> {
    let What::Decision { refused, .. } = what else { return Vec::new() };
    let mut all: Vec<_> = refused.iter().filter(|refusal| !refusal.never).collect();
    order::sort_by_key(&mut all, |refusal| missed(&refusal.why).map_or((1, 0), |by| (0, by)));
    all.iter().map(|refusal| format!("not {}: {}", entry(&refusal.action, None), refusal.why)).collect()
}

/// Returns the difference of the two numbers that a reason compares.
fn missed(why: &Words) -> Option<u64> {
    let numbers: Vec<i64> = why
        .0
        .iter()
        .filter_map(|bit| match bit {
            Bit::Value(Value::Int(number)) => Some(*number),
            Bit::Value(Value::Length(number) | Value::Angle(number)) => Some(*number),
            _ => None,
        })
        .collect();
    match numbers[..] {
        [a, b] => Some(a.abs_diff(b)),
        _ => None,
    }
}

/// A change of a named figure: the thing that bears it, and the text without that thing.
pub(super) struct Changed {
    /// Name of the thing; empty for the game.
    pub who: String,
    /// Figure, value before and after.
    pub text: String,
}

/// Returns the change of an event, or `None` for another event.
pub(super) fn change(what: &What) -> Option<Changed> {
    let of = |slot: &Slot| {
        (slot.thing.as_ref().map_or(String::new(), ToString::to_string), titled(&slot.title, &slot.field))
    };
    let (who, text) = match what {
        What::Write { slot, before, after, cut, .. } => {
            let (who, figure) = of(slot);
            let lost = cut.as_ref().map_or(String::new(), |cut| format!(", {} discarded", cut.lost));
            let text = match after {
                Value::Flag(true) => figure,
                Value::Flag(false) => format!("no longer: {figure}"),
                _ => format!("{figure} {}{lost}", turned(before, after)),
            };
            (who, text)
        }
        What::Expired { slot, before: Value::Flag(_), .. } => of(slot),
        What::Expired { slot, before, after } => {
            let (who, figure) = of(slot);
            (who, format!("{figure} {}", turned(before, after)))
        }
        What::Gain { thing, status, title, data, renewed, .. } => {
            let verb = if *renewed { "again" } else { "now" };
            let data = match data {
                Some(Value::Record(parts)) if !parts.is_empty() => format!(" ({})", arguments(parts)),
                _ => String::new(),
            };
            (thing.to_string(), format!("{verb} {}{data}", titled(title, status)))
        }
        What::Lose { thing, status, title, .. } => (thing.to_string(), format!("no longer {}", titled(title, status))),
        What::Moved { thing, .. } => (thing.to_string(), moved(what)),
        What::Stuck { thing, why, .. } => {
            let why = why.split(';').next().unwrap_or_default();
            (thing.to_string(), format!("stuck: {why}"))
        }
        What::Remark(Remark::Stopped { by }) => (String::new(), format!("stopped by {by}")),
        What::Turned { thing, before, after } => (thing.to_string(), format!("faces {before} -> {after}")),
        What::Destroyed { thing, why } if why.is_empty() => (thing.to_string(), "leaves play".to_string()),
        What::Destroyed { thing, why } => (thing.to_string(), format!("leaves play: {why}")),
        What::Spawned { thing } => (thing.to_string(), "comes into play".to_string()),
        What::Merged { thing, into } => (thing.to_string(), format!("joins {into}")),
        _ => return None,
    };
    Some(Changed { who, text })
}

/// Returns the values before and after a change.
fn turned(before: &Value, after: &Value) -> String {
    let said = |value: &Value| match value {
        Value::Word(word) => spoken(word),
        _ => value.to_string(),
    };
    format!("{} -> {}", said(before), said(after))
}

/// Returns a move without the thing that moves.
fn moved(what: &What) -> String {
    let What::Moved { before, after, covered, .. } = what else { return String::new() };
    match (before, after, covered) {
        (_, Value::None, _) => "leaves the board".to_string(),
        (Value::None, after, _) => format!("is placed at {after}"),
        (_, after, Some(covered)) => format!("moves {covered} to {after}"),
        (_, after, None) => format!("moves to {after}"),
    }
}
