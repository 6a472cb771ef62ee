//! Analysis results kept between questions: what the code of a program does is found out once, by whoever asks first.

use super::rows::Rows;
use super::*;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};

/// What was found out about the code of a program. It holds as long as the code does.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub bodies: FxHashMap<FuncId, Body>,
    /// What registers hold at each place, by what the parameters hold.
    pub holds: FxHashMap<FuncId, Vec<(Vec<Holds>, HoldsAt)>>,
    /// Registers of which somebody may still read so much at each place, by what its caller wants of the result.
    pub live: FxHashMap<FuncId, Vec<(Vec<bool>, Rows)>>,
    /// Parameters that hold lists whose order a function reads; of one at work all of them.
    pub ordered: FxHashMap<FuncId, Vec<Reg>>,
    /// Whether every list holds plain cells.
    pub flat: Option<bool>,
}

/// Where the facts about a program lie while nobody works with them: who takes them hands them on.
#[derive(Debug, Default)]
pub struct Kept(Arc<Mutex<Facts>>);

/// A copy finds out for itself.
impl Clone for Kept {
    fn clone(&self) -> Self {
        Kept::default()
    }
}

impl Kept {
    /// All that is known; nothing while somebody else has it.
    pub(super) fn take(&self) -> Taken {
        let facts = self.0.lock().map(|mut facts| std::mem::take(&mut *facts)).unwrap_or_default();
        Taken { facts, home: Some(Arc::clone(&self.0)) }
    }
}

/// Facts in use, which go back where they came from.
#[derive(Default)]
pub(super) struct Taken {
    facts: Facts,
    home: Option<Arc<Mutex<Facts>>>,
}

impl Drop for Taken {
    fn drop(&mut self) {
        if let Some(Ok(mut home)) = self.home.as_ref().map(|home| home.lock()) {
            *home = std::mem::take(&mut self.facts);
        }
    }
}

impl Deref for Taken {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.facts
    }
}

impl DerefMut for Taken {
    fn deref_mut(&mut self) -> &mut Facts {
        &mut self.facts
    }
}
