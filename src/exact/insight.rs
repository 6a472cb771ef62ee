//! Analysis cache: what is found out about the code of a game and about its dice. It holds for every exploration of a game, so
//! whoever asks more than once keeps it.

use super::canon::Canon;
use super::expand::Explorer;
use super::num::{Binomials, Width};
use super::paths::{Best, Way};
use super::stretch::Stretches;
use super::{Deciders, Graph, Options, Task};
use crate::machine::{Game, State};
use std::cell::RefCell;
use std::rc::Rc;

/// Most spent ways that are kept to write new ones into.
const MOST_SPARE: usize = 64;

/// What one exploration of a game finds out and the next need not. What comes of a question does not depend on it.
pub struct Insight<'g> {
    pub(super) game: &'g Game,
    pub(super) canon: Rc<RefCell<Canon<'g>>>,
    pub(super) tools: RefCell<Tools>,
}

/// What explorations work with, and hand on.
#[derive(Default)]
pub(super) struct Tools {
    pub stretches: Stretches,
    pub ways: Binomials,
    pub spare: Vec<Way>,
    pub best: Vec<Best>,
}

impl<'g> Insight<'g> {
    /// None yet.
    pub fn new(game: &'g Game) -> Self {
        Insight::of(game, true)
    }

    /// The same, where it may be that nothing is ever forgotten.
    fn of(game: &'g Game, clears: bool) -> Self {
        let canon = Rc::new(RefCell::new(Canon::new(game, clears)));
        Insight { game, canon, tools: RefCell::default() }
    }

    /// Explores everything that can happen, as [`super::explore`] does.
    pub fn explore(&self, start: &State, task: Task<'g>, deciders: &mut dyn Deciders, options: Options) -> Graph<'g> {
        if options.clear && options.width == Width::default() {
            return Explorer::new(self, task, options, start).explore(self, deciders);
        }
        // weights of another width, and positions that forget nothing, are no use to anybody else
        let own = Insight::of(self.game, options.clear);
        Explorer::new(&own, task, options, start).explore(&own, deciders)
    }
}

impl Tools {
    /// What is worth keeping.
    pub fn trim(&mut self) {
        self.spare.truncate(MOST_SPARE);
    }
}
