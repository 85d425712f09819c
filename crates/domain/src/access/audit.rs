//! What is written into the audit log: who did which privileged act, and to whom or what.
//!
//! Another act is a variant with the name it is stored under and the words it is told in; see `docs/how-to/add-an-act.md`.

use crate::{TenantId, UserId};

macro_rules! acts {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $words:literal;)*) => {
        /// An act that others in the tenant, or the person themselves, should be able to see afterwards.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Act { $($(#[$doc])* $variant,)* }

        impl Act {
            pub const EVERY: &'static [Self] = &[$(Self::$variant,)*];

            /// As it is stored.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// As it follows who did it, before what it was done to.
            #[must_use]
            pub const fn words(self) -> &'static str {
                match self { $(Self::$variant => $words,)* }
            }
        }
    };
}

acts! {
    EmailVerified, "email_verified", "confirmed the email address";
    EmailChangeAsked, "email_change_asked", "asked to change the email address to";
    EmailChanged, "email_changed", "changed the email address";
    PasswordReset, "password_reset", "set a new password by mail";
    PasswordChanged, "password_changed", "changed the password";
    SessionEnded, "session_ended", "signed out a browser:";
    SessionsEnded, "sessions_ended", "signed out all other browsers";
    SecondFactorOn, "second_factor_on", "turned on two-step sign-in";
    SecondFactorOff, "second_factor_off", "turned off two-step sign-in";
    RecoveryCodesMade, "recovery_codes_made", "made new recovery codes";
    RecoveryCodeUsed, "recovery_code_used", "signed in with a recovery code";
    IdentityLinked, "identity_linked", "linked the sign-in by";
    IdentityUnlinked, "identity_unlinked", "unlinked the sign-in by";
    MemberInvited, "member_invited", "invited";
    InvitationSentAgain, "invitation_sent_again", "sent the invitation again to";
    InvitationRevoked, "invitation_revoked", "took back the invitation of";
    InvitationAccepted, "invitation_accepted", "joined as";
    RoleChanged, "role_changed", "changed the role of";
    MemberRemoved, "member_removed", "removed";
    MemberLeft, "member_left", "left";
    OwnershipTransferred, "ownership_transferred", "made owner:";
    TeamRenamed, "team_renamed", "renamed the team to";
    KeyMade, "key_made", "made the API key";
    KeyRotated, "key_rotated", "rotated the API key";
    KeyRevoked, "key_revoked", "revoked the API key";
    WebhookMade, "webhook_made", "made the webhook endpoint";
    WebhookChanged, "webhook_changed", "changed the webhook endpoint";
    WebhookSecretRotated, "webhook_secret_rotated", "rotated the secret of the webhook endpoint";
    CallbackSecretRotated, "callback_secret_rotated", "rotated the secret by which webhooks of predictions are signed";
    WebhookEnabled, "webhook_enabled", "enabled the webhook endpoint";
    WebhookDisabled, "webhook_disabled", "disabled the webhook endpoint";
    WebhookDeleted, "webhook_deleted", "deleted the webhook endpoint";
    WebhookReplayed, "webhook_replayed", "replayed deliveries to the webhook endpoint";
    ProjectMade, "project_made", "made the project";
    ProjectRenamed, "project_renamed", "renamed a project to";
    ProjectArchived, "project_archived", "archived the project";
    SpendingLimitSet, "spending_limit_set", "set the spending limit of";
    AccountDeleted, "account_deleted", "deleted an account";
    ViewingBegan, "viewing_began", "began to look at the team’s pages as the operator of this installation:";
    KeyChanged, "key_changed", "changed the API key";
    CreditGiven, "credit_given", "gave credit as the operator of this installation:";
    Refunded, "refunded", "refunded a video as the operator of this installation:";
    PromoCodeMade, "promo_code_made", "made the promo code";
    PromoCodeArchived, "promo_code_archived", "archived the promo code";
    PromoCodeUsed, "promo_code_used", "used the promo code";
    QueuePaused, "queue_paused", "paused as the operator of this installation:";
    QueueResumed, "queue_resumed", "resumed as the operator of this installation:";
    WorkerDrained, "worker_drained", "drained, as the operator of this installation, the worker";
    JobExpedited, "job_expedited", "moved a video to the front of its line as the operator of this installation:";
    JobRequeued, "job_requeued", "had a failed video tried once more as the operator of this installation:";
    JobQuarantined, "job_quarantined", "put a video into quarantine as the operator of this installation:";
    QuarantineLifted, "quarantine_lifted", "ended the quarantine of a video as the operator of this installation:";
    ModelPlaced, "model_placed", "changed how a model is kept warm:";
    StatusPublished, "status_published", "told everybody of the state of this installation:";
    AlertsChanged, "alerts_changed", "changed alerts as the operator of this installation:";
    ViewingEnded, "viewing_ended", "ended the look at the team’s pages";
}

impl Act {
    /// `None`: there is no act of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::EVERY.iter().copied().find(|act| act.as_str() == name)
    }
}

/// An act, as it is written down in the transaction that does it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audited {
    /// In which tenant; `None`: it is about an account, whatever tenants that is in.
    pub tenant: Option<TenantId>,
    /// Who did it; `None`: whoever has the command line, or the program itself.
    pub user: Option<UserId>,
    pub act: Act,
    /// To whom or what: an email address, a role, the name of a key.
    pub subject: String,
    /// The network address from which it was asked for; empty where there is none.
    pub address: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn an_act_is_found_by_the_name_it_is_stored_under_which_no_other_has() {
        for act in Act::EVERY {
            assert_eq!(Act::named(act.as_str()), Some(*act));
        }
        assert_eq!(Act::EVERY.iter().map(|act| act.as_str()).collect::<HashSet<_>>().len(), Act::EVERY.len());
        assert_eq!(Act::named(""), None);
    }
}
