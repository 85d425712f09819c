//! Webhooks: a tenant's endpoints, what is sent to them, and what they answered.
//!
//! An event goes three ways. It waits in the outbox from the transaction on in which it happened; the reconciler of the outbox makes a
//! delivery of it for each endpoint (`events.rs`), and that of the webhooks sends these (`sending.rs`).

mod callbacks;
mod events;
mod log;
mod options;
mod sending;

pub use callbacks::{CallbackBody, CallbackNews, CallbackRequest, CallbackSecret};
pub use log::{DeliveryPage, DeliveryQuery, Replay, Tested};
pub use options::{WebhookOptions, WebhookOptionsError};
pub(crate) use sending::Sending;
pub use sending::WebhooksOnTheirWay;

use crate::{AccessError, LinkError, Services, key::visible_name, seal::SealKey};
use domain::{
    Actor, Forbidden, Membership, Permission, WebhookEndpointId,
    webhook::{ENDPOINTS_MAX, OLD_SECRET_KEPT_MS, Receiver, ReceiverError, WebhookEvent},
};
use store::{
    Asked, NewWebhookEndpoint, SealedSecret, StoreError, WebhookChange, WebhookEndpoint, WebhookRefusal,
    chance::{self, NoRandomness},
};
use webhooks::Secret;

pub use crate::key::NAME_CHARS_MAX;

const KEY_SETTING: &str = "webhook_key";

#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("give the endpoint a name of 1 to {NAME_CHARS_MAX} characters")]
    Name,
    #[error(transparent)]
    Url(#[from] ReceiverError),
    #[error("choose at least one event")]
    NoEvents,
    #[error("there is no event `{0}`")]
    EventUnknown(String),
    #[error("there is no such webhook endpoint")]
    Unknown,
    #[error("there is no such delivery")]
    DeliveryUnknown,
    #[error("there can be at most {ENDPOINTS_MAX} webhook endpoints: delete one first")]
    TooMany,
    #[error("the webhook endpoint is disabled: enable it first")]
    Disabled,
    #[error("many deliveries wait there already: send others again when these have arrived")]
    TooManyPending,
    #[error("the secret of before still signs: rotate without it, or when its day is over")]
    OldSecretSigns,
    #[error("the range ends before it begins")]
    Range,
    /// Of a test.
    #[error("{0}")]
    NotSent(String),
    #[error("the system has no randomness to give")]
    Random(#[from] NoRandomness),
    #[error("the secret of a webhook endpoint cannot be read")]
    Secret,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<WebhookRefusal> for WebhookError {
    fn from(refusal: WebhookRefusal) -> Self {
        match refusal {
            WebhookRefusal::Unknown => Self::Unknown,
            WebhookRefusal::DeliveryUnknown => Self::DeliveryUnknown,
            WebhookRefusal::TooMany => Self::TooMany,
            WebhookRefusal::Disabled => Self::Disabled,
            WebhookRefusal::TooManyPending => Self::TooManyPending,
            WebhookRefusal::OldSecretSigns => Self::OldSecretSigns,
            WebhookRefusal::Store(error) => Self::Store(error),
        }
    }
}

impl From<LinkError> for WebhookError {
    fn from(error: LinkError) -> Self {
        match error {
            LinkError::Access(AccessError::Forbidden(error)) => Self::Forbidden(error),
            LinkError::Access(AccessError::Store(error)) => Self::Store(error),
            LinkError::Random(error) => Self::Random(error),
            LinkError::Key | LinkError::Unknown | LinkError::Expired => Self::Secret,
        }
    }
}

/// An endpoint that somebody wants, or what is to be otherwise of one; `None`: nothing was said of it.
#[derive(Debug, Clone, Default)]
pub struct WebhookRequest {
    pub name: Option<String>,
    pub url: Option<String>,
    /// By their names.
    pub events: Option<Vec<String>>,
    /// Of one that there is.
    pub is_enabled: Option<bool>,
}

/// An endpoint whose secret was just made: the only moment at which it is known.
#[derive(Debug, Clone)]
pub struct NewWebhook {
    pub secret: String,
    pub endpoint: WebhookEndpoint,
}

impl Services {
    /// # Errors
    /// [`WebhookError`]; no endpoint was made.
    pub async fn create_webhook(&self, actor: Actor, request: WebhookRequest, address: &str) -> Result<NewWebhook, WebhookError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageWebhooks)?;
        let name = visible_name(request.name.as_deref().unwrap_or_default()).ok_or(WebhookError::Name)?;
        let url = self.receiver(request.url.as_deref().unwrap_or_default())?;
        let events = events(request.events.unwrap_or_default())?;
        let id = WebhookEndpointId::from_uuid(chance::new_id());
        let (secret, sealed) = self.new_webhook_secret(id).await?;
        let new = NewWebhookEndpoint { id, name, url, events, secret: sealed };
        let endpoint = self.store.tenant(tenant).webhooks().create(Asked { user, address }, new).await?;
        Ok(NewWebhook { secret: secret.text(), endpoint })
    }

    /// # Errors
    /// [`WebhookError`]; the endpoint is as it was.
    pub async fn change_webhook(
        &self,
        actor: Actor,
        id: WebhookEndpointId,
        request: WebhookRequest,
        address: &str,
    ) -> Result<WebhookEndpoint, WebhookError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageWebhooks)?;
        let change = WebhookChange {
            name: request.name.map(|name| visible_name(&name).ok_or(WebhookError::Name)).transpose()?,
            url: request.url.map(|url| self.receiver(&url)).transpose()?,
            events: request.events.map(events).transpose()?,
            is_enabled: request.is_enabled,
        };
        let changed = self.store.tenant(tenant).webhooks().change(Asked { user, address }, id, change).await?;
        self.wake_webhooks();
        Ok(changed)
    }

    /// Another secret. With an overlap the one of before signs beside it for a day, in which there is no other overlap.
    ///
    /// # Errors
    /// [`WebhookError`]; the secret is as it was.
    pub async fn rotate_webhook(
        &self,
        actor: Actor,
        id: WebhookEndpointId,
        keeps_old: bool,
        address: &str,
    ) -> Result<NewWebhook, WebhookError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageWebhooks)?;
        let (secret, sealed) = self.new_webhook_secret(id).await?;
        let kept_ms = keeps_old.then_some(OLD_SECRET_KEPT_MS);
        let endpoint = self.store.tenant(tenant).webhooks().rotate(Asked { user, address }, id, sealed, kept_ms).await?;
        Ok(NewWebhook { secret: secret.text(), endpoint })
    }

    /// # Errors
    /// [`WebhookError`]; the endpoint is still there.
    pub async fn delete_webhook(&self, actor: Actor, id: WebhookEndpointId, address: &str) -> Result<(), WebhookError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageWebhooks)?;
        Ok(self.store.tenant(tenant).webhooks().delete(Asked { user, address }, id).await?)
    }

    /// The oldest first.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn webhooks(&self, actor: Actor) -> Result<Vec<WebhookEndpoint>, AccessError> {
        Ok(self.tenant_of(actor, Permission::ManageWebhooks)?.webhooks().list().await?)
    }

    /// # Errors
    /// [`WebhookError::Unknown`], or as [`Self::webhooks`].
    pub async fn webhook(&self, actor: Actor, id: WebhookEndpointId) -> Result<WebhookEndpoint, WebhookError> {
        self.tenant_of(actor, Permission::ManageWebhooks)?.webhooks().get(id).await?.ok_or(WebhookError::Unknown)
    }

    /// In the spelling that is kept.
    pub(crate) fn receiver(&self, url: &str) -> Result<String, WebhookError> {
        Ok(self.receiver_of(url)?.to_string())
    }

    fn receiver_of(&self, url: &str) -> Result<Receiver, WebhookError> {
        Ok(Receiver::parse(url.trim(), self.webhooks.allowed())?)
    }

    async fn new_webhook_secret(&self, id: WebhookEndpointId) -> Result<(Secret, SealedSecret), WebhookError> {
        self.new_sealed_secret(&purpose(id)).await
    }

    /// A secret by which somebody tells that requests are ours, and the form in which it is kept for this purpose.
    pub(crate) async fn new_sealed_secret(&self, purpose: &str) -> Result<(Secret, SealedSecret), WebhookError> {
        let secret = Secret::new(chance::random_bytes()?);
        let sealed = self.webhook_key().await?.seal(purpose, secret.bytes())?;
        let hint = secret.hint();
        Ok((secret, SealedSecret { sealed, hint }))
    }

    /// The secret that was kept for this purpose.
    pub(crate) async fn unsealed_secret(&self, purpose: &str, sealed: &str) -> Result<Secret, WebhookError> {
        let opened = self.webhook_key().await?.open(purpose, sealed).ok_or(WebhookError::Secret)?;
        opened.try_into().map_err(|_| WebhookError::Secret)
    }

    async fn opened_secret(&self, id: WebhookEndpointId, sealed: &str) -> Result<Secret, WebhookError> {
        self.unsealed_secret(&purpose(id), sealed).await
    }

    /// Drawn once by whichever server needs it first.
    async fn webhook_key(&self) -> Result<SealKey, WebhookError> {
        let shared = self.store.settings().settle(KEY_SETTING, &SealKey::random()?.hex()).await?;
        SealKey::of_hex(&shared).ok_or(WebhookError::Secret)
    }
}

fn purpose(id: WebhookEndpointId) -> String {
    format!("secret of the webhook endpoint {id}")
}

/// Each once, in one order.
fn events(names: Vec<String>) -> Result<Vec<WebhookEvent>, WebhookError> {
    let mut events = Vec::new();
    for name in names {
        events.push(WebhookEvent::named(&name).ok_or_else(|| WebhookError::EventUnknown(name.chars().take(NAME_CHARS_MAX).collect()))?);
    }
    events.sort_unstable();
    events.dedup();
    if events.is_empty() { Err(WebhookError::NoEvents) } else { Ok(events) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_our_database_did_is_not_said_of_who_is_told() {
        let raced = StoreError::Raced { table: "settings" };
        assert!(matches!(WebhookError::from(LinkError::from(raced)), WebhookError::Store(StoreError::Raced { .. })));
        assert!(matches!(WebhookError::from(LinkError::Key), WebhookError::Secret));
    }
}
