//! The progress of long work, and its early end.

use grognard_base as base;
use grognard_base::{Budget, Limit};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The progress of long work, which a function that was passed to `watch` receives.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress<'p> {
    /// The number of runs, or of pairs of runs, that are finished.
    pub runs: u64,
    /// The number of points of a sweep that are finished.
    pub points: u64,
    /// The current step of an exact answer, such as `1024 states`. It is empty during runs.
    pub doing: &'p str,
}

/// The function of the caller, and the runs so far.
struct Watched {
    look: Box<Look>,
    runs: AtomicU64,
    points: AtomicU64,
}

type Look = dyn Fn(&Progress<'_>) -> ControlFlow<()> + Send + Sync;

impl Watched {
    /// Counts finished runs, and returns whether the work continues.
    fn continues(&self, more: u64, doing: &str) -> bool {
        let runs = self.runs.fetch_add(more, Ordering::Relaxed) + more;
        let points = self.points.load(Ordering::Relaxed);
        (self.look)(&Progress { runs, points, doing }).is_continue()
    }
}

/// The function that watches the work of a request, if there is one.
#[derive(Clone, Default)]
pub(crate) struct Watching(Option<Arc<Watched>>);

impl Watching {
    pub(crate) fn new(look: impl Fn(&Progress<'_>) -> ControlFlow<()> + Send + Sync + 'static) -> Watching {
        Watching(Some(Arc::new(Watched { look: Box::new(look), runs: AtomicU64::new(0), points: AtomicU64::new(0) })))
    }

    /// Lets the function end exact work.
    pub(crate) fn budget(&self, budget: Budget) -> Budget {
        let watch = self
            .0
            .clone()
            .map(|watched| base::Watch::new(move |doing| (!watched.continues(0, doing)).then_some(Limit::Stopped)));
        Budget { watch, ..budget }
    }

    /// Counts a finished point of a sweep.
    #[cfg(feature = "report")]
    pub(crate) fn point(&self) {
        if let Some(watched) = &self.0 {
            watched.points.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts finished runs, and returns whether further runs are played.
    pub(crate) fn continues(&self, runs: u64) -> bool {
        self.0.as_ref().is_none_or(|watched| watched.continues(runs, ""))
    }
}

impl std::fmt::Debug for Watching {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Watching" } else { "nothing" })
    }
}
