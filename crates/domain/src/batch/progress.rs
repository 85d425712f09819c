//! What is to be done next with a batch: the one rule, asked before each step by whoever goes on with it.

use super::BatchStatus;
use crate::{Timestamp, VideoTime};

/// Where a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineState {
    /// It cannot be made as it is. No line of its batch is.
    Invalid,
    Waiting,
    /// It is a job that has not ended.
    Open,
    Succeeded,
    Failed,
    Cancelled,
    Expired,
}

impl LineState {
    pub const EVERY: [Self; 7] = [Self::Invalid, Self::Waiting, Self::Open, Self::Succeeded, Self::Failed, Self::Cancelled, Self::Expired];

    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Waiting => "waiting",
            Self::Open => "open",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::EVERY.into_iter().find(|state| state.as_str() == name)
    }
}

/// Why no more lines of a batch are begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    Cancelled,
    /// Its time is over.
    Expired,
}

impl Closing {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Cancelled, Self::Expired].into_iter().find(|closing| closing.as_str() == name)
    }

    /// What becomes of lines that were not begun.
    #[must_use]
    pub const fn line(self) -> LineState {
        match self {
            Self::Cancelled => LineState::Cancelled,
            Self::Expired => LineState::Expired,
        }
    }

    /// How a batch ends that was closed so.
    #[must_use]
    pub const fn end(self) -> BatchStatus {
        match self {
            Self::Cancelled => BatchStatus::Cancelled,
            Self::Expired => BatchStatus::Expired,
        }
    }
}

/// How many lines of a batch are where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineCounts {
    pub waiting: u32,
    pub open: u32,
}

/// Lines of a batch that are jobs and have not ended, by where these are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenLines {
    pub lines: u32,
    /// That a worker has begun.
    pub begun: u32,
    /// Of those that were begun, that wait for a decoder.
    pub for_decoder: u32,
    /// What those cost that were begun and wait for no decoder, as it was quoted: who cancels the batch may get them all the same.
    pub in_hand_billed: VideoTime,
}

/// Lines of a batch that have ended without success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnmadeLines {
    pub failed: u32,
    /// That were cancelled, or whose time was over.
    pub withdrawn: u32,
    /// What all of them would have cost, as it was quoted.
    pub billed: VideoTime,
}

/// What is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Reads more of its input.
    Validate,
    /// No more lines are begun from now on.
    Close(Closing),
    /// Makes jobs of lines.
    Open,
    /// Ends lines that wait, and jobs that no worker has: when its time is over, only those that none has begun.
    Withdraw(Closing),
    /// Nothing but waiting for jobs to end.
    Wait,
    /// Writes the files of what came of it, and ends.
    Finish(BatchStatus),
    /// It has ended.
    Nothing,
}

impl Step {
    /// What is next of a batch that is so far at this moment.
    #[must_use]
    pub fn next(status: BatchStatus, closing: Option<Closing>, counts: LineCounts, expires_at: Timestamp, now: Timestamp) -> Self {
        match (status, closing) {
            (status, _) if status.is_final() => Self::Nothing,
            (BatchStatus::Validating, Some(closing)) => Self::Finish(closing.end()),
            (BatchStatus::Validating, None) => Self::Validate,
            (BatchStatus::Finalizing, closing) => Self::Finish(closing.map_or(BatchStatus::Completed, Closing::end)),
            (_, _) if counts == LineCounts::default() => Self::Finish(closing.map_or(BatchStatus::Completed, Closing::end)),
            (_, Some(closing)) if counts.waiting > 0 || counts.open > 0 => Self::Withdraw(closing),
            (_, None) if now >= expires_at => Self::Close(Closing::Expired),
            (_, None) if counts.waiting > 0 => Self::Open,
            _ => Self::Wait,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BatchStatus::{Cancelling, Completed, Expired, Finalizing, InProgress, Validating};

    const LATER: Timestamp = Timestamp::from_ms(100);

    fn next(status: BatchStatus, closing: Option<Closing>, (waiting, open): (u32, u32), now_ms: i64) -> Step {
        Step::next(status, closing, LineCounts { waiting, open }, LATER, Timestamp::from_ms(now_ms))
    }

    #[test]
    fn lines_become_jobs_until_none_waits_and_the_batch_ends_when_none_is_open() {
        assert_eq!(next(Validating, None, (0, 0), 0), Step::Validate);
        assert_eq!(next(InProgress, None, (5, 2), 99), Step::Open);
        assert_eq!(next(InProgress, None, (0, 2), 99), Step::Wait);
        assert_eq!(next(InProgress, None, (0, 0), 99), Step::Finish(Completed));
        assert_eq!(next(Finalizing, None, (0, 0), 999), Step::Finish(Completed));
        for status in BatchStatus::EVERY.into_iter().filter(|status| status.is_final()) {
            assert_eq!(next(status, None, (1, 1), 0), Step::Nothing);
        }
    }

    #[test]
    fn at_its_end_a_window_closes_once_and_what_runs_is_waited_for() {
        assert_eq!(next(InProgress, None, (5, 2), 100), Step::Close(Closing::Expired));
        assert_eq!(next(InProgress, Some(Closing::Expired), (5, 2), 100), Step::Withdraw(Closing::Expired));
        assert_eq!(next(InProgress, Some(Closing::Expired), (0, 2), 100), Step::Withdraw(Closing::Expired));
        assert_eq!(next(InProgress, Some(Closing::Expired), (0, 0), 100), Step::Finish(Expired));
        assert_eq!(next(InProgress, None, (0, 0), 100), Step::Finish(Completed), "all was made in time");
    }

    #[test]
    fn who_cancels_is_cancelled_wherever_the_batch_is() {
        let cancelled = Some(Closing::Cancelled);
        assert_eq!(next(Validating, cancelled, (0, 0), 0), Step::Finish(BatchStatus::Cancelled));
        assert_eq!(next(Cancelling, cancelled, (9, 0), 0), Step::Withdraw(Closing::Cancelled));
        assert_eq!(next(Cancelling, cancelled, (0, 0), 999), Step::Finish(BatchStatus::Cancelled));
    }

    #[test]
    fn names_are_found_again() {
        for state in LineState::EVERY {
            assert_eq!(LineState::named(state.as_str()), Some(state));
        }
        for closing in [Closing::Cancelled, Closing::Expired] {
            assert_eq!(Closing::named(closing.as_str()), Some(closing));
        }
    }
}
