//! How much video time a tenant, a project or a key may use in a calendar month, in UTC: what is held for open jobs and what was
//! charged in the month.

use super::Day;
use crate::{ApiKeyId, ProjectId, TenantId, VideoTime};
use time::{Date, Month};
use uuid::Uuid;

/// Whose use is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spender {
    Tenant,
    Project(ProjectId),
    Key(ApiKeyId),
}

impl Spender {
    /// As it is stored: its kind, and its id.
    #[must_use]
    pub const fn columns(self, tenant: TenantId) -> (&'static str, Uuid) {
        match self {
            Self::Tenant => ("tenant", tenant.uuid()),
            Self::Project(id) => ("project", id.uuid()),
            Self::Key(id) => ("key", id.uuid()),
        }
    }

    /// The inverse; `None`: there is no such kind.
    #[must_use]
    pub fn of_columns(kind: &str, id: Uuid) -> Option<Self> {
        match kind {
            "tenant" => Some(Self::Tenant),
            "project" => Some(Self::Project(ProjectId::from_uuid(id))),
            "key" => Some(Self::Key(ApiKeyId::from_uuid(id))),
            _ => None,
        }
    }
}

/// In a month.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SpendingLimits {
    /// Nothing is taken in beyond it.
    pub hard: Option<VideoTime>,
    /// When this is reached, owners and billing members are told by mail, once a month.
    pub soft: Option<VideoTime>,
}

/// What keeps limits from being stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SpendingLimitsError {
    #[error("a spending limit is at most {LIMIT_MAX} video-seconds a month")]
    TooMuch,
    #[error("the alert must be at or below the limit, or it would never be sent")]
    AlertAboveLimit,
}

/// A hundred thousand hours.
const LIMIT_MAX: VideoTime = VideoTime::from_minutes(6_000_000);

impl SpendingLimits {
    /// # Errors
    /// [`SpendingLimitsError`] says what to mend.
    pub fn check(self) -> Result<(), SpendingLimitsError> {
        if [self.hard, self.soft].into_iter().flatten().any(|limit| limit > LIMIT_MAX) {
            return Err(SpendingLimitsError::TooMuch);
        }
        match (self.hard, self.soft) {
            (Some(hard), Some(soft)) if soft > hard => Err(SpendingLimitsError::AlertAboveLimit),
            _ => Ok(()),
        }
    }
}

/// A spender with its limits, and what it has used of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spending {
    pub spender: Spender,
    pub limits: SpendingLimits,
    /// For open jobs, whenever they were taken in.
    pub held: VideoTime,
    /// In this month.
    pub charged: VideoTime,
}

impl Spending {
    /// What counts against the limits.
    #[must_use]
    pub fn used(&self) -> VideoTime {
        self.held + self.charged
    }
}

/// The calendar month that holds a day: its first day, and the first of the next one.
#[must_use]
pub fn month_of(day: Day) -> (Day, Day) {
    let Some(date) = day.date() else { return (day, day.plus(1)) };
    let first = day.plus(1 - i32::from(date.day()));
    (first, first.plus(i32::from(date.month().length(date.year()))))
}

impl Day {
    pub(super) fn date(self) -> Option<Date> {
        Date::from_calendar_date(1970, Month::January, 1).ok()?.checked_add(time::Duration::days(self.0.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_month_begins_on_its_first_day() {
        assert_eq!(month_of(Day(0)), (Day(0), Day(31)));
        assert_eq!(month_of(Day(31)), (Day(31), Day(59)));
        assert_eq!(month_of(Day(-1)), (Day(-31), Day(0)));
        assert_eq!(Day(31).to_string(), "1970-02-01");
    }

    #[test]
    fn limits_that_cannot_be_are_refused() {
        let limits = |hard: Option<u64>, soft: Option<u64>| SpendingLimits {
            hard: hard.map(VideoTime::from_ms),
            soft: soft.map(VideoTime::from_ms),
        };
        assert_eq!(limits(Some(5), Some(5)).check(), Ok(()));
        assert_eq!(limits(Some(0), None).check(), Ok(()));
        assert_eq!(limits(Some(5), Some(6)).check(), Err(SpendingLimitsError::AlertAboveLimit));
        assert_eq!(limits(None, Some(u64::MAX)).check(), Err(SpendingLimitsError::TooMuch));
    }

    proptest! {
        #[test]
        fn months_follow_each_other_without_a_gap(day in -100_000i32..1_000_000) {
            let (first, next) = month_of(Day(day));
            prop_assert!(first <= Day(day) && Day(day) < next);
            prop_assert_eq!(month_of(next).0, next);
            prop_assert_eq!(month_of(next.plus(-1)), (first, next));
        }
    }
}
