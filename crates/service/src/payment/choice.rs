//! Choosing a plan: what it comes to, and carrying it out.

use super::{BillingError, Bills, PaymentError, Sale, unavailable};
use crate::{Services, job::new_idempotency_key};
use domain::{
    Actor, Permission, TenantId, Timestamp, VideoTime,
    billing::{Money, Plan, Subscription, SubscriptionStatus},
};
use payments::{PaidNow, PlanChange, PlanPrices};
use std::time::Duration;

/// Longer than a change takes, and than clocks differ.
const TURN_OF_MONTH_MS: i64 = 2 * 60 * 1000;
/// Open videos are made by then, however many wait.
const MADE_WITHIN_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// What choosing a plan comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// It costs nothing, and holds from now on.
    Free,
    /// It is subscribed to on a page of the processor.
    Subscribe,
    /// The subscription that there is changes at once, and at most `due` is paid at once: for a month that begins now, less what is left of the
    /// one that was paid, and with what was used beyond it.
    Upgrade { due: Money, cost: PlanCost, paid_now: PaidNow },
    /// The subscription that there is changes at once to a plan that was paid in the month that runs; this is paid from the next month on.
    Return(PlanCost),
    /// The subscription that there is changes at once; this is paid from the next month on, and nothing is paid back.
    Downgrade(PlanCost),
    /// The subscription that there is ends with its month, and this plan follows.
    End,
    /// The subscription that there is is not paid any more: it ends, and this plan holds from now on.
    EndUnpaid,
}

/// What a plan costs, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanCost {
    monthly: u32,
    /// A minute beyond what is included. 0: there is none.
    overage: u32,
}

impl PlanCost {
    fn told(self) -> String {
        format!("{}:{}", self.monthly, self.overage)
    }

    fn is_within(self, shown: &str) -> bool {
        let is_within = |cost: u32, most: &str| most.parse().is_ok_and(|most: u32| cost <= most);
        shown.split_once(':').is_some_and(|(monthly, overage)| is_within(self.monthly, monthly) && is_within(self.overage, overage))
    }

    /// By how much what is due may grow within an hour, in thousandths of the minor unit: a month has no fewer than 672.
    fn grows_by(self) -> i64 {
        i64::from(self.monthly) * 1000 / 672 + 1000
    }

    fn of(plan: &Plan) -> Self {
        Self { monthly: plan.monthly_minor.unwrap_or_default(), overage: plan.overage.map_or(0, |overage| overage.minor_per_minute) }
    }
}

impl Choice {
    /// As a form sends it back.
    #[must_use]
    pub fn told(&self) -> String {
        match self {
            Self::Free => "free".to_owned(),
            Self::Subscribe => "subscribe".to_owned(),
            Self::Upgrade { due, cost, .. } => format!("upgrade:{}:{}", due.thousandths_of_minor, cost.told()),
            Self::Return(cost) => format!("return:{}", cost.told()),
            Self::Downgrade(cost) => format!("downgrade:{}", cost.told()),
            Self::End => "end".to_owned(),
            Self::EndUnpaid => "end-unpaid".to_owned(),
        }
    }

    /// Whether it is what was `shown`, or costs less.
    fn is_within(&self, shown: &str) -> bool {
        match self {
            Self::Upgrade { due, cost, .. } => {
                // What it comes to grows while it is looked at: what is left of the month shrinks.
                let is_due = |most: &str| most.parse().is_ok_and(|most: i64| due.thousandths_of_minor - cost.grows_by() <= most);
                let shown = shown.strip_prefix("upgrade:").and_then(|shown| shown.split_once(':'));
                shown.is_some_and(|(most, most_cost)| is_due(most) && cost.is_within(most_cost))
            }
            Self::Return(cost) => shown.strip_prefix("return:").is_some_and(|most| cost.is_within(most)),
            Self::Downgrade(cost) => shown.strip_prefix("downgrade:").is_some_and(|most| cost.is_within(most)),
            other => other.told() == shown,
        }
    }
}

impl Services {
    /// What it comes to when the tenant of whoever acts chooses a plan. Nothing is changed.
    ///
    /// # Errors
    /// [`BillingError`] says why it cannot be chosen.
    pub async fn look_at_plan(&self, actor: Actor, plan: &str) -> Result<(Plan, Choice), BillingError> {
        let tenant = actor.require_membership(Permission::ManageBilling)?.tenant;
        let bills = self.bills(actor).await?;
        let plan = self.plan_to_choose(plan).await?;
        let choice = self.choice(tenant, &bills, &plan).await?.0;
        Ok((plan, choice))
    }

    /// With the prices of a plan that is subscribed to.
    async fn choice(&self, tenant: TenantId, bills: &Bills, plan: &Plan) -> Result<(Choice, Option<PlanPrices>), BillingError> {
        let processor = self.processor()?;
        let subscription = bills.subscription();
        let pays_for = subscription.and_then(|subscription| subscription.plan.as_deref());
        if pays_for == Some(&plan.id) || (subscription.is_none() && bills.account.plan == plan.id) {
            return Err(BillingError::SamePlan);
        }
        match (subscription, is_paid(plan)) {
            (None, false) => Ok((Choice::Free, None)),
            (Some(subscription), false) => Ok((end(bills, subscription, plan)?, None)),
            (None, true) => Ok((Choice::Subscribe, Some(processor.stripe.prices(plan).await?))),
            (Some(subscription), true) => {
                // What is left of a month that was not paid would be taken off.
                if !matches!(subscription.status, SubscriptionStatus::Active | SubscriptionStatus::Trialing) {
                    return Err(BillingError::Unpaid);
                }
                let (prices, cost) = (processor.stripe.prices(plan).await?, PlanCost::of(plan));
                let monthly = plan.monthly_price().map_or(0, |price| price.thousandths_of_minor);
                let is_cheaper = monthly <= subscription.monthly.thousandths_of_minor;
                if is_cheaper || subscription.plans.contains(&plan.id) {
                    // It would hold in a month that begins meanwhile, and that another plan has paid.
                    if subscription.period_ends_at.ms() - self.store.now().await?.ms() < TURN_OF_MONTH_MS {
                        return Err(BillingError::TurnOfMonth);
                    }
                    return Ok((if is_cheaper { Choice::Downgrade(cost) } else { Choice::Return(cost) }, Some(prices)));
                }
                // What is used in a trial of one plan is not what another one is tried with.
                let ends_trial = subscription.status == SubscriptionStatus::Trialing;
                // What is not told yet would be on no invoice: the change ends the month that it belongs to.
                self.tell_all_usage(tenant).await?;
                let left_from = if ends_trial { None } else { self.left_from(tenant, subscription).await? };
                let paid_now = PaidNow { ends_trial, left_from };
                let due = processor.stripe.cost_of_change(&subscription.id, &prices, paid_now).await?;
                let grows_by = if ends_trial { 0 } else { cost.grows_by() };
                let due = Money { thousandths_of_minor: (due.thousandths_of_minor + grows_by) / 1000 * 1000, ..due };
                Ok((Choice::Upgrade { due, cost, paid_now }, Some(prices)))
            }
        }
    }

    /// Of a month of which more was `used` than its time has passed, no more is left than was not used. `None`: as much as of its time.
    async fn left_from(&self, tenant: TenantId, subscription: &Subscription) -> Result<Option<Timestamp>, BillingError> {
        let plan = match &subscription.plan {
            Some(plan) => self.store.plans().find(plan).await?,
            None => None,
        };
        let included = plan.map_or_else(VideoTime::default, |plan| plan.included.monthly());
        if included == VideoTime::default() {
            return Ok(None);
        }
        let used = self.store.tenant(tenant).credits().included_used().await?;
        let (begins, ends) = (subscription.period_starts_at, subscription.period_ends_at);
        let used_part = if included > used { used.ms() as f64 / included.ms() as f64 } else { 1.0 };
        // The end itself is outside of the month.
        let is_used_until = begins.plus_ms(((ends.ms() - begins.ms()) as f64 * used_part) as i64).min(ends.plus_ms(-1000));
        let now = self.store.now().await?;
        Ok(Some(is_used_until).filter(|at| *at > now))
    }

    /// Has the tenant of whoever acts choose a plan, if it comes to what they were `shown`, or to less. Returns the address of a page of the
    /// processor where that is to be finished. What was begun is carried out also when nobody waits for the answer any more.
    ///
    /// # Errors
    /// [`BillingError`]; nothing was changed, but where the processor did not answer.
    pub async fn choose_plan(&self, actor: Actor, plan: &str, shown: &str) -> Result<Option<String>, BillingError> {
        let (services, plan, shown) = (self.clone(), plan.to_owned(), shown.to_owned());
        carried_out(async move { services.carry_out_choice(actor, &plan, &shown).await }).await
    }

    async fn carry_out_choice(&self, actor: Actor, plan: &str, shown: &str) -> Result<Option<String>, BillingError> {
        let tenant = actor.require_membership(Permission::ManageBilling)?.tenant;
        self.processor()?;
        let bills = self.bills_now(actor, tenant).await?;
        if bills.subscription().is_none() {
            return Box::pin(self.carry_out(actor, bills, plan, shown)).await;
        }
        self.alone(tenant, async {
            let bills = self.bills_now(actor, tenant).await?;
            Box::pin(self.carry_out(actor, bills, plan, shown)).await
        })
        .await
    }

    /// Makes a change of the tenant's plan that no other change gets between.
    pub(super) async fn alone<T>(
        &self,
        tenant: TenantId,
        change: impl Future<Output = Result<T, BillingError>>,
    ) -> Result<T, BillingError> {
        self.wait_for_change(tenant).await?;
        let done = change.await;
        if let Err(error) = self.store.payments().end_change(tenant).await {
            tracing::warn!(%error, "the next change of this plan has to wait for some minutes");
        }
        done
    }

    /// What there is at the processor: whoever has paid a moment ago, in another window, does not pay again.
    pub(super) async fn bills_now(&self, actor: Actor, tenant: TenantId) -> Result<Bills, BillingError> {
        match self.fetch_tenant(tenant).await.map_err(unavailable) {
            // It is to become another customer.
            Ok(()) | Err(BillingError::Payment(PaymentError::Unknown(_))) => self.bills(actor).await,
            Err(error) => Err(error),
        }
    }

    /// A change that is asked for twice at once is made once.
    async fn wait_for_change(&self, tenant: TenantId) -> Result<(), BillingError> {
        // Within the time that an answer may take.
        const TRIES: u32 = 25;
        const PAUSE: Duration = Duration::from_millis(200);
        for _ in 0..TRIES {
            if self.store.payments().begin_change(tenant).await? {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(BillingError::Changing)
    }

    async fn carry_out(&self, actor: Actor, bills: Bills, plan: &str, shown: &str) -> Result<Option<String>, BillingError> {
        let membership = actor.require_membership(Permission::ManageBilling)?;
        let (tenant, user) = (membership.tenant, membership.user);
        let processor = self.processor()?;
        let plan = self.plan_to_choose(plan).await?;
        let (choice, prices) = self.choice(tenant, &bills, &plan).await?;
        if !choice.is_within(shown) {
            return Err(BillingError::Changed);
        }
        if let Some(subscription) = bills.subscription() {
            self.require_overage(tenant, subscription, &plan).await?;
        }
        let subscription = bills.subscription().map(|subscription| subscription.id.clone()).unwrap_or_default();
        match (choice, prices) {
            (Choice::Subscribe, Some(prices)) => {
                // Once for each tenant.
                let trial_days = plan.trial_days.filter(|days| *days > 0 && bills.account.subscriptions.is_empty());
                let page = self.sell((tenant, user), Sale::Plan { prices, trial_days }).await?;
                // Another page may have been paid while this one was opened.
                self.fetch_tenant(tenant).await.map_err(unavailable)?;
                let bills = self.bills(actor).await?;
                if let (Some(_), Some(customer)) = (bills.subscription(), &bills.account.customer) {
                    processor.stripe.close_pages(customer).await?;
                    return Err(BillingError::Changed);
                }
                return Ok(Some(page));
            }
            (Choice::Upgrade { paid_now, .. }, Some(prices)) => {
                let change = PlanChange::PaidNow(paid_now);
                processor.stripe.change_plan(&subscription, &prices, change, &new_idempotency_key()).await?;
            }
            (Choice::Return(_) | Choice::Downgrade(_), Some(prices)) => {
                self.tell_all_usage(tenant).await?;
                processor.stripe.change_plan(&subscription, &prices, PlanChange::FromNextInvoice, &new_idempotency_key()).await?;
            }
            (choice @ (Choice::End | Choice::EndUnpaid), _) => {
                processor.stripe.cancel_at_period_end(&subscription, true).await?;
                if choice == Choice::EndUnpaid {
                    self.store.tenant(tenant).credits().choose_plan(&plan.id).await?;
                }
                self.store.payments().set_next_plan(tenant, Some(&plan.id)).await?;
            }
            _ if self.store.tenant(tenant).credits().choose_plan(&plan.id).await? => return Ok(None),
            _ => return Err(BillingError::Changed),
        }
        self.fetch_soon(tenant).await;
        Ok(None)
    }

    /// What open videos are to pay afterwards is still billed, and at the price that they show, when the tenant has this plan.
    async fn require_overage(&self, tenant: TenantId, subscription: &Subscription, plan: &Plan) -> Result<(), BillingError> {
        if !is_paid(plan) {
            return self.require_last_overage(tenant, subscription).await;
        }
        let Some(price) = plan.overage_price() else { return Ok(()) };
        let held = self.store.tenant(tenant).credits().overage_held().await?;
        if held.iter().all(|held| *held == price) { Ok(()) } else { Err(BillingError::OverageHeld) }
    }

    /// The same, when the subscription ends with its month.
    pub(super) async fn require_last_overage(&self, tenant: TenantId, subscription: &Subscription) -> Result<(), BillingError> {
        let is_soon = subscription.period_ends_at.ms() - self.store.now().await?.ms() < MADE_WITHIN_MS;
        if is_soon && !self.store.tenant(tenant).credits().overage_held().await?.is_empty() {
            return Err(BillingError::OverageHeld);
        }
        Ok(())
    }

    async fn plan_to_choose(&self, id: &str) -> Result<Plan, BillingError> {
        let listed = self.listed_plans().await?;
        let plan = listed.into_iter().find(|plan| plan.id == id && plan.monthly_minor.is_some());
        plan.ok_or(BillingError::Unknown)
    }
}

/// In a task of its own: a card that is being charged is charged, whether the browser waits for the answer or not.
pub(super) async fn carried_out<T: Send + 'static>(
    work: impl Future<Output = Result<T, BillingError>> + Send + 'static,
) -> Result<T, BillingError> {
    match tokio::spawn(Box::pin(work)).await {
        Ok(done) => done,
        Err(error) => Err(PaymentError::Unavailable(error.to_string()).into()),
    }
}

/// What choosing a plan without a price comes to, beside a subscription.
fn end(bills: &Bills, subscription: &Subscription, plan: &Plan) -> Result<Choice, BillingError> {
    let (has, is_cancelled) = (&bills.account.plan, subscription.cancel_at.is_some());
    match &bills.account.paid_plan {
        None if is_cancelled && *has == plan.id => Err(BillingError::SamePlan),
        None => Ok(Choice::EndUnpaid),
        // What the operator has given stays when the subscription ends.
        Some(paid) if paid != has => Err(BillingError::GivenPlan),
        Some(_) if is_cancelled && bills.next_plan == plan.id => Err(BillingError::Ending),
        Some(_) => Ok(Choice::End),
    }
}

/// Whether a plan is subscribed to.
fn is_paid(plan: &Plan) -> bool {
    plan.monthly_minor.is_some_and(|minor| minor > 0)
}
