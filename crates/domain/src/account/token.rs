//! What a link in a mail is good for, and for how long. Each is used once.

/// What a token proves when somebody comes back with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The mailbox belongs to whoever signed up with its address.
    VerifyEmail,
    /// The mailbox belongs to whoever wants it to be their address from now on.
    ChangeEmail,
    /// Whoever has the mailbox may choose another password.
    ResetPassword,
    /// Whoever has the mailbox was invited to a tenant.
    Invitation,
}

const HOUR_MS: i64 = 3_600_000;
/// What was used or has expired is known as such for so long, to be told from what never was.
pub const SPENT_KEPT_MS: i64 = 30 * 24 * HOUR_MS;

impl Purpose {
    pub const EVERY: [Self; 4] = [Self::VerifyEmail, Self::ChangeEmail, Self::ResetPassword, Self::Invitation];

    /// As it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::VerifyEmail => "verify_email",
            Self::ChangeEmail => "change_email",
            Self::ResetPassword => "reset_password",
            Self::Invitation => "invitation",
        }
    }

    /// For how long it is good, in milliseconds: the more it opens, the shorter.
    #[must_use]
    pub const fn good_for_ms(self) -> i64 {
        match self {
            Self::ResetPassword => HOUR_MS,
            Self::ChangeEmail => 24 * HOUR_MS,
            Self::VerifyEmail | Self::Invitation => 7 * 24 * HOUR_MS,
        }
    }

    /// The same, as a mail says it.
    #[must_use]
    pub const fn good_for(self) -> &'static str {
        match self {
            Self::ResetPassword => "one hour",
            Self::ChangeEmail => "one day",
            Self::VerifyEmail | Self::Invitation => "seven days",
        }
    }
}

/// Why a link opens nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SpentToken {
    #[error("this link is not known here")]
    Unknown,
    #[error("this link has expired")]
    Expired,
    #[error("this link has been used")]
    Used,
}
