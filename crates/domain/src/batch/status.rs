//! Where a batch is, as clients of OpenAI's API know it.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BatchStatus {
    /// Its lines are read, and nothing is made yet.
    Validating,
    /// Its input cannot be made as it is: nothing was.
    Failed,
    InProgress,
    /// All lines have ended, and the files of what came of them are written.
    Finalizing,
    Completed,
    /// Its time was over before all lines were made. What was made is there.
    Expired,
    Cancelling,
    Cancelled,
}

impl BatchStatus {
    pub const EVERY: [Self; 8] = [
        Self::Validating,
        Self::Failed,
        Self::InProgress,
        Self::Finalizing,
        Self::Completed,
        Self::Expired,
        Self::Cancelling,
        Self::Cancelled,
    ];

    /// As clients name it, and as it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Validating => "validating",
            Self::Failed => "failed",
            Self::InProgress => "in_progress",
            Self::Finalizing => "finalizing",
            Self::Completed => "completed",
            Self::Expired => "expired",
            Self::Cancelling => "cancelling",
            Self::Cancelled => "cancelled",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::EVERY.into_iter().find(|status| status.as_str() == name)
    }

    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Failed | Self::Completed | Self::Expired | Self::Cancelled)
    }

    /// The event that tells others of this end; `None` of what is no end.
    #[must_use]
    pub const fn event(self) -> Option<&'static str> {
        match self {
            Self::Completed => Some("batch.completed"),
            Self::Failed => Some("batch.failed"),
            Self::Expired => Some("batch.expired"),
            Self::Cancelled => Some("batch.cancelled"),
            _ => None,
        }
    }
}

impl fmt::Display for BatchStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_found_by_its_name_and_every_end_is_told() {
        for status in BatchStatus::EVERY {
            assert_eq!(BatchStatus::named(status.as_str()), Some(status));
            assert_eq!(status.event().is_some(), status.is_final());
        }
    }
}
