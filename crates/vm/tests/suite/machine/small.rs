//! Small rulesets, one thing each.

use super::bench::Bench;

#[test]
fn lists() {
    let mut b = Bench::of("let many = [3, 1, 2]");
    assert_eq!(b.value("many + [9]"), "[3, 1, 2, 9]");
    assert_eq!(b.value("highest(2, many)"), "[3, 2]");
    assert_eq!(b.value("lowest(2, many)"), "[1, 2]");
    assert_eq!(b.value("total(many)"), "6");
    assert_eq!(b.value("size(many)"), "3");
    assert_eq!(b.value("nth(2, many)"), "1");
    assert_eq!(b.value("nth(5, many)"), "none");
    assert_eq!(b.value("copies(3, 7)"), "[7, 7, 7]");
    assert_eq!(b.value("2 in many"), "yes");
    assert_eq!(b.value("4 not in many"), "yes");
    assert_eq!(b.value("many == [3, 1, 2]"), "yes");
    assert_eq!(b.value("count many >= 2"), "2");
    assert_eq!(b.value("any many > 2"), "yes");
    assert_eq!(b.value("no many > 3"), "yes");
    assert_eq!(b.value("every many > 0"), "yes");
    assert_eq!(b.value("all x in many where x > 1"), "[3, 2]");
    assert_eq!(b.value("sum x in many of x * x"), "14");
    assert_eq!(b.value("most x in many by x"), "3");
    assert_eq!(b.value("least x in many where x > 1 by x"), "2");
    assert_eq!(b.value("count a in [6, 5, 3] against b in [6, 4] where a > b"), "1");
    assert_eq!(b.value("every a in [6, 5] against b in [5, 4]: a > b"), "yes");
    assert_eq!(b.value("sum a in [6, 5, 3] against b in [6, 4] of a - b"), "1");
    assert_eq!(b.value("sum i in 1 .. 4 of i"), "10");
    assert_eq!(b.value("sum i in 1 .. 0 of i"), "0");
}

const ARMY: &str = "
enum Grade { Poor < Fair < Good }
chain Quality = d4 < d6 < d8 < d10 < d12
kind Side { link units : list of Unit }
kind Unit group of models {
  owner side
  link side : Side
  link models : list of Model
  link boss : Unit? tree
  stat cap : 0..9 = 3
  stat quality : Quality = d8
  stat pace(g: Grade) : Length = 6\"
  state hits : 0..cap = 0
  state known : Flag = no
  state grade : Grade = Poor
  state foes : list of Unit
  let present = all m in models where m.alive
}
kind Model on board { link unit : Unit; state worn : 0..3 = 0; owner unit }
";

pub fn army(more: &str) -> Bench {
    let mut b = Bench::of(&format!("{ARMY}\n{more}"));
    b.thing("Side", "red", None, &[]).thing("Side", "blue", None, &[]);
    b.thing("Unit", "a", None, &[("side", 0)]).thing("Unit", "b", None, &[("side", 0), ("cap", 5), ("boss", 0)]);
    b.thing("Unit", "c", None, &[("side", 1), ("boss", 1)]);
    b.thing("Model", "a1", Some((0, 0)), &[("unit", 0)]).thing("Model", "a2", Some((3, 4)), &[("unit", 0)]);
    b.thing("Model", "b1", Some((10, 0)), &[("unit", 1)]);
    b
}

#[test]
fn things_links_and_groups() {
    let mut b = army("");
    assert_eq!(b.value("red.units"), "[a, b]");
    assert_eq!(b.value("a.models"), "[a1, a2]");
    assert_eq!(b.value("size(a)"), "2");
    assert_eq!(b.value("a1.unit.side"), "red");
    assert_eq!(b.value("red.units.models"), "[a1, a2, b1]");
    assert_eq!(b.value("below(a)"), "[b, c]");
    assert_eq!(b.value("tiers(a, c)"), "2");
    assert_eq!(b.value("tiers(c, a)"), "2");
    assert_eq!(b.value("b.boss.cap otherwise 0"), "3");
    assert_eq!(b.value("a.boss is none"), "yes");
    assert_eq!(b.value("if b.boss is some x then x.cap else 0"), "3");
    assert_eq!(b.value("dist(a1, a2)"), "5\"");
    assert_eq!(b.value("dist(a, b)"), "8.062\"");
    assert_eq!(b.value("a within 8.07\" of b"), "yes");
    assert_eq!(b.value("nearest m in Model to a1 where m.unit != a"), "b1");
    assert_eq!(b.value("a1.at"), "[0, 0]");
    assert_eq!(b.value("bearing(a1, b1)"), "90°");
    assert_eq!(b.value("next(d10)"), "d12");
    assert_eq!(b.value("a.quality up 3"), "1 past d12");
    assert_eq!(b.value("closed(a.quality up 9)"), "d12");
    assert_eq!(b.value("faces(a.quality)"), "8");
    assert_eq!(b.value("a.pace(Good)"), "6\"");
}

#[test]
fn writes_saturate_and_last() {
    let mut b = army(
        "
        status Stunned(cause: Unit) on Unit
        phase Turn(unit: Unit) { set unit.hits = 2 until end of Turn; set unit.known = yes; grant Stunned(cause: unit) to unit until start of Turn for unit }
                trait Tough on Unit { modify cap += 2 }
        proc weaken(u: Unit) { grant Weak to u }
        status Weak on Unit { replace cap = 1 }
        ",
    );
    b.run("set a.hits += 7").expect("set");
    assert_eq!(b.value("a.hits"), "3");
    b.run("set a.hits -= 9").expect("set");
    assert_eq!(b.value("a.hits"), "0");
    b.run("run Turn(a)").expect("turn");
    assert_eq!(b.value("a.hits"), "0");
    assert_eq!(b.value("a.known"), "yes");
    assert_eq!(b.value("a has Stunned"), "yes");
    assert_eq!(b.value("a.Stunned.cause"), "[a]");
    b.run("run Turn(b)").expect("turn");
    assert_eq!(b.value("a has Stunned"), "yes");
    b.run("run Turn(a)").expect("turn");
    assert_eq!(b.value("size(a.Stunned)"), "1");
    b.run("set b.hits = 4").expect("set");
    b.run("do weaken(b)").expect("weak");
    assert_eq!(b.value("b.cap"), "1");
    assert_eq!(b.value("b.hits"), "1");
    b.run("revoke Weak from b").expect("revoke");
    assert_eq!(b.value("b.cap"), "5");
    b.run("set a.foes += c").expect("list");
    b.run("set a.foes += [b, c]").expect("list");
    assert_eq!(b.value("a.foes"), "[c, b, c]");
    b.run("set a.grade = next(next(a.grade))").expect("grade");
    assert_eq!(b.value("a.grade"), "Good");
}

#[test]
fn rolls_rerolls_and_explosions() {
    let mut b = army(
        "
        die Average of 2..5 = 2, 3, 3, 4, 4, 5
        enum Face { Skull, Shield, Blank }
        die Fate of Face = 2 Skull, Shield, 3 Blank
        state seen : 0..999 = 0
        state skulls : 0..9 = 0
        proc average(u: Unit) { roll pip = Average; set seen = pip }
        proc fate(u: Unit) { roll dice = 3 of Fate; set skulls = count d in dice where d == Skull }
        proc summed(u: Unit) { roll n = 3d6; set seen = n }
        proc again(u: Unit) { roll dice = 3 of d6; reroll x in dice where x == 1; set seen = total(dice) }
        proc whole(u: Unit) { roll dice = 2 of d6; reroll dice; set seen = total(dice) }
        proc once(u: Unit) { roll pip = d6; if pip < 3 { reroll pip }; set seen = pip }
        proc burst(u: Unit) { roll dice = 2 of d6; explode x in dice where x == 6; set seen = total(dice) * 10 + size(dice) }
        proc capped(u: Unit) { roll dice = 1 of d6; explode x in dice where x == 6 at most 2; set seen = size(dice) }
        proc unlike(u: Unit) { roll dice = [u.quality, d4, d12]; set seen = total(highest(2, dice)) }
        proc copied(u: Unit) { roll dice = copies(2, d6) + [d4]; set seen = size(dice) * 100 + total(dice) }
        ",
    );
    b.hand.faces = vec![6];
    b.run("do average(a)").expect("average");
    assert_eq!(b.value("seen"), "5");
    b.hand.faces = vec![1, 2, 3];
    b.run("do fate(a)").expect("fate");
    assert_eq!(b.value("skulls"), "2");
    b.hand.faces = vec![1, 2, 3];
    b.run("do summed(a)").expect("summed");
    assert_eq!(b.value("seen"), "6");
    b.hand.faces = vec![1, 2, 1, 5, 1];
    b.run("do again(a)").expect("again");
    assert_eq!(b.value("seen"), "8");
    b.hand.faces = vec![1, 2, 5, 6];
    b.run("do whole(a)").expect("whole");
    assert_eq!(b.value("seen"), "11");
    b.hand.faces = vec![2, 6];
    b.run("do once(a)").expect("once");
    assert_eq!(b.value("seen"), "6");
    b.hand.faces = vec![6, 3, 6, 2];
    b.run("do burst(a)").expect("burst");
    assert_eq!(b.value("seen"), "174");
    b.hand.faces = vec![6, 6, 6, 6];
    b.run("do capped(a)").expect("capped");
    assert_eq!(b.value("seen"), "3");
    b.hand.faces = vec![8, 4, 7];
    b.run("do unlike(a)").expect("unlike");
    assert_eq!(b.value("seen"), "15");
    b.hand.faces = vec![6, 5, 4];
    b.run("do copied(a)").expect("copied");
    assert_eq!(b.value("seen"), "315");
}

#[test]
fn tests_and_procs() {
    let mut b = army(
        "
        test Check(u: Unit, need: Int) {
          roll dice = 3 of d6
          let good = count dice >= need
          pass when good > 1
        }
        test Graded(u: Unit) -> Grade {
          roll pip = u.quality
          grade match pip { under 3 => Poor; 3 to 6 => Fair; at least 7 => Good }
        }
        proc tally_up(u: Unit) -> Int {
          var n = 0
          each m in u.models { set n += 1; if n > 1 { stop } }
          var k = 0
          repeat { set k += 2 } while k < 5
          return n * 10 + k
        }
        proc use(u: Unit) {
          let t = test Check(u, 4)
          if t.passed { set u.hits = t.good } else { set u.hits = 1 }
          let g = test Graded(u)
          set u.grade = g.grade
        }
        proc store(u: Unit) { let n = do tally_up(u); set u.hits = n - 24 }
        ",
    );
    b.hand.faces = vec![4, 5, 6, 7];
    b.run("do use(a)").expect("use");
    assert_eq!(b.value("a.hits"), "3");
    assert_eq!(b.value("a.grade"), "Good");
    b.hand.faces = vec![1, 1, 6, 3];
    b.run("do use(b)").expect("use");
    assert_eq!(b.value("b.hits"), "1");
    assert_eq!(b.value("b.grade"), "Fair");
    b.run("do store(a)").expect("store");
    assert_eq!(b.value("a.hits"), "2");
}

#[test]
fn draws() {
    let mut b = army(
        "
        state seen : 0..99 = 0
        proc one(u: Unit) { draw chit in Unit where chit.hits == 0; set chit.hits = 1 }
        proc maybe(u: Unit) { draw chit in Unit where chit.hits > 8 or none; if chit is some c { set c.hits = 2 } else { set seen = 7 } }
        proc two(u: Unit) { draw 0 .. 2 of lost in u.present; each m in lost { set m.worn = 1 } }
        proc weighty(u: Unit) { draw g in Grade weight (if g == Poor then 0 else 1); set u.grade = g }
        proc nobody(u: Unit) { draw chit in Unit where chit.hits > 8; set chit.hits = 0 }
        ",
    );
    b.run("do one(b)").expect("one");
    assert_eq!(b.value("a.hits"), "1");
    b.run("do maybe(b)").expect("maybe");
    assert_eq!(b.value("seen"), "7");
    b.run("do two(a)").expect("two");
    assert_eq!(b.value("count m in Model where m.worn == 1"), "2");
    b.run("do weighty(a)").expect("weighty");
    assert_eq!(b.value("a.grade"), "Fair");
    let fault = b.run("do nobody(a)").expect_err("nobody");
    assert_eq!(fault.code.id(), "R0901");
}

#[test]
fn decisions() {
    let mut b = army(
        "
        state seen : 0..99 = 0
        proc pick(s: Side) { choose unit in s.units where unit.hits < 2 prefer most unit.cap; set unit.hits += 1 }
        proc maybe(s: Side) { choose unit in s.units or none prefer none when yes; if unit is some u { set u.hits = 3 } else { set seen = 9 } }
        proc some_of(u: Unit) { choose 1 .. of gone in u.models prefer least gone.worn; each m in gone { set m.worn = 2 } }
        proc exactly(u: Unit) { choose 2 of gone in u.models; set seen = size(gone) }
        proc option(u: Unit) { choose course { left when u.hits > 0 => set seen = 1; right => set seen = 2; up prefer => set seen = 3 } }
        proc may_do(u: Unit) { may press prefer when u.hits > 2 { set seen = 5 } }
        proc amount(u: Unit) { choose n in 0 .. 4 prefer most n; set seen = n }
        proc in_turn(s: Side) { each u in s.units where u.hits == 0 chosen as next_one { set seen = seen * 10 + u.cap; set u.hits = 1 } }
        proc ordered(s: Side) { each u in s.units ordered by 0 - u.cap { set seen = seen * 10 + u.cap } }
        ",
    );
    b.run("do pick(red)").expect("pick");
    assert_eq!(b.value("b.hits"), "1");
    b.hand.picks = vec!["a".into()];
    b.run("do pick(red)").expect("pick");
    assert_eq!(b.value("a.hits"), "1");
    b.run("do maybe(red)").expect("maybe");
    assert_eq!(b.value("seen"), "9");
    b.hand.picks = vec!["a2".into()];
    b.run("do some_of(a)").expect("some");
    assert_eq!(b.value("a2.worn"), "2");
    b.run("do some_of(a)").expect("some");
    assert_eq!(b.value("a1.worn"), "2");
    b.run("do exactly(a)").expect("exactly");
    assert_eq!(b.value("seen"), "2");
    b.run("do option(a)").expect("option");
    assert_eq!(b.value("seen"), "3");
    b.hand.picks = vec!["left".into()];
    b.run("do option(a)").expect("option");
    assert_eq!(b.value("seen"), "1");
    b.run("do may_do(a)").expect("may");
    assert_eq!(b.value("seen"), "1");
    b.hand.picks = vec!["yes".into()];
    b.run("do may_do(a)").expect("may");
    assert_eq!(b.value("seen"), "5");
    b.run("do amount(a)").expect("amount");
    assert_eq!(b.value("seen"), "4");
    b.run("set a.hits = 0").expect("set");
    b.run("set b.hits = 0").expect("set");
    b.run("set seen = 0").expect("set");
    b.hand.picks = vec!["b".into()];
    b.run("do in_turn(red)").expect("in turn");
    assert_eq!(b.value("seen"), "53");
    b.run("set seen = 0").expect("set");
    b.run("do ordered(red)").expect("ordered");
    assert_eq!(b.value("seen"), "53");
}

#[test]
fn phases_actions_and_rules() {
    let mut b = army(
        "
        event Hit(unit: Unit, much: Int)
        state log : 0..9999999 = 0
        phase Turn(side: Side) shares moves: 0..4 = 2 { repeat choose action or stop while moves > 0 }
        action Strike in Turn by unit {
          choose unit in side.units
          needs unit.hits < 3 else \"it is spent\"
          cost 1 moves
          limit 2 per Turn
          emit Hit(unit, 1)
        }
        action Rest in Turn by unit { choose unit in side.units where unit.hits > 0; cost 2 moves; set unit.hits = 0 }
        rule First on Hit as h when h.unit.hits == 0 { set h.unit.hits += h.much; set log = log * 10 + 1 }
        rule Second on Hit as h when h.unit.hits == 0 { set log = log * 10 + 2 }
        rule Third after First on Hit as h { set log = log * 10 + 3 }
        rule Opening on start of Turn as t { set log = log * 10 + 7 }
        rule Closing on end of Turn as t { set log = log * 10 + 8; set t.moves = 4 }
        rule Before on start of Strike as s when s.unit.hits == 2 { cancel action }
        trait Bold on Unit { rule Boast on Hit as h when h.unit == self { set self.known = yes } }
        condition Tired on Unit when hits > 1 { forbid Rest }
        law Sane = every u in Unit: u.hits <= 4
        ",
    );
    b.thing("Unit", "d", None, &[("side", 0), ("Bold", 1)]);
    b.hand.picks = vec!["Strike(unit: a)".into(), "Strike(unit: a)".into()];
    b.run("run Turn(red)").expect("turn");
    assert_eq!(b.value("a.hits"), "1");
    // `after First` puts Third right behind it
    assert_eq!(b.value("log"), "713238");
    b.run("set log = 0").expect("set");
    b.hand.picks = vec!["Strike(unit: d)".into(), "stop".into()];
    b.run("run Turn(red)").expect("turn");
    assert_eq!(b.value("d.known"), "yes");
    assert_eq!(b.value("a.known"), "no");
    b.run("set a.hits = 2").expect("set");
    b.hand.picks = vec!["Strike(unit: a)".into(), "stop".into()];
    b.run("run Turn(red)").expect("turn");
    assert_eq!(b.value("a.hits"), "2");
    assert!(!b.hand.asked[0].contains("Rest(unit: a)"), "{:?}", b.hand.asked);
    assert!(b.hand.asked[0].contains("Rest(unit: d)"), "{:?}", b.hand.asked);
    let fault = b.run("set b.hits = 5").expect_err("the law");
    assert_eq!(fault.code.id(), "R0904");
}

#[test]
fn a_tree_has_no_circles() {
    let mut b = army("proc above(u: Unit, v: Unit) { set u.boss = v }");
    b.run("do above(b, b)").expect_err("itself");
    // c stands below b, and b below a
    for (set, way) in [("above(a, c)", "a -> c -> b -> a"), ("above(b, c)", "b -> c -> b"), ("above(c, c)", "c -> c")] {
        let mut b = army("proc above(u: Unit, v: Unit) { set u.boss = v }");
        let fault = b.run(&format!("do {set}")).expect_err(set);
        assert_eq!((fault.code.id(), fault.message), ("R0915", format!("`boss` leads back to its start: {way}")));
    }
    // when its time is over b goes back below a, which was put below b meanwhile
    let mut b = army(
        "phase Free(u: Unit, over: Unit) {
           set u.boss = none until end of Free
           set over.boss = u
         }",
    );
    let fault = b.run("run Free(b, a)").expect_err("b is below a again");
    assert_eq!(fault.message, "`boss` leads back to its start: a -> b -> a");
}

#[test]
fn spawning_merging_and_dying() {
    let mut b = army(
        "
        proc split(u: Unit, m: Model) { spawn party: Unit { side = u.side; models = [m]; cap = 2 }; set party.hits = 1 }
        proc join(x: Unit, y: Unit) { merge x into y }
        proc kill(m: Model) { destroy m \"shot\" }
        proc put(m: Model, n: Model) { place m at n; turn m by 90° }
        ",
    );
    b.run("do split(a, a2)").expect("split");
    assert_eq!(b.value("red.units"), "[a, b, Unit#4]");
    assert_eq!(b.value("a.models"), "[a1]");
    assert_eq!(b.value("count u in Unit where u.hits == 1"), "1");
    b.run("do join(b, a)").expect("join");
    assert_eq!(b.value("a.models"), "[a1, b1]");
    assert_eq!(b.value("b.alive"), "no");
    assert_eq!(b.value("c.boss"), "a");
    b.run("do put(a1, b1)").expect("put");
    assert_eq!(b.value("a1.at"), "[10, 0]");
    assert_eq!(b.value("a1.facing"), "90°");
    b.run("do kill(a1)").expect("kill");
    assert_eq!(b.value("a.present"), "[b1]");
    // a destroyed model keeps its last place
    assert_eq!(b.value("dist(a1, b1) == 0\""), "yes");
    assert_eq!(b.value("any m in Model where m == a1"), "no");
}

/// The bound of a figure that `spawn` gives may read another figure that has only its default.
#[test]
fn what_is_spawned_is_cut_to_bounds_of_its_defaults() {
    let mut b = army("proc raise(s: Side, n: Int) -> Int { spawn x : Unit { side = s; hits = n }; return x.hits }");
    b.run("do raise(red, 2)").expect("raise");
    assert_eq!(b.value("count u in Unit where u.hits == 2"), "1");
    b.run("do raise(red, 7)").expect("raise");
    assert_eq!(b.value("count u in Unit where u.hits == u.cap"), "1");
}

/// A guard is judged on the moment of the event, and the body has the thing that the guard has bound.
#[test]
fn names_of_a_guard_keep_the_moment_of_the_event() {
    let mut b = army(
        "
        state seen : 0..9 = 0
        event Met(u: Unit)
        rule Part on Met as e { set e.u.boss = none }
        rule Note on Met as e when e.u.boss is some x { set seen += 1; set x.hits += 2 }
        trait Watcher on Unit { rule Saw on Met as e when e.u == self and boss is some y { set y.hits += 1 } }
        proc meet(u: Unit) { emit Met(u) }
        ",
    );
    b.run("do meet(c)").expect("meet");
    assert_eq!(b.value("seen"), "1");
    assert_eq!(b.value("c.boss"), "none");
    assert_eq!(b.value("b.hits"), "2");
}

/// A destroyed thing keeps its statuses: they are not taken away any more.
#[test]
fn statuses_of_a_destroyed_thing_are_not_revoked() {
    for effect in ["revoke Weak from x", "revoke all Stunned from x", "revoke Stunned(cause: x) from x"] {
        let rules = "
            status Weak on Unit { replace cap = 1 }
            status Stunned(cause: Unit) on Unit
            proc mark(x: Unit) { grant Weak() to x; grant Stunned(cause: x) to x }
            proc kill(x: Unit) { destroy x \"shot\" }
            proc lose(x: Unit) { EFFECT }
        ";
        let mut b = army(&rules.replace("EFFECT", effect));
        b.run("do mark(a)").expect("mark");
        b.run("do kill(a)").expect("kill");
        assert_eq!(b.run("do lose(a)").expect_err(effect).code.id(), "R0916");
    }
}

#[test]
fn tables_and_bands() {
    let mut b = army(
        "
        enum Loss { AE, AR, Ex, DR, DE }
        enum Odds { OneTwo, Even, TwoOne }
        table crt(pips: 1..6, odds: Odds): Loss \"Combat results\" {
          |            | OneTwo | Even | TwoOne |
          | 1 to 2     | AE     | AR   | Ex     |
          | 3, 4, 5    | AR     | Ex   | DR     |
          | at least 6 | Ex     | DR   | DE     |
        }
        table cost(g: Grade): Int? { | Poor | 1 |
          | Good | - | }
        let band(n: Int): Int = match n { under 0 => 0; 0 to 4 => 1; over 4 => 2 }
        let share(r: Ratio): Int = match r { over 50% => 3; 50% => 2; under 50% => 1 }
        let pair(x: Flag, g: Grade): Int = match (x, g) { (yes, _) => 1; (no, Poor | Fair) => 2; (no, Good) => 3 }
        let past(n: Int): Int = match d8 up n { past top k => 100 + k; past bottom k => 0 - k; some die => faces(die) }
        ",
    );
    assert_eq!(b.value("crt(2, Even)"), "AR");
    assert_eq!(b.value("crt(6, TwoOne)"), "DE");
    assert_eq!(b.value("crt(4, OneTwo)"), "AR");
    assert_eq!(b.value("cost(Poor) otherwise 9"), "1");
    assert_eq!(b.value("cost(Good) otherwise 9"), "9");
    assert_eq!(b.value("cost(Fair) otherwise 9"), "9");
    assert_eq!(b.value("band(-3) * 100 + band(4) * 10 + band(5)"), "12");
    assert_eq!(b.value("share(3/6)"), "2");
    assert_eq!(b.value("share(4/6)"), "3");
    assert_eq!(b.value("pair(no, Fair)"), "2");
    assert_eq!(b.value("past(4)"), "102");
    assert_eq!(b.value("past(1)"), "10");
}

#[test]
fn limits() {
    let mut b = army(
        "
        proc endless { repeat { set a_state = 1 } }
        state a_state : 0..9 = 0
        proc deep(n: Int) { do deep(n + 1) }
        proc many(n: Int) { roll dice = n of d6; set a_state = 1 }
        proc sided(n: Int) { roll pip = die(n); set a_state = 1 }
        proc big(n: Int) { set a_state = n * n * n * n }
        "
        .replace("proc endless {", "proc endless() {")
        .as_str(),
    );
    assert_eq!(b.run("do endless()").expect_err("fuel").code.id(), "R0911");
    assert_eq!(b.run("do deep(1)").expect_err("depth").code.id(), "R0912");
    assert_eq!(b.run("do many(10001)").expect_err("dice").code.id(), "R0913");
    assert!(b.run("do many(10000)").is_ok());
    assert_eq!(b.run("do sided(0)").expect_err("sides").code.id(), "R0905");
    assert_eq!(b.run("do big(100000)").expect_err("overflow").code.id(), "R0907");
}

#[test]
fn moves() {
    let mut b = army(
        "
        state got : Length = 0\"
        proc march(m: Model, goal: Model) { let leg = move m { at most 6\"; toward goal }; set got = leg.covered }
        proc flee(m: Model, from: Model) { move m { at least 12\"; at most 12\"; away from [from] } else destroy m \"lost\" }
        proc group(u: Unit, goal: Model) { move u { exactly 2\"; toward goal } }
        ",
    );
    b.run("do march(a1, b1)").expect("march");
    assert_eq!(b.value("a1.at"), "[6, 0]");
    assert_eq!(b.value("got"), "6\"");
    b.run("do flee(b1, a1)").expect("flee");
    assert_eq!(b.value("b1.at"), "[22, 0]");
}
