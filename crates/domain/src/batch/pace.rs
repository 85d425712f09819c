//! How much of a batch is in the queue at a time.
//!
//! Enough that the machines never wait for it, and little enough that the rest of what its tenant sends is never far behind it: jobs that a
//! release rate or a number of jobs at once keeps outside of the queue stand in the order in which they came.

use crate::{VideoTime, billing::Plan, scheduling::AdmissionError};

/// The most lines of one batch that are jobs and have not ended.
pub const OPEN_LINES_MAX: u32 = 1000;
/// The most work of one batch, as it is billed.
const OPEN_WORK_MAX: VideoTime = VideoTime::from_minutes(240);
/// For so many times the jobs that are made at once there are others ready.
const ROUNDS: u32 = 2;

/// How much of a batch may be open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    pub lines: u32,
    pub work: VideoTime,
}

impl Allowance {
    /// By the plan of its tenant: as much as its release rate lets in within a minute, and twice what may be made at once.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        let lines = plan.concurrency.map_or(OPEN_LINES_MAX, |at_once| at_once.saturating_mul(ROUNDS)).clamp(1, OPEN_LINES_MAX);
        let work = plan.release_rate.unwrap_or(OPEN_WORK_MAX).min(OPEN_WORK_MAX).min(batches_max(plan));
        Self { lines, work }
    }

    /// Whether another line of so much `asked` may become a job beside those that are open. One always may.
    #[must_use]
    pub fn has_room(self, open_lines: u32, open: VideoTime, asked: VideoTime) -> bool {
        open_lines == 0 || open_lines < self.lines && open + asked <= self.work
    }
}

/// How much a tenant may have waiting and running for another line of a batch to be taken in: the rest is for single requests.
fn batches_max(plan: &Plan) -> VideoTime {
    VideoTime::from_ms(plan.open_work_max_ms.ms() / 4 * 3)
}

/// Lets a line of a batch in beside the tenant's `open` work, as long as there is room left for single requests. One always may that is alone.
///
/// # Errors
/// [`AdmissionError::TooMuchOpenWork`].
pub fn admit_beside_single(plan: &Plan, open: VideoTime, asked: VideoTime) -> Result<(), AdmissionError> {
    let open_max = batches_max(plan);
    let has_room = open == VideoTime::default() || open + asked <= open_max;
    if has_room { Ok(()) } else { Err(AdmissionError::TooMuchOpenWork { open, open_max, asked }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::testing::plan;
    use proptest::prelude::*;

    #[test]
    fn a_rate_and_a_number_at_once_keep_little_open() {
        let free = Plan { open_work_max_ms: VideoTime::from_minutes(10_000), ..plan() };
        assert_eq!(Allowance::of(&free), Allowance { lines: 1000, work: OPEN_WORK_MAX });
        let slow = Plan { release_rate: Some(VideoTime::from_minutes(1)), ..free.clone() };
        assert_eq!(Allowance::of(&slow).work, VideoTime::from_minutes(1));
        assert_eq!(Allowance::of(&Plan { concurrency: Some(4), ..free.clone() }).lines, 8);
        let small = Plan { open_work_max_ms: VideoTime::from_minutes(4), ..free };
        assert_eq!(Allowance::of(&small).work, VideoTime::from_minutes(3), "a quarter is for single requests");
    }

    proptest! {
        #[test]
        fn one_line_always_has_room_and_no_more_is_open_than_allowed(
            lines in 1_u32..2000, work in 0_u64..100_000, asked in prop::collection::vec(1_u64..200_000, 1..200),
        ) {
            let allowance = Allowance { lines, work: VideoTime::from_ms(work) };
            prop_assert!(allowance.has_room(0, VideoTime::default(), VideoTime::from_ms(asked[0])));
            let (mut count, mut open) = (0, VideoTime::default());
            for asked in asked.into_iter().map(VideoTime::from_ms) {
                if allowance.has_room(count, open, asked) {
                    (count, open) = (count + 1, open + asked);
                }
            }
            prop_assert!(count <= lines && (count == 1 || open <= allowance.work));
        }
    }
}
