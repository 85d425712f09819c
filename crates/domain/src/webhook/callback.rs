//! Telling an address of the course of one job, as clients of other services ask for: what is told when.

use super::{CallbackEvent, CallbackStyle};
use crate::Timestamp;

/// Of the progress of one job nothing is told more often than this.
pub const PROGRESS_TOLD_EVERY_MS: i64 = 500;
/// Receivers of one tenant that have a line each; all others share one.
pub const CALLBACK_LINES_MAX: u64 = 50;
/// Deliveries of one tenant's callbacks that wait: with so many no other job takes one.
pub const CALLBACKS_WAITING_MAX: u64 = 10_000;

/// Where the course of one job is told, as its client asked when it was submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callback {
    pub style: CallbackStyle,
    /// In the spelling of [`super::Receiver`].
    pub url: String,
    /// [`super::Receiver::origin`] of it: who is behind it answers or does not.
    pub receiver: String,
    /// Each once.
    pub events: Vec<CallbackEvent>,
    /// What the addresses of files and pages begin with, in what is told.
    pub origin: String,
    /// The same of the API by which the job was submitted.
    pub api: String,
}

/// What was told of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Told {
    pub start: bool,
    /// The last step of which it was told.
    pub step: u32,
    pub progress_at: Option<Timestamp>,
    /// The end of which it was told: one that is tried again ends once more.
    pub end: Option<Timestamp>,
}

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Course {
    pub has_begun: bool,
    pub step: u32,
    pub ended_at: Option<Timestamp>,
    pub has_succeeded: bool,
}

/// What is to be told now, in this order, of what is `wanted`.
///
/// What began and ended between two looks is told all the same; progress is left out then, unless nothing else would tell of it.
#[must_use]
pub fn to_tell(wanted: &[CallbackEvent], told: Told, course: Course, now: Timestamp) -> Vec<CallbackEvent> {
    let wants = |event: &CallbackEvent| wanted.contains(event);
    let ends = course.ended_at.is_some() && course.ended_at != told.end;
    let is_told = course.ended_at.is_some() && !ends;
    // What was told later than now was told before the clock was put back.
    let is_soon = |at: Timestamp| (0..PROGRESS_TOLD_EVERY_MS).contains(&(now.ms() - at.ms()));
    let is_due = ends || !told.progress_at.is_some_and(is_soon);
    let is_news = course.step > told.step && !is_told;
    let mut events = Vec::new();
    events.extend((course.has_begun && !told.start && !is_told).then_some(CallbackEvent::Start));
    events.extend((is_news && is_due && (!ends || !wants(&CallbackEvent::Completed))).then_some(CallbackEvent::Logs));
    events.extend((ends && course.has_succeeded).then_some(CallbackEvent::Output));
    events.extend(ends.then_some(CallbackEvent::Completed));
    events.retain(wants);
    events
}

#[cfg(test)]
mod tests {
    use super::*;
    use CallbackEvent::{Completed, Logs, Output, Start};

    const ALL: [CallbackEvent; 4] = [Start, Output, Logs, Completed];
    const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);

    #[test]
    fn what_is_wanted_is_told_once_and_the_end_at_the_end() {
        let ended = Course { has_begun: true, step: 4, ended_at: Some(NOW), has_succeeded: true };
        let told = Told::default();
        assert_eq!(to_tell(&ALL, told, Course::default(), NOW), []);
        assert_eq!(to_tell(&ALL, told, Course { has_begun: true, ..Course::default() }, NOW), [Start]);
        assert_eq!(to_tell(&ALL, told, ended, NOW), [Start, Output, Completed]);
        assert_eq!(to_tell(&[Logs], told, ended, NOW), [Logs], "else nothing would be told");
        assert_eq!(to_tell(&[Completed], told, ended, NOW), [Completed]);
        let cancelled = Course { ended_at: Some(NOW), ..Course::default() };
        assert_eq!(to_tell(&ALL, told, cancelled, NOW), [Completed]);
        let all_told = Told { start: true, step: 4, end: Some(NOW), ..told };
        assert_eq!(to_tell(&ALL, all_told, ended, NOW), []);
        let again = Course { ended_at: Some(NOW.plus_ms(1)), ..ended };
        assert_eq!(to_tell(&ALL, all_told, again, NOW), [Output, Completed], "it was tried again");
    }

    #[test]
    fn progress_is_told_at_most_twice_a_second_and_never_twice() {
        let told = Told { start: true, step: 3, progress_at: Some(NOW), end: None };
        let at = |step, ms| to_tell(&ALL, told, Course { has_begun: true, step, ..Course::default() }, NOW.plus_ms(ms));
        assert_eq!((at(4, 499), at(4, 500), at(3, 9_000), at(2, 9_000)), (vec![], vec![Logs], vec![], vec![]));
        assert_eq!(at(4, -1), [Logs], "the clock was put back");
    }
}
