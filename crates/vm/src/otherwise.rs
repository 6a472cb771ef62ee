//! Counterfactuals of a move for traces: its result under other readings, and what a move without a path would need.

use super::bodies::table;
use super::drive::{Hindrance, Leaned};
use super::fixed_index::others;
use super::judging::judge;
use super::motion::{Rules, in_reach, lines_of, rules_of, solid};
use super::{Game, State};
use grognard_base::value::plain::{Value, Words};
use grognard_board::motion::{Judge, Line, Path, Pose, Problem, Solution, canonical, settle};
use grognard_board::{Body, LIMIT, Point, Table};
use grognard_program::{LineCode, MoveAgain, MoveCode};
use std::cell::Cell;

/// A move that was decided and not yet made.
pub(super) struct Tried<'a> {
    pub(super) code: &'a MoveCode,
    pub(super) thing: i64,
    /// The movers, as bodies and as packed things.
    pub(super) bodies: &'a [Body],
    pub(super) packed: &'a [i64],
    /// The path of the move, or `None` if the search found no path.
    pub(super) path: Option<&'a Path>,
    /// Whether a player chose the path. Under another reading the path is then the same if it is allowed.
    pub(super) chosen: bool,
    /// Remaining steps for counterfactual searches, shared by the whole run.
    pub(super) left: Cell<u64>,
}

impl Tried<'_> {
    /// Returns the result as text.
    pub(super) fn here(&self) -> Words {
        rendered(self.path, "stuck")
    }

    /// Returns the readings that affect the result, each with the results of its other alternatives.
    pub(super) fn leaned(&self, game: &Game, state: &mut State) -> Leaned {
        let Some(again) = &self.code.again else { return Vec::new() };
        let heap = state.heap.len();
        let here = self.here();
        let now = self.lines(game, state, again);
        let mut found = Vec::new();
        for reading in &again.readings {
            let (at, width) = game.layout.settings[reading.at()];
            let current = state.cells[at..at + width].to_vec();
            let mut others = Vec::new();
            for (cells, name) in &game.program.schema.settings[reading.at()].alternatives {
                if *cells == current {
                    continue;
                }
                // settings are part of the state, so another reading is tried by writing it temporarily
                state.cells[at..at + width].copy_from_slice(cells);
                let lines = self.lines(game, state, again);
                let gives = match lines {
                    None => None,
                    same if same == now && !again.asked.contains(reading) => Some(here.clone()),
                    _ => self.result(game, state, &again.lines),
                };
                state.cells[at..at + width].copy_from_slice(&current);
                state.heap.truncate(heap);
                others.extend(gives.map(|gives| (name.clone(), gives)));
            }
            if others.iter().any(|(_, gives)| *gives != here) {
                found.push((*reading, others));
            }
        }
        state.heap.truncate(heap);
        found
    }

    /// Returns the lines under the current settings, or `None` if they cannot be evaluated.
    fn lines(&self, game: &Game, state: &mut State, again: &MoveAgain) -> Option<Vec<(usize, Line)>> {
        judge(game, state, again.fragment, None).ok()?;
        let around = others(game, state, self.packed, in_reach(state, &again.lines, self.bodies));
        Some(lines_of(game, state, &again.lines, &around))
    }

    /// Returns the evaluator of the rules for one more search.
    fn rules<'r>(&'r self, game: &'r Game, state: &State) -> Rules<'r> {
        let mut rules = rules_of(game, state, self.code, self.thing);
        rules.left = self.left.get();
        rules
    }

    /// Ends a search and returns whether it completed without a fault.
    fn over(&self, rules: &Rules<'_>) -> bool {
        self.left.set(rules.left);
        rules.fault.is_none()
    }

    /// Returns the result of the move with these lines, whose operands are in their registers.
    fn result(&self, game: &Game, state: &State, lines: &[LineCode]) -> Option<Words> {
        let around = others(game, state, self.packed, in_reach(state, lines, self.bodies));
        let found = lines_of(game, state, lines, &around);
        let mut rules = self.rules(game, state);
        let mut problem = Problem {
            movers: self.bodies.to_vec(),
            table: table(game),
            things: solid(&around),
            lines: found,
            grid: game.grid,
            judge: &mut rules,
        };
        let gives = match self.path.filter(|_| self.chosen) {
            Some(path) => rendered(settle(&mut problem, path.end).ok().as_ref(), "refused"),
            None => rendered(canonical(&mut problem).path(), "stuck"),
        };
        self.over(&rules).then_some(gives)
    }

    /// Returns what keeps a move from having a path: each line, the things in its way, or the edge of the table.
    ///
    /// Each of them is listed only if there is a path without it.
    pub(super) fn hindered_by(&self, game: &Game, state: &State) -> Vec<Hindrance> {
        let around = others(game, state, self.packed, in_reach(state, &self.code.lines, self.bodies));
        let lines = lines_of(game, state, &self.code.lines, &around);
        let lets_through = |change: &dyn Fn(&mut Problem<'_>)| {
            let mut rules = self.rules(game, state);
            let mut problem = Problem {
                movers: self.bodies.to_vec(),
                table: table(game),
                things: solid(&around),
                lines: lines.clone(),
                grid: game.grid,
                judge: &mut rules,
            };
            change(&mut problem);
            let found = !matches!(canonical(&mut problem), Solution::Impossible(_));
            self.over(&rules) && found
        };
        let mut found = Vec::new();
        for (id, _) in &lines {
            if lets_through(&|problem| problem.lines.retain(|(n, _)| n != id)) {
                let line = self.code.lines.get(*id);
                found.extend(line.map(|l| Hindrance::Line { line: l.text.clone(), clauses: l.cites.clone() }));
            }
        }
        if !around.is_empty() && lets_through(&|problem| problem.things.clear()) {
            found.push(Hindrance::Things);
        }
        if self.has_room(game, state, &around, &lines) {
            found.push(Hindrance::Edge);
        }
        found
    }

    /// Returns whether the move has a path on a table enlarged on every side. Returns `false` for a move without a
    /// length.
    fn has_room(&self, game: &Game, state: &State, around: &[(i64, Body)], lines: &[(usize, Line)]) -> bool {
        let Some((low, high)) = in_reach(state, &self.code.lines, self.bodies) else { return false };
        let by = (high.x - low.x).max(high.y - low.y).min(LIMIT / 4);
        let mut rules = Shifted { rules: self.rules(game, state), by };
        let shift = |bodies: &[Body]| bodies.iter().map(|b| shifted(b, by)).collect::<Vec<Body>>();
        let things: Vec<(i64, Body)> = around.iter().map(|(packed, body)| (*packed, shifted(body, by))).collect();
        let line = |line: &Line| match line {
            Line::Toward(bodies) => Line::Toward(shift(bodies)),
            Line::EndsWithin { distance, of } => Line::EndsWithin { distance: *distance, of: shift(of) },
            Line::NoNearerTo(groups) => Line::NoNearerTo(groups.iter().map(|g| shift(g)).collect()),
            Line::AwayFrom(points) => Line::AwayFrom(points.iter().map(|p| moved(*p, by)).collect()),
            Line::Along(points) => Line::Along(points.iter().map(|p| moved(*p, by)).collect()),
            Line::AtLeast(_) | Line::AtMost(_) | Line::Exactly(_) | Line::Heading { .. } => line.clone(),
            Line::StraightFor(_) | Line::KeepsFacing | Line::BendsAtMost(_) => line.clone(),
            Line::Avoids(_) | Line::Through(_) | Line::StopsOnContact(_) => line.clone(),
            Line::EndsWhere | Line::NeverWhere | Line::StopsWhere | Line::Costs => line.clone(),
        };
        let Table { width, height } = table(game);
        let mut problem = Problem {
            movers: shift(self.bodies),
            table: Table { width: width + 2 * by, height: height + 2 * by },
            things: solid(&things),
            lines: lines.iter().map(|(id, l)| (*id, line(l))).collect(),
            grid: game.grid,
            judge: &mut rules,
        };
        let found = !matches!(canonical(&mut problem), Solution::Impossible(_));
        self.over(&rules.rules) && found
    }
}

fn moved(point: Point, by: i64) -> Point {
    Point::new(point.x + by, point.y + by)
}

fn shifted(body: &Body, by: i64) -> Body {
    Body { at: moved(body.at, by), ..body.clone() }
}

/// Evaluates rules for a table that was enlarged by `by` on each side.
struct Shifted<'a> {
    rules: Rules<'a>,
    by: i64,
}

impl Judge for Shifted<'_> {
    fn holds(&mut self, line: usize, pose: Pose) -> bool {
        self.rules.holds(line, Pose { at: moved(pose.at, -self.by), ..pose })
    }

    fn cost(&mut self, line: usize, at: Point) -> Option<i64> {
        self.rules.cost(line, moved(at, -self.by))
    }
}

fn rendered(path: Option<&Path>, none: &str) -> Words {
    match path {
        Some(Path { end, covered, .. }) => {
            Words::default().value(Value::Point(end.x, end.y)).text(" after ").value(Value::Length(*covered))
        }
        None => Words::default().text(none),
    }
}
