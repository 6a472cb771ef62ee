//! Types, ids, and how each type lies in cells.
//!
//! A cell is one `i64`. Lengths are thousandths of an inch, angles hundredths of a degree, flags 0 or 1, cases
//! their place in the declaration, steps of a chain their place on it, dice their number of sides, things their
//! number within their kind. A missing value has [`NONE`] in its first cell.

use super::Ratio;
use std::cmp::Ordering;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// The id as an index.
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
    /// Any item that has a title and cites.
    ItemId;
    /// An enum, or the cases of a reading.
    EnumId;
    /// A chain of dice.
    ChainId;
    /// A die with faces of its own.
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
    /// A roll, draw, decision or move: a place where the machine stops to ask.
    SiteId;
    /// A variable of one function.
    LocalId;
    /// A variable of a running phase or action, read or written from outside it.
    AmbientId;
}

/// The first cell of a missing value.
pub const NONE: i64 = i64::MIN;

/// The first cell of a Place that is a thing: its second cell is [`pack_thing`].
pub const THING: i64 = i64::MIN + 1;

/// The same of a thing as it stood when the move began that is judged.
pub const THING_BEFORE: i64 = i64::MIN + 3;

/// The same of a point that the board alone looks at: the next cell holds both coordinates.
pub const THOUGHT: i64 = i64::MIN + 4;

/// Lengths stop here ("far").
pub const FAR: i64 = i32::MAX as i64;

/// Kind and number of a thing in one cell, for places that may be things of any kind.
pub fn pack_thing(kind: KindId, index: i64) -> i64 {
    (i64::from(kind.0) << 32) | index
}

/// What [`pack_thing`] packed.
pub fn unpack_thing(cell: i64) -> (KindId, i64) {
    (KindId((cell >> 32) as u32), cell & 0xffff_ffff)
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A whole number in a range (ends included), as far as the checker knows it. 32 bits on the table, 64 in between.
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
    /// A die of a chain: its step.
    Chain(ChainId),
    /// Any die with number faces: its sides; a declared die is -1 - its id.
    Die,
    /// A position on a chain, past its ends too: below 0, or at or over the number of steps.
    Shifted(ChainId),
    /// A face type of a declared die that has no numbers stands only where it is rolled.
    Faces(DieId),
    /// A thing of a kind.
    Kind(KindId),
    /// A record, an event's data, a status instance or a test result: its fields in order.
    Record(RecordId),
    /// Several values in order.
    Tuple(Vec<Type>),
    /// A point, or ([`THING`], packed thing).
    Place,
    /// The straight way to a point: the point.
    Route,
    /// What a move gives: covered, met kind (or [`EDGE`], [`NONE`]), met thing, list of packed things crossed.
    Leg,
    /// A list: one cell, a handle to the heap of the state.
    List(Box<Type>),
    /// A value or [`NONE`].
    Optional(Box<Type>),
    /// What a move met: kind number or [`EDGE`] or [`NONE`], thing. Matched only.
    Met,
    /// No value: statements, procs without a result.
    Nothing,
    /// Stands for a value whose type could not be found; agrees with everything, so one fault gives one message.
    Unknown,
}

/// The first cell of a `Met` that is the table edge.
pub const EDGE: i64 = -1;

/// A range of whole numbers, ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// The least value.
    pub low: i64,
    /// The greatest value.
    pub high: i64,
}

impl Range {
    /// Every number the table can hold.
    pub const ALL: Range = Range { low: i32::MIN as i64, high: i32::MAX as i64 };

    /// Every number that comes up while a value is worked out.
    pub const WIDE: Range = Range { low: i64::MIN, high: i64::MAX };

    /// From `low` to `high`.
    pub fn new(low: i64, high: i64) -> Self {
        Range { low, high }
    }

    /// Whether every number of the other range lies within this one.
    pub fn holds(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// What of it the table can hold: a number that is kept lies within this.
    pub fn kept(self) -> Range {
        let cut = |n: i64| n.clamp(Range::ALL.low, Range::ALL.high);
        Range { low: cut(self.low), high: cut(self.high) }
    }

    /// The smallest range that holds both.
    pub fn join(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

impl Type {
    /// True for numbers, lengths, fractions and conditions: what has a mean.
    pub fn has_mean(&self) -> bool {
        matches!(self, Type::Int(_) | Type::Length | Type::Ratio | Type::Flag)
    }

    /// True for numbers, lengths, angles and dice, and lists of them.
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

    /// Types that nobody declares, by their names.
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

    /// The type of a name that nobody declares.
    pub fn named(name: &str) -> Option<Type> {
        Type::NAMED.into_iter().find_map(|(own, ty)| (own == name).then_some(ty))
    }

    /// `T?`; an optional stays as it is.
    pub fn optional(self) -> Type {
        match self {
            Type::Optional(_) | Type::Unknown => self,
            other => Type::Optional(Box::new(other)),
        }
    }

    /// `list of T`.
    pub fn list(self) -> Type {
        Type::List(Box::new(self))
    }

    /// The kind of a thing, maybe a missing one.
    pub fn kind(&self) -> Option<KindId> {
        if let Type::Kind(kind) = self.present() { Some(*kind) } else { None }
    }

    /// What a list holds, maybe a missing one.
    pub fn entry(&self) -> Option<&Type> {
        if let Type::List(inner) = self.present() { Some(inner) } else { None }
    }

    /// T of `T?`, otherwise itself.
    pub fn present(&self) -> &Type {
        match self {
            Type::Optional(inner) => inner,
            other => other,
        }
    }
}

/// The order of two values of a type from their cells: numbers by size, a missing value first, all else as it lies.
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

/// A number of thousandths or hundredths (`unit` to the whole) without needless zeros.
pub fn fixed(v: i64, unit: i64) -> String {
    let sign = if v < 0 { "-" } else { "" };
    let (size, unit) = (v.unsigned_abs(), unit.unsigned_abs());
    let digits = if unit == 1000 { format!("{:03}", size % unit) } else { format!("{:02}", size % unit) };
    format!("{sign}{}.{digits}", size / unit).trim_end_matches('0').trim_end_matches('.').to_string()
}
