//! What a rule says: which number, of what, when it is wrong, and for how long it has to be.

use super::number::{Number, shown};
use crate::{TenantId, billing::Lane};
use serde::{Deserialize, Serialize};

pub const NAME_CHARS_MAX: usize = 80;
/// A time that is clear has to be at least so long before a rule that fires is resolved, in minutes.
const CLEAR_MINUTES_MIN: u32 = 2;

/// How old the last backup is where none was ever made: a year.
pub const NO_BACKUP_HOURS: f64 = 365.0 * 24.0;

/// How much it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Somebody is to be woken.
    Page,
    /// Somebody is to look, in working hours.
    Ticket,
}

impl Severity {
    pub const ALL: [Self; 2] = [Self::Page, Self::Ticket];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Ticket => "ticket",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.as_str() == name)
    }
}

/// Of what a number is. `None`: of all.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Filters {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// By the name under which it is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lane: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<TenantId>,
    /// Of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl Filters {
    #[must_use]
    pub fn lane(&self) -> Option<Lane> {
        self.lane.as_deref().and_then(Lane::named)
    }

    /// In words, one after the other; empty: of all.
    #[must_use]
    pub fn words(&self) -> String {
        let tenant = self.tenant.map(|tenant| tenant.to_string());
        let parts = [("model", &self.model), ("lane", &self.lane), ("device", &self.device), ("tenant", &tenant), ("failure", &self.code)];
        let told = parts.into_iter().filter_map(|(what, value)| value.as_ref().map(|value| format!("{what} {value}")));
        told.collect::<Vec<_>>().join(", ")
    }
}

/// When a number is wrong. Times are whole minutes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Condition {
    /// It is above, or below, a value in its unit. Where there is no value, nothing is said of it: that is neither.
    Threshold { is_above: bool, limit: f64, window: u32 },
    /// Bad events use up what the objective leaves more than `factor` times as fast as it allows, over a long time and over a short one at its
    /// end: the long one says that it matters, the short one that it still goes on. Where nothing happened nothing is used up.
    ///
    /// Source: Site Reliability Workbook (Google, 2018), chapter 5, multiwindow, multi-burn-rate alerts.
    BurnRate {
        /// Of a hundred events, how many are to be good.
        objective: f64,
        factor: f64,
        long: u32,
        short: u32,
    },
    /// Nothing was counted for so long. That is what it waits for, so no rows fulfil it; but where nobody looked, nothing is said.
    Absence {
        window: u32,
        /// Only while something waited all the time.
        while_waiting: bool,
    },
}

impl Condition {
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Threshold { .. } => "threshold",
            Self::BurnRate { .. } => "burn_rate",
            Self::Absence { .. } => "absence",
        }
    }

    /// Over how much time numbers are read, in minutes.
    #[must_use]
    pub const fn window(&self) -> u32 {
        match *self {
            Self::Threshold { window, .. } | Self::Absence { window, .. } => window,
            Self::BurnRate { long, .. } => long,
        }
    }

    /// The value at which a line is drawn beside those that were measured. `None`: there is none.
    #[must_use]
    pub const fn limit(&self) -> Option<f64> {
        match *self {
            Self::Threshold { limit, .. } => Some(limit),
            Self::BurnRate { factor, .. } => Some(factor),
            Self::Absence { .. } => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    pub name: String,
    pub number: Number,
    #[serde(default)]
    pub filters: Filters,
    pub condition: Condition,
    /// For so many minutes it has to be wrong before it fires.
    pub hold: u32,
    pub severity: Severity,
}

impl Rule {
    /// In milliseconds.
    #[must_use]
    pub fn hold_ms(&self) -> i64 {
        i64::from(self.hold) * 60_000
    }

    /// For how long it has to be right again before it is resolved, in milliseconds. A rule that fires late is resolved late, so that one that
    /// flaps is told as one.
    #[must_use]
    pub fn clear_ms(&self) -> i64 {
        i64::from(self.hold.max(CLEAR_MINUTES_MIN)) * 60_000
    }

    /// When it fires, as a sentence without an end.
    #[must_use]
    pub fn words(&self) -> String {
        let number = self.number;
        let of = self.filters.words();
        let of = if of.is_empty() { String::new() } else { format!(" ({of})") };
        let wrong = match self.condition {
            Condition::Threshold { is_above, limit, window } => {
                let side = if is_above { "above" } else { "below" };
                let over = if number.is_live() { String::new() } else { format!(" over {}", minutes(window)) };
                format!("{number}{of} {side} {}{over}", number.told(limit))
            }
            Condition::BurnRate { objective, factor, long, short } => {
                let allowed = 100.0 - objective;
                let (limit, times, allowed) = (number.told(factor * allowed), shown(factor), number.told(allowed));
                format!(
                    "{number}{of} above {limit}, {times} times the {allowed} that is allowed, over {} and over {}",
                    minutes(long),
                    minutes(short)
                )
            }
            Condition::Absence { window, while_waiting } => {
                let only = if while_waiting { ", while something waits" } else { "" };
                format!("{number}{of}: none for {}{only}", minutes(window))
            }
        };
        if self.hold == 0 { wrong } else { format!("{wrong}, for {}", minutes(self.hold)) }
    }

    /// What was measured, in the unit in which this rule measures.
    #[must_use]
    pub fn told(&self, value: f64) -> String {
        match self.condition {
            Condition::Threshold { .. } if self.number == Number::BackupAge && value >= NO_BACKUP_HOURS => "none within a year".to_owned(),
            Condition::Threshold { .. } => self.number.told(value),
            Condition::BurnRate { .. } if value <= 0.0 => "nothing used up".to_owned(),
            Condition::BurnRate { .. } => format!("{} times what is allowed", shown(value)),
            Condition::Absence { .. } => format!("{} counted", shown(value)),
        }
    }
}

/// `5 minutes`, `6 hours`.
fn minutes(minutes: u32) -> String {
    match minutes {
        1 => "a minute".to_owned(),
        60 => "an hour".to_owned(),
        _ if minutes.is_multiple_of(60) => format!("{} hours", minutes / 60),
        _ => format!("{minutes} minutes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_that_was_never_made_is_not_told_as_an_age() {
        let condition = Condition::Threshold { is_above: true, limit: 26.0, window: 1 };
        let (name, filters) = ("a".into(), Filters::default());
        let rule = Rule { name, number: Number::BackupAge, filters, condition, hold: 0, severity: Severity::Page };
        assert_eq!([rule.told(27.0), rule.told(NO_BACKUP_HOURS)], ["27 hours", "none within a year"]);
    }

    #[test]
    fn a_rule_is_read_as_a_sentence_and_comes_back_as_it_was_written() {
        let condition = Condition::Threshold { is_above: true, limit: 300.0, window: 15 };
        let filters = Filters { model: Some("m".into()), lane: Some("batch".into()), ..Filters::default() };
        let number = Number::named("queue_p95").unwrap();
        let rule = Rule { name: "a".into(), number, filters, condition, hold: 5, severity: Severity::Page };
        assert_eq!(rule.words(), "Wait for a worker, P95 (model m, lane batch) above 300 seconds over 15 minutes, for 5 minutes");
        let burns = Condition::BurnRate { objective: 99.0, factor: 14.4, long: 60, short: 5 };
        let burning = Rule { number: Number::FailureRate, condition: burns, hold: 0, filters: Filters::default(), ..rule.clone() };
        assert_eq!(
            burning.words(),
            "Videos that fail above 14.4 percent, 14.4 times the 1 percent that is allowed, over an hour and over 5 minutes"
        );
        assert_eq!([burning.told(0.0), burning.told(0.5)], ["nothing used up", "0.5 times what is allowed"]);
        let absent =
            Rule { number: Number::Completed, condition: Condition::Absence { window: 120, while_waiting: true }, ..burning.clone() };
        assert_eq!(absent.words(), "Videos completed, counted: none for 2 hours, while something waits");
        for rule in [rule, burning, absent] {
            let text = serde_json::to_string(&rule).unwrap();
            assert_eq!(serde_json::from_str::<Rule>(&text).unwrap(), rule, "{text}");
        }
    }
}
