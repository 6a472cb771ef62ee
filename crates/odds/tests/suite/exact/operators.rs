//! Every operator and every instruction on lists, on dice: exact odds are the fractions of every fall of the dice.

use super::brute::brute_with;
use super::random::as_map;
use grognard_base::Sources;
use grognard_base::value::*;
use grognard_board::Shape;
use grognard_kit::Lab;
use grognard_kit::Lots;
use grognard_kit::{Shelf, Shipped};
use grognard_odds::{ExploreOptions, Label};
use grognard_program::flow::Flow;
use grognard_program::instr::Operand;
use grognard_program::{Detail, Instr, Program, compile};
use grognard_rules::load;
use grognard_rules::ruleset::Ruleset;
use grognard_vm::{Setup, ThingSpec, set_up};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What the bodies may use: the things `a` and `b` (men of the squad `s`), the wood `w`, the squad `t` under `s`.
const RULES: &str = "
chain Quality = d4 < d6 < d8 < d10
die Fate of -1..1 = -1, 0, 0, 1
enum Going { Open < Rough < Bog }
kind Squad group of men {
  link men : list of Man
  link boss : Squad? tree
  state kept : list of Int = []
}
kind Man on board { link squad : Squad }
kind Wood on board { stat blocks : Flag = no }
phase Turn { }
";
const PARAMS: &str = "a: Man, b: Man, w: Wood, s: Squad, t: Squad, e: Place, f: Place, g: Place";
const ARGS: &[i64] = &[0, 1, 0, 0, 1, 4_000, 10_000, 14_000, 10_000, 21_000, 12_000];

/// A body that uses an operator on `p` and `q` (pools), `x` and `y` (dice). A new operator needs a line here.
fn body(op: Op, lots: &mut Lots) -> String {
    let k = lots.range(-1, 5);
    let n = lots.range(1, 3);
    let than = lots.of(&["<", "<=", ">", ">=", "==", "!="]);
    // a place that the die `x` decides
    let at = "(if x == 1 then e else if x == 2 then f else g)";
    let flag = |condition: String| format!("return if {condition} then x else 9");
    let text = |value: &str| format!("return {value}");
    match op {
        Op::Add => text("x + y"),
        Op::Sub => text("x - y"),
        Op::Mul => text("x * y"),
        Op::Neg => text("-x"),
        Op::DivLength => flag(format!("x * 1\" / 3 {than} y * 0.5\"")),
        Op::AddAngle => flag(format!("(x * 100° + y * 50°) {than} 150°")),
        Op::SubAngle | Op::TurnBetween => flag(format!("turn_between(x * 100° - y * 50°, 0°) {than} 150°")),
        Op::RoundNear => text("(x / y rounded nearest)"),
        Op::Remainder => text("remainder(x - 3, y)"),
        Op::MulAngle => flag(format!("x * 100° {than} {}°", 100 * n)),
        Op::Fraction | Op::RoundDown => text("(x / y rounded down)"),
        Op::RoundUp => text("(x / y rounded up)"),
        Op::ToRatio | Op::AddRatio => text("((x / y + x) rounded down)"),
        Op::SubRatio => text("(x / y - 1 / 3 rounded up)"),
        Op::MulRatio => text("((x / y) * (2 / 3) rounded up)"),
        Op::DivRatio => text("((x / 3) / (y / 2) rounded down)"),
        Op::NegRatio => text("(-(x / y) rounded down)"),
        Op::Eq => flag(format!("x == {k}")),
        Op::Ne => flag("x != y".into()),
        Op::Lt => flag("x < y".into()),
        Op::Le => flag(format!("x <= {k}")),
        Op::Gt => flag("x > y".into()),
        Op::Ge => flag(format!("x >= {k}")),
        Op::LtRatio => flag("x / y < 3 / 4".into()),
        Op::LeRatio => flag("x / y <= 2 / 3".into()),
        Op::EqCells => flag("x / y == 1 / 2".into()),
        Op::EqList => flag(lots.of(&["p == q", "p == [1, 2]", "[1] == p"]).into()),
        Op::Not => text("if not (any p == 1 or x == 2) then y else 0"),
        Op::Up => text("faces(closed(d4 up x))"),
        Op::Down => text("faces(closed(d8 down x))"),
        Op::Closed | Op::Faces | Op::ToDie => text("faces(closed(d6 up x)) * 10 + faces(closed(d6 down y))"),
        Op::Open => "let (m, n) = open(d6 up x, d8)\n return faces(m) * 100 + faces(n)".into(),
        Op::IsPast => flag(lots.of(&["is_past(d6 up x)", "is_past(d8 down x)"]).into()),
        Op::Next => text("faces(next(closed(d4 up x)))"),
        Op::DieOf => "roll z = die(x)\n return z * 10 + y".into(),
        Op::Min => text("min(x, y, 2)"),
        Op::Max => text("max(x, y, 2)"),
        Op::MinRatio => text("(min(x / y, 2 / 3, y / 2) rounded up)"),
        Op::MaxRatio => text("(max(x / y, 2 / 3) rounded down)"),
        Op::Size => "roll z = x of d3\n return size(z) * 10 + (count z > 1)".into(),
        Op::Nth => text(&format!("(nth({n}, p) otherwise 9) * 10 + (nth(x, q) otherwise 9)")),
        Op::Copies => text("total(copies(x, y))"),
        Op::Concat => format!("let r = p + q\n return (count r {than} {k}) * 10 + (nth({n}, q + p + [x]) otherwise 9)"),
        Op::Without => text(lots.of(&[
            "size(p - q) * 10 + (nth(1, (p + q) - [x, y]) otherwise 9)",
            "total(p - [x]) * 10 + size((q + q) - p)",
        ])),
        Op::Total => text("total(p) * 10 + total(p + q)"),
        Op::Highest if lots.below(2) == 0 => {
            text("((nth(1, highest(x, [x / y, 3 / 4])) otherwise 1 / 7) * 12 rounded down)")
        }
        Op::Lowest if lots.below(2) == 0 => {
            text("((nth(2, lowest(2, [x / y, 3 / 4])) otherwise 1 / 7) * 12 rounded down)")
        }
        Op::Highest => text(&format!("total(highest({n}, p)) * 10 + (nth({n}, highest(x, q + [1])) otherwise 9)")),
        Op::Lowest => text(&format!("total(lowest({n}, p)) * 10 + (nth({n}, lowest(2, p + q)) otherwise 9)")),
        Op::Median => text(lots.of(&[
            "median(p) * 10 + (median(highest(x, q)) otherwise 9)",
            "(median(all z in p + q where z > 1) otherwise 9) * 10 + (count p == x)",
            "(median([x / y, 3 / 4]) * 12 rounded down)",
        ])),
        Op::Mode => text(lots.of(&[
            "mode(p) * 10 + (mode(highest(x, q)) otherwise 9)",
            "mode(p + q + [y]) * 10 + (count p == x)",
            "(mode([x / y, 3 / 4, 1 / 2]) * 12 rounded down)",
        ])),
        Op::Distinct => text(lots.of(&[
            "distinct(p) * 10 + distinct(q + [x, y])",
            "distinct(all z in p + q where z > 1) * 10 + total(p)",
            "distinct([x / y, 1 / 2, 1]) * 10 + x",
        ])),
        Op::InList => flag(format!("x in p or {k} in q")),
        Op::WithFallen => {
            "if x > 1 { destroy a \"shot\" }\n return 100 * size(with_fallen(s.men)) + 10 * size(s.men) + x".into()
        }
        Op::Below => text("size(below(s)) * 10 + x"),
        Op::Tiers => text("tiers(s, t) * 10 + x"),
        Op::Running => flag("running(Turn)".into()),
        Op::Pack | Op::PlaceOf | Op::Dist => text(&format!("(dist(a, {at}) / 1\" rounded down)")),
        Op::KindOf | Op::NumberOf => {
            "let leg = move b { at most x * 4\"; heading 270° .. 270°; through all v in Wood }\n \
             return size(leg.crossed(Wood)) * 100 + (leg.covered / 1\" rounded down)"
                .into()
        }
        // written in scenarios only: two numbers stay two numbers
        Op::Point => text("x"),
        Op::DistCmp => flag(format!("dist(a, {at}) < dist(b, {at})")),
        Op::DistTo => flag(format!("dist(a, {at}) {than} y * 2\"")),
        Op::Near => flag(format!("nearest m in Man to {at} == a")),
        Op::Ranks => format!(
            "var acc : Int = 0\n each m in Man ordered by dist(m, {at}) {{ \
             set acc = acc * 10 + (if m == a then 1 else 2) }}\n return acc"
        ),
        Op::Bearing => flag(format!("turn_between(bearing(a, {at}), 0°) {than} 100°")),
        Op::Within => flag("a within x * 3\" of b".into()),
        Op::Sees => flag(format!("a sees {at}")),
        Op::Inside => flag(format!("inside({at}, w)")),
        Op::Crosses => flag(format!("crosses(a, {at}, w)")),
        Op::LengthIn => flag(format!("length_in(a, {at}, w) > 1\"")),
        Op::ToEdge => format!("place a at {at}\n return (to_edge(a) / 1\" rounded down)"),
        Op::Touches => format!("place a at {at}\n return if touches(a, b) then y else 0"),
        Op::Ahead => format!("turn a to x * 80°\n return if turn_between(ahead(a), 0°) {than} 160° then y else 0"),
        Op::Rear => format!("turn a to x * 80°\n return if turn_between(rear(a), 0°) {than} 160° then y else 0"),
        Op::InFront => flag(format!("in_front(a, {at})")),
        Op::InRear => flag(format!("in_rear(a, {at})")),
        Op::InArc => flag(format!("in_arc(a, {at}, x * 30°)")),
        Op::SameFacing => "turn a to x * 40°\n return if same_facing(a, b) then y else 0".into(),
        Op::RoomBehind => format!("place a at {at}\n return (room_behind(a) / 1\" rounded down)"),
        Op::JustBehind => format!("turn b to x * 70°\n return (dist(just_behind(a, b), {at}) / 1\" rounded down)"),
        Op::JustBeyond => format!("place a at {at}\n return (dist(just_beyond(a, b), w) / 1\" rounded down)"),
        Op::Routes => text("size(routes(a, x * 1\"))"),
        Op::SpotsNear => text(&format!("size(spots_near({at}, y * 1\"))")),
    }
}

/// Bodies that work on lists of dice with instructions that no operator stands for.
const ON_LISTS: &[&str] = &[
    "var acc : Int = 0\n each z in p { set acc = acc * 4 + z }\n return acc",
    "var acc : Int = 0\n each z in p + q ordered by 0 - z { set acc = acc * 4 + z }\n return acc",
    "var acc : Int = 0\n each z in p chosen as one { set acc = acc * 4 + z }\n return acc",
    "let r = all z in p where z > 1\n return size(r) * 10 + (nth(1, r) otherwise 9)",
    "return sum z in p where z > x of z * z",
    "return if most z in p by z is some m then m else 9",
    "return count z in p against v in q where z > v",
    "return count z in highest(2, p) against v in lowest(x, q) where z >= v",
    "return (count z in highest(2, p) against v in lowest(2, p) where z != v) * 10 + x",
    "return (count z in lowest(1, q) against v in [x, y] where z == v) * 10 + x",
    "let best = highest(2, p)\n let n = count z in best against v in highest(2, q) where z > v\n return n * 100 + total(best)",
    "let best = lowest(1, q)\n let n = count z in highest(2, p) against v in best where z < v\n return n * 100 + total(q)",
    "return (count p <= x) * 10 + (if any q == y then 1 else 0)",
    "reroll z in p where z == 1 or z > x\n return total(p) * 10 + y",
    "explode z in p where z > 2 at most 2\n return total(p) * 10 + (nth(1, p) otherwise 9)",
    "let old = p\n reroll z in p where z == 1\n return total(old) * 10 + (nth(1, p) otherwise 9)",
    "choose got in p + [2] prefer most got\n return got * 10 + x",
    "choose 1 .. 2 of got in p + q prefer when got > 1\n return total(got)",
    "draw got in p + [x]\n return got",
    "draw 2 of got in p + q\n return total(got)",
    "draw 2 of got in p + q + [1]\n return (count got > 1) * 10 + size((p + q) - got)",
    "draw got in p + q weight got + 2\n return got",
    "set s.kept = p + q\n return (nth(2, s.kept) otherwise 9) * 10 + size(s.kept)",
    "set s.kept = p\n set s.kept += x\n return total(s.kept)",
    "set s.kept = p + q\n set s.kept -= x\n set s.kept -= [y, 1]\n return total(s.kept) * 10 + (nth(1, s.kept) otherwise 9)",
    "return size(s) * 10 + size(all m in s.men where m != a) * 100 + x",
    "set t.men = all m in Man where x > 1\n return size(t.men) * 10 + size(s.men)",
    "let z = [d3, d4]\n roll r = z\n return total(r) * 10 + (nth(1, r) otherwise 9)",
    "let r = do back(p)\n return (nth(1, r) otherwise 9) * 10 + total(r)",
    "let r = if x > 1 then p else q\n return (nth(1, r) otherwise 9) * 10 + total(q)",
];

fn laboratory(bodies: &[(String, String)]) -> (Lab, Ruleset) {
    let mut text = format!("ruleset t/t\n{RULES}\nproc back(p: list of Int) -> list of Int {{ return p }}\n");
    for (n, (rolls, body)) in bodies.iter().enumerate() {
        writeln!(text, "proc f{n}({PARAMS}) -> Int {{ {rolls}\n {body} }}\n").unwrap();
    }
    let (loaded, sources) = Shelf::of(&[("t/t.rules", &text)]).load("t/t");
    let Some(rules) = loaded.ruleset else {
        let rendered = grognard_base::render_lines(&loaded.problems, &sources);
        panic!("{rendered}");
    };
    let field = |name: &str| FieldId::from(rules.fields.iter().position(|f| f.name == name).unwrap());
    let thing = |kind: u32, name: &str, at: Option<(i64, i64)>, links: Vec<(FieldId, i64, Vec<i64>)>| ThingSpec {
        at: at.map(|(x, y)| (x * 1000, y * 1000)),
        values: links,
        ..ThingSpec::new(KindId(kind), name)
    };
    let man = |name, at| ThingSpec {
        shape: Shape::Disc { radius: 500 },
        ..thing(1, name, Some(at), vec![(field("squad"), 0, vec![0])])
    };
    let things = vec![
        thing(0, "s", None, Vec::new()),
        thing(0, "t", None, vec![(field("boss"), 0, vec![0])]),
        man("a", (5, 10)),
        man("b", (20, 10)),
        ThingSpec { shape: Shape::Disc { radius: 2000 }, ..thing(2, "w", Some((12, 10)), Vec::new()) },
    ];
    let setup = Setup { things, size: Some((40_000, 30_000)), ..Setup::default() };
    let game = set_up(compile(&rules, Detail::Plain), setup).unwrap_or_else(|f| panic!("{}", f.message));
    (Lab { game }, rules)
}

/// Dice of few falls for each body.
fn with_rolls(bodies: impl Iterator<Item = String>, lots: &mut Lots) -> Vec<(String, String)> {
    let pool = |lots: &mut Lots| lots.of(&["2 of d3", "[d2, d3]", "1 of Fate", "1 of d4", "3 of d2"]).to_string();
    bodies
        .map(|body| {
            let (p, q, y) = (pool(lots), pool(lots), lots.of(&["d2", "d3"]));
            (format!("roll p = {p}\n roll q = {q}\n roll x = d3\n roll y = {y}"), body)
        })
        .collect()
}

fn agree(lab: &Lab, bodies: &[(String, String)]) {
    for (n, (rolls, body)) in bodies.iter().enumerate() {
        let name = format!("f{n}");
        let wanted = brute_with(lab, &name, ARGS, 20_000).unwrap_or_else(|| panic!("too many falls: {rolls} {body}"));
        let found = lab.graph(&name, ARGS, ExploreOptions::default()).results();
        assert_eq!(as_map(&found), wanted, "{rolls}\n{body}");
        assert_eq!(found.label, Label::Exact, "{body}");
        assert!(!wanted.keys().all(Result::is_err), "{body}: {wanted:?}");
    }
}

/// What a program is made of, operators that are compiled to code of their own included.
fn made_of(rules: &Ruleset, program: &Program) -> String {
    format!("{:?} {:?} {:?}", rules, program.code, program.board)
}

#[test]
fn every_operator() {
    let mut lots = Lots(0x5eed_0f0b);
    for _ in 0..3 {
        let bodies: Vec<String> = Op::ALL.iter().map(|op| body(*op, &mut lots)).collect();
        let bodies = with_rolls(bodies.into_iter(), &mut lots);
        let (lab, rules) = laboratory(&bodies);
        let used = made_of(&rules, &lab.game.program);
        for op in Op::ALL {
            let traces = [format!("Op({op:?}, "), format!("op: {op:?},"), format!("op: {op:?} ")];
            let own = *op == Op::Point || *op == Op::Running && used.contains("Running(PhaseId");
            assert!(own || traces.iter().any(|t| used.contains(t)), "no body uses {op:?}");
        }
        within_frames(&lab.game.program);
        agree(&lab, &bodies);
    }
}

/// No register past the frame of a function is ever live in it.
fn within_frames(program: &Program) {
    let mut flow = Flow::new(program);
    for n in 0..program.funcs.len() {
        let (func, info) = (FuncId::from(n), &program.funcs[n]);
        let wanted = vec![true; info.result as usize];
        for pc in flow.code_of(func) {
            let past: Vec<_> = flow.live(func, &wanted, pc).into_iter().filter(|(reg, _)| *reg >= info.frame).collect();
            assert_eq!(past, [], "{:?} of {}: {:?}", func, info.frame, program.code[pc as usize]);
        }
    }
}

#[test]
fn every_instruction_on_lists() {
    let mut lots = Lots(0x1157_0f0b);
    let mut seen = BTreeSet::new();
    for _ in 0..4 {
        let bodies = with_rolls(ON_LISTS.iter().map(|b| b.to_string()), &mut lots);
        let (lab, _) = laboratory(&bodies);
        seen.extend(on_lists(&lab.game.program.code).into_keys());
        agree(&lab, &bodies);
    }
    for path in ["warstrike/action-phase", "alternate/activation", "recoil/skirmish"] {
        let rules = load(path, &Shipped::default(), &mut Sources::default()).ruleset.unwrap();
        let program = compile(&rules, Detail::Plain);
        within_frames(&program);
        for (name, instr) in on_lists(&program.code) {
            assert!(seen.contains(&name), "no body comes by {instr:?}");
        }
    }
}

/// The instructions that read lists, by their names.
fn on_lists(code: &[Instr]) -> BTreeMap<String, Instr> {
    let reads = |i: &Instr| i.operands().iter().any(|o| matches!(o, Operand::Dice(..) | Operand::Length(_)));
    let name = |i: &Instr| format!("{i:?}").split(' ').next().unwrap().to_string();
    code.iter().filter(|i| reads(i)).map(|i| (name(i), *i)).collect()
}
