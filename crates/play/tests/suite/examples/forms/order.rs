//! Time, order, menus and promises.

use super::Form;

pub const ORDER: &[Form] = &[
    Form(
        "and takes it back to its default then; also `start of`, and `for k`",
        "phase Day(u: Unit) { }
         phase Week(u: Unit, v: Unit) { set u.acted = yes until end of Day for v
         run Day(u)
         if u.acted { set u.markers += 1 }
         run Day(v)
         if u.acted { set u.markers += 1 } }",
        &["for Week(u, v) { u.markers = 1; not u.acted }"],
        &["for Week(u, v) { u.markers = 2 }", "for Week(u, v) { u.markers = 0 }"],
    ),
    Form(
        "`start of action`",
        "state log : 0..99999 = 0
         rule A on Hit as h when log == 0 { set log = 10 * log + 1 }
         rule B before A on Hit as h when log == 0 { set log = 10 * log + 2 }
         rule D after E on Hit as h when h.hits > 1 { set log = 10 * log + 4 }
         rule E on Hit as h { set log = 10 * log + 3 }
         rule S on start of action as a when a.name in [Go] { set log = 10 * log + 7 }
         rule T on end of Go as a { set log = 10 * log + 8 }
         action Go in Turn by unit { choose unit in side.units
         limit 1 per Turn
         cost 1 picks }",
        &["for Hit(u, 2) { log = 2134 }", "for Hit(u, 1) { log = 213 }", "for Turn(s), u: Unit with u.side = s { log = 78 }"],
        &["for Hit(u, 2) { log = 1234 }", "for Hit(u, 2) { log = 2143 }"],
    ),
    Form(
        "`start of action in P`",
        "state log : 0..99999 = 0
         phase Day(side: Side) shares hours: 0..9 = 1 { run Night(side)
         repeat choose action or stop while hours > 0 }
         phase Night(side: Side) shares dark: Flag = yes, hours: 0..9 = 2 { repeat choose action or stop while hours > 0 }
         rule N on start of action in Night as a when a.dark { set log = 10 * log + (if a.name == Look then 1 else 2) }
         rule D on end of action in Day as a { set log = 10 * log + 3 }
         trait Wary on Unit { rule W on start of action in Day as a when a.unit == self { set log = 10 * log + 4 } }
         action Look in Day, Night by unit { choose unit in side.units
         cost 1 hours
         limit 1 per Night }
         action Nap in Night by unit { choose unit in side.units
         cost 1 hours }",
        &[
            "for Day(s), u: Unit with u.side = s { log = 123 }",
            "for Day(s), u: Unit with u.side = s, u has Wary { log = 1243 }",
            "for Night(s), u: Unit with u.side = s, u has Wary { log = 12 }",
        ],
        &["for Day(s), u: Unit with u.side = s { log = 1233 }", "for Night(s), u: Unit with u.side = s { log = 0 }"],
    ),
    Form(
        "`test T(u, ..) with f = v`",
        "trait Keen on Unit { modify nerve += 2 }
         let Unit.grit : Int = nerve + 1
         test Check(u: Unit) { roll dice = d6
         let own = u.grit
         pass when dice <= u.nerve }
         test Both(u: Unit, v: Unit) { let first = test Check(u) with nerve = 1
         let second = test Check(v) with nerve = 2, grit = u.nerve
         pass when first.passed and second.passed and second.own == 6 }
         proc p(u: Unit, v: Unit) -> Int { let lent = test Check(u)
           with nerve = v.nerve
         let own = test Check(u)
         return 1000 * lent.own + (if lent.passed then 100 else 0) + (if own.passed then 10 else 0) + u.markers }
         proc q(u: Unit, v: Unit) -> Flag { let both = test Both(u, v) with nerve = 6
         return both.passed }",
        &[
            "for p(u, v) with u.markers = 3, v.nerve = 1 rolling dice = 1, dice = 3 { result = 2113 }",
            "for p(u, v) with u.markers = 3, v.nerve = 1 rolling dice = 2, dice = 3 { result = 2013 }",
            "for p(u, v) with u has Keen, v.nerve = 1 rolling dice = 2, dice = 5 { result = 2010 }",
            "for p(u, v) with v has Keen rolling dice = 5, dice = 5 { result = 6100 }",
            "for p(u, v) with v.nerve = 1 { chance result > 2099 = 1/6 }",
            "for q(u, v) { chance result = 1/18 }",
        ],
        &["for p(u, v) with v.nerve = 1 rolling dice = 2, dice = 3 { result = 2110 }"],
    ),
    Form(
        "`cancel action and return cost`",
        "state log : 0..99999 = 0
         test Try(u: Unit) { roll dice = d6
         pass when dice > 3 }
         action Dare in Turn by unit { choose unit in side.units
         cost 2 picks
         limit 1 per Turn
         let tried = test Try(unit)
         if not tried.passed { cancel action and return cost }
         set log = 10 * log + 1 }
         action Climb in Turn by unit { choose unit in side.units
         limit 1 per Turn
         cost 1 + unit.markers picks
         cost unit.nerve - 1 picks
         set unit.markers += 1 }
         action Rest in Turn by unit { choose unit in side.units
         limit 1 per Turn
         cost 1 picks
         set log = 10 * log + 4 }
         rule Tripped on start of Climb as a when a.unit.acted { set a.unit.markers += 3
         cancel action and return cost }
         rule Watched on start of action in Turn as a when log == 9 { set log = 10 * log + 5
         cancel action and return cost }
         rule Done on end of Dare as a { set log = 10 * log + 2 }",
        &[
            "for Turn(s), u: Unit with u.side = s, u.nerve = 6 rolling [6] { log = 124 }",
            "for Turn(s), u: Unit with u.side = s, u.nerve = 6 rolling [3] { log = 4 }",
            "for Turn(s), u: Unit with u.side = s, u.nerve = 3 rolling [3] { log = 0; u.markers = 1 }",
            "for Turn(s), u: Unit with u.side = s, u.nerve = 3, u.acted = yes rolling [3] { log = 4; u.markers = 3 }",
            "for Turn(s), u: Unit with u.side = s, u.nerve = 3, log = 9 { log = 95; u.markers = 1 }",
        ],
        &["for Turn(s), u: Unit with u.side = s, u.nerve = 6 rolling [3] { log = 0 }"],
    ),
    Form(
        "`cost`, `limit`, `needs`",
        "action Go in Turn by unit { choose unit in side.units
         needs not unit.acted else \"tired\"
         limit 2 per Turn for unit when unit.nerve < 5
         cost 1 picks
         set unit.markers += 1 }
         action Run in Turn by unit { choose unit in side.units where unit.acted
         cost 2 picks
         set unit.markers += 1 }",
        &[
            "for Turn(s), u: Unit with u.side = s { u.markers = 2; offered Go(u) }",
            "for Turn(s), u: Unit with u.side = s, u.nerve = 5 { u.markers = 3 }",
            "for Turn(s), u: Unit, v: Unit with u.side = s, v.side = s { u.markers = 2; v.markers = 1 }",
            "for Turn(s), u: Unit with u.side = s, u.acted = yes { u.markers = 1; not offered Go; offered Run(u) }",
        ],
        &["for Turn(s), u: Unit with u.side = s { u.markers = 3 }", "for Turn(s), u: Unit with u.side = s, u.acted = yes { offered Go(u) }"],
    ),
    Form(
        "`modify f += e when C`",
        "trait Keen on Unit { modify nerve += 2
         let zeal = nerve + 10 }
         trait Tired on Unit { modify nerve += -1 when acted }
         condition Low on Unit when markers > 1 { modify mv -= 2\"
         rule Gasp on Hit as h when h.target == self { set self.acted = yes } }",
        &[
            "for u: Unit with u has Keen, u has Tired, u.acted = yes { u.nerve = 4; u.zeal = 14 }",
            "for u: Unit with u has Tired { u.nerve = 3; u.mv = 5\"; u has no Low }",
            "for u: Unit with u has Keen, u.nerve = 6 { u.nerve = 6 }",
            "for Hit(u, 1) with u.markers = 2 { u.mv = 3\"; u has Low; u.acted }",
            "for Hit(u, 1) with u.markers = 1 { not u.acted }",
        ],
        &["for u: Unit with u has Keen { u.nerve = 3 }", "for u: Unit with u has Keen, u.nerve = 6 { u.nerve = 8 }"],
    ),
    Form(
        "law",
        "law Cap = every u in Unit: u.markers <= 2
         proc p(u: Unit, k: Int) { set u.markers = k }",
        &["for p(u, 2) { u.markers = 2 }"],
        &["for p(u, 3) { u.alive }"],
    ),
    Form(
        "readings and params",
        "param bite = 3 sweep 2 .. 4
         reading half : Int = 1 or 2 because \"silent\"
         reading way = Stays \"holds\" or Goes \"leaves\" because \"silent\"
         table worth(g: Going): Int { | Open | 0 |
         | Rough, Bog | 4 | }
         let sum_up(g: Going): Int = worth(g) + 10 * half + (if way == Goes then 100 else 0) + 1000 * bite",
        &[
            "for u: Unit { sum_up(Open) = 3010; sum_up(Bog) = 3014 }",
            "for u: Unit under half = 2, way = Goes, bite = 2 { sum_up(Rough) = 2124 }",
        ],
        &["for u: Unit under half = 2 { sum_up(Open) = 3010 }"],
    ),
    Form(
        "`earlier`",
        "proc p(u: Unit) -> Int { var s = 0
         each m in u.models { set s = 10 * s + size(earlier) }
         return s }",
        &["for p(u), k: Model, m: Model, n: Model with u.models = [k, m, n] { result = 12 }"],
        &["for p(u), k: Model, m: Model with u.models = [k, m] { result = 0 }"],
    ),
    // lines of moves in the open
    Form(
        "`away from XS`",
        "proc p(m: Model, xs: list of Model) { move m { exactly 2\"; away from xs } else { } }",
        &[
            "for p(m, [e]), e: Model with m.at = [13, 14], e.at = [10, 10] { dist(m, e) = 7\" }",
            "for p(m, [e, f]), e: Model, f: Model with m.at = [10, 10], e.at = [8, 8], f.at = [12, 8] { dist(m, [10, 12]) = 0\" }",
        ],
        &["for p(m, [e]), e: Model with m.at = [13, 14], e.at = [10, 10] choosing move = [13, 16] { m.alive }"],
    ),
    // three on a circle of 5", each a thousandth off where they cannot be whole: no rounding decides where it goes
    Form(
        "in a ring no rounding decides where `away from` leads",
        "proc p(m: Model) { move m { exactly 4\"; away from all e in Model where e != m } else { } }",
        &[
            "for p(m), a: Model, b: Model, c: Model with m.at = [20, 20], a.at = [25, 20], b.at = [17.5, 24.33], c.at = [17.5, 15.67] { m.at = [20, 24] }",
            "for p(m), a: Model, b: Model, c: Model with m.at = [20, 20], a.at = [25, 20], b.at = [17.5, 24.331], c.at = [17.5, 15.67] { m.at = [20, 24] }",
            "for p(m), a: Model, b: Model, c: Model with m.at = [20, 20], a.at = [20, 15], b.at = [24.33, 22.5], c.at = [15.67, 22.5] { m.at = [20, 24] }",
        ],
        &[
            "for p(m), a: Model, b: Model, c: Model with m.at = [20, 20], a.at = [25, 20], b.at = [17.5, 24.35], c.at = [17.5, 15.67] { m.at = [20, 24] }",
        ],
    ),
    Form(
        "ends of moves are as far off as the move is long",
        "proc p(m: Model, a: Angle) { move m { exactly 8\"; heading a .. a } else { } }
         let near(m: Model) = nearest e in Model to m where e != m",
        &[
            "for p(m, 45°), e: Model with m.at = [10, 10], e.at = [10, 10] { dist(m, e) == 8\"; dist(m, e) >= 8\"; dist(m, e) <= 8\"; not (dist(m, e) > 8\"); not (dist(m, e) < 8\") }",
            "for p(m, 37°), e: Model with m.at = [10, 10], e.at = [10, 10] { dist(m, e) == 8\"; dist(m, e) >= 8\"; dist(m, e) <= 8\"; not (dist(m, e) > 8\"); not (dist(m, e) < 8\") }",
            "for m: Model, a: Model, b: Model with m.at = [20, 20], a.at = [25, 20], b.at = [23.535, 23.535] { near(m) = a }",
            "for m: Model, a: Model, b: Model with m.at = [20, 20], a.at = [23.536, 23.536], b.at = [25, 20] { near(m) = a }",
            "for m: Model, a: Model, b: Model with m.at = [20, 20], a.at = [25, 20], b.at = [23.5, 23.5] { near(m) = b }",
        ],
        &[
            "for p(m, 45°), e: Model with m.at = [10, 10], e.at = [10, 10] { dist(m, e) > 8\" }",
            "for p(m, 45°), e: Model with m.at = [10, 10], e.at = [10, 10] { dist(m, e) < 8\" }",
            "for m: Model, a: Model, b: Model with m.at = [20, 20], a.at = [25, 20], b.at = [23.535, 23.535] { near(m) = b }",
        ],
    ),
    Form(
        "a bare point is nothing that `avoids` keeps clear of",
        "proc p(m: Model, e: Model) { move m { exactly 8\"; heading 0° .. 0°; avoids [e] } else { } }",
        &["for p(m, e) with m.at = [10, 10], e.at = [10, 14] { m.at = [10, 18] }"],
        &["for p(m, e) with m.at = [10, 10], e.at = [10, 14] { m.at = [10, 10] }"],
    ),
    Form(
        "`straight for D`",
        "proc p(m: Model) { move m { exactly 4\"; heading 0° .. 0°; straight for 2\"; bends at most 90°; keeps facing } }
         proc q(m: Model) { move m { exactly 4\"; heading 0° .. 0°; straight for 3\"; bends at most 90° } }
         proc r(m: Model) { move m { exactly 4\"; heading 0° .. 0°; bends at most 45° } }",
        &[
            "for p(m) with m.at = [10, 10] choosing move = [12, 12] { dist(m, [12, 12]) = 0\"; ahead(m) = 0° }",
            "for p(m) with m.at = [10, 10] { dist(m, [10, 14]) = 0\" }",
            "for q(m) with m.at = [10, 10] choosing move = [9, 13] { dist(m, [9, 13]) = 0\"; ahead(m) = 270° }",
        ],
        &[
            "for q(m) with m.at = [10, 10] choosing move = [12, 12] { m.alive }",
            "for r(m) with m.at = [10, 10] choosing move = [12, 12] { m.alive }",
            "for p(m) with m.at = [10, 10] choosing move = [13, 13] { m.alive }",
        ],
    ),
    Form(
        "`heading A .. B`",
        "proc p(m: Model, wide: Flag) { move m { at most 5\" when wide; at most 2\" when not wide; heading 350° .. 10° } }",
        &[
            "for p(m, yes) with m.at = [10, 10] { dist(m, [10, 10]) = 5\"; turn_between(ahead(m), 0°) <= 10° }",
            "for p(m, no) with m.at = [10, 10] choosing move = [10, 12] { dist(m, [10, 12]) = 0\" }",
        ],
        &[
            "for p(m, yes) with m.at = [10, 10] choosing move = [12, 12] { m.alive }",
            "for p(m, no) with m.at = [10, 10] choosing move = [10, 13] { m.alive }",
        ],
    ),
    Form(
        "`along R`",
        "proc p(m: Model, far: Length, p: Place, q: Place) { let way: list of Place = [p, q]
         move m { at most far; along way } }",
        &[
            "for p(m, 5\", [10, 13], [14, 13]) with m.at = [10, 10] { dist(m, [12, 13]) = 0\" }",
            "for p(m, 9\", [10, 13], [14, 13]) with m.at = [10, 10] { dist(m, [14, 13]) = 0\" }",
            "for p(m, 9\", [10, 13], [14, 13]) with m.at = [10, 10] choosing move = [10, 12] { dist(m, [10, 12]) = 0\" }",
        ],
        &["for p(m, 5\", [10, 13], [14, 13]) with m.at = [10, 10] choosing move = [11, 12] { m.alive }"],
    ),
];
