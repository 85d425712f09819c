//! Plans: what a tenant may use, what that costs, and how its jobs are treated. Plans are data; the operator edits them.

use super::{Currency, Money, UnitPrice};
use crate::VideoTime;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a plan without a limit grants: more than can be used, and little enough to be added up.
pub const UNLIMITED: VideoTime = VideoTime::from_minutes(10_000_000_000);

/// A version of a plan, as it is stored in JSON. Fields of a later version are passed over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// What it is called in commands and by programs: `pro`.
    pub id: String,
    /// What it is called on pages.
    pub name: String,
    pub description: String,
    /// Whether everybody is offered it; the others are given by the operator.
    pub is_listed: bool,
    /// Plans are shown in this order.
    pub order: u32,
    pub currency: Currency,
    /// A month's price in minor units. `None`: by agreement.
    pub monthly_minor: Option<u32>,
    pub included: Included,
    /// What credit costs, in minor units a video-minute. `None`: none can be bought.
    pub credit_minor_per_minute: Option<u32>,
    /// Whether more than is included can be used, to be paid for afterwards.
    pub overage: Option<Overage>,
    pub lane: Lane,
    /// Shares of the machines, beside those of other tenants.
    pub weight: u32,
    /// The most video time that may wait and run at once.
    pub open_work_max_ms: VideoTime,
    /// The most API keys that are not revoked.
    pub keys_max: u32,
    /// Days that are free before the first month is paid, once for each tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial_days: Option<u32>,
    /// Requests to the API that its keys may make in a minute, all together.
    #[serde(default = "requests_per_minute_default")]
    pub requests_per_minute: u32,
    /// Ids of models; empty: all.
    #[serde(default)]
    pub models: Vec<String>,
    /// For how many days a video is kept after it has ended. `None`: until it is deleted.
    #[serde(default)]
    pub retention_days: Option<u32>,
    /// The most videos that are made at once. `None`: as many as there is room for.
    #[serde(default)]
    pub concurrency: Option<u32>,
    /// The most videos of one batch. `None`: any number.
    #[serde(default)]
    pub batch_size_max: Option<u32>,
    /// How much video of a batch enters the queue in a minute. `None`: all of it at once.
    #[serde(default)]
    pub release_rate: Option<VideoTime>,
}

/// A thousand a second: it keeps a loop that went wrong from taking a server for itself, and nobody else from anything.
pub const REQUESTS_PER_MINUTE_DEFAULT: u32 = 60_000;

/// Of a plan, and of a key: a hundred thousand a second.
pub const REQUESTS_PER_MINUTE_MAX: u32 = 6_000_000;

const fn requests_per_minute_default() -> u32 {
    REQUESTS_PER_MINUTE_DEFAULT
}

/// What a plan gives without a further payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Included {
    Unlimited,
    /// Each month anew.
    MonthlyMs(VideoTime),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overage {
    pub minor_per_minute: u32,
    /// The most of it in a month.
    pub limit_ms: VideoTime,
}

/// In which lane of the queue jobs wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// Somebody waits for the result.
    Interactive,
    /// Many jobs that are wanted some time.
    Batch,
}

impl Lane {
    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Batch => "batch",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Interactive, Self::Batch].into_iter().find(|lane| lane.as_str() == name)
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What keeps a plan from being stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("the id of a plan has 1 to 40 lower-case letters, digits and hyphens, and begins with a letter: `{0}` does not")]
    Id(String),
    #[error("a plan needs a name of at most {NAME_CHARS_MAX} characters")]
    Name,
    #[error("`{field}` must be at least 1")]
    Zero { field: &'static str },
    #[error("`{field}` is more than a plan can give")]
    TooMuch { field: &'static str },
}

const NAME_CHARS_MAX: usize = 60;
const KEYS_MAX: u32 = 1000;
const TRIAL_DAYS_MAX: u32 = 365;
/// A hundred years.
const RETENTION_DAYS_MAX: u32 = 36_500;
/// A million of most currencies.
const PRICE_MAX: u32 = 100_000_000;
/// A hundred thousand hours.
const TIME_MAX: VideoTime = VideoTime::from_minutes(6_000_000);

impl Plan {
    /// # Errors
    /// [`PlanError`] names the first field that cannot be.
    pub fn check(&self) -> Result<(), PlanError> {
        let is_allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        if !(1..=40).contains(&self.id.len())
            || !self.id.starts_with(|first: char| first.is_ascii_lowercase())
            || !self.id.bytes().all(is_allowed)
        {
            return Err(PlanError::Id(self.id.clone()));
        }
        if self.name.trim().is_empty() || self.name.chars().count() > NAME_CHARS_MAX {
            return Err(PlanError::Name);
        }
        let positive = [
            ("weight", Some(self.weight.into())),
            ("open_work_max_ms", Some(self.open_work_max_ms.ms())),
            ("requests_per_minute", Some(self.requests_per_minute.into())),
            ("retention_days", self.retention_days.map(u64::from)),
            ("concurrency", self.concurrency.map(u64::from)),
            ("batch_size_max", self.batch_size_max.map(u64::from)),
            ("release_rate", self.release_rate.map(VideoTime::ms)),
        ];
        if let Some((field, _)) = positive.into_iter().find(|(_, value)| *value == Some(0)) {
            return Err(PlanError::Zero { field });
        }
        let times = [
            ("open_work_max_ms", self.open_work_max_ms),
            ("included", self.included.monthly()),
            ("overage.limit_ms", self.overage.map_or_else(VideoTime::default, |overage| overage.limit_ms)),
            ("release_rate", self.release_rate.unwrap_or_default()),
        ];
        let prices = [
            ("monthly_minor", self.monthly_minor),
            ("credit_minor_per_minute", self.credit_minor_per_minute),
            ("overage.minor_per_minute", self.overage.map(|overage| overage.minor_per_minute)),
        ];
        if let Some((field, _)) = prices.into_iter().find(|(_, price)| price.is_some_and(|price| price > PRICE_MAX)) {
            return Err(PlanError::TooMuch { field });
        }
        if self.trial_days.is_some_and(|days| days > TRIAL_DAYS_MAX) {
            return Err(PlanError::TooMuch { field: "trial_days" });
        }
        if self.requests_per_minute > REQUESTS_PER_MINUTE_MAX {
            return Err(PlanError::TooMuch { field: "requests_per_minute" });
        }
        if self.keys_max > KEYS_MAX {
            return Err(PlanError::TooMuch { field: "keys_max" });
        }
        if self.retention_days.is_some_and(|days| days > RETENTION_DAYS_MAX) {
            return Err(PlanError::TooMuch { field: "retention_days" });
        }
        match times.into_iter().find(|(_, time)| *time > TIME_MAX) {
            Some((field, _)) => Err(PlanError::TooMuch { field }),
            None => Ok(()),
        }
    }

    /// A month's price.
    #[must_use]
    pub fn monthly_price(&self) -> Option<Money> {
        self.monthly_minor.map(|minor| Money::of_minor(minor.into(), self.currency))
    }

    /// What credit costs.
    #[must_use]
    pub fn credit_price(&self) -> Option<UnitPrice> {
        self.credit_minor_per_minute.map(|minor_per_minute| UnitPrice { minor_per_minute, currency: self.currency })
    }

    /// What is paid afterwards for what was used beyond what is included.
    #[must_use]
    pub fn overage_price(&self) -> Option<UnitPrice> {
        self.overage.map(|Overage { minor_per_minute, .. }| UnitPrice { minor_per_minute, currency: self.currency })
    }

    #[must_use]
    pub fn has_model(&self, id: &str) -> bool {
        self.models.is_empty() || self.models.iter().any(|model| model == id)
    }
}

impl Included {
    /// What is given each month, where there is a limit.
    #[must_use]
    pub fn monthly(self) -> VideoTime {
        if let Self::MonthlyMs(time) = self { time } else { VideoTime::default() }
    }
}

impl fmt::Display for Included {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlimited => f.write_str("everything"),
            Self::MonthlyMs(time) if *time == VideoTime::default() => f.write_str("nothing"),
            Self::MonthlyMs(time) => write!(f, "{time} video-seconds a month"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::testing::plan;

    #[test]
    fn a_plan_survives_its_json_and_says_its_prices() {
        let plan = plan();
        assert_eq!(plan.check(), Ok(()));
        assert_eq!(serde_json::from_str::<Plan>(&serde_json::to_string(&plan).unwrap()).unwrap(), plan);
        assert_eq!(plan.monthly_price().unwrap().to_string(), "$29.00");
        assert_eq!(plan.overage_price().unwrap().of(VideoTime::from_ms(60_000)).to_string(), "$0.50");
    }

    #[test]
    fn what_cannot_be_is_named() {
        let wrong = |change: fn(&mut Plan)| {
            let mut plan = plan();
            change(&mut plan);
            plan.check().unwrap_err().to_string()
        };
        assert!(wrong(|plan| plan.id = "Pro".into()).contains("`Pro`"));
        assert!(wrong(|plan| plan.name = " ".into()).contains("name"));
        assert!(wrong(|plan| plan.overage.as_mut().unwrap().minor_per_minute = 3_000_000_000).contains("`overage.minor_per_minute`"));
        assert!(wrong(|plan| plan.weight = 0).contains("`weight`"));
        assert!(wrong(|plan| plan.included = Included::MonthlyMs(UNLIMITED)).contains("`included`"));
        assert!(wrong(|plan| plan.retention_days = Some(0)).contains("`retention_days`"));
        assert!(wrong(|plan| plan.retention_days = Some(1_000_000)).contains("`retention_days`"));
        assert!(wrong(|plan| plan.concurrency = Some(0)).contains("`concurrency`"));
        assert!(wrong(|plan| plan.batch_size_max = Some(0)).contains("`batch_size_max`"));
        assert!(wrong(|plan| plan.release_rate = Some(VideoTime::default())).contains("`release_rate`"));
    }

    #[test]
    fn a_version_of_before_has_no_limits_that_it_does_not_name() {
        let Plan { retention_days, concurrency, batch_size_max, release_rate, .. } = plan();
        assert_eq!((retention_days, concurrency, batch_size_max, release_rate), (None, None, None, None));
        let limited = Plan { retention_days: Some(30), release_rate: Some(VideoTime::from_minutes(1)), ..plan() };
        let json = serde_json::to_value(&limited).unwrap();
        assert_eq!((&json["retention_days"], &json["release_rate"]), (&30.into(), &60_000.into()));
        assert_eq!(serde_json::from_value::<Plan>(json).unwrap(), limited);
    }

    #[test]
    fn no_models_are_all_models() {
        assert!(plan().has_model("any"));
        let limited = Plan { models: vec!["flipbook-1".into()], ..plan() };
        assert_eq!([limited.has_model("flipbook-1"), limited.has_model("vignette-1")], [true, false]);
    }
}
