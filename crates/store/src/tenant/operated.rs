//! What the operator does to a tenant's credit: giving some, and giving back what a job was charged. It stands in both their logs.

use crate::{
    StoreError,
    billing::{self, Credits, Granted, NewGrant, NewRefund, RefundError, Refunded},
    database::write::Write,
    payment,
    rows::account::{asked::Asked, audit},
};
use domain::{Act, TenantId};

impl Credits<'_> {
    /// As [`Self::grant`]; `by`: `None` of the command line.
    pub async fn give(self, new: NewGrant, by: Option<Asked<'_>>) -> Result<Granted, StoreError> {
        let (store, tenant) = self.parts();
        let write = store.write().await?;
        billing::lock_live_tenant(&write.tx, tenant).await?;
        let (amount, note) = (new.amount, new.note.clone());
        let granted = billing::grant(&write.tx, write.now, tenant, new).await?;
        if granted == Granted::Now {
            let subject = format!("{amount} video-seconds: {}", note.unwrap_or_else(|| "no reason given".to_owned()));
            audit::insert_of_operator(&write, tenant, by, Act::CreditGiven, subject).await?;
        }
        write.commit().await?;
        Ok(granted)
    }

    /// Gives back what a job was charged; `by`: `None` of the command line. What was used beyond what the plan includes is not billed: it is told to
    /// nobody where it was not yet, and credited in money otherwise.
    ///
    /// # Errors
    /// [`RefundError`]; nothing was changed.
    pub async fn refund(self, new: NewRefund<'_>, by: Option<Asked<'_>>) -> Result<Refunded, RefundError> {
        let (store, tenant) = self.parts();
        let mut write = store.write().await?;
        let refunded = refund_in(&mut write, tenant, new, by).await;
        write.end(refunded).await
    }
}

async fn refund_in(write: &mut Write, tenant: TenantId, new: NewRefund<'_>, by: Option<Asked<'_>>) -> Result<Refunded, RefundError> {
    let refunded = billing::refund(&write.tx, write.now, tenant, new).await?;
    if refunded == Refunded::default() {
        return Ok(refunded);
    }
    let customer = billing::lock_tenant(&write.tx, tenant).await?.stripe_customer;
    if let (Some(customer), Some(money)) = (customer, refunded.credited) {
        write.add_event(payment::credit_customer(&customer, money, &format!("{}:{}", new.job, new.once)));
    }
    let subject = format!("{}, {} video-seconds: {}", new.job, refunded.time, new.reason);
    audit::insert_of_operator(write, tenant, by, Act::Refunded, subject).await?;
    Ok(refunded)
}
