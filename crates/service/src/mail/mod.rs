//! Mails: from the outbox to a mail server, or where there is none into a table that the operator reads.
//!
//! A link in a mail is drawn when the mail is sent, so no secret waits in the outbox. A mail that is sent twice, because nobody
//! heard that the first was taken, has two links, and the use of one uses up both.

mod letter;
mod letters;
mod smtp;

pub use smtp::{MailOptions, MailOptionsError};

use crate::{AccessError, Services, outbox::NotDelivered};
use domain::{
    Actor, Email, Forbidden, InvitationId, Permission, TenantId, UserId,
    account::{mail::Mail, token::Purpose},
};
use futures::FutureExt;
use letter::Letter;
use sha2::{Digest, Sha256};
use smtp::Smtp;
use std::sync::Arc;
use store::{
    Credentials, KeptMail, MAIL, NewToken, OutboxEvent, StoreError, Undelivered,
    alerts::AddressKind,
    chance::{self, NoRandomness},
};
use uuid::Uuid;

const LISTED_MAX: u64 = 100;

/// What carries mails out of the house, and where links in them lead.
#[derive(Clone)]
pub struct Mailer {
    /// Such as `https://video.example.com`. Never what a request says of its host: whoever asks for a mail would choose where
    /// the link in it leads.
    pub origin: String,
    smtp: Option<Smtp>,
}

/// What the operator is shown of mails.
#[derive(Debug, Clone)]
pub struct MailOverview {
    pub kept: Vec<KeptMail>,
    pub undelivered: Vec<Undelivered>,
}

/// Why there is no link.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("the system has no randomness to give")]
    Random(#[from] NoRandomness),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Mailer {
    #[must_use]
    pub fn new(options: &MailOptions, origin: String) -> Self {
        Self { origin, smtp: Smtp::new(options) }
    }

    #[must_use]
    pub const fn sends(&self) -> bool {
        self.smtp.is_some()
    }
}

impl Services {
    /// From now on mails are sent by `mailer`.
    #[must_use]
    pub fn with_mailer(self, mailer: Mailer) -> Self {
        let sends_mails = mailer.sends();
        let (services, mailer) = (self.with(|parts| parts.sends_mails = sends_mails), Arc::new(mailer));
        let delivering = services.clone();
        let deliver = move |event: OutboxEvent| {
            let (services, mailer) = (delivering.clone(), Arc::clone(&mailer));
            async move { services.send_mail(&mailer, &event).await }.boxed()
        };
        services.with_delivery(MAIL, Arc::new(deliver))
    }

    async fn send_mail(&self, mailer: &Mailer, event: &OutboxEvent) -> Result<(), NotDelivered> {
        let mail: Mail = serde_json::from_value(event.payload.clone())?;
        let Some((to, letter)) = self.letter(mailer, mail).await? else { return Ok(()) };
        let (text, html) = (letter.text(&mailer.origin), letter.html(&mailer.origin));
        if let Some(smtp) = &mailer.smtp {
            return smtp.send(&to, letter.subject, text, html).await;
        }
        let (id, recipient, at) = (chance::new_id(), to.to_string(), self.store.local_now());
        Ok(self.store.mails().keep(&KeptMail { id, recipient, subject: letter.subject, text, html, at }).await?)
    }

    /// To whom, and what; `None`: whom it was about is gone, or is not to be told anything.
    async fn letter(&self, mailer: &Mailer, mail: Mail) -> Result<Option<(Email, Letter)>, NotDelivered> {
        let accounts = self.store.accounts();
        let letter = match mail {
            Mail::ResetPassword { email } => {
                let Some(found) = accounts.by_email(&email).await? else { return Ok(None) };
                let user = Some(found.membership.user);
                let Some(link) = self.link(mailer, "/reset-password", Purpose::ResetPassword, &email, user, None).await? else {
                    return Ok(None);
                };
                (email, letters::reset_password(link))
            }
            Mail::VerifyEmail { user } => {
                let Some(found) = accounts.by_id(user).await?.filter(|found| !found.is_verified) else { return Ok(None) };
                let link = self.link(mailer, "/verify-email", Purpose::VerifyEmail, &found.email, Some(user), None).await?;
                let Some(link) = link else { return Ok(None) };
                (found.email, letters::verify_email(link))
            }
            Mail::ChangeEmail { user, email } => {
                let Some(found) = accounts.by_id(user).await? else { return Ok(None) };
                let link = self.link(mailer, "/change-email", Purpose::ChangeEmail, &email, Some(user), None).await?;
                let Some(link) = link else { return Ok(None) };
                (email, letters::change_email(found.email.as_str(), link))
            }
            Mail::EmailChanged { old, new } => (old, letters::email_changed(new.as_str())),
            Mail::PasswordChanged { email } => (email, letters::password_changed(&mailer.origin)),
            Mail::SecondFactorOff { email } => (email, letters::second_factor_off(&mailer.origin)),
            Mail::IdentityLinked { email } => (email, letters::identity_linked(self.oidc_name(), &mailer.origin)),
            Mail::IdentityUnlinked { email } => (email, letters::identity_unlinked(self.oidc_name(), &mailer.origin)),
            Mail::SpendingReached { user, tenant, whose, used, soft, hard, resets_on } => {
                let Some(found) = self.may_be_told(user).await? else { return Ok(None) };
                let link = format!("{}/limits", mailer.origin);
                (found.email, letters::spending_reached(&tenant, &whose, (used, soft, hard), &resets_on, link))
            }
            Mail::Removed { email, tenant } => (email, letters::removed(&tenant)),
            Mail::Invitation { invitation } => {
                let Some(found) = self.store.invitation(invitation).await? else { return Ok(None) };
                let tenant = self.store.tenant(found.tenant).name().await?.unwrap_or_default();
                // An address that is not confirmed may be that of somebody else.
                let by = accounts.by_id(found.invited_by).await?.filter(|user| user.is_verified).map(|user| user.email.to_string());
                let link = self.link(mailer, "/invitation", Purpose::Invitation, &found.email, None, Some(invitation)).await?;
                let Some(link) = link else { return Ok(None) };
                (found.email, letters::invitation(&tenant, by.as_deref(), found.role, link))
            }
            Mail::PaymentFailed { user, tenant } => {
                return self.about_tenant(user, tenant, |name| letters::payment_failed(name, &mailer.origin)).await;
            }
            Mail::PaymentRecovered { user, tenant } => {
                return self.about_tenant(user, tenant, |name| letters::payment_recovered(name, &mailer.origin)).await;
            }
            Mail::WebhookDisabled { user, tenant, endpoint } => {
                let Some(endpoint) = self.store.tenant(tenant).webhooks().get(endpoint).await? else { return Ok(None) };
                // Somebody may have enabled it since.
                let Some((_, reason)) = endpoint.disabled else { return Ok(None) };
                return self
                    .about_tenant(user, tenant, |name| letters::webhook_disabled(name, &endpoint.name, reason, &mailer.origin))
                    .await;
            }
            Mail::Alerts { user, email, told } => {
                let Some(to) = self.told_of_alerts(user, email).await? else { return Ok(None) };
                (to, letters::alerts(&told, &mailer.origin))
            }
            Mail::PlanLimited { user, tenant } => {
                return self.about_tenant(user, tenant, |name| letters::plan_limited(name, &mailer.origin)).await;
            }
        };
        Ok(Some(letter))
    }

    /// An operator who is one still, while operators are to be told, or an address that somebody wants to be told still.
    async fn told_of_alerts(&self, user: Option<UserId>, email: Option<Email>) -> Result<Option<Email>, StoreError> {
        let addresses = self.store.alerts().addresses().await?;
        if let Some(user) = user {
            if !addresses.iter().any(|address| address.kind == AddressKind::Operators) {
                return Ok(None);
            }
            return Ok(self.may_be_told(user).await?.filter(|user| user.is_operator).map(|user| user.email));
        }
        Ok(email.filter(|email| addresses.iter().any(|address| address.target == email.as_str())))
    }

    /// To a user who is still there, about a tenant that is.
    async fn about_tenant(
        &self,
        user: UserId,
        tenant: TenantId,
        letter: impl FnOnce(&str) -> Letter,
    ) -> Result<Option<(Email, Letter)>, NotDelivered> {
        let found = self.may_be_told(user).await?;
        let name = self.store.tenant(tenant).name().await?;
        Ok(found.zip(name).map(|(found, name)| (found.email, letter(&name))))
    }

    /// The user, unless they are gone or others would read it: an address that nobody has confirmed may be a stranger's, and names of teams are
    /// anybody's words. Where no mails are sent none leaves the house, and few addresses are ever confirmed.
    async fn may_be_told(&self, user: UserId) -> Result<Option<Credentials>, StoreError> {
        let found = self.store.accounts().by_id(user).await?;
        Ok(found.filter(|found| found.is_verified || !self.sends_mails))
    }

    /// `None`: whoever has asked for it wants none any more.
    async fn link(
        &self,
        mailer: &Mailer,
        page: &str,
        purpose: Purpose,
        email: &Email,
        user: Option<UserId>,
        invitation: Option<InvitationId>,
    ) -> Result<Option<String>, NotDelivered> {
        let token = self.new_token(purpose, email, user, invitation).await?;
        Ok(token.map(|token| format!("{}{page}?token={token}", mailer.origin)))
    }

    /// 256 random bits, of which the SHA-256 is kept. `None` as in [`Self::link`].
    pub(crate) async fn new_token(
        &self,
        purpose: Purpose,
        email: &Email,
        user: Option<UserId>,
        invitation: Option<InvitationId>,
    ) -> Result<Option<String>, TokenError> {
        let token = hex::encode(chance::random_bytes::<32>()?);
        let (sha256, email) = (digest(&token), email.clone());
        let is_kept = self.store.accounts().keep_token(&NewToken { sha256, purpose, email, user, invitation }).await?;
        Ok(is_kept.then_some(token))
    }

    /// Mails that stay here, and those that cannot be sent.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not read them, or the database does not answer.
    pub async fn mails(&self, actor: Actor) -> Result<MailOverview, AccessError> {
        actor.require(Permission::ReadMails)?;
        let mails = self.store.mails();
        Ok(MailOverview { kept: mails.list(LISTED_MAX).await?, undelivered: self.store.outbox().undelivered(MAIL, LISTED_MAX).await? })
    }

    /// One of those that stay here.
    ///
    /// # Errors
    /// As [`Self::mails`].
    pub async fn mail(&self, actor: Actor, id: &str) -> Result<Option<KeptMail>, AccessError> {
        actor.require(Permission::ReadMails)?;
        let Ok(id) = id.parse::<Uuid>() else { return Ok(None) };
        Ok(self.store.mails().find(id).await?)
    }
}

/// By which a token is found.
pub(crate) fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}
