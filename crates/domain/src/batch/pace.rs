//! How much of a batch is in the queue at a time.
//!
//! Enough that the machines never wait for it, and little enough that the rest of what its tenant sends is never far behind it: jobs that a
//! release rate or a number of jobs at once keeps outside of the queue stand in the order in which they came. All batches of a tenant share it.

use super::BatchWait;
use crate::{VideoTime, billing::Plan, scheduling::AdmissionError};

/// The most lines of one batch that are jobs and have not ended.
pub const OPEN_LINES_MAX: u32 = 1000;
/// The most work of one batch, as it is billed.
const OPEN_WORK_MAX: VideoTime = VideoTime::from_minutes(240);
/// For so many times the jobs that are made at once there are others ready.
const ROUNDS: u32 = 2;
/// Longer than it takes until a batch that is due is looked at.
const LOOKED_AT_WITHIN_MS: i64 = 500;

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

/// What a batch has in the queue, and whether it would have more there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenBatch {
    pub lines: u32,
    pub work: VideoTime,
    /// It goes on, and has lines that are no jobs yet.
    pub has_more: bool,
    /// Why these wait, as of its last step.
    pub wait: Option<BatchWait>,
    /// In how long it is looked at again.
    pub due_in_ms: i64,
}

impl OpenBatch {
    /// More of it would be open if there were room.
    const fn wants_room(self) -> bool {
        self.has_more && matches!(self.wait, None | Some(BatchWait::Pace | BatchWait::OpenWork))
    }

    /// How often it looks for room, where it has nothing open and found none.
    fn looks_every_ms(self) -> Option<i64> {
        let every_ms = self.wait.filter(|_| self.lines == 0 && self.wants_room())?.pause_ms();
        // One that somebody has in hand, or that nobody can go on with, is due later.
        (self.due_in_ms <= every_ms + LOOKED_AT_WITHIN_MS).then_some(every_ms)
    }
}

/// How long a batch leaves all room to the `others` of its tenant, for one of them that has nothing open and waits for it. `has_ended`: lines of
/// it have just ended. `None`: nobody waits so, or it is as badly off.
///
/// Room that is left by the end of a line is seen by the batch of that line first. If that took it each time, a line that needs more than one end
/// leaves would wait for as long as the batch goes on.
#[must_use]
pub fn gives_way_ms(own: OpenBatch, has_ended: bool, others: &[OpenBatch]) -> Option<i64> {
    let every_ms = others.iter().filter_map(|other| other.looks_every_ms()).max()?;
    (own.lines > 0 || has_ended).then_some(every_ms + LOOKED_AT_WITHIN_MS)
}

/// How much more of one batch may become jobs, beside what all batches of its tenant have open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    allowance: Allowance,
    share: Allowance,
    open: (u32, VideoTime),
    own: (u32, VideoTime),
}

impl Room {
    /// An equal share of the allowance for each batch that wants some, as much as is left of it.
    #[must_use]
    pub fn of(allowance: Allowance, own: OpenBatch, others: &[OpenBatch]) -> Self {
        let wanting = others.iter().filter(|other| other.wants_room()).count() + 1;
        let lines = u32::try_from(wanting).map_or(0, |wanting| allowance.lines / wanting).max(1);
        let share = Allowance { lines, work: VideoTime::from_ms(allowance.work.ms() / wanting as u64) };
        let open = others.iter().fold((own.lines, own.work), |(lines, work), other| (lines + other.lines, work + other.work));
        Self { allowance, share, open, own: (own.lines, own.work) }
    }

    /// Whether another line of so much becomes a job. It counts then.
    pub fn take(&mut self, asked: VideoTime) -> bool {
        let (own_lines, own_work) = self.own;
        let has_share = own_lines == 0 || own_lines < self.share.lines && own_work < self.share.work;
        let is_taken = has_share && self.allowance.has_room(self.open.0, self.open.1, asked);
        if is_taken {
            self.open = (self.open.0 + 1, self.open.1 + asked);
            self.own = (own_lines + 1, own_work + asked);
        }
        is_taken
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

    fn open(lines: u32, wait: Option<BatchWait>) -> OpenBatch {
        OpenBatch { lines, work: VideoTime::from_ms(2000 * u64::from(lines)), has_more: true, wait, due_in_ms: 0 }
    }

    #[test]
    fn batches_share_what_may_be_open_and_what_nobody_else_wants_is_for_one() {
        let allowance = Allowance { lines: 8, work: VideoTime::from_ms(12_000) };
        let taken = |own: OpenBatch, others: &[OpenBatch]| {
            let mut room = Room::of(allowance, own, others);
            (0..20).filter(|_| room.take(VideoTime::from_ms(2000))).count()
        };
        let none = open(0, None);
        assert_eq!(taken(none, &[]), 6, "all of the work");
        assert_eq!((taken(none, &[none]), taken(open(3, None), &[none])), (3, 0), "half of it");
        assert_eq!(taken(none, &[open(5, None)]), 1, "and no more than is left");
        assert_eq!(taken(none, &[open(1, None); 8]), 0);
        assert_eq!(taken(none, &[none; 20]), 1, "one may have a line however many there are");
        let over = OpenBatch { has_more: false, ..open(1, None) };
        let without_credit = open(0, Some(BatchWait::Credit));
        assert_eq!(taken(none, &[over, without_credit]), 5, "these want none");
    }

    #[test]
    fn who_has_something_open_gives_way_to_who_found_no_room_and_has_nothing() {
        let waiting = |wait: BatchWait| open(0, Some(wait));
        for wait in [BatchWait::Pace, BatchWait::OpenWork] {
            let pause_ms = gives_way_ms(open(3, None), false, &[open(2, Some(wait)), waiting(wait)]).unwrap();
            assert!(pause_ms > wait.pause_ms(), "that one looks first");
            assert_eq!(gives_way_ms(open(0, None), true, &[waiting(wait)]), Some(pause_ms), "its last line has just ended");
            assert_eq!(gives_way_ms(open(0, Some(wait)), false, &[waiting(wait)]), None, "it waits as well");
        }
        let idle = [
            waiting(BatchWait::Credit),
            open(0, None),
            open(1, Some(BatchWait::Pace)),
            OpenBatch { has_more: false, ..waiting(BatchWait::Pace) },
            OpenBatch { due_in_ms: 5000, ..waiting(BatchWait::Pace) },
        ];
        assert_eq!(gives_way_ms(open(3, None), true, &idle), None);
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
