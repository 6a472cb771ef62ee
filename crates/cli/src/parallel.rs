//! An ordered parallel map: many pieces of work on all cores, with the results in the order of the pieces.

use super::STACK;
use super::out::Stop;
use super::progress::Progress;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

/// Runs `work` on each piece, and passes each result to `then` as soon as all earlier results are there.
pub fn each<T: Sync, R: Send>(
    pieces: &[T],
    threads: usize,
    work: impl Fn(&T) -> Result<R, Stop> + Sync,
    mut then: impl FnMut(R) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let progress = Progress::of(pieces.len() as u64, "tests")?;
    let next = AtomicUsize::new(0);
    let (send, receive) = channel();
    std::thread::scope(|scope| {
        let mut alive = 0;
        for _ in 0..threads.min(pieces.len()) {
            let (send, next, work) = (send.clone(), &next, &work);
            let worker = move || {
                while let Some((at, piece)) = Some(next.fetch_add(1, Ordering::Relaxed))
                    .and_then(|at| Some((at, pieces.get(at)?)))
                    .filter(|_| !Progress::pressed())
                {
                    if send.send((at, work(piece))).is_err() {
                        break;
                    }
                }
            };
            let named = std::thread::Builder::new().name("tests".into()).stack_size(STACK);
            alive += usize::from(named.spawn_scoped(scope, worker).is_ok());
        }
        drop(send);
        if alive == 0 && !pieces.is_empty() {
            return Err(Stop::failed("no thread can be started"));
        }
        let mut early = BTreeMap::new();
        let mut due = 0;
        // after a failure, no thread starts another piece
        let stop = |why: Stop| {
            next.store(pieces.len(), Ordering::Relaxed);
            why
        };
        for (at, result) in receive {
            progress.more(1);
            early.insert(at, result);
            while let Some(result) = early.remove(&due) {
                due += 1;
                result.and_then(&mut then).map_err(stop)?;
            }
        }
        if due < pieces.len() { Err(Stop::failed("interrupted")) } else { Ok(()) }
    })
}
