//! Converts values of a scenario to cells of their declared types. Numbers are parsed as decimals, never as floats.

use super::build::Builder;
use super::document::{Entry, Node, Value};
use grognard_base::value::*;
use grognard_base::{Code, Span, did_you_mean};
use grognard_rules::index::Means;

/// Parses a number to thousandths. Returns `None` if the result is not exact or has more than 9 digits before the
/// point.
pub fn thousandths(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let clean = |s: &str| s.replace('_', "");
    let (whole, part) = (clean(whole), clean(part));
    let part = part.trim_end_matches('0');
    let fine = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || whole.len() > 9 || part.len() > 3 || !fine(&whole) || !fine(part) {
        return None;
    }
    let value = whole.parse::<i64>().ok()? * 1000 + format!("{part:0<3}").parse::<i64>().ok()?;
    Some(if negative { -value } else { value })
}

/// Quotes a text for a scenario.
pub fn quoted(text: &str) -> String {
    if text.contains('\'') { format!("{text:?}") } else { format!("'{text}'") }
}

/// Parses a whole number. Returns `None` if the text is not one.
pub fn whole(text: &str) -> Option<i64> {
    thousandths(text).filter(|n| n % 1000 == 0).map(|n| n / 1000)
}

/// Parses a fraction in a text, such as `"9/16"`, `"0.25"` or `"25%"`.
pub fn fraction(text: &str) -> Option<Ratio> {
    if let Some(percent) = text.trim().strip_suffix('%') {
        return Ratio::new(thousandths(percent.trim())?, 100_000);
    }
    match text.split_once('/') {
        Some((num, den)) => Ratio::new(num.trim().parse().ok()?, den.trim().parse().ok().filter(|d| *d > 0)?),
        None => Ratio::new(thousandths(text.trim())?, 1000),
    }
}

impl Builder<'_> {
    /// Returns the number of a node, in thousandths.
    pub(super) fn number(&mut self, node: &Node, what: &str) -> Option<i64> {
        let Value::Number(text) = &node.value else {
            return self.wrong(node.span, format!("{what} must be a plain number, not {}", node.sort()));
        };
        let found = thousandths(text);
        if text.contains("..") {
            let message = format!("`{text}` is a range, but values must be listed one by one");
            self.say_help(Code::BadValue, node.span, message, "separate the values with commas: `1,2,3`");
        } else if found.is_none() {
            self.bad(node.span, format!("{text} is not a number of at most 9 digits before the point and 3 after"));
        }
        found
    }

    /// Returns a whole number in `low..=high`.
    pub(super) fn count(&mut self, node: &Node, what: &str, low: i64, high: i64) -> Option<i64> {
        let number = self.number(node, what)?;
        if number % 1000 != 0 || number / 1000 < low || number / 1000 > high {
            return self.wrong(node.span, format!("{what} must be a whole number from {low} to {high}"));
        }
        Some(number / 1000)
    }

    /// Returns the text of a node.
    pub(super) fn text<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n str> {
        if node.text().is_none() {
            self.bad(node.span, format!("{what} must be a text in quotes, not {}", node.sort()));
        }
        node.text()
    }

    /// Returns the entries of a node that must be a table.
    pub(super) fn entries<'n>(&mut self, node: &'n Node, what: &str) -> &'n [Entry] {
        if node.table().is_none() {
            self.bad(node.span, format!("{what} must be a table, not {}", node.sort()));
        }
        node.table().unwrap_or_default()
    }

    /// Returns the tables of a node that is written as `[[name]]`. A text in place of a table, and a single `[name]`, get a help with
    /// the right form, where the text is the value of `key`.
    pub(super) fn tables<'n>(&mut self, node: &'n Node, name: &str, what: &str, key: &str) -> Vec<&'n Node> {
        let mut found = Vec::new();
        for entry in node.all() {
            match &entry.value {
                Value::Text(text, _) => {
                    let help = format!("write `[[{name}]]`, and under it `{key} = {}`", quoted(text));
                    self.bad_help(entry.span, &format!("{what} must be a table, not a text"), help);
                }
                Value::Table(_) if std::ptr::eq(entry, node) => {
                    let help = format!("write `[[{name}]]`, with two brackets on each side");
                    self.bad_help(entry.span, &format!("`{name}` must be a list of tables"), help);
                }
                _ => found.push(entry),
            }
        }
        found
    }

    /// Returns the entries of a node that must be a list.
    pub(super) fn list<'n>(&mut self, node: &'n Node, what: &str) -> &'n [Node] {
        match &node.value {
            Value::List(list) => list,
            _ => {
                self.bad(node.span, format!("{what} must be a list in [ ], not {}", node.sort()));
                &[]
            }
        }
    }

    /// Returns a point `[x, y]` on the table, in thousandths of an inch.
    pub(super) fn point(&mut self, node: &Node, what: &str) -> Option<(i64, i64)> {
        let list = self.list(node, what);
        let [x, y] = list else {
            if matches!(node.value, Value::List(_)) {
                self.bad(node.span, format!("{what} must be a point [x, y]"));
            }
            return None;
        };
        let (x, y) = (self.length(x, "a coordinate"), self.length(y, "a coordinate"));
        Some((x?, y?))
    }

    /// Returns a length, which is a plain number of inches within the limits of a table. On the command line, it can
    /// have an inch mark.
    pub(super) fn length(&mut self, node: &Node, what: &str) -> Option<i64> {
        if let Some(bare) = self.without_unit(node, '"') {
            return self.length(&bare, what);
        }
        if let Value::Text(text, _) = &node.value
            && text.ends_with('"')
        {
            let help = format!("write {}", text.trim_end_matches('"').trim());
            return self.wrong_help(
                Code::BadValue,
                node.span,
                "write a length as a plain number of inches, without quotes",
                help,
            );
        }
        let number = self.number(node, what)?;
        if number.abs() > grognard_board::LIMIT {
            return self.wrong(node.span, format!("{what} can be at most {} inches", grognard_board::LIMIT / 1000));
        }
        Some(number)
    }

    /// Returns the number without its unit, if it was written with one on the command line. Scenarios use plain
    /// numbers.
    fn without_unit(&self, node: &Node, unit: char) -> Option<Node> {
        let bare = node.text()?.strip_suffix(unit)?.trim_end();
        let typed = self.sources.get(node.span.file).is_some_and(|source| source.name.starts_with("--"));
        (typed && thousandths(bare).is_some()).then(|| Node { value: Value::Number(bare.to_string()), span: node.span })
    }

    /// Returns an angle, which is a plain number of degrees. On the command line, it can have a degree sign.
    pub(super) fn angle(&mut self, node: &Node, what: &str) -> Option<i64> {
        if let Some(bare) = self.without_unit(node, '°') {
            return self.angle(&bare, what);
        }
        let number = self.number(node, what)?;
        if number % 10 != 0 {
            return self.wrong(node.span, format!("{what} can have at most two digits after the point"));
        }
        Some((number / 10).rem_euclid(36_000))
    }

    /// Returns the cells of a value of a type, or reports why the value does not fit. `what` names the slot.
    pub(super) fn value(&mut self, ty: &Type, node: &Node, what: &str) -> Option<Vec<i64>> {
        match ty {
            Type::Optional(inner) => {
                let width = self.rs().width(ty);
                if node.text() == Some("none") {
                    let mut cells = vec![0; width];
                    cells[0] = NONE;
                    return Some(cells);
                }
                let mut cells = self.value(inner, node, what)?;
                cells.resize(width.max(cells.len()), 0);
                Some(cells)
            }
            Type::Int(range) => {
                let number = self.number(node, what)?;
                if number % 1000 != 0 {
                    return self.wrong(node.span, format!("{what} must be a whole number"));
                }
                let n = number / 1000;
                if n < range.low || n > range.high {
                    let ty = self.rs().type_name(ty);
                    return self.wrong(node.span, format!("{what} is {ty}; {n} is out of range"));
                }
                Some(vec![n])
            }
            Type::Flag => match node.value {
                Value::Flag(flag) => Some(vec![i64::from(flag)]),
                _ => self.wrong(node.span, format!("{what} must be true or false, not {}", node.sort())),
            },
            Type::Length => self.length(node, what).map(|n| vec![n]),
            Type::Angle => self.angle(node, what).map(|n| vec![n]),
            Type::Ratio => {
                let ratio = match &node.value {
                    Value::Text(text, _) => fraction(text),
                    Value::Number(text) => thousandths(text).and_then(|n| Ratio::new(n, 1000)),
                    _ => None,
                };
                if ratio.is_none() {
                    self.bad(node.span, format!("{what} must be a fraction such as \"3/4\" or \"75%\", or a number"));
                }
                ratio.map(|r| vec![r.num(), r.den()])
            }
            Type::Enum(id) => {
                let text = self.text(node, what)?;
                let rules = self.rs();
                let cases = &rules.enums[id.at()].cases;
                let case = cases.iter().position(|c| c == text);
                let found = case.map(|n| vec![n as i64]);
                if found.is_none() {
                    let near = did_you_mean(text, cases.iter().map(String::as_str));
                    let message = format!("{what} must be one of {}; `{text}` is not{near}", shortened(cases));
                    self.bad(node.span, message);
                }
                if let Some(case) = case {
                    self.note(node, 0, text.len(), Means::Case(*id, case));
                }
                found
            }
            Type::Chain(id) | Type::Shifted(id) => {
                let text = self.text(node, what)?;
                let dice = self.rs().chains[id.at()].dice.clone();
                let found = dice.iter().position(|d| text == format!("d{d}")).map(|n| vec![n as i64]);
                if found.is_none() {
                    let names: Vec<String> = dice.iter().map(|d| format!("d{d}")).collect();
                    self.bad(node.span, format!("{what} must be one of {}; `{text}` is not", shortened(&names)));
                }
                found
            }
            Type::Die => {
                let text = self.text(node, what)?;
                let sides = text.strip_prefix('d').filter(|s| s.starts_with(|c: char| matches!(c, '1'..='9')));
                let plain = sides.and_then(|s| s.parse::<i64>().ok()).filter(|n| (1..=1_000_000).contains(n));
                let own = self.rs().dice.iter().position(|d| d.name == text).map(|n| -1 - n as i64);
                if plain.or(own).is_none() {
                    self.bad(node.span, format!("{what} must be a die such as \"d6\"; `{text}` is not"));
                }
                plain.or(own).map(|n| vec![n])
            }
            Type::Faces(id) => {
                let of = self.rs().dice[id.at()].of.clone();
                self.value(&of, node, what)
            }
            Type::Kind(kind) => {
                let text = self.text(node, what)?;
                self.thing_of(*kind, text, node.span).map(|n| vec![n])
            }
            Type::Place => {
                if let Value::Text(text, _) = &node.value {
                    let (kind, thing) = self.thing(text, node.span)?;
                    return Some(vec![THING, pack_thing(kind, thing)]);
                }
                self.point(node, what).map(|(x, y)| vec![x, y])
            }
            Type::Route => self.point(node, what).map(|(x, y)| vec![x, y]),
            Type::List(inner) => {
                let mut cells = Vec::new();
                for entry in self.list(node, what) {
                    cells.extend(self.value(inner, entry, what)?);
                }
                matches!(node.value, Value::List(_)).then_some(cells)
            }
            Type::Record(id) => self.record(*id, node, what),
            Type::Tuple(parts) => {
                let list = self.list(node, what);
                if list.len() != parts.len() {
                    return self.wrong(node.span, format!("{what} has {} parts", parts.len()));
                }
                let mut cells = Vec::new();
                for (ty, part) in parts.iter().zip(list) {
                    cells.extend(self.value(ty, part, what)?);
                }
                Some(cells)
            }
            Type::Leg | Type::Met | Type::Nothing | Type::Unknown => {
                self.wrong(node.span, format!("{what} has no value that a scenario can give"))
            }
        }
    }

    /// Returns the cells of a record, which is written as a table with all its fields.
    pub(super) fn record(&mut self, id: RecordId, node: &Node, what: &str) -> Option<Vec<i64>> {
        let fields = self.rs().records[id.at()].fields.clone();
        let entries = node.table();
        if entries.is_none() {
            self.bad(
                node.span,
                format!(
                    "{what} must be a table of {}",
                    shortened(&fields.iter().map(|f| f.0.clone()).collect::<Vec<_>>())
                ),
            );
        }
        let entries = entries?;
        for entry in entries {
            if !fields.iter().any(|(name, _)| *name == entry.key) {
                let near = did_you_mean(&entry.key, fields.iter().map(|f| f.0.as_str()));
                self.unknown_key(entry.span, format!("{what} has no `{}`{near}", entry.key));
            }
        }
        let mut cells = Vec::new();
        let mut whole = true;
        for (name, ty) in &fields {
            match entries.iter().find(|e| e.key == *name) {
                Some(entry) => match self.part(id, entry, ty) {
                    Some(value) if !matches!(ty, Type::List(_)) => cells.extend(value),
                    Some(_) => {
                        self.bad(entry.node.span, format!("`{name}` is a list, which a scenario cannot give here"));
                        whole = false;
                    }
                    None => whole = false,
                },
                None => {
                    if matches!(ty, Type::Optional(_)) {
                        let at = cells.len();
                        cells.resize(at + self.rs().width(ty), 0);
                        cells[at] = NONE;
                    } else {
                        self.bad(node.span, format!("{what} requires a `{name}`"));
                        whole = false;
                    }
                }
            }
        }
        whole.then_some(cells)
    }

    /// Returns the cells of a field of a record.
    fn part(&mut self, id: RecordId, entry: &Entry, ty: &Type) -> Option<Vec<i64>> {
        self.note_key(entry, Means::Part(id, entry.key.clone()));
        self.value(ty, &entry.node, &format!("`{}`", entry.key))
    }

    /// Returns the number of a thing of a kind.
    pub(super) fn thing_of(&mut self, kind: KindId, name: &str, span: Span) -> Option<i64> {
        let (found, thing) = self.thing_among(name, span, Some(kind))?;
        if found != kind {
            let message = format!(
                "expected {1}, found `{name}`, a {0}",
                self.rs().kinds[found.at()].name,
                self.rs().kinds[kind.at()].name
            );
            return self.wrong(span, message);
        }
        Some(thing)
    }
}

/// Returns at most eight of some names, as text.
pub fn shortened(names: &[String]) -> String {
    let more = if names.len() > 8 { ", .." } else { "" };
    let shown: Vec<&str> = names.iter().take(8).map(String::as_str).collect();
    format!("{}{more}", shown.join(", "))
}
