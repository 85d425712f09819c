//! What was said of when a job will have ended, so that nothing of it is taken back by the next estimate.

use crate::words;
use domain::Eta;

/// Between two looks at the clock: one may follow an estimate at once.
const LOOK_MS: u64 = 1000;
/// Longer times than this are not waited for once much less was told: the queue before it has gone.
const LONG_MS: u64 = 10_000;
/// Who was told “any moment” is told of no few seconds after.
const NEAR_MS: u64 = 2000;

/// What was said so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Promised {
    /// Until the longest time has passed that was told.
    left_ms: u64,
    /// Any moment now.
    is_near: bool,
}

impl Promised {
    /// After so long, with the newest estimate, which was made `since_ms` ago.
    pub fn after(self, passed_ms: u64, eta: Option<Eta>, since_ms: u64) -> Self {
        let left_ms = self.left_ms.saturating_sub(passed_ms);
        let Some(Eta { p50_ms, p90_ms }) = eta else { return Self { left_ms, is_near: false } };
        let (likely_ms, bound_ms) = (p50_ms.saturating_sub(since_ms), p90_ms.saturating_sub(since_ms));
        let left_ms = match bound_ms + LOOK_MS {
            LOOK_MS => left_ms,
            // Of a new estimate: an old one and what was told run out together.
            bound_ms if since_ms < LOOK_MS && left_ms > LONG_MS && bound_ms < left_ms / 2 => bound_ms,
            bound_ms => left_ms.max(bound_ms),
        };
        Self { left_ms, is_near: likely_ms == 0 || self.is_near && likely_ms <= NEAR_MS }
    }

    pub fn words(self, eta: Eta, since_ms: u64) -> String {
        match (self.is_near, self.left_ms) {
            (true, 0) => "It takes longer than expected.".into(),
            (true, _) => "Any moment now.".into(),
            (false, _) => words::ready_in(eta, since_ms),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ETA: Eta = Eta { p50_ms: 2000, p90_ms: 3000 };

    #[test]
    fn what_was_told_is_not_taken_back_by_an_estimate_of_a_second_more() {
        let first = Promised::default().after(0, Some(ETA), 0);
        assert_eq!(first.words(ETA, 0), "Ready in about 2 s, up to 3 s.");
        let near = first.after(2000, Some(ETA), 2000);
        assert_eq!(near.words(ETA, 2000), "Any moment now.");
        let next = Eta { p50_ms: 800, p90_ms: 900 };
        assert_eq!(near.after(0, Some(next), 0).words(next, 0), "Any moment now.");
        let again = Eta { p50_ms: 40_000, p90_ms: 60_000 };
        assert_eq!(near.after(0, Some(again), 0).words(again, 0), "Ready in about 40 s, up to 1 min.", "it is made anew");
    }

    #[test]
    fn it_is_not_late_before_the_longest_time_has_passed_that_was_told() {
        let short = Eta { p50_ms: 100, p90_ms: 200 };
        let told = Promised::default().after(0, Some(ETA), 0).after(1000, Some(short), 0);
        assert_eq!(told.after(1000, Some(short), 1000).words(short, 1000), "Any moment now.");
        assert_eq!(told.after(3000, Some(short), 3000).words(short, 3000), "It takes longer than expected.");
        let [first, second] = [Eta { p50_ms: 50_000, p90_ms: 60_000 }, Eta { p50_ms: 45_000, p90_ms: 52_000 }];
        let mut told = Promised::default().after(0, Some(first), 0).after(0, Some(second), 0);
        for since_ms in (1000..=59_000).step_by(1000) {
            told = told.after(1000, Some(second), since_ms);
        }
        assert_eq!(told.words(second, 59_000), "Any moment now.", "a minute was told");
        let long = Eta { p50_ms: 600_000, p90_ms: 900_000 };
        let told = Promised::default().after(0, Some(long), 0).after(1000, Some(ETA), 0);
        assert_eq!(told.after(5000, Some(ETA), 5000).words(ETA, 5000), "It takes longer than expected.", "the queue before it had gone");
    }
}
