//! Upper bounds of the sizes of events as JSON Lines. Most traces are far smaller than the limit, and to write each event
//! only to count its bytes took a third of the time of a trace.

use super::event::{Event, What};
use super::jsonl;
use grognard_base::value::Value;
use grognard_base::value::plain::{Bit, Measure, Need, ShortText, Words};

/// Keys, braces and fixed words of any event that this module bounds, and of any part of one.
const EVENT: usize = 600;
const PART: usize = 100;
/// A number, with a comma.
const NUMBER: usize = 24;
/// A character of a text, such as `\u001f`.
const CHARACTER: usize = 6;

/// Returns a number of bytes that the event does not exceed as a line of JSON. It is the size itself for rare kinds.
pub(super) fn at_most(event: &Event) -> usize {
    let what = match &event.what {
        What::Enter { name, args, title, .. } => {
            let args: usize = args.iter().map(|arg| PART + text(&arg.name) + value(&arg.value)).sum();
            text(name) + text(title) + args
        }
        What::Leave { name, result, .. } => text(name) + result.as_ref().map_or(0, value),
        What::Roll { name, of, dice, faces, again, .. } => {
            text(name) + optional(of) + dice.iter().map(text).sum::<usize>() + values(faces) + again.len() * NUMBER
        }
        What::Decision { name, of, player, source, menu, answer, refused, .. } if refused.is_empty() => {
            text(name) + optional(of) + optional(player) + text(source) + values(menu) + value(answer)
        }
        What::Write { slot, before, after, cut: None, until: None } => {
            optional(&slot.thing) + text(&slot.field) + text(&slot.title) + value(before) + value(after)
        }
        What::Value { name, value: of, words, measures, needs, .. } => {
            text(name) + value(of) + said(words, measures, needs)
        }
        What::Condition { words, measures, needs, .. } => said(words, measures, needs),
        What::Case { words, .. } => said(words, &[], &[]),
        _ => return jsonl::size(event),
    };
    let clauses: usize = event.clauses.iter().map(text).sum();
    EVENT + what + clauses + text(&event.rule) + text(&event.variant) + text(&event.at)
}

fn text(text: &ShortText) -> usize {
    NUMBER + CHARACTER * text.len()
}

fn optional(of: &Option<ShortText>) -> usize {
    of.as_ref().map_or(0, text)
}

fn said(words: &Words, measures: &[Measure], needs: &[Need]) -> usize {
    let words: usize = words
        .0
        .iter()
        .map(|bit| match bit {
            Bit::Text(bit) => text(bit),
            Bit::Value(bit) => value(bit),
        })
        .sum();
    let measure = |m: &Measure| PART + value(&m.from) + value(&m.to) + value(&m.within);
    let need = |n: &Need| PART + text(&n.roll) + text(&n.op) + value(&n.than);
    words + measures.iter().map(measure).sum::<usize>() + needs.iter().map(need).sum::<usize>()
}

fn values(all: &[Value]) -> usize {
    all.iter().map(value).sum()
}

fn value(of: &Value) -> usize {
    let named = |parts: &[(ShortText, Value)]| parts.iter().map(|(name, part)| text(name) + value(part)).sum::<usize>();
    match of {
        Value::Flag(_) | Value::Int(_) | Value::None => NUMBER,
        Value::Thing(name) | Value::Word(name) | Value::Die(name) => PART + text(name),
        Value::Length(_) | Value::Angle(_) | Value::Covered(_) | Value::Ratio(..) | Value::Point(..) => PART,
        Value::Record(parts) => PART + named(parts),
        Value::Action { name, with } => PART + text(name) + named(with),
        Value::Tuple(parts) | Value::List(parts) => PART + values(parts),
    }
}
