//! Checks the positions of the things: on the table, without overlaps, and with sides that do not cross.

use super::build::Builder;
use grognard_base::{Code, Span};
use grognard_board::{Body, Index, Point, Shape, TOUCH, Table, gap};

impl Builder<'_> {
    /// Checks all positions. It requires the size of the table and all things.
    pub(super) fn check_positions(&mut self) {
        let table = self.setup.size.map(|(width, height)| Table { width, height });
        let placed: Vec<(usize, Body)> = self
            .setup
            .things
            .iter()
            .enumerate()
            .filter_map(|(n, spec)| {
                let (x, y) = spec.at?;
                Some((n, Body { at: Point::new(x, y), facing: spec.facing, shape: spec.shape.clone() }))
            })
            .collect();
        for (n, body) in &placed {
            if let Some(table) = table {
                self.on_table(*n, body, table);
            }
        }
        self.overlaps(&placed);
    }

    fn named(&self, n: usize) -> (String, Span) {
        (self.setup.things[n].name.clone(), self.table.all[n].span)
    }

    /// Checks that a thing is on the table. An area must be partly on it, a model completely.
    fn on_table(&mut self, n: usize, body: &Body, table: Table) {
        let area = matches!(body.shape, Shape::Polygon(_));
        let (low, high) = body.bounds();
        let reaches = high.x > 0 && high.y > 0 && low.x < table.width && low.y < table.height;
        if table.holds(body) || area && reaches {
            return;
        }
        let (name, span) = self.named(n);
        let message = if table.holds(&Body::point(body.at)) {
            format!("`{name}` extends over the edge of the table")
        } else {
            format!("`{name}` is off the table")
        };
        let help = if area {
            "give the corners of a `shape` in inches right and up from the lower left corner of the table"
        } else {
            "give `at = [x, y]` in inches right and up from the lower left corner; omit it for a thing that is not on \
             the table"
        };
        self.say_help(Code::OffTable, span, message, help);
    }

    /// Checks that models of the same kind do not overlap. A model can be on a round piece of ground.
    fn overlaps(&mut self, placed: &[(usize, Body)]) {
        let index = Index::new(placed.iter().map(|(_, body)| body.bounds()));
        for (at, (n, body)) in placed.iter().enumerate() {
            let solid = |b: &Body| matches!(b.shape, Shape::Disc { radius } if radius > 0);
            if !solid(body) {
                continue;
            }
            let kind = self.setup.things[*n].kind;
            let over = index.within(body.bounds()).into_iter().find(|other| {
                let (m, there) = &placed[*other];
                // rounding can make touching bases overlap slightly
                let less = Body::disc(there.at, (there.radius() - TOUCH).max(0));
                *other > at && self.setup.things[*m].kind == kind && solid(there) && gap(body, &less).is_zero()
            });
            if let Some(other) = over {
                let ((name, first), (second, span)) = (self.named(*n), self.named(placed[other].0));
                let message = format!("the bases of `{name}` and `{second}` overlap");
                self.problems
                    .push(grognard_base::Diagnostic::new(Code::BasesOverlap, span, message).and(first, "the other"));
            }
        }
    }
}
