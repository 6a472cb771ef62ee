//! Near misses: the possible results of a test in the state in which it was made, computed over all its dice. Covers
//! the test's own stats and those that the rules let it borrow. For a status that was never granted: its possible
//! origins.

use super::Wanted;
use crate::players::Scripts;
use crate::record::{Event, ScopeSort, What};
use grognard_base::Budget;
use grognard_base::order;
use grognard_base::value::*;
use grognard_odds::{Analysis, ExploreOptions, Label, Precision, Task, Worth};
use grognard_program::FuncSort;
use grognard_rules::code::{Stmt, StmtKind};
use grognard_rules::reads::reads_of_all;
use grognard_rules::reads::walk::{Node, walk_body};
use grognard_scenario::Scenario;
use grognard_vm::{Game, MachineEvent, State};
use std::collections::VecDeque;

/// Maximum number of state cells kept. In a long run, only the last tests are kept.
const MOST_CELLS: usize = 4 << 20;
/// Maximum number of lent stats and of tests reported.
const MOST_LENT: usize = 3;

/// A test that was made, and the state in which it was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// Index of the event at which it began.
    pub at: usize,
    func: FuncId,
    args: Vec<i64>,
    state: State,
    /// Result of the test; empty if it did not finish.
    result: Vec<i64>,
}

/// The tests of a run.
#[derive(Clone, Debug, Default)]
pub struct Tests {
    made: VecDeque<Made>,
    open: Vec<Option<Made>>,
    cells: usize,
}

impl Tests {
    /// Records a happening; `at` is the index of its event.
    pub(super) fn note(&mut self, game: &Game, state: &State, what: &MachineEvent<'_>, at: usize) {
        let is_test = |func: &FuncId| game.program.funcs[func.at()].sort == FuncSort::Test;
        match what {
            MachineEvent::Enter { func, args } if is_test(func) => {
                let made = Made { at, func: *func, args: args.to_vec(), state: alone(state), result: Vec::new() };
                self.open.push(Some(made));
            }
            MachineEvent::Leave { func, result } if is_test(func) => {
                if let Some(Some(made)) = self.open.pop() {
                    self.cells += made.state.cells.len();
                    self.made.push_back(Made { result: result.to_vec(), ..made });
                }
                while self.cells > MOST_CELLS {
                    self.cells -= self.made.pop_front().map_or(self.cells, |made| made.state.cells.len());
                }
            }
            _ => {}
        }
    }

    /// Returns the tests that began in `from..to`.
    pub fn between(&self, from: usize, to: usize) -> impl Iterator<Item = &Made> {
        self.made.iter().filter(move |made| (from..to).contains(&made.at))
    }
}

/// Returns a copy of the state in which no function is running.
fn alone(state: &State) -> State {
    let mut state = state.clone();
    state.frames.clear();
    state.stack.clear();
    state.running.clear();
    state.uses.retain(|row| row.running == u32::MAX);
    (state.base, state.pc, state.judged) = (0, 0, None);
    state
}

/// The odds of a test.
#[derive(Clone, Debug)]
pub struct Tested {
    /// Index of the event at which it began.
    pub at: usize,
    /// Whether it passed, or `None` if the test has grades.
    pub passed: Option<bool>,
    /// Probability that the test passes, or that it reaches the grade that it reached.
    pub chance: Fraction,
    /// Stats that it could have borrowed and with which it passes more often, best first.
    pub lent: Vec<Lent>,
}

/// A stat that a test could have borrowed.
#[derive(Clone, Debug)]
pub struct Lent {
    /// Name of the stat.
    pub figure: String,
    /// Value of the lent stat.
    pub value: String,
    /// Value of the test's own stat.
    pub own: String,
    /// Name of the lender.
    pub of: String,
    /// Probability that the test passes with it.
    pub chance: Fraction,
}

/// Returns the expressions to evaluate so that lent stats are known: `voss.ld`.
pub fn lenders(scenario: &Scenario) -> Vec<String> {
    let schema = &scenario.rules.schema;
    let mut all = Vec::new();
    for (held, own) in borrowed(scenario) {
        let wanted = &schema.fields[held.at()].ty;
        for (kind, names) in scenario.game.names.iter().enumerate() {
            let field = schema.fields.iter().find(|f| f.kind.at() == kind && f.name == own && f.params == 0);
            let fits = |ty: &Type| match (ty, wanted.present()) {
                (Type::Int(_), Type::Int(_)) => true,
                (a, b) => a == b,
            };
            if field.is_some_and(|field| fits(&field.ty) && field.keys.is_empty()) {
                all.extend(names.iter().map(|name| format!("{name}.{own}")));
            }
        }
    }
    order::sort(&mut all);
    all.dedup();
    all
}

/// Returns the states that hold borrowed stats, with the names of the stats.
fn borrowed(scenario: &Scenario) -> Vec<(FieldId, String)> {
    let fields = scenario.rules.schema.fields.iter().enumerate();
    fields.filter_map(|(n, f)| Some((FieldId::from(n), f.name.strip_suffix(" as borrowed")?.to_string()))).collect()
}

/// Computes the odds of a test. Returns `None` if the test reads running functions, if a decision occurs in it, or if
/// the budget is too small.
pub fn tested(scenario: &Scenario, made: &Made, budget: Budget) -> Option<Tested> {
    let game = &scenario.game;
    let schema = &game.program.schema;
    let signature = game.program.functions.get(made.func.at())?;
    let Type::Record(record) = signature.result else { return None };
    let (first, ty) = schema.records[record.at()].fields.first()?;
    let reads = reads_of_all(&scenario.rules);
    let reads = reads.get(made.func.at()).filter(|reads| !reads.running)?;
    let grades = match first.as_str() {
        "passed" => vec![1],
        "grade" => made.result.get(..schema.width(ty))?.to_vec(),
        _ => return None,
    };
    let passed = (first == "passed").then(|| made.result.first() == Some(&1));
    let chance = chance(scenario, made, &made.state, &grades, budget.clone())?;
    let mut lent: Vec<Lent> = Vec::new();
    let subject = signature.locals.first().filter(|_| signature.params > 0 && passed == Some(false));
    if let (Some(Type::Kind(kind)), Some(&thing)) = (subject.map(|local| &local.ty), made.args.first()) {
        let me = game.name(*kind, thing);
        let own = borrowed(scenario).into_iter().filter(|(held, _)| schema.fields[held.at()].kind == *kind);
        for (held, figure) in own.filter(|(held, _)| reads.fields.contains(*held)) {
            let figures = values(scenario, &made.state, &figure);
            let Some((_, mine, mine_told)) = figures.iter().find(|(of, ..)| *of == me).cloned() else { continue };
            for (of, value, rendered) in figures.into_iter().filter(|(_, value, _)| *value != mine) {
                let mut state = made.state.clone();
                state.cells[game.layout.field(held, thing, 0)] = value;
                let Some(with) = self::chance(scenario, made, &state, &grades, budget.clone()) else { continue };
                if with > chance {
                    lent.push(Lent {
                        figure: figure.clone(),
                        value: rendered,
                        own: mine_told.clone(),
                        of,
                        chance: with,
                    });
                }
            }
        }
    }
    order::sort_by(&mut lent, |a, b| b.chance.cmp(&a.chance).then_with(|| a.of.cmp(&b.of)));
    lent.truncate(MOST_LENT);
    Some(Tested { at: made.at, passed, chance, lent })
}

/// Returns a stat of every thing that has it, from the measures of [`lenders`]: owner, cell, and text.
fn values(scenario: &Scenario, state: &State, figure: &str) -> Vec<(String, i64, String)> {
    let asked = scenario.plan.report.iter().filter_map(|asked| {
        let of = asked.text.strip_suffix(figure)?.strip_suffix('.')?;
        let question = &asked.asked;
        let cells = scenario.value(&mut state.clone(), question.piece, &[], &[0]).ok()?;
        let [cell] = cells.as_slice() else { return None };
        (*cell != NONE).then(|| (of.to_string(), *cell, scenario.game.value(state, &question.ty, &cells).to_string()))
    });
    asked.collect()
}

/// Returns the probability that the result of a test begins with `wanted`.
fn chance(scenario: &Scenario, made: &Made, start: &State, wanted: &[i64], budget: Budget) -> Option<Fraction> {
    let mut sides = Scripts::of_free_dice(scenario);
    let analysis = Analysis::new(&scenario.game);
    // the other parts of the result, such as the dice, are not needed
    let width = scenario.game.program.funcs[made.func.at()].result as usize;
    let keep: Vec<bool> = (0..width).map(|n| n < wanted.len()).collect();
    let task = Task::Call { func: made.func, args: &made.args, keep: Some(&keep) };
    let graph = analysis.explore(
        start,
        task,
        &mut sides,
        ExploreOptions { budget, precision: Precision::Fractions, ..ExploreOptions::default() },
    );
    if graph.decides() || graph.limit().is_some() {
        return None;
    }
    let found = graph.results();
    let whole = found.label == Label::Exact && found.unexplored().is_zero();
    let sound = found.outcomes.iter().all(|outcome| matches!(outcome.worth, Worth::Cells(_)));
    (whole && sound).then(|| found.chance(|cells| cells.starts_with(wanted)))
}

/// Code that grants a status.
#[derive(Clone, Debug)]
pub struct Origin {
    /// Kind and name of the item: `rule Shock`.
    pub item: String,
    /// Clauses that it cites.
    pub clauses: Vec<String>,
    /// How many times it ran.
    pub run: usize,
    /// For an action: the number of menus that refused it, and the number at which another entry was chosen.
    pub menus: Option<(usize, usize)>,
    /// Tests made in it.
    pub tests: Vec<Tested>,
}

/// Returns the possible origins of the status that `question` names, as in `laans has GoneToGround`.
pub fn origins(scenario: &Scenario, question: &str, events: &[Event], tests: &Tests, budget: Budget) -> Vec<Origin> {
    let rules = &scenario.rules;
    let Some((_, status)) = question.split_once(" has ") else { return Vec::new() };
    let status = status.trim_start_matches("no ").split(['(', ' ']).next().unwrap_or_default();
    let Some(status) = rules.schema.traits.iter().position(|t| t.name == status).map(TraitId::from) else {
        return Vec::new();
    };
    let mut found: Vec<Origin> = Vec::new();
    for function in &rules.functions {
        let mut grants = false;
        walk_body(&function.body, &mut |node| {
            grants |=
                matches!(node, Node::Stmt(Stmt { kind: StmtKind::Grant { status: id, .. }, .. }) if *id == status);
        });
        let Some(item) = rules.schema.items.get(function.item.at()).filter(|_| grants) else { continue };
        let name = format!("{} {}", item.word, item.name);
        if found.iter().any(|origin| origin.item == name) {
            continue;
        }
        let runs = runs(events, &item.name);
        let made = runs.iter().flat_map(|(from, to)| tests.between(*from, *to));
        let made: Vec<&Made> = made.collect();
        let rendered =
            made.iter().rev().take(MOST_LENT).rev().filter_map(|made| tested(scenario, made, budget.clone()));
        let menus = (item.word == "action").then(|| {
            let wanted = Wanted { action: item.name.clone(), with: Vec::new() };
            let menus = super::menus(events, &wanted, &[]);
            let count = |of: fn(&super::Stood) -> bool| menus.iter().filter(|menu| of(&menu.stood)).count();
            (count(|s| matches!(s, super::Stood::Refused)), count(|s| matches!(s, super::Stood::PassedOver(_))))
        });
        let clauses = item.cites.clone();
        found.push(Origin { item: name, clauses, run: runs.len(), menus, tests: rendered.collect() });
    }
    found
}

/// Returns the event ranges in which an item ran. Ends are exclusive.
fn runs(events: &[Event], name: &str) -> Vec<(usize, usize)> {
    let short = name.rsplit('.').next().unwrap_or(name);
    let begins = |event: &&Event| matches!(&event.what, What::Enter { name: n, sort, .. } if (n == name || n == short) && *sort != ScopeSort::Test);
    let end = |from: &Event| {
        let behind = events.iter().skip(from.seq as usize + 1);
        behind.clone().find(|e| e.depth <= from.depth).map_or(events.len(), |e| e.seq as usize)
    };
    events.iter().filter(begins).map(|event| (event.seq as usize, end(event))).collect()
}
