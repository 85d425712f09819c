//! The numbers on which there can be rules, in which unit each is told, and by what it can be told apart.

use crate::{
    grouped,
    metrics::{Gauge, Phase},
};
use serde::{Deserialize, Serialize, de};
use std::fmt;

/// How many of a hundred values lie at or below a percentile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Percentile {
    P50,
    P95,
    P99,
}

impl Percentile {
    pub const ALL: [Self; 3] = [Self::P50, Self::P95, Self::P99];

    const fn as_str(self) -> &'static str {
        match self {
            Self::P50 => "p50",
            Self::P95 => "p95",
            Self::P99 => "p99",
        }
    }

    /// Of [`crate::metrics::WHOLE`].
    #[must_use]
    pub const fn parts(self) -> u32 {
        match self {
            Self::P50 => 5000,
            Self::P95 => 9500,
            Self::P99 => 9900,
        }
    }
}

/// In what a number is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Seconds,
    Hours,
    Percent,
    VideoMinutes,
    Jobs,
    Workers,
    /// That share a device.
    Samples,
    /// Of the currency in which devices are priced, for a minute of video.
    Price,
}

impl Unit {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Hours => "hours",
            Self::Percent => "percent",
            Self::VideoMinutes => "video-minutes",
            Self::Jobs => "videos",
            Self::Workers => "workers",
            Self::Samples => "videos at once",
            Self::Price => "a video-minute",
        }
    }

    /// After the number 1.
    const fn of_one(self) -> &'static str {
        match self {
            Self::Seconds => "second",
            Self::Hours => "hour",
            Self::VideoMinutes => "video-minute",
            Self::Jobs => "video",
            Self::Workers => "worker",
            Self::Samples => "video at once",
            Self::Percent | Self::Price => self.as_str(),
        }
    }
}

/// By what a number can be told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    Model,
    Lane,
    Device,
    Tenant,
    /// The code of a failure.
    Code,
}

/// A number on which there can be a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    /// Of the jobs that succeeded, how long a part of their time took.
    Latency(Phase, Percentile),
    /// Of the jobs that were not cancelled, how many of a hundred failed.
    FailureRate,
    /// How many jobs failed.
    Failures,
    /// How many jobs succeeded.
    Completed,
    /// Of the jobs that succeeded, for how many of a hundred weights were loaded.
    ColdRate,
    /// How many samples shared a device on average.
    BatchFill,
    /// Video time that waits.
    Waiting,
    /// How long the oldest job that waits for a worker or a decoder has waited for it, of teams that are not paused.
    OldestWait,
    /// Of what workers can take at once, how much of a hundred they had.
    Utilisation,
    Workers,
    /// Of the jobs that were promised a time within the last day, how many of a hundred ended within it.
    PromisesKept,
    /// How long ago the last backup was made.
    BackupAge,
    /// What a minute of video cost, of today and yesterday.
    Cost,
    /// What is left of the revenue of today and yesterday, of a hundred.
    Margin,
}

/// All but latencies.
const PLAIN: [(Number, &str, &str); 13] = [
    (Number::FailureRate, "failure_rate", "Videos that fail"),
    (Number::Failures, "failures", "Failures, counted"),
    (Number::Completed, "completed", "Videos completed, counted"),
    (Number::ColdRate, "cold_rate", "Cold starts"),
    (Number::BatchFill, "batch_fill", "Batch fill"),
    (Number::Waiting, "waiting", "Waiting video time"),
    (Number::OldestWait, "oldest_wait", "Oldest wait, for a worker or a decoder"),
    (Number::Utilisation, "utilisation", "Utilisation"),
    (Number::Workers, "workers", "Workers alive"),
    (Number::PromisesKept, "promises_kept", "Promised times kept"),
    (Number::BackupAge, "backup_age", "Age of the last backup"),
    (Number::Cost, "cost", "Cost of a video-minute"),
    (Number::Margin, "margin", "Margin"),
];

impl Number {
    /// In the order in which they are offered.
    pub fn all() -> impl Iterator<Item = Self> {
        let latencies = Phase::IN_ORDER.into_iter().flat_map(|phase| Percentile::ALL.map(|percentile| Self::Latency(phase, percentile)));
        PLAIN.into_iter().map(|(number, ..)| number).chain(latencies)
    }

    /// Its name in forms and in the API.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Latency(phase, percentile) => format!("{phase}_{}", percentile.as_str()),
            plain => plain.plain().0.to_owned(),
        }
    }

    /// As people read it.
    #[must_use]
    pub fn words(self) -> String {
        let Self::Latency(phase, percentile) = self else { return self.plain().1.to_owned() };
        let of = match phase {
            Phase::Total => "Time of a video",
            Phase::Queue => "Wait for a worker",
            Phase::Load => "Loading weights",
            Phase::Encode => "Encoding texts",
            Phase::Denoise => "Denoising",
            Phase::DecoderWait => "Wait for a decoder",
            Phase::Decode => "Decoding",
            Phase::Upload => "Uploading",
        };
        format!("{of}, {}", percentile.as_str().to_uppercase())
    }

    fn plain(self) -> (&'static str, &'static str) {
        PLAIN.into_iter().find(|(number, ..)| *number == self).map_or(("", ""), |(_, name, words)| (name, words))
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|number| number.name() == name)
    }

    #[must_use]
    pub const fn unit(self) -> Unit {
        match self {
            Self::Latency(..) | Self::OldestWait => Unit::Seconds,
            Self::FailureRate | Self::ColdRate | Self::Utilisation | Self::PromisesKept | Self::Margin => Unit::Percent,
            Self::Failures | Self::Completed => Unit::Jobs,
            Self::BatchFill => Unit::Samples,
            Self::Waiting => Unit::VideoMinutes,
            Self::Workers => Unit::Workers,
            Self::BackupAge => Unit::Hours,
            Self::Cost => Unit::Price,
        }
    }

    #[must_use]
    pub const fn filters(self) -> &'static [Filter] {
        use Filter::{Code, Device, Lane, Model, Tenant};
        match self {
            Self::Latency(..) | Self::FailureRate | Self::Completed | Self::ColdRate | Self::BatchFill => &[Model, Lane, Device, Tenant],
            Self::Failures => &[Model, Lane, Device, Tenant, Code],
            Self::Waiting | Self::OldestWait => &[Model, Lane, Device],
            Self::Utilisation | Self::Workers => &[Device],
            Self::PromisesKept | Self::BackupAge | Self::Cost | Self::Margin => &[],
        }
    }

    /// It is counted from jobs that have ended.
    #[must_use]
    pub const fn is_of_jobs(self) -> bool {
        matches!(self, Self::Latency(..) | Self::FailureRate | Self::Failures | Self::Completed | Self::ColdRate | Self::BatchFill)
    }

    /// It is looked at as it is now, and not kept: there is no window, and nothing to try a rule on.
    #[must_use]
    pub const fn is_live(self) -> bool {
        matches!(self, Self::PromisesKept | Self::BackupAge | Self::Cost | Self::Margin)
    }

    /// It is a share of bad events, so that it can burn a budget.
    #[must_use]
    pub const fn burns(self) -> bool {
        matches!(self, Self::FailureRate | Self::ColdRate)
    }

    /// What is looked at for it, and of how much it is a share. `None`: it is counted from jobs, or live.
    #[must_use]
    pub const fn gauges(self) -> Option<(Gauge, Option<Gauge>)> {
        match self {
            Self::Waiting => Some((Gauge::WaitingMs, None)),
            Self::OldestWait => Some((Gauge::OldestWaitMs, None)),
            Self::Utilisation => Some((Gauge::Busy, Some(Gauge::Slots))),
            Self::Workers => Some((Gauge::Workers, None)),
            _ => None,
        }
    }

    /// A value with its unit: `312 seconds`.
    #[must_use]
    pub fn told(self, value: f64) -> String {
        let number = if value >= 1000.0 { grouped(value.round() as u64) } else { shown(value) };
        let unit = if number == "1" { self.unit().of_one() } else { self.unit().as_str() };
        format!("{number} {unit}")
    }
}

/// With no more digits than somebody reads.
#[must_use]
pub fn shown(value: f64) -> String {
    let decimals = if value.abs() >= 100.0 {
        0
    } else if value.abs() >= 1.0 {
        1
    } else {
        3
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words())
    }
}

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| de::Error::custom("no such number"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_number_has_a_name_that_no_other_has_and_is_found_by_it() {
        let names: HashSet<String> = Number::all().map(Number::name).collect();
        assert_eq!(names.len(), Number::all().count());
        for number in Number::all() {
            assert_eq!(Number::named(&number.name()), Some(number));
            let kinds = [number.is_of_jobs(), number.is_live(), number.gauges().is_some()];
            assert_eq!(kinds.into_iter().filter(|is| *is).count(), 1, "{number}: it comes from one place");
            assert!(!number.words().is_empty());
        }
        assert_eq!((Number::named(""), Number::named("queue_p1")), (None, None));
        let wait = Number::named("decoder_wait_p95").unwrap();
        assert_eq!((wait.words(), wait.filters()), ("Wait for a decoder, P95".to_owned(), Number::BatchFill.filters()));
    }

    #[test]
    fn values_are_told_with_their_unit() {
        assert_eq!(Number::Latency(Phase::Queue, Percentile::P95).told(312.4), "312 seconds");
        assert_eq!((Number::Workers.told(0.0), Number::BatchFill.told(1.25)), ("0 workers".into(), "1.2 videos at once".into()));
        assert_eq!((Number::Workers.told(1.0), Number::OldestWait.told(3600.0)), ("1 worker".into(), "3,600 seconds".into()));
        assert_eq!((Number::Margin.told(-20.0), Number::Cost.told(0.125)), ("-20 percent".into(), "0.125 a video-minute".into()));
    }
}
