//! What tenants were given and charged, what they pay, and what it costs to make their videos.

pub mod costs;
pub mod ledger;
pub mod payments;
pub mod promo;
pub mod refunds;
