//! Tenants as customers.

use crate::{PaymentError, Stripe, catalog::stripe_currency};
use domain::{TenantId, billing::Currency};
use std::collections::HashMap;
use stripe_billing::{billing_portal_session::CreateBillingPortalSession, subscription::CancelSubscription};
use stripe_core::{
    customer::{CreateCustomer, DeleteCustomer},
    customer_balance_transaction::CreateCustomerCustomerBalanceTransaction,
};

impl Stripe {
    /// Who a tenant is to Stripe from now on.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn new_customer(&self, tenant: TenantId, name: &str, email: &str) -> Result<String, PaymentError> {
        let metadata = HashMap::from([("tenant".to_owned(), tenant.to_string())]);
        let customer = CreateCustomer::new().name(name).email(email).metadata(metadata);
        Ok(self.make(&customer).await?.id.to_string())
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

    /// Credits an amount in minor units, which invoices of later take off. With the same `once` it is credited once. Who is gone is owed nothing.
    ///
    /// # Errors
    /// [`PaymentError`]; it may be asked again.
    pub async fn credit_customer(&self, customer: &str, minor: u64, currency: Currency, once: &str) -> Result<(), PaymentError> {
        let amount = i64::try_from(minor).map_or(i64::MIN, |minor| -minor);
        let credit =
            CreateCustomerCustomerBalanceTransaction::new(customer, amount, stripe_currency(currency)?).description("Refunded usage");
        match self.change(&credit, &format!("credit:{once}")).await {
            Ok(_) | Err(PaymentError::Unknown(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The address of a page at Stripe on which the customer sees invoices, changes cards and cancels; it leads back to `return_url`.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn portal(&self, customer: &str, return_url: &str) -> Result<String, PaymentError> {
        Ok(self.ask(&CreateBillingPortalSession::new().customer(customer).return_url(return_url)).await?.url)
    }
}
