//! A program with one table: which things there are, where each value lies, and what the scenario decided.

use super::layout::{Linked, Pairs, Step};
use super::memo::Memoised;
use super::state::State;
use compact_str::format_compact;
use grognard_base::value::dice::name as hash_name;
use grognard_base::value::plain::ShortText;
use grognard_base::value::*;
use grognard_board::Shape;
use grognard_program::flow::Kept;
use grognard_program::schema::{FieldSort, Stored};
use grognard_program::{Pc, Program, Ran};

/// A program bound to one scenario: all that a run needs and nothing that it changes.
#[derive(Clone, Debug)]
pub struct Game {
    /// The code.
    pub program: Program,
    /// Where each value lies.
    pub layout: Layout,
    /// The code as the fast loop runs it.
    pub(super) linked: Linked,
    /// Names of things, by kind and number.
    pub names: Vec<Vec<String>>,
    /// Their hashes: subjects of dice.
    pub keys: Vec<Vec<u64>>,
    /// Hashes of site addresses.
    pub sites: Vec<u64>,
    /// Shapes of things, by kind and number.
    pub shapes: Vec<Vec<Shape>>,
    /// Where things stand that no rule moves.
    pub ground: super::fixed_index::FixedIndex,
    /// Width and height of the table in thousandths of an inch.
    pub size: (i64, i64),
    /// Mesh of listed moves in thousandths of an inch.
    pub grid: i64,
    /// Stand-ins replaced by the scenario, by function.
    pub stand_ins: Vec<Option<StandIn>>,
    /// Most rounds of loops and calls in one step.
    pub fuel: u64,
    /// Most functions inside each other.
    pub depth: usize,
    /// Where it is noted which clauses ran.
    pub ran: Ran,
    /// Where a cycle of scripted answers is kept: cursor number by function.
    pub cursors: Vec<Option<usize>>,
    /// The position before the first step.
    pub start: State,
}

/// What a scenario puts in the place of an extern.
#[derive(Clone, Debug)]
pub enum StandIn {
    /// One answer.
    Value(Vec<i64>),
    /// Answers in the order asked.
    Script(Vec<Vec<i64>>),
    /// Answers with weights.
    Odds(Vec<(u64, Vec<i64>)>),
    /// By the first argument (a cell); others take the default.
    By(Vec<(i64, Vec<i64>)>),
    /// Another body: its function.
    Body(FuncId),
}

/// Where each value lies in [`State::cells`].
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// By kind.
    pub kinds: Vec<KindLayout>,
    /// By field: first cell, cells a figure takes, figures a thing has, and entries if it is a list.
    pub fields: Vec<FieldLayout>,
    /// By param or reading: first cell and cells. They are constants of a run.
    pub settings: Vec<(usize, usize)>,
    /// By top-level state: as a field of which there is one figure.
    pub globals: Vec<FieldLayout>,
    /// By trait: first cell of how many instances each thing has.
    pub bears: Vec<usize>,
    /// Cells in all.
    pub size: usize,
}

/// Cells of a kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct KindLayout {
    /// Most things there can be.
    pub slots: usize,
    /// The same if some code made them.
    pub room: usize,
    /// Cell of how many there have been.
    pub used: usize,
    /// First cell of whether each is alive.
    pub alive: usize,
    /// First cell of x, y, facing of each; for things on the board.
    pub place: usize,
}

/// Cells of a field.
#[derive(Clone, Copy, Debug, Default)]
pub struct FieldLayout {
    /// First cell.
    pub base: usize,
    /// Cells of one figure; for a list 1 + entries.
    pub width: usize,
    /// Figures a thing has: more than one with keys.
    pub figures: usize,
    /// Cells of an entry if it is a list, else 0.
    pub entry: usize,
    /// One cell a thing: neither a list nor with keys.
    pub plain: bool,
}

/// Most entries a stored list has room for.
const STORED_LIST: usize = 64;

impl FieldLayout {
    /// A value as it is stored: of a list how many entries there are, then those, then nothing. None if there is no room.
    pub fn stored(&self, mut cells: Vec<i64>) -> Option<Vec<i64>> {
        if let Some(entries) = cells.len().checked_div(self.entry) {
            cells.insert(0, entries as i64);
        }
        (cells.len() <= self.width).then(|| {
            cells.resize(self.width, 0);
            cells
        })
    }

    /// Most entries of a list: none of one that is looked up and not stored.
    pub fn room(&self) -> usize {
        self.width.saturating_sub(1).checked_div(self.entry).unwrap_or(0)
    }
}

impl Layout {
    /// Lays out a table with so many slots for each kind, of which there may be so many as far as a scenario goes, and room
    /// for so many entries in a stored list.
    pub fn new(program: &Program, slots: &[usize], room: &[usize], list_room: Option<usize>) -> Layout {
        let rules = &program.schema;
        let mut at = 0;
        let mut take = |n: usize| {
            let base = at;
            at += n;
            base
        };
        // cells of a figure, and of an entry of a list
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

    /// How something is stored.
    pub fn stored(&self, slot: Stored) -> &FieldLayout {
        match slot {
            Stored::Field(id) => &self.fields[id.at()],
            Stored::Global(id) => &self.globals[id.at()],
        }
    }

    /// Where it lies; of a thing, if it is a field.
    pub fn cells(&self, slot: Stored, thing: i64) -> std::ops::Range<usize> {
        let at = match slot {
            Stored::Field(id) => self.field(id, thing, 0),
            Stored::Global(id) => self.globals[id.at()].base,
        };
        at..at + self.stored(slot).width
    }

    /// First cell of a figure of a thing.
    pub fn field(&self, id: FieldId, thing: i64, key: i64) -> usize {
        let f = &self.fields[id.at()];
        f.base + (thing as usize * f.figures + key as usize) * f.width
    }
}

impl Game {
    /// What was found out about the code, for whoever asks next.
    pub fn facts(&self) -> &Kept {
        &self.linked.facts
    }

    /// True if what stands in for a function gives the same whenever it is asked.
    pub(super) fn gives_the_same(&self, func: FuncId) -> bool {
        match self.stand_ins.get(func.at()).and_then(Option::as_ref) {
            None | Some(StandIn::Value(_) | StandIn::By(_)) => true,
            Some(StandIn::Script(_) | StandIn::Odds(_) | StandIn::Body(_)) => false,
        }
    }

    /// The loop over pairs of entries that begins at a place.
    pub fn pairs(&self, pc: Pc) -> Option<&Pairs> {
        let Step::Pairs { at } = self.linked.steps[pc as usize] else { return None };
        Some(&self.linked.pairs[at as usize])
    }

    /// Hashes of the addresses of all sites: `Declaration.roll`.
    pub fn site_keys(program: &Program) -> Vec<u64> {
        program.schema.sites.iter().map(|s| hash_name(&program.address(s))).collect()
    }

    /// What can be kept of what functions come to.
    pub(super) fn memoised(&self) -> &Memoised {
        self.linked.memoised.get_or_init(|| Memoised::of(self))
    }

    /// The name of a thing.
    pub fn name(&self, kind: KindId, thing: i64) -> String {
        self.label(kind, thing).into()
    }

    /// The same for a trace.
    pub fn label(&self, kind: KindId, thing: i64) -> ShortText {
        match self.names[kind.at()].get(thing as usize) {
            Some(name) => name.into(),
            None => format_compact!("{}#{}", self.program.schema.kinds[kind.at()].name, thing + 1),
        }
    }

    /// The name of a packed thing; nothing for -1.
    pub fn packed_name(&self, cell: i64) -> String {
        self.packed(cell).unwrap_or_default().into()
    }

    /// What keys the dice of a subject.
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

    /// The value of a setting in this scenario.
    pub fn setting(&self, id: SettingId) -> &[i64] {
        let (at, width) = self.layout.settings[id.at()];
        &self.start.cells[at..at + width]
    }

    /// The thing of that name, with its kind.
    pub fn thing(&self, name: &str) -> Option<(KindId, i64)> {
        self.names
            .iter()
            .enumerate()
            .find_map(|(k, names)| names.iter().position(|n| n == name).map(|i| (KindId::from(k), i as i64)))
    }

    /// The site that stands for the odds of a stand-in: its function's name is the address.
    pub fn stand_in_site(&self, func: FuncId) -> SiteId {
        SiteId::from(self.program.schema.sites.len() + func.at())
    }

    /// What keys the dice of a site.
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
