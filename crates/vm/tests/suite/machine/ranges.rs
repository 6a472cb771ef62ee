//! Numbers, and the ranges that are written for them.

use super::bench::Bench;
use super::small::army;

#[test]
fn numbers_and_fractions() {
    let mut b = Bench::of("let half(n: Int) = n / 2 rounded down");
    assert_eq!(b.value("half(7)"), "3");
    assert_eq!(b.value("7 / 2"), "7/2");
    assert_eq!(b.value("7 / 2 rounded up"), "4");
    assert_eq!(b.value("2 + 3 * 4"), "14");
    assert_eq!(b.value("2\" * 3"), "6\"");
    assert_eq!(b.value("5\" / 2"), "2.5\"");
    assert_eq!(b.value("7\" / 2\""), "7/2");
    assert_eq!(b.value("350° + 20°"), "10°");
    assert_eq!(b.value("min(3, 1, 2) + max(4, 9)"), "10");
    assert_eq!(b.value("1/2 + 1/3"), "5/6");
    assert_eq!(b.value("1/2 < 2/3 and not 1 > 2"), "yes");
    assert_eq!(b.value("if half(9) == 4 then 10 else 20"), "10");
    assert_eq!(b.value("1 / half(1) > 1"), "fault R0906: division by zero");
}

#[test]
fn written_ranges_hold() {
    let mut b = Bench::of(
        "table need(skill: 2..6): 2..6 {\n | 2 | 6 |\n | 3, 4 | 4 |\n | 5, 6 | 3 |\n}
         table few(n: 1..3): Int? {\n | 1 | 7 |\n}
         table two(n: 1..2, m: 1..2): Int {\n | | 1 | 2 |\n | 1 | n | m |\n | 2 | 0 | n + m |\n}
         record Shot(k: 1..3)
         let number(n: Int) = n
         let fit(n: Int): 1..3 = n + 1
         let one(k: 1..3) = k
         let maybe(k: 1..3?) = k otherwise 9
         let shot(n: Int) = Shot(n).k
         let left(n: Int): Int? = if n > 0 then n else none",
    );
    assert_eq!(b.value("need(number(4))"), "4");
    assert_eq!(b.value("need(number(1))"), "fault R0905: 1 is not within 2..6, the range of `skill` of `need`");
    assert_eq!(b.value("need(number(-7))"), "fault R0905: -7 is not within 2..6, the range of `skill` of `need`");
    assert_eq!(b.value("few(number(1))"), "7");
    assert_eq!(b.value("few(number(2))"), "none");
    assert_eq!(b.value("few(number(4))"), "fault R0905: 4 is not within 1..3, the range of `n` of `few`");
    assert_eq!(b.value("two(number(2), number(2))"), "4");
    assert_eq!(b.value("two(number(2), number(3))"), "fault R0905: 3 is not within 1..2, the range of `m` of `two`");
    assert_eq!(b.value("fit(2)"), "3");
    assert_eq!(b.value("fit(3)"), "fault R0905: 4 is not within 1..3, the range of the result of `fit`");
    assert_eq!(b.value("one(number(0))"), "fault R0905: 0 is not within 1..3, the range of `k` of `one`");
    assert_eq!(b.value("maybe(left(2))"), "2");
    assert_eq!(b.value("maybe(left(0))"), "9");
    assert_eq!(b.value("maybe(left(4))"), "fault R0905: 4 is not within 1..3, the range of `k` of `maybe`");
    assert_eq!(b.value("shot(3)"), "3");
    assert_eq!(b.value("shot(4)"), "fault R0905: 4 is not within 1..3, the range of `k` of `Shot`");
}

#[test]
fn written_ranges_of_variables_hold() {
    let mut b = Bench::of(
        "state seen : Int = 0
         proc first(n: Int) { let x: 1..3 = n\n set seen = x }
         proc later(n: Int) { var x: 0..6 = 2\n set x += n\n set seen = x }
         proc again(n: Int) { var x: 0..6 = n\n set x = n + 1\n set seen = x }",
    );
    let fault = |b: &mut Bench, text: &str| b.run(text).unwrap_err().message;
    assert_eq!(fault(&mut b, "do first(4)"), "4 is not within 1..3, the range of `x`");
    assert_eq!(fault(&mut b, "do again(7)"), "7 is not within 0..6, the range of `x`");
    for (text, seen) in [("first(3)", 3), ("later(2)", 4), ("later(9)", 6), ("later(-9)", 0), ("again(6)", 6)] {
        b.run(&format!("do {text}")).unwrap();
        assert_eq!(b.value("seen"), seen.to_string(), "{text}");
    }
}

#[test]
fn what_is_kept_has_32_bits() {
    let mut b = Bench::of(
        "state seen : Int = 0
         state row : 0.. = 0
         event Told(n: Int)
         rule Tells on Told as t { set seen = t.n }
         record Pair(a: Int, b: Int)
         let wide(n: Int) = n * n
         let back(n: Int) = n * n / 1000000 rounded down
         let sum(n: Int) = total(copies(3, n))
         let in_list(n: Int) = size([n * n, 1])
         let in_pair(n: Int) = Pair(n * n, 1).b
         let narrow(n: Int): 0..100 = min(n, 100) * 2 - n * n
         proc plain(n: Int) { let x = n * n\n set seen = x / 2 rounded down }
         proc two(n: Int) { let (x, y) = (n * n, 1)\n set seen = y + 0 * x }
         proc var_made(n: Int) { var x = n * n\n set seen = 0 * x }
         proc var_set(n: Int) { var x = 0\n set x = n * n\n set seen = 0 * x }
         proc var_added(n: Int) { var x = n\n set x += n\n set seen = 0 * x }
         proc var_one(n: Int) { var x = n\n set x += 1\n set seen = 0 * x }
         proc var_less(n: Int) { var x: ..9 = 0\n set x -= n\n set seen = 0 * x }
         proc slot(n: Int) { set seen = n * n }
         proc slot_added(n: Int) { set seen = n\n set seen += n }
         proc slot_open(n: Int) { set row = n * n }
         proc slot_cut(n: Int) { set row = 0 - n * n }
         proc tell(n: Int) { emit Told(n * n) }
         proc give(n: Int) -> Int { return n * n }
         proc given(n: Int) { let x = do give(n)\n set seen = x }
         proc copied(n: Int) { let x = copies(2, n * n)\n set seen = size(x) }
         proc ordered(n: Int) { each i in [1, 2] ordered by n * n * i { set seen = i } }
         proc drawn(n: Int) { draw d in [1, 2] weight n * n\n set seen = d }
         proc grown(n: Int) { var x = [1]\n set x += n * n\n set seen = size(x) }
         proc from(n: Int) { each i in n * n .. n * n { set seen = i } }"
            .replace("..9", "-999999999..")
            .as_str(),
    );
    let big = 100_000;
    let fault = |b: &mut Bench, text: &str| match b.run(&format!("do {text}({big})")) {
        Err(fault) => format!("{} {}", fault.code.id(), fault.message),
        Ok(_) => format!("runs to {}", b.value("seen")),
    };
    let too_large = |name: &str| format!("R0907 10000000000 is too large for {name}");
    assert_eq!(fault(&mut b, "plain"), too_large("`x`"));
    assert_eq!(fault(&mut b, "two"), too_large("a part of a value"));
    assert_eq!(fault(&mut b, "var_made"), too_large("`x`"));
    assert_eq!(fault(&mut b, "var_set"), too_large("`x`"));
    assert_eq!(fault(&mut b, "slot"), too_large("`seen`"));
    assert_eq!(fault(&mut b, "slot_open"), too_large("`row`"));
    assert_eq!(fault(&mut b, "slot_cut"), "runs to 0");
    assert_eq!(fault(&mut b, "tell"), too_large("`n` of `Told`"));
    assert_eq!(fault(&mut b, "given"), too_large("the result of `give`"));
    for name in ["copied", "ordered", "drawn", "grown"] {
        assert_eq!(fault(&mut b, name), too_large("an entry of a list"), "{name}");
    }
    assert_eq!(fault(&mut b, "from"), too_large("the first of a range"));
    for (text, rendered) in [
        ("do var_added(2 * 999999999)", "3999999996 is too large for `x`"),
        ("do var_one(2 * 999999999 + 147483649)", "2147483648 is too large for `x`"),
        ("do slot_added(2 * 999999999)", "3999999996 is too large for `seen`"),
    ] {
        assert_eq!(b.run(text).expect_err(text).message, rendered);
    }
    b.run("do var_less(2 * 750000000)").expect("cut at its written end");
    assert_eq!(b.value("wide(100000)"), "fault R0907: 10000000000 is too large for the result of `wide`");
    assert_eq!(b.value("wide(46340)"), "2147395600");
    assert_eq!(b.value("back(100000)"), "10000");
    assert_eq!(b.value("sum(2 * 999999999)"), "fault R0907: 5999999994 is too large for the result of `sum`");
    assert_eq!(b.value("in_list(100000)"), "fault R0907: 10000000000 is too large for an entry of a list");
    assert_eq!(b.value("in_pair(100000)"), "fault R0907: 10000000000 is too large for `a` of `Pair`");
    // what is worked out on the way may be greater, and its range is known
    assert_eq!(b.value("narrow(0)"), "0");
    assert_eq!(
        b.value("narrow(100000)"),
        "fault R0905: -9999999800 is not within 0..100, the range of the result of `narrow`"
    );
}

#[test]
fn what_special_rules_make_of_a_figure_is_checked() {
    let mut b = army(
        "
        let Unit.grit : 0..5 = hits
        let Unit.grown = hits
        stat Unit.unused : 0..1 = 0
        trait Bold on Unit { modify grit += 3 }
        trait Fixed on Unit { replace grit = 9 }
        trait Big on Unit { modify grown += 999999999; modify grown += 999999999; modify grown += 999999999 }
        "
        .replace("stat Unit.unused : 0..1 = 0", "")
        .as_str(),
    );
    b.thing("Unit", "d", None, &[("side", 0), ("Bold", 1)]);
    b.thing("Unit", "e", None, &[("side", 0), ("Fixed", 1)]);
    b.thing("Unit", "f", None, &[("side", 0), ("Big", 1)]);
    assert_eq!(b.value("d.grit"), "3");
    b.run("set d.hits = 3").expect("set");
    assert_eq!(b.value("d.grit"), "fault R0905: 6 is not within 0..5, the range of `Unit.grit`");
    assert_eq!(b.value("e.grit"), "fault R0905: 9 is not within 0..5, the range of `Unit.grit`");
    assert_eq!(b.value("f.grown"), "fault R0907: 2999999997 is too large for `Unit.grown`");
}

#[test]
fn how_many_is_none_at_least() {
    let mut b = Bench::of(
        "state seen : Int = 0
         let number(n: Int) = n
         proc thrown(k: Int) { roll aim = k of d6\n set seen = size(aim) }
         proc again(k: Int) { roll aim = 2 of d6\n reroll x in aim where x > 0 at most k\n set seen = 1 }
         proc drawn(k: Int) { draw 0 .. k of card in [1, 2, 3]\n set seen = size(card) }
         proc chosen(k: Int) { choose k of lost in [1, 2, 3]\n set seen = size(lost) }
         proc least(k: Int) { choose k .. 2 of lost in [1, 2, 3]\n set seen = 1 }
         proc most(k: Int) { choose 0 .. k of lost in [1, 2, 3]\n set seen = 1 }",
    );
    for (proc, rendered) in [
        ("thrown", "the dice count of `aim` is -2, but cannot be negative"),
        ("again", "-2 is not within 0.., the range of the rounds of `aim`"),
        ("drawn", "the count of `card` is -2, but cannot be negative"),
        ("chosen", "the count of `lost` is -2, but cannot be negative"),
        ("least", "the count of `lost` is -2, but cannot be negative"),
        ("most", "the count of `lost` is -2, but cannot be negative"),
    ] {
        let fault = b.run(&format!("do {proc}(0 - 2)")).expect_err(proc);
        assert_eq!((fault.code.id(), fault.message.as_str()), ("R0905", rendered), "{proc}");
        b.run(&format!("do {proc}(0)")).expect(proc);
    }
    for call in ["copies(number(-2), 1)", "highest(number(-2), [1, 2])", "lowest(number(-2), [1, 2])"] {
        let name = &call[..call.find('(').unwrap_or(0)];
        assert_eq!(
            b.value(&format!("size({call})")),
            format!("fault R0905: the count of `{name}` is -2, but cannot be negative")
        );
        assert_eq!(b.value(&format!("size({})", call.replace("-2", "0"))), "0");
    }
}

#[test]
fn procs_and_events_check_what_they_are_given() {
    let mut b = Bench::of(
        "state seen : Int = 0
         event Hit(k: 1..3)
         rule Noted on Hit as h { set seen += h.k }
         proc take(k: 1..6) { set seen = k }
         proc tell(n: Int) { emit Hit(n) }
         proc give(n: Int) -> 1..3 { return n }
         proc pass_on(n: Int) { do take(n) ; let x = do give(n) ; set seen = x }",
    );
    let fault = |b: &mut Bench, text: &str| b.run(text).unwrap_err().message;
    assert_eq!(fault(&mut b, "do pass_on(7)"), "7 is not within 1..6, the range of `k` of `take`");
    assert_eq!(fault(&mut b, "do pass_on(4)"), "4 is not within 1..3, the range of the result of `give`");
    assert_eq!(fault(&mut b, "do tell(4)"), "4 is not within 1..3, the range of `k` of `Hit`");
    b.run("do tell(3)").unwrap();
    b.run("do pass_on(2)").unwrap();
    assert_eq!(b.value("seen"), "2");
}
