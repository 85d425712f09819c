//! What tenants were given and charged, as the operator looks through it and puts it right.

pub mod ledger;
pub mod promo;
pub mod refunds;
