//! Forms for which bodies or players matter.

use super::Scene;

pub const SCENES: &[Scene] = &[
    Scene(
        "areas and edges",
        "let over_it(x: Model, y: Model, w: Wood): Flag = crosses(x, y, w)
         let depth(x: Model, y: Model, w: Wood): Length = length_in(x, y, w)
         let in_it(x: Model, w: Wood): Flag = inside(x, w)
         let edge(x: Model): Length = to_edge(x)
         let free(x: Model): Length = room_behind(x)
         let seen(x: Model, y: Model): Flag = x sees y
         proc go(x: Model, p: Place) { place x at p }",
        "do go(c, [15, 10])",
        &[
            "over_it(a, b, f) == yes",
            "depth(a, b, f) == 2\"",
            "depth(a, c, f) == 1\"",
            "in_it(c, f) == yes",
            "in_it(a, f) == no",
            "edge(a) == 9\"",
            "free(a) == 9\"",
            "free(b) == 3\"",
            "seen(a, b) == yes",
            "dist(a, b) == 8\"",
        ],
        &["in_it(b, f) == yes", "free(b) == 19\""],
    ),
    Scene(
        "`sees`",
        "let seen(x: Model, y: Model): Flag = x sees y
         proc go(x: Model, p: Place) { place x at p }",
        "do go(b, [4, 28])",
        &["seen(a, c) == no", "seen(a, b) == yes", "seen(c, a) == no"],
        &["seen(a, c) == yes"],
    ),
    Scene(
        "`just_behind`",
        "proc go(x: Model, y: Model) { place x at just_behind(x, y) }
         let reach(x: Model): list of Route = routes(x, 1\")
         let points(x: Model): list of Place = spots_near(x, 1\")",
        "do go(a, b)",
        &["touches(a, b)", "dist(a, [16, 10]) == 1\"", "in_rear(b, a)", "size(reach(c)) == 5", "size(points(c)) == 5"],
        &["dist(a, [23, 10]) == 0\"", "in_front(b, a)"],
    ),
    Scene(
        "`just_beyond`",
        "proc go(x: Model, y: Model) { place x at just_beyond(x, y) }",
        "do go(a, b)",
        &["touches(a, b)", "dist(a, [24, 10]) == 1\"", "in_front(b, a)"],
        &["in_rear(b, a)"],
    ),
    // bodies in the way
    Scene(
        "`through XS`, `avoids XS`",
        "state far : 0..99 = 0
         proc go(x: Model, y: Model) {
           move x { at least 5\"; heading 90° .. 90° } else set far = 1
           move x { at most 9\"; toward y; through all w in Wood }
           move y { exactly 3\"; heading 0° .. 0°; avoids x } }",
        "do go(a, b)",
        &["far == 1", "dist(a, [20, 10]) == 1\"", "dist(b, [20, 14]) == 0\""],
        &["far == 0", "dist(b, [20, 10]) == 0\""],
    ),
    Scene(
        "`stops on contact with XS`",
        "state met : 0..9 = 0
         proc go(x: Model) {
           let leg = move x { at most 12\"; heading 90° .. 90°; stops on contact }
           if leg.met is some Wood(w) and leg.covered == 3\" { set met = 1 } }",
        "do go(a)",
        &["met == 1", "a within 0\" of f"],
        &["dist(a, [22, 10]) == 0\""],
    ),
    Scene(
        "`some Kind(x)`, `Kind(x)`",
        "state met : 0..9 = 0
         state far : 0..99 = 0
         proc go(x: Model) {
           let leg = move x { at most 12\"; heading 90° .. 90°; through all w in Wood; stops on contact with all m in Model where m != x }
           match first leg.met { some Wood(w) => set met = 1
             some Model(m) when m.facing == 0° => set met = 2
             some Model(m) => set met = 3
             else => set met = 4 }
           set far = 10 * size(leg.crossed(Wood)) + (leg.covered / 1\" rounded down) }",
        "do go(a)",
        &["met == 3", "far == 18", "touches(a, b)"],
        &["met == 1", "far == 12"],
    ),
    Scene(
        "`through XS`, `avoids XS`",
        "state shut : Flag = no
         proc go(x: Model, y: Model) {
           move x { exactly 12\"; heading 180° .. 180°; avoids all w in Wall } else set shut = yes
           move x { exactly 12\"; heading 180° .. 180°; through all w in Wall }
           move y { exactly 12\"; heading 0° .. 0°; avoids all w in Wall } else destroy y \"stuck\" }",
        "do go(c, b)",
        &["shut", "dist(c, [10, 18]) == 0\"", "dist(b, [20, 24]) == 1\""],
        &["dist(c, [10, 30]) == 0\"", "not b.alive"],
    ),
    Scene(
        "`bends at most`",
        "proc go(x: Model) { move x { exactly 13\"; heading 180° .. 180°; bends at most 90°; avoids all w in Wall } else destroy x \"stuck\" }",
        "do go(c)",
        &["c.alive", "dist(c, [10, 30]) > 10\" and dist(c, [10, 30]) < 11\""],
        &["dist(c, [10, 17]) == 0\""],
    ),
    Scene(
        "`was x`",
        "proc go(x: Model, p: Place) { place x at p }",
        "do go(c, [10, 33])",
        &["dist(c, was c.at) == 3\""],
        &["dist(c, was c.at) == 0\""],
    ),
    // advice to players
    Scene(
        "policy",
        "state got_them : 0..99 = 0
         proc ways(u: Unit, k: Int) { choose way { left => set u.markers = 1
           right when k > 0 => set u.markers = 2
           stay when k > 1 => set u.markers = 3 } }
         proc pick(u: Unit) -> Int { choose got in [1, 3, 2]
           return got }
         policy Own { way = stay when k > 2, right, left
           got = most got }
         proc go(u: Unit, v: Unit) { do ways(u, 2)
           do ways(v, 2)
           let n = do pick(u)
           let m = do pick(v)
           set got_them = 10 * n + m }",
        "do go(one, two)",
        &["one.markers == 2", "two.markers == 1", "got_them == 31"],
        &["one.markers == 3"],
    ),
];
