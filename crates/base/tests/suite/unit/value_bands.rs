//! Cases a designer would write.

use grognard_base::value::Ratio;
use grognard_base::value::bands::*;

fn r(n: i64, d: i64) -> Edge {
    Edge::At(Ratio::new(n, d).unwrap())
}
fn t(text: &str) -> Edge {
    Edge::Written(text.to_string())
}
fn over(e: Edge) -> Shape {
    Shape::Interval { lo: Bound::Excluded(e), hi: Bound::Unbounded }
}
fn least(e: Edge) -> Shape {
    Shape::Interval { lo: Bound::Included(e), hi: Bound::Unbounded }
}
fn under(e: Edge) -> Shape {
    Shape::Interval { lo: Bound::Unbounded, hi: Bound::Excluded(e) }
}
fn most(e: Edge) -> Shape {
    Shape::Interval { lo: Bound::Unbounded, hi: Bound::Included(e) }
}
fn to(a: Edge, b: Edge) -> Shape {
    Shape::Interval { lo: Bound::Included(a), hi: Bound::Included(b) }
}
fn to_under(a: Edge, b: Edge) -> Shape {
    Shape::Interval { lo: Bound::Included(a), hi: Bound::Excluded(b) }
}
fn over_to(a: Edge, b: Edge) -> Shape {
    Shape::Interval { lo: Bound::Excluded(a), hi: Bound::Included(b) }
}
fn n(v: i64) -> Edge {
    Edge::whole(v)
}
fn rows(shapes: &[Shape]) -> Vec<Row> {
    shapes.iter().map(|s| Row::of([s.clone()])).collect()
}
fn int(lo: i64, hi: i64) -> Domain {
    Domain::Int { lo: Some(lo), hi: Some(hi) }
}
fn cases(names: &[&str]) -> Domain {
    Domain::Cases(names.iter().map(|n| n.to_string()).collect())
}
/// The verdict in words.
fn say(domain: &Domain, rows: &[Row], first: bool) -> String {
    let verdict = judge(domain, rows, first);
    let mut out: Vec<String> = verdict.gaps.iter().map(|w| format!("gap {}", w.describe(domain))).collect();
    out.extend(verdict.overlaps.iter().map(|(a, b, w)| format!("{a} and {b} both take {}", w.describe(domain))));
    out.extend(verdict.dead.iter().map(|d| format!("dead {d}")));
    out.extend(verdict.needs_first.then(|| "first".to_string()));
    out.extend(verdict.too_many.then(|| "too many".to_string()));
    out.join("; ")
}
fn plain(domain: &Domain, shapes: &[Shape]) -> String {
    say(domain, &rows(shapes), false)
}

#[test]
fn shares() {
    let bands = [over(r(1, 2)), Shape::value(r(1, 2)), to_under(r(1, 4), r(1, 2)), under(r(1, 4))];
    assert_eq!(plain(&Domain::Ratio, &bands), "");
    let gap = judge(&Domain::Ratio, &rows(&[bands[0].clone(), bands[2].clone(), bands[3].clone()]), false);
    assert_eq!(gap.gaps[0].describe(&Domain::Ratio), "exactly 50%");
    assert_eq!(plain(&Domain::Ratio, &[bands[0].clone(), bands[1].clone(), bands[3].clone()]), "gap 25% to under 50%");
    assert_eq!(
        plain(&Domain::Ratio, &[to(r(1, 4), r(1, 2)), under(r(3, 10)), over(r(1, 2))]),
        "0 and 1 both take 25% to under 30%"
    );
    assert_eq!(plain(&Domain::Ratio, &[over(r(1, 3)), under(r(1, 3))]), "gap exactly 1/3");
    assert_eq!(plain(&Domain::Ratio, &[over(r(1, 8)), under(r(1, 8))]), "gap exactly 12.5%");
    assert_eq!(plain(&Domain::Ratio, &[over(n(3)), most(n(2))]), "gap over 2 to 3");
    let third = judge(&Domain::Ratio, &rows(&[over(r(1, 3)), under(r(1, 4))]), false);
    assert_eq!(third.gaps[0].describe(&Domain::Ratio), "25% to 1/3");
}

#[test]
fn whole_numbers() {
    assert_eq!(plain(&int(1, 6), &[to(n(1), n(3)), to(n(4), n(6))]), "");
    assert_eq!(plain(&int(1, 6), &[to(n(1), n(3)), to(n(5), n(6))]), "gap 4");
    assert_eq!(plain(&int(1, 6), &[to(n(1), n(2)), least(n(5))]), "gap 3 to 4");
    assert_eq!(plain(&int(1, 6), &[to(n(1), n(3)), to(n(3), n(6))]), "0 and 1 both take 3");
    assert_eq!(plain(&int(1, 6), &[least(n(3))]), "gap 1 to 2");
    assert_eq!(plain(&int(1, 6), &[over(n(0)), Shape::value(Edge::whole(7))]), "dead 1");
    let free = Domain::Int { lo: Some(0), hi: None };
    assert_eq!(plain(&free, &[most(n(12))]), "gap a number over 12");
    assert_eq!(plain(&Domain::Int { lo: None, hi: None }, &[least(n(0))]), "gap a number under 0");
    assert_eq!(plain(&free, &[]), "gap a number over -1");
    assert_eq!(plain(&int(1, 6), &[over(r(5, 2)), under(r(5, 2))]), "");
    assert_eq!(plain(&int(i64::MIN, i64::MAX), &[over(n(i64::MAX)), least(n(i64::MIN))]), "dead 0");
}

#[test]
fn lengths_and_bearings() {
    let length = Domain::Length { lo: Some(0), hi: None };
    assert_eq!(plain(&length, &[most(n(6000)), over_to(n(6000), n(12000)), over(n(12000))]), "");
    assert_eq!(plain(&length, &[most(n(6000)), over(n(12500))]), "gap over 6\" to 12.5\"");
    assert_eq!(plain(&length, &[under(n(6000)), over(n(6000))]), "gap exactly 6\"");
    assert_eq!(plain(&length, &[most(n(6000)), least(n(6001))]), "");
    assert_eq!(plain(&Domain::Angle, &[most(n(9000)), over(n(18000))]), "gap over 90° to 180°");
    assert_eq!(plain(&Domain::Angle, &[most(n(9000)), over_to(n(9000), n(35_999))]), "");
}

#[test]
fn cases_flags_and_dice() {
    let arms = cases(&["Tracked", "Walker", "Wheeled"]);
    assert_eq!(plain(&arms, &[Shape::Case(0), Shape::Case(2)]), "gap Walker");
    assert_eq!(plain(&arms, &[Shape::Case(1)]), "gap Tracked; gap Wheeled");
    assert_eq!(plain(&arms, &[over(n(0)), Shape::Case(0)]), "");
    assert_eq!(plain(&arms, &[Shape::Any, Shape::Case(0)]), "0 and 1 both take Tracked");
    assert_eq!(plain(&Domain::Flag, &[Shape::Case(1)]), "gap no");
    let chain = Domain::Dice(vec![4, 6, 8, 10, 12]);
    assert_eq!(plain(&chain, &[over(n(8)), Shape::Case(0), Shape::Case(1)]), "gap d8");
    assert_eq!(plain(&Domain::Opaque, &[Shape::Any]), "");
    assert_eq!(plain(&Domain::Opaque, &[]), "gap something");
}

#[test]
fn nothing_and_past_the_ends() {
    let maybe = Domain::Optional(Box::new(cases(&["A", "B"])));
    assert_eq!(plain(&maybe, &[Shape::Some]), "gap none");
    assert_eq!(plain(&maybe, &[Shape::None, Shape::Case(0)]), "gap B");
    assert_eq!(plain(&maybe, &[Shape::None, Shape::Some]), "");
    assert_eq!(plain(&maybe, &[Shape::None, Shape::Any]), "0 and 1 both take none");
    let count = Domain::Optional(Box::new(int(0, 9)));
    assert_eq!(plain(&count, &[Shape::None, least(n(1))]), "gap 0");
    assert_eq!(plain(&Domain::Optional(Box::new(Domain::Opaque)), &[Shape::None]), "gap something");
    let twice = Domain::Optional(Box::new(maybe.clone()));
    assert_eq!(plain(&twice, &[Shape::Some]), "gap none");
    let past = Domain::Past { chain: vec![4, 6, 8], top: true, bottom: false };
    assert_eq!(plain(&past, &[Shape::Case(0), least(n(6))]), "gap past the top");
    assert_eq!(plain(&past, &[Shape::Past { top: true }, Shape::Some]), "0 and 1 both take past the top");
    assert_eq!(plain(&past, &[Shape::Any, Shape::Past { top: false }]), "dead 1");
}

#[test]
fn several_at_once() {
    let pair = Domain::Tuple(vec![cases(&["Walker", "Tank"]), int(1, 6)]);
    let both = |a: Vec<Shape>, b: Vec<Shape>| Row::of([Shape::Tuple(vec![a, b])]);
    let table = [
        both(vec![Shape::Case(0)], vec![to(n(1), n(3))]),
        both(vec![Shape::Case(1)], vec![Shape::Any]),
        both(vec![Shape::Case(0)], vec![to(n(5), n(6))]),
    ];
    assert_eq!(say(&pair, &table, false), "gap (Walker, 4)");
    assert_eq!(say(&pair, &table[1..2], false), "gap (Walker, 1 to 6)");
    let wide = both(vec![Shape::Any], vec![Shape::value(Edge::whole(6))]);
    let all = [table.to_vec(), vec![wide]].concat();
    assert_eq!(say(&pair, &all, false), "gap (Walker, 4); 1 and 3 both take (Tank, 6); 2 and 3 both take (Walker, 6)");
    let maybe = Domain::Optional(Box::new(pair.clone()));
    assert_eq!(say(&maybe, &[table[1].clone(), Row::of([Shape::None])], false), "gap (Walker, 1 to 6)");
    assert_eq!(say(&maybe, &[Row::of([Shape::Some])], false), "gap none");
    let nested = Domain::Tuple(vec![Domain::Flag, pair]);
    let inner = Shape::Tuple(vec![vec![Shape::Case(0), Shape::Case(1)], vec![over(n(1))]]);
    let row = Row::of([Shape::Tuple(vec![vec![Shape::Any], vec![inner]])]);
    assert_eq!(say(&nested, &[row], false), "gap (anything, (anything, 1))");
}

#[test]
fn guards_and_else() {
    let arms = cases(&["A", "B", "C"]);
    let row = |c| Row::of([Shape::Case(c)]);
    assert_eq!(say(&arms, &[row(0), row(1), row(2).when()], false), "gap C");
    assert_eq!(say(&arms, &[row(0), row(0).when(), row(1), row(2)], false), "0 and 1 both take A");
    assert_eq!(say(&arms, &[row(0), Row::otherwise()], false), "");
    assert_eq!(say(&arms, &[Row::otherwise(), row(0)], false), "");
    assert_eq!(say(&arms, &[row(0), row(1), row(2), Row::otherwise()], false), "dead 3");
    assert_eq!(say(&arms, &[row(0), Row::otherwise(), Row::otherwise()], false), "dead 2");
}

#[test]
fn top_down() {
    let arms = cases(&["A", "B", "C"]);
    let row = |c| Row::of([Shape::Case(c)]);
    assert_eq!(say(&arms, &[row(0).when(), row(0), row(1), Row::otherwise()], true), "");
    assert_eq!(say(&arms, &[row(0), row(0).when(), Row::otherwise()], true), "dead 1");
    assert_eq!(say(&arms, &[row(0), row(1)], true), "gap C");
    assert_eq!(say(&arms, &[row(0), Row::otherwise(), row(1)], true), "dead 2");
    assert_eq!(say(&arms, &[row(0), row(1), row(2), Row::otherwise()], true), "dead 3");
    let die = int(1, 6);
    assert_eq!(say(&die, &rows(&[least(n(4)), under(n(4)), Shape::value(Edge::whole(2))]), true), "dead 2");
}

#[test]
fn bounds_as_written() {
    let free = Domain::Int { lo: None, hi: None };
    assert_eq!(plain(&free, &[over(t("t")), most(t("t"))]), "");
    assert_eq!(plain(&free, &[over(t("t")), under(t("t"))]), "gap exactly t");
    assert_eq!(plain(&free, &[over(t("t"))]), "gap at most t");
    assert_eq!(plain(&free, &[least(t("t")), most(t("t"))]), "0 and 1 both take exactly t");
    // A band is taken to stand the right way up.
    let armour = [over(t("2 * armour")), over_to(t("armour"), t("2 * armour")), most(t("armour"))];
    assert_eq!(plain(&free, &armour), "");
    assert_eq!(plain(&free, &[over(t("a")), most(t("b"))]), "first");
    assert_eq!(plain(&free, &[over(t("a")), most(n(3))]), "first");
    let ended = [rows(&[over(t("a")), most(n(3))]), vec![Row::otherwise()]].concat();
    assert_eq!(say(&free, &ended, false), "first");
    assert_eq!(say(&free, &ended, true), "");
    assert_eq!(say(&free, &ended[..2], true), "first");
    assert_eq!(say(&free, &rows(&[over(t("a")), least(t("a")), over(t("a")), Shape::Any]), true), "dead 2");
    let four = [over(t("a")), over(t("b")), over(t("c")), over(t("d")), over(t("e"))];
    assert_eq!(plain(&free, &four), "first");
    assert_eq!(plain(&int(3, 3), &[most(t("t")), over(t("t"))]), "");
}

#[test]
fn cases_known_only_in_play() {
    let arms = cases(&["A", "B"]);
    let mine = Shape::Unknown("favourite".to_string());
    assert_eq!(plain(&arms, &[mine.clone(), Shape::Case(0)]), "first");
    let row = |s: &Shape| Row::of([s.clone()]);
    assert_eq!(say(&arms, &[row(&mine), Row::otherwise()], false), "");
    assert_eq!(say(&arms, &[row(&mine), Row::otherwise()], true), "");
    assert_eq!(say(&arms, &[row(&mine)], true), "first");
    assert_eq!(say(&arms, &[row(&Shape::Any), row(&mine)], true), "dead 1");
    assert_eq!(say(&arms, &[row(&over(t("x"))), Row::otherwise()], true), "");
}

#[test]
fn large_ones_end() {
    let flags = Domain::Tuple(vec![Domain::Flag; 40]);
    let one = |at: usize| {
        let part = |n| if n == at { vec![Shape::Case(1)] } else { vec![Shape::Any] };
        Row::of([Shape::Tuple((0..40).map(part).collect())])
    };
    let all: Vec<Row> = (0..40).map(one).collect();
    let verdict = judge(&flags, &all, true);
    assert_eq!(verdict.gaps.len(), 1);
    assert!(!verdict.too_many);
    // Pairs of neighbours that differ: every choice has to be looked at.
    let neighbours = |at: usize, side: usize| {
        let part = |n| match n {
            n if n == at => vec![Shape::Case(side)],
            n if n == (at * 7 + 13) % 40 => vec![Shape::Case(1 - side)],
            _ => vec![Shape::Any],
        };
        Row::of([Shape::Tuple((0..40).map(part).collect())])
    };
    let hard: Vec<Row> = (0..40).flat_map(|n| [neighbours(n, 0), neighbours(n, 1)]).collect();
    let _ = judge(&flags, &hard, true);
    let many = Domain::Tuple(vec![int(1, 100); 3]);
    let diagonal = |v: i64| Row::of([Shape::Tuple(vec![vec![Shape::value(Edge::whole(v))]; 3])]);
    let rows: Vec<Row> = (1..=100).map(diagonal).collect();
    assert_eq!(judge(&many, &rows, false).gaps.len(), MOST_SHOWN);
    let line: Vec<Row> = (0..1000).map(|v| Row::of([Shape::value(Edge::whole(v))])).collect();
    assert_eq!(judge(&int(0, 999), &line, false), Verdict::default());
    // with a row for each of very many cases, and one of them left out
    let cases = Domain::Cases((0..5_000).map(|n| format!("C{n}")).collect());
    let rows: Vec<Row> = (0..5_000).map(|n| Row::of([Shape::Case(n)])).collect();
    assert_eq!([true, false].map(|first| judge(&cases, &rows, first)), [Verdict::default(), Verdict::default()]);
    assert_eq!(judge(&cases, &rows[1..], true).gaps.len(), 1);
    let twice: Vec<Row> = rows.iter().chain(&rows[70..71]).cloned().collect();
    assert_eq!(judge(&cases, &twice, true).dead, [5_000]);
    let overlaps: Vec<(usize, usize)> = judge(&cases, &twice, false).overlaps.iter().map(|o| (o.0, o.1)).collect();
    assert_eq!(overlaps, [(70, 5_000)]);
}
