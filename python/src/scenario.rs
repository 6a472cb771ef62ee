//! A scenario, and the questions about it.

use crate::calls::{Deciding, PythonDice};
use crate::compare::Comparison;
use crate::error::{calm, diagnostics};
use crate::odds::{Odds, effort};
use crate::reports::texts;
use crate::rules::{Pickled, folder, settings};
use crate::sample::{Half, Sample, within};
use crate::sweep::{Readings, Sweep};
use crate::trace::Played;
use crate::value::from_python;
use crate::work::{Work, threads};
use grognard::{Effort, Error, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use std::path::PathBuf;

/// A table with its rules, ready to be played. It cannot change, and threads can share it.
#[pyclass(frozen, module = "grognard")]
pub struct Scenario(pub grognard::Scenario);

/// How an answer is found, as `--mode` says it.
#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    Auto,
    Exact,
    Sampled,
}

impl Mode {
    pub fn of(text: &str) -> PyResult<Mode> {
        match text {
            "auto" => Ok(Mode::Auto),
            "exact" => Ok(Mode::Exact),
            "sampled" => Ok(Mode::Sampled),
            _ => Err(PyValueError::new_err(format!("mode: expected `auto`, `exact` or `sampled`, found `{text}`"))),
        }
    }

    /// Returns the effort of an exact answer, which is lower if runs can take over.
    pub fn usual(self) -> Effort {
        if self == Mode::Exact { Effort::Thorough } else { Effort::Usual }
    }
}

/// The varied params and readings of a sweep, each with its values.
pub fn varied(over: Option<Bound<'_, PyDict>>) -> PyResult<Vec<(String, Vec<Value>)>> {
    let over = over.into_iter().flat_map(|over| over.iter().collect::<Vec<_>>());
    let varied = |(name, values): (Bound<'_, PyAny>, Bound<'_, PyAny>)| -> PyResult<(String, Vec<Value>)> {
        let name = name.extract()?;
        if values.is_none() {
            return Ok((name, Vec::new()));
        }
        if values.is_instance_of::<PyString>() {
            return Err(PyValueError::new_err("over: expected a list of values, found a str"));
        }
        Ok((name, values.try_iter()?.map(|value| from_python(&value?)).collect::<PyResult<_>>()?))
    };
    over.map(varied).collect()
}

/// The measures of a question: expressions, each with the condition after `given`.
pub fn measures(of: Option<&Bound<'_, PyAny>>, given: Option<&str>) -> PyResult<Vec<String>> {
    let of = texts(of)?;
    match given {
        Some(_) if of.is_empty() => Err(PyValueError::new_err("`given` requires `of`")),
        Some(given) => Ok(of.into_iter().map(|of| format!("{of} given {given}")).collect()),
        None => Ok(of),
    }
}

#[pymethods]
impl Scenario {
    /// Loads a scenario with the rules that it names from the files of a folder: `Scenario.load("docs",
    /// "first/volley.toml")`.
    ///
    /// Raises `ScenarioError`, `RulesError` or `InputError` if a file is missing or has errors, or if there is no folder.
    #[staticmethod]
    fn load(py: Python<'_>, folder: PathBuf, path: &str) -> PyResult<Scenario> {
        let library = self::folder(py, folder)?;
        calm(py, || grognard::Scenario::load(library, path)).map(Scenario)
    }

    /// Loads a scenario that is part of this package, such as `warstrike/scenarios/orders-under-fire.toml`.
    #[staticmethod]
    fn shipped(py: Python<'_>, path: &str) -> PyResult<Scenario> {
        calm(py, || grognard::Scenario::shipped(path)).map(Scenario)
    }

    /// The path of the rules.
    #[getter]
    fn rules(&self) -> &str {
        self.0.rules()
    }

    /// The text of the scenario in TOML. Later changes are not part of it.
    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    /// The expressions of the report.
    #[getter]
    fn measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.measures().collect::<Vec<&str>>())
    }

    /// Remarks about text that suggests another meaning.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        diagnostics(py, &self.0.warnings())
    }

    /// Returns the scenario with other values of params and readings.
    #[pyo3(signature = (**values))]
    fn with_(&self, py: Python<'_>, values: Option<Bound<'_, PyDict>>) -> PyResult<Scenario> {
        let values = settings(values)?;
        calm(py, || set(&self.0, values)).map(Scenario)
    }

    /// Returns the scenario with other sources of decisions: `policy:Bold`, `prefer`, `first`, `random`, `best` or
    /// `worst`.
    #[pyo3(signature = (**sources))]
    fn with_players(&self, py: Python<'_>, sources: Option<Bound<'_, PyDict>>) -> PyResult<Scenario> {
        let sources = words(sources)?;
        calm(py, || decided(&self.0, sources)).map(Scenario)
    }

    /// Returns the scenario with other measures: expressions at the end, such as `red.men == 0`.
    #[pyo3(signature = (*expressions))]
    fn measuring(&self, py: Python<'_>, expressions: Vec<String>) -> PyResult<Scenario> {
        calm(py, || self.0.measuring(expressions)).map(Scenario)
    }

    /// Plays one run.
    ///
    /// `seed` and `run` are those of the command line. `dice` is a function of a `Roll` that returns a face for each die, or
    /// `None` for the dice of the seed; it is also called with a `Draw` and returns indices. `decide` is a function of a
    /// `Decision`, or a dictionary with such a function for each player. It returns the index of an entry, several indices,
    /// the name of an entry, a point in inches, or `None` for the preferred entry. An exception in one of them ends the run.
    ///
    /// Raises `RunError` if the run ends in an error of the rules.
    #[pyo3(signature = (*, seed = None, run = None, dice = None, decide = None, trace = true))]
    fn run(
        &self,
        py: Python<'_>,
        seed: Option<u64>,
        run: Option<u64>,
        dice: Option<Py<PyAny>>,
        decide: Option<Bound<'_, PyAny>>,
        trace: bool,
    ) -> PyResult<Played> {
        let failed = crate::calls::Failure::default();
        let mut dice = dice.map(|call| PythonDice { call, failed: failed.clone() });
        let mut deciders = Deciding::all(decide, &failed)?;
        let played = calm(py, || {
            let mut question = self.0.run();
            if let Some(seed) = seed {
                question = question.seed(seed);
            }
            if let Some(run) = run {
                question = question.number(run);
            }
            if !trace {
                question = question.untraced();
            }
            if let Some(dice) = &mut dice {
                question = question.dice(dice);
            }
            for (player, decider) in &mut deciders {
                question = question.decider(player, decider);
            }
            question.play()
        });
        match failed.take() {
            Some(error) => Err(error),
            None => played.map(Played),
        }
    }

    /// Returns exact odds.
    ///
    /// `of` is a measure or several, in place of the report. `given` keeps only outcomes where a condition holds. `decide`
    /// sets who decides for a player, and `objective` what `best` and `worst` players optimize. `set` has values of params
    /// and readings. With `exact`, the result has fractions, however long. `budget` is the largest number of states, and
    /// `time` the seconds after which the result has bounds.
    #[pyo3(signature = (of = None, *, given = None, decide = None, objective = None, set = None, exact = false,
        budget = None, time = None, progress = None))]
    #[allow(clippy::too_many_arguments)] // the options of the command line
    fn odds<'py>(
        &self,
        py: Python<'py>,
        of: Option<&Bound<'py, PyAny>>,
        given: Option<&str>,
        decide: Option<Bound<'py, PyDict>>,
        objective: Option<&str>,
        set: Option<Bound<'py, PyDict>>,
        exact: bool,
        budget: Option<usize>,
        time: Option<f64>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Odds> {
        let (of, values, sources) = (measures(of, given)?, settings(set)?, words(decide)?);
        let effort = effort(budget, time, Effort::Thorough);
        let work = Work { progress, total: None, time, what: "odds" };
        work.run(py, move |look| {
            let mut scenario = decided(&self::set(&self.0, values)?, sources)?;
            if !of.is_empty() {
                scenario = scenario.measuring(of)?;
            }
            if let Some(objective) = objective {
                scenario = scenario.with_objective(objective)?;
            }
            let question = scenario.odds().effort(effort).estimate().watch(look);
            if exact { question.exact() } else { question }.compute().map(Odds)
        })
    }

    /// Plays many runs, and estimates the measures.
    ///
    /// `runs` is the number of runs; the default is that of the scenario, or else 10,000. `until` ends the sample when every
    /// interval is within this half-width: `"0.1%"` for conditions, `0.05` for means. `level` is the confidence level in
    /// percent: 90, 95, 99, 99.9 or 99.99. The result depends neither on `threads` nor on `progress`.
    #[pyo3(signature = (runs = None, *, of = None, given = None, seed = None, threads = None, until = None, level = None,
        set = None, time = None, progress = None))]
    #[allow(clippy::too_many_arguments)] // the options of the command line
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        runs: Option<u64>,
        of: Option<&Bound<'py, PyAny>>,
        given: Option<&str>,
        seed: Option<u64>,
        threads: Option<usize>,
        until: Option<Bound<'py, PyAny>>,
        level: Option<Bound<'py, PyAny>>,
        set: Option<Bound<'py, PyDict>>,
        time: Option<f64>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Sample> {
        let (of, values) = (measures(of, given)?, settings(set)?);
        let until = until.as_ref().map(Half::of).transpose()?;
        let level = level.map(|level| level.str()?.extract::<String>()).transpose()?;
        let work = Work { progress, total: runs, time, what: "simulate" };
        work.run(py, move |look| {
            let scenario = self::set(&self.0, values)?;
            let question = crate::sample::question(&scenario, runs, &of, seed, until, level.as_deref());
            let question = question.threads(self::threads(threads)).watch(look);
            question.compute().map(Sample)
        })
    }

    /// Compares this scenario, A, with another version, B: exactly if possible, otherwise from pairs of runs on the same dice.
    ///
    /// `within` is the largest difference of the first measure that counts as the same: `"1%"` or 0.01 for a condition, 0.1
    /// for a number. `runs` is the largest number of pairs, and `mode` is `auto`, `exact` or `sampled`.
    #[pyo3(signature = (other, *, of = None, within = None, runs = None, mode = "auto", budget = None, time = None,
        every = false, unpaired = false, seed = None, threads = None, progress = None))]
    #[allow(clippy::too_many_arguments)] // the options of the command line
    fn compare<'py>(
        &self,
        py: Python<'py>,
        other: &Scenario,
        of: Option<&Bound<'py, PyAny>>,
        within: Option<Bound<'py, PyAny>>,
        runs: Option<u64>,
        mode: &str,
        budget: Option<usize>,
        time: Option<f64>,
        every: bool,
        unpaired: bool,
        seed: Option<u64>,
        threads: Option<usize>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Comparison> {
        let (of, mode, within) = (texts(of)?, Mode::of(mode)?, within.as_ref().map(self::within).transpose()?);
        let work = Work { progress, total: runs, time, what: "compare" };
        work.run(py, move |look| {
            let options = (mode, effort(budget, time, mode.usual()));
            let sides = (&self.0, &other.0);
            let question = crate::compare::question(sides, &of, within, runs, options, (every, unpaired), seed);
            let question = question.threads(self::threads(threads)).watch(look);
            question.compute().map(Comparison)
        })
    }

    /// Returns the effect of each reading: of each other answer to an open point of the rulebook.
    #[pyo3(signature = (*, of = None, only = None, within = None, runs = None, mode = "auto", budget = None, time = None,
        seed = None, threads = None, progress = None))]
    #[allow(clippy::too_many_arguments)] // the options of the command line
    fn readings<'py>(
        &self,
        py: Python<'py>,
        of: Option<&Bound<'py, PyAny>>,
        only: Option<&Bound<'py, PyAny>>,
        within: Option<Bound<'py, PyAny>>,
        runs: Option<u64>,
        mode: &str,
        budget: Option<usize>,
        time: Option<f64>,
        seed: Option<u64>,
        threads: Option<usize>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Readings> {
        let (of, only, mode) = (texts(of)?, texts(only)?, Mode::of(mode)?);
        let within = within.as_ref().map(self::within).transpose()?;
        let work = Work { progress, total: None, time, what: "readings" };
        work.run(py, move |look| {
            let mut question = self.0.readings().effort(effort(budget, time, mode.usual())).watch(look);
            question = match mode {
                Mode::Auto => question,
                Mode::Exact => question.exact(),
                Mode::Sampled => question.sampled(),
            };
            question = question.threads(self::threads(threads));
            for of in &of {
                question = question.of(of);
            }
            for only in &only {
                question = question.only(only);
            }
            if let Some(within) = within {
                question = question.within(within);
            }
            if let Some(runs) = runs {
                question = question.runs(runs);
            }
            if let Some(seed) = seed {
                question = question.seed(seed);
            }
            question.compute().map(Readings)
        })
    }

    /// Measures the scenario at each point of a grid of params and readings.
    ///
    /// `over` has the values of each param, or `None` for those that the rules declare. Without it, the scenario sets the
    /// grid.
    #[pyo3(signature = (over = None, *, of = None, mode = None, runs = None, budget = None, time = None, seed = None,
        level = None, threads = None, progress = None))]
    #[allow(clippy::too_many_arguments)] // the options of the command line
    fn sweep<'py>(
        &self,
        py: Python<'py>,
        over: Option<Bound<'py, PyDict>>,
        of: Option<&Bound<'py, PyAny>>,
        mode: Option<&str>,
        runs: Option<u64>,
        budget: Option<usize>,
        time: Option<f64>,
        seed: Option<u64>,
        level: Option<Bound<'py, PyAny>>,
        threads: Option<usize>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Sweep> {
        let (of, mode) = (texts(of)?, mode.map(Mode::of).transpose()?);
        let level = level.map(|level| level.str()?.extract::<String>()).transpose()?;
        let over = varied(over)?;
        let work = Work { progress, total: None, time, what: "sweep" };
        work.run(py, move |look| {
            let effort = (budget.is_some() || time.is_some()).then(|| effort(budget, time, Effort::Thorough));
            let level = level.as_deref();
            let question = crate::sweep::question(&self.0, over, &of, mode, effort, runs, seed, level);
            let question = question.threads(self::threads(threads)).watch(look);
            question.compute().map(Sweep)
        })
    }

    /// Pickles the scenario as its texts and changes.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py, (String,)>> {
        let scenario = &slf.get().0;
        let text = calm(slf.py(), || grognard::scale::pack(scenario))?;
        Ok((slf.py().import("grognard._grognard")?.getattr("_unpack")?, (text,)))
    }

    /// Returns a drawing of the table as SVG, or `None` if nothing has a position.
    fn map(&self, py: Python<'_>) -> PyResult<Option<String>> {
        calm(py, || Ok(self.0.map()))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let map = self.map(py)?.unwrap_or_default();
        Ok(format!("{map}<pre>{}</pre>", crate::trace::escaped(self.0.text())))
    }

    fn __repr__(&self) -> String {
        let measures: Vec<&str> = self.0.measures().collect();
        format!("<Scenario of {}: {}>", self.0.rules(), measures.join(", "))
    }
}

fn set(scenario: &grognard::Scenario, values: Vec<(String, Value)>) -> Result<grognard::Scenario, Error> {
    values.into_iter().try_fold(scenario.clone(), |scenario, (name, value)| scenario.with(&name, value))
}

fn decided(scenario: &grognard::Scenario, sources: Vec<(String, String)>) -> Result<grognard::Scenario, Error> {
    let with =
        |scenario: grognard::Scenario, (player, source): (String, String)| scenario.with_player(&player, &source);
    sources.into_iter().try_fold(scenario.clone(), with)
}

fn words(given: Option<Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
    let given = given.into_iter().flat_map(|given| given.iter().collect::<Vec<_>>());
    given.map(|(name, word)| Ok((name.extract()?, word.extract()?))).collect()
}
