//! Types, ids, and the layout of each type in cells.
//!
//! A cell is one `i64`. Lengths are thousandths of an inch, angles are hundredths of a degree, and flags are 0 or 1.
//! Cases are their index in the declaration, steps of a chain their index in it, and dice their number of sides. Things
//! are their number within their kind. A missing value has [`NONE`] in its first cell.

use super::Ratio;
use std::cmp::Ordering;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// Returns the id as an index.
            pub fn at(self) -> usize { self.0 as usize }
        }
        impl super::id_set::Id for $name {
            fn index(self) -> usize { self.at() }
        }
        impl From<usize> for $name {
            fn from(n: usize) -> Self { $name(n as u32) }
        }
    )* };
}

ids! {
    /// An item that can have a title and citations.
    ItemId;
    /// An enum, or the cases of a reading.
    EnumId;
    /// A chain of dice.
    ChainId;
    /// A die with declared faces.
    DieId;
    /// A record, the fields of an event, the data of a status, or the result of a test.
    RecordId;
    /// A kind of thing.
    KindId;
    /// A stat, state, link or derived value of a kind.
    FieldId;
    /// A param or a reading.
    SettingId;
    /// A top-level state.
    GlobalId;
    /// A tally.
    TallyId;
    /// A trait, status or condition.
    TraitId;
    /// A body of code: let, table, test, proc, phase, action, guard, rule.
    FuncId;
    /// An event.
    EventId;
    /// A phase.
    PhaseId;
    /// An action.
    ActionId;
    /// A rule, at top level or in a trait.
    RuleId;
    /// A law.
    LawId;
    /// A policy.
    PolicyId;
    /// A roll, draw, decision or move, at which the machine stops for an answer.
    SiteId;
    /// A variable of one function.
    LocalId;
    /// A variable of a running phase or action, read or written from outside it.
    AmbientId;
}

/// The first cell of a missing value.
pub const NONE: i64 = i64::MIN;

/// The first cell of a `Place` that is a thing. Its second cell is [`pack_thing`].
pub const THING: i64 = i64::MIN + 1;

/// The first cell of a `Place` that is a thing at its position before the move being judged.
pub const THING_BEFORE: i64 = i64::MIN + 3;

/// The first cell of a point that only the board reads. The next cell holds both coordinates.
pub const THOUGHT: i64 = i64::MIN + 4;

/// Maximum length ("far").
pub const FAR: i64 = i32::MAX as i64;

/// Packs kind and number of a thing into one cell, for places that can be things of any kind.
pub fn pack_thing(kind: KindId, index: i64) -> i64 {
    (i64::from(kind.0) << 32) | index
}

/// Unpacks the result of [`pack_thing`].
pub fn unpack_thing(cell: i64) -> (KindId, i64) {
    (KindId((cell >> 32) as u32), cell & 0xffff_ffff)
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A whole number in the range (inclusive) that the checker has inferred. 32 bits on the table, 64 in intermediate
    /// results.
    Int(Range),
    /// `yes` or `no`.
    Flag,
    /// Thousandths of an inch.
    Length,
    /// Hundredths of a degree, 0 to 36,000.
    Angle,
    /// An exact fraction: two cells, reduced, the second above 0.
    Ratio,
    /// An enum or the cases of a reading.
    Enum(EnumId),
    /// A die of a chain, as its step.
    Chain(ChainId),
    /// Any die with number faces, as its number of sides. A declared die is `-1 - id`.
    Die,
    /// A step of a chain, possibly past its ends: below 0, or at least the number of steps.
    Shifted(ChainId),
    /// A face of a declared die without numbers. The type is allowed only where the die is rolled.
    Faces(DieId),
    /// A thing of a kind.
    Kind(KindId),
    /// A record, an event's data, a status instance or a test result: its fields in order.
    Record(RecordId),
    /// Several values in order.
    Tuple(Vec<Type>),
    /// A point, or ([`THING`], packed thing).
    Place,
    /// The straight route to a point, as the point.
    Route,
    /// The result of a move: distance covered, kind met (or [`EDGE`], [`NONE`]), thing met, list of packed things
    /// crossed.
    Leg,
    /// A list, as one cell: a handle to the heap of the state.
    List(Box<Type>),
    /// A value or [`NONE`].
    Optional(Box<Type>),
    /// The obstacle that a move met: kind number or [`EDGE`] or [`NONE`], then thing. It can only be matched.
    Met,
    /// No value: statements, procs without a result.
    Nothing,
    /// A value whose type could not be inferred. It agrees with every type, so that one error gives one message.
    Unknown,
}

/// The first cell of a `Met` that is the edge of the table.
pub const EDGE: i64 = -1;

/// An inclusive range of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// The minimum.
    pub low: i64,
    /// The maximum.
    pub high: i64,
}

impl Range {
    /// Every number that the table can hold.
    pub const ALL: Range = Range { low: i32::MIN as i64, high: i32::MAX as i64 };

    /// Every number that an intermediate result can have.
    pub const WIDE: Range = Range { low: i64::MIN, high: i64::MAX };

    /// Creates the range from `low` to `high`, both inclusive.
    pub fn new(low: i64, high: i64) -> Self {
        Range { low, high }
    }

    /// Returns whether this range contains every number of the other.
    pub fn holds(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Returns the range after clamping both ends to [`Range::ALL`]: every stored number is within it.
    pub fn kept(self) -> Range {
        let cut = |n: i64| n.clamp(Range::ALL.low, Range::ALL.high);
        Range { low: cut(self.low), high: cut(self.high) }
    }

    /// Returns the smallest range that contains both.
    pub fn join(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

impl Type {
    /// Returns whether values of the type have a mean: numbers, lengths, fractions and conditions.
    pub fn has_mean(&self) -> bool {
        matches!(self, Type::Int(_) | Type::Length | Type::Ratio | Type::Flag)
    }

    /// Returns whether the type is numeric: numbers, lengths, angles and dice, and lists of them.
    pub fn is_figure(&self) -> bool {
        match self.present() {
            Type::List(inner) => inner.is_figure(),
            other => matches!(
                other,
                Type::Int(_) | Type::Length | Type::Angle | Type::Ratio | Type::Chain(_) | Type::Die | Type::Shifted(_)
            ),
        }
    }

    /// Any whole number.
    pub const INT: Type = Type::Int(Range::ALL);

    /// The built-in types with their names.
    pub const NAMED: [(&'static str, Type); 9] = [
        ("Int", Type::INT),
        ("Flag", Type::Flag),
        ("Length", Type::Length),
        ("Angle", Type::Angle),
        ("Ratio", Type::Ratio),
        ("Die", Type::Die),
        ("Place", Type::Place),
        ("Route", Type::Route),
        ("Leg", Type::Leg),
    ];

    /// Returns the built-in type with this name.
    pub fn named(name: &str) -> Option<Type> {
        Type::NAMED.into_iter().find_map(|(own, ty)| (own == name).then_some(ty))
    }

    /// Returns `T?`. An optional type does not change.
    pub fn optional(self) -> Type {
        match self {
            Type::Optional(_) | Type::Unknown => self,
            other => Type::Optional(Box::new(other)),
        }
    }

    pub fn list(self) -> Type {
        Type::List(Box::new(self))
    }

    /// Returns the kind of a thing or an optional thing, or `None` for other types.
    pub fn kind(&self) -> Option<KindId> {
        if let Type::Kind(kind) = self.present() { Some(*kind) } else { None }
    }

    /// Returns the entry type of a list or an optional list, or `None` for other types.
    pub fn entry(&self) -> Option<&Type> {
        if let Type::List(inner) = self.present() { Some(inner) } else { None }
    }

    /// Returns `T` for `T?`, otherwise the type itself.
    pub fn present(&self) -> &Type {
        match self {
            Type::Optional(inner) => inner,
            other => other,
        }
    }
}

/// Compares two values of a type by their cells: numbers by size, missing values first, all others by their cells.
pub fn order(ty: &Type, a: &[i64], b: &[i64]) -> Ordering {
    match (ty.present(), a, b) {
        (Type::Ratio, [x, under_x], [y, under_y]) if ![x, y].contains(&&NONE) => {
            Ratio::new(*x, *under_x).cmp(&Ratio::new(*y, *under_y))
        }
        (Type::List(inner), ..) if **inner == Type::Ratio => {
            let entries = a.chunks(2).zip(b.chunks(2)).map(|(x, y)| order(inner, x, y));
            entries.fold(Ordering::Equal, Ordering::then).then(a.len().cmp(&b.len()))
        }
        _ => a.cmp(b),
    }
}

/// Formats a number of thousandths or hundredths (`unit` per whole) without trailing zeros.
pub fn fixed(v: i64, unit: i64) -> String {
    let sign = if v < 0 { "-" } else { "" };
    let (size, unit) = (v.unsigned_abs(), unit.unsigned_abs());
    let digits = if unit == 1000 { format!("{:03}", size % unit) } else { format!("{:02}", size % unit) };
    format!("{sign}{}.{digits}", size / unit).trim_end_matches('0').trim_end_matches('.').to_string()
}
