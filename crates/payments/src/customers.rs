//! Tenants as customers.

use crate::{PaymentError, Stripe};
use domain::TenantId;
use std::collections::HashMap;
use stripe_billing::{billing_portal_session::CreateBillingPortalSession, subscription::CancelSubscription};
use stripe_core::customer::{CreateCustomer, DeleteCustomer};

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

    /// The address of a page at Stripe on which the customer sees invoices, changes cards and cancels; it leads back to `return_url`.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn portal(&self, customer: &str, return_url: &str) -> Result<String, PaymentError> {
        Ok(self.ask(&CreateBillingPortalSession::new().customer(customer).return_url(return_url)).await?.url)
    }
}
