//! Caches of analysis results: each result is computed at its first query and kept as long as the code.

use super::rows::Rows;
use super::*;
use crate::instr::Slot;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, Mutex};

/// Cached facts about the code of a program. They are valid as long as the code does not change.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub bodies: FxHashMap<FuncId, FuncCode>,
    /// Abstract values at each program point, by the abstract values of the parameters.
    pub holds: FxHashMap<FuncId, Vec<(Vec<Holds>, HoldsAt)>>,
    /// Live registers at each program point, by the cells of the result that the caller reads.
    pub live: FxHashMap<FuncId, Vec<(Vec<bool>, Rows)>>,
    /// Parameters that hold lists whose order a function reads; all parameters while its analysis is in progress.
    pub ordered: FxHashMap<FuncId, Vec<Reg>>,
    /// Whether no list contains another list.
    pub flat: Option<bool>,
    /// Slots that hold multisets.
    pub bags: Option<Vec<Slot>>,
}

/// A program point in context: function, index in [`Places::wanted`], index in [`Places::given`], instruction.
pub type Place = (FuncId, u32, u32, Pc);

/// Live registers with their abstract values.
pub type LiveSet = Vec<(Reg, Holds)>;

/// Live registers at program points for each calling context, computed on demand.
#[derive(Debug, Default)]
pub struct Places {
    /// Interned sets of result cells that callers read.
    pub wanted: Vec<Vec<bool>>,
    /// Interned abstract values of parameters.
    pub given: Vec<Vec<Holds>>,
    /// Live registers at a program point.
    pub live: FxHashMap<Place, Arc<LiveSet>>,
    /// Context of a callee, by the program point it returns to, the function, and the register of its result.
    pub calls: FxHashMap<(Place, FuncId, Reg), (u32, u32)>,
    /// Recently seen call stacks.
    pub rows: Vec<Arc<Row>>,
}

/// A call stack with the return points and the live registers of each frame.
#[derive(Debug)]
pub struct Row {
    /// Context of the outermost function: indices in [`Places::wanted`] and [`Places::given`].
    pub root: (u32, u32),
    /// Instruction of the innermost function.
    pub pc: Pc,
    /// Each function, the return point in its caller, and the register of its result.
    pub frames: Vec<(FuncId, Pc, Reg)>,
    /// Live registers of each frame, and the registers that its callee writes.
    pub live: Vec<(Arc<LiveSet>, Range<Reg>)>,
    /// Context of the innermost function.
    pub innermost: (u32, u32),
}

/// Storage of the caches of a program between uses. A user takes the content and returns it on drop.
#[derive(Debug, Default)]
pub struct Kept {
    facts: Arc<Mutex<Facts>>,
    places: Arc<Mutex<Places>>,
}

/// A clone begins with empty caches.
impl Clone for Kept {
    fn clone(&self) -> Self {
        Kept::default()
    }
}

impl Kept {
    /// Takes the cached facts, which are empty while another user has them.
    pub(super) fn take(&self) -> Taken<Facts> {
        Taken::from(&self.facts)
    }

    /// Takes the cached facts about program points, which are empty while another user has them.
    pub fn take_places(&self) -> Taken<Places> {
        Taken::from(&self.places)
    }
}

/// Borrowed cache content. It returns to its storage, if any, on drop.
#[derive(Default)]
pub struct Taken<T: Default> {
    known: T,
    home: Option<Arc<Mutex<T>>>,
}

impl<T: Default> Taken<T> {
    fn from(home: &Arc<Mutex<T>>) -> Self {
        let known = home.lock().map(|mut known| std::mem::take(&mut *known)).unwrap_or_default();
        Taken { known, home: Some(Arc::clone(home)) }
    }
}

impl<T: Default> Drop for Taken<T> {
    fn drop(&mut self) {
        if let Some(Ok(mut home)) = self.home.as_ref().map(|home| home.lock()) {
            *home = std::mem::take(&mut self.known);
        }
    }
}

impl<T: Default> Deref for Taken<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.known
    }
}

impl<T: Default> DerefMut for Taken<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.known
    }
}
