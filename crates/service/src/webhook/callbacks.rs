//! Telling an address of the course of one job, as clients of other services ask for with the job.
//!
//! What is told is put together when it is sent, in the words of whoever knows how these services spell it ([`CallbackBody`]): a link in it is
//! good for an hour from then on, and a job that was deleted meanwhile is told no more.

use super::{WebhookError, sending::Prepared};
use crate::{
    AccessError, OutputLinks, Services,
    key::{KeySet, PublicKey},
    outbox::NotDelivered,
    seal::SealKey,
};
use domain::{
    Actor, JobId, JobView, Membership, Permission, Status, TenantId, Timestamp,
    webhook::{Callback, CallbackEvent, CallbackSecrets, CallbackStyle, OLD_SECRET_KEPT_MS, PROGRESS_TOLD_EVERY_MS},
};
use futures::FutureExt;
use ring::hmac;
use serde::Deserialize;
use std::sync::Arc;
use store::{Artifact, Asked, CALLBACK_DUE, ClaimedWebhook, OutboxEvent};
use webhooks::{FalKey, Secret};

const KEY_SETTING: &str = "callback_key";
const FAL_KEY_ID: &str = "webhooks";

/// What is told of a job.
pub struct CallbackNews {
    pub event: CallbackEvent,
    pub callback: Callback,
    pub view: JobView,
    /// What it made, when it was completed.
    pub artifact: Option<Artifact>,
    pub links: OutputLinks,
}

/// Says it as the service does whose words the callback wants: a JSON object.
pub type CallbackBody = fn(&CallbackNews) -> Result<String, serde_json::Error>;

/// Where somebody wants to be told of a job that they are about to submit.
#[derive(Debug, Clone)]
pub struct CallbackRequest {
    pub style: CallbackStyle,
    pub url: String,
    pub events: Vec<CallbackEvent>,
    pub origin: String,
    pub api: String,
}

/// By which deliveries to receivers of Replicate's words are signed.
pub struct CallbackSecret {
    pub text: String,
    /// Its end, by which its owner recognises it.
    pub hint: String,
    /// Until then the one of before signs too.
    pub old_until: Option<Timestamp>,
}

impl Services {
    /// From now on this process tells addresses of jobs, in these words. Asked for behind [`Services::with_webhooks`].
    #[must_use]
    pub fn with_callbacks(self, body: CallbackBody) -> Self {
        let services = self.with(|parts| parts.callback_body = Some(body));
        let telling = services.clone();
        let deliver = move |event: OutboxEvent| {
            let services = telling.clone();
            async move { services.tell_of_end(&event).await }.boxed()
        };
        services.with_delivery(CALLBACK_DUE, Arc::new(deliver))
    }

    /// A callback for a job of `actor`'s that is to be submitted. Who may not see the job may not have it told either. Whether too much waits
    /// already is asked when it is submitted: a request that is sent again finds its job all the same.
    ///
    /// # Errors
    /// [`WebhookError`]: the address is none that may be told anything.
    pub fn callback(&self, actor: Actor, request: CallbackRequest) -> Result<Callback, WebhookError> {
        actor.require_membership(Permission::ReadJobs)?;
        let receiver = self.receiver_of(&request.url)?;
        let CallbackRequest { style, mut events, origin, api, .. } = request;
        events.sort_unstable();
        events.dedup();
        Ok(Callback { style, url: receiver.to_string(), receiver: receiver.origin(), events, origin, api })
    }

    /// The same for all of `actor`'s tenant.
    ///
    /// # Errors
    /// [`WebhookError`] when `actor` may not know it, or there is no key.
    pub async fn callback_secret(&self, actor: Actor) -> Result<CallbackSecret, WebhookError> {
        let tenant = actor.require_membership(Permission::ManageWebhooks)?.tenant;
        let secrets = self.store.tenant(tenant).callback_secrets().await?;
        self.current_secret(tenant, secrets).await
    }

    /// Another secret. With an overlap the one of before signs beside it for a day, in which there is no other overlap.
    ///
    /// # Errors
    /// [`WebhookError`]; the secret is as it was.
    pub async fn rotate_callback_secret(&self, actor: Actor, keeps_old: bool, address: &str) -> Result<CallbackSecret, WebhookError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageWebhooks)?;
        let kept_ms = keeps_old.then_some(OLD_SECRET_KEPT_MS);
        let secrets = self.store.tenant(tenant).rotate_callback_secret(Asked { user, address }, kept_ms).await?;
        self.current_secret(tenant, secrets).await
    }

    /// By which anybody can tell that a delivery in fal's words came from here.
    ///
    /// # Errors
    /// [`WebhookError`] when there is no key.
    pub async fn callback_keys(&self) -> Result<KeySet, WebhookError> {
        let x = self.fal_key().await?.public();
        let key = PublicKey { kty: "OKP", crv: "Ed25519", alg: "EdDSA", usage: "sig", kid: FAL_KEY_ID.to_owned(), x };
        Ok(KeySet { keys: vec![key] })
    }

    async fn tell_of_end(&self, event: &OutboxEvent) -> Result<(), NotDelivered> {
        #[derive(Deserialize)]
        struct Ended {
            tenant: TenantId,
            job: JobId,
        }
        let Ended { tenant, job } = serde_json::from_value(event.payload.clone())?;
        if self.store.webhooks().tell(tenant, job).await? > 0 {
            self.wake_webhooks();
        }
        Ok(())
    }

    /// Tells of jobs that run: that they have begun, and how far they are. Any number of processes may.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer.
    pub async fn follow_callbacks(&self, actor: Actor) -> Result<(), AccessError> {
        actor.require(Permission::Maintain)?;
        let mut told = 0;
        for (tenant, job) in self.store.webhooks().followed(PROGRESS_TOLD_EVERY_MS).await? {
            told += self.store.webhooks().tell(tenant, job).await?;
        }
        if told > 0 {
            self.wake_webhooks();
        }
        Ok(())
    }

    /// What is sent of `job` now. `None`: there is nothing to be told any more, since the job is gone, or is tried once more: then it ends
    /// later, or another delivery tells of its last end.
    pub(super) async fn told_of_job(
        &self,
        claimed: &ClaimedWebhook,
        (job, event): (JobId, CallbackEvent),
    ) -> Result<Option<Prepared>, WebhookError> {
        let tenant = claimed.tenant;
        let body = self.callback_body.ok_or(WebhookError::Secret)?;
        let jobs = self.store.tenant(tenant).jobs();
        let Some(callback) = self.store.webhooks().callback(tenant, job).await? else { return Ok(None) };
        let Some(found) = jobs.get(job).await? else { return Ok(None) };
        let view = self.plain_view(&found).await;
        let is_of_last_end = view.status.is_final() && view.ended_at.is_none_or(|ended_at| claimed.created_at >= ended_at);
        if matches!(event, CallbackEvent::Output | CallbackEvent::Completed) && !is_of_last_end {
            return Ok(None);
        }
        let artifact = if view.status == Status::Completed { jobs.artifact(job, None).await? } else { None };
        let links = self.links_of(tenant).await?;
        let (url, style) = (callback.url.clone(), callback.style);
        let body = body(&CallbackNews { event, callback, view, artifact, links }).map_err(|_| WebhookError::Secret)?;
        Ok(Some(match style {
            CallbackStyle::Replicate => Prepared::signed(url, body, self.signing_secrets(tenant, claimed.at).await?),
            CallbackStyle::Fal => Prepared::by_fal_key(url, body, self.fal_key().await?, (job.to_string(), tenant.to_string())),
        }))
    }

    async fn current_secret(&self, tenant: TenantId, secrets: CallbackSecrets) -> Result<CallbackSecret, WebhookError> {
        let secret = self.secret_of(tenant, secrets.current).await?;
        let old_until = secrets.overlap(self.store.now().await?);
        Ok(CallbackSecret { text: secret.text(), hint: secret.hint(), old_until })
    }

    async fn signing_secrets(&self, tenant: TenantId, at: Timestamp) -> Result<Vec<Secret>, WebhookError> {
        let mut secrets = Vec::new();
        for number in self.store.tenant(tenant).callback_secrets().await?.signing(at) {
            secrets.push(self.secret_of(tenant, number).await?);
        }
        Ok(secrets)
    }

    /// The one that there is after so many rotations.
    async fn secret_of(&self, tenant: TenantId, number: u64) -> Result<Secret, WebhookError> {
        let first = format!("secret of the predictions of {tenant}");
        let purpose = if number == 0 { first } else { format!("{first}, rotated {number}") };
        self.derived(&purpose).await?.try_into().map_err(|_| WebhookError::Secret)
    }

    async fn fal_key(&self) -> Result<FalKey, WebhookError> {
        FalKey::of_seed(&self.derived("seed of deliveries in fal's words").await?).map_err(|_| WebhookError::Secret)
    }

    /// 32 bytes that only these servers know, for one purpose. Their key is drawn once by whichever server needs it first.
    async fn derived(&self, purpose: &str) -> Result<Vec<u8>, WebhookError> {
        let shared = self.store.settings().settle(KEY_SETTING, &SealKey::random()?.hex()).await?;
        let key = hex::decode(shared).map_err(|_| WebhookError::Secret)?;
        Ok(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), purpose.as_bytes()).as_ref().to_vec())
    }
}
