//! The reconciler of the outbox: hands each event to what delivers its kind, again until it has arrived.

use crate::{Services, telemetry::Delivered};
use domain::delivery::delivery_pause_ms;
use futures::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use std::{
    collections::HashMap,
    error::Error,
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};
use store::{OutboxEvent, StoreError, chance};
use tokio::time::timeout;

/// Longer than a delivery may take, so that nobody else begins the same one meanwhile.
const TAKEN_FOR_MS: i64 = 60_000;
const DELIVERED_WITHIN: Duration = Duration::from_secs(45);
/// So many receivers that do not answer keep no other waiting.
const AT_ONCE: usize = 64;
/// Then the reconciler looks around, and begins anew.
const TAKES_FOR: Duration = Duration::from_secs(300);

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

    /// Delivers what is due, some events at once. Any number of processes may. Returns when nothing is, or after some minutes.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer; an event that does not arrive is tried again later.
    pub async fn deliver_events(&self) -> Result<(), StoreError> {
        let kinds: Vec<_> = self.deliveries.by_kind.keys().copied().collect();
        if kinds.is_empty() {
            return Ok(());
        }
        let (begun, mut on_their_way) = (Instant::now(), FuturesUnordered::new());
        loop {
            while on_their_way.len() < AT_ONCE && begun.elapsed() < TAKES_FOR {
                let Some(event) = self.store.outbox().take(&kinds, TAKEN_FOR_MS).await? else { break };
                on_their_way.push(self.deliver(event));
            }
            match on_their_way.next().await {
                Some(noted) => noted?,
                None => return Ok(()),
            }
        }
    }

    async fn deliver(&self, event: OutboxEvent) -> Result<(), StoreError> {
        let Some(delivery) = self.deliveries.by_kind.get(&*event.kind) else { return Ok(()) };
        let delivering = AssertUnwindSafe(async { delivery(event.clone()).await }).catch_unwind();
        let error = match timeout(DELIVERED_WITHIN, delivering).await {
            Ok(Ok(Ok(()))) => {
                self.metrics.note_delivery(&event.kind, Delivered::Yes);
                return self.store.outbox().delivered(&event).await.map(drop);
            }
            Ok(Ok(Err(error))) => error,
            Ok(Err(_)) => "the delivery panicked".into(),
            Err(late) => late.into(),
        };
        tracing::warn!(event.subject, event.kind, event.attempts, error = &*error as &dyn Error, "an event was not delivered");
        let share = random_share();
        let is_given_up = delivery_pause_ms(event.attempts, share).is_none();
        self.metrics.note_delivery(&event.kind, if is_given_up { Delivered::GivenUp } else { Delivered::NotYet });
        self.store.outbox().failed(&event, &error.to_string(), share).await.map(drop)
    }
}

/// From 0 to 1; in the middle where the system has no randomness to give.
fn random_share() -> f64 {
    chance::random_number().map_or(0.5, |drawn| f64::from(drawn) / f64::from(u32::MAX))
}
