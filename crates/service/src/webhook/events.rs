//! From the outbox to the deliveries: an event is told to each endpoint of its tenant that wants to hear of it.
//!
//! Whatever ends in a transaction of the store adds its event with `rows::webhooks::happened`, by the name that it has here.

use super::WebhookOptions;
use crate::{Services, outbox::NotDelivered};
use domain::{TenantId, Timestamp, webhook::WebhookEvent};
use futures::FutureExt;
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use store::{OutboxEvent, WebhookHappened};

/// As it lies in the outbox.
#[derive(Deserialize)]
struct Happened {
    tenant: TenantId,
    id: String,
    at_ms: i64,
}

impl Services {
    /// From now on receivers are told of events.
    #[must_use]
    pub fn with_webhooks(self, options: &WebhookOptions) -> Self {
        let webhooks = Arc::new(super::Sending::new(options));
        let services = self.with(|parts| parts.webhooks = webhooks).with_alerts();
        WebhookEvent::EVERY.iter().fold(services.clone(), |registered, event| {
            let (event, services) = (*event, services.clone());
            let deliver = move |added: OutboxEvent| {
                let services = services.clone();
                async move { services.tell_receivers(event, &added).await }.boxed()
            };
            registered.with_delivery(event.as_str(), Arc::new(deliver))
        })
    }

    async fn tell_receivers(&self, event: WebhookEvent, added: &OutboxEvent) -> Result<(), NotDelivered> {
        let Happened { tenant, id, at_ms } = serde_json::from_value(added.payload.clone())?;
        // The same when this is done once more.
        let digest = Sha256::digest(format!("{} {} {}", added.number, added.kind, added.subject));
        let event_id = event_id(digest.iter().take(16).copied());
        let body = body(&event_id, event, Timestamp::from_ms(at_ms), &id);
        let added = self.store.webhooks().fan_out(WebhookHappened { tenant, event, event_id: &event_id, body: &body }).await?;
        if added > 0 {
            self.wake_webhooks();
        }
        Ok(())
    }
}

pub(super) fn event_id(bytes: impl IntoIterator<Item = u8>) -> String {
    format!("evt_{}", hex::encode(bytes.into_iter().collect::<Vec<_>>()))
}

/// Which one it was, and nothing that only its owner should know: the receiver asks the API for the rest.
pub(super) fn body(event_id: &str, event: WebhookEvent, at: Timestamp, id: &str) -> String {
    json!({ "id": event_id, "object": "event", "type": event.as_str(), "created_at": at.unix_seconds(), "data": { "id": id } }).to_string()
}
