//! The reconciler of the outbox: hands each event to what delivers its kind, again until it has arrived.

use crate::Services;
use futures::future::BoxFuture;
use std::{collections::HashMap, error::Error, sync::Arc, time::Duration};
use store::{OutboxEvent, StoreError};
use tokio::time::timeout;

/// Longer than a delivery may take, so that nobody else begins the same one meanwhile.
const TAKEN_FOR_MS: i64 = 60_000;
const DELIVERED_WITHIN: Duration = Duration::from_secs(45);

/// Why an event has not arrived.
pub type Undelivered = Box<dyn Error + Send + Sync>;

/// Carries an event out of the house. It may be asked to more than once: who receives it tells events apart by their number.
pub type Delivery = Arc<dyn Fn(OutboxEvent) -> BoxFuture<'static, Result<(), Undelivered>> + Send + Sync>;

/// What delivers which kind of event.
#[derive(Clone, Default)]
pub struct Deliveries {
    by_kind: HashMap<&'static str, Delivery>,
}

impl Services {
    /// From now on events of `kind` are delivered by `delivery`.
    #[must_use]
    pub fn with_delivery(mut self, kind: &'static str, delivery: Delivery) -> Self {
        self.deliveries.by_kind.insert(kind, delivery);
        self
    }

    /// Delivers what is due, one event after the other. Any number of processes may, at once.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer; an event that does not arrive is tried again later.
    pub async fn deliver_events(&self) -> Result<(), StoreError> {
        let kinds: Vec<_> = self.deliveries.by_kind.keys().copied().collect();
        if kinds.is_empty() {
            return Ok(());
        }
        while let Some(event) = self.store.outbox().take(&kinds, TAKEN_FOR_MS).await? {
            self.deliver(&event).await?;
        }
        Ok(())
    }

    async fn deliver(&self, event: &OutboxEvent) -> Result<(), StoreError> {
        let Some(delivery) = self.deliveries.by_kind.get(&*event.kind) else { return Ok(()) };
        let arrived = timeout(DELIVERED_WITHIN, delivery(event.clone())).await.unwrap_or_else(|late| Err(late.into()));
        let Err(error) = arrived else { return self.store.outbox().delivered(event).await.map(drop) };
        tracing::warn!(event.subject, event.kind, event.attempts, error = &*error as &dyn Error, "an event was not delivered");
        self.store.outbox().failed(event, &error.to_string(), chance()).await.map(drop)
    }
}

/// From 0 to 1; in the middle where the system has no randomness to give.
fn chance() -> f64 {
    getrandom::u32().map_or(0.5, |drawn| f64::from(drawn) / f64::from(u32::MAX))
}
