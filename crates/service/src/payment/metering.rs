//! Telling the payment processor what was used beyond what plans include.

use super::{BillingError, Processor};
use crate::{AccessError, Services};
use domain::{Actor, Permission, TenantId, Timestamp, VideoTime};
use futures::{StreamExt, stream};
use payments::PaymentError;
use std::collections::BTreeMap;
use store::{MeterEvent, StoreError};

const AT_ONCE: u64 = 100;
/// Of one customer one thing is told after the other, as Stripe wants it.
const CUSTOMERS_AT_ONCE: usize = 16;
/// The processor knows for a day what it was told.
const KNOWN_MS: i64 = 23 * 60 * 60 * 1000;
const MINUTE_MS: i64 = 60_000;

impl Services {
    /// Tells what is not told yet. Any number of processes may: what is told twice counts once.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer. Where the processor does not, it is told later.
    pub async fn report_usage(&self, actor: Actor) -> Result<(), AccessError> {
        actor.require(Permission::Maintain)?;
        Ok(self.report_usage_of(None).await?)
    }

    /// Of one tenant, or of all.
    async fn report_usage_of(&self, tenant: Option<TenantId>) -> Result<(), StoreError> {
        let Some(processor) = self.processor.as_deref() else { return Ok(()) };
        loop {
            let events = self.store.metering().begin(tenant, AT_ONCE).await?;
            if events.is_empty() {
                return Ok(());
            }
            if let Err(error) = processor.require_meter().await {
                tracing::warn!(%error, "there is no meter yet to tell usage to");
                return Ok(());
            }
            let now = self.store.now().await?;
            let mut by_customer: BTreeMap<String, Vec<MeterEvent>> = BTreeMap::new();
            for event in events {
                by_customer.entry(event.customer.clone()).or_default().push(event);
            }
            let told =
                stream::iter(by_customer.into_values()).map(|events| self.tell(processor, now, events)).buffer_unordered(CUSTOMERS_AT_ONCE);
            let told: Vec<Result<bool, StoreError>> = told.collect().await;
            let mut are_all_told = true;
            for told in told {
                are_all_told &= told?;
            }
            if !are_all_told {
                return Ok(());
            }
        }
    }

    /// Tells what one customer has used, the oldest first. `false`: the processor did not take it all, and it is told later.
    async fn tell(&self, processor: &Processor, now: Timestamp, events: Vec<MeterEvent>) -> Result<bool, StoreError> {
        let (mut told, mut counted) = (Vec::with_capacity(events.len()), BTreeMap::new());
        for event in &events {
            match self.tell_one(processor, now, event, &mut counted).await {
                Ok(()) => told.push(event.entry),
                // Its customer is gone, or it is too old: said again it would be refused again, and keep all behind it. The reconciliation
                // names what is missing.
                Err(BillingError::Payment(error @ (PaymentError::Refused(_) | PaymentError::Unknown(_)))) => {
                    tracing::error!(%error, entry = %event.entry, customer = event.customer, "usage was not taken");
                    told.push(event.entry);
                }
                Err(BillingError::Store(error)) => return Err(error),
                Err(error) => {
                    tracing::warn!(%error, "usage will be told later");
                    break;
                }
            }
        }
        self.store.metering().reported(&told).await?;
        Ok(told.len() == events.len())
    }

    /// `counted`: by minute, what the processor has counted beyond what we know that it was told.
    async fn tell_one(
        &self,
        processor: &Processor,
        now: Timestamp,
        event: &MeterEvent,
        counted: &mut BTreeMap<i64, VideoTime>,
    ) -> Result<(), BillingError> {
        if event.begun_at.plus_ms(KNOWN_MS) <= now {
            // It may have been told so long ago that it would be counted again.
            let from = Timestamp::from_ms(event.at.ms().div_euclid(MINUTE_MS) * MINUTE_MS);
            let rest = match counted.get(&from.ms()) {
                Some(rest) => *rest,
                None => {
                    let until = from.plus_ms(MINUTE_MS);
                    let known = self.store.metering().reported_between(event.tenant, from, until).await?;
                    let theirs = processor.stripe.usage(&event.customer, from, until).await?;
                    VideoTime::from_ms(theirs.ms().saturating_sub(known.ms()))
                }
            };
            let is_counted = rest >= event.amount;
            counted.insert(from.ms(), if is_counted { VideoTime::from_ms(rest.ms() - event.amount.ms()) } else { rest });
            if is_counted {
                return Ok(());
            }
        }
        processor.stripe.report_usage(event.entry, &event.customer, event.amount, event.at).await?;
        Ok(())
    }
}

impl Services {
    /// Has all be told that a tenant has used so far.
    pub(super) async fn tell_all_usage(&self, tenant: TenantId) -> Result<(), BillingError> {
        self.report_usage_of(Some(tenant)).await?;
        if self.store.metering().has_unreported(tenant).await? { Err(BillingError::NotTold) } else { Ok(()) }
    }
}

impl Processor {
    async fn require_meter(&self) -> Result<(), PaymentError> {
        let mut is_there = self.metered.lock().await;
        if !*is_there {
            self.stripe.require_meter().await?;
            *is_there = true;
        }
        Ok(())
    }
}
