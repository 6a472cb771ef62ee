//! Analysis cache: the facts about the code of a game and about its dice. They hold for every exploration of the game, so a
//! caller that explores more than once keeps the cache.

use super::best::Best;
use super::branch::BoxedBranch;
use super::canonical::{Canonical, Liveness};
use super::expand::Explorer;
use super::num::{Binomials, Width};
use super::regions::Regions;
use super::{Deciders, ExploreOptions, Graph, Pools, Task};
use grognard_vm::{Game, State};
use std::cell::RefCell;
use std::rc::Rc;

/// Maximum number of finished branches that are kept for reuse.
const MOST_SPARE: usize = 64;

/// Facts that one exploration of a game computes and later ones reuse. The result of a query does not depend on the cache.
pub struct Analysis<'g> {
    pub(super) game: &'g Game,
    /// Whether the order of the entries of menus is cleared too.
    pub(super) menus: bool,
    pub(super) canonical: Rc<RefCell<Canonical<'g>>>,
    pub(super) tools: RefCell<Tools>,
}

/// Caches and buffers that one exploration hands to the next.
#[derive(Default)]
pub(super) struct Tools {
    pub regions: Regions,
    pub ways: Binomials,
    pub spare: Vec<BoxedBranch>,
    pub best: Vec<Best>,
}

impl<'g> Analysis<'g> {
    /// Creates an empty analysis cache.
    pub fn new(game: &'g Game) -> Self {
        Analysis::of(game, Liveness { unread: true, order: true, menus: false })
    }

    /// Creates a cache that clears the given parts of a state.
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
            // A player who does not search can depend on the order of a menu. The exploration is then repeated below.
            let (mut memory, own) = (Vec::new(), Analysis::of(self.game, Liveness { menus: true, ..liveness }));
            deciders.memory(&mut memory);
            let (graph, ordered) = Explorer::new(&own, task, options.clone(), start).explore(&own, deciders);
            if !ordered {
                return graph;
            }
            deciders.recall(&memory);
        }
        // Only analyses with the default width and the full clearing are shared; others are local to this call.
        let shared = liveness.unread && liveness.order && options.width == Width::default();
        let own = (!shared).then(|| Analysis::of(self.game, liveness));
        let analysis = own.as_ref().unwrap_or(self);
        // If some dice can no longer be distinguished, a second exploration samples every die at its roll.
        let mut memory = Vec::new();
        deciders.memory(&mut memory);
        let (graph, unsampled_fault) =
            Explorer::new(analysis, task, options.clone(), start).explore(analysis, deciders);
        if !unsampled_fault {
            return graph;
        }
        deciders.recall(&memory);
        let options = ExploreOptions { pools: Pools::Dice, ..options };
        Explorer::new(analysis, task, options, start).explore(analysis, deciders).0
    }
}

impl Tools {
    /// Drops the buffers beyond the limit.
    pub fn trim(&mut self) {
        self.spare.truncate(MOST_SPARE);
    }
}
