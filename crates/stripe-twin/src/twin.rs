//! A running twin.

use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::account::customers::balance;
use crate::account::payments::{charges, disputes, refunds};
use crate::cards::Decline;
use crate::lifecycle;
use crate::options::{Options, Webhook};
use crate::server::{Shared, router};
use crate::system::{present_ms, present_s};
use crate::webhooks::{Deliveries, Delivery, Faults, endpoints};
use crate::wire::answer::StripeError;
use crate::world::World;

/// Ends when it is dropped.
pub struct Twin {
    base_url: String,
    shared: Arc<Shared>,
    tasks: Vec<JoinHandle<()>>,
}

impl Twin {
    /// Starts one on the loopback address.
    ///
    /// # Errors
    /// When the port is taken.
    pub async fn start(options: Options) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", options.port)).await?;
        let base_url = format!("http://{}", listener.local_addr()?);
        // Small answers would wait for the client to acknowledge the one before.
        let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
        let seed = options.seed.unwrap_or_else(|| present_ms().unsigned_abs() ^ u64::from(std::process::id()) << 48);
        let mut world = World::new(seed, options.settings, base_url.clone());
        if let Some(Webhook { url, secret }) = &options.webhook {
            endpoints::add(&mut world, url, &["*"], secret);
        }
        let shared = Arc::new(Shared::new(world, Deliveries::new(options.faults)));
        let app = router(shared.clone());
        let serving = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, app).await {
                eprintln!("stripe-twin: {error}");
            }
        });
        let running = tokio::spawn(shared.clone().run());
        Ok(Self { base_url, shared, tasks: vec![serving, running] })
    }

    /// Where the API is, without a slash at the end.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// From now on this receiver hears of everything, too.
    pub fn add_webhook(&self, webhook: &Webhook) {
        self.shared.with_world(|world| endpoints::add(world, &webhook.url, &["*"], &webhook.secret));
    }

    /// A payment method, a customer, a card number or `all` fails from now on, or works again where no decline is named.
    ///
    /// # Errors
    /// When there is no such decline.
    pub fn set_card(&self, card: &str, decline: Option<&str>) -> Result<(), UnknownDecline> {
        let decline = decline.map(|word| Decline::named(word).ok_or_else(|| UnknownDecline(word.to_owned()))).transpose()?;
        self.shared.with_world(|world| world.secrets.set_failing(card, decline));
        Ok(())
    }

    /// Delivers an event once more. Answers to how many endpoints.
    pub fn redeliver(&self, event: &str) -> usize {
        self.shared.with_both(|world, deliveries| {
            let event = world.get("event", event).cloned();
            event.map_or(0, |event| deliveries.repeat(world, &event, present_ms()))
        })
    }

    pub fn set_faults(&self, faults: Faults) {
        self.shared.with_deliveries(|deliveries| deliveries.faults = faults);
    }

    /// Lets go what is held, and holds no more.
    pub fn release(&self) -> usize {
        self.shared.with_deliveries(|deliveries| {
            deliveries.faults.hold = false;
            deliveries.release(present_ms())
        })
    }

    /// Whether all was delivered, given up or lost within that time.
    pub async fn wait_until_idle(&self, patience: Duration) -> bool {
        self.shared.wait_until_idle(patience).await
    }

    pub fn deliveries(&self) -> Vec<Delivery> {
        self.shared.with_deliveries(|deliveries| deliveries.all().cloned().collect())
    }

    /// Moves everything that is on no test clock, and does what falls due on the way.
    pub fn advance(&self, seconds: i64) {
        self.shared.with_world(|world| lifecycle::advance_real(world, world.now() + seconds));
    }

    /// Pays back so much of the last payment of a customer, in minor units.
    ///
    /// # Errors
    /// When there was none, or less is left of it.
    pub fn refund(&self, customer: &str, amount: i64) -> Result<(), StripeError> {
        self.shared.with_world(|world| {
            let charge = charges::last_paid(world, customer)?;
            refunds::make(world, &charge, Some(amount), None).map(drop)
        })
    }

    /// The owner of the card disputes the last payment of a customer.
    ///
    /// # Errors
    /// When there was none.
    pub fn dispute(&self, customer: &str) -> Result<(), StripeError> {
        self.shared.with_world(|world| {
            let charge = charges::last_paid(world, customer)?;
            disputes::make(world, &charge);
            Ok(())
        })
    }

    /// What a customer owes, or is owed below zero, in minor units.
    pub fn balance(&self, customer: &str) -> i64 {
        self.shared.with_world(|world| balance::of(world, customer))
    }

    /// The present of everything that is on no test clock.
    pub fn now(&self) -> i64 {
        self.shared.with_world(|world| world.now())
    }

    /// How far that is ahead of the machine.
    pub fn ahead_s(&self) -> i64 {
        self.now() - present_s()
    }
}

#[derive(Debug, thiserror::Error)]
#[error("there is no decline called {0}")]
pub struct UnknownDecline(String);

impl Drop for Twin {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}
