//! Small rules at random, thousands of them: the odds are the same fractions as by every fall of the dice.

use super::brute::brute;
use grognard_base::value::Fraction;
use grognard_kit::Lab;
use grognard_kit::Lots;
use grognard_odds::*;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A pool that is not too large to be turned die by die.
fn pool(lots: &mut Lots, most: i64) -> String {
    let n = lots.range(1, most);
    match lots.below(9) {
        0 => format!("{n} of {}", lots.of(&["Average", "Fate"])),
        1 => "[d4, d6, d4]".to_string(),
        2 => "[d6, d6, d8]".to_string(),
        3 => format!("{n} of d4"),
        4 => format!("{n} of d8"),
        _ => format!("{n} of d6"),
    }
}

fn look(lots: &mut Lots, of: &str) -> String {
    let op = lots.of(&["<=", "<", ">=", ">", "==", "!="]);
    let k = lots.range(0, 7);
    match lots.below(4) {
        0 => format!("(if any {of} {op} {k} then 1 else 0)"),
        1 => format!("(if no {of} {op} {k} then 1 else 0)"),
        2 => format!("(if every {of} {op} {k} then 1 else 0)"),
        _ => format!("(count {of} {op} {k})"),
    }
}

/// A number from a pool, whatever its order.
fn number(lots: &mut Lots, of: &str) -> String {
    let k = lots.range(1, 3);
    match lots.below(8) {
        0 => format!("total({of})"),
        1 => format!("total(highest({k}, {of}))"),
        2 => format!("total(lowest({k}, {of}))"),
        3 => format!("(sum x in {of} where x > {k} of x * x)"),
        4 => format!("(count x in {of} where x > {k} and x < 6)"),
        5 => format!("(if {k} in {of} then 1 else 0)"),
        _ => look(lots, of),
    }
}

pub fn body(lots: &mut Lots) -> String {
    let mut text = String::new();
    let (k, m) = (lots.range(1, 4), lots.range(1, 3));
    match lots.below(17) {
        0 => {
            let pool = pool(lots, 4);
            let (a, b) = (look(lots, "p"), look(lots, "p"));
            write!(text, "roll p = {pool}\n let a = {a}\n let b = {b}\n return a * 10 + b")
        }
        1 => {
            let (pool, a, b) = (pool(lots, 4), number(lots, "p"), number(lots, "p"));
            write!(text, "roll p = {pool}\n let a = {a}\n let b = {b}\n return a * 100 + b")
        }
        2 => {
            let (pool, a) = (pool(lots, 4), number(lots, "p"));
            write!(text, "roll p = {pool}\n return {a}")
        }
        3 => {
            let (pool, a) = (pool(lots, 3), number(lots, "p"));
            write!(text, "roll p = {pool}\n let f = nth({m}, p) otherwise 9\n return f * 100 + {a}")
        }
        4 => {
            let (pool, a) = (pool(lots, 3), number(lots, "p"));
            write!(text, "roll p = {pool}\n reroll x in p where x <= {k}\n return {a}")
        }
        5 => {
            let (a, b) = (number(lots, "p"), look(lots, "p"));
            write!(
                text,
                "roll p = 2 of d6\n let a = {b}\n reroll x in p where x <= {k} at most 2\n return a * 100 + {a}"
            )
        }
        6 => {
            let a = number(lots, "p");
            write!(text, "roll p = 2 of d4\n explode x in p where x > 3 at most {m}\n return {a}")
        }
        7 => write!(
            text,
            "roll a = {} of d6\n roll b = {m} of d6\n return count x in highest(2, a) against y in highest(2, b) where x > y",
            lots.range(1, 3)
        ),
        8 => write!(text, "roll a = 2 of d6\n roll b = 2 of d4\n return count x in a against y in b where x >= y"),
        9 => {
            let a = number(lots, "s");
            write!(text, "roll h = {} of d6\n let n = count h > {k}\n roll s = n of d6\n return n * 100 + {a}", lots.range(1, 3))
        }
        10 => write!(
            text,
            "draw x in 1 .. {} weight {}\n roll p = x of d4\n return x * 10 + (count p > 2)",
            m + 1,
            lots.of(&["x", "7 - x", "x * x", "x + 2"])
        ),
        11 => write!(
            text,
            "roll p = {} of d6\n var acc : Int = 0\n each x in p {{ if x > {k} {{ let y = acc * 2 + x\n set acc = y }} }}\n return acc",
            lots.range(1, 4)
        ),
        12 => {
            let a = number(lots, "p");
            write!(text, "roll p = 3 of d6\n let q = p\n let low = do least(q)\n return low * 100 + {a}")
        }
        13 => {
            let a = number(lots, "c.p");
            write!(text, "let c = test Check({k})\n return (if c.passed then 1 else 0) * 100 + {a}")
        }
        14 => write!(
            text,
            "roll x = d6\n roll y = 2d6\n reroll x\n if y > {} {{ reroll y }}\n return x * 100 + y",
            lots.range(3, 9)
        ),
        15 => {
            let (pool, key, then) = (pool(lots, 3), lots.of(&["x", "0 - x", "max(x, 3)"]), number(lots, "p"));
            write!(
                text,
                "roll p = {pool}\n var acc : Int = 0\n each x in p ordered by {key} {{ set acc = acc * 3 + x }}\n \
                 return (acc * 10 + (nth({m}, p) otherwise 9)) * 100 + {then}"
            )
        }
        _ => {
            let (a, b) = (number(lots, "p"), number(lots, "q"));
            write!(
                text,
                "roll p = 2 of d6\n roll q = 2 of d6\n let s = {a}\n if s > {} {{ return s }}\n return s + {b} * 100",
                lots.range(1, 8)
            )
        }
    }
    .unwrap();
    text
}

/// Pools that are thrown again and explode, and of which order is asked.
pub fn thrown_again(lots: &mut Lots) -> String {
    let (n, sides, k) = (lots.range(1, 3), lots.of(&["d3", "d4"]), lots.range(1, 3));
    let unlike = ["[d2, d3]", "[d3, d2]", "[d3, d1, d2]"];
    let pool = if lots.below(4) == 0 { lots.of(&unlike).to_string() } else { format!("{n} of {sides}") };
    let mut text = format!("roll p = {pool}\n ");
    if lots.below(3) == 0 {
        write!(text, "let old = {}\n ", lots.of(&["p", "total(p)", "count p == 1"])).unwrap();
    } else {
        text += "let old = 0\n ";
    }
    for _ in 0..lots.range(1, 2) {
        let op = lots.of(&["<=", "==", ">", "!=", "<"]);
        let filter = match lots.below(8) {
            0 => format!("x {op} {k} and x < 3"),
            1 => format!("x {op} {k} or x == 2"),
            3 => format!("x in [1, {k}]"),
            4 => format!("not (x in [{k}, 3] or x == 1)"),
            5 => format!("x == 1 or (x {op} {k} and not x == 3)"),
            6 => format!("x == 3 or (size(p) > 1 and x {op} {k})"),
            2 => format!("not x {op} {k}"),
            _ => format!("x {op} {k}"),
        };
        match lots.below(3) {
            0 => {
                let often = lots.of(&["x == 1", "x == 2", "x > 2", "x != 1", "x == 3 or x == 1", "x > 1 and x < 3"]);
                write!(text, "explode x in p where {often} at most {}\n ", lots.range(1, 2))
            }
            1 => write!(text, "reroll x in p where {filter} at most 2\n "),
            _ => write!(text, "reroll x in p where {filter}\n "),
        }
        .unwrap();
    }
    let of_old =
        if text.contains("let old = p") { lots.of(&["total(old)", "(nth(1, old) otherwise 9)"]) } else { "old" };
    let (at, a) = (lots.range(1, 4), number(lots, "p"));
    let asked = match lots.below(4) {
        0 => a,
        1 => format!("(nth({at}, p) otherwise 9) * 100 + {a}"),
        2 => format!("{a} * 100 + (nth({at}, p) otherwise 9)"),
        _ => format!("(nth({at}, p) otherwise 9)"),
    };
    write!(text, "return ({asked}) * 20 + {of_old}").unwrap();
    text
}

/// Pools that become one, fresh or looked at before, kept or not.
pub fn joined(lots: &mut Lots) -> String {
    let (n, m, sides) = (lots.range(1, 2), lots.range(1, 2), lots.of(&["d3", "d4"]));
    let other = lots.of(&["d3", "d4", "d4"]);
    let mut text = format!("roll p = {n} of {sides}\n roll q = {m} of {other}\n ");
    for of in ["p", "q"] {
        match lots.below(4) {
            0 => write!(text, "reroll x in {of} where x == 1\n "),
            1 => write!(text, "explode x in {of} where x > 2 at most 1\n "),
            _ => Ok(()),
        }
        .unwrap();
    }
    let (old, kept) = match lots.below(3) {
        0 => (look(lots, "p"), "0".to_string()),
        1 => ("0".to_string(), number(lots, "q")),
        _ => ("0".to_string(), "0".to_string()),
    };
    let sum = lots.of(&["p + q", "q + p", "p + q + [2]", "p + p"]);
    write!(text, "let old = {old}\n let r = {sum}\n ").unwrap();
    if lots.below(4) == 0 {
        text += "reroll x in p where x == 2\n ";
    }
    let (a, at) = (number(lots, "r"), lots.range(1, 4));
    let asked = if lots.below(2) == 0 { a } else { format!("({a} * 10 + (nth({at}, r) otherwise 9))") };
    write!(text, "return ({asked} * 60 + old) * 60 + {kept}").unwrap();
    text
}

/// Lists made of pools, of which the order is read, or not, or by some only.
pub fn listed(lots: &mut Lots) -> String {
    let (n, sides, k) = (lots.range(1, 3), lots.of(&["d3", "d4"]), lots.range(1, 3));
    let mut text = format!("roll p = {n} of {sides}\n roll r = 1 of d3\n var q : list of Int = p\n ");
    for step in 0..lots.range(1, 3) {
        text += &match lots.below(8) {
            0 => "set q = q + r\n ".to_string(),
            1 => "set q = r + q + [2]\n ".to_string(),
            2 => "set q = all x in q where x > 1\n ".to_string(),
            3 => "set q = all x in q where x in r or x > 2\n ".to_string(),
            4 => format!("draw 0 .. 2 of got{step} in q\n set q = got{step}\n "),
            5 => format!("choose 1 .. 2 of got{step} in q + [1]\n set q = got{step}\n "),
            6 => format!("let low{step} = do least(q)\n set q = q + [low{step}]\n "),
            _ => "reroll x in p where x in r\n set q = p\n ".to_string(),
        };
        if lots.below(3) == 0 {
            write!(text, "if any q == {k} {{ roll t{step} = d2\n set q = q + [t{step}] }}\n ").unwrap();
        }
    }
    let at = lots.range(1, 3);
    let of = lots.of(&["p", "r", "q"]);
    let (a, b) = (number(lots, "q"), number(lots, of));
    let asked = match lots.below(5) {
        0 => format!("top * 100 + {a}"),
        1 => format!("(nth({at}, q) otherwise 9) * 100 + {b}"),
        2 => "(if q == p then 1 else 0)".to_string(),
        _ => format!("{a} * 100 + {b}"),
    };
    if asked.contains("top") {
        text += "let top = do first(q)\n ";
    }
    write!(text, "return {asked}").unwrap();
    text
}

fn laboratory(seed: u64, count: usize) -> (Lab, Vec<String>) {
    laboratory_of(seed, count, body)
}

pub fn laboratory_of(seed: u64, count: usize, body: fn(&mut Lots) -> String) -> (Lab, Vec<String>) {
    let mut lots = Lots(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = String::from(
        "die Average of 2..5 = 2, 3, 3, 4, 4, 5\ndie Fate of -1..1 = -1, 0, 0, 1\n\nproc least(q: list of Int) -> Int { return total(lowest(1, q)) }\n\n\
         proc first(q: list of Int) -> Int { return nth(1, q) otherwise 0 }\n\n\
         test Check(k: Int) { roll p = 3 of d6\n pass when any p <= k }\n\n",
    );
    let bodies: Vec<String> = (0..count).map(|_| body(&mut lots)).collect();
    for (n, body) in bodies.iter().enumerate() {
        writeln!(text, "proc f{n}() -> Int {{ {body} }}\n").unwrap();
    }
    (Lab::of(&text), bodies)
}

pub fn as_map(found: &Distribution) -> BTreeMap<Result<Vec<i64>, String>, Fraction> {
    let worth = |o: &Outcome| match &o.worth {
        Worth::Cells(cells) => Ok(cells.clone()),
        Worth::Fault(fault) => Err(fault.message.clone()),
        Worth::Never => Err("never".into()),
    };
    found.outcomes.iter().map(|o| (worth(o), found.share(o))).collect()
}

/// Dice that fall again, whatever is known of the others by then.
#[test]
fn what_falls_again() {
    agree_with_brute_force(thrown_again);
}

/// Pools that become one.
#[test]
fn pools_join() {
    agree_with_brute_force(joined);
}

/// Lists whose order is read, and those whose order is not.
#[test]
fn lists_keep_the_order_that_is_read() {
    agree_with_brute_force(listed);
}

fn agree_with_brute_force(body: fn(&mut Lots) -> String) {
    let mut compared = 0;
    for seed in 1..=3 {
        let (lab, bodies) = laboratory_of(seed, 100, body);
        for (n, body) in bodies.iter().enumerate() {
            let name = format!("f{n}");
            let Some(wanted) = brute(&lab, &name, 4_000) else { continue };
            let found = lab.graph(&name, &[], ExploreOptions::default()).results();
            assert_eq!(as_map(&found), wanted, "seed {seed}, {n}: {body}");
            compared += 1;
        }
    }
    assert!(compared >= 150, "{compared}");
}

#[test]
fn two_thousand_distributions() {
    let mut compared = 0;
    for seed in 1..=22 {
        let (lab, bodies) = laboratory(seed, 100);
        for (n, body) in bodies.iter().enumerate() {
            let name = format!("f{n}");
            let Some(wanted) = brute(&lab, &name, 20_000) else { continue };
            let found = lab.graph(&name, &[], ExploreOptions::default()).results();
            assert_eq!(as_map(&found), wanted, "seed {seed}, {n}: {body}");
            assert_eq!(found.label, Label::Exact);
            compared += 1;
        }
    }
    assert!(compared >= 2000, "{compared}");
}

#[test]
fn twins_agree() {
    let (lab, bodies) = laboratory(77, 200);
    for (n, body) in bodies.iter().enumerate() {
        let name = format!("f{n}");
        let plain = as_map(&lab.graph(&name, &[], ExploreOptions::default()).results());
        let twins = |o: ExploreOptions| {
            [
                ExploreOptions { regions: false, ..o.clone() },
                ExploreOptions { merge: false, ..o.clone() },
                ExploreOptions { clear: false, ..o.clone() },
                ExploreOptions { sort: false, ..o.clone() },
                ExploreOptions { pools: Pools::Faces, ..o.clone() },
                ExploreOptions { pools: Pools::Dice, merge: false, clear: false, ..o.clone() },
                ExploreOptions { width: Width::Wide, ..o.clone() },
                ExploreOptions { width: Width::Big, ..o },
            ]
        };
        for options in twins(ExploreOptions::default()) {
            let rendered = format!("{options:?}: {body}");
            let twin = as_map(&lab.graph(&name, &[], options).results());
            assert_eq!(twin, plain, "{rendered}");
        }
    }
}
