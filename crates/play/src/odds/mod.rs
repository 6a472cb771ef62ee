//! Exact odds of a scenario: explores all outcomes of its dice and players, then evaluates its measures and claims.

mod ends;
mod gain;
mod judge;
mod policy;
mod trouble;
mod whole;
mod why;

pub use ends::Ends;
pub use gain::{PlayDeparture, PlayGain, gain};
pub use grognard_odds::Precision;
pub use judge::{Weighed, judge, weigh};
pub use policy::{PolicyDecision, decisions, differences};
pub use trouble::{left_over, problems, trouble};
pub use whole::{ExactFigure, NotExact, Whole, whole};
pub use why::{Why, whys};

use crate::{Scripts, Undecided, is_limit};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_odds::{
    Analysis, Args, Budget, Distribution, Enclosure, ExploreOptions, GameNode, Graph, Label, Limit, Midway, Pools,
    Query, Reading, Target, Task, Worth, number, reads_history,
};
use grognard_scenario::counts::Saturation;
use grognard_scenario::{
    Counted, Counts, Decision, Expected, Figure, FigureSort, GivenDice, Params, PieceId, Question, Repeat, Scenario,
};
use grognard_vm::{Answer, Fault, State};

/// Options of an exploration.
#[derive(Clone, Debug)]
pub struct OddsOptions<'w> {
    /// Limits on states, memory, work, and time.
    pub budget: Budget,
    /// How rolled pools are split into branches.
    pub pools: Pools,
    /// Whether the graph records which code each run executes.
    pub marks: bool,
    /// The numbers in which answers are computed.
    pub precision: Precision,
    /// Scripted answers that apply every time and take precedence over all others.
    pub instead: &'w [Decision],
    /// Measure that `best` and `worst` players optimize.
    pub objective: Option<&'w Question>,
    /// Whether they optimize a counter only by its final value, which then belongs to each state.
    pub at_the_end: bool,
    /// Where to start; `None` before the first step.
    pub from: Option<&'w Here>,
}

/// A point in a run that waits for an answer. Exploration can start there.
#[derive(Clone, Debug, Default)]
pub struct Here {
    /// State of the machine.
    pub state: State,
    /// State that the scenario keeps outside the machine.
    pub midway: Midway,
    /// Memory of the decision scripts.
    pub memory: Vec<i64>,
    /// Answer to the pending question, regardless of who decides.
    pub answer: Option<Answer>,
}

impl OddsOptions<'_> {
    /// Creates the options for the scenario as written.
    pub fn plain(budget: Budget) -> OddsOptions<'static> {
        OddsOptions {
            budget,
            pools: Pools::default(),
            marks: false,
            precision: Precision::default(),
            instead: &[],
            objective: None,
            at_the_end: false,
            from: None,
        }
    }
}

/// Creates the options for `scenario` as written. Unless the scenario declares an objective, the first measure of its
/// report is the objective.
pub fn odds_options(scenario: &Scenario, budget: Budget) -> OddsOptions<'_> {
    let first = scenario.plan.report.first().map(|f| &f.asked);
    OddsOptions { objective: first.filter(|_| scenario.plan.objective.is_none()), ..OddsOptions::plain(budget) }
}

/// The explored graph of a scenario.
pub struct Explored<'s> {
    /// The graph, with the strategy of best play applied.
    pub graph: Box<Graph<'s>>,
    pub scenario: &'s Scenario,
    /// Moves with a free end point. The exploration tried only end points on the grid.
    pub free: Vec<SiteId>,
    /// Number of answers that neither a player nor the rules gave.
    pub undecided: Undecided,
    /// Given dice of a roll that no outcome rolls so often, or `None` also if outcomes are unexplored.
    pub spare: Option<&'s GivenDice>,
    /// The optimized objective, or `None` if no player optimizes.
    pub objective: Option<Target<'s>>,
    /// Measures that are the same as the objective.
    objectives: Vec<PieceId>,
    /// Rounds and tallies counted before the start.
    before: Midway,
}

/// Result of one measure.
#[derive(Clone, Debug)]
pub struct OddsAnswer {
    /// Distribution of the values, or `None` for a measure that the graph sums along its edges.
    pub found: Option<Distribution>,
    /// Mean of a numeric measure.
    pub mean: Option<Fraction>,
    /// Bounds of the variance of a numeric measure.
    pub variance: Option<[Fraction; 2]>,
    /// Bounds of the mean if it is not known exactly.
    pub between: Option<(Fraction, Fraction)>,
    /// Whether the result is exact, proven or bounded.
    pub label: Label,
}

/// Returns the bounds of the mean and of the variance of a numeric distribution, or `None` if a run ends in an error.
fn moments(found: &Distribution, ty: &Type) -> Option<[[Fraction; 2]; 2]> {
    let sound = found.outcomes.iter().all(|o| !matches!(o.worth, Worth::Fault(_)));
    if sound && ty.has_mean() { found.moments() } else { None }
}

/// Returns the label of a distribution. An outcome that a limit cut off makes it `Bounded`.
fn trust(found: &Distribution) -> Label {
    let limit = |w: &Worth| matches!(w, Worth::Fault(fault) if is_limit(fault.code));
    if found.outcomes.iter().any(|o| limit(&o.worth)) { Label::Bounded } else { found.label }
}

/// Returns whether evaluating the measure requires rounds or tallies as part of each state.
fn needs_history(scenario: &Scenario, asked: &Question, sort: FigureSort) -> bool {
    let looks = |piece| {
        let (rounds, tallies) = reads_history(scenario, piece);
        tallies || (rounds && matches!(scenario.plan.repeat, Repeat::Until(_)))
    };
    let counted = asked.counted.is_some() && sort == FigureSort::Mean;
    (!counted && looks(asked.piece)) || asked.given.is_some_and(looks)
}

/// Returns the counter of an objective that is only a counter. The solver then finds best play without the count in
/// each state. If the scenario gives never-ending runs a value, the objective is the final count instead.
fn counts_on_the_way<'s>(scenario: &Scenario, asked: &'s Question) -> Option<Target<'s>> {
    let plain = asked.given.is_none() && scenario.plan.objective_never.is_zero();
    asked.counted.as_ref().filter(|counts| plain && counts.rises().is_some()).map(Target::Counted)
}

/// Returns the saturation point of each counter. At or above it, no measure that needs history distinguishes two
/// counts.
fn counts(scenario: &Scenario, objective: Option<&Question>) -> Saturation {
    let plan = &scenario.plan;
    let figures = plan.report.iter().map(|f| (&f.asked, f.sort));
    let claims = plan.expects.iter().filter_map(|expect| match &expect.what {
        Expected::Odds(claim) => Some((&claim.asked, claim.sort())),
        _ => None,
    });
    let asked = figures.chain(claims).filter(|(asked, sort)| needs_history(scenario, asked, *sort));
    let asked = asked.map(|(asked, _)| asked).chain(objective);
    let pieces = asked.flat_map(|asked| [Some(asked.piece), asked.given]).flatten();
    pieces.fold(Saturation::UNREAD, |mut all, piece| {
        all.join(&plan.decided[piece.0]);
        all
    })
}

/// Returns the minimum and maximum of the objective, or `None` if nothing bounds it.
fn range(scenario: &Scenario, asked: &Question) -> Option<(Fraction, Fraction)> {
    let plan = &scenario.plan;
    let figure = plan.report.iter().find(|f| f.asked.piece == asked.piece);
    let bounds = match asked.ty {
        Type::Flag => Some((Ratio::ZERO, Ratio::ONE)),
        _ => figure.and_then(|f| f.bounds).or(plan.objective_bounds),
    };
    bounds.map(|(low, high)| (low.into(), high.into()))
}

/// Returns the query that evaluates the measure on the graph.
fn query<'s>(scenario: &'s Scenario, asked: &Question) -> Query<'s> {
    query_of(scenario, asked.piece)
}

fn given<'s>(scenario: &'s Scenario, asked: &Question) -> Option<Query<'s>> {
    asked.given.map(|piece| query_of(scenario, piece))
}

fn query_of(scenario: &Scenario, piece: PieceId) -> Query<'_> {
    let args = match &scenario.plan.params {
        Params::Rounds => Args::Rounds,
        Params::Result => Args::Result,
        Params::Given(cells) => Args::Given(cells),
    };
    Query { func: scenario.pieces[piece.0].func, args }
}

/// Explores a scenario. With `history`, rounds and tallies belong to each state.
///
/// # Errors
///
/// Returns a fault if a player optimizes without an objective or if the optimization fails.
pub fn explore<'s>(
    scenario: &'s Scenario,
    odds_options: &OddsOptions<'s>,
    history: bool,
) -> Result<Explored<'s>, Fault> {
    explore_with(&Analysis::new(&scenario.game), scenario, odds_options, history)
}

/// Same as [`explore`], but reuses the code analysis of earlier explorations of the scenario.
fn explore_with<'s>(
    analysis: &Analysis<'s>,
    scenario: &'s Scenario,
    odds_options: &OddsOptions<'s>,
    history: bool,
) -> Result<Explored<'s>, Fault> {
    let plan = &scenario.plan;
    let asked = odds_options.objective.or(plan.objective.as_ref().map(|(_, asked)| asked));
    let counted = asked.filter(|_| !odds_options.at_the_end).and_then(|asked| counts_on_the_way(scenario, asked));
    let options = ExploreOptions {
        budget: odds_options.budget.clone(),
        pools: odds_options.pools,
        marks: odds_options.marks,
        precision: odds_options.precision,
        history,
        counts: counts(scenario, asked.filter(|_| scenario.plan.optimizer().is_some() && counted.is_none())),
        never: plan.objective_never.clone(),
        from: odds_options.from.map(|here| here.midway.clone()),
        ..ExploreOptions::default()
    };
    let mut sides = Scripts::with(scenario, odds_options.instead);
    if let Some(here) = odds_options.from {
        sides.go_on(&here.memory, here.answer.clone());
    }
    let game = &scenario.game;
    let task = match &plan.call {
        Some(call) => Task::Call { func: call.func, args: &call.args, keep: call.keep.as_deref() },
        None => Task::Plan(scenario),
    };
    let start = odds_options.from.map_or(&game.start, |here| &here.state);
    let mut graph = analysis.explore(start, task, &mut sides, options);
    if let Some(Target::Counted(counts)) = counted
        && graph.decides()
        && graph.takes_away(counts)
    {
        // a player who knows a count that can fall may wait for it
        let odds_options = OddsOptions { at_the_end: true, ..odds_options.clone() };
        return explore_with(analysis, scenario, &odds_options, true);
    }
    let looks_back =
        || counted.is_none() && asked.is_some_and(|asked| needs_history(scenario, asked, FigureSort::Hist));
    if graph.decides() && !history && looks_back() {
        return explore_with(analysis, scenario, odds_options, true);
    }
    let objective = if graph.decides() {
        let Some(asked) = asked else {
            let message = "a player plays for `best` or `worst`, and the scenario has no objective";
            return Err(Fault::new(Code::NoObjective, message));
        };
        let objective = counted.unwrap_or_else(|| Target::Value(query(scenario, asked)));
        graph.optimise(objective, range(scenario, asked))?;
        Some(objective)
    } else {
        None
    };
    let text = plan.objective.as_ref().filter(|_| odds_options.objective.is_none()).map(|(text, _)| text);
    let same = plan.report.iter().filter(|f| Some(&f.expr) == text).map(|f| f.asked.piece);
    let objectives = asked.map(|asked| asked.piece).into_iter().chain(same).collect();
    let before = odds_options.from.map(|here| here.midway.clone()).unwrap_or_default();
    let spare = sides.spare().filter(|_| !graph.cut_short());
    let Scripts { free, undecided, .. } = sides;
    Ok(Explored { graph, scenario, free: free.into_iter().collect(), undecided, spare, objective, objectives, before })
}

/// Explores a scenario as a game for other solvers, with the objective that its `best` and `worst` players optimize. A count
/// is the value at the end.
///
/// # Errors
///
/// Returns a fault if there is no objective or no best play, or the graph is not a finite tree of decisions and chance.
pub fn game_tree(scenario: &Scenario, budget: Budget) -> Result<Vec<GameNode>, Fault> {
    let options = OddsOptions { at_the_end: true, ..odds_options(scenario, budget) };
    let mut explored = explore(scenario, &options, false)?;
    match explored.objective {
        Some(Target::Value(query)) => explored.graph.game_tree(query),
        _ => Err(Fault::new(Code::NoObjective, "no player of the scenario plays for `best` or `worst`")),
    }
}

/// Results of a report, with at most two explored graphs: without and with history.
pub struct Report<'s> {
    /// The graph whose states hold no history, if a measure can use it.
    pub plain: Option<Explored<'s>>,
    /// The graph whose states hold history.
    pub history: Option<Explored<'s>>,
    /// Result of each measure of the report.
    pub answers: Vec<Result<OddsAnswer, Fault>>,
}

impl<'s> Report<'s> {
    /// Returns the graph with history if it exists, otherwise the plain graph.
    pub fn graph(&self) -> Option<&Explored<'s>> {
        self.history.as_ref().or(self.plain.as_ref())
    }

    /// Returns the cost: the work of both graphs, and the states of the larger one. If probability remains unexplored
    /// although no limit was reached, the limit is [`Limit::Ways`].
    pub fn cost(&self) -> Reading {
        let work = [&self.plain, &self.history].into_iter().flatten().map(|g| g.graph.reading().work).sum();
        let read = self.graph().map(|g| g.graph.reading()).unwrap_or_default();
        let is_open = |answer: &OddsAnswer| answer.found.as_ref().is_some_and(|found| !found.unexplored().is_zero());
        let ways = self.answers.iter().flatten().any(is_open).then_some(Limit::Ways);
        Reading { work, limit: read.limit.or(ways), ..read }
    }
}

/// Computes the measures of a scenario's report.
///
/// # Errors
///
/// Returns the fault of the exploration if no graph could be explored.
pub fn report<'s>(scenario: &'s Scenario, odds_options: &OddsOptions<'s>) -> Result<Report<'s>, Fault> {
    let needs = |f: &Figure| needs_history(scenario, &f.asked, f.sort);
    let figures = &scenario.plan.report;
    let (some, all) = (figures.iter().any(needs), figures.iter().all(needs));
    let analysis = Analysis::new(&scenario.game);
    let history = some.then(|| explore_with(&analysis, scenario, odds_options, true));
    // both explorations share one budget
    let spent = history.as_ref().and_then(|found| found.as_ref().ok()).map(|found| found.graph.reading());
    let odds_options =
        &OddsOptions { budget: odds_options.budget.after(spent.unwrap_or_default()), ..odds_options.clone() };
    let plain = (!all || !some).then(|| explore_with(&analysis, scenario, odds_options, false));
    // a fault in one graph does not hide the measures of the other
    if let (Some(Err(fault)), None | Some(Err(_))) | (None, Some(Err(fault))) = (&history, &plain) {
        return Err(fault.clone());
    }
    let mut answers = Vec::new();
    for figure in figures {
        match if needs(figure) { &history } else { &plain } {
            Some(Ok(explored)) => answers.push(explored.answer(&figure.asked, figure.sort, figure.bounds)),
            Some(Err(fault)) => answers.push(Err(fault.clone())),
            None => {}
        }
    }
    let [plain, history] = [plain, history].map(|explored| explored.and_then(Result::ok));
    Ok(Report { plain, history, answers })
}

impl OddsAnswer {
    /// Sets the mean to a fraction, or to bounds if they differ.
    pub fn set_mean(&mut self, [low, high]: [Fraction; 2]) {
        if low == high {
            self.mean = Some(low);
        } else {
            self.between = Some((low, high));
        }
    }
}

impl Explored<'_> {
    /// Computes the result of a measure. `bounds` are the minimum and maximum value that it can have.
    ///
    /// # Errors
    ///
    /// Returns a fault if the condition never holds or if a value without a mean is missing at an end.
    pub fn answer(
        &self,
        asked: &Question,
        sort: FigureSort,
        bounds: Option<(Ratio, Ratio)>,
    ) -> Result<OddsAnswer, Fault> {
        let mut answer = self.distribution(asked, sort)?;
        if let Some(found) = &answer.found {
            let between = bounds.and_then(|(low, high)| between(found, &low.into(), &high.into()));
            answer.between = between.filter(|_| asked.ty.has_mean());
            if let Some([mean, variance]) = moments(found, &asked.ty) {
                answer.label = answer.label.max(Label::of(&mean));
                answer.set_mean(mean);
                answer.variance = Some(variance);
            }
        }
        if let (FigureSort::Mean, Some(found)) = (sort, &answer.found) {
            let missing = |w: &Worth| matches!(w, Worth::Cells(cells) if cells.first() == Some(&NONE));
            if found.outcomes.iter().any(|o| missing(&o.worth)) {
                return Err(Fault::new(Code::Missing, "the value is missing at an end of the run, so it has no mean"));
            }
        }
        if let Some(enclosure) = self.graph.enclosure() {
            self.under_best_play(asked, &mut answer, enclosure);
        }
        Ok(answer)
    }

    /// Applies the bounds of best play. The objective lies between them. Every other measure comes from a strategy that
    /// reaches the lower bound; if the exploration is incomplete, that strategy can be suboptimal.
    fn under_best_play(&self, asked: &Question, answer: &mut OddsAnswer, enclosure: &Enclosure) {
        let flag = asked.ty == Type::Flag;
        let ends = [enclosure.low(), enclosure.high()];
        let label = if self.graph.cut_short() { Label::Bounded } else { Label::of(&ends) };
        // for the objective, a run that ends in an error counts 0, and a run that never ends counts what the scenario
        // declares
        let plain = |found: &Distribution| found.outcomes.iter().all(|o| matches!(o.worth, Worth::Cells(_)));
        let counts = flag && self.scenario.plan.objective_never.is_zero() || answer.found.as_ref().is_none_or(plain);
        let asks = asked.given.is_none() && self.objectives.contains(&asked.piece);
        if asks && counts {
            let before = match self.objective {
                Some(Target::Counted(counts)) => &self.counted_before(counts) + &Fraction::whole(counts.plus),
                Some(Target::Value(_)) | None => Fraction::zero(),
            };
            let [low, high] = ends.map(|end| &end + &before);
            match answer.found.as_mut() {
                Some(found) if flag => found.enclose(&low, &high),
                // the distribution depends on a strategy that can be suboptimal
                Some(found) if self.graph.provisional() => found.forget(),
                _ => {}
            }
            answer.label = if low == high { answer.label } else { label };
            answer.mean = answer.mean.take().filter(|_| low == high);
            answer.between = Some((low, high)).filter(|_| answer.mean.is_none());
        } else if self.graph.cut_short() {
            answer.found.iter_mut().for_each(Distribution::forget);
            (answer.mean, answer.between, answer.label) = (None, None, Label::Bounded);
        } else {
            answer.label = answer.label.max(label);
        }
        answer.variance = answer.variance.take().filter(|_| answer.mean.is_some());
    }

    /// Returns the weighted count accumulated before the start.
    fn counted_before(&self, counts: &Counts) -> Fraction {
        let before = |counted: Counted| match counted {
            Counted::Rounds => self.before.rounds,
            Counted::Tally(tally) => self.before.tallies.get(tally.at()).copied().unwrap_or(0),
        };
        let mut sum = Fraction::zero();
        for (counted, times) in &counts.parts {
            sum += &(&Fraction::whole(before(*counted)) * &Fraction::whole(*times));
        }
        sum
    }

    fn distribution(&self, asked: &Question, sort: FigureSort) -> Result<OddsAnswer, Fault> {
        let given = given(self.scenario, asked);
        let unknown = self.graph.cut_short() || !self.free.is_empty();
        let label = |label: Label| if self.free.is_empty() { label } else { Label::Bounded };
        let sure = label(if unknown { Label::Bounded } else { Label::Exact });
        let nothing = OddsAnswer { found: None, mean: None, variance: None, between: None, label: sure };
        let plain = sort == FigureSort::Mean && !needs_history(self.scenario, asked, sort);
        let counted = asked.counted.as_ref().filter(|_| plain);
        if let Some(counted) = counted {
            let Some(mean) = self.graph.mean_counted(counted, given)? else {
                return Ok(OddsAnswer { label: Label::Bounded, ..nothing });
            };
            let mean = mean.map(|mean| &mean + &self.counted_before(counted));
            let mut answer = OddsAnswer { label: label(Label::of(&mean)), ..nothing };
            answer.set_mean(mean);
            return Ok(answer);
        }
        let found = self.graph.distribution(query(self.scenario, asked), given).in_order(&asked.ty);
        let whole: u32 = u32::from(!found.outcomes.is_empty() || found.unexplored() != Fraction::zero());
        if whole == 0 {
            let error =
                self.graph.faults().first().map(|fault| format!("; some runs end in an error: {}", fault.message));
            let message = format!("the condition given is true at no end{}", error.unwrap_or_default());
            return Err(Fault::new(Code::NeverGiven, message));
        }
        let label = label(trust(&found));
        Ok(OddsAnswer { found: Some(found), label, ..nothing })
    }
}

/// Bounds the mean if each unexplored outcome can have any value from `low` to `high`. Returns `None` if nothing is
/// unexplored or an outcome is not numeric.
fn between(found: &Distribution, low: &Fraction, high: &Fraction) -> Option<(Fraction, Fraction)> {
    let open = found.unexplored();
    if open.is_zero() {
        return None;
    }
    let mut sum = Fraction::zero();
    for outcome in &found.outcomes {
        let Worth::Cells(cells) = &outcome.worth else { return None };
        sum += &(&number(cells)? * &found.share(outcome));
    }
    Some((&sum + &(low * &open), &sum + &(high * &open)))
}
