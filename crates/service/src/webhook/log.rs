//! What was sent to an endpoint and what it answered; sending it again, and sending a test.

use super::{
    WebhookError,
    events::{body, event_id},
    sending::LEASE_MS,
};
use crate::Services;
use domain::{
    Actor, Membership, Permission, Timestamp, WebhookDeliveryId, WebhookEndpointId,
    webhook::{DeliveryState, WebhookEvent},
};
use std::time::Duration;
use store::{Asked, ReplayRange, WebhookAttempt, WebhookDelivery, chance};

/// Sent again by one request: whoever wants more asks once more.
const REPLAYED_MAX: u64 = 1000;
/// Less than whoever asks for a test is kept waiting.
const TESTED_WITHIN: Duration = Duration::from_secs(7);

/// Which part of a log is wanted.
#[derive(Debug, Clone, Copy)]
pub struct DeliveryQuery {
    /// Those behind this one.
    pub after: Option<WebhookDeliveryId>,
    pub state: Option<DeliveryState>,
    pub limit: u64,
}

/// The newest first.
#[derive(Debug, Clone)]
pub struct DeliveryPage {
    pub deliveries: Vec<WebhookDelivery>,
    pub has_more: bool,
}

/// Which deliveries are sent again, by when they were made.
#[derive(Debug, Clone, Copy)]
pub struct Replay {
    pub from: Timestamp,
    pub to: Timestamp,
    /// Also those that have arrived.
    pub with_delivered: bool,
    /// Of a range of which some were sent again: the moment that was told with these.
    pub tried_before: Option<Timestamp>,
}

/// What a test was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tested {
    pub delivery: WebhookDeliveryId,
    pub event: WebhookEvent,
    pub status: u16,
}

impl Services {
    /// # Errors
    /// [`WebhookError`] when `actor` may not see them, or there is no such endpoint or delivery.
    pub async fn webhook_deliveries(
        &self,
        actor: Actor,
        id: WebhookEndpointId,
        query: DeliveryQuery,
    ) -> Result<DeliveryPage, WebhookError> {
        let tenant = self.tenant_of(actor, Permission::ManageWebhooks)?;
        self.webhook(actor, id).await?;
        let mut deliveries = tenant.webhook_log(id).list(query.after, query.state, query.limit + 1).await?;
        let has_more = deliveries.len() as u64 > query.limit;
        deliveries.truncate(usize::try_from(query.limit).unwrap_or(usize::MAX));
        Ok(DeliveryPage { deliveries, has_more })
    }

    /// One with its attempts, the newest first.
    ///
    /// # Errors
    /// As [`Self::webhook_deliveries`].
    pub async fn webhook_delivery(
        &self,
        actor: Actor,
        id: WebhookEndpointId,
        delivery: WebhookDeliveryId,
    ) -> Result<(WebhookDelivery, Vec<WebhookAttempt>), WebhookError> {
        let tenant = self.tenant_of(actor, Permission::ManageWebhooks)?;
        self.webhook(actor, id).await?;
        tenant.webhook_log(id).get(delivery).await?.ok_or(WebhookError::DeliveryUnknown)
    }

    /// Sends a delivery once more, as the same event.
    ///
    /// # Errors
    /// [`WebhookError`]; nothing is sent.
    pub async fn replay_webhook(
        &self,
        actor: Actor,
        id: WebhookEndpointId,
        delivery: WebhookDeliveryId,
        address: &str,
    ) -> Result<(), WebhookError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageWebhooks)?;
        self.store.tenant(tenant).webhook_log(id).replay(Asked { user, address }, delivery).await?;
        self.wake_webhooks();
        Ok(())
    }

    /// The same with those of a range that have failed, or of all that have ended; says how many these were, at most 1,000, and, where there may
    /// be more, by which moment the others are asked for.
    ///
    /// # Errors
    /// [`WebhookError`]; nothing is sent.
    pub async fn replay_webhooks(
        &self,
        actor: Actor,
        id: WebhookEndpointId,
        replay: Replay,
        address: &str,
    ) -> Result<(u64, Option<Timestamp>), WebhookError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageWebhooks)?;
        if replay.to < replay.from {
            return Err(WebhookError::Range);
        }
        let Replay { from, to, with_delivered, tried_before } = replay;
        // Before any of them is on its way.
        let begun = match tried_before {
            Some(begun) => begun,
            None => self.store.now().await?,
        };
        let range = ReplayRange { from, to, with_delivered, tried_before };
        let replayed = self.store.tenant(tenant).webhook_log(id).replay_range(Asked { user, address }, range, REPLAYED_MAX).await?;
        self.wake_webhooks();
        Ok((replayed, (replayed == REPLAYED_MAX).then_some(begun)))
    }

    /// Sends an event that has not happened, once and at once.
    ///
    /// # Errors
    /// [`WebhookError::NotSent`] when there was no answer, which is in the log.
    pub async fn test_webhook(&self, actor: Actor, id: WebhookEndpointId, event: &str) -> Result<Tested, WebhookError> {
        let Membership { tenant, .. } = actor.require_membership(Permission::ManageWebhooks)?;
        let event = WebhookEvent::named(event).ok_or_else(|| WebhookError::EventUnknown(event.chars().take(100).collect()))?;
        let event_id = event_id(chance::random_bytes::<16>()?);
        let body = body(&event_id, event, self.store.now().await?, event.sample_id());
        let claimed = self.store.tenant(tenant).webhook_log(id).begin_test(event, &event_id, &body, LEASE_MS).await?;
        let answer = self.attempt(&claimed, TESTED_WITHIN).await?.map_err(WebhookError::NotSent)?;
        Ok(Tested { delivery: claimed.id, event, status: answer.status })
    }
}
