//! The one table of operators and builtins. The checker picks an [`Op`], the compiler emits it, the interpreter executes
//! it, the reference prints it. The table also decides the registers of an operator, its demands on unsampled dice, the
//! bounds of its result, and its text in traces, messages and the rulebook.

use super::Ratio;
use std::cmp::Ordering;

mod row;

pub use row::{Binding, Demand, Facts, Gives, Interval, Lowering, OpSort, Takes};

/// Returns the text of a row: its own after `as`, or the usual one of operators or of calls.
macro_rules! text {
    ($sort:ident $written:literal as $text:literal) => {
        $text
    };
    (Operator $written:literal) => {
        concat!("{1} ", $written, " {2}")
    };
    ($sort:ident $written:literal) => {
        concat!($written, "({all})")
    };
}

macro_rules! ops {
    ($($name:ident $sort:ident $(($binding:ident))? $written:literal $(as $text:literal)? $signature:literal $doc:literal
        [$($takes:expr),*] -> $gives:ident, $lowering:ident, $interval:expr;)*) => {
        /// A pure operation on cells.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Op { $(#[doc = $doc] $name),* }

        impl Op {
            /// Every operation, in table order.
            pub const ALL: &'static [Op] = &[$(Op::$name),*];
        }

        /// The rows, in table order.
        const FACTS: &[Facts] = &[$(Facts {
            sort: OpSort::$sort,
            written: $written,
            signature: $signature,
            doc: $doc,
            text: text!($sort $written $(as $text)?),
            binding: [$(Binding::$binding,)? Binding::Whole][0],
            takes: { #[allow(unused_imports)] use {Demand::*, Takes::*}; &[$($takes),*] },
            gives: Gives::$gives,
            lowering: Lowering::$lowering,
            interval: { use Interval::*; $interval },
        }),*];
    };
}

ops! {
    // arithmetic on one cell: Int, Length
    Add        Operator(Sum) "+" "Int + Int, Length + Length" "The sum."
        [Cell, Cell] -> Cell, Instr, Corners(Ratio::checked_add);
    Sub        Operator(Sum) "-" "Int - Int, Length - Length" "The difference."
        [Cell, Cell] -> Cell, Instr, Corners(Ratio::checked_sub);
    Mul        Operator(Product) "*" "Int * Int, Int * Length, Int * Angle" "The product."
        [Cell, Cell] -> Cell, Instr, Corners(Ratio::checked_mul);
    Neg        Operator(Sign) "-" as "-{1}" "-Int, -Length" "The number with the opposite sign."
        [Cell] -> Cell, Instr, Monotone(Ratio::checked_neg);
    DivLength  Operator(Product) "/" "Length / Int" "The length divided by the number, truncated to 1/1000 inch."
        [Cell, Cell] -> Cell, Instr, Typed;
    AddAngle   Operator(Sum) "+" "Angle + Angle" "The sum, modulo 360 degrees."
        [Cell, Cell] -> Cell, Instr, Typed;
    SubAngle   Operator(Sum) "-" "Angle - Angle" "The difference, modulo 360 degrees."
        [Cell, Cell] -> Cell, Instr, Typed;
    MulAngle   Operator(Product) "*" "Int * Angle" "The multiple, modulo 360 degrees."
        [Cell, Cell] -> Cell, Instr, Typed;
    TurnBetween Builtin "turn_between" "(Angle, Angle) -> Angle" "The smaller angle between two directions, 0 to 180 degrees, in either direction."
        [Angle, Angle] -> Angle, Instr, Typed;
    // fractions: two cells each
    Fraction   Operator(Product) "/" "Int / Int, Length / Length" "The quotient, as an exact fraction."
        [Cell, Cell] -> Pair, Instr, Quotient;
    ToRatio    Hidden   "" as "{1}"  "Int" "A whole number as a fraction."
        [Cell] -> Pair, Whole, Monotone(Some);
    AddRatio   Operator(Sum) "+" "Ratio + Ratio" "The sum of fractions."
        [Pair, Pair] -> Pair, Instr, Corners(Ratio::checked_add);
    SubRatio   Operator(Sum) "-" "Ratio - Ratio" "The difference of fractions."
        [Pair, Pair] -> Pair, Instr, Corners(Ratio::checked_sub);
    MulRatio   Operator(Product) "*" "Ratio * Ratio" "The product of fractions."
        [Pair, Pair] -> Pair, Instr, Corners(Ratio::checked_mul);
    DivRatio   Operator(Product) "/" "Ratio / Ratio" "The quotient of fractions."
        [Pair, Pair] -> Pair, Instr, Quotient;
    NegRatio   Operator(Sign) "-" as "-{1}" "-Ratio" "The fraction with the opposite sign."
        [Pair] -> Pair, Instr, Monotone(Ratio::checked_neg);
    RoundDown  Operator(Rounded) "rounded down" as "{1} rounded down" "Ratio -> Int" "The greatest whole number that is not above the fraction."
        [Pair] -> Cell, Instr, Monotone(|r| Some(Ratio::whole(r.floor())));
    RoundUp    Operator(Rounded) "rounded up" as "{1} rounded up" "Ratio -> Int" "The least whole number that is not below the fraction."
        [Pair] -> Cell, Instr, Monotone(|r| Some(Ratio::whole(r.ceil())));
    RoundNear  Operator(Rounded) "rounded nearest" as "{1} rounded nearest" "Ratio -> Int" "The nearest whole number; a half is rounded up."
        [Pair] -> Cell, Instr, Monotone(|r| r.checked_add(Ratio::HALF).map(|r| Ratio::whole(r.floor())));
    Remainder  Builtin "remainder" "(Int, Int) -> Int" "The remainder of the first divided by the second, with the quotient rounded down."
        [Int, Int] -> Cell, Instr, Typed;
    // comparisons on one cell
    Eq         Operator(Compared) "==" "T == T" "The values are equal."
        [Value, Value] -> Flag, Instr, Typed;
    Ne         Operator(Compared) "!=" "T != T" "The values are not equal."
        [Value, Value] -> Flag, Instr, Typed;
    Lt         Operator(Compared) "<" "T < T" "The first is smaller, earlier or shorter."
        [Cell, Cell] -> Flag, Instr, Typed;
    Le         Operator(Compared) "<=" "T <= T" "The first is not larger, later or longer."
        [Cell, Cell] -> Flag, Instr, Typed;
    Gt         Operator(Compared) ">" "T > T" "The first is larger, later or longer."
        [Cell, Cell] -> Flag, Instr, Typed;
    Ge         Operator(Compared) ">=" "T >= T" "The first is not smaller, earlier or shorter."
        [Cell, Cell] -> Flag, Instr, Typed;
    LtRatio    Operator(Compared) "<" "Ratio < Ratio" "The first fraction is smaller."
        [Pair, Pair] -> Flag, Instr, Typed;
    LeRatio    Operator(Compared) "<=" "Ratio <= Ratio" "The first fraction is not larger."
        [Pair, Pair] -> Flag, Instr, Typed;
    // comparisons of several cells
    EqCells    Operator(Compared) "==" "record == record, Place == Place, Ratio == Ratio" "All parts are equal."
        [Value, Value] -> Flag, Instr, Typed;
    EqList     Operator(Compared) "==" "list == list" "Both lists have equal entries in the same order."
        [List(Order), List(Order)] -> Flag, Instr, Typed;
    Not        Operator(Not) "not" as "not {1}" "not Flag" "The opposite flag."
        [Cell] -> Flag, Instr, Typed;
    // chains
    Up         Operator(Shifted) "up" "chain up Int -> Shifted" "The die that is the given number of steps up the chain; it can be past the end."
        [Cell, Cell] -> Cell, Instr, Typed;
    Down       Operator(Shifted) "down" "chain down Int -> Shifted" "The die that is the given number of steps down the chain; it can be past the end."
        [Cell, Cell] -> Cell, Instr, Typed;
    Closed     Builtin "closed" "Shifted -> chain" "The die itself, or the end of the chain that it is past."
        [Case] -> Cell, Instr, Typed;
    Open       Builtin "open" "(Shifted, chain) -> (chain, chain)" "Takes the steps of the first that are past the top off the second, and adds those past the bottom to it; closes both."
        [Case, Cell] -> Pair, Instr, Typed;
    IsPast     Builtin "is_past" "Shifted -> Flag" "The die is past an end of its chain."
        [Case] -> Flag, Instr, Typed;
    Next       Builtin "next" "ordered enum or chain -> the same" "The next case or die; the last one stays the same."
        [Case] -> Cell, Instr, Typed;
    Faces      Builtin "faces" "Die -> Int" "The number of faces of the die."
        [Chain] -> Cell, Instr, Typed;
    DieOf      Builtin "die" "Int -> Die" "A die with the given number of faces, 1 to 1,000,000."
        [Cell] -> Cell, Instr, Typed;
    ToDie      Hidden  "" as "{1}"  "chain" "A die of a chain as a die by its sides."
        [Chain] -> Cell, Instr, Typed;
    // lists and numbers
    Min        Builtin "min" "two or more of one ordered type" "The minimum of the values."
        [Cell, Cell] -> Cell, Fold, Corners(|a, b| Some(a.min(b)));
    Max        Builtin "max" "two or more of one ordered type" "The maximum of the values."
        [Cell, Cell] -> Cell, Fold, Corners(|a, b| Some(a.max(b)));
    MinRatio   Builtin "min" "two or more Ratios" "The minimum of the fractions."
        [Pair, Pair] -> Pair, Fold, Corners(|a, b| Some(a.min(b)));
    MaxRatio   Builtin "max" "two or more Ratios" "The maximum of the fractions."
        [Pair, Pair] -> Pair, Fold, Corners(|a, b| Some(a.max(b)));
    Size       Builtin "size" "list or group -> Int" "The number of entries; for a group, the number of its living members."
        [List(Count)] -> Cell, Length, Length;
    Nth        Builtin "nth" "(Int, list of T) -> T?" "The entry at that index, counted from 1; `none` if there is no such entry."
        [Int, List(Entry)] -> Entry, Instr, Entry;
    Copies     Builtin "copies" "(Int, T) -> list of T" "A list with the given number of copies of the value."
        [Cell, Value] -> Entries, Instr, Typed;
    Concat     Operator(Sum) "+" "list + list" "The entries of the first list, then those of the second."
        [List(Order), List(Order)] -> Entries, Instr, Typed;
    Without    Operator(Sum) "-" "list - list" "The first list without the entries of the second. Each of those removes the first equal entry."
        [List(Order), List(Faces)] -> Entries, Instr, Typed;
    Total      Builtin "total" "list of Int -> Int" "The sum of the entries."
        [List(Faces)] -> Cell, Instr, Sum;
    Highest    Builtin "highest" "(Int, list of T) -> list of T" "The greatest entries, at most the given number, in descending order."
        [Int, Ordered(Faces)] -> Entries, Instr, Typed;
    Lowest     Builtin "lowest" "(Int, list of T) -> list of T" "The least entries, at most the given number, in ascending order."
        [Int, Ordered(Faces)] -> Entries, Instr, Typed;
    Median     Builtin "median" "list of T -> T?" "The middle entry in order, the lower one if there are two; a T if the list cannot be empty."
        [Ordered(Faces)] -> Member, Instr, Entry;
    Mode       Builtin "mode" "list of T -> T?" "The most frequent entry; the greatest if several are tied; a T if the list cannot be empty."
        [Ordered(Faces)] -> Member, Instr, Entry;
    Distinct   Builtin "distinct" "list -> Int" "The number of distinct entries."
        [List(Faces)] -> Count, Instr, Length;
    InList     Operator(Compared) "in" "T in list of T" "The list contains the value."
        [Value, List(Faces)] -> Flag, Instr, Typed;
    WithFallen Builtin "with_fallen" "list of things -> list of things" "The list including its destroyed things, which all other uses of a list omit."
        [List(Order)] -> Entries, Fallen, Typed;
    // organisation
    Below      Builtin "below" "thing -> list of things" "All things below it along the tree link of its kind."
        [Thing] -> Things, Tree, Typed;
    Tiers      Builtin "tiers" "(thing, thing) -> Int" "The number of links between the two, up and down the tree; 0 if they are unrelated."
        [Thing, Thing] -> Cell, Tree, Typed;
    Running    Builtin "running" "phase name -> Flag" "The phase has begun and has not ended."
        [] -> Flag, Phase, Typed;
    // the table
    Pack       Hidden  "" "thing" "A thing with its kind in one cell; `n` is the kind."
        [Cell] -> Cell, Instr, Typed;
    KindOf     Hidden  "" "packed thing" "Its kind."
        [Cell] -> Cell, Instr, Typed;
    NumberOf   Hidden  "" "packed thing" "Its number within its kind."
        [Cell] -> Cell, Instr, Typed;
    PlaceOf    Hidden  "" as "{1}" "thing" "A thing as a place."
        [Thing] -> Place, Place, Typed;
    Point      Hidden  "" as "[{1}, {2}]" "(Length, Length)" "A point as a place."
        [Length, Length] -> Place, Point, Typed;
    Dist       Builtin "dist" "(Place, Place) -> Length" "The distance between the nearest edges, rounded to 0.001\"; far if one is nowhere."
        [Place, Place] -> Length, Board, Typed;
    DistCmp    Hidden  "" "(Place, Place, Place, Place)" "Below 0 if the first two are nearer than the last two, 0 if they differ by less than 0.002\"."
        [Place, Place, Place, Place] -> Cell, Board, Typed;
    DistTo     Hidden  "" "(Place, Length, Place)" "Below 0 if the two are nearer than the length, 0 if they differ by less than 0.001\"."
        [Place, Length, Place] -> Cell, Board, Typed;
    Near       Hidden  "" "(kind, Place, Length) -> list of things" "Things of the kind within a distance, for `nearest`."
        [Nothing, Place, Length] -> Near, Board, Typed;
    Ranks      Hidden  "" "list of (Place, Place)" "How many of the distances are less than each."
        [List(Order)] -> Things, Board, Typed;
    Bearing    Builtin "bearing" "(Place, Place) -> Angle" "The direction from the first to the second."
        [Place, Place] -> Angle, Board, Typed;
    Within     Operator(Compared) "within .. of" as "{1} within {2} of {3}" "Place within Length of Place" "The `dist` of the two is not more than the length."
        [Place, Length, Place] -> Flag, Board, Typed;
    Sees       Operator(Compared) "sees" "Place sees Place" "At least one straight line between the two is free."
        [Place, Place] -> Flag, Board, Typed;
    Inside     Builtin "inside" "(Place, thing) -> Flag" "The second contains every living part of the first."
        [Place, Thing] -> Flag, Board, Typed;
    Crosses    Builtin "crosses" "(Place, Place, thing) -> Flag" "The line between the two centers passes over the thing."
        [Place, Place, Thing] -> Flag, Board, Typed;
    LengthIn   Builtin "length_in" "(Place, Place, thing) -> Length" "The length of the part of the line between the two centers that is inside the thing."
        [Place, Place, Thing] -> Length, Board, Typed;
    ToEdge     Builtin "to_edge" "thing -> Length" "The distance from its edge to the nearest edge of the table."
        [Thing] -> Length, Board, Typed;
    Touches    Builtin "touches" "(thing, thing) -> Flag" "At most 0.002\" is between the two."
        [Thing, Thing] -> Flag, Board, Typed;
    Ahead      Builtin "ahead" "thing -> Angle" "The direction that it faces."
        [Thing] -> Angle, Board, Typed;
    Rear       Builtin "rear" "thing -> Angle" "The direction opposite to the one that it faces."
        [Thing] -> Angle, Board, Typed;
    InFront    Builtin "in_front" "(thing, Place) -> Flag" "The place is in front of the line through the center of the thing, square to its facing."
        [Thing, Place] -> Flag, Board, Typed;
    InRear     Builtin "in_rear" "(thing, Place) -> Flag" "The place is behind the line through the center of the thing, square to its facing."
        [Thing, Place] -> Flag, Board, Typed;
    InArc      Builtin "in_arc" "(thing, Place, Angle) -> Flag" "The place is at most that angle to either side of the direction that it faces."
        [Thing, Place, Angle] -> Flag, Board, Typed;
    SameFacing Builtin "same_facing" "(thing, thing) -> Flag" "The two facings differ by at most 45 degrees."
        [Thing, Thing] -> Flag, Board, Typed;
    RoomBehind Builtin "room_behind" "thing -> Length" "The free distance straight to its rear."
        [Thing] -> Length, Board, Typed;
    JustBehind Builtin "just_behind" "(thing, thing) -> Place" "The point where the first touches the rear of the second."
        [Thing, Thing] -> Place, Board, Typed;
    JustBeyond Builtin "just_beyond" "(thing, thing) -> Place" "The point where the first touches the far side of the second; if they touch already, straight ahead of the first."
        [Thing, Thing] -> Place, Board, Typed;
    Routes     Builtin "routes" "(thing, Length) -> list of Route" "Straight routes of at most that length to the free points of the grid."
        [Thing, Length] -> Routes, Board, Typed;
    SpotsNear  Builtin "spots_near" "(Place, Length) -> list of Place" "The free points of the grid within that distance of the place."
        [Place, Length] -> Places, Board, Typed;
}

impl Op {
    /// Returns its row of the table.
    pub fn facts(self) -> &'static Facts {
        &FACTS[self as usize]
    }

    /// Returns whether its result depends on the positions of things.
    pub fn asks_board(self) -> bool {
        matches!(self.facts().lowering, Lowering::Board)
    }

    /// Returns whether it is written as an operator, as a call, or not at all.
    pub fn sort(self) -> OpSort {
        self.facts().sort
    }

    /// Returns its name in rules text.
    pub fn written(self) -> &'static str {
        self.facts().written
    }

    /// Returns whether its text is only its operand: a change of type that the rules do not write.
    pub fn is_silent(self) -> bool {
        self.facts().text == "{1}"
    }

    /// Returns its types, as the language writes them.
    pub fn signature(self) -> &'static str {
        self.facts().signature
    }

    /// Returns its description in the reference, one sentence.
    pub fn doc(self) -> &'static str {
        self.facts().doc
    }

    /// Returns the builtin written `name(..)`, the first of several with the name (`min`), or `None` for other names.
    pub fn builtin(name: &str) -> Option<Op> {
        Op::ALL.iter().copied().find(|op| op.sort() == OpSort::Builtin && op.written() == name)
    }
}

/// The comparisons of single cells: each with its opposite, and with the one that holds when its operands are swapped.
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

    /// Returns whether it is a comparison of single cells.
    pub fn compares(self) -> bool {
        self.comparison().is_some()
    }

    /// Returns the comparison that holds when this one does not, or `None` if this is not a comparison of single cells.
    pub fn opposite(self) -> Option<Op> {
        self.comparison().map(|(_, opposite, _)| *opposite)
    }

    /// Returns the comparison for swapped operands, or `None` if this is not a comparison of single cells.
    pub fn turned(self) -> Option<Op> {
        self.comparison().map(|(.., turned)| *turned)
    }

    /// Returns whether it holds between two values in this order, or `None` if it does not compare numbers.
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

/// A piece of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplatePart<'t> {
    /// Literal text.
    Text(&'t str),
    /// The operand at this index, counted from 0.
    Operand(usize),
    /// All operands, written `{all}`.
    All,
}

/// Splits a template at its operands: `{1}` is the first operand, `{all}` is all of them.
pub fn pieces(template: &str) -> impl Iterator<Item = TemplatePart<'_>> {
    template.split(['{', '}']).enumerate().filter_map(|(n, part)| match (n % 2, part) {
        (_, "") => None,
        (0, words) => Some(TemplatePart::Text(words)),
        (_, "all") => Some(TemplatePart::All),
        (_, operand) => operand.parse::<usize>().ok()?.checked_sub(1).map(TemplatePart::Operand),
    })
}
