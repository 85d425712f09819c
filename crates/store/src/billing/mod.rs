//! Plans and the ledger: what each tenant was granted, what is held for its open jobs, and what was charged.
//!
//! Whoever changes a tenant's grants holds the lock on the tenant's row, whose totals change with them; entries are only ever added. A hold
//! is made in the transaction that takes a job in, and ends in the one that ends the job.

mod credits;
mod due;
mod entries;
mod grants;
mod hold;
mod metering;
mod plans;
mod refund;
mod settlement;
mod spending;
mod tenants;
mod usage;
mod verify;

pub use credits::{Credits, Granted, LedgerPage, LedgerRow, NewGrant};
pub use metering::{MeterEvent, Metering};
pub use plans::{PlanVersion, Plans, RateChange, RatesSet};
pub use refund::{NewRefund, RefundError, Refunded};
pub use verify::{LedgerFault, Verified};

pub(crate) use credits::{grant, take_back as take_back_credit};
pub(crate) use due::{had_elsewhere, plan_after};
pub(crate) use entries::next_cause;
pub(crate) use hold::{book, draw_on, open_before, reserve};
pub(crate) use metering::{delete_all as delete_metering, is_unreported};
pub(crate) use plans::{current as current_plan, default as default_plan, exists as plan_exists};
pub(crate) use refund::refund;
pub(crate) use settlement::{Ended, Settlement};
pub(crate) use spending::{
    Payer, Reached, delete_all as delete_spending, keys_gone, list as list_spending, set as set_spending, take as take_spending,
};
pub(crate) use tenants::{forget_paid_plan, keep_for_a_while, lock as lock_tenant, lock_live as lock_live_tenant, release_now, set_plan};
pub(crate) use usage::{Outcome, UsageOf, forget_users as forget_usage, give as give_usage, tenants_of as tenants_of_usage};
pub(crate) use verify::verify;
