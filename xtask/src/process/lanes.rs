//! Pieces of work side by side.

use std::iter;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does each of `pieces` in the first of so many lanes that is free. Where one of them panics, the other lanes go on, and in the end
/// this panics as well.
pub fn side_by_side<P: Send, T: Send>(lanes: usize, pieces: Vec<P>, work: impl Fn(P) -> T + Sync) -> Vec<T> {
    let pieces = Mutex::new(pieces.into_iter());
    let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
    let lane = || iter::from_fn(next).map(&work).collect::<Vec<_>>();
    let done: Vec<_> = thread::scope(|scope| {
        let lanes: Vec<_> = (0..lanes).map(|_| scope.spawn(lane)).collect();
        lanes.into_iter().map(thread::ScopedJoinHandle::join).collect()
    });
    done.into_iter().flat_map(|lane| lane.unwrap_or_else(|panic| resume_unwind(panic))).collect()
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn every_piece_is_done_once() {
        let mut done = side_by_side(3, (0..100).collect(), |piece| piece);
        done.sort_unstable();
        assert_eq!(done, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn the_lanes_work_at_the_same_time() {
        let (present, patience) = (AtomicUsize::new(0), Instant::now() + Duration::from_secs(60));
        let meet = |()| {
            present.fetch_add(1, Ordering::SeqCst);
            while present.load(Ordering::SeqCst) < 3 && Instant::now() < patience {
                thread::yield_now();
            }
            present.load(Ordering::SeqCst)
        };
        assert_eq!(side_by_side(3, vec![(); 3], meet), [3; 3]);
    }

    #[test]
    fn a_panic_comes_back_when_the_other_lanes_have_done_the_rest() {
        let done = AtomicUsize::new(0);
        let work = |piece| if piece == 1 { panic!("of piece {piece}") } else { done.fetch_add(1, Ordering::SeqCst) };
        assert!(catch_unwind(|| side_by_side(2, (0..10).collect(), work)).is_err());
        assert_eq!(done.load(Ordering::SeqCst), 9);
    }
}
