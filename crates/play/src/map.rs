//! Data for a picture of a run: the initial positions, and the moves, removals and measurements in its trace.

mod measured;

use super::record::{Event, What, kept};
use grognard_base::OrdMap;
use grognard_base::value::plain::ShortText;
use grognard_base::value::*;
use grognard_board::{Body, LIMIT, Point, Shape};
use grognard_rules::ruleset::FieldSort;
use grognard_scenario::Scenario;
use grognard_vm::{Game, Pure, State, call_onward};

/// A thing that is on the table at some time.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its name.
    pub name: String,
    /// The area that it covers.
    pub shape: Shape,
    /// Whether it is a playing piece, as opposed to terrain or a marker.
    pub fights: bool,
    /// Index of its owner in [`Map::sides`].
    pub side: Option<usize>,
    /// Name of its group.
    pub group: Option<String>,
    /// Its kind, and the values of its enum fields: `Area: LightWoods, Soft`.
    pub class: String,
}

/// Position of a piece; `at` is `None` off the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stand {
    /// Its point, or `None` off the table.
    pub at: Option<Point>,
    /// Direction of its front, in hundredths of a degree.
    pub facing: i64,
}

/// A distance that the run measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// Start point.
    pub from: Point,
    /// End point.
    pub to: Point,
    /// The distance and its limit: `4.5", within reach`.
    pub label: String,
    /// Number of moves completed before the measurement.
    pub after: usize,
}

/// One move of a thing, or of all members of a group.
#[derive(Clone, Debug)]
pub struct Move {
    /// Name of the mover.
    pub who: ShortText,
    /// Indices of the pieces that moved.
    pub pieces: Vec<usize>,
    /// Waypoints of the path of each piece.
    pub via: Vec<Vec<Point>>,
    /// Distance covered, or `None` for a piece that was placed.
    pub covered: Option<Value>,
    /// The rule in which it happened.
    pub rule: ShortText,
    /// Lines that the move satisfies, with their clauses.
    pub kept: Vec<(String, Vec<ShortText>)>,
    /// Positions of all pieces before the move.
    pub before: Vec<Stand>,
    /// Positions of all pieces after the move.
    pub after: Vec<Stand>,
}

/// A run as pictures show it.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// Title of the map.
    pub name: String,
    /// Width and height of the table in thousandths of an inch, if the scenario gives them.
    pub size: Option<(i64, i64)>,
    /// Names of the sides that own pieces.
    pub sides: Vec<String>,
    /// All pieces: those of the scenario in its order, then those added later.
    pub pieces: Vec<Piece>,
    /// Positions at the start.
    pub start: Vec<Stand>,
    /// Positions at the end.
    pub end: Vec<Stand>,
    /// Pieces that left play, each with the number of moves completed before.
    pub gone: Vec<(usize, usize)>,
    /// Moves, in order.
    pub moves: Vec<Move>,
    /// Measurements, in order, without duplicates.
    pub ranges: Vec<Range>,
    /// Whether facing matters: a piece does not face up at the start, or is turned.
    pub faces: bool,
}

impl Map {
    /// Creates the map of a scenario's start, or `None` if no piece is on the table.
    pub fn of(scenario: &Scenario, name: &str) -> Option<Map> {
        Map::at(scenario, &scenario.game.start, name)
    }

    /// Creates the map of a state, with the named pieces that are on the table.
    pub fn at(scenario: &Scenario, state: &State, name: &str) -> Option<Map> {
        let game = &scenario.game;
        let kinds = &game.program.schema.kinds;
        let owned = kinds.iter().any(|k| k.on_board && k.owner.is_some());
        let groups = groups(game);
        let mut map = Map { name: name.to_string(), ..Map::default() };
        map.size = Some(game.size).filter(|(w, h)| *w < LIMIT && *h < LIMIT);
        for (k, names) in game.names.iter().enumerate() {
            let kind = KindId::from(k);
            for (n, name) in names.iter().enumerate() {
                let thing = n as i64;
                let Some(body) = game.body(state, kind, thing) else { continue };
                let side = owner(game, kind, thing).map(|name| map.side(name));
                map.faces |= body.facing != 0 && matches!(body.shape, Shape::Disc { .. });
                map.start.push(Stand { at: Some(body.at), facing: body.facing });
                map.pieces.push(Piece {
                    name: name.clone(),
                    fights: if owned { kinds[k].owner.is_some() } else { matches!(body.shape, Shape::Disc { .. }) },
                    shape: body.shape,
                    side,
                    group: groups.get(&(kind, thing)).cloned(),
                    class: class(game, kind, thing),
                });
            }
        }
        map.end.clone_from(&map.start);
        (!map.pieces.is_empty()).then_some(map)
    }

    fn side(&mut self, name: String) -> usize {
        self.sides.iter().position(|s| *s == name).unwrap_or_else(|| {
            self.sides.push(name);
            self.sides.len() - 1
        })
    }

    /// Adds the events of a trace.
    pub fn follow(&mut self, events: &[Event]) {
        for event in events {
            self.change(event);
            self.look(event);
        }
    }

    /// Returns the body of a piece at its current position.
    fn body(&self, piece: usize) -> Option<Body> {
        let Stand { at, facing } = self.end[piece];
        Some(Body { at: at?, facing, shape: self.pieces[piece].shape.clone() })
    }

    /// Returns the pieces with a name: one piece, or the members of a group.
    fn named(&self, name: &str) -> Vec<usize> {
        match self.pieces.iter().position(|p| p.name == name) {
            Some(piece) => vec![piece],
            None => (0..self.pieces.len()).filter(|p| self.pieces[*p].group.as_deref() == Some(name)).collect(),
        }
    }

    fn change(&mut self, event: &Event) {
        match &event.what {
            What::Moved { thing, before, via, after, covered, facing } => {
                let (from, to) = (at(before), at(after));
                let all = self.named(thing);
                let pieces = if all.is_empty() { vec![self.came(thing)] } else { all };
                let earlier = self.end.clone();
                let mut bends = Vec::new();
                for piece in &pieces {
                    let stand = &mut self.end[*piece];
                    let aside = stand.at.zip(from).map_or((0, 0), |(at, from)| (at.x - from.x, at.y - from.y));
                    bends.push(via.iter().filter_map(at).map(|p| p.shifted(aside.0, aside.1)).collect());
                    stand.at = match (stand.at, from, to) {
                        // the members of a group keep their relative positions
                        (Some(at), Some(from), Some(to)) => Some(at.shifted(to.x - from.x, to.y - from.y)),
                        (_, _, to) => to,
                    };
                    stand.facing = facing.as_ref().and_then(angle).unwrap_or(stand.facing);
                }
                self.moves.push(Move {
                    who: thing.clone(),
                    pieces,
                    via: bends,
                    covered: covered.clone(),
                    rule: event.rule.clone(),
                    kept: Vec::new(),
                    before: earlier,
                    after: self.end.clone(),
                });
            }
            What::Kept { line, asked, .. } => {
                if let Some(last) = self.moves.last_mut() {
                    last.kept.push((kept(line, asked.as_ref()), event.clauses.clone()));
                }
            }
            What::Turned { thing, after, .. } => {
                self.faces = true;
                for piece in self.named(thing) {
                    self.end[piece].facing = angle(after).unwrap_or(self.end[piece].facing);
                }
            }
            What::Destroyed { thing, .. } => {
                if let Some(piece) = self.pieces.iter().position(|p| p.name == *thing)
                    && !self.gone.iter().any(|(p, _)| *p == piece)
                {
                    self.gone.push((piece, self.moves.len()));
                }
            }
            _ => {}
        }
    }

    /// Adds a piece that did not exist at the start.
    fn came(&mut self, name: &str) -> usize {
        self.pieces.push(Piece {
            name: name.to_string(),
            shape: Shape::Disc { radius: 0 },
            fights: true,
            side: None,
            group: None,
            class: String::new(),
        });
        let nowhere = Stand { at: None, facing: 0 };
        for places in self.moves.iter_mut().flat_map(|m| [&mut m.before, &mut m.after]) {
            places.push(nowhere);
        }
        self.start.push(nowhere);
        self.end.push(nowhere);
        self.pieces.len() - 1
    }
}

/// Returns the group of each thing that belongs to one.
pub fn groups(game: &Game) -> OrdMap<(KindId, i64), String> {
    let mut found = OrdMap::new();
    for (k, names) in game.names.iter().enumerate() {
        for (n, name) in names.iter().enumerate() {
            for member in game.members(&game.start, KindId::from(k), n as i64) {
                found.insert(member, name.clone());
            }
        }
    }
    found
}

/// Returns the ultimate owner of a thing, who decides for it.
pub fn owner(game: &Game, kind: KindId, thing: i64) -> Option<String> {
    let (mut kind, mut thing, mut steps) = (kind, thing, 0);
    while let Some(field) = game.program.schema.kinds[kind.at()].owner {
        let info = &game.program.schema.fields[field.at()];
        let Type::Kind(of) = info.ty.present() else { return None };
        let cell = match info.sort {
            FieldSort::Let(func) => {
                let mut state = game.start.clone();
                let mut pure = Pure::pure(game);
                call_onward(game, &mut state, &mut pure, func, &[thing]).ok()?;
                state.stack.first().copied()?
            }
            _ => game.start.cells[game.layout.field(field, thing, 0)],
        };
        if cell < 0 {
            return None;
        }
        (kind, thing, steps) = (*of, cell, steps + 1);
        // chains of owners are short; a cycle is rejected earlier
        if steps > game.program.schema.kinds.len() {
            return None;
        }
    }
    (steps > 0).then(|| game.name(kind, thing))
}

/// Returns a text such as `Area: LightWoods, Soft`: the kind, its enum values, and whether it blocks sight.
fn class(game: &Game, kind: KindId, thing: i64) -> String {
    let rules = &game.program.schema;
    let info = &rules.kinds[kind.at()];
    let mut words = Vec::new();
    for id in &info.fields {
        let field = &rules.fields[id.at()];
        let stored = matches!(field.sort, FieldSort::Stat | FieldSort::State) && field.keys.is_empty();
        let cell = |id: FieldId| game.start.cells[game.layout.field(id, thing, 0)];
        if stored && matches!(field.ty.present(), Type::Enum(_)) && cell(*id) >= 0 {
            words.push(game.tell(&game.start, &field.ty, &[cell(*id)]));
        }
        if stored && info.blocks == Some(*id) && cell(*id) == 1 {
            words.push("blocks sight".to_string());
        }
    }
    if words.is_empty() { info.name.clone() } else { format!("{}: {}", info.name, words.join(", ")) }
}

fn at(value: &Value) -> Option<Point> {
    if let Value::Point(x, y) = value { Some(Point::new(*x, *y)) } else { None }
}

fn angle(value: &Value) -> Option<i64> {
    if let Value::Angle(angle) = value { Some(*angle) } else { None }
}
