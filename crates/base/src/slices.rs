//! Cooperative multitasking: long work is a coroutine (M. E. Conway 1963) that yields at points of its own choosing, so that a
//! host with one thread can handle messages in between. A coroutine is a future that nobody wakes: it is polled again for its
//! next slice. What it finds does not depend on where it yields.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Work that goes on in slices.
pub type Coroutine<T> = Pin<Box<dyn Future<Output = T>>>;

/// Yields: the slice ends here.
pub fn yield_now() -> impl Future<Output = ()> {
    let mut yielded = false;
    std::future::poll_fn(move |_| if std::mem::replace(&mut yielded, true) { Poll::Ready(()) } else { Poll::Pending })
}

/// Runs the next slice; gives the result with the last one.
pub fn slice<T>(work: &mut Coroutine<T>) -> Option<T> {
    match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => Some(done),
        Poll::Pending => None,
    }
}

/// Runs all slices, one after the other.
pub fn at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return done;
        }
    }
}
