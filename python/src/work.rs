//! Long work: without the interpreter lock, with progress, until Ctrl-C.

use crate::error::calm;
use grognard::Error;
use pyo3::PyClass;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// The time between two checks of signals, and between two reports of progress.
const LOOK: Duration = Duration::from_millis(50);
const REPORT: Duration = Duration::from_millis(200);

/// The progress of long work.
#[pyclass(frozen, get_all, module = "grognard")]
pub struct Progress {
    /// The number of runs, or of pairs of runs, that are finished.
    runs: u64,
    /// The number of points of a sweep that are finished.
    points: u64,
    /// The maximum number of runs, or `None`.
    total: Option<u64>,
    /// The current step of an exact answer. It is empty during runs.
    doing: String,
    /// The seconds since the start.
    seconds: f64,
}

#[pymethods]
impl Progress {
    fn __repr__(&self) -> String {
        let Progress { runs, points, doing, seconds, .. } = self;
        format!("<Progress runs={runs} points={points} doing={doing:?} seconds={seconds:.1}>")
    }
}

/// The options of long work.
pub struct Work<'a, 'py> {
    /// `True`, `False`, a function of the progress, or `None` to show it in terminals and notebooks.
    pub progress: Option<Bound<'py, PyAny>>,
    /// The number of runs or points at most.
    pub total: Option<u64>,
    /// The seconds after which the work ends.
    pub time: Option<f64>,
    /// The name of the work in the display.
    pub what: &'a str,
}

/// Watches running work from the thread that called it: signals and progress belong to this thread.
struct Watch {
    caller: ThreadId,
    began: Instant,
    until: Option<Instant>,
    total: Option<u64>,
    report: Option<Py<PyAny>>,
    stop: AtomicBool,
    times: Mutex<[Instant; 2]>,
    wrong: Mutex<Option<PyErr>>,
}

impl Watch {
    fn look(&self, now: &grognard::Progress<'_>) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        if thread::current().id() != self.caller {
            return ControlFlow::Continue(());
        }
        let time = Instant::now();
        if self.until.is_some_and(|until| time >= until) {
            return self.end(None);
        }
        let [looked, reported] = &mut *self.times.lock().unwrap_or_else(PoisonError::into_inner);
        if time - *looked < LOOK {
            return ControlFlow::Continue(());
        }
        *looked = time;
        let due = time - *reported >= REPORT;
        let seen = Python::attach(|py| -> PyResult<bool> {
            py.check_signals()?;
            let Some(report) = self.report.as_ref().filter(|_| due) else { return Ok(true) };
            *reported = time;
            let grognard::Progress { runs, points, doing, .. } = *now;
            let seconds = (time - self.began).as_secs_f64();
            let progress = Progress { runs, points, total: self.total, doing: doing.to_string(), seconds };
            let answer = report.call1(py, (progress,))?;
            Ok(!answer.bind(py).is(pyo3::types::PyBool::new(py, false)))
        });
        match seen {
            Ok(true) => ControlFlow::Continue(()),
            Ok(false) => self.end(None),
            Err(error) => self.end(Some(error)),
        }
    }

    /// Ends the work, because of an exception if there is one.
    fn end(&self, error: Option<PyErr>) -> ControlFlow<()> {
        *self.wrong.lock().unwrap_or_else(PoisonError::into_inner) = error;
        self.stop.store(true, Ordering::Relaxed);
        ControlFlow::Break(())
    }
}

/// The function that the library calls during its work.
pub type Look = Box<dyn Fn(&grognard::Progress<'_>) -> ControlFlow<()> + Send + Sync>;

impl<'py> Work<'_, 'py> {
    /// Answers a question. Ctrl-C raises `Interrupted` with the partial result; an exception of the progress function
    /// comes out unchanged.
    pub fn run<T>(self, py: Python<'py>, question: impl FnOnce(Look) -> Result<T, Error> + Send) -> PyResult<T>
    where
        T: PyClass + Into<PyClassInitializer<T>> + Send,
    {
        let began = Instant::now();
        let until = match self.time.map(Duration::try_from_secs_f64).transpose() {
            Ok(time) => time.and_then(|time| began.checked_add(time)),
            Err(why) => return Err(PyValueError::new_err(format!("time: {why}"))),
        };
        let display = py.import("grognard._progress")?;
        let report = display.call_method1("reporter", (self.progress, self.what))?;
        let watch = Arc::new(Watch {
            caller: thread::current().id(),
            began,
            until,
            total: self.total,
            report: (!report.is_none()).then(|| report.clone().unbind()),
            stop: AtomicBool::new(false),
            times: Mutex::new([began; 2]),
            wrong: Mutex::new(None),
        });
        let own = Arc::clone(&watch);
        let found = calm(py, move || question(Box::new(move |progress| own.look(progress))));
        display.call_method1("finish", (report,))?;
        let wrong = watch.wrong.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(error) = wrong else { return found };
        if !error.is_instance_of::<PyKeyboardInterrupt>(py) {
            return Err(error);
        }
        let partial = found.ok().map(|found| Py::new(py, found)).transpose()?;
        let class = py.import("grognard._errors")?.getattr("Interrupted")?;
        let raised = PyErr::from_value(class.call1((partial,))?);
        raised.set_cause(py, Some(error));
        Err(raised)
    }
}

/// Returns the given number of threads, or that of the processor.
pub fn threads(given: Option<usize>) -> usize {
    given.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).max(1)
}
