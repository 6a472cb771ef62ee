//! Values of the reference evaluator, and fractions of 128 bits.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms; the denominator is above 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Frac {
    pub num: i128,
    pub den: i128,
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl Frac {
    pub fn new(num: i128, den: i128) -> Frac {
        let by = gcd(num, den).max(1) * den.signum();
        Frac { num: num / by, den: den / by }
    }

    pub fn whole(n: i64) -> Frac {
        Frac::new(n.into(), 1)
    }

    pub fn plus(self, other: Frac) -> Frac {
        let common = gcd(self.den, other.den);
        Frac::new(self.num * (other.den / common) + other.num * (self.den / common), self.den / common * other.den)
    }

    pub fn minus(self, other: Frac) -> Frac {
        self.plus(Frac { num: -other.num, den: other.den })
    }

    pub fn times(self, other: Frac) -> Frac {
        let (a, b) = (Frac::new(self.num, other.den), Frac::new(other.num, self.den));
        Frac::new(a.num * b.num, a.den * b.den)
    }

    /// Returns `None` for a division by zero.
    pub fn over(self, other: Frac) -> Option<Frac> {
        (other.num != 0).then(|| self.times(Frac::new(other.den, other.num)))
    }

    pub fn floor(self) -> i64 {
        self.num.div_euclid(self.den) as i64
    }
}

impl Ord for Frac {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.num * other.den).cmp(&(other.num * self.den))
    }
}

impl PartialOrd for Frac {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Frac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == 1 { write!(f, "{}", self.num) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

/// A die: a number of sides, a step of a chain, or a declared die. Chains and dice are indices of declarations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Die {
    Sides(i64),
    Step { chain: usize, at: i64 },
    Own(usize),
}

/// A value. Things, enums, chains and running phases are indices.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum V {
    None,
    Int(i64),
    Flag(bool),
    Ratio(Frac),
    /// Thousandths of an inch.
    Length(i64),
    /// Hundredths of a degree.
    Angle(i64),
    Case(usize, usize),
    Die(Die),
    /// A step of a chain, also past its ends.
    Shifted(usize, i64),
    Thing(usize),
    List(Vec<V>),
    Tuple(Vec<V>),
    /// Fields with their names: records, data of events and statuses, results of tests.
    Record(Vec<(String, V)>),
    /// A running phase or action, as a rule on it sees it.
    Running(usize),
}

impl V {
    pub fn flag(&self) -> bool {
        match self {
            V::Flag(yes) => *yes,
            other => panic!("{other:?} is no flag"),
        }
    }

    pub fn int(&self) -> i64 {
        match self {
            V::Int(n) | V::Length(n) | V::Angle(n) => *n,
            other => panic!("{other:?} is no number"),
        }
    }

    pub fn frac(&self) -> Frac {
        match self {
            V::Ratio(f) => *f,
            other => Frac::whole(other.int()),
        }
    }

    pub fn thing(&self) -> usize {
        match self {
            V::Thing(n) => *n,
            other => panic!("{other:?} is no thing"),
        }
    }

    pub fn list(self) -> Vec<V> {
        match self {
            V::List(list) => list,
            other => panic!("{other:?} is no list"),
        }
    }

    /// Compares numbers, cases of one enum, or dice of one chain.
    pub fn order(&self, other: &V) -> Ordering {
        match (self, other) {
            (V::Ratio(_), _) | (_, V::Ratio(_)) => self.frac().cmp(&other.frac()),
            (V::Record(a), V::Record(b)) => a.iter().map(|f| &f.1).cmp(b.iter().map(|f| &f.1)),
            _ => self.cmp(other),
        }
    }
}
