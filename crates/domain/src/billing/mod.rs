//! Money: what plans give, what a job is charged, and how the ledger books it.
//!
//! All that is owed between us and a tenant is video time, in whole milliseconds. A **grant** is an amount of it that the tenant may use;
//! a **hold** sets aside what an open job will cost at most, a **capture** spends it, a **release** gives it back.

mod balance;
mod charge;
pub mod costs;
mod grant;
mod ledger;
mod money;
mod period;
mod plan;
mod promotion;
mod spending;
mod subscription;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod usage;

pub use balance::{Balance, Outlook, Rest};
pub use charge::{Charge, Drawn, End, charge};
pub use grant::{GRACE_OF_CREDIT_MS, GrantKind, Part, capture_first, draw, refund_last};
pub use ledger::{Account, EntryKind};
pub use money::{Currency, CurrencyError, Money, UnitPrice, sum};
pub use period::period_of;
pub use plan::{Included, Lane, Overage, Plan, PlanError, REQUESTS_PER_MINUTE_DEFAULT, REQUESTS_PER_MINUTE_MAX, UNLIMITED};
pub use promotion::{
    Audience, NEW_TENANT_MS, PROMO_CODE_CHARS_MAX, PROMO_CODE_CHARS_MIN, PromoCode, PromoCodeError, PromoRefusal, PromoTerms,
};
pub use spending::{Spender, Spending, SpendingLimits, SpendingLimitsError, month_of};
pub use subscription::{
    CREDIT_VALID_MS, Entitlement, Invoice, InvoiceStatus, PAYMENT_GRACE_MS, PlanCharge, Purchase, Subscription, SubscriptionStatus,
    entitlement,
};
pub use usage::{Day, Usage, UsageGroup};
