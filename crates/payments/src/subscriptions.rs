//! Subscriptions: reading them, changing their plan, cancelling them.

use crate::{PaymentError, PlanPrices, Stripe, catalog, client::moment};
use domain::{
    Timestamp,
    billing::{Money, Subscription, SubscriptionStatus},
};
use stripe_billing::{
    invoice::{
        CreatePreviewInvoice, CreatePreviewInvoiceSubscriptionDetails, CreatePreviewInvoiceSubscriptionDetailsBillingCycleAnchor,
        CreatePreviewInvoiceSubscriptionDetailsBillingCycleAnchorType, CreatePreviewInvoiceSubscriptionDetailsItems,
        CreatePreviewInvoiceSubscriptionDetailsProrationBehavior, CreatePreviewInvoiceSubscriptionDetailsTrialEnd,
    },
    subscription::{
        ListSubscription, ListSubscriptionStatus, RetrieveSubscription, UpdateSubscription, UpdateSubscriptionBillingCycleAnchor,
        UpdateSubscriptionBillingCycleAnchorType, UpdateSubscriptionItems, UpdateSubscriptionPaymentBehavior,
        UpdateSubscriptionProrationBehavior, UpdateSubscriptionTrialEnd,
    },
};
use stripe_shared::{PriceType, RecurringUsageType};

const PAGE: i64 = 100;

/// What a change of plan means for the bill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanChange {
    /// A new month begins, and is paid for now, less what is left of the month that was paid.
    PaidNow(PaidNow),
    /// Nothing is paid back, and less from the next invoice on.
    FromNextInvoice,
}

/// A change that is paid at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaidNow {
    /// Instead of a month it is a trial that ends.
    pub ends_trial: bool,
    /// What is left of the month that was paid is what it has from this moment on. It lies in that month. `None`: from now on.
    pub left_from: Option<Timestamp>,
}

impl Stripe {
    /// All of a customer, also those that have ended.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn subscriptions(&self, customer: &str) -> Result<Vec<Subscription>, PaymentError> {
        let mut found = Vec::new();
        let mut list = ListSubscription::new().customer(customer).status(ListSubscriptionStatus::All).limit(PAGE);
        loop {
            let page = self.ask(&list).await?;
            for subscription in &page.data {
                found.extend(read(subscription)?);
            }
            match page.data.last().filter(|_| page.has_more) {
                Some(last) => list = list.starting_after(last.id.to_string()),
                None => return Ok(found),
            }
        }
    }

    /// Has a subscription pay for another plan from now on. Where the card declines, nothing is changed.
    ///
    /// # Errors
    /// [`PaymentError::Declined`] in words for whoever pays, or another.
    pub async fn change_plan(&self, subscription: &str, prices: &PlanPrices, change: PlanChange, once: &str) -> Result<(), PaymentError> {
        let items = self.items_of(subscription).await?;
        let items = changed(&items, prices).into_iter().map(|item| {
            let Item { id, price, quantity, is_deleted } = item;
            UpdateSubscriptionItems { id, price, quantity, deleted: is_deleted.then_some(true), ..UpdateSubscriptionItems::new() }
        });
        let update = UpdateSubscription::new(subscription).items(items.collect::<Vec<_>>()).cancel_at_period_end(false);
        let update = match change {
            PlanChange::PaidNow(PaidNow { ends_trial, left_from }) => {
                let update = update
                    .proration_behavior(UpdateSubscriptionProrationBehavior::AlwaysInvoice)
                    .payment_behavior(UpdateSubscriptionPaymentBehavior::ErrorIfIncomplete);
                let update = match left_from {
                    Some(at) => update.proration_date(at.unix_seconds()),
                    None => update,
                };
                if ends_trial {
                    update.trial_end(UpdateSubscriptionTrialEnd::Now)
                } else {
                    update.billing_cycle_anchor(UpdateSubscriptionBillingCycleAnchor::new(UpdateSubscriptionBillingCycleAnchorType::Now))
                }
            }
            PlanChange::FromNextInvoice => update.proration_behavior(UpdateSubscriptionProrationBehavior::None),
        };
        self.change(&update, &format!("plan:{once}")).await.map(drop)
    }

    /// What would be paid at once for another plan by [`PlanChange::PaidNow`], with what was used beyond the plan so far.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn cost_of_change(&self, subscription: &str, prices: &PlanPrices, change: PaidNow) -> Result<Money, PaymentError> {
        let PaidNow { ends_trial, left_from } = change;
        let items = self.items_of(subscription).await?;
        let items = changed(&items, prices).into_iter().map(|item| {
            let Item { id, price, quantity, is_deleted } = item;
            let deleted = is_deleted.then_some(true);
            CreatePreviewInvoiceSubscriptionDetailsItems {
                id,
                price,
                quantity,
                deleted,
                ..CreatePreviewInvoiceSubscriptionDetailsItems::new()
            }
        });
        let details = CreatePreviewInvoiceSubscriptionDetails {
            items: Some(items.collect()),
            proration_behavior: Some(CreatePreviewInvoiceSubscriptionDetailsProrationBehavior::AlwaysInvoice),
            proration_date: left_from.map(Timestamp::unix_seconds),
            trial_end: ends_trial.then_some(CreatePreviewInvoiceSubscriptionDetailsTrialEnd::Now),
            billing_cycle_anchor: (!ends_trial).then(|| {
                CreatePreviewInvoiceSubscriptionDetailsBillingCycleAnchor::new(
                    CreatePreviewInvoiceSubscriptionDetailsBillingCycleAnchorType::Now,
                )
            }),
            ..CreatePreviewInvoiceSubscriptionDetails::new()
        };
        let invoice = self.ask(&CreatePreviewInvoice::new().subscription(subscription).subscription_details(details)).await?;
        Ok(Money::of_minor(invoice.amount_due, catalog::currency(&invoice.currency)?))
    }

    /// Has a subscription end with the month that is paid, or go on after all.
    ///
    /// # Errors
    /// [`PaymentError`].
    pub async fn cancel_at_period_end(&self, subscription: &str, is_cancelled: bool) -> Result<(), PaymentError> {
        self.ask(&UpdateSubscription::new(subscription).cancel_at_period_end(is_cancelled)).await.map(drop)
    }

    async fn items_of(&self, subscription: &str) -> Result<Vec<Item>, PaymentError> {
        let found = self.ask(&RetrieveSubscription::new(subscription)).await?;
        // Others are somebody else's business.
        let ours = found.items.data.into_iter().filter(|item| catalog::is_ours(item.price.product.id().as_str()));
        let item = |item: stripe_shared::SubscriptionItem| Item {
            id: Some(item.id.to_string()),
            quantity: item.quantity,
            price: Some(item.price.id.to_string()),
            is_deleted: is_metered(&item.price),
        };
        Ok(ours.map(item).collect())
    }
}

/// An item of a subscription, as it is or is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    /// `None`: a new one.
    id: Option<String>,
    price: Option<String>,
    quantity: Option<u64>,
    is_deleted: bool,
}

/// The items that make a subscription with `before`, of which the metered ones are marked as deleted, one to `prices`.
fn changed(before: &[Item], prices: &PlanPrices) -> Vec<Item> {
    let (metered, flat): (Vec<_>, Vec<_>) = before.iter().cloned().partition(|item| item.is_deleted);
    let mut items = Vec::new();
    for (at, item) in flat.into_iter().enumerate() {
        let is_first = at == 0;
        items.push(Item {
            price: is_first.then(|| prices.monthly.clone()),
            quantity: is_first.then_some(1),
            is_deleted: !is_first,
            ..item
        });
    }
    if items.is_empty() {
        items.push(Item { id: None, price: Some(prices.monthly.clone()), quantity: Some(1), is_deleted: false });
    }
    // What was used before is still billed at its own price. Where nothing more is used beyond, what was begun before is billed by it as well.
    let stays = |item: &Item| prices.overage.is_none() || item.price == prices.overage;
    let is_there = metered.iter().any(stays);
    items.extend(metered.into_iter().filter(|item| !stays(item)).map(|item| Item { price: None, ..item }));
    if let Some(price) = prices.overage.clone().filter(|_| !is_there) {
        items.push(Item { id: None, price: Some(price), quantity: None, is_deleted: false });
    }
    items
}

fn is_metered(price: &stripe_shared::Price) -> bool {
    price.recurring.as_ref().is_some_and(|recurring| recurring.usage_type == RecurringUsageType::Metered)
}

/// `None`: it has no items, so nothing is paid for.
fn read(seen: &stripe_shared::Subscription) -> Result<Option<Subscription>, PaymentError> {
    let status = seen.status.as_str();
    let status = SubscriptionStatus::named(status).ok_or_else(|| PaymentError::Unreadable(format!("a subscription that is `{status}`")))?;
    let is_ours = |item: &&stripe_shared::SubscriptionItem| catalog::is_ours(item.price.product.id().as_str());
    let flat = seen.items.data.iter().filter(is_ours).filter(|item| !is_metered(&item.price) && item.price.type_ == PriceType::Recurring);
    let Some(first) = seen.items.data.first() else { return Ok(None) };
    let plan = flat.clone().find_map(|item| catalog::plan_of_product(item.price.product.id().as_str()).map(str::to_owned));
    let monthly_minor = flat.map(|item| item.price.unit_amount.unwrap_or(0) * i64::try_from(item.quantity.unwrap_or(1)).unwrap_or(1)).sum();
    Ok(Some(Subscription {
        id: seen.id.to_string(),
        plan,
        status,
        began_at: moment(seen.created),
        period_starts_at: moment(first.current_period_start),
        period_ends_at: moment(first.current_period_end),
        anchor: moment(seen.billing_cycle_anchor),
        cancel_at: seen.cancel_at.map(moment).or(seen.cancel_at_period_end.then(|| moment(first.current_period_end))),
        trial_ends_at: seen.trial_end.map(moment),
        ended_at: seen.ended_at.map(moment),
        monthly: Money::of_minor(monthly_minor, catalog::currency(&seen.currency)?),
        past_due_since: None,
        plans: Vec::new(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: &str, price: &str, is_metered: bool) -> Item {
        Item { id: Some(id.into()), price: Some(price.into()), quantity: (!is_metered).then_some(1), is_deleted: is_metered }
    }

    fn prices(monthly: &str, overage: Option<&str>) -> PlanPrices {
        PlanPrices { monthly: monthly.into(), overage: overage.map(str::to_owned) }
    }

    #[test]
    fn another_plan_replaces_the_flat_price_and_the_metered_one() {
        let before = [item("a", "p1", false), item("b", "m1", true)];
        let after = changed(&before, &prices("p2", Some("m2")));
        let told: Vec<_> = after.iter().map(|item| (item.id.as_deref(), item.price.as_deref(), item.is_deleted)).collect();
        assert_eq!(told, [(Some("a"), Some("p2"), false), (Some("b"), None, true), (None, Some("m2"), false)]);
    }

    #[test]
    fn a_metered_price_that_stays_is_left_alone_and_one_too_many_goes() {
        let before = [item("a", "p1", false), item("b", "m1", true)];
        assert_eq!(changed(&before, &prices("p2", Some("m1"))).len(), 1);
        assert_eq!(changed(&before, &prices("p2", None)).len(), 1);
        let before = [item("a", "p1", false), item("b", "m1", true), item("c", "m2", true)];
        let after = changed(&before, &prices("p2", Some("m2")));
        assert_eq!(after.iter().filter(|item| item.is_deleted).count(), 1);
    }
}
