//! Exploration: runs the machine from each state, and splits it where dice split, until each branch reaches the next state.

use super::analysis::{Analysis, Tools};
use super::branch::{BoxedBranch, Branch};
use super::branches::{Machine, Splitter, Stopped};
use super::driver::{Chance, Choice, Deciders, Ready, Shared, Table, Wanted, looked_for};
use super::edge_sums::EdgeSums;
use super::graph::*;
use super::interner::{Interner, Shapes, Writer};
use super::lists::Lists;
use super::num::{Joint, Num};
use super::open::Open;
use super::outer::{END, Outside};
use super::regions::Regions;
use super::truncation::Truncation;
use super::{ExploreOptions, Pools, Task};
use fixedbitset::FixedBitSet;
use grognard_base::{Limit, Meter};
use grognard_program::{Instr, Pc};
use grognard_vm::{Answer, Fault, Halt, NoTrace, Run, State, is_unsampled_fault};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Maximum number of branches from one state.
const WAYS_A_NODE: usize = 1 << 22;

/// Maximum number of branches from one state before demands become states.
const LOOKS_A_NODE: usize = 1 << 12;

/// Number of nodes between two progress reports.
const TOLD: usize = 256;

/// Maximum number of unsampled rolls that one state passes without a new state.
const PASSED: usize = 4;

/// Number of answers of a menu of lists that are followed through the next roll without a new state.
const FEW: usize = 2;

/// Size of a node in bytes: its entries in the tables, which can be half empty, and its probability and value in queries.
const NODE: usize = 54 + 128;
/// Size of a state in bytes without its cells: the node, and its entry in the interner.
const POSITION: usize = NODE + 46;
/// Initial capacity for the bytes of a state.
const KEY: usize = 64;
/// Size of an edge in bytes.
const EDGE: usize = 20;
/// Size of the entry of a decision in bytes.
const DECISION: usize = 32;
/// Size of a count on an edge in bytes.
const SUM: usize = 16;

/// Number of recent decisions that later nodes can share.
const MENUS: usize = 16;

/// Approximate size of a path of a move in bytes.
const PATH: usize = 160;

/// An edge before its weight is over the denominator of its node.
struct Draft {
    to: Node,
    marks: u32,
    weight: Num,
    whole: u32,
    sums: Vec<(u32, i64)>,
}

/// The state of an exploration.
pub(super) struct Explorer<'g> {
    graph: Box<Graph<'g>>,
    faults: FxHashMap<Fault, Node>,
    /// Whether dice were needed that can no longer be distinguished.
    unsampled_fault: bool,
    /// Node of each interned state.
    at: Vec<Node>,
    key: Vec<u8>,
    /// The heap of a state that is written.
    lists: Lists,
    /// Branches of the current node that are not followed yet.
    open: Open,
    /// The tallies at the start of the current node.
    start: Vec<i64>,
    drafts: Vec<Draft>,
    wholes: Joint,
    /// Whether the current node is a decision of the best or worst play.
    decides: bool,
    regions: Regions,
    /// Instructions that demanded dice.
    looked: FxHashSet<Pc>,
    tail: Truncation,
    /// Whether regions of code are computed once for all states.
    able: bool,
    /// Whether unsampled rolls are passed. With marks, each roll needs a separate state.
    passes: bool,
}

impl<'g> Explorer<'g> {
    /// Creates an explorer. It is boxed because it is large and moves often.
    pub fn new(analysis: &Analysis<'g>, task: Task<'g>, options: ExploreOptions, start: &State) -> Box<Self> {
        let game = analysis.game;
        let root = {
            let mut canonical = analysis.canonical.borrow_mut();
            match task {
                Task::Call { func, keep, .. } => canonical.root(func, keep),
                // Calls of a scenario have no result.
                Task::Plan(_) => canonical.nothing(),
            }
        };
        let tools = analysis.tools.take();
        let splitter = Splitter {
            game,
            outside: Rc::new(Outside::new(game, task, options.history, &options.counts, &analysis.canonical)),
            canonical: Rc::clone(&analysis.canonical),
            root,
            pools: options.pools,
            width: options.width,
            meter: Rc::new(Meter::new(options.budget.clone())),
            ways: tools.ways,
            spare: tools.spare,
            best: tools.best,
            totals: Vec::new(),
            stops: FixedBitSet::new(),
            unswept: Default::default(),
            unshared: FixedBitSet::new(),
            whys: Vec::new(),
            many: None,
            sweeps: Vec::new(),
            folds: options.folds(),
            keeps: false,
        };
        let graph = Box::new(Graph {
            game,
            task,
            options,
            start: start.clone(),
            splitter,
            store: Interner::default(),
            shapes: Shapes::default(),
            nodes: Vec::new(),
            ends: Vec::new(),
            to: Vec::new(),
            weights: Vec::new(),
            wholes: Vec::new(),
            large: Vec::new(),
            sums: EdgeSums::default(),
            falling: BTreeSet::new(),
            marks: Vec::new(),
            mark_sets: Vec::new(),
            faults: Vec::new(),
            decisions: Vec::new(),
            sites: Vec::new(),
            policy: None,
            enclosure: None,
            regions: (0, 0),
            visits: OnceCell::new(),
            arrivals: OnceCell::new(),
        });
        let options = &graph.options;
        let able = options.regions && options.clear && options.pools == Pools::Asked && !options.marks;
        let passes = !options.marks;
        let mut regions = tools.regions;
        regions.begin(options.budget.bytes / 64);
        Box::new(Explorer {
            graph,
            faults: FxHashMap::default(),
            at: Vec::new(),
            key: Vec::with_capacity(KEY),
            unsampled_fault: false,
            lists: Lists::default(),
            open: Open::default(),
            start: Vec::new(),
            drafts: Vec::new(),
            wholes: Joint::default(),
            decides: false,
            regions,
            looked: FxHashSet::default(),
            tail: Truncation::default(),
            able,
            passes,
        })
    }

    /// Explores until all states are expanded or a limit ends it. Returns the graph, and whether it must be discarded. That is
    /// the case if a player chose by the cleared order of a menu, or if dice were needed that can no longer be distinguished.
    pub fn explore(
        mut self: Box<Self>,
        analysis: &Analysis<'g>,
        deciders: &mut dyn Deciders,
    ) -> (Box<Graph<'g>>, bool) {
        let game = self.graph.game;
        let (outer, sums) = self.graph.splitter.outside.begin(self.graph.options.from.as_ref());
        let mut first = self.graph.splitter.spare.pop().unwrap_or_default();
        let mut state = std::mem::take(&mut first.state);
        state.clone_from(&self.graph.start);
        let mut memory = Vec::new();
        deciders.memory(&mut memory);
        *first = Branch { memory, ..Branch::start(state, outer, sums, self.graph.options.width) };
        self.keep(&mut first, false);
        self.graph.splitter.spare.push(first);
        // Deciders with fixed dice remember which dice were used.
        self.graph.splitter.folds &= !deciders.gives_dice();
        self.regions.rolls = !deciders.gives_dice();
        let shared = RefCell::new(Shared {
            remembers: deciders.remembers(),
            deciders: Some(deciders),
            ready: None,
            wanted: None,
            lazy: self.graph.options.pools == Pools::Asked,
            unseen: 0,
            lists: true,
            ordered: false,
            ends: None,
            marks: self.graph.options.marks.then(Vec::new),
            functions: game.program.funcs.len(),
            clauses: game.program.funcs.len() + game.program.schema.settings.len(),
            meter: Rc::clone(&self.graph.splitter.meter),
            before: Vec::new(),
        });
        let mut machine = Run::new(game, Chance(&shared), Table(&shared), NoTrace);
        if let Task::Plan(scenario) = self.graph.task {
            machine.halt = scenario.plan.stop.map(|m| Halt { phase: m.phase, start: m.start, key: m.key });
        }
        let mut node = 0;
        while node < self.graph.nodes.len() {
            if node % TOLD == 0 {
                let known = self.graph.store.count();
                self.graph.splitter.meter.doing(|| format!("{known} states found, {node} expanded"));
            }
            self.expand(node as Node, &mut machine);
            if analysis.menus && shared.borrow().ordered || self.unsampled_fault {
                return (self.graph, true);
            }
            node += 1;
            let meter = &self.graph.splitter.meter;
            if node < self.graph.nodes.len() && self.tail.is_spent(&self.graph, node) {
                meter.note(Limit::Tail);
                break;
            }
            if node < self.graph.nodes.len() && !meter.open() {
                break;
            }
        }
        self.graph.regions = self.regions.uses();
        let splitter = &mut self.graph.splitter;
        let mut tools = Tools {
            regions: self.regions,
            ways: std::mem::take(&mut splitter.ways),
            spare: std::mem::take(&mut splitter.spare),
            best: std::mem::take(&mut splitter.best),
        };
        tools.trim();
        analysis.tools.replace(tools);
        (self.graph, false)
    }

    /// Returns the branch at the start of a node.
    fn branch(&mut self, store: u32, ready: Option<Ready>) -> BoxedBranch {
        let graph = &mut self.graph;
        // Overwrites a reusable branch: most of its contents stay the same.
        let mut way = graph.splitter.spare.pop().unwrap_or_default();
        let branch = &mut *way;
        graph.position_into(store, branch);
        branch.fresh = branch.outer.inside && ready.is_none();
        branch.ready = ready;
        (branch.weight, branch.whole) = (Num::one(graph.options.width), Num::one(graph.options.width));
        branch.marks.clear();
        way
    }

    /// Computes the edges of a node.
    fn expand(&mut self, node: Node, machine: &mut Machine<'_, '_>) {
        self.drafts.clear();
        let mut site = NOWHERE;
        // Different answers often keep the same dice. The next roll is then a state that they share.
        let mut shares = false;
        let first = match self.graph.nodes[node as usize] {
            Sort::End(_) | Sort::Fault(_) | Sort::Choice(..) => None,
            Sort::Position(store) => Some(self.branch(store, None)),
            Sort::Entry(of, n) => {
                let Sort::Choice(store, decision) = self.graph.nodes[of as usize] else { return };
                let decision = &self.graph.decisions[decision as usize];
                let answer = decision.answers[n as usize].clone();
                shares = decision.answers.len() > FEW && matches!(answer, Answer::Several(_));
                let ready = Ready::Decision(answer, decision.ends.clone());
                Some(self.branch(store, Some(ready)))
            }
        };
        if let Some(first) = first {
            if let Some(at) = first.fresh.then(|| self.site(&first.state)).flatten() {
                site = at;
            }
            self.start.clone_from(&first.sums);
            let mut open = std::mem::take(&mut self.open);
            open.push(first);
            let (mut followed, mut passes) = (0, if self.passes && !shares { PASSED } else { 0 });
            let most = if self.able { LOOKS_A_NODE } else { WAYS_A_NODE };
            while let Some(mut branch) = open.pop(&mut self.graph.splitter.spare) {
                followed += 1;
                if !self.graph.splitter.meter.words(branch.work()) {
                    self.draft(&mut branch, UNEXPLORED);
                    self.graph.splitter.spare.push(branch);
                    continue;
                }
                // With marks, each roll is distinguished by its place.
                let alone = open.is_empty() && self.drafts.is_empty() && !self.graph.options.marks;
                // The first roll of a state is not one of those that it passes.
                let (fresh, passed) = (usize::from(branch.fresh), if alone { passes } else { 0 });
                let outcome = self.graph.splitter.go(machine, &mut branch, fresh + passed);
                passes -= passed.saturating_sub(machine.drivers.dice.0.borrow().unseen);
                let done = match outcome {
                    Err(fault) => Err(fault),
                    Ok(Stopped::Over) => {
                        branch.outer.stage = END;
                        self.ends_at(&mut branch, true)
                    }
                    Ok(Stopped::Looks) if followed < most => {
                        branch.fresh = false;
                        self.look(&mut branch, &mut open)
                    }
                    // Many branches can merge at a state.
                    Ok(Stopped::Looks) if self.able => self.ends_at(&mut branch, false),
                    Ok(Stopped::Looks | Stopped::Border | Stopped::Spent) => Ok(false),
                    Ok(Stopped::Round) => self.ends_at(&mut branch, false),
                    Ok(Stopped::Asks) if branch.fresh => {
                        let wanted = machine.drivers.dice.0.borrow_mut().wanted.take();
                        match wanted {
                            Some(wanted) if looked_for(&wanted) => {
                                self.decision(node, site, wanted);
                                Ok(true)
                            }
                            Some(wanted) => self.answer(&mut branch, wanted, &mut open),
                            None => Ok(false),
                        }
                    }
                    Ok(Stopped::Asks) => {
                        let wanted = machine.drivers.dice.0.borrow_mut().wanted.take();
                        let entry = matches!(self.graph.nodes[node as usize], Sort::Entry(..));
                        match wanted {
                            Some(wanted) if alone && entry && passes > 0 && is_die(&wanted) => {
                                passes -= 1;
                                self.answer(&mut branch, wanted, &mut open)
                            }
                            _ => self.ends_at(&mut branch, false),
                        }
                    }
                };
                match done {
                    Ok(true) => {}
                    Ok(false) => self.draft(&mut branch, UNEXPLORED),
                    Err(fault) => {
                        let to = self.fault(fault);
                        self.draft(&mut branch, to);
                    }
                }
                self.graph.splitter.spare.push(branch);
            }
            self.open = open;
        }
        self.graph.sites.push(site);
        self.close();
    }

    /// Splits a branch at a demand, by the whole region of code after it if there is one. Returns `false` if there are too many
    /// branches.
    fn look(&mut self, branch: &mut BoxedBranch, open: &mut Open) -> Result<bool, Fault> {
        let summed = self.able && self.may_come_again(branch);
        let splitter = &mut self.graph.splitter;
        if summed {
            if let Some(way) = splitter.join(branch)? {
                open.push(way);
                return Ok(true);
            }
            if splitter.sweeps_first(branch)
                && let Some(done) = splitter.sweep(branch, open)
            {
                return Ok(done);
            }
        }
        if summed && let Some(done) = self.regions.split(splitter, branch, None, open) {
            return Ok(done);
        }
        splitter.look(branch, open)
    }

    /// Splits a branch at a question that chance answers, by the whole region of code after a roll if there is one.
    fn answer(&mut self, branch: &mut BoxedBranch, wanted: Wanted, open: &mut Open) -> Result<bool, Fault> {
        let splitter = &mut self.graph.splitter;
        let split = if self.able { self.regions.split(splitter, branch, Some(&wanted), open) } else { None };
        split.map_or_else(|| splitter.answer(branch, wanted, open), Ok)
    }

    /// Returns whether a demand can recur, so that its result should be cached. Without a loop it can be the only one at its
    /// place.
    fn may_come_again(&mut self, branch: &Branch) -> bool {
        let state = &branch.state;
        let once = matches!(self.graph.task, Task::Call { .. }) && self.looked.insert(state.pc);
        !once || self.graph.splitter.canonical.borrow_mut().in_loop(state)
    }

    /// Returns the site of the question at which a state is.
    fn site(&self, state: &State) -> Option<u32> {
        let game = self.graph.game;
        let instr = *game.program.code.get(state.pc as usize)?;
        if let Instr::Ask { at } = instr {
            Some(game.program.asks[at as usize].site.0)
        } else if let Instr::CallExtern { func, .. } = instr {
            Some(game.stand_in_site(func).0)
        } else {
            None
        }
    }

    /// Adds a decision of the best or worst play: each entry of its menu is a node.
    fn decision(&mut self, node: Node, site: u32, wanted: Wanted) {
        let Wanted::Decision { choice, options, names, who, ends } = wanted else { return };
        // Without memory for the paths, they are searched for again.
        let ends = ends.filter(|ends| self.graph.splitter.meter.hold(ends.len() * PATH));
        let meter = &self.graph.splitter.meter;
        if !meter.hold(DECISION + options.len() * NODE) {
            meter.end(Limit::Memory);
        }
        for n in 0..options.len() {
            let to = self.graph.nodes.len() as Node;
            self.graph.nodes.push(Sort::Entry(node, n as u32));
            let whole = self.wholes.number(&Num::Narrow(1));
            self.drafts.push(Draft { to, marks: 0, weight: Num::Narrow(1), whole, sums: Vec::new() });
        }
        let best = matches!(choice, Choice::Best(_));
        let decision = Decision { best, site: grognard_base::value::SiteId(site), who, names, answers: options, ends };
        let Graph { nodes, decisions, .. } = &mut *self.graph;
        let recent = decisions.len().saturating_sub(MENUS);
        let known = decisions[recent..].iter().rposition(|met| met.is(&decision)).map(|at| recent + at);
        let number = known.unwrap_or_else(|| {
            decisions.push(decision);
            decisions.len() - 1
        });
        if let Sort::Position(store) = nodes[node as usize] {
            nodes[node as usize] = Sort::Choice(store, number as u32);
        }
        self.decides = true;
    }

    /// Ends a branch at a state or at an end of the run.
    fn ends_at(&mut self, branch: &mut Branch, end: bool) -> Result<bool, Fault> {
        let to = self.keep(branch, end);
        self.draft(branch, to);
        Ok(true)
    }

    /// Records the target of a branch.
    fn draft(&mut self, branch: &mut Branch, to: Node) {
        let whole = self.wholes.number(&branch.whole);
        let weight = std::mem::replace(&mut branch.weight, Num::Narrow(1));
        let sums = branch.sums.iter().zip(&self.start).enumerate().filter(|(_, (now, then))| now != then);
        let sums = sums.map(|(n, (now, then))| (n as u32, now - then)).collect();
        let marks = if branch.marks.is_empty() {
            0
        } else {
            let sets = &mut self.graph.mark_sets;
            let at = sets.iter().position(|s| *s == branch.marks).unwrap_or_else(|| {
                sets.push(branch.marks.clone());
                sets.len() - 1
            });
            at as u32 + 1
        };
        self.drafts.push(Draft { to, marks, weight, whole, sums });
    }

    /// Turns the drafts of a node into its edges.
    fn close(&mut self) {
        let graph = &mut self.graph;
        let (whole, factors) = self.wholes.close(graph.options.width);
        let before = (graph.to.len(), graph.large.len(), graph.sums.len());
        // With marks, branches with different tallies stay distinct.
        let apart = graph.options.marks;
        let decides = std::mem::take(&mut self.decides);
        if !decides {
            self.drafts.sort_by(|a, b| {
                let counted = || if apart { a.sums.cmp(&b.sums) } else { Ordering::Equal };
                (a.to, a.marks).cmp(&(b.to, b.marks)).then_with(counted)
            });
        }
        let mut at = 0;
        while at < self.drafts.len() {
            let edge = graph.to.len() as u32;
            let (first, to, marks) = (at, self.drafts[at].to, self.drafts[at].marks);
            let mut sum: Option<Num> = None;
            let alike = |one: &Draft, drafts: &[Draft]| {
                (one.to, one.marks) == (to, marks) && (!apart || one.sums == drafts[first].sums)
            };
            while self.drafts.get(at).is_some_and(|one| alike(one, &self.drafts)) {
                let draft = &mut self.drafts[at];
                let factor = factors.get(draft.whole as usize).filter(|factor| !factor.is_one());
                let weight = std::mem::replace(&mut draft.weight, Num::Narrow(0));
                let weight = if let Some(factor) = factor { weight.mul(factor) } else { weight };
                for (n, by) in &draft.sums {
                    if *by < 0 {
                        graph.falling.insert(*n);
                    }
                    graph.sums.add(edge, *n, &weight, *by);
                }
                match &mut sum {
                    Some(sum) => sum.add(&weight),
                    None => sum = Some(weight),
                }
                at += 1;
            }
            graph.to.push(to);
            if graph.options.marks {
                graph.marks.push(marks);
            }
            let weight = sum.unwrap_or(Num::Narrow(0));
            let stored = stored(&mut graph.large, weight);
            graph.weights.push(stored);
        }
        let whole = stored(&mut graph.large, whole);
        graph.wholes.push(whole);
        graph.ends.push(graph.to.len() as u32);
        let after = (graph.to.len(), graph.large.len(), graph.sums.len());
        let large: usize = graph.large[before.1..].iter().map(Num::bytes).sum();
        let bytes = EDGE * (after.0 - before.0) + large + SUM * (after.2 - before.2);
        if !graph.splitter.meter.hold(bytes) {
            graph.splitter.meter.end(Limit::Memory);
        }
    }

    fn fault(&mut self, fault: Fault) -> Node {
        self.unsampled_fault |= is_unsampled_fault(&fault);
        if let Some(node) = self.faults.get(&fault) {
            return *node;
        }
        let (node, meter) = (self.graph.nodes.len() as Node, &self.graph.splitter.meter);
        if !meter.hold(NODE + 2 * (size_of::<Fault>() + fault.message.len())) {
            meter.end(Limit::Memory); // a message can contain a number of the state
        }
        self.graph.nodes.push(Sort::Fault(self.graph.faults.len() as u32));
        self.graph.faults.push(fault.clone());
        self.faults.insert(fault, node);
        node
    }

    /// Returns the node of a state. Creates it if it is new and the budget allows it; otherwise returns [`UNEXPLORED`].
    fn keep(&mut self, branch: &mut Branch, end: bool) -> Node {
        let graph = &mut self.graph;
        let splitter = &graph.splitter;
        let mut canonical = splitter.canonical.borrow_mut();
        let state = &mut branch.state;
        canonical.sort(state);
        state.frames.iter_mut().for_each(|frame| frame.heap = 0);
        if let (Task::Call { func, .. }, true) = (graph.task, end) {
            canonical.clear_result(state, func, splitter.root);
        }
        self.key.clear();
        let mut writer = Writer(&mut self.key);
        let memory: &[i64] = if end { &[] } else { &branch.memory };
        splitter.outside.write(&branch.outer, &branch.sums, memory, &mut writer);
        let shapes = graph.shapes.size();
        let live = || canonical.live_registers(state, splitter.root);
        writer.live((state, &graph.start), &mut graph.shapes, (&mut self.lists, graph.game), live);
        drop(canonical);
        let shapes = graph.shapes.size() - shapes;
        if graph.options.merge
            && let Some(known) = graph.store.find(&self.key)
        {
            return self.at[known as usize];
        }
        let meter = &graph.splitter.meter;
        if graph.store.full(self.key.len()) {
            meter.note(Limit::Memory);
            return UNEXPLORED;
        }
        if !meter.position(self.key.len() + shapes + POSITION) {
            return UNEXPLORED;
        }
        let store = graph.store.add(&self.key);
        let node = graph.nodes.len() as Node;
        graph.nodes.push(if end { Sort::End(store) } else { Sort::Position(store) });
        self.at.push(node);
        node
    }
}

/// Returns whether the question is one die: an entry of a menu leads directly to its faces, without a state in between.
fn is_die(wanted: &Wanted) -> bool {
    matches!(wanted, Wanted::Dice { count: 1, .. })
}

/// Returns a number in 64 bits, or its index among the large numbers.
fn stored(large: &mut Vec<Num>, num: Num) -> u64 {
    // Indexes count down from `u64::MAX`, so plain numbers must be in the lower half.
    match num {
        Num::Narrow(n) if n < u64::MAX >> 1 => n,
        other @ (Num::Narrow(_) | Num::Wide(_) | Num::Big(_)) => {
            large.push(other);
            u64::MAX - (large.len() as u64 - 1)
        }
    }
}
