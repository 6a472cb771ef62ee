//! Moves: translates the lines of a move into a problem of the board, and checks a scripted answer line by line.

use super::ask::{decide, record_decision};
use super::board::{face, move_to};
use super::bodies::{Bodies, body_of, members, place, point_of, table, think};
use super::context::With;
use super::drive::*;
use super::fixed_index::others;
use super::judgements::{Judgement, Judgements};
use super::judging::judge_asking;
use super::otherwise::Tried;
use super::state::JudgedMove;
use super::{Fault, Game, Handle, State};
use grognard_base::value::*;
use grognard_base::{Budget, Code, Meter};
use grognard_board::motion::{
    Judge, Line, Met, Path, Pose, Problem, Refusal, Searched, Solution, Thing, canonical, ends_after, settle,
};
use grognard_board::{Body, Bounds, LIMIT, Point, bounds_of, widened};
use grognard_program::{Ask, Constraint, Fragment, LineCode, LinePart, MoveCode, MovePart, Reg};
use std::cell::Cell;
use std::rc::Rc;

/// Queries the driver for a move, checks it and makes it.
pub(super) fn make_move(
    game: &Game,
    state: &mut State,
    with: &mut With<'_>,
    ask: &Ask,
    code: &MoveCode,
) -> Result<Flow, Fault> {
    let base = state.base as usize;
    let thing = state.stack[base + code.thing as usize];
    let movers = movers_of(game, state, code.kind, thing);
    let bodies: Vec<Body> = movers.iter().filter_map(|(kind, m)| body_of(game, state, *kind, *m)).collect();
    if bodies.is_empty() {
        no_path(game, state, with, code, thing, "it is not on the board", &[]);
        return Ok(Flow::Go);
    }
    let packed: Vec<i64> = movers.iter().map(|(kind, m)| pack_thing(*kind, *m)).collect();
    let around = others(game, state, &packed, in_reach(state, &code.lines, &bodies));
    if let Some(line) = without_target(game, state, &code.lines) {
        no_path(
            game,
            state,
            with,
            code,
            thing,
            &format!("all things that `{}` names are off the board", line.text),
            &[],
        );
        return Ok(Flow::Go);
    }
    let lines = lines_of(game, state, &code.lines, &around);
    let solid = solid(&around);
    let mut rules = rules_of(game, state, code, thing);
    rules.meter = with.drivers.decide().meter();
    let movers = if with.traced { bodies.clone() } else { Vec::new() };
    let mut chosen = false;
    let outcome = 'search: {
        let mut problem =
            Problem { movers: bodies, table: table(game), things: solid, lines, grid: game.grid, judge: &mut rules };
        let known = with.drivers.decide().known();
        let solution = match known {
            Some(_) => None,
            None => Some(canonical(&mut problem)),
        };
        if !problem.judge.work(0) {
            break 'search Err(Why::Cut);
        }
        let open = solution.as_ref().is_none_or(|found| matches!(found, Solution::Free(_)));
        match decide(game, state, with, ask, Form::Move { open })? {
            None => return Ok(Flow::Wait),
            Some(Answer::Point(x, y)) => {
                chosen = true;
                settle(&mut problem, Point::new(x, y))
                    .map_err(|refusals| refused(game, code, &around, (x, y), &refusals))
            }
            Some(Answer::List) => {
                chosen = true;
                let paths = known.unwrap_or_else(|| {
                    let first = solution.and_then(|found| found.path().cloned());
                    ends_after(&mut problem, first, MOST_ENDS).paths.into()
                });
                if !problem.judge.work(0) {
                    break 'search Err(Why::Cut);
                }
                with.drivers.decide().found(&paths);
                let cells: Vec<i64> = paths.iter().flat_map(|p| [p.end.x, p.end.y]).collect();
                let form = Form::Choose { candidates: &cells, width: 2, or_none: false };
                let Some(chosen) = decide(game, state, with, ask, form)? else { return Ok(Flow::Wait) };
                let picked = chosen.among(paths.len()).ok_or_else(|| super::fault::not_on_menu(game, ask))?;
                Ok(paths[picked].clone())
            }
            Some(_) => match solution.unwrap_or_else(|| canonical(&mut problem)) {
                Solution::Forced(path) => {
                    with.source = "";
                    Ok(path)
                }
                Solution::Free(path) => Ok(path),
                Solution::Impossible(searched) => Err(Why::Nowhere(looked_at(&searched))),
            },
        }
    };
    if let Some(fault) = rules.fault {
        return Err(fault);
    }
    if matches!(outcome, Err(Why::Cut)) {
        // the caller that counts work knows the reason
        return Ok(Flow::Wait);
    }
    let left = Cell::new(with.hints);
    let tried = Tried { code, thing, bodies: &movers, packed: &packed, path: outcome.as_ref().ok(), chosen, left };
    let asks_why = with.drivers.trace().asks_why();
    let leaned = if asks_why { tried.leaned(game, state) } else { Vec::new() };
    match &outcome {
        Ok(path) => travel(game, state, with, ask, code, thing, path, &around),
        Err(Why::Nowhere(why)) => {
            let but = if asks_why { tried.hindered_by(game, state) } else { Vec::new() };
            no_path(game, state, with, code, thing, why, &but);
        }
        Err(Why::Refused(message)) => return Err(Fault::new(Code::Script, message.clone())),
        Err(Why::Cut) => {}
    }
    with.hints = tried.left.get();
    if !leaned.is_empty() {
        let here = tried.here();
        with.tell(game, state, &MachineEvent::Leaned { here: &here, leaned: &leaned });
    }
    Ok(Flow::Go)
}

/// Creates the evaluator of the rules for a move in the current state.
pub(super) fn rules_of<'a>(game: &'a Game, state: &State, code: &'a MoveCode, thing: i64) -> Rules<'a> {
    let start = point_of(game, state, code.kind, thing).unwrap_or_default();
    let mut aside = State::default();
    if code.lines.iter().any(|line| line.judged().is_some()) {
        aside.clone_from(state);
        let facing = super::bodies::facing_of(game, state, code.kind, thing);
        aside.judged = Some(JudgedMove { mover: pack_thing(code.kind, thing), start, facing });
    }
    let known = code.lines.iter().map(|line| Judgements::of(game, line)).collect();
    let cell = |(kind, m): (KindId, i64)| {
        let at = game.layout.kinds[kind.at()].place + 3 * m as usize + 2;
        (at, state.cells[at])
    };
    let facings = movers_of(game, state, code.kind, thing).into_iter().map(cell).collect();
    Rules { game, aside, code, thing, start, facings, known, left: game.fuel, meter: None, fault: None }
}

/// Evaluates conditions and costs during the search for a path, with the mover put at the tried position.
pub(super) struct Rules<'a> {
    game: &'a Game,
    /// A copy of the state for evaluation; empty if no line has code.
    aside: State,
    code: &'a MoveCode,
    thing: i64,
    start: Point,
    /// The facings of the movers: cell and value.
    facings: Vec<(usize, i64)>,
    /// Kept judgments of each line.
    known: Vec<Option<Judgements>>,
    /// Remaining number of steps.
    pub(super) left: u64,
    /// The meter that counts the steps, or `None` if they are not counted.
    meter: Option<Rc<Meter>>,
    pub(super) fault: Option<Fault>,
}

impl Judge for Rules<'_> {
    fn holds(&mut self, line: usize, pose: Pose) -> bool {
        let Some(fragment) = self.code.lines[line].judged() else { return true };
        if !self.work(1) {
            return false;
        }
        let (kind, thing) = (self.code.kind, self.thing);
        move_to(self.game, &mut self.aside, kind, thing, Some(pose.at));
        face(self.game, &mut self.aside, kind, thing, pose.facing);
        let held = self.judged(line, fragment, None);
        move_to(self.game, &mut self.aside, kind, thing, Some(self.start));
        for (at, facing) in &self.facings {
            self.aside.cells[*at] = *facing;
        }
        held.is_some_and(|cell| cell != 0)
    }

    fn cost(&mut self, line: usize, at: Point) -> Option<i64> {
        let LineCode { point, .. } = self.code.lines[line];
        let (Some(point), Some(cost)) = (point, self.code.lines[line].judged()) else { return Some(1) };
        if !self.work(1) {
            return None;
        }
        self.judged(line, cost, Some((point, at))).filter(|cost| *cost != NONE)
    }

    fn work(&mut self, steps: u64) -> bool {
        if self.fault.is_some() || self.meter.as_ref().is_some_and(|m| !m.work(steps.saturating_mul(Budget::MOVE))) {
            return false;
        }
        match self.left.checked_sub(steps) {
            Some(left) => self.left = left,
            None => {
                let message = format!(
                    "the search for one move takes more than {} steps: paths it examines, and conditions and costs it \
                     evaluates",
                    self.game.fuel
                );
                self.fault = Some(Fault::new(Code::LongMove, message));
            }
        }
        self.fault.is_none()
    }
}

impl Rules<'_> {
    /// Returns the value of a line in the copied state, or `None` if it fails. `point` is the tried point, if the line
    /// has one.
    fn judged(&mut self, line: usize, fragment: Fragment, point: Option<(Reg, Point)>) -> Option<i64> {
        let known = self.known[line].as_ref();
        if let Some(known) = known.and_then(|k| k.find(self.game, &mut self.aside, point.map(|(_, at)| at))) {
            let Judgement { cell, rounds } = *known;
            self.asked(rounds);
            return Some(cell);
        }
        let heap = self.aside.heap.len();
        let keeping = self.known[line].as_ref().is_some_and(Judgements::open);
        let mut judge = |noting: bool| {
            // the point itself must not be visible to a result that is kept
            let cells = point.map(|(reg, at)| (reg, if noting { [THOUGHT, think(at)] } else { [at.x, at.y] }));
            let entry = cells.as_ref().map(|(reg, cells)| (*reg, cells.as_slice()));
            let judged = judge_asking(self.game, &mut self.aside, fragment, entry, noting);
            self.aside.heap.truncate(heap);
            judged
        };
        let mut judged = judge(keeping);
        if keeping && judged.cells.is_err() {
            // the fault message can contain the point
            judged = judge(false);
        }
        self.asked(judged.rounds);
        match judged.cells {
            Ok(cells) => {
                let judgement = Judgement { cell: cells[0], rounds: judged.rounds };
                if let Some(known) = self.known[line].as_mut().filter(|_| keeping) {
                    known.keep(&judged.asked, point.is_some(), judgement);
                }
                Some(cells[0])
            }
            Err(fault) => {
                self.fault.get_or_insert(fault);
                None
            }
        }
    }

    /// Counts the rounds and calls of an evaluation against the meter.
    fn asked(&self, rounds: u64) {
        if let Some(meter) = &self.meter {
            // if the budget is used up, the next step ends the search
            meter.work(rounds.div_ceil(Budget::ROUNDS));
        }
    }
}

/// Maximum number of listed end points.
const MOST_ENDS: usize = 1_000;

/// Returns a description of the search that found no path.
fn looked_at(searched: &Searched) -> String {
    let mut words = vec![match (searched.named, searched.apart) {
        (0, 0) => "the route".to_string(),
        (1, 0) => "the one bearing that the lines name".to_string(),
        (n, 0) => format!("the {n} bearings that the lines name"),
        (_, apart) => format!("bearings no more than {} apart", angle(apart)),
    }];
    if searched.bent > 0 {
        words.push(format!("paths with bends: {}", searched.bent));
    }
    if searched.points > 0 {
        words.push(format!("points of the grid: {}", searched.points));
    }
    format!("no legal path; searched: {}", words.join("; "))
}

/// Returns whether a line counts now: it has no condition, or the condition holds.
fn is_active(state: &State, line: &LineCode) -> bool {
    line.active.is_none_or(|r| state.stack[state.base as usize + r as usize] != 0)
}

/// Returns the box that a move cannot leave if its lines limit its length. With `costs`, a length is not a distance.
pub(super) fn in_reach(state: &State, lines: &[LineCode], bodies: &[Body]) -> Option<Bounds> {
    let base = state.base as usize;
    let mut most: Option<i64> = None;
    for line in lines.iter().filter(|line| is_active(state, line)) {
        match (line.asks, line.number()) {
            (Constraint::Costs, _) => return None,
            (Constraint::AtMost | Constraint::Exactly, Some(r)) => {
                let length = state.stack[base + r as usize].max(0);
                most = Some(most.map_or(length, |m| m.min(length)));
            }
            _ => {}
        }
    }
    // a body that turns can reach further by its width
    let wide = |b: &Body| (b.bounds().1.x - b.bounds().0.x).max(b.bounds().1.y - b.bounds().0.y);
    let turned = bodies.iter().map(wide).max().unwrap_or(0);
    most.map(|most| widened(bounds_of(bodies), most.min(LIMIT) + turned + 100))
}

/// Reasons for a move without a path.
enum Why {
    Nowhere(String),
    Refused(String),
    /// The search ended before it was complete.
    Cut,
}

/// Returns the individual things that move.
fn movers_of(game: &Game, state: &State, kind: KindId, thing: i64) -> Vec<(KindId, i64)> {
    match game.program.schema.kinds[kind.at()].group {
        Some((field, member)) => members(game, state, field, thing).into_iter().map(|m| (member, m)).collect(),
        None => vec![(kind, thing)],
    }
}

/// Returns the bodies that block movement: those with an extent, not points.
pub(super) fn solid(around: &[(i64, Body)]) -> Vec<Thing> {
    around
        .iter()
        .enumerate()
        .filter(|(_, (_, body))| body.shape != grognard_board::Shape::Disc { radius: 0 })
        .map(|(n, (_, body))| Thing::new(n as u32, body.clone()))
        .collect()
}

/// Returns the lines that currently apply.
pub(super) fn lines_of(game: &Game, state: &State, code: &[LineCode], around: &[(i64, Body)]) -> Vec<(usize, Line)> {
    code.iter()
        .enumerate()
        .filter(|(_, line)| is_active(state, line))
        .map(|(n, line)| (n, line_of(game, state, line, around)))
        .collect()
}

/// Returns the first active line that needs a target and names only things off the board. A place that is `none` names nothing.
fn without_target<'c>(game: &Game, state: &State, code: &'c [LineCode]) -> Option<&'c LineCode> {
    code.iter().filter(|line| is_active(state, line)).find(|line| {
        let named = places_of(state, line);
        matches!(line.asks, Constraint::Toward | Constraint::AwayFrom | Constraint::Along)
            && named.iter().any(|cells| cells[0] != NONE)
            && named.iter().all(|cells| place(game, state, *cells).is_empty())
    })
}

/// Returns the places that a line names, two cells each.
fn places_of(state: &State, line: &LineCode) -> Vec<[i64; 2]> {
    line.places().map_or(Vec::new(), |r| {
        let list = super::Handle::of(state.stack[state.base as usize + r as usize]);
        state.heap[list.at..list.at + 2 * list.len].chunks(2).map(|c| [c[0], c[1]]).collect()
    })
}

fn line_of(game: &Game, state: &State, line: &LineCode, around: &[(i64, Body)]) -> Line {
    let base = state.base as usize;
    let numbers = line.parts.iter().filter_map(|part| match part {
        LinePart::Number(r) => Some(state.stack[base + *r as usize]),
        LinePart::Places(_) | LinePart::Judged(_) => None,
    });
    let numbers: Vec<i64> = numbers.collect();
    let number = numbers.first().copied().unwrap_or(0);
    let named = places_of(state, line);
    let groups = || named.iter().map(|c| place(game, state, *c));
    let bodies = || groups().flatten().collect();
    let points = || groups().flatten().map(|b| b.at).collect();
    let ids = || -> Vec<u32> {
        let named: Vec<i64> = named.iter().filter(|c| c[0] == THING).map(|c| c[1]).collect();
        (0..around.len() as u32).filter(|n| named.contains(&around[*n as usize].0)).collect()
    };
    match line.asks {
        Constraint::AtLeast => Line::AtLeast(number),
        Constraint::AtMost => Line::AtMost(number),
        Constraint::Exactly => Line::Exactly(number),
        Constraint::Toward => Line::Toward(bodies()),
        Constraint::AwayFrom => Line::AwayFrom(points()),
        Constraint::NoNearerTo => Line::NoNearerTo(groups().filter(|g| !g.is_empty()).map(Bodies::into_vec).collect()),
        Constraint::EndsWithin => Line::EndsWithin { distance: number, of: bodies() },
        Constraint::Heading => Line::Heading { from: number, to: numbers.get(1).copied().unwrap_or(number) },
        Constraint::StraightFor => Line::StraightFor(number),
        Constraint::KeepsFacing => Line::KeepsFacing,
        Constraint::BendsAtMost => Line::BendsAtMost(number),
        Constraint::Avoids => Line::Avoids(ids()),
        Constraint::Through => Line::Through(ids()),
        Constraint::StopsOnContact => Line::StopsOnContact(line.places().map(|_| ids())),
        Constraint::EndsWhere => Line::EndsWhere,
        Constraint::NeverWhere => Line::NeverWhere,
        Constraint::StopsWhere => Line::StopsWhere,
        Constraint::Costs => Line::Costs,
        Constraint::Along => Line::Along(points()),
    }
}

/// Returns the message for a scripted end point that violates lines.
fn refused(game: &Game, code: &MoveCode, around: &[(i64, Body)], end: (i64, i64), refusals: &[Refusal]) -> Why {
    let at = Value::Point(end.0, end.1);
    let words: Vec<String> = refusals.iter().map(|r| refusal(game, code, around, r)).collect();
    Why::Refused(format!("a move to {at} is not legal: {}", words.join("; ")))
}

fn refusal(game: &Game, code: &MoveCode, around: &[(i64, Body)], refusal: &Refusal) -> String {
    use grognard_board::motion::Fault as Broken;
    let line = refusal.line.and_then(|n| code.lines.get(n));
    let rule = line.map_or(String::new(), |l| {
        let cites = if l.cites.is_empty() { String::new() } else { format!(" [{}]", l.cites.join(" ")) };
        format!(" (`{}`{cites})", l.text)
    });
    let (wanted, got) = (refusal.wanted, refusal.got);
    let what = match refusal.fault {
        Broken::TooShort => format!("it is {} long, but must be at least {}", length(got), length(wanted)),
        Broken::TooLong => format!("it is {} long, but at most {} is allowed", length(got), length(wanted)),
        Broken::NotToward => format!("it goes at {}, but the direction there is {}", angle(got), angle(wanted)),
        Broken::NotAway => format!("it goes at {}, but the direction out is {}", angle(got), angle(wanted)),
        Broken::Nearer { .. } => format!("it ends {} away, but began {} away", length(got), length(wanted)),
        Broken::TooFar => format!("it ends {} away, but at most {} is allowed", length(got), length(wanted)),
        Broken::OffHeading => {
            format!("it starts at {}, but {} is the nearer side of the fan", angle(got), angle(wanted))
        }
        Broken::Blocked(Met::Edge) => format!("the table's edge stops it after {}", length(got)),
        Broken::Blocked(Met::Thing(n)) => {
            let name = around.get(n as usize).map_or(String::new(), |(packed, _)| game.packed_name(*packed));
            format!("{name} stops it after {}", length(got))
        }
        Broken::Blocked(Met::Nothing) => format!("it is stopped after {}", length(got)),
        Broken::Condition => "its condition is false".to_string(),
        Broken::Closed => format!("the ground is impassable after {}", length(got)),
        Broken::TooBent => format!("it bends {} in total, but at most {} is allowed", angle(got), angle(wanted)),
        Broken::BentTooSoon => {
            format!("it bends after {}, but the first {} must be straight", length(got), length(wanted))
        }
        Broken::OffRoute => format!("it ends {} off the route", length(got)),
    };
    format!("{what}{rule}")
}

/// Records that there is no path, so that `else` runs.
fn no_path(
    game: &Game,
    state: &mut State,
    with: &mut With<'_>,
    code: &MoveCode,
    thing: i64,
    why: &str,
    but: &[Hindrance],
) {
    let base = state.base as usize;
    let leg = base + code.leg as usize;
    state.stack[leg..leg + 4].copy_from_slice(&[0, NONE, 0, 0]);
    state.stack[base + code.moved as usize] = 0;
    if with.traced {
        with.tell(game, state, &MachineEvent::Stuck { kind: code.kind, thing, why, but });
    }
}

/// Makes the move along a path.
#[allow(clippy::too_many_arguments)] // the context of the move and its path
fn travel(
    game: &Game,
    state: &mut State,
    with: &mut With<'_>,
    ask: &Ask,
    code: &MoveCode,
    thing: i64,
    path: &Path,
    around: &[(i64, Body)],
) {
    let from = point_of(game, state, code.kind, thing);
    if with.traced {
        record_decision(game, state, with, ask, &[], &Value::Point(path.end.x, path.end.y));
    }
    move_to(game, state, code.kind, thing, Some(path.end));
    if path.facing != super::bodies::facing_of(game, state, code.kind, thing) {
        face(game, state, code.kind, thing, path.facing);
    }
    let (met, of) = match path.met {
        Met::Nothing => (NONE, 0),
        Met::Edge => (EDGE, 0),
        Met::Thing(n) => around.get(n as usize).map_or((NONE, 0), |(packed, _)| {
            let (kind, thing) = unpack_thing(*packed);
            (i64::from(kind.0), thing)
        }),
    };
    let crossed: Vec<i64> =
        path.crossed.iter().filter_map(|n| around.get(*n as usize)).map(|(packed, _)| *packed).collect();
    let base = state.base as usize;
    let crossed = state.new_list(&crossed, 1);
    let leg = base + code.leg as usize;
    state.stack[leg..leg + 4].copy_from_slice(&[path.covered, met, of, crossed]);
    state.stack[base + code.moved as usize] = 1;
    if with.traced {
        let from = from.map(|p| (p.x, p.y));
        let to = Some((path.end.x, path.end.y));
        let via: Vec<(i64, i64)> = path.corners.iter().map(|p| (p.x, p.y)).collect();
        let covered = path.covered;
        with.tell(game, state, &MachineEvent::Moved { kind: code.kind, thing, from, via: &via, to, covered });
        for line in code.lines.iter().filter(|line| is_active(state, line)) {
            let asked = asked_of(state, line);
            let near = line.places().filter(|_| line.asks == Constraint::EndsWithin).map_or(&[][..], |places| {
                let list = Handle::of(state.stack[base + places as usize]);
                state.heap.get(list.at..list.at + 2 * list.len).unwrap_or_default()
            });
            with.tell(game, state, &MachineEvent::Kept { line, asked, near });
        }
        let said = code.lines.iter().any(|line| is_active(state, line) && line.asks == Constraint::StopsOnContact);
        let by = match path.met {
            Met::Nothing => None,
            Met::Edge => Some("the edge of the table".to_string()),
            Met::Thing(_) => Some(game.name(KindId(met as u32), of)),
        };
        if let Some(by) = by.filter(|_| !said) {
            with.tell(game, state, &MachineEvent::Remark(&Remark::Stopped { by }));
        }
    }
}

/// Returns the length that a line requires, or `None` if it has none.
fn asked_of(state: &State, line: &LineCode) -> Option<i64> {
    let length = line.asks.parts().next() == Some(MovePart::Length);
    line.number().filter(|_| length).map(|r| state.stack[state.base as usize + r as usize])
}
