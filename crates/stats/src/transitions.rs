//! The transition cache: memoization as fast-forwarding, after Schnarr and Larus, "Fast Out-Of-Order Processor
//! Simulation Using Memoization" (1998). Between two rolls a run is determined by its state. The cache stores the
//! successor of each state for each answer, that is, for the information about the dice that the rules demanded. The
//! next run that reaches the state continues from the successor.
//!
//! States are canonical as in exact odds: dead registers are cleared, and equal states are interned. The dice come from
//! the seed of the run. They are sampled lazily: for a count of a pool, the key is only the count. Random numbers are
//! addressed, so a run rolls the same dice as without the cache. A run that reaches an error is replayed without the
//! cache.

mod drivers;

use super::runner::Speed;
use super::simulate::Figures;
use drivers::{Chance, Draw, ScenarioDecisions, Wanted};
use grognard_base::value::*;
use grognard_odds::{Canonical, Deciders, Interner, Liveness, Reader, Shapes, Writer};
use grognard_play::{Play, Scripts, Seeded, Verdict};
use grognard_program::{AskKind, Instr, Pc};
use grognard_scenario::{Answerer, PieceId, Repeat, Scenario};
use grognard_vm::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Maximum size of the cache of each worker, in bytes.
const MOST_BYTES: usize = 32 << 20;

/// Approximate overhead of each state, transition, row of faces, condition and end, in bytes.
const NODE: usize = 96;
const EDGE: usize = 80;
const ROW: usize = 96;
const HOLDS: usize = 72;
const END: usize = 256;

/// `FIRST`: number of transitions made before the cache must pay off. `WORTH`: number of known transitions for each
/// further one made.
const FIRST: u64 = 4096;
const WORTH: u64 = 2;

/// Maximum number of rounds of a `repeat until` that is followed.
const MOST_ROUNDS: u64 = 10_000;

/// The target of a transition that the cache cannot represent. Such runs are played directly.
const ALONE: u32 = u32::MAX;

/// The first number for a row of several faces; smaller numbers are single faces.
const ROWS: u64 = 1 << 63;

/// The question at which a stored state waits.
enum Sort {
    /// A roll. The faces of a pool stay unsampled; of a sum only the total matters.
    Throw { dice: Wanted, pool: bool, sum: bool },
    /// A draw of candidates.
    Draw(Box<Draw>),
    /// The number of dice in a pool that satisfy a comparison: the indices of the unsampled dice, and how many of the
    /// sampled dice satisfy it.
    Count { dice: Box<[u32]>, known: i64, op: Op, than: i64 },
    /// The faces of unsampled dice.
    Faces(Box<[u32]>),
    /// The next call.
    Call,
}

/// The transition from a state with an answer.
struct Edge {
    to: u32,
    /// Number of rounds and calls of this transition.
    fuel: u64,
    /// The increments of the tallies.
    counts: Box<[(usize, i64)]>,
    dice: Onward,
}

impl Edge {
    fn new(to: u32, fuel: u64) -> Edge {
        Edge { to, fuel, counts: Box::default(), dice: Onward::None }
    }
}

/// Which dice are unsampled after a transition.
enum Onward {
    None,
    /// All dice that were unsampled before.
    Same,
    /// For each die, its index before the transition.
    Those(Box<[u32]>),
}

impl Onward {
    fn of(left: Vec<u32>, before: usize) -> Onward {
        match left.len() {
            0 => Onward::None,
            n if n == before && (0..).zip(&left).all(|(n, die)| n == *die) => Onward::Same,
            _ => Onward::Those(left.into()),
        }
    }

    fn apply(&self, faces: &mut Vec<i64>) {
        match self {
            Onward::None => faces.clear(),
            Onward::Same => {}
            Onward::Those(dice) => *faces = dice.iter().map(|die| faces[*die as usize]).collect(),
        }
    }
}

/// The results of a run.
struct StretchEnd {
    verdicts: Vec<Verdict>,
    figures: Vec<Option<Vec<i64>>>,
}

/// The cache: the states, the transitions between them, and the results at the ends.
pub(super) struct Transitions<'a> {
    scenario: &'a Scenario,
    canonical: Canonical<'a>,
    root: (u32, u32),
    store: Interner,
    shapes: Shapes,
    nodes: Vec<(Sort, Pc)>,
    edges: FxHashMap<(u32, u64), Edge>,
    rows: FxHashMap<SmallVec<[i64; 8]>, u64>,
    /// By state, expression and counts: whether the expression holds.
    holds: FxHashMap<(u32, usize, Counted), bool>,
    ends: FxHashMap<(u32, Counted), StretchEnd>,
    seeded: Seeded,
    machine: Run<Drivers<Chance, ScenarioDecisions<'a>, NoTrace>>,
    state: State,
    /// The state that the machine currently holds.
    live: u32,
    /// The faces of the unsampled dice.
    faces: Vec<i64>,
    /// The current answer.
    answer: SmallVec<[i64; 16]>,
    memory: Vec<i64>,
    key: Vec<u8>,
    uses: Uses,
    /// By program counter: how many transitions were played from there.
    anew: Vec<u64>,
}

/// Statistics of the cache.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    /// Number of runs that reached their end.
    ended: u64,
    /// Number of known transitions in these runs (`known`), and number of transitions made (`made`).
    known: u64,
    made: u64,
}

/// Number of rounds, followed by the tallies.
type Counted = SmallVec<[i64; 4]>;

/// The fuel and the counts of one run.
#[derive(Clone, Default)]
struct Tour {
    fuel: u64,
    known: u64,
    counted: Counted,
}

impl Tour {
    /// Applies a transition. Returns `None` if the fuel does not suffice or a tally overflows.
    fn pass(&mut self, edge: &Edge) -> Option<()> {
        self.fuel = self.fuel.checked_sub(edge.fuel)?;
        for (tally, more) in &edge.counts {
            self.counted[1 + tally] = self.counted[1 + tally].checked_add(*more)?;
        }
        Some(())
    }
}

impl<'a> Transitions<'a> {
    /// Creates a cache. Returns `None` if the scenario depends on data that is not part of a state.
    pub fn new(scenario: &'a Scenario) -> Option<Transitions<'a>> {
        let (game, plan) = (&scenario.game, &scenario.plan);
        let settled = |source: &Answerer| match source {
            Answerer::Script | Answerer::Policy(_) | Answerer::Prefer | Answerer::First => true,
            Answerer::Random | Answerer::Prompt | Answerer::Best | Answerer::Worst => false,
        };
        let plain = plan.fixed_dice().is_empty()
            && plan.stop.is_none()
            && plan.alone.is_none()
            && plan.call.is_none()
            && game.start.tags.is_empty()
            && plan.players.iter().all(|(_, sources)| sources.iter().all(settled))
            && plan.steps.iter().all(|step| step.expects.iter().all(|e| e.earlier.is_empty()));
        if !plain {
            return None;
        }
        let mut canonical = Canonical::new(game, Liveness { unread: true, order: false, menus: false });
        let root = canonical.nothing();
        let machine = Run::new(game, Chance::default(), ScenarioDecisions(Scripts::new(scenario)), NoTrace);
        let mut new = Transitions {
            scenario,
            canonical,
            root,
            store: Interner::default(),
            shapes: Shapes::default(),
            nodes: Vec::new(),
            edges: FxHashMap::default(),
            rows: FxHashMap::default(),
            holds: FxHashMap::default(),
            ends: FxHashMap::default(),
            seeded: Seeded::new(game, 0, 0),
            machine,
            state: game.start.clone(),
            live: ALONE,
            faces: Vec::new(),
            answer: SmallVec::new(),
            memory: Vec::new(),
            key: Vec::new(),
            uses: Uses::default(),
            anew: vec![0; game.program.code.len() + 1],
        };
        new.machine.drivers.decide.0.begin_step(None);
        rest(&mut new.state);
        new.keep(Sort::Call);
        Some(new)
    }

    /// Adds the statistics of the cache to `speed`.
    pub fn speed(&self, speed: &mut Speed) {
        speed.followed += self.uses.ended;
        speed.known += self.uses.known;
        let debug = &self.scenario.game.program.debug;
        for (pc, times) in (0..).zip(&self.anew).filter(|(_, times)| **times > 0) {
            // the debug table assigns the span of an instruction to the next program counter
            *speed.anew.entry(debug.place(pc + 1).filter(|_| pc > 0)).or_default() += times;
        }
    }

    /// Returns the approximate number of steps: a quarter for each known transition, 64 for each one made.
    pub fn steps(&self) -> u64 {
        self.uses.known / 4 + self.uses.made * 64
    }

    /// Returns whether the cache pays off.
    pub fn pays(&self) -> bool {
        self.uses.made <= FIRST + self.uses.known / WORTH
    }

    /// Returns whether there is room for another entry.
    fn keeps(&self) -> bool {
        let kept = self.nodes.len() * NODE + self.edges.len() * EDGE + self.rows.len() * ROW;
        let rendered = self.holds.len() * HOLDS + self.ends.len() * END;
        self.store.size() + kept + rendered < MOST_BYTES
    }

    /// Follows a run to its end and stores its first `count` measures and its verdicts. Returns `false` if the run must
    /// be played directly.
    pub fn run(
        &mut self,
        (seed, run): (u64, u64),
        play: &mut Play<'a>,
        count: usize,
        figures: &mut Figures,
        verdicts: &mut Vec<Verdict>,
    ) -> bool {
        self.seeded.start(seed, run);
        self.faces.clear();
        verdicts.clear();
        let mut tour = Tour::default();
        tour.counted.resize(1 + self.machine.tallies.len(), 0);
        let Some(end) = self.follow(&mut tour, verdicts, play) else { return false };
        self.uses.ended += 1;
        self.uses.known += tour.known;
        let end = &self.ends[&end];
        verdicts.extend_from_slice(&end.verdicts);
        figures.clear();
        end.figures[..count].iter().for_each(|cells| figures.add(cells.as_ref().map(|cells| cells.iter().copied())));
        true
    }

    /// Returns the end state of a run and its counts, and appends the verdicts of its steps. Returns `None` if the run
    /// must be played directly.
    fn follow(&mut self, tour: &mut Tour, verdicts: &mut Vec<Verdict>, play: &mut Play<'a>) -> Option<(u32, Counted)> {
        let plan = &self.scenario.plan;
        let (mut at, mut rounds) = (0, 0);
        if let Some((start, _)) = plan.start {
            loop {
                match plan.repeat {
                    Repeat::Times(n) if rounds >= n => break,
                    Repeat::Until(_) if rounds >= MOST_ROUNDS => return None,
                    Repeat::Times(_) | Repeat::Until(_) => {}
                }
                at = self.call(at, start, None, tour)?;
                rounds += 1;
                tour.counted[0] += 1;
                if let Repeat::Until(done) = plan.repeat
                    && self.holds(at, done, &tour.counted)?
                {
                    break;
                }
            }
        }
        for (n, step) in plan.steps.iter().enumerate() {
            at = self.call(at, step.action, Some(n), tour)?;
            for expect in &step.expects {
                let holds = self.holds(at, expect.piece, &tour.counted)?;
                verdicts.push(if holds { Verdict::Holds } else { Verdict::Fails(1) });
            }
        }
        let end = (at, tour.counted.clone());
        if !self.ends.contains_key(&end) {
            if !self.keeps() {
                return None;
            }
            self.restore(at);
            play.ends_at(&self.state, rounds, &tour.counted[1..]).ok()?;
            let figures = (0..plan.report.len()).map(|n| Ok(play.figure(n)?.map(<[i64]>::to_vec)));
            let figures = figures.collect::<Result<_, Fault>>().ok()?;
            self.ends.insert(end.clone(), StretchEnd { verdicts: play.verdicts().to_vec(), figures });
        }
        Some(end)
    }

    /// Returns whether an expression holds between two calls.
    fn holds(&mut self, at: u32, piece: PieceId, counted: &Counted) -> Option<bool> {
        let asked = (at, piece.0, counted.clone());
        if let Some(known) = self.holds.get(&asked) {
            return Some(*known);
        }
        self.restore(at);
        let found = self.scenario.value(&mut self.state, piece, &counted[1..], &counted[..1]).ok()?;
        rest(&mut self.state);
        let holds = found.first() == Some(&1);
        if self.keeps() {
            self.holds.insert(asked, holds);
        }
        Some(holds)
    }

    /// Follows a call to its end and returns the state.
    fn call(&mut self, from: u32, piece: PieceId, step: Option<usize>, tour: &mut Tour) -> Option<u32> {
        tour.fuel = self.scenario.game.fuel;
        let mut at = self.go(from, step.map_or(0, |n| n as u64 + 1), Some((piece, step)), tour)?;
        while let Some(key) = self.answer(at) {
            at = self.go(at, key, None, tour)?;
        }
        Some(at)
    }

    /// Computes the answer of this run at a state, encoded as a number. Returns `None` between two calls.
    fn answer(&mut self, at: u32) -> Option<u64> {
        let (game, keeps) = (&self.scenario.game, self.keeps());
        let (answer, faces) = (&mut self.answer, &mut self.faces);
        answer.clear();
        match &self.nodes[at as usize].0 {
            Sort::Call => return None,
            Sort::Throw { dice, pool, sum } => {
                let before = faces.len();
                let thrown = match dice.same {
                    Some((die, n)) => Thrown::Same(die, n),
                    None => Thrown::Each(&dice.each),
                };
                let Wanted { site, subject, explode, .. } = *dice;
                let throw = Throw { site, subject, dice: thrown, pool: *pool, again: &dice.again, explode };
                // seeded dice neither fail nor wait, so the result can be ignored
                let _ = self.seeded.throw(game, &throw, faces);
                if *pool {
                    return Some(0);
                }
                if *sum {
                    answer.push(faces[before..].iter().sum());
                } else {
                    answer.extend_from_slice(&faces[before..]);
                }
                faces.truncate(before);
            }
            Sort::Draw(draw) => {
                let Draw { site, subject, count, .. } = **draw;
                let Draw { names, alike, weights, .. } = &**draw;
                let mut picks = Vec::new();
                let draw = DrawAsk { site, subject, names, alike, weights, count };
                let _ = self.seeded.draw(game, &draw, &mut picks);
                answer.extend(picks.iter().map(|pick| *pick as i64));
            }
            Sort::Count { dice, known, op, than } => {
                let those = dice.iter().filter(|n| holds(*op, faces[**n as usize], *than)).count();
                answer.push(known + those as i64);
            }
            Sort::Faces(dice) => answer.extend(dice.iter().map(|n| faces[*n as usize])),
        }
        Some(match answer.as_slice() {
            [one] => *one as u64 & !ROWS,
            row => match self.rows.get(row) {
                Some(known) => *known,
                // no transition has this number
                None if !keeps => u64::MAX,
                None => {
                    let next = ROWS | self.rows.len() as u64;
                    self.rows.insert(SmallVec::from_slice(row), next);
                    next
                }
            },
        })
    }

    /// Follows or makes the transition for an answer. Returns `None` if the run must be played directly.
    fn go(&mut self, from: u32, key: u64, call: Option<(PieceId, Option<usize>)>, tour: &mut Tour) -> Option<u32> {
        let Some(edge) = self.edges.get(&(from, key)) else {
            if !self.keeps() {
                return None;
            }
            let edge = self.make(from, call, tour.fuel);
            let edge = edge.unwrap_or(Edge::new(ALONE, 0));
            let passed = tour.pass(&edge).filter(|()| edge.to != ALONE).map(|()| edge.to);
            self.edges.insert((from, key), edge);
            return passed;
        };
        tour.pass(edge).filter(|()| edge.to != ALONE)?;
        tour.known += 1;
        edge.dice.apply(&mut self.faces);
        Some(edge.to)
    }

    /// Plays from a state to the next question and stores the result.
    fn make(&mut self, from: u32, call: Option<(PieceId, Option<usize>)>, fuel: u64) -> Option<Edge> {
        self.restore(from);
        self.live = ALONE;
        self.uses.made += 1;
        self.anew[self.nodes[from as usize].1 as usize] += 1;
        let unseen = self.give(from);
        let (game, state) = (&self.scenario.game, &mut self.state);
        self.machine.fuel = fuel;
        self.machine.tallies.fill(0);
        let stop = match call {
            Some((piece, step)) => {
                self.machine.drivers.decide.0.begin_step(step);
                grognard_vm::call(game, state, &mut self.machine, self.scenario.pieces[piece.0].func, &[])
            }
            None => run(game, state, &mut self.machine),
        };
        let counts = self.machine.tallies.iter().copied().enumerate().filter(|(_, count)| *count != 0);
        let mut edge = Edge { counts: counts.collect(), ..Edge::new(ALONE, fuel - self.machine.fuel) };
        let asked = std::mem::take(&mut self.machine.drivers.dice);
        match stop.ok()? {
            Stop::Finished | Stop::Judged => {
                rest(state);
                self.machine.drivers.decide.0.begin_step(None);
                edge.to = self.keep(Sort::Call);
            }
            Stop::Waiting => {
                let left = self.clear(&unseen)?;
                edge.to = self.keep(sort(game, &self.state, asked));
                edge.dice = Onward::of(left, self.faces.len());
            }
            Stop::Reached => return None,
        }
        edge.dice.apply(&mut self.faces);
        Some(edge)
    }

    /// Passes the answer at a state to the machine. Returns the unsampled dice and their positions on the heap.
    fn give(&mut self, from: u32) -> Unseen {
        let (game, state) = (&self.scenario.game, &mut self.state);
        let mut cells: Vec<i64> = state.heap.iter().copied().filter(|cell| is_unseen(*cell)).collect();
        let mut at = numbered(&state.heap);
        match &self.nodes[from as usize].0 {
            Sort::Throw { dice, pool: true, .. } => {
                let new = cells.len();
                match dice.same {
                    Some((die, n)) => cells.resize(new + n, LazyDice::new(game, die).cell()),
                    None => cells.extend(dice.each.iter().map(|die| LazyDice::new(game, *die).cell())),
                }
                // new dice are allocated at the end of the heap
                at.extend((new as u32..cells.len() as u32).map(Some));
                self.machine.drivers.dice.ready = Some(SmallVec::from_slice(&cells[new..]));
            }
            Sort::Throw { .. } | Sort::Draw(_) => self.machine.drivers.dice.ready = Some(self.answer.clone()),
            Sort::Count { .. } => {
                if let Instr::Look { dst, .. } = game.program.code[state.pc as usize] {
                    state.stack[state.base as usize + dst as usize] = self.answer[0];
                    state.pc += 1;
                }
            }
            Sort::Faces(dice) => {
                for (cell, number) in state.heap.iter_mut().zip(&at) {
                    if let Some(n) = number.and_then(|number| dice.iter().position(|die| *die == number)) {
                        *cell = self.answer[n];
                    }
                }
            }
            Sort::Call => {}
        }
        Unseen { cells, at }
    }

    /// Clears dead registers. Returns the indices of the remaining unsampled dice, in their new order.
    fn clear(&mut self, unseen: &Unseen) -> Option<Vec<u32>> {
        let state = &mut self.state;
        // indices replace the dice while the heap is compacted
        for (at, cell) in state.heap.iter_mut().enumerate().filter(|(_, cell)| is_unseen(**cell)) {
            let number = unseen.at.get(at).copied().flatten()?;
            *cell = LazyDice { die: Die::Sides(0), low: 0, high: number, batch: 0 }.cell();
        }
        self.canonical.clear(state, self.root);
        let mut left = Vec::new();
        for cell in state.heap.iter_mut().filter(|cell| is_unseen(**cell)) {
            let number = LazyDice::of(*cell)?.high;
            left.push(number);
            *cell = unseen.cells[number as usize];
        }
        Some(left)
    }

    /// Interns the state of the machine and returns its number.
    fn keep(&mut self, sort: Sort) -> u32 {
        self.memory.clear();
        self.machine.drivers.decide.0.memory(&mut self.memory);
        self.key.clear();
        let mut to = Writer(&mut self.key);
        to.all(&self.memory);
        to.state(&self.state, &self.scenario.game.start, &mut self.shapes);
        let at = self.store.find(&self.key).unwrap_or_else(|| {
            self.nodes.push((sort, self.state.pc));
            self.store.add(&self.key)
        });
        self.live = at;
        at
    }

    /// Restores the machine to a state.
    fn restore(&mut self, at: u32) {
        if self.live == at {
            return;
        }
        let mut from = Reader(self.store.get(at as usize));
        Reader::into(&mut from, &mut self.memory);
        from.state(&mut self.state, &self.scenario.game.start, &self.shapes);
        self.machine.drivers.decide.0.recall(&self.memory);
        self.live = at;
    }
}

/// The unsampled dice: the cell of each, and the index of the die at each position on the heap.
struct Unseen {
    cells: Vec<i64>,
    at: Vec<Option<u32>>,
}

/// Numbers the unsampled dice of a heap.
fn numbered(heap: &[i64]) -> Vec<Option<u32>> {
    let mut next = 0..;
    heap.iter().map(|cell| if is_unseen(*cell) { next.next() } else { None }).collect()
}

/// Returns the question at which the machine waits.
fn sort(game: &Game, state: &State, asked: Chance) -> Sort {
    let Some(dice) = asked.throw else { return asked.draw.map_or_else(|| looked_at(game, state), Sort::Draw) };
    if let Instr::Ask { at } = game.program.code[state.pc as usize]
        && let AskKind::Roll { count, sum, list, .. } = game.program.asks[at as usize].kind
    {
        return Sort::Throw { dice, pool: count.is_some() && !sum || list, sum };
    }
    Sort::Throw { dice, pool: false, sum: false }
}

/// Returns the information about unsampled dice that the current instruction demands.
fn looked_at(game: &Game, state: &State) -> Sort {
    let numbers = numbered(&state.heap);
    let frame = &state.stack[state.base as usize..];
    let list = |reg: u16| {
        let list = Handle::of(frame[reg as usize]);
        list.at..list.at + list.len
    };
    if let Instr::Look { list: reg, op, than, .. } = game.program.code[state.pc as usize] {
        let than = frame[than as usize];
        let dice = numbers[list(reg)].iter().copied().flatten().collect();
        let seen = state.heap[list(reg)].iter().filter(|cell| !is_unseen(**cell));
        let known = seen.filter(|face| holds(op, **face, than)).count() as i64;
        return Sort::Count { dice, known, op, than };
    }
    let mut dice: Vec<u32> =
        wants(game, state.pc).iter().flat_map(|(reg, _)| numbers[list(*reg)].iter().copied().flatten()).collect();
    if dice.is_empty() {
        dice.extend(numbers.iter().copied().flatten());
    }
    dice.sort_unstable();
    dice.dedup();
    Sort::Faces(dice.into())
}

/// Resets the state to an empty call stack.
fn rest(state: &mut State) {
    state.stack.clear();
    state.heap.clear();
    state.frames.clear();
    (state.pc, state.base) = (0, 0);
}
