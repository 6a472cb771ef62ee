//! Plays numbered runs of one scenario. It uses a block of lanes if possible, otherwise the transition cache, and
//! otherwise plays the runs one at a time.

use super::simulate::Figures;
use super::tally::Tally;
use super::transitions::Transitions;
use grognard_base::value::NONE;
use grognard_base::{OrdMap, Span};
use grognard_batch::{Block, LANES};
use grognard_play::{Person, Play, Verdict};
use grognard_scenario::{Expected, FigureSort, PieceId, Repeat, Scenario};
use grognard_vm::Fault;
use smallvec::SmallVec;
use std::ops::Range;

/// Minimum number of runs for which a block pays off.
const FEW: usize = 16;

/// A player of the runs of one scenario.
pub(super) struct Runner<'a> {
    pub play: Play<'a>,
    pub figures: Figures,
    verdicts: Vec<Verdict>,
    blocks: Option<Blocks<'a>>,
    /// The transition cache, created on first use.
    transitions: LazyTransitions<'a>,
    /// Number of upcoming runs with consecutive numbers.
    ahead: usize,
}

/// A transition cache that is created on first use.
enum LazyTransitions<'a> {
    Not(&'a Scenario),
    Kept(Box<Transitions<'a>>),
    /// The cache did not pay off and is no longer used.
    Left(Box<Transitions<'a>>),
    /// The scenario cannot use a cache.
    Never,
}

/// Number of single runs that cost as much as a block: a lane costs about one 32nd of a run.
const BLOCK_COSTS: u64 = LANES as u64 / 32;

/// Statistics of how the runs were played. They depend on the assignment of runs to threads and are not part of a
/// result.
#[derive(Clone, Debug, Default)]
pub struct Speed {
    /// Whether blocks were tried.
    pub blocks: bool,
    /// Number of runs that were played to the end in blocks.
    pub in_blocks: u64,
    /// Source spans at which lanes left a block, if known, with their frequencies.
    pub left: OrdMap<Option<Span>, u64>,
    /// Whether a block had no memory for the values of the table that change.
    pub full: bool,
    /// Number of runs that followed the transition cache to the end.
    pub followed: u64,
    /// Number of transitions found in the cache.
    pub known: u64,
    /// Source spans, if known, from which a new transition was played, with their frequencies.
    pub anew: OrdMap<Option<Span>, u64>,
}

/// A block and the results of its lanes.
struct Blocks<'a> {
    scenario: &'a Scenario,
    block: Block<'a>,
    seed: u64,
    first: u64,
    lanes: usize,
    /// For each measure, the cells of all lanes, and whether the condition of `given` holds.
    figures: Vec<LaneFigure>,
    /// For each expectation, whether it holds in each lane.
    holds: Vec<Vec<bool>>,
    /// Whether the results of each lane are valid.
    rendered: Vec<bool>,
    played: u64,
    alone: u64,
}

#[derive(Default)]
struct LaneFigure {
    given: Vec<bool>,
    cells: Vec<Vec<i64>>,
}

impl<'a> Runner<'a> {
    /// Creates a runner. Blocks and the transition cache are not available if a person is asked.
    pub fn new(scenario: &'a Scenario, person: Option<&'a mut dyn Person>) -> Runner<'a> {
        let blocks = if person.is_none() { Blocks::new(scenario) } else { None };
        let transitions = if person.is_none() { LazyTransitions::Not(scenario) } else { LazyTransitions::Never };
        let play = Play::of_many(scenario, person, None);
        Runner { play, figures: Figures::default(), verdicts: Vec::new(), blocks, transitions, ahead: 0 }
    }

    /// Announces that the next `runs` runs have consecutive numbers.
    pub fn expect(&mut self, runs: u64) {
        self.ahead = usize::try_from(runs).unwrap_or(LANES).min(LANES);
    }

    /// Plays a run and stores its first `count` measures.
    ///
    /// # Errors
    ///
    /// Returns the error in which the run ends.
    pub fn run(&mut self, seed: u64, run: u64, count: usize) -> Result<(), Fault> {
        if let Some(blocks) = &mut self.blocks
            && self.ahead >= FEW
            && (blocks.holds(seed, run) || !blocks.mostly_alone())
        {
            if !blocks.holds(seed, run) {
                blocks.fill(seed, run, self.ahead);
            }
            let lane = (run - blocks.first) as usize;
            let rendered = blocks.rendered[lane];
            if rendered {
                blocks.tell(lane, count, &mut self.figures, &mut self.verdicts);
            }
            if rendered {
                return Ok(());
            }
        }
        if self.ahead >= FEW && self.by_transitions(seed, run, count) {
            return Ok(());
        }
        self.play.start(seed, run);
        let outcome = self.figures.play(&mut self.play, count);
        self.verdicts.clear();
        self.verdicts.extend_from_slice(self.play.verdicts());
        outcome
    }

    /// Plays a run with the transition cache. Returns `false` if the run must be played directly.
    fn by_transitions(&mut self, seed: u64, run: u64, count: usize) -> bool {
        if let LazyTransitions::Not(scenario) = self.transitions {
            let made = Transitions::new(scenario);
            self.transitions = made.map_or(LazyTransitions::Never, |made| LazyTransitions::Kept(Box::new(made)));
        }
        let LazyTransitions::Kept(known) = &mut self.transitions else { return false };
        if known.pays() {
            return known.run((seed, run), &mut self.play, count, &mut self.figures, &mut self.verdicts);
        }
        if let LazyTransitions::Kept(known) = std::mem::replace(&mut self.transitions, LazyTransitions::Never) {
            self.transitions = LazyTransitions::Left(known);
        }
        false
    }

    /// Plays runs in one block and counts all their measures. Returns `false` if the runs must be played separately,
    /// because a lane left the block or the scenario has expectations.
    pub fn count(&mut self, seed: u64, runs: &Range<u64>, tallies: &mut [Tally]) -> bool {
        let Some(blocks) = &mut self.blocks else { return false };
        let plan = &blocks.scenario.plan;
        let expects = !plan.expects.is_empty() || plan.steps.iter().any(|step| !step.expects.is_empty());
        if expects || self.ahead < FEW || runs.end - runs.start != self.ahead as u64 || blocks.mostly_alone() {
            return false;
        }
        if !blocks.holds(seed, runs.start) {
            blocks.fill(seed, runs.start, self.ahead);
        }
        blocks.first == runs.start && blocks.count(tallies)
    }

    /// Adds the statistics of this runner to `speed`.
    pub fn speed(&self, speed: &mut Speed) {
        if let LazyTransitions::Kept(known) | LazyTransitions::Left(known) = &self.transitions {
            known.speed(speed);
        }
        let Some(blocks) = &self.blocks else { return };
        speed.blocks = true;
        speed.full |= blocks.block.full();
        speed.in_blocks += blocks.played - blocks.alone;
        let debug = &blocks.scenario.game.program.debug;
        for (pc, times) in (0..).zip(blocks.block.left()).filter(|(_, times)| **times > 0) {
            // the debug table assigns the span of an instruction to the next program counter
            *speed.left.entry(debug.place(pc + 1)).or_default() += times;
        }
    }

    /// Returns the approximate number of steps so far. A round or a call of a run counts as one.
    pub fn steps(&self) -> u64 {
        // a round of a block executes many lanes at once
        let blocks = self.blocks.as_ref().map_or(0, |blocks| blocks.block.burnt() * BLOCK_COSTS + blocks.played);
        let followed = match &self.transitions {
            LazyTransitions::Kept(known) | LazyTransitions::Left(known) => known.steps(),
            LazyTransitions::Not(_) | LazyTransitions::Never => 0,
        };
        self.play.steps() + blocks + followed
    }

    /// Returns the number of single runs that cost as much as a block, or `None` if blocks are not used.
    pub fn together_costs(&self) -> Option<u64> {
        self.blocks.as_ref().filter(|blocks| !blocks.mostly_alone()).map(|_| BLOCK_COSTS)
    }

    /// Returns the verdicts of the last run.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }
}

impl<'a> Blocks<'a> {
    /// Creates a block. Returns `None` if the scenario uses a feature that blocks do not support.
    fn new(scenario: &'a Scenario) -> Option<Blocks<'a>> {
        let plan = &scenario.plan;
        let lists = |piece: PieceId| {
            let piece = &scenario.pieces[piece.0];
            piece.width == 1 && !scenario.game.program.funcs[piece.func.at()].lists.is_empty()
        };
        let plain = plan.fixed_dice().is_empty()
            && plan.stop.is_none()
            && plan.call.is_none()
            && matches!(plan.repeat, Repeat::Times(_))
            && plan.steps.iter().all(|step| step.expects.iter().all(|e| e.earlier.is_empty()))
            && !plan.report.iter().any(|figure| lists(figure.asked.piece));
        let block = if plain { Block::new(&scenario.game) } else { None };
        Some(Blocks {
            scenario,
            block: block?,
            seed: 0,
            first: 0,
            lanes: 0,
            figures: plan.report.iter().map(|_| LaneFigure::default()).collect(),
            holds: Vec::new(),
            rendered: vec![false; LANES],
            played: 0,
            alone: 0,
        })
    }

    fn holds(&self, seed: u64, run: u64) -> bool {
        self.seed == seed && run.checked_sub(self.first).is_some_and(|lane| lane < self.lanes as u64)
    }

    /// Returns whether blocks do not pay off: more than three quarters of their runs were played separately in the end.
    fn mostly_alone(&self) -> bool {
        self.played >= LANES as u64 && self.alone * 4 > self.played * 3
    }

    /// Plays the runs `first..first + lanes` in the block.
    fn fill(&mut self, seed: u64, first: u64, lanes: usize) {
        (self.seed, self.first, self.lanes) = (seed, first, lanes);
        let Scenario { plan, pieces, .. } = self.scenario;
        self.block.start(seed, first, lanes);
        let mut rounds = 0;
        if let (Some((start, _)), Repeat::Times(times)) = (&plan.start, plan.repeat) {
            while rounds < times && self.block.any() {
                self.block.call(pieces[start.0].func, &[]);
                rounds += 1;
            }
        }
        let mut checked = 0;
        for step in &plan.steps {
            self.block.call(pieces[step.action.0].func, &[]);
            for expect in &step.expects {
                self.check(expect.piece, rounds, &mut checked);
            }
        }
        for expect in &plan.expects {
            if let Expected::That(piece) = expect.what {
                self.check(piece, rounds, &mut checked);
            }
        }
        for n in 0..plan.report.len() {
            self.figure(n, rounds);
        }
        for (lane, rendered) in self.rendered.iter_mut().enumerate() {
            *rendered = self.block.runs(lane);
        }
        self.leave_out_missing();
        self.alone += self.rendered[..lanes].iter().filter(|rendered| !**rendered).count() as u64;
        self.played += lanes as u64;
    }

    fn check(&mut self, piece: PieceId, rounds: u64, checked: &mut usize) {
        self.value(piece, rounds);
        if self.holds.len() <= *checked {
            self.holds.push(vec![false; LANES]);
        }
        for (lane, holds) in self.holds[*checked].iter_mut().enumerate() {
            *holds = self.block.runs(lane) && self.block.result(lane, 0) == 1;
        }
        *checked += 1;
    }

    fn value(&mut self, piece: PieceId, rounds: u64) {
        let rounds = i64::try_from(rounds).unwrap_or(i64::MAX);
        self.block.call(self.scenario.pieces[piece.0].func, &[rounds]);
    }

    fn figure(&mut self, n: usize, rounds: u64) {
        let asked = &self.scenario.plan.report[n].asked;
        let width = self.scenario.pieces[asked.piece.0].width;
        let figure = &mut self.figures[n];
        figure.given.clear();
        figure.given.resize(LANES, true);
        figure.cells.resize_with(width, || vec![0; LANES]);
        if let Some(given) = asked.given {
            self.value(given, rounds);
            for lane in 0..LANES {
                self.figures[n].given[lane] = self.block.runs(lane) && self.block.result(lane, 0) == 1;
            }
        }
        self.value(asked.piece, rounds);
        for (at, cells) in self.figures[n].cells.iter_mut().enumerate() {
            self.block.results(at, cells);
        }
    }

    /// Counts the measures of all lanes. Returns `false` and counts nothing if a lane has no valid results.
    fn count(&self, tallies: &mut [Tally]) -> bool {
        let whole = self.rendered[..self.lanes].iter().all(|rendered| *rendered);
        if whole {
            for (figure, tally) in self.figures.iter().zip(tallies) {
                if let ([cells], true) =
                    (figure.cells.as_slice(), figure.given[..self.lanes].iter().all(|given| *given))
                {
                    tally.add_each(&cells[..self.lanes]);
                    continue;
                }
                for lane in (0..self.lanes).filter(|lane| figure.given[*lane]) {
                    match figure.cells.as_slice() {
                        [cells] => tally.add(&[cells[lane]]),
                        more => tally.add(&more.iter().map(|cells| cells[lane]).collect::<SmallVec<[i64; 4]>>()),
                    }
                }
            }
        }
        whole
    }

    /// Marks the lanes in which a mean has no value as invalid. They are errors, which the direct run reports.
    fn leave_out_missing(&mut self) {
        let figures = self.scenario.plan.report.iter().zip(&self.figures);
        for (_, found) in figures.filter(|(figure, _)| figure.sort == FigureSort::Mean) {
            let cells = found.cells.first().into_iter().flatten();
            for ((rendered, given), cell) in self.rendered.iter_mut().zip(&found.given).zip(cells) {
                *rendered &= !*given | (*cell != NONE);
            }
        }
    }

    /// Returns the measures and verdicts of a lane in `figures` and `verdicts`.
    fn tell(&self, lane: usize, count: usize, figures: &mut Figures, verdicts: &mut Vec<Verdict>) {
        figures.clear();
        for figure in &self.figures[..count] {
            figures.add(figure.given[lane].then(|| figure.cells.iter().map(|cells| cells[lane])));
        }
        verdicts.clear();
        let plan = &self.scenario.plan;
        let steps = plan.steps.iter().flat_map(|step| step.expects.iter().map(|_| true));
        let ends = plan.expects.iter().map(|expect| matches!(expect.what, Expected::That(_)));
        let mut holds = self.holds.iter();
        verdicts.extend(steps.chain(ends).map(|that| match holds.as_slice() {
            [first, ..] if that => {
                holds.next();
                if first[lane] { Verdict::Holds } else { Verdict::Fails(1) }
            }
            _ => Verdict::Waiting,
        }));
    }
}
