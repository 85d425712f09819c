//! Telling the payment processor what was used beyond what plans include.

use super::BillingError;
use crate::{AccessError, Services};
use domain::{Actor, Permission, TenantId};
use payments::PaymentError;
use store::StoreError;

const AT_ONCE: u64 = 100;

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
            let mut told = Vec::with_capacity(events.len());
            for event in &events {
                match processor.stripe.report_usage(event.entry, &event.customer, event.amount, event.at).await {
                    Ok(_) => told.push(event.entry),
                    // Its customer is gone, or it is too old: said again it would be refused again, and keep all behind it. The reconciliation
                    // names what is missing.
                    Err(error @ (PaymentError::Refused(_) | PaymentError::Unknown(_))) => {
                        tracing::error!(%error, entry = %event.entry, customer = event.customer, "usage was not taken");
                        told.push(event.entry);
                    }
                    Err(error) => {
                        tracing::warn!(%error, "usage will be told later");
                        return self.store.metering().reported(&told).await;
                    }
                }
            }
            self.store.metering().reported(&told).await?;
        }
    }
}

impl Services {
    /// Has all be told that a tenant has used so far.
    pub(super) async fn tell_all_usage(&self, tenant: TenantId) -> Result<(), BillingError> {
        self.report_usage_of(Some(tenant)).await?;
        if self.store.metering().has_unreported(tenant).await? { Err(BillingError::NotTold) } else { Ok(()) }
    }
}

impl super::Processor {
    async fn require_meter(&self) -> Result<(), PaymentError> {
        let mut is_there = self.metered.lock().await;
        if !*is_there {
            self.stripe.require_meter().await?;
            *is_there = true;
        }
        Ok(())
    }
}
