//! The customer portal: pages of Stripe for cards, addresses and invoices. Plans are changed and cancelled on our own pages, which know what
//! that comes to.

use crate::{PaymentError, Stripe};
use std::collections::HashMap;
use stripe_billing::{
    billing_portal_configuration::{
        CreateBillingPortalConfiguration, CreateBillingPortalConfigurationFeatures, CreateBillingPortalConfigurationFeaturesCustomerUpdate,
        CreateBillingPortalConfigurationFeaturesCustomerUpdateAllowedUpdates as Allowed,
        CreateBillingPortalConfigurationFeaturesSubscriptionCancel, InvoiceListParam, ListBillingPortalConfiguration,
        PaymentMethodUpdateParam,
    },
    billing_portal_session::CreateBillingPortalSession,
};

/// In the metadata of our configuration: which it is. Another one is made when what it lets customers do changes.
const KIND: &str = "reelmill";
const VERSION: &str = "cards-and-invoices";
const PAGE: i64 = 100;

impl Stripe {
    /// The address of a page at Stripe on which the customer sees invoices and changes cards and addresses; it leads back to `return_url`.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn portal(&self, customer: &str, return_url: &str) -> Result<String, PaymentError> {
        let configuration = match self.find_configuration().await? {
            Some(found) => found,
            None => self.new_configuration().await?,
        };
        let session = CreateBillingPortalSession::new().customer(customer).return_url(return_url).configuration(configuration);
        Ok(self.ask(&session).await?.url)
    }

    async fn find_configuration(&self) -> Result<Option<String>, PaymentError> {
        let found = self.ask(&ListBillingPortalConfiguration::new().active(true).limit(PAGE)).await?;
        let ours = found.data.into_iter().find(|configuration| {
            configuration.metadata.as_ref().and_then(|metadata| metadata.get(KIND)).is_some_and(|version| version == VERSION)
        });
        Ok(ours.map(|configuration| configuration.id.to_string()))
    }

    async fn new_configuration(&self) -> Result<String, PaymentError> {
        let features = CreateBillingPortalConfigurationFeatures {
            customer_update: Some(CreateBillingPortalConfigurationFeaturesCustomerUpdate {
                allowed_updates: Some(vec![Allowed::Address, Allowed::Name, Allowed::TaxId]),
                ..CreateBillingPortalConfigurationFeaturesCustomerUpdate::new(true)
            }),
            invoice_history: Some(InvoiceListParam::new(true)),
            payment_method_update: Some(PaymentMethodUpdateParam::new(true)),
            subscription_cancel: Some(CreateBillingPortalConfigurationFeaturesSubscriptionCancel::new(false)),
            ..CreateBillingPortalConfigurationFeatures::new()
        };
        let metadata = HashMap::from([(KIND.to_owned(), VERSION.to_owned())]);
        Ok(self.make(&CreateBillingPortalConfiguration::new(features).metadata(metadata)).await?.id.to_string())
    }
}
