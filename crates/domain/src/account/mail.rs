//! Which mails are sent, and about what. How they read is a matter of whoever sends them.

use crate::{Email, InvitationId, TenantId, UserId, VideoTime, WebhookEndpointId, alerts::Told};
use serde::{Deserialize, Serialize};

/// A mail to be sent, as it lies in the outbox. No secret is in it: the link is drawn when it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mail", rename_all = "snake_case")]
pub enum Mail {
    /// Somebody says that they have forgotten the password of this address. Where there is no account, nothing is sent.
    ResetPassword {
        email: Email,
    },
    /// To a new account's address.
    VerifyEmail {
        user: UserId,
    },
    /// To the address that the user wants from now on.
    ChangeEmail {
        user: UserId,
        email: Email,
    },
    /// To the address that was the user's.
    EmailChanged {
        old: Email,
        new: Email,
    },
    /// Somebody has set another password.
    PasswordChanged {
        email: Email,
    },
    /// Two-step sign-in was turned off.
    SecondFactorOff {
        email: Email,
    },
    /// Somebody signs in by a provider from now on.
    IdentityLinked {
        email: Email,
    },
    /// Nobody signs in by the provider any more.
    IdentityUnlinked {
        email: Email,
    },
    Invitation {
        invitation: InvitationId,
    },
    /// To an owner or billing member: as much was used as is to be told.
    SpendingReached {
        user: UserId,
        tenant: String,
        /// Such as "the project Web".
        whose: String,
        used: VideoTime,
        soft: VideoTime,
        hard: Option<VideoTime>,
        /// On which day the next month begins.
        resets_on: String,
    },
    /// To who was taken out of a team.
    Removed {
        email: Email,
        tenant: String,
    },
    /// A payment for a tenant's plan has failed.
    PaymentFailed {
        user: UserId,
        tenant: TenantId,
    },
    /// The payment was made after all.
    PaymentRecovered {
        user: UserId,
        tenant: TenantId,
    },
    /// The payment was not made in time.
    PlanLimited {
        user: UserId,
        tenant: TenantId,
    },
    /// Alerts that fired or were resolved, all that were told at once: to an operator, or to an address that was given.
    Alerts {
        user: Option<UserId>,
        email: Option<Email>,
        told: Vec<Told>,
    },
    /// To an owner: nothing more is told to a webhook endpoint.
    WebhookDisabled {
        user: UserId,
        tenant: TenantId,
        endpoint: WebhookEndpointId,
    },
}
