//! The verdict against looking at every value.

use grognard_base::value::Ratio;
use grognard_base::value::bands::*;
use proptest::prelude::*;

const LO: i64 = -2;
const HI: i64 = 7;

fn bound(from: i64, to: i64) -> impl Strategy<Value = Bound> {
    prop_oneof![
        1 => Just(Bound::Unbounded),
        2 => (from..=to).prop_map(|n| Bound::Included(Edge::whole(n))),
        2 => (from..=to).prop_map(|n| Bound::Excluded(Edge::whole(n))),
    ]
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        6 => (bound(LO - 1, HI + 1), bound(LO - 1, HI + 1)).prop_map(|(lo, hi)| Shape::Interval { lo, hi }),
        2 => (LO..=HI).prop_map(|n| Shape::value(Edge::whole(n))),
        1 => Just(Shape::Any),
        1 => Just(Shape::None),
        1 => Just(Shape::Some),
    ]
}

fn row(shape: impl Strategy<Value = Shape>) -> impl Strategy<Value = Row> {
    (proptest::collection::vec(shape, 1..3), 0..5, 0..8).prop_map(|(shapes, guard, end)| match end {
        0 => Row::otherwise(),
        _ => Row { shapes, guarded: guard == 0, is_else: false },
    })
}

/// The value of a bound; `written` stands for every text.
fn at(edge: &Edge, written: i64) -> Ratio {
    match edge {
        Edge::At(n) => *n,
        Edge::Written(_) => Ratio::whole(written),
    }
}

/// Whether a shape takes a number, none being none.
fn takes(shape: &Shape, value: Option<Ratio>, written: i64) -> bool {
    match (shape, value) {
        (Shape::Any, _) | (Shape::None, None) | (Shape::Some, Some(_)) => true,
        (Shape::Interval { lo, hi }, Some(v)) => {
            let above = match lo {
                Bound::Unbounded => true,
                Bound::Included(e) => v >= at(e, written),
                Bound::Excluded(e) => v > at(e, written),
            };
            above
                && match hi {
                    Bound::Unbounded => true,
                    Bound::Included(e) => v <= at(e, written),
                    Bound::Excluded(e) => v < at(e, written),
                }
        }
        _ => false,
    }
}

/// What looking at every value says: gaps, overlapping pairs, dead rows.
fn look<V>(
    values: &[V],
    rows: &[Row],
    first: bool,
    takes: impl Fn(&Row, &V) -> bool,
) -> (Vec<usize>, Vec<(usize, usize)>, Vec<usize>) {
    let own = |n: usize, v: usize| takes(&rows[n], &values[v]);
    let all = 0..rows.len();
    let counts = |n: usize| !rows[n].guarded && !rows[n].is_else;
    let left: Vec<usize> = (0..values.len()).filter(|v| !all.clone().any(|n| counts(n) && own(n, *v))).collect();
    let ended = rows.iter().any(|r| r.is_else && !r.guarded);
    let gaps = if ended { Vec::new() } else { left.clone() };
    let mut overlaps = Vec::new();
    let mut dead = Vec::new();
    for n in all.clone() {
        for m in (0..n).filter(|m| !first && !rows[n].is_else && !rows[*m].is_else) {
            if (0..values.len()).any(|v| own(n, v) && own(m, v)) {
                overlaps.push((m, n));
            }
        }
        let above: Vec<usize> = (0..n).filter(|m| !rows[*m].guarded).collect();
        let closed = above.iter().any(|m| rows[*m].is_else);
        let is_dead = if first {
            !(0..values.len()).any(|v| own(n, v) && !above.iter().any(|m| own(*m, v)))
        } else if rows[n].is_else {
            left.is_empty() || closed
        } else {
            !(0..values.len()).any(|v| own(n, v))
        };
        dead.extend(is_dead.then_some(n));
    }
    overlaps.sort_unstable();
    (gaps, overlaps, dead)
}

fn pairs(verdict: &Verdict) -> Vec<(usize, usize)> {
    let mut pairs: Vec<_> = verdict.overlaps.iter().map(|o| (o.0, o.1)).collect();
    pairs.sort_unstable();
    pairs
}

/// Whether a piece of a witness holds for a number.
fn holds(piece: &Piece, value: Option<Ratio>) -> bool {
    match piece {
        Piece::Any => true,
        Piece::None => value.is_none(),
        Piece::Some => value.is_some(),
        Piece::Band { lo, hi, .. } => takes(&Shape::Interval { lo: lo.clone(), hi: hi.clone() }, value, 0),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn numbers(rows in proptest::collection::vec(row(shape()), 0..6), first: bool, optional: bool, dense: bool) {
        let inner = if dense { Domain::Ratio } else { Domain::Int { lo: Some(LO), hi: Some(HI) } };
        let domain = if optional { Domain::Optional(Box::new(inner)) } else { inner };
        // For fractions, quarters reach between and past all bounds.
        let mut values: Vec<Option<Ratio>> = if dense {
            (4 * LO - 16..=4 * HI + 16).map(|n| Ratio::new(n, 4)).collect()
        } else {
            (LO..=HI).map(|n| Some(Ratio::whole(n))).collect()
        };
        values.extend(optional.then_some(None));
        let (gaps, overlaps, dead) = look(&values, &rows, first, |r, v| r.shapes.iter().any(|s| takes(s, *v, 0)));
        let verdict = judge(&domain, &rows, first);
        let shown: Vec<usize> =
            (0..values.len()).filter(|v| verdict.gaps.iter().any(|w| holds(&w.pieces[0], values[*v]))).collect();
        prop_assert_eq!(shown, gaps);
        prop_assert_eq!(pairs(&verdict), overlaps);
        prop_assert_eq!(&verdict.dead, &dead);
        for (a, b, w) in &verdict.overlaps {
            let both = |v: &&Option<Ratio>| {
                [a, b].iter().all(|n| rows[**n].shapes.iter().any(|s| takes(s, **v, 0)))
            };
            prop_assert!(values.iter().filter(|v| holds(&w.pieces[0], **v)).all(|v| both(&v)));
        }
        prop_assert!(!verdict.needs_first && !verdict.too_many);
    }

    #[test]
    fn tuples(
        rows in proptest::collection::vec(
            (proptest::collection::vec((shape(), 0usize..3, shape()), 1..3), 0..5).prop_map(|(alts, guard)| {
                let flag = |n: usize| if n == 2 { Shape::Any } else { Shape::Case(n) };
                let one = |(a, f, b): (Shape, usize, Shape)| Shape::Tuple(vec![vec![a], vec![flag(f)], vec![b]]);
                Row { shapes: alts.into_iter().map(one).collect(), guarded: guard == 0, is_else: false }
            }), 0..6),
        first: bool,
    ) {
        let number = Domain::Optional(Box::new(Domain::Int { lo: Some(LO), hi: Some(HI) }));
        let domain = Domain::Tuple(vec![number.clone(), Domain::Flag, number]);
        let one: Vec<Option<Ratio>> = (LO..=HI).map(|n| Some(Ratio::whole(n))).chain([None]).collect();
        let mut values = Vec::new();
        for a in &one {
            for f in 0..2usize {
                values.extend(one.iter().map(|b| (*a, f, *b)));
            }
        }
        let fits = |shape: &Shape, (a, f, b): &(Option<Ratio>, usize, Option<Ratio>)| match shape {
            Shape::Tuple(parts) => {
                takes(&parts[0][0], *a, 0)
                    && (parts[1][0] == Shape::Any || parts[1][0] == Shape::Case(*f))
                    && takes(&parts[2][0], *b, 0)
            }
            _ => false,
        };
        let (gaps, overlaps, dead) = look(&values, &rows, first, |r, v| r.shapes.iter().any(|s| fits(s, v)));
        let verdict = judge(&domain, &rows, first);
        prop_assert_eq!(verdict.gaps.is_empty(), gaps.is_empty());
        for witness in &verdict.gaps {
            let flag = |f: usize| matches!(&witness.pieces[1], Piece::Any) || witness.pieces[1] == Piece::Case(f);
            let named: Vec<usize> = (0..values.len())
                .filter(|v| {
                    let (a, f, b) = values[*v];
                    holds(&witness.pieces[0], a) && flag(f) && holds(&witness.pieces[2], b)
                })
                .collect();
            prop_assert!(!named.is_empty() && named.iter().all(|v| gaps.contains(v)), "{}", witness.describe(&domain));
        }
        prop_assert_eq!(pairs(&verdict), overlaps);
        prop_assert_eq!(&verdict.dead, &dead);
    }

    /// Whatever number a written bound turns out to be, a verdict without a finding was right.
    #[test]
    fn written_bounds(rows in proptest::collection::vec(row(written_shape()), 1..5), first: bool) {
        let domain = Domain::Int { lo: Some(LO), hi: Some(HI) };
        let values: Vec<Option<Ratio>> = (LO..=HI).map(|n| Some(Ratio::whole(n))).collect();
        let verdict = judge(&domain, &rows, first);
        for written in LO..=HI {
            let upright = rows.iter().flat_map(|r| &r.shapes).all(|s| match s {
                Shape::Interval { lo: Bound::Included(a) | Bound::Excluded(a), hi: Bound::Included(b) | Bound::Excluded(b) }
                    if matches!(a, Edge::Written(_)) || matches!(b, Edge::Written(_)) => at(a, written) <= at(b, written),
                _ => true,
            });
            if !upright {
                continue;
            }
            let (gaps, overlaps, dead) =
                look(&values, &rows, first, |r, v| r.shapes.iter().any(|s| takes(s, *v, written)));
            if !verdict.needs_first {
                prop_assert!(gaps.is_empty() || !verdict.gaps.is_empty(), "gap at {written}");
                let rendered = pairs(&verdict);
                prop_assert!(overlaps.iter().all(|o| rendered.contains(o)), "overlap at {written}");
            }
            prop_assert!(verdict.dead.iter().all(|d| dead.contains(d)), "dead at {written}");
        }
    }

    #[test]
    fn nothing_panics(domain in domain(), rows in proptest::collection::vec(row(any_shape()), 0..6), first: bool) {
        let verdict = judge(&domain, &rows, first);
        for witness in verdict.gaps.iter().chain(verdict.overlaps.iter().map(|o| &o.2)) {
            prop_assert!(!witness.describe(&domain).is_empty());
        }
    }
}

fn written_shape() -> impl Strategy<Value = Shape> {
    let edge = || prop_oneof![Just(Edge::Written("t".to_string())), (LO..=HI).prop_map(Edge::whole)];
    let bound = move || {
        prop_oneof![Just(Bound::Unbounded), edge().prop_map(Bound::Included), edge().prop_map(Bound::Excluded),]
    };
    (bound(), bound()).prop_map(|(lo, hi)| Shape::Interval { lo, hi })
}

fn domain() -> impl Strategy<Value = Domain> {
    let end = || proptest::option::of(any::<i64>());
    let leaf = prop_oneof![
        (end(), end()).prop_map(|(lo, hi)| Domain::Int { lo, hi }),
        (end(), end()).prop_map(|(lo, hi)| Domain::Length { lo, hi }),
        Just(Domain::Ratio),
        Just(Domain::Angle),
        Just(Domain::Flag),
        Just(Domain::Opaque),
        proptest::collection::vec("[A-C]", 0..4).prop_map(Domain::Cases),
        proptest::collection::vec(2u32..13, 0..4).prop_map(Domain::Dice),
        (any::<bool>(), any::<bool>()).prop_map(|(top, bottom)| Domain::Past { chain: vec![4, 6, 8], top, bottom }),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|d| Domain::Optional(Box::new(d))),
            proptest::collection::vec(inner, 0..4).prop_map(Domain::Tuple),
        ]
    })
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let edge = || {
        prop_oneof![
            any::<i64>().prop_map(Edge::whole),
            (any::<i64>(), 1i64..9).prop_map(|(a, b)| Edge::At(Ratio::new(a, b).unwrap())),
            (0i64..12).prop_map(Edge::whole),
            "[tu]".prop_map(Edge::Written),
        ]
    };
    let bound =
        move || prop_oneof![Just(Bound::Unbounded), edge().prop_map(Bound::Included), edge().prop_map(Bound::Excluded)];
    let leaf = prop_oneof![
        Just(Shape::Any),
        Just(Shape::None),
        Just(Shape::Some),
        (0usize..5).prop_map(Shape::Case),
        any::<bool>().prop_map(|top| Shape::Past { top }),
        Just(Shape::Unknown("x".to_string())),
        (bound(), bound()).prop_map(|(lo, hi)| Shape::Interval { lo, hi }),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        proptest::collection::vec(proptest::collection::vec(inner, 0..3), 0..4).prop_map(Shape::Tuple)
    })
}
