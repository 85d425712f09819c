//! What Stripe tells us: taken in once, answered at once, and worked off from the inbox. And what it has told and we have not heard.

use super::{BillingError, Processor};
use crate::{AccessError, Services};
use domain::{Actor, Clock, Permission, Timestamp};
use payments::{EventError, PaymentError, SignatureError, StripeEvent, verify};
use store::{CREDIT_CUSTOMER, DELETE_CUSTOMER, FETCH_CUSTOMER, StoreError, SystemClock, fetch_customer};

const SOURCE: &str = "stripe";
/// What changes what we know of a customer.
const KINDS: [&str; 6] = ["customer.", "invoice.", "checkout.session.", "subscription_schedule.", "charge.refunded", "charge.dispute."];
/// The setting that says until when all events are known.
const HEARD_UNTIL: &str = "stripe-heard-until";
/// Events become visible a moment after they have happened.
const OVERLAP_MS: i64 = 10 * 60 * 1000;
/// Stripe keeps events for thirty days.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// Why what came is not taken in.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    #[error("nobody is listened to here")]
    NoProcessor,
    #[error(transparent)]
    Signature(#[from] SignatureError),
    #[error(transparent)]
    Event(#[from] EventError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Services {
    /// Takes in what Stripe tells: `signature` is the header that it came with. `false`: it is known already, or changes nothing here.
    ///
    /// # Errors
    /// [`WebhookError`]; Stripe tells it again.
    pub async fn hear_stripe(&self, body: &str, signature: &str) -> Result<bool, WebhookError> {
        let processor = self.processor.as_deref().ok_or(WebhookError::NoProcessor)?;
        // By this machine's clock: it is Stripe's that it is compared with, not our database's.
        verify(body.as_bytes(), signature, &processor.webhook_secrets, SystemClock.now())?;
        let event = StripeEvent::parse(body)?;
        Ok(self.take_in(&event, Some(body)).await?)
    }

    async fn take_in(&self, event: &StripeEvent, body: Option<&str>) -> Result<bool, StoreError> {
        let Some(customer) = event.customer.as_ref().filter(|_| KINDS.iter().any(|kind| event.kind.starts_with(kind))) else {
            return Ok(false);
        };
        // Of whom we do not know, or no longer, nothing is kept but that it was told. PostgreSQL has no text with a null.
        let is_ours = body.is_some() && self.store.payments().has_customer(customer).await?;
        let body = body.filter(|_| is_ours).map(|body| body.replace('\0', ""));
        self.store.inbox().receive(SOURCE, &event.id, body, fetch_customer(customer)).await
    }

    /// Asks Stripe for events that did not arrive. Any number of processes may.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer. Where Stripe does not, it is asked again.
    pub async fn ask_for_events(&self, actor: Actor) -> Result<(), AccessError> {
        actor.require(Permission::Maintain)?;
        let Some(processor) = self.processor.as_deref() else { return Ok(()) };
        match self.missed(processor).await {
            Ok(0) => Ok(()),
            Ok(missed) => {
                tracing::warn!(events = missed, "{missed} events of Stripe did not arrive by themselves");
                Ok(())
            }
            Err(BillingError::Store(error)) => Err(error.into()),
            Err(error) => {
                tracing::warn!(%error, "Stripe could not be asked for events");
                Ok(())
            }
        }
    }

    /// How many were taken in that had not arrived.
    async fn missed(&self, processor: &Processor) -> Result<u64, BillingError> {
        let now = self.store.now().await?;
        let heard: Option<i64> = self.store.settings().find(HEARD_UNTIL).await?.and_then(|text| text.parse().ok());
        let since = heard.unwrap_or(now.ms()).max(now.plus_ms(-KEPT_MS).ms());
        let events = processor.stripe.events_since(Timestamp::from_ms(since).plus_ms(-OVERLAP_MS)).await?;
        let mut missed = 0;
        for mut event in events.into_iter().rev() {
            let is_told_without = event.customer.is_none();
            // It is told without its customer, so that the webhook passes over it.
            if let (None, Some(charge)) = (&event.customer, &event.charge) {
                event.customer = match processor.stripe.customer_of_charge(charge).await {
                    Ok(customer) => customer,
                    Err(PaymentError::Unknown(_)) => None,
                    Err(error) => return Err(error.into()),
                };
            }
            let is_new = self.take_in(&event, None).await?;
            missed += u64::from(is_new && !is_told_without);
        }
        self.store.settings().set(HEARD_UNTIL, &now.ms().to_string()).await?;
        Ok(missed)
    }

    /// Ends the plans of tenants whose payment has failed too long ago, and takes up again what was given up.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer.
    pub async fn end_grace(&self, actor: Actor) -> Result<(), AccessError> {
        const AT_ONCE: u64 = 100;
        actor.require(Permission::Maintain)?;
        // What Stripe was told to do, and what was paid, is never given up.
        for kind in [FETCH_CUSTOMER, DELETE_CUSTOMER] {
            self.store.outbox().drop_repeated(kind).await?;
        }
        for kind in [FETCH_CUSTOMER, DELETE_CUSTOMER, CREDIT_CUSTOMER] {
            self.store.outbox().take_up_again(kind).await?;
        }
        // One that cannot be read keeps nobody else's plan.
        let mut done = Ok(());
        for tenant in self.store.payments().out_of_grace(AT_ONCE).await? {
            if let Err(error) = self.store.payments().look_again(tenant).await {
                tracing::error!(%error, %tenant, "whether a plan is still paid for cannot be told");
                done = Err(error.into());
            }
        }
        done
    }
}
