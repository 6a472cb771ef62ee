//! Builds a table: things, their values, defaults, and the start state.

use super::context::Pure;
use super::linker::link;
use super::run::{call, given};
use super::state::UNSET;
use super::{Fault, FieldLayout, Game, Layout, StandIn, State};
use grognard_base::Code;
use grognard_base::value::dice::name as hash_name;
use grognard_base::value::*;
use grognard_board::Shape;
use grognard_program::schema::FieldSort;
use grognard_program::{Instr, Program, Ran};

/// Description of a table by a scenario or an example, in ids and cells.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Things, in scenario order within their kinds.
    pub things: Vec<ThingSpec>,
    /// Settings that differ from those of the ruleset.
    pub settings: Vec<(SettingId, Vec<i64>)>,
    /// Values of top-level states.
    pub globals: Vec<(GlobalId, Vec<i64>)>,
    /// Replaced stand-ins, by function.
    pub stand_ins: Vec<(FuncId, StandIn)>,
    /// Number of slots for things that rules create, by kind. [default: 16]
    pub reserve: Vec<(KindId, usize)>,
    /// Kinds of which the scenario names things that are created later.
    pub named: Vec<KindId>,
    /// Capacity of a stored list, in entries. [default: 64]
    pub list_room: Option<usize>,
    /// Width and height of the table in thousandths of an inch. [default: larger than any game needs]
    pub size: Option<(i64, i64)>,
    /// Mesh width of listed moves in thousandths of an inch. [default: 1,000]
    pub grid: Option<i64>,
    /// Maximum number of loop rounds and calls in a step. [default: 1,000,000]
    pub fuel: Option<u64>,
    /// Maximum call depth. [default: 200]
    pub depth: Option<usize>,
    /// Coverage flags. [default: off]
    pub ran: Ran,
}

impl Setup {
    /// Returns the number of slots for things of a kind that rules create.
    pub fn reserve_of(&self, kind: KindId) -> usize {
        self.reserve.iter().find(|(k, _)| *k == kind).map_or(16, |(_, n)| *n)
    }
}

/// A thing on the table.
#[derive(Clone, Debug)]
pub struct ThingSpec {
    /// Kind of the thing.
    pub kind: KindId,
    /// Name of the thing.
    pub name: String,
    /// Position of the thing, or `None` off the board.
    pub at: Option<(i64, i64)>,
    /// Facing of the thing.
    pub facing: i64,
    /// Shape of the thing.
    pub shape: Shape,
    /// Whether the thing is in play.
    pub alive: bool,
    /// Values: field, index of the key (0 without keys), and cells. A list consists of the cells of its entries.
    pub values: Vec<(FieldId, i64, Vec<i64>)>,
    /// Traits of the thing.
    pub traits: Vec<TraitId>,
    /// Statuses of the thing, with their data.
    pub statuses: Vec<(TraitId, Vec<i64>)>,
}

impl ThingSpec {
    /// Creates a thing without values.
    pub fn new(kind: KindId, name: impl Into<String>) -> ThingSpec {
        ThingSpec {
            kind,
            name: name.into(),
            at: None,
            facing: 0,
            shape: Shape::Disc { radius: 0 },
            alive: true,
            values: Vec::new(),
            traits: Vec::new(),
            statuses: Vec::new(),
        }
    }
}

/// Binds a program to a table and computes the defaults.
///
/// # Errors
///
/// Returns a fault if a list is too long, a default or bound fails, a stat is out of bounds, or a tree link has a
/// cycle.
pub fn set_up(program: Program, setup: Setup) -> Result<Game, Fault> {
    let rules = &program.schema;
    let mut slots: Vec<usize> = vec![0; rules.kinds.len()];
    for thing in &setup.things {
        slots[thing.kind.at()] += 1;
    }
    let room: Vec<usize> = slots.iter().enumerate().map(|(k, n)| n + setup.reserve_of(KindId::from(k))).collect();
    // if no code creates a thing of the kind, no slots are reserved
    let made = program.code.iter().filter_map(|i| if let Instr::Spawn { kind, .. } = i { Some(kind) } else { None });
    for kind in made.chain(&setup.named) {
        slots[kind.at()] = room[kind.at()];
    }
    let layout = Layout::new(&program, &slots, &room, setup.list_room);
    let sites = Game::site_keys(&program);
    let mut game = Game {
        names: vec![Vec::new(); rules.kinds.len()],
        keys: vec![Vec::new(); rules.kinds.len()],
        sites,
        shapes: vec![Vec::new(); rules.kinds.len()],
        ground: super::fixed_index::FixedIndex::default(),
        size: setup.size.unwrap_or((grognard_board::LIMIT, grognard_board::LIMIT)),
        grid: setup.grid.unwrap_or(1000),
        stand_ins: vec![None; program.funcs.len().max(program.functions.len())],
        fuel: setup.fuel.unwrap_or(1_000_000),
        depth: setup.depth.unwrap_or(200),
        ran: setup.ran,
        cursors: vec![None; program.funcs.len().max(program.functions.len())],
        start: State { cells: vec![0; layout.size], ..State::default() },
        linked: link(&program, &layout),
        layout,
        program,
    };
    for (func, stand_in) in setup.stand_ins {
        if matches!(stand_in, StandIn::Script(_)) {
            game.cursors[func.at()] = Some(game.start.cursors.len());
            game.start.cursors.push(0);
        }
        game.stand_ins[func.at()] = Some(stand_in);
    }
    for (n, setting) in game.program.schema.settings.iter().enumerate() {
        let (at, width) = game.layout.settings[n];
        let given = setup.settings.iter().rev().find(|(id, _)| id.at() == n);
        let cells = given.map_or(&setting.value, |(_, cells)| cells);
        game.start.cells[at..at + width.min(cells.len())].copy_from_slice(&cells[..width.min(cells.len())]);
    }
    unset_all(&mut game);
    place_things(&mut game, &setup.things)?;
    game.ground = super::fixed_index::FixedIndex::of(&game);
    game.start.moving = super::moving_index::MovingIndex::of(&game, &game.start);
    for (id, cells) in setup.globals {
        begin_global(&mut game, id, cells)?;
    }
    defaults(&mut game)?;
    for link in game.program.schema.kinds.iter().filter_map(|kind| kind.tree) {
        super::operate::forest(&game, &game.start, link)?;
    }
    Ok(game)
}

/// Marks every stored value as never given.
fn unset_all(game: &mut Game) {
    for (field, info) in game.layout.fields.iter().zip(&game.program.schema.fields) {
        if field.width == 0 {
            continue;
        }
        let slots = game.layout.kinds[info.kind.at()].slots;
        for figure in 0..slots * field.figures {
            game.start.cells[field.base + figure * field.width] = UNSET;
        }
    }
    for kind in &game.layout.kinds {
        if kind.place > 0 {
            for n in 0..kind.slots {
                game.start.cells[kind.place + 3 * n] = NONE;
            }
        }
    }
    for global in &game.layout.globals {
        game.start.cells[global.base] = UNSET;
    }
}

fn place_things(game: &mut Game, things: &[ThingSpec]) -> Result<(), Fault> {
    for spec in things {
        let k = spec.kind.at();
        let layout = game.layout.kinds[k];
        let n = game.names[k].len();
        let cells = &mut game.start.cells;
        cells[layout.used] = n as i64 + 1;
        cells[layout.alive + n] = i64::from(spec.alive);
        if layout.place > 0
            && let Some((x, y)) = spec.at
        {
            cells[layout.place + 3 * n] = x;
            cells[layout.place + 3 * n + 1] = y;
            cells[layout.place + 3 * n + 2] = spec.facing;
        }
        for (field, key, value) in &spec.values {
            let at = game.layout.field(*field, n as i64, *key);
            let layout = game.layout.fields[field.at()];
            let Some(stored) = layout.stored(value.clone()) else {
                let name = &game.program.schema.fields[field.at()].name;
                return Err(no_room(&format!("{}.{name}", spec.name), value, &layout));
            };
            cells[at..at + layout.width].copy_from_slice(&stored);
        }
        for tr in &spec.traits {
            cells[game.layout.bears[tr.at()] + n] += 1;
        }
        for (status, data) in &spec.statuses {
            cells[game.layout.bears[status.at()] + n] += 1;
            game.start.granted.extend_from_slice(&[i64::from(status.0), n as i64]);
            game.start.granted.extend_from_slice(data);
        }
        game.names[k].push(spec.name.clone());
        game.keys[k].push(hash_name(&spec.name));
        game.shapes[k].push(spec.shape.clone());
    }
    Ok(())
}

/// Computes the defaults. They can read other values and defaults, so rounds are repeated until none makes progress.
fn defaults(game: &mut Game) -> Result<(), Fault> {
    let mut open: Vec<(FieldId, FuncId, i64)> = Vec::new();
    for (n, field) in game.program.schema.fields.iter().enumerate() {
        if !matches!(field.sort, FieldSort::Stat | FieldSort::State | FieldSort::Link) {
            continue;
        }
        let optional = matches!(field.ty, Type::Optional(_));
        for thing in 0..game.names[field.kind.at()].len() as i64 {
            let at = game.layout.field(FieldId::from(n), thing, 0);
            match field.default {
                Some(default) => open.push((FieldId::from(n), default, thing)),
                None if game.start.cells[at] == UNSET && (optional || game.layout.fields[n].entry > 0) => {
                    game.start.cells[at] = if optional { NONE } else { 0 };
                }
                None => {}
            }
        }
    }
    loop {
        let before = open.len();
        let mut rest = Vec::new();
        for (field, func, thing) in open {
            if !default_of(game, field, func, thing)? {
                rest.push((field, func, thing));
            }
        }
        if rest.is_empty() || rest.len() == before {
            break;
        }
        open = rest;
    }
    for n in 0..game.program.schema.globals.len() {
        let (layout, global) = (game.layout.globals[n], &game.program.schema.globals[n]);
        if game.start.cells[layout.base] != UNSET {
            continue;
        }
        let cells = match global.default {
            Some(func) => value_of(game, func, &[])?,
            None if layout.entry > 0 => Vec::new(),
            None if matches!(global.ty, Type::Optional(_)) => vec![NONE],
            None => continue,
        };
        begin_global(game, GlobalId::from(n), cells)?;
    }
    bounds(game)
}

/// Writes a default into every value that was not given. Returns `false` if it reads a value that is not known yet.
fn default_of(game: &mut Game, field: FieldId, func: FuncId, thing: i64) -> Result<bool, Fault> {
    let layout = game.layout.fields[field.at()];
    let missing: Vec<usize> = (0..layout.figures)
        .map(|key| game.layout.field(field, thing, key as i64))
        .filter(|at| game.start.cells[*at] == UNSET)
        .collect();
    if missing.is_empty() {
        return Ok(true);
    }
    let cells = match value_of(game, func, &[thing]) {
        Ok(cells) => cells,
        Err(fault) if fault.code == Code::Unset => return Ok(false),
        Err(fault) => return Err(fault),
    };
    let Some(stored) = layout.stored(cells.clone()) else {
        return Err(no_room(&game.program.schema.fields[field.at()].name, &cells, &layout));
    };
    for at in missing {
        game.start.cells[at..at + layout.width].copy_from_slice(&stored);
    }
    Ok(true)
}

/// Writes the start value of a state of the game.
fn begin_global(game: &mut Game, id: GlobalId, cells: Vec<i64>) -> Result<(), Fault> {
    let layout = game.layout.globals[id.at()];
    let name = &game.program.schema.globals[id.at()].name;
    let stored = layout.stored(cells.clone()).ok_or_else(|| no_room(name, &cells, &layout))?;
    game.start.cells[layout.base..layout.base + layout.width].copy_from_slice(&stored);
    Ok(())
}

fn no_room(name: &str, cells: &[i64], layout: &FieldLayout) -> Fault {
    let entries = cells.len().checked_div(layout.entry).unwrap_or(0);
    Fault::new(Code::ListFull, format!("`{name}` has {entries} entries but capacity for {}", layout.room()))
}

/// Applies bounds to the start values: states are clamped, stats must be within them. A bound may itself be clamped,
/// and then the values that it bounds are clamped again.
fn bounds(game: &mut Game) -> Result<(), Fault> {
    let schema = &game.program.schema;
    let slots = schema.fields.len() + schema.globals.len();
    for _ in 0..=slots {
        if !cut_once(game)? {
            break;
        }
    }
    Ok(())
}

/// Clamps all values once and returns whether any changed.
fn cut_once(game: &mut Game) -> Result<bool, Fault> {
    let mut any = false;
    for n in 0..game.program.schema.fields.len() {
        let field = &game.program.schema.fields[n];
        let (sort, low, high, kind) = (field.sort, field.low, field.high, field.kind);
        if !matches!(sort, FieldSort::State | FieldSort::Stat) || game.layout.fields[n].entry > 0 {
            continue;
        }
        let things = game.names[kind.at()].len() as i64;
        let figures = game.layout.fields[n].figures as i64;
        for (thing, figure) in (0..things).flat_map(|thing| (0..figures).map(move |figure| (thing, figure))) {
            let at = game.layout.field(FieldId::from(n), thing, figure);
            for (bound, upper) in [(high, true), (low, false)] {
                let Some((value, cut)) = beyond(game, at, bound, &[thing], upper)? else { continue };
                if sort == FieldSort::Stat {
                    return Err(outside(game, FieldId::from(n), thing, value, cut, upper));
                }
                game.start.cells[at] = cut;
                any = true;
            }
        }
    }
    for n in 0..game.program.schema.globals.len() {
        let (global, layout) = (&game.program.schema.globals[n], game.layout.globals[n]);
        for (bound, upper) in [(global.high, true), (global.low, false)] {
            if layout.entry == 0
                && let Some((_, cut)) = beyond(game, layout.base, bound, &[], upper)?
            {
                game.start.cells[layout.base] = cut;
                any = true;
            }
        }
    }
    Ok(any)
}

/// Returns a value outside its bound, with the bound. Returns `None` if it is within, or if one of them was not given.
fn beyond(
    game: &Game,
    at: usize,
    bound: Option<FuncId>,
    args: &[i64],
    upper: bool,
) -> Result<Option<(i64, i64)>, Fault> {
    let value = game.start.cells[at];
    let Some(func) = bound.filter(|_| value != UNSET && value != NONE) else { return Ok(None) };
    match value_of(game, func, args) {
        Ok(limit) if if upper { value > limit[0] } else { value < limit[0] } => Ok(Some((value, limit[0]))),
        Ok(_) => Ok(None),
        Err(fault) if fault.code == Code::Unset => Ok(None),
        Err(fault) => Err(fault),
    }
}

fn outside(game: &Game, field: FieldId, thing: i64, value: i64, limit: i64, upper: bool) -> Fault {
    let field = &game.program.schema.fields[field.at()];
    let name = &game.names[field.kind.at()][thing as usize];
    let tell = |cell: i64| game.tell(&game.start, &field.ty, &[cell]);
    let most = if upper { "most" } else { "least" };
    let (value, limit) = (tell(value), tell(limit));
    Fault::new(Code::OutOfBounds, format!("`{}` of {name} is {value}, but the {most} it can be is {limit}", field.name))
}

/// Evaluates a pure function in the start state. For a list, returns its entries.
fn value_of(game: &Game, func: FuncId, args: &[i64]) -> Result<Vec<i64>, Fault> {
    let mut state = game.start.clone();
    let mut pure = Pure::pure(game);
    call(game, &mut state, &mut pure, func, args)?;
    Ok(given(game, &state, func))
}

impl Game {
    /// Returns the result of a pure function without parameters in the start state. `ty` is its type.
    ///
    /// # Errors
    ///
    /// Returns the fault that ended the call.
    pub fn result_at_start(&self, func: FuncId, ty: &Type) -> Result<Value, Fault> {
        let mut state = self.start.clone();
        let mut pure = Pure::pure(self);
        call(self, &mut state, &mut pure, func, &[])?;
        let cells = state.stack[..self.program.funcs[func.at()].result as usize].to_vec();
        Ok(self.value(&state, ty, &cells))
    }
}
