//! One file for each table: its columns, as `migration` lays them out.

mod account;
pub mod artifact;
mod batches;
mod billing;
pub mod idempotency_key;
pub mod inbox;
pub mod job;
pub mod model;
pub mod model_alias;
mod number;
pub mod outbox;
pub mod preview;
pub mod setting;
pub mod stage_timing;
pub mod unconfirmed_job;
pub mod unreadable_row;
pub mod worker;

pub use account::{api_key, membership, project, session, signing_key, tenant, tries, user};
pub use batches::{batch, batch_line, file};
pub(crate) use number::{optional, signed, unsigned};

pub use billing::{
    device_day, grant, invoice, ledger_entry, meter_event, plan, promo_code, promo_redemption, spending_limit, subscription, usage_day,
};
