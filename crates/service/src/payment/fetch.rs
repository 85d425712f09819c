//! Asking the payment processor what there is of a customer, and putting it in place of what was known.

use super::Processor;
use crate::{Services, outbox::NotDelivered};
use domain::{TenantId, billing::Currency};
use store::{Fetched, OutboxEvent};

/// Purchases of checkout sessions that were opened so long ago, in milliseconds, are looked for: events are kept and told for a month.
const PURCHASES_WITHIN_MS: i64 = 180 * 24 * 60 * 60 * 1000;
const INVOICES: u8 = 24;
/// Where others fetch the same customer, so often.
const TRIES: u32 = 8;

impl Services {
    pub(super) async fn fetch_of(&self, event: &OutboxEvent) -> Result<(), NotDelivered> {
        let customer = customer_of(event)?;
        match self.store.payments().tenant_of(&customer).await? {
            Some(tenant) => self.fetch_tenant(tenant).await,
            None => self.adopt(&customer).await,
        }
    }

    /// One that was made for a tenant which does not know it, as after a backup was brought back, is known from now on. Others are somebody else's, or their
    /// tenant is gone.
    async fn adopt(&self, customer: &str) -> Result<(), NotDelivered> {
        let Some(tenant) = self.processor()?.stripe.tenant_of_customer(customer).await? else { return Ok(()) };
        if !self.store.payments().adopt_customer(tenant, customer).await? {
            return Ok(());
        }
        tracing::info!(tenant.id = %tenant, customer, "a customer of the payment processor is known again");
        self.fetch_tenant(tenant).await
    }

    pub(super) async fn delete_of(&self, event: &OutboxEvent) -> Result<(), NotDelivered> {
        let customer = customer_of(event)?;
        if let Some(tenant) = self.store.payments().tenant_of(&customer).await? {
            if self.store.payments().has_open_jobs(tenant).await? {
                return Err("its jobs are still being ended".into());
            }
            // It is on the last invoice.
            self.tell_all_usage(tenant).await?;
        }
        Ok(self.processor()?.stripe.delete_customer(&customer).await?)
    }

    /// Of a refund of what was told to the meter already.
    pub(super) async fn credit_of(&self, event: &OutboxEvent) -> Result<(), NotDelivered> {
        let customer = customer_of(event)?;
        let text = |name: &str| event.payload[name].as_str().map(str::to_owned).ok_or_else(|| format!("the event has no {name}"));
        let currency: Currency = text("currency")?.try_into()?;
        let minor = event.payload["minor"].as_u64().ok_or("the event has no amount")?;
        Ok(self.processor()?.stripe.credit_customer(&customer, minor, currency, &text("once")?).await?)
    }

    /// Puts what the processor says of a tenant in place of what was known. What is said later is what is known in the end: what is fetched
    /// was asked for after what is replaced was read.
    pub(super) async fn fetch_tenant(&self, tenant: TenantId) -> Result<(), NotDelivered> {
        let processor = self.processor()?;
        for _ in 0..TRIES {
            let known = self.store.payments().account(tenant, 0).await?;
            let Some(customer) = known.customer else { return Ok(()) };
            let fetched = self.fetched(processor, &customer).await?;
            if self.store.payments().replace(tenant, known.revision, &fetched).await? {
                return Ok(());
            }
        }
        Err("others fetch the same customer all the time".into())
    }

    pub(super) async fn fetched(&self, processor: &Processor, customer: &str) -> Result<Fetched, NotDelivered> {
        let since = self.store.now().await?.plus_ms(-PURCHASES_WITHIN_MS);
        let stripe = &processor.stripe;
        let (subscriptions, invoices, purchases) =
            tokio::try_join!(stripe.subscriptions(customer), stripe.invoices(customer, INVOICES), stripe.purchases(customer, since))?;
        Ok(Fetched { subscriptions, invoices, purchases })
    }
}

fn customer_of(event: &OutboxEvent) -> Result<String, NotDelivered> {
    let customer = event.payload["customer"].as_str();
    customer.map(str::to_owned).ok_or_else(|| "the event names no customer".into())
}
