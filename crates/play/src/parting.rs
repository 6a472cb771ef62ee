//! Finds where two runs on the same dice diverge: the first event that happens in only one of them, and the rule
//! evaluation that led to it.

use super::record::{Event, ScopeSort, What};
use grognard_base::value::plain::{ShortText, Value};

/// The first divergence of two traces.
#[derive(Clone, Copy, Debug)]
pub struct Parting<'e> {
    /// The common part without the header, from the first trace.
    pub common: &'e [Event],
    /// The common part, from the second trace.
    pub common_b: &'e [Event],
    /// The rest of the first trace, without the summary.
    pub a: &'e [Event],
    /// The rest of the second trace.
    pub b: &'e [Event],
    /// Number of events in each rest up to and including the first differing fact.
    pub led: (usize, usize),
}

/// The rule or reading that caused the divergence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Culprit {
    /// Name of a rule, test, phase, action or reading.
    pub name: ShortText,
    /// Whether it is a reading.
    pub reading: bool,
    /// Clauses that it cites.
    pub clauses: Vec<ShortText>,
    /// The variant that changed it.
    pub variant: ShortText,
}

/// Compares two traces. Returns `None` if the same facts happen in both, regardless of wording.
pub fn parting<'e>(a: &'e [Event], b: &'e [Event]) -> Option<Parting<'e>> {
    let (a, b) = (inner(a), inner(b));
    let mut facts = (a.iter().enumerate().filter(is_fact), b.iter().enumerate().filter(is_fact));
    // past the last common fact
    let mut past = (0, 0);
    loop {
        let next = (facts.0.next(), facts.1.next());
        if let (Some((n, x)), Some((m, y))) = next
            && alike(x, y)
        {
            past = (n + 1, m + 1);
            continue;
        }
        let ((Some(_), _) | (_, Some(_))) = next else { return None };
        let end = |fact: Option<(usize, &Event)>, len: usize| fact.map_or(len, |(n, _)| n + 1);
        let ends = (end(next.0, a.len()), end(next.1, b.len()));
        // evaluations with the same result on both sides also belong to the common part
        let looks = a[past.0..ends.0].iter().zip(&b[past.1..ends.1]).take_while(|(x, y)| alike(x, y)).count();
        let start = (past.0 + looks, past.1 + looks);
        let start = other_value(&a[..start.0], &b[..start.1]).unwrap_or(start);
        return Some(Parting {
            common: &a[..start.0],
            common_b: &b[..start.1],
            a: &a[start.0..],
            b: &b[start.1..],
            led: (ends.0 - start.0, ends.1 - start.1),
        });
    }
}

/// Finds the first value that differs within the call running at the end of the common part. The differing value can
/// have had no visible effect for a while.
fn other_value(a: &[Event], b: &[Event]) -> Option<(usize, usize)> {
    let begin = (open_call(a)?, open_call(b)?);
    let (a, b) = (values_between_facts(a, begin.0), values_between_facts(b, begin.1));
    a.iter().zip(&b).find_map(|(a, b)| {
        let other = |x: &&(usize, _, _, _)| b.iter().find(|y| (x.1, x.2) == (y.1, y.2)).filter(|y| x.3 != y.3);
        a.iter().find_map(|x| other(&x).map(|y| (x.0, y.0)))
    })
}

/// Groups the evaluated values by the facts that separate them: event index, rule, name, and value.
fn values_between_facts(events: &[Event], from: usize) -> Vec<Vec<(usize, &str, &str, &Value)>> {
    let mut all = vec![Vec::new()];
    for (n, event) in events.iter().enumerate().skip(from) {
        if is_fact(&(n, event)) {
            all.push(Vec::new());
        } else if let (What::Value { name, value, .. }, Some(last)) = (&event.what, all.last_mut()) {
            last.push((n, event.rule.as_str(), name.as_str(), value));
        }
    }
    all
}

/// Returns where the innermost open call begins. For a phase, returns its last call instead, because a phase can be
/// long.
fn open_call(events: &[Event]) -> Option<usize> {
    let (mut left, mut last) = (0_usize, None);
    for (n, event) in events.iter().enumerate().rev() {
        match &event.what {
            What::Leave { .. } => left += 1,
            What::Enter { sort: ScopeSort::Phase, .. } if left == 0 => return last.or(Some(n)),
            What::Enter { .. } if left == 0 => return Some(n),
            What::Enter { .. } => {
                left -= 1;
                last = last.or((left == 0).then_some(n));
            }
            _ => {}
        }
    }
    None
}

/// Returns a trace without its header and summary.
fn inner(events: &[Event]) -> &[Event] {
    let start = usize::from(events.first().is_some_and(|e| matches!(e.what, What::Header { .. })));
    let end = events.len() - usize::from(events.last().is_some_and(|e| matches!(e.what, What::Summary { .. })));
    events.get(start..end).unwrap_or_default()
}

/// Returns whether the event changes the table. Rule evaluations and remarks do not.
fn is_fact((_, event): &(usize, &Event)) -> bool {
    match &event.what {
        What::Header { .. } | What::Summary { .. } | What::Truncated { .. } | What::Kept { .. } => false,
        What::Value { .. } | What::Condition { .. } | What::Case { .. } | What::Guard { .. } => false,
        What::Leaned { .. } | What::Stuck { .. } | What::Remark(_) => false,
        What::Decision { source, .. } => !source.is_empty(),
        _ => true,
    }
}

/// Returns whether two events are equal apart from wording.
fn alike(x: &Event, y: &Event) -> bool {
    match (&x.what, &y.what) {
        (What::Enter { sort: s, name: n, args: a, .. }, What::Enter { sort: t, name: m, args: b, .. }) => {
            (s, n, a) == (t, m, b)
        }
        (What::Decision { name: n, of: a, answer: x, .. }, What::Decision { name: m, of: b, answer: y, .. }) => {
            (n, a, x) == (m, b, y)
        }
        (What::Value { name: n, value: x, .. }, What::Value { name: m, value: y, .. }) => (n, x) == (m, y),
        (What::Condition { holds: x, .. }, What::Condition { holds: y, .. }) => x == y,
        (What::Guard { name: n, bearer: x, .. }, What::Guard { name: m, bearer: y, .. }) => (n, x) == (m, y),
        (What::Leaned { reading: n, here: x, .. }, What::Leaned { reading: m, here: y, .. }) => (n, x) == (m, y),
        (What::Case { .. }, What::Case { .. }) | (What::Remark(_), What::Remark(_)) => true,
        (What::Fault { code: x, .. }, What::Fault { code: y, .. }) => x == y,
        (What::Expect { holds: x, .. }, What::Expect { holds: y, .. }) => x == y,
        (x, y) => x == y,
    }
}

impl Parting<'_> {
    /// Returns the rule or reading that caused the divergence: the one that contains the first differing event. A rule
    /// that only one side executes takes precedence.
    pub fn culprit(&self) -> Option<Culprit> {
        let [a, b] = [self.a.get(..self.led.0)?, self.b.get(..self.led.1)?];
        // a reading with a different effect takes precedence over the rule that it affects
        let only = |events: &[Event], others: &[Event]| {
            let leaned = events
                .iter()
                .find(|e| matches!(e.what, What::Leaned { .. }) && !others.iter().any(|other| alike(e, other)));
            leaned.cloned()
        };
        let leaned = only(b, a).or_else(|| only(a, b));
        let entered = |events: &[Event], others: &[Event]| {
            let first = events.first()?;
            let What::Enter { name, .. } = &first.what else { return None };
            let alone = !others.iter().any(|e| matches!(&e.what, What::Enter { name: n, .. } if n == name));
            alone.then(|| first.clone())
        };
        let first = leaned.or_else(|| entered(b, a)).or_else(|| entered(a, b));
        let first = first.or_else(|| b.first().or(a.first()).cloned())?;
        let (name, reading) = match &first.what {
            What::Leaned { reading, .. } => (reading.clone(), true),
            What::Enter { name, .. } | What::Guard { name, .. } | What::Leave { name, .. } => (name.clone(), false),
            _ => (first.rule.clone(), false),
        };
        let clauses = if first.clauses.is_empty() { self.clauses(&name) } else { first.clauses.clone() };
        let variant = self.variant(&name);
        Some(Culprit { name, reading, clauses, variant })
    }

    /// Returns the events that enter the rule, latest first.
    fn entered<'s>(&'s self, name: &str) -> impl Iterator<Item = &'s Event> {
        let led = [&self.b[..self.led.1], self.common_b, &self.a[..self.led.0], self.common];
        let all = led.into_iter().flat_map(|part| part.iter().rev());
        all.filter(move |e| matches!(&e.what, What::Enter { name: n, .. } if n == name))
    }

    fn clauses(&self, name: &str) -> Vec<ShortText> {
        self.entered(name).next().map(|e| e.clauses.clone()).unwrap_or_default()
    }

    fn variant(&self, name: &str) -> ShortText {
        self.entered(name).next().map(|e| e.variant.clone()).unwrap_or_default()
    }
}
