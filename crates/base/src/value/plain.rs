//! Values in the form that traces store. They are readable and printable without the ruleset.

pub use super::short_text::ShortText;
use super::{FAR, Type, fixed};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A value of a run. In JSON, whole numbers, flags, none, texts and lists are plain JSON values. All others are objects
/// with one key that names their kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// A thing on the table, by name.
    Thing(ShortText),
    /// A case of an enum, an option, or a verdict.
    Word(ShortText),
    /// A die, or a step of a chain of dice: `d6`, `1 past d12`.
    Die(ShortText),
    /// A length, in thousandths of an inch.
    Length(i64),
    /// An angle, in hundredths of a degree.
    Angle(i64),
    /// A fraction: numerator and denominator.
    Ratio(i64, i64),
    /// A point, in thousandths of an inch.
    Point(i64, i64),
    /// Distance covered by a leg of a move, in thousandths of an inch.
    Covered(i64),
    /// Named values.
    #[serde(with = "by_name")]
    Record(Vec<(ShortText, Value)>),
    /// A tuple of values.
    Tuple(Vec<Value>),
    /// An action with the choices in its header.
    Action {
        name: ShortText,
        /// Its choices.
        #[serde(default, skip_serializing_if = "Vec::is_empty", with = "by_name")]
        with: Vec<(ShortText, Value)>,
    },
    /// `yes` or `no`.
    #[serde(untagged)]
    Flag(bool),
    /// A whole number.
    #[serde(untagged)]
    Int(i64),
    /// A list.
    #[serde(untagged)]
    List(Vec<Value>),
    /// A missing value.
    #[serde(untagged)]
    None,
}

/// A measured distance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// Start: a thing or a point.
    pub from: Value,
    /// End: a thing or a point.
    pub to: Value,
    /// The limit for the distance, or `Value::None` if only the distance was measured.
    #[serde(default = "Value::none", skip_serializing_if = "Value::is_none")]
    pub within: Value,
}

/// The dice of a roll that a need asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NeedOf {
    /// The roll as one number: a single die or a sum.
    One,
    /// At least one die.
    Any,
    /// Not one die.
    No,
    /// All dice of the pool.
    Every,
    /// The number of dice.
    Count,
}

/// A comparison of its dice with a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    /// Name of the roll.
    pub roll: ShortText,
    /// Dice that are compared.
    pub of: NeedOf,
    /// The comparison: `>=`.
    pub op: ShortText,
    /// The value that the dice are compared with.
    pub than: Value,
    /// Whether the rules can reroll or explode the dice before, so that the chance does not depend only on the roll.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Bit {
    /// Text of the rules.
    Text(ShortText),
    /// A value within the text.
    Value(Value),
}

/// A text with embedded values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words(pub Vec<Bit>);

/// Named values as a map, in their order.
mod by_name {
    use super::*;

    type Parts = Vec<(ShortText, Value)>;

    pub fn serialize<S: Serializer>(parts: &[(ShortText, Value)], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(parts.iter().map(|(name, value)| (name, value)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Parts, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Parts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("named values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts, A::Error> {
                let mut parts = Vec::new();
                while let Some(part) = map.next_entry()? {
                    parts.push(part);
                }
                Ok(parts)
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

impl Value {
    fn none() -> Value {
        Value::None
    }

    /// Returns whether the value is missing.
    pub fn is_none(&self) -> bool {
        *self == Value::None
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Thing(word) | Value::Word(word) | Value::Die(word) => f.write_str(word),
            Value::Length(v) => f.write_str(&length(*v)),
            Value::Angle(v) => f.write_str(&angle(*v)),
            Value::Ratio(n, d) if *d == 1 => write!(f, "{n}"),
            Value::Ratio(n, d) => write!(f, "{n}/{d}"),
            Value::Point(x, y) => write!(f, "[{}, {}]", fixed(*x, 1000), fixed(*y, 1000)),
            Value::Covered(v) => write!(f, "{} covered", length(*v)),
            Value::Record(parts) => listed(f, parts, |f, (name, value)| write!(f, "{name} {value}")),
            Value::Tuple(parts) => {
                f.write_str("(")?;
                listed(f, parts, |f, value| value.fmt(f))?;
                f.write_str(")")
            }
            Value::Action { name, with } if with.is_empty() => f.write_str(name),
            Value::Action { name, with } => {
                write!(f, "{name}(")?;
                listed(f, with, |f, (name, value)| write!(f, "{name}: {value}"))?;
                f.write_str(")")
            }
            Value::Flag(yes) => f.write_str(if *yes { "yes" } else { "no" }),
            Value::Int(v) => write!(f, "{v}"),
            Value::List(entries) => {
                f.write_str("[")?;
                listed(f, entries, |f, value| value.fmt(f))?;
                f.write_str("]")
            }
            Value::None => f.write_str("none"),
        }
    }
}

/// Writes entries separated by commas.
fn listed<T>(
    f: &mut fmt::Formatter<'_>,
    entries: &[T],
    tell: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (n, entry) in entries.iter().enumerate() {
        if n > 0 {
            f.write_str(", ")?;
        }
        tell(f, entry)?;
    }
    Ok(())
}

impl From<Value> for String {
    fn from(value: Value) -> String {
        match value {
            Value::Thing(word) | Value::Word(word) | Value::Die(word) => word.into(),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|bit| match bit {
            Bit::Text(text) => f.write_str(text),
            Bit::Value(value) => value.fmt(f),
        })
    }
}

impl Words {
    /// Returns whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends text and returns the result.
    pub fn text(mut self, text: impl AsRef<str>) -> Words {
        self.add(text.as_ref());
        self
    }

    /// Appends a value and returns the result.
    pub fn value(mut self, value: Value) -> Words {
        self.0.push(Bit::Value(value));
        self
    }

    pub fn add(&mut self, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(Bit::Text(last)) => *last = last.followed_by(text),
            _ => self.0.push(Bit::Text(text.into())),
        }
    }

    pub fn append(&mut self, other: Words) {
        for bit in other.0 {
            match bit {
                Bit::Text(text) => self.add(&text),
                value @ Bit::Value(_) => self.0.push(value),
            }
        }
    }

    pub fn trim_end(&mut self) {
        if let Some(Bit::Text(last)) = self.0.last_mut() {
            *last = last.trim_end().into();
            if last.is_empty() {
                self.0.pop();
            }
        }
    }
}

/// Formats a length as the rules write it: `3.6"`.
pub fn length(v: i64) -> String {
    if v >= FAR { "far".into() } else { format!("{}\"", fixed(v, 1000)) }
}

/// Formats an angle as the rules write it: `45°`.
pub fn angle(v: i64) -> String {
    format!("{}°", fixed(v, 100))
}

/// Returns the type of a measured distance: two places and an optional limit.
pub fn measured() -> Type {
    Type::Tuple(vec![Type::Place, Type::Place, Type::Optional(Box::new(Type::Length))])
}

impl Value {
    /// Returns a whole number, or `None` for another kind of value.
    pub fn as_int(&self) -> Option<i64> {
        if let Value::Int(n) = self { Some(*n) } else { None }
    }

    /// Returns a flag, or `None` for another kind of value.
    pub fn as_flag(&self) -> Option<bool> {
        if let Value::Flag(yes) = self { Some(*yes) } else { None }
    }

    /// Returns the name of a thing, a case or a die, or `None` for another kind of value.
    pub fn as_name(&self) -> Option<&str> {
        match self {
            Value::Thing(name) | Value::Word(name) | Value::Die(name) => Some(name),
            _ => None,
        }
    }
}

/// Converts whole numbers.
macro_rules! from_whole {
    ($($whole:ty)*) => { $(
        impl From<$whole> for Value {
            fn from(n: $whole) -> Value {
                Value::Int(n.into())
            }
        }
    )* };
}

from_whole!(i8 i16 i32 i64 u8 u16 u32);

/// A count. A number that no cell can hold becomes the greatest one, which is outside the range of every field.
impl From<usize> for Value {
    fn from(n: usize) -> Value {
        Value::Int(i64::try_from(n).unwrap_or(i64::MAX))
    }
}

/// A number. One that no cell can hold becomes the greatest one, which is outside the range of every field.
impl From<u64> for Value {
    fn from(n: u64) -> Value {
        Value::Int(i64::try_from(n).unwrap_or(i64::MAX))
    }
}

impl<V: Clone + Into<Value>> From<&[V]> for Value {
    fn from(entries: &[V]) -> Value {
        entries.to_vec().into()
    }
}

impl<V: Into<Value>, const N: usize> From<[V; N]> for Value {
    fn from(entries: [V; N]) -> Value {
        Value::List(entries.into_iter().map(Into::into).collect())
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Value {
        Value::Flag(yes)
    }
}

/// A name: a case, a thing, a die, or a number in another form, such as `3/4`.
impl From<&str> for Value {
    fn from(name: &str) -> Value {
        Value::Word(name.into())
    }
}

impl From<String> for Value {
    fn from(name: String) -> Value {
        Value::Word(name.into())
    }
}

impl<V: Into<Value>> From<Vec<V>> for Value {
    fn from(entries: Vec<V>) -> Value {
        Value::List(entries.into_iter().map(Into::into).collect())
    }
}

impl<V: Into<Value>> From<Option<V>> for Value {
    fn from(value: Option<V>) -> Value {
        value.map_or(Value::None, Into::into)
    }
}
