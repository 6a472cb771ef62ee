//! What readings change on a table as a page to look at: for each measure its effects on one scale, the largest first.

use super::super::page::{Block, Cell, Effect as Bar, How, Intervals, Number, Page, Table as Grid, millionths};
use super::{Row, Table, Verdict, corrected, effect, everywhere, found, points, rows, stands, unit};

/// Effects of one scale.
const MOST_ROWS: usize = 40;

/// The page.
pub fn page(table: &Table<'_>) -> Page {
    let mut page = Page::new(format!("readings of {}", table.scenario));
    page.add(Block::Text(format!("With {}. {}", table.rules.path, found(table))));
    page.add(Block::Text(match table.found.turned.is_empty() {
        true => "Nothing is left open: the rules have no readings.".into(),
        false => "Every other way to read what the book leaves open, against the table as it stands. An effect is what there \
                  is more with it."
            .into(),
    }));
    if table.found.stopped {
        page.add(Block::Note("Stopped by hand before all of it was done.".into()));
    }
    let rows = rows(table);
    for measure in &table.found.measures {
        let seen = |row: &&Row<'_>| {
            row.measure.text == measure.text
                && matches!(row.verdict, Verdict::Moves | Verdict::Shape | Verdict::Small | Verdict::Open)
        };
        let seen: Vec<&Row<'_>> = rows.iter().filter(seen).collect();
        page.add(Block::Heading(measure.text.clone()));
        page.add(Block::Text(format!("As the table stands: {}.", stands(measure))));
        if seen.is_empty() {
            page.add(Block::Text("No reading moves it.".into()));
            continue;
        }
        let points = points(unit(measure));
        let bars = seen.iter().take(MOST_ROWS).map(|row| Bar {
            label: format!("{}, not {}", row.name(), row.instead()),
            verdict: if row.verdict == Verdict::Moves { String::new() } else { row.verdict.word().into() },
            number: number(row, table.found.alpha),
            within: None,
            series: usize::from(matches!(row.verdict, Verdict::Small | Verdict::Open)),
        });
        let sides = ["less with it", "more with it"];
        let effects = Intervals::effects("Effects", points == " points", points, sides, bars.collect());
        page.add(Block::Intervals(effects));
        if seen.len() > MOST_ROWS {
            page.add(Block::Note(format!(
                "{} smaller effects are not drawn; `--format csv` has all.",
                seen.len() - MOST_ROWS
            )));
        }
    }
    let groups = [
        (Verdict::Unread, "Changes nothing, which is proven, as nothing that this table can come to reads it"),
        (Verdict::Same, "Changes nothing, as the odds are exactly the same"),
        (Verdict::NoPair, "No pair of runs differs"),
        (Verdict::Fails, "Cannot be played"),
        (Verdict::Beyond, "Not worked out, as more would have to be explored"),
    ];
    for (verdict, head) in groups {
        let names = everywhere(&rows, verdict);
        if !names.is_empty() {
            page.add(Block::Heading(head.into()));
            page.add(Block::Text(names.join(", ")));
        }
    }
    if table.found.runs > 0 {
        page.add(Block::Text(corrected(table.found)));
    }
    let numbers = numbers(table, &rows);
    if !numbers.rows.is_empty() {
        page.add(Block::Heading("All numbers".into()));
        page.add(Block::Table(numbers));
    }
    page
}

/// The difference as a number of the page.
fn number(row: &Row<'_>, alpha: f64) -> Number {
    let unit = row.unit();
    let at = row.difference.map(|d| millionths(unit.scaled(d)));
    let how = if row.label == "sampled" { How::Sampled } else { How::Exact };
    let told = match row.verdict {
        Verdict::Unread | Verdict::Same | Verdict::NoPair | Verdict::Shape => format!("0{}", points(unit)),
        Verdict::Fails | Verdict::Beyond => "not known".into(),
        _ => effect(row, alpha),
    };
    let (text, ends_text) = told.split_once(", ").unwrap_or((&told, ""));
    let number = Number::new(text, at, how);
    match row.interval {
        Some((low, high)) => number.within((millionths(unit.scaled(low)), millionths(unit.scaled(high))), ends_text),
        None => number,
    }
}

fn numbers(table: &Table<'_>, rows: &[Row<'_>]) -> Grid {
    let told = |row: &&Row<'_>| matches!(row.verdict, Verdict::Moves | Verdict::Shape | Verdict::Small | Verdict::Open);
    let cells = |row: &Row<'_>| {
        let pairs = row.pairs.map_or(String::new(), |p| format!("{} of {}", row.discordant, p.counted));
        vec![
            Cell::Text(row.name()),
            Cell::Text(row.instead().into()),
            Cell::Text(row.measure.text.clone()),
            Cell::Number(number(row, table.found.alpha)),
            Cell::Text(row.verdict.word().into()),
            Cell::Text(pairs),
            Cell::Text(row.cites.join(", ")),
        ]
    };
    let heads = ["read as", "instead of", "measure", "more with it", "", "pairs that differ", "clauses"];
    Grid {
        caption: String::new(),
        heads: heads.map(String::from).to_vec(),
        rows: rows.iter().filter(told).map(cells).collect(),
    }
}
