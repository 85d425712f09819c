//! Webhooks: where tenants want to be told of events, what is on its way there, and what was answered.
//!
//! The hidden decision: each endpoint is a line of its own. Its row says when the next of its deliveries may be begun, so who looks for work
//! reads one entry of an index for each endpoint and not one for each delivery, and an endpoint at which nothing arrives keeps no other
//! waiting. Every change of a line holds the lock on its endpoint's row.

mod callbacks;
mod claiming;
mod endpoints;
mod failing;
mod fan_out;
mod log;
mod queue;
mod rows;
mod secrets;
mod sending;
mod tidying;

pub use claiming::{ClaimedWebhook, WebhookRoom};
pub use endpoints::{NewWebhookEndpoint, SealedSecret, WebhookChange, WebhookEndpoints};
pub use fan_out::WebhookHappened;
pub use log::{ReplayRange, WebhookLog};
pub use queue::WebhookQueue;
pub use rows::{WebhookAttempt, WebhookDelivery, WebhookEndpoint, WebhookRefusal};
pub use sending::AfterAttempt;
pub(crate) use tidying::{delete_all, end_late_lines, has_any};

pub use crate::rows::webhooks::CALLBACK_DUE;

use crate::{Store, Tenant};
use domain::WebhookEndpointId;

impl Store {
    /// Deliveries of all tenants, for who sends them.
    #[must_use]
    pub const fn webhooks(&self) -> WebhookQueue<'_> {
        WebhookQueue::new(self)
    }
}

impl<'a> Tenant<'a> {
    #[must_use]
    pub const fn webhooks(self) -> WebhookEndpoints<'a> {
        WebhookEndpoints::new(self.store(), self.id())
    }

    /// What was sent to one of its endpoints.
    #[must_use]
    pub const fn webhook_log(self, endpoint: WebhookEndpointId) -> WebhookLog<'a> {
        WebhookLog::new(self.store(), self.id(), endpoint)
    }
}
