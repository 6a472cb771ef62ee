//! The one table of operators and builtins. The checker picks an [`Op`], the compiler emits it, the machine carries
//! it out, the reference prints it. What an operator reads and writes, what it has to know of dice that fell unseen, and
//! how its result is bounded stand here and nowhere else.

use super::Ratio;
use std::cmp::Ordering;

/// How an operator or builtin is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpSort {
    /// Written between or before its operands.
    Operator,
    /// Written `name(..)`.
    Builtin,
    /// Put in by the checker; never written.
    Hidden,
}

/// What is known of an operator beside its work.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Whether it is written as an operator, as a call, or not at all.
    pub sort: OpSort,
    /// How it is written.
    pub written: &'static str,
    /// Its types, in words of the language.
    pub signature: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// A call of it in a rulebook's English, with `{1}` for the first operand and `{all}` for all of them. Every builtin has one.
    pub english: &'static str,
    /// Its operands.
    pub takes: &'static [Takes],
    /// Its result.
    pub gives: Gives,
    /// What the compiler makes of it.
    pub lowering: Lowering,
    /// The bounds of its result.
    pub interval: Interval,
}

/// An operand: its type where the table tells the checker, and how it lies in registers. `n` is the number that the
/// instruction carries beside its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// No register: a kind.
    Nothing,
    /// A number.
    Int,
    /// A length.
    Length,
    /// An angle.
    Angle,
    /// A thing of any kind.
    Thing,
    /// A place: two cells.
    Place,
    /// One cell of whatever type the checker lets pass.
    Cell,
    /// Two cells: a fraction.
    Pair,
    /// `n` cells.
    Value,
    /// A case or a die of a chain; `n` is how many there are.
    Case,
    /// A die; `n` is 1 more than the number of its chain, or 0.
    Chain,
    /// A list with entries of `n` cells.
    List(Demand),
    /// A list of values that have an order, with entries of `n` cells.
    Ordered(Demand),
}

impl Takes {
    /// How many registers it takes.
    pub fn width(self, n: u16) -> u16 {
        match self {
            Takes::Nothing => 0,
            Takes::Place | Takes::Pair => 2,
            Takes::Value => n.max(1),
            Takes::Int | Takes::Length | Takes::Angle | Takes::Thing => 1,
            Takes::Cell | Takes::Case | Takes::Chain | Takes::List(_) | Takes::Ordered(_) => 1,
        }
    }

    /// If it is a list, what has to be known of its dice.
    pub fn demand(self) -> Option<Demand> {
        if let Takes::List(demand) | Takes::Ordered(demand) = self { Some(demand) } else { None }
    }
}

/// What an operator has to know of the dice in a list: lazily sampled dice are settled so far and no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// How many there are.
    Count,
    /// Their faces, in whatever order.
    Faces,
    /// The face at the place that the first operand tells, counted from 1.
    Entry,
    /// Their faces in order.
    Order,
}

/// A result: its type where the table tells the checker, and how it lies in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// Yes or no.
    Flag,
    /// A length.
    Length,
    /// An angle.
    Angle,
    /// A place: two cells.
    Place,
    /// A list of routes, two cells each.
    Routes,
    /// A list of places, two cells each.
    Places,
    /// A list of things or numbers.
    Things,
    /// The same, and in the next register how far was looked for them.
    Near,
    /// An entry of the list it takes, or none: `n` cells.
    Entry,
    /// An entry of the list it takes, or none if that is empty: `n` cells.
    Member,
    /// A number from none to as many as the list has entries.
    Count,
    /// A list with entries of `n` cells, as in the list it takes.
    Entries,
    /// One cell; the checker has words of its own for its type.
    Cell,
    /// Two cells; the checker has words of its own for their type.
    Pair,
}

impl Gives {
    /// How many registers it writes.
    pub fn width(self, n: u16) -> u16 {
        match self {
            Gives::Place | Gives::Pair | Gives::Near => 2,
            Gives::Entry | Gives::Member => n.max(1),
            Gives::Flag | Gives::Length | Gives::Angle | Gives::Count | Gives::Cell => 1,
            Gives::Routes | Gives::Places | Gives::Things | Gives::Entries => 1,
        }
    }

    /// If the first cell is a list, the cells of its entries.
    pub fn entries(self, n: u16) -> Option<u16> {
        match self {
            Gives::Routes | Gives::Places => Some(2),
            Gives::Things | Gives::Near => Some(1),
            Gives::Entries => Some(n),
            Gives::Flag | Gives::Length | Gives::Angle | Gives::Place => None,
            Gives::Entry | Gives::Member | Gives::Count | Gives::Cell | Gives::Pair => None,
        }
    }
}

/// What the compiler makes of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lowering {
    /// One instruction with two operands.
    Instr,
    /// The same instruction again for each operand after the second.
    Fold,
    /// A question to the board.
    Board,
    /// A walk along a tree link.
    Tree,
    /// A list with what was destroyed.
    Fallen,
    /// The length of a list, or of the list of the members of a group.
    Length,
    /// A number and a 1 under it.
    Whole,
    /// A thing as a place.
    Place,
    /// Two numbers side by side.
    Point,
    /// A look at the phase stack.
    Phase,
}

/// How the bounds of a result follow from those of the operands.
#[derive(Clone, Copy, Debug)]
pub enum Interval {
    /// They do not: its type bounds it.
    Typed,
    /// Rising or falling in each of its operands: they are among the values at the bounds of these.
    Corners(fn(Ratio, Ratio) -> Option<Ratio>),
    /// The same for a quotient, if the divisor is never 0.
    Quotient,
    /// Rising or falling in its one operand.
    Monotone(fn(Ratio) -> Option<Ratio>),
    /// From none to as many as the list or group can have.
    Length,
    /// As many of its entries as the list can have.
    Sum,
    /// Those of the entries of the list.
    Entry,
}

macro_rules! ops {
    ($($name:ident $sort:ident $written:literal $signature:literal $doc:literal $(says $english:literal)?
        [$($takes:expr),*] -> $gives:ident, $lowering:ident, $interval:expr;)*) => {
        /// A pure operation on cells.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Op { $(#[doc = $doc] $name),* }

        impl Op {
            /// Every operation, in table order.
            pub const ALL: &'static [Op] = &[$(Op::$name),*];
        }

        /// What is known of each, in table order.
        const FACTS: &[Facts] = &[$(Facts {
            sort: OpSort::$sort,
            written: $written,
            signature: $signature,
            doc: $doc,
            english: concat!($($english)?),
            takes: { #[allow(unused_imports)] use {Demand::*, Takes::*}; &[$($takes),*] },
            gives: Gives::$gives,
            lowering: Lowering::$lowering,
            interval: { use Interval::*; $interval },
        }),*];
    };
}

ops! {
    // arithmetic on one cell: Int, Length
    Add        Operator "+" "Int + Int, Length + Length" "The sum."
        [Cell, Cell] -> Cell, Instr, Corners(Ratio::checked_add);
    Sub        Operator "-" "Int - Int, Length - Length" "The difference."
        [Cell, Cell] -> Cell, Instr, Corners(Ratio::checked_sub);
    Mul        Operator "*" "Int * Int, Int * Length, Int * Angle" "The product."
        [Cell, Cell] -> Cell, Instr, Corners(Ratio::checked_mul);
    Neg        Operator "-" "-Int, -Length" "The number with its sign turned."
        [Cell] -> Cell, Instr, Monotone(Ratio::checked_neg);
    DivLength  Operator "/" "Length / Int" "A part of a length, cut to 1/1000 inch toward zero."
        [Cell, Cell] -> Cell, Instr, Typed;
    AddAngle   Operator "+" "Angle + Angle" "The sum, within 360 degrees."
        [Cell, Cell] -> Cell, Instr, Typed;
    SubAngle   Operator "-" "Angle - Angle" "The difference, within 360 degrees."
        [Cell, Cell] -> Cell, Instr, Typed;
    MulAngle   Operator "*" "Int * Angle" "A multiple, within 360 degrees."
        [Cell, Cell] -> Cell, Instr, Typed;
    TurnBetween Builtin "turn_between" "(Angle, Angle) -> Angle" "The smaller turn from one direction to the other, 0 to 180 degrees, to either side."
        says "the turn between {1} and {2}"
        [Angle, Angle] -> Angle, Instr, Typed;
    // fractions: two cells each
    Fraction   Operator "/" "Int / Int, Length / Length" "An exact fraction."
        [Cell, Cell] -> Pair, Instr, Quotient;
    ToRatio    Hidden   ""  "Int" "A whole number as a fraction."
        [Cell] -> Pair, Whole, Monotone(Some);
    AddRatio   Operator "+" "Ratio + Ratio" "The sum of fractions."
        [Pair, Pair] -> Pair, Instr, Corners(Ratio::checked_add);
    SubRatio   Operator "-" "Ratio - Ratio" "The difference of fractions."
        [Pair, Pair] -> Pair, Instr, Corners(Ratio::checked_sub);
    MulRatio   Operator "*" "Ratio * Ratio" "The product of fractions."
        [Pair, Pair] -> Pair, Instr, Corners(Ratio::checked_mul);
    DivRatio   Operator "/" "Ratio / Ratio" "The quotient of fractions."
        [Pair, Pair] -> Pair, Instr, Quotient;
    NegRatio   Operator "-" "-Ratio" "The fraction with its sign turned."
        [Pair] -> Pair, Instr, Monotone(Ratio::checked_neg);
    RoundDown  Operator "rounded down" "Ratio -> Int" "The greatest whole number not over it."
        [Pair] -> Cell, Instr, Monotone(|r| Some(Ratio::whole(r.floor())));
    RoundUp    Operator "rounded up" "Ratio -> Int" "The least whole number not under it."
        [Pair] -> Cell, Instr, Monotone(|r| Some(Ratio::whole(r.ceil())));
    RoundNear  Operator "rounded nearest" "Ratio -> Int" "The nearest whole number; of a half the greater of the two."
        [Pair] -> Cell, Instr, Monotone(|r| r.checked_add(Ratio::HALF).map(|r| Ratio::whole(r.floor())));
    Remainder  Builtin "remainder" "(Int, Int) -> Int" "What is left when the first is divided by the second and rounded down."
        says "the remainder of {1} divided by {2}"
        [Int, Int] -> Cell, Instr, Typed;
    // comparisons on one cell
    Eq         Operator "==" "T == T" "The same value."
        [Value, Value] -> Flag, Instr, Typed;
    Ne         Operator "!=" "T != T" "Another value."
        [Value, Value] -> Flag, Instr, Typed;
    Lt         Operator "<"  "T < T" "Less, earlier or shorter."
        [Cell, Cell] -> Flag, Instr, Typed;
    Le         Operator "<=" "T <= T" "Not more."
        [Cell, Cell] -> Flag, Instr, Typed;
    Gt         Operator ">"  "T > T" "More, later or longer."
        [Cell, Cell] -> Flag, Instr, Typed;
    Ge         Operator ">=" "T >= T" "Not less."
        [Cell, Cell] -> Flag, Instr, Typed;
    LtRatio    Operator "<"  "Ratio < Ratio" "The smaller fraction."
        [Pair, Pair] -> Flag, Instr, Typed;
    LeRatio    Operator "<=" "Ratio <= Ratio" "Not the greater fraction."
        [Pair, Pair] -> Flag, Instr, Typed;
    // comparisons of several cells
    EqCells    Operator "==" "record == record, Place == Place, Ratio == Ratio" "All fields the same."
        [Value, Value] -> Flag, Instr, Typed;
    EqList     Operator "==" "list == list" "The same entries in the same order."
        [List(Order), List(Order)] -> Flag, Instr, Typed;
    Not        Operator "not" "not Flag" "The other answer."
        [Cell] -> Flag, Instr, Typed;
    // chains
    Up         Operator "up" "chain up Int -> Shifted" "So many steps along the chain, past its end too."
        [Cell, Cell] -> Cell, Instr, Typed;
    Down       Operator "down" "chain down Int -> Shifted" "So many steps back along the chain, past its end too."
        [Cell, Cell] -> Cell, Instr, Typed;
    Closed     Builtin "closed" "Shifted -> chain" "Stops at the end of the chain."
        says "{1}, within the chain"
        [Case] -> Cell, Instr, Typed;
    Open       Builtin "open" "(Shifted, chain) -> (chain, chain)" "What the first could not climb comes off the second; both closed."
        says "{1}, what is over coming off {2}"
        [Case, Cell] -> Pair, Instr, Typed;
    IsPast     Builtin "is_past" "Shifted -> Flag" "Past either end of its chain."
        says "{1} is past the end of the chain"
        [Case] -> Flag, Instr, Typed;
    Next       Builtin "next" "ordered enum or chain -> the same" "One step further; the last stays."
        says "the step after {1}"
        [Case] -> Cell, Instr, Typed;
    Faces      Builtin "faces" "Die -> Int" "How many faces the die has."
        says "the number of faces of {1}"
        [Chain] -> Cell, Instr, Typed;
    DieOf      Builtin "die" "Int -> Die" "A die with so many faces, 1 to 1,000,000."
        says "a die with {1} faces"
        [Cell] -> Cell, Instr, Typed;
    ToDie      Hidden  ""  "chain" "A die of a chain as a die by its sides."
        [Chain] -> Cell, Instr, Typed;
    // lists and numbers
    Min        Builtin "min" "two or more of one ordered type" "The least."
        says "the least of {all}"
        [Cell, Cell] -> Cell, Fold, Corners(|a, b| Some(a.min(b)));
    Max        Builtin "max" "two or more of one ordered type" "The greatest."
        says "the greatest of {all}"
        [Cell, Cell] -> Cell, Fold, Corners(|a, b| Some(a.max(b)));
    MinRatio   Builtin "min" "two or more Ratios" "The least fraction."
        says "the least of {all}"
        [Pair, Pair] -> Pair, Fold, Corners(|a, b| Some(a.min(b)));
    MaxRatio   Builtin "max" "two or more Ratios" "The greatest fraction."
        says "the greatest of {all}"
        [Pair, Pair] -> Pair, Fold, Corners(|a, b| Some(a.max(b)));
    Size       Builtin "size" "list or group -> Int" "How many; a group counts its living members."
        says "the number of {1}"
        [List(Count)] -> Cell, Length, Length;
    Nth        Builtin "nth" "(Int, list of T) -> T?" "The entry at that place, counted from 1; none past the end."
        says "number {1} of {2}"
        [Int, List(Entry)] -> Entry, Instr, Entry;
    Copies     Builtin "copies" "(Int, T) -> list of T" "So many of the same."
        says "{1} times {2}"
        [Cell, Value] -> Entries, Instr, Typed;
    Concat     Operator "+" "list + list" "One list after the other."
        [List(Order), List(Order)] -> Entries, Instr, Typed;
    Without    Operator "-" "list - list" "What is left of the first when each entry of the second that it has is taken out once, the first of equals."
        [List(Order), List(Faces)] -> Entries, Instr, Typed;
    Total      Builtin "total" "list of Int -> Int" "The sum of the entries."
        says "the total of {1}"
        [List(Faces)] -> Cell, Instr, Sum;
    Highest    Builtin "highest" "(Int, list of T) -> list of T" "At most so many of the greatest, falling."
        says "the {1} highest of {2}"
        [Int, Ordered(Faces)] -> Entries, Instr, Typed;
    Lowest     Builtin "lowest" "(Int, list of T) -> list of T" "At most so many of the least, rising."
        says "the {1} lowest of {2}"
        [Int, Ordered(Faces)] -> Entries, Instr, Typed;
    Median     Builtin "median" "list of T -> T?" "The middle entry in order, the lower of two; a T where the list cannot be empty."
        says "the median of {1}"
        [Ordered(Faces)] -> Member, Instr, Entry;
    Mode       Builtin "mode" "list of T -> T?" "The most frequent entry, of several the greatest; a T where the list cannot be empty."
        says "the mode of {1}"
        [Ordered(Faces)] -> Member, Instr, Entry;
    Distinct   Builtin "distinct" "list -> Int" "How many different entries."
        says "the number of different {1}"
        [List(Faces)] -> Count, Instr, Length;
    InList     Operator "in" "T in list of T" "One of the entries."
        [Value, List(Faces)] -> Flag, Instr, Typed;
    WithFallen Builtin "with_fallen" "list of things -> list of things" "Those that were destroyed too, which all else leaves out of a list."
        says "{1}, the destroyed included"
        [List(Order)] -> Entries, Fallen, Typed;
    // organisation
    Below      Builtin "below" "thing -> list of things" "Everything under it along the kind's tree link."
        says "all below {1}"
        [Thing] -> Things, Tree, Typed;
    Tiers      Builtin "tiers" "(thing, thing) -> Int" "Links between the two, up and down the tree; 0 if unrelated."
        says "the steps between {1} and {2}"
        [Thing, Thing] -> Cell, Tree, Typed;
    Running    Builtin "running" "phase name -> Flag" "That phase is on the phase stack."
        says "{1} is going on"
        [] -> Flag, Phase, Typed;
    // the table
    Pack       Hidden  "" "thing" "A thing with its kind in one cell; `n` is the kind."
        [Cell] -> Cell, Instr, Typed;
    KindOf     Hidden  "" "packed thing" "Its kind."
        [Cell] -> Cell, Instr, Typed;
    NumberOf   Hidden  "" "packed thing" "Its number within its kind."
        [Cell] -> Cell, Instr, Typed;
    PlaceOf    Hidden  "" "thing" "A thing as a place."
        [Thing] -> Place, Place, Typed;
    Point      Hidden  "" "(Length, Length)" "A point as a place."
        [Length, Length] -> Place, Point, Typed;
    Dist       Builtin "dist" "(Place, Place) -> Length" "Between nearest edges, rounded to 0.001\"; far if one is nowhere."
        says "the distance between {1} and {2}"
        [Place, Place] -> Length, Board, Typed;
    DistCmp    Hidden  "" "(Place, Place, Place, Place)" "Below 0 if the first two are nearer than the last two, 0 if less than 0.002\" tells them apart."
        [Place, Place, Place, Place] -> Cell, Board, Typed;
    DistTo     Hidden  "" "(Place, Length, Place)" "Below 0 if the two are nearer than the length, 0 if less than 0.001\" tells them apart."
        [Place, Length, Place] -> Cell, Board, Typed;
    Near       Hidden  "" "(kind, Place, Length) -> list of things" "Things of the kind within a distance, for `nearest`."
        [Nothing, Place, Length] -> Near, Board, Typed;
    Ranks      Hidden  "" "list of (Place, Place)" "How many of the distances are less than each."
        [List(Order)] -> Things, Board, Typed;
    Bearing    Builtin "bearing" "(Place, Place) -> Angle" "The way from the first to the second."
        says "the way from {1} to {2}"
        [Place, Place] -> Angle, Board, Typed;
    Within     Operator "within .. of" "Place within Length of Place" "`dist` between the two is not more than that."
        [Place, Length, Place] -> Flag, Board, Typed;
    Sees       Operator "sees" "Place sees Place" "Some straight line between the two is free."
        [Place, Place] -> Flag, Board, Typed;
    Inside     Builtin "inside" "(Place, thing) -> Flag" "Every living part of the first is in the second."
        says "{1} is inside {2}"
        [Place, Thing] -> Flag, Board, Typed;
    Crosses    Builtin "crosses" "(Place, Place, thing) -> Flag" "The line between the two passes over the thing."
        says "the line from {1} to {2} crosses {3}"
        [Place, Place, Thing] -> Flag, Board, Typed;
    LengthIn   Builtin "length_in" "(Place, Place, thing) -> Length" "How much of the line between the two runs inside the thing."
        says "the length of the line from {1} to {2} inside {3}"
        [Place, Place, Thing] -> Length, Board, Typed;
    ToEdge     Builtin "to_edge" "thing -> Length" "From its edge to the nearest edge of the table."
        says "the distance of {1} to the edge of the table"
        [Thing] -> Length, Board, Typed;
    Touches    Builtin "touches" "(thing, thing) -> Flag" "Distance 0."
        says "{1} touches {2}"
        [Thing, Thing] -> Flag, Board, Typed;
    Ahead      Builtin "ahead" "thing -> Angle" "The way it faces."
        says "straight ahead of {1}"
        [Thing] -> Angle, Board, Typed;
    Rear       Builtin "rear" "thing -> Angle" "The way opposite to its front."
        says "the rear of {1}"
        [Thing] -> Angle, Board, Typed;
    InFront    Builtin "in_front" "(thing, Place) -> Flag" "Before its front."
        says "{2} is in front of {1}"
        [Thing, Place] -> Flag, Board, Typed;
    InRear     Builtin "in_rear" "(thing, Place) -> Flag" "Behind its front."
        says "{2} is behind {1}"
        [Thing, Place] -> Flag, Board, Typed;
    InArc      Builtin "in_arc" "(thing, Place, Angle) -> Flag" "No more than that angle to either side of its front."
        says "{2} is within {3} of the front of {1}"
        [Thing, Place, Angle] -> Flag, Board, Typed;
    SameFacing Builtin "same_facing" "(thing, thing) -> Flag" "Fronts within 45 degrees of each other."
        says "{1} and {2} face the same way"
        [Thing, Thing] -> Flag, Board, Typed;
    RoomBehind Builtin "room_behind" "thing -> Length" "The free way straight to its rear."
        says "the free distance behind {1}"
        [Thing] -> Length, Board, Typed;
    JustBehind Builtin "just_behind" "(thing, thing) -> Place" "For the first, the point that touches the rear of the second."
        says "the point at the rear of {2} where {1} touches it"
        [Thing, Thing] -> Place, Board, Typed;
    JustBeyond Builtin "just_beyond" "(thing, thing) -> Place" "For the first, the point that touches the second on its far side; from in touch with it, straight on as the first faces."
        says "the point on the far side of {2} where {1} touches it"
        [Thing, Thing] -> Place, Board, Typed;
    Routes     Builtin "routes" "(thing, Length) -> list of Route" "Straight ways to the free points of the grid."
        says "the straight routes of {1} of at most {2}"
        [Thing, Length] -> Routes, Board, Typed;
    SpotsNear  Builtin "spots_near" "(Place, Length) -> list of Place" "Free points of the grid."
        says "the free points within {2} of {1}"
        [Place, Length] -> Places, Board, Typed;
}

// a builtin without a line `says` does not compile
const _: () = {
    let mut n = 0;
    while n < FACTS.len() {
        assert!(
            !matches!(FACTS[n].sort, OpSort::Builtin) || !FACTS[n].english.is_empty(),
            "a builtin needs a line `says`"
        );
        n += 1;
    }
};

impl Op {
    /// What is known of it.
    pub fn facts(self) -> &'static Facts {
        &FACTS[self as usize]
    }

    /// True for what looks at the table: where things stand decides.
    pub fn asks_board(self) -> bool {
        matches!(self.facts().lowering, Lowering::Board)
    }

    /// Whether it is written as an operator, as a call, or not at all.
    pub fn sort(self) -> OpSort {
        self.facts().sort
    }

    /// How it is written.
    pub fn written(self) -> &'static str {
        self.facts().written
    }

    /// Its types, in words of the language.
    pub fn signature(self) -> &'static str {
        self.facts().signature
    }

    /// What it does, in one sentence.
    pub fn doc(self) -> &'static str {
        self.facts().doc
    }

    /// The builtin written `name(..)`, if there is one. Where several share a name (`min`), the first.
    pub fn builtin(name: &str) -> Option<Op> {
        Op::ALL.iter().copied().find(|op| op.sort() == OpSort::Builtin && op.written() == name)
    }
}

/// The comparisons of single cells: each with the one that holds when it does not, and with itself for turned sides.
const COMPARISONS: [(Op, Op, Op); 6] = [
    (Op::Eq, Op::Ne, Op::Eq),
    (Op::Ne, Op::Eq, Op::Ne),
    (Op::Lt, Op::Ge, Op::Gt),
    (Op::Le, Op::Gt, Op::Ge),
    (Op::Gt, Op::Le, Op::Lt),
    (Op::Ge, Op::Lt, Op::Le),
];

impl Op {
    fn comparison(self) -> Option<&'static (Op, Op, Op)> {
        COMPARISONS.iter().find(|(op, ..)| *op == self)
    }

    /// True for a comparison of single cells.
    pub fn compares(self) -> bool {
        self.comparison().is_some()
    }

    /// The comparison that holds when this one does not; none for what is no comparison of single cells.
    pub fn opposite(self) -> Option<Op> {
        self.comparison().map(|(_, opposite, _)| *opposite)
    }

    /// The same comparison with its sides changed; none for what is no comparison of single cells.
    pub fn turned(self) -> Option<Op> {
        self.comparison().map(|(.., turned)| *turned)
    }

    /// Whether it holds between two values in this order; none for what compares no numbers.
    #[inline]
    pub fn holds(self, order: Ordering) -> Option<bool> {
        match self {
            Op::Eq | Op::EqCells => Some(order.is_eq()),
            Op::Ne => Some(order.is_ne()),
            Op::Lt | Op::LtRatio => Some(order.is_lt()),
            Op::Le | Op::LeRatio => Some(order.is_le()),
            Op::Gt => Some(order.is_gt()),
            Op::Ge => Some(order.is_ge()),
            _ => None,
        }
    }
}
