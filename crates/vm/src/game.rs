//! A program bound to one scenario: its things, the layout of its values, and the settings of the scenario.

use super::layout::{Linked, Pairs, Step};
use super::memo::Memoised;
use super::state::State;
use grognard_base::value::dice::name as hash_name;
use grognard_base::value::plain::ShortText;
use grognard_base::value::*;
use grognard_board::Shape;
use grognard_program::flow::Kept;
use grognard_program::schema::{FieldSort, Stored};
use grognard_program::{Pc, Program, Ran};

/// A program bound to one scenario: everything that a run needs and does not modify.
#[derive(Clone, Debug)]
pub struct Game {
    /// The compiled rules.
    pub program: Program,
    /// Location of each value.
    pub layout: Layout,
    /// The code specialized for the fast loop.
    pub(super) linked: Linked,
    /// Names of things, by kind and index.
    pub names: Vec<Vec<String>>,
    /// Hashes of the names, which key the dice of a subject.
    pub keys: Vec<Vec<u64>>,
    /// Hashes of site addresses.
    pub sites: Vec<u64>,
    /// Shapes of things, by kind and index.
    pub shapes: Vec<Vec<Shape>>,
    /// Spatial index of the things that no rule moves.
    pub ground: super::fixed_index::FixedIndex,
    /// Width and height of the table in thousandths of an inch.
    pub size: (i64, i64),
    /// Mesh width of listed moves, in thousandths of an inch.
    pub grid: i64,
    /// Stand-ins replaced by the scenario, by function.
    pub stand_ins: Vec<Option<StandIn>>,
    /// Maximum number of loop rounds and calls in one step.
    pub fuel: u64,
    /// Maximum call depth.
    pub depth: usize,
    /// Coverage flags.
    pub ran: Ran,
    /// For each function with scripted stand-in answers: the index of its cursor.
    pub cursors: Vec<Option<usize>>,
    /// The state before the first step.
    pub start: State,
}

/// Replacement of an extern by the scenario.
#[derive(Clone, Debug)]
pub enum StandIn {
    /// One constant result.
    Value(Vec<i64>),
    /// Results in call order.
    Script(Vec<Vec<i64>>),
    /// Results with weights.
    Odds(Vec<(u64, Vec<i64>)>),
    /// Results by the first argument, a cell. Other arguments use the default.
    By(Vec<(i64, Vec<i64>)>),
    /// A function that replaces the body.
    Body(FuncId),
}

/// Location of each value in [`State::cells`].
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Cells of each kind.
    pub kinds: Vec<KindLayout>,
    /// Cells of each field.
    pub fields: Vec<FieldLayout>,
    /// First cell and number of cells of each param or reading. They are constants of a run.
    pub settings: Vec<(usize, usize)>,
    /// Cells of each top-level state, with one entry and no owner.
    pub globals: Vec<FieldLayout>,
    /// For each trait: first cell of the number of instances on each thing.
    pub bears: Vec<usize>,
    /// Total number of cells.
    pub size: usize,
}

/// Cells of a kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct KindLayout {
    /// Number of slots, the maximum number of things.
    pub slots: usize,
    /// Number of things that the scenario can have, including those that rules create.
    pub room: usize,
    /// Cell with the number of things created so far.
    pub used: usize,
    /// First cell of the flags whether each thing is alive.
    pub alive: usize,
    /// First cell of the positions: x, y and facing of each thing. Only for kinds on the board.
    pub place: usize,
}

/// Cells of a field or a top-level state.
#[derive(Clone, Copy, Debug, Default)]
pub struct FieldLayout {
    /// First cell.
    pub base: usize,
    /// Number of cells of one entry. For a list, 1 plus the cells of its capacity.
    pub width: usize,
    /// Number of entries for each thing: more than 1 for a field with keys.
    pub figures: usize,
    /// Number of cells of a list entry, or 0 if the field is not a list.
    pub entry: usize,
    /// Whether each thing has one cell: no list and no keys.
    pub plain: bool,
}

/// Default capacity of a stored list, in entries.
const STORED_LIST: usize = 64;

impl FieldLayout {
    /// Returns a value in stored form, or `None` if it is too long. A list is its length, then its entries, then zeros.
    pub fn stored(&self, mut cells: Vec<i64>) -> Option<Vec<i64>> {
        if let Some(entries) = cells.len().checked_div(self.entry) {
            cells.insert(0, entries as i64);
        }
        (cells.len() <= self.width).then(|| {
            cells.resize(self.width, 0);
            cells
        })
    }

    /// Returns the capacity of the list in entries; 0 for a value that is not a stored list.
    pub fn room(&self) -> usize {
        self.width.saturating_sub(1).checked_div(self.entry).unwrap_or(0)
    }
}

impl Layout {
    /// Lays out a table. `slots` is the number of slots of each kind, `room` the number of things of each kind that the
    /// scenario can have, and `list_room` the capacity of a stored list in entries.
    pub fn new(program: &Program, slots: &[usize], room: &[usize], list_room: Option<usize>) -> Layout {
        let rules = &program.schema;
        let mut at = 0;
        let mut take = |n: usize| {
            let base = at;
            at += n;
            base
        };
        // cells of a value, and of an entry if it is a list
        let sizes = |ty: &Type| {
            let Type::List(inner) = ty.present() else { return (rules.width(ty.present()).max(1), 0) };
            let room = if let Type::Kind(kind) = **inner {
                room[kind.at()].max(1)
            } else {
                list_room.unwrap_or(STORED_LIST).min(10_000)
            };
            (1 + room * rules.width(inner), rules.width(inner))
        };
        let settings = rules
            .settings
            .iter()
            .map(|s| {
                let width = rules.width(&s.ty).max(1);
                (take(width), width)
            })
            .collect();
        let kinds: Vec<KindLayout> = rules
            .kinds
            .iter()
            .zip(slots.iter().zip(room))
            .map(|(kind, (&slots, &room))| KindLayout {
                slots,
                room,
                used: take(1),
                alive: take(slots),
                place: if kind.on_board { take(3 * slots) } else { 0 },
            })
            .collect();
        let fields = rules
            .fields
            .iter()
            .map(|field| {
                let stored = matches!(field.sort, FieldSort::Stat | FieldSort::State | FieldSort::Link);
                if !stored {
                    return FieldLayout::default();
                }
                let (width, entry) = sizes(&field.ty);
                let figures = field.keys.iter().map(|(_, n)| *n as usize).product::<usize>().max(1);
                let slots = kinds[field.kind.at()].slots;
                FieldLayout {
                    base: take(slots * width * figures),
                    width,
                    figures,
                    entry,
                    plain: width == 1 && figures == 1 && entry == 0,
                }
            })
            .collect();
        let globals = rules
            .globals
            .iter()
            .map(|g| {
                let (width, entry) = sizes(&g.ty);
                FieldLayout { base: take(width), width, figures: 1, entry, plain: width == 1 && entry == 0 }
            })
            .collect();
        let bears = rules.traits.iter().map(|t| take(kinds[t.on.at()].slots)).collect();
        Layout { settings, kinds, fields, globals, bears, size: at }
    }

    /// Returns the layout of a slot.
    pub fn stored(&self, slot: Stored) -> &FieldLayout {
        match slot {
            Stored::Field(id) => &self.fields[id.at()],
            Stored::Global(id) => &self.globals[id.at()],
        }
    }

    /// Returns the cells of a slot. `thing` is the owner if the slot is a field.
    pub fn cells(&self, slot: Stored, thing: i64) -> std::ops::Range<usize> {
        let at = match slot {
            Stored::Field(id) => self.field(id, thing, 0),
            Stored::Global(id) => self.globals[id.at()].base,
        };
        at..at + self.stored(slot).width
    }

    /// Returns the first cell of a field entry of a thing.
    pub fn field(&self, id: FieldId, thing: i64, key: i64) -> usize {
        let f = &self.fields[id.at()];
        f.base + (thing as usize * f.figures + key as usize) * f.width
    }
}

impl Game {
    /// Returns the cached analyses of the code.
    pub fn facts(&self) -> &Kept {
        &self.linked.facts
    }

    /// Returns whether the stand-in of a function is deterministic: equal arguments always have equal results.
    pub(super) fn gives_the_same(&self, func: FuncId) -> bool {
        match self.stand_ins.get(func.at()).and_then(Option::as_ref) {
            None | Some(StandIn::Value(_) | StandIn::By(_)) => true,
            Some(StandIn::Script(_) | StandIn::Odds(_) | StandIn::Body(_)) => false,
        }
    }

    /// Returns the loop over pairs of entries that begins at `pc`, or `None` if it does not exist.
    pub fn pairs(&self, pc: Pc) -> Option<&Pairs> {
        let Step::Pairs { at } = self.linked.steps[pc as usize] else { return None };
        Some(&self.linked.pairs[at as usize])
    }

    /// Returns the hashes of the addresses of all sites (`Declaration.roll`).
    pub fn site_keys(program: &Program) -> Vec<u64> {
        program.schema.sites.iter().map(|s| hash_name(&program.address(s))).collect()
    }

    /// Returns which functions can be memoized, computed at the first call.
    pub(super) fn memoised(&self) -> &Memoised {
        self.linked.memoised.get_or_init(|| Memoised::of(self))
    }

    /// Returns the name of a thing.
    pub fn name(&self, kind: KindId, thing: i64) -> String {
        self.label(kind, thing).into()
    }

    /// Returns the name of a thing as a short text, for traces.
    pub fn label(&self, kind: KindId, thing: i64) -> ShortText {
        match self.names[kind.at()].get(thing as usize) {
            Some(name) => name.into(),
            None => ShortText::from(format_args!("{}#{}", self.program.schema.kinds[kind.at()].name, thing + 1)),
        }
    }

    /// Returns the name of a packed thing, or an empty text for -1.
    pub fn packed_name(&self, cell: i64) -> String {
        self.packed(cell).unwrap_or_default().into()
    }

    /// Returns the key of a subject for dice; 0 for -1.
    pub fn subject_key(&self, cell: i64) -> u64 {
        if cell < 0 {
            return 0;
        }
        let (kind, thing) = unpack_thing(cell);
        match self.keys[kind.at()].get(thing as usize) {
            Some(key) => *key,
            None => hash_name(&self.name(kind, thing)),
        }
    }

    /// Returns the cells of all settings in this scenario, which are the first cells of every state.
    pub fn settings(&self) -> &[i64] {
        let end = self.layout.settings.last().map_or(0, |(at, width)| at + width);
        &self.start.cells[..end]
    }

    /// Returns the value of a setting in this scenario.
    pub fn setting(&self, id: SettingId) -> &[i64] {
        let (at, width) = self.layout.settings[id.at()];
        &self.start.cells[at..at + width]
    }

    /// Returns the thing with a name and its kind, or `None` if it does not exist.
    pub fn thing(&self, name: &str) -> Option<(KindId, i64)> {
        self.names
            .iter()
            .enumerate()
            .find_map(|(k, names)| names.iter().position(|n| n == name).map(|i| (KindId::from(k), i as i64)))
    }

    /// Returns the site of a stand-in with odds. Its address is the name of the function.
    pub fn stand_in_site(&self, func: FuncId) -> SiteId {
        SiteId::from(self.program.schema.sites.len() + func.at())
    }

    /// Returns the key of a site for dice.
    pub fn site_key(&self, site: SiteId) -> u64 {
        match self.sites.get(site.at()) {
            Some(key) => *key,
            None => {
                let func = site.at() - self.sites.len();
                let name = self.program.functions.get(func).map_or("", |f| f.name.as_str());
                hash_name(&format!("extern.{name}"))
            }
        }
    }
}
