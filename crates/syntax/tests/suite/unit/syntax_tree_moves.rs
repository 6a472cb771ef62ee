//! Inside `syntax/tree/moves`: the table of what stands in each line of a move.

use grognard_base::{FileId, Source};
use grognard_syntax::parse_stmt;
use grognard_syntax::tree::{Constraint, MovePart, StmtKind};

/// Every line as a designer writes it.
const LINES: &[&str] = &[
    "at least 2\"",
    "at most m.pace",
    "exactly 3\"",
    "toward guns",
    "away from foes",
    "no nearer to foes",
    "ends within 3\" of guns",
    "ends where m.hidden",
    "never where m in wood",
    "along road",
    "heading a",
    "heading a .. b",
    "straight for 4\"",
    "keeps facing",
    "bends at most m.turn",
    "avoids foes",
    "through friends",
    "stops on contact",
    "stops on contact with foes",
    "stops where m.seen",
    "costs p => 2",
];

#[test]
fn the_table_tells_a_line_as_it_is_written() {
    let text = format!("move m {{\n{}\n}}", LINES.join("\n"));
    let stmt =
        parse_stmt(FileId::default(), &Source::new("", text.as_str())).unwrap_or_else(|found| panic!("{found:?}"));
    let StmtKind::Move { motion, .. } = stmt.kind else { panic!("no move: {:?}", stmt.kind) };
    assert_eq!(motion.lines.len(), LINES.len());
    for (line, written) in motion.lines.iter().zip(LINES) {
        let sorts: Vec<MovePart> = line.asks.parts().collect();
        assert!(line.parts.len() <= sorts.len(), "{written}");
        let parts = line.parts.iter().map(|e| text[e.span.start as usize..e.span.end as usize].trim().to_string());
        let point = line.point.as_ref().map_or(String::new(), |name| format!("{} => ", name.text));
        let rendered = line.asks.words(parts).replacen("costs ", &format!("costs {point}"), 1);
        assert_eq!(rendered, *written);
        let judged = sorts.iter().any(|sort| sort.is_judged());
        assert_eq!(judged, written.contains(" where ") || line.asks == Constraint::Costs, "{written}");
    }
}
