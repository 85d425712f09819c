//! A person's own order of their jobs in a line: where a job may be moved, and where those that change places lie then.
//!
//! They are laid anew, in the new order, into the virtual time that they held together. So up to any moment their tenant gets no more of
//! the line than before, but for one of these jobs, and nobody else's job moves.

use super::{Tag, VirtualTime};
use crate::JobId;

/// Jobs that one move passes at the most: they are locked together, for a moment.
pub const PASSED_MAX: u64 = 1000;

/// Where a job is moved, among the jobs of the same person in its line that no worker has had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveTo {
    /// In front of all of them.
    Front,
    /// In front of the one before it.
    Up,
    /// In front of this one.
    Before(JobId),
}

/// Why a job stays where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoveRefusal {
    /// Or its tenant does not own it.
    #[error("There is no such video.")]
    Unknown,
    #[error("It is being made already, so it cannot be moved.")]
    Begun,
    #[error("It has ended, so it cannot be moved.")]
    Ended,
    #[error("It has not entered the queue yet, so it cannot be moved: the limits of your plan say when it enters.")]
    Throttled,
    #[error("The operator keeps it from being made for now, so it cannot be moved.")]
    Held,
    #[error("There is no such video to move it in front of.")]
    TargetUnknown,
    #[error("It can be moved only in front of a video of the same person and model that waits for its turn too.")]
    TargetElsewhere,
    #[error("More than {PASSED_MAX} videos are between here and there: move it in front of a nearer one.")]
    TooFar,
}

/// Where each of the jobs that hold `held`, in the order of these, lies when they are taken in `order`: the places of all in `held`, each
/// once. A job keeps its length. Where one lies across a gap, it ends where its last part does.
#[must_use]
pub fn laid_anew(held: &[Tag], order: &[usize]) -> Vec<Tag> {
    let (mut room, mut laid) = (Room { left: held, used: 0, last: None }, held.to_vec());
    for place in order {
        if let (Some(tag), Some(job)) = (laid.get_mut(*place), held.get(*place)) {
            *tag = room.take(job.length());
        }
    }
    laid
}

/// What is left of the intervals that jobs held.
struct Room<'a> {
    left: &'a [Tag],
    /// Of the first interval.
    used: i64,
    /// Where the job that was laid last ends.
    last: Option<VirtualTime>,
}

impl Room<'_> {
    fn take(&mut self, length: VirtualTime) -> Tag {
        let mut missing = length.value().max(0);
        let mut finish = VirtualTime::default();
        while let Some((first, behind)) = self.left.split_first() {
            let part = missing.min((first.length().value() - self.used).max(0));
            self.used += part;
            missing -= part;
            finish = first.start.plus(VirtualTime::new(self.used));
            if missing == 0 {
                break;
            }
            (self.left, self.used) = (behind, 0);
        }
        // Where intervals overlap, as an operator may have put jobs, the order holds all the same.
        finish = self.last.map_or(finish, |last| finish.max(last.plus(VirtualTime::new(1))));
        self.last = Some(finish);
        Tag { start: VirtualTime::new(finish.value().saturating_sub(length.value())), finish }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tag(start: i64, finish: i64) -> Tag {
        Tag { start: VirtualTime::new(start), finish: VirtualTime::new(finish) }
    }

    #[test]
    fn the_last_that_goes_to_the_front_ends_first_and_the_others_later_by_its_length() {
        let laid = laid_anew(&[tag(0, 4), tag(4, 6), tag(6, 7)], &[2, 0, 1]);
        assert_eq!(laid, [tag(1, 5), tag(5, 7), tag(0, 1)]);
    }

    #[test]
    fn a_job_across_what_is_somebody_elses_ends_behind_it() {
        let laid = laid_anew(&[tag(0, 1), tag(5, 8)], &[1, 0]);
        assert_eq!(laid, [tag(7, 8), tag(4, 7)]);
    }

    #[test]
    fn the_order_is_as_asked_also_where_intervals_overlap() {
        let laid = laid_anew(&[tag(0, 10), tag(1, 11), tag(1, 13)], &[1, 2, 0]);
        assert!(laid[1].finish < laid[2].finish && laid[2].finish < laid[0].finish, "{laid:?}");
    }

    /// What the jobs of a tenant hold, some of them the mover's, and an order for those.
    fn lines() -> impl Strategy<Value = (Vec<(Tag, bool)>, Vec<usize>)> {
        let job = (1_i64..50, prop_oneof![Just(0_i64), 1_i64..30], prop::bool::weighted(0.7));
        prop::collection::vec(job, 1..40).prop_flat_map(|jobs| {
            let mut at = 0;
            let line: Vec<_> = jobs
                .into_iter()
                .map(|(length, gap, is_own)| {
                    let start = at + gap;
                    at = start + length;
                    (tag(start, at), is_own)
                })
                .collect();
            let own = line.iter().filter(|(_, is_own)| *is_own).count();
            (Just(line), Just((0..own).collect::<Vec<_>>()).prop_shuffle())
        })
    }

    /// What is done of these by a moment of virtual time.
    fn done_by(tags: impl Iterator<Item = Tag>, moment: i64) -> i64 {
        tags.filter(|tag| tag.finish.value() <= moment).map(|tag| tag.length().value()).sum()
    }

    /// How much of these intervals lies before a moment.
    fn held_by(tags: &[Tag], moment: i64) -> i64 {
        tags.iter().map(|tag| (tag.finish.value().min(moment) - tag.start.value()).max(0)).sum()
    }

    proptest! {
        #[test]
        fn a_tenant_gains_nothing_by_its_order((line, order) in lines()) {
            let own: Vec<_> = line.iter().filter(|(_, is_own)| *is_own).map(|(tag, _)| *tag).collect();
            let others: Vec<_> = line.iter().filter(|(_, is_own)| !is_own).map(|(tag, _)| *tag).collect();
            let laid = laid_anew(&own, &order);
            let largest = own.iter().map(|tag| tag.length().value()).max().unwrap_or(0);
            for moment in 0..=line.last().unwrap().0.finish.value() {
                let all = |own: &[Tag]| done_by(own.iter().chain(&others).copied(), moment);
                prop_assert!(all(&laid) <= all(&own) + largest, "more than its share by {moment}");
                prop_assert!(all(&laid) >= all(&own) - largest, "less than its share by {moment}");
                prop_assert!(done_by(laid.iter().copied(), moment) <= held_by(&own, moment), "beyond what was held by {moment}");
            }
        }

        #[test]
        fn lengths_are_kept_the_order_is_as_asked_and_the_last_ends_where_the_last_did((line, order) in lines()) {
            let own: Vec<_> = line.iter().filter(|(_, is_own)| *is_own).map(|(tag, _)| *tag).collect();
            let laid = laid_anew(&own, &order);
            prop_assert!(laid.iter().zip(&own).all(|(laid, own)| laid.length() == own.length()));
            let finishes: Vec<_> = order.iter().map(|place| laid[*place].finish).collect();
            prop_assert!(finishes.is_sorted_by(|one, next| one < next), "{finishes:?}");
            prop_assert_eq!(finishes.last(), own.iter().map(|tag| &tag.finish).max());
            prop_assert!(order.windows(2).all(|two| laid[two[0]].finish <= laid[two[1]].start), "they do not overlap");
            prop_assert!(finishes.iter().all(|finish| own.iter().any(|own| own.start < *finish && *finish <= own.finish)));
            prop_assert!(own.first().is_none_or(|first| laid.iter().all(|tag| tag.start >= first.start)));
        }

        #[test]
        fn without_gaps_they_hold_exactly_what_they_held(lengths in prop::collection::vec(1_i64..50, 1..40), from in -100_i64..100, turn in 0_usize..40) {
            let own: Vec<_> = lengths.iter().scan(from, |at, length| { *at += length; Some(tag(*at - length, *at)) }).collect();
            let mut order: Vec<_> = (0..own.len()).collect();
            order.rotate_left(turn % own.len());
            let mut laid = laid_anew(&own, &order);
            laid.sort_by_key(|tag| tag.start);
            prop_assert_eq!(laid.first().map(|tag| tag.start), own.first().map(|tag| tag.start));
            prop_assert!(laid.windows(2).all(|two| two[0].finish == two[1].start));
        }
    }
}
