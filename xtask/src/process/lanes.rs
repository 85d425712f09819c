//! Pieces of work side by side.

use std::iter;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, anyhow};

/// Does each of `pieces` in the first of so many lanes that is free. A lane ends at its first error, which comes back when the
/// others have ended too.
pub fn side_by_side<P: Send, T: Send>(lanes: usize, pieces: Vec<P>, work: impl Fn(P) -> Result<T> + Sync) -> Result<Vec<T>> {
    let pieces = Mutex::new(pieces.into_iter());
    let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
    let lane = || iter::from_fn(next).map(&work).collect::<Result<Vec<_>>>();
    let done: Vec<_> = thread::scope(|scope| {
        let lanes: Vec<_> = (0..lanes).map(|_| scope.spawn(lane)).collect();
        lanes.into_iter().map(|lane| lane.join().unwrap_or_else(|_| Err(anyhow!("a lane panicked")))).collect()
    });
    Ok(done.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_done_once_and_an_error_comes_back() {
        let mut done = side_by_side(3, (0..100).collect(), Ok).unwrap();
        done.sort_unstable();
        assert_eq!(done, (0..100).collect::<Vec<_>>());
        let failing = |piece| if piece == 50 { Err(anyhow!("no")) } else { Ok(piece) };
        assert_eq!(side_by_side(3, (0..100).collect(), failing).unwrap_err().to_string(), "no");
    }
}
