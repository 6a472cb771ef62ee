//! Finds changes of matches, tables and their bands.

use super::expressions::written;
use super::*;
use grognard_base::order;

/// The position of a number in a band, which determines where its borders are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// The band starts at the number, or ends before it. The border is below the number.
    Low,
    /// The band ends at the number, or starts after it. The border is above the number.
    High,
    /// The band is only the number. There is a border on both sides.
    Both,
}

/// A number in a pattern.
struct PatternBound {
    number: Number,
    span: Span,
    edge: Edge,
}

impl Finder<'_> {
    pub(super) fn matching(&mut self, found: &Match) {
        self.expr(&found.subject);
        let patterns: Vec<&Pattern> = found.rows.iter().flat_map(|row| &row.patterns).collect();
        self.bands(found.span, &patterns);
        // each element of a tuple has separate bands
        let tuples: Vec<&[Vec<Pattern>]> = patterns.iter().filter_map(|pattern| parts(pattern)).collect();
        for n in 0..tuples.iter().map(|tuple| tuple.len()).max().unwrap_or(0) {
            let column: Vec<&Pattern> = tuples.iter().filter_map(|tuple| tuple.get(n)).flatten().collect();
            self.bands(found.span, &column);
        }
        for (n, row) in found.rows.iter().enumerate() {
            self.under(&row.cites, |f| {
                let head = f.span(row.span.start as usize, body_span(&row.body).start as usize);
                f.clause(head, "when", row.when.as_ref());
                if found.first && n + 1 < found.rows.len() {
                    f.replace(MutationSort::Line, row.span, row.span, "");
                }
                f.body(&row.body);
            });
        }
        for pair in found.rows.windows(2) {
            let (a, b) = (body_span(&pair[0].body), body_span(&pair[1].body));
            if !pair.iter().any(|row| row.patterns.iter().any(binds)) {
                self.under(&pair[0].cites, |f| f.swap(MutationSort::Rows, pair[0].span.to(pair[1].span), a, b));
            }
        }
    }

    pub(super) fn body(&mut self, body: &Body) {
        match body {
            Body::Block(block) => self.block(block),
            Body::Stmt(stmt) => self.statement(stmt, true),
            Body::Value(value) => self.expr(value),
            Body::Lasts(Some(until), _) => self.replace(MutationSort::Condition, until.span, until.span, "none"),
            Body::Lasts(None, _) => {}
        }
    }

    /// Changes the numbers in a pattern outside a match.
    pub(super) fn pattern(&mut self, shown: Span, pattern: &Pattern) {
        let mut found = Vec::new();
        bounds(pattern, &mut found);
        for bound in found {
            self.number_in(MutationSort::Number, shown, bound.span, &bound.number);
        }
    }

    /// Moves borders between bands. Both sides of a border are moved together, so that no gap or overlap results.
    fn bands(&mut self, shown: Span, patterns: &[&Pattern]) {
        let mut found = Vec::new();
        patterns.iter().for_each(|pattern| bounds(pattern, &mut found));
        // borders in half steps: below n is 2n - 1, above n is 2n + 1
        let step = |n: i64| n * 2 / 1000;
        let borders = |bound: &PatternBound| {
            let at = step(bound.number.thousandths);
            // only integers have a successor
            let above = if bound.number.unit == Unit::Plain { at + 1 } else { at };
            let below = if bound.number.unit == Unit::Plain { at - 1 } else { at };
            match bound.edge {
                Edge::Low => (below, below),
                Edge::High => (above, above),
                Edge::Both => (below, above),
            }
        };
        order::sort_by_key(&mut found, |bound| (borders(bound), bound.span));
        let mut groups: Vec<((i64, i64), Vec<&PatternBound>)> = Vec::new();
        for bound in &found {
            let (low, high) = borders(bound);
            match groups.last_mut() {
                Some(((_, top), group)) if low <= *top => {
                    group.push(bound);
                    *top = (*top).max(high);
                }
                _ => groups.push(((low, high), vec![bound])),
            }
        }
        for (_, group) in groups {
            for by in [1, -1] {
                let edits: Option<Vec<(Span, String)>> =
                    group.iter().map(|bound| Some((bound.span, written(&bound.number, by)?))).collect();
                let spans = group.iter().map(|bound| bound.span);
                let place = spans.clone().min().and_then(|low| Some(low.to(spans.max()?)));
                let place = place.map_or(shown, |place| self.lines(place));
                self.push(MutationSort::Band, place, edits.unwrap_or_default());
            }
        }
    }

    /// Returns the whole lines around a span, without surrounding blanks.
    pub(super) fn lines(&self, span: Span) -> Span {
        let (start, end) = (span.start as usize, span.end as usize);
        let first = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let last = self.text[end..].find('\n').map_or(self.text.len(), |at| end + at);
        let line = &self.text[first..last];
        let blank = line.len() - line.trim_start().len();
        self.span(first + blank, first + line.trim_end().len())
    }

    pub(super) fn table(&mut self, table: &Table) {
        let two = table.keys.len() > 1;
        let rows = &table.rows;
        let side = rows.iter().skip(usize::from(two)).filter_map(|row| row.cells.first());
        let top = rows.iter().take(usize::from(two)).flat_map(|row| row.cells.iter().skip(1));
        for cells in [side.collect::<Vec<&Cell>>(), top.collect()] {
            let all: Vec<&Pattern> = cells.iter().filter_map(|cell| cell.as_keys()).flatten().collect();
            if let Some(first) = all.first() {
                self.bands(first.span, &all);
            }
        }
        let body = &rows[usize::from(two).min(rows.len())..];
        for (n, row) in body.iter().enumerate() {
            for (m, cell) in row.cells.iter().enumerate().skip(1) {
                let others = [body.get(n + 1), n.checked_sub(1).and_then(|n| body.get(n))];
                let below = others.into_iter().flatten().filter_map(|row| row.cells.get(m));
                let beside = row.cells.iter().skip(1);
                let own = self.slice(cell.span).trim();
                let other = below.chain(beside).map(|c| self.slice(c.span).trim()).find(|t| *t != own && !t.is_empty());
                let shown = row.span;
                self.under(&row.cites, |f| match cell.as_value().map(|v| v.kind) {
                    Some(ExprKind::Number(number)) => {
                        f.number_in(MutationSort::Cell, shown, trimmed(f, cell.span), &number)
                    }
                    _ => other
                        .iter()
                        .for_each(|other| f.replace(MutationSort::Cell, shown, trimmed(f, cell.span), *other)),
                });
            }
        }
    }
}

fn parts(pattern: &Pattern) -> Option<&[Vec<Pattern>]> {
    if let PatternKind::Tuple(parts) = &pattern.kind { Some(parts) } else { None }
}

fn trimmed(finder: &Finder<'_>, span: Span) -> Span {
    let text = finder.slice(span);
    let start = span.start as usize + text.len() - text.trim_start().len();
    finder.span(start, start + text.trim().len())
}

fn body_span(body: &Body) -> Span {
    match body {
        Body::Block(block) => block.span,
        Body::Stmt(stmt) => stmt.span,
        Body::Value(value) => value.span,
        Body::Lasts(_, span) => *span,
    }
}

/// Returns whether a pattern binds a name.
fn binds(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Some(_) | PatternKind::Kind { .. } => true,
        PatternKind::SomeKind { bound, .. } | PatternKind::Past { bound, .. } => bound.is_some(),
        PatternKind::Tuple(parts) => parts.iter().flatten().any(binds),
        _ => false,
    }
}

/// Collects the numbers at the ends of a pattern. Tuples are excluded, because their elements belong to different
/// values.
fn bounds(pattern: &Pattern, found: &mut Vec<PatternBound>) {
    let mut add = |e: &Expr, edge: Edge| {
        if let ExprKind::Number(number) = e.kind {
            found.push(PatternBound { number, span: e.span, edge });
        }
    };
    match &pattern.kind {
        PatternKind::Over(low, high) => {
            add(low, Edge::High);
            high.iter().for_each(|high| add(high, Edge::High));
        }
        PatternKind::Under(high) => add(high, Edge::Low),
        PatternKind::AtLeast(low) => add(low, Edge::Low),
        PatternKind::AtMost(high) => add(high, Edge::High),
        PatternKind::Value(value) => add(value, Edge::Both),
        PatternKind::To(low, high, under) => {
            add(low, Edge::Low);
            add(high, if *under { Edge::Low } else { Edge::High });
        }
        _ => {}
    }
}
