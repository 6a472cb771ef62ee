//! The observation of an environment: the table of a run as one row of numbers, with the description of each.

use super::text;
use grognard_base::value::{KindId, NONE, THING, Type, unpack_thing};
use grognard_program::schema::FieldSort;
use grognard_vm::{Game, State, UNSET, What};

/// The range of a number without known bounds.
const WIDE: (i64, i64) = (-(1 << 31), (1 << 31) - 1);
/// Maximum number of statuses of one kind on a thing.
const STATUSES: i64 = 255;

/// One number of an observation.
pub struct Entry {
    pub name: String,
    /// The kind of number: `int`, `flag`, `length`, `angle`, `thing`, `word`, `die`, `count`.
    pub kind: &'static str,
    /// The smallest value, which means that there is none.
    pub low: i64,
    pub high: i64,
    from: From,
}

/// Where a number comes from.
enum From {
    /// The part of the run with this number; see [`Here`].
    Run(usize),
    /// A cell of the state plus a shift.
    Cell { at: usize, shift: i64, member: Option<(usize, i64)> },
}

/// The layout of an observation.
pub struct Layout {
    pub entries: Vec<Entry>,
    /// The names of all things, in the order of their numbers.
    pub things: Vec<String>,
    /// For each kind, the number of its first thing.
    first: Vec<i64>,
}

/// The part of an observation that is outside the cells of the state: agent, choice, subject, number of chosen entries, round,
/// phase, actor. -1 is none.
pub struct Here {
    pub agent: i64,
    pub choice: i64,
    pub subject: i64,
    pub chosen: i64,
    pub rounds: u64,
}

impl Layout {
    pub fn new(game: &Game, agents: usize, choices: usize) -> Layout {
        let schema = &game.program.schema;
        let (mut first, mut things) = (Vec::new(), Vec::new());
        for (kind, layout) in game.layout.kinds.iter().enumerate() {
            first.push(things.len() as i64);
            things.extend((0..layout.slots as i64).map(|n| game.name(KindId::from(kind), n)));
        }
        let mut layout = Layout { entries: Vec::new(), things, first };
        let last_thing = (layout.things.len() as i64 - 1).max(0);
        let head = [
            ("asked.agent", "word", agents as i64 - 1),
            ("asked.choice", "word", choices as i64 - 1),
            ("asked.subject", "thing", last_thing),
            ("asked.chosen", "count", WIDE.1),
            ("round", "count", WIDE.1),
            ("phase", "word", schema.phases.len() as i64 - 1),
            ("actor", "thing", last_thing),
        ];
        for (n, (name, kind, high)) in head.into_iter().enumerate() {
            let (name, from) = (name.to_string(), From::Run(n));
            layout.entries.push(Entry { name, kind, low: -1, high: high.max(0), from });
        }
        for (kind, declared) in schema.kinds.iter().enumerate() {
            let at = game.layout.kinds[kind];
            for n in 0..at.slots as i64 {
                let thing = game.name(KindId::from(kind), n);
                layout.cell(format!("{thing} in play"), ("flag", 0, 1), at.alive + n as usize);
                if declared.on_board {
                    let place = at.place + 3 * n as usize;
                    layout.cell(format!("{thing}.at.x"), ("length", WIDE.0, WIDE.1), place);
                    layout.cell(format!("{thing}.at.y"), ("length", WIDE.0, WIDE.1), place + 1);
                    layout.cell(format!("{thing}.facing"), ("angle", 0, 36_000), place + 2);
                }
                for id in &declared.fields {
                    let field = &schema.fields[id.at()];
                    if !matches!(field.sort, FieldSort::State | FieldSort::Link) {
                        continue;
                    }
                    let columns = game.layout.fields[id.at()].figures as i64;
                    for key in 0..columns {
                        let keys = keys(game, &field.keys, key);
                        let name = format!("{thing}.{}{keys}", field.name);
                        layout.stored(
                            game,
                            &name,
                            &field.ty,
                            game.layout.fields[id.at()],
                            game.layout.field(*id, n, key),
                        );
                    }
                }
                for (status, base) in schema.traits.iter().zip(&game.layout.bears) {
                    if status.on == KindId::from(kind) {
                        let name = format!("{thing}.{}", status.name);
                        layout.cell(name, ("count", 0, STATUSES), base + n as usize);
                    }
                }
            }
        }
        let kept = schema.globals.iter().zip(&game.layout.globals).filter(|(global, _)| !global.hidden);
        for (global, at) in kept {
            layout.stored(game, &global.name, &global.ty, *at, at.base);
        }
        layout
    }

    fn cell(&mut self, name: String, (kind, low, high): (&'static str, i64, i64), at: usize) {
        self.entry(name, (kind, low - 1, high, 0), at, None);
    }

    fn entry(
        &mut self,
        name: String,
        (kind, low, high, shift): (&'static str, i64, i64, i64),
        at: usize,
        member: Option<(usize, i64)>,
    ) {
        self.entries.push(Entry { name, kind, low, high, from: From::Cell { at, shift, member } });
    }

    /// Adds a stored value. A list is its length and its entries.
    fn stored(&mut self, game: &Game, name: &str, ty: &Type, layout: grognard_vm::FieldLayout, at: usize) {
        match ty.present() {
            Type::List(inner) if layout.entry > 0 => {
                self.cell(format!("{name}.size"), ("count", 0, layout.room() as i64), at);
                for n in 0..layout.room() {
                    let (from, member) = (at + 1 + n * layout.entry, Some((at, n as i64)));
                    self.scalars(game, &format!("{name}[{n}]"), inner, from, member);
                }
            }
            ty => self.scalars(game, name, ty, at, None),
        }
    }

    /// Adds each cell of a value.
    fn scalars(&mut self, game: &Game, name: &str, ty: &Type, at: usize, member: Option<(usize, i64)>) {
        let schema = &game.program.schema;
        let (low, high) = WIDE;
        let last = |count: usize| (count as i64 - 1).max(0);
        let one = match ty {
            Type::Optional(inner) => return self.scalars(game, name, inner, at, member),
            Type::Int(range) => ("int", range.low.max(low) - 1, range.high.min(high), 0),
            Type::Flag => ("flag", -1, 1, 0),
            Type::Length => ("length", low - 1, high, 0),
            Type::Angle => ("angle", -1, 36_000, 0),
            Type::Enum(id) => ("word", -1, last(schema.enums[id.at()].cases.len()), 0),
            Type::Chain(id) => ("die", -1, last(schema.chains[id.at()].dice.len()), 0),
            Type::Kind(kind) => {
                let first = self.first[kind.at()];
                ("thing", -1, first + last(game.layout.kinds[kind.at()].slots), first)
            }
            Type::Ratio => {
                return self.parts(game, name, &[("num", Type::Unknown), ("den", Type::Unknown)], at, member);
            }
            Type::Place | Type::Route => {
                return self.parts(game, name, &[("x", Type::Length), ("y", Type::Length)], at, member);
            }
            Type::Record(id) => {
                let fields = schema.records[id.at()].fields.clone();
                let parts: Vec<(&str, Type)> = fields.iter().map(|(name, ty)| (name.as_str(), ty.clone())).collect();
                return self.parts(game, name, &parts, at, member);
            }
            Type::Tuple(types) => {
                let parts: Vec<(&str, Type)> = types.iter().map(|ty| ("part", ty.clone())).collect();
                return self.parts(game, name, &parts, at, member);
            }
            _ => ("int", low - 1, high, 0),
        };
        self.entry(name.to_string(), one, at, member);
    }

    fn parts(&mut self, game: &Game, name: &str, parts: &[(&str, Type)], at: usize, member: Option<(usize, i64)>) {
        let mut at = at;
        for (part, ty) in parts {
            self.scalars(game, &format!("{name}.{part}"), ty, at, member);
            at += game.program.schema.width(ty).max(1);
        }
    }

    /// Returns the number of a packed thing, or -1.
    pub fn thing(&self, packed: i64) -> i64 {
        if packed < 0 {
            return -1;
        }
        let (kind, n) = unpack_thing(packed);
        self.first.get(kind.at()).map_or(-1, |first| first + n)
    }

    /// Writes the observation of a state.
    pub fn observe(&self, state: &State, here: &Here, out: &mut [i64]) {
        let phase = state.running.iter().rev().find_map(|r| match r.what {
            What::Phase(id) => Some(id.at() as i64),
            What::Action(_) => None,
        });
        let actor = state.running.iter().rev().find(|r| matches!(r.what, What::Action(_))).map_or(-1, |r| r.actor);
        let rounds = i64::try_from(here.rounds).unwrap_or(i64::MAX);
        let actor = self.thing(actor);
        let run = [here.agent, here.choice, here.subject, here.chosen, rounds, phase.unwrap_or(-1), actor];
        for (Entry { low, high, from, .. }, out) in self.entries.iter().zip(out) {
            let value = match from {
                From::Run(n) => run[*n],
                From::Cell { member: Some((size, n)), .. } if state.cells[*size] <= *n => *low,
                From::Cell { at, shift, .. } => match state.cells[*at] {
                    NONE | UNSET | THING => *low,
                    cell => cell.saturating_add(*shift),
                },
            };
            *out = value.clamp(*low, *high);
        }
    }
}

/// Returns the keys of an entry of a field: `[Clear]`.
fn keys(game: &Game, keys: &[(Type, i64)], entry: i64) -> String {
    let mut words = Vec::new();
    let mut rest = entry;
    for (ty, count) in keys.iter().rev() {
        words.insert(0, text(game, &game.start, ty, &[rest % count]));
        rest /= count;
    }
    if words.is_empty() { String::new() } else { format!("[{}]", words.join(", ")) }
}
