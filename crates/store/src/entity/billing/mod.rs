//! Plans, and the ledger.

pub mod grant;
pub mod ledger_entry;
pub mod plan;
pub mod spending_limit;
pub mod usage_day;
