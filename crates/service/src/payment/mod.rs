//! Paying: subscriptions to plans, credit that is bought, and what a payment processor says of both.
//!
//! What a tenant may use is in our ledger; Stripe is told what is to be paid, and asked what was. Without a key of Stripe all of this is
//! absent, and plans and credit are given by the operator.

mod choice;
mod fetch;
mod metering;
mod options;
mod reconcile;
mod webhook;

pub use choice::{Choice, PlanCost};
pub use options::{PaymentOptions, StripeUrl};
pub use payments::{PaidNow, PaymentError};
pub use reconcile::{Difference, Reconciliation};
pub use webhook::WebhookError;

use crate::{AccessError, Services, job::new_idempotency_key, outbox::NotDelivered};
use domain::{
    Actor, Forbidden, Permission, TenantId, UserId, VideoTime,
    billing::{Plan, Subscription, UnitPrice},
};
use futures::FutureExt;
use payments::{CreditPurchase, Pages, PlanPrices, Stripe};
use std::sync::Arc;
use store::{CREDIT_CUSTOMER, DELETE_CUSTOMER, FETCH_CUSTOMER, OutboxEvent, PaymentAccount, Revenue, StoreError, Undelivered};
use tokio::sync::Mutex;

/// The least credit that is sold at once: what is less costs more to charge than it brings.
pub const CREDIT_MIN: VideoTime = VideoTime::from_minutes(5);
/// The most credit that is sold at once.
pub const CREDIT_MAX: VideoTime = VideoTime::from_minutes(100_000);
const INVOICES_SHOWN: u64 = 24;
const EVENTS_SHOWN: u64 = 100;
const MONTH_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// Where people look after their bills.
pub const BILLING_PAGE: &str = "/billing";

/// A payment processor, and where it leads people back to.
pub struct Processor {
    stripe: Stripe,
    webhook_secrets: Vec<String>,
    /// Of our pages, such as `https://video.example.com`.
    origin: String,
    /// Of the processor's pages, as a policy of a page names them.
    page_origins: String,
    /// The meter is looked for once.
    metered: Mutex<bool>,
}

/// What a tenant sees of its bills.
#[derive(Debug, Clone)]
pub struct Bills {
    /// Whether anything can be paid here.
    pub can_pay: bool,
    pub account: PaymentAccount,
    /// The plan that the tenant has.
    pub plan: Plan,
    /// The plan that follows when what is paid ends.
    pub next_plan: String,
}

impl Bills {
    /// The subscription to a plan of ours.
    #[must_use]
    pub fn subscription(&self) -> Option<&Subscription> {
        self.account.subscriptions.iter().find(|subscription| subscription.is_live() && subscription.plan.is_some())
    }
}

/// Why nothing was bought or changed.
#[derive(Debug, thiserror::Error)]
pub enum BillingError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("nothing can be paid here: ask whoever runs this Reelmill")]
    NoProcessor,
    #[error("there is no such plan to choose")]
    Unknown,
    #[error("you have this plan already")]
    SamePlan,
    #[error("what it comes to has changed meanwhile, and nothing was done: look at it once more")]
    Changed,
    #[error("your subscription is cancelled already, and this plan follows")]
    Ending,
    #[error("your plan is being changed at this moment: look at it again in a minute")]
    Changing,
    #[error("a month of your subscription ends at this moment: look at it again in some minutes")]
    TurnOfMonth,
    #[error(
        "whoever runs this Reelmill has given you the plan that you have, and it stays when your subscription ends: cancel the subscription, or ask them for another plan"
    )]
    GivenPlan,
    #[error("videos that are paid for afterwards still wait or are being made: cancel them, or change your plan when they are done")]
    OverageHeld,
    #[error("what you have used so far could not be put on the bill, and nothing was done: try again in a moment")]
    NotTold,
    #[error("your last payment was not made: pay it first, then change your plan")]
    Unpaid,
    #[error("you have no subscription")]
    NotSubscribed,
    #[error("your plan sells no credit")]
    NoCredit,
    #[error("buy at least {} and at most {} video-seconds of credit", CREDIT_MIN, CREDIT_MAX)]
    Amount,
    #[error(transparent)]
    Payment(#[from] PaymentError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the operator is shown of payments.
#[derive(Debug, Clone)]
pub struct PaymentOverview {
    /// With what has changed in the last thirty days.
    pub revenue: Revenue,
    /// What the processor has told and that could not be worked off so far.
    pub undelivered: Vec<Undelivered>,
}

impl Services {
    /// From now on plans and credit are paid by `options`, if they name a processor. `origin`: of our pages.
    ///
    /// # Errors
    /// [`PaymentError`] when the key cannot be one.
    pub fn with_payments(self, options: &PaymentOptions, origin: &str) -> Result<Self, PaymentError> {
        let Some(processor) = options.processor(origin)? else { return Ok(self) };
        let services = self.with(|parts| parts.processor = Some(Arc::new(processor)));
        let (fetching, deleting, crediting) = (services.clone(), services.clone(), services.clone());
        let fetch = move |event: OutboxEvent| {
            let services = fetching.clone();
            async move { services.fetch_of(&event).await }.boxed()
        };
        let delete = move |event: OutboxEvent| {
            let services = deleting.clone();
            async move { services.delete_of(&event).await }.boxed()
        };
        let credit = move |event: OutboxEvent| {
            let services = crediting.clone();
            async move { services.credit_of(&event).await }.boxed()
        };
        let services = services.with_delivery(FETCH_CUSTOMER, Arc::new(fetch)).with_delivery(DELETE_CUSTOMER, Arc::new(delete));
        Ok(services.with_delivery(CREDIT_CUSTOMER, Arc::new(credit)))
    }

    /// Whether anything can be paid here.
    #[must_use]
    pub fn can_pay(&self) -> bool {
        self.processor.is_some()
    }

    /// The pages to which forms lead away: those of the processor, as a policy of a page names them.
    #[must_use]
    pub fn payment_origins(&self) -> &str {
        self.processor.as_ref().map_or("", |processor| &processor.page_origins)
    }

    pub(crate) fn processor(&self) -> Result<&Processor, BillingError> {
        self.processor.as_deref().ok_or(BillingError::NoProcessor)
    }

    /// What the tenant of whoever acts pays.
    ///
    /// # Errors
    /// [`BillingError`] when `actor` may not see it, or the database does not answer.
    pub async fn bills(&self, actor: Actor) -> Result<Bills, BillingError> {
        let tenant = actor.require_membership(Permission::ManageBilling)?.tenant;
        let account = self.store.payments().account(tenant, INVOICES_SHOWN).await?;
        let next_plan = match &account.next_plan {
            Some(next) => next.clone(),
            None => self.default_plan().await?,
        };
        Ok(Bills { can_pay: self.can_pay(), account, plan: self.store.tenant(tenant).credits().plan().await?, next_plan })
    }

    /// The same, after asking the processor what there is: for who has just paid.
    ///
    /// # Errors
    /// As [`Self::bills`]; where the processor does not answer, what is known is told.
    pub async fn fresh_bills(&self, actor: Actor) -> Result<Bills, BillingError> {
        let tenant = actor.require_membership(Permission::ManageBilling)?.tenant;
        if self.can_pay()
            && let Err(error) = self.fetch_tenant(tenant).await
        {
            tracing::warn!(error = &*error, "what was just paid is not known yet");
        }
        self.bills(actor).await
    }

    /// What comes in, for the operator.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn payment_overview(&self, actor: Actor) -> Result<PaymentOverview, AccessError> {
        actor.require(Permission::ManagePlans)?;
        let since = self.store.now().await?.plus_ms(-MONTH_MS);
        let outbox = self.store.outbox();
        let mut undelivered = outbox.undelivered(DELETE_CUSTOMER, EVENTS_SHOWN).await?;
        undelivered.extend(outbox.undelivered(FETCH_CUSTOMER, EVENTS_SHOWN).await?);
        undelivered.extend(outbox.undelivered(CREDIT_CUSTOMER, EVENTS_SHOWN).await?);
        Ok(PaymentOverview { revenue: self.store.operator().revenue(since).await?, undelivered })
    }

    /// Has the subscription end with the month that is paid; or, with `false`, go on after all.
    ///
    /// # Errors
    /// [`BillingError`]; nothing was changed.
    pub async fn end_subscription(&self, actor: Actor, ends: bool) -> Result<(), BillingError> {
        let tenant = actor.require_membership(Permission::ManageBilling)?.tenant;
        let services = self.clone();
        choice::carried_out(async move { services.alone(tenant, services.end_or_keep(actor, tenant, ends)).await }).await
    }

    async fn end_or_keep(&self, actor: Actor, tenant: TenantId, ends: bool) -> Result<(), BillingError> {
        self.processor()?;
        let bills = self.bills_now(actor, tenant).await?;
        let subscription = bills.subscription().ok_or(BillingError::NotSubscribed)?;
        if ends && subscription.cancel_at.is_some() {
            // The plan that was chosen with it follows.
            return Ok(());
        }
        if ends {
            self.require_last_overage(tenant, subscription).await?;
        }
        self.processor()?.stripe.cancel_at_period_end(&subscription.id, ends).await?;
        self.store.payments().set_next_plan(tenant, None).await?;
        self.fetch_soon(tenant).await;
        Ok(())
    }

    /// The address of a page on which credit is bought, at the price of the tenant's plan.
    ///
    /// # Errors
    /// [`BillingError`].
    pub async fn buy_credit(&self, actor: Actor, amount: VideoTime) -> Result<String, BillingError> {
        let membership = actor.require_membership(Permission::ManageBilling)?;
        self.processor()?;
        if !(CREDIT_MIN..=CREDIT_MAX).contains(&amount) {
            return Err(BillingError::Amount);
        }
        let price: UnitPrice = self.bills(actor).await?.plan.credit_price().ok_or(BillingError::NoCredit)?;
        self.sell((membership.tenant, membership.user), Sale::Credit(CreditPurchase { amount, price })).await
    }

    /// The address of a page on which cards are changed and invoices are seen.
    ///
    /// # Errors
    /// [`BillingError`].
    pub async fn payment_portal(&self, actor: Actor) -> Result<String, BillingError> {
        actor.require(Permission::ManageBilling)?;
        let processor = self.processor()?;
        let bills = self.bills(actor).await?;
        let customer = bills.account.customer.ok_or(BillingError::NotSubscribed)?;
        Ok(processor.stripe.portal(&customer, &format!("{}{BILLING_PAGE}?checkout=back", processor.origin)).await?)
    }

    /// The address of a page on which it is sold to the customer that the tenant is to the processor, from now on if it was nobody, or if the
    /// processor knows it no more.
    async fn sell(&self, (tenant, user): (TenantId, UserId), sale: Sale) -> Result<String, BillingError> {
        let processor = self.processor()?;
        let known = self.store.payments().account(tenant, 0).await?.customer;
        if let Some(customer) = &known {
            match processor.page_of(&sale, (tenant, customer)).await {
                Err(PaymentError::Unknown(_)) => {}
                done => return Ok(done?),
            }
        }
        let name = self.store.tenant(tenant).name().await?.unwrap_or_default();
        let email = self.store.accounts().by_id(user).await?.map(|found| found.email.to_string()).unwrap_or_default();
        let customer = processor.stripe.new_customer(tenant, &name, &email).await?;
        let customer = self.store.payments().set_customer(tenant, &customer, known.as_deref()).await?;
        Ok(processor.page_of(&sale, (tenant, &customer)).await?)
    }

    /// What has just been changed is fetched now if the processor answers, and by the event that it sends if it does not.
    async fn fetch_soon(&self, tenant: TenantId) {
        if let Err(error) = self.fetch_tenant(tenant).await {
            tracing::warn!(error = &*error, "what was just changed is not known yet");
        }
    }
}

/// What is sold on pages of the processor.
enum Sale {
    Plan { prices: PlanPrices, trial_days: Option<u32> },
    Credit(CreditPurchase),
}

impl Processor {
    async fn page_of(&self, sale: &Sale, who: (TenantId, &str)) -> Result<String, PaymentError> {
        let (pages, once) = (self.pages(), new_idempotency_key());
        match sale {
            Sale::Plan { prices, trial_days } => self.stripe.subscribe(who, prices, *trial_days, &pages, &once).await,
            Sale::Credit(wanted) => self.stripe.buy_credit(who, *wanted, &pages, &once).await,
        }
    }

    fn pages(&self) -> Pages {
        let page = |how: &str| format!("{}{BILLING_PAGE}?checkout={how}", self.origin);
        Pages { paid: page("done"), cancelled: page("cancelled") }
    }
}

/// What kept something from being fetched.
fn unavailable(error: NotDelivered) -> BillingError {
    match error.downcast::<StoreError>().map_err(|error| error.downcast::<PaymentError>()) {
        Ok(error) => (*error).into(),
        Err(Ok(error)) => (*error).into(),
        Err(Err(error)) => PaymentError::Unavailable(error.to_string()).into(),
    }
}
