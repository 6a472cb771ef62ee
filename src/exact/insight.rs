//! Analysis cache: what is found out about the code of a game and about its dice. It holds for every exploration of a game, so
//! whoever asks more than once keeps it.

use super::canon::{Canon, Forgets};
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
    /// Whether the order of values to choose from is forgotten too.
    pub(super) menus: bool,
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
        Insight::of(game, Forgets { unread: true, order: true, menus: false })
    }

    /// The same, where it may be that less is forgotten.
    fn of(game: &'g Game, forgets: Forgets) -> Self {
        let canon = Rc::new(RefCell::new(Canon::new(game, forgets)));
        Insight { game, menus: forgets.menus, canon, tools: RefCell::default() }
    }

    /// Explores everything that can happen, as [`super::explore`] does.
    pub fn explore(&self, start: &State, task: Task<'g>, deciders: &mut dyn Deciders, options: Options) -> Graph<'g> {
        let forgets = Forgets { unread: options.clear, order: options.sort, menus: false };
        if options.sort && deciders.searches() {
            // a player who answers otherwise may go by the order of what is offered: then it is done again
            let (mut memory, own) = (Vec::new(), Insight::of(self.game, Forgets { menus: true, ..forgets }));
            deciders.memory(&mut memory);
            let (graph, ordered) = Explorer::new(&own, task, options.clone(), start).explore(&own, deciders);
            if !ordered {
                return graph;
            }
            deciders.recall(&memory);
        }
        // weights of another width, and positions that forget less, are no use to anybody else
        let shared = forgets.unread && forgets.order && options.width == Width::default();
        let own = (!shared).then(|| Insight::of(self.game, forgets));
        let insight = own.as_ref().unwrap_or(self);
        Explorer::new(insight, task, options, start).explore(insight, deciders).0
    }
}

impl Tools {
    /// What is worth keeping.
    pub fn trim(&mut self) {
        self.spare.truncate(MOST_SPARE);
    }
}
