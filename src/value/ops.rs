//! The one table of operators and builtins. The checker picks an [`Op`], the compiler emits it, the machine carries
//! it out, the reference prints it.

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

macro_rules! ops {
    ($($name:ident $sort:ident $written:literal $signature:literal $doc:literal;)*) => {
        /// A pure operation on cells.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Op { $(#[doc = $doc] $name),* }

        impl Op {
            /// Every operation, in table order.
            pub const ALL: &'static [Op] = &[$(Op::$name),*];
            /// Whether it is written as an operator, as a call, or not at all.
            pub fn sort(self) -> OpSort { match self { $(Op::$name => OpSort::$sort),* } }
            /// How it is written.
            pub fn written(self) -> &'static str { match self { $(Op::$name => $written),* } }
            /// Its types, in words of the language.
            pub fn signature(self) -> &'static str { match self { $(Op::$name => $signature),* } }
            /// What it does, in one sentence.
            pub fn doc(self) -> &'static str { match self { $(Op::$name => $doc),* } }
        }
    };
}

ops! {
    // arithmetic on one cell: Int, Length
    Add        Operator "+" "Int + Int, Length + Length" "The sum.";
    Sub        Operator "-" "Int - Int, Length - Length" "The difference.";
    Mul        Operator "*" "Int * Int, Int * Length, Int * Angle" "The product.";
    Neg        Operator "-" "-Int, -Length" "The number with its sign turned.";
    DivLength  Operator "/" "Length / Int" "A part of a length, cut to 1/1000 inch toward zero.";
    AddAngle   Operator "+" "Angle + Angle" "The sum, within 360 degrees.";
    SubAngle   Operator "-" "Angle - Angle" "The difference, within 360 degrees.";
    MulAngle   Operator "*" "Int * Angle" "A multiple, within 360 degrees.";
    // fractions: two cells each
    Fraction   Operator "/" "Int / Int, Length / Length" "An exact fraction.";
    ToRatio    Hidden   ""  "Int" "A whole number as a fraction.";
    AddRatio   Operator "+" "Ratio + Ratio" "The sum of fractions.";
    SubRatio   Operator "-" "Ratio - Ratio" "The difference of fractions.";
    MulRatio   Operator "*" "Ratio * Ratio" "The product of fractions.";
    DivRatio   Operator "/" "Ratio / Ratio" "The quotient of fractions.";
    NegRatio   Operator "-" "-Ratio" "The fraction with its sign turned.";
    RoundDown  Operator "rounded down" "Ratio -> Int" "The greatest whole number not over it.";
    RoundUp    Operator "rounded up" "Ratio -> Int" "The least whole number not under it.";
    // comparisons on one cell
    Eq         Operator "==" "T == T" "The same value.";
    Ne         Operator "!=" "T != T" "Another value.";
    Lt         Operator "<"  "T < T" "Less, earlier or shorter.";
    Le         Operator "<=" "T <= T" "Not more.";
    Gt         Operator ">"  "T > T" "More, later or longer.";
    Ge         Operator ">=" "T >= T" "Not less.";
    LtRatio    Operator "<"  "Ratio < Ratio" "The smaller fraction.";
    LeRatio    Operator "<=" "Ratio <= Ratio" "Not the greater fraction.";
    // comparisons of several cells
    EqCells    Operator "==" "record == record, Place == Place, Ratio == Ratio" "All fields the same.";
    EqList     Operator "==" "list == list" "The same entries in the same order.";
    Not        Operator "not" "not Flag" "The other answer.";
    // chains
    Up         Operator "up" "chain up Int -> Shifted" "So many steps along the chain, past its end too.";
    Down       Operator "down" "chain down Int -> Shifted" "So many steps back along the chain, past its end too.";
    Closed     Builtin "closed" "Shifted -> chain" "Stops at the end of the chain.";
    Open       Builtin "open" "(Shifted, chain) -> (chain, chain)" "What the first could not climb comes off the second; both closed.";
    IsPast     Builtin "is_past" "Shifted -> Flag" "Past either end of its chain.";
    Next       Builtin "next" "ordered enum or chain -> the same" "One step further; the last stays.";
    Faces      Builtin "faces" "Die -> Int" "How many faces the die has.";
    DieOf      Builtin "die" "Int -> Die" "A die with so many faces, 1 to 1,000,000.";
    ToDie      Hidden  ""  "chain" "A die of a chain as a die by its sides.";
    // lists and numbers
    Min        Builtin "min" "two or more of one ordered type" "The least.";
    Max        Builtin "max" "two or more of one ordered type" "The greatest.";
    MinRatio   Builtin "min" "two or more Ratios" "The least fraction.";
    MaxRatio   Builtin "max" "two or more Ratios" "The greatest fraction.";
    Size       Builtin "size" "list or group -> Int" "How many; a group counts its living members.";
    Nth        Builtin "nth" "(Int, list of T) -> T?" "The entry at that place, counted from 1; none past the end.";
    Copies     Builtin "copies" "(Int, T) -> list of T" "So many of the same.";
    Concat     Operator "+" "list + list" "One list after the other.";
    Total      Builtin "total" "list of Int -> Int" "The sum of the entries.";
    Highest    Builtin "highest" "(Int, list of T) -> list of T" "At most so many of the greatest, falling.";
    Lowest     Builtin "lowest" "(Int, list of T) -> list of T" "At most so many of the least, rising.";
    InList     Operator "in" "T in list of T" "One of the entries.";
    // organisation
    Below      Builtin "below" "thing -> list of things" "Everything under it along the kind's tree link.";
    Tiers      Builtin "tiers" "(thing, thing) -> Int" "Links between the two, up and down the tree; 0 if unrelated.";
    Running    Builtin "running" "phase name -> Flag" "That phase is on the phase stack.";
    // the table
    Pack       Hidden  "" "thing" "A thing with its kind in one cell; `n` is the kind.";
    KindOf     Hidden  "" "packed thing" "Its kind.";
    NumberOf   Hidden  "" "packed thing" "Its number within its kind.";
    PlaceOf    Hidden  "" "thing" "A thing as a place.";
    Point      Hidden  "" "(Length, Length)" "A point as a place.";
    Dist       Builtin "dist" "(Place, Place) -> Length" "Between nearest edges, rounded to 0.001\"; far if one is nowhere.";
    DistCmp    Hidden  "" "(Place, Place, Place, Place)" "Below 0 if the first two are nearer than the last two, 0 if less than 0.002\" tells them apart.";
    DistTo     Hidden  "" "(Place, Length, Place)" "Below 0 if the two are nearer than the length, 0 if less than 0.001\" tells them apart.";
    Near       Hidden  "" "(kind, Place, Length) -> list of things" "Things of the kind within a distance, for `nearest`.";
    Ranks      Hidden  "" "list of (Place, Place)" "How many of the distances are less than each.";
    Bearing    Builtin "bearing" "(Place, Place) -> Angle" "The way from the first to the second.";
    Within     Operator "within .. of" "Place within Length of Place" "`dist` between the two is not more than that.";
    Sees       Operator "sees" "Place sees Place" "Some straight line between the two is free.";
    Inside     Builtin "inside" "(Place, thing) -> Flag" "Every living part of the first is in the second.";
    Crosses    Builtin "crosses" "(Place, Place, thing) -> Flag" "The line between the two passes over the thing.";
    LengthIn   Builtin "length_in" "(Place, Place, thing) -> Length" "How much of the line between the two runs inside the thing.";
    ToEdge     Builtin "to_edge" "thing -> Length" "From its edge to the nearest edge of the table.";
    Touches    Builtin "touches" "(thing, thing) -> Flag" "Distance 0.";
    Ahead      Builtin "ahead" "thing -> Angle" "The way it faces.";
    Rear       Builtin "rear" "thing -> Angle" "The way opposite to its front.";
    InFront    Builtin "in_front" "(thing, Place) -> Flag" "Before its front.";
    InRear     Builtin "in_rear" "(thing, Place) -> Flag" "Behind its front.";
    InArc      Builtin "in_arc" "(thing, Place, Angle) -> Flag" "No more than that angle to either side of its front.";
    SameFacing Builtin "same_facing" "(thing, thing) -> Flag" "Fronts within 45 degrees of each other.";
    RoomBehind Builtin "room_behind" "thing -> Length" "The free way straight to its rear.";
    JustBehind Builtin "just_behind" "(thing, thing) -> Place" "For the first, the point that touches the rear of the second.";
    JustBeyond Builtin "just_beyond" "(thing, thing) -> Place" "For the first, the point that touches the second on its far side.";
    Routes     Builtin "routes" "(thing, Length) -> list of Route" "Straight ways to the free points of the grid.";
    SpotsNear  Builtin "spots_near" "(Place, Length) -> list of Place" "Free points of the grid.";
}

impl Op {
    /// The builtin written `name(..)`, if there is one. Where several share a name (`min`), the first.
    pub fn builtin(name: &str) -> Option<Op> {
        Op::ALL.iter().copied().find(|op| op.sort() == OpSort::Builtin && op.written() == name)
    }
}
