//! Findings with every kind of block on them: one of plain names, one whose every text tries to break out.

use grognard_report::page::*;

/// The name of each page and the page.
pub fn all() -> Vec<(&'static str, Finding)> {
    vec![("every-kind", every_kind(&|text| text.to_string())), ("hostile", every_kind(&hostile)), ("odd", odd())]
}

/// Texts that break out of elements, attributes, comments, sheets and scripts, turn writing round, or never end.
pub const HOSTILE: [&str; 10] = [
    "<script>document.title = 'broken'</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)' x='",
    "]]></svg><svg onload=alert(1)>",
    "javascript:alert(1)",
    "</title></style></pre></td></table><h1>broken</h1><!--",
    "&lt;b&gt; &amp; &#60;script&#62; {} ${} url(#hatch0)",
    "\u{202e}desrever\u{2066} \u{200f}שלום \u{0}\u{1b}[2J\u{feff}",
    "🎲👩‍🚀 ＜script＞ ０ ﷽",
    "a\nb\tc\r\nd",
];

fn hostile(text: &str) -> String {
    let seed: usize = text.bytes().map(usize::from).sum();
    if seed.is_multiple_of(11) {
        return format!("{text}{}", "x".repeat(4_000));
    }
    format!("{text}{}", HOSTILE[seed % HOSTILE.len()])
}

/// Percent with an interval of so many points to either side.
fn share(millionths: i64, half: i64, how: How, name: &dyn Fn(&str) -> String) -> Number {
    let tenths = |n: i64| format!("{}.{}%", n / MILLION, n % MILLION / 100_000);
    let number = Number::new(name(&tenths(millionths)), Some(millionths), how);
    if half == 0 {
        return number;
    }
    let (low, high) = ((millionths - half).max(0), millionths + half);
    number.within((low, high), name(&format!("95% {} to {}", tenths(low), tenths(high))))
}

fn every_kind(name: &dyn Fn(&str) -> String) -> Finding {
    let mut page = Finding::new(name("Veterans against conscripts"));
    page.add(Block::Text(name("Sampled: 20000 pairs of runs, seed 7, on the same dice.")));
    page.add(Block::Note(name("Stopped by hand: these are the first 20000 of 100000 pairs.")));
    page.add(Block::Heading(name("What differs")));
    let effect = |label: &str, verdict: &str, text: &str, [at, low, high]: [i64; 3], within| IntervalRow {
        label: name(label),
        verdict: name(verdict),
        number: Number::new(name(text), Some(at), How::Sampled).within((low, high), name("95% as drawn")),
        note: String::new(),
        within,
        series: 0,
    };
    let rows = vec![
        effect("models lost by the veterans", "B is worse", "0.62 more", [620_000, 400_000, 840_000], Some(100_000)),
        effect("rounds played", "same within 0.1", "0.02 fewer", [-20_000, -70_000, 30_000], None),
        effect(
            "models lost by the conscripts",
            "no difference shown",
            "0.21 fewer",
            [-210_000, -500_000, 80_000],
            None,
        ),
    ];
    let zero = Zero { left: name("fewer in B"), right: name("more in B") };
    let intervals = Intervals { caption: name("Effects, B less A"), zero: Some(zero), rows, ..Intervals::default() };
    page.add(Block::Intervals(intervals));
    let chances = Intervals {
        caption: name("Chances"),
        unit: "%".into(),
        span: Some((0, 100 * MILLION)),
        zero: None,
        rows: vec![
            IntervalRow {
                label: name("A breaks"),
                verdict: String::new(),
                number: share(31_200_000, 640_000, How::Sampled, name),
                note: String::new(),
                within: None,
                series: 0,
            },
            IntervalRow {
                label: name("B breaks"),
                verdict: String::new(),
                number: share(44_000_000, 9_000_000, How::Bounded, name),
                note: String::new(),
                within: None,
                series: 1,
            },
            IntervalRow {
                label: name("C breaks"),
                verdict: String::new(),
                number: share(12_500_000, 0, How::Exact, name),
                note: String::new(),
                within: None,
                series: 2,
            },
        ],
    };
    page.add(Block::Intervals(chances));
    page.add(Block::Heading(name("Losses")));
    let thrown = |weights: [i64; 11]| {
        let whole: i64 = weights.iter().sum();
        weights.map(|w| w * 100 * MILLION / whole)
    };
    let (a, b) = (thrown([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]), thrown([9, 7, 6, 5, 4, 3, 3, 2, 1, 1, 0]));
    let bar = |n: usize, shares: Vec<i64>, half| Bar {
        label: name(&format!("{}", n + 2)),
        at: Some((n as i64 + 2) * MILLION),
        shares: shares.into_iter().map(|s| share(s, half, How::Sampled, name)).collect(),
        sums: None,
    };
    let mean = |text: &str, at: i64| {
        Number::new(name(text), Some(at), How::Sampled).within((at - 90_000, at + 90_000), name("95% ±0.09"))
    };
    page.add(Block::Histogram(Histogram {
        caption: name("Models lost, A and B over each other"),
        series: vec![name("A the core rules"), name("B with conscripts")],
        unit: String::new(),
        bars: (0..11).map(|n| bar(n, vec![a[n], b[n]], 0)).collect(),
        means: vec![(0, mean("7.00", 7 * MILLION)), (1, mean("4.87", 4_870_000))],
        note: String::new(),
    }));
    page.add(Block::Histogram(Histogram {
        caption: name("Models lost in A"),
        series: vec![name("A the core rules")],
        unit: String::new(),
        bars: (0..11).map(|n| bar(n, vec![a[n]], 700_000)).collect(),
        means: vec![(0, mean("7.00", 7 * MILLION))],
        note: String::new(),
    }));
    let word = |label: &str, shares: [i64; 2]| Bar {
        label: name(label),
        at: None,
        shares: shares.map(|s| share(s * MILLION, MILLION, How::Sampled, name)).to_vec(),
        sums: None,
    };
    page.add(Block::Histogram(Histogram {
        caption: name("How it ends"),
        series: vec![name("A the core rules"), name("B with conscripts")],
        unit: String::new(),
        bars: vec![
            word("they stand", [61, 38]),
            word("they fall back", [27, 33]),
            word("they rout, and the next squad with them", [12, 29]),
        ],
        means: Vec::new(),
        note: String::new(),
    }));
    page.add(Block::Heading(name("Sweeps")));
    let line = |label: &str, how, half, values: [i64; 6]| Series {
        name: name(label),
        points: (3..9)
            .zip(values)
            .map(|(n, v)| CurvePoint {
                at: n * MILLION,
                label: name(&n.to_string()),
                number: share(v * MILLION, half, how, name),
            })
            .collect(),
    };
    page.add(Block::Curve(Curve {
        caption: name("Chance to break"),
        across: name("break_at"),
        across_unit: String::new(),
        unit: "%".into(),
        span: Some((0, 0)),
        marked: Some((5 * MILLION, name("as written"))),
        lines: vec![
            line("PassAndRolled", How::Sampled, 2_500_000, [71, 62, 48, 33, 21, 12]),
            line("RolledOnly", How::Bounded, 4_000_000, [82, 77, 66, 49, 36, 25]),
            line("PassAndStarting", How::Exact, 0, [55, 47, 31, 20, 12, 5]),
        ],
    }));
    let grid = |from: i64, step: i64, how: fn(usize) -> How| -> Vec<Vec<Option<Number>>> {
        let cell = |row: i64, column: i64| {
            Some(share(from + step * (row * 3 + column * 5), 0, how((row + column) as usize), name))
        };
        (0..4)
            .map(|row| (0..6).map(|column| if (row, column) == (3, 5) { None } else { cell(row, column) }).collect())
            .collect()
    };
    let heat = |caption: &str, cells, effects| Heat {
        caption: name(caption),
        across: name("break_at"),
        down: name("cover"),
        columns: (3..9).map(|n| name(&n.to_string())).collect(),
        rows: ["none", "light", "heavy", "bunker"].map(name).to_vec(),
        cells,
        effects,
        beside: Vec::new(),
    };
    let mixed = |n: usize| if n.is_multiple_of(2) { How::Exact } else { How::Sampled };
    page.add(Block::Heat(heat("Chance to break", grid(5 * MILLION, 2 * MILLION, mixed), false)));
    let mut effects = grid(0, 700_000, |_| How::Sampled);
    for number in effects.iter_mut().flatten().flatten() {
        number.at = number.at.map(|at| at - 12 * MILLION);
        number.text = name(&format!("{}", number.at.unwrap() / MILLION));
    }
    page.add(Block::Heat(heat("B less A, in points", effects, true)));
    page.add(Block::Table(Table {
        caption: name("All of it"),
        heads: ["measure", "A", "B", "pairs that differ"].map(name).to_vec(),
        rows: vec![vec![
            Cell::Text(name("models lost")),
            Cell::Number(share(31_200_000, 640_000, How::Sampled, name)),
            Cell::Number(share(12_500_000, 0, How::Exact, name)),
            Cell::Text(name("1234 of 20000")),
        ]],
    }));
    page.add(Block::Receipt(Receipt {
        facts: [
            ("rules", "g/core 1, g/conscripts 1"),
            ("seed", "7"),
            ("command", "grognard compare g/core g/conscripts a.toml"),
        ]
        .map(|(a, b)| (name(a), name(b)))
        .to_vec(),
        text: name("schema = 1\nseed = 7\nrules = \"8d7e21b1f0f2d3\""),
    }));
    page
}

/// What is hard to draw: nothing, one value, far values, very many values, numbers that are not known.
fn odd() -> Finding {
    let mut page = Finding::new("Odd figures");
    let how = How::Sampled;
    let plain = |at: i64| Number::new(format!("{}%", at / MILLION), Some(at), how);
    let values = |caption: &str, unit: &str, places: Vec<i64>| {
        let each = 100 * MILLION / places.len().max(1) as i64;
        let bar =
            |at: i64| Bar { label: format!("{}", at / MILLION), at: Some(at), shares: vec![plain(each)], sums: None };
        Block::Histogram(Histogram {
            caption: caption.into(),
            series: vec!["all".into()],
            unit: unit.into(),
            bars: places.into_iter().map(bar).collect(),
            means: vec![(0, Number::new("not known", None, how))],
            note: String::new(),
        })
    };
    page.add(values("No value", "", vec![]));
    page.add(values("One value", "", vec![4 * MILLION]));
    page.add(values("Two values, far apart", "", vec![-1_000_000 * MILLION, 1_000_000 * MILLION]));
    page.add(values("Many values", "\"", (0..700).map(|n| n * n * 1_234).collect()));
    page.add(values("Steps of three", "\"", (0..30).map(|n| (3 * n + 1) * MILLION).collect()));
    let words =
        (0..90).map(|n| Bar { label: format!("[{n}, {}]", n + 1), at: None, shares: vec![plain(MILLION)], sums: None });
    let many = Histogram {
        caption: "Many words".into(),
        series: vec!["all".into()],
        unit: String::new(),
        bars: words.collect(),
        means: vec![],
        note: String::new(),
    };
    page.add(Block::Histogram(many));
    page.add(Block::Intervals(Intervals { caption: "No rows".into(), ..Intervals::default() }));
    let unknown = IntervalRow {
        label: "not known".into(),
        verdict: String::new(),
        number: Number::new("not known", None, how),
        note: String::new(),
        within: None,
        series: 9,
    };
    let certain = IntervalRow { number: plain(0), label: "nothing".into(), ..unknown.clone() };
    page.add(Block::Intervals(Intervals {
        caption: "Little to see".into(),
        rows: vec![unknown, certain],
        ..Intervals::default()
    }));
    page.add(Block::Curve(Curve { caption: "No curve".into(), ..Curve::default() }));
    let gap = [Some(20), Some(30), None, Some(10), Some(10)].into_iter().zip(0..).map(|(at, n): (Option<i64>, i64)| {
        CurvePoint {
            at: n * 1_000 * MILLION,
            label: n.to_string(),
            number: Number::new("x", at.map(|at| at * MILLION), how),
        }
    });
    let line = Series { name: "with a gap".into(), points: gap.collect() };
    page.add(Block::Curve(Curve {
        caption: "A gap".into(),
        across: "points".into(),
        lines: vec![line],
        ..Curve::default()
    }));
    page.add(Block::Heat(Heat { caption: "No cells".into(), ..Heat::default() }));
    page
}
