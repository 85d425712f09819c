//! What all requests share: one world, its deliveries, and the answers that are kept for idempotency keys.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::idempotency::Keys;
use crate::lifecycle;
use crate::system::present_ms;
use crate::webhooks::{self, Deliveries};
use crate::world::World;

/// How often is looked whether something has fallen due by itself.
const TICK: Duration = Duration::from_millis(500);

pub struct Shared {
    world: Mutex<World>,
    deliveries: Arc<Mutex<Deliveries>>,
    changed: Arc<Notify>,
    keys: Mutex<Keys>,
}

impl Shared {
    pub fn new(world: World, deliveries: Deliveries) -> Self {
        Self {
            world: Mutex::new(world),
            deliveries: Arc::new(Mutex::new(deliveries)),
            changed: Arc::new(Notify::new()),
            keys: Mutex::new(Keys::default()),
        }
    }

    /// One change of the world at a time; what happens in it is planned for delivery before the next one.
    pub fn with_world<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        let mut world = lock(&self.world);
        let answer = act(&mut world);
        let events = world.take_undelivered();
        if !events.is_empty() {
            let mut deliveries = lock(&self.deliveries);
            for event in &events {
                deliveries.plan(&world, event, present_ms());
            }
            drop(deliveries);
            self.changed.notify_waiters();
        }
        answer
    }

    pub fn with_deliveries<T>(&self, act: impl FnOnce(&mut Deliveries) -> T) -> T {
        let answer = act(&mut lock(&self.deliveries));
        self.changed.notify_waiters();
        answer
    }

    /// Both, in the order in which everybody takes them.
    pub fn with_both<T>(&self, act: impl FnOnce(&mut World, &mut Deliveries) -> T) -> T {
        let mut world = lock(&self.world);
        let answer = act(&mut world, &mut lock(&self.deliveries));
        self.changed.notify_waiters();
        answer
    }

    pub fn with_keys<T>(&self, act: impl FnOnce(&mut Keys) -> T) -> T {
        act(&mut lock(&self.keys))
    }

    /// Sends what is to be delivered, and does what falls due; until it is dropped.
    pub async fn run(self: Arc<Self>) {
        let sending = webhooks::run(self.deliveries.clone(), self.changed.clone());
        let ticking = async {
            loop {
                sleep(TICK).await;
                self.with_world(|world| {
                    if lifecycle::is_due(world) {
                        lifecycle::catch_up(world);
                    }
                });
            }
        };
        tokio::join!(sending, ticking);
    }

    /// Whether all was delivered, given up or lost within that time.
    pub async fn wait_until_idle(&self, patience: Duration) -> bool {
        let idle = async {
            loop {
                let changed = self.changed.notified();
                if lock(&self.deliveries).is_idle() {
                    return;
                }
                changed.await;
            }
        };
        timeout(patience, idle).await.is_ok()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
