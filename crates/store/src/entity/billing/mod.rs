//! Plans, the ledger, and what a payment processor knows.

pub mod device_day;
pub mod grant;
pub mod invoice;
pub mod ledger_entry;
pub mod meter_event;
pub mod plan;
pub mod promo_code;
pub mod promo_redemption;
pub mod spending_limit;
pub mod subscription;
pub mod usage_day;
