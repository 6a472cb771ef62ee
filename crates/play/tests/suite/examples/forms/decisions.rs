//! Rolls, decisions, preferences, numbers, dice, phases, distances and patterns.

use super::Form;

pub const DECISIONS: &[Form] = &[
    // rolls
    Form(
        "`draw x in XS where C`",
        "proc one(k: Int) -> Int { draw got in [6, 6, 1, 3] where got != k
          return got }",
        &["for one(3) { chance result == 6 = 2/3; chance result == 1 = 1/3 }", "for one(6) rolling 3 { result = 3 }"],
        &["for one(3) { chance result == 6 = 1/2 }", "for one(3) rolling 3 { result = 3 }"],
    ),
    Form(
        "`draw 2 of xs in XS`",
        "proc two() -> Int { draw 2 of got in [6, 6, 1]
          return total(got) }
        proc all_of(u: Unit) -> Int { draw 0 .. 9 of got in u.models
          return size(got) }
        proc order() -> Int { draw 2 of got in [1, 2]
          return nth(1, got) otherwise 0 }",
        &[
            "for two() { chance result == 12 = 1/3; chance result == 7 = 2/3 }",
            "for two() rolling [6, 6] { result = 12 }",
            "for all_of(u) { chance result == 1 = 1 }",
            "for order() { chance result == 2 = 1/2 }",
        ],
        &["for two() { chance result == 12 = 0 }", "for two() rolling [1, 1] { result = 2 }"],
    ),
    Form(
        "`draw x in XS where C or none weight E`",
        "proc heavy() -> Int { draw got in [6, 6, 1, 0] weight got
          return got }
        proc nobody() -> Int { draw got in [1, 2] where got > 2 or none
          return got otherwise 9 }",
        &["for heavy() { chance result == 6 = 12/13; chance result == 0 = 0 }", "for nobody() { result = 9 }"],
        &["for heavy() { chance result == 6 = 6/7 }", "for nobody() { result = 1 }"],
    ),
    // decisions
    Form(
        "`choose x in XS where C`",
        "proc one(k: Int) -> Int { choose got in [6, 6, 1] where got != k or none
          return got otherwise 0 }",
        &[
            "for one(1) choosing got = 6 { result = 6 }",
            "for one(6) choosing got = none { result = 0 }",
            "for one(0) { result = 0 }",
        ],
        &["for one(1) choosing got = 1 { result = 1 }"],
    ),
    Form(
        "`choose a .. b of xs in XS`",
        "proc some_of() -> Int { choose 1 .. 2 of kept in [6, 5, 6]
          return if size(kept) == 2 then 10 * (nth(1, kept) otherwise 0) + (nth(2, kept) otherwise 0) else total(kept) }",
        &[
            "for some_of() choosing kept = [6, 6] { result = 66 }",
            "for some_of() choosing kept = [5, 6] { result = 65 }",
            "for some_of() choosing kept = [6] { result = 6 }",
        ],
        &["for some_of() choosing kept = [5, 5] { result = 55 }", "for some_of() choosing kept = [6, 6, 5] { result = 17 }"],
    ),
    // patterns of a shifted die
    Form(
        "`past top n`, `past bottom n`",
        "proc at_end(q: Quality, k: Int) -> Int {
          match q up k {
            past top n    => return 100 + n
            past bottom n => return n - 100
            some die      => return faces(die)
          }
        }
        let over(q: Quality, k: Int): Flag = q up k is past top
        let under_it(q: Quality, k: Int): Flag = q down k is past bottom
        let Unit.best = quality up 2
        let grade(u: Unit): Int = match u.best { past top | past bottom => 0 ; some die => faces(die) }",
        &[
            "for at_end(d12, 2) { result = 102 }",
            "for at_end(d4, -3) { result = -97 }",
            "for at_end(d4, 1) { result = 6 }",
            "for u: Unit { over(d12, 1) = yes; over(d4, -1) = no; under_it(d4, 1) = yes; under_it(d12, -1) = no }",
            "for u: Unit with u.quality = d12 { grade(u) = 0 }",
        ],
        &["for at_end(d4, -3) { result = 97 }", "for u: Unit { over(d4, -1) = yes }"],
    ),
    // what the rules prefer
    Form(
        "`prefer`",
        "proc few() -> Int { choose 0 .. of got in [1, 2, 3] prefer when got > 1
          return size(got) }
        proc many() -> Int { choose 0 .. of got in [1, 2, 3] prefer all when got > 1
          return total(got) }
        proc at_most_one() -> Int { choose 0 .. 1 of got in [1, 2, 3] prefer all when got > 1
          return total(got) }
        proc filled() -> Int { choose 2 .. of got in [1, 2, 3] prefer all when got > 2
          return total(got) }
        proc plain() -> Int { choose 0 .. of got in [1, 2, 3]
          return total(got) }
        proc best() -> Int { choose 1 .. of got in [1, 2, 3] prefer most got
          return total(got) }
        proc nobody() -> Int { choose got in [1, 2, 3] prefer when got > 5
          return got }
        proc or_none() -> Int { choose got in [1, 2, 3] or none prefer when got > 5
          return got otherwise 9 }
        proc none_when() -> Int { choose got in [1, 2, 3] or none prefer none when 2 > 1
          return got otherwise 9 }",
        &[
            "for few() { result = 2 }",
            "for many() { result = 5 }",
            "for at_most_one() { result = 2 }",
            "for filled() { result = 4 }",
            "for plain() { result = 1 }",
            "for best() { result = 3 }",
            "for nobody() { result = 1 }",
            "for or_none() { result = 9 }",
            "for none_when() { result = 9 }",
        ],
        &["for few() { result = 0 }", "for many() { result = 6 }"],
    ),
    // moves
    Form(
        "`ends where C`, `never where C`",
        "proc end(m: Model, e: Model) { move m { at most 10\"; ends where dist(m, e) < was dist(m, e) } else { } }
        proc never(m: Model, e: Model) { move m { at most 10\"; never where dist(m, e) < was dist(m, e) } else { } }
        proc both(m: Model, e: Model) -> Flag {
          var there: Flag = yes
          move m { exactly 0\"; ends where dist(m, e) <= was dist(m, e) and dist(was m.at, m) == 0\" } else set there = no
          return there }
        proc each_of(m: Model) { move m { at most 10\"; ends where no e in Model where e != m and dist(m, e) < was dist(m, e) } else { } }
        proc drill(u: Unit, e: Model) { move u { exactly 4\"; ends where dist(u, e) < was dist(u, e) and was dist(u, e) == 5\" } else { } }",
        &[
            "for end(m, e) with m.at = [10, 10], e.at = [26, 10] choosing move = [16, 10] { dist(m, e) == 10\" }",
            "for never(m, e) with m.at = [10, 10], e.at = [26, 10] choosing move = [4, 10] { dist(m, e) == 22\" }",
            "for both(m, e) with m.at = [10, 10], e.at = [11, 11] { result = yes }",
            "for each_of(m), e: Model with m.at = [10, 10], e.at = [26, 10] choosing move = [8, 10] { dist(m, e) == 18\" }",
            "for drill(u, e), m: Model with m.unit = u, m.at = [10, 10], e.at = [13, 14] choosing move = [10, 14] { dist(m, e) == 3\" }",
        ],
        &[
            "for end(m, e) with m.at = [10, 10], e.at = [26, 10] choosing move = [4, 10] { m.alive }",
            "for never(m, e) with m.at = [10, 10], e.at = [26, 10] choosing move = [16, 10] { m.alive }",
            "for each_of(m), e: Model with m.at = [10, 10], e.at = [26, 10] choosing move = [12, 10] { m.alive }",
            "for drill(u, e), m: Model with m.unit = u, m.at = [10, 10], e.at = [13, 14] choosing move = [10, 6] { m.alive }",
        ],
    ),
    // numbers, fractions, angles, lengths
    Form(
        "whole numbers and lengths",
        "let sum(n: Int): Int = 2 + 3 * n - 1
         let neg(n: Int): Int = -n
         let far(l: Length, n: Int): Length = l / 3 + n * l - 1\"
         let back(l: Length): Length = -l",
        &["for u: Unit { sum(4) = 13; neg(3) = -3; far(1\", 2) = 1.333\"; far(2\", 0) = -0.334\"; back(2\") + 3\" = 1\" }"],
        &["for u: Unit { sum(4) = 19 }", "for u: Unit { far(1\", 2) = 1.334\" }", "for u: Unit { far(2\", 0) = -0.333\" }"],
    ),
    Form(
        "angles",
        "let plus(a: Angle, b: Angle): Angle = a + b
         let minus(a: Angle, b: Angle): Angle = a - b
         let times(n: Int, a: Angle): Angle = n * a",
        &["for u: Unit { plus(350°, 20°) = 10°; minus(10°, 20°) = 350°; times(3, 150°) = 90°; times(-1, 90°) = 270° }"],
        &["for u: Unit { plus(180°, 180°) != 0° }", "for u: Unit { minus(10°, 20°) = 10° }"],
    ),
    Form(
        "fractions",
        "let part(n: Int, k: Int): Ratio = n / k
         let long(a: Length, b: Length): Ratio = a / b
         let mix(n: Int): Ratio = -(part(n, 2) + part(n, 3) - 1 / 6) * (2 / 3) / part(n, 2)
         let less(a: Ratio, b: Ratio): Flag = a < b and not (b <= a) and a != b
         let same(a: Ratio, b: Ratio): Flag = a == b and a <= b
         let ends(a: Ratio, b: Ratio, c: Ratio): Ratio = max(a, b, c) - min(a, b, c)",
        &[
            "for u: Unit { mix(1) = -8/9; long(3\", 2\") = 3/2; part(2, 4) = 50% }",
            "for u: Unit { less(1/3, 1/2) = yes; less(1/2, 2/4) = no; same(1/2, 2/4) = yes; ends(1/2, 1/3, 3/4) = 5/12 }",
        ],
        &["for u: Unit { mix(1) = 8/9 }", "for u: Unit { less(-1/3, -1/2) = yes }", "for u: Unit { ends(1/2, 1/3, 3/4) = 1/4 }"],
    ),
    Form(
        "comparisons",
        "record Shot(who: Model, n: Int)
         let all_six(a: Going, b: Going): list of Flag = [a == b, a != b, a < b, a <= b, a > b, a >= b]
         let alike(xs: list of Int, ys: list of Int): Flag = xs == ys
         let shots(m: Model, k: Int, n: Int): Flag = Shot(m, k) == Shot(m, n)",
        &[
            "for u: Unit { all_six(Open, Bog) = [no, yes, yes, yes, no, no]; all_six(Bog, Bog) = [yes, no, no, yes, no, yes] }",
            "for m: Model { alike([1, 2], [1, 2]) = yes; alike([1, 2], [2, 1]) = no; shots(m, 1, 1) = yes; shots(m, 1, 2) = no }",
        ],
        &["for u: Unit { all_six(Bog, Open) = [no, yes, yes, yes, no, no] }", "for u: Unit { alike([1], [1, 1]) = yes }"],
    ),
    Form(
        "lists",
        "let some_of(k: Int, x: Int): list of Int = copies(k, x) + [x + 1]
         let place(k: Int, xs: list of Int): Int = nth(k, xs) otherwise 0
         let top(k: Int, xs: list of Int): list of Int = highest(k, xs)
         let low(k: Int, xs: list of Int): list of Int = lowest(k, xs)
         let middle(xs: list of Int): Int = median(xs) otherwise 0
         let usual(xs: list of Int): Int = mode(xs) otherwise 0
         let sorts(xs: list of Int): Int = distinct(xs)
         let held(x: Int, xs: list of Int): Flag = x in xs
         let spread(a: Int, b: Int, c: Int): Int = 100 * max(a, b, c) + min(a, b, c)
         let sum_of(xs: list of Int): Int = total(xs)",
        &[
            "for u: Unit { some_of(2, 5) = [5, 5, 6]; some_of(0, 5) = [6]; place(2, [7, 8]) = 8; place(3, [7, 8]) = 0; place(0, [7]) = 0 }",
            "for u: Unit { top(2, [1, 3, 2, 3]) = [3, 3]; top(5, [1, 2]) = [2, 1]; low(2, [4, 1, 3]) = [1, 3]; low(0, [4]) = [] }",
            "for u: Unit { middle([9, 1, 5]) = 5; middle([4, 1, 3, 9]) = 3; middle([]) = 0; usual([5, 1, 1, 5, 2]) = 5; usual([]) = 0; sorts([5, 1, 5]) = 2; sorts([]) = 0; held(3, [1, 3]) = yes; held(2, [1, 3]) = no; spread(2, 9, 4) = 902; sum_of([4, 4, 1]) = 9 }",
            "for u: Unit, m: Model, n: Model with u.models = [m, n] { size(u) = 2; size([m]) = 1 }",
        ],
        &["for u: Unit { top(2, [1, 3, 2]) = [2, 3] }", "for u: Unit { place(1, [7, 8]) = 8 }", "for u: Unit { middle([9, 1, 5]) = 1 }"],
    ),
    // chains, dice, trees, phases
    Form(
        "`is_past`",
        "proc spill(q: Quality, r: Quality, k: Int) -> Int { let (a, b) = open(q up k, r)
         return 100 * faces(a) + faces(b) }
         let shut(q: Quality, k: Int): Quality = closed(q down k)
         let past(q: Quality, k: Int): Flag = is_past(q up k)
         let onward(g: Going): Going = next(g)
         let better(q: Quality): Quality = next(q)
         proc cast(n: Int) -> Int { roll x = die(n)
         return x }",
        &[
            "for spill(d10, d8, 3) { result = 1204 }",
            "for spill(d4, d8, 1) { result = 608 }",
            "for u: Unit { shut(d6, 3) = d4; shut(d10, -5) = d12; past(d10, 2) = yes; past(d10, 1) = no; past(d6, -2) = yes }",
            "for u: Unit { onward(Open) = Rough; onward(Bog) = Bog; better(d4) = d6; better(d12) = d12; faces(die(7)) = 7 }",
            "for cast(7) { chance result == 7 = 1/7; mean result = 4 }",
        ],
        &["for spill(d10, d8, 3) { result = 1206 }", "for u: Unit { onward(Bog) = Open }", "for cast(7) { chance result == 6 = 1/6 }"],
    ),
    Form(
        "`below`",
        "let under_it(u: Unit): list of Unit = below(u)
         let apart(u: Unit, v: Unit): Int = tiers(u, v)",
        &["for a: Unit, b: Unit, c: Unit, d: Unit, e: Unit with b.boss = a, c.boss = b, d.boss = a { size(under_it(a)) = 3; c in under_it(a); under_it(b) = [c]; apart(c, a) = 2; apart(a, c) = 2; apart(c, d) = 3; apart(e, a) = 0 }"],
        &["for a: Unit, b: Unit with b.boss = a { a in under_it(b) }", "for a: Unit, b: Unit, c: Unit with b.boss = a, c.boss = a { apart(b, c) = 1 }"],
    ),
    Form(
        "`running`",
        "phase Day(u: Unit) { set u.acted = running(Day) and not running(Night) }
         phase Night(u: Unit) { run Day(u) }",
        &["for Day(u) { u.acted }", "for Night(u) { not u.acted; not running(Day) }"],
        &["for Night(u) { u.acted }"],
    ),
    // fronts and distances
    Form(
        "`in_arc`",
        "let off(m: Model, e: Model): Angle = turn_between(ahead(m), bearing(m, e))
         let looks(m: Model, e: Model): list of Flag = [in_front(m, e), in_rear(m, e), in_arc(m, e, 45°), same_facing(m, e), touches(m, e)]
         let ways(m: Model, e: Model): list of Angle = [ahead(m), rear(m), bearing(m, e)]
         let near(m: Model, e: Model): Flag = e within 5\" of m and dist(m, e) <= 5\"",
        &[
            "for m: Model, e: Model with m.at = [10, 10], m.facing = 90°, e.at = [13, 14] { looks(m, e) = [yes, no, no, no, no]; near(m, e) = yes }",
            "for m: Model, e: Model with m.at = [10, 10], m.facing = 90°, e.at = [13, 13], e.facing = 45° { looks(m, e) = [yes, no, yes, yes, no] }",
            "for m: Model, e: Model with m.at = [10, 10], m.facing = 270°, e.at = [14, 10] { looks(m, e) = [no, yes, no, no, no]; ways(m, e) = [270°, 90°, 90°]; off(m, e) = 180° }",
            "for m: Model, e: Model with m.at = [10, 10], e.at = [10, 10] { touches(m, e) }",
        ],
        &[
            "for m: Model, e: Model with m.at = [10, 10], e.at = [13, 14.01] { near(m, e) = yes }",
            "for m: Model, e: Model with m.at = [10, 10], e.at = [10, 8] { in_front(m, e) }",
        ],
    ),
    // patterns
    Form(
        "`2 to 5`, `over 2 to 5`, `2 to under 5`",
        "let band(k: Int): Int = match k { under 0 => 0
         0 | 1 => 1
         2 to under 5 => 2
         5 => 3
         over 5 to 8 => 4
         at least 9 => 5 }
         let share(r: Ratio): Int = match r { over 1/2 => 2
         1/2 => 1
         under 1/2 => 0 }",
        &["for u: Unit { band(-1) = 0; band(1) = 1; band(2) = 2; band(4) = 2; band(5) = 3; band(6) = 4; band(8) = 4; band(9) = 5; share(2/4) = 1; share(3/4) = 2 }"],
        &["for u: Unit { band(5) = 2 }", "for u: Unit { band(8) = 5 }"],
    ),
    Form(
        "`(p, q)`",
        "let two(a: Flag, b: Int): Int = match first (a, b) { (yes, over 2) => 1
         (yes, _) when b == 2 => 2
         (no, 0 | 1) => 3
         else => 4 }
         let lead(u: Unit): Int = match u.boss { none => 0
         some b => b.nerve }",
        &[
            "for u: Unit { two(yes, 3) = 1; two(yes, 2) = 2; two(yes, 1) = 4; two(no, 1) = 3; two(no, 2) = 4; lead(u) = 0 }",
            "for u: Unit, v: Unit with u.boss = v, v.nerve = 5 { lead(u) = 5 }",
        ],
        &["for u: Unit { two(no, 3) = 1 }", "for u: Unit, v: Unit with u.boss = v { lead(u) = 0 }"],
    ),
];
