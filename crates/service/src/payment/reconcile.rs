//! Whether what we know is what the payment processor knows: every difference by its name.

use super::{BillingError, Processor, unavailable};
use crate::Services;
use domain::{
    Actor, Permission, TenantId, Timestamp,
    billing::{GrantKind, Subscription, entitlement},
};
use store::Fetched;

const AT_ONCE: u64 = 100;
/// Usage is compared by whole minutes, those of now not yet.
const MINUTE_MS: i64 = 60_000;

/// Something that we know otherwise than the processor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub tenant: TenantId,
    pub customer: String,
    pub what: String,
    pub ours: String,
    pub theirs: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reconciliation {
    pub customers: u64,
    pub differences: Vec<Difference>,
}

impl Services {
    /// Compares all that is paid with what the processor says. Changes nothing.
    ///
    /// # Errors
    /// [`BillingError`] when `actor` may not, there is no processor, or one of the two does not answer.
    pub async fn reconcile_payments(&self, actor: Actor) -> Result<Reconciliation, BillingError> {
        actor.require(Permission::ManagePlans)?;
        let processor = self.processor()?;
        let (mut found, mut after) = (Reconciliation::default(), None);
        loop {
            let customers = self.store.payments().customers(after, AT_ONCE).await?;
            let Some((last, _)) = customers.last() else { return Ok(found) };
            after = Some(*last);
            for (tenant, customer) in customers {
                found.customers += 1;
                match self.differences(processor, tenant, &customer).await {
                    Ok(differences) => found.differences.extend(differences),
                    Err(BillingError::Store(error)) => return Err(error.into()),
                    // The others are compared all the same.
                    Err(error) => found.differences.push(Difference {
                        tenant,
                        customer,
                        what: "whether there is any difference".to_owned(),
                        ours: "not known".to_owned(),
                        theirs: error.to_string(),
                    }),
                }
            }
        }
    }

    async fn differences(&self, processor: &Processor, tenant: TenantId, customer: &str) -> Result<Vec<Difference>, BillingError> {
        let fetched = self.fetched(processor, customer).await.map_err(unavailable)?;
        let known = self.store.payments().account(tenant, u64::MAX >> 1).await?;
        let now = self.store.now().await?;
        let mut differences = Vec::new();
        let mut differ = |what: String, ours: String, theirs: String| {
            if ours != theirs {
                differences.push(Difference { tenant, customer: customer.to_owned(), what, ours, theirs });
            }
        };
        for theirs in &fetched.subscriptions {
            let ours = known.subscriptions.iter().find(|ours| ours.id == theirs.id);
            differ(format!("subscription {}", theirs.id), ours.map_or_else(|| "unknown".to_owned(), told), told(theirs));
        }
        for ours in known.subscriptions.iter().filter(|ours| ours.is_live()) {
            if fetched.subscriptions.iter().all(|theirs| theirs.id != ours.id) {
                differ(format!("subscription {}", ours.id), told(ours), "unknown".to_owned());
            }
        }
        if fetched.subscriptions.iter().filter(|theirs| theirs.is_live()).count() > 1 {
            differ("subscriptions that are paid at once".to_owned(), "one at most".to_owned(), "several".to_owned());
        }
        let paid = entitlement(&known.subscriptions, now).map(|paid| paid.plan);
        differ("plan that is paid for".to_owned(), known.paid_plan.unwrap_or_else(none), paid.unwrap_or_else(none));
        for theirs in &fetched.invoices {
            let ours = known.invoices.iter().find(|ours| ours.id == theirs.id);
            let told = |status: &str, paid: String| format!("{status}, {paid} paid");
            let ours = ours.map_or_else(|| "unknown".to_owned(), |ours| told(ours.status.as_str(), ours.paid.to_string()));
            differ(format!("invoice {}", theirs.id), ours, told(theirs.status.as_str(), theirs.paid.to_string()));
        }
        let credits = self.store.tenant(tenant).credits();
        for purchase in &fetched.purchases {
            let granted = credits.granted_for(&format!("stripe:{}", purchase.id)).await?;
            let ours = granted.filter(|(kind, _)| *kind == GrantKind::Purchase).map_or(0, |(_, amount)| amount.ms());
            differ(format!("credit {}", purchase.id), format!("{ours} ms"), format!("{} ms", purchase.video_ms));
        }
        if let Some((from, until)) = metered_period(&fetched, now) {
            let ours = self.store.metering().reported_between(tenant, from, until).await?;
            let theirs = processor.stripe.usage(customer, from, until).await?;
            differ("usage beyond what is included".to_owned(), format!("{} ms", ours.ms()), format!("{} ms", theirs.ms()));
        }
        Ok(differences)
    }
}

/// The minutes of the period that runs which are over.
fn metered_period(fetched: &Fetched, now: Timestamp) -> Option<(Timestamp, Timestamp)> {
    let live = fetched.subscriptions.iter().find(|subscription| subscription.is_live())?;
    let minute = |at: Timestamp| Timestamp::from_ms(at.ms().div_euclid(MINUTE_MS) * MINUTE_MS);
    let (from, until) = (minute(live.period_starts_at).plus_ms(MINUTE_MS), minute(now));
    (from < until).then_some((from, until))
}

fn told(subscription: &Subscription) -> String {
    let Subscription { plan, status, period_ends_at, cancel_at, .. } = subscription;
    let end = if cancel_at.is_some() { ", ends" } else { "" };
    format!("{}, {}, until {}{end}", plan.as_deref().unwrap_or("no plan of ours"), status.as_str(), period_ends_at.unix_seconds())
}

fn none() -> String {
    "none".to_owned()
}
