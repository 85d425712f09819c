//! Tenants as customers.

use crate::{PaymentError, Stripe, catalog::stripe_currency};
use domain::{TenantId, billing::Currency};
use std::collections::HashMap;
use stripe_billing::subscription::CancelSubscription;
use stripe_core::{
    customer::{CreateCustomer, DeleteCustomer, RetrieveCustomer, RetrieveCustomerReturned},
    customer_balance_transaction::{CreateCustomerCustomerBalanceTransaction, ListCustomerCustomerBalanceTransaction},
};

/// In the metadata of a customer: for whom it was made.
const TENANT: &str = "tenant";
/// In the metadata of a credit: what it is for.
const ONCE: &str = "once";
const PAGE: i64 = 100;

impl Stripe {
    /// Who a tenant is to Stripe from now on.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn new_customer(&self, tenant: TenantId, name: &str, email: &str) -> Result<String, PaymentError> {
        let metadata = HashMap::from([(TENANT.to_owned(), tenant.to_string())]);
        let customer = CreateCustomer::new().name(name).email(email).metadata(metadata);
        Ok(self.make(&customer).await?.id.to_string())
    }

    /// For which tenant a customer was made; `None`: for none, or it is gone.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn tenant_of_customer(&self, customer: &str) -> Result<Option<TenantId>, PaymentError> {
        match self.ask(&RetrieveCustomer::new(customer)).await {
            Ok(RetrieveCustomerReturned::Customer(found)) => {
                Ok(found.metadata.and_then(|said| said.get(TENANT).and_then(|tenant| tenant.parse().ok())))
            }
            Ok(RetrieveCustomerReturned::DeletedCustomer(_)) | Err(PaymentError::Unknown(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Ends all that it pays for, at once: what was used and is not paid yet is invoiced, what was paid is not paid back. One that is gone
    /// already is gone.
    ///
    /// # Errors
    /// [`PaymentError`]; it may be asked again.
    pub async fn delete_customer(&self, customer: &str) -> Result<(), PaymentError> {
        let subscriptions = match self.subscriptions(customer).await {
            Err(PaymentError::Unknown(_)) => return Ok(()),
            found => found?,
        };
        for subscription in subscriptions.iter().filter(|subscription| subscription.is_live()) {
            self.make(&CancelSubscription::new(&*subscription.id).invoice_now(true).prorate(false)).await?;
        }
        match self.ask(&DeleteCustomer::new(customer)).await {
            Ok(_) | Err(PaymentError::Unknown(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Credits an amount in minor units, which invoices of later take off. With the same `once` it is credited once, however long ago that was.
    /// Who is gone is owed nothing.
    ///
    /// # Errors
    /// [`PaymentError`]; it may be asked again.
    pub async fn credit_customer(&self, customer: &str, minor: u64, currency: Currency, once: &str) -> Result<(), PaymentError> {
        let amount = i64::try_from(minor).map_or(i64::MIN, |minor| -minor);
        let credit = CreateCustomerCustomerBalanceTransaction::new(customer, amount, stripe_currency(currency)?);
        let credit = credit.description("Refunded usage").metadata(HashMap::from([(ONCE.to_owned(), once.to_owned())]));
        // Idempotency keys are forgotten after a day.
        let credited = match self.is_credited(customer, once).await {
            Ok(true) => return Ok(()),
            Ok(false) => self.change(&credit, &format!("credit:{once}")).await.map(drop),
            Err(error) => Err(error),
        };
        match credited {
            Ok(()) | Err(PaymentError::Unknown(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn is_credited(&self, customer: &str, once: &str) -> Result<bool, PaymentError> {
        let mut list = ListCustomerCustomerBalanceTransaction::new(customer).limit(PAGE);
        loop {
            let page = self.ask(&list).await?;
            let metadata = page.data.iter().filter_map(|transaction| transaction.metadata.as_ref()?.get(ONCE));
            if metadata.into_iter().any(|found| found == once) {
                return Ok(true);
            }
            match page.data.last().filter(|_| page.has_more) {
                Some(last) => list = list.starting_after(last.id.to_string()),
                None => return Ok(false),
            }
        }
    }
}
