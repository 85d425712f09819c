//! Why the lines of a batch wait that have not become jobs.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchWait {
    /// As much of it is in the queue as may be.
    Pace,
    /// The tenant has as much open as its plan lets batches have.
    OpenWork,
    /// The queue of all tenants is full.
    QueueFull,
    Credit,
    SpendingLimit,
    /// The input file cannot be read at the moment.
    Storage,
    /// Its model is off offer, and may come back.
    Model,
}

impl BatchWait {
    const EVERY: [Self; 7] = [Self::Pace, Self::OpenWork, Self::QueueFull, Self::Credit, Self::SpendingLimit, Self::Storage, Self::Model];

    /// As programs read it, and as it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pace => "pace",
            Self::OpenWork => "open_work",
            Self::QueueFull => "queue_full",
            Self::Credit => "insufficient_credits",
            Self::SpendingLimit => "spending_limit",
            Self::Storage => "storage",
            Self::Model => "model",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::EVERY.into_iter().find(|wait| wait.as_str() == name)
    }

    /// A sentence for whoever sent it, where nothing more particular is known.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Pace => "As many lines as fit are in the queue. The next ones follow as those are made.",
            Self::OpenWork => {
                "Your team has as much waiting and running as its plan lets batches have. The next lines follow as that is made."
            }
            Self::QueueFull => "The queue of all teams is full. It goes on by itself.",
            Self::Credit => "The credit is used up. Add some, and it goes on by itself.",
            Self::SpendingLimit => "A spending limit is reached. Raise it, and it goes on by itself.",
            Self::Storage => "The storage is away. It goes on by itself.",
            Self::Model => {
                "The operator has taken its model off offer. It goes on by itself once that is back; what still waits an hour after fails."
            }
        }
    }

    /// How long it is left alone then, in milliseconds.
    #[must_use]
    pub const fn pause_ms(self) -> i64 {
        match self {
            Self::Pace => 500,
            Self::OpenWork | Self::QueueFull => 2000,
            Self::Credit | Self::SpendingLimit | Self::Storage | Self::Model => 10_000,
        }
    }
}

impl fmt::Display for BatchWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_found_by_its_name() {
        for wait in BatchWait::EVERY {
            assert_eq!(BatchWait::named(wait.as_str()), Some(wait));
        }
    }
}
