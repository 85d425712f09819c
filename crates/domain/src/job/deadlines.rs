//! By when a job is to have begun and to have ended, where its owner says so.

use crate::{Timestamp, eta::Interval};
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deadlines {
    /// A job that no worker has begun by then is not made.
    pub start_by: Option<Timestamp>,
    /// A job that still waits by then is not made; one that a worker has is finished.
    pub finish_by: Option<Timestamp>,
}

/// One of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deadline {
    StartBy,
    FinishBy,
}

impl Deadline {
    /// As the API has it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StartBy => "start_by",
            Self::FinishBy => "finish_by",
        }
    }
}

impl fmt::Display for Deadline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Deadlines {
    /// The earlier one: among the jobs of a tenant those go first that have the earlier deadline, and those without one last.
    #[must_use]
    pub fn first(self) -> Option<Timestamp> {
        match (self.start_by, self.finish_by) {
            (Some(start), Some(finish)) => Some(start.min(finish)),
            (start, finish) => start.or(finish),
        }
    }

    /// The one that cannot be kept by nine of ten such jobs, and the earliest moment that can: a whole second.
    #[must_use]
    pub fn infeasible(self, now: Timestamp, begins: Interval, ends: Interval) -> Option<(Deadline, Timestamp)> {
        let best = |after: Interval| {
            let ms = now.plus_ms(i64::try_from(after.p90_ms).unwrap_or(i64::MAX)).ms();
            Timestamp::from_ms(ms.div_euclid(1000).saturating_add(1).saturating_mul(1000))
        };
        let each = [(Deadline::StartBy, self.start_by, best(begins)), (Deadline::FinishBy, self.finish_by, best(ends))];
        each.into_iter().find_map(|(deadline, asked, best)| (asked? < best).then_some((deadline, best)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(10_500);
    const fn at(s: i64) -> Option<Timestamp> {
        Some(Timestamp::from_ms(s * 1000))
    }

    #[test]
    fn the_earlier_deadline_counts() {
        let of = |start_by, finish_by| Deadlines { start_by, finish_by }.first();
        assert_eq!([of(None, None), of(at(5), None), of(None, at(7)), of(at(5), at(3))], [None, at(5), at(7), at(3)]);
    }

    #[test]
    fn what_nine_of_ten_jobs_cannot_keep_is_told_with_the_best_that_they_can() {
        let (begins, ends) = (Interval { p50_ms: 1000, p90_ms: 2000 }, Interval { p50_ms: 5000, p90_ms: 9000 });
        let of = |start_by, finish_by| Deadlines { start_by, finish_by }.infeasible(NOW, begins, ends);
        assert_eq!(of(None, None), None);
        assert_eq!(of(at(12), None), Some((Deadline::StartBy, Timestamp::from_ms(13_000))));
        assert_eq!(of(at(13), at(20)), None, "the best that was told is taken");
        assert_eq!(of(at(13), at(19)), Some((Deadline::FinishBy, Timestamp::from_ms(20_000))));
        assert_eq!(of(at(1), None).map(|(deadline, _)| deadline), Some(Deadline::StartBy), "one that has passed");
    }
}
