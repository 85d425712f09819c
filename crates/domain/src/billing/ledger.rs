//! The accounts of the ledger, and what moves between them.
//!
//! Each entry takes an amount from one account of a tenant and puts it into another, so that all accounts of a tenant always sum to zero.

/// Where video time of a tenant is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Account {
    /// All that was ever granted, with a minus sign.
    Issued,
    /// Granted, and free to use.
    Available,
    /// Set aside for open jobs.
    Held,
    /// Charged.
    Spent,
    /// Not used in time.
    Expired,
}

impl Account {
    pub const ALL: [Self; 5] = [Self::Issued, Self::Available, Self::Held, Self::Spent, Self::Expired];

    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Issued => "issued",
            Self::Available => "available",
            Self::Held => "held",
            Self::Spent => "spent",
            Self::Expired => "expired",
        }
    }
}

/// What an entry does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// The tenant may use so much more.
    Grant,
    /// A job was taken in that costs so much at most.
    Hold,
    /// A job was charged.
    Capture,
    /// What was held for a job and not charged.
    Release,
    /// What was held for a job and not charged, of a grant that can be used no longer.
    ReleaseExpired,
    /// What is left of a grant can be used no longer.
    Expire,
    /// The operator takes back what a job was charged.
    Refund,
}

impl EntryKind {
    pub const ALL: [Self; 7] = [Self::Grant, Self::Hold, Self::Capture, Self::Release, Self::ReleaseExpired, Self::Expire, Self::Refund];

    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Grant => "grant",
            Self::Hold => "hold",
            Self::Capture => "capture",
            Self::Release => "release",
            Self::ReleaseExpired => "release_expired",
            Self::Expire => "expire",
            Self::Refund => "refund",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// From which account to which.
    #[must_use]
    pub const fn accounts(self) -> (Account, Account) {
        match self {
            Self::Grant => (Account::Issued, Account::Available),
            Self::Hold => (Account::Available, Account::Held),
            Self::Capture => (Account::Held, Account::Spent),
            Self::Release => (Account::Held, Account::Available),
            Self::ReleaseExpired => (Account::Held, Account::Expired),
            Self::Expire => (Account::Available, Account::Expired),
            Self::Refund => (Account::Spent, Account::Available),
        }
    }

    /// Whether it is about a job.
    #[must_use]
    pub const fn is_of_job(self) -> bool {
        !matches!(self, Self::Grant | Self::Expire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_by_the_name_it_is_stored_under() {
        for kind in EntryKind::ALL {
            assert_eq!(EntryKind::named(kind.as_str()), Some(kind));
        }
    }

    #[test]
    fn what_is_held_goes_to_one_place_only() {
        let ends: Vec<_> = EntryKind::ALL.into_iter().filter(|kind| kind.accounts().0 == Account::Held).collect();
        assert_eq!(ends, [EntryKind::Capture, EntryKind::Release, EntryKind::ReleaseExpired]);
    }
}
