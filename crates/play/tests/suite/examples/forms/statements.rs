//! Statements, values, traits and lines of moves.

use super::Form;

pub const STATEMENTS: &[Form] = &[
    Form(
        "`var x : Type = value`",
        "proc p(k: Int) -> Int { var x : Int = k
         set x += 2
         set x -= 1
         return x }",
        &["for p(3) { result = 4 }"],
        &["for p(3) { result = 3 }"],
    ),
    Form(
        "`set slot = v`, `+= v`, `-= v`",
        "proc p(u: Unit) { set u.markers = 2
         set u.markers += 9
         set u.markers -= 1 }
         proc q(u: Unit) -> Int { var xs: list of Int = []
         set xs += 3
         set xs += [4, 3]
         set xs -= 3
         set xs -= [5, 4]
         return 10 * total(xs) + size(xs - [3, 3]) }",
        &[
            "for p(u) with u.nerve = 4 { u.markers = 3 }",
            "for q(u) { result = 30 }",
        ],
        &["for p(u) with u.nerve = 4 { u.markers = 10 }"],
    ),
    Form(
        "`set slot = v until end of P`",
        "phase Day(u: Unit) { set u.acted = yes until end of Day
         set u.markers += (if u.acted then 1 else 0) }",
        &["for Day(u) { u.acted = no; u.markers = 1 }"],
        &["for Day(u) { u.acted = yes }"],
    ),
    Form(
        "`grant S(..) to u until ...`",
        "proc g(u: Unit, m: Model) { grant Ordered(from: m) to u
         grant Ordered(from: m) to u }
         proc r(u: Unit, m: Model) { grant Ordered(from: m) to u
         revoke all Ordered from u }
         phase Day(u: Unit, m: Model) { grant Ordered(from: m) to u until end of Day
         if u has Ordered { set u.markers += 1 } }",
        &[
            "for g(u, m) { u has Ordered; size(u.Ordered) = 1 }",
            "for r(u, m) { u has no Ordered }",
            "for Day(u, m) { u has no Ordered; u.markers = 1 }",
        ],
        &["for r(u, m) { u has Ordered }"],
    ),
    Form(
        "`revoke S from u`, `revoke S(..) from u`, `revoke all S from u`",
        "status Tired on Unit
         proc rest(u: Unit) { grant Tired to u
         revoke Tired from u }
         proc one(u: Unit, m: Model, n: Model) { grant Ordered(from: m) to u
         grant Ordered(from: n) to u
         revoke Ordered(from: m) from u }
         proc both(u: Unit, m: Model, n: Model) { grant Ordered(from: m) to u
         grant Ordered(from: n) to u
         revoke all Ordered from u }",
        &[
            "for rest(u) { u has no Tired }",
            "for one(u, m, n) { size(u.Ordered) = 1; n in u.Ordered.from }",
            "for both(u, m, n) { u has no Ordered }",
        ],
        &["for one(u, m, n) { m in u.Ordered.from }"],
    ),
    Form(
        "`set slot = v until end of P`",
        "phase Short(u: Unit) { set u.markers = 3 until end of Short
         set u.markers -= 1 }
         phase Long(u: Unit) { set u.markers = 1 until end of Long
         run Short(u)
         set u.acted = u.markers == 1 }
         phase Lasting(u: Unit) { set u.markers = 3 until end of Lasting
         set u.markers = 2 }
         status Weak on Unit { modify nerve -= 2 }
         phase Cut(u: Unit) { grant Weak to u until end of Cut }
         phase Again(u: Unit, more: Flag) { set u.acted = yes until end of Again
         if more { run Again(u, no)
         if u.acted { set u.markers = 1 } } }",
        &[
            "for Short(u) with u.markers = 2 { u.markers = 1 }",
            "for Long(u) with u.markers = 2 { u.markers = 1; not u.acted }",
            "for Lasting(u) { u.markers = 2 }",
            "for Cut(u) with u.markers = 3 { u.markers = 3 }",
            "for Again(u, yes) { u.markers = 1; not u.acted }",
        ],
        &["for Short(u) with u.markers = 2 { u.markers = 2 }", "for Again(u, yes) { u.acted }"],
    ),
    Form(
        "`until match v { pattern => end of P; else => none }`",
        "phase Day(u: Unit, m: Model, k: Int) {
         grant Ordered(from: m) to u until match k { 1 => end of Day
         over 1 when k == 7 => end of Day for u
         else => none }
         set u.acted = yes until match first k > 1 { yes => none
         no => end of Day }
         set u.markers = size(u.Ordered) }",
        &[
            "for Day(u, m, 1) { u.markers = 1; u has no Ordered; u.acted = no }",
            "for Day(u, m, 7) { u.markers = 1; u has no Ordered; u.acted = yes }",
            "for Day(u, m, 2) { u.markers = 1; u has Ordered; u.acted = yes }",
        ],
        &["for Day(u, m, 2) { u has no Ordered }"],
    ),
    Form(
        "`match v { pattern => statement or block }`",
        "proc p(k: Int) -> Int { var x = 0
         match k { under 0 => set x = 1
         0 | 1 => { }
         over 1 => { set x = 3 } }
         return x }",
        &[
            "for p(-4) { result = 1 }",
            "for p(1) { result = 0 }",
            "for p(2) { result = 3 }",
        ],
        &["for p(1) { result = 3 }"],
    ),
    Form(
        "`each x in XS where C { }`",
        "proc p() -> Int { var s = 0
         each x in [1, 2, 3, 4] where x > 1 { if x == 4 { stop }
         set s = 10 * s + x }
         return s }
         proc dead(u: Unit) -> Int { var s = 0
         each m in u.models { set s += 1
         each o in u.models where o != m { destroy o \"gone\" } }
         return s }",
        &[
            "for p() { result = 23 }",
            "for dead(u), m: Model, n: Model with u.models = [m, n] { result = 1 }",
        ],
        &["for p() { result = 234 }"],
    ),
    Form(
        "`each x in XS ordered by E { }`",
        "proc p() -> Int { var s = 0
         each x in [3, 1, 2] ordered by 0 - x { set s = 10 * s + x }
         return s }",
        &["for p() { result = 321 }"],
        &["for p() { result = 123 }"],
    ),
    Form(
        "`each x in XS chosen as n { }`",
        "proc p() -> Int { var s = 0
         each x in [3, 1, 3] chosen as who { set s = 10 * s + x }
         return s }",
        &[
            "for p() { result = 313 }",
            "for p() choosing who = 1, who = 3, who = 3 { result = 133 }",
        ],
        &["for p() choosing who = 2 { result = 313 }"],
    ),
    Form(
        "`repeat { } while C`",
        "proc p(k: Int) -> Int { var n = 0
         repeat { set n += 1 } while n < k
         return n }",
        &[
            "for p(0) { result = 0 }",
            "for p(3) { result = 3 }",
        ],
        &["for p(0) { result = 1 }"],
    ),
    Form(
        "`end P`",
        "phase Day(u: Unit) { set u.markers = 1
         if u.markers == 1 { end Day }
         set u.markers = 2 }",
        &["for Day(u) { u.markers = 1 }"],
        &["for Day(u) { u.markers = 2 }"],
    ),
    Form(
        "`cancel action`",
        "action Go in Turn by unit { choose unit in side.units where not unit.acted
         cost 1 picks
         set unit.acted = yes }
         rule No on start of Go as a when a.unit.nerve == 0 { cancel action }",
        &[
            "for Turn(s), u: Unit with u.side = s { u.acted }",
            "for Turn(s), u: Unit with u.side = s, u.nerve = 0 { not u.acted }",
        ],
        &["for Turn(s), u: Unit with u.side = s, u.nerve = 0 { u.acted }"],
    ),
    Form(
        "`place u at p`, `turn u by a`, `turn u to a`",
        "proc p(m: Model, spot: Place) { place m at spot
         turn m to 350°
         turn m by 20° }",
        &["for p(m, [3, 4]) { dist(m, [0, 0]) = 5\"; ahead(m) = 10° }"],
        &["for p(m, [3, 4]) { ahead(m) = 20° }"],
    ),
    Form(
        "`destroy u \"why\"`",
        "proc p(u: Unit) { destroy u \"gone\" }",
        &["for p(u), m: Model with u.models = [m] { not m.alive; not u.alive }"],
        &["for p(u), m: Model with u.models = [m] { m.alive }"],
    ),
    Form(
        "on destroy of",
        "trait Mine on Model { rule Bang on destroy of Model as d when d.thing == self {
           each o in Model where o != self and o within 2\" of self { set o.unit.markers += 1 } } }
         rule Counted on destroy of Model as d { set d.thing.unit.acted = yes }
         rule Gone on destroy of Unit as d { set d.thing.side.units = [] }
         proc p(m: Model) { destroy m \"gone\" }
         proc q(u: Unit) { destroy u \"gone\" }",
        &[
            "for p(m), u: Unit, v: Unit with u.models = [m], v.models = [o], m has Mine, m.at = [5, 5], o.at = [6, 5] { v.markers = 1; not u.alive; v.alive; u.acted }",
            "for q(u), v: Unit with u.models = [m, n], v.models = [o] { u.acted; not n.alive; not v.acted }",
        ],
        &["for p(m), u: Unit with u.models = [m, n] { not u.alive }"],
    ),
    Form(
        "after `destroy`",
        "status Marked on Model
         event Gone(m: Model)
         trait Mine on Model { rule Bang on Gone as g when g.m == self { each o in Model where o within 2\" of g.m { set o.unit.markers += 1 } } }
         proc p(m: Model, o: Model, both: list of Model) -> Int {
           grant Marked to m
           destroy m \"gone\"
           emit Gone(m)
           var seen : Int = 0
           each x in both { set seen += 1 }
           let left = size(both) + (count x in both where x.rank < 9) + (if m in both then 1 else 0)
           let near = if nearest x in both to m is some x and x == o then 1 else 0
           return 1000 * size(with_fallen(m.unit.models)) + 100 * near + 10 * seen + left + (if m has Marked then 5 else 0)
         }
         proc late(m: Model) { if m.rank < 9 { destroy m \"gone\" }
           set m.unit.acted = yes
           destroy m \"again\" }
         proc shot(m: Model) -> Int { roll aim = d6
           return aim }
         proc acts(m: Model) -> Int { if m.rank < 9 { destroy m \"gone\" }
           let aim = do shot(m)
           return aim }",
        &[
            "for p(m, o, [m, o]) with m.unit = u, o.unit = u, m.at = [5, 5], o.at = [6, 5], m has Mine { result = 2117; u.markers = 1 }",
            "for p(m, o, [m, o]) with m.unit = u, o.unit = u, m.at = [5, 5], o.at = [8, 5], m has Mine { result = 2117; u.markers = 0 }",
        ],
        &[
            "for late(m), u: Unit with m.unit = u { u.acted }",
            "for acts(m) rolling 3 { result = 3 }",
        ],
    ),
    Form(
        "`spawn x : Kind { f = v }`",
        "proc p(s: Side) -> Int { spawn u : Unit { side = s, nerve = 5 }
         return 10 * size(s.units) + u.nerve }",
        &["for p(s) { result = 15 }"],
        &["for p(s) { result = 13 }"],
    ),
    Form(
        "`merge a into b`",
        "proc p(a: Unit, b: Unit) -> Int { merge a into b
         return size(b.models) }",
        &[
            "for p(a, b), m: Model, n: Model with a.models = [m], b.models = [n] { result = 2; not a.alive; m.alive }",
        ],
        &["for p(a, b), m: Model, n: Model with a.models = [m], b.models = [n] { a.alive }"],
    ),
    Form(
        "`pass when C`, `grade v`",
        "test T(k: Int) { roll x = d6
         pass when x > k }
         test G(k: Int) -> Going { roll x = d6
         grade if x > k then Bog else Open }",
        &[
            "for T(4) { chance passed = 1/3 }",
            "for T(4) rolling 5 { passed; x = 5 }",
            "for G(3) rolling 3 { grade = Open }",
        ],
        &[
            "for T(4) rolling 4 { passed }",
            "for G(3) rolling 4 { grade = Open }",
        ],
    ),
    Form(
        "`let x = test T(..)`, `= do p(..)`, `= move m { }`",
        "test T() { roll x = d6
         pass when x > 3 }
         proc five() -> Int { return 5 }
         proc p(m: Model) -> Int { let t = test T()
         let f = do five()
         let leg = move m { exactly 2\"; heading 90° .. 90° }
         return t.x + f + (leg.covered / 1\" rounded down) }",
        &["for p(m) with m.at = [10, 10] rolling 4 { result = 11; dist(m, [12, 10]) = 0\" }"],
        &["for p(m) with m.at = [10, 10] rolling 4 { result = 10 }"],
    ),
    Form(
        "`reroll n`",
        "proc p() -> Int { roll x = d6
         if x < 3 { reroll x }
         return x }",
        &[
            "for p() { chance result == 1 = 1/18; chance result == 6 = 2/9 }",
            "for p() rolling x = 1, x = 2 { result = 2 }",
        ],
        &["for p() { chance result == 6 = 1/6 }"],
    ),
    Form(
        "`reroll x in n where C at most k`",
        "proc p() -> Int { roll x = 2 of d6
         reroll y in x where y == 1
         return total(x) }
         proc q() -> Int { roll x = 1 of d6
         reroll y in x where y < 4 at most 2
         return total(x) }",
        &[
            "for p() { chance result == 2 = 1/1296 }",
            "for q() { chance result >= 4 = 7/8 }",
        ],
        &[
            "for p() { chance result == 2 = 1/36 }",
            "for q() { chance result >= 4 = 3/4 }",
        ],
    ),
    Form(
        "`explode x in n where C at most k`",
        "proc p() -> Int { roll x = 1 of d6
         explode y in x where y == 6 at most 1
         return total(x) }",
        &["for p() { chance result == 12 = 1/36; chance result == 6 = 0; mean result = 49/12 }"],
        &["for p() { chance result == 6 = 1/6 }"],
    ),
    Form(
        "`choose n { a => ..; b when C => .. }`",
        "proc p(k: Int) -> Int { choose way { left => return 1
         right when k > 0 prefer => return 2 }
         return 0 }",
        &[
            "for p(0) { result = 1 }",
            "for p(1) { result = 2 }",
            "for p(1) choosing way = left { result = 1 }",
        ],
        &["for p(0) { result = 2 }"],
    ),
    Form(
        "`may n when C { }`",
        "proc p(k: Int) -> Int { var x = 0
         may jump when k > 0 prefer when k > 1 { set x = 1 }
         return x }",
        &[
            "for p(0) { result = 0 }",
            "for p(1) { result = 0 }",
            "for p(2) { result = 1 }",
            "for p(1) choosing jump = yes { result = 1 }",
        ],
        &["for p(1) { result = 1 }"],
    ),
    Form(
        "`replace f = e when C over T`",
        "trait Weak on Unit { replace nerve = 1 }
         trait Iron on Unit { replace nerve = 5 over Weak
         modify nerve += 9 when acted }",
        &[
            "for u: Unit with u has Weak { u.nerve = 1 }",
            "for u: Unit with u has Weak, u has Iron { u.nerve = 5 }",
            "for u: Unit with u has Iron, u.acted = yes { u.nerve = 6 }",
        ],
        &["for u: Unit with u has Weak, u has Iron { u.nerve = 1 }"],
    ),
    Form(
        "`forbid A, B when C`",
        "trait Meek on Unit { forbid Go when acted }
         action Go in Turn by unit { choose unit in side.units
         cost 1 picks }",
        &[
            "for Turn(s), u: Unit with u.side = s, u has Meek { offered Go(u) }",
            "for Turn(s), u: Unit with u.side = s, u has Meek, u.acted = yes { not offered Go(u) }",
        ],
        &["for Turn(s), u: Unit with u.side = s, u has Meek, u.acted = yes { offered Go(u) }"],
    ),
    Form(
        "`at least D`, `at most D`, `exactly D`",
        "proc p(m: Model, far: Length) { move m { at least 3\"; at most far; heading 0° .. 0° } else { } }",
        &[
            "for p(m, 5\") with m.at = [10, 10] { dist(m, [10, 15]) = 0\" }",
            "for p(m, 2\") with m.at = [10, 10] { dist(m, [10, 10]) = 0\" }",
        ],
        &["for p(m, 2\") with m.at = [10, 10] { dist(m, [10, 12]) = 0\" }"],
    ),
    Form(
        "`toward X`",
        "proc p(m: Model, e: Model) { move m { at most 4\"; toward e } }",
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] { dist(m, e) = 6\" }"],
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] { dist(m, e) = 10\" }"],
    ),
    Form(
        "`no nearer to XS`",
        "proc p(m: Model, e: Model) { move m { at most 4\"; no nearer to e } }",
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] choosing move = [6, 10] { dist(m, e) = 14\" }"],
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] choosing move = [14, 10] { m.alive }"],
    ),
    Form(
        "`ends within D of XS`",
        "proc p(m: Model, e: Model) { move m { at most 8\"; ends within 3\" of e } else destroy m \"no\" }",
        &[
            "for p(m, e) with m.at = [10, 10], e.at = [20, 10] choosing move = [17, 10] { m.alive }",
            "for p(m, e) with m.at = [10, 10], e.at = [22, 10] { not m.alive }",
        ],
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] choosing move = [16, 10] { m.alive }"],
    ),
    Form(
        "`stops where C`",
        "proc p(m: Model, e: Model) { move m { at most 8\"; toward e; stops where dist(m, e) <= 7\" } }",
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] { dist(m, e) <= 7\" and dist(m, e) > 6.99\" }"],
        &["for p(m, e) with m.at = [10, 10], e.at = [20, 10] { dist(m, e) = 2\" }"],
    ),
    Form(
        "`costs p => E`",
        "proc p(m: Model) { move m { at most 6\"; heading 0° .. 0°; costs p => 2 } }",
        &["for p(m) with m.at = [10, 10] { dist(m, [10, 13]) = 0\" }"],
        &["for p(m) with m.at = [10, 10] { dist(m, [10, 16]) = 0\" }"],
    ),
    Form(
        "`extern let f(x: T): U default e`",
        "extern let far(u: Unit): Int default u.nerve + 1",
        &["for u: Unit { far(u) = 4 }"],
        &["for u: Unit { far(u) = 3 }"],
    ),
    Form(
        "`extern test T(x: U) gives a: Int default { }`",
        "extern test T(k: Int) gives a: Int default { roll x = d6
         let a = x + k }
         proc p() -> Int { let t = test T(2)
         return t.a }",
        &["for p() rolling 4 { result = 6 }"],
        &["for p() rolling 4 { result = 4 }"],
    ),
    Form(
        "rounding",
        "let down(n: Int): Int = (1 + n / 2) rounded down
         let up_it(n: Int): Int = n / 2 rounded up
         let near(n: Int): Int = n / 4 rounded nearest
         let left(n: Int, k: Int): Int = remainder(n, k)",
        &[
            "for u: Unit { down(4) = 3; down(3) = 2; up_it(3) = 2; up_it(0 - 3) = 0 - 1; down(0 - 3) = 0 - 1 }",
            "for u: Unit { near(5) = 1; near(6) = 2; near(7) = 2; near(0 - 5) = 0 - 1; near(0 - 6) = 0 - 1 }",
            "for u: Unit { left(7, 3) = 1; left(6, 3) = 0; left(0 - 7, 3) = 2; left(7, 0 - 3) = 0 - 2 }",
        ],
        &[
            "for u: Unit { down(3) = 3 }",
            "for u: Unit { up_it(0 - 3) = 0 - 2 }",
            "for u: Unit { near(6) = 1 }",
            "for u: Unit { left(0 - 7, 3) = 0 - 1 }",
        ],
    ),
    Form(
        "queries",
        "let q(k: Int): Int = match k { 1 => count x in [3, 1, 3] where x == 3
         2 => sum x in [3, 1, 3] where x > 1 of 2 * x
         3 => (most x in [1, 3, 2] by x) otherwise 0
         4 => (least x in [2, 1, 3] where x > 1 by x) otherwise 0
         5 => count a in [6, 5, 3] against b in [6, 4] where a > b
         6 => size(all x in 1 .. 6 where x > 4)
         7 => (if any x in [1, 2] where x > 1 then 1 else 0) + (if no x in [1, 2] where x > 2 then 1 else 0) + (if every x in [1, 2]: x > 0 then 1 else 0)
         else => 0 }",
        &["for u: Unit { q(1) = 2; q(2) = 12; q(3) = 3; q(4) = 2; q(5) = 1; q(6) = 2; q(7) = 3 }"],
        &[
            "for u: Unit { q(1) = 1 }",
            "for u: Unit { q(5) = 2 }",
        ],
    ),
];
