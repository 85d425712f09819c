//! Checkout: the pages of Stripe on which a plan is subscribed to, and credit is bought.

use crate::{PaymentError, PlanPrices, Stripe, catalog, client::moment};
use domain::{
    TenantId, Timestamp, VideoTime,
    billing::{Purchase, UnitPrice},
};
use std::collections::HashMap;
use stripe_checkout::{
    CheckoutSession, CheckoutSessionMode, CheckoutSessionPaymentStatus,
    checkout_session::{
        CreateCheckoutSession, CreateCheckoutSessionAutomaticTax, CreateCheckoutSessionCustomerUpdate,
        CreateCheckoutSessionCustomerUpdateAddress, CreateCheckoutSessionCustomerUpdateName, CreateCheckoutSessionLineItems,
        CreateCheckoutSessionLineItemsPriceData, CreateCheckoutSessionPaymentIntentData, CreateCheckoutSessionSubscriptionData,
        CreateCheckoutSessionTaxIdCollection, ExpireCheckoutSession, ListCheckoutSession, ProductData,
    },
};
use stripe_shared::{Charge, CheckoutSessionBillingAddressCollection, CheckoutSessionStatus};
use stripe_types::RangeQueryTs;

/// What a checkout session is for, in its metadata.
const KIND: &str = "reelmill";
const CREDIT: &str = "credit";
/// With what was paid back of it.
const CHARGE: &str = "data.payment_intent.latest_charge";
/// What is subscribed to, in its metadata.
const PRICE: &str = "reelmill_price";
const SEVERAL: &str = "another page was opened at the same moment";
const PAGE: i64 = 100;

/// Where Stripe leads back to.
#[derive(Debug, Clone)]
pub struct Pages {
    pub paid: String,
    pub cancelled: String,
}

/// Credit to be bought.
#[derive(Debug, Clone, Copy)]
pub struct CreditPurchase {
    pub amount: VideoTime,
    pub price: UnitPrice,
}

impl Stripe {
    /// The address of a page on which the customer subscribes to a plan. Pages that were opened before for the same are closed, so that nobody
    /// pays twice. `once` names this wish.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn subscribe(
        &self,
        (tenant, customer): (TenantId, &str),
        prices: &PlanPrices,
        trial_days: Option<u32>,
        pages: &Pages,
        once: &str,
    ) -> Result<String, PaymentError> {
        self.close_pages(customer).await?;
        let item = |price: &String, quantity| CreateCheckoutSessionLineItems {
            price: Some(price.clone()),
            quantity,
            ..CreateCheckoutSessionLineItems::new()
        };
        let mut items = vec![item(&prices.monthly, Some(1))];
        items.extend(prices.overage.iter().map(|price| item(price, None)));
        let mut session =
            self.session(CheckoutSessionMode::Subscription, (tenant, customer), pages).line_items(items).allow_promotion_codes(true);
        session = session.metadata(HashMap::from([(PRICE.to_owned(), prices.monthly.clone())]));
        if trial_days.is_some() {
            let data =
                CreateCheckoutSessionSubscriptionData { trial_period_days: trial_days, ..CreateCheckoutSessionSubscriptionData::new() };
            session = session.subscription_data(data);
        }
        let opened = self.change(&session, &format!("checkout:{once}")).await?;
        // Of several that are opened at once one stays: the first that was opened, or that has the first name.
        let pages = self.open_pages(customer).await?;
        let first = pages.iter().min_by_key(|page| (page.created, page.id.to_string())).cloned();
        match first.filter(|first| first.id != opened.id) {
            None => {
                for other in pages.iter().filter(|page| page.id != opened.id) {
                    self.close(other.id.as_str()).await?;
                }
                address(opened)
            }
            Some(first) => {
                self.close(opened.id.as_str()).await?;
                if price_of(&first) == price_of(&opened) { address(first) } else { Err(PaymentError::Unavailable(SEVERAL.to_owned())) }
            }
        }
    }

    /// The address of a page on which the customer buys credit.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn buy_credit(
        &self,
        (tenant, customer): (TenantId, &str),
        wanted: CreditPurchase,
        pages: &Pages,
        once: &str,
    ) -> Result<String, PaymentError> {
        let CreditPurchase { amount, price } = wanted;
        let name = format!("Credit for {amount} video-seconds");
        // What is less than a minor unit cannot be paid: it is rounded up.
        let minor = (price.of(amount).thousandths_of_minor + 999).div_euclid(1000);
        let data = CreateCheckoutSessionLineItemsPriceData {
            unit_amount: Some(minor),
            product_data: Some(ProductData::new(name.clone())),
            ..CreateCheckoutSessionLineItemsPriceData::new(catalog::stripe_currency(price.currency)?)
        };
        let item = CreateCheckoutSessionLineItems { price_data: Some(data), quantity: Some(1), ..CreateCheckoutSessionLineItems::new() };
        let metadata = HashMap::from([
            (KIND.to_owned(), CREDIT.to_owned()),
            ("tenant".to_owned(), tenant.to_string()),
            ("video_ms".to_owned(), amount.ms().to_string()),
            ("minor_per_minute".to_owned(), price.minor_per_minute.to_string()),
        ]);
        let payment = CreateCheckoutSessionPaymentIntentData {
            description: Some(name),
            metadata: Some(metadata.clone()),
            ..CreateCheckoutSessionPaymentIntentData::new()
        };
        let session = self.session(CheckoutSessionMode::Payment, (tenant, customer), pages).line_items(vec![item]);
        address(self.change(&session.metadata(metadata).payment_intent_data(payment), &format!("checkout:{once}")).await?)
    }

    fn session(&self, mode: CheckoutSessionMode, (tenant, customer): (TenantId, &str), pages: &Pages) -> CreateCheckoutSession {
        let session = CreateCheckoutSession::new()
            .mode(mode)
            .customer(customer)
            .client_reference_id(tenant.to_string())
            .success_url(&*pages.paid)
            .cancel_url(&*pages.cancelled)
            .billing_address_collection(CheckoutSessionBillingAddressCollection::Auto);
        if !self.with_tax {
            return session;
        }
        let kept = CreateCheckoutSessionCustomerUpdate {
            address: Some(CreateCheckoutSessionCustomerUpdateAddress::Auto),
            name: Some(CreateCheckoutSessionCustomerUpdateName::Auto),
            ..CreateCheckoutSessionCustomerUpdate::new()
        };
        session
            .automatic_tax(CreateCheckoutSessionAutomaticTax::new(true))
            .tax_id_collection(CreateCheckoutSessionTaxIdCollection::new(true))
            .customer_update(kept)
    }

    /// Closes the pages on which the customer might subscribe.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn close_pages(&self, customer: &str) -> Result<(), PaymentError> {
        for page in self.open_pages(customer).await? {
            self.close(page.id.as_str()).await?;
        }
        Ok(())
    }

    async fn open_pages(&self, customer: &str) -> Result<Vec<CheckoutSession>, PaymentError> {
        let open = self.ask(&ListCheckoutSession::new().customer(customer).status(CheckoutSessionStatus::Open).limit(PAGE)).await?;
        Ok(open.data.into_iter().filter(|session| session.mode == CheckoutSessionMode::Subscription).collect())
    }

    async fn close(&self, page: &str) -> Result<(), PaymentError> {
        match self.ask(&ExpireCheckoutSession::new(page)).await {
            // It was paid in this very moment: what follows is seen by who asks for the subscriptions.
            Ok(_) | Err(PaymentError::Refused(_) | PaymentError::Unknown(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Credit that the customer has bought by sessions that were opened at `since` or later.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn purchases(&self, customer: &str, since: Timestamp) -> Result<Vec<Purchase>, PaymentError> {
        let mut purchases = Vec::new();
        let mut list = ListCheckoutSession::new().customer(customer).status(CheckoutSessionStatus::Complete).limit(PAGE);
        list = list.expand([CHARGE.to_owned()]);
        list = list.created(RangeQueryTs::gte(since.unix_seconds()));
        loop {
            let page = self.ask(&list).await?;
            purchases.extend(page.data.iter().filter(|session| is_paid(session)).filter_map(purchase));
            match page.data.last().filter(|_| page.has_more) {
                Some(last) => list = list.starting_after(last.id.to_string()),
                None => return Ok(purchases),
            }
        }
    }
}

fn address(session: CheckoutSession) -> Result<String, PaymentError> {
    session.url.ok_or_else(|| PaymentError::Unreadable("a checkout session without an address".to_owned()))
}

fn price_of(session: &CheckoutSession) -> Option<&String> {
    session.metadata.as_ref().and_then(|said| said.get(PRICE))
}

fn is_paid(session: &CheckoutSession) -> bool {
    session.status == Some(CheckoutSessionStatus::Complete) && session.payment_status == CheckoutSessionPaymentStatus::Paid
}

fn charge(session: &CheckoutSession) -> Option<&Charge> {
    session.payment_intent.as_ref()?.as_object()?.latest_charge.as_ref()?.as_object()
}

/// The part of what was bought that corresponds to the part of the money that is not ours any more.
fn unpaid(charge: &Charge, video_ms: u64) -> u64 {
    let (paid, refunded) = (u128::from(charge.amount.max(1).unsigned_abs()), u128::from(charge.amount_refunded.max(0).unsigned_abs()));
    if charge.disputed {
        return video_ms;
    }
    u64::try_from((u128::from(video_ms) * refunded).div_ceil(paid)).unwrap_or(u64::MAX).min(video_ms)
}

/// `None`: it was for something else.
fn purchase(session: &CheckoutSession) -> Option<Purchase> {
    let said = session.metadata.as_ref().filter(|said| said.get(KIND).is_some_and(|kind| kind == CREDIT))?;
    let read = (|| {
        let video_ms = said.get("video_ms")?.parse().ok().filter(|ms| *ms > 0)?;
        Some(Purchase {
            id: session.id.to_string(),
            video_ms,
            minor_per_minute: said.get("minor_per_minute")?.parse().ok()?,
            currency: catalog::currency(session.currency.as_ref()?).ok()?,
            bought_at: moment(session.created),
            unpaid_ms: charge(session).map_or(0, |charge| unpaid(charge, video_ms)),
        })
    })();
    if read.is_none() {
        tracing::error!(stripe.session = %session.id, "credit was bought, and what of it cannot be read");
    }
    read
}
