//! Games as environments: many runs of one scenario that are stepped together, with arrays that NumPy reads without a copy.

mod actions;
mod layout;
mod spiel;
mod table;

pub use spiel::game_tree;

use crate::error::{Diagnostic, calm, input};
use crate::value::to_python;
use crate::work::threads as available;
use actions::{Actions, Asked, Limits};
use grognard_base::value::{Type, pack_thing};
use grognard_play::Stepped;
use grognard_play::map::Map;
use grognard_scenario::Scenario as Inner;
use grognard_vm::{Game, State};
use layout::Layout;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use table::{Shared, Table, is_number};

/// Minimum number of runs for which another thread starts.
const SHARE: usize = 16;

/// Columns and rows of a map as text.
const MAP: (usize, usize) = (78, 30);

/// The arrays of all runs. Their memory stays where it is, because NumPy reads and writes it.
struct Arrays {
    observations: Vec<i64>,
    masks: Vec<i8>,
    rewards: Vec<f64>,
    agents: Vec<i64>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
    illegal: Vec<u8>,
    actions: Vec<i64>,
}

struct Batch {
    tables: Vec<Table>,
    arrays: Arrays,
}

/// Runs of one scenario that wait for decisions, as `grognard.env` uses them.
#[pyclass(frozen, module = "grognard")]
pub struct Tables {
    scenario: grognard::Scenario,
    shared: Shared,
    batch: Arc<Mutex<Batch>>,
    threads: usize,
}

/// The memory of an array, for NumPy.
#[pyclass(frozen, module = "grognard")]
pub struct Memory {
    /// The owner of the memory.
    _batch: Arc<Mutex<Batch>>,
    at: usize,
    shape: Vec<usize>,
    kind: &'static str,
}

#[pymethods]
impl Memory {
    /// The interface of NumPy, version 3.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        interface.set_item("typestr", self.kind)?;
        interface.set_item("data", (self.at, false))?;
        Ok(interface)
    }
}

impl Tables {
    fn lock(&self) -> MutexGuard<'_, Batch> {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, table: usize, what: impl FnOnce(&Table) -> T) -> PyResult<T> {
        let batch = self.lock();
        let table = batch.tables.get(table).ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("no such table"))?;
        Ok(what(table))
    }

    fn game(&self) -> &Game {
        &self.shared.scenario.game
    }

    fn state<'a>(&'a self, table: &'a Table) -> &'a State {
        table.run.as_ref().map_or(&self.game().start, Stepped::state)
    }

    fn map(&self, table: usize) -> PyResult<Option<Map>> {
        let scenario = &self.shared.scenario;
        self.with(table, |table| Map::at(scenario, self.state(table), &scenario.plan.name))
    }
}

/// Does something with each table and its row of each array, on several threads.
fn each(shared: &Shared, batch: &mut Batch, threads: usize, what: impl Fn(&mut Table, i64) + Sync) {
    let Batch { tables, arrays } = batch;
    let (cells, actions, agents) = (shared.layout.entries.len(), shared.actions.count(), shared.agents.len());
    let share = tables.len().div_ceil(threads.max(1)).max(SHARE);
    let mut parts: Vec<_> = tables
        .chunks_mut(share)
        .zip(arrays.observations.chunks_mut(share * cells))
        .zip(arrays.masks.chunks_mut(share * actions))
        .zip(arrays.rewards.chunks_mut(share * agents))
        .zip(arrays.agents.chunks_mut(share).zip(arrays.actions.chunks(share)))
        .zip(arrays.terminated.chunks_mut(share).zip(arrays.truncated.chunks_mut(share)))
        .zip(arrays.illegal.chunks_mut(share))
        .collect();
    let work = |((((((tables, observations), masks), rewards), (agent, given)), (terminated, truncated)), illegal): &mut Part<'_>| {
        for (n, table) in tables.iter_mut().enumerate() {
            what(table, given[n]);
            table.observe(shared, &mut observations[n * cells..][..cells]);
            masks[n * actions..][..actions].copy_from_slice(&table.mask);
            rewards[n * agents..][..agents].copy_from_slice(&table.rewards);
            (agent[n], illegal[n]) = (table.agent, u8::from(table.illegal));
            (terminated[n], truncated[n]) = (u8::from(table.terminated), u8::from(table.truncated));
        }
    };
    let Some(mut own) = parts.pop() else { return };
    std::thread::scope(|scope| {
        for part in &mut parts {
            scope.spawn(|| work(part));
        }
        work(&mut own);
    });
}

/// The tables of a thread, with their rows of the arrays.
type Part<'a> = (
    (
        ((((&'a mut [Table], &'a mut [i64]), &'a mut [i8]), &'a mut [f64]), (&'a mut [i64], &'a [i64])),
        (&'a mut [u8], &'a mut [u8]),
    ),
    &'a mut [u8],
);

#[pymethods]
impl Tables {
    /// Prepares runs. `rewards` is a measure and a sign for each player.
    #[new]
    #[pyo3(signature = (scenario, players, rewards, *, runs = 1, most = None, actions = 512, extra = 32, explore = 20_000,
        threads = None))]
    #[allow(clippy::too_many_arguments)] // the options of the environments
    fn new(
        py: Python<'_>,
        scenario: &crate::scenario::Scenario,
        players: Vec<String>,
        rewards: Vec<(usize, f64)>,
        runs: usize,
        most: Option<u64>,
        actions: usize,
        extra: usize,
        explore: usize,
        threads: Option<usize>,
    ) -> PyResult<Tables> {
        let facade = scenario.0.clone();
        let inner = Arc::clone(facade.engine());
        let mut agents = Vec::new();
        for player in &players {
            let Some((kind, n)) = inner.game.thing(player) else {
                let message = format!("there is no player `{player}` on the table");
                return Err(input(py, &message, "name a player of the scenario"));
            };
            agents.push(pack_thing(kind, n));
        }
        for (measure, _) in &rewards {
            let Some(figure) = inner.plan.report.get(*measure).filter(|figure| is_number(&figure.asked.ty)) else {
                let text = inner.plan.report.get(*measure).map_or("", |figure| figure.text.as_str());
                let message = format!("`{text}` is not a number, so it is not a reward");
                return Err(input(py, &message, "give a number or a condition as `reward`"));
            };
            let _ = figure;
        }
        calm(py, || {
            let limits = Limits { entries: actions, extra, decisions: explore };
            let actions = Actions::find(&inner, &agents, limits).map_err(|fault| facade.fault(&fault.diagnostic()))?;
            let layout = Layout::new(&inner.game, agents.len(), actions.sites.len());
            let (cells, count, each_agent) = (layout.entries.len(), actions.count(), agents.len());
            let most = most.unwrap_or(u64::MAX);
            let shared = Shared { scenario: inner, agents, actions, layout, rewards, most };
            let arrays = Arrays {
                observations: vec![0; runs * cells],
                masks: vec![0; runs * count],
                rewards: vec![0.0; runs * each_agent],
                agents: vec![0; runs],
                terminated: vec![0; runs],
                truncated: vec![0; runs],
                illegal: vec![0; runs],
                actions: vec![0; runs],
            };
            let tables = (0..runs).map(|_| Table::default()).collect();
            let batch = Arc::new(Mutex::new(Batch { tables, arrays }));
            Ok(Tables { scenario: facade, shared, batch, threads: available(threads) })
        })
    }

    /// The players under `[players]`, in order.
    #[staticmethod]
    fn players(scenario: &crate::scenario::Scenario) -> Vec<String> {
        let Inner { game, plan, .. } = &**scenario.0.engine();
        plan.players.iter().filter(|(player, _)| *player >= 0).map(|(player, _)| game.packed_name(*player)).collect()
    }

    /// The memory of an array of this name: `observations`, `masks`, `rewards`, `agents`, `terminated`, `truncated`, `illegal`,
    /// or `actions`, which `step` reads.
    fn memory(&self, name: &str) -> PyResult<Memory> {
        let mut batch = self.lock();
        let runs = batch.tables.len();
        let Arrays { observations, masks, rewards, agents, terminated, truncated, illegal, actions } =
            &mut batch.arrays;
        let shared = &self.shared;
        let (at, width, kind) = match name {
            "observations" => (observations.as_mut_ptr() as usize, Some(shared.layout.entries.len()), "<i8"),
            "masks" => (masks.as_mut_ptr() as usize, Some(shared.actions.count()), "|i1"),
            "rewards" => (rewards.as_mut_ptr() as usize, Some(shared.agents.len()), "<f8"),
            "agents" => (agents.as_mut_ptr() as usize, None, "<i8"),
            "terminated" => (terminated.as_mut_ptr() as usize, None, "|b1"),
            "truncated" => (truncated.as_mut_ptr() as usize, None, "|b1"),
            "illegal" => (illegal.as_mut_ptr() as usize, None, "|b1"),
            "actions" => (actions.as_mut_ptr() as usize, None, "<i8"),
            _ => return Err(pyo3::exceptions::PyKeyError::new_err(name.to_string())),
        };
        let shape = std::iter::once(runs).chain(width).collect();
        Ok(Memory { _batch: Arc::clone(&self.batch), at, shape, kind })
    }

    /// Begins the run `number + n` of a seed at each table `n`.
    #[pyo3(signature = (seed, number))]
    fn reset(&self, py: Python<'_>, seed: Option<u64>, number: u64) -> PyResult<()> {
        let seed = seed.unwrap_or(self.shared.scenario.plan.seed);
        calm(py, || {
            let mut batch = self.lock();
            for (n, table) in batch.tables.iter_mut().enumerate() {
                (table.seed, table.number) = (seed, number.wrapping_add(n as u64));
            }
            each(&self.shared, &mut batch, self.threads, |table, _| {
                table.reset(&self.shared, table.seed, table.number)
            });
            Ok(())
        })
    }

    /// Takes the action of each table. With `again`, a table whose run is over begins its next run instead.
    #[pyo3(signature = (again = false))]
    fn step(&self, py: Python<'_>, again: bool) -> PyResult<()> {
        calm(py, || {
            let mut batch = self.lock();
            let runs = batch.tables.len() as u64;
            each(&self.shared, &mut batch, self.threads, |table, action| match table.over() && again {
                true => table.reset(&self.shared, table.seed, table.number.wrapping_add(runs)),
                false => table.step(&self.shared, action),
            });
            Ok(())
        })
    }

    /// The description of each number of an observation: name, kind, smallest and largest value.
    #[getter]
    fn layout(&self) -> Vec<(String, &'static str, i64, i64)> {
        self.shared.layout.entries.iter().map(|one| (one.name.clone(), one.kind, one.low, one.high)).collect()
    }

    /// The names of all things, in the order of their numbers.
    #[getter]
    fn things(&self) -> Vec<String> {
        self.shared.layout.things.clone()
    }

    /// The names of the choices, in the order of their numbers.
    #[getter]
    fn choices(&self) -> Vec<String> {
        let sites = &self.game().program.schema.sites;
        self.shared.actions.sites.iter().filter_map(|site| sites.get(site.at())).map(|site| site.name.clone()).collect()
    }

    /// The names of the phases, in the order of their numbers.
    #[getter]
    fn phases(&self) -> Vec<String> {
        self.game().program.schema.phases.iter().map(|phase| phase.name.clone()).collect()
    }

    /// The texts of the actions. Extra actions have none.
    #[getter]
    fn meanings(&self) -> Vec<String> {
        let extra = (0..self.shared.actions.extra).map(|_| String::new());
        self.shared.actions.meanings.iter().cloned().chain(extra).collect()
    }

    /// The actions of the pending decision, each with its text.
    #[pyo3(signature = (table = 0))]
    fn menu(&self, table: usize) -> PyResult<Vec<(u32, String)>> {
        self.with(table, |table| {
            let Some(asked) = table.asked() else { return Vec::new() };
            let Asked { question, .. } = asked;
            let texts = asked.texts(self.game(), self.state(table));
            let each = table.menu.iter().copied().zip(texts).filter(|(action, _)| *action != u32::MAX);
            each.map(|(action, text)| (action, actions::meaning(self.game(), question.site, &text))).collect()
        })
    }

    /// The seed and the number of a run.
    #[pyo3(signature = (table = 0))]
    fn run(&self, table: usize) -> PyResult<(u64, u64)> {
        self.with(table, |table| (table.seed, table.number))
    }

    /// The finding that ended a run, or `None`.
    #[pyo3(signature = (table = 0))]
    fn fault(&self, table: usize) -> PyResult<Option<Diagnostic>> {
        let fault = self.with(table, |table| table.fault.clone())?;
        let error = fault.map(|fault| self.scenario.fault(&fault.diagnostic()));
        Ok(error.and_then(|error| error.diagnostics().first().map(Diagnostic::of)))
    }

    /// The measures of the report on the table as it is. A measure without a value is `None`.
    #[pyo3(signature = (table = 0))]
    fn measures<'py>(&self, py: Python<'py>, table: usize) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        let mut batch = self.lock();
        let Inner { game, plan, .. } = &*self.shared.scenario;
        let Some(run) = batch.tables.get_mut(table).and_then(|table| table.run.as_mut()) else { return Ok(found) };
        for (n, figure) in plan.report.iter().enumerate() {
            let cells = run.figure(n).unwrap_or(None);
            let value = cells.map(|cells| match &figure.asked.ty {
                Type::List(inner) => grognard::Value::List(game.values(run.state(), inner, &cells)),
                ty => game.value(run.state(), ty, &cells),
            });
            found.set_item(&figure.text, value.map(|value| to_python(py, &value)).transpose()?)?;
        }
        Ok(found)
    }

    /// The table as an SVG picture, or `None` if no piece is on it.
    #[pyo3(signature = (table = 0))]
    fn svg(&self, table: usize) -> PyResult<Option<String>> {
        Ok(self.map(table)?.map(|map| grognard_report::map(&map)))
    }

    /// The table as text: the map, and the pending decision.
    #[pyo3(signature = (table = 0))]
    fn text(&self, table: usize) -> PyResult<String> {
        let mut lines = Vec::new();
        if let Some(map) = self.map(table)? {
            lines.extend(grognard_report::plain_map::plain_map(&map, MAP.0, MAP.1));
            lines.extend(grognard_report::plain_map::map_key(&map));
        }
        let game = self.game();
        self.with(table, |table| match table.asked() {
            Some(asked) => {
                let player = game.packed_name(asked.question.player);
                lines.push(format!("{player} decides:"));
                lines.extend(asked.texts(game, self.state(table)).into_iter().map(|entry| format!("  {entry}")));
            }
            None => lines.push("the run is over".to_string()),
        })?;
        Ok(lines.join("\n"))
    }
}

/// Returns a value as text.
fn text(game: &Game, state: &State, ty: &Type, cells: &[i64]) -> String {
    game.tell(state, ty, cells)
}
