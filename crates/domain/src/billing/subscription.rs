//! What a payment processor knows of a tenant: its subscriptions, its invoices, and to which plan they entitle it.

use super::{Currency, Money};
use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// For so long after a payment has failed the tenant keeps its plan.
pub const PAYMENT_GRACE_MS: i64 = 7 * 24 * 60 * 60 * 1000;
/// Credit that is bought can be used for so long.
pub const CREDIT_VALID_MS: i64 = 365 * 24 * 60 * 60 * 1000;
/// 365.25 / 12 days.
const MONTH_MS: i64 = 2_629_800_000;

macro_rules! named {
    ($(#[$doc:meta])* $type:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $type { $($(#[$variant_doc])* $variant,)* }

        impl $type {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// As it is stored, and as Stripe calls it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// `None`: there is no such state.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|state| state.as_str() == name)
            }
        }
    };
}

named! {
    /// How a subscription stands.
    SubscriptionStatus {
        Trialing = "trialing",
        Active = "active",
        /// A payment has failed, and is tried again.
        PastDue = "past_due",
        /// A payment has failed for good.
        Unpaid = "unpaid",
        /// The first payment was not made yet.
        Incomplete = "incomplete",
        /// The first payment was not made in time.
        IncompleteExpired = "incomplete_expired",
        Paused = "paused",
        Canceled = "canceled",
    }
}

named! {
    InvoiceStatus {
        Draft = "draft",
        Open = "open",
        Paid = "paid",
        Uncollectible = "uncollectible",
        Void = "void",
    }
}

/// A subscription of a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// The processor's name for it.
    pub id: String,
    /// The plan that is paid for; `None`: what is paid for is none of ours.
    pub plan: Option<String>,
    pub status: SubscriptionStatus,
    pub began_at: Timestamp,
    pub period_starts_at: Timestamp,
    pub period_ends_at: Timestamp,
    /// Periods begin on its day of the month.
    pub anchor: Timestamp,
    /// When it ends, where it was cancelled.
    pub cancel_at: Option<Timestamp>,
    pub trial_ends_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// What is paid each month, without what is used beyond.
    pub monthly: Money,
    /// Since when we know that a payment has failed; `None`: none has.
    pub past_due_since: Option<Timestamp>,
    /// The plans that were paid for in the period that runs, as far as we know.
    pub plans: Vec<String>,
}

impl Subscription {
    /// Whether anything can still become of it.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        !matches!(self.status, SubscriptionStatus::Canceled | SubscriptionStatus::IncompleteExpired)
    }

    /// Until when the plan is kept though a payment has failed.
    #[must_use]
    pub fn grace_ends_at(&self) -> Option<Timestamp> {
        self.past_due_since.map(|since| since.plus_ms(PAYMENT_GRACE_MS))
    }

    /// What was paid for in the period that runs, by what was known `before`.
    #[must_use]
    pub fn plans_paid(&self, before: Option<&Self>) -> Vec<String> {
        let before = before.filter(|before| before.period_starts_at == self.period_starts_at);
        let mut plans = before.map(|before| before.plans.clone()).unwrap_or_default();
        if matches!(self.status, SubscriptionStatus::Trialing | SubscriptionStatus::Active) {
            plans.extend(self.plan.clone().filter(|plan| !plans.contains(plan)));
        }
        plans
    }

    fn entitles(&self, now: Timestamp) -> bool {
        if self.cancel_at.is_some_and(|at| at <= now) {
            return false;
        }
        match self.status {
            SubscriptionStatus::Trialing | SubscriptionStatus::Active => true,
            SubscriptionStatus::PastDue => self.grace_ends_at().is_none_or(|ends_at| now < ends_at),
            _ => false,
        }
    }
}

/// A plan that is paid for, and the day from which its months are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entitlement {
    pub plan: String,
    pub since: Timestamp,
    /// When it ends, where it was cancelled.
    pub until: Option<Timestamp>,
    /// Nothing is paid for afterwards: in a trial, and where no further invoice comes.
    pub without_overage: bool,
}

/// To which plan a tenant's subscriptions entitle it at `now`. Of several it is the newest.
#[must_use]
pub fn entitlement(subscriptions: &[Subscription], now: Timestamp) -> Option<Entitlement> {
    let paid = subscriptions.iter().filter(|subscription| subscription.entitles(now) && subscription.plan.is_some());
    let subscription = paid.max_by(|a, b| (a.began_at, &a.id).cmp(&(b.began_at, &b.id)))?;
    // The anchor of a trial lies at its end: what is used in the trial is not taken from the first month.
    let is_trial = subscription.status == SubscriptionStatus::Trialing;
    let since = if is_trial { subscription.period_starts_at } else { subscription.anchor };
    let without_overage = is_trial || subscription.cancel_at.is_some();
    Some(Entitlement { plan: subscription.plan.clone()?, since, until: subscription.cancel_at, without_overage })
}

/// An invoice to a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invoice {
    /// The processor's name for it.
    pub id: String,
    /// As it is printed on it; `None`: not yet.
    pub number: Option<String>,
    pub status: InvoiceStatus,
    pub total: Money,
    pub paid: Money,
    pub created_at: Timestamp,
    /// Where it is shown, and can be paid.
    pub url: Option<String>,
    /// When the payment is tried next, where one has failed.
    pub next_attempt_at: Option<Timestamp>,
    /// What of the total is for plans; `None`: that is not known, and all of it counts.
    pub plan: Option<PlanCharge>,
}

/// What of an invoice is for plans, without taxes and without what was used beyond them, and the time that is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanCharge {
    pub amount: Money,
    pub from: Timestamp,
    pub until: Timestamp,
}

impl Invoice {
    /// What was paid of it for plans in the time from one moment to another: it is spread evenly over the time that is paid for, which is a month
    /// where that is not known.
    #[must_use]
    pub fn paid_for_plans(&self, from: Timestamp, until: Timestamp) -> Money {
        let month = (self.created_at, self.created_at.plus_ms(MONTH_MS));
        let (starts, ends) = self.plan.map(|plan| (plan.from, plan.until)).filter(|(starts, ends)| starts < ends).unwrap_or(month);
        let amount = self.plan.map_or(self.total, |plan| plan.amount).thousandths_of_minor as f64;
        let total = self.total.thousandths_of_minor as f64;
        let paid = if total > 0.0 { self.paid.thousandths_of_minor as f64 / total } else { 0.0 };
        let overlap_ms = ends.min(until).ms() - starts.max(from).ms();
        let part = overlap_ms.max(0) as f64 / (ends.ms() - starts.ms()) as f64;
        let thousandths_of_minor = (amount * paid * part).round() as i64;
        Money { thousandths_of_minor, currency: self.total.currency }
    }
}

/// Credit that was bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase {
    /// The processor's name for it.
    pub id: String,
    pub video_ms: u64,
    pub minor_per_minute: u32,
    pub currency: Currency,
    pub bought_at: Timestamp,
    /// Of it, what was not paid in the end: it was paid back, or the payment is disputed.
    pub unpaid_ms: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subscription(id: &str, plan: &str, status: SubscriptionStatus) -> Subscription {
        let at = Timestamp::from_ms;
        Subscription {
            id: id.into(),
            plan: Some(plan.into()),
            status,
            began_at: at(100),
            period_starts_at: at(100),
            period_ends_at: at(3000),
            anchor: at(200),
            cancel_at: None,
            trial_ends_at: None,
            ended_at: None,
            monthly: Money::of_minor(2900, Currency::USD),
            past_due_since: None,
            plans: Vec::new(),
        }
    }

    fn plan_of(subscriptions: &[Subscription], now: i64) -> Option<String> {
        entitlement(subscriptions, Timestamp::from_ms(now)).map(|entitlement| entitlement.plan)
    }

    #[test]
    fn plans_are_paid_for_one_period() {
        let pro = subscription("a", "pro", SubscriptionStatus::Active);
        let pro = Subscription { plans: pro.plans_paid(None), ..pro };
        assert_eq!(pro.plans, ["pro"]);
        let studio = Subscription { plan: Some("studio".into()), ..pro.clone() };
        assert_eq!(studio.plans_paid(Some(&pro)), ["pro", "studio"]);
        let late = Subscription { status: SubscriptionStatus::PastDue, ..studio.clone() };
        assert_eq!(late.plans_paid(Some(&pro)), ["pro"]);
        let next = Subscription { period_starts_at: pro.period_ends_at, ..studio };
        assert_eq!(next.plans_paid(Some(&pro)), ["studio"]);
    }

    #[test]
    fn what_an_invoice_brought_in_is_spread_over_the_time_that_it_pays_for() {
        let at = Timestamp::from_ms;
        let dollars = |minor| Money::of_minor(minor, Currency::USD);
        // Plans for 29, 10 of usage, and 1 of taxes.
        let plan = PlanCharge { amount: dollars(2900), from: at(1000), until: at(2000) };
        let invoice = Invoice {
            id: "in".into(),
            number: None,
            status: InvoiceStatus::Paid,
            total: dollars(4000),
            paid: dollars(4000),
            created_at: at(1000),
            url: None,
            next_attempt_at: None,
            plan: Some(plan),
        };
        assert_eq!(invoice.paid_for_plans(at(0), at(5000)), dollars(2900));
        assert_eq!(invoice.paid_for_plans(at(0), at(1500)), dollars(1450));
        assert_eq!(invoice.paid_for_plans(at(1500), at(5000)), dollars(1450));
        assert_eq!(invoice.paid_for_plans(at(2000), at(5000)), dollars(0));
        let half = Invoice { paid: dollars(2000), ..invoice.clone() };
        assert_eq!(half.paid_for_plans(at(0), at(5000)), dollars(1450));
        let unpaid = Invoice { paid: dollars(0), status: InvoiceStatus::Open, ..invoice.clone() };
        assert_eq!(unpaid.paid_for_plans(at(0), at(5000)), dollars(0));
        // Of credit that was bought.
        let credit = Invoice { plan: Some(PlanCharge { amount: dollars(0), from: at(1000), until: at(1000) }), ..invoice.clone() };
        assert_eq!(credit.paid_for_plans(at(0), at(i64::MAX)), dollars(0));
        let unknown = Invoice { plan: None, ..invoice };
        assert_eq!(unknown.paid_for_plans(at(0), at(1000 + MONTH_MS / 2)), dollars(2000));
        assert_eq!(MONTH_MS as f64, 30.4375 * 86_400_000.0);
    }

    #[test]
    fn only_what_is_paid_or_tried_entitles() {
        for status in SubscriptionStatus::ALL {
            let entitled = plan_of(&[subscription("a", "pro", *status)], 500).is_some();
            let expected = matches!(status, SubscriptionStatus::Trialing | SubscriptionStatus::Active | SubscriptionStatus::PastDue);
            assert_eq!(entitled, expected, "{status:?}");
            assert_eq!(SubscriptionStatus::named(status.as_str()), Some(*status));
        }
    }

    #[test]
    fn a_failed_payment_leaves_the_plan_for_the_days_of_grace() {
        let late = Subscription { past_due_since: Some(Timestamp::from_ms(1000)), ..subscription("a", "pro", SubscriptionStatus::PastDue) };
        assert_eq!(plan_of(std::slice::from_ref(&late), 999 + PAYMENT_GRACE_MS).as_deref(), Some("pro"));
        assert_eq!(plan_of(&[late], 1000 + PAYMENT_GRACE_MS), None);
    }

    #[test]
    fn of_several_the_newest_counts_and_a_trial_has_a_month_of_its_own() {
        let newer = Subscription { began_at: Timestamp::from_ms(101), ..subscription("b", "enterprise", SubscriptionStatus::Trialing) };
        let both = [newer, subscription("a", "pro", SubscriptionStatus::Active)];
        let entitled = entitlement(&both, Timestamp::from_ms(500)).unwrap();
        assert_eq!((entitled.plan.as_str(), entitled.since.ms()), ("enterprise", 100));
        assert!(entitled.without_overage);
        assert_eq!(entitlement(&both[1..], Timestamp::from_ms(500)).unwrap().since.ms(), 200);
        let cancelled = Subscription { cancel_at: Some(Timestamp::from_ms(600)), ..subscription("d", "pro", SubscriptionStatus::Active) };
        assert_eq!(entitlement(std::slice::from_ref(&cancelled), Timestamp::from_ms(599)).unwrap().until, cancelled.cancel_at);
        let overage =
            |of: &Subscription| entitlement(std::slice::from_ref(of), Timestamp::from_ms(599)).map(|entitled| !entitled.without_overage);
        assert_eq!([overage(&both[1]), overage(&cancelled)], [Some(true), Some(false)]);
        assert_eq!(plan_of(&[cancelled], 600), None);
        let other = Subscription { plan: None, ..subscription("c", "", SubscriptionStatus::Active) };
        assert_eq!(plan_of(&[other], 500), None);
    }
}
