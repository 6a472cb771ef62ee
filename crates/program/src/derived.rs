//! Finds functions whose result is constant until one of their inputs changes, together with these inputs.
//!
//! This is a mod/ref analysis over the call graph (Cooper and Kennedy 1988), restricted to code that writes nothing.

use super::flow::Flow;
use super::schema::FieldSort;
use super::{Instr, Pc, Program};
use fixedbitset::FixedBitSet;
use grognard_base::value::*;

/// Dependencies of a function that only reads, apart from its arguments.
#[derive(Clone, Debug, Default)]
pub struct Derived {
    /// The state that it reads, as indices of [`Sources`].
    pub reads: FixedBitSet,
    /// Callees that a scenario may replace.
    pub replaced: Vec<FuncId>,
    /// Maximum call depth, including the function itself.
    pub depth: usize,
    /// Number of its instructions; a loop or a query of the board counts as 1,000.
    pub cost: usize,
}

/// Indices of the parts of a state that code can read: fields, states of the game, statuses, existence of things,
/// positions.
#[derive(Clone, Copy, Debug)]
pub struct Sources {
    fields: usize,
    globals: usize,
    traits: usize,
    kinds: usize,
}

impl Sources {
    /// Returns the indices for a program.
    pub fn of(program: &Program) -> Sources {
        let schema = &program.schema;
        Sources {
            fields: schema.fields.len(),
            globals: schema.globals.len(),
            traits: schema.traits.len(),
            kinds: schema.kinds.len(),
        }
    }

    /// Returns the number of indices.
    pub fn count(self) -> usize {
        self.places() + 1
    }

    /// Returns the index of a stored field, for all things.
    pub fn field(self, id: FieldId) -> usize {
        id.at()
    }

    /// Returns the index of a state of the game.
    pub fn global(self, id: GlobalId) -> usize {
        self.fields + id.at()
    }

    /// Returns the index of the bearers of a trait or status.
    pub fn bearers(self, id: TraitId) -> usize {
        self.fields + self.globals + id.at()
    }

    /// Returns the indices of the bearers of all traits and statuses.
    pub fn all_bearers(self) -> std::ops::Range<usize> {
        let first = self.fields + self.globals;
        first..first + self.traits
    }

    /// Returns the index of the set of things of a kind.
    pub fn kind(self, id: KindId) -> usize {
        self.fields + self.globals + self.traits + id.at()
    }

    /// Returns the index of the positions of things.
    pub fn places(self) -> usize {
        self.fields + self.globals + self.traits + self.kinds
    }
}

/// Cost of code with a loop or a query of the board, in instructions.
const MANY: usize = 1000;

/// Returns the dependencies of each function, or `None` if it has side effects or takes lists as arguments.
pub fn derived(program: &Program) -> Vec<Option<Derived>> {
    let count = program.funcs.len();
    let mut walk = Walk {
        program,
        sources: Sources::of(program),
        flow: Flow::new(program),
        known: vec![DerivedState::Not; count],
        board: None,
    };
    let mut all: Vec<Option<Derived>> = (0..count).map(|n| walk.function(FuncId::from(n)).cloned()).collect();
    for (found, func) in all.iter_mut().zip(&program.funcs) {
        // a function that the compiler adds for a field takes only the thing as its argument, or it has no types
        let lists = func.types.iter().any(|ty| walk.lists(ty)) || func.types.is_empty() && func.params > 1;
        if lists {
            *found = None;
        }
    }
    all
}

#[derive(Clone, Debug)]
enum DerivedState {
    Not,
    /// In progress. A function that calls itself has no result.
    Open,
    Is(Option<Derived>),
}

struct Walk<'p> {
    program: &'p Program,
    sources: Sources,
    flow: Flow<'p>,
    known: Vec<DerivedState>,
    /// Dependencies of a query of the board, or `None` before the first query.
    board: Option<Option<Derived>>,
}

impl Walk<'_> {
    fn function(&mut self, func: FuncId) -> Option<&Derived> {
        if matches!(self.known[func.at()], DerivedState::Not) {
            self.known[func.at()] = DerivedState::Open;
            let found = self.body(func);
            self.known[func.at()] = DerivedState::Is(found);
        }
        if let DerivedState::Is(found) = &self.known[func.at()] { found.as_ref() } else { None }
    }

    fn body(&mut self, func: FuncId) -> Option<Derived> {
        if !self.program.funcs[func.at()].sort.pure() {
            return None;
        }
        let reads = FixedBitSet::with_capacity(self.sources.count());
        let mut found = Derived { reads, depth: 1, ..Derived::default() };
        let code: Vec<Pc> = self.flow.code_of(func);
        found.cost = if self.flow.loops(func) { MANY } else { code.len() };
        for pc in code {
            self.instruction(self.program.code[pc as usize], &mut found)?;
        }
        Some(found)
    }

    /// Adds what an instruction reads. Returns `None` if it has side effects or reads the running phase or action.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an instruction that is not pure or known to be read-only is skipped"
    )]
    fn instruction(&mut self, instr: Instr, found: &mut Derived) -> Option<()> {
        let sources = self.sources;
        match instr {
            // records each time that code was reached
            Instr::Ran { .. } => return None,
            Instr::BackLink { id, .. } | Instr::EverLinked { id, .. } => {
                self.link(id, found);
                found.cost += MANY;
            }
            Instr::Tree { link, .. } => self.link(link, found),
            Instr::Alive { kind, .. } | Instr::NextThing { kind, .. } | Instr::Living { kind, .. } => {
                found.reads.insert(sources.kind(kind));
            }
            Instr::Bears { id, .. } | Instr::Instances { id, .. } => found.reads.insert(sources.bearers(id)),
            // the position of a group is that of its first living member
            Instr::At { .. } | Instr::Facing { .. } => {
                let board = self.board()?;
                add(found, &board);
            }
            Instr::Board { .. } => {
                let board = self.board()?;
                add(found, &board);
                found.cost += MANY;
            }
            Instr::Global { id, .. } => found.reads.insert(sources.global(id)),
            Instr::Field { id, .. } | Instr::Keyed { id, .. } => found.reads.insert(sources.field(id)),
            Instr::Call { func, .. } | Instr::CallExtern { func, .. } => {
                let called = self.function(func)?.clone();
                found.depth = found.depth.max(1 + called.depth);
                add(found, &called);
                if matches!(instr, Instr::CallExtern { .. }) {
                    found.replaced.push(func);
                }
            }
            Instr::Return { .. } | Instr::Fault { .. } => {}
            instr if instr.pure() => {}
            _ => return None,
        }
        Some(())
    }

    /// Adds the things that point to each other by a link.
    fn link(&self, id: FieldId, found: &mut Derived) {
        let field = &self.program.schema.fields[id.at()];
        let link = if let FieldSort::BackLink(link) = field.sort { link } else { id };
        found.reads.insert(self.sources.field(link));
        found.reads.insert(self.sources.kind(self.program.schema.fields[link.at()].kind));
    }

    /// Returns what a query of the board reads: positions, living things, members of groups, heights and what blocks.
    fn board(&mut self) -> Option<Derived> {
        if let Some(known) = &self.board {
            return known.clone();
        }
        // a condition of `blocks` must not query the board again
        self.board = Some(None);
        let mut found = Derived { reads: FixedBitSet::with_capacity(self.sources.count()), ..Derived::default() };
        found.reads.insert(self.sources.places());
        let known = self.look_around(&mut found).map(|()| found);
        self.board = Some(known.clone());
        known
    }

    fn look_around(&mut self, found: &mut Derived) -> Option<()> {
        for (n, kind) in self.program.schema.kinds.iter().enumerate() {
            found.reads.insert(self.sources.kind(KindId::from(n)));
            if let Some((field, _)) = kind.group {
                self.link(field, found);
            }
            found.reads.extend(kind.height.map(|field| self.sources.field(field)));
            let Some(blocks) = kind.blocks else { continue };
            if let FieldSort::Let(func) = self.program.schema.fields[blocks.at()].sort {
                let called = self.function(func)?.clone();
                add(found, &called);
            } else {
                found.reads.insert(self.sources.field(blocks));
            }
        }
        Some(())
    }

    /// Returns whether values of a type contain lists.
    fn lists(&self, ty: &Type) -> bool {
        match ty.present() {
            Type::List(_) | Type::Leg => true,
            Type::Tuple(parts) => parts.iter().any(|t| self.lists(t)),
            Type::Record(id) => self.program.schema.records[id.at()].fields.iter().any(|(_, t)| self.lists(t)),
            _ => false,
        }
    }
}

/// Adds what a callee or the board reads.
fn add(found: &mut Derived, more: &Derived) {
    found.reads.union_with(&more.reads);
    found.replaced.extend(more.replaced.iter().copied());
    found.cost = found.cost.saturating_add(more.cost);
}
