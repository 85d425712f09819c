//! What whoever is told of an alert gets to know: the same in mails and in webhooks.

use crate::{AlertRuleId, Timestamp};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToldKind {
    Fired,
    Resolved,
    /// Somebody wants to know whether it arrives.
    Test,
}

impl ToldKind {
    /// As receivers of webhooks know it.
    #[must_use]
    pub const fn event(self) -> &'static str {
        match self {
            Self::Fired => "alert.fired",
            Self::Resolved => "alert.resolved",
            Self::Test => "alert.test",
        }
    }

    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Fired => "fires",
            Self::Resolved => "is resolved",
            Self::Test => "is a test",
        }
    }
}

/// Something to be told of a rule, as it lies in the outbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The same however often it is told.
    pub key: String,
    pub kind: ToldKind,
    /// `None`: it is about no rule.
    pub rule: Option<AlertRuleId>,
    pub name: String,
    pub severity: String,
    /// When it fires, in words.
    pub condition: String,
    /// What was measured, in words with its unit. `None`: nothing is known.
    pub value: Option<String>,
    /// When it began to fire, or was resolved; unix milliseconds.
    pub at_ms: i64,
}

impl Told {
    #[must_use]
    pub const fn at(&self) -> Timestamp {
        Timestamp::from_ms(self.at_ms)
    }

    /// On one line.
    #[must_use]
    pub fn words(&self) -> String {
        let value = self.value.as_ref().map_or_else(|| "nothing is known".to_owned(), |value| format!("now {value}"));
        format!("{} {} ({}): {}; {value}.", self.name, self.kind.words(), self.severity, self.condition)
    }
}
