//! What was used on each day, by model, project, key, user and lane.

use super::{Lane, Money};
use crate::{ApiKeyId, ProjectId, Timestamp, UserId, VideoTime};
use std::fmt;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// A day in UTC, counted from 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day(pub i32);

impl Day {
    /// The day of a moment.
    #[must_use]
    pub fn of(at: Timestamp) -> Self {
        Self(i32::try_from(at.ms().div_euclid(DAY_MS)).unwrap_or(i32::MAX))
    }

    /// Its first moment.
    #[must_use]
    pub fn start(self) -> Timestamp {
        Timestamp::from_ms(i64::from(self.0) * DAY_MS)
    }

    #[must_use]
    pub const fn plus(self, days: i32) -> Self {
        Self(self.0.saturating_add(days))
    }
}

impl fmt::Display for Day {
    /// `2026-12-01`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.date() {
            Some(date) => write!(f, "{date}"),
            None => write!(f, "day {}", self.0),
        }
    }
}

/// By what usage can be told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UsageGroup {
    Model,
    Project,
    ApiKey,
    User,
    Lane,
}

impl UsageGroup {
    pub const ALL: [Self; 5] = [Self::Model, Self::Project, Self::ApiKey, Self::User, Self::Lane];

    /// Its name in addresses and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Project => "project_id",
            Self::ApiKey => "api_key_id",
            Self::User => "user_id",
            Self::Lane => "lane",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.as_str() == name)
    }
}

/// What was used on a day. What was not asked to be told apart is `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    pub day: Day,
    pub model: Option<String>,
    pub project: Option<ProjectId>,
    /// `Some(None)`: without a key, in the browser.
    pub api_key: Option<Option<ApiKeyId>>,
    pub user: Option<UserId>,
    pub lane: Option<Lane>,
    pub succeeded: u64,
    pub failed: u64,
    pub cancelled: u64,
    pub charged: VideoTime,
    /// Of what was charged, what has a price.
    pub cost: Option<Money>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight() {
        assert_eq!([-1, 0, DAY_MS - 1, DAY_MS].map(|ms| Day::of(Timestamp::from_ms(ms)).0), [-1, 0, 0, 1]);
        assert_eq!(Day(2).start(), Timestamp::from_ms(2 * DAY_MS));
    }

    #[test]
    fn a_group_is_found_by_its_name() {
        assert_eq!(UsageGroup::ALL.map(|group| UsageGroup::named(group.as_str())), UsageGroup::ALL.map(Some));
        assert_eq!(UsageGroup::named("day"), None);
    }
}
