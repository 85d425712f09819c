//! The reconciler of the outbox: hands each event to what delivers its kind, again until it has arrived.

use crate::{AccessError, Services, telemetry::Delivered};
use domain::{Actor, Permission, delivery::delivery_pause_ms};
use futures::{FutureExt, future::BoxFuture};
use std::{collections::HashMap, error::Error, panic::AssertUnwindSafe, sync::Arc, time::Duration};
use store::clock::Instant;
use store::{OutboxEvent, StoreError, alerts::ALERT, chance};
use tokio::{task::JoinSet, time::timeout};

/// Longer than a delivery may take, so that nobody else begins the same one meanwhile.
const TAKEN_FOR_MS: i64 = 60_000;
const DELIVERED_WITHIN: Duration = Duration::from_secs(45);
/// So many receivers that do not answer keep no other waiting, and so many of one kind no other kind.
const AT_ONCE: usize = 64;
const AT_ONCE_OF_A_KIND: usize = 32;
/// Receivers of alerts and of mails may hang together, as they do where there is no way out; then others have room still.
const AT_ONCE_OF_ALERTS: usize = 16;
/// How long an event may be due before it is seen while others are on their way.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Why an event has not arrived.
pub type NotDelivered = Box<dyn Error + Send + Sync>;

/// Carries an event out of the house. It may be asked to more than once: who receives it tells events apart by their number.
pub type Delivery = Arc<dyn Fn(OutboxEvent) -> BoxFuture<'static, Result<(), NotDelivered>> + Send + Sync>;

/// What delivers which kind of event.
#[derive(Clone, Default)]
pub struct Deliveries {
    by_kind: HashMap<&'static str, Delivery>,
}

impl Services {
    /// From now on events of `kind` are delivered by `delivery`.
    #[must_use]
    pub fn with_delivery(self, kind: &'static str, delivery: Delivery) -> Self {
        self.metrics.expect_deliveries(kind);
        self.with(|parts| _ = parts.deliveries.by_kind.insert(kind, delivery))
    }

    /// Delivers what is due, some events at once. Any number of processes may. Returns when nothing is.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer, after what is on its way; an event
    /// that does not arrive is tried again later.
    pub async fn deliver_events(&self, actor: Actor) -> Result<(), AccessError> {
        let mut on_their_way = EventsOnTheirWay::default();
        let delivered = self.deliver_events_for(actor, &mut on_their_way, Duration::MAX).await;
        while !on_their_way.deliveries.is_empty() {
            on_their_way.next_or_look().await;
        }
        delivered
    }

    /// The same for a while. What is on its way then stays there, and keeps nothing waiting that is delivered beside it from the next call on.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer.
    pub async fn deliver_events_for(
        &self,
        actor: Actor,
        on_their_way: &mut EventsOnTheirWay,
        takes_for: Duration,
    ) -> Result<(), AccessError> {
        actor.require(Permission::Maintain)?;
        let begun = Instant::now();
        loop {
            let kinds = self.deliveries.by_kind.keys().copied().filter(|kind| on_their_way.has_room(kind)).collect::<Vec<_>>();
            let taken = if kinds.is_empty() { None } else { self.store.outbox().take(&kinds, TAKEN_FOR_MS).await? };
            match taken {
                Some(event) => on_their_way.send(self.clone(), event),
                None if on_their_way.deliveries.is_empty() => return Ok(()),
                None => on_their_way.next_or_look().await,
            }
            if begun.elapsed() >= takes_for {
                return Ok(());
            }
        }
    }

    async fn deliver(&self, event: &OutboxEvent) -> Result<(), StoreError> {
        let Some(delivery) = self.deliveries.by_kind.get(&*event.kind) else { return Ok(()) };
        let delivering = AssertUnwindSafe(async { delivery(event.clone()).await }).catch_unwind();
        let error = match timeout(DELIVERED_WITHIN, delivering).await {
            Ok(Ok(Ok(()))) => {
                // Who took too long leaves it to whoever has it now to say so.
                if self.store.outbox().delivered(event).await? {
                    self.metrics.note_delivery(&event.kind, Delivered::Yes);
                }
                return Ok(());
            }
            Ok(Ok(Err(error))) => error,
            Ok(Err(_)) => "the delivery panicked".into(),
            Err(late) => late.into(),
        };
        tracing::warn!(event.subject, event.kind, event.attempts, error = &*error as &dyn Error, "an event was not delivered");
        let share = random_share();
        let is_given_up = delivery_pause_ms(event.attempts, share).is_none();
        if self.store.outbox().failed(event, &error.to_string(), share).await? {
            self.metrics.note_delivery(&event.kind, if is_given_up { Delivered::GivenUp } else { Delivered::NotYet });
        }
        Ok(())
    }
}

/// Deliveries, each in a task of its own: none waits for another, or is cut off by it.
#[derive(Default)]
pub struct EventsOnTheirWay {
    deliveries: JoinSet<()>,
    /// The kind of each.
    by_task: HashMap<tokio::task::Id, String>,
}

impl EventsOnTheirWay {
    fn has_room(&self, kind: &str) -> bool {
        let most = if kind == ALERT { AT_ONCE_OF_ALERTS } else { AT_ONCE_OF_A_KIND };
        self.deliveries.len() < AT_ONCE && self.by_task.values().filter(|other| *other == kind).count() < most
    }

    fn send(&mut self, services: Services, event: OutboxEvent) {
        self.begin(event.kind.clone(), async move {
            if let Err(error) = services.deliver(&event).await {
                tracing::warn!(event.subject, event.kind, error = &error as &dyn Error, "what became of an event could not be noted");
            }
        });
    }

    fn begin(&mut self, kind: String, delivery: impl Future<Output = ()> + Send + 'static) {
        let task = self.deliveries.spawn(delivery);
        self.by_task.insert(task.id(), kind);
    }

    /// Returns when one has ended, or when it is time to look for others.
    async fn next_or_look(&mut self) {
        match timeout(LOOK_EVERY, self.deliveries.join_next_with_id()).await {
            Ok(Some(Ok((id, ())))) => drop(self.by_task.remove(&id)),
            Ok(Some(Err(error))) => {
                tracing::error!(error = &error as &dyn Error, "delivering an event broke");
                self.by_task.remove(&error.id());
            }
            Ok(None) | Err(_) => {}
        }
    }
}

/// From 0 to 1; in the middle where the system has no randomness to give.
pub(crate) fn random_share() -> f64 {
    chance::random_number().map_or(0.5, |drawn| f64::from(drawn) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn mails_and_alerts_that_hang_leave_room_for_others() {
        let mut hanging = EventsOnTheirWay::default();
        for kind in [store::MAIL, ALERT] {
            while hanging.has_room(kind) {
                hanging.begin(kind.to_owned(), std::future::pending());
            }
        }
        assert!(hanging.has_room("told"));
    }

    #[tokio::test]
    async fn what_breaks_leaves_its_room_to_others() {
        async fn broken() {
            panic!("behind its delivery")
        }
        let mut on_their_way = EventsOnTheirWay::default();
        while on_their_way.has_room(ALERT) {
            on_their_way.begin(ALERT.to_owned(), broken());
        }
        while !on_their_way.deliveries.is_empty() {
            on_their_way.next_or_look().await;
        }
        assert!(on_their_way.has_room(ALERT) && on_their_way.by_task.is_empty());
    }
}
