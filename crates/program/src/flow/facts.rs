//! Analysis results kept between questions: what the code of a program does is found out once, by whoever asks first.

use super::rows::Rows;
use super::*;
use crate::instr::Slot;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, Mutex};

/// What was found out about the code of a program. It holds as long as the code does.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub bodies: FxHashMap<FuncId, FuncCode>,
    /// What registers hold at each place, by what the parameters hold.
    pub holds: FxHashMap<FuncId, Vec<(Vec<Holds>, HoldsAt)>>,
    /// Registers of which somebody may still read so much at each place, by what its caller wants of the result.
    pub live: FxHashMap<FuncId, Vec<(Vec<bool>, Rows)>>,
    /// Parameters that hold lists whose order a function reads; of one at work all of them.
    pub ordered: FxHashMap<FuncId, Vec<Reg>>,
    /// Whether every list holds plain cells.
    pub flat: Option<bool>,
    /// States that hold multisets.
    pub bags: Option<Vec<Slot>>,
}

/// A place in a function: the function, what is wanted of its result, what its parameters hold, the instruction.
pub type Place = (FuncId, u32, u32, Pc);

/// A register that somebody may still read, and what it holds.
pub type LiveSet = Vec<(Reg, Holds)>;

/// What may be read at places of the code, for each way in which functions are called; found out place by place.
#[derive(Debug, Default)]
pub struct Places {
    /// What is wanted of results.
    pub wanted: Vec<Vec<bool>>,
    /// What parameters hold.
    pub given: Vec<Vec<Holds>>,
    /// What is live at a place.
    pub live: FxHashMap<Place, Arc<LiveSet>>,
    /// What is wanted of a call, and given to it: by the place it goes back to, the callee, and where its result goes.
    pub calls: FxHashMap<(Place, FuncId, Reg), (u32, u32)>,
    /// Rows of functions inside each other that were met last.
    pub rows: Vec<Arc<Row>>,
}

/// Functions inside each other, where each goes on, and what follows from that.
#[derive(Debug)]
pub struct Row {
    /// What is wanted of the outermost, and what its parameters hold.
    pub root: (u32, u32),
    /// The instruction of the innermost.
    pub pc: Pc,
    /// Each function, where its caller goes on, and where its result goes.
    pub frames: Vec<(FuncId, Pc, Reg)>,
    /// What is live in each, and the registers that its callee will write.
    pub live: Vec<(Arc<LiveSet>, Range<Reg>)>,
    /// What is wanted of the innermost, and what its parameters hold.
    pub innermost: (u32, u32),
}

/// Where the facts about a program lie while nobody works with them: who takes them hands them on.
#[derive(Debug, Default)]
pub struct Kept {
    facts: Arc<Mutex<Facts>>,
    places: Arc<Mutex<Places>>,
}

/// A copy finds out for itself.
impl Clone for Kept {
    fn clone(&self) -> Self {
        Kept::default()
    }
}

impl Kept {
    /// All that is known; nothing while somebody else has it.
    pub(super) fn take(&self) -> Taken<Facts> {
        Taken::from(&self.facts)
    }

    /// The same of what is known of places.
    pub fn take_places(&self) -> Taken<Places> {
        Taken::from(&self.places)
    }
}

/// What is known while it is in use; it goes back where it came from, if it came from anywhere.
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
