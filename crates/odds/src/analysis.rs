//! Analysis cache: what is found out about the code of a game and about its dice. It holds for every exploration of a game, so
//! whoever asks more than once keeps it.

use super::best::Best;
use super::branches::BoxedBranch;
use super::canonical::{Canonical, Liveness};
use super::expand::Explorer;
use super::num::{Binomials, Width};
use super::regions::Regions;
use super::{Deciders, ExploreOptions, Graph, Pools, Task};
use grognard_vm::{Game, State};
use std::cell::RefCell;
use std::rc::Rc;

/// Most spent ways that are kept to write new ones into.
const MOST_SPARE: usize = 64;

/// What one exploration of a game finds out and the next need not. What comes of a question does not depend on it.
pub struct Analysis<'g> {
    pub(super) game: &'g Game,
    /// Whether the order of values to choose from is forgotten too.
    pub(super) menus: bool,
    pub(super) canonical: Rc<RefCell<Canonical<'g>>>,
    pub(super) tools: RefCell<Tools>,
}

/// What explorations work with, and hand on.
#[derive(Default)]
pub(super) struct Tools {
    pub regions: Regions,
    pub ways: Binomials,
    pub spare: Vec<BoxedBranch>,
    pub best: Vec<Best>,
}

impl<'g> Analysis<'g> {
    /// None yet.
    pub fn new(game: &'g Game) -> Self {
        Analysis::of(game, Liveness { unread: true, order: true, menus: false })
    }

    /// The same, where it may be that less is forgotten.
    fn of(game: &'g Game, liveness: Liveness) -> Self {
        let canonical = Rc::new(RefCell::new(Canonical::new(game, liveness)));
        Analysis { game, menus: liveness.menus, canonical, tools: RefCell::default() }
    }

    /// Explores everything that can happen, as [`super::explore`] does.
    pub fn explore(
        &self,
        start: &State,
        task: Task<'g>,
        deciders: &mut dyn Deciders,
        options: ExploreOptions,
    ) -> Box<Graph<'g>> {
        let liveness = Liveness { unread: options.clear, order: options.sort, menus: false };
        if options.sort && deciders.searches() {
            // a player who answers otherwise may go by the order of what is offered: then it is done again
            let (mut memory, own) = (Vec::new(), Analysis::of(self.game, Liveness { menus: true, ..liveness }));
            deciders.memory(&mut memory);
            let (graph, ordered) = Explorer::new(&own, task, options.clone(), start).explore(&own, deciders);
            if !ordered {
                return graph;
            }
            deciders.recall(&memory);
        }
        // weights of another width, and positions that forget less, are no use to anybody else
        let shared = liveness.unread && liveness.order && options.width == Width::default();
        let own = (!shared).then(|| Analysis::of(self.game, liveness));
        let analysis = own.as_ref().unwrap_or(self);
        // dice that could be told apart no more are looked at as they fall, in a second try
        let mut memory = Vec::new();
        deciders.memory(&mut memory);
        let (graph, untold) = Explorer::new(analysis, task, options.clone(), start).explore(analysis, deciders);
        if !untold {
            return graph;
        }
        deciders.recall(&memory);
        let options = ExploreOptions { pools: Pools::Dice, ..options };
        Explorer::new(analysis, task, options, start).explore(analysis, deciders).0
    }
}

impl Tools {
    /// What is worth keeping.
    pub fn trim(&mut self) {
        self.spare.truncate(MOST_SPARE);
    }
}
